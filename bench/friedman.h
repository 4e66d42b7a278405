/* friedman.h - writes the data of the benches: task=friedman out=FILE n=10000 d=10 seed=1 [as=csv].
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Friedman #1 (Multivariate adaptive regression splines, 1991): y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10
 * x4 + 5 x5 + e with uniform features and standard normal e; the columns from the sixth on are noise.
 * Float32, row by row, the target last; as=csv: text with a head of x1,x2,...,y.
 */
#include "sooth/base.h"

static void bench_friedman(bench_result *result) {
    size_t n = bench_count("n", 10000), d = bench_count("d", 10);
    FILE *file = fopen(bench_text("out", ""), "wb");
    float *row = (float *)malloc((d + 1) * sizeof *row);
    sooth_rng rng;
    const int text = strcmp(bench_text("as", ""), "csv") == 0;
    if (!file || !row || d < 5) bench_stop("cannot write", bench_text("out", ""));
    for (size_t j = 1; text && j <= d; ++j) fprintf(file, j < d ? "x%zu," : "x%zu,y\n", j);
    sooth_rng_init(&rng, (uint64_t)bench_count("seed", 1), (uint64_t)d);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < d; ++j) row[j] = sooth_rng_float(&rng);
        row[d] = (float)(10.0 * sin(3.14159265358979 * (double)row[0] * (double)row[1]) +
                         20.0 * ((double)row[2] - 0.5) * ((double)row[2] - 0.5) + 10.0 * (double)row[3] +
                         5.0 * (double)row[4] + sooth_rng_normal(&rng));
        for (size_t j = 0; text && j <= d; ++j) fprintf(file, j < d ? "%.7g," : "%.7g\n", (double)row[j]);
        if (!text && fwrite(row, sizeof *row, d + 1, file) != d + 1)
            bench_stop("cannot write", bench_text("out", ""));
    }
    free(row);
    if (fclose(file) != 0) bench_stop("cannot write", bench_text("out", ""));
    snprintf(result->note, sizeof result->note, "%u rows", (unsigned)n);
}
