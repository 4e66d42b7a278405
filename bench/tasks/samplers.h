/* samplers.h - times points that fill a space evenly: task=qmc d=8 sampler=halton scramble=plain n=1024.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: sampler (halton, sobol, niederreiter, r2), scramble (the sampler's word), leap, n (points per
 * block), float (1: floats instead of doubles)
 *
 * Floor: a coordinate is 8 bytes written. Sobol: an exclusive or, two steps to make a double of it and a
 * store; with 2 doubles to a vector 2 instructions per coordinate, half a cycle. Halton: an addition, the
 * same two steps, a division (4 to 5 cycles for two in a vector, which hides all the rest), and a store of
 * its own, since the coordinates of a point come from different tables: 2.5 cycles.
 */
#include "sooth/halton.h"
#include "sooth/sobol.h"

typedef struct bench_points {
    sooth_halton *halton;
    sooth_sobol *sobol;
    sooth_r2 *r2;
    const char *sampler;
    int floats;
    size_t rows;
    size_t dims;
    double *out;
} bench_points;

/* A million points, from the beginning, in blocks that stay in the cache. */
static double bench_points_pass(void *arg) {
    const bench_points *b = (const bench_points *)arg;
    uint64_t next = 1;
    float *floats = (float *)(void *)b->out;
    while (next <= 1000000) {
        if (strcmp(b->sampler, "halton") == 0) {
            if (b->floats) sooth_halton_fill_float(b->halton, &next, b->rows, floats);
            else sooth_halton_fill(b->halton, &next, b->rows, b->out);
        } else if (strcmp(b->sampler, "r2") == 0) {
            sooth_r2_fill(b->r2, &next, b->rows, b->out);
        } else {
            if (b->floats) sooth_sobol_fill_float(b->sobol, &next, b->rows, floats);
            else sooth_sobol_fill(b->sobol, &next, b->rows, b->out);
        }
    }
    return b->floats ? (double)floats[b->rows * b->dims - 1] : b->out[b->rows * b->dims - 1];
}

/* A sampler in memory of its own, which lives as long as the program. */
static void bench_points_make(bench_points *b, bench_result *result) {
    sooth_env env;
    sooth_status status;
    const char *scramble = bench_text("scramble", "plain");
    uint32_t dims = (uint32_t)bench_count("d", 8);
    void *memory;
    sooth_env_init(&env);
    if (strcmp(b->sampler, "halton") == 0) {
        sooth_halton_options options;
        memset(&options, 0, sizeof options);
        options.dims = dims;
        options.leap = (uint32_t)bench_count("leap", 1);
        status = sooth_option_set(&env, sooth_halton_options_list(), &options, "scramble", scramble);
        result->bytes = (double)sooth_halton_size(&options);
        memory = malloc(sooth_halton_size(&options));
        if (status == SOOTH_OK)
            status = sooth_halton_init(&env, &options, memory, sooth_halton_size(&options), &b->halton);
    } else if (strcmp(b->sampler, "r2") == 0) {
        result->bytes = (double)sooth_r2_size(dims);
        memory = malloc(sooth_r2_size(dims));
        status = sooth_r2_init(&env, dims, memory, sooth_r2_size(dims), &b->r2);
    } else {
        sooth_sobol_options options;
        memset(&options, 0, sizeof options);
        options.dims = dims;
        if (strcmp(b->sampler, "niederreiter") == 0) options.numbers = SOOTH_SOBOL_NIEDERREITER;
        status = sooth_option_set(&env, sooth_sobol_options_list(), &options, "scramble", scramble);
        result->bytes = (double)sooth_sobol_size(&options);
        memory = malloc(sooth_sobol_size(&options));
        if (status == SOOTH_OK)
            status = sooth_sobol_init(&env, &options, memory, sooth_sobol_size(&options), &b->sobol);
    }
    if (status != SOOTH_OK) bench_stop("task qmc", env.sentence);
}

static void bench_qmc(bench_result *result) {
    bench_points b;
    b.sampler = bench_text("sampler", "halton");
    b.floats = bench_count("float", 0) != 0;
    b.dims = bench_count("d", 8);
    b.rows = bench_count("n", 1024);
    bench_points_make(&b, result);
    b.out = (double *)malloc(b.rows * b.dims * sizeof *b.out);
    if (!b.out) bench_stop("no memory", NULL);
    double points = (double)((1000000 + b.rows - 1) / b.rows * b.rows);
    double seconds = bench_time(bench_points_pass, &b);
    result->batch_rows = points / seconds;
    snprintf(result->note, sizeof result->note, "%s %s, %.3f ns per coordinate", b.sampler,
             bench_text("scramble", "plain"), 1e9 * seconds / points / (double)b.dims);
    free(b.out);
}
