/* test_language.c - operators of language models: measured rows, the law against a twin from its equations,
 * trees against a plain walk, what is monotone, what is refused and what is outside.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu_time.h"
#include "sooth/csv.h"
#include "../../examples/gpu/language_rows.h"
#include "check.h"

static sooth_env env;

static const uint32_t kinds[6] = {SOOTH_OPERATOR_GEMM,        SOOTH_OPERATOR_PREFILL,
                                  SOOTH_OPERATOR_DECODE,      SOOTH_OPERATOR_EXPERTS,
                                  SOOTH_OPERATOR_MLA_PREFILL, SOOTH_OPERATOR_MLA_DECODE};

static sooth_gpu_timer timer_of(const char *name) {
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    CHECK_STATUS(sooth_gpu_named(&env, name, &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
    return timer;
}

static double a_size(sooth_rng *rng, unsigned octaves) { /* 1 to 2^octaves, odd ones among them */
    const double v = exp2((double)sooth_rng_below(rng, octaves + 1));
    return sooth_rng_below(rng, 3) ? v : floor(v * (1 + sooth_rng_below(rng, 1000) / 1000.0));
}

static sooth_operator an_operator(sooth_rng *rng, uint32_t kind) {
    sooth_operator op;
    memset(&op, 0, sizeof op);
    op.kind = kind;
    op.dtype = sooth_rng_below(rng, 2) ? SOOTH_TYPE_BF16 : SOOTH_TYPE_FP8;
    op.m = a_size(rng, 14);
    op.n = a_size(rng, 14);
    op.k = a_size(rng, 14);
    op.batch = a_size(rng, 8);
    op.tokens = op.context = a_size(rng, 13);
    op.kv_heads = exp2(sooth_rng_below(rng, 4));
    op.heads = op.kv_heads * exp2(sooth_rng_below(rng, 4));
    op.head_dim = 64 << sooth_rng_below(rng, 3);
    op.window = sooth_rng_below(rng, 2) ? 0 : 128;
    op.hidden = 64 * (1 + sooth_rng_below(rng, 100));
    op.topk = 1 + sooth_rng_below(rng, 8);
    op.experts = 8 << sooth_rng_below(rng, 6);
    op.ep = 1 << sooth_rng_below(rng, 4);
    op.tp = 1 << sooth_rng_below(rng, 4);
    op.inter = op.tp * 64 * (1 + sooth_rng_below(rng, 30));
    op.skew = sooth_rng_below(rng, 3) ? 0 : 1.01;
    return op;
}

/* ---- measured rows ---- */

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static int open_rows(const char *name, sooth_csv *csv) {
    static char bytes[100000];
    char path[80];
    snprintf(path, sizeof path, "examples/gpu/data/llm_operators/%s.csv", name);
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK_STATUS(sooth_csv_read(&env, bytes, size, NULL, csv), SOOTH_OK);
    return 1;
}

static double roof_of(const sooth_gpu_timer *timer, const sooth_operator *op) {
    uint32_t bound;
    sooth_work work;
    CHECK_STATUS(sooth_operator_work(&env, op, &work), SOOTH_OK);
    return soothi_gpu_least(timer, op, &work, &bound);
}

/* The shipped rows of the five learned GPUs: the median error of each class on each, and the share that the
   intervals cover. The bounds are the errors of tables learned from every other row, rounded up. */
static void measured_rows(void) {
    static const char gpu[5][16] = {"a100-80gb-sxm", "h100", "h200", "l40s", "b200"};
    static const double bound[6] = {7, 5, 9, 9, 6, 7};
    for (unsigned c = 0; c < 6; ++c) {
        sooth_csv csv;
        if (!open_rows(sooth_operator_name(kinds[c]), &csv)) CHECK_SKIP("examples/gpu/data is not here");
        for (unsigned g = 0; g < 5; ++g) {
            static double off[1000];
            size_t n = 0, within = 0;
            const sooth_gpu_timer timer = timer_of(gpu[g]);
            for (size_t i = 0; i < csv.rows; ++i) {
                sooth_gpu_timing t;
                const double ms = number_at(&csv, i, "ms");
                if (strcmp(text_at(&csv, i, "gpu"), gpu[g]) != 0) continue;
                sooth_operator op;
                CHECK(operator_at(&csv, i, kinds[c], &op));
                CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
                CHECK(ms >=
                      roof_of(&timer, &op)); /* a measured row that contradicts it shows that it is none */
                CHECK(t.trust == SOOTH_MODEL_TRUST_INSIDE && t.low <= t.ms && t.ms < t.high);
                within += ms >= t.low && ms <= t.high;
                off[n++] = 100 * fabs(t.ms / ms - 1);
            }
            qsort(off, n, sizeof *off, ascending);
            CHECK(n >= 20 && off[n / 2] < bound[c]);
            CHECK(within > 0.85 * (double)n);
            if (off[n / 2] >= bound[c] || within <= 0.85 * (double)n)
                printf("  %s on %s: %g %%, %zu of %zu within\n", sooth_operator_name(kinds[c]), gpu[g],
                       off[n / 2], within, n);
        }
        sooth_csv_free(&env, &csv);
    }
}

/* ---- the law and the trees ---- */

static double waves_of(const float *p, double w) {
    return w < 1 ? pow(w, p[SOOTH_GPU_LANGUAGE_SPLIT])
                 : w + p[SOOTH_GPU_LANGUAGE_QUANTUM] * (ceil(w - 1e-12) - w);
}

static double twin_tiles(const float *p, double peak, double sms, double groups, double m, double n,
                         double k) {
    const double size[4][2] = {{128, 256}, {256, 128}, {128, 128}, {64, 64}};
    const double second = p[SOOTH_GPU_LANGUAGE_SECOND], third = second * p[SOOTH_GPU_LANGUAGE_THIRD];
    const double use[4] = {1, 1, second, third};
    double least = INFINITY;
    for (unsigned i = 0; i < 4; ++i) {
        const double w = groups * ceil(m / size[i][0]) * ceil(n / size[i][1]) / sms;
        least = fmin(least, waves_of(p, w) * 2 * size[i][0] * size[i][1] * k * sms /
                                (p[SOOTH_GPU_LANGUAGE_USE] * use[i] * peak));
    }
    return least;
}

/* The equations at the head of gpu_time/language.h with the C library's functions, in BF16. */
static double twin_law(const sooth_gpu *g, const sooth_gpu_language *l, const sooth_operator *op) {
    const float *p = l->law[SOOTH_TYPE_BF16];
    const double peak = 1e6 * g->tensor_gflops, bandwidth = 1e6 * g->memory_gbs;
    const double special = 1e3 * g->clock_mhz * g->sms * g->special_units;
    sooth_work work;
    CHECK_STATUS(sooth_operator_work(&env, op, &work), SOOTH_OK);
    const double M = work.memory_bytes / bandwidth / p[SOOTH_GPU_LANGUAGE_MEMORY];
    const double F = work.operations[SOOTH_COMPUTE_TENSOR], floor_ms = p[SOOTH_GPU_LANGUAGE_FLOOR];
    const double s = op->tokens, b = op->batch, h = op->heads;
    const double seen = op->window > 0 && op->window < s ? op->window : s;
    const double C = F / peak / p[SOOTH_GPU_LANGUAGE_USE], x = p[SOOTH_GPU_LANGUAGE_SECOND] / special;
    double w, start = p[SOOTH_GPU_LANGUAGE_START];
    switch (op->kind) {
    case SOOTH_OPERATOR_GEMM:
        return floor_ms +
               hypot(twin_tiles(p, peak, g->sms, 1, op->m, op->n, op->k + p[SOOTH_GPU_LANGUAGE_EXTRA]), M);
    case SOOTH_OPERATOR_EXPERTS: {
        const double T = s * op->topk / op->ep, E = op->experts / op->ep;
        const double hit = fmax(E * (1 - exp(-T / E)), fmin(1, T));
        return floor_ms + p[SOOTH_GPU_LANGUAGE_EXTRA] * hit +
               hypot(1.5 * twin_tiles(p, peak, g->sms, hit, T / hit, 2 * op->inter / op->tp, op->hidden), M);
    }
    case SOOTH_OPERATOR_PREFILL:
    case SOOTH_OPERATOR_MLA_PREFILL: {
        double pairs = 0;
        for (double q = 1; q <= s; q += 1)
            pairs += op->kind == SOOTH_OPERATOR_PREFILL && op->window > 0 ? fmin(q, op->window) : q;
        const double all = C + x * b * h * pairs;
        w = b * h * fmax(s / 128, 1) / g->sms;
        return floor_ms + start * w + hypot(all * waves_of(p, w) / w, M);
    }
    default: {
        const int latent = op->kind == SOOTH_OPERATOR_MLA_DECODE;
        const double cached = latent ? 1152 * b * s : 4 * b * op->kv_heads * op->head_dim * (seen + 1);
        const double rest = (work.memory_bytes - cached) / cached;
        w = b * (latent ? 1 : op->kv_heads) / g->sms;
        return floor_ms + start * w +
               hypot(C + x * b * h * (latent ? s : seen + 1), M * (waves_of(p, w) / w + rest) / (1 + rest));
    }
    }
}

static void the_law_is_its_twin(void) {
    static const char name[][14] = {"a100-80gb-sxm", "h100", "l40s", "b200", "gb300", "rtx-pro-6000", "b60"};
    sooth_rng rng;
    sooth_rng_init(&rng, 8, 0);
    for (unsigned g = 0; g < sizeof name / sizeof name[0]; ++g) {
        sooth_gpu gpu;
        CHECK_STATUS(sooth_gpu_named(&env, name[g], &gpu), SOOTH_OK);
        const sooth_gpu_timer timer = timer_of(name[g]);
        if (!gpu.special_units) gpu.special_units = 16; /* not known */
        for (unsigned i = 0; i < 300; ++i) {
            sooth_operator op = an_operator(&rng, kinds[i % 6]);
            sooth_gpu_language_time t;
            op.dtype = SOOTH_TYPE_BF16;
            const sooth_gpu_language *l = soothi_gpu_language_for((sooth_operator_kind)op.kind);
            CHECK_STATUS(sooth_gpu_language_predict(&env, &timer.language, l, &op, &t), SOOTH_OK);
            CHECK_CLOSE(t.law, twin_law(&gpu, l, &op), 2e-5);
        }
    }
}

/* A walk over the levels of each tree; sums as doubles. */
static void trees_are_walked(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 9, 0);
    const sooth_gpu_timer timer[3] = {timer_of("h200"), timer_of("gb200"), timer_of("rtx-pro-6000")};
    for (unsigned i = 0; i < 600; ++i) {
        const sooth_operator op = an_operator(&rng, kinds[i % 6]);
        const sooth_gpu_language *l = soothi_gpu_language_for((sooth_operator_kind)op.kind);
        const sooth_gpu_language_device *d = &timer[i / 6 % 3].language;
        sooth_gpu_language_time t;
        int16_t x[SOOTH_GPU_LANGUAGE_FEATURES];
        double law, sum;
        CHECK_STATUS(sooth_gpu_language_predict(&env, d, l, &op, &t), SOOTH_OK);
        CHECK_STATUS(sooth_gpu_language_row(&env, d, l, &op, x, &law), SOOTH_OK);
        CHECK_NEAR(law, t.law, 0);
        CHECK(t.set == (i / 6 % 3 == 0 ? 2u : i / 6 % 3 == 1 ? 4u : 0u));
        const int16_t *leaves = (const int16_t *)(const void *)(l + 1), *threshold = leaves + l->room * 32;
        const uint8_t *feature = (const uint8_t *)(threshold + l->room * 5);
        CHECK(l->depth == 5 && l->room == l->first[SOOTH_GPU_LANGUAGE_SETS]);
        sum = (double)l->base[t.set];
        for (uint32_t k = l->first[t.set]; k < l->first[t.set + 1]; ++k) {
            unsigned leaf = 0;
            for (uint32_t level = 0; level < l->depth; ++level) {
                CHECK(feature[k * l->depth + level] < SOOTH_GPU_LANGUAGE_FEATURES);
                if (x[feature[k * l->depth + level]] > threshold[k * l->depth + level]) leaf += 1u << level;
            }
            sum += leaves[(k << l->depth) + leaf] / 8192.0;
        }
        CHECK_CLOSE(t.ms, law * exp(fmin(fmax(sum, -log(4)), log(4))), 1e-6);
    }
}

/* Trees of six levels, the last of which has the same leaves on both sides, predict what those of five do. */
static void trees_may_be_deeper(void) {
    const sooth_gpu_language *five = sooth_gpu_language_gemm();
    const size_t n = five->first[SOOTH_GPU_LANGUAGE_SETS];
    sooth_gpu_language *six = (sooth_gpu_language *)calloc(1, sizeof *six + n * (64 * 2 + 6 * 2 + 6));
    const sooth_gpu_timer timer = timer_of("h200");
    sooth_rng rng;
    if (!six) return;
    *six = *five;
    six->depth = 6;
    six->room = n;
    const int16_t *leaf = (const int16_t *)(const void *)(five + 1), *threshold = leaf + five->room * 32;
    const uint8_t *feature = (const uint8_t *)(threshold + five->room * 5);
    int16_t *leaves = (int16_t *)(void *)(six + 1), *thresholds = leaves + n * 64;
    uint8_t *features = (uint8_t *)(thresholds + n * 6);
    for (size_t k = 0; k < n; ++k) {
        for (size_t i = 0; i < 64; ++i) leaves[64 * k + i] = leaf[32 * k + i % 32];
        memcpy(thresholds + 6 * k, threshold + 5 * k, 5 * sizeof *threshold);
        memcpy(features + 6 * k, feature + 5 * k, 5);
    }
    sooth_rng_init(&rng, 10, 0);
    for (int i = 0; i < 100; ++i) {
        const sooth_operator op = an_operator(&rng, SOOTH_OPERATOR_GEMM);
        sooth_gpu_language_time t[2];
        CHECK_STATUS(sooth_gpu_language_predict(&env, &timer.language, five, &op, &t[0]), SOOTH_OK);
        CHECK_STATUS(sooth_gpu_language_predict(&env, &timer.language, six, &op, &t[1]), SOOTH_OK);
        CHECK(memcmp(&t[0].ms, &t[1].ms, sizeof t[0].ms) == 0);
    }
    free(six);
}

static double law_of(const sooth_gpu *gpu, const sooth_operator *op) {
    sooth_gpu_language_device device;
    sooth_gpu_language_time t;
    sooth_gpu_language_device_init(&device, gpu);
    CHECK_STATUS(sooth_gpu_language_predict(&env, &device,
                                            soothi_gpu_language_for((sooth_operator_kind)op->kind), op, &t),
                 SOOTH_OK);
    return t.law;
}

/* More of a size is never faster by the law, a better device never slower; a window, tp and ep divide work.
   */
static void the_law_is_monotone(void) {
    static const char name[][14] = {"a100-80gb-sxm", "h100", "l40s", "b200"};
    sooth_rng rng;
    sooth_rng_init(&rng, 10, 0);
    for (unsigned i = 0; i < 3000; ++i) {
        sooth_operator op = an_operator(&rng, kinds[i % 6]), larger;
        sooth_gpu gpu, better;
        CHECK_STATUS(sooth_gpu_named(&env, name[i % 4], &gpu), SOOTH_OK);
        if (!(gpu.fp8_gflops > 0.0)) op.dtype = SOOTH_TYPE_BF16;
        op.window = 0;
        const double before = law_of(&gpu, &op) * (1 - 1e-6), more = 1 + sooth_rng_below(&rng, 3);
        double *size[6] = {&larger.m, &larger.n, &larger.k, &larger.batch, &larger.tokens, &larger.hidden};
        for (unsigned k = 0; k < 6; ++k) {
            larger = op;
            *size[k] += more;
            larger.context = larger.tokens;
            CHECK(law_of(&gpu, &larger) >= before);
        }
        better = gpu;
        better.memory_gbs *= 1.3;
        CHECK(law_of(&better, &op) <= before * (1 + 3e-6));
        better = gpu;
        better.tensor_gflops *= 1.2;
        better.fp8_gflops *= 1.2;
        CHECK(law_of(&better, &op) <= before * (1 + 3e-6));
        better = gpu; /* more of the same SMs, with their share */
        better.sms += 1 + sooth_rng_below(&rng, 40);
        better.memory_gbs *= (double)better.sms / gpu.sms;
        better.tensor_gflops *= (double)better.sms / gpu.sms;
        better.fp8_gflops *= (double)better.sms / gpu.sms;
        CHECK(law_of(&better, &op) <= before * (1 + 3e-6));
    }
}

/* ---- trust and refusals ---- */

static sooth_gpu_timing bf16_gemm(const char *gpu, uint32_t dtype, double m) {
    const sooth_gpu_timer timer = timer_of(gpu);
    sooth_operator op;
    sooth_gpu_timing t;
    memset(&op, 0, sizeof op);
    memset(&t, 0, sizeof t);
    op.kind = SOOTH_OPERATOR_GEMM;
    op.dtype = dtype;
    op.m = m;
    op.n = op.k = 4096;
    CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
    return t;
}

static sooth_gpu_timing latent_decode(const char *gpu, double batch) {
    const sooth_gpu_timer timer = timer_of(gpu);
    const sooth_operator op = {.kind = SOOTH_OPERATOR_MLA_DECODE,
                               .dtype = SOOTH_TYPE_BF16,
                               .batch = batch,
                               .tokens = 4096,
                               .heads = 128};
    sooth_gpu_timing t;
    memset(&t, 0, sizeof t);
    CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
    return t;
}

/* No time and no lower end is below what the sheets allow: TFLOPS, and GB/s for what L2 does not keep. */
static void no_time_is_below_the_roof(void) {
    static const struct {
        const char *gpu;
        uint32_t dtype;
        double tflops;
    } sheet[] = {{"rtx4090", SOOTH_TYPE_BF16, 165.2},
                 {"rtx4090", SOOTH_TYPE_FP16, 330.3}, /* its sums may be in FP16 */
                 {"rtx4090", SOOTH_TYPE_FP8, 660.6},
                 {"b60", SOOTH_TYPE_BF16, 98.3},
                 {"h100-pcie", SOOTH_TYPE_FP8, 1513},
                 {"gb200", SOOTH_TYPE_NVFP4, 10000}};
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; ++i) {
        const sooth_gpu_timing t = bf16_gemm(sheet[i].gpu, sheet[i].dtype, 8192);
        CHECK(t.low >= 2 * 8192 * 4096. * 4096 / (1e9 * sheet[i].tflops) && t.low <= t.ms && t.ms < t.high);
    }
    const double operations = 2176 * 128. * 4096;
    CHECK_CLOSE(latent_decode("h100", 32).low, 32 * operations / 989.4e9, 1e-6);
    CHECK_CLOSE(latent_decode("h200", 16384).low, 16384 * operations / 989.4e9, 1e-6);
    /* A100 computes a cache in FP8 in 16 bits, at 312 TFLOPS; not at the 624 of INT8 */
    const sooth_gpu_timer a100 = timer_of("a100-80gb-sxm");
    sooth_operator op = {.kind = SOOTH_OPERATOR_MLA_DECODE,
                         .dtype = SOOTH_TYPE_FP8,
                         .batch = 999,
                         .tokens = 4096,
                         .heads = 128};
    CHECK_CLOSE(roof_of(&a100, &op), 999 * operations / 312e9, 1e-6);
    /* L2 may keep 50 MiB of a cache; how many experts a skew leaves out is not known */
    const sooth_gpu_timer h100 = timer_of("h100");
    sooth_operator cached = {.kind = SOOTH_OPERATOR_DECODE,
                             .dtype = SOOTH_TYPE_BF16,
                             .batch = 32,
                             .context = 2999,
                             .heads = 8,
                             .kv_heads = 8,
                             .head_dim = 128};
    CHECK_CLOSE(roof_of(&h100, &cached), (4 * 32 * 8 * 128. * 3000 + 8 * 32 * 128. * 8 - 52428800) / 3350e6,
                1e-6);
    op = (sooth_operator){.kind = SOOTH_OPERATOR_EXPERTS,
                          .dtype = SOOTH_TYPE_BF16,
                          .tokens = 64,
                          .hidden = 4096,
                          .inter = 14336,
                          .topk = 2,
                          .experts = 8};
    CHECK(roof_of(&h100, &op) > 0.8); /* 2.8 GB of weights */
    op.skew = 1.2;
    CHECK_CLOSE(roof_of(&h100, &op), 6 * 128 * 4096. * 14336 / 989.4e9, 1e-6);
}

static void what_was_not_learned_is_outside(void) {
    CHECK(bf16_gemm("h100", SOOTH_TYPE_BF16, 512).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(bf16_gemm("gb200", SOOTH_TYPE_NVFP4, 512).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(bf16_gemm("b300", SOOTH_TYPE_FP8, 512).trust == SOOTH_MODEL_TRUST_INSIDE);
    CHECK(bf16_gemm("rtx-pro-6000", SOOTH_TYPE_BF16, 512).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(bf16_gemm("rtx-pro-6000", SOOTH_TYPE_FP8_BLOCK, 512).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(bf16_gemm("rtx-pro-6000", SOOTH_TYPE_NVFP4, 512).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(bf16_gemm("b300", SOOTH_TYPE_INT8, 512).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(bf16_gemm("b60", SOOTH_TYPE_BF16, 512).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    CHECK(bf16_gemm("h100", SOOTH_TYPE_FP16, 512).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(bf16_gemm("rtx-pro-6000", SOOTH_TYPE_FP16, 512).trust == SOOTH_MODEL_TRUST_EDGE);
    CHECK(bf16_gemm("h100", SOOTH_TYPE_FP16, 512).high > bf16_gemm("h100", SOOTH_TYPE_BF16, 512).high);
    CHECK_NEAR(bf16_gemm("h100", SOOTH_TYPE_FP16, 512).ms, bf16_gemm("h100", SOOTH_TYPE_BF16, 512).ms, 0);
    CHECK(bf16_gemm("h100", SOOTH_TYPE_BF16, 1e7).trust >= SOOTH_MODEL_TRUST_EDGE);
    CHECK(bf16_gemm("h100", SOOTH_TYPE_BF16, 1e9).trust == SOOTH_MODEL_TRUST_OUTSIDE);
    /* wider the less is known */
    const sooth_gpu_timing at[4] = {
        bf16_gemm("h100", SOOTH_TYPE_BF16, 512), bf16_gemm("gb200", SOOTH_TYPE_BF16, 512),
        bf16_gemm("rtx-pro-6000", SOOTH_TYPE_BF16, 512), bf16_gemm("b60", SOOTH_TYPE_BF16, 512)};
    for (unsigned i = 0; i + 1 < 4; ++i) CHECK(at[i].high / at[i].ms <= at[i + 1].high / at[i + 1].ms);
    CHECK(at[3].high / at[3].ms >= 7 && at[0].high / at[0].ms < 1.5);
}

/* What each generation multiplies on tensor cores, by NVIDIA's tables of compute capabilities: half precision
   from 7.0, integers of 8 bits from 7.2, BF16 from 8.0, FP8 from 8.9, NVFP4 from 10.0. */
static void types_belong_to_generations(void) {
    static const struct {
        char name[16];
        uint32_t since;
    } type[] = {{"fp16", 70},   {"bf16", 80},      {"int8", 72},         {"fp8", 89},
                {"nvfp4", 100}, {"fp8-block", 89}, {"int8-weights", 70}, {"int4-weights", 70}};
    unsigned refused = 0, answered = 0;
    for (size_t g = 0; sooth_gpu_at(g); ++g) {
        sooth_gpu gpu = *sooth_gpu_at(g);
        sooth_gpu_timer timer;
        if (gpu.maker != SOOTH_GPU_MAKER_NVIDIA || !(gpu.tensor_gflops > 0)) continue;
        gpu.fp8_gflops = gpu.fp4_gflops = gpu.int8_gops = 2 * gpu.tensor_gflops; /* whatever the list says */
        if (sooth_gpu_timer_init(&env, &timer, &gpu, NULL) != SOOTH_OK) continue;
        for (size_t i = 0; i < sizeof type / sizeof type[0]; ++i) {
            sooth_operator op;
            sooth_gpu_timing t;
            memset(&op, 0, sizeof op);
            op.kind = SOOTH_OPERATOR_GEMM;
            op.dtype = (uint32_t)sooth_data_type_find(type[i].name);
            op.m = op.n = op.k = 4096;
            if (gpu.compute < type[i].since) {
                ++refused;
                CHECK_FAILS(&env, sooth_gpu_time(&env, &timer, &op, &t), SOOTH_BAD_ARGUMENT,
                            "which came with compute capability");
                continue;
            }
            ++answered;
            CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
            if (gpu.compute < 80) CHECK(t.trust == SOOTH_MODEL_TRUST_OUTSIDE);
        }
    }
    CHECK(refused >= 10 && answered >= 40);
}

static uint32_t trust_of(const char *gpu, const sooth_operator *op) {
    const sooth_gpu_timer timer = timer_of(gpu);
    sooth_gpu_timing t;
    memset(&t, 0, sizeof t);
    CHECK_STATUS(sooth_gpu_time(&env, &timer, op, &t), SOOTH_OK);
    CHECK(t.low < t.ms && t.ms < t.high);
    return t.trust;
}

/* Ranges are those of the measured rows, as a look at the files shows: products of 32 to 65536, attention
   with head_dim and window 64 and 0, 64 and 128, 128 and 0, 128 and 8192, 256 and 0 (A100: 128 and 0). */
static void shapes_that_were_not_learned(void) {
    const uint32_t in = SOOTH_MODEL_TRUST_INSIDE, edge = SOOTH_MODEL_TRUST_EDGE,
                   out = SOOTH_MODEL_TRUST_OUTSIDE;
    sooth_operator op = {.kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 1, .n = 64, .k = 64};
    static const struct {
        double m, n, k;
        uint32_t trust;
    } product[] = {{1, 32, 32, 0},         {1, 2, 3, 2},           {257, 4096, 4096, 0},
                   {257, 4096, 4100, 1},   {257, 4097, 4096, 1},   {32768, 4096, 4096, 0},
                   {65536, 4096, 64, 1},   {1 << 18, 4096, 64, 2}, {64, 131072, 4096, 1},
                   {64, 1 << 19, 4096, 2}, {64, 4096, 16, 1}};
    for (size_t i = 0; i < sizeof product / sizeof product[0]; ++i) {
        op.m = product[i].m;
        op.n = product[i].n;
        op.k = product[i].k;
        CHECK(trust_of("h200", &op) == (product[i].trust == 0 ? in : product[i].trust == 1 ? edge : out));
    }
    op.m = 16384; /* A100 was measured up to 8192, the others up to 32768 */
    op.n = op.k = 4096;
    CHECK(trust_of("a100-80gb-sxm", &op) == edge && trust_of("b200", &op) == in);
    memset(&op, 0, sizeof op);
    op.kind = SOOTH_OPERATOR_DECODE;
    op.dtype = SOOTH_TYPE_BF16;
    op.batch = 16;
    op.heads = 64;
    op.kv_heads = 8;
    op.context = 4096;
    static const struct {
        double head_dim, window;
        uint32_t h200, a100;
    } attention[] = {{128, 0, 0, 0},    {64, 0, 0, 1},     {64, 128, 0, 1}, {128, 128, 1, 1},
                     {128, 8192, 0, 1}, {128, 4096, 0, 1}, {64, 200, 0, 1}, {64, 1024, 1, 1},
                     {7, 0, 2, 2},      {96, 0, 1, 1},     {192, 0, 1, 1},  {256, 0, 0, 1},
                     {1024, 0, 2, 2},   {512, 128, 2, 2},  {32, 0, 1, 1}};
    for (size_t i = 0; i < sizeof attention / sizeof attention[0]; ++i) {
        static const uint32_t trust[3] = {SOOTH_MODEL_TRUST_INSIDE, SOOTH_MODEL_TRUST_EDGE,
                                          SOOTH_MODEL_TRUST_OUTSIDE};
        op.head_dim = attention[i].head_dim;
        op.window = attention[i].window;
        const uint32_t h200 = trust_of("h200", &op), a100 = trust_of("a100-80gb-sxm", &op);
        CHECK(h200 == trust[attention[i].h200] && a100 == trust[attention[i].a100]);
        if (h200 != trust[attention[i].h200] || a100 != trust[attention[i].a100])
            printf("  head_dim %g, window %g: %u, %u\n", op.head_dim, op.window, h200, a100);
    }
    /* a window on A100 was not measured: no cache twice as long takes half the time */
    const sooth_gpu_timer timer = timer_of("a100-80gb-sxm");
    sooth_gpu_timing shorter, longer;
    op.batch = 256;
    op.head_dim = 128;
    op.window = 128;
    op.context = 32768;
    CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &shorter), SOOTH_OK);
    op.context = 65536;
    CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &longer), SOOTH_OK);
    CHECK(longer.trust >= edge && shorter.trust >= edge && longer.ms > 0.9 * shorter.ms);
}

static void mistakes_are_sentences(void) {
    static const struct {
        const char *gpu, *kind, *dtype, *words;
    } bad[] = {{"h100", "gemm", "nvfp4", "the GPU h100 has no units for data type nvfp4"},
               {"a100-80gb-sxm", "gemm", "fp8", "the GPU a100-80gb-sxm has no units for data type fp8"},
               {"h100", "gemm", "fp32", "the times of gemm with data type fp32 were not learned"},
               {"h100", "gemm", "tf32", "the times of gemm with data type tf32 were not learned"},
               {"b200", "decode", "nvfp4", "the times of decode with data type nvfp4 were not learned"},
               {"h100", "moe", "int8", "the times of moe with data type int8 were not learned"},
               {"v100", "bmm", "bf16", "dtype of bmm is bf16, but must be fp32"},
               {"b60", "add", "fp32", "the times of add were learned from NVIDIA's GPUs alone"},
               {"t4", "gemm", "bf16", "bf16, which came with compute capability 8.0"},
               {"v100", "decode", "bf16", "the GPU v100 has no units for data type bf16"},
               {"v100", "mla-decode", "fp8", "the GPU v100 has no units for data type fp8"},
               {"k20", "gemm", "bf16", "the GPU k20 has no units for data type bf16"}};
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        const sooth_gpu_timer timer = timer_of(bad[i].gpu);
        sooth_operator op = an_operator(&rng, (uint32_t)sooth_operator_find(bad[i].kind));
        sooth_gpu_timing t;
        op.b = 1;
        op.dtype = (uint32_t)sooth_data_type_find(bad[i].dtype);
        CHECK_FAILS(&env, sooth_gpu_time(&env, &timer, &op, &t), SOOTH_BAD_ARGUMENT, bad[i].words);
    }
    const sooth_gpu_timer timer = timer_of("h100");
    sooth_operator op = an_operator(&rng, SOOTH_OPERATOR_DECODE);
    sooth_gpu_language_time t;
    CHECK_FAILS(&env, sooth_gpu_language_predict(&env, &timer.language, sooth_gpu_language_gemm(), &op, &t),
                SOOTH_BAD_ARGUMENT, "but the table is of gemm");
    CHECK(soothi_gpu_language_for(SOOTH_OPERATOR_BMM) == NULL);
    double size[SOOTH_GPU_LANGUAGE_SIZES];
    CHECK_STATUS(sooth_gpu_language_sizes(&env, &op, size), SOOTH_OK);
    CHECK(size[0] == op.batch && size[1] == op.context && size[4] == op.heads / op.kv_heads && size[5] == 0);
    const sooth_operator plain = {.kind = SOOTH_OPERATOR_BMM, .b = 1, .m = 2, .n = 3, .k = 4};
    CHECK_FAILS(&env, sooth_gpu_language_sizes(&env, &plain, size), SOOTH_BAD_ARGUMENT,
                "bmm is not an operator of language models");
    op.heads = 12;
    op.kv_heads = 5;
    CHECK_STATUS(sooth_gpu_language_predict(&env, &timer.language, sooth_gpu_language_decode(), &op, &t),
                 SOOTH_BAD_ARGUMENT);
    CHECK_FAILS(&env, sooth_gpu_language_sizes(&env, &op, size), SOOTH_BAD_ARGUMENT, "kv_heads");
}

/* A cache in FP8 on a device without units of 8 bits is computed in 16, as A100's rows were measured. */
static void a_cache_in_fp8_needs_no_units(void) {
    const sooth_gpu_timer timer = timer_of("a100-80gb-sxm");
    sooth_operator op;
    sooth_gpu_timing t;
    memset(&op, 0, sizeof op);
    op.kind = SOOTH_OPERATOR_MLA_DECODE;
    op.dtype = SOOTH_TYPE_FP8;
    op.batch = 16;
    op.tokens = 4096;
    op.heads = 128;
    CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
    CHECK(t.trust == SOOTH_MODEL_TRUST_INSIDE && t.ms > 0.02 && t.ms < 2);
}

static int row_of(const sooth_gpu *gpu, const sooth_gpu_language *l, const sooth_operator *op,
                  int16_t row[SOOTH_GPU_LANGUAGE_FEATURES], double *law) {
    sooth_gpu_language_device device;
    sooth_gpu_language_device_init(&device, gpu);
    return (int)sooth_gpu_language_row(&env, &device, l, op, row, law);
}

/* L2 that is not known counts as 1 MiB and a limit that is not known as 1 W. Each is one of the features. */
static void a_device_with_gaps(void) {
    enum { N = SOOTH_GPU_LANGUAGE_FEATURES, WATTS = N - SOOTH_GPU_LANGUAGE_DEVICE + 2 };
    const sooth_operator op = {
        .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 512, .n = 4096, .k = 4096};
    const sooth_gpu_language *l = sooth_gpu_language_gemm();
    int16_t row[3][N];
    double law[3];
    sooth_gpu gpu, gap, filled;
    CHECK_STATUS(sooth_gpu_named(&env, "h100", &gpu), SOOTH_OK);
    gap = filled = gpu;
    gap.l2_bytes = 0;
    filled.l2_bytes = 1 << 20;
    CHECK(row_of(&gpu, l, &op, row[0], &law[0]) == SOOTH_OK);
    CHECK(row_of(&gap, l, &op, row[1], &law[1]) == SOOTH_OK);
    CHECK(row_of(&filled, l, &op, row[2], &law[2]) == SOOTH_OK);
    CHECK(memcmp(row[1], row[2], sizeof row[1]) == 0 && row[1][2] > row[0][2]);
    CHECK_NEAR(law[0], law[1], 0);
    /* 2 (512 + 4096) 4096 + 2 x 512 x 4096 bytes are 40 MiB */
    CHECK_NEAR(row[1][2] / 256.0, log(40), 0.003);
    gap = filled = gpu;
    gap.tdp_watts = 0;
    filled.tdp_watts = 1;
    CHECK(row_of(&gap, l, &op, row[1], &law[1]) == SOOTH_OK);
    CHECK(row_of(&filled, l, &op, row[2], &law[2]) == SOOTH_OK);
    CHECK(memcmp(row[1], row[2], sizeof row[1]) == 0);
    for (unsigned i = 0; i < N; ++i) CHECK((row[0][i] != row[1][i]) == (i == WATTS));
    CHECK_NEAR((row[0][WATTS] - row[1][WATTS]) / 256.0, log(700), 0.005);
    gap = gpu; /* a capability of 1300.0 is 256 x 1300 in the row, which 16 bits do not hold */
    gap.compute = 13000;
    CHECK(row_of(&gap, l, &op, row[1], &law[1]) == SOOTH_OK);
    CHECK(row[0][N - 1] == 256 * 9 && row[1][N - 1] == 32766);
    gap = gpu;
    gap.fp8_gflops = 0;
    const sooth_operator narrow = {
        .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_FP8, .m = 512, .n = 4096, .k = 4096};
    CHECK_FAILS(&env, row_of(&gap, l, &narrow, row[1], &law[1]), SOOTH_BAD_ARGUMENT,
                "the GPU h100 has no units for data type fp8, or their rate is not known");
}

/* A table with laws of single precision: TF32 needs 8.0, and neither type quantises its activations. */
static void a_table_of_other_types(void) {
    sooth_gpu_language l = *sooth_gpu_language_gemm(), free_start;
    sooth_operator op = {.kind = SOOTH_OPERATOR_GEMM, .m = 4096, .n = 4096, .k = 4096};
    int16_t row[SOOTH_GPU_LANGUAGE_FEATURES];
    double law, without;
    sooth_gpu h100, v100;
    CHECK_STATUS(sooth_gpu_named(&env, "h100", &h100), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_named(&env, "v100", &v100), SOOTH_OK);
    for (uint32_t type = SOOTH_TYPE_FP32; type <= SOOTH_TYPE_TF32; ++type)
        memcpy(l.law[type], l.law[SOOTH_TYPE_FP8], sizeof l.law[type]);
    free_start = l;
    for (uint32_t type = 0; type < SOOTH_TYPES; ++type) free_start.law[type][SOOTH_GPU_LANGUAGE_START] = 0;
    CHECK(l.law[SOOTH_TYPE_FP8][SOOTH_GPU_LANGUAGE_START] > 0);
    op.dtype = SOOTH_TYPE_FP32;
    CHECK(row_of(&h100, &l, &op, row, &law) == SOOTH_OK);
    CHECK(row_of(&h100, &free_start, &op, row, &without) == SOOTH_OK);
    CHECK_NEAR(law, without, 0);
    /* 2 x 4096^3 operations at the 66.9 TFLOPS of the vector units take 2.05 ms */
    CHECK(law > 2.05);
    op.dtype = SOOTH_TYPE_FP8;
    CHECK(row_of(&h100, &l, &op, row, &law) == SOOTH_OK);
    CHECK(row_of(&h100, &free_start, &op, row, &without) == SOOTH_OK);
    CHECK_CLOSE(law - without,
                l.law[SOOTH_TYPE_FP8][SOOTH_GPU_LANGUAGE_START] * 3 * 4096. * 4096 / (1e6 * h100.memory_gbs),
                1e-9);
    op.dtype = SOOTH_TYPE_TF32;
    CHECK_FAILS(&env, row_of(&v100, &l, &op, row, &law), SOOTH_BAD_ARGUMENT,
                "no units for data type tf32, which came with compute capability 8.0");
}

/* A list of as many forms as a table holds is read to its end, and no further. */
static void a_full_list_of_forms(void) {
    sooth_gpu_language l = *sooth_gpu_language_decode();
    sooth_operator op = {.kind = SOOTH_OPERATOR_DECODE};
    for (uint32_t i = 0; i < SOOTH_GPU_LANGUAGE_FORMS; ++i) {
        l.form[0][i][0] = 16 * (i + 1);
        l.form[0][i][1] = 0;
        l.form[1][i][0] = 1024; /* what a walk beyond the list would find */
    }
    for (uint32_t head_dim = 1; head_dim < 2000; ++head_dim) {
        const int among = head_dim <= 128 && head_dim % 16 == 0, beside = head_dim >= 8 && head_dim <= 256;
        op.head_dim = head_dim;
        CHECK(soothi_language_form_away(&l, 0, &op) == (among    ? SOOTHI_LANGUAGE_AMONG
                                                        : beside ? SOOTHI_LANGUAGE_BESIDE
                                                                 : SOOTHI_LANGUAGE_BEYOND));
    }
}

static void tables_are_small(void) {
    size_t all = 0;
    for (unsigned c = 0; c < 6; ++c) {
        const sooth_gpu_language *l = soothi_gpu_language_for((sooth_operator_kind)kinds[c]);
        CHECK(l->kind == kinds[c] && l->gpus == 5);
        all += sizeof *l + l->first[SOOTH_GPU_LANGUAGE_SETS] * (3 * l->depth + (2u << l->depth));
    }
    CHECK(all <= 400 * 1024);
}

/* The bits of many predictions, so that no machine and no change moves one unseen. */
static void the_same_bits(void) {
    static const char name[][14] = {"a100-80gb-sxm", "h200", "l40s", "gb300", "rtx-pro-6000"};
    unsigned long long hash = 1469598103934665603u;
    sooth_rng rng;
    sooth_rng_init(&rng, 20, 0);
    for (unsigned i = 0; i < 600; ++i) {
        const sooth_gpu_timer timer = timer_of(name[i / 6 % 5]);
        sooth_operator op = an_operator(&rng, kinds[i % 6]);
        sooth_gpu_timing t;
        if (i / 6 % 5 == 0) op.dtype = SOOTH_TYPE_BF16;
        CHECK_STATUS(sooth_gpu_time(&env, &timer, &op, &t), SOOTH_OK);
        hash = check_hash_doubles(hash, &t.ms, 1);
    }
    CHECK(hash == 0x6f7de2d33d0fe3bfu);
    if (hash != 0x6f7de2d33d0fe3bfu) printf("  the hash is 0x%016llx\n", hash);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(measured_rows);
    CHECK_RUN(the_law_is_its_twin);
    CHECK_RUN(trees_are_walked);
    CHECK_RUN(trees_may_be_deeper);
    CHECK_RUN(the_law_is_monotone);
    CHECK_RUN(no_time_is_below_the_roof);
    CHECK_RUN(what_was_not_learned_is_outside);
    CHECK_RUN(types_belong_to_generations);
    CHECK_RUN(shapes_that_were_not_learned);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(a_cache_in_fp8_needs_no_units);
    CHECK_RUN(a_device_with_gaps);
    CHECK_RUN(a_table_of_other_types);
    CHECK_RUN(a_full_list_of_forms);
    CHECK_RUN(tables_are_small);
    CHECK_RUN(the_same_bits);
    return check_end("language");
}
