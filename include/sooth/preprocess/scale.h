/* preprocess/scale.h - scales columns for training, and predictions back to their units.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The formulas are in preprocess.h.
 */
#if !defined(SOOTH_PREPROCESS_SCALE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_SCALE_IMPLEMENTED))
#include "../base.h"
#include "../base/order.h"
#include "../base/reduce.h"
#endif

#ifndef SOOTH_PREPROCESS_SCALE_H
#define SOOTH_PREPROCESS_SCALE_H

SOOTHI_C_BEGIN

#define SOOTH_SCALE_VERSION 1

/* ---- the scale ---- */

/* Transform of a column. Its number is that of shift and width (0 to 3) plus 4 x that of f (0 none, 1 log1p,
   2 log). */
typedef enum sooth_scale_transform {
    SOOTH_SCALE_STANDARD = 0,
    SOOTH_SCALE_MINMAX,
    SOOTH_SCALE_ROBUST,
    SOOTH_SCALE_NONE,
    SOOTH_SCALE_LOG1P_STANDARD,
    SOOTH_SCALE_LOG1P_MINMAX,
    SOOTH_SCALE_LOG1P_ROBUST,
    SOOTH_SCALE_LOG1P,
    SOOTH_SCALE_LOG_STANDARD,
    SOOTH_SCALE_LOG_MINMAX,
    SOOTH_SCALE_LOG_ROBUST,
    SOOTH_SCALE_LOG,
    SOOTH_SCALE_TRANSFORMS
} sooth_scale_transform;

typedef struct sooth_scale_column {
    uint32_t transform; /* a sooth_scale_transform */
    float shift;
    float width; /* above 0 */
    float least; /* range of the training values x; without values, the range of all floats */
    float most;
} sooth_scale_column;

/* The block: this struct, and then a sooth_scale_column for each column. */
typedef struct sooth_scale {
    sooth_block head;   /* features = targets = columns */
    uint32_t clip;      /* 1 means clipping, see sooth_scale_options */
    uint32_t constants; /* columns without a width; their width is 1, and their training values become 0 */
} sooth_scale;

/* Returns true if bytes[0..size) begin with a valid scale. The functions below then never read outside it. A
   checked one may come from anyone. */
SOOTH_API int sooth_scale_check(const void *bytes, size_t size);

/* Scales a row of head.features floats; out may be row. NaN stays NaN; overflow gives infinities. */
SOOTH_API void sooth_scale_apply(const sooth_scale *scale, const float *row, float *out);

/* Converts a scaled row back to its units; out may be row. NaN stays NaN; overflow is clamped to the max or
   min float. A model of log(y) therefore always predicts a number. */
SOOTH_API void sooth_scale_invert(const sooth_scale *scale, const float *row, float *out);

/* Like sooth_scale_apply and sooth_scale_invert, for `rows` rows at a distance of `stride` floats. out is
   rows x features, and may be x. */
SOOTH_API void sooth_scale_apply_many(const sooth_scale *scale, const float *x, size_t rows, size_t stride,
                                      float *out);
SOOTH_API void sooth_scale_invert_many(const sooth_scale *scale, const float *x, size_t rows, size_t stride,
                                       float *out);

/* Like sooth_scale_apply and sooth_scale_invert, for one value of a column (from 0). */
SOOTH_API float sooth_scale_apply_one(const sooth_scale *scale, size_t column, float value);
SOOTH_API float sooth_scale_invert_one(const sooth_scale *scale, size_t column, float value);

/* Returns the transforms of the columns, from 0. */
SOOTH_API const sooth_scale_column *sooth_scale_columns(const sooth_scale *scale);

/* Returns the cost of scaling one row. */
SOOTH_API sooth_cost sooth_scale_cost(const sooth_scale *scale);

/* ---- fitting ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_scale_options {
    uint32_t transform;         /* a sooth_scale_transform, of every column */
    uint32_t clip;              /* 1 moves values outside the training range to its ends, in both
                                   directions */
    const uint32_t *transforms; /* one per column, instead of `transform`; NULL means none */
} sooth_scale_options;

/* Fits the columns of table->x. Missing values (NaN) and rows of weight 0 are ignored. Weights count in means
   and deviations, not in quartiles. A column without values stays unchanged and counts as constant. Returns
   SOOTH_BAD_DATA and the row if LOG gets a value not above 0, or the column if its range overflows a float.
   *scale is NULL after a failure. With env->reduce_fn the fit uses the rows of all processes. */
SOOTH_API sooth_status sooth_scale_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_scale_options *options, sooth_scale **scale);

/* Frees a scale that sooth_scale_fit returned; NULL is valid. */
SOOTH_API void sooth_scale_free(sooth_env *env, sooth_scale *scale);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_scale_options_list(void);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_PREPROCESS_SCALE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PREPROCESS_SCALE_IMPLEMENTED)
#define SOOTH_PREPROCESS_SCALE_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API const sooth_scale_column *sooth_scale_columns(const sooth_scale *scale) {
    return (const sooth_scale_column *)(const void *)(scale + 1);
}

/* The two components of a transform. */
SOOTHI_LOCAL uint32_t soothi_scale_range(uint32_t transform) { return transform % 4u; }
SOOTHI_LOCAL uint32_t soothi_scale_function(uint32_t transform) { return transform / 4u; }

SOOTHI_LOCAL float soothi_scale_transformed(uint32_t transform, float x) {
    switch (soothi_scale_function(transform)) {
    case 1: return x < 0.0f ? -sooth_log1p(-x) : sooth_log1p(x);
    case 2: return sooth_log(x);
    default: return x;
    }
}

SOOTHI_LOCAL float soothi_scale_inverse(uint32_t transform, float t) {
    switch (soothi_scale_function(transform)) {
    case 1: return t < 0.0f ? -sooth_expm1(-t) : sooth_expm1(t);
    case 2: return sooth_exp(t);
    default: return t;
    }
}

/* Clamps v to the range of floats; NaN stays NaN. */
SOOTHI_LOCAL float soothi_scale_clamped(float v) {
    return v > FLT_MAX ? FLT_MAX : v < -FLT_MAX ? -FLT_MAX : v;
}

/* Clamps x to the training range; NaN stays NaN. */
SOOTHI_LOCAL float soothi_scale_clip(const sooth_scale_column *column, float x) {
    if (x < column->least) return column->least;
    return x > column->most ? column->most : x;
}

SOOTH_API float sooth_scale_apply_one(const sooth_scale *scale, size_t column, float value) {
    const sooth_scale_column *c = sooth_scale_columns(scale) + column;
    if (scale->clip) value = soothi_scale_clip(c, value);
    return (soothi_scale_transformed(c->transform, value) - c->shift) / c->width;
}

SOOTH_API float sooth_scale_invert_one(const sooth_scale *scale, size_t column, float value) {
    const sooth_scale_column *c = sooth_scale_columns(scale) + column;
    value = soothi_scale_inverse(c->transform, value * c->width + c->shift);
    return scale->clip ? soothi_scale_clip(c, value) : soothi_scale_clamped(value);
}

SOOTH_API void sooth_scale_apply(const sooth_scale *scale, const float *row, float *out) {
    for (size_t j = 0; j < scale->head.features; ++j) out[j] = sooth_scale_apply_one(scale, j, row[j]);
}

SOOTH_API void sooth_scale_invert(const sooth_scale *scale, const float *row, float *out) {
    for (size_t j = 0; j < scale->head.features; ++j) out[j] = sooth_scale_invert_one(scale, j, row[j]);
}

SOOTH_API void sooth_scale_apply_many(const sooth_scale *scale, const float *x, size_t rows, size_t stride,
                                      float *out) {
    for (size_t i = 0; i < rows; ++i)
        sooth_scale_apply(scale, x + i * stride, out + i * scale->head.features);
}

SOOTH_API void sooth_scale_invert_many(const sooth_scale *scale, const float *x, size_t rows, size_t stride,
                                       float *out) {
    for (size_t i = 0; i < rows; ++i)
        sooth_scale_invert(scale, x + i * stride, out + i * scale->head.features);
}

SOOTHI_LOCAL int soothi_scale_finite(float v) { return v - v <= 0.0f; }

SOOTH_API int sooth_scale_check(const void *bytes, size_t size) {
    const sooth_scale *scale = (const sooth_scale *)bytes;
    const sooth_scale_column *c;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_SCALE, SOOTH_SCALE_VERSION) ||
        scale->head.doubles_at < sizeof *scale || scale->head.features == 0 ||
        scale->head.targets != scale->head.features || scale->clip > 1 ||
        scale->head.features > (scale->head.doubles_at - sizeof *scale) / sizeof *c)
        return 0;
    c = sooth_scale_columns(scale);
    for (size_t j = 0; j < scale->head.features; ++j)
        if (c[j].transform >= SOOTH_SCALE_TRANSFORMS || !soothi_scale_finite(c[j].shift) ||
            !soothi_scale_finite(c[j].width) || !(c[j].width > 0.0f) || !soothi_scale_finite(c[j].least) ||
            !soothi_scale_finite(c[j].most) || c[j].least > c[j].most)
            return 0;
    return 1;
}

SOOTH_API sooth_cost sooth_scale_cost(const sooth_scale *scale) {
    sooth_cost cost;
    cost.bytes = scale->head.size;
    cost.comparisons = scale->clip ? 2u * scale->head.features : 0u;
    cost.multiply_adds = scale->head.features;
    cost.functions = 0;
    for (uint32_t j = 0; j < scale->head.features; ++j)
        cost.functions += soothi_scale_function(sooth_scale_columns(scale)[j].transform) != 0;
    return cost;
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

SOOTH_API sooth_option_list sooth_scale_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_scale_options, transform,
                      "standard|minmax|robust|none|log1p_standard|log1p_minmax|log1p_robust|log1p|"
                      "log_standard|log_minmax|log_robust|log",
                      "transform of every column"),
        SOOTHI_FLAG(sooth_scale_options, clip, "1 moves values outside the training range to its ends")};
    return SOOTHI_OPTIONS(option);
}

/* Values of a column used for fitting: not missing, in rows of nonzero weight. */
typedef struct soothi_scale_values {
    const sooth_table *table;
    size_t column;
    uint32_t transform;
} soothi_scale_values;

SOOTHI_LOCAL float soothi_scale_value(const soothi_scale_values *values, size_t row) {
    return values->table->x[row * values->table->stride + values->column];
}

/* Returns the weight of a row, or 0 if the value is missing. */
SOOTHI_LOCAL double soothi_scale_weight(const soothi_scale_values *values, size_t row) {
    if (soothi_nan((double)soothi_scale_value(values, row))) return 0.0;
    return values->table->weight ? (double)values->table->weight[row] : 1.0;
}

/* Finds min and max; returns the number of values. */
SOOTHI_LOCAL size_t soothi_scale_extremes(const soothi_scale_values *values, sooth_scale_column *column) {
    size_t count = 0;
    column->least = -FLT_MAX;
    column->most = FLT_MAX;
    for (size_t i = 0; i < values->table->rows; ++i) {
        float x = soothi_scale_value(values, i);
        if (!(soothi_scale_weight(values, i) > 0.0)) continue;
        if (count == 0 || x < column->least) column->least = x;
        if (count == 0 || x > column->most) column->most = x;
        ++count;
    }
    return count;
}

/* Computes the weighted mean and standard deviation of f(x), relative to f(origin), where origin is a value
   of the column. Both are then exact for constant columns, and accurate for values far from 0. */
SOOTHI_LOCAL void soothi_scale_moments(const soothi_scale_values *values, float origin, double *mean,
                                       double *deviation) {
    double from = (double)soothi_scale_transformed(values->transform, origin);
    double sum = 0.0, squares = 0.0, weight = 0.0;
    for (size_t i = 0; i < values->table->rows; ++i) {
        double w = soothi_scale_weight(values, i);
        if (!(w > 0.0)) continue;
        sum +=
            w * ((double)soothi_scale_transformed(values->transform, soothi_scale_value(values, i)) - from);
        weight += w;
    }
    *mean = from + sum / weight;
    for (size_t i = 0; i < values->table->rows; ++i) {
        double w = soothi_scale_weight(values, i);
        if (!(w > 0.0)) continue;
        double t = (double)soothi_scale_transformed(values->transform, soothi_scale_value(values, i)) - *mean;
        squares += w * (t * t);
    }
    *deviation = soothi_sqrt(squares / weight);
}

/* Returns f of the k-th smallest value, from 0. */
SOOTHI_LOCAL double soothi_scale_kth(const soothi_scale_values *values, size_t k) {
    soothi_select s = soothi_select_start(32);
    while (soothi_select_pass(&s)) {
        for (size_t i = 0; i < values->table->rows; ++i) {
            uint32_t bits = soothi_bits(soothi_scale_value(values, i));
            bits ^= bits & 0x80000000u ? 0xFFFFFFFFu : 0x80000000u;
            double *bin = soothi_select_bin(&s, bits);
            if (bin && soothi_scale_weight(values, i) > 0.0) *bin += 1.0;
        }
        soothi_select_narrow(&s, (double)k + 1.0);
    }
    const uint32_t found = (uint32_t)s.found ^ (s.found & 0x80000000u ? 0x80000000u : 0xFFFFFFFFu);
    return (double)soothi_scale_transformed(values->transform, soothi_of_bits(found));
}

/* Returns the quantile quarters / 4 of f(x): the interpolated value at position (count - 1) quarters / 4 of
   the sorted values. */
SOOTHI_LOCAL double soothi_scale_quartile(const soothi_scale_values *values, size_t count, size_t quarters) {
    size_t k = (count - 1) / 4 * quarters + (count - 1) % 4 * quarters / 4;
    size_t rest = (count - 1) % 4 * quarters % 4;
    double t = soothi_scale_kth(values, k);
    return rest ? t + (soothi_scale_kth(values, k + 1) - t) * (double)rest / 4.0 : t;
}

SOOTHI_LOCAL sooth_status soothi_scale_fit_column(sooth_env *env, const soothi_scale_values *values,
                                                  sooth_scale *scale, sooth_scale_column *column) {
    const size_t count = soothi_scale_extremes(values, column);
    double shift = 0.0, width = 1.0;
    char room[32];
    column->transform = count ? values->transform : (uint32_t)SOOTH_SCALE_NONE;
    const float least = soothi_scale_transformed(column->transform, column->least);
    const float span = soothi_scale_transformed(column->transform, column->most) - least;
    if (soothi_scale_function(column->transform) == 2 && !(column->least > 0.0f)) {
        size_t row = 0; /* first row whose value has no logarithm; it exists */
        while (!(soothi_scale_weight(values, row) > 0.0) || soothi_scale_value(values, row) > 0.0f) ++row;
        return sooth_fail(
            env, SOOTH_BAD_DATA, "row %z has %f in %s, but values must be above 0 for a logarithm", row + 1,
            (double)soothi_scale_value(values, row), soothi_column(values->table, values->column, room));
    }
    if (soothi_scale_range(column->transform) != SOOTH_SCALE_NONE && !soothi_scale_finite(span))
        return sooth_fail(env, SOOTH_BAD_DATA, "%s ranges from %f to %f, which is more than a float can hold",
                          soothi_column(values->table, values->column, room), (double)column->least,
                          (double)column->most);
    switch (soothi_scale_range(column->transform)) {
    case SOOTH_SCALE_STANDARD: soothi_scale_moments(values, column->least, &shift, &width); break;
    case SOOTH_SCALE_MINMAX:
        shift = (double)least;
        width = (double)span; /* a difference of floats, as when applied: f(max) becomes exactly 1 */
        break;
    case SOOTH_SCALE_ROBUST:
        shift = soothi_scale_quartile(values, count, 2);
        width = soothi_scale_quartile(values, count, 3) - soothi_scale_quartile(values, count, 1);
        break;
    default: break;
    }
    column->shift = (float)shift;
    column->width = (float)width;
    if (!(column->width > 0.0f) || count == 0) {
        column->width = 1.0f;
        ++scale->constants;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_scale_check_options(sooth_env *env, const sooth_table *table,
                                                     const sooth_scale_options *options) {
    sooth_status status = sooth_option_check(env, sooth_scale_options_list(), options);
    if (status != SOOTH_OK) return status;
    for (size_t j = 0; options->transforms && j < table->cols; ++j)
        if (options->transforms[j] >= SOOTH_SCALE_TRANSFORMS)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "transforms[%z] is %u, but must be below %u", j,
                              options->transforms[j], (uint32_t)SOOTH_SCALE_TRANSFORMS);
    return SOOTH_OK;
}

SOOTHI_LOCAL size_t soothi_scale_size(size_t columns) {
    size_t bytes = soothi_product(columns, sizeof(sooth_scale_column));
    return bytes < SIZE_MAX / 2 ? soothi_round16(sizeof(sooth_scale) + bytes) : SIZE_MAX;
}

/* Like sooth_scale_fit, from the rows of several processes. */
SOOTHI_LOCAL sooth_status soothi_scale_fit_shared(sooth_env *env, const sooth_table *table,
                                                  const sooth_scale_options *options, sooth_scale **scale) {
    sooth_table whole;
    sooth_env alone;
    sooth_status status = soothi_gather(env, table, &whole, &alone);
    if (status != SOOTH_OK) return status;
    status = soothi_gather_end(env, &alone, &whole, sooth_scale_fit(&alone, &whole, options, scale));
    if (status == SOOTH_OK) return status;
    sooth_scale_free(env, *scale);
    *scale = NULL;
    return status;
}

SOOTH_API sooth_status sooth_scale_fit(sooth_env *env, const sooth_table *table,
                                       const sooth_scale_options *options, sooth_scale **scale) {
    const sooth_scale_options defaults = {0, 0, NULL};
    soothi_scale_values values = {table, 0, 0};
    *scale = NULL;
    if (soothi_ranks(env) > 1) return soothi_scale_fit_shared(env, table, options, scale);
    if (!options) options = &defaults;
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_ALLOW_MISSING);
    if (status == SOOTH_OK) status = soothi_scale_check_options(env, table, options);
    if (status != SOOTH_OK) return status;
    sooth_scale *made = (sooth_scale *)soothi_block_new(env, SOOTH_KIND_SCALE, SOOTH_SCALE_VERSION,
                                                        soothi_scale_size(table->cols), 0, 0);
    if (!made) return sooth_no_memory(env, "a scale", soothi_scale_size(table->cols));
    made->head.features = made->head.targets = (uint32_t)table->cols;
    made->clip = options->clip;
    sooth_scale_column *column = (sooth_scale_column *)(void *)(made + 1);
    for (values.column = 0; values.column < table->cols && status == SOOTH_OK; ++values.column) {
        values.transform = options->transforms ? options->transforms[values.column] : options->transform;
        status = soothi_scale_fit_column(env, &values, made, &column[values.column]);
    }
    if (status == SOOTH_OK) {
        soothi_block_seal(&made->head);
        *scale = made;
    } else {
        sooth_scale_free(env, made);
    }
    return status;
}

SOOTH_API void sooth_scale_free(sooth_env *env, sooth_scale *scale) {
    soothi_block_free(env, scale ? &scale->head : NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
