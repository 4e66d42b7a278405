/* export.c - sooth export: writes a model as C that needs nothing, or as a model file of XGBoost.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

static const flag flags[] = {
    {"to", 0, "FORM", "c (arrays and loops), c-if (trees as if and return) or xgboost (its JSON)", 0},
    {"output", 'o', "FILE", "where to write it (default: the standard output)", 0},
    FORCE_FLAG,
    {"name", 'n', "NAME", "of C: what its names begin with (default model)", 0},
    {"bits", 0, "8|16", "of C: weights of a network as integers, and how far that may move an answer", 0},
    {"no-selftest", 0, NULL, "of C: leave out NAME_selftest and its rows", 0},
    {"approximate", 0, NULL, "of xgboost: a mean of trees may be a sum, which changes the last digits", 0},
    LAST_FLAG};

static const char *const forms[] = {"c", "c-if", "xgboost"};
enum { C_TABLE, C_BRANCHES, XGBOOST, FORMS };

static int form_named(const char *name) {
    if (!name) die(BAD_USE, "--to FORM is missing: c, c-if or xgboost");
    for (int k = 0; k < FORMS; ++k)
        if (strcmp(name, forms[k]) == 0) return k;
    die(BAD_USE, "--to is %s, but must be c, c-if or xgboost%s", *name ? name : "empty",
        did_you_mean(name, forms, FORMS));
}

static void refuse(const arguments *args, const char *option, const char *form) {
    if (arguments_has(args, option)) die(BAD_USE, "--%s has no meaning for --to %s", option, form);
}

/* The model with integers for weights; says what they cost. */
static sooth_model *quantised(sooth_env *env, sooth_model *model, const char *bits) {
    float *error;
    sooth_model_parts parts;
    sooth_model *small;
    if (strcmp(bits, "8") != 0 && strcmp(bits, "16") != 0)
        die(BAD_USE, "--bits is %s, but must be 8 or 16", *bits ? bits : "empty");
    error = (float *)malloc(model->targets * sizeof *error);
    if (!error) die(BAD_INPUT, "there is no memory for %u targets", model->targets);
    sooth_status status = sooth_export_quantise(env, model, bits[0] == '8' ? 8 : 16, error, &small);
    if (status != SOOTH_OK) die_of(status, env);
    sooth_model_open(small, &parts);
    for (uint32_t t = 0; t < small->targets; ++t) {
        const uint32_t how = parts.target ? sooth_scale_columns(parts.target)[t].transform : 0;
        const int share = how >= SOOTH_SCALE_LOG1P_STANDARD;
        fprintf(stderr, "within the training ranges %s is off by at most %.3g%s\n",
                sooth_card_text(parts.card, SOOTH_CARD_TARGET, t), (double)error[t] * (share ? 100 : 1),
                share ? " %" : "");
    }
    free(error);
    return small;
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output");
    const int form = form_named(arguments_text(args, "to"));
    sooth_env *env = env_open(args);
    sooth_status status;
    refuse(args, form == XGBOOST ? "name" : "approximate", forms[form]);
    if (form == XGBOOST) refuse(args, "no-selftest", forms[form]);
    if (form == XGBOOST) refuse(args, "bits", forms[form]);
    sooth_model *model = model_open(env, args->word[0]);
    if (arguments_has(args, "bits")) model = quantised(env, model, arguments_text(args, "bits"));
    sooth_sink sink = file_sink(output_open(path ? path : "-", arguments_has(args, "force"), args->word, 1));
    if (form == XGBOOST) {
        sooth_export_xgboost_options options;
        memset(&options, 0, sizeof options);
        options.approximate = (uint32_t)arguments_has(args, "approximate");
        status = sooth_export_xgboost(env, model, &options, &sink);
    } else {
        sooth_export_c_options options;
        memset(&options, 0, sizeof options);
        options.name = arguments_text(args, "name");
        options.form = form == C_TABLE ? SOOTH_EXPORT_TABLE : SOOTH_EXPORT_BRANCHES;
        options.no_selftest = (uint32_t)arguments_has(args, "no-selftest");
        status = sooth_export_c(env, model, &options, &sink);
    }
    if (status != SOOTH_OK && !sink.failed) die_of(status, env);
    output_close(); /* which says why a sink took no more */
    return DONE;
}

const command export_command = {
    .name = "export",
    .summary = "write a model as C that needs no library, or as a model of XGBoost",
    .usage = "MODEL --to c|c-if|xgboost [-o FILE] [options]",
    .least = 1,
    .most = 1,
    .text = "Every kind of model becomes C. The file needs no library and no memory: float "
            "NAME_predict(const float *row), which answers with the very bits of `sooth predict`, "
            "transforms included, and int NAME_selftest(void), which is 0 when the compiled code does. Of a "
            "model fitted with --interval it has NAME_interval too, and, with --group, NAME_begin, "
            "NAME_observe and NAME_adapted, which answer as `sooth adapt` does, launch by launch. "
            "Names, units and training ranges stand in its first comment. Of trees c is the smaller form, "
            "and c-if needs no table in memory; all others have one form. --bits 8 or 16 makes the weights "
            "of a network integers. Models with different names live in one program. XGBoost loads the JSON "
            "of trees, forests (--approximate) and boosting without transforms, and answers with the same "
            "bits. MODEL may be - for the standard input. Nothing is replaced without --force.",
    .example = "sooth export power.sooth --to c --name watts -o watts.c",
    .flags = flags,
    .run = run};
