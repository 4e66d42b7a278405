/* fuzz_libsvm.c - LIBSVM model files of any bytes: read or refused with a sentence, and what was read
 * predicts and is written and read again as the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/import/libsvm.h"

#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const sooth_svr *m) {
    static float row[SOOTH_SVR_MAX_FEATURES];
    written first, second;
    sooth_sink to_first = written_sink(&first), to_second = written_sink(&second);
    sooth_svr *again;
    size_t j;
    if (!sooth_svr_check(m, m->head.size)) abort();
    for (j = 0; j < m->head.features; ++j) row[j] = (float)(j % 5) - 2.0f;
    (void)sooth_svr_predict(m, row);
    if (sooth_libsvm_write(NULL, m, &to_first) != SOOTH_OK) abort();
    if (sooth_libsvm_read(NULL, first.text, first.size, m->head.features, &again) != SOOTH_OK) abort();
    if (sooth_libsvm_write(NULL, again, &to_second) != SOOTH_OK) abort();
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
#include "mutate.h"
#endif
