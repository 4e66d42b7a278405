/* test_language_models.c - published parameters, operations counted weight by weight, shapes by hand.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu.h"
#include "check.h"

#include <ctype.h>

static sooth_env env;

static sooth_language_model model_of(const char *name) {
    sooth_language_model model;
    memset(&model, 0, sizeof model);
    CHECK_STATUS(sooth_language_named(&env, name, &model), SOOTH_OK);
    return model;
}

static sooth_language_counts counts_of(const sooth_language_model *model, const sooth_language_batch *batch) {
    sooth_language_counts counts;
    CHECK_STATUS(sooth_language_count(&env, model, batch, &counts), SOOTH_OK);
    return counts;
}

/* The operators of a step. */
typedef struct step {
    sooth_language_operator op[SOOTH_LANGUAGE_MAX_OPERATORS];
    size_t count;
} step;

static step step_of(const sooth_language_model *model, const sooth_language_batch *batch) {
    step s;
    memset(&s, 0, sizeof s);
    CHECK_STATUS(sooth_language_step(&env, model, batch, s.op, SOOTH_LANGUAGE_MAX_OPERATORS, &s.count),
                 SOOTH_OK);
    return s;
}

/* The n-th operator of a part, from 0; NULL if there is none. */
static const sooth_language_operator *part_of(const step *s, sooth_language_part part, size_t n) {
    for (size_t i = 0; i < s->count; ++i)
        if (s->op[i].part == (uint32_t)part && n-- == 0) return &s->op[i];
    return NULL;
}

static int is_product(const step *s, sooth_language_part part, double runs, double m, double n, double k) {
    const sooth_language_operator *at = part_of(s, part, 0);
    return at && at->op.kind == SOOTH_OPERATOR_GEMM && fabs(at->count - runs) < 0.5 &&
           fabs(at->op.m - m) < 0.5 && fabs(at->op.n - n) < 0.5 && fabs(at->op.k - k) < 0.5;
}

static double operations_of(const sooth_operator *op) {
    sooth_work work;
    double sum = 0.0;
    CHECK_STATUS(sooth_operator_work(&env, op, &work), SOOTH_OK);
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) sum += work.operations[i];
    return sum;
}

static int is_attention(const sooth_operator *op) {
    return op->kind != SOOTH_OPERATOR_GEMM && op->kind != SOOTH_OPERATOR_EXPERTS;
}

/* Operations of everything but attention, on one GPU. */
static double operations_of_weights(const step *s) {
    double sum = 0.0;
    for (size_t i = 0; i < s->count; ++i)
        if (!is_attention(&s->op[i].op)) sum += s->op[i].count * operations_of(&s->op[i].op);
    return sum;
}

/* Total and active parameters in 1e9, with the digits that are published: on the models' pages on
   huggingface.co and in their reports (Llama 3: arXiv 2407.21783; Qwen2.5: 2412.15115; Qwen3: 2505.09388;
   DeepSeek-V2 and -V3: 2405.04434, 2412.19437; gpt-oss: 2508.10925, table 1; Mixtral: 2401.04088). Qwen and
   Mistral count the input table among the active ones, OpenAI and DeepSeek do not. */
static void parameters_as_published(void) {
    static const struct {
        const char *name;
        double total, active, within, active_within;
        int with_table;
    } published[] = {{"llama-3.1-8b", 8.03, 0, 0.005, 0, 0},
                     {"llama-3.1-70b", 70.6, 0, 0.051, 0, 0},
                     {"llama-3.1-405b", 405, 0, 1, 0, 0},
                     {"llama-3.2-1b", 1.24, 0, 0.006, 0, 0},
                     {"llama-3.2-3b", 3.21, 0, 0.006, 0, 0},
                     {"qwen2.5-7b", 7.61, 0, 0.006, 0, 0},
                     {"qwen2.5-14b", 14.7, 0, 0.1, 0, 0},
                     {"qwen2.5-32b", 32.5, 0, 0.3, 0, 0},
                     {"qwen2.5-72b", 72.7, 0, 0.05, 0, 0},
                     {"qwen3-4b", 4.0, 0, 0.05, 0, 0},
                     {"qwen3-8b", 8.2, 0, 0.05, 0, 0},
                     {"qwen3-14b", 14.8, 0, 0.05, 0, 0},
                     {"qwen3-32b", 32.8, 0, 0.05, 0, 0},
                     {"qwen3-30b-a3b", 30.5, 3.3, 0.05, 0.06, 1},
                     {"qwen3-235b-a22b", 235, 22, 0.5, 0.5, 1},
                     {"deepseek-v2-lite", 15.7, 2.4, 0.05, 0.06, 0},
                     {"deepseek-v2", 236, 21, 0.5, 0.5, 0},
                     {"deepseek-v3", 671, 36.6, 0.5, 0.05, 0},
                     {"gpt-oss-20b", 20.91, 3.61, 0.01, 0.01, 0},
                     {"gpt-oss-120b", 116.83, 5.13, 0.05, 0.006, 0},
                     {"mixtral-8x7b", 46.7, 12.9, 0.05, 0.05, 1},
                     {"mixtral-8x22b", 141, 39, 0.5, 0.5, 1}};
    size_t count = 0;
    while (sooth_language_at(count)) ++count;
    CHECK(count == sizeof published / sizeof published[0]);
    for (size_t i = 0; i < count; ++i) {
        const sooth_language_model model = model_of(published[i].name);
        const sooth_language_counts counts = counts_of(&model, NULL);
        const double table = published[i].with_table ? (double)model.hidden * (double)model.vocabulary : 0.0;
        CHECK_NEAR(1e-9 * counts.parameters, published[i].total, published[i].within);
        if (published[i].active > 0)
            CHECK_NEAR(1e-9 * (counts.active + table), published[i].active, published[i].active_within);
        else
            CHECK_NEAR(counts.active + (model.tied ? 0 : (double)model.hidden * (double)model.vocabulary),
                       counts.parameters, 1);
    }
}

/* The report of gpt-oss has its parameters by part, in 1e9: experts 114.71, attention 0.96, tables 1.16. */
static void parts_as_published(void) {
    sooth_language_model model = model_of("gpt-oss-120b"), without = model;
    const double all = counts_of(&model, NULL).parameters;
    const double tables = 2.0 * 201088.0 * 2880.0;
    without.experts = without.topk = without.expert_inter = 0;
    without.inter = 1;
    const double attention = counts_of(&without, NULL).parameters - tables - 36.0 * 3.0 * 2880.0;
    CHECK_NEAR(1e-9 * tables, 1.16, 0.005);
    CHECK_NEAR(1e-9 * attention, 0.96, 0.006);
    CHECK_NEAR(1e-9 * (all - tables - attention), 114.71, 0.05); /* theirs have biases */
}

/* A model is found by every name that is published of it. The names in the sentence are whole. */
static void names_as_published(void) {
    sooth_language_model model;
    for (size_t i = 0; sooth_language_at(i); ++i) {
        const char *source = sooth_language_source(i), *slash = strchr(source, '/');
        char large[64];
        size_t n = 0;
        for (; source[n]; ++n) large[n] = (char)toupper((unsigned char)source[n]);
        large[n] = 0;
        const char *const names[] = {source, slash + 1, large, sooth_language_at(i)->name};
        for (size_t k = 0; k < 4; ++k) {
            CHECK_STATUS(sooth_language_named(&env, names[k], &model), SOOTH_OK);
            CHECK(strcmp(model.name, sooth_language_at(i)->name) == 0);
        }
    }
    CHECK_STATUS(sooth_language_named(&env, "meta-llama/", &model), SOOTH_BAD_ARGUMENT);
    CHECK_STATUS(sooth_language_named(&env, "llama", &model), SOOTH_BAD_ARGUMENT);
    char *list = strstr(env.sentence, "known are ");
    size_t listed = 0;
    unsigned more = 0;
    CHECK(list != NULL);
    for (char *name = strtok(list + strlen("known are "), ", "); name; name = strtok(NULL, ", ")) {
        if (strcmp(name, "and") == 0) {
            CHECK(sscanf(strtok(NULL, ""), "%u more", &more) == 1);
            break;
        }
        CHECK(strcmp(name, sooth_language_at(listed++)->name) == 0);
    }
    CHECK(listed >= 5 && !sooth_language_at(listed + more) && sooth_language_at(listed + more - 1));
}

/* Each parameter that a token meets is one product and one sum for it. */
static void two_operations_for_each_active_parameter(void) {
    const sooth_language_batch sequences = {.decode = 7, .context = 100};
    const sooth_language_batch prompts = {.prefill = 5, .tokens = 1};
    for (size_t i = 0; sooth_language_at(i); ++i) {
        const sooth_language_model *model = sooth_language_at(i);
        const double active = counts_of(model, NULL).active;
        step s = step_of(model, &sequences);
        CHECK_CLOSE(operations_of_weights(&s), 2.0 * 7.0 * active, 1e-12);
        s = step_of(model, &prompts);
        CHECK_CLOSE(operations_of_weights(&s), 2.0 * 5.0 * active, 1e-12);
    }
}

/* The last product takes one row of each prompt, all others take every token. */
static void one_row_of_a_prompt_meets_the_vocabulary(void) {
    const sooth_language_batch batch = {.prefill = 3, .tokens = 1000, .decode = 20, .context = 500};
    for (size_t i = 0; sooth_language_at(i); ++i) {
        const sooth_language_model *model = sooth_language_at(i);
        const double head = (double)model->hidden * (double)model->vocabulary;
        const double active = counts_of(model, NULL).active;
        const step s = step_of(model, &batch);
        CHECK_CLOSE(operations_of_weights(&s), 2.0 * (3020.0 * (active - head) + 23.0 * head), 1e-12);
    }
}

/* GPUs that divide a model compute it together. A key head that several GPUs keep is computed by each. */
static void gpus_share_the_work(void) {
    const sooth_language_batch alone = {.decode = 16, .context = 1000};
    sooth_language_batch shared = alone;
    sooth_language_model model = model_of("llama-3.1-70b");
    step one = step_of(&model, &alone), of;
    shared.tp = 8;
    of = step_of(&model, &shared);
    CHECK_CLOSE(8.0 * operations_of_weights(&of), operations_of_weights(&one), 1e-12);
    shared.tp = 16;
    of = step_of(&model, &shared);
    CHECK_CLOSE(16.0 * operations_of_weights(&of),
                operations_of_weights(&one) + 80.0 * 2.0 * 16.0 * 8192.0 * 2.0 * 8.0 * 128.0, 1e-12);
    CHECK(part_of(&of, SOOTH_LANGUAGE_DECODE, 0)->op.kv_heads < 1.5);
    model = model_of("mixtral-8x7b");
    one = step_of(&model, &alone);
    for (shared.tp = 1, shared.ep = 1; shared.ep <= 8;
         shared.ep *= 2) { /* four batches of 16 use 8 experts */
        shared.tp = 4;
        of = step_of(&model, &shared);
        const sooth_operator *op = &part_of(&of, SOOTH_LANGUAGE_EXPERTS, 0)->op;
        const double gpus = shared.ep > 4 ? 8.0 : 4.0;
        CHECK_CLOSE(gpus * operations_of(op),
                    gpus / 4.0 * operations_of(&part_of(&one, SOOTH_LANGUAGE_EXPERTS, 0)->op), 1e-12);
        CHECK_CLOSE(op->tp * op->ep, gpus, 1e-12);
    }
}

static void shapes_of_grouped_heads(void) {
    const sooth_language_batch batch = {.prefill = 2,
                                        .tokens = 512,
                                        .decode = 30,
                                        .context = 4095,
                                        .tp = 4,
                                        .dtype = SOOTH_TYPE_FP8,
                                        .cache_dtype = SOOTH_TYPE_FP8};
    const sooth_language_model model = model_of("llama-3.1-8b");
    const step s = step_of(&model, &batch);
    const sooth_operator *prefill = &part_of(&s, SOOTH_LANGUAGE_PREFILL, 0)->op;
    const sooth_operator *decode = &part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->op;
    CHECK(s.count == 7);
    CHECK(is_product(&s, SOOTH_LANGUAGE_QKV, 32, 1054, (8 + 2 + 2) * 128, 4096));
    CHECK(is_product(&s, SOOTH_LANGUAGE_OUTPUT, 32, 1054, 4096, 1024));
    CHECK(is_product(&s, SOOTH_LANGUAGE_GATE, 32, 1054, 2 * 3584, 4096));
    CHECK(is_product(&s, SOOTH_LANGUAGE_DOWN, 32, 1054, 4096, 3584));
    CHECK(is_product(&s, SOOTH_LANGUAGE_VOCABULARY, 1, 32, 32064, 4096));
    CHECK(part_of(&s, SOOTH_LANGUAGE_QKV, 0)->op.dtype == SOOTH_TYPE_FP8);
    CHECK(part_of(&s, SOOTH_LANGUAGE_VOCABULARY, 0)->op.dtype == SOOTH_TYPE_BF16);
    CHECK(prefill->kind == SOOTH_OPERATOR_PREFILL && prefill->dtype == SOOTH_TYPE_FP8);
    CHECK_CLOSE(prefill->batch, 2, 0);
    CHECK_CLOSE(prefill->tokens, 512, 0);
    CHECK_CLOSE(prefill->heads, 8, 0);
    CHECK_CLOSE(prefill->kv_heads, 2, 0);
    CHECK_CLOSE(prefill->head_dim, 128, 0);
    CHECK(decode->kind == SOOTH_OPERATOR_DECODE && decode->dtype == SOOTH_TYPE_FP8);
    CHECK_CLOSE(decode->batch, 30, 0);
    CHECK_CLOSE(decode->context, 4095, 0);
    CHECK(!(decode->window > 0));
}

static void windows_alternate(void) {
    const sooth_language_batch batch = {.decode = 8, .context = 9000};
    sooth_language_model model = model_of("gpt-oss-120b");
    step s = step_of(&model, &batch);
    const sooth_language_operator *full = part_of(&s, SOOTH_LANGUAGE_DECODE, 0);
    const sooth_language_operator *windowed = part_of(&s, SOOTH_LANGUAGE_DECODE, 1);
    CHECK(full && windowed && !part_of(&s, SOOTH_LANGUAGE_DECODE, 2));
    CHECK_CLOSE(full->count, 18, 0);
    CHECK_CLOSE(windowed->count, 18, 0);
    CHECK(!(full->op.window > 0));
    CHECK_CLOSE(windowed->op.window, 128, 0);
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 8.0 * 2.0 * 2.0 * 8.0 * 64.0 * 18.0 * (9001.0 + 128.0),
                1e-12);
    CHECK_CLOSE(part_of(&s, SOOTH_LANGUAGE_EXPERTS, 0)->count, 36, 0);
    model.window_period = 0;
    s = step_of(&model, &batch);
    CHECK_CLOSE(part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->count, 36, 0);
    CHECK(!part_of(&s, SOOTH_LANGUAGE_DECODE, 1));
    model.window_period = 5; /* layers 5, 10, ... 35 of 36 */
    s = step_of(&model, &batch);
    CHECK_CLOSE(part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->count, 7, 0);
}

/* DeepSeek-V3 by hand: 3 dense layers, 58 with 256 experts and a shared one; latent ranks 1536 and 512. */
static void latent_attention_by_hand(void) {
    sooth_language_batch batch = {.decode = 64, .context = 3000, .tp = 8};
    sooth_language_model model = model_of("deepseek-v3");
    step s = step_of(&model, &batch);
    CHECK(s.count == 13 && !part_of(&s, SOOTH_LANGUAGE_LATENT_KEYS, 0));
    CHECK(is_product(&s, SOOTH_LANGUAGE_LATENT_DOWN, 61, 64, 1536 + 512 + 64, 7168));
    CHECK(is_product(&s, SOOTH_LANGUAGE_LATENT_QUERY, 61, 64, 16 * 192, 1536));
    CHECK(is_product(&s, SOOTH_LANGUAGE_ABSORBED_KEYS, 61, 64, 16 * 512, 128));
    CHECK(is_product(&s, SOOTH_LANGUAGE_ABSORBED_VALUES, 61, 64, 128, 16 * 512));
    CHECK(is_product(&s, SOOTH_LANGUAGE_OUTPUT, 61, 64, 7168, 16 * 128));
    CHECK(is_product(&s, SOOTH_LANGUAGE_GATE, 3, 64, 2 * 18432 / 8, 7168));
    CHECK(is_product(&s, SOOTH_LANGUAGE_ROUTER, 58, 64, 256, 7168));
    CHECK(is_product(&s, SOOTH_LANGUAGE_SHARED_GATE, 58, 64, 2 * 2048 / 8, 7168));
    CHECK(is_product(&s, SOOTH_LANGUAGE_SHARED_DOWN, 58, 64, 7168, 2048 / 8));
    const sooth_operator *op = &part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->op;
    CHECK(op->kind == SOOTH_OPERATOR_MLA_DECODE);
    CHECK_CLOSE(op->heads, 16, 0);
    CHECK_CLOSE(op->tokens, 3000, 0);
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 64.0 * 3001.0 * 61.0 * 576.0 * 2.0, 1e-12);
    memset(&batch, 0, sizeof batch);
    batch.prefill = 2;
    batch.tokens = 700;
    s = step_of(&model, &batch);
    CHECK(is_product(&s, SOOTH_LANGUAGE_LATENT_KEYS, 61, 1400, 128 * 256, 512));
    CHECK(!part_of(&s, SOOTH_LANGUAGE_ABSORBED_KEYS, 0) && !part_of(&s, SOOTH_LANGUAGE_ABSORBED_VALUES, 0));
    CHECK(part_of(&s, SOOTH_LANGUAGE_PREFILL, 0)->op.kind == SOOTH_OPERATOR_MLA_PREFILL);
    model.query_rank = 0; /* as the smaller DeepSeek-V2 */
    s = step_of(&model, &batch);
    CHECK(is_product(&s, SOOTH_LANGUAGE_LATENT_QUERY, 61, 1400, 128 * 192, 7168));
}

/* Experts alone on their GPUs, with attention in parallel: 32 GPUs of 8 experts each, a batch on each. */
static void experts_across_batches(void) {
    const sooth_language_batch batch = {
        .decode = 64, .context = 100, .tp = 1, .ep = 32, .skew = 1.2, .expert_dtype = SOOTH_TYPE_FP8_BLOCK};
    const sooth_language_model model = model_of("deepseek-v3");
    const step s = step_of(&model, &batch);
    const sooth_operator *op = &part_of(&s, SOOTH_LANGUAGE_EXPERTS, 0)->op;
    CHECK_CLOSE(op->tokens, 2048, 0);
    CHECK_CLOSE(op->ep, 32, 0);
    CHECK_CLOSE(op->tp, 1, 0);
    CHECK_CLOSE(op->skew, 1.2, 0);
    CHECK_CLOSE(op->experts, 256, 0);
    CHECK(op->dtype == SOOTH_TYPE_FP8_BLOCK);
    CHECK(part_of(&s, SOOTH_LANGUAGE_OUTPUT, 0)->op.dtype == SOOTH_TYPE_BF16);
}

/* 70.6e9 parameters in BF16 are 141 GB; 8 GPUs hold an eighth each. gpt-oss-120b is published as 60.8 GiB
   with experts of 4.25 bits; NVFP4 takes 4.5. A cache of Llama 3 takes 320 KiB a token. */
static void bytes_of_weights_and_cache(void) {
    sooth_language_batch batch = {.decode = 1, .context = 1};
    sooth_language_model model = model_of("llama-3.1-70b");
    CHECK_CLOSE(counts_of(&model, NULL).weight_bytes, 2.0 * counts_of(&model, NULL).parameters, 1e-12);
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 2.0 * 327680.0, 1e-12);
    batch.tp = 8;
    CHECK_CLOSE(8.0 * counts_of(&model, &batch).weight_bytes, 2.0 * counts_of(&model, NULL).parameters,
                1e-12);
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 2.0 * 40960.0, 1e-12);
    batch.cache_dtype = SOOTH_TYPE_FP8;
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 2.0 * 20480.0, 1e-12);
    model = model_of("gpt-oss-120b");
    memset(&batch, 0, sizeof batch);
    batch.expert_dtype = SOOTH_TYPE_NVFP4;
    const double gibibytes = counts_of(&model, &batch).weight_bytes / 1073741824.0;
    CHECK_NEAR(gibibytes, 60.8 + 114.66e9 * 0.25 / 8.0 / 1073741824.0, 0.2);
    memset(&batch, 0, sizeof batch);
    batch.dtype = SOOTH_TYPE_FP8_BLOCK;
    model = model_of("deepseek-v3");
    const double heads = 61.0 * 2.0 * 128.0 * 128.0 * 512.0, router = 58.0 * 256.0 * 7168.0;
    CHECK_CLOSE(counts_of(&model, &batch).weight_bytes,
                counts_of(&model, NULL).parameters + heads + router + 2.0 * 129280.0 * 7168.0, 1e-12);
}

static void names(void) {
    CHECK(strcmp(sooth_language_part_name(SOOTH_LANGUAGE_GATE), "gate-up") == 0);
    CHECK(strcmp(sooth_language_part_name(SOOTH_LANGUAGE_PARTS - 1), "vocabulary") == 0);
    CHECK(!sooth_language_part_name(SOOTH_LANGUAGE_PARTS));
    for (size_t i = 0; sooth_language_at(i); ++i) {
        const sooth_language_model model = model_of(sooth_language_at(i)->name);
        CHECK(memcmp(&model, sooth_language_at(i), sizeof model) == 0);
        CHECK(strchr(sooth_language_source(i), '/') != NULL);
    }
    CHECK(!sooth_language_source(1000));
    CHECK(sooth_language_options_list().count == 17);
    CHECK(sooth_language_batch_options_list().count == 7);
}

/* One number of a model is changed, and the sentence is the one expected. */
static void refused(const char *name, size_t offset, uint32_t value, const char *words) {
    const sooth_language_batch batch = {.decode = 1, .context = 1};
    sooth_language_model model = model_of(name);
    step s;
    memcpy((char *)&model + offset, &value, sizeof value);
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &batch, s.op, SOOTH_LANGUAGE_MAX_OPERATORS, &s.count),
                SOOTH_BAD_ARGUMENT, words);
    CHECK(s.count == 0);
}

static void batch_refused(sooth_language_batch batch, const char *name, const char *words) {
    const sooth_language_model model = model_of(name);
    step s;
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &batch, s.op, SOOTH_LANGUAGE_MAX_OPERATORS, &s.count),
                SOOTH_BAD_ARGUMENT, words);
}

static void mistakes_are_sentences(void) {
    sooth_language_model model;
    step s;
    const sooth_language_batch one = {.decode = 1, .context = 1};
#define MODEL(name, field, value, words) refused(name, offsetof(sooth_language_model, field), value, words)
    MODEL("llama-3.1-8b", layers, 0, "layers is missing");
    MODEL("llama-3.1-8b", hidden, 0, "hidden is missing");
    MODEL("llama-3.1-8b", heads, 0, "heads is missing");
    MODEL("llama-3.1-8b", vocabulary, 0, "vocabulary is missing");
    MODEL("llama-3.1-8b", inter, 0, "inter is missing");
    MODEL("llama-3.1-8b", layers, 1001, "layers is 1001, but must be between 1 and 1000");
    MODEL("llama-3.1-8b", kv_heads, 5, "kv_heads is 5, but must divide heads, 32");
    MODEL("llama-3.1-8b", kv_heads, 64, "kv_heads is 64, but must divide heads, 32");
    MODEL("llama-3.1-8b", topk, 2, "experts is missing");
    MODEL("llama-3.1-8b", expert_inter, 2, "experts is missing, but topk, expert_inter");
    MODEL("llama-3.1-8b", shared_experts, 2, "experts is missing, but topk, expert_inter");
    MODEL("llama-3.1-8b", dense_layers, 2, "experts is missing, but topk, expert_inter");
    MODEL("llama-3.1-8b", window_period, 2, "window is missing");
    MODEL("llama-3.1-8b", query_rank, 2, "latent_rank is missing");
    MODEL("llama-3.1-8b", latent_rank, 512, "kv_heads is 8, but latent attention");
    MODEL("mixtral-8x7b", topk, 9, "topk is 9");
    MODEL("mixtral-8x7b", topk, 0, "topk is 0");
    MODEL("mixtral-8x7b", expert_inter, 0, "expert_inter is 0");
    MODEL("mixtral-8x7b", dense_layers, 33, "dense_layers is 33, but must be up to layers, 32");
    MODEL("mixtral-8x7b", dense_layers, 1, "inter is missing");
    MODEL("deepseek-v3", latent_rank, 256, "latent_rank is 256");
    MODEL("deepseek-v3", head_dim, 64, "head_dim is 64");
    MODEL("deepseek-v3", window, 128, "no window");
#undef MODEL
    batch_refused((sooth_language_batch){.tp = 1}, "llama-3.1-8b", "the batch is empty");
    batch_refused((sooth_language_batch){.decode = 1}, "llama-3.1-8b", "context is 0");
    batch_refused((sooth_language_batch){.tokens = 1}, "llama-3.1-8b", "prefill is 0");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .tp = 3}, "llama-3.1-8b",
                  "heads is 32, but must be divisible by tp, which is 3");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .tp = 6}, "llama-3.2-3b",
                  "inter is 8192, but must be divisible by tp");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .ep = 2}, "llama-3.1-8b",
                  "has no experts");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .tp = 4, .ep = 6}, "mixtral-8x7b",
                  "ep is 6, but must divide tp, 4");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .tp = 1, .ep = 16}, "mixtral-8x7b",
                  "experts is 8, but must be divisible by ep");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .dtype = SOOTH_TYPE_TF32}, "mixtral-8x7b",
                  "dtype is 1, but must be from 2 (fp16)");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .cache_dtype = SOOTH_TYPES},
                  "mixtral-8x7b", "cache_dtype is ");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .tp = 4097}, "llama-3.1-8b",
                  "tp is 4097, but must be between 1 and 4096");
    batch_refused((sooth_language_batch){.decode = 1, .context = 1, .skew = 5}, "mixtral-8x7b", "skew is 5");
    CHECK_FAILS(&env, sooth_language_named(&env, "llama-9", &model), SOOTH_BAD_ARGUMENT,
                "no language model called llama-9; known are llama-3.1-8b");
    model = model_of("llama-3.1-8b");
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &one, s.op, 17, &s.count), SOOTH_BAD_ARGUMENT,
                "capacity is 17, but must be 18 or more");
    model.head_dim = 0; /* 4096 / 32 */
    s = step_of(&model, &one);
    CHECK_CLOSE(part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->op.head_dim, 128, 0);
    model.heads = 31;
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &one, s.op, 18, &s.count), SOOTH_BAD_ARGUMENT,
                "hidden is 4096, but must be a multiple of heads, 31");
}

/* Heads and columns that the GPUs divide, but not the heads of keys, or not the shared experts. */
static void gpus_that_do_not_divide(void) {
    sooth_language_batch batch = {.decode = 1, .context = 1, .tp = 6};
    sooth_language_model model = model_of("llama-3.2-3b"); /* 24 heads, 8 of keys */
    sooth_language_counts counts = {.parameters = 1, .cache_bytes = 1};
    step s;
    model.inter = 6 * 1024;
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &batch, s.op, 18, &s.count), SOOTH_BAD_ARGUMENT,
                "tp is 6, but must divide kv_heads, 8, or be a multiple");
    CHECK_FAILS(&env, sooth_language_count(&env, &model, &batch, &counts), SOOTH_BAD_ARGUMENT,
                "tp is 6, but must divide kv_heads, 8");
    CHECK(!(counts.parameters > 0) && !(counts.cache_bytes > 0));
    model = model_of("deepseek-v3");
    model.expert_inter = 2000;
    batch.tp = batch.ep = 64;
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &batch, s.op, 18, &s.count), SOOTH_BAD_ARGUMENT,
                "shared_experts x expert_inter is 2000, but must be divisible by tp, which is 64");
}

/* kv_heads 0 means a head of keys for each of queries: Llama 2 7B, whose cache takes 512 KiB a token. */
static void as_many_heads_of_keys(void) {
    const sooth_language_batch batch = {.decode = 1, .context = 1};
    sooth_language_model model = model_of("llama-3.1-8b");
    step s;
    model.kv_heads = 0;
    s = step_of(&model, &batch);
    CHECK(is_product(&s, SOOTH_LANGUAGE_QKV, 32, 1, 3 * 4096, 4096));
    CHECK_CLOSE(part_of(&s, SOOTH_LANGUAGE_DECODE, 0)->op.kv_heads, 32, 0);
    CHECK_CLOSE(counts_of(&model, &batch).cache_bytes, 2.0 * 524288.0, 1e-12);
    model.heads = model.head_dim = 0;
    CHECK_FAILS(&env, sooth_language_step(&env, &model, &batch, s.op, 18, &s.count), SOOTH_BAD_ARGUMENT,
                "heads is missing");
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(parameters_as_published);
    CHECK_RUN(parts_as_published);
    CHECK_RUN(names_as_published);
    CHECK_RUN(two_operations_for_each_active_parameter);
    CHECK_RUN(one_row_of_a_prompt_meets_the_vocabulary);
    CHECK_RUN(gpus_share_the_work);
    CHECK_RUN(shapes_of_grouped_heads);
    CHECK_RUN(windows_alternate);
    CHECK_RUN(latent_attention_by_hand);
    CHECK_RUN(experts_across_batches);
    CHECK_RUN(bytes_of_weights_and_cache);
    CHECK_RUN(names);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(gpus_that_do_not_divide);
    CHECK_RUN(as_many_heads_of_keys);
    return check_end("language_models");
}
