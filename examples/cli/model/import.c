/* import.c - sooth import: converts a model of another library to a model file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/import.h"

#include "../app/system.h"

static const flag flags[] = {
    {"output", 'o', "FILE", "model file; - for the standard output, and the text goes to the standard error",
     0},
    FORCE_FLAG,
    {"features", 'f', "A,B,...", "names of the features, in their order; default those in the file", 1},
    {"target", 't', "NAME,...", "names of the targets", 1},
    {"all-trees", 0, NULL,
     "take all trees of a model that was stopped early; default up to the best iteration, as the library's "
     "own predict of estimators does",
     0},
    {"note", 0, "TEXT", "text to keep in the file; default the origin of the model", 0},
    LAST_FLAG};

/* Stores the names that --option gives, or those in the file (NULL: none). As in tables, "Power [W]" is the
   name Power with the unit W. */
static void name_columns(const arguments *args, const char *option, const char *const *known, size_t count,
                         const char ***names, const char ***units) {
    size_t given;
    char **list = arguments_list(args, option, &given);
    if (list && given != count)
        die(BAD_USE, "--%s names %zu, but the model in %s has %zu", option, given, args->word[0], count);
    *names = *units = NULL;
    if (!list && !known) return;
    *names = (const char **)allocate(count, sizeof **names);
    *units = (const char **)allocate(count, sizeof **units);
    for (size_t i = 0; i < count; ++i) {
        char *name = list ? list[i] : strdup(known[i]);
        if (!name) die(BAD_INPUT, "no memory for a name");
        char *end = name + strlen(name);
        char *unit = strrchr(name, '[');
        (*names)[i] = name;
        if (!unit || unit < name + 2 || unit[-1] != ' ' || end[-1] != ']' || unit + 2 >= end) continue;
        unit[-1] = end[-1] = 0;
        (*units)[i] = unit + 1;
    }
}

/* What was read: trees, or support vectors. */
typedef struct imported {
    sooth_import trees;
    sooth_svr *svr; /* NULL: trees */
} imported;

/* "XGBoost JSON, reg:squarederror" */
static const char *origin(const imported *from) {
    const sooth_import *import = &from->trees;
    static const char *const library[] = {"another library", "XGBoost JSON", "XGBoost UBJ", "LightGBM",
                                          "scikit-learn",    "CatBoost",     "ONNX"};
    static char text[128];
    if (from->svr) return from->svr->method == SOOTH_SVR_NU ? "LIBSVM, nu_svr" : "LIBSVM, epsilon_svr";
    snprintf(text, sizeof text, "%s%s%s", library[import->format], import->objective[0] ? ", " : "",
             import->objective);
    return text;
}

/* Model files of LIBSVM begin with their type; all others are trees. */
static void read_model(sooth_env *env, const arguments *args, const char *bytes, size_t size,
                       imported *from) {
    const sooth_import_options options = {.all_trees = (uint32_t)arguments_has(args, "all-trees"),
                                          .origins = 1};
    size_t features = 0; /* 0: as many as the file has columns */
    memset(from, 0, sizeof *from);
    if (size > 8 && memcmp(bytes, "svm_type", 8) == 0) {
        arguments_list(args, "features", &features);
        if (sooth_libsvm_read(env, bytes, size, features, &from->svr) == SOOTH_OK) return;
    } else if (sooth_import_read(env, bytes, size, &options, &from->trees) == SOOTH_OK) return;
    die(BAD_INPUT, "%s: %s", args->word[0], env->sentence);
}

/* Wraps a model whose features count from origins, which predict and others subtract. */
static const sooth_model *with_origins(sooth_env *env, const sooth_import *import, const sooth_model *model) {
    const size_t features = model->head.features;
    sooth_origin *origin;
    if (!import->zeros) return model;
    double *zero = (double *)allocate(features + model->head.targets, sizeof *zero);
    for (size_t j = 0; j < features; ++j) zero[j] = import->zero[j];
    if (sooth_origin_make(env, model, zero, &origin) != SOOTH_OK) die(BAD_INPUT, "%s", env->sentence);
    free(zero);
    return sooth_model_from_block(&origin->head);
}

/* Puts the predictor and a card into one envelope. */
static sooth_model *assemble(sooth_env *env, const arguments *args, const imported *from, const char *note) {
    const sooth_block *predictor = from->svr ? &from->svr->head : &from->trees.ensemble->head;
    sooth_model_card_content content;
    sooth_model_parts parts;
    const char **names, **units;
    sooth_model *model;
    sooth_model_card *card;
    memset(&content, 0, sizeof content);
    content.features = predictor->features;
    content.targets = predictor->targets;
    name_columns(args, "features", from->trees.feature_names, content.features, &names, &units);
    content.feature_names = names;
    content.feature_units = units;
    name_columns(args, "target", NULL, content.targets, &names, &units);
    content.target_names = names;
    content.target_units = units;
    content.note = note;
    memset(&parts, 0, sizeof parts);
    parts.predictor = predictor;
    parts.levels = from->trees.levels;
    if (sooth_model_card_make(env, &content, &card) != SOOTH_OK) die(BAD_INPUT, "%s", env->sentence);
    parts.card = card;
    if (sooth_model_assemble(env, &parts, &model) != SOOTH_OK) die(BAD_INPUT, "%s", env->sentence);
    sooth_model_card_free(env, card);
    return model;
}

/* Prints which trees were taken, "8 of 24 trees: up to the best iteration, 7". */
static void print_trees(const sooth_import *import) {
    const uint32_t trees = import->ensemble->trees;
    if (import->best_iteration == UINT32_MAX) return;
    printf("  best        %u of %u trees: up to the best iteration, %u (from 0); --all-trees takes all\n",
           (unsigned)trees, (unsigned)import->file_trees, (unsigned)import->best_iteration);
}

/* Prints the features that count from an origin. */
static void print_origins(const sooth_import *import, const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    for (uint32_t j = 0; j < import->zeros; ++j) {
        const char *name = sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j);
        char from[SOOTH_TEXT_NUMBER_SIZE];
        if (!(import->zero[j] < 0.0 || import->zero[j] > 0.0)) continue;
        sooth_text_from_double(from, import->zero[j]);
        if (*name) printf("  centred     %s", listed(name));
        else printf("  centred     feature %u", (unsigned)j + 1);
        printf(" counts from %s: floats would merge its numbers, which the trees separate\n", from);
    }
}

/* Prints the categories that the file names, and how many features have codes instead. */
static void print_categories(const sooth_import *import, const sooth_model *model) {
    sooth_model_parts parts;
    int first = 1;
    sooth_model_open(model, &parts);
    for (uint32_t j = 0; import->levels && j < import->levels->head.features; ++j) {
        const sooth_levels_column *c = sooth_levels_columns(import->levels) + j;
        const char *name = sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, j);
        if (!c->categorical) continue;
        printf("%s", first ? "  categories  " : ", ");
        if (*name) printf("%s", listed(name));
        else printf("feature %u", (unsigned)j + 1);
        printf(" with %s", counted(c->count, "level", "levels"));
        for (uint32_t k = 0; k < c->count && k < 3; ++k)
            printf("%s%s", k ? ", " : " (", printable(sooth_levels_name(import->levels, j, (float)k)));
        printf("%s", c->count > 3 ? ", ...)" : c->count ? ")" : "");
        first = 0;
    }
    if (!first) printf("\n");
    if (!import->coded) return;
    const char *name = sooth_model_card_text(parts.card, SOOTH_CARD_FEATURE, import->first_coded);
    printf("  codes       %s", counted(import->coded, "categorical feature", "categorical features"));
    if (*name) printf(" (%s%s)", listed(name), import->coded > 1 ? ", ..." : "");
    printf(": the file has no names of categories, so cells are the codes of training, from 0\n");
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output"), *note = arguments_text(args, "note");
    sooth_env *env = env_open(args);
    imported from;
    size_t size;
    if (!path) die(BAD_USE, "-o FILE is missing: the file to write the model to");
    FILE *file = output_model(path, arguments_has(args, "force"), args->word, 1);
    char *bytes = read_file(args->word[0], NULL, &size);
    if (size == 0) die(BAD_INPUT, "%s: the file is empty", args->word[0]);
    read_model(env, args, bytes, size, &from);
    sooth_model *model = assemble(env, args, &from, note ? note : origin(&from));
    const sooth_model *whole = with_origins(env, &from.trees, model);
    bytes = (char *)allocate(whole->head.size, 1);
    sooth_model_save(whole, bytes);
    fwrite(bytes, 1, whole->head.size, file);
    output_close();
    sooth_cost cost = sooth_model_cost(model);
    printf("%s: %s of %s", args->word[0],
           from.svr ? counted(from.svr->vectors, "support vector", "support vectors")
                    : counted(from.trees.ensemble->trees, "tree", "trees"),
           counted(model->head.features, "feature", "features"));
    if (model->head.targets > 1) printf(" for %u targets", (unsigned)model->head.targets);
    printf(" (%s)\n", printable(origin(&from)));
    if (!from.svr) {
        print_trees(&from.trees);
        print_categories(&from.trees, model);
        print_origins(&from.trees, model);
    }
    if (!from.trees.names && !arguments_has(args, "features"))
        printf("  The file does not name the features; --features does.\n");
    printf("\n%s: %zu bytes; one prediction takes at most %u %s\n",
           strcmp(path, "-") == 0 ? "the model" : path, (size_t)whole->head.size,
           (unsigned)(from.svr ? cost.multiply_adds : cost.comparisons),
           from.svr ? "multiply-adds" : "comparisons");
    sooth_svr_free(env, from.svr);
    sooth_import_free(env, &from.trees);
    return finish();
}

const command import_command = {
    .name = "import",
    .summary = "convert a model of XGBoost, LightGBM, CatBoost, scikit-learn, LIBSVM or ONNX to a model file",
    .usage = "FILE -o MODEL [options]",
    .least = 1,
    .most = 1,
    .text =
        "Reads a model of another library and writes a model file. FILE may be - for the standard "
        "input. A file is replaced only with --force.\n\n"
        "Formats: XGBoost save_model (JSON or UBJ, versions 1.0 to 3.2); LightGBM save_model (text); "
        "CatBoost save_model(format=\"json\"); and the JSON that tests/golden/sklearn_to_json.py "
        "makes of trees, forests and gradient boosting of scikit-learn; model files of LIBSVM with "
        "support vector regressions; tree ensembles of ONNX, as skl2onnx and onnxmltools write them. The "
        "format "
        "is recognised by the bytes. The Python module installs "
        "that script: python3 -m sklearn_to_json MODEL.pickle > MODEL.json.\n\n"
        "The sums of the trees equal those of the other library to the last bit (see sooth/import.h). "
        "Names of features are kept, and so are the names of categories that LightGBM and XGBoost 3.1 "
        "store with models of pandas frames: sooth predict reads a table as pandas reads it. A model "
        "that was stopped early ends at the best iteration that its file names (XGBoost); files of "
        "LightGBM and CatBoost end there already.\n\n"
        "LightGBM and histogram gradient boosting of scikit-learn compare doubles. Columns whose numbers "
        "floats merge, such as seconds since 1970, count from an origin in the model, or the model is "
        "refused. Cells of up to seven digits go where the library sends them. Of a longer cell, the eighth "
        "digit can decide otherwise next to a threshold.\n\n"
        "An ONNX file gives the sums of ONNX Runtime with one thread, and for two classes the probability of "
        "the second. It has no names of features and no sets of categories, and converters leave out some "
        "functions: prefer the model's own file if there is one.\n\n"
        "Models that cannot be represented exactly are refused: softmax, and CTRs of CatBoost, and "
        "classifiers of LIBSVM.",
    .example = "sooth import power.ubj --target Power -o power.sooth",
    .flags = flags,
    .run = run};
