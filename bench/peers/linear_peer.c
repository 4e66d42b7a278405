/* linear_peer.c - least squares with intercept by OpenBLAS (LAPACK) and GSL.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * In the words of bench.c: peer=dgels|normal|multifit|tsqr. Each gets doubles with a column of ones, made
 * from the floats within the time that counts, as sooth does its own conversion there.
 *   dgels     LAPACK's Householder QR       normal  dsyrk + dposv, the normal equations
 *   multifit  gsl_multifit_linear (SVD)     tsqr    gsl_multilarge, tall-skinny QR
 */
#define _POSIX_C_SOURCE 200809L
#include <gsl/gsl_cblas.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multilarge.h>
#include <lapacke.h>

#define SOOTH_IMPLEMENTATION
#include "../harness.h"

/* Row-major n x (d + 1) with the ones first. */
static double *with_ones(const sooth_table *t, double **y) {
    size_t i, j, w = t->cols + 1;
    double *a = (double *)malloc(t->rows * w * sizeof *a);
    *y = (double *)malloc(t->rows * sizeof **y);
    if (!a || !*y) bench_stop("no memory", NULL);
    for (i = 0; i < t->rows; ++i) {
        a[i * w] = 1.0;
        for (j = 0; j < t->cols; ++j) a[i * w + j + 1] = (double)t->x[i * t->stride + j];
        (*y)[i] = (double)t->y[i];
    }
    return a;
}

static void by_dgels(const sooth_table *t, double *b) {
    size_t w = t->cols + 1, i, j;
    /* column-major, as LAPACK wants it: no copy inside */
    double *a = (double *)malloc(t->rows * w * sizeof *a), *y = (double *)malloc(t->rows * sizeof *y);
    if (!a || !y) bench_stop("no memory", NULL);
    for (i = 0; i < t->rows; ++i) {
        a[i] = 1.0;
        y[i] = (double)t->y[i];
    }
    for (j = 0; j < t->cols; ++j)
        for (i = 0; i < t->rows; ++i) a[(j + 1) * t->rows + i] = (double)t->x[i * t->stride + j];
    LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', (int)t->rows, (int)w, 1, a, (int)t->rows, y, (int)t->rows);
    memcpy(b, y, w * sizeof *b);
    free(a);
    free(y);
}

static void by_normal(const sooth_table *t, double *b) {
    size_t w = t->cols + 1;
    double *y, *a = with_ones(t, &y), *g = (double *)calloc(w * w, sizeof *g);
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (int)w, (int)t->rows, 1.0, a, (int)w, 0.0, g, (int)w);
    cblas_dgemv(CblasRowMajor, CblasTrans, (int)t->rows, (int)w, 1.0, a, (int)w, y, 1, 0.0, b, 1);
    LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', (int)w, 1, g, (int)w, b, 1);
    free(a);
    free(y);
    free(g);
}

static void by_multifit(const sooth_table *t, double *b) {
    size_t w = t->cols + 1;
    double *y, *a = with_ones(t, &y), chisq;
    gsl_matrix_view X = gsl_matrix_view_array(a, t->rows, w);
    gsl_vector_view Y = gsl_vector_view_array(y, t->rows), B = gsl_vector_view_array(b, w);
    gsl_matrix *cov = gsl_matrix_alloc(w, w);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(t->rows, w);
    gsl_multifit_linear(&X.matrix, &Y.vector, &B.vector, cov, &chisq, work);
    gsl_multifit_linear_free(work);
    gsl_matrix_free(cov);
    free(a);
    free(y);
}

static void by_tsqr(const sooth_table *t, double *b) {
    enum { BLOCK = 1000 };
    size_t w = t->cols + 1, i;
    double *y, *a = with_ones(t, &y), rnorm, snorm;
    gsl_vector_view B = gsl_vector_view_array(b, w);
    gsl_multilarge_linear_workspace *work = gsl_multilarge_linear_alloc(gsl_multilarge_linear_tsqr, w);
    for (i = 0; i < t->rows; i += BLOCK) {
        size_t n = t->rows - i < BLOCK ? t->rows - i : BLOCK;
        gsl_matrix_view X = gsl_matrix_view_array(a + i * w, n, w);
        gsl_vector_view Y = gsl_vector_view_array(y + i, n);
        gsl_multilarge_linear_accumulate(&X.matrix, &Y.vector, work);
    }
    gsl_multilarge_linear_solve(0.0, &B.vector, &rnorm, &snorm, work);
    gsl_multilarge_linear_free(work);
    free(a);
    free(y);
}

int main(int count, char **word) {
    static const struct {
        const char *name;
        void (*fit)(const sooth_table *, double *);
    } peers[] = {{"dgels", by_dgels}, {"normal", by_normal}, {"multifit", by_multifit}, {"tsqr", by_tsqr}};
    bench_result result;
    sooth_table train, test;
    size_t d, i, j, k;
    double *b;
    float *out;
    bench_words = count;
    bench_word = word;
    if (strcmp(bench_text("task", ""), "ols") != 0) return 64;
    for (k = 0; k < 4 && strcmp(peers[k].name, bench_text("peer", "dgels")) != 0;) ++k;
    if (k == 4) bench_stop("there is no peer", bench_text("peer", ""));
    bench_result_init(&result);
    d = bench_count("d", 10);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), &train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, &test);
    b = (double *)calloc(d + 1, sizeof *b);
    out = (float *)malloc(test.rows * sizeof *out);
    if (!b || !out) bench_stop("no memory", NULL);
    while (bench_more(&result)) {
        double start = bench_clock();
        peers[k].fit(&train, b);
        bench_trained(&result, bench_clock() - start);
    }
    for (i = 0; i < test.rows; ++i) {
        double p = b[0];
        for (j = 0; j < d; ++j) p += b[j + 1] * (double)test.x[i * d + j];
        out[i] = (float)p;
    }
    result.r2 = bench_r2(test.y, out, test.rows);
    bench_print(&result, peers[k].name);
    return 0;
}
