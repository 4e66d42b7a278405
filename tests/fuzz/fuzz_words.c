/* fuzz_words.c - words that people write, of any bytes: what to learn, what to search, dates. Refused with a
 * sentence, or understood within what may be.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Linked with library.c.
 */
#include "sooth/train.h"

#include "../../examples/cli/table/instant.c"

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The status of a call whose sentence was emptied before: a failure has one. */
static int works(const sooth_env *env, sooth_status status) {
    check(status == SOOTH_OK || env->sentence[0] != 0);
    return status == SOOTH_OK;
}

/* ---- "boost n_estimators=200 transform=log-target" ---- */

static void try_recipe(sooth_env *env, const char *text, size_t size) {
    const sooth_model_kind *kind;
    sooth_train_recipe recipe;
    env->sentence[0] = 0;
    if (!works(env, sooth_train_recipe_read(env, text, size, &recipe))) return;
    check(sooth_train_kind_named(env, recipe.model, &kind) == SOOTH_OK);
    check(strlen(recipe.model) > 0 && recipe.encode <= SOOTH_TRAIN_ENCODE_NATIVE);
    check(sooth_option_check(env, sooth_model_kind_options(kind), &recipe.options) == SOOTH_OK);
    check(sooth_option_check(env, sooth_calibrate_options_list(), &recipe.calibrate) == SOOTH_OK);
}

/* ---- "boost max_depth=2:20 loss=squared,absolute": a model, then the space ---- */

/* The search ends before its first fit, which could take long. */
static int cancel(void *user, const char *stage, double done) {
    (void)user, (void)stage, (void)done;
    return 1;
}

static void try_space(sooth_env *env, const char *text) {
    static const float x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, 4};
    const sooth_table table = sooth_table_of(x, y, 4, 1);
    const size_t length = strcspn(text, " ");
    char name[32];
    sooth_train_recipe recipe, tuned;
    sooth_tune_options options;
    if (length >= sizeof name) return;
    memcpy(name, text, length);
    name[length] = 0;
    if (sooth_train_recipe_init(env, &recipe, name) != SOOTH_OK) return;
    for (uint32_t method = SOOTH_TUNE_RANDOM; method <= SOOTH_TUNE_GRID; ++method) {
        memset(&options, 0, sizeof options);
        options.space = text + length;
        options.method = method;
        env->sentence[0] = 0;
        env->progress_fn = cancel;
        check(!works(env, sooth_train_tune(env, &table, &recipe, &options, &tuned, NULL)));
        env->progress_fn = NULL;
    }
}

/* ---- dates ---- */

/* The day by counting years and months. */
static int32_t counted_day(int year, int month, int day) {
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int32_t n = day;
    for (int y = 1; y < year; ++y) n += y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) ? 366 : 365;
    for (int m = 1; m < month; ++m)
        n += length[m - 1] + (m == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    return n;
}

static void try_instant(const char *text, size_t size, instant_form form) {
    static const double least[] = {1, 1, 1, 1, 0, 0, 0, -62135683200.0, -1, -1, -1, -1, -1, -1};
    static const double most[] = {9999, 12, 31, 366, 6, 23, 59, 253402387200.0, 1, 1, 1, 1, 1, 1};
    char why[INSTANT_SENTENCE] = "", again_why[INSTANT_SENTENCE], iso[64];
    instant at, again;
    if (!instant_read(text, size, form, &at, why)) {
        check(why[0] != 0);
        return;
    }
    const civil c = civil_of_day(at.day);
    check(at.second >= 0.0 && at.second < 86400.0 && at.zone > -1440 && at.zone < 1440);
    check(counted_day(c.year, c.month, c.day) == at.day);
    check(c.yearday == at.day - counted_day(c.year, 1, 1) + 1);
    for (size_t k = 0; instant_part_at(k); ++k) {
        const double value = instant_value(&at, k);
        check(value >= least[k] && value <= most[k]);
    }
    const int second = (int)at.second;
    snprintf(iso, sizeof iso, "%04d-%02d-%02dT%02d:%02d:%02d", c.year, c.month, c.day, second / 3600,
             second / 60 % 60, second % 60);
    check(instant_read(iso, strlen(iso), 0, &again, again_why));
    check(again.day == at.day && (int)again.second == second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = (char *)malloc(size + 1);
    sooth_env env;
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = 0;
    sooth_env_init(&env);
    try_recipe(&env, text, size);
    try_space(&env, text);
    for (int form = 0; form < INSTANT_FORMS; ++form)
        try_instant((const char *)data, size, (instant_form)form); /* not ended by a zero */
    free(text);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
