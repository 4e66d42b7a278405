/* describe.c - sooth describe: the content of a model file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/adapt.h"
#include "sooth/conformal.h"
#include "sooth/model.h"
#include "sooth/base.h"

static const flag flags[] = {
    {"for", 0, "CORE",
     "cost on a core of the code that `sooth export` writes: upper bounds of flash, memory, stack "
     "and steps, for every form. Cores: cortex-m0, cortex-m4, avr, rv32 or bpf",
     0},
    JSON_FLAG,
    LAST_FLAG};

/* Returns the name of a feature or, after the features, of a target. */
static const char *column_on_card(const sooth_model_card *card, size_t j) {
    const size_t features = card->head.features;
    return j < features ? sooth_model_card_text(card, SOOTH_CARD_FEATURE, j)
                        : sooth_model_card_text(card, SOOTH_CARD_TARGET, j - features);
}

void refuse_zero(const char *path, const sooth_model *model, const double *zero, size_t j) {
    sooth_model_parts parts;
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_model_open(model, &parts);
    text_from(zero[j], 0.0f, text);
    die(BAD_INPUT,
        "%s counts %s from %s, and this command cannot; subtract it in the table before `sooth fit`", path,
        parts.card ? listed(column_on_card(parts.card, j)) : "a column", text);
}

sooth_model *model_open(sooth_env *env, const char *path, const double **zero) {
    size_t size, j = 0;
    char *bytes = read_file(path, "SOTH", &size);
    sooth_origin *origin;
    sooth_model *model;
    if (zero) *zero = NULL;
    if (sooth_model_load(env, bytes, size, &model) == SOOTH_OK) return model;
    if (sooth_origin_load(env, bytes, size, &origin) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", path, env->sentence);
    const double *values = sooth_origin_values(origin);
    const size_t features = origin->head.features, columns = features + origin->head.targets;
    while (j < columns && !is_centred(values, j)) ++j;
    model = (sooth_model *)(uintptr_t)sooth_origin_model(origin);
    if (zero) *zero = j < columns ? values : NULL;
    if (zero || j == columns) return model;
    refuse_zero(path, model, values, j);
}

void model_write(sooth_env *env, const sooth_model *model, const double *zero, FILE *file) {
    sooth_origin *origin = NULL;
    if (zero && sooth_origin_make(env, model, zero, &origin) != SOOTH_OK) die(BAD_INPUT, "%s", env->sentence);
    if (origin) model = sooth_model_from_block(&origin->head);
    void *bytes = allocate(model->head.size, 1);
    sooth_model_save(model, bytes);
    fwrite(bytes, 1, model->head.size, file);
    free(bytes);
    sooth_origin_free(env, origin);
}

void print_zeros(const sooth_model *model, const double *zero, FILE *to) {
    sooth_model_parts parts;
    char text[SOOTH_TEXT_NUMBER_SIZE];
    sooth_model_open(model, &parts);
    for (size_t j = 0; zero && j < (size_t)model->head.features + model->head.targets; ++j) {
        if (!is_centred(zero, j)) continue;
        text_from(zero[j], 0.0f, text);
        fprintf(to, "  counts from %s: %s\n", text,
                parts.card ? printable(column_on_card(parts.card, j)) : "");
    }
}

void print_cost(const char *path, const sooth_model *model) {
    sooth_cost cost = sooth_model_cost(model);
    printf("\n%s: %zu bytes; one prediction takes at most", strcmp(path, "-") == 0 ? "the model" : path,
           cost.bytes);
    if (cost.comparisons) printf(" %s", counted(cost.comparisons, "comparison", "comparisons"));
    if (cost.multiply_adds)
        printf("%s %s", cost.comparisons ? "," : "",
               counted(cost.multiply_adds, "multiply-add", "multiply-adds"));
    if (cost.functions)
        printf("%s %s", cost.comparisons || cost.multiply_adds ? "," : "",
               counted(cost.functions, "logarithm or exponential", "logarithms or exponentials"));
    printf("\n");
}

void print_derived(const sooth_model *model, FILE *to) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    for (size_t j = 0; parts.card && j < model->head.features; ++j)
        derive_explain(sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j), to);
}

int interval_upper(const sooth_conformal *c) {
    return c->claim.promise != SOOTH_CONFORMAL_NONE && c->below > FLT_MAX;
}

const char *probability_text(const sooth_model *model) {
    static char text[120];
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.probability) return "";
    if (parts.probability->method == SOOTH_PROBABILITY_ISOTONIC)
        snprintf(text, sizeof text, "the probability of a 1, by %s of isotonic steps",
                 counted(parts.probability->points, "point", "points"));
    else snprintf(text, sizeof text, "the probability of a 1, by a sigmoid");
    return text;
}

void interval_text(const sooth_conformal *c, char *text, size_t size) {
    const sooth_conformal_claim *claim = &c->claim;
    const char *rows = counted(claim->rows, "row", "rows");
    char offsets[120], share[24];
    snprintf(share, sizeof share, "%.4g", 100.0 * (double)claim->level);
    if (claim->promise == SOOTH_CONFORMAL_NONE) {
        snprintf(text, size, "unbounded: too few data (%s) for an interval of %s %%",
                 claim->groups ? counted(claim->groups, "program", "programs") : rows, share);
        return;
    }
    if (interval_upper(c))
        snprintf(offsets, sizeof offsets, "up to the prediction %s %s",
                 c->scale == SOOTH_CONFORMAL_LOG ? "x" : "+",
                 human((double)(c->scale == SOOTH_CONFORMAL_LOG ? sooth_exp(c->above) : c->above), 3));
    else if (c->scale == SOOTH_CONFORMAL_LOG)
        snprintf(offsets, sizeof offsets, "the prediction / %s to x %s",
                 human((double)sooth_exp(c->below), 3), human((double)sooth_exp(c->above), 3));
    else
        snprintf(offsets, sizeof offsets, "the prediction - %s to + %s", human((double)c->below, 3),
                 human((double)c->above, 3));
    if (c->method == SOOTH_CONFORMAL_FORWARD && !claim->groups)
        snprintf(text, size,
                 "%s %% of later rows (calibrated on the last %s, each predicted from earlier ones): %s",
                 share, rows, offsets);
    else if (claim->groups)
        snprintf(text, size, "%s %% of the rows of an unseen program (calibrated on %s, %s): %s", share,
                 counted(claim->groups, "program", "programs"), rows, offsets);
    else
        snprintf(text, size,
                 "%s %% of more rows like these (calibrated on %s), not of a new group of rows: %s", share,
                 rows, offsets);
}

void json_intervals(json *j, const sooth_model *model) {
    static const char *const promise[] = {"nothing", "rows", "groups", "whole groups"};
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (parts.interval) {
        json_open(j, "intervals", '[');
        for (uint32_t t = 0; t < model->head.targets; ++t) {
            const sooth_conformal *c = sooth_model_conformal(model, t);
            json_open(j, NULL, '{');
            json_number(j, "level", (double)c->claim.level);
            json_text(j, "promise_of",
                      c->method == SOOTH_CONFORMAL_FORWARD && c->claim.promise
                          ? "later rows"
                          : promise[c->claim.promise & 3]);
            json_count(j, "rows", c->claim.rows);
            json_count(j, "groups", c->claim.groups);
            json_text(j, "scale", c->scale == SOOTH_CONFORMAL_LOG ? "log" : "plain");
            json_number(j, "below", (double)c->below);
            json_number(j, "above", (double)c->above);
            json_close(j, '}');
        }
        json_close(j, ']');
        json_count(j, "adapts", parts.adapt != NULL);
    }
}

/* A text in memory. */
typedef struct held {
    char *text;
    size_t size;
} held;

static int hold(void *user, const char *text, size_t size) {
    held *h = (held *)user;
    char *more = (char *)allocate(h->size + size + 1, 1);
    if (h->size) memcpy(more, h->text, h->size);
    memcpy(more + h->size, text, size);
    free(h->text);
    h->text = more;
    h->size += size;
    return 0;
}

/* Writes the JSON object of a model with one more member, "counts_from". */
static void json_zeros(const held *text, const sooth_model *model, const double *zero) {
    const size_t columns = (size_t)model->head.features + model->head.targets;
    char *end = strrchr(text->text, '}'), number[SOOTH_TEXT_NUMBER_SIZE];
    while (end > text->text && (*end == '}' || *end == '\n')) *end-- = 0;
    printf("%s,\n  \"counts_from\": [", text->text);
    for (size_t j = 0; j < columns; ++j) {
        sooth_text_from_double(number, zero[j]);
        printf("%s%s", j ? ", " : "", number);
    }
    printf("]\n}\n");
}

static int run(const arguments *args) {
    sooth_env *env = env_open(args);
    const double *zero = NULL;
    const int with_core = arguments_has(args, "for");
    sooth_model *model = model_open(env, args->word[0], with_core ? NULL : &zero);
    if (with_core) return describe_for(env, args, model);
    sooth_sink sink = sooth_file_sink(stdout);
    held text = {NULL, 0};
    sooth_sink kept = {.write_fn = hold, .user = &text};
    const int as_json = arguments_has(args, "json");
    sooth_status status = as_json ? sooth_model_describe_json(env, model, zero ? &kept : &sink)
                                  : sooth_model_describe(env, model, &sink);
    if (status != SOOTH_OK) die_of(status, env);
    if (as_json && zero) json_zeros(&text, model, zero);
    if (!as_json) print_derived(model, stdout);
    if (!as_json) print_zeros(model, zero, stdout);
    return finish();
}

const command describe_command = {
    .name = "describe",
    .summary = "show what a model file holds: training data, scores, cost",
    .usage = "FILE [--for CORE] [--json]",
    .least = 1,
    .most = 1,
    .text = "Checks the file and prints its contents: kind, options, training rows, scores and the "
            "worst-case work of one prediction. For every column it prints name, unit, training "
            "range and importance.\n\n"
            "--for reports the cost of the model on a microcontroller or in the Linux kernel before it is "
            "compiled. It uses a table measured in emulators. It also prints the range of the predictions, "
            "and the headers that a program needs that only predicts.",
    .example = "sooth describe power.sooth",
    .flags = flags,
    .run = run};
