/* gpu_language.c - sooth gpu network --model: the time of a step of a language model, by operator.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../app/page.h"
#include "../model/model_cli.h"
#include "sooth/gpu_time.h"

#include <math.h>

enum { MOST = SOOTH_LANGUAGE_MAX_OPERATORS };

/* A model, a batch, and the operators of its step. */
typedef struct step {
    sooth_env *env;
    sooth_language_model model;
    sooth_language_batch batch;
    sooth_language_counts counts;
    const char *source;    /* "" for a model by its numbers */
    const char *published; /* the type of its published weights, where this is not BF16; "" */
    int assumed;           /* 1: no type of weights is given */
    sooth_language_operator op[MOST];
    size_t ops;
    double gpus; /* that run it together */
} step;

/* A step on one GPU, or on several of its kind. */
typedef struct timed {
    sooth_gpu gpu;
    sooth_gpu_timing each[MOST];            /* one run of each operator */
    sooth_gpu_power power[MOST];            /* while it runs; 0 watts: not known */
    double ms, low, high;                   /* of all runs of all operators */
    double beyond;                          /* share of the time in operators whose trust is not inside */
    double joules, joules_low, joules_high; /* of the operators on all GPUs; 0: not known */
    double joules_beyond;                   /* share of them in operators whose watts are not inside */
    char why[SOOTH_ENV_SENTENCE + 80];      /* why there is no time; "" */
} timed;

/* ---- what is asked ---- */

/* Splits piece i, "name=value", in place and returns the value. Dies if there is none, or if an earlier piece
   has that name. */
static char *value_of(const char *flag, char **piece, size_t i) {
    char *equals = strchr(piece[i], '=');
    if (!equals)
        die(BAD_USE, "--%s has %s, but must be name=value, with commas between", flag, printable(piece[i]));
    *equals = 0;
    for (size_t k = 0; k < i; ++k)
        if (strcmp(piece[k], piece[i]) == 0) die(BAD_USE, "--%s has %s twice", flag, printable(piece[i]));
    return equals + 1;
}

static void set(sooth_env *env, sooth_option_list list, const char *flag, void *options, const char *name,
                const char *value) {
    if (sooth_option_set(env, list, options, name, value) != SOOTH_OK)
        die(BAD_USE, "--%s: %s", flag, env->sentence);
}

/* Dies with the names of all models. */
static NEVER_RETURNS void no_model(const char *name) {
    enum { MOST_NAMES = 128 };
    const char *names[MOST_NAMES];
    char list[2000] = "";
    size_t count = 0;
    for (size_t i = 0; sooth_language_at(i) && count + 2 < MOST_NAMES; ++i) {
        const size_t n = strlen(list);
        names[count++] = sooth_language_at(i)->name;
        names[count++] = sooth_language_source(i);
        snprintf(list + n, sizeof list - n, i ? ", %s" : "%s", sooth_language_at(i)->name);
    }
    die(BAD_USE,
        "there is no language model called %s%s; known are %s; or give its numbers, as "
        "layers=32,hidden=4096,...",
        printable(name), did_you_mean(name, names, count), list);
}

/* Returns the type in which the weights of a model are published, if it is not BF16. */
static const char *published_type(const char *name) {
    static const struct {
        const char *name, *type;
    } known[] = {{"deepseek-v3", "FP8 with a scale for each 128 x 128: dtype=fp8-block"},
                 {"gpt-oss-20b", "MXFP4 in the experts, which is nearest to expert_dtype=nvfp4"},
                 {"gpt-oss-120b", "MXFP4 in the experts, which is nearest to expert_dtype=nvfp4"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(name, known[i].name) == 0) return known[i].type;
    return "";
}

static void model_read(const arguments *args, step *s) {
    size_t count;
    char **piece = arguments_list(args, "model", &count);
    s->source = s->published = "";
    strcpy(s->model.name, "a model");
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 && !strchr(piece[i], '=')) {
            static const char host[] = "huggingface.co/"; /* as it is printed */
            const size_t skip = strncmp(piece[i], host, sizeof host - 1) == 0 ? sizeof host - 1 : 0;
            if (sooth_language_named(s->env, piece[i] + skip, &s->model) != SOOTH_OK) no_model(piece[i]);
            s->published = published_type(s->model.name);
            for (size_t k = 0; sooth_language_at(k); ++k)
                if (strcmp(sooth_language_at(k)->name, s->model.name) == 0)
                    s->source = sooth_language_source(k);
            continue;
        }
        const char *value = value_of("model", piece, i);
        set(s->env, sooth_language_options_list(), "model", &s->model, piece[i], value);
        if (*s->source) strcpy(s->model.name, "a changed model");
        s->source = s->published = "";
    }
}

/* What --batch has besides the options of a batch: its data types. */
static const char *const typed[] = {"dtype", "expert_dtype", "cache_dtype"};
enum { TYPED = sizeof typed / sizeof typed[0] };

/* Sets a size of the batch; dies if there is none of that name. */
static void size_set(step *s, const char *name, const char *value) {
    const sooth_option_list list = sooth_language_batch_options_list();
    const char *names[32];
    char all[300] = "";
    size_t count = 0;
    int known = 0;
    for (size_t i = 0; i < list.count + TYPED && count < 32; ++i) {
        const size_t n = strlen(all);
        names[count++] = i < list.count ? list.option[i].name : typed[i - list.count];
        known |= i < list.count && strcmp(name, names[i]) == 0;
        snprintf(all + n, sizeof all - n, i ? ", %s" : "%s", names[i]);
    }
    if (!known)
        die(BAD_USE, "--batch has no %s%s; it has %s", printable(name), did_you_mean(name, names, count),
            all);
    set(s->env, list, "batch", &s->batch, name, value);
    if ((strcmp(name, "tp") == 0 && !s->batch.tp) || (strcmp(name, "ep") == 0 && !s->batch.ep))
        die(BAD_USE, "--batch: %s is %s, but must be 1 or more", name, printable(value));
}

static void type_set(uint32_t *type, const char *name, const char *value) {
    *type = data_type_read(value, "");
    if (*type == SOOTH_TYPE_FP32 || *type == SOOTH_TYPE_TF32)
        die(BAD_USE,
            "--batch: %s is %s, but language models run in fp16, bf16, fp8, fp8-block, nvfp4, int8, "
            "int8-weights or int4-weights here",
            name, value);
}

static void batch_read(const arguments *args, step *s) {
    uint32_t *const type[] = {&s->batch.dtype, &s->batch.expert_dtype, &s->batch.cache_dtype};
    const char *dtype = arguments_text(args, "dtype");
    size_t count;
    char **piece = arguments_list(args, "batch", &count);
    if (!count)
        die(BAD_USE, "--model needs a --batch, such as decode=64,context=2048 or prefill=1,tokens=4096");
    for (size_t i = 0; i < count; ++i) {
        const char *value = value_of("batch", piece, i);
        size_t k = 0;
        while (k < TYPED && strcmp(piece[i], typed[k]) != 0) ++k;
        if (k == TYPED) size_set(s, piece[i], value);
        else type_set(type[k], typed[k], value);
    }
    if (dtype && s->batch.dtype) die(BAD_USE, "--dtype and dtype of --batch are both given; leave out one");
    if (dtype) type_set(&s->batch.dtype, "dtype", dtype);
    s->assumed = !s->batch.dtype && !(s->model.experts && s->batch.expert_dtype && *s->published);
}

static void step_read(const arguments *args, step *s) {
    memset(s, 0, sizeof *s);
    s->env = env_open(args);
    model_read(args, s);
    batch_read(args, s);
    if (sooth_language_step(s->env, &s->model, &s->batch, s->op, MOST, &s->ops) != SOOTH_OK ||
        sooth_language_count(s->env, &s->model, &s->batch, &s->counts) != SOOTH_OK)
        die(BAD_USE, "--model and --batch: %s", s->env->sentence);
    const uint32_t tp = s->batch.tp ? s->batch.tp : 1, ep = s->batch.ep ? s->batch.ep : 1;
    s->gpus = ep > tp ? (double)ep : (double)tp;
}

/* ---- times ---- */

/* Returns the square root; float precision is enough for the end of an interval. */
static double root(double x) { return x > 0.0 ? (double)sooth_exp(0.5f * sooth_log((float)x)) : 0.0; }

/* Adds watts times time. The ends are those of watts times those of times. */
static void energy_of(const step *s, const sooth_gpu_timer *timer, timed *t) {
    double joules = 0.0, low = 0.0, high = 0.0, beyond = 0.0;
    for (size_t i = 0; i < s->ops; ++i) {
        const double runs = 1e-3 * s->gpus * s->op[i].count;
        if (sooth_gpu_watts(s->env, timer, &s->op[i].op, t->each[i].ms, &t->power[i]) != SOOTH_OK) {
            memset(&t->power[i], 0, sizeof t->power[i]);
            return;
        }
        joules += runs * t->each[i].ms * t->power[i].watts;
        if (t->power[i].trust != SOOTH_MODEL_TRUST_INSIDE) beyond += runs * t->each[i].ms * t->power[i].watts;
        low += runs * t->each[i].low * t->power[i].low;
        high += runs * t->each[i].high * t->power[i].high;
    }
    t->joules = joules;
    t->joules_beyond = beyond / joules;
    t->joules_low = low;
    t->joules_high = high;
}

/* As for a network: the ends of intervals of one kind of operators are added. The distances of the kinds are
   added as squares. t->why is the reason if an operator has no time there. */
static void time_step(const step *s, timed *t) {
    sooth_gpu_timer timer;
    double below[SOOTH_OPERATORS] = {0}, above[SOOTH_OPERATORS] = {0}, down = 0.0, up = 0.0;
    if (sooth_gpu_timer_init(s->env, &timer, &t->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, s->env);
    for (size_t i = 0; i < s->ops; ++i) {
        const sooth_language_operator *at = &s->op[i];
        sooth_gpu_timing *one = &t->each[i];
        if (sooth_gpu_time(s->env, &timer, &at->op, one) != SOOTH_OK) {
            snprintf(t->why, sizeof t->why, "%s: %s", sooth_language_part_name(at->part), s->env->sentence);
            return;
        }
        t->ms += at->count * one->ms;
        below[at->op.kind] += at->count * (one->ms - one->low);
        above[at->op.kind] += at->count * (one->high - one->ms);
        if (one->trust != SOOTH_MODEL_TRUST_INSIDE) t->beyond += at->count * one->ms;
    }
    for (unsigned kind = 0; kind < SOOTH_OPERATORS; ++kind) {
        down += below[kind] * below[kind];
        up += above[kind] * above[kind];
    }
    t->low = t->ms - root(down);
    t->high = t->ms + root(up);
    t->beyond /= t->ms;
    energy_of(s, &timer, t);
}

/* Tokens a second of all GPUs if a step takes ms: new ones, of sequences and of prompts that end; or of
   prompts. */
static double tokens_per_second(const step *s, double ms, int of_prompts) {
    const uint32_t tp = s->batch.tp ? s->batch.tp : 1;
    const double groups = s->gpus / (double)tp;
    const double prompts = (double)s->batch.prefill * (double)s->batch.tokens;
    const double tokens = of_prompts ? prompts : (double)s->batch.decode + (double)s->batch.prefill;
    return 1e3 * groups * tokens / ms;
}

static const double gib = 1073741824.0;

/* Bytes of the memory of a board: a sheet's GB is 2^30 of them, as drivers report it. */
static double memory_bytes(const sooth_gpu *gpu) { return gib * gpu->memory_gb; }

/* "does not fit: 171 of 141 GiB", or that the memory is not known; "" if it fits. */
static const char *memory_of(const step *s, const sooth_gpu *gpu) {
    static char text[80];
    const double needed = s->counts.weight_bytes + s->counts.cache_bytes;
    text[0] = 0;
    if (!(gpu->memory_gb > 0.0))
        snprintf(text, sizeof text, "%s GiB of a memory whose size is not known", human(needed / gib, 3));
    else if (needed > memory_bytes(gpu))
        snprintf(text, sizeof text, "does not fit: %s of %s GiB", human(needed / gib, 3),
                 human(gpu->memory_gb, 3));
    return text;
}

/* ---- printing ---- */

/* "decode, window 128"; an operator that runs with two windows has a line for each. */
static const char *name_of(const sooth_language_operator *at) {
    static char ring[4][48];
    static unsigned next;
    char *text = ring[next++ % 4];
    snprintf(text, sizeof ring[0], at->op.window > 0.0 ? "%s, window %g" : "%s",
             sooth_language_part_name(at->part), at->op.window);
    return text;
}

/* "64 sequences of 2048 cached tokens, 1 prompt of 4096 tokens" */
static const char *batch_of(const step *s, char text[200]) {
    const sooth_language_batch *b = &s->batch;
    text[0] = 0;
    if (b->decode)
        snprintf(text, 200, "%s of %s", counted(b->decode, "sequence", "sequences"),
                 counted(b->context, "cached token", "cached tokens"));
    if (b->prefill)
        snprintf(text + strlen(text), 200 - strlen(text), "%s%s of %s", b->decode ? ", " : "",
                 counted(b->prefill, "prompt", "prompts"), counted(b->tokens, "token", "tokens"));
    return text;
}

/* "bf16, experts nvfp4, cache fp8" */
static const char *types_of(const step *s, char text[100]) {
    const sooth_language_batch *b = &s->batch;
    const uint32_t dtype = b->dtype ? b->dtype : (uint32_t)SOOTH_TYPE_BF16;
    const uint32_t expert = b->expert_dtype ? b->expert_dtype : dtype;
    const uint32_t cache = b->cache_dtype ? b->cache_dtype : (uint32_t)SOOTH_TYPE_BF16;
    snprintf(text, 100, "%s", sooth_data_type_name(dtype));
    if (s->model.experts && expert != dtype)
        snprintf(text + strlen(text), 100 - strlen(text), ", experts %s", sooth_data_type_name(expert));
    if (cache != dtype)
        snprintf(text + strlen(text), 100 - strlen(text), ", cache %s", sooth_data_type_name(cache));
    return text;
}

/* "70.6 billion" */
static const char *billions(double count) {
    static char ring[2][32];
    static unsigned next;
    char *text = ring[next++ % 2];
    snprintf(text, sizeof ring[0], "%s billion", human(1e-9 * count, 3));
    return text;
}

/* "tp 4, ep 1: 4 GPUs", "tp 1, ep 8: 8 GPUs, each with such a batch" */
static const char *gpus_of(const step *s, char text[120]) {
    const unsigned tp = s->batch.tp ? (unsigned)s->batch.tp : 1u,
                   ep = s->batch.ep ? (unsigned)s->batch.ep : 1u;
    snprintf(text, 120, "tp %u, ep %u: %s", tp, ep, counted((size_t)s->gpus, "GPU", "GPUs"));
    if (ep > tp && tp > 1)
        snprintf(text + strlen(text), 120 - strlen(text), ", each %u with such a batch", tp);
    if (ep > tp && tp == 1) snprintf(text + strlen(text), 120 - strlen(text), ", each with such a batch");
    return text;
}

static void add_interval(grid *g, double ms, double low, double high) {
    grid_add(g, "%s (%s to %s)", human(ms, 3), human_like(low, ms, 3), human_like(high, ms, 3));
}

/* "27.1 (at most 33.0)": the expected time and the shortest of its interval; gaps between operators are in
   neither. */
static const char *rate_of(const step *s, const timed *t, int of_prompts) {
    static char text[80];
    const double rate = tokens_per_second(s, t->ms, of_prompts);
    snprintf(text, sizeof text, "%s (at most %s)", human(rate, 3),
             human_like(tokens_per_second(s, t->low, of_prompts), rate, 3));
    return text;
}

/* The lines below the operators: a figure for each GPU. */
static void add_totals(grid *g, const step *s, const timed *t, size_t gpus) {
    grid_add(g, "all operators");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) {
        if (*t[i].why) grid_add(g, "unknown");
        else add_interval(g, t[i].ms, t[i].low, t[i].high);
    }
    for (int of_prompts = 0; of_prompts < 2; ++of_prompts) {
        if (of_prompts && !s->batch.prefill) continue;
        grid_add(g, of_prompts ? "prompt tokens/s" : "new tokens/s");
        grid_add(g, " ");
        for (size_t i = 0; i < gpus; ++i)
            grid_add(g, "%s", *t[i].why ? "unknown" : rate_of(s, &t[i], of_prompts));
    }
    grid_add(g, "J, all GPUs");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) {
        if (t[i].joules > 0.0) add_interval(g, t[i].joules, t[i].joules_low, t[i].joules_high);
        else grid_add(g, "unknown");
    }
    grid_add(g, "not as learned");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) {
        if (*t[i].why) grid_add(g, "unknown");
        else grid_add(g, "%s %%", human(100.0 * t[i].beyond, 2));
    }
    grid_add(g, "watts not as learned");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) {
        if (t[i].joules > 0.0) grid_add(g, "%s %%", human(100.0 * t[i].joules_beyond, 2));
        else grid_add(g, "unknown");
    }
}

static void grid_step(grid *g, const step *s, const timed *t, size_t gpus) {
    grid_init(g, 2 + gpus, 1);
    grid_add(g, "ms (90 %%)");
    grid_add(g, "runs");
    for (size_t i = 0; i < gpus; ++i) grid_add(g, "%s", t[i].gpu.name);
    for (size_t k = 0; k < s->ops; ++k) {
        const double runs = s->op[k].count;
        grid_add(g, "%s", name_of(&s->op[k]));
        grid_add(g, "%g", runs);
        for (size_t i = 0; i < gpus; ++i) {
            const sooth_gpu_timing *one = &t[i].each[k];
            if (*t[i].why) grid_add(g, "unknown");
            else add_interval(g, runs * one->ms, runs * one->low, runs * one->high);
        }
    }
    add_totals(g, s, t, gpus);
}

static const char not_counted[] =
    "Not counted: norms, rotations, the input table, sampling, exchange between GPUs, and the gaps between "
    "operators. A step takes longer.";

/* What is said of the data type if none is given; "" if one is. */
static const char *assumption_of(const step *s) {
    static char text[200];
    text[0] = 0;
    if (s->assumed)
        snprintf(text, sizeof text, "no dtype is given, so bf16 is assumed%s%s",
                 *s->published ? "; the published weights are " : "", s->published);
    return text;
}

static void print_step(const step *s, const timed *t, size_t gpus) {
    char batch[200], types[100], gpus_text[120];
    grid g;
    printf("%s: %s parameters, of which a token meets %s%s%s\n", s->model.name,
           billions(s->counts.parameters), billions(s->counts.active),
           *s->source ? "; numbers: huggingface.co/" : "", s->source);
    printf("%s; %s; %s\n", batch_of(s, batch), types_of(s, types), gpus_of(s, gpus_text));
    if (s->assumed) printf("%s\n", assumption_of(s));
    printf("each GPU holds %s GiB of weights and %s GiB of cache\n", human(s->counts.weight_bytes / gib, 3),
           human(s->counts.cache_bytes / gib, 3));
    for (size_t i = 0; i < gpus; ++i)
        if (*memory_of(s, &t[i].gpu)) printf("%s: %s\n", t[i].gpu.name, memory_of(s, &t[i].gpu));
    grid_step(&g, s, t, gpus);
    grid_print(&g, stdout, "  ");
    for (size_t i = 0; i < gpus; ++i)
        if (*t[i].why) printf("%s: unknown: %s\n", t[i].gpu.name, t[i].why);
    wrapped(stdout, not_counted, 0);
}

static void json_part(json *j, const sooth_language_operator *at, const sooth_gpu_timing *one,
                      const sooth_gpu_power *power) {
    json_open(j, NULL, '{');
    json_text(j, "part", sooth_language_part_name(at->part));
    json_text(j, "op", sooth_operator_name(at->op.kind));
    json_text(j, "dtype", sooth_data_type_name(at->op.dtype));
    if (at->op.window > 0.0) json_number(j, "window", at->op.window);
    json_number(j, "count", at->count);
    json_number(j, "ms", at->count * one->ms);
    json_number(j, "low_ms", at->count * one->low);
    json_number(j, "high_ms", at->count * one->high);
    json_text(j, "trust", trust_word(one->trust));
    if (power->watts > 0.0) {
        json_number(j, "watts", power->watts);
        json_number(j, "low_watts", power->low);
        json_number(j, "high_watts", power->high);
        json_text(j, "watts_trust", trust_word(power->trust));
    }
    json_close(j, '}');
}

static void json_types(json *j, const step *s) {
    const sooth_language_batch *b = &s->batch;
    const uint32_t dtype = b->dtype ? b->dtype : (uint32_t)SOOTH_TYPE_BF16;
    json_text(j, "dtype", sooth_data_type_name(dtype));
    if (s->model.experts)
        json_text(j, "expert_dtype", sooth_data_type_name(b->expert_dtype ? b->expert_dtype : dtype));
    json_text(j, "cache_dtype",
              sooth_data_type_name(b->cache_dtype ? b->cache_dtype : (uint32_t)SOOTH_TYPE_BF16));
    if (s->assumed) json_text(j, "assumed", assumption_of(s));
}

static void json_gpu(json *j, const step *s, const timed *t) {
    json_open(j, NULL, '{');
    json_text(j, "gpu", t->gpu.name);
    if (t->gpu.memory_gb > 0.0) json_number(j, "memory_gb", t->gpu.memory_gb);
    if (t->gpu.memory_gb > 0.0) json_number(j, "memory_bytes", memory_bytes(&t->gpu));
    if (*memory_of(s, &t->gpu)) json_text(j, "memory", memory_of(s, &t->gpu));
    if (*t->why) {
        json_text(j, "unknown", t->why);
        json_close(j, '}');
        return;
    }
    json_number(j, "ms", t->ms);
    json_number(j, "low_ms", t->low);
    json_number(j, "high_ms", t->high);
    json_number(j, "new_tokens_per_second", tokens_per_second(s, t->ms, 0));
    json_number(j, "most_new_tokens_per_second", tokens_per_second(s, t->low, 0));
    if (s->batch.prefill) {
        json_number(j, "prompt_tokens_per_second", tokens_per_second(s, t->ms, 1));
        json_number(j, "most_prompt_tokens_per_second", tokens_per_second(s, t->low, 1));
    }
    if (t->joules > 0.0) {
        json_number(j, "joules", t->joules);
        json_number(j, "low_joules", t->joules_low);
        json_number(j, "high_joules", t->joules_high);
        json_number(j, "share_watts_not_as_learned", t->joules_beyond);
    }
    json_number(j, "share_not_as_learned", t->beyond);
    json_open(j, "parts", '[');
    for (size_t k = 0; k < s->ops; ++k) json_part(j, &s->op[k], &t->each[k], &t->power[k]);
    json_close(j, ']');
    json_close(j, '}');
}

static void json_step(const step *s, const timed *t, size_t gpus) {
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", s->model.name);
    json_text(&j, "source", s->source);
    json_types(&j, s);
    json_number(&j, "parameters", s->counts.parameters);
    json_number(&j, "active", s->counts.active);
    json_number(&j, "gpus_in_all", s->gpus);
    json_number(&j, "weight_bytes", s->counts.weight_bytes);
    json_number(&j, "cache_bytes", s->counts.cache_bytes);
    json_number(&j, "needed_gb", 1e-9 * (s->counts.weight_bytes + s->counts.cache_bytes));
    json_open(&j, "gpus", '[');
    for (size_t i = 0; i < gpus; ++i) json_gpu(&j, s, &t[i]);
    json_close(&j, ']');
    json_end(&j);
}

/* ---- a table, a page ---- */

/* Writes the operators as a table for `sooth gpu time --csv` and `sooth gpu network`. */
static void write_operators(const step *s, FILE *to) {
    int used[OPERATOR_SIZES] = {0};
    for (size_t k = 0; k < s->ops; ++k)
        for (size_t i = 0; i < OPERATOR_SIZES; ++i) used[i] |= operator_size(&s->op[k].op, i) > 0.0;
    fputs("part,op,dtype,count", to);
    for (size_t i = 0; i < OPERATOR_SIZES; ++i)
        if (used[i]) fprintf(to, ",%s", operator_size_name(i));
    fputc('\n', to);
    for (size_t k = 0; k < s->ops; ++k) {
        const sooth_operator *op = &s->op[k].op;
        fprintf(to, "%s,%s,%s,%g", sooth_language_part_name(s->op[k].part), sooth_operator_name(op->kind),
                sooth_data_type_name(op->dtype), s->op[k].count);
        for (size_t i = 0; i < OPERATOR_SIZES; ++i) {
            if (!used[i]) continue;
            if (operator_has(op->kind, i)) fprintf(to, ",%.9g", operator_size(op, i));
            else fputc(',', to);
        }
        fputc('\n', to);
    }
}

/* Draws a bar for each operator on each GPU; a tick marks the upper end of its interval. Of several GPUs, the
   name of the operator is a line above their bars: both names together would be cut on a telephone. */
static void page_operators(page *p, const step *s, const timed *t, size_t gpus) {
    const size_t heads = gpus > 1, rows = gpus + heads, bars = s->ops * rows;
    double *value = (double *)allocate(2 * bars, sizeof *value), *high = value + bars;
    const char **name = (const char **)allocate(bars, sizeof *name);
    uint32_t *series = (uint32_t *)allocate(bars, sizeof *series);
    char *text = (char *)allocate(s->ops, 48);
    svg_bar_chart chart;
    grid g;
    memset(&chart, 0, sizeof chart);
    for (size_t b = 0; b < bars; ++b) {
        const size_t k = b / rows, i = b % rows - heads; /* SIZE_MAX: the line of the operator */
        const int is_bar = i < gpus && !*t[i].why;
        name[b] = heads && i < gpus ? t[i].gpu.name : strcpy(text + 48 * k, name_of(&s->op[k]));
        value[b] = is_bar ? s->op[k].count * t[i].each[k].ms : NAN;
        high[b] = is_bar ? s->op[k].count * t[i].each[k].high : NAN;
        series[b] = (uint32_t)(i % 8);
    }
    chart.value = value;
    chart.mark = high;
    chart.mark_title = "upper end, 90 %";
    chart.names = name;
    chart.series = series;
    chart.count = bars;
    chart.heads = heads * s->ops;
    chart.unit = " ms";
    chart.names_share = 0.6;
    page_bars(p, "Time of a step by operator, in ms", &chart);
    grid_step(&g, s, t, gpus);
    page_table(p, "the figures of each operator", &g);
    free(text);
    free(value);
    free(name);
    free(series);
}

/* The line of one GPU: its time, tokens and joules, and what they rest on. */
static void page_gpu(page *p, const step *s, const timed *t) {
    char joules[120] = "", beyond[120] = "", memory[100] = "";
    if (*memory_of(s, &t->gpu)) snprintf(memory, sizeof memory, " Memory: %s.", memory_of(s, &t->gpu));
    if (*t->why) {
        page_text(p, "p class=\"lead\"", "%s: unknown: %s.%s", t->gpu.name, t->why, memory);
        return;
    }
    if (t->joules > 0.0)
        snprintf(joules, sizeof joules, ", %s J on %s (%s to %s)", human(t->joules, 3),
                 s->gpus > 1.0 ? "all GPUs" : "the GPU", human_like(t->joules_low, t->joules, 3),
                 human_like(t->joules_high, t->joules, 3));
    if (t->beyond > 0.0)
        snprintf(beyond, sizeof beyond, " %s %% of the time is not as learned.", human(100.0 * t->beyond, 2));
    if (t->joules > 0.0 && t->joules_beyond > 0.0)
        snprintf(beyond + strlen(beyond), sizeof beyond - strlen(beyond),
                 " The watts of %s %% of the joules "
                 "are not as learned.",
                 human(100.0 * t->joules_beyond, 2));
    page_text(p, "p class=\"lead\"", "%s: %s ms (%s to %s), %s new tokens a second%s.%s%s", t->gpu.name,
              human(t->ms, 3), human_like(t->low, t->ms, 3), human_like(t->high, t->ms, 3), rate_of(s, t, 0),
              joules, beyond, memory);
}

static void page_step(page *p, const step *s, const timed *t, size_t gpus) {
    char batch[200], types[100], gpus_text[120];
    page_begin(p, "A step of %s on %s", s->model.name, gpus > 1 ? "several GPUs" : t[0].gpu.name);
    for (size_t i = 0; i < gpus; ++i) page_gpu(p, s, &t[i]);
    if (s->assumed) page_text(p, "p", "Types: %s.", assumption_of(s));
    page_text(p, "p",
              "%s; %s; %s. The model has %s parameters, of which a token meets %s. Each GPU holds %s GiB of "
              "weights and %s GiB of cache.",
              batch_of(s, batch), types_of(s, types), gpus_of(s, gpus_text), billions(s->counts.parameters),
              billions(s->counts.active), human(s->counts.weight_bytes / gib, 3),
              human(s->counts.cache_bytes / gib, 3));
    page_operators(p, s, t, gpus);
    page_text(p, "p", "%s", not_counted);
}

int gpu_language_run(const arguments *args) {
    const char *to = arguments_text(args, "output");
    size_t gpus, known = 0;
    char **name = arguments_list(args, "gpu", &gpus);
    page p;
    step s;
    if (args->words != 1)
        die(BAD_USE, "--model takes the place of a table of operators; leave out %s",
            printable(args->word[1]));
    page_read(args, &p);
    step_read(args, &s);
    if (!gpus && !to) die(BAD_USE, "choose the GPUs with --gpu, or write the operators with -o");
    if (to) {
        write_operators(&s, output_open(to, arguments_has(args, "force"), NULL, 0));
        output_close();
        if (strcmp(to, "-") == 0 || !gpus) return finish();
    }
    timed *t = (timed *)allocate(gpus, sizeof *t);
    for (size_t i = 0; i < gpus; ++i) {
        gpu_board_open(s.env, NULL, name[i], &t[i].gpu);
        time_step(&s, &t[i]);
        known += !*t[i].why;
    }
    if (!known) die(BAD_USE, "%s: %s", t[0].gpu.name, t[0].why);
    if (page_is_wanted(&p)) page_step(&p, &s, t, gpus);
    page_write(&p, NULL, 0);
    if (arguments_has(args, "json")) json_step(&s, t, gpus);
    else print_step(&s, t, gpus);
    page_name(&p, arguments_has(args, "json") ? stderr : stdout);
    gpu_remarks();
    return finish();
}
