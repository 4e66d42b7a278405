/* stats/correlate.h - correlations of columns: Pearson, Spearman, Kendall, and feature selection by them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The coefficients and their uses are in stats.h.
 */
#if !defined(SOOTH_STATS_CORRELATE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_CORRELATE_IMPLEMENTED))
#include "../base.h"
#include "../base/reduce.h"
#endif

#if !defined(SOOTH_STATS_CORRELATE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_STATS_CORRELATE_H
SOOTHI_C_BEGIN

typedef enum sooth_correlate_kind {
    SOOTH_CORRELATE_PEARSON = 0,
    SOOTH_CORRELATE_SPEARMAN,
    SOOTH_CORRELATE_KENDALL,
    SOOTH_CORRELATE_KINDS
} sooth_correlate_kind;

typedef struct sooth_correlation {
    double r;        /* -1 to 1, or NaN */
    double p;        /* two-sided, or NaN */
    size_t rows;     /* rows with both values */
    uint32_t column; /* feature index; 0 from sooth_correlate_pair */
} sooth_correlation;

/* Computes the correlation of x[i * x_stride] with y[i * y_stride], i below count. r equals SciPy's pearsonr,
   spearmanr, kendalltau, and so does p:
   - Pearson and Spearman: from Student's t with n - 2 degrees of freedom (1 for n = 2: two points are always
     on a line).
   - Kendall: exact if no values are equal and n is at most 33, or at most one pair is out of order. Otherwise
     from the normal distribution with the variance corrected for ties (Kendall, Rank Correlation Methods, 4th
     edition 1970).
   Returns SOOTH_BAD_DATA if fewer than 2 rows have both values, or if a value is infinite. */
SOOTH_API sooth_status sooth_correlate_pair(sooth_env *env, const float *x, size_t x_stride, const float *y,
                                            size_t y_stride, size_t count, sooth_correlate_kind kind,
                                            sooth_correlation *out);

/* Computes the correlations of all pairs of columns. r is cols x cols; p has the same shape, or is NULL. The
   matrix is symmetric, with 1 (NaN for a constant column) on its diagonal. With missing values it may not be
   positive definite, because correlations then use different rows. With env->reduce_fn the rows of all
   processes are used. */
SOOTH_API sooth_status sooth_correlate_matrix(sooth_env *env, const sooth_table *table,
                                              sooth_correlate_kind kind, double *r, double *p);

/* Computes the correlations of all columns with target `target` (from 0). The array out receives cols
   correlations by descending |r|, ties in the order of the columns, NaN last. With env->reduce_fn the rows of
   all processes are used. */
SOOTH_API sooth_status sooth_correlate_rank(sooth_env *env, const sooth_table *table, size_t target,
                                            sooth_correlate_kind kind, sooth_correlation *out);

/* Drops features until no two remaining ones have |r| above `limit` (0 to 1; 0.85 in the paper). r is the
   cols x cols matrix. The array keep is 1 for every candidate; dropped ones become 0, so that a filter by
   Pearson can be followed by one by Kendall. The first feature is kept, and all features too close to it are
   dropped; this repeats with the remaining ones. The order is that of `rank` from sooth_correlate_rank (only
   `column` is used): of similar features, the one with the most information about the target remains. Ranked
   by |Kendall| with the power, this reproduces the choices that the paper lists without explanation, on its
   published measurements. With rank NULL, for data without a target, the next feature is the one with the
   most remaining features too close to it, the earlier column if tied. NaN in r counts as uncorrelated:
   constant columns are kept. Nothing is allocated. Time is O(cols^2), without rank O(cols^3) at worst. */
SOOTH_API sooth_status sooth_correlate_filter(sooth_env *env, const double *r, size_t cols,
                                              const sooth_correlation *rank, double limit,
                                              unsigned char *keep);

SOOTHI_C_END
#endif /* SOOTH_STATS_CORRELATE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_STATS_CORRELATE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_STATS_CORRELATE_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_CORRELATE_EXACT 33 /* max rows for which Kendall's p counts permutations, as in SciPy */

/* ---- Kendall: inversions ---- */

/* Merges the sorted runs from[0..left) and from[left..n) into `to`. Returns the number of inversions: an item
   of the right run that goes first passes all remaining items of the left run. */
SOOTHI_LOCAL uint64_t soothi_correlate_merge(const uint64_t *from, size_t left, size_t n, uint64_t *to) {
    uint64_t falling = 0;
    size_t i = 0, j = left, k = 0;
    while (i < left && j < n) {
        falling += from[i] <= from[j] ? 0 : left - i;
        to[k++] = from[i] <= from[j] ? from[i++] : from[j++];
    }
    memcpy(to + k, from + i, (left - i) * sizeof *to);
    memcpy(to + k + (left - i), from + j, (n - j) * sizeof *to);
    return falling;
}

/* Merge-sorts key[0..n), with a buffer of n more. Returns the number of inversions. */
SOOTHI_LOCAL uint64_t soothi_correlate_sort(uint64_t *key, uint64_t *buffer, size_t n) {
    uint64_t *from = key, *to = buffer, falling = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t left = width < n - at ? width : n - at, both = 2 * width < n - at ? 2 * width : n - at;
            falling += soothi_correlate_merge(from + at, left, both, to + at);
        }
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != key) memcpy(key, from, n * sizeof *key);
    return falling;
}

/* ---- one correlation ---- */

/* Memory of one worker, for one correlation of n rows. */
typedef struct soothi_correlate_scratch {
    double *a, *b; /* values of the complete rows */
    uint64_t *key, *buffer;
} soothi_correlate_scratch;

SOOTHI_LOCAL soothi_correlate_scratch soothi_correlate_scratch_of(double *memory, size_t n, size_t worker) {
    double *a = memory + worker * 4 * n;
    uint64_t *key = (uint64_t *)(void *)(a + 2 * n);
    soothi_correlate_scratch s = {a, a + n, key, key + n};
    return s;
}

/* Copies the complete rows to s->a and s->b; returns their number. */
SOOTHI_LOCAL size_t soothi_correlate_gather(const float *x, size_t x_stride, const float *y, size_t y_stride,
                                            size_t count, const soothi_correlate_scratch *s) {
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        s->a[n] = (double)x[i * x_stride];
        s->b[n] = (double)y[i * y_stride];
        n += !soothi_nan(s->a[n]) && !soothi_nan(s->b[n]);
    }
    return n;
}

/* Replaces values by their ranks from 1; equal values share their mean rank. */
SOOTHI_LOCAL void soothi_correlate_ranks(double *a, size_t n, uint64_t *key, uint64_t *buffer) {
    size_t end;
    for (size_t i = 0; i < n; ++i) key[i] = soothi_entry((float)a[i], i);
    soothi_entry_sort(key, buffer, n);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && key[end] >> 32 == key[i] >> 32;) ++end;
        for (size_t k = i; k < end; ++k) a[soothi_entry_row(key[k])] = 0.5 * ((double)(i + 1) + (double)end);
    }
}

/* Shifts a to mean 0 and returns the sum of its squares. It is exactly 0 for constant values, because they
   are taken relative to the first. Multiples of 1/2, such as ranks, stay exact. */
SOOTHI_LOCAL double soothi_correlate_centre(double *a, size_t n) {
    double origin = a[0];
    for (size_t i = 0; i < n; ++i) a[i] -= origin;
    double mean = soothi_sum(a, n) / (double)n;
    for (size_t i = 0; i < n; ++i) a[i] -= mean;
    return soothi_dot(a, a, n);
}

/* P(|R| >= |r|): t = r sqrt((n - 2) / (1 - r^2)) has Student's distribution with n - 2 degrees of freedom. */
SOOTHI_LOCAL double soothi_correlate_p(double r, size_t n) {
    double rest = (1.0 - r) * (1.0 + r);
    if (n <= 2) return 1.0;
    if (!(rest > 0.0)) return 0.0;
    return 2.0 * sooth_t_cdf(-soothi_abs(r) * soothi_sqrt((double)(n - 2) / rest), (double)(n - 2));
}

SOOTHI_LOCAL double soothi_correlate_clamp(double r) { return r > 1.0 ? 1.0 : r < -1.0 ? -1.0 : r; }

/* Computes r and p from two centred vectors and their sums of squares, if neither is constant. A single root
   of the product makes r exactly 1 if b is a multiple of a. */
SOOTHI_LOCAL void soothi_correlate_dot(const double *a, double squares_a, const double *b, double squares_b,
                                       size_t n, sooth_correlation *out) {
    if (!(squares_a > 0.0) || !(squares_b > 0.0)) return;
    out->r = soothi_correlate_clamp(soothi_dot(a, b, n) / soothi_sqrt(squares_a * squares_b));
    out->p = soothi_correlate_p(out->r, n);
}

/* ---- Kendall ---- */

/* Tie corrections of tau-b and its variance: sums over the groups of t equal values. */
typedef struct soothi_correlate_ties {
    uint64_t pairs; /* t (t - 1) / 2 */
    double third;   /* t (t - 1) (t - 2) */
    double fifth;   /* t (t - 1) (2 t + 5) */
} soothi_correlate_ties;

/* Counts ties of sorted keys, comparing only the bits from `shift` up. */
SOOTHI_LOCAL soothi_correlate_ties soothi_correlate_count_ties(const uint64_t *key, size_t n,
                                                               unsigned shift) {
    soothi_correlate_ties ties = {0, 0.0, 0.0};
    size_t end;
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && key[end] >> shift == key[i] >> shift;) ++end;
        double t = (double)(end - i);
        ties.pairs += (uint64_t)(end - i) * (end - i - 1) / 2;
        ties.third += t * (t - 1.0) * (t - 2.0);
        ties.fifth += t * (t - 1.0) * (2.0 * t + 5.0);
    }
    return ties;
}

/* Returns 2 P(at most c inversions among n rows) for uniform permutations; c is at most half of the pairs.
   Q(j, k) is the probability of k inversions among j rows (Kendall, Biometrika 30, 1938): Q(j, k) = (Q(j - 1,
   k) + Q(j - 1, k - 1) + ... + Q(j - 1, k - j + 1)) / j. */
SOOTHI_LOCAL double soothi_correlate_exact(size_t n, uint64_t c) {
    double q[SOOTHI_CORRELATE_EXACT * (SOOTHI_CORRELATE_EXACT - 1) / 4 + 1], p = 0.0;
    size_t j, most = (size_t)c;
    if (n > SOOTHI_CORRELATE_EXACT) { /* c is 0 or 1: 1 / n! and n / n! */
        for (p = 2.0, j = 2; j <= n - most && p > 0.0; ++j) p /= (double)j;
        return p;
    }
    for (size_t k = 0; k <= most; ++k) q[k] = k == 0;
    for (j = 2; j <= n; ++j) {
        for (size_t k = 1; k <= most; ++k) q[k] += q[k - 1];
        for (size_t k = most; k >= j; --k) q[k] -= q[k - j];
        for (size_t k = 0; k <= most; ++k) q[k] /= (double)j;
    }
    for (size_t k = 0; k <= most; ++k) p += q[k];
    return p < 0.5 ? 2.0 * p : 1.0;
}

/* Knight's method (Journal of the American Statistical Association 61, 1966). With rows sorted by x and then
   y, the pairs in opposite order are the inversions of y, which sorting by y counts. */
SOOTHI_LOCAL void soothi_correlate_kendall(const soothi_correlate_scratch *s, size_t n,
                                           sooth_correlation *out) {
    uint64_t all = (uint64_t)n * (n - 1) / 2;
    double m = (double)n * (double)(n - 1);
    for (size_t i = 0; i < n; ++i) s->key[i] = soothi_entry((float)s->a[i], soothi_key((float)s->b[i]));
    soothi_correlate_sort(s->key, s->buffer, n);
    soothi_correlate_ties tx = soothi_correlate_count_ties(s->key, n, 32);
    uint64_t both = soothi_correlate_count_ties(s->key, n, 0).pairs;
    for (size_t i = 0; i < n; ++i) s->key[i] = (uint32_t)s->key[i];
    uint64_t opposite = soothi_correlate_sort(s->key, s->buffer, n);
    soothi_correlate_ties ty = soothi_correlate_count_ties(s->key, n, 0);
    if (tx.pairs == all || ty.pairs == all) return;                                   /* constant */
    double same = (double)(int64_t)(all - tx.pairs - ty.pairs + both - 2 * opposite); /* minus opposite */
    out->r = soothi_correlate_clamp(same / soothi_sqrt((double)(all - tx.pairs) * (double)(all - ty.pairs)));
    if (opposite > all - opposite) opposite = all - opposite;
    if (tx.pairs == 0 && ty.pairs == 0 && (n <= SOOTHI_CORRELATE_EXACT || opposite <= 1)) {
        out->p = soothi_correlate_exact(n, opposite);
    } else {
        double variance = (m * (2.0 * (double)n + 5.0) - tx.fifth - ty.fifth) / 18.0 +
                          2.0 * (double)tx.pairs * (double)ty.pairs / m;
        if (n > 2) variance += tx.third * ty.third / (9.0 * m * (double)(n - 2));
        out->p = 2.0 * sooth_normal_cdf(-soothi_abs(same) / soothi_sqrt(variance));
    }
}

/* Returns an undefined correlation of n rows. */
SOOTHI_LOCAL sooth_correlation soothi_correlate_none(size_t n) {
    const sooth_correlation none = {SOOTHI_NAN, SOOTHI_NAN, n, 0};
    return none;
}

/* Computes the correlation of two columns. */
SOOTHI_LOCAL void soothi_correlate_one(sooth_correlate_kind kind, const soothi_correlate_scratch *s,
                                       const float *x, size_t x_stride, const float *y, size_t y_stride,
                                       size_t count, sooth_correlation *out) {
    const size_t n = soothi_correlate_gather(x, x_stride, y, y_stride, count, s);
    *out = soothi_correlate_none(n);
    if (n < 2) return;
    if (kind == SOOTH_CORRELATE_KENDALL) {
        soothi_correlate_kendall(s, n, out);
        return;
    }
    if (kind == SOOTH_CORRELATE_SPEARMAN) {
        soothi_correlate_ranks(s->a, n, s->key, s->buffer);
        soothi_correlate_ranks(s->b, n, s->key, s->buffer);
    }
    double squares_a = soothi_correlate_centre(s->a, n);
    double squares_b = soothi_correlate_centre(s->b, n);
    soothi_correlate_dot(s->a, squares_a, s->b, squares_b, n, out);
}

SOOTHI_LOCAL sooth_status soothi_correlate_check(sooth_env *env, sooth_correlate_kind kind, size_t rows) {
    if ((uint32_t)kind >= SOOTH_CORRELATE_KINDS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kind is %u, but must be below %u", (uint32_t)kind,
                          (uint32_t)SOOTH_CORRELATE_KINDS);
    if (rows < 2 || rows > UINT32_MAX / 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "a correlation needs 2 to 2^31 - 1 rows, but there %s %z",
                          rows == 1 ? "is" : "are", rows);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_correlate_pair(sooth_env *env, const float *x, size_t x_stride, const float *y,
                                            size_t y_stride, size_t count, sooth_correlate_kind kind,
                                            sooth_correlation *out) {
    sooth_status status = soothi_correlate_check(env, kind, count);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i) {
        double a = (double)x[i * x_stride], b = (double)y[i * y_stride];
        if ((!soothi_finite(a) && !soothi_nan(a)) || (!soothi_finite(b) && !soothi_nan(b)))
            status = sooth_fail(env, SOOTH_BAD_DATA, "row %z has an infinite value", i + 1);
    }
    if (status != SOOTH_OK) return status;
    double *memory = (double *)sooth_alloc(env, count, 4 * sizeof(double));
    if (!memory) return sooth_no_memory(env, "a correlation", soothi_product(count, 4 * sizeof(double)));
    soothi_correlate_scratch scratch = soothi_correlate_scratch_of(memory, count, 0);
    soothi_correlate_one(kind, &scratch, x, x_stride, y, y_stride, count, out);
    sooth_free(env, memory, count, 4 * sizeof(double));
    if (out->rows < 2)
        return sooth_fail(env, SOOTH_BAD_DATA, "a correlation needs 2 rows with both values, but there %s %z",
                          out->rows == 1 ? "is" : "are", out->rows);
    return SOOTH_OK;
}

/* ---- many correlations ---- */

/* State of a matrix (target NULL) or of a ranking. */
typedef struct soothi_correlate_work {
    const sooth_table *table;
    const float *target; /* NULL, or the first value of the target */
    sooth_correlate_kind kind;
    double *r, *p;          /* results of a matrix */
    sooth_correlation *out; /* results of a ranking */
    double *scratch;        /* 4 rows per worker */
    double *centred;        /* for a matrix by Pearson or Spearman: columns ready for dot products */
    double *squares;        /* sum of squares of each; NaN if a value is missing */
} soothi_correlate_work;

/* Prepares column j if it has no missing values. */
SOOTHI_LOCAL void soothi_correlate_prepare(void *arg, size_t j, size_t worker) {
    soothi_correlate_work *work = (soothi_correlate_work *)arg;
    const sooth_table *table = work->table;
    size_t n = table->rows;
    soothi_correlate_scratch s = soothi_correlate_scratch_of(work->scratch, n, worker);
    double *a = work->centred + j * n;
    work->squares[j] = SOOTHI_NAN;
    for (size_t i = 0; i < n; ++i) {
        a[i] = (double)table->x[i * table->stride + j];
        if (soothi_nan(a[i])) return;
    }
    if (work->kind == SOOTH_CORRELATE_SPEARMAN) soothi_correlate_ranks(a, n, s.key, s.buffer);
    work->squares[j] = soothi_correlate_centre(a, n);
}

/* Computes row i of the matrix up to its diagonal, and with it column i. */
SOOTHI_LOCAL void soothi_correlate_line(void *arg, size_t i, size_t worker) {
    soothi_correlate_work *work = (soothi_correlate_work *)arg;
    const sooth_table *table = work->table;
    const float *x = table->x;
    size_t n = table->rows, d = table->cols, stride = table->stride;
    soothi_correlate_scratch s = soothi_correlate_scratch_of(work->scratch, n, worker);
    for (size_t j = 0; j <= i; ++j) {
        sooth_correlation c = soothi_correlate_none(n);
        if (!work->centred || soothi_nan(work->squares[i]) || soothi_nan(work->squares[j]))
            soothi_correlate_one(work->kind, &s, x + i, stride, x + j, stride, n, &c);
        else
            soothi_correlate_dot(work->centred + i * n, work->squares[i], work->centred + j * n,
                                 work->squares[j], n, &c);
        work->r[i * d + j] = work->r[j * d + i] = c.r;
        if (work->p) work->p[i * d + j] = work->p[j * d + i] = c.p;
    }
}

/* Correlates column j with the target. */
SOOTHI_LOCAL void soothi_correlate_target(void *arg, size_t j, size_t worker) {
    soothi_correlate_work *work = (soothi_correlate_work *)arg;
    const sooth_table *table = work->table;
    soothi_correlate_scratch s = soothi_correlate_scratch_of(work->scratch, table->rows, worker);
    soothi_correlate_one(work->kind, &s, table->x + j, table->stride, work->target, table->targets,
                         table->rows, &work->out[j]);
    work->out[j].column = (uint32_t)j;
}

/* Runs a task per column, with memory for the workers and for `prepared` columns. */
SOOTHI_LOCAL sooth_status soothi_correlate_columns(sooth_env *env, soothi_correlate_work *work,
                                                   size_t prepared, sooth_task *task) {
    const size_t rows = work->table->rows, cols = work->table->cols;
    const size_t scratch = soothi_product(4, soothi_workers(env));
    const size_t doubles = soothi_product(rows + 1, scratch < SIZE_MAX / 2 ? scratch + prepared : scratch);
    double *memory = (double *)sooth_alloc(env, doubles, sizeof(double));
    if (!memory) return sooth_no_memory(env, "correlations", soothi_product(doubles, sizeof(double)));
    work->scratch = memory + (rows + 1) * prepared;
    if (prepared) {
        work->centred = memory;
        work->squares = memory + rows * prepared;
        soothi_parallel(env, cols, soothi_correlate_prepare, work);
    }
    soothi_parallel(env, cols, task, work);
    sooth_free(env, memory, doubles, sizeof(double));
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_correlate_matrix(sooth_env *env, const sooth_table *table,
                                              sooth_correlate_kind kind, double *r, double *p) {
    soothi_correlate_work work = {table, NULL, kind, r, p, NULL, NULL, NULL, NULL};
    if (soothi_ranks(env) > 1) {
        sooth_table whole;
        sooth_env alone;
        const sooth_status gathered = soothi_gather(env, table, &whole, &alone);
        if (gathered != SOOTH_OK) return gathered;
        return soothi_gather_end(env, &alone, &whole, sooth_correlate_matrix(&alone, &whole, kind, r, p));
    }
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_ALLOW_MISSING);
    if (status == SOOTH_OK) status = soothi_correlate_check(env, kind, table->rows);
    if (status != SOOTH_OK) return status;
    return soothi_correlate_columns(env, &work, kind == SOOTH_CORRELATE_KENDALL ? 0 : table->cols,
                                    soothi_correlate_line);
}

/* Returns |r|, or -1 if r is NaN. */
SOOTHI_LOCAL double soothi_correlate_strength(const sooth_correlation *c) {
    return soothi_nan(c->r) ? -1.0 : soothi_abs(c->r);
}

/* Insertion sort keeps the order of ties; columns are few compared to rows. */
SOOTHI_LOCAL void soothi_correlate_order(sooth_correlation *out, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        const sooth_correlation c = out[i];
        const double strength = soothi_correlate_strength(&c);
        size_t j = i;
        for (; j > 0 && strength > soothi_correlate_strength(&out[j - 1]); --j) out[j] = out[j - 1];
        out[j] = c;
    }
}

SOOTH_API sooth_status sooth_correlate_rank(sooth_env *env, const sooth_table *table, size_t target,
                                            sooth_correlate_kind kind, sooth_correlation *out) {
    soothi_correlate_work work = {table, NULL, kind, NULL, NULL, out, NULL, NULL, NULL};
    if (soothi_ranks(env) > 1) {
        sooth_table whole;
        sooth_env alone;
        const sooth_status gathered = soothi_gather(env, table, &whole, &alone);
        if (gathered != SOOTH_OK) return gathered;
        return soothi_gather_end(env, &alone, &whole,
                                 sooth_correlate_rank(&alone, &whole, target, kind, out));
    }
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_NEED_TARGETS);
    if (status == SOOTH_OK) status = soothi_correlate_check(env, kind, table->rows);
    if (status != SOOTH_OK) return status;
    if (target >= table->targets)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "target is %z, but must be below %z", target,
                          table->targets);
    work.target = table->y + target;
    status = soothi_correlate_columns(env, &work, 0, soothi_correlate_target);
    if (status == SOOTH_OK) soothi_correlate_order(out, table->cols);
    return status;
}

/* ---- filter ---- */

enum { SOOTHI_CORRELATE_DROPPED = 0, SOOTHI_CORRELATE_OPEN, SOOTHI_CORRELATE_KEPT };

/* Sets the partners of feature i (open features too close to it) to `as`; returns their number. */
SOOTHI_LOCAL size_t soothi_correlate_partners(const double *r, size_t cols, size_t i, double limit,
                                              unsigned char *keep, unsigned char as) {
    size_t count = 0;
    for (size_t j = 0; j < cols; ++j) {
        if (j == i || keep[j] != SOOTHI_CORRELATE_OPEN || !(soothi_abs(r[i * cols + j]) > limit)) continue;
        keep[j] = as;
        ++count;
    }
    return count;
}

/* Returns the open feature with the most partners, or cols if none is open. */
SOOTHI_LOCAL size_t soothi_correlate_hub(const double *r, size_t cols, double limit, unsigned char *keep) {
    size_t hub = cols, most = 0;
    for (size_t i = 0; i < cols; ++i) {
        if (keep[i] != SOOTHI_CORRELATE_OPEN) continue;
        size_t partners = soothi_correlate_partners(r, cols, i, limit, keep, SOOTHI_CORRELATE_OPEN);
        if (hub == cols || partners > most) {
            hub = i;
            most = partners;
        }
    }
    return hub;
}

/* Keeps feature i if it is open, and drops its partners. */
SOOTHI_LOCAL void soothi_correlate_keep(const double *r, size_t cols, size_t i, double limit,
                                        unsigned char *keep) {
    if (keep[i] != SOOTHI_CORRELATE_OPEN) return;
    keep[i] = SOOTHI_CORRELATE_KEPT;
    soothi_correlate_partners(r, cols, i, limit, keep, SOOTHI_CORRELATE_DROPPED);
}

SOOTH_API sooth_status sooth_correlate_filter(sooth_env *env, const double *r, size_t cols,
                                              const sooth_correlation *rank, double limit,
                                              unsigned char *keep) {
    size_t i;
    if (!(limit >= 0.0 && limit <= 1.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "limit is %g, but must be between 0 and 1", limit);
    for (i = 0; rank && i < cols; ++i)
        if (rank[i].column >= cols)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "rank[%z].column is %u, but must be below %z", i,
                              rank[i].column, cols);
    for (i = 0; i < cols; ++i) keep[i] = keep[i] ? SOOTHI_CORRELATE_OPEN : SOOTHI_CORRELATE_DROPPED;
    for (i = 0; rank && i < cols; ++i) soothi_correlate_keep(r, cols, rank[i].column, limit, keep);
    while ((i = soothi_correlate_hub(r, cols, limit, keep)) < cols)
        soothi_correlate_keep(r, cols, i, limit, keep);
    for (i = 0; i < cols; ++i) keep[i] = keep[i] == SOOTHI_CORRELATE_KEPT;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
