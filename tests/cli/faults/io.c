/* io.c - a library to preload: the n-th open, read, write, ... of a program fails, is short, or is its last.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -shared -fPIC tests/cli/faults/io.c -o io.so
 *     FAULT=write:2:ENOSPC FAULT_LOG=log LD_PRELOAD=./io.so build/sooth fit ...
 *
 * FAULT is CALL:N:HOW. CALL is open, read, write, fsync, close, rename, link, unlink, stat, malloc (also
 * calloc, realloc), change (any that alters what is on the disk: an open for writing, write, fsync, close of
 * such a file, rename, link, unlink) or exit (the end of the program). HOW happens to the N-th such call:
 *
 *     ENOSPC, EIO, EINTR, ...   it fails with this error; ENOMEM+: and so do all that follow
 *     SHORT                     it reads or writes one byte
 *     INT, TERM, HUP, QUIT      this signal comes before it, of open right behind it
 *     LOST, HALF, UNDONE        the power is cut before it: the program ends with status 99; of every file
 *                               that was written and not synchronised nothing or half is left, and UNDONE
 *                               takes back what was renamed or linked in a folder not synchronised since
 *
 * FAULT_LOG names a file that gets a line per change, and "fault" when it happens. Calls that the C library
 * makes itself, such as those behind printf, are not seen. For glibc.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* ---- what was asked for ---- */

static const struct {
    const char *name;
    int error;
} errors[] = {{"EIO", EIO},       {"EINTR", EINTR},   {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE},
              {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EPERM", EPERM},   {"EINVAL", EINVAL},
              {"EDQUOT", EDQUOT}, {"EROFS", EROFS}};
static const struct {
    const char *name;
    int number;
} signals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}, {"QUIT", SIGQUIT}};

static char fault_call[16], fault_how[16];
static long fault_at, seen;
static int for_good, error_asked, signal_after, log_file = -1;

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("FAULT"), *log = getenv("FAULT_LOG");
    if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (log_file >= 0 && log_file < 100) { /* out of the way of the program's own numbers */
        const int high = (int)syscall(SYS_fcntl, log_file, F_DUPFD, 100);
        syscall(SYS_close, log_file);
        log_file = high;
    }
    if (!fault || sscanf(fault, "%15[^:]:%ld:%15s", fault_call, &fault_at, fault_how) != 3) return;
    const size_t length = strlen(fault_how);
    for_good = fault_how[length - 1] == '+';
    if (for_good) fault_how[length - 1] = 0;
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; ++k)
        if (strcmp(errors[k].name, fault_how) == 0) error_asked = errors[k].error;
}

static void note(const char *format, ...) {
    char text[1024];
    va_list list;
    if (log_file < 0) return;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    syscall(SYS_write, log_file, text, (size_t)length);
}

/* ---- what would be lost ---- */

enum { MOST = 8 };
static struct {
    char path[512];
    int descriptor, dirty;
} files[MOST]; /* opened for writing, also those that are closed by now */
static struct {
    char from[512], to[512], old[600]; /* old: a second name of what `to` was; "": there was nothing */
} renamed;
static int files_known, rename_is_open;

static int file_of(int descriptor) {
    for (int k = 0; k < files_known; ++k)
        if (files[k].descriptor == descriptor) return k;
    return -1;
}

static void cut(void) {
    for (int k = 0; k < files_known; ++k) {
        struct stat about;
        if (!files[k].dirty || syscall(SYS_newfstatat, AT_FDCWD, files[k].path, &about, 0) != 0) continue;
        syscall(SYS_truncate, files[k].path, strcmp(fault_how, "HALF") == 0 ? about.st_size / 2 : 0);
    }
    if (rename_is_open && strcmp(fault_how, "UNDONE") == 0) {
        syscall(SYS_unlinkat, AT_FDCWD, renamed.from, 0);
        syscall(SYS_renameat2, AT_FDCWD, renamed.to, AT_FDCWD, renamed.from, 0);
        if (renamed.old[0]) syscall(SYS_renameat2, AT_FDCWD, renamed.old, AT_FDCWD, renamed.to, 0);
    } else if (renamed.old[0]) {
        syscall(SYS_unlinkat, AT_FDCWD, renamed.old, 0);
    }
    syscall(SYS_exit_group, 99);
}

static void rename_begins(const char *from, const char *to) {
    snprintf(renamed.from, sizeof renamed.from, "%s", from);
    snprintf(renamed.to, sizeof renamed.to, "%s", to);
    snprintf(renamed.old, sizeof renamed.old, "%s.before", to);
    if (syscall(SYS_linkat, AT_FDCWD, to, AT_FDCWD, renamed.old, 0) != 0) renamed.old[0] = 0;
}

static void rename_ends(int succeeded) {
    rename_is_open = succeeded;
    for (int k = 0; succeeded && k < files_known; ++k)
        if (strcmp(files[k].path, renamed.from) == 0)
            snprintf(files[k].path, sizeof files[k].path, "%s", renamed.to);
    if (!succeeded && renamed.old[0]) syscall(SYS_unlinkat, AT_FDCWD, renamed.old, 0);
}

static void folder_is_saved(void) {
    if (rename_is_open && renamed.old[0]) syscall(SYS_unlinkat, AT_FDCWD, renamed.old, 0);
    rename_is_open = renamed.old[0] = 0;
}

__attribute__((destructor)) static void end(void) {
    if (strcmp(fault_call, "exit") == 0) {
        note("fault\n");
        cut();
    }
    folder_is_saved();
}

/* Counts a call; 0: it goes on; 1: it shall be short; below 0: it has failed, and errno says how. */
static int happens(const char *call, int changes) {
    if (!fault_at || (strcmp(fault_call, call) != 0 && !(changes && strcmp(fault_call, "change") == 0)))
        return 0;
    if (++seen < fault_at || (seen > fault_at && !for_good)) return 0;
    note("fault\n");
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; ++k)
        if (strcmp(signals[k].name, fault_how) == 0) {
            if (strcmp(call, "open") == 0) signal_after = signals[k].number;
            else kill(getpid(), signals[k].number);
            return 0;
        }
    if (error_asked) {
        errno = error_asked;
        return -1;
    }
    if (strcmp(fault_how, "SHORT") == 0) return 1;
    cut();
    return 0;
}

/* ---- the calls ---- */

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const int mode = flags & O_CREAT ? va_arg(list, int) : 0, writes = (flags & O_ACCMODE) != O_RDONLY;
    va_end(list);
    if (happens("open", writes) < 0) return -1;
    const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (descriptor < 0) return -1;
    note("open %d %s %s\n", descriptor, writes ? "write" : flags & O_DIRECTORY ? "folder" : "read", path);
    const int other = file_of(descriptor);
    if (other >= 0) files[other].descriptor = -1;
    if (writes && files_known < MOST) {
        snprintf(files[files_known].path, sizeof files[0].path, "%s", path);
        files[files_known++].descriptor = descriptor;
    }
    if (signal_after) kill(getpid(), signal_after);
    signal_after = 0;
    return descriptor;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t read(int descriptor, void *bytes, size_t size) {
    const int what = happens("read", 0);
    if (what < 0) return -1;
    return syscall(SYS_read, descriptor, bytes, what && size ? 1 : size);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    const int k = file_of(descriptor), what = happens("write", 1);
    if (what < 0) return -1;
    note("write %d\n", descriptor);
    if (k >= 0) files[k].dirty = 1;
    return syscall(SYS_write, descriptor, bytes, what && size ? 1 : size);
}

int fsync(int descriptor) {
    struct stat about;
    const int k = file_of(descriptor);
    if (happens("fsync", 1) < 0) return -1;
    const int failed = (int)syscall(SYS_fsync, descriptor);
    note("fsync %d\n", descriptor);
    if (!failed && k >= 0) files[k].dirty = 0;
    if (!failed && syscall(SYS_newfstatat, descriptor, "", &about, AT_EMPTY_PATH) == 0 &&
        S_ISDIR(about.st_mode))
        folder_is_saved();
    return failed;
}

int close(int descriptor) {
    const int k = file_of(descriptor), what = happens("close", k >= 0);
    const int failed = (int)syscall(SYS_close, descriptor); /* it is closed in any case */
    const int error = errno;
    note("close %d\n", descriptor);
    if (k >= 0) files[k].descriptor = -1;
    errno = what < 0 ? error_asked : error;
    return what < 0 ? -1 : failed;
}

int rename(const char *from, const char *to) {
    if (happens("rename", 1) < 0) return -1;
    rename_begins(from, to);
    const int failed = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    note("rename %s %s\n", from, to);
    rename_ends(!failed);
    return failed;
}

int link(const char *from, const char *to) {
    if (happens("link", 1) < 0) return -1;
    const int failed = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    const int error = errno;
    note("link %s %s\n", from, to);
    renamed.old[0] = 0;
    snprintf(renamed.from, sizeof renamed.from, "%s", from);
    snprintf(renamed.to, sizeof renamed.to, "%s", to);
    rename_ends(!failed);
    errno = error;
    return failed;
}

int unlink(const char *path) {
    if (happens("unlink", 1) < 0) return -1;
    note("unlink %s\n", path);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int stat(const char *path, struct stat *about) {
    return happens("stat", 0) < 0 ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, about, 0);
}

int lstat(const char *path, struct stat *about) {
    if (happens("stat", 0) < 0) return -1;
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *about) {
    if (happens("stat", 0) < 0) return -1;
    return (int)syscall(SYS_newfstatat, descriptor, "", about, AT_EMPTY_PATH);
}

void *malloc(size_t size) { return happens("malloc", 0) < 0 ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
    return happens("malloc", 0) < 0 ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
    return happens("malloc", 0) < 0 ? NULL : __libc_realloc(memory, size);
}
