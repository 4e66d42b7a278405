/* mlp.h - neural networks trained by gradients, with losses on products, ratios and sums of outputs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A layer computes f(W x + b). A network is a list of layers. The training loss may depend on products,
 * ratios and sums of the outputs. Outputs can be restricted to a range by construction (a slowdown is at
 * least 1). They can also be forced to rise or fall with chosen inputs.
 *
 * Example
 *
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/mlp.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {0, 0, 0, 1, 1, 0, 1, 1}, y[] = {0, 1, 1, 0};  // exclusive or
 *         sooth_table table = sooth_table_of(x, y, 4, 2);
 *         sooth_mlp_options options = {
 *             .hidden_1 = 8, .activation = SOOTH_MLP_TANH, .optimiser = SOOTH_MLP_LBFGS};
 *         sooth_mlp *model;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_mlp_fit(&env, &table, &options, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.2f\n", sooth_mlp_predict(model, x + 2));  //> 1.00
 *         sooth_mlp_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - Inputs should be of order one. Scale them first (preprocess/scale.h), or let model.h do it.
 * - Targets may have any unit: each is standardised during training, and the model predicts in its unit. Two
 *   outputs have no unit and are left alone: from_one and zero_to_one. scikit-learn's MLPRegressor learns in
 *   the unit of the target, as no_target_scale does.
 * - mlp/quantise.h converts a network to integers and computes bounds of its outputs.
 * - By default Adam begins at a rate of 0.003, which falls by the cosine to 0 in 200 epochs, with a weight
 *   decay of 0.3, in batches of 8 below 200 rows. The error is 0.89 of that of a constant rate, over 41
 *   tables (bench/README.md). Above 5,000 rows there are fewer epochs, so that the time stays the same up
 *   to 50,000 rows: 1.4 s for 3,000 rows of 23 columns.
 * - Firmware: a smaller SOOTH_MLP_MAX_WIDTH takes less stack.
 *
 * Method and references
 *
 * Themis (Zhao et al., eq. 8) learns two slowdowns with a loss that also includes the error of their product.
 * The references of optimisers, first weights and schedules are next to their enums.
 *
 * Cost
 *
 * For n rows and a network of P weights and biases:
 *   fit      about 3 P multiply-adds per row and epoch; scratch: sooth_mlp_scratch_size. Workers share the
 *            rows of a batch, then the weights, if P times the rows is above 131,072: two are 1.75 times as
 *            fast as one for 64-64-128 neurons and batches of 32, 1.9 times for 256-256
 *   predict  P multiply-adds and one function per neuron if the activation has one; no allocation, no
 *            double; 11 KiB of stack for one row, 36 KiB for many (below 1 KiB for one row of Themis'
 *            network with SOOTH_MLP_MAX_WIDTH 12)
 *   model    4 P bytes and 32 per layer; 1 or 2 P with small integers (mlp/quantise.h)
 */
#if !defined(SOOTH_MLP_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MLP_IMPLEMENTED))
#include "base.h"
#endif

#ifndef SOOTH_MLP_H
#define SOOTH_MLP_H

SOOTHI_C_BEGIN

#define SOOTH_MLP_VERSION 1
#ifndef SOOTH_MLP_MAX_WIDTH
/* Maximum number of features and of neurons in a layer: between 4 and 1024, a multiple of 4. */
#define SOOTH_MLP_MAX_WIDTH 1024
#endif
#define SOOTH_MLP_MAX_LAYERS 64

typedef enum sooth_mlp_activation {
    SOOTH_MLP_RELU = 0,   /* max(v, 0) */
    SOOTH_MLP_LEAKY_RELU, /* v, or leak v below 0 */
    SOOTH_MLP_SIGMOID,    /* 1 / (1 + e^-v) */
    SOOTH_MLP_TANH,
    SOOTH_MLP_SOFTPLUS,     /* log(1 + e^v) */
    SOOTH_MLP_LINEAR,       /* v */
    SOOTH_MLP_AT_LEAST_ONE, /* 1 + log(1 + e^v) */
    SOOTH_MLP_ACTIVATIONS
} sooth_mlp_activation;

/* One layer. Its weights begin at float weights_at of the parameters. The weight from input i to output o is
   at [i x stride + o] if there are 4 or more outputs. Then stride is outputs rounded up to a multiple of 4,
   and the padding is 0. With fewer outputs it is at [o x stride + i], and stride = inputs. Integer layers
   always use the second layout, and weights_at counts integers. */
typedef struct sooth_mlp_layer {
    uint32_t inputs, outputs;
    uint32_t activation; /* a sooth_mlp_activation */
    uint32_t stride;
    uint32_t weights_at;
    uint32_t biases_at; /* 0 means no biases */
    float weight_step;  /* integer layers: the weight is weight_step x integer, */
    float input_step;   /* and inputs are rounded to multiples of input_step, at most 32767 steps */
} sooth_mlp_layer;

/* The block: this struct, the layers, the parameters (floats). In a network of integers the floats are the
   biases. The weights then follow in the byte region, low byte first. */
typedef struct sooth_mlp {
    sooth_block head;
    uint32_t layers;
    uint32_t parameters; /* floats, including the padding to multiples of 4 */
    uint32_t widest;     /* width of the widest layer, the features included */
    uint32_t epochs;     /* number of training epochs that led to these weights */
    float leak;          /* of leaky ReLU */
    float loss;          /* after training, of standardised targets: of the held-out or the training rows */
    uint32_t bits;       /* of a weight: 8 or 16; 0 means floats */
    float error;         /* integer networks: max error of any output inside the box they were made for */
} sooth_mlp;

/* Returns 1 if bytes[0..size) begin with a valid model. Then no function below reads outside of it. A checked
   model may come from anyone. */
SOOTH_API int sooth_mlp_check(const void *bytes, size_t size);

/* Returns the first output for a row of head.features floats. predict_many computes all outputs of many rows,
   with bits identical to one row at a time. */
SOOTH_API float sooth_mlp_predict(const sooth_mlp *model, const float *row);
SOOTH_API void sooth_mlp_predict_many(const sooth_mlp *model, const float *x, size_t rows, size_t stride,
                                      float *out);
SOOTH_API sooth_cost sooth_mlp_cost(const sooth_mlp *model);

/* Access to the network: layer `layer` of model->layers, its weights and biases. The last function returns
   the total number of weights and biases. Themis' network of 12 inputs, 12 and 12 neurons and 2 outputs has
   338 of them, or 312 without biases. */
SOOTH_API const sooth_mlp_layer *sooth_mlp_layers(const sooth_mlp *model);
SOOTH_API float sooth_mlp_weight(const sooth_mlp *model, size_t layer, size_t output, size_t input);
SOOTH_API float sooth_mlp_bias(const sooth_mlp *model, size_t layer, size_t output);
SOOTH_API size_t sooth_mlp_weights(const sooth_mlp *model);

#ifndef SOOTH_PREDICT_ONLY

/* ---- fitting ---- */

typedef enum sooth_mlp_output {
    SOOTH_MLP_ANY = 0,     /* linear */
    SOOTH_MLP_FROM_ONE,    /* 1 + softplus: a slowdown */
    SOOTH_MLP_ZERO_TO_ONE, /* sigmoid: a fraction, progress */
    SOOTH_MLP_POSITIVE,    /* softplus: a time, watts */
    SOOTH_MLP_LEAKY_OUTPUT /* leaky ReLU: counted in Table IV of Themis */
} sooth_mlp_output;

/* Initial weights, uniform in +-limit. */
typedef enum sooth_mlp_init {
    SOOTH_MLP_INIT_AUTO = 0, /* He for the ReLUs, Xavier for the other activations */
    SOOTH_MLP_INIT_HE,       /* limit sqrt(6 / inputs) (He et al., 2015) */
    SOOTH_MLP_INIT_XAVIER    /* limit sqrt(6 / (inputs + outputs)) (Glorot and Bengio, 2010) */
} sooth_mlp_init;

typedef enum sooth_mlp_optimiser {
    SOOTH_MLP_ADAM = 0, /* Kingma and Ba, 2015; with weight_decay: AdamW (Loshchilov and Hutter, 2019) */
    SOOTH_MLP_SGD,      /* with momentum, Nesterov's if nesterov is 1 */
    SOOTH_MLP_RPROP,    /* iRprop- (Igel and Huesken, 2003); all rows at once */
    SOOTH_MLP_LBFGS     /* limited memory (Nocedal and Wright, 2006, 7.2); all rows at once: small tables */
} sooth_mlp_optimiser;

/* The learning rate in epoch e = 0, 1, ..., with d = decay and D = decay_epochs: */
typedef enum sooth_mlp_schedule {
    SOOTH_MLP_COSINE = 0, /* rate (1 + cos(pi e / epochs)) / 2 */
    SOOTH_MLP_CONSTANT,
    SOOTH_MLP_STEP,         /* rate d^floor(e / D) */
    SOOTH_MLP_EXPONENTIAL,  /* rate d^(e / D) */
    SOOTH_MLP_INVERSE_TIME, /* rate / (1 + d e / D) */
    SOOTH_MLP_PLATEAU       /* multiplied by d after every D epochs without improvement */
} sooth_mlp_schedule;

/* The loss r of one error e = target - prediction. */
typedef enum sooth_mlp_loss_kind {
    SOOTH_MLP_SQUARED = 0,       /* e^2 / 2 */
    SOOTH_MLP_ABSOLUTE,          /* |e| */
    SOOTH_MLP_HUBER,             /* e^2 / 2, or delta (|e| - delta / 2) beyond delta = huber_delta */
    SOOTH_MLP_PINBALL,           /* quantile e, or (quantile - 1) e below 0 */
    SOOTH_MLP_RELATIVE,          /* (e / target)^2 / 2 */
    SOOTH_MLP_RELATIVE_ABSOLUTE, /* |e / target| */
    SOOTH_MLP_THEMIS,            /* eq. 8: RELATIVE with `root`, of both outputs and twice of their product */
    SOOTH_MLP_LOGISTIC /* the log loss of a probability, -log p if the target is 1 and -log(1 - p) if it is 0;
                          outputs ANY become ZERO_TO_ONE */
} sooth_mlp_loss_kind;

/* The quantity that a loss compares: derived from the outputs, and in the same way from the targets. */
typedef enum sooth_mlp_derived {
    SOOTH_MLP_ITSELF = 0, /* output `first` */
    SOOTH_MLP_PRODUCT,    /* first x second */
    SOOTH_MLP_RATIO,      /* first / second */
    SOOTH_MLP_SUM         /* first + second */
} sooth_mlp_derived;

typedef struct sooth_mlp_term {
    uint32_t derived; /* a sooth_mlp_derived */
    uint32_t first, second;
    double weight; /* > 0 */
} sooth_mlp_term;

/* The loss of a batch is sum_k weight_k L_k + penalties, over the terms k. L_k is the (weighted) mean of r
   over the rows. With `root` it is sqrt(2 mean r), the root mean square for the squared losses. The penalties
   are lambda / 2 |W|^2 + lambda_norm |W|, over all weights but not the biases. */
typedef struct sooth_mlp_options {
    uint32_t hidden_1, hidden_2, hidden_3, hidden_4; /* neurons; if all are 0: 64 and 64 */
    uint32_t activation;                             /* of the hidden layers */
    uint32_t output;                                 /* a sooth_mlp_output */
    uint32_t no_bias;
    uint32_t no_target_scale;           /* 1: train on the targets in their own unit, not standardised */
    uint32_t init;                      /* a sooth_mlp_init */
    uint32_t optimiser, schedule, loss; /* a sooth_mlp_optimiser, _schedule, _loss_kind */
    uint32_t root;                      /* 1: take the root of every mean loss */
    uint32_t epochs;       /* max passes over the rows; 0 means 1,000,000 / rows, but 20 to 200 */
    uint32_t batch_size;   /* rows of a step; 0 means 8 below 200 rows, else 32 */
    uint32_t patience;     /* stop after this many epochs without improvement; never: epochs; 0 means 10, but
                              never if the rate of adam or sgd falls by the cosine */
    uint32_t decay_epochs; /* 0 means 10 */
    uint32_t nesterov;
    uint32_t history; /* pairs kept by L-BFGS; 0 means 10 */
    uint32_t seed;
    double learning_rate; /* 0 means 0.003 for Adam, else 0.01 */
    double decay;         /* 0 means 0.5 */
    double momentum;      /* of SGD; 0 means none */
    double beta1, beta2;  /* of Adam; 0 means 0.9 and 0.999 */
    double epsilon;       /* of Adam; 0 means 1e-8 */
    double lambda;        /* penalty lambda / 2 |W|^2 (L2) */
    double lambda_norm;   /* penalty lambda_norm |W|, not squared; 0 means none (Themis' loss: 0.001) */
    double weight_decay;  /* every step subtracts learning rate x this fraction of every weight (AdamW); 0
                             means 0.3 for Adam if targets are standardised, else none */
    double dropout;       /* fraction of hidden neurons switched off in a step */
    double clip;          /* max length of a gradient; 0 means no limit */
    double huber_delta;   /* error at which the Huber loss turns linear, in the target's unit; 0 means the
                             target's deviation, or 1 if targets are not standardised */
    double quantile;      /* of pinball; 0 means 0.5 */
    double leak;          /* of leaky ReLU; 0 means 0.01 */
    double validation_fraction; /* fraction of the rows held out (whole groups, if the table has groups) */
    double tolerance;           /* min improvement, as a fraction of the loss; 0 means 1e-4 */
    uint32_t has_beta1, has_lambda_norm, has_weight_decay, has_tolerance; /* 1: a 0 there means 0 */

    const uint32_t *hidden; /* neurons of each hidden layer, replaces hidden_1 ...; may have no layer */
    uint32_t hidden_count;
    const uint32_t *activations; /* of each hidden layer, replaces `activation`; NULL if unused */
    const sooth_mlp_term *terms; /* NULL means each output by itself, with weight 1 / targets */
    uint32_t term_count;
    const signed char *monotone;   /* per feature: 1 never falls, -1 never rises, 0 free; NULL means all 0 */
    const sooth_table *validation; /* held-out rows, instead of a fraction of the table */
    const struct sooth_mlp *warm_start; /* model of the same shape whose weights are the start; a checked one
                                           may come from anyone */
} sooth_mlp_options;

/* Trains a network. Rows are drawn in batches, in a new order every epoch. If rows are held out, the weights
   of the epoch with the lowest validation loss are kept. Weights of monotone features keep their sign, and
   those of all later layers stay above 0.

   Each target is standardised by the mean m and the deviation s of the training rows, unless no_target_scale
   is 1 or the output has no unit (FROM_ONE, ZERO_TO_ONE):
   - An output ANY learns (y - m) / s. Then s and m go into the last layer, and the network looks like any
     other. Under a relative loss, m and s are those of rows with weights 1 / y^2.
   - LEAKY_OUTPUT, and ANY without biases, learn y / s, and s is the root mean square of y.
   - POSITIVE does too. One more layer, linear and without biases, multiplies by s.
   Each term of the loss is divided by the deviation of its own quantity. So all losses, penalties and clip
   are those of standardised targets, but huber_delta has the target's unit. ANY predicts a constant target to
   the bit. Targets 2^k times as large get exactly 2^k times the predictions.

   A warm start continues with its predictions, to rounding; a POSITIVE one keeps its s.
   - SOOTH_NOT_CONVERGED: the loss explodes (the learning rate is too large). *model is then the best so far,
     which may be the start. It is NULL after every other failure.
   - SOOTH_BAD_DATA: also if a row within the ranges of the columns could make a sum overflow a float.
   env->loss_fn is called after every epoch. The first loss is the mean over its batches, each before its
   step, with penalties and dropout (L-BFGS: after the step). The second is the validation loss after the
   epoch, without penalties and dropout. */
SOOTH_API sooth_status sooth_mlp_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_mlp_options *options, sooth_mlp **model);

/* Makes a network from given weights. For each layer: outputs x inputs weights, row by row, then the biases
   unless no_bias. outputs and activation are arrays of `layers` elements. */
SOOTH_API sooth_status sooth_mlp_make(sooth_env *env, size_t features, size_t layers, const uint32_t *outputs,
                                      const uint32_t *activation, int no_bias, double leak,
                                      const float *weights, sooth_mlp **model);

/* Computes the loss of a table's rows under the options, and its gradient. gradient has model->parameters
   floats in the order of the block, or is NULL. Dropout is not applied. Targets are not standardised: the
   loss is that of a fit with no_target_scale. */
SOOTH_API sooth_status sooth_mlp_gradient(sooth_env *env, const sooth_mlp *model, const sooth_table *table,
                                          const sooth_mlp_options *options, double *loss, float *gradient);

/* Frees a model returned by a fit, sooth_mlp_make or sooth_mlp_quantise. NULL is allowed. */
SOOTH_API void sooth_mlp_free(sooth_env *env, sooth_mlp *model);

/* Returns names, ranges and defaults of the options. */
SOOTH_API sooth_option_list sooth_mlp_options_list(void);

/* Makes the checks of sooth_mlp_fit before training: ranges, options that do not fit each other, the table,
   the warm start. options NULL means the defaults. */
SOOTH_API sooth_status sooth_mlp_check_options(sooth_env *env, const sooth_table *table,
                                               const sooth_mlp_options *options);

/* Return the bytes of the model, and of the scratch that fitting allocates in one piece, for tables of this
   shape. 0 if the options make no network. An arena of their sum plus 32 is enough. */
SOOTH_API size_t sooth_mlp_size(const sooth_mlp_options *options, size_t cols, size_t targets);
SOOTH_API size_t sooth_mlp_scratch_size(const sooth_mlp_options *options, size_t rows, size_t cols,
                                        size_t targets);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_MLP_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MLP_IMPLEMENTED)
#define SOOTH_MLP_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- layout ---- */

SOOTH_API const sooth_mlp_layer *sooth_mlp_layers(const sooth_mlp *model) {
    return (const sooth_mlp_layer *)(const void *)(model + 1);
}

SOOTHI_LOCAL const float *soothi_mlp_floats(const sooth_mlp *model) {
    return (const float *)(const void *)(sooth_mlp_layers(model) + model->layers);
}

/* Layers with few outputs compute one dot product each. Wider layers compute outputs side by side. */
SOOTHI_LOCAL int soothi_mlp_narrow(const sooth_mlp_layer *l) { return l->outputs < 4; }

SOOTHI_LOCAL size_t soothi_mlp_place(const sooth_mlp_layer *l, size_t output, size_t input) {
    return l->weights_at + (soothi_mlp_narrow(l) ? output * l->stride + input : input * l->stride + output);
}

/* Floats of a layer's weights, padding included. */
SOOTHI_LOCAL uint32_t soothi_mlp_layer_weights(const sooth_mlp_layer *l) {
    return (soothi_mlp_narrow(l) ? l->outputs : l->inputs) * l->stride;
}

/* Lays out a layer from float `at`. Returns where the next layer begins, a multiple of 4. */
SOOTHI_LOCAL uint32_t soothi_mlp_lay(sooth_mlp_layer *l, int bias, uint32_t at) {
    l->stride = soothi_mlp_narrow(l) ? l->inputs : (l->outputs + 3u) & ~3u;
    l->weights_at = at;
    at += soothi_mlp_layer_weights(l);
    l->biases_at = bias ? at : 0;
    return (at + (bias ? l->outputs : 0) + 3u) & ~3u;
}

/* Lays out a layer of integers: weights from integer `weight`, biases from float *bias_at. Float 0 is unused,
   since biases_at 0 means no biases. Returns where the next layer's weights begin. */
SOOTHI_LOCAL uint32_t soothi_mlp_lay_integers(sooth_mlp_layer *l, int bias, uint32_t weight,
                                              uint32_t *bias_at) {
    l->stride = l->inputs;
    l->weights_at = weight;
    l->biases_at = bias ? *bias_at : 0;
    if (bias) *bias_at += l->outputs;
    return weight + l->outputs * l->inputs;
}

/* The weights of a network of integers: as bytes in the block, and as one integer. */
SOOTHI_LOCAL const unsigned char *soothi_mlp_integers(const sooth_mlp *m) {
    return (const unsigned char *)(const void *)m + m->head.bytes_at;
}

SOOTHI_LOCAL int32_t soothi_mlp_integer(const sooth_mlp *m, size_t at) {
    const unsigned char *b = soothi_mlp_integers(m);
    const int32_t v = m->bits == 8 ? (int32_t)b[at] : (int32_t)(b[2 * at] | (uint32_t)b[2 * at + 1] << 8);
    const int32_t half = m->bits == 8 ? 0x80 : 0x8000;
    return (v ^ half) - half;
}

#define SOOTHI_MLP_CEILING 32767 /* inputs of an integer layer are at most this many steps */

/* Checks that the steps are positive and that sums of 8-bit products cannot overflow 32 bits. Sums of 16-bit
   products have 64 bits. */
SOOTHI_LOCAL int soothi_mlp_check_integers(const sooth_mlp *m, const sooth_mlp_layer *l) {
    if (!(l->weight_step > 0.0f && l->weight_step < 1e30f && l->input_step > 0.0f && l->input_step < 1e30f))
        return 0;
    for (size_t o = 0; m->bits == 8 && o < l->outputs; ++o) {
        int32_t sum = 0;
        for (size_t i = 0; i < l->inputs; ++i) {
            const int32_t v = soothi_mlp_integer(m, l->weights_at + o * l->stride + i);
            sum += v < 0 ? -v : v;
        }
        if (sum > 0x7FFFFFFF / SOOTHI_MLP_CEILING) return 0;
    }
    return 1;
}

SOOTH_API int sooth_mlp_check(const void *bytes, size_t size) {
    const sooth_mlp *m = (const sooth_mlp *)bytes;
    const sooth_mlp_layer *l;
    sooth_mlp_layer expected;
    uint32_t widest, at = 0, floats = 1;
    if (!sooth_block_check(bytes, size, SOOTH_KIND_MLP, SOOTH_MLP_VERSION) ||
        m->head.doubles_at < sizeof *m || m->layers == 0 || m->layers > SOOTH_MLP_MAX_LAYERS ||
        m->head.features == 0 || m->head.features > SOOTH_MLP_MAX_WIDTH ||
        m->head.doubles_at < sizeof *m + m->layers * sizeof *l ||
        (m->bits != 0 && m->bits != 8 && m->bits != 16) || m->head.bytes_at != m->head.doubles_at ||
        !(m->leak >= 0.0f && m->leak <= 1.0f)) /* otherwise an activation could fall */
        return 0;
    l = sooth_mlp_layers(m);
    uint32_t inputs = widest = m->head.features;
    for (uint32_t i = 0; i < m->layers; ++i) {
        if (l[i].inputs != inputs || l[i].outputs == 0 || l[i].outputs > SOOTH_MLP_MAX_WIDTH ||
            l[i].activation >= SOOTH_MLP_ACTIVATIONS)
            return 0;
        expected = l[i];
        at = m->bits ? soothi_mlp_lay_integers(&expected, l[i].biases_at != 0, at, &floats)
                     : soothi_mlp_lay(&expected, l[i].biases_at != 0, at);
        if (expected.stride != l[i].stride || expected.weights_at != l[i].weights_at ||
            expected.biases_at != l[i].biases_at)
            return 0;
        inputs = l[i].outputs;
        if (inputs > widest) widest = inputs;
    }
    if (!m->bits) floats = at;
    if (inputs != m->head.targets || widest != m->widest || floats != m->parameters ||
        m->head.bytes_at != soothi_round16(sizeof *m + m->layers * sizeof *l + floats * sizeof(float)) ||
        m->head.size != m->head.bytes_at + soothi_round16((size_t)at * m->bits / 8) ||
        !soothi_all_finite(soothi_mlp_floats(m), floats))
        return 0;
    for (uint32_t i = 0; m->bits && i < m->layers; ++i)
        if (!soothi_mlp_check_integers(m, &l[i])) return 0;
    return 1;
}

SOOTH_API float sooth_mlp_weight(const sooth_mlp *model, size_t layer, size_t output, size_t input) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model) + layer;
    if (model->bits)
        return l->weight_step * (float)soothi_mlp_integer(model, l->weights_at + output * l->stride + input);
    return soothi_mlp_floats(model)[soothi_mlp_place(l, output, input)];
}

SOOTH_API float sooth_mlp_bias(const sooth_mlp *model, size_t layer, size_t output) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model) + layer;
    return l->biases_at ? soothi_mlp_floats(model)[l->biases_at + output] : 0.0f;
}

SOOTH_API size_t sooth_mlp_weights(const sooth_mlp *model) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model);
    size_t n = 0;
    for (size_t i = 0; i < model->layers; ++i)
        n += (size_t)l[i].outputs * (l[i].inputs + (l[i].biases_at ? 1u : 0u));
    return n;
}

SOOTH_API sooth_cost sooth_mlp_cost(const sooth_mlp *model) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model);
    sooth_cost cost = {model->head.size, 0, 0, 0};
    for (uint32_t i = 0; i < model->layers; ++i) {
        uint32_t a = l[i].activation;
        cost.multiply_adds += l[i].outputs * l[i].inputs;
        if (a == SOOTH_MLP_LEAKY_RELU) cost.multiply_adds += l[i].outputs;
        if (a == SOOTH_MLP_RELU || a == SOOTH_MLP_LEAKY_RELU) cost.comparisons += l[i].outputs;
        else if (a != SOOTH_MLP_LINEAR) cost.functions += l[i].outputs;
    }
    return cost;
}

/* ---- predicting ---- */

/* True from -infinity to -0, false for NaN. As a signed integer the bits are at most those of -infinity,
   0xFF800000. Comparing floats would compile to a branch that processors predict badly. */
SOOTHI_LOCAL int soothi_mlp_negative(uint32_t bits) { return (int32_t)bits <= -0x00800000; }

SOOTHI_LOCAL float soothi_mlp_relu(float v) {
    const uint32_t bits = soothi_bits(v);
    return soothi_of_bits(soothi_pick(soothi_mlp_negative(bits), 0, bits));
}

SOOTHI_LOCAL float soothi_mlp_leaky(float v, float leak) {
    const uint32_t bits = soothi_bits(v);
    return soothi_of_bits(soothi_pick(soothi_mlp_negative(bits), soothi_bits(leak * v), bits));
}

/* v = f(v). NaN stays NaN. Loops of a fixed length become vectors at every level of optimisation. */
SOOTHI_LOCAL void soothi_mlp_activate(uint32_t activation, float leak, float *v, size_t n) {
    switch (activation) {
    case SOOTH_MLP_RELU:
        for (; n >= SOOTHI_BLOCK; n -= SOOTHI_BLOCK, v += SOOTHI_BLOCK)
            for (size_t k = 0; k < SOOTHI_BLOCK; ++k) v[k] = soothi_mlp_relu(v[k]);
        for (size_t k = 0; k < n; ++k) v[k] = soothi_mlp_relu(v[k]);
        break;
    case SOOTH_MLP_LEAKY_RELU:
        for (; n >= SOOTHI_BLOCK; n -= SOOTHI_BLOCK, v += SOOTHI_BLOCK)
            for (size_t k = 0; k < SOOTHI_BLOCK; ++k) v[k] = soothi_mlp_leaky(v[k], leak);
        for (size_t k = 0; k < n; ++k) v[k] = soothi_mlp_leaky(v[k], leak);
        break;
    case SOOTH_MLP_SIGMOID: soothi_sigmoid_many(v, n, v); break;
    case SOOTH_MLP_TANH: soothi_tanh_many(v, n, v); break;
    case SOOTH_MLP_SOFTPLUS: soothi_softplus_many(v, n, v); break;
    case SOOTH_MLP_AT_LEAST_ONE:
        soothi_softplus_many(v, n, v);
        for (size_t k = 0; k < n; ++k) v[k] += 1.0f;
        break;
    default: break;
    }
}

/* A layer is y = f(W x + b):

     for each output o
         y[o] = b[o]
         for each input i, in this order
             y[o] += W[o][i] * x[i]
         y[o] = f(y[o])

   Everything below up to predict_many computes these sums with identical bits. The functions differ in what
   runs side by side: the outputs of one row (soothi_mlp_eight, _two, _four, for 8 and 2 vectors and for 4
   numbers), or many rows (soothi_gemm_f). With fewer than 4 outputs the sum is that of soothi_dot_f, in 16
   lanes. Inputs of 0 may be skipped, because weights are finite and a sum is never -0. */

/* The nonzero inputs of a layer, NaN included: about half after a ReLU. */
typedef struct soothi_mlp_inputs {
    const float *x;
    size_t stride, count;
    uint16_t at[SOOTH_MLP_MAX_WIDTH];
} soothi_mlp_inputs;

SOOTHI_LOCAL void soothi_mlp_collect(const float *x, const sooth_mlp_layer *l, soothi_mlp_inputs *inputs) {
    size_t n = 0;
    for (uint32_t i = 0; i < l->inputs; ++i) {
        inputs->at[n] = (uint16_t)i;
        n += (soothi_bits(x[i]) << 1) != 0;
    }
    inputs->x = x;
    inputs->stride = l->stride;
    inputs->count = n;
}

SOOTHI_LOCAL void soothi_mlp_eight(const soothi_mlp_inputs *in, const float *w, float *y) {
    SOOTHI_SUMS(soothi_wide, SOOTHI_WIDE, 8, in->count, in->x[in->at[i]], w + in->at[i] * in->stride);
}

/* Like soothi_mlp_eight for two vectors, and for y[0..4). */
SOOTHI_LOCAL void soothi_mlp_two(const soothi_mlp_inputs *in, const float *w, float *y) {
    SOOTHI_SUMS(soothi_wide, SOOTHI_WIDE, 2, in->count, in->x[in->at[i]], w + in->at[i] * in->stride);
}

/* For y[0..8), if two vectors hold more than that. */
#if SOOTHI_WIDE > 4
SOOTHI_LOCAL void soothi_mlp_half(const soothi_mlp_inputs *in, const float *w, float *y) {
    SOOTHI_SUMS(soothi_4f, 4, 2, in->count, in->x[in->at[i]], w + in->at[i] * in->stride);
}
#endif

SOOTHI_LOCAL void soothi_mlp_four(const soothi_mlp_inputs *in, const float *w, float *y) {
#if SOOTHI_VECTORS
    SOOTHI_SUMS(soothi_4f, 4, 1, in->count, in->x[in->at[i]], w + in->at[i] * in->stride);
#else
    SOOTHI_SUMS(soothi_wide, 1, 4, in->count, in->x[in->at[i]], w + in->at[i] * in->stride);
#endif
}

/* Computes one layer for one row. y holds the outputs, rounded up to a multiple of 4 floats. */
SOOTHI_LOCAL void soothi_mlp_row_layer(const sooth_mlp *m, const sooth_mlp_layer *l, const float *x,
                                       float *y) {
    const float *w = soothi_mlp_floats(m) + l->weights_at, *b = soothi_mlp_floats(m) + l->biases_at;
    soothi_mlp_inputs inputs;
    size_t o;
    for (o = 0; o < l->outputs; ++o)
        y[o] = l->biases_at ? b[o] + 0.0f : 0.0f; /* never -0: skipped inputs add 0 */
    if (soothi_mlp_narrow(l)) {
        for (o = 0; o < l->outputs; ++o) y[o] += soothi_dot_f(w + o * l->stride, x, l->inputs);
    } else {
        soothi_mlp_collect(x, l, &inputs);
        for (; o < l->stride; ++o) y[o] = 0.0f;
        for (o = 0; o + 8 * SOOTHI_WIDE <= l->stride; o += 8 * SOOTHI_WIDE)
            soothi_mlp_eight(&inputs, w + o, y + o);
        for (; o + 2 * SOOTHI_WIDE <= l->stride; o += 2 * SOOTHI_WIDE) soothi_mlp_two(&inputs, w + o, y + o);
#if SOOTHI_WIDE > 4
        for (; o + 8 <= l->stride; o += 8) soothi_mlp_half(&inputs, w + o, y + o);
#endif
        for (; o < l->stride; o += 4) soothi_mlp_four(&inputs, w + o, y + o);
    }
    soothi_mlp_activate(l->activation, m->leak, y, l->outputs);
}

/* Rounds v / step to the nearest integer, clamped to +-SOOTHI_MLP_CEILING. */
SOOTHI_LOCAL int16_t soothi_mlp_round(float v, float step) {
    const float most = (float)SOOTHI_MLP_CEILING;
    v /= step;
    v = v > most ? most : v < -most ? -most : v;
    return (int16_t)(int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);
}

/* Returns sum_i w_i q_i. Loops of a fixed length become vectors. Integer sums do not depend on the order. */
SOOTHI_LOCAL int32_t soothi_mlp_dot_8(const unsigned char *w, const int16_t *q, size_t n) {
    int32_t sum = 0;
    for (; n >= SOOTHI_BLOCK; n -= SOOTHI_BLOCK, w += SOOTHI_BLOCK, q += SOOTHI_BLOCK)
        for (size_t k = 0; k < SOOTHI_BLOCK; ++k) sum += (((int32_t)w[k] ^ 0x80) - 0x80) * q[k];
    for (size_t k = 0; k < n; ++k) sum += (((int32_t)w[k] ^ 0x80) - 0x80) * q[k];
    return sum;
}

SOOTHI_LOCAL int64_t soothi_mlp_dot_16(const unsigned char *w, const int16_t *q, size_t n) {
    int64_t sum = 0;
    for (size_t k = 0; k < n; ++k)
        sum += (((int32_t)(w[2 * k] | (uint32_t)w[2 * k + 1] << 8) ^ 0x8000) - 0x8000) * q[k];
    return sum;
}

/* Returns (float)v for |v| below 2^48. Both halves are exact floats, so their addition rounds once, to even.
   Without a floating-point unit the compiler's own conversion would go through doubles. */
SOOTHI_LOCAL float soothi_mlp_float_of(int64_t v) {
    const int64_t low = v & 0xFFFFFF;
    return (float)(int32_t)((v - low) / 0x1000000) * 16777216.0f + (float)(int32_t)low;
}

/* Computes one layer of integers for one row. Integers have no NaN, so y is NaN if any x is. */
SOOTHI_LOCAL void soothi_mlp_row_integers(const sooth_mlp *m, const sooth_mlp_layer *l, const float *x,
                                          float *y) {
    const unsigned char *w = soothi_mlp_integers(m) + (size_t)l->weights_at * (m->bits / 8);
    const float *bias = l->biases_at ? soothi_mlp_floats(m) + l->biases_at : NULL;
    const float step = l->weight_step * l->input_step;
    int16_t q[SOOTH_MLP_MAX_WIDTH];
    for (size_t i = 0; i < l->inputs; ++i) {
        if (soothi_bits(x[i]) << 1 > 0xFF000000u) {
            const float missing = x[i];
            for (size_t o = 0; o < l->outputs; ++o) y[o] = missing;
            return;
        }
        q[i] = soothi_mlp_round(x[i], l->input_step);
    }
    for (size_t o = 0; o < l->outputs; ++o, w += l->inputs * (m->bits / 8)) {
        const float sum = m->bits == 8 ? (float)soothi_mlp_dot_8(w, q, l->inputs)
                                       : soothi_mlp_float_of(soothi_mlp_dot_16(w, q, l->inputs));
        y[o] = (bias ? bias[o] : 0.0f) + step * sum;
    }
    soothi_mlp_activate(l->activation, m->leak, y, l->outputs);
}

/* Computes all layers for one row. Returns the buffer that holds the outputs. */
SOOTHI_LOCAL const float *soothi_mlp_row(const sooth_mlp *m, const float *row, float *one, float *other) {
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    for (uint32_t i = 0; i < m->layers; ++i) {
        float *swap = one;
        if (m->bits) soothi_mlp_row_integers(m, l + i, row, one);
        else soothi_mlp_row_layer(m, l + i, row, one);
        row = one;
        one = other;
        other = swap;
    }
    return row;
}

SOOTH_API float sooth_mlp_predict(const sooth_mlp *model, const float *row) {
    float one[SOOTH_MLP_MAX_WIDTH], other[SOOTH_MLP_MAX_WIDTH];
    return soothi_mlp_row(model, row, one, other)[0];
}

/* ---- many rows at once ---- */

/* Rows are processed together as the columns of a panel: element j of row r is at [j lead + r]. Every sum
   adds in the order of a single row. */
#define SOOTHI_MLP_ROWS 32u

/* y[r] += sum_i w_i x_i[r] in the 16 lanes of soothi_dot_f. */
SOOTHI_LOCAL void soothi_mlp_panel_dot(const float *w, size_t n, const float *x, size_t lead, size_t rows,
                                       float *y) {
    float lane[16][SOOTHI_MLP_ROWS];
    memset(lane, 0, sizeof lane);
    for (size_t i = 0; i < n; ++i) soothi_axpy_f(lane[i & 15u], w[i], x + i * lead, rows);
    for (size_t half = 8; half; half /= 2)
        for (size_t i = 0; i < half; ++i) soothi_axpy_f(lane[i], 1.0f, lane[i + half], rows);
    soothi_axpy_f(y, 1.0f, lane[0], rows);
}

/* Computes one layer for a panel of `width` rows, where only `rows` (a multiple of 4) are used. If the panel
   is only a part of its columns, the activation is left to the caller. */
SOOTHI_LOCAL void soothi_mlp_panel_layer(const sooth_mlp *m, const sooth_mlp_layer *l, const float *x,
                                         float *y, size_t lead, size_t width, size_t rows, int avx2) {
    const float *w = soothi_mlp_floats(m) + l->weights_at, *b = soothi_mlp_floats(m) + l->biases_at;
    for (size_t o = 0; o < l->outputs; ++o) {
        const float bias = l->biases_at ? b[o] + 0.0f : 0.0f;
        for (size_t r = 0; r < width; ++r) y[o * lead + r] = bias;
        if (soothi_mlp_narrow(l))
            soothi_mlp_panel_dot(w + o * l->stride, l->inputs, x, lead, rows, y + o * lead);
    }
    if (!soothi_mlp_narrow(l))
        soothi_gemm_f(avx2, l->outputs, rows, l->inputs, w, 1, l->stride, x, lead, y, lead);
    if (width == lead) soothi_mlp_activate(l->activation, m->leak, y, l->outputs * lead);
}

/* Floats of each of the two panels: 4 rows of the widest layer. */
#define SOOTHI_MLP_PANEL (4u * SOOTH_MLP_MAX_WIDTH)

SOOTH_API void sooth_mlp_predict_many(const sooth_mlp *model, const float *x, size_t rows, size_t stride,
                                      float *out) {
    const sooth_mlp_layer *l = sooth_mlp_layers(model);
    const size_t targets = model->head.targets, most = SOOTHI_MLP_PANEL / model->widest & ~(size_t)3u;
    size_t lead = most < SOOTHI_MLP_ROWS ? most : SOOTHI_MLP_ROWS;
    float panel[2][SOOTHI_MLP_PANEL];
    size_t count;
    for (size_t i = 0; i < rows; i += count) {
        count = rows - i < lead ? rows - i : lead;
        if (count < 4 || model->bits) {
            count = 1;
            memcpy(out + i * targets, soothi_mlp_row(model, x + i * stride, panel[0], panel[1]),
                   targets * sizeof *out);
            continue;
        }
        if (count < lead) lead = count &= ~(size_t)3u;
        for (size_t r = 0; r < count; ++r)
            for (size_t j = 0; j < model->head.features; ++j)
                panel[0][j * lead + r] = x[(i + r) * stride + j];
        for (size_t j = 0; j < model->layers; ++j)
            soothi_mlp_panel_layer(model, l + j, panel[j % 2], panel[(j + 1) % 2], lead, lead, lead, 0);
        for (size_t r = 0; r < count; ++r)
            for (size_t j = 0; j < targets; ++j)
                out[(i + r) * targets + j] = panel[model->layers % 2][j * lead + r];
    }
}

#ifndef SOOTH_PREDICT_ONLY

/* ---- options ---- */

SOOTH_API sooth_option_list sooth_mlp_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_mlp_options, hidden_1, 1, SOOTH_MLP_MAX_WIDTH, 0,
                     "neurons of the first hidden layer; if all four are 0: 64 and 64"),
        SOOTHI_COUNT(sooth_mlp_options, hidden_2, 1, SOOTH_MLP_MAX_WIDTH, 0,
                     "neurons of the second hidden layer; 0 means none"),
        SOOTHI_COUNT(sooth_mlp_options, hidden_3, 1, SOOTH_MLP_MAX_WIDTH, 0,
                     "neurons of the third hidden layer; 0 means none"),
        SOOTHI_COUNT(sooth_mlp_options, hidden_4, 1, SOOTH_MLP_MAX_WIDTH, 0,
                     "neurons of the fourth hidden layer; 0 means none"),
        SOOTHI_CHOICE(sooth_mlp_options, activation, "relu|leaky_relu|sigmoid|tanh|softplus|linear",
                      "activation of the hidden layers"),
        SOOTHI_CHOICE(sooth_mlp_options, output, "any|at_least_one|zero_to_one|positive|leaky_relu",
                      "range of the outputs"),
        SOOTHI_FLAG(sooth_mlp_options, no_bias, "1: no biases"),
        SOOTHI_FLAG(sooth_mlp_options, no_target_scale,
                    "1: train on the targets in their own unit, not standardised"),
        SOOTHI_CHOICE(sooth_mlp_options, init, "auto|he|xavier",
                      "initial weights; auto: he for the ReLUs, xavier for the others"),
        SOOTHI_CHOICE(sooth_mlp_options, optimiser, "adam|sgd|rprop|lbfgs",
                      "training algorithm; rprop and lbfgs use all rows at once"),
        SOOTHI_CHOICE(sooth_mlp_options, schedule, "cosine|constant|step|exponential|inverse_time|plateau",
                      "schedule of the learning rate"),
        SOOTHI_CHOICE(sooth_mlp_options, loss,
                      "squared|absolute|huber|pinball|relative|relative_absolute|themis|logistic",
                      "loss that training minimises; logistic predicts the probability of a 1"),
        SOOTHI_FLAG(sooth_mlp_options, root, "1: take the root of every mean loss"),
        SOOTHI_COUNT(sooth_mlp_options, epochs, 1, 1e9, 0,
                     "maximum number of passes over the rows; 0 means 1,000,000 / rows, but 20 to 200"),
        SOOTHI_COUNT(sooth_mlp_options, batch_size, 1, 1e9, 0,
                     "rows per step of adam and sgd; 0 means 8 below 200 rows, else 32"),
        SOOTHI_COUNT(
            sooth_mlp_options, patience, 1, 1e9, 0,
            "epochs without improvement before training stops; 0 means 10, but never with schedule=cosine"),
        SOOTHI_COUNT(sooth_mlp_options, decay_epochs, 1, 1e9, 10, "epochs per decay of the learning rate"),
        SOOTHI_FLAG(sooth_mlp_options, nesterov, "1: Nesterov's momentum (sgd)"),
        SOOTHI_COUNT(sooth_mlp_options, history, 1, 100, 10, "number of past steps that lbfgs stores"),
        SOOTHI_COUNT(sooth_mlp_options, seed, 0, 4294967295.0, 0, "seed of all random draws"),
        SOOTHI_NUMBER(sooth_mlp_options, learning_rate, 1e-12, 1e12, 0,
                      "size of a step; 0 means 0.003 for adam, else 0.01"),
        SOOTHI_NUMBER(sooth_mlp_options, decay, 1e-6, 1e6, 0.5, "factor of the schedule"),
        SOOTHI_NUMBER(sooth_mlp_options, momentum, 0, 0.999999, 0, "momentum of sgd"),
        SOOTHI_GIVEN(sooth_mlp_options, beta1, 1e-12, 0.999999, 0.9, "decay of the mean gradient (adam)"),
        SOOTHI_NUMBER(sooth_mlp_options, beta2, 1e-12, 0.999999, 0.999,
                      "decay of the mean squared gradient (adam)"),
        SOOTHI_NUMBER(sooth_mlp_options, epsilon, 1e-30, 1, 1e-8,
                      "added to the denominator of a step (adam)"),
        SOOTHI_NUMBER(sooth_mlp_options, lambda, 0, 1e6, 0, "L2 penalty, lambda / 2 |W|^2"),
        SOOTHI_GIVEN(sooth_mlp_options, lambda_norm, 0, 1e6, 0,
                     "penalty lambda_norm |W|; 0 means none, but 0.001 for the loss themis"),
        SOOTHI_GIVEN(
            sooth_mlp_options, weight_decay, 0, 1e6, 0,
            "fraction subtracted per step, times the rate; not given: 0.3 for adam and standardised targets"),
        SOOTHI_NUMBER(sooth_mlp_options, dropout, 0, 0.99, 0,
                      "fraction of hidden neurons switched off in a step"),
        SOOTHI_NUMBER(sooth_mlp_options, clip, 1e-30, 1e30, 0,
                      "maximum length of a gradient; 0 means no limit"),
        SOOTHI_NUMBER(sooth_mlp_options, huber_delta, 1e-30, 1e30, 0,
                      "error at which the Huber loss becomes linear, in the unit of the target; 0 means its "
                      "standard deviation"),
        SOOTHI_NUMBER(sooth_mlp_options, quantile, 1e-6, 0.999999, 0.5,
                      "quantile that the pinball loss predicts"),
        SOOTHI_NUMBER(sooth_mlp_options, leak, 1e-12, 1, 0.01, "slope of leaky_relu below 0"),
        SOOTHI_NUMBER(sooth_mlp_options, validation_fraction, 1e-9, 0.95, 0,
                      "fraction of the rows (or groups) to hold out"),
        SOOTHI_GIVEN(sooth_mlp_options, tolerance, 1e-30, 1, 1e-4,
                     "minimum improvement, as a fraction of the loss")};
    return SOOTHI_OPTIONS(option);
}

/* Returns 1 if targets are standardised (see sooth_mlp_fit). */
SOOTHI_LOCAL int soothi_mlp_standardises(const sooth_mlp_options *o) {
    return !o->no_target_scale && o->output != SOOTH_MLP_FROM_ONE && o->output != SOOTH_MLP_ZERO_TO_ONE;
}

/* Returns a copy of the options with the defaults for a table of `rows` rows in place of zeros. NULL means
   all defaults. */
SOOTHI_LOCAL sooth_mlp_options soothi_mlp_resolve(const sooth_mlp_options *options, size_t rows) {
    sooth_mlp_options o;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    soothi_option_fill(sooth_mlp_options_list(), &o);
    if (!o.hidden_1 && !o.hidden_2 && !o.hidden_3 && !o.hidden_4) o.hidden_1 = o.hidden_2 = 64;
    if (soothi_abs(o.learning_rate) <= 0.0) o.learning_rate = o.optimiser == SOOTH_MLP_ADAM ? 0.003 : 0.01;
    if (o.loss == SOOTH_MLP_LOGISTIC && o.output == SOOTH_MLP_ANY) o.output = SOOTH_MLP_ZERO_TO_ONE;
    if (!o.epochs) o.epochs = rows <= 5000 ? 200 : rows >= 50000 ? 20 : (uint32_t)(1000000 / rows);
    if (!o.batch_size) o.batch_size = rows < 200 ? 8 : 32;
    if (!o.patience) /* a rate that has not fallen yet has not learned all it can */
        o.patience = o.schedule == SOOTH_MLP_COSINE && o.optimiser <= SOOTH_MLP_SGD ? o.epochs : 10;
    if (!o.has_weight_decay && !(o.weight_decay > 0.0) && o.optimiser == SOOTH_MLP_ADAM)
        o.weight_decay = soothi_mlp_standardises(&o) ? 0.3 : 0.0;
    if (o.loss != SOOTH_MLP_THEMIS) return o;
    o.root = 1;
    if (!o.has_lambda_norm && !(o.lambda > 0.0) && soothi_abs(o.lambda_norm) <= 0.0) o.lambda_norm = 0.001;
    return o;
}

/* Number of neurons of hidden layer i. */
SOOTHI_LOCAL uint32_t soothi_mlp_hidden(const sooth_mlp_options *o, size_t i) {
    const uint32_t counts[4] = {o->hidden_1, o->hidden_2, o->hidden_3, o->hidden_4};
    return o->hidden ? o->hidden[i] : counts[i];
}

SOOTHI_LOCAL size_t soothi_mlp_hidden_layers(const sooth_mlp_options *o) {
    if (o->hidden) return o->hidden_count;
    return !o->hidden_2 ? 1 : !o->hidden_3 ? 2 : !o->hidden_4 ? 3 : 4;
}

SOOTHI_LOCAL uint32_t soothi_mlp_hidden_activation(const sooth_mlp_options *o, size_t i) {
    return o->activations ? o->activations[i] : o->activation;
}

SOOTHI_LOCAL int soothi_mlp_is_relative(const sooth_mlp_options *o) {
    return o->loss >= SOOTH_MLP_RELATIVE && o->loss <= SOOTH_MLP_THEMIS;
}

/* Number of layers after the trained ones: 1 multiplies positive outputs by the targets' spread. The spread
   of other outputs is in the weights. */
SOOTHI_LOCAL size_t soothi_mlp_scale_layers(const sooth_mlp_options *o) {
    return o->output == SOOTH_MLP_POSITIVE && soothi_mlp_standardises(o);
}

SOOTHI_LOCAL uint32_t soothi_mlp_output_activation(const sooth_mlp_options *o) {
    static const uint8_t of[] = {SOOTH_MLP_LINEAR, SOOTH_MLP_AT_LEAST_ONE, SOOTH_MLP_SIGMOID,
                                 SOOTH_MLP_SOFTPLUS, SOOTH_MLP_LEAKY_RELU}; /* by sooth_mlp_output */
    return of[o->output];
}

SOOTHI_LOCAL sooth_status soothi_mlp_check_width(sooth_env *env, const char *what, size_t i, size_t width) {
    if (width >= 1 && width <= SOOTH_MLP_MAX_WIDTH) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s %z has %z neurons, but must have between 1 and %u", what,
                      i + 1, width, (uint32_t)SOOTH_MLP_MAX_WIDTH);
}

/* Checks the rules between options that depend on the table only by its number of targets. */
SOOTHI_LOCAL sooth_status soothi_mlp_check_fields(sooth_env *env, const sooth_mlp_options *o,
                                                  size_t targets) {
    sooth_status status = sooth_option_check(env, sooth_mlp_options_list(), o);
    if (status != SOOTH_OK) return status;
    for (size_t i = 1; i < 4 && !o->hidden; ++i)
        if (soothi_mlp_hidden(o, i) && !soothi_mlp_hidden(o, i - 1))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "hidden_%z is %u, but hidden_%z before it is 0", i + 1,
                              soothi_mlp_hidden(o, i), i);
    const size_t most = SOOTH_MLP_MAX_LAYERS - soothi_mlp_scale_layers(o);
    if (soothi_mlp_hidden_layers(o) >= most)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "hidden_count is %z, but must be below %z",
                          soothi_mlp_hidden_layers(o), most);
    for (size_t i = 0; i < soothi_mlp_hidden_layers(o); ++i) {
        status = soothi_mlp_check_width(env, "hidden layer", i, soothi_mlp_hidden(o, i));
        if (status != SOOTH_OK) return status;
        if (soothi_mlp_hidden_activation(o, i) >= SOOTH_MLP_ACTIVATIONS)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "activations[%z] is %u, but must be below %u", i,
                              soothi_mlp_hidden_activation(o, i), (uint32_t)SOOTH_MLP_ACTIVATIONS);
    }
    if (o->loss == SOOTH_MLP_THEMIS && (targets != 2 || o->terms))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "loss=themis sets the terms and needs 2 targets, but there are %z%s", targets,
                          o->terms ? " and a list of terms" : "");
    if (o->loss == SOOTH_MLP_LOGISTIC && o->output != SOOTH_MLP_ZERO_TO_ONE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "loss=logistic predicts probabilities, so output must be zero_to_one or any");
    for (size_t i = 0; o->terms && i < o->term_count; ++i) {
        const sooth_mlp_term *term = &o->terms[i];
        if (o->loss == SOOTH_MLP_LOGISTIC && term->derived != SOOTH_MLP_ITSELF)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "terms[%z] is a product, ratio or sum, but loss=logistic needs single outputs",
                              i);
        if (term->derived > SOOTH_MLP_SUM || term->first >= targets ||
            (term->derived != SOOTH_MLP_ITSELF && term->second >= targets) || !(term->weight > 0.0) ||
            !soothi_finite(term->weight))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "terms[%z] has outputs %u and %u and weight %g, but outputs must be below %z "
                              "and the weight above 0",
                              i, term->first, term->second, term->weight, targets);
    }
    if (o->terms && o->term_count == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "term_count is 0, but must be 1 or more");
    if (o->monotone && o->optimiser == SOOTH_MLP_LBFGS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "lbfgs does not support monotone features; use adam, sgd or rprop");
    return SOOTH_OK;
}

/* ---- making the block ---- */

/* The layers of a network, laid out. */
typedef struct soothi_mlp_shape {
    uint32_t layers, floats; /* of all parameters: at most 64 x 1025 x 1024 */
    float leak;
    sooth_mlp_layer layer[SOOTH_MLP_MAX_LAYERS];
} soothi_mlp_shape;

/* Appends a layer. */
SOOTHI_LOCAL void soothi_mlp_shape_add(soothi_mlp_shape *shape, size_t inputs, size_t outputs,
                                       uint32_t activation, int bias) {
    sooth_mlp_layer *l = &shape->layer[shape->layers++];
    memset(l, 0, sizeof *l);
    l->inputs = (uint32_t)inputs;
    l->outputs = (uint32_t)outputs;
    l->activation = activation;
    shape->floats = soothi_mlp_lay(l, bias, shape->floats);
}

SOOTHI_LOCAL void soothi_mlp_shape_of(const sooth_mlp_options *o, size_t cols, size_t targets,
                                      soothi_mlp_shape *shape) {
    size_t inputs = cols;
    shape->layers = shape->floats = 0;
    shape->leak = (float)o->leak;
    for (size_t i = 0; i < soothi_mlp_hidden_layers(o); inputs = soothi_mlp_hidden(o, i), ++i)
        soothi_mlp_shape_add(shape, inputs, soothi_mlp_hidden(o, i), soothi_mlp_hidden_activation(o, i),
                             !o->no_bias);
    soothi_mlp_shape_add(shape, inputs, targets, soothi_mlp_output_activation(o), !o->no_bias);
    if (soothi_mlp_scale_layers(o)) soothi_mlp_shape_add(shape, targets, targets, SOOTH_MLP_LINEAR, 0);
}

SOOTHI_LOCAL size_t soothi_mlp_shape_bytes(const soothi_mlp_shape *shape) {
    return soothi_round16(sizeof(sooth_mlp) + shape->layers * sizeof(sooth_mlp_layer) +
                          shape->floats * sizeof(float));
}

/* Allocates a block of this shape with all parameters 0. */
SOOTHI_LOCAL sooth_status soothi_mlp_new(sooth_env *env, const soothi_mlp_shape *shape, sooth_mlp **model) {
    sooth_mlp *m = (sooth_mlp *)soothi_block_new(env, SOOTH_KIND_MLP, SOOTH_MLP_VERSION,
                                                 soothi_mlp_shape_bytes(shape), 0, 0);
    *model = m;
    if (!m) return sooth_no_memory(env, "a network", soothi_mlp_shape_bytes(shape));
    m->head.features = m->widest = shape->layer[0].inputs;
    m->head.targets = shape->layer[shape->layers - 1].outputs;
    m->layers = shape->layers;
    m->leak = shape->leak;
    m->parameters = shape->floats;
    memcpy(m + 1, shape->layer, shape->layers * sizeof *shape->layer);
    for (size_t i = 0; i < shape->layers; ++i)
        if (shape->layer[i].outputs > m->widest) m->widest = shape->layer[i].outputs;
    return SOOTH_OK;
}

SOOTHI_LOCAL float *soothi_mlp_own_floats(sooth_mlp *model) {
    return (float *)(void *)((sooth_mlp_layer *)(void *)(model + 1) + model->layers);
}

SOOTH_API sooth_status sooth_mlp_make(sooth_env *env, size_t features, size_t layers, const uint32_t *outputs,
                                      const uint32_t *activation, int no_bias, double leak,
                                      const float *weights, sooth_mlp **model) {
    soothi_mlp_shape shape;
    sooth_status status;
    *model = NULL;
    if (layers == 0 || layers > SOOTH_MLP_MAX_LAYERS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "layers is %z, but must be between 1 and %u", layers,
                          (uint32_t)SOOTH_MLP_MAX_LAYERS);
    if (features == 0 || features > SOOTH_MLP_MAX_WIDTH)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "features is %z, but must be between 1 and %u", features,
                          (uint32_t)SOOTH_MLP_MAX_WIDTH);
    if (!(leak >= 0.0 && leak <= 1.0))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "leak is %g, but must be between 0 and 1", leak);
    shape.layers = shape.floats = 0;
    shape.leak = (float)leak;
    for (size_t i = 0; i < layers; ++i) {
        status = soothi_mlp_check_width(env, "layer", i, outputs[i]);
        if (status != SOOTH_OK) return status;
        if (activation[i] >= SOOTH_MLP_ACTIVATIONS)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "activation[%z] is %u, but must be below %u", i,
                              activation[i], (uint32_t)SOOTH_MLP_ACTIVATIONS);
        soothi_mlp_shape_add(&shape, i ? outputs[i - 1] : features, outputs[i], activation[i], !no_bias);
    }
    status = soothi_mlp_new(env, &shape, model);
    if (status != SOOTH_OK) return status;
    float *p = soothi_mlp_own_floats(*model);
    for (size_t i = 0; i < layers; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(*model) + i;
        for (size_t o = 0; o < l->outputs; ++o)
            for (size_t j = 0; j < l->inputs; ++j) p[soothi_mlp_place(l, o, j)] = *weights++;
        for (size_t o = 0; l->biases_at && o < l->outputs; ++o) p[l->biases_at + o] = *weights++;
    }
    if (!soothi_all_finite(p, (*model)->parameters)) {
        sooth_mlp_free(env, *model);
        *model = NULL;
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a weight is not finite");
    }
    soothi_block_seal(&(*model)->head);
    return SOOTH_OK;
}

/* Gradients, bounds and rounding need float weights. */
SOOTHI_LOCAL sooth_status soothi_mlp_need_floats(sooth_env *env, const sooth_mlp *model) {
    if (!model->bits) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the network has weights of %u bits, but must have float weights", model->bits);
}

SOOTH_API void sooth_mlp_free(sooth_env *env, sooth_mlp *model) {
    soothi_block_free(env, model ? &model->head : NULL);
}

/* ---- losses ---- */

/* Returns r and, in slope, its derivative by the prediction. Both numbers were divided by `unit`. For the
   logistic loss the derivative is by the sum v before the sigmoid, p - y. There the sigmoid's own derivative
   p (1 - p) cancels, and it may vanish in a float. */
SOOTHI_LOCAL double soothi_mlp_error(const sooth_mlp_options *o, double target, double prediction,
                                     double unit, double *slope) {
    double e = target - prediction, size = soothi_abs(target), factor = 1.0;
    const double delta = o->huber_delta > 0.0 ? o->huber_delta / unit : 1.0;
    switch (o->loss) {
    case SOOTH_MLP_HUBER:
        if (soothi_abs(e) > delta) {
            *slope = e > 0.0 ? -delta : delta;
            return delta * (soothi_abs(e) - 0.5 * delta);
        }
        break;
    case SOOTH_MLP_PINBALL:
        *slope = e > 0.0 ? -o->quantile : e < 0.0 ? 1.0 - o->quantile : 0.0;
        return -*slope * e;
    case SOOTH_MLP_ABSOLUTE:
    case SOOTH_MLP_RELATIVE_ABSOLUTE:
        if (o->loss == SOOTH_MLP_RELATIVE_ABSOLUTE) factor = 1.0 / size;
        *slope = e > 0.0 ? -factor : e < 0.0 ? factor : 0.0;
        return -*slope * e;
    case SOOTH_MLP_LOGISTIC: /* the float before 1 is 2^-24 below it, which bounds the confidence */
        *slope = -e;
        size = 1.0 - soothi_abs(e); /* probability given to the target */
        return -soothi_log(size > 1.0 / 16777216.0 ? size : 1.0 / 16777216.0);
    case SOOTH_MLP_RELATIVE:
    case SOOTH_MLP_THEMIS: factor = 1.0 / (size * size); break;
    default: break;
    }
    *slope = -e * factor;
    return 0.5 * e * e * factor;
}

SOOTHI_LOCAL size_t soothi_mlp_terms(const sooth_mlp_options *o, size_t targets) {
    return o->loss == SOOTH_MLP_THEMIS ? 3u : o->terms ? o->term_count : targets;
}

/* Term k. Themis uses both slowdowns, and alpha = 2 times their product. */
SOOTHI_LOCAL sooth_mlp_term soothi_mlp_term_at(const sooth_mlp_options *o, size_t targets, size_t k) {
    static const sooth_mlp_term themis[3] = {
        {SOOTH_MLP_ITSELF, 0, 0, 1.0}, {SOOTH_MLP_ITSELF, 1, 0, 1.0}, {SOOTH_MLP_PRODUCT, 0, 1, 2.0}};
    const sooth_mlp_term itself = {SOOTH_MLP_ITSELF, (uint32_t)k, 0, 1.0 / (double)targets};
    return o->loss == SOOTH_MLP_THEMIS ? themis[k] : o->terms ? o->terms[k] : itself;
}

/* Returns the derived value of a term, and its derivatives by the first and the second output. */
SOOTHI_LOCAL double soothi_mlp_derive(uint32_t derived, double first, double second, double slope[2]) {
    slope[0] = 1.0;
    slope[1] = derived == SOOTH_MLP_SUM ? 1.0 : 0.0;
    switch (derived) {
    case SOOTH_MLP_PRODUCT:
        slope[0] = second;
        slope[1] = first;
        return first * second;
    case SOOTH_MLP_RATIO:
        slope[0] = 1.0 / second;
        slope[1] = -first / (second * second);
        return first / second;
    case SOOTH_MLP_SUM: return first + second;
    default: return first;
    }
}

/* ---- training: state ---- */

/* Up to SOOTHI_MLP_ROWS rows in progress, each a column of the arrays. The inputs of layer i begin at
   act_at[i] of the training, as do the other arrays of its neurons. */
typedef struct soothi_mlp_panel {
    const sooth_table *table;
    const uint32_t *order; /* the rows are order[first..first + count), or first, first + 1, ... */
    size_t first, count;
    float *act;    /* inputs of the layers */
    float *mask;   /* dropout's factors; NULL if none */
    float *delta;  /* dL/dv of the layers */
    float *turned; /* delta of wide layers, one table row after the other */
    float *y, *w;  /* the rows' targets, weights */
    double *loss;  /* of term k and row r at [k SOOTHI_MLP_ROWS + r], times its weight */
} soothi_mlp_panel;

#define SOOTHI_MLP_PANELS 4 /* in progress at once */

typedef struct soothi_mlp_training {
    sooth_env *env;
    const sooth_table *table;
    sooth_mlp_options o; /* defaults filled in */
    const sooth_mlp_layer *layer;
    const sooth_mlp *model;
    float *p;                              /* the model's parameters */
    size_t floats, layers, targets, terms; /* of what is trained */
    /* scratch, in one piece: */
    double *centre, *spread; /* targets: output o predicts centre + spread x itself */
    double *unit;            /* terms: the loss compares multiples of it */
    double *sum;             /* terms: of the rows' losses */
    double *scale;           /* terms: factor of the mean's derivative by the chain rule */
    float *gradient, *best;  /* floats: of the loss; the weights with the lowest loss */
    float *state;            /* the optimiser's, see soothi_mlp_state_floats */
    soothi_mlp_panel panel[SOOTHI_MLP_PANELS];
    uint32_t *order;    /* rows: training rows, then held-out rows */
    uint32_t *place;    /* rows, while groups are drawn: position of a row in order */
    uint64_t *by_group; /* entries of the rows, sorted by group, and scratch of equal size */
    size_t act_at[SOOTH_MLP_MAX_LAYERS + 1];
    size_t panels, used; /* allocated, and in progress */
    size_t slices;       /* slices per panel, for the workers */
    size_t parts;        /* of the parameters */
    int drop, stages;    /* stages that the rows go through */
    int begin, end;      /* the gradient starts at 0, and is complete afterwards */
    int steps;           /* the step follows the gradient */
    int penalised;       /* a penalty adds `penalty` times the weights to the gradient */
    double penalty;
    double weight;     /* of the batch */
    double rate, step; /* of the optimiser */
    void *memory;
    size_t bytes; /* of the scratch */
    int avx2;     /* the processor has 8-wide vectors */
    /* progress: */
    size_t rows, held;
    sooth_rng dropout;
    double first_loss, last_loss, best_loss, bar, factor;
    size_t waited;                  /* epochs without improvement */
    size_t epoch, done, best_epoch; /* current; finished and judged; the best judged one */
} soothi_mlp_training;

/* Floats that the optimiser keeps between steps: SGD's velocity, Adam's m and v, RPROP's steps and last
   gradient. L-BFGS keeps the pairs, the last point and gradient, and the direction. */
SOOTHI_LOCAL size_t soothi_mlp_state_floats(const sooth_mlp_options *o, size_t floats) {
    return floats * (o->optimiser == SOOTH_MLP_LBFGS ? 2 * (size_t)o->history + 3
                     : o->optimiser == SOOTH_MLP_SGD ? 1
                                                     : 2);
}

/* Assigns `memory` to the arrays, or only counts the bytes if it is NULL. The panels begin at a cache line,
   so that none of their vectors crosses two lines. Crossing costs vectors of 16 numbers a fifth of the
   time. */
SOOTHI_LOCAL void soothi_mlp_plan(soothi_mlp_training *t, size_t rows, void *memory) {
    const int grouped = t->o.validation_fraction > 0.0 && !t->o.validation;
    const int at_once = t->o.optimiser == SOOTH_MLP_RPROP || t->o.optimiser == SOOTH_MLP_LBFGS;
    const size_t batch = at_once || rows < t->o.batch_size ? rows : t->o.batch_size;
    soothi_carver c = {(unsigned char *)memory, memory ? (0u - (uintptr_t)memory) & 48u : 48u};
    size_t all = t->layer[0].inputs * (size_t)SOOTHI_MLP_ROWS;
    t->panels = 1;
    while (t->panels < SOOTHI_MLP_PANELS && t->panels * SOOTHI_MLP_ROWS < batch) ++t->panels;
    t->avx2 = soothi_has_avx2();
    t->targets = t->layer[t->layers - 1].outputs;
    t->terms = soothi_mlp_terms(&t->o, t->targets);
    t->act_at[0] = 0;
    for (size_t i = 0; i < t->layers; ++i) {
        t->act_at[i + 1] = all;
        all += ((t->layer[i].outputs + 3u) & ~(size_t)3u) * SOOTHI_MLP_ROWS;
    }
    for (size_t k = 0; k < t->panels; ++k) {
        soothi_mlp_panel *p = &t->panel[k];
        p->act = (float *)soothi_carve(&c, all, sizeof(float));
        p->delta = (float *)soothi_carve(&c, all, sizeof(float));
        p->turned = (float *)soothi_carve(&c, all, sizeof(float));
        p->mask = t->o.dropout > 0.0 ? (float *)soothi_carve(&c, all, sizeof(float)) : NULL;
        p->y = (float *)soothi_carve(&c, t->targets * SOOTHI_MLP_ROWS, sizeof(float));
        p->w = (float *)soothi_carve(&c, SOOTHI_MLP_ROWS, sizeof(float));
        p->loss = (double *)soothi_carve(&c, soothi_product(t->terms, SOOTHI_MLP_ROWS), sizeof(double));
    }
    t->centre = (double *)soothi_carve(&c, t->targets, sizeof *t->centre);
    t->spread = (double *)soothi_carve(&c, t->targets, sizeof *t->spread);
    t->unit = (double *)soothi_carve(&c, t->terms, sizeof *t->unit);
    t->sum = (double *)soothi_carve(&c, t->terms, sizeof *t->sum);
    t->scale = (double *)soothi_carve(&c, t->terms, sizeof *t->scale);
    t->gradient = (float *)soothi_carve(&c, t->floats, sizeof(float));
    t->best = (float *)soothi_carve(&c, t->floats, sizeof(float));
    t->state = (float *)soothi_carve(&c, soothi_mlp_state_floats(&t->o, t->floats), sizeof(float));
    t->order = (uint32_t *)soothi_carve(&c, rows, sizeof(uint32_t));
    t->place = (uint32_t *)soothi_carve(&c, grouped ? rows : 0, sizeof(uint32_t));
    t->by_group = (uint64_t *)soothi_carve(&c, grouped ? rows : 0, 2 * sizeof(uint64_t));
    if (!memory) t->bytes = c.used;
}

/* Chooses the trained ones of a network's layers. */
SOOTHI_LOCAL void soothi_mlp_choose(soothi_mlp_training *t, const sooth_mlp_layer *layer, size_t layers,
                                    size_t floats) {
    t->layer = layer;
    t->layers = layers - soothi_mlp_scale_layers(&t->o);
    t->floats = t->layers < layers ? layer[t->layers].weights_at : floats;
}

/* Allocates the scratch of a network for this many rows. Free t->memory. */
SOOTHI_LOCAL sooth_status soothi_mlp_open(soothi_mlp_training *t, const sooth_mlp *m, size_t rows,
                                          const char *what) {
    t->model = m;
    soothi_mlp_choose(t, sooth_mlp_layers(m), m->layers, m->parameters);
    soothi_mlp_plan(t, rows, NULL);
    t->memory = sooth_alloc(t->env, t->bytes, 1);
    if (!t->memory) return sooth_no_memory(t->env, what, t->bytes);
    soothi_mlp_plan(t, rows, t->memory);
    for (size_t o = 0; o < t->targets; ++o) {
        t->centre[o] = 0.0;
        t->spread[o] = 1.0;
    }
    for (size_t k = 0; k < t->terms; ++k) t->unit[k] = 1.0;
    return SOOTH_OK;
}

/* ---- training: forward ---- */

/* Columns [first, end) of a panel: the part that a worker takes through all layers. */
typedef struct soothi_mlp_slice {
    size_t first, end;
} soothi_mlp_slice;

/* Copies the rows of a slice. Columns without a row are zeros. */
SOOTHI_LOCAL void soothi_mlp_gather(soothi_mlp_training *t, const soothi_mlp_panel *p,
                                    soothi_mlp_slice slice) {
    const sooth_table *table = p->table;
    for (size_t r = slice.first; r < slice.end; ++r) {
        const size_t at = p->first + r, row = r >= p->count ? 0 : p->order ? p->order[at] : at;
        const float *x = table->x + row * table->stride;
        for (size_t j = 0; j < table->cols; ++j) p->act[j * SOOTHI_MLP_ROWS + r] = r < p->count ? x[j] : 0.0f;
        if (r >= p->count) continue;
        memcpy(p->y + r * t->targets, table->y + row * t->targets, t->targets * sizeof(float));
        p->w[r] = table->weight ? table->weight[row] : 1.0f;
    }
}

/* Draws the dropout factors of the hidden layers' outputs, row by row. */
SOOTHI_LOCAL void soothi_mlp_draw(soothi_mlp_training *t, const soothi_mlp_panel *p) {
    const float share = (float)t->o.dropout, keep = 1.0f / (1.0f - share);
    for (size_t i = 0; i + 1 < t->layers; ++i)
        for (size_t r = 0; r < p->count; ++r)
            for (size_t j = 0; j < t->layer[i].outputs; ++j)
                p->mask[t->act_at[i + 1] + j * SOOTHI_MLP_ROWS + r] =
                    sooth_rng_float(&t->dropout) < share ? 0.0f : keep;
}

/* Columns per iteration of a loop over a slice: a fixed length becomes vectors. */
#define SOOTHI_MLP_RUN 16u

/* Applies the activation to a slice of a layer. Functions are evaluated in blocks of two neurons. */
SOOTHI_LOCAL void soothi_mlp_activate_slice(const sooth_mlp_layer *l, float leak, float *y) {
    float v[2 * SOOTHI_MLP_RUN];
    if (l->activation == SOOTH_MLP_RELU) {
        for (size_t o = 0; o < l->outputs; ++o, y += SOOTHI_MLP_ROWS)
            for (size_t k = 0; k < SOOTHI_MLP_RUN; ++k) y[k] = soothi_mlp_relu(y[k]);
        return;
    }
    for (size_t o = 0; o < l->outputs; o += 2, y += 2 * SOOTHI_MLP_ROWS) {
        float *next = o + 1 < l->outputs ? y + SOOTHI_MLP_ROWS : y;
        memcpy(v, y, SOOTHI_MLP_RUN * sizeof *v);
        memcpy(v + SOOTHI_MLP_RUN, next, SOOTHI_MLP_RUN * sizeof *v);
        soothi_mlp_activate(l->activation, leak, v, 2 * SOOTHI_MLP_RUN);
        memcpy(next, v + SOOTHI_MLP_RUN, SOOTHI_MLP_RUN * sizeof *v);
        memcpy(y, v, SOOTHI_MLP_RUN * sizeof *v);
    }
}

SOOTHI_LOCAL void soothi_mlp_forward(const soothi_mlp_training *t, const soothi_mlp_panel *p,
                                     soothi_mlp_slice slice) {
    const size_t width = slice.end - slice.first,
                 count = p->count < slice.end ? p->count - slice.first : width;
    for (size_t i = 0; i < t->layers; ++i) {
        soothi_mlp_panel_layer(t->model, &t->layer[i], p->act + t->act_at[i] + slice.first,
                               p->act + t->act_at[i + 1] + slice.first, SOOTHI_MLP_ROWS, width,
                               (count + 3u) & ~(size_t)3u, t->avx2);
        if (width < SOOTHI_MLP_ROWS && t->layer[i].activation != SOOTH_MLP_LINEAR)
            soothi_mlp_activate_slice(&t->layer[i], t->model->leak, p->act + t->act_at[i + 1] + slice.first);
        for (size_t j = 0; t->drop && i + 1 < t->layers && j < t->layer[i].outputs; ++j) {
            const size_t at = t->act_at[i + 1] + j * SOOTHI_MLP_ROWS + slice.first;
            for (size_t r = 0; r < count; ++r) p->act[at + r] *= p->mask[at + r];
        }
    }
}

/* The second output of a term; the first if there is none. */
SOOTHI_LOCAL uint32_t soothi_mlp_second(const sooth_mlp_term *term) {
    return term->derived == SOOTH_MLP_ITSELF ? term->first : term->second;
}

/* The value of a term for a row of targets. */
SOOTHI_LOCAL double soothi_mlp_target(const sooth_mlp_term *term, const float *y) {
    double ignored[2];
    return soothi_mlp_derive(term->derived, (double)y[term->first], (double)y[soothi_mlp_second(term)],
                             ignored);
}

/* Returns r of a term for a row, and its derivatives by the first and the second output. */
SOOTHI_LOCAL double soothi_mlp_term_loss(const soothi_mlp_training *t, const soothi_mlp_panel *p,
                                         const sooth_mlp_term *term, double unit, size_t row,
                                         double slope[2]) {
    const float *out = p->act + t->act_at[t->layers];
    const uint32_t i = term->first, j = soothi_mlp_second(term);
    double by;
    double target = soothi_mlp_target(term, p->y + row * t->targets);
    double prediction =
        soothi_mlp_derive(term->derived, t->centre[i] + t->spread[i] * (double)out[i * SOOTHI_MLP_ROWS + row],
                          t->centre[j] + t->spread[j] * (double)out[j * SOOTHI_MLP_ROWS + row], slope);
    double r = soothi_mlp_error(&t->o, target / unit, prediction / unit, unit, &by);
    slope[0] *= by * (t->spread[i] / unit);
    slope[1] *= by * (t->spread[j] / unit);
    return r;
}

/* Computes the losses of rows after their forward pass. */
SOOTHI_LOCAL void soothi_mlp_losses(const soothi_mlp_training *t, const soothi_mlp_panel *p,
                                    soothi_mlp_slice slice) {
    double slope[2];
    for (size_t k = 0; k < t->terms; ++k) {
        const sooth_mlp_term term = soothi_mlp_term_at(&t->o, t->targets, k);
        for (size_t r = slice.first; r < slice.end && r < p->count; ++r)
            p->loss[k * SOOTHI_MLP_ROWS + r] =
                (double)p->w[r] * soothi_mlp_term_loss(t, p, &term, t->unit[k], r, slope);
    }
}

/* Adds the losses of the rows in progress to sum[], in row order. */
SOOTHI_LOCAL void soothi_mlp_add_losses(soothi_mlp_training *t) {
    for (size_t k = 0; k < t->terms; ++k)
        for (const soothi_mlp_panel *p = t->panel; p < t->panel + t->used; ++p)
            for (size_t r = 0; r < p->count; ++r) t->sum[k] += p->loss[k * SOOTHI_MLP_ROWS + r];
}

/* Computes the loss from the sums over rows of total weight `weight`, and the scales: (sqrt(2 m))' = 1 /
   sqrt(2 m). */
SOOTHI_LOCAL double soothi_mlp_total(soothi_mlp_training *t, double weight) {
    double loss = 0.0, mean;
    for (size_t k = 0; k < t->terms; ++k) {
        const sooth_mlp_term term = soothi_mlp_term_at(&t->o, t->targets, k);
        mean = t->sum[k] / weight;
        t->scale[k] = term.weight;
        if (t->o.root) {
            mean = soothi_sqrt(2.0 * mean);
            t->scale[k] = mean > 0.0 ? term.weight / mean : 0.0;
        }
        loss += term.weight * mean;
    }
    return loss;
}

/* ---- training: backward ---- */

/* A layer computes v = W x + b and y = f(v). Let delta = dL/dv, the derivatives of the loss L by its sums
   (one panel row per output, one column per table row). The chain rule gives, from the last layer to the
   first:

     d_weight += delta x'       outputs x inputs, summed over the rows
     d_bias   += sum of delta   outputs
     d_input   = W' delta       inputs x rows: dL/dx; times f' it is the delta of the layer before

   The panels of delta and x are [neuron x SOOTHI_MLP_ROWS + row]. */

/* Applies DO to `width` rows (one or two runs) of `neurons` neurons. */
#define SOOTHI_MLP_EACH(DO)                                                    \
    for (size_t at = 0; at < neurons * SOOTHI_MLP_ROWS; at += SOOTHI_MLP_ROWS) \
        for (size_t run = at; run < at + width; run += SOOTHI_MLP_RUN) {       \
            const float *SOOTH_RESTRICT v = y + run;                           \
            float *SOOTH_RESTRICT d = delta + run;                             \
            for (size_t k = 0; k < SOOTHI_MLP_RUN; ++k) DO;                    \
        }

/* delta *= f'(v), from y = f(v) */
SOOTHI_LOCAL void soothi_mlp_slope(uint32_t activation, float leak, const float *SOOTH_RESTRICT y,
                                   float *SOOTH_RESTRICT delta, size_t neurons, size_t width) {
    switch (activation) {
    case SOOTH_MLP_RELU:
        SOOTHI_MLP_EACH(d[k] =
                            soothi_of_bits(soothi_pick((int32_t)soothi_bits(v[k]) > 0, soothi_bits(d[k]), 0)))
        break;
    case SOOTH_MLP_LEAKY_RELU:
        SOOTHI_MLP_EACH(d[k] = soothi_of_bits(soothi_pick((int32_t)soothi_bits(v[k]) > 0, soothi_bits(d[k]),
                                                          soothi_bits(leak * d[k]))))
        break;
    case SOOTH_MLP_SIGMOID: SOOTHI_MLP_EACH(d[k] *= v[k] * (1.0f - v[k])) break;
    case SOOTH_MLP_TANH: SOOTHI_MLP_EACH(d[k] *= (1.0f - v[k]) * (1.0f + v[k])) break;
    case SOOTH_MLP_SOFTPLUS: /* e^v / (1 + e^v) = 1 - e^-y */
        SOOTHI_MLP_EACH(d[k] *= -soothi_expm1_f(-v[k]))
        break;
    case SOOTH_MLP_AT_LEAST_ONE: SOOTHI_MLP_EACH(d[k] *= -soothi_expm1_f(1.0f - v[k])) break;
    default: break;
    }
}
#undef SOOTHI_MLP_EACH

/* Like soothi_mlp_slope, for a slice of a layer. */
SOOTHI_LOCAL void soothi_mlp_slopes(const soothi_mlp_training *t, uint32_t activation, const float *y,
                                    float *delta, size_t neurons, soothi_mlp_slice slice) {
    soothi_mlp_slope(activation, t->model->leak, y + slice.first, delta + slice.first, neurons,
                     slice.end - slice.first);
}

/* Clears a multiple of 4 neurons, so that the padding after the last one is 0. */
SOOTHI_LOCAL void soothi_mlp_clear(float *delta, size_t neurons, soothi_mlp_slice slice) {
    neurons = (neurons + 3u) & ~(size_t)3u;
    if (slice.end - slice.first == SOOTHI_MLP_ROWS)
        memset(delta, 0, neurons * SOOTHI_MLP_ROWS * sizeof *delta);
    else
        for (size_t k = 0; k < neurons; ++k)
            memset(delta + k * SOOTHI_MLP_ROWS + slice.first, 0, SOOTHI_MLP_RUN * sizeof *delta);
}

/* Computes the losses of rows of a batch, and the derivatives by the sums of the last layer. */
SOOTHI_LOCAL void soothi_mlp_output_delta(const soothi_mlp_training *t, const soothi_mlp_panel *p,
                                          soothi_mlp_slice slice) {
    const sooth_mlp_layer *l = &t->layer[t->layers - 1];
    float *delta = p->delta + t->act_at[t->layers];
    double slope[2];
    soothi_mlp_clear(delta, t->targets, slice);
    for (size_t k = 0; k < t->terms; ++k) {
        const sooth_mlp_term term = soothi_mlp_term_at(&t->o, t->targets, k);
        for (size_t r = slice.first; r < slice.end && r < p->count; ++r) {
            const double factor = (double)p->w[r] / t->weight * t->scale[k];
            p->loss[k * SOOTHI_MLP_ROWS + r] =
                (double)p->w[r] * soothi_mlp_term_loss(t, p, &term, t->unit[k], r, slope);
            delta[term.first * SOOTHI_MLP_ROWS + r] += (float)(factor * slope[0]);
            if (term.derived != SOOTH_MLP_ITSELF)
                delta[term.second * SOOTHI_MLP_ROWS + r] += (float)(factor * slope[1]);
        }
    }
    if (t->o.loss != SOOTH_MLP_LOGISTIC) /* whose delta already is p - y */
        soothi_mlp_slopes(t, l->activation, p->act + t->act_at[t->layers], delta, t->targets, slice);
}

/* to[r to_row + k] = from[k from_row + r] for r, k < 4 */
SOOTHI_LOCAL void soothi_mlp_turn_four(const float *from, size_t from_row, float *to, size_t to_row) {
#if defined(__SSE2__) || defined(_M_X64)
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + from_row), c = _mm_loadu_ps(from + 2 * from_row),
           d = _mm_loadu_ps(from + 3 * from_row);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + to_row, b);
    _mm_storeu_ps(to + 2 * to_row, c);
    _mm_storeu_ps(to + 3 * to_row, d);
#else
    for (size_t r = 0; r < 4; ++r)
        for (size_t k = 0; k < 4; ++k) to[r * to_row + k] = from[k * from_row + r];
#endif
}

/* Transposes a wide layer's delta: one table row after the other. */
SOOTHI_LOCAL void soothi_mlp_turn(const soothi_mlp_training *t, const soothi_mlp_panel *p, size_t i,
                                  soothi_mlp_slice slice) {
    const size_t stride = t->layer[i].stride;
    const float *delta = p->delta + t->act_at[i + 1];
    float *turned = p->turned + t->act_at[i + 1];
    for (size_t o = 0; o < stride; o += 4)
        for (size_t r = slice.first; r < slice.end; r += 4)
            soothi_mlp_turn_four(delta + o * SOOTHI_MLP_ROWS + r, SOOTHI_MLP_ROWS, turned + r * stride + o,
                                 stride);
}

/* Computes the delta of the layer before layer i: d_input = W' delta, times f'. */
SOOTHI_LOCAL void soothi_mlp_d_input(const soothi_mlp_training *t, const soothi_mlp_panel *p, size_t i,
                                     soothi_mlp_slice slice) {
    const sooth_mlp_layer *l = &t->layer[i];
    const int narrow = soothi_mlp_narrow(l);
    const size_t first = slice.first, count = p->count < slice.end ? p->count - first : slice.end - first;
    const uint32_t before = t->layer[i - 1].activation;
    const float *y = p->act + t->act_at[i];
    float *d_input = p->delta + t->act_at[i];
    const float *mask = p->mask ? p->mask + t->act_at[i] : NULL;
    soothi_mlp_clear(d_input, l->inputs, slice);
    soothi_gemm_f(t->avx2, l->inputs, (count + 3u) & ~(size_t)3u, l->outputs,
                  soothi_mlp_floats(t->model) + l->weights_at, narrow ? 1 : l->stride, narrow ? l->stride : 1,
                  p->delta + t->act_at[i + 1] + first, SOOTHI_MLP_ROWS, d_input + first, SOOTHI_MLP_ROWS);
    if (!mask) soothi_mlp_slopes(t, before, y, d_input, l->inputs, slice);
    /* Dropout multiplied y = f(v) by 0 or 1 / (1 - dropout), so the derivative gets the same factor. f' is
       computed from the undropped f(v). If y is 0, so is the derivative. */
    for (size_t k = first; mask && k < l->inputs * SOOTHI_MLP_ROWS; k += SOOTHI_MLP_ROWS) {
        float whole[SOOTHI_MLP_ROWS] = {0.0f};
        for (size_t r = 0; r < count; ++r) {
            d_input[k + r] *= mask[k + r];
            whole[r] = y[k + r] * (1.0f - (float)t->o.dropout);
        }
        soothi_mlp_slope(before, t->model->leak, whole, d_input + k, 1, slice.end - first);
    }
}

/* ---- training: steps ---- */

/* Returns the weights of a layer, without biases, among the parameters [first, end). If it has none there,
   first is not below end. */
SOOTHI_LOCAL soothi_mlp_slice soothi_mlp_weights_in(const sooth_mlp_layer *l, size_t first, size_t end) {
    const size_t biases = l->weights_at + soothi_mlp_layer_weights(l);
    const soothi_mlp_slice w = {first > l->weights_at ? first : l->weights_at, end < biases ? end : biases};
    return w;
}

/* root[k] = 1 / (sqrt(v[k]) + epsilon) for four */
SOOTHI_LOCAL soothi_4f soothi_mlp_roots(soothi_4f v, float epsilon) {
    float root[4];
    soothi_4f_store(root, v);
#if defined(__SSE2__) || defined(_M_X64)
    const __m128 below = _mm_add_ps(_mm_sqrt_ps(_mm_loadu_ps(root)), _mm_set1_ps(epsilon));
    _mm_storeu_ps(root, _mm_div_ps(_mm_set1_ps(1.0f), below));
#else
    for (unsigned k = 0; k < 4; ++k) root[k] = 1.0f / (soothi_sqrt_f(root[k]) + epsilon);
#endif
    return soothi_4f_load(root);
}

/* Adam (Kingma and Ba, 2015, algorithm 1), step t = 1, 2, ..., for every parameter p with gradient g:

     m = beta1 m + (1 - beta1) g              mean of the gradients
     v = beta2 v + (1 - beta2) g^2            mean of their squares
     m_hat = m / (1 - beta1^t)                corrects the bias of starting at 0
     v_hat = v / (1 - beta2^t)
     p = p - rate m_hat / (sqrt(v_hat) + epsilon)

   The code uses the form at the end of their section 2, which moves both corrections out of the loop:

     p = p - rate sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + epsilon)

   So epsilon is the paper's epsilon^, as in scikit-learn. In algorithm 1 (and PyTorch) it would be epsilon /
   sqrt(1 - beta2^t). */
SOOTHI_LOCAL void soothi_mlp_adam(soothi_mlp_training *t, size_t first, size_t end) {
    const double correct_m = 1.0 - soothi_exp(t->step * soothi_log(t->o.beta1));
    const double correct_v = 1.0 - soothi_exp(t->step * soothi_log(t->o.beta2));
    const soothi_4f factor = soothi_4f_splat((float)(-t->rate * soothi_sqrt(correct_v) / correct_m));
    const soothi_4f beta1 = soothi_4f_splat((float)t->o.beta1);
    const soothi_4f beta2 = soothi_4f_splat((float)t->o.beta2);
    const soothi_4f rest1 = soothi_4f_splat((float)(1.0 - t->o.beta1));
    const soothi_4f rest2 = soothi_4f_splat((float)(1.0 - t->o.beta2));
    const float epsilon = (float)t->o.epsilon;
    float *p = t->p, *means = t->state, *squares = t->state + t->floats;
    for (size_t i = first; i < end; i += 4) {
        const soothi_4f g = soothi_4f_load(t->gradient + i);
        soothi_4f m = soothi_4f_load(means + i), v = soothi_4f_load(squares + i);
        m = soothi_4f_add(soothi_4f_mul(beta1, m), soothi_4f_mul(rest1, g));
        v = soothi_4f_add(soothi_4f_mul(beta2, v), soothi_4f_mul(soothi_4f_mul(rest2, g), g));
        soothi_4f change = soothi_4f_mul(soothi_4f_mul(factor, m), soothi_mlp_roots(v, epsilon));
        soothi_4f_store(means + i, m);
        soothi_4f_store(squares + i, v);
        soothi_4f_store(p + i, soothi_4f_add(soothi_4f_load(p + i), change));
    }
}

/* u = momentum u - rate g. p += u, or with Nesterov's lookahead p += momentum u - rate g (Sutskever et al.,
   2013, in the form of Bengio et al.). */
SOOTHI_LOCAL void soothi_mlp_sgd(soothi_mlp_training *t, size_t first, size_t end) {
    const float a = (float)t->rate, b = (float)t->o.momentum;
    const float *SOOTH_RESTRICT g = t->gradient;
    float *SOOTH_RESTRICT p = t->p, *SOOTH_RESTRICT u = t->state;
    for (size_t i = first; i < end; ++i) {
        u[i] = b * u[i] - a * g[i];
        p[i] += t->o.nesterov ? b * u[i] - a * g[i] : u[i];
    }
}

/* Updates parameters [first, end) after their gradient was computed. */
SOOTHI_LOCAL void soothi_mlp_step(soothi_mlp_training *t, size_t first, size_t end) {
    if (t->o.weight_decay > 0.0) { /* decoupled from the gradient */
        const float factor = (float)(1.0 - t->rate * t->o.weight_decay);
        for (size_t i = 0; i < t->layers; ++i) {
            const soothi_mlp_slice w = soothi_mlp_weights_in(&t->layer[i], first, end);
            if (w.first < w.end) soothi_multiply_f(t->p + w.first, factor, w.end - w.first);
        }
    }
    (t->o.optimiser == SOOTH_MLP_ADAM ? soothi_mlp_adam : soothi_mlp_sgd)(t, first, end);
}

/* ---- training: parallel work ---- */

/* Forward and backward passes are independent per row, so workers share the rows. A weight's gradient adds
   the rows in order, so workers then share the weights. */
enum { SOOTHI_MLP_FORWARD = 1, SOOTHI_MLP_BACKWARD = 2 };

SOOTHI_LOCAL void soothi_mlp_rows_task(void *arg, size_t task, size_t worker) {
    soothi_mlp_training *t = (soothi_mlp_training *)arg;
    const soothi_mlp_panel *p = &t->panel[task / t->slices];
    const size_t width = SOOTHI_MLP_ROWS / t->slices, first = task % t->slices * width;
    const soothi_mlp_slice slice = {first, first + width};
    (void)worker;
    if (first >= p->count) return;
    if (t->stages & SOOTHI_MLP_FORWARD) {
        soothi_mlp_gather(t, p, slice);
        soothi_mlp_forward(t, p, slice);
    }
    if (!(t->stages & SOOTHI_MLP_BACKWARD)) {
        soothi_mlp_losses(t, p, slice);
        return;
    }
    soothi_mlp_output_delta(t, p, slice);
    for (size_t i = t->layers; i-- > 0;) {
        if (!soothi_mlp_narrow(&t->layer[i])) soothi_mlp_turn(t, p, i, slice);
        if (i) soothi_mlp_d_input(t, p, i, slice);
    }
}

/* Returns where part k of the parameters begins: at a multiple of four inputs of a wide layer, or of four
   floats. */
SOOTHI_LOCAL size_t soothi_mlp_cut(const soothi_mlp_training *t, size_t k) {
    const size_t at = t->floats * k / t->parts & ~(size_t)3u;
    for (size_t i = 0; i < t->layers; ++i) {
        const sooth_mlp_layer *l = &t->layer[i];
        if (!soothi_mlp_narrow(l) && at >= l->weights_at && at < l->weights_at + soothi_mlp_layer_weights(l))
            return at - (at - l->weights_at) % (4 * (size_t)l->stride);
    }
    return k == t->parts ? t->floats : at;
}

/* Adds a panel's contribution to the gradient [first, end) of layer i. */
SOOTHI_LOCAL void soothi_mlp_d_weight(const soothi_mlp_training *t, const soothi_mlp_panel *p, size_t i,
                                      size_t first, size_t end) {
    const sooth_mlp_layer *l = &t->layer[i];
    const float *x = p->act + t->act_at[i], *delta = p->delta + t->act_at[i + 1];
    const soothi_mlp_slice w = soothi_mlp_weights_in(l, first, end);
    const size_t weights = l->weights_at, biases = weights + soothi_mlp_layer_weights(l), from = w.first,
                 to = w.end;
    if (from < to && !soothi_mlp_narrow(l)) {
        const size_t input = (from - weights) / l->stride;
        soothi_gemm_f(t->avx2, (to - from) / l->stride, l->stride, p->count, x + input * SOOTHI_MLP_ROWS,
                      SOOTHI_MLP_ROWS, 1, p->turned + t->act_at[i + 1], l->stride, t->gradient + from,
                      l->stride);
    }
    for (size_t at = from; soothi_mlp_narrow(l) && at < to; ++at)
        t->gradient[at] += soothi_dot_f(x + (at - weights) % l->stride * SOOTHI_MLP_ROWS,
                                        delta + (at - weights) / l->stride * SOOTHI_MLP_ROWS, p->count);
    for (size_t o = first > biases ? first - biases : 0; l->biases_at && o < l->outputs && biases + o < end;
         ++o)
        t->gradient[biases + o] += soothi_sum_f(delta + o * SOOTHI_MLP_ROWS, p->count);
}

SOOTHI_LOCAL void soothi_mlp_weights_task(void *arg, size_t part, size_t worker) {
    soothi_mlp_training *t = (soothi_mlp_training *)arg;
    const size_t first = soothi_mlp_cut(t, part), end = soothi_mlp_cut(t, part + 1);
    (void)worker;
    if (t->begin) memset(t->gradient + first, 0, (end - first) * sizeof(float));
    for (const soothi_mlp_panel *p = t->panel; p < t->panel + t->used; ++p)
        for (size_t i = t->layers; i-- > 0;) soothi_mlp_d_weight(t, p, i, first, end);
    if (!t->end) return;
    for (size_t i = 0; t->penalised && i < t->layers; ++i) {
        const soothi_mlp_slice w = soothi_mlp_weights_in(&t->layer[i], first, end);
        if (w.first < w.end)
            soothi_axpy_f(t->gradient + w.first, (float)t->penalty, soothi_mlp_floats(t->model) + w.first,
                          w.end - w.first);
    }
    if (t->steps) soothi_mlp_step(t, first, end);
}

/* Makes the step alone, for a part of the parameters. */
SOOTHI_LOCAL void soothi_mlp_step_task(void *arg, size_t part, size_t worker) {
    soothi_mlp_training *t = (soothi_mlp_training *)arg;
    (void)worker;
    soothi_mlp_step(t, soothi_mlp_cut(t, part), soothi_mlp_cut(t, part + 1));
}

/* Min parameters times rows per worker: some microseconds of work. */
#define SOOTHI_MLP_WORTH 65536

/* Chooses into how many parts the work of `rows` rows is divided. */
SOOTHI_LOCAL void soothi_mlp_share(soothi_mlp_training *t, size_t rows) {
    const size_t workers = soothi_workers(t->env), worth = rows * t->floats / SOOTHI_MLP_WORTH,
                 parts = worth < workers ? worth : workers;
    t->parts = parts > 1 ? parts : 1;
    t->slices = parts > 1 && t->used < 2 * workers ? 2 : 1;
}

/* Runs the rows in progress through the stages. */
SOOTHI_LOCAL void soothi_mlp_rows(soothi_mlp_training *t, int stages) {
    t->stages = stages;
    soothi_parallel(t->parts > 1 ? t->env : NULL, t->used * t->slices, soothi_mlp_rows_task, t);
}

/* Takes rows of a batch, up to the number of panels, and draws their dropout. Returns their number. */
SOOTHI_LOCAL size_t soothi_mlp_take(soothi_mlp_training *t, const sooth_table *table, const uint32_t *order,
                                    size_t first, size_t count) {
    const size_t most = soothi_workers(t->env) > 1 ? t->panels : 1;
    size_t rows = 0;
    for (t->used = 0; t->used < most && rows < count; ++t->used) {
        soothi_mlp_panel *p = &t->panel[t->used];
        p->table = table;
        p->order = order;
        p->first = first + rows;
        p->count = count - rows < SOOTHI_MLP_ROWS ? count - rows : SOOTHI_MLP_ROWS;
        rows += p->count;
        if (t->drop) soothi_mlp_draw(t, p);
    }
    soothi_mlp_share(t, rows);
    return rows;
}

/* ---- training: batches ---- */

SOOTHI_LOCAL double soothi_mlp_weigh(const sooth_table *table, const uint32_t *order, size_t first,
                                     size_t count) {
    double sum = 0.0;
    if (!table->weight) return (double)count;
    for (size_t r = first; r < first + count; ++r) sum += (double)table->weight[order ? order[r] : r];
    return sum;
}

/* Returns the loss of rows of a table, without penalties. */
SOOTHI_LOCAL double soothi_mlp_evaluate(soothi_mlp_training *t, const sooth_table *table,
                                        const uint32_t *order, size_t first, size_t count, int drop) {
    const double weight = soothi_mlp_weigh(table, order, first, count);
    size_t part;
    t->drop = drop;
    memset(t->sum, 0, t->terms * sizeof *t->sum);
    for (; count; count -= part, first += part) {
        part = soothi_mlp_take(t, table, order, first, count);
        soothi_mlp_rows(t, SOOTHI_MLP_FORWARD);
        soothi_mlp_add_losses(t);
    }
    return soothi_mlp_total(t, weight);
}

/* Returns the loss of rows and computes its gradient, without penalties. With `root` the mean must be known
   before any row goes backward. If the rows do not fit in at once, they go forward twice with the same
   dropout. */
SOOTHI_LOCAL double soothi_mlp_batch(soothi_mlp_training *t, const uint32_t *order, size_t first,
                                     size_t count) {
    const int drop = t->o.dropout > 0.0, twice = t->o.root && count > SOOTHI_MLP_ROWS,
              once = !t->o.root || twice;
    double loss = 0.0;
    size_t part;
    t->weight = soothi_mlp_weigh(t->table, order, first, count);
    memset(t->sum, 0, t->terms * sizeof *t->sum);
    if (twice) {
        sooth_rng again = t->dropout;
        loss = soothi_mlp_evaluate(t, t->table, order, first, count, drop);
        t->dropout = again;
    } else if (once) {
        soothi_mlp_total(t, t->weight); /* for the scales only */
    }
    t->drop = drop;
    t->begin = 1;
    for (; count; count -= part, first += part) {
        part = soothi_mlp_take(t, t->table, order, first, count);
        soothi_mlp_rows(t, once ? SOOTHI_MLP_FORWARD | SOOTHI_MLP_BACKWARD : SOOTHI_MLP_FORWARD);
        if (!twice) {
            soothi_mlp_add_losses(t);
            loss = soothi_mlp_total(t, t->weight);
        }
        if (!once) soothi_mlp_rows(t, SOOTHI_MLP_BACKWARD);
        t->end = part == count;
        soothi_parallel(t->env, t->parts, soothi_mlp_weights_task, t);
        t->begin = 0;
    }
    return loss;
}

/* Returns the penalties lambda / 2 |W|^2 + lambda_norm |W|. Their gradient is a factor times the weights. */
SOOTHI_LOCAL double soothi_mlp_penalty(soothi_mlp_training *t) {
    const float *p = soothi_mlp_floats(t->model);
    double squares = 0.0;
    t->penalised = t->o.lambda > 0.0 || t->o.lambda_norm > 0.0;
    if (!t->penalised) return 0.0;
    for (size_t i = 0; i < t->layers; ++i) {
        const float *w = p + t->layer[i].weights_at;
        squares += soothi_dot_wide(w, w, soothi_mlp_layer_weights(&t->layer[i]));
    }
    const double norm = soothi_sqrt(squares);
    t->penalty = t->o.lambda + (norm > 0.0 ? t->o.lambda_norm / norm : 0.0);
    return 0.5 * t->o.lambda * squares + t->o.lambda_norm * norm;
}

/* Returns the loss with penalties. The gradient is clipped. */
SOOTHI_LOCAL double soothi_mlp_gradient_of(soothi_mlp_training *t, const uint32_t *order, size_t first,
                                           size_t count) {
    const double penalty = soothi_mlp_penalty(t), loss = soothi_mlp_batch(t, order, first, count) + penalty;
    if (t->o.clip > 0.0) {
        const double length = soothi_sqrt(soothi_dot_wide(t->gradient, t->gradient, t->floats));
        if (length > t->o.clip) soothi_multiply_f(t->gradient, (float)(t->o.clip / length), t->floats);
    }
    return loss;
}

/* ---- training: other steps ---- */

/* iRprop-: every parameter has its own step size. It grows by 1.2 while the derivative keeps its sign and
   shrinks by 0.5 when the sign changes. Then the derivative counts as 0 once. */
SOOTHI_LOCAL void soothi_mlp_rprop(soothi_mlp_training *t) {
    float *g = t->gradient, *p = t->p, *size = t->state, *last = t->state + t->floats;
    for (size_t i = 0; i < t->floats; ++i) {
        const float sign = g[i] * last[i];
        if (sign > 0.0f) size[i] = size[i] * 1.2f > 50.0f ? 50.0f : size[i] * 1.2f;
        if (sign < 0.0f) {
            size[i] = size[i] * 0.5f < 1e-6f ? 1e-6f : size[i] * 0.5f;
            g[i] = 0.0f;
        }
        p[i] -= g[i] > 0.0f ? size[i] : g[i] < 0.0f ? -size[i] : 0.0f;
        last[i] = g[i];
    }
}

/* Sets weights to 0 that violate a monotone constraint. */
SOOTHI_LOCAL void soothi_mlp_constrain(soothi_mlp_training *t) {
    for (size_t i = 0; t->o.monotone && i < t->layers; ++i) {
        const sooth_mlp_layer *l = &t->layer[i];
        for (size_t j = 0; j < l->inputs; ++j) {
            const int sign = i ? 1 : t->o.monotone[j];
            for (size_t o = 0; sign && o < l->outputs; ++o) {
                float *w = t->p + soothi_mlp_place(l, o, j);
                if (sign > 0 ? *w < 0.0f : *w > 0.0f) *w = 0.0f;
            }
        }
    }
}

/* cos(pi s) for s in 0..1, as -sin(pi (s - 1/2)): Taylor to the 17th power, within 4e-13. */
SOOTHI_LOCAL double soothi_mlp_cosine(double s) {
    const double x = 3.14159265358979323846 * (s - 0.5), square = x * x;
    double sum = 1.0;
    for (int k = 16; k > 0; k -= 2) sum = 1.0 - square / (double)(k * (k + 1)) * sum;
    return -x * sum;
}

/* Returns the factor of the learning rate. */
SOOTHI_LOCAL double soothi_mlp_schedule_factor(const soothi_mlp_training *t) {
    double e = (double)t->epoch, parts = e / (double)t->o.decay_epochs;
    switch (t->o.schedule) {
    case SOOTH_MLP_STEP: return soothi_exp(soothi_log(t->o.decay) * (double)(t->epoch / t->o.decay_epochs));
    case SOOTH_MLP_EXPONENTIAL: return soothi_exp(soothi_log(t->o.decay) * parts);
    case SOOTH_MLP_INVERSE_TIME: return 1.0 / (1.0 + t->o.decay * parts);
    case SOOTH_MLP_COSINE: return 0.5 * (1.0 + soothi_mlp_cosine(e / (double)t->o.epochs));
    default: return t->factor; /* 1, reduced by plateaus */
    }
}

/* ---- training: epochs ---- */

/* Records the loss of an epoch. Returns 1 if training should stop. */
SOOTHI_LOCAL int soothi_mlp_judge(soothi_mlp_training *t, double loss) {
    t->last_loss = loss;
    t->done = t->epoch + 1;
    if (loss < t->best_loss && soothi_all_finite(t->p, t->floats)) {
        t->best_loss = loss;
        t->best_epoch = t->done;
        memcpy(t->best, t->p, t->floats * sizeof(float));
    }
    ++t->waited;
    if (loss < t->bar) {
        t->bar = loss - t->o.tolerance * loss;
        t->waited = 0;
    }
    if (t->o.schedule == SOOTH_MLP_PLATEAU && t->waited && t->waited % t->o.decay_epochs == 0)
        t->factor *= t->o.decay;
    return t->waited >= t->o.patience;
}

/* Returns the loss for early stopping: of the held-out rows, or `loss` if there are none. */
SOOTHI_LOCAL double soothi_mlp_held_loss(soothi_mlp_training *t, double loss) {
    if (t->o.validation) return soothi_mlp_evaluate(t, t->o.validation, NULL, 0, t->o.validation->rows, 0);
    return t->held ? soothi_mlp_evaluate(t, t->table, t->order, t->rows, t->held, 0) : loss;
}

/* A loss has exploded if it is not finite or a million times the first one. */
SOOTHI_LOCAL int soothi_mlp_exploded(const soothi_mlp_training *t, double loss) {
    return !soothi_finite(loss) || (t->first_loss > 0.0 && loss > 1e6 * t->first_loss);
}

/* Makes one pass in batches. Returns the mean loss of the batches, or the loss that exploded. */
SOOTHI_LOCAL double soothi_mlp_pass(soothi_mlp_training *t, sooth_rng *shuffle) {
    const size_t batch = t->o.batch_size;
    double sum = 0.0, weight = 0.0;
    size_t part;
    t->rate = t->o.learning_rate * soothi_mlp_schedule_factor(t);
    sooth_rng_shuffle(shuffle, t->order, t->rows);
    for (size_t at = 0; at < t->rows; at += part) {
        part = t->rows - at < batch ? t->rows - at : batch;
        t->step += 1.0;
        t->steps = !(t->o.clip > 0.0);
        const double loss = soothi_mlp_gradient_of(t, t->order, at, part);
        t->steps = 0;
        if (t->step < 1.5) t->first_loss = loss;
        if (soothi_mlp_exploded(t, loss)) return loss; /* these weights are not kept */
        const double w = soothi_mlp_weigh(t->table, t->order, at, part);
        sum += loss * w;
        weight += w;
        if (t->o.clip > 0.0) soothi_parallel(t->env, t->parts, soothi_mlp_step_task, t);
        soothi_mlp_constrain(t);
    }
    return sum / weight;
}

/* Reports an epoch to the host: the training loss, and the validation loss if rows are held out. */
SOOTHI_LOCAL void soothi_mlp_tell(soothi_mlp_training *t, double loss, double judged) {
    const int held = t->o.validation || t->held;
    soothi_report_loss(t->env, "training", t->epoch + 1, loss, held ? judged : (double)soothi_missing());
}

/* Runs the epochs of all optimisers but L-BFGS. With all rows in one batch the loss is that of the weights
   before the step. */
SOOTHI_LOCAL sooth_status soothi_mlp_run(soothi_mlp_training *t) {
    sooth_rng shuffle;
    double loss;
    t->step = 0.0;
    sooth_rng_init(&shuffle, t->o.seed, 1);
    memset(t->state, 0, soothi_mlp_state_floats(&t->o, t->floats) * sizeof(float));
    for (size_t i = 0; t->o.optimiser == SOOTH_MLP_RPROP && i < t->floats; ++i)
        t->state[i] = (float)t->o.learning_rate;
    for (; t->epoch < t->o.epochs; ++t->epoch) {
        sooth_status status = soothi_progress(t->env, "training", (double)t->epoch / (double)t->o.epochs);
        if (status != SOOTH_OK) return status;
        if (t->o.optimiser == SOOTH_MLP_RPROP) {
            loss = soothi_mlp_gradient_of(t, t->order, 0, t->rows);
            if (t->epoch == 0) t->first_loss = loss;
        } else {
            loss = soothi_mlp_pass(t, &shuffle);
        }
        const double learned = loss;
        if (!soothi_mlp_exploded(t, loss)) loss = soothi_mlp_held_loss(t, loss);
        if (soothi_mlp_exploded(t, loss)) return SOOTH_NOT_CONVERGED;
        soothi_mlp_tell(t, learned, loss);
        if (soothi_mlp_judge(t, loss)) break;
        if (t->o.optimiser == SOOTH_MLP_RPROP) {
            soothi_mlp_rprop(t);
            soothi_mlp_constrain(t);
        }
    }
    return SOOTH_OK;
}

/* ---- training: L-BFGS ---- */

/* direction = -H gradient, from the last `count` pairs s = change of p, y = change of the gradient. Pair k is
   in slot k mod history (Nocedal and Wright, algorithm 7.4). */
SOOTHI_LOCAL void soothi_mlp_direction(soothi_mlp_training *t, size_t pairs, float *direction) {
    const size_t n = t->floats, history = t->o.history, count = pairs < history ? pairs : history;
    double alpha[100];
    memcpy(direction, t->gradient, n * sizeof(float));
    for (size_t k = 0; k < count; ++k) {
        const float *s = t->state + 2 * n * ((pairs - 1 - k) % history), *y = s + n;
        alpha[k] = soothi_dot_wide(s, direction, n) / soothi_dot_wide(s, y, n);
        soothi_axpy_f(direction, (float)-alpha[k], y, n);
    }
    if (count) {
        const float *s = t->state + 2 * n * ((pairs - 1) % history), *y = s + n;
        soothi_multiply_f(direction, (float)(soothi_dot_wide(s, y, n) / soothi_dot_wide(y, y, n)), n);
    }
    for (size_t k = count; k-- > 0;) {
        const float *s = t->state + 2 * n * ((pairs - 1 - k) % history), *y = s + n;
        const double beta = 1.0 / soothi_dot_wide(s, y, n) * soothi_dot_wide(y, direction, n);
        soothi_axpy_f(direction, (float)(alpha[k] - beta), s, n);
    }
    soothi_multiply_f(direction, -1.0f, n);
}

/* Moves p along the direction until the weak Wolfe conditions hold, by halving and doubling (Lewis and
   Overton, 2013). Returns the new loss, and computes its gradient. If no step is found, it restores `from`
   and returns the old loss. */
SOOTHI_LOCAL double soothi_mlp_search(soothi_mlp_training *t, double loss, double length, const float *from,
                                      const float *direction, int *found) {
    const double slope = soothi_dot_wide(t->gradient, direction, t->floats);
    double low = 0.0, high = 0.0, next;
    *found = 0;
    for (int trial = 0; trial < 30; ++trial) {
        for (size_t i = 0; i < t->floats; ++i) t->p[i] = from[i] + (float)length * direction[i];
        next = soothi_mlp_gradient_of(t, t->order, 0, t->rows);
        if (!(next <= loss + 1e-4 * length * slope)) {
            high = length;
        } else if (soothi_dot_wide(t->gradient, direction, t->floats) < 0.9 * slope) {
            low = length;
            *found = 1;
        } else {
            *found = 1;
            return next;
        }
        length = high > 0.0 ? 0.5 * (low + high) : 2.0 * low;
    }
    if (*found) {
        for (size_t i = 0; i < t->floats; ++i) t->p[i] = from[i] + (float)low * direction[i];
        return soothi_mlp_gradient_of(t, t->order, 0, t->rows);
    }
    memcpy(t->p, from, t->floats * sizeof(float));
    return loss;
}

SOOTHI_LOCAL sooth_status soothi_mlp_lbfgs(soothi_mlp_training *t) {
    const size_t n = t->floats;
    float *from = t->state + 2 * n * t->o.history, *old = from + n, *direction = old + n;
    double loss = soothi_mlp_gradient_of(t, t->order, 0, t->rows);
    size_t pairs = 0;
    int found;
    t->first_loss = loss;
    if (soothi_mlp_exploded(t, loss)) return SOOTH_NOT_CONVERGED;
    t->best_loss = soothi_mlp_held_loss(t, loss);
    for (; t->epoch < t->o.epochs; ++t->epoch) {
        float *s = t->state + 2 * n * (pairs % t->o.history), *y = s + n;
        sooth_status status = soothi_progress(t->env, "training", (double)t->epoch / (double)t->o.epochs);
        if (status != SOOTH_OK) return status;
        soothi_mlp_direction(t, pairs, direction);
        memcpy(from, t->p, n * sizeof(float));
        memcpy(old, t->gradient, n * sizeof(float));
        const double length = soothi_sqrt(soothi_dot_wide(old, old, n));
        if (!(length > 0.0)) break;
        loss =
            soothi_mlp_search(t, loss, pairs || length < 1.0 ? 1.0 : 1.0 / length, from, direction, &found);
        if (!found && pairs == 0) break;
        if (!found) { /* drop the pairs and use the gradient */
            pairs = 0;
            loss = soothi_mlp_gradient_of(t, t->order, 0, t->rows);
            continue;
        }
        for (size_t i = 0; i < n; ++i) {
            s[i] = t->p[i] - from[i];
            y[i] = t->gradient[i] - old[i];
        }
        if (soothi_dot_wide(s, y, n) > 1e-10 * soothi_dot_wide(y, y, n)) ++pairs;
        const double judged = soothi_mlp_held_loss(t, loss);
        soothi_mlp_tell(t, loss, judged);
        if (soothi_mlp_judge(t, judged)) break;
    }
    return SOOTH_OK;
}

/* ---- training: the unit of the targets ---- */

/* Output o of the trained layers is (target - centre) / spread. Each term is compared in multiples of its own
   unit, so that the loss, its gradient and the penalties are the same for seconds and microseconds. After
   training, centre and spread go into the last layer. */

/* Whether the mean can be subtracted: only a linear output with a bias can add it again. */
SOOTHI_LOCAL int soothi_mlp_centres(const sooth_mlp_options *o) {
    return soothi_mlp_standardises(o) && o->output == SOOTH_MLP_ANY && !o->no_bias;
}

/* Weight of a row in the mean of a term. A relative loss divides errors by the target, so its mean does too:
   if times reach from 1 to 1,000, those near 1 decide. */
SOOTHI_LOCAL double soothi_mlp_mean_weight(const soothi_mlp_training *t, const sooth_mlp_term *term,
                                           size_t row) {
    const double weight = t->table->weight ? (double)t->table->weight[row] : 1.0;
    if (!soothi_mlp_is_relative(&t->o) || t->o.terms || !soothi_mlp_centres(&t->o)) return weight;
    const double y = soothi_mlp_target(term, t->table->y + row * t->targets);
    return weight / (y * y);
}

/* Returns the mean of a term over the training rows. *spread is the root mean square of its distance from the
   mean, or from 0 if means are not subtracted. */
SOOTHI_LOCAL double soothi_mlp_mean(const soothi_mlp_training *t, const sooth_mlp_term *term,
                                    double *spread) {
    double all = 0.0, sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < t->rows; ++k) {
        const double weight = soothi_mlp_mean_weight(t, term, t->order[k]);
        all += weight;
        sum += weight * soothi_mlp_target(term, t->table->y + t->order[k] * t->targets);
    }
    const double mean = sum / all, from = soothi_mlp_centres(&t->o) ? mean : 0.0;
    for (size_t k = 0; k < t->rows; ++k) {
        const double e = soothi_mlp_target(term, t->table->y + t->order[k] * t->targets) - from;
        squares += soothi_mlp_mean_weight(t, term, t->order[k]) * e * e;
    }
    *spread = soothi_sqrt(squares / all);
    return mean;
}

/* Sets centre, spread and units. The spread of a constant target is 0: its prediction is the mean, whatever
   the network computes. */
SOOTHI_LOCAL void soothi_mlp_standardise(soothi_mlp_training *t) {
    double spread;
    for (uint32_t o = 0; o < t->targets; ++o) {
        const sooth_mlp_term itself = {SOOTH_MLP_ITSELF, o, 0, 1.0};
        const double mean = soothi_mlp_mean(t, &itself, &t->spread[o]);
        t->centre[o] = soothi_mlp_centres(&t->o) ? mean : 0.0;
    }
    for (size_t k = 0; k < t->terms; ++k) {
        const sooth_mlp_term term = soothi_mlp_term_at(&t->o, t->targets, k);
        soothi_mlp_mean(t, &term, &spread);
        t->unit[k] = spread > 0.0 ? spread : 1.0;
    }
}

/* Moves centre and spread into the last layer of the model, or its spread into the layer after. */
SOOTHI_LOCAL void soothi_mlp_fold(const soothi_mlp_training *t) {
    const sooth_mlp_layer *l = &t->layer[t->layers - 1];
    for (size_t o = 0; o < t->targets; ++o) {
        if (soothi_mlp_scale_layers(&t->o)) {
            t->p[soothi_mlp_place(l + 1, o, o)] = (float)t->spread[o];
            continue;
        }
        for (size_t i = 0; i < l->inputs; ++i) {
            float *w = t->p + soothi_mlp_place(l, o, i);
            *w = (float)(t->spread[o] * (double)*w);
        }
        if (l->biases_at)
            t->p[l->biases_at + o] = (float)(t->centre[o] + t->spread[o] * (double)t->p[l->biases_at + o]);
    }
}

/* Copies the weights of warm_start. Its predictions stay: a linear output gets the new centre and spread, a
   positive one keeps the old spread. */
SOOTHI_LOCAL void soothi_mlp_continue(soothi_mlp_training *t) {
    const float *from = soothi_mlp_floats(t->o.warm_start);
    const sooth_mlp_layer *l = &t->layer[t->layers - 1];
    memcpy(t->p, from, t->floats * sizeof(float));
    for (size_t o = 0; o < t->targets && soothi_mlp_standardises(&t->o); ++o) {
        const double by = t->spread[o] > 0.0 ? 1.0 / t->spread[o] : 0.0;
        if (soothi_mlp_scale_layers(&t->o)) {
            const double old = (double)from[soothi_mlp_place(l + 1, o, o)];
            if (old > 0.0) t->spread[o] = old;
            continue;
        }
        for (size_t i = 0; i < l->inputs; ++i) {
            float *w = t->p + soothi_mlp_place(l, o, i);
            *w = (float)(by * (double)*w);
        }
        if (l->biases_at)
            t->p[l->biases_at + o] = (float)(by * ((double)t->p[l->biases_at + o] - t->centre[o]));
    }
}

/* ---- fitting ---- */

/* Returns the bias with which a layer of zero weights predicts `mean` after f, or 0 if no bias does. */
SOOTHI_LOCAL double soothi_mlp_unactivate(uint32_t activation, double mean) {
    switch (activation) {
    case SOOTH_MLP_LINEAR: return mean;
    case SOOTH_MLP_SIGMOID: return mean > 0.001 && mean < 0.999 ? soothi_log(mean / (1.0 - mean)) : 0.0;
    case SOOTH_MLP_AT_LEAST_ONE: return soothi_mlp_unactivate(SOOTH_MLP_SOFTPLUS, mean - 1.0);
    case SOOTH_MLP_SOFTPLUS: return mean > 30.0 ? mean : mean > 0.001 ? soothi_log(soothi_expm1(mean)) : 0.0;
    default: return 0.0;
    }
}

/* Sets initial weights (see sooth_mlp_init). Output biases are set to predict the mean target. All others are
   0. The last layer begins at a tenth for standardised targets: otherwise a random function as large as the
   targets is left where no rows are, and the first layers learn less (Chizat, Oyallon and Bach, On lazy
   training in differentiable programming, 2019). */
SOOTHI_LOCAL void soothi_mlp_first_weights(soothi_mlp_training *t) {
    sooth_rng rng;
    sooth_rng_init(&rng, t->o.seed, 0);
    for (size_t i = 0; i < t->layers; ++i) {
        const sooth_mlp_layer *l = &t->layer[i];
        const int relu = l->activation == SOOTH_MLP_RELU || l->activation == SOOTH_MLP_LEAKY_RELU;
        const int he = t->o.init == SOOTH_MLP_INIT_HE || (t->o.init == SOOTH_MLP_INIT_AUTO && relu);
        const float limit = (float)(soothi_sqrt(6.0 / (double)(he ? l->inputs : l->inputs + l->outputs)) *
                                    (i + 1 == t->layers && soothi_mlp_standardises(&t->o) ? 0.1 : 1.0));
        for (size_t o = 0; o < l->outputs; ++o)
            for (size_t j = 0; j < l->inputs; ++j) {
                float w = limit * (2.0f * sooth_rng_float(&rng) - 1.0f);
                const int sign = !t->o.monotone ? 0 : i ? 1 : t->o.monotone[j];
                if (sign) w = (w < 0.0f ? -w : w) * (float)sign;
                t->p[soothi_mlp_place(l, o, j)] = w;
            }
        for (uint32_t o = 0; i + 1 == t->layers && l->biases_at && o < l->outputs; ++o) {
            const sooth_mlp_term itself = {SOOTH_MLP_ITSELF, o, 0, 1.0};
            double spread, mean = soothi_mlp_mean(t, &itself, &spread) - t->centre[o];
            if (t->spread[o] > 0.0) mean /= t->spread[o];
            t->p[l->biases_at + o] = (float)soothi_mlp_unactivate(l->activation, mean);
        }
    }
}

/* Moves all rows of the group from the first n of order[] to their end, last row first. Returns their number.
   The rows of a group are found by bisection. */
SOOTHI_LOCAL size_t soothi_mlp_hold_group(soothi_mlp_training *t, uint32_t group, size_t n, size_t rows) {
    const uint32_t *of = t->table->group;
    size_t low = 0, high = rows, middle, count;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (of[soothi_entry_row(t->by_group[middle])] < group) low = middle + 1;
        else high = middle;
    }
    uint64_t *member = t->by_group + low;
    for (count = 0; low + count < rows; ++count) {
        const uint32_t row = soothi_entry_row(member[count]);
        if (of[row] != group) break;
        member[count] = (uint64_t)t->place[row] << 32 | row;
    }
    soothi_entry_sort(member, t->by_group + rows, count);
    for (size_t k = count; k-- > 0; --n) {
        const uint32_t row = soothi_entry_row(member[k]), other = t->order[n - 1];
        t->order[t->place[row]] = other;
        t->place[other] = t->place[row];
        t->order[n - 1] = row;
        t->place[row] = (uint32_t)(n - 1);
    }
    return count;
}

/* Fills order[] with the rows of positive weight, those held out at the end. If there are groups, whole
   groups are drawn, with a probability proportional to their rows. O(rows log rows). */
SOOTHI_LOCAL sooth_status soothi_mlp_split(soothi_mlp_training *t) {
    const sooth_table *table = t->table;
    size_t n = 0;
    sooth_rng rng;
    for (size_t i = 0; i < table->rows; ++i)
        if (!table->weight || table->weight[i] > 0.0f) t->order[n++] = (uint32_t)i;
    t->rows = n;
    t->held = 0;
    if (!(t->o.validation_fraction > 0.0) || t->o.validation) return SOOTH_OK;
    size_t wanted = (size_t)(t->o.validation_fraction * (double)n + 0.999999);
    sooth_rng_init(&rng, t->o.seed, 3);
    if (table->group) {
        for (size_t i = 0; i < n; ++i) {
            t->place[t->order[i]] = (uint32_t)i;
            t->by_group[i] = (uint64_t)table->group[t->order[i]] << 32 | t->order[i];
        }
        soothi_entry_sort(t->by_group, t->by_group + n, n);
        while (t->held < wanted && t->held < n) {
            const uint32_t row = t->order[sooth_rng_below(&rng, (uint32_t)(n - t->held))];
            t->held += soothi_mlp_hold_group(t, table->group[row], n - t->held, n);
        }
    } else {
        sooth_rng_shuffle(&rng, t->order, n);
        t->held = wanted < n ? wanted : n;
    }
    t->rows = n - t->held;
    if (t->rows == 0)
        return sooth_fail(t->env, SOOTH_BAD_DATA,
                          "validation_fraction is %g, which leaves none of the %z rows%s for training",
                          t->o.validation_fraction, n, table->group ? " (in whole groups)" : "");
    return SOOTH_OK;
}

/* Divisors of the loss must not be 0, and derived values must be finite. */
SOOTHI_LOCAL sooth_status soothi_mlp_check_targets(sooth_env *env, const sooth_mlp_options *o,
                                                   const sooth_table *table) {
    const size_t terms = soothi_mlp_terms(o, table->targets);
    const int relative = soothi_mlp_is_relative(o);
    double slope[2];
    for (size_t k = 0; k < terms; ++k) {
        const sooth_mlp_term term = soothi_mlp_term_at(o, table->targets, k);
        for (size_t i = 0; i < table->rows; ++i) {
            const float *y = table->y + i * table->targets;
            const uint32_t second = term.derived == SOOTH_MLP_ITSELF ? term.first : term.second;
            const double d = soothi_mlp_derive(term.derived, (double)y[term.first], (double)y[second], slope);
            if (o->loss == SOOTH_MLP_LOGISTIC && !(d >= 0.0 && d <= 0.0) && !(d >= 1.0 && d <= 1.0))
                return sooth_fail(env, SOOTH_BAD_DATA,
                                  "row %z has the target %g, but the logistic loss takes 0 and 1 only", i + 1,
                                  d);
            if (!soothi_finite(d) || (relative && !(soothi_abs(d) > 0.0)))
                return sooth_fail(env, SOOTH_BAD_DATA,
                                  "row %z has the value %g for term %z of the loss, but it must not be 0",
                                  i + 1, d, k + 1);
        }
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_mlp_check_table(sooth_env *env, const sooth_table *table) {
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    if (table->cols > SOOTH_MLP_MAX_WIDTH || table->targets > SOOTH_MLP_MAX_WIDTH)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z columns and %z targets, but a network has at most %u of each",
                          table->cols, table->targets, (uint32_t)SOOTH_MLP_MAX_WIDTH);
    return SOOTH_OK;
}

/* Checks the options, the table, and the validation table. */
SOOTHI_LOCAL sooth_status soothi_mlp_check_input(sooth_env *env, const sooth_table *table,
                                                 const sooth_mlp_options *o) {
    const sooth_table *held = o->validation;
    sooth_status status = soothi_mlp_check_table(env, table);
    if (status == SOOTH_OK) status = soothi_mlp_check_fields(env, o, table->targets);
    if (status == SOOTH_OK) status = soothi_mlp_check_targets(env, o, table);
    if (status != SOOTH_OK || !held) return status;
    status = soothi_mlp_check_table(env, held);
    if (status != SOOTH_OK) return status;
    if (held->cols != table->cols || held->targets != table->targets)
        return sooth_fail(
            env, SOOTH_BAD_DATA,
            "the validation table has %z columns and %z targets, but the training table has %z and %z",
            held->cols, held->targets, table->cols, table->targets);
    return soothi_mlp_check_targets(env, o, held);
}

SOOTH_API sooth_status sooth_mlp_check_options(sooth_env *env, const sooth_table *table,
                                               const sooth_mlp_options *options) {
    const sooth_mlp_options o = soothi_mlp_resolve(options, table->rows);
    const sooth_mlp *from = o.warm_start;
    soothi_mlp_shape shape;
    sooth_status status = soothi_mlp_check_input(env, table, &o);
    if (status != SOOTH_OK || !from) return status;
    soothi_mlp_shape_of(&o, table->cols, table->targets, &shape);
    if (!from->bits && from->layers == shape.layers &&
        soothi_same_chars((const char *)sooth_mlp_layers(from), (const char *)shape.layer,
                          shape.layers * sizeof *shape.layer))
        return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the layers of warm_start differ from those of the options");
}

SOOTHI_LOCAL sooth_status soothi_mlp_train(soothi_mlp_training *t) {
    sooth_status status = soothi_mlp_split(t);
    if (status != SOOTH_OK) return status;
    if (soothi_mlp_standardises(&t->o)) soothi_mlp_standardise(t);
    if (t->o.warm_start) soothi_mlp_continue(t);
    else soothi_mlp_first_weights(t);
    soothi_mlp_constrain(t);
    memcpy(t->best, t->p, t->floats * sizeof(float));
    t->best_loss = t->bar = SOOTHI_INFINITE;
    t->factor = 1.0;
    sooth_rng_init(&t->dropout, t->o.seed, 2);
    return t->o.optimiser == SOOTH_MLP_LBFGS ? soothi_mlp_lbfgs(t) : soothi_mlp_run(t);
}

/* Trains and stores the final weights in the model. */
SOOTHI_LOCAL sooth_status soothi_mlp_fit_model(soothi_mlp_training *t, sooth_mlp *m) {
    sooth_status status = soothi_mlp_open(t, m, t->table->rows, "training a network");
    if (status != SOOTH_OK) return status;
    t->p = soothi_mlp_own_floats(m);
    status = soothi_mlp_train(t);
    if (status == SOOTH_NOT_CONVERGED)
        sooth_fail(
            t->env, status,
            "the loss diverged in epoch %z; lower the learning rate %g, or scale the inputs to order one",
            t->epoch + 1, t->o.learning_rate);
    /* the mean loss over an epoch belongs to no single set of weights, so the last ones stay */
    const int batches = t->o.optimiser == SOOTH_MLP_ADAM || t->o.optimiser == SOOTH_MLP_SGD;
    const int keep =
        status == SOOTH_OK && !t->held && !t->o.validation && batches && soothi_all_finite(t->p, t->floats);
    if (!keep) memcpy(t->p, t->best, t->floats * sizeof(float));
    if (soothi_mlp_standardises(&t->o)) soothi_mlp_fold(t);
    m->epochs = (uint32_t)(keep ? t->done : t->best_epoch);
    m->loss = (float)(keep ? t->last_loss : t->best_loss);
    sooth_free(t->env, t->memory, t->bytes, 1);
    return status;
}

/* Bound of a neuron's |output| if its |sum| is at most `sum`. */
SOOTHI_LOCAL double soothi_mlp_reach(uint32_t activation, double sum) {
    if (activation == SOOTH_MLP_SIGMOID || activation == SOOTH_MLP_TANH) return 1.0;
    return sum + (activation == SOOTH_MLP_SOFTPLUS || activation == SOOTH_MLP_AT_LEAST_ONE ? 2.0 : 0.0);
}

/* Rejects a network if a row within the ranges of the columns could make a sum overflow a float. */
SOOTHI_LOCAL sooth_status soothi_mlp_bounded(sooth_env *env, const sooth_table *table, const sooth_mlp *m) {
    double reach[2][SOOTH_MLP_MAX_WIDTH];
    size_t column = 0;
    char buffer[32];
    for (size_t j = 0; j < table->cols; ++j) reach[0][j] = 0.0;
    for (size_t i = 0; i < table->rows; ++i)
        for (size_t j = 0; (!table->weight || table->weight[i] > 0.0f) && j < table->cols; ++j) {
            const double v = soothi_abs((double)table->x[i * table->stride + j]);
            if (v > reach[0][j]) reach[0][j] = v;
            if (v > reach[0][column]) column = j;
        }
    const double widest = reach[0][column];
    for (size_t k = 0; k < m->layers; ++k) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + k;
        for (size_t o = 0; o < l->outputs; ++o) {
            double sum = soothi_abs((double)sooth_mlp_bias(m, k, o));
            for (size_t i = 0; i < l->inputs; ++i)
                sum += soothi_abs((double)sooth_mlp_weight(m, k, o, i)) * reach[k % 2][i];
            if (!(sum < 3e38))
                return sooth_fail(
                    env, SOOTH_BAD_DATA,
                    "with values up to %G in %s, neuron %z of layer %z can reach %G, which overflows a float",
                    widest, soothi_column(table, column, buffer), o + 1, k + 1, sum);
            reach[(k + 1) % 2][o] = soothi_mlp_reach(l->activation, sum);
        }
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_mlp_fit(sooth_env *env, const sooth_table *table,
                                     const sooth_mlp_options *options, sooth_mlp **model) {
    soothi_mlp_training t;
    soothi_mlp_shape shape;
    sooth_status status = sooth_mlp_check_options(env, table, options);
    *model = NULL;
    if (status != SOOTH_OK) return status;
    memset(&t, 0, sizeof t);
    t.env = env;
    t.table = table;
    t.o = soothi_mlp_resolve(options, table->rows);
    soothi_mlp_shape_of(&t.o, table->cols, table->targets, &shape);
    status = soothi_mlp_new(env, &shape, model);
    if (status == SOOTH_OK) status = soothi_mlp_fit_model(&t, *model);
    if (status == SOOTH_OK || status == SOOTH_NOT_CONVERGED) {
        const sooth_status bounded = soothi_mlp_bounded(env, table, *model);
        if (bounded != SOOTH_OK) status = bounded;
    }
    if (status == SOOTH_OK || status == SOOTH_NOT_CONVERGED) {
        soothi_block_seal(&(*model)->head);
    } else {
        sooth_mlp_free(env, *model);
        *model = NULL;
    }
    return status;
}

SOOTH_API sooth_status sooth_mlp_gradient(sooth_env *env, const sooth_mlp *model, const sooth_table *table,
                                          const sooth_mlp_options *options, double *loss, float *gradient) {
    soothi_mlp_training t;
    memset(&t, 0, sizeof t);
    t.env = env;
    t.table = table;
    t.o = soothi_mlp_resolve(options, table->rows);
    sooth_status status = soothi_mlp_check_input(env, table, &t.o);
    if (status == SOOTH_OK) status = soothi_mlp_need_floats(env, model);
    if (status != SOOTH_OK) return status;
    if (table->cols != model->head.features || table->targets != model->head.targets)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z columns and %z targets, but the network has %u and %u",
                          table->cols, table->targets, model->head.features, model->head.targets);
    if (t.o.loss == SOOTH_MLP_LOGISTIC &&
        sooth_mlp_layers(model)[model->layers - 1].activation != SOOTH_MLP_SIGMOID)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "loss=logistic needs sigmoid outputs, but the network has others");
    t.o.dropout = 0.0;
    t.o.no_target_scale = 1;
    t.o.optimiser = SOOTH_MLP_SGD;
    status = soothi_mlp_open(&t, model, 0, "the gradient of a network");
    if (status != SOOTH_OK) return status;
    *loss = soothi_mlp_gradient_of(&t, NULL, 0, table->rows);
    if (gradient) memcpy(gradient, t.gradient, t.floats * sizeof(float));
    sooth_free(env, t.memory, t.bytes, 1);
    return SOOTH_OK;
}

SOOTH_API size_t sooth_mlp_size(const sooth_mlp_options *options, size_t cols, size_t targets) {
    const sooth_mlp_options o = soothi_mlp_resolve(options, 0);
    soothi_mlp_shape shape;
    if (cols == 0 || cols > SOOTH_MLP_MAX_WIDTH || targets == 0 || targets > SOOTH_MLP_MAX_WIDTH ||
        soothi_mlp_check_fields(NULL, &o, targets) != SOOTH_OK)
        return 0;
    soothi_mlp_shape_of(&o, cols, targets, &shape);
    return soothi_mlp_shape_bytes(&shape);
}

SOOTH_API size_t sooth_mlp_scratch_size(const sooth_mlp_options *options, size_t rows, size_t cols,
                                        size_t targets) {
    soothi_mlp_training t;
    soothi_mlp_shape shape;
    if (sooth_mlp_size(options, cols, targets) == 0) return 0;
    memset(&t, 0, sizeof t);
    t.o = soothi_mlp_resolve(options, rows);
    soothi_mlp_shape_of(&t.o, cols, targets, &shape);
    soothi_mlp_choose(&t, shape.layer, shape.layers, shape.floats);
    soothi_mlp_plan(&t, rows, NULL);
    return t.bytes;
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_MLP_QUANTISE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MLP_QUANTISE_IMPLEMENTED))
#include "mlp/quantise.h"
#endif
