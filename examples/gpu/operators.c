/* operators.c - operators measured on one GPU next to what gpu_time.h and the roofline predict of it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_operators OPERATORS.csv [--gpu NAME|FILE.gpu] [--out FOLDER]
 *
 * OPERATORS.csv is what bench/cuda/operators.cu writes: op, dtype, b, m, n, k, latency_ms, by. Its first line
 * has the board, unless --gpu names another one. The program prints for every operator and type the mean of
 * |predicted / measured - 1|:
 *
 *   roofline    the time of the work at the ceilings of the specification; bounds, not predictions
 *   gpu_time    gpu_time.h, learned in single precision from other GPUs. Other types are outside of that
 *   after 10    the same after the first 10 rows of the type were observed; those are not counted
 *   one factor  the roofline times the geometric mean of measured / roofline of the other rows of this
 *               operator and type. It has learned from this GPU, so it is the rule to beat
 *
 * A row says "loses" if the one factor is better than gpu_time after 10. The peak of the tensor cores is
 * twice that of half precision for 8 bits, and half of it for tf32. FOLDER gets a picture of the roofline.
 */
#define SOOTH_IMPLEMENTATION
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"
#include "../common/picture.h"

enum { TYPES = 6, WAYS = 4, OBSERVED = 10, MOST_ROWS = 4000 };
static const char *const type_name[TYPES] = {"fp32", "tf32", "fp16", "bf16", "fp8", "int8"};
static const uint32_t type_bytes[TYPES] = {4, 4, 2, 2, 1, 1};
static const double type_peak[TYPES] = {1, 0.5, 1, 1, 2, 2}; /* of the tensor cores in half precision */
enum { ROOF, TIMER, ADAPTED, FACTOR };

typedef struct row {
    sooth_operator op;
    uint32_t type;
    double ms, operations, bytes, said[WAYS];
    int held, counted; /* within the interval; after the observed rows */
} row;

static row rows[MOST_ROWS];
static size_t count;
static sooth_env env;

static void die(const char *what) {
    fprintf(stderr, "gpu_operators: %s\n", what);
    exit(1);
}
static void must(sooth_status status) {
    if (status != SOOTH_OK) die(env.sentence);
}

static char *file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t n = 0;
    *size = 0;
    if (!file) die("the file cannot be read");
    do {
        bytes = (char *)realloc(bytes, (*size += n) + 65536);
        if (!bytes) die("there is not enough memory");
        n = fread(bytes + *size, 1, 65536, file);
    } while (n > 0);
    fclose(file);
    return bytes;
}

/* ---- the device ---- */

/* A name, a file, or the board in the first line: "# operators on BOARD, ...". */
static void device_find(const char *name, const char *text, sooth_gpu *gpu) {
    char board[96];
    size_t size;
    if (name && sooth_gpu_named(&env, name, gpu) == SOOTH_OK) return;
    if (name) {
        char *bytes = file_read(name, &size);
        must(sooth_gpu_read(&env, bytes, size, gpu));
        free(bytes);
        return;
    }
    const char *at = strstr(text, " on "), *end = at ? strpbrk(at, ",\n") : NULL;
    if (text[0] != '#' || !end || end - at > 90) die("the first line names no board; give --gpu");
    snprintf(board, sizeof board, "%.*s", (int)(end - at - 4), at + 4);
    must(sooth_gpu_board_named(&env, board, gpu));
}

/* ---- reading ---- */

static void read_rows(const char *text, size_t size) {
    static const char *const name[7] = {"op", "dtype", "b", "m", "n", "k", "latency_ms"};
    sooth_csv csv;
    size_t column[7];
    must(sooth_csv_read(&env, text, size, NULL, &csv));
    for (int k = 0; k < 7; ++k) {
        column[k] = sooth_csv_find(&csv, name[k]);
        if (column[k] == SOOTH_NONE || (csv.column[column[k]].is_text != 0) != (k < 2))
            die("the table needs the columns op and dtype of words, b, m, n, k and latency_ms of numbers");
    }
    for (size_t i = 0; i < csv.rows && count < MOST_ROWS; ++i) {
        const float *cell = csv.cell + i * csv.cols;
        row *r = &rows[count];
        memset(r, 0, sizeof *r);
        const size_t kind = sooth_operator_find(csv.column[column[0]].text[(size_t)cell[column[0]]]);
        while (r->type < TYPES &&
               strcmp(type_name[r->type], csv.column[column[1]].text[(size_t)cell[column[1]]]))
            ++r->type;
        if (kind == SOOTH_NONE || r->type == TYPES) die("the table has an unknown operator or type");
        r->op.kind = (uint32_t)kind;
        r->op.element_bytes = type_bytes[r->type];
        const sooth_operator_form form = sooth_operator_kind_form((sooth_operator_kind)kind);
        r->op.tensor = r->type > 0 && form == SOOTH_OPERATOR_MATRIX;
        r->op.b = (double)cell[column[2]];
        r->op.m = (double)cell[column[3]];
        r->op.n = (double)cell[column[4]];
        r->op.k = (double)cell[column[5]];
        r->ms = (double)cell[column[6]];
        if (!(r->ms > 0.0)) die("latency_ms must be above 0");
        ++count;
    }
    sooth_csv_free(&env, &csv);
}

/* ---- predicting ---- */

static void predict_type(const sooth_gpu *board, uint32_t type) {
    const size_t size = sooth_adapt_program_size(sooth_gpu_time_adapt());
    void *memory = malloc(size);
    sooth_gpu gpu = *board;
    sooth_gpu_timer timer;
    size_t seen = 0;
    if (!memory) die("there is not enough memory");
    gpu.tensor_gflops *= type_peak[type];
    must(sooth_gpu_timer_init(&env, &timer, &gpu, NULL));
    sooth_adapt_program *device = sooth_adapt_begin(sooth_gpu_time_adapt(), memory, size);
    for (size_t i = 0; i < count; ++i) { /* first, so that all see the same */
        if (rows[i].type != type || seen == OBSERVED) continue;
        must(sooth_gpu_time_observe(&env, &timer, device, &rows[i].op, rows[i].ms));
        ++seen;
    }
    seen = 0;
    for (size_t i = 0; i < count; ++i) {
        row *r = &rows[i];
        sooth_work work;
        sooth_roofline roof;
        sooth_gpu_timing t;
        if (r->type != type) continue;
        must(sooth_operator_work(&env, &r->op, &work));
        must(sooth_roofline_compute(&env, &gpu, &work, &roof));
        r->operations = 0;
        for (int u = 0; u < SOOTH_COMPUTES; ++u) r->operations += work.operations[u];
        r->bytes = work.memory_bytes;
        r->said[ROOF] = 1e3 * roof.seconds;
        must(sooth_gpu_time(&env, &timer, &r->op, &t));
        r->said[TIMER] = t.ms;
        r->held = r->ms >= t.low && r->ms <= t.high;
        must(sooth_gpu_time_adapted(&env, &timer, device, &r->op, &t));
        r->said[ADAPTED] = t.ms;
        r->counted = ++seen > OBSERVED;
    }
    free(memory);
}

/* The factor of the other rows of the same operator and type. */
static void predict_factor(row *r) {
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        const row *o = &rows[i];
        if (o == r || o->type != r->type || o->op.kind != r->op.kind) continue;
        sum += log(o->ms / o->said[ROOF]);
        ++n;
    }
    r->said[FACTOR] = n ? r->said[ROOF] * exp(sum / (double)n) : r->said[ROOF];
}

/* ---- printing ---- */

typedef struct errors {
    size_t rows, held;
    double of[WAYS];
} errors;

/* kind SOOTH_OPERATORS: all. */
static errors errors_of(uint32_t type, uint32_t kind) {
    errors e;
    memset(&e, 0, sizeof e);
    for (size_t i = 0; i < count; ++i) {
        const row *r = &rows[i];
        if (r->type != type || (kind < SOOTH_OPERATORS && r->op.kind != kind) || !r->counted) continue;
        for (int w = 0; w < WAYS; ++w) e.of[w] += 100.0 * fabs(r->said[w] / r->ms - 1.0);
        e.held += (size_t)r->held;
        ++e.rows;
    }
    for (int w = 0; w < WAYS && e.rows; ++w) e.of[w] /= (double)e.rows;
    return e;
}

static void print_line(const char *name, const char *type, const errors *e) {
    printf("  %-10s %-5s %5zu", name, type, e->rows);
    for (int w = 0; w < WAYS; ++w) printf(" %10.1f", e->of[w]);
    printf("  %5.0f %%%s\n", 100.0 * (double)e->held / (double)e->rows,
           e->of[ADAPTED] > e->of[FACTOR] ? "  loses" : "");
}

static void print_table(const sooth_gpu *gpu) {
    printf("%zu operators measured, predicted for %s: mean error in %%; the first %d of each type are not "
           "counted\n",
           count, gpu->name, OBSERVED);
    printf("  %-10s %-5s %5s %10s %10s %10s %10s  %s\n", "operator", "type", "rows", "roofline", "gpu_time",
           "after 10", "one factor", "in its 90 % interval");
    for (uint32_t type = 0; type < TYPES; ++type) {
        const errors all = errors_of(type, SOOTH_OPERATORS);
        for (uint32_t kind = 0; kind < SOOTH_OPERATORS && all.rows; ++kind) {
            const errors e = errors_of(type, kind);
            if (e.rows) print_line(sooth_operator_name(kind), type_name[type], &e);
        }
        if (all.rows) print_line("all", type_name[type], &all);
    }
    printf("gpu_time.h was learned in fp32 without tensor cores: other types are outside of its data.\n");
}

/* ---- the picture ---- */

enum { CURVE = 100 };
static void draw(const sooth_gpu *gpu, const char *folder) {
    static const char *const names[TYPES + 2] = {"fp32", "tf32", "fp16",      "bf16",
                                                 "fp8",  "int8", "fp32 roof", "half precision roof"};
    static double x[MOST_ROWS + 2 * CURVE], y[MOST_ROWS + 2 * CURVE];
    static uint32_t series[MOST_ROWS + 2 * CURVE];
    char title[120];
    sooth_ceilings c;
    size_t n = 0;
    sooth_roofline_ceilings(gpu, &c);
    for (size_t i = 0; i < count; ++i) {
        if (rows[i].operations < 1e6) continue; /* launches, not work */
        x[n] = rows[i].operations / rows[i].bytes;
        y[n] = 1e-6 * rows[i].operations / rows[i].ms;
        series[n++] = rows[i].type;
    }
    for (uint32_t i = 0; i < 2 * CURVE; ++i) {
        const double at = 0.0625 * pow(2.0, 17.0 * (i % CURVE) / (CURVE - 1));
        const double peak = c.compute[i < CURVE ? SOOTH_COMPUTE_SINGLE : SOOTH_COMPUTE_TENSOR];
        if (!(peak > 0.0)) continue;
        x[n] = at;
        y[n] = 1e-9 * fmin(at * c.memory, peak);
        series[n++] = TYPES + i / CURVE;
    }
    snprintf(title, sizeof title, "Operators measured under the roofline of %s", gpu->name);
    picture_draw(folder, "measured_roof.svg", svg_scatter,
                 &(svg_points){.frame.title = title,
                               .x = x,
                               .y = y,
                               .count = n,
                               .series = series,
                               .series_names = names,
                               .series_count = TYPES + 2,
                               .x_title = "operations for each byte that must travel",
                               .y_title = "1e9 operations a second",
                               .logarithmic = 1});
}

int main(int words, char **word) {
    const char *name = NULL, *folder = NULL, *path = NULL;
    sooth_gpu gpu;
    size_t size;
    int good = 1;
    for (int i = 1; i < words; ++i) {
        const int named = strcmp(word[i], "--gpu") == 0, out = strcmp(word[i], "--out") == 0;
        if ((named || out) && i + 1 < words) *(named ? &name : &folder) = word[++i];
        else if (!path && word[i][0] != '-') path = word[i];
        else good = 0;
    }
    if (!path || !good) {
        fprintf(stderr, "gpu_operators OPERATORS.csv [--gpu NAME|FILE.gpu] [--out FOLDER]\n");
        return 2;
    }
    sooth_env_init(&env);
    char *text = file_read(path, &size);
    text = (char *)realloc(text, size + 1);
    if (!text) die("there is not enough memory");
    text[size] = 0;
    device_find(name, text, &gpu);
    read_rows(text, size);
    free(text);
    if (!count) die("the table has no rows");
    for (uint32_t type = 0; type < TYPES; ++type) predict_type(&gpu, type);
    for (size_t i = 0; i < count; ++i) predict_factor(&rows[i]);
    print_table(&gpu);
    if (folder) draw(&gpu, folder);
    return 0;
}
