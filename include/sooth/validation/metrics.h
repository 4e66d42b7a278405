/* validation/metrics.h - errors of predictions and intervals, skill over a baseline, two-class probabilities.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The definitions are in validation.h. Sums are double, over 256 rows and then over those sums, which keeps
 * rounding small.
 */
#if !defined(SOOTH_VALIDATION_METRICS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_METRICS_IMPLEMENTED))
#include "../base.h"
#include "../base/order.h"
#endif

#if !defined(SOOTH_VALIDATION_METRICS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_VALIDATION_METRICS_H
SOOTHI_C_BEGIN

/* Denominator of percentage errors; see above. */
typedef enum sooth_metrics_denominator {
    SOOTH_METRICS_ACTUAL = 0,
    SOOTH_METRICS_PREDICTED,
    SOOTH_METRICS_SYMMETRIC
} sooth_metrics_denominator;

typedef struct sooth_metrics_options {
    uint32_t denominator; /* a sooth_metrics_denominator */
    uint32_t stride;      /* floats from one value to the next (not of weights): T for T targets; 0 means 1 */
    double floor;         /* minimum denominator, in the unit of the target; 0 means none */
    double quantile;      /* of the pinball loss, in 0..1; 0 means 0.5 */
    const float *lower;   /* lower end of the interval of each row, may be -infinity; NULL means no
                             intervals */
    const float *upper;   /* upper end */
} sooth_metrics_options;

/* With e = p - y, and means weighted by row weights. Undefined values are NaN: r2 of a single row, mape if
   every row is excluded, interval metrics without intervals. */
typedef struct sooth_metrics {
    size_t rows;               /* rows of weight above 0 */
    double weight;             /* sum of their weights */
    double mae;                /* mean of |e| */
    double mse;                /* mean of e^2 */
    double rmse;               /* its square root */
    double median_error;       /* median of |e|; the mean of the middle two for an even number of rows */
    double max_error;          /* largest |e| */
    double bias;               /* mean of e; positive if the predictions are too high */
    double r2;                 /* 1 - sum e^2 / sum (y - mean y)^2 */
    double explained_variance; /* 1 - var e / var y: r2 without the effect of a constant bias */
    double mape;               /* mean of |e| / denominator, a fraction: 0.09 is 9 % */
    double relative_bias;      /* mean of e / denominator; the negative of the printed eq. 1 above */
    size_t zeros;              /* rows whose denominator is 0 */
    size_t floored;            /* rows whose denominator was replaced by the floor */
    double pinball;            /* mean of max(-q e, (1 - q) e): minimal if p is the quantile q of y */
    double coverage;           /* fraction of actual values inside their interval, ends included */
    double below;              /* fraction of actual values below their interval; coverage + below + above =
                                  1 */
    double above;              /* fraction of actual values above their interval */
    double mean_width;         /* mean of upper - lower */
} sooth_metrics;

/* Compares count predictions with the actual values. weight (one per row, >= 0) and options may be NULL.
   Every value must be finite, even if the weight is 0. Otherwise returns SOOTH_BAD_DATA and a message with
   the row. If all actual values are equal, r2 is 1 without errors, explained_variance is 1 with a constant
   error, and both are 0 otherwise, like in scikit-learn. */
SOOTH_API sooth_status sooth_metrics_compute(sooth_env *env, const float *actual, const float *predicted,
                                             const float *weight, size_t count,
                                             const sooth_metrics_options *options, sooth_metrics *out);

/* Metrics of predicted probabilities, weighted like sooth_metrics. */
typedef struct sooth_metrics_binary {
    size_t rows;       /* rows of weight above 0 */
    double weight;     /* sum of their weights */
    double rate;       /* fraction of ones: the baseline predicts it for every row */
    double mean_p;     /* mean of p; above rate if the predictions are too high */
    double brier;      /* mean of (p - y)^2 */
    double log_loss;   /* mean of -y log p - (1 - y) log(1 - p), with p clamped to 2^-52 from 0 and 1 */
    double auc;        /* 0.5 for random ranking; NaN if there is only one class */
    double brier_rate; /* Brier score and log loss of the baseline */
    double log_loss_rate;
    double calibration; /* calibration error; range k holds p above k / 10 up to (k + 1) / 10 */
} sooth_metrics_binary;

/* Computes the metrics of count probabilities `predicted` (in 0..1) for actual values 0 or 1; weight as
   above. Returns SOOTH_BAD_DATA and the row of an invalid value. */
SOOTH_API sooth_status sooth_metrics_compute_binary(sooth_env *env, const float *actual,
                                                    const float *predicted, const float *weight, size_t count,
                                                    sooth_metrics_binary *out);

/* Returns the fraction of a baseline's error that a model removes: 1 - error / baseline. 1 is perfect, 0
   equals the baseline, below 0 is worse. Valid for any error whose best value is 0. r2 is the skill of the
   mse over predicting the mean. Without error the skill is 1; with error and a baseline without error it is
   0. */
SOOTH_API double sooth_metrics_skill(double error, double baseline);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_metrics_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_VALIDATION_METRICS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_VALIDATION_METRICS_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_VALIDATION_METRICS_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_option_list sooth_metrics_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_metrics_options, denominator, "actual|predicted|symmetric",
                      "denominator of percentage errors"),
        SOOTHI_COUNT(sooth_metrics_options, stride, 1, 2147483647, 1, "floats from one value to the next"),
        SOOTHI_NUMBER(sooth_metrics_options, floor, 0, DBL_MAX, 0,
                      "minimum denominator of percentage errors; 0 means none"),
        SOOTHI_NUMBER(sooth_metrics_options, quantile, 0, 1, 0.5, "quantile of the pinball loss")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API double sooth_metrics_skill(double error, double baseline) {
    if (error <= 0.0) return 1.0;
    return baseline <= 0.0 ? 0.0 : 1.0 - error / baseline;
}

/* Input of a comparison. */
typedef struct soothi_metrics_rows {
    const float *actual, *predicted, *weight;
    size_t count;
    sooth_metrics_options o; /* with the defaults filled in */
} soothi_metrics_rows;

/* Returns value i of an array of the target. */
SOOTHI_LOCAL double soothi_metrics_at(const soothi_metrics_rows *rows, const float *value, size_t i) {
    return (double)value[i * rows->o.stride];
}

SOOTHI_LOCAL double soothi_metrics_weight(const soothi_metrics_rows *rows, size_t i) {
    return rows->weight ? (double)rows->weight[i] : 1.0;
}

/* e = p - y of row i */
SOOTHI_LOCAL double soothi_metrics_error(const soothi_metrics_rows *rows, size_t i) {
    return soothi_metrics_at(rows, rows->predicted, i) - soothi_metrics_at(rows, rows->actual, i);
}

SOOTHI_LOCAL sooth_status soothi_metrics_check(sooth_env *env, const soothi_metrics_rows *rows) {
    if (rows->count == 0) return sooth_fail(env, SOOTH_BAD_DATA, "there are no rows to compare");
    if (!rows->o.lower != !rows->o.upper)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is missing: intervals need both lower and upper",
                          rows->o.lower ? "upper" : "lower");
    for (size_t i = 0; i < rows->count; ++i) {
        double y = soothi_metrics_at(rows, rows->actual, i), p = soothi_metrics_at(rows, rows->predicted, i);
        if (!soothi_finite(y) || !soothi_finite(p))
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z has the %s %g, but it must be finite", i + 1,
                              soothi_finite(y) ? "prediction" : "actual value", soothi_finite(y) ? p : y);
        if (!rows->o.lower) continue;
        double lower = soothi_metrics_at(rows, rows->o.lower, i);
        double upper = soothi_metrics_at(rows, rows->o.upper, i);
        if (!(upper - lower >= 0.0))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has an interval from %g to %g, but lower must not be above upper",
                              i + 1, lower, upper);
    }
    return soothi_weights_check(env, rows->weight, rows->count);
}

/* Weighted sums for the metrics. Some are relative to the first row, so that they are exactly 0 if all
   rows are equal. */
enum {
    SOOTHI_METRICS_WEIGHT, /* w */
    SOOTHI_METRICS_ACTUAL, /* w (y - y of row 0) */
    SOOTHI_METRICS_BIAS,   /* w (e - e of row 0) */
    SOOTHI_METRICS_ABSOLUTE,
    SOOTHI_METRICS_SQUARED,
    SOOTHI_METRICS_PINBALL,
    SOOTHI_METRICS_SHARE, /* w of the rows with a percentage */
    SOOTHI_METRICS_PERCENT,
    SOOTHI_METRICS_RELATIVE,
    SOOTHI_METRICS_INSIDE,
    SOOTHI_METRICS_BELOW,
    SOOTHI_METRICS_ABOVE,
    SOOTHI_METRICS_WIDTH,
    SOOTHI_METRICS_SUMS
};

SOOTHI_LOCAL void soothi_metrics_add_percentage(const soothi_metrics_rows *rows, double y, double p, double w,
                                                double *sum, sooth_metrics *out) {
    double d = soothi_abs(rows->o.denominator == SOOTH_METRICS_PREDICTED ? p : y);
    if (rows->o.denominator == SOOTH_METRICS_SYMMETRIC) d = 0.5 * (d + soothi_abs(p));
    if (!(d > 0.0)) ++out->zeros;
    if (d < rows->o.floor) {
        ++out->floored;
        d = rows->o.floor;
    }
    if (!(d > 0.0)) return;
    sum[SOOTHI_METRICS_SHARE] += w;
    sum[SOOTHI_METRICS_PERCENT] += w * (soothi_abs(p - y) / d);
    sum[SOOTHI_METRICS_RELATIVE] += w * ((p - y) / d);
}

/* Adds rows begin .. end - 1 to the sums, the counts and the max error. */
SOOTHI_LOCAL void soothi_metrics_add(const soothi_metrics_rows *rows, size_t begin, size_t end, double *sum,
                                     sooth_metrics *out) {
    double first_actual = (double)rows->actual[0], first_error = soothi_metrics_error(rows, 0);
    for (size_t i = begin; i < end; ++i) {
        double y = soothi_metrics_at(rows, rows->actual, i), p = soothi_metrics_at(rows, rows->predicted, i);
        double w = soothi_metrics_weight(rows, i), e = p - y, a = soothi_abs(e);
        if (!(w > 0.0)) continue;
        ++out->rows;
        if (a > out->max_error) out->max_error = a;
        sum[SOOTHI_METRICS_WEIGHT] += w;
        sum[SOOTHI_METRICS_ACTUAL] += w * (y - first_actual);
        sum[SOOTHI_METRICS_BIAS] += w * (e - first_error);
        sum[SOOTHI_METRICS_ABSOLUTE] += w * a;
        sum[SOOTHI_METRICS_SQUARED] += w * (e * e);
        sum[SOOTHI_METRICS_PINBALL] += w * (e < 0.0 ? -rows->o.quantile * e : (1.0 - rows->o.quantile) * e);
        soothi_metrics_add_percentage(rows, y, p, w, sum, out);
        if (rows->o.lower) {
            double lower = soothi_metrics_at(rows, rows->o.lower, i);
            double upper = soothi_metrics_at(rows, rows->o.upper, i);
            int above = y > upper ? SOOTHI_METRICS_ABOVE : SOOTHI_METRICS_INSIDE;
            sum[y < lower ? SOOTHI_METRICS_BELOW : above] += w;
            sum[SOOTHI_METRICS_WIDTH] += w * (upper - lower);
        }
    }
}

/* Sums of w (y - mean_actual)^2 and of w (e - mean_error)^2. */
SOOTHI_LOCAL void soothi_metrics_spread(const soothi_metrics_rows *rows, double mean_actual,
                                        double mean_error, double spread[2]) {
    spread[0] = spread[1] = 0.0;
    for (size_t begin = 0; begin < rows->count; begin += 256) {
        double part[2] = {0.0, 0.0};
        for (size_t i = begin; i < rows->count && i < begin + 256; ++i) {
            double w = soothi_metrics_weight(rows, i);
            double y = soothi_metrics_at(rows, rows->actual, i) - mean_actual;
            double e = soothi_metrics_error(rows, i) - mean_error;
            part[0] += w * (y * y);
            part[1] += w * (e * e);
        }
        spread[0] += part[0];
        spread[1] += part[1];
    }
}

/* Returns the weighted median of |e|: the mean of two errors if exactly half of the weight is at or below the
   first. Non-negative doubles are ordered like their bits. */
SOOTHI_LOCAL double soothi_metrics_median(const soothi_metrics_rows *rows, double half) {
    soothi_select s = soothi_select_start(64);
    double next = -1.0;
    while (soothi_select_pass(&s)) {
        for (size_t i = 0; i < rows->count; ++i) {
            const double a = soothi_abs(soothi_metrics_error(rows, i)) + 0.0; /* never -0 */
            double *bin = soothi_select_bin(&s, soothi_double_bits(a));
            if (bin) *bin += soothi_metrics_weight(rows, i);
        }
        soothi_select_narrow(&s, half);
    }
    const double at = soothi_double(s.found);
    if (s.reached > half) return at;
    for (size_t i = 0; i < rows->count; ++i) {
        double a = soothi_abs(soothi_metrics_error(rows, i));
        if (a > at && (next < 0.0 || a < next) && soothi_metrics_weight(rows, i) > 0.0) next = a;
    }
    return next < 0.0 ? at : 0.5 * (at + next);
}

SOOTHI_LOCAL void soothi_metrics_fill(const soothi_metrics_rows *rows, sooth_metrics *out) {
    double sum[SOOTHI_METRICS_SUMS], part[SOOTHI_METRICS_SUMS], spread[2];
    double interval = rows->o.lower ? 1.0 : SOOTHI_NAN;
    memset(out, 0, sizeof *out);
    memset(sum, 0, sizeof sum);
    for (size_t begin = 0; begin < rows->count; begin += 256) {
        memset(part, 0, sizeof part);
        soothi_metrics_add(rows, begin, rows->count - begin < 256 ? rows->count : begin + 256, part, out);
        for (size_t k = 0; k < SOOTHI_METRICS_SUMS; ++k) sum[k] += part[k];
    }
    double weight = sum[SOOTHI_METRICS_WEIGHT];
    double share = sum[SOOTHI_METRICS_SHARE] > 0.0 ? sum[SOOTHI_METRICS_SHARE] : SOOTHI_NAN;
    out->weight = weight;
    out->mae = sum[SOOTHI_METRICS_ABSOLUTE] / weight;
    out->mse = sum[SOOTHI_METRICS_SQUARED] / weight;
    out->rmse = soothi_sqrt(out->mse);
    out->median_error = soothi_metrics_median(rows, 0.5 * weight);
    out->bias = soothi_metrics_error(rows, 0) + sum[SOOTHI_METRICS_BIAS] / weight;
    double mean_actual = (double)rows->actual[0] + sum[SOOTHI_METRICS_ACTUAL] / weight;
    soothi_metrics_spread(rows, mean_actual, out->bias, spread);
    out->r2 = sooth_metrics_skill(sum[SOOTHI_METRICS_SQUARED], spread[0]);
    if (out->rows < 2) out->r2 = SOOTHI_NAN;
    out->explained_variance = sooth_metrics_skill(spread[1], spread[0]);
    out->mape = sum[SOOTHI_METRICS_PERCENT] / share;
    out->relative_bias = sum[SOOTHI_METRICS_RELATIVE] / share;
    out->pinball = sum[SOOTHI_METRICS_PINBALL] / weight;
    out->coverage = interval * sum[SOOTHI_METRICS_INSIDE] / weight;
    out->below = interval * sum[SOOTHI_METRICS_BELOW] / weight;
    out->above = interval * sum[SOOTHI_METRICS_ABOVE] / weight;
    out->mean_width = interval * sum[SOOTHI_METRICS_WIDTH] / weight;
}

SOOTH_API sooth_status sooth_metrics_compute(sooth_env *env, const float *actual, const float *predicted,
                                             const float *weight, size_t count,
                                             const sooth_metrics_options *options, sooth_metrics *out) {
    soothi_metrics_rows rows = {actual, predicted, weight, count, {0, 0, 0, 0, NULL, NULL}};
    sooth_status status =
        soothi_options_resolve(env, sooth_metrics_options_list(), options, sizeof rows.o, &rows.o);
    if (status == SOOTH_OK) status = soothi_metrics_check(env, &rows);
    if (status == SOOTH_OK) soothi_metrics_fill(&rows, out);
    return status;
}

/* ---- two classes ---- */

SOOTHI_LOCAL sooth_status soothi_metrics_check_binary(sooth_env *env, const float *actual,
                                                      const float *predicted, const float *weight,
                                                      size_t count) {
    if (count == 0 || count > UINT32_MAX)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "there are %z rows to compare, but there must be 1 to 2^32 - 1", count);
    for (size_t i = 0; i < count; ++i) {
        const double y = (double)actual[i], p = (double)predicted[i];
        if (!(y <= 0.0 && y >= 0.0) && !(y <= 1.0 && y >= 1.0))
            return sooth_fail(env, SOOTH_BAD_DATA, "row %z has the actual value %g, but it must be 0 or 1",
                              i + 1, y);
        if (!(p >= 0.0 && p <= 1.0))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "row %z has the prediction %g, but it must be a probability between 0 and 1",
                              i + 1, p);
    }
    return soothi_weights_check(env, weight, count);
}

/* -log of the probability that p assigns to y; y is between 0 and 1 if it is a mean. */
SOOTHI_LOCAL double soothi_metrics_log_loss(double y, double p) {
    const double least = 1.0 / 4503599627370496.0; /* 2^-52, scikit-learn's */
    p = p < least ? least : p > 1.0 - least ? 1.0 - least : p;
    return -y * soothi_log(p) - (1.0 - y) * soothi_log1p(-p);
}

/* Area under the ROC curve: in ascending p, each 1 is counted ahead of the zeros below it and of half of the
   tied zeros. */
SOOTHI_LOCAL double soothi_metrics_auc(const float *actual, const float *weight, const uint64_t *sorted,
                                       size_t n) {
    double ones = 0.0, zeros = 0.0, ahead = 0.0;
    for (size_t i = 0, end; i < n; i = end) {
        double part[2] = {0.0, 0.0};
        for (end = i; end < n && soothi_entry_key(sorted[end]) == soothi_entry_key(sorted[i]); ++end) {
            const uint32_t row = soothi_entry_row(sorted[end]);
            part[actual[row] > 0.5f] += weight ? (double)weight[row] : 1.0;
        }
        ahead += part[1] * (zeros + 0.5 * part[0]);
        zeros += part[0];
        ones += part[1];
    }
    return ones > 0.0 && zeros > 0.0 ? ahead / (ones * zeros) : SOOTHI_NAN;
}

SOOTH_API sooth_status sooth_metrics_compute_binary(sooth_env *env, const float *actual,
                                                    const float *predicted, const float *weight, size_t count,
                                                    sooth_metrics_binary *out) {
    double sum[5] = {0.0, 0.0, 0.0, 0.0, 0.0}; /* sums of weights, ones, p, squares, logarithms */
    double excess[10] = {0.0};                 /* sums of p - y in ten ranges of p */
    const size_t size = soothi_product(2, count);
    size_t n = 0;
    const sooth_status status = soothi_metrics_check_binary(env, actual, predicted, weight, count);
    if (status != SOOTH_OK) return status;
    uint64_t *sorted = (uint64_t *)sooth_alloc(env, size, sizeof *sorted);
    if (!sorted) return sooth_no_memory(env, "sorting predictions", soothi_product(size, sizeof *sorted));
    for (size_t begin = 0; begin < count; begin += 256) {
        double part[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
        for (size_t i = begin; i < count && i < begin + 256; ++i) {
            const double y = (double)actual[i], p = (double)predicted[i];
            const double w = weight ? (double)weight[i] : 1.0;
            if (!(w > 0.0)) continue;
            sorted[n++] = soothi_entry(predicted[i], i);
            part[0] += w;
            part[1] += w * y;
            part[2] += w * p;
            part[3] += w * (p - y) * (p - y);
            part[4] += w * soothi_metrics_log_loss(y, p);
            size_t range = 0;
            while (range < 9 && p > 0.1 * (double)(range + 1)) ++range;
            excess[range] += w * (p - y);
        }
        for (size_t k = 0; k < 5; ++k) sum[k] += part[k];
    }
    soothi_entry_sort(sorted, sorted + count, n);
    out->rows = n;
    out->weight = sum[0];
    out->rate = sum[1] / sum[0];
    out->mean_p = sum[2] / sum[0];
    out->calibration = 0.0;
    for (size_t k = 0; k < 10; ++k) out->calibration += soothi_abs(excess[k]) / sum[0];
    out->brier = sum[3] / sum[0];
    out->log_loss = sum[4] / sum[0];
    out->auc = soothi_metrics_auc(actual, weight, sorted, n);
    out->brier_rate = out->rate * (1.0 - out->rate);
    out->log_loss_rate = soothi_metrics_log_loss(out->rate, out->rate);
    sooth_free(env, sorted, size, sizeof *sorted);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
