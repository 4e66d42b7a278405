/* test_solve.c - factors that grow and shrink, large matrices by blocks: beside fresh and plain ones.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Triangles, pivoted QR and conditions are also tested through linear.h.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/base/solve.h"
#include "sooth/threads.h"
#include "check.h"

enum { MOST = 200 };

/* A covariance of rows on a line, some of them close to each other. */
static double element(size_t i, size_t j) {
    const double d = (double)(i * i % 97) - (double)(j * j % 97);
    return exp(-d * d / 50.0) + (i == j ? 0.01 + 0.001 * (double)i : 0.0);
}

/* a[i * stride + j]: the plain way, sum by sum. */
static int plain(double *a, size_t n, size_t stride) {
    for (size_t j = 0; j < n; ++j)
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * stride + j];
            for (size_t k = 0; k < j; ++k) sum -= a[i * stride + k] * a[j * stride + k];
            if (i == j && !(sum > 0.0)) return 0;
            a[i * stride + j] = i == j ? sqrt(sum) : sum / a[j * stride + j];
        }
    return 1;
}

static double packed[MOST * (MOST + 1) / 2], fresh[MOST * MOST], row[MOST];

/* The packed factor beside a fresh one of the rows in `of`. */
static void equals_fresh(const size_t *of, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) fresh[i * n + j] = element(of[i], of[j]);
    CHECK(plain(fresh, n, n));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j) {
            const double off = fabs(packed[i * (i + 1) / 2 + j] - fresh[i * n + j]);
            if (!(off <= most)) most = off;
        }
    CHECK_NEAR(most, 0.0, 1e-12);
}

static size_t grown(size_t *of, size_t n) {
    size_t made = 0;
    for (size_t i = 0; i < n; ++i) {
        of[i] = i;
        for (size_t j = 0; j < i; ++j) row[j] = element(i, j);
        made += (size_t)soothi_cholesky_add(packed, i, row, element(i, i));
    }
    return made;
}

static void a_factor_grows_row_by_row(void) {
    size_t of[MOST];
    for (size_t n = 1; n <= 120; n += 17) {
        CHECK(grown(of, n) == n);
        equals_fresh(of, n);
    }
}

static void a_row_that_is_there_already_is_refused(void) {
    double before[MOST];
    for (size_t i = 0; i < 3; ++i) {
        for (size_t j = 0; j < i; ++j) row[j] = exp(-(double)((i - j) * (i - j)));
        CHECK(soothi_cholesky_add(packed, i, row, 1.0));
    }
    memcpy(before, packed, 6 * sizeof *packed);
    for (size_t j = 0; j < 3; ++j) row[j] = j == 1 ? 1.0 : exp(-1.0); /* row 1 once more */
    CHECK(!soothi_cholesky_add(packed, 3, row, 1.0));
    CHECK(memcmp(before, packed, 6 * sizeof *packed) == 0);
    CHECK(!soothi_cholesky_add(packed, 3, row, NAN));
    row[0] = NAN;
    CHECK(!soothi_cholesky_add(packed, 3, row, 2.0));
}

static void packed_solutions_solve(void) {
    size_t of[MOST];
    double x[40], b[40], apart[40], sum;
    float lf[40 * 41 / 2], rf[40], xf[40];
    grown(of, 40);
    for (size_t i = 0; i < 40; ++i) b[i] = sin((double)i);
    soothi_cholesky_forward(packed, 40, b, x);
    soothi_cholesky_back(packed, 40, x, apart);
    soothi_cholesky_back(packed, 40, x, x);
    CHECK(memcmp(x, apart, sizeof x) == 0);
    for (size_t i = 0; i < 40; ++i) {
        sum = 0.0;
        for (size_t j = 0; j < 40; ++j) sum += element(i, j) * x[j];
        CHECK_NEAR(sum, b[i], 1e-10);
    }
    for (size_t i = 0; i < 40; ++i) {
        for (size_t j = 0; j < i; ++j) rf[j] = (float)element(i, j);
        CHECK(soothi_cholesky_add_f(lf, i, rf, (float)element(i, i)));
        for (size_t j = 0; j <= i; ++j)
            CHECK_NEAR(lf[i * (i + 1) / 2 + j], packed[i * (i + 1) / 2 + j], 2e-4);
    }
    for (size_t i = 0; i < 40; ++i) rf[i] = (float)b[i];
    soothi_cholesky_forward_f(lf, 40, rf, xf);
    soothi_cholesky_back_f(lf, 40, xf, rf);
    for (size_t i = 0; i < 40; ++i) CHECK_NEAR(rf[i], x[i], 2e-2);
    soothi_cholesky_back_f(lf, 40, xf, xf);
    CHECK(memcmp(rf, xf, sizeof rf) == 0);
    CHECK(!soothi_cholesky_add_f(lf, 1, rf, lf[0] * 1e-3f)); /* no covariance has such a row */
}

/* ---- by blocks ---- */

static double a[MOST * MOST], l[MOST * MOST], many[65 * MOST + 64 * 64 + MOST];

static void fill(size_t n, size_t stride) {
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < stride; ++j)
            a[i * stride + j] = l[i * stride + j] = j <= i ? element(i, j) : 0.0;
}

static void blocks_are_the_plain_factor_and_its_inverse(void) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 63, 64, 65, 100, 128, 129, 197};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s], stride = (n + 3) & ~(size_t)3;
        double most = 0.0, unit = 0.0;
        fill(n, stride);
        CHECK(soothi_tiles_work(stride) <= sizeof many / sizeof *many);
        CHECK(soothi_tiles_cholesky(NULL, a, n, stride, many) && plain(l, n, stride));
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j <= i; ++j) most = fmax(most, fabs(a[i * stride + j] - l[i * stride + j]));
        CHECK_NEAR(most, 0.0, 1e-12);
        soothi_tiles_inverse(NULL, a, n, stride, many);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j <= i; ++j) {
                double sum = i == j ? -1.0 : 0.0;
                for (size_t k = j; k <= i; ++k) sum += l[i * stride + k] * a[k * stride + j];
                unit = fmax(unit, fabs(sum));
            }
        CHECK_NEAR(unit, 0.0, 1e-12);
    }
}

static void what_is_not_positive_definite_is_refused(void) {
    for (size_t at = 0; at < 100; at += 33) {
        fill(100, 100);
        a[at * 100 + at] = at ? 1e-9 : 0.0;
        CHECK(!soothi_tiles_cholesky(NULL, a, 100, 100, many));
        fill(100, 100);
        a[at * 100 + at] = NAN;
        CHECK(!soothi_tiles_cholesky(NULL, a, 100, 100, many));
    }
}

/* The same bits for any order of the tasks, and without vectors of eight. */
static void workers_do_not_show(void) {
    static sooth_threads pool;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, 3), SOOTH_OK);
    fill(197, 200);
    CHECK(soothi_tiles_cholesky(NULL, a, 197, 200, many));
    CHECK(soothi_tiles_cholesky(&env, l, 197, 200, many));
    for (size_t i = 0; i < 197; ++i) CHECK(memcmp(a + i * 200, l + i * 200, (i + 1) * sizeof *a) == 0);
    soothi_tiles_inverse(NULL, a, 197, 200, many);
    soothi_tiles_inverse(&env, l, 197, 200, many);
    for (size_t i = 0; i < 197; ++i) CHECK(memcmp(a + i * 200, l + i * 200, (i + 1) * sizeof *a) == 0);
    sooth_threads_stop(&pool);
}

static void products_have_the_same_bits_with_and_without_avx2(void) {
    double c[7 * 20], d[7 * 20], sum;
    fill(60, 60);
    for (size_t i = 0; i < 7 * 20; ++i) c[i] = d[i] = 0.25 * (double)i;
    soothi_gemm(0, 7, 20, 33, a + 60, 60, 1, l, 60, c, 20);
    soothi_gemm(soothi_has_avx2(), 7, 20, 33, a + 60, 60, 1, l, 60, d, 20);
    CHECK(memcmp(c, d, sizeof c) == 0);
    for (size_t i = 0; i < 7; ++i)
        for (size_t j = 0; j < 20; ++j) {
            sum = 0.25 * (double)(i * 20 + j);
            for (size_t k = 0; k < 33; ++k) sum += a[(i + 1) * 60 + k] * l[k * 60 + j];
            CHECK_NEAR(c[i * 20 + j], sum, 1e-12);
        }
}

/* ---- triangles ---- */

enum { TALL = 24, WIDE = 7 };
static double block[WIDE * TALL], kept_block[WIDE * TALL], triangle[WIDE * (WIDE + 1) / 2];

/* Numbers of either sign; rows from n on are zeros. */
static void fill_block(size_t n) {
    for (size_t j = 0; j < WIDE; ++j)
        for (size_t i = 0; i < TALL; ++i)
            block[j * TALL + i] = i < n ? sin(1.0 + (double)(3 * i + 5 * j * j)) : 0.0;
    memcpy(kept_block, block, sizeof block);
}

/* Up to four columns at once beside H = 1 - 2 u u' / u'u, element by element; with AVX2 the same bits. */
static void reflections_reflect(void) {
    double again[WIDE * TALL], line[4], other[4];
    for (size_t n = 4; n <= TALL; n += 4)
        for (size_t columns = 1; columns <= 4; ++columns) {
            double off = 0.0, squares = 0.0; /* off: the sum, which a NaN stays in */
            fill_block(n);
            memcpy(again, block, sizeof again);
            const double head = 3.0, scale = 2.0 / (head * head + soothi_dot4(block, block, n));
            const soothi_reflection h = {block, n, TALL, head, scale};
            for (size_t k = 0; k < 4; ++k) line[k] = other[k] = 0.5 - (double)k;
            const double left = soothi_reflect_plain(&h, block + TALL, columns, line);
            for (size_t k = 0; k < 4; ++k) {
                const double *before = kept_block + (k + 1) * TALL, *after = block + (k + 1) * TALL;
                double factor = head * other[k];
                for (size_t i = 0; i < n; ++i) factor += block[i] * before[i];
                factor *= k < columns ? scale : 0.0;
                off += fabs(line[k] - (other[k] - factor * head));
                for (size_t i = 0; i < TALL; ++i) off += fabs(after[i] - (before[i] - factor * block[i]));
                for (size_t i = 0; k == 0 && i < TALL; ++i) squares += after[i] * after[i];
            }
            CHECK_NEAR(off, 0.0, 1e-12);
            CHECK_CLOSE(left, squares, 1e-14);
            if (!soothi_has_avx2()) continue;
            CHECK(soothi_reflect_avx2(&h, again + TALL, columns, other) == left);
            CHECK(memcmp(again, block, sizeof again) == 0 && memcmp(other, line, sizeof other) == 0);
        }
}

/* R'R = X'X for the rows of all blocks, whatever the width; a column of zeros leaves a row of zeros. */
static void triangles_keep_the_products(void) {
    for (size_t width = 1; width <= WIDE; ++width) {
        double product[WIDE * WIDE] = {0};
        memset(triangle, 0, sizeof triangle);
        for (size_t n = 4; n <= TALL; n += 4) {
            fill_block(n);
            if (width > 2) memset(block + 2 * TALL, 0, TALL * sizeof *block);
            for (size_t i = 0; i < width; ++i)
                for (size_t j = 0; j < width; ++j)
                    product[i * WIDE + j] += soothi_dot4(block + i * TALL, block + j * TALL, TALL);
            soothi_triangle_add(triangle, width, block, TALL, n);
        }
        for (size_t i = 0; i < width; ++i)
            for (size_t j = i; j < width; ++j) {
                double sum = 0.0, *from = triangle;
                for (size_t k = 0; k <= i; from += width - k, ++k) sum += from[i - k] * from[j - k];
                CHECK_NEAR(sum, product[i * WIDE + j], 1e-12);
            }
        if (width > 2) CHECK(triangle[2 * width - 1] == 0.0);
    }
}

/* Columns that must stay in front stay there even where they are zeros; R'R = A'A all the same. */
static void fixed_columns_stay(void) {
    enum { P = 5, N = 4 };
    double q[P * N], product[N][N];
    uint32_t order[N];
    for (size_t i = 0; i < P * N; ++i) q[i] = i < P ? 0.0 : cos((double)(i * i));
    for (size_t i = 0; i < N; ++i)
        for (size_t j = 0; j < N; ++j) {
            product[i][j] = 0.0;
            for (size_t k = 0; k < P; ++k) product[i][j] += q[i * P + k] * q[j * P + k];
        }
    CHECK(soothi_pivoted_qr(q, P, N, 0, 2, 1e-12, order) == N - 1);
    CHECK(order[0] == 0 && order[1] == 1 && order[2] + order[3] == 5);
    for (size_t i = 0; i < N; ++i)
        for (size_t j = 0; j < N; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < P; ++k) sum += q[i * P + k] * q[j * P + k];
            CHECK_NEAR(sum, product[order[i]][order[j]], 1e-13);
        }
    for (size_t j = 0; j < N; ++j)
        for (size_t i = j + 1; i < P; ++i) CHECK(q[j * P + i] == 0.0);
}

/* Hilbert's matrices of 1 to 6 rows, to ten digits as numpy.linalg.cond says; the triangle's is the
   square root. */
static void conditions_of_hilbert(void) {
    static const double known[] = {
        1.0, 19.28147006790397, 524.0567775860644, 15513.73873892924, 476607.2502425943, 14951058.64225466};
    double square[36], room[6 * 8];
    for (size_t n = 1; n <= 6; ++n) {
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) square[i * n + j] = 1.0 / (double)(i + j + 1);
        CHECK(soothi_cholesky(square, n));
        CHECK(soothi_condition_work(n) <= sizeof room / sizeof *room);
        const double found = soothi_condition(square, n, n, room); /* L by rows is L' by columns */
        CHECK_CLOSE(found * found, known[n - 1], 1e-8);
    }
    CHECK(soothi_condition(square, 6, 0, room) == 1.0); /* no column is worse than another */
}

int main(void) {
    CHECK_RUN(a_factor_grows_row_by_row);
    CHECK_RUN(a_row_that_is_there_already_is_refused);
    CHECK_RUN(packed_solutions_solve);
    CHECK_RUN(blocks_are_the_plain_factor_and_its_inverse);
    CHECK_RUN(what_is_not_positive_definite_is_refused);
    CHECK_RUN(workers_do_not_show);
    CHECK_RUN(products_have_the_same_bits_with_and_without_avx2);
    CHECK_RUN(reflections_reflect);
    CHECK_RUN(triangles_keep_the_products);
    CHECK_RUN(fixed_columns_stay);
    CHECK_RUN(conditions_of_hilbert);
    return check_end("solve");
}
