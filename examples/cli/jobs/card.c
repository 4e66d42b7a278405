/* card.c - sooth card: the translation card, from times on one machine to times on another.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The machine translation card of Moolchandani et al. 2022, section 9: a line through microbenchmarks that
 * ran on both machines (sooth/fairness.h). The file is text, one "name = value" per line in any order. Lines
 * that begin with # are comments; blanks around names and values are ignored:
 *
 *     sooth_translation_card = 1       type and version of the file
 *     from = K80                       the machine with known times, at most 63 bytes
 *     to = V100                        the machine whose times are predicted
 *     unit = s                         of all times; optional
 *     form = log                       ln t_to = intercept + slope ln t_from; plain: without logarithms
 *     intercept = -1.5
 *     slope = 0.98
 *     points = 26                      programs that the line was fitted to
 *     least = 0.05                     and the range of their times on the first machine:
 *     most = 3.2                       beyond it the line extrapolates
 *     r2 = 0.93
 *     error = 0.12                     mean |relative error| of each point by the line of the others; missing
 *                                      if there were too few
 *     error_of_groups = 0.31           the same for left-out programs; missing without groups
 *
 * Numbers are finite; least and most are above 0, points is 2 or more. An unknown, repeated or missing name
 * is an error with its line.
 */
#include "../table/table.h"
#include "sooth/fairness.h"
#include "sooth/base.h"

#include <math.h>

static const flag flags[] = {
    {"here", 0, "COLUMN", "make: time on the machine whose times are known", 0},
    {"there", 0, "COLUMN", "make: time of the same program on the other machine", 0},
    {"from", 0, "NAME", "make: name of the first machine; default its column", 0},
    {"to", 0, "NAME", "make: name of the other machine; default its column", 0},
    {"group", 'g', "COLUMN",
     "make: column that names the program of a row. The error for left-out programs is "
     "then reported too",
     0},
    {"plain", 0, NULL, "make: a line without logarithms, as in the paper", 0},
    {"time", 't', "COLUMN", "translate: time on the first machine; default column: time", 0},
    {"output", 'o', "FILE", "make: the card. translate: the table. Default standard output", 0},
    FORCE_FLAG,
    JSON_FLAG,
    LAST_FLAG};

typedef struct card {
    const char *path;
    char from[64], to[64], unit[64];
    sooth_fairness_translation line;
    double error_of_groups; /* NaN: unknown */
} card;

/* ---- the file ---- */

enum {
    VERSION,
    FROM,
    TO,
    UNIT,
    FORM,
    INTERCEPT,
    SLOPE,
    POINTS,
    LEAST,
    MOST,
    R2_OF,
    ERROR,
    OF_GROUPS,
    FIELDS
};
static const char *const field[FIELDS] = {"sooth_translation_card",
                                          "from",
                                          "to",
                                          "unit",
                                          "form",
                                          "intercept",
                                          "slope",
                                          "points",
                                          "least",
                                          "most",
                                          "r2",
                                          "error",
                                          "error_of_groups"};
static const unsigned char optional[FIELDS] = {[UNIT] = 1, [ERROR] = 1, [OF_GROUPS] = 1};

static void write_card(const card *c, FILE *to) {
    const sooth_fairness_translation *l = &c->line;
    const double number[FIELDS] = {[INTERCEPT] = l->intercept,
                                   [SLOPE] = l->slope,
                                   [LEAST] = l->least,
                                   [MOST] = l->most,
                                   [R2_OF] = l->r2,
                                   [ERROR] = l->error,
                                   [OF_GROUPS] = c->error_of_groups};
    fprintf(to, "# translates times on %s to times on %s\n%s = 1\nfrom = %s\nto = %s\n", c->from, c->to,
            field[VERSION], c->from, c->to);
    if (*c->unit) fprintf(to, "unit = %s\n", c->unit);
    fprintf(to, "form = %s\n", l->plain ? "plain" : "log");
    for (int k = INTERCEPT; k < FIELDS; ++k) {
        if (k == POINTS) {
            fprintf(to, "points = %u\n", (unsigned)l->points);
        } else if (number[k] - number[k] <= 0.0) {
            fprintf(to, "%s = ", field[k]);
            put_double(to, number[k]);
            fputc('\n', to);
        }
    }
}

static void put_text(const card *c, size_t line, int k, const char *value, char text[64]) {
    if (strlen(value) > 63)
        die(BAD_INPUT, "%s: line %zu: %s has more than 63 bytes", c->path, line, field[k]);
    if (strcmp(printable(value), value) != 0)
        die(BAD_INPUT, "%s: line %zu: %s is not text", c->path, line, field[k]);
    strcpy(text, value);
}

/* Reads one field of the file. */
static void take_field(card *c, size_t line, int k, const char *value, double number[FIELDS]) {
    if (k == FROM) put_text(c, line, k, value, c->from);
    else if (k == TO) put_text(c, line, k, value, c->to);
    else if (k == UNIT) put_text(c, line, k, value, c->unit);
    if (k == FORM && strcmp(value, "log") != 0 && strcmp(value, "plain") != 0)
        die(BAD_INPUT, "%s: line %zu: form is %.40s, but must be log or plain", c->path, line, value);
    if (k == FORM) c->line.plain = strcmp(value, "plain") == 0;
    if (k == FROM || k == TO || k == UNIT || k == FORM) return;
    if (sooth_text_to_double(value, strlen(value), &number[k]) != strlen(value) ||
        !(number[k] - number[k] <= 0.0))
        die(BAD_INPUT, "%s: line %zu: %s is %.40s, but must be a finite number", c->path, line, field[k],
            value);
    if ((k == LEAST || k == MOST) && !(number[k] > 0.0))
        die(BAD_INPUT, "%s: line %zu: %s is %.40s, but must be above 0", c->path, line, field[k], value);
    if (k == POINTS &&
        !(number[k] >= 2.0 && number[k] <= 4294967295.0 && (double)(uint32_t)number[k] >= number[k]))
        die(BAD_INPUT, "%s: line %zu: points is %.40s, but must be an integer, 2 or more", c->path, line,
            value);
    if (k == VERSION && (number[k] < 1.0 || number[k] > 1.0))
        die(BAD_INPUT, "%s: line %zu: the card is of version %.40s, but this sooth reads version 1", c->path,
            line, value);
}

static char *trimmed(char *text, char *end) {
    while (text < end && (*text == ' ' || *text == '\t')) ++text;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
    *end = 0;
    return text;
}

/* Reads one line; empty lines and comments are ignored. */
static void take_line(card *c, size_t line, char *text, char *end, unsigned char *seen, double *number) {
    char *equals, *name, *value;
    int k;
    text = trimmed(text, end);
    if (!*text || *text == '#') return;
    equals = strchr(text, '=');
    if (!equals) die(BAD_INPUT, "%s: line %zu: \"%.40s\" is not \"name = value\"", c->path, line, text);
    value = trimmed(equals + 1, text + strlen(text));
    name = trimmed(text, equals);
    for (k = 0; k < FIELDS && strcmp(name, field[k]) != 0; ++k) continue;
    if (k == FIELDS)
        die(BAD_INPUT, "%s: line %zu: unknown field %.40s%s", c->path, line, name,
            did_you_mean(name, field, FIELDS));
    if (seen[k]) die(BAD_INPUT, "%s: line %zu: %s appears twice", c->path, line, name);
    if (!*value) die(BAD_INPUT, "%s: line %zu: %s has no value", c->path, line, name);
    seen[k] = 1;
    take_field(c, line, k, value, number);
}

static void read_card(const char *path, card *c) {
    unsigned char seen[FIELDS] = {0};
    double number[FIELDS] = {[ERROR] = (double)NAN, [OF_GROUPS] = (double)NAN};
    size_t size, line = 1;
    char *text = read_file(path, NULL, &size), *end;
    memset(c, 0, sizeof *c);
    c->path = path;
    if (memchr(text, 0, size)) die(BAD_INPUT, "%s is not a card: it holds bytes that are not text", path);
    for (char *at = text; at < text + size; at = end + 1, ++line) {
        end = strchr(at, '\n');
        if (!end) end = text + size;
        take_line(c, line, at, end, seen, number);
    }
    for (int k = 0; k < FIELDS; ++k)
        if (!seen[k] && !optional[k])
            die(BAD_INPUT, "%s: %s is missing%s", path, field[k],
                k == VERSION ? ": it is not a translation card" : "");
    if (!(number[LEAST] < number[MOST]))
        die(BAD_INPUT, "%s: least is %g, but must be below most, %g", path, number[LEAST], number[MOST]);
    c->line.intercept = number[INTERCEPT];
    c->line.slope = number[SLOPE];
    c->line.points = (uint32_t)number[POINTS];
    c->line.least = number[LEAST];
    c->line.most = number[MOST];
    c->line.r2 = number[R2_OF];
    c->line.error = number[ERROR];
    c->error_of_groups = number[OF_GROUPS];
    free(text);
}

/* ---- cards ---- */

static const char *unit_after(const card *c) {
    static char text[72];
    snprintf(text, sizeof text, *c->unit ? " %s" : "%s", c->unit);
    return text;
}

/* Returns the error of a card, that of left-out programs if it is known. */
static double error_of(const card *c) {
    return c->error_of_groups == c->error_of_groups ? c->error_of_groups : c->line.error;
}

/* Returns the speed of the second machine relative to the first. */
static double faster(const card *c, double time) {
    const double there = sooth_fairness_translate(&c->line, time, NULL);
    return there > 0.0 ? time / there : (double)NAN;
}

static void print_cards(const card *c, size_t count, FILE *to) {
    grid g;
    grid_init(&g, 9, 1);
    grid_add(&g, "card");
    grid_add(&g, "programs");
    grid_add(&g, "R2");
    grid_add(&g, "off by");
    grid_add(&g, "unseen");
    grid_add(&g, "from");
    grid_add(&g, "faster");
    grid_add(&g, "up to");
    grid_add(&g, "faster");
    for (size_t i = 0; i < count; ++i) {
        const double error = 100.0 * c[i].line.error, unseen = 100.0 * c[i].error_of_groups;
        grid_add(&g, "%s to %s", c[i].from, c[i].to);
        grid_add(&g, "%u", (unsigned)c[i].line.points);
        grid_add(&g, "%.3f", c[i].line.r2);
        grid_add(&g, error == error ? "%.1f %%" : "-", error);
        grid_add(&g, unseen == unseen ? "%.1f %%" : "-", unseen);
        grid_add(&g, "%s%s", human(c[i].line.least, 3), unit_after(&c[i]));
        grid_add(&g, "%s x", human(faster(&c[i], c[i].line.least), 3));
        grid_add(&g, "%s%s", human(c[i].line.most, 3), unit_after(&c[i]));
        grid_add(&g, "%s x", human(faster(&c[i], c[i].line.most), 3));
    }
    grid_print(&g, to, "  ");
}

static void json_card(json *j, const char *key, const card *c) {
    json_open(j, key, '{');
    json_text(j, "from", c->from);
    json_text(j, "to", c->to);
    json_text(j, "unit", c->unit);
    json_text(j, "form", c->line.plain ? "plain" : "log");
    json_number(j, "intercept", c->line.intercept);
    json_number(j, "slope", c->line.slope);
    json_count(j, "points", c->line.points);
    json_number(j, "least", c->line.least);
    json_number(j, "most", c->line.most);
    json_number(j, "r2", c->line.r2);
    json_number(j, "error", c->line.error);
    json_number(j, "error_of_groups", c->error_of_groups);
    json_close(j, '}');
}

/* ---- make ---- */

static void name_machine(const arguments *args, const char *flag_name, const char *column, char name[64]) {
    const char *text = arguments_text(args, flag_name);
    if (!text) text = column;
    const size_t n = strlen(text);
    if (n == 0 || n > 63 || *text == ' ' || text[n - 1] == ' ')
        die(BAD_USE,
            "the name of a machine must have 1 to 63 bytes and no blanks around it; give it with --%s",
            flag_name);
    if (strcmp(printable(text), text) != 0)
        die(BAD_USE, "the name of a machine must not contain line ends; give another with --%s", flag_name);
    strcpy(name, text);
}

/* Reads the times of every row that has both, and its group if there are groups. */
static uint32_t read_points(const card *c, const sooth_csv *csv, const size_t column[2], const float *group,
                            double *here, double *there, uint32_t *row) {
    uint32_t n = 0;
    for (size_t i = 0; i < csv->rows; ++i) {
        const float a = csv->cell[i * csv->cols + column[0]], b = csv->cell[i * csv->cols + column[1]];
        if (a != a || b != b) continue;
        if (group && group[i] != group[i]) continue;
        if (!(a > 0.0f && b > 0.0f && is_prediction(a) && is_prediction(b)))
            die(BAD_INPUT, "%s: line %u: the times are %g and %g, but must be above 0 and finite", c->path,
                (unsigned)csv->line[i], (double)a, (double)b);
        here[n] = (double)a;
        there[n] = (double)b;
        row[n++] = (uint32_t)i;
    }
    return n;
}

/* Returns the mean |relative error| of every point by the line of the other groups; NaN if one has no such
   line. */
static double error_by_group(const float *group, const uint32_t *row, const double *here, const double *there,
                             uint32_t points, uint32_t plain) {
    double *x = (double *)allocate(points, 2 * sizeof *x), *y = x + points, sum = 0.0;
    for (uint32_t i = 0; i < points; ++i) {
        sooth_fairness_translation line;
        uint32_t n = 0;
        for (uint32_t k = 0; k < points; ++k) {
            if (group[row[k]] == group[row[i]]) continue;
            x[n] = here[k];
            y[n++] = there[k];
        }
        if (sooth_fairness_translate_fit(NULL, x, y, n, plain, &line) != SOOTH_OK) sum = (double)NAN;
        else sum += fabs(sooth_fairness_translate(&line, here[i], NULL) - there[i]) / there[i];
        progress_show("programs left out", (double)(i + 1) / (double)points);
    }
    progress_clear();
    free(x);
    return sum / (double)points;
}

/* Like the function above, for two rules without a line: the same time, and times the geometric mean of there
   / here. NaN if no other program is left. Without groups each row is left out alone. */
static void error_of_baselines(const float *group, const uint32_t *row, const double *here,
                               const double *there, uint32_t points, double baseline[2]) {
    double *ratio = (double *)allocate(points, sizeof *ratio), all = 0.0;
    baseline[0] = baseline[1] = 0.0;
    for (uint32_t i = 0; i < points; ++i) {
        ratio[i] = (double)(sooth_log((float)there[i]) - sooth_log((float)here[i]));
        all += ratio[i];
    }
    for (uint32_t i = 0; i < points; ++i) {
        double sum = all;
        uint32_t n = points;
        for (uint32_t k = group ? 0 : i; k < (group ? points : i + 1); ++k) {
            if (k != i && group[row[k]] != group[row[i]]) continue;
            sum -= ratio[k];
            --n;
        }
        const double translated = n ? (double)sooth_exp((float)(sum / n)) * here[i] : (double)NAN;
        baseline[0] += fabs(here[i] / there[i] - 1.0) / points;
        baseline[1] += fabs(translated / there[i] - 1.0) / points;
    }
    free(ratio);
}

static void units_agree(const char *path, const sooth_csv *csv, const size_t column[2], card *c) {
    const sooth_csv_column *a = &csv->column[column[0]], *b = &csv->column[column[1]];
    if (*a->unit && *b->unit && strcmp(a->unit, b->unit) != 0)
        die(BAD_INPUT, "%s has %s in %s and %s in %s; a card needs one unit", path, a->name, a->unit, b->name,
            b->unit);
    snprintf(c->unit, sizeof c->unit, "%.63s", printable(*a->unit ? a->unit : b->unit));
}

static int run_make(const arguments *args) {
    const char *path = arguments_text(args, "output");
    sooth_env *env = env_open(args);
    sooth_csv csv;
    card c;
    size_t column[2], group;
    double baseline[2];
    FILE *file;
    memset(&c, 0, sizeof c);
    c.path = args->word[1];
    if (!path) die(BAD_USE, "-o FILE is missing: the file to write the card to");
    const sooth_csv_options options = names_given(args, "group", "");
    csv_open(env, c.path, &options, &csv);
    column[0] = column_needed(args, c.path, &csv, "here", "here", 1);
    column[1] = column_needed(args, c.path, &csv, "there", "there", 1);
    group = column_of(args, c.path, &csv, "group", NULL, 0);
    if (column[0] == column[1]) die(BAD_USE, "--here and --there are the same column");
    name_machine(args, "from", csv.column[column[0]].name, c.from);
    name_machine(args, "to", csv.column[column[1]].name, c.to);
    units_agree(c.path, &csv, column, &c);
    double *here = (double *)allocate(csv.rows, 2 * sizeof *here), *there = here + csv.rows;
    uint32_t *row = (uint32_t *)allocate(csv.rows, sizeof *row);
    const float *name = group < csv.cols ? names_in(&csv, group) : NULL;
    const uint32_t points = read_points(&c, &csv, column, name, here, there, row);
    if (sooth_fairness_translate_fit(env, here, there, points, arguments_has(args, "plain"), &c.line) !=
        SOOTH_OK)
        die(BAD_INPUT, "%s: %s", c.path, env->sentence);
    c.error_of_groups = name ? error_by_group(name, row, here, there, points, c.line.plain) : (double)NAN;
    error_of_baselines(name, row, here, there, points, baseline);
    file = output_open(path, arguments_has(args, "force"), args->word + 1, 1);
    write_card(&c, file);
    output_close();
    FILE *to = strcmp(path, "-") == 0 ? stderr : stdout;
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, to);
        json_text(&j, "file", path);
        json_count(&j, "rows_left_out", csv.rows - points);
        json_card(&j, "card", &c);
        json_number(&j, "error_of_same_time", baseline[0]);
        json_number(&j, "error_of_mean_ratio", baseline[1]);
        json_end(&j);
        return finish();
    }
    print_cards(&c, 1, to);
    fprintf(to, "  without a line: the same time is off by %.1f %%", 100.0 * baseline[0]);
    if (baseline[1] == baseline[1]) fprintf(to, ", the mean ratio by %.1f %%", 100.0 * baseline[1]);
    fprintf(to, "\n");
    if (csv.rows > points)
        fprintf(to, "  left out    %s without both times%s\n", counted(csv.rows - points, "row", "rows"),
                group < csv.cols ? " or without group" : "");
    if (!(error_of(&c) < 0.1))
        fprintf(to,
                "  A card is one line for all programs: it is valid for programs that resemble those it was\n"
                "  fitted to, and here %s.\n",
                error_of(&c) == error_of(&c) ? "they differ by more than the paper's 7 to 9 %"
                                             : "there are too few to tell how far off it is");
    return finish();
}

/* ---- compare ---- */

enum { STEPS = 400 };

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* Compares two cards from one machine: which of the other machines is faster, where both cards have
   points. */
static void compare_pair(const card *a, const card *b, FILE *to) {
    const double least = larger(a->line.least, b->line.least), most = smaller(a->line.most, b->line.most);
    const double error = error_of(a) == error_of(a) ? larger(error_of(a), error_of(b)) : (double)NAN;
    const float span = least < most ? sooth_log((float)(most / least)) : 0.0f;
    double from = least, widest = 0.0;
    int sign = 0, parts = 0;
    if (strcmp(a->from, b->from) != 0 || strcmp(a->unit, b->unit) != 0) return;
    const int same = strcmp(a->to, b->to) == 0; /* cards of the same machines are named by their files */
    const char *first = same ? printable(a->path) : a->to, *other = same ? printable(b->path) : b->to;
    fprintf(to, "  %s or %s", first, other);
    if (!(least < most)) {
        fprintf(to, ": the ranges of the two cards do not overlap\n");
        return;
    }
    fprintf(to, ", for times of %s to %s%s on %s:", human(least, 3), human(most, 3), unit_after(a), a->from);
    for (int k = 0; k <= STEPS; ++k) { /* in equal factors */
        const double time = k == STEPS ? most : least * (double)sooth_exp(span * (float)k / STEPS);
        const double u = sooth_fairness_translate(&a->line, time, NULL);
        const double v = sooth_fairness_translate(&b->line, time, NULL);
        const int now = (u > v) - (u < v);
        const double difference = u > 0.0 && v > 0.0 ? larger(u, v) / smaller(u, v) - 1.0 : (double)INFINITY;
        if (difference > widest) widest = difference;
        if (k == 0) sign = now;
        if ((now == sign || now == 0) && k < STEPS) continue;
        if (now != sign && now != 0) {
            fprintf(to, "%s %s up to %s%s", parts++ ? "," : "",
                    sign < 0 ? first
                    : sign   ? other
                             : "neither",
                    human(time, 3), unit_after(a));
            from = time;
            sign = now;
        }
        if (k == STEPS)
            fprintf(to, "%s %s%s", parts ? ", then" : "",
                    sign < 0 ? first
                    : sign   ? other
                             : "they are the same",
                    from > least ? ""
                    : sign       ? " throughout"
                                 : "");
    }
    fprintf(to, "\n");
    if (error == error && widest < error)
        fprintf(to, "    but the cards are off by %.0f %%, and they differ by at most %.0f %%\n",
                100.0 * error, 100.0 * widest);
}

static int run_compare(const arguments *args) {
    const size_t count = args->words - 1;
    card *c = (card *)allocate(count, sizeof *c);
    size_t standard = 0;
    for (size_t i = 0; i < count; ++i) {
        standard += strcmp(args->word[1 + i], "-") == 0;
        if (standard > 1) die(BAD_USE, "only one card can be -");
        read_card(args->word[1 + i], &c[i]);
    }
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, stdout);
        json_open(&j, "cards", '[');
        for (size_t i = 0; i < count; ++i) json_card(&j, NULL, &c[i]);
        json_close(&j, ']');
        json_end(&j);
        return finish();
    }
    print_cards(c, count, stdout);
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < i; ++k) compare_pair(&c[k], &c[i], stdout);
    return finish();
}

/* ---- translate ---- */

static int run_translate(const arguments *args) {
    const char *path = arguments_text(args, "output");
    sooth_env *env = env_open(args);
    table_file rows;
    addition add[2];
    size_t beyond = 0, missing = 0;
    card c;
    if (strcmp(args->word[1], "-") == 0 && strcmp(args->word[2], "-") == 0)
        die(BAD_USE, "only one of the card and the table can be -");
    read_card(args->word[1], &c);
    memset(&rows, 0, sizeof rows);
    char *bytes = read_file(args->word[2], NULL, &rows.size);
    csv_read(env, args->word[2], bytes, rows.size, NULL, &rows.csv);
    rows.text = bytes;
    rows.has_header = 1;
    const sooth_csv *csv = &rows.csv;
    const size_t column = column_needed(args, args->word[2], csv, "time", "time", 1);
    const sooth_csv_column *time = &csv->column[column];
    if (*time->unit && *c.unit && strcmp(time->unit, c.unit) != 0)
        die(BAD_INPUT, "%s has %s in %s, but %s translates times in %s", args->word[2], time->name,
            time->unit, c.path, c.unit);
    float *there = (float *)allocate(csv->rows, sizeof *there);
    uint32_t *outside = (uint32_t *)allocate(csv->rows, sizeof *outside);
    for (size_t i = 0; i < csv->rows; ++i) {
        const float t = csv->cell[i * csv->cols + column];
        int out = 0;
        if (t == t && !(t > 0.0f && is_prediction(t)))
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be above 0 and finite", args->word[2],
                (unsigned)csv->line[i], time->name, shortest(t));
        there[i] = t == t ? (float)sooth_fairness_translate(&c.line, (double)t, &out) : t;
        outside[i] = t == t && out;
        missing += t != t;
        beyond += outside[i];
    }
    memset(add, 0, sizeof add);
    add[0].stem = stem_of(column_name(csv, column), c.to);
    add[0].number = there;
    add[1].stem = "outside";
    add[1].count = outside;
    add[0].stride = add[1].stride = 1;
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), args->word + 1, 2);
    table_append(env, &rows, args->word[2], add, 2, file);
    output_close();
    FILE *to = path && strcmp(path, "-") != 0 ? stdout : stderr;
    if (arguments_has(args, "json")) {
        json j;
        json_begin(&j, to);
        json_text(&j, "file", args->word[2]);
        json_count(&j, "rows", csv->rows);
        json_count(&j, "without_time", missing);
        json_count(&j, "outside", beyond);
        json_card(&j, "card", &c);
        json_end(&j);
        return finish();
    }
    fprintf(to, "%s from %s to %s", counted(csv->rows, "row", "rows"), c.from, c.to);
    if (error_of(&c) == error_of(&c)) fprintf(to, ", off by %.1f %% on average", 100.0 * error_of(&c));
    fprintf(to, "\n");
    if (missing) fprintf(to, "  without time  %s\n", counted(missing, "row", "rows"));
    if (beyond)
        fprintf(to, "  outside       %s outside of the range of the card, %s to %s%s\n",
                counted(beyond, "row", "rows"), human(c.line.least, 3), human(c.line.most, 3),
                unit_after(&c));
    return finish();
}

/* ---- the action ---- */

/* Dies if a flag belongs to another action. */
static void check_flags(const arguments *args, const char *action) {
    for (size_t i = 0; i < args->givens; ++i) {
        const flag *f = args->given[i];
        const size_t n = strcspn(f->help, ":;");
        if (f->help[n] != ':' || strncmp(f->help, action, n) == 0) continue;
        if (strcmp(f->name, "output") == 0 && strcmp(action, "compare") != 0) continue;
        die(BAD_USE, "--%s does not apply to `sooth card %s`", f->name, action);
    }
}

static int run(const arguments *args) {
    static const char *const known[3] = {"make", "compare", "translate"};
    static const size_t least[3] = {2, 2, 3}, most[3] = {2, MOST_ARGUMENTS, 3};
    static int (*const act[3])(const arguments *) = {run_make, run_compare, run_translate};
    static const char *const usage[3] = {"make TIMES.csv --here COLUMN --there COLUMN -o CARD",
                                         "compare CARD [CARD ...]", "translate CARD DATA.csv"};
    size_t k;
    for (k = 0; k < 3 && strcmp(args->word[0], known[k]) != 0; ++k) continue;
    if (k == 3)
        die(BAD_USE, "%s is not one of make, compare, translate%s", args->word[0],
            did_you_mean(args->word[0], known, 3));
    if (args->words < least[k] || args->words > most[k]) die(BAD_USE, "usage: sooth card %s", usage[k]);
    check_flags(args, known[k]);
    return act[k](args);
}

const command card_command = {
    .name = "card",
    .summary = "translate times from one machine to another by a translation card",
    .usage = "make TIMES.csv --here COLUMN --there COLUMN -o CARD\n"
             "       sooth card compare CARD [CARD ...]\n"
             "       sooth card translate CARD DATA.csv [--time COLUMN] [-o OUT.csv]",
    .least = 1,
    .most = MOST_ARGUMENTS,
    .text = "A translation card (Moolchandani et al. 2022, section 9) is a line fitted to the times of "
            "programs that ran on both of two machines. By default it is fitted to logarithms, so small "
            "times count as much as large ones.\n\n"
            "make writes a card. It reports the error for programs that are not in the table, next to that "
            "of two rules without a line: the same time, and the mean ratio.\n\n"
            "translate adds the times on the other machine to a table, and whether the card "
            "has points there.\n\n"
            "compare prints cards next to each other. For two other machines it reports which one is "
            "faster for which programs.\n\n"
            "The file is text, one \"name = value\" per line: sooth_translation_card = 1, from, to, unit, "
            "form (log or plain), intercept, slope, points, least, most, r2, error, error_of_groups. Lines "
            "that begin with # are comments.",
    .example = "sooth card make solo.csv --here K80 --there V100 --group family -o k80_v100.card\n"
               "  sooth card translate k80_v100.card mine.csv --time seconds -o there.csv\n"
               "  sooth card compare k80_p100.card k80_v100.card",
    .flags = flags,
    .run = run};
