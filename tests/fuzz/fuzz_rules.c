/* fuzz_rules.c - rules as text of any bytes: refused with a sentence, or a network that predicts, is written
 * and is read again as the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/sofnn.h"

#include "written.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 }; /* inputs and outputs that are tried */

/* A sound network predicts for any row. One that was read is written and read again as the same bytes. */
static void use(const sooth_sofnn *m) {
    static float row[MOST], out[MOST];
    written text;
    sooth_sink sink = written_sink(&text);
    sooth_sofnn *again;
    size_t j;
    if (m->head.features > MOST || m->head.targets > MOST) return;
    for (j = 0; j < m->head.features; ++j) row[j] = (float)(j % 5) - 2.0f;
    (void)sooth_sofnn_predict_covered(m, row, out);
    for (j = 0; j < m->head.features; ++j) row[j] = j % 2 ? 3e38f : -3e38f;
    (void)sooth_sofnn_predict_covered(m, row, out);
    if (sooth_rules_write(NULL, m, NULL, NULL, &sink) != SOOTH_OK) abort();
    if (sooth_rules_read(NULL, text.text, text.size, &again) != SOOTH_OK) abort();
    if (again->head.size != m->head.size || memcmp(again, m, m->head.size) != 0) abort();
    sooth_sofnn_free(NULL, again);
    free(text.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_sofnn *m;
    sooth_env_init(&env);
    if (sooth_rules_read(&env, (const char *)data, size, &m) == SOOTH_OK) {
        if (!sooth_sofnn_check(m, m->head.size)) abort();
        use(m);
        sooth_sofnn_free(&env, m);
    } else if (m || !env.sentence[0]) {
        abort();
    }
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
