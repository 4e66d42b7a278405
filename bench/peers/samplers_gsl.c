/* samplers_gsl.c - points by GSL beside those of sooth: build with -O3 -Iinclude -lgsl -lgslcblas -lm.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Prints a line for each sequence and dimension: points per second of both, and the ratio; medians of
 * rounds in which both take turns, in process CPU time. words: n (points per block of sooth; GSL has only
 * points one by one), d (one dimension only).
 */
#define _POSIX_C_SOURCE 200809L
#include <gsl/gsl_qrng.h>

#define SOOTH_IMPLEMENTATION
#include "../harness.h"
#include "../samplers.h"

enum { POINTS = 200000, ROUNDS = 15 };

static double points_of_gsl(const gsl_qrng_type *type, unsigned dims) {
    gsl_qrng *q = gsl_qrng_alloc(type, dims);
    double x[64], start, seconds;
    volatile double keep = 0.0;
    size_t i;
    start = bench_clock();
    for (i = 0; i < POINTS; ++i) gsl_qrng_get(q, x);
    seconds = bench_clock() - start;
    keep = keep + x[0];
    gsl_qrng_free(q);
    return POINTS / seconds;
}

static double points_of_sooth(const bench_points *b) {
    uint64_t next = 1;
    double start = bench_clock();
    volatile double keep = 0.0;
    while (next <= POINTS) {
        if (strcmp(b->sampler, "halton") == 0) sooth_halton_fill(b->halton, &next, b->rows, b->out);
        else sooth_sobol_fill(b->sobol, &next, b->rows, b->out);
        keep = keep + b->out[0];
    }
    return (double)(next - 1) / (bench_clock() - start);
}

static void compare(const char *name, const gsl_qrng_type *type, unsigned dims, const char *sampler,
                    uint32_t scramble) {
    double ours[ROUNDS], theirs[ROUNDS], a, b;
    bench_points q;
    sooth_halton_options h;
    sooth_sobol_options s;
    void *memory;
    int r;
    memset(&h, 0, sizeof h);
    memset(&s, 0, sizeof s);
    h.dims = s.dims = dims;
    h.scramble = scramble;
    s.numbers = strcmp(sampler, "niederreiter") == 0 ? SOOTH_SOBOL_NIEDERREITER : SOOTH_SOBOL_JOE_KUO;
    memory = malloc(sooth_halton_size(&h) + sooth_sobol_size(&s));
    q.sampler = sampler;
    q.rows = bench_count("n", 1024);
    q.out = (double *)malloc(q.rows * dims * sizeof *q.out);
    if (!memory || !q.out) bench_stop("no memory", NULL);
    if (strcmp(sampler, "halton") == 0) sooth_halton_init(NULL, &h, memory, sooth_halton_size(&h), &q.halton);
    else sooth_sobol_init(NULL, &s, memory, sooth_sobol_size(&s), &q.sobol);
    for (r = -1; r < ROUNDS; ++r) {
        a = points_of_sooth(&q);
        b = points_of_gsl(type, dims);
        if (r < 0) continue;
        ours[r] = a;
        theirs[r] = b;
    }
    a = bench_median(ours, ROUNDS);
    b = bench_median(theirs, ROUNDS);
    printf("%-16s d=%-3u sooth %.3g points/s, GSL %.3g points/s, ratio %.2f\n", name, dims, a, b, a / b);
    free(memory);
    free(q.out);
}

int main(int count, char **word) {
    static const unsigned dims[] = {2, 8, 32};
    size_t i;
    bench_words = count;
    bench_word = word;
    setenv("BENCH_CLOCK", "cpu", 1);
    for (i = 0; i < 3; ++i) {
        if (bench_count("d", dims[i]) != dims[i]) continue;
        compare("halton", gsl_qrng_halton, dims[i], "halton", SOOTH_HALTON_PLAIN);
        compare("reverse halton", gsl_qrng_reversehalton, dims[i], "halton", SOOTH_HALTON_REVERSE);
        compare("sobol", gsl_qrng_sobol, dims[i], "sobol", 0);
        if (dims[i] <= 12) compare("niederreiter", gsl_qrng_niederreiter_2, dims[i], "niederreiter", 0);
    }
    return 0;
}
