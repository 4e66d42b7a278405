/* import/categories.h - names of categories that the files of other libraries have, as a sooth_levels.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. Trees test codes. Two libraries keep what the codes stand for:
 *   LightGBM  the line pandas_categorical after the trees: a list of categories for each column of the frame
 *             that had the type category, in the order of the columns, without their names. Code k is the
 *             k-th of a list. An ordered category is a number in the trees, but is on this line too
 *   XGBoost   since 3.1 `cats` of the model: an entry for each feature, empty for numbers
 *
 * Cost: memory for the names, and for LightGBM a byte per list and feature.
 */
#if !defined(SOOTH_IMPORT_CATEGORIES_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_CATEGORIES_IMPLEMENTED))
#include "../preprocess/levels.h"
#include "text.h"
#endif

#ifndef SOOTH_IMPORT_CATEGORIES_H
#define SOOTH_IMPORT_CATEGORIES_H
#endif /* SOOTH_IMPORT_CATEGORIES_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_CATEGORIES_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_CATEGORIES_IMPLEMENTED
SOOTHI_C_BEGIN

/* What a file tells about categories. */
typedef struct soothi_import_categories {
    const char *const *names; /* of the features, or NULL */
    sooth_levels *levels;     /* NULL: none are named */
    uint32_t coded;           /* categorical features without names */
    uint32_t first_coded;
} soothi_import_categories;

/* ---- a dictionary in the making ---- */

typedef struct soothi_import_dictionary {
    const soothi_import_doc *doc;
    soothi_levels_found *level; /* in the order of columns and codes */
    uint8_t *kind;              /* of each feature: sooth_levels_column.categorical */
    char *text, *end;           /* memory of the names, and what is used of it */
    size_t levels, capacity, text_size;
    uint32_t features;
    const char *const *names; /* of the features, or NULL */
    char who[96];
} soothi_import_dictionary;

/* Returns the name of a feature for a message. */
SOOTHI_LOCAL const char *soothi_import_dictionary_who(soothi_import_dictionary *d, uint32_t column) {
    if (d->names) sooth_text_format(d->who, sizeof d->who, "%s", d->names[column]);
    else sooth_text_format(d->who, sizeof d->who, "feature %u", column + 1);
    return d->who;
}

/* A canonical spelling has at most so many bytes more than that in the file, its zero included: 1e20. */
enum { SOOTHI_IMPORT_CATEGORY = 27 };

/* Provides memory for `levels` names that take at most `bytes` in the file. */
SOOTHI_LOCAL sooth_status soothi_import_dictionary_begin(soothi_import_dictionary *d,
                                                         const soothi_import_doc *doc, uint32_t features,
                                                         const char *const *names, size_t levels,
                                                         size_t bytes) {
    memset(d, 0, sizeof *d);
    d->doc = doc;
    d->features = features;
    d->names = names;
    d->capacity = levels + 1;
    d->text_size = soothi_product(levels + bytes / SOOTHI_IMPORT_CATEGORY + 2, SOOTHI_IMPORT_CATEGORY);
    d->level = (soothi_levels_found *)sooth_alloc(doc->env, d->capacity, sizeof *d->level);
    d->kind = (uint8_t *)sooth_alloc(doc->env, features, 1);
    d->text = d->end = (char *)sooth_alloc(doc->env, d->text_size, 1);
    if (!d->level || !d->kind || !d->text) return sooth_no_memory(doc->env, "the categories", d->text_size);
    memset(d->kind, 0, features);
    return SOOTH_OK;
}

/* Makes the dictionary if `status` is SOOTH_OK and it has categories. Frees the memory. */
SOOTHI_LOCAL sooth_status soothi_import_dictionary_end(soothi_import_dictionary *d, sooth_status status,
                                                       sooth_levels **levels) {
    sooth_env *env = d->doc->env;
    int any = 0;
    for (uint32_t j = 0; status == SOOTH_OK && j < d->features; ++j) any |= d->kind[j];
    if (any) status = soothi_levels_from_names(env, d->kind, d->features, d->level, d->levels, levels);
    sooth_free(env, d->text, d->text_size, 1);
    sooth_free(env, d->kind, d->features, 1);
    sooth_free(env, d->level, d->capacity, sizeof *d->level);
    return status;
}

/* Ends the name that was written at d->end. Names of values get their canonical spelling. */
SOOTHI_LOCAL sooth_status soothi_import_dictionary_add(soothi_import_dictionary *d, uint32_t column,
                                                       size_t length, size_t at) {
    char value[SOOTHI_LEVELS_VALUE];
    size_t n = d->kind[column] == SOOTHI_LEVELS_VALUES ? soothi_levels_value(d->end, length, value) : 0;
    if (n) memcpy(d->end, value, length = n);
    for (n = 0; n < length && d->end[n]; ++n) continue;
    if (n < length)
        return soothi_import_fail(d->doc, at, "a category of %s has a zero byte in its name",
                                  soothi_import_dictionary_who(d, column));
    soothi_levels_found *level = d->level + d->levels++;
    memset(level, 0, sizeof *level);
    level->column = column;
    level->name = d->end;
    d->end += length;
    *d->end++ = 0;
    return SOOTH_OK;
}

/* Writes an integer of a UBJ array, which may be beyond 2^53, at d->end. Returns its length. */
SOOTHI_LOCAL size_t soothi_import_dictionary_integer(soothi_import_dictionary *d, soothi_import_value v) {
    const char type = v.type ? v.type : d->doc->text[v.at];
    const size_t width = soothi_import_ubj_width(type), at = v.at + !v.type;
    const int negative = type != 'U' && (unsigned char)d->doc->text[at] >> 7;
    uint64_t bits = negative ? ~(uint64_t)0 : 0;
    char digit[24];
    size_t n = 0, length = 0;
    for (size_t i = 0; i < width; ++i) bits = bits << 8 | (unsigned char)d->doc->text[at + i];
    if (negative) bits = 0u - bits;
    do digit[n++] = (char)('0' + bits % 10);
    while (bits /= 10);
    if (negative) d->end[length++] = '-';
    while (n) d->end[length++] = digit[--n];
    return length;
}

/* Adds a category: a string, a number, or true or false. */
SOOTHI_LOCAL sooth_status soothi_import_dictionary_value(soothi_import_dictionary *d, uint32_t column,
                                                         soothi_import_value v) {
    const soothi_import_doc *doc = d->doc;
    const char type = v.type ? v.type : doc->text[v.at];
    char value[SOOTHI_LEVELS_VALUE];
    size_t at, end, n;
    double number;
    if (soothi_import_text(doc, v, &at, &end)) {
        n = soothi_import_copy(doc, v, 1, d->end);
    } else if (doc->syntax == SOOTHI_IMPORT_UBJ && (type == 'd' || type == 'D')) {
        soothi_import_number(doc, v, 0, &number);
        n = sooth_text_from_double(d->end, number);
        if (!soothi_levels_value(d->end, n, value)) n = 0;
    } else if (doc->syntax == SOOTHI_IMPORT_UBJ && soothi_import_ubj_width(type)) {
        n = soothi_import_dictionary_integer(d, v);
    } else {
        n = doc->syntax == SOOTHI_IMPORT_UBJ ? 0 : v.end - v.at;
        memcpy(d->end, doc->text + v.at, n);
        if (!soothi_levels_value(d->end, n, value)) n = 0;
    }
    if (n == 0 && type != '"' && type != 'S')
        return soothi_import_fail(doc, v.at, "a category of %s is not a text, a finite number, true or false",
                                  soothi_import_dictionary_who(d, column));
    return soothi_import_dictionary_add(d, column, n, v.at);
}

/* Adds the categories of a list, in the order of their codes. They are names if all are texts, else values.
 */
SOOTHI_LOCAL sooth_status soothi_import_dictionary_list(soothi_import_dictionary *d, uint32_t column,
                                                        soothi_import_value list) {
    soothi_import_items items = soothi_import_open(d->doc, list, '[');
    soothi_import_value v;
    size_t at, end;
    d->kind[column] = 1;
    while (soothi_import_next(d->doc, &items, NULL, &v))
        if (!soothi_import_text(d->doc, v, &at, &end)) d->kind[column] = SOOTHI_LEVELS_VALUES;
    items = soothi_import_open(d->doc, list, '[');
    while (soothi_import_next(d->doc, &items, NULL, &v)) {
        const sooth_status status = soothi_import_dictionary_value(d, column, v);
        if (status != SOOTH_OK) return status;
    }
    return SOOTH_OK;
}

/* ---- XGBoost ---- */

/* Adds names whose bytes are the numbers values[offsets[k] .. offsets[k + 1]). XGBoost counts letters where
   it means bytes: a name that is not ASCII loses its end, or gets that of the name before. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_texts(soothi_import_dictionary *d, uint32_t column,
                                                      soothi_import_value offsets,
                                                      soothi_import_value values) {
    soothi_import_items items = soothi_import_open(d->doc, offsets, '[');
    soothi_import_items bytes = soothi_import_open(d->doc, values, '[');
    soothi_import_value v, b;
    uint32_t from = 0, to = 0;
    double number = 0.0;
    d->kind[column] = 1;
    for (size_t k = 0; soothi_import_next(d->doc, &items, NULL, &v); ++k, from = to) {
        size_t n = 0;
        if (!soothi_import_number(d->doc, v, 0, &number) || !soothi_import_index(number, 4294967295.0, &to) ||
            to < from || (k == 0 && to != 0))
            return soothi_import_fail(d->doc, v.at, "the offsets of the categories of %s must ascend",
                                      soothi_import_dictionary_who(d, column));
        for (uint32_t i = from; i < to; ++i) {
            if (!soothi_import_next(d->doc, &bytes, NULL, &b) ||
                !soothi_import_number(d->doc, b, 0, &number) || !(number >= -128.0 && number <= 255.0))
                return soothi_import_fail(d->doc, values.end ? values.at : offsets.at,
                                          "the categories of %s have fewer bytes than their offsets",
                                          soothi_import_dictionary_who(d, column));
            if (!(number >= 0.0 && number < 128.0))
                return soothi_import_fail(
                    d->doc, b.at,
                    "the categories of %s have letters beyond ASCII, and XGBoost 3.1 and "
                    "3.2 store such names cut short; train with names in ASCII, or with "
                    "codes",
                    soothi_import_dictionary_who(d, column));
            d->end[n++] = (char)number;
        }
        const sooth_status status = k ? soothi_import_dictionary_add(d, column, n, v.at) : SOOTH_OK;
        if (status != SOOTH_OK) return status;
    }
    return SOOTH_OK;
}

/* Reads cats.enc, an entry for each feature, and counts the features of type "c" without one. */
SOOTHI_LOCAL sooth_status soothi_import_xgboost_levels(const soothi_import_doc *doc, soothi_import_value cats,
                                                       soothi_import_value types, uint32_t features,
                                                       soothi_import_categories *out) {
    soothi_import_dictionary d;
    soothi_import_value enc, v, part[2];
    size_t names = 0, bytes = 0, entries = 0;
    soothi_import_find(doc, cats, "enc", 1, &enc);
    soothi_import_items items = soothi_import_open(doc, enc, '[');
    for (; soothi_import_next(doc, &items, NULL, &v); ++entries) {
        soothi_import_find(doc, v, "offsets values", 2, part);
        names += soothi_import_count(doc, part[0].end ? part[0] : part[1]);
        bytes += part[1].end - part[1].at;
    }
    if (entries > features)
        return soothi_import_fail(doc, enc.at, "there are categories of %z features, but %u features",
                                  entries, features);
    sooth_status status = soothi_import_dictionary_begin(&d, doc, features, out->names, names, bytes);
    items = soothi_import_open(doc, enc, '[');
    for (uint32_t j = 0; status == SOOTH_OK && soothi_import_next(doc, &items, NULL, &v); ++j) {
        soothi_import_find(doc, v, "offsets values", 2, part);
        if (soothi_import_count(doc, part[part[0].end ? 0 : 1]) == 0) continue;
        status = part[0].end ? soothi_import_xgboost_texts(&d, j, part[0], part[1])
                             : soothi_import_dictionary_list(&d, j, part[1]);
    }
    items = soothi_import_open(doc, types, '[');
    for (uint32_t j = 0; status == SOOTH_OK && j < features && soothi_import_next(doc, &items, NULL, &v); ++j)
        if (!d.kind[j] && soothi_import_is(doc, v, "c") && !out->coded++) out->first_coded = j;
    return soothi_import_dictionary_end(&d, status, &out->levels);
}

/* ---- LightGBM ---- */

/* What the header of the file tells about a feature. */
typedef struct soothi_import_lightgbm_feature {
    double most;         /* the greatest code in training, if `codes` */
    uint8_t codes;       /* its values are integers from 0, or unknown: it may have been a category */
    uint8_t categorical; /* its splits may be on sets */
} soothi_import_lightgbm_feature;

/* Reads an entry of feature_infos: "[min:max]" for numbers, "-1:4:0:2" for categories, "none". */
SOOTHI_LOCAL void soothi_import_lightgbm_info(const soothi_import_doc *doc, soothi_import_value v,
                                              soothi_import_lightgbm_feature *f) {
    const int range = doc->text[v.at] == '[';
    double number, least = 0.0;
    f->most = 0.0;
    f->codes = 1;
    if (soothi_import_which(doc, v.at, v.end, "none") >= 0) return;
    f->categorical = (uint8_t)!range;
    for (size_t at = v.at + (size_t)range; at < v.end; ++at) {
        const size_t used = sooth_text_to_double(doc->text + at, v.end - at, &number);
        if (!used || !(soothi_abs(number) < 4294967296.0) || (double)(int64_t)number < number ||
            (double)(int64_t)number > number) {
            f->codes = 0;
            return;
        }
        if (number > f->most) f->most = number;
        if (number < least) least = number;
        at += used;
    }
    if (range && least < 0.0) f->codes = 0;
}

/* Finds the columns of the lists: of[k] is the feature of list k. The order is that of the columns. size[k]
   categories must suffice for the codes of training. With `all`, every categorical feature has a list.
   ways: (lists + 1) x (features + 1) bytes. Returns the number of ways: 0, 1 or 2, which means more. */
SOOTHI_LOCAL unsigned soothi_import_lightgbm_assign(const soothi_import_lightgbm_feature *feature,
                                                    uint32_t features, const uint32_t *size, uint32_t lists,
                                                    int all, uint8_t *ways, uint32_t *of) {
    const size_t row = (size_t)features + 1;
    for (uint32_t k = lists + 1; k-- > 0;)
        for (uint32_t j = features + 1; j-- > 0;) {
            uint8_t *w = ways + k * row + j;
            *w = (uint8_t)(k == lists && j == features);
            if (j == features) continue;
            if (!all || !feature[j].categorical) *w = w[1];
            if (k < lists && feature[j].codes && feature[j].most < (double)size[k])
                *w = (uint8_t)(*w + w[row + 1]);
            if (*w > 2) *w = 2;
        }
    if (*ways != 1) return *ways;
    for (uint32_t k = 0, j = 0; k < lists; ++j) {
        const int fits = feature[j].codes && feature[j].most < (double)size[k];
        if (fits && ways[(k + 1) * row + j + 1]) of[k++] = j;
    }
    return 1;
}

/* Reads the features that the parameters list as categorical, "0,3"; the columns of training are all that it
   holds. */
SOOTHI_LOCAL void soothi_import_lightgbm_listed(const soothi_import_doc *doc, soothi_import_value list,
                                                soothi_import_lightgbm_feature *feature, uint32_t features) {
    double number;
    for (size_t at = list.at; at < list.end;) {
        uint32_t j;
        const size_t used = sooth_text_to_double(doc->text + at, list.end - at, &number);
        if (!used || !soothi_import_index(number, (double)features - 1.0, &j)) return;
        feature[j].categorical = 1;
        at += used + 1;
    }
}

/* Reads the lists of pandas_categorical. d: begun. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_lists(soothi_import_dictionary *d,
                                                       soothi_import_value pandas,
                                                       const soothi_import_lightgbm_feature *feature,
                                                       uint32_t lists, unsigned char *memory) {
    uint32_t *size = (uint32_t *)(void *)memory, *of = size + lists, k = 0;
    uint8_t *ways = (uint8_t *)(of + lists);
    soothi_import_items items = soothi_import_open(d->doc, pandas, '[');
    soothi_import_value v;
    sooth_status status = SOOTH_OK;
    for (; soothi_import_next(d->doc, &items, NULL, &v); ++k) {
        if (!soothi_import_open(d->doc, v, '[').close)
            return soothi_import_fail(d->doc, v.at, "pandas_categorical must be a list of lists");
        size[k] = (uint32_t)soothi_import_count(d->doc, v);
    }
    unsigned found = soothi_import_lightgbm_assign(feature, d->features, size, lists, 1, ways, of);
    if (!found) found = soothi_import_lightgbm_assign(feature, d->features, size, lists, 0, ways, of);
    if (found != 1)
        return soothi_import_fail(
            d->doc, pandas.at,
            "pandas_categorical has %u lists of categories, %s; train with integer codes from 0 in place of "
            "these columns, or without their order",
            lists,
            found ? "but ordered ones can belong to several features"
                  : "but no features have codes that they explain");
    items = soothi_import_open(d->doc, pandas, '[');
    for (k = 0; status == SOOTH_OK && soothi_import_next(d->doc, &items, NULL, &v); ++k)
        status = soothi_import_dictionary_list(d, of[k], v);
    return status;
}

/* Makes the dictionary. pandas: the JSON of pandas_categorical; infos: feature_infos; listed: the parameter
   categorical_feature. All three may be missing. */
SOOTHI_LOCAL sooth_status soothi_import_lightgbm_levels(const soothi_import_doc *doc,
                                                        soothi_import_value pandas, soothi_import_value infos,
                                                        soothi_import_value listed, uint32_t features,
                                                        soothi_import_categories *out) {
    soothi_import_doc json = *doc;
    soothi_import_dictionary d;
    soothi_import_value v;
    size_t names = 0, lists = 0;
    json.syntax = SOOTHI_IMPORT_JSON;
    soothi_import_items items = soothi_import_open(&json, pandas, '[');
    for (; soothi_import_next(&json, &items, NULL, &v); ++lists) names += soothi_import_count(&json, v);
    const size_t room = soothi_product(lists + 1, (size_t)features + 9);
    if (lists > features || room / 64 > 16384 + doc->size)
        return soothi_import_fail(&json, pandas.at,
                                  "pandas_categorical has lists of categories for %z features, too many for "
                                  "%u features and a file of %z bytes",
                                  lists, features, doc->size);
    sooth_status status = soothi_import_dictionary_begin(&d, &json, features, out->names, names,
                                                         pandas.end ? pandas.end - pandas.at : 0);
    soothi_import_lightgbm_feature *feature =
        (soothi_import_lightgbm_feature *)sooth_alloc(doc->env, features, sizeof *feature);
    unsigned char *memory = (unsigned char *)sooth_alloc(doc->env, room, 1);
    if (status == SOOTH_OK && (!feature || !memory))
        status = sooth_no_memory(doc->env, "the categories", room);
    if (status == SOOTH_OK) {
        memset(feature, 0, features * sizeof *feature);
        items = soothi_import_open(doc, infos, '[');
        for (uint32_t j = 0; j < features; ++j) {
            feature[j].codes = 1; /* unknown */
            if (soothi_import_next(doc, &items, NULL, &v)) soothi_import_lightgbm_info(doc, v, &feature[j]);
        }
        soothi_import_lightgbm_listed(doc, listed, feature, features);
        if (lists) status = soothi_import_lightgbm_lists(&d, pandas, feature, (uint32_t)lists, memory);
        for (uint32_t j = 0; status == SOOTH_OK && j < features; ++j)
            if (!d.kind[j] && feature[j].categorical && !out->coded++) out->first_coded = j;
    }
    sooth_free(doc->env, memory, room, 1);
    sooth_free(doc->env, feature, features, sizeof *feature);
    return soothi_import_dictionary_end(&d, status, &out->levels);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
