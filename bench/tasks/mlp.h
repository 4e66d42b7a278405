/* mlp.h - times neural networks: task=nn epochs=20 batch_size=32 h1=64 h2=64 h3=128.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: epochs, batch_size, h1 h2 h3 h4 (64, 64, 128, 0: neurons of the hidden layers), rate (learning
 * rate), optimiser, activation (their names), bits (0; 8 or 16: the model that answers has weights of so many
 * bits). Adam and ReLU like scikit-learn's MLPRegressor; no early end; train_s is all epochs.
 *
 * Floor, for 64-64-128 on 10 columns (13,056 weights): forward, back (not to the columns) and the gradient
 * are 38,500 multiply-adds a row, 385 million in an epoch of 10,000 rows. A product and a sum are two
 * instructions, two a cycle, and eight numbers wide where training finds AVX2: 48 million cycles, 12 ms at 4
 * GHz (24 ms with SSE2). Adam's 313 steps over 13,313 parameters each take a root and a division, about 10
 * cycles for four: 10 million, 3 ms. 15 ms together. One row: 13,056 multiply-adds, four wide in a program
 * for any x86-64: 3,264 cycles, 820 ns; after a ReLU about half of the inputs are 0 and left out: 410 ns,
 * with AVX (-march=native) 205 ns. Themis' 312: 80 cycles, 20 ns; filling and emptying the pipeline for its
 * three layers, and two softplus, cost more than that.
 */
#include "sooth/mlp.h"

BENCH_MODEL(mlp)

static void bench_mlp_options(sooth_env *env, sooth_mlp_options *options) {
    static const char *const words[] = {"optimiser", "activation", "loss", "schedule"};
    memset(options, 0, sizeof *options);
    options->hidden_1 = (uint32_t)bench_count("h1", 64);
    options->hidden_2 = (uint32_t)bench_count("h2", 64);
    options->hidden_3 = (uint32_t)bench_count("h3", 128);
    options->hidden_4 = (uint32_t)bench_count("h4", 0);
    options->epochs = (uint32_t)bench_count("epochs", 20);
    options->batch_size = (uint32_t)bench_count("batch_size", 32);
    options->schedule = SOOTH_MLP_CONSTANT; /* as the peers by default */
    options->has_weight_decay = 1;
    options->learning_rate = bench_number("rate", bench_text("optimiser", NULL) ? 0.0 : 0.001);
    options->patience = 1000000;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (bench_text(words[i], NULL) && sooth_option_set(env, sooth_mlp_options_list(), options, words[i],
                                                           bench_text(words[i], "")) != SOOTH_OK)
            bench_stop("task mlp", env->sentence);
}

/* The model in weights of integers, made for the box of the rows. */
static sooth_mlp *bench_mlp_quantised(sooth_env *env, sooth_mlp *model, const sooth_table *table) {
    sooth_mlp *small = NULL;
    float *box = (float *)malloc(2 * table->cols * sizeof *box);
    if (!box) bench_stop("task mlp", "no memory");
    for (size_t j = 0; j < table->cols; ++j) {
        float *low = box + 2 * j, *high = low + 1;
        *low = *high = table->x[j];
        for (size_t i = 1; i < table->rows; ++i) {
            const float v = table->x[i * table->stride + j];
            if (v < *low) *low = v;
            if (v > *high) *high = v;
        }
    }
    if (sooth_mlp_quantise(env, model, (uint32_t)bench_count("bits", 8), box, NULL, &small) != SOOTH_OK)
        bench_stop("task mlp", env->sentence);
    free(box);
    sooth_mlp_free(env, model);
    return small;
}

static void bench_nn(bench_result *result) {
    sooth_env env;
    sooth_table train, test;
    sooth_mlp_options options;
    sooth_mlp *model = NULL;
    bench_tables(result, &env, &train, &test);
    bench_mlp_options(&env, &options);
    while (bench_more(result)) {
        double start = bench_clock();
        sooth_mlp_free(&env, model);
        if (sooth_mlp_fit(&env, &train, &options, &model) != SOOTH_OK) bench_stop("task mlp", env.sentence);
        bench_trained(result, bench_clock() - start);
    }
    if (bench_count("bits", 0)) model = bench_mlp_quantised(&env, model, &train);
    bench_answer(result, model, bench_mlp_one, bench_mlp_many, &test);
    result->bytes = (double)model->head.size;
    snprintf(result->note, sizeof result->note, "%u weights, %u epochs", (unsigned)sooth_mlp_weights(model),
             (unsigned)model->epochs);
    sooth_mlp_free(&env, model);
}
