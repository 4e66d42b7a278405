/* table.h - CSV files, and the roles of their columns.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The folder holds what commands do with tables, without models:
 *
 *   instant.c  dates and times of day (instant.h)
 *   columns.c  columns by name, medians, numbers that a command writes
 *   levels.c   the values of a knob as words of the command line
 *   derive.c   columns derived from dates
 *   data.c     features, targets, groups and weights for a command that learns
 *   append.c   a table unchanged, followed by new columns
 *   digits.c   columns whose numbers floats cannot tell apart; identifiers
 *
 * It includes app.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <float.h>

#include "../app/app.h"
#include "instant.h"
#include "sooth/csv.h"
#include "sooth/preprocess.h"
#include "sooth/validation.h"

/* ---- columns.c ---- */

/* Returns the column's name, or its header if another column has the same name. */
const char *column_name(const sooth_csv *csv, size_t column);

/* Returns "Power [W]", or "Power" if the unit is unknown. */
const char *with_unit(const char *name, const char *unit);

/* Stores the names of the columns (the first 5,000), to compare a wrong name with; returns their number. */
size_t column_names(const sooth_csv *csv, const char ***names);

/* Dies because a column that must hold numbers holds text. */
void column_is_text(const char *path, const sooth_csv *csv, size_t column) NEVER_RETURNS;

/* Dies because a cell is beyond the numbers of a float. takes_names: the command has --categorical. */
void cell_is_infinite(const char *path, const char *bytes, size_t size, const sooth_csv *csv, size_t row,
                      size_t column, int takes_names) NEVER_RETURNS;

/* Returns the text of cell (row, column), or its number as text; NULL if the cell is empty. For columns that
   names_given lists, it is the text in the file. */
const char *text_of_cell(const sooth_csv *csv, size_t row, size_t column,
                         char number[SOOTH_TEXT_NUMBER_SIZE]);

/* Returns a number for each row, equal where the names in this column are, in memory of their own; NaN for
   missing names. */
float *names_in(const sooth_csv *csv, size_t column);

/* Returns true if no cell of the row has a value. */
int is_blank_row(const sooth_csv *csv, size_t row);

/* Returns options for csv_read: the columns that these flags name, and the usual ones, hold names. Words are
   separated by blanks. */
sooth_csv_options names_given(const arguments *args, const char *flags, const char *usual);

/* Returns the index of the column that --flag names. Dies if it is missing, or holds text where `numbers` is
   set. */
size_t column_named(const char *path, const sooth_csv *csv, const char *flag_name, const char *name,
                    int numbers);

/* Returns the index of the column that --flag names, or else of the column called fallback (NULL: none);
   csv->cols if there is neither. Dies as column_named does. */
size_t column_of(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                 const char *fallback, int numbers);

/* Like column_of, but dies if there is neither. */
size_t column_needed(const arguments *args, const char *path, const sooth_csv *csv, const char *flag_name,
                     const char *fallback, int numbers);

/* Returns the columns that the values of --flag name, in memory of their own. A value is the name of one
   column as it stands, or a list. The caller checks that the columns exist. */
char **columns_named(const arguments *args, const char *flag_name, const sooth_csv *csv, size_t *count);

/* False for NaN and for the greatest float, which stands for values that overflow. */
static inline int is_prediction(float v) { return v > -FLT_MAX && v < FLT_MAX; }

/* Writes zero + value with the digits of both; all digits of a zero from 2^53 on, and then an integer. */
void text_from(double zero, float value, char text[SOOTH_TEXT_NUMBER_SIZE]);
void put_double(FILE *to, double value);           /* writes the shortest exact text; nothing for NaN */
int ascending(const void *a, const void *b);       /* compares doubles, for qsort */
double median_sorted(double *value, size_t count); /* sorts the values; returns NaN if there is none */

typedef struct weighed {
    double value, weight;
} weighed;
/* Returns the weighted median: half of the weight lies below it; the mean of two values that share the
   middle. Sorts the values and moves those without weight to the end. Returns NaN if none has weight. */
double median_weighed(weighed *all, size_t count);

/* ---- levels.c ---- */

/* The values of one knob, ascending if given as a count or a range. */
typedef struct levels {
    double *value;
    uint32_t count;
} levels;

/* Reads "24" (1 to 24), "1200:2400:100" (from, to, step) or "1/2/4/8"; dies with BAD_USE. */
levels levels_read(const char *flag_name, const char *text);

/* ---- derive.c ---- */

/* A column derived from a column of dates. Its name, such as "when:hour" or "start@unix:weekday", describes
   it completely, so a model keeps it as the name of a feature. */
typedef struct derived {
    char *name;  /* in the derived table */
    size_t from; /* source column in the file */
    int form;    /* of the cells: an instant_form */
    size_t part; /* see instant.h */
} derived;

/* The columns derived from one file, and the state while its bytes are extended. */
typedef struct deriving {
    const char *path;
    size_t count, cols; /* of `column`; columns of the file */
    derived *column;
    char separator, decimal;
    size_t header_line, unit_line; /* as in sooth_csv */
    size_t *zoned, *unzoned; /* per column of the file: first line with and without a time zone; 0: none */
    size_t short_rows, first_short; /* as in sooth_csv */
    const sooth_csv_file *file;     /* the original bytes */
    struct derive_work *work;
} deriving;

/* Reads --derive for a file with these columns; count is 0 without it. Dies if the flag is invalid. */
void derive_read(const arguments *args, const char *path, const sooth_csv *csv, deriving *all);

/* Adds the derived column of this name. Returns 0 if the name is not one of a derived column, or if the file
   lacks its source. */
int derive_add(const char *path, const sooth_csv *csv, const char *name, deriving *all);

/* Returns the bytes with the columns after each row, in memory of their own. Dies at the first cell that is
   not a date, with its line and column. */
char *derive_bytes(deriving *all, const char *bytes, size_t size, size_t *made);

/* Like derive_bytes, for a file that is read in parts. */
sooth_csv_file derive_file(deriving *all, const sooth_csv_file *file);

/* Prints the names of the derived columns, "when:hour, when:weekday". */
void derive_note(const deriving *all, FILE *to);
void derive_json(const deriving *all, json *j);

/* Prints a line if this feature is a derived column. */
void derive_explain(const char *feature, FILE *to);

/* Returns the column called name[0..length), which may end in @unix, @dmy or @mdy; SOOTH_NONE if there is
   none. */
size_t dated_column(const sooth_csv *csv, const char *name, size_t length, instant_form *form);

/* Returns true if a column is derived from this column of the file. */
int derive_uses(const deriving *all, size_t column);

/* ---- digits.c ---- */

/* A column of the file whose cells the conversion to float merges. */
typedef struct digits_column {
    size_t column, at;               /* in the file; in digits.value */
    double zero;                     /* a number in the middle of most merged ones */
    size_t numbers, floats, centred; /* different numbers in the file, as floats, as floats from zero */
    int whole;                       /* all are integers */
    int near;                        /* most merged numbers are near each other: subtracting zero helps */
    size_t rows;                     /* counted: the first rows; 0 means all */
} digits_column;

typedef struct digits {
    size_t count, stride;
    digits_column *column;
    double *value; /* [row of the CSV][stride]: cell minus zero */
    int used;      /* a column counts from its zero */
} digits;

/* Finds them among some columns of a file (NULL: among all). The bytes are those that csv was read from. */
void digits_find(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, digits *found);

/* Reports them on stderr, with what to do. */
void digits_tell(sooth_env *env, const char *path, const sooth_csv *csv, const char *bytes, size_t size,
                 const size_t *columns, size_t count, const char *cure);

/* Returns the entry of a column of the file, or NULL. */
const digits_column *digits_of(const digits *found, size_t column);

/* Prints the line of a note: what is merged, and the number it is counted from or the cure. */
void digits_print(const digits_column *c, const char *name, int is_centred, FILE *to);

/* Returns a sentence about the first of these columns in which two texts of the first rows are one number,
   such as 3.1 and 3.10, or 7 and 007; "" if there is none. The bytes are those that csv was read from. */
const char *digits_hint(const sooth_csv *csv, const char *bytes, size_t size, const uint32_t *column,
                        size_t count);

/* Returns true if a word of the name is one that identifiers have: "job_id", "JobID", "row". */
int is_named_like_identifier(const char *name);

/* Returns true if the column holds another integer in each row and is named like an identifier. */
int is_identifier(const sooth_csv *csv, size_t column, const digits *found);

/* ---- data.c ---- */

enum { MOST_LISTED = 6 }; /* columns that a note names */

/* A CSV file and the roles of its columns. */
typedef struct data {
    const char *path;
    sooth_csv csv;
    sooth_csv_data chosen;
    sooth_table table;                  /* rows to learn from, with names, group and weight as requested */
    uint32_t *line;                     /* of each row of the table in the file */
    uint32_t *row;                      /* of each row of the table in the CSV */
    const char **target, **target_unit; /* table.targets of them */
    const char *group;                  /* name of the column, or "a or b" of several; NULL: none */
    const char *weight;                 /* name of the column; NULL: none */
    const char *hint;                   /* a sentence about features that may be names, or "" */
    size_t *group_column, group_columns;
    sooth_groups bags;       /* groups of each row if there are several such columns; else offset is NULL */
    uint32_t groups;         /* distinct groups in the table */
    const char **group_name; /* of each */
    instant_form time_form;  /* how --time writes dates */
    size_t dropped_missing;  /* rows left out by --drop-missing */
    size_t repeated;         /* rows that repeat all features of an earlier row */
    uint32_t *first;         /* per row: first row with the same features */
    sooth_levels *levels;    /* of the categorical features, whose codes the table holds; NULL: none */
    deriving made;           /* the last columns of csv */
    digits digits;           /* columns that floats merge */
    const char *time_name;   /* column of --time; NULL: none */
    uint32_t *time;          /* per row: its place in this order, equal for equal times; NULL: no --time */
    int takes_quantiles;     /* the command fits several quantiles of one target */
    double *quantile;        /* per target: its quantile, of several of one target; NULL: none */
    double *zero;            /* per feature, then per target: what its numbers count from; NULL: all are 0 */
} data;

/* Roles whose columns data_open may count from another number than 0, if floats merge them. */
enum { CENTRE_NONE = 0, CENTRE_FEATURES = 1, CENTRE_TARGETS = 2 };

/* Read a file, or its bytes, as CSV; die on errors. options may be NULL; its names are columns, or lists of
   columns, which the file may lack. Call header_note. */
void csv_open(sooth_env *env, const char *path, const sooth_csv_options *options, sooth_csv *csv);
void csv_read(sooth_env *env, const char *path, const char *bytes, size_t size,
              const sooth_csv_options *options, sooth_csv *csv);

/* Prints a line on stderr if the header of the file has only numbers, or if another line may be it. */
void header_note(const char *path, const sooth_csv *csv);

/* Like csv_read, without header_note. */
void csv_read_any(sooth_env *env, const char *path, const char *bytes, size_t size,
                  const sooth_csv_options *options, sooth_csv *csv);

/* Makes these columns of a table that was read from the bytes columns of names; SOOTH_NONE is no column.
   Reads the bytes again if that changes anything. */
void csv_name(sooth_env *env, const char *path, const char *bytes, size_t size,
              const sooth_csv_options *options, const size_t *column, size_t count, sooth_csv *csv);

/* Reads the columns that --target, --features, ... name as a valid table to learn from; dies if it is not.
   centre: a sum of CENTRE_. */
void data_open(sooth_env *env, const arguments *args, int centre, data *d);

/* Returns what target t counts from. */
double target_zero(const data *d, size_t t);

/* Returns the names of features, extended by derived columns that have no other role. Returns none if
   `features` names none. */
char **with_derived(const data *d, char **features, size_t *count, const sooth_csv_table_options *choice);

const char *targets_text(const data *d); /* "Power [W]", or "a and b" */

int is_category(const sooth_levels *levels, size_t feature); /* levels may be NULL */

/* Prints the separator of the columns unless it is a comma, and the number of comments. */
void dialect_note(const sooth_csv *csv, FILE *to);

/* Prints how columns are written if not as plain numbers, and which of their missing cells are words such as
   [N/A]. NULL stands for all columns. */
void forms_note(const sooth_csv *csv, const uint32_t *column, size_t count, FILE *to);

/* Prints how many cells of a column of names are missing although they hold a word, such as NA. */
void words_note(const sooth_csv *csv, size_t column, FILE *to);

/* Returns why a column is text: its first such cell and the number of cells that are numbers; "" if most are
   texts. */
const char *text_reason(const sooth_csv *csv, size_t column);

/* Prints a line each for rows left out, missing cells, repeated rows and categories; nothing for the rest. */
void data_notes(const data *d, FILE *to);
void data_json(const data *d, json *j);

/* Dies because the dictionary of the categories could not be made. */
void levels_failed(const char *path, sooth_status status, const sooth_env *env) NEVER_RETURNS;

/* Dies with the line of the row that the library refuses: "row 7 has the target -5, but ...", "row 7 has a
   missing value in x". The library counts the rows that it was given, perhaps those of a fold, so a row of
   d is found by what it has. Returns if there is none. cure: of missing values. */
void refuse_row(const data *d, const char *model, const char *sentence, const char *cure);

/* Dies because fitting a model to d, or to some of its rows, failed. */
void learn_failed(const data *d, const char *model, sooth_status status, const sooth_env *env) NEVER_RETURNS;

/* The flags of every command that learns from a table. */
#define DATA_FLAGS                                                                                           \
    {"target", 't', "A,B,...",                                                                               \
     "columns to predict; one model predicts all of them. In a list, put a name that holds a comma in "      \
     "double quotes",                                                                                        \
     1},                                                                                                     \
        {"features", 'f', "A,B,...",                                                                         \
         "columns to predict from; default all numeric columns. Text columns are categories", 1},            \
        {"categorical", 0, "A,B,...",                                                                        \
         "more features whose levels have no order (a user, an operator, a device, a version). A level is "  \
         "the text of its cell: 3.10 and 3.1 are two",                                                       \
         1},                                                                                                 \
        {"levels", 0, "BYTES",                                                                               \
         "space for the names of levels in the model; default 65536. The rarest levels are left out first",  \
         0},                                                                                                 \
        {"drop", 'd', "A,B,...", "columns that are not features", 1},                                        \
        {"group", 'g', "A,B,...",                                                                            \
         "column that names the program (benchmark, job, user, ...) of a row. A name is the text of its "    \
         "cell: 007 and 7 are two programs. With several "                                                   \
         "columns (a program and its neighbour), a row belongs to every program that they name; leaving a "  \
         "program out leaves out every row that names it",                                                   \
         0},                                                                                                 \
        {"derive", 0, "COLUMN:PART,...",                                                                     \
         "derive features from a column of dates. Parts: year, month, day, yearday, weekday (0 Monday), "    \
         "hour, minute, epoch. hour-circle, weekday-circle and yearday-circle make two features each, sine " \
         "and cosine. Dates are ISO 8601 (2024-02-29 or 2024-02-29T13:05:59Z) or 2024/02/29; the hour is "   \
         "that of the clock as written. COLUMN@unix:PART reads seconds since 1970, COLUMN@dmy:PART dates "   \
         "with the day first (29/02/2024 13:05, 29.2.2024), COLUMN@mdy:PART with the month first. The "      \
         "model "                                                                                            \
         "keeps the rule, and sooth predict applies it",                                                     \
         1},                                                                                                 \
        {"weight", 'w', "COLUMN", "weight of each row", 0}, {                                                \
        "drop-missing", 0, NULL, "leave out rows with missing features", 0                                   \
    }

/* The flag of commands that test in the order of time. */
#define TIME_FLAG                                                                                           \
    {                                                                                                       \
        "time", 0, "COLUMN",                                                                                \
            "column of times, numbers or dates (COLUMN@dmy if the day is first): each fold learns from "    \
            "earlier rows and is tested on later ones, in place of folds at random. Rows of one time stay " \
            "together. The column is no feature "                                                           \
            "unless --features names it. With --group, whole programs are left out as well, at any time",   \
            0                                                                                               \
    }

/* ---- append.c ---- */

/* A table as it was read, to which columns are appended. */
typedef struct table_file {
    const char *text; /* the original bytes */
    size_t size;
    sooth_csv csv;
    int has_header;
    size_t derived; /* number of last columns of csv that the file does not have: see derive.c */
} table_file;

/* A column to append: numbers, counts or texts, `stride` items from one row to the next. */
typedef struct addition {
    const char *stem; /* its name, which gets a number if the file has such a column */
    const float *number;
    size_t stride;
    const uint32_t *count;
    const char *const *text;
    double zero;      /* what the numbers count from */
    const char *unit; /* "" or NULL: none */
} addition;

const char *stem_of(const char *what, const char *target); /* "predicted_Power" */

/* Returns the end of the cell that begins at `at`: a separator, a line end or `end`. Adds the line ends
   inside its quotes to *lines. The rules are those of sooth/csv.h. */
const char *cell_end(const char *at, const char *end, char separator, size_t *lines);

/* Returns the text of a cell in the bytes that csv was read from, without quotes and blanks around it, in
   memory of its own. */
const char *cell_in_file(const char *bytes, size_t size, const sooth_csv *csv, size_t row, size_t column);

/* Writes every row of the file unchanged, followed by the columns, with the file's separator, decimal mark
   and line ends. The new cells are empty in rows without any value, unless the table has these. Comments are
   not written. All threads of env write; NULL: one. */
void table_append(sooth_env *env, const table_file *file, const char *path, const addition *add, size_t count,
                  FILE *to);

/* Writes the header and these rows of the file unchanged, in this order. */
void table_pick(const table_file *file, const char *path, const size_t *row, size_t count, FILE *to);

/* `sooth ptx` names the device in this column. If all rows that a model learns from name the same device,
   `sooth fit` ends the card's note with it, and `sooth ptx --predict` reads it there. */
#define GPU_COLUMN "gpu"
#define GPU_NOTE "gpu: "

#endif /* CLI_TABLE_H */
