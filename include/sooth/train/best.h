/* train/best.h - chooses models and their weights by held-out rows, so that nobody has to name a model.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * `sooth fit`, or a recipe with the model "best". Candidates are rules (the median, that of each category,
 * the mean, a linear model, a power law, a law of threads), and then learners with settings that did well on
 * most of the tables that they were tried on: SOOTH_BEST_CANDIDATES. If every target is above 0 and the
 * largest is three times the smallest or more, most are tried with the logarithm of the target, too.
 *
 *   1. Five folds are held out in turn, of whole groups if the table has groups, else of shuffled rows. Every
 *      candidate is fitted without the fold and predicts it. Transforms and statistics of levels are fitted
 *      inside the fold. Below 100 rows this is repeated four times with other folds. With an order of time
 *      (table->time, or encode=target-in-time), the folds are five of six parts of the table, each predicted
 *      from the rows before it, whatever their group, and bounded by their range. A part counts twice as
 *      much as the part before it, since what comes is more like what was last: on traces of LLM serving the
 *      errors of the next rows fall by a fifth (geometric mean of six; from 33 to 17 s where a queue grows).
 *   2. Greedy selection (Caruana, Niculescu-Mizil, Crew, Ksikes: Ensemble selection from libraries of models,
 *      ICML 2004): 40 times, the candidate whose addition lowers the error most is added to the average. One
 *      may be added again, which is its weight. Relative errors of positive targets are averaged on
 *      logarithms.
 *   3. The average and the best rule are each chosen without a fold and predict it, for every fold (Varma,
 *      Simon: Bias in error estimation when using cross-validation for model selection, BMC Bioinformatics 7,
 *      2006). The answer is the mixture of them, in eighths, with the least error. If the rule's error is at
 *      most half a standard error above that, the rule answers. If whole groups are held out, the average has
 *      the least share whose error is at most one standard error above, as Breiman, Friedman, Olshen and
 *      Stone choose a tree (1984, section 3.4): the standard error of the differences of groups, so few
 *      groups that disagree leave most to the rule. On six sets of 6 to 374 programs (26 draws) the mixture
 *      has 0.64 of the rule's error on programs left out and at most 1.00; with half a standard error 0.64
 *      and 1.07, without a margin 0.65 and 1.24. Fewer than five groups cannot tell a learner from a rule,
 *      and the rule answers: learners that two groups had chosen were off by 31 % on new ones, and stated 17.
 *   4. The members are fitted to all rows. A member that is off on these rows by more than twice its held-out
 *      error is left out.
 *
 * The nearest row, a line of one column and the median of each value of a column are rules of the command
 * `sooth validate`, but no candidates. On programs left out the error with them is 1.01, 1.02 and 1.00 times
 * that without (seven sets, geometric means; at most 1.15): such a rule wins on some programs by chance. On
 * single rows it is 1.00 to 1.02 times that, and on traces in the order of time 0.7 to 2.6 times.
 *
 * Of later rows the list of candidates also has the error of the last two targets before each row, of its
 * group if there are groups: SOOTH_BEST_LAST_TWO. They are no function of a row, so they never answer. A
 * program that knows them in time does well to add them as a column: on six sets of two traces of LLM serving
 * a column of their mean lowers the error by 1 to 10 %.
 *
 * Learners of numbers cannot be fitted to rows with missing values, and are left out if a training row has
 * one. If only later rows do, the members that can take the value answer: see model/best.h.
 *
 * The number of fits is folds x repeats x candidates, and one for each member. env->progress_fn is called
 * with a stage that states the number. It depends on rows, columns, targets and options, never on a clock.
 * The bytes are the same with any number of threads. model/best.h has the options.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/train.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static float x[40], y[40];
 *         const sooth_best_options options = {.effort = SOOTH_BEST_LOW, .error = SOOTH_BEST_RMSE};
 *         const float row = 50.0f;
 *         sooth_best *best;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (int i = 0; i < 40; ++i) y[i] = 3.0f + 2.0f * (x[i] = (float)(i * 7 % 40));
 *         sooth_table table = sooth_table_of(x, y, 40, 1);
 *         if (sooth_best_fit(&env, &table, &options, &best) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.1f, ", (double)sooth_best_predict(best, &row));             //> 103.0,
 *         printf("%s\n", best->verdict == SOOTH_BEST_RULE ? "by a rule" : "");  //> by a rule
 *         sooth_best_free(&env, best);
 *         return 0;
 *     }
 *
 * Cost: with medium effort 3,000 rows of 8 columns take about 20 seconds of one core, 300 rows 3, 72 rows of
 * 16 columns 7.
 * Memory: 4 bytes for each row, repeat and candidate, a copy of the table for each fold fitted at a time, and
 * the models. With threads and malloc the folds of a candidate are fitted in parallel.
 */
#if !defined(SOOTH_TRAIN_BEST_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_BEST_IMPLEMENTED))
#include "recipe.h"
#endif

#if !defined(SOOTH_TRAIN_BEST_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_BEST_H
SOOTHI_C_BEGIN

/* The candidates, the simpler ones first: X(recipe, rule, effort, log, least_rows, most_rows, most_columns,
   reason). Limits of HIGH effort are twice as large.
     rule    1: a rule, to which learners are compared
     effort  a sooth_best_effort, the least that it is tried with: LOW, then MEDIUM, then HIGH
     log     1: also with the logarithm of the target, transform=log-target
   A limit of 0 means none. */
#define SOOTH_BEST_CANDIDATES(X)                                                                          \
    X("median", 1, LOW, 0, 0, 0, 0, "of the targets")                                                     \
    X("median of each category", 1, LOW, 0, 0, 0, 0, "if columns are categories; numbers are not used")   \
    X("mean", 1, LOW, 0, 0, 0, 0, "of the targets")                                                       \
    X("linear", 1, LOW, 1, 0, 0, 1000, "least squares; on logarithms a product of exponentials")          \
    X("linear transform=log,none,log-target", 1, LOW, 0, 0, 0, 1000, "a power law")                       \
    X("scaling law=amdahl", 1, LOW, 0, 0, 0, 1, "a serial and a parallel part, if the column is threads") \
    X("scaling law=usl", 1, LOW, 0, 0, 0, 1, "Gunther's law, if the column is threads")                   \
    X("scaling law=time", 1, LOW, 0, 0, 0, 2, "De Sensi 2016, if the columns are threads and frequency")  \
    X("linear products=1 transform=clip", 0, LOW, 1, 6, 5000, 30, "squares and products of columns")      \
    X("tree", 0, MEDIUM, 1, 0, 0, 0, "best on tables without noise")                                      \
    X("extratrees", 0, LOW, 1, 0, 20000, 0, "Geurts, Ernst, Wehenkel 2006")                               \
    X("xgboost", 0, MEDIUM, 1, 0, 0, 0, "XGBoost's own defaults: few deep trees")                         \
    X("boost", 0, LOW, 1, 0, 0, 0, "500 small steps")                                                     \
    X("boost grow_policy=symmetric n_estimators=600 learning_rate=0.09 max_depth=7 subsample=0.9", 0,     \
      MEDIUM, 1, 0, 20000, 0, "the best trees on configurable software")                                  \
    X("svr", 0, MEDIUM, 1, 0, 4000, 1000, "support vectors")                                              \
    X("mlp", 0, MEDIUM, 1, 20, 10000, 200, "a network of 64 and 64 neurons")                              \
    X("gauss no_deviation=1", 0, MEDIUM, 1, 3, 150, 50,                                                   \
      "a length for each column; a search from one start may miss it")                                    \
    X("gauss no_deviation=1 starts=1 max_iter=32 learn_rows=400", 0, MEDIUM, 1, 151, 4000, 50,            \
      "the same for more rows, where one start finds it")                                                 \
    X("gauss kernel=matern52 no_deviation=1", 0, HIGH, 1, 3, 1000, 50, "smoother")                        \
    X("forest", 0, HIGH, 1, 0, 50000, 0, "Breiman 2001")                                                  \
    X("catboost", 0, HIGH, 1, 0, 20000, 0, "CatBoost's own defaults")                                     \
    X("sofnn", 0, HIGH, 0, 20, 3000, 50, "fuzzy rules")

/* Fits a best to a table with one target; see the top of this file. Columns of categories are natively split
   or refused by its candidates, since a dictionary is a part of a recipe: sooth_train_fit encodes them.
   Returns SOOTH_BAD_ARGUMENT for several targets and invalid options, SOOTH_BAD_DATA if no candidate can be
   fitted. Reports progress and can be cancelled. */
SOOTH_API sooth_status sooth_best_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_best_options *options, sooth_best **best);

SOOTHI_C_END
#endif /* SOOTH_TRAIN_BEST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TRAIN_BEST_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TRAIN_BEST_IMPLEMENTED
SOOTHI_C_BEGIN

/* train/fit.h has it; members are not of the kind best. */
SOOTHI_LOCAL sooth_status soothi_train_plain(sooth_env *env, const sooth_table *table,
                                             const sooth_train_recipe *recipe, sooth_model **model);

enum {
    SOOTHI_BEST_FOLDS = 5,
    SOOTHI_BEST_STEPS = 40, /* of the greedy selection */
    SOOTHI_BEST_FEW = 100,  /* rows below which the folds are repeated */
    SOOTHI_BEST_REPEATS = 4,
    SOOTHI_BEST_GROUPS = 5,      /* of fewer groups the rule answers */
    SOOTHI_BEST_SHARES = 8,      /* a learner's weight beside the rule is a multiple of one eighth */
    SOOTHI_BEST_CHOOSERS = 4000, /* rows that choose, at most; more would not change the choice */
    SOOTHI_BEST_BATCH = 64,      /* rows that are predicted together */
    SOOTHI_BEST_STAGE = 40       /* characters of the stage that is reported */
};

#define SOOTHI_BEST_CATEGORY "median of each category"
#define SOOTHI_BEST_MARGIN 0.5              /* standard errors, of rows */
#define SOOTHI_BEST_GROUP_MARGIN 1.0        /* of whole groups */
#define SOOTHI_BEST_LEAST 0.02              /* the weight of a member */
#define SOOTHI_BEST_NEVER SOOTHI_TIME_FIRST /* the fold of rows that are not held out */

typedef struct soothi_best_source {
    char words[96];
    uint32_t rule, effort, log, least_rows, most_rows, most_columns;
} soothi_best_source;

/* A candidate: a line of SOOTH_BEST_CANDIDATES, perhaps with the logarithm of the target. */
typedef struct soothi_best_tried {
    char text[128]; /* its recipe */
    uint32_t is_rule, failed;
    double error; /* over all held-out rows */
} soothi_best_tried;

typedef struct soothi_best_work {
    const sooth_table *table;
    const sooth_train_recipe *recipe; /* of the best: levels and how they are encoded */
    sooth_best_options o;
    uint32_t error, geometric, held; /* held: see sooth_best */
    uint32_t categories;             /* 1: there is a column of categories */
    float low, high, least, most;    /* of the targets: see sooth_best; their range */
    double from[SOOTHI_BEST_FOLDS];  /* the bounds of the predictions of each fold, or their logarithms */
    double to[SOOTHI_BEST_FOLDS];
    double worth[SOOTHI_BEST_FOLDS]; /* weight of a row by its fold: 1, or 2^fold for later rows */
    size_t units, folds, repeats, candidates, fits, done;
    soothi_best_tried tried[SOOTH_BEST_MAX_CANDIDATES];
    uint64_t *entry;      /* 2 x rows */
    uint32_t *unit;       /* of each row: its group, or itself */
    uint32_t *order;      /* of the units */
    uint32_t *load;       /* rows of each unit */
    uint32_t *fold;       /* repeats x rows */
    uint32_t *item;       /* repeats x rows: those that choose, by repeat x rows + row */
    double *sum;          /* repeats x rows: the average so far, times its steps */
    float *predicted;     /* candidates x repeats x rows, not bounded; logarithms if geometric */
    float *nested;        /* 3 x repeats x rows: by each answer, chosen without the row's fold */
    float *mixed;         /* 2 x repeats x rows: by a mixture of the rule and a learner */
    double *of_unit;      /* units: a sum */
    sooth_status *status; /* of each fit of a candidate */
    soothi_carver room;
    char stage[SOOTHI_BEST_STAGE];
    sooth_env *env; /* the caller's */
    size_t candidate;
} soothi_best_work;

/* ---- candidates ---- */

SOOTHI_LOCAL const soothi_best_source *soothi_best_sources(size_t *count) {
    static const soothi_best_source source[] = {
#define SOOTHI_ITEM(words, rule, effort, log, least_rows, most_rows, most_columns, reason) \
    {words, rule, SOOTH_BEST_##effort, log, least_rows, most_rows, most_columns},
        SOOTH_BEST_CANDIDATES(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    *count = sizeof source / sizeof *source;
    return source;
}

SOOTHI_LOCAL uint32_t soothi_best_rank(uint32_t effort) {
    return effort == SOOTH_BEST_LOW ? 0 : effort == SOOTH_BEST_MEDIUM ? 1 : 2;
}

SOOTHI_LOCAL int soothi_best_wanted(const soothi_best_work *w, const soothi_best_source *s) {
    const size_t times = w->o.effort == SOOTH_BEST_HIGH ? 2 : 1;
    return soothi_best_rank(s->effort) <= soothi_best_rank(w->o.effort) && w->table->rows >= s->least_rows &&
           (s->most_rows == 0 || w->table->rows <= times * s->most_rows) &&
           (s->most_columns == 0 || w->table->cols <= s->most_columns) &&
           (w->categories || !soothi_same_text(s->words, SOOTHI_BEST_CATEGORY));
}

/* The recipe of a candidate, on the levels of the best's recipe. Kinds without sets of levels get statistics
   of the levels if there is a dictionary. */
SOOTHI_LOCAL sooth_status soothi_best_recipe(const soothi_best_work *w, const char *text,
                                             sooth_train_recipe *recipe) {
    const sooth_model_kind *kind;
    const int by_category = soothi_same_text(text, SOOTHI_BEST_CATEGORY);
    char seed[SOOTH_TEXT_NUMBER_SIZE];
    if (soothi_same_text(text, "median")) text = "tree criterion=absolute min_samples_leaf=2147483647";
    else if (by_category) text = "tree criterion=absolute";
    else if (soothi_same_text(text, "mean")) text = "tree min_samples_leaf=2147483647";
    sooth_status status = sooth_train_recipe_read(NULL, text, soothi_text_length(text), recipe);
    if (status == SOOTH_OK) status = sooth_train_kind_named(NULL, recipe->model, &kind);
    if (status != SOOTH_OK) return status;
    sooth_text_format(seed, sizeof seed, "%u", w->o.seed);
    sooth_train_recipe_set(NULL, recipe, "seed", seed);
    recipe->no_card = 1;
    recipe->levels = w->recipe->levels;
    recipe->encode = by_category ? (uint32_t)SOOTH_TRAIN_ENCODE_NATIVE : w->recipe->encode;
    recipe->encoding = w->recipe->encoding;
    if (recipe->encode == SOOTH_TRAIN_ENCODE_NATIVE && recipe->levels &&
        (kind->kind == SOOTH_KIND_LINEAR || kind->transform != SOOTH_SCALE_NONE))
        recipe->encode = SOOTH_TRAIN_ENCODE_TARGET;
    return SOOTH_OK;
}

/* Copies the table without its numbers, which become 0. */
SOOTHI_LOCAL sooth_status soothi_best_categories(sooth_env *env, const sooth_table *table,
                                                 sooth_table *copy) {
    float *x = (float *)sooth_alloc(env, soothi_product(table->rows, table->cols), sizeof *x);
    *copy = *table;
    if (!x) return sooth_no_memory(env, "the categories", table->rows * table->cols * sizeof *x);
    for (size_t i = 0; i < table->rows; ++i)
        for (size_t j = 0; j < table->cols; ++j)
            x[i * table->cols + j] = table->categorical[j] ? table->x[i * table->stride + j] : 0.0f;
    copy->x = x;
    copy->stride = table->cols;
    return SOOTH_OK;
}

/* Fits a candidate to these rows. Fails if it could not be a member, which has limits of its own. */
SOOTHI_LOCAL sooth_status soothi_best_learn(sooth_env *env, const soothi_best_work *w, size_t candidate,
                                            const sooth_table *table, sooth_model **model) {
    const char *text = w->tried[candidate].text;
    sooth_table rows = *table;
    sooth_train_recipe recipe;
    *model = NULL;
    sooth_status status = soothi_best_recipe(w, text, &recipe);
    if (status != SOOTH_OK) return status;
    if (soothi_same_text(text, SOOTHI_BEST_CATEGORY)) status = soothi_best_categories(env, table, &rows);
    if (status == SOOTH_OK) status = soothi_train_plain(env, &rows, &recipe, model);
    if (status == SOOTH_NOT_CONVERGED && *model) status = SOOTH_OK; /* its predictions decide */
    if (rows.x != table->x)
        sooth_free(env, (void *)(uintptr_t)rows.x, table->rows * table->cols, sizeof(float));
    if (*model && !soothi_model_member_check(*model, (*model)->head.size, (uint32_t)table->cols)) {
        sooth_model_free(env, *model);
        *model = NULL;
        status = SOOTH_BAD_DATA;
    }
    return status;
}

SOOTHI_LOCAL int soothi_best_ends_in_clip(const char *words) {
    const size_t size = soothi_text_length(words), own = sizeof "transform=clip" - 1;
    return size > own && soothi_same_text(words + size - own, "transform=clip");
}

SOOTHI_LOCAL void soothi_best_add(soothi_best_work *w, const soothi_best_source *s, int log) {
    soothi_best_tried *t = &w->tried[w->candidates];
    if (w->candidates == SOOTH_BEST_MAX_CANDIDATES) return;
    memset(t, 0, sizeof *t);
    t->is_rule = s->rule;
    sooth_text_format(t->text, sizeof t->text, "%s%s", s->words,
                      !log                                 ? ""
                      : soothi_best_ends_in_clip(s->words) ? ",log-target"
                                                           : " transform=log-target");
    ++w->candidates;
}

SOOTHI_LOCAL void soothi_best_list(soothi_best_work *w) {
    const int wide = w->least > 0.0f && w->most / 3.0f >= w->least;
    size_t count;
    const soothi_best_source *s = soothi_best_sources(&count);
    for (; count; --count, ++s) {
        if (!soothi_best_wanted(w, s)) continue;
        soothi_best_add(w, s, 0);
        if (s->log && wide) soothi_best_add(w, s, 1);
    }
}

/* ---- folds ---- */

/* Numbers the groups of the rows from 0 in the order of their ids. Returns their number; 0 without groups. */
SOOTHI_LOCAL size_t soothi_best_number_groups(const soothi_best_work *w, uint32_t *number) {
    const size_t n = w->table->rows;
    const uint32_t *group = w->table->group;
    size_t groups = 0;
    for (size_t i = 0; group && i < n; ++i) w->entry[i] = (uint64_t)group[i] << 32 | i;
    if (group) soothi_entry_sort(w->entry, w->entry + n, n);
    for (size_t i = 0; group && i < n; ++i) {
        groups += i == 0 || soothi_entry_key(w->entry[i]) != soothi_entry_key(w->entry[i - 1]);
        number[soothi_entry_row(w->entry[i])] = (uint32_t)(groups - 1);
    }
    return groups;
}

/* Numbers the units: the groups, or else the rows. */
SOOTHI_LOCAL void soothi_best_number_units(soothi_best_work *w) {
    const size_t n = w->table->rows;
    w->units = soothi_best_number_groups(w, w->unit);
    w->held = w->table->time || w->recipe->encoding.in_time ? 2 : w->units > 1;
    for (size_t i = 0; w->held != 1 && i < n; ++i) w->unit[i] = (uint32_t)i;
    if (w->held != 1) w->units = n;
}

/* Cuts rows in the order of time into equal parts. The first is in no fold; each other is one. */
SOOTHI_LOCAL void soothi_best_deal_later(soothi_best_work *w) {
    const size_t step = w->table->rows / (w->folds + 1);
    w->folds = soothi_time_parts(w->table, w->entry, step, step, w->folds, w->fold);
}

/* Shuffles the units, and gives each to the fold with the fewest rows so far. */
SOOTHI_LOCAL void soothi_best_deal(soothi_best_work *w, size_t repeat) {
    const size_t n = w->table->rows;
    uint32_t *fold = w->fold + repeat * n, rows[SOOTHI_BEST_FOLDS];
    uint32_t *of_unit = (uint32_t *)(void *)w->entry;
    sooth_rng rng;
    memset(rows, 0, sizeof rows);
    memset(w->load, 0, w->units * sizeof *w->load);
    for (size_t i = 0; i < n; ++i) ++w->load[w->unit[i]];
    for (size_t u = 0; u < w->units; ++u) w->order[u] = (uint32_t)u;
    sooth_rng_init(&rng, w->o.seed, 0xBE57u + repeat);
    sooth_rng_shuffle(&rng, w->order, w->units);
    for (size_t u = 0; u < w->units; ++u) {
        uint32_t least = 0;
        for (uint32_t f = 1; f < w->folds; ++f)
            if (rows[f] < rows[least]) least = f;
        of_unit[w->order[u]] = least;
        rows[least] += w->load[w->order[u]];
    }
    for (size_t i = 0; i < n; ++i) fold[i] = of_unit[w->unit[i]];
}

/* ---- predictions of held-out rows ---- */

/* The least prediction of a candidate that answers alone. A rule that is above 0 by its form, such as a power
   law, may extrapolate below the range of the targets; a line that crosses 0 has no logarithm. */
SOOTHI_LOCAL float soothi_best_least(const soothi_best_work *w, const soothi_best_tried *t) {
    static const char law[] = "scaling ", end[] = "log-target";
    const size_t size = soothi_text_length(t->text);
    const int is_law = size >= sizeof law && soothi_same_chars(t->text, law, sizeof law - 1);
    const int is_log = size >= sizeof end && soothi_same_text(t->text + size - (sizeof end - 1), end);
    if (!w->geometric) return -FLT_MAX;
    return t->is_rule && (is_law || is_log) ? FLT_MIN : w->low;
}

/* Predicts rows by a fitted candidate; the result is finite, or 0 is returned. */
SOOTHI_LOCAL sooth_status soothi_best_predict_rows(sooth_env *env, const soothi_best_work *w,
                                                   size_t candidate, const sooth_model *model,
                                                   const sooth_table *rows, float *out, int *finite) {
    const float least = soothi_best_least(w, &w->tried[candidate]);
    const size_t size = sooth_model_scratch_size(model, SOOTHI_BEST_BATCH);
    void *scratch = sooth_alloc(env, size, 1);
    if (!scratch) return sooth_no_memory(env, "predicting", size);
    sooth_model_predict_many(model, rows->x, rows->rows, rows->stride, out, scratch, SOOTHI_BEST_BATCH);
    sooth_free(env, scratch, size, 1);
    *finite = soothi_all_finite(out, rows->rows);
    for (size_t i = 0; w->geometric && i < rows->rows; ++i)
        out[i] = sooth_log(soothi_best_bound(out[i], least, FLT_MAX));
    return SOOTH_OK;
}

/* Fits candidate w->candidate without one fold, and predicts the fold. */
SOOTHI_LOCAL sooth_status soothi_best_fit_fold(sooth_env *env, soothi_best_work *w, size_t task) {
    const size_t n = w->table->rows, repeat = task / w->folds, f = task % w->folds;
    const uint32_t *fold = w->fold + repeat * n;
    float *to = w->predicted + (w->candidate * w->repeats + repeat) * n;
    uint32_t *row = (uint32_t *)sooth_alloc(env, n, sizeof *row + sizeof *to);
    sooth_table train, test;
    sooth_model *model = NULL;
    size_t trains = 0, tests = 0;
    int finite = 0;
    if (!row) return sooth_no_memory(env, "the rows of a fold", n * (sizeof *row + sizeof *to));
    for (size_t i = 0; i < n; ++i)
        if (fold[i] == f) row[n - ++tests] = (uint32_t)i;
        else if (w->held != 2 || fold[i] + 1u <= f) row[trains++] = (uint32_t)i;
    const uint32_t *tested = row + n - tests;
    float *out = (float *)(void *)(row + n);
    sooth_table_init(&train, NULL, 0, 0);
    test = train;
    sooth_status status = sooth_table_take(env, w->table, row, trains, &train);
    if (status == SOOTH_OK) status = soothi_best_learn(env, w, w->candidate, &train, &model);
    sooth_table_free(env, &train);
    if (status == SOOTH_OK) status = sooth_table_take(env, w->table, tested, tests, &test);
    if (status == SOOTH_OK)
        status = soothi_best_predict_rows(env, w, w->candidate, model, &test, out, &finite);
    if (status == SOOTH_OK && !finite) status = SOOTH_BAD_DATA;
    for (size_t k = 0; status == SOOTH_OK && k < tests; ++k) to[tested[k]] = out[k];
    sooth_table_free(env, &test);
    sooth_model_free(env, model);
    sooth_free(env, row, n, sizeof *row + sizeof *to);
    return status;
}

SOOTHI_LOCAL void soothi_best_task(void *arg, size_t i, size_t worker) {
    soothi_best_work *w = (soothi_best_work *)arg;
    sooth_env env;
    (void)worker;
    sooth_env_init(&env);
    w->status[i] = soothi_best_fit_fold(&env, w, i);
}

/* Whether a failure ends the search, not only a candidate. */
SOOTHI_LOCAL int soothi_best_ends(sooth_status status) {
    return status == SOOTH_NO_MEMORY || status == SOOTH_CANCELLED;
}

/* Maps the progress of one fit to that of all. */
static int soothi_best_tell(void *user, const char *stage, double done) {
    const soothi_best_work *w = (const soothi_best_work *)user;
    (void)stage;
    return w->env->progress_fn(w->env->progress_user, w->stage,
                               ((double)w->done + (done < 1.0 ? done : 1.0)) / (double)w->fits);
}

/* Fits a candidate without each fold in turn. */
SOOTHI_LOCAL sooth_status soothi_best_try(sooth_env *env, soothi_best_work *w) {
    const size_t tasks = w->repeats * w->folds;
    const int together = env && env->parallel_fn && !env->alloc_fn;
    soothi_best_tried *tried = &w->tried[w->candidate];
    if (together) soothi_parallel(env, tasks, soothi_best_task, w);
    for (size_t i = 0; i < tasks; ++i) {
        const sooth_status status = together        ? w->status[i]
                                    : tried->failed ? SOOTH_BAD_DATA
                                                    : soothi_best_fit_fold(env, w, i);
        if (status == SOOTH_NO_MEMORY && together)
            return sooth_no_memory(env, "a candidate", w->table->rows * w->table->cols * sizeof(float));
        if (soothi_best_ends(status)) return status;
        tried->failed |= status != SOOTH_OK;
        ++w->done;
        if (soothi_progress(env, w->stage, 0.0) != SOOTH_OK) return SOOTH_CANCELLED;
    }
    return SOOTH_OK;
}

/* ---- errors ---- */

/* The loss of a prediction, or of its logarithm if geometric, for a row. */
SOOTHI_LOCAL double soothi_best_loss(const soothi_best_work *w, double predicted, size_t row) {
    const double y = (double)w->table->y[row];
    const double p = w->geometric ? (double)sooth_exp((float)predicted) : predicted;
    const double off = soothi_abs(p - y);
    if (w->error == SOOTH_BEST_RMSE) return off * off;
    if (w->error == SOOTH_BEST_MAE) return off;
    return y > 0.0 || y < 0.0 ? off / soothi_abs(y) : 0.0;
}

/* The loss by which is chosen. Of a relative error above 1 the logarithm counts: else a single row that is
   predicted ten times too large decides. */
SOOTHI_LOCAL double soothi_best_damped(const soothi_best_work *w, double predicted, size_t row) {
    const double loss = soothi_best_loss(w, predicted, row);
    return w->error == SOOTH_BEST_MRE && loss > 1.0 ? 1.0 + (double)sooth_log((float)loss) : loss;
}

SOOTHI_LOCAL double soothi_best_weight(const soothi_best_work *w, size_t row) {
    const float y = w->table->y[row];
    if (w->error == SOOTH_BEST_MRE && !(y > 0.0f) && !(y < 0.0f)) return 0.0;
    const double worth = w->worth[w->fold[row] == SOOTHI_BEST_NEVER ? 0 : w->fold[row]];
    return w->table->weight ? worth * (double)w->table->weight[row] : worth;
}

/* A mean of losses in the unit of the error. */
SOOTHI_LOCAL double soothi_best_of_mean(const soothi_best_work *w, double loss, double weight) {
    const double mean = weight > 0.0 ? loss / weight : 0.0;
    return w->error == SOOTH_BEST_RMSE ? soothi_sqrt(mean) : mean;
}

SOOTHI_LOCAL const float *soothi_best_row_of(const soothi_best_work *w, size_t candidate) {
    return w->predicted + candidate * w->repeats * w->table->rows;
}

/* A candidate's prediction of an item as a member: bounded, unless it is a rule that answers alone. */
SOOTHI_LOCAL double soothi_best_bounded(const soothi_best_work *w, size_t i, float predicted, int alone) {
    const double p = (double)predicted, from = w->from[w->fold[i]], to = w->to[w->fold[i]];
    return alone ? p : p < from ? from : p > to ? to : p;
}

/* The summed damped loss over the chosen rows of (the sum so far + candidate) / steps; alone: a rule is not
   bounded. */
SOOTHI_LOCAL double soothi_best_damped_of(const soothi_best_work *w, size_t items, size_t candidate,
                                          size_t steps, int alone) {
    const float *p = soothi_best_row_of(w, candidate);
    const double share = 1.0 / (double)steps;
    double loss = 0.0;
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k], row = i % w->table->rows;
        const double one = soothi_best_bounded(w, i, p[i], alone), sum = steps > 1 ? w->sum[k] + one : one;
        loss += soothi_best_weight(w, row) * soothi_best_damped(w, steps > 1 ? sum * share : sum, row);
    }
    return loss;
}

/* Collects the rows that choose: all folds with f NONE, else those of a repeat outside fold f, or with
   `inside` inside of it. Every k-th of a large table. */
SOOTHI_LOCAL size_t soothi_best_collect(soothi_best_work *w, size_t repeat, size_t f, int inside) {
    const size_t n = w->table->rows, step = 1 + n / SOOTHI_BEST_CHOOSERS;
    const size_t from = f == SOOTH_NONE ? 0 : repeat, to = f == SOOTH_NONE ? w->repeats : repeat + 1;
    size_t count = 0;
    for (size_t r = from; r < to; ++r)
        for (size_t i = 0; i < n; i += step)
            if (w->fold[r * n + i] != SOOTHI_BEST_NEVER &&
                (f == SOOTH_NONE || (w->fold[r * n + i] == f) == (inside != 0)))
                w->item[count++] = (uint32_t)(r * n + i);
    return count;
}

/* ---- choosing ---- */

/* Returns whether a is less than b by more than rounding. */
SOOTHI_LOCAL int soothi_best_less(double a, double b) { return a < b - 1e-9 * soothi_abs(b); }

/* The candidate of least loss on the items; SOOTH_NONE if all failed. */
SOOTHI_LOCAL size_t soothi_best_single(const soothi_best_work *w, size_t items, int rules) {
    size_t best = SOOTH_NONE;
    double least = 0.0;
    for (size_t c = 0; c < w->candidates; ++c) {
        if (w->tried[c].failed || (rules && !w->tried[c].is_rule)) continue;
        const double loss = soothi_best_damped_of(w, items, c, 1, (int)w->tried[c].is_rule);
        if (best != SOOTH_NONE && !soothi_best_less(loss, least)) continue;
        best = c;
        least = loss;
    }
    return best;
}

/* Greedy selection; count[c] becomes how often each candidate was added up to the best step. Returns the
   sum of the counts. One member less than the maximum leaves a place for the rule. */
SOOTHI_LOCAL uint32_t soothi_best_greedy(soothi_best_work *w, size_t items, uint32_t *count) {
    const uint32_t most = w->o.members - (w->o.members > 1);
    uint32_t now[SOOTH_BEST_MAX_CANDIDATES], steps = 0, members = 0;
    double least = 0.0;
    memset(now, 0, sizeof now);
    for (size_t k = 0; k < items; ++k) w->sum[k] = 0.0;
    for (uint32_t step = 1; step <= SOOTHI_BEST_STEPS; ++step) {
        size_t best = SOOTH_NONE;
        double best_loss = 0.0;
        for (size_t c = 0; c < w->candidates; ++c) {
            if (w->tried[c].failed || (members >= most && !now[c])) continue;
            const double loss = soothi_best_damped_of(w, items, c, step, 0);
            if (best != SOOTH_NONE && !soothi_best_less(loss, best_loss)) continue;
            best = c;
            best_loss = loss;
        }
        if (best == SOOTH_NONE) return 0;
        const float *p = soothi_best_row_of(w, best);
        for (size_t k = 0; k < items; ++k) w->sum[k] += soothi_best_bounded(w, w->item[k], p[w->item[k]], 0);
        members += now[best]++ == 0;
        if (step > 1 && !soothi_best_less(best_loss, least)) continue;
        least = best_loss;
        steps = step;
        memcpy(count, now, sizeof now);
    }
    return steps;
}

/* Sets the weights of an answer that the items choose; they sum to 1. Returns 0 if there is none. */
SOOTHI_LOCAL int soothi_best_answer(soothi_best_work *w, uint32_t verdict, size_t items, double *weight) {
    uint32_t count[SOOTH_BEST_MAX_CANDIDATES], steps = 1;
    memset(count, 0, sizeof count);
    if (verdict == SOOTH_BEST_AVERAGE) steps = soothi_best_greedy(w, items, count);
    else {
        const size_t one = soothi_best_single(w, items, verdict == SOOTH_BEST_RULE);
        if (one == SOOTH_NONE) return 0;
        count[one] = 1;
    }
    for (size_t c = 0; c < w->candidates && steps; ++c) weight[c] = (double)count[c] / (double)steps;
    return steps > 0;
}

/* The losses of predictions of the chosen rows, summed: damped, or as they are. */
SOOTHI_LOCAL double soothi_best_losses(const soothi_best_work *w, size_t items, const float *predicted,
                                       int damped, double *weight) {
    double sum = 0.0;
    *weight = 0.0;
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k], row = i % w->table->rows;
        const double of_row = soothi_best_weight(w, row), p = (double)predicted[i];
        sum += of_row * (damped ? soothi_best_damped(w, p, row) : soothi_best_loss(w, p, row));
        *weight += of_row;
    }
    return sum;
}

SOOTHI_LOCAL double soothi_best_error_of(const soothi_best_work *w, size_t items, const float *predicted) {
    double weight;
    const double sum = soothi_best_losses(w, items, predicted, 0, &weight);
    return soothi_best_of_mean(w, sum, weight);
}

/* The standard error of that: of a ratio of sums over the units, or over the parts of later rows. NaN for one
   unit. */
SOOTHI_LOCAL double soothi_best_doubt_of(soothi_best_work *w, size_t items, const float *predicted) {
    const size_t units = w->held == 2 ? w->folds : w->units;
    double weight, squares = 0.0;
    const double sum = soothi_best_losses(w, items, predicted, 0, &weight), n = (double)units;
    if (units < 2 || !(weight > 0.0)) return (double)soothi_missing();
    memset(w->of_unit, 0, units * sizeof *w->of_unit);
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k], row = i % w->table->rows;
        const double off = soothi_best_loss(w, (double)predicted[i], row) - sum / weight;
        w->of_unit[w->held == 2 ? w->fold[row] : w->unit[row]] += soothi_best_weight(w, row) * off;
    }
    for (size_t u = 0; u < units; ++u) squares += w->of_unit[u] * w->of_unit[u];
    const double doubt = soothi_sqrt(squares * n / (n - 1.0)) / weight;
    if (w->error != SOOTH_BEST_RMSE || !(sum > 0.0)) return doubt;
    return doubt / (2.0 * soothi_best_of_mean(w, sum, weight)); /* of a square root */
}

/* The weighted share of rows whose target is above the prediction. */
SOOTHI_LOCAL double soothi_best_above_of(const soothi_best_work *w, size_t items, const float *predicted) {
    double above = 0.0, weight = 0.0;
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k], row = i % w->table->rows;
        const float p = w->geometric ? sooth_exp(predicted[i]) : predicted[i];
        const double of_row = soothi_best_weight(w, row);
        if (w->table->y[row] > p) above += of_row;
        weight += of_row;
    }
    return weight > 0.0 ? above / weight : (double)soothi_missing();
}

/* The error of a candidate alone. */
SOOTHI_LOCAL double soothi_best_candidate_error(soothi_best_work *w, size_t items, size_t candidate) {
    const float *p = soothi_best_row_of(w, candidate);
    const int alone = (int)w->tried[candidate].is_rule;
    for (size_t k = 0; k < items; ++k)
        w->mixed[w->item[k]] = (float)soothi_best_bounded(w, w->item[k], p[w->item[k]], alone);
    return soothi_best_error_of(w, items, w->mixed);
}

/* Predicts every row by an answer that was chosen without its fold. Returns 0 if one cannot be chosen. */
SOOTHI_LOCAL int soothi_best_nest(soothi_best_work *w, uint32_t verdict) {
    const size_t all = w->repeats * w->table->rows;
    float *out = w->nested + verdict * all;
    double weight[SOOTH_BEST_MAX_CANDIDATES];
    for (size_t task = 0; task < w->repeats * w->folds; ++task) {
        const size_t repeat = task / w->folds, f = task % w->folds;
        if (!soothi_best_answer(w, verdict, soothi_best_collect(w, repeat, f, 0), weight)) return 0;
        const size_t items = soothi_best_collect(w, repeat, f, 1);
        for (size_t k = 0; k < items; ++k) {
            const size_t i = w->item[k];
            double sum = 0.0;
            for (size_t c = 0; c < w->candidates; ++c)
                if (weight[c] > 0.0) {
                    const int alone = w->tried[c].is_rule && weight[c] >= 1.0;
                    sum += weight[c] * soothi_best_bounded(w, i, w->predicted[c * all + i], alone);
                }
            out[i] = (float)sum;
        }
    }
    return 1;
}

/* Mixes the rule's and a learner's predictions: share s of SOOTHI_BEST_SHARES of the latter, into `out`. */
SOOTHI_LOCAL void soothi_best_mix(const soothi_best_work *w, size_t items, const float *learner, uint32_t s,
                                  float *out) {
    const double share = (double)s / (double)SOOTHI_BEST_SHARES;
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k];
        const double rule = soothi_best_bounded(w, i, w->nested[i], s == 0);
        out[i] = (float)(share * (double)learner[i] + (1.0 - share) * rule);
    }
}

/* Whether the loss of a is larger than that of b by more than so many standard errors over the units. */
SOOTHI_LOCAL int soothi_best_is_worse(const soothi_best_work *w, size_t items, const float *a, const float *b,
                                      double margin) {
    double sum = 0.0, squares = 0.0;
    memset(w->of_unit, 0, w->units * sizeof *w->of_unit);
    for (size_t k = 0; k < items; ++k) {
        const size_t i = w->item[k], row = i % w->table->rows;
        const double more =
            soothi_best_damped(w, (double)a[i], row) - soothi_best_damped(w, (double)b[i], row);
        w->of_unit[w->unit[row]] += soothi_best_weight(w, row) * more;
    }
    for (size_t u = 0; u < w->units; ++u) sum += w->of_unit[u];
    const double n = (double)w->units, mean = sum / n;
    for (size_t u = 0; u < w->units; ++u) squares += (w->of_unit[u] - mean) * (w->of_unit[u] - mean);
    return sum > margin * soothi_sqrt(squares * n / (n - 1.0));
}

/* Finds the share of the learner: that of the least loss, or 0 if the rule is not worse by the margin; if
   whole groups are held out, the least share that is not worse. Its predictions are then in w->mixed. */
SOOTHI_LOCAL uint32_t soothi_best_share(soothi_best_work *w, size_t items, const float *learner,
                                        uint32_t step) {
    float *best = w->mixed, *less = w->mixed + w->repeats * w->table->rows;
    const double margin = w->held == 1 ? SOOTHI_BEST_GROUP_MARGIN : SOOTHI_BEST_MARGIN;
    double least = 0.0, weight;
    uint32_t most = 0, s = 0;
    for (; s <= SOOTHI_BEST_SHARES; s += step) {
        soothi_best_mix(w, items, learner, s, less);
        const double loss = soothi_best_losses(w, items, less, 1, &weight);
        if (s > 0 && !soothi_best_less(loss, least)) continue;
        least = loss;
        most = s;
    }
    soothi_best_mix(w, items, learner, most, best);
    for (s = 0; s < most; s = w->held == 1 ? s + step : most) {
        soothi_best_mix(w, items, learner, s, less);
        if (!soothi_best_is_worse(w, items, less, best, margin)) break;
    }
    soothi_best_mix(w, items, learner, s, best);
    return s;
}

/* What the held-out rows say. */
typedef struct soothi_best_choice {
    uint32_t learner; /* a verdict: the average, or one model if only one is wanted */
    uint32_t share;   /* its weight, of SOOTHI_BEST_SHARES; 0: the rule answers alone */
    double expected, expected_rule, doubt, above; /* doubt: the standard error of `expected` */
} soothi_best_choice;

/* Compares the learner with the rule, each chosen without a fold and judged on it. */
SOOTHI_LOCAL soothi_best_choice soothi_best_judge(soothi_best_work *w) {
    const int one = w->o.single || w->o.members == 1;
    const double none = (double)soothi_missing();
    soothi_best_choice c = {
        one ? (uint32_t)SOOTH_BEST_SINGLE : (uint32_t)SOOTH_BEST_AVERAGE, 0, none, none, none, none};
    const float *learner = w->nested + c.learner * w->repeats * w->table->rows;
    const int rule = soothi_best_nest(w, SOOTH_BEST_RULE), model = soothi_best_nest(w, c.learner);
    const size_t items = soothi_best_collect(w, 0, SOOTH_NONE, 0);
    if (rule) c.expected = c.expected_rule = soothi_best_error_of(w, items, w->nested);
    if (rule) c.doubt = soothi_best_doubt_of(w, items, w->nested);
    if (rule) c.above = soothi_best_above_of(w, items, w->nested);
    if (!model) return c;
    if (rule && w->held == 1 && w->units < SOOTHI_BEST_GROUPS) return c;
    c.share = SOOTHI_BEST_SHARES;
    if (rule) c.share = soothi_best_share(w, items, learner, one ? c.share : 1u);
    c.expected = soothi_best_error_of(w, items, rule ? w->mixed : learner);
    c.doubt = soothi_best_doubt_of(w, items, rule ? w->mixed : learner);
    c.above = soothi_best_above_of(w, items, rule ? w->mixed : learner);
    return c;
}

/* ---- the last two targets ---- */

/* The last two targets of a group, or of all rows; the newest first. */
typedef struct soothi_best_seen {
    float last[2];
    uint32_t count;
} soothi_best_seen;

SOOTHI_LOCAL void soothi_best_see(soothi_best_seen *seen, float target) {
    seen->last[1] = seen->last[0];
    seen->last[0] = target;
    seen->count += seen->count < 2;
}

/* Predicts every row by the mean of the last two targets before it in time: of its group, or if the group is
   new, of all rows. Rows of one time do not know each other. The first rows are 0, as they are not held
   out. */
SOOTHI_LOCAL void soothi_best_follow_last(soothi_best_work *w, soothi_best_seen *seen, float *out) {
    const size_t n = w->table->rows, groups = soothi_best_number_groups(w, w->load);
    soothi_best_seen all;
    memset(&all, 0, sizeof all);
    memset(seen, 0, groups * sizeof *seen);
    soothi_time_sort(w->table, w->entry);
    for (size_t begin = 0, end = 0; begin < n; begin = end) {
        const uint32_t time = soothi_entry_key(w->entry[begin]);
        while (end < n && soothi_entry_key(w->entry[end]) == time) ++end;
        for (size_t i = begin; i < end; ++i) {
            const size_t row = soothi_entry_row(w->entry[i]);
            const soothi_best_seen *of = groups && seen[w->load[row]].count ? &seen[w->load[row]] : &all;
            out[row] = of->count == 2 ? 0.5f * of->last[0] + 0.5f * of->last[1] : of->last[0];
        }
        for (size_t i = begin; i < end; ++i) {
            const size_t row = soothi_entry_row(w->entry[i]);
            soothi_best_see(&all, w->table->y[row]);
            if (groups) soothi_best_see(&seen[w->load[row]], w->table->y[row]);
        }
    }
}

/* Adds the last two targets to the candidates, with their error, once nothing can choose them any more. */
SOOTHI_LOCAL sooth_status soothi_best_try_last(sooth_env *env, soothi_best_work *w) {
    const size_t n = w->table->rows;
    soothi_best_tried *t = &w->tried[w->candidates];
    if (w->held != 2 || w->candidates == SOOTH_BEST_MAX_CANDIDATES) return SOOTH_OK;
    soothi_best_seen *seen = (soothi_best_seen *)sooth_alloc(env, n, sizeof *seen);
    if (!seen) return sooth_no_memory(env, "the last targets", n * sizeof *seen);
    soothi_best_follow_last(w, seen, w->mixed);
    sooth_free(env, seen, n, sizeof *seen);
    for (size_t i = 0; w->geometric && i < n; ++i) w->mixed[i] = sooth_log(w->mixed[i]);
    memset(t, 0, sizeof *t);
    sooth_text_format(t->text, sizeof t->text, "%s", SOOTH_BEST_LAST_TWO);
    t->is_rule = 1;
    t->error = soothi_best_error_of(w, soothi_best_collect(w, 0, SOOTH_NONE, 0), w->mixed);
    ++w->candidates;
    return SOOTH_OK;
}

/* ---- the members ---- */

typedef struct soothi_best_made {
    sooth_model *model[SOOTH_BEST_MAX_MEMBERS];
    size_t of[SOOTH_BEST_MAX_MEMBERS]; /* its candidate */
    float weight[SOOTH_BEST_MAX_MEMBERS];
    size_t count;
} soothi_best_made;

/* Whether a fitted member is off on its own training rows by more than twice its held-out error: such a fit
   has failed without noticing. */
SOOTHI_LOCAL sooth_status soothi_best_is_off(sooth_env *env, soothi_best_work *w, const sooth_model *model,
                                             size_t candidate, int *off) {
    const size_t n = w->table->rows;
    float *out = (float *)sooth_alloc(env, n, sizeof *out);
    double loss = 0.0, weight = 0.0;
    int finite = 0;
    if (!out) return sooth_no_memory(env, "predicting", n * sizeof *out);
    const sooth_status status = soothi_best_predict_rows(env, w, candidate, model, w->table, out, &finite);
    for (size_t i = 0; status == SOOTH_OK && i < n; ++i) {
        loss += soothi_best_weight(w, i) * soothi_best_loss(w, (double)out[i], i);
        weight += soothi_best_weight(w, i);
    }
    const double of_size = w->error == SOOTH_BEST_MRE                       ? 1.0
                           : soothi_abs((double)w->least) > (double)w->most ? soothi_abs((double)w->least)
                                                                            : soothi_abs((double)w->most);
    *off = !finite || soothi_best_of_mean(w, loss, weight) > 2.0 * w->tried[candidate].error + 1e-5 * of_size;
    sooth_free(env, out, n, sizeof *out);
    return status;
}

/* Fits a member to all rows. One that cannot be fitted, or is off, is left out. */
SOOTHI_LOCAL sooth_status soothi_best_fit_member(sooth_env *env, soothi_best_work *w, size_t candidate,
                                                 float weight, int guard, soothi_best_made *made) {
    sooth_model *model = NULL;
    int off = 0;
    sooth_status status = soothi_best_learn(env, w, candidate, w->table, &model);
    if (status == SOOTH_OK && guard) status = soothi_best_is_off(env, w, model, candidate, &off);
    w->done += w->done + 1 < w->fits;
    if (status == SOOTH_OK && !off && made->count < SOOTH_BEST_MAX_MEMBERS) {
        made->model[made->count] = model;
        made->of[made->count] = candidate;
        made->weight[made->count++] = weight;
        return SOOTH_OK;
    }
    sooth_model_free(env, model);
    return soothi_best_ends(status) ? status : SOOTH_OK;
}

/* Fits the candidates with a weight, the heaviest first. */
SOOTHI_LOCAL sooth_status soothi_best_fit_members(sooth_env *env, soothi_best_work *w, double *weight,
                                                  int guard, soothi_best_made *made) {
    sooth_status status = SOOTH_OK;
    float sum = 0.0f;
    while (status == SOOTH_OK) {
        size_t next = 0;
        for (size_t c = 1; c < w->candidates; ++c)
            if (weight[c] > weight[next]) next = c;
        if (!(weight[next] > 0.0)) break;
        status = soothi_best_fit_member(env, w, next, (float)weight[next], guard, made);
        weight[next] = 0.0;
    }
    for (size_t k = 0; k < made->count; ++k) sum += made->weight[k];
    for (size_t k = 0; k < made->count; ++k) made->weight[k] /= sum;
    return status;
}

/* ---- the block ---- */

/* The order of the candidates in the block: the members, then the rest by error. */
SOOTHI_LOCAL void soothi_best_sort(const soothi_best_work *w, const soothi_best_made *made,
                                   size_t order[SOOTH_BEST_MAX_CANDIDATES]) {
    size_t n = 0;
    for (; n < made->count; ++n) order[n] = made->of[n];
    for (size_t c = 0; c < w->candidates; ++c) {
        size_t at = n, is_member = 0;
        for (size_t k = 0; k < made->count; ++k) is_member |= made->of[k] == c;
        if (is_member) continue;
        for (; at > made->count; --at) {
            const soothi_best_tried *before = &w->tried[order[at - 1]];
            if (w->tried[c].failed || (!before->failed && before->error <= w->tried[c].error)) break;
            order[at] = order[at - 1];
        }
        order[at] = c;
        ++n;
    }
}

/* Makes the block of the members; the caller sets folds, verdict and expectations, and seals it. */
SOOTHI_LOCAL sooth_best *soothi_best_assemble(sooth_env *env, const soothi_best_work *w,
                                              const soothi_best_made *made, size_t rule) {
    size_t order[SOOTH_BEST_MAX_CANDIDATES], bytes = 0;
    const size_t words = sizeof(sooth_best) + w->candidates * sizeof(soothi_best_entry);
    soothi_best_sort(w, made, order);
    for (size_t k = 0; k < made->count; ++k) bytes += made->model[k]->head.size;
    for (size_t c = 0; c < w->candidates; ++c) bytes += soothi_text_length(w->tried[c].text) + 1;
    sooth_best *best =
        (sooth_best *)soothi_block_new(env, SOOTH_KIND_BEST, SOOTH_BEST_VERSION, words, 16, bytes);
    if (!best) {
        (void)sooth_no_memory(env, "an average of models", bytes);
        return NULL;
    }
    best->head.features = (uint32_t)w->table->cols;
    best->head.targets = 1;
    best->members = (uint32_t)made->count;
    best->candidates = (uint32_t)w->candidates;
    best->error = w->error;
    best->geometric = w->geometric;
    best->low = w->low;
    best->high = w->high;
    if (made->count == 1 && w->tried[made->of[0]].is_rule) {
        best->low = soothi_best_least(w, &w->tried[made->of[0]]);
        best->high = FLT_MAX;
    }
    uint32_t at = best->head.bytes_at;
    for (size_t k = 0; k < made->count; ++k) {
        memcpy((unsigned char *)best + at, made->model[k], made->model[k]->head.size);
        at += made->model[k]->head.size;
    }
    soothi_best_entry *entry = (soothi_best_entry *)(void *)(best + 1);
    for (size_t i = 0; i < w->candidates; ++i) {
        const soothi_best_tried *t = &w->tried[order[i]];
        const size_t size = soothi_text_length(t->text) + 1;
        entry[i].error = t->failed ? soothi_missing() : (float)t->error;
        entry[i].weight = i < made->count ? made->weight[i] : 0.0f;
        entry[i].is_rule = t->is_rule;
        entry[i].text_at = at;
        memcpy((unsigned char *)best + at, t->text, size);
        at += (uint32_t)size;
        if (order[i] == rule) best->rule = (uint32_t)i;
    }
    return best;
}

/* ---- a fit ---- */

SOOTHI_LOCAL float soothi_best_float(double v) {
    return v > (double)FLT_MAX ? FLT_MAX : v < -(double)FLT_MAX ? -FLT_MAX : (float)v;
}

/* Widens a range of targets to the bounds of the members' predictions. */
SOOTHI_LOCAL void soothi_best_widen(const soothi_best_work *w, float least, float most, float *low,
                                    float *high) {
    const double l = (double)least, m = (double)most, half = 0.5 * (m - l);
    *low = soothi_best_float(w->geometric ? 0.5 * l : l - half);
    *high = soothi_best_float(w->geometric ? 2.0 * m : m + half);
    if (w->geometric && !(*low >= FLT_MIN)) *low = FLT_MIN;
}

SOOTHI_LOCAL void soothi_best_bound_fold(soothi_best_work *w, size_t f, float least, float most) {
    float low, high;
    soothi_best_widen(w, least, most, &low, &high);
    w->from[f] = w->geometric ? (double)sooth_log(low) : (double)low;
    w->to[f] = w->geometric ? (double)sooth_log(high) : (double)high;
}

/* Weighs folds of later rows, and bounds each by the range of the rows before it, as a later row may leave
   the range of all rows. A rule that extrapolates then answers alone where that was right before. */
SOOTHI_LOCAL void soothi_best_follow(soothi_best_work *w) {
    for (size_t f = 0; f < w->folds; ++f) {
        float least = FLT_MAX, most = -FLT_MAX;
        w->worth[f] = (double)(1u << f);
        for (size_t i = 0; i < w->table->rows; ++i) {
            const float y = w->table->y[i];
            if (w->fold[i] + 1u > f) continue; /* the first rows are in no fold: SOOTHI_BEST_NEVER */
            if (y < least) least = y;
            if (y > most) most = y;
        }
        soothi_best_bound_fold(w, f, least, most);
    }
}

/* Sets the error, the kind of mean and the range of the targets. */
SOOTHI_LOCAL void soothi_best_look(soothi_best_work *w) {
    const sooth_table *t = w->table;
    w->least = w->most = t->y[0];
    for (size_t j = 0; t->categorical && j < t->cols; ++j) w->categories |= t->categorical[j] != 0;
    for (size_t i = 1; i < t->rows; ++i) {
        if (t->y[i] < w->least) w->least = t->y[i];
        if (t->y[i] > w->most) w->most = t->y[i];
    }
    w->error = w->o.error;
    if (w->error == SOOTH_BEST_AUTO) w->error = w->least > 0.0f ? SOOTH_BEST_MRE : SOOTH_BEST_RMSE;
    w->geometric = w->error == SOOTH_BEST_MRE && w->least >= FLT_MIN;
    soothi_best_widen(w, w->least, w->most, &w->low, &w->high);
    for (size_t f = 0; f < SOOTHI_BEST_FOLDS; ++f) {
        soothi_best_bound_fold(w, f, w->least, w->most);
        w->worth[f] = 1.0;
    }
}

SOOTHI_LOCAL void soothi_best_layout(soothi_best_work *w) {
    const size_t n = w->table->rows, all = soothi_product(w->repeats, n);
    soothi_carver *c = &w->room;
    c->used = 0;
    w->entry = (uint64_t *)soothi_carve(c, n, 2 * sizeof(uint64_t));
    w->sum = (double *)soothi_carve(c, all, sizeof(double));
    w->of_unit = (double *)soothi_carve(c, n, sizeof(double));
    w->unit = (uint32_t *)soothi_carve(c, n, sizeof(uint32_t));
    w->order = (uint32_t *)soothi_carve(c, n, sizeof(uint32_t));
    w->load = (uint32_t *)soothi_carve(c, n, sizeof(uint32_t));
    w->fold = (uint32_t *)soothi_carve(c, all, sizeof(uint32_t));
    w->item = (uint32_t *)soothi_carve(c, all, sizeof(uint32_t));
    w->status = (sooth_status *)soothi_carve(c, w->repeats * SOOTHI_BEST_FOLDS, sizeof(sooth_status));
    w->nested = (float *)soothi_carve(c, soothi_product(all, 3), sizeof(float));
    w->mixed = (float *)soothi_carve(c, soothi_product(all, 2), sizeof(float));
    w->predicted = (float *)soothi_carve(c, soothi_product(all, w->candidates), sizeof(float));
}

SOOTHI_LOCAL sooth_status soothi_best_prepare(sooth_env *env, soothi_best_work *w) {
    w->repeats = w->table->rows < SOOTHI_BEST_FEW ? SOOTHI_BEST_REPEATS : 1;
    soothi_best_list(w);
    soothi_best_layout(w); /* measures */
    w->room.memory = (unsigned char *)sooth_alloc(env, w->room.used, 1);
    if (!w->room.memory) return sooth_no_memory(env, "comparing models", w->room.used);
    soothi_best_layout(w);
    soothi_best_number_units(w);
    const size_t most = w->held == 2 ? w->units - 1 : w->units;
    w->folds = most < SOOTHI_BEST_FOLDS ? most : (size_t)SOOTHI_BEST_FOLDS;
    if (w->held == 2 || w->units == w->folds) w->repeats = 1; /* other folds would be the same */
    if (w->folds && w->held == 2) {
        soothi_best_deal_later(w);
        soothi_best_follow(w);
    }
    if (w->folds < 2) w->folds = 0;
    w->fits = w->candidates * w->repeats * w->folds + SOOTH_BEST_MAX_MEMBERS;
    for (size_t r = 0; w->folds && r < w->repeats && w->held != 2; ++r) soothi_best_deal(w, r);
    sooth_text_format(w->stage, SOOTHI_BEST_STAGE, "fitting %z models", w->fits);
    return SOOTH_OK;
}

/* Sets the weights of the answer that all held-out rows choose, and finds the best rule. */
SOOTHI_LOCAL void soothi_best_weigh(soothi_best_work *w, soothi_best_choice *choice, double *weight,
                                    size_t *rule) {
    const size_t items = soothi_best_collect(w, 0, SOOTH_NONE, 0);
    const double share = (double)choice->share / (double)SOOTHI_BEST_SHARES;
    *rule = soothi_best_single(w, items, 1);
    if (choice->share) (void)soothi_best_answer(w, choice->learner, items, weight);
    for (size_t c = 0; c < w->candidates; ++c) weight[c] *= share;
    if (*rule == SOOTH_NONE) *rule = 0;
    else weight[*rule] += 1.0 - share;
    for (size_t c = 0; c < w->candidates; ++c)
        if (weight[c] < SOOTHI_BEST_LEAST) weight[c] = 0.0;
}

SOOTHI_LOCAL void soothi_best_keep_doubles(sooth_best *best, double doubt, double above) {
    const double kept[2] = {doubt, above};
    memcpy((unsigned char *)best + best->head.doubles_at, kept, sizeof kept);
}

/* Chooses, fits the members, and makes the block. */
SOOTHI_LOCAL sooth_status soothi_best_finish(sooth_env *env, soothi_best_work *w, soothi_best_made *made,
                                             sooth_best **best) {
    double weight[SOOTH_BEST_MAX_CANDIDATES];
    soothi_best_choice choice;
    sooth_status status = SOOTH_OK;
    size_t rule = 0;
    choice.expected = choice.expected_rule = choice.doubt = choice.above = (double)soothi_missing();
    memset(weight, 0, sizeof weight);
    if (w->folds) {
        const size_t items = soothi_best_collect(w, 0, SOOTH_NONE, 0);
        for (size_t c = 0; c < w->candidates; ++c)
            if (!w->tried[c].failed) w->tried[c].error = soothi_best_candidate_error(w, items, c);
        choice = soothi_best_judge(w);
        soothi_best_weigh(w, &choice, weight, &rule);
        status = soothi_best_fit_members(env, w, weight, 1, made);
    }
    memset(weight, 0, sizeof weight);
    weight[rule] = 1.0;
    if (status == SOOTH_OK && made->count == 0) status = soothi_best_fit_members(env, w, weight, 0, made);
    if (status == SOOTH_OK && made->count == 0)
        status = sooth_fail(env, SOOTH_BAD_DATA, "none of %z candidates can be fitted to this table",
                            w->candidates);
    if (status == SOOTH_OK && w->folds) status = soothi_best_try_last(env, w);
    if (status == SOOTH_OK && !(*best = soothi_best_assemble(env, w, made, rule))) status = SOOTH_NO_MEMORY;
    if (status != SOOTH_OK) return status;
    (*best)->verdict = made->count > 1                 ? SOOTH_BEST_AVERAGE
                       : w->tried[made->of[0]].is_rule ? SOOTH_BEST_RULE
                                                       : SOOTH_BEST_SINGLE;
    (*best)->folds = (uint32_t)w->folds;
    (*best)->repeats = (uint32_t)w->repeats;
    (*best)->held = w->folds ? w->held : 0;
    (*best)->expected = (float)choice.expected;
    (*best)->expected_rule = (float)choice.expected_rule;
    soothi_best_keep_doubles(*best, choice.doubt, choice.above);
    soothi_block_seal(&(*best)->head);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_best_search(sooth_env *env, soothi_best_work *w, soothi_best_made *made,
                                             sooth_best **best) {
    sooth_status status = soothi_best_prepare(env, w);
    for (; w->folds && w->candidate < w->candidates && status == SOOTH_OK; ++w->candidate)
        status = soothi_best_try(env, w);
    return status == SOOTH_OK ? soothi_best_finish(env, w, made, best) : status;
}

/* Fits the members of w->o.choice with their weights. */
SOOTHI_LOCAL sooth_status soothi_best_repeat(sooth_env *env, soothi_best_work *w, soothi_best_made *made,
                                             sooth_best **best) {
    const sooth_best *from = w->o.choice;
    sooth_best_candidate one;
    sooth_status status = SOOTH_OK;
    float sum = 0.0f;
    w->error = from->error;
    w->geometric = from->geometric;
    w->low = from->low;
    w->high = from->high;
    w->fits = from->members;
    for (; sooth_best_candidate_at(from, w->candidates, &one); ++w->candidates) {
        soothi_best_tried *t = &w->tried[w->candidates];
        sooth_text_format(t->text, sizeof t->text, "%s", one.recipe);
        t->is_rule = one.is_rule;
        t->failed = (uint32_t)soothi_nan((double)one.error);
        t->error = (double)one.error;
    }
    for (size_t k = 0; k < from->members && status == SOOTH_OK; ++k) {
        sooth_best_candidate_at(from, k, &one);
        status = soothi_best_fit_member(env, w, k, one.weight, 0, made);
    }
    for (size_t k = 0; k < made->count; ++k) sum += made->weight[k];
    for (size_t k = 0; k < made->count; ++k) made->weight[k] /= sum;
    if (status == SOOTH_OK && !(sum > 0.0f))
        status = sooth_fail(env, SOOTH_BAD_DATA, "none of the members can be fitted to this table");
    if (status == SOOTH_OK && !(*best = soothi_best_assemble(env, w, made, from->rule)))
        status = SOOTH_NO_MEMORY;
    if (status != SOOTH_OK) return status;
    (*best)->verdict = from->verdict;
    (*best)->folds = from->folds;
    (*best)->repeats = from->repeats;
    (*best)->held = from->held;
    (*best)->expected = from->expected;
    (*best)->expected_rule = from->expected_rule;
    soothi_best_keep_doubles(*best, sooth_best_standard_error(from), sooth_best_share_above(from));
    soothi_block_seal(&(*best)->head);
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_best_check_table(sooth_env *env, const sooth_table *table) {
    sooth_status status = sooth_table_check(
        env, table, SOOTH_TABLE_NEED_TARGETS | SOOTH_TABLE_ALLOW_MISSING | SOOTH_TABLE_ALLOW_CATEGORIES);
    if (status == SOOTH_OK && table->targets != 1)
        status = sooth_fail(env, SOOTH_BAD_ARGUMENT, "best predicts one target, but the table has %z",
                            table->targets);
    return status;
}

/* Fits a best by a recipe, with its levels: see sooth_best_fit. */
SOOTHI_LOCAL sooth_status soothi_best_fit(sooth_env *env, const sooth_table *table,
                                          const sooth_train_recipe *recipe, sooth_best **best) {
    sooth_env own;
    soothi_best_made made;
    *best = NULL;
    sooth_status status = soothi_best_check_table(env, table);
    if (status != SOOTH_OK) return status;
    soothi_best_work *w = (soothi_best_work *)sooth_alloc(env, 1, sizeof *w);
    if (!w) return sooth_no_memory(env, "comparing models", sizeof *w);
    memset(w, 0, sizeof *w);
    memset(&made, 0, sizeof made);
    w->table = table;
    w->recipe = recipe;
    w->env = env;
    status =
        soothi_options_resolve(env, sooth_best_options_list(), &recipe->options.best, sizeof w->o, &w->o);
    if (env) own = *env;
    if (env) own.loss_fn = NULL;
    if (env && env->progress_fn) own.progress_fn = soothi_best_tell, own.progress_user = w;
    if (status == SOOTH_OK) {
        soothi_best_look(w);
        status = w->o.choice ? soothi_best_repeat(env ? &own : NULL, w, &made, best)
                             : soothi_best_search(env ? &own : NULL, w, &made, best);
        if (env && status != SOOTH_OK) memcpy(env->sentence, own.sentence, sizeof own.sentence);
    }
    for (size_t k = 0; k < made.count; ++k) sooth_model_free(env, made.model[k]);
    sooth_free(env, w->room.memory, w->room.used, 1);
    sooth_free(env, w, 1, sizeof *w);
    return status;
}

SOOTH_API sooth_status sooth_best_fit(sooth_env *env, const sooth_table *table,
                                      const sooth_best_options *options, sooth_best **best) {
    sooth_train_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    if (options) recipe.options.best = *options;
    recipe.encode = table->categorical ? SOOTH_TRAIN_ENCODE_NATIVE : SOOTH_TRAIN_ENCODE_TARGET;
    return soothi_best_fit(env, table, &recipe, best);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
