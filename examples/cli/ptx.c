/* ptx.c - sooth ptx: what GPU kernels will do, from PTX and launches: loops, instructions, features, watts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

static const flag flags[] = {
    {"gpu", 'g', "NAME or FILE", "the device: its name, or a file that describes it", 0},
    {"grid", 0, "N,...", "blocks of the grid, as 64 or 8x8; several: every one with every block size", 1},
    {"block", 'b', "N,...", "threads of a block, as 256 or 16x16", 1},
    {"kernel", 'k', "NAME", "this kernel, mangled or not (default: all in the file)", 1},
    {"loop", 'l', "LABEL=N",
     "how often a loop runs, by the label of its header or a line of the PTX inside it", 1},
    {"trips", 'n', "N", "how often the loops run that neither --loop nor the PTX knows (default 1)", 0},
    {"branch", 0, "LABEL=P",
     "the probability that the branches to a label, or in a line, are taken (default: both sides run)", 1},
    {"value", 0, "NAME=N",
     "the value of a kernel parameter, from which trips follow: 3=512 is parameter 3 counted from 0, or its "
     "name, or KERNEL:3=512; also of a special register, %ntid.x=256",
     1},
    {"regs", 'r', "N", "registers of a thread, as `ptxas -v` tells them", 0},
    {"shared", 's', "BYTES", "shared memory of a block, static and dynamic (default: the static part)", 0},
    {"printed", 0, NULL,
     "the features as the paper prints them, with --trips for every block that has a back edge", 0},
    {"compat", 0, NULL, "the features as the paper's authors' own program writes them", 0},
    {"predict", 'p', "MODEL",
     "a model file: adds what it predicts from the features, which must be those it has learnt from", 0},
    {"svg", 0, "OUT.svg", "draw the flow graph of the one kernel", 0},
    {"csv", 0, NULL, "write CSV: a line for every kernel and launch", 0},
    {"json", 0, NULL, "write JSON", 0},
    {"output", 'o', "OUT", "where to write (default: the standard output)", 0},
    {"force", 0, NULL, "replace the files if they are there", 0},
    {NULL, 0, NULL, NULL, 0}};

/* A launch: sizes in three dimensions. */
typedef struct extent {
    const char *text;
    uint32_t by[3];
    uint32_t all;
} extent;

/* Something that is not known of several loops or kernels: said once, with their names. */
typedef struct doubt {
    size_t count, kernels;
    size_t last;      /* the last kernel it was of, */
    const char *path; /* and its file */
    double times;
    char names[600], advice[200];
} doubt;

typedef struct job {
    const arguments *args;
    sooth_env *env;
    FILE *to, *notes; /* kept in memory until all is well */
    json j;
    sooth_gpu gpu;
    const sooth_pfea_tool_gpu *tool;
    const char *gpu_name;
    extent *grid, *block;
    size_t grids, blocks;
    const char **loop, **branch, **value; /* "NAME=N" */
    size_t loops, branches, values;
    unsigned char *loop_used, *branch_used, *value_used;
    char params[500]; /* what the kernels' parameters are called */
    doubt trips, shared, opcodes;
    const sooth_model *model;
    const sooth_card *card;
    size_t rows; /* written so far */

    const char *path; /* of the PTX at hand */
    const char *text;
    size_t size;
    sooth_ptx ptx;
} job;

/* A number without zeros at its end. Good until called four times more. */
static const char *plain(double v) {
    static char ring[4][SOOTH_NUMBER_TEXT];
    static unsigned turn;
    char *text = ring[turn++ % 4];
    sooth_text_rounded(text, v, 7);
    return v == v ? text : "not known";
}

/* ---- arguments ---- */

static extent read_extent(const char *name, const char *text) {
    extent e = {text, {1, 1, 1}, 1};
    const char *c = text;
    uint64_t all = 1;
    for (size_t i = 0; i < 3; ++i) {
        char *end;
        unsigned long v = strtoul(c, &end, 10);
        if (*c < '0' || *c > '9' || v == 0 || v > 2147483647ul || (all *= v) > 2147483647ul) break;
        e.by[i] = (uint32_t)v;
        e.all = (uint32_t)all;
        if (*end == 0) return e;
        if (*end != 'x') break;
        c = end + 1;
    }
    die(BAD_USE, "--%s is %s, but must be a size from 1 to 2147483647, as 256 or 16x16", name,
        printable(text));
}

static extent *read_extents(const arguments *args, const char *name, size_t *count) {
    char **list = arguments_list(args, name, count);
    extent *e = (extent *)allocate(*count ? *count : 1, sizeof *e);
    for (size_t i = 0; i < *count; ++i) e[i] = read_extent(name, list[i]);
    return e;
}

/* The number behind the last '=' of "NAME=N"; dies when there is none. */
static double number_of(const char *flag_name, const char *text) {
    const char *equals = strrchr(text, '=');
    double v;
    size_t n = equals ? strlen(equals + 1) : 0;
    if (!equals || equals == text || n == 0 || sooth_text_to_double(equals + 1, n, &v) != n)
        die(BAD_USE, "--%s is %s, but must be NAME=NUMBER", flag_name, printable(text));
    return v;
}

/* What stands in front of that '='. */
static char *name_of(const char *text) {
    const size_t n = (size_t)(strrchr(text, '=') - text);
    char *name = (char *)allocate(n + 1, 1);
    memcpy(name, text, n);
    return name;
}

static const char **all_of(const arguments *args, const char *name, size_t *count) {
    char **list = arguments_list(args, name, count);
    const char **copy = (const char **)allocate(*count ? *count : 1, sizeof *copy);
    for (size_t i = 0; i < *count; ++i) {
        copy[i] = list[i];
        number_of(name, list[i]);
    }
    return copy;
}

static void read_gpu(job *b) {
    const char *name = arguments_text(b->args, "gpu");
    FILE *file;
    if (arguments_has(b->args, "compat")) {
        if (sooth_pfea_tool_find(b->env, name, &b->tool) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, b->env);
        b->gpu_name = b->tool->name;
        return;
    }
    if (sooth_gpu_find(b->env, name, &b->gpu) != SOOTH_OK) {
        size_t size;
        if ((file = fopen(name, "rb")) == NULL)
            die(BAD_USE, "%s; or give a file that describes it", b->env->sentence);
        fclose(file);
        char *text = read_file(name, NULL, &size);
        if (sooth_gpu_read(b->env, text, size, &b->gpu) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", name, b->env->sentence);
        free(text);
    }
    b->gpu_name = b->gpu.name;
}

static const char *feature_name(const job *b, size_t j) {
    return sooth_card_text(b->card, SOOTH_CARD_FEATURE, j);
}

/* The feature of a kernel that feature j of the model is; SOOTH_PFEA_FEATURES: none. */
static size_t feature_of(const job *b, size_t j) {
    size_t i = 0;
    while (i < SOOTH_PFEA_FEATURES && strcmp(sooth_pfea_name(i), feature_name(b, j)) != 0) ++i;
    return i;
}

/* Appends a name to the list in text. */
static void name_one(char *text, size_t size, const char *name) {
    const size_t n = strlen(text);
    if (n + 110 < size) snprintf(text + n, size - n, n ? ", %.90s" : "%.90s", printable(name));
    else if (text[n - 1] != '.') snprintf(text + n, size - n, ", ...");
}

/* The form of the features that this call writes. */
static sooth_pfea_form form_of(const job *b) {
    if (b->tool) return b->tool->is_2023 ? SOOTH_PFEA_FORM_TOOL_2023 : SOOTH_PFEA_FORM_TOOL;
    return arguments_has(b->args, "printed") ? SOOTH_PFEA_FORM_PRINTED : SOOTH_PFEA_FORM_CORRECTED;
}

/* The unit of a feature with its form, as "cycles (corrected)": it goes through the CSV into the card of a
   model that learns from it. */
static const char *unit_in(size_t feature, size_t form, char text[60]) {
    snprintf(text, 60, "%s%s%s%s", sooth_pfea_unit(feature), sooth_pfea_has_forms(feature) ? " (" : "",
             sooth_pfea_has_forms(feature) ? sooth_pfea_form_name(form) : "",
             sooth_pfea_has_forms(feature) ? ")" : "");
    return text;
}

/* Dies unless the model has learnt from features of the form at hand. */
static void check_forms(const job *b, const char *path) {
    static const char *const advice[SOOTH_PFEA_FORMS] = {
        "leave --printed and --compat out", "give --printed", "give --compat",
        "give --compat, and --gpu k20-2023, m60-2023 or v100-2023"};
    char unit[60];
    size_t i, form;
    for (size_t j = 0; j < b->model->features; ++j) {
        i = feature_of(b, j);
        if (!sooth_pfea_has_forms(i)) continue;
        for (form = 0; form < SOOTH_PFEA_FORMS; ++form)
            if (strcmp(sooth_card_text(b->card, SOOTH_CARD_FEATURE_UNIT, j), unit_in(i, form, unit)) == 0)
                break;
        if (form == form_of(b) || (form == SOOTH_PFEA_FORMS && b->tool)) continue;
        if (form < SOOTH_PFEA_FORMS)
            die(BAD_INPUT, "%s has learnt from features of the form \"%s\" (%s), but these are \"%s\": %s",
                path, sooth_pfea_form_name(form), feature_name(b, j), sooth_pfea_form_name(form_of(b)),
                advice[form]);
        die(BAD_INPUT,
            "%s does not say which form of the features it has learnt from (%s has the unit \"%s\", not "
            "\"%s\"): "
            "for a model of the authors' published tables give --compat; else learn from the columns that "
            "--csv "
            "writes, with their units",
            path, feature_name(b, j), printable(sooth_card_text(b->card, SOOTH_CARD_FEATURE_UNIT, j)),
            unit_in(i, form_of(b), unit));
    }
}

static void read_arguments(job *b, const arguments *args) {
    b->args = args;
    b->env = env_open(args);
    b->loop = all_of(args, "loop", &b->loops);
    b->branch = all_of(args, "branch", &b->branches);
    b->value = all_of(args, "value", &b->values);
    b->loop_used = (unsigned char *)allocate(b->loops + 1, 1);
    b->branch_used = (unsigned char *)allocate(b->branches + 1, 1);
    b->value_used = (unsigned char *)allocate(b->values + 1, 1);
    b->grid = read_extents(args, "grid", &b->grids);
    b->block = read_extents(args, "block", &b->blocks);
    if (arguments_has(args, "compat") && arguments_has(args, "printed"))
        die(BAD_USE, "--compat and --printed are two forms of the features; give one of them");
    if (arguments_has(args, "json") && arguments_has(args, "csv"))
        die(BAD_USE, "--json and --csv cannot both be written; give one of them");
    if (arguments_text(args, "gpu")) {
        if (!b->grids || !b->blocks) die(BAD_USE, "the features need the launch: give --grid and --block");
        read_gpu(b);
    } else if (b->grids || b->blocks || arguments_has(args, "csv") || arguments_has(args, "compat") ||
               arguments_has(args, "printed") || arguments_text(args, "predict")) {
        die(BAD_USE,
            "the features need the device: give --gpu, one of k20, m60, p100, t4, v100, a100, l4, rtx4090, "
            "h100, h200 or a file");
    }
    if (arguments_text(args, "predict")) {
        sooth_model_parts parts;
        char missing[400] = "";
        b->model = model_open(b->env, arguments_text(args, "predict"));
        sooth_model_open(b->model, &parts);
        b->card = parts.card;
        if (!b->card)
            die(BAD_INPUT, "%s does not say what its features are called", arguments_text(args, "predict"));
        for (size_t j = 0; j < b->model->features; ++j)
            if (feature_of(b, j) == SOOTH_PFEA_FEATURES)
                name_one(missing, sizeof missing, feature_name(b, j));
        if (*missing)
            die(BAD_INPUT,
                "%s needs %s, which neither PTX nor launch tell: a model for this command learns from the "
                "columns that --csv writes",
                arguments_text(args, "predict"), missing);
        check_forms(b, arguments_text(args, "predict"));
    }
}

/* ---- one kernel, one launch ---- */

/* Everything about one line of the CSV. */
typedef struct result {
    size_t kernel;
    const extent *grid, *block;
    sooth_gpu_launch launch;
    sooth_ptx_counts counts;
    sooth_pfea features;
    float predicted;
    double low, high;   /* of the interval, where there is one */
    char interval[200]; /* what it is; "": there is none */
    uint32_t outside;
} result;

static char *kernel_name(const job *b, size_t kernel) {
    const sooth_ptx_word *name = &b->ptx.function[kernel].name;
    char *copy = (char *)allocate(name->length + 1, 1);
    memcpy(copy, name->text, name->length);
    return copy;
}

/* A label or line that was given speaks of this kernel, or of a function that kernels call. */
static int concerns(const job *b, size_t kernel, const char *name) {
    const uint32_t line = (uint32_t)strtoul(name, NULL, 10);
    const sooth_ptx_function *f = &b->ptx.function[kernel];
    if (line) {
        const sooth_ptx_block *last = f->blocks ? &b->ptx.block[f->block + f->blocks - 1] : NULL;
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < b->ptx.functions; ++i)
            if (b->ptx.function[i].line > f->line && b->ptx.function[i].line < next)
                next = b->ptx.function[i].line;
        return last && line >= f->line && line < next;
    }
    for (size_t i = 0; i < b->ptx.labels; ++i) {
        const sooth_ptx_label *l = &b->ptx.label[i];
        if ((l->function == kernel || !b->ptx.function[l->function].is_entry) &&
            l->name.length == strlen(name) && memcmp(l->name.text, name, l->name.length) == 0)
            return 1;
    }
    return 0;
}

static size_t take_given(const job *b, size_t kernel, const char **list, size_t count, unsigned char *used,
                         const char *flag_name, sooth_ptx_given *given) {
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        char *name = name_of(list[i]);
        if (!concerns(b, kernel, name)) continue;
        used[i] = 1;
        given[n].line = (uint32_t)strtoul(name, NULL, 10);
        given[n].label = given[n].line ? NULL : name;
        given[n++].value = number_of(flag_name, list[i]);
    }
    return n;
}

/* Whether "3", "param_3", "KERNEL:3" or the full name of a parameter speaks of this kernel or of a function
   that kernels call; *rest is what stands behind the colon. */
static int is_param(const job *b, size_t kernel, char *name, const char **rest) {
    char *colon = strchr(name, ':');
    size_t of = kernel;
    *rest = name;
    if (name[0] == '%') return 1;
    if (colon) {
        *colon = 0;
        *rest = colon + 1;
        if (sooth_ptx_kernel(NULL, &b->ptx, name, &of) != SOOTH_OK) of = b->ptx.functions;
        *colon = ':';
        if (of != kernel) return 0;
    }
    if (sooth_ptx_param(&b->ptx, kernel, *rest) < b->ptx.function[kernel].params) return 1;
    for (size_t i = 0; i < b->ptx.variables; ++i) {
        const sooth_ptx_variable *v = &b->ptx.variable[i];
        if (v->space == SOOTH_PTX_CLASS_PARAM && v->function != SOOTH_PTX_NONE &&
            !b->ptx.function[v->function].is_entry && v->name.length == strlen(*rest) &&
            memcmp(v->name.text, *rest, v->name.length) == 0)
            return 1;
    }
    return 0;
}

/* Lists the parameters of a kernel, for the sentence about one that is not there. */
static void name_params(job *b, size_t kernel) {
    const sooth_ptx_function *f = &b->ptx.function[kernel];
    char *name = kernel_name(b, kernel), text[120];
    for (uint32_t i = 0; i < f->params; ++i) {
        const sooth_ptx_word *word = &b->ptx.variable[f->param + i].name;
        snprintf(text, sizeof text, "%.60s%s%u: %.*s", i ? "" : name, i ? "" : " has ", (unsigned)i,
                 word->length < 40 ? (int)word->length : 40, word->text);
        name_one(b->params, sizeof b->params, text);
    }
    free(name);
}

/* What --value says of this kernel; returns how many. */
static size_t take_values(job *b, size_t kernel, sooth_ptx_value *value) {
    size_t n = 0;
    int all = 1;
    for (size_t i = 0; i < b->values; ++i) {
        const char *rest;
        if (!is_param(b, kernel, name_of(b->value[i]), &rest)) {
            all = 0;
            continue;
        }
        b->value_used[i] = 1;
        is_param(b, kernel, name_of(b->value[i]), &value[n].name);
        value[n++].value = (int64_t)number_of("value", b->value[i]);
    }
    if (!all) name_params(b, kernel);
    return n;
}

static void count(job *b, result *r) {
    static const char *const axis[6] = {"%ntid.x",   "%ntid.y",   "%ntid.z",
                                        "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    sooth_ptx_trips trips;
    sooth_ptx_given *loop = (sooth_ptx_given *)allocate(b->loops + 1, sizeof *loop);
    sooth_ptx_given *branch = (sooth_ptx_given *)allocate(b->branches + 1, sizeof *branch);
    sooth_ptx_value *value = (sooth_ptx_value *)allocate(b->values + 6, sizeof *value);
    memset(&trips, 0, sizeof trips);
    trips.loop = loop;
    trips.loops = take_given(b, r->kernel, b->loop, b->loops, b->loop_used, "loop", loop);
    trips.branch = branch;
    trips.branches = take_given(b, r->kernel, b->branch, b->branches, b->branch_used, "branch", branch);
    trips.values = take_values(b, r->kernel, value);
    for (size_t i = 0; i < 6 && r->grid; ++i) {
        value[trips.values].name = axis[i];
        value[trips.values++].value = i < 3 ? r->block->by[i] : r->grid->by[i - 3];
    }
    trips.value = value;
    trips.paper_loops = (uint32_t)arguments_has(b->args, "printed");
    if (arguments_text(b->args, "trips")) {
        const char *text = arguments_text(b->args, "trips");
        if (sooth_text_to_double(text, strlen(text), &trips.default_trip) != strlen(text) ||
            !(trips.default_trip > 0.0))
            die(BAD_USE, "--trips is %s, but must be a number above 0", printable(text));
    }
    if (sooth_ptx_count(b->env, &b->ptx, r->kernel, &trips, &r->counts) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    free(loop);
    free(branch);
    free(value);
}

/* One more of what is not known; `what` names it. */
static void add_doubt(const job *b, doubt *d, size_t kernel, double times, const char *what) {
    char *name = kernel_name(b, kernel), text[200];
    if (d->path != b->path || d->last != kernel) ++d->kernels;
    d->path = b->path;
    ++d->count;
    d->last = kernel;
    d->times += times;
    snprintf(text, sizeof text, "%s%s%s%s%s", b->args->words > 1 ? b->path : "",
             b->args->words > 1 ? ": " : "", what, *what ? " in " : "", name);
    name_one(d->names, sizeof d->names, text);
    free(name);
}

/* What is not known of a kernel is gathered; say_doubts says it. */
static void gather(job *b, const result *r) {
    const sooth_ptx *ptx = &b->ptx;
    char label[60];
    for (size_t l = 0; l < ptx->loops; ++l) {
        const sooth_ptx_block *header = &ptx->block[ptx->loop[l].header];
        if (r->counts.origin[l] != SOOTH_PTX_TRIP_ASSUMED) continue;
        if (header->label == SOOTH_PTX_NONE) snprintf(label, sizeof label, "%u=N", (unsigned)header->line);
        else
            snprintf(label, sizeof label, "'%.*s=N'",
                     ptx->label[header->label].name.length < 50 ? (int)ptx->label[header->label].name.length
                                                                : 50,
                     ptx->label[header->label].name.text);
        snprintf(b->trips.advice, sizeof b->trips.advice, "%s assumed", plain(r->counts.trip[l]));
        add_doubt(b, &b->trips, r->kernel, 0.0, label);
    }
    if (ptx->function[r->kernel].dynamic_shared && !arguments_text(b->args, "shared"))
        add_doubt(b, &b->shared, r->kernel, 0.0, "");
    if (r->counts.unknown > 0.0) add_doubt(b, &b->opcodes, r->kernel, r->counts.unknown, "");
}

/* Says on stderr, each once, what is not known and what to give. */
static void say_doubts(const job *b) {
    if (b->trips.count)
        fprintf(b->notes,
                "sooth ptx: %s in %s %s not say how often %s, %s: give --trips N for all such loops, or "
                "--loop %s\n",
                counted(b->trips.count, "loop", "loops"), counted(b->trips.kernels, "kernel", "kernels"),
                b->trips.count == 1 ? "does" : "do", b->trips.count == 1 ? "it runs" : "they run",
                b->trips.advice, b->trips.names);
    if (b->shared.count)
        fprintf(b->notes,
                "sooth ptx: shared memory of %s is sized at the launch, none assumed beside the static "
                "bytes: give --shared BYTES (%s)\n",
                counted(b->shared.kernels, "kernel", "kernels"), b->shared.names);
    if (b->opcodes.count)
        fprintf(b->notes,
                "sooth ptx: %s instructions in %s have opcodes that are not known; they count as misc "
                "(%s)\n",
                plain(b->opcodes.times), counted(b->opcodes.kernels, "kernel", "kernels"), b->opcodes.names);
}

static void extract(job *b, result *r) {
    sooth_pfea_options options;
    sooth_status status;
    memset(&options, 0, sizeof options);
    options.as_printed = (uint32_t)arguments_has(b->args, "printed");
    if (b->tool) {
        sooth_pfea_tool_counts counts;
        status = sooth_pfea_tool_count(b->env, b->text, b->size, b->ptx.function[r->kernel].name, &counts);
        if (status == SOOTH_OK)
            status = sooth_pfea_tool(b->env, b->tool, &counts, &r->launch, b->tool->compute, &r->features);
    } else {
        status = sooth_pfea_extract(b->env, &b->ptx, r->kernel, &r->counts, &b->gpu, &r->launch, &options,
                                    &r->features);
    }
    if (status != SOOTH_OK) {
        char *name = kernel_name(b, r->kernel);
        die(BAD_INPUT, "%s: %s: %s", b->path, printable(name), b->env->sentence);
    }
}

/* A quantity that was never below 0 in training, as watts and seconds are, is never predicted below 0. */
static double floored(const job *b, double v) {
    const float least = sooth_card_range(b->card)[2 * b->model->features];
    const char *unit = sooth_card_text(b->card, SOOTH_CARD_TARGET_UNIT, 0);
    return v < 0.0 && (least >= 0.0f || strcmp(unit, "W") == 0) ? 0.0 : v;
}

/* The score on the model's card whose name begins so and that is of whole groups left out; NULL: none. */
static const char *card_score(const job *b, const char *name, double *score) {
    for (size_t i = 0; b->card->groups && i < b->card->scores; ++i) {
        const char *text = sooth_card_text(b->card, SOOTH_CARD_SCORE, i);
        if (strncmp(text, name, strlen(name)) != 0 || !strstr(text, ", unseen ")) continue;
        *score = sooth_card_score(b->card, i);
        return text;
    }
    return NULL;
}

/* The interval around the prediction for a kernel that the model has not seen: the model's own, where it is
   one of groups; else what nine of ten predictions of groups left out missed by in its validation, else their
   RMSE. What is known of rows of programs seen (a forest's rows, quantiles that were learned, scores of
   shuffled rows) is too narrow for a new kernel: of intervals of 90 % it leaves 19 to 58 %. It is not
   offered. */
static void find_interval(const job *b, const float *prediction, result *r) {
    const sooth_conformal *own = sooth_model_conformal(b->model, 0);
    double error = 0.0;
    if (own && own->claim.promise >= SOOTH_CONFORMAL_OF_GROUPS) {
        float low, high;
        sooth_conformal_interval(own, prediction[0], 1.0f, &low, &high);
        r->low = floored(b, (double)low);
        r->high = floored(b, (double)high);
        snprintf(r->interval, sizeof r->interval,
                 "%.4g %% of the launches of a kernel never seen, by %u programs",
                 100.0 * (double)own->claim.level, (unsigned)own->claim.groups);
        return;
    }
    const char *score = card_score(b, "90 % of errors", &error);
    if (score) snprintf(r->interval, sizeof r->interval, "%.120s", printable(score));
    else if ((score = card_score(b, "RMSE", &error)) != NULL)
        snprintf(r->interval, sizeof r->interval, "plus and minus the %.120s: no stated share lies inside",
                 printable(score));
    r->low = floored(b, (double)prediction[0] - error);
    r->high = floored(b, (double)prediction[0] + error);
}

static void predict(job *b, result *r) {
    float *scratch = (float *)allocate(sooth_model_scratch(b->model, 1) + 1, sizeof *scratch);
    float *row = (float *)allocate(b->model->features, sizeof *row);
    float *prediction = (float *)allocate(b->model->targets, sizeof *prediction);
    char missing[400] = "";
    int is_register = 0;
    for (size_t j = 0; j < b->model->features; ++j) {
        const size_t i = feature_of(b, j);
        double v = r->features.value[i];
        if (v != v && i == SOOTH_PFEA_AVG_SHAR_LAT) v = 0.0; /* no shared memory: 0 in the published tables */
        if (v != v) name_one(missing, sizeof missing, feature_name(b, j));
        if (v != v && i == SOOTH_PFEA_REG_THREAD) is_register = 1;
        row[j] = (float)v;
    }
    if (*missing)
        die(BAD_INPUT, "%s predicts from %s, which is not known here%s", arguments_text(b->args, "predict"),
            missing, is_register ? ": give --regs N" : "");
    sooth_model_predict_many(b->model, row, 1, b->model->features, prediction, scratch, 1);
    r->predicted = (float)floored(b, (double)prediction[0]);
    r->outside = sooth_model_outside(b->model, row);
    find_interval(b, prediction, r);
    free(scratch);
    free(row);
    free(prediction);
}

/* ---- writing ---- */

static const char *target_name(const job *b) {
    const char *name = sooth_card_text(b->card, SOOTH_CARD_TARGET, 0);
    return *name ? name : "target";
}

static void put_number(FILE *to, double v) {
    char text[SOOTH_NUMBER_TEXT];
    sooth_text_from_double(text, v);
    fputs(v == v ? text : "", to);
}

static void put_quoted(FILE *to, const char *text) {
    sooth_sink sink = file_sink(to);
    sooth_csv_put_text(&sink, text, ',');
}

static void put_csv(job *b, const result *r) {
    char *name = kernel_name(b, r->kernel);
    if (b->rows == 0) {
        fprintf(b->to, "file,kernel,gpu");
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
            char unit[60];
            unit_in(i, form_of(b), unit);
            fprintf(b->to, *unit ? ",%s [%s]" : ",%s", sooth_pfea_name(i), unit);
        }
        if (!b->tool)
            for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i) {
                fputs(",n_", b->to);
                for (const char *c = sooth_ptx_kind_name((sooth_ptx_kind)i); *c; ++c)
                    fputc(*c == ' ' ? '_' : *c, b->to);
            }
        if (!b->tool) fprintf(b->to, ",global_bytes,shared_bytes,loops_assumed");
        if (b->model) {
            fprintf(b->to, ",predicted_%s,low,high,outside", target_name(b));
        }
        fputc('\n', b->to);
    }
    put_quoted(b->to, b->path);
    fputc(',', b->to);
    put_quoted(b->to, name);
    fprintf(b->to, ",%s", b->gpu_name);
    for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
        fputc(',', b->to);
        put_number(b->to, r->features.value[i]);
    }
    if (!b->tool) {
        for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i) {
            fputc(',', b->to);
            put_number(b->to, r->counts.kind[i]);
        }
        fputc(',', b->to);
        put_number(b->to,
                   r->counts.loaded[SOOTH_PTX_CLASS_GLOBAL] + r->counts.stored[SOOTH_PTX_CLASS_GLOBAL]);
        fputc(',', b->to);
        put_number(b->to,
                   r->counts.loaded[SOOTH_PTX_CLASS_SHARED] + r->counts.stored[SOOTH_PTX_CLASS_SHARED]);
        fprintf(b->to, ",%u", (unsigned)r->counts.assumed);
    }
    if (b->model) {
        fprintf(b->to, ",%s,", shortest(r->predicted));
        if (*r->interval) put_number(b->to, r->low);
        fputc(',', b->to);
        if (*r->interval) put_number(b->to, r->high);
        fprintf(b->to, ",%u", (unsigned)r->outside);
    }
    fputc('\n', b->to);
    free(name);
}

static void put_json_loops(job *b, const result *r) {
    static const char *const origin[4] = {"not reached", "given", "derived", "assumed"};
    const sooth_ptx *ptx = &b->ptx;
    json_open(&b->j, "loops", '[');
    for (size_t l = 0; l < ptx->loops; ++l) {
        const sooth_ptx_block *header = &ptx->block[ptx->loop[l].header];
        char label[128] = "";
        if (r->counts.origin[l] == SOOTH_PTX_TRIP_NOT_REACHED && header->function != r->kernel) continue;
        if (header->label != SOOTH_PTX_NONE)
            snprintf(label, sizeof label, "%.*s", (int)ptx->label[header->label].name.length,
                     ptx->label[header->label].name.text);
        json_open(&b->j, NULL, '{');
        json_text(&b->j, "label", label);
        json_count(&b->j, "line", header->line);
        json_count(&b->j, "depth", ptx->loop[l].depth);
        json_count(&b->j, "blocks", ptx->loop[l].blocks);
        json_number(&b->j, "trips", r->counts.trip[l]);
        json_text(&b->j, "trips_are", origin[r->counts.origin[l] & 3]);
        json_close(&b->j, '}');
    }
    json_close(&b->j, ']');
}

static void put_json(job *b, const result *r) {
    const sooth_ptx_function *f = &b->ptx.function[r->kernel];
    char *name = kernel_name(b, r->kernel);
    json_open(&b->j, NULL, '{');
    json_text(&b->j, "file", b->path);
    json_text(&b->j, "kernel", name);
    json_count(&b->j, "instructions", f->instructions);
    json_count(&b->j, "blocks", f->blocks);
    json_count(&b->j, "edges", f->edges);
    json_count(&b->j, "irreducible", f->irreducible);
    if (!b->tool) {
        put_json_loops(b, r);
        json_open(&b->j, "classes", '{');
        for (size_t i = 0; i < SOOTH_PTX_CLASSES; ++i)
            json_number(&b->j, sooth_ptx_class_name((sooth_ptx_class)i), r->counts.group[i]);
        json_close(&b->j, '}');
        json_open(&b->j, "kinds", '{');
        for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i)
            json_number(&b->j, sooth_ptx_kind_name((sooth_ptx_kind)i), r->counts.kind[i]);
        json_close(&b->j, '}');
    }
    if (r->grid) {
        json_text(&b->j, "gpu", b->gpu_name);
        json_text(&b->j, "form", sooth_pfea_form_name(form_of(b)));
        json_open(&b->j, "features", '{');
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i)
            json_number(&b->j, sooth_pfea_name(i), r->features.value[i]);
        json_close(&b->j, '}');
    }
    if (b->model) {
        json_open(&b->j, "predicted", '{');
        json_number(&b->j, target_name(b), (double)r->predicted);
        if (*r->interval) {
            json_number(&b->j, "low", r->low);
            json_number(&b->j, "high", r->high);
            json_text(&b->j, "interval", r->interval);
        }
        json_count(&b->j, "outside", r->outside);
        json_close(&b->j, '}');
    }
    json_close(&b->j, '}');
    free(name);
}

static void put_text(job *b, const result *r) {
    sooth_sink sink = file_sink(b->to);
    grid g;
    fprintf(b->to, "%s%s: ", b->rows ? "\n" : "", b->path);
    sooth_ptx_write_function(b->env, &b->ptx, r->kernel, b->tool ? NULL : &r->counts, &sink);
    if (!b->tool) {
        grid_init(&g, 2, 1);
        for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i) {
            if (!(r->counts.kind[i] > 0.0)) continue;
            grid_add(&g, "%s", sooth_ptx_kind_name((sooth_ptx_kind)i));
            grid_add(&g, "%s", plain(r->counts.kind[i]));
        }
        fprintf(b->to, "  instructions of a thread\n");
        grid_print(&g, b->to, "    ");
    }
    if (r->grid) {
        fprintf(b->to, "  features on %s, %s blocks of %s threads%s\n", b->gpu_name, r->grid->text,
                r->block->text,
                b->tool                             ? ", as the authors' program writes them"
                : arguments_has(b->args, "printed") ? ", as printed"
                                                    : "");
        grid_init(&g, 3, 1);
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
            grid_add(&g, "%s", sooth_pfea_name(i));
            grid_add(&g, "%s", plain(r->features.value[i]));
            grid_add(&g, "%s", sooth_pfea_unit(i));
        }
        grid_print(&g, b->to, "    ");
    }
    if (!b->model) return;
    fprintf(b->to, "  %s %s", target_name(b), human((double)r->predicted, 4));
    if (*r->interval) fprintf(b->to, ", %s to %s (%s)", human(r->low, 4), human(r->high, 4), r->interval);
    else
        fprintf(b->to,
                " (no interval: the model was not tested on groups left out, as this kernel is; fit it "
                "with --group)");
    if (r->outside)
        fprintf(b->to, "; a guess at best: %s beyond what the model has seen in training",
                counted(r->outside, "feature is", "features are"));
    fputc('\n', b->to);
}

/* ---- all of them ---- */

static void one_launch(job *b, size_t kernel, const extent *grid_size, const extent *block_size,
                       int is_first) {
    result r;
    memset(&r, 0, sizeof r);
    r.kernel = kernel;
    r.grid = grid_size;
    r.block = block_size;
    if (!b->tool || arguments_text(b->args, "svg")) count(b, &r);
    if (r.grid) {
        r.launch.blocks = r.grid->all;
        r.launch.threads = r.block->all;
        r.launch.registers = arguments_count(b->args, "regs", 0, 1, 255);
        r.launch.shared = arguments_count(
            b->args, "shared",
            (uint32_t)(b->tool ? b->ptx.function[kernel].shared_bytes : r.counts.shared_bytes), 0, 1u << 30);
        extract(b, &r);
    }
    if (is_first && !b->tool) gather(b, &r);
    if (b->model) predict(b, &r);
    if (arguments_text(b->args, "svg")) flow_draw(b->to, &b->ptx, r.kernel, &r.counts);
    else if (arguments_has(b->args, "json")) put_json(b, &r);
    else if (arguments_has(b->args, "csv")) put_csv(b, &r);
    else put_text(b, &r);
    ++b->rows;
    if (r.counts.form) sooth_ptx_counts_free(b->env, &b->ptx, &r.counts);
}

static void one_kernel(job *b, size_t kernel) {
    if (!b->grids) one_launch(b, kernel, NULL, NULL, 1);
    for (size_t g = 0; g < b->grids; ++g)
        for (size_t t = 0; t < b->blocks; ++t) one_launch(b, kernel, &b->grid[g], &b->block[t], g + t == 0);
}

static void one_file(job *b, const char *path) {
    size_t names, kernel;
    char **name = arguments_list(b->args, "kernel", &names);
    char *text = read_file(path, NULL, &b->size);
    b->path = path;
    b->text = text;
    if (sooth_ptx_read(b->env, text, b->size, NULL, &b->ptx) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", path, b->env->sentence);
    if (b->ptx.entries == 0) {
        if (b->ptx.errors)
            die(BAD_INPUT, "%s: line %u, column %u: %s", path, b->ptx.note[0].line, b->ptx.note[0].column,
                b->ptx.note[0].text);
        die(BAD_INPUT, "%s has no kernel (.entry)", path);
    }
    if (arguments_text(b->args, "svg") && names != 1 && b->ptx.entries != 1)
        die(BAD_USE, "%s has %zu kernels and a drawing shows one: give --kernel", path, b->ptx.entries);
    for (size_t i = 0; i < names; ++i) {
        if (sooth_ptx_kernel(b->env, &b->ptx, name[i], &kernel) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", path, b->env->sentence);
        one_kernel(b, kernel);
    }
    for (kernel = 0; !names && kernel < b->ptx.functions; ++kernel)
        if (b->ptx.function[kernel].is_entry && b->ptx.function[kernel].has_body) one_kernel(b, kernel);
    sooth_ptx_free(b->env, &b->ptx);
    free(text);
}

static int run(const arguments *args) {
    static job b;
    const char *svg = arguments_text(args, "svg"), *path = svg ? svg : arguments_text(args, "output");
    const int is_json = arguments_has(args, "json") && !svg;
    kept text, notes;
    read_arguments(&b, args);
    if (svg && (args->words > 1 || b.grids * b.blocks > 1))
        die(BAD_USE, "a drawing shows one kernel with one launch, but there are several");
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), args->word, args->words);
    b.to = kept_open(&text);
    b.notes = kept_open(&notes);
    if (is_json) {
        json_begin(&b.j, b.to);
        json_open(&b.j, "kernels", '[');
    }
    for (size_t i = 0; i < args->words; ++i) one_file(&b, args->word[i]);
    for (size_t i = 0; i < b.loops && !b.tool; ++i)
        if (!b.loop_used[i])
            die(BAD_INPUT, "--loop %s: no kernel here has such a label or line", printable(b.loop[i]));
    for (size_t i = 0; i < b.branches && !b.tool; ++i)
        if (!b.branch_used[i])
            die(BAD_INPUT, "--branch %s: no kernel here has such a label or line", printable(b.branch[i]));
    for (size_t i = 0; i < b.values && !b.tool; ++i)
        if (!b.value_used[i])
            die(BAD_INPUT, "--value %s: no kernel here has such a parameter; %s", printable(b.value[i]),
                *b.params ? b.params : "there are none");
    say_doubts(&b);
    if (is_json) {
        json_close(&b.j, ']');
        json_end(&b.j);
    }
    kept_release(&notes, stderr);
    kept_release(&text, file);
    output_close();
    return finish();
}

extern const command ptx_command;
const command ptx_command = {
    .name = "ptx",
    .summary = "what a GPU kernel will do, from its PTX: loops, instructions, features, watts",
    .usage = "FILE.ptx... [--gpu NAME --grid N --block N] [flags]",
    .least = 1,
    .most = 200,
    .text =
        "Reads the PTX that `nvcc -ptx` writes and shows the flow graph, the loops and how often "
        "everything runs. With --gpu, --grid and --block also the features that power is predicted "
        "from (Alavani et al. 2023), and with --predict what a model makes of them, with the interval for "
        "kernels never seen that it carries (`sooth fit --group COLUMN --interval 0.9`) or else one from "
        "its validation on groups left out; a model fitted without --group has none. Such a model is made by "
        "`sooth fit` from what --csv writes and a column "
        "of watts; the units in that file say which form the features have (corrected, printed, tool), and "
        "--predict takes no others. A model of the tables that the paper's authors published goes with "
        "--compat. Loops of which nobody knows how often they run are named on stderr with what to give.",
    .example = "sooth ptx matmul.ptx --gpu a100 --grid 64 --block 256 --loop '$L__BB0_2=100' --regs 32\n"
               "  sooth ptx *.ptx --gpu k20 --grid 64,128 --block 128,256 --csv -o features.csv",
    .flags = flags,
    .run = run};
