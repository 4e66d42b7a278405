/* ptx.h - times the reading of PTX (task ptx): build/bench task=ptx data=FILE.ptx.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * train is the seconds of reading the file with everything that belongs to it (instructions, flow graphs,
 * dominators, loops, trip counts); batch is bytes a second. Make a large file of what nvcc writes: nvcc -ptx
 * of something with many templates, several times over.
 *
 * Floor: every byte is looked at once, by a load from a table and a branch that is mostly foreseen; the note
 * has the speed of such a loop over the same text. Every instruction (40 bytes of text) leaves 16 bytes, and
 * pages that are new: 20,000 cycles a MB.
 */
#include "sooth/ptx.h"

typedef struct bench_ptx_run {
    sooth_env *env;
    const char *text;
    size_t size;
} bench_ptx_run;

static double bench_ptx_once(void *arg) {
    const bench_ptx_run *b = (const bench_ptx_run *)arg;
    sooth_ptx ptx;
    double instructions;
    if (sooth_ptx_read(b->env, b->text, b->size, NULL, &ptx) != SOOTH_OK) bench_stop("ptx", b->env->sentence);
    instructions = (double)ptx.instructions;
    sooth_ptx_free(b->env, &ptx);
    return instructions;
}

enum { BENCH_PTX_OTHER, BENCH_PTX_BLANK, BENCH_PTX_LETTER };

/* The kind of every byte. */
static void bench_ptx_kinds(unsigned char kind[256]) {
    for (int c = 0; c < 256; ++c)
        kind[c] = c == ' ' || (c >= '\t' && c <= '\r') ? BENCH_PTX_BLANK
                  : c == '$' || c == '_' || c == '%' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')
                      ? BENCH_PTX_LETTER
                      : BENCH_PTX_OTHER;
}

/* The floor: words counted with a table of bytes, as the reader has one. */
static double bench_ptx_scan(void *arg) {
    const bench_ptx_run *b = (const bench_ptx_run *)arg;
    unsigned char table[256];
    size_t words = 0;
    unsigned before = BENCH_PTX_BLANK;
    bench_ptx_kinds(table);
    for (size_t i = 0; i < b->size; ++i) {
        const unsigned kind = table[(unsigned char)b->text[i]];
        if (kind == BENCH_PTX_LETTER && before == BENCH_PTX_BLANK) ++words;
        before = kind;
    }
    return (double)words;
}

static void bench_ptx(bench_result *result) {
    sooth_env env;
    bench_ptx_run b;
    FILE *file = fopen(bench_text("data", ""), "rb");
    char *text = NULL;
    long size = -1;
    double instructions;
    bench_env(&env);
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
        (text = (char *)malloc((size_t)size)) != NULL) {
        rewind(file);
        size = (long)fread(text, 1, (size_t)size, file);
    }
    if (!text) bench_stop("cannot read the file", bench_text("data", ""));
    fclose(file);
    result->load_kb = bench_peak_kb();
    b.env = &env;
    b.text = text;
    b.size = (size_t)size;
    do {
        double start = bench_clock();
        instructions = bench_ptx_once(&b);
        bench_trained(result, bench_clock() - start);
    } while (bench_more(result));
    result->bytes = (double)size;
    result->batch_rows = (double)size / bench_time(bench_ptx_once, &b);
    snprintf(result->note, sizeof result->note, "%.0f instructions, %.0f MB/s, floor %.0f MB/s", instructions,
             result->batch_rows / 1e6, (double)size / 1e6 / bench_time(bench_ptx_scan, &b));
    free(text);
}
