/* mlp/quantise.h - bounds of a neural network's outputs, and its conversion to integers of 8 or 16 bits.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Both use interval arithmetic (Moore, Interval Analysis, 1966). If every input lies in an interval, so does
 * every sum of a layer, every neuron and every output. The rounding errors of floats are added. So the bounds
 * also hold for rows that were never tested.
 *
 * Integers are for machines with little memory or without floating point. Weights and inputs of a layer are
 * rounded to multiples of a step. Their products and sums are exact. Only biases and activations are floats,
 * once per neuron. The difference from the float network is propagated through the layers as an interval. Its
 * final size is the reported error.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/mlp.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const uint32_t outputs[] = {1}, activation[] = {SOOTH_MLP_LINEAR};
 *         const float weights[] = {0.5f, -0.25f, 1};  // 0.5 a - 0.25 b + 1
 *         const float box[] = {0, 1, 0, 2};           // a from 0 to 1, b from 0 to 2
 *         const float row[] = {1, 2};
 *         float range[2], error[1];
 *         sooth_env env;
 *         sooth_mlp *model, *eight;
 *         sooth_env_init(&env);
 *         if (sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, weights, &model) != SOOTH_OK ||
 *             sooth_mlp_bounds(&env, model, box, range) != SOOTH_OK ||
 *             sooth_mlp_quantise(&env, model, 8, box, error, &eight) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("from %.3f to %.3f\n", range[0], range[1]);         //> from 0.500 to 1.500
 *         printf("%.3f\n", sooth_mlp_predict(eight, row));           //> 0.996
 *         printf("off by at most %.4f\n", error[0]);                 //> off by at most 0.0040
 *         sooth_mlp_free(&env, eight);
 *         sooth_mlp_free(&env, model);
 *         return 0;
 *     }
 *
 * Prediction and sooth_mlp_check for such networks are in mlp.h, so a predict-only program does not need this
 * file. sooth_export_quantise (export/c.h) converts a whole model with its transforms and card.
 *
 * Cost, for P weights: P multiply-adds of doubles for the bounds, 3 P for the integers. The scratch is 64
 * bytes per neuron of the widest layer. The model takes P or 2 P bytes, 32 per layer and 4 per bias.
 */
#ifndef SOOTH_MLP_QUANTISE_H
#define SOOTH_MLP_QUANTISE_H

#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Computes the bounds of every output t for all rows in a box: range[2 t] (min) and range[2 t + 1] (max),
   rounding included. Feature j lies between box[2 j] and box[2 j + 1] (like sooth_model_card_range). The
   bounds are safe, but each layer makes them wider than necessary. They are infinite if a sum may overflow a
   float. A checked model may come from anyone.
   Returns SOOTH_BAD_ARGUMENT if a side of the box does not rise between finite numbers, or if the network has
   integer weights. */
SOOTH_API sooth_status sooth_mlp_bounds(sooth_env *env, const sooth_mlp *model, const float *box,
                                        float *range);

/* Converts the network to weights of `bits` 8 or 16. mlp.h predicts with the result like with any network.
   For all rows in the box (see sooth_mlp_bounds) no integer overflows, and the error of output t is at most
   error[t], rounding included. Outside of the box inputs are clamped at its border or slightly beyond. error
   has one element per target, or is NULL; (*quantised)->error is the maximum. A checked model may come from
   anyone. Returns SOOTH_BAD_ARGUMENT if bits is neither 8 nor 16, if the box is invalid, or if the network
   already has integer weights. Free the new model with sooth_mlp_free. */
SOOTH_API sooth_status sooth_mlp_quantise(sooth_env *env, const sooth_mlp *model, uint32_t bits,
                                          const float *box, float *error, sooth_mlp **quantised);

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_MLP_QUANTISE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MLP_QUANTISE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_MLP_QUANTISE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- intervals ---- */

/* The numbers from low to high. */
typedef struct soothi_interval {
    double low, high;
} soothi_interval;

SOOTHI_LOCAL double soothi_quantise_larger(double a, double b) { return a > b ? a : b; }

/* Returns max |v| over the interval. */
SOOTHI_LOCAL double soothi_interval_reach(soothi_interval a) {
    return soothi_quantise_larger(soothi_abs(a.low), soothi_abs(a.high));
}

/* sum += w a. A negative weight swaps the ends. */
SOOTHI_LOCAL void soothi_interval_add(soothi_interval *sum, double w, soothi_interval a) {
    sum->low += w * (w > 0.0 ? a.low : a.high);
    sum->high += w * (w > 0.0 ? a.high : a.low);
}

/* Moves both ends outwards. */
SOOTHI_LOCAL void soothi_interval_widen(soothi_interval *a, double by) {
    a->low -= by;
    a->high += by;
}

/* Returns f(v). No activation decreases, and none has a slope above 1. */
SOOTHI_LOCAL double soothi_quantise_activation(uint32_t activation, double leak, double v) {
    double e;
    switch (activation) {
    case SOOTH_MLP_RELU: return v > 0.0 ? v : 0.0;
    case SOOTH_MLP_LEAKY_RELU: return v > 0.0 ? v : leak * v;
    case SOOTH_MLP_SIGMOID: return v < -80.0 ? 0.0 : v > 80.0 ? 1.0 : 1.0 / (1.0 + soothi_exp(-v));
    case SOOTH_MLP_TANH:
        if (soothi_abs(v) > 40.0) return v > 0.0 ? 1.0 : -1.0;
        e = soothi_expm1(2.0 * v);
        return e / (e + 2.0);
    case SOOTH_MLP_SOFTPLUS: return v < -80.0 ? 0.0 : v > 80.0 ? v : soothi_log(1.0 + soothi_exp(v));
    case SOOTH_MLP_AT_LEAST_ONE: return 1.0 + soothi_quantise_activation(SOOTH_MLP_SOFTPLUS, leak, v);
    default: return v;
    }
}

/* Relative error of n successive float operations, and of one of our functions. */
SOOTHI_LOCAL double soothi_quantise_roundoff(size_t n) { return 6e-8 * (double)n; }
#define SOOTHI_QUANTISE_FUNCTION_ERROR 5e-7

/* If the terms of a sum exceed this together, it may overflow a float. Its interval is then infinite. */
#define SOOTHI_QUANTISE_MOST 3e38

/* Returns the sum v of output o of layer i, and the rounding error of computing it in floats. */
SOOTHI_LOCAL soothi_interval soothi_interval_sum(const sooth_mlp *m, size_t i, size_t o,
                                                 const soothi_interval *a, double *rounding) {
    const size_t n = sooth_mlp_layers(m)[i].inputs;
    const double bias = (double)sooth_mlp_bias(m, i, o);
    soothi_interval v = {bias, bias};
    double size = soothi_abs(bias);
    for (size_t j = 0; j < n; ++j) {
        const double w = (double)sooth_mlp_weight(m, i, o, j);
        soothi_interval_add(&v, w, a[j]);
        size += soothi_abs(w) * soothi_interval_reach(a[j]);
    }
    *rounding = soothi_quantise_roundoff(n + 4) * size;
    soothi_interval_widen(&v, *rounding);
    if (!(size <= SOOTHI_QUANTISE_MOST)) {
        v.low = -SOOTHI_INFINITE;
        v.high = SOOTHI_INFINITE;
    }
    return v;
}

/* Returns f(v), clamped to the range of f. */
SOOTHI_LOCAL soothi_interval soothi_interval_activate(uint32_t f, double leak, soothi_interval v) {
    const double most = f == SOOTH_MLP_SIGMOID || f == SOOTH_MLP_TANH ? 1.0 : SOOTHI_INFINITE;
    const double least = f == SOOTH_MLP_AT_LEAST_ONE                          ? 1.0
                         : f == SOOTH_MLP_TANH                                ? -1.0
                         : f == SOOTH_MLP_LINEAR || f == SOOTH_MLP_LEAKY_RELU ? -SOOTHI_INFINITE
                                                                              : 0.0;
    soothi_interval y = {soothi_quantise_activation(f, leak, v.low),
                         soothi_quantise_activation(f, leak, v.high)};
    soothi_interval_widen(&y, SOOTHI_QUANTISE_FUNCTION_ERROR * soothi_interval_reach(y) + 1e-37);
    if (!(y.low >= least)) y.low = least; /* also if 0 times infinity gave NaN */
    if (!(y.high <= most)) y.high = most;
    return y;
}

/* Allocates the intervals of four layers. The first is the box, one interval per feature. The others are
   0. */
SOOTHI_LOCAL sooth_status soothi_interval_buffer(sooth_env *env, const sooth_mlp *model, const float *box,
                                                 soothi_interval **buffer) {
    const size_t count = 4 * (size_t)model->widest;
    sooth_status status = soothi_mlp_need_floats(env, model);
    if (status != SOOTH_OK) return status;
    soothi_interval *a = *buffer = (soothi_interval *)sooth_alloc(env, count, sizeof *a);
    if (!a) return sooth_no_memory(env, "intervals", count * sizeof *a);
    memset(a, 0, count * sizeof *a);
    for (uint32_t j = 0; status == SOOTH_OK && j < model->head.features; ++j) {
        a[j].low = (double)box[2 * j];
        a[j].high = (double)box[2 * j + 1];
        if (!soothi_finite(a[j].low) || !soothi_finite(a[j].high) || a[j].low > a[j].high)
            status = sooth_fail(env, SOOTH_BAD_ARGUMENT,
                                "the box is %g to %g in feature %u, but must rise between finite numbers",
                                a[j].low, a[j].high, j + 1);
    }
    if (status != SOOTH_OK) sooth_free(env, a, count, sizeof *a);
    return status;
}

SOOTH_API sooth_status sooth_mlp_bounds(sooth_env *env, const sooth_mlp *model, const float *box,
                                        float *range) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model);
    soothi_interval *buffer, *a;
    sooth_status status = soothi_interval_buffer(env, model, box, &buffer);
    double rounding;
    if (status != SOOTH_OK) return status;
    a = buffer;
    for (size_t i = 0; i < model->layers; ++i) {
        soothi_interval *next = a == buffer ? buffer + model->widest : buffer;
        for (size_t o = 0; o < l[i].outputs; ++o) {
            const soothi_interval v = soothi_interval_sum(model, i, o, a, &rounding);
            next[o] = soothi_interval_activate(l[i].activation, (double)model->leak, v);
        }
        a = next;
    }
    for (size_t o = 0; o < model->head.targets; ++o) {
        range[2 * o] = (float)a[o].low;
        range[2 * o + 1] = (float)a[o].high;
    }
    sooth_free(env, buffer, 4 * (size_t)model->widest, sizeof(soothi_interval));
    return SOOTH_OK;
}

/* ---- integers ---- */

/* The inputs of a layer: their intervals in floats, and the difference of float and integer network. */
typedef struct soothi_quantise_flow {
    soothi_interval *a, *error;
} soothi_quantise_flow;

/* The interval of input j in the integer network. */
SOOTHI_LOCAL soothi_interval soothi_quantise_rounded(const soothi_quantise_flow *in, size_t j) {
    const soothi_interval x = {in->a[j].low - in->error[j].high, in->a[j].high - in->error[j].low};
    return x;
}

/* Chooses the input step of a layer so that no input is clamped, and adds the error of rounding to it. */
SOOTHI_LOCAL double soothi_quantise_input_step(const soothi_quantise_flow *in, size_t n) {
    double reach = 0.0;
    for (size_t j = 0; j < n; ++j)
        reach = soothi_quantise_larger(reach, soothi_interval_reach(soothi_quantise_rounded(in, j)));
    double step =
        (double)(float)(reach > 0.0 ? soothi_quantise_larger(reach / SOOTHI_MLP_CEILING * 1.000001, 1e-30)
                                    : 1.0);
    for (size_t j = 0; j < n; ++j)
        soothi_interval_widen(&in->error[j], 0.505 * step); /* half a step, and the rounding of v / step +
                                                               0.5 */
    return step;
}

/* Chooses the weight step of a layer: the largest weight is 127 or 32767 steps, and no sum of 8-bit products
   overflows. */
SOOTHI_LOCAL double soothi_quantise_weight_step(const sooth_mlp *m, size_t i, uint32_t bits) {
    const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
    const double most = 0x7FFFFFFF / SOOTHI_MLP_CEILING - 0.5 * (double)l->inputs - 1.0; /* steps per row */
    double largest = 0.0, row = 0.0;
    for (size_t o = 0; o < l->outputs; ++o) {
        double sum = 0.0;
        for (size_t j = 0; j < l->inputs; ++j) {
            const double w = soothi_abs((double)sooth_mlp_weight(m, i, o, j));
            sum += w;
            largest = soothi_quantise_larger(largest, w);
        }
        row = soothi_quantise_larger(row, sum);
    }
    double step =
        bits == 8 ? soothi_quantise_larger(largest / 127.0, row / most * 1.000001) : largest / 32767.0;
    return (double)(float)(largest > 0.0 ? soothi_quantise_larger(step, 1e-30) : 1.0);
}

/* Rounds the weights of output o of layer i. Returns the sum in floats minus the sum in integers: sum_j w_j
   e_j + sum_j (w_j - w'_j) x'_j. Here w' are the rounded weights, x' the rounded inputs and e = x - x'. */
SOOTHI_LOCAL soothi_interval soothi_quantise_weights(const sooth_mlp *m, const sooth_mlp_layer *l, size_t i,
                                                     size_t o, const soothi_quantise_flow *in,
                                                     unsigned char *bytes, uint32_t bits) {
    const double most = bits == 8 ? 127.0 : 32767.0;
    double size = soothi_abs((double)sooth_mlp_bias(m, i, o));
    soothi_interval v = {0.0, 0.0};
    for (size_t j = 0; j < l->inputs; ++j) {
        const double w = (double)sooth_mlp_weight(m, i, o, j);
        const size_t at = l->weights_at + o * l->stride + j;
        double q = w / (double)l->weight_step;
        q = q > most ? most : q < -most ? -most : q;
        q = (double)(int32_t)(q < 0.0 ? q - 0.5 : q + 0.5);
        const soothi_interval x = soothi_quantise_rounded(in, j);
        soothi_interval_add(&v, w, in->error[j]);
        soothi_interval_add(&v, w - q * (double)l->weight_step, x);
        size += soothi_abs(q) * (double)l->weight_step * soothi_interval_reach(x);
        for (uint32_t k = 0; k < bits / 8; ++k)
            bytes[at * (bits / 8) + k] = (unsigned char)((uint32_t)(int32_t)q >> (8 * k) & 255u);
    }
    soothi_interval_widen(&v, soothi_quantise_roundoff(5) * size);
    return v;
}

/* Bounds f(v) - f(v') for v in one interval and v - v' in another. It is at most the max slope of f times v -
   v', and at most what both intervals allow. */
SOOTHI_LOCAL soothi_interval soothi_quantise_activation_error(uint32_t f, double leak, soothi_interval v,
                                                              soothi_interval e) {
    const double steepest = f == SOOTH_MLP_SIGMOID ? 0.25 : 1.0;
    const soothi_interval least = {soothi_quantise_activation(f, leak, v.low),
                                   soothi_quantise_activation(f, leak, v.high - e.low)};
    const soothi_interval most = {soothi_quantise_activation(f, leak, v.low - e.high),
                                  soothi_quantise_activation(f, leak, v.high)};
    soothi_interval d = {e.low < 0.0 ? steepest * e.low : 0.0, e.high > 0.0 ? steepest * e.high : 0.0};
    if (f == SOOTH_MLP_LINEAR) return e;
    if (d.low < least.low - least.high) d.low = least.low - least.high;
    if (d.high > most.high - most.low) d.high = most.high - most.low;
    double rounding = soothi_quantise_larger(soothi_interval_reach(least), soothi_interval_reach(most));
    soothi_interval_widen(&d, 2.0 * SOOTHI_QUANTISE_FUNCTION_ERROR * rounding + 1e-37);
    return d;
}

/* Rounds layer i, and propagates intervals and errors from its inputs to its outputs. */
SOOTHI_LOCAL sooth_status soothi_quantise_layer(sooth_env *env, const sooth_mlp *m, sooth_mlp *rounded,
                                                size_t i, const soothi_quantise_flow *in,
                                                const soothi_quantise_flow *out) {
    sooth_mlp_layer *l = (sooth_mlp_layer *)(void *)(rounded + 1) + i;
    unsigned char *bytes = (unsigned char *)(void *)rounded + rounded->head.bytes_at;
    float *bias = soothi_mlp_own_floats(rounded);
    double rounding;
    l->input_step = (float)soothi_quantise_input_step(in, l->inputs);
    l->weight_step = (float)soothi_quantise_weight_step(m, i, rounded->bits);
    if (!(l->input_step < 1e30f))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "values in layer %z can reach %g within the box, too large for integers", i + 1,
                          (double)l->input_step * SOOTHI_MLP_CEILING);
    if (!(l->weight_step < 1e30f))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the weights of layer %z need steps of %G, too large for integers", i + 1,
                          (double)l->weight_step);
    for (size_t o = 0; o < l->outputs; ++o) {
        const soothi_interval v = soothi_interval_sum(m, i, o, in->a, &rounding);
        soothi_interval e = soothi_quantise_weights(m, l, i, o, in, bytes, rounded->bits);
        soothi_interval_widen(&e, rounding);
        if (l->biases_at) bias[l->biases_at + o] = sooth_mlp_bias(m, i, o);
        out->a[o] = soothi_interval_activate(l->activation, (double)m->leak, v);
        out->error[o] = soothi_quantise_activation_error(l->activation, (double)m->leak, v, e);
    }
    return SOOTH_OK;
}

/* Allocates a network of integers with the layers of m, all parameters 0. */
SOOTHI_LOCAL sooth_mlp *soothi_quantise_new(sooth_env *env, const sooth_mlp *m, uint32_t bits) {
    sooth_mlp_layer l[SOOTH_MLP_MAX_LAYERS];
    uint32_t floats = 1, weights = 0;
    memcpy(l, sooth_mlp_layers(m), m->layers * sizeof *l);
    for (size_t i = 0; i < m->layers; ++i)
        weights = soothi_mlp_lay_integers(&l[i], l[i].biases_at != 0, weights, &floats);
    size_t words = sizeof *m + m->layers * sizeof *l + floats * sizeof(float);
    sooth_mlp *rounded = (sooth_mlp *)soothi_block_new(env, SOOTH_KIND_MLP, SOOTH_MLP_VERSION, words, 0,
                                                       (size_t)weights * bits / 8);
    if (!rounded) {
        sooth_no_memory(env, "a network of integers", words + (size_t)weights * bits / 8);
        return NULL;
    }
    sooth_block head = rounded->head;
    head.features = m->head.features;
    head.targets = m->head.targets;
    *rounded = *m;
    rounded->head = head;
    rounded->parameters = floats;
    rounded->bits = bits;
    rounded->error = 0.0f;
    memcpy(rounded + 1, l, m->layers * sizeof *l);
    return rounded;
}

/* Rounds all layers. Stores the error bounds in error and rounded->error. */
SOOTHI_LOCAL sooth_status soothi_quantise_layers(sooth_env *env, const sooth_mlp *m, const float *box,
                                                 float *error, sooth_mlp *rounded) {
    soothi_interval *buffer;
    sooth_status status = soothi_interval_buffer(env, m, box, &buffer);
    size_t i;
    if (status != SOOTH_OK) return status;
    const soothi_quantise_flow flow[2] = {{buffer, buffer + m->widest},
                                          {buffer + 2 * m->widest, buffer + 3 * m->widest}};
    for (i = 0; status == SOOTH_OK && i < m->layers; ++i)
        status = soothi_quantise_layer(env, m, rounded, i, &flow[i % 2], &flow[(i + 1) % 2]);
    for (size_t o = 0; status == SOOTH_OK && o < m->head.targets; ++o) {
        const float e = (float)(1.000001 * soothi_interval_reach(flow[i % 2].error[o]));
        if (error) error[o] = e;
        if (rounded->error < e) rounded->error = e;
    }
    sooth_free(env, buffer, 4 * (size_t)m->widest, sizeof *buffer);
    return status;
}

SOOTH_API sooth_status sooth_mlp_quantise(sooth_env *env, const sooth_mlp *model, uint32_t bits,
                                          const float *box, float *error, sooth_mlp **quantised) {
    *quantised = NULL;
    if (bits != 8 && bits != 16)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "bits is %u, but must be 8 or 16", bits);
    sooth_mlp *rounded = soothi_quantise_new(env, model, bits);
    if (!rounded) return SOOTH_NO_MEMORY;
    sooth_status status = soothi_quantise_layers(env, model, box, error, rounded);
    if (status != SOOTH_OK) {
        sooth_mlp_free(env, rounded);
        return status;
    }
    soothi_block_seal(&rounded->head);
    *quantised = rounded;
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
