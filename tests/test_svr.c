/* test_svr.c - support vector regression beside LIBSVM, brute force and bad input.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/import/libsvm.h"
#include "check.h"
#include "friedman.h"
#include "golden/svr.h"
#include "lies.h"

static sooth_table golden_table(void) { return sooth_table_of(golden_x, golden_y, GOLDEN_ROWS, GOLDEN_COLS); }

static sooth_svr_options golden_options(const golden_svr *g) {
    sooth_svr_options o;
    memset(&o, 0, sizeof o);
    o.method = g->method;
    o.kernel = g->kernel;
    o.degree = g->degree;
    o.C = g->C;
    o.epsilon = g->epsilon;
    o.nu = g->nu;
    o.gamma = g->gamma_value;
    o.coef0 = g->coef0;
    o.no_target_scale = 1; /* LIBSVM learns in the unit of the target */
    o.tolerance = 1e-5;
    return o;
}

/* The objective within 1e-6 and the predictions within 1e-3 of LIBSVM's; as few vectors. */
static void equals_libsvm(void) {
    sooth_env env;
    size_t c, i;
    sooth_env_init(&env);
    for (c = 0; c < GOLDEN_CASES; ++c) {
        const golden_svr *g = &golden_case[c];
        sooth_table table = golden_table();
        sooth_svr_options o = golden_options(g);
        sooth_svr_report r;
        sooth_svr *m;
        int before = check_failures;
        if (g->weighted) table.weight = golden_weight;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL), SOOTH_OK);
        if (!m) continue;
        CHECK(sooth_svr_check(m, m->head.size));
        CHECK(r.converged && r.violation <= 1e-5);
        CHECK_CLOSE(r.objective, g->objective, 1e-6);
        CHECK(r.gap > -1e-4 * fabs(r.objective) && r.gap < 1e-3 * fabs(r.objective));
        CHECK(r.vectors + 2 >= g->vectors && r.vectors <= g->vectors + 2);
        for (i = 0; i < GOLDEN_TESTS; ++i)
            CHECK_NEAR(sooth_svr_predict(m, golden_test + i * GOLDEN_COLS), g->answer[i], 1e-3);
        if (check_failures != before) printf("  (%s)\n", g->name);
        sooth_svr_free(&env, m);
    }
}

/* Shrinking, the smallest cache and the host's kernel change nothing but the time. */
static float own_rbf(void *user, const float *a, const float *b, size_t n) {
    float s = 0.0f;
    size_t j;
    for (j = 0; j < n; ++j) s += (a[j] - b[j]) * (a[j] - b[j]);
    return sooth_exp(-*(const float *)user * s);
}

static void same_whatever_the_cache(void) {
    sooth_table table;
    sooth_svr_options o;
    sooth_svr *m[4];
    sooth_svr_report r[4];
    sooth_env env;
    size_t k, i;
    float half = 0.5f, buffer[6];
    make_friedman(&table, 400, 6, 3, 0.0);
    sooth_env_init(&env);
    for (k = 0; k < 4; ++k) {
        memset(&o, 0, sizeof o);
        o.C = 10;
        o.gamma = 0.5;
        o.tolerance = 1e-4;
        if (k == 1) o.cache_size = 1e-6;
        if (k == 2) o.no_shrinking = 1;
        if (k == 3) {
            o.kernel = SOOTH_SVR_CALLBACK;
            o.kernel_fn = own_rbf;
            o.kernel_user = &half;
        }
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m[k], &r[k], NULL), SOOTH_OK);
        if (!m[k]) return;
    }
    CHECK(m[0]->head.size == m[1]->head.size && memcmp(m[0], m[1], m[0]->head.size) == 0);
    CHECK(r[1].kernel_rows > r[0].kernel_rows);
    CHECK_CLOSE(r[2].objective, r[0].objective, 1e-6);
    CHECK_CLOSE(r[3].objective, r[0].objective, 2e-6);
    CHECK(isnan(sooth_svr_predict(m[3], table.x)));
    for (i = 0; i < 50; ++i)
        CHECK_NEAR(sooth_svr_predict_with(m[3], table.x + i * 6, own_rbf, &half, buffer),
                   sooth_svr_predict(m[0], table.x + i * 6), 2e-3);
    for (k = 0; k < 4; ++k) sooth_svr_free(&env, m[k]);
    free_friedman(&table);
}

/* f(x) in double from the model's own numbers. */
static void predicts_what_it_says(void) {
    sooth_table table;
    sooth_svr *m;
    sooth_env env;
    sooth_svr_options o;
    float many[100];
    size_t i, j, k;
    make_friedman(&table, 100, 7, 5, 0.0);
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.C = 5;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_predict_many(m, table.x, 100, 7, many);
    for (i = 0; i < 100; ++i) {
        double sum = (double)m->offset;
        float one = sooth_svr_predict(m, table.x + 7 * i);
        for (k = 0; k < m->vectors; ++k) {
            double square = 0.0;
            for (j = 0; j < 7; ++j)
                square += pow((double)sooth_svr_vector(m, k, j) - (double)table.x[7 * i + j], 2);
            sum += sooth_svr_coefficient(m, k) * exp(-soothi_svr_gamma(m) * square);
        }
        CHECK_NEAR(one, sum, 2e-5);
        CHECK(memcmp(&one, &many[i], sizeof one) == 0);
    }
    CHECK(sooth_svr_cost(m).bytes == m->head.size && m->head.size == sooth_svr_size(m->vectors, 7));
    { /* beyond all vectors only b is left; NaN stays */
        float away[7] = {1e30f, 0, 0, 0, 0, 0, 0};
        CHECK_NEAR(sooth_svr_predict(m, away), m->offset, 1e-6);
        away[0] = INFINITY;
        CHECK_NEAR(sooth_svr_predict(m, away), m->offset, 1e-6);
        away[3] = NAN;
        CHECK(isnan(sooth_svr_predict(m, away)));
    }
    sooth_svr_free(&env, m);
    free_friedman(&table);
}

/* The kernel's e^x by every float of a range: beside exp in double. */
static void exponential_is_exact_enough(void) {
    double worst = 0.0;
    long k;
    for (k = 0; k <= 2000000; ++k) {
        float in[SOOTHI_WIDE], out[SOOTHI_WIDE];
        soothi_wide v;
        double right;
        in[0] = (float)(-k) * 6e-5f;
        v = soothi_svr_exp2(soothi_wide_splat(in[0]));
        memcpy(out, &v, sizeof out);
        right = exp2((double)in[0]);
        if (in[0] > -125.0f && fabs((double)out[0] - right) > worst * right)
            worst = fabs((double)out[0] - right) / right;
    }
    CHECK(worst < 1.8e-7);
}

/* Stopped, it says so, and goes on where it stopped. */
static void stops_and_resumes(void) {
    sooth_table table = golden_table();
    sooth_svr_options o = golden_options(&golden_case[2]);
    sooth_svr_report r;
    sooth_env env;
    sooth_svr *m;
    double beta[GOLDEN_ROWS], gap = INFINITY;
    int tries;
    sooth_env_init(&env);
    o.max_iter = 500;
    CHECK_FAILS(&env, sooth_svr_fit_report(&env, &table, &o, &m, &r, beta), SOOTH_NOT_CONVERGED,
                "after max_iter = 500 steps");
    CHECK(m && sooth_svr_check(m, m->head.size) && !r.converged && r.gap > 0.0);
    o.warm_start = beta;
    for (tries = 0; tries < 10000 && !r.converged; ++tries) {
        gap = r.gap;
        sooth_svr_free(&env, m);
        (void)sooth_svr_fit_report(&env, &table, &o, &m, &r, beta);
        if (!m) return;
    }
    CHECK(r.converged && r.gap < gap + 1.0);
    CHECK_CLOSE(r.objective, golden_case[2].objective, 1e-6);
    sooth_svr_free(&env, m);
    o.max_iter = 0;
    CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, beta), SOOTH_OK);
    CHECK(r.iterations <= 2);
    sooth_svr_free(&env, m);
    beta[0] += 1.0;
    CHECK_FAILS(&env, sooth_svr_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT, "must sum to 0");
    beta[0] = NAN;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT, "warm_start[0] is nan");
}

/* The bits do not depend on the unit of the target: those of 2^k y are 2^k times those of y, of each method
   and kernel, with weights, warm starts and a budget. Nor does what is learned depend on its zero, up to
   rounding of the targets. */
static void units_do_not_matter(void) {
    enum { ROWS = 90 };
    static float scaled[ROWS], weight[ROWS];
    static double beta[ROWS], scaled_beta[ROWS];
    sooth_table table, other;
    sooth_env env;
    make_friedman(&table, ROWS, 5, 3, 0.0);
    sooth_env_init(&env);
    for (size_t i = 0; i < ROWS; ++i) weight[i] = 0.25f * (float)(i % 5);
    for (uint32_t form = 0; form < 4; ++form)
        for (int k = -60; k <= 60; k += 30) {
            sooth_svr_options o = {
                .method = form & 1u, .kernel = form >> 1, .max_vectors = form == 3 ? 9 : 0};
            sooth_svr_report r, s;
            sooth_svr *a = NULL, *b = NULL;
            const float unit = ldexpf(1.0f, k);
            other = table;
            other.y = scaled;
            if (form & 1u) table.weight = other.weight = weight;
            for (size_t i = 0; i < ROWS; ++i) scaled[i] = table.y[i] * unit;
            for (uint32_t again = 0; again < 2; ++again) { /* the second from a half of the first */
                CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &a, &r, beta), SOOTH_OK);
                if (again) o.warm_start = scaled_beta;
                CHECK_STATUS(sooth_svr_fit_report(&env, &other, &o, &b, &s, scaled_beta), SOOTH_OK);
                if (!a || !b) return;
                CHECK(memcmp(&r.objective, &s.objective, sizeof r.objective) == 0);
                CHECK(r.iterations == s.iterations && r.epsilon * (double)unit == s.epsilon);
                for (size_t i = 0; i < ROWS; ++i) {
                    CHECK(beta[i] * (double)unit == scaled_beta[i]);
                    CHECK(sooth_svr_predict(a, table.x + 5 * i) * unit ==
                          sooth_svr_predict(b, table.x + 5 * i));
                }
                sooth_svr_free(&env, a);
                sooth_svr_free(&env, b);
                for (size_t i = 0; i < ROWS; ++i) beta[i] *= 0.5, scaled_beta[i] *= 0.5;
                o.warm_start = beta;
            }
            table.weight = NULL;
        }
    for (size_t i = 0; i < ROWS; ++i) scaled[i] = 1000.0f * table.y[i] - 5000.0f;
    other.weight = NULL;
    sooth_svr *a, *b;
    CHECK_STATUS(sooth_svr_fit(&env, &table, NULL, &a), SOOTH_OK);
    CHECK_STATUS(sooth_svr_fit(&env, &other, NULL, &b), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i)
        CHECK_NEAR(sooth_svr_predict(b, table.x + 5 * i),
                   1000.0 * (double)sooth_svr_predict(a, table.x + 5 * i) - 5000.0, 10.0);
    sooth_svr_free(&env, a);
    sooth_svr_free(&env, b);
    for (size_t i = 0; i < ROWS; ++i) scaled[i] = 0.1f; /* the same target everywhere: to the bit */
    CHECK_STATUS(sooth_svr_fit(&env, &other, NULL, &a), SOOTH_OK);
    CHECK(a && a->vectors == 0 && sooth_svr_predict(a, table.x) == 0.1f);
    sooth_svr_free(&env, a);
    free_friedman(&table);
}

/* What scikit-learn predicts with the target standardised around its SVR. */
static void equals_a_pipeline_of_scikit_learn(void) {
    sooth_env env;
    sooth_env_init(&env);
    for (size_t c = 0; c < GOLDEN_SCALED; ++c) {
        const sooth_table table = sooth_table_of(golden_x, golden_y, GOLDEN_ROWS, GOLDEN_COLS);
        const sooth_svr_options o = {.gamma = 0.5,
                                     .method = c == 1,
                                     .C = c == 2 ? 3 : 0,
                                     .epsilon = c == 2 ? 0.2 : 0,
                                     .tolerance = 1e-6};
        sooth_svr *m;
        CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
        if (!m) return;
        CHECK(m->vectors + 1 >= golden_scaled_vectors[c] && m->vectors <= golden_scaled_vectors[c] + 1);
        for (size_t i = 0; i < GOLDEN_TESTS; ++i)
            CHECK_NEAR(sooth_svr_predict(m, golden_test + i * GOLDEN_COLS),
                       golden_scaled[c * GOLDEN_TESTS + i], 1e-4);
        sooth_svr_free(&env, m);
    }
}

/* nu bounds the shares of errors and of vectors (Schoelkopf et al. 2000, proposition 1); epsilon-SVR with the
   epsilon it found is the same model. */
static void nu_means_what_it_says(void) {
    sooth_table table;
    sooth_svr_options o;
    sooth_svr_report r;
    sooth_svr *m, *same;
    sooth_env env;
    size_t i, outside = 0;
    make_friedman(&table, 300, 5, 8, 0.0);
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.method = SOOTH_SVR_NU;
    o.nu = 0.3;
    o.C = 10;
    o.no_target_scale = 1; /* so that the width that was found can be given */
    o.tolerance = 1e-5;
    CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL), SOOTH_OK);
    for (i = 0; i < 300; ++i)
        outside +=
            fabs((double)sooth_svr_predict(m, table.x + 5 * i) - (double)table.y[i]) > r.epsilon + 1e-3;
    CHECK(outside <= 90);
    CHECK(r.vectors >= 90);
    CHECK(r.gap > -1e-3 && r.gap < 1e-2);
    CHECK_NEAR(soothi_svr_epsilon(m), r.epsilon, 0.0);
    o.method = SOOTH_SVR_EPSILON;
    o.epsilon = r.epsilon;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &same), SOOTH_OK);
    for (i = 0; i < 300; ++i)
        CHECK_NEAR(sooth_svr_predict(m, table.x + 5 * i), sooth_svr_predict(same, table.x + 5 * i), 2e-3);
    sooth_svr_free(&env, m);
    sooth_svr_free(&env, same);
    free_friedman(&table);
}

/* A row of weight 2 is two rows; a row of weight 0 is none: for gamma, the solution and the reduced model. */
static void weights_repeat_rows(void) {
    static float x[30], y[30], twice_x[60], twice_y[60], weight[30];
    sooth_table a = sooth_table_of(x, y, 30, 1), b;
    sooth_svr_report ra, rb;
    sooth_svr_options o;
    sooth_svr *m, *twice;
    sooth_env env;
    size_t i, n = 0;
    sooth_env_init(&env);
    for (i = 0; i < 30; ++i) {
        unsigned times = (unsigned)(i % 3), k;
        x[i] = (float)i / 8.0f;
        y[i] = (float)(sin((double)x[i]) + 0.3 * cos(17.0 * (double)i));
        weight[i] = (float)times;
        for (k = 0; k < times; ++k, ++n) {
            twice_x[n] = x[i];
            twice_y[n] = y[i];
        }
    }
    a.weight = weight;
    b = sooth_table_of(twice_x, twice_y, n, 1);
    memset(&o, 0, sizeof o);
    o.tolerance = 1e-8;
    for (i = 0; i < 2; ++i) {
        o.max_vectors = i ? 8 : 0;
        CHECK_STATUS(sooth_svr_fit_report(&env, &a, &o, &m, &ra, NULL), SOOTH_OK);
        CHECK_STATUS(sooth_svr_fit_report(&env, &b, &o, &twice, &rb, NULL), SOOTH_OK);
        CHECK_CLOSE(soothi_svr_gamma(m), soothi_svr_gamma(twice), 1e-12);
        CHECK_CLOSE(ra.objective, rb.objective, 1e-6);
        for (n = 0; n < 30 && m && twice; ++n)
            CHECK_NEAR(sooth_svr_predict(m, x + n), sooth_svr_predict(twice, x + n), i ? 1e-2 : 1e-4);
        sooth_svr_free(&env, m);
        sooth_svr_free(&env, twice);
    }
}

/* The model of a table and of the same with 20 wild rows of weight 0 among its own: the same bytes. */
static void rows_of_weight_zero_do_not_exist(void) {
    enum { ROWS = 100, MORE = 20, COLS = 5 };
    static float x[(ROWS + MORE) * COLS], y[ROWS + MORE], weight[ROWS + MORE];
    double beta[ROWS], more_beta[ROWS + MORE];
    sooth_table table, more;
    sooth_svr_report r[2];
    sooth_env env;
    uint32_t method;
    size_t i, at = 0;
    make_friedman(&table, ROWS, COLS, 3, 0.0);
    for (i = 0; i < ROWS + MORE; ++i) {
        const int wild = i % 6 == 2;
        size_t j;
        for (j = 0; j < COLS; ++j) x[i * COLS + j] = wild ? 100.0f * (float)i : table.x[at * COLS + j];
        y[i] = wild ? -1000.0f : table.y[at];
        weight[i] = wild ? 0.0f : 1.0f;
        at += !wild;
    }
    more = sooth_table_of(x, y, ROWS + MORE, COLS);
    more.weight = weight;
    sooth_env_init(&env);
    for (method = SOOTH_SVR_EPSILON; method <= SOOTH_SVR_NU; ++method) {
        sooth_svr_options o;
        sooth_svr *m, *same;
        char text[2][SOOTH_ENV_SENTENCE];
        memset(&o, 0, sizeof o);
        o.method = method;
        o.max_vectors = 12;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r[0], beta), SOOTH_OK);
        CHECK_STATUS(sooth_svr_fit_report(&env, &more, &o, &same, &r[1], more_beta), SOOTH_OK);
        if (!m || !same) return;
        CHECK(m->head.size == same->head.size && memcmp(m, same, m->head.size) == 0);
        CHECK(memcmp(&r[0], &r[1], sizeof r[0]) == 0);
        for (i = at = 0; i < ROWS + MORE; ++i) CHECK_NEAR(more_beta[i], i % 6 == 2 ? 0.0 : beta[at++], 0.0);
        sooth_svr_warning(m, &table, text[0], sizeof text[0]);
        sooth_svr_warning(m, &more, text[1], sizeof text[1]);
        CHECK(strcmp(text[0], text[1]) == 0);
        sooth_svr_free(&env, m);
        sooth_svr_free(&env, same);
    }
    free_friedman(&table);
}

/* A tube of no width: every row is a support vector, and with a large C the model goes through every row. */
static void an_epsilon_of_zero_can_be_asked_for(void) {
    static float x[12], y[12];
    sooth_table table = sooth_table_of(x, y, 12, 1);
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    size_t i;
    sooth_env_init(&env);
    for (i = 0; i < 12; ++i) {
        x[i] = (float)i;
        y[i] = sinf((float)(i * i));
    }
    memset(&o, 0, sizeof o);
    o.C = 1e6;
    o.gamma = 2;
    o.tolerance = 1e-6;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    CHECK(m && soothi_svr_epsilon(m) > 0.01 && soothi_svr_epsilon(m) < 0.03); /* 0.03 of a deviation of 0.7 */
    sooth_svr_free(&env, m);
    CHECK_STATUS(sooth_option_set(&env, sooth_svr_options_list(), &o, "epsilon", "0"), SOOTH_OK);
    CHECK(o.has_epsilon == 1);
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    if (!m) return;
    CHECK(!(soothi_svr_epsilon(m) > 0.0) && m->vectors == 12);
    for (i = 0; i < 12; ++i) CHECK_NEAR(sooth_svr_predict(m, x + i), y[i], 1e-5);
    sooth_svr_free(&env, m);
}

static void few_vectors_keep_what_matters(void) {
    sooth_table table, test;
    sooth_svr_options o;
    sooth_svr_report r;
    sooth_svr *m;
    sooth_env env;
    float p[500];
    double full, level = 0.0, last = 1e30;
    uint32_t most;
    make_friedman(&table, 500, 5, 1, 0.0);
    make_friedman(&test, 500, 5, 2, 0.0);
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.C = 10;
    o.gamma = 0.5;
    CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL), SOOTH_OK);
    sooth_svr_predict_many(m, test.x, 500, 5, p);
    full = r2_of(test.y, p, 500);
    sooth_svr_predict_many(m, table.x, 500, 5, p);
    for (most = 0; most < 500; ++most) level += (double)p[most] / 500.0;
    CHECK(m->vectors > 200);
    sooth_svr_free(&env, m);
    for (most = 20; most <= 160; most *= 2) {
        double sum = 0.0;
        size_t i;
        o.max_vectors = most;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL), SOOTH_OK);
        if (!m) break;
        CHECK(m->vectors <= most && sooth_svr_check(m, m->head.size) &&
              m->head.size <= sooth_svr_size(most, 5));
        CHECK(r.reduced_rms < last && r.reduced_rms <= r.reduced_max);
        last = r.reduced_rms;
        sooth_svr_predict_many(m, table.x, 500, 5, p);
        for (i = 0; i < 500; ++i) sum += (double)p[i];
        CHECK_NEAR(sum / 500.0, level, 1e-4);
        sooth_svr_predict_many(m, test.x, 500, 5, p);
        if (most == 160) CHECK(r2_of(test.y, p, 500) > full - 0.01);
        sooth_svr_free(&env, m);
    }
    CHECK(last < 0.2);
    free_friedman(&table);
    free_friedman(&test);
}

/* ---- files ---- */

typedef struct text_buffer {
    char text[200000];
    size_t size;
} text_buffer;
static text_buffer first_text, second_text;

static int keep(void *user, const char *text, size_t size) {
    text_buffer *to = (text_buffer *)user;
    if (to->size + size > sizeof to->text) return 1;
    memcpy(to->text + to->size, text, size);
    to->size += size;
    return 0;
}

static void put(const sooth_svr *m, text_buffer *to) {
    sooth_sink sink;
    sooth_env env;
    sooth_env_init(&env);
    sink.user = to;
    sink.write_fn = keep;
    sink.failed = 0;
    to->size = 0;
    CHECK_STATUS(sooth_libsvm_write(&env, m, &sink), SOOTH_OK);
    CHECK(!sink.failed);
}

static void reads_libsvm_files(void) {
    sooth_env env;
    size_t f, i;
    sooth_env_init(&env);
    for (f = 0; f < GOLDEN_FILES; ++f) {
        sooth_svr *m;
        CHECK_STATUS(sooth_libsvm_read(&env, golden_file[f], strlen(golden_file[f]), GOLDEN_COLS, &m),
                     SOOTH_OK);
        if (!m) continue;
        CHECK(sooth_svr_check(m, m->head.size));
        for (i = 0; i < GOLDEN_TESTS; ++i) /* svm-predict prints six digits */
            CHECK_NEAR(sooth_svr_predict(m, golden_test + i * GOLDEN_COLS),
                       golden_file_answer[f * GOLDEN_TESTS + i], 2e-5);
        sooth_svr_free(&env, m);
    }
}

/* What is written reads back to the same bytes, of every kernel and method. */
static void files_keep_every_bit(void) {
    sooth_env env;
    size_t c, i;
    sooth_env_init(&env);
    for (c = 0; c < GOLDEN_CASES; ++c) {
        sooth_table table = golden_table();
        sooth_svr_options o = golden_options(&golden_case[c]);
        sooth_svr *m, *back;
        CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
        if (!m) continue;
        put(m, &first_text);
        CHECK_STATUS(sooth_libsvm_read(&env, first_text.text, first_text.size, 0, &back), SOOTH_OK);
        if (back) {
            for (i = 0; i < GOLDEN_TESTS; ++i) {
                float a = sooth_svr_predict(m, golden_test + i * GOLDEN_COLS),
                      b = sooth_svr_predict(back, golden_test + i * GOLDEN_COLS);
                CHECK(memcmp(&a, &b, sizeof a) == 0);
            }
            put(back, &second_text);
            CHECK(first_text.size == second_text.size &&
                  memcmp(first_text.text, second_text.text, first_text.size) == 0);
        }
        sooth_svr_free(&env, back);
        sooth_svr_free(&env, m);
    }
}

static void refuses_bad_files(void) {
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "line 0: the text ends before the line SV"},
        {"svm_type c_svc\n", "line 1: svm_type must be epsilon_svr or nu_svr"},
        {"svm_type nu_svr\nkernel_type precomputed\n",
         "line 2: kernel_type must be one of linear, polynomial, rbf, sigmoid"},
        {"svm_type nu_svr\nSV\n", "line 2: svm_type, kernel_type, total_sv and rho must stand before SV"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho nan\n", "line 4: rho must be a number"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 2\nrho 0\nSV\n1 1:1\n",
         "line 6: there are fewer vectors than total_sv says"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\n1 1:1\n2 1:1\n",
         "line 7: there are more vectors than total_sv says"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\n1 2:1 2:1\n",
         "line 6: a vector's columns must rise"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\n1 0:1\n",
         "line 6: a vector's numbers must be like 3:0.5"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\n1 99999999999:1\n",
         "line 6: a vector's numbers must be like 3:0.5"},
        {"svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\nx\n",
         "line 6: a vector begins with its coefficient"},
        {"svm_type nu_svr\nnonsense 3\n", "line 2: this is no word of a LIBSVM regression model"},
        {"svm_type nu_svr\nkernel_type rbf\ngamma x\n", "line 3: gamma must be a number"},
        {"svm_type nu_svr\ndegree 2.5\n", "line 2: degree must be a whole number from 0 to 64"}};
    sooth_env env;
    sooth_svr *m;
    size_t i;
    sooth_env_init(&env);
    for (i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK_FAILS(&env, sooth_libsvm_read(&env, bad[i].text, strlen(bad[i].text), 0, &m), SOOTH_BAD_TEXT,
                    bad[i].words);
        CHECK(!m);
    }
    CHECK_FAILS(&env, sooth_libsvm_read(&env, golden_file[0], strlen(golden_file[0]), 1, &m), SOOTH_BAD_TEXT,
                "but the vectors have 3 columns");
    CHECK_EVERY_ALLOCATION(&env, sooth_libsvm_read(&env, golden_file[2], strlen(golden_file[2]), 0, &m),
                           sooth_svr_free(&env, m));
}

/* ---- bad input, small input ---- */

/* Kernels and answers that a float cannot hold are refused, and the column is named. */
static void numbers_too_large_are_named(void) {
    static const char *const words = "column 2 reaches 1e30, so kernels or predictions reach";
    static const char *const files[] = {
        "svm_type epsilon_svr\nkernel_type rbf\ngamma 1e-40\nnr_class 2\ntotal_sv 2\nrho 0\nSV\n"
        "1 1:1e20 2:3\n-1 1:2e20 2:4\n",
        "svm_type epsilon_svr\nkernel_type polynomial\ndegree 5\ngamma 1\ncoef0 1\nnr_class 2\ntotal_sv 1\n"
        "rho 0\nSV\n1 1:1e5 2:3\n"};
    float x[30 * 3] = {0}, y[30] = {0};
    sooth_table table = sooth_table_of(x, y, 30, 3);
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    sooth_rng rng;
    uint32_t i;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 9, 44);
    for (i = 0; i < 90; ++i) x[i] = 10.0f * sooth_rng_float(&rng);
    for (i = 0; i < 30; ++i) y[i] = 1.0f + 2.0f * x[3 * i];
    x[4] = 1e30f;
    for (i = 0; i < 4; ++i) {
        memset(&o, 0, sizeof o);
        o.kernel = i;
        CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA, words);
        CHECK(m == NULL);
    }
    x[4] = 1e6f; /* a polynomial of degree 7 of it is beyond, one of degree 2 is not */
    memset(&o, 0, sizeof o);
    o.kernel = SOOTH_SVR_POLYNOMIAL;
    o.gamma = 1.0;
    o.degree = 7;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA, "column 2 reaches 1000000");
    o.kernel = SOOTH_SVR_RBF;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    for (i = 0; i < 30; ++i) CHECK(isfinite(sooth_svr_predict(m, x + 3 * i)));
    sooth_svr_free(&env, m);
    for (i = 0; i < 2; ++i)
        CHECK_FAILS(&env, sooth_libsvm_read(&env, files[i], strlen(files[i]), 0, &m), SOOTH_BAD_DATA,
                    "a vector reaches");
}

/* svm-predict, which adds doubles, answers 2 at the vector of the second file; floats have no 1e9 + 2. The
   vector of the last is 2 from the float beside it, where the kernel is e^-4. */
static void refuses_libsvm_files_that_floats_answer_otherwise(void) {
    static const char *const head = "svm_type epsilon_svr\nkernel_type rbf\ngamma 1\nnr_class 2\n";
    static const struct {
        const char *vectors, *words;
    } files[] = {
        {"total_sv 2\nrho -2\nSV\n1e9 1:1\n-1e9 1:1\n", ""},
        {"total_sv 1\nrho 1e9\nSV\n1000000002 1:1\n", "the prediction for vector 1 is 2, but 0 in floats"},
        {"total_sv 1\nrho 0\nSV\n1 1:1e8\n", ""},
        {"total_sv 1\nrho 0\nSV\n1 1:100000002\n", "rounding to floats moves a vector by 2"}};
    char text[256];
    sooth_env env;
    sooth_svr *m;
    size_t i;
    sooth_env_init(&env);
    for (i = 0; i < 4; ++i) {
        const size_t n = (size_t)snprintf(text, sizeof text, "%s%s", head, files[i].vectors);
        if (*files[i].words) {
            CHECK_FAILS(&env, sooth_libsvm_read(&env, text, n, 0, &m), SOOTH_BAD_DATA, files[i].words);
            CHECK(m == NULL);
        } else {
            CHECK_STATUS(sooth_libsvm_read(&env, text, n, 0, &m), SOOTH_OK);
            sooth_svr_free(&env, m);
        }
    }
}

static void says_what_is_wrong(void) {
    sooth_table table = golden_table();
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    float x[2] = {1, NAN};
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.C = -1;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                "C is -1, but must be between");
    CHECK_FAILS(&env, sooth_option_set(&env, sooth_svr_options_list(), &o, "kernel", "round"),
                SOOTH_BAD_ARGUMENT, "kernel is round");
    o.C = 0;
    o.epsilon = -0.5;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                "epsilon is -0.5, but must be between");
    o.epsilon = 0;
    o.nu = 1.5;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                "nu is 1.5, but must be between");
    o.nu = 0;
    o.kernel = SOOTH_SVR_CALLBACK;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT, "kernel_fn is NULL");
    o.kernel = 0;
    table.targets = 0;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA, "no targets");
    table.targets = 2;
    table.rows = 20;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA,
                "2 targets, but support vector regression learns one");
    table = sooth_table_of(x, golden_y, 2, 1);
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA, "row 2 has a missing value");
    table.rows = 0;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_DATA, "empty");
    CHECK(!m);
}

static void small_tables(void) {
    static const float constant[12] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, other[1] = {7};
    uint32_t kernel, method;
    sooth_svr_options o;
    sooth_table table;
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    for (method = 0; method < 2; ++method)
        for (kernel = 0; kernel < 4; ++kernel) {
            memset(&o, 0, sizeof o);
            o.kernel = kernel;
            o.method = method;
            table = sooth_table_of(constant, golden_y, 1, 1); /* one row: its target, everywhere */
            CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
            CHECK(sooth_svr_check(m, m->head.size));
            CHECK_NEAR(sooth_svr_predict(m, other), golden_y[0], 1e-6);
            sooth_svr_free(&env, m);
            table = sooth_table_of(constant, golden_y, 12, 1); /* a constant within the targets */
            o.C = 1e6;
            CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
            CHECK(m && sooth_svr_predict(m, constant) > -20.0f && sooth_svr_predict(m, constant) < 20.0f);
            sooth_svr_free(&env, m);
        }
}

static void warns_of_columns(void) {
    static const char *const names[] = {"bytes", "threads"};
    char warning[SOOTH_ENV_SENTENCE];
    sooth_svr_options o;
    sooth_table table;
    sooth_env env;
    sooth_svr *m;
    float x[400], y[200];
    size_t i;
    sooth_env_init(&env);
    for (i = 0; i < 200; ++i) {
        x[2 * i] = (float)(i * i) * 1000.0f;
        x[2 * i + 1] = (float)(i % 7) / 7.0f;
        y[i] = x[2 * i + 1];
    }
    table = sooth_table_of(x, y, 200, 2);
    table.names = names;
    memset(&o, 0, sizeof o);
    o.gamma = 0.5;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_warning(m, &table, warning, sizeof warning);
    CHECK(strstr(warning, "bytes alone makes the RBF kernel 0"));
    sooth_svr_free(&env, m);
    for (i = 0; i < 200; ++i) x[2 * i] = (float)exp(-(double)i / 4.0); /* within 0..1, but nearly all at 0 */
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_warning(m, &table, warning, sizeof warning);
    CHECK(strstr(warning, "of bytes lie within a 256th of its range"));
    sooth_svr_free(&env, m);
    for (i = 0; i < 200; ++i) x[2 * i] = (float)i / 200.0f;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_warning(m, &table, warning, sizeof warning);
    CHECK(!warning[0]);
    sooth_svr_free(&env, m);
    o.epsilon = 2; /* all targets lie within 2 deviations */
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_warning(m, &table, warning, sizeof warning);
    CHECK(strstr(warning, "cost nothing, and the targets' standard deviation is only 0.28"));
    CHECK(m && m->vectors == 0);
    sooth_svr_free(&env, m);
    for (i = 0; i < 400; ++i) x[i] = 3.0f;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    sooth_svr_warning(m, &table, warning, sizeof warning);
    CHECK(strstr(warning, "all columns are constant"));
    sooth_svr_free(&env, m);
}

static void memory_is_accounted_for(void) {
    sooth_table table = golden_table();
    sooth_svr_options o;
    sooth_arena arena;
    sooth_env env;
    sooth_svr *m;
    unsigned char *memory;
    size_t size;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.max_vectors = 10;
    o.C = 10;
    CHECK_EVERY_ALLOCATION(&env, sooth_svr_fit(&env, &table, &o, &m), sooth_svr_free(&env, m));
    size = sooth_svr_scratch_size(&o, GOLDEN_ROWS, GOLDEN_COLS) + sooth_svr_size(10, GOLDEN_COLS) + 64;
    memory = (unsigned char *)malloc(size);
    if (!memory) return;
    sooth_arena_init(&env, &arena, memory, size);
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    free(memory);
}

/* Every byte that is flipped is noticed; a block that lies about its numbers is refused. */
static void check_refuses(void) {
    sooth_table table = golden_table();
    sooth_env env;
    sooth_svr *m;
    unsigned char *copy;
    size_t i;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_svr_fit(&env, &table, NULL, &m), SOOTH_OK);
    if (!m) return;
    copy = (unsigned char *)malloc(m->head.size);
    if (!copy) return;
    for (i = 0; i < m->head.size; ++i) {
        memcpy(copy, m, m->head.size);
        copy[i] ^= 4;
        CHECK(!sooth_svr_check(copy, m->head.size));
    }
    for (i = 32; i < sizeof *m; i += 4) {
        uint32_t v = UINT32_MAX / 3;
        sooth_svr *lie = (sooth_svr *)(void *)copy;
        if (i == 52 || i >= 56) continue; /* iterations and floats */
        memcpy(copy, m, m->head.size);
        memcpy(copy + i, &v, 4);
        soothi_block_seal(&lie->head);
        CHECK(!sooth_svr_check(copy, m->head.size));
    }
    CHECK(!sooth_svr_check(m, m->head.size - 16));
    free(copy);
    sooth_svr_free(&env, m);
}

/* One change to a sound file each: its line and what is wrong with it. */
static void refuses_each_changed_line(void) {
    static const char *const sound[] = {"svm_type nu_svr\n", "kernel_type rbf\n", "total_sv 1\n", "rho 0\n"};
    static const char *const key[][2] = {
        {"degree -1", "degree must be a whole number from 0 to 64"},
        {"degree 65", "degree must be a whole number from 0 to 64"},
        {"total_sv -1", "total_sv must be a whole number"},
        {"total_sv 1.5", "total_sv must be a whole number"},
        {"total_sv 268435457", "total_sv must be a whole number"},
        {"gamma", "gamma must be a number"},
        {"gamma 2e30", "gamma must be a number"},
        {"coef0 -2e30", "coef0 must be a number"},
        {"rho 1x", "rho must be a number"},
        {"rho 2e38", "rho must be a number"},
        {"svm_type", "svm_type must be epsilon_svr or nu_svr"},
        {"kernel_type rbff", "kernel_type must be one of linear, polynomial, rbf, sigmoid"},
        {"nr_classes 2", "this is no word of a LIBSVM regression model"}};
    static const char *const vector[] = {
        "1 5", "1 :5", "1 5;1", "1 5/1", "1 5:", "1 5:z", "1 5:1x", "1 5:4e38", "1 -5:1", "1 65537:1"};
    sooth_env env;
    sooth_svr *m;
    char text[400], words[160];
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof key / sizeof *key; ++i) {
        const int n = snprintf(text, sizeof text, "svm_type nu_svr\n%s\n", key[i][0]);
        snprintf(words, sizeof words, "line 2: %s", key[i][1]);
        CHECK_FAILS(&env, sooth_libsvm_read(&env, text, (size_t)n, 0, &m), SOOTH_BAD_TEXT, words);
    }
    for (size_t i = 0; i < sizeof vector / sizeof *vector; ++i) {
        const int n = snprintf(text, sizeof text,
                               "svm_type nu_svr\nkernel_type rbf\ntotal_sv 1\nrho 0\nSV\n%s\n", vector[i]);
        CHECK_FAILS(&env, sooth_libsvm_read(&env, text, (size_t)n, 0, &m), SOOTH_BAD_TEXT,
                    "line 6: a vector's numbers must be like 3:0.5, columns counted from 1 to at most 65536");
    }
    for (size_t left_out = 0; left_out < 4; ++left_out) {
        text[0] = 0;
        for (size_t i = 0; i < 4; ++i)
            if (i != left_out) strcat(text, sound[i]);
        strcat(text, "SV\n1 1:1\n");
        CHECK_FAILS(&env, sooth_libsvm_read(&env, text, strlen(text), 0, &m), SOOTH_BAD_TEXT,
                    "line 4: svm_type, kernel_type, total_sv and rho must stand before SV");
    }
    CHECK_FAILS(&env, sooth_libsvm_read(&env, text, strlen(text), 65537, &m), SOOTH_BAD_ARGUMENT,
                "features is 65537, but must be at most 65536");
    CHECK(m == NULL);
}

/* Tabs, carriage returns, empty lines, keys of no use here, and no line feed at the end: exp(-0.5 (2 - x)^2)
   - 0.25 all the same. Vectors without a column have one. */
static void reads_loose_files(void) {
    static const char text[] = "svm_type\tepsilon_svr\r\n\r\nkernel_type  rbf\nnr_class 2\nprobA 0.1\n"
                               "prob_density_marks 1 2\ngamma 0.5\ntotal_sv 1\n\nrho 0.25 \nSV\r\n 1\t1:2\t";
    static const char bare[] = "svm_type epsilon_svr\nkernel_type rbf\ngamma 0.5\ntotal_sv 1\nrho 0\nSV\n3\n";
    const float row[1] = {0.5f};
    sooth_env env;
    sooth_sink sink;
    sooth_svr *m;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_libsvm_read(&env, text, sizeof text - 1, 0, &m), SOOTH_OK);
    if (!m) return;
    CHECK(m->head.features == 1 && m->vectors == 1 && sooth_svr_check(m, m->head.size));
    CHECK_NEAR(sooth_svr_predict(m, row), exp(-0.5 * 1.5 * 1.5) - 0.25, 1e-6);
    m->kernel = SOOTH_SVR_CALLBACK;
    memset(&sink, 0, sizeof sink);
    CHECK_FAILS(&env, sooth_libsvm_write(&env, m, &sink), SOOTH_BAD_ARGUMENT,
                "LIBSVM files cannot represent a kernel that is a callback");
    sooth_svr_free(&env, m);
    CHECK_STATUS(sooth_libsvm_read(&env, bare, sizeof bare - 1, 0, &m), SOOTH_OK);
    if (!m) return;
    CHECK(m->head.features == 1);
    CHECK_NEAR(sooth_svr_predict(m, row), 3 * exp(-0.5 * 0.25), 1e-6);
    sooth_svr_free(&env, m);
}

static void lies_of_support_vectors(void) {
    static const lies_word lies[] = {{offsetof(sooth_block, features), 0},
                                     {offsetof(sooth_block, features), 1},
                                     {offsetof(sooth_block, features), SOOTH_SVR_MAX_FEATURES + 1u},
                                     {offsetof(sooth_block, targets), 0},
                                     {offsetof(sooth_block, targets), 2},
                                     {offsetof(sooth_svr, kernel), SOOTH_SVR_KERNELS},
                                     {offsetof(sooth_svr, method), 2},
                                     {offsetof(sooth_svr, degree), 65},
                                     {offsetof(sooth_svr, vectors), 0x10000001u},
                                     {offsetof(sooth_svr, vectors), 1000},
                                     {offsetof(sooth_svr, groups), 0}};
    sooth_table table = golden_table();
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_svr_fit(&env, &table, NULL, &m), SOOTH_OK);
    if (!m) return;
    CHECK(m->vectors > 1 && m->head.features > 1);
    lies_are_refused(sooth_svr_check, &m->head, lies, sizeof lies / sizeof *lies);
    lies_about_size_are_refused(sooth_svr_check, &m->head);
    sooth_svr_free(&env, m);
}

static void the_rest_of_what_vectors_refuse(void) {
    static float wide[65537];
    static const float y[1] = {1};
    sooth_table table = sooth_table_of(wide, y, 1, 65537);
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, NULL, &m), SOOTH_BAD_DATA,
                "the table has 65537 columns, but must have at most 65536");
    CHECK(m == NULL);
    CHECK(sooth_svr_size(0x10000001u, 1) == SIZE_MAX && sooth_svr_size(1, 65537) == SIZE_MAX);
    CHECK(sooth_svr_size(0x10000u, 65536) == SIZE_MAX);
    /* 64 bytes, 16 coefficients and vectors of 2 columns, 4 + 3 doubles rounded to 16 bytes */
    CHECK(sooth_svr_size(3, 2) == 80 + 4 * 16 * 3 + 64);
    sooth_svr_free(&env, NULL);
}

/* ---- limits, warnings, other beginnings ---- */

/* 10,000 steps a row, but from 1 to 10 million, or 100 a row where that is more, as far as 32 bits go. */
static void steps_by_rows(void) {
    static const struct {
        size_t rows;
        uint32_t steps;
    } with[] = {{1, 1000000},           {99, 1000000},         {101, 1010000},     {1000, 10000000},
                {1001, 10000000},       {100000, 10000000},    {100001, 10000100}, {40000000, 4000000000u},
                {40000001, UINT32_MAX}, {SIZE_MAX, UINT32_MAX}};
    for (size_t i = 0; i < sizeof with / sizeof *with; ++i)
        CHECK(soothi_svr_most_steps(with[i].rows) == with[i].steps);
}

/* The cache ends at 200 MiB, a reduction takes rows (max_vectors + 3) doubles on top, and what no memory
   holds is said to be SIZE_MAX. */
static void work_is_stated_before(void) {
    static const struct {
        size_t rows, cols;
        uint32_t max_vectors;
        double cache_size;
    } beyond[] = {{1000, SIZE_MAX / 64, 0, 0},
                  {SIZE_MAX / 1024, 1, (uint32_t)(SIZE_MAX / 1024 - 1), 0},
                  {SIZE_MAX / 1024, 1, 0, 1e300}};
    const double mib = 1048576.0, most = (double)sooth_svr_scratch_size(NULL, 100001, 1);
    sooth_svr_options o;
    size_t plain;
    memset(&o, 0, sizeof o);
    CHECK(most > 199 * mib && most < 200 * mib + 100.0 * 100001);
    plain = sooth_svr_scratch_size(&o, 500, 3);
    o.max_vectors = 500;
    CHECK(sooth_svr_scratch_size(&o, 500, 3) == plain);
    o.max_vectors = 20;
    CHECK(sooth_svr_scratch_size(&o, 500, 3) == plain + 500 * 23 * sizeof(double));
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
        o.max_vectors = beyond[i].max_vectors;
        o.cache_size = beyond[i].cache_size;
        CHECK(sooth_svr_scratch_size(&o, beyond[i].rows, beyond[i].cols) == SIZE_MAX);
    }
}

/* 8192 vectors of 65536 columns are 2 GiB, which no block holds. */
static void a_model_beyond_a_block_is_no_memory(void) {
    static char text[2 * 8192 + 200];
    sooth_env env;
    sooth_svr *m;
    size_t n =
        (size_t)snprintf(text, sizeof text, "svm_type nu_svr\nkernel_type rbf\ntotal_sv 8192\nrho 0\nSV\n");
    sooth_env_init(&env);
    for (size_t i = 0; i < 8192; ++i, n += 2) memcpy(text + n, "1\n", 2);
    CHECK_FAILS(&env, sooth_libsvm_read(&env, text, n, 65536, &m), SOOTH_NO_MEMORY, "a support vector model");
    CHECK(m == NULL);
}

/* f(x) = 2 tanh(10 x) + 3 tanh(-5 x) - 0.5, also where tanh is 1 to the last digit. */
static void sigmoids_by_hand(void) {
    static const char text[] = "svm_type epsilon_svr\nkernel_type sigmoid\ngamma 1\ncoef0 0\nnr_class 2\n"
                               "total_sv 2\nrho 0.5\nSV\n2 1:10\n3 1:-5\n";
    static const float rows[] = {0, 0.1f, -0.05f, 10, -5, 1e6f};
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_libsvm_read(&env, text, sizeof text - 1, 0, &m), SOOTH_OK);
    for (size_t i = 0; m && i < sizeof rows / sizeof *rows; ++i) {
        const double x = (double)rows[i];
        CHECK_NEAR(sooth_svr_predict(m, rows + i), 2 * tanh(10 * x) + 3 * tanh(-5 * x) - 0.5, 1e-6);
    }
    sooth_svr_free(&env, m);
}

/* The host's kernel is asked for no row beyond the last, and its models are reduced as well. */
static void own_kernels_of_few_rows(void) {
    sooth_table table;
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *own, *same;
    float gamma_value = 0.5f, buffer[5];
    make_friedman(&table, 37, 5, 11, 0.0);
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.C = 10;
    o.gamma = 0.5;
    o.tolerance = 1e-5;
    for (o.max_vectors = 0; o.max_vectors < 9; o.max_vectors += 8) {
        o.kernel = SOOTH_SVR_RBF;
        CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &same), SOOTH_OK);
        o.kernel = SOOTH_SVR_CALLBACK;
        o.kernel_fn = own_rbf;
        o.kernel_user = &gamma_value;
        CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &own), SOOTH_OK);
        if (!own || !same) return;
        CHECK(own->vectors == same->vectors && (o.max_vectors == 0 || own->vectors == 8));
        for (size_t i = 0; i < 37; ++i)
            CHECK_NEAR(sooth_svr_predict_with(own, table.x + 5 * i, own_rbf, &gamma_value, buffer),
                       sooth_svr_predict(same, table.x + 5 * i), 2e-3);
        sooth_svr_free(&env, own);
        sooth_svr_free(&env, same);
    }
    free_friedman(&table);
}

/* A line through more than a thousand rows; and cancelled on the way, nothing. */
static void more_rows_than_steps_between_looks(void) {
    static float x[1100], y[1100];
    sooth_table table = sooth_table_of(x, y, 1100, 1);
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    for (size_t i = 0; i < 1100; ++i) {
        x[i] = (float)i / 1100.0f;
        y[i] = 3.0f * x[i] - 1.0f;
    }
    memset(&o, 0, sizeof o);
    o.kernel = SOOTH_SVR_LINEAR;
    o.epsilon = 0.01;
    o.C = 100;
    CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
    for (size_t i = 0; m && i < 1100; ++i) CHECK_NEAR(sooth_svr_predict(m, x + i), y[i], 0.0115);
    sooth_svr_free(&env, m);
    for (size_t i = 0; i < 1100; ++i) y[i] = sinf(40.0f * x[i]);
    o.kernel = SOOTH_SVR_RBF;
    o.gamma = 100;
    o.max_iter = 1500;
    env.progress_fn = check_stop_at_half;
    CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_CANCELLED,
                "training a support vector machine was cancelled");
    CHECK(m == NULL);
    CHECK_FAILS(&env, sooth_svr_fit(&env, NULL, &o, &m), SOOTH_BAD_DATA, "table");
    CHECK(m == NULL);
}

/* Where there is nothing to warn of, nor room for it. Column 1 has nearly all values at 0, column 2 is
   constant; b: what the fit learns from. */
static void warnings_that_are_not_due(void) {
    static const struct {
        const char *name;
        size_t rows, room;
        double gamma, epsilon;
        uint32_t kernel;
        int constant_target;
        const char *words;
    } with[] = {{"crowded", 200, 400, 0.5, 0.01, SOOTH_SVR_RBF, 0, "of column 1 lie within a 256th"},
                {"no room", 200, 0, 0.5, 0.01, SOOTH_SVR_RBF, 0, "x"},
                {"tells them apart", 200, 400, 300, 0.01, SOOTH_SVR_RBF, 0, ""},
                {"another kernel", 200, 400, 0.5, 0.01, SOOTH_SVR_LINEAR, 0, ""},
                {"few rows", 15, 400, 0.5, 0.01, SOOTH_SVR_RBF, 0, ""},
                {"one row", 1, 400, 0.5, 0.01, SOOTH_SVR_RBF, 0, ""},
                {"wide tube", 15, 400, 0.5, 1, SOOTH_SVR_RBF, 0, "errors up to 0.28762 cost nothing"},
                {"constant target", 15, 400, 0.5, 1, SOOTH_SVR_RBF, 1, ""}};
    float x[400], y[200];
    sooth_env env;
    sooth_env_init(&env);
    for (size_t k = 0; k < sizeof with / sizeof *with; ++k) {
        sooth_table table = sooth_table_of(x, y, with[k].rows, 2);
        char warning[400] = "x";
        sooth_svr_options o;
        sooth_svr *m;
        for (size_t i = 0; i < 200; ++i) {
            x[2 * i] = (float)exp(-(double)i / 4.0);
            x[2 * i + 1] = 3.0f;
            y[i] = with[k].constant_target ? 2.0f : x[2 * i];
        }
        memset(&o, 0, sizeof o);
        o.gamma = with[k].gamma;
        o.epsilon = with[k].epsilon;
        o.kernel = with[k].kernel;
        CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
        if (!m) return;
        sooth_svr_warning(m, &table, warning, with[k].room);
        if (*with[k].words ? !strstr(warning, with[k].words) : *warning) {
            printf("  %s: \"%s\"\n", with[k].name, warning);
            ++check_failures;
        }
        sooth_svr_free(&env, m);
    }
}

/* The solution does not depend on where training begins: from one of a larger C, which is made smaller; nor,
   for nu, from one of a larger nu. What stands beside rows of weight 0 is not looked at. */
static void begins_where_it_is_told(void) {
    enum { ROWS = 60 };
    double beta[ROWS], again[ROWS], weight_sum, deviation;
    float weight[ROWS];
    sooth_table table;
    sooth_env env;
    make_friedman(&table, ROWS, 5, 12, 0.0);
    for (size_t i = 0; i < ROWS; ++i) weight[i] = i % 7 == 3 ? 0.0f : 1.0f;
    table.weight = weight;
    deviation = sqrt(soothi_svr_variance(&table, table.y, 1)) * (1.0 + 1e-15);
    sooth_env_init(&env);
    for (uint32_t form = 0; form < 4; ++form) {
        const uint32_t method = form & 1u;
        sooth_svr_options o;
        sooth_svr_report far, near, r;
        sooth_svr *m;
        memset(&o, 0, sizeof o);
        o.method = method;
        o.no_target_scale = form >> 1;
        o.tolerance = 1e-6;
        o.nu = 0.8;
        o.C = 20;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &far, beta), SOOTH_OK);
        sooth_svr_free(&env, m);
        o.warm_start = beta;
        for (size_t i = 0; i < ROWS; ++i)
            if (i % 7 == 3) beta[i] = 1e9;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &near, again), SOOTH_OK);
        CHECK(near.iterations <= far.iterations / 4);
        CHECK_CLOSE(near.objective, far.objective, 1e-6);
        sooth_svr_free(&env, m);
        if (method == SOOTH_SVR_EPSILON) o.C = 1;
        else o.nu = 0.2;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &near, again), SOOTH_OK);
        sooth_svr_free(&env, m);
        o.warm_start = NULL;
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL), SOOTH_OK);
        CHECK_CLOSE(near.objective, r.objective, 1e-6);
        weight_sum = 0.0;
        for (size_t i = 0; i < ROWS; ++i) {
            CHECK(fabs(again[i]) <= o.C * (double)weight[i] * (form & 2u ? 1.0 : deviation));
            weight_sum += again[i];
        }
        CHECK_NEAR(weight_sum, 0.0, 1e-9);
        sooth_svr_free(&env, m);
    }
    free_friedman(&table);
}

/* 187 (3 / 187) is more than 3 in doubles: a beginning made smaller still stays within its cap. */
static void a_beginning_never_passes_its_cap(void) {
    static const float x[2] = {0, 1}, y[2] = {-1e6f, 1e6f};
    static const double start[2][2] = {{-187, 187}, {187, -187}};
    const sooth_table table = sooth_table_of(x, y, 2, 1);
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    double beta[2];
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.C = 3;
    o.no_target_scale = 1;
    CHECK(187.0 * (o.C / 187.0) > o.C);
    for (size_t k = 0; k < 2; ++k) {
        o.warm_start = start[k];
        CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &m, NULL, beta), SOOTH_OK);
        CHECK_NEAR(beta[0], -3.0, 0.0);
        CHECK_NEAR(beta[1], 3.0, 0.0);
        sooth_svr_free(&env, m);
    }
}

/* Wherever nu-SVR is stopped it says how far it came, in finite numbers. After 48 to 57 steps, the positions
   that are not shrunk have no alpha* that could fall. */
static void stops_anywhere_in_finite_numbers(void) {
    enum { ROWS = 48, COLS = 3, MOST = 64 };
    float x[ROWS * COLS] = {0}, y[ROWS] = {0};
    const sooth_table table = sooth_table_of(x, y, ROWS, COLS);
    sooth_svr_options o;
    sooth_svr_report r;
    sooth_env env;
    sooth_rng rng;
    sooth_svr *m;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 902, 3);
    (void)sooth_rng_below(&rng, 40);
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = sooth_rng_float(&rng);
    for (size_t i = 0; i < ROWS; ++i) y[i] = sooth_rng_float(&rng);
    memset(&o, 0, sizeof o);
    o.method = SOOTH_SVR_NU;
    o.gamma = 1;
    o.C = 1;
    o.no_target_scale = 1;
    for (o.max_iter = 1; o.max_iter <= MOST; ++o.max_iter) {
        const sooth_status status = sooth_svr_fit_report(&env, &table, &o, &m, &r, NULL);
        CHECK(status == SOOTH_NOT_CONVERGED || (status == SOOTH_OK && r.iterations <= o.max_iter));
        CHECK(m && fabs(r.epsilon) < 10.0 && fabs(r.gap) < 1000.0);
        CHECK(m && fabsf(m->offset) < 10.0f && r.converged == (r.violation <= 1e-3));
        sooth_svr_free(&env, m);
        if (check_failures) printf("  (%u steps: %s)\n", o.max_iter, sooth_status_name(status));
        if (check_failures) return;
    }
    CHECK(r.converged);
}

/* x^2 / 4 as a kernel, but beyond 10 what the host says */
static float odd_kernel(void *user, const float *a, const float *b, size_t n) {
    (void)n;
    return a[0] > 10.0f || b[0] > 10.0f ? *(const float *)user : 0.25f * a[0] * b[0];
}

static void own_kernels_must_be_finite(void) {
    static const float x[5] = {1, 2, 11, 3, 4}, y[5] = {1, 3, 2, 5, 4};
    static float says[3] = {NAN, INFINITY, 7};
    sooth_table table = sooth_table_of(x, y, 5, 1);
    sooth_svr_options o;
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    o.kernel = SOOTH_SVR_CALLBACK;
    o.kernel_fn = odd_kernel;
    for (size_t i = 0; i < 3; ++i) {
        o.kernel_user = says + i;
        if (i == 2) {
            CHECK_STATUS(sooth_svr_fit(&env, &table, &o, &m), SOOTH_OK);
        } else {
            CHECK_FAILS(&env, sooth_svr_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                        i ? "kernel_fn returns inf for row 3 and itself, but must return finite numbers"
                          : "kernel_fn returns nan for row 3 and itself, but must return finite numbers");
            CHECK(m == NULL);
        }
    }
    sooth_svr_free(&env, m);
}

int main(void) {
    CHECK_RUN(equals_libsvm);
    CHECK_RUN(same_whatever_the_cache);
    CHECK_RUN(predicts_what_it_says);
    CHECK_RUN(exponential_is_exact_enough);
    CHECK_RUN(stops_and_resumes);
    CHECK_RUN(units_do_not_matter);
    CHECK_RUN(equals_a_pipeline_of_scikit_learn);
    CHECK_RUN(nu_means_what_it_says);
    CHECK_RUN(weights_repeat_rows);
    CHECK_RUN(rows_of_weight_zero_do_not_exist);
    CHECK_RUN(an_epsilon_of_zero_can_be_asked_for);
    CHECK_RUN(few_vectors_keep_what_matters);
    CHECK_RUN(reads_libsvm_files);
    CHECK_RUN(refuses_libsvm_files_that_floats_answer_otherwise);
    CHECK_RUN(files_keep_every_bit);
    CHECK_RUN(refuses_bad_files);
    CHECK_RUN(numbers_too_large_are_named);
    CHECK_RUN(says_what_is_wrong);
    CHECK_RUN(small_tables);
    CHECK_RUN(warns_of_columns);
    CHECK_RUN(memory_is_accounted_for);
    CHECK_RUN(check_refuses);
    CHECK_RUN(refuses_each_changed_line);
    CHECK_RUN(reads_loose_files);
    CHECK_RUN(lies_of_support_vectors);
    CHECK_RUN(the_rest_of_what_vectors_refuse);
    CHECK_RUN(steps_by_rows);
    CHECK_RUN(work_is_stated_before);
    CHECK_RUN(a_model_beyond_a_block_is_no_memory);
    CHECK_RUN(sigmoids_by_hand);
    CHECK_RUN(own_kernels_of_few_rows);
    CHECK_RUN(more_rows_than_steps_between_looks);
    CHECK_RUN(warnings_that_are_not_due);
    CHECK_RUN(begins_where_it_is_told);
    CHECK_RUN(a_beginning_never_passes_its_cap);
    CHECK_RUN(stops_anywhere_in_finite_numbers);
    CHECK_RUN(own_kernels_must_be_finite);
    return check_end("svr");
}
