/* files.h - whole files, sinks, and models by their path, for hosts that have files.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every other header reads and writes memory, so that it works without an operating system. This one reads,
 * maps and replaces files, and makes a sink of a FILE or of memory that grows.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/files.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20}, row = 3.5f;
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_model *model;
 *         sooth_tree *tree;
 *         sooth_file file;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         if (sooth_file_save_model(&env, sooth_model_from_block(&tree->head), "tree.sooth") != SOOTH_OK ||
 *             sooth_file_load_model(&env, "tree.sooth", &model) != SOOTH_OK)
 *             return puts(env.sentence), 1;  // names the file and what is wrong with it
 *         printf("%g\n", sooth_model_predict(model, &row, NULL));  //> 20
 *         if (sooth_file_map(&env, "tree.sooth", &file) == SOOTH_OK &&
 *             sooth_model_check(file.bytes, file.size))
 *             puts("or in place, without a copy");  //> or in place, without a copy
 *         if (sooth_file_load_model(&env, "no.sooth", &model) != SOOTH_OK)
 *             puts(env.sentence);  //> cannot read no.sooth: No such file or directory
 *         sooth_file_free(&env, &file);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Notes
 *
 * - This header is not part of sooth.h: a program includes it next to the others, as threads.h.
 * - A file is replaced at once: a reader has the old bytes or the new ones, also after a power cut. It gets
 *   the permissions of a new file, and a symbolic link is replaced, not its target.
 * - Paths are given to the C library as they are; on Windows in the encoding of the process.
 * - A mapped file must not be truncated while it is in use. sooth_file_write never does that.
 *
 * Cost
 *
 * Reading needs memory of the file's size. Mapping needs none: pages are read when they are used, and
 * processes share them.
 */
#if !defined(SOOTH_FILES_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FILES_IMPLEMENTED))
#include "model.h"
#endif

#if !defined(SOOTH_FILES_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_FILES_H
#include <stdio.h>
SOOTHI_C_BEGIN

/* The bytes of a file, aligned to 16. */
typedef struct sooth_file {
    char *bytes; /* followed by a zero if the file was read; read-only if it was mapped */
    size_t size;
    size_t room; /* private: allocated bytes; 0 if mapped */
} sooth_file;

/* Memory that grows with what is written to it. Zero bytes are an empty one. */
typedef struct sooth_buffer {
    char *text; /* size bytes and a zero; NULL while nothing was written */
    size_t size;
    size_t room;    /* private */
    sooth_env *env; /* allocates; NULL means malloc */
} sooth_buffer;

/* Reads a whole file or pipe. Returns SOOTH_NO_MEMORY, or SOOTH_BAD_TEXT with the system's reason if the file
   cannot be read. */
SOOTH_API sooth_status sooth_file_read(sooth_env *env, const char *path, sooth_file *file);

/* Like sooth_file_read, but the system maps the file where it can (POSIX), without a zero after the bytes.
   For a model: sooth_model_check, then the bytes are the model. */
SOOTH_API sooth_status sooth_file_map(sooth_env *env, const char *path, sooth_file *file);

/* Frees what sooth_file_read or sooth_file_map returned. A file of zero bytes is valid. */
SOOTH_API void sooth_file_free(sooth_env *env, sooth_file *file);

/* Writes a new file next to the path and renames it, so that it replaces the old one at once. Returns
   SOOTH_NO_MEMORY, or SOOTH_CANCELLED with the system's reason; then the old file is unchanged. */
SOOTH_API sooth_status sooth_file_write(sooth_env *env, const char *path, const void *bytes, size_t size);

/* Returns a sink that writes to an open FILE; one that appends to a buffer. */
SOOTH_API sooth_sink sooth_file_sink(FILE *file);
SOOTH_API sooth_sink sooth_buffer_sink(sooth_buffer *buffer);

/* Frees the text of a buffer, which is empty then. */
SOOTH_API void sooth_buffer_free(sooth_buffer *buffer);

/* Loads the model of a file (sooth_model_load). The sentence of an error names the file. */
SOOTH_API sooth_status sooth_file_load_model(sooth_env *env, const char *path, sooth_model **model);

/* Saves a model to a file (sooth_model_save, sooth_file_write). A checked model may come from anyone. */
SOOTH_API sooth_status sooth_file_save_model(sooth_env *env, const sooth_model *model, const char *path);

SOOTHI_C_END
#endif /* SOOTH_FILES_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_FILES_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_FILES_IMPLEMENTED
#include <errno.h>
#include <limits.h>
#if defined(__unix__) || defined(__APPLE__)
#define SOOTHI_FILES_POSIX 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define SOOTHI_FILES_POSIX 0
#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#endif
#endif
SOOTHI_C_BEGIN

/* Sets a message with the system's reason. */
SOOTHI_LOCAL sooth_status soothi_file_fail(sooth_env *env, sooth_status status, const char *path,
                                           int reason) {
    return sooth_fail(env, status, "cannot %s %s: %s", status == SOOTH_BAD_TEXT ? "read" : "write", path,
                      reason ? strerror(reason) : "it failed");
}

/* ---- buffers: memory that doubles ---- */

/* Makes space for `more` bytes and a zero. Returns 0 without memory. */
SOOTHI_LOCAL int soothi_buffer_grow(sooth_buffer *b, size_t more) {
    if (more < b->room - b->size) return 1;
    size_t room = b->room < SIZE_MAX / 2 ? 2 * b->room : SIZE_MAX;
    if (more >= SIZE_MAX - b->size) return 0;
    if (room <= b->size + more) room = b->size + more + 1;
    if (room < 256) room = 256;
    char *larger = (char *)sooth_alloc(b->env, room, 1);
    if (!larger) return 0;
    if (b->size) memcpy(larger, b->text, b->size);
    sooth_free(b->env, b->text, b->room, 1);
    b->text = larger;
    b->room = room;
    return 1;
}

SOOTH_API void sooth_buffer_free(sooth_buffer *buffer) {
    sooth_free(buffer->env, buffer->text, buffer->room, 1);
    buffer->text = NULL;
    buffer->size = buffer->room = 0;
}

SOOTHI_LOCAL int soothi_buffer_write(void *user, const char *text, size_t size) {
    sooth_buffer *b = (sooth_buffer *)user;
    if (!soothi_buffer_grow(b, size)) return 1;
    if (size) memcpy(b->text + b->size, text, size);
    b->size += size;
    b->text[b->size] = 0;
    return 0;
}

SOOTH_API sooth_sink sooth_buffer_sink(sooth_buffer *buffer) {
    sooth_sink sink = {NULL, NULL, 0};
    sink.user = buffer;
    sink.write_fn = soothi_buffer_write;
    return sink;
}

SOOTHI_LOCAL int soothi_file_put(void *user, const char *text, size_t size) {
    return fwrite(text, 1, size, (FILE *)user) != size;
}

SOOTH_API sooth_sink sooth_file_sink(FILE *file) {
    sooth_sink sink = {NULL, NULL, 0};
    sink.user = file;
    sink.write_fn = soothi_file_put;
    return sink;
}

/* ---- reading ---- */

/* Returns the size of a plain file, 0 if it is unknown. The position is at the beginning then. */
SOOTHI_LOCAL size_t soothi_file_size(FILE *f) {
    const long end = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    rewind(f);
    return end > 0 && end < LONG_MAX ? (size_t)end : 0;
}

SOOTH_API sooth_status sooth_file_read(sooth_env *env, const char *path, sooth_file *file) {
    sooth_buffer b = {NULL, 0, 0, NULL};
    size_t got = 1, more;
    int reason = 0;
    memset(file, 0, sizeof *file);
    errno = 0;
    FILE *f = fopen(path, "rb");
    if (!f) return soothi_file_fail(env, SOOTH_BAD_TEXT, path, errno);
    b.env = env;
    for (more = soothi_file_size(f) + 1; got > 0 && soothi_buffer_grow(&b, more); more = 65536) {
        errno = 0;
        got = fread(b.text + b.size, 1, b.room - b.size - 1, f);
        if (ferror(f)) reason = errno ? errno : EIO;
        b.size += got;
        b.text[b.size] = 0;
    }
    (void)fclose(f);
    file->bytes = b.text;
    file->size = b.size;
    file->room = b.room;
    if (got == 0 && !reason) return SOOTH_OK;
    sooth_file_free(env, file);
    if (!reason) return sooth_no_memory(env, path, b.size + more);
    return soothi_file_fail(env, SOOTH_BAD_TEXT, path, reason);
}

SOOTH_API sooth_status sooth_file_map(sooth_env *env, const char *path, sooth_file *file) {
#if SOOTHI_FILES_POSIX
    struct stat about;
    memset(file, 0, sizeof *file);
    const int descriptor = open(path, O_RDONLY);
    if (descriptor < 0) return soothi_file_fail(env, SOOTH_BAD_TEXT, path, errno);
    void *bytes = MAP_FAILED;
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        (uintmax_t)about.st_size <= SIZE_MAX)
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    (void)close(descriptor);
    if (bytes != MAP_FAILED) {
        file->bytes = (char *)bytes;
        file->size = (size_t)about.st_size;
        return SOOTH_OK;
    }
#endif
    return sooth_file_read(env, path, file);
}

SOOTH_API void sooth_file_free(sooth_env *env, sooth_file *file) {
#if SOOTHI_FILES_POSIX
    if (file->bytes && !file->room) (void)munmap(file->bytes, file->size);
#endif
    if (file->room) sooth_free(env, file->bytes, file->room, 1);
    memset(file, 0, sizeof *file);
}

/* ---- writing ---- */

/* Creates a file that did not exist, and writes it through to the disk. Returns 0, or the reason. */
SOOTHI_LOCAL int soothi_file_create(const char *path, const char *bytes, size_t size) {
    errno = 0;
#if SOOTHI_FILES_POSIX
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_SYNC, 0666);
    if (descriptor < 0) return errno;
    int reason = 0;
    while (size > 0 && !reason) {
        const ssize_t put = write(descriptor, bytes, size < 1u << 30 ? size : 1u << 30);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) reason = put < 0 ? errno : EIO;
        else bytes += put, size -= (size_t)put;
    }
    if (close(descriptor) != 0 && errno != EINTR && !reason) reason = errno;
#else
    FILE *f = fopen(path, "wbx");
    if (!f) return errno ? errno : EIO;
    int reason = fwrite(bytes, 1, size, f) == size ? 0 : EIO;
    if (fclose(f) != 0) reason = EIO;
#endif
    if (reason) (void)remove(path);
    return reason;
}

/* Gives a file the name of another one, which it replaces. Returns 0, or the reason. */
SOOTHI_LOCAL int soothi_file_rename(const char *from, const char *to) {
#if defined(_WIN32)
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return 0;
    return GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
#else
    return rename(from, to) == 0 ? 0 : errno;
#endif
}

SOOTH_API sooth_status sooth_file_write(sooth_env *env, const char *path, const void *bytes, size_t size) {
    const size_t room = strlen(path) + 16;
    char *beside = (char *)sooth_alloc(env, room, 1);
    int reason = EEXIST;
    if (!beside) return sooth_no_memory(env, path, room);
    for (uint32_t k = 0; k < 100 && reason == EEXIST; ++k) {
        sooth_text_format(beside, room, "%s.new%u", path, k);
        reason = soothi_file_create(beside, (const char *)bytes, size);
    }
    if (!reason) {
        reason = soothi_file_rename(beside, path);
        if (reason) (void)remove(beside);
    }
    sooth_free(env, beside, room, 1);
    return reason ? soothi_file_fail(env, SOOTH_CANCELLED, path, reason) : SOOTH_OK;
}

/* ---- models ---- */

SOOTH_API sooth_status sooth_file_load_model(sooth_env *env, const char *path, sooth_model **model) {
    sooth_file file;
    char reason[SOOTH_ENV_SENTENCE];
    *model = NULL;
    sooth_status status = sooth_file_read(env, path, &file);
    if (status != SOOTH_OK) return status;
    status = sooth_model_load(env, file.bytes, file.size, model);
    sooth_file_free(env, &file);
    if (status != SOOTH_BAD_MODEL || !env) return status;
    memcpy(reason, env->sentence, sizeof reason);
    return sooth_fail(env, status, "%s: %s", path, reason);
}

SOOTH_API sooth_status sooth_file_save_model(sooth_env *env, const sooth_model *model, const char *path) {
    const size_t size = model->head.size;
    void *bytes = sooth_alloc(env, size, 1);
    if (!bytes) return sooth_no_memory(env, path, size);
    sooth_model_save(model, bytes);
    const sooth_status status = sooth_file_write(env, path, bytes, size);
    sooth_free(env, bytes, size, 1);
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
