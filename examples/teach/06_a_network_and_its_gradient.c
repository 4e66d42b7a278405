/* 06_a_network_and_its_gradient.c - backpropagation in twenty lines, checked by differences: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/06_descent.svg
 *
 * Eight neurons read threads and clock. Each computes tanh of a weighted sum, and the answer is a weighted
 * sum of their outputs. Learning is descent: change every weight against the gradient of the loss, the mean
 * of (answer - y)^2 / 2. The chain rule gives the gradient, from the answer backwards. The error of the
 * answer goes to each neuron by its weight. There it is multiplied by the slope of tanh, 1 - tanh^2. Then it
 * goes on to the weights of the inputs (Rumelhart, Hinton, Williams 1986). It is easy to get this wrong, so
 * check it: move one weight a little up and down, and measure how the loss changes. That is slow, and nothing
 * can be wrong with it.
 *
 * Exercises, with answers in answers.md:
 *   1. Begin with all weights 0. What is the gradient of the neurons, and why does nothing ever happen?
 *   2. Give the threads as they are, 1 to 24, instead of divided by 24. How far does the descent come?
 *   3. What does the network predict for 240 threads? What is its max over all inputs?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/mlp.h"

/* Weights of neuron k: INPUT + k for the first input, INPUT + NEURONS + k for the second, BIAS + k. ANSWER
   + k is the weight of its output in the answer. LAST is the bias of the answer. mlp.h uses this order. */
enum { NEURONS = 8, INPUT = 0, BIAS = 16, ANSWER = 24, LAST = 32, WEIGHTS = 33 };

/* ---- 1. Forward: the outputs of the neurons, and the answer. ---- */

static double forward(const double *w, const float *x, double *said) {
    double answer = w[LAST];
    for (int k = 0; k < NEURONS; ++k) {
        said[k] = tanh(w[BIAS + k] + w[INPUT + k] * (double)x[0] + w[INPUT + NEURONS + k] * (double)x[1]);
        answer += w[ANSWER + k] * said[k];
    }
    return answer;
}

static double network_loss(const double *w, const sooth_table *t) {
    double sum = 0, said[NEURONS];
    for (size_t i = 0; i < t->rows; ++i) {
        const double off = forward(w, t->x + 2 * i, said) - (double)t->y[i];
        sum += off * off / 2 / (double)t->rows;
    }
    return sum;
}

/* ---- 2. Backward. ---- */

static void backward(const double *w, const sooth_table *t, double *gradient) {
    double said[NEURONS];
    memset(gradient, 0, WEIGHTS * sizeof *gradient);
    for (size_t i = 0; i < t->rows; ++i) {
        const double off = (forward(w, t->x + 2 * i, said) - (double)t->y[i]) / (double)t->rows;
        gradient[LAST] += off;
        for (int k = 0; k < NEURONS; ++k) {
            const double back = off * w[ANSWER + k] * (1 - said[k] * said[k]);
            gradient[ANSWER + k] += off * said[k];
            gradient[BIAS + k] += back;
            gradient[INPUT + k] += back * (double)t->x[2 * i];
            gradient[INPUT + NEURONS + k] += back * (double)t->x[2 * i + 1];
        }
    }
}

static double by_difference(double *w, const sooth_table *t, int at) {
    const double step = 1e-5, here = w[at];
    w[at] = here + step;
    const double up = network_loss(w, t);
    w[at] = here - step;
    const double down = network_loss(w, t);
    w[at] = here;
    return (up - down) / (2 * step);
}

/* ---- 3. Downhill. ---- */

static void descend(double *w, const sooth_table *t, double rate, size_t steps) {
    double gradient[WEIGHTS];
    for (size_t s = 0; s < steps; ++s) {
        backward(w, t, gradient);
        for (int k = 0; k < WEIGHTS; ++k) w[k] -= rate * gradient[k];
    }
}

int main(void) {
    static const char *const column[] = {"threads", "freq_mhz"}, *const names[] = {"descent", "L-BFGS"};
    static const uint32_t outputs[] = {NEURONS, 1}, activation[] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    sooth_mlp_options options = {.hidden_1 = NEURONS,
                                 .activation = SOOTH_MLP_TANH,
                                 .optimiser = SOOTH_MLP_LBFGS,
                                 .batch_size = 312,
                                 .epochs = 500};
    measurements m = measured(EXAMPLES "scale/data/parsec.csv", column, 2, "power_w", "app");
    sooth_table t = rows_of(&m, "ferret", 1);
    float *x = (float *)room(2 * t.rows, sizeof *x), *y = (float *)room(t.rows, sizeof *y), given[WEIGHTS];
    double w[WEIGHTS], gradient[WEIGHTS], step[21], loss[2 * 21], worst[2] = {0, 0};
    float fast[WEIGHTS + 8];
    sooth_mlp *model;
    sooth_rng rng;
    sooth_env env;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < t.rows; ++i) { /* inputs and answers of order one */
        x[2 * i] = t.x[i * t.stride] / 24;
        x[2 * i + 1] = t.x[i * t.stride + 1] / 2400;
        y[i] = t.y[i] / 100;
    }
    t = sooth_table_of(x, y, t.rows, 2);
    for (int k = 0; k < WEIGHTS; ++k) w[k] = (double)(given[k] = sooth_rng_float(&rng) - 0.5f);

    /* sooth_mlp_make takes the weights in the order of neurons */
    float by_neuron[WEIGHTS];
    memcpy(by_neuron, given, sizeof given);
    for (int k = 0; k < NEURONS; ++k) {
        by_neuron[2 * k] = given[INPUT + k];
        by_neuron[2 * k + 1] = given[INPUT + NEURONS + k];
    }
    need(&env, sooth_mlp_make(&env, 2, 2, outputs, activation, 0, 0, by_neuron, &model));
    need(&env, sooth_mlp_gradient(&env, model, &t, &options, loss, fast));
    backward(w, &t, gradient);
    for (int k = 0; k < WEIGHTS; ++k) {
        worst[0] = fmax(worst[0], fabs(gradient[k] - by_difference(w, &t, k)));
        worst[1] = fmax(worst[1], fabs(gradient[k] - (double)fast[k]));
    }
    printf(
        "%d weights. By hand, the gradient differs by at most %.1g from differences, by %.1g from mlp.h.\n",
        WEIGHTS, worst[0], worst[1]);
    need(&env, sooth_mlp_fit(&env, &t, &options, &model));
    puts("steps of descent   loss");
    for (int k = 0; k < 21; ++k, descend(w, &t, 0.3, 500)) {
        step[k] = 500 * k;
        loss[k] = log10(network_loss(w, &t));
        loss[21 + k] = log10((double)model->loss);
        if (k % 5 == 0) printf("%16.0f   %.6f\n", step[k], pow(10, loss[k]));
    }
    printf("%u steps of L-BFGS, which estimates the curvature too: %.6f\n", model->epochs,
           (double)model->loss);
    draw_lines("06_descent.svg", "The loss of a network during descent", "steps", "log10 of the loss", step,
               loss, 21, names, 2);
    return 0;
}
