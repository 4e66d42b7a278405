/* next.c - sooth next: which launches of a new program to measure, and in which order.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/adapt.h"
#include "sooth/forest.h"

#include <math.h>

static const flag flags[] = {
    {"count", 'n', "N", "number of launches to choose; default 1", 0},
    {"measured", 'm', "MEASURED.csv",
     "launches already measured, with features and target. An empty target means that "
     "the launch failed",
     0},
    {"least", 0, NULL, "search for the launch with the smallest target instead of predicting all launches",
     0},
    {"target", 't', "COLUMN", "without a model: column to minimise, in MEASURED.csv and OTHER.csv", 0},
    {"prior", 0, "OTHER.csv,...",
     "without a model: measurements of the same settings, or some of them, on other GPUs; one "
     "file per GPU",
     1},
    {"cost", 0, "COLUMN",
     "column with the cost of measuring a row, such as seconds: choose what gains most per cost", 0},
    {"output", 'o', "OUT.csv", "output file for the rows; default standard output", 0},
    FORCE_FLAG,
    {"features", 'f', "A,B,...",
     "columns that hold the features of the model, in its order, if they have other names. Put a "
     "name that holds a comma in double quotes",
     1},
    JSON_FLAG,
    LAST_FLAG};

typedef struct job {
    adapting a;
    const char *path;
    model_rows rows;
    float *x, *predicted, *cost;
    size_t *order; /* the chosen rows */
    size_t count, repeats;
    float *runs;       /* probability that each runs, 0 if it failed before; NULL: none failed */
    sooth_adapted *at; /* adaptation before any was chosen */
} job;

static void read_cost(job *b, const char *name) {
    const sooth_csv *csv = &b->rows.file.csv;
    const char **known;
    if (!name) return;
    const size_t column = sooth_csv_find(csv, name);
    if (column == SOOTH_NONE) {
        const size_t n = column_names(csv, &known);
        die(BAD_INPUT, "%s has no column %s for --cost%s", b->path, name, did_you_mean(name, known, n));
    }
    if (csv->column[column].is_text) column_is_text(b->path, csv, column);
    b->cost = (float *)allocate(csv->rows, sizeof *b->cost);
    for (size_t i = 0; i < csv->rows; ++i) {
        b->cost[i] = csv->cell[i * csv->cols + column];
        if (is_blank_row(csv, i)) b->cost[i] = 1.0f; /* see leave_out_blank */
        else if (!(b->cost[i] > 0.0f && is_prediction(b->cost[i])))
            die(BAD_INPUT, "%s: line %u: %s must be a cost above 0", b->path, (unsigned)csv->line[i],
                printable(name));
    }
}

/* A missing value equals only a missing value. */
static int same_row(const float *a, const float *b, size_t features) {
    size_t j = 0;
    while (j < features && isnan(a[j]) == isnan(b[j]) && !(a[j] < b[j]) && !(a[j] > b[j])) ++j;
    return j == features;
}

/* Computes the probability that each candidate runs, by extra-trees fitted to whether the measured ones did.
   Trees can be wrong about unseen settings, so the probability is at least 0.1, except for settings that
   failed themselves. The cost of a measurement is divided by it, since a launch that fails gains nothing. */
static void learn_failures(job *b) {
    const sooth_csv *csv = &b->a.measured.file.csv;
    const size_t features = b->a.model->head.features, rows = b->rows.file.csv.rows;
    sooth_forest_options options;
    sooth_forest *forest;
    if (!b->a.failed) return;
    memset(&options, 0, sizeof options);
    options.n_estimators = 50;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    float *ran = (float *)allocate(csv->rows, sizeof *ran);
    for (size_t i = 0; i < csv->rows; ++i) ran[i] = isnan(b->a.y[i]) ? 0.0f : 1.0f;
    const sooth_table table = sooth_table_of(b->a.x, ran, csv->rows, features);
    if (sooth_forest_fit(b->a.env, &table, &options, &forest) != SOOTH_OK) die_of(SOOTH_BAD_DATA, b->a.env);
    b->runs = (float *)allocate(rows, sizeof *b->runs);
    sooth_forest_predict_many(forest, b->x, rows, features, b->runs);
    sooth_forest_free(b->a.env, forest);
    if (!b->cost) {
        b->cost = (float *)allocate(rows, sizeof *b->cost);
        for (size_t i = 0; i < rows; ++i) b->cost[i] = 1.0f;
    }
    for (size_t i = 0; i < rows; ++i) {
        const float *x = b->x + i * features;
        if (b->runs[i] < 0.1f) b->runs[i] = 0.1f;
        for (size_t k = 0; k < csv->rows; ++k)
            if (isnan(b->a.y[k]) && same_row(x, b->a.x + k * features, features)) b->runs[i] = 0.0f;
        b->cost[i] = b->runs[i] > 0.0f ? b->cost[i] / b->runs[i] : 0.0f; /* 0: never chosen */
    }
    free(ran);
}

static size_t candidates_of(const job *b) { return b->rows.file.csv.rows - b->rows.file.csv.blank_rows; }

/* Rows without any value have no cost, and are never chosen. */
static void leave_out_blank(job *b) {
    const sooth_csv *csv = &b->rows.file.csv;
    if (!csv->blank_rows) return;
    fprintf(stderr, "%s: %s without any value, left out\n", b->path, counted(csv->blank_rows, "row", "rows"));
    if (!b->cost) {
        b->cost = (float *)allocate(csv->rows, sizeof *b->cost);
        for (size_t i = 0; i < csv->rows; ++i) b->cost[i] = 1.0f;
    }
    for (size_t i = 0; i < csv->rows; ++i)
        if (is_blank_row(csv, i)) b->cost[i] = 0.0f;
}

/* Each choice counts as measured with its expected value when the next is chosen. Rows that repeat known ones
   come last, in their order; failed ones never. */
static void choose(job *b) {
    const sooth_adapt *adapt = b->a.parts.adapt;
    const size_t rows = b->rows.file.csv.rows, features = b->a.model->head.features;
    void *memory = allocate(sooth_adapt_program_size(adapt), 1);
    void *scratch = allocate(sooth_adapt_next_scratch_size(adapt), 1);
    unsigned char *chosen = (unsigned char *)allocate(rows, 1);
    sooth_adapt_program *program = adapting_program(&b->a, NULL, memory);
    const int least = arguments_has(b->a.args, "least");
    size_t n = 0;
    b->order = (size_t *)allocate(b->count, sizeof *b->order);
    b->at = (sooth_adapted *)allocate(rows, sizeof *b->at);
    for (size_t i = 0; i < rows; ++i)
        sooth_adapt_predict(adapt, program, b->x + i * features, b->predicted[i], &b->at[i]);
    while (n < b->count) {
        sooth_adapted at;
        const size_t i = sooth_adapt_next(adapt, program, b->x, rows, features, b->predicted, b->cost,
                                          least ? SOOTH_ADAPT_IMPROVEMENT : SOOTH_ADAPT_VARIANCE, scratch);
        if (i >= rows || chosen[i]) break;
        chosen[b->order[n++] = i] = 1;
        sooth_adapt_predict(adapt, program, b->x + i * features, b->predicted[i], &at);
        if (sooth_adapt_observe(adapt, program, b->x + i * features, b->predicted[i], at.value) ==
            SOOTH_ADAPT_REFUSED)
            break;
    }
    const size_t new_ones = n;
    for (size_t i = 0; i < rows && n < b->count; ++i)
        if (!chosen[i] && !is_blank_row(&b->rows.file.csv, i) && (!b->runs || b->runs[i] > 0.0f))
            b->order[n++] = i;
    b->repeats = n - new_ones;
    b->count = n;
    free(chosen);
    free(scratch);
    free(memory);
}

static void print_summary(const job *b, FILE *to) {
    grid g;
    fprintf(to, "%s of %s to measure next, after %s of this program\n",
            counted(b->count, "launch", "launches"), counted(candidates_of(b), "candidate", "candidates"),
            counted(b->a.measured.file.csv.rows, "measurement", "measurements"));
    grid_init(&g, b->runs ? 6 : 5, 0);
    grid_add(&g, "row");
    grid_add(&g, "line");
    grid_add(&g, "%s", printable(b->a.target));
    grid_add(&g, "low");
    grid_add(&g, "high");
    if (b->runs) grid_add(&g, "runs");
    for (size_t k = 0; k < b->count; ++k) {
        const sooth_adapted *at = &b->at[b->order[k]];
        grid_add(&g, "%zu", b->order[k]);
        grid_add(&g, "%u", (unsigned)b->rows.file.csv.line[b->order[k]]);
        grid_add(&g, "%s", human((double)at->value, 4));
        grid_add(&g, "%s", human((double)at->low, 4));
        grid_add(&g, "%s", human((double)at->high, 4));
        if (b->runs) grid_add(&g, "%.0f %%", 100.0 * (double)b->runs[b->order[k]]);
    }
    grid_print(&g, to, "  ");
    if (b->runs)
        fprintf(to, "  %s failed; runs: the probability that others run, predicted from those measured\n",
                counted(b->a.failed, "launch", "launches"));
    if (b->repeats == 1)
        fprintf(to, "  the last launch was already measured or chosen, or cannot be predicted\n");
    if (b->repeats > 1)
        fprintf(to, "  the last %zu launches were already measured or chosen, or cannot be predicted\n",
                b->repeats);
}

static void print_json(const job *b) {
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", b->a.model_path);
    json_text(&j, "file", b->path);
    json_count(&j, "candidates", candidates_of(b));
    json_count(&j, "measured", b->a.measured.file.csv.rows);
    json_count(&j, "failed", b->a.failed);
    json_count(&j, "repeats", b->repeats);
    json_open(&j, "next", '[');
    for (size_t k = 0; k < b->count; ++k) {
        const sooth_adapted *at = &b->at[b->order[k]];
        json_open(&j, NULL, '{');
        json_count(&j, "row", b->order[k]);
        json_number(&j, "predicted", (double)at->value);
        json_number(&j, "low", (double)at->low);
        json_number(&j, "high", (double)at->high);
        if (b->runs) json_number(&j, "chance_to_run", (double)b->runs[b->order[k]]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

static int next_launches(const arguments *args) {
    const char *to = arguments_text(args, "output"), *measured = arguments_text(args, "measured");
    const char *inputs[3] = {args->word[0], args->word[1], measured};
    const int as_json = arguments_has(args, "json");
    FILE *file = NULL;
    size_t standard = 0;
    job b;
    memset(&b, 0, sizeof b);
    b.count = arguments_count(args, "count", 1, 1, 1000000);
    for (size_t i = 0; i < 3; ++i) standard += inputs[i] && strcmp(inputs[i], "-") == 0;
    if (standard > 1) die(BAD_USE, "only one of the model and the tables can be -");
    adapting_open(env_open(args), args, args->word[0], &b.a);
    b.a.may_fail = 1;
    if (measured) adapting_measured(&b.a, measured);
    b.path = args->word[1];
    const sooth_csv_options every_row = {.keep_blank = 1, .names = b.a.name, .name_count = b.a.named};
    csv_open_for_model(b.a.env, args, b.path, b.a.model_path, b.a.model, b.a.zero, b.a.parts.card, &every_row,
                       &b.rows);
    adapting_one_program(&b.a, b.path, &b.rows.file.csv);
    if (b.count > candidates_of(&b))
        die(BAD_USE, "--count is %zu, but %s has %s", b.count, b.path,
            counted(candidates_of(&b), "row", "rows"));
    b.x = features_of(&b.rows, b.a.model->head.features);
    b.predicted = predictions_of(b.a.env, b.a.model, b.x, b.rows.file.csv.rows, b.a.model->head.features);
    read_cost(&b, arguments_text(args, "cost"));
    learn_failures(&b);
    leave_out_blank(&b);
    if (to || !as_json)
        file = output_open(to ? to : "-", arguments_has(args, "force"), inputs, measured ? 3 : 2);
    choose(&b);
    if (file) {
        fprintf(file, "row\n");
        for (size_t k = 0; k < b.count; ++k) fprintf(file, "%zu\n", b.order[k]);
        output_close();
    }
    if (as_json) print_json(&b);
    else print_summary(&b, to && strcmp(to, "-") != 0 ? stdout : stderr);
    return finish();
}

static int run(const arguments *args) {
    if (args->words == 1) return next_settings(args);
    if (arguments_has(args, "prior") || arguments_has(args, "target"))
        die(BAD_USE, "--prior and --target apply only to a space of settings, without a model");
    return next_launches(args);
}

const command next_command = {
    .name = "next",
    .summary = "choose which launches of a new program to measure next",
    .usage = "FILE CANDIDATES.csv [--measured MEASURED.csv] [--count N] [-o OUT.csv]\n"
             "       sooth next SPACE.csv --target COLUMN [--prior OTHER.csv] [--measured MEASURED.csv] "
             "[--count N]",
    .least = 1,
    .most = 2,
    .text =
        "Chooses launches of a program that the model has never seen: those whose measurement "
        "improves the predictions of all others most. Writes a column `row` with their rows in "
        "CANDIDATES.csv, counted from 0, in the order to measure. The model must be fitted with "
        "--group and --interval. All rows of CANDIDATES.csv and MEASURED.csv belong to one program.\n\n"
        "--measured names the launches measured so far, in the form of `sooth adapt`; default none. "
        "Measure the chosen launches and add them to MEASURED.csv. `sooth adapt` then predicts the "
        "rest, or this command chooses more.\n\n"
        "Keep a failed launch in MEASURED.csv with an empty target. It is not chosen again. Candidates "
        "that trees predict to fail as well are postponed.\n\n"
        "--least chooses the launches with the largest expected improvement on the smallest measured "
        "target. It suits settings of a kernel, with a model fitted on other GPUs and grouped by them.\n\n"
        "Without a model, SPACE.csv has a row for every allowed setting of a kernel and a column for "
        "each knob (or --features names them). The command searches for the smallest target in few "
        "runs. It uses MEASURED.csv and the measurements of other GPUs (--prior); trees predict "
        "settings that a GPU did not measure. Give all runs at every call, since the method "
        "alternates its steps. Settings are the texts of their cells: 3.10 and 3.1 are two. A knob may be "
        "text; the trees then read its levels in their order.",
    .example = "sooth next power.sooth candidates.csv --count 3 -o next.csv",
    .flags = flags,
    .run = run};
