/* test_products.c - products of columns in linear models, beside scikit-learn's RidgeCV and laws.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/linear.h"
#include "check.h"
#include "golden/products.h"

static sooth_env env;
static const sooth_linear_options with_products = {.products = 1};

enum { ROWS = 120, COLS = 4 };
static float x[ROWS * 65], y[ROWS * 2];
static sooth_rng rng;

/* Rows of random columns, and y = 3 + 2 a b + c^2. */
static sooth_table law_of(size_t rows) {
    sooth_rng_init(&rng, 5, rows);
    for (size_t i = 0; i < rows; ++i) {
        float *row = x + i * COLS;
        for (size_t j = 0; j < COLS; ++j) row[j] = (float)(int)(64.0f * sooth_rng_float(&rng)) / 16.0f;
        y[i] = 3.0f + 2.0f * row[0] * row[1] + row[2] * row[2];
    }
    return sooth_table_of(x, y, rows, COLS);
}

static sooth_linear *fitted(const sooth_table *table) {
    sooth_linear *model = NULL;
    CHECK_STATUS(sooth_linear_fit(&env, table, &with_products, &model), SOOTH_OK);
    if (!model) abort();
    CHECK(sooth_linear_check(model, model->head.size));
    return model;
}

static int has_pair(const sooth_linear *m, uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < m->products; ++k)
        if (soothi_linear_pair(m)[k] == (a << 16 | b)) return 1;
    return 0;
}

/* The same products and the same predictions, with more rows than terms and with fewer, with each kind of
   factors. */
static void equals_scikit_learns_ridgecv(void) {
    for (size_t c = 0; c < sizeof products_case / sizeof *products_case; ++c) {
        const golden_products *g = products_case + c;
        const sooth_table table = sooth_table_of(g->x, g->y, g->rows, g->cols);
        sooth_linear *m = fitted(&table);
        const int before = check_failures;
        CHECK(m->products == g->kept && m->head.kind == (SOOTH_KIND_LINEAR | (g->kept ? 2u : 1u) << 16));
        for (uint32_t k = 0; k < m->products && k < g->kept; ++k)
            CHECK(soothi_linear_pair(m)[k] == g->pair[k]);
        for (size_t i = 0; i < 6; ++i)
            CHECK_NEAR(sooth_linear_predict(m, g->asked + i * g->cols), g->answer[i], 1e-5);
        if (check_failures != before) printf("  (%s)\n", g->name);
        sooth_linear_free(&env, m);
    }
}

/* A law of products is found to the digits of floats, whatever the units of its columns; nothing else is
   kept. */
static void laws_are_found(void) {
    for (size_t rows = 12; rows <= ROWS; rows += 27) {
        sooth_table table = law_of(rows);
        for (size_t i = 0; i < rows; ++i) x[i * COLS] *= 1e12f, x[i * COLS + 1] *= 1e-15f;
        for (size_t i = 0; i < rows; ++i) y[i] = 3.0f + 2000.0f * x[i * COLS] * x[i * COLS + 1];
        sooth_linear *m = fitted(&table);
        double worst = 0.0;
        for (size_t i = 0; i < 200; ++i) {
            float row[COLS];
            for (size_t j = 0; j < COLS; ++j) row[j] = 4.0f * sooth_rng_float(&rng);
            const double wanted = 3.0 + 2.0 * (double)row[0] * (double)row[1];
            row[0] *= 1e12f, row[1] *= 1e-15f;
            const double e = fabs((double)sooth_linear_predict(m, row) - wanted);
            if (e > worst) worst = e;
        }
        if (rows >= 39) {
            CHECK(has_pair(m, 0, 1) && m->products <= 2);
            CHECK(worst < 1e-4);
        }
        sooth_linear_free(&env, m);
    }
}

/* Columns and targets 2^k times as large give exactly 2^k times the predictions. */
static void units_do_not_matter(void) {
    for (int k = -40; k <= 40; k += 20) {
        const float unit = ldexpf(1.0f, k);
        const sooth_table table = law_of(70);
        float answers[70];
        for (size_t i = 0; i < 70; ++i) y[i] += 0.5f * sooth_rng_float(&rng);
        sooth_linear *m = fitted(&table);
        sooth_linear_predict_many(m, x, 70, COLS, answers);
        sooth_linear_free(&env, m);
        for (size_t i = 0; i < 70; ++i) x[i * COLS + 1] *= unit, y[i] *= unit;
        m = fitted(&table);
        for (size_t i = 0; i < 70; ++i) CHECK(sooth_linear_predict(m, x + i * COLS) == answers[i] * unit);
        sooth_linear_free(&env, m);
    }
}

/* A constant, a column that repeats another in another unit and the square of a switch are in no product;
   the products of what is left are found. */
static void columns_without_products(void) {
    enum { WIDE = 6 };
    sooth_table table = law_of(100);
    float wide[100 * WIDE];
    for (size_t i = 0; i < 100; ++i) {
        float *row = wide + i * WIDE;
        row[0] = x[i * COLS];
        row[1] = 7.0f;                     /* constant */
        row[2] = -1000.0f * row[0] + 3.0f; /* repeats column 0 */
        row[3] = i % 3 ? -1.0f : 4.0f;     /* a switch */
        row[4] = x[i * COLS + 1];
        row[5] = i % 3 ? 0.0f : 1.0f; /* the same switch */
        y[i] = row[0] * row[3] + row[4] * row[4] + row[0];
    }
    table = sooth_table_of(wide, y, 100, WIDE);
    sooth_linear *m = fitted(&table);
    CHECK(has_pair(m, 0, 3) && has_pair(m, 4, 4));
    for (uint32_t k = 0; k < m->products; ++k) {
        const uint32_t a = soothi_linear_pair(m)[k] >> 16, b = soothi_linear_pair(m)[k] & 0xFFFFu;
        CHECK((a == 0 || a == 3 || a == 4) && (b == 0 || b == 3 || b == 4) && !(a == 3 && b == 3));
    }
    for (size_t i = 0; i < 100; ++i) CHECK_NEAR(sooth_linear_predict(m, wide + i * WIDE), y[i], 1e-3);
    CHECK(sooth_linear_aliased(m, 1) && !sooth_linear_aliased(m, 0));
    sooth_linear_free(&env, m);
}

/* A prediction is the sum that the header states, of all targets; it costs what it says; models without
   products say nothing of them. */
static void predicts_the_stated_sum(void) {
    sooth_table table = law_of(90);
    static float two[180], many[180];
    for (size_t i = 0; i < 90; ++i) two[2 * i] = y[i], two[2 * i + 1] = x[i * COLS + 3] * x[i * COLS] - y[i];
    table.y = two;
    table.targets = 2;
    sooth_linear *m = fitted(&table);
    CHECK(m->head.targets == 2 && has_pair(m, 0, 1) && has_pair(m, 2, 2) && has_pair(m, 0, 3));
    CHECK(sooth_linear_cost(m).multiply_adds == 2 * COLS + COLS + 4 * m->products);
    CHECK(m->head.size <= sooth_linear_size(&with_products, COLS, 2));
    sooth_linear_predict_many(m, x, 90, COLS, many);
    for (size_t i = 0; i < 90; ++i) {
        const float one = sooth_linear_predict(m, x + i * COLS);
        CHECK(memcmp(&one, many + 2 * i, sizeof one) == 0);
        for (size_t t = 0; t < 2; ++t) {
            double sum = sooth_linear_coefficient(m, t, COLS), z[COLS];
            for (size_t j = 0; j < COLS; ++j) {
                sum += sooth_linear_coefficient(m, t, j) * (double)x[i * COLS + j];
                z[j] = ((double)x[i * COLS + j] - (double)soothi_linear_mean(m)[j]) *
                       (double)soothi_linear_scale(m)[j];
            }
            for (uint32_t k = 0; k < m->products; ++k)
                sum += (double)soothi_linear_product(m)[t * m->products + k] *
                       z[soothi_linear_pair(m)[k] >> 16] * z[soothi_linear_pair(m)[k] & 0xFFFFu];
            CHECK_NEAR(many[2 * i + t], sum, 1e-4);
            CHECK_NEAR(many[2 * i + t], two[2 * i + t], 1e-3);
        }
    }
    double low, high;
    sooth_linear_interval(m, x, 0, 0.9, 1, &low, &high);
    CHECK(isnan(low) && isnan(high) && isnan(sooth_linear_standard_error(m, 0, 0)));
    sooth_linear_free(&env, m);
}

/* Rows of weight 0 do not exist; a common weight changes nothing but rounding. */
static void weights_are_weights(void) {
    static float weight[ROWS];
    sooth_table table = law_of(60);
    for (size_t i = 0; i < 60; ++i) y[i] += 2.0f * sooth_rng_float(&rng);
    sooth_linear *m = fitted(&table), *other;
    for (size_t i = 60; i < 80; ++i) {
        for (size_t j = 0; j < COLS; ++j) x[i * COLS + j] = 1e20f * (float)j;
        y[i] = -5.0f;
    }
    for (size_t i = 0; i < 80; ++i) weight[i] = i < 60 ? 1.0f : 0.0f;
    table.rows = 80;
    table.weight = weight;
    other = fitted(&table);
    CHECK(m->head.size == other->head.size && memcmp(m, other, m->head.size) == 0);
    sooth_linear_free(&env, other);
    for (size_t i = 0; i < 60; ++i) weight[i] = 3.0f;
    other = fitted(&table);
    for (size_t i = 0; i < 60; ++i)
        CHECK_NEAR(sooth_linear_predict(other, x + i * COLS), sooth_linear_predict(m, x + i * COLS), 1e-4);
    sooth_linear_free(&env, other);
    sooth_linear_free(&env, m);
}

/* The leave-one-out errors that choose the penalty, of weighted rows, beside fits without each row: with more
   rows than terms, and with fewer. */
static void leave_one_out_is_leaving_out(void) {
    for (size_t rows = 8; rows <= 40; rows += 32) {
        enum { TERMS = COLS + COLS * (COLS + 1) / 2 };
        static float weight[40];
        static double f[40][TERMS + 1], a[TERMS + 1][TERMS + 2];
        sooth_table table = law_of(rows);
        soothi_linear_job job;
        soothi_products p;
        for (size_t i = 0; i < rows; ++i) y[i] += sooth_rng_float(&rng), weight[i] = 0.5f + (float)(i % 3);
        table.weight = weight;
        CHECK_STATUS(soothi_linear_resolve(&env, &with_products, 1, &job), SOOTH_OK);
        job.table = &table, job.rows = rows, job.cols = job.q = COLS;
        memset(&p, 0, sizeof p);
        void *memory = malloc(soothi_products_scratch(rows, COLS, 1));
        soothi_products_lay_out(&p, rows, COLS, 1, memory);
        p.job = &job;
        for (size_t i = 0; i < rows; ++i) p.row[p.rows++] = (uint32_t)i, p.weights += (double)weight[i];
        soothi_products_choose(&p);
        soothi_products_gather(&p);
        CHECK(p.terms == TERMS && p.dual == (rows < TERMS));
        for (size_t k = 0; k < TERMS; ++k) p.d[k] = k < COLS ? 1.0 : 0.3;
        p.error[0] = 1e300;
        soothi_products_try(&p, 0, 1, 1.0);
        for (size_t i = 0; i < rows; ++i) {
            f[i][TERMS] = sqrt((double)weight[i]);
            soothi_products_terms(&p, i, f[i]);
            for (size_t k = 0; k < TERMS; ++k) f[i][k] *= p.d[k];
        }
        for (size_t g = 20; g < SOOTHI_PRODUCTS_LAMBDAS; g += 8) {
            double sum = 0.0;
            for (size_t out = 0; out < rows; ++out) { /* normal equations of the others, by elimination */
                memset(a, 0, sizeof a);
                for (size_t i = 0; i < rows; ++i)
                    for (size_t j = 0; j <= TERMS && i != out; ++j) {
                        for (size_t k = 0; k <= TERMS; ++k) a[j][k] += f[i][j] * f[i][k];
                        a[j][TERMS + 1] += f[i][j] * (double)y[i] * f[i][TERMS];
                    }
                for (size_t k = 0; k < TERMS; ++k) a[k][k] += soothi_products_lambda(&p, g);
                for (size_t k = 0; k <= TERMS; ++k)
                    for (size_t i = 0; i <= TERMS; ++i)
                        for (size_t j = TERMS + 2; i != k && j-- > k;) a[i][j] -= a[i][k] / a[k][k] * a[k][j];
                double e = (double)y[out] * f[out][TERMS];
                for (size_t k = 0; k <= TERMS; ++k) e -= f[out][k] * a[k][TERMS + 1] / a[k][k];
                sum += e * e;
            }
            CHECK_CLOSE(p.squares[g], sum, 1e-6);
        }
        free(memory);
    }
}

static void says_what_is_wrong(void) {
    sooth_linear_options o = {.products = 1, .lambda = 2, .method = SOOTH_LINEAR_RIDGE};
    sooth_table table = law_of(30);
    sooth_linear *m;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                "products=1 chooses its ridge");
    for (uint32_t method = SOOTH_LINEAR_NON_NEGATIVE; method <= SOOTH_LINEAR_HUBER; ++method) {
        o = (sooth_linear_options){.products = 1, .method = method};
        CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                    "products=1 chooses its");
    }
    o = (sooth_linear_options){.products = 1, .no_intercept = 1};
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT, "needs an intercept");
    table = sooth_table_of(x, y, 20, 65);
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &with_products, &m), SOOTH_BAD_ARGUMENT,
                "the table has 65 columns, but products=1 needs at most 64");
    table = law_of(30);
    for (size_t i = 0; i < 30; ++i) y[i] = i % 2 ? 3e38f : -3e38f;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &with_products, &m), SOOTH_BAD_DATA, "overflow a float");
    table = law_of(30);
    x[17] = NAN;
    CHECK_FAILS(&env, sooth_linear_fit(&env, &table, &with_products, &m), SOOTH_BAD_DATA, "");
    CHECK(!m);
}

/* One row, two, constants: a model of what is known. */
static void small_tables(void) {
    for (size_t rows = 1; rows <= 6; ++rows) {
        sooth_table table = law_of(rows);
        sooth_linear *m = fitted(&table);
        for (size_t i = 0; i < rows; ++i) CHECK(isfinite(sooth_linear_predict(m, x + i * COLS)));
        if (rows == 1) CHECK_NEAR(sooth_linear_predict(m, x), y[0], 1e-5);
        sooth_linear_free(&env, m);
        for (size_t i = 0; i < rows; ++i) y[i] = 0.1f;
        m = fitted(&table);
        CHECK_NEAR(sooth_linear_predict(m, x), 0.1f, 0.0);
        CHECK(m->products == 0);
        sooth_linear_free(&env, m);
    }
}

/* The model and its scratch fit into an arena of the stated size, with more rows than terms and with fewer; a
   host may stop the fit between two candidates. */
static int stop(void *user, const char *stage, double done) {
    CHECK(strstr(stage, "products") && done >= 0.0 && done < 1.0);
    return --*(int *)user == 0;
}

static void memory_is_stated_and_hosts_may_stop(void) {
    for (size_t rows = 10; rows <= 100; rows += 90) {
        const sooth_table table = law_of(rows);
        const size_t need = sooth_linear_size(&with_products, COLS, 1) +
                            sooth_linear_scratch_size(&with_products, rows, COLS, 1) + 32;
        void *memory = malloc(need);
        sooth_arena arena;
        sooth_linear *m;
        sooth_env own;
        sooth_env_init(&own);
        sooth_arena_init(&own, &arena, memory, need);
        CHECK_STATUS(sooth_linear_fit(&own, &table, &with_products, &m), SOOTH_OK);
        free(memory);
        int calls = 3;
        sooth_env_init(&own);
        own.progress_fn = stop;
        own.progress_user = &calls;
        CHECK_STATUS(sooth_linear_fit(&own, &table, &with_products, &m), SOOTH_CANCELLED);
        CHECK(!m && calls == 0);
    }
}

/* 64 columns have 2080 products: a file with one more is refused, though each of its pairs is one of them. */
static void a_file_has_no_more_products_than_pairs(void) {
    enum { COLS = 64, MOST = COLS * (COLS + 1) / 2 };
    for (uint32_t products = MOST; products <= MOST + 1; ++products) {
        uint64_t words, doubles;
        soothi_linear_regions(COLS, 1, products, 0, &words, &doubles);
        sooth_linear *m = (sooth_linear *)soothi_block_new(&env, SOOTH_KIND_LINEAR, SOOTH_LINEAR_VERSION,
                                                           (size_t)words, (size_t)doubles, 0);
        CHECK(m != NULL);
        m->head.features = COLS;
        m->head.targets = m->rank = 1;
        m->products = products;
        soothi_block_seal(&m->head);
        CHECK(sooth_linear_check(m, m->head.size) == (products == MOST));
        sooth_linear_free(&env, m);
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(equals_scikit_learns_ridgecv);
    CHECK_RUN(laws_are_found);
    CHECK_RUN(units_do_not_matter);
    CHECK_RUN(columns_without_products);
    CHECK_RUN(predicts_the_stated_sum);
    CHECK_RUN(weights_are_weights);
    CHECK_RUN(leave_one_out_is_leaving_out);
    CHECK_RUN(says_what_is_wrong);
    CHECK_RUN(small_tables);
    CHECK_RUN(memory_is_stated_and_hosts_may_stop);
    CHECK_RUN(a_file_has_no_more_products_than_pairs);
    return check_end("products");
}
