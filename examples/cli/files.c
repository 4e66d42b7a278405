/* files.c - how the program ends and what it shows meanwhile; whole files in, all or nothing out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- progress ---- */

static int bar_is_shown;

/* "12 s left", once that can be told. */
static const char *time_left(const char *stage, double done) {
    static const char *last_stage;
    static time_t start;
    static char text[32];
    const time_t now = time(NULL);
    if (stage != last_stage) start = now;
    last_stage = stage;
    text[0] = 0;
    if (now < start + 3 || !(done > 0.02)) return text;
    double left = difftime(now, start) * (1.0 - done) / done;
    if (left < 100) snprintf(text, sizeof text, "%.0f s left", left);
    else if (left < 6000) snprintf(text, sizeof text, "%.0f min left", left / 60);
    else snprintf(text, sizeof text, "%.1f h left", left / 3600);
    return text;
}

void progress_show(const char *stage, double done) {
    static int last = -1;
    static const char *last_stage;
    int filled = (int)(done * 30.0 + 0.5), percent = (int)(done * 100.0 + 0.5);
    if (!isatty(STDERR_FILENO) || (percent == last && stage == last_stage)) return;
    last = percent;
    last_stage = stage;
    bar_is_shown = 1;
    fprintf(stderr, "\r%-20.20s [%.*s%*s] %3d%% %-14s", stage, filled < 30 ? filled : 30,
            "##############################", filled < 30 ? 30 - filled : 0, "", percent,
            time_left(stage, done));
    fflush(stderr);
}

void progress_clear(void) {
    if (bar_is_shown) fprintf(stderr, "\r%75s\r", "");
    bar_is_shown = 0;
}

int on_progress(void *user, const char *stage, double done) {
    (void)user;
    progress_show(stage, done);
    return 0;
}

/* ---- the end of the program ---- */

static const char *program = "sooth";

/* The file being written, under a name of its own beside the final one. The signal handler reads it; it is
   empty when there is none. */
enum { MOST_PATH = 4096 };
static char temporary[MOST_PATH + 32];
static volatile sig_atomic_t writing;

void set_program(const char *name) {
    static char text[64];
    snprintf(text, sizeof text, "sooth %.50s", name);
    program = text;
}

static void drop_temporary(void) {
    if (writing) unlink(temporary);
    writing = 0;
}

void die(int code, const char *format, ...) {
    char text[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (size_t i = 0; text[i]; ++i) /* names from a file must not steer the terminal */
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) text[i] = '?';
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program, text);
    drop_temporary();
    exit(code);
}

void die_of(sooth_status status, const sooth_env *env) {
    const char *sentence = env && env->sentence[0] ? env->sentence : sooth_status_text(status);
    die(status == SOOTH_BAD_ARGUMENT ? BAD_USE : BAD_INPUT, "%s", sentence);
}

/* Only calls that a signal handler may make. */
static void on_signal(int number) {
    static const char text[] = "\ninterrupted; nothing was written\n";
    if (writing) unlink(temporary);
    if (number == SIGINT && write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(INTERRUPTED);
    _exit(128 + number);
}

void catch_signals(void) {
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i) {
        action.sa_handler = on_signal;
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN; /* a file-size limit is then an ordinary error of write */
    sigaction(SIGXFSZ, &action, NULL);
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) die(BAD_INPUT, "no memory for %zu pieces of %zu bytes", count, size);
    return memory;
}

/* ---- reading ---- */

char *read_file(const char *path, size_t *size) {
    int from_stdin = strcmp(path, "-") == 0;
    FILE *file = from_stdin ? stdin : fopen(path, "rb");
    struct stat about;
    char *text = NULL;
    size_t capacity = 0, n = 0;
    if (!file) die(BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (fstat(fileno(file), &about) == 0) {
        if (S_ISDIR(about.st_mode)) die(BAD_INPUT, "cannot read %s: it is a folder", path);
        if (S_ISREG(about.st_mode) && about.st_size > 0) capacity = (size_t)about.st_size + 1;
    }
    for (;;) {
        if (n + 1 >= capacity || !text) {
            if (text || capacity == 0) capacity = capacity < 65536 ? 65536 : capacity + capacity / 2;
            char *larger = (char *)realloc(text, capacity);
            if (!larger) die(BAD_INPUT, "no memory to read %s (%zu bytes so far)", path, n);
            text = larger;
        }
        size_t got = fread(text + n, 1, capacity - n - 1, file);
        n += got;
        if (got == 0) break;
    }
    if (ferror(file)) die(BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (!from_stdin) fclose(file);
    text[n] = 0;
    *size = n;
    return text;
}

/* Whether `text` stands somewhere in the first bytes of a file. */
static int holds(const char *bytes, size_t size, const char *text) {
    const size_t length = strlen(text);
    for (size_t at = 0; at + length <= size && at < 4096; ++at)
        if (memcmp(bytes + at, text, length) == 0) return 1;
    return 0;
}

const char *binary_format(const char *bytes, size_t size) {
    static const struct {
        const char *magic, *name;
    } known[] = {{"PK\003\004", "a zip archive; unpack it"},
                 {"\037\213", "compressed by gzip; unpack it"},
                 {"BZh", "compressed by bzip2; unpack it"},
                 {"\3757zXZ", "compressed by xz; unpack it"},
                 {"(\265/\375", "compressed by zstd; unpack it"},
                 {"PAR1", "a Parquet file; save it as CSV"},
                 {"\320\317\021\340", "an old Excel workbook (.xls); save the sheet as CSV UTF-8"},
                 {"SOTH", "a model of sooth; a table of data belongs here"}};
    if (!memchr(bytes, 0, size)) return NULL;
    if (size > 4 && memcmp(bytes, known[0].magic, 4) == 0) {
        if (holds(bytes, size, "[Content_Types]") || holds(bytes, size, "xl/"))
            return "an Excel workbook (.xlsx); save the sheet as CSV UTF-8";
        if (holds(bytes, size, "opendocument.spreadsheet"))
            return "an OpenDocument spreadsheet (.ods); save the sheet as CSV";
    }
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
        if (size > strlen(known[k].magic) && memcmp(bytes, known[k].magic, strlen(known[k].magic)) == 0)
            return known[k].name;
    return NULL;
}

/* ---- writing ---- */

static FILE *output;
static char output_path[MOST_PATH];
static int output_is_plain; /* stdout, a device, a pipe: written as it comes */
static int output_replaces; /* --force */

static void refuse_inputs(const char *path, const struct stat *about, const char *const *inputs,
                          size_t count) {
    struct stat other;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(inputs[i], "-") != 0 && stat(inputs[i], &other) == 0 && other.st_dev == about->st_dev &&
            other.st_ino == about->st_ino)
            die(BAD_USE, "%s is an input; name another file for the output", path);
}

/* A new file beside output_path, whose name is its own with a dot before and a number behind; below 0: errno
   says why not. No signal comes between making it and knowing that it must be removed. */
static int open_temporary(void) {
    const char *slash = strrchr(output_path, '/'), *name = slash ? slash + 1 : output_path;
    sigset_t all, before;
    int descriptor = -1, reason = EEXIST;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    for (int k = 0; k < 100 && descriptor < 0 && reason == EEXIST; ++k) {
        snprintf(temporary, sizeof temporary, "%.*s.%.200s.%ld", (int)(name - output_path), output_path, name,
                 (long)getpid() + k * 1000000L);
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        reason = errno;
    }
    writing = descriptor >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return descriptor;
}

FILE *output_open(const char *path, int force, const char *const *inputs, size_t count) {
    struct stat about;
    output_is_plain = output_replaces = 0;
    if (strcmp(path, "-") == 0) {
        output_is_plain = 1;
        return output = stdout;
    }
    if (!*path || strlen(path) >= MOST_PATH)
        die(BAD_USE, "the name of the output is %s", *path ? "too long" : "empty");
    strcpy(output_path, path);
    int there = stat(path, &about) == 0;
    if (there) {
        refuse_inputs(path, &about, inputs, count);
        if (S_ISDIR(about.st_mode)) die(BAD_USE, "%s is a folder; name a file for the output", path);
        if (!S_ISREG(about.st_mode)) {
            output_is_plain = 1;
            output = fopen(path, "wb");
            if (!output) die(BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
            return output;
        }
        if (!force) die(BAD_USE, "%s is there already; --force replaces it", path);
        if (!(about.st_mode & 0222)) die(BAD_INPUT, "cannot write %s: it is write-protected", path);
        output_replaces = 1;
        { /* replace what a link points to, not the link */
            char *real = realpath(path, NULL);
            if (real && strlen(real) < MOST_PATH) strcpy(output_path, real);
            free(real);
        }
    }
    int descriptor = open_temporary();
    if (descriptor < 0) die(BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
    /* the old mode if we may */
    if (output_replaces && fchmod(descriptor, about.st_mode & 07777) != 0) errno = 0;
    output = fdopen(descriptor, "wb");
    if (!output) die(BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
    return output;
}

static void cannot_write(void) {
    die(BAD_INPUT, "cannot write %s: %s", output == stdout ? "the output" : output_path,
        errno ? strerror(errno) : "it failed");
}

void output_close(void) {
    int failed = ferror(output);
    if (output == stdout) {
        if (fflush(stdout) != 0 || failed) cannot_write();
        return;
    }
    failed |= fflush(output) != 0;
    if (!failed && !output_is_plain) failed |= fsync(fileno(output)) != 0 && errno != EINVAL;
    if (failed) cannot_write();
    if (fclose(output) != 0) cannot_write();
    if (output_is_plain) return;
    /* link() does not replace what has appeared meanwhile; where there are no links, rename() */
    if (!output_replaces && link(temporary, output_path) == 0) {
        drop_temporary();
        return;
    }
    if (!output_replaces && errno == EEXIST)
        die(BAD_USE, "%s has appeared meanwhile; --force replaces it", output_path);
    if (rename(temporary, output_path) != 0) cannot_write();
    writing = 0;
}

int finish(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: cannot write the output: %s\n", program, errno ? strerror(errno) : "it failed");
        return BAD_INPUT;
    }
    return DONE;
}

static int write_to_file(void *user, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)user) == size ? 0 : 1;
}

sooth_sink file_sink(FILE *file) {
    sooth_sink sink;
    sink.user = file;
    sink.write_fn = write_to_file;
    sink.failed = 0;
    return sink;
}
