/* predict.c - sooth predict: adds what a model predicts to a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdlib.h>

static const flag flags[] = {
    {"output", 'o', "OUT.csv", "where to write the table (default: the standard output)", 0},
    FORCE_FLAG,
    {"features", 'f', "A,B,...",
     "the columns that the model's features are, in its order, where they have other names; a name with a "
     "comma stands in double quotes",
     1},
    {"json", 0, NULL, "write JSON: a summary, and the predictions unless -o is given", 0},
    LAST_FLAG};

/* What is predicted from what. */
typedef struct job {
    const char *model_path, *path;
    const sooth_model *model;
    const sooth_card *card;
    const char *text; /* the file as it is */
    size_t size;
    sooth_csv csv;
    int has_header;
    size_t *column;     /* per feature */
    float *x;           /* rows x features */
    float *predicted;   /* rows x targets */
    uint32_t *outside;  /* per row */
    size_t *outside_of; /* per feature: rows in which it is outside */
    size_t outsiders, unanswered;
} job;

/* ---- predictions ---- */

static void predict_all(job *b) {
    size_t rows = b->csv.rows, features = b->model->features, targets = b->model->targets;
    float *scratch = (float *)allocate(sooth_model_scratch(b->model, 64), sizeof *scratch);
    const float *range = b->card ? sooth_card_range(b->card) : NULL;
    b->x = (float *)allocate(rows, features * sizeof *b->x);
    b->predicted = (float *)allocate(rows, targets * sizeof *b->predicted);
    b->outside = (uint32_t *)allocate(rows, sizeof *b->outside);
    b->outside_of = (size_t *)allocate(features, sizeof *b->outside_of);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < features; ++j)
            b->x[i * features + j] = b->csv.cell[i * b->csv.cols + b->column[j]];
    sooth_model_predict_many(b->model, b->x, rows, features, b->predicted, scratch, 64);
    for (size_t i = 0; i < rows; ++i) {
        const float *row = b->x + i * features;
        b->outside[i] = sooth_model_outside(b->model, row);
        b->outsiders += b->outside[i] > 0;
        b->unanswered += b->predicted[i * targets] != b->predicted[i * targets];
        for (size_t j = 0; b->outside[i] && j < features; ++j)
            b->outside_of[j] += row[j] < range[2 * j] || row[j] > range[2 * j + 1];
    }
    free(scratch);
}

static const char *target_name(const job *b, size_t t) {
    static char text[32];
    const char *name = b->card ? sooth_card_text(b->card, SOOTH_CARD_TARGET, t) : "";
    if (*name) return name;
    snprintf(text, sizeof text, b->model->targets == 1 ? "target" : "target_%zu", t + 1);
    return text;
}

/* Compares target t with its column, if the file has it; the number of rows that could be compared. */
static size_t score_target(const job *b, size_t t, sooth_metrics *metrics) {
    size_t column = sooth_csv_find(&b->csv, target_name(b, t)), n = 0;
    float *actual, *predicted;
    sooth_env env;
    if (column == b->csv.cols || b->csv.column[column].is_text) return 0;
    actual = (float *)allocate(b->csv.rows, sizeof *actual);
    predicted = (float *)allocate(b->csv.rows, sizeof *predicted);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        actual[n] = b->csv.cell[i * b->csv.cols + column];
        predicted[n] = b->predicted[i * b->model->targets + t];
        n += actual[n] - actual[n] <= 0.0f && predicted[n] - predicted[n] <= 0.0f;
    }
    sooth_env_init(&env);
    if (n && sooth_metrics_compute(&env, actual, predicted, NULL, n, NULL, metrics) != SOOTH_OK)
        die(BAD_INPUT, "%s", env.sentence);
    free(actual);
    free(predicted);
    return n;
}

/* ---- the table with the predictions ---- */

/* One record of the file as it is: its bytes without the line end, its cells, the line it begins in. The
   rules are those of csv.h. */
typedef struct record {
    const char *at, *end, *next;
    size_t cells, line, next_line;
} record;

static int is_line_end(char c) { return c == '\n' || c == '\r'; }

/* The record at or behind `at`, empty lines skipped; 0 at the end. */
static int next_record(const job *b, const char *at, size_t line, record *r) {
    const char *end = b->text + b->size, *p;
    char separator = b->csv.separator;
    while (at < end && is_line_end(*at)) {
        if (*at == '\r' && at + 1 < end && at[1] == '\n') ++at;
        ++at;
        ++line;
    }
    r->at = p = at;
    r->line = line;
    r->cells = 1;
    while (p < end && !is_line_end(*p)) {
        while (p < end && (*p == ' ' || (*p == '\t' && separator != '\t'))) ++p;
        if (p < end && *p == '"') {
            for (++p; p < end; ++p) {
                if (*p == '"') {
                    if (p + 1 == end || p[1] != '"') break;
                    ++p;
                }
                if (*p == '\n' || (*p == '\r' && (p + 1 == end || p[1] != '\n'))) ++line;
            }
            if (p < end) ++p;
        }
        while (p < end && *p != separator && !is_line_end(*p)) ++p;
        if (p < end && *p == separator) {
            ++r->cells;
            ++p;
        }
    }
    r->end = p;
    if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n') ++p;
    r->next = p < end ? p + 1 : p;
    r->next_line = line + 1;
    return at < end;
}

/* "predicted_Power", or with a number where the file has such a column. */
static const char *new_column(const job *b, const char *stem) {
    char *name = (char *)allocate(strlen(stem) + 16, 1);
    unsigned k = 1;
    strcpy(name, stem);
    while (sooth_csv_find(&b->csv, name) < b->csv.cols) sprintf(name, "%s.%u", stem, ++k);
    return name;
}

/* The header, with the names of what is added. */
static void write_header(const job *b, FILE *to, const record *r) {
    sooth_sink sink = file_sink(to);
    const char separator = b->csv.separator;
    fwrite(r->at, 1, (size_t)(r->end - r->at), to);
    for (size_t t = 0; t < b->model->targets; ++t) {
        char stem[300];
        snprintf(stem, sizeof stem, "predicted_%.280s", target_name(b, t));
        fputc(separator, to);
        sooth_csv_put_text(&sink, new_column(b, stem), separator);
    }
    if (b->card) fprintf(to, "%c%s", separator, new_column(b, "outside"));
}

/* Every record as it is, with the predictions behind it; separator, decimal mark and line ends are the
   file's. */
static void write_table(const job *b, FILE *to) {
    size_t targets = b->model->targets;
    sooth_sink sink = file_sink(to);
    const char separator = b->csv.separator, *line_end = (const char *)memchr(b->text, '\n', b->size);
    const char *newline = line_end && line_end > b->text && line_end[-1] == '\r' ? "\r\n" : "\n";
    record r;
    r.next = b->text;
    r.next_line = 1;
    if (b->has_header) {
        next_record(b, b->text, 1, &r);
        write_header(b, to, &r);
        fputs(newline, to);
    }
    for (size_t i = 0; i < b->csv.rows; ++i) {
        do { /* rows without any value are in the file but not in the table */
            if (!next_record(b, r.next, r.next_line, &r))
                die(BAD_INPUT, "%s: row %zu is not found again", b->path, i + 1);
        } while (r.line != b->csv.line[i]);
        fwrite(r.at, 1, (size_t)(r.end - r.at), to);
        for (size_t t = r.cells; t < b->csv.cols; ++t) fputc(separator, to);
        for (size_t t = 0; t < targets; ++t) {
            fputc(separator, to);
            sooth_csv_put_number(&sink, b->predicted[i * targets + t], b->csv.decimal);
        }
        if (b->card) fprintf(to, "%c%u", separator, (unsigned)b->outside[i]);
        fputs(newline, to);
    }
}

/* ---- reports ---- */

static const char *target_unit(const job *b, size_t t) {
    return b->card ? sooth_card_text(b->card, SOOTH_CARD_TARGET_UNIT, t) : "";
}

/* Whether these look like the rows that the model was trained on: as many, with the same range of each
   feature. */
static int is_training_data(const job *b) {
    const float *range = b->card ? sooth_card_range(b->card) : NULL;
    const size_t rows = b->csv.rows, features = b->model->features;
    if (!range || rows != b->card->rows || b->outsiders) return 0;
    for (size_t j = 0; j < features; ++j) {
        int met = 0; /* both ends of the range */
        for (size_t i = 0; i < rows; ++i)
            met |= (b->x[i * features + j] <= range[2 * j]) | (b->x[i * features + j] >= range[2 * j + 1])
                                                                  << 1;
        if (met != 3) return 0;
    }
    return 1;
}

static void print_summary(const job *b, FILE *to) {
    size_t targets = b->model->targets, n = 0, scores = 0;
    for (size_t t = 0; t < targets; ++t)
        fprintf(to, "%s%s", t ? ", " : "", with_unit(target_name(b, t), target_unit(b, t)));
    fprintf(to, " of %s predicted by %s\n", counted(b->csv.rows, "row", "rows"), b->model_path);
    if (b->unanswered)
        fprintf(to, "  unanswered  %s: a feature is missing, and this model needs all\n",
                counted(b->unanswered, "row", "rows"));
    if (b->outsiders) {
        fprintf(to, "  outside     %s beyond what the model has seen in training, a guess at best:",
                counted(b->outsiders, "row", "rows"));
        for (size_t j = 0; j < b->model->features; ++j) {
            if (!b->outside_of[j]) continue;
            if (n++ < 6)
                fprintf(to, "%s %s %zu", n > 1 ? "," : "", printable(b->csv.column[b->column[j]].name),
                        b->outside_of[j]);
        }
        if (n > 6) fprintf(to, ", and %zu columns more", n - 6);
        fputc('\n', to);
    }
    for (size_t t = 0; t < targets; ++t) {
        const char *unit = printable(target_unit(b, t)), *space = *unit ? " " : "";
        sooth_metrics m;
        size_t scored = score_target(b, t, &m);
        if (!scored) continue;
        ++scores;
        fprintf(to, "  %s is in the file: R2 %.3f, RMSE %s%s%s, MAE %s%s%s, MAPE %s %% over %s\n",
                printable(target_name(b, t)), m.r2, human(m.rmse, 3), space, unit, human(m.mae, 3), space,
                unit, human(100.0 * m.mape, 3), counted(scored, "row", "rows"));
    }
    if (scores && is_training_data(b))
        fprintf(to,
                "  These seem to be the rows it learned from; of others that tells nothing: `sooth validate` "
                "does.\n");
}

static void print_json(const job *b, int with_predictions) {
    size_t targets = b->model->targets;
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", b->model_path);
    json_text(&j, "file", b->path);
    json_count(&j, "rows", b->csv.rows);
    json_count(&j, "rows_outside", b->outsiders);
    json_count(&j, "rows_unanswered", b->unanswered);
    json_open(&j, "outside", '{');
    for (size_t i = 0; i < b->model->features; ++i)
        if (b->outside_of[i]) json_count(&j, b->csv.column[b->column[i]].header, b->outside_of[i]);
    json_close(&j, '}');
    json_open(&j, "targets", '[');
    for (size_t t = 0; t < targets; ++t) {
        sooth_metrics m;
        json_open(&j, NULL, '{');
        json_text(&j, "name", target_name(b, t));
        if (score_target(b, t, &m)) {
            json_number(&j, "R2", m.r2);
            json_number(&j, "RMSE", m.rmse);
            json_number(&j, "MAE", m.mae);
            json_number(&j, "MAPE_percent", 100.0 * m.mape);
            json_count(&j, "scored_rows", m.rows);
        }
        if (with_predictions) {
            json_open(&j, "predicted", '[');
            for (size_t i = 0; i < b->csv.rows; ++i) json_float(&j, b->predicted[i * targets + t]);
            json_close(&j, ']');
        }
        json_close(&j, '}');
    }
    json_close(&j, ']');
    if (with_predictions) {
        json_open(&j, "outside_features", '[');
        for (size_t i = 0; i < b->csv.rows; ++i) json_count(&j, NULL, b->outside[i]);
        json_close(&j, ']');
    }
    json_end(&j);
}

static int run(const arguments *args) {
    const char *to = arguments_text(args, "output");
    sooth_env *env = env_open(args);
    sooth_model_parts parts;
    int as_json = arguments_has(args, "json");
    FILE *file = NULL;
    model_rows rows;
    job b;
    memset(&b, 0, sizeof b);
    b.model_path = args->word[0];
    b.path = args->word[1];
    if (strcmp(b.model_path, "-") == 0 && strcmp(b.path, "-") == 0)
        die(BAD_USE, "the model and the data cannot both be -");
    b.model = model_open(env, b.model_path);
    sooth_model_open(b.model, &parts);
    b.card = parts.card;
    b.text = csv_open_for_model(env, args, b.path, b.model_path, b.model, b.card, &rows);
    b.size = rows.size;
    b.csv = rows.csv;
    b.column = rows.column;
    b.has_header = rows.has_header;
    if (to || !as_json) file = output_open(to ? to : "-", arguments_has(args, "force"), args->word, 2);
    predict_all(&b);
    if (file) {
        write_table(&b, file);
        output_close();
    }
    if (as_json) print_json(&b, !to);
    else print_summary(&b, to && strcmp(to, "-") != 0 ? stdout : stderr);
    return finish();
}

const command predict_command = {
    .name = "predict",
    .summary = "add what a model predicts to a table",
    .usage = "FILE DATA.csv [-o OUT.csv] [options]",
    .least = 2,
    .most = 2,
    .text = "Writes the table as it is, with its own separator and decimal mark, and columns more: "
            "predicted_TARGET for each target, and outside, the number of features that lie beyond the range "
            "that the model has seen in training (0: it interpolates; else do not trust it). Columns are "
            "found by name, in any order; where none of the names is there and the number of columns fits, "
            "they are taken in order, and a line on stderr says so. If a target is in the table too, the "
            "scores are printed. Either of FILE and DATA.csv may be - for the standard input.",
    .example = "sooth predict power.sooth new.csv -o predicted.csv",
    .flags = flags,
    .run = run};
