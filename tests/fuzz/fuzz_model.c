/* fuzz_model.c - any bytes are a sound model or refused; what is accepted predicts and describes itself
 * without harm.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A checksum would stop almost every mutation at the door, so it is made right again behind the mutation. The
 * first byte of an input says what the rest is: the bytes of a model, or edits to one of the models made
 * here. With libFuzzer: clang -fsanitize=fuzzer,address,undefined -Iinclude fuzz_model.c. Without: define
 * SOOTH_FUZZ_MAIN; the program then mutates its own seeds.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLS = 3, ROWS = 24, SEEDS = 8, MOST_FEATURES = 4096 };

/* ---- seeds ---- */

/* 0: a tree alone; 1, 2: linear models alone; 3, 4: envelopes with everything; 5: an envelope with several
   targets; 6, 7: laws of scaling, alone. */
static sooth_model *make_seed(sooth_env *env, unsigned which) {
    static const char *const names[COLS] = {"threads", "bytes", "c"}, *const units[COLS] = {"", "MiB", "s"},
                             *const y_names[2] = {"t", "p"};
    static const sooth_score score = {"R2", 0.5};
    static float x[ROWS * COLS], y[ROWS * 2];
    sooth_scale_options input, target;
    sooth_model_recipe recipe;
    sooth_model_parts parts;
    sooth_linear_options linear;
    sooth_scaling_options law;
    sooth_model *model = NULL, *copy = NULL;
    sooth_table table;
    sooth_rng rng;
    size_t i;
    sooth_rng_init(&rng, 5, which);
    for (i = 0; i < ROWS * COLS; ++i) x[i] = (float)(1 + sooth_rng_below(&rng, 20));
    for (i = 0; i < ROWS * 2; ++i) y[i] = 1.0f + x[i] * 2.0f + sooth_rng_float(&rng);
    sooth_table_init(&table, x, ROWS, COLS);
    table.y = y;
    table.targets = which == 5 ? 2 : 1;
    table.names = names;
    memset(&recipe, 0, sizeof recipe);
    memset(&input, 0, sizeof input);
    memset(&target, 0, sizeof target);
    memset(&linear, 0, sizeof linear);
    input.transform = SOOTH_SCALE_LOG1P_ROBUST;
    target.transform = SOOTH_SCALE_LOG_MINMAX;
    linear.no_statistics = which == 2;
    recipe.model = which == 1 || which == 2 || which == 4 ? "linear" : "tree";
    recipe.options = which == 2 ? &linear : NULL;
    if (which > 5) {
        memset(&law, 0, sizeof law);
        law.law = which == 6 ? SOOTH_SCALING_POWER_SPEED : SOOTH_SCALING_TIME_LOG;
        law.machine.cores = 4;
        law.machine.sockets = 5;
        table.cols = which == 6 ? 3 : 2;
        recipe.model = "scaling";
        recipe.options = &law;
    } else if (which > 2) {
        recipe.input = &input;
        recipe.target = &target;
        recipe.feature_units = units;
        recipe.target_names = y_names;
        recipe.score = &score;
        recipe.scores = 1;
        recipe.note = "seed";
    }
    if (sooth_model_fit(env, &table, &recipe, &model) != SOOTH_OK) abort();
    if (which > 2 && which < 6) return model;
    sooth_model_open(model, &parts);
    if (sooth_model_load(env, parts.predictor, parts.predictor->size, &copy) != SOOTH_OK) abort();
    sooth_model_free(env, model);
    return copy;
}

/* ---- what must hold ---- */

static int count_text(void *user, const char *text, size_t size) {
    size_t i;
    *(size_t *)user += size;
    for (i = 0; i < size; ++i)
        if ((unsigned char)text[i] < 0x20 && text[i] != '\n') abort(); /* nothing that steers a terminal */
    return 0;
}

static void use(const sooth_model *model) {
    static const float value[] = {0.0f, -1.0f, 3.5f, 1e30f};
    sooth_env env;
    sooth_sink sink;
    size_t features = model->features, i, k, written = 0;
    unsigned char *turned;
    float *row, *scratch, *out, first;
    sooth_env_init(&env);
    if (features > MOST_FEATURES || model->targets > MOST_FEATURES) return;
    row = (float *)malloc(2 * features * sizeof *row);
    scratch = (float *)malloc((sooth_model_scratch(model, 2) + 1) * sizeof *scratch);
    out = (float *)malloc(2u * model->targets * sizeof *out);
    turned = (unsigned char *)malloc(model->size);
    if (!row || !scratch || !out || !turned) abort();
    for (k = 0; k < 5; ++k) {
        for (i = 0; i < 2 * features; ++i) {
            const uint32_t nan_bits = 0x7FC00000u;
            row[i] = value[(i + k) % 4];
            if (k == 4) memcpy(&row[i], &nan_bits, sizeof nan_bits);
        }
        first = sooth_model_predict(model, row, scratch);
        sooth_model_predict_many(model, row, 2, features, out, scratch, 2);
        if (memcmp(&first, &out[0], sizeof first) != 0 && first <= first) abort();
        if (sooth_model_outside(model, row) > features) abort();
    }
    if (sooth_model_cost(model).bytes != model->size) abort();
    sink.user = &written;
    sink.write_fn = count_text;
    sink.failed = 0;
    sooth_model_describe(&env, model, &sink);
    sooth_model_describe_json(&env, model, &sink);
    if (!written) abort();
    memcpy(turned, model, model->size);
    if (!sooth_model_turn(turned, model->size) || sooth_model_check(turned, model->size) ||
        !sooth_model_turn(turned, model->size) || memcmp(turned, model, model->size) != 0)
        abort();
    free(row);
    free(scratch);
    free(out);
    free(turned);
}

/* Makes the checksum at bytes + at right, where there could be a block. */
static void reseal_at(unsigned char *bytes, size_t size, size_t at) {
    sooth_block *block = (sooth_block *)(void *)(bytes + at);
    if (at % 16 != 0 || at > size || size - at < sizeof *block || block->size > size - at ||
        block->size % 16 != 0 || block->size < sizeof *block)
        return;
    soothi_block_seal(block);
}

static void reseal(unsigned char *bytes, size_t size) {
    sooth_envelope e;
    if (size >= sizeof e) {
        memcpy(&e, bytes, sizeof e);
        if ((e.head.kind & 0xFFFFu) == SOOTH_KIND_MODEL) {
            reseal_at(bytes, size, e.input_at);
            reseal_at(bytes, size, e.predictor_at);
            reseal_at(bytes, size, e.target_at);
            reseal_at(bytes, size, e.card_at);
        }
    }
    reseal_at(bytes, size, 0);
}

/* bytes are of malloc, of exactly this size, so that reading past the end is seen. */
static void try_bytes(unsigned char *bytes, size_t size) {
    sooth_env env;
    sooth_model *model;
    sooth_env_init(&env);
    if (sooth_model_check(bytes, size)) use((const sooth_model *)(const void *)bytes);
    if (sooth_model_load(&env, bytes, size, &model) == SOOTH_OK) sooth_model_free(&env, model);
    else if (model || !env.sentence[0]) abort();
    sooth_model_turn(bytes, size); /* may refuse, may not crash */
}

static void try_copy(const unsigned char *bytes, size_t size, int with_checksums) {
    unsigned char *copy = (unsigned char *)malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    if (with_checksums) reseal(copy, size);
    try_bytes(copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_model *model;
    unsigned char *bytes;
    size_t n;
    if (size < 1) return 0;
    if (data[0] >= SEEDS) {
        try_copy(data + 1, size - 1, 0);
        try_copy(data + 1, size - 1, 1);
        return 0;
    }
    sooth_env_init(&env);
    model = make_seed(&env, data[0]);
    bytes = (unsigned char *)model;
    n = model->size;
    for (++data, --size; size >= 7; data += 7, size -= 7) { /* what, where, which value */
        size_t at = (data[1] + 256u * data[2]) % n;
        uint32_t word;
        memcpy(&word, data + 3, sizeof word);
        switch (data[0] % 4) {
        case 0: bytes[at] = data[3]; break;
        case 1: bytes[at] ^= (unsigned char)(1u << data[3] % 8); break;
        case 2: memcpy(bytes + at / 4 * 4, &word, n >= 4 ? 4 : 0); break;
        default: n = n > 48 && data[3] == 0 ? n - 16 : n; break;
        }
    }
    try_copy(bytes, n, 0);
    try_copy(bytes, n, 1);
    soothi_free(&env, model, 0, 1);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"

int main(int count, char **word) {
    sooth_env env;
    unsigned k;
    sooth_env_init(&env);
    for (k = 0; k < SEEDS; ++k) {
        sooth_model *model = make_seed(&env, k);
        uint8_t *seed = (uint8_t *)malloc((size_t)model->size + 1), edits[64];
        if (!seed) return 1;
        seed[0] = 255;
        memcpy(seed + 1, model, model->size);
        if (!sooth_model_check(model, model->size)) abort();
        use(model);
        mutate(seed, (size_t)model->size + 1, count > 1 ? atol(word[1]) : 20000, k);
        memset(edits, (int)(17 * k), sizeof edits);
        edits[0] = (uint8_t)k;
        mutate(edits, sizeof edits, count > 1 ? atol(word[1]) : 20000, 100 + k);
        free(seed);
        sooth_model_free(&env, model);
    }
    return 0;
}
#endif
