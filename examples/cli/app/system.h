/* system.h - the system calls of the command, by POSIX's names.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Except on Windows these are the headers of the system. On Windows system.c implements the functions: names
 * of files are UTF-8 and of any length, files are binary, an open file can be removed, and stat has the
 * inode. Only what the command uses is there.
 *
 * Include it after app.h and last of all headers.
 */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#if !defined(_WIN32)
#include <sys/mman.h>
#include <unistd.h>

#if defined(__APPLE__) /* macOS has no posix_fallocate */
#define posix_fallocate(file, from, size) ftruncate(file, (from) + (size))
#endif

#define FOLDER_ENDS "/" /* characters that may end the name of a folder */

/* Call first in main: initialises the console, and returns the words as UTF-8. */
static inline char **system_words(int count, char **words) {
    (void)count;
    return words;
}
#else
#include <direct.h>
#include <io.h>
#include <process.h>
#include <sys/types.h>

#define FOLDER_ENDS "/\\:"

char **system_words(int count, char **words);

/* ---- files ---- */

#define O_DIRECTORY 0
enum { F_GETFD = 1 };
#if !defined(STDIN_FILENO)
enum { STDIN_FILENO = 0, STDOUT_FILENO, STDERR_FILENO };
#endif

struct system_stat {
    uint64_t st_dev, st_ino;
    int64_t st_size;
    unsigned st_mode;
};
int system_open(const char *path, int flags, int mode);
int system_stat(const char *path, struct system_stat *about);
int system_fstat(int file, struct system_stat *about);
int system_link(const char *from, const char *to);
int system_rename(const char *from, const char *to); /* replaces an existing file in one step */
int system_unlink(const char *path);                 /* also removes an open file */
int system_access(const char *path);
char *system_realpath(const char *path);
int system_mkdir(const char *path);
int system_chdir(const char *path);
FILE *system_fopen(const char *path, const char *mode);

/* Runs this program with the words of a line, the first of which is its name, and waits for it. Returns its
   exit code; below 0, errno has the reason why it did not run. */
int system_run(const char *line);

/* Opens a stream to a file that is deleted with the stream; returns its content in memory of its own. */
FILE *system_stream(void);
char *system_stream_text(FILE *stream, size_t *size);

#undef stat
#undef fstat
#undef lstat
#define stat system_stat
#define lstat system_stat
#define fstat system_fstat
#define open(path, flags, mode) system_open(path, flags, mode)
#define fopen system_fopen
#define link system_link
#define rename system_rename
#define unlink system_unlink
#define access(path, how) system_access(path)
#define realpath(path, null) system_realpath(path)
#define fchmod(file, mode) ((void)(mode), 0)
#define fsync _commit
#define mkdir(path, mode) system_mkdir(path)
#define chdir system_chdir
#define close _close
#define read(file, bytes, size) _read(file, bytes, (unsigned)((size) < (1u << 30) ? (size) : (1u << 30)))
#define write(file, bytes, size) _write(file, bytes, (unsigned)((size) < (1u << 30) ? (size) : (1u << 30)))
#define fdopen _fdopen
#define isatty _isatty
#define getpid _getpid
#define strdup _strdup
#define fcntl(file, what) (_get_osfhandle(file) == -1 ? -1 : 0)

/* ---- a file as memory ---- */

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, _SC_PAGESIZE = 65536 };
#define MAP_FAILED NULL
#define sysconf(what) (what) /* granularity of mappings */
int system_grow(int file, int64_t size);
void *system_map(int file, int64_t from, size_t size);
int system_unmap(void *memory);
#define posix_fallocate(file, from, size) system_grow(file, (from) + (size))
#define mmap(null, size, how, shared, file, from) system_map(file, from, size)
#define munmap(memory, size) system_unmap(memory)

/* ---- signals: Windows has two of them and cannot block any ---- */

#define SIGHUP 0
#define SIGPIPE 0
#define SIGQUIT 0
#define SIGXFSZ 0
#define SIG_BLOCK 0
#define SIG_SETMASK 0
struct sigaction {
    void (*sa_handler)(int);
    int sa_mask;
};
typedef int system_signals;
#define sigset_t system_signals
#define sigemptyset(set) ((void)(*(set) = 0))
#define sigfillset(set) ((void)(*(set) = 1))
static inline void sigprocmask(int how, const int *set, int *before) {
    (void)how;
    if (before) *before = *set;
}
static inline int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    if (before) before->sa_handler = SIG_DFL;
    if (!number) return -1;
    return action && signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}
#endif

#endif
