/* fuzz_sofnn.c - rules as text and blocks of any bytes: refused, or a network that predicts, is written and
 * is read again as the same.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     clang -fsanitize=fuzzer,address,undefined -Iinclude -Itests tests/fuzz/fuzz_sofnn.c
 *     clang -fsanitize=address,undefined -DSOOTH_FUZZ_MAIN -Iinclude -Itests tests/fuzz/fuzz_sofnn.c
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/rules.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 }; /* inputs and outputs that are tried */

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

/* A sound network predicts for any row. One that was read is written and read again as the same bytes
   (`text`); a block may have steepnesses that no width gives. */
static void use(const sooth_sofnn *m, int text) {
    static float row[MOST], out[MOST];
    text_buffer written;
    sooth_sink sink;
    sooth_sofnn *again;
    size_t j;
    if (m->head.features > MOST || m->head.targets > MOST) return;
    for (j = 0; j < m->head.features; ++j) row[j] = (float)(j % 5) - 2.0f;
    (void)sooth_sofnn_predict_covered(m, row, out);
    for (j = 0; j < m->head.features; ++j) row[j] = j % 2 ? 3e38f : -3e38f;
    (void)sooth_sofnn_predict_covered(m, row, out);
    memset(&written, 0, sizeof written);
    memset(&sink, 0, sizeof sink);
    sink.write_fn = keep;
    sink.user = &written;
    if (sooth_rules_write(NULL, m, NULL, NULL, &sink) != SOOTH_OK) abort();
    if (text) {
        if (sooth_rules_read(NULL, written.text, written.size, &again) != SOOTH_OK) abort();
        if (again->head.size != m->head.size || memcmp(again, m, m->head.size) != 0) abort();
        sooth_sofnn_free(NULL, again);
    }
    free(written.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_sofnn *m;
    sooth_env_init(&env);
    if (sooth_rules_read(&env, (const char *)data, size, &m) == SOOTH_OK) {
        if (!sooth_sofnn_check(m, m->head.size)) abort();
        use(m, 1);
        sooth_sofnn_free(&env, m);
    } else if (m || !env.sentence[0]) {
        abort();
    }
    if (size >= sizeof(sooth_sofnn)) { /* as a block, sealed as an attacker would */
        sooth_sofnn *block = (sooth_sofnn *)malloc(size);
        if (!block) return 0;
        memcpy(block, data, size);
        if (block->head.size == size && size % 16 == 0) soothi_block_seal(&block->head);
        if (sooth_sofnn_check(block, size)) use(block, 0);
        free(block);
    }
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"

/* Seeds: a network of each order that fitting made, as text and as a block. */
int main(int count, char **word) {
    const long tries = count > 1 ? atol(word[1]) : 20000;
    static float x[60 * 2], y[60 * 2];
    uint32_t order;
    size_t i;
    for (i = 0; i < 60; ++i) {
        x[2 * i] = (float)(i % 10);
        x[2 * i + 1] = (float)(i / 10);
        y[2 * i] = x[2 * i] * x[2 * i + 1];
        y[2 * i + 1] = x[2 * i] > 5.0f ? 1.0f : 0.0f;
    }
    for (order = 0; order < 2; ++order) {
        sooth_sofnn_options options;
        sooth_table table;
        sooth_sofnn *m;
        text_buffer written;
        sooth_sink sink;
        memset(&options, 0, sizeof options);
        memset(&written, 0, sizeof written);
        memset(&sink, 0, sizeof sink);
        options.order = order;
        options.max_rules = 4;
        sooth_table_init(&table, x, 60, 2);
        table.y = y;
        table.targets = 2;
        if (sooth_sofnn_fit(NULL, &table, &options, &m) != SOOTH_OK) return 1;
        sink.write_fn = keep;
        sink.user = &written;
        if (sooth_rules_write(NULL, m, NULL, NULL, &sink) != SOOTH_OK) return 1;
        LLVMFuzzerTestOneInput((const uint8_t *)written.text, written.size);
        LLVMFuzzerTestOneInput((const uint8_t *)m, m->head.size);
        mutate((const uint8_t *)written.text, written.size, tries, order);
        mutate((const uint8_t *)m, m->head.size, tries, 2 + order);
        free(written.text);
        sooth_sofnn_free(NULL, m);
    }
    return 0;
}
#endif
