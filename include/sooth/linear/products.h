/* linear/products.h - squares and products of columns in a linear model, with penalties by leave-one-out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * y = b0 + sum b_j z_j + sum b_jk z_j z_k, j <= k, where z are the standardised columns: the columns of
 * scikit-learn's PolynomialFeatures(degree=2) after a StandardScaler, R's (a + b)^2 with squares, MATLAB's
 * "quadratic". This header has no public functions: linear.h does it with the option `products`.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/linear.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 1, 1, 2, 1, 3, 2, 1, 2, 2, 2, 3, 3, 1, 3, 2, 3, 3}, at[] = {2.5f, 2.5f};
 *         const float y[] = {5, 7, 9, 7, 11, 15, 9, 15, 21};  // 3 + 2 a b
 *         const sooth_table table = sooth_table_of(x, y, 9, 2);
 *         const sooth_linear_options options = {.products = 1};
 *         sooth_linear *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_linear_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.2f, %u product\n", sooth_linear_predict(model, at), model->products);
 *         //> 15.50, 1 product
 *         sooth_linear_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - A column that is constant, or a multiple of an earlier one plus a constant, has no products. A column of
 *   two values has no square.
 * - Products grow fast outside of the training ranges. The transform `clip` bounds the columns there.
 * - If no product lowers the error, the model has none, and is ridge regression.
 * - With the logarithm of the target (log-target), effects multiply, as those of switches of software do.
 * - Root mean square errors on a third of the rows of scikit-learn's sets, means of five draws. RidgeCV is
 *   scikit-learn's, after PolynomialFeatures(2) and a StandardScaler. Software: 14 cases, mean relative error
 *   over that of the best booster, with log-target.
 *
 *                                 plain   products   RidgeCV
 *         diabetes                 55.5       55.9      58.7
 *         friedman1, noise 1       2.63       1.74      1.88
 *         friedman2, noise 100      168       96.8      97.7
 *         friedman3, noise 0.1    0.252      0.173     0.173
 *         software                 1.68       1.15      2.07
 *
 * Method and references
 *
 * All terms are standardised, so that one penalty is fair to all of them. Term k is multiplied by d_k, and
 * ridge regression with the penalty lambda sum b^2 follows. lambda is one of 53 values from 1e-10 to 1e3
 * times the rows. The leave-one-out error of each is exact: the residual of a row over 1 - h, where h is its
 * diagonal element of the hat matrix (Allen: PRESS, Technometrics 16, 1974; Golub, Heath, Wahba:
 * Technometrics 21, 1979; scikit-learn's RidgeCV). The rounding of float sums is added. The candidates for d
 * are
 *
 *   - 1 for columns, and one of 0, 1, 0.3, 0.1, 0.03 for products. Products have a penalty of their own,
 *     because one penalty for all terms is often worse than no products
 *   - up to three times the roots of |b| of the best so far: adaptive ridge, which makes few terms large
 *     (Grandvalet: Least absolute shrinkage is equivalent to quadratic penalization, ICANN 1998). This d has
 *     seen all rows, so its error is optimistic. It must be less by the fraction 1 / sqrt(rows)
 *
 * The candidate of least error is taken. Its error is optimistic, so the model does not state it. At last the
 * products of least |b| are left out, while the root of the sum of their b^2 is below a tenth of the error.
 *
 * With fewer rows n than terms m, everything is done on the n x n matrix of the rows' scalar products. The
 * matrix is made tridiagonal once for each d (Golub and Van Loan, Matrix Computations, section 8.3.1). Each
 * lambda then takes O(n m), without eigenvectors. With more than 2,000 rows, 1,000 to 2,000 of them, evenly
 * spaced, are left out.
 *
 * Cost
 *
 * With r = min(n, m), a candidate takes r^2 m + 4/3 r^3 + 2 n r^2 multiply-adds. There are up to 5
 * candidates, and 3 per target. One core takes 6 ms for 100 rows of 10 columns, 80 ms for 3,000 x 10, 0.4 s
 * for 300 x 60 and 5 s for 3,000 x 40. Scratch is 8 r (m + r) bytes and some.
 */
#ifndef SOOTH_LINEAR_PRODUCTS_H
#define SOOTH_LINEAR_PRODUCTS_H
#endif

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_LINEAR_PRODUCTS_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_LINEAR_PRODUCTS_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_PRODUCTS_LAMBDAS = 53, SOOTHI_PRODUCTS_LEFT_OUT = 2000 };

/* State of a fit. Rows are those with a weight above 0, multiplied by the root of their weight. r is the
   size of the matrix: rows if `dual` is 1, else terms. Arrays over lambdas have the lambda as last index. */
typedef struct soothi_products {
    soothi_linear_job *job;
    size_t rows, terms, pairs, r;
    int dual;
    double weights; /* sum */
    double level;   /* dual: added in the direction of the intercept, which is not penalised */
    uint32_t *row;  /* of the table */
    uint32_t *pair;
    float *mean, *scale;      /* of the columns, as in the model */
    double *centre, *inverse; /* of the terms: mean, and 1 / deviation or 0 */
    double *d;                /* see above */
    double *target_mean;
    double *matrix;      /* r x r: lower triangle, then the reflections */
    double *terms_of;    /* dual: rows x terms; else terms x terms, their scalar products */
    double *with_target; /* scalar products of terms and targets, or the targets of the rows: targets x r */
    double *diagonal, *beside, *reflect; /* of the tridiagonal matrix; the factors of the reflections */
    double *v, *f, *u;
    double *l, *inverse_of, *c; /* of the factor L D L' of each lambda: r each; solutions: targets x r */
    double *wave, *leverage, *fitted, *squares, *norms;
    double *best, *error; /* targets x terms: b; the mean squared leave-one-out error */
} soothi_products;

/* Assigns memory to the arrays, or only counts the bytes. */
SOOTHI_LOCAL size_t soothi_products_lay_out(soothi_products *p, size_t rows, size_t cols, size_t targets,
                                            void *memory) {
    const size_t pairs = soothi_product(cols, cols + 1) / 2, terms = cols + pairs,
                 r = rows < terms ? rows : terms, word = sizeof(double), lambdas = SOOTHI_PRODUCTS_LAMBDAS;
    soothi_carver c = {(unsigned char *)memory, 0};
    p->matrix = (double *)soothi_carve(&c, soothi_product(r, r), word);
    p->terms_of = (double *)soothi_carve(&c, soothi_product(r, terms), word);
    p->with_target = (double *)soothi_carve(&c, soothi_product(targets, r), word);
    p->diagonal = (double *)soothi_carve(&c, r, word);
    p->beside = (double *)soothi_carve(&c, r, word);
    p->reflect = (double *)soothi_carve(&c, r, word);
    p->v = (double *)soothi_carve(&c, r, word);
    p->u = (double *)soothi_carve(&c, r, word);
    p->f = (double *)soothi_carve(&c, terms, word);
    p->centre = (double *)soothi_carve(&c, terms, word);
    p->inverse = (double *)soothi_carve(&c, terms, word);
    p->d = (double *)soothi_carve(&c, terms, word);
    p->target_mean = (double *)soothi_carve(&c, targets, word);
    p->error = (double *)soothi_carve(&c, targets, word);
    p->best = (double *)soothi_carve(&c, soothi_product(targets, terms), word);
    p->l = (double *)soothi_carve(&c, soothi_product(r, lambdas), word);
    p->inverse_of = (double *)soothi_carve(&c, soothi_product(r, lambdas), word);
    p->c = (double *)soothi_carve(&c, soothi_product(soothi_product(targets, r), lambdas), word);
    p->wave = (double *)soothi_carve(&c, lambdas, word);
    p->leverage = (double *)soothi_carve(&c, lambdas, word);
    p->fitted = (double *)soothi_carve(&c, lambdas, word);
    p->squares = (double *)soothi_carve(&c, soothi_product(targets, lambdas), word);
    p->norms = (double *)soothi_carve(&c, soothi_product(targets, lambdas), word);
    p->row = (uint32_t *)soothi_carve(&c, rows, sizeof(uint32_t));
    p->pair = (uint32_t *)soothi_carve(&c, pairs, sizeof(uint32_t));
    p->mean = (float *)soothi_carve(&c, cols, sizeof(float));
    p->scale = (float *)soothi_carve(&c, cols, sizeof(float));
    return c.used;
}

SOOTHI_LOCAL size_t soothi_products_scratch(size_t rows, size_t cols, size_t targets) {
    soothi_products p;
    return soothi_products_lay_out(&p, rows, cols, targets, NULL);
}

/* ---- the terms ---- */

SOOTHI_LOCAL double soothi_products_weight(const soothi_products *p, size_t i) {
    return soothi_linear_weight(p->job, p->row[i]);
}

/* Returns the standardised value of a column in row i. */
SOOTHI_LOCAL double soothi_products_z(const soothi_products *p, size_t i, size_t j) {
    return (soothi_linear_value(p->job, p->row[i], j) - (double)p->mean[j]) * (double)p->scale[j];
}

/* Computes the terms of row i: the columns, then the products. */
SOOTHI_LOCAL void soothi_products_raw(const soothi_products *p, size_t i, double *out) {
    const size_t cols = p->job->cols;
    for (size_t j = 0; j < cols; ++j) out[j] = soothi_products_z(p, i, j);
    for (size_t k = 0; k < p->pairs; ++k) out[cols + k] = out[p->pair[k] >> 16] * out[p->pair[k] & 0xFFFFu];
}

/* The same terms, standardised, times the root of the weight. */
SOOTHI_LOCAL void soothi_products_terms(const soothi_products *p, size_t i, double *out) {
    const double root = soothi_sqrt(soothi_products_weight(p, i));
    soothi_products_raw(p, i, out);
    for (size_t k = 0; k < p->terms; ++k) out[k] = (out[k] - p->centre[k]) * p->inverse[k] * root;
}

SOOTHI_LOCAL double soothi_products_target(const soothi_products *p, size_t i, size_t t) {
    return (soothi_linear_value(p->job, p->row[i], p->job->cols + t) - p->target_mean[t]) *
           soothi_sqrt(soothi_products_weight(p, i));
}

/* Computes mean and 1 / deviation of a column, the latter 0 for a constant. Returns the number of its values:
   1, 2, or 3 for more. */
SOOTHI_LOCAL int soothi_products_column(soothi_products *p, size_t j) {
    double low = 0.0, high = 0.0, mean = 0.0, square = 0.0;
    int between = 0;
    for (size_t i = 0; i < p->rows; ++i) {
        const double x = soothi_linear_value(p->job, p->row[i], j);
        if (i == 0 || x < low) low = x;
        if (i == 0 || x > high) high = x;
        mean += soothi_products_weight(p, i) * x / p->weights;
    }
    for (size_t i = 0; i < p->rows; ++i) {
        const double x = soothi_linear_value(p->job, p->row[i], j), e = x - mean;
        square += soothi_products_weight(p, i) * (e * e) / p->weights;
        between |= x > low && x < high;
    }
    p->mean[j] = (float)mean;
    p->scale[j] = 0.0f;
    if (!(high > low) || !(square > 0.0) || !(1.0 / soothi_sqrt(square) < 1e38)) return 1;
    p->scale[j] = (float)(1.0 / soothi_sqrt(square));
    return between ? 3 : 2;
}

/* Returns 1 if column j is a multiple of an earlier column with products, plus a constant: their correlation
   is 1 or -1, up to rounding of floats. */
SOOTHI_LOCAL int soothi_products_repeats(const soothi_products *p, size_t j, const double *used) {
    for (size_t k = 0; k < j; ++k) {
        double with = 0.0, own = 0.0, other = 0.0, first = 0.0, second = 0.0;
        if (!(used[k] > 0.0)) continue;
        for (size_t i = 0; i < p->rows; ++i) {
            const double w = soothi_products_weight(p, i), a = soothi_products_z(p, i, j),
                         b = soothi_products_z(p, i, k);
            with += w * (a * b);
            own += w * (a * a);
            other += w * (b * b);
            first += w * a / p->weights;
            second += w * b / p->weights;
        }
        with -= p->weights * first * second;
        own -= p->weights * first * first;
        other -= p->weights * second * second;
        if (with * with > (1.0 - 1e-10) * own * other) return 1;
    }
    return 0;
}

/* Chooses the products and standardises all terms. */
SOOTHI_LOCAL void soothi_products_choose(soothi_products *p) {
    const size_t cols = p->job->cols;
    double *used = p->d; /* the number of values of a column, 0 without products */
    for (size_t j = 0; j < cols; ++j) {
        used[j] = (double)soothi_products_column(p, j);
        if (!(used[j] > 1.0) || soothi_products_repeats(p, j, used)) used[j] = 0.0;
    }
    for (size_t j = 0; j < cols; ++j)
        for (size_t k = j; k < cols; ++k)
            if (used[j] > 0.0 && used[k] > 0.0 && (k > j || used[j] > 2.0))
                p->pair[p->pairs++] = (uint32_t)(j << 16 | k);
    p->terms = cols + p->pairs;
    memset(p->centre, 0, p->terms * sizeof *p->centre);
    memset(p->inverse, 0, p->terms * sizeof *p->inverse);
    for (size_t i = 0; i < p->rows; ++i) {
        soothi_products_raw(p, i, p->f);
        for (size_t k = 0; k < p->terms; ++k)
            p->centre[k] += soothi_products_weight(p, i) * p->f[k] / p->weights;
    }
    for (size_t i = 0; i < p->rows; ++i) {
        soothi_products_raw(p, i, p->f);
        for (size_t k = 0; k < p->terms; ++k) {
            const double e = p->f[k] - p->centre[k];
            p->inverse[k] += soothi_products_weight(p, i) * (e * e) / p->weights;
        }
    }
    for (size_t k = 0; k < p->terms; ++k)
        p->inverse[k] = p->inverse[k] > 1e-12 ? 1.0 / soothi_sqrt(p->inverse[k]) : 0.0;
}

/* Computes the terms of all rows, or their scalar products, and those with the targets. */
SOOTHI_LOCAL void soothi_products_gather(soothi_products *p) {
    const size_t m = p->terms, T = p->job->targets;
    for (size_t t = 0; t < T; ++t) {
        p->target_mean[t] = 0.0;
        for (size_t i = 0; i < p->rows; ++i)
            p->target_mean[t] += soothi_products_weight(p, i) *
                                 soothi_linear_value(p->job, p->row[i], p->job->cols + t) / p->weights;
    }
    p->dual = p->rows < m;
    p->r = p->dual ? p->rows : m;
    memset(p->terms_of, 0, p->r * m * sizeof *p->terms_of);
    memset(p->with_target, 0, T * p->r * sizeof *p->with_target);
    for (size_t i = 0; i < p->rows; ++i) {
        double *f = p->dual ? p->terms_of + i * m : p->f;
        soothi_products_terms(p, i, f);
        for (size_t t = 0; t < T; ++t) {
            const double y = soothi_products_target(p, i, t);
            double *out = p->with_target + t * p->r;
            if (p->dual) out[i] = y;
            else
                for (size_t k = 0; k < m; ++k) out[k] += f[k] * y;
        }
        for (size_t k = 0; k < m && !p->dual; ++k) {
            double *SOOTH_RESTRICT out = p->terms_of + k * m;
            for (size_t j = 0; j <= k; ++j) out[j] += f[k] * f[j];
        }
    }
}

/* ---- the tridiagonal matrix ---- */

/* Fills the lower triangle of the matrix for the factors d. */
SOOTHI_LOCAL void soothi_products_fill(soothi_products *p) {
    const size_t r = p->r, m = p->terms;
    double trace = 0.0;
    for (size_t i = 0; i < r; ++i) {
        double *out = p->matrix + i * r;
        const double *from = p->terms_of + i * m;
        if (p->dual) {
            for (size_t k = 0; k < m; ++k) p->f[k] = from[k] * p->d[k] * p->d[k];
            for (size_t j = 0; j <= i; ++j) out[j] = soothi_dot(p->f, p->terms_of + j * m, m);
        } else
            for (size_t j = 0; j <= i; ++j) out[j] = from[j] * p->d[i] * p->d[j];
        trace += out[i];
    }
    p->level = trace;
    for (size_t i = 0; i < r && p->dual; ++i)
        for (size_t j = 0; j <= i; ++j)
            p->matrix[i * r + j] += trace / p->weights * soothi_sqrt(soothi_products_weight(p, i)) *
                                    soothi_sqrt(soothi_products_weight(p, j));
}

/* A = A - v q' - q v' for the leading l x l part, where v is row l and H = 1 - factor v v' is the reflection,
   so that A becomes H A H. */
SOOTHI_LOCAL void soothi_products_two_sided(soothi_products *p, size_t l, double factor) {
    const size_t r = p->r;
    const double *v = p->matrix + l * r;
    double *SOOTH_RESTRICT q = p->u;
    for (size_t j = 0; j < l; ++j) {
        const double *row = p->matrix + j * r, times = v[j];
        q[j] = soothi_dot(row, v, j + 1);
        for (size_t k = 0; k < j; ++k) q[k] += row[k] * times;
    }
    for (size_t j = 0; j < l; ++j) q[j] *= factor;
    const double half = 0.5 * factor * soothi_dot(v, q, l);
    for (size_t j = 0; j < l; ++j) q[j] -= half * v[j];
    for (size_t j = 0; j < l; ++j) {
        double *SOOTH_RESTRICT row = p->matrix + j * r;
        const double a = v[j], b = q[j];
        for (size_t k = 0; k <= j; ++k) row[k] -= a * q[k] + b * v[k];
    }
}

/* Makes the matrix tridiagonal, from its last row. The reflection of row i stays in that row. */
SOOTHI_LOCAL void soothi_products_tridiagonal(soothi_products *p) {
    const size_t r = p->r;
    for (size_t i = r; i-- > 0;) {
        double *row = p->matrix + i * r;
        p->diagonal[i] = row[i];
        p->beside[i] = i ? row[i - 1] : 0.0;
        p->reflect[i] = 0.0;
        if (i < 2) continue;
        const double rest = soothi_dot(row, row, i - 1), all = rest + row[i - 1] * row[i - 1];
        if (!(rest > 0.0)) continue;
        const double length = row[i - 1] > 0.0 ? -soothi_sqrt(all) : soothi_sqrt(all);
        p->beside[i] = length;
        row[i - 1] -= length;
        p->reflect[i] = 2.0 / (rest + row[i - 1] * row[i - 1]);
        soothi_products_two_sided(p, i, p->reflect[i]);
    }
}

/* x = Q' x, or with back = 1 Q x, where Q' A Q is the tridiagonal matrix. */
SOOTHI_LOCAL void soothi_products_rotate(const soothi_products *p, double *SOOTH_RESTRICT x, int back) {
    for (size_t k = 2; k < p->r; ++k) {
        const size_t i = back ? k : p->r + 1 - k;
        const double *v = p->matrix + i * p->r;
        if (!(p->reflect[i] > 0.0)) continue;
        const double times = p->reflect[i] * soothi_dot(v, x, i);
        for (size_t j = 0; j < i; ++j) x[j] -= times * v[j];
    }
}

/* ---- leave-one-out ---- */

/* Returns lambda g. */
SOOTHI_LOCAL double soothi_products_lambda(const soothi_products *p, size_t g) {
    double lambda = 1e-10 * p->weights;
    for (; g; --g) lambda *= 1.7782794100389228; /* 10^(1/4) */
    return lambda;
}

/* Factors the matrix + lambda and solves for all targets, for each lambda. */
SOOTHI_LOCAL void soothi_products_solve(soothi_products *p) {
    const size_t r = p->r, G = SOOTHI_PRODUCTS_LAMBDAS;
    for (size_t g = 0; g < G; ++g) {
        const double lambda = soothi_products_lambda(p, g);
        double pivot = 0.0;
        for (size_t k = 0; k < r; ++k) {
            const double l = k ? p->beside[k] / pivot : 0.0;
            pivot = p->diagonal[k] + lambda - l * p->beside[k];
            if (!(pivot > 1e-3 * lambda)) pivot = 1e-3 * lambda; /* rounding */
            p->l[k * G + g] = l;
            p->inverse_of[k * G + g] = 1.0 / pivot;
        }
    }
    for (size_t t = 0; t < p->job->targets; ++t) {
        double *c = p->c + t * r * G;
        for (size_t k = 0; k < r; ++k)
            p->u[k] = p->dual ? p->with_target[t * r + k] : p->with_target[t * r + k] * p->d[k];
        soothi_products_rotate(p, p->u, 0);
        for (size_t g = 0; g < G; ++g) {
            const double lambda = soothi_products_lambda(p, g);
            double square = 0.0, with = 0.0;
            for (size_t k = 0; k < r; ++k)
                c[k * G + g] = p->u[k] - (k ? p->l[k * G + g] * c[(k - 1) * G + g] : 0.0);
            for (size_t k = r; k-- > 0;) {
                c[k * G + g] *= p->inverse_of[k * G + g];
                if (k + 1 < r) c[k * G + g] -= p->l[(k + 1) * G + g] * c[(k + 1) * G + g];
                square += c[k * G + g] * c[k * G + g];
                with += c[k * G + g] * p->u[k];
            }
            p->norms[t * G + g] = p->dual ? with - lambda * square : square;
        }
    }
}

/* Adds the squared leave-one-out errors of row i to the sums of all targets and lambdas. */
SOOTHI_LOCAL void soothi_products_leave_out(soothi_products *p, size_t i) {
    const size_t r = p->r, G = SOOTHI_PRODUCTS_LAMBDAS;
    const double share = soothi_products_weight(p, i) / p->weights;
    double *SOOTH_RESTRICT wave = p->wave, *SOOTH_RESTRICT leverage = p->leverage;
    if (p->dual) {
        memset(p->v, 0, r * sizeof *p->v);
        p->v[i] = 1.0;
    } else {
        soothi_products_terms(p, i, p->v);
        for (size_t k = 0; k < r; ++k) p->v[k] *= p->d[k];
    }
    soothi_products_rotate(p, p->v, 0);
    memset(wave, 0, G * sizeof *wave);
    memset(leverage, 0, G * sizeof *leverage);
    for (size_t k = 0; k < r; ++k) {
        const double *l = p->l + k * G, *inverse = p->inverse_of + k * G, v = p->v[k];
        for (size_t g = 0; g < G; ++g) {
            wave[g] = v - l[g] * wave[g];
            leverage[g] += wave[g] * wave[g] * inverse[g];
        }
    }
    for (size_t t = 0; t < p->job->targets; ++t) {
        const double y = soothi_products_target(p, i, t);
        double *SOOTH_RESTRICT fitted = p->fitted;
        memset(fitted, 0, G * sizeof *fitted);
        for (size_t k = 0; k < r; ++k) {
            const double *c = p->c + (t * r + k) * G, v = p->v[k];
            for (size_t g = 0; g < G; ++g) fitted[g] += v * c[g];
        }
        for (size_t g = 0; g < G; ++g) {
            const double lambda = soothi_products_lambda(p, g);
            double rest = p->dual ? lambda * leverage[g] - share * lambda / (p->level + lambda)
                                  : 1.0 - share - leverage[g];
            if (!(rest > 1e-15)) rest = 1e-15;
            const double e = (p->dual ? lambda * fitted[g] : y - fitted[g]) / rest;
            p->squares[t * G + g] += e * e;
        }
    }
}

/* Computes b of a target for lambda g. */
SOOTHI_LOCAL void soothi_products_take(soothi_products *p, size_t t, size_t g) {
    const size_t r = p->r, G = SOOTHI_PRODUCTS_LAMBDAS;
    double *b = p->best + t * p->terms;
    for (size_t k = 0; k < r; ++k) p->u[k] = p->c[(t * r + k) * G + g];
    soothi_products_rotate(p, p->u, 1);
    if (p->dual) {
        memset(b, 0, p->terms * sizeof *b);
        for (size_t i = 0; i < r; ++i)
            for (size_t k = 0; k < p->terms; ++k) b[k] += p->u[i] * p->terms_of[i * p->terms + k];
    } else memcpy(b, p->u, r * sizeof *b);
    for (size_t k = 0; k < p->terms; ++k) b[k] *= p->dual ? p->d[k] * p->d[k] : p->d[k];
}

/* Tries the factors d for targets [first, end). Returns 1 if the error of a target falls below `share` of the
   least so far. */
SOOTHI_LOCAL int soothi_products_try(soothi_products *p, size_t first, size_t end, double share) {
    const size_t G = SOOTHI_PRODUCTS_LAMBDAS,
                 step = (p->rows + SOOTHI_PRODUCTS_LEFT_OUT - 1) / SOOTHI_PRODUCTS_LEFT_OUT;
    double weights = 0.0;
    int better = 0;
    soothi_products_fill(p);
    soothi_products_tridiagonal(p);
    soothi_products_solve(p);
    memset(p->squares, 0, p->job->targets * G * sizeof *p->squares);
    for (size_t i = 0; i < p->rows; i += step) {
        soothi_products_leave_out(p, i);
        weights += soothi_products_weight(p, i);
    }
    for (size_t t = first; t < end; ++t) {
        const double least = share * p->error[t];
        size_t best = G;
        for (size_t g = G; g-- > 0;) { /* sums of floats are off by some 2^-22 of b */
            const double error = p->squares[t * G + g] / weights + 5.7e-14 * p->norms[t * G + g];
            if (!(error < least) || !(error < p->error[t])) continue;
            p->error[t] = error;
            best = g;
        }
        if (best < G) soothi_products_take(p, t, best);
        better |= best < G;
    }
    return better;
}

/* Sets d to the roots of |b|, relative to the greatest. Terms below a hundredth are left out. Returns 0 if
   all b are 0. */
SOOTHI_LOCAL int soothi_products_adapt(soothi_products *p, size_t t) {
    const double *b = p->best + t * p->terms;
    double most = 0.0;
    for (size_t k = 0; k < p->terms; ++k)
        if (soothi_abs(b[k]) > most) most = soothi_abs(b[k]);
    for (size_t k = 0; k < p->terms && most > 0.0; ++k) {
        p->d[k] = soothi_sqrt(soothi_abs(b[k]) / most);
        if (p->d[k] < 0.01) p->d[k] = 0.0;
    }
    return most > 0.0;
}

/* Tries all candidates. */
SOOTHI_LOCAL sooth_status soothi_products_search(soothi_products *p) {
    static const double factor[] = {0.0, 1.0, 0.3, 0.1, 0.03};
    static const char stage[] = "choosing the penalties of products";
    const size_t cols = p->job->cols, T = p->job->targets;
    const double share = 1.0 - 1.0 / soothi_sqrt((double)p->rows);
    for (size_t t = 0; t < T; ++t) p->error[t] = SOOTHI_INFINITE;
    for (size_t c = 0; c < (p->pairs ? 5u : 1u); ++c) {
        const sooth_status status = soothi_progress(p->job->env, stage, (double)c / 8.0);
        if (status != SOOTH_OK) return status;
        for (size_t k = 0; k < p->terms; ++k) p->d[k] = k < cols ? 1.0 : factor[c];
        soothi_products_try(p, 0, T, 1.0);
    }
    for (size_t t = 0; t < T; ++t)
        for (size_t c = 5; c < 8 && soothi_products_adapt(p, t); ++c) {
            const sooth_status status = soothi_progress(p->job->env, stage, (double)c / 8.0);
            if (status != SOOTH_OK) return status;
            if (!soothi_products_try(p, t, t + 1, share)) break;
        }
    return SOOTH_OK;
}

/* ---- the model ---- */

/* Leaves out products, those of least |b| first, while what they add is small. Changes the list of pairs, and
   b to the order of the list. */
SOOTHI_LOCAL void soothi_products_drop(soothi_products *p) {
    const size_t cols = p->job->cols, T = p->job->targets;
    double *size = p->f; /* b^2 over the squared error, of the target where it matters most */
    size_t kept = 0;
    for (size_t k = cols; k < p->terms; ++k) {
        size[k] = 0.0;
        for (size_t t = 0; t < T; ++t) {
            const double b = p->best[t * p->terms + k],
                         part = b * b / (p->error[t] > 0.0 ? p->error[t] : 1e-300);
            if (part > size[k]) size[k] = part;
        }
    }
    for (double sum = 0.0;;) {
        size_t least = p->terms;
        for (size_t k = cols; k < p->terms; ++k)
            if (size[k] >= 0.0 && (least == p->terms || size[k] < size[least])) least = k;
        if (least == p->terms || !(sum + size[least] <= 0.01)) break;
        sum += size[least];
        size[least] = -1.0;
    }
    for (size_t k = cols; k < p->terms; ++k) {
        if (size[k] < 0.0) continue;
        p->pair[kept] = p->pair[k - cols];
        p->centre[cols + kept] = p->centre[k];
        p->inverse[cols + kept] = p->inverse[k];
        for (size_t t = 0; t < T; ++t) p->best[t * p->terms + cols + kept] = p->best[t * p->terms + k];
        ++kept;
    }
    p->pairs = kept;
}

SOOTHI_LOCAL void soothi_products_write(const soothi_products *p, sooth_linear *m) {
    const size_t cols = p->job->cols, T = p->job->targets;
    float *offset = (float *)(void *)(m + 1), *mean = offset + T, *slope = mean + cols;
    uint32_t *rank_of = (uint32_t *)(void *)(slope + T * cols);
    float *scale = (float *)(void *)(rank_of + cols + 1);
    uint32_t *pair = (uint32_t *)(void *)(scale + cols);
    float *product = (float *)(void *)(pair + p->pairs);
    double *intercept = (double *)(void *)((unsigned char *)m + m->head.doubles_at),
           *coefficient = intercept + T;
    m->head.features = (uint32_t)cols;
    m->head.targets = (uint32_t)T;
    m->method = SOOTH_LINEAR_RIDGE;
    m->rank = 1;
    m->rows = (uint32_t)p->rows;
    m->intercept = 1;
    m->products = (uint32_t)p->pairs;
    for (size_t j = 0; j < cols; ++j)
        if (p->scale[j] > 0.0f) rank_of[j] = ++m->rank;
    rank_of[cols] = 1;
    memcpy(mean, p->mean, cols * sizeof *mean);
    if (p->pairs) memcpy(scale, p->scale, cols * sizeof *scale);
    if (p->pairs) memcpy(pair, p->pair, p->pairs * sizeof *pair);
    for (size_t t = 0; t < T; ++t) {
        const double *b = p->best + t * p->terms;
        double at_mean = p->target_mean[t], at_zero;
        for (size_t k = 0; k < cols + p->pairs; ++k) at_mean -= b[k] * p->inverse[k] * p->centre[k];
        at_zero = at_mean;
        for (size_t j = 0; j < cols; ++j) {
            const double c = b[j] * p->inverse[j] * (double)p->scale[j];
            coefficient[t * cols + j] = c;
            slope[t * cols + j] = (float)c;
            at_zero -= c * (double)mean[j];
        }
        for (size_t k = 0; k < p->pairs; ++k)
            product[t * p->pairs + k] = (float)(b[cols + k] * p->inverse[cols + k]);
        offset[t] = (float)at_mean;
        intercept[t] = at_zero;
    }
}

/* Rejects a model if its prediction could overflow a float for a row within the ranges of the columns. */
SOOTHI_LOCAL sooth_status soothi_products_bounded(soothi_products *p, const sooth_linear *m) {
    const size_t cols = p->job->cols;
    double *most = p->f;
    char buffer[32];
    memset(most, 0, cols * sizeof *most);
    for (size_t i = 0; i < p->rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            const double e = soothi_abs(soothi_linear_value(p->job, p->row[i], j) - (double)p->mean[j]);
            if (e > most[j]) most[j] = e;
        }
    for (size_t t = 0; t < m->head.targets; ++t) {
        double sum = soothi_abs((double)soothi_linear_offset(m)[t]), greatest = 0.0, coefficient = 0.0;
        size_t column = 0;
        for (size_t k = 0; k < cols + p->pairs; ++k) {
            const size_t a = k < cols ? k : p->pair[k - cols] >> 16,
                         b = k < cols ? k : p->pair[k - cols] & 0xFFFFu;
            const float c = k < cols ? soothi_linear_slope(m)[t * cols + k]
                                     : soothi_linear_product(m)[t * m->products + k - cols];
            const double reach = k < cols ? most[a]
                                          : most[a] * (double)p->scale[a] * (most[b] * (double)p->scale[b]),
                         part = soothi_abs((double)c) * reach;
            sum += part > reach ? part : reach;
            if (!(part > greatest)) continue;
            greatest = part;
            column = a;
            coefficient = p->best[t * p->terms + k] * p->inverse[k] * (k < cols ? (double)p->scale[k] : 1.0);
        }
        if (sum < 3e38) continue;
        sooth_text_format(buffer, sizeof buffer, "column %z", column + 1);
        return sooth_fail(p->job->env, SOOTH_BAD_DATA,
                          "%s has the coefficient %G and values up to %G from their mean, so predictions "
                          "overflow a float; scale the columns or divide the targets",
                          p->job->table ? soothi_column(p->job->table, column, buffer) : buffer, coefficient,
                          most[column]);
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_products_deliver(soothi_products *p, sooth_linear **model) {
    const soothi_linear_job *job = p->job;
    uint64_t words, doubles;
    soothi_products_drop(p);
    soothi_linear_regions(job->cols, job->targets, p->pairs, 0, &words, &doubles);
    sooth_linear *made = (sooth_linear *)soothi_block_new(
        job->env, SOOTH_KIND_LINEAR, p->pairs ? SOOTH_LINEAR_VERSION : 1, (size_t)words, (size_t)doubles, 0);
    if (!made) return sooth_no_memory(job->env, "a linear model", (size_t)(words + doubles));
    soothi_products_write(p, made);
    soothi_block_seal(&made->head);
    const sooth_status status = soothi_products_bounded(p, made);
    if (status == SOOTH_OK) *model = made;
    else sooth_linear_free(job->env, made);
    return status;
}

SOOTHI_LOCAL sooth_status soothi_products_fit(soothi_linear_job *job, sooth_linear **model) {
    const size_t size = soothi_products_scratch(job->rows, job->cols, job->targets);
    soothi_products p;
    if (job->cols > SOOTH_LINEAR_MAX_PRODUCT_COLUMNS)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the table has %z columns, but products=1 needs at most %u; leave out columns, or "
                          "products",
                          job->cols, (uint32_t)SOOTH_LINEAR_MAX_PRODUCT_COLUMNS);
    void *memory = sooth_alloc(job->env, size, 1);
    if (!memory) return sooth_no_memory(job->env, "products of columns", size);
    memset(&p, 0, sizeof p);
    soothi_products_lay_out(&p, job->rows, job->cols, job->targets, memory);
    p.job = job;
    job->constant = 0;
    job->q = job->cols; /* of soothi_linear_value */
    for (size_t i = 0; i < job->rows; ++i)
        if (soothi_linear_weight(job, i) > 0.0) {
            p.row[p.rows++] = (uint32_t)i;
            p.weights += soothi_linear_weight(job, i);
        }
    soothi_products_choose(&p);
    soothi_products_gather(&p);
    sooth_status status = soothi_products_search(&p);
    if (status == SOOTH_OK) status = soothi_products_deliver(&p, model);
    sooth_free(job->env, memory, size, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
