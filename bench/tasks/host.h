/* host.h - times what a scheduler calls: task=host what=slot; see below for what else.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: what (slot), keys (64), window (32), features (8), choices (6), trees (100)
 *
 * single_ns is what one call adds to a loop of a host that draws a task's row and key: each round runs the
 * loop without and with the call, one behind the other, and the median of 41 differences is told. Bytes: of
 * the slot with two readers, of the recorder, or of the model, 100 boosted trees of depth 6.
 *
 *   slot      enter and leave, nobody else there      publish  and look whether all is quiet
 *   observe   a measurement, one in 200 a spike       find     what is known of a key
 *   choices   all choices of a task at once           each     the same, row by row
 *   map       names to columns                        why      checking the model's bytes
 *
 * Floor at 3 GHz: slot, two exchanges that drain the store buffer, 2 x 20 cycles, 13 ns; observe, three
 * bisections of 5 steps, half of them guessed wrong, and a quarter of the window moved, 50 ns, and the row
 * written; why, a multiplication of 4 cycles for every 16 bytes, twice.
 */
#include "sooth/online.h"
#include "sooth/train.h"

enum { BENCH_HOST_ROWS = 4096, BENCH_HOST_MOST = 64, BENCH_HOST_PAIRS = 41 };

typedef struct bench_host_state {
    sooth_env env;
    sooth_slot slot;
    sooth_slot_reader readers[2];
    sooth_recorder *recorder;
    sooth_model *model;
    size_t features, choices, calls;
    uint32_t keys;
    float *x, *us;
    float choice[2 * BENCH_HOST_MOST], out[BENCH_HOST_MOST], scratch[BENCH_HOST_MOST * BENCH_HOST_MOST];
    uint32_t column[BENCH_HOST_MOST];
    const char *names[BENCH_HOST_MOST];
    char name[BENCH_HOST_MOST][8];
} bench_host_state;

typedef double bench_host_call(bench_host_state *b, const float *row, uint32_t key, size_t i);

static double bench_host_slot(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    (void)row, (void)key, (void)i;
    const double got = sooth_slot_enter(&b->slot, 0) != NULL;
    sooth_slot_leave(&b->slot, 0);
    return got;
}

static double bench_host_publish(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    (void)row, (void)key, (void)i;
    return (sooth_slot_publish(&b->slot, b->model) != NULL) + sooth_slot_is_quiet(&b->slot);
}

static double bench_host_observe(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    return sooth_recorder_observe(b->recorder, key, row, b->us[i]);
}

static double bench_host_find(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    sooth_recorder_entry entry;
    (void)row, (void)i;
    return sooth_recorder_find(b->recorder, key, &entry) != SOOTH_NONE ? (double)entry.median : 0.0;
}

static double bench_host_choices(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    static const uint32_t column[2] = {1, 2};
    (void)key, (void)i;
    sooth_model_predict_choices(b->model, row, column, 2, b->choice, b->choices, b->out, b->scratch,
                                b->choices);
    return (double)b->out[0];
}

static double bench_host_each(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    float mine[BENCH_HOST_MOST];
    (void)key, (void)i;
    memcpy(mine, row, b->features * sizeof *row);
    for (size_t c = 0; c < b->choices; ++c) {
        mine[1] = b->choice[2 * c];
        mine[2] = b->choice[2 * c + 1];
        b->out[c] = sooth_model_predict(b->model, mine, NULL);
    }
    return (double)b->out[0];
}

static double bench_host_map(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    (void)row, (void)key, (void)i;
    return sooth_model_map(b->model, b->names, (uint32_t)b->features, b->column);
}

static double bench_host_why(bench_host_state *b, const float *row, uint32_t key, size_t i) {
    (void)row, (void)key, (void)i;
    return sooth_model_why(b->model, b->model->head.size) == NULL;
}

static const struct {
    const char *name;
    bench_host_call *call;
    size_t calls; /* of a round */
} bench_host_calls[] = {{"slot", bench_host_slot, 100000},      {"observe", bench_host_observe, 20000},
                        {"find", bench_host_find, 20000},       {"choices", bench_host_choices, 1000},
                        {"each", bench_host_each, 1000},        {"map", bench_host_map, 2000},
                        {"publish", bench_host_publish, 50000}, {"why", bench_host_why, 20}};

/* Seconds of one loop of the host; call: NULL, or what it calls beside its own. */
static double bench_host_loop(bench_host_state *b, bench_host_call *call) {
    static volatile double keep;
    const double start = bench_clock();
    double sum = 0.0;
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (size_t k = 0; k < b->calls; ++k) {
        const size_t i = sooth_rng_next(&rng) % BENCH_HOST_ROWS;
        const float *row = b->x + i * b->features;
        const uint32_t key = (uint32_t)row[0];
        sum += (double)row[1] + key;
        if (call) sum += call(b, row, key, i);
    }
    keep = keep + sum;
    return bench_clock() - start;
}

/* Times that depend on the key and the first features. */
static void bench_host_make(bench_host_state *b) {
    const sooth_recorder_options options = {.features = (uint32_t)b->features,
                                            .keys = b->keys,
                                            .window_size = (uint32_t)bench_count("window", 32)};
    const sooth_train_recipe recipe = {.model = "boost",
                                       .options.boost = {.n_estimators = (uint32_t)bench_count("trees", 100),
                                                         .learning_rate = 0.1,
                                                         .subsample = 1.0}};
    const size_t size = sooth_recorder_size(&options);
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    b->x = (float *)malloc(BENCH_HOST_ROWS * b->features * sizeof *b->x);
    b->us = (float *)malloc(BENCH_HOST_ROWS * sizeof *b->us);
    void *memory = malloc(size ? size : 1);
    if (!b->x || !b->us || !memory) bench_stop("task host", "no memory");
    for (size_t i = 0; i < BENCH_HOST_ROWS; ++i) {
        float *row = b->x + i * b->features;
        for (size_t j = 0; j < b->features; ++j) row[j] = sooth_rng_float(&rng);
        row[0] = (float)sooth_rng_below(&rng, b->keys);
        b->us[i] = (100.0f + row[0] + 10.0f * row[1] * row[2]) * (0.95f + 0.1f * sooth_rng_float(&rng));
    }
    for (size_t j = 0; j < b->features; ++j) {
        snprintf(b->name[j], sizeof b->name[j], "x%u", (unsigned)j);
        b->names[j] = b->name[j];
    }
    for (size_t c = 0; c < 2 * b->choices; ++c) b->choice[c] = sooth_rng_float(&rng);
    sooth_table table = sooth_table_of(b->x, b->us, BENCH_HOST_ROWS, b->features);
    table.names = b->names;
    if (sooth_recorder_init(&b->env, &options, memory, size, &b->recorder) != SOOTH_OK ||
        sooth_train_fit(&b->env, &table, &recipe, &b->model) != SOOTH_OK)
        bench_stop("task host", b->env.sentence);
    for (size_t i = 0; i < BENCH_HOST_ROWS; i += 200) b->us[i] *= 100.0f;
    sooth_slot_init(&b->slot, b->readers, 2, b->model);
}

static void bench_host(bench_result *result) {
    static bench_host_state b;
    const size_t kinds = sizeof bench_host_calls / sizeof *bench_host_calls;
    double added[BENCH_HOST_PAIRS];
    size_t k = 0;
    bench_env(&b.env);
    b.features = bench_count("features", 8);
    b.choices = bench_count("choices", 6);
    b.keys = (uint32_t)bench_count("keys", 64);
    while (k < kinds && strcmp(bench_text("what", "slot"), bench_host_calls[k].name) != 0) ++k;
    if (k == kinds || b.features < 3 || b.features > BENCH_HOST_MOST || b.choices > BENCH_HOST_MOST)
        bench_stop("task host", "what, features or choices");
    b.calls = bench_host_calls[k].calls;
    bench_host_make(&b);
    for (int pair = -2; pair < BENCH_HOST_PAIRS; ++pair) {
        const double without = bench_host_loop(&b, NULL),
                     with = bench_host_loop(&b, bench_host_calls[k].call);
        if (pair >= 0) added[pair] = with - without;
    }
    result->single_ns = 1e9 * bench_median(added, BENCH_HOST_PAIRS) / (double)b.calls;
    result->bytes =
        bench_host_calls[k].call == bench_host_slot || bench_host_calls[k].call == bench_host_publish
            ? (double)(sizeof b.slot + sizeof b.readers)
        : bench_host_calls[k].call == bench_host_observe || bench_host_calls[k].call == bench_host_find
            ? (double)b.recorder->size
            : (double)b.model->head.size;
}
