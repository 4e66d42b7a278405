/* app.h - the floor that every command of `sooth` stands on.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The folder holds what any command-line program needs:
 *
 *   system.h   the system by POSIX's names; system.c implements them for Windows
 *   words.c    printable text, lists of names, suggestions for a mistyped word
 *   progress.c a progress bar and the time that is left
 *   files.c    colours, errors, reading whole files, writing all or nothing, signals
 *   print.c    aligned columns, numbers for people, JSON
 *   args.c     the command line: flags by table, lists, help
 *   page.c     a page of HTML with pictures (page.h); looks.h has its style sheet
 *
 * It includes headers of the library and of no other folder. The folders of the command, each of which
 * includes only itself and folders before it: app, table, model; then stats, gpu and jobs, which do not
 * include each other. sooth.c and demo.c use app; sooth.c lists the commands.
 *
 * To add a command: write a file with a `const command x_command` and add its name to the table in sooth.c.
 *
 * Every error ends in die(): one sentence on stderr, no partial file, exit code BAD_INPUT or BAD_USE. The end
 * of the process frees memory.
 */
#ifndef CLI_APP_H
#define CLI_APP_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "sooth/base.h"
#include "sooth/files.h"

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

/* ---- words.c ---- */

/* Returns the candidate that is most similar to `word`, or NULL if none is similar. */
const char *nearest(const char *word, const char *const *candidates, size_t count);

/* Returns "; did you mean x?" for the nearest candidate, or "". */
const char *did_you_mean(const char *word, const char *const *candidates, size_t count);

/* Returns true if the texts differ in the case of ASCII letters only, or not at all. */
int same_but_case(const char *a, const char *b);

/* Replaces control characters, which could steer a terminal, by question marks. */
void tame(char *text);

/* Returns a tamed copy, valid for seven more calls. */
const char *printable(const char *text);

/* Like printable, but in double quotes if the name holds a comma or a quote: the form that lists take. */
const char *listed(const char *name);

/* ---- files.c ---- */

void progress_show(const char *stage, double done); /* draws a bar on stderr if that is a terminal */
void progress_plan(const progress_stage *stage, size_t stages); /* makes them one bar */
void progress_force(void);                                      /* prints lines if it is not */
void progress_clear(void);
int on_progress(void *user, const char *stage, double done); /* progress_show for an env */

/* Returns `code` if `to` is a terminal or --color is always; else "". A non-empty NO_COLOR, and a TERM that
   is empty or "dumb", switch colours off unless --color is always. */
#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[33m"
#define NO_COLOUR "\033[0m"
const char *colour(FILE *to, const char *code);
void colour_set(const char *when); /* the value of --color; dies if it is none of the three */

/* Prints a heading above a table or a list. */
void heading(FILE *to, const char *format, ...) LIKE_PRINTF(2, 3);

/* Prints "sooth NAME: sentence", removes files that are being written and ends the program with `code`. */
void die(int code, const char *format, ...) LIKE_PRINTF(2, 3) NEVER_RETURNS;
/* Like die, with the library's sentence; the code is BAD_USE for SOOTH_BAD_ARGUMENT. */
void die_of(sooth_status status, const sooth_env *env) NEVER_RETURNS;
void set_program(const char *name); /* the name that die() prints */
void catch_signals(void);           /* Ctrl-C and similar signals remove the file being written */

void keep_standard_files(void); /* no file that is opened takes the place of a closed stdout or stderr */

void *allocate(size_t count, size_t size); /* returns zeroed memory or dies */

/* Returns the whole file, or stdin for "-", followed by a zero byte that *size does not count. Dies if it
   cannot be read. If `magic` is not NULL, reads on only if the file begins with it. */
char *read_file(const char *path, const char *magic, size_t *size);

/* Like read_file, by all threads. */
char *read_file_by(sooth_env *env, const char *path, const char *magic, size_t *size);

/* Recognises bytes that are not text by how they begin. Returns what they are and what to do, such as
   "an Excel workbook (.xlsx); save ...", or NULL if they are text or unknown. */
const char *binary_format(const char *bytes, size_t size);

/* Dies if output_open would, except for inputs. Commands call it before the work, so that none is lost. */
void output_check(const char *path, int force);

int ends_in_svg(const char *path); /* true if a drawing goes there; false for NULL */
/* Opens `path` for writing ("-": stdout); nothing appears under its name before output_close. Dies if the
   path is one of `inputs`, exists without `force`, or cannot be written. */
FILE *output_open(const char *path, int force, const char *const *inputs, size_t count);
void output_close(void);

/* Like output_open for the bytes of a model. If the path is "-", what is printed from now on goes to stderr.
   Dies if stdout is a terminal then. */
FILE *output_model(const char *path, int force, const char *const *inputs, size_t count);

/* A stream kept in memory until the command has succeeded. */
typedef struct kept {
    FILE *stream;
    char *text;
    size_t size, room;
} kept;
FILE *kept_open(kept *k);
void kept_release(kept *k, FILE *to); /* writes it and closes the stream */

/* Ends a command that printed to stdout. Returns DONE, or BAD_INPUT after a sentence if writing failed. */
int finish(void);

/* ---- print.c ---- */

/* Cells printed in aligned columns: the first columns to the left, the others to the right. */
typedef struct grid {
    char **cell;
    size_t cells, capacity;
    size_t cols;
    size_t left; /* number of columns aligned to the left */
} grid;

void grid_init(grid *g, size_t cols, size_t left);
void grid_add(grid *g, const char *format, ...) LIKE_PRINTF(2, 3);
void grid_print(grid *g, FILE *to, const char *indent); /* prints the cells and clears them */

/* Formats a number for people: `digits` significant digits, without an exponent if possible. The text is
   valid for eight more calls. */
const char *human(double value, unsigned digits);
const char *shortest(float value); /* the shortest text that reads back to the same float */
/* Like human, with as many decimals as human(like, digits) has. */
const char *human_like(double value, double like, unsigned digits);
const char *counted(size_t count, const char *one, const char *many); /* "1 row", "12 rows" */
const char *plus_minus(void); /* the sign in UTF-8, or "+-" if the locale is not UTF-8 */

/* A JSON text that is written item by item. Elements of an array have the key NULL. */
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
void json_number(json *j, const char *key, double value); /* writes null for NaN and infinity */
void json_float(json *j, float value); /* writes an element of an array, in the shortest form */
void json_count(json *j, const char *key, size_t value);

/* ---- args.c ---- */

typedef struct flag {
    const char *name;  /* --name */
    char letter;       /* -l, or 0 */
    const char *value; /* name of its value in the help; NULL: a switch without a value */
    const char *help;
    int many; /* may be given more than once */
} flag;

/* Flags that several commands have, and the end of a table of flags. */
#define FORCE_FLAG \
    { "force", 0, NULL, "replace the file if it exists", 0 }
#define JSON_FLAG \
    { "json", 0, NULL, "write JSON", 0 }
#define THREADS_FLAG \
    { "threads", 'j', "N", "use N threads; default 1. Results are bit-identical for any N", 0 }
#define SECTION(words) \
    { "", 0, NULL, words, 0 } /* no flag: a heading above those that follow in the help */
#define LAST_FLAG \
    { NULL, 0, NULL, NULL, 0 }

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *summary; /* one line, for the list of commands */
    const char *usage;   /* follows "sooth NAME" */
    size_t least, most;  /* number of words that are not flags */
    const char *text;    /* paragraphs */
    const char *example;
    const flag *flags; /* ends with a NULL name */
    int (*run)(const arguments *args);
} command;

enum { MOST_ARGUMENTS = 256 };

struct arguments {
    const command *command;
    int (*run_words)(int count, char **words); /* runs another command of this program */
    const char *word[MOST_ARGUMENTS];          /* words that are not flags */
    size_t words;
    const flag *given[MOST_ARGUMENTS]; /* flags in their order, with their values */
    const char *value[MOST_ARGUMENTS];
    size_t givens;
};

/* Fills args from the words after "sooth NAME", or dies with BAD_USE. Returns 0 if help is requested. */
int arguments_read(arguments *args, const command *c, int count, char **words);

/* Returns the value of a flag, or NULL if it is not given. */
const char *arguments_text(const arguments *args, const char *name);
int arguments_has(const arguments *args, const char *name);

/* Dies if a file that a flag names cannot be written, or if two flags name the same file. */
void arguments_outputs(const arguments *args);

/* Reads the value as a share, 0.5 to 0.99. */
double share_read(const arguments *args, const char *name, double fallback);
/* Reads the value as an integer in a range, or as a number in a range. */
uint32_t arguments_count(const arguments *args, const char *name, uint32_t fallback, uint32_t least,
                         uint32_t most);
double double_read(const arguments *args, const char *name, double fallback, double least, double most);

/* Returns the values of every --name, split as split_list does; *count of them, in memory of their own. */
char **arguments_list(const arguments *args, const char *name, size_t *count);

/* Splits a copy of text at commas and drops blanks around the pieces. As in CSV, a piece in double quotes may
   hold commas, and "" in it means one quote. */
char **split_list(const char *text, size_t *count);

/* Returns an env with --threads threads, and with a progress bar if stderr is a terminal. */
sooth_env *env_open(const arguments *args);

/* Calls the task for each item below count, by all threads of env; NULL: by one. */
void in_parallel(sooth_env *env, size_t count, sooth_task *task, void *arg);

void wrapped(FILE *to, const char *text, size_t indent); /* at 92 columns, continuation lines indented */
void help_command(FILE *to, const command *c);

#endif /* CLI_APP_H */
