/* import/libsvm.h - model files of LIBSVM: support vector regressions of svm-train, e1071 or scikit-learn.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A model file is text: a head of "name value" lines, the line SV, then one line per support vector. A vector
 * has its coefficient first, then "column:value" for every value that is not 0 (Chang and Lin, LIBSVM: a
 * library for support vector machines, ACM TIST 2, 2011; its README describes the format).
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/import.h"
 *     #include <stdio.h>
 *
 *     static int to_stdout(void *user, const char *text, size_t size) {
 *         (void)user;
 *         return fwrite(text, 1, size, stdout) != size;
 *     }
 *
 *     int main(void) {
 *         const char text[] = "svm_type epsilon_svr\nkernel_type linear\ntotal_sv 2\nrho -1\nSV\n"
 *                             "2 1:3\n"
 *                             "-0.5 1:4 2:8\n";
 *         const float row[] = {0.5f, 0.25f};
 *         sooth_sink sink = {.write_fn = to_stdout};
 *         sooth_env env;
 *         sooth_svr *model;
 *         sooth_env_init(&env);
 *         if (sooth_libsvm_read(&env, text, sizeof text - 1, 2, &model) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g\n", (double)sooth_svr_predict(model, row));   //> 2
 *         sooth_libsvm_write(&env, model, &sink);                  //> 1 1:4 2:-4
 *         sooth_svr_free(&env, model);
 *         return 0;
 *     }
 *
 * Cost: reading passes over the text twice and allocates the model. A linear kernel takes another 8 bytes per
 * column meanwhile. Writing allocates nothing.
 */
#if !defined(SOOTH_IMPORT_LIBSVM_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_LIBSVM_IMPLEMENTED))
#include "../svr.h"
#endif

#ifndef SOOTH_IMPORT_LIBSVM_H
#define SOOTH_IMPORT_LIBSVM_H

#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Writes a model file for svm-predict, independent of the locale. Every number reads back as the same double.
   Returns SOOTH_BAD_ARGUMENT for kernel CALLBACK. A linear model is written as one vector. A checked model
   may come from anyone. Check sink->failed for write errors. */
SOOTH_API sooth_status sooth_libsvm_write(sooth_env *env, const sooth_svr *model, sooth_sink *sink);

/* Reads text[0..size). features is the number of columns of rows; 0 means the largest column in the file.
   Values of vectors are rounded to float. So are the terms of a prediction, which svm-predict adds in double.
   Returns SOOTH_BAD_DATA if this changes predictions at the model's own vectors (64 are tested) by more than
   1/1000 of the largest prediction. Returns SOOTH_BAD_TEXT with the line in the message. Files of classifiers
   and precomputed kernels are refused. Free the model with sooth_svr_free. */
SOOTH_API sooth_status sooth_libsvm_read(sooth_env *env, const char *text, size_t size, size_t features,
                                         sooth_svr **model);

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPORT_LIBSVM_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_LIBSVM_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_LIBSVM_IMPLEMENTED
SOOTHI_C_BEGIN

/* The format's names of the kernels, in the order of sooth_svr_kernel. */
static const char soothi_libsvm_kernel[SOOTH_SVR_CALLBACK][12] = {"rbf", "linear", "polynomial", "sigmoid"};

SOOTH_API sooth_status sooth_libsvm_write(sooth_env *env, const sooth_svr *model, sooth_sink *sink) {
    const double *d = soothi_svr_doubles(model);
    if (model->kernel == SOOTH_SVR_CALLBACK)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "LIBSVM files cannot represent a kernel that is a callback of the host");
    sooth_text_put(sink, "svm_type %s\nkernel_type %s\n",
                   model->method == SOOTH_SVR_NU ? "nu_svr" : "epsilon_svr",
                   soothi_libsvm_kernel[model->kernel]);
    if (model->kernel == SOOTH_SVR_POLYNOMIAL) sooth_text_put(sink, "degree %u\n", model->degree);
    if (model->kernel != SOOTH_SVR_LINEAR) sooth_text_put(sink, "gamma %g\n", d[1]);
    if (model->kernel == SOOTH_SVR_POLYNOMIAL || model->kernel == SOOTH_SVR_SIGMOID)
        sooth_text_put(sink, "coef0 %g\n", d[2]);
    sooth_text_put(sink, "nr_class 2\ntotal_sv %u\nrho %g\nSV\n", model->vectors, -d[0]);
    for (size_t k = 0; k < model->vectors; ++k) {
        sooth_text_put(sink, "%g ", d[4 + k]);
        for (size_t j = 0; j < model->head.features; ++j) {
            const float v = sooth_svr_vector(model, k, j);
            if (v < 0.0f || v > 0.0f)
                sooth_text_put(sink, "%z:%g ", j + 1, (double)v); /* digits of a double */
        }
        sooth_text_write(sink, "\n", 1);
    }
    return SOOTH_OK;
}

typedef struct soothi_libsvm_reader {
    sooth_env *env;
    const char *at, *end; /* the current line; `end` excludes its line feed */
    const char *stop;     /* end of the text */
    size_t line;
    soothi_svr_about about; /* method and kernel as below: not read yet */
    double degree, total, rho;
    size_t features;
    double moved; /* square of the maximum distance of a vector from its floats */
} soothi_libsvm_reader;

SOOTHI_LOCAL int soothi_libsvm_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Takes the next word of the line. Returns its length, 0 at the end. */
SOOTHI_LOCAL size_t soothi_libsvm_word(soothi_libsvm_reader *r, const char **word) {
    while (r->at < r->end && soothi_libsvm_blank(*r->at)) ++r->at;
    *word = r->at;
    while (r->at < r->end && !soothi_libsvm_blank(*r->at)) ++r->at;
    return (size_t)(r->at - *word);
}

/* Goes to the next line with a word. Returns the length of its first word, 0 at the end of the text. */
SOOTHI_LOCAL size_t soothi_libsvm_next_line(soothi_libsvm_reader *r, const char **word) {
    size_t length = 0;
    while (!length && (r->at = r->end + (r->line > 0)) < r->stop) {
        ++r->line;
        for (r->end = r->at; r->end < r->stop && *r->end != '\n';) ++r->end;
        length = soothi_libsvm_word(r, word);
    }
    return length;
}

SOOTHI_LOCAL int soothi_libsvm_is(const char *word, size_t length, const char *name) {
    return soothi_text_length(name) == length && soothi_same_chars(word, name, length);
}

/* Parses a number that is not too large for a float. */
SOOTHI_LOCAL int soothi_libsvm_number(const char *word, size_t length, double *value) {
    return length && sooth_text_to_double(word, length, value) == length && soothi_abs(*value) <= 3e38;
}

/* Parses "index:value", with the index from 1. */
SOOTHI_LOCAL int soothi_libsvm_pair(const char *word, size_t length, size_t *number, double *value) {
    size_t i, n = 0;
    for (i = 0; i < length && word[i] >= '0' && word[i] <= '9'; ++i) {
        n = 10 * n + (size_t)(word[i] - '0');
        if (n > SOOTH_SVR_MAX_FEATURES) return 0;
    }
    *number = n;
    return n > 0 && i < length && word[i] == ':' && soothi_libsvm_number(word + i + 1, length - i - 1, value);
}

SOOTHI_LOCAL sooth_status soothi_libsvm_bad(const soothi_libsvm_reader *r, const char *what) {
    return sooth_fail(r->env, SOOTH_BAD_TEXT, "line %z: %s", r->line, what);
}

SOOTHI_LOCAL sooth_status soothi_libsvm_read_key(soothi_libsvm_reader *r, const char *key, size_t length) {
    const struct {
        const char *name;
        double *value, least, most;
        int whole;
        const char *what;
    } known[] = {{"degree", &r->degree, 0, 64, 1, "degree must be a whole number from 0 to 64"},
                 {"total_sv", &r->total, 0, 268435456.0, 1, "total_sv must be a whole number"},
                 {"gamma", &r->about.gamma_value, -1e30, 1e30, 0, "gamma must be a number"},
                 {"coef0", &r->about.coef0, -1e30, 1e30, 0, "coef0 must be a number"},
                 {"rho", &r->rho, -1e38, 1e38, 0, "rho must be a number"}};
    const char *word;
    const size_t n = soothi_libsvm_word(r, &word);
    double v = 0.0;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k) {
        if (!soothi_libsvm_is(key, length, known[k].name)) continue;
        if (!soothi_libsvm_number(word, n, &v) || v < known[k].least || v > known[k].most ||
            (known[k].whole && (double)(uint32_t)v < v))
            return soothi_libsvm_bad(r, known[k].what);
        *known[k].value = v;
        return SOOTH_OK;
    }
    if (soothi_libsvm_is(key, length, "svm_type")) {
        r->about.method = soothi_libsvm_is(word, n, "nu_svr") ? SOOTH_SVR_NU : SOOTH_SVR_EPSILON;
        if (!r->about.method && !soothi_libsvm_is(word, n, "epsilon_svr"))
            return soothi_libsvm_bad(r, "svm_type must be epsilon_svr or nu_svr");
    } else if (soothi_libsvm_is(key, length, "kernel_type")) {
        for (r->about.kernel = 0; r->about.kernel < SOOTH_SVR_CALLBACK; ++r->about.kernel)
            if (soothi_libsvm_is(word, n, soothi_libsvm_kernel[r->about.kernel])) return SOOTH_OK;
        return soothi_libsvm_bad(r, "kernel_type must be one of linear, polynomial, rbf, sigmoid");
    } else if (!soothi_libsvm_is(key, length, "nr_class") && !soothi_libsvm_is(key, length, "probA") &&
               !soothi_libsvm_is(key, length, "prob_density_marks")) {
        return soothi_libsvm_bad(r, "this is no word of a LIBSVM regression model");
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_libsvm_read_head(soothi_libsvm_reader *r) {
    const uint32_t unread = r->about.method;
    sooth_status status = SOOTH_OK;
    while (status == SOOTH_OK) {
        const char *key;
        const size_t length = soothi_libsvm_next_line(r, &key);
        if (!length) return soothi_libsvm_bad(r, "the text ends before the line SV");
        if (soothi_libsvm_is(key, length, "SV")) break;
        status = soothi_libsvm_read_key(r, key, length);
    }
    if (status == SOOTH_OK && (r->about.method == unread || r->about.kernel == SOOTH_SVR_CALLBACK ||
                               r->total < 0.0 || soothi_nan(r->rho)))
        return soothi_libsvm_bad(r, "svm_type, kernel_type, total_sv and rho must stand before SV");
    return status;
}

/* Reads one vector, whose first word is given, and counts its columns. Stores it as vector k of m unless m is
   NULL, or adds it to weights. */
SOOTHI_LOCAL sooth_status soothi_libsvm_read_vector(soothi_libsvm_reader *r, sooth_svr *m, double *weights,
                                                    size_t k, const char *word, size_t n) {
    size_t number, last = 0;
    double coef = 0.0, value = 0.0, moved = 0.0;
    if (!soothi_libsvm_number(word, n, &coef))
        return soothi_libsvm_bad(r, "a vector begins with its coefficient");
    if (m && !weights) soothi_svr_set_coef(m, k, coef);
    while ((n = soothi_libsvm_word(r, &word)) > 0) {
        if (!soothi_libsvm_pair(word, n, &number, &value))
            return soothi_libsvm_bad(
                r, "a vector's numbers must be like 3:0.5, columns counted from 1 to at most 65536");
        if (number <= last) return soothi_libsvm_bad(r, "a vector's columns must rise");
        last = number;
        if (weights) weights[number - 1] += coef * value;
        else if (m) soothi_svr_set_value(m, k, number - 1, (float)value);
        moved += (value - (double)(float)value) * (value - (double)(float)value);
    }
    if (moved > r->moved) r->moved = moved;
    if (last > r->features) r->features = last;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_libsvm_read_vectors(soothi_libsvm_reader *r, sooth_svr *m, double *weights) {
    sooth_status status = SOOTH_OK;
    const size_t total = (size_t)r->total;
    const char *word;
    size_t k = 0, n;
    for (; status == SOOTH_OK && (n = soothi_libsvm_next_line(r, &word)) > 0; ++k) {
        if (k == total) return soothi_libsvm_bad(r, "there are more vectors than total_sv says");
        status = soothi_libsvm_read_vector(r, m, weights, k, word, n);
    }
    if (status == SOOTH_OK && k < total)
        return soothi_libsvm_bad(r, "there are fewer vectors than total_sv says");
    return status;
}

/* Predicts the model's vector number `at`, in double. */
SOOTHI_LOCAL double soothi_libsvm_exact(const sooth_svr *m, size_t at) {
    const soothi_svr_kernel k = soothi_svr_kernel_of(m);
    const double *d = soothi_svr_doubles(m);
    double answer = d[0];
    for (size_t i = 0; i < m->vectors; ++i) {
        double sum = 0.0;
        for (size_t j = 0; j < k.cols; ++j) {
            const double a = (double)sooth_svr_vector(m, at, j), b = (double)sooth_svr_vector(m, i, j);
            sum += k.kind == SOOTH_SVR_RBF ? (a - b) * (a - b) : a * b;
        }
        answer += d[4 + i] * soothi_svr_exact_curve(&k, d[1], d[2], sum);
    }
    return answer;
}

/* Refuses a model whose terms cancel so far that float sums differ. */
SOOTHI_LOCAL sooth_status soothi_libsvm_faithful(sooth_env *env, const sooth_svr *m) {
    const size_t step = m->vectors / 64 + 1, cols = m->head.features;
    double most = 0.0, error = 0.0, right = 0.0, wrong = 0.0;
    size_t worst = 0;
    float *row = (float *)sooth_alloc(env, cols, sizeof *row);
    if (!row) return sooth_no_memory(env, "a row", cols * sizeof *row);
    for (size_t k = 0; k < m->vectors; k += step) {
        const double exact = soothi_libsvm_exact(m, k);
        for (size_t j = 0; j < cols; ++j) row[j] = sooth_svr_vector(m, k, j);
        const double answer = (double)sooth_svr_predict(m, row);
        if (soothi_abs(exact) > most) most = soothi_abs(exact);
        if (!(soothi_abs(answer - exact) <= error)) {
            error = soothi_abs(answer - exact);
            right = exact;
            wrong = answer;
            worst = k;
        }
    }
    sooth_free(env, row, cols, sizeof *row);
    if (error <= 1e-3 * most) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_DATA,
                      "the prediction for vector %z is %G, but %G in floats, because terms cancel; scale the "
                      "columns, or train with a smaller C",
                      worst + 1, right, wrong);
}

SOOTH_API sooth_status sooth_libsvm_read(sooth_env *env, const char *text, size_t size, size_t features,
                                         sooth_svr **model) {
    const soothi_svr_about unread = {SOOTH_SVR_CALLBACK, UINT32_MAX, 0, 0, 0, 0, 0, 0};
    soothi_libsvm_reader r = {env, text, text, text + size, 0, unread, 3, -1, SOOTHI_NAN, 0, 0};
    double *weights = NULL;
    *model = NULL;
    if (features > SOOTH_SVR_MAX_FEATURES)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "features is %z, but must be at most %u", features,
                          (uint32_t)SOOTH_SVR_MAX_FEATURES);
    sooth_status status = soothi_libsvm_read_head(&r);
    r.about.degree = (uint32_t)r.degree;
    r.about.offset = -r.rho;
    soothi_libsvm_reader vectors = r;
    if (status == SOOTH_OK) status = soothi_libsvm_read_vectors(&r, NULL, NULL);
    if (status != SOOTH_OK) return status;
    if (features && r.features > features)
        return sooth_fail(env, SOOTH_BAD_TEXT, "features is %z, but the vectors have %z columns", features,
                          r.features);
    size_t cols = features ? features : r.features ? r.features : 1;
    if (r.about.kernel == SOOTH_SVR_LINEAR) {
        weights = (double *)sooth_alloc(env, cols, sizeof *weights);
        if (!weights) return sooth_no_memory(env, "a support vector model", cols * sizeof *weights);
        memset(weights, 0, cols * sizeof *weights);
    }
    sooth_svr *m = soothi_svr_new(env, &r.about, weights ? 1 : (size_t)r.total, cols);
    if (m) {
        soothi_libsvm_read_vectors(&vectors, m, weights);
        if (weights) soothi_svr_set_coef(m, 0, 1.0);
        for (size_t j = 0; weights && j < cols; ++j) soothi_svr_set_value(m, 0, j, (float)weights[j]);
        soothi_block_seal(&m->head);
    }
    sooth_free(env, weights, cols, sizeof *weights);
    if (!m) return SOOTH_NO_MEMORY;
    const soothi_svr_kernel kernel = soothi_svr_kernel_of(m);
    status = soothi_svr_bounded(env, &kernel, NULL, m);
    if (status == SOOTH_OK && kernel.kind == SOOTH_SVR_RBF && r.about.gamma_value * r.moved > 1e-6)
        status = sooth_fail(
            env, SOOTH_BAD_DATA,
            "rounding to floats moves a vector by %G, which matters with gamma %G; scale the columns",
            soothi_sqrt(r.moved), r.about.gamma_value);
    if (status == SOOTH_OK && kernel.kind != SOOTH_SVR_LINEAR) status = soothi_libsvm_faithful(env, m);
    if (status != SOOTH_OK) sooth_svr_free(env, m);
    else *model = m;
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
