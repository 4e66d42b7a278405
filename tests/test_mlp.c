/* test_mlp.c - networks against scikit-learn's and numpy's, gradients against differences, and what mlp.h
 * promises.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/mlp.h"
#include "check.h"
#include "networks.h"
#include "golden/mlp.h"
#include "lies.h"

#define GOLDEN_HASH 0x7e7d3a3a0d00631eull /* see same_bits_everywhere */

/* ---- a network on one page ---- */

/* What mlp.h does with vectors and panels of rows stands here in plain loops: the oracle of the test below,
 * and the text to read first. A layer is an array: W (outputs x inputs, row by row), then b (outputs). */

/* y = f(W x + b), f is tanh or nothing. */
static void layer_forward(const double *w, size_t inputs, size_t outputs, int f, const double *x, double *y) {
    const double *b = w + outputs * inputs;
    size_t o, i;
    for (o = 0; o < outputs; ++o) {
        double v = b[o];
        for (i = 0; i < inputs; ++i) v += w[o * inputs + i] * x[i];
        y[o] = f ? tanh(v) : v;
    }
}

/* From d_y = dL/dy, the derivatives of the loss by the layer's outputs: adds dL/dW and dL/db to d_w, and
 * returns dL/dx in d_x, which is d_y of the layer before. delta is dL/dv for v = W x + b. */
static void layer_backward(const double *w, size_t inputs, size_t outputs, int f, const double *x,
                           const double *y, const double *d_y, double *d_w, double *d_x) {
    size_t o, i;
    for (i = 0; i < inputs; ++i) d_x[i] = 0;
    for (o = 0; o < outputs; ++o) {
        const double delta = d_y[o] * (f ? 1 - y[o] * y[o] : 1); /* tanh' = 1 - tanh^2 */
        for (i = 0; i < inputs; ++i) {
            d_w[o * inputs + i] += delta * x[i];
            d_x[i] += delta * w[o * inputs + i];
        }
        d_w[outputs * inputs + o] += delta;
    }
}

/* Adam's step t = 1, 2, ... (Kingma and Ba, 2015); epsilon is the one at the end of their section 2. */
static void adam_step(double *p, const double *g, double *m, double *v, size_t n, double rate, double t) {
    const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 / sqrt(1 - pow(beta2, t));
    size_t i;
    for (i = 0; i < n; ++i) {
        double m_hat, v_hat;
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        m_hat = m[i] / (1 - pow(beta1, t));
        v_hat = v[i] / (1 - pow(beta2, t));
        p[i] -= rate * m_hat / (sqrt(v_hat) + epsilon);
    }
}

/* The three together: 5 inputs, 11 tanh neurons, 2 outputs, the mean of e^2 / 2 over rows and outputs. */
enum {
    PAGE_ROWS = 45,
    PAGE_IN = 5,
    PAGE_MIDDLE = 11,
    PAGE_OUT = 2,
    PAGE_FIRST = (PAGE_IN + 1) * PAGE_MIDDLE
};
enum { PAGE_WEIGHTS = PAGE_FIRST + (PAGE_MIDDLE + 1) * PAGE_OUT };

static void page_gradient(const double *p, const float *rows, const float *targets, double *g) {
    double x[PAGE_IN], h[PAGE_MIDDLE], y[PAGE_OUT], d_y[PAGE_OUT], d_h[PAGE_MIDDLE], d_x[PAGE_IN];
    size_t r, j;
    for (j = 0; j < PAGE_WEIGHTS; ++j) g[j] = 0;
    for (r = 0; r < PAGE_ROWS; ++r) {
        for (j = 0; j < PAGE_IN; ++j) x[j] = rows[r * PAGE_IN + j];
        layer_forward(p, PAGE_IN, PAGE_MIDDLE, 1, x, h);
        layer_forward(p + PAGE_FIRST, PAGE_MIDDLE, PAGE_OUT, 0, h, y);
        for (j = 0; j < PAGE_OUT; ++j) d_y[j] = (y[j] - targets[r * PAGE_OUT + j]) / (PAGE_ROWS * PAGE_OUT);
        layer_backward(p + PAGE_FIRST, PAGE_MIDDLE, PAGE_OUT, 0, h, y, d_y, g + PAGE_FIRST, d_h);
        layer_backward(p, PAGE_IN, PAGE_MIDDLE, 1, x, h, d_h, g, d_x);
    }
}

/* Number k of the array above, of a model. */
static double page_weight(const sooth_mlp *m, const float *floats, size_t k) {
    const size_t layer = k >= PAGE_FIRST, inputs = layer ? PAGE_MIDDLE : PAGE_IN;
    const size_t outputs = layer ? PAGE_OUT : PAGE_MIDDLE, at = k - layer * PAGE_FIRST;
    const sooth_mlp_layer *l = sooth_mlp_layers(m) + layer;
    if (at >= inputs * outputs) return floats[l->biases_at + at - inputs * outputs];
    return floats[soothi_mlp_place(l, at / inputs, at % inputs)];
}

/* Gradient and four steps of Adam, to what float rounds away. */
static void training_is_the_plain_loops(void) {
    const uint32_t outputs[2] = {PAGE_MIDDLE, PAGE_OUT}, f[2] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    static float rows[PAGE_ROWS * PAGE_IN], targets[PAGE_ROWS * PAGE_OUT], start[PAGE_WEIGHTS], gradient[256];
    double p[PAGE_WEIGHTS], g[PAGE_WEIGHTS], m[PAGE_WEIGHTS] = {0}, v[PAGE_WEIGHTS] = {0}, loss, worst = 0;
    sooth_table table = table_of(rows, targets, PAGE_ROWS, PAGE_IN, PAGE_OUT);
    sooth_mlp_options o = {.hidden_1 = PAGE_MIDDLE,
                           .activation = SOOTH_MLP_TANH,
                           .schedule = SOOTH_MLP_CONSTANT,
                           .epochs = 4,
                           .patience = 99,
                           .no_target_scale = 1};
    sooth_mlp *first, *last;
    size_t k, t;
    fill(rows, PAGE_ROWS * PAGE_IN, 61);
    fill(targets, PAGE_ROWS * PAGE_OUT, 62);
    fill(start, PAGE_WEIGHTS, 63);
    for (k = 0; k < PAGE_WEIGHTS; ++k) p[k] = start[k];
    CHECK_STATUS(sooth_mlp_make(&env, PAGE_IN, 2, outputs, f, 0, 0, start, &first), SOOTH_OK);
    CHECK_STATUS(sooth_mlp_gradient(&env, first, &table, &o, &loss, gradient), SOOTH_OK);
    page_gradient(p, rows, targets, g);
    for (k = 0; k < PAGE_WEIGHTS; ++k) CHECK_NEAR(page_weight(first, gradient, k), g[k], 1e-7);
    for (t = 1; t <= o.epochs; ++t) {
        page_gradient(p, rows, targets, g);
        adam_step(p, g, m, v, PAGE_WEIGHTS, 0.05, (double)t);
    }
    o.batch_size = PAGE_ROWS;
    o.learning_rate = 0.05;
    o.warm_start = first;
    last = fit(&table, &o);
    for (k = 0; k < PAGE_WEIGHTS; ++k)
        worst = fmax(worst, fabs(page_weight(last, soothi_mlp_floats(last), k) - p[k]));
    CHECK(worst < 2e-6);
    if (!(worst < 2e-6)) printf("  off by %g\n", worst);
    sooth_mlp_free(&env, first);
    sooth_mlp_free(&env, last);
}

/* ---- what others say ---- */

/* Float sums of some hundred terms. predict and predict_many agree to the last bit, however many rows. */
static void predictions_equal_scikit_learn(void) {
    size_t k, i, j, rows;
    for (k = 0; k < sizeof golden_networks / sizeof *golden_networks; ++k) {
        const golden_network *g = &golden_networks[k];
        uint32_t activation[4], targets = g->outputs[g->layers - 1];
        float out[golden_rows * 4];
        sooth_mlp *model;
        for (i = 0; i + 1 < g->layers; ++i)
            activation[i] = g->activation[0] == 'r'   ? SOOTH_MLP_RELU
                            : g->activation[0] == 't' ? SOOTH_MLP_TANH
                            : g->activation[0] == 'l' ? SOOTH_MLP_SIGMOID
                                                      : SOOTH_MLP_LINEAR;
        activation[i] = SOOTH_MLP_LINEAR;
        sooth_env_init(&env);
        CHECK_STATUS(
            sooth_mlp_make(&env, golden_cols, g->layers, g->outputs, activation, 0, 0.01, g->weights, &model),
            SOOTH_OK);
        CHECK(sooth_mlp_check(model, model->head.size));
        for (rows = 1; rows <= golden_rows; ++rows) {
            sooth_mlp_predict_many(model, golden_x, rows, golden_cols, out);
            for (i = 0; i < rows; ++i) {
                CHECK(out[i * targets] == sooth_mlp_predict(model, golden_x + i * golden_cols));
                for (j = 0; j < targets; ++j)
                    CHECK_NEAR(out[i * targets + j], g->predictions[i * targets + j], 2e-6);
            }
        }
        CHECK(sooth_mlp_weight(model, 0, 1, 2) == g->weights[5]);
        CHECK(sooth_mlp_bias(model, 0, 1) == g->weights[3 * g->outputs[0] + 1]);
        sooth_mlp_free(&env, model);
    }
}

/* Six steps from given weights, all rows in one batch. */
static void steps_equal(const char *what, const sooth_mlp_options *given, const double *expected) {
    const uint32_t outputs[3] = {5, 4, 1};
    const uint32_t activation[3] = {SOOTH_MLP_TANH, SOOTH_MLP_TANH,
                                    given->loss == SOOTH_MLP_LOGISTIC ? SOOTH_MLP_SIGMOID : SOOTH_MLP_LINEAR};
    static float classes[golden_rows];
    const int logistic = given->loss == SOOTH_MLP_LOGISTIC;
    sooth_table table = table_of(golden_x, logistic ? classes : golden_y, golden_rows, golden_cols, 1);
    sooth_mlp_options options = *given;
    sooth_mlp *start, *model;
    size_t i, j, o, k = 0;
    double worst = 0;
    for (i = 0; i < golden_rows; ++i) classes[i] = golden_y[i] > 0.0f;
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, golden_start, &start),
                 SOOTH_OK);
    options.hidden_1 = 5;
    options.hidden_2 = 4;
    options.activation = SOOTH_MLP_TANH;
    options.no_target_scale = 1;
    options.epochs = golden_epochs;
    options.batch_size = golden_rows;
    options.patience = 100;
    options.warm_start = start;
    model = fit(&table, &options);
    for (i = 0; i < 3; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(model) + i;
        for (o = 0; o < l->outputs; ++o)
            for (j = 0; j < l->inputs; ++j)
                worst = fmax(worst, fabs(sooth_mlp_weight(model, i, o, j) - expected[k++]));
        for (o = 0; o < l->outputs; ++o)
            worst = fmax(worst, fabs(sooth_mlp_bias(model, i, o) - expected[k++]));
    }
    CHECK(worst < 2e-6);
    if (!(worst < 2e-6)) printf("  %s: %g\n", what, worst);
    sooth_mlp_free(NULL, model);
    sooth_mlp_free(NULL, start);
}

static void steps_equal_scikit_learn(void) {
    sooth_mlp_options options = defaults();
    options.schedule = SOOTH_MLP_CONSTANT;
    options.learning_rate = 0.03;
    steps_equal("adam", &options, golden_adam);
    options.optimiser = SOOTH_MLP_SGD;
    options.learning_rate = 0.1;
    options.momentum = 0.9;
    steps_equal("momentum", &options, golden_momentum);
    options.nesterov = 1;
    steps_equal("nesterov", &options, golden_nesterov);
    options.nesterov = 0;
    options.loss = SOOTH_MLP_LOGISTIC;
    steps_equal("logistic, momentum", &options, golden_logistic_momentum);
    options = defaults();
    options.schedule = SOOTH_MLP_CONSTANT;
    options.learning_rate = 0.03;
    options.loss = SOOTH_MLP_LOGISTIC;
    steps_equal("logistic, adam", &options, golden_logistic_adam);
}

static void steps_equal_the_formulas(void) {
    sooth_mlp_options options = defaults();
    options.schedule = SOOTH_MLP_CONSTANT;
    options.learning_rate = 0.05;
    options.weight_decay = 0.3;
    options.beta1 = 0.8;
    options.beta2 = 0.99;
    options.epsilon = 1e-6;
    steps_equal("adamw", &options, golden_adamw);
    options = defaults();
    options.schedule = SOOTH_MLP_CONSTANT;
    options.optimiser = SOOTH_MLP_SGD;
    options.learning_rate = 0.5;
    options.clip = 0.1;
    steps_equal("clip", &options, golden_clip);
    options.clip = 0;
    options.lambda = 0.2;
    steps_equal("lambda", &options, golden_lambda);
    options.lambda = 0;
    options.lambda_norm = 0.4;
    steps_equal("lambda_norm", &options, golden_lambda_norm);
    options.lambda_norm = 0;
    options.decay = 0.3;
    options.decay_epochs = 2;
    options.schedule = SOOTH_MLP_STEP;
    steps_equal("step", &options, golden_step);
    options.schedule = SOOTH_MLP_EXPONENTIAL;
    steps_equal("exponential", &options, golden_exponential);
    options.schedule = SOOTH_MLP_INVERSE_TIME;
    steps_equal("inverse time", &options, golden_inverse_time);
    options.schedule = SOOTH_MLP_COSINE;
    steps_equal("cosine", &options, golden_cosine);
}

/* The loss is judged before every step, so the weights after six are those that a seventh epoch judges. */
static void rprop_equals_the_formulas(void) {
    sooth_table table = table_of(golden_x, golden_y, golden_rows, golden_cols, 1);
    const uint32_t outputs[3] = {5, 4, 1}, activation[3] = {SOOTH_MLP_TANH, SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    sooth_mlp *start, *expected;
    float weights[64];
    sooth_mlp_options options = defaults();
    double a, b;
    size_t i;
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, golden_start, &start),
                 SOOTH_OK);
    for (i = 0; i < sizeof golden_rprop / sizeof *golden_rprop; ++i) weights[i] = (float)golden_rprop[i];
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, weights, &expected),
                 SOOTH_OK);
    CHECK_STATUS(sooth_mlp_gradient(NULL, start, &table, NULL, &a, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_mlp_gradient(NULL, expected, &table, NULL, &b, NULL), SOOTH_OK);
    CHECK(b < 0.7 * a);
    options.optimiser = SOOTH_MLP_RPROP;
    options.learning_rate = 0.03;
    options.hidden_1 = 5;
    options.hidden_2 = 4;
    options.activation = SOOTH_MLP_TANH;
    options.no_target_scale = 1;
    options.epochs = golden_epochs + 1;
    options.warm_start = start;
    sooth_mlp_free(NULL, start);
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, golden_start, &start),
                 SOOTH_OK);
    options.warm_start = start;
    {
        sooth_mlp *model = fit(&table, &options);
        CHECK(model->epochs == golden_epochs + 1);
        CHECK_CLOSE(model->loss, b, 1e-6);
        for (i = 0; i < 5; ++i) CHECK_NEAR(sooth_mlp_bias(model, 0, i), sooth_mlp_bias(expected, 0, i), 1e-6);
        sooth_mlp_free(NULL, model);
    }
    sooth_mlp_free(NULL, expected);
    sooth_mlp_free(NULL, start);
}

/* One layer has one minimum: scipy's L-BFGS in double finds the same. */
static void lbfgs_finds_the_minimum(void) {
    const double *expected[3] = {golden_minimum_squared, golden_minimum_softplus, golden_minimum_logistic};
    static float y[golden_rows];
    const uint32_t none[1] = {0};
    sooth_table table = table_of(golden_x, y, golden_rows, golden_cols, 1);
    size_t k, i;
    for (k = 0; k < 3; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        for (i = 0; i < golden_rows; ++i)
            y[i] = k == 0 ? golden_y[i] : k == 1 ? 2 * golden_y[i] + 3 : (float)(golden_y[i] > 0.0f);
        if (k == 2) o.loss = SOOTH_MLP_LOGISTIC;
        o.hidden = none;
        o.optimiser = SOOTH_MLP_LBFGS;
        o.output = k == 1 ? SOOTH_MLP_POSITIVE : SOOTH_MLP_ANY;
        o.no_target_scale = 1;
        o.lambda = k == 0 ? 0.05 : 0.01;
        o.tolerance = 1e-12;
        m = fit(&table, &o);
        CHECK_CLOSE(m->loss, expected[k][golden_cols + 1], 1e-6);
        for (i = 0; i < golden_cols; ++i) CHECK_NEAR(sooth_mlp_weight(m, 0, 0, i), expected[k][i], 1e-3);
        CHECK_NEAR(sooth_mlp_bias(m, 0, 0), expected[k][golden_cols], 1e-3);
        sooth_mlp_free(&env, m);
    }
}

/* ---- gradients ---- */

/* The network in double, by its definition. p: the parameters of the block. */
static void forward(const sooth_mlp *m, const double *p, const float *row, double *out) {
    double v[64], next[64];
    size_t i, j, o;
    for (j = 0; j < m->head.features; ++j) v[j] = row[j];
    for (i = 0; i < m->layers; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
        for (o = 0; o < l->outputs; ++o) {
            double s = l->biases_at ? p[l->biases_at + o] : 0;
            for (j = 0; j < l->inputs; ++j) s += v[j] * p[soothi_mlp_place(l, o, j)];
            switch (l->activation) {
            case SOOTH_MLP_RELU: s = s > 0 ? s : 0; break;
            case SOOTH_MLP_LEAKY_RELU: s = s > 0 ? s : (double)m->leak * s; break;
            case SOOTH_MLP_SIGMOID: s = 1 / (1 + exp(-s)); break;
            case SOOTH_MLP_TANH: s = tanh(s); break;
            case SOOTH_MLP_SOFTPLUS: s = log1p(exp(s)); break;
            case SOOTH_MLP_AT_LEAST_ONE: s = 1 + log1p(exp(s)); break;
            default: break;
            }
            next[o] = s;
        }
        memcpy(v, next, l->outputs * sizeof *v);
    }
    memcpy(out, v, m->head.targets * sizeof *out);
}

static double one_loss(const sooth_mlp_options *o, double y, double f) {
    double e = y - f, delta = o->huber_delta > 0 ? o->huber_delta : 1,
           q = o->quantile > 0 ? o->quantile : 0.5;
    switch (o->loss) {
    case SOOTH_MLP_ABSOLUTE: return fabs(e);
    case SOOTH_MLP_HUBER: return fabs(e) <= delta ? e * e / 2 : delta * (fabs(e) - delta / 2);
    case SOOTH_MLP_PINBALL: return e > 0 ? q * e : (q - 1) * e;
    case SOOTH_MLP_RELATIVE:
    case SOOTH_MLP_THEMIS: return e * e / (y * y) / 2;
    case SOOTH_MLP_RELATIVE_ABSOLUTE: return fabs(e / y);
    case SOOTH_MLP_LOGISTIC: return -(y * log(f) + (1 - y) * log(1 - f));
    default: return e * e / 2;
    }
}

static double derive(const sooth_mlp_term *t, const double *v) {
    switch (t->derived) {
    case SOOTH_MLP_PRODUCT: return v[t->first] * v[t->second];
    case SOOTH_MLP_RATIO: return v[t->first] / v[t->second];
    case SOOTH_MLP_SUM: return v[t->first] + v[t->second];
    default: return v[t->first];
    }
}

/* The loss by its definition: eq. 8 of Themis for the loss of that name. */
static double loss_of(const sooth_mlp *m, const double *p, const sooth_table *table,
                      const sooth_mlp_options *o) {
    static const sooth_mlp_term themis[3] = {
        {SOOTH_MLP_ITSELF, 0, 0, 1}, {SOOTH_MLP_ITSELF, 1, 1, 1}, {SOOTH_MLP_PRODUCT, 0, 1, 2}};
    sooth_mlp_term own[4];
    const sooth_mlp_term *term = o->loss == SOOTH_MLP_THEMIS ? themis : o->terms;
    size_t terms = o->loss == SOOTH_MLP_THEMIS ? 3 : o->term_count, i, j, k, n;
    double loss = 0, squares = 0, norm = o->lambda_norm;
    if (!term) {
        terms = table->targets;
        for (k = 0; k < terms; ++k) {
            own[k].derived = SOOTH_MLP_ITSELF;
            own[k].first = own[k].second = (uint32_t)k;
            own[k].weight = 1.0 / (double)terms;
        }
        term = own;
    }
    for (k = 0; k < terms; ++k) {
        double sum = 0, weight = 0;
        for (i = 0; i < table->rows; ++i) {
            double out[4], y[4], w = table->weight ? table->weight[i] : 1;
            forward(m, p, table->x + i * table->stride, out);
            for (j = 0; j < table->targets; ++j) y[j] = table->y[i * table->targets + j];
            sum += w * one_loss(o, derive(&term[k], y), derive(&term[k], out));
            weight += w;
        }
        sum /= weight;
        loss += term[k].weight * (o->root || o->loss == SOOTH_MLP_THEMIS ? sqrt(2 * sum) : sum);
    }
    for (i = 0; i < m->layers; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
        for (j = 0; j < l->inputs; ++j)
            for (n = 0; n < l->outputs; ++n) squares += pow(p[soothi_mlp_place(l, n, j)], 2);
    }
    if (o->loss == SOOTH_MLP_THEMIS && !(o->lambda > 0) && !(norm > 0)) norm = 0.001;
    return loss + o->lambda / 2 * squares + norm * sqrt(squares);
}

/* The length of (gradient - central differences in double) by that of the gradient. */
static double gradient_error(const sooth_mlp *m, const sooth_table *table, const sooth_mlp_options *o) {
    static double p[4096];
    static float g[4096];
    double loss, error = 0, length = 0;
    size_t i, k, j, n;
    const float *from = soothi_mlp_floats(m);
    CHECK_STATUS(sooth_mlp_gradient(&env, m, table, o, &loss, g), SOOTH_OK);
    for (i = 0; i < m->parameters; ++i) p[i] = from[i];
    CHECK_CLOSE(loss, loss_of(m, p, table, o), 1e-6);
    for (k = 0; k < m->layers; ++k) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + k;
        for (n = 0; n < l->outputs; ++n)
            for (j = 0; j < l->inputs + (l->biases_at != 0); ++j) {
                const double h = 1e-6;
                double up, down, difference;
                i = j < l->inputs ? soothi_mlp_place(l, n, j) : l->biases_at + n;
                p[i] += h;
                up = loss_of(m, p, table, o);
                p[i] -= 2 * h;
                down = loss_of(m, p, table, o);
                p[i] += h;
                difference = (up - down) / (2 * h);
                error += pow(difference - g[i], 2);
                length += difference * difference;
            }
    }
    return sqrt(error / length);
}

/* A sum that is exactly 0 has a ReLU without derivative there: where all neurons before are silent and the
   bias is 0. */
static void off_the_kinks(sooth_mlp *m) {
    float *p = soothi_mlp_own_floats(m);
    size_t i, o;
    for (i = 0; i < m->layers; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
        for (o = 0; l->biases_at && o < l->outputs; ++o)
            p[l->biases_at + o] += 0.01f * (float)(o % 3) - 0.008f;
    }
}

/* Every shape x activation x loss: one of targets, products, ratios, sums; with and without root. */
static void gradients_equal_differences(void) {
    static const uint32_t shapes[4][3] = {{5, 0, 0}, {3, 4, 0}, {6, 2, 5}, {1, 0, 0}},
                          layers[4] = {1, 2, 3, 1};
    static const sooth_mlp_term derived[4] = {{SOOTH_MLP_PRODUCT, 0, 1, 1.5},
                                              {SOOTH_MLP_RATIO, 1, 0, 0.5},
                                              {SOOTH_MLP_SUM, 0, 1, 1},
                                              {SOOTH_MLP_ITSELF, 1, 0, 2}};
    static float x[20 * 3], y[20 * 2], classes[20 * 2], weight[20];
    uint32_t shape, activation, loss, kind;
    double worst = 0;
    size_t i;
    fill(x, 60, 1);
    fill(y, 40, 2);
    fill(weight, 20, 3);
    for (i = 0; i < 40; ++i) classes[i] = y[i] > 0.0f;
    for (i = 0; i < 40; ++i) y[i] = 1.5f + y[i]; /* nothing to divide by is near 0 */
    for (i = 0; i < 20; ++i) weight[i] += 1.1f;
    for (shape = 0; shape < 4; ++shape)
        for (activation = 0; activation < SOOTH_MLP_ACTIVATIONS; ++activation)
            for (loss = 0; loss <= SOOTH_MLP_LOGISTIC; ++loss)
                for (kind = 0; kind < 4; ++kind) {
                    const uint32_t use[3] = {activation, activation, activation};
                    sooth_table table = table_of(x, loss == SOOTH_MLP_LOGISTIC ? classes : y, 20, 3, 2);
                    sooth_mlp_options o = defaults();
                    sooth_mlp *m;
                    double error;
                    o.hidden = shapes[shape];
                    o.hidden_count = layers[shape];
                    o.activations = use;
                    o.loss = loss;
                    o.root = kind & 1;
                    o.output = loss == SOOTH_MLP_LOGISTIC ? SOOTH_MLP_ANY : (activation + loss + shape) % 4;
                    if (kind & 2) {
                        if (loss == SOOTH_MLP_THEMIS || loss == SOOTH_MLP_LOGISTIC) continue;
                        o.terms = derived;
                        o.term_count = 4;
                        o.output = 1 + o.output % 3;
                        table.weight = weight;
                        o.lambda = 0.1;
                        o.lambda_norm = 0.2;
                    }
                    o.no_bias = shape == 1;
                    o.no_target_scale = 1;
                    o.leak = 0.1;
                    o.huber_delta = 0.4;
                    o.quantile = 0.3;
                    o.epochs = 1;
                    o.learning_rate = 0.001; /* stays near the first weights */
                    o.seed = shape + 10 * activation + 100 * loss + kind;
                    m = fit(&table, &o);
                    off_the_kinks(m);
                    error = gradient_error(m, &table, &o);
                    worst = fmax(worst, error);
                    CHECK(error < 1e-6);
                    if (!(error < 1e-6))
                        printf("  shape %u, activation %u, loss %u, kind %u: %g\n", shape, activation, loss,
                               kind, error);
                    sooth_mlp_free(&env, m);
                }
    printf("  worst gradient error %.2g\n", worst);
}

/* Two classes: weights count like repeated rows; what is learned is near the odds; a network that is sure and
   wrong is drawn back, though the sigmoid is flat there; what is no class or no probability is refused. */
static void probabilities_are_learned(void) {
    enum { N = 600 };
    static float x[N * 2], y[N], truth[N], weight[N];
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_SIGMOID}, none[1] = {0};
    const float sure[3] = {0, 0, 200}; /* of a 1, in every row */
    static const sooth_mlp_term product = {SOOTH_MLP_PRODUCT, 0, 0, 1};
    sooth_table table = table_of(x, y, N, 2, 1), classes = table;
    sooth_mlp_options o = defaults();
    sooth_mlp *m = NULL;
    double off = 0, loss;
    float g[4];
    sooth_rng rng;
    sooth_rng_init(&rng, 40, 0);
    for (size_t i = 0; i < N; ++i) {
        x[2 * i] = 2 * sooth_rng_float(&rng) - 1;
        x[2 * i + 1] = 2 * sooth_rng_float(&rng) - 1;
        truth[i] = sooth_sigmoid(2 * x[2 * i] - 3 * x[2 * i + 1] * x[2 * i]);
        y[i] = sooth_rng_float(&rng) < truth[i];
        weight[i] = 2;
    }
    o.hidden_1 = 12;
    o.loss = SOOTH_MLP_LOGISTIC;
    o.epochs = 60;
    o.learning_rate = 0.01;
    o.lambda = 0.01;
    m = fit(&table, &o);
    CHECK(sooth_mlp_layers(m)[1].activation == SOOTH_MLP_SIGMOID);
    for (size_t i = 0; i < N; ++i) {
        const float p = sooth_mlp_predict(m, x + 2 * i);
        CHECK(p > 0 && p < 1);
        off += fabs((double)p - (double)truth[i]) / N;
    }
    CHECK(off < 0.08);
    sooth_mlp_free(&env, m);
    table.weight = weight;
    CHECK_STATUS(sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0.01, sure, &m), SOOTH_OK);
    o = defaults();
    o.hidden = none;
    o.loss = SOOTH_MLP_LOGISTIC;
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &table, &o, &loss, g), SOOTH_OK);
    double zeros = 0;
    for (size_t i = 0; i < N; ++i) zeros += (double)(1 - y[i]) / N;
    CHECK_CLOSE(loss, zeros * 24 * log(2), 1e-6); /* nobody is surer than 1 - 2^-24 */
    CHECK_CLOSE(g[sooth_mlp_layers(m)[0].biases_at], zeros, 1e-6);
    sooth_mlp_free(&env, m);
    const uint32_t line[1] = {SOOTH_MLP_LINEAR};
    CHECK_STATUS(sooth_mlp_make(&env, 2, 1, outputs, line, 0, 0.01, sure, &m), SOOTH_OK);
    CHECK_FAILS(&env, sooth_mlp_gradient(&env, m, &table, &o, &loss, g), SOOTH_BAD_ARGUMENT,
                "needs sigmoid outputs");
    sooth_mlp_free(&env, m);
    o.output = SOOTH_MLP_POSITIVE;
    CHECK_FAILS(&env, sooth_mlp_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT, "output must be zero_to_one");
    o.output = SOOTH_MLP_ZERO_TO_ONE;
    o.terms = &product;
    o.term_count = 1;
    CHECK_FAILS(&env, sooth_mlp_fit(&env, &table, &o, &m), SOOTH_BAD_ARGUMENT,
                "terms[0] is a product, ratio or sum");
    o.terms = NULL;
    classes.y = truth;
    CHECK_FAILS(&env, sooth_mlp_fit(&env, &classes, &o, &m), SOOTH_BAD_DATA,
                "but the logistic loss takes 0 and 1 only");
    CHECK(m == NULL);
}

/* More rows than go through the layers together, the loss a root over all of them. */
static void gradients_of_many_rows(void) {
    static float x[150 * 4], y[150 * 2];
    sooth_table table = table_of(x, y, 150, 4, 2);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    size_t i;
    fill(x, 600, 4);
    fill(y, 300, 5);
    for (i = 0; i < 300; ++i) y[i] = 2 + y[i];
    o.hidden_1 = 9;
    o.activation = SOOTH_MLP_TANH;
    o.loss = SOOTH_MLP_THEMIS;
    o.output = SOOTH_MLP_FROM_ONE;
    o.epochs = 1;
    m = fit(&table, &o);
    CHECK(gradient_error(m, &table, &o) < 1e-6);
    table.rows = 64;
    CHECK(gradient_error(m, &table, &o) < 1e-6);
    table.rows = 65;
    CHECK(gradient_error(m, &table, &o) < 1e-6);
    sooth_mlp_free(&env, m);
}

/* Weight 3 is three rows. */
static void weights_repeat_rows(void) {
    static float x[20 * 3], y[20], twice_x[40 * 3], twice_y[40], weight[20], a[256], b[256];
    sooth_table table = table_of(x, y, 20, 3, 1), repeated = table_of(twice_x, twice_y, 0, 3, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    double one, other;
    size_t i, n = 0, k;
    fill(x, 60, 6);
    fill(y, 20, 7);
    for (i = 0; i < 20; ++i)
        for (weight[i] = (float)(i % 3), k = 0; k < i % 3; ++k) {
            memcpy(twice_x + 3 * n, x + 3 * i, 3 * sizeof *x);
            twice_y[n++] = y[i];
        }
    repeated.rows = n;
    o.hidden_1 = 12;
    o.epochs = 2;
    m = fit(&table, &o);
    table.weight = weight;
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &table, &o, &one, a), SOOTH_OK);
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &repeated, &o, &other, b), SOOTH_OK);
    CHECK_CLOSE(one, other, 1e-6);
    for (i = 0; i < m->parameters; ++i) CHECK_NEAR(a[i], b[i], 1e-6);
    sooth_mlp_free(&env, m);
}

/* ---- Themis ---- */

static void themis_has_312_weights(void) {
    static float x[32 * 12], y[32 * 2];
    sooth_table table = table_of(x, y, 32, 12, 2);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    size_t i;
    fill(x, 32 * 12, 8);
    fill(y, 64, 9);
    for (i = 0; i < 64; ++i) y[i] = 2 + y[i];
    o.hidden_1 = o.hidden_2 = 12;
    o.activation = SOOTH_MLP_LEAKY_RELU;
    o.output = SOOTH_MLP_LEAKY_OUTPUT;
    o.loss = SOOTH_MLP_THEMIS;
    o.epochs = 3;
    o.no_bias = 1;
    m = fit(&table, &o);
    CHECK(sooth_mlp_weights(m) == 312);
    CHECK(4 * m->parameters == 1248);              /* bytes, Table IV */
    CHECK(sooth_mlp_cost(m).multiply_adds == 338); /* with one multiplication per leaky ReLU, Table IV */
    CHECK(m->head.size == sooth_mlp_size(&o, 12, 2));
    sooth_mlp_free(&env, m);
    o.no_bias = 0;
    m = fit(&table, &o);
    CHECK(sooth_mlp_weights(m) == 338);
    sooth_mlp_free(&env, m);
}

/* Two slowdowns and their product, from inputs that determine them: errors of a few percent. */
static void themis_learns_both_slowdowns(void) {
    static float x[600 * 12], y[600 * 2], out[600 * 2];
    sooth_table table = table_of(x, y, 400, 12, 2);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    double error[3] = {0, 0, 0};
    size_t i;
    fill(x, 600 * 12, 10);
    for (i = 0; i < 600; ++i) {
        const float *v = x + 12 * i;
        y[2 * i] = 1 + (1 + v[0]) * (1 + 0.5f * v[1] * v[1]);
        y[2 * i + 1] = 1 + (1 + v[2]) * 0.6f + 0.3f * v[3] * v[3];
    }
    o.hidden_1 = o.hidden_2 = 12;
    o.activation = SOOTH_MLP_LEAKY_RELU;
    o.output = SOOTH_MLP_FROM_ONE;
    o.loss = SOOTH_MLP_THEMIS;
    o.learning_rate = 0.01;
    o.schedule = SOOTH_MLP_COSINE;
    o.epochs = 300;
    o.patience = 300;
    m = fit(&table, &o);
    sooth_mlp_predict_many(m, x + 400 * 12, 200, 12, out);
    for (i = 0; i < 200; ++i) {
        const float *target = y + 800 + 2 * i;
        error[0] += fabs(out[2 * i] / target[0] - 1) / 200;
        error[1] += fabs(out[2 * i + 1] / target[1] - 1) / 200;
        error[2] += fabs((double)out[2 * i] * out[2 * i + 1] / ((double)target[0] * target[1]) - 1) / 200;
        CHECK(out[2 * i] >= 1 && out[2 * i + 1] >= 1);
    }
    CHECK(error[0] < 0.05 && error[1] < 0.05 && error[2] < 0.06);
    printf("  %.3f %.3f %.3f\n", error[0], error[1], error[2]);
    sooth_mlp_free(&env, m);
}

/* ---- learning ---- */

static double mean_square(const sooth_mlp *m, const sooth_table *table) {
    double sum = 0;
    size_t i;
    for (i = 0; i < table->rows; ++i)
        sum += pow((double)sooth_mlp_predict(m, table->x + i * table->stride) - table->y[i], 2);
    return sum / (double)table->rows;
}

static void exclusive_or_is_learned(void) {
    static const char *const optimisers[] = {"adam", "sgd", "rprop", "lbfgs"};
    const float x[] = {0, 0, 0, 1, 1, 0, 1, 1}, y[] = {0, 1, 1, 0};
    sooth_table table = table_of(x, y, 4, 2, 1);
    size_t k;
    for (k = 0; k < 4; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        o.hidden_1 = 8;
        o.activation = SOOTH_MLP_TANH;
        o.epochs = 1000;
        o.patience = 1000;
        o.learning_rate = k == 0 ? 0.02 : k == 1 ? 0.1 : 0;
        o.momentum = 0.9;
        set(&o, "optimiser", optimisers[k]);
        m = fit(&table, &o);
        CHECK(mean_square(m, &table) < 1e-4);
        if (!(mean_square(m, &table) < 1e-4))
            printf("  %s: %g after %u\n", optimisers[k], mean_square(m, &table), m->epochs);
        sooth_mlp_free(&env, m);
    }
}

static void a_sine_is_learned(void) {
    CHECK_SLOW();
    static const char *const activations[] = {"relu", "leaky_relu", "sigmoid", "tanh", "softplus"};
    static float x[400], y[400];
    sooth_table table = table_of(x, y, 400, 1, 1);
    size_t k, i;
    for (i = 0; i < 400; ++i) {
        x[i] = (float)i / 200 - 1;
        y[i] = sinf(4 * x[i]);
    }
    for (k = 0; k < 5; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        o.hidden_1 = o.hidden_2 = 24;
        o.epochs = 300;
        o.patience = 300;
        o.learning_rate = 0.01;
        o.schedule = SOOTH_MLP_COSINE;
        o.has_weight_decay = 1; /* there is no noise */
        set(&o, "activation", activations[k]);
        m = fit(&table, &o);
        CHECK(mean_square(m, &table) < 1e-3);
        if (!(mean_square(m, &table) < 1e-3)) printf("  %s: %g\n", activations[k], mean_square(m, &table));
        sooth_mlp_free(&env, m);
        o.optimiser = SOOTH_MLP_LBFGS;
        m = fit(&table, &o);
        CHECK(mean_square(m, &table) < 1e-3);
        if (!(mean_square(m, &table) < 1e-3))
            printf("  lbfgs %s: %g\n", activations[k], mean_square(m, &table));
        sooth_mlp_free(&env, m);
    }
}

/* Friedman #1 without noise in five of ten columns: R2 above 0.97 on rows never seen (scikit-learn's
   MLPRegressor with the same settings: 0.98). */
static void friedman(float *x, float *y, size_t n, uint64_t seed) {
    size_t i;
    fill(x, 10 * n, seed);
    for (i = 0; i < n; ++i) {
        const float *v = x + 10 * i;
        y[i] = (float)(10 * sin(3.14159265358979 * (v[0] + 1) * (v[1] + 1) / 4) + 5.0 * v[2] * v[2] +
                       5 * v[3] + 2.5 * v[4] + 14);
    }
}

static void friedman_is_learned(void) {
    static float x[1500 * 10], y[1500];
    sooth_table table = table_of(x, y, 1000, 10, 1), rest = table_of(x + 10000, y + 1000, 500, 10, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    double mean = 0, spread = 0;
    size_t i;
    friedman(x, y, 1500, 11);
    for (i = 0; i < 500; ++i) mean += rest.y[i] / 500;
    for (i = 0; i < 500; ++i) spread += pow(rest.y[i] - mean, 2) / 500;
    o.epochs = 60;
    o.lambda = 1e-4;
    o.learning_rate = 0.003;
    o.schedule = SOOTH_MLP_COSINE;
    o.patience = 60;
    m = fit(&table, &o);
    CHECK(1 - mean_square(m, &rest) / spread > 0.97);
    printf("  r2 %.4f\n", 1 - mean_square(m, &rest) / spread);
    sooth_mlp_free(&env, m);
    o.dropout = 0.1;
    m = fit(&table, &o);
    CHECK(1 - mean_square(m, &rest) / spread > 0.9);
    printf("  dropout r2 %.4f\n", 1 - mean_square(m, &rest) / spread);
    sooth_mlp_free(&env, m);
}

/* A constant under pinball loss is the quantile, under absolute loss the median, under squared the mean. */
static void losses_find_their_centres(void) {
    static const double centre[3] = {0.875, 0.25, 0.3984375};
    static float x[16], y[16];
    sooth_table table = table_of(x, y, 16, 1, 1);
    const uint32_t none[1] = {0};
    size_t i, k;
    for (i = 0; i < 16; ++i) {
        x[i] = 0;
        y[i] = i < 11 ? 0.25f : 0.5f + 0.125f * (float)(i % 4);
    }
    y[15] = 2;
    for (k = 0; k < 3; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        double mean = 0;
        for (i = 0; i < 16; ++i) mean += y[i] / 16;
        o.hidden = none;
        o.hidden_count = 0;
        o.loss = k == 0 ? SOOTH_MLP_PINBALL : k == 1 ? SOOTH_MLP_ABSOLUTE : SOOTH_MLP_SQUARED;
        o.quantile = 0.93; /* between the 14th and the 15th of 16: 0.875 is the 15th */
        o.optimiser = SOOTH_MLP_SGD;
        o.batch_size = 16;
        o.learning_rate = 0.15;
        o.schedule = SOOTH_MLP_INVERSE_TIME;
        o.epochs = 4000;
        o.patience = 4000;
        m = fit(&table, &o);
        CHECK_NEAR(sooth_mlp_predict(m, x), k == 2 ? mean : centre[k], 0.01);
        sooth_mlp_free(&env, m);
    }
}

/* ---- the unit of the targets ---- */

enum { UNIT_ROWS = 120, UNIT_COLS = 3, UNIT_MAX = 3 };

/* Times from 0.3 to 4 that rise and curve, the same for every target but for a factor. */
static sooth_table unit_table(float *x, float *y, const double *unit, size_t targets) {
    fill(x, UNIT_ROWS * UNIT_COLS, 71);
    for (size_t i = 0; i < UNIT_ROWS; ++i)
        for (size_t t = 0; t < targets; ++t) {
            const float *v = x + UNIT_COLS * i;
            y[i * targets + t] =
                (float)(unit[t] * (double)(1.3f + 0.9f * v[0] * v[0] + 0.6f * v[1] + 0.4f * v[2] * v[1]));
        }
    return table_of(x, y, UNIT_ROWS, UNIT_COLS, targets);
}

static double r2_of(const sooth_mlp *m, const sooth_table *table, size_t target) {
    static float out[UNIT_ROWS * UNIT_MAX];
    double mean = 0, error = 0, spread = 0;
    const size_t n = table->targets;
    sooth_mlp_predict_many(m, table->x, table->rows, table->stride, out);
    for (size_t i = 0; i < table->rows; ++i) mean += (double)table->y[i * n + target] / (double)table->rows;
    for (size_t i = 0; i < table->rows; ++i) {
        const double y = (double)table->y[i * n + target];
        error += (y - (double)out[i * n + target]) * (y - (double)out[i * n + target]);
        spread += (y - mean) * (y - mean);
    }
    return 1 - error / spread;
}

/* Times of 2^k times the size are predicted as exactly 2^k times as long, for every output that has a unit,
   every loss and optimiser; the validation loss is the same, so training stops at the same epoch. */
static void predictions_follow_the_unit_to_the_bit(void) {
    static const char *const outputs[] = {"any", "positive", "leaky_relu"};
    static const char *const losses[] = {"squared",  "absolute",          "huber", "pinball",
                                         "relative", "relative_absolute", "themis"};
    static const int powers[] = {-90, -20, -3, 1, 10, 90};
    static float x[UNIT_ROWS * UNIT_COLS], y[2 * UNIT_ROWS], scaled[2 * UNIT_ROWS], weight[UNIT_ROWS];
    static float out[2 * UNIT_ROWS], other[2 * UNIT_ROWS];
    static const double unit[2] = {1, 40};
    for (size_t k = 0; k < 3 * 7 * 4; ++k) {
        sooth_table table = unit_table(x, y, unit, 2), in_unit = table;
        sooth_mlp_options o = {.hidden_1 = 7, .epochs = 4, .validation_fraction = 0.2};
        sooth_mlp *m, *n;
        set(&o, "output", outputs[k % 3]);
        set(&o, "loss", losses[k / 3 % 7]);
        o.optimiser = (uint32_t)(k / 21);
        o.no_bias = k % 5 == 0;
        o.lambda = k % 2 ? 0.01 : 0;
        o.dropout = k % 4 == 3 ? 0.1 : 0;
        if (k % 2) {
            for (size_t i = 0; i < UNIT_ROWS; ++i) weight[i] = (float)(i % 4);
            table.weight = in_unit.weight = weight;
        }
        in_unit.y = scaled;
        m = fit(&table, &o);
        sooth_mlp_predict_many(m, x, UNIT_ROWS, UNIT_COLS, out);
        for (size_t p = 0; p < 6; ++p) {
            for (size_t i = 0; i < 2 * UNIT_ROWS; ++i) scaled[i] = ldexpf(y[i], powers[p]);
            n = fit(&in_unit, &o);
            sooth_mlp_predict_many(n, x, UNIT_ROWS, UNIT_COLS, other);
            for (size_t i = 0; i < 2 * UNIT_ROWS; ++i) CHECK(other[i] == ldexpf(out[i], powers[p]));
            CHECK(n->loss == m->loss && n->epochs == m->epochs);
            sooth_mlp_free(&env, n);
        }
        sooth_mlp_free(&env, m);
    }
}

/* Microseconds, megaseconds, and the edges of float. Several targets in units of their own, each learned as
   well as alone. */
static void any_unit_is_learned(void) {
    static const double units[] = {1e-30, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e30};
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_MAX * UNIT_ROWS];
    for (uint32_t output = 0; output < 3; ++output) {
        sooth_mlp_options o = {.hidden_1 = 24, .epochs = 150, .learning_rate = 0.01};
        set(&o, "output", output == 0 ? "any" : output == 1 ? "positive" : "leaky_relu");
        for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
            sooth_table table = unit_table(x, y, units + k, 1);
            sooth_mlp *m = fit(&table, &o);
            CHECK(r2_of(m, &table, 0) > 0.97);
            sooth_mlp_free(&env, m);
        }
        const double mixed[UNIT_MAX] = {1e-9, 1, 1e12};
        sooth_table table = unit_table(x, y, mixed, UNIT_MAX);
        sooth_mlp *m = fit(&table, &o);
        for (size_t t = 0; t < UNIT_MAX; ++t) CHECK(r2_of(m, &table, t) > 0.97);
        sooth_mlp_free(&env, m);
    }
}

/* The naive twin: subtract the mean, divide by the deviation, train in this unit, and undo both. The first
   weights are the same ones, from a start of no epochs. */
static void training_is_that_of_targets_standardised_by_hand(void) {
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_ROWS], z[UNIT_ROWS], weights[6 * (UNIT_COLS + 2) + 1];
    static const double unit[1] = {1e5};
    const uint32_t outputs[2] = {6, 1}, activation[2] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    sooth_table table = unit_table(x, y, unit, 1), by_hand = table;
    sooth_mlp_options o = {.hidden_1 = 6, .activation = SOOTH_MLP_TANH, .epochs = 20, .has_weight_decay = 1};
    double mean = 0, deviation = 0;
    sooth_mlp *start, *raw, *m, *n;
    for (size_t i = 0; i < UNIT_ROWS; ++i) mean += (double)y[i] / UNIT_ROWS;
    for (size_t i = 0; i < UNIT_ROWS; ++i) deviation += pow((double)y[i] - mean, 2) / UNIT_ROWS;
    deviation = sqrt(deviation);
    for (size_t i = 0; i < UNIT_ROWS; ++i) z[i] = (float)(((double)y[i] - mean) / deviation);
    by_hand.y = z;
    fill(weights, sizeof weights / sizeof *weights, 72);
    CHECK_STATUS(sooth_mlp_make(&env, UNIT_COLS, 2, outputs, activation, 0, 0, weights, &start), SOOTH_OK);
    for (size_t k = sizeof weights / sizeof *weights - 7; k < sizeof weights / sizeof *weights; ++k)
        weights[k] = (float)((double)weights[k] * deviation);
    weights[sizeof weights / sizeof *weights - 1] += (float)mean;
    CHECK_STATUS(sooth_mlp_make(&env, UNIT_COLS, 2, outputs, activation, 0, 0, weights, &raw), SOOTH_OK);
    o.warm_start = raw;
    m = fit(&table, &o);
    o.warm_start = start;
    o.no_target_scale = 1;
    n = fit(&by_hand, &o);
    CHECK_CLOSE(m->loss, n->loss, 1e-4);
    for (size_t i = 0; i < UNIT_ROWS; ++i)
        CHECK_CLOSE(sooth_mlp_predict(m, x + UNIT_COLS * i),
                    mean + deviation * (double)sooth_mlp_predict(n, x + UNIT_COLS * i), 1e-4);
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, n);
    sooth_mlp_free(&env, raw);
    sooth_mlp_free(&env, start);
}

/* A constant added to the targets is added to the predictions, as far as floats hold it. */
static void predictions_follow_the_origin(void) {
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_ROWS], moved[UNIT_ROWS];
    static const double unit[1] = {1};
    sooth_table table = unit_table(x, y, unit, 1), other = table;
    sooth_mlp_options o = {.hidden_1 = 9, .activation = SOOTH_MLP_TANH, .epochs = 30};
    sooth_mlp *m = fit(&table, &o), *n;
    for (size_t i = 0; i < UNIT_ROWS; ++i) moved[i] = y[i] - 1000;
    other.y = moved;
    n = fit(&other, &o);
    for (size_t i = 0; i < UNIT_ROWS; ++i)
        CHECK_NEAR((double)sooth_mlp_predict(n, x + UNIT_COLS * i),
                   (double)sooth_mlp_predict(m, x + UNIT_COLS * i) - 1000, 2e-3);
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, n);
}

/* A constant target of any size is predicted to the bit, from one row or many, alone or next to a target that
   varies. */
static void constant_targets_are_exact(void) {
    static const float constants[] = {7, -3, 0, 1e-30f, 1e30f, 16777217, 0.1f};
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_ROWS], both[2 * UNIT_ROWS], weight[UNIT_ROWS], out[2];
    static const double unit[1] = {1e6};
    static const uint32_t outputs[] = {SOOTH_MLP_ANY, SOOTH_MLP_POSITIVE, SOOTH_MLP_LEAKY_OUTPUT};
    sooth_table varies = unit_table(x, y, unit, 1), table = varies;
    for (size_t k = 0; k < 7; ++k)
        for (size_t rows = 1; rows <= UNIT_ROWS; rows += UNIT_ROWS - 1) {
            sooth_mlp_options o = {.hidden_1 = 5, .epochs = 3};
            sooth_mlp *m;
            for (size_t i = 0; i < UNIT_ROWS; ++i) both[i] = constants[k];
            table.y = both;
            table.rows = rows;
            m = fit(&table, &o);
            for (size_t i = 0; i < 3; ++i) CHECK(sooth_mlp_predict(m, x + UNIT_COLS * i) == constants[k]);
            sooth_mlp_free(&env, m);
        }
    for (size_t k = 0; k < 3; ++k) {
        sooth_mlp_options o = {.hidden_1 = 24, .epochs = 100, .learning_rate = 0.01, .output = outputs[k]};
        sooth_mlp *m, *again;
        table = varies;
        table.targets = 2;
        table.y = both;
        for (size_t i = 0; i < UNIT_ROWS; ++i) {
            both[2 * i] = 0;
            both[2 * i + 1] = y[i];
            weight[i] = (float)(i % 3);
        }
        table.weight = weight;
        m = fit(&table, &o);
        CHECK(r2_of(m, &table, 1) > 0.97);
        sooth_mlp_predict_many(m, x, 1, UNIT_COLS, out);
        CHECK(out[0] == 0);
        o.warm_start = m; /* nothing is divided by the deviation 0 */
        o.epochs = 1;
        o.learning_rate = 1e-12;
        again = fit(&table, &o);
        CHECK(r2_of(again, &table, 1) > 0.97);
        sooth_mlp_free(&env, again);
        sooth_mlp_free(&env, m);
    }
}

/* A warm start continues the function, also on rows with another mean and deviation. */
static void a_warm_start_keeps_its_predictions(void) {
    static const char *const outputs[] = {"any", "positive", "leaky_relu"};
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_ROWS];
    static const double unit[1] = {1e-6};
    for (size_t k = 0; k < 3; ++k) {
        sooth_table table = unit_table(x, y, unit, 1), part = table;
        sooth_mlp_options o = {.hidden_1 = 24, .epochs = 60, .learning_rate = 0.01};
        sooth_mlp *m, *n;
        set(&o, "output", outputs[k]);
        m = fit(&table, &o);
        part.rows = 30;
        o.warm_start = m;
        o.epochs = 1;
        o.learning_rate = 1e-12;
        n = fit(&part, &o);
        for (size_t i = 0; i < UNIT_ROWS; ++i)
            CHECK_CLOSE(sooth_mlp_predict(n, x + UNIT_COLS * i), sooth_mlp_predict(m, x + UNIT_COLS * i),
                        1e-5);
        sooth_mlp_free(&env, n);
        o.no_target_scale = 1; /* a positive output then has no layer that multiplies */
        CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), k == 1 ? SOOTH_BAD_ARGUMENT : SOOTH_OK);
        sooth_mlp_free(&env, m);
    }
}

/* huber_delta has the target's unit: eight times the targets and the delta is eight times the prediction. Its
   default is the deviation. Without target scale it is 1, and so is the unit of everything else. */
static void huber_delta_has_the_unit_of_the_target(void) {
    static float x[UNIT_ROWS * UNIT_COLS], y[UNIT_ROWS], eight[UNIT_ROWS];
    static const double unit[1] = {1e4};
    sooth_table table = unit_table(x, y, unit, 1), other = table;
    sooth_mlp_options o = {.hidden_1 = 5, .epochs = 5, .loss = SOOTH_MLP_HUBER}, given = o, raw = o;
    double mean = 0, square = 0;
    sooth_mlp *m, *n;
    for (size_t i = 0; i < UNIT_ROWS; ++i) mean += (double)y[i] / UNIT_ROWS;
    for (size_t i = 0; i < UNIT_ROWS; ++i) square += pow((double)y[i] - mean, 2) / UNIT_ROWS;
    for (size_t i = 0; i < UNIT_ROWS; ++i) eight[i] = 8 * y[i];
    other.y = eight;
    given.huber_delta = 3000;
    m = fit(&table, &given);
    given.huber_delta = 24000;
    n = fit(&other, &given);
    CHECK(sooth_mlp_predict(n, x) == 8 * sooth_mlp_predict(m, x));
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, n);
    given.huber_delta = sqrt(square);
    m = fit(&table, &given);
    n = fit(&table, &o);
    CHECK_CLOSE(sooth_mlp_predict(n, x), sooth_mlp_predict(m, x), 1e-5);
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, n);
    raw.no_target_scale = 1;
    m = fit(&table, &raw);
    raw.huber_delta = 1;
    n = fit(&table, &raw);
    CHECK(m->loss == n->loss && sooth_mlp_predict(m, x) == sooth_mlp_predict(n, x));
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, n);
}

/* Times from 1 to 10,000 under a relative loss: within 15 %. The mean of all would be that of the long
   ones. */
static void a_relative_loss_learns_short_times_too(void) {
    static float x[600 * 2], y[600];
    sooth_table table = table_of(x, y, 600, 2, 1);
    fill(x, 1200, 73);
    for (size_t i = 0; i < 600; ++i)
        y[i] = (float)pow(10, 2 + 1.4 * x[2 * i] + 0.6 * x[2 * i + 1] * x[2 * i + 1]);
    for (uint32_t output = 0; output < 2; ++output) {
        sooth_mlp_options o = {.loss = SOOTH_MLP_RELATIVE, .epochs = 100};
        sooth_mlp *m;
        double off = 0;
        o.output = output ? SOOTH_MLP_POSITIVE : SOOTH_MLP_ANY;
        m = fit(&table, &o);
        for (size_t i = 0; i < 600; ++i)
            off += fabs((double)sooth_mlp_predict(m, x + 2 * i) / y[i] - 1) / 600;
        CHECK(off < 0.15);
        printf("  off by %.3f\n", off);
        sooth_mlp_free(&env, m);
    }
}

/* Positive outputs have one layer more, which multiplies by the deviation: one hidden layer less fits. */
static void a_positive_output_is_multiplied(void) {
    static float x[UNIT_ROWS * UNIT_COLS], y[2 * UNIT_ROWS];
    static const double unit[2] = {1e3, 1e-3};
    uint32_t deep[63];
    sooth_table table = unit_table(x, y, unit, 2);
    sooth_mlp_options o = {.hidden_1 = 4, .epochs = 2, .output = SOOTH_MLP_POSITIVE};
    sooth_mlp *m = fit(&table, &o);
    CHECK(m->layers == 3 && m->head.size == sooth_mlp_size(&o, UNIT_COLS, 2));
    for (size_t t = 0; t < 2; ++t) {
        double square = 0;
        for (size_t i = 0; i < UNIT_ROWS; ++i) square += pow((double)y[2 * i + t], 2) / UNIT_ROWS;
        CHECK_CLOSE(sooth_mlp_weight(m, 2, t, t), sqrt(square), 1e-6);
        CHECK(sooth_mlp_weight(m, 2, t, 1 - t) == 0 && sooth_mlp_bias(m, 2, t) == 0);
    }
    sooth_mlp_free(&env, m);
    for (size_t i = 0; i < 2 * UNIT_ROWS; ++i) y[i] = 0; /* then it multiplies by 0, in integers too */
    m = fit(&table, &o);
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        static const float box[2 * UNIT_COLS] = {-1, 1, -1, 1, -1, 1};
        float error[2], range[4];
        sooth_mlp *integers;
        CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, error, &integers), SOOTH_OK);
        CHECK(sooth_mlp_predict(m, x) == 0 && sooth_mlp_predict(integers, x) == 0 && error[0] < 1e-6f);
        sooth_mlp_free(&env, integers);
    }
    sooth_mlp_free(&env, m);
    unit_table(x, y, unit, 2);
    for (size_t i = 0; i < 63; ++i) deep[i] = 3;
    o.hidden = deep;
    o.hidden_count = 62;
    o.epochs = 1;
    m = fit(&table, &o);
    CHECK(m->layers == SOOTH_MLP_MAX_LAYERS);
    sooth_mlp_free(&env, m);
    o.hidden_count = 63;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "hidden_count is 63, but must be below 63");
    o.no_target_scale = 1;
    CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), SOOTH_OK);
}

/* ---- by construction ---- */

/* Outputs in their range for any input at all; rising and falling features do, between any two points. */
static void constraints_hold(void) {
    static float x[300 * 3], y[300];
    static const signed char monotone[3] = {1, -1, 0};
    static const char *const outputs[] = {"any", "at_least_one", "zero_to_one", "positive"};
    sooth_table table = table_of(x, y, 300, 3, 1);
    sooth_rng rng;
    size_t i, k;
    fill(x, 900, 12);
    for (i = 0; i < 300; ++i)
        y[i] = 1 + 0.4f * x[3 * i] - 0.2f * x[3 * i + 1] + 0.3f * x[3 * i + 2] * x[3 * i];
    sooth_rng_init(&rng, 1, 0);
    for (k = 0; k < 4; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        o.hidden_1 = o.hidden_2 = 8;
        o.activation = SOOTH_MLP_TANH;
        o.epochs = 40;
        o.learning_rate = 0.01;
        o.monotone = monotone;
        o.optimiser = k == 3 ? SOOTH_MLP_RPROP : SOOTH_MLP_ADAM;
        set(&o, "output", outputs[k]);
        m = fit(&table, &o);
        if (k % 3 == 0) CHECK(mean_square(m, &table) < 0.02); /* targets below 1 and above too */
        for (i = 0; i < 2000; ++i) {
            float row[3], f, up, down;
            size_t j;
            for (j = 0; j < 3; ++j) row[j] = 20 * sooth_rng_float(&rng) - 10;
            f = sooth_mlp_predict(m, row);
            CHECK(k == 0 || f >= (k == 1 ? 1 : 0));
            CHECK(k != 2 || f <= 1);
            row[0] += 3 * sooth_rng_float(&rng);
            up = sooth_mlp_predict(m, row);
            row[1] += 3 * sooth_rng_float(&rng);
            down = sooth_mlp_predict(m, row);
            CHECK(up >= f - 1e-6f && down <= up + 1e-6f);
        }
        sooth_mlp_free(&env, m);
    }
}

/* ---- stopping ---- */

/* The weights kept are those of the best epoch: as if training had ended there. */
static void the_best_weights_are_kept(void) {
    static float x[200 * 4], y[200];
    sooth_table table = table_of(x, y, 60, 4, 1), rest = table_of(x + 240, y + 60, 140, 4, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m, *again;
    double loss;
    size_t i;
    fill(x, 800, 13);
    fill(y, 200, 14);
    for (i = 0; i < 200; ++i) y[i] += 2 * x[4 * i];
    o.hidden_1 = 32;
    o.no_target_scale = 1; /* sooth_mlp_gradient does not scale the targets */
    o.validation = &rest;
    o.schedule = SOOTH_MLP_CONSTANT;
    o.learning_rate = 0.02;
    m = fit(&table, &o);
    CHECK(m->epochs > 1 && m->epochs < 190);
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &rest, &o, &loss, NULL), SOOTH_OK);
    CHECK(m->loss == (float)loss);
    o.epochs = m->epochs;
    o.validation = NULL;
    o.patience = 1000;
    again = fit(&table, &o);
    for (i = 0; i < m->parameters; ++i) CHECK(soothi_mlp_floats(m)[i] == soothi_mlp_floats(again)[i]);
    sooth_mlp_free(&env, again);
    sooth_mlp_free(&env, m);
}

/* Which rows are held out, and their order, as a loop over all rows for every group says it. */
static size_t hold_out_slowly(const uint32_t *group, size_t n, size_t wanted, uint64_t seed,
                              uint32_t *order) {
    size_t held = 0, i;
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 3);
    for (i = 0; i < n; ++i) order[i] = (uint32_t)i;
    while (held < wanted && held < n) {
        const uint32_t drawn = group[order[sooth_rng_below(&rng, (uint32_t)(n - held))]];
        for (i = n - held; i-- > 0;) {
            const uint32_t row = order[i];
            if (group[row] != drawn) continue;
            ++held;
            order[i] = order[n - held];
            order[n - held] = row;
        }
    }
    return held;
}

/* 300,000 rows in nearly as many groups: no time. A pass over the rows for every group takes a minute. */
static void many_groups_take_no_time(void) {
    enum { ROWS = 300000 };
    uint32_t *memory = (uint32_t *)malloc(3 * ROWS * sizeof *memory);
    uint64_t *by_group = (uint64_t *)malloc(2 * ROWS * sizeof *by_group);
    float *x = (float *)calloc(ROWS, sizeof *x);
    sooth_table table = table_of(x, x, ROWS, 1, 1);
    soothi_mlp_training t;
    size_t i;
    memset(&t, 0, sizeof t);
    t.table = &table;
    t.order = memory;
    t.place = memory + ROWS;
    t.by_group = by_group;
    t.o.validation_fraction = 0.3;
    table.group = memory + 2 * ROWS;
    for (i = 0; i < ROWS; ++i) memory[2 * ROWS + i] = (uint32_t)(i * 2654435761u % 1000003u);
    CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
    CHECK(t.held >= 90000 && t.held < 90100);
    free(by_group);
    free(memory);
    free(x);
}

/* Rows held out: the share asked for, whole groups, none of them learned from. */
static void groups_are_held_out_whole(void) {
    static float x[40], y[40], weight[40];
    uint32_t group[40], order[40], seen[8];
    sooth_table table = table_of(x, y, 40, 1, 1);
    uint32_t place[40], expected[40];
    uint64_t by_group[80];
    soothi_mlp_training t;
    uint32_t seed;
    size_t i;
    for (i = 0; i < 40; ++i) {
        x[i] = y[i] = weight[i] = 1;
        group[i] = (uint32_t)(i * 7 % 40 / 5);
    }
    memset(&t, 0, sizeof t);
    t.table = &table;
    t.order = order;
    t.place = place;
    t.by_group = by_group;
    for (seed = 0; seed < 20; ++seed) {
        t.o.seed = seed;
        t.o.validation_fraction = 0.2;
        table.group = NULL;
        CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
        CHECK(t.rows == 32 && t.held == 8);
        table.group = group;
        t.o.validation_fraction = 0.3;
        CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
        CHECK(t.rows == 25 && t.held == 15); /* 12 rows are asked for: three groups of five */
        CHECK(hold_out_slowly(group, 40, 12, seed, expected) == 15);
        CHECK(memcmp(order, expected, sizeof order) == 0);
        memset(seen, 0, sizeof seen);
        for (i = 0; i < 40; ++i) seen[group[order[i]]] |= i < t.rows ? 1u : 2u;
        for (i = 0; i < 8; ++i) CHECK(seen[i] == 1 || seen[i] == 2);
    }
    weight[order[0]] = 0;
    table.weight = weight;
    CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
    CHECK(t.rows + t.held == 39);
}

static void plateaus_lower_the_rate(void) {
    soothi_mlp_training t;
    float p = 0, best = 0;
    memset(&t, 0, sizeof t);
    t.p = &p;
    t.best = &best;
    t.o.schedule = SOOTH_MLP_PLATEAU;
    t.o.decay = 0.5;
    t.o.decay_epochs = 2;
    t.o.patience = 5;
    t.o.tolerance = 0.01;
    t.factor = 1;
    t.best_loss = t.bar = INFINITY;
    CHECK(!soothi_mlp_judge(&t, 1.0) && t.factor == 1);
    CHECK(!soothi_mlp_judge(&t, 0.995) && t.factor == 1); /* no improvement to speak of, but the best */
    CHECK(t.best_loss == 0.995);
    CHECK(!soothi_mlp_judge(&t, 1.1) && t.factor == 0.5);
    CHECK(!soothi_mlp_judge(&t, 1.1) && !soothi_mlp_judge(&t, 1.1) && t.factor == 0.25);
    CHECK(soothi_mlp_judge(&t, 1.1));
    CHECK(!soothi_mlp_judge(&t, 0.5) && t.factor == 0.25);
}

/* Half of the neurons are silent; the others' outputs count double, so that the sums keep their mean. */
static void dropout_keeps_the_mean(void) {
    static float x[64 * 2], y[64];
    sooth_table table = table_of(x, y, 64, 2, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    soothi_mlp_training t;
    double sum = 0;
    size_t i, silent = 0;
    fill(x, 128, 15);
    fill(y, 64, 16);
    o.hidden_1 = 200;
    o.dropout = 0.5;
    o.epochs = 1;
    m = fit(&table, &o);
    memset(&t, 0, sizeof t);
    t.o = soothi_mlp_resolve(&o, table.rows);
    t.table = &table;
    t.env = &env;
    t.p = soothi_mlp_own_floats(m);
    CHECK_STATUS(soothi_mlp_open(&t, m, 64, "this test"), SOOTH_OK);
    sooth_rng_init(&t.dropout, 1, 2);
    soothi_mlp_batch(&t, NULL, 0, 64);
    for (i = 0; i < 200 * 32; ++i) { /* of the last rows that went through together */
        float factor = t.panel[0].mask[t.act_at[1] + i];
        CHECK(factor == 0 || factor == 2);
        silent += factor == 0;
        sum += factor;
    }
    CHECK_NEAR((double)silent / (200 * 32), 0.5, 0.02);
    CHECK_NEAR(sum / (200 * 32), 1, 0.04);
    /* along the gradient the loss with the same neurons silent rises by its length */
    {
        static float g[4096], before[4096];
        sooth_rng rng;
        double up, down, squares = 0, h = 1e-3;
        sooth_rng_init(&rng, 1, 2);
        t.dropout = rng;
        soothi_mlp_batch(&t, NULL, 0, 64);
        memcpy(g, t.gradient, t.floats * sizeof *g);
        memcpy(before, t.p, t.floats * sizeof *g);
        for (i = 0; i < t.floats; ++i) squares += (double)g[i] * g[i];
        for (i = 0; i < t.floats; ++i) t.p[i] = before[i] + (float)(h / sqrt(squares)) * g[i];
        t.dropout = rng;
        up = soothi_mlp_batch(&t, NULL, 0, 64);
        for (i = 0; i < t.floats; ++i) t.p[i] = before[i] - (float)(h / sqrt(squares)) * g[i];
        t.dropout = rng;
        down = soothi_mlp_batch(&t, NULL, 0, 64);
        CHECK_CLOSE((up - down) / (2 * h), sqrt(squares), 2e-3);
    }
    sooth_free(&env, t.memory, t.bytes, 1);
    sooth_mlp_free(&env, m);
}

/* ---- bad input ---- */

static void bad_input_is_a_sentence(void) {
    static float x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 6};
    const uint32_t empty[2] = {3, 0};
    const sooth_mlp_term beyond = {SOOTH_MLP_PRODUCT, 0, 1, 1}, zero = {SOOTH_MLP_ITSELF, 0, 0, 0};
    const signed char rising[2] = {1, 1};
    sooth_table table = table_of(x, y, 3, 2, 1), one = table_of(x, y, 1, 2, 1);
    uint32_t group[3] = {4, 4, 4};
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    sooth_env_init(&env);
#define REFUSED(status, words)                                                 \
    do {                                                                       \
        m = (sooth_mlp *)(void *)x;                                            \
        CHECK_FAILS(&env, sooth_mlp_fit(&env, &table, &o, &m), status, words); \
        CHECK(m == NULL);                                                      \
        o = defaults();                                                        \
    } while (0)
    o.hidden = empty;
    o.hidden_count = 2;
    REFUSED(SOOTH_BAD_ARGUMENT, "hidden layer 2 has 0 neurons, but must have between 1 and 1024");
    o.hidden_1 = 2000;
    REFUSED(SOOTH_BAD_ARGUMENT, "hidden_1 is 2000, but must be between 1 and 1024");
    o.hidden_2 = 5;
    REFUSED(SOOTH_BAD_ARGUMENT, "hidden_2 is 5, but hidden_1 before it is 0");
    o.learning_rate = -1;
    REFUSED(SOOTH_BAD_ARGUMENT, "learning_rate is -1, but must be between");
    o.dropout = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "dropout is 1, but must be between 0 and 0.99");
    o.activation = 9;
    REFUSED(SOOTH_BAD_ARGUMENT, "activation is 9, but must be one of relu|leaky_relu");
    o.loss = SOOTH_MLP_THEMIS;
    REFUSED(SOOTH_BAD_ARGUMENT, "needs 2 targets, but there are 1");
    o.terms = &beyond;
    o.term_count = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "but outputs must be below 1");
    o.terms = &zero;
    o.term_count = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "the weight above 0");
    o.monotone = rising;
    o.optimiser = SOOTH_MLP_LBFGS;
    REFUSED(SOOTH_BAD_ARGUMENT, "lbfgs does not support monotone features");
    o.validation = &one;
    one.cols = 1;
    CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_DATA); /* without training */
    REFUSED(SOOTH_BAD_DATA,
            "the validation table has 1 columns and 1 targets, but the training table has 2 and 1");
    table.group = group;
    o.validation_fraction = 0.5;
    REFUSED(SOOTH_BAD_DATA, "none of the 3 rows (in whole groups) for training");
    table.group = NULL;
    y[1] = 0;
    o.loss = SOOTH_MLP_RELATIVE;
    REFUSED(SOOTH_BAD_DATA, "row 2 has the value 0 for term 1 of the loss");
    y[1] = NAN;
    REFUSED(SOOTH_BAD_DATA, "row 2 has no finite target");
    y[1] = 2;
    x[3] = NAN;
    REFUSED(SOOTH_BAD_DATA, "row 2 has a missing value in column 2");
    x[3] = INFINITY;
    REFUSED(SOOTH_BAD_DATA, "row 2 has an infinite value in column 2");
    x[3] = 4;
    table.y = NULL;
    REFUSED(SOOTH_BAD_DATA, "the table has no targets");
    table.rows = 0;
    REFUSED(SOOTH_BAD_DATA, "the table is empty");
    {
        static float wide[1025];
        table = table_of(wide, y, 1, 1025, 1);
        REFUSED(SOOTH_BAD_DATA, "the table has 1025 columns and 1 targets, but a network has at most 1024");
        CHECK(sooth_mlp_size(&o, 1025, 1) == 0);
    }
    CHECK_STATUS(sooth_mlp_fit(NULL, &table, NULL, &m), SOOTH_BAD_DATA); /* no env, no sentence, no crash */
#undef REFUSED
}

/* Themis' loss has a penalty of its own unless it is asked for none. */
static void a_zero_can_be_asked_for(void) {
    static float x[30], y[60];
    sooth_table table = table_of(x, y, 30, 1, 2);
    sooth_mlp_options o = {.hidden_1 = 4, .loss = SOOTH_MLP_THEMIS, .epochs = 1};
    sooth_mlp *m;
    double with, without, given;
    size_t i;
    fill(x, 30, 64);
    for (i = 0; i < 60; ++i) y[i] = 2;
    m = fit(&table, &o);
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &table, &o, &with, NULL), SOOTH_OK);
    set(&o, "lambda_norm", "0");
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &table, &o, &without, NULL), SOOTH_OK);
    set(&o, "lambda_norm", "0.001");
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &table, &o, &given, NULL), SOOTH_OK);
    CHECK(with > without && with == given);
    sooth_mlp_free(&env, m);
}

/* A validation table of another shape is refused before its targets are looked at. */
static void a_short_validation_table_is_refused(void) {
    float x[4] = {1, 2, 3, 4}, y[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    sooth_table table = table_of(x, y, 4, 1, 2), one = sooth_table_of(x, y, 4, 1);
    sooth_mlp_options o = {.loss = SOOTH_MLP_THEMIS, .validation = &one};
    float *exact = (float *)malloc(4 * sizeof *exact);
    sooth_env_init(&env);
    memcpy(exact, y, 4 * sizeof *exact);
    one.y = exact;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_DATA,
                "the validation table has 1 columns and 1 targets, but the training table has 1 and 2");
    free(exact);
}

/* A learning rate beyond reason: a status, a sentence, and a model that still predicts numbers. */
static void explosions_are_named(void) {
    static float x[100 * 2], y[100];
    static const char *const optimisers[] = {"adam", "sgd", "rprop"};
    sooth_table table = table_of(x, y, 100, 2, 1);
    size_t k;
    fill(x, 200, 17);
    fill(y, 100, 18);
    for (k = 0; k < 3; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        sooth_env_init(&env);
        set(&o, "optimiser", optimisers[k]);
        o.learning_rate = 1e9;
        CHECK_FAILS(&env, sooth_mlp_fit(&env, &table, &o, &m), SOOTH_NOT_CONVERGED,
                    "the loss diverged in epoch");
        CHECK(strstr(env.sentence, "learning rate 1e+09") != NULL ||
              strstr(env.sentence, "1000000000") != NULL);
        CHECK(m && sooth_mlp_check(m, m->head.size));
        CHECK(m && isfinite(sooth_mlp_predict(m, x)) && mean_square(m, &table) < 10);
        sooth_mlp_free(&env, m);
    }
}

/* One row, constant columns, constant targets: learned, and nothing but numbers. */
static void poor_tables_are_learned(void) {
    static float x[] = {1, 5, 2, 5, 3, 5, 4, 5}, y[] = {7, 7, 7, 7};
    static const char *const optimisers[] = {"adam", "sgd", "rprop", "lbfgs"};
    size_t rows, k;
    for (rows = 1; rows <= 4; rows += 3)
        for (k = 0; k < 4; ++k) {
            sooth_table table = table_of(x, y, rows, 2, 1);
            sooth_mlp_options o = defaults();
            sooth_mlp *m;
            set(&o, "optimiser", optimisers[k]);
            o.epochs = 500;
            o.patience = 500;
            o.hidden_1 = 6;
            o.learning_rate = k == 3 ? 0 : 0.005;
            m = fit(&table, &o);
            CHECK_NEAR(sooth_mlp_predict(m, x), 7, 0.05);
            sooth_mlp_free(&env, m);
        }
}

/* ---- memory, cancelling, names ---- */

static void memory_may_fail(void) {
    static float x[20 * 3], y[20];
    sooth_table table = table_of(x, y, 20, 3, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m = NULL;
    double loss;
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_LINEAR};
    fill(x, 60, 19);
    fill(y, 20, 20);
    o.epochs = 2;
    o.dropout = 0.1;
    sooth_env_init(&env);
    CHECK_EVERY_ALLOCATION(&env, sooth_mlp_fit(&env, &table, &o, &m), sooth_mlp_free(&env, m));
    CHECK_EVERY_ALLOCATION(&env, sooth_mlp_make(&env, 3, 1, outputs, activation, 0, 0.01, golden_start, &m),
                           sooth_mlp_free(&env, m));
    sooth_env_init(&env);
    m = fit(&table, &o);
    CHECK_EVERY_ALLOCATION(&env, sooth_mlp_gradient(&env, m, &table, &o, &loss, NULL), (void)0);
    sooth_env_init(&env);
    sooth_mlp_free(&env, m);
    sooth_mlp_free(&env, NULL);
}

static void the_stated_memory_is_enough(void) {
    static unsigned char memory[200000];
    static const char *const optimisers[] = {"adam", "sgd", "rprop", "lbfgs"};
    static float x[20 * 3], y[40];
    sooth_table table = table_of(x, y, 20, 3, 2);
    size_t k;
    fill(x, 60, 21);
    fill(y, 40, 22);
    for (k = 0; k < 4; ++k) {
        sooth_mlp_options o = defaults();
        sooth_arena arena;
        sooth_mlp *m;
        size_t size;
        set(&o, "optimiser", optimisers[k]);
        o.epochs = 3;
        o.hidden_1 = 10;
        o.dropout = k == 1 ? 0.2 : 0;
        size = sooth_mlp_size(&o, 3, 2) + sooth_mlp_scratch_size(&o, 20, 3, 2);
        sooth_env_init(&env);
        CHECK(size + 32 <= sizeof memory);
        sooth_arena_init(&env, &arena, memory, size + 32);
        CHECK_STATUS(sooth_mlp_fit(&env, &table, &o, &m), SOOTH_OK);
        CHECK(m && m->head.size == sooth_mlp_size(&o, 3, 2) && arena.peak >= size);
        sooth_arena_init(&env, &arena, memory, size - 1);
        CHECK_STATUS(sooth_mlp_fit(&env, &table, &o, &m), SOOTH_NO_MEMORY);
    }
}

static int cancel_at(void *user, const char *stage, double done) {
    (void)stage;
    return done >= *(double *)user;
}

static void cancelling_ends_it(void) {
    static float x[20 * 3], y[20];
    sooth_table table = table_of(x, y, 20, 3, 1);
    sooth_mlp_options o = defaults();
    sooth_mlp *m;
    check_memory memory;
    double when = 0.5;
    uint32_t k;
    fill(x, 60, 23);
    fill(y, 20, 24);
    for (k = 0; k < 4; ++k) {
        o.optimiser = k;
        o.patience = 1000;
        sooth_env_init(&env);
        check_memory_init(&memory, &env, -1);
        env.progress_fn = cancel_at;
        env.progress_user = &when;
        CHECK_FAILS(&env, sooth_mlp_fit(&env, &table, &o, &m), SOOTH_CANCELLED, "training was cancelled");
        CHECK(m == NULL && memory.live == 0);
    }
    sooth_env_init(&env);
}

static void options_have_names(void) {
    sooth_mlp_options o = defaults();
    set(&o, "hidden_1", "12");
    set(&o, "activation", "leaky_relu");
    set(&o, "loss", "themis");
    set(&o, "schedule", "inverse_time");
    set(&o, "output", "at_least_one");
    CHECK(o.hidden_1 == 12 && o.activation == SOOTH_MLP_LEAKY_RELU && o.loss == SOOTH_MLP_THEMIS &&
          o.schedule == SOOTH_MLP_INVERSE_TIME && o.output == SOOTH_MLP_FROM_ONE);
    CHECK_FAILS(&env, sooth_option_set(&env, sooth_mlp_options_list(), &o, "optimiser", "magic"),
                SOOTH_BAD_ARGUMENT, "optimiser is magic, but must be one of adam|sgd|rprop|lbfgs");
}

/* ---- bytes ---- */

static void changed_bytes_are_refused_or_harmless(void) {
    static float x[20 * 3], y[40], out[40];
    sooth_table table = table_of(x, y, 20, 3, 2);
    sooth_mlp_options o = {.hidden_1 = 5, .hidden_2 = 3, .epochs = 1};
    sooth_mlp *m;
    fill(x, 60, 25);
    fill(y, 40, 26);
    m = fit(&table, &o);
    harmless_when_changed(m, x, out);
    sooth_mlp_free(&env, m);
}

/* Wide layers, odd widths, many rows: predict_many is predict. */
static void many_rows_are_rows(void) {
    static const uint32_t shapes[6][3] = {{1024, 2, 1},  {33, 66, 7},   {4, 3, 5},
                                          {130, 1, 130}, {64, 64, 128}, {257, 5, 31}};
    static float x[70 * 300], out[70 * 2], y[70 * 2];
    size_t k, i, cols;
    fill(x, 70 * 300, 27);
    fill(y, 140, 28);
    for (k = 0; k < 6; ++k)
        for (cols = 1; cols <= 300; cols += 299) {
            sooth_table table = table_of(x, y, 2, cols, 2);
            sooth_mlp_options o = defaults();
            sooth_mlp *m;
            o.hidden = shapes[k];
            o.hidden_count = 3;
            o.epochs = 1;
            m = fit(&table, &o);
            sooth_mlp_predict_many(m, x, 70, cols, out);
            for (i = 0; i < 70; ++i) CHECK(out[2 * i] == sooth_mlp_predict(m, x + i * cols));
            sooth_mlp_free(&env, m);
        }
}

static void nan_in_nan_out(void) {
    static float x[8] = {1, NAN, 2, 3, NAN, NAN, 0, 0}, y[4] = {0, 1, 0, 1}, out[4];
    sooth_table table;
    uint32_t activation;
    for (activation = 0; activation <= SOOTH_MLP_LINEAR; ++activation) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        const float fine[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        table = table_of(fine, y, 4, 2, 1);
        o.epochs = 1;
        o.hidden_1 = 20;
        o.activation = activation;
        m = fit(&table, &o);
        sooth_mlp_predict_many(m, x, 4, 2, out);
        CHECK(isnan(out[0]) && !isnan(out[1]) && isnan(out[2]) && !isnan(out[3]));
        CHECK(isnan(sooth_mlp_predict(m, x)));
        sooth_mlp_free(&env, m);
    }
}

/* The same weights on every machine, with any compiler. */
static void same_bits_everywhere(void) {
    static const char *const optimisers[] = {"adam", "sgd", "rprop", "lbfgs"};
    static const char *const activations[] = {"relu", "tanh", "softplus", "sigmoid"};
    static float x[150 * 5], y[150 * 2], out[300];
    sooth_table table = table_of(x, y, 150, 5, 2);
    unsigned long long hash = 14695981039346656037ull;
    size_t k;
    fill(x, 750, 29);
    fill(y, 300, 30);
    for (k = 0; k < 300; ++k) y[k] = 2 + y[k] * x[k];
    for (k = 0; k < 4; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        set(&o, "optimiser", optimisers[k]);
        set(&o, "activation", activations[k]);
        o.hidden_1 = 13;
        o.hidden_2 = 40;
        o.dropout = k == 1 ? 0.2 : 0;
        o.validation_fraction = k == 0 ? 0.2 : 0;
        o.momentum = 0.5;
        o.schedule = SOOTH_MLP_COSINE;
        o.learning_rate = k == 0 ? 0.001 : 0.01;
        o.batch_size = 32;
        o.has_weight_decay = 1;
        o.patience = 10;
        o.epochs = 8;
        o.loss = k == 2 ? SOOTH_MLP_THEMIS : SOOTH_MLP_HUBER;
        m = fit(&table, &o);
        sooth_mlp_predict_many(m, x, 150, 5, out);
        m->head.checksum = 0; /* counts bytes, and those stand the other way round on some machines */
        hash = check_hash_words(hash, m, m->head.size / 4);
        hash = check_hash_words(hash, out, 300);
        sooth_mlp_free(&env, m);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
}

static void lies_of_networks(void) {
    static const uint32_t outputs[2] = {5, 1}, activation[2] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    static const uint32_t nan = 0x7FC00000u;
    const size_t first = sizeof(sooth_mlp), second = first + sizeof(sooth_mlp_layer);
    const lies_word lies[] = {{offsetof(sooth_block, features), 0},
                              {offsetof(sooth_block, features), 2},
                              {offsetof(sooth_block, features), SOOTH_MLP_MAX_WIDTH + 1u},
                              {offsetof(sooth_block, targets), 2},
                              {offsetof(sooth_mlp, layers), 0},
                              {offsetof(sooth_mlp, layers), 1},
                              {offsetof(sooth_mlp, layers), SOOTH_MLP_MAX_LAYERS},
                              {offsetof(sooth_mlp, layers), SOOTH_MLP_MAX_LAYERS + 1u},
                              {offsetof(sooth_mlp, parameters), 4},
                              {offsetof(sooth_mlp, widest), 4},
                              {offsetof(sooth_mlp, bits), 8},
                              {offsetof(sooth_mlp, bits), 16},
                              {offsetof(sooth_mlp, bits), 9},
                              {offsetof(sooth_mlp, leak), nan},
                              {offsetof(sooth_mlp, leak), 0x3F800001u /* just above 1 */},
                              {offsetof(sooth_mlp, leak), 0x80000001u /* just below 0 */},
                              {first + offsetof(sooth_mlp_layer, inputs), 4},
                              {first + offsetof(sooth_mlp_layer, outputs), 0},
                              {first + offsetof(sooth_mlp_layer, outputs), 4},
                              {first + offsetof(sooth_mlp_layer, outputs), SOOTH_MLP_MAX_WIDTH + 1u},
                              {first + offsetof(sooth_mlp_layer, activation), SOOTH_MLP_ACTIVATIONS},
                              {first + offsetof(sooth_mlp_layer, stride), 5},
                              {first + offsetof(sooth_mlp_layer, weights_at), 4},
                              {first + offsetof(sooth_mlp_layer, biases_at), 0},
                              {second + offsetof(sooth_mlp_layer, inputs), 6},
                              {second + offsetof(sooth_mlp_layer, biases_at), 1},
                              {second + sizeof(sooth_mlp_layer), nan}};
    float weights[26];
    sooth_mlp *m;
    sooth_env_init(&env);
    for (size_t i = 0; i < 26; ++i) weights[i] = 0.1f * (float)i - 1.0f;
    CHECK_STATUS(sooth_mlp_make(&env, 3, 2, outputs, activation, 0, 0.0, weights, &m), SOOTH_OK);
    if (!m) return;
    lies_are_refused(sooth_mlp_check, &m->head, lies, sizeof lies / sizeof *lies);
    lies_about_size_are_refused(sooth_mlp_check, &m->head);
    CHECK(lies_believed(sooth_mlp_check, &m->head, offsetof(sooth_mlp, leak), 0));
    CHECK(lies_believed(sooth_mlp_check, &m->head, offsetof(sooth_mlp, leak), 0x3F800000u /* 1 */));
    sooth_mlp_free(&env, m);
}

static void what_cannot_be_made_is_named(void) {
    static const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct {
        size_t features, layers;
        uint32_t outputs, activation;
        double leak;
        const char *words;
    } bad[] = {{0, 1, 1, 0, 0, "features is 0, but must be between 1 and"},
               {SOOTH_MLP_MAX_WIDTH + 1, 1, 1, 0, 0, "features is 1025"},
               {2, 0, 1, 0, 0, "layers is 0, but must be between 1 and 64"},
               {2, 65, 1, 0, 0, "layers is 65"},
               {2, 1, 0, 0, 0, "layer 1 has 0 neurons, but must have between 1 and 1024"},
               {2, 1, SOOTH_MLP_MAX_WIDTH + 1, 0, 0, "layer 1 has 1025 neurons, but must have"},
               {2, 1, 1, SOOTH_MLP_ACTIVATIONS, 0, "activation[0] is 7, but must be below 7"},
               {2, 1, 1, 0, -0.5, "leak"},
               {2, 1, 1, 0, 1.5, "leak"}};
    uint32_t outputs[65] = {0}, activation[65] = {0};
    sooth_mlp *m;
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        outputs[0] = bad[i].outputs;
        activation[0] = bad[i].activation;
        CHECK_FAILS(&env,
                    sooth_mlp_make(&env, bad[i].features, bad[i].layers, outputs, activation, 0, bad[i].leak,
                                   weights, &m),
                    SOOTH_BAD_ARGUMENT, bad[i].words);
        CHECK(m == NULL);
    }
}

static void the_rest_of_what_networks_refuse(void) {
    static const float rows[6] = {1, 2, 3, 4, 5, 6}, y[6] = {1, 2, 3, 2, 1, 2};
    static const uint32_t wide[64] = {3, 3}, odd[2] = {SOOTH_MLP_TANH, SOOTH_MLP_ACTIVATIONS};
    static const sooth_mlp_term terms[6] = {{.first = 0, .weight = 1},
                                            {.first = 3, .weight = 1},
                                            {.first = 0, .second = 3, .derived = SOOTH_MLP_SUM, .weight = 1},
                                            {.first = 0, .derived = SOOTH_MLP_SUM + 1, .weight = 1},
                                            {.first = 0, .weight = 0},
                                            {.first = 0, .weight = INFINITY}};
    sooth_table table = sooth_table_of(rows, y, 3, 2);
    sooth_mlp_options o, sound;
    sooth_mlp *m;
    double loss;
    memset(&sound, 0, sizeof sound);
    sound.hidden_1 = 3;
    sound.epochs = 2;
    table.targets = 2;
    CHECK_STATUS(sooth_mlp_fit(&env, &table, &sound, &m), SOOTH_OK);
    o = sound;
    o.hidden = wide;
    o.hidden_count = 64;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "hidden_count is 64, but must be below 64");
    CHECK(sooth_mlp_scratch_size(&o, 3, 2, 2) == 0);
    o.hidden_count = 2;
    CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), SOOTH_OK);
    o.activations = odd;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "activations[1] is 7, but must be below 7");
    o = sound;
    o.terms = terms;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT, "term_count is 0");
    o.term_count = 1;
    CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), SOOTH_OK);
    for (o.terms = terms + 1; o.terms < terms + 6; ++o.terms)
        CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                    "outputs must be below 2 and the weight above 0");
    o.terms = terms;
    o.loss = SOOTH_MLP_THEMIS;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "needs 2 targets, but there are 2 and a list of terms");
    o = sound;
    o.warm_start = m;
    CHECK_STATUS(sooth_mlp_check_options(&env, &table, &o), SOOTH_OK);
    o.hidden_1 = 4;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "the layers of warm_start differ");
    o.hidden_2 = 3;
    CHECK_FAILS(&env, sooth_mlp_check_options(&env, &table, &o), SOOTH_BAD_ARGUMENT,
                "the layers of warm_start differ");
    table.targets = 1;
    CHECK_FAILS(&env, sooth_mlp_gradient(&env, m, &table, &sound, &loss, NULL), SOOTH_BAD_DATA,
                "the table has 2 columns and 1 targets, but the network has 2 and 2");
    table.targets = 2;
    table.cols = 1;
    CHECK_FAILS(&env, sooth_mlp_gradient(&env, m, &table, &sound, &loss, NULL), SOOTH_BAD_DATA,
                "the table has 1 columns and 2 targets, but the network has 2 and 2");
    for (size_t k = 0; k < 4; ++k)
        CHECK(sooth_mlp_size(&sound, k == 0 ? 0 : k == 1 ? 1025 : 2, k == 2 ? 0 : k == 3 ? 1025 : 2) == 0);
    CHECK(sooth_mlp_size(&sound, 2, 2) == m->head.size);
    sooth_mlp_free(&env, m);
}

int main(void) {
    CHECK_RUN(training_is_the_plain_loops);
    CHECK_RUN(predictions_equal_scikit_learn);
    CHECK_RUN(steps_equal_scikit_learn);
    CHECK_RUN(steps_equal_the_formulas);
    CHECK_RUN(rprop_equals_the_formulas);
    CHECK_RUN(lbfgs_finds_the_minimum);
    CHECK_RUN(gradients_equal_differences);
    CHECK_RUN(probabilities_are_learned);
    CHECK_RUN(gradients_of_many_rows);
    CHECK_RUN(weights_repeat_rows);
    CHECK_RUN(themis_has_312_weights);
    CHECK_RUN(themis_learns_both_slowdowns);
    CHECK_RUN(exclusive_or_is_learned);
    CHECK_RUN(a_sine_is_learned);
    CHECK_RUN(friedman_is_learned);
    CHECK_RUN(losses_find_their_centres);
    CHECK_RUN(predictions_follow_the_unit_to_the_bit);
    CHECK_RUN(any_unit_is_learned);
    CHECK_RUN(training_is_that_of_targets_standardised_by_hand);
    CHECK_RUN(predictions_follow_the_origin);
    CHECK_RUN(constant_targets_are_exact);
    CHECK_RUN(a_warm_start_keeps_its_predictions);
    CHECK_RUN(huber_delta_has_the_unit_of_the_target);
    CHECK_RUN(a_relative_loss_learns_short_times_too);
    CHECK_RUN(a_positive_output_is_multiplied);
    CHECK_RUN(constraints_hold);
    CHECK_RUN(the_best_weights_are_kept);
    CHECK_RUN(groups_are_held_out_whole);
    CHECK_RUN(many_groups_take_no_time);
    CHECK_RUN(plateaus_lower_the_rate);
    CHECK_RUN(dropout_keeps_the_mean);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(a_zero_can_be_asked_for);
    CHECK_RUN(a_short_validation_table_is_refused);
    CHECK_RUN(explosions_are_named);
    CHECK_RUN(poor_tables_are_learned);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(the_stated_memory_is_enough);
    CHECK_RUN(cancelling_ends_it);
    CHECK_RUN(options_have_names);
    CHECK_RUN(changed_bytes_are_refused_or_harmless);
    CHECK_RUN(many_rows_are_rows);
    CHECK_RUN(nan_in_nan_out);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(lies_of_networks);
    CHECK_RUN(what_cannot_be_made_is_named);
    CHECK_RUN(the_rest_of_what_networks_refuse);
    return check_end("mlp");
}
