/* base/solve.h - dense least squares and Cholesky: triangles updated by rows, pivoted QR, growing factors.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Least squares finds the b that minimises |X b - y|. Householder reflections of the rows of [X y] preserve
 * lengths. They reduce any number of rows to a triangle [R z] with the same |R b - z| for every b. Rows
 * therefore arrive in blocks. Each block is reflected into the triangle of all rows before it and discarded
 * (Householder 1958; Golub and Van Loan, Matrix Computations, section 5.2; in blocks as TSQR, Demmel et al.
 * 2012). The triangle is as wide as X and answers every question about the fit.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/base/solve.h"
 *     #include <stdio.h>
 *
 *     int main(void) {                          // the line through (0, 1), (1, 3), (2, 5), (3, 7)
 *         double block[3 * 4] = {1, 1, 1, 1,    // X: a column of ones,
 *                                0, 1, 2, 3,    // a column of x;
 *                                1, 3, 5, 7};   // and y
 *         double triangle[6] = {0}, r[4] = {0}, z[2], b[2];
 *         soothi_triangle_add(triangle, 3, block, 4, 4);
 *         r[0] = triangle[0];                   // rows: R00 R01 z0, R11 z1, and the length that is left
 *         r[2] = triangle[1];
 *         r[3] = triangle[3];
 *         z[0] = triangle[2];
 *         z[1] = triangle[4];
 *         soothi_back(r, 2, 2, z, b);
 *         printf("%.3f + %.3f x\n", b[0], b[1]);  //> 1.000 + 2.000 x
 *         return 0;
 *     }
 *
 * This header is internal to the models. The caller provides all memory. A triangle of width w is stored by
 * rows: row i begins with its diagonal element and has w - i numbers, w (w + 1) / 2 in total. Sums have four
 * fixed lanes, so any vector width gives the same bits.
 *
 * A packed factor stores row i of the lower triangle L at i (i + 1) / 2, with the diagonal element last, so
 * it grows at its end. Functions of packed factors whose names end in _f take floats and may be used to
 * predict.
 *
 * Multiply-adds for p columns: 2 p^2 per row added to the triangle; 2/3 p^3 for a pivoted QR or one sweep of
 * a condition number; 1/6 p^3 for Cholesky, and as much for its inverse; p^2 / 2 for a solution or an added
 * row; 2 p^2 for a removed row.
 */
#ifndef SOOTH_BASE_SOLVE_IMPLEMENTED
#include "../base.h"
#endif

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_BASE_SOLVE_IMPLEMENTED)
#define SOOTH_BASE_SOLVE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- packed Cholesky factors that grow ---- */

/* forward: x = L^-1 b. back: x = L'^-1 b. x may be b. add: appends a row to the factor of n rows, for the
   matrix bordered by row[0..n) and the diagonal element `corner`. It returns 0 and adds nothing if that
   matrix is not positive definite to working precision. L must have space for the row. If `row` is L's next
   row, it is overwritten. */
#define SOOTHI_CHOLESKY_PACKED(number, dot, root, tiny, forward, back, add)            \
    SOOTHI_LOCAL void forward(const number *l, size_t n, const number *b, number *x) { \
        for (size_t i = 0; i < n; l += ++i) x[i] = (b[i] - dot(l, x, i)) / l[i];       \
    }                                                                                  \
    SOOTHI_LOCAL void back(const number *l, size_t n, const number *b, number *x) {    \
        if (x != b) memcpy(x, b, n * sizeof *x);                                       \
        for (size_t i = n; i-- > 0;) {                                                 \
            const number *row = l + i * (i + 1) / 2;                                   \
            x[i] = x[i] / row[i];                                                      \
            for (size_t k = 0; k < i; ++k) x[k] -= row[k] * x[i];                      \
        }                                                                              \
    }                                                                                  \
    SOOTHI_LOCAL int add(number *l, size_t n, const number *row, number corner) {      \
        number *last = l + n * (n + 1) / 2;                                            \
        forward(l, n, row, last);                                                      \
        const number rest = corner - dot(last, last, n);                               \
        if (!(rest > (tiny)*corner)) return 0;                                         \
        last[n] = root(rest);                                                          \
        return 1;                                                                      \
    }

SOOTHI_CHOLESKY_PACKED(float, soothi_dot_f, soothi_sqrt_f, 1e-6f, soothi_cholesky_forward_f,
                       soothi_cholesky_back_f, soothi_cholesky_add_f)

#ifndef SOOTH_PREDICT_ONLY

SOOTHI_CHOLESKY_PACKED(double, soothi_dot, soothi_sqrt, 1e-14, soothi_cholesky_forward, soothi_cholesky_back,
                       soothi_cholesky_add)

/* ---- four doubles at a time ---- */

#if defined(__GNUC__) || defined(__clang__)
typedef double soothi_4d __attribute__((vector_size(32), aligned(8), may_alias));
#define SOOTHI_4D_GET(p) (*(const soothi_4d *)(const void *)(p))
#define SOOTHI_4D_PUT(p, v) (*(soothi_4d *)(void *)(p) = (v))
#define SOOTHI_4D_SUM(s) (((s)[0] + (s)[2]) + ((s)[1] + (s)[3]))
#define SOOTHI_4D_SPLAT(s, f) ((s)[0] = (f), (s)[1] = (f), (s)[2] = (f), (s)[3] = (f))
#define SOOTHI_HAS_4D 1
#endif

/* Dot product in four lanes, combined in pairs; n is a multiple of 4. */
SOOTHI_HOT double soothi_dot4(const double *a, const double *b, size_t n) {
    double lane[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < n; i += 4) {
        lane[0] += a[i] * b[i];
        lane[1] += a[i + 1] * b[i + 1];
        lane[2] += a[i + 2] * b[i + 2];
        lane[3] += a[i + 3] * b[i + 3];
    }
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* Like soothi_dot4, for v with up to four columns in one pass. */
SOOTHI_HOT void soothi_dots(const double *v, const double *const column[4], size_t columns, size_t n,
                            double out[4]) {
#ifdef SOOTHI_HAS_4D
    if (columns == 4) {
        soothi_4d sum[4];
        memset(sum, 0, sizeof sum);
        for (size_t i = 0; i < n; i += 4) {
            const soothi_4d x = SOOTHI_4D_GET(v + i);
            SOOTHI_UNROLL
            for (unsigned k = 0; k < 4; ++k) sum[k] = sum[k] + x * SOOTHI_4D_GET(column[k] + i);
        }
        SOOTHI_UNROLL
        for (unsigned k = 0; k < 4; ++k) out[k] = SOOTHI_4D_SUM(sum[k]);
        return;
    }
#endif
    for (size_t k = 0; k < columns; ++k) out[k] = soothi_dot4(v, column[k], n);
}

/* ---- the growing triangle ---- */

/* Applies the reflection that zeroes v to up to four columns. The first column is at `to`, the next ones
   follow at a distance of `stride` doubles, and row[] is their part of the triangle. factor = scale (v'column
   + head row),  column -= factor v,  row -= factor head Returns the sum of squares of the first column, which
   is next in turn, as soothi_dot4. n is a multiple of 4. */
typedef struct soothi_reflection {
    const double *v;
    size_t n, stride;
    double head, scale;
} soothi_reflection;

#ifdef SOOTHI_HAS_4D
#define SOOTHI_REFLECT(columns)                                                                              \
    do {                                                                                                     \
        const double *const v = h->v, head = h->head;                                                        \
        const size_t n = h->n, stride = h->stride;                                                           \
        soothi_4d sum[columns], squares;                                                                     \
        memset(sum, 0, sizeof sum);                                                                          \
        memset(&squares, 0, sizeof squares);                                                                 \
        for (size_t i = 0; i < n; i += 4) {                                                                  \
            const soothi_4d x = SOOTHI_4D_GET(v + i);                                                        \
            SOOTHI_UNROLL                                                                                    \
            for (size_t k = 0; k < (columns); ++k) sum[k] = sum[k] + x * SOOTHI_4D_GET(to + k * stride + i); \
        }                                                                                                    \
        SOOTHI_UNROLL                                                                                        \
        for (size_t k = 0; k < (columns); ++k) {                                                             \
            const double factor = h->scale * (SOOTHI_4D_SUM(sum[k]) + head * row[k]);                        \
            row[k] -= factor * head;                                                                         \
            SOOTHI_4D_SPLAT(sum[k], factor);                                                                 \
        }                                                                                                    \
        for (size_t i = 0; i < n; i += 4) {                                                                  \
            const soothi_4d x = SOOTHI_4D_GET(v + i), left = SOOTHI_4D_GET(to + i) - sum[0] * x;             \
            SOOTHI_4D_PUT(to + i, left);                                                                     \
            squares = squares + left * left;                                                                 \
            SOOTHI_UNROLL                                                                                    \
            for (size_t k = 1; k < (columns); ++k) {                                                         \
                double *at = to + k * stride + i;                                                            \
                SOOTHI_4D_PUT(at, SOOTHI_4D_GET(at) - sum[k] * x);                                           \
            }                                                                                                \
        }                                                                                                    \
        return SOOTHI_4D_SUM(squares);                                                                       \
    } while (0)
#define SOOTHI_REFLECT_ALL               \
    if (columns == 4) SOOTHI_REFLECT(4); \
    if (columns == 3) SOOTHI_REFLECT(3); \
    if (columns == 2) SOOTHI_REFLECT(2); \
    SOOTHI_REFLECT(1)

SOOTHI_LOCAL double soothi_reflect_plain(const soothi_reflection *h, double *to, size_t columns,
                                         double *row) {
    SOOTHI_REFLECT_ALL;
}
#else
SOOTHI_LOCAL double soothi_reflect_plain(const soothi_reflection *h, double *to, size_t columns,
                                         double *row) {
    for (size_t k = 0; k < columns; ++k) {
        double *column = to + k * h->stride;
        const double factor = h->scale * (soothi_dot4(h->v, column, h->n) + h->head * row[k]);
        row[k] -= factor * h->head;
        for (size_t i = 0; i < h->n; ++i) column[i] -= factor * h->v[i];
    }
    return soothi_dot4(to, to, h->n);
}
#endif

#if SOOTHI_AVX2
__attribute__((target("avx2"))) SOOTHI_LOCAL double
soothi_reflect_avx2(const soothi_reflection *h, double *to, size_t columns, double *row) {
    SOOTHI_REFLECT_ALL;
}
#else
#define soothi_reflect_avx2 soothi_reflect_plain
#endif

/* Reflects a block into the triangle and destroys the block. It has `width` columns (at least 1) of `stride`
   doubles each, and uses n rows; pad n to a multiple of 4 with zeros. 2 n width^2 multiply-adds. */
SOOTHI_LOCAL void soothi_triangle_add(double *triangle, size_t width, double *block, size_t stride,
                                      size_t n) {
    const int avx2 = soothi_has_avx2();
    double *row = triangle, squares = soothi_dot4(block, block, n);
    for (size_t j = 0; j < width; row += width - j, ++j) {
        double *v = block + j * stride, *next = v + stride, head = row[0], back = 1.0;
        /* Squares would underflow: scale by 2^500, and once more for values close to zero. */
        for (unsigned turn = 0; turn < 2 && squares < 1e-200 && head * head < 1e-200; ++turn) {
            for (size_t i = 0; i < n; ++i) v[i] *= 3.2733906078961419e150;
            head *= 3.2733906078961419e150;
            back *= 3.0549363634996047e-151;
            squares = soothi_dot4(v, v, n);
        }
        /* Zero below the diagonal, or NaN, which propagates to the result. */
        if (!(squares > 0.0)) {
            if (j + 1 < width) squares = soothi_dot4(next, next, n);
            continue;
        }
        double diagonal = soothi_sqrt(head * head + squares);
        if (head > 0.0) diagonal = -diagonal;
        row[0] = diagonal * back;
        /* H = 1 - scale u u' with u = (head - diagonal, v) */
        head -= diagonal;
        const soothi_reflection h = {v, n, stride, head, -1.0 / (diagonal * head)};
        for (size_t k = 1; j + k < width; k += 4) {
            const size_t columns = width - j - k < 4 ? width - j - k : 4;
            const double first =
                (avx2 ? soothi_reflect_avx2 : soothi_reflect_plain)(&h, v + k * stride, columns, row + k);
            if (k == 1) squares = first;
        }
    }
}

/* ---- QR with column pivoting ---- */

/* Householder QR of the p x (n + targets) matrix a (column-major, p rows, n <= p), with pivoting among its
   first n columns. The first `fixed` columns keep their places. order[k] is the original index of column k.
   Returns the rank: the number of diagonal elements above tolerance times the largest. The columns should
   have similar lengths. On return a holds R and Q'y. (Businger and Golub 1965. The remaining lengths are
   recomputed in each step, because p is small.) */
SOOTHI_LOCAL size_t soothi_pivoted_qr(double *a, size_t p, size_t n, size_t targets, size_t fixed,
                                      double tolerance, uint32_t *order) {
    size_t rank = 0;
    double largest = 0.0;
    for (size_t k = 0; k < n; ++k) order[k] = (uint32_t)k;
    for (size_t j = 0; j < n; ++j) {
        double length = 0.0;
        size_t best = j;
        for (size_t k = j; k < (j < fixed ? j + 1 : n); ++k) {
            double squares = 0.0;
            for (size_t i = j; i < p; ++i) squares += a[k * p + i] * a[k * p + i];
            if (squares > length) {
                length = squares;
                best = k;
            }
        }
        length = soothi_sqrt(length);
        if (length > largest) largest = length;
        if (!(length > tolerance * largest)) {
            if (j < fixed) continue;
            break;
        }
        if (best != j) {
            uint32_t o = order[j];
            order[j] = order[best];
            order[best] = o;
            for (size_t i = 0; i < p; ++i) {
                double t = a[j * p + i];
                a[j * p + i] = a[best * p + i];
                a[best * p + i] = t;
            }
        }
        double *v = a + j * p;
        double head = v[j];
        double diagonal = head > 0.0 ? -length : length;
        head -= diagonal;
        v[j] = head;
        double scale = -1.0 / (diagonal * head);
        for (size_t k = j + 1; k < n + targets; ++k) {
            double *c = a + k * p, dot = 0.0;
            for (size_t i = j; i < p; ++i) dot += v[i] * c[i];
            dot *= scale;
            for (size_t i = j; i < p; ++i) c[i] -= dot * v[i];
        }
        v[j] = diagonal;
        for (size_t i = j + 1; i < p; ++i) v[i] = 0.0;
        ++rank;
    }
    return rank;
}

/* x = R^-1 b for the leading n x n of a column-major upper triangle with p rows; x may be b. */
SOOTHI_LOCAL void soothi_back(const double *r, size_t p, size_t n, const double *b, double *x) {
    for (size_t i = n; i-- > 0;) {
        double sum = b[i];
        for (size_t k = i + 1; k < n; ++k) sum -= r[k * p + i] * x[k];
        x[i] = sum / r[i * p + i];
    }
}

/* ---- Cholesky ---- */

/* Replaces the lower half of the symmetric n x n matrix a (row-major) by L with L L' = a. Returns 0 if a is
   not positive definite to working precision. */
SOOTHI_LOCAL int soothi_cholesky(double *a, size_t n) {
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            if (i > j) {
                a[i * n + j] = sum / a[j * n + j];
            } else {
                if (!(sum > a[j * n + j] * 1e-15)) return 0;
                a[j * n + j] = soothi_sqrt(sum);
            }
        }
    }
    return 1;
}

/* x = a^-1 b from a's L; x may be b. */
SOOTHI_LOCAL void soothi_cholesky_solve(const double *l, size_t n, const double *b, double *x) {
    for (size_t i = 0; i < n; ++i) {
        double sum = b[i];
        for (size_t k = 0; k < i; ++k) sum -= l[i * n + k] * x[k];
        x[i] = sum / l[i * n + i];
    }
    soothi_back(l, n, n, x, x); /* L by rows is L' by columns */
}

/* ---- large matrices, by tiles ---- */

/* C += A B of doubles, like soothi_gemm_f: n is a multiple of 4, and each element is summed in order. */
#ifdef SOOTHI_HAS_4D
#define soothi_4d_load(p) SOOTHI_4D_GET(p)
#define soothi_4d_splat(f) \
    { f, f, f, f }
SOOTHI_LOCAL void soothi_gemm_tile_4(size_t depth, const double *const a[4], size_t a_step, const double *b,
                                     size_t b_row, double *const c[4]) {
    SOOTHI_GEMM_TILE(soothi_4d, 4, 1);
}
#if SOOTHI_AVX2
__attribute__((target("avx2")))
#endif
SOOTHI_LOCAL void
soothi_gemm_tile_8(size_t depth, const double *const a[4], size_t a_step, const double *b, size_t b_row,
                   double *const c[4]) {
    SOOTHI_GEMM_TILE(soothi_4d, 4, 2);
}
#else
SOOTHI_LOCAL void soothi_gemm_tile_4(size_t depth, const double *const a[4], size_t a_step, const double *b,
                                     size_t b_row, double *const c[4]) {
    for (size_t r = 0; r < 4; ++r)
        for (size_t k = 0; k < 4; ++k) {
            double sum = c[r][k];
            for (size_t i = 0; i < depth; ++i) sum += a[r][i * a_step] * b[i * b_row + k];
            c[r][k] = sum;
        }
}
#endif

/* avx2 is the result of soothi_has_avx2. If fewer than four rows are left, the other results go to spare. */
SOOTHI_LOCAL void soothi_gemm(int avx2, size_t m, size_t n, size_t depth, const double *a, size_t a_row,
                              size_t a_step, const double *b, size_t b_row, double *c, size_t c_row) {
    const double *from[4];
    double *to[4], spare[8];
    memset(spare, 0, sizeof spare);
    for (size_t i = 0; i < m; i += 4)
        for (size_t j = 0, width; j < n; j += width) {
            for (size_t k = 0; k < 4; ++k) {
                from[k] = a + (i + k < m ? i + k : i) * a_row;
                to[k] = i + k < m ? c + (i + k) * c_row + j : spare;
            }
            width = 4;
#ifdef SOOTHI_HAS_4D
            if (avx2 && n - j >= 8) {
                soothi_gemm_tile_8(depth, from, a_step, b + j, b_row, to);
                width = 8;
                continue;
            }
#endif
            (void)avx2;
            soothi_gemm_tile_4(depth, from, a_step, b + j, b_row, to);
        }
}

enum { SOOTHI_TILE = 64 };

/* Factorisation or inversion of an n x n matrix, stored by rows of `stride` numbers. stride is a multiple of
   4 and at least n. */
typedef struct soothi_tiles {
    double *a, *work;
    size_t n, stride, at, width; /* current tile */
    int avx2;
} soothi_tiles;

/* Returns the size of `work` in numbers for the functions below. */
SOOTHI_LOCAL size_t soothi_tiles_work(size_t stride) {
    return soothi_product(stride, SOOTHI_TILE + 1) + (size_t)SOOTHI_TILE * SOOTHI_TILE;
}

/* Solves for the panel rows of one task, below the current tile. Stores them transposed and negated in
   work. */
SOOTHI_LOCAL void soothi_tiles_panel(void *arg, size_t task, size_t worker) {
    const soothi_tiles *s = (const soothi_tiles *)arg;
    const size_t from = s->at + s->width + task * SOOTHI_TILE,
                 to = from + SOOTHI_TILE < s->n ? from + SOOTHI_TILE : s->n;
    const double *l = s->a + s->at * s->stride + s->at;
    (void)worker;
    for (size_t k = 0; k < s->width; ++k) {
        double *row = s->work + k * s->stride;
        for (size_t i = from; i < to; ++i) row[i] = -s->a[i * s->stride + s->at + k];
        for (size_t m = 0; m < k; ++m) {
            const double *before = s->work + m * s->stride, factor = l[k * s->stride + m];
            for (size_t i = from; i < to; ++i) row[i] -= factor * before[i];
        }
        for (size_t i = from; i < to; ++i) {
            row[i] /= l[k * s->stride + k];
            s->a[i * s->stride + s->at + k] = -row[i];
        }
    }
}

/* Subtracts the contribution of the panel from the rows of one task. */
SOOTHI_LOCAL void soothi_tiles_update(void *arg, size_t task, size_t worker) {
    const soothi_tiles *s = (const soothi_tiles *)arg;
    const size_t first = s->at + s->width, from = first + task * SOOTHI_TILE,
                 to = from + SOOTHI_TILE < s->n ? from + SOOTHI_TILE : s->n;
    (void)worker;
    soothi_gemm(s->avx2, to - from, (to - first + 3) & ~(size_t)3, s->width, s->a + from * s->stride + s->at,
                s->stride, 1, s->work + first, s->stride, s->a + from * s->stride + first, s->stride);
}

/* Replaces the lower half of a symmetric matrix by L with L L' = a and destroys the upper half. Returns 0 if
   a is not positive definite to working precision. The bits do not depend on the number of workers. */
SOOTHI_LOCAL int soothi_tiles_cholesky(sooth_env *env, double *a, size_t n, size_t stride, double *work) {
    soothi_tiles s = {a, work, n, stride, 0, 0, soothi_has_avx2()};
    double *diagonal = work + SOOTHI_TILE * stride;
    for (size_t i = 0; i < n; ++i) diagonal[i] = a[i * stride + i];
    memset(work, 0, SOOTHI_TILE * stride * sizeof *work);
    for (; s.at < n; s.at += s.width) {
        double *tile = a + s.at * stride + s.at;
        s.width = n - s.at < SOOTHI_TILE ? n - s.at : (size_t)SOOTHI_TILE;
        for (size_t j = 0; j < s.width; ++j)
            for (size_t i = j; i < s.width; ++i) {
                double sum = tile[i * stride + j];
                for (size_t k = 0; k < j; ++k) sum -= tile[i * stride + k] * tile[j * stride + k];
                if (i > j) tile[i * stride + j] = sum / tile[j * stride + j];
                else if (!(sum > diagonal[s.at + j] * 1e-14)) return 0;
                else tile[j * stride + j] = soothi_sqrt(sum);
            }
        const size_t tasks = (n - s.at - s.width + SOOTHI_TILE - 1) / SOOTHI_TILE;
        soothi_parallel(env, tasks, soothi_tiles_panel, &s);
        soothi_parallel(env, tasks, soothi_tiles_update, &s);
    }
    return 1;
}

/* Computes the columns of one task in rows s->at on of the inverse: -L_II^-1 (L_IJ M_JJ + ...). */
SOOTHI_LOCAL void soothi_tiles_below(void *arg, size_t task, size_t worker) {
    const soothi_tiles *s = (const soothi_tiles *)arg;
    const size_t from = task * SOOTHI_TILE, depth = s->at - from;
    const double *l = s->work + (SOOTHI_TILE + 1) * s->stride;
    double *c = s->a + s->at * s->stride + from;
    (void)worker;
    for (size_t i = 0; i < s->width; ++i) memset(c + i * s->stride, 0, SOOTHI_TILE * sizeof *c);
    soothi_gemm(s->avx2, s->width, SOOTHI_TILE, depth, s->work + from, s->stride, 1,
                s->a + from * s->stride + from, s->stride, c, s->stride);
    for (size_t i = 0; i < s->width; ++i) {
        double *row = c + i * s->stride;
        for (size_t k = 0; k < i; ++k)
            for (size_t j = 0; j < SOOTHI_TILE; ++j) row[j] -= l[i * SOOTHI_TILE + k] * c[k * s->stride + j];
        for (size_t j = 0; j < SOOTHI_TILE; ++j) row[j] /= l[i * SOOTHI_TILE + i];
    }
}

/* Replaces L by its inverse. Diagonal tiles get zeros above the diagonal. */
SOOTHI_LOCAL void soothi_tiles_inverse(sooth_env *env, double *a, size_t n, size_t stride, double *work) {
    soothi_tiles s = {a, work, n, stride, 0, 0, soothi_has_avx2()};
    double *l = work + (SOOTHI_TILE + 1) * stride;
    for (; s.at < n; s.at += s.width) {
        double *tile = a + s.at * stride + s.at;
        s.width = n - s.at < SOOTHI_TILE ? n - s.at : (size_t)SOOTHI_TILE;
        for (size_t i = 0; i < s.width; ++i) {
            for (size_t k = 0; k < s.at; ++k) work[i * stride + k] = -a[(s.at + i) * stride + k];
            memcpy(l + i * SOOTHI_TILE, tile + i * stride, s.width * sizeof *l);
        }
        soothi_parallel(env, s.at / SOOTHI_TILE, soothi_tiles_below, &s);
        for (size_t j = 0; j < s.width; ++j)
            for (size_t i = 0; i < s.width; ++i) {
                double sum = i == j ? 1.0 : 0.0;
                for (size_t k = j; k < i; ++k) sum -= l[i * SOOTHI_TILE + k] * tile[k * stride + j];
                tile[i * stride + j] = i < j ? 0.0 : sum / l[i * SOOTHI_TILE + i];
            }
    }
}

/* Computes the upper triangle U with U U' = a, both n x n by rows of `stride` numbers. Only the upper half of
   a is read. If the square of a diagonal element is at most `tiny` times that of a, its column is 0 and 0 is
   returned. */
SOOTHI_LOCAL int soothi_upper_root(const double *a, double *u, size_t n, size_t stride, double tiny) {
    int definite = 1;
    for (size_t j = n; j-- > 0;)
        for (size_t i = j + 1; i-- > 0;) {
            double sum = a[i * stride + j], *at = u + i * stride + j, *diagonal = u + j * stride + j;
            for (size_t k = j + 1; k < n; ++k) sum -= u[i * stride + k] * u[j * stride + k];
            if (i == j) *at = sum > tiny * a[j * stride + j] ? soothi_sqrt(sum) : 0.0;
            else *at = *diagonal > 0.0 ? sum / *diagonal : 0.0;
            definite &= *diagonal > 0.0;
        }
    return definite;
}

/* ---- condition ---- */

/* Computes a'a, b'b and a'b of n numbers (a multiple of 4), each as soothi_dot4, and (a, b) (c s, -s c). */
#ifdef SOOTHI_HAS_4D
SOOTHI_HOT void soothi_jacobi_dots(const double *a, const double *b, size_t n, double dot[3]) {
    soothi_4d aa = {0, 0, 0, 0}, bb = aa, ab = aa;
    for (size_t i = 0; i < n; i += 4) {
        const soothi_4d u = SOOTHI_4D_GET(a + i), v = SOOTHI_4D_GET(b + i);
        aa = aa + u * u, bb = bb + v * v, ab = ab + u * v;
    }
    dot[0] = SOOTHI_4D_SUM(aa), dot[1] = SOOTHI_4D_SUM(bb), dot[2] = SOOTHI_4D_SUM(ab);
}
SOOTHI_HOT void soothi_jacobi_rotate(double *a, double *b, size_t n, double cosine, double sine) {
    soothi_4d c, s;
    SOOTHI_4D_SPLAT(c, cosine), SOOTHI_4D_SPLAT(s, sine);
    for (size_t i = 0; i < n; i += 4) {
        const soothi_4d u = SOOTHI_4D_GET(a + i), v = SOOTHI_4D_GET(b + i);
        SOOTHI_4D_PUT(a + i, c * u - s * v);
        SOOTHI_4D_PUT(b + i, s * u + c * v);
    }
}
#else
SOOTHI_LOCAL void soothi_jacobi_dots(const double *a, const double *b, size_t n, double dot[3]) {
    dot[0] = soothi_dot4(a, a, n), dot[1] = soothi_dot4(b, b, n), dot[2] = soothi_dot4(a, b, n);
}
SOOTHI_LOCAL void soothi_jacobi_rotate(double *a, double *b, size_t n, double c, double s) {
    for (size_t i = 0; i < n; ++i) {
        const double u = a[i], v = b[i];
        a[i] = c * u - s * v;
        b[i] = s * u + c * v;
    }
}
#endif

/* Rotates two columns of n numbers (a multiple of 4) so that they are orthogonal. Returns 0 if they already
   were. */
SOOTHI_LOCAL int soothi_jacobi_turn(double *a, double *b, size_t n) {
    double dot[3];
    soothi_jacobi_dots(a, b, n, dot);
    const double aa = dot[0], bb = dot[1], ab = dot[2];
    if (!(ab * ab > 1e-30 * aa * bb)) return 0;
    const double zeta = (bb - aa) / (2.0 * ab);
    double t = 1.0 / (soothi_abs(zeta) + soothi_sqrt(1.0 + zeta * zeta));
    if (zeta < 0.0) t = -t;
    const double c = 1.0 / soothi_sqrt(1.0 + t * t);
    soothi_jacobi_rotate(a, b, n, c, c * t);
    return 1;
}

/* Returns the ratio of the largest to the smallest singular value of the leading n x n of a column-major
   upper triangle with p rows. Uses one-sided Jacobi rotations on a copy in work (soothi_condition_work
   numbers). A sweep is n - 1 rounds of pairs that share no column, as in a tournament (Brent and Luk 1985),
   so that pairs are independent. O(n^3) per sweep, few sweeps. */
SOOTHI_LOCAL double soothi_condition(const double *r, size_t p, size_t n, double *work) {
    const size_t rows = (n + 3) / 4 * 4, others = n + n % 2 - 1;
    double least = 0.0, most = 0.0;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < rows; ++i) work[j * rows + i] = i <= j ? r[j * p + i] : 0.0;
    int turned = n > 1;
    for (size_t sweep = 0; sweep < 40 && turned; ++sweep) {
        turned = 0;
        for (size_t round = 0; round < others; ++round)
            for (size_t i = 0; 2 * i < others;
                 ++i) { /* the last column is paired with `round`, round + i with round - i */
                const size_t j = (round + i) % others, k = i ? (round + others - i) % others : others;
                if (k < n) turned |= soothi_jacobi_turn(work + j * rows, work + k * rows, rows);
            }
    }
    for (size_t j = 0; j < n; ++j) {
        const double squares = soothi_dot4(work + j * rows, work + j * rows, rows);
        if (j == 0 || squares < least) least = squares;
        if (squares > most) most = squares;
    }
    return n == 0 ? 1.0 : soothi_sqrt(most) / soothi_sqrt(least);
}

SOOTHI_LOCAL size_t soothi_condition_work(size_t n) { return soothi_product(n, (n + 3) / 4 * 4); }

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
