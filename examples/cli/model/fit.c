/* fit.c - sooth fit: fits a model to a table and writes it to a file.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "pages.h"
#include "sooth/preprocess.h"

#include <math.h>

static const flag flags[] = {
    SECTION("Columns"),
    DATA_FLAGS,
    SECTION("Model"),
    {"model", 'm', "NAME", "kind of model; default best, which chooses. `sooth help` lists them", 0},
    {"single", 0, NULL, "best: keep one model, without an average", 0},
    RECIPE_FLAGS,
    QUANTILES_FLAG,
    {"teacher", 0, "MODEL",
     "a stronger, larger model that a small one approximates: best, or \"boost n_estimators=2000\". It is "
     "fitted to the rows, and the model learns them and what it predicts between them. The folds fit both "
     "anew. Unless this lowers their error by more than a standard error, the model learns without it",
     0},
    SECTION("Test"),
    {"folds", 0, "K",
     "test the recipe by K-fold cross-validation first, and keep the scores in the file; default 5, "
     "or 0 for best, which reports its own test. 0 means no test",
     0},
    TIME_FLAG,
    BY_FLAG,
    SECTION("Search for options"),
    {"tune", 0, "HOW",
     "search options: random or grid. random draws from what --set OPTION=LEAST:MOST or "
     "OPTION=A,B,C allows, or else from the usual ranges of the model. grid tries all values that "
     "--set lists. With --group, folds hold whole groups",
     0},
    {"trials", 0, "N", "--tune random: number of draws in addition to the given options; default 30", 0},
    {"metric", 0, "NAME",
     "--tune: metric to minimise: rmse, mae or mape; or to maximise: r2. Default that of --by", 0},
    {"inner", 0, "K", "--tune: number of folds that test every trial; default 5", 0},
    {"outer", 0, "K",
     "--tune: number of outer folds; default 5. Each is left out in turn while the rest is searched "
     "anew, and the error on it is reported. 0 means none",
     0},
    SECTION("Intervals and probabilities"),
    {"interval", 0, "SHARE",
     "calibrate intervals that hold this share, such as 0.9. With --group, of the rows of a program "
     "never seen; the model then also adapts to such a program from a few launches (sooth next, "
     "sooth adapt). With --time, of later rows: the later half of the rows is predicted from earlier ones. "
     "Else of more rows like these",
     0},
    CALIBRATE_FLAGS,
    SECTION("Microcontrollers"),
    {"budget", 0, "LIST",
     "find the best model within limits of a microcontroller, such as flash=8K,ram=512,steps=500; "
     "stack=N is a limit too, and ram holds memory and stack. Give any of them. The search chooses the model "
     "and its options",
     0},
    {"for", 0, "CORE", "--budget: core: cortex-m0, cortex-m4, avr, rv32 or bpf", 0},
    {"front", 0, "FILE.svg", "--budget: draw error against bytes for every candidate, whether it fits or not",
     0},
    SECTION("Files larger than memory"),
    {"memory", 0, "BYTES",
     "fit to a file larger than memory within this many bytes (500M, 2G). The file is read in "
     "parts, several times. Supports linear, boost, and tree and forest, whose bins are 256 then, and "
     "categories but for --encode target. The model is the same, except that no column counts from a "
     "number near it, and that bins are approximate in columns of more than 32,768 different numbers",
     0},
    {"spill", 0, "FILE", "--memory: temporary file for data that exceeds the limit; removed at the end", 0},
    SECTION("Output"),
    {"history", 0, "FILE",
     "write the loss after every iteration: iteration, loss, and validation if rows are held out. A "
     "new search counts from 1 again. If FILE ends in .svg, draw the losses",
     0},
    {"note", 0, "TEXT", "text to keep in the model file", 0},
    {"forget", 0, NULL,
     "keep no hashes of training rows in the file; sooth predict then cannot warn about them", 0},
    {"output", 'o', "FILE", "model file; - for the standard output, and the text goes to the standard error",
     0},
    PAGE_FLAG,
    FORCE_FLAG,
    JSON_FLAG,
    LAST_FLAG};

enum { MOST_SCORES = 2 * (FIGURES + 5) }; /* per target */
static const char *const figure_name[FIGURES] = {"R2", "RMSE", "MAE", "MAPE"};

/* Names scores for the card: "RMSE [W], 5 folds of rows"; with several targets "time: RMSE [s], 5 folds of
   rows". */
static void name_score(const data *d, const validation *v, size_t t, int which, const char *title,
                       double value, sooth_score *out) {
    const int several = d->table.targets > 1;
    char *name = (char *)allocate(400, 1);
    const int at =
        snprintf(name, 400, "%.100s%s%.150s, ", several ? d->target[t] : "", several ? ": " : "", title);
    if (which) snprintf(name + at, 400 - (size_t)at, "unseen %.100s", d->group);
    else snprintf(name + at, 400 - (size_t)at, "%zu folds of %srows", v->folds, d->time ? "later " : "");
    out->name = name;
    out->value = value;
}

/* Names the scores of one of the contenders. */
static uint32_t name_scores(const data *d, const contender *c, const validation *all, size_t t,
                            size_t contender, sooth_score *out) {
    const validation v = validation_of(all, t, contenders_of_fit(c));
    uint32_t n = 0;
    for (int which = 0; which < (v.by_group ? 2 : 1); ++which) {
        const score *s = (which ? v.by_group : v.by_row) + contender;
        if (d->quantile) {
            name_score(d, &v, t, which, with_unit("pinball", d->target_unit[t]), s->pinball, &out[n++]);
            name_score(d, &v, t, which, "share at or below", s->below, &out[n++]);
            continue;
        }
        for (int k = 0; k < FIGURES; ++k)
            name_score(d, &v, t, which,
                       with_unit(figure_name[k], k == MAPE ? "%"
                                                 : k == R2 ? ""
                                                           : d->target_unit[t]),
                       s->mean.value[k], &out[n++]);
        if (s->error_90 == s->error_90) /* `sooth ptx --predict` derives intervals from it */
            name_score(d, &v, t, which, with_unit("90 % of errors within", d->target_unit[t]), s->error_90,
                       &out[n++]);
        if (s->binary.rows == 0) continue;
        name_score(d, &v, t, which, "log loss", s->binary.log_loss, &out[n++]);
        name_score(d, &v, t, which, "Brier score", s->binary.brier, &out[n++]);
        if (s->binary.auc == s->binary.auc) name_score(d, &v, t, which, "AUC", s->binary.auc, &out[n++]);
        name_score(d, &v, t, which, "calibration error", s->binary.calibration, &out[n++]);
    }
    return n;
}

/* Compares the model with the rules, on unseen groups if there are groups. */
static judgement judge(const data *d, const contender *c, const validation *all, size_t t) {
    const size_t count = contenders_of_fit(c);
    const validation v = validation_of(all, t, count);
    return score_judge(c, v.by_group ? v.by_group : v.by_row, count, score_measure(d, all, t));
}

static void add_scores(grid *g, const score *s) {
    for (int k = 0; k < FIGURES; ++k) {
        if (s->mean.value[k] != s->mean.value[k]) grid_add(g, "-");
        else if (k == R2) grid_add(g, "%.3f", s->mean.value[k]);
        else grid_add(g, "%s%s", human(s->mean.value[k], 3), k == MAPE ? " %" : "");
    }
}

/* Prints the scores next to those of the baseline, and warns of a model that does not beat it. */
static void print_scores(const data *d, const contender *c, const validation *all, size_t t) {
    const size_t count = contenders_of_fit(c);
    const validation v = validation_of(all, t, count);
    const judgement j = judge(d, c, all, t);
    const int last_two = c[j.rule].rule == LAST_TWO;
    char verdict[500], others[500];
    grid g;
    grid_init(&g, 1 + FIGURES, 1);
    grid_add(&g, "%s", d->table.targets > 1 ? d->target[t] : " ");
    grid_add(&g, "R2");
    grid_add(&g, "%s", with_unit("RMSE", d->target_unit[t]));
    grid_add(&g, "%s", with_unit("MAE", d->target_unit[t]));
    grid_add(&g, "MAPE");
    for (int which = 0; which < (v.by_group ? 2 : 1); ++which) {
        const score *s = which ? v.by_group : v.by_row;
        if (which) grid_add(&g, "unseen groups (each %.40s left out in turn)", d->group);
        else
            grid_add(&g, "%s rows%s (%zu folds)", d->time ? "later" : "unseen",
                     v.by_group ? " of known programs" : "", v.folds);
        add_scores(&g, s);
        const size_t rule = score_judge(c, s, count, score_measure(d, all, t)).rule;
        const int of_rows = c[rule].rule == MEAN || c[rule].rule == MEDIAN;
        grid_add(&g, "  %s%s", c[rule].name, of_rows ? " of the training rows" : "");
        add_scores(&g, &s[rule]);
    }
    printf("\n");
    grid_print(&g, stdout, "  ");
    if (v.by_group && v.by_group->worst_mape == v.by_group->worst_mape)
        printf("  Of %zu %.60ss left out, the median one has MAPE %s %%, the worst %s %% (%.60s).\n",
               v.groups, printable(d->group), human(v.by_group->group_mape, 3),
               human(v.by_group->worst_mape, 3), printable(d->group_name[v.by_group->worst_group]));
    for (int which = 0; which < (v.by_group ? 2 : 1); ++which) {
        const score *s = which ? v.by_group : v.by_row;
        if (s->binary.rows)
            printf("  %s  %s\n", which ? "unseen groups" : "unseen rows  ", binary_text(&s->binary));
        if (s->unbounded)
            printf("  %s: %s beyond the range of a float.\n",
                   which     ? "unseen groups"
                   : d->time ? "later rows"
                             : "unseen rows",
                   counted(s->unbounded, "prediction was", "predictions were"));
    }
    score_verdict(d, t, c, count, &v, verdict, sizeof verdict);
    if (*verdict) print_warning(verdict);
    else {
        score_lead(d, t, c, count, &v, others, sizeof others);
        printf("  %s\n", others);
    }
    score_others(d, t, c, &v, count, &j, others, sizeof others);
    if (*others) printf("  %s\n", others);
    if (last_two && !j.wins) printf("  %s\n", LAST_TWO_ADVICE);
    if (!v.by_group && t + 1 == d->table.targets)
        printf("  This does not apply to groups of rows (programs, users, machines) that are not in the "
               "table; see --group.\n");
    if (!v.by_group && t + 1 == d->table.targets && !d->time && *score_repeats_text(d))
        printf("  %s\n", score_repeats_text(d));
}

/* Writes the scores of the baseline, under the names of the model's, and whether the model is better. */
static void json_baseline(json *j, const data *d, const contender *c, const validation *v) {
    sooth_score *scores = (sooth_score *)allocate(MOST_SCORES, sizeof *scores);
    char verdict[500];
    json_open(j, "baseline", '{');
    for (size_t t = 0; t < d->table.targets; ++t)
        for (uint32_t i = 0, n = name_scores(d, c, v, t, judge(d, c, v, t).rule, scores); i < n; ++i)
            json_number(j, scores[i].name, scores[i].value);
    json_close(j, '}');
    json_open(j, "verdicts", '{');
    for (size_t t = 0; t < d->table.targets && !d->quantile; ++t) {
        const validation one = validation_of(v, t, contenders_of_fit(c));
        score_verdict(d, t, c, contenders_of_fit(c), &one, verdict, sizeof verdict);
        if (!*verdict) score_lead(d, t, c, contenders_of_fit(c), &one, verdict, sizeof verdict);
        json_text(j, d->target[t], verdict);
    }
    json_close(j, '}');
    free(scores);
}

enum { LESSON_SIZE = SOOTH_TRAIN_TEACHER_SIZE + 300 };

/* What the folds say of --teacher. */
typedef struct lesson {
    char teacher[SOOTH_TRAIN_TEACHER_SIZE]; /* "": none is given */
    int by, helps;
    score with, without;
} lesson;

/* Leaves out contender `out` of `count` from the scores. */
static void drop_scores(score *s, size_t targets, size_t count, size_t out) {
    size_t n = 0;
    for (size_t i = 0; s && i < targets * count; ++i)
        if (i % count != out) s[n++] = s[i];
}

/* The same for kept tests. */
static void drop_tests(held_out *h, size_t count, size_t out) {
    const size_t cells = h->tests * h->targets;
    if (h->predicted)
        memmove(h->predicted + out * cells, h->predicted + (out + 1) * cells,
                (count - 1 - out) * cells * sizeof *h->predicted);
}

/* Returns true if contender 0 has less loss than contender 1 by more than a standard error: that of the
   differences of groups, or of rows if groups is 0. */
static int is_lower(const held_out *h, int by, size_t groups) {
    const size_t units = groups ? groups : h->tests;
    double *sum = (double *)allocate(units, sizeof *sum), mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < h->tests; ++i) {
        const double y = (double)h->y[i], with = fabs((double)h->predicted[i] - y);
        const double without = fabs((double)h->predicted[h->tests + i] - y);
        const double size = by == MAPE ? fabs(y) : 1.0, weight = h->weight ? (double)h->weight[i] : 1.0;
        const int is_square = by == RMSE || by == FIGURES;
        if (!(size > 0.0)) continue;
        sum[groups ? h->group[i] : i] +=
            weight * (is_square ? with * with - without * without : (with - without) / size);
    }
    for (size_t k = 0; k < units; ++k) mean += sum[k] / (double)units;
    for (size_t k = 0; k < units; ++k) squares += (sum[k] - mean) * (sum[k] - mean);
    free(sum);
    return mean < 0.0 && mean * mean * (double)units * (double)(units - 1) > squares;
}

/* Tests the recipe, c[0], with and without its teacher, and keeps the teacher if the folds favour it. */
static void score_teacher(sooth_env *env, const data *d, contender c[1 + MOST_RULES], validation *v,
                          lesson *l) {
    const size_t count = contenders_of_fit(c) + 1;
    const int keeps = v->keeps;
    contender both[2 + MOST_RULES];
    both[0] = both[1] = c[0];
    both[1].recipe.teacher[0] = 0;
    memcpy(both + 2, c + 1, (count - 2) * sizeof *c);
    v->keeps = 1;
    validate_all(env, d, both, count, v);
    v->keeps = keeps;
    const score *s = v->by_group ? v->by_group : v->by_row;
    l->by = score_judge(both, s, count, score_measure(d, v, 0)).by;
    l->with = s[0];
    l->without = s[1];
    l->helps =
        is_lower(v->by_group ? &v->groups_tested : &v->rows_tested, l->by, v->by_group ? d->groups : 0);
    memcpy(l->teacher, c->recipe.teacher, sizeof l->teacher);
    c->recipe = both[!l->helps].recipe;
    drop_scores(v->by_row, d->table.targets, count, (size_t)l->helps);
    drop_scores(v->by_group, d->table.targets, count, (size_t)l->helps);
    drop_tests(&v->rows_tested, count, (size_t)l->helps);
    drop_tests(&v->groups_tested, count, (size_t)l->helps);
    if (!l->helps) return;
    const char *given = c->recipe.note ? c->recipe.note : "";
    char *note = (char *)allocate(strlen(given) + sizeof l->teacher + 20, 1);
    sprintf(note, "%s%staught by %s", given, *given ? "; " : "", l->teacher);
    c->recipe.note = note;
}

/* Formats what a teacher gains: "best: on unseen rows the MAPE is 5 % with it, 7 % without; the model learns
   with it"; "" without a teacher. */
static void lesson_text(const data *d, const lesson *l, const validation *v, char *text, size_t size) {
    *text = 0;
    if (!*l->teacher) return;
    snprintf(text, size, "%s: on %s the %s is %s with it, %s without; the model learns %s",
             printable(l->teacher),
             v->by_group ? "unseen groups"
             : d->time   ? "later rows"
                         : "unseen rows",
             score_figure_name(l->by), score_figure_text(d, 0, &l->with, l->by),
             score_figure_text(d, 0, &l->without, l->by),
             l->helps ? "with it"
             : score_figure(&l->with, l->by) < score_figure(&l->without, l->by)
                 ? "without it, since they differ by less than a standard error"
                 : "without it");
}

static void json_teacher(json *j, const lesson *l) {
    if (!*l->teacher) return;
    json_open(j, "teacher", '{');
    json_text(j, "model", l->teacher);
    json_text(j, "measure", score_figure_name(l->by));
    json_number(j, "with", score_figure(&l->with, l->by));
    json_number(j, "without", score_figure(&l->without, l->by));
    json_text(j, "model_learns", l->helps ? "with it" : "without it");
    json_close(j, '}');
}

static void write_json(const sooth_env *env, const data *d, const char *path, const char *kind,
                       const char *because, const sooth_model *model, const contender *c, const validation *v,
                       const lesson *l, const tuning *t, const char *warning) {
    const sooth_train_recipe *recipe = &c->recipe;
    sooth_model_parts parts;
    json j;
    sooth_model_open(model, &parts);
    json_begin(&j, stdout);
    json_text(&j, "file", path);
    json_count(&j, "bytes", model->head.size);
    json_text(&j, "model", kind);
    if (*because) json_text(&j, "model_because", because);
    data_json(d, &j);
    if (*warning) json_text(&j, "warning", warning);
    json_open(&j, "scores", '{');
    for (uint32_t i = 0; i < recipe->scores; ++i)
        json_number(&j, recipe->score[i].name, recipe->score[i].value);
    json_close(&j, '}');
    if (v->folds) json_baseline(&j, d, c, v);
    json_teacher(&j, l);
    if (t->on) tuning_json(t, &j);
    if (*recipe->ratio_to) json_text(&j, "ratio_to", recipe->ratio_to);
    if (parts.ratio) json_number(&j, "learner_share", (double)parts.ratio->share);
    if (model_best(model)) best_json(d, model, &j);
    json_intervals(&j, model);
    if (sooth_model_conformal(model, 0) && !sooth_model_conformal(model, 0)->claim.promise)
        json_text(&j, "interval_warning", env->sentence);
    json_end(&j);
}

/* Tests the recipe, c[0], and the rules of a fit on folds. Names the scores for the card. */
static void score_recipe(sooth_env *env, const data *d, contender c[1 + MOST_RULES], validation *v,
                         lesson *l) {
    sooth_score *scores = (sooth_score *)allocate(MOST_SCORES * d->table.targets, sizeof *scores);
    c->recipe.no_card = 1;
    rules_list(env, d, 1, &c->recipe, c + 1);
    if (*c->recipe.teacher) score_teacher(env, d, c, v, l);
    else validate_all(env, d, c, contenders_of_fit(c), v);
    c->recipe.no_card = 0;
    c->recipe.score = scores;
    for (size_t t = 0; t < d->table.targets; ++t)
        c->recipe.scores += name_scores(d, c, v, t, 0, scores + c->recipe.scores);
}

/* Fits the recipe, with an interval if a share is given (0: none), or with a calibrated probability. */
static sooth_status fit_model(sooth_env *env, const data *d, const sooth_train_recipe *recipe, double share,
                              sooth_calibrate_options *calibrate, sooth_model **model) {
    if (!(share > 0.0) && !calibrate->probability) return sooth_train_fit(env, &d->table, recipe, model);
    sooth_train_recipe own = *recipe;
    calibrate->level = share;
    own.calibrated = 1;
    own.calibrate = *calibrate;
    return sooth_train_fit(env, &d->table, &own, model);
}

/* Warns of a model that does not beat a rule, with the width of the rule's intervals next to its own. */
static void warn_of_width(const data *d, const contender *c, const validation *all, size_t t) {
    const validation v = validation_of(all, t, contenders_of_fit(c));
    const score *s = v.by_group ? v.by_group : v.by_row;
    const judgement j = judge(d, c, all, t);
    char text[300];
    if (j.wins || !(s->width <= DBL_MAX) || !(s[j.rule].width <= DBL_MAX)) return;
    snprintf(text, sizeof text,
             "on unseen %s the intervals of %.60s have a mean width of %s, those of %.60s %s",
             v.by_group ? "groups" : "rows", c->name, human(s->width, 3), rule_text(&c[j.rule]),
             human(s[j.rule].width, 3));
    print_warning(text);
}

/* Prints the intervals. If they are unbounded, the env's sentence has the reason. */
static void print_interval(const sooth_env *env, const data *d, const contender *c, const validation *v,
                           const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    const int bounded = parts.interval->claim.promise != SOOTH_CONFORMAL_NONE;
    printf("\n");
    for (uint32_t t = 0; bounded && t < model->head.targets; ++t) {
        char text[300];
        interval_text(sooth_model_conformal(model, t), text, sizeof text);
        printf("  interval    %s%s%s\n", model->head.targets > 1 ? printable(d->target[t]) : "",
               model->head.targets > 1 ? ": " : "", text);
    }
    if (!bounded) print_warning(env->sentence);
    for (size_t t = 0; bounded && v->folds && !v->upper && t < d->table.targets; ++t)
        warn_of_width(d, c, v, t);
    if (parts.adapt && target_zero(d, 0) * target_zero(d, 0) > 0.0)
        printf("  does not adapt to a new program: %s does not count from 0\n", printable(d->target[0]));
    else if (parts.adapt)
        printf("  adapts      to a new program, with a few of its launches: sooth next, sooth adapt\n");
    else if (d->group && bounded)
        printf("  does not adapt to a new program: %s\n",
               *env->sentence ? env->sentence : "it predicts several targets");
}

/* Returns the text of --note, extended by the device if a column names one and all rows have the same. */
static const char *note_of(const data *d, const char *given) {
    const size_t j = sooth_csv_find(&d->csv, GPU_COLUMN);
    char number[SOOTH_TEXT_NUMBER_SIZE], *note;
    const char *name;
    if (j == SOOTH_NONE || !d->csv.column[j].is_text) return given;
    for (size_t i = 0; i < d->table.rows; ++i)
        if (!(fabsf(d->csv.cell[d->row[i] * d->csv.cols + j] - d->csv.cell[d->row[0] * d->csv.cols + j]) <
              0.5f))
            return given;
    if ((name = text_of_cell(&d->csv, d->row[0], j, number)) == NULL) return given;
    note = (char *)allocate(strlen(name) + (given ? strlen(given) : 0) + 10, 1);
    if (given) strcat(strcpy(note, given), "; ");
    return strcat(strcat(note, GPU_NOTE), name);
}

/* Prints what predictions are multiples of, and how much of the learner is left beside this law. */
static void print_ratio(const data *d, const sooth_model *model, const char *sum) {
    const char *where = d->time ? "later rows" : "groups left out";
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if (!parts.ratio) return;
    printf("\n  ratio to    %s", printable(sum));
    for (uint32_t k = 0; strncmp(sum, "learn:", 6) == 0 && k <= parts.ratio->terms; ++k) {
        const sooth_ratio_term *term = sooth_ratio_terms(parts.ratio) + k;
        if (k < parts.ratio->terms)
            printf("%s%s*%s", k ? "+" : ": ", shortest(term->coefficient),
                   printable(d->table.names[term->column]));
        else if (parts.ratio->constant > 0.0f) printf("+%s", shortest(parts.ratio->constant));
    }
    printf("\n");
    if (!(d->time || d->group) || model_best(model)) return;
    if (parts.ratio->share <= 0.0f)
        printf("  law         answers alone: the learner does not beat it on %s\n", where);
    else if (parts.ratio->share < 1.0f)
        printf("  learner     counts %s, and the law alone the rest, by %s\n", shortest(parts.ratio->share),
               where);
    else printf("  learner     counts in full beside the law, by %s\n", where);
}

/* One run of `sooth fit`. */
typedef struct job {
    sooth_env *env;
    const arguments *args;
    const char *path, *name; /* of the model's file; of the kind or preset */
    const sooth_model_kind *kind;
    sooth_model *model;
    sooth_status status; /* not SOOTH_OK: the model is the best so far */
    char warning[SOOTH_ENV_SENTENCE];
    char because[160]; /* why a fit that names no model is a tree; "" if it is a best, or names one */
    int is_default;    /* no model is named */
    sooth_calibrate_options calibrate;
    validation v;
    contender c[1 + MOST_RULES]; /* the recipe and the rules */
    lesson lesson;
    tuning t;
    history h;
    page p;
    data d;
} job;

static int is_best(const job *b) { return b->kind->kind == SOOTH_KIND_BEST; }

/* A fit that names no model is a best, or else a tree. */
static void choose_kind(job *b, const char *name) {
    b->name = name;
    b->kind = model_named(name);
}

/* Chooses a tree if a flag is for one model. */
static void choose_by_flags(job *b) {
    static const char *const of_one[] = {"transform", "tune", "history", "memory", "teacher"};
    choose_kind(b, "best");
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one && !*b->because; ++i)
        if (arguments_has(b->args, of_one[i]))
            snprintf(b->because, sizeof b->because, "--%s is for one model", of_one[i]);
    for (size_t i = 0; i < b->args->givens && !*b->because; ++i)
        if (strcmp(b->args->given[i]->name, "set") == 0 && !recipe_is_set_of(b->kind, b->args->value[i]))
            snprintf(b->because, sizeof b->because, "--set %.60s is not an option of best",
                     b->args->value[i]);
    if (*b->because) choose_kind(b, "tree");
}

/* Chooses a tree if best cannot predict the target, or would take minutes. Returns whether best takes less
   effort, since the table is large. */
static int choose_by_table(job *b) {
    enum { MEDIUM = 160000, MOST = 2000000 }; /* cells; a minute of one core each */
    const sooth_table *t = &b->d.table;
    const size_t cells = t->rows * t->cols;
    if (t->targets > 1)
        snprintf(b->because, sizeof b->because,
                 "best predicts one target. For the best model of each, fit one --target at a time");
    else if (cells > MOST)
        snprintf(b->because, sizeof b->because, "best would take minutes; --model best takes them");
    else if (t->rows < 2) snprintf(b->because, sizeof b->because, "best compares at least 2 rows");
    if (*b->because) choose_kind(b, "tree");
    if (*b->because && !arguments_has(b->args, "folds")) b->v.folds = 5;
    return !*b->because && cells > MEDIUM;
}

/* Dies if --single is given for another kind, which flags or the table may have chosen. */
static void check_single(const job *b) {
    if (!arguments_has(b->args, "single") || is_best(b)) return;
    if (*b->because) die(BAD_USE, "--single is for best, but the model is a tree, since %s", b->because);
    die(BAD_USE, "--single is for best, not for %s", b->name);
}

/* Reads the flags of a fit to a table in memory; dies if they contradict each other. */
static void read_flags(job *b) {
    const arguments *args = b->args;
    b->v.folds = arguments_count(args, "folds", is_best(b) ? 0 : 5, 0, 1000000); /* best tests itself */
    b->v.repeats = 1;
    b->v.by = score_by(args);
    b->v.upper = arguments_has(args, "upper");
    b->v.interval = share_read(args, "interval", 0.0);
    if (arguments_has(args, "upper") && !(b->v.interval > 0.0)) die(BAD_USE, "--upper needs --interval");
    if (arguments_has(args, "calibrate") && b->v.interval > 0.0)
        die(BAD_USE,
            "--calibrate and --interval exclude each other: a probability already states its certainty");
    if (arguments_has(args, "time") && arguments_has(args, "group") &&
        (b->v.interval > 0.0 || arguments_has(args, "calibrate")))
        die(BAD_USE,
            "--%s is calibrated on later rows (--time) or on programs never seen (--group), not on both; "
            "leave out one of them",
            b->v.interval > 0.0 ? "interval" : "calibrate");
    b->v.seed = arguments_count(args, "seed", 0, 0, UINT32_MAX);
    if (b->v.folds == 1) die(BAD_USE, "--folds is 1, but must be 0 (none) or at least 2");
    tuning_read(b->env, args, b->name, &b->t);
    if (b->t.on) b->v.folds = 0; /* the outer folds test what the search chose */
    if (arguments_has(args, "teacher") && is_best(b))
        die(BAD_USE, "--teacher is for a small model; name one with --model, such as tree");
    if (arguments_has(args, "teacher") && !b->v.folds)
        die(BAD_USE, "--teacher needs folds that test it; leave out %s", b->t.on ? "--tune" : "--folds 0");
    history_read(args, &b->h);
    b->v.keeps = b->h.keeps = page_is_wanted(&b->p);
}

/* Prints how long the fit takes if that is more than five seconds, and makes its stages one bar. */
static void announce(const job *b) {
    static const char *const work[FIT_STAGES] = {"testing", "tuning", "fitting", "calibrating"};
    const double threads = b->env->workers ? (double)b->env->workers : 1.0;
    progress_stage stage[FIT_STAGES];
    double all = 0.0;
    size_t n = 0;
    plan_of_fit(&b->d, b->c, &b->v, &b->t, &b->calibrate, stage);
    for (size_t k = 0; k < FIT_STAGES; ++k) all += stage[k].seconds;
    progress_plan(stage, FIT_STAGES);
    if (all / threads < 5.0 || b->v.folds > b->d.table.rows) return; /* more folds are refused */
    fprintf(stderr, "this takes about %s with %s:", plan_text(all / threads),
            counted((size_t)threads, "thread", "threads"));
    for (size_t k = 0; k < FIT_STAGES; ++k)
        if (stage[k].seconds > 0.0)
            fprintf(stderr, "%s %s %s", n++ ? "," : "", work[k], plan_text(stage[k].seconds / threads));
    fprintf(stderr, "\n");
}

/* Reads the table, tests the recipe, searches its options, and fits it. */
static void learn(job *b) {
    char *const names[] = {(char *)(uintptr_t)b->name};
    data_open(b->env, b->args, recipe_centre(b->args, names, 1), &b->d);
    const int is_large = b->is_default && is_best(b) && choose_by_table(b);
    if (is_best(b)) recipe_keep_far(&b->d);
    check_single(b);
    b->c->name = b->name;
    b->d.takes_quantiles = 1;
    recipe_read(b->env, b->args, b->name, &b->d, &b->c->recipe);
    recipe_quantiles(&b->c->recipe, &b->d);
    if (b->d.quantile && (b->t.on || page_is_wanted(&b->p)))
        die(BAD_USE, "--%s does not support --quantiles; leave it out", b->t.on ? "tune" : "page");
    if (is_best(b) && arguments_has(b->args, "single")) b->c->recipe.options.best.single = 1;
    score_choose_by(&b->c->recipe, b->v.by);
    if (is_large && !b->c->recipe.options.best.effort) b->c->recipe.options.best.effort = SOOTH_BEST_LOW;
    calibration_read(b->args, &b->d, b->v.seed, &b->calibrate);
    if (b->calibrate.probability) b->c->calibrate = &b->calibrate;
    b->c->recipe.note = note_of(&b->d, arguments_text(b->args, "note"));
    if (!arguments_has(b->args, "folds") && b->v.folds > b->d.table.rows) b->v.folds = b->d.table.rows;
    announce(b);
    if (b->v.folds) score_recipe(b->env, &b->d, b->c, &b->v, &b->lesson);
    if (b->t.on) tuning_run(b->env, &b->d, &b->c->recipe, &b->t);
    if (b->t.on) tuning_score(&b->d, &b->t, &b->c->recipe);
    history_listen(&b->h, b->env);
    b->status = fit_model(b->env, &b->d, &b->c->recipe, b->v.interval, &b->calibrate, &b->model);
    progress_clear();
    if (!b->model) learn_failed(&b->d, b->kind->name, b->status, b->env);
    history_check(&b->h, b->kind->name);
    recipe_warning(b->env, &b->d, b->kind, &b->c->recipe, b->model, b->warning);
}

/* Writes the model to the file that is open, then its losses and its page. */
static void write_files(job *b, FILE *file) {
    const char *const others[] = {b->d.path, b->path};
    model_write(b->env, b->model, b->d.zero, file);
    output_close();
    history_write(&b->h, others, 2);
    if (!page_is_wanted(&b->p)) return;
    char gained[LESSON_SIZE];
    lesson_text(&b->d, &b->lesson, &b->v, gained, sizeof gained);
    const page_fitted f = {&b->d, b->c, &b->v, &b->t, &b->h, b->model, b->kind->title, b->path, gained};
    page_fit(&b->p, b->env, &f);
    page_write(&b->p, others, 2);
}

/* What answers: the kind's title, unless best has chosen one model or a rule. */
static const char *title_of(const job *b) {
    const sooth_best *best = model_best(b->model);
    return !best || best->verdict == SOOTH_BEST_AVERAGE ? b->kind->title
           : best->verdict == SOOTH_BEST_SINGLE         ? "best of several models"
                                                        : "rule";
}

/* Names categories that have another level in every row. */
static void print_names(const data *d) {
    for (size_t j = 0; d->levels && j < d->table.cols; ++j) {
        const sooth_levels_column *c = sooth_levels_columns(d->levels) + j;
        if (c->categorical && d->table.rows > 2 && (size_t)c->count + c->lost == d->table.rows)
            printf("  identifier  %s is another name in every row; --drop it if it only names the row\n",
                   listed(d->table.names[j]));
    }
}

/* Names the columns with more levels than a split on sets of levels tells apart. */
static void print_classes(const job *b) {
    enum { CLASSES = 256 };
    const data *d = &b->d;
    const uint32_t encode = b->c->recipe.encode;
    const int by_default = encode == SOOTH_TRAIN_ENCODE_AUTO && takes_missing(b->kind); /* trees */
    if (encode != SOOTH_TRAIN_ENCODE_NATIVE && !by_default) return;
    for (size_t j = 0; d->levels && j < d->table.cols; ++j)
        if (sooth_levels_columns(d->levels)[j].count > CLASSES)
            printf("  classes     trees tell %d levels of %s apart, the most frequent ones, and take the "
                   "others as one; with --encode target each level has a number of its own\n",
                   CLASSES - 1, listed(d->table.names[j]));
}

static void print_text(const job *b) {
    const data *d = &b->d;
    char gained[LESSON_SIZE];
    heading(stdout, "%s: %s from %s, %s\n", title_of(b), targets_text(d),
            counted(d->table.cols, "feature", "features"), counted(d->table.rows, "row", "rows"));
    data_notes(d, stdout);
    print_classes(b);
    print_names(d);
    if (*b->because) printf("  model       tree, since %s\n", b->because);
    else if (b->is_default)
        printf("  model       best, since none is named: several are compared; --model tree is quick and "
               "small\n");
    if (*b->warning) print_warning(b->warning);
    if (b->v.folds && d->quantile) score_print_quantiles(d, b->c, contenders_of_fit(b->c), &b->v);
    for (size_t t = 0; b->v.folds && !d->quantile && t < d->table.targets; ++t)
        print_scores(d, b->c, &b->v, t);
    print_ratio(d, b->model, b->c->recipe.ratio_to);
    lesson_text(d, &b->lesson, &b->v, gained, sizeof gained);
    if (*gained) printf("\n  teacher     %s\n", gained);
    if (model_best(b->model)) best_print(d, b->model);
    else if (!b->v.folds && !b->t.on)
        printf("  not tested  its errors on unseen rows are unknown (--folds 0)\n");
    if (b->t.on) tuning_print(d, &b->t);
    if (b->v.interval > 0.0) print_interval(b->env, d, b->c, &b->v, b->model);
    if (b->calibrate.probability) printf("\n  predicts    %s\n", probability_text(b->model));
    if (b->v.interval > 0.0 && b->t.on)
        printf("  The options were chosen on the rows that calibrate the interval: it may be somewhat "
               "narrow.\n");
    print_cost(b->path, b->model);
}

static int run(const arguments *args) {
    job b;
    size_t one;
    memset(&b, 0, sizeof b);
    b.args = args;
    b.env = env_open(args);
    b.path = arguments_text(args, "output");
    b.name = arguments_text(args, "model");
    if (!b.path) die(BAD_USE, "-o FILE is missing: the file to write the model to");
    page_read(args, &b.p);
    if (page_is_wanted(&b.p) && (arguments_has(args, "budget") || arguments_has(args, "memory")))
        die(BAD_USE, "--page reports one model of a table in memory; it excludes --budget and --memory");
    for (size_t k = 0; k < 4; ++k) {
        const char *const search = k % 2 ? "budget" : "memory", *const other = k / 2 ? "teacher" : "ratio-to";
        if (arguments_has(args, search) && arguments_has(args, other))
            die(BAD_USE, "--%s does not support --%s; leave one of them out", search, other);
    }
    if (arguments_has(args, "budget")) return budget_run(b.env, args, b.path);
    if (arguments_has(args, "for") || arguments_has(args, "front"))
        die(BAD_USE, "--%s needs --budget", arguments_has(args, "for") ? "for" : "front");
    if (arguments_has(args, "spill") && !arguments_has(args, "memory"))
        die(BAD_USE, "--spill needs --memory");
    if (!b.name && arguments_has(args, "quantiles")) b.name = "boost";
    b.is_default = !b.name;
    if (b.is_default) choose_by_flags(&b);
    else choose_kind(&b, b.name);
    check_single(&b);
    char *models[1] = {split_list(b.name, &one)[0]};
    recipe_check_sets(args, models, 1);
    if (arguments_has(args, "memory")) return large_run(b.env, args, b.path, b.name);
    read_flags(&b);
    FILE *file = output_model(b.path, arguments_has(args, "force"), args->word, 1);
    learn(&b);
    write_files(&b, file);
    if (b.status != SOOTH_OK)
        die(BAD_INPUT, "%s: %s: %s; %s is the best so far", b.d.path, b.kind->name, b.env->sentence, b.path);
    if (arguments_has(args, "json")) {
        write_json(b.env, &b.d, b.path, b.kind->name, b.because, b.model, b.c, &b.v, &b.lesson, &b.t,
                   b.warning);
        page_name(&b.p, stderr);
        return finish();
    }
    print_text(&b);
    page_name(&b.p, stdout);
    return finish();
}

const command fit_command = {
    .name = "fit",
    .summary = "fit a model to a table and write it to a file",
    .usage = "DATA.csv --target COLUMN -o FILE [options]",
    .least = 1,
    .most = 1,
    .text =
        "Fits a model that predicts one column of a CSV file, or several, from other columns. Writes "
        "the model to FILE. DATA.csv may be - for the standard input.\n\n"
        "Text columns are ignored unless --features or --categorical names them; they are then "
        "categories. The model file holds their dictionary. A level that is not in the dictionary "
        "counts as a missing value. --derive makes features of dates.\n\n"
        "Rows without the target are left out. Missing features (empty cells, NA, #DIV/0!, ...) are "
        "passed to the model; trees accept them. `sooth help tables` lists the words for missing, and the "
        "units.\n\n"
        "Floats merge neighbours in columns of seconds since 1970, dates such as 20260131, ids or bytes. "
        "Such columns and targets count from a number near them, which the file holds. `sooth predict`, "
        "explain, describe, adapt and next subtract it, too; other commands refuse the file. With log, "
        "log-target, --calibrate, --page, --budget, --memory or a law nothing is subtracted, and a line "
        "tells "
        "what is merged. So it does if no number is near most of the values that are merged, and for the "
        "target of best with relative errors: --by mre, or values that span more than a quarter of their "
        "size.\n\n"
        "The file holds names, units (\"Power [W]\"), training ranges, options, scores and transforms. "
        "The same data, options and seed give the same bytes on every machine. FILE appears only when "
        "complete, and replaces a file only with --force.\n\n"
        "The scores on left-out rows and groups stand next to those of the best rule: `sooth help validate` "
        "lists the rules. A warning reports a model that is no better, with both figures. --by names the "
        "error that decides.\n\n"
        "--quantiles 0.5,0.9,0.99 fits one boosted model (--model boost, or a preset of it) of several "
        "quantiles: the median, what 90 % of the rows stay below, and 99 %. `sooth predict` writes a column "
        "for each. Scores are the pinball loss, next to that of the same quantile of the training rows, and "
        "the share of left-out rows at or below.\n\n"
        "--ratio-to \"tokens+length+500\" is for a target that grows with a sum of columns, such as a wait "
        "behind a queue. Trees predict no more than the largest target that they have seen. With a ratio "
        "they "
        "learn what is left of this law: the logarithm of the target over the sum. Quantiles and intervals "
        "are multiples of it, too. The law alone, the sum times a constant, is a rule among the scores. With "
        "--group or --time five more fits on rows held out tell how much of the learner counts, and a line "
        "reports it; where it does not beat the law, the law answers alone. Rows whose sum is not above 0 "
        "are "
        "refused; predictions of such rows are missing.\n\n"
        "--teacher best is for a model that has to be small, such as --model tree --set max_leaves=31. It "
        "then predicts more like the larger one. Folds, intervals and all errors fit the teacher without "
        "the rows that they test, so the fit takes as many times longer. The teacher counts if the error is "
        "lower by more than a standard error. A column of another model's "
        "predictions cannot replace it, but can be the --target itself: --drop the true one then, and test "
        "the model by `sooth predict` on rows that the other has not seen.\n\n"
        "--interval fits the model again for each program left out (in 20 parts for more than 20 "
        "programs). The interval then holds for programs never seen. With too few programs for the level it "
        "is "
        "unbounded, and a warning reports how many are needed.\n\n"
        "For a target of 0 and 1 (will it time out), --model boost or mlp with --set loss=logistic "
        "predicts the probability of a 1. The scores then include log loss, Brier score, AUC and "
        "calibration error. --calibrate does the same for any model, or calibrates the probability for "
        "programs never seen.\n\n"
        "Without --model, and with --model best, sooth compares rules (median, mean, linear, power law) and "
        "learners on folds of whole "
        "groups, "
        "averages those that help, and fits them to all rows. It prints what it chose, and answers with a "
        "rule if nothing beats it. --set effort=low is faster, --single keeps one model, --set "
        "error=rmse, mae or mre chooses by that error. 300 rows take about 3 seconds of one core, 3,000 rows "
        "of 8 columns about 20. Below 100 rows all is repeated four times, in 3 to 8 seconds. A large table "
        "gets less effort, so that it takes about a minute.\n\n"
        "With --time, best is chosen on later rows, of any group, each predicted from earlier ones; the last "
        "rows count most. --interval and --calibrate then use later rows, too, and exclude --group: they "
        "hold "
        "for later rows or for programs never seen.\n\n"
        "With several targets, --transform, --tune, --history, --memory, an option of a tree in --set, or "
        "more than two million cells, a fit without --model is a tree, and prints the reason.\n\n"
        "--tune searches options and reports what the search gains: the error on folds never seen, "
        "next to that of the given options and of the median. If the search does not pay, the model has the "
        "given options.\n\n"
        "--budget fits several dozen models that a microcontroller can hold: scaling laws, linear models "
        "(also with logarithms or products of columns), trees, forests, boosting and networks, where "
        "the target spans a factor of three also with its logarithm. Of those whose exported C fits, it "
        "keeps the one with the lowest error on folds, of whole groups with --group. --by names the error. "
        "If none beats the best constant, the constant is the answer. It prints the error and that of the "
        "constant, both chosen anew without each fold, and the `sooth export` command.\n\n"
        "If training stops before it converges, the best model so far is written and the exit "
        "status is 1.\n\n"
        "With a table that `sooth ptx --launches` writes, drop the other measured columns (--drop "
        "time). The units keep the form of the features, and the note keeps the device. `sooth ptx "
        "--predict` reads both.",
    .example =
        "sooth fit power.csv --target Power --group benchmark --model tree --set max_depth=10 -o power.sooth",
    .flags = flags,
    .run = run};
