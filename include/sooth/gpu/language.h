/* gpu/language.h - the operators of one step of a language model, and how often each runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A step of an inference engine runs a batch: prompts that begin run all their tokens (prefill), and
 * sequences that are under way run one token each (decode). A language model repeats the same few operators
 * in every layer. Some 15 numbers of a model and a batch give their list, as each of several GPUs runs it.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         enum { MOST = SOOTH_LANGUAGE_MAX_OPERATORS };
 *         const sooth_language_batch batch = {.decode = 64, .context = 2048, .tp = 4};
 *         sooth_language_operator run[MOST];
 *         sooth_language_model model;
 *         size_t count;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_language_named(&env, "llama-3.1-70b", &model) != SOOTH_OK ||
 *             sooth_language_step(&env, &model, &batch, run, MOST, &count) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (size_t i = 0; i < count; ++i)
 *             printf("%g %s, ", run[i].count, sooth_language_part_name(run[i].part));
 *         puts("a step"); //> 80 qkv, 80 decode, 80 output, 80 gate-up, 80 down, 1 vocabulary, a step
 *         return 0;
 *     }
 *
 * The products of queries, keys and values are one operator, as engines fuse them. So are gate and up. The
 * products of a layer take the tokens of prompts and sequences together. The vocabulary's product takes one
 * row for each prompt and sequence. The batch chooses the data types; the router and the vocabulary are BF16,
 * as in published FP8 checkpoints.
 *
 * tp GPUs share attention and dense products by columns. Several GPUs keep the same key head if there are
 * fewer key heads than GPUs. ep groups of GPUs share the experts: ep = tp gives each GPU whole experts. If ep
 * is above tp, attention is data parallel: ep / tp groups of tp GPUs each run a batch of this size, and the
 * experts get the tokens of all groups.
 *
 * Latent attention (DeepSeek-AI, DeepSeek-V2, arXiv 2405.04434, 2024): prompts compute the keys and values of
 * all heads from the latent rank. Sequences instead multiply the queries by the weights of the keys, and the
 * results by the weights of the values, and read the latent cache only (absorbed weights). These are products
 * of each head. The list has one product of all heads in BF16, of the same operations and weights; it reads
 * the queries of one head only.
 *
 * The list does not contain norms, rotations of positions, activations outside of the experts, the input
 * table, sampling, the exchange between GPUs (all-reduce, all-to-all), copies of the cache, and the gaps
 * between operators. A step takes longer than the sum of the list. The numbers cannot describe attention over
 * chunks (Llama 4), recurrent layers (Qwen3-Next), or prompts that continue a cached prefix.
 *
 * Cost: no allocation; a few hundred operations a call. Any number of threads.
 */
#if !defined(SOOTH_GPU_LANGUAGE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_LANGUAGE_IMPLEMENTED))
#include "../base.h"
#include "roofline.h"
#endif

#if !defined(SOOTH_GPU_LANGUAGE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_LANGUAGE_H
SOOTHI_C_BEGIN

/* ---- models ---- */

/* The numbers of a model, as the config.json of its publisher has them. */
typedef struct sooth_language_model {
    char name[24];
    uint32_t layers;
    uint32_t hidden;         /* width of a token between layers */
    uint32_t heads;          /* of queries */
    uint32_t kv_heads;       /* of keys and values; 0 means heads */
    uint32_t head_dim;       /* width of a head; 0 means hidden / heads */
    uint32_t inter;          /* columns of a dense layer's gate; 0 if all layers have experts */
    uint32_t vocabulary;     /* tokens of the input table and of the last product */
    uint32_t tied;           /* 1: these two are one table, counted once */
    uint32_t window;         /* tokens that an attention with a sliding window reads; 0: none has a window */
    uint32_t window_period;  /* one layer of so many reads everything; 0: none */
    uint32_t experts;        /* of a layer; 0: all layers are dense */
    uint32_t topk;           /* experts that a token takes */
    uint32_t expert_inter;   /* columns of an expert's gate */
    uint32_t shared_experts; /* that every token takes in addition */
    uint32_t dense_layers;   /* the first layers, which have no experts */
    uint32_t latent_rank;    /* of keys and values: 512 (then head_dim is 128), or 0 for grouped heads */
    uint32_t query_rank;     /* of the queries of latent attention; 0: they come from the hidden width */
} sooth_language_model;

#define SOOTH_LANGUAGE_ROTATED 64u /* columns with positions in a head of latent attention */

/* Finds a model by its name, or as it is published, such as "meta-llama/Llama-3.1-8B", or that without the
   publisher; case is ignored. The names are llama-3.1-8b, -70b and -405b (Llama 3, 3.1 and 3.3 of one size
   agree), llama-3.2-1b and -3b, qwen2.5-7b, -14b, -32b and -72b, qwen3-4b, -8b, -14b and -32b,
   qwen3-30b-a3b, qwen3-235b-a22b, deepseek-v2-lite, deepseek-v2, deepseek-v3 (and R1), gpt-oss-20b,
   gpt-oss-120b, mixtral-8x7b, mixtral-8x22b. Returns SOOTH_BAD_ARGUMENT and lists the first names in the
   sentence. */
SOOTH_API sooth_status sooth_language_named(sooth_env *env, const char *name, sooth_language_model *model);

/* Returns known model number i, from 0; NULL after the last. */
SOOTH_API const sooth_language_model *sooth_language_at(size_t i);

/* Returns where the numbers of known model i are published, such as "meta-llama/Llama-3.1-8B": a repository
   on huggingface.co whose config.json has them. NULL after the last. */
SOOTH_API const char *sooth_language_source(size_t i);

/* Returns the names, meanings and ranges of the numbers of a model. */
SOOTH_API sooth_option_list sooth_language_options_list(void);

/* ---- batches ---- */

/* What one step computes, and on how many GPUs. */
typedef struct sooth_language_batch {
    uint32_t prefill;      /* prompts that begin, */
    uint32_t tokens;       /* and the tokens of each */
    uint32_t decode;       /* sequences that get a token, */
    uint32_t context;      /* and the tokens that are cached of each */
    uint32_t tp;           /* GPUs that share attention and dense products; 0 means 1 */
    uint32_t ep;           /* groups of GPUs that share the experts; 0 means 1 */
    double skew;           /* exponent of the power law by which tokens choose experts, up to 4; 0: equally */
    uint32_t dtype;        /* a sooth_data_type: of products. 0 means SOOTH_TYPE_BF16, not FP32 */
    uint32_t expert_dtype; /* of experts; 0 means dtype */
    uint32_t cache_dtype;  /* of attention and of its cache; 0 means SOOTH_TYPE_BF16 */
} sooth_language_batch;

/* Returns the names, meanings and ranges of the numbers of a batch, without the data types. */
SOOTH_API sooth_option_list sooth_language_batch_options_list(void);

/* ---- a step ---- */

/* Parts of a model: name, meaning. */
#define SOOTH_LANGUAGE_PART_LIST(X)                                                            \
    X(QKV, "qkv", "hidden to queries, keys and values of all heads")                           \
    X(LATENT_DOWN, "latent-down", "hidden to the ranks of latent attention")                   \
    X(LATENT_QUERY, "latent-query", "rank of queries, or hidden, to the queries of all heads") \
    X(LATENT_KEYS, "latent-keys", "prompts: latent rank to keys and values of all heads")      \
    X(ABSORBED_KEYS, "absorbed-keys", "sequences: queries of all heads to the latent rank")    \
    X(ABSORBED_VALUES, "absorbed-values", "sequences: latent rank to the values of all heads") \
    X(PREFILL, "prefill", "attention over whole prompts")                                      \
    X(DECODE, "decode", "attention of one token over what is cached")                          \
    X(OUTPUT, "output", "values of all heads to hidden")                                       \
    X(GATE, "gate-up", "hidden to the two products that are multiplied")                       \
    X(DOWN, "down", "back to hidden")                                                          \
    X(ROUTER, "router", "hidden to a weight for each expert")                                  \
    X(EXPERTS, "experts", "three products of the chosen experts")                              \
    X(SHARED_GATE, "shared-gate-up", "gate and up of the experts that every token takes")      \
    X(SHARED_DOWN, "shared-down", "back to hidden")                                            \
    X(VOCABULARY, "vocabulary", "hidden to a weight for each token, of the last token of each")

typedef enum sooth_language_part {
#define SOOTHI_ITEM(item, name, what) SOOTH_LANGUAGE_##item,
    SOOTH_LANGUAGE_PART_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_LANGUAGE_PARTS
} sooth_language_part;

/* Returns the name of part i, such as "gate-up"; NULL after the last. */
SOOTH_API const char *sooth_language_part_name(size_t i);

typedef struct sooth_language_operator {
    sooth_operator op;
    double count;  /* runs of it in a step, on each GPU */
    uint32_t part; /* a sooth_language_part */
} sooth_language_operator;

#define SOOTH_LANGUAGE_MAX_OPERATORS 18 /* each part once, and attention with a window apart */

/* Writes the operators of one step, as each GPU runs them, in the order of a layer. Returns
   SOOTH_BAD_ARGUMENT and a sentence if a number is out of range, does not divide by tp or ep, if the batch
   is empty, or if capacity is below SOOTH_LANGUAGE_MAX_OPERATORS. *count is then 0. */
SOOTH_API sooth_status sooth_language_step(sooth_env *env, const sooth_language_model *model,
                                           const sooth_language_batch *batch, sooth_language_operator *ops,
                                           size_t capacity, size_t *count);

typedef struct sooth_language_counts {
    double parameters;   /* of the whole model: weights of products and tables, without norms and biases */
    double active;       /* of these, multiplied for each token: without the input table and other experts */
    double weight_bytes; /* on each GPU */
    double cache_bytes;  /* on each GPU after the step: keys and values of all prompts and sequences */
} sooth_language_counts;

/* Counts the parameters of a model, and the bytes that a batch needs on each GPU. A batch may be empty;
   NULL means one GPU in BF16. Fails like sooth_language_step. */
SOOTH_API sooth_status sooth_language_count(sooth_env *env, const sooth_language_model *model,
                                            const sooth_language_batch *batch, sooth_language_counts *out);

SOOTHI_C_END
#endif /* SOOTH_GPU_LANGUAGE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_LANGUAGE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_LANGUAGE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- models ---- */

/* The numbers of config.json of each repository on huggingface.co. GPT-OSS alternates windows of 128 and
   full attention, DeepSeek has no name for the 64 columns with positions but qk_rope_head_dim. Counted with
   these, the parameters agree with the published ones (tests/gpu/test_language_models.c). */
typedef struct soothi_step_known {
    sooth_language_model model;
    char source[40];
} soothi_step_known;

SOOTHI_LOCAL const soothi_step_known *soothi_step_table(size_t i) {
    /* layers, hidden, heads, kv_heads, head_dim, inter, vocabulary, tied; window, period; experts, topk,
       columns, shared, dense layers; latent rank, query rank */
    /* clang-format off */
    static const soothi_step_known known[] = {
        {{"llama-3.1-8b", 32, 4096, 32, 8, 128, 14336, 128256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "meta-llama/Llama-3.1-8B"},
        {{"llama-3.1-70b", 80, 8192, 64, 8, 128, 28672, 128256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "meta-llama/Llama-3.1-70B"},
        {{"llama-3.1-405b", 126, 16384, 128, 8, 128, 53248, 128256, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "meta-llama/Llama-3.1-405B"},
        {{"llama-3.2-1b", 16, 2048, 32, 8, 64, 8192, 128256, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "meta-llama/Llama-3.2-1B"},
        {{"llama-3.2-3b", 28, 3072, 24, 8, 128, 8192, 128256, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "meta-llama/Llama-3.2-3B"},
        {{"qwen2.5-7b", 28, 3584, 28, 4, 128, 18944, 152064, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "Qwen/Qwen2.5-7B"},
        {{"qwen2.5-14b", 48, 5120, 40, 8, 128, 13824, 152064, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "Qwen/Qwen2.5-14B"},
        {{"qwen2.5-32b", 64, 5120, 40, 8, 128, 27648, 152064, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "Qwen/Qwen2.5-32B"},
        {{"qwen2.5-72b", 80, 8192, 64, 8, 128, 29568, 152064, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
         "Qwen/Qwen2.5-72B"},
        {{"qwen3-4b", 36, 2560, 32, 8, 128, 9728, 151936, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "Qwen/Qwen3-4B"},
        {{"qwen3-8b", 36, 4096, 32, 8, 128, 12288, 151936, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "Qwen/Qwen3-8B"},
        {{"qwen3-14b", 40, 5120, 40, 8, 128, 17408, 151936, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "Qwen/Qwen3-14B"},
        {{"qwen3-32b", 64, 5120, 64, 8, 128, 25600, 151936, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "Qwen/Qwen3-32B"},
        {{"qwen3-30b-a3b", 48, 2048, 32, 4, 128, 0, 151936, 0, 0, 0, 128, 8, 768, 0, 0, 0, 0},
         "Qwen/Qwen3-30B-A3B"},
        {{"qwen3-235b-a22b", 94, 4096, 64, 4, 128, 0, 151936, 0, 0, 0, 128, 8, 1536, 0, 0, 0, 0},
         "Qwen/Qwen3-235B-A22B"},
        {{"deepseek-v2-lite", 27, 2048, 16, 16, 128, 10944, 102400, 0, 0, 0, 64, 6, 1408, 2, 1, 512, 0},
         "deepseek-ai/DeepSeek-V2-Lite"},
        {{"deepseek-v2", 60, 5120, 128, 128, 128, 12288, 102400, 0, 0, 0, 160, 6, 1536, 2, 1, 512, 1536},
         "deepseek-ai/DeepSeek-V2"},
        {{"deepseek-v3", 61, 7168, 128, 128, 128, 18432, 129280, 0, 0, 0, 256, 8, 2048, 1, 3, 512, 1536},
         "deepseek-ai/DeepSeek-V3"},
        {{"gpt-oss-20b", 24, 2880, 64, 8, 64, 0, 201088, 0, 128, 2, 32, 4, 2880, 0, 0, 0, 0},
         "openai/gpt-oss-20b"},
        {{"gpt-oss-120b", 36, 2880, 64, 8, 64, 0, 201088, 0, 128, 2, 128, 4, 2880, 0, 0, 0, 0},
         "openai/gpt-oss-120b"},
        {{"mixtral-8x7b", 32, 4096, 32, 8, 128, 0, 32000, 0, 0, 0, 8, 2, 14336, 0, 0, 0, 0},
         "mistralai/Mixtral-8x7B-v0.1"},
        {{"mixtral-8x22b", 56, 6144, 48, 8, 128, 0, 32000, 0, 0, 0, 8, 2, 16384, 0, 0, 0, 0},
         "mistralai/Mixtral-8x22B-v0.1"}};
    /* clang-format on */
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

SOOTH_API const sooth_language_model *sooth_language_at(size_t i) {
    const soothi_step_known *known = soothi_step_table(i);
    return known ? &known->model : NULL;
}

SOOTH_API const char *sooth_language_source(size_t i) {
    const soothi_step_known *known = soothi_step_table(i);
    return known ? known->source : NULL;
}

/* True if the texts differ in the case of letters only, or not at all. */
SOOTHI_LOCAL int soothi_step_same(const char *a, const char *b) {
    for (;; ++a, ++b) {
        const char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        const char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y) return 0;
        if (!x) return 1;
    }
}

/* True if it is a name of this model: ours, that of its repository, or the latter without the publisher. */
SOOTHI_LOCAL int soothi_step_is(const soothi_step_known *known, const char *name) {
    const char *published = known->source;
    while (*published++ != '/') {}
    return soothi_step_same(known->model.name, name) || soothi_step_same(known->source, name) ||
           soothi_step_same(published, name);
}

SOOTH_API sooth_status sooth_language_named(sooth_env *env, const char *name, sooth_language_model *model) {
    char known[SOOTH_ENV_SENTENCE - 120]; /* names that fit whole */
    size_t n = 0, more = 0;
    known[0] = 0;
    for (size_t i = 0; soothi_step_table(i); ++i) {
        const sooth_language_model *at = sooth_language_at(i);
        if (soothi_step_is(soothi_step_table(i), name)) {
            *model = *at;
            return SOOTH_OK;
        }
        more += (size_t)(more || n + soothi_text_length(at->name) + 3 > sizeof known);
        if (!more) n += sooth_text_format(known + n, sizeof known - n, i ? ", %s" : "%s", at->name);
    }
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "there is no language model called %s; known are %s and %z more", name, known, more);
}

#define SOOTHI_STEP(field, least, most, help) SOOTHI_COUNT(sooth_language_model, field, least, most, 0, help)

SOOTH_API sooth_option_list sooth_language_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_STEP(layers, 1, 1000, "layers"),
        SOOTHI_STEP(hidden, 1, 1048576, "width of a token between layers"),
        SOOTHI_STEP(heads, 1, 4096, "heads of queries"),
        SOOTHI_STEP(kv_heads, 1, 4096, "heads of keys and values; 0 means heads"),
        SOOTHI_STEP(head_dim, 1, 4096, "width of a head; 0 means hidden / heads"),
        SOOTHI_STEP(inter, 1, 1048576, "columns of a dense layer's gate"),
        SOOTHI_STEP(vocabulary, 1, 16777216, "tokens of the vocabulary"),
        SOOTHI_FLAG(sooth_language_model, tied, "the input table is the weight of the last product"),
        SOOTHI_STEP(window, 1, 16777216, "tokens that a sliding window reads"),
        SOOTHI_STEP(window_period, 1, 1000, "one layer of so many reads everything; 0 means none"),
        SOOTHI_STEP(experts, 1, 65536, "experts of a layer"),
        SOOTHI_STEP(topk, 1, 65536, "experts that a token takes"),
        SOOTHI_STEP(expert_inter, 1, 1048576, "columns of an expert's gate"),
        SOOTHI_STEP(shared_experts, 1, 65536, "experts that every token takes in addition"),
        SOOTHI_STEP(dense_layers, 1, 1000, "first layers, without experts"),
        SOOTHI_STEP(latent_rank, 512, 512, "rank of keys and values of latent attention"),
        SOOTHI_STEP(query_rank, 1, 1048576, "rank of the queries of latent attention")};
    return SOOTHI_OPTIONS(option);
}

#undef SOOTHI_STEP
#define SOOTHI_STEP(field, least, most, help) SOOTHI_COUNT(sooth_language_batch, field, least, most, 0, help)

SOOTH_API sooth_option_list sooth_language_batch_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_STEP(prefill, 1, 1048576, "prompts that begin"),
        SOOTHI_STEP(tokens, 1, 16777216, "tokens of each prompt"),
        SOOTHI_STEP(decode, 1, 1048576, "sequences that get a token"),
        SOOTHI_STEP(context, 1, 16777216, "tokens cached of each sequence"),
        SOOTHI_STEP(tp, 1, 4096, "GPUs that share attention and dense products; 0 means 1"),
        SOOTHI_STEP(ep, 1, 65536, "groups of GPUs that share the experts; 0 means 1"),
        SOOTHI_NUMBER(sooth_language_batch, skew, 0, 4, 0, "power law of the choice of experts; 0: equal")};
    return SOOTHI_OPTIONS(option);
}

#undef SOOTHI_STEP

/* ---- a step ---- */

SOOTH_API const char *sooth_language_part_name(size_t i) {
    static const char name[SOOTH_LANGUAGE_PARTS][16] = {
#define SOOTHI_ITEM(item, name, what) name,
        SOOTH_LANGUAGE_PART_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < SOOTH_LANGUAGE_PARTS ? name[i] : NULL;
}

/* A model and a batch with their defaults, and the numbers that follow. */
typedef struct soothi_step {
    sooth_language_model of;
    sooth_language_batch on;
    uint32_t expert_tp;    /* GPUs that share an expert */
    uint32_t groups;       /* that run a batch each and share the experts */
    double dense, sparse;  /* layers */
    double full, windowed; /* layers, by their attention */
    double heads, kv;      /* on a GPU */
} soothi_step;

SOOTHI_LOCAL sooth_status soothi_step_divides(sooth_env *env, const char *what, uint64_t value,
                                              const char *by, uint32_t parts) {
    if (value % parts == 0) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g, but must be divisible by %s, which is %u", what,
                      (double)value, by, parts);
}

SOOTHI_LOCAL sooth_status soothi_step_check_model(sooth_env *env, const sooth_language_model *m) {
    const uint32_t needed[4] = {m->layers, m->hidden, m->heads, m->vocabulary};
    static const char name[4][12] = {"layers", "hidden", "heads", "vocabulary"};
    if (sooth_option_check(env, sooth_language_options_list(), m) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    for (unsigned i = 0; i < 4; ++i)
        if (!needed[i])
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is missing; a language model needs it", name[i]);
    if (!m->head_dim)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "hidden is %u, but must be a multiple of heads, %u",
                          m->hidden, m->heads);
    if (m->heads % m->kv_heads)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kv_heads is %u, but must divide heads, %u", m->kv_heads,
                          m->heads);
    if (m->experts && (!m->topk || m->topk > m->experts || !m->expert_inter))
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "topk is %u and expert_inter is %u, but a model of %u experts needs a topk from 1 to %u "
            "and expert_inter",
            m->topk, m->expert_inter, m->experts, m->experts);
    if (!m->experts && (m->topk || m->expert_inter || m->shared_experts || m->dense_layers))
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "experts is missing, but topk, expert_inter, shared_experts and dense_layers need it");
    if (m->dense_layers > m->layers)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "dense_layers is %u, but must be up to layers, %u",
                          m->dense_layers, m->layers);
    if (!m->inter && (!m->experts || m->dense_layers))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "inter is missing, but the dense layers need it");
    if (m->window_period && !m->window)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "window_period is %u, but window is missing",
                          m->window_period);
    if (m->query_rank && !m->latent_rank)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "query_rank is %u, but latent_rank is missing",
                          m->query_rank);
    if (m->latent_rank && (m->head_dim != 128 || m->kv_heads != m->heads || m->window))
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "head_dim is %u and kv_heads is %u, but latent attention needs 128, heads (%u) and no "
            "window",
            m->head_dim, m->kv_heads, m->heads);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_step_check_types(sooth_env *env, const sooth_language_batch *b) {
    const uint32_t type[3] = {b->dtype, b->expert_dtype, b->cache_dtype};
    static const char name[3][13] = {"dtype", "expert_dtype", "cache_dtype"};
    for (unsigned i = 0; i < 3; ++i)
        if (type[i] < SOOTH_TYPE_FP16 || type[i] >= SOOTH_TYPES)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %u, but must be from %u (fp16) to %u (%s)",
                              name[i], type[i], (unsigned)SOOTH_TYPE_FP16, (unsigned)SOOTH_TYPES - 1,
                              sooth_data_type_name(SOOTH_TYPES - 1));
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_step_check_batch(sooth_env *env, const soothi_step *l) {
    const sooth_language_model *m = &l->of;
    const sooth_language_batch *b = &l->on;
    if (soothi_step_check_types(env, b) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (!b->prefill != !b->tokens)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "prefill is %u and tokens is %u, but one needs the other",
                          b->prefill, b->tokens);
    if (!b->decode != !b->context)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "decode is %u and context is %u, but one needs the other",
                          b->decode, b->context);
    if (soothi_step_divides(env, "heads", m->heads, "tp", b->tp) != SOOTH_OK ||
        soothi_step_divides(env, "inter", m->inter, "tp", b->tp) != SOOTH_OK)
        return SOOTH_BAD_ARGUMENT;
    if (m->kv_heads % b->tp && b->tp % m->kv_heads)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "tp is %u, but must divide kv_heads, %u, or be a multiple",
                          b->tp, m->kv_heads);
    if (!m->experts && b->ep > 1)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ep is %u, but the model has no experts", b->ep);
    if (b->tp % b->ep && b->ep % b->tp)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "ep is %u, but must divide tp, %u, or be a multiple",
                          b->ep, b->tp);
    if (soothi_step_divides(env, "experts", m->experts, "ep", b->ep) != SOOTH_OK ||
        soothi_step_divides(env, "shared_experts x expert_inter",
                            (uint64_t)m->shared_experts * m->expert_inter, "tp", b->tp) != SOOTH_OK)
        return SOOTH_BAD_ARGUMENT;
    return soothi_step_divides(env, "expert_inter", m->expert_inter, "tp / ep", l->expert_tp);
}

/* Fills in the defaults, checks everything and derives the rest. */
SOOTHI_LOCAL sooth_status soothi_step_open(sooth_env *env, const sooth_language_model *model,
                                           const sooth_language_batch *batch, soothi_step *l) {
    memset(l, 0, sizeof *l);
    l->of = *model;
    if (batch) l->on = *batch;
    sooth_language_model *m = &l->of;
    sooth_language_batch *b = &l->on;
    if (!m->kv_heads) m->kv_heads = m->heads;
    if (!m->head_dim && m->heads && m->hidden % m->heads == 0) m->head_dim = m->hidden / m->heads;
    if (!b->tp) b->tp = 1;
    if (!b->ep) b->ep = 1;
    if (!b->dtype) b->dtype = SOOTH_TYPE_BF16;
    if (!b->expert_dtype) b->expert_dtype = b->dtype;
    if (!b->cache_dtype) b->cache_dtype = SOOTH_TYPE_BF16;
    if (soothi_step_check_model(env, m) != SOOTH_OK ||
        sooth_option_check(env, sooth_language_batch_options_list(), b) != SOOTH_OK)
        return SOOTH_BAD_ARGUMENT;
    l->groups = b->ep > b->tp ? b->ep / b->tp : 1;
    l->expert_tp = b->ep < b->tp ? b->tp / b->ep : 1;
    if (soothi_step_check_batch(env, l) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    l->dense = (double)(m->experts ? m->dense_layers : m->layers);
    l->sparse = (double)m->layers - l->dense;
    l->windowed =
        !m->window ? 0.0 : (double)(m->layers - (m->window_period ? m->layers / m->window_period : 0));
    l->full = (double)m->layers - l->windowed;
    l->heads = (double)(m->heads / b->tp);
    l->kv = m->kv_heads > b->tp ? (double)(m->kv_heads / b->tp) : 1.0;
    return SOOTH_OK;
}

typedef struct soothi_step_list {
    sooth_language_operator *op;
    size_t count;
} soothi_step_list;

/* Appends an operator and returns it, or NULL if it does not run. */
SOOTHI_LOCAL sooth_operator *soothi_step_add(soothi_step_list *list, sooth_language_part part,
                                             sooth_operator_kind kind, uint32_t dtype, double runs) {
    if (!(runs > 0.0)) return NULL;
    sooth_language_operator *at = &list->op[list->count++];
    memset(at, 0, sizeof *at);
    at->part = (uint32_t)part;
    at->count = runs;
    at->op.kind = (uint32_t)kind;
    at->op.dtype = dtype;
    return &at->op;
}

/* `runs` products of m x k by k x n; none if there are no rows. */
SOOTHI_LOCAL void soothi_step_product(soothi_step_list *list, sooth_language_part part, uint32_t dtype,
                                      double runs, double m, double n, double k) {
    sooth_operator *op =
        soothi_step_add(list, part, SOOTH_OPERATOR_GEMM, dtype, m > 0.0 && n > 0.0 ? runs : 0.0);
    if (!op) return;
    op->m = m;
    op->n = n;
    op->k = k;
}

/* Attention of the grouped heads of `runs` layers, over prompts and over what is cached. */
SOOTHI_LOCAL void soothi_step_attention(soothi_step_list *list, const soothi_step *l, double runs,
                                        double window) {
    for (int decode = 0; decode < 2; ++decode) {
        const uint32_t batch = decode ? l->on.decode : l->on.prefill;
        sooth_operator *op = soothi_step_add(list, decode ? SOOTH_LANGUAGE_DECODE : SOOTH_LANGUAGE_PREFILL,
                                             decode ? SOOTH_OPERATOR_DECODE : SOOTH_OPERATOR_PREFILL,
                                             l->on.cache_dtype, batch ? runs : 0.0);
        if (!op) continue;
        op->batch = (double)batch;
        op->tokens = decode ? 0.0 : (double)l->on.tokens;
        op->context = decode ? (double)l->on.context : 0.0;
        op->heads = l->heads;
        op->kv_heads = l->kv;
        op->head_dim = (double)l->of.head_dim;
        op->window = window;
    }
}

/* Latent attention: all products of a layer up to the output. */
SOOTHI_LOCAL void soothi_step_latent(soothi_step_list *list, const soothi_step *l, double rows) {
    const double rank = (double)l->of.latent_rank, query = (double)l->of.query_rank,
                 dim = (double)l->of.head_dim;
    const double rotated = SOOTH_LANGUAGE_ROTATED, hidden = (double)l->of.hidden,
                 layers = (double)l->of.layers;
    const double prompts = (double)l->on.prefill * (double)l->on.tokens, sequences = (double)l->on.decode;
    soothi_step_product(list, SOOTH_LANGUAGE_LATENT_DOWN, l->on.dtype, layers, rows, query + rank + rotated,
                        hidden);
    soothi_step_product(list, SOOTH_LANGUAGE_LATENT_QUERY, l->on.dtype, layers, rows,
                        l->heads * (dim + rotated), query > 0.0 ? query : hidden);
    soothi_step_product(list, SOOTH_LANGUAGE_LATENT_KEYS, l->on.dtype, layers, prompts, 2.0 * l->heads * dim,
                        rank);
    soothi_step_product(list, SOOTH_LANGUAGE_ABSORBED_KEYS, SOOTH_TYPE_BF16, layers, sequences,
                        l->heads * rank, dim);
    for (int decode = 0; decode < 2; ++decode) {
        const uint32_t batch = decode ? l->on.decode : l->on.prefill;
        sooth_operator *op = soothi_step_add(list, decode ? SOOTH_LANGUAGE_DECODE : SOOTH_LANGUAGE_PREFILL,
                                             decode ? SOOTH_OPERATOR_MLA_DECODE : SOOTH_OPERATOR_MLA_PREFILL,
                                             l->on.cache_dtype, batch ? layers : 0.0);
        if (!op) continue;
        op->batch = (double)batch;
        op->heads = l->heads;
        op->tokens = (double)(decode ? l->on.context : l->on.tokens);
    }
    soothi_step_product(list, SOOTH_LANGUAGE_ABSORBED_VALUES, SOOTH_TYPE_BF16, layers, sequences, dim,
                        l->heads * rank);
}

/* What follows attention in a layer: dense products, or experts. */
SOOTHI_LOCAL void soothi_step_forward(soothi_step_list *list, const soothi_step *l, double rows) {
    const double hidden = (double)l->of.hidden, inter = (double)(l->of.inter / l->on.tp);
    const double shared = (double)((uint64_t)l->of.shared_experts * l->of.expert_inter / l->on.tp);
    soothi_step_product(list, SOOTH_LANGUAGE_GATE, l->on.dtype, l->dense, rows, 2.0 * inter, hidden);
    soothi_step_product(list, SOOTH_LANGUAGE_DOWN, l->on.dtype, l->dense, rows, hidden, inter);
    soothi_step_product(list, SOOTH_LANGUAGE_ROUTER, SOOTH_TYPE_BF16, l->sparse, rows, (double)l->of.experts,
                        hidden);
    sooth_operator *op =
        soothi_step_add(list, SOOTH_LANGUAGE_EXPERTS, SOOTH_OPERATOR_EXPERTS, l->on.expert_dtype, l->sparse);
    if (!op) return;
    op->tokens = rows * (double)l->groups;
    op->hidden = hidden;
    op->inter = (double)l->of.expert_inter;
    op->topk = (double)l->of.topk;
    op->experts = (double)l->of.experts;
    op->tp = (double)l->expert_tp;
    op->ep = (double)l->on.ep;
    op->skew = l->on.skew;
    soothi_step_product(list, SOOTH_LANGUAGE_SHARED_GATE, l->on.dtype, l->sparse, rows, 2.0 * shared, hidden);
    soothi_step_product(list, SOOTH_LANGUAGE_SHARED_DOWN, l->on.dtype, shared > 0.0 ? l->sparse : 0.0, rows,
                        hidden, shared);
}

SOOTH_API sooth_status sooth_language_step(sooth_env *env, const sooth_language_model *model,
                                           const sooth_language_batch *batch, sooth_language_operator *ops,
                                           size_t capacity, size_t *count) {
    soothi_step l;
    soothi_step_list list = {ops, 0};
    *count = 0;
    if (capacity < SOOTH_LANGUAGE_MAX_OPERATORS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "capacity is %z, but must be %u or more", capacity,
                          (unsigned)SOOTH_LANGUAGE_MAX_OPERATORS);
    if (soothi_step_open(env, model, batch, &l) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    if (!l.on.prefill && !l.on.decode)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the batch is empty; it needs prefill and tokens, or decode and context");
    const double rows = (double)l.on.prefill * (double)l.on.tokens + (double)l.on.decode;
    const double hidden = (double)l.of.hidden, dim = (double)l.of.head_dim, layers = (double)l.of.layers;
    if (l.of.latent_rank) {
        soothi_step_latent(&list, &l, rows);
    } else {
        soothi_step_product(&list, SOOTH_LANGUAGE_QKV, l.on.dtype, layers, rows, (l.heads + 2.0 * l.kv) * dim,
                            hidden);
        soothi_step_attention(&list, &l, l.full, 0.0);
        soothi_step_attention(&list, &l, l.windowed, (double)l.of.window);
    }
    soothi_step_product(&list, SOOTH_LANGUAGE_OUTPUT, l.on.dtype, layers, rows, hidden, l.heads * dim);
    soothi_step_forward(&list, &l, rows);
    soothi_step_product(&list, SOOTH_LANGUAGE_VOCABULARY, SOOTH_TYPE_BF16, 1.0,
                        (double)l.on.prefill + (double)l.on.decode,
                        soothi_ceil_over((double)l.of.vocabulary, (double)l.on.tp), hidden);
    *count = list.count;
    return SOOTH_OK;
}

/* ---- what a model takes ---- */

/* Bytes of a weight or of a cached value, with its scales. */
SOOTHI_LOCAL double soothi_step_bytes(uint32_t dtype) { return soothi_data_type_facts(dtype)->weight; }

/* Weights of the attention of a layer on a GPU; *absorbed: those of them that stay BF16. */
SOOTHI_LOCAL double soothi_step_attention_weights(const soothi_step *l, double heads, double kv,
                                                  double *absorbed) {
    const double hidden = (double)l->of.hidden, dim = (double)l->of.head_dim,
                 rank = (double)l->of.latent_rank;
    const double query = (double)l->of.query_rank, rotated = SOOTH_LANGUAGE_ROTATED;
    *absorbed = 2.0 * heads * dim * rank;
    if (!(rank > 0.0)) return hidden * dim * (2.0 * heads + 2.0 * kv);
    return hidden * (query + rank + rotated) + (query > 0.0 ? query : hidden) * heads * (dim + rotated) +
           heads * dim * hidden;
}

SOOTH_API sooth_status sooth_language_count(sooth_env *env, const sooth_language_model *model,
                                            const sooth_language_batch *batch, sooth_language_counts *out) {
    soothi_step l;
    double absorbed;
    memset(out, 0, sizeof *out);
    if (soothi_step_open(env, model, batch, &l) != SOOTH_OK) return SOOTH_BAD_ARGUMENT;
    const double hidden = (double)l.of.hidden, layers = (double)l.of.layers, tp = (double)l.on.tp;
    const double dense = l.dense * 3.0 * hidden * (double)l.of.inter;
    const double expert = l.sparse * 3.0 * hidden * (double)l.of.expert_inter;
    const double router = l.sparse * hidden * (double)l.of.experts,
                 shared = expert * (double)l.of.shared_experts;
    const double table = hidden * (double)l.of.vocabulary;
    double attention =
        soothi_step_attention_weights(&l, (double)l.of.heads, (double)l.of.kv_heads, &absorbed);
    const double both = layers * (attention + absorbed) + dense + router + shared;
    out->parameters = both + expert * (double)l.of.experts + (l.of.tied ? table : 2.0 * table);
    out->active = both + expert * (double)l.of.topk + table;
    attention = soothi_step_attention_weights(&l, l.heads, l.kv, &absorbed);
    out->weight_bytes = (layers * attention + (dense + shared) / tp) * soothi_step_bytes(l.on.dtype) +
                        expert * (double)l.of.experts / (double)l.on.ep / (double)l.expert_tp *
                            soothi_step_bytes(l.on.expert_dtype) +
                        2.0 * (layers * absorbed + router + (l.of.tied ? table : 2.0 * table) / tp);
    const double cached = soothi_step_bytes(l.on.cache_dtype) *
                          (l.of.latent_rank ? (double)(l.of.latent_rank + SOOTH_LANGUAGE_ROTATED)
                                            : 2.0 * l.kv * (double)l.of.head_dim);
    const double window = (double)l.of.window;
    for (int decode = 0; decode < 2; ++decode) {
        const double length = decode ? (double)l.on.context + 1.0 : (double)l.on.tokens;
        const double kept = window > 0.0 && window < length ? window : length;
        out->cache_bytes +=
            (double)(decode ? l.on.decode : l.on.prefill) * cached * (l.full * length + l.windowed * kept);
    }
    return SOOTH_OK;
}

SOOTHI_C_END
#endif
