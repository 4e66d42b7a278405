/* samples.h - reads StarPU's measurements of a codelet: sampling/codelets/45/SYMBOL.HOST.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The file (version 45, that of StarPU 1.3) is numbers in a fixed order, with comments from # to the end of a
 * line. First are the version and the number of combinations of devices. Each combination has its number of
 * devices, and for each of these its type, number and cores. Then comes the number of implementations. Each
 * implementation has the count of its entries, nine numbers of the regression time = alpha size^beta, three
 * of time = a size^b + c, whether there is a multiple regression, and its entries, eight numbers each. Times
 * are microseconds, sizes bytes.
 *
 *     samples_file file;
 *     if (!samples_read(&file, "gemm.host")) return puts(file.sentence), 1;
 *     samples_learn(&gemm_on_cpu, &file, samples_of(&file, SAMPLES_CPU)); // expected.h
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "expected.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_CPU = 0,
    SAMPLES_CUDA = 1,
    SAMPLES_OPENCL = 2,
    SAMPLES_MOST_ENTRIES = 4096,
    SAMPLES_MOST_PARTS = 64
};

/* Orders of tiles that `cholesky --sample` runs, and which of them are left out of StarPU's regressions. */
static const int samples_sizes[] = {16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320};
static inline int samples_unseen(int n) {
    return n == 24 || n == 48 || n == 80 || n == 112 || n == 160 || n == 224 || n == 320;
}

/* One implementation on one device, and StarPU's own regressions over its sizes; NaN if it has none. */
typedef struct samples_part {
    int type, device, cores, implementation;
    double alpha, beta, a, b, c;
    double least, most; /* sizes that the regressions know */
    double measured;    /* times */
} samples_part;

/* All runs with the same footprint. */
typedef struct samples_entry {
    int part; /* of samples_file.part */
    uint32_t footprint;
    double size, flops, mean, deviation, sum, sum2;
    double count; /* of runs */
} samples_entry;

typedef struct samples_file {
    int parts, count;
    samples_part part[SAMPLES_MOST_PARTS];
    samples_entry entry[SAMPLES_MOST_ENTRIES];
    char sentence[160]; /* the error message */
} samples_file;

/* The next word outside of comments; 0 at the end. */
static inline int samples_word(FILE *f, char word[64]) {
    size_t n = 0;
    int c;
    while ((c = getc(f)) != EOF) {
        if (c == '#')
            while (c != EOF && c != '\n') c = getc(f);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == EOF) {
            if (n > 0 || c == EOF) break;
        } else if (n < 63) word[n++] = (char)c;
    }
    word[n] = 0;
    return n > 0;
}

static inline int samples_number(FILE *f, double *value) {
    char word[64], *end;
    if (!samples_word(f, word)) return 0;
    *value = strtod(word, &end);
    return *end == 0;
}

/* An integer of 0 to most. */
static inline int samples_whole(FILE *f, int most, int *value) {
    double number;
    if (!samples_number(f, &number) || !(number >= 0.0 && number <= (double)most)) return 0;
    *value = (int)number;
    return (double)*value == number;
}

static inline int samples_numbers(FILE *f, int count, double *value) {
    for (int i = 0; i < count; ++i)
        if (!samples_number(f, &value[i])) return 0;
    return 1;
}

static inline const char *samples_implementation(FILE *f, samples_file *file, const samples_part *where) {
    int entries, multiple;
    double r[12], e[7];
    char word[64], *end;
    samples_part *p = &file->part[file->parts];
    if (file->parts == SAMPLES_MOST_PARTS) return "has more devices and implementations than fit";
    *p = *where;
    if (!samples_whole(f, SAMPLES_MOST_ENTRIES - file->count, &entries))
        return "has no count of entries, or more than fit";
    if (!samples_numbers(f, 12, r)) return "ends in a regression";
    if (!samples_whole(f, 1, &multiple)) return "ends behind a regression";
    if (multiple) return "has a multiple regression, which this reader does not know";
    p->alpha = r[4], p->beta = r[5], p->measured = r[6], p->least = r[7], p->most = r[8];
    p->a = r[9], p->b = r[10], p->c = r[11];
    for (int i = 0; i < entries; ++i) {
        samples_entry *to = &file->entry[file->count];
        if (!samples_word(f, word)) return "ends in its entries";
        to->footprint = (uint32_t)strtoul(word, &end, 16);
        if (*end || !samples_numbers(f, 7, e)) return "has an entry that is no eight numbers";
        to->part = file->parts;
        to->size = e[0], to->flops = e[1], to->mean = e[2], to->deviation = e[3];
        to->sum = e[4], to->sum2 = e[5], to->count = e[6];
        ++file->count;
    }
    ++file->parts;
    return NULL;
}

static inline const char *samples_combinations(FILE *f, samples_file *file) {
    int version, combinations, devices, implementations;
    if (!samples_whole(f, 1 << 20, &version)) return "is no sampling file of StarPU's";
    if (version != 45) return "is not of version 45, that of StarPU 1.3";
    if (!samples_whole(f, SAMPLES_MOST_PARTS, &combinations))
        return "has no count of combinations, or more than fit";
    for (int i = 0; i < combinations; ++i) {
        samples_part part;
        memset(&part, 0, sizeof part);
        if (!samples_whole(f, 64, &devices)) return "ends in a combination";
        for (int j = 0; j < devices; ++j)
            if (!samples_whole(f, 64, &part.type) || !samples_whole(f, 1 << 20, &part.device) ||
                !samples_whole(f, 1 << 20, &part.cores))
                return "ends in a device";
        if (devices != 1) return "has a combination that is not one device";
        if (!samples_whole(f, 64, &implementations)) return "has no count of implementations";
        for (part.implementation = 0; part.implementation < implementations; ++part.implementation) {
            const char *wrong = samples_implementation(f, file, &part);
            if (wrong) return wrong;
        }
    }
    return NULL;
}

/* 1, or 0 and a sentence. */
static inline int samples_read(samples_file *file, const char *path) {
    FILE *f = fopen(path, "r");
    const char *wrong = "cannot be opened";
    file->parts = file->count = 0;
    if (f) {
        wrong = samples_combinations(f, file);
        fclose(f);
    }
    if (wrong) snprintf(file->sentence, sizeof file->sentence, "%.90s %s", path, wrong);
    return wrong == NULL;
}

/* The first implementation on the first device of a type; NULL: there is none. */
static inline const samples_part *samples_of(const samples_file *file, int type) {
    for (int i = 0; i < file->parts; ++i)
        if (file->part[i].type == type && file->part[i].implementation == 0) return &file->part[i];
    return NULL;
}

/* The entries of one device as measurements: each mean once, for the law of sizes. */
static inline void samples_learn(expected *e, const samples_file *file, const samples_part *part) {
    for (int i = 0; i < file->count; ++i)
        if (&file->part[file->entry[i].part] == part && file->entry[i].count > 0.0)
            expected_observe(e, file->entry[i].footprint, file->entry[i].size, file->entry[i].mean);
    if (e->recorder && e->recorder->known >= EXPECTED_SIZES) expected_fit(e);
}

#endif /* SAMPLES_H */
