/* test_csv_pieces.c - a CSV file read in pieces, by any number of workers, is the file read in one piece.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
static size_t piece_bytes; /* what soothi_csv_read cuts by; everything else is as in every program */
#define SOOTHI_CSV_PIECE piece_bytes
#define SOOTH_IMPLEMENTATION
#include "sooth/csv.h"
#include "sooth/threads.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

static sooth_env env;
static sooth_threads pool;

/* ---- what was read, as one number ---- */

static uint32_t mix(uint32_t h, const void *bytes, size_t size) {
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i) h = (h ^ b[i]) * 16777619u;
    return h ^ (h >> 15);
}

static uint32_t mix_number(uint32_t h, size_t n) { return mix(h, &n, sizeof n); }

static uint32_t digest(const sooth_csv *csv) {
    uint32_t h = mix(2166136261u, csv->cell, csv->rows * csv->cols * sizeof *csv->cell);
    h = mix(h, csv->line, csv->rows * sizeof *csv->line);
    h = mix_number(mix_number(h, csv->blank_rows), csv->first_blank);
    h = mix_number(mix_number(h, csv->short_rows), csv->first_short);
    h = mix_number(mix_number(h, (size_t)csv->decimal), csv->rows);
    for (size_t j = 0; j < csv->cols; ++j) {
        const sooth_csv_column *c = &csv->column[j];
        h = mix_number(mix_number(mix_number(h, c->is_text), c->missing), c->odd_line);
        h = mix_number(h, c->vague_line);
        h = mix(mix_number(mix_number(h, c->worded), c->worded_line), c->word, sizeof c->word);
        for (uint32_t t = 0; t < c->texts; ++t) h = mix(h, c->text[t], strlen(c->text[t]));
    }
    return h;
}

/* The digest of a text, or that of the sentence it is refused with. */
static uint32_t read_in(const char *text, size_t size, size_t bytes) {
    sooth_csv csv;
    piece_bytes = bytes;
    if (sooth_csv_read(&env, text, size, NULL, &csv) != SOOTH_OK)
        return mix(1, env.sentence, strlen(env.sentence));
    const uint32_t h = digest(&csv);
    sooth_csv_free(&env, &csv);
    return h;
}

static int same_in_pieces(const char *text, size_t size) {
    static const size_t bytes[] = {1, 2, 3, 7, 64, 65, 200};
    char *exact = (char *)malloc(size ? size : 1); /* what reads beyond it is seen by a sanitizer */
    memcpy(exact, text, size);
    const uint32_t whole = read_in(exact, size, (size_t)1 << 30);
    int same = 1;
    for (size_t k = 0; k < sizeof bytes / sizeof bytes[0]; ++k)
        same &= read_in(exact, size, bytes[k]) == whole;
    free(exact);
    return same;
}

/* ---- the texts ---- */

static const char *const given[] = {
    "a,b\n1,2\n3,4\n",
    "a,b\n1,2\n3,4",
    "a,b\r\n1,2\r\n3,\"4\r\n5\"\r\n6,7\r\n",
    "a\r1\r2\r\r\r3\r",
    "a;b\n1,5;2\n\"1\"\"5\";3\n 4 ;\"5\" 6\n",
    "a,b\n,\"\"\nNA,\"x\"\"y\"\n null ,\"q\"\"\"\n-,\"nan\"\nn/A,4\n",
    "a;b\n1.5;2\n2.25;7\n",
    "a,b\n1,\"x\ny\n\nz\"\n,\n ,\t\n2,\"x\"\n3\n\n\n\n4,w\n",
    "a,b\n1,2\n3,4,5\n6,\"7\n",             /* a cell too many comes before a quote that stays open */
    "a,b\n1,2\n6,\"7\n3,4,5\n",             /* and here it is within the quote */
    "a,b\n1,a\"b\n2,\"\"\"\"\n3, \"q\" \n", /* quotes that open nothing */
    "a\tb\n1\t\" 2 \"\t\n3\t4\n",
    "a,b\n1 s,?\n2 s,[N/A]\n#,,#\n3 ms,\"\"\"4\"\n# \"x,\n5 s,6\n",
    "# c\n\nt,p\ns,W\n#1,2,3\n1-00:00:01,2\n#,\"\n00:00:03.5,4\n\x1A\n",
    "sep=|\r\na|b\r\n\"1,234\"|2,5\r\n0.5|1.234,5\r\n",
    "x\n0.1\n-0.1\n1e5\n-1E-5\n+3\n.5\n5.\n1e400\nnan\n12345678901234567890\n0.000000000000000000001\n",
    "x,y\n16777217,33554435\n16777219,0.30000001192092896\n"};

static void texts_are_the_same_in_pieces(void) {
    for (size_t k = 0; k < sizeof given / sizeof given[0]; ++k)
        CHECK(same_in_pieces(given[k], strlen(given[k])));
}

/* Signs that matter, at random. */
static void random_texts_are_the_same_in_pieces(void) {
    static const char sign[] = "\"\",;,\n\n\r \t.0123456789e-+aN#s:?";
    char text[400];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (unsigned k = 0, most = check_is_slow() ? 100000 : 300; k < most; ++k) {
        const size_t size = 6 + sooth_rng_below(&rng, sizeof text - 6);
        for (size_t i = 0; i < size; ++i) text[i] = sign[sooth_rng_below(&rng, sizeof sign - 1)];
        memcpy(text, "a,b,c\n", 6);
        CHECK(same_in_pieces(text, size));
    }
}

/* Rows of numbers, long enough for those that look at eight bytes at once, with one odd cell. */
static void random_numbers_are_the_same_in_pieces(void) {
    char text[3000];
    sooth_rng rng;
    sooth_rng_init(&rng, 2, 0);
    for (unsigned k = 0, most = check_is_slow() ? 20000 : 60; k < most; ++k) {
        const char *const end = sooth_rng_below(&rng, 3) ? "\n" : "\r\n";
        size_t n = 6;
        memcpy(text, "a,b,c\n", 6);
        while (n + 100 < sizeof text) {
            for (unsigned j = 0; j < 3; ++j) {
                const uint32_t bits = sooth_rng_next(&rng);
                n += (size_t)snprintf(text + n, 40, bits % 9 ? "%.*g" : "", (int)(bits % 17),
                                      (double)bits * 1e-5 - 20000.0);
                n += (size_t)snprintf(text + n, 3, "%s", j < 2 ? "," : end);
            }
        }
        text[6 + sooth_rng_below(&rng, (uint32_t)n - 6)] = "\"x \r"[sooth_rng_below(&rng, 4)];
        CHECK(same_in_pieces(text, n));
    }
}

/* A cell that is a number in one of many forms, nothing, or a word. */
static size_t random_cell(sooth_rng *rng, char point, char *to) {
    static const char *const form[] = {"%.0f", "%.1f", "%.5f", "%.9g", "%.17g", "%.3e", "%.16f", "%g"};
    static const char *const other[] = {"",      "",    "NA", "?",       "-",        ".",
                                        "-.",    "5.",  ".5", "007",     "-0",       "+1",
                                        "1.2.3", "1-2", "1e", "8388609", "16777217", "0.30000001192092896",
                                        "abc"};
    const uint32_t kind = sooth_rng_below(rng, 40);
    size_t n;
    if (kind < 2)
        n = (size_t)snprintf(to, 40, "%s", other[sooth_rng_below(rng, sizeof other / sizeof *other)]);
    else
        n = (size_t)snprintf(to, 40, form[kind % 8],
                             ((double)sooth_rng_next(rng) - 1e9) * (kind < 20   ? 1e-10
                                                                    : kind < 30 ? 1e-5
                                                                                : 1e3));
    for (size_t k = 0; k < n; ++k)
        if (to[k] == '.') to[k] = point;
    return n;
}

/* Cells that follow a blank are read one character after the other: the quick way reads the same. */
static void the_quick_way_is_the_slow_way(void) {
    static char quick[6000], slow[12000];
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (unsigned k = 0, most = check_is_slow() ? 30000 : 300; k < most; ++k) {
        const char separator = ",;\t|"[sooth_rng_below(&rng, 4)];
        const char point = separator == ';' && sooth_rng_below(&rng, 2) ? ',' : '.';
        const char *const end = sooth_rng_below(&rng, 3) ? "\n" : "\r\n";
        const uint32_t cols = 2 + sooth_rng_below(&rng, 9);
        size_t n = 0, m;
        for (uint32_t j = 0; j < cols; ++j)
            n += (size_t)snprintf(quick + n, 20, "c%u%c", j, j + 1 < cols ? separator : '\n');
        memcpy(slow, quick, m = n);
        while (n + 600 < sizeof quick) {
            const uint32_t odd = sooth_rng_below(&rng, 40); /* 0: a short row; 1: an empty cell too many */
            const uint32_t cells = odd == 0 ? 1 + sooth_rng_below(&rng, cols) : cols + (odd == 1);
            for (uint32_t j = 0; j < cells; ++j) {
                const size_t size = j < cols ? random_cell(&rng, point, quick + n) : 0;
                slow[m++] = ' ';
                memcpy(slow + m, quick + n, size);
                n += size;
                m += size;
                if (j + 1 < cells) quick[n++] = slow[m++] = separator;
            }
            if (quick[n - 1] == '\n') continue; /* a row of nothing */
            n += (size_t)snprintf(quick + n, 3, "%s", end);
            m += (size_t)snprintf(slow + m, 3, "%s", end);
        }
        const uint32_t all = read_in(slow, m, (size_t)1 << 30);
        CHECK(read_in(quick, n, (size_t)1 << 30) == all);
        CHECK(read_in(quick, n, 1 + sooth_rng_below(&rng, 300)) == all);
    }
}

/* What a file cannot have is told as ever: each allocation failing, cancelling. */
static sooth_status read_pieces(void) {
    sooth_csv csv;
    piece_bytes = 16;
    const char *const text = given[6];
    const sooth_status status = sooth_csv_read(&env, text, strlen(text), NULL, &csv);
    if (status == SOOTH_OK) sooth_csv_free(&env, &csv);
    return status;
}

static void every_allocation_may_fail(void) { CHECK_EVERY_ALLOCATION(&env, read_pieces(), (void)0); }

static void with_workers(void) {
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, 3), SOOTH_OK);
    texts_are_the_same_in_pieces();
    random_texts_are_the_same_in_pieces();
    random_numbers_are_the_same_in_pieces();
    sooth_threads_stop(&pool);
    sooth_env_init(&env);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(texts_are_the_same_in_pieces);
    CHECK_RUN(random_texts_are_the_same_in_pieces);
    CHECK_RUN(random_numbers_are_the_same_in_pieces);
    CHECK_RUN(the_quick_way_is_the_slow_way);
    CHECK_RUN(every_allocation_may_fail);
    CHECK_RUN(with_workers);
    return check_end("csv_pieces");
}
