/* ptx.c - sooth ptx: the work of GPU kernels by PTX and launches: loops, instructions, features, watts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../model/model_cli.h"
#include "sooth/conformal.h"
#include "../../gpu/pfea_tool.h"

#include <math.h>

static const flag flags[] = {
    {"gpu", 'g', "NAME or FILE",
     "device: a name, or a file that describes it (sooth gpu); default the device of "
     "the --predict model",
     0},
    {"grid", 0, "N,...",
     "blocks of the grid, such as 64 or 8x8. With several, each is combined with every block size", 1},
    {"block", 'b', "N,...", "threads of a block, such as 256 or 16x16", 1},
    {"launches", 0, "FILE.csv",
     "measured launches in the form of bench/cuda/power.cu: columns kernel, grid, block, and "
     "optionally values, registers, shared_bytes. Writes a CSV with the features and measurements "
     "of each launch",
     0},
    {"measured", 0, "A,B,...", "--launches: measured columns; default time and power", 1},
    {"kernel", 'k', "NAME",
     "this kernel, by its mangled or C++ name, such as sum, sums::sum or 'sum<float, 256>'; default all "
     "kernels in the file",
     1},
    {"loop", 'l', "LABEL=N",
     "trip count of a loop. LABEL is the label of its header, or a line of the PTX inside it", 1},
    {"trips", 'n', "N", "trip count of loops that neither --loop nor the PTX determines; default 1", 0},
    {"branch", 0, "LABEL=P",
     "probability that the branches to a label, or in a line, are taken; default both sides run", 1},
    {"value", 0, "NAME=N",
     "value of a kernel parameter, from which trip counts follow. 3=512 is parameter 3 counted from "
     "0; its name or KERNEL:3=512 work too. Special registers as well: %ntid.x=256. --block sets %ntid, and "
     "--grid %nctaid, along x, y and z. %tid and %ctaid are not set, but a trip count that depends on them "
     "is "
     "that of a thread in the middle",
     1},
    {"regs", 'r', "N", "registers of a thread, as `ptxas -v` prints them", 0},
    {"shared", 's', "BYTES", "shared memory of a block, static and dynamic; default the static part", 0},
    {"printed", 0, NULL,
     "features as the paper prints them, with --trips for every block that has a back edge", 0},
    {"compat", 0, NULL, "features as the program of the paper's authors writes them", 0},
    {"predict", 'p', "MODEL",
     "model file; adds its predictions from the features, in the form that it was fitted to", 0},
    {"svg", 0, "OUT.svg", "draw the control flow graph of the only kernel", 0},
    {"csv", 0, NULL,
     "write CSV: a line for every kernel and launch. Cells about a launch are empty without one, and for a "
     "kernel that the device cannot launch so",
     0},
    JSON_FLAG,
    {"output", 'o', "OUT", "output file; default standard output", 0},
    FORCE_FLAG,
    LAST_FLAG};

/* Parts of a kernel that the counts do not follow. */
enum { RECURSIVE, INDIRECT, ELSEWHERE, MAPPED, UNSIZED, UNSHAPED, IRREDUCIBLE, PARTS_NOT_FOLLOWED };

/* An unknown fact about several loops or kernels: reported once, with their names. */
typedef struct doubt {
    size_t count, kernels;
    size_t last;      /* the last kernel that it concerns, */
    const char *path; /* and its file */
    double times;
    char names[600], advice[200];
} doubt;

typedef struct job {
    const arguments *args;
    const char *command; /* command in error messages: "ptx" or "gpu" */
    size_t files;
    sooth_env *env;
    int printed, compat; /* form of the features, as requested or as the model has it */
    FILE *to, *notes;    /* kept in memory until the command succeeds */
    json j;
    sooth_gpu gpu;
    const pfea_tool_gpu *tool;
    const char *gpu_name;
    extent *grid, *block;
    size_t grids, blocks;
    const char **loop, **branch, **value; /* "NAME=N" */
    size_t loops, branches, values;
    unsigned char *loop_used, *branch_used, *value_used;
    char params[500]; /* names of the parameters of the kernels */
    doubt trips, choices, shared, opcodes, not_followed[PARTS_NOT_FOLLOWED];
    const sooth_model *model;
    const sooth_model_card *card;
    size_t rows; /* written so far */

    launches measured;                /* no rows: not given */
    const launch *at;                 /* the current one */
    size_t refused;                   /* launches that the device cannot run; */
    char refusal[500];                /* the last of them */
    char lacking[SOOTH_ENV_SENTENCE]; /* what the description of the device lacks */
    size_t odd_fits;                  /* launches with fewer or more blocks on an SM than expected; */
    char odd_fit[200];                /* the first of them */

    sooth_ptx_counts *certain,
        *mean; /* what runs for certain, and both sides of branches; NULL: not wanted */

    const char *path; /* the current PTX */
    const char *text;
    size_t size;
    sooth_ptx ptx;
} job;

/* Formats a number without trailing zeros; valid for four more calls. */
static const char *plain(double v) {
    static char ring[4][SOOTH_TEXT_NUMBER_SIZE];
    static unsigned turn;
    char *text = ring[turn++ % 4];
    sooth_text_rounded(text, v, 7);
    return v == v ? text : "unknown";
}

/* ---- arguments ---- */

static extent read_extent(const char *name, const char *text) {
    extent e;
    if (!extent_read(text, &e))
        die(BAD_USE, "--%s is %s, but must be a size from 1 to 2147483647, such as 256 or 16x16", name,
            printable(text));
    return e;
}

static extent *read_extents(const arguments *args, const char *name, size_t *count) {
    char **list = arguments_list(args, name, count);
    extent *e = (extent *)allocate(*count ? *count : 1, sizeof *e);
    for (size_t i = 0; i < *count; ++i) e[i] = read_extent(name, list[i]);
    return e;
}

/* Returns the number after the last "=" of "NAME=N"; dies if there is none. */
static double number_of(const char *flag_name, const char *text) {
    const char *equals = strrchr(text, '=');
    double v;
    size_t n = equals ? strlen(equals + 1) : 0;
    if (!equals || equals == text || n == 0 || sooth_text_to_double(equals + 1, n, &v) != n)
        die(BAD_USE, "--%s is %s, but must be NAME=NUMBER", flag_name, printable(text));
    return v;
}

/* Like number_of, as an integer; dies if it exceeds 64 bits. */
static int64_t whole_of(const char *flag_name, const char *text) {
    const double v = number_of(flag_name, text);
    if (!(v >= -9e18 && v <= 9e18))
        die(BAD_USE, "--%s is %s, but must be between -9e18 and 9e18", flag_name, printable(text));
    return (int64_t)v;
}

/* Returns the text before that "=". */
static char *name_of(const char *text) {
    const size_t n = (size_t)(strrchr(text, '=') - text);
    char *name = (char *)allocate(n + 1, 1);
    memcpy(name, text, n);
    return name;
}

/* Returns the names of --kernel. A comma between < and > is part of a name. */
static char **kernels_of(const arguments *args, size_t *count) {
    char **list = arguments_list(args, "kernel", count);
    size_t n = 0;
    for (size_t i = 0; i < *count; ++i) {
        int depth = 0;
        for (const char *c = n ? list[n - 1] : ""; *c; ++c) depth += *c == '<' ? 1 : *c == '>' ? -1 : 0;
        if (depth <= 0) {
            list[n++] = list[i];
            continue;
        }
        const size_t size = strlen(list[n - 1]) + strlen(list[i]) + 2;
        char *joined = (char *)allocate(size, 1);
        snprintf(joined, size, "%s,%s", list[n - 1], list[i]);
        list[n - 1] = joined;
    }
    *count = n;
    return list;
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

/* Returns the device that the model's card names (sooth fit stores it there), or "". */
static const char *gpu_of_model(const job *b) {
    const char *note = b->card ? sooth_model_card_text(b->card, SOOTH_CARD_NOTE, 0) : "", *found = "";
    for (const char *c = note; (c = strstr(c, GPU_NOTE)) != NULL; c += sizeof GPU_NOTE - 1)
        if (c == note || (c[-1] == ' ' && c - note > 1 && c[-2] == ';')) found = c + sizeof GPU_NOTE - 1;
    return found;
}

/* Reads the device of --gpu, by name or file, or that of the model. The latter only by name, since no model
   may choose which file to open. */
static void read_gpu(job *b, const char *name) {
    if (b->compat) {
        if (pfea_tool_named(b->env, gpu_of_paper(name, 1), &b->tool) != SOOTH_OK)
            die_of(SOOTH_BAD_ARGUMENT, b->env);
        b->gpu_name = b->tool->name;
        return;
    }
    if (arguments_text(b->args, "gpu")) gpu_open(b->env, name, &b->gpu);
    else if (sooth_gpu_named(b->env, name, &b->gpu) != SOOTH_OK)
        die(BAD_USE, "%s was fitted to launches on %s, which is not a known device; give its file with --gpu",
            arguments_text(b->args, "predict"), printable(name));
    b->gpu_name = b->gpu.name;
}

/* The columns of the CSV about a kernel and its launch, all of them features for a model: those of
   sooth/pfea.h, then instructions of a thread by kind, bytes moved, and loops with assumed trip counts. */
enum {
    OF_KINDS = SOOTH_PFEA_FEATURES,
    OF_GLOBAL_BYTES = OF_KINDS + SOOTH_PTX_KINDS,
    OF_SHARED_BYTES,
    OF_LOOPS_ASSUMED,
    FEATURES
};

static const char *name_of_feature(size_t i, char text[60]) {
    static const char *const other[] = {"global_bytes", "shared_bytes", "loops_assumed"};
    if (i < OF_KINDS) return sooth_pfea_name(i);
    if (i >= OF_GLOBAL_BYTES) return other[i - OF_GLOBAL_BYTES];
    snprintf(text, 60, "n_%s", sooth_ptx_kind_name((i - OF_KINDS)));
    for (char *c = text; *c; ++c)
        if (*c == ' ') *c = '_';
    return text;
}

static int has_forms(size_t i) { return i < OF_KINDS ? pfea_has_forms(i) : i < OF_LOOPS_ASSUMED; }

/* Returns the unit of a feature with its form, such as "cycles (corrected)". The CSV passes it to the card of
   a model fitted to it. */
static const char *unit_in(size_t i, size_t form, char text[60]) {
    const char *unit = i < OF_KINDS           ? sooth_pfea_unit(i)
                       : i < OF_GLOBAL_BYTES  ? "instructions"
                       : i < OF_LOOPS_ASSUMED ? "bytes"
                                              : "loops";
    if (has_forms(i)) snprintf(text, 60, "%s (%s)", unit, pfea_form_name(form));
    else snprintf(text, 60, "%s", unit);
    return text;
}

static const char *feature_name(const job *b, size_t j) {
    return sooth_model_card_text(b->card, SOOTH_CARD_FEATURE, j);
}

/* Returns true if this is the name of a feature: its own, or that of the published tables (_sim for _sm,
   "Total Threads"). */
static int is_called(const char *name, const char *here) {
    const size_t n = strlen(name), m = strlen(here);
    if (strcmp(name, here) == 0) return 1;
    if (strcmp(name, "Total Threads") == 0) return strcmp(here, "total_threads") == 0;
    return n == m + 1 && m > 3 && strcmp(name + n - 4, "_sim") == 0 && strcmp(here + m - 3, "_sm") == 0 &&
           memcmp(name, here, m - 3) == 0;
}

/* Returns the feature of a kernel for feature j of the model; FEATURES if there is none. */
static size_t feature_of(const job *b, size_t j) {
    char text[60];
    size_t i = 0;
    while (i < FEATURES && !is_called(feature_name(b, j), name_of_feature(i, text))) ++i;
    return i;
}

/* Appends a name to the list in text. */
static void name_one(char *text, size_t size, const char *name) {
    const size_t n = strlen(text);
    if (n + 110 < size) snprintf(text + n, size - n, n ? ", %.90s" : "%.90s", printable(name));
    else if (text[n - 1] != '.') snprintf(text + n, size - n, ", ...");
}

/* Returns the form of the features that this call writes. */
static size_t form_of(const job *b) {
    if (b->tool) return b->tool->is_2023 ? PFEA_TOOL_2023 : PFEA_TOOL;
    return b->printed ? PFEA_PRINTED : PFEA_CORRECTED;
}

/* Returns the form of feature j of the model, by its unit; PFEA_FORMS if the unit has none. */
static size_t training_form(const job *b, size_t j) {
    const char *unit = sooth_model_card_text(b->card, SOOTH_CARD_FEATURE_UNIT, j);
    char text[60];
    size_t form = 0;
    while (form < PFEA_FORMS && strcmp(unit, unit_in(feature_of(b, j), form, text)) != 0) ++form;
    return form;
}

/* Dies unless the model was fitted to features of the current form. */
static void check_forms(const job *b, const char *path) {
    static const char *const advice[PFEA_FORMS] = {"leave --printed and --compat out",
                                                   "give --printed or neither", "give --compat or neither",
                                                   "give --gpu k20-2023, m60-2023 or v100-2023"};
    char unit[60];
    for (size_t j = 0; j < b->model->head.features; ++j) {
        const size_t i = feature_of(b, j);
        if (!has_forms(i)) continue;
        const size_t form = training_form(b, j);
        if (form == form_of(b) || (form == PFEA_FORMS && b->tool)) continue;
        if (form < PFEA_FORMS)
            die(BAD_INPUT, "%s was fitted to features of the form \"%s\" (%s), but these are \"%s\": %s",
                path, pfea_form_name(form), feature_name(b, j), pfea_form_name(form_of(b)), advice[form]);
        die(BAD_INPUT,
            "%s does not name the form of the features that it was fitted to (%s has the unit \"%s\", not "
            "\"%s\"): a model of the tables published with the paper needs --compat, with --gpu k20-2023, "
            "m60-2023 or v100-2023, since they have that form; otherwise fit to the columns that --csv "
            "writes, with their units",
            path, printable(feature_name(b, j)),
            printable(sooth_model_card_text(b->card, SOOTH_CARD_FEATURE_UNIT, j)),
            unit_in(i, form_of(b), unit));
    }
}

/* Opens the model. Without --printed and --compat the features take its form. */
static void open_model(job *b, const char *path) {
    sooth_model_parts parts;
    char missing[400] = "";
    size_t form = PFEA_FORMS;
    b->model = model_open(b->env, path, NULL);
    sooth_model_open(b->model, &parts);
    b->card = parts.card;
    if (!b->card) die(BAD_INPUT, "%s does not name its features", path);
    for (size_t j = 0; j < b->model->head.features; ++j) {
        const size_t i = feature_of(b, j);
        if (i == FEATURES) name_one(missing, sizeof missing, feature_name(b, j));
        else if (has_forms(i) && form == PFEA_FORMS) form = training_form(b, j);
    }
    if (*missing)
        die(BAD_INPUT,
            "%s needs %s, which neither the PTX nor the launch determines: a model for this command is "
            "fitted to columns that --csv writes, and to no measured column (sooth fit --drop)",
            path, missing);
    if (b->compat || b->printed || form == PFEA_FORMS) return;
    b->printed = form == PFEA_PRINTED;
    b->compat = form >= PFEA_TOOL;
    if (form == PFEA_TOOL_2023 && b->gpu_name && !strstr(b->gpu_name, "-2023")) {
        char *name = (char *)allocate(strlen(b->gpu_name) + 6, 1);
        b->gpu_name = strcat(strcpy(name, b->gpu_name), "-2023");
    }
}

/* The published tables call a device k20-2023. */
static int is_same_device(const char *a, const char *b) {
    const size_t n = strcspn(a, "-"), m = strcspn(b, "-");
    if (strcmp(a, b) == 0) return 1;
    return n == m && memcmp(a, b, n) == 0 && (!a[n] || strcmp(a + n, "-2023") == 0) &&
           (!b[m] || strcmp(b + m, "-2023") == 0);
}

/* Warns about differences from the training data that do not make the prediction meaningless. */
static void check_model_origin(const job *b, const char *path) {
    const char *gpu = gpu_of_model(b);
    if (*gpu && !is_same_device(gpu, b->gpu_name))
        fprintf(b->notes,
                "sooth ptx: %s was fitted to launches on %s, not on %s, the device of these features\n", path,
                printable(gpu), printable(b->gpu_name));
    if (!b->tool || b->tool->is_2023) return;
    for (size_t j = 0; j < b->model->head.features; ++j) {
        if (!has_forms(feature_of(b, j)) || training_form(b, j) < PFEA_FORMS) continue;
        fprintf(
            b->notes,
            "sooth ptx: %s does not name the form of its features: assumed is the form of the authors' "
            "program; for the tables published with the paper give --gpu k20-2023, m60-2023 or v100-2023\n",
            path);
        return;
    }
}

/* Reads the flags about loops, branches and values. */
static void read_given(job *b, const arguments *args) {
    b->args = args;
    b->loop = all_of(args, "loop", &b->loops);
    b->branch = all_of(args, "branch", &b->branches);
    b->value = all_of(args, "value", &b->values);
    b->loop_used = (unsigned char *)allocate(b->loops + 1, 1);
    b->branch_used = (unsigned char *)allocate(b->branches + 1, 1);
    b->value_used = (unsigned char *)allocate(b->values + 1, 1);
}

static void read_arguments(job *b, const arguments *args) {
    const char *model = arguments_text(args, "predict"), *path = arguments_text(args, "launches");
    b->env = env_open(args);
    b->command = "ptx";
    b->files = args->words;
    read_given(b, args);
    b->grid = read_extents(args, "grid", &b->grids);
    b->block = read_extents(args, "block", &b->blocks);
    b->compat = arguments_has(args, "compat");
    b->printed = arguments_has(args, "printed");
    if (b->compat && b->printed)
        die(BAD_USE, "--compat and --printed are two forms of the features; give one of them");
    if (arguments_has(args, "json") && arguments_has(args, "csv"))
        die(BAD_USE, "--json and --csv cannot both be written; give one of them");
    if (path && (b->grids || b->blocks || arguments_has(args, "kernel") || arguments_has(args, "svg")))
        die(BAD_USE, "--launches names kernels, grids and blocks, and draws nothing: leave out --kernel, "
                     "--grid, --block and --svg");
    if (arguments_has(args, "measured") && !path) die(BAD_USE, "--measured names columns of --launches");
    b->gpu_name = arguments_text(args, "gpu");
    if (model) open_model(b, model);
    if (!b->gpu_name && *gpu_of_model(b)) b->gpu_name = gpu_of_model(b);
    if (b->gpu_name) {
        if (!path && (!b->grids || !b->blocks))
            die(BAD_USE, "the features need the launch: give --grid and --block");
        read_gpu(b, b->gpu_name);
    } else if (b->grids || b->blocks || path || b->compat || b->printed || model) {
        die(BAD_USE,
            "the features need the device: give --gpu, one of k20, m60, p100, t4, v100, a100, l4, rtx4090, "
            "h100, h200 or a file");
    }
    if (model) {
        check_forms(b, model);
        check_model_origin(b, model);
    }
    if (path) launches_read(b->env, args, path, &b->measured);
}

/* ---- one kernel, one launch ---- */

/* The prediction of one target. */
typedef struct outcome {
    double value;
    double low, high;   /* of the interval, if there is one */
    char interval[200]; /* its kind; "": none */
} outcome;

/* Everything about one line of the CSV. */
typedef struct result {
    size_t kernel;
    const extent *grid, *block;
    sooth_gpu_launch launch;
    sooth_ptx_counts counts;
    sooth_pfea features;
    int is_refused;     /* the device cannot run it: the features are unknown */
    outcome *predicted; /* of each target */
    uint32_t outside;
} result;

/* Returns the bytes that a thread moves, with its share of those that one thread moves for its block. */
static double bytes_of(const result *r, unsigned class_of_memory) {
    const sooth_ptx_counts *c = &r->counts;
    const double block = c->block_loaded[class_of_memory] + c->block_stored[class_of_memory];
    return c->loaded[class_of_memory] + c->stored[class_of_memory] +
           (r->block ? block / (double)r->block->all : 0.0);
}

static double value_of_feature(const result *r, size_t i) {
    const sooth_ptx_counts *c = &r->counts;
    if (i < OF_KINDS) return r->features.value[i];
    if (!c->form) return (double)NAN; /* the authors' program does not count these */
    if (i < OF_GLOBAL_BYTES) return c->kind[i - OF_KINDS];
    if (i == OF_GLOBAL_BYTES) return bytes_of(r, SOOTH_PTX_CLASS_GLOBAL);
    if (i == OF_SHARED_BYTES) return bytes_of(r, SOOTH_PTX_CLASS_SHARED);
    return (double)c->assumed;
}

static char *kernel_name(const job *b, size_t kernel) {
    const sooth_ptx_word *name = &b->ptx.function[kernel].name;
    char *copy = (char *)allocate(name->length + 1, 1);
    memcpy(copy, name->text, name->length);
    return copy;
}

/* Returns true if a label or line is in this kernel, or in a function that kernels call. */
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

/* Returns the parameter of this kernel, or of a function that kernels call, with this name; NULL if there is
   none. */
static const sooth_ptx_variable *param_of(const job *b, size_t kernel, const char *name) {
    const size_t own = sooth_ptx_param_find(&b->ptx, kernel, name);
    if (own != SOOTH_NONE) return &b->ptx.variable[b->ptx.function[kernel].param + own];
    for (size_t i = 0; i < b->ptx.variables; ++i) {
        const sooth_ptx_variable *v = &b->ptx.variable[i];
        if (v->space == SOOTH_PTX_CLASS_PARAM && v->function != SOOTH_PTX_NONE &&
            !b->ptx.function[v->function].is_entry && v->name.length == strlen(name) &&
            memcmp(v->name.text, name, v->name.length) == 0)
            return v;
    }
    return NULL;
}

/* Returns true if "3", "param_3", "KERNEL:3" or the full name of a parameter belongs to this kernel or to a
   function that kernels call; *rest is the text after the colon. */
static int is_param(const job *b, size_t kernel, char *name, const char **rest) {
    char *colon = strrchr(name, ':');
    size_t of = kernel;
    *rest = name;
    if (name[0] == '%') return 1;
    if (colon) {
        *colon = 0;
        *rest = colon + 1;
        sooth_ptx_kernel_named(NULL, &b->ptx, name, &of);
        *colon = ':';
        if (of != kernel) return 0;
    }
    return param_of(b, kernel, *rest) != NULL;
}

/* Reads the value of a parameter or special register; dies if it is a fraction for an integer, or does not
   fit. An integer of nvcc is .u32 or .u64 also if it has a sign. */
static int64_t value_of(const job *b, size_t kernel, const char *name, const char *text) {
    const sooth_ptx_variable *v = name[0] == '%' ? NULL : param_of(b, kernel, name);
    const int is_wide = strstr(name, "64") || strstr(name, "timer"); /* %clock64 */
    const uint64_t bytes = v ? v->bytes : is_wide ? 8 : 4;
    const double value = number_of("value", text), whole = (double)whole_of("value", text);
    const int is_float = v && (v->type == SOOTH_PTX_TYPE_F32 || v->type == SOOTH_PTX_TYPE_F64 ||
                               v->type == SOOTH_PTX_TYPE_F16 || v->type == SOOTH_PTX_TYPE_BF16);
    if (is_float) return (int64_t)whole;
    if (value < whole || value > whole)
        die(BAD_USE, "--value %s is a fraction, but %s is an integer", printable(text), printable(name));
    if (bytes == 1 || bytes == 2 || bytes == 4) {
        const double most = bytes == 1 ? 255.0 : bytes == 2 ? 65535.0 : 4294967295.0;
        const double least = name[0] == '%' ? 0.0 : -(most + 1.0) / 2.0;
        if (!(value >= least && value <= most))
            die(BAD_USE, "--value %s is out of range: %s has %u bits, so it is %.0f to %.0f", printable(text),
                printable(name), (unsigned)(8 * bytes), least, most);
    }
    return (int64_t)whole;
}

/* Lists the parameters of a kernel, for the error about a missing one. */
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

/* Collects the values of this kernel from its measured launch and --value; returns their number. */
static size_t take_values(job *b, size_t kernel, sooth_ptx_value *value) {
    size_t n = 0;
    int all = 1;
    for (size_t i = 0; b->at && i < b->at->values; ++i) {
        char *name = name_of(b->at->value[i]);
        if (!is_param(b, kernel, name, &value[n].name))
            die(BAD_INPUT, "%s: line %zu: the kernel %s has no parameter %s", b->measured.path, b->at->line,
                printable(b->at->kernel), printable(name));
        value[n].value = value_of(b, kernel, value[n].name, b->at->value[i]);
        ++n;
    }
    for (size_t i = 0; i < b->values; ++i) {
        const char *rest;
        if (!is_param(b, kernel, name_of(b->value[i]), &rest)) {
            all = 0;
            continue;
        }
        b->value_used[i] = 1;
        is_param(b, kernel, name_of(b->value[i]), &value[n].name);
        value[n].value = value_of(b, kernel, value[n].name, b->value[i]);
        ++n;
    }
    if (!all) name_params(b, kernel);
    return n;
}

/* Trip counts that depend on the thread, such as loops over the stride of a grid, are those of a thread in
   the middle of the launch. Its values are given to the other loops. Branches are counted for all threads. */
static void count_middle(const job *b, result *r, sooth_ptx_count_options *trips, sooth_ptx_value *value,
                         sooth_ptx_given *loop) {
    static const char *const place[6] = {"%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z"};
    const size_t values = trips->values, loops = trips->loops;
    sooth_ptx_counts middle;
    uint8_t *derived = (uint8_t *)allocate(b->ptx.loops + 1, 1);
    for (size_t i = 0; i < 6; ++i) {
        value[trips->values].name = place[i];
        value[trips->values++].value = (i < 3 ? r->block->by[i] : r->grid->by[i - 3]) / 2;
    }
    if (sooth_ptx_count(b->env, &b->ptx, r->kernel, trips, &middle) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    trips->values = values;
    for (size_t l = 0; l < b->ptx.loops; ++l) {
        derived[l] =
            r->counts.origin[l] == SOOTH_PTX_TRIP_ASSUMED && middle.origin[l] == SOOTH_PTX_TRIP_DERIVED;
        if (!derived[l]) continue;
        loop[trips->loops].label = NULL;
        loop[trips->loops].line = b->ptx.block[b->ptx.loop[l].header].line;
        loop[trips->loops++].value = middle.trip[l];
    }
    sooth_ptx_counts_free(b->env, &b->ptx, &middle);
    if (trips->loops > loops) {
        sooth_ptx_counts_free(b->env, &b->ptx, &r->counts);
        if (sooth_ptx_count(b->env, &b->ptx, r->kernel, trips, &r->counts) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
        for (size_t l = 0; l < b->ptx.loops; ++l)
            if (derived[l] && r->counts.origin[l] == SOOTH_PTX_TRIP_GIVEN)
                r->counts.origin[l] = SOOTH_PTX_TRIP_DERIVED;
    }
    free(derived);
}

static void count_once(const job *b, const result *r, sooth_ptx_count_options *trips, uint32_t certain,
                       sooth_ptx_counts *out) {
    trips->certain = certain;
    if (sooth_ptx_count(b->env, &b->ptx, r->kernel, trips, out) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    trips->certain = 0;
}

/* Adds what a thread does, and not what it issues for its block, this many times. */
static void add_counts(const sooth_ptx *ptx, sooth_ptx_counts *sum, const sooth_ptx_counts *one,
                       double times) {
    double *const to[] = {&sum->total,  sum->kind,     sum->loaded,    sum->stored,
                          sum->tensor,  &sum->unsized, &sum->unshaped, &sum->unknown,
                          &sum->shared, &sum->table,   sum->chain};
    const double *const from[] = {&one->total,  one->kind,     one->loaded,    one->stored,
                                  one->tensor,  &one->unsized, &one->unshaped, &one->unknown,
                                  &one->shared, &one->table,   one->chain};
    static const size_t count[] = {
        1, SOOTH_PTX_KINDS, SOOTH_PTX_CLASSES, SOOTH_PTX_CLASSES, SOOTH_PTX_TENSORS, 1, 1, 1, 1,
        1, SOOTH_PTX_LINKS};
    for (size_t i = 0; i < ptx->forms; ++i) sum->form[i] += times * one->form[i];
    for (size_t k = 0; k < sizeof count / sizeof count[0]; ++k)
        for (size_t i = 0; i < count[k]; ++i) to[k][i] += times * from[k][i];
    for (size_t i = 0; i < ptx->blocks; ++i) sum->both[i] |= one->both[i];
}

/* The blocks of an axis that stand for all: the first and the last for themselves, some between for the
   others. */
typedef struct some_blocks {
    uint32_t at[32], count;
    double weight[32];
} some_blocks;

static void some_blocks_of(uint32_t all, uint32_t between, some_blocks *s) {
    const uint32_t inner = all > 2 ? (all - 2 < between ? all - 2 : between) : 0;
    s->count = 0;
    s->at[s->count] = 0;
    s->weight[s->count++] = 1.0;
    for (uint32_t i = 0; i < inner; ++i) {
        s->at[s->count] = 1 + (uint32_t)((2.0 * i + 1.0) * (all - 2) / (2.0 * inner));
        s->weight[s->count++] = (double)(all - 2) / inner;
    }
    if (all < 2) return;
    s->at[s->count] = all - 1;
    s->weight[s->count++] = 1.0;
}

/* Replaces what a thread does by the mean of the threads of some blocks, if %tid and %ctaid decide branches.
   */
static void count_threads(const job *b, const result *r, sooth_ptx_count_options *trips,
                          sooth_ptx_value *value) {
    static const char *const place[6] = {"%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z"};
    const uint32_t *grid_by = r->grid->by, *by = r->block->by;
    const size_t values = trips->values, axes = (grid_by[0] > 1) + (grid_by[1] > 1) + (grid_by[2] > 1);
    const uint32_t threads = r->block->all < SOOTH_GPU_MAX_THREADS ? r->block->all : SOOTH_GPU_MAX_THREADS;
    sooth_ptx_counts one, *const sum[2] = {b->mean, b->certain};
    const double room = 2e6 / ((double)threads * b->ptx.function[r->kernel].instructions); /* blocks */
    const uint32_t between = room < 20.0 ? 1 : axes > 2 ? 1 : axes > 1 ? 2 : room < 100.0 ? 6 : 30;
    some_blocks some[3];
    double weights = 0.0;
    for (size_t i = 0; i < 6; ++i) {
        value[values + i].name = place[i];
        value[values + i].value = (i < 3 ? by[i] : grid_by[i - 3]) / 2;
    }
    trips->values = values + 6;
    count_once(b, r, trips, 0, &one);
    const int helps = one.undecided < r->counts.undecided && room >= 1.0; /* else it takes seconds */
    sooth_ptx_counts_free(b->env, &b->ptx, &one);
    for (unsigned k = 0; k < 3; ++k) some_blocks_of(grid_by[k], between, &some[k]);
    for (unsigned k = 0; k < 2 && helps; ++k) {
        add_counts(&b->ptx, sum[k], sum[k], -1.0);
        memset(sum[k]->both, 0, b->ptx.blocks);
    }
    for (uint32_t at = 0; helps && at < some[0].count * some[1].count * some[2].count; ++at) {
        const uint32_t i[3] = {at % some[0].count, at / some[0].count % some[1].count,
                               at / some[0].count / some[1].count};
        const double weight = some[0].weight[i[0]] * some[1].weight[i[1]] * some[2].weight[i[2]];
        for (unsigned k = 0; k < 3; ++k) value[values + 3 + k].value = some[k].at[i[k]];
        for (uint32_t t = 0; t < threads; ++t) {
            value[values].value = t % by[0];
            value[values + 1].value = t / by[0] % by[1];
            value[values + 2].value = t / by[0] / by[1];
            for (uint32_t k = 0; k < 2; ++k) {
                count_once(b, r, trips, k, &one);
                add_counts(&b->ptx, sum[k], &one, weight);
                sooth_ptx_counts_free(b->env, &b->ptx, &one);
            }
            weights += weight;
        }
    }
    trips->values = values;
    if (!helps) return;
    for (unsigned k = 0; k < 2; ++k) { /* the mean */
        add_counts(&b->ptx, sum[k], sum[k], 1.0 / weights - 1.0);
        for (size_t i = sum[k]->undecided = 0; i < b->ptx.blocks; ++i) sum[k]->undecided += sum[k]->both[i];
    }
}

static void count(job *b, result *r) {
    static const char *const axis[6] = {"%ntid.x",   "%ntid.y",   "%ntid.z",
                                        "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    sooth_ptx_count_options trips;
    sooth_ptx_given *loop = (sooth_ptx_given *)allocate(b->loops + b->ptx.loops + 1, sizeof *loop);
    sooth_ptx_given *branch = (sooth_ptx_given *)allocate(b->branches + 1, sizeof *branch);
    sooth_ptx_value *value =
        (sooth_ptx_value *)allocate(b->values + (b->at ? b->at->values : 0) + 12, sizeof *value);
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
    trips.as_published = (uint32_t)b->printed;
    if (arguments_text(b->args, "trips")) {
        const char *text = arguments_text(b->args, "trips");
        if (sooth_text_to_double(text, strlen(text), &trips.default_trip) != strlen(text) ||
            !(trips.default_trip > 0.0))
            die(BAD_USE, "--trips is %s, but must be a number above 0", printable(text));
    }
    if (sooth_ptx_count(b->env, &b->ptx, r->kernel, &trips, &r->counts) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    const size_t loops = trips.loops;
    if (r->grid && r->counts.assumed && !b->printed) count_middle(b, r, &trips, value, loop);
    if (b->certain) {
        count_once(b, r, &trips, 0, b->mean);
        count_once(b, r, &trips, 1, b->certain);
        trips.loops = loops;
        if (r->counts.undecided) count_threads(b, r, &trips, value);
    }
    free(loop);
    free(branch);
    free(value);
}

/* Records an unknown fact; `what` names it. */
static void add_doubt(const job *b, doubt *d, size_t kernel, double times, const char *what) {
    char *name = kernel_name(b, kernel), text[200];
    if (d->path != b->path || d->last != kernel) ++d->kernels;
    d->path = b->path;
    ++d->count;
    d->last = kernel;
    d->times += times;
    snprintf(text, sizeof text, "%s%s%s%s%s", b->files > 1 ? b->path : "", b->files > 1 ? ": " : "", what,
             *what ? " in " : "", name);
    name_one(d->names, sizeof d->names, text);
    free(name);
}

/* Collects the unknown facts about a kernel; print_doubts prints them. */
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
    for (size_t i = 0; b->mean && i < ptx->blocks; ++i) {
        const sooth_ptx_block *to = &ptx->block[ptx->edge[ptx->block[i].edge]];
        if (!b->mean->both[i]) continue;
        if (to->label == SOOTH_PTX_NONE) snprintf(label, sizeof label, "%u=P", (unsigned)to->line);
        else
            snprintf(label, sizeof label, "'%.*s=P'",
                     ptx->label[to->label].name.length < 50 ? (int)ptx->label[to->label].name.length : 50,
                     ptx->label[to->label].name.text);
        add_doubt(b, &b->choices, r->kernel, 0.0, label);
    }
    if (ptx->function[r->kernel].dynamic_shared && !arguments_text(b->args, "shared") &&
        !(b->at && b->at->shared != UINT32_MAX))
        add_doubt(b, &b->shared, r->kernel, 0.0, "");
    if (r->counts.unknown > 0.0) add_doubt(b, &b->opcodes, r->kernel, r->counts.unknown, "");
    double mapped = -r->counts.awaited, unsized = r->counts.unsized + r->counts.block_unsized;
    for (size_t i = 0; i < ptx->forms; ++i) /* a tensor map has the size */
        if (ptx->form[i].flags & SOOTH_PTX_FORM_MAPPED) mapped += r->counts.form[i];
    unsized = unsized - mapped > 1e-9 * unsized ? unsized - mapped : 0.0;
    const double times[PARTS_NOT_FOLLOWED] = {[RECURSIVE] = r->counts.recursive,
                                              [INDIRECT] = r->counts.indirect,
                                              [ELSEWHERE] = r->counts.bodiless,
                                              [MAPPED] = mapped,
                                              [UNSIZED] =
                                                  r->counts.unsized + r->counts.block_unsized - mapped,
                                              [UNSHAPED] = r->counts.unshaped + r->counts.block_unshaped,
                                              [IRREDUCIBLE] = r->counts.irreducible};
    for (size_t i = 0; i < PARTS_NOT_FOLLOWED; ++i)
        if (times[i] > 0.0) add_doubt(b, &b->not_followed[i], r->kernel, times[i], "");
}

/* Prints unknown facts on stderr, each once, with the flag that sets it. */
static void print_doubts(const job *b) {
    if (*b->lacking)
        fprintf(b->notes, "sooth %s: %s; features that need it are unknown\n", b->command, b->lacking);
    if (b->trips.count)
        fprintf(
            b->notes,
            "sooth %s: unknown trip count of %s in %s, %s: give --trips N for all such loops, or --loop %s\n",
            b->command, counted(b->trips.count, "loop", "loops"),
            counted(b->trips.kernels, "kernel", "kernels"), b->trips.advice, b->trips.names);
    if (b->choices.count)
        fprintf(b->notes,
                "sooth %s: %s of %s %s undecided: both sides run in ms, neither in low and roof: give the "
                "share of "
                "threads that take each, or values that decide it (--value): --branch %s\n",
                b->command, counted(b->choices.count, "branch", "branches"),
                counted(b->choices.kernels, "kernel", "kernels"), b->choices.count > 1 ? "are" : "is",
                b->choices.names);
    if (b->shared.count)
        fprintf(b->notes,
                "sooth %s: shared memory of %s is sized at the launch; only the static bytes are assumed: "
                "give --shared BYTES (%s)\n",
                b->command, counted(b->shared.kernels, "kernel", "kernels"), b->shared.names);
    if (b->opcodes.count)
        fprintf(b->notes, "sooth %s: %s instructions in %s have unknown opcodes; they count as misc (%s)\n",
                b->command, plain(b->opcodes.times), counted(b->opcodes.kernels, "kernel", "kernels"),
                b->opcodes.names);
    static const char unshaped[] =
        "matrix products whose shape is not in the PTX count without their operations "
        "(give the descriptor of tcgen05.mma by --value if it is a parameter)";
    static const char *const what[PARTS_NOT_FOLLOWED] = {
        [RECURSIVE] = "recursive calls are followed once",
        [INDIRECT] = "calls through a register are not followed",
        [ELSEWHERE] = "calls of functions outside the file are not followed",
        [MAPPED] = "copies by a tensor map, which has their size, count without their bytes",
        [UNSIZED] = "copies with their size in a register count without their bytes",
        [UNSHAPED] = unshaped,
        [IRREDUCIBLE] = "loops with several entries are not counted as loops; here are their back edges"};
    for (size_t i = 0; i < PARTS_NOT_FOLLOWED; ++i) {
        const doubt *d = &b->not_followed[i];
        if (d->count)
            fprintf(b->notes, "sooth %s: %s: %s in %s (%s)\n", b->command, what[i], plain(d->times),
                    counted(d->kernels, "kernel", "kernels"), d->names);
    }
}

/* Leaves the features of the launch unknown. Dies if they are needed, or if the launch was measured. */
static void refuse(job *b, result *r) {
    char name[200];
    sooth_ptx_kernel_name(&b->ptx, r->kernel, name, sizeof name);
    if (b->at) die(BAD_INPUT, "%s: line %zu: %s: %s", b->measured.path, b->at->line, name, b->env->sentence);
    snprintf(b->refusal, sizeof b->refusal, "%.150s: %.90s: %s", b->path, printable(name), b->env->sentence);
    if (b->model) die(BAD_INPUT, "%s", b->refusal);
    fprintf(b->notes, "sooth ptx: %s: the features of this launch are unknown\n", b->refusal);
    for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) r->features.value[i] = (double)NAN;
    r->is_refused = 1;
    ++b->refused;
}

static void extract(job *b, result *r) {
    sooth_pfea_options options;
    sooth_status status;
    memset(&options, 0, sizeof options);
    options.as_published = (uint32_t)b->printed;
    if (b->tool) {
        pfea_tool_counts counts;
        status = pfea_tool_count(b->env, b->text, b->size, b->ptx.function[r->kernel].name, &counts);
        if (status == SOOTH_OK)
            status = pfea_tool_features(b->env, b->tool, &counts, &r->launch, b->tool->compute, &r->features);
    } else {
        sooth_gpu_fit fit;
        status = sooth_gpu_launch_check(b->env, &b->gpu, &b->ptx, r->kernel, &r->launch, &fit);
        if (status == SOOTH_OK && sooth_pfea_extract(b->env, &b->ptx, r->kernel, &r->counts, &b->gpu,
                                                     &r->launch, &options, &r->features) != SOOTH_OK) {
            snprintf(b->lacking, sizeof b->lacking, "%s", b->env->sentence);
            options.partial = 1;
            status = sooth_pfea_extract(b->env, &b->ptx, r->kernel, &r->counts, &b->gpu, &r->launch, &options,
                                        &r->features);
        }
    }
    if (status != SOOTH_OK) refuse(b, r);
}

/* A quantity that was never below 0 in training, such as watts and seconds, is never predicted below 0. */
static double floored(const job *b, size_t t, double v) {
    const float least = sooth_model_card_range(b->card)[2 * (b->model->head.features + t)];
    const char *unit = sooth_model_card_text(b->card, SOOTH_CARD_TARGET_UNIT, t);
    return v < 0.0 && (least >= 0.0f || strcmp(unit, "W") == 0) ? 0.0 : v;
}

/* Returns the score of target t on the model's card whose name has this prefix and that is of left-out
   groups; NULL if there is none. With several targets, scores begin with the name of the target. */
static const char *card_score(const job *b, size_t t, const char *name, double *score) {
    const char *target = sooth_model_card_text(b->card, SOOTH_CARD_TARGET, t);
    const size_t n = strlen(target);
    for (size_t i = 0; b->card->groups && i < b->card->scores; ++i) {
        const char *text = sooth_model_card_text(b->card, SOOTH_CARD_SCORE, i);
        if (b->model->head.targets > 1) {
            if (strncmp(text, target, n) != 0 || strncmp(text + n, ": ", 2) != 0) continue;
            text += n + 2;
        }
        if (strncmp(text, name, strlen(name)) != 0 || !strstr(text, ", unseen ")) continue;
        *score = sooth_model_card_score(b->card, i);
        return text;
    }
    return NULL;
}

/* The interval of a prediction for an unseen kernel: the model's own if it is of groups; else the 90 % error
   of left-out groups in its validation, else their RMSE. Errors on rows of seen programs (a forest's rows,
   fitted quantiles, scores of shuffled rows) are too small for a new kernel: their 90 % intervals miss 19 to
   58 % of them. They are not offered. */
static void find_interval(const job *b, size_t t, float prediction, outcome *o) {
    const sooth_conformal *own = sooth_model_conformal(b->model, (uint32_t)t);
    double error = 0.0;
    if (own && own->claim.promise >= SOOTH_CONFORMAL_OF_GROUPS) {
        float low, high;
        sooth_conformal_interval(own, prediction, 1.0f, &low, &high);
        o->low = floored(b, t, (double)low);
        o->high = floored(b, t, (double)high);
        snprintf(o->interval, sizeof o->interval,
                 "%.4g %% of the launches of an unseen kernel, calibrated on %u programs",
                 100.0 * (double)own->claim.level, (unsigned)own->claim.groups);
        return;
    }
    const char *score = card_score(b, t, "90 % of errors", &error);
    if (score) snprintf(o->interval, sizeof o->interval, "%.120s", printable(score));
    else if ((score = card_score(b, t, "RMSE", &error)) != NULL)
        snprintf(o->interval, sizeof o->interval, "plus and minus the %.120s: the share inside is unknown",
                 printable(score));
    o->low = floored(b, t, (double)prediction - error);
    o->high = floored(b, t, (double)prediction + error);
}

static void predict(job *b, result *r) {
    void *scratch = allocate(sooth_model_scratch_size(b->model, 1) + 1, 1);
    float *row = (float *)allocate(b->model->head.features, sizeof *row);
    float *prediction = (float *)allocate(b->model->head.targets, sizeof *prediction);
    char missing[400] = "";
    int is_register = 0;
    for (size_t j = 0; j < b->model->head.features; ++j) {
        const size_t i = feature_of(b, j);
        double v = value_of_feature(r, i);
        if (v != v && i == SOOTH_PFEA_AVG_SHAR_LAT) v = 0.0; /* no shared memory: 0 in the published tables */
        if (v != v) name_one(missing, sizeof missing, feature_name(b, j));
        if (v != v && i == SOOTH_PFEA_REG_THREAD) is_register = 1;
        row[j] = (float)v;
    }
    if (*missing)
        die(BAD_INPUT, "%s predicts from %s, which is unknown here%s", arguments_text(b->args, "predict"),
            missing,
            is_register ? ": give --regs N"
            : b->tool && !b->tool->is_2023
                ? ": of the published tables only --gpu k20-2023 and m60-2023 have it"
                : "");
    sooth_model_predict_many(b->model, row, 1, b->model->head.features, prediction, scratch, 1);
    r->predicted = (outcome *)allocate(b->model->head.targets, sizeof *r->predicted);
    for (size_t t = 0; t < b->model->head.targets; ++t) {
        r->predicted[t].value = floored(b, t, (double)prediction[t]);
        find_interval(b, t, prediction[t], &r->predicted[t]);
    }
    r->outside = sooth_model_outside(b->model, row);
    free(scratch);
    free(row);
    free(prediction);
}

/* ---- writing ---- */

static const char *target_name(const job *b, size_t t) {
    const char *name = sooth_model_card_text(b->card, SOOTH_CARD_TARGET, t);
    return *name ? name : "target";
}

static void put_quoted(FILE *to, const char *text) {
    sooth_sink sink = sooth_file_sink(to);
    sooth_csv_put_text(&sink, text, ',');
}

static size_t features_written(const job *b) { return b->tool ? (size_t)OF_KINDS : (size_t)FEATURES; }

static void put_header(const job *b) {
    char name[60], unit[60], text[300];
    fprintf(b->to, "file,kernel," GPU_COLUMN);
    for (size_t i = 0; i < features_written(b); ++i) {
        unit_in(i, form_of(b), unit);
        fprintf(b->to, *unit ? ",%s [%s]" : ",%s", name_of_feature(i, name), unit);
    }
    for (size_t k = 0; k < b->measured.columns; ++k) {
        fputc(',', b->to);
        put_quoted(b->to, b->measured.measured[k]);
    }
    for (size_t t = 0; b->model && t < b->model->head.targets; ++t) {
        static const char *const stem[] = {"predicted_", "low_", "high_"};
        for (size_t k = 0; k < 3; ++k) {
            if (k && b->model->head.targets == 1) snprintf(text, sizeof text, "%s", k == 1 ? "low" : "high");
            else snprintf(text, sizeof text, "%s%.200s", stem[k], target_name(b, t));
            fputc(',', b->to);
            put_quoted(b->to, text);
        }
    }
    fputs(b->model ? ",outside\n" : "\n", b->to);
}

static void put_csv(job *b, const result *r) {
    char *name = kernel_name(b, r->kernel);
    if (b->rows == 0) put_header(b);
    put_quoted(b->to, b->path);
    fputc(',', b->to);
    put_quoted(b->to, name);
    fputc(',', b->to);
    put_quoted(b->to, b->gpu_name ? b->gpu_name : "");
    for (size_t i = 0; i < features_written(b); ++i) {
        fputc(',', b->to);
        put_double(b->to, value_of_feature(r, i));
    }
    for (size_t k = 0; k < b->measured.columns; ++k)
        fprintf(b->to, ",%s", b->at->measured[k] > 0.0 ? shortest((float)b->at->measured[k]) : "");
    for (size_t t = 0; r->predicted && t < b->model->head.targets; ++t) {
        const outcome *o = &r->predicted[t];
        fprintf(b->to, ",%s,", shortest((float)o->value));
        if (*o->interval) put_double(b->to, o->low);
        fputc(',', b->to);
        if (*o->interval) put_double(b->to, o->high);
    }
    if (r->predicted) fprintf(b->to, ",%u", (unsigned)r->outside);
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

/* The operations of matrix products by data type: a thread's share, and those of a block. */
static void put_json_products(job *b, const result *r) {
    json_open(&b->j, "products", '{');
    for (size_t i = 0; i < SOOTH_PTX_TENSORS; ++i) {
        if (!(r->counts.tensor[i] + r->counts.block_tensor[i] > 0.0)) continue;
        json_open(&b->j, sooth_ptx_tensor_name(i), '{');
        json_number(&b->j, "thread", r->counts.tensor[i]);
        json_number(&b->j, "block", r->counts.block_tensor[i]);
        json_close(&b->j, '}');
    }
    json_close(&b->j, '}');
}

static void put_products(const job *b, const result *r) {
    const sooth_ptx_counts *c = &r->counts;
    grid g;
    double all = 0.0;
    for (size_t i = 0; i < SOOTH_PTX_TENSORS; ++i) all += c->tensor[i] + c->block_tensor[i];
    if (!(all > 0.0)) return;
    grid_init(&g, 3, 1);
    for (size_t i = 0; i < SOOTH_PTX_TENSORS; ++i)
        for (int of_block = 0; of_block < 2; ++of_block) {
            const double operations = of_block ? c->block_tensor[i] : c->tensor[i];
            if (!(operations > 0.0)) continue;
            grid_add(&g, "%s", sooth_ptx_tensor_name(i));
            grid_add(&g, "%s", plain(operations));
            grid_add(&g, of_block ? "of a block" : "a thread's share");
        }
    fprintf(b->to, "  operations of matrix products\n");
    grid_print(&g, b->to, "    ");
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
            json_number(&b->j, sooth_ptx_class_name(i), r->counts.group[i]);
        json_close(&b->j, '}');
        json_open(&b->j, "kinds", '{');
        for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i)
            json_number(&b->j, sooth_ptx_kind_name(i), r->counts.kind[i]);
        json_close(&b->j, '}');
        put_json_products(b, r);
    }
    if (r->grid) {
        json_text(&b->j, "gpu", b->gpu_name);
        json_text(&b->j, "form", pfea_form_name(form_of(b)));
        if (r->is_refused) json_text(&b->j, "unknown", b->refusal);
        json_open(&b->j, "features", '{');
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i)
            json_number(&b->j, sooth_pfea_name(i), r->features.value[i]);
        json_close(&b->j, '}');
    }
    if (b->at) {
        json_open(&b->j, "measured", '{');
        for (size_t k = 0; k < b->measured.columns; ++k)
            json_number(&b->j, b->measured.name[k], b->at->measured[k]);
        json_close(&b->j, '}');
    }
    for (size_t t = 0; r->predicted && t < b->model->head.targets; ++t) {
        const outcome *o = &r->predicted[t];
        if (t == 0) json_open(&b->j, "predicted", '{');
        if (b->model->head.targets > 1) json_open(&b->j, target_name(b, t), '{');
        json_number(&b->j, b->model->head.targets > 1 ? "value" : target_name(b, t), o->value);
        if (*o->interval) {
            json_number(&b->j, "low", o->low);
            json_number(&b->j, "high", o->high);
            json_text(&b->j, "interval", o->interval);
        }
        if (b->model->head.targets > 1) json_close(&b->j, '}');
    }
    if (r->predicted) {
        json_count(&b->j, "outside", r->outside);
        json_close(&b->j, '}');
    }
    json_close(&b->j, '}');
    free(name);
}

static void put_text(job *b, const result *r) {
    sooth_sink sink = sooth_file_sink(b->to);
    grid g;
    char name[300];
    fprintf(b->to, "%s%s: ", b->rows ? "\n" : "", b->path);
    sooth_ptx_kernel_name(&b->ptx, r->kernel, name, sizeof name);
    if (strlen(name) != b->ptx.function[r->kernel].name.length) fprintf(b->to, "%s: ", printable(name));
    sooth_ptx_write_function(b->env, &b->ptx, r->kernel, b->tool ? NULL : &r->counts, &sink);
    if (!b->tool) {
        grid_init(&g, 2, 1);
        for (size_t i = 0; i < SOOTH_PTX_KINDS; ++i) {
            if (!(r->counts.kind[i] > 0.0)) continue;
            grid_add(&g, "%s", sooth_ptx_kind_name(i));
            grid_add(&g, "%s", plain(r->counts.kind[i]));
        }
        fprintf(b->to, "  instructions of a thread\n");
        grid_print(&g, b->to, "    ");
        put_products(b, r);
    }
    if (r->is_refused) {
        fprintf(b->to, "  features on %s, %s blocks of %s threads: unknown\n", b->gpu_name, r->grid->text,
                r->block->text);
    } else if (r->grid) {
        fprintf(b->to, "  features on %s, %s blocks of %s threads%s\n", b->gpu_name, r->grid->text,
                r->block->text,
                b->tool      ? ", as the authors' program writes them"
                : b->printed ? ", as printed"
                             : "");
        grid_init(&g, 3, 1);
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
            grid_add(&g, "%s", sooth_pfea_name(i));
            grid_add(&g, "%s", plain(r->features.value[i]));
            grid_add(&g, "%s", sooth_pfea_unit(i));
        }
        grid_print(&g, b->to, "    ");
    }
    for (size_t t = 0; r->predicted && t < b->model->head.targets; ++t) {
        const outcome *o = &r->predicted[t];
        fprintf(b->to, "  %s %s", target_name(b, t), human(o->value, 4));
        if (*o->interval) fprintf(b->to, ", %s to %s (%s)", human(o->low, 4), human(o->high, 4), o->interval);
        else
            fprintf(b->to,
                    " (no interval: the model was not tested on left-out groups; fit it with --group)");
        if (r->outside)
            fprintf(b->to, "; do not trust it: %s outside of the training range",
                    counted(r->outside, "feature is", "features are"));
        fputc('\n', b->to);
    }
}

/* ---- all of them ---- */

/* Compares the blocks on an SM in a measured launch with the number that the compute capability allows; a
   difference means that another launch was measured. */
static void check_fit(job *b, const result *r) {
    sooth_gpu_fit fit;
    if (b->tool || b->at->blocks_per_sm == UINT32_MAX || b->at->registers == UINT32_MAX ||
        sooth_gpu_occupancy(NULL, b->gpu.compute, &r->launch, &fit) != SOOTH_OK ||
        fit.blocks == b->at->blocks_per_sm)
        return;
    if (b->odd_fits++ == 0)
        snprintf(b->odd_fit, sizeof b->odd_fit, "line %zu: %u, where a %.30s holds %u", b->at->line,
                 (unsigned)b->at->blocks_per_sm, printable(b->gpu_name), (unsigned)fit.blocks);
}

/* Reads the launch of the arguments, with the shared memory that the PTX requests. */
static void set_launch(const job *b, result *r) {
    const uint32_t fixed =
        (uint32_t)(b->tool ? b->ptx.function[r->kernel].shared_bytes : r->counts.shared_bytes);
    r->launch.blocks = r->grid->all;
    r->launch.threads = r->block->all;
    r->launch.registers = arguments_count(b->args, "regs", 0, 1, 255);
    r->launch.shared = arguments_count(b->args, "shared", fixed, 0, 1u << 30);
    memcpy(r->launch.grid, r->grid->by, sizeof r->launch.grid);
    memcpy(r->launch.block, r->block->by, sizeof r->launch.block);
    r->launch.recompiled = 1;
}

static void one_launch(job *b, size_t kernel, const extent *grid_size, const extent *block_size,
                       int is_first) {
    result r;
    memset(&r, 0, sizeof r);
    r.kernel = kernel;
    r.grid = grid_size;
    r.block = block_size;
    if (!b->tool || arguments_text(b->args, "svg")) count(b, &r);
    if (r.grid) {
        set_launch(b, &r);
        if (b->at && b->at->registers != UINT32_MAX) r.launch.registers = b->at->registers;
        if (b->at && b->at->shared != UINT32_MAX) r.launch.shared = b->at->shared;
        extract(b, &r);
    } else {
        for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) r.features.value[i] = (double)NAN;
    }
    if (b->at) check_fit(b, &r);
    if (is_first && !b->tool) gather(b, &r);
    if (b->model) predict(b, &r);
    if (arguments_text(b->args, "svg")) flow_draw(b->to, &b->ptx, r.kernel, &r.counts);
    else if (arguments_has(b->args, "json")) put_json(b, &r);
    else if (arguments_has(b->args, "csv") || b->at) put_csv(b, &r);
    else put_text(b, &r);
    ++b->rows;
    if (r.counts.form) sooth_ptx_counts_free(b->env, &b->ptx, &r.counts);
    free(r.predicted);
}

static void one_kernel(job *b, size_t kernel) {
    if (!b->grids) one_launch(b, kernel, NULL, NULL, 1);
    for (size_t g = 0; g < b->grids; ++g)
        for (size_t t = 0; t < b->blocks; ++t) one_launch(b, kernel, &b->grid[g], &b->block[t], g + t == 0);
}

/* Makes a file the current PTX. */
static void read_ptx(job *b, const char *path) {
    b->path = path;
    b->text = read_file(path, NULL, &b->size);
    if (sooth_ptx_read(b->env, b->text, b->size, NULL, &b->ptx) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", path, b->env->sentence);
    if (b->ptx.entries) return;
    if (b->ptx.errors)
        die(BAD_INPUT, "%s: line %u, column %u: %s", path, b->ptx.note[0].line, b->ptx.note[0].column,
            b->ptx.note[0].text);
    die(BAD_INPUT, "%s has no kernel (.entry)", path);
}

static void one_file(job *b, const char *path) {
    size_t names, kernel;
    char **name = kernels_of(b->args, &names);
    read_ptx(b, path);
    if (arguments_text(b->args, "svg") && names != 1 && b->ptx.entries != 1)
        die(BAD_USE, "%s has %zu kernels, but a drawing shows one: give --kernel", path, b->ptx.entries);
    for (size_t i = 0; i < names; ++i) {
        if (sooth_ptx_kernel_named(b->env, &b->ptx, name[i], &kernel) != SOOTH_OK)
            die(BAD_INPUT, "%s: %s", path, b->env->sentence);
        one_kernel(b, kernel);
    }
    for (kernel = 0; !names && kernel < b->ptx.functions; ++kernel)
        if (b->ptx.function[kernel].is_entry && b->ptx.function[kernel].has_body) one_kernel(b, kernel);
    sooth_ptx_free(b->env, &b->ptx);
}

/* ---- measured launches ---- */

/* A PTX file, and which of its functions a launch ran. */
typedef struct module {
    const char *path, *text;
    size_t size;
    sooth_ptx ptx;
    unsigned char *used;
} module;

static void set_module(job *b, const module *m) {
    b->path = m->path;
    b->text = m->text;
    b->size = m->size;
    b->ptx = m->ptx;
}

/* Returns the file with the kernel of the current launch; dies if none or several have it. */
static module *find_kernel(job *b, module *m, size_t modules, size_t *kernel) {
    const char *name = b->at->kernel;
    module *found = NULL;
    for (size_t i = 0; i < modules; ++i) {
        size_t k;
        b->env->sentence[0] = 0;
        if (sooth_ptx_kernel_named(b->env, &m[i].ptx, name, &k) == SOOTH_OK &&
            m[i].ptx.function[k].is_entry) {
            if (found)
                die(BAD_INPUT, "%s: line %zu: kernel %s is in %s and in %s: give only the file that ran",
                    b->measured.path, b->at->line, printable(name), found->path, m[i].path);
            found = &m[i];
            *kernel = k;
        } else if (modules == 1 || strstr(b->env->sentence, "may be several kernels")) {
            die(BAD_INPUT, "%s: line %zu: %s: %s", b->measured.path, b->at->line, m[i].path,
                *b->env->sentence ? b->env->sentence : "it is not a kernel");
        }
    }
    if (!found)
        die(BAD_INPUT, "%s: line %zu: kernel %s is in none of the %zu PTX files", b->measured.path,
            b->at->line, printable(name), modules);
    return found;
}

/* Prints what a reader of the table must know. */
static void print_joined(job *b, const module *m, size_t modules) {
    const launches *all = &b->measured;
    char idle[600] = "";
    size_t kernels = 0, idles = 0;
    for (size_t i = 0; i < modules; ++i) {
        set_module(b, &m[i]);
        for (size_t k = 0; k < b->ptx.functions; ++k) {
            kernels += m[i].used[k];
            if (m[i].used[k] || !b->ptx.function[k].is_entry || !b->ptx.function[k].has_body) continue;
            char *name = kernel_name(b, k);
            name_one(idle, sizeof idle, name);
            free(name);
            ++idles;
        }
    }
    if (idles)
        fprintf(b->notes, "sooth ptx: in %s, %s not measured: %s\n", modules == 1 ? m[0].path : "these files",
                counted(idles, "kernel was", "kernels were"), idle);
    for (size_t k = 0; k < all->columns; ++k) {
        size_t missing = 0;
        for (size_t i = 0; i < all->rows; ++i) missing += !(all->row[i].measured[k] > 0.0);
        if (missing)
            fprintf(b->notes, "sooth ptx: %s has no %s in %s\n", all->path, printable(all->name[k]),
                    missing == all->rows ? "any row" : counted(missing, "row", "rows"));
    }
    if (b->odd_fits)
        fprintf(b->notes,
                "sooth ptx: for %s, the number of blocks on an SM differs from the number that fits (%s): is "
                "--gpu the measured device?\n",
                counted(b->odd_fits, "launch", "launches"), b->odd_fit);
    if (arguments_has(b->args, "json") || b->model) return;
    fprintf(b->notes,
            "sooth ptx: %s of %s; fit a model to them with: sooth fit TABLE --group kernel --target %s",
            counted(all->rows, "launch", "launches"), counted(kernels, "kernel", "kernels"),
            listed(all->name[all->columns - 1]));
    for (size_t k = 0; k + 1 < all->columns; ++k)
        fprintf(b->notes, "%s%s", k ? "," : " --drop ", listed(all->name[k]));
    fputc('\n', b->notes);
}

/* Writes every measured launch, with the features of its kernel. */
static void join(job *b) {
    const size_t modules = b->args->words;
    module *m = (module *)allocate(modules, sizeof *m);
    for (size_t i = 0; i < modules; ++i) {
        read_ptx(b, b->args->word[i]);
        m[i] = (module){b->path, b->text, b->size, b->ptx, NULL};
        m[i].used = (unsigned char *)allocate(b->ptx.functions + 1, 1);
    }
    for (size_t i = 0; i < b->measured.rows; ++i) {
        size_t kernel = 0;
        b->at = &b->measured.row[i];
        module *of = find_kernel(b, m, modules, &kernel);
        set_module(b, of);
        one_launch(b, kernel, &b->at->grid, &b->at->block, !of->used[kernel]);
        of->used[kernel] = 1;
    }
    print_joined(b, m, modules);
}

/* Dies if a --loop, --branch or --value matches no kernel here. */
static void refuse_unused(const job *b) {
    for (size_t i = 0; i < b->loops && !b->tool; ++i)
        if (!b->loop_used[i])
            die(BAD_INPUT, "--loop %s: no kernel here has such a label or line", printable(b->loop[i]));
    for (size_t i = 0; i < b->branches && !b->tool; ++i)
        if (!b->branch_used[i])
            die(BAD_INPUT, "--branch %s: no kernel here has such a label or line", printable(b->branch[i]));
    for (size_t i = 0; i < b->values && !b->tool; ++i)
        if (!b->value_used[i])
            die(BAD_INPUT, "--value %s: no kernel here has such a parameter; %s", printable(b->value[i]),
                *b->params ? b->params : "there are none");
}

/* True of a loop that tries a barrier until it is complete: how often is no work. */
static int awaits(const sooth_ptx *ptx, size_t loop) {
    for (size_t i = 0; i < ptx->blocks; ++i)
        for (uint32_t k = 0; k < ptx->block[i].count && ptx->block[i].loop == loop; ++k) {
            const sooth_ptx_form *form = &ptx->form[ptx->instruction[ptx->block[i].first + k].form];
            if (form->opcode == SOOTH_PTX_OP_MBARRIER && form->length > 17 &&
                (memcmp(form->text, "mbarrier.try_wait", 17) == 0 ||
                 memcmp(form->text, "mbarrier.test_wait", 17) == 0))
                return 1;
        }
    return 0;
}

void ptx_launch_read(sooth_env *env, const arguments *args, const char *path, ptx_launch *out) {
    result r;
    job b;
    sooth_ptx_counts certain, mean;
    size_t names;
    char **name = kernels_of(args, &names);
    memset(&r, 0, sizeof r);
    memset(&b, 0, sizeof b);
    b.certain = &certain;
    b.mean = &mean;
    b.env = env;
    b.args = args;
    b.command = "gpu";
    b.files = 1;
    b.notes = kept_open(&out->doubts);
    read_given(&b, args);
    b.grid = read_extents(args, "grid", &b.grids);
    b.block = read_extents(args, "block", &b.blocks);
    if (b.grids != 1 || b.blocks != 1) die(BAD_USE, "choose one launch with one --grid and one --block");
    read_ptx(&b, path);
    if (names > 1 || (!names && b.ptx.entries > 1))
        die(BAD_USE, "%s has %zu kernels, but one is compared: give --kernel", path, b.ptx.entries);
    while (!names && r.kernel < b.ptx.functions &&
           !(b.ptx.function[r.kernel].is_entry && b.ptx.function[r.kernel].has_body))
        ++r.kernel;
    if (r.kernel == b.ptx.functions) die(BAD_INPUT, "%s has no kernel with a body", path);
    if (names && sooth_ptx_kernel_named(env, &b.ptx, name[0], &r.kernel) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", path, env->sentence);
    r.grid = b.grid;
    r.block = b.block;
    count(&b, &r);
    set_launch(&b, &r);
    gather(&b, &r);
    refuse_unused(&b);
    print_doubts(&b);
    char *plain_name = (char *)allocate(300, 1);
    sooth_ptx_kernel_name(&b.ptx, r.kernel, plain_name, 300);
    out->kernel = plain_name;
    out->launch = r.launch;
    sooth_work_from_ptx(&b.ptx, &mean, &r.launch, &out->work);
    sooth_work_from_ptx(&b.ptx, &certain, &r.launch, &out->certain);
    memcpy(out->work.chain, out->certain.chain, sizeof out->work.chain); /* which is of what is certain */
    out->undecided = mean.undecided;
    const sooth_ptx_function *f = &b.ptx.function[r.kernel];
    for (uint32_t i = f->instruction; i < f->instruction + f->instructions; ++i)
        out->predicated += (b.ptx.instruction[i].flags & SOOTH_PTX_IS_PREDICATED) &&
                           b.ptx.instruction[i].kind != SOOTH_PTX_KIND_BRANCH;
    for (size_t l = 0; l < b.ptx.loops && !arguments_text(args, "trips"); ++l)
        out->assumed += mean.origin[l] == SOOTH_PTX_TRIP_ASSUMED && !awaits(&b.ptx, l);
    sooth_ptx_counts_free(env, &b.ptx, &mean);
    sooth_ptx_counts_free(env, &b.ptx, &certain);
    sooth_ptx_needs_find(&b.ptx, r.kernel, &out->needs);
    sooth_ptx_counts_free(env, &b.ptx, &r.counts);
    out->ptx = b.ptx;
    out->index = r.kernel;
}

static int run(const arguments *args) {
    const char *svg = arguments_text(args, "svg"), *path = svg ? svg : arguments_text(args, "output");
    const int is_json = arguments_has(args, "json") && !svg;
    kept text, notes;
    job b;
    memset(&b, 0, sizeof b);
    b.notes = kept_open(&notes);
    read_arguments(&b, args);
    if (svg && (args->words > 1 || b.grids * b.blocks > 1))
        die(BAD_USE, "a drawing shows one kernel with one launch, but there are several");
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), args->word, args->words);
    b.to = kept_open(&text);
    if (is_json) {
        json_begin(&b.j, b.to);
        json_open(&b.j, "kernels", '[');
    }
    if (b.measured.rows) join(&b);
    for (size_t i = 0; i < args->words && !b.measured.rows; ++i) one_file(&b, args->word[i]);
    refuse_unused(&b);
    if (b.refused && b.refused == b.rows) die(BAD_INPUT, "%s", b.refusal);
    print_doubts(&b);
    if (is_json) {
        json_close(&b.j, ']');
        json_end(&b.j);
    }
    kept_release(&notes, stderr);
    kept_release(&text, file);
    output_close();
    return finish();
}

const command ptx_command = {
    .name = "ptx",
    .summary = "analyse a GPU kernel by its PTX: loops, instructions, features, watts",
    .usage = "FILE.ptx... [--gpu NAME --grid N --block N | --gpu NAME --launches FILE.csv] [flags]",
    .least = 1,
    .most = 200,
    .text = "Reads the PTX that `nvcc -ptx` writes, and prints the control flow graph, the loops and how "
            "often each part runs. --gpu, --grid and --block add the features that predict power (Alavani "
            "et al. 2023).\n\n"
            "Trip counts that depend on the thread are those of a thread in the middle of the launch. "
            "Loops with an unknown trip count are listed on stderr, with the flag that sets it.\n\n"
            "The operations of matrix products (mma, wgmma, tcgen05) are listed by data type. A thread has a "
            "32nd of those of its warp. What one thread issues for its block is listed for the block.\n\n"
            "--launches writes a table to fit a model to: the features of the kernel of each measured "
            "launch, and the measurements. `sooth fit TABLE --group kernel --target power --drop time` "
            "fits the model.\n\n"
            "--predict MODEL predicts the power of a kernel that was never run. The interval for kernels "
            "never seen is that of the model (`--interval 0.9`), or else one from its validation on "
            "left-out groups. A model fitted without --group has none.\n\n"
            "The features have three forms: corrected, printed (--printed), and that of the authors' "
            "program (--compat). The units in the table name the form, and its column gpu names the "
            "device. The model file keeps both, and --predict uses them.\n\n"
            "A model of the tables that the paper's authors published has neither. It needs --compat, with "
            "--gpu k20-2023, m60-2023 or v100-2023.",
    .example = "sooth ptx matmul.ptx --gpu a100 --grid 64 --block 256 --loop '$L__BB0_2=100' --regs 32\n"
               "  sooth ptx *.ptx --gpu k20 --grid 64,128 --block 128,256 --csv -o features.csv\n"
               "  sooth ptx kernels.ptx --launches power.csv --gpu mine.gpu -o table.csv\n"
               "  sooth ptx matmul.ptx --grid 64 --block 256 --gpu mine.gpu --predict power.sooth",
    .flags = flags,
    .run = run};
