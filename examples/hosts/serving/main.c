/* main.c - build/serving: a recorded trace predicted row by row, or routers compared on simulated pods.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "serving.h"
#include "sooth/csv.h"
#include <stdio.h>
#include <stdlib.h>

enum { CACHE, TOKENS, WAITING, RUNNING, PREFILL, LABEL, READ = LABEL + SERVING_TARGETS };

static int fail(const char *what, const char *which) {
    fprintf(stderr, "serving: %s%s\n", what, which);
    return 1;
}

static sooth_status read_trace(sooth_env *env, const char *path, sooth_csv *csv) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = 0;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) ||
        !(bytes = malloc((size_t)size + 1)) || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        if (file) fclose(file);
        free(bytes);
        return sooth_fail(env, SOOTH_BAD_DATA, "cannot read %s", path);
    }
    fclose(file);
    const sooth_status status = sooth_csv_read(env, bytes, (size_t)size, NULL, csv);
    free(bytes);
    return status;
}

/* Predicts the rows of one target in the order of their labels; late: a row is sent 2 x waiting labels before
   its own comes. said[row x quantiles + q]. */
static sooth_status replay(sooth_env *env, const float *x, size_t rows, uint32_t target, int late,
                           float *said) {
    const serving_options options = {.pods = 1, .tickets = 4096};
    const size_t size = serving_size(&options);
    uint32_t *label = malloc((rows + 1) * sizeof *label), *next = malloc((rows + 1) * sizeof *next);
    uint32_t *first = malloc((rows + 1) * sizeof *first), labels = 0;
    uint64_t *ticket = malloc((rows + 1) * sizeof *ticket);
    void *memory = malloc(size);
    serving *s;
    sooth_status status = label && next && first && ticket && memory
                              ? serving_init(env, &options, memory, size, &s)
                              : sooth_no_memory(env, "the replay", size);
    for (size_t i = 0; status == SOOTH_OK && i < rows; ++i)
        if (x[i * READ + LABEL + target] > 0) label[labels++] = (uint32_t)i;
    for (uint32_t k = 0; status == SOOTH_OK && k <= labels; ++k) first[k] = UINT32_MAX;
    for (uint32_t k = labels; status == SOOTH_OK && k-- > 0;) { /* lists of what is sent before label `at` */
        const uint32_t back = late ? 2 * (uint32_t)x[label[k] * READ + WAITING] : 0,
                       at = back < k ? k - back : 0;
        next[k] = first[at];
        first[at] = k;
    }
    for (uint32_t at = 0; status == SOOTH_OK && at < labels; ++at) {
        for (uint32_t k = first[at]; status == SOOTH_OK && k != UINT32_MAX; k = next[k]) {
            const float *row = x + label[k] * READ;
            const serving_pod pod = {0, 0, row[CACHE], row[WAITING], row[RUNNING], row[PREFILL], 0};
            float out[SERVING_TARGETS * SERVING_MAX_QUANTILES];
            serving_predict(s, 0, row[TOKENS], &pod, 1, out);
            memcpy(said + label[k] * 3, out + target * 3, 3 * sizeof *said);
            status = serving_sent(env, s, row[TOKENS], &pod, 0, &ticket[k]);
        }
        const float ms = x[label[at] * READ + LABEL + target];
        if (status == SOOTH_OK && target == SERVING_TTFT)
            status = serving_first_token(env, s, ticket[at], ms);
        if (status == SOOTH_OK) status = serving_done(env, s, ticket[at], target == SERVING_TPOT ? ms : 0);
        if (status == SOOTH_OK && serving_due(s)) status = serving_learn(env, s);
    }
    free(memory);
    free(ticket);
    free(first);
    free(next);
    free(label);
    return status;
}

static int trace(const char *path, int late, const char *out) {
    static const char *const names[READ] = {
        "kv_cache_percentage",      "input_token_length", "num_request_waiting", "num_request_running",
        "prefill_tokens_in_flight", "actual_ttft_ms",     "actual_tpot_ms"};
    sooth_env env;
    sooth_csv csv;
    float *x = NULL, *said[SERVING_TARGETS] = {NULL, NULL};
    int failed = 0;
    sooth_env_init(&env);
    if (read_trace(&env, path, &csv) != SOOTH_OK) return fail(env.sentence, "");
    x = malloc((csv.rows + 1) * READ * sizeof *x);
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) said[t] = calloc((csv.rows + 1) * 3, sizeof(float));
    if (!x || !said[0] || !said[1]) failed = fail("no memory", "");
    for (int c = 0; !failed && c < READ; ++c) {
        const size_t column = sooth_csv_find(&csv, names[c]);
        if (column == SIZE_MAX) failed = fail("the trace has no column ", names[c]);
        for (size_t i = 0; !failed && i < csv.rows; ++i)
            x[i * READ + (size_t)c] = csv.cell[i * csv.cols + column];
    }
    for (uint32_t t = 0; !failed && t < SERVING_TARGETS; ++t)
        if (replay(&env, x, csv.rows, t, late, said[t]) != SOOTH_OK) failed = fail(env.sentence, "");
    FILE *file = failed ? NULL : out ? fopen(out, "w") : stdout;
    if (!failed && !file) failed = fail("cannot write ", out);
    if (file) fprintf(file, "ttft_p50,ttft_p90,ttft_p99,tpot_p50,tpot_p90,tpot_p99\n");
    for (size_t i = 0; file && i < csv.rows; ++i)
        for (int c = 0; c < 6; ++c) {
            const float v = said[c / 3][i * 3 + (size_t)c % 3];
            if (v > 0 && v <= FLT_MAX) fprintf(file, "%.9g", (double)v);
            fputc(c < 5 ? ',' : '\n', file);
        }
    if (file && file != stdout && fclose(file) != 0) failed = fail("cannot write ", out);
    for (int t = 0; t < SERVING_TARGETS; ++t) free(said[t]);
    free(x);
    sooth_csv_free(&env, &csv);
    return failed;
}

int main(int count, char **word) {
    const char *path = NULL, *out = NULL, *order = "seen";
    for (int i = 1; i < count; ++i) {
        const char **value = !strcmp(word[i], "--trace")   ? &path
                             : !strcmp(word[i], "--order") ? &order
                             : !strcmp(word[i], "-o")      ? &out
                                                           : NULL;
        if (!value) return fail("no option ", word[i]), 2;
        if (i + 1 == count) return fail(word[i], " needs a value"), 2;
        *value = word[++i];
    }
    if (strcmp(order, "seen") != 0 && strcmp(order, "late") != 0)
        return fail("--order is seen or late, not ", order), 2;
    if (path) return trace(path, !strcmp(order, "late"), out);
    return 0;
}
