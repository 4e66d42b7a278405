/* test_missing.c - missing values are treated as the table of examples/book/which.md states, by every kind.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"
#include <math.h>

enum { ROWS = 90, NUMBER, LEARN, PREDICT, CATEGORY, CELLS };

static sooth_env env;
static float x[ROWS * 2], y[ROWS];
static const uint8_t marks[] = {0, 1};

/* Finds the row of a kind. Returns the number of rows that name it. */
static int row_of(const char *kind, char cell[CELLS][200]) {
    char line[1000], name[40];
    int on = 0, rows = 0;
    FILE *page = fopen("examples/book/which.md", "rb");
    CHECK(page != NULL);
    snprintf(name, sizeof name, "`%s`", kind);
    while (page && fgets(line, sizeof line, page)) {
        on = strncmp(line, "## ", 3) == 0 ? strncmp(line, "## Missing values", 17) == 0 : on;
        if (!on || line[0] != '|') continue;
        char *at = line + 1, *end = strchr(at, '|');
        if (!end || !strstr(line, name) || strstr(line, name) > end) continue;
        ++rows;
        for (int k = NUMBER; k < CELLS && end; ++k, at = end + 1, end = strchr(at, '|'))
            snprintf(cell[k], 200, "%.*s", (int)(end - at), at + 1);
    }
    if (page) fclose(page);
    return rows;
}

static int begins(const char *cell, const char *word) { return strncmp(cell, word, strlen(word)) == 0; }

/* Two columns, or a single one for laws of threads; column `missing` misses some values. */
static sooth_table filled(int is_law, int missing) {
    for (int i = 0; i < ROWS; ++i) {
        x[2 * i] = (float)(i % 13 + 1);
        x[2 * i + 1] = (float)(i % 4);
        y[i] = 30.0f / x[2 * i] + 2.0f * x[2 * i + 1] * !is_law;
        if (missing >= 0 && i % 7 == 3) x[2 * i + missing] = (float)NAN;
    }
    sooth_table table = sooth_table_of(x, y, ROWS, is_law ? 1 : 2);
    table.stride = 2;
    return table;
}

static sooth_model *fitted(const char *kind, const sooth_table *table, const sooth_levels *levels) {
    char words[60];
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    snprintf(words, sizeof words, "%s%s", kind, strcmp(kind, "best") == 0 ? " effort=low" : "");
    CHECK_STATUS(sooth_train_recipe_read(&env, words, strlen(words), &recipe), SOOTH_OK);
    recipe.levels = levels;
    const sooth_status status = sooth_train_fit(&env, table, &recipe, &model);
    CHECK(status == SOOTH_OK || status == SOOTH_NOT_CONVERGED || !model);
    return model;
}

static float predicted(const sooth_model *model, float first, float second) {
    const float row[] = {first, second};
    float scratch[8];
    CHECK(sooth_model_scratch_size(model, 1) <= sizeof scratch);
    return sooth_model_predict(model, row, scratch);
}

static void numbers(const char *kind, char cell[CELLS][200]) {
    const int is_law = strcmp(kind, "scaling") == 0;
    sooth_table table = filled(is_law, 0);
    sooth_model *model = fitted(kind, &table, NULL);
    CHECK(begins(cell[LEARN], model ? "learned" : "refused"));
    if (model) CHECK(isfinite(predicted(model, (float)NAN, 1)));
    else CHECK(strstr(env.sentence, "missing") != NULL);
    sooth_model_free(&env, model);
    table = filled(is_law, -1);
    model = fitted(kind, &table, NULL);
    CHECK(model != NULL);
    if (!model) return;
    const float p = predicted(model, (float)NAN, 1);
    CHECK(begins(cell[PREDICT], isfinite(p) ? "predicted" : "NaN") ||
          begins(cell[PREDICT], "predicted if training rows"));
    CHECK(isfinite(p) || isnan(p));
    sooth_model_free(&env, model);
}

static void categories(const char *kind, char cell[CELLS][200]) {
    static float codes[ROWS * 2];
    sooth_levels *levels;
    sooth_table table = filled(0, 1);
    CHECK_STATUS(sooth_levels_fit(&env, &table, marks, NULL, NULL, codes, &levels), SOOTH_OK);
    table.x = codes;
    table.categorical = marks;
    sooth_model *model = fitted(kind, &table, levels);
    CHECK((model != NULL) != begins(cell[CATEGORY], "refused"));
    if (model) {
        const float missing = predicted(model, 2, (float)NAN);
        const float unknown = predicted(model, 2, sooth_levels_code(levels, 1, "9", 1));
        CHECK(isfinite(missing));
        /* a level that was never seen has the prior */
        CHECK(!begins(cell[CATEGORY], "replaced") || !(missing > unknown || missing < unknown));
    }
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

static void every_kind_does_what_the_page_says(void) {
    const sooth_model_kind *kind;
    size_t kinds = 0;
    for (; (kind = sooth_model_kind_at(kinds)) != NULL; ++kinds) {
        char cell[CELLS][200] = {{0}};
        if (row_of(kind->name, cell) != 1) {
            printf("  %s is not in one row of which.md\n", kind->name);
            CHECK(0);
            continue;
        }
        numbers(kind->name, cell);
        categories(kind->name, cell);
    }
    CHECK(kinds >= 10);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(every_kind_does_what_the_page_says);
    return check_end("missing");
}
