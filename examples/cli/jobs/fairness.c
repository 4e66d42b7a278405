/* fairness.c - sooth fairness: features of a bag of tasks, from the cards of its tasks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The application model cards, fairness and vectors of Moolchandani et al. 2022 (sooth/fairness.h). One table
 * has a row for each card, another a row for each bag.
 */
#include "../table/table.h"
#include "sooth/fairness.h"

#include <math.h>

static const flag flags[] = {
    {"cards", 'c', "CARDS.csv",
     "a row for each task: its name and its known fields. Columns: alone_time, alone_power, "
     "pressure, slowdown_low, slowdown_medium, slowdown_high, caused_low, caused_medium, "
     "caused_high; or the fields of the paper (cpu_time, sse, ..., ipc, llc_miss, ...)",
     0},
    {"name", 0, "COLUMN", "CARDS.csv: column with the name of the task; default column: name", 0},
    {"tasks", 't', "A,B,...", "BAGS.csv: columns that name the tasks of a bag; an empty cell means no task",
     1},
    {"count", 'n', "N",
     "use only bags of N tasks and leave the others empty; default: all bags have the same number", 0},
    {"fields", 'f', "A,B,...",
     "fields of the card of a task. fairness and slowdown are those next to the microbenchmark that "
     "the rest of the bag resembles. Default alone_time,fairness",
     1},
    {"combination", 0, "K",
     "instead of --fields: 0 for Table 4 of the paper, 1 to 20 for a row of Table 7. Fields "
     "measured of the whole bag are then columns of BAGS.csv with the names of the fields",
     0},
    {"thresholds", 0, "LOW,HIGH",
     "thresholds of the pressure of the others: Low below the first, High from the second on. "
     "clusters (default) or terciles fit them to these bags",
     0},
    {"output", 'o', "OUT.csv", "output table; default standard output", 0},
    FORCE_FLAG,
    LAST_FLAG};

typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *cards_path, *path;
    sooth_csv cards_csv;
    table_file bags;
    sooth_fairness_card *card;
    size_t cards;
    const sooth_fairness_card **task; /* bags x SOOTH_FAIRNESS_MAX_TASKS */
    uint32_t *tasks;                  /* of each bag; */
    uint32_t count;                   /* of the bags in use */
    sooth_fairness_form form;
    double threshold[2];
} job;

/* ---- cards and bags ---- */

/* Fills a card from the columns of a table. */
static void fill_card(const sooth_csv *csv, const char *path, size_t row, sooth_fairness_card *card) {
    sooth_fairness_card_init(card, sooth_fairness_paper_fields());
    for (uint32_t f = 0; f < SOOTH_FAIRNESS_FIELDS; ++f) {
        const size_t column = sooth_csv_find(csv, sooth_fairness_field_name(card->own, f));
        if (column == SOOTH_NONE) continue;
        if (csv->column[column].is_text) column_is_text(path, csv, column);
        const float v = csv->cell[row * csv->cols + column];
        if (v == v && !(is_prediction(v) && (v >= 0.0f || f == SOOTH_FAIRNESS_PRESSURE)))
            die(BAD_INPUT, "%s: line %u: %s is %s, but must be 0 or above", path, (unsigned)csv->line[row],
                csv->column[column].name, shortest(v));
        card->value[f] = (double)v;
    }
}

static void read_cards(job *b) {
    const sooth_csv *csv = &b->cards_csv;
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const sooth_csv_options options = names_given(b->args, "name", "name");
    csv_open(b->env, b->cards_path, &options, &b->cards_csv);
    const size_t column = column_needed(b->args, b->cards_path, csv, "name", "name", 0);
    b->cards = csv->rows;
    b->card = (sooth_fairness_card *)allocate(csv->rows, sizeof *b->card);
    for (size_t i = 0; i < csv->rows; ++i) {
        const char *name = text_of_cell(csv, i, column, number);
        const unsigned line = (unsigned)csv->line[i];
        if (!name) die(BAD_INPUT, "%s: line %u: the task has no name", b->cards_path, line);
        if (strlen(name) >= sizeof b->card[i].name)
            die(BAD_INPUT, "%s: line %u: the name has more than 63 bytes", b->cards_path, line);
        fill_card(csv, b->cards_path, i, &b->card[i]);
        strcpy(b->card[i].name, name);
        for (size_t k = 0; k < i; ++k)
            if (strcmp(b->card[k].name, name) == 0)
                die(BAD_INPUT, "%s: line %u: %s already has a card", b->cards_path, line, printable(name));
    }
}

static const sooth_fairness_card *card_named(const job *b, const char *name, size_t row) {
    const char **known;
    for (size_t i = 0; i < b->cards; ++i)
        if (strcmp(b->card[i].name, name) == 0) return &b->card[i];
    known = (const char **)allocate(b->cards, sizeof *known);
    for (size_t i = 0; i < b->cards; ++i) known[i] = b->card[i].name;
    die(BAD_INPUT, "%s: line %u: %s has no card of %s%s", b->path, (unsigned)b->bags.csv.line[row],
        b->cards_path, printable(name), did_you_mean(name, known, b->cards));
}

static void read_bags(job *b) {
    sooth_csv *csv = &b->bags.csv;
    char number[SOOTH_TEXT_NUMBER_SIZE], *bytes = read_file(b->path, NULL, &b->bags.size);
    const char **known;
    size_t columns, n;
    const sooth_csv_options options = names_given(b->args, "tasks", "");
    csv_read(b->env, b->path, bytes, b->bags.size, &options, csv);
    b->bags.text = bytes;
    b->bags.has_header = 1;
    n = column_names(csv, &known);
    char **name = columns_named(b->args, "tasks", csv, &columns);
    if (columns < 2 || columns > SOOTH_FAIRNESS_MAX_TASKS)
        die(BAD_USE, "--tasks names %s, but a bag has 2 to %u tasks", counted(columns, "column", "columns"),
            SOOTH_FAIRNESS_MAX_TASKS);
    b->task = (const sooth_fairness_card **)allocate(csv->rows, SOOTH_FAIRNESS_MAX_TASKS * sizeof *b->task);
    b->tasks = (uint32_t *)allocate(csv->rows, sizeof *b->tasks);
    for (size_t k = 0; k < columns; ++k) {
        const size_t column = sooth_csv_find(csv, name[k]);
        if (column == SOOTH_NONE)
            die(BAD_INPUT, "%s has no column %s for --tasks%s", b->path, printable(name[k]),
                did_you_mean(name[k], known, n));
        for (size_t i = 0; i < csv->rows; ++i) {
            const char *task = text_of_cell(csv, i, column, number);
            if (task) b->task[i * SOOTH_FAIRNESS_MAX_TASKS + b->tasks[i]++] = card_named(b, task, i);
        }
    }
    b->count = arguments_count(b->args, "count", 0, 2, SOOTH_FAIRNESS_MAX_TASKS);
    for (size_t i = 0; !arguments_has(b->args, "count") && i < csv->rows; ++i) {
        if (i == 0) b->count = b->tasks[0];
        if (b->tasks[i] != b->count || b->count < 2)
            die(BAD_INPUT,
                "%s: line %u: this bag has %s, but all bags must have the same number of tasks, 2 or more; "
                "choose it with --count",
                b->path, (unsigned)csv->line[i], counted(b->tasks[i], "task", "tasks"));
    }
    for (n = 0; n < csv->rows && b->tasks[n] != b->count; ++n) continue;
    if (n == csv->rows) die(BAD_INPUT, "%s has no bag of %u tasks", b->path, (unsigned)b->count);
}

/* ---- choice of the fields ---- */

static void read_form(job *b) {
    const sooth_fairness_fields *own = sooth_fairness_paper_fields();
    const char *known[SOOTH_FAIRNESS_CHOSEN_SLOWDOWN + 1];
    uint32_t field[SOOTH_FAIRNESS_CHOSEN_SLOWDOWN + 1], n = 0, f;
    size_t count;
    char **list = arguments_list(b->args, "fields", &count);
    for (f = 0; f <= SOOTH_FAIRNESS_CHOSEN_SLOWDOWN; ++f) {
        if (f == SOOTH_FAIRNESS_FIELDS) continue;
        field[n] = f;
        known[n++] = sooth_fairness_field_name(own, f);
    }
    if (list && arguments_has(b->args, "combination"))
        die(BAD_USE, "--fields and --combination exclude each other; give one");
    if (arguments_has(b->args, "combination")) {
        const uint32_t k = arguments_count(b->args, "combination", 0, 0, SOOTH_FAIRNESS_COMBINATIONS - 1);
        if (sooth_fairness_combination(b->env, k, &b->form) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, b->env);
        return;
    }
    if (count > 16) die(BAD_USE, "--fields names %zu fields, but the maximum is 16", count);
    for (size_t i = 0; i < count; ++i) {
        for (f = 0; f < n && strcmp(list[i], known[f]) != 0; ++f) continue;
        if (f == n) die(BAD_USE, "unknown field %s%s", printable(list[i]), did_you_mean(list[i], known, n));
        b->form.field[b->form.fields++] = field[f];
    }
    if (count) return;
    b->form.fields = 2;
    b->form.field[0] = SOOTH_FAIRNESS_ALONE_TIME;
    b->form.field[1] = SOOTH_FAIRNESS_CHOSEN;
}

static int needs_thresholds(const job *b) {
    for (uint32_t k = 0; k < b->form.fields; ++k)
        if (b->form.field[k] > SOOTH_FAIRNESS_FIELDS) return 1;
    return 0;
}

static void learn_thresholds(job *b, sooth_fairness_method method) {
    float *sum = (float *)allocate(b->bags.csv.rows, b->count * sizeof *sum);
    size_t n = 0;
    for (size_t i = 0; i < b->bags.csv.rows; ++i)
        for (uint32_t own = 0; b->tasks[i] == b->count && own < b->count; ++own) {
            const double others = sooth_fairness_others(b->task + i * SOOTH_FAIRNESS_MAX_TASKS, b->count, own,
                                                        SOOTH_FAIRNESS_PRESSURE);
            if (others != others)
                die(BAD_INPUT, "%s: line %u: the pressure of a task is missing", b->path,
                    (unsigned)b->bags.csv.line[i]);
            sum[n++] = (float)others;
        }
    if (sooth_fairness_thresholds(b->env, sum, n, method, b->threshold) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", b->path, b->env->sentence);
    free(sum);
}

static void read_thresholds(job *b) {
    const char *text = arguments_text(b->args, "thresholds");
    size_t used;
    if (!needs_thresholds(b)) {
        if (text) die(BAD_USE, "--thresholds needs fairness or slowdown in --fields");
    } else if (!text || strcmp(text, "clusters") == 0) {
        learn_thresholds(b, SOOTH_FAIRNESS_CLUSTERS);
    } else if (strcmp(text, "terciles") == 0) {
        learn_thresholds(b, SOOTH_FAIRNESS_TERCILES);
    } else {
        used = sooth_text_to_double(text, strlen(text), &b->threshold[0]);
        if (!used || text[used] != ',' ||
            sooth_text_to_double(text + used + 1, strlen(text + used + 1), &b->threshold[1]) !=
                strlen(text + used + 1) ||
            !(b->threshold[0] <= b->threshold[1]) || b->threshold[1] > DBL_MAX || b->threshold[0] < -DBL_MAX)
            die(BAD_USE,
                "--thresholds is %s, but must be clusters, terciles or two increasing numbers such as "
                "1e6,3e6",
                *text ? text : "empty");
    }
}

/* ---- output ---- */

static const char *vector_column(const char *field, uint32_t task) {
    char *name = (char *)allocate(strlen(field) + 16, 1);
    if (task) sprintf(name, "%s_%u", field, (unsigned)task);
    else sprintf(name, "bag_%s", field);
    return name;
}

static void write_table(const job *b, FILE *to) {
    const size_t rows = b->bags.csv.rows, width = sooth_fairness_width(&b->form, b->count);
    const sooth_fairness_fields *own = sooth_fairness_paper_fields();
    float *x = (float *)allocate(rows, width * sizeof *x);
    addition *add = (addition *)allocate(width, sizeof *add);
    size_t n = 0;
    for (size_t i = 0; i < rows; ++i) {
        sooth_fairness_card bag;
        for (size_t k = 0; k < width; ++k) x[i * width + k] = (float)NAN;
        if (b->tasks[i] != b->count) continue;
        fill_card(&b->bags.csv, b->path, i, &bag);
        strcpy(bag.name, "the bag");
        if (sooth_fairness_vector(b->env, &b->form, b->task + i * SOOTH_FAIRNESS_MAX_TASKS, b->count,
                                  b->threshold, &bag, x + i * width) != SOOTH_OK)
            die(BAD_INPUT, "%s: line %u: %s", b->path, (unsigned)b->bags.csv.line[i], b->env->sentence);
        progress_show("bags", (double)(i + 1) / (double)rows);
    }
    for (uint32_t f = 0; f < b->form.fields; ++f)
        for (uint32_t t = 1; t <= b->count; ++t)
            add[n++].stem = vector_column(sooth_fairness_field_name(own, b->form.field[f]), t);
    for (uint32_t f = 0; f < b->form.bag_fields; ++f)
        add[n++].stem = vector_column(sooth_fairness_field_name(own, b->form.bag_field[f]), 0);
    for (size_t k = 0; k < width; ++k) {
        add[k].number = x + k;
        add[k].stride = width;
    }
    progress_clear();
    table_append(b->env, &b->bags, b->path, add, width, to);
}

static int run(const arguments *args) {
    const char *path = arguments_text(args, "output"), *inputs[2];
    size_t n = 0;
    job b;
    memset(&b, 0, sizeof b);
    b.args = args;
    b.env = env_open(args);
    b.path = inputs[0] = args->word[0];
    b.cards_path = inputs[1] = arguments_text(args, "cards");
    if (!b.cards_path) die(BAD_USE, "--cards CARDS.csv is missing: the table with a row for each task");
    if (strcmp(b.path, "-") == 0 && strcmp(b.cards_path, "-") == 0)
        die(BAD_USE, "the cards and the bags cannot both be -");
    read_form(&b);
    read_cards(&b);
    read_bags(&b);
    read_thresholds(&b);
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), inputs, 2);
    write_table(&b, file);
    output_close();
    FILE *to = path && strcmp(path, "-") != 0 ? stdout : stderr;
    for (size_t i = 0; i < b.bags.csv.rows; ++i) n += b.tasks[i] == b.count;
    fprintf(to, "%s of %u tasks, %zu columns each\n", counted(n, "bag", "bags"), (unsigned)b.count,
            sooth_fairness_width(&b.form, b.count));
    if (n < b.bags.csv.rows)
        fprintf(to, "  left empty  %s with other numbers of tasks\n",
                counted(b.bags.csv.rows - n, "bag", "bags"));
    if (needs_thresholds(&b)) {
        fprintf(to, "  thresholds  --thresholds ");
        put_double(to, b.threshold[0]);
        fputc(',', to);
        put_double(to, b.threshold[1]);
        fprintf(to, " (for bags of this number of tasks)\n");
    }
    return finish();
}

const command fairness_command = {
    .name = "fairness",
    .summary = "add features of bags of tasks to a table, from the cards of the tasks",
    .usage = "BAGS.csv --cards CARDS.csv --tasks A,B,... [--fields LIST | --combination K] [-o OUT.csv]",
    .least = 1,
    .most = 1,
    .text = "Adds columns to a table of bags, tasks that run at the same time: fields of the card of each "
            "task, the longest task first.\n\n"
            "fairness is how fair a task is to its neighbours, next to one of three microbenchmarks: Low, "
            "Medium or High. The summed pressure of the rest of the bag selects the microbenchmark "
            "(Moolchandani et al. 2022).\n\n"
            "`sooth fit` then fits the time of a bag to these columns, one model for each number of tasks. "
            "For planned bags, give the thresholds that the first call printed.",
    .example = "sooth fairness bags.csv --cards cards.csv --tasks task_1,task_2 -o learn.csv\n"
               "  sooth fit learn.csv --target bag_time --group task_1,task_2 -o pairs.sooth",
    .flags = flags,
    .run = run};
