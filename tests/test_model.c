/* test_model.c - envelopes, cards, files and what hostile bytes can do to them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"

#include <pthread.h>

enum { ROWS = 60, COLS = 3, MOST_BYTES = 16384, MOST_TEXT = 16384 };
static float x[ROWS * COLS], y[ROWS * 2];
static const char *const names[COLS] = {"threads", "bytes", "missing \"quoted\""};
static const char *const units[COLS] = {NULL, "MiB", "\xC2\xB5s"};
static const char *const target_names[2] = {"time", "power"};
static const char *const target_units[2] = {"s", "W"};
static const sooth_score scores[2] = {{"R2, 5 folds", 0.8125}, {"R2, unseen programs", -0.25}};

/* Two targets; the third column has missing values when asked for. */
static sooth_table make_table(size_t targets, int missing) {
    sooth_rng rng;
    sooth_table table;
    size_t i;
    sooth_rng_init(&rng, 7, 0);
    for (i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        row[0] = 1.0f + (float)sooth_rng_below(&rng, 16);
        row[1] = 1.0f + 1000.0f * sooth_rng_float(&rng) * sooth_rng_float(&rng);
        row[2] = sooth_rng_float(&rng);
        y[i * targets] = row[1] / row[0] + row[2] + 1.0f;
        if (targets > 1) y[i * targets + 1] = 40.0f + 3.0f * row[0];
        if (missing && i % 7 == 3) row[2] = NAN;
    }
    sooth_table_init(&table, x, ROWS, COLS);
    table.y = y;
    table.targets = targets;
    table.names = names;
    return table;
}

static sooth_train_recipe make_recipe(const char *model) {
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = model;
    recipe.feature_units = units;
    recipe.target_names = target_names;
    recipe.target_units = target_units;
    recipe.groups = 5;
    recipe.score = scores;
    recipe.scores = 2;
    recipe.note = "a test";
    return recipe;
}

static sooth_scale_options scale_by(uint32_t transform) {
    sooth_scale_options options;
    memset(&options, 0, sizeof options);
    options.transform = transform;
    return options;
}

/* A linear model of log1p-standardised features and the logarithm of the target, with all four parts. */
static sooth_model *make_full(sooth_env *env, size_t targets) {
    sooth_table table = make_table(targets, 0);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_scale_options input = scale_by(SOOTH_SCALE_LOG1P_STANDARD), target = scale_by(SOOTH_SCALE_LOG);
    sooth_model *model;
    recipe.input = input, recipe.has_input = 1;
    recipe.target = target, recipe.has_target = 1;
    CHECK_STATUS(sooth_train_fit(env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

static sooth_model *make_tree(sooth_env *env, uint32_t depth) {
    sooth_table table = make_table(1, 1);
    sooth_train_recipe recipe = make_recipe("tree");
    sooth_tree_options options;
    sooth_model *model;
    memset(&options, 0, sizeof options);
    options.max_depth = depth;
    recipe.options.tree = options;
    CHECK_STATUS(sooth_train_fit(env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

static uint32_t bits_of(float v) {
    uint32_t b;
    memcpy(&b, &v, sizeof b);
    return b;
}

/* A sink into a buffer. */
typedef struct buffer {
    char text[MOST_TEXT];
    size_t n;
} buffer;

static int to_buffer(void *user, const char *text, size_t size) {
    buffer *b = (buffer *)user;
    if (size > sizeof b->text - 1 - b->n) return 1;
    memcpy(b->text + b->n, text, size);
    b->n += size;
    b->text[b->n] = 0;
    return 0;
}

static sooth_sink sink_to(buffer *b) {
    sooth_sink sink;
    b->n = 0;
    b->text[0] = 0;
    sink.user = b;
    sink.write_fn = to_buffer;
    sink.failed = 0;
    return sink;
}

/* ---- predictions ---- */

static void transforms_equal_the_manual_pipeline(void) {
    sooth_env env;
    sooth_table table = make_table(1, 0), scaled;
    sooth_scale_options log1p_standard = scale_by(SOOTH_SCALE_LOG1P_STANDARD),
                        logarithm = scale_by(SOOTH_SCALE_LOG);
    sooth_scale *input, *target;
    sooth_linear *linear;
    sooth_model *model;
    static float xs[ROWS * COLS], ys[ROWS], out[ROWS], scratch[COLS * ROWS];
    sooth_table y_table;
    size_t i, batch;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_scale_fit(&env, &table, &log1p_standard, &input), SOOTH_OK);
    sooth_table_init(&y_table, table.y, ROWS, 1);
    CHECK_STATUS(sooth_scale_fit(&env, &y_table, &logarithm, &target), SOOTH_OK);
    for (i = 0; i < ROWS; ++i) {
        sooth_scale_apply(input, x + i * COLS, xs + i * COLS);
        sooth_scale_apply(target, y + i, ys + i);
        CHECK_NEAR(ys[i], log((double)y[i]), 1e-6);
    }
    scaled = table;
    scaled.x = xs;
    scaled.y = ys;
    CHECK_STATUS(sooth_linear_fit(&env, &scaled, NULL, &linear), SOOTH_OK);
    model = make_full(&env, 1);
    CHECK(sooth_model_scratch_size(model, 1) == COLS * sizeof(float) &&
          sooth_model_scratch_size(model, 16) == 16 * COLS * sizeof(float));
    for (i = 0; i < ROWS; ++i) {
        float by_hand;
        ys[i] = sooth_linear_predict(linear, xs + i * COLS);
        sooth_scale_invert(target, ys + i, &by_hand);
        CHECK(bits_of(by_hand) == bits_of(sooth_model_predict(model, x + i * COLS, scratch)));
    }
    for (batch = 1; batch <= ROWS; batch += 13) {
        memset(out, 0, sizeof out);
        sooth_model_predict_many(model, x, ROWS, COLS, out, scratch, batch);
        for (i = 0; i < ROWS; ++i)
            CHECK(bits_of(out[i]) == bits_of(sooth_model_predict(model, x + i * COLS, scratch)));
    }
    sooth_model_free(&env, model);
    sooth_linear_free(&env, linear);
    sooth_scale_free(&env, target);
    sooth_scale_free(&env, input);
}

static void several_targets_come_back_in_their_units(void) {
    sooth_env env;
    sooth_model *model;
    float out[ROWS * 2], scratch[COLS * 8], one[2];
    size_t i;
    sooth_env_init(&env);
    model = make_full(&env, 2);
    CHECK(model->head.targets == 2);
    sooth_model_predict_many(model, x, ROWS, COLS, out, scratch, 8);
    for (i = 0; i < ROWS; ++i) {
        CHECK(out[2 * i + 1] > 30.0f && out[2 * i + 1] < 110.0f); /* watts: 43 to 88 */
        CHECK(bits_of(out[2 * i]) == bits_of(sooth_model_predict(model, x + i * COLS, scratch)));
        sooth_model_predict_many(model, x + i * COLS, 1, COLS, one, scratch, 1);
        CHECK(bits_of(one[0]) == bits_of(out[2 * i]) && bits_of(one[1]) == bits_of(out[2 * i + 1]));
    }
    sooth_model_free(&env, model);
}

static void a_bare_predictor_is_a_model(void) {
    sooth_env env;
    sooth_table table = make_table(1, 1);
    sooth_tree *tree;
    sooth_model *copy, *wrapped;
    sooth_model_parts parts;
    buffer text;
    sooth_sink sink = sink_to(&text);
    unsigned char bytes[MOST_BYTES];
    size_t i;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    CHECK(sooth_model_check(tree, tree->head.size));
    CHECK(sooth_model_scratch_size(sooth_model_from_block(&tree->head), 100) == 0);
    CHECK(sooth_model_outside(sooth_model_from_block(&tree->head), x) == 0);
    CHECK(sooth_model_cost(sooth_model_from_block(&tree->head)).comparisons == (tree->depth + 3) / 4 * 4);
    for (i = 0; i < ROWS; ++i)
        CHECK(bits_of(sooth_model_predict(sooth_model_from_block(&tree->head), x + i * COLS, NULL)) ==
              bits_of(sooth_tree_predict(tree, x + i * COLS)));
    sooth_model_save(sooth_model_from_block(&tree->head), bytes);
    CHECK_STATUS(sooth_model_load(&env, bytes, tree->head.size, &copy), SOOTH_OK);
    CHECK(memcmp(copy, tree, tree->head.size) == 0);
    CHECK_STATUS(sooth_model_describe(&env, copy, &sink), SOOTH_OK);
    CHECK(strstr(text.text, "predicts target 1 from 3 features") && strstr(text.text, "feature 3"));
    sooth_model_free(&env, copy);
    memset(&parts, 0, sizeof parts);
    parts.predictor = &tree->head;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &wrapped), SOOTH_OK);
    CHECK(sooth_model_check(wrapped, wrapped->head.size));
    CHECK(bits_of(sooth_model_predict(wrapped, x, NULL)) == bits_of(sooth_tree_predict(tree, x)));
    sooth_model_free(&env, wrapped);
    sooth_tree_free(&env, tree);
}

static void outside_counts_features_beyond_training(void) {
    sooth_env env;
    sooth_model *model;
    float row[COLS];
    sooth_env_init(&env);
    model = make_tree(&env, 4);
    memcpy(row, x, sizeof row);
    CHECK(sooth_model_outside(model, row) == 0);
    row[0] = 17.0f;
    CHECK(sooth_model_outside(model, row) == 1);
    row[1] = 0.5f;
    CHECK(sooth_model_outside(model, row) == 2);
    row[1] = NAN; /* missing is not outside */
    CHECK(sooth_model_outside(model, row) == 1);
    row[2] = INFINITY;
    CHECK(sooth_model_outside(model, row) == 2);
    sooth_model_free(&env, model);
}

/* Column 0 has the levels a, b and c in training, and d in the dictionary alone. */
static void a_level_never_seen_is_outside(void) {
    static const char *const names[] = {"a", "b", "c", "d"};
    static float codes[ROWS * COLS];
    const char *const *text[COLS] = {names, NULL, NULL};
    const uint8_t categorical[COLS] = {1, 0, 0};
    const uint32_t encode[] = {SOOTH_TRAIN_ENCODE_TARGET, SOOTH_TRAIN_ENCODE_ORDINAL,
                               SOOTH_TRAIN_ENCODE_NATIVE};
    float all[4 * COLS] = {0, 1, 1, 1, 2, 1, 2, 3, 1, 3, 4, 1}, some[ROWS * COLS] = {0};
    sooth_table table = sooth_table_of(some, y, ROWS, COLS), named = sooth_table_of(all, NULL, 4, COLS);
    sooth_train_recipe recipe = {0};
    sooth_levels *levels;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_levels_fit(&env, &named, categorical, text, NULL, NULL, &levels), SOOTH_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        memcpy(some + i * COLS, x + i * COLS, COLS * sizeof *some);
        some[i * COLS] = sooth_levels_code(levels, 0, names[i % 3], 1);
    }
    memcpy(codes, some, sizeof codes);
    table.categorical = categorical;
    recipe.model = "boost";
    recipe.levels = levels;
    for (size_t e = 0; e < 3; ++e) {
        const float row[] = {sooth_levels_code(levels, 0, "a", 1),
                             sooth_levels_code(levels, 0, "d", 1),
                             sooth_levels_code(levels, 0, "e", 1),
                             4.0f,
                             -1.0f,
                             1e9f};
        sooth_model *model;
        recipe.encode = encode[e];
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
            float one[COLS], scratch[COLS];
            uint32_t feature;
            sooth_adapted at;
            memcpy(one, codes, sizeof one);
            one[0] = row[k];
            CHECK(sooth_model_outside(model, one) == (k > 0));
            CHECK(sooth_model_trust(model, one, &feature) ==
                  (k ? SOOTH_MODEL_TRUST_OUTSIDE : SOOTH_MODEL_TRUST_INSIDE));
            CHECK(feature == (k ? 0 : UINT32_MAX));
            sooth_model_interval(model, one, scratch, &at);
            CHECK(at.trust == (uint32_t)(k ? SOOTH_MODEL_TRUST_OUTSIDE : SOOTH_MODEL_TRUST_INSIDE));
            one[1] = NAN; /* a number may be missing */
            CHECK(sooth_model_outside(model, one) == (k > 0));
        }
        sooth_model_free(&env, model);
    }
    sooth_levels_free(&env, levels);
}

typedef struct thread_work {
    const sooth_model *model;
    const float *expected;
    int wrong;
} thread_work;

static void *predict_in_thread(void *arg) {
    thread_work *w = (thread_work *)arg;
    float out[ROWS], scratch[COLS * 4];
    int turn;
    for (turn = 0; turn < 50; ++turn) {
        sooth_model_predict_many(w->model, x, ROWS, COLS, out, scratch, 4);
        if (memcmp(out, w->expected, sizeof out) != 0) ++w->wrong;
    }
    return NULL;
}

static void threads_predict_the_same(void) {
    sooth_env env;
    sooth_model *model;
    pthread_t thread[4];
    thread_work work[4];
    float expected[ROWS], scratch[COLS];
    size_t i;
    sooth_env_init(&env);
    model = make_full(&env, 1);
    sooth_model_predict_many(model, x, ROWS, COLS, expected, scratch, 1);
    for (i = 0; i < 4; ++i) {
        work[i].model = model;
        work[i].expected = expected;
        work[i].wrong = 0;
        CHECK(pthread_create(&thread[i], NULL, predict_in_thread, &work[i]) == 0);
    }
    for (i = 0; i < 4; ++i) {
        CHECK(pthread_join(thread[i], NULL) == 0);
        CHECK(work[i].wrong == 0);
    }
    sooth_model_free(&env, model);
}

static void cost_counts_the_transforms(void) {
    sooth_env env;
    sooth_model *model;
    sooth_model_parts parts;
    sooth_cost whole, input, target, linear;
    sooth_env_init(&env);
    model = make_full(&env, 1);
    sooth_model_open(model, &parts);
    whole = sooth_model_cost(model);
    input = sooth_scale_cost(parts.input);
    target = sooth_scale_cost(parts.target);
    linear = sooth_linear_cost((const sooth_linear *)(const void *)parts.predictor);
    CHECK(whole.bytes == model->head.size);
    CHECK(whole.functions == COLS + 1); /* a logarithm per feature, an exponential for the answer */
    CHECK(whole.multiply_adds == input.multiply_adds + target.multiply_adds + linear.multiply_adds);
    sooth_model_free(&env, model);
}

/* ---- files ---- */

static void saved_and_loaded_bits_are_equal(void) {
    sooth_env env;
    int k;
    sooth_env_init(&env);
    for (k = 0; k < 2; ++k) {
        sooth_model *model = k ? make_tree(&env, 0) : make_full(&env, 1), *copy;
        unsigned char *bytes = (unsigned char *)malloc(model->head.size + 1);
        float scratch[COLS];
        size_t i;
        sooth_model_save(model, bytes + 1); /* at any address */
        CHECK(memcmp(bytes + 1, "SOTH", 4) == 0);
        CHECK_STATUS(sooth_model_load(&env, bytes + 1, model->head.size, &copy), SOOTH_OK);
        CHECK(memcmp(copy, model, model->head.size) == 0);
        for (i = 0; i < ROWS; ++i)
            CHECK(bits_of(sooth_model_predict(copy, x + i * COLS, scratch)) ==
                  bits_of(sooth_model_predict(model, x + i * COLS, scratch)));
        sooth_model_free(&env, copy);
        sooth_model_free(&env, model);
        free(bytes);
    }
}

/* The bytes of a model in memory that a sanitizer watches to the last one. */
static void *exact_copy(const sooth_model *model, size_t size) {
    void *copy = malloc(size ? size : 1);
    memcpy(copy, model, size);
    return copy;
}

static void every_flipped_bit_is_refused(void) {
    sooth_env env;
    int k;
    sooth_env_init(&env);
    for (k = 0; k < 2; ++k) {
        sooth_model *model = k ? make_tree(&env, 3) : make_full(&env, 1), *loaded;
        unsigned char *bytes = (unsigned char *)exact_copy(model, model->head.size);
        size_t i, accepted = 0;
        CHECK(sooth_model_check(bytes, model->head.size));
        for (i = 0; i < 8u * model->head.size; ++i) {
            bytes[i / 8] ^= (unsigned char)(1u << i % 8);
            accepted += (size_t)sooth_model_check(bytes, model->head.size);
            if (i % 11 == 0) {
                accepted += sooth_model_load(&env, bytes, model->head.size, &loaded) == SOOTH_OK;
                CHECK(loaded == NULL);
            }
            bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        }
        CHECK(accepted == 0);
        CHECK(sooth_model_check(bytes, model->head.size));
        free(bytes);
        sooth_model_free(&env, model);
    }
}

static void every_truncation_is_refused(void) {
    sooth_env env;
    sooth_model *model, *loaded;
    size_t size;
    sooth_env_init(&env);
    model = make_full(&env, 1);
    for (size = 0; size < model->head.size; ++size) {
        void *bytes = exact_copy(model, size);
        CHECK(!sooth_model_check(bytes, size));
        CHECK(sooth_model_swap_bytes(bytes, size) != SOOTH_OK);
        CHECK_STATUS(sooth_model_load(&env, bytes, size, &loaded), SOOTH_BAD_MODEL);
        free(bytes);
        if (check_failures) break;
    }
    CHECK(!sooth_model_check(NULL, 100));
    sooth_model_free(&env, model);
}

/* Whether a model is still sound with another value in the word at part_at + at, and every checksum on the
   way made right again. */
static int check_changed(const sooth_model *model, size_t part_at, size_t at, uint32_t value) {
    unsigned char *bytes = (unsigned char *)exact_copy(model, model->head.size);
    sooth_block *outer = (sooth_block *)(void *)bytes, *part = (sooth_block *)(void *)(bytes + part_at);
    int sound;
    if (memcmp(bytes + part_at + at, &value, sizeof value) == 0) {
        free(bytes);
        return 0;
    }
    memcpy(bytes + part_at + at, &value, sizeof value);
    if (part_at && part->size <= model->head.size - part_at && part->size % 16 == 0) soothi_block_seal(part);
    if (outer->size == model->head.size) soothi_block_seal(outer);
    sound = sooth_model_check(bytes, model->head.size);
    if (sound) {
        float scratch[COLS], row[COLS] = {0, 0, 0};
        sooth_model_predict((const sooth_model *)outer, row, scratch);
    }
    free(bytes);
    return sound;
}

static void wrong_offsets_and_sizes_are_refused(void) {
    static const uint32_t odd[] = {0,  1,  8,    16,          31,          32,         47,
                                   48, 64, 4096, 0x7FFFFFF0u, 0xFFFFFFF0u, 0xFFFFFFFFu};
    sooth_env env;
    sooth_model *model;
    const sooth_envelope *e;
    size_t i, k, part[4];
    sooth_env_init(&env);
    model = make_full(&env, 1);
    e = (const sooth_envelope *)(const void *)model;
    CHECK(sooth_model_check(model, model->head.size));
    part[0] = e->input_at;
    part[1] = e->predictor_at;
    part[2] = e->target_at;
    part[3] = e->card_at;
    for (i = 0; i < sizeof odd / sizeof odd[0]; ++i) {
        for (k = 0; k < 4; ++k) {
            CHECK(!check_changed(model, 0, offsetof(sooth_envelope, input_at) + 4 * k, odd[i]));
            /* the sizes and regions of the parts themselves, and how many features and targets they claim */
            CHECK(!check_changed(model, part[k], offsetof(sooth_block, size), odd[i]));
            CHECK(!check_changed(model, part[k], offsetof(sooth_block, doubles_at), odd[i]));
            CHECK(!check_changed(model, part[k], offsetof(sooth_block, features), odd[i]));
            CHECK(!check_changed(model, part[k], offsetof(sooth_block, targets), odd[i]));
            CHECK(!check_changed(model, part[k], offsetof(sooth_block, kind), odd[i]));
        }
        CHECK(!check_changed(model, 0, offsetof(sooth_block, size), odd[i]));
        CHECK(!check_changed(model, 0, offsetof(sooth_block, bytes_at), odd[i]));
        CHECK(!check_changed(model, 0, offsetof(sooth_block, features), odd[i]));
        if (odd[i] != 1) /* 1 fits the same padding */
            CHECK(!check_changed(model, part[3], offsetof(sooth_model_card, scores), odd[i]));
    }
    /* a card whose last text does not end */
    {
        unsigned char *bytes = (unsigned char *)exact_copy(model, model->head.size);
        bytes[model->head.size - 1] = 'x';
        soothi_block_seal((sooth_block *)(void *)(bytes + part[3]));
        soothi_block_seal((sooth_block *)(void *)bytes);
        CHECK(!sooth_model_check(bytes, model->head.size));
        free(bytes);
    }
    sooth_model_free(&env, model);
}

static void envelopes_do_not_nest(void) {
    sooth_env env;
    sooth_model *model, *outer = NULL;
    sooth_model_parts parts;
    sooth_envelope *e;
    sooth_env_init(&env);
    model = make_tree(&env, 2);
    memset(&parts, 0, sizeof parts);
    parts.predictor = &model->head;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &outer), SOOTH_BAD_ARGUMENT,
                "not itself an envelope");
    e = (sooth_envelope *)soothi_block_new(&env, SOOTH_KIND_MODEL, 1, sizeof *e, 0, model->head.size);
    e->head.features = model->head.features;
    e->head.targets = model->head.targets;
    e->predictor_at = e->head.bytes_at;
    memcpy(e + 1, model, model->head.size);
    soothi_block_seal(&e->head);
    CHECK(!sooth_model_check(e, e->head.size));
    CHECK(sooth_model_swap_bytes(e, e->head.size) != SOOTH_OK);
    soothi_block_free(&env, &e->head);
    sooth_model_free(&env, model);
}

static void failures_to_load_are_sentences(void) {
    sooth_env env;
    sooth_model *model, *loaded;
    unsigned char bytes[MOST_BYTES];
    uint32_t size;
    sooth_env_init(&env);
    model = make_tree(&env, 2);
    size = model->head.size;
    sooth_model_save(model, bytes);
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, 0, &loaded), SOOTH_BAD_MODEL, "the model file is empty");
    CHECK_FAILS(&env, sooth_model_load(&env, NULL, 0, &loaded), SOOTH_BAD_MODEL, "empty");
    CHECK_FAILS(&env, sooth_model_load(&env, "a,b,c\n1,2,3\n4,5,6\n1,2,3\n4,5,6\n", 30, &loaded),
                SOOTH_BAD_MODEL, "not a model file");
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, size - 5, &loaded), SOOTH_BAD_MODEL, "cut short");
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, size + 16, &loaded), SOOTH_BAD_MODEL,
                "but the model ends after");
    bytes[size / 2] ^= 4;
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, size, &loaded), SOOTH_BAD_MODEL, "checksum");
    bytes[size / 2] ^= 4;
    if (soothi_model_little_endian()) {
        sooth_block *head = (sooth_block *)(void *)model;
        head->kind = SOOTH_KIND_MODEL | 9u << 16;
        soothi_block_seal(head);
        CHECK_FAILS(&env, sooth_model_load(&env, model, size, &loaded), SOOTH_BAD_MODEL, "format 9");
        head->kind = 999u | 1u << 16;
        soothi_block_seal(head);
        CHECK_FAILS(&env, sooth_model_load(&env, model, size, &loaded), SOOTH_BAD_MODEL, "kind 999");
        head->kind = SOOTH_KIND_MODEL | 1u << 16;
        head->features = 77;
        soothi_block_seal(head);
        CHECK_FAILS(&env, sooth_model_load(&env, model, size, &loaded), SOOTH_BAD_MODEL, "is invalid");
    }
    CHECK(loaded == NULL);
    sooth_model_free(&env, model);
}

/* Whether the reason why bytes are refused has these words; and there is one just where the check says 0. */
static int says_why(const void *bytes, size_t size, const char *words) {
    const char *why = sooth_model_why(bytes, size);
    if (sooth_model_check(bytes, size)) return why == NULL && words == NULL;
    if (!why || !words || !strstr(why, words)) printf("  why: %s\n", why ? why : "(nothing)");
    return why && words && strstr(why, words);
}

static void why_a_file_is_refused(void) {
    static union {
        double align;
        unsigned char bytes[MOST_BYTES + 16];
    } file;
    unsigned char *bytes = file.bytes;
    sooth_block *head = (sooth_block *)(void *)file.bytes;
    sooth_env env;
    sooth_env_init(&env);
    sooth_model *model = make_tree(&env, 2);
    const uint32_t size = model->head.size;
    memcpy(bytes, model, size);
    CHECK(says_why(bytes, size, NULL) && says_why(bytes, size + 5, NULL)); /* what follows is not looked at */
    CHECK(says_why(NULL, 100, "empty") && says_why(bytes, 0, "empty"));
    CHECK(says_why("a,b,c\n1,2,3\n4,5,6\n1,2,3\n4,5,6\n", 30, "not a model file"));
    CHECK(says_why(bytes, 20, "not a model file") && says_why(bytes, size - 5, "cut short"));
    memmove(bytes + 4, bytes, size);
    if (offsetof(soothi_align, d) > 4) CHECK(says_why(bytes + 4, size, "not aligned"));
    memcpy(bytes, model, size);
    bytes[size / 2] ^= 4;
    CHECK(says_why(bytes, size, "checksum"));
    memcpy(bytes, model, size);
    head->size = 16;
    CHECK(says_why(bytes, size, "checksum"));
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "damaged")); /* shorter than a header */
    head->size = sizeof *head;
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "its contents do not"));
    head->size = size;
    head->kind = SOOTH_KIND_MODEL | 9u << 16;
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "later format"));
    head->kind = SOOTH_KIND_CARD | 1u << 16;
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "of another kind than the models of this version"));
    head->kind = SOOTH_KIND_BOOST | 5u << 16;
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "later format"));
    for (uint32_t version = 1; version <= 4; ++version) { /* plain, with planes, sets, quantiles */
        head->kind = SOOTH_KIND_BOOST | version << 16;
        soothi_block_seal(head);
        CHECK(says_why(bytes, size, "its contents do not"));
    }
    head->kind = SOOTH_KIND_MODEL | 1u << 16;
    head->features = 77;
    soothi_block_seal(head);
    CHECK(says_why(bytes, size, "its contents do not"));
    memcpy(bytes, model, size);
    CHECK(sooth_model_swap_bytes(bytes, size) == SOOTH_OK && says_why(bytes, size, "the other byte order"));
    for (size_t cut = 0; cut < size; ++cut) { /* a reason for every one, and no byte beyond is read */
        void *copy = exact_copy(model, cut);
        CHECK(sooth_model_why(copy, cut) != NULL);
        free(copy);
    }
    sooth_model_free(&env, model);
}

/* ---- what a host asks for ---- */

static void features_are_found_by_name(void) {
    static const char *const mine[] = {"user", "bytes", NULL, "missing \"quoted\"", "threads", "bytes"};
    static const char *const evil[COLS] = {"threads", "\x1B[31mred\x7F", "bytes"};
    uint32_t column[COLS];
    sooth_model_parts parts;
    sooth_env env;
    sooth_env_init(&env);
    sooth_model *model = make_full(&env, 1);
    CHECK(sooth_model_map(model, mine, 6, column) == 0);
    CHECK(column[0] == 4 && column[1] == 1 && column[2] == 3); /* of equal names the first */
    CHECK_STATUS(sooth_model_map_check(&env, model, mine, 6, column), SOOTH_OK);
    CHECK(sooth_model_map(model, mine, 4, column) == 1 && column[0] == UINT32_MAX && column[1] == 1);
    CHECK_FAILS(&env, sooth_model_map_check(&env, model, mine, 4, column), SOOTH_BAD_ARGUMENT,
                "the model needs threads, its feature 1, which is not among the 4 names; 1 of 3 features are "
                "missing");
    CHECK(sooth_model_map(model, NULL, 0, column) == COLS);
    CHECK_FAILS(&env, sooth_model_map_check(&env, model, mine, 1, column), SOOTH_BAD_ARGUMENT,
                "3 of 3 features are missing");
    sooth_model_open(model, &parts); /* a bare predictor has no names */
    const sooth_model *bare = sooth_model_from_block(parts.predictor);
    CHECK(sooth_model_map(bare, mine, 6, column) == COLS && column[2] == UINT32_MAX);
    CHECK_FAILS(&env, sooth_model_map_check(&env, bare, mine, 6, column), SOOTH_BAD_ARGUMENT,
                "feature 1 of the model has no name");
    CHECK_STATUS(sooth_model_map_check(NULL, bare, mine, 6, column), SOOTH_BAD_ARGUMENT);
    CHECK(sooth_model_from_block(&model->head) == model);
    sooth_model_free(&env, model);

    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("tree");
    table.names = evil;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK_FAILS(&env, sooth_model_map_check(&env, model, mine, 6, column), SOOTH_BAD_ARGUMENT,
                "needs  [31mred , its feature 2"); /* nothing that steers a terminal */
    sooth_model_free(&env, model);
}

/* Many rows at once are those of sooth_model_predict_many to the bit, through a scorer (from 2,000 rows on)
   or not, with transforms of features and target, and where memory fails nothing is kept. */
static void a_table_is_predicted_as_its_rows(void) {
    enum { MANY = 2500, WIDE = 3 };
    static const char *const kinds[] = {"boost", "forest", "linear", "tree"};
    static float rows[MANY * WIDE], y[MANY], said[2][MANY], scratch[64 * WIDE];
    const sooth_scale_options standard = {.transform = SOOTH_SCALE_STANDARD},
                              log = {.transform = SOOTH_SCALE_LOG};
    sooth_rng rng;
    sooth_env env, failing;
    sooth_env_init(&env);
    sooth_env_init(&failing);
    sooth_rng_init(&rng, 8, 0);
    for (int i = 0; i < MANY * WIDE; ++i) rows[i] = sooth_rng_float(&rng);
    for (int i = 0; i < MANY; ++i) y[i] = 1.0f + rows[WIDE * i] * rows[WIDE * i + 1];
    const sooth_table table = sooth_table_of(rows, y, 200, WIDE);
    for (size_t k = 0; k < 8; ++k) {
        const sooth_train_recipe recipe = {
            .model = kinds[k / 2], .input = standard, .has_input = k % 2, .target = log, .has_target = k % 2};
        sooth_model *model = NULL;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) return;
        for (size_t n = 1; n <= MANY; n = n == 1 ? 1999 : n == 1999 ? MANY : MANY + 1) {
            sooth_model_predict_many(model, rows, n, WIDE, said[0], scratch, 64);
            CHECK_STATUS(sooth_model_predict_table(&env, model, rows, n, WIDE, said[1]), SOOTH_OK);
            CHECK(memcmp(said[0], said[1], n * sizeof(float)) == 0);
        }
        CHECK_EVERY_ALLOCATION(
            &failing, sooth_model_predict_table(&failing, model, rows, MANY, WIDE, said[1]), (void)0);
        sooth_model_free(&env, model);
    }
}

/* All choices at once are the choices one by one, whatever the batch. */
static void choices_are_rows_that_differ_in_some_columns(void) {
    enum { CHOICES = 7 };
    static const uint32_t column[2] = {2, 0};
    float choice[CHOICES * 2], row[COLS], out[CHOICES * 2], one[2], scratch[2 * CHOICES * COLS + 64];
    sooth_env env;
    sooth_env_init(&env);
    for (int i = 0; i < CHOICES * 2; ++i) choice[i] = 1.0f + (float)(i * i % 11);
    for (size_t targets = 1; targets <= 2; ++targets) {
        sooth_model *model = targets > 1 ? make_full(&env, 2) : make_tree(&env, 5);
        for (size_t batch = 1; batch <= 9; ++batch) {
            CHECK(sooth_model_choices_scratch_size(model, batch) <= sizeof scratch);
            sooth_model_predict_choices(model, x + COLS, column, 2, choice, CHOICES, out, scratch, batch);
            for (size_t i = 0; i < CHOICES; ++i) {
                memcpy(row, x + COLS, sizeof row);
                row[2] = choice[2 * i];
                row[0] = choice[2 * i + 1];
                sooth_model_predict_many(model, row, 1, COLS, one, scratch, 1);
                for (size_t t = 0; t < targets; ++t) CHECK(bits_of(out[i * targets + t]) == bits_of(one[t]));
            }
        }
        out[0] = -1.0f; /* no choices: nothing is written */
        sooth_model_predict_choices(model, x, column, 2, choice, 0, out, scratch, 4);
        CHECK(out[0] == -1.0f);
        sooth_model_predict_choices(model, x, column, 0, NULL, 1, out, scratch, 4); /* nothing differs */
        sooth_model_predict_many(model, x, 1, COLS, one, scratch, 1);
        CHECK(bits_of(out[0]) == bits_of(one[0]));
        sooth_model_free(&env, model);
    }
}

/* Turns one block around as the format says it, with nothing of model.h: words, doubles, bytes. */
static void reverse(unsigned char *b, size_t from, size_t to, size_t width) {
    size_t i, k;
    for (i = from; i < to; i += width)
        for (k = 0; k < width / 2; ++k) {
            unsigned char t = b[i + k];
            b[i + k] = b[i + width - 1 - k];
            b[i + width - 1 - k] = t;
        }
}

static void turning_twice_gives_the_same_bytes(void) {
    sooth_env env;
    int k;
    sooth_env_init(&env);
    for (k = 0; k < 3; ++k) {
        sooth_model *model = k == 0 ? make_full(&env, 2) : make_tree(&env, 5);
        unsigned char *bytes = (unsigned char *)exact_copy(model, model->head.size);
        unsigned char *expected = (unsigned char *)exact_copy(model, model->head.size);
        sooth_model_parts parts;
        const sooth_block *card;
        size_t at;
        sooth_model_open(model, &parts);
        card = &parts.card->head;
        at = (size_t)((const unsigned char *)card - (const unsigned char *)model);
        CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK);
        CHECK(!sooth_model_check(bytes, model->head.size));
        CHECK(bytes[0] != ((const unsigned char *)model)[0] && bytes[0] == ((const unsigned char *)model)[3]);
        /* the card, by hand: all but the checksums */
        reverse(expected, at, at + card->doubles_at, 4);
        reverse(expected, at + card->doubles_at, at + card->bytes_at, 8);
        memset(expected + at + 12, 0, 4);
        {
            unsigned char sum[4];
            memcpy(sum, bytes + at + 12, 4);
            memset(bytes + at + 12, 0, 4);
            CHECK(memcmp(expected + at, bytes + at, card->size) == 0);
            memcpy(bytes + at + 12, sum, 4);
        }
        CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK);
        CHECK(memcmp(bytes, model, model->head.size) == 0);
        /* a damaged file is not turned into a sound one */
        sooth_model_swap_bytes(bytes, model->head.size);
        bytes[model->head.size - 20] ^= 1;
        CHECK(sooth_model_swap_bytes(bytes, model->head.size) != SOOTH_OK);
        free(bytes);
        free(expected);
        sooth_model_free(&env, model);
    }
}

/* ---- making ---- */

static void every_allocation_may_fail(void) {
    sooth_env env;
    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_scale_options input = scale_by(SOOTH_SCALE_LOG1P_STANDARD), target = scale_by(SOOTH_SCALE_LOG);
    sooth_model *model = NULL, *copy = NULL;
    buffer text;
    sooth_sink sink;
    unsigned char bytes[MOST_BYTES];
    size_t size;
    sooth_env_init(&env);
    recipe.input = input, recipe.has_input = 1;
    recipe.target = target, recipe.has_target = 1;
    CHECK_EVERY_ALLOCATION(&env, sooth_train_fit(&env, &table, &recipe, &model),
                           sooth_model_free(&env, model));
    recipe.model = "tree";
    CHECK_EVERY_ALLOCATION(&env, sooth_train_fit(&env, &table, &recipe, &model),
                           sooth_model_free(&env, model));
    sooth_env_init(&env);
    model = make_tree(&env, 3);
    size = model->head.size;
    sooth_model_save(model, bytes);
    CHECK_EVERY_ALLOCATION(&env, sooth_model_load(&env, bytes, size, &copy), sooth_model_free(&env, copy));
    CHECK_EVERY_ALLOCATION(&env, (sink = sink_to(&text), sooth_model_describe(&env, model, &sink)), (void)0);
    sooth_env_init(&env);
    sooth_model_free(&env, model);
}

static void an_arena_of_the_peak_is_enough(void) {
    static unsigned char memory[262144];
    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("tree");
    sooth_scale_options input = scale_by(SOOTH_SCALE_MINMAX);
    sooth_arena arena;
    sooth_model *model;
    sooth_env env;
    size_t peak;
    recipe.input = input, recipe.has_input = 1;
    sooth_env_init(&env);
    sooth_arena_init(&env, &arena, memory, sizeof memory);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    peak = arena.peak;
    sooth_arena_init(&env, &arena, memory, peak);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(sooth_model_check(model, model->head.size));
    sooth_arena_init(&env, &arena, memory, peak - 1);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_NO_MEMORY);
    CHECK(model == NULL);
}

static void what_does_not_fit_together_is_a_sentence(void) {
    sooth_env env;
    sooth_table table = make_table(1, 0), narrow = table;
    sooth_train_recipe recipe = make_recipe("tre");
    sooth_model_card_content content;
    sooth_model_parts parts;
    const sooth_model_kind *kind;
    sooth_tree_options options;
    sooth_model *model = NULL;
    sooth_scale *scale;
    sooth_model_card *card;
    sooth_tree *tree;
    sooth_env_init(&env);
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "there is no model tre; the models are linear, tree");
    recipe.model = NULL;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "a model is missing; the models are linear");
    recipe.model = "tree";
    memset(&options, 0, sizeof options);
    options.max_depth = 2000000;
    recipe.options.tree = options;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "max_depth is 2000000");
    memset(&recipe.options, 0, sizeof recipe.options);
    table.y = NULL;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_DATA, "no targets");
    table.y = y;
    x[4] = INFINITY;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_DATA,
                "row 2 has an infinite value in bytes");
    table = make_table(1, 0);
    {
        sooth_scale_options logarithm = scale_by(SOOTH_SCALE_LOG);
        recipe.target = logarithm, recipe.has_target = 1;
        y[3] = 0.0f;
        CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_DATA, "row 4");
        recipe.has_target = 0;
    }
    CHECK(model == NULL);
    table = make_table(1, 0);
    narrow.cols = 2;
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    memset(&parts, 0, sizeof parts);
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT, "needs a predictor");
    parts.predictor = &tree->head;
    CHECK_STATUS(sooth_scale_fit(&env, &narrow, NULL, &scale), SOOTH_OK);
    parts.input = scale;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "has 2 features, but the predictor has 3");
    parts.input = NULL;
    parts.target = scale;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "has 2 columns, but the predictor has 1");
    parts.target = NULL;
    memset(&content, 0, sizeof content);
    CHECK_FAILS(&env, sooth_model_card_make(&env, &content, &card), SOOTH_BAD_ARGUMENT, "at least 1");
    content.features = 3;
    content.targets = 2;
    CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
    CHECK(sooth_model_card_text(card, SOOTH_CARD_FEATURE, 1)[0] == 0 &&
          sooth_model_card_text(card, SOOTH_CARD_FEATURE, 99)[0] == 0);
    parts.card = card;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "3 features and 2 targets");
    CHECK(model == NULL);
    parts.card = NULL;
    sooth_ratio *ratio;
    sooth_probability probability;
    memset(&probability, 0, sizeof probability);
    static const char *const two[2] = {"a", "b"};
    const float ones[2] = {1, 1}, one = 1;
    sooth_table law = sooth_table_of(ones, &one, 1, 2);
    law.names = two;
    CHECK_STATUS(sooth_ratio_fit(&env, &law, "a+b", &ratio), SOOTH_OK);
    parts.ratio = ratio;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "the ratio has 2 columns, but the predictor has 3 features");
    ratio->head.features = 3;
    parts.probability = &probability;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "a ratio excludes a probability");
    CHECK(model == NULL);
    sooth_ratio_free(&env, ratio);
    sooth_model_card_free(&env, card);
    sooth_scale_free(&env, scale);
    sooth_tree_free(&env, tree);
    CHECK_STATUS(sooth_train_kind_named(&env, "tree", &kind), SOOTH_OK);
    CHECK(kind->kind == SOOTH_KIND_TREE && kind->options_size == sizeof(sooth_tree_options) &&
          sooth_model_kind_options(kind).count > 5);
}

/* Parts of one feature or target less, and of one more; nothing but their heads is looked at. */
static void parts_of_other_shapes_are_refused(void) {
    sooth_env env;
    sooth_block predictor;
    sooth_scale input, target;
    sooth_model_card card;
    sooth_adapt adapt;
    sooth_levels levels;
    sooth_probability probability;
    sooth_model_parts parts;
    sooth_model *model;
    sooth_env_init(&env);
    memset(&predictor, 0, sizeof predictor);
    memset(&input, 0, sizeof input);
    memset(&target, 0, sizeof target);
    memset(&card, 0, sizeof card);
    memset(&adapt, 0, sizeof adapt);
    memset(&levels, 0, sizeof levels);
    memset(&probability, 0, sizeof probability);
    memset(&parts, 0, sizeof parts);
    predictor.kind = SOOTH_KIND_TREE;
    predictor.features = 3;
    predictor.targets = 2;
    parts.predictor = &predictor;
    for (uint32_t wrong = 2; wrong <= 4; wrong += 2) {
        parts.input = &input;
        input.head.features = wrong;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT, "input transform");
        parts.input = NULL;
        parts.target = &target;
        target.head.features = wrong - 1;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT, "target transform");
        parts.target = NULL;
        parts.card = &card;
        card.head.features = wrong;
        card.head.targets = 2;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT, "the card has");
        card.head.features = 3;
        card.head.targets = wrong - 1;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT, "the card has");
        parts.card = NULL;
        parts.adapt = &adapt;
        adapt.head.features = wrong;
        predictor.targets = 1;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                    "the adaptation has");
        adapt.head.features = 3;
        predictor.targets = wrong - 2;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                    "the adaptation has");
        parts.adapt = NULL;
        parts.probability = &probability;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                    "but there are several targets");
        predictor.targets = 2;
        parts.probability = NULL;
        parts.levels = &levels;
        levels.head.features = wrong;
        CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                    "the dictionary has");
        parts.levels = NULL;
    }
    predictor.kind = SOOTH_KIND_MODEL;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &model), SOOTH_BAD_ARGUMENT,
                "not itself an envelope");
}

static void a_table_of_one_row_or_column_works(void) {
    static const char *const kinds[] = {"linear", "tree"};
    sooth_env env;
    sooth_table table;
    sooth_train_recipe recipe;
    sooth_scale_options input = scale_by(SOOTH_SCALE_STANDARD);
    sooth_model *model;
    float one[1] = {5.0f}, answer[1] = {7.0f}, scratch[1];
    size_t k;
    sooth_env_init(&env);
    for (k = 0; k < 2; ++k) {
        memset(&recipe, 0, sizeof recipe);
        recipe.model = kinds[k];
        recipe.input = input, recipe.has_input = 1;
        sooth_table_init(&table, one, 1, 1);
        table.y = answer;
        table.targets = 1;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        CHECK(model && sooth_model_check(model, model->head.size));
        if (model) CHECK_NEAR(sooth_model_predict(model, one, scratch), 7.0, 1e-5);
        sooth_model_free(&env, model);
    }
}

/* ---- descriptions ---- */

static void a_description_names_everything(void) {
    static const char *const words[] = {"regression tree: predicts time [s] from 3 features",
                                        "threads",
                                        "MiB",
                                        "\xC2\xB5s",
                                        "max_depth=4",
                                        "criterion=squared",
                                        "R2, 5 folds",
                                        "0.8125",
                                        "R2, unseen programs",
                                        "-0.25",
                                        "rows",
                                        "60",
                                        "groups",
                                        "a test",
                                        "nodes",
                                        "importance",
                                        "comparisons"};
    sooth_env env;
    sooth_model *model;
    buffer text;
    sooth_sink sink = sink_to(&text);
    char least[SOOTH_TEXT_NUMBER_SIZE];
    size_t i, depth;
    sooth_env_init(&env);
    model = make_tree(&env, 4);
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(!sink.failed);
    for (i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (!strstr(text.text, words[i])) printf("  no \"%s\" in the description\n", words[i]);
        CHECK(strstr(text.text, words[i]));
    }
    sooth_text_format(least, sizeof least, "%G",
                      (double)sooth_model_card_range(
                          (const sooth_model_card
                               *)(const void *)((const char *)model +
                                                ((const sooth_envelope *)(const void *)model)->card_at))[2]);
    CHECK(strstr(text.text, least));
    sink = sink_to(&text);
    CHECK_STATUS(sooth_model_describe_json(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(text.text, "{\"name\": \"missing \\\"quoted\\\"\", \"unit\": \"\xC2\xB5s\", \"least\": "));
    CHECK(strstr(text.text, "\"model\": \"tree\"") &&
          strstr(text.text, "{\"name\": \"R2, 5 folds\", \"value\": 0.8125}"));
    for (i = depth = 0; i < text.n; ++i) { /* brackets close what they open, outside of strings */
        if (text.text[i] == '"')
            for (++i; text.text[i] != '"'; ++i) i += text.text[i] == '\\';
        else if (text.text[i] == '{' || text.text[i] == '[') ++depth;
        else if (text.text[i] == '}' || text.text[i] == ']') --depth;
    }
    CHECK(depth == 0);
    sooth_model_free(&env, model);

    model = make_full(&env, 2);
    sink = sink_to(&text);
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(text.text, "predicts time [s], power [W]") && strstr(text.text, "log1p_standard") &&
          strstr(text.text, "coefficient") && strstr(text.text, "intercept"));
    sooth_model_free(&env, model);
}

static void hostile_texts_do_not_reach_the_terminal(void) {
    static const char *const evil[COLS] = {"\x1B[31mred", "a\nb", "\xFF\xC3"};
    sooth_env env;
    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("tree");
    sooth_model *model;
    buffer text;
    sooth_sink sink = sink_to(&text);
    sooth_env_init(&env);
    table.names = evil;
    recipe.note = "bell\a";
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(!strchr(text.text, 0x1B) && !strchr(text.text, '\a') && strstr(text.text, "?[31mred") &&
          strstr(text.text, "a?b"));
    sink = sink_to(&text);
    CHECK_STATUS(sooth_model_describe_json(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(text.text, "\"\\u001b[31mred\"") && strstr(text.text, "\"a\\u000ab\"") &&
          strstr(text.text, "\"\\u00ff\\u00c3\""));
    sooth_model_free(&env, model);
}

static int refuse_all(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
    return 1;
}

static void a_full_sink_stays_silent(void) {
    sooth_env env;
    sooth_model *model;
    sooth_sink sink;
    sooth_env_init(&env);
    model = make_tree(&env, 2);
    sink.user = NULL;
    sink.write_fn = refuse_all;
    sink.failed = 0;
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(sink.failed);
    sooth_model_free(&env, model);
}

/* The preset of Zhao et al. predicts two slowdowns at once, each at least 1. */
static void themis_fits_two_targets(void) {
    enum { PAIRS = 160 };
    static float x[PAIRS * 4], y[PAIRS * 2];
    float one[2], scratch[4 * 16], many[PAIRS * 2];
    const char *const targets[] = {"slowdown of A", "slowdown of B"};
    sooth_table table = sooth_table_of(x, y, PAIRS, 4);
    sooth_train_recipe recipe;
    sooth_model *model;
    sooth_rng rng;
    sooth_env env;
    double error = 0.0, plain = 0.0;
    size_t i;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 7, 0);
    for (i = 0; i < PAIRS * 4; ++i) x[i] = sooth_rng_float(&rng);
    for (i = 0; i < PAIRS; ++i) {
        y[2 * i] = 1.0f + 1.5f * x[4 * i] * x[4 * i + 1];
        y[2 * i + 1] = 1.0f + x[4 * i + 2];
    }
    table.targets = 2;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "themis";
    recipe.target_names = targets;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(model->head.targets == 2 && sooth_model_check(model, model->head.size));
    sooth_model_predict_many(model, x, PAIRS, 4, many, scratch, 16);
    for (i = 0; i < PAIRS * 2; ++i) {
        CHECK(many[i] >= 1.0f);
        error += soothi_abs((double)many[i] - (double)y[i]);
        plain += soothi_abs((double)y[i] - (i % 2 ? 1.5 : 1.375));
    }
    CHECK(error < 0.5 * plain); /* much nearer than the means */
    sooth_model_predict_many(model, x, 1, 4, one, scratch, 1);
    CHECK(one[0] == many[0] && one[1] == many[1]);
    sooth_model_free(&env, model);
    table.targets = 1;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT, "2 targets");
}

/* A block of an unknown kind answers 0 and costs nothing, also where nobody checked it. */
static void what_is_no_model_answers_nothing(void) {
    sooth_env env;
    sooth_block *block;
    const float row[2] = {1, 2};
    float out[2] = {5, 6};
    sooth_cost cost;
    sooth_env_init(&env);
    block = (sooth_block *)soothi_block_new(&env, 999, 1, sizeof *block, 0, 0);
    block->features = 2;
    block->targets = 1;
    soothi_block_seal(block);
    CHECK(!sooth_model_check(block, block->size));
    const sooth_model *none = sooth_model_from_block(block);
    CHECK(sooth_model_predict(none, row, NULL) == 0.0f && sooth_model_scratch_size(none, 4) == 0);
    sooth_model_predict_many(none, row, 1, 2, out, NULL, 1);
    CHECK(out[0] == 5 && out[1] == 6);
    cost = sooth_model_cost(none);
    CHECK(cost.bytes == block->size && !cost.comparisons && !cost.multiply_adds && !cost.functions);
    soothi_block_free(&env, block);
    block = (sooth_block *)soothi_block_new(&env, SOOTH_KIND_MODEL, 1, sizeof *block, 0, 0);
    block->features = block->targets = 1;
    soothi_block_seal(block);
    CHECK(!sooth_model_check(block, block->size)); /* a header without an envelope */
    soothi_block_free(&env, block);
}

static void later_formats_of_every_kind_are_named(void) {
    static const struct {
        uint32_t kind, newest;
    } known[] = {
#define ITEM(name, NAME, number, transform, title, columns, targets) \
    {SOOTH_KIND_##NAME, SOOTH_##NAME##_VERSION},
        SOOTH_KIND_LIST(ITEM){SOOTH_KIND_MODEL, SOOTH_MODEL_VERSION}};
#undef ITEM
    sooth_env env;
    sooth_model *model;
    char words[80];
    uint32_t bytes[16] = {0};
    sooth_env_init(&env);
    if (!soothi_model_little_endian()) CHECK_SKIP("the words of a file are little-endian");
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        sooth_block *block =
            (sooth_block *)soothi_block_new(&env, known[i].kind, known[i].newest + 1, 64, 0, 0);
        soothi_block_seal(block);
        snprintf(words, sizeof words,
                 "has format %u, but sooth " SOOTH_VERSION_TEXT " reads formats up to %u",
                 known[i].newest + 1, known[i].newest);
        CHECK_FAILS(&env, sooth_model_load(&env, block, block->size, &model), SOOTH_BAD_MODEL, words);
        soothi_block_free(&env, block);
    }
    bytes[0] = SOOTH_BLOCK_MAGIC;
    bytes[2] = 40; /* no multiple of 16 */
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, 40, &model), SOOTH_BAD_MODEL, "was changed or damaged");
    for (uint32_t off = 0; off < 3; ++off) { /* the words of a file to be cut, but for the first */
        bytes[0] = SOOTH_BLOCK_MAGIC - 1 + off;
        bytes[2] = 48;
        CHECK_FAILS(&env, sooth_model_load(&env, bytes, 64, &model), SOOTH_BAD_MODEL,
                    off == 1 ? "has 64 bytes, but the model ends after 48" : "this is not a model file");
    }
    bytes[0] = SOOTH_BLOCK_MAGIC;
    bytes[2] = 16; /* less than a header */
    CHECK_FAILS(&env, sooth_model_load(&env, bytes, 64, &model), SOOTH_BAD_MODEL, "was changed or damaged");
    CHECK(model == NULL && sooth_model_swap_bytes(NULL, 64) != SOOTH_OK &&
          sooth_model_swap_bytes(bytes, 64) != SOOTH_OK);
}

static void lies_of_envelopes(void) {
    sooth_env env;
    sooth_model *model;
    const sooth_envelope *e;
    sooth_env_init(&env);
    model = make_full(&env, 1);
    e = (const sooth_envelope *)(const void *)model;
    const size_t text = sizeof(sooth_model_card) + 8u * (COLS + 1u); /* where the first text begins */
    CHECK(!check_changed(model, 0, offsetof(sooth_block, targets), 0));
    CHECK(!check_changed(model, 0, offsetof(sooth_block, targets), 2));
    CHECK(!check_changed(model, e->card_at, offsetof(sooth_block, features), 0));
    CHECK(!check_changed(model, e->card_at, offsetof(sooth_block, targets), 0));
    for (size_t i = 0; i < 2u * (COLS + 1u) + 2u + 2u; ++i) {
        CHECK(!check_changed(model, e->card_at, text + 4 * i, 4096));
        CHECK(!check_changed(model, e->card_at, text + 4 * i, UINT32_MAX));
        CHECK(check_changed(model, e->card_at, text + 4 * i, i == 3 ? 1 : 3)); /* another text is a text */
    }
    const sooth_model_card *card = (const sooth_model_card *)(const void *)((const char *)model + e->card_at);
    CHECK(sooth_model_card_text(card, SOOTH_CARD_FIELDS, 0)[0] == 0 &&
          sooth_model_card_text(card, SOOTH_CARD_NOTE, 1)[0] == 0);
    sooth_model_free(&env, model);
}

static void options_of_a_recipe(void) {
    static const uint32_t transforms[COLS] = {SOOTH_SCALE_LOG, SOOTH_SCALE_NONE, SOOTH_SCALE_NONE};
    static float weight[ROWS];
    sooth_env env;
    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_scale_options input = scale_by(SOOTH_SCALE_NONE);
    sooth_svr_options vectors;
    sooth_model_card_content content;
    sooth_model_parts parts;
    sooth_model *model, *none;
    sooth_model_card *card;
    sooth_env_init(&env);
    for (unsigned k = 0; k < 3; ++k) { /* a transform of nothing is left out */
        input.clip = k == 1;
        input.transforms = k == 2 ? transforms : NULL;
        recipe.input = input, recipe.has_input = 1;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        sooth_model_open(model, &parts);
        CHECK((parts.input != NULL) == (k > 0));
        if (parts.input) CHECK(parts.input->clip == (k == 1));
        sooth_model_free(&env, model);
    }
    recipe.has_input = 0;
    for (size_t i = 0; i < ROWS; ++i) weight[i] = i < 30 ? 1.0f : 0.0f; /* ranges are of rows that count */
    table.weight = weight;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    for (size_t j = 0; j < COLS; ++j) {
        float least = x[j], most = x[j];
        for (size_t i = 1; i < 30; ++i) {
            least = fminf(least, x[i * COLS + j]);
            most = fmaxf(most, x[i * COLS + j]);
        }
        CHECK(sooth_model_card_range(parts.card)[2 * j] == least &&
              sooth_model_card_range(parts.card)[2 * j + 1] == most);
    }
    memset(&content, 0, sizeof content);
    content.features = COLS;
    CHECK_FAILS(&env, sooth_model_card_make(&env, &content, &card), SOOTH_BAD_ARGUMENT,
                "3 features and 0 targets");
    content.features = COLS - 1;
    content.targets = 1;
    CHECK_STATUS(sooth_model_card_make(&env, &content, &card), SOOTH_OK);
    parts.card = card;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &none), SOOTH_BAD_ARGUMENT,
                "the card has 2 features and 1 targets, but the predictor has 3 and 1");
    CHECK(none == NULL);
    sooth_model_card_free(&env, card);
    sooth_model_free(&env, model);
    table.weight = NULL;
    memset(&vectors, 0, sizeof vectors);
    vectors.max_iter = 1;
    recipe.model = "svr";
    recipe.options.svr = vectors;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_NOT_CONVERGED);
    CHECK(model && sooth_model_check(model, model->head.size)); /* the best so far */
    sooth_model_free(&env, model);
    CHECK_FAILS(&env, sooth_train_recipe_init(&env, &recipe, "oracle"), SOOTH_BAD_ARGUMENT,
                "there is no model oracle");
}

/* What turning a file over refuses: a part that is damaged, or turned alone. */
static void parts_turn_together(void) {
    sooth_env env;
    sooth_model *model, *tree, *copy;
    sooth_block *block;
    sooth_env_init(&env);
    model = make_full(&env, 1);
    tree = make_tree(&env, 2);
    const sooth_envelope *e = (const sooth_envelope *)(const void *)model;
    for (int k = 0; k < 2; ++k) {
        copy = (sooth_model *)exact_copy(model, model->head.size);
        unsigned char *part = (unsigned char *)copy + e->target_at;
        if (k) CHECK(sooth_model_swap_bytes(part, model->head.size - e->target_at) == SOOTH_OK);
        else part[20] ^= 1;
        soothi_block_seal(&copy->head);
        CHECK(sooth_model_swap_bytes(copy, model->head.size) != SOOTH_OK);
        free(copy);
    }
    const sooth_envelope *of_tree = (const sooth_envelope *)(const void *)tree;
    sooth_block *bare = (sooth_block *)(void *)((unsigned char *)tree + of_tree->predictor_at);
    const uint32_t size = bare->size;
    copy = (sooth_model *)exact_copy(sooth_model_from_block(bare), size);
    CHECK(sooth_model_swap_bytes(copy, size) == SOOTH_OK && memcmp(copy, bare, size) != 0);
    CHECK(sooth_model_swap_bytes(copy, size) == SOOTH_OK && memcmp(copy, bare, size) == 0);
    free(copy);
    sooth_model_free(&env, tree);
    sooth_model_free(&env, model);
    /* an envelope and a card with too few or too many words */
    for (size_t words = 32; words <= 64; words += 16) {
        block = (sooth_block *)soothi_block_new(&env, SOOTH_KIND_MODEL, 1, words, 0, 0);
        block->features = block->targets = 1;
        soothi_block_seal(block);
        CHECK(!sooth_model_check(block, block->size));
        soothi_block_free(&env, block);
    }
    block = (sooth_block *)soothi_block_new(&env, SOOTH_KIND_CARD, SOOTH_CARD_VERSION, sizeof *block, 0, 0);
    block->features = block->targets = 1;
    soothi_block_seal(block);
    CHECK(!soothi_card_check(block, block->size));
    soothi_block_free(&env, block);
}

/* Version 2: an interval for every target, or adaptation, or both; with nothing more it is none. */
static void version_2_carries_something(void) {
    const float measured[] = {1, 2, 3, 4}, predicted[] = {2, 2, 2, 2};
    const size_t each = soothi_round16(sizeof(sooth_conformal));
    sooth_env env;
    sooth_model *model, *plain;
    sooth_conformal *c;
    sooth_model_parts parts;
    sooth_model_envelope *e;
    sooth_env_init(&env);
    plain = make_full(&env, 2);
    sooth_model_open(plain, &parts);
    CHECK_STATUS(sooth_conformal_fit(&env, measured, predicted, NULL, NULL, 4, NULL, &c), SOOTH_OK);
    unsigned char *blocks = (unsigned char *)malloc(2 * each);
    for (size_t t = 0; t < 2; ++t) memcpy(blocks + t * each, c, each);
    parts.interval = (const sooth_conformal *)(const void *)blocks;
    CHECK_STATUS(sooth_model_assemble(&env, &parts, &model), SOOTH_OK);
    CHECK(sooth_model_check(model, model->head.size));
    for (uint32_t left = 0; left < 2; ++left) { /* blocks; the end of the file is where the next began */
        const uint32_t size = model->head.size - (uint32_t)((2 - left) * each);
        e = (sooth_model_envelope *)exact_copy(model, size);
        e->first.head.size = size;
        soothi_block_seal(&e->first.head);
        CHECK(!sooth_model_check(e, size));
        e->interval_at = 0; /* where no block is left the rest is whole, but of version 1 */
        soothi_block_seal(&e->first.head);
        CHECK(!sooth_model_check(e, size));
        free(e);
    }
    free(blocks);
    sooth_conformal_free(&env, c);
    sooth_model_free(&env, model);
    sooth_model_free(&env, plain);
}

/* ---- categories ---- */

enum { LEVELLED = 60 };

/* Two columns of levels and one of numbers, coded; the target follows the first. */
static sooth_levels *make_levelled(sooth_table *table, float *codes, float *seconds) {
    static const char *const users[] = {"ann", "bob", "cy", "dan"}, *const * text[] = {users, NULL, NULL};
    static const uint8_t categorical[] = {1, 0, 1};
    sooth_levels *levels = NULL;
    for (size_t i = 0; i < LEVELLED; ++i) {
        codes[3 * i] = (float)(i * i % 11 % 4);
        codes[3 * i + 1] = (float)(i * 7 % 13);
        codes[3 * i + 2] = 0.5f * (float)(i % 3);
        seconds[i] = 1.0f + 9.0f * codes[3 * i] + codes[3 * i + 1] + (float)(i % 5);
    }
    *table = sooth_table_of(codes, seconds, LEVELLED, 3);
    CHECK_STATUS(sooth_levels_fit(NULL, table, categorical, text, NULL, codes, &levels), SOOTH_OK);
    table->categorical = categorical;
    return levels;
}

/* What a recipe does, by hand: statistics of the target as it is learned, then the input transform. */
static void levels_become_statistics_before_the_input_transform(void) {
    float codes[3 * LEVELLED], seconds[LEVELLED], logs[LEVELLED], encoded[3 * LEVELLED], scratch[6];
    sooth_scale_options logarithm = scale_by(SOOTH_SCALE_LOG), standard = scale_by(SOOTH_SCALE_STANDARD);
    const sooth_levels_options encoding = {.weight = 2, .seed = 5};
    sooth_env env;
    sooth_table table, by_hand;
    sooth_levels *levels = make_levelled(&table, codes, seconds), *learned;
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_scale *input, *target;
    sooth_linear *linear;
    sooth_model *model;
    sooth_model_parts parts;
    sooth_env_init(&env);
    recipe.input = standard, recipe.has_input = 1;
    recipe.target = logarithm, recipe.has_target = 1;
    recipe.levels = levels;
    recipe.encoding = encoding;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(sooth_model_check(model, model->head.size) && model->head.kind >> 16 == 3);
    sooth_model_open(model, &parts);
    by_hand = table;
    CHECK_STATUS(sooth_scale_fit(&env, &(sooth_table){.x = seconds, .rows = LEVELLED, .cols = 1, .stride = 1},
                                 &logarithm, &target),
                 SOOTH_OK);
    sooth_scale_apply_many(target, seconds, LEVELLED, 1, logs);
    by_hand.y = logs;
    CHECK_STATUS(sooth_levels_fit_statistics(&env, levels, &by_hand, &encoding, encoded, &learned), SOOTH_OK);
    CHECK(learned->head.size == parts.levels->head.size &&
          !memcmp(learned, parts.levels, learned->head.size));
    by_hand.x = encoded;
    by_hand.categorical = NULL;
    CHECK_STATUS(sooth_scale_fit(&env, &by_hand, &standard, &input), SOOTH_OK);
    sooth_scale_apply_many(input, encoded, LEVELLED, 3, encoded);
    CHECK_STATUS(sooth_linear_fit(&env, &by_hand, NULL, &linear), SOOTH_OK);
    CHECK(linear->head.size == parts.predictor->size && !memcmp(linear, parts.predictor, linear->head.size));
    CHECK(sooth_model_scratch_size(model, 2) == 6 * sizeof(float));
    CHECK(sooth_model_cost(model).comparisons == 6 + sooth_scale_cost(input).comparisons);
    codes[0] = NAN, codes[3] = 99; /* missing, and unknown */
    for (size_t i = 0; i < LEVELLED; ++i) {
        float row[3], answer;
        sooth_levels_apply(learned, codes + 3 * i, row);
        sooth_scale_apply(input, row, row);
        answer = sooth_scale_invert_one(target, 0, sooth_linear_predict(linear, row));
        CHECK(answer - answer == 0.0f && sooth_model_predict(model, codes + 3 * i, scratch) == answer);
    }
    sooth_model_predict_many(model, codes, LEVELLED, 3, logs, scratch, 2);
    for (size_t i = 0; i < LEVELLED; ++i)
        CHECK(logs[i] == sooth_model_predict(model, codes + 3 * i, scratch));
    sooth_linear_free(&env, linear);
    sooth_scale_free(&env, input);
    sooth_scale_free(&env, target);
    sooth_levels_free(&env, learned);
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

/* Codes as numbers make the predictor that a table of numbers makes, with a dictionary beside it. */
static void codes_may_be_numbers(void) {
    float codes[3 * LEVELLED], seconds[LEVELLED], seen[3];
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    sooth_train_recipe recipe = make_recipe("tree");
    sooth_model *model, *plain;
    sooth_model_parts parts, others;
    sooth_env_init(&env);
    recipe.levels = levels;
    recipe.encode = SOOTH_TRAIN_ENCODE_ORDINAL;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    recipe.levels = NULL;
    table.categorical = NULL;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &plain), SOOTH_OK);
    CHECK(model->head.kind >> 16 == 3 && plain->head.kind >> 16 == 1 &&
          sooth_model_scratch_size(model, 5) == 0);
    sooth_model_open(model, &parts);
    sooth_model_open(plain, &others);
    CHECK(!others.levels && parts.predictor->size == others.predictor->size &&
          !memcmp(parts.predictor, others.predictor, others.predictor->size));
    CHECK(strcmp(sooth_levels_name(parts.levels, 0, sooth_levels_code(parts.levels, 0, "dan", 3)), "dan") ==
          0);
    CHECK(sooth_model_predict(model, codes, NULL) == sooth_model_predict(plain, codes, NULL));
    sooth_model_transform(&parts, codes, 1, 3, seen);
    CHECK(memcmp(seen, codes, sizeof seen) == 0);
    sooth_model_transform(&others, codes, 1, 3, seen);
    CHECK(memcmp(seen, codes, sizeof seen) == 0);
    sooth_model_free(&env, plain);
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

static void version_3_carries_levels(void) {
    float codes[3 * LEVELLED], seconds[LEVELLED];
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    sooth_train_recipe recipe = make_recipe("tree");
    sooth_model *model, *loaded;
    sooth_env_init(&env);
    recipe.levels = levels;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    for (uint32_t lie = 0; lie < 6; ++lie) {
        sooth_model_envelope *e = (sooth_model_envelope *)exact_copy(model, model->head.size);
        sooth_levels *own = (sooth_levels *)((unsigned char *)e + e->levels_at);
        if (lie == 0) e->first.head.kind = SOOTH_KIND_MODEL | 2u << 16;
        if (lie == 1) e->levels_at = 0;
        if (lie == 2) e->levels_at += 16;
        if (lie == 3) e->probability_at = 1;
        if (lie == 4) own->levels += 1, soothi_block_seal(&own->head);
        if (lie == 5) e->adapt_at = e->levels_at;
        soothi_block_seal(&e->first.head);
        CHECK(!sooth_model_check(e, e->first.head.size));
        free(e);
    }
    unsigned char *bytes = (unsigned char *)malloc(model->head.size);
    sooth_model_save(model, bytes);
    CHECK_STATUS(sooth_model_load(&env, bytes, model->head.size, &loaded), SOOTH_OK);
    CHECK(memcmp(loaded, model, model->head.size) == 0);
    memcpy(bytes, model, model->head.size); /* as this host has it */
    CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK &&
          !sooth_model_check(bytes, model->head.size));
    CHECK(sooth_model_swap_bytes(bytes, model->head.size) == SOOTH_OK &&
          memcmp(bytes, model, model->head.size) == 0);
    free(bytes);
    sooth_model_free(&env, loaded);
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

static void mistakes_with_levels_are_told(void) {
    float codes[3 * LEVELLED], seconds[LEVELLED];
    sooth_scale_options standard = scale_by(SOOTH_SCALE_STANDARD);
    const sooth_levels_options endless = {.weight = -1};
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_model *model;
    sooth_model_parts parts;
    sooth_env_init(&env);
    recipe.levels = levels;
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE + 1;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT, "encode is 4");
    recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "encode=native is not supported by linear");
    recipe.model = "tree";
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    CHECK(parts.predictor->kind == (SOOTH_KIND_TREE | 3u << 16)); /* with sets */
    sooth_model_free(&env, model);
    recipe.model = "linear";
    recipe.input = standard, recipe.has_input = 1;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "encode=native is not supported by linear");
    recipe.model = "tree", recipe.encode = SOOTH_TRAIN_ENCODE_AUTO;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "leave that out, since trees need none, or give encode=target");
    recipe.model = "linear";
    recipe.has_input = 0;
    recipe.encode = SOOTH_TRAIN_ENCODE_TARGET;
    recipe.encoding = endless;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT, "weight is -1");
    memset(&recipe.encoding, 0, sizeof recipe.encoding);
    table.cols = 2;
    CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                "has 2 columns, but the dictionary has 3");
    recipe.levels = NULL;
    table.categorical = NULL;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    parts.levels = levels;
    sooth_model *wrong;
    CHECK_FAILS(&env, sooth_model_assemble(&env, &parts, &wrong), SOOTH_BAD_ARGUMENT,
                "the dictionary has 3 columns, but the predictor has 2");
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

/* The dictionary, the marks of the table and the encoding belong together. Without one of them the codes
   would be learned as numbers: each way of forgetting one is an error, and each whole set a model. */
static void a_forgotten_part_of_categories_is_told(void) {
    static const uint8_t other[] = {1, 1, 1}, fewer[] = {1, 0, 0}, none[] = {0, 0, 0};
    float codes[3 * LEVELLED], seconds[LEVELLED];
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    const uint8_t *const marks = table.categorical;
    const struct {
        const uint8_t *marked;
        int has_levels;
        uint32_t encode;
        const char *sentence; /* NULL: it fits */
    } ways[] = {
        {marks, 1, SOOTH_TRAIN_ENCODE_NATIVE, NULL},
        {marks, 1, SOOTH_TRAIN_ENCODE_TARGET, NULL},
        {NULL, 1, SOOTH_TRAIN_ENCODE_TARGET, NULL}, /* statistics need no marks, */
        {NULL, 1, SOOTH_TRAIN_ENCODE_ORDINAL, NULL},
        {marks, 0, SOOTH_TRAIN_ENCODE_NATIVE, NULL}, /* and sets no names */
        {NULL, 0, SOOTH_TRAIN_ENCODE_TARGET, NULL},
        {none, 0, SOOTH_TRAIN_ENCODE_TARGET, NULL},
        {NULL, 1, SOOTH_TRAIN_ENCODE_NATIVE, "column 1 has levels in recipe.levels, but is not marked"},
        {none, 1, SOOTH_TRAIN_ENCODE_NATIVE, "column 1 has levels in recipe.levels, but is not marked"},
        {fewer, 1, SOOTH_TRAIN_ENCODE_NATIVE, "column 3 has levels in recipe.levels, but is not marked"},
        {other, 1, SOOTH_TRAIN_ENCODE_NATIVE, "column 2 is marked in table.categorical, but is a number"},
        {other, 1, SOOTH_TRAIN_ENCODE_TARGET, "column 2 is marked in table.categorical, but is a number"},
        {marks, 0, SOOTH_TRAIN_ENCODE_TARGET,
         "column 1 is marked in table.categorical, but recipe.levels is NULL"},
        {marks, 0, SOOTH_TRAIN_ENCODE_ORDINAL, "but recipe.levels is NULL; set it, or encode=native"},
        {NULL, 0, SOOTH_TRAIN_ENCODE_NATIVE, "encode=native is for categories, but no column is marked"},
        {none, 0, SOOTH_TRAIN_ENCODE_NATIVE, "encode=native is for categories, but no column is marked"}};
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        for (int calibrated = 0; calibrated < 2; ++calibrated) {
            const sooth_tune_options few = {.trials = 1, .folds = 2};
            sooth_train_recipe recipe = make_recipe("tree"), tuned;
            sooth_model *model = NULL;
            table.categorical = ways[i].marked;
            recipe.levels = ways[i].has_levels ? levels : NULL;
            recipe.encode = ways[i].encode;
            recipe.calibrated = (uint32_t)calibrated;
            if (!ways[i].sentence) {
                CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
                sooth_model_free(&env, model);
                continue;
            }
            CHECK_FAILS(&env, sooth_train_fit(&env, &table, &recipe, &model), SOOTH_BAD_ARGUMENT,
                        ways[i].sentence);
            CHECK_FAILS(&env, sooth_train_tune(&env, &table, &recipe, &few, &tuned, NULL), SOOTH_BAD_ARGUMENT,
                        ways[i].sentence);
        }
    sooth_levels_free(&env, levels);
}

/* Without a word trees learn sets of levels, and other kinds statistics: the bytes of the named encoding. */
static void levels_are_sets_for_trees_and_statistics_for_others(void) {
    static const struct {
        const char *model;
        uint32_t encode;
    } ways[] = {{"tree", SOOTH_TRAIN_ENCODE_NATIVE},
                {"forest", SOOTH_TRAIN_ENCODE_NATIVE},
                {"boost", SOOTH_TRAIN_ENCODE_NATIVE},
                {"linear", SOOTH_TRAIN_ENCODE_TARGET}};
    float codes[3 * LEVELLED], seconds[LEVELLED];
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    sooth_env_init(&env);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        sooth_train_recipe recipe = make_recipe(ways[i].model);
        sooth_model *silent = NULL, *named = NULL;
        recipe.levels = levels;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &silent), SOOTH_OK);
        recipe.encode = ways[i].encode;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &named), SOOTH_OK);
        CHECK(silent->head.size == named->head.size && memcmp(silent, named, named->head.size) == 0);
        sooth_model_free(&env, silent);
        sooth_model_free(&env, named);
    }
    sooth_levels_free(&env, levels);
}

/* A level that the model does not know is outside. A missing cell is outside, too, unless training rows had
   one. Column 0 has names, column 1 is a number, column 2 has levels named by numbers. */
static void an_unknown_level_is_outside(void) {
    for (int holes = 0; holes < 2; ++holes) {
        float codes[3 * LEVELLED], seconds[LEVELLED], row[3];
        uint32_t feature;
        sooth_env env;
        sooth_table table;
        sooth_model *model;
        sooth_model_parts parts;
        sooth_adapted answer;
        sooth_levels *levels = make_levelled(&table, codes, seconds);
        sooth_train_recipe recipe = make_recipe("tree");
        sooth_env_init(&env);
        recipe.levels = levels;
        if (holes) codes[0] = codes[3] = NAN;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        sooth_model_open(model, &parts);
        memcpy(row, codes + 3 * 5, sizeof row);
        CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_INSIDE && feature == UINT32_MAX);
        CHECK(sooth_model_outside(model, row) == 0);
        row[1] = NAN; /* a number */
        CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_INSIDE);
        row[0] = sooth_levels_code(parts.levels, 0, "eve", 3);
        CHECK(isnan(row[0]) && sooth_model_outside(model, row) == 1 &&
              sooth_model_is_outside(model, 0, row[0]) && !sooth_model_is_outside(model, 1, row[1]));
        CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_OUTSIDE && feature == 0);
        sooth_model_interval(model, row, NULL, &answer);
        CHECK(answer.trust == SOOTH_MODEL_TRUST_OUTSIDE && answer.feature == 0);
        row[0] = NAN;
        CHECK(sooth_model_outside(model, row) == (holes ? 0 : 1));
        CHECK(sooth_model_trust(model, row, &feature) ==
              (holes ? SOOTH_MODEL_TRUST_INSIDE : SOOTH_MODEL_TRUST_OUTSIDE));
        row[2] = 7.0f; /* a code that no level has */
        CHECK(sooth_model_outside(model, row) == (holes ? 1 : 2));
        sooth_model_free(&env, model);
        sooth_levels_free(&env, levels);
    }
}

static void failing_memory_with_levels_leaves_nothing(void) {
    float codes[3 * LEVELLED], seconds[LEVELLED];
    sooth_env env;
    sooth_table table;
    sooth_levels *levels = make_levelled(&table, codes, seconds);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_model *model = NULL;
    sooth_env_init(&env);
    recipe.levels = levels;
    CHECK_EVERY_ALLOCATION(&env, sooth_train_fit(&env, &table, &recipe, &model),
                           sooth_model_free(&env, model));
    sooth_levels_free(NULL, levels);
}

/* A range that is a point has no edge; a target that was below 0 may be so again. */
static void ranges_of_a_point_and_below_0(void) {
    sooth_env env;
    sooth_table table = make_table(1, 0);
    sooth_train_recipe recipe = make_recipe("linear");
    sooth_model *model;
    sooth_model_parts parts;
    sooth_adapted at;
    uint32_t feature;
    float row[COLS];
    sooth_env_init(&env);
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS + 2] = 5.0f;
        y[i] -= 100.0f;
    }
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    memcpy(row, x, sizeof row);
    CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_INSIDE && feature == UINT32_MAX);
    row[2] = 5.001f;
    CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_OUTSIDE && feature == 2);
    row[0] = -1e6f; /* as far as counts, and first */
    CHECK(sooth_model_trust(model, row, &feature) == SOOTH_MODEL_TRUST_OUTSIDE && feature == 0);
    sooth_model_interval(model, x, NULL, &at);
    CHECK(isnan(at.low) && isnan(at.high) && at.value < 0.0f &&
          at.value == sooth_model_predict(model, x, NULL));
    sooth_model_open(model, &parts); /* and where no card tells */
    sooth_model_interval(sooth_model_from_block(parts.predictor), x, NULL, &at);
    CHECK(isnan(at.low) && isnan(at.high) && at.value < 0.0f &&
          at.value == sooth_model_predict(model, x, NULL));
    sooth_model_free(&env, model);
}

/* So many rows that a scorer predicts them: each has the probability that it has alone. */
static void many_rows_have_their_probability(void) {
    enum { MANY = 2200, WIDTH = 2 };
    static float x[MANY * WIDTH], y[MANY], out[MANY], between;
    static const char words[] = "boost n_estimators=10 calibrate=sigmoid";
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    sooth_rng rng;
    sooth_env env;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 5, 0);
    for (size_t i = 0; i < MANY; ++i) {
        x[WIDTH * i] = sooth_rng_float(&rng);
        x[WIDTH * i + 1] = sooth_rng_float(&rng);
        y[i] = sooth_rng_float(&rng) < x[WIDTH * i] ? 1.0f : 0.0f;
    }
    const sooth_table table = sooth_table_of(x, y, 300, WIDTH);
    CHECK_STATUS(sooth_train_recipe_read(&env, words, sizeof words - 1, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK_STATUS(sooth_model_predict_table(&env, model, x, MANY, WIDTH, out), SOOTH_OK);
    for (size_t i = 0; i < MANY; ++i) {
        between += out[i] > 0.0f && out[i] < 1.0f ? 1.0f : 0.0f;
        CHECK(out[i] == sooth_model_predict(model, x + WIDTH * i, NULL));
    }
    CHECK(between == MANY);
    sooth_model_free(&env, model);
}

int main(void) {
    CHECK_RUN(transforms_equal_the_manual_pipeline);
    CHECK_RUN(several_targets_come_back_in_their_units);
    CHECK_RUN(a_bare_predictor_is_a_model);
    CHECK_RUN(outside_counts_features_beyond_training);
    CHECK_RUN(a_level_never_seen_is_outside);
    CHECK_RUN(threads_predict_the_same);
    CHECK_RUN(cost_counts_the_transforms);
    CHECK_RUN(saved_and_loaded_bits_are_equal);
    CHECK_RUN(every_flipped_bit_is_refused);
    CHECK_RUN(every_truncation_is_refused);
    CHECK_RUN(wrong_offsets_and_sizes_are_refused);
    CHECK_RUN(envelopes_do_not_nest);
    CHECK_RUN(failures_to_load_are_sentences);
    CHECK_RUN(why_a_file_is_refused);
    CHECK_RUN(features_are_found_by_name);
    CHECK_RUN(a_table_is_predicted_as_its_rows);
    CHECK_RUN(choices_are_rows_that_differ_in_some_columns);
    CHECK_RUN(turning_twice_gives_the_same_bytes);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(an_arena_of_the_peak_is_enough);
    CHECK_RUN(what_does_not_fit_together_is_a_sentence);
    CHECK_RUN(parts_of_other_shapes_are_refused);
    CHECK_RUN(a_table_of_one_row_or_column_works);
    CHECK_RUN(a_description_names_everything);
    CHECK_RUN(hostile_texts_do_not_reach_the_terminal);
    CHECK_RUN(a_full_sink_stays_silent);
    CHECK_RUN(themis_fits_two_targets);
    CHECK_RUN(what_is_no_model_answers_nothing);
    CHECK_RUN(later_formats_of_every_kind_are_named);
    CHECK_RUN(lies_of_envelopes);
    CHECK_RUN(options_of_a_recipe);
    CHECK_RUN(parts_turn_together);
    CHECK_RUN(version_2_carries_something);
    CHECK_RUN(levels_become_statistics_before_the_input_transform);
    CHECK_RUN(codes_may_be_numbers);
    CHECK_RUN(version_3_carries_levels);
    CHECK_RUN(mistakes_with_levels_are_told);
    CHECK_RUN(a_forgotten_part_of_categories_is_told);
    CHECK_RUN(levels_are_sets_for_trees_and_statistics_for_others);
    CHECK_RUN(an_unknown_level_is_outside);
    CHECK_RUN(failing_memory_with_levels_leaves_nothing);
    CHECK_RUN(ranges_of_a_point_and_below_0);
    CHECK_RUN(many_rows_have_their_probability);
    return check_end("model");
}
