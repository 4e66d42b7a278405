/* fuzz_svr.c - LIBSVM model files of any bytes: read or refused with a sentence, and what was read predicts
 * and is written and read again as the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     clang -fsanitize=fuzzer,address,undefined -Iinclude -Itests tests/fuzz/fuzz_svr.c
 *     clang -fsanitize=address,undefined -DSOOTH_FUZZ_MAIN -Iinclude -Itests tests/fuzz/fuzz_svr.c
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/libsvm.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text_buffer {
    char *text;
    size_t size, capacity;
} text_buffer;

static int keep(void *user, const char *text, size_t size) {
    text_buffer *r = (text_buffer *)user;
    if (r->size + size > r->capacity) {
        r->capacity = 2 * (r->size + size);
        r->text = (char *)realloc(r->text, r->capacity);
        if (!r->text) abort();
    }
    memcpy(r->text + r->size, text, size);
    r->size += size;
    return 0;
}

static void use(const sooth_svr *m) {
    static float row[SOOTH_SVR_MOST_FEATURES];
    text_buffer first, second;
    sooth_sink sink;
    sooth_svr *again;
    size_t j;
    if (!sooth_svr_check(m, m->head.size)) abort();
    for (j = 0; j < m->head.features; ++j) row[j] = (float)(j % 5) - 2.0f;
    (void)sooth_svr_predict(m, row);
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    sink.write_fn = keep;
    sink.failed = 0;
    sink.user = &first;
    if (sooth_libsvm_write(NULL, m, &sink) != SOOTH_OK) abort();
    if (sooth_libsvm_read(NULL, first.text, first.size, m->head.features, &again) != SOOTH_OK) abort();
    sink.user = &second;
    if (sooth_libsvm_write(NULL, again, &sink) != SOOTH_OK) abort();
    if (first.size != second.size || memcmp(first.text, second.text, first.size) != 0) abort();
    sooth_svr_free(NULL, again);
    free(first.text);
    free(second.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_svr *m;
    sooth_env_init(&env);
    if (sooth_libsvm_read(&env, (const char *)data, size, 0, &m) == SOOTH_OK) {
        use(m);
        sooth_svr_free(&env, m);
    } else if (m || !env.sentence[0]) {
        abort();
    }
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "golden/svr.h"
#include "mutate.h"

int main(int count, char **word) {
    size_t f;
    for (f = 0; f < GOLDEN_FILES; ++f) {
        const uint8_t *seed = (const uint8_t *)golden_file[f];
        LLVMFuzzerTestOneInput(seed, strlen(golden_file[f]));
        mutate(seed, strlen(golden_file[f]), count > 1 ? atol(word[1]) : 20000, f);
    }
    return 0;
}
#endif
