/* train/tune.h - searches the best options for a table on folds, and estimates the error without bias.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A trial is a set of options. Each trial is fitted and tested on the same folds of the table, and the one
 * with the lowest error wins. Trial 0 has the given options, so the winner is never worse on the folds. The
 * space defines the other trials. It is a text of names with values to try:
 *
 *   learning_rate=0.01:0.3    a range: of numbers, or of integers if the option is a count. Drawn uniformly,
 *                             from a decade on uniformly in the logarithm; numbers have three digits
 *   loss=squared,absolute     a list
 *
 *   SOOTH_TUNE_RANDOM         `trials` draws from the space (Bergstra, Bengio: Random search for
 *                             hyper-parameter optimization, JMLR 13, 2012). Few options matter, and each draw
 *                             tries a new value of each of them, while a grid repeats values
 *   SOOTH_TUNE_GRID           all combinations of the lists, the last one changing fastest
 *
 * An option's declared range often spans all floats. The space holds the values worth trying. Each kind has a
 * default one: sooth_tune_space.
 *
 * If there are groups, folds consist of whole groups: no program is in both training and test. (Otherwise the
 * search would choose the options that memorise a program best.) Else, if table->time has an order, each fold
 * is tested on rows later than those that it learned from.
 *
 * The winner's error on these folds is too low, because one of many trials is the luckiest. So the search
 * itself is tested by nested cross-validation (Varma, Simon: Bias in error estimation when using
 * cross-validation for model selection, BMC Bioinformatics 7, 2006). Each of `outer` folds is left out in
 * turn. The rest is searched again, from its inner folds to its winner, and the winner predicts the rows left
 * out. The report has this error next to those of the given options and of the median of the training
 * targets, on these rows. A search on all rows that reports the winner's error reports too little.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float x[120], y[120];
 *         static uint32_t program[120];
 *         sooth_train_recipe recipe = {.model = "tree"};
 *         sooth_tune_options options = {.space = "max_depth=1,2,4,8 min_samples_leaf=1,3,9",
 *                                       .method = SOOTH_TUNE_GRID, .outer = 4};
 *         sooth_tune_report report;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (uint32_t i = 0; i < 120; ++i) {           // 12 programs, each with noise of its own
 *             program[i] = i / 10;
 *             x[i] = (float)(i % 10);
 *             y[i] = 20.0f + 5.0f * (x[i] > 4 ? 1.0f : 0.0f) + (float)(i * 7 % 12) / 3.0f;
 *         }
 *         sooth_table table = sooth_table_of(x, y, 120, 1);
 *         table.group = program;
 *         if (sooth_train_tune(&env, &table, &recipe, &options, &recipe, &report) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("max_depth %u, ", recipe.options.tree.max_depth);                //> max_depth 1,
 *         printf("%u trials\n", report.trials);                                   //> 13 trials
 *         printf("%s\n", report.outer < report.outer_given ? "worth it" : "not");  //> worth it
 *         return 0;
 *     }
 *
 * Cost: trials x folds fits. An outer estimate adds `outer` times this number, and two more fits for each
 * outer fold. Each fold fitted at a time needs a copy of the table. If the env provides threads and uses
 * malloc, fits run in parallel. With its own allocator they run one after the other, each with the env's
 * threads. Results do not change.
 */
#if !defined(SOOTH_TRAIN_TUNE_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_TUNE_IMPLEMENTED))
#include "../validation/metrics.h"
#include "../validation/split.h"
#include "fit.h"
#endif

#if !defined(SOOTH_TRAIN_TUNE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_TUNE_H
SOOTHI_C_BEGIN

/* The default space of each kind: X(kind, space). */
#define SOOTH_TUNE_SPACES(X)                                                                              \
    X("linear", "method=ridge lambda=1e-6:1e4")                                                           \
    X("tree", "max_depth=2:20 min_samples_leaf=1:20 min_samples_split=2:20 max_features=0,0.5,0.75")      \
    X("forest", "max_depth=4:30 min_samples_leaf=1:10 max_features=0,0.25,0.5,0.75 splitter=best,random " \
                "no_bootstrap=0,1")                                                                       \
    X("boost", "n_estimators=50:600 learning_rate=0.02:0.3 max_depth=2:9 min_samples_leaf=1:20 "          \
               "lambda=0.01:10 subsample=0.5:1 colsample_bytree=0.5:1")                                   \
    X("mlp", "hidden_1=8:128 hidden_2=0,16,64 activation=relu,tanh,sigmoid learning_rate=0.0003:0.03 "    \
             "weight_decay=0.01:3 batch_size=8,16,32,64")                                                 \
    X("svr", "method=nu nu=0.1:0.9 C=0.1:1000 gamma=0.001:1")                                             \
    X("gauss", "kernel=matern12,matern32,matern52,squared lengths=shared,each")                           \
    X("sofnn", "order=first,zero max_rules=4:32 first_width=0.1:2 widen_factor=1.02:1.5")                 \
    X("scaling", "loss=relative,absolute,log non_negative=0,1")

#define SOOTH_TUNE_MAX_KNOBS 32       /* maximum options in a space */
#define SOOTH_TUNE_MAX_TRIALS 1000000 /* maximum number of trials */

typedef enum sooth_tune_method { SOOTH_TUNE_RANDOM = 0, SOOTH_TUNE_GRID } sooth_tune_method;

/* The metric (validation/metrics.h), over all test rows together; the mean if there are several targets. */
typedef enum sooth_tune_metric {
    SOOTH_TUNE_RMSE = 0,
    SOOTH_TUNE_MAE,
    SOOTH_TUNE_MAPE, /* a fraction */
    SOOTH_TUNE_R2    /* maximised */
} sooth_tune_metric;

typedef struct sooth_tune_options {
    const char *space;          /* "max_depth=2:20 loss=squared,absolute"; NULL means the kind's own */
    uint32_t method;            /* a sooth_tune_method */
    uint32_t metric;            /* a sooth_tune_metric */
    uint32_t trials;            /* draws of random search, not counting trial 0; 0 means 30 */
    uint32_t folds;             /* folds of each trial; 0 means 5; at most the number of groups */
    uint32_t outer;             /* folds of the nested estimate; 0 means none */
    uint32_t seed;              /* of the draws, and of folds of rows */
    const sooth_groups *groups; /* NULL means table->group, or folds of rows if that is NULL */

    /* called after each trial on all rows, in order, with its options and its figure; infinite (minus
       infinite for r2) if the fit failed. May be NULL */
    void (*trial_fn)(void *user, uint32_t trial, const sooth_train_options *options, double figure);
    void *trial_user;
} sooth_tune_options;

/* The result of the search. Figures are in the metric's own unit. */
typedef struct sooth_tune_report {
    uint32_t trials;             /* including trial 0 */
    uint32_t failed;             /* trials that could not be fitted, or whose predictions overflow a float */
    uint32_t chosen;             /* number of the winner; 0 means the given options */
    uint32_t folds, outer_folds; /* as used; fewer than requested if there are fewer groups */
    uint32_t by_group;           /* 1: of whole groups; 0: of rows */
    double inner, inner_given;   /* the winner's figure on the folds, which is too good; the given options'
                                    figure */
    /* on rows outside the search; NaN without an outer estimate */
    double outer, outer_given, outer_median;
} sooth_tune_report;

/* Searches options for the recipe on the table. *tuned becomes the recipe with the winner's options, and the
   kind's name instead of a preset's; it may be the recipe itself. Trial 0 is the given recipe, which also
   sets what the space does not name. The trials are not calibrated. NULL options mean defaults. report may be
   NULL. Trials that cannot be fitted lose; if all fail, their error is returned. env->progress_fn is called
   with "tuning" and may cancel (SOOTH_CANCELLED); env->loss_fn is not called. Returns SOOTH_BAD_ARGUMENT for
   a space that is invalid for the kind, or groups of other rows. Returns SOOTH_BAD_DATA for fewer than 2
   groups, or 3 with an outer estimate, or if the metric is undefined (MAPE of targets that are all 0). *tuned
   is unchanged after a failure. */
SOOTH_API sooth_status sooth_train_tune(sooth_env *env, const sooth_table *table,
                                        const sooth_train_recipe *recipe, const sooth_tune_options *options,
                                        sooth_train_recipe *tuned, sooth_tune_report *report);

/* Returns the space of a kind or a preset of this name; "" if there is none. */
SOOTH_API const char *sooth_tune_space(const char *model);

/* Returns the names and ranges of the options. */
SOOTH_API sooth_option_list sooth_tune_options_list(void);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_TUNE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_TUNE_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_TUNE_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTH_API sooth_option_list sooth_tune_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_CHOICE(sooth_tune_options, method, "random|grid",
                      "random draws, or all combinations of lists"),
        SOOTHI_CHOICE(sooth_tune_options, metric, "rmse|mae|mape|r2", "error to minimise, or R2 to maximise"),
        SOOTHI_COUNT(sooth_tune_options, trials, 1, SOOTH_TUNE_MAX_TRIALS, 30, "draws of random search"),
        SOOTHI_COUNT(sooth_tune_options, folds, 2, 1e6, 5, "folds that each trial is tested on"),
        SOOTHI_COUNT(sooth_tune_options, outer, 2, 1e6, 0, "folds of the nested estimate; 0 means none"),
        SOOTHI_COUNT(sooth_tune_options, seed, 0, 4294967295.0, 0, "of draws and of folds of rows")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API const char *sooth_tune_space(const char *model) {
    static const char space[][2][192] = {
#define SOOTHI_ITEM(name, text) {name, text},
        SOOTH_TUNE_SPACES(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    const char *found = "";
    const sooth_model_kind *kind;
    if (sooth_train_kind_named(NULL, model, &kind) != SOOTH_OK) return found;
    for (size_t i = 0; i < sizeof space / sizeof space[0]; ++i)
        if (soothi_same_text(space[i][0], kind->name)) found = space[i][1];
    return found;
}

/* ---- the space ---- */

/* An option and its values: a range, or a list of texts. */
typedef struct soothi_tune_knob {
    const sooth_option *option;
    const char *text; /* the list, up to a blank or the end */
    uint32_t count;   /* number of list items; 0 means a range */
    double least, most;
} soothi_tune_knob;

typedef struct soothi_tune_plan {
    sooth_tune_options o; /* with defaults filled in */
    const sooth_model_kind *kind;
    sooth_option_list list;    /* of the kind's options */
    sooth_train_recipe recipe; /* trial 0, without a card */
    soothi_tune_knob knob[SOOTH_TUNE_MAX_KNOBS];
    size_t knobs;
    uint32_t trials; /* including trial 0 */
} soothi_tune_plan;

/* Copies the text up to the first of two characters, a blank or the end to word[0..size). Returns its length;
   `size` means too long. */
SOOTHI_LOCAL size_t soothi_tune_word(const char *text, char stop, char *word, size_t size) {
    size_t n = 0;
    while (text[n] && text[n] != ' ' && text[n] != stop) ++n;
    if (n >= size) return size;
    memcpy(word, text, n);
    word[n] = 0;
    return n;
}

/* A written 0 must mean 0, but in an options struct it may mean a default. */
SOOTHI_LOCAL sooth_status soothi_tune_zero(sooth_env *env, const sooth_option *o, double value) {
    if (soothi_abs(value) > 0.0 || o->given || o->type == SOOTH_OPTION_CHOICE) return SOOTH_OK;
    if (!(soothi_abs(o->fallback) > 0.0)) return SOOTH_OK;
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is 0 in the space, but must be above 0 (default %g)",
                      o->name, o->fallback);
}

/* Sets item i of a knob's list in options. */
SOOTHI_LOCAL sooth_status soothi_tune_item(sooth_env *env, const soothi_tune_plan *p,
                                           const soothi_tune_knob *knob, uint32_t i, void *options) {
    const char *text = knob->text;
    char word[64];
    for (; i; ++text) i -= *text == ',';
    if (soothi_tune_word(text, ',', word, sizeof word) == sizeof word)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a value of %s in the space has more than %z characters",
                          knob->option->name, sizeof word - 1);
    return sooth_option_set(env, p->list, options, knob->option->name, word);
}

/* Reads a range, "min:max". */
SOOTHI_LOCAL sooth_status soothi_tune_range(sooth_env *env, soothi_tune_knob *knob) {
    const sooth_option *o = knob->option;
    char low[64], high[64];
    const size_t n = soothi_tune_word(knob->text, ':', low, sizeof low);
    const size_t m = n < sizeof low ? soothi_tune_word(knob->text + n + 1, ' ', high, sizeof high) : 0;
    if (n == 0 || m == 0 || m == sizeof high || sooth_text_to_double(low, n, &knob->least) != n ||
        sooth_text_to_double(high, m, &knob->most) != m || !(knob->least < knob->most) ||
        !soothi_finite(knob->most - knob->least))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the range of %s in the space must be two numbers, the smaller first, as 1:20",
                          o->name);
    if (o->type == SOOTH_OPTION_CHOICE)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s has no range; list its choices: %s", o->name,
                          o->choices);
    if (!(knob->least >= o->least && knob->most <= o->most))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g to %g in the space, but must be %g to %g",
                          o->name, knob->least, knob->most, o->least, o->most);
    if (o->type == SOOTH_OPTION_COUNT &&
        ((double)(uint32_t)knob->least < knob->least || (double)(uint32_t)knob->most < knob->most))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is %g to %g in the space, but must be integers",
                          o->name, knob->least, knob->most);
    return SOOTH_OK;
}

/* Reads a knob's values, which begin at knob->text. */
SOOTHI_LOCAL sooth_status soothi_tune_values(sooth_env *env, soothi_tune_plan *p, soothi_tune_knob *knob) {
    sooth_train_options trial = p->recipe.options;
    sooth_status status = SOOTH_OK;
    const char *c = knob->text;
    for (knob->count = 1; *c && *c != ' ' && *c != ':'; ++c) knob->count += *c == ',';
    if (*c == ':') {
        knob->count = 0;
        if (p->o.method == SOOTH_TUNE_GRID)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "a grid needs lists, as %s=A,B,C, but the space has a range of %s",
                              knob->option->name, knob->option->name);
        status = soothi_tune_range(env, knob);
        return status == SOOTH_OK ? soothi_tune_zero(env, knob->option, knob->least) : status;
    }
    for (uint32_t i = 0; i < knob->count && status == SOOTH_OK; ++i) {
        status = soothi_tune_item(env, p, knob, i, &trial);
        if (status == SOOTH_OK)
            status = soothi_tune_zero(env, knob->option, soothi_option_raw(knob->option, &trial));
    }
    return status;
}

/* Reads the space and counts the trials. */
SOOTHI_LOCAL sooth_status soothi_tune_read(sooth_env *env, soothi_tune_plan *p, const char *text) {
    double trials = 1.0;
    for (p->knobs = 0;;) {
        char name[64];
        soothi_tune_knob *knob = &p->knob[p->knobs];
        while (*text == ' ') ++text;
        if (!*text) break;
        const size_t n = soothi_tune_word(text, '=', name, sizeof name);
        if (n == 0 || n == sizeof name || text[n] != '=')
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the space must be NAME=VALUES NAME=VALUES, as max_depth=2:20, but has %s",
                              n == sizeof name ? "a word of 64 characters" : name);
        if (p->knobs == SOOTH_TUNE_MAX_KNOBS)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the space has more than %z options",
                              (size_t)SOOTH_TUNE_MAX_KNOBS);
        knob->option = soothi_option_named(p->list, name);
        if (!knob->option)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the space has %s, which is not an option of %s", name,
                              p->kind->name);
        for (size_t k = 0; k < p->knobs; ++k)
            if (p->knob[k].option == knob->option)
                return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the space has %s twice", name);
        knob->text = text + n + 1;
        const sooth_status status = soothi_tune_values(env, p, knob);
        if (status != SOOTH_OK) return status;
        trials *= knob->count;
        for (text = knob->text; *text && *text != ' ';) ++text;
        ++p->knobs;
    }
    if (p->knobs == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the space is empty: %s needs options to search",
                          p->kind->name);
    if (p->o.method == SOOTH_TUNE_RANDOM) trials = p->o.trials;
    if (!(trials <= SOOTH_TUNE_MAX_TRIALS))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the grid has %g points, but the maximum is %z", trials,
                          (size_t)SOOTH_TUNE_MAX_TRIALS);
    p->trials = 1 + (uint32_t)trials;
    return SOOTH_OK;
}

/* Checks the options for a recipe. */
SOOTHI_LOCAL sooth_status soothi_tune_plan_make(sooth_env *env, const sooth_train_recipe *recipe,
                                                const sooth_tune_options *options, soothi_tune_plan *p) {
    memset(p, 0, sizeof *p);
    sooth_status status = soothi_options_resolve(env, sooth_tune_options_list(), options, sizeof p->o, &p->o);
    if (status == SOOTH_OK) status = soothi_train_resolve(env, recipe, &p->recipe, &p->kind);
    if (status != SOOTH_OK) return status;
    p->recipe.no_card = 1;
    p->recipe.calibrated = 0;
    p->list = sooth_model_kind_options(p->kind);
    return soothi_tune_read(env, p, p->o.space ? p->o.space : sooth_tune_space(p->kind->name));
}

/* ---- trials ---- */

/* Rounds to three digits: an integer divided or multiplied by a power of ten, the double nearest to its
   text. */
SOOTHI_LOCAL double soothi_tune_round(double v) {
    const double size = soothi_abs(v), sign = v < 0.0 ? -1.0 : 1.0;
    double unit = 1.0;
    if (!(size > 1e-20 && size < 1e20)) return v;
    while (size * unit < 100.0) unit *= 10.0;
    if (unit > 1.0) return sign * (double)(uint32_t)(size * unit + 0.5) / unit;
    while (size / unit >= 1000.0) unit *= 10.0;
    return sign * (double)(uint32_t)(size / unit + 0.5) * unit;
}

/* Maps u of [0, 1) to a range, logarithmic from a decade on. */
SOOTHI_LOCAL double soothi_tune_at(const soothi_tune_knob *knob, double u) {
    const int whole = knob->option->type == SOOTH_OPTION_COUNT;
    const double least = knob->least, end = knob->most + (whole ? 1.0 : 0.0);
    double v;
    if (least > 0.0 && knob->most >= 10.0 * least) {
        const double low = soothi_log(least);
        v = soothi_exp(low + u * (soothi_log(end) - low));
    } else {
        v = least + u * (end - least);
    }
    v = whole ? (double)(uint64_t)v : soothi_tune_round(v);
    return v < least ? least : v > knob->most ? knob->most : v;
}

/* The options of a trial of a plan: draw number `trial`, from its own stream, or that point of the grid. */
SOOTHI_LOCAL void soothi_tune_set(const soothi_tune_plan *p, uint32_t trial, sooth_train_options *out) {
    const uint32_t yes = 1;
    uint32_t rest = trial - 1;
    sooth_rng rng;
    *out = p->recipe.options;
    if (trial == 0) return;
    sooth_rng_init(&rng, p->o.seed, trial);
    for (size_t k = 0; k < p->knobs; ++k) { /* a grid counts with the last digit fastest */
        const int grid = p->o.method == SOOTH_TUNE_GRID;
        const soothi_tune_knob *knob = &p->knob[grid ? p->knobs - 1 - k : k];
        const double u = sooth_rng_double(&rng);
        if (knob->count) {
            soothi_tune_item(NULL, p, knob, grid ? rest % knob->count : (uint32_t)(u * knob->count), out);
            rest /= knob->count;
            continue;
        }
        soothi_option_put(knob->option, out, soothi_tune_at(knob, u));
        if (knob->option->given) memcpy((unsigned char *)out + knob->option->given, &yes, sizeof yes);
    }
}

/* ---- folds ---- */

typedef struct soothi_tune_work {
    soothi_tune_plan plan;
    const sooth_table *table;
    uint32_t by_group;    /* 1: folds of whole groups; 0: of rows */
    sooth_env *host, env; /* the caller's; a local one with the progress of the search */
    double fits, done;    /* in total, and so far */
    sooth_status why;     /* of the first failed trial, */
    char sentence[SOOTH_ENV_SENTENCE];

    /* the current batch of trials on the current folds */
    const sooth_split *split;
    uint32_t first;       /* its first trial */
    size_t tests;         /* test rows of all folds */
    float *predicted;     /* per trial: [test][target], fold after fold */
    sooth_status *status; /* per trial and fold */
} soothi_tune_work;

SOOTHI_LOCAL int soothi_tune_progress(void *user, const char *stage, double done) {
    const soothi_tune_work *w = (const soothi_tune_work *)user;
    (void)stage;
    done = (w->done + done) / w->fits;
    return w->host->progress_fn(w->host->progress_user, "tuning", done < 1.0 ? done : 1.0);
}

/* Number of groups of these rows (NULL means all). */
SOOTHI_LOCAL sooth_status soothi_tune_groups(soothi_tune_work *w, const uint32_t *row, size_t rows,
                                             size_t *groups) {
    soothi_split_work work;
    memset(&work, 0, sizeof work);
    work.options.groups = w->plan.o.groups;
    work.table = w->table;
    work.row = row;
    work.rows = rows;
    sooth_status status = soothi_split_groups(&w->env, &work, &work.capacity);
    if (status == SOOTH_OK) status = soothi_split_scratch(&w->env, &work);
    if (status != SOOTH_OK) return status;
    *groups = soothi_split_memberships(&work);
    sooth_free(&w->env, work.spare, work.capacity, SOOTHI_SPLIT_EACH);
    return SOOTH_OK;
}

/* Distributes the rows, or the training rows of an outer fold, to folds of whole groups, or of rows. */
SOOTHI_LOCAL sooth_status soothi_tune_deal(soothi_tune_work *w, const sooth_split_fold *outer,
                                           uint32_t wanted, sooth_split *split) {
    const uint32_t *row = outer ? outer->train : NULL;
    const size_t rows = outer ? outer->trains : w->table->rows;
    size_t allowed = rows;
    sooth_split_options options;
    memset(split, 0, sizeof *split);
    const sooth_status status = w->by_group ? soothi_tune_groups(w, row, rows, &allowed) : SOOTH_OK;
    if (status != SOOTH_OK) return status;
    if (allowed < 2)
        return sooth_fail(&w->env, SOOTH_BAD_DATA, "tuning needs at least 2 %s%s, but there is %z",
                          w->by_group ? "groups" : "rows", outer ? " outside each outer fold" : "", allowed);
    memset(&options, 0, sizeof options);
    options.method = w->by_group      ? SOOTH_SPLIT_GROUP_KFOLD
                     : w->table->time ? SOOTH_SPLIT_TIME
                                      : SOOTH_SPLIT_KFOLD;
    if (options.method == SOOTH_SPLIT_TIME && allowed > 2) --allowed; /* the first rows only train */
    options.folds = wanted < allowed ? wanted : (uint32_t)allowed;
    options.seed = w->plan.o.seed;
    options.groups = w->plan.o.groups;
    return sooth_split_inner(&w->env, w->table, &options, outer, split);
}

SOOTHI_LOCAL size_t soothi_tune_tests(const sooth_split *split, size_t folds) {
    size_t n = 0;
    for (size_t f = 0; f < folds; ++f) n += split->fold[f].tests;
    return n;
}

/* ---- fitting ---- */

/* Fits the trial to the training rows and predicts the test rows: out[test][target]. */
SOOTHI_LOCAL sooth_status soothi_tune_fit(sooth_env *env, const soothi_tune_work *w,
                                          const sooth_split_fold *fold, uint32_t trial, float *out) {
    enum { BATCH = 64 };
    sooth_train_recipe recipe = w->plan.recipe;
    sooth_model *model = NULL;
    sooth_table train, test;
    soothi_tune_set(&w->plan, trial, &recipe.options);
    sooth_status status = sooth_split_take(env, w->table, fold, &train, &test);
    if (status != SOOTH_OK) return status;
    status = soothi_train_plain(env, &train, &recipe, &model);
    if (status == SOOTH_NOT_CONVERGED && model) status = SOOTH_OK; /* its predictions decide */
    if (status == SOOTH_OK && model->head.targets != train.targets)
        status =
            sooth_fail(env, SOOTH_BAD_ARGUMENT,
                       "the model predicts %u quantiles of one target; to search, give the table a column "
                       "for each",
                       model->head.targets);
    if (status == SOOTH_OK) {
        const size_t room = sooth_model_scratch_size(model, BATCH);
        void *scratch = sooth_alloc(env, room, 1);
        if (scratch) sooth_model_predict_many(model, test.x, test.rows, test.stride, out, scratch, BATCH);
        else status = sooth_no_memory(env, "predicting", room);
        sooth_free(env, scratch, room, 1);
    }
    sooth_model_free(env, model);
    sooth_table_free(env, &test);
    sooth_table_free(env, &train);
    return status;
}

/* The predictions of a trial (of the batch) for fold f. */
SOOTHI_LOCAL float *soothi_tune_place(const soothi_tune_work *w, size_t trial, size_t f) {
    return w->predicted + (trial * w->tests + soothi_tune_tests(w->split, f)) * w->table->targets;
}

SOOTHI_LOCAL void soothi_tune_task(void *arg, size_t i, size_t worker) {
    soothi_tune_work *w = (soothi_tune_work *)arg;
    const size_t trial = i / w->split->folds, f = i % w->split->folds;
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    w->status[i] = soothi_tune_fit(&env, w, &w->split->fold[f], w->first + (uint32_t)trial,
                                   soothi_tune_place(w, trial, f));
}

/* Fits `count` trials on every fold, in parallel if memory comes from malloc. A failed fit is repeated for
   its error message. Ends early only if memory is short or the caller cancels. */
SOOTHI_LOCAL sooth_status soothi_tune_batch(soothi_tune_work *w, uint32_t first, size_t count, int together) {
    const size_t folds = w->split->folds;
    sooth_status status = SOOTH_OK;
    w->first = first;
    if (together) soothi_parallel(&w->env, count * folds, soothi_tune_task, w);
    for (size_t i = 0; i < count * folds && status == SOOTH_OK; ++i, w->done += 1.0) {
        if (together && w->status[i] == SOOTH_OK) continue;
        status = soothi_progress(&w->env, "tuning", 0.0);
        if (status != SOOTH_OK) return status;
        w->status[i] = status =
            soothi_tune_fit(&w->env, w, &w->split->fold[i % folds], first + (uint32_t)(i / folds),
                            soothi_tune_place(w, i / folds, i % folds));
        if (status == SOOTH_OK || status == SOOTH_NO_MEMORY || status == SOOTH_CANCELLED) continue;
        if (w->why == SOOTH_OK) {
            w->why = status;
            memcpy(w->sentence, w->env.sentence, sizeof w->sentence);
        }
        status = SOOTH_OK;
    }
    return status == SOOTH_OK ? soothi_progress(&w->env, "tuning", 0.0) : status;
}

/* ---- errors ---- */

/* The figure of predictions for the tests of a split, the mean over the targets; NaN if undefined. */
SOOTHI_LOCAL double soothi_tune_figure(soothi_tune_work *w, const float *actual, const float *weight,
                                       const float *predicted, size_t tests) {
    const size_t targets = w->table->targets;
    sooth_metrics_options options;
    sooth_metrics m;
    double sum = 0.0;
    memset(&options, 0, sizeof options);
    options.stride = (uint32_t)targets;
    for (size_t i = 0; i < tests * targets; ++i) /* the largest float represents overflow */
        if (!(predicted[i] > -FLT_MAX && predicted[i] < FLT_MAX)) return (double)soothi_missing();
    for (size_t t = 0; t < targets; ++t) {
        if (sooth_metrics_compute(NULL, actual + t, predicted + t, weight, tests, &options, &m) != SOOTH_OK)
            return (double)soothi_missing();
        sum += w->plan.o.metric == SOOTH_TUNE_MAE    ? m.mae
               : w->plan.o.metric == SOOTH_TUNE_MAPE ? m.mape
               : w->plan.o.metric == SOOTH_TUNE_R2   ? m.r2
                                                     : m.rmse;
    }
    return sum / (double)targets;
}

/* Gets the measurements in the tests of a split, and their weights (may be NULL). */
SOOTHI_LOCAL void soothi_tune_actual(const soothi_tune_work *w, const sooth_split *split, float *actual,
                                     float *weight) {
    const size_t targets = w->table->targets;
    size_t n = 0;
    for (size_t f = 0; f < split->folds; ++f)
        for (size_t i = 0; i < split->fold[f].tests; ++i, ++n) {
            const size_t row = split->fold[f].test[i];
            memcpy(actual + n * targets, w->table->y + row * targets, targets * sizeof *actual);
            if (weight) weight[n] = w->table->weight[row];
        }
}

/* ---- the search ---- */

/* The result of a search: the best trial, its figure, and that of trial 0. */
typedef struct soothi_tune_found {
    uint32_t trial, failed;
    double figure, given;
} soothi_tune_found;

SOOTHI_LOCAL void soothi_tune_judge(soothi_tune_work *w, const float *actual, const float *weight,
                                    size_t count, int tell, soothi_tune_found *best) {
    const int up = w->plan.o.metric == SOOTH_TUNE_R2;
    for (size_t k = 0; k < count; ++k) {
        const uint32_t trial = w->first + (uint32_t)k;
        const float *predicted = w->predicted + k * w->tests * w->table->targets;
        double figure = (double)soothi_missing();
        int fitted = 1;
        for (size_t f = 0; f < w->split->folds; ++f) fitted &= w->status[k * w->split->folds + f] == SOOTH_OK;
        if (fitted) figure = soothi_tune_figure(w, actual, weight, predicted, w->tests);
        if (soothi_nan(figure)) figure = up ? -SOOTHI_INFINITE : SOOTHI_INFINITE;
        best->failed += !soothi_finite(figure);
        if (trial == 0) best->given = figure;
        if (up ? figure > best->figure : figure < best->figure) {
            best->figure = figure;
            best->trial = trial;
        }
        if (tell && w->plan.o.trial_fn) {
            sooth_train_options options;
            soothi_tune_set(&w->plan, trial, &options);
            w->plan.o.trial_fn(w->plan.o.trial_user, trial, &options, figure);
        }
    }
}

SOOTHI_LOCAL sooth_status soothi_tune_try(soothi_tune_work *w, const sooth_split *split, int tell,
                                          soothi_tune_found *best) {
    const int together = w->env.parallel_fn && !w->env.alloc_fn;
    const size_t targets = w->table->targets, tests = soothi_tune_tests(split, split->folds);
    size_t most = together ? (8 * soothi_workers(&w->env) + split->folds - 1) / split->folds : 1, count;
    if (most > w->plan.trials) most = w->plan.trials;
    const size_t floats = soothi_product(tests, targets * (most + 1) + 1), states = most * split->folds;
    float *actual = (float *)sooth_alloc(&w->env, floats, sizeof *actual);
    w->status = (sooth_status *)sooth_alloc(&w->env, states, sizeof *w->status);
    sooth_status status = SOOTH_OK;
    memset(best, 0, sizeof *best);
    best->figure = w->plan.o.metric == SOOTH_TUNE_R2 ? -SOOTHI_INFINITE : SOOTHI_INFINITE;
    if (!actual || !w->status) {
        status =
            sooth_no_memory(&w->env, "the predictions of a trial", soothi_product(floats, sizeof(float)));
    } else {
        float *weight = w->table->weight ? actual + tests * targets : NULL;
        w->split = split;
        w->tests = tests;
        w->predicted = actual + tests * (targets + 1);
        w->why = SOOTH_OK;
        soothi_tune_actual(w, split, actual, weight);
        for (uint32_t trial = 0; trial < w->plan.trials && status == SOOTH_OK; trial += (uint32_t)count) {
            count = w->plan.trials - trial < most ? w->plan.trials - trial : most;
            status = soothi_tune_batch(w, trial, count, together);
            if (status == SOOTH_OK) soothi_tune_judge(w, actual, weight, count, tell, best);
        }
    }
    sooth_free(&w->env, w->status, states, sizeof *w->status);
    sooth_free(&w->env, actual, floats, sizeof *actual);
    if (status != SOOTH_OK || soothi_finite(best->figure)) return status;
    if (w->why != SOOTH_OK) return sooth_fail(&w->env, w->why, "%s", w->sentence);
    return sooth_fail(&w->env, SOOTH_BAD_DATA,
                      "no trial has a finite error: the targets or predictions leave the metric undefined");
}

/* Makes folds of all rows or of an outer fold's training rows, and searches on them. */
SOOTHI_LOCAL sooth_status soothi_tune_search(soothi_tune_work *w, const sooth_split_fold *outer,
                                             size_t *folds, soothi_tune_found *best) {
    sooth_split split;
    sooth_status status = soothi_tune_deal(w, outer, w->plan.o.folds, &split);
    if (status != SOOTH_OK) return status;
    *folds = split.folds;
    status = soothi_tune_try(w, &split, !outer, best);
    sooth_split_free(&w->env, &split);
    return status;
}

/* ---- the nested estimate ---- */

/* The weighted median of the targets of the training rows. `entry`: two for each row. */
SOOTHI_LOCAL float soothi_tune_median(const soothi_tune_work *w, const sooth_split_fold *fold, size_t target,
                                      uint64_t *entry) {
    const sooth_table *table = w->table;
    double whole = 0.0, sum = 0.0;
    float median = 0.0f;
    size_t i;
    for (i = 0; i < fold->trains; ++i) {
        const size_t row = fold->train[i];
        entry[i] = soothi_entry(table->y[row * table->targets + target], row);
        whole += table->weight ? (double)table->weight[row] : 1.0;
    }
    soothi_entry_sort(entry, entry + fold->trains, fold->trains);
    for (i = 0; i < fold->trains && sum < whole / 2.0; ++i) {
        const size_t row = soothi_entry_row(entry[i]);
        sum += table->weight ? (double)table->weight[row] : 1.0;
        median = table->y[row * table->targets + target];
    }
    if (i < fold->trains && sum <= whole / 2.0)
        median = median / 2.0f + table->y[soothi_entry_row(entry[i]) * table->targets + target] / 2.0f;
    return median;
}

/* One outer fold: predictions of the winner in to[0], of the given options in to[1], the median in to[2]. */
SOOTHI_LOCAL sooth_status soothi_tune_outer_fold(soothi_tune_work *w, const sooth_split_fold *fold,
                                                 uint64_t *entry, float *const to[3]) {
    const size_t targets = w->table->targets;
    soothi_tune_found best;
    size_t folds;
    sooth_status status = soothi_tune_search(w, fold, &folds, &best);
    for (int given = 0; given < 2 && status == SOOTH_OK; ++given, w->done += 1.0) {
        status = soothi_tune_fit(&w->env, w, fold, given ? 0 : best.trial, to[given]);
        if (!given || status == SOOTH_OK || status == SOOTH_NO_MEMORY || status == SOOTH_CANCELLED) continue;
        for (size_t i = 0; i < fold->tests * targets; ++i) to[1][i] = soothi_missing(); /* all missing */
        status = SOOTH_OK;
    }
    for (size_t t = 0; t < targets && status == SOOTH_OK; ++t) {
        const float median = soothi_tune_median(w, fold, t, entry);
        for (size_t i = 0; i < fold->tests; ++i) to[2][i * targets + t] = median;
    }
    return status;
}

SOOTHI_LOCAL sooth_status soothi_tune_outer(soothi_tune_work *w, const sooth_split *split,
                                            sooth_tune_report *r) {
    const size_t targets = w->table->targets, tests = soothi_tune_tests(split, split->folds);
    const size_t floats = soothi_product(tests, 4 * targets + 1), entries = soothi_product(2, w->table->rows);
    uint64_t *entry = (uint64_t *)sooth_alloc(&w->env, entries, sizeof *entry);
    float *actual = (float *)sooth_alloc(&w->env, floats, sizeof *actual);
    sooth_status status = SOOTH_OK;
    if (!entry || !actual)
        status = sooth_no_memory(&w->env, "an outer estimate", soothi_product(floats, sizeof *actual));
    for (size_t f = 0; f < split->folds && status == SOOTH_OK; ++f) {
        float *const first = actual + (tests + soothi_tune_tests(split, f)) * targets;
        float *const to[3] = {first, first + tests * targets, first + 2 * tests * targets};
        status = soothi_tune_outer_fold(w, &split->fold[f], entry, to);
    }
    if (status == SOOTH_OK) {
        float *weight = w->table->weight ? actual + 4 * tests * targets : NULL;
        soothi_tune_actual(w, split, actual, weight);
        r->outer = soothi_tune_figure(w, actual, weight, actual + tests * targets, tests);
        r->outer_given = soothi_tune_figure(w, actual, weight, actual + 2 * tests * targets, tests);
        r->outer_median = soothi_tune_figure(w, actual, weight, actual + 3 * tests * targets, tests);
    }
    sooth_free(&w->env, actual, floats, sizeof *actual);
    sooth_free(&w->env, entry, entries, sizeof *entry);
    return status;
}

/* ---- main function ---- */

SOOTHI_LOCAL sooth_status soothi_tune_run(soothi_tune_work *w, sooth_train_options *chosen,
                                          sooth_tune_report *r) {
    const double trials = w->plan.trials, folds = w->plan.o.folds;
    soothi_tune_found best;
    sooth_split outer;
    size_t inner = 0;
    sooth_status status = SOOTH_OK;
    memset(&outer, 0, sizeof outer);
    if (w->plan.o.outer) status = soothi_tune_deal(w, NULL, w->plan.o.outer, &outer);
    w->fits = trials * folds * (1.0 + (double)outer.folds) + 2.0 * (double)outer.folds;
    if (status == SOOTH_OK) status = soothi_tune_search(w, NULL, &inner, &best);
    if (status == SOOTH_OK && w->plan.o.outer) status = soothi_tune_outer(w, &outer, r);
    if (status == SOOTH_OK) {
        soothi_tune_set(&w->plan, best.trial, chosen);
        r->trials = w->plan.trials;
        r->failed = best.failed;
        r->chosen = best.trial;
        r->folds = (uint32_t)inner;
        r->outer_folds = (uint32_t)outer.folds;
        r->by_group = w->by_group;
        r->inner = best.figure;
        r->inner_given = best.given;
    }
    sooth_split_free(&w->env, &outer);
    return status;
}

SOOTH_API sooth_status sooth_train_tune(sooth_env *env, const sooth_table *table,
                                        const sooth_train_recipe *recipe, const sooth_tune_options *options,
                                        sooth_train_recipe *tuned, sooth_tune_report *report) {
    sooth_tune_report unread, *r = report ? report : &unread;
    sooth_train_recipe own = *recipe;
    soothi_tune_work w;
    memset(r, 0, sizeof *r);
    r->inner = r->inner_given = r->outer = r->outer_given = r->outer_median = (double)soothi_missing();
    memset(&w, 0, sizeof w);
    sooth_status status = sooth_table_check(
        env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status == SOOTH_OK) status = soothi_train_check_categories(env, table, recipe);
    if (status == SOOTH_OK) status = soothi_tune_plan_make(env, recipe, options, &w.plan);
    if (status != SOOTH_OK) return status;
    w.table = table;
    w.by_group = w.plan.o.groups || table->group;
    sooth_env_init(&w.env);
    if (env) w.env = *env;
    w.host = env;
    w.env.loss_fn = NULL;
    w.env.reduce_fn = NULL;
    if (w.env.progress_fn) w.env.progress_fn = soothi_tune_progress;
    w.env.progress_user = &w;
    status = soothi_tune_run(&w, &own.options, r);
    if (status != SOOTH_OK && env) memcpy(env->sentence, w.env.sentence, sizeof env->sentence);
    own.model = w.plan.kind->name;
    if (status == SOOTH_OK) *tuned = own;
    return status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
