/* gpu_language.c - sooth gpu network --model: the time of a step of a language model, by operator.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../app/page.h"
#include "../model/model_cli.h"
#include "sooth/gpu_time.h"

enum { MOST = SOOTH_LANGUAGE_MAX_OPERATORS };

/* A model, a batch, and the operators of its step. */
typedef struct step {
    sooth_env *env;
    sooth_language_model model;
    sooth_language_batch batch;
    sooth_language_counts counts;
    const char *source; /* "" for a model by its numbers */
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

static void model_read(const arguments *args, step *s) {
    size_t count;
    char **piece = arguments_list(args, "model", &count);
    s->source = "";
    strcpy(s->model.name, "a model");
    for (size_t i = 0; i < count; ++i) {
        if (i == 0 && !strchr(piece[i], '=')) {
            if (sooth_language_named(s->env, piece[i], &s->model) != SOOTH_OK)
                die(BAD_USE, "%s; or give its numbers, as layers=32,hidden=4096,...", s->env->sentence);
            for (size_t k = 0; sooth_language_at(k); ++k)
                if (strcmp(sooth_language_at(k)->name, s->model.name) == 0)
                    s->source = sooth_language_source(k);
            continue;
        }
        const char *value = value_of("model", piece, i);
        set(s->env, sooth_language_options_list(), "model", &s->model, piece[i], value);
        if (*s->source) strcpy(s->model.name, "a changed model");
        s->source = "";
    }
}

static void batch_read(const arguments *args, step *s) {
    static const char *const typed[] = {"dtype", "expert_dtype", "cache_dtype"};
    uint32_t *const type[] = {&s->batch.dtype, &s->batch.expert_dtype, &s->batch.cache_dtype};
    size_t count;
    char **piece = arguments_list(args, "batch", &count);
    if (!count)
        die(BAD_USE, "--model needs a --batch, such as decode=64,context=2048 or prefill=1,tokens=4096");
    for (size_t i = 0; i < count; ++i) {
        const char *value = value_of("batch", piece, i);
        size_t k = 0;
        while (k < 3 && strcmp(piece[i], typed[k]) != 0) ++k;
        if (k == 3) {
            set(s->env, sooth_language_batch_options_list(), "batch", &s->batch, piece[i], value);
            continue;
        }
        *type[k] = data_type_read(value, "");
        if (*type[k] == SOOTH_TYPE_FP32 || *type[k] == SOOTH_TYPE_TF32)
            die(BAD_USE,
                "--batch: %s is %s, but language models run in fp16, bf16, fp8, fp8-block, nvfp4, int8, "
                "int8-weights or int4-weights here",
                typed[k], value);
    }
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
    double joules = 0.0, low = 0.0, high = 0.0;
    for (size_t i = 0; i < s->ops; ++i) {
        const double runs = 1e-3 * s->gpus * s->op[i].count;
        if (sooth_gpu_watts(s->env, timer, &s->op[i].op, t->each[i].ms, &t->power[i]) != SOOTH_OK) {
            memset(&t->power[i], 0, sizeof t->power[i]);
            return;
        }
        joules += runs * t->each[i].ms * t->power[i].watts;
        low += runs * t->each[i].low * t->power[i].low;
        high += runs * t->each[i].high * t->power[i].high;
    }
    t->joules = joules;
    t->joules_low = low;
    t->joules_high = high;
}

/* As for a network: the ends of intervals of one kind of operators are added. The distances of the kinds are
   added as squares. */
static void time_step(const step *s, timed *t) {
    sooth_gpu_timer timer;
    double below[SOOTH_OPERATORS] = {0}, above[SOOTH_OPERATORS] = {0}, down = 0.0, up = 0.0;
    if (sooth_gpu_timer_init(s->env, &timer, &t->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, s->env);
    for (size_t i = 0; i < s->ops; ++i) {
        const sooth_language_operator *at = &s->op[i];
        sooth_gpu_timing *one = &t->each[i];
        if (sooth_gpu_time(s->env, &timer, &at->op, one) != SOOTH_OK)
            die(BAD_USE, "%s on %s: %s", sooth_language_part_name(at->part), t->gpu.name, s->env->sentence);
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

/* Tokens a second of all GPUs: new ones, of sequences and of prompts that end; or of prompts. */
static double tokens_per_second(const step *s, const timed *t, int of_prompts) {
    const uint32_t tp = s->batch.tp ? s->batch.tp : 1;
    const double groups = s->gpus / (double)tp;
    const double prompts = (double)s->batch.prefill * (double)s->batch.tokens;
    const double tokens = of_prompts ? prompts : (double)s->batch.decode + (double)s->batch.prefill;
    return 1e3 * groups * tokens / t->ms;
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

/* The lines below the operators: a figure for each GPU. */
static void add_totals(grid *g, const step *s, const timed *t, size_t gpus) {
    grid_add(g, "all operators");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) add_interval(g, t[i].ms, t[i].low, t[i].high);
    for (int of_prompts = 0; of_prompts < 2; ++of_prompts) {
        if (of_prompts && !s->batch.prefill) continue;
        grid_add(g, of_prompts ? "prompt tokens/s, at most" : "new tokens/s, at most");
        grid_add(g, " ");
        for (size_t i = 0; i < gpus; ++i)
            grid_add(g, "%s", human(tokens_per_second(s, &t[i], of_prompts), 3));
    }
    grid_add(g, "J, all GPUs");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) {
        if (t[i].joules > 0.0) add_interval(g, t[i].joules, t[i].joules_low, t[i].joules_high);
        else grid_add(g, "unknown");
    }
    grid_add(g, "not as learned");
    grid_add(g, " ");
    for (size_t i = 0; i < gpus; ++i) grid_add(g, "%s %%", human(100.0 * t[i].beyond, 2));
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
        for (size_t i = 0; i < gpus; ++i)
            add_interval(g, runs * t[i].each[k].ms, runs * t[i].each[k].low, runs * t[i].each[k].high);
    }
    add_totals(g, s, t, gpus);
}

static const char not_counted[] =
    "Not counted: norms, rotations, the input table, sampling, exchange between GPUs, and the gaps between "
    "operators. A step takes longer.";

static void print_step(const step *s, const timed *t, size_t gpus) {
    char batch[200], types[100], gpus_text[120];
    grid g;
    printf("%s: %s parameters, of which a token meets %s%s%s\n", s->model.name,
           billions(s->counts.parameters), billions(s->counts.active),
           *s->source ? "; numbers: huggingface.co/" : "", s->source);
    printf("%s; %s; %s\n", batch_of(s, batch), types_of(s, types), gpus_of(s, gpus_text));
    printf("each GPU holds %s GB of weights and %s GB of cache\n", human(1e-9 * s->counts.weight_bytes, 3),
           human(1e-9 * s->counts.cache_bytes, 3));
    grid_step(&g, s, t, gpus);
    grid_print(&g, stdout, "  ");
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

static void json_step(const step *s, const timed *t, size_t gpus) {
    json j;
    json_begin(&j, stdout);
    json_text(&j, "model", s->model.name);
    json_text(&j, "source", s->source);
    json_number(&j, "parameters", s->counts.parameters);
    json_number(&j, "active", s->counts.active);
    json_number(&j, "gpus_in_all", s->gpus);
    json_number(&j, "weight_bytes", s->counts.weight_bytes);
    json_number(&j, "cache_bytes", s->counts.cache_bytes);
    json_open(&j, "gpus", '[');
    for (size_t i = 0; i < gpus; ++i) {
        json_open(&j, NULL, '{');
        json_text(&j, "gpu", t[i].gpu.name);
        json_number(&j, "ms", t[i].ms);
        json_number(&j, "low_ms", t[i].low);
        json_number(&j, "high_ms", t[i].high);
        json_number(&j, "new_tokens_per_second", tokens_per_second(s, &t[i], 0));
        if (s->batch.prefill) json_number(&j, "prompt_tokens_per_second", tokens_per_second(s, &t[i], 1));
        if (t[i].joules > 0.0) {
            json_number(&j, "joules", t[i].joules);
            json_number(&j, "low_joules", t[i].joules_low);
            json_number(&j, "high_joules", t[i].joules_high);
        }
        json_number(&j, "share_not_as_learned", t[i].beyond);
        json_open(&j, "parts", '[');
        for (size_t k = 0; k < s->ops; ++k) json_part(&j, &s->op[k], &t[i].each[k], &t[i].power[k]);
        json_close(&j, ']');
        json_close(&j, '}');
    }
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

/* Draws a bar for each operator on each GPU; a tick marks the upper end of its interval. */
static void page_operators(page *p, const step *s, const timed *t, size_t gpus) {
    const size_t bars = s->ops * gpus;
    double *value = (double *)allocate(2 * bars, sizeof *value), *high = value + bars;
    const char **name = (const char **)allocate(bars, sizeof *name);
    uint32_t *series = (uint32_t *)allocate(bars, sizeof *series);
    svg_bar_chart chart;
    grid g;
    memset(&chart, 0, sizeof chart);
    for (size_t b = 0; b < bars; ++b) {
        const size_t k = b / gpus, i = b % gpus;
        char *text = (char *)allocate(80, 1);
        snprintf(text, 80, gpus > 1 ? "%s, %s" : "%s", name_of(&s->op[k]), t[i].gpu.name);
        name[b] = text;
        value[b] = s->op[k].count * t[i].each[k].ms;
        high[b] = s->op[k].count * t[i].each[k].high;
        series[b] = (uint32_t)i;
    }
    chart.value = value;
    chart.mark = high;
    chart.mark_title = "upper end, 90 %";
    chart.names = name;
    chart.series = series;
    chart.count = bars;
    chart.unit = " ms";
    page_bars(p, "Time of a step by operator, in ms", &chart);
    grid_step(&g, s, t, gpus);
    page_table(p, "the figures of each operator", &g);
    for (size_t b = 0; b < bars; ++b) free((void *)(uintptr_t)name[b]);
    free(value);
    free(name);
    free(series);
}

static void page_step(page *p, const step *s, const timed *t, size_t gpus) {
    char batch[200], types[100], gpus_text[120];
    page_begin(p, "A step of %s on %s", s->model.name, gpus > 1 ? "several GPUs" : t[0].gpu.name);
    for (size_t i = 0; i < gpus; ++i)
        page_text(p, "p class=\"lead\"", "%s: %s ms (%s to %s), at most %s new tokens a second%s%s.",
                  t[i].gpu.name, human(t[i].ms, 3), human_like(t[i].low, t[i].ms, 3),
                  human_like(t[i].high, t[i].ms, 3), human(tokens_per_second(s, &t[i], 0), 3),
                  t[i].joules > 0.0 ? ", joules: " : "", t[i].joules > 0.0 ? human(t[i].joules, 3) : "");
    page_text(p, "p",
              "%s; %s; %s. The model has %s parameters, of which a token meets %s. Each GPU holds %s GB of "
              "weights and %s GB of cache.",
              batch_of(s, batch), types_of(s, types), gpus_of(s, gpus_text), billions(s->counts.parameters),
              billions(s->counts.active), human(1e-9 * s->counts.weight_bytes, 3),
              human(1e-9 * s->counts.cache_bytes, 3));
    page_operators(p, s, t, gpus);
    page_text(p, "p", "%s", not_counted);
}

int gpu_language_run(const arguments *args) {
    const char *to = arguments_text(args, "output");
    size_t gpus;
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
    }
    if (page_is_wanted(&p)) page_step(&p, &s, t, gpus);
    page_write(&p, NULL, 0);
    if (arguments_has(args, "json")) json_step(&s, t, gpus);
    else print_step(&s, t, gpus);
    page_name(&p, arguments_has(args, "json") ? stderr : stdout);
    return finish();
}
