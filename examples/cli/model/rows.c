/* rows.c - rows of a table as the features of a model, and how far to trust its predictions.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "model_cli.h"
#include "sooth/adapt.h"

#include <math.h>

/* ---- the columns that a model needs ---- */

/* Returns the name of feature j from --features, or from the card. */
static const char *feature_name(char **given, const sooth_model_card *card, size_t j) {
    return given ? given[j] : sooth_model_card_text(card, SOOTH_CARD_FEATURE, j);
}

/* Dies with the names of all features without a column. */
static void columns_missing(char **given, const char *path, const sooth_csv *csv, const char *model_path,
                            const sooth_model *model, const sooth_model_card *card, const size_t *column) {
    char list[400];
    const char **known;
    size_t at = 0, count = 0, n = column_names(csv, &known);
    for (size_t j = 0; j < model->head.features; ++j) count += column[j] == SOOTH_NONE;
    for (size_t j = 0; j < model->head.features && at < sizeof list - 1; ++j) {
        const char *name = feature_name(given, card, j), *similar = nearest(name, known, n);
        if (column[j] < csv->cols) continue;
        at +=
            (size_t)snprintf(list + at, sizeof list - at, "%s%s%s%s%s", at ? ", " : "", listed(name),
                             similar ? " (is it " : "", similar ? listed(similar) : "", similar ? "?)" : "");
    }
    if (at >= sizeof list) memcpy(list + sizeof list - 4, "...", 4);
    die(BAD_INPUT, "%s lacks %zu of the %u columns that %s needs: %s", path, count,
        (unsigned)model->head.features, model_path, list);
}

/* Returns 1 if a text is the name, or is once its blanks become underscores. */
static int is_blanked(const char *text, const char *name) {
    for (; *text && (*text == *name || (*text == ' ' && *name == '_')); ++text) ++name;
    return *text == *name;
}

/* Returns the only column that has this name with blanks in place of underscores; else SOOTH_NONE. LightGBM
   stores the names of features so. */
static size_t find_blanked(const sooth_csv *csv, const char *name) {
    size_t found = SOOTH_NONE;
    for (size_t j = 0; strchr(name, '_') && j < csv->cols; ++j) {
        if (!is_blanked(csv->column[j].header, name) && !is_blanked(column_name(csv, j), name)) continue;
        if (found != SOOTH_NONE) return SOOTH_NONE;
        found = j;
    }
    return found;
}

/* Finds the features by name; mostly the columns have the same order. Returns the number of missing
   features. */
static size_t find_features(char **given, const sooth_csv *csv, const sooth_model_card *card, size_t features,
                            size_t *column) {
    size_t next = 0, missing = 0;
    for (size_t j = 0; j < features; ++j) {
        const char *name = feature_name(given, card, j);
        size_t at = next;
        if (at >= csv->cols ||
            (strcmp(csv->column[at].header, name) != 0 && strcmp(column_name(csv, at), name) != 0))
            at = sooth_csv_find(csv, name);
        if (at == SOOTH_NONE && !given) at = find_blanked(csv, name);
        missing += at == SOOTH_NONE;
        column[j] = at;
        next = at + 1;
    }
    return missing;
}

/* Takes the numeric columns in their order, except those named like a target. Returns 0 if their number
   differs from that of the features. */
static int take_in_order(const sooth_csv *csv, const sooth_model_card *card, const sooth_model *model,
                         size_t *column) {
    size_t *found = (size_t *)allocate(csv->cols, sizeof *found), n = 0;
    for (size_t j = 0; j < csv->cols; ++j) {
        int is_target = 0;
        for (size_t t = 0; card && t < model->head.targets; ++t)
            is_target |= sooth_csv_find(csv, sooth_model_card_text(card, SOOTH_CARD_TARGET, t)) == j;
        if (!csv->column[j].is_text && !is_target) found[n++] = j;
    }
    if (n == model->head.features) memcpy(column, found, n * sizeof *found);
    free(found);
    return n == model->head.features;
}

/* ---- levels ---- */

/* Returns the number that a text is, with this decimal mark; NaN if it is none. */
static double number_of(char decimal, const char *text) {
    char copy[64];
    double value;
    const size_t n = strlen(text);
    if (n == 0 || n >= sizeof copy) return (double)NAN;
    for (size_t i = 0; i <= n; ++i) copy[i] = text[i] == decimal ? '.' : text[i];
    return sooth_text_to_double(copy, n, &value) == n ? value : (double)NAN;
}

/* Returns true if the levels of column j are floats: an earlier version named the cells of a column of
   numbers so. */
static int named_by_floats(const sooth_levels *levels, size_t j) {
    const uint32_t count = sooth_levels_columns(levels)[j].count;
    uint32_t k = 0;
    for (; !levels->exact && k < count; ++k) {
        const char *name = sooth_levels_name(levels, j, (float)k);
        char number[SOOTH_TEXT_NUMBER_SIZE];
        float value;
        if (sooth_text_to_float(name, strlen(name), &value) != strlen(name)) break;
        sooth_text_from_float(number, value);
        if (strcmp(number, name) != 0) break;
    }
    return !levels->exact && k == count;
}

/* Returns 3 for texts that are the same but for the decimal mark, 2 for the same number, 1 for the same word
   but for its case, else 0. */
static int likeness(const sooth_csv *csv, const char *a, const char *b) {
    const char *x = a, *y = b;
    while (*x && (*x == *y || ((*x == ',' || *x == '.') && (*y == ',' || *y == '.')))) ++x, ++y;
    if (*x == *y) return 3;
    for (char mark = '.'; mark; mark = mark == '.' ? ',' : 0)
        if (number_of(csv->decimal, a) == number_of(mark, b)) return 2;
    return same_but_case(a, b);
}

/* Keeps the most similar level of an unknown one. */
static void find_similar(const model_rows *rows, size_t j, const char *text) {
    enum { MOST = 100 }; /* unknown levels that are compared */
    const uint32_t count = sooth_levels_columns(rows->levels)[j].count;
    similar *s = &rows->similar[j];
    const char *has = NULL;
    int best = 0;
    for (size_t i = 0; i < s->count && i < MOST_SIMILAR; ++i)
        if (strcmp(s->asked[i], text) == 0) return;
    for (uint32_t k = 0; s->compared < MOST && k < count; ++k) {
        const char *name = sooth_levels_name(rows->levels, j, (float)k);
        const int like = likeness(&rows->file.csv, text, name);
        if (like <= best) continue;
        best = like;
        has = name;
    }
    ++s->compared;
    if (has && s->count < MOST_SIMILAR) {
        s->has[s->count] = has;
        s->asked[s->count] = strcpy((char *)allocate(strlen(text) + 1, 1), text);
    }
    s->count += has != NULL;
}

/* Returns the code of a level, or NaN. */
static float code_of(const model_rows *rows, size_t j, const char *text, int by_float) {
    float code = sooth_levels_code(rows->levels, j, text, strlen(text));
    if (isnan(code) && by_float) {
        const float value = (float)number_of(rows->file.csv.decimal, text);
        char number[SOOTH_TEXT_NUMBER_SIZE];
        if (!isnan(value))
            code = sooth_levels_code(rows->levels, j, number, sooth_text_from_float(number, value + 0.0f));
    }
    if (isnan(code)) find_similar(rows, j, text);
    return code;
}

/* Replaces the levels in column j of the model by their codes. */
static void put_codes(const model_rows *rows, size_t j, float *x, size_t features) {
    const sooth_csv *csv = &rows->file.csv;
    const size_t column = rows->column[j];
    const sooth_csv_column *c = &csv->column[column];
    const int by_float = named_by_floats(rows->levels, j);
    float *code = (float *)allocate(c->texts, sizeof *code), *name = names_in(csv, column);
    char number[SOOTH_TEXT_NUMBER_SIZE];
    for (size_t k = 0; k < c->texts; ++k) code[k] = code_of(rows, j, c->text[k], by_float);
    rows->unknown[j] = 0;
    for (size_t i = 0; i < csv->rows; ++i) {
        float *v = &x[i * features + j];
        *v = name[i];
        if (isnan(name[i])) continue;
        if (c->text) *v = code[(size_t)name[i]];
        else *v = code_of(rows, j, text_of_cell(csv, i, column, number), by_float);
        rows->unknown[j] += isnan(*v) != 0;
    }
    free(name);
    free(code);
}

/* ---- the features of all rows ---- */

int is_centred(const double *zero, size_t j) { return zero && (zero[j] < 0.0 || zero[j] > 0.0); }

/* Stores the numbers of a column minus zero at to[i * stride]. */
static void put_centred(const model_rows *rows, size_t column, double zero, float *to, size_t stride) {
    const sooth_csv *csv = &rows->file.csv;
    double *value = (double *)allocate(csv->rows, sizeof *value);
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_csv_exact(&env, csv, rows->bytes, rows->size, &column, 1, &zero, value) != SOOTH_OK)
        die(BAD_INPUT, "%s", env.sentence);
    for (size_t i = 0; i < csv->rows; ++i) to[i * stride] = (float)value[i];
    free(value);
}

float *target_column(const model_rows *rows, size_t features, size_t t, size_t column) {
    const sooth_csv *csv = &rows->file.csv;
    float *y = (float *)allocate(csv->rows, sizeof *y);
    for (size_t i = 0; i < csv->rows; ++i) y[i] = csv->cell[i * csv->cols + column];
    if (is_centred(rows->zero, features + t)) put_centred(rows, column, rows->zero[features + t], y, 1);
    return y;
}

float *features_of(const model_rows *rows, size_t features) {
    const sooth_csv *csv = &rows->file.csv;
    float *x = (float *)allocate(csv->rows, features * sizeof *x);
    for (size_t i = 0; i < csv->rows; ++i)
        for (size_t j = 0; j < features; ++j)
            x[i * features + j] = csv->cell[i * csv->cols + rows->column[j]];
    for (size_t j = 0; j < features; ++j)
        if (is_centred(rows->zero, j)) put_centred(rows, rows->column[j], rows->zero[j], x + j, features);
    for (size_t j = 0; j < features; ++j)
        if (is_category(rows->levels, j)) put_codes(rows, j, x, features);
    return x;
}

const float *features_in(const model_rows *rows, size_t features, size_t *stride) {
    const sooth_csv *csv = &rows->file.csv;
    size_t j = 0;
    while (j < features && rows->column[j] == rows->column[0] + j && !is_centred(rows->zero, j) &&
           !is_category(rows->levels, j))
        ++j;
    *stride = j == features ? csv->cols : features;
    return j == features ? csv->cell + rows->column[0] : features_of(rows, features);
}

void unknown_print(const model_rows *rows, FILE *to) {
    size_t n = 0;
    for (size_t j = 0; rows->levels && j < rows->levels->head.features; ++j) {
        if (!rows->unknown[j]) continue;
        if (n < MOST_LISTED)
            fprintf(to, "%s%s %zu", n ? ", " : "  unknown     ",
                    listed(rows->file.csv.column[rows->column[j]].name), rows->unknown[j]);
        ++n;
    }
    if (n > MOST_LISTED) fprintf(to, ", and %zu more columns", n - MOST_LISTED);
    if (n) fprintf(to, " (levels unknown to the model)\n");
    for (size_t j = n = 0; rows->levels && j < rows->levels->head.features && n < MOST_LISTED; ++j) {
        const similar *s = &rows->similar[j];
        char name[256]; /* listed has eight texts */
        snprintf(name, sizeof name, "%s", listed(rows->file.csv.column[rows->column[j]].name));
        for (size_t i = 0; i < s->count && i < MOST_SIMILAR; ++i)
            fprintf(to, "  similar     %s has no level %s; it has %s\n", name, listed(s->asked[i]),
                    listed(s->has[i]));
        if (s->count > MOST_SIMILAR)
            fprintf(to, "  similar     %s: %zu more\n", name, s->count - MOST_SIMILAR);
        n += s->count > 0;
    }
    for (size_t j = 0; rows->levels && j < rows->levels->head.features; ++j)
        if (is_category(rows->levels, j)) words_note(&rows->file.csv, rows->column[j], to);
}

void unknown_json(const model_rows *rows, json *j) {
    if (!rows->levels) return;
    json_open(j, "unknown_levels", '{');
    for (size_t k = 0; k < rows->levels->head.features; ++k)
        if (rows->unknown[k]) json_count(j, rows->file.csv.column[rows->column[k]].header, rows->unknown[k]);
    json_close(j, '}');
}

const char *value_text(const sooth_levels *levels, size_t feature, float value) {
    if (isnan(value)) return "missing";
    if (!is_category(levels, feature)) return shortest(value);
    const char *name = sooth_levels_name(levels, feature, value);
    return name ? printable(name) : "";
}

float *predictions_of(sooth_env *env, const sooth_model *model, const float *x, size_t rows, size_t stride) {
    float *predicted = (float *)allocate(rows, model->head.targets * sizeof *predicted);
    const sooth_status status = sooth_model_predict_table(env, model, x, rows, stride, predicted);
    progress_clear();
    if (status != SOOTH_OK) die_of(status, env);
    return predicted;
}

/* Adds features that the file lacks but has the dates for to *bytes; returns 0 if there are none. */
static size_t derive_features(sooth_env *env, char **given, const char *path, const sooth_model *model,
                              const sooth_model_card *card, const sooth_csv_options *options,
                              const char **bytes, size_t *size, model_rows *rows) {
    deriving made;
    memset(&made, 0, sizeof made);
    for (size_t j = 0; j < model->head.features; ++j) {
        const char *name = feature_name(given, card, j);
        if (rows->column[j] == SOOTH_NONE) derive_add(path, &rows->file.csv, name, &made);
    }
    if (!made.count) return 0;
    *bytes = derive_bytes(&made, rows->file.text, rows->file.size, size);
    sooth_csv_free(env, &rows->file.csv);
    csv_read_any(env, path, *bytes, *size, options, &rows->file.csv);
    return rows->file.derived = made.count;
}

/* Reads the texts of the categories. */
static void name_categories(sooth_env *env, const char *path, const char *bytes, size_t size,
                            const sooth_csv_options *options, model_rows *rows, size_t features) {
    size_t *column = (size_t *)allocate(features, sizeof *column), n = 0;
    for (size_t j = 0; j < features; ++j)
        if (is_category(rows->levels, j)) column[n++] = rows->column[j];
    csv_name(env, path, bytes, size, options, column, n, &rows->file.csv);
    free(column);
}

/* Reports the features in which the model cannot tell numbers of the file apart. */
static void tell_merged(sooth_env *env, const char *path, const char *model_path, const model_rows *rows,
                        size_t features) {
    size_t *column = (size_t *)allocate(features, sizeof *column), n = 0;
    char *cure = (char *)allocate(strlen(model_path) + 100, 1);
    sprintf(cure, "to keep them apart, subtract one number from the column, in this table and in that of %s",
            model_path);
    for (size_t j = 0; j < features; ++j)
        if (!is_category(rows->levels, j) && !is_centred(rows->zero, j)) column[n++] = rows->column[j];
    digits_tell(env, path, &rows->file.csv, rows->bytes, rows->size, column, n, cure);
    free(cure);
    free(column);
}

/* Converts a column to the unit that the model was fitted to; dies if it cannot be converted. */
static void convert_unit(const char *path, sooth_csv *csv, size_t column, const char *model_path,
                         const char *unit) {
    sooth_csv_column *c = &csv->column[column];
    const double factor = *c->unit && *unit ? sooth_csv_unit_factor(c->unit, unit) : 1.0;
    if (!*unit && *c->unit && *c->form) /* the unit stands in the cells */
        die(BAD_INPUT, "%s has %s in %s, but %s was fitted to it without a unit; write plain numbers", path,
            c->name, c->unit, model_path);
    if (!(factor > 0.0))
        die(BAD_INPUT, "%s has %s in %s, but %s was fitted to it in %s", path, c->name, c->unit, model_path,
            unit);
    if (factor == 1.0) return;
    for (size_t i = 0; i < csv->rows; ++i)
        csv->cell[i * csv->cols + column] = (float)(factor * (double)csv->cell[i * csv->cols + column]);
    fprintf(stderr, "%s has %s in %s; it is converted to the %s of %s\n", path, c->name, c->unit, unit,
            model_path);
    c->unit = unit;
}

void csv_open_for_model(sooth_env *env, const arguments *args, const char *path, const char *model_path,
                        const sooth_model *model, const double *zero, const sooth_model_card *card,
                        const sooth_csv_options *how, model_rows *rows) {
    sooth_csv_options options = *how;
    const size_t features = model->head.features;
    const int named = card && *sooth_model_card_text(card, SOOTH_CARD_FEATURE, 0);
    size_t *column = (size_t *)allocate(features, sizeof *column), count, missing = features;
    const char *bytes = read_file_by(env, path, NULL, &rows->file.size);
    size_t size = rows->file.size;
    sooth_csv *csv = &rows->file.csv;
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    rows->levels = parts.levels;
    rows->unknown = (size_t *)allocate(features, sizeof *rows->unknown);
    rows->similar = (similar *)allocate(features, sizeof *rows->similar);
    csv_read_any(env, path, bytes, size, &options, csv);
    rows->file.text = bytes;
    rows->zero = zero;
    rows->column = column;
    rows->file.has_header = 1;
    rows->file.derived = 0;
    char **given = columns_named(args, "features", csv, &count);
    if (given && count != features)
        die(BAD_USE, "--features names %s, but %s has %s", counted(count, "column", "columns"), model_path,
            counted(features, "feature", "features"));
    if (given || named) missing = find_features(given, csv, card, features, column);
    if (missing && (given || named) &&
        derive_features(env, given, path, model, card, &options, &bytes, &size, rows))
        missing = find_features(given, csv, card, features, column);
    if (missing == features && !given && take_in_order(csv, card, model, column)) {
        missing = 0;
        rows->file.has_header = !csv->numeric_header;
        if (!rows->file.has_header) {
            sooth_csv_free(env, csv);
            options.no_header = 1;
            csv_read_any(env, path, bytes, size, &options, csv);
        }
        fprintf(stderr, "%s%s; its columns of numbers are taken in their order as the %s of %s%s%s%s\n", path,
                !rows->file.has_header ? " has no header"
                : named                ? " has other names for its columns"
                                       : ": the model has no names of columns",
                counted(features, "feature", "features"), model_path, named ? ": " : "",
                named ? listed(sooth_model_card_text(card, SOOTH_CARD_FEATURE, 0)) : "",
                named && features > 1 ? ", ..." : "");
    }
    if (rows->file.has_header) header_note(path, csv);
    if (missing && !given && !named)
        die(BAD_USE, "%s does not name its features; name its %s in order with --features", model_path,
            counted(features, "column", "columns"));
    if (missing) columns_missing(given, path, csv, model_path, model, card, column);
    name_categories(env, path, bytes, size, &options, rows, features);
    rows->bytes = bytes;
    rows->size = size;
    for (size_t j = 0; named && !given && j < features; ++j) {
        const char *name = feature_name(given, card, j);
        if (strcmp(csv->column[column[j]].header, name) != 0 &&
            strcmp(column_name(csv, column[j]), name) != 0 && is_blanked(column_name(csv, column[j]), name))
            fprintf(stderr, "%s: the column %s is taken for the feature %s of %s\n", path,
                    listed(column_name(csv, column[j])), printable(name), model_path);
    }
    for (size_t j = 0; j < features; ++j) {
        const sooth_csv_column *c = &csv->column[column[j]];
        const char *unit = card ? sooth_model_card_text(card, SOOTH_CARD_FEATURE_UNIT, j) : "";
        if (is_category(rows->levels, j)) continue;
        if (c->is_text) column_is_text(path, csv, column[j]);
        convert_unit(path, csv, column[j], model_path, unit);
    }
    for (size_t t = 0; card && t < model->head.targets; ++t) {
        const size_t at = sooth_csv_find(csv, sooth_model_card_text(card, SOOTH_CARD_TARGET, t));
        if (at < csv->cols && !csv->column[at].is_text)
            convert_unit(path, csv, at, model_path, sooth_model_card_text(card, SOOTH_CARD_TARGET_UNIT, t));
    }
    tell_merged(env, path, model_path, rows, features);
}

const char *r2_text(double r2) {
    static char ring[4][32];
    static unsigned next;
    char *text = ring[next++ % 4];
    snprintf(text, 32, isnan(r2) ? "-" : "%.3f", r2);
    return text;
}

/* ---- trust ---- */

const char *trust_word(uint32_t trust) {
    return trust == SOOTH_MODEL_TRUST_INSIDE ? "inside"
           : trust == SOOTH_MODEL_TRUST_EDGE ? "edge"
                                             : "outside";
}

void trusts_new(trusts *all, size_t rows) {
    memset(all, 0, sizeof *all);
    all->rows = rows;
    all->word = (const char **)allocate(rows, 2 * sizeof *all->word);
    all->feature = all->word + rows;
}

void trusts_set(trusts *all, const model_rows *rows, size_t row, uint32_t trust, uint32_t feature) {
    ++all->of[trust % 3];
    all->word[row] = trust_word(trust);
    all->feature[row] = feature < UINT32_MAX ? column_name(&rows->file.csv, rows->column[feature]) : "";
}

void trusts_print(const trusts *all, FILE *to) {
    fprintf(to, "  trust       %zu inside, %zu edge, %zu outside of the training range\n",
            all->of[SOOTH_MODEL_TRUST_INSIDE], all->of[SOOTH_MODEL_TRUST_EDGE],
            all->of[SOOTH_MODEL_TRUST_OUTSIDE]);
}

void trusts_json(const trusts *all, json *j) {
    json_open(j, "trust", '[');
    for (size_t i = 0; i < all->rows; ++i) json_text(j, NULL, all->word[i]);
    json_close(j, ']');
    json_open(j, "trust_feature", '[');
    for (size_t i = 0; i < all->rows; ++i) json_text(j, NULL, all->feature[i]);
    json_close(j, ']');
}
