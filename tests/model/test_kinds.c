/* test_kinds.c - the list of kinds: every kind on it is fitted, saved, loaded, described and exported, and a
 * program can add one of its own.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_KIND_EXTRA(X) X(nearest, NEAREST, 1000, NONE, "nearest measurement", "", 1)
#define SOOTH_IMPLEMENTATION
#include "sooth/base.h"
#include "check.h"

#include <stdlib.h>

/* ---- a kind of our own: the target of the row whose first column is nearest ---- */

#define SOOTH_NEAREST_VERSION 1

/* The block: this struct, then float x[rows], y[rows]. */
typedef struct sooth_nearest {
    sooth_block head;
    uint32_t rows;
    uint32_t zero[3];
} sooth_nearest;

typedef struct sooth_nearest_options {
    uint32_t most; /* rows that are kept; 0: all */
} sooth_nearest_options;

static const float *nearest_x(const sooth_nearest *m) { return (const float *)(const void *)(m + 1); }

static int sooth_nearest_check(const void *bytes, size_t size) {
    const sooth_nearest *m = (const sooth_nearest *)bytes;
    return sooth_block_check(bytes, size, SOOTH_KIND_NEAREST, SOOTH_NEAREST_VERSION) &&
           m->head.size >= sizeof *m && m->head.features > 0 && m->head.targets == 1 && m->rows > 0 &&
           m->rows <= (m->head.doubles_at - sizeof *m) / 8;
}

static float sooth_nearest_predict(const sooth_nearest *m, const float *row) {
    const float *x = nearest_x(m), *y = x + m->rows;
    float least = 0.0f, answer = y[0];
    uint32_t i;
    for (i = 0; i < m->rows; ++i) {
        const float away = x[i] < row[0] ? row[0] - x[i] : x[i] - row[0];
        if (i == 0 || away < least) {
            least = away;
            answer = y[i];
        }
    }
    return answer;
}

static void sooth_nearest_predict_many(const sooth_nearest *m, const float *x, size_t rows, size_t stride,
                                       float *out) {
    size_t i;
    for (i = 0; i < rows; ++i) out[i] = sooth_nearest_predict(m, x + i * stride);
}

static sooth_cost sooth_nearest_cost(const sooth_nearest *m) {
    sooth_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.bytes = m->head.size;
    cost.comparisons = 2 * m->rows;
    return cost;
}

static sooth_option_list sooth_nearest_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_nearest_options, most, 1, 1e6, 0, "rows that are kept; 0: all")};
    return SOOTHI_OPTIONS(option);
}

static sooth_status sooth_nearest_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_nearest_options *options, sooth_nearest **model) {
    const size_t rows = options && options->most && options->most < table->rows ? options->most : table->rows;
    sooth_nearest *m = (sooth_nearest *)soothi_block_new(env, SOOTH_KIND_NEAREST, SOOTH_NEAREST_VERSION,
                                                         sizeof *m + rows * 8, 0, 0);
    size_t i;
    *model = m;
    if (!m) return SOOTH_NO_MEMORY;
    m->head.features = (uint32_t)table->cols;
    m->head.targets = 1;
    m->rows = (uint32_t)rows;
    for (i = 0; i < rows; ++i) {
        ((float *)(void *)(m + 1))[i] = table->x[i * table->stride];
        ((float *)(void *)(m + 1))[rows + i] = table->y[i];
    }
    soothi_block_seal(&m->head);
    return SOOTH_OK;
}

#include "sooth/export/c.h"
#include "sooth/train.h"

static void soothi_facts_nearest(const sooth_nearest *m, soothi_facts *facts) {
    soothi_describe_fact_number(facts, "kept rows", (double)m->rows);
}

static sooth_status soothi_export_open_nearest(soothi_export_job *job) {
    job->bytes = 8 * (size_t)((const sooth_nearest *)job->model)->rows;
    return SOOTH_OK;
}

static void soothi_export_text_nearest(const soothi_export_job *job) {
    soothi_export_say(job, "The nearest measurement");
}

static sooth_status soothi_export_code_nearest(soothi_export_job *job) {
    const sooth_nearest *m = (const sooth_nearest *)job->model;
    soothi_export_array(job, "x", nearest_x(m), m->rows);
    soothi_export_array(job, "y", nearest_x(m) + m->rows, m->rows);
    soothi_export_say(job,
                      "\nstatic void @_run(const float *x, float *out) {\n"
                      "    float least = 0.0f, away;\n"
                      "    uint32_t i;\n"
                      "    for (i = 0; i < %u; ++i) {\n"
                      "        away = $_FLOAT(@_x + i) - x[0];\n"
                      "        if (away < 0.0f) away = -away;\n"
                      "        if (i == 0 || away < least) {\n"
                      "            least = away;\n"
                      "            out[0] = $_FLOAT(@_y + i);\n"
                      "        }\n"
                      "    }\n"
                      "}\n",
                      m->rows);
    return SOOTH_OK;
}

static float soothi_export_near_nearest(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_nearest *m = (const sooth_nearest *)job->model;
    return j ? 0.0f : nearest_x(m)[number % m->rows] - 0.5f;
}

/* ---- what is tested ---- */

static sooth_env env;

typedef struct text {
    size_t size;
    char at[200000];
} text;

static int keep(void *user, const char *from, size_t size) {
    text *t = (text *)user;
    if (t->size + size >= sizeof t->at) return 1;
    memcpy(t->at + t->size, from, size);
    t->at[t->size += size] = 0;
    return 0;
}

static sooth_sink sink_of(text *t) {
    sooth_sink sink;
    memset(&sink, 0, sizeof sink);
    sink.write_fn = keep;
    sink.user = t;
    t->size = 0;
    t->at[0] = 0;
    return sink;
}

/* Threads and seconds: a table that every kind can learn from. */
static sooth_table runs(void) {
    static float x[40], y[40];
    size_t i;
    for (i = 0; i < 40; ++i) {
        x[i] = (float)(i % 20 + 1);
        y[i] = 3.0f + 90.0f / x[i] + (i < 20 ? 0.25f : -0.25f);
    }
    return sooth_table_of(x, y, 40, 1);
}

static sooth_model *fitted(const char *kind) {
    static uint32_t half[40];
    sooth_table table = runs();
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = kind;
    if (strcmp(kind, "boost") == 0) recipe.options.boost.n_estimators = 50; /* their C is compiled */
    if (strcmp(kind, "best") == 0) {                                        /* two folds of few candidates */
        for (size_t i = 0; i < 40; ++i) half[i] = i < 20;
        table.group = half;
        recipe.options.best.effort = SOOTH_BEST_LOW;
    }
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    return model;
}

/* Compiles the text as C and runs the self-test of it; -1: there is no compiler here. */
static int compiled(const char *source) {
    static const char main_of[] = "\nint main(void) { return kind_selftest(); }\n";
    const char *folder = getenv("TMPDIR");
    char path[256], command[1200];
    FILE *file;
    int status;
    if (system("cc --version > /dev/null 2>&1") != 0) return -1;
    /* two runs at a time have other addresses */
    snprintf(path, sizeof path, "%s/sooth_test_kinds_%p", folder ? folder : "/tmp", (void *)path);
    snprintf(command, sizeof command, "%s.c", path);
    file = fopen(command, "w");
    if (!file) return -1;
    fputs(source, file);
    fputs(main_of, file);
    fclose(file);
    snprintf(command, sizeof command,
             "cc -std=c99 -Wall -Wextra -Werror -ffp-contract=off %s.c -o %s.out && %s.out", path, path,
             path);
    status = system(command);
    snprintf(command, sizeof command, "rm -f %s.c %s.out", path, path);
    return system(command) == 0 ? status : 1;
}

static void every_kind_goes_through_everything(void) {
    static text words, json, code;
    sooth_export_c_options options;
    const sooth_model_kind *kind;
    size_t i;
    memset(&options, 0, sizeof options);
    options.name = "kind";
    for (i = 0; (kind = sooth_model_kind_at(i)) != NULL; ++i) {
        sooth_model *model = fitted(kind->name), *again = NULL;
        sooth_sink sink = sink_of(&words);
        sooth_model_parts parts;
        float scratch[1], out[2];
        const float rows[2] = {3.0f, 11.0f};
        void *bytes = malloc(model->head.size);
        int status;
        CHECK(sooth_model_check(model, model->head.size));
        sooth_model_open(model, &parts);
        CHECK((parts.predictor->kind & 0xFFFFu) == kind->kind);
        sooth_model_save(model, bytes);
        CHECK_STATUS(sooth_model_load(&env, bytes, model->head.size, &again), SOOTH_OK);
        sooth_model_predict_many(again, rows, 2, 1, out, scratch, 1);
        CHECK(out[0] == sooth_model_predict(model, rows, scratch));
        CHECK(out[1] == sooth_model_predict(model, rows + 1, scratch));
        CHECK(out[0] > out[1] && out[1] > 0.0f); /* more threads, less time: something was learned */
        CHECK(sooth_model_cost(model).bytes == model->head.size);
        CHECK_STATUS(sooth_model_describe(&env, again, &sink), SOOTH_OK);
        CHECK(strstr(words.at, kind->title) == words.at);
        sink = sink_of(&json);
        CHECK_STATUS(sooth_model_describe_json(&env, again, &sink), SOOTH_OK);
        CHECK(strstr(json.at, kind->name) != NULL);
        sink = sink_of(&code);
        CHECK_STATUS(sooth_export_c(&env, again, &options, &sink), SOOTH_OK);
        status = compiled(code.at);
        if (status) printf("    %s: %s\n", kind->name, status < 0 ? "no compiler" : "its self-test fails");
        CHECK(status <= 0);
        free(bytes);
        sooth_model_free(&env, again);
        sooth_model_free(&env, model);
    }
    CHECK(i == 11); /* ten of the library's, one of ours */
}

static void a_kind_of_ones_own_is_like_the_others(void) {
    const float row = 6.6f;
    sooth_model *model = fitted("nearest");
    const sooth_model_kind *kind;
    sooth_train_recipe recipe;
    static text words;
    sooth_sink sink = sink_of(&words);
    CHECK_STATUS(sooth_train_kind_named(&env, "nearest", &kind), SOOTH_OK);
    CHECK(kind->kind == 1000 && kind->options_size == sizeof(sooth_nearest_options));
    CHECK_STATUS(sooth_train_recipe_init(&env, &recipe, "nearest"), SOOTH_OK);
    CHECK(recipe.options.nearest.most == 0 && sizeof recipe.options == SOOTH_TRAIN_OPTIONS_SIZE);
    CHECK(sooth_model_predict(model, &row, NULL) == 3.0f + 90.0f / 7.0f + 0.25f);
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(words.at, "nearest measurement: predicts target 1 from 1 feature\n") == words.at);
    CHECK(strstr(words.at, "kept rows     40\n") != NULL);
    CHECK_FAILS(&env, sooth_train_kind_named(&env, "farthest", &kind), SOOTH_BAD_ARGUMENT,
                "scaling, best, nearest");
    sooth_model_free(&env, model);
}

/* Files that exist: their numbers must never change. */
static void numbers_stay(void) {
    CHECK(SOOTH_KIND_MODEL == 1 && SOOTH_KIND_SCALE == 2 && SOOTH_KIND_LINEAR == 3 && SOOTH_KIND_TREE == 4);
    CHECK(SOOTH_KIND_CARD == 5 && SOOTH_KIND_FOREST == 6 && SOOTH_KIND_BOOST == 7 && SOOTH_KIND_MLP == 8);
    CHECK(SOOTH_KIND_SVR == 9 && SOOTH_KIND_SOFNN == 10 && SOOTH_KIND_GAUSS == 11 &&
          SOOTH_KIND_SCALING == 20);
}

/* Amdahl: 3 + 90 / t, to the last digits that the noise of the table leaves. */
static void a_law_is_a_model(void) {
    const float row = 40.0f;
    sooth_model *model = fitted("scaling");
    static text words;
    sooth_sink sink = sink_of(&words);
    CHECK(sooth_model_predict(model, &row, NULL) > 5.2f && sooth_model_predict(model, &row, NULL) < 5.3f);
    CHECK(sooth_model_outside(model, &row) == 1);
    CHECK_STATUS(sooth_model_describe(&env, model, &sink), SOOTH_OK);
    CHECK(strstr(words.at, "law of threads and frequency: predicts target 1 from 1 feature\n") == words.at);
    CHECK(strstr(words.at, "law           amdahl\n") && strstr(words.at, "contention    0.032"));
    sooth_model_free(&env, model);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(numbers_stay);
    CHECK_RUN(every_kind_goes_through_everything);
    CHECK_RUN(a_kind_of_ones_own_is_like_the_others);
    CHECK_RUN(a_law_is_a_model);
    return check_end("kinds");
}
