/* model/origin.h - models of columns that floats cannot tell apart: seconds since 1970, ids, bytes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Floats have 24 bits. Between 2^30 and 2^31 they are 128 apart, so 1,700,000,001 and 1,700,000,040 are the
 * same float. An origin is a number for each such column that is subtracted before the conversion to float,
 * in double precision. The model is fitted to the differences. The other columns have the origin 0. A target
 * may have an origin, too: the prediction is then its origin plus a float.
 *
 * A file with origins is a block of its own kind around the model. sooth_model_load and sooth_model_check
 * refuse it, because a host that does not subtract the origins would get wrong predictions. sooth_origin_load
 * accepts both kinds of files.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const double when[] = {1700000001, 1700000002, 1700000040, 1700000041}, zero[] = {1700000000, 0};
 *         const float y[] = {3, 3, 9, 9};
 *         float x[4], row;
 *         sooth_origin *origin;
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (int i = 0; i < 4; ++i) x[i] = (float)(when[i] - zero[0]);
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK ||
 *             sooth_origin_make(&env, sooth_model_from_block(&tree->head), zero, &origin) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         if (!sooth_origin_check(origin, origin->head.size)) return 1; // as for bytes from a file
 *         sooth_origin_row(origin, &when[3], &row);
 *         const float above = sooth_model_predict(sooth_origin_model(origin), &row, NULL);
 *         printf("%g s\n", sooth_origin_target(origin, 0, above));  //> 9 s
 *         sooth_origin_free(&env, origin);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Integers above 2^53 are not all doubles: a host that has them as int64_t subtracts the origin, which is an
 * integer then, before the conversion. All functions of model.h apply to sooth_origin_model and to rows of
 * sooth_origin_row; ranges on its card count from the origins. To save, pass the block to sooth_model_save:
 * sooth_model_from_block(&origin->head). The model grows by 48 bytes at most, and by 8 for each column and
 * target. Any number of threads.
 */
#if !defined(SOOTH_MODEL_ORIGIN_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_MODEL_ORIGIN_H
SOOTHI_C_BEGIN

#define SOOTH_ORIGIN_VERSION 1

/* The block. After this struct:
     doubles  the origins of the features, then of the targets
     bytes    the model, a block of its own */
typedef struct sooth_origin {
    sooth_block head; /* features and targets of the model */
} sooth_origin;

/* Returns 1 if bytes[0..size) begin with a valid block of origins and their model. A checked one may come
   from anyone. */
SOOTH_API int sooth_origin_check(const void *bytes, size_t size);

/* Returns the model, whose rows count from the origins. It lives in the block. */
SOOTH_API const sooth_model *sooth_origin_model(const sooth_origin *origin);

/* Returns head.features + head.targets numbers: the origins of the features, then of the targets. */
SOOTH_API const double *sooth_origin_values(const sooth_origin *origin);

/* Converts a row of head.features numbers for the model: row[j] is value[j] minus the origin, as a float. */
SOOTH_API void sooth_origin_row(const sooth_origin *origin, const double *value, float *row);

/* Returns a prediction of target t by the model, or an end of its interval, in the unit of the target. */
SOOTH_API double sooth_origin_target(const sooth_origin *origin, size_t t, float predicted);

/* Copies a checked model and the origins of its features and then of its targets into one block. Returns
   SOOTH_BAD_ARGUMENT if an origin is not finite. */
SOOTH_API sooth_status sooth_origin_make(sooth_env *env, const sooth_model *model, const double *value,
                                         sooth_origin **origin);

/* Like sooth_model_load, for files with and without origins; without, all origins are 0, of at most 2^24
   features and targets. */
SOOTH_API sooth_status sooth_origin_load(sooth_env *env, const void *bytes, size_t size,
                                         sooth_origin **origin);

/* Frees what sooth_origin_make or sooth_origin_load returned; NULL is valid. */
SOOTH_API void sooth_origin_free(sooth_env *env, sooth_origin *origin);

SOOTHI_C_END
#endif /* SOOTH_MODEL_ORIGIN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_ORIGIN_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_MODEL_ORIGIN_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API const sooth_model *sooth_origin_model(const sooth_origin *origin) {
    return (const sooth_model *)soothi_model_part(origin, origin->head.bytes_at);
}

SOOTH_API const double *sooth_origin_values(const sooth_origin *origin) {
    return (const double *)soothi_model_part(origin, origin->head.doubles_at);
}

SOOTH_API int sooth_origin_check(const void *bytes, size_t size) {
    const sooth_origin *origin = (const sooth_origin *)bytes;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_ORIGIN, SOOTH_ORIGIN_VERSION)) return 0;
    const sooth_block *head = &origin->head;
    const uint64_t numbers = (uint64_t)head->features + head->targets;
    if (head->doubles_at != sizeof *origin ||
        ((8u * numbers + 15u) & ~(uint64_t)15u) != head->bytes_at - head->doubles_at ||
        !sooth_model_check(sooth_origin_model(origin), head->size - head->bytes_at))
        return 0;
    const sooth_block *inner = &sooth_origin_model(origin)->head;
    if (inner->size != head->size - head->bytes_at || inner->features != head->features ||
        inner->targets != head->targets)
        return 0;
    for (uint64_t i = 0; i < numbers; ++i)
        if (!soothi_finite(sooth_origin_values(origin)[i])) return 0;
    return 1;
}

SOOTH_API void sooth_origin_row(const sooth_origin *origin, const double *value, float *row) {
    const double *zero = sooth_origin_values(origin);
    for (size_t j = 0; j < origin->head.features; ++j) row[j] = (float)(value[j] - zero[j]);
}

SOOTH_API double sooth_origin_target(const sooth_origin *origin, size_t t, float predicted) {
    return sooth_origin_values(origin)[origin->head.features + t] + (double)predicted;
}

SOOTH_API sooth_status sooth_origin_make(sooth_env *env, const sooth_model *model, const double *value,
                                         sooth_origin **origin) {
    const size_t numbers = (size_t)model->head.features + model->head.targets;
    *origin = NULL;
    for (size_t i = 0; i < numbers; ++i)
        if (!soothi_finite(value[i]))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "origin %z of %z is %g, but must be finite", i + 1,
                              numbers, value[i]);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    for (uint32_t j = 0; parts.ratio && j < parts.ratio->terms; ++j) {
        const uint32_t column = sooth_ratio_terms(parts.ratio)[j].column;
        if (value[column] < 0.0 || value[column] > 0.0)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "column %u is a term of ratio_to, so it must have the origin 0, not %g",
                              column + 1, value[column]);
    }
    sooth_origin *o =
        (sooth_origin *)soothi_block_new(env, SOOTH_KIND_ORIGIN, SOOTH_ORIGIN_VERSION, sizeof *o,
                                         soothi_product(numbers, sizeof *value), model->head.size);
    if (!o) return sooth_no_memory(env, "a model with origins", model->head.size);
    o->head.features = model->head.features;
    o->head.targets = model->head.targets;
    memcpy((unsigned char *)o + o->head.doubles_at, value, numbers * sizeof *value);
    memcpy((unsigned char *)o + o->head.bytes_at, model, model->head.size);
    soothi_block_seal(&o->head);
    *origin = o;
    return SOOTH_OK;
}

enum { SOOTHI_ORIGIN_MAX = 1 << 24 };

/* Wraps a model whose origins are all 0. */
SOOTHI_LOCAL sooth_status soothi_origin_of_zeros(sooth_env *env, const void *bytes, size_t size,
                                                 sooth_origin **origin) {
    sooth_model *model;
    sooth_status status = sooth_model_load(env, bytes, size, &model);
    if (status != SOOTH_OK) return status;
    const size_t numbers = (size_t)model->head.features + model->head.targets;
    double *zero = NULL;
    if (numbers > SOOTHI_ORIGIN_MAX) /* a tree of few bytes may state any number of features */
        status = sooth_fail(env, SOOTH_BAD_MODEL, "the model has %z features and targets, more than %u",
                            numbers, SOOTHI_ORIGIN_MAX);
    else zero = (double *)sooth_alloc(env, numbers, sizeof *zero);
    if (zero) {
        for (size_t i = 0; i < numbers; ++i) zero[i] = 0.0;
        status = sooth_origin_make(env, model, zero, origin);
        sooth_free(env, zero, numbers, sizeof *zero);
    } else if (status == SOOTH_OK) {
        status = sooth_no_memory(env, "the origins", soothi_product(numbers, sizeof *zero));
    }
    sooth_model_free(env, model);
    return status;
}

/* The reason why sooth_origin_check refuses bytes that begin like a file with origins. */
SOOTHI_LOCAL sooth_status soothi_origin_refuse(sooth_env *env, const unsigned char *bytes, size_t size) {
    const uint32_t version = soothi_model_read32(bytes + 4) >> 16;
    if (version > SOOTH_ORIGIN_VERSION || soothi_model_read32(bytes + 8) != size || size % 16 != 0 ||
        soothi_model_read32(bytes + 12) != soothi_checksum(bytes, size))
        return soothi_model_refuse(env, bytes, size);
    return sooth_fail(env, SOOTH_BAD_MODEL,
                      "the model file is invalid: its checksum matches, but its contents do not");
}

SOOTH_API sooth_status sooth_origin_load(sooth_env *env, const void *bytes, size_t size,
                                         sooth_origin **origin) {
    const unsigned char *from = (const unsigned char *)bytes;
    *origin = NULL;
    if (!bytes || size < sizeof(sooth_block) ||
        (soothi_model_read32(from + 4) & 0xFFFFu) != SOOTH_KIND_ORIGIN)
        return soothi_origin_of_zeros(env, bytes, size, origin);
    if (soothi_model_read32(from + 8) != size) return soothi_origin_refuse(env, from, size);
    sooth_origin *copy = (sooth_origin *)sooth_alloc(env, size, 1);
    if (!copy) return sooth_no_memory(env, "a model with origins", size);
    memcpy(copy, bytes, size);
    if (!soothi_model_to_host(copy, size) || !sooth_origin_check(copy, size)) {
        sooth_free(env, copy, size, 1);
        return soothi_origin_refuse(env, from, size);
    }
    *origin = copy;
    return SOOTH_OK;
}

SOOTH_API void sooth_origin_free(sooth_env *env, sooth_origin *origin) {
    soothi_block_free(env, origin ? &origin->head : NULL);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
