/* budget.c - sooth fit --budget: the best model that fits a microcontroller; sooth describe --for.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Fits a few dozen cheap models of all kinds, from a law of threads to some hundred trees, to all rows.
 * sooth/core_cost.h computes the cost of each in each form. Those that fit are tested on folds; with groups,
 * on folds of whole groups. An integer form is tested by its own predictions on left-out rows. A model has to
 * beat a constant, chosen without each fold and tested on it, as in train/best.h; else the constant answers.
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

static const char *const rules[] = {"median", "mean"};

/* The rules come first. What the table does not suit cannot be fitted, and is left out: a law needs one
   column or two, above 0. add_trials adds trees and networks with the logarithm of the target. */
static const candidate candidates[] = {
    {"tree", "criterion=absolute min_samples_leaf=2147483647"},
    {"tree", "min_samples_leaf=2147483647"},
    {"linear", ""},
    {"linear", "transform=log,none"},
    {"linear", "transform=log-target"},
    {"linear", "transform=log,none,log-target"},
    {"linear", "products=1 transform=clip"},
    {"linear", "products=1 transform=clip,log-target"},
    {"scaling", "law=amdahl"},
    {"scaling", "law=gustafson"},
    {"scaling", "law=usl"},
    {"scaling", "law=power_law"},
    {"scaling", "law=time"},
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
enum {
    CANDIDATES = sizeof candidates / sizeof *candidates,
    RULES = sizeof rules / sizeof *rules,
    MOST_TRIALS = 2 * CANDIDATES,
    PRECISIONS = 4, /* floats, 8, 16, 32 bits */
    MOST_FOLDS = 5
};

static const uint32_t bits_of[PRECISIONS] = {0, 8, 16, 32};

static unsigned precision_of(uint32_t bits) { return bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 0; }

/* A candidate model and its results. */
typedef struct trial {
    const char *model; /* its kind, or the name of a rule */
    int is_rule;
    char set[96];
    sooth_train_recipe recipe;
    sooth_core_cost cost[SOOTH_CORE_FORMS];
    uint8_t has[SOOTH_CORE_FORMS], fits[SOOTH_CORE_FORMS], tested[PRECISIONS];
    double loss[PRECISIONS][MOST_FOLDS]; /* sums over the rows of a fold */
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
    trial trial[MOST_TRIALS];
    choice *choice;
    size_t trials, choices, fitting;
    int by; /* the figure that decides: RMSE, MAE or MAPE */
    double weight;
    double chosen_anew[2]; /* losses of the model, of the rule, each chosen without the fold that tests it */
    double squares;        /* of the differences of units */
    size_t units;          /* groups, or rows */
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

static void add_trial(search *s, size_t k, const char *also, const arguments *args) {
    char name[64], value[64];
    int used;
    const candidate *c = &candidates[k];
    trial *t = &s->trial[s->trials++];
    t->is_rule = k < RULES;
    t->model = t->is_rule ? rules[k] : c->kind;
    snprintf(t->set, sizeof t->set, "%s%s", c->set, also);
    recipe_read(s->env, args, c->kind, s->d, &t->recipe);
    for (const char *at = t->set; sscanf(at, "%63[^=]=%63s %n", name, value, &used) == 2; at += used)
        if (sooth_train_recipe_set(s->env, &t->recipe, name, value) != SOOTH_OK)
            die_of(SOOTH_BAD_ARGUMENT, s->env);
    if (!t->is_rule) return;
    t->recipe.has_input = t->recipe.has_target = 0; /* whatever --transform is */
    t->set[0] = 0;
}

/* Adds the candidates; with --transform, those without transforms of their own. */
static void add_trials(search *s, const arguments *args) {
    const int own = arguments_has(args, "transform"), wide = is_wide(&s->d->table);
    for (size_t k = 0; k < CANDIDATES; ++k) {
        const char *kind = candidates[k].kind;
        if (own && strstr(candidates[k].set, "transform=")) continue;
        add_trial(s, k, "", args);
        if (wide && !own && k >= RULES && strcmp(kind, "linear") != 0 && strcmp(kind, "scaling") != 0)
            add_trial(s, k, " transform=log-target", args);
    }
}

/* Computes the cost of every form of the model fitted to all rows. */
static void cost_all(search *s, trial *t) {
    sooth_model *model;
    sooth_train_fit(s->env, &s->d->table, &t->recipe, &model);
    for (uint32_t f = 0; model && f < SOOTH_CORE_FORMS; ++f) {
        if (sooth_core_estimate(s->env, model, s->core, (sooth_core_form)f, &t->cost[f]) != SOOTH_OK)
            continue;
        if (t->cost[f].bits && s->missing) continue; /* integer forms do not support missing values */
        /* integer trees would leave the exponential to the caller */
        if (t->cost[f].bits && strstr(t->set, "log-target") && strcmp(t->model, "mlp") != 0) continue;
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

/* Returns the loss of a prediction of y; sums of it grow with the figure that decides. */
static double loss_of(int by, double y, double predicted) {
    const double off = predicted - y, size = off < 0.0 ? -off : off;
    if (off != off) return INFINITY;
    if (by == RMSE) return off * off;
    return by == MAE ? size : size / (y < 0.0 ? -y : y);
}

/* Returns the weight of a row; 0 if its target is 0, which has no relative error. */
static double weight_of(int by, const sooth_table *test, size_t row) {
    if (by == MAPE && !(test->y[row] > 0.0f) && !(test->y[row] < 0.0f)) return 0.0;
    return test->weight ? (double)test->weight[row] : 1.0;
}

/* Computes the losses of a trial on one fold; infinite if something fails. */
static void test_trial(search *s, trial *t, size_t fold, const sooth_table *train, const sooth_table *test) {
    sooth_model *model = NULL;
    if (memchr(t->tested, 1, PRECISIONS)) sooth_train_fit(s->env, train, &t->recipe, &model);
    for (unsigned p = 0; p < PRECISIONS; ++p) {
        if (!t->tested[p]) continue;
        float *said = model ? answers(s->env, model, bits_of[p], test) : NULL;
        if (!said) t->loss[p][fold] = INFINITY;
        for (size_t i = 0; said && i < test->rows; ++i) {
            const double weight = weight_of(s->by, test, i);
            if (weight > 0.0)
                t->loss[p][fold] += weight * loss_of(s->by, (double)test->y[i], (double)said[i]);
        }
        free(said);
    }
    sooth_model_free(s->env, model);
}

/* Returns the name of the groups, or "rows". */
static const char *folds_of(const search *s) {
    return s->d->group ? s->d->group : s->d->time ? "later rows" : "rows";
}

/* Tests the trials on a fold. */
static void test_fold(search *s, size_t fold, const sooth_table *train, const sooth_table *test) {
    for (size_t i = 0; i < test->rows; ++i) s->weight += weight_of(s->by, test, i);
    for (size_t k = 0; k < s->trials; ++k) {
        test_trial(s, &s->trial[k], fold, train, test);
        progress_show("testing on folds",
                      ((double)fold + (double)(k + 1) / (double)s->trials) / (double)s->folds);
    }
}

/* Visits the folds; with groups, folds of whole groups. */
static void each_fold(search *s, uint32_t seed,
                      void visit(search *s, size_t fold, const sooth_table *train, const sooth_table *test)) {
    const int by_group = s->d->group != NULL;
    size_t wanted = by_group ? s->d->groups : s->d->table.rows - (s->d->time != NULL);
    sooth_split_options options;
    sooth_split split;
    memset(&options, 0, sizeof options);
    options.method = by_group ? SOOTH_SPLIT_GROUP_KFOLD : s->d->time ? SOOTH_SPLIT_TIME : SOOTH_SPLIT_KFOLD;
    options.folds = wanted < MOST_FOLDS ? (uint32_t)wanted : MOST_FOLDS;
    options.seed = seed;
    if (s->d->bags.offset) options.groups = &s->d->bags;
    if (sooth_split_make(s->env, &s->d->table, &options, &split) != SOOTH_OK)
        die(BAD_INPUT, "%s: %s", s->d->path, s->env->sentence);
    s->folds = split.folds;
    for (size_t f = 0; f < split.folds; ++f) {
        sooth_table train, test;
        if (sooth_split_take(s->env, &s->d->table, &split.fold[f], &train, &test) != SOOTH_OK)
            die_of(SOOTH_NO_MEMORY, s->env);
        visit(s, f, &train, &test);
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

/* Returns the figure that decides for a sum of losses over all folds. */
static double error_of(const search *s, double losses) {
    const double mean = losses / s->weight;
    return s->by == RMSE ? root_of(mean) : s->by == MAPE ? 100.0 * mean : mean;
}

static const char *error_text(const search *s, double error) {
    score one;
    memset(&one, 0, sizeof one);
    one.mean.value[s->by] = error;
    return score_figure_text(s->d, 0, &one, s->by);
}

/* Returns "MAPE [%]" or "RMSE [W]". */
static const char *error_title(const search *s) {
    return with_unit(score_figure_name(s->by), s->by == MAPE ? "%" : s->d->target_unit[0]);
}

static const double *losses_of(const search *s, const choice *c) {
    const trial *t = &s->trial[c->trial];
    return t->loss[precision_of(t->cost[c->form].bits)];
}

static double sum_of(const search *s, const double *loss) {
    double sum = 0.0;
    for (size_t f = 0; f < s->folds; ++f) sum += loss[f];
    return sum;
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
    s->choice = (choice *)allocate(s->trials * SOOTH_CORE_FORMS, sizeof *s->choice);
    for (size_t k = 0; k < s->trials; ++k)
        for (size_t f = 0; f < SOOTH_CORE_FORMS; ++f) {
            const trial *t = &s->trial[k];
            const double losses = sum_of(s, t->loss[precision_of(t->cost[f].bits)]);
            if (!t->has[f] || !(t->fits[f] || s->all) || !(losses < INFINITY)) continue;
            choice *c = &s->choice[s->choices++];
            c->trial = k;
            c->form = f;
            c->error = error_of(s, losses);
            c->flash = t->cost[f].flash;
            c->fits = t->fits[f];
        }
    qsort(s->choice, s->choices, sizeof *s->choice, by_flash);
    for (size_t i = 0; i < s->choices; ++i) {
        s->choice[i].front = s->choice[i].error < best;
        best = s->choice[i].front ? s->choice[i].error : best;
    }
}

/* Returns the model or rule that fits with the least error on all folds but one (NULL: none fits). */
static const choice *best_of(const search *s, int is_rule, size_t without) {
    const choice *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        const double *loss = losses_of(s, c);
        double sum = 0.0;
        if (!c->fits || is_rule != s->trial[c->trial].is_rule) continue;
        for (size_t f = 0; f < s->folds; ++f) sum += f == without ? 0.0 : loss[f];
        if (best && !(sum < least)) continue;
        best = c;
        least = sum;
    }
    return best;
}

/* Tests the model and the rule that are best on the other folds. */
static void compare_fold(search *s, size_t fold, const sooth_table *train, const sooth_table *test) {
    const size_t units = test->group ? s->d->groups : test->rows;
    double *less = (double *)allocate(units, sizeof *less);
    for (int is_rule = 0; is_rule < 2; ++is_rule) {
        const choice *c = best_of(s, is_rule, fold);
        if (!c) continue; /* none fits */
        const trial *t = &s->trial[c->trial];
        sooth_model *model;
        sooth_train_fit(s->env, train, &t->recipe, &model);
        float *said = model ? answers(s->env, model, t->cost[c->form].bits, test) : NULL;
        if (!said) die_of(SOOTH_NO_MEMORY, s->env); /* it was fitted to these rows before */
        for (size_t i = 0; i < test->rows; ++i) {
            const double weight = weight_of(s->by, test, i);
            const double loss =
                weight > 0.0 ? weight * loss_of(s->by, (double)test->y[i], (double)said[i]) : 0.0;
            s->chosen_anew[is_rule] += loss;
            less[test->group ? test->group[i] : i] += is_rule ? loss : -loss;
        }
        free(said);
        sooth_model_free(s->env, model);
    }
    for (size_t k = 0; k < units; ++k) s->squares += less[k] * less[k];
    s->units = test->group ? units : s->units + units;
    free(less);
}

/* Returns the answer: the best model, if it has less error than the best rule by more than a standard error
   of the differences of rows, or of groups; else the rule. Both are chosen anew without each fold that tests
   them. */
static const choice *answer_of(search *s, uint32_t seed) {
    const choice *const model = best_of(s, 0, s->folds), *const rule = best_of(s, 1, s->folds);
    each_fold(s, seed, compare_fold);
    if (!model || !rule) return model ? model : rule;
    const double less = s->chosen_anew[1] - s->chosen_anew[0], n = (double)s->units;
    return less > 0.0 && less * less * (n - 1.0) > n * s->squares - less * less ? model : rule;
}

/* Dies because no form fits, with the smallest that exists. */
static void nothing_fits(const search *s) {
    static const char *const unit[] = {"bytes of flash", "bytes of memory and stack", "steps",
                                       "bytes of stack"};
    double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    char text[200] = "";
    size_t n = 0;
    for (size_t k = 0; k < s->trials; ++k)
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

/* Returns "tree max_depth=2". */
static const char *name_of(const trial *t) {
    static char text[120];
    snprintf(text, sizeof text, "%s%s%s", t->model, *t->set ? " " : "", t->set);
    return text;
}

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
        snprintf(text, 200, "%s, %s", name_of(&s->trial[c->trial]), sooth_core_form_name((uint32_t)c->form));
        label[i] = text;
    }
    snprintf(x_title, sizeof x_title, "flash on %s [KiB]", sooth_core_name(s->core));
    snprintf(y_title, sizeof y_title, "%.100s, of %s left out", error_title(s),
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
    grid_add(&g, "%s", error_title(s));
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        const sooth_core_cost *cost = &s->trial[c->trial].cost[c->form];
        if (!c->front && c != best) continue;
        grid_add(&g, "%s%s", c == best ? "* " : "  ", name_of(&s->trial[c->trial]));
        grid_add(&g, "%s", sooth_core_form_name((uint32_t)c->form));
        grid_add(&g, "%u", (unsigned)cost->flash);
        grid_add(&g, "%u", (unsigned)cost->memory);
        grid_add(&g, "%u", (unsigned)cost->stack);
        grid_add(&g, "%u", (unsigned)cost->steps);
        grid_add(&g, "%s", human(c->error, 3));
    }
    grid_print(&g, stdout, "  ");
}

/* Prints the figures to quote: those of the answer and of the best rule, chosen without the folds. */
static void print_lead(const search *s, const choice *best) {
    const trial *t = &s->trial[best->trial];
    const choice *rule = best_of(s, 1, s->folds), *model = best_of(s, 0, s->folds);
    const char *measure = score_figure_name(s->by);
    const char *of_model = error_text(s, error_of(s, s->chosen_anew[0]));
    const char *of_rule = error_text(s, error_of(s, s->chosen_anew[1]));
    if (t->is_rule)
        printf(
            "  No model here beats the best rule, the %s%s. It is the answer. Chosen anew without each fold "
            "of %s, it has %s %s",
            t->model, model && s->chosen_anew[0] < s->chosen_anew[1] ? ", by more than chance" : "",
            folds_of(s), measure, of_rule);
    else printf("  Chosen anew without each fold of %s, the model has %s %s", folds_of(s), measure, of_model);
    if (t->is_rule && model) printf("; the best model has %s", of_model);
    if (!t->is_rule && rule) printf("; the best rule, the %s, has %s", s->trial[rule->trial].model, of_rule);
    printf(".\n");
}

static void print_all(const search *s, const choice *best, const sooth_model *model, const char *path) {
    printf("%s from %s\n", name_of(&s->trial[best->trial]), s->d->path);
    data_notes(s->d, stdout);
    printf("  for         %s, %s\n", sooth_core_name(s->core), sooth_core_text(s->core));
    printf("  tried       %zu models in all their forms, of which %zu fit; %zu folds of %s\n", s->trials,
           s->fitting, s->folds, folds_of(s));
    printf("\n");
    print_choices(s, best);
    printf("  *: chosen. Each of the others is more accurate than every smaller model%s.\n",
           s->all ? "" : " that fits");
    print_lead(s, best);
    if (!s->d->group) printf("  Without --group, rows of one program may be in training and test.\n");
    printf("\n%s: C code that fits, at most %u bytes on %s:\n  sooth export %s %s\n", path,
           (unsigned)best->flash, sooth_core_name(s->core), path, export_words(model, (uint32_t)best->form));
}

static void write_json(const search *s, const choice *best, const sooth_model *model, const char *path) {
    const choice *rule = best_of(s, 1, s->folds);
    json j;
    json_begin(&j, stdout);
    json_text(&j, "file", path);
    json_text(&j, "for", sooth_core_name(s->core));
    json_text(&j, "export", export_words(model, (uint32_t)best->form));
    json_text(&j, "model", s->trial[best->trial].model);
    json_text(&j, "options", s->trial[best->trial].set);
    json_text(&j, "answer", s->trial[best->trial].is_rule ? "rule" : "single");
    json_text(&j, "errors_are", score_figure_name(s->by));
    json_number(&j, "error", error_of(s, s->chosen_anew[s->trial[best->trial].is_rule]));
    json_number(&j, "error_on_folds", best->error);
    if (rule) {
        json_number(&j, "error_of_best_rule", error_of(s, s->chosen_anew[1]));
        json_text(&j, "best_rule", s->trial[rule->trial].model);
    }
    json_count(&j, "folds", s->folds);
    core_cost_json(&j, &s->trial[best->trial].cost[best->form]);
    json_open(&j, "front", '[');
    for (size_t i = 0; i < s->choices; ++i) {
        const choice *c = &s->choice[i];
        if (!c->front) continue;
        json_open(&j, NULL, '{');
        json_text(&j, "model", s->trial[c->trial].model);
        json_text(&j, "options", s->trial[c->trial].set);
        json_text(&j, "form", sooth_core_form_name((uint32_t)c->form));
        json_count(&j, "fits", (size_t)c->fits);
        json_number(&j, "error_on_folds", c->error);
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
    snprintf(name, sizeof name, "%.150s, %u folds of %.100s, chosen anew without each", error_title(s),
             (unsigned)s->folds, folds_of(s));
    score.name = name;
    score.value = error_of(s, s->chosen_anew[s->trial[best->trial].is_rule]);
    recipe.no_card = 0;
    recipe.score = &score;
    recipe.scores = 1;
    const sooth_status status = sooth_train_fit(s->env, &s->d->table, &recipe, &model);
    if (!model) learn_failed(s->d, recipe.model, status, s->env);
    return model;
}

static void refuse_others(const arguments *args) {
    static const char *const others[] = {"model", "set",   "folds",   "tune",     "trials", "metric",
                                         "inner", "outer", "history", "interval", "upper",  "calibrate"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (arguments_has(args, others[i]))
            die(BAD_USE, "--%s does not apply with --budget, which chooses the model", others[i]);
    if (!arguments_has(args, "for"))
        die(BAD_USE, "--budget needs --for CORE: cortex-m0, cortex-m4, avr, rv32 or bpf");
}

int budget_run(sooth_env *env, const arguments *args, const char *path) {
    const char *front = arguments_text(args, "front");
    static search s;
    validation v;
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
    v.by = score_by(args);
    s.by = score_measure(&d, &v, 0);
    s.all = front != NULL;
    for (size_t i = 0; i < d.table.rows; ++i) s.missing |= is_short(&d.table, i);
    add_trials(&s, args);
    for (size_t k = 0; k < s.trials; ++k) {
        cost_all(&s, &s.trial[k]);
        progress_show("what fits", (double)(k + 1) / (double)s.trials);
    }
    if (!s.fitting) nothing_fits(&s);
    const uint32_t seed = (uint32_t)arguments_count(args, "seed", 0, 0, UINT32_MAX);
    each_fold(&s, seed, test_fold);
    if (!(s.weight > 0.0)) die(BAD_INPUT, "%s: all targets are 0, which have no relative error", d.path);
    collect(&s);
    const choice *best = answer_of(&s, seed);
    progress_clear();
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
