/* export.c - sooth export: writes a model as source code without dependencies, or as another model file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/export.h"
#include "sooth/import.h"
#include "sooth/preprocess.h"

static const flag flags[] = {
    {"to", 0, "FORM",
     "form: c (arrays and loops), c-if (trees as if and return), bpf, rust, go, bpf-map (bytes of "
     "integers), xgboost (its JSON), libsvm (its model file) or onnx",
     0},
    {"output", 'o', "FILE", "output file; default standard output", 0},
    FORCE_FLAG,
    {"header", 0, "FILE.h", "C: write the declarations to a file of their own, which the output includes", 0},
    {"name", 'n', "NAME", "C: prefix of its names; default model", 0},
    {"bits", 0, "8|16",
     "C: store the weights of a network as integers; reports how far that can change a prediction", 0},
    {"integers", 0, "8|16|32",
     "C, bpf, rust, go: compute trees in integers; reports how far that can change a prediction", 0},
    {"error", 0, "E", "like --integers, with the fewest bits that keep predictions within E", 0},
    {"keys", 0, "RULE",
     "--integers: type of the features: whole (default) for integers, or float for the "
     "bits of floats",
     0},
    {"sum", 0, "HOW",
     "C: exact (default) for the bits of the model, or plain for sums in float; reports how far "
     "plain can change a prediction",
     0},
    {"no-selftest", 0, NULL, "C: leave out NAME_selftest and its rows", 0},
    {"approximate", 0, NULL, "xgboost: store a mean of trees as a sum, which changes the last digits", 0},
    LAST_FLAG};

static const char *const forms[] = {"c", "c-if", "bpf", "rust", "go", "bpf-map", "xgboost", "libsvm", "onnx"};
enum { C_TABLE, C_BRANCHES, BPF, RUST, GO, BPF_MAP, XGBOOST, LIBSVM, ONNX, FORMS };
#define FORMS_TEXT "c, c-if, bpf, rust, go, bpf-map, xgboost, libsvm or onnx"

static int form_named(const char *name) {
    if (!name) die(BAD_USE, "--to FORM is missing: " FORMS_TEXT);
    for (int k = 0; k < FORMS; ++k)
        if (strcmp(name, forms[k]) == 0) return k;
    die(BAD_USE, "--to is %s, but must be " FORMS_TEXT "%s", *name ? name : "empty",
        did_you_mean(name, forms, FORMS));
}

static void refuse(const arguments *args, const char *option, const char *form) {
    if (arguments_has(args, option)) die(BAD_USE, "--%s does not apply to --to %s", option, form);
}

/* Returns the model with integer weights; reports their error. */
static sooth_model *quantised(sooth_env *env, sooth_model *model, const char *bits) {
    float *error;
    sooth_model_parts parts;
    sooth_model *small;
    if (strcmp(bits, "8") != 0 && strcmp(bits, "16") != 0)
        die(BAD_USE, "--bits is %s, but must be 8 or 16", *bits ? bits : "empty");
    error = (float *)malloc(model->head.targets * sizeof *error);
    if (!error) die(BAD_INPUT, "no memory for %u targets", model->head.targets);
    sooth_status status = sooth_export_quantise(env, model, bits[0] == '8' ? 8 : 16, error, &small);
    if (status != SOOTH_OK) die_of(status, env);
    sooth_model_open(small, &parts);
    for (uint32_t t = 0; t < small->head.targets; ++t) {
        const uint32_t how = parts.target ? sooth_scale_columns(parts.target)[t].transform : 0;
        const int share = how >= SOOTH_SCALE_LOG1P_STANDARD;
        fprintf(stderr, "within the training ranges %s is off by at most %.3g%s\n",
                sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, t), (double)error[t] * (share ? 100 : 1),
                share ? " %" : "");
    }
    free(error);
    return small;
}

/* Reads the options of integer forms. */
static sooth_integers_options integers_asked(const arguments *args) {
    static const char *const rules[] = {"whole", "float"};
    const char *bits = arguments_text(args, "integers"), *keys = arguments_text(args, "keys");
    sooth_integers_options options;
    memset(&options, 0, sizeof options);
    if (bits) {
        if (strcmp(bits, "8") != 0 && strcmp(bits, "16") != 0 && strcmp(bits, "32") != 0)
            die(BAD_USE, "--integers is %s, but must be 8, 16 or 32", *bits ? bits : "empty");
        options.bits = (uint32_t)atoi(bits);
    }
    if (keys) {
        if (strcmp(keys, rules[0]) != 0 && strcmp(keys, rules[1]) != 0)
            die(BAD_USE, "--keys is %s, but must be whole or float%s", *keys ? keys : "empty",
                did_you_mean(keys, rules, 2));
        options.rule = strcmp(keys, rules[1]) == 0 ? SOOTH_INTEGERS_KEYS_FLOAT : SOOTH_INTEGERS_KEYS_WHOLE;
    }
    options.error = double_read(args, "error", 0, 1e-30, 1e30);
    return options;
}

/* Returns the model in integers; reports its error. */
static sooth_integers *whole(sooth_env *env, const arguments *args, const sooth_model *model) {
    const sooth_integers_options options = integers_asked(args);
    sooth_model_parts parts;
    sooth_integers *made;
    const sooth_status status = sooth_integers_convert(env, model, &options, &made);
    if (status != SOOTH_OK) die_of(status, env);
    sooth_model_open(model, &parts);
    for (uint32_t t = 0; t < made->head.targets; ++t) {
        const char *name = parts.card ? sooth_model_card_text(parts.card, SOOTH_CARD_TARGET, t) : "";
        fprintf(stderr, "%u bits; %s%s is off by at most %.3g%s\n", made->bits,
                made->link == SOOTH_INTEGERS_IDENTITY ? "" : "the input of the link for ",
                *name ? name : "the prediction", (double)sooth_integers_targets(made)[t].error,
                made->rule == SOOTH_INTEGERS_KEYS_WHOLE ? ", for features rounded down as the code documents"
                                                        : "");
    }
    return made;
}

static sooth_status write_whole(sooth_env *env, const arguments *args, int form, const sooth_model *model,
                                sooth_sink *sink) {
    static const uint32_t code[] = {SOOTH_INTEGERS_CODE_C, SOOTH_INTEGERS_CODE_C_BRANCHES,
                                    SOOTH_INTEGERS_CODE_BPF, SOOTH_INTEGERS_CODE_RUST,
                                    SOOTH_INTEGERS_CODE_GO};
    sooth_integers_code_options options;
    sooth_integers *made = whole(env, args, model);
    sooth_status status = SOOTH_OK;
    memset(&options, 0, sizeof options);
    options.name = arguments_text(args, "name");
    options.no_selftest = (uint32_t)arguments_has(args, "no-selftest");
    options.from = model;
    if (form == BPF_MAP) sooth_text_write(sink, (const char *)made, made->head.size);
    else {
        options.form = code[form];
        status = sooth_integers_code(env, made, &options, sink);
    }
    sooth_integers_free(env, made);
    return status;
}

static uint32_t sum_asked(const char *sum) {
    static const char *const sums[] = {"exact", "plain"};
    if (strcmp(sum, sums[0]) != 0 && strcmp(sum, sums[1]) != 0)
        die(BAD_USE, "--sum is %s, but must be exact or plain%s", *sum ? sum : "empty",
            did_you_mean(sum, sums, 2));
    return strcmp(sum, sums[1]) == 0 ? SOOTH_EXPORT_PLAIN : SOOTH_EXPORT_EXACT;
}

static sooth_status write_c(sooth_env *env, const arguments *args, int form, const sooth_model *model,
                            sooth_sink *sink) {
    sooth_export_c_options options;
    memset(&options, 0, sizeof options);
    options.name = arguments_text(args, "name");
    options.form = form == C_TABLE ? SOOTH_EXPORT_TABLE : SOOTH_EXPORT_BRANCHES;
    options.no_selftest = (uint32_t)arguments_has(args, "no-selftest");
    if (arguments_has(args, "sum")) options.sum = sum_asked(arguments_text(args, "sum"));
    options.sum_error = (double *)malloc(model->head.targets * sizeof(double));
    if (!options.sum_error) die(BAD_INPUT, "no memory for %u targets", model->head.targets);
    const sooth_status status = sooth_export_c(env, model, &options, sink);
    for (uint32_t t = 0; status == SOOTH_OK && options.sum == SOOTH_EXPORT_PLAIN && t < model->head.targets;
         ++t)
        fprintf(stderr, "with plain sums, target %u is off by at most %.3g before a link or transform\n",
                t + 1, options.sum_error[t]);
    free(options.sum_error);
    return status;
}

static sooth_status write_xgboost(sooth_env *env, const arguments *args, const sooth_model *model,
                                  sooth_sink *sink) {
    sooth_export_xgboost_options options;
    memset(&options, 0, sizeof options);
    options.approximate = (uint32_t)arguments_has(args, "approximate");
    return sooth_export_xgboost(env, model, &options, sink);
}

/* The format has no place for anything but the vectors. */
static sooth_status write_libsvm(sooth_env *env, const sooth_model *model, sooth_sink *sink) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) != SOOTH_KIND_SVR)
        die(BAD_USE, "only support vector regressions can be exported to LIBSVM");
    if (parts.input || parts.target)
        die(BAD_USE,
            "the model transforms its %s, which LIBSVM files cannot represent; fit it with --transform "
            "none",
            parts.input ? "features" : "target");
    if (parts.levels) die(BAD_USE, "the model encodes categories, which LIBSVM files cannot represent");
    return sooth_libsvm_write(env, (const sooth_svr *)(const void *)parts.predictor, sink);
}

/* Returns where the declarations of an exported file end. */
static const char *end_of_declarations(const char *text) {
    const char *end = strstr(text, "extern \"C\" {");
    end = end ? strstr(end, "}\n#endif\n") : NULL;
    return end ? end + strlen("}\n#endif\n") : NULL;
}

/* Writes a C file as two. The header has the first comment, the macros and the functions. */
static void write_two(sooth_env *env, const arguments *args, const sooth_buffer *code, FILE *to) {
    const char *path = arguments_text(args, "header"), *name = path, *end = end_of_declarations(code->text);
    const char *prefix = arguments_has(args, "name") ? arguments_text(args, "name") : "model";
    sooth_buffer header = {NULL, 0, 0, NULL};
    sooth_sink sink = sooth_buffer_sink(&header);
    FILE *there = arguments_has(args, "force") ? NULL : fopen(path, "rb");
    if (there) die(BAD_USE, "%s already exists; --force replaces it", path);
    for (const char *c = path; *c; ++c)
        if (*c == '/' || *c == '\\') name = c + 1;
    const char *body = strstr(code->text, "#include <stdint.h>");
    if (!end || !body || !*name) die(BAD_INPUT, "the exported code has no declarations for a header");
    sooth_text_write(&sink, code->text, (size_t)(body - code->text));
    sooth_text_put(&sink, "#ifndef %s_H_INCLUDED\n#define %s_H_INCLUDED\n", prefix, prefix);
    sooth_text_write(&sink, body, (size_t)(end - body));
    sooth_text_put(&sink, "\n#endif\n");
    if (sink.failed) die(BAD_INPUT, "no memory for the output");
    if (sooth_file_write(env, path, header.text, header.size) != SOOTH_OK) die_of(SOOTH_CANCELLED, env);
    fprintf(to, "/* The code of %s. */\n#include \"%s\"\n%s", name, name, end);
    sooth_buffer_free(&header);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output");
    const int form = form_named(arguments_text(args, "to"));
    const int asked = arguments_has(args, "integers") || arguments_has(args, "error");
    const int other = form == XGBOOST || form == LIBSVM || form == ONNX; /* a file of another library */
    const int integers = asked || (form >= BPF && form <= BPF_MAP);
    sooth_env *env = env_open(args);
    sooth_buffer code = {NULL, 0, 0, NULL};
    sooth_status status;
    if (form > C_BRANCHES) refuse(args, "header", forms[form]);
    if (form != XGBOOST) refuse(args, "approximate", forms[form]);
    if (other || form == BPF_MAP) refuse(args, "name", forms[form]);
    if (other || form == BPF_MAP) refuse(args, "no-selftest", forms[form]);
    if (other) refuse(args, "integers", forms[form]);
    if (other) refuse(args, "error", forms[form]);
    if (other) refuse(args, "bits", forms[form]);
    if (other) refuse(args, "sum", forms[form]);
    if (integers && arguments_has(args, "bits")) die(BAD_USE, "--bits has no meaning with --integers");
    if (integers && arguments_has(args, "sum")) die(BAD_USE, "--sum has no meaning with --integers");
    if (!integers && arguments_has(args, "keys")) die(BAD_USE, "--keys needs --integers");
    sooth_model *model = model_open(env, args->word[0], NULL);
    if (arguments_has(args, "bits")) model = quantised(env, model, arguments_text(args, "bits"));
    FILE *to = output_open(path ? path : "-", arguments_has(args, "force"), args->word, 1);
    sooth_sink sink = arguments_has(args, "header") ? sooth_buffer_sink(&code) : sooth_file_sink(to);
    if (form == XGBOOST) status = write_xgboost(env, args, model, &sink);
    else if (form == LIBSVM) status = write_libsvm(env, model, &sink);
    else if (form == ONNX) status = sooth_export_onnx(env, model, &sink);
    else if (integers) status = write_whole(env, args, form, model, &sink);
    else status = write_c(env, args, form, model, &sink);
    if (status != SOOTH_OK && (!sink.failed || code.text)) die_of(status, env);
    if (code.text) write_two(env, args, &code, to);
    output_close(); /* it has the reason why a sink failed */
    print_derived(model, stderr);
    return DONE;
}

const command export_command = {
    .name = "export",
    .summary = "write a model as code that needs no library (C, the kernel's BPF, Rust, Go), for XGBoost, "
               "LIBSVM or ONNX",
    .usage = "MODEL --to c|c-if|bpf|rust|go|bpf-map|xgboost|libsvm|onnx [-o FILE] [options]",
    .least = 1,
    .most = 1,
    .text =
        "Writes a model as source code that needs no library and allocates no memory. MODEL may be - "
        "for the standard input. A file is replaced only with --force.\n\n"
        "Every kind of model can be exported as C. float NAME_predict(const float *row) returns the "
        "same bits as `sooth predict`, transforms included. int NAME_selftest(void) returns 0 if the "
        "compiled code does. The first comment lists names, units and training ranges. The names of levels, "
        "by code, are strings of the macros NAME_LEVELS_0, ..., one for each column of categories. Models "
        "with "
        "different names can be linked into one program.\n\n"
        "A model fitted with --interval has NAME_interval as well. With --group it has NAME_begin, "
        "NAME_observe and NAME_adapted, which predict as `sooth adapt` does, launch by launch.\n\n"
        "For trees, c is the smaller form, and c-if needs no table in memory. All other kinds have one "
        "form. --bits 8 or 16 stores the weights of a network as integers.\n\n"
        "--sum plain adds trees in float, which takes less than half the steps on a core without "
        "floating point. The bound on the change is reported.\n\n"
        "--integers exports trees, forests and boosting without floating point: thresholds and leaves "
        "are integers of that many bits. The prediction is NAME_sum(row) x 2^-NAME_SCALE, and its "
        "largest error is reported. Rows are integers as well; the file documents which of them must "
        "be scaled first: NAME_key(j, x, per) makes one from the value x / per, clipped, and "
        "NAME_value(sum, per) returns the prediction times per. With --keys float, rows are floats of which "
        "only the bits are compared, and "
        "missing values are supported.\n\n"
        "bpf is C for clang --target=bpf, for programs in the Linux kernel. bpf-map is the value of an "
        "array map that one such program reads for any model.\n\n"
        "xgboost writes JSON for trees, forests (--approximate) and boosting without transforms. "
        "XGBoost then predicts the same bits. libsvm writes a model file of svm-predict for support vectors "
        "without transforms.\n\n"
        "onnx writes a file for ONNX Runtime 1.20 or later: trees, forests, boosting, linear models and "
        "networks, with transforms and categories. Its input is X, or with categories one input for each "
        "feature, of strings for categories; its output is prediction. Plain sums of trees have the same "
        "bits, others agree to the rounding of float32.",
    .example = "sooth export power.sooth --to c --name watts -o watts.c",
    .flags = flags,
    .run = run};
