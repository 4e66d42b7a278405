/* export/models.h - writes the other kinds of models, and adaptation, as C.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * See export/writer.h for the functions of a kind. If a model contains a block of adapt.h, the file has the
 * struct NAME_program and the functions NAME_begin, NAME_observe and NAME_adapted in addition to predict.
 * They return the bits of sooth_model_observe and sooth_model_adapted. The struct stores the memory of a
 * program as in adapt.h, except what only sooth_adapt_next needs: 16 + 4 capacity (features + capacity + 12)
 * bytes without pointers, which may be static. Kernel parameters, features and factors are constants in the
 * code.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_MODELS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#include "writer.h"
#define SOOTH_EXPORT_MODELS_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- linear models ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_linear(soothi_export_job *job) {
    const uint32_t products = ((const sooth_linear *)job->model)->products;
    job->needs |= products ? SOOTHI_EXPORT_PLANE | SOOTHI_EXPORT_PRODUCTS : SOOTHI_EXPORT_PLANE;
    job->bytes = 4 * ((size_t)job->features + (size_t)job->features * job->targets);
    if (products) job->bytes += 4 * ((size_t)job->features + products + (size_t)products * job->targets);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_linear(const soothi_export_job *job) {
    const uint32_t products = ((const sooth_linear *)job->model)->products;
    if (products) soothi_export_say(job, "A linear model with %u products of columns", products);
    else soothi_export_say(job, "A linear model");
}

/* sooth_linear_predict_many */
SOOTHI_LOCAL sooth_status soothi_export_code_linear(soothi_export_job *job) {
    const sooth_linear *m = (const sooth_linear *)job->model;
    soothi_export_array(job, "mean", soothi_linear_mean(m), job->features);
    soothi_export_array(job, "slope", soothi_linear_slope(m), (size_t)job->features * job->targets);
    if (m->products) {
        soothi_export_array(job, "scale", soothi_linear_scale(m), job->features);
        soothi_export_array(job, "product", soothi_linear_product(m), (size_t)m->products * job->targets);
        soothi_export_say(job, "\nstatic const uint32_t @_pair[%u] $_FLASH = {", m->products);
        for (uint32_t k = 0; k < m->products; ++k) {
            soothi_export_next(job, k, 10);
            sooth_text_put(job->sink, "%u", soothi_linear_pair(m)[k]);
        }
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    if (m->products)
        soothi_export_say(job, "    float z[$_FEATURES];\n    uint32_t j;\n"
                               "    for (j = 0; j < $_FEATURES; ++j)\n"
                               "        z[j] = (x[j] - $_FLOAT(@_mean + j)) * $_FLOAT(@_scale + j);\n");
    for (uint32_t t = 0; t < job->targets; ++t) {
        soothi_export_say(job, "    out[%u] = %f + @_plane(@_slope + %u, @_mean, x, $_FEATURES);\n", t,
                          (double)soothi_linear_offset(m)[t], t * job->features);
        if (m->products)
            soothi_export_say(job, "    out[%u] += @_products(@_product + %u, @_pair, z, %u);\n", t,
                              t * m->products, m->products);
    }
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

SOOTHI_LOCAL float soothi_export_near_linear(const soothi_export_job *job, uint32_t j, uint32_t number) {
    (void)number;
    return soothi_linear_mean((const sooth_linear *)job->model)[j] - 0.5f;
}

/* ---- networks ---- */

SOOTHI_LOCAL void soothi_export_say_weights(soothi_export_job *job, uint32_t i) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
    size_t at = 0;
    char type[16] = "float";
    if (m->bits) sooth_text_format(type, sizeof type, "int%u_t", m->bits);
    soothi_export_say(job, "\nstatic const %s @_weight%u[%u] $_FLASH = {", type, i, l->outputs * l->inputs);
    for (size_t o = 0; o < l->outputs; ++o)
        for (size_t j = 0; j < l->inputs; ++j, ++at) {
            if (!m->bits) {
                soothi_export_element(job, at, sooth_mlp_weight(m, i, o, j));
            } else {
                soothi_export_next(job, at, 4);
                sooth_text_put(job->sink, "%d", soothi_mlp_integer(m, l->weights_at + at));
            }
        }
    soothi_export_say(job, "};\n");
    if (!l->biases_at) return;
    soothi_export_say(job, "static const float @_bias%u[%u] $_FLASH = {", i, l->outputs);
    for (size_t o = 0; o < l->outputs; ++o) soothi_export_element(job, o, sooth_mlp_bias(m, i, o) + 0.0f);
    soothi_export_say(job, "};\n");
}

/* Writes soothi_mlp_row_layer and soothi_mlp_row_integers, for layers of 4 neurons and more, of fewer, of
   integers. */
SOOTHI_LOCAL void soothi_export_say_layer_functions(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t narrow = 0;
    for (uint32_t i = 0; i < m->layers; ++i) narrow += (uint32_t)soothi_mlp_narrow(l + i);
    if (!m->bits && narrow < m->layers)
        soothi_export_say(job,
                          "\nstatic void @_layer(const float *weight, const float *bias, uint32_t inputs,\n"
                          "    uint32_t outputs, const float *x, float *out) {\n"
                          "    uint32_t o, i;\n"
                          "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                          "        float sum = bias ? $_FLOAT(bias + o) : 0.0f;\n"
                          "        for (i = 0; i < inputs; ++i) sum += x[i] * $_FLOAT(weight + i);\n"
                          "        out[o] = sum;\n"
                          "    }\n"
                          "}\n");
    if (!m->bits && narrow)
        soothi_export_say(job,
                          "\nstatic void @_few(const float *weight, const float *bias, uint32_t inputs,\n"
                          "    uint32_t outputs, const float *x, float *out) {\n"
                          "    uint32_t o, i, half;\n"
                          "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                          "        float lane[16] = {0.0f};\n"
                          "        for (i = 0; i < inputs; ++i)\n"
                          "            lane[i & 15u] += x[i] * $_FLOAT(weight + i);\n"
                          "        for (half = 8; half; half /= 2)\n"
                          "            for (i = 0; i < half; ++i) lane[i] += lane[i + half];\n"
                          "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + lane[0];\n"
                          "    }\n"
                          "}\n");
    if (!m->bits) return;
    soothi_export_say(job,
                      "\nstatic void @_integers(const int%u_t *weight, const float *bias, float of_input, "
                      "float of_sum, uint32_t inputs,\n"
                      "    uint32_t outputs, const float *x, float *out) {\n"
                      "    int16_t q[%u];\n    uint32_t o, i;\n"
                      "    for (i = 0; i < inputs; ++i) {\n"
                      "        const float v = @_clip(x[i] / of_input, -32767.0f, 32767.0f);\n"
                      "        if (!(v >= -32767.0f)) { /* NaN is no integer */\n"
                      "            for (o = 0; o < outputs; ++o) out[o] = v;\n"
                      "            return;\n"
                      "        }\n"
                      "        q[i] = (int16_t)(int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);\n"
                      "    }\n"
                      "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                      "        int%u_t sum = 0;\n"
                      "        for (i = 0; i < inputs; ++i)\n"
                      "            sum += (int32_t)$_WEIGHT(weight + i) * q[i];\n"
                      "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + of_sum * %s;\n"
                      "    }\n"
                      "}\n",
                      m->bits, m->widest, m->bits == 8 ? 32u : 64u,
                      m->bits == 8 ? "(float)sum"
                                   : "((float)(int32_t)((sum - (sum & 0xFFFFFF)) / 0x1000000) *\n"
                                     "            16777216.0f + (float)(int32_t)(sum & 0xFFFFFF))");
}

/* "    for (o = 0; o < 12; ++o) one[o] = @_tanh(one[o]);" */
SOOTHI_LOCAL void soothi_export_say_activation(const soothi_export_job *job, const sooth_mlp_layer *l,
                                               const char *y) {
    const uint32_t f = l->activation;
    if (f == SOOTH_MLP_LINEAR) return;
    soothi_export_say(job, "    for (o = 0; o < %u; ++o) ", l->outputs);
    if (f == SOOTH_MLP_RELU) soothi_export_say(job, "if (%s[o] <= 0.0f) %s[o] = 0.0f;\n", y, y);
    else if (f == SOOTH_MLP_LEAKY_RELU)
        soothi_export_say(job, "if (%s[o] < 0.0f) %s[o] *= %f;\n", y, y,
                          (double)((const sooth_mlp *)job->model)->leak);
    else
        soothi_export_say(job, "%s[o] = @_%s(%s[o])%s;\n", y,
                          f == SOOTH_MLP_SIGMOID ? "logistic"
                          : f == SOOTH_MLP_TANH  ? "tanh"
                                                 : "softplus",
                          y, f == SOOTH_MLP_AT_LEAST_ONE ? " + 1.0f" : "");
}

SOOTHI_LOCAL void soothi_export_say_network_sums(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    const char *x = "x";
    for (uint32_t i = 0; i < m->layers; ++i, ++l) {
        const char *y = i + 1 == m->layers ? "out" : i % 2 ? "other" : "one";
        soothi_export_say(job, l->biases_at ? "    @_%s(@_weight%u, @_bias%u" : "    @_%s(@_weight%u, 0",
                          m->bits                ? "integers"
                          : soothi_mlp_narrow(l) ? "few"
                                                 : "layer",
                          i, i);
        if (m->bits)
            soothi_export_say(job, ", %f, %f", (double)l->input_step,
                              (double)(l->weight_step * l->input_step));
        soothi_export_say(job, ", %u, %u, %s, %s);\n", l->inputs, l->outputs, x, y);
        soothi_export_say_activation(job, l, y);
        x = y;
    }
}

SOOTHI_LOCAL sooth_status soothi_export_open_mlp(soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    job->bits = m->bits;
    if (m->bits) job->needs |= SOOTHI_EXPORT_CLIP;
    for (size_t i = 0; i < m->layers; ++i) {
        const uint32_t f = l[i].activation;
        if (f == SOOTH_MLP_SIGMOID) job->needs |= SOOTHI_EXPORT_LOGISTIC;
        if (f == SOOTH_MLP_TANH) job->needs |= SOOTHI_EXPORT_TANH;
        if (f == SOOTH_MLP_SOFTPLUS || f == SOOTH_MLP_AT_LEAST_ONE) job->needs |= SOOTHI_EXPORT_SOFTPLUS;
        job->bytes += (size_t)l[i].outputs * l[i].inputs * (m->bits ? m->bits / 8 : 4);
        if (l[i].biases_at) job->bytes += 4 * (size_t)l[i].outputs;
    }
    return SOOTH_OK;
}

/* "A neural network of 12-12-2 neurons" */
SOOTHI_LOCAL void soothi_export_text_mlp(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    soothi_export_say(job, "A neural network of ");
    for (uint32_t i = 0; i < m->layers; ++i)
        soothi_export_say(job, i ? "-%u" : "%u", sooth_mlp_layers(m)[i].outputs);
    soothi_export_say(job, " neurons");
    if (m->bits)
        sooth_text_put(job->sink,
                       " with weights of %u bits, which move its outputs\n"
                       " * (before a transform of targets) by at most %G in the ranges it was made for\n * ",
                       m->bits, (double)m->error);
}

SOOTHI_LOCAL sooth_status soothi_export_code_mlp(soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t widest[2] = {0, 0}, activated = 0;
    for (uint32_t i = 0; i < m->layers; ++i) soothi_export_say_weights(job, i);
    soothi_export_say_layer_functions(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    for (uint32_t i = 0; i < m->layers; ++i) {
        if (i + 1 < m->layers && l[i].outputs > widest[i % 2]) widest[i % 2] = l[i].outputs;
        activated |= l[i].activation != SOOTH_MLP_LINEAR;
    }
    /* the buffers that layers write to in turn; the last layer writes to the caller's */
    if (widest[0]) soothi_export_say(job, "    float one[%u];\n", widest[0]);
    if (widest[1]) soothi_export_say(job, "    float other[%u];\n", widest[1]);
    if (activated) soothi_export_say(job, "    uint32_t o;\n");
    soothi_export_say_network_sums(job);
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

/* ---- support vectors ---- */

/* Returns the number of vectors written. Lanes without one (see sooth_svr_predict) add 0 K(0, x). This is 0,
   but NaN if K overflows or, except for RBF, if the row has an infinity. One vector of zeros represents
   them. */
SOOTHI_LOCAL uint32_t soothi_export_vectors(const sooth_svr *m) {
    return m->vectors + (m->kernel != SOOTH_SVR_RBF && m->vectors % SOOTH_SVR_LANES != 0);
}

SOOTHI_LOCAL sooth_status soothi_export_open_svr(soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    if (m->kernel == SOOTH_SVR_CALLBACK)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model's kernel is a callback of the host, which cannot be exported");
    if (m->vectors && m->kernel == SOOTH_SVR_RBF) job->needs |= SOOTHI_EXPORT_EXP2;
    if (m->vectors && m->kernel == SOOTH_SVR_POLYNOMIAL) job->needs |= SOOTHI_EXPORT_POWER;
    if (m->vectors && m->kernel == SOOTH_SVR_SIGMOID) job->needs |= SOOTHI_EXPORT_TANH;
    job->bytes = 4 * (size_t)soothi_export_vectors(m) * (job->features + 1u);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_svr(const soothi_export_job *job) {
    soothi_export_say(job, "A support vector regression of %u vectors",
                      ((const sooth_svr *)job->model)->vectors);
}

SOOTHI_LOCAL float soothi_export_near_svr(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    return m->vectors ? sooth_svr_vector(m, number % m->vectors, j) - 0.5f : 0.0f;
}

/* "@_tanh(0.5f * sum + 1.0f)": soothi_svr_curve */
SOOTHI_LOCAL void soothi_export_say_kernel(const soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    const double slope = (double)m->slope, coef0 = (double)m->coef0;
    switch (m->kernel) {
    case SOOTH_SVR_RBF: soothi_export_say(job, "@_exp2(%f * sum)", slope); break;
    case SOOTH_SVR_LINEAR: soothi_export_say(job, "(sum)"); break;
    case SOOTH_SVR_SIGMOID: soothi_export_say(job, "@_tanh(%f * sum + %f)", slope, coef0); break;
    default: soothi_export_say(job, "@_power(%f * sum + %f, %u)", slope, coef0, m->degree); break;
    }
}

/* sooth_svr_predict: sixteen lanes in turn, and each adds the columns of a vector in order. */
SOOTHI_LOCAL sooth_status soothi_export_code_svr(soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    const uint32_t count = soothi_export_vectors(m);
    size_t at = 0;
    if (count) {
        soothi_export_array(job, "coef", soothi_svr_coef(m), count);
        soothi_export_say(job, "\nstatic const float @_vector[%u] $_FLASH = {", count * job->features);
        for (size_t k = 0; k < count; ++k)
            for (size_t j = 0; j < job->features; ++j)
                soothi_export_element(job, at++, sooth_svr_vector(m, k, j));
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n"
                           "    float lane[16] = {0.0f};\n"
                           "    uint32_t j, k;\n"
                           "    for (j = 0; j < $_FEATURES; ++j)\n"
                           "        if (!(x[j] >= -$_INFINITY)) {\n"
                           "            out[0] = $_MISSING;\n"
                           "            return;\n"
                           "        }\n");
    if (count) {
        soothi_export_say(job,
                          "    for (k = 0; k < %u; ++k) {\n"
                          "        const float *v = @_vector + k * $_FEATURES;\n"
                          "        float sum = 0.0f;\n"
                          "        for (j = 0; j < $_FEATURES; ++j) {\n"
                          "            const float e = $_FLOAT(v + j)%s        }\n"
                          "        lane[k & 15u] += ",
                          count,
                          m->kernel == SOOTH_SVR_RBF ? " - x[j];\n            sum += e * e;\n"
                                                     : " * x[j];\n            sum += e;\n");
        soothi_export_say_kernel(job);
        soothi_export_say(job, " * $_FLOAT(@_coef + k);\n"
                               "    }\n");
    }
    soothi_export_say(job,
                      "    for (k = 8; k; k /= 2)\n"
                      "        for (j = 0; j < k; ++j) lane[j] += lane[j + k];\n"
                      "    out[0] = %f + lane[0];\n"
                      "}\n",
                      (double)m->offset);
    return SOOTH_OK;
}

/* ---- Gaussian processes ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_gauss(soothi_export_job *job) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    job->needs |= SOOTHI_EXPORT_EXP | (m->kernel == SOOTH_GAUSS_SQUARED ? 0u : SOOTHI_EXPORT_ROOT);
    job->bytes = 4 * ((size_t)m->points * (job->features + 1u) + job->features * (m->sloped ? 3u : 1u));
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_gauss(const soothi_export_job *job) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    soothi_export_say(job, "The mean of a Gaussian process of %u %spoints", m->points,
                      m->inducing ? "inducing " : "");
}

SOOTHI_LOCAL float soothi_export_near_gauss(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    return soothi_gauss_point(m, number % m->points, j) - 0.5f;
}

/* soothi_gauss_base */
SOOTHI_LOCAL void soothi_export_say_base(const soothi_export_job *job) {
    soothi_export_say(job,
                      "\n/* The trend: a slope for each column, at most 1e36. */\n"
                      "static float @_trend(const float *x, float sum) {\n"
                      "    uint32_t j;\n"
                      "    for (j = 0; j < $_FEATURES; ++j) {\n"
                      "        float z = (x[j] - $_FLOAT(@_centre + j)) * $_FLOAT(@_steep + j);\n"
                      "        z = $_FLOAT(@_slope + j) * (z > 1e15f ? 1e15f : z < -1e15f ? -1e15f : z);\n"
                      "        sum += z > 1e36f ? 1e36f : z < -1e36f ? -1e36f : z;\n"
                      "    }\n"
                      "    return sum;\n"
                      "}\n");
}

/* sooth_gauss_predict and soothi_gauss_correlation: sixteen lanes in turn. */
SOOTHI_LOCAL sooth_status soothi_export_code_gauss(soothi_export_job *job) {
    static const char curve[SOOTH_GAUSS_KERNELS][96] = {
        "        u = @_root(3.0f * u);\n        u = (1.0f + u) * @_exp(-u);\n",
        "        u = @_exp(-@_root(u));\n",
        "        u = @_root(5.0f * u);\n        u = (1.0f + u + u * u * 0.333333343f) * @_exp(-u);\n",
        "        u = @_exp(-0.5f * u);\n"};
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    size_t at = 0;
    soothi_export_array(job, "steep", soothi_gauss_steep(m), job->features);
    if (m->sloped) {
        soothi_export_array(job, "centre", soothi_gauss_centre(m), job->features);
        soothi_export_array(job, "slope", soothi_gauss_slope(m), job->features);
        soothi_export_say_base(job);
    }
    soothi_export_array(job, "alpha", soothi_gauss_alpha(m), m->points);
    soothi_export_say(job, "\nstatic const float @_point[%z] $_FLASH = {", (size_t)m->points * job->features);
    for (size_t k = 0; k < m->points; ++k)
        for (size_t j = 0; j < job->features; ++j)
            soothi_export_element(job, at++, soothi_gauss_point(m, k, j));
    soothi_export_say(job,
                      "};\n\nstatic void @_run(const float *x, float *out) {\n"
                      "    float lane[16] = {0.0f};\n"
                      "    uint32_t j, k;\n"
                      "    for (j = 0; j < $_FEATURES; ++j)\n"
                      "        if (!(x[j] >= -$_INFINITY)) {\n"
                      "            out[0] = $_MISSING;\n"
                      "            return;\n"
                      "        }\n"
                      "    for (k = 0; k < %u; ++k) {\n"
                      "        const float *v = @_point + k * $_FEATURES;\n"
                      "        float u = 0.0f;\n"
                      "        for (j = 0; j < $_FEATURES; ++j) {\n"
                      "            const float d = ($_FLOAT(v + j) - x[j]) * $_FLOAT(@_steep + j);\n"
                      "            u += d * d;\n"
                      "        }\n"
                      "        if (!(u < 1e9f)) u = 1e9f;\n",
                      m->points);
    soothi_export_say(job, curve[m->kernel]);
    soothi_export_say(job, "        lane[k & 15u] += $_FLOAT(@_alpha + k) * u;\n"
                           "    }\n"
                           "    for (k = 8; k; k /= 2)\n"
                           "        for (j = 0; j < k; ++j) lane[j] += lane[j + k];\n"
                           "    out[0] = ");
    soothi_export_say(job, m->sloped ? "@_trend(x, %f) + lane[0];\n}\n" : "%f + lane[0];\n}\n",
                      (double)m->mean);
    return SOOTH_OK;
}

/* ---- fuzzy networks ---- */

/* soothi_sofnn_fire */
SOOTHI_LOCAL void soothi_export_say_fire(const soothi_export_job *job) {
    soothi_export_say(job, "\n/* The logarithm of how much a rule fires; distances end at 1e15 widths. */\n"
                           "static float @_fire(const float *centre, const float *steep, const float *x) {\n"
                           "    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f}, sum, z;\n"
                           "    uint32_t i;\n"
                           "    for (i = 0; i < $_FEATURES; ++i) {\n"
                           "        z = (x[i] - $_FLOAT(centre + i)) * $_FLOAT(steep + i);\n"
                           "        lane[i & 3u] += z * z;\n"
                           "    }\n"
                           "    sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);\n"
                           "    if (!(sum < 1e30f))\n"
                           "        for (i = 0, sum = 0.0f; i < $_FEATURES; ++i) {\n"
                           "            z = @_clip(x[i] - $_FLOAT(centre + i), -3e38f, 3e38f);\n"
                           "            z = @_clip(z * $_FLOAT(steep + i), -1e15f, 1e15f);\n"
                           "            sum += z * z;\n"
                           "        }\n"
                           "    return -0.5f * sum;\n"
                           "}\n");
}

SOOTHI_LOCAL sooth_status soothi_export_open_sofnn(soothi_export_job *job) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    job->needs |= m->order ? SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_PLANE : SOOTHI_EXPORT_EXP;
    job->bytes = 4 * ((size_t)2 * job->features * (m->rules + m->order) +
                      job->targets * (m->rules * soothi_sofnn_width(m) + 2));
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_sofnn(const soothi_export_job *job) {
    soothi_export_say(job, "A fuzzy network of %u rules", ((const sooth_sofnn *)job->model)->rules);
}

SOOTHI_LOCAL float soothi_export_near_sofnn(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    return soothi_sofnn_centre(m)[number % m->rules * job->features + j] - 0.5f;
}

/* soothi_sofnn_run */
SOOTHI_LOCAL sooth_status soothi_export_code_sofnn(soothi_export_job *job) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    const uint32_t width = (uint32_t)soothi_sofnn_width(m);
    const size_t numbers = (size_t)m->rules * job->features;
    soothi_export_say(job, "\n#define $_RULES %u\n", m->rules);
    if (m->order) soothi_export_array(job, "low", soothi_sofnn_low(m), job->features);
    if (m->order) soothi_export_array(job, "high", soothi_sofnn_high(m), job->features);
    soothi_export_array(job, "centre", soothi_sofnn_centre(m), numbers);
    soothi_export_array(job, "steep", soothi_sofnn_steep(m), numbers);
    soothi_export_array(job, "rule", soothi_sofnn_consequent(m), (size_t)m->rules * job->targets * width);
    soothi_export_array(job, "least", soothi_sofnn_least(m), job->targets);
    soothi_export_array(job, "most", soothi_sofnn_most(m), job->targets);
    soothi_export_say_fire(job);
    soothi_export_say(job,
                      "\n/* The mean of what rules answer, by how they fire beside the strongest. */\n"
                      "static void @_run(const float *x, float *out) {\n"
                      "    float share[$_RULES], best = 0.0f, sum = 0.0f;\n"
                      "%s    for (j = 0; j < $_RULES; ++j) {\n"
                      "        const uint32_t from = j * $_FEATURES;\n"
                      "        share[j] = @_fire(@_centre + from, @_steep + from, x);\n"
                      "        if (j == 0 || share[j] > best) best = share[j];\n"
                      "    }\n"
                      "    for (t = 0; t < $_TARGETS; ++t) out[t] = 0.0f;\n"
                      "    for (j = 0; j < $_RULES; ++j) {\n"
                      "        share[j] = share[j] - best < -20.0f ? 0.0f : @_exp(share[j] - best);\n"
                      "        sum += share[j];\n"
                      "        for (t = 0; t < $_TARGETS; ++t)\n",
                      m->order ? "    float inside[$_FEATURES];\n    uint32_t i, j, t;\n"
                               : "    uint32_t j, t;\n");
    soothi_export_say(
        job, "            out[t] += share[j] * $_FLOAT(@_rule + (j * $_TARGETS + t) * %u);\n    }\n", width);
    if (m->order)
        soothi_export_say(job,
                          "    for (i = 0; i < $_FEATURES; ++i)\n"
                          "        inside[i] = @_clip(x[i], $_FLOAT(@_low + i), $_FLOAT(@_high + i));\n"
                          "    for (i = 0; i < $_FEATURES; i += 64)\n"
                          "        for (j = 0; j < $_RULES; ++j)\n"
                          "            for (t = 0; share[j] > 0.0f && t < $_TARGETS; ++t)\n"
                          "                out[t] += share[j] * @_plane(\n"
                          "                    @_rule + (j * $_TARGETS + t) * %u + 1 + i, "
                          "@_centre + j * $_FEATURES + i, inside + i,\n"
                          "                    $_FEATURES - i < 64 ? $_FEATURES - i : 64);\n",
                          width);
    soothi_export_say(job, "    for (t = 0; t < $_TARGETS; ++t)\n"
                           "        out[t] = @_clip(out[t] / sum, $_FLOAT(@_least + t),\n"
                           "            $_FLOAT(@_most + t));\n"
                           "}\n");
    return SOOTH_OK;
}

/* ---- laws of scaling ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_scaling(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const int power = m->law >= SOOTH_SCALING_POWER, known = m->machine.voltage[0] > 0.0f;
    if (soothi_scaling_in_ln(m->law) || (power && !known))
        job->needs |= SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOG;
    job->bytes =
        4 * (size_t)m->terms * (power ? 2 : 1) + (power && known ? 8 * (size_t)m->machine.levels : 0);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_scaling(const soothi_export_job *job) {
    soothi_export_say(job, "The law %s",
                      sooth_scaling_law_name((sooth_scaling_law)((const sooth_scaling *)job->model)->law));
}

/* Returns threads, a frequency or a speed. */
SOOTHI_LOCAL float soothi_export_near_scaling(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_scaling_machine *machine = &((const sooth_scaling *)job->model)->machine;
    return j == 0 ? (float)(number + 1) : j == 1 ? machine->frequency[number % machine->levels] : 0.5f;
}

/* soothi_scaling_sockets, soothi_scaling_level and soothi_scaling_voltage_f */
SOOTHI_LOCAL void soothi_export_say_machine(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const sooth_scaling_machine *machine = &m->machine;
    const int known = machine->voltage[0] > 0.0f;
    if (m->law >= SOOTH_SCALING_TIME_LOG)
        soothi_export_say(job,
                          "\n/* How many sockets of %u cores t threads keep at work. */\n"
                          "static float @_sockets(float t) {\n"
                          "    uint32_t k;\n"
                          "    if (!(t > 1.0f) || !(t < 1e9f)) return 1.0f;\n"
                          "    k = (uint32_t)(t / %u.0f);\n"
                          "    return (float)((float)k * %u.0f < t ? k + 1u : k);\n}\n",
                          machine->cores, machine->cores, machine->cores);
    if (m->law < SOOTH_SCALING_POWER) return;
    soothi_export_array(job, "unit", m->unit, m->terms);
    if (machine->levels > 1 && known) {
        soothi_export_array(job, "level", machine->frequency, machine->levels);
        soothi_export_array(job, "volts", machine->voltage, machine->levels);
    }
    soothi_export_say(job, "\nstatic float @_voltage(float f) {\n");
    if (machine->levels < 2 || !known) {
        soothi_export_say(
            job, "%s%f%s", known ? "    (void)f;\n    return " : "    return @_exp(0.2f * @_log(f / ",
            (double)(known ? machine->voltage[0] : machine->frequency[0]), known ? ";\n}\n" : "));\n}\n");
        return;
    }
    soothi_export_say(job, "    const float *at = @_level, *v = @_volts;\n"
                           "    float part = 0.0f;\n");
    if (machine->levels > 2)
        soothi_export_say(
            job, "    uint32_t i;\n    for (i = 0; i < %u && f >= $_FLOAT(at + 1); ++i, ++v) ++at;\n",
            machine->levels - 2);
    soothi_export_say(job, "    if (f > $_FLOAT(at)) part = 1.0f;\n"
                           "    if (f > $_FLOAT(at) && f < $_FLOAT(at + 1))\n"
                           "        part = (f - $_FLOAT(at)) / ($_FLOAT(at + 1) - $_FLOAT(at));\n"
                           "    return $_FLOAT(v) + part * ($_FLOAT(v + 1) - $_FLOAT(v));\n"
                           "}\n");
}

/* Returns the terms of soothi_scaling_terms_f; %u is the cores of a socket. */
SOOTHI_LOCAL const char *soothi_export_law(uint32_t law) {
    switch (law) {
    case SOOTH_SCALING_AMDAHL: return "    term[1] = 1.0f / t;\n";
    case SOOTH_SCALING_GUSTAFSON: return "    term[1] = t;\n";
    case SOOTH_SCALING_POWER_LAW: return "    term[1] = @_log(t);\n";
    case SOOTH_SCALING_TIME:
        return "    term[0] = 1.0f / g;\n"
               "    term[1] = 1.0f / (g * t);\n";
    case SOOTH_SCALING_TIME_LOG:
        return "    term[1] = @_log(t);\n"
               "    term[2] = @_log(g);\n"
               "    term[3] = term[1] * term[1];\n"
               "    term[4] = k - 1.0f;\n";
    case SOOTH_SCALING_POWER:
        return "    term[0] = k * v;\n"
               "    term[1] = (%u.0f - k) * v;\n"
               "    term[2] = v * v * f * t;\n";
    case SOOTH_SCALING_POWER_PRINTED:
        return "    term[0] = k * v;\n"
               "    term[1] = (%u.0f - k) * v;\n"
               "    term[2] = k * v * v * f * t;\n";
    case SOOTH_SCALING_POWER_SPEED:
        return "    term[1] = k;\n"
               "    term[2] = g;\n"
               "    term[3] = k * g;\n"
               "    term[4] = v * v * f * t;\n"
               "    term[5] = v * v * x[2];\n";
    default:
        return "    term[0] = 1.0f / t;\n"
               "    term[1] = (t - 1.0f) / t;\n"
               "    term[2] = t - 1.0f;\n";
    }
}

/* sooth_scaling_predict */
SOOTHI_LOCAL sooth_status soothi_export_code_scaling(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const uint32_t law = m->law, cores = m->machine.cores, link = soothi_scaling_of(law).link;
    const int power = law >= SOOTH_SCALING_POWER;
    soothi_export_array(job, "coefficient", m->b, m->terms);
    soothi_export_say_machine(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n"
                           "    const float t = x[0];\n");
    if (power) soothi_export_say(job, "    const float f = x[1], v = @_voltage(f);\n");
    if (law == SOOTH_SCALING_TIME || law == SOOTH_SCALING_TIME_LOG || law == SOOTH_SCALING_POWER_SPEED)
        soothi_export_say(job, "    const float g = x[1] / %f;\n", (double)m->machine.frequency[0]);
    if (law >= SOOTH_SCALING_TIME_LOG) soothi_export_say(job, "    const float k = @_sockets(t);\n");
    soothi_export_say(job, "    float term[%u], sum = 0.0f;\n    uint32_t j;\n    term[0] = 1.0f;\n",
                      m->terms);
    soothi_export_say(job, soothi_export_law(law), m->machine.sockets);
    if (law == SOOTH_SCALING_TIME_LOG && cores < 2) soothi_export_say(job, "    term[5] = 0.0f;\n");
    if (law == SOOTH_SCALING_TIME_LOG && cores > 1)
        soothi_export_say(job, "    term[5] = (k - 1.0f) * (%u.0f * k - t) / %u.0f;\n", cores, cores - 1);
    soothi_export_say(job, "    for (j = 0; j < %u; ++j)\n", m->terms);
    soothi_export_say(job,
                      power ? "        sum += $_FLOAT(@_coefficient + j) * (term[j] / $_FLOAT(@_unit + j));\n"
                            : "        sum += $_FLOAT(@_coefficient + j) * term[j];\n");
    soothi_export_say(job, link == SOOTHI_SCALING_LN        ? "    out[0] = @_exp(sum);\n}\n"
                           : link == SOOTHI_SCALING_INVERSE ? "    out[0] = 1.0f / sum;\n}\n"
                                                            : "    out[0] = sum;\n}\n");
    return SOOTH_OK;
}

/* ---- adaptation to a new program ---- */

/* Sets the helpers that the code calls, and adds the size of its array. */
SOOTHI_LOCAL void soothi_export_open_adapt(soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    const sooth_adapt_feature *feature = soothi_adapt_features(a);
    job->needs |= SOOTHI_EXPORT_CLIP | SOOTHI_EXPORT_BITS | SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_ROOT;
    if (a->log) job->needs |= SOOTHI_EXPORT_LOG;
    for (uint32_t j = 0; j < job->features; ++j)
        if (feature[j].log && feature[j].factor > 0.0f) job->needs |= SOOTHI_EXPORT_LOG1P;
    job->bytes += 4 * ((size_t)a->capacity + 1u);
}

/* Returns the size of the struct in bytes. */
SOOTHI_LOCAL size_t soothi_export_program_size(const soothi_export_job *job) {
    const size_t n = job->parts.adapt->capacity;
    return 4 * (4 + n * ((size_t)job->features + 7u + SOOTH_ADAPT_REPEATS + n));
}

/* sooth_adapt_program and soothi_adapt_memory */
SOOTHI_LOCAL void soothi_export_say_program(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "/* What is known of one program: %z bytes. The numbers with a comment may be read. */\n"
        "typedef struct @_program {\n"
        "    uint32_t points;   /* launches remembered */\n"
        "    uint32_t doubted;  /* of them, those that the others contradict */\n"
        "    uint32_t observed; /* measurements taken */\n"
        "    uint32_t refused;  /* and refused */\n",
        soothi_export_program_size(job));
    soothi_export_say(job,
                      "    uint32_t count[$_LAUNCHES], turn[$_LAUNCHES];\n"
                      "    float z[$_LAUNCHES][$_FEATURES], f[$_LAUNCHES];\n"
                      "    float last[$_LAUNCHES][%u], value[$_LAUNCHES], spare[$_LAUNCHES];\n"
                      "    float raised[$_LAUNCHES], alpha[$_LAUNCHES], root[$_LAUNCHES][$_LAUNCHES];\n"
                      "} @_program;\n\n",
                      (uint32_t)SOOTH_ADAPT_REPEATS);
}

SOOTHI_LOCAL void soothi_export_say_adapt_prototypes(const soothi_export_job *job) {
    soothi_export_say(job,
                      "/* Nothing is known of the program: call it first, and to forget. */\n"
                      "void @_begin(@_program *program);\n"
                      "/* A launch was measured: %u refused, %u taken, %u taken and doubted. */\n"
                      "int @_observe(@_program *program, const float *row, float measured);\n"
                      "/* The prediction, adapted to what was measured, and its interval. */\n"
                      "void @_adapted(const @_program *program, const float *row, float *value, float *low, "
                      "float *high);\n",
                      (uint32_t)SOOTH_ADAPT_REFUSED, (uint32_t)SOOTH_ADAPT_TAKEN,
                      (uint32_t)SOOTH_ADAPT_DOUBTED);
}

/* Writes " z[3] = @_place(@_log1p(row[3]), centre, factor, least, most);": soothi_adapt_value for each
   feature. */
SOOTHI_LOCAL void soothi_export_say_places(const soothi_export_job *job) {
    const sooth_adapt_feature *f = soothi_adapt_features(job->parts.adapt);
    uint32_t j, some = 0;
    for (j = 0; j < job->features; ++j) some |= f[j].factor > 0.0f;
    if (some)
        soothi_export_say(job,
                          "\n/* A feature, standardised and over the length; a missing one is the mean. */\n"
                          "static float @_place(float t, float centre, float factor, float least,\n"
                          "    float most) {\n"
                          "    return t <= t ? (@_clip(t, least, most) - centre) * factor : 0.0f;\n"
                          "}\n");
    soothi_export_say(job, "\nstatic void @_places(const float *row, float *z) {\n%s",
                      some ? "" : "    (void)row;\n");
    for (j = 0; j < job->features; ++j) {
        const float beyond = 10.0f * (f[j].most - f[j].least);
        if (!(f[j].factor > 0.0f)) {
            soothi_export_say(job, "    z[%u] = 0.0f;\n", j);
            continue;
        }
        soothi_export_say(
            job, f[j].log ? "    z[%u] = @_place(@_log1p(row[%u])" : "    z[%u] = @_place(row[%u]", j, j);
        soothi_export_say(job, ", %f, %f, %f, %f);\n", (double)f[j].centre, (double)f[j].factor,
                          (double)(f[j].least - beyond), (double)(f[j].most + beyond));
    }
    soothi_export_say(job, "}\n");
}

/* soothi_adapt_usable, _scaled, _f, _prior, _covariance */
SOOTHI_LOCAL void soothi_export_say_adapt_law(const soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    soothi_export_say(job,
                      "\n/* Can a residual be taken of it? */\nstatic int @_usable(float v) { return v >");
    soothi_export_say(job, a->log ? " 0.0f" : "= -3.4028235e38f");
    soothi_export_say(job, " && v <= 3.4028235e38f; }\n\n/* Residuals are differences of this. */\n");
    if (a->log) soothi_export_say(job, "static float @_scaled(float v) { return @_log(v); }\n");
    else soothi_export_say(job, "static float @_scaled(float v) { return v / %f; }\n", (double)a->unit);
    soothi_export_say(job,
                      "\n/* The prediction, standardised. */\n"
                      "static float @_standard(float scaled) {\n"
                      "    return @_clip((scaled - %f) * %f, -8.0f, 8.0f);\n"
                      "}\n",
                      (double)a->centre, (double)a->factor);
    if (soothi_adapt_draws(a))
        soothi_export_say(job,
                          "\n/* What the median of the training targets adds to a prediction. */\n"
                          "static float @_drawn(float scaled) { return %f * (%f - scaled); }\n",
                          (double)soothi_adapt_factors(a)[a->capacity + 1],
                          (double)soothi_adapt_factors(a)[a->capacity + 2]);
    soothi_export_say(job,
                      "\n/* Variance before anything is measured, without noise. */\n"
                      "static float @_prior(float f) { return %f + %f * (f * f) + %f; }\n",
                      (double)a->offset, (double)a->slope, (double)a->signal);
    soothi_export_say(
        job,
        "\n/* The squared distance of two launches. */\n"
        "static float @_apart(const float *z, const float *other) {\n"
        "    float squared = 0.0f;\n"
        "    uint32_t j;\n"
        "    for (j = 0; j < $_FEATURES; ++j) squared += (z[j] - other[j]) * (z[j] - other[j]);\n"
        "    return squared;\n"
        "}\n"
        "\n/* Covariance of their residuals. */\n"
        "static float @_covariance(float f, float g, float squared) {\n"
        "    const float a = @_root(3.0f * (squared > 1e9f ? 1e9f : squared));\n"
        "    return %f + %f * (f * g) + %f * ((1.0f + a) * @_exp(-a));\n"
        "}\n",
        (double)a->offset, (double)a->slope, (double)a->signal);
}

/* soothi_adapt_look: u = L^-1 c */
SOOTHI_LOCAL void soothi_export_say_look(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "\n/* The mean and the variance of a launch's residual; the point that it is, or $_LAUNCHES. */\n"
        "static uint32_t @_look(const @_program *p, const float *z, float f, float *mean,\n"
        "    float *latent) {\n"
        "    float u[$_LAUNCHES];\n"
        "    uint32_t i, k, point = $_LAUNCHES;\n"
        "    *mean = 0.0f;\n"
        "    *latent = @_prior(f);\n"
        "    for (i = 0; i < p->points; ++i) {\n"
        "        const float squared = @_apart(z, p->z[i]);\n"
        "        float c = @_covariance(f, p->f[i], squared);\n"
        "        if (!(squared > 0.0f) && @_bits(f) == @_bits(p->f[i])) point = i;\n"
        "        *mean += c * p->alpha[i];\n"
        "        for (k = 0; k < i; ++k) c -= p->root[i][k] * u[k];\n"
        "        u[i] = c * p->root[i][i];\n"
        "        *latent -= u[i] * u[i];\n"
        "    }\n"
        "    if (!(*latent > 0.0f)) *latent = 0.0f;\n"
        "    return point;\n"
        "}\n");
}

/* soothi_adapt_relate, _factorise, _left_out */
SOOTHI_LOCAL void soothi_export_say_factorise(const soothi_export_job *job) {
    soothi_export_say(
        job, "\n/* Covariances of point i with all others, into the upper half. */\n"
             "static void @_relate(@_program *p, uint32_t i) {\n"
             "    uint32_t k;\n"
             "    for (k = 0; k < p->points; ++k)\n"
             "        if (k != i)\n"
             "            p->root[k < i ? k : i][k < i ? i : k] =\n"
             "                @_covariance(p->f[i], p->f[k], @_apart(p->z[i], p->z[k]));\n"
             "}\n"
             "\n/* The lower half, L with L L' = K, holds 1 / L_ii on its diagonal; alpha = K^-1 r. */\n"
             "static void @_factorise(@_program *p) {\n"
             "    uint32_t i, j, k;\n"
             "    for (i = 0; i < p->points; ++i) {\n"
             "        const float all = @_prior(p->f[i]) + (p->spare[i] + p->raised[i]);\n"
             "        float *row = p->root[i], rest = all, r = p->value[i];\n"
             "        for (k = 0; k < i; ++k) {\n"
             "            const float *of = p->root[k];\n"
             "            float sum = of[i];\n"
             "            for (j = 0; j < k; ++j) sum -= row[j] * of[j];\n"
             "            row[k] = sum * of[k];\n"
             "            rest -= row[k] * row[k];\n"
             "            r -= row[k] * p->alpha[k];\n"
             "        }\n"
             "        if (!(rest > 1e-6f * all)) rest = all;\n"
             "        row[i] = rest > 3.4028235e38f ? 0.0f : 1.0f / @_root(rest);\n"
             "        p->alpha[i] = r * row[i];\n"
             "    }\n"
             "    for (i = p->points; i-- > 0;) {\n"
             "        float sum = p->alpha[i];\n"
             "        for (k = i + 1; k < p->points; ++k) sum -= p->root[k][i] * p->alpha[k];\n"
             "        p->alpha[i] = sum * p->root[i][i];\n"
             "    }\n"
             "}\n"
             "\n/* The variance of point i given all others. */\n"
             "static float @_left_out(const @_program *p, uint32_t i) {\n"
             "    float w[$_LAUNCHES], sum = 0.0f;\n"
             "    uint32_t j, k;\n"
             "    for (k = i; k < p->points; ++k) {\n"
             "        float c = k == i ? 1.0f : 0.0f;\n"
             "        for (j = i; j < k; ++j) c -= p->root[k][j] * w[j];\n"
             "        w[k] = c * p->root[k][k];\n"
             "        sum += w[k] * w[k];\n"
             "    }\n"
             "    return 1.0f / sum;\n"
             "}\n");
}

/* soothi_adapt_weigh and _dispensable */
SOOTHI_LOCAL void soothi_export_say_weigh(const soothi_export_job *job) {
    const float bound = job->parts.adapt->doubt * job->parts.adapt->doubt;
    soothi_export_say(job,
                      "\n/* Raises the noise of points that the others contradict, the worst first. */\n"
                      "static void @_weigh(@_program *p) {\n"
                      "    uint32_t i, worst;\n"
                      "    float v, z2, most, of = 0.0f;\n"
                      "    for (i = 0; i < $_LAUNCHES; ++i) p->raised[i] = 0.0f;\n"
                      "    for (p->doubted = 0;; ++p->doubted) {\n"
                      "        @_factorise(p);\n"
                      "        if (2 * p->doubted >= p->points) return;\n"
                      "        worst = $_LAUNCHES;\n"
                      "        most = %f;\n"
                      "        for (i = 0; i < p->points; ++i) {\n"
                      "            v = @_left_out(p, i);\n"
                      "            z2 = p->alpha[i] * p->alpha[i] * v;\n"
                      "            if (p->raised[i] > 0.0f || p->count[i] >= %uu || !(z2 > most)) continue;\n"
                      "            most = z2;\n"
                      "            of = v;\n"
                      "            worst = i;\n"
                      "        }\n"
                      "        if (worst == $_LAUNCHES) return;\n"
                      "        p->raised[worst] = of * (most / %f - 1.0f);\n"
                      "    }\n"
                      "}\n",
                      (double)bound, (uint32_t)SOOTHI_ADAPT_BELIEVED, (double)bound);
    soothi_export_say(job, "\n/* The point of which the others tell most. */\n"
                           "static uint32_t @_dispensable(const @_program *p) {\n"
                           "    float tells, least = 3.4028235e38f;\n"
                           "    uint32_t i, which = 0;\n"
                           "    for (i = 0; i < p->points; ++i) {\n"
                           "        tells = @_left_out(p, i) / (p->spare[i] + p->raised[i]);\n"
                           "        if (!(tells < least)) continue;\n"
                           "        least = tells;\n"
                           "        which = i;\n"
                           "    }\n"
                           "    return which;\n"
                           "}\n");
}

/* soothi_median_f and soothi_adapt_measure */
SOOTHI_LOCAL void soothi_export_say_measure(const soothi_export_job *job) {
    const uint32_t repeats = SOOTH_ADAPT_REPEATS;
    const double noise = (double)job->parts.adapt->noise;
    soothi_export_say(job, "\n/* Sorts. */\n"
                           "static float @_median(float *v, uint32_t n) {\n"
                           "    uint32_t i, j;\n"
                           "    for (i = 1; i < n; ++i) {\n"
                           "        const float x = v[i];\n"
                           "        for (j = i; j > 0 && v[j - 1] > x; --j) v[j] = v[j - 1];\n"
                           "        v[j] = x;\n"
                           "    }\n"
                           "    return 0.5f * (v[(n - 1) / 2] + v[n / 2]);\n"
                           "}\n");
    soothi_export_say(job,
                      "\n/* Point i has one more measurement: its value and its noise anew. */\n"
                      "static void @_measure(@_program *p, uint32_t i, float residual) {\n"
                      "    float *last = p->last[i], sorted[%u], s;\n"
                      "    uint32_t k, n;\n"
                      "    last[p->turn[i]] = residual;\n"
                      "    p->turn[i] = (p->turn[i] + 1u) %% %uu;\n"
                      "    if (p->count[i] < %uu) ++p->count[i];\n"
                      "    n = p->count[i];\n"
                      "    for (k = 0; k < %u; ++k) sorted[k] = last[k];\n"
                      "    p->value[i] = @_median(sorted, n);\n"
                      "    for (k = 0; k < n; ++k) {\n"
                      "        s = last[k] - p->value[i];\n"
                      "        sorted[k] = s < 0.0f ? -s : s;\n"
                      "    }\n"
                      "    (void)@_median(sorted, n);\n"
                      "    s = sorted[n > 1 ? n - 2 : 0];\n"
                      "    s = s * s;\n"
                      "    p->spare[i] = (s > %f ? s : %f) / (float)n;\n"
                      "}\n",
                      repeats, repeats, repeats, repeats, noise, noise);
}

/* sooth_model_observe */
SOOTHI_LOCAL void soothi_export_say_observe(const soothi_export_job *job) {
    soothi_export_say(
        job,
        "\nint @_observe(@_program *program, const float *row, float measured) {\n"
        "    const float predicted = @_predict(row);\n"
        "    float z[$_FEATURES], base, f, mean, latent;\n"
        "    uint32_t i, j;\n"
        "    if (!@_usable(predicted) || !@_usable(measured)) {\n"
        "        if (program->refused < 0xFFFFFFFFu) ++program->refused;\n"
        "        return %u;\n"
        "    }\n"
        "    base = @_scaled(predicted);\n"
        "    f = @_standard(base);\n"
        "    @_places(row, z);\n"
        "    i = @_look(program, z, f, &mean, &latent);\n"
        "    if (program->observed < 0xFFFFFFFFu) ++program->observed;\n"
        "    if (i == $_LAUNCHES) { /* a new one */\n"
        "        i = program->points < $_LAUNCHES ? program->points++ : @_dispensable(program);\n"
        "        for (j = 0; j < $_FEATURES; ++j) program->z[i][j] = z[j];\n"
        "        program->f[i] = f;\n"
        "        program->count[i] = program->turn[i] = 0;\n"
        "        @_relate(program, i);\n"
        "    }\n"
        "    @_measure(program, i, @_scaled(measured) - %s);\n"
        "    @_weigh(program);\n"
        "    return program->raised[i] > 0.0f ? %u : %u;\n"
        "}\n",
        (uint32_t)SOOTH_ADAPT_REFUSED,
        soothi_adapt_draws(job->parts.adapt) ? "(base + @_drawn(base))" : "base",
        (uint32_t)SOOTH_ADAPT_DOUBTED, (uint32_t)SOOTH_ADAPT_TAKEN);
}

/* soothi_adapt_moved and sooth_model_adapted, with its lower limit */
SOOTHI_LOCAL void soothi_export_say_adapted(const soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    const float *range = job->parts.card ? sooth_model_card_range(job->parts.card) : NULL;
    soothi_export_say(job, "\n/* Back from the residuals' scale, no more than a float holds. */\n"
                           "static float @_moved(float predicted, float by) {\n    return @_clip(predicted ");
    if (a->log) soothi_export_say(job, "* @_exp(by)");
    else soothi_export_say(job, "+ %f * by", (double)a->unit);
    soothi_export_say(job, ", -3.4028235e38f, 3.4028235e38f);\n}\n");
    soothi_export_say(
        job,
        "\nvoid @_adapted(const @_program *program, const float *row, float *value, float *low,\n"
        "    float *high) {\n"
        "    const float predicted = @_predict(row);\n"
        "    float z[$_FEATURES], f, mean, latent, prior, known, wider, half;\n"
        "    *value = predicted;\n"
        "    *low = *high = $_MISSING;\n"
        "    if (@_usable(predicted)) {\n"
        "        f = @_standard(@_scaled(predicted));\n"
        "        @_places(row, z);\n"
        "        (void)@_look(program, z, f, &mean, &latent);\n"
        "        prior = @_prior(f);\n"
        "        known = prior > 0.0f ? 1.0f - latent / prior : 0.0f;\n"
        "        half = $_FLOAT(@_factor + program->points);\n"
        "        wider = $_FLOAT(@_factor) - half;\n"
        "        half = (half + (wider > 0.0f ? wider * (1.0f - known) : 0.0f)) * @_root(latent + %f);\n"
        "%s"
        "        *value = @_moved(predicted, mean);\n"
        "        *low = @_moved(predicted, mean - half);\n"
        "        *high = @_moved(predicted, mean + half);\n"
        "    }\n",
        (double)a->noise,
        soothi_adapt_draws(a) ? "        mean = mean + @_drawn(@_scaled(predicted));\n" : "");
    if (range && range[2 * (size_t)job->features] >= 0.0f)
        soothi_export_say(job,
                          "    if (*value < 0.0f) *value = 0.0f; /* it was never below 0 in training */\n"
                          "    if (*low < 0.0f) *low = 0.0f;\n"
                          "    if (*high < 0.0f) *high = 0.0f;\n");
    soothi_export_say(job, "}\n");
}

/* Writes all code but the struct and the prototypes. */
SOOTHI_LOCAL void soothi_export_say_adapt(soothi_export_job *job) {
    const sooth_adapt *a = job->parts.adapt;
    soothi_export_say(job, "\nvoid @_begin(@_program *program) {\n"
                           "    unsigned char *at = (unsigned char *)program;\n"
                           "    uint32_t i;\n"
                           "    for (i = 0; i < sizeof *program; ++i) at[i] = 0;\n"
                           "}\n");
    soothi_export_array(job, "factor", soothi_adapt_factors(a), (size_t)a->capacity + 1u);
    soothi_export_say_places(job);
    soothi_export_say_adapt_law(job);
    soothi_export_say_look(job);
    soothi_export_say_factorise(job);
    soothi_export_say_weigh(job);
    soothi_export_say_measure(job);
    soothi_export_say_observe(job);
    soothi_export_say_adapted(job);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
