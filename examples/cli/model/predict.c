/* predict.c - sooth predict: adds the predictions of a model to a table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/conformal.h"

#include <math.h>

static const flag flags[] = {
    {"output", 'o', "OUT.csv", "output table; default standard output", 0},
    FORCE_FLAG,
    {"features", 'f', "A,B,...",
     "columns that hold the features of the model, in its order, if they have other names. Put a "
     "name that holds a comma in double quotes",
     1},
    {"threshold", 0, "P",
     "for a model that predicts a probability: add class_TARGET, 1 if the probability is at least "
     "P, else 0",
     0},
    {"json", 0, NULL, "write JSON: a summary, and the predictions unless -o is given", 0},
    THREADS_FLAG,
    LAST_FLAG};

/* One run of `sooth predict`. */
typedef struct job {
    sooth_env *env;
    const char *model_path, *path;
    const sooth_model *model;
    const sooth_model_card *card;
    const double *zero; /* what its columns count from; NULL: 0 */
    model_rows rows;
    sooth_csv csv;
    size_t *column;     /* per feature */
    const float *x;     /* rows of features */
    size_t stride;      /* floats from one row of x to the next */
    float *predicted;   /* rows x targets */
    uint32_t *outside;  /* per row */
    size_t *outside_of; /* per feature: rows in which it is outside */
    size_t outsiders;
    float *low, *high;            /* rows x targets; NULL: the model has no interval */
    trusts trust;                 /* if it has one */
    size_t unanswered, too_large; /* invalid predictions; those of rows without missing values */
    size_t empty;                 /* rows in which every feature is missing */
    uint32_t *class_of;           /* per row, 1 from --threshold on; NULL: not requested */
} job;

/* ---- predictions ---- */

/* Returns true if every feature of the row is missing in the table. */
static int is_empty(const job *b, size_t row) {
    size_t j = 0;
    while (j < b->model->head.features && isnan(b->csv.cell[row * b->csv.cols + b->column[j]])) ++j;
    return j == b->model->head.features;
}

/* Computes the ends of every interval, and the trust: a row without any feature is outside. */
static void find_intervals(job *b) {
    const size_t rows = b->csv.rows, targets = b->model->head.targets;
    if (!sooth_model_conformal(b->model, 0)) return;
    b->low = (float *)allocate(rows, 2 * targets * sizeof *b->low);
    b->high = b->low + rows * targets;
    trusts_new(&b->trust, rows);
    for (size_t i = 0; i < rows * targets; ++i)
        b->predicted[i] =
            sooth_model_interval_from(b->model, i % targets, b->predicted[i], &b->low[i], &b->high[i]);
    for (size_t i = 0; i < rows; ++i) {
        uint32_t feature;
        uint32_t trust = (uint32_t)sooth_model_trust(b->model, b->x + i * b->stride, &feature);
        if (is_empty(b, i)) trust = SOOTH_MODEL_TRUST_OUTSIDE;
        trusts_set(&b->trust, &b->rows, i, trust, feature);
    }
}

/* What one thread found in its rows. */
typedef struct findings {
    size_t outsiders, empty, unanswered, too_large;
    size_t *outside_of; /* per feature */
} findings;

enum { ROWS_AT_ONCE = 4096 };

typedef struct looking {
    job *b;
    findings *of; /* per thread */
} looking;

/* Counts features outside in some rows, and rows that are empty or have no prediction. */
static void look_at_rows(void *arg, size_t item, size_t worker) {
    job *b = ((looking *)arg)->b;
    findings *f = ((looking *)arg)->of + worker;
    const size_t features = b->model->head.features, from = item * ROWS_AT_ONCE;
    const size_t to = from + ROWS_AT_ONCE < b->csv.rows ? from + ROWS_AT_ONCE : b->csv.rows;
    for (size_t i = from; i < to; ++i) {
        const float *row = b->x + i * b->stride;
        b->outside[i] = sooth_model_outside(b->model, row);
        f->outsiders += b->outside[i] > 0;
        f->empty += is_empty(b, i);
        if (!is_prediction(b->predicted[i * b->model->head.targets])) {
            size_t j = 0;
            while (j < features && !isnan(row[j])) ++j;
            f->too_large += j == features;
            ++f->unanswered;
        }
        for (size_t j = 0; b->outside[i] && j < features; ++j)
            f->outside_of[j] += (size_t)sooth_model_is_outside(b->model, (uint32_t)j, row[j]);
    }
}

static void predict_all(job *b) {
    const size_t rows = b->csv.rows, features = b->model->head.features;
    const size_t workers = b->env->workers > 1 ? b->env->workers : 1;
    const size_t items = (rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    looking all = {b, (findings *)allocate(workers, sizeof(findings))};
    b->x = features_in(&b->rows, features, &b->stride);
    b->predicted = predictions_of(b->env, b->model, b->x, rows, b->stride);
    b->outside = (uint32_t *)allocate(rows, sizeof *b->outside);
    b->outside_of = (size_t *)allocate(features, sizeof *b->outside_of);
    for (size_t w = 0; w < workers; ++w) all.of[w].outside_of = (size_t *)allocate(features, sizeof(size_t));
    in_parallel(b->env, items, look_at_rows, &all);
    for (size_t w = 0; w < workers; ++w) {
        b->outsiders += all.of[w].outsiders;
        b->empty += all.of[w].empty;
        b->unanswered += all.of[w].unanswered;
        b->too_large += all.of[w].too_large;
        for (size_t j = 0; j < features; ++j) b->outside_of[j] += all.of[w].outside_of[j];
        free(all.of[w].outside_of);
    }
    free(all.of);
    find_intervals(b);
}

/* 1 from the threshold on; an invalid prediction is 0. */
static void find_classes(job *b, const arguments *args) {
    const double threshold = double_read(args, "threshold", 0.5, 0, 1);
    if (!arguments_has(args, "threshold")) return;
    if (b->model->head.targets != 1)
        die(BAD_USE, "--threshold is for one target, but %s predicts %u", b->model_path,
            b->model->head.targets);
    b->class_of = (uint32_t *)allocate(b->csv.rows, sizeof *b->class_of);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        if (b->predicted[i] < 0.0f || b->predicted[i] > 1.0f)
            die(BAD_USE, "--threshold is for probabilities, but %s predicts %s; fit it with --calibrate",
                b->model_path, shortest(b->predicted[i]));
        b->class_of[i] = (double)b->predicted[i] >= threshold;
    }
}

static const char *target_name(const job *b, size_t t) {
    static char text[32];
    const char *name = b->card ? sooth_model_card_text(b->card, SOOTH_CARD_TARGET, t) : "";
    if (*name) return name;
    snprintf(text, sizeof text, b->model->head.targets == 1 ? "target" : "target_%zu", t + 1);
    return text;
}

/* Compares target t with its column if the file has it. Returns the number of rows compared. binary: the
   figures of probabilities; its rows are 0 if there are none. */
static size_t score_target(const job *b, size_t t, sooth_metrics *metrics, sooth_metrics_binary *binary) {
    size_t column = sooth_csv_find(&b->csv, target_name(b, t)), n = 0;
    float *actual, *predicted;
    sooth_env env;
    if (column == SOOTH_NONE || b->csv.column[column].is_text) return 0;
    actual = target_column(&b->rows, b->model->head.features, t, column);
    predicted = (float *)allocate(b->csv.rows, sizeof *predicted);
    for (size_t i = 0; i < b->csv.rows; ++i) {
        actual[n] = actual[i];
        predicted[n] = b->predicted[i * b->model->head.targets + t];
        n += actual[n] - actual[n] <= 0.0f && predicted[n] - predicted[n] <= 0.0f;
    }
    sooth_env_init(&env);
    if (n && sooth_metrics_compute(&env, actual, predicted, NULL, n, NULL, metrics) != SOOTH_OK)
        die(BAD_INPUT, "%s", env.sentence);
    memset(binary, 0, sizeof *binary);
    if (n && is_centred(b->zero, b->model->head.features + t))
        metrics->mape =
            mape_from(b->zero[b->model->head.features + t], actual, predicted, NULL, n, &metrics->zeros);
    if (n) binary_of(actual, predicted, NULL, n, binary);
    free(actual);
    free(predicted);
    return n;
}

/* ---- the table with the predictions ---- */

/* Returns true if the interval of target t has a lower end. */
static int has_low(const job *b, size_t t) {
    return !interval_upper(sooth_model_conformal(b->model, (uint32_t)t));
}

/* Returns what target t counts from. */
static double zero_of(const job *b, size_t t) { return b->zero ? b->zero[b->model->head.features + t] : 0.0; }

static void json_target(json *j, const job *b, size_t t, float value) {
    if (is_centred(b->zero, b->model->head.features + t)) json_number(j, NULL, zero_of(b, t) + (double)value);
    else json_float(j, value);
}

static const char *target_unit(const job *b, size_t t) {
    return b->card ? sooth_model_card_text(b->card, SOOTH_CARD_TARGET_UNIT, t) : "";
}

/* Lists the new columns: predictions, classes, number of features outside, and with an interval its ends and
   the trust. */
static void write_table(const job *b, FILE *to) {
    const size_t targets = b->model->head.targets;
    addition *add = (addition *)allocate(3 * targets + 4, sizeof *add);
    size_t n = 0;
    for (size_t t = 0; t < targets; ++t)
        add[n++] = (addition){stem_of("predicted", target_name(b, t)),
                              b->predicted + t,
                              targets,
                              NULL,
                              NULL,
                              zero_of(b, t),
                              target_unit(b, t)};
    if (b->class_of)
        add[n++] = (addition){stem_of("class", target_name(b, 0)), NULL, 1, b->class_of, NULL, 0.0, NULL};
    if (b->card) add[n++] = (addition){"outside", NULL, 1, b->outside, NULL, 0.0, NULL};
    for (size_t t = 0; b->low && t < targets; ++t) {
        if (has_low(b, t))
            add[n++] = (addition){stem_of("low", target_name(b, t)),
                                  b->low + t,
                                  targets,
                                  NULL,
                                  NULL,
                                  zero_of(b, t),
                                  target_unit(b, t)};
        add[n++] = (addition){stem_of("high", target_name(b, t)),
                              b->high + t,
                              targets,
                              NULL,
                              NULL,
                              zero_of(b, t),
                              target_unit(b, t)};
    }
    if (b->low) {
        add[n++] = (addition){"trust", NULL, 1, NULL, b->trust.word, 0.0, NULL};
        add[n++] = (addition){"trust_feature", NULL, 1, NULL, b->trust.feature, 0.0, NULL};
    }
    table_append(b->env, &b->rows.file, b->path, add, n, to);
    free(add);
}

/* ---- reports ---- */

/* Finds the column of each target; returns 0 if one is missing or is text. */
static int find_targets(const job *b, size_t *column) {
    for (size_t t = 0; t < b->model->head.targets; ++t) {
        column[t] = sooth_csv_find(&b->csv, target_name(b, t));
        if (column[t] == SOOTH_NONE || b->csv.column[column[t]].is_text) return 0;
    }
    return 1;
}

/* Estimates how many of the rows with every target the model was fitted to, by the hashes on its card
   (sooth/seen.h). *told is the number of rows that the hashes decide; the estimate extends their share to all
   rows. 0 means unknown. */
static size_t rows_seen(const job *b, size_t *told, size_t *rows) {
    const size_t features = b->model->head.features, targets = b->model->head.targets;
    size_t *column = (size_t *)allocate(targets, sizeof *column), known = 0, t;
    float *y = (float *)allocate(targets, sizeof *y), **actual;
    sooth_model_seen_rows seen;
    memset(&seen, 0, sizeof seen);
    if (b->card) sooth_model_card_seen(b->card, &seen);
    *told = *rows = 0;
    const size_t count = seen.count && find_targets(b, column) ? b->csv.rows : 0;
    actual = (float **)allocate(targets, sizeof *actual);
    for (t = 0; t < targets && count; ++t) actual[t] = target_column(&b->rows, features, t, column[t]);
    for (size_t i = 0; i < count; ++i) {
        for (t = 0; t < targets && !isnan(y[t] = actual[t][i]); ++t) continue;
        if (t < targets) continue;
        const sooth_model_seen_answer answer =
            sooth_model_seen_test(&seen, b->x + i * b->stride, features, y, targets);
        *told += answer != SOOTH_MODEL_SEEN_UNKNOWN;
        known += answer == SOOTH_MODEL_SEEN_YES;
        ++*rows;
    }
    for (t = 0; t < targets; ++t) free(actual[t]);
    free(actual);
    free(y);
    free(column);
    return *told ? (size_t)((double)known * (double)*rows / (double)*told + 0.5) : 0;
}

/* Warns about rows that the model was fitted to: scores on them are not a test. */
static void warn_of_learned(const job *b) {
    size_t told, rows;
    const size_t n = rows_seen(b, &told, &rows);
    if (!n) return;
    fprintf(stderr, "%swarning:%s %s was fitted to ", colour(stderr, YELLOW), colour(stderr, NO_COLOUR),
            b->model_path);
    if (told == rows) fprintf(stderr, "%zu", n);
    else fprintf(stderr, "about %s", human((double)n, 2));
    fprintf(stderr, " of the %s of %s", counted(rows, "row", "rows"), b->path);
    if (told < rows)
        fprintf(stderr, ", estimated from the %s that its hashes cover", counted(told, "row", "rows"));
    fprintf(stderr, ": scores on these do not apply to others; use `sooth validate`\n");
}

static void note_forms(const job *b, FILE *to) {
    const size_t features = b->model->head.features;
    uint32_t *column = (uint32_t *)allocate(features, sizeof *column);
    for (size_t j = 0; j < features; ++j) column[j] = (uint32_t)b->column[j];
    forms_note(&b->csv, column, features, to);
    free(column);
}

static void print_summary(const job *b, FILE *to) {
    size_t targets = b->model->head.targets, n = 0;
    for (size_t t = 0; t < targets; ++t)
        fprintf(to, "%s%s", t ? ", " : "", with_unit(target_name(b, t), target_unit(b, t)));
    fprintf(to, " of %s predicted by %s\n", counted(b->csv.rows, "row", "rows"), b->model_path);
    dialect_note(&b->csv, to);
    note_forms(b, to);
    print_zeros(b->model, b->zero, to);
    if (*probability_text(b->model)) fprintf(to, "  predicts    %s\n", probability_text(b->model));
    if (b->low) {
        char text[300];
        interval_text(sooth_model_conformal(b->model, 0), text, sizeof text);
        fprintf(to, "  interval    %s\n", text);
        trusts_print(&b->trust, to);
    }
    unknown_print(&b->rows, to);
    if (b->empty)
        fprintf(to, "  empty       %s without any feature%s\n", counted(b->empty, "row", "rows"),
                b->unanswered >= b->empty ? "" : ", predicted as if all were missing");
    if (b->unanswered > b->too_large)
        fprintf(to, "  unpredicted %s: a feature is missing, and this model needs all features\n",
                counted(b->unanswered - b->too_large, "row", "rows"));
    if (b->too_large)
        fprintf(to, "  unpredicted %s: the prediction is beyond the range of a float\n",
                counted(b->too_large, "row", "rows"));
    if (b->outsiders) {
        fprintf(to, "  %s %s outside of the training range%s:", b->low ? "beyond     " : "outside    ",
                counted(b->outsiders, "row", "rows"),
                b->low ? " in a feature, at the edge too" : "; do not trust them");
        for (size_t j = 0; j < b->model->head.features; ++j) {
            if (!b->outside_of[j]) continue;
            if (n++ < 6)
                fprintf(to, "%s %s %zu", n > 1 ? "," : "", printable(b->csv.column[b->column[j]].name),
                        b->outside_of[j]);
        }
        if (n > 6) fprintf(to, ", and %zu more columns", n - 6);
        fputc('\n', to);
    }
    for (size_t t = 0; t < targets; ++t) {
        const char *unit = printable(target_unit(b, t)), *space = *unit ? " " : "";
        sooth_metrics_binary binary;
        sooth_metrics m;
        size_t scored = score_target(b, t, &m, &binary);
        if (!scored) continue;
        fprintf(to, "  %s is in the file: R2 %s, RMSE %s%s%s, MAE %s%s%s, MAPE %s %% over %s\n",
                printable(target_name(b, t)), r2_text(m.r2), human(m.rmse, 3), space, unit, human(m.mae, 3),
                space, unit, human(100.0 * m.mape, 3), counted(scored, "row", "rows"));
        if (isnan(m.r2))
            fprintf(to, "  R2 is not defined: %s\n",
                    scored == 1 ? "there is one row" : "the target is the same in every row");
        if (isnan(m.mape)) fprintf(to, "  MAPE is not defined: the target is 0 in every row\n");
        if (binary.rows) fprintf(to, "  As probabilities of a 1: %s\n", binary_text(&binary));
    }
}

static void print_json(const job *b, int with_predictions) {
    size_t targets = b->model->head.targets, told, rows;
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", b->model_path);
    json_text(&j, "file", b->path);
    json_count(&j, "rows", b->csv.rows);
    json_count(&j, "rows_outside", b->outsiders);
    json_count(&j, "rows_unanswered", b->unanswered);
    json_count(&j, "rows_without_features", b->empty);
    json_count(&j, "rows_learned_from", rows_seen(b, &told, &rows));
    unknown_json(&b->rows, &j);
    json_open(&j, "outside", '{');
    for (size_t i = 0; i < b->model->head.features; ++i)
        if (b->outside_of[i]) json_count(&j, b->csv.column[b->column[i]].header, b->outside_of[i]);
    json_close(&j, '}');
    json_open(&j, "targets", '[');
    for (size_t t = 0; t < targets; ++t) {
        sooth_metrics_binary binary;
        sooth_metrics m;
        json_open(&j, NULL, '{');
        json_text(&j, "name", target_name(b, t));
        if (score_target(b, t, &m, &binary)) {
            json_number(&j, "R2", m.r2);
            json_number(&j, "RMSE", m.rmse);
            json_number(&j, "MAE", m.mae);
            json_number(&j, "MAPE_percent", 100.0 * m.mape);
            json_binary(&j, &binary);
            json_count(&j, "scored_rows", m.rows);
        }
        if (with_predictions) {
            json_open(&j, "predicted", '[');
            for (size_t i = 0; i < b->csv.rows; ++i) json_target(&j, b, t, b->predicted[i * targets + t]);
            json_close(&j, ']');
            if (b->low && has_low(b, t)) {
                json_open(&j, "low", '[');
                for (size_t i = 0; i < b->csv.rows; ++i) json_target(&j, b, t, b->low[i * targets + t]);
                json_close(&j, ']');
            }
            if (b->low) {
                json_open(&j, "high", '[');
                for (size_t i = 0; i < b->csv.rows; ++i) json_target(&j, b, t, b->high[i * targets + t]);
                json_close(&j, ']');
            }
        }
        json_close(&j, '}');
    }
    json_close(&j, ']');
    if (with_predictions && b->class_of) {
        json_open(&j, "class", '[');
        for (size_t i = 0; i < b->csv.rows; ++i) json_count(&j, NULL, b->class_of[i]);
        json_close(&j, ']');
    }
    json_intervals(&j, b->model);
    if (with_predictions) {
        json_open(&j, "outside_features", '[');
        for (size_t i = 0; i < b->csv.rows; ++i) json_count(&j, NULL, b->outside[i]);
        json_close(&j, ']');
    }
    if (with_predictions && b->low) trusts_json(&b->trust, &j);
    json_end(&j);
}

static int run(const arguments *args) {
    const char *to = arguments_text(args, "output");
    sooth_env *env = env_open(args);
    const sooth_csv_options every_row = {.keep_blank = 1};
    sooth_model_parts parts;
    int as_json = arguments_has(args, "json");
    FILE *file = NULL;
    job b;
    memset(&b, 0, sizeof b);
    b.env = env;
    b.model_path = args->word[0];
    b.path = args->word[1];
    if (strcmp(b.model_path, "-") == 0 && strcmp(b.path, "-") == 0)
        die(BAD_USE, "the model and the data cannot both be -");
    b.model = model_open(env, b.model_path, &b.zero);
    sooth_model_open(b.model, &parts);
    b.card = parts.card;
    csv_open_for_model(env, args, b.path, b.model_path, b.model, b.zero, b.card, &every_row, &b.rows);
    b.csv = b.rows.file.csv;
    b.column = b.rows.column;
    if (to || !as_json) file = output_open(to ? to : "-", arguments_has(args, "force"), args->word, 2);
    predict_all(&b);
    find_classes(&b, args);
    if (file) {
        write_table(&b, file);
        output_close();
    }
    if (as_json) print_json(&b, !to);
    else print_summary(&b, to && strcmp(to, "-") != 0 ? stdout : stderr);
    warn_of_learned(&b);
    return finish();
}

const command predict_command = {
    .name = "predict",
    .summary = "add the predictions of a model to a table",
    .usage = "FILE DATA.csv [-o OUT.csv] [options]",
    .least = 2,
    .most = 2,
    .text =
        "Writes every row of the table unchanged and in its order, with its own separator and decimal mark, "
        "followed by new columns. A row without any value stays, and is counted. "
        "Either of FILE and DATA.csv may be - for the standard input.\n\n"
        "predicted_TARGET is the prediction of each target. outside is the number of features "
        "beyond their training range, or with a level that the model does not know. 0 means that the model "
        "interpolates; otherwise do not trust the prediction.\n\n"
        "A model fitted with --interval adds low_TARGET (not with --upper), high_TARGET, trust and "
        "trust_feature. trust is inside, edge or outside of the training range; edge means at most a "
        "tenth of the range of a feature beyond it. An unknown or missing level is outside. trust_feature is "
        "the feature that is farthest out.\n\n"
        "Columns are found by name, in any order. If none of the names exists and the number of "
        "columns fits, they are taken in order, and a line on stderr reports it.\n\n"
        "A column that the model counts from another number than 0 (see sooth help fit) is read with all its "
        "digits. In other features, numbers that floats merge are reported on stderr.\n\n"
        "Cells of categories are looked up in the dictionary of the model as they are written: 3.1, 3.10 "
        "and 03.1 are three levels. The number of cells with unknown levels is reported, with a level that "
        "is the same number. An unknown level counts as the mean of all levels, or as missing.\n\n"
        "If the table holds a target, scores are printed. A warning on stderr reports how many of the "
        "rows the model was fitted to: scores on those rows do not show how well it predicts others. "
        "The model file keeps up to 64 hashes of training rows for this (none with `sooth fit "
        "--forget`). Up to 64 different rows the count is exact; beyond that it is an estimate.",
    .example = "sooth predict power.sooth new.csv -o predicted.csv",
    .flags = flags,
    .run = run};
