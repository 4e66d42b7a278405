/* test_watts.c - watts against a twin, the limit, what is monotone, measured rows, and a law found again.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#define main watts_main /* its fits */
#include "../../examples/gpu/language_watts.c"
#undef main
#include "check.h"

static sooth_env env;

static sooth_gpu_timer timer_of(const char *name) {
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    CHECK_STATUS(sooth_gpu_named(&env, name, &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
    return timer;
}

static sooth_gpu_power power_of(const sooth_gpu_timer *timer, const sooth_operator *op, double ms) {
    sooth_gpu_power power;
    memset(&power, 0, sizeof power);
    CHECK_STATUS(sooth_gpu_watts(&env, timer, op, ms, &power), SOOTH_OK);
    return power;
}

static const sooth_operator product = {
    .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 512, .n = 4096, .k = 7168};
static const sooth_operator experts = {.kind = SOOTH_OPERATOR_EXPERTS,
                                       .dtype = SOOTH_TYPE_BF16,
                                       .tokens = 32,
                                       .hidden = 4096,
                                       .inter = 1536,
                                       .topk = 8,
                                       .experts = 128,
                                       .tp = 1,
                                       .ep = 8};
static const sooth_operator cached = {.kind = SOOTH_OPERATOR_DECODE,
                                      .dtype = SOOTH_TYPE_FP8,
                                      .batch = 64,
                                      .context = 4095,
                                      .heads = 32,
                                      .kv_heads = 8,
                                      .head_dim = 128};

/* The equation at the head of watts.h with the C library's exponential. */
static double twin(const double p[3], double limit, double tc, double tm, double t) {
    const double c = fmin(tc / t, 1), m = fmin(tm / t, 1);
    return limit * 0.985 * (1 - exp(-(p[0] + p[1] * c + p[2] * m * m)));
}

static void equals_the_equation(void) {
    const sooth_gpu_timer timer = timer_of("h100"); /* 989.4 TFLOPS, 1979 of FP8, 3350 GB/s, 700 W */
    const double of_product[3] = {0.2931, 31.31, 1.138}, of_experts[3] = {0.4906, 22.81, 4.908};
    const double of_cached[3] = {0.5434, 0, 0.4654}; /* from the table */
    for (double ms = 0.01; ms < 100; ms *= 1.7) {
        double tc = 2 * 512. * 4096 * 7168 / 989.4e9;
        double tm = 2 * (512. * 7168 + 4096. * 7168 + 512. * 4096) / 3350e6;
        CHECK_CLOSE(power_of(&timer, &product, ms).watts, twin(of_product, 700, tc, tm, ms), 1e-6);
        const double routed = 32. * 8 / 8, hit = 16 * (1 - exp(-routed / 16)), each = 4096. * 1536;
        tc = 6 * routed * each / 989.4e9;
        tm = (6 * each * hit + routed * (8 * 4096. + 6 * 1536) + 64 * 4096.) / 3350e6;
        CHECK_CLOSE(power_of(&timer, &experts, ms).watts, twin(of_experts, 700, tc, tm, ms), 1e-5);
        tc = 4. * 64 * 32 * 128 * 4096 / 1979e9;
        tm = (2. * 64 * 8 * 128 * 4096 + 4. * 64 * 128 * 40) / 3350e6;
        CHECK_CLOSE(power_of(&timer, &cached, ms).watts, twin(of_cached, 700, tc, tm, ms), 1e-6);
    }
}

/* Operators of all classes and types on all boards that have tensor cores and a known limit. */
static void never_above_the_limit(void) {
    sooth_rng rng;
    unsigned boards = 0;
    sooth_rng_init(&rng, 5, 0);
    for (size_t g = 0; sooth_gpu_at(g); ++g) {
        const sooth_gpu *gpu = sooth_gpu_at(g);
        sooth_gpu_timer timer;
        if (!(gpu->tensor_gflops > 0) || !(gpu->tdp_watts > 0)) continue;
        if (sooth_gpu_timer_init(&env, &timer, gpu, NULL) != SOOTH_OK) continue;
        ++boards;
        for (unsigned i = 0; i < 200; ++i) {
            sooth_operator op = i % 3 == 0 ? product : i % 3 == 1 ? experts : cached;
            op.dtype = SOOTH_TYPE_FP16 + sooth_rng_below(&rng, SOOTH_TYPES - SOOTH_TYPE_FP16);
            op.m = op.tokens = op.batch = 1 + sooth_rng_below(&rng, 20000);
            const double ms = pow(10, -4 + 7 * sooth_rng_double(&rng));
            const sooth_gpu_power p = power_of(&timer, &op, ms), later = power_of(&timer, &op, 1.5 * ms);
            CHECK(p.watts > 0 && p.watts < gpu->tdp_watts);
            CHECK(p.low > 0 && p.low <= p.watts && p.watts <= p.high && p.high <= gpu->tdp_watts);
            CHECK(later.watts <= p.watts);                    /* the same work in more time */
            CHECK(later.watts * 1.5 >= p.watts * (1 - 1e-6)); /* and in no less energy */
        }
    }
    CHECK(boards >= 10);
}

static void a_higher_limit_draws_in_proportion(void) {
    sooth_gpu gpu;
    sooth_gpu_timer timer, half;
    CHECK_STATUS(sooth_gpu_named(&env, "b200", &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
    gpu.tdp_watts /= 2;
    CHECK_STATUS(sooth_gpu_timer_init(&env, &half, &gpu, NULL), SOOTH_OK);
    CHECK_CLOSE(power_of(&timer, &experts, 0.2).watts, 2 * power_of(&half, &experts, 0.2).watts, 1e-12);
}

static void trust_is_of_what_was_learned(void) {
    const sooth_gpu_timer h200 = timer_of("h200"), h100 = timer_of("h100"), l40s = timer_of("l40s");
    const sooth_gpu_timer b60 = timer_of("b60"), timer_v100 = timer_of("v100"), a100 = timer_of("a100");
    sooth_operator other = product, latent = cached;
    CHECK(power_of(&h200, &product, 0.1).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(power_of(&h200, &product, 0.05).trust == SOOTH_MODEL_TRUST_EDGE); /* rows of 0.06 ms and more */
    CHECK(power_of(&h100, &product, 0.1).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(power_of(&l40s, &product, 0.1).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(power_of(&b60, &product, 0.1).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    other.dtype = SOOTH_TYPE_INT8;
    CHECK(power_of(&h200, &other, 0.1).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    latent.kind = SOOTH_OPERATOR_MLA_DECODE;
    latent.tokens = 4096;
    const sooth_gpu_power outside = power_of(&h200, &latent, 0.1);
    CHECK(outside.trust == SOOTH_MODEL_TRUST_OUTSIDE && outside.high == 700);
    CHECK_CLOSE(outside.low, 105, 1e-12);
    /* prefill has one share, whatever it computes; latent attention has the same */
    const sooth_operator whole = {.kind = SOOTH_OPERATOR_PREFILL,
                                  .dtype = SOOTH_TYPE_BF16,
                                  .batch = 1,
                                  .tokens = 4096,
                                  .heads = 32,
                                  .kv_heads = 8,
                                  .head_dim = 128};
    latent.kind = SOOTH_OPERATOR_MLA_PREFILL;
    latent.dtype = SOOTH_TYPE_BF16;
    const sooth_gpu_power of_whole = power_of(&h200, &whole, 10), of_latent = power_of(&h200, &latent, 200);
    CHECK_CLOSE(of_latent.watts, of_whole.watts, 0);
    CHECK(of_whole.trust == SOOTH_MODEL_TRUST_INSIDE && of_latent.trust == SOOTH_MODEL_TRUST_OUTSIDE);
    /* H200, 989.4 TFLOPS: the product has 30.06 GFLOP, 0.0304 ms. 4800 GB/s: the cache has 0.54 GB */
    CHECK(power_of(&h200, &product, 0.0305).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(power_of(&h200, &product, 0.0286).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    const sooth_gpu_power never = power_of(&h200, &product, 1e-9);
    CHECK(never.trust == SOOTH_MODEL_TRUST_OUTSIDE && never.high == 700);
    CHECK_CLOSE(never.low, 105, 1e-12);
    const double moved = (2. * 64 * 8 * 128 * 4096 + 4. * 64 * 128 * 40) / 4800e6;
    CHECK(power_of(&h200, &cached, 1.01 * moved).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(power_of(&h200, &cached, 0.94 * moved).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    sooth_operator held = cached; /* its bytes lie in L2: memory is no bound */
    held.context = 63;
    CHECK(power_of(&h200, &held, 0.0019).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(power_of(&h200, &experts, 0.09).trust ==
          SOOTH_MODEL_TRUST_INSIDE); /* 0.110 ms of bytes, expected */
    CHECK(power_of(&h200, &experts, 0.061).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(power_of(&h200, &experts, 0.05).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(power_of(&timer_v100, &product, 1).trust == SOOTH_MODEL_TRUST_OUTSIDE); /* no BF16 */
    other.dtype = SOOTH_TYPE_FP8;                                                 /* A100: only cached */
    CHECK(power_of(&a100, &other, 1).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(power_of(&a100, &cached, 1).trust == SOOTH_MODEL_TRUST_EDGE);
    const sooth_gpu_power in = power_of(&h200, &experts, 0.2), edge = power_of(&h100, &experts, 0.2);
    CHECK(log(edge.watts / edge.low) > 1.2 * log(in.watts / in.low));
}

static void refusals(void) {
    sooth_gpu gpu;
    sooth_gpu_timer timer = timer_of("h200");
    sooth_gpu_power power;
    sooth_operator op = product;
    const double bad[] = {0, -1, NAN, INFINITY};
    for (unsigned i = 0; i < 4; ++i)
        CHECK_STATUS(sooth_gpu_watts(&env, &timer, &op, bad[i], &power), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "ms is inf") != NULL);
    op.m = 0;
    CHECK_STATUS(sooth_gpu_watts(&env, &timer, &op, 1, &power), SOOTH_BAD_ARGUMENT);
    op = product;
    op.kind = SOOTH_OPERATOR_LINEAR;
    op.dtype = SOOTH_TYPE_FP32;
    op.b = 1;
    CHECK_STATUS(sooth_gpu_watts(&env, &timer, &op, 1, &power), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "linear were not learned") != NULL);
    CHECK_STATUS(sooth_gpu_named(&env, "h200", &gpu), SOOTH_OK);
    gpu.tdp_watts = 0;
    CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_watts(&env, &timer, &product, 1, &power), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "tdp_watts") != NULL);
    CHECK_STATUS(sooth_gpu_named(&env, "p100", &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_watts(&env, &timer, &product, 1, &power), SOOTH_BAD_ARGUMENT);
}

/* One row in twenty of those learned from: MoE within 10 %, BF16 products within 3 %, intervals of 90 %. */
static void measured_rows(void) {
    static study s;
    static double off[2000];
    sooth_csv csv;
    static char bytes[1 << 17];
    FILE *file = fopen("examples/gpu/data/llm_operators/watts.csv", "rb");
    size_t held_rows = 0;
    CHECK(file != NULL);
    if (!file) return;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, bytes, size, NULL, &csv), SOOTH_OK);
    CHECK(csv.rows > 900 && csv.rows < 2000);
    for (uint32_t kind = 0; kind < 2; ++kind) {
        size_t n = 0;
        for (size_t i = 0; i < csv.rows; ++i) {
            const size_t of = sooth_operator_find(text_at(&csv, i, "operator"));
            sooth_operator op;
            CHECK(of != SOOTH_NONE && operator_at(&csv, i, (uint32_t)of, &op));
            const sooth_gpu_timer timer = timer_of(text_at(&csv, i, "gpu"));
            const sooth_gpu_power p = power_of(&timer, &op, number_at(&csv, i, "ms"));
            const double watts = number_at(&csv, i, "watts");
            CHECK(p.trust == SOOTH_MODEL_TRUST_INSIDE);
            if (!kind) held_rows += watts >= p.low && (watts <= p.high || p.high >= timer.language.watts);
            if (op.kind == (kind ? SOOTH_OPERATOR_EXPERTS : SOOTH_OPERATOR_GEMM) &&
                (kind || op.dtype == SOOTH_TYPE_BF16))
                off[n++] = 100 * fabs(p.watts / watts - 1);
        }
        CHECK(n > 50 && quantile(off, n, 0.5) < (kind ? 10 : 3));
    }
    CHECK(held_rows > 0.9 * csv.rows);
    sooth_csv_free(&env, &csv);
    free(s.row);
}

/* Rows that a law made are learned as that law, and shares without a law as one share. */
static void a_law_is_found(void) {
    static study s;
    static row made[800];
    static double v[800];
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    strcpy(s.board[0], "one");
    strcpy(s.board[1], "two");
    s.boards = 2;
    s.row = made;
    s.rows = 800;
    for (unsigned i = 0; i < 800; ++i) {
        row *r = &made[i];
        const int lawful = i < 400;
        r->board = i % 2;
        r->class = lawful ? SOOTH_GPU_WATTS_EXPERTS : SOOTH_GPU_WATTS_PREFILL;
        r->dtype = lawful ? SOOTH_TYPE_FP8 : SOOTH_TYPE_BF16;
        r->compute = 0.2 * sooth_rng_double(&rng);
        r->memory = sooth_rng_double(&rng);
        r->ms = 1;
        r->share = lawful ? 0.985 * (1 - exp(-0.3 - 6 * r->compute - 2 * r->memory * r->memory))
                          : 0.6 + 0.2 * sooth_rng_double(&rng) - 0.1;
    }
    const sooth_gpu_watts_law law = learn(&s, SOOTH_GPU_WATTS_EXPERTS, v);
    CHECK_CLOSE(law.still, 0.3, 0.02);
    CHECK_CLOSE(law.compute, 6, 0.02);
    CHECK_CLOSE(law.memory, 2, 0.02);
    CHECK(law.types == 1u << SOOTH_TYPE_FP8 && law.low[0] > 0.97 && law.high[0] < 1.03);
    const sooth_gpu_watts_law flat = fit(&s, SOOTH_GPU_WATTS_PREFILL, 2, 1);
    CHECK(flat.compute == 0 && flat.memory == 0);
    CHECK_CLOSE(sooth_gpu_watts_share(&flat, 0.1, 0.9), 0.6, 0.03);
}

int main(void) {
    CHECK_RUN(equals_the_equation);
    CHECK_RUN(never_above_the_limit);
    CHECK_RUN(a_higher_limit_draws_in_proportion);
    CHECK_RUN(trust_is_of_what_was_learned);
    CHECK_RUN(refusals);
    CHECK_RUN(measured_rows);
    CHECK_RUN(a_law_is_found);
    return check_end("watts");
}
