/* recipe.c - converts the command line to a recipe: model, options, transforms.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/conformal.h"
#include "sooth/preprocess.h"
#include "sooth/svr.h"
#include "sooth/train.h"

#include <math.h>

const sooth_model_kind *model_named(const char *name) {
    const char *known[64];
    const sooth_model_kind *kind;
    const sooth_train_preset *preset;
    sooth_env env;
    size_t n = 0;
    sooth_env_init(&env);
    if (sooth_train_kind_named(&env, name, &kind) == SOOTH_OK) return kind;
    while (n < 64 && (kind = sooth_model_kind_at(n)) != NULL) known[n++] = kind->name;
    for (size_t i = 0; n < 64 && (preset = sooth_train_preset_at(i)) != NULL; ++i) known[n++] = preset->name;
    die(BAD_USE, "%s%s", env.sentence, did_you_mean(name, known, n));
}

/* Splits "tree.max_depth=10" into its three parts; model is "" if it is not named. */
static void cut_set(const char *set, char model[64], char option[64], const char **value) {
    const char *equals = strchr(set, '='), *dot = strchr(set, '.');
    if (!equals || equals == set) die(BAD_USE, "--set is \"%s\", but must be OPTION=VALUE", set);
    if (!dot || dot > equals) dot = NULL;
    snprintf(model, 64, "%.*s", dot ? (int)(dot - set) : 0, set);
    if (dot) set = dot + 1;
    snprintf(option, 64, "%.*s", (int)(equals - set), set);
    *value = equals + 1;
}

static const sooth_option *find_option(const sooth_model_kind *kind, const char *name) {
    const sooth_option_list list = sooth_model_kind_options(kind);
    for (size_t i = 0; i < list.count; ++i)
        if (strcmp(list.option[i].name, name) == 0) return &list.option[i];
    return NULL;
}

int recipe_is_set_of(const sooth_model_kind *kind, const char *set) {
    char model[64], option[64];
    const char *value;
    cut_set(set, model, option, &value);
    return (!*model || strcmp(model, kind->name) == 0) && find_option(kind, option) != NULL;
}

void calibration_read(const arguments *args, const data *d, uint32_t seed, sooth_calibrate_options *options) {
    static const char *const known[] = {"sigmoid", "isotonic"};
    const char *method = arguments_text(args, "calibrate");
    memset(options, 0, sizeof *options);
    options->seed = seed;
    if (arguments_has(args, "upper")) options->tails = SOOTH_CONFORMAL_UPPER;
    if (d->bags.offset) options->groups = &d->bags;
    if (!method) return;
    options->folds = 5; /* as CalibratedClassifierCV */
    if (strcmp(method, known[0]) == 0) options->probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID;
    else if (strcmp(method, known[1]) == 0) options->probability = SOOTH_CALIBRATE_PROBABILITY_ISOTONIC;
    else
        die(BAD_USE, "--calibrate is %s, but must be sigmoid or isotonic%s", *method ? method : "empty",
            did_you_mean(method, known, 2));
    if (d->table.targets != 1)
        die(BAD_USE, "--calibrate is for one target, but there are %zu", d->table.targets);
    for (size_t i = 0; i < d->table.rows; ++i)
        if ((d->table.y[i] < 0.0f || d->table.y[i] > 0.0f) && (d->table.y[i] < 1.0f || d->table.y[i] > 1.0f))
            die(BAD_INPUT, "%s: --calibrate needs a target of only 0 and 1, but %s is also %s", d->path,
                printable(d->target[0]), shortest(d->table.y[i]));
}

void recipe_check_sets(const arguments *args, char *const *models, size_t count) {
    size_t k, n, known_count;
    for (size_t i = 0; i < args->givens; ++i) {
        char model[64], option[64];
        const char *value, *known[256];
        if (strcmp(args->given[i]->name, "set") != 0) continue;
        cut_set(args->value[i], model, option, &value);
        for (k = n = known_count = 0; k < count; ++k) {
            const sooth_model_kind *kind = model_named(models[k]);
            const sooth_option_list list = sooth_model_kind_options(kind);
            if (*model && strcmp(models[k], model) != 0) continue;
            ++n;
            if (find_option(kind, option)) break;
            for (size_t o = 0; o < list.count && known_count < 256; ++o)
                known[known_count++] = list.option[o].name;
        }
        if (n == 0)
            die(BAD_USE, "--set %s: %s is not one of the models%s", args->value[i], model,
                did_you_mean(model, (const char *const *)models, count));
        if (k < count) continue;
        die(BAD_USE, "unknown option %s%s; `sooth help %s` lists the options", option,
            did_you_mean(option, known, known_count), *model ? model : models[0]);
    }
}

/* The roles that a change of the zero of a column leaves as they are, given --set OPTION=VALUE. */
static int centre_of_set(const char *option, const char *value) {
    static const char *const plain[] = {"squared", "absolute", "huber",    "quantile",
                                        "pinball", "friedman", "at_random"};
    if (strcmp(option, "error") == 0) /* of best */
        return strcmp(value, "mre") == 0 ? CENTRE_FEATURES : CENTRE_FEATURES | CENTRE_TARGETS;
    if (strcmp(option, "no_intercept") == 0 || strcmp(option, "zero_mean") == 0) return CENTRE_NONE;
    if (strcmp(option, "loss") != 0 && strcmp(option, "criterion") != 0 && strcmp(option, "output") != 0)
        return CENTRE_FEATURES | CENTRE_TARGETS;
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k)
        if (strcmp(value, plain[k]) == 0) return CENTRE_FEATURES | CENTRE_TARGETS;
    return CENTRE_FEATURES;
}

int recipe_centre(const arguments *args, char *const *models, size_t count) {
    const sooth_train_preset *preset;
    size_t n;
    int centre = CENTRE_FEATURES | CENTRE_TARGETS;
    const char *by = arguments_text(args, "by");
    if (arguments_has(args, "ratio-to") || arguments_has(args, "teacher"))
        return CENTRE_NONE; /* a sum of the numbers themselves; a teacher of any kind */
    char **transform = arguments_list(args, "transform", &n);
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(transform[i], "log") == 0) centre &= CENTRE_TARGETS;
        if (strcmp(transform[i], "log-target") == 0) centre &= CENTRE_FEATURES;
    }
    if (arguments_has(args, "calibrate") || arguments_has(args, "metric") || arguments_has(args, "page"))
        centre &= CENTRE_FEATURES;
    for (size_t k = 0; k < count; ++k) {
        if (*model_named(models[k])->columns) return CENTRE_NONE; /* a law of numbers above 0 */
        if (model_named(models[k])->kind == SOOTH_KIND_BEST && by && strcmp(by, "mre") == 0)
            centre &= CENTRE_FEATURES; /* relative errors */
        for (size_t i = 0; (preset = sooth_train_preset_at(i)) != NULL; ++i)
            if (strcmp(preset->name, models[k]) == 0 &&
                (strstr(preset->options, "loss=") || strstr(preset->options, "output=")))
                centre &= CENTRE_FEATURES;
    }
    for (size_t i = 0; i < args->givens; ++i) {
        char model[64], option[64];
        const char *value;
        if (strcmp(args->given[i]->name, "set") != 0) continue;
        cut_set(args->value[i], model, option, &value);
        centre &= centre_of_set(option, value);
    }
    return centre;
}

void recipe_keep_far(data *d) {
    const size_t targets = d->table.targets;
    int is_any = 0;
    for (size_t t = 0; t < targets; ++t) {
        const double zero = target_zero(d, t);
        float *y = (float *)(uintptr_t)d->table.y + t, least = y[0], most = y[0];
        for (size_t i = 1; i < d->table.rows; ++i) {
            if (y[i * targets] < least) least = y[i * targets];
            if (y[i * targets] > most) most = y[i * targets];
        }
        if (4.0 * ((double)most - (double)least) <= fabs(zero)) continue; /* no logarithm is of use */
        const digits_column *c = digits_of(&d->digits, d->chosen.targets[t]);
        for (size_t i = 0; c && i < d->table.rows && (zero < 0.0 || zero > 0.0); ++i)
            y[i * targets] = (float)(zero + d->digits.value[d->row[i] * d->digits.stride + c->at]);
        if (d->zero) d->zero[d->table.cols + t] = 0.0;
    }
    for (size_t j = 0; d->zero && j < d->table.cols + targets; ++j)
        is_any |= d->zero[j] < 0.0 || d->zero[j] > 0.0;
    if (is_any) return;
    free(d->zero);
    d->zero = NULL;
}

/* Sets the option of a flag; `known` holds the names for a suggestion. */
static void set_flag(sooth_env *env, sooth_train_recipe *recipe, const char *name, const char *value,
                     const char *const *known, size_t count) {
    size_t items;
    if (sooth_train_recipe_set(env, recipe, name, value) == SOOTH_OK) return;
    char **item = split_list(value, &items);
    const char *hint = "";
    for (size_t i = 0, k; i < items && !*hint; ++i) {
        for (k = 0; k < count && strcmp(item[i], known[k]) != 0; ++k) continue;
        if (k == count) hint = did_you_mean(item[i], known, count);
    }
    die(BAD_USE, "--%s: %s%s", name, env->sentence, hint);
}

/* Reads a list of transforms such as log,standard,log-target. */
static void read_transforms(sooth_env *env, const arguments *args, const data *d,
                            sooth_train_recipe *recipe) {
    static const char *const known[] = {"standard", "minmax", "robust", "none", "log", "clip", "log-target"};
    size_t count, size = 1;
    char **list = arguments_list(args, "transform", &count);
    for (size_t i = 0; i < count; ++i) size += strlen(list[i]) + 1;
    char *joined = (char *)allocate(size, 1);
    for (size_t i = 0; i < count; ++i) strcat(strcat(joined, i ? "," : ""), list[i]);
    if (count) set_flag(env, recipe, "transform", joined, known, sizeof known / sizeof *known);
    free(joined);
    if (!recipe->has_target) return;
    for (size_t k = 0; k < d->table.rows * d->table.targets; ++k)
        if (!(d->table.y[k] > 0.0f))
            die(BAD_INPUT, "%s: line %u: %s is %s, which has no logarithm (log-target)", d->path,
                (unsigned)d->line[k / d->table.targets], d->target[k % d->table.targets],
                shortest(d->table.y[k]));
}

/* Reads --ratio-to, and tests it on the rows. */
static void read_ratio(sooth_env *env, const arguments *args, const data *d, sooth_train_recipe *recipe) {
    const char *sum = arguments_text(args, "ratio-to");
    sooth_ratio *ratio;
    if (!sum) return;
    if (strlen(sum) >= sizeof recipe->ratio_to)
        die(BAD_USE, "--ratio-to has %zu characters, but at most %zu", strlen(sum),
            sizeof recipe->ratio_to - 1);
    strcpy(recipe->ratio_to, sum);
    const sooth_status status = sooth_ratio_fit(env, &d->table, sum, &ratio);
    if (status != SOOTH_OK) die(status == SOOTH_BAD_DATA ? BAD_INPUT : BAD_USE, "%s", env->sentence);
    sooth_ratio_free(env, ratio);
}

static void read_teacher(sooth_env *env, const arguments *args, const data *d, sooth_train_recipe *recipe) {
    const char *text = arguments_has(args, "teacher") ? arguments_text(args, "teacher") : NULL;
    sooth_train_recipe teacher;
    if (!text) return;
    if (d->table.targets != 1)
        die(BAD_USE, "--teacher is for one target, but there are %zu", d->table.targets);
    if (sooth_train_recipe_read(env, text, strlen(text), &teacher) == SOOTH_OK &&
        sooth_train_recipe_set(env, recipe, "teacher", text) == SOOTH_OK)
        return;
    const size_t column = sooth_csv_find(&d->csv, text), target = d->chosen.targets[0];
    if (column == SOOTH_NONE) die(BAD_USE, "--teacher: %s", env->sentence);
    if (column == target) die(BAD_USE, "--teacher is %s, the target, but must be a model", printable(text));
    die(BAD_USE,
        "--teacher is %s, a column, but must be a model, such as best, that folds can fit without the rows "
        "that they test. To approximate the column, leave out --teacher and give --target %s --drop %s%s; "
        "the scores of the fit are then distances from %s. For errors of %s, give sooth predict rows that "
        "the other model has not seen, with %s under the name %s",
        printable(text), printable(text), printable(d->target[0]),
        sooth_csv_find(&d->csv, "outside") != SOOTH_NONE ? ",outside" : "", printable(text),
        printable(d->target[0]), printable(d->target[0]), printable(text));
}

/* Returns true if --tune searches this value of --set: a list, or a range. */
static int is_searched(const arguments *args, const char *value) {
    return arguments_has(args, "tune") && strpbrk(value, ",:");
}

const char *recipe_space(const arguments *args, const char *model) {
    const sooth_model_kind *kind = model_named(model);
    const sooth_option_list list = sooth_model_kind_options(kind);
    const char *value, *from = sooth_tune_space(model);
    size_t size = strlen(from) + 1, n = 0;
    for (size_t i = 0; i < args->givens; ++i) size += args->value[i] ? strlen(args->value[i]) + 1 : 0;
    char *space = (char *)allocate(size, 1), *fixed = (char *)allocate(list.count, 1);
    for (size_t i = 0; i < args->givens; ++i) {
        char of[64], option[64];
        if (strcmp(args->given[i]->name, "set") != 0) continue;
        cut_set(args->value[i], of, option, &value);
        const sooth_option *o = find_option(kind, option);
        if (!o) continue;
        if (is_searched(args, value))
            n += (size_t)snprintf(space + n, size - n, "%s%s=%s", n ? " " : "", option, value);
        else fixed[o - list.option] = 1;
    }
    for (size_t length; !n && *from; from += length + (from[length] == ' ')) {
        const size_t name = strcspn(from, "=");
        char option[64];
        length = strcspn(from, " ");
        snprintf(option, sizeof option, "%.*s", (int)name, from);
        const sooth_option *o = find_option(kind, option);
        if (o && !fixed[o - list.option]) strncat(strcat(space, *space ? " " : ""), from, length);
    }
    free(fixed);
    return space;
}

/* Hashes the training rows, so that `sooth predict` recognises a table that the model was fitted to. */
static const sooth_model_seen_rows *rows_of(const data *d) {
    sooth_model_seen_rows *seen = (sooth_model_seen_rows *)allocate(1, sizeof *seen);
    sooth_model_seen_add(seen, &d->table);
    return seen;
}

void recipe_read(sooth_env *env, const arguments *args, const char *model, const data *d,
                 sooth_train_recipe *recipe) {
    static const char *const encodings[] = {"auto", "target", "ordinal", "native", "target-in-time"};
    const char *value, *encode = arguments_text(args, "encode");
    const sooth_model_kind *kind = model_named(model);
    if (sooth_train_recipe_init(env, recipe, model) != SOOTH_OK) die(BAD_USE, "%s", env->sentence);
    for (size_t i = 0; i < args->givens; ++i) {
        char of[64], option[64];
        if (strcmp(args->given[i]->name, "set") != 0) continue;
        cut_set(args->value[i], of, option, &value);
        if ((*of && strcmp(of, model) != 0) || !find_option(kind, option)) continue; /* of another model */
        if (is_searched(args, value)) continue;
        if (sooth_train_recipe_set(env, recipe, option, value) != SOOTH_OK) die(BAD_USE, "%s", env->sentence);
    }
    value = arguments_has(args, "quantiles") ? arguments_text(args, "quantiles") : NULL;
    if (value && sooth_train_recipe_set(env, recipe, "quantiles", value) != SOOTH_OK)
        die(BAD_USE, "--quantiles: %s", env->sentence);
    if (!d->takes_quantiles && kind->kind == SOOTH_KIND_BOOST && recipe->options.boost.quantiles[0] > 0.0)
        die(BAD_USE,
            "several quantiles are fitted by sooth fit and tested by sooth validate, in memory only");
    value = arguments_text(args, "seed");
    if (value && sooth_train_recipe_set(env, recipe, "seed", value) != SOOTH_OK)
        die(BAD_USE, "%s", env->sentence);
    if (encode) set_flag(env, recipe, "encode", encode, encodings, 5);
    if (encode && !d->levels)
        die(BAD_USE, "--encode is for categories, but there are none; --categorical names columns");
    read_transforms(env, args, d, recipe);
    recipe->levels = d->levels;
    read_teacher(env, args, d, recipe);
    read_ratio(env, args, d, recipe);
    recipe->feature_units = d->chosen.units;
    recipe->target_names = d->target;
    recipe->target_units = d->target_unit;
    recipe->groups = d->groups;
    recipe->seen = arguments_has(args, "forget") ? NULL : rows_of(d);
}

void recipe_quantiles(sooth_train_recipe *recipe, data *d) {
    const double *level = recipe->options.boost.quantiles;
    const size_t rows = d->table.rows, cols = d->table.cols;
    size_t n = 0;
    if (model_named(recipe->model)->kind == SOOTH_KIND_BOOST)
        while (n < SOOTH_ENSEMBLE_MAX_QUANTILES && level[n] > 0.0) ++n;
    if (!n) return;
    if (d->table.targets != 1)
        die(BAD_USE, "--quantiles are of one target, but there are %zu", d->table.targets);
    float *y = (float *)allocate(rows * n, sizeof *y);
    const char **name = (const char **)allocate(n, sizeof *name),
               **unit = (const char **)allocate(n, sizeof *unit);
    for (size_t i = 0; i < rows * n; ++i) y[i] = d->table.y[i / n];
    d->quantile = (double *)allocate(n, sizeof *d->quantile);
    for (size_t k = 0; k < n; ++k) {
        const size_t size = strlen(d->target[0]) + 40;
        char *text = (char *)allocate(size, 1);
        snprintf(text, size, "%s_p%g", d->target[0], 100.0 * level[k]);
        name[k] = text;
        unit[k] = d->target_unit[0];
        d->quantile[k] = level[k];
    }
    if (d->zero) {
        double *zero = (double *)allocate(cols + n, sizeof *zero);
        memcpy(zero, d->zero, cols * sizeof *zero);
        for (size_t k = 0; k < n; ++k) zero[cols + k] = d->zero[cols];
        d->zero = zero;
    }
    d->table.y = y;
    d->table.targets = n;
    recipe->target_names = d->target = name;
    recipe->target_units = d->target_unit = unit;
}

/* ---- warnings ---- */

void print_warning(const char *text) {
    printf("  %swarning%s     %s\n", colour(stdout, YELLOW), colour(stdout, NO_COLOUR), text);
}

/* Warns about data that spoils the kernel of support vectors; they read the table through the transforms of
   the model. */
static void svr_warning(const sooth_model *model, const sooth_table *table, char text[SOOTH_ENV_SENTENCE]) {
    sooth_table seen = *table;
    sooth_model_parts parts;
    float *x = (float *)allocate(table->rows * table->cols, sizeof *x);
    float *y = (float *)allocate(table->rows, sizeof *y);
    sooth_model_open(model, &parts);
    sooth_model_transform(&parts, table->x, table->rows, table->stride, x);
    seen.x = x;
    seen.stride = table->cols;
    for (size_t i = 0; parts.ratio && i < table->rows; ++i)
        y[i] = table->y[i] / sooth_ratio_form(parts.ratio, table->x + i * table->stride);
    if (parts.target) {
        sooth_scale_apply_many(parts.target, parts.ratio ? y : table->y, table->rows, 1, y);
        seen.y = y;
    }
    sooth_svr_warning((const sooth_svr *)(const void *)parts.predictor, &seen, text, SOOTH_ENV_SENTENCE);
    free(x);
    free(y);
}

/* Warns about targets in a unit that does not suit a network which does not standardise them, as those of the
   papers do not. */
static void mlp_warning(const sooth_train_recipe *recipe, const sooth_table *table,
                        char text[SOOTH_ENV_SENTENCE]) {
    const sooth_mlp_options *o = &recipe->options.mlp;
    if (!o->no_target_scale || recipe->has_target || o->output == SOOTH_MLP_FROM_ONE ||
        o->output == SOOTH_MLP_ZERO_TO_ONE || o->loss == SOOTH_MLP_LOGISTIC)
        return;
    for (size_t t = 0; t < table->targets; ++t) {
        double mean = 0.0, squares = 0.0;
        for (size_t i = 0; i < table->rows; ++i)
            mean += (double)table->y[i * table->targets + t] / (double)table->rows;
        for (size_t i = 0; i < table->rows; ++i) {
            const double e = (double)table->y[i * table->targets + t] - mean;
            squares += e * e / (double)table->rows;
        }
        const double deviation = sqrt(squares);
        if (deviation > 0.0 && (deviation < 0.1 || deviation > 1000.0))
            sooth_text_format(text, SOOTH_ENV_SENTENCE,
                              "the target's standard deviation is %G, and this network learns well between "
                              "0.1 and 1000 only; use another unit, or --set no_target_scale=0",
                              deviation);
    }
}

void recipe_warning(sooth_env *env, const data *d, const sooth_model_kind *kind,
                    const sooth_train_recipe *recipe, const sooth_model *model,
                    char text[SOOTH_ENV_SENTENCE]) {
    sooth_model *own = NULL;
    text[0] = 0;
    if (kind->kind == SOOTH_KIND_MLP) mlp_warning(recipe, &d->table, text);
    if (kind->kind != SOOTH_KIND_SVR) return;
    if (!model) (void)sooth_train_fit(env, &d->table, recipe, &own);
    progress_clear();
    if (model || own) svr_warning(model ? model : own, &d->table, text);
    sooth_model_free(env, own);
}
