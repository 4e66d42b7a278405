/* harness.h - what every benchmark shares: arguments, data, clock, medians and the line of JSON.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * One module has one header beside this one (tree.h, linear.h, ...) that defines
 *
 *     static void bench_dt(bench_result *result);
 *
 * and a line in the table of bench.c that says which task it does. Such a function reads its arguments with
 * bench_text and bench_number, its rows with bench_load, trains
 *
 *     while (bench_more(result)) {
 *         double start = bench_clock();
 *         ... train ...
 *         bench_trained(result, bench_clock() - start);
 *     }
 *
 * and fills what it measured into the result; what it leaves at NaN or 0 is not printed.
 *
 * Times are process CPU time when the environment has BENCH_CLOCK=cpu (then other jobs on the machine do not
 * count), wall time otherwise. Every figure is a median.
 */
#ifndef SOOTH_BENCH_HARNESS_H
#define SOOTH_BENCH_HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sooth/base.h"
#include "sooth/threads.h"

/* ---- arguments: key=value words ---- */

static int bench_words;
static char **bench_word;

/* The value of the first word that begins with "key=", or the fallback. */
static const char *bench_text(const char *key, const char *fallback) {
    size_t length = strlen(key);
    for (int i = 1; i < bench_words; ++i)
        if (strncmp(bench_word[i], key, length) == 0 && bench_word[i][length] == '=')
            return bench_word[i] + length + 1;
    return fallback;
}

static double bench_number(const char *key, double fallback) {
    const char *text = bench_text(key, NULL);
    return text ? atof(text) : fallback;
}

static size_t bench_count(const char *key, size_t fallback) {
    return (size_t)bench_number(key, (double)fallback);
}

/* Ends the program with a sentence. */
static void bench_stop(const char *sentence, const char *detail) {
    fprintf(stderr, "%s%s%s\n", sentence, detail ? ": " : "", detail ? detail : "");
    exit(1);
}

/* ---- time and memory ---- */

static double bench_clock(void) {
    static int cpu = -1;
    struct timespec t;
    if (cpu < 0) {
        const char *which = getenv("BENCH_CLOCK");
        cpu = which && strcmp(which, "cpu") == 0;
    }
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The most memory the process ever held, in kB. */
static double bench_peak_kb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss;
}

static int bench_compare(const void *a, const void *b) {
    double p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return (p > q) - (p < q);
}

/* Sorts value[0..count) and returns the median. */
static double bench_median(double *value, size_t count) {
    qsort(value, count, sizeof *value, bench_compare);
    return count % 2 ? value[count / 2] : 0.5 * (value[count / 2 - 1] + value[count / 2]);
}

/* Median seconds of one call of pass(arg): seven windows of at least 0.1 s, after one that warms up. The pass
   returns a number that depends on all of its work, so that the compiler keeps it. */
static double bench_time(double (*pass)(void *), void *arg) {
    double seconds[7];
    volatile double keep = 0.0;
    for (int window = -1; window < 7; ++window) {
        double start = bench_clock(), now;
        double calls = 0.0;
        do {
            keep = keep + pass(arg);
            calls += 1.0;
            now = bench_clock();
        } while (now - start < 0.1);
        if (window >= 0) seconds[window] = (now - start) / calls;
    }
    return bench_median(seconds, 7);
}

/* An allocator that knows the most bytes that were held at once. Only the thread that fits asks for any. */
static size_t bench_held, bench_held_most;

static inline void *bench_alloc(void *user, size_t size) {
    (void)user;
    bench_held += size;
    if (bench_held > bench_held_most) bench_held_most = bench_held;
    return malloc(size);
}
static inline void bench_free(void *user, void *memory, size_t size) {
    (void)user;
    if (memory) bench_held -= size;
    free(memory);
}

/* An env that works with threads=N threads. */
static inline void bench_env(sooth_env *env) {
    static sooth_threads pool;
    sooth_env_init(env);
    env->alloc_fn = bench_alloc;
    env->free_fn = bench_free;
    if (bench_count("threads", 1) > 1 &&
        sooth_threads_start(env, &pool, bench_count("threads", 1)) != SOOTH_OK)
        bench_stop("cannot start threads", env->sentence);
}

/* ---- data ---- */

/* Reads a file of little-endian float32, row by row: cols features, then the target. At most `limit` rows (0:
   all). The memory lives as long as the program. */
static void bench_load(const char *path, size_t cols, size_t limit, sooth_table *table) {
    FILE *file = fopen(path, "rb");
    size_t width = cols + 1;
    float *x, *y, *row;
    if (!file) bench_stop("cannot open", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    size_t rows = size > 0 ? (size_t)size / (width * sizeof(float)) : 0;
    if (limit && rows > limit) rows = limit;
    x = (float *)malloc((rows * cols + 1) * sizeof *x);
    y = (float *)malloc((rows + 1) * sizeof *y);
    row = (float *)malloc(width * sizeof *row);
    if (!x || !y || !row || rows == 0) bench_stop("cannot hold", path);
    for (size_t i = 0; i < rows; ++i) {
        if (fread(row, sizeof *row, width, file) != width) bench_stop("cannot read", path);
        memcpy(x + i * cols, row, cols * sizeof *x);
        y[i] = row[cols];
    }
    free(row);
    fclose(file);
    sooth_table_init(table, x, rows, cols);
    table->y = y;
    table->targets = 1;
}

/* 1 - (sum of squared errors) / (sum of squares around the mean). */
static double bench_r2(const float *y, const float *prediction, size_t count) {
    double mean = 0.0, error = 0.0, spread = 0.0;
    for (size_t i = 0; i < count; ++i) mean += (double)y[i];
    mean /= (double)count;
    for (size_t i = 0; i < count; ++i) {
        double e = (double)y[i] - (double)prediction[i], s = (double)y[i] - mean;
        error += e * e;
        spread += s * s;
    }
    return 1.0 - error / spread;
}

/* ---- the result ---- */

#define BENCH_MOST_REPEATS 64

typedef struct bench_result {
    double train[BENCH_MOST_REPEATS]; /* seconds of each training */
    size_t trainings;
    double load_kb, train_kb; /* peak memory after loading and after the first training */
    double bytes;             /* of the model */
    double r2;                /* on the test rows */
    double single_ns;         /* one row at a time */
    double batch_rows;        /* rows per second, all at once */
    char note[400];
} bench_result;

/* Readies env for the run and reads the rows to learn from (data=FILE d=10 n=0) and those to predict
   (test=FILE, else the same). */
static void bench_tables(bench_result *result, sooth_env *env, sooth_table *train, sooth_table *test) {
    size_t d = bench_count("d", 10);
    bench_env(env);
    bench_load(bench_text("data", ""), d, bench_count("n", 0), train);
    bench_load(bench_text("test", bench_text("data", "")), d, 0, test);
    result->load_kb = bench_peak_kb();
}

static void bench_result_init(bench_result *result) {
    memset(result, 0, sizeof *result);
    result->load_kb = result->train_kb = result->bytes = result->r2 = result->single_ns = result->batch_rows =
        NAN;
}

/* Between these two calls is a training: curves.c counts its instructions there, so they are functions to the
   end. */
#define BENCH_CALLED __attribute__((noinline))

/* True until `reps` (5) trainings are done or `budget` (0.3) seconds are spent, but at least once. */
BENCH_CALLED static int bench_more(const bench_result *result) {
    size_t reps = bench_count("reps", 5);
    double spent = 0.0;
    if (reps > BENCH_MOST_REPEATS) reps = BENCH_MOST_REPEATS;
    for (size_t i = 0; i < result->trainings; ++i) spent += result->train[i];
    return result->trainings == 0 || (result->trainings < reps && spent < bench_number("budget", 0.3));
}

BENCH_CALLED static void bench_trained(bench_result *result, double seconds) {
    result->train[result->trainings++] = seconds;
    if (result->trainings == 1) result->train_kb = bench_peak_kb();
}

/* How a model predicts: one row, and many. BENCH_MODEL(tree) makes bench_tree_one and bench_tree_many. */
typedef float bench_one(const void *model, const float *row);
typedef void bench_many(const void *model, const float *x, size_t rows, size_t stride, float *out);

#define BENCH_MODEL(name)                                                                          \
    static float bench_##name##_one(const void *model, const float *row) {                         \
        return sooth_##name##_predict((const sooth_##name *)model, row);                           \
    }                                                                                              \
    static void bench_##name##_many(const void *model, const float *x, size_t rows, size_t stride, \
                                    float *out) {                                                  \
        sooth_##name##_predict_many((const sooth_##name *)model, x, rows, stride, out);            \
    }

typedef struct bench_answers {
    const void *model;
    bench_one *one;
    bench_many *many;
    const sooth_table *test;
    float *out;
} bench_answers;

static inline double bench_answer_one(void *arg) {
    const bench_answers *b = (const bench_answers *)arg;
    float sum = 0.0f;
    for (size_t i = 0; i < b->test->rows; ++i) sum += b->one(b->model, b->test->x + i * b->test->stride);
    return (double)sum;
}

BENCH_CALLED static double bench_answer_many(void *arg) {
    const bench_answers *b = (const bench_answers *)arg;
    b->many(b->model, b->test->x, b->test->rows, b->test->stride, b->out);
    return (double)b->out[b->test->rows - 1];
}

/* The errors of the predictions for the test rows and, with predict=1, how long they take. */
static inline void bench_answer(bench_result *result, const void *model, bench_one *one, bench_many *many,
                                const sooth_table *test) {
    bench_answers b;
    b.model = model;
    b.one = one;
    b.many = many;
    b.test = test;
    b.out = (float *)malloc(test->rows * sizeof(float));
    if (!b.out) bench_stop("no memory", NULL);
    bench_answer_many(&b);
    result->r2 = bench_r2(test->y, b.out, test->rows);
    if (bench_count("predict", 0)) {
        result->single_ns = 1e9 * bench_time(bench_answer_one, &b) / (double)test->rows;
        result->batch_rows = (double)test->rows / bench_time(bench_answer_many, &b);
    }
    free(b.out);
}

static void bench_print_one(const char *name, double value) {
    if (!isnan(value)) printf(",\"%s\":%.9g", name, value);
}

static void bench_print(const bench_result *result, const char *entrant) {
    printf("{\"entrant\":\"%s\",\"train_s\":", entrant);
    if (result->trainings) {
        double sorted[BENCH_MOST_REPEATS];
        memcpy(sorted, result->train, sizeof sorted);
        printf("%.9g,\"train_first_s\":%.9g,\"reps\":%u", bench_median(sorted, result->trainings),
               result->train[0], (unsigned)result->trainings);
    } else {
        printf("null");
    }
    bench_print_one("rss_load_kb", result->load_kb);
    bench_print_one("rss_train_kb", result->train_kb);
    bench_print_one("held_bytes", bench_held_most ? (double)bench_held_most : NAN);
    bench_print_one("model_bytes", result->bytes);
    bench_print_one("r2", result->r2);
    bench_print_one("single_ns", result->single_ns);
    bench_print_one("batch_rows_s", result->batch_rows);
    if (result->note[0]) printf(",\"note\":\"%s\"", result->note);
    printf("}\n");
}

#endif /* SOOTH_BENCH_HARNESS_H */
