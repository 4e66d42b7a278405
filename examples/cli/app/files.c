/* files.c - colours and the end of the program; reading whole files, writing all or nothing.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* fopencookie */
#endif
#include "app.h"
#include "progress.h"

#include <stdarg.h>

#include "system.h"

/* ---- progress ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static progress shown; /* a bar, if stderr is a terminal */

static void shown_open(void) {
    if (shown.to) return;
    shown.to = stderr;
    shown.clock = seconds;
    shown.form = isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_NONE;
}

void progress_force(void) {
    shown_open();
    if (shown.form == PROGRESS_NONE) shown.form = PROGRESS_LINES;
}

void progress_show(const char *stage, double done) {
    shown_open();
    progress_step(&shown, stage, done);
}

void progress_plan(const progress_stage *stage, size_t stages) {
    shown_open();
    progress_follow(&shown, stage, stages);
}

void progress_clear(void) { progress_end(&shown); }

int on_progress(void *user, const char *stage, double done) {
    (void)user;
    progress_show(stage, done);
    return 0;
}

/* ---- colours ---- */

static int colours = -1; /* 1: always, 0: never, -1: on terminals */

void colour_set(const char *when) {
    static const char *const known[] = {"never", "always", "auto"};
    for (int k = 0; k < 3; ++k)
        if (strcmp(when, known[k]) == 0) {
            colours = k == 2 ? -1 : k;
            return;
        }
    die(BAD_USE, "--color is %s, but must be auto, always or never%s", *when ? when : "empty",
        did_you_mean(when, known, 3));
}

const char *colour(FILE *to, const char *code) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    const int dumb = (no && *no) || !terminal || !*terminal || strcmp(terminal, "dumb") == 0;
    return colours > 0 || (colours < 0 && !dumb && isatty(fileno(to))) ? code : "";
}

void heading(FILE *to, const char *format, ...) {
    va_list list;
    fputs(colour(to, BOLD), to);
    va_start(list, format);
    vfprintf(to, format, list);
    va_end(list);
    fputs(colour(to, NO_COLOUR), to);
}

/* ---- the end of the program ---- */

static const char *program = "sooth";

/* The temporary file that is being written, next to the final one; empty if there is none. The signal handler
   reads it. */
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
    tame(text);
    progress_clear();
    fflush(stdout);
    fprintf(stderr, "%s%s:%s %s\n", colour(stderr, RED), program, colour(stderr, NO_COLOUR), text);
    drop_temporary();
    exit(code);
}

void die_of(sooth_status status, const sooth_env *env) {
    const char *sentence = env && env->sentence[0] ? env->sentence : sooth_status_text(status);
    die(status == SOOTH_BAD_ARGUMENT ? BAD_USE : BAD_INPUT, "%s", sentence);
}

/* Calls only functions that are safe in a signal handler. */
static void on_signal(int number) {
    static const char nothing[] = "\ninterrupted; nothing was written\n", text[] = "\ninterrupted\n";
    const char *message = writing ? nothing : text;
    const size_t size = writing ? sizeof nothing - 1 : sizeof text - 1;
    if (writing) unlink(temporary);
    if (number == SIGINT && write(STDERR_FILENO, message, size) < 0) _exit(INTERRUPTED);
    _exit(128 + number);
}

void catch_signals(void) {
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i) {
        action.sa_handler = on_signal;
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN; /* exceeding a file-size limit then makes write fail like any other error */
    sigaction(SIGXFSZ, &action, NULL);
}

/* If the caller has closed a standard file, the next file opened would get its number, and printed text would
   end up in a model. This opens a file in its place that can be neither read nor written. */
void keep_standard_files(void) {
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; ++k)
        if (fcntl(k, F_GETFD) < 0 && open("/dev/null", k == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0) < 0)
            _exit(BAD_INPUT);
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) die(BAD_INPUT, "no memory for %zu items of %zu bytes", count, size);
    return memory;
}

/* ---- system calls that continue after a signal ---- */

static int open_again(const char *path, int flags) {
    int descriptor;
    do descriptor = open(path, flags, 0666);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static ssize_t read_again(int descriptor, char *bytes, size_t size) {
    ssize_t got;
    do got = read(descriptor, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Returns true if the file has reached the disk, as far as the file system can guarantee it. */
static int save(int descriptor) {
    int failed;
    do failed = fsync(descriptor);
    while (failed && errno == EINTR);
    return !failed || errno == EINVAL;
}

/* The descriptor is closed even if a signal interrupted the call. */
static int close_once(int descriptor) { return close(descriptor) == 0 || errno == EINTR; }

/* ---- streams ---- */

/* An interrupted write makes stdio lose its buffer, and memory streams ignore failed allocations. On systems
   with custom streams, these functions replace both. */
static int write_error; /* why a stream to a file failed; later calls may change errno */

#if defined(__linux__)
/* Returns true if everything was written; else errno has the reason. */
static int write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t put = write(descriptor, bytes, size);
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = EIO;
        if (put <= 0) return 0;
        bytes += put;
        size -= (size_t)put;
    }
    return 1;
}

static ssize_t put_in_file(void *file, const char *bytes, size_t size) {
    if (write_all(*(const int *)file, bytes, size)) return (ssize_t)size;
    write_error = errno;
    return 0;
}

static FILE *stream_to_file(int *descriptor) {
    const cookie_io_functions_t functions = {NULL, put_in_file, NULL, NULL};
    return fopencookie(descriptor, "w", functions);
}

static ssize_t put_in_memory(void *user, const char *bytes, size_t size) {
    kept *k = (kept *)user;
    if (k->room - k->size < size) {
        const size_t room = 2 * k->room > k->size + size ? 2 * k->room : k->size + size;
        char *larger = (char *)realloc(k->text, room);
        if (!larger) return 0;
        k->text = larger;
        k->room = room;
    }
    memcpy(k->text + k->size, bytes, size);
    k->size += size;
    return (ssize_t)size;
}

static FILE *stream_to_memory(kept *k) {
    const cookie_io_functions_t functions = {NULL, put_in_memory, NULL, NULL};
    return fopencookie(k, "w", functions);
}

static int close_stream_to_file(FILE *stream, int descriptor) {
    const int all_written = fclose(stream) == 0;
    return close_once(descriptor) && all_written;
}
#else
static FILE *stream_to_file(int *descriptor) { return fdopen(*descriptor, "wb"); }
#if defined(_WIN32)
static FILE *stream_to_memory(kept *k) {
    (void)k;
    return system_stream();
}
#else
static FILE *stream_to_memory(kept *k) { return open_memstream(&k->text, &k->size); }
#endif
static int close_stream_to_file(FILE *stream, int descriptor) {
    (void)descriptor;
    return fclose(stream) == 0;
}
#endif

FILE *kept_open(kept *k) {
    memset(k, 0, sizeof *k);
    k->stream = stream_to_memory(k);
    if (!k->stream) die(BAD_INPUT, "no memory for the output");
    return k->stream;
}

void kept_release(kept *k, FILE *to) {
    int failed = ferror(k->stream);
#if defined(_WIN32)
    k->text = system_stream_text(k->stream, &k->size);
    failed |= !k->text;
#endif
    if (fclose(k->stream) != 0 || failed) die(BAD_INPUT, "no memory for the output");
    if (k->size) fwrite(k->text, 1, k->size, to);
    free(k->text);
}

/* ---- reading ---- */

static void cannot_read(const char *path) {
    struct stat about; /* Windows cannot open a folder, other systems cannot read it */
    const int error = errno, is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    die(BAD_INPUT, "cannot read %s: %s", path, is_folder ? "it is a folder" : strerror(error));
}

/* Appends a character to UTF-8 text; returns its end. */
static char *put_character(char *to, uint32_t c) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint32_t first[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(first[more] | c >> 6 * more);
    for (int k = more - 1; k >= 0; --k) *to++ = (char)(0x80 | (c >> 6 * k & 0x3F));
    return to;
}

/* Returns a text that begins with the mark of UTF-16 as UTF-8, in memory of its own; NULL for other texts and
   if a character is damaged. */
static char *from_utf16(const char *text, size_t *size) {
    const unsigned char *b = (const unsigned char *)text;
    const size_t units = *size / 2;
    if (units == 0 || *size % 2 || !((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == 0xFE && b[1] == 0xFF)))
        return NULL;
    const unsigned low = b[0] == 0xFE; /* which byte of a unit */
    char *out = (char *)allocate(3 * units + 1, 1), *at = out;
    for (size_t k = 1; k < units; ++k) {
        uint32_t c = (uint32_t)b[2 * k + low] | (uint32_t)b[2 * k + 1 - low] << 8, next;
        if (c >= 0xD800 && c < 0xE000) { /* half of a pair */
            next = k + 1 < units ? (uint32_t)b[2 * k + 2 + low] | (uint32_t)b[2 * k + 3 - low] << 8 : 0;
            if (c >= 0xDC00 || next < 0xDC00 || next >= 0xE000) return free(out), NULL;
            c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
            ++k;
        }
        at = put_character(at, c);
    }
    *at = 0;
    *size = (size_t)(at - out);
    return out;
}

/* Returns the size of a text without the Ctrl-Z by which old systems end a file. */
static size_t without_ctrl_z(const char *text, size_t size) {
    size_t end = size;
    while (end > 0 && strchr("\r\n\x1A", text[end - 1]) && text[end - 1]) --end;
    const char *mark = (const char *)memchr(text + end, 26, size - end);
    return mark ? (size_t)(mark - text) : size;
}

#if !defined(_WIN32)
/* All threads read parts of a file. */
enum { PART = 1 << 20 };

typedef struct parts {
    int descriptor;
    char *text;
    size_t size, *got; /* of the file; per part */
} parts;

static void read_part(void *arg, size_t k, size_t worker) {
    const parts *p = (const parts *)arg;
    const size_t from = k * PART, size = p->size - from < PART ? p->size - from : PART;
    ssize_t got = 1;
    (void)worker;
    while (p->got[k] < size && (got > 0 || (got < 0 && errno == EINTR))) {
        got = pread(p->descriptor, p->text + from + p->got[k], size - p->got[k], (off_t)(from + p->got[k]));
        p->got[k] += got > 0 ? (size_t)got : 0;
    }
}

/* Returns the number of bytes up to the first that could not be read, where the file now is. */
static size_t read_parts(sooth_env *env, int descriptor, char *text, size_t size) {
    const size_t count = (size + PART - 1) / PART;
    parts p = {descriptor, text, size, (size_t *)allocate(count, sizeof *p.got)};
    size_t k = 0, n = 0;
    in_parallel(env, count, read_part, &p);
    for (; k < count && n == k * PART; ++k) n += p.got[k];
    free(p.got);
    return lseek(descriptor, (off_t)n, SEEK_SET) < 0 ? 0 : n;
}
#else
static size_t read_parts(sooth_env *env, int descriptor, char *text, size_t size) {
    (void)env, (void)descriptor, (void)text, (void)size;
    return 0;
}
#endif

char *read_file(const char *path, const char *magic, size_t *size) {
    return read_file_by(NULL, path, magic, size);
}

char *read_file_by(sooth_env *env, const char *path, const char *magic, size_t *size) {
    const int from_stdin = strcmp(path, "-") == 0;
    const int descriptor = from_stdin ? STDIN_FILENO : open_again(path, O_RDONLY);
    struct stat about;
    char *text = NULL;
    size_t capacity = 0, n = 0;
    ssize_t got;
    if (descriptor < 0) cannot_read(path);
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        capacity = (size_t)about.st_size + 2;
    if (env && env->workers > 1 && !from_stdin && capacity > 0 && (text = (char *)malloc(capacity)) != NULL)
        n = read_parts(env, descriptor, text, capacity - 2);
    do {
        if (n + 1 >= capacity || !text) {
            if (text || capacity == 0) capacity = capacity < 65536 ? 65536 : capacity + capacity / 2;
            char *larger = (char *)realloc(text, capacity);
            if (!larger)
                die(BAD_INPUT, "no memory to read %s (%zu bytes so far)%s", path, n,
                    magic ? "" : "; for tables, `sooth fit --memory` reads the file in parts");
            text = larger;
        }
        got = read_again(descriptor, text + n, capacity - n - 1);
        if (got < 0) cannot_read(path);
        n += (size_t)got;
    } while (got > 0 && !(magic && memcmp(text, magic, n < strlen(magic) ? n : strlen(magic)) != 0));
    if (!from_stdin) close_once(descriptor);
    *size = n;
    char *converted = magic ? NULL : from_utf16(text, size);
    if (converted) {
        free(text);
        text = converted;
    }
    if (!magic) *size = without_ctrl_z(text, *size);
    text[*size] = 0;
    return text;
}

/* Returns true if `text` occurs in the first bytes of a file. */
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
                 {"SOTH", "a sooth model; a data table is expected here"}};
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

static FILE *output;    /* stdout, or a stream to: */
static int output_file; /* the temporary file, or a path that is not a plain file */
static char output_path[MOST_PATH];
static int output_is_plain; /* a device or pipe: no file can replace it */
static int output_replaces; /* --force: replaces any file that exists at the end */

static void refuse_inputs(const char *path, const struct stat *about, const char *const *inputs,
                          size_t count) {
    struct stat other;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(inputs[i], "-") != 0 && stat(inputs[i], &other) == 0 && other.st_dev == about->st_dev &&
            other.st_ino == about->st_ino)
            die(BAD_USE, "%s is an input; choose another file for the output", path);
}

/* Returns the length of the folder's name in a path, with its separator; 0 means the current folder. */
static size_t folder_length(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && !strchr(FOLDER_ENDS, path[length - 1])) --length;
    return length;
}

/* Creates a file next to output_path, named with a leading dot and a trailing number. Returns a value below 0
   with errno set on failure. Blocks signals from creating it to recording that it must be removed. */
static int open_temporary(void) {
    const size_t folder = folder_length(output_path);
    sigset_t all, before;
    int descriptor = -1, reason = EEXIST;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    for (int k = 0; k < 100 && descriptor < 0 && reason == EEXIST; ++k) {
        snprintf(temporary, sizeof temporary, "%.*s.%.200s.%ld", (int)folder, output_path,
                 output_path + folder, (long)getpid() + k * 1000000L);
        descriptor = open_again(temporary, O_WRONLY | O_CREAT | O_EXCL);
        reason = errno;
    }
    writing = descriptor >= 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return descriptor;
}

/* Dies unless an existing path is a file that may be replaced, a device or a pipe. */
static void refuse_existing(const char *path, const struct stat *about, int force) {
    if (S_ISDIR(about->st_mode)) die(BAD_USE, "%s is a folder; choose a file for the output", path);
    if (!S_ISREG(about->st_mode)) return;
    if (!force) die(BAD_USE, "%s already exists; --force replaces it", path);
    if (!(about->st_mode & 0222)) die(BAD_INPUT, "cannot write %s: it is write-protected", path);
}

static void refuse_name(const char *path) {
    if (!*path || strlen(path) >= MOST_PATH)
        die(BAD_USE, "the name of the output is %s", *path ? "too long" : "empty");
}

void output_check(const char *path, int force) {
    char folder[MOST_PATH];
    struct stat about;
    refuse_name(path);
    if (strcmp(path, "-") == 0) return;
    if (stat(path, &about) == 0) {
        refuse_existing(path, &about, force);
        return;
    }
    const size_t length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? path : ".");
    if (access(folder, W_OK) != 0) die(BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
}

/* Opens a temporary next to the file, or the device or pipe itself. */
static int open_output(const char *path, const char *const *inputs, size_t count) {
    struct stat about;
    const int there = stat(path, &about) == 0;
    if (there) {
        refuse_inputs(path, &about, inputs, count);
        refuse_existing(path, &about, output_replaces);
        if (!S_ISREG(about.st_mode)) {
            output_is_plain = 1;
            return open_again(path, O_WRONLY);
        }
        { /* replace the target of a link, not the link */
            char *real = realpath(path, NULL);
            if (!real || strlen(real) >= MOST_PATH)
                die(BAD_INPUT, "cannot write %s: %s", path, real ? "its name is too long" : strerror(errno));
            strcpy(output_path, real);
            free(real);
        }
    }
    const int descriptor = open_temporary();
    /* keep the old mode if permitted */
    if (there && descriptor >= 0 && fchmod(descriptor, about.st_mode & 07777) != 0) errno = 0;
    return descriptor;
}

int ends_in_svg(const char *path) {
    const size_t n = path ? strlen(path) : 0;
    return n > 4 && strcmp(path + n - 4, ".svg") == 0;
}

FILE *output_open(const char *path, int force, const char *const *inputs, size_t count) {
    if (strcmp(path, "-") == 0) return output = stdout;
    refuse_name(path);
    strcpy(output_path, path);
    output_replaces = force;
    output_is_plain = 0;
    output_file = open_output(path, inputs, count);
    if (output_file < 0) die(BAD_INPUT, "cannot write %s: %s", path, strerror(errno));
    output = stream_to_file(&output_file);
    if (!output) die(BAD_INPUT, "no memory to write %s", path);
    return output;
}

FILE *output_model(const char *path, int force, const char *const *inputs, size_t count) {
    if (strcmp(path, "-") != 0) return output_open(path, force, inputs, count);
    if (isatty(STDOUT_FILENO)) die(BAD_USE, "a model is not text for a terminal; name a file with -o");
    strcpy(output_path, "the output");
    output_is_plain = 1;
    output_file = fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
    if (output_file < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        die(BAD_INPUT, "cannot write the output: %s", strerror(errno));
    output = stream_to_file(&output_file);
    if (!output) die(BAD_INPUT, "no memory to write a model");
    return output;
}

static void cannot_write(void) {
    const int error = write_error ? write_error : errno;
    die(BAD_INPUT, "cannot write %s: %s", output == stdout ? "the output" : output_path,
        error ? strerror(error) : "it failed");
}

/* Flushes the folder as well, since it holds the renamed or linked entry. */
static void save_folder(void) {
    const size_t length = folder_length(output_path);
    char folder[MOST_PATH];
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? output_path : ".");
    const int descriptor = open_again(folder, O_RDONLY | O_DIRECTORY);
    if (descriptor < 0 && errno == EACCES) return; /* may be write-only */
    if (descriptor < 0 || !save(descriptor)) cannot_write();
    close_once(descriptor);
}

/* Gives the temporary its final name. link() does not replace a file that has appeared meanwhile; without
   links, a check before rename() has to do. */
static void give_name(void) {
    struct stat about;
    if (!output_replaces) {
        if (link(temporary, output_path) == 0) {
            drop_temporary();
            return;
        }
        const int no_links = errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP || errno == EMLINK;
        if (errno == EEXIST || (no_links && lstat(output_path, &about) == 0))
            die(BAD_USE, "%s was created meanwhile; --force replaces it", output_path);
        if (!no_links) cannot_write();
    }
    if (rename(temporary, output_path) != 0) cannot_write();
    writing = 0;
}

void output_close(void) {
    sigset_t all, before;
    const int failed = ferror(output);
    if (fflush(output) != 0 || failed) cannot_write();
    if (output == stdout) return;
    if (!output_is_plain && !save(output_file)) cannot_write();
    if (!close_stream_to_file(output, output_file)) cannot_write();
    if (output_is_plain) return;
    sigfillset(&all); /* from here on an interrupt no longer reports that nothing was written */
    sigprocmask(SIG_BLOCK, &all, &before);
    give_name();
    save_folder();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int finish(void) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: cannot write the output: %s\n", program, errno ? strerror(errno) : "it failed");
        return BAD_INPUT;
    }
    return DONE;
}
