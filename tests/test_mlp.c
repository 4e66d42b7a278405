/* test_mlp.c - networks against scikit-learn's and numpy's, gradients against differences, and what mlp.h
 * promises.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/mlp.h"
#include "check.h"
#include "golden/mlp.h"

#define GOLDEN_HASH 0x1e0998ffdd136a64ull     /* see same_bits_everywhere */
#define GOLDEN_INTEGERS 0xe4760be30bc020e9ull /* see same_integers_everywhere */

static sooth_env env;

static sooth_mlp_options defaults(void) {
    sooth_mlp_options options;
    memset(&options, 0, sizeof options);
    return options;
}

static sooth_table table_of(const float *x, const float *y, size_t rows, size_t cols, size_t targets) {
    sooth_table table;
    sooth_table_init(&table, x, rows, cols);
    table.y = y;
    table.targets = targets;
    return table;
}

static sooth_mlp *fit(const sooth_table *table, const sooth_mlp_options *options) {
    sooth_mlp *model;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_mlp_fit(&env, table, options, &model), SOOTH_OK);
    if (env.sentence[0]) printf("  %s\n", env.sentence);
    if (!model) exit(1);
    CHECK(sooth_mlp_check(model, model->head.size));
    return model;
}

static void set(sooth_mlp_options *options, const char *name, const char *text) {
    CHECK_STATUS(sooth_option_set(&env, sooth_mlp_options_list(), options, name, text), SOOTH_OK);
}

/* Numbers in [-1, 1), the same everywhere. */
static void fill(float *v, size_t n, uint64_t seed) {
    sooth_rng rng;
    size_t i;
    sooth_rng_init(&rng, seed, 77);
    for (i = 0; i < n; ++i) v[i] = 2 * sooth_rng_float(&rng) - 1;
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
    const uint32_t outputs[3] = {5, 4, 1}, activation[3] = {SOOTH_MLP_TANH, SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    sooth_table table = table_of(golden_x, golden_y, golden_rows, golden_cols, 1);
    sooth_mlp_options options = *given;
    sooth_mlp *start, *model;
    size_t i, j, o, k = 0;
    double worst = 0;
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, golden_start, &start),
                 SOOTH_OK);
    options.hidden_1 = 5;
    options.hidden_2 = 4;
    options.activation = SOOTH_MLP_TANH;
    options.epochs = golden_epochs;
    options.batch = golden_rows;
    options.patience = 100;
    options.from = start;
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
    options.learning_rate = 0.03;
    steps_equal("adam", &options, golden_adam);
    options.optimiser = SOOTH_MLP_SGD;
    options.learning_rate = 0.1;
    options.momentum = 0.9;
    steps_equal("momentum", &options, golden_momentum);
    options.nesterov = 1;
    steps_equal("nesterov", &options, golden_nesterov);
}

static void steps_equal_the_formulas(void) {
    sooth_mlp_options options = defaults();
    options.learning_rate = 0.05;
    options.weight_decay = 0.3;
    options.beta1 = 0.8;
    options.beta2 = 0.99;
    options.epsilon = 1e-6;
    steps_equal("adamw", &options, golden_adamw);
    options = defaults();
    options.optimiser = SOOTH_MLP_SGD;
    options.learning_rate = 0.5;
    options.clip = 0.1;
    steps_equal("clip", &options, golden_clip);
    options.clip = 0;
    options.l2 = 0.2;
    steps_equal("l2", &options, golden_l2);
    options.l2 = 0;
    options.l2_norm = 0.4;
    steps_equal("l2_norm", &options, golden_l2_norm);
    options.l2_norm = 0;
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
    options.epochs = golden_epochs + 1;
    options.from = start;
    sooth_mlp_free(NULL, start);
    CHECK_STATUS(sooth_mlp_make(NULL, golden_cols, 3, outputs, activation, 0, 0.01, golden_start, &start),
                 SOOTH_OK);
    options.from = start;
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
    const double *expected[2] = {golden_minimum_squared, golden_minimum_softplus};
    static float y[golden_rows];
    const uint32_t none[1] = {0};
    sooth_table table = table_of(golden_x, y, golden_rows, golden_cols, 1);
    size_t k, i;
    for (k = 0; k < 2; ++k) {
        sooth_mlp_options o = defaults();
        sooth_mlp *m;
        for (i = 0; i < golden_rows; ++i) y[i] = k == 0 ? golden_y[i] : 2 * golden_y[i] + 3;
        o.hidden = none;
        o.optimiser = SOOTH_MLP_LBFGS;
        o.output = k == 0 ? SOOTH_MLP_ANY : SOOTH_MLP_POSITIVE;
        o.l2 = k == 0 ? 0.05 : 0.01;
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
    double e = y - f, delta = o->delta > 0 ? o->delta : 1, q = o->quantile > 0 ? o->quantile : 0.5;
    switch (o->loss) {
    case SOOTH_MLP_ABSOLUTE: return fabs(e);
    case SOOTH_MLP_HUBER: return fabs(e) <= delta ? e * e / 2 : delta * (fabs(e) - delta / 2);
    case SOOTH_MLP_PINBALL: return e > 0 ? q * e : (q - 1) * e;
    case SOOTH_MLP_RELATIVE:
    case SOOTH_MLP_THEMIS: return e * e / (y * y) / 2;
    case SOOTH_MLP_RELATIVE_ABSOLUTE: return fabs(e / y);
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
    double loss = 0, squares = 0, norm = o->l2_norm;
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
    if (o->loss == SOOTH_MLP_THEMIS && !(o->l2 > 0) && !(norm > 0)) norm = 0.001;
    return loss + o->l2 / 2 * squares + norm * sqrt(squares);
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
    static float x[20 * 3], y[20 * 2], weight[20];
    uint32_t shape, activation, loss, kind;
    double worst = 0;
    size_t i;
    fill(x, 60, 1);
    fill(y, 40, 2);
    fill(weight, 20, 3);
    for (i = 0; i < 40; ++i) y[i] = 1.5f + y[i]; /* nothing to divide by is near 0 */
    for (i = 0; i < 20; ++i) weight[i] += 1.1f;
    for (shape = 0; shape < 4; ++shape)
        for (activation = 0; activation < SOOTH_MLP_ACTIVATIONS; ++activation)
            for (loss = 0; loss <= SOOTH_MLP_THEMIS; ++loss)
                for (kind = 0; kind < 4; ++kind) {
                    const uint32_t use[3] = {activation, activation, activation};
                    sooth_table table = table_of(x, y, 20, 3, 2);
                    sooth_mlp_options o = defaults();
                    sooth_mlp *m;
                    double error;
                    o.hidden = shapes[shape];
                    o.hidden_count = layers[shape];
                    o.activations = use;
                    o.loss = loss;
                    o.root = kind & 1;
                    o.output = (activation + loss + shape) % 4;
                    if (kind & 2) {
                        if (loss == SOOTH_MLP_THEMIS) continue;
                        o.terms = derived;
                        o.term_count = 4;
                        o.output = 1 + o.output % 3;
                        table.weight = weight;
                        o.l2 = 0.1;
                        o.l2_norm = 0.2;
                    }
                    o.no_bias = shape == 1;
                    o.leak = 0.1;
                    o.delta = 0.4;
                    o.quantile = 0.3;
                    o.epochs = 1;
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
        set(&o, "activation", activations[k]);
        m = fit(&table, &o);
        CHECK(mean_square(m, &table) < 1e-3);
        if (!(mean_square(m, &table) < 1e-3)) printf("  %s: %g\n", activations[k], mean_square(m, &table));
        sooth_mlp_free(&env, m);
        o.optimiser = SOOTH_MLP_LBFGS;
        o.schedule = 0;
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
    o.l2 = 1e-4;
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
        o.batch = 16;
        o.learning_rate = 0.05;
        o.schedule = SOOTH_MLP_INVERSE_TIME;
        o.epochs = 4000;
        o.patience = 4000;
        m = fit(&table, &o);
        CHECK_NEAR(sooth_mlp_predict(m, x), k == 2 ? mean : centre[k], 0.01);
        sooth_mlp_free(&env, m);
    }
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

/* ---- boxes and integers ---- */

/* The network of integers by its definition, in 64-bit integers and doubles. */
static void forward_integers(const sooth_mlp *m, const float *row, double *out) {
    double v[64], next[64];
    size_t i, j, o;
    for (j = 0; j < m->head.features; ++j) v[j] = row[j];
    for (i = 0; i < m->layers; ++i) {
        const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
        for (o = 0; o < l->outputs; ++o) {
            int64_t sum = 0;
            double s;
            for (j = 0; j < l->inputs; ++j)
                sum += (int64_t)llround((double)(sooth_mlp_weight(m, i, o, j) / l->weight_step)) *
                       llround(fmax(-32767, fmin(32767, v[j] / l->input_step)));
            s = sooth_mlp_bias(m, i, o) + (double)l->weight_step * l->input_step * (double)sum;
            next[o] = l->activation == SOOTH_MLP_RELU         ? fmax(s, 0)
                      : l->activation == SOOTH_MLP_LEAKY_RELU ? (s > 0 ? s : m->leak * s)
                      : l->activation == SOOTH_MLP_SIGMOID    ? 1 / (1 + exp(-s))
                      : l->activation == SOOTH_MLP_TANH       ? tanh(s)
                      : l->activation == SOOTH_MLP_SOFTPLUS   ? log1p(exp(s))
                      : l->activation == SOOTH_MLP_LINEAR     ? s
                                                              : 1 + log1p(exp(s));
        }
        memcpy(v, next, l->outputs * sizeof *v);
    }
    memcpy(out, v, m->head.targets * sizeof *out);
}

/* Rows of the box, its corners too. */
static void draw(sooth_rng *rng, const float *box, size_t cols, float *row) {
    const int corner = sooth_rng_float(rng) < 0.3f;
    size_t j;
    for (j = 0; j < cols; ++j) {
        float share = sooth_rng_float(rng);
        if (corner) share = share < 0.5f ? 0 : 1;
        row[j] = share >= 1 ? box[2 * j + 1] : box[2 * j] + share * (box[2 * j + 1] - box[2 * j]);
    }
}

/* No row of the box gets an answer beyond the bounds, none of integers one further off than stated, for every
   activation; the statement is worth something too; 16 bits are better than 8; integers compute what their
   definition says. */
static void bounds_and_errors_hold(void) {
    static float x[200 * 3], y[400];
    static const float box[6] = {-1, 1, -0.5f, 1, 0.25f, 0.75f};
    sooth_table table = table_of(x, y, 200, 3, 2);
    uint32_t activation, bits;
    sooth_rng rng;
    size_t i, t;
    fill(x, 600, 41);
    fill(y, 400, 42);
    for (i = 0; i < 400; ++i) y[i] = 1.5f + y[i] * x[i] + x[3 * (i / 2)];
    sooth_rng_init(&rng, 3, 0);
    for (activation = 0; activation < SOOTH_MLP_ACTIVATIONS; ++activation) {
        const uint32_t use[2] = {activation, activation}, hidden[2] = {12, 9};
        sooth_mlp_options o = defaults();
        float range[4], error[2], least[2] = {1e9f, 1e9f}, most[2] = {-1e9f, -1e9f}, coarse[2] = {0, 0};
        sooth_mlp *m, *small;
        o.hidden = hidden;
        o.hidden_count = 2;
        o.activations = use;
        o.output = activation % 5;
        o.no_bias = activation == 1;
        o.epochs = 30;
        o.learning_rate = 0.01;
        m = fit(&table, &o);
        CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
        for (bits = 8; bits <= 16; bits += 8) {
            double worst[2] = {0, 0};
            CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, error, &small), SOOTH_OK);
            CHECK(sooth_mlp_check(small, small->head.size) && small->bits == bits);
            CHECK(small->error == (error[0] > error[1] ? error[0] : error[1]));
            CHECK(sooth_mlp_weights(small) == sooth_mlp_weights(m));
            CHECK_NEAR(sooth_mlp_weight(small, 1, 2, 3), sooth_mlp_weight(m, 1, 2, 3),
                       bits == 8 ? 0.01 : 1e-4);
            for (i = 0; i < 3000; ++i) {
                float row[3], a[2], b[2];
                double c[2];
                draw(&rng, box, 3, row);
                sooth_mlp_predict_many(m, row, 1, 3, a);
                sooth_mlp_predict_many(small, row, 1, 3, b);
                forward_integers(small, row, c);
                CHECK(b[0] == sooth_mlp_predict(small, row));
                for (t = 0; t < 2; ++t) {
                    CHECK(a[t] >= range[2 * t] && a[t] <= range[2 * t + 1]);
                    CHECK(fabs((double)a[t] - b[t]) <= error[t]);
                    CHECK_NEAR(b[t], c[t], 5e-4); /* a tie may round the other way in float */
                    worst[t] = fmax(worst[t], fabs((double)a[t] - b[t]));
                    least[t] = fminf(least[t], a[t]);
                    most[t] = fmaxf(most[t], a[t]);
                }
            }
            for (t = 0; t < 2; ++t) {
                CHECK(error[t] < 150 * worst[t] + 1e-4); /* the worst of those drawn, that is */
                if (bits == 8) coarse[t] = error[t];
                else CHECK(error[t] < 0.05f * coarse[t]);
            }
            printf("  activation %u, %u bits: off by %.2g and %.2g, at most %.2g and %.2g\n", activation,
                   bits, worst[0], worst[1], error[0], error[1]);
            sooth_mlp_free(&env, small);
        }
        for (t = 0; t < 2; ++t) CHECK(range[2 * t + 1] - range[2 * t] < 12 * (most[t] - least[t]));
        sooth_mlp_free(&env, m);
    }
}

/* By hand: 0.5 a - 0.25 b + 1 on [0,1] x [0,2] is in [0.5, 1.5]; its steps of 8 bits are 0.5 / 127 and 2 /
   32767. */
static void a_neuron_in_integers(void) {
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_LINEAR};
    const float weights[3] = {0.5f, -0.25f, 1}, box[4] = {0, 1, 0, 2};
    float range[2], error[1], row[2] = {1, 2};
    sooth_mlp *m, *small;
    CHECK_STATUS(sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
    CHECK_NEAR(range[0], 0.5, 2e-6);
    CHECK_NEAR(range[1], 1.5, 2e-6);
    CHECK(range[0] <= 0.5f && range[1] >= 1.5f);
    CHECK_STATUS(sooth_mlp_quantise(&env, m, 8, box, error, &small), SOOTH_OK);
    CHECK_CLOSE(sooth_mlp_layers(small)->weight_step, 0.5 / 127, 1e-6);
    CHECK_CLOSE(sooth_mlp_layers(small)->input_step, 2.0 / 32767, 1e-5);
    /* 127 steps; -0.25 is -63.5, so 64: half a step off, times 2 */
    CHECK(sooth_mlp_weight(small, 0, 0, 0) == 0.5f);
    CHECK_CLOSE(error[0], 0.5 * 0.5 / 127 * 2, 0.02);
    CHECK_NEAR(sooth_mlp_predict(small, row), 1.5 - 64 * 0.5 / 127 * 2, 1e-4);
    row[0] = 1e30f; /* cut at the rim */
    CHECK_NEAR(sooth_mlp_predict(small, row), 1 + 0.5 * 2 - 64 * 0.5 / 127 * 2, 1e-3);
    row[0] = NAN;
    CHECK(isnan(sooth_mlp_predict(small, row)));
    sooth_mlp_free(&env, small);
    sooth_mlp_free(&env, m);
}

/* The widest rows there are, all of one sign: no sum leaves its 32 bits (sanitizers look on). */
static void integers_do_not_overflow(void) {
    static float weights[1024 + 1], box[2048], row[1024];
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_LINEAR};
    uint32_t bits;
    sooth_mlp *m, *small;
    float error;
    size_t i;
    for (i = 0; i < 1024; ++i) {
        weights[i] = row[i] = 1;
        box[2 * i] = -1;
        box[2 * i + 1] = 1;
    }
    CHECK_STATUS(sooth_mlp_make(&env, 1024, 1, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, &error, &small), SOOTH_OK);
        CHECK(sooth_mlp_check(small, small->head.size));
        CHECK(fabsf(sooth_mlp_predict(small, row) - 1024) <= error);
        if (bits == 8) { /* one more in a weight could overflow */
            memset((unsigned char *)(void *)small + small->head.bytes_at, 127, 1024);
            soothi_block_seal(&small->head);
            CHECK(!sooth_mlp_check(small, small->head.size));
        }
        sooth_mlp_free(&env, small);
    }
    sooth_mlp_free(&env, m);
}

static void boxes_are_checked(void) {
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_LINEAR};
    const float weights[3] = {0.5f, -0.25f, 1}, odd[3] = {1, INFINITY, 1};
    float box[4] = {0, 1, 2, 0}, range[2];
    sooth_mlp *m, *small, *none;
    CHECK_FAILS(&env, sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, odd, &m), SOOTH_BAD_ARGUMENT,
                "a weight is not a finite number");
    CHECK_FAILS(&env, sooth_mlp_make(&env, 2, 1, outputs, activation, 0, -1, weights, &m), SOOTH_BAD_ARGUMENT,
                "leak is -1, but must be between 0 and 1");
    CHECK_STATUS(sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    CHECK_FAILS(&env, sooth_mlp_bounds(&env, m, box, range), SOOTH_BAD_ARGUMENT,
                "the box goes from 2 to 0 in feature 2");
    box[3] = NAN;
    CHECK_FAILS(&env, sooth_mlp_quantise(&env, m, 8, box, NULL, &small), SOOTH_BAD_ARGUMENT, "in feature 2");
    box[3] = 3e38f;
    CHECK_FAILS(&env, sooth_mlp_quantise(&env, m, 4, box, NULL, &small), SOOTH_BAD_ARGUMENT,
                "bits is 4, but must be 8 or 16");
    CHECK_FAILS(&env, sooth_mlp_quantise(&env, m, 8, box, NULL, &small), SOOTH_BAD_ARGUMENT,
                "too large for integers");
    CHECK(small == NULL);
    box[3] = 3;
    CHECK_STATUS(sooth_mlp_quantise(&env, m, 8, box, NULL, &small), SOOTH_OK);
    CHECK_FAILS(&env, sooth_mlp_quantise(&env, small, 8, box, NULL, &none), SOOTH_BAD_ARGUMENT,
                "has weights of 8 bits");
    CHECK_FAILS(&env, sooth_mlp_bounds(&env, small, box, range), SOOTH_BAD_ARGUMENT, "has weights of 8 bits");
    CHECK_EVERY_ALLOCATION(&env, sooth_mlp_quantise(&env, m, 16, box, NULL, &none),
                           sooth_mlp_free(&env, none));
    CHECK_EVERY_ALLOCATION(&env, sooth_mlp_bounds(&env, m, box, range), (void)0);
    sooth_env_init(&env);
    sooth_mlp_free(&env, small);
    sooth_mlp_free(&env, m);
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
    o.watch = &rest;
    o.learning_rate = 0.02;
    m = fit(&table, &o);
    CHECK(m->epochs > 1 && m->epochs < 190);
    CHECK_STATUS(sooth_mlp_gradient(&env, m, &rest, &o, &loss, NULL), SOOTH_OK);
    CHECK(m->loss == (float)loss);
    o.epochs = m->epochs;
    o.watch = NULL;
    o.patience = 1000;
    again = fit(&table, &o);
    for (i = 0; i < m->parameters; ++i) CHECK(soothi_mlp_floats(m)[i] == soothi_mlp_floats(again)[i]);
    sooth_mlp_free(&env, again);
    sooth_mlp_free(&env, m);
}

/* Rows held out: the share asked for, whole groups, none of them learned from. */
static void groups_are_held_out_whole(void) {
    static float x[40], y[40], weight[40];
    uint32_t group[40], order[40], seen[8];
    sooth_table table = table_of(x, y, 40, 1, 1);
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
    for (seed = 0; seed < 20; ++seed) {
        t.o.seed = seed;
        t.o.validation = 0.2;
        table.group = NULL;
        CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
        CHECK(t.rows == 32 && t.held == 8);
        table.group = group;
        t.o.validation = 0.3;
        CHECK_STATUS(soothi_mlp_split(&t), SOOTH_OK);
        CHECK(t.rows == 25 && t.held == 15); /* 12 rows are asked for: three groups of five */
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
    soothi_mlp_shape shape;
    void *work;
    double sum = 0;
    size_t i, silent = 0;
    fill(x, 128, 15);
    fill(y, 64, 16);
    o.hidden_1 = 200;
    o.dropout = 0.5;
    o.epochs = 1;
    m = fit(&table, &o);
    memset(&t, 0, sizeof t);
    t.o = o;
    soothi_mlp_resolve(&t.o);
    soothi_mlp_shape_of(&t.o, 2, 1, &shape);
    t.table = &table;
    t.model = m;
    t.layer = sooth_mlp_layers(m);
    t.p = soothi_mlp_own_floats(m);
    soothi_mlp_plan(&t, &shape, 64, NULL);
    work = malloc(t.bytes);
    soothi_mlp_plan(&t, &shape, 64, work);
    sooth_rng_init(&t.dropout, 1, 2);
    soothi_mlp_batch(&t, NULL, 0, 64);
    for (i = 0; i < 200 * 32; ++i) { /* of the last rows that went through together */
        float factor = t.mask[t.act_at[1] + i];
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
    free(work);
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
    REFUSED(SOOTH_BAD_ARGUMENT, "hidden_2 is 5, but hidden_1 is 0");
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
    REFUSED(SOOTH_BAD_ARGUMENT, "terms[0] must be of outputs below 1");
    o.terms = &zero;
    o.term_count = 1;
    REFUSED(SOOTH_BAD_ARGUMENT, "a weight above 0");
    o.monotone = rising;
    o.optimiser = SOOTH_MLP_LBFGS;
    REFUSED(SOOTH_BAD_ARGUMENT, "monotone features cannot be learned by lbfgs");
    o.watch = &one;
    one.cols = 1;
    REFUSED(SOOTH_BAD_DATA, "the table to watch has 1 columns and 1 targets, but the other 2 and 1");
    table.group = group;
    o.validation = 0.5;
    REFUSED(SOOTH_BAD_DATA, "none of the 3 rows (in whole groups) is left to learn from");
    table.group = NULL;
    y[1] = 0;
    o.loss = SOOTH_MLP_RELATIVE;
    REFUSED(SOOTH_BAD_DATA, "row 2 has 0 where term 1 of the loss needs a number other than 0");
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
        REFUSED(SOOTH_BAD_DATA, "the table has 1025 columns and 1 targets, but a network takes at most 1024");
        CHECK(sooth_mlp_size(&o, 1025, 1) == 0);
    }
    CHECK_STATUS(sooth_mlp_fit(NULL, &table, NULL, &m), SOOTH_BAD_DATA); /* no env, no sentence, no crash */
#undef REFUSED
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
                    "the loss exploded in epoch");
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
        size = sooth_mlp_size(&o, 3, 2) + sooth_mlp_work(&o, 20, 3, 2);
        sooth_env_init(&env);
        CHECK(size + 32 <= sizeof memory);
        sooth_arena_init(&arena, memory, size + 32, &env);
        CHECK_STATUS(sooth_mlp_fit(&env, &table, &o, &m), SOOTH_OK);
        CHECK(m && m->head.size == sooth_mlp_size(&o, 3, 2) && arena.peak >= size);
        sooth_arena_init(&arena, memory, size - 1, &env);
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

/* Any change of a word is refused; with the checksum made right again it is refused or harmless. */
static void harmless_when_changed(const sooth_mlp *m, const float *x, float *out) {
    const size_t size = m->head.size;
    sooth_mlp *copy = (sooth_mlp *)malloc(size);
    size_t i;
    for (i = 0; i < size / 4; ++i) {
        uint32_t k;
        for (k = 0; k < 6; ++k) {
            const uint32_t words[6] = {0, 1, 4, 1000, 0x7FC00000u, 0xFFFFFFFFu};
            uint32_t was;
            memcpy(copy, m, size);
            memcpy(&was, (unsigned char *)copy + 4 * i, 4);
            if (was == words[k]) continue;
            memcpy((unsigned char *)copy + 4 * i, &words[k], 4);
            CHECK(!sooth_mlp_check(copy, size));
            copy->head.checksum = 0;
            if (copy->head.size != size) continue;
            soothi_block_seal(&copy->head);
            if (!sooth_mlp_check(copy, size)) continue;
            (void)sooth_mlp_predict(copy, x);
            sooth_mlp_predict_many(copy, x, 20, 3, out);
            (void)sooth_mlp_cost(copy);
        }
    }
    for (i = 0; i < size; ++i) CHECK(!sooth_mlp_check(m, i));
    free(copy);
}

static void changed_bytes_are_refused_or_harmless(void) {
    static float x[20 * 3], y[40], out[40];
    static const float box[6] = {-1, 1, -1, 1, -1, 1};
    sooth_table table = table_of(x, y, 20, 3, 2);
    sooth_mlp_options o = defaults();
    sooth_mlp *m, *small;
    uint32_t bits;
    fill(x, 60, 25);
    fill(y, 40, 26);
    o.hidden_1 = 5;
    o.hidden_2 = 3;
    o.epochs = 1;
    m = fit(&table, &o);
    harmless_when_changed(m, x, out);
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, NULL, &small), SOOTH_OK);
        harmless_when_changed(small, x, out);
        sooth_mlp_free(&env, small);
    }
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

/* The product has the same bits with vectors of eight, and is what it should be. */
static void wide_vectors_change_nothing(void) {
    static float a[40 * 40], b[40 * 64], plain[40 * 64], wide[40 * 64];
    size_t m, n, depth, i, j, k;
    fill(a, 1600, 31);
    fill(b, 2560, 32);
    for (m = 1; m <= 40; m += 13)
        for (n = 4; n <= 64; n += 4)
            for (depth = 1; depth <= 40; depth += 13) {
                fill(plain, 40 * 64, 33);
                memcpy(wide, plain, sizeof wide);
                soothi_mlp_product(0, m, n, depth, a, 1, 40, b, 64, plain, 64);
                soothi_mlp_product(soothi_mlp_has_avx2(), m, n, depth, a, 1, 40, b, 64, wide, 64);
                CHECK(memcmp(plain, wide, sizeof wide) == 0);
                fill(wide, 40 * 64, 33);
                for (i = 0; i < m; ++i)
                    for (j = 0; j < n; ++j)
                        for (k = 0; k < depth; ++k) wide[64 * i + j] += a[40 * k + i] * b[64 * k + j];
                CHECK(memcmp(plain, wide, sizeof wide) == 0);
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

/* FNV-1a over words, the lowest byte first: the same on every machine. */
static unsigned long long hash_words(unsigned long long hash, const void *words, size_t count) {
    size_t i;
    for (i = 0; i < 4 * count; ++i) {
        uint32_t word;
        memcpy(&word, (const unsigned char *)words + i / 4 * 4, 4);
        hash = (hash ^ (word >> 8 * (i % 4) & 255u)) * 1099511628211ull;
    }
    return hash;
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
        o.validation = k == 0 ? 0.2 : 0;
        o.momentum = 0.5;
        o.schedule = SOOTH_MLP_COSINE;
        o.epochs = 8;
        o.loss = k == 2 ? SOOTH_MLP_THEMIS : SOOTH_MLP_HUBER;
        m = fit(&table, &o);
        sooth_mlp_predict_many(m, x, 150, 5, out);
        m->head.checksum = 0; /* counts bytes, and those stand the other way round on some machines */
        hash = hash_words(hash, m, m->head.size / 4);
        hash = hash_words(hash, out, 300);
        sooth_mlp_free(&env, m);
    }
    CHECK(hash == GOLDEN_HASH);
    if (hash != GOLDEN_HASH) printf("  the hash is 0x%llxull\n", hash);
}

/* And the same integers, errors and bounds. */
static void same_integers_everywhere(void) {
    static float x[60 * 4], y[120], out[120];
    static const float box[8] = {-1, 1, -1, 1, -0.5f, 1, 0, 1};
    sooth_table table = table_of(x, y, 60, 4, 2);
    unsigned long long hash = 14695981039346656037ull;
    sooth_mlp_options o = defaults();
    sooth_mlp *m, *small;
    float error[2], range[4];
    uint32_t bits;
    fill(x, 240, 43);
    fill(y, 120, 44);
    o.hidden_1 = 14;
    o.hidden_2 = 6;
    o.activation = SOOTH_MLP_SIGMOID;
    o.output = SOOTH_MLP_POSITIVE;
    o.epochs = 5;
    m = fit(&table, &o);
    CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
    hash = hash_words(hash, range, 4);
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, error, &small), SOOTH_OK);
        sooth_mlp_predict_many(small, x, 60, 4, out);
        hash = hash_words(hash, out, 120);
        hash = hash_words(hash, error, 2);
        sooth_mlp_free(&env, small);
    }
    sooth_mlp_free(&env, m);
    CHECK(hash == GOLDEN_INTEGERS);
    if (hash != GOLDEN_INTEGERS) printf("  the hash is 0x%llxull\n", hash);
}

int main(void) {
    CHECK_RUN(predictions_equal_scikit_learn);
    CHECK_RUN(steps_equal_scikit_learn);
    CHECK_RUN(steps_equal_the_formulas);
    CHECK_RUN(rprop_equals_the_formulas);
    CHECK_RUN(lbfgs_finds_the_minimum);
    CHECK_RUN(gradients_equal_differences);
    CHECK_RUN(gradients_of_many_rows);
    CHECK_RUN(weights_repeat_rows);
    CHECK_RUN(themis_has_312_weights);
    CHECK_RUN(themis_learns_both_slowdowns);
    CHECK_RUN(exclusive_or_is_learned);
    CHECK_RUN(a_sine_is_learned);
    CHECK_RUN(friedman_is_learned);
    CHECK_RUN(losses_find_their_centres);
    CHECK_RUN(constraints_hold);
    CHECK_RUN(bounds_and_errors_hold);
    CHECK_RUN(a_neuron_in_integers);
    CHECK_RUN(integers_do_not_overflow);
    CHECK_RUN(boxes_are_checked);
    CHECK_RUN(the_best_weights_are_kept);
    CHECK_RUN(groups_are_held_out_whole);
    CHECK_RUN(plateaus_lower_the_rate);
    CHECK_RUN(dropout_keeps_the_mean);
    CHECK_RUN(bad_input_is_a_sentence);
    CHECK_RUN(explosions_are_named);
    CHECK_RUN(poor_tables_are_learned);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(the_stated_memory_is_enough);
    CHECK_RUN(cancelling_ends_it);
    CHECK_RUN(options_have_names);
    CHECK_RUN(changed_bytes_are_refused_or_harmless);
    CHECK_RUN(many_rows_are_rows);
    CHECK_RUN(wide_vectors_change_nothing);
    CHECK_RUN(nan_in_nan_out);
    CHECK_RUN(same_bits_everywhere);
    CHECK_RUN(same_integers_everywhere);
    return check_end("mlp");
}
