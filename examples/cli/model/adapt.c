/* adapt.c - sooth adapt: a new program, predicted with the help of a few of its launches.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/adapt.h"

#include <math.h>

static const flag flags[] = {
    {"output", 'o', "OUT.csv", "output table; default standard output", 0},
    FORCE_FLAG,
    {"group", 'g', "COLUMN",
     "column that names the program in both tables; each program is adapted separately", 0},
    {"features", 'f', "A,B,...",
     "columns that hold the features of the model, in its order, if they have other names. Put a "
     "name that holds a comma in double quotes",
     1},
    JSON_FLAG,
    LAST_FLAG};

/* ---- measurements ---- */

/* Returns the name of the column that named the program when the model was fitted, or NULL; the scores on the
   card have it. */
static const char *group_on_card(const adapting *a) {
    for (size_t i = 0; a->parts.card && i < a->parts.card->scores; ++i) {
        const char *name = strstr(sooth_model_card_text(a->parts.card, SOOTH_CARD_SCORE, i), ", unseen ");
        if (name) return name + strlen(", unseen ");
    }
    return NULL;
}

/* Stores the names of the columns that may name the program: the group on the card, "a" or "a or b", and
   then a and b. */
static void find_group(adapting *a) {
    const char *name = group_on_card(a), *end;
    size_t most = 2;
    if (!name) return;
    for (end = name; (end = strstr(end, " or ")) != NULL; end += 4) ++most;
    a->name = (const char **)allocate(most, sizeof *a->name);
    a->name[a->named++] = name;
    for (; most > 2 && name; name = end ? end + 4 : NULL) {
        end = strstr(name, " or ");
        const size_t length = end ? (size_t)(end - name) : strlen(name);
        a->name[a->named++] = (const char *)memcpy(allocate(length + 1, 1), name, length);
    }
}

/* Dies because the model does not adapt, with the reason that its parts give. */
static void refuse_model(const adapting *a) {
    const sooth_conformal *interval = a->parts.interval;
    const sooth_levels_column *column = a->parts.levels ? sooth_levels_columns(a->parts.levels) : NULL;
    size_t j = 0;
    char reason[200];
    while (column && j < a->model->head.features && !column[j].categorical) ++j;
    if (!interval || !interval->claim.groups)
        snprintf(reason, sizeof reason, "fit it with --group COLUMN and --interval 0.9");
    else if (a->model->head.targets > 1)
        snprintf(reason, sizeof reason, "it predicts %u targets; fit it to one", a->model->head.targets);
    else if (column && j < a->model->head.features)
        snprintf(reason, sizeof reason, "%.80s has categories, which have no distances; fit it without them",
                 sooth_model_card_text(a->parts.card, SOOTH_CARD_FEATURE, j));
    else if (isinf(interval->below) && isfinite(interval->above))
        snprintf(reason, sizeof reason, "its intervals have only upper ends; fit it without --upper");
    else
        snprintf(reason, sizeof reason,
                 "fit it to %u programs or more with two rows or more each; it was calibrated on %u",
                 (unsigned)SOOTH_ADAPT_MIN_PROGRAMS, interval->claim.groups);
    die(BAD_INPUT, "%s cannot adapt to a new program: %s", a->model_path, reason);
}

void adapting_open(sooth_env *env, const arguments *args, const char *path, adapting *a) {
    memset(a, 0, sizeof *a);
    a->env = env;
    a->args = args;
    a->model_path = path;
    a->model = model_open(env, path, &a->zero);
    if (is_centred(a->zero, a->model->head.features))
        refuse_zero(path, a->model, a->zero, a->model->head.features);
    sooth_model_open(a->model, &a->parts);
    if (!a->parts.adapt) refuse_model(a);
    a->target = a->parts.card ? sooth_model_card_text(a->parts.card, SOOTH_CARD_TARGET, 0) : "";
    if (!*a->target) a->target = "target";
    a->group = arguments_text(args, "group");
    if (a->group) a->name = &a->group, a->named = 1;
    else find_group(a);
}

/* Finds the columns of a table that name the program of a row; returns their number. */
static size_t program_columns(const adapting *a, const sooth_csv *csv, size_t *column) {
    size_t n = 0;
    for (size_t k = 0; k < a->named && !(k == 1 && n); ++k) /* one column may be called "a or b" */
        if (sooth_csv_find(csv, a->name[k]) < csv->cols) column[n++] = sooth_csv_find(csv, a->name[k]);
    return n;
}

/* Dies because no program is named in all rows up to this one. */
static void refuse_program(const adapting *a, const char *path, const char *column, const char *name) {
    const char *cure = a->may_fail ? "" : ", or to each separately with --group";
    if (strcmp(path, a->program_path) == 0)
        die(BAD_INPUT, "%s holds several programs (%s %s and %s): adapt to one at a time%s", path, column,
            printable(a->program[0]), printable(name), cure);
    die(BAD_INPUT, "%s holds another program (%s %s) than %s (%s): adapt to one at a time%s", path, column,
        printable(name), a->program_path, printable(a->program[0]), cure);
}

void adapting_one_program(adapting *a, const char *path, const sooth_csv *csv) {
    size_t *column = (size_t *)allocate(a->named, sizeof *column);
    const size_t columns = program_columns(a, csv, column);
    const char **name = (const char **)allocate(columns, sizeof *name);
    for (size_t i = 0; i < csv->rows; ++i) {
        size_t names = 0, kept = 0;
        for (size_t k = 0; k < columns; ++k) {
            char number[SOOTH_TEXT_NUMBER_SIZE];
            const char *text = text_of_cell(csv, i, column[k], number);
            if (text) name[names++] = strcpy((char *)allocate(strlen(text) + 1, 1), text);
        }
        if (!names) continue;
        if (!a->programs) {
            a->program = (const char **)allocate(names, sizeof *a->program);
            a->program_path = path;
            for (; a->programs < names; ++a->programs) a->program[a->programs] = name[a->programs];
            continue;
        }
        for (size_t p = 0; p < a->programs; ++p) {
            size_t k = 0;
            while (k < names && strcmp(a->program[p], name[k]) != 0) ++k;
            if (k < names) a->program[kept++] = a->program[p];
        }
        if (!kept) refuse_program(a, path, csv->column[column[0]].name, name[0]);
        a->programs = kept;
        while (names) free((char *)(uintptr_t)name[--names]);
    }
    free(name);
    free(column);
}

void adapting_measured(adapting *a, const char *path) {
    sooth_csv *csv = &a->measured.file.csv;
    const uint32_t features = a->model->head.features;
    const sooth_csv_options options = {.no_rows = 1, .names = a->name, .name_count = a->named};
    size_t column;
    a->path = path;
    csv_open_for_model(a->env, a->args, path, a->model_path, a->model, a->zero, a->parts.card, &options,
                       &a->measured);
    column = sooth_csv_find(csv, a->target);
    if (column == SOOTH_NONE)
        die(BAD_INPUT, "%s has no column %s, the measured target", path, printable(a->target));
    if (csv->column[column].is_text) column_is_text(path, csv, column);
    a->x = features_of(&a->measured, features);
    a->predicted = predictions_of(a->env, a->model, a->x, csv->rows, features);
    a->y = (float *)allocate(csv->rows, sizeof *a->y);
    for (size_t i = 0; i < csv->rows; ++i) {
        const float y = a->y[i] = csv->cell[i * csv->cols + column];
        const unsigned line = (unsigned)csv->line[i];
        if (isnan(y) && a->may_fail) {
            ++a->failed;
            continue;
        }
        if (isnan(y)) die(BAD_INPUT, "%s: line %u: %s is missing", path, line, printable(a->target));
        if (isinf(y)) die(BAD_INPUT, "%s: line %u: %s is infinite", path, line, printable(a->target));
        if (a->parts.adapt->log && y <= 0.0f)
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be above 0 like all training rows of %s", path,
                line, printable(a->target), shortest(y), a->model_path);
        if (!is_prediction(a->predicted[i]) || (a->parts.adapt->log && a->predicted[i] <= 0.0f))
            die(BAD_INPUT, "%s: line %u: %s has no prediction to compare this row with", path, line,
                a->model_path);
    }
    if (!a->group) adapting_one_program(a, path, csv);
}

sooth_adapt_program *adapting_program(adapting *a, const char *name, void *memory) {
    sooth_adapt_program *program =
        sooth_adapt_begin(a->parts.adapt, memory, sooth_adapt_program_size(a->parts.adapt));
    const sooth_csv *csv = &a->measured.file.csv;
    const size_t column = name ? sooth_csv_find(csv, a->group) : SOOTH_NONE;
    char number[SOOTH_TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < csv->rows; ++i) {
        if (isnan(a->y[i])) continue;
        if (name) {
            const char *of = text_of_cell(csv, i, column, number);
            if (!of || strcmp(of, name) != 0) continue;
        }
        if (sooth_adapt_observe(a->parts.adapt, program, a->x + i * a->model->head.features, a->predicted[i],
                                a->y[i]) != SOOTH_ADAPT_DOUBTED)
            continue;
        if (!a->doubted++) a->doubted_line = csv->line[i];
    }
    return program;
}

/* ---- the new launches ---- */

typedef struct job {
    adapting a;
    const char *path; /* of the new launches */
    model_rows rows;
    float *x, *predicted;
    float *value, *low, *high;
    trusts trust;
    size_t unknown; /* rows of programs without measurements */
} job;

static void adapt_row(job *b, size_t i, const sooth_adapt_program *program) {
    const size_t features = b->a.model->head.features;
    const int floor = b->a.parts.card && sooth_model_card_range(b->a.parts.card)[2 * features] >= 0.0f;
    sooth_adapted at;
    sooth_adapt_predict(b->a.parts.adapt, program, b->x + i * features, b->predicted[i], &at);
    if (floor) { /* never below 0 if the target never was */
        if (at.value < 0.0f) at.value = 0.0f;
        if (at.low < 0.0f) at.low = 0.0f;
        if (at.high < 0.0f) at.high = 0.0f;
    }
    b->value[i] = at.value;
    b->low[i] = at.low;
    b->high[i] = at.high;
    trusts_set(&b->trust, &b->rows, i, at.trust, at.feature);
    b->unknown += program->points == 0;
}

/* The programs in the order in which they first appear. */
static void adapt_groups(job *b, void *memory) {
    const sooth_csv *csv = &b->rows.file.csv;
    const size_t column = sooth_csv_find(csv, b->a.group);
    unsigned char *done = (unsigned char *)allocate(csv->rows, 1);
    char first[SOOTH_TEXT_NUMBER_SIZE], other[SOOTH_TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < csv->rows; ++i) {
        const char *name = text_of_cell(csv, i, column, first);
        if (done[i] || is_blank_row(csv, i)) continue;
        if (!name)
            die(BAD_INPUT, "%s: line %u: %s is missing%s", b->path, (unsigned)csv->line[i], b->a.group,
                csv->column[column].worded ? "; NA, null, nan and - are no names, write others" : "");
        const sooth_adapt_program *program = adapting_program(&b->a, name, memory);
        for (size_t k = i; k < csv->rows; ++k) {
            const char *of = done[k] ? NULL : text_of_cell(csv, k, column, other);
            if (!of || strcmp(of, name) != 0) continue;
            adapt_row(b, k, program);
            done[k] = 1;
        }
    }
    free(done);
}

static void adapt_all(job *b) {
    const size_t rows = b->rows.file.csv.rows, features = b->a.model->head.features;
    void *memory = allocate(sooth_adapt_program_size(b->a.parts.adapt), 1);
    b->x = features_of(&b->rows, features);
    b->predicted = predictions_of(b->a.env, b->a.model, b->x, rows, features);
    b->value = (float *)allocate(rows, 3 * sizeof *b->value);
    b->low = b->value + rows;
    b->high = b->low + rows;
    trusts_new(&b->trust, rows);
    for (size_t i = 0; i < rows; ++i) {
        if (!is_blank_row(&b->rows.file.csv, i)) continue;
        b->value[i] = b->low[i] = b->high[i] = (float)NAN;
        trusts_set(&b->trust, &b->rows, i, SOOTH_MODEL_TRUST_OUTSIDE, UINT32_MAX);
    }
    if (b->a.group) {
        adapt_groups(b, memory);
    } else {
        const sooth_adapt_program *program = adapting_program(&b->a, NULL, memory);
        for (size_t i = 0; i < rows; ++i)
            if (!is_blank_row(&b->rows.file.csv, i)) adapt_row(b, i, program);
    }
    free(memory);
}

static void write_table(const job *b, FILE *to) {
    const sooth_model_card *card = b->a.parts.card;
    const char *unit = card ? sooth_model_card_text(card, SOOTH_CARD_TARGET_UNIT, 0) : "";
    const addition add[] = {{stem_of("predicted", b->a.target), b->value, 1, NULL, NULL, 0.0, unit},
                            {stem_of("low", b->a.target), b->low, 1, NULL, NULL, 0.0, unit},
                            {stem_of("high", b->a.target), b->high, 1, NULL, NULL, 0.0, unit},
                            {"trust", NULL, 1, NULL, b->trust.word, 0.0, NULL},
                            {"trust_feature", NULL, 1, NULL, b->trust.feature, 0.0, NULL}};
    table_append(b->a.env, &b->rows.file, b->path, add, sizeof add / sizeof *add, to);
}

/* Compares with the column of the target if the file has it; returns the number of rows compared. */
static size_t compare(const job *b, sooth_metrics *m, double *held) {
    const sooth_csv *csv = &b->rows.file.csv;
    const size_t column = sooth_csv_find(csv, b->a.target);
    size_t n = 0, inside = 0;
    sooth_env env;
    if (column == SOOTH_NONE || csv->column[column].is_text) return 0;
    float *y = (float *)allocate(csv->rows, 2 * sizeof *y), *p = y + csv->rows;
    for (size_t i = 0; i < csv->rows; ++i) {
        y[n] = csv->cell[i * csv->cols + column];
        p[n] = b->value[i];
        if (!(y[n] - y[n] <= 0.0f) || !(p[n] - p[n] <= 0.0f)) continue;
        inside += y[n] >= b->low[i] && y[n] <= b->high[i];
        ++n;
    }
    sooth_env_init(&env);
    if (n && sooth_metrics_compute(&env, y, p, NULL, n, NULL, m) != SOOTH_OK)
        die(BAD_INPUT, "%s", env.sentence);
    *held = n ? 100.0 * (double)inside / (double)n : 0.0;
    free(y);
    return n;
}

static void print_summary(const job *b, FILE *to) {
    const sooth_adapt *adapt = b->a.parts.adapt;
    sooth_metrics m;
    double held;
    fprintf(to, "%s of %s predicted by %s, adapted by %s\n", printable(b->a.target),
            counted(b->rows.file.csv.rows, "row", "rows"), b->a.model_path,
            counted(b->a.measured.file.csv.rows, "measured launch", "measured launches"));
    fprintf(to, "  interval    %.4g %% of the launches of a new program (calibrated on %s)\n",
            100.0 * (double)adapt->level, counted(adapt->programs, "program", "programs"));
    float rule;
    const double share = 100.0 * (double)sooth_adapt_share(adapt, &rule);
    if (share < 100.0)
        fprintf(to,
                "  without     launches: %.4g %% the model, %.4g %% the median of the training rows, %s, as "
                "programs "
                "left out were predicted best\n",
                share, 100.0 - share, human((double)rule, 3));
    trusts_print(&b->trust, to);
    if (b->rows.file.csv.blank_rows)
        fprintf(to, "  empty       %s without any value, not predicted\n",
                counted(b->rows.file.csv.blank_rows, "row", "rows"));
    if (b->a.doubted)
        fprintf(to,
                "  doubted     %s that contradict the others, the first in line %u of %s: they have little "
                "weight\n",
                counted(b->a.doubted, "measurement", "measurements"), (unsigned)b->a.doubted_line, b->a.path);
    if (b->unknown && b->a.measured.file.csv.rows)
        fprintf(to, "  unmeasured  %s of programs without measurements\n",
                counted(b->unknown, "row", "rows"));
    const size_t n = compare(b, &m, &held);
    if (n)
        fprintf(to, "  %s is in the file: R2 %s, MAE %s, MAPE %s %% over %s; the intervals hold %s %%\n",
                printable(b->a.target), r2_text(m.r2), human(m.mae, 3), human(100.0 * m.mape, 3),
                counted(n, "row", "rows"), human(held, 3));
}

static void print_json(const job *b, int with_predictions) {
    const size_t rows = b->rows.file.csv.rows;
    const float *list[3] = {b->value, b->low, b->high};
    static const char *const name[3] = {"predicted", "low", "high"};
    sooth_metrics m;
    double held;
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", b->a.model_path);
    json_text(&j, "file", b->path);
    json_text(&j, "target", b->a.target);
    json_count(&j, "rows", rows);
    json_count(&j, "measured", b->a.measured.file.csv.rows);
    json_count(&j, "doubted", b->a.doubted);
    json_number(&j, "level", (double)b->a.parts.adapt->level);
    json_number(&j, "share_of_model", (double)sooth_adapt_share(b->a.parts.adapt, NULL));
    if (compare(b, &m, &held)) {
        json_number(&j, "R2", m.r2);
        json_number(&j, "MAE", m.mae);
        json_number(&j, "MAPE_percent", 100.0 * m.mape);
        json_number(&j, "held_percent", held);
    }
    for (int k = 0; with_predictions && k < 3; ++k) {
        json_open(&j, name[k], '[');
        for (size_t i = 0; i < rows; ++i) json_float(&j, list[k][i]);
        json_close(&j, ']');
    }
    if (with_predictions) trusts_json(&b->trust, &j);
    json_end(&j);
}

/* Dies if one of the tables lacks the column of groups; tells words for missing in it. */
static void need_groups(const job *b) {
    if (!b->a.group) return;
    for (int k = 0; k < 2; ++k) {
        const sooth_csv *csv = k ? &b->rows.file.csv : &b->a.measured.file.csv;
        const size_t column = sooth_csv_find(csv, b->a.group);
        const char **known;
        if (column < csv->cols) {
            if (!k) words_note(csv, column, stderr); /* such rows belong to no program */
            continue;
        }
        const size_t n = column_names(csv, &known);
        die(BAD_INPUT, "%s has no column %s for --group%s", k ? b->path : b->a.path, b->a.group,
            did_you_mean(b->a.group, known, n));
    }
}

static int run(const arguments *args) {
    const char *to = arguments_text(args, "output");
    const int as_json = arguments_has(args, "json");
    FILE *file = NULL;
    size_t standard = 0;
    job b;
    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < args->words; ++i) standard += strcmp(args->word[i], "-") == 0;
    if (standard > 1) die(BAD_USE, "only one of the model and the tables can be -");
    adapting_open(env_open(args), args, args->word[0], &b.a);
    adapting_measured(&b.a, args->word[1]);
    b.path = args->word[2];
    const sooth_csv_options options = {.keep_blank = 1, .names = b.a.name, .name_count = b.a.named};
    csv_open_for_model(b.a.env, args, b.path, b.a.model_path, b.a.model, b.a.zero, b.a.parts.card, &options,
                       &b.rows);
    need_groups(&b);
    if (!b.a.group && b.a.measured.file.csv.rows) adapting_one_program(&b.a, b.path, &b.rows.file.csv);
    if (to || !as_json) file = output_open(to ? to : "-", arguments_has(args, "force"), args->word, 3);
    adapt_all(&b);
    if (file) {
        write_table(&b, file);
        output_close();
    }
    if (as_json) print_json(&b, !to);
    else print_summary(&b, to && strcmp(to, "-") != 0 ? stdout : stderr);
    return finish();
}

const command adapt_command = {
    .name = "adapt",
    .summary = "predict a new program with the help of a few of its launches",
    .usage = "FILE MEASURED.csv NEW.csv [-o OUT.csv] [options]",
    .least = 3,
    .most = 3,
    .text =
        "Writes every row of NEW.csv unchanged, followed by new columns. They are empty in a row without "
        "any value. The model must be fitted with --group and --interval.\n\n"
        "predicted_TARGET is the prediction, adapted to the launches of the same program in "
        "MEASURED.csv. The range low_TARGET to high_TARGET holds the share of launches that the model "
        "promises for a new program.\n\n"
        "trust is inside, edge or outside of the training range; edge means at most a tenth of the "
        "range of a feature beyond it. trust_feature is the feature that is farthest out.\n\n"
        "MEASURED.csv has the features of the model and its target. It may hold only a header; the "
        "prediction is then that of the model, or a mixture with the median of the training rows if that "
        "predicted programs left out better. All rows of MEASURED.csv and NEW.csv belong to one program "
        "unless --group names a column of programs. The column that named the programs for `sooth fit` is "
        "compared by its texts if a table has it: 07 is not 7.\n\n"
        "Launches chosen by `sooth next` help most.",
    .example = "sooth adapt power.sooth measured.csv new.csv -o adapted.csv",
    .flags = flags,
    .run = run};
