/* model/ratio.h - a target as a multiple of a sum of columns: a law where trees do not extrapolate.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Trees predict no more than the largest target that they have seen. A wait behind a queue is about the
 * tokens in the queue over a rate, also where the queue is longer than any before. With a ratio the model
 * learns what is left of this law:
 *
 *   prediction = (c0 + c1 x1 + ... + cp xp) exp(f(x)),   c >= 0
 *
 * where f learns log(y / (c0 + c1 x1 + ...)). The sum in brackets is the form. Quantiles of y / form times
 * the form are quantiles of y, so they and intervals multiply, too. A form is written as a text:
 *
 *   tokens+length+500        a sum of columns, in any order, and a constant
 *   tokens+2.5*length        with a coefficient
 *   learn:tokens+length      coefficients and constant by non-negative least squares of the relative error,
 *                            min sum_i (1 - form_i / y_i)^2
 *
 * A factor of the whole form is of no effect, as f learns it. What counts are the proportions.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {                          // a queue is twice as long as any that was learned
 *         const float tokens[] = {0, 500, 1000, 1500, 2000, 2500}, ms[] = {5, 10, 15, 20, 25, 30};
 *         const char *const names[] = {"tokens"};
 *         const float longer = 5000;
 *         sooth_table table = sooth_table_of(tokens, ms, 6, 1);
 *         const sooth_train_recipe recipe = {.model = "tree", .ratio_to = "tokens+500"};
 *         sooth_model *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         table.names = names;
 *         if (sooth_train_fit(&env, &table, &recipe, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.0f ms\n", sooth_model_predict(model, &longer, NULL));  //> 55 ms
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * A form that is not above 0, or not finite, has no answer: the prediction is NaN. Fitting refuses such rows
 * and names them.
 *
 * A form takes a multiplication and an addition for each of its columns. The block has 48 bytes, and 8 for
 * each column.
 */
#if !defined(SOOTH_MODEL_RATIO_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_RATIO_IMPLEMENTED))
#include "../base.h"
#include "../linear.h"
#endif

#ifndef SOOTH_MODEL_RATIO_H
#define SOOTH_MODEL_RATIO_H

SOOTHI_C_BEGIN

#define SOOTH_RATIO_VERSION 1

typedef struct sooth_ratio_term {
    uint32_t column;
    float coefficient; /* above 0 */
} sooth_ratio_term;

/* The block: this struct, then a sooth_ratio_term for each column of the form, by ascending column. */
typedef struct sooth_ratio {
    sooth_block head; /* features: columns of a row; targets 1 */
    uint32_t terms;   /* at least 1 */
    float constant;   /* c0, at least 0 */
    float share; /* of the learner beside the law, already in the target's scale: 1, or less where rows held
                         out say so; 0 means that the law answers alone (train/calibrate.h) */
    uint32_t reserved;
} sooth_ratio;

/* Returns 1 if bytes[0..size) begin with a valid block. Then no function below reads out of bounds. A checked
   one may come from anyone. */
SOOTH_API int sooth_ratio_check(const void *bytes, size_t size);

/* Returns the form for a row of head.features floats: the constant, plus the terms in their order, in floats.
   NaN if it is not above 0 or not finite. */
SOOTH_API float sooth_ratio_form(const sooth_ratio *ratio, const float *row);

/* Returns the terms of the block, from 0. */
SOOTH_API const sooth_ratio_term *sooth_ratio_terms(const sooth_ratio *ratio);

/* Returns the cost of one row. */
SOOTH_API sooth_cost sooth_ratio_cost(const sooth_ratio *ratio);

#ifndef SOOTH_PREDICT_ONLY

/* Reads a form, whose columns are table->names ("column 2" where a name is missing). After "learn:" it fits
   the coefficients to the first target. Returns SOOTH_BAD_ARGUMENT if the text is no sum of
   columns, if a column is unknown or has categories, or if a coefficient is negative; SOOTH_BAD_DATA with the
   row if the form or the target is not above 0 there. *ratio is NULL after a failure. */
SOOTH_API sooth_status sooth_ratio_fit(sooth_env *env, const sooth_table *table, const char *form,
                                       sooth_ratio **ratio);

/* Frees a block made by sooth_ratio_fit. NULL is allowed. */
SOOTH_API void sooth_ratio_free(sooth_env *env, sooth_ratio *ratio);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MODEL_RATIO_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_RATIO_IMPLEMENTED)
#define SOOTH_MODEL_RATIO_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API const sooth_ratio_term *sooth_ratio_terms(const sooth_ratio *ratio) {
    return (const sooth_ratio_term *)(const void *)(ratio + 1);
}

SOOTH_API int sooth_ratio_check(const void *bytes, size_t size) {
    const sooth_ratio *ratio = (const sooth_ratio *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_RATIO, SOOTH_RATIO_VERSION) ||
        ratio->head.size < sizeof *ratio || ratio->head.targets != 1 || ratio->terms == 0 ||
        ratio->terms > ratio->head.features || ratio->reserved ||
        ratio->terms > (ratio->head.size - sizeof *ratio) / sizeof(sooth_ratio_term) ||
        ratio->head.doubles_at != soothi_round16(sizeof *ratio + ratio->terms * sizeof(sooth_ratio_term)) ||
        ratio->head.size != ratio->head.doubles_at || !(ratio->constant >= 0.0f) ||
        ratio->constant > FLT_MAX || !(ratio->share >= 0.0f && ratio->share <= 1.0f))
        return 0;
    const sooth_ratio_term *term = sooth_ratio_terms(ratio);
    for (uint32_t k = 0; k < ratio->terms; ++k)
        if (term[k].column >= ratio->head.features || !(term[k].coefficient > 0.0f) ||
            term[k].coefficient > FLT_MAX || (k && term[k].column <= term[k - 1].column))
            return 0;
    return 1;
}

SOOTH_API float sooth_ratio_form(const sooth_ratio *ratio, const float *row) {
    const sooth_ratio_term *term = sooth_ratio_terms(ratio);
    float sum = ratio->constant;
    for (uint32_t k = 0; k < ratio->terms; ++k) sum += term[k].coefficient * row[term[k].column];
    return sum > 0.0f && sum <= FLT_MAX ? sum : soothi_missing();
}

SOOTH_API sooth_cost sooth_ratio_cost(const sooth_ratio *ratio) {
    const sooth_cost cost = {ratio->head.size, 3, ratio->terms + 1u, 0};
    return cost;
}

/* Multiplies the predictions of rows by their forms. NaN stays NaN; overflow is clamped to the max float. */
SOOTHI_LOCAL void soothi_ratio_multiply(const sooth_ratio *ratio, const float *x, size_t rows, size_t stride,
                                        size_t targets, float *out) {
    for (size_t i = 0; i < rows; ++i) {
        const float form = sooth_ratio_form(ratio, x + i * stride);
        for (size_t t = 0; t < targets; ++t, ++out) {
            *out *= form;
            if (*out > FLT_MAX) *out = FLT_MAX;
        }
    }
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- reading a form ---- */

/* A form with a coefficient for every column of the table. */
typedef struct soothi_ratio_text {
    sooth_env *env;
    const sooth_table *table;
    const char *at;
    double constant, *coefficient;
    int learned;
} soothi_ratio_text;

SOOTHI_LOCAL void soothi_ratio_blanks(soothi_ratio_text *t) {
    while (*t->at == ' ') ++t->at;
}

/* Whether a term ends here. */
SOOTHI_LOCAL int soothi_ratio_ends(const char *at) {
    while (*at == ' ') ++at;
    return *at == 0 || *at == '+';
}

/* Finds the column whose name is here and ends a term: the longest, as names may hold a plus. */
SOOTHI_LOCAL size_t soothi_ratio_column(const soothi_ratio_text *t, size_t *length) {
    char room[32];
    size_t found = SOOTH_NONE;
    *length = 0;
    for (size_t j = 0; j < t->table->cols; ++j) {
        const char *name = soothi_column(t->table, j, room);
        size_t n = 0;
        while (name[n] && name[n] == t->at[n]) ++n;
        if (name[n] || n <= *length || !soothi_ratio_ends(t->at + n)) continue;
        found = j;
        *length = n;
    }
    return found;
}

SOOTHI_LOCAL sooth_status soothi_ratio_unknown(const soothi_ratio_text *t) {
    char word[48];
    size_t n = 0;
    while (n + 1 < sizeof word && t->at[n] && t->at[n] != '+' && t->at[n] != ' ') ++n;
    memcpy(word, t->at, n);
    word[n] = 0;
    return sooth_fail(
        t->env, SOOTH_BAD_ARGUMENT,
        n ? "ratio_to has \"%s\", which is no column of the table; it must be a sum of columns, "
            "as tokens+2.5*length+500"
          : "ratio_to has an empty term%s; it must be a sum of columns, as "
            "tokens+2.5*length+500",
        word);
}

SOOTHI_LOCAL sooth_status soothi_ratio_categories(sooth_env *env, const char *name) {
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "ratio_to has %s, whose values are categories; a sum needs numbers", name);
}

/* Reads a term: a number, a column, or a number times a column. */
SOOTHI_LOCAL sooth_status soothi_ratio_term_read(soothi_ratio_text *t) {
    double factor = 1.0;
    size_t length, used = 0, j;
    char room[32];
    soothi_ratio_blanks(t);
    j = soothi_ratio_column(t, &length);
    if (j == SOOTH_NONE) {
        used = sooth_text_to_double(t->at, soothi_text_length(t->at), &factor);
        if (used == 0) return soothi_ratio_unknown(t);
        if (t->learned)
            return sooth_fail(t->env, SOOTH_BAD_ARGUMENT,
                              "ratio_to learns its coefficients after learn:, so it must name columns only, "
                              "as learn:tokens+length; its constant is learned, too");
        if (!(factor > 0.0 && factor <= (double)FLT_MAX))
            return sooth_fail(t->env, SOOTH_BAD_ARGUMENT,
                              "ratio_to has the coefficient %g, but coefficients must be above 0, so that "
                              "no prediction changes its sign",
                              factor);
        if (soothi_ratio_ends(t->at + used)) {
            t->constant += factor;
            t->at += used;
            return SOOTH_OK;
        }
        const char *const begin = t->at;
        t->at += used;
        soothi_ratio_blanks(t);
        if (*t->at != '*') {
            t->at = begin;
            return soothi_ratio_unknown(t);
        }
        ++t->at;
        soothi_ratio_blanks(t);
        j = soothi_ratio_column(t, &length);
        if (j == SOOTH_NONE) return soothi_ratio_unknown(t);
    }
    if (t->table->categorical && t->table->categorical[j])
        return soothi_ratio_categories(t->env, soothi_column(t->table, j, room));
    t->coefficient[j] += factor;
    t->at += length;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_ratio_read(soothi_ratio_text *t, const char *form) {
    static const char learn[] = "learn:";
    const size_t n = sizeof learn - 1;
    sooth_status status = SOOTH_OK;
    size_t columns = 0;
    t->at = form;
    soothi_ratio_blanks(t);
    for (size_t k = 0; learn[k] && t->at[k] == learn[k];) t->learned = ++k == n;
    if (t->learned) t->at += n;
    do {
        status = soothi_ratio_term_read(t);
        soothi_ratio_blanks(t);
    } while (status == SOOTH_OK && *t->at++ == '+');
    for (size_t j = 0; j < t->table->cols; ++j) columns += t->coefficient[j] > 0.0;
    if (status == SOOTH_OK && columns == 0)
        status =
            sooth_fail(t->env, SOOTH_BAD_ARGUMENT, "ratio_to is \"%s\", but it must have a column", form);
    return status;
}

/* ---- learning ---- */

/* Row i of the least squares: x_j / y of each chosen column, and 1 / y. */
SOOTHI_LOCAL void soothi_ratio_relative(const soothi_ratio_text *t, size_t i, float *out) {
    const float *row = t->table->x + i * t->table->stride, y = t->table->y[i * t->table->targets];
    size_t n = 0;
    for (size_t j = 0; j < t->table->cols; ++j)
        if (t->coefficient[j] > 0.0) out[n++] = row[j] / y;
    out[n] = 1.0f / y;
}

SOOTHI_LOCAL sooth_status soothi_ratio_learn(soothi_ratio_text *t) {
    const size_t rows = t->table->rows;
    sooth_linear_options options;
    sooth_linear *plane = NULL;
    sooth_table table;
    size_t cols = 1, n = 0;
    for (size_t j = 0; j < t->table->cols; ++j) cols += t->coefficient[j] > 0.0;
    float *x = (float *)sooth_alloc(t->env, soothi_product(rows, cols + 1), sizeof *x);
    if (!x) return sooth_no_memory(t->env, "the form of ratio_to", rows * (cols + 1) * sizeof *x);
    float *one = x + rows * cols;
    for (size_t i = 0; i < rows; ++i) {
        one[i] = 1.0f;
        soothi_ratio_relative(t, i, x + i * cols);
    }
    table = sooth_table_of(x, one, rows, cols);
    table.weight = t->table->weight;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_LINEAR_NON_NEGATIVE;
    options.no_intercept = options.no_statistics = 1;
    const sooth_status status = sooth_linear_fit(t->env, &table, &options, &plane);
    for (size_t j = 0; plane && j < t->table->cols; ++j)
        if (t->coefficient[j] > 0.0) t->coefficient[j] = sooth_linear_coefficient(plane, 0, n++);
    if (plane) t->constant = sooth_linear_coefficient(plane, 0, n);
    sooth_linear_free(t->env, plane);
    sooth_free(t->env, x, rows * (cols + 1), sizeof *x);
    return status;
}

/* ---- the block ---- */

SOOTHI_LOCAL sooth_status soothi_ratio_make(const soothi_ratio_text *t, sooth_ratio **ratio) {
    uint32_t terms = 0;
    for (size_t j = 0; j < t->table->cols; ++j) terms += (float)t->coefficient[j] > 0.0f;
    if (terms == 0)
        return sooth_fail(t->env, SOOTH_BAD_DATA,
                          "ratio_to learned no coefficient above 0: the target does not grow with any of its "
                          "columns");
    sooth_ratio *r =
        (sooth_ratio *)soothi_block_new(t->env, SOOTH_KIND_RATIO, SOOTH_RATIO_VERSION,
                                        soothi_round16(sizeof *r + terms * sizeof(sooth_ratio_term)), 0, 0);
    if (!r) return sooth_no_memory(t->env, "the form of ratio_to", terms * sizeof(sooth_ratio_term));
    sooth_ratio_term *term = (sooth_ratio_term *)(void *)(r + 1);
    r->head.features = (uint32_t)t->table->cols;
    r->head.targets = 1;
    r->terms = terms;
    r->constant = (float)t->constant;
    r->share = 1.0f;
    for (size_t j = 0; j < t->table->cols; ++j) {
        if (!((float)t->coefficient[j] > 0.0f)) continue;
        term->column = (uint32_t)j;
        (term++)->coefficient = (float)t->coefficient[j];
    }
    soothi_block_seal(&r->head);
    *ratio = r;
    return SOOTH_OK;
}

/* Checks the targets, and the values that the form uses, before learning. */
SOOTHI_LOCAL sooth_status soothi_ratio_rows_check(const soothi_ratio_text *t) {
    char room[32];
    const size_t targets = t->table->targets;
    for (size_t i = 0; i < t->table->rows; ++i) {
        for (size_t k = 0; k < targets; ++k) {
            const float y = t->table->y[i * targets + k];
            if (!(y > 0.0f && y <= FLT_MAX))
                return sooth_fail(t->env, SOOTH_BAD_DATA,
                                  "row %z has the target %g, but with ratio_to targets must be above 0",
                                  i + 1, (double)y);
        }
        for (size_t j = 0; j < t->table->cols; ++j) {
            const float x = t->table->x[i * t->table->stride + j];
            if (t->coefficient[j] > 0.0 && !(x >= -FLT_MAX && x <= FLT_MAX))
                return sooth_fail(t->env, SOOTH_BAD_DATA, "row %z has no number in %s, which ratio_to needs",
                                  i + 1, soothi_column(t->table, j, room));
        }
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_ratio_forms_check(const soothi_ratio_text *t, const sooth_ratio *ratio,
                                                   const char *form) {
    for (size_t i = 0; i < t->table->rows; ++i)
        if (soothi_nan((double)sooth_ratio_form(ratio, t->table->x + i * t->table->stride)))
            return sooth_fail(t->env, SOOTH_BAD_DATA,
                              "in row %z %s is not a number above 0, as ratio_to needs; a constant keeps it "
                              "above 0, as in tokens+500",
                              i + 1, form);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_ratio_fit(sooth_env *env, const sooth_table *table, const char *form,
                                       sooth_ratio **ratio) {
    soothi_ratio_text t = {env, table, form, 0.0, NULL, 0};
    *ratio = NULL;
    t.coefficient = (double *)sooth_alloc(env, table->cols, sizeof *t.coefficient);
    if (!t.coefficient) return sooth_no_memory(env, "the form of ratio_to", table->cols * sizeof(double));
    for (size_t j = 0; j < table->cols; ++j) t.coefficient[j] = 0.0;
    sooth_status status = soothi_ratio_read(&t, form);
    if (status == SOOTH_OK) status = soothi_ratio_rows_check(&t);
    if (status == SOOTH_OK && t.learned) status = soothi_ratio_learn(&t);
    if (status == SOOTH_OK) status = soothi_ratio_make(&t, ratio);
    if (status == SOOTH_OK) status = soothi_ratio_forms_check(&t, *ratio, form);
    sooth_free(env, t.coefficient, table->cols, sizeof *t.coefficient);
    if (status == SOOTH_OK) return status;
    sooth_ratio_free(env, *ratio);
    *ratio = NULL;
    return status;
}

SOOTH_API void sooth_ratio_free(sooth_env *env, sooth_ratio *ratio) {
    soothi_block_free(env, ratio ? &ratio->head : NULL);
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
