/* check.h - the test runner: a test passes when none of its checks failed.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/tree.h"
 *     #include "check.h"
 *
 *     static void depth_is_kept(void) { CHECK(depth <= 3); CHECK_NEAR(r2, 0.91, 1e-12); }
 *
 *     int main(void) {
 *         CHECK_RUN(depth_is_kept);
 *         return check_end("tree");          prints "tree: 1 passed, 0 failed"
 *     }
 *
 * A test that cannot run here says so with CHECK_SKIP("why"); it counts as neither passed nor failed. One
 * that takes long begins with CHECK_SLOW(): it runs where SOOTH_SLOW is set in the environment, as by
 * `make check`. With CHECK_STOP in the environment the first test that fails ends the program; with
 * CHECK_ONLY="depth_is_kept another_test" only these run.
 */
#ifndef SOOTH_CHECK_H
#define SOOTH_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/base.h"

static int check_failures; /* of the running test */
static int check_skipped_now, check_slow_now;
static int check_passed, check_failed, check_skipped, check_slow;

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition); \
            ++check_failures;                                        \
        }                                                            \
    } while (0)

/* |a - b| <= tolerance; prints both. NaN never passes. */
#define CHECK_NEAR(a, b, tolerance)                                                                     \
    do {                                                                                                \
        double check_a = (double)(a), check_b = (double)(b);                                            \
        if (!(fabs(check_a - check_b) <= (double)(tolerance))) {                                        \
            printf("  %s:%d: %s is %.17g, expected %.17g\n", __FILE__, __LINE__, #a, check_a, check_b); \
            ++check_failures;                                                                           \
        }                                                                                               \
    } while (0)

/* |a - b| <= tolerance * |b| */
#define CHECK_CLOSE(a, b, tolerance) CHECK_NEAR(a, b, (tolerance)*fabs((double)(b)))

/* The call returns this status. */
#define CHECK_STATUS(call, expected)                                                                  \
    do {                                                                                              \
        sooth_status check_got = (call);                                                              \
        if (check_got != (expected)) {                                                                \
            printf("  %s:%d: %s gave %s\n", __FILE__, __LINE__, #call, sooth_status_name(check_got)); \
            ++check_failures;                                                                         \
        }                                                                                             \
    } while (0)

/* The call returns this status and the env's sentence contains these words. */
#define CHECK_FAILS(env, call, expected, words)                                               \
    do {                                                                                      \
        (env)->sentence[0] = 0;                                                               \
        CHECK_STATUS(call, expected);                                                         \
        if (!strstr((env)->sentence, words)) {                                                \
            printf("  %s:%d: the sentence is \"%s\"\n", __FILE__, __LINE__, (env)->sentence); \
            ++check_failures;                                                                 \
        }                                                                                     \
    } while (0)

#define CHECK_SKIP(why)                 \
    do {                                \
        printf("  skipped: %s\n", why); \
        check_skipped_now = 1;          \
        return;                         \
    } while (0)

/* Whether slow tests run too. */
static inline int check_is_slow(void) { return getenv("SOOTH_SLOW") != NULL; }

#define CHECK_SLOW()            \
    do {                        \
        if (!check_is_slow()) { \
            check_slow_now = 1; \
            return;             \
        }                       \
    } while (0)

/* Whether a test is among those of CHECK_ONLY, or there is none. */
static inline int check_wanted(const char *name) {
    const char *at = getenv("CHECK_ONLY");
    const size_t length = strlen(name);
    if (!at) return 1;
    for (; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strcspn(at, " ") == length && memcmp(at, name, length) == 0) return 1;
    }
    return 0;
}

#define CHECK_RUN(test)                                          \
    do {                                                         \
        if (!check_wanted(#test)) break;                         \
        check_failures = check_skipped_now = check_slow_now = 0; \
        test();                                                  \
        check_count(#test);                                      \
    } while (0)

static inline void check_count(const char *name) {
    if (check_failures) {
        printf("FAILED  %s\n", name);
        ++check_failed;
        if (getenv("CHECK_STOP")) exit(1);
    } else if (check_skipped_now) {
        printf("skipped %s\n", name);
        ++check_skipped;
    } else if (check_slow_now) {
        ++check_slow;
    } else {
        ++check_passed;
    }
    fflush(stdout);
}

static inline int check_end(const char *program) {
    printf("%s: %d passed, %d failed", program, check_passed, check_failed);
    if (check_skipped) printf(", %d skipped", check_skipped);
    if (check_slow) printf(", %d slow", check_slow);
    printf("\n");
    return check_failed != 0;
}

/* ---- memory that counts, and fails when told ---- */

typedef struct check_memory {
    long fail_at;      /* this allocation fails, counted from 0; below 0: none */
    long calls;        /* allocations so far */
    long live;         /* pieces not freed yet */
    size_t live_bytes; /* freed sizes must match, so this ends at 0 too */
} check_memory;

static inline void *check_alloc(void *user, size_t size) {
    check_memory *m = (check_memory *)user;
    void *p = m->calls++ == m->fail_at ? NULL : malloc(size);
    if (p) {
        ++m->live;
        m->live_bytes += size;
    }
    return p;
}

static inline void check_free(void *user, void *p, size_t size) {
    check_memory *m = (check_memory *)user;
    --m->live;
    m->live_bytes -= size;
    free(p);
}

/* Makes `memory` the allocator of env. */
static inline void check_memory_init(check_memory *memory, sooth_env *env, long fail_at) {
    memory->fail_at = fail_at;
    memory->calls = memory->live = 0;
    memory->live_bytes = 0;
    env->alloc_fn = check_alloc;
    env->free_fn = check_free;
    env->alloc_user = memory;
}

/* Runs `call` once for every allocation it makes, with that one failing: each time it must return
   SOOTH_NO_MEMORY and leave nothing behind. The last time none fails: it must return SOOTH_OK; then `release`
   runs and nothing may be left. The allocator is then what it was. */
#define CHECK_EVERY_ALLOCATION(env, call, release)                   \
    do {                                                             \
        long check_at = 0;                                           \
        const sooth_env check_was = *(env);                          \
        for (;; ++check_at) {                                        \
            check_memory check_m;                                    \
            sooth_status check_got;                                  \
            check_memory_init(&check_m, env, check_at);              \
            check_got = (call);                                      \
            if (check_m.calls > check_at) {                          \
                CHECK(check_got == SOOTH_NO_MEMORY);                 \
                CHECK(check_m.live == 0 && check_m.live_bytes == 0); \
                if (check_failures) break;                           \
                continue;                                            \
            }                                                        \
            CHECK(check_got == SOOTH_OK);                            \
            release;                                                 \
            CHECK(check_m.live == 0 && check_m.live_bytes == 0);     \
            break;                                                   \
        }                                                            \
        (env)->alloc_fn = check_was.alloc_fn;                        \
        (env)->free_fn = check_was.free_fn;                          \
        (env)->alloc_user = check_was.alloc_user;                    \
    } while (0)

/* FNV-1a, 64 bits: the hash behind every golden value. */
static inline unsigned long long check_hash(const void *bytes, size_t size) {
    unsigned long long h = 14695981039346656037ull;
    size_t i;
    for (i = 0; i < size; ++i) h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211ull;
    return h;
}

/* The same hash, from h on, over numbers as little-endian bytes: equal on every host. */
static inline unsigned long long check_hash_doubles(unsigned long long h, const double *v, size_t count) {
    size_t i;
    unsigned k;
    for (i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &v[i], sizeof bits);
        for (k = 0; k < 8; ++k) h = (h ^ (bits >> 8 * k & 255u)) * 1099511628211ull;
    }
    return h;
}

/* The same over 32-bit words, floats among them. */
static inline unsigned long long check_hash_words(unsigned long long h, const void *words, size_t count) {
    for (size_t i = 0; i < 4 * count; ++i) {
        uint32_t word;
        memcpy(&word, (const unsigned char *)words + i / 4 * 4, 4);
        h = (h ^ (word >> 8 * (i % 4) & 255u)) * 1099511628211ull;
    }
    return h;
}

/* For qsort: floats by rising value. */
static inline int check_ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A progress_fn that cancels when more than half is done. */
static inline int check_stop_at_half(void *user, const char *stage, double done) {
    (void)user;
    (void)stage;
    return done > 0.5;
}

#endif /* SOOTH_CHECK_H */
