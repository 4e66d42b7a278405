/* cli.h - what the parts of the `sooth` command share.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The command is a thin program over the library. To add one: a file with a `const command x_command`, its
 * name in COMMANDS below and its address in the table of sooth.c; parsing, help, suggestions and exit codes
 * come from the tables. The parts, each using only those above it:
 *
 *   system.h what is asked of the system, by POSIX's names; system.c has them for Windows
 *   progress.c how long the rest takes
 *   files.c  colours; how the program ends; whole files in, all or nothing out; what happens on Ctrl-C
 *   print.c  aligned columns, numbers for people, JSON
 *   args.c   the command line: flags by table, lists, help, near-miss suggestions
 *   data.c   which columns of a CSV file are features, targets, group, weight
 *   instant.c dates and times of day
 *   derive.c columns made of the dates in a file
 *   columns.c columns that a command asks for by their part, numbers that it writes
 *   append.c a table as it is, with columns behind it
 *   recipe.c models, their options, transforms
 *   score.c  how well a recipe predicts rows, and whole groups, that it has not seen
 *   tune.c   a search for options; history.c: losses, step by step
 *   page.c   what is told as a page with pictures (page.h); page_held.c, page_fit.c: parts of it
 *   and one file for each command
 *
 * Whatever goes wrong ends in die(): one sentence on stderr, no partial file, exit code BAD_INPUT or BAD_USE.
 * Memory is handed back by the end of the process.
 */
#ifndef CLI_H
#define CLI_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include <float.h>
#include <stdio.h>

#include "sooth.h"

#if defined(__MINGW_PRINTF_FORMAT)
#define LIKE_PRINTF(text, list) __attribute__((format(__MINGW_PRINTF_FORMAT, text, list)))
#elif defined(__GNUC__) || defined(__clang__)
#define LIKE_PRINTF(text, list) __attribute__((format(printf, text, list)))
#endif
#if defined(__GNUC__) || defined(__clang__)
#define NEVER_RETURNS __attribute__((noreturn))
#else
#define LIKE_PRINTF(text, list)
#define NEVER_RETURNS
#endif

enum { DONE = 0, BAD_INPUT = 1, BAD_USE = 2, INTERRUPTED = 130 };

/* ---- args.c ---- */

typedef struct flag {
    const char *name;  /* --name */
    char letter;       /* -l, or 0 */
    const char *value; /* what help calls its value; NULL: a switch without one */
    const char *help;
    int many; /* may be given more than once */
} flag;

/* Flags that several commands have, and what ends a table of them. */
#define FORCE_FLAG \
    { "force", 0, NULL, "replace the file if it is there", 0 }
#define JSON_FLAG \
    { "json", 0, NULL, "write JSON", 0 }
#define LAST_FLAG \
    { NULL, 0, NULL, NULL, 0 }

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *summary; /* one line, for the list of commands */
    const char *usage;   /* what follows "sooth NAME" */
    size_t least, most;  /* words that are not flags */
    const char *text;    /* paragraphs */
    const char *example;
    const flag *flags; /* ends with a NULL name */
    int (*run)(const arguments *args);
} command;

extern const command fit_command, predict_command, next_command, adapt_command, describe_command,
    validate_command, import_command, export_command, explain_command, ptx_command, sample_command,
    scale_command, correlate_command, cluster_command, card_command, slowdown_command, allocate_command,
    fairness_command, gpu_command, replay_command, demo_command;

/* Runs `sooth NAME ...`, words[0] being "sooth"; returns its exit code, or ends the program with it. Of
   sooth.c. */
int command_run(int count, char **words);

/* The lines of the table and of its licence that `sooth demo` brings along, NULL behind the last; made of
   examples/scale/data by the Makefile. */
extern const char *const demo_table[], *const demo_licence[];

enum { MOST_ARGUMENTS = 256 };

struct arguments {
    const command *command;
    const char *word[MOST_ARGUMENTS]; /* what is not a flag */
    size_t words;
    const flag *given[MOST_ARGUMENTS]; /* flags in their order, with their values */
    const char *value[MOST_ARGUMENTS];
    size_t givens;
};

/* Fills args from the words after "sooth NAME", or dies with BAD_USE. 0: help was asked for. */
int arguments_read(arguments *args, const command *c, int count, char **words);

/* the value, or NULL when it is not given */
const char *arguments_text(const arguments *args, const char *name);
int arguments_has(const arguments *args, const char *name);

/* Dies where a file that a flag names could not be written, or where two name the same. */
void arguments_outputs(const arguments *args);

/* The value as a share: 0.5 to 0.99. */
double share_read(const arguments *args, const char *name, double fallback);
uint32_t arguments_count(const arguments *args, const char *name, uint32_t fallback, uint32_t least,
                         uint32_t most);

/* The values of every --name, split as split_list does; *count of them, in memory of their own. */
char **arguments_list(const arguments *args, const char *name, size_t *count);

/* Splits a copy of text at commas and drops blanks around the pieces. As in CSV a piece in double quotes may
   hold commas, and "" in it stands for one quote. */
char **split_list(const char *text, size_t *count);

/* An env with --threads threads and a progress bar when stderr is a terminal. */
sooth_env *env_open(const arguments *args);

void wrapped(FILE *to, const char *text, size_t indent); /* at 92 columns, continuation lines indented */
void help_command(FILE *to, const command *c);

/* The candidate that looks most like word, or NULL when none does. */
const char *nearest(const char *word, const char *const *candidates, size_t count);

/* "; did you mean x?" for the nearest candidate, or nothing. */
const char *did_you_mean(const char *word, const char *const *candidates, size_t count);

/* ---- files.c ---- */

void progress_show(const char *stage, double done); /* a bar on stderr, if that is a terminal */
void progress_force(void);                          /* or else lines */
void progress_clear(void);
int on_progress(void *user, const char *stage, double done); /* the same, for an env */

/* Colours: `code` where `to` is a terminal, or --color says always; else "". NO_COLOR, not empty, and a TERM
   that is dumb or none mean none, unless --color says always. */
#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[33m"
#define NO_COLOUR "\033[0m"
const char *colour(FILE *to, const char *code);
void colour_set(const char *when); /* what --color says, or death */

/* Prints what stands above a table or a list. */
void heading(FILE *to, const char *format, ...) LIKE_PRINTF(2, 3);

/* Prints "sooth NAME: sentence" and ends the program with the code; files being written are removed. */
void die(int code, const char *format, ...) LIKE_PRINTF(2, 3) NEVER_RETURNS;
/* The library's own sentence; BAD_USE for SOOTH_BAD_ARGUMENT. */
void die_of(sooth_status status, const sooth_env *env) NEVER_RETURNS;
void set_program(const char *name); /* the name that die() prints */
void catch_signals(void);           /* Ctrl-C and friends remove the file being written */

void keep_standard_files(void); /* what is printed never goes into a file that is opened */

void *allocate(size_t count, size_t size); /* zeroed; dies rather than return NULL */

/* The whole file, or stdin for "-", ended by a zero that is not counted. Dies with a sentence. magic: how it
   must begin, or NULL; where it does not, no more is read than it takes to see that. */
char *read_file(const char *path, const char *magic, size_t *size);

/* What bytes that are no text are, by how they begin, and what to do: "an Excel workbook (.xlsx); save ...".
   NULL: they may be text, or nobody knows. */
const char *binary_format(const char *bytes, size_t size);

/* Dies where output_open would, but for inputs; long before, so that no work is done in vain. */
void output_check(const char *path, int force);

/* Opens `path` for writing ("-": stdout) so that nothing appears under its name before output_close. Dies
   when the path is one of `inputs`, is there already and `force` is not given, or cannot be written. */
int ends_in_svg(const char *path); /* what is written there is a drawing; NULL: no */
FILE *output_open(const char *path, int force, const char *const *inputs, size_t count);
void output_close(void);

/* A stream that is kept in memory until all is well. */
typedef struct kept {
    FILE *stream;
    char *text;
    size_t size, room;
} kept;
FILE *kept_open(kept *k);
void kept_release(kept *k, FILE *to); /* writes it, and closes the stream */

/* Ends a command that printed to stdout: DONE, or BAD_INPUT with a sentence when it could not be written. */
int finish(void);

/* A sink that writes to a FILE. */
sooth_sink file_sink(FILE *file);

/* ---- print.c ---- */

/* Cells that are printed in aligned columns: the first to the left, the others to the right. */
typedef struct grid {
    char **cell;
    size_t cells, capacity;
    size_t cols;
    size_t left; /* this many leading columns are aligned to the left */
} grid;

void grid_init(grid *g, size_t cols, size_t left);
void grid_add(grid *g, const char *format, ...) LIKE_PRINTF(2, 3);
void grid_print(grid *g, FILE *to, const char *indent); /* and forgets the cells */

/* Control characters, which could steer a terminal, become question marks. */
void tame(char *text);

/* A text from a file, so tamed. Good until called seven times more. */
const char *printable(const char *text);

/* The same, in double quotes where it holds a comma or a quote: as a name stands in a list. */
const char *listed(const char *name);

/* A number for people: `digits` significant digits, no exponent where it can be helped. Good until called
   eight times more. */
const char *human(double value, unsigned digits);
const char *shortest(float value); /* that reads back to the same float */
/* With as many decimals as human(like, digits) has. */
const char *human_like(double value, double like, unsigned digits);
const char *counted(size_t count, const char *one, const char *many); /* "1 row", "12 rows" */
const char *plus_minus(void);                                         /* as the terminal can show it */

/* JSON, written as it comes. key NULL: an element of an array. */
typedef struct json {
    FILE *to;
    int depth;
    int comma; /* the next item needs one */
} json;

void json_begin(json *j, FILE *to);
void json_end(json *j);
void json_open(json *j, const char *key, char bracket); /* '{' or '[' */
void json_close(json *j, char bracket);                 /* '}' or ']' */
void json_text(json *j, const char *key, const char *text);
void json_number(json *j, const char *key, double value); /* null where JSON has no word for it */
void json_float(json *j, float value); /* an element of an array, as short as a float can be */
void json_count(json *j, const char *key, size_t value);

/* ---- derive.c ---- */

/* A column that is made of another: its name, "when:hour" or "start@unix:weekday", says all of it, so that
   the name of a model's feature is what keeps it. */
typedef struct derived {
    char *name;     /* as the file gets it */
    size_t from;    /* the column of the file that it is made of, */
    int as_seconds; /* whose cells are seconds since 1970 */
    size_t part;    /* see instant.h */
} derived;

/* The columns that are made of those of one file, and its bytes, to which they are added. */
typedef struct deriving {
    const char *path;
    size_t count, cols; /* of `column`; columns of the file */
    derived *column;
    char separator, decimal;
    size_t *zoned,
        *unzoned; /* per column of the file: the first line with a time zone, and without; 0: none */
    size_t short_rows, first_short; /* as in sooth_csv */
    const sooth_csv_file *file;     /* the bytes as they are */
    struct derive_work *work;
} deriving;

/* What --derive asks of a file with these columns; count 0 without it. Dies where it makes no sense. */
void derive_read(const arguments *args, const char *path, const sooth_csv *csv, deriving *all);

/* Adds the column of this name; 0: the name is not one of a derived column, or the file does not have what it
   is made of. */
int derive_add(const char *path, const sooth_csv *csv, const char *name, deriving *all);

/* The same bytes with the columns behind each row, in memory of their own. Dies at the first cell that is no
   date, with its line and column. */
char *derive_bytes(deriving *all, const char *bytes, size_t size, size_t *made);

/* The same of a file that is read in parts. */
sooth_csv_file derive_file(deriving *all, const sooth_csv_file *file);

/* The names of the columns that are made, "when:hour, when:weekday". */
void derive_note(const deriving *all, FILE *to);
void derive_json(const deriving *all, json *j);

/* A line for each feature of the model that is such a column. */
void derive_told(const sooth_model *model, FILE *to);

/* Whether this column of the file is made use of. */
int derive_uses(const deriving *all, size_t column);

/* ---- data.c ---- */

/* A CSV file and the parts its columns play. */
typedef struct data {
    const char *path;
    sooth_csv csv;
    sooth_csv_data chosen;
    sooth_table table;                  /* what to learn from; names, group and weight as asked */
    uint32_t *line;                     /* of each row of the table in the file */
    uint32_t *row;                      /* of the CSV, likewise */
    const char **target, **target_unit; /* table.targets of them */
    const char *group;                  /* name of the column, or "a or b" of several; NULL: none */
    size_t *group_column, group_columns;
    sooth_groups bags;       /* of each row, where there are several such columns; else offset is NULL */
    uint32_t groups;         /* distinct ones in the table */
    const char **group_name; /* of each */
    size_t dropped_missing;  /* rows left out because --drop-missing was given */
    size_t repeated;         /* rows that have all features of an earlier one */
    uint32_t *first;         /* per row: the first row with the same features */
    sooth_levels *levels; /* of the features that are categories, whose codes the table has; NULL: none is */
    deriving made;        /* the last columns of csv */
    sooth_seen seen;      /* the rows that count */
} data;

/* Reads a file, or its bytes, as CSV; dies with the sentence. */
void csv_open(sooth_env *env, const char *path, sooth_csv *csv);
void csv_read(sooth_env *env, const char *path, const char *bytes, size_t size,
              const sooth_csv_options *options, sooth_csv *csv);

/* The columns that the values of --flag name, in memory of their own: a value is one column's name as it
   stands, or a list. Whether there are such columns is for the caller to see. */
char **columns_named(const arguments *args, const char *flag_name, const sooth_csv *csv, size_t *count);

/* The columns that the arguments name by --target, --features, ..., as a table fit to learn from; dies when
   it is not. */
void data_open(sooth_env *env, const arguments *args, data *d);

/* The names of features with those that are derived and play no other part; where none is named, none. */
char **with_derived(const data *d, char **features, size_t *count, const sooth_csv_choice *choice);

const char *targets_text(const data *d); /* "Power [W]", or "a and b" */

/* What cell (row, column) says, as the file has it or as a number; NULL: nothing. */
const char *text_of_cell(const sooth_csv *csv, size_t row, size_t column, char number[SOOTH_NUMBER_TEXT]);

/* What separates the columns, unless it is a comma. */
void dialect_note(const sooth_csv *csv, FILE *to);

/* What was left out, is missing, is repeated, is a category: a line each, nothing for what is well. */
void data_notes(const data *d, FILE *to);
void data_json(const data *d, json *j);

/* "Power [W]", or "Power" where the unit is not known. */
const char *with_unit(const char *name, const char *unit);

/* Dies because a column that is needed as numbers holds text. */
void column_is_text(const char *path, const sooth_csv *csv, size_t column);

/* The names of the columns (the first 5,000), to compare a wrong one with. */
size_t column_names(const sooth_csv *csv, const char ***names);

/* The column's name, or its header where another column has the same name. */
const char *column_name(const sooth_csv *csv, size_t column);

/* A table that a model is asked about. */
typedef struct model_rows {
    const char *text; /* the file as it is */
    size_t size;
    sooth_csv csv;
    size_t *column; /* per feature of the model */
    int has_header;
    const sooth_levels *levels; /* of the model's categories; NULL: it has none */
    size_t *unknown;            /* per feature: cells whose level the model does not know */
    size_t derived;             /* the last columns of csv, which the file does not have: see derive.c */
} model_rows;

/* Reads a table and finds each feature of the model by --features or else by its name on the card (NULL:
   there is none). Where not one name is there, but as many columns of numbers as features, these are taken in
   their order, and stderr is told. Dies when a feature is missing, is text, or is in another unit, and where
   there is no row unless none will do. */
void csv_open_for_model(sooth_env *env, const arguments *args, const char *path, const char *model_path,
                        const sooth_model *model, const sooth_card *card, int none_will_do, model_rows *rows);

/* The features of every row, in the model's order, in memory of their own; levels by their codes, and missing
   where the model does not know them, which is counted. */
float *features_of(const model_rows *rows, size_t features);

/* "unknown     user 3, queue 1 ..." and the same in JSON; nothing where the model knows all levels. */
void unknown_print(const model_rows *rows, FILE *to);
void unknown_json(const model_rows *rows, json *j);

/* What a feature's value says: the name of a level, a number, "missing". */
const char *value_text(const sooth_levels *levels, size_t feature, float value);

/* The model's predictions for rows of features side by side: rows x targets, in memory of their own. */
float *predictions_of(const sooth_model *model, const float *x, size_t rows);

/* Dies because fitting a model to d failed. */
void learn_failed(const data *d, const char *model, sooth_status status, const sooth_env *env) NEVER_RETURNS;

/* The flags of every command that learns from a table. */
#define DATA_FLAGS                                                                                           \
    {"target", 't', "A,B,...",                                                                               \
     "what to predict: a column, or several for one model of all; a name with a comma stands in double "     \
     "quotes within a list, here as below",                                                                  \
     1},                                                                                                     \
        {"features", 'f', "A,B,...",                                                                         \
         "predict from these columns (default: all columns of numbers); those of text are categories", 1},   \
        {"categorical", 0, "A,B,...",                                                                        \
         "and from these, of text or numbers: levels without an order (a user, an operator, a device)", 1},  \
        {"levels", 0, "BYTES",                                                                               \
         "budget of the names of levels in the model (default 65536); the rarest are left out first", 0},    \
        {"drop", 'd', "A,B,...", "but not from these", 1},                                                   \
        {"group", 'g', "A,B,...",                                                                            \
         "which program (benchmark, job, user, ...) a row is of; text or numbers. Of several columns (a "    \
         "program and its neighbour) a row belongs to all that they name, and a program is left out with "   \
         "every row that names it",                                                                          \
         0},                                                                                                 \
        {"derive", 0, "COLUMN:PART,...",                                                                     \
         "make features of a column of dates: year, month, day, yearday, weekday (0 Monday), hour, minute, " \
         "epoch; hour-circle, weekday-circle, yearday-circle are two each, sine and cosine. Dates are ISO "  \
         "8601, 2024-02-29 or 2024-02-29T13:05:59Z, and the hour is that of the clock as written; "          \
         "COLUMN@unix:PART reads seconds since 1970. The model keeps it: sooth predict does the same",       \
         1},                                                                                                 \
        {"weight", 'w', "COLUMN", "how much a row counts", 0}, {                                             \
        "drop-missing", 0, NULL, "leave out rows in which a feature is missing", 0                           \
    }

/* ---- columns.c ---- */

/* The number of the column of that name, which --flag gave; dies when it is not there, or is one of text
   where numbers are needed. */
size_t column_named(const char *path, const sooth_csv *csv, const char *flag_name, const char *name,
                    int numbers);

/* The number of the column that --flag names, or else of the one called fallback (NULL: none); csv->cols
   where there is none. Dies when --flag names one that is not there, or one of text where numbers are
   needed. */
size_t column_of(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                 const char *fallback, int numbers);

/* The same, and dies where there is none. */
size_t column_needed(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                     const char *fallback, int numbers);

/* The value of --name as a number in a range. */
double double_read(const arguments *args, const char *name, double fallback, double least, double most);

void put_double(FILE *to, double value);           /* that reads back to the same; nothing for NaN */
int ascending(const void *a, const void *b);       /* doubles, for qsort */
double median_sorted(double *value, size_t count); /* sorts them; NaN for none */

/* A value that counts as often as its weight says. */
typedef struct weighed {
    double value, weight;
} weighed;
/* Half of the weight lies below it, half above; the middle of two where none lies there. Sorts them, and
   moves those without weight behind; NaN for none. */
double median_weighed(weighed *all, size_t count);

/* ---- append.c ---- */

/* A column that is added to a table: numbers, counts or texts, `stride` items from one row to the next. */
typedef struct addition {
    const char *stem; /* its name, which gets a number where the file has such a column */
    const float *number;
    size_t stride;
    const uint32_t *count;
    const char *const *text;
} addition;

const char *stem_of(const char *what, const char *target); /* "predicted_Power" */

/* Where the cell that begins at `at` ends: a separator, a line end or `end`. The line ends within its quotes
   are added to *lines. The rules are those of csv.h. */
const char *cell_end(const char *at, const char *end, char separator, size_t *lines);

/* Every record of the table as it is, with the columns behind it; separator, decimal mark and line ends are
   the file's. */
void table_append(const model_rows *rows, const char *path, const addition *add, size_t count, FILE *to);

/* `sooth ptx` names the device in a column of its tables. Where all rows that a model learns from name the
   same, `sooth fit` ends the card's note with it, and `sooth ptx --predict` reads it there. */
#define GPU_COLUMN "gpu"
#define GPU_NOTE "gpu: "

/* ---- describe.c ---- */

/* Reads and checks a model file; dies with its sentence. */
sooth_model *model_open(sooth_env *env, const char *path);

/* What an interval's block says of itself: "90 % of the rows of a program never seen (43 programs, 887
   rows): the prediction / 1.31 to x 1.31". */
void interval_text(const sooth_conformal *interval, char *text, size_t size);

/* Whether it has an upper end alone. */
int interval_upper(const sooth_conformal *interval);

/* "a sigmoid of what it says: ..." of a model that says a probability, else "". */
const char *probability_text(const sooth_model *model);

/* "intervals": [{...}], one for each target, and "adapts": true or false; nothing without either. */
void json_intervals(json *j, const sooth_model *model);

/* "inside", "edge", "outside": of a SOOTH_TRUST_. */
const char *trust_word(uint32_t trust);

/* How far to trust what was predicted for each of some rows. */
typedef struct trusts {
    size_t rows, of[3];           /* of[SOOTH_TRUST_...]: how many rows */
    const char **word, **feature; /* per row: its trust, and the feature that is farthest out, or "" */
} trusts;
void trusts_new(trusts *all, size_t rows);
void trusts_set(trusts *all, const model_rows *rows, size_t row, uint32_t trust, uint32_t feature);
void trusts_print(const trusts *all, FILE *to);
void trusts_json(const trusts *all, json *j);

/* ---- adapt.c ---- */

/* A model that adapts, and launches that were measured. */
typedef struct adapting {
    sooth_env *env;
    const arguments *args;
    const char *model_path;
    sooth_model *model;
    sooth_model_parts parts;
    const char *target;       /* its name */
    const char *path;         /* of what was measured; NULL: nothing was */
    model_rows measured;      /* no rows where nothing was */
    float *x, *predicted, *y; /* of these rows; y NaN: it failed, and has no value */
    size_t failed;            /* of these rows */
    const char *group;        /* column that tells programs apart; NULL: all rows are of one */
    size_t doubted;           /* measurements that the others contradict, */
    uint32_t doubted_line;    /* the first of them */
} adapting;

/* Opens the model; dies where it does not adapt. */
void adapting_open(sooth_env *env, const arguments *args, const char *path, adapting *a);

/* Reads what was measured; dies where a value is missing (but for sooth next: that launch failed) or cannot
   be, and where rows are of several programs that no --group tells apart. */
void adapting_measured(adapting *a, const char *path);

/* Makes memory a program of which the measured rows are known: those with this name in the column of groups,
   all with NULL. */
sooth_adapt_program *adapting_program(adapting *a, const char *name, void *memory);

/* ---- settings.c ---- */

int next_settings(const arguments *args); /* sooth next SPACE.csv */

/* ---- recipe.c ---- */

/* Fills a recipe for the model of this name from --set, --transform, --seed; dies when they make no sense. */
void recipe_read(sooth_env *env, const arguments *args, const char *model, const data *d,
                 sooth_model_recipe *recipe);

/* Dies unless every --set speaks of one of these models. */
void recipe_check_sets(const arguments *args, char *const *models, size_t count);

/* What --tune is to search: the options whose --set is a list or a range; where none is, the model's own
   space without those that --set fixes. */
const char *recipe_space(const arguments *args, const char *model);

/* The name as it is, or death with a suggestion. */
void model_named(const char *name, sooth_model_kind *kind);

/* Whether models of this kind learn so many targets at once. */
int model_learns(const char *name, size_t targets);

#define RECIPE_FLAGS                                                                                         \
    {"set", 's', "OPTION=VALUE",                                                                             \
     "an option of the model (sooth help tree); MODEL.OPTION=VALUE where there are several", 1},             \
        {"transform", 'x', "LIST",                                                                           \
         "transforms that become part of the model: of the features log (log(1+x)), one of standard, "       \
         "minmax, robust, none, and clip (to the training range); of the target log-target; for example "    \
         "log,standard,log-target (default: as `sooth help MODEL` says)",                                    \
         1},                                                                                                 \
        {"encode", 0, "HOW",                                                                                 \
         "what a level is to the model: target, the mean of the target over the rows with this level that "  \
         "stand before it, in an order that is drawn (default); target-in-time, in the order of the table; " \
         "ordinal, a number; native, where the model parts levels by sets",                                  \
         0},                                                                                                 \
        {"seed", 0, "N", "of everything random (default 0)", 0}, {                                           \
        "threads", 'j', "N", "work with N threads (default 1); the results are the same bits", 0             \
    }

#define CALIBRATE_FLAGS                                                                                     \
    {"upper", 0, NULL,                                                                                      \
     "intervals of upper ends alone: how long to reserve, where what takes longer is killed", 0},           \
    {                                                                                                       \
        "calibrate", 0, "METHOD",                                                                           \
            "of a target that is 0 and 1: the model says the probability of a 1, by what models said of "   \
            "rows (with --group of programs) that they had not seen, five folds of them: sigmoid (Platt's " \
            "two numbers) or isotonic (any rising steps; wants a thousand rows)",                           \
            0                                                                                               \
    }

/* What --calibrate and --upper ask for; probability is 0 without the former. */
void calibration_read(const arguments *args, const data *d, uint32_t seed, sooth_calibrate_options *options);

/* ---- score.c ---- */

enum { R2, RMSE, MAE, MAPE, FIGURES }; /* MAPE in per cent */

typedef struct figures {
    double value[FIGURES];
} figures;

typedef enum baseline { NO_BASELINE, MEAN, MEDIAN } baseline;

/* What is tested: a recipe, or the mean or median of the training targets. */
typedef struct contender {
    const char *name;
    baseline baseline;
    sooth_model_recipe recipe;
    const sooth_calibrate_options *calibrate; /* NULL: the recipe alone */
} contender;

/* The greatest float stands for all that no float holds; that and NaN are no prediction. */
static inline int is_prediction(float v) { return v > -FLT_MAX && v < FLT_MAX; }

typedef struct score {
    figures mean, sd;              /* over the repeats; sd is NaN when there is one */
    size_t zeros;                  /* rows with the target 0, which have no percentage */
    size_t unbounded;              /* predictions that were none; then there are no figures */
    double group_mape, worst_mape; /* leave one group out: median over the groups, and the worst of them */
    uint32_t worst_group;
    /* of intervals calibrated on the other folds' tests: the share of a fold's that they hold (of groups each
       counting once), and their mean width, or of upper ends how far above what was measured they lie in the
       mean, 0 where below; NaN: none were tried */
    double held, width;
    double shuffled_held;     /* of whole groups left out, by intervals calibrated on rows left out */
    sooth_conformal interval; /* calibrated on all tests; promises nothing where none were tried */
    /* mean over the repeats, where the target is 0 and 1 throughout and what is predicted a probability; else
       its rows are 0 */
    sooth_metrics_binary binary;
    double error_90; /* 90 % of the absolute errors (of the first repeat) are no larger; NaN: too few rows */
} score;

/* What was measured and predicted of every test, of a first repeat. */
typedef struct held_out {
    size_t tests, targets;
    const float *y;   /* [test][target] */
    float *predicted; /* [contender][test][target] */
    uint32_t *row;    /* of each test in the table */
    uint32_t *group;  /* of each test: its row's, or of several the one that was left out; NULL: none */
    float *weight;    /* of each test: its row's; NULL: each counts once */
} held_out;

/* How contenders do on rows left out, and on whole groups left out where the table has groups. */
typedef struct validation {
    size_t folds, repeats;
    uint32_t seed;
    double interval;   /* share that intervals shall hold; 0: none are tried */
    int upper;         /* their upper ends alone */
    size_t groups;     /* left out one at a time; 0: none */
    score *by_row;     /* per target and contender */
    score *by_group;   /* NULL without groups */
    double straddling; /* per repeat: rows tested by k-fold while a row with the same features trained */
    int keeps;         /* the tests themselves are wanted */
    held_out rows_tested, groups_tested; /* these; no tests of groups where there are none */
} validation;

/* Fits and tests every contender on every fold, in parallel where env can. folds, repeats, seed are given. */
void validate_all(sooth_env *env, const data *d, const contender *contenders, size_t count, validation *v);

/* The figures of probabilities; 0: a target is neither 0 nor 1, or a prediction beyond them. */
int binary_of(const float *actual, const float *predicted, const float *weight, size_t rows,
              sooth_metrics_binary *out);

/* "log loss 0.41 (always 48 %: 0.69), Brier 0.13 (0.25), AUC 0.87, calibration error 0.05" */
const char *binary_text(const sooth_metrics_binary *binary);
void json_binary(json *j, const sooth_metrics_binary *binary);

/* What v says of target t alone. */
validation validation_of(const validation *v, size_t t, size_t contenders);

/* ---- tune.c ---- */

typedef struct tuning {
    int on; /* --tune is given */
    sooth_tune_options options;
    sooth_tune_report report;
    sooth_model_kind kind;
    const void *given;
    void *chosen;
} tuning;

/* Reads --tune and what belongs to it; dies when it makes no sense. */
void tuning_read(sooth_env *env, const arguments *args, const char *model, tuning *t);

/* Searches, and puts what it chose into the recipe; dies where that fails. */
void tuning_run(sooth_env *env, const data *d, sooth_model_recipe *recipe, tuning *t);

void tuning_print(const data *d, const tuning *t);
void tuning_json(const tuning *t, json *j);

/* The nested estimate as a score of the model's card. */
void tuning_score(const data *d, const tuning *t, sooth_model_recipe *recipe);

/* ---- budget.c ---- */

/* sooth fit --budget: all of it. */
int budget_run(sooth_env *env, const arguments *args, const char *path);

/* sooth describe --for: what the model costs on a core. */
int describe_for(sooth_env *env, const arguments *args, const sooth_model *model);

/* ---- large.c ---- */

/* sooth fit --memory: all of it. */
int large_run(sooth_env *env, const arguments *args, const char *path, const char *name);

/* What a model's file takes, and one prediction; of fit.c. */
void print_cost(const char *path, const sooth_model *model);

/* ---- history.c ---- */

typedef struct history {
    const char *path; /* NULL: nobody asked for a file, */
    int keeps;        /* but for a page that shows them */
    int force;
    int held; /* a validation loss was told */
    struct loss {
        size_t step;
        double loss, validation;
    } * at;
    size_t count, room;
} history;

/* Reads --history; dies when the file may not be written. */
void history_read(const arguments *args, history *h);

/* From here on the env's losses are kept. */
void history_listen(history *h, sooth_env *env);

/* Dies where there is none. */
void history_check(const history *h, const char *model);

/* Writes iteration,loss[,validation], or draws them where the name ends in .svg; the file is none of the
   inputs. */
void history_write(const history *h, const char *const *inputs, size_t count);

#endif /* CLI_H */
