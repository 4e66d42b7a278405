/* test_golden.c - the same data, options and seed give the same bytes everywhere.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * One committed hash per kind of model: over its bytes as they would be saved, without the card (in which the
 * names of options stand), and over its predictions. The gate runs this with every compiler, optimisation
 * level, sanitizer and emulated machine it knows (little- and big-endian), and here with 1 and 4 workers. The
 * data come from sooth_rng and single-precision arithmetic, so nothing depends on a math library.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "sooth/threads.h"
#include "check.h"

SOOTHI_C_BEGIN /* not fused: the data that are made here, as the headers' own code */

enum { ROWS = 700, COLS = 6 };
static float x[ROWS * COLS], y[ROWS], weight[ROWS], answer[ROWS * SOOTH_ENSEMBLE_MAX_QUANTILES];

static sooth_table make_table(void) {
    sooth_rng rng;
    sooth_table table;
    size_t i, j;
    sooth_rng_init(&rng, 2026, 1);
    for (i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        for (j = 0; j < COLS; ++j) row[j] = sooth_rng_float(&rng);
        row[4] = (float)(int)(row[4] * 8.0f);
        y[i] = 1.0f + 10.0f * row[0] * row[1] + 20.0f * (row[2] - 0.5f) * (row[2] - 0.5f) + row[4] +
               sooth_rng_float(&rng);
        weight[i] = 0.5f + sooth_rng_float(&rng);
    }
    sooth_table_init(&table, x, ROWS, COLS);
    table.y = y;
    table.targets = 1;
    table.weight = weight;
    return table;
}

/* Makes of the columns what a law of scaling wants: threads, frequency, speed, as far as it has them. */
static void make_runs(sooth_table *table, const sooth_scaling_options *options) {
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        row[0] = (float)(1 + (int)(row[0] * 24.0f));
        row[1] = 1.0f + 0.25f * (float)(int)(row[1] * 8.0f);
        row[2] += 0.5f;
    }
    table->cols = soothi_scaling_law_features(options->law);
}

static void make_classes(void) {
    for (size_t i = 0; i < ROWS; ++i) y[i] = y[i] > 9.0f;
}

/* Makes categories of two columns: more levels than there are classes, and a few; some are missing. */
static void make_levels(sooth_table *table) {
    static const uint8_t categorical[COLS] = {1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < ROWS; ++i)
        x[i * COLS] = i % 9 ? (float)(int)(x[i * COLS] * 400.0f) : soothi_missing();
    table->categorical = categorical;
}

/* The hash of a model as its file has it, and of its predictions for the table. */
static unsigned long long hash_of(const sooth_model *model, const sooth_table *table) {
    unsigned char *bytes = (unsigned char *)malloc(model->head.size);
    void *scratch = malloc(sooth_model_scratch_size(model, 16) + 1);
    unsigned long long h = 0;
    size_t i;
    if (bytes && scratch) {
        sooth_model_save(model, bytes);
        h = check_hash(bytes, model->head.size);
        sooth_model_predict_many(model, table->x, table->rows, table->stride, answer, scratch, 16);
        for (i = 0; i < table->rows; ++i) { /* as little-endian words, on any host */
            uint32_t bits;
            unsigned char b[4];
            memcpy(&bits, &answer[i], sizeof bits);
            b[0] = (unsigned char)bits;
            b[1] = (unsigned char)(bits >> 8);
            b[2] = (unsigned char)(bits >> 16);
            b[3] = (unsigned char)(bits >> 24);
            h = h * 31 + check_hash(b, 4);
        }
    }
    free(bytes);
    free(scratch);
    return h;
}

/* The same trees as whole numbers, by both kinds of keys: the bytes and the answers go into one hash for all
   models that are made of trees. */
static unsigned long long integers;

static void hash_integers(sooth_env *env, const sooth_model *model, const sooth_table *table) {
    for (uint32_t k = 0; k < 4; ++k) {
        const sooth_integers_options o = {.bits = k == 0 ? 8 : k == 1 ? 16 : 32, .rule = k == 3};
        sooth_integers *m;
        unsigned char *bytes;
        if (sooth_integers_convert(env, model, &o, &m) != SOOTH_OK) {
            CHECK(strstr(env->sentence, "to integers") || strstr(env->sentence, "linear leaves") ||
                  strstr(env->sentence, "transform"));
            return;
        }
        CHECK(sooth_integers_check(m, m->head.size));
        bytes = (unsigned char *)malloc(m->head.size);
        if (!bytes) abort();
        sooth_model_save(sooth_model_from_block(&m->head), bytes);
        integers = integers * 31 + check_hash(bytes, m->head.size);
        sooth_integers_predict_many(m, table->x, table->rows, table->stride, answer);
        integers = check_hash_words(integers, answer, table->rows);
        free(bytes);
        sooth_integers_free(env, m);
    }
}

/* One model per kind and per way of fitting that has arithmetic of its own. */
typedef struct golden {
    const char *name, *model, *options; /* as "max_depth=7 bins=64" */
    uint32_t input;                     /* 1 + a sooth_scale transform; 0: none */
    uint32_t log_target;
    unsigned long long hash;
} golden;

static const golden goldens[] = {
#include "golden/hashes.h"
};

static void set_options(sooth_env *env, const sooth_model_kind *kind, void *options, const char *text) {
    char name[64], value[64];
    int length;
    for (; sscanf(text, " %63[^=]=%63[^ ]%n", name, value, &length) == 2; text += length)
        CHECK_STATUS(sooth_option_set(env, sooth_model_kind_options(kind), options, name, value), SOOTH_OK);
    CHECK(*text == 0);
}

static unsigned long long fit_and_hash(sooth_env *env, const golden *g) {
    sooth_table table = make_table();
    sooth_train_recipe recipe;
    const sooth_model_kind *kind;
    sooth_model *model;
    unsigned long long h;
    memset(&recipe, 0, sizeof recipe);
    CHECK_STATUS(sooth_train_kind_named(env, g->model, &kind), SOOTH_OK);
    set_options(env, kind, &recipe.options, g->options);
    if (strstr(g->options, "logistic")) make_classes();
    if (strncmp(g->name, "categories", 10) == 0) {
        make_levels(&table);
        recipe.encode = SOOTH_TRAIN_ENCODE_NATIVE; /* the codes have no dictionary */
    }
    if (kind->kind == SOOTH_KIND_SCALING) make_runs(&table, &recipe.options.scaling);
    recipe.no_card = 1; /* its text names the options, and a name may change */
    recipe.model = g->model;
    recipe.has_input = g->input > 0;
    recipe.input.transform = g->input - 1;
    recipe.has_target = g->log_target;
    recipe.target.transform = SOOTH_SCALE_LOG;
    if (sooth_train_fit(env, &table, &recipe, &model) != SOOTH_OK) {
        printf("  %s: %s\n", g->name, env->sentence);
        ++check_failures;
        return 0;
    }
    CHECK(sooth_model_check(model, model->head.size));
    h = hash_of(model, &table);
    hash_integers(env, model, &table);
    sooth_model_free(env, model);
    return h;
}

/* Averages of models take most of the time: only the first `most` of them are fitted, or all if slow tests
   run (tests/library/test_workers.c fits one with several threads). */
static void check_all(sooth_env *env, size_t most) {
    const unsigned long long expected = 0x27dc18ad86985130ull;
    size_t i, averages = 0;
    integers = 0;
    for (i = 0; i < sizeof goldens / sizeof goldens[0]; ++i) {
        if (strcmp(goldens[i].model, "best") == 0 && ++averages > most && !check_is_slow()) continue;
        unsigned long long h = fit_and_hash(env, &goldens[i]);
        if (h == goldens[i].hash) continue;
        printf("  %s: the hash is 0x%016llxull\n", goldens[i].name, h);
        ++check_failures;
    }
    CHECK(integers == expected);
    if (integers != expected) printf("  whole numbers: the hash is 0x%016llxull\n", integers);
}

static void one_worker(void) {
    sooth_env env;
    sooth_env_init(&env);
    if (!SOOTH_SAME_BITS) CHECK_SKIP("float is not evaluated as float here");
    check_all(&env, 2);
}

/* Four workers in a host's loop that runs tasks in a strange order. */
#ifndef SOOTH_GOLDEN_ONCE
static void backwards(void *user, size_t count, sooth_task *task, void *arg) {
    size_t i;
    (void)user;
    for (i = count; i-- > 0;) task(arg, i, i % 4);
}

static void four_workers_in_another_order(void) {
    sooth_env env;
    sooth_env_init(&env);
    if (!SOOTH_SAME_BITS) CHECK_SKIP("float is not evaluated as float here");
    env.parallel_fn = backwards;
    env.workers = 4;
    check_all(&env, 1);
}

static void four_threads(void) {
    sooth_env env;
    static sooth_threads pool;
    sooth_env_init(&env);
    if (!SOOTH_SAME_BITS) CHECK_SKIP("float is not evaluated as float here");
    CHECK_STATUS(sooth_threads_start(&env, &pool, 4), SOOTH_OK);
    check_all(&env, 0);
    sooth_threads_stop(&pool);
}

#endif

int main(void) {
    CHECK_RUN(one_worker);
#ifndef SOOTH_GOLDEN_ONCE /* emulated machines are slow */
    CHECK_RUN(four_workers_in_another_order);
    CHECK_RUN(four_threads);
#endif
    return check_end("golden");
}

SOOTHI_C_END
