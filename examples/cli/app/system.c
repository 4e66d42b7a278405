/* system.c - the functions of POSIX that the command uses, on Windows; see system.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "app.h"

#include "system.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <wchar.h>
#include <windows.h>

#include <shellapi.h>

#undef fdopen
#undef open
#undef read
#undef write

/* Converts the last error of Windows to errno. */
static int fail(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED: errno = ENOSYS; break;
    case ERROR_TOO_MANY_LINKS: errno = EMLINK; break;
    case ERROR_NOT_SAME_DEVICE: errno = EXDEV; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_NOT_ENOUGH_MEMORY: errno = ENOMEM; break;
    default: errno = EIO; break;
    }
    return -1;
}

/* ---- names ---- */

enum { MOST_NAME = 32768 };

/* Converts a name for Windows. Windows accepts more than 259 characters only in absolute names with the
   prefix \\?\. */
static int wide_name(const char *path, wchar_t wide[MOST_NAME]) {
    static const wchar_t whole[] = L"\\\\?\\", net[] = L"\\\\?\\UNC\\";
    wchar_t text[MOST_NAME / 2];
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, text, MOST_NAME / 2);
    if (length <= 0) {
        errno = ENOENT;
        return 0;
    }
    wcscpy(wide, text);
    if (length < 240 || wcsncmp(text, whole, 4) == 0) return 1;
    const DWORD full = GetFullPathNameW(text, MOST_NAME - 16, wide + 8, NULL);
    if (full == 0 || full >= MOST_NAME - 16) {
        errno = ENAMETOOLONG;
        return 0;
    }
    if (wide[9] == L':') { /* C:\... */
        memcpy(wide, whole, 4 * sizeof *wide);
        memmove(wide + 4, wide + 8, (full + 1) * sizeof *wide);
    } else if (wide[8] == L'\\' && wide[9] == L'\\' && wide[10] != L'?' && wide[10] != L'.') {
        memcpy(wide, net, 8 * sizeof *wide); /* \\server\... */
        memmove(wide + 8, wide + 10, (full - 1) * sizeof *wide);
    } else memmove(wide, wide + 8, (full + 1) * sizeof *wide);
    return 1;
}

static char *narrow(const wchar_t *wide) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? (char *)malloc((size_t)size) : NULL;
    if (text) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

char **system_words(int count, char **words) {
    int n = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; ++k) _setmode(k, _O_BINARY);
    if (!wide || n != count) return words; /* the C library expanded one word, such as *.csv */
    for (int i = 0; i < n; ++i) {
        char *word = narrow(wide[i]);
        if (word) words[i] = word;
    }
    LocalFree(wide);
    return words;
}

/* ---- files ---- */

enum { ALL_SHARE = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

int system_open(const char *path, int flags, int mode) {
    const int access = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    const DWORD how = access == O_RDONLY   ? GENERIC_READ
                      : access == O_WRONLY ? GENERIC_WRITE
                                           : GENERIC_READ | GENERIC_WRITE;
    const DWORD make = !(flags & O_CREAT) ? OPEN_EXISTING : flags & O_EXCL ? CREATE_NEW : OPEN_ALWAYS;
    wchar_t name[MOST_NAME];
    (void)mode;
    if (!wide_name(path, name)) return -1;
    const HANDLE file = CreateFileW(name, how, ALL_SHARE, NULL, make, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) return fail();
    const int descriptor = _open_osfhandle((intptr_t)file, access | _O_BINARY);
    if (descriptor < 0) CloseHandle(file);
    return descriptor;
}

static int about_file(HANDLE file, struct system_stat *about) {
    BY_HANDLE_FILE_INFORMATION all;
    memset(about, 0, sizeof *about);
    about->st_mode = _S_IFCHR;
    if (GetFileType(file) != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(file, &all)) return fail();
    about->st_mode = all.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? _S_IFDIR : _S_IFREG;
    about->st_mode |= all.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444u : 0666u;
    about->st_dev = all.dwVolumeSerialNumber;
    about->st_ino = (uint64_t)all.nFileIndexHigh << 32 | all.nFileIndexLow;
    about->st_size = (int64_t)((uint64_t)all.nFileSizeHigh << 32 | all.nFileSizeLow);
    return 0;
}

/* Opens a path only to query it; folders too. */
static HANDLE look_at(const char *path) {
    wchar_t name[MOST_NAME];
    if (!wide_name(path, name)) return INVALID_HANDLE_VALUE;
    const HANDLE file =
        CreateFileW(name, 0, ALL_SHARE, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) fail();
    return file;
}

int system_stat(const char *path, struct system_stat *about) {
    const HANDLE file = look_at(path);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int failed = about_file(file, about);
    CloseHandle(file);
    return failed;
}

int system_fstat(int file, struct system_stat *about) {
    return about_file((HANDLE)_get_osfhandle(file), about);
}

int system_link(const char *from, const char *to) {
    wchar_t old_name[MOST_NAME], name[MOST_NAME];
    if (!wide_name(from, old_name) || !wide_name(to, name)) return -1;
    return CreateHardLinkW(name, old_name, NULL) ? 0 : fail();
}

/* A file that another process holds open briefly cannot be replaced or removed, for example during a virus
   scan, or under Wine just after a program has ended. Returns true if the call should be repeated; for a
   second in all. */
static int is_busy(int *tries) {
    const DWORD error = GetLastError();
    if ((error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) || ++*tries > 50) return 0;
    Sleep(20);
    return 1;
}

int system_rename(const char *from, const char *to) {
    wchar_t old_name[MOST_NAME], name[MOST_NAME];
    int tries = 0;
    if (!wide_name(from, old_name) || !wide_name(to, name)) return -1;
    while (!MoveFileExW(old_name, name, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        if (!is_busy(&tries)) return fail();
    return 0;
}

int system_unlink(const char *path) {
    wchar_t name[MOST_NAME];
    int tries = 0;
    if (!wide_name(path, name)) return -1;
    while (!DeleteFileW(name))
        if (!is_busy(&tries)) return fail();
    return 0;
}

int system_mkdir(const char *path) {
    wchar_t name[MOST_NAME];
    return wide_name(path, name) && CreateDirectoryW(name, NULL) ? 0 : fail();
}

int system_chdir(const char *path) {
    wchar_t name[MOST_NAME];
    return wide_name(path, name) && SetCurrentDirectoryW(name) ? 0 : fail();
}

int system_access(const char *path) {
    struct system_stat about;
    return system_stat(path, &about);
}

char *system_realpath(const char *path) {
    wchar_t name[MOST_NAME];
    const HANDLE file = look_at(path);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    const DWORD length = GetFinalPathNameByHandleW(file, name, MOST_NAME, 0);
    if (length == 0 || length >= MOST_NAME) fail();
    CloseHandle(file);
    return length > 0 && length < MOST_NAME ? narrow(name) : NULL;
}

FILE *system_fopen(const char *path, const char *mode) {
    const int descriptor = system_open(path, *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT, 0666);
    return descriptor < 0 ? NULL : _fdopen(descriptor, mode);
}

int system_run(const char *line) {
    wchar_t program[MOST_NAME], words[MOST_NAME];
    STARTUPINFOW start;
    PROCESS_INFORMATION child;
    DWORD code = 0;
    memset(&start, 0, sizeof start);
    start.cb = sizeof start;
    const DWORD length = GetModuleFileNameW(NULL, program, MOST_NAME);
    if (length == 0 || length == MOST_NAME ||
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, line, -1, words, MOST_NAME) <= 0 ||
        !CreateProcessW(program, words, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child))
        return fail();
    const int ended = WaitForSingleObject(child.hProcess, INFINITE) == WAIT_OBJECT_0 &&
                      GetExitCodeProcess(child.hProcess, &code);
    if (!ended) fail();
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    return ended ? (int)code : -1;
}

FILE *system_stream(void) {
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"sth", 0, name)) return NULL;
    const HANDLE file = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, ALL_SHARE, NULL, CREATE_ALWAYS,
                                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    const int descriptor = _open_osfhandle((intptr_t)file, O_RDWR | _O_BINARY);
    return descriptor < 0 ? NULL : _fdopen(descriptor, "w+b");
}

char *system_stream_text(FILE *stream, size_t *size) {
    struct system_stat about;
    if (fflush(stream) != 0 || system_fstat(_fileno(stream), &about) != 0) return NULL;
    rewind(stream);
    char *text = (char *)malloc((size_t)about.st_size + 1);
    *size = text ? fread(text, 1, (size_t)about.st_size, stream) : 0;
    if (text && *size == (size_t)about.st_size) return text;
    free(text);
    return NULL;
}

/* ---- a file as memory ---- */

int system_grow(int file, int64_t size) {
    LARGE_INTEGER end;
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    end.QuadPart = size;
    return SetFilePointerEx(handle, end, NULL, FILE_BEGIN) && SetEndOfFile(handle) ? 0 : fail();
}

void *system_map(int file, int64_t from, size_t size) {
    const HANDLE handle = (HANDLE)_get_osfhandle(file);
    const HANDLE mapping = CreateFileMappingW(handle, NULL, PAGE_READWRITE, 0, 0, NULL);
    if (!mapping) return NULL;
    void *memory = MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, (DWORD)((uint64_t)from >> 32),
                                 (DWORD)((uint64_t)from & 0xFFFFFFFFu), size);
    CloseHandle(mapping); /* the view keeps it */
    return memory;
}

int system_unmap(void *memory) { return UnmapViewOfFile(memory) ? 0 : fail(); }
#endif
