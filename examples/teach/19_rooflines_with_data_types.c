/* 19_rooflines_with_data_types.c - what a product of fewer bits gains on a GPU, and when: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/19_types.svg
 *
 * A layer of a language model multiplies m tokens of k values by weights of k x n. It computes 2 m n k
 * operations and reads n k weights. Few tokens wait for the weights; many wait for the tensor cores. A type
 * of half the bits halves both: the weights are half the bytes, and the cores do twice the operations. So the
 * roofline promises twice the speed for any number of tokens. Measured operators gain less. Activations come
 * in 16 bits, and a kernel has to scale and round them first. A kernel also takes microseconds to begin and
 * to end, which no roof contains.
 *
 * Measured: H200 and B200, TensorRT-LLM 1.3.0rc20, in a CUDA graph (examples/gpu/data/origin.txt).
 *
 * Exercises, with answers in answers.md:
 *   1. Weights of 4 bits, multiplied in BF16: from how many tokens on do the cores of a B200 bound a large
 *      product?
 *   2. A cache of keys and values is read once for each new token. Which roof bounds attention of one token
 *      with 8 queries for each key, and does a batch change that?
 *   3. What does NVFP4 gain over BF16 on a B200 with 16 tokens, and with 2,560, in products of 12288 x 5120?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/gpu.h"

enum { TYPES = 3 };
static const char *const types[TYPES] = {"bf16", "fp8", "nvfp4"};
static const double bytes_of[TYPES] = {2, 1, 0.5625}; /* NVFP4: 4 bits, and 8 for each 16 values */

/* A product of m x k by k x n, and what it took. */
typedef struct product {
    sooth_gpu gpu;
    unsigned type;
    double m, n, k, ms;
} product;

static product product_of(const char *gpu, unsigned type, double m, double n, double k) {
    product p = {.type = type, .m = m, .n = n, .k = k};
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_gpu_named(&env, gpu, &p.gpu));
    return p;
}

/* ---- 1. By hand: two ends, of the cores and of the memory. The later one is the roof. ---- */

static double peak_of(const sooth_gpu *gpu, unsigned type) { /* operations per ms */
    return 1e6 * (type == 0 ? gpu->tensor_gflops : type == 1 ? gpu->fp8_gflops : gpu->fp4_gflops);
}

static double cores(const product *p) { return 2 * p->m * p->n * p->k / peak_of(&p->gpu, p->type); }
static double memory(const product *p) {
    return (bytes_of[p->type] * (p->m + p->n) * p->k + 2 * p->m * p->n) / (1e6 * p->gpu.memory_gbs);
}
static double roof_by_hand(const product *p) { return cores(p) > memory(p) ? cores(p) : memory(p); }

/* The tokens for which both ends meet, if weights are most of the bytes: 2 m n k / peak = bytes n k /
   bandwidth. */
static double tokens_of_ridge(const sooth_gpu *gpu, unsigned type) {
    return bytes_of[type] * peak_of(gpu, type) / (2e6 * gpu->memory_gbs);
}

/* ---- 2. The same by roofline.h. ---- */

static sooth_roofline roof_of(const sooth_gpu *gpu, const sooth_operator *op) {
    sooth_work work;
    sooth_roofline roof;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_operator_work(&env, op, &work));
    need(&env, sooth_roofline_compute(&env, gpu, &work, &roof));
    return roof;
}

static double roof_by_sooth(const product *p) {
    sooth_operator op = {.kind = SOOTH_OPERATOR_GEMM, .m = p->m, .n = p->n, .k = p->k};
    op.dtype = (uint32_t)sooth_data_type_find(types[p->type]);
    return 1e3 * roof_of(&p->gpu, &op).seconds;
}

/* ---- 3. A launch inside of the roofline: both ends count, rounding moves 3 bytes of an activation, and the
   smallest of all products takes 2.2 microseconds. ---- */

static double with_launch(const product *p) {
    const double moved = memory(p) + (p->type ? 3 * p->m * p->k / (1e6 * p->gpu.memory_gbs) : 0);
    return 0.0022 + sqrt(cores(p) * cores(p) + moved * moved);
}

/* ---- 4. What was measured. ---- */

static product *products_measured(size_t *count) {
    static const char *const size[] = {"m", "n", "k"};
    const char *path = EXAMPLES "gpu/data/llm_operators/products.csv";
    const measurements gpu = measured(path, size, 3, "ms", "gpu"),
                       type = measured(path, size, 3, "ms", "dtype");
    product *p = (product *)room(*count = gpu.table.rows, sizeof *p);
    for (size_t i = 0; i < *count; ++i) {
        const float *x = gpu.table.x + i * gpu.table.stride;
        unsigned t = 0;
        while (strcmp(types[t], type.name[type.table.group[i]]) != 0) ++t;
        p[i] = product_of(gpu.name[gpu.table.group[i]], t, (double)x[0], (double)x[1], (double)x[2]);
        p[i].ms = (double)gpu.table.y[i];
    }
    return p;
}

/* The milliseconds of a product of 12288 x 5120 on B200. */
static double ms_of(const product *p, size_t count, unsigned type, double m) {
    size_t i = 0;
    while (i < count && (p[i].gpu.compute != 100 || p[i].type != type || p[i].m != m || p[i].n != 12288)) ++i;
    return i < count ? p[i].ms : NAN;
}

/* The mean error of all products of a type, in percent. */
static double type_error(const product *p, size_t count, unsigned type, double (*predict)(const product *)) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; ++i)
        if (p[i].type == type) sum += fabs(predict(&p[i]) / p[i].ms - 1), ++n;
    return 100 * sum / n;
}

/* The roofs of B200 for 12288 x 5120 as dense points, and what was measured. */
static void draw_types(const product *p, size_t count) {
    enum { STEPS = 200, MOST = TYPES * STEPS };
    static const char *const names[] = {"bf16",           "fp8",           "nvfp4",
                                        "bf16, measured", "fp8, measured", "nvfp4, measured"};
    double *x = (double *)room(2 * (MOST + count), sizeof *x), *y = x + MOST + count;
    uint32_t *series = (uint32_t *)room(MOST + count, sizeof *series);
    svg_points chart = {.frame.title =
                            "Rooflines of a product of 12288 x 5120 on B200, and its measured speed"};
    for (size_t i = 0; i < MOST + count; ++i) {
        const product roof =
            product_of("b200", i / STEPS % TYPES, pow(4096, (double)(i % STEPS) / STEPS), 12288, 5120);
        const product *at = i < MOST ? &roof : &p[i - MOST];
        if (at->gpu.compute != 100 || at->n != 12288) continue;
        x[chart.count] = at->m;
        y[chart.count] = 2e-9 * at->m * at->n * at->k / (i < MOST ? roof_by_hand(at) : at->ms);
        series[chart.count++] = at->type + (i < MOST ? 0 : TYPES);
    }
    chart.x = x, chart.y = y, chart.series = series;
    chart.series_names = names, chart.series_count = sizeof names / sizeof names[0];
    chart.x_title = "tokens", chart.y_title = "1e12 operations per second", chart.logarithmic = 1;
    picture_draw(".", "19_types.svg", svg_scatter, &chart);
}

int main(void) {
    static const double tokens[] = {1, 16, 128, 1280, 2560};
    size_t count, differ = 0;
    const product *p = products_measured(&count); /* the first is of B200 */
    for (size_t i = 0; i < count; ++i) differ += fabs(roof_by_sooth(&p[i]) / roof_by_hand(&p[i]) - 1) > 1e-12;
    printf("By hand and by roofline.h, %zu of %zu roofs differ.\n", differ, count);
    puts("The cores of a B200 bound a large product from this many tokens on:");
    for (unsigned t = 0; t < TYPES; ++t) printf("  %-6s %4.0f\n", types[t], tokens_of_ridge(&p->gpu, t));
    puts("Measured on B200, 12288 x 5120: microseconds, and how many times as fast as BF16:");
    puts("  tokens   bf16          fp8        nvfp4");
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; ++i) {
        double ms[TYPES];
        for (unsigned t = 0; t < TYPES; ++t) ms[t] = ms_of(p, count, t, tokens[i]);
        printf("  %6.0f %6.1f  %6.1f %4.2f  %6.1f %4.2f\n", tokens[i], 1e3 * ms[0], 1e3 * ms[1],
               ms[0] / ms[1], 1e3 * ms[2], ms[0] / ms[2]);
    }
    puts("The mean error of all measured products, in percent:");
    for (unsigned t = 0; t < TYPES; ++t)
        printf("  %-6s the roof %2.0f, with a launch inside %2.0f\n", types[t],
               type_error(p, count, t, roof_by_hand), type_error(p, count, t, with_launch));
    draw_types(p, count);
    return 0;
}
