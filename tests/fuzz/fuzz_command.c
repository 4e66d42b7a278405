/* fuzz_command.c - the command on files of any bytes: dates, logs of jobs, operators, settings, measurements,
 * rows for a model. It ends with a code that it may end with, and what it tells steers no terminal.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The first byte of an input chooses the words below; the rest is the file, which stands for each - and %
 * (the second file of commands that take two). Behind ! the command writes a table to the standard output,
 * whose cells are the file's own. Everything is the command's own code in this very process, but its memory
 * is handed back and its streams are closed after each input, its end is that of one input, and what it says
 * is only looked at (build.sh renames malloc and the like). The models are those of tests/kept.
 */
#define _GNU_SOURCE /* fopencookie */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sooth/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int command_run(int count, char **words);
void *fuzz_malloc(size_t size);
void *fuzz_calloc(size_t count, size_t size);
void *fuzz_realloc(void *memory, size_t size);
void fuzz_free(void *memory);
char *fuzz_strdup(const char *text);
FILE *fuzz_fopencookie(void *user, const char *mode, cookie_io_functions_t functions);
void fuzz_exit(int code) __attribute__((noreturn));
extern FILE *fuzz_stderr;
FILE *fuzz_stderr;

#define KEPT "tests/kept/0.0.100/"
#define PTX "tests/golden/ptx/"

/* Words apart by blanks. */
static const char *const lines[] = {
    "validate - --target y --derive when:hour,weekday-circle,epoch --model linear,tree --folds 2 --group g",
    "validate - --target y --derive at@unix:month,yearday,minute --model linear --folds 2 --repeats 1",
    "validate - --target y --categorical c --model tree --folds 2 --weight w --repeats 1",
    "validate - --target y --model linear --group g --folds 2 --page /dev/null --force",
    "fit - --target y --derive when:hour-circle,day --model tree --folds 0 -o /dev/null",
    "fit % --target y --derive when:year --features threads,GHz --memory 64M --model linear -o /dev/null",
    "fit - --target y --categorical c --encode native --model boost --set n_estimators=3 -o /dev/null",
    "fit - --target y --model tree --interval 0.6 --group g -o /dev/null",
    "fit - --target y --model tree --tune random --trials 2 --inner 2 --outer 0 -o /dev/null",
    "replay - --page /dev/null --force",
    "replay - --predict requested,last2,perfect --correct steps --json -o /dev/null",
    "!gpu time --csv - --gpu h100",
    "gpu time --csv - --measured % -o /dev/null",
    "gpu network - --gpu t4,h100",
    "gpu network - --json",
    "!gpu %",
    "!gpu h100 --latency -",
    "!next - --target y --features threads,GHz --count 3",
    "next - --target y --features threads,GHz --prior %,% --measured % --count 2 --json -o /dev/null",
    "!next " KEPT "linear_adapts.sooth - --measured % --count 2",
    "!predict " KEPT "tree.sooth - --features threads,GHz,speed,misses",
    "predict " KEPT "levels_codes.sooth - --features c,threads,speed -o /dev/null",
    "predict " KEPT "linear_adapts.sooth - --json -o /dev/null",
    "explain " KEPT "forest.sooth - --page /dev/null --force",
    "explain " KEPT "tree.sooth - --row 2",
    "!adapt " KEPT "linear_adapts.sooth % -",
    "correlate - --target y --group g --limit 0.8",
    "cluster - --group g --clusters 2",
    "card make - --here threads --there GHz -o /dev/null",
    "card compare % %",
    "!fairness - --cards % --tasks a,b --thresholds terciles",
    "slowdown fit - --events a,b,c,d,e,f,g,h --set epochs=2 -o /dev/null",
    "allocate - --units 6",
    "scale - --threads threads --frequency GHz --time y --power speed --page /dev/null --force",
    "scale - --axes threads:count,GHz:frequency --time y --power speed --json",
    "sample sobol --table - --dims 3 --points 8",
    "import - -o /dev/null",
    "!ptx " PTX "nested.ptx --launches - --gpu t4",
    "!describe -",
};
enum { LINES = sizeof lines / sizeof lines[0], MOST_WORDS = 32, MOST_FILES = 16, MOST_STREAMS = 16 };

/* ---- the memory of one input ---- */

typedef union piece {
    struct {
        union piece *before, *after;
        size_t size;
    } is;
    long double aligned[2];
} piece;
static piece pieces; /* a ring */

void *fuzz_malloc(size_t size) {
    piece *p = size < SIZE_MAX / 2 ? (piece *)malloc(sizeof *p + size) : NULL;
    if (!p) return NULL;
    p->is.size = size;
    p->is.before = &pieces;
    p->is.after = pieces.is.after;
    p->is.after->is.before = pieces.is.after = p;
    return p + 1;
}

void *fuzz_calloc(size_t count, size_t size) {
    void *memory = size && count > SIZE_MAX / size ? NULL : fuzz_malloc(count * size);
    if (memory) memset(memory, 0, count * size);
    return memory;
}

void fuzz_free(void *memory) {
    if (!memory) return;
    piece *p = (piece *)memory - 1;
    p->is.before->is.after = p->is.after;
    p->is.after->is.before = p->is.before;
    free(p);
}

void *fuzz_realloc(void *memory, size_t size) {
    void *larger = fuzz_malloc(size);
    if (!memory || !larger) return larger;
    const size_t had = ((piece *)memory)[-1].is.size;
    memcpy(larger, memory, had < size ? had : size);
    fuzz_free(memory);
    return larger;
}

char *fuzz_strdup(const char *text) {
    char *copy = (char *)fuzz_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

/* ---- the streams of one input ---- */

/* Where the command ends early, what it opened stays in libc's list, and what it had not written yet would go
   to a stack and memory that are no more when the process ends: after an input they take nothing. */
typedef struct {
    FILE *stream; /* or NULL */
    void *user;
    cookie_write_function_t *write;
} opened;
static opened streams[MOST_STREAMS];
static int is_over; /* the input at hand */

static ssize_t write_on(void *stream, const char *bytes, size_t size) {
    const opened *o = (const opened *)stream;
    return is_over ? (ssize_t)size : o->write(o->user, bytes, size);
}

static int close_one(void *stream) {
    ((opened *)stream)->stream = NULL;
    return 0;
}

FILE *fuzz_fopencookie(void *user, const char *mode, cookie_io_functions_t functions) {
    const cookie_io_functions_t own = {NULL, write_on, NULL, close_one};
    opened *o = streams;
    while (o->stream && o < streams + MOST_STREAMS - 1) ++o;
    if (o->stream || functions.read || functions.seek || functions.close) abort();
    o->user = user;
    o->write = functions.write;
    return o->stream = fopencookie(o, mode, own);
}

static void close_streams(void) {
    is_over = 1;
    for (opened *o = streams; o < streams + MOST_STREAMS; ++o)
        if (o->stream) fclose(o->stream);
    is_over = 0;
}

/* ---- one input ---- */

static jmp_buf ended;
static int code; /* that it ended with */
static char file_path[64];
static int first_file; /* of those that a command opens */
static FILE *heard;    /* the command's stdout */
static int has_table;  /* of the line at hand: it writes a table to stdout */

/* What stdout and stderr get. */
static ssize_t hear(void *stream, const char *text, size_t size) {
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < size && (stream || !has_table); ++i)
        if ((c[i] < 0x20 && c[i] != '\n') || c[i] == 0x7F ||
            (i && c[i - 1] == 0xC2 && c[i] >= 0x80 && c[i] < 0xA0))
            abort();
    return (ssize_t)size;
}

void fuzz_exit(int with) {
    code = with;
    longjmp(ended, 1);
}

/* The standard input is a file that is written anew for each input. */
static void begin(void) {
    static int errors;
    const cookie_io_functions_t ear = {NULL, hear, NULL, NULL};
    FILE *file = tmpfile();
    if (!file || dup2(fileno(file), STDIN_FILENO) < 0) abort();
    heard = fopencookie(NULL, "w", ear);
    fuzz_stderr = fopencookie(&errors, "w", ear);
    if (!heard || !fuzz_stderr) abort();
    snprintf(file_path, sizeof file_path, "/dev/fd/%d", STDIN_FILENO);
    pieces.is.before = pieces.is.after = &pieces;
    first_file = dup(STDIN_FILENO);
    close(first_file);
}

static void put_file(const uint8_t *data, size_t size) {
    if (ftruncate(STDIN_FILENO, 0) != 0 || pwrite(STDIN_FILENO, data, size, 0) != (ssize_t)size ||
        lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        abort();
}

/* The words of a line; % becomes the path of the file, alone or in a list. */
static int words_of(const char *line, char *text, size_t room, char **words) {
    int count = 0;
    size_t n = 0;
    for (words[count++] = text; *line && n + sizeof file_path < room; ++line) {
        if (*line == '%') n += (size_t)snprintf(text + n, room - n, "%s", file_path);
        else text[n++] = *line == ' ' ? 0 : *line;
        if (*line == ' ' && count < MOST_WORDS) words[count++] = text + n;
    }
    text[n] = 0;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char sooth[] = "sooth";
    FILE *const own = stdout;
    char text[1024], *words[MOST_WORDS + 1];
    int count;
    if (!file_path[0]) begin();
    if (size == 0) return 0;
    put_file(data + 1, size - 1);
    const char *line = lines[data[0] % LINES];
    has_table = *line == '!';
    words[0] = sooth;
    count = 1 + words_of(line + has_table, text, sizeof text, words + 1);
    stdout = heard;
    if (setjmp(ended) == 0) code = command_run(count, words);
    fflush(heard);
    fflush(fuzz_stderr);
    stdout = own;
    if (code < 0 || code > 2) abort(); /* done, bad input, bad use */
    close_streams();
    while (pieces.is.after != &pieces) fuzz_free(pieces.is.after + 1);
    for (int k = 0; k < MOST_FILES; ++k) close(first_file + k);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
