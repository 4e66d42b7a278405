/* test_gpu_tables.c - what learns the tables of gpu_time.h finds the laws that made-up times were made with.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#define main times_main /* its fits */
#include "../../examples/gpu/times.c"
#undef main
#include "check.h"

static study made;

/* Element-wise operators and products of many sizes on all five GPUs; ms by an equation of the test. */
static void make_rows(double (*ms)(const sooth_gpu *, double level, const sooth_operator *),
                      const double level[GPUS], const char *name) {
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (unsigned g = 0; g < GPUS; ++g)
        for (unsigned i = 0; i < 60; ++i) {
            const double b = 1 + sooth_rng_below(&rng, 4000), k = 1 + sooth_rng_below(&rng, 4000);
            const sooth_operator op = operator_of(name, b, b, k, k);
            add_row(&made, &op, g, i % SETS, ms(&made.gpu[g], level[g], &op));
        }
}

static double streaming(const sooth_gpu *gpu, double level, const sooth_operator *op) {
    const double bytes = 12 * op->b * op->k, l2 = gpu->compute == 80 ? gpu->l2_bytes / 2. : gpu->l2_bytes;
    const double travels = bytes < l2 ? fmax(0.25, 2 * bytes / l2 - 1) : 1;
    return fmax(0.02, 0.01 + travels * exp(level) * bytes / (0.8 * 1e6 * gpu->memory_gbs));
}

/* As the kernel law counts an addition: one operation and 12 bytes an element. */
static double kernel(const sooth_gpu *gpu, double level, const sooth_operator *op) {
    const double elements = op->b * op->k, nm = gpu->process_nm == 12 ? 16 : gpu->process_nm;
    const double peak = 2e3 * gpu->sms * gpu->fp32_units * gpu->clock_mhz;
    const double energy = gpu->compute == 80 ? 15e-12 : 17.7e-12 * nm / 16;
    const double units = elements / fmin(peak, 1e-3 * gpu->tdp_watts / energy);
    return 0.03 + exp(level) * hypot(units / 0.5, 12 * elements / (0.6 * 1e6 * gpu->memory_gbs));
}

static void begin(void) {
    made.rows = 0;
    free(made.row);
    made.row = (row *)calloc(MOST_ROWS / 100, sizeof *made.row);
    sooth_env_init(&made.env);
    for (unsigned g = 0; g < GPUS; ++g)
        CHECK_STATUS(sooth_gpu_named(&made.env, ours[g], &made.gpu[g]), SOOTH_OK);
}

static const double levels[GPUS] = {0.1, -0.2, 0.05, -0.05, 0.1};

/* Levels are drawn to 0, and a larger share could raise them all: their quotient is compared. */
static void a_stream_is_found(void) {
    sooth_gpu_times t;
    const unsigned law = SOOTH_GPU_LAW_VECTOR;
    begin();
    make_rows(streaming, levels, "add");
    times_init(&made, &t);
    fit(&made, &t, law, SOOTH_GPU_LAWS, GPUS);
    CHECK_CLOSE(t.parameter[law][SOOTH_GPU_QUEUE], 0.01, 0.05);
    CHECK_CLOSE(t.parameter[law][SOOTH_GPU_LAUNCH], 0.02, 0.05);
    for (unsigned g = 0; g < GPUS; ++g)
        CHECK_CLOSE(exp(t.level[law][g]) / t.parameter[law][SOOTH_GPU_USE], exp(levels[g]) / 0.8, 0.02);
    /* without a GPU the others' are found as well, and nothing is known of it */
    times_init(&made, &t);
    fit(&made, &t, law, SOOTH_GPU_LAWS, 1);
    CHECK_NEAR(t.level[law][1], 0, 0);
    CHECK_CLOSE(exp(t.level[law][0] - t.level[law][2]), exp(levels[0] - levels[2]), 0.02);
    forget(&t, 1);
    CHECK(t.gpus == GPUS - 1 && strcmp(t.gpu[1], ours[2]) == 0);
}

static void kernels_are_found_but_those_left_out(void) {
    sooth_gpu_times t;
    const unsigned law = SOOTH_GPU_LAW_KERNEL;
    begin();
    make_rows(kernel, levels, "add");
    times_init(&made, &t);
    fit(&made, &t, law, SOOTH_GPU_LAWS, GPUS);
    CHECK_CLOSE(t.parameter[law][SOOTH_GPU_LAUNCH], 0.03, 0.05);
    for (unsigned g = 0; g < GPUS; ++g)
        CHECK_CLOSE(exp(t.level[law][g]) / t.parameter[law][SOOTH_GPU_USE], exp(levels[g]) / 0.6, 0.05);
    row *chosen = (row *)calloc(made.rows, sizeof *chosen);
    CHECK(choose_kernels(&made, SOOTH_GPU_LAW_VECTOR, GPUS, chosen) == 0);
    CHECK(choose_kernels(&made, SOOTH_GPU_LAW_BMM, GPUS, chosen) == made.rows);
    CHECK(choose_kernels(&made, SOOTH_GPU_LAW_BMM, 2, chosen) == made.rows - 60);
    free(chosen);
}

/* A network that takes less than its classes by a quarter says nothing of products; a GPU left out takes what
   was measured of its power along; a further GPU strays more than the worst of those that were left out. */
static void what_is_not_learned_from(void) {
    const unsigned law = SOOTH_GPU_LAW_VECTOR;
    network n = {.sum = {10, 60, 20, 5, 5, 79}};
    sooth_gpu_times t;
    CHECK(is_contradicted(&n));
    n.sum[CLASSES] = 81;
    CHECK(!is_contradicted(&n));
    begin();
    make_rows(streaming, levels, "add");
    row *chosen = (row *)calloc(made.rows, sizeof *chosen);
    weighed *w = (weighed *)calloc(made.rows, sizeof *w);
    CHECK(choose(&made, law, GPUS, SOME, chosen) == made.rows);
    for (size_t i = 0; i < made.rows; i += 4) made.row[i].contradicted = 1;
    CHECK(choose(&made, law, GPUS, SOME, chosen) == made.rows - made.rows / 4);
    times_init(&made, &t);
    CHECK(t.picojoules[4] > 0);
    const sooth_gpu_times *const same[GPUS] = {&t, &t, &t, &t, &t};
    double most = spread_of(&made, same, law, GPUS, w);
    for (unsigned g = 0; g < GPUS; ++g)
        most = fmax(most, quantile(w, gather(&made, &t, law, law, g, 1, SETS - 1, w, 0)));
    CHECK_CLOSE(unseen_spread(&made, same, law, GPUS, w), sqrt(1.2) * most, 1e-12);
    forget(&t, 4);
    for (unsigned g = 0; g < t.gpus; ++g) CHECK_NEAR(t.picojoules[g], 0, 0);
    free(w);
    free(chosen);
}

int main(void) {
    CHECK_RUN(a_stream_is_found);
    CHECK_RUN(kernels_are_found_but_those_left_out);
    CHECK_RUN(what_is_not_learned_from);
    free(made.row);
    return check_end("gpu_tables");
}
