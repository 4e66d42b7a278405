/* test_quantise.c - bounds and integers of networks against their definition and thousands of rows.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/mlp.h"
#include "check.h"
#include "networks.h"
#include "lies.h"

#define GOLDEN_INTEGERS 0xf6e82b49955bf787ull /* see same_integers_everywhere */

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

/* Sums become floats as the compiler makes them, ties to even: halves of every size below 2^48, numbers
   beside them, and any. */
static void sums_become_floats(void) {
    sooth_rng rng;
    uint32_t wrong = 0;
    sooth_rng_init(&rng, 1, 0);
    for (uint32_t i = 0; i < 200000; ++i) {
        const uint32_t bits = 1 + i % 48;
        int64_t v = (int64_t)(((uint64_t)sooth_rng_next(&rng) << 32 | sooth_rng_next(&rng)) >> (64 - bits));
        if (bits > 24 && i % 2) { /* a half, or one beside it */
            const int64_t step = (int64_t)1 << (bits - 24);
            v = v / step * step + step / 2 + (int64_t)(i / 96 % 3) - 1;
        }
        if (v >= (int64_t)1 << 48) continue;
        const float up = soothi_mlp_float_of(v), down = soothi_mlp_float_of(-v);
        wrong += soothi_bits(up) != soothi_bits((float)v) || soothi_bits(down) != soothi_bits((float)-v);
    }
    CHECK(wrong == 0);
    CHECK(soothi_bits(soothi_mlp_float_of(0)) == 0);
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
    CHECK_SLOW();
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

/* What leaves the floats on its way may be anything after it, though in doubles it would come back. */
static void sums_beyond_the_floats_bound_nothing(void) {
    const uint32_t outputs[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t activation[9];
    const float box[2] = {-1, 1}, row[1] = {1};
    float weights[18] = {0}, range[2];
    sooth_mlp *m;
    for (size_t i = 0; i < 9; ++i) activation[i] = SOOTH_MLP_LINEAR;
    weights[0] = 3e38f, weights[2] = 10, weights[4] = 1e-38f;
    CHECK_STATUS(sooth_mlp_make(&env, 1, 3, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    CHECK(isinf(sooth_mlp_predict(m, row)));
    CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
    CHECK(isinf(range[0]) && range[0] < 0 && isinf(range[1]) && range[1] > 0);
    sooth_mlp_free(&env, m);
    for (size_t i = 0; i < 9; ++i) weights[2 * i] = 3e38f, weights[2 * i + 1] = 0; /* beyond the doubles */
    activation[8] = SOOTH_MLP_RELU;
    CHECK_STATUS(sooth_mlp_make(&env, 1, 9, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
    CHECK(range[0] == 0 && isinf(range[1]));
    sooth_mlp_free(&env, m);
}

static void boxes_are_checked(void) {
    const uint32_t outputs[1] = {1}, activation[1] = {SOOTH_MLP_LINEAR};
    const float weights[3] = {0.5f, -0.25f, 1}, odd[3] = {1, INFINITY, 1};
    float box[4] = {0, 1, 2, 0}, range[2];
    sooth_mlp *m, *small, *none;
    CHECK_FAILS(&env, sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, odd, &m), SOOTH_BAD_ARGUMENT,
                "a weight is not finite");
    CHECK_FAILS(&env, sooth_mlp_make(&env, 2, 1, outputs, activation, 0, -1, weights, &m), SOOTH_BAD_ARGUMENT,
                "leak is -1, but must be between 0 and 1");
    CHECK_STATUS(sooth_mlp_make(&env, 2, 1, outputs, activation, 0, 0, weights, &m), SOOTH_OK);
    CHECK_FAILS(&env, sooth_mlp_bounds(&env, m, box, range), SOOTH_BAD_ARGUMENT,
                "the box is 2 to 0 in feature 2");
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

/* Weights that no integers of so few bits can stand for are refused. */
static void large_weights_are_refused(void) {
    static float x[20 * 3], y[20];
    static const float box[6] = {-1, 1, -1, 1, -1, 1};
    sooth_table table = table_of(x, y, 20, 3, 1);
    sooth_mlp_options o = {.hidden_1 = 5, .epochs = 1};
    sooth_mlp *m, *small;
    uint32_t bits;
    fill(x, 60, 25);
    fill(y, 20, 26);
    for (bits = 8; bits <= 16; bits += 8) {
        m = fit(&table, &o);
        soothi_mlp_own_floats(m)[sooth_mlp_layers(m)[0].weights_at] = 3e38f;
        soothi_block_seal(&m->head);
        CHECK(sooth_mlp_check(m, m->head.size));
        if (bits == 8) {
            CHECK_FAILS(&env, sooth_mlp_quantise(&env, m, bits, box, NULL, &small), SOOTH_BAD_ARGUMENT,
                        "the weights of layer 1 need steps of");
        } else {
            CHECK_FAILS(&env, sooth_mlp_quantise(&env, m, bits, box, NULL, &small), SOOTH_BAD_ARGUMENT,
                        "too large for integers");
        }
        CHECK(small == NULL);
        sooth_mlp_free(&env, m);
    }
}

static void changed_integers_are_refused_or_harmless(void) {
    static float x[20 * 3], y[40], out[40];
    static const float box[6] = {-1, 1, -1, 1, -1, 1};
    sooth_table table = table_of(x, y, 20, 3, 2);
    sooth_mlp_options o = {.hidden_1 = 5, .hidden_2 = 3, .epochs = 1};
    sooth_mlp *m, *small;
    uint32_t bits;
    fill(x, 60, 25);
    fill(y, 40, 26);
    m = fit(&table, &o);
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, NULL, &small), SOOTH_OK);
        harmless_when_changed(small, x, out);
        sooth_mlp_free(&env, small);
    }
    sooth_mlp_free(&env, m);
}

/* The same integers, errors and bounds with any compiler on any machine. */
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
    set(&o, "activation", "sigmoid");
    set(&o, "output", "positive");
    set(&o, "schedule", "constant");
    o.learning_rate = 0.001;
    o.batch_size = 32;
    o.has_weight_decay = 1;
    o.epochs = 5;
    m = fit(&table, &o);
    CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
    hash = check_hash_words(hash, range, 4);
    for (bits = 8; bits <= 16; bits += 8) {
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, error, &small), SOOTH_OK);
        sooth_mlp_predict_many(small, x, 60, 4, out);
        hash = check_hash_words(hash, out, 120);
        hash = check_hash_words(hash, error, 2);
        sooth_mlp_free(&env, small);
    }
    sooth_mlp_free(&env, m);
    CHECK(hash == GOLDEN_INTEGERS);
    if (hash != GOLDEN_INTEGERS) printf("  the hash is 0x%llxull\n", hash);
}

/* Lies about integers: their steps, their number, and weights whose sums could overflow. */
static void lies_of_integer_networks(void) {
    static const uint32_t outputs[2] = {3, 1}, activation[2] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    static const uint32_t nan = 0x7FC00000u, minus_one = 0xBF800000u, huge = 0x72000000u;
    const float box[4] = {-1, 1, -2, 2};
    const size_t first = sizeof(sooth_mlp);
    float weights[13];
    sooth_mlp *m, *small;
    sooth_env_init(&env);
    for (size_t i = 0; i < 13; ++i) weights[i] = 0.1f * (float)i - 0.4f;
    CHECK_STATUS(sooth_mlp_make(&env, 2, 2, outputs, activation, 0, 0.0, weights, &m), SOOTH_OK);
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        const lies_word lies[] = {{offsetof(sooth_mlp, bits), 0},
                                  {offsetof(sooth_mlp, bits), 24u - bits},
                                  {offsetof(sooth_mlp, bits), 12},
                                  {first + offsetof(sooth_mlp_layer, weight_step), 0},
                                  {first + offsetof(sooth_mlp_layer, weight_step), minus_one},
                                  {first + offsetof(sooth_mlp_layer, weight_step), huge},
                                  {first + offsetof(sooth_mlp_layer, weight_step), nan},
                                  {first + offsetof(sooth_mlp_layer, input_step), 0},
                                  {first + offsetof(sooth_mlp_layer, input_step), minus_one},
                                  {first + offsetof(sooth_mlp_layer, input_step), huge},
                                  {first + offsetof(sooth_mlp_layer, input_step), nan},
                                  {first + offsetof(sooth_mlp_layer, stride), 4},
                                  {first + offsetof(sooth_mlp_layer, weights_at), 1},
                                  {first + offsetof(sooth_mlp_layer, biases_at), 2}};
        CHECK_STATUS(sooth_mlp_quantise(&env, m, bits, box, NULL, &small), SOOTH_OK);
        if (!small) return;
        lies_are_refused(sooth_mlp_check, &small->head, lies, sizeof lies / sizeof *lies);
        sooth_mlp_free(&env, small);
    }
    sooth_mlp_free(&env, m);
}

/* Intervals and how far integers are off, of every activation, against the network itself on a grid. */
static void bounds_hold_for_every_activation(void) {
    static const float box[2] = {-100, 90};
    sooth_env_init(&env);
    for (uint32_t f = 0; f < SOOTH_MLP_ACTIVATIONS; ++f)
        for (int no_bias = 0; no_bias < 2; ++no_bias) {
            const uint32_t outputs[2] = {2, 1}, activation[2] = {f, f};
            const float weights[7] = {1, -1, 0.25f, -0.5f, 0.75f, -0.5f, 0.125f},
                        bare[4] = {1, -1, 0.75f, -0.5f};
            float range[2], x, least = INFINITY, most = -INFINITY;
            float error[1];
            sooth_mlp *m, *small;
            CHECK_STATUS(
                sooth_mlp_make(&env, 1, 2, outputs, activation, no_bias, 0.25, no_bias ? bare : weights, &m),
                SOOTH_OK);
            CHECK_STATUS(sooth_mlp_bounds(&env, m, box, range), SOOTH_OK);
            CHECK_STATUS(sooth_mlp_quantise(&env, m, 16, box, error, &small), SOOTH_OK);
            if (!m || !small) return;
            for (x = box[0]; x <= box[1]; x += 0.25f) {
                const float v = sooth_mlp_predict(m, &x);
                least = fminf(least, v);
                most = fmaxf(most, v);
                CHECK(fabs((double)v - (double)sooth_mlp_predict(small, &x)) <= (double)error[0]);
            }
            CHECK(least >= range[0] - 1e-4f && most <= range[1] + 1e-4f);
            /* two neurons, one rising and one falling, are at their ends at both ends of the box */
            CHECK(range[1] - range[0] <= 2.1f * (most - least) + 1e-3f);
            sooth_mlp_free(&env, small);
            sooth_mlp_free(&env, m);
        }
}

int main(void) {
    CHECK_RUN(bounds_and_errors_hold);
    CHECK_RUN(a_neuron_in_integers);
    CHECK_RUN(sums_become_floats);
    CHECK_RUN(integers_do_not_overflow);
    CHECK_RUN(sums_beyond_the_floats_bound_nothing);
    CHECK_RUN(boxes_are_checked);
    CHECK_RUN(large_weights_are_refused);
    CHECK_RUN(changed_integers_are_refused_or_harmless);
    CHECK_RUN(same_integers_everywhere);
    CHECK_RUN(lies_of_integer_networks);
    CHECK_RUN(bounds_hold_for_every_activation);
    return check_end("quantise");
}
