/* budget.c - sooth fit --budget: the best model that fits a microcontroller; sooth describe --for.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Fits a few dozen cheap models of all kinds, from a straight line to some hundred trees, to all rows.
 * sooth/core_cost.h computes the cost of each in each form. Those that fit are tested on folds; with groups,
 * on folds of whole groups. An integer form is tested by its own predictions on left-out rows.
 */
#include "model_cli.h"
#include "sooth/export.h"
#include "../../common/svg.h"

#include <ctype.h>
#include <math.h>

/* ---- candidates ---- */

typedef struct candidate {
    const char *kind, *set;
} candidate;

static const candidate candidates[] = {
    {"linear", ""},
    {"tree", "max_depth=1 min_samples_leaf=3"},
    {"tree", "max_depth=2 min_samples_leaf=3"},
    {"tree", "max_depth=3 min_samples_leaf=3"},
    {"tree", "max_depth=4 min_samples_leaf=3"},
    {"tree", "max_depth=5 min_samples_leaf=3"},
    {"tree", "max_depth=6 min_samples_leaf=3"},
    {"tree", "max_depth=8 min_samples_leaf=3"},
    {"tree", "max_depth=10 min_samples_leaf=3"},
    {"tree", "max_leaves=12 min_samples_leaf=3"},
    {"tree", "max_leaves=24 min_samples_leaf=3"},
    {"tree", "max_leaves=48 min_samples_leaf=3"},
    {"boost", "n_estimators=5 max_depth=2 learning_rate=0.4 subsample=1"},
    {"boost", "n_estimators=10 max_depth=2 learning_rate=0.3 subsample=1"},
    {"boost", "n_estimators=20 max_depth=2 learning_rate=0.2 subsample=1"},
    {"boost", "n_estimators=40 max_depth=2 learning_rate=0.15 subsample=1"},
    {"boost", "n_estimators=80 max_depth=2 learning_rate=0.1 subsample=1"},
    {"boost", "n_estimators=5 max_depth=3 learning_rate=0.4 subsample=1"},
    {"boost", "n_estimators=10 max_depth=3 learning_rate=0.3 subsample=1"},
    {"boost", "n_estimators=20 max_depth=3 learning_rate=0.2 subsample=1"},
    {"boost", "n_estimators=40 max_depth=3 learning_rate=0.15 subsample=1"},
    {"boost", "n_estimators=80 max_depth=3 learning_rate=0.1 subsample=1"},
    {"boost", "n_estimators=10 max_depth=4 learning_rate=0.3 subsample=1"},
    {"boost", "n_estimators=20 max_depth=4 learning_rate=0.2 subsample=1"},
    {"boost", "n_estimators=40 max_depth=4 learning_rate=0.15 subsample=1"},
    {"boost", "n_estimators=20 max_depth=6 learning_rate=0.2 subsample=1"},
    {"boost", "n_estimators=60 max_depth=6 learning_rate=0.1 subsample=1"},
    {"forest", "n_estimators=5 max_depth=4 min_samples_leaf=2"},
    {"forest", "n_estimators=10 max_depth=4 min_samples_leaf=2"},
    {"forest", "n_estimators=10 max_depth=6 min_samples_leaf=2"},
    {"forest", "n_estimators=20 max_depth=6 min_samples_leaf=2"},
    {"forest", "n_estimators=20 max_depth=9 min_samples_leaf=2"},
    {"mlp", "hidden_1=4"},
    {"mlp", "hidden_1=8"},
    {"mlp", "hidden_1=16"},
    {"mlp", "hidden_1=32"},
    {"mlp", "hidden_1=8 hidden_2=8"},
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates, PRECISIONS = 4 }; /* floats, 8, 16, 32 bits */

static const uint32_t bits_of[PRECISIONS] = {0, 8, 16, 32};

static unsigned precision_of(uint32_t bits) { return bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 0; }

/* A candidate model and its results. */
typedef struct trial {
    sooth_train_recipe recipe;
    sooth_core_cost cost[SOOTH_CORE_FORMS];
    uint8_t has[SOOTH_CORE_FORMS], fits[SOOTH_CORE_FORMS], tested[PRECISIONS];
    double squares[PRECISIONS];
} trial;

/* One form of a candidate. */
typedef struct choice {
    size_t trial, form;
    double error;
    uint32_t flash;
    int fits, front;
} choice;

typedef struct search {
    sooth_env *env;
    const data *d;
    sooth_core core;
    double limit[4]; /* flash, memory and stack, steps, stack; infinite if not limited */
    trial trial[CANDIDATES];
    choice *choice;
    size_t choices, fitting;
    double weight, median_squares;
    size_t folds;
    int missing, all;
} search;

/* ---- the budget ---- */

static const char *const limit_name[] = {"flash", "ram", "steps", "stack"};

static void budget_read(const char *text, search *s) {
    size_t count;
    char **item = split_list(text, &count);
    for (size_t k = 0; k < 4; ++k) s->limit[k] = INFINITY;
    for (size_t i = 0; i < count; ++i) {
        char *equals = strchr(item[i], '='), *end = NULL;
        size_t k = 0;
        if (!equals)
            die(BAD_USE, "--budget is \"%s\", but must be of the form flash=8K,ram=512,steps=500", text);
        *equals = 0;
        while (k < 4 && strcmp(item[i], limit_name[k]) != 0) ++k;
        if (k == 4)
            die(BAD_USE, "--budget: unknown limit %s; the limits are flash, ram, stack and steps%s", item[i],
                did_you_mean(item[i], limit_name, 4));
        double value = isdigit((unsigned char)equals[1]) ? strtod(equals + 1, &end) : 0.0;
        const double kilo = k == 2 ? 1000.0 : 1024.0;
        if (end && (*end == 'K' || *end == 'k')) value *= kilo, ++end;
        else if (end && *end == 'M') value *= kilo * kilo, ++end;
        if (!end || *end || !(value >= 1.0) || value > 4e9)
            die(BAD_USE, "--budget %s is %s, but must be a number of 1 or more, such as 512 or 8K", item[i],
                equals[1] ? equals + 1 : "empty");
        s->limit[k] = value;
    }
    if (!count) die(BAD_USE, "--budget is empty, but must be of the form flash=8K,ram=512,steps=500");
}

static int within(const search *s, const sooth_core_cost *c) {
    return (double)c->flash <= s->limit[0] && (double)c->memory + (double)c->stack <= s->limit[1] &&
           (double)c->steps <= s->limit[2] && (double)c->stack <= s->limit[3];
}

static sooth_core core_read(sooth_env *env, const arguments *args) {
    sooth_core core;
    if (sooth_core_named(env, arguments_text(args, "for"), &core) != SOOTH_OK)
        die(BAD_USE, "--for: %s", env->sentence);
    return core;
}

const char *export_words(const sooth_model *model, size_t form) {
    static const char *const trees[SOOTH_CORE_FORMS] = {"--to c",
                                                        "--to c-if",
                                                        "--to c --integers 8",
                                                        "--to c --integers 16",
                                                        "--to c --integers 32",
                                                        "--to c-if --integers 8",
                                                        "--to c-if --integers 16",
                                                        "--to c-if --integers 32",
                                                        "--to bpf",
                                                        "--to bpf-map"};
    static const char *const network[SOOTH_CORE_FORMS] = {"--to c", "--to c-if", "--to c --bits 8",
                                                          "--to c --bits 16"};
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const char *words = (parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_MLP ? network[form] : trees[form];
    return words ? words : "";
}

/* ---- searching ---- */

static void set_options(const search *s, const candidate *c, const arguments *args, trial *t) {
    char name[64], value[64];
    int used;
    recipe_read(s->env, args, c->kind, s->d, &t->recipe);
    const sooth_option_list list = sooth_model_kind_options(model_named(c->kind));
    for (const char *at = c->set; sscanf(at, "%63[^=]=%63s %n", name, value, &used) == 2; at += used)
        if (sooth_option_set(s->env, list, &t->recipe.options, name, value) != SOOTH_OK)
            die_of(SOOTH_BAD_ARGUMENT, s->env);
}

/* Computes the cost of every form of the model fitted to all rows. */
static void cost_all(search *s, trial *t) {
    sooth_model *model;
    sooth_train_fit(s->env, &s->d->table, &t->recipe, &model);
    for (uint32_t f = 0; model && f < SOOTH_CORE_FORMS; ++f) {
        if (sooth_core_estimate(s->env, model, s->core, (sooth_core_form)f, &t->cost[f]) != SOOTH_OK)
            continue;
        if (t->cost[f].bits && s->missing) continue; /* integer forms do not support missing values */
        t->has[f] = 1;
        t->fits[f] = (uint8_t)within(s, &t->cost[f]);
        s->fitting += t->fits[f];
        if (t->fits[f] || s->all) t->tested[precision_of(t->cost[f].bits)] = 1;
    }
    sooth_model_free(s->env, model);
}

/* Returns predictions with this many bits, in memory of their own; NULL if there are none. */
static float *answers(sooth_env *env, const sooth_model *model, uint32_t bits, const sooth_table *test) {
    sooth_model *small = NULL;
    sooth_integers_options options;
    sooth_model_parts parts;
    sooth_integers *whole;
    float *out;
    if (!bits) return predictions_of(env, model, test->x, test->rows, test->stride);
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_MLP) {
        if (sooth_export_quantise(env, model, bits, NULL, &small) != SOOTH_OK) return NULL;
        out = predictions_of(env, small, test->x, test->rows, test->stride);
        sooth_model_free(env, small);
        return out;
    }
    memset(&options, 0, sizeof options);
    options.bits = bits;
    if (sooth_integers_convert(env, model, &options, &whole) != SOOTH_OK) return NULL;
    out = (float *)allocate(test->rows, sizeof *out);
    sooth_integers_predict_many(whole, test->x, test->rows, test->stride, out);
    sooth_integers_free(env, whole);
    return out;
}

/* Adds the squared errors of a trial on one fold; NaN if something fails. */
static void test_trial(search *s, trial *t, const sooth_table *train, const sooth_table *test) {
    sooth_model *model;
    sooth_train_fit(s->env, train, &t->recipe, &model);
    for (unsigned p = 0; p < PRECISIONS; ++p) {
        if (!t->tested[p]) continue;
        float *said = model ? answers(s->env, model, bits_of[p], test) : NULL;
        if (!said) t->squares[p] = INFINITY;
        for (size_t i = 0; said && i < test->rows; ++i) {
            const double off = (double)said[i] - (double)test->y[i];
            t->squares[p] +=
                (test->weight ? (double)test->weight[i] : 1.0) * (off == off ? off * off : INFINITY);
        }
        free(said);
    }
    sooth_model_free(s->env, model);
}

static void test_median(search *s, const sooth_table *train, const sooth_table *test) {
    weighed *y = (weighed *)allocate(train->rows, sizeof *y);
    for (size_t i = 0; i < train->rows; ++i)
        y[i] = (weighed){(double)train->y[i], train->weight ? (double)train->weight[i] : 1.0};
    const double median = median_weighed(y, train->rows);
    for (size_t i = 0; i < test->rows; ++i) {
        const double weight = test->weight ? (double)test->weight[i] : 1.0;
        s->median_squares += weight * (median - (double)test->y[i]) * (median - (double)test->y[i]);
        s->weight += weight;
    }
    free(y);
}

/* Returns the name of the groups, or "rows". */
static const char *folds_of(const search *s) {
    return s->d->group ? s->d->group : s->d->time ? "later rows" : "rows";
}

/* Tests the trials on folds; with groups, on folds of whole groups. */
static void test_all(search *s, uint32_t seed) {
    const int by_group = s->d->group != NULL;
    size_t wanted = by_group ? s->d->groups : s->d->table.rows - (s->d->time != NULL);
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = by_group ? SOOTH_SPLIT_GROUP_KFOLD : s->d->time ? SOOTH_SPLIT_TIME : SOOTH_SPLIT_KFOLD;
    options.folds = wanted < 5 ? (uint32_t)wanted : 5;
    options.seed = seed;
    if (s->d->bags.offset) options.groups = &s->d->bags;
    if (sooth_split_make(s->env, &s->d->table, &options, &split) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", s->d->path, s->env->sentence);
    s->folds = split.folds;
    for (size_t f = 0; f < split.folds; ++f) {
        sooth_table train, test;
        if (sooth_split_take(s->env, &s->d->table, &split.fold[f], &train, &test) != SOOTH_OK)
            die_of(SOOTH_NO_MEMORY, s->env);
        test_median(s, &train, &test);
        for (size_t k = 0; k < CANDIDATES; ++k) {
            test_trial(s, &s->trial[k], &train, &test);
            progress_show("testing on folds",
                          ((double)f + (double)(k + 1) / CANDIDATES) / (double)split.folds);
        }
        sooth_table_free(s->env, &train);
        sooth_table_free(s->env, &test);
    }
    sooth_split_free(s->env, &split);
}

/* ---- choosing ---- */

/* Newton's method from above; it decreases until it has converged. The command links without libm. */
static double root_of(double v) {
    double r = v > 1.0 ? v : 1.0;
    for (double next = 0.5 * (r + v / r); next < r; next = 0.5 * (r + v / r)) r = next;
    return r;
}

static int by_flash(const void *a, const void *b) {
    const choice *p = (const choice *)a, *q = (const choice *)b;
    if (p->flash != q->flash) return p->flash < q->flash ? -1 : 1;
    if (p->error < q->error || p->error > q->error) return p->error < q->error ? -1 : 1;
    return p->trial != q->trial ? (p->trial > q->trial) - (p->trial < q->trial)
                                : (p->form > q->form) - (p->form < q->form);
}

/* Sorts the tested forms by flash and marks the front: nothing smaller is as good. */
static void collect(search *s) {
    double best = INFINITY;
    s->choice = (choice *)allocate((size_t)CANDIDATES * SOOTH_CORE_FORMS, sizeof *s->choice);
    for (size_t k = 0; k < CANDIDATES; ++k)
        for (size_t f = 0; f < SOOTH_CORE_FORMS; ++f) {
            const trial *t = &s->trial[k];
            const double squares = t->squares[precision_of(t->cost[f].bits)];
            if (!t->has[f] || !(t->fits[f] || s->all) || !(squares < INFINITY)) continue;
            choice *c = &s->choice[s->choices++];
            c->trial = k;
            c->form = f;
            c->error = root_of(squares / s->weight);
            c->flash = t->cost[f].flash;
            c->fits = t->fits[f];
        }
    qsort(s->choice, s->choices, sizeof *s->choice, by_flash);
    for (size_t i = 0; i < s->choices; ++i) {
        s->choice[i].front = s->choice[i].error < best;
        best = s->choice[i].front ? s->choice[i].error : best;
    }
}

static const choice *best_of(const search *s) {
    const choice *best = NULL;
    for (size_t i = 0; i < s->choices; ++i)
        if (s->choice[i].fits && (!best || s->choice[i].error < best->error)) best = &s->choice[i];
    return best;
}

/* Dies because no form fits, with the smallest that exists. */
static void nothing_fits(const search *s) {
    static const char *const unit[] = {"bytes of flash", "bytes of memory and stack", "steps",
                                       "bytes of stack"};
    double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    char text[200] = "";
    size_t n = 0;
    for (size_t k = 0; k < CANDIDATES; ++k)
        for (size_t f = 0; f < SOOTH_CORE_FORMS; ++f) {
            const sooth_core_cost *c = &s->trial[k].cost[f];
            const double value[4] = {(double)c->flash, (double)c->memory + (double)c->stack, (double)c->steps,
                                     (double)c->stack};
            for (size_t q = 0; s->trial[k].has[f] && q < 4; ++q)
                if (value[q] < least[q]) least[q] = value[q];
        }
    if (!(least[0] < INFINITY))
        die(BAD_INPUT, "%s: no model could be fitted: %s", s->d->path, s->env->sentence);
    for (size_t q = 0; q < 4; ++q)
        if (s->limit[q] < least[q] && n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%.0f %s", n ? ", " : "", least[q], unit[q]);
    if (n) die(BAD_INPUT, "no model fits: the smallest takes %s on %s", text, sooth_core_name(s->core));
    die(BAD_INPUT, "no model keeps all limits on %s, though each limit alone can be kept",
        sooth_core_name(s->core));
}

/* ---- sooth describe --for ---- */

static void core_cost_json(json *j, const sooth_core_cost *c) {
    json_count(j, "flash", c->flash);
    json_count(j, "memory", c->memory);
    json_count(j, "stack", c->stack);
    json_count(j, "steps", c->steps);
    json_count(j, "comparisons", c->comparisons);
    json_count(j, "multiply_adds", c->multiply_adds);
    json_count(j, "functions", c->functions);
    if (c->bits) json_number(j, "error", (double)c->error);
}

/* Prints the headers and the call with which firmware predicts from the block directly. sooth_model_predict
   would link every kind. */
static void headers_of(const sooth_model *model, char *headers, char *calls, size_t size) {
    const sooth_model_kind *kind = sooth_model_predictor_kind(model);
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    snprintf(headers, size, "sooth/model.h, sooth/%s.h%s%s%s",
             kind->kind == SOOTH_KIND_GAUSS  ? "gaussian_process"
             : kind->kind == SOOTH_KIND_BEST ? "model"
                                             : kind->name,
             parts.input || parts.target ? ", sooth/preprocess.h" : "",
             parts.interval ? ", sooth/conformal.h" : "", parts.adapt ? ", sooth/adapt.h" : "");
    snprintf(calls, size, "sooth_model_open%s, sooth_%s_predict%s", parts.input ? ", sooth_scale_apply" : "",
             kind->name, parts.target ? ", sooth_scale_invert_one" : "");
}

static const char *what_it_is(const sooth_model *model) {
    static char text[200];
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    snprintf(text, sizeof text, "%s%s%s%s", sooth_model_predictor_kind(model)->title,
             parts.input ? ", features transformed" : "", parts.target ? ", a target transformed" : "",
             parts.interval ? ", an interval" : "");
    return text;
}

static void describe_as_json(sooth_env *env, const sooth_model *model, sooth_core core) {
    float least, most;
    char headers[200], calls[200];
    json j;
    headers_of(model, headers, calls, sizeof headers);
    json_begin(&j, stdout);
    json_text(&j, "for", sooth_core_name(core));
    json_text(&j, "measured_with", sooth_core_compiler(core));
    if (core != SOOTH_CORE_BPF) {
        json_text(&j, "headers", headers);
        json_text(&j, "calls", calls);
    }
    if (sooth_core_range(env, model, 0, &least, &most) == SOOTH_OK) {
        json_open(&j, "range", '[');
        json_float(&j, least);
        json_float(&j, most);
        json_close(&j, ']');
    }
    json_open(&j, "forms", '[');
    for (uint32_t f = 0; f < SOOTH_CORE_FORMS; ++f) {
        sooth_core_cost cost;
        if (sooth_core_estimate(env, model, core, (sooth_core_form)f, &cost) != SOOTH_OK) continue;
        json_open(&j, NULL, '{');
        json_text(&j, "form", sooth_core_form_name(f));
        json_text(&j, "export", export_words(model, f));
        core_cost_json(&j, &cost);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

static void describe_as_text(sooth_env *env, const sooth_model *model, sooth_core core, const char *path) {
    static const char *const title[] = {"sooth export ...", "flash",         "memory",   "stack", "steps",
                                        "comparisons",      "multiply-adds", "exp, log", "off by"};
    float least, most;
    char headers[200], calls[200];
    grid g;
    headers_of(model, headers, calls, sizeof headers);
    printf("%s on %s, %s\n\n", path, sooth_core_name(core), sooth_core_text(core));
    grid_init(&g, 9, 1);
    for (size_t i = 0; i < 9; ++i) grid_add(&g, "%s", title[i]);
    for (uint32_t f = 0; f < SOOTH_CORE_FORMS; ++f) {
        sooth_core_cost c;
        if (sooth_core_estimate(env, model, core, (sooth_core_form)f, &c) != SOOTH_OK) continue;
        const uint32_t number[] = {c.flash,       c.memory,        c.stack,    c.steps,
                                   c.comparisons, c.multiply_adds, c.functions};
        grid_add(&g, "%s", export_words(model, f));
        for (size_t i = 0; i < sizeof number / sizeof *number; ++i) grid_add(&g, "%u", (unsigned)number[i]);
        grid_add(&g, "%s", c.bits ? human((double)c.error, 3) : "-");
    }
    grid_print(&g, stdout, "  ");
    printf("\n"
           "  Upper bounds of the bytes, and of the %s of one prediction, from measurements of other\n"
           "  models in an emulator plus %.0f %% (%s).\n",
           core == SOOTH_CORE_AVR ? "cycles" : "instructions", 100.0 * SOOTH_CORE_MARGIN,
           sooth_core_compiler(core));
    if (core == SOOTH_CORE_BPF)
        printf("  bpf-map: flash is the program that evaluates any model (examples/kernel/sooth.bpf.h), "
               "memory the\n"
               "  value of its map, a power of two. The caller holds the keys of rows, 4 bytes of stack "
               "each.\n");
    if (sooth_core_range(env, model, 0, &least, &most) == SOOTH_OK)
        printf("  predicts    from %s to %s\n", human((double)least, 4), human((double)most, 4));
    else printf("  predicts    %s\n", env->sentence);
    printf("  this file   %s\n", what_it_is(model));
    if (core == SOOTH_CORE_BPF) return;
    printf("  headers     %s, with SOOTH_PREDICT_ONLY, if firmware predicts from the model file\n", headers);
    printf("  calls       %s: with -ffunction-sections and\n"
           "              -Wl,--gc-sections nothing else is linked; sooth_model_predict links every kind\n",
           calls);
}

int describe_for(sooth_env *env, const arguments *args, const sooth_model *model) {
    const sooth_core core = core_read(env, args);
    sooth_core_cost cost;
    uint32_t form = 0;
    while (form < SOOTH_CORE_FORMS &&
           sooth_core_estimate(env, model, core, (sooth_core_form)form, &cost) != SOOTH_OK)
        ++form;
    if (form == SOOTH_CORE_FORMS) die(BAD_INPUT, "%s: %s", args->word[0], env->sentence);
    if (arguments_has(args, "json")) describe_as_json(env, model, core);
    else describe_as_text(env, model, core, args->word[0]);
    return finish();
}

/* ---- output ---- */

/* Draws every tested form; those on the front and the chosen one are highlighted. */
static void draw(const search *s, const choice *best, FILE *to) {
    static const char *const names[] = {"another is smaller and as accurate", "the front", "chosen"};
    double *x = (double *)allocate(s->choices, 2 * sizeof *x), *y = x + s->choices;
    uint32_t *series = (uint32_t *)allocate(s->choices, sizeof *series);
    const char **label = (const char **)allocate(s->choices, sizeof *label);
    char x_title[100], y_title[200];
    svg_points chart;
    sooth_sink sink = sooth_file_sink(to);
    memset(&chart, 0, sizeof chart);
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        char *text = (char *)allocate(200, 1);
        x[i] = (double)c->flash / 1024.0;
        y[i] = c->error;
        series[i] = c == best ? 2 : c->front ? 1 : 0;
        snprintf(text, 200, "%s %s, %s", candidates[c->trial].kind, candidates[c->trial].set,
                 sooth_core_form_name((uint32_t)c->form));
        label[i] = text;
    }
    snprintf(x_title, sizeof x_title, "flash on %s [KiB]", sooth_core_name(s->core));
    snprintf(y_title, sizeof y_title, "%.100s, of %s left out", with_unit("RMSE", s->d->target_unit[0]),
             s->d->group ? "whole groups" : folds_of(s));
    chart.frame.title = "Error against bytes";
    chart.x = x;
    chart.y = y;
    chart.count = s->choices;
    chart.series = series;
    chart.series_names = names;
    chart.series_count = 3;
    chart.labels = label;
    chart.x_title = x_title;
    chart.y_title = y_title;
    chart.logarithmic = 1;
    svg_scatter(&sink, &chart);
    for (size_t i = 0; i < s->choices; ++i) free((void *)(uintptr_t)label[i]);
    free((void *)label);
    free(series);
    free(x);
}

static void print_choices(const search *s, const choice *best) {
    grid g;
    grid_init(&g, 7, 2);
    grid_add(&g, "model");
    grid_add(&g, "form");
    grid_add(&g, "flash");
    grid_add(&g, "memory");
    grid_add(&g, "stack");
    grid_add(&g, "steps");
    grid_add(&g, "%s", with_unit("RMSE", s->d->target_unit[0]));
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        const sooth_core_cost *cost = &s->trial[c->trial].cost[c->form];
        if (!c->front && c != best) continue;
        grid_add(&g, "%s%s %s", c == best ? "* " : "  ", candidates[c->trial].kind, candidates[c->trial].set);
        grid_add(&g, "%s", sooth_core_form_name((uint32_t)c->form));
        grid_add(&g, "%u", (unsigned)cost->flash);
        grid_add(&g, "%u", (unsigned)cost->memory);
        grid_add(&g, "%u", (unsigned)cost->stack);
        grid_add(&g, "%u", (unsigned)cost->steps);
        grid_add(&g, "%s", human(c->error, 3));
    }
    grid_print(&g, stdout, "  ");
}

static void print_all(const search *s, const choice *best, const sooth_model *model, const char *path) {
    const double median = root_of(s->median_squares / s->weight);
    printf("%s %s from %s\n", candidates[best->trial].kind, candidates[best->trial].set, s->d->path);
    data_notes(s->d, stdout);
    printf("  for         %s, %s\n", sooth_core_name(s->core), sooth_core_text(s->core));
    printf("  tried       %d models in all their forms, of which %zu fit; %zu folds of %s\n", CANDIDATES,
           s->fitting, s->folds, folds_of(s));
    printf("\n");
    print_choices(s, best);
    printf("  *: chosen. Each of the others is more accurate than every smaller model%s.\n",
           s->all ? "" : " that fits");
    printf(
        "  The median of the training rows has %s; the error of the chosen model is slightly optimistic.\n",
        human(median, 3));
    if (!(best->error < median)) printf("  No model here beats the median.\n");
    if (!s->d->group) printf("  Without --group, rows of one program may be in training and test.\n");
    printf("\n%s: C code that fits, at most %u bytes on %s:\n  sooth export %s %s\n", path,
           (unsigned)best->flash, sooth_core_name(s->core), path, export_words(model, (uint32_t)best->form));
}

static void write_json(const search *s, const choice *best, const sooth_model *model, const char *path) {
    json j;
    json_begin(&j, stdout);
    json_text(&j, "file", path);
    json_text(&j, "for", sooth_core_name(s->core));
    json_text(&j, "export", export_words(model, (uint32_t)best->form));
    json_number(&j, "rmse", best->error);
    json_number(&j, "rmse_median", root_of(s->median_squares / s->weight));
    json_count(&j, "folds", s->folds);
    core_cost_json(&j, &s->trial[best->trial].cost[best->form]);
    json_open(&j, "front", '[');
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        if (!c->front) continue;
        json_open(&j, NULL, '{');
        json_text(&j, "model", candidates[c->trial].kind);
        json_text(&j, "options", candidates[c->trial].set);
        json_text(&j, "form", sooth_core_form_name((uint32_t)c->form));
        json_count(&j, "fits", (size_t)c->fits);
        json_number(&j, "rmse", c->error);
        core_cost_json(&j, &s->trial[c->trial].cost[c->form]);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_end(&j);
}

/* ---- the command ---- */

/* Writes the chosen model with its error on the card. */
static sooth_model *fit_chosen(search *s, const choice *best) {
    sooth_train_recipe recipe = s->trial[best->trial].recipe;
    char name[400];
    sooth_score score;
    sooth_model *model;
    snprintf(name, sizeof name, "%.150s, %u folds of %.100s, chosen on them",
             with_unit("RMSE", s->d->target_unit[0]), (unsigned)s->folds, folds_of(s));
    score.name = name;
    score.value = best->error;
    recipe.no_card = 0;
    recipe.score = &score;
    recipe.scores = 1;
    const sooth_status status = sooth_train_fit(s->env, &s->d->table, &recipe, &model);
    if (!model) learn_failed(s->d, recipe.model, status, s->env);
    return model;
}

static void refuse_others(const arguments *args) {
    static const char *const others[] = {"model",  "set",       "folds", "tune",    "trials",
                                         "metric", "inner",     "outer", "history", "interval",
                                         "upper",  "calibrate", "by"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (arguments_has(args, others[i]))
            die(BAD_USE, "--%s does not apply with --budget, which chooses the model", others[i]);
    if (!arguments_has(args, "for"))
        die(BAD_USE, "--budget needs --for CORE: cortex-m0, cortex-m4, avr, rv32 or bpf");
}

int budget_run(sooth_env *env, const arguments *args, const char *path) {
    const char *front = arguments_text(args, "front");
    static search s;
    data d;
    refuse_others(args);
    s.env = env;
    s.core = core_read(s.env, args);
    budget_read(arguments_text(args, "budget"), &s);
    if (front && !ends_in_svg(front))
        die(BAD_USE, "--front is %s, but must end in .svg", *front ? front : "empty");
    FILE *file = output_model(path, arguments_has(args, "force"), args->word, 1);
    data_open(s.env, args, CENTRE_NONE, &d); /* exported code takes floats */
    if (d.levels) die(BAD_USE, "--budget supports only numeric columns; leave out --categorical");
    if (d.table.targets > 1) die(BAD_USE, "--budget supports one target, not %zu", d.table.targets);
    s.d = &d;
    s.all = front != NULL;
    for (size_t i = 0; i < d.table.rows; ++i)
        for (size_t j = 0; j < d.table.cols; ++j)
            s.missing |= d.table.x[i * d.table.stride + j] != d.table.x[i * d.table.stride + j];
    for (size_t k = 0; k < CANDIDATES; ++k) {
        set_options(&s, &candidates[k], args, &s.trial[k]);
        cost_all(&s, &s.trial[k]);
        progress_show("what fits", (double)(k + 1) / CANDIDATES);
    }
    if (!s.fitting) nothing_fits(&s);
    test_all(&s, arguments_count(args, "seed", 0, 0, UINT32_MAX));
    progress_clear();
    collect(&s);
    const choice *best = best_of(&s);
    if (!best) die(BAD_INPUT, "%s: the models that fit could not be tested: %s", d.path, s.env->sentence);
    sooth_model *model = fit_chosen(&s, best);
    void *bytes = allocate(model->head.size, 1);
    sooth_model_save(model, bytes);
    fwrite(bytes, 1, model->head.size, file);
    output_close();
    if (front) {
        const char *const others[] = {d.path, path};
        draw(&s, best, output_open(front, arguments_has(args, "force"), others, 2));
        output_close();
    }
    if (arguments_has(args, "json")) write_json(&s, best, model, path);
    else print_all(&s, best, model, path);
    return finish();
}
