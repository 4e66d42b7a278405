/* import/origins.h - columns whose numbers floats merge, in models that compare doubles, for import.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. LightGBM and histogram gradient boosting of scikit-learn compare doubles. Rows
 * here are floats, of 24 bits: seconds since 1970 are 128 apart. Such a column counts from a number near its
 * middle, which is subtracted in double precision (model/origin.h). A first pass over the trees collects
 * thresholds. A column needs an origin if
 *   - it lies far from 0 for its range: its largest number is at least 2^22 and four times the range
 *   - a threshold has more digits than the middle of two floats, so training had numbers between floats
 * The differences of thresholds and origins are exact. A second pass then reads the trees with origins.
 *
 * Two thresholds that are one float afterwards are an error, and so is a threshold between two integers that
 * are one float then.
 *
 * Cost: 40 bytes per split of the model while it is read, and 8 per column.
 */
#if !defined(SOOTH_IMPORT_ORIGINS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_ORIGINS_IMPLEMENTED))
#include "../base.h"
#include "text.h"
#endif

#ifndef SOOTH_IMPORT_ORIGINS_H
#define SOOTH_IMPORT_ORIGINS_H
#endif /* SOOTH_IMPORT_ORIGINS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_ORIGINS_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_ORIGINS_IMPLEMENTED
SOOTHI_C_BEGIN

/* Returns the next float below v, which is not -infinity. Below both zeros it is the smallest negative one in
   magnitude. */
SOOTHI_LOCAL float soothi_import_below(float v) {
    const uint32_t bits = soothi_bits(v);
    if (bits << 1 == 0) return soothi_of_bits(0x80000001u);
    return soothi_of_bits(bits >> 31 ? bits + 1 : bits - 1);
}

/* Returns the float f such that x <= f exactly if x <= t, for every float x. */
SOOTHI_LOCAL float soothi_import_floor(double t) {
    if (!soothi_finite(t)) return (float)t;
    if (t > (double)FLT_MAX) return FLT_MAX;
    if (t < -(double)FLT_MAX) return -soothi_of_bits(SOOTHI_INFINITE_BITS);
    const float f = (float)t;
    return (double)f > t ? soothi_import_below(f) : f;
}

/* A number that splits send left, with its column. */
typedef struct soothi_import_border {
    double at;
    uint32_t feature;
} soothi_import_border;

typedef struct soothi_import_origins {
    soothi_import_border *border; /* collected in the first pass */
    size_t count, capacity;
    const char *const *names; /* of the features, or NULL */
    double *zero;             /* per feature; NULL: in the first pass, or no column needs an origin */
    size_t zeros;
    soothi_import_value infos; /* LightGBM: the ranges of training */
    int doubles;               /* the library compares doubles */
    int failed;                /* memory was short */
} soothi_import_origins;

/* Collects a threshold in the first pass, for a library that compares doubles. */
SOOTHI_LOCAL void soothi_import_collect(soothi_import_origins *o, sooth_env *env, uint32_t feature,
                                        double at) {
    if (o->failed) return;
    if (o->count == o->capacity) {
        const size_t more = o->capacity ? soothi_product(o->capacity, 2) : 256;
        soothi_import_border *grown = (soothi_import_border *)sooth_alloc(env, more, sizeof *grown);
        if (!grown) {
            o->failed = 1;
            return;
        }
        if (o->count) memcpy(grown, o->border, o->count * sizeof *grown);
        sooth_free(env, o->border, o->capacity, sizeof *o->border);
        o->border = grown;
        o->capacity = more;
    }
    o->border[o->count].at = at;
    o->border[o->count++].feature = feature;
}

SOOTHI_LOCAL uint64_t soothi_import_double_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Returns the key that sorts pass `pass` of a border: the low and the high half of its number, its column. */
SOOTHI_LOCAL uint32_t soothi_import_border_key(const soothi_import_border *b, int pass) {
    const uint64_t bits = soothi_import_double_bits(b->at + 0.0);
    const uint64_t key = bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
    return pass == 0 ? (uint32_t)key : pass == 1 ? (uint32_t)(key >> 32) : b->feature;
}

/* Sorts the borders by column, then by number. */
SOOTHI_LOCAL sooth_status soothi_import_border_sort(soothi_import_origins *o, sooth_env *env) {
    const size_t n = o->count, each = 2 * sizeof(uint64_t) + sizeof *o->border;
    uint64_t *entry = (uint64_t *)sooth_alloc(env, n, each);
    if (!entry) return sooth_no_memory(env, "the thresholds", soothi_product(n, each));
    soothi_import_border *copy = (soothi_import_border *)(void *)(entry + 2 * n);
    for (int pass = 0; pass < 3; ++pass) {
        for (size_t i = 0; i < n; ++i)
            entry[i] = (uint64_t)soothi_import_border_key(&o->border[i], pass) << 32 | (uint32_t)i;
        soothi_entry_sort(entry, entry + n, n);
        memcpy(copy, o->border, n * sizeof *copy);
        for (size_t i = 0; i < n; ++i) o->border[i] = copy[soothi_entry_row(entry[i])];
    }
    sooth_free(env, entry, n, each);
    return SOOTH_OK;
}

/* Returns 1 if the last `bits` of v - zero are 0. With 28 it is a float, or in the middle of neighbours; with
   16, in the middle of two floats of which one is up to 4096 times the other. Training with floats has such
   thresholds. LightGBM stores the next double after the middle. */
SOOTHI_LOCAL int soothi_import_is_middle(double v, double zero, int bits) {
    const uint64_t rest = ((uint64_t)1 << bits) - 1, own = soothi_import_double_bits(v);
    const uint64_t before = v > 0.0 ? own - 1 : own + 1;
    double below;
    memcpy(&below, &before, sizeof below);
    return !(soothi_import_double_bits(v - zero) & rest) || !(soothi_import_double_bits(below - zero) & rest);
}

/* Returns the threshold for a library that compares doubles with t. Each float stands for its shortest
   decimal: 1.1 is a double below 1.1000000000000003, and the float of both is above. If training had floats,
   each float stands for itself. */
SOOTHI_LOCAL float soothi_import_split(double t, double zero) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    double decimal = 0.0;
    if (soothi_abs(zero) > 0.0 || !(soothi_abs(t) <= (double)FLT_MAX) || soothi_import_is_middle(t, 0.0, 16))
        return soothi_import_floor(t);
    const float f = (float)t;
    sooth_text_to_double(text, sooth_text_from_float(text, f), &decimal);
    return decimal <= t ? f : soothi_import_below(f);
}

/* Returns the threshold of a node that sends x <= at left: counted from its column's origin. */
SOOTHI_LOCAL float soothi_import_threshold(soothi_import_origins *o, sooth_env *env, uint32_t feature,
                                           double at) {
    if (o->zero) /* the first pass has checked the features */
        return soothi_import_split(at - o->zero[feature], o->zero[feature]);
    if (!o->doubles) return soothi_import_floor(at);
    soothi_import_collect(o, env, feature, at);
    return soothi_import_split(at, 0.0);
}

/* Returns 1 if v is half an integer, or the next double after one. */
SOOTHI_LOCAL int soothi_import_is_half(double v) {
    const double twice = 2.0 * (soothi_abs(v) < 4503599627370496.0 ? v : 0.5);
    const double down = (double)(int64_t)twice, off = soothi_abs(twice - down);
    return off <= soothi_abs(twice) * 2.3e-16 || 1.0 - off <= soothi_abs(twice) * 2.3e-16;
}

/* Reads min and max of training, "[1:8]", if v is such a range. */
SOOTHI_LOCAL void soothi_import_range(const soothi_import_doc *doc, soothi_import_value v, double *least,
                                      double *most) {
    double number[2];
    size_t at = v.at + 1;
    if (doc->text[v.at] != '[') return;
    for (int k = 0; k < 2; ++k) {
        const size_t used = at < v.end ? sooth_text_to_double(doc->text + at, v.end - at, &number[k]) : 0;
        if (!used || !soothi_finite(number[k])) return;
        at += used + 1;
    }
    if (number[0] < *least) *least = number[0];
    if (number[1] > *most) *most = number[1];
}

/* Returns the origin of a column whose borders are b[0..n), in order; 0 if it needs none. */
SOOTHI_LOCAL double soothi_import_origin(const soothi_import_border *b, size_t n, double least, double most) {
    const double size = most > -least ? most : -least;
    if (!(size >= 4194304.0) || !(size <= (double)FLT_MAX) || size < 4.0 * (most - least)) return 0.0;
    for (size_t i = 0; i < n; ++i)
        if (!soothi_import_is_middle(b[i].at, 0.0, 28)) return (double)(float)(least + (most - least) / 2.0);
    return 0.0;
}

/* Fails if two of the borders of a column are one float, or one of them separates integers that are. */
SOOTHI_LOCAL sooth_status soothi_import_origin_check(const soothi_import_origins *o,
                                                     const soothi_import_doc *doc,
                                                     const soothi_import_border *b, size_t n, double zero) {
    char who[96];
    sooth_text_format(who, sizeof who, "feature %u", b->feature + 1);
    const char *name = o->names ? o->names[b->feature] : who;
    for (size_t i = 0; i < n; ++i) {
        const double at = b[i].at - zero, next = i + 1 < n ? b[i + 1].at - zero : at;
        if (soothi_abs(at) < 1e-30 || !(soothi_abs(next) <= (double)FLT_MAX)) continue;
        if (next > at && soothi_import_split(at, zero) >= soothi_import_split(next, zero))
            return soothi_import_fail(
                doc, o->infos.end ? o->infos.at : 0,
                "the trees separate numbers of %s at %g and at %g, which are the same float%s; subtract "
                "a number near them from this column, or divide it, and train again",
                name, b[i].at, b[i + 1].at, zero < 0.0 || zero > 0.0 ? " even from an origin" : "");
        if ((zero < 0.0 || zero > 0.0) && soothi_abs(at) > 8388608.0 && soothi_import_is_half(b[i].at) &&
            !soothi_import_is_middle(b[i].at, zero, 28))
            return soothi_import_fail(
                doc, o->infos.end ? o->infos.at : 0,
                "the trees separate the integers next to %g in %s, which are the same float even from an "
                "origin; divide this column, or derive others from it, and train again",
                b[i].at, name);
    }
    return SOOTH_OK;
}

/* Decides, after the first pass, which of the features need an origin. Stores the origins if any does. */
SOOTHI_LOCAL sooth_status soothi_import_origins_find(soothi_import_origins *o, const soothi_import_doc *doc,
                                                     uint32_t features) {
    soothi_import_items items = soothi_import_open(doc, o->infos, '[');
    soothi_import_value v = {0, 0, 0};
    uint32_t read = 0;
    int any = 0;
    if (o->failed) return sooth_no_memory(doc->env, "the thresholds", o->capacity * 2 * sizeof *o->border);
    if (o->count == 0) return SOOTH_OK;
    sooth_status status = soothi_import_border_sort(o, doc->env);
    if (status != SOOTH_OK) return status;
    double *zero = (double *)sooth_alloc(doc->env, features, sizeof *zero);
    if (!zero) return sooth_no_memory(doc->env, "the origins", features * sizeof *zero);
    for (uint32_t j = 0; j < features; ++j) zero[j] = 0.0;
    for (size_t i = 0, n; i < o->count && status == SOOTH_OK; i += n) {
        const soothi_import_border *b = o->border + i;
        for (n = 1; i + n < o->count && b[n].feature == b->feature;) ++n;
        double least = b[0].at, most = b[n - 1].at;
        for (; read <= b->feature && soothi_import_next(doc, &items, NULL, &v); ++read) continue;
        if (read == b->feature + 1) soothi_import_range(doc, v, &least, &most);
        const double from = soothi_import_origin(b, n, least, most);
        zero[b->feature] = from;
        any |= from < 0.0 || from > 0.0;
        status = soothi_import_origin_check(o, doc, b, n, from);
    }
    if (status == SOOTH_OK && any) {
        o->zero = zero;
        o->zeros = features;
        return SOOTH_OK;
    }
    sooth_free(doc->env, zero, features, sizeof *zero);
    return status;
}

/* Fails because a host that does not subtract origins would get other predictions. */
SOOTHI_LOCAL sooth_status soothi_import_origins_refuse(const soothi_import_origins *o,
                                                       const soothi_import_doc *doc) {
    char who[96];
    uint32_t j = 0;
    while (!(soothi_abs(o->zero[j]) > 0.0)) ++j; /* there is one */
    sooth_text_format(who, sizeof who, "feature %u", j + 1);
    return soothi_import_fail(
        doc, o->infos.end ? o->infos.at : 0,
        "the trees separate numbers of %s that are the same float; subtract %g from this "
        "column and train again, or read the model with options.origins",
        o->names ? o->names[j] : who, o->zero[j]);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
