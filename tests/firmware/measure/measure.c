/* measure.c - models of many sizes for measure.sh, and the table of core_cost.h from what it measured.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *   measure make FOLDER   fits the models, writes FOLDER/K.sooth, FOLDER/K_F.c for form F of model K, and
 *                         FOLDER/list: a line "K_F features number answer function" for each
 *   measure fit FOLDER COMPILERS CORE...
 *                         reads FOLDER/K_F.CORE ("flash memory stack", then "steps N" for each row); writes
 *                         the table to stdout, and to stderr how much more than was measured it says, for
 *                         the models that it comes from and for those kept apart. COMPILERS: one for each
 *                         core, "a; b"; where one is empty nothing was measured, and what stands in
 *                         core_cost.h stays
 *
 * The table is an upper bound of all that was measured, and as low as it can be: coefficients at least 0 by
 * least squares of relative errors, where what is measured above the fit weighs more and more; in the end
 * all are multiplied by what is then still missing.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/export/core_cost.h"
#include "sooth/train.h"
#include "rows.h"
#include <math.h>
#include <stdio.h>

enum { TRAIN_ROWS = 3000, MOST_SAMPLES = 4096 };

/* A model to measure. Those apart are not learned from. */
typedef struct plan {
    const char *kind;
    uint32_t features, apart, log_target;
    const char *options; /* "name=value ...", also transform */
} plan;

static const plan plans[] = {
    {"tree", 3, 0, 0, "max_depth=1"},
    {"tree", 6, 0, 0, "max_depth=3"},
    {"tree", 6, 0, 0, "max_depth=5"},
    {"tree", 12, 0, 0, "max_depth=8"},
    {"tree", 12, 0, 0, "max_leaves=100"},
    {"tree", 9, 0, 0, "max_leaves=30"},
    {"tree", 12, 1, 0, "max_leaves=60"},
    {"boost", 3, 0, 0, "n_estimators=4 max_depth=2"},
    {"boost", 6, 0, 0, "n_estimators=12 max_depth=3"},
    {"boost", 12, 0, 0, "n_estimators=30 max_depth=4"},
    {"boost", 6, 0, 0, "n_estimators=60 max_depth=1"},
    {"boost", 12, 0, 0, "n_estimators=8 max_depth=6"},
    {"boost", 6, 0, 0, "n_estimators=10 max_depth=3 loss=gamma"},
    {"boost", 6, 0, 1, "n_estimators=20 max_depth=2"},
    {"boost", 6, 1, 0, "n_estimators=25 max_depth=3 min_samples_leaf=40"},
    {"boost", 12, 1, 0, "n_estimators=15 max_depth=5 learning_rate=0.3"},
    {"forest", 3, 0, 0, "n_estimators=3 max_depth=3"},
    {"forest", 6, 0, 0, "n_estimators=10 max_depth=4"},
    {"forest", 12, 0, 0, "n_estimators=6 max_depth=7"},
    {"forest", 12, 1, 0, "n_estimators=9 max_depth=5"},
    {"mlp", 3, 0, 0, "hidden_1=4 epochs=4"},
    {"mlp", 6, 0, 0, "hidden_1=12 epochs=4"},
    {"mlp", 12, 0, 0, "hidden_1=32 epochs=2"},
    {"mlp", 6, 0, 0, "hidden_1=8 hidden_2=8 epochs=3 activation=tanh"},
    {"mlp", 12, 0, 0, "hidden_1=16 hidden_2=8 epochs=3 activation=sigmoid"},
    {"mlp", 6, 0, 1, "hidden_1=8 hidden_2=4 epochs=4"},
    {"mlp", 6, 1, 0, "hidden_1=20 epochs=3"},
    {"mlp", 12, 1, 1, "hidden_1=8 hidden_2=8 epochs=3"},
    {"linear", 3, 0, 0, ""},
    {"linear", 6, 0, 0, ""},
    {"linear", 12, 0, 0, ""},
    {"linear", 6, 0, 1, ""},
    {"linear", 9, 1, 0, ""},
    {"linear", 1, 0, 1, "transform=log,none"},
    {"linear", 3, 0, 0, "transform=log,none"},
    {"linear", 3, 0, 1, "transform=log,none"},
    {"linear", 6, 0, 1, "transform=log,none"},
    {"linear", 12, 0, 1, "transform=log,none"},
    {"linear", 9, 1, 1, "transform=log,none"},
    {"linear", 6, 0, 0, "transform=clip"},
    {"linear", 9, 0, 0, "transform=standard"},
    {"linear", 3, 0, 0, "products=1 transform=clip"},
    {"linear", 6, 0, 0, "products=1 transform=clip"},
    {"linear", 12, 0, 0, "products=1 transform=clip"},
    {"linear", 3, 0, 1, "products=1 transform=clip"},
    {"linear", 9, 0, 1, "products=1 transform=clip"},
    {"linear", 6, 0, 0, "products=1"},
    {"linear", 6, 0, 1, "products=1 transform=log,none"},
    {"linear", 9, 1, 0, "products=1 transform=clip"},
    {"linear", 6, 1, 1, "products=1 transform=clip"},
    {"scaling", 1, 0, 0, "law=amdahl"},
    {"scaling", 1, 0, 0, "law=gustafson"},
    {"scaling", 1, 0, 0, "law=usl"},
    {"scaling", 1, 0, 0, "law=power_law"},
    {"scaling", 2, 0, 0, "law=time"},
    {"tree", 12, 0, 0, ""},
    {"forest", 6, 0, 0, "n_estimators=6 max_depth=12"},
    {"tree", 6, 1, 0, "min_samples_leaf=2"},
};
enum { PLANS = sizeof plans / sizeof *plans, LARGE = 3 }; /* the last so many only in the kernel */

static sooth_env env;
static const char *folder;

static void must(sooth_status status) {
    if (status == SOOTH_OK) return;
    puts(env.sentence);
    exit(1);
}

static FILE *open_file(const char *name, const char *mode) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (file) return file;
    perror(path);
    exit(1);
}

static int to_file(void *user, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)user) != size;
}

/* ---- making ---- */

static sooth_model *fit(const plan *p) {
    static float x[TRAIN_ROWS * MOST_FEATURES], y[TRAIN_ROWS];
    sooth_train_recipe recipe;
    sooth_table table;
    sooth_model *model;
    sooth_rng rng;
    uint32_t state = 7;
    const int law = p->kind[0] == 's'; /* of numbers above 0 */
    sooth_rng_init(&rng, 2026, 0);
    for (uint32_t i = 0; i < TRAIN_ROWS; ++i) {
        float *row = x + i * p->features;
        for (uint32_t j = 0; j < p->features; ++j) row[j] = (float)reading(&state);
        if (law) row[0] = fabsf(row[0]) + 1.0f;                  /* threads */
        if (law && p->features > 1) row[1] = (float)(1 + i % 8); /* a frequency */
        const float bend = p->features < 3 ? 0.0f : row[1] > 0.0f ? row[2] : -row[1];
        y[i] = 300.0f + row[0] + bend + 40.0f * sooth_rng_float(&rng);
    }
    table = sooth_table_of(x, y, TRAIN_ROWS, p->features);
    must(sooth_train_recipe_init(&env, &recipe, p->kind));
    for (const char *at = p->options; *at;) {
        char name[64], value[64];
        int used = 0;
        if (sscanf(at, "%63[^=]=%63s %n", name, value, &used) != 2) exit(1);
        must(sooth_train_recipe_set(&env, &recipe, name, value));
        at += used;
    }
    recipe.has_target = p->log_target;
    recipe.target.transform = SOOTH_SCALE_LOG;
    const sooth_status status = sooth_train_fit(&env, &table, &recipe, &model);
    if (!model) must(status);
    return model;
}

/* Writes form f of the model as K_F.c, and its line; 0: there is no such form. */
static int export_form(uint32_t k, uint32_t f, const sooth_model *model, FILE *list) {
    static const char *const number[] = {"float", "int8_t", "int16_t", "int32_t"};
    const uint32_t bits = soothi_core_bits(f), branches = (uint32_t)soothi_core_branches(f);
    const int trees = strchr("tbf", plans[k].kind[0]) != NULL, network = plans[k].kind[0] == 'm';
    sooth_export_c_options c;
    sooth_integers_options integers;
    sooth_integers_code_options code;
    sooth_integers *whole;
    sooth_model *small = NULL;
    char name[64];
    sooth_sink sink;
    if (!trees && (branches || (bits && !network) || bits == 32)) return 0;
    const int bpf = f == SOOTH_CORE_FORM_BPF, map = f == SOOTH_CORE_FORM_BPF_MAP;
    memset(&c, 0, sizeof c);
    memset(&integers, 0, sizeof integers);
    memset(&code, 0, sizeof code);
    memset(&sink, 0, sizeof sink);
    snprintf(name, sizeof name, "%u_%u.c", (unsigned)k, (unsigned)f);
    sink.user = open_file(name, "w");
    sink.write_fn = to_file;
    fprintf(list, "%u_%u %u ", (unsigned)k, (unsigned)f, (unsigned)plans[k].features);
    if (trees && bits) {
        integers.bits = bits;
        must(sooth_integers_convert(&env, model, &integers, &whole));
        code.form = bpf        ? SOOTH_INTEGERS_CODE_BPF
                    : branches ? SOOTH_INTEGERS_CODE_C_BRANCHES
                               : SOOTH_INTEGERS_CODE_C;
        code.no_selftest = 1;
        if (map) sooth_text_write(&sink, (const char *)whole, whole->head.size);
        else must(sooth_integers_code(&env, whole, &code, &sink));
        if (bpf || map) /* with the block that has the same sums */
            fprintf(list, "%s %s/%u_%u.c model_sum\n", bpf ? "bpf" : "bpf-map", folder, (unsigned)k,
                    (unsigned)SOOTH_CORE_FORM_BPF_MAP);
        else
            fprintf(list, "%s %s model_sum\n",
                    number[bits == 8    ? 1
                           : bits == 16 ? 2
                                        : 3],
                    soothi_code_is_wide(whole) ? "int64_t" : "int32_t");
        sooth_integers_free(&env, whole);
    } else {
        if (bits) must(sooth_export_quantise(&env, model, bits, NULL, &small));
        c.form = branches ? SOOTH_EXPORT_BRANCHES : SOOTH_EXPORT_TABLE;
        c.no_selftest = 1;
        must(sooth_export_c(&env, small ? small : model, &c, &sink));
        fprintf(list, "float float model_predict\n");
        sooth_model_free(&env, small);
    }
    fclose((FILE *)sink.user);
    return 1;
}

static void make(void) {
    FILE *list = open_file("list", "w");
    for (uint32_t k = 0; k < PLANS; ++k) {
        char name[64];
        sooth_model *model = fit(plans + k);
        snprintf(name, sizeof name, "%u.sooth", (unsigned)k);
        FILE *file = open_file(name, "wb");
        void *bytes = malloc(model->head.size);
        if (!bytes) exit(1);
        sooth_model_save(model, bytes);
        fwrite(bytes, 1, model->head.size, file);
        fclose(file);
        free(bytes);
        for (uint32_t f = k + LARGE < PLANS ? 0 : SOOTH_CORE_FORM_BPF; f < SOOTH_CORE_FORMS; ++f)
            export_form(k, f, model, list);
        sooth_model_free(&env, model);
    }
    fclose(list);
}

/* ---- from measurements to a table ---- */

static const char *const quantity_name[] = {"flash", "memory", "stack", "steps"};

typedef struct samples {
    size_t count;
    double x[MOST_SAMPLES][SOOTHI_CORE_COUNTS], y[MOST_SAMPLES];
    uint8_t apart[MOST_SAMPLES];
} samples;

static samples all[SOOTHI_CORE_CLASSES][SOOTHI_CORE_QUANTITIES];

static void add(uint32_t class_of, uint32_t quantity, const double *count, double y, uint32_t apart) {
    samples *s = &all[class_of][quantity];
    if (s->count == MOST_SAMPLES) return;
    memcpy(s->x[s->count], count, sizeof s->x[0]);
    s->y[s->count] = y;
    s->apart[s->count++] = (uint8_t)apart;
}

/* Comparisons on the row's ways through the trees. */
static uint32_t comparisons_of(const soothi_export_trees *trees, const float *row) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < trees->trees; ++k) {
        const sooth_tree_node *node = trees->node + soothi_export_start(trees, k);
        for (; node->link & 1u; ++n)
            node += (node->link >> trees->shift) +
                    (row[soothi_export_feature(trees, node)] <= node->u.threshold ? 0 : 1);
    }
    return n;
}

static sooth_model *load(uint32_t k) {
    char name[64];
    snprintf(name, sizeof name, "%u.sooth", (unsigned)k);
    FILE *file = open_file(name, "rb");
    sooth_model *model;
    void *bytes = malloc(1 << 24);
    if (!bytes) exit(1);
    const size_t size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    must(sooth_model_load(&env, bytes, size, &model));
    return model;
}

/* Everything measured of one form of one model on a core. */
static void read_form(const char *core, uint32_t k, uint32_t f) {
    sooth_model *model = load(k), *small = NULL;
    const uint32_t bits = soothi_core_bits(f), apart = plans[k].apart, features = plans[k].features;
    soothi_export_job job;
    double count[SOOTHI_CORE_COUNTS];
    uint32_t state = 2026;
    char name[600];
    unsigned long steps;
    double size[3];
    snprintf(name, sizeof name, "%s/%u_%u.%s", folder, (unsigned)k, (unsigned)f, core);
    FILE *file = fopen(name, "r");
    if (!file) { /* too large for the machine */
        sooth_model_free(&env, model);
        return;
    }
    if (fscanf(file, "%lf %lf %lf", size, size + 1, size + 2) != 3) exit(1);
    if (plans[k].kind[0] == 'm' && bits) must(sooth_export_quantise(&env, model, bits, NULL, &small));
    must(soothi_core_open(&env, small ? small : model, f, &job));
    soothi_core_counts(&job, f, count);
    const uint32_t class_of = soothi_core_class(&job, f);
    soothi_core_alone(&job, f, count);
    const size_t ways =
        count[SOOTHI_CORE_ALONE] > 0.0 ? SOOTHI_CORE_ALONE_COMPARISONS : SOOTHI_CORE_COMPARISONS;
    for (uint32_t q = 0; q < 3; ++q) add(class_of, q, count, size[q], apart);
    while (fscanf(file, " steps %lu", &steps) == 1) {
        float row[MOST_FEATURES];
        for (uint32_t j = 0; j < features; ++j) row[j] = (float)reading(&state);
        if (job.trees.node && f != SOOTH_CORE_FORM_BPF_MAP)
            count[ways] = (double)comparisons_of(&job.trees, row);
        add(class_of, SOOTHI_CORE_STEPS, count, (double)steps, apart);
    }
    fclose(file);
    sooth_model_free(&env, small);
    sooth_model_free(&env, model);
}

static double value_of(const double *count, const double *coefficient) {
    double v = 0.0;
    for (size_t c = 0; c < SOOTHI_CORE_COUNTS; ++c) v += count[c] * coefficient[c];
    return v;
}

/* The terms of the table that this quantity is a sum of, of which some sample has more than 0. */
static size_t terms_of(const samples *s, uint32_t quantity, size_t *column, size_t *term) {
    size_t n = 0;
    for (size_t k = 0; k < SOOTHI_CORE_TERMS; ++k) {
        const size_t c = soothi_core_term[k][1];
        int some = 0;
        for (size_t i = 0; i < s->count; ++i) some |= s->x[i][c] > 0.0;
        if (!some || soothi_core_term[k][0] != quantity) continue;
        column[n] = c;
        term[n++] = k;
    }
    return n;
}

static void bound(const samples *s, uint32_t quantity, double *coefficient) {
    static double x[MOST_SAMPLES * SOOTHI_CORE_COUNTS], y[MOST_SAMPLES], weight[MOST_SAMPLES];
    sooth_linear_options options;
    size_t column[SOOTHI_CORE_TERMS], term[SOOTHI_CORE_TERMS], n = 0;
    const size_t cols = terms_of(s, quantity, column, term);
    double lack = 1.0;
    memset(&options, 0, sizeof options);
    options.method = SOOTH_LINEAR_NON_NEGATIVE;
    options.no_intercept = options.no_statistics = 1;
    for (size_t c = 0; c < SOOTHI_CORE_COUNTS; ++c) coefficient[c] = 0.0;
    for (size_t i = 0; i < s->count; ++i) {
        if (s->apart[i] || !(s->y[i] > 0.0)) continue;
        for (size_t c = 0; c < cols; ++c) x[n * cols + c] = s->x[i][column[c]] / s->y[i];
        weight[n] = y[n] = 1.0;
        ++n;
    }
    if (!n || !cols) return;
    for (uint32_t turn = 0; turn < 150; ++turn) {
        sooth_linear *line;
        must(soothi_linear_fit_double(&env, x, y, weight, n, cols, 1, &options, &line));
        for (size_t c = 0; c < cols; ++c) coefficient[column[c]] = sooth_linear_coefficient(line, 0, c);
        sooth_linear_free(&env, line);
        for (size_t i = 0; i < n; ++i) {
            double v = 0.0;
            for (size_t c = 0; c < cols; ++c) v += x[i * cols + c] * coefficient[column[c]];
            if (v < 1.0) weight[i] *= 1.0 + 10.0 * (1.0 - v);
        }
    }
    for (size_t i = 0; i < s->count; ++i) {
        const double v = value_of(s->x[i], coefficient);
        if (!s->apart[i] && v > 0.0 && s->y[i] > v * lack) lack = s->y[i] / v;
    }
    for (size_t c = 0; c < SOOTHI_CORE_COUNTS; ++c) coefficient[c] *= lack * (1.0 + SOOTH_CORE_MARGIN);
}

/* How much more than measured the table says, at least and at most, for samples apart or not. */
static void report(const samples *s, const double *coefficient, const char *what, uint32_t apart) {
    const double more = strstr(what, "stack") ? SOOTH_CORE_STACK_MARGIN : 0.0;
    double least = 1e30, most = 0.0;
    for (size_t i = 0; i < s->count; ++i) {
        if (s->apart[i] != apart || !(s->y[i] > 0.0)) continue;
        const double ratio = (value_of(s->x[i], coefficient) + more) / s->y[i];
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
    }
    if (most > 0.0)
        fprintf(stderr, "  %-22s %-6s %6.3f to %6.3f of what was measured%s\n", what, apart ? "apart" : "",
                least, most, least < 1.0 ? "  TOO LITTLE" : "");
}

/* Entry `number` of "compiler; compiler"; empty where nothing was measured. */
static const char *compiler_of(const char *text, uint32_t number) {
    static char entry[80];
    for (; number; --number) text += strcspn(text, ";") + 2;
    snprintf(entry, sizeof entry, "%.*s", (int)strcspn(text, ";"), text);
    return entry;
}

static void print_compilers(const char *text, uint32_t cores) {
    printf("SOOTHI_LOCAL const char *soothi_core_compiler(uint32_t core) {\n"
           "    static const char text[SOOTH_CORES][80] = {\n");
    for (uint32_t k = 0; k < cores; ++k) {
        const char *name = compiler_of(text, k);
        printf("        \"%s\"%s", *name ? name : soothi_core_compiler(k), k + 1 < cores ? ",\n" : "};\n");
    }
    printf("    return text[core];\n}\n");
}

/* A row of the table, times `more`, so that rounding makes nothing less. Zeros at its end are left out. */
static void print_row(uint32_t core, uint32_t class_of, const double *value, double more, const char *name) {
    size_t n = SOOTHI_CORE_TERMS;
    while (n > 1 && !(value[n - 1] > 0.0)) --n;
    printf("    {%u, %u, {", (unsigned)core, (unsigned)class_of);
    for (size_t i = 0; i < n; ++i)
        printf("%.4g%s", value[i] * more, i + 1 == n ? "}}," : i == 10 ? ",\n            " : ", ");
    printf(" /* %s */\n", name);
}

static const char *const class_name[] = {SOOTHI_CORE_CLASS_NAMES};

/* The rows of a core as they stand in core_cost.h. */
static void keep_core(uint32_t number) {
    for (uint32_t c = 0; c < SOOTHI_CORE_CLASSES; ++c) {
        const soothi_core_row *row = soothi_core_measured(number, c);
        if (row) print_row(number, c, row->value, 1.0, class_name[c]);
    }
}

/* Every model in every form on a core: a row of the table for each class of code that was measured. */
static void fit_core(const char *core, uint32_t number) {
    memset(all, 0, sizeof all);
    for (uint32_t k = 0; k < PLANS; ++k)
        for (uint32_t f = 0; f < SOOTH_CORE_FORMS; ++f) read_form(core, k, f);
    fprintf(stderr, "%s\n", core);
    for (uint32_t c = 0; c < SOOTHI_CORE_CLASSES; ++c) {
        double value[SOOTHI_CORE_TERMS] = {0};
        if (!all[c][SOOTHI_CORE_STEPS].count) continue;
        for (uint32_t q = 0; q < SOOTHI_CORE_QUANTITIES; ++q) {
            double coefficient[SOOTHI_CORE_COUNTS];
            size_t column[SOOTHI_CORE_TERMS], term[SOOTHI_CORE_TERMS];
            char what[64];
            const size_t n = terms_of(&all[c][q], q, column, term);
            bound(&all[c][q], q, coefficient);
            for (size_t i = 0; i < n; ++i) value[term[i]] = coefficient[column[i]];
            snprintf(what, sizeof what, "%s, %s", class_name[c], quantity_name[q]);
            report(&all[c][q], coefficient, what, 0);
            report(&all[c][q], coefficient, what, 1);
        }
        print_row(number, c, value, 1.001, class_name[c]);
    }
}

int main(int argc, char **argv) {
    sooth_env_init(&env);
    if (argc < 3) return puts("usage: measure make FOLDER | measure fit FOLDER COMPILERS CORE..."), 1;
    folder = argv[2];
    if (strcmp(argv[1], "make") == 0) make();
    if (strcmp(argv[1], "fit") == 0 && argc > 3) {
        print_compilers(argv[3], (uint32_t)argc - 4);
        printf("\n/* Which core, which class, and its terms; those at the end that are not there are 0. */\n"
               "static const soothi_core_row soothi_core_table[] = {\n");
        for (int n = 4; n < argc; ++n) {
            printf("    /* %s */\n", argv[n]);
            if (*compiler_of(argv[3], (uint32_t)n - 4)) fit_core(argv[n], (uint32_t)n - 4);
            else keep_core((uint32_t)n - 4);
        }
        printf("};\n");
    }
    return 0;
}
