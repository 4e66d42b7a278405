/* fit.c - one model of rows that several MPI processes hold.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     mpirun -n 4 build/mpi/fit rows=1000000 cols=10 set="max_depth=8 n_estimators=200" out=m.sooth
 *     mpirun -n 4 build/mpi/fit model=forest data=FILE.csv target=watts out=m.sooth
 *
 * Without data the rows are Friedman's function (Multivariate adaptive regression splines, 1991) with noise.
 * Each row is drawn by its number, so any process can make any of them. share=0: the processes have equally
 * many rows; 1: very different numbers. workers=N: threads of each process. fail=N: process N has a row
 * without a target, to test the effect on the others. die=N at=M: process N ends after M reductions. Process
 * 0 writes the model to `out`. All processes have it: keep=N kept=FILE makes process N write its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sooth.h"
#include "sooth/files.h"
#include "sooth/threads.h"
#include "sooth_mpi.h"

static int words;
static char **word;

/* The text after `name=` on the command line. */
static const char *text(const char *name, const char *otherwise) {
    const size_t size = strlen(name);
    for (int k = 1; k < words; ++k)
        if (!strncmp(word[k], name, size) && word[k][size] == '=') return word[k] + size + 1;
    return otherwise;
}
static size_t number(const char *name, size_t otherwise) {
    const char *given = text(name, NULL);
    return given ? (size_t)strtoull(given, NULL, 10) : otherwise;
}

/* Something that this process alone may have met. */
static void stop(const sooth_env *env, const char *sentence) {
    fprintf(stderr, "process %zu: %s\n", env->rank, sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* The first row of process k. */
static size_t begin_of(size_t k, size_t ranks, size_t rows, size_t share) {
    size_t before = 0, all = 0;
    for (size_t r = 0; r < ranks; ++r) {
        const size_t part = share ? 1 + r * r : 1;
        before += r < k ? part : 0;
        all += part;
    }
    return rows * before / all;
}

static void friedman(float *row, float *y, size_t cols, size_t number_of_row) {
    sooth_rng rng;
    sooth_rng_init(&rng, 1, number_of_row);
    for (size_t j = 0; j < cols; ++j) row[j] = sooth_rng_float(&rng);
    *y = (float)(10.0 * sin(3.14159265358979 * row[0] * row[1]) + 20.0 * (row[2] - 0.5) * (row[2] - 0.5) +
                 10.0 * row[3] + 5.0 * row[4] + sooth_rng_normal(&rng));
}

/* The rows of this process, made. */
static sooth_table make_rows(sooth_env *env, size_t from, size_t end, size_t cols) {
    float *x = (float *)malloc(((end - from) * (cols + 1) + 1) * sizeof *x), *y = x + (end - from) * cols;
    if (!x || cols < 5) stop(env, x ? "cols must be at least 5" : "no memory for the rows");
    for (size_t i = from; i < end; ++i) friedman(x + (i - from) * cols, y + (i - from), cols, i);
    return sooth_table_of(x, y, end - from, cols);
}

/* The rows of this process, from a file that all can read. The data live as long as the program. */
static sooth_table read_rows(sooth_env *env, const char *path, size_t share) {
    static sooth_csv csv;
    static sooth_csv_data data;
    sooth_csv_table_options choice = {.target = text("target", NULL)};
    sooth_file file;
    if (sooth_file_read(env, path, &file) != SOOTH_OK) stop(env, env->sentence);
    if (sooth_csv_read(env, file.bytes, file.size, NULL, &csv) != SOOTH_OK ||
        sooth_csv_table(env, &csv, &choice, &data) != SOOTH_OK)
        stop(env, env->sentence);
    sooth_file_free(env, &file);
    sooth_table table = data.table;
    const size_t from = begin_of(env->rank, env->ranks, table.rows, share);
    table.rows = begin_of(env->rank + 1, env->ranks, table.rows, share) - from;
    table.x += from * table.stride;
    table.y += from * table.targets;
    return table;
}

/* "name=value name=value" into options. */
static void set_options(sooth_env *env, sooth_option_list list, void *options) {
    char copy[512], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text("set", ""));
    for (char *one = strtok_r(rest, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(one, '=');
        if (!value) stop(env, "set wants name=value");
        *value++ = 0;
        if (sooth_option_set(env, list, options, one, value) != SOOTH_OK) stop(env, env->sentence);
    }
}

static sooth_status fit(sooth_env *env, const sooth_table *table, sooth_block **model) {
    sooth_boost_options boost;
    sooth_linear_options linear;
    sooth_forest_options forest;
    memset(&boost, 0, sizeof boost);
    memset(&linear, 0, sizeof linear);
    memset(&forest, 0, sizeof forest);
    if (!strcmp(text("model", "boost"), "linear")) {
        sooth_linear *m = NULL;
        set_options(env, sooth_linear_options_list(), &linear);
        const sooth_status status = sooth_linear_fit(env, table, &linear, &m);
        *model = m ? &m->head : NULL;
        return status;
    }
    if (!strcmp(text("model", "boost"), "forest")) {
        sooth_forest *m = NULL;
        set_options(env, sooth_forest_options_list(), &forest);
        const sooth_status status = sooth_forest_fit(env, table, &forest, &m);
        *model = m ? &m->head : NULL;
        return status;
    }
    sooth_boost *m = NULL;
    set_options(env, sooth_boost_options_list(), &boost);
    const sooth_status status = sooth_boost_fit(env, table, &boost, &m);
    *model = m ? &m->head : NULL;
    return status;
}

/* The reduction of a process that ends after this many. */
static int reduce_or_die(void *user, sooth_reduction what, int64_t *value, size_t count) {
    if (((const sooth_mpi *)user)->calls == number("at", 0)) _exit(3);
    return sooth_mpi_reduce(user, what, value, count);
}

static void write_model(sooth_env *env, const sooth_block *model, const char *path) {
    if (sooth_file_save_model(env, sooth_model_from_block(model), path) != SOOTH_OK) stop(env, env->sentence);
}

int main(int count, char **argument) {
    sooth_env env;
    sooth_mpi mpi = {MPI_COMM_WORLD, 0, 0};
    sooth_block *model = NULL;
    words = count;
    word = argument;
    MPI_Init(&count, &argument);
    sooth_env_init(&env);
    sooth_mpi_join(&env, &mpi);
    static sooth_threads pool;
    const size_t rows = number("rows", 100000), cols = number("cols", 10), share = number("share", 0);
    if (number("workers", 1) > 1 && sooth_threads_start(&env, &pool, number("workers", 1)) != SOOTH_OK)
        stop(&env, env.sentence);
    sooth_table table = text("data", NULL) ? read_rows(&env, text("data", NULL), share)
                                           : make_rows(&env, begin_of(env.rank, env.ranks, rows, share),
                                                       begin_of(env.rank + 1, env.ranks, rows, share), cols);
    if (number("die", SIZE_MAX) == env.rank) env.reduce_fn = reduce_or_die;
    if (number("fail", SIZE_MAX) == env.rank) ((float *)(uintptr_t)table.y)[0] = NAN;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const sooth_status status = fit(&env, &table, &model);
    const double took = MPI_Wtime() - start;
    if (status != SOOTH_OK && env.rank == 0) fprintf(stderr, "%s\n", env.sentence); /* all have the same */
    if (status == SOOTH_OK) {
        const char *out = text("out", NULL);
        printf("process %zu of %zu: %zu rows, %.3f s, %llu reductions, %llu bytes\n", env.rank, env.ranks,
               table.rows, took, (unsigned long long)mpi.calls, (unsigned long long)mpi.bytes);
        if (out && env.rank == 0) write_model(&env, model, out);
        if (number("keep", SIZE_MAX) == env.rank) write_model(&env, model, text("kept", "kept"));
    }
    if (number("workers", 1) > 1) sooth_threads_stop(&pool);
    MPI_Finalize();
    return status == SOOTH_OK ? 0 : 1;
}
