/* model_cli.h - models in the command: fitting, testing, tuning and predicting.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The folder holds the commands fit, validate, predict, next, adapt, describe, explain, import and export,
 * one file each, and what they share:
 *
 *   describe.c   opening a model file, its card as text, trust, costs
 *   rows.c       rows of a table as the features of a model
 *   recipe.c     models, their options, transforms, warnings
 *   score.c      tests by cross-validation, on rows and on whole groups
 *   rules.c      the simple rules that a model has to beat
 *   tune.c       the search of --tune
 *   best.c       what a model of kind best compared and chose
 *   history.c    losses per step
 *   plan.c       how long fits take
 *   budget.c     sooth fit --budget, sooth describe --for
 *   large.c      sooth fit --memory
 *   settings.c   sooth next for spaces of settings
 *   page_held.c, page_fit.c  sections of pages (pages.h)
 *
 * It includes app and table.
 */
#ifndef CLI_MODEL_CLI_H
#define CLI_MODEL_CLI_H

#include "../table/table.h"
#include "sooth/train.h"
#include "sooth/validation.h"
#include "sooth/model.h"

/* ---- best.c ---- */

/* Returns the predictor of kind best; NULL if the model has another. */
const sooth_best *model_best(const sooth_model *model);

/* Print and write what a best compared and chose. */
void best_print(const data *d, const sooth_model *model);
void best_json(const data *d, const sooth_model *model, json *j);

/* ---- describe.c ---- */

/* Reads and checks a model file; dies on errors. *zero: what the features and then the targets of the model
   count from; NULL if that is 0 for all. Dies for such a model if `zero` is NULL: the caller takes none. */
sooth_model *model_open(sooth_env *env, const char *path, const double **zero);

/* Dies because column j of the model, a feature or after them a target, counts from another number than 0. */
void refuse_zero(const char *path, const sooth_model *model, const double *zero, size_t j) NEVER_RETURNS;

/* Writes a model to its file, in an envelope with what its columns count from (NULL: 0). */
void model_write(sooth_env *env, const sooth_model *model, const double *zero, FILE *file);

/* Prints a line for each column that counts from another number than 0. */
void print_zeros(const sooth_model *model, const double *zero, FILE *to);

/* Prints the bytes of the model's file and the cost of one prediction. */
void print_cost(const char *path, const sooth_model *model);

/* Prints a line for each feature that the command derives from a date. */
void print_derived(const sooth_model *model, FILE *to);

/* Formats an interval: "90 % of the rows of a program never seen (43 programs, 887 rows): the prediction
   / 1.31 to x 1.31". */
void interval_text(const sooth_conformal *interval, char *text, size_t size);

/* Returns true if the interval has only an upper end. */
int interval_upper(const sooth_conformal *interval);

/* Returns how a model that predicts a probability is calibrated, such as "a sigmoid of its output: ..."; else
   "". */
const char *probability_text(const sooth_model *model);

/* Writes "intervals": [{...}], one for each target, and "adapts": true or false, if the model has them. */
void json_intervals(json *j, const sooth_model *model);

/* ---- rows.c ---- */

enum { MOST_SIMILAR = 6 };

/* Levels that the model does not know, and for each one that it has and that may be meant. */
typedef struct similar {
    const char *asked[MOST_SIMILAR], *has[MOST_SIMILAR];
    size_t count, compared; /* unknown levels with a similar one; all unknown levels */
} similar;

/* Rows that a model predicts. */
typedef struct model_rows {
    table_file file;
    size_t *column;             /* per feature of the model: its column */
    const sooth_levels *levels; /* of the model's categories; NULL: it has none */
    size_t *unknown;            /* per feature: cells whose level is unknown to the model */
    similar *similar;           /* per feature */
    const double *zero;         /* what the features and then the targets count from; NULL: 0 */
    const char *bytes;          /* that csv was read from */
    size_t size;
} model_rows;

/* Reads a table and finds each feature of the model by --features or else by its name on the card (NULL: no
   card). zero is that of model_open. If no name is found but the number of numeric columns equals the number
   of features, takes these in their order and says so on stderr. Features whose numbers floats merge are told
   there, too. Converts columns to the units of the card. Dies if a feature is missing, is text or has a unit
   that cannot be converted. how->names are those of csv_read; categories are names, too. */
void csv_open_for_model(sooth_env *env, const arguments *args, const char *path, const char *model_path,
                        const sooth_model *model, const double *zero, const sooth_model_card *card,
                        const sooth_csv_options *how, model_rows *rows);

/* Returns a column as numbers of target t of the model, in memory of their own. NaN: missing. */
float *target_column(const model_rows *rows, size_t features, size_t t, size_t column);

/* Returns true if a column, features first and then targets, counts from another number than 0. */
int is_centred(const double *zero, size_t j);

/* Returns the features of every row in the model's order, in memory of their own. Levels become codes; levels
   that are unknown to the model become missing values, and are counted. */
float *features_of(const model_rows *rows, size_t features);

/* Like features_of, but returns the cells of the table if they are the features. *stride: floats from one row
   to the next. */
const float *features_in(const model_rows *rows, size_t features, size_t *stride);

/* Print "unknown     user 3, queue 1 ..." and similar levels that the model has, or write it as JSON; nothing
   if the model knows all levels. */
void unknown_print(const model_rows *rows, FILE *to);
void unknown_json(const model_rows *rows, json *j);

/* Returns the text of a feature's value: the name of a level, a number, "missing". */
const char *value_text(const sooth_levels *levels, size_t feature, float value);

/* Returns the model's predictions: rows x targets, in memory of their own. stride: as of features_in. */
float *predictions_of(sooth_env *env, const sooth_model *model, const float *x, size_t rows, size_t stride);

/* Returns "inside", "edge" or "outside" for a SOOTH_TRUST_ value. */
const char *trust_word(uint32_t trust);

/* Returns "0.950", or "-" if R2 is not defined: of one row, or of targets that are all the same. */
const char *r2_text(double r2);

/* How far to trust the prediction of each row. */
typedef struct trusts {
    size_t rows, of[3];           /* of[SOOTH_TRUST_...]: number of rows */
    const char **word, **feature; /* per row: its trust, and the feature that is farthest out, or "" */
} trusts;
void trusts_new(trusts *all, size_t rows);
void trusts_set(trusts *all, const model_rows *rows, size_t row, uint32_t trust, uint32_t feature);
void trusts_print(const trusts *all, FILE *to);
void trusts_json(const trusts *all, json *j);

/* ---- adapt.c ---- */

/* A model that adapts, and measured launches. */
typedef struct adapting {
    sooth_env *env;
    const arguments *args;
    const char *model_path;
    sooth_model *model;
    sooth_model_parts parts;
    const double *zero;       /* what its features count from; NULL: 0 */
    int may_fail;             /* a launch without a value failed: sooth next; else that is an error */
    const char *target;       /* its name */
    const char *path;         /* of the measured launches; NULL: none */
    model_rows measured;      /* no rows if none */
    float *x, *predicted, *y; /* of these rows; y NaN: the launch failed */
    size_t failed;            /* of these rows */
    const char *group;        /* --group, column that names the program; NULL: all rows belong to one */
    const char **name;        /* columns that may name the program: --group, or those of `sooth fit` */
    size_t named;
    const char **program; /* without --group: the programs that every row so far may belong to; */
    size_t programs;
    const char *program_path; /* the file of the first of these rows */
    size_t doubted;           /* measurements that contradict the others, */
    uint32_t doubted_line;    /* the line of the first of them */
} adapting;

/* Opens the model; dies if it does not adapt. */
void adapting_open(sooth_env *env, const arguments *args, const char *path, adapting *a);

/* Reads the measured launches. Dies if a value is missing (unless may_fail is set) or impossible, and if rows
   belong to several programs without --group. */
void adapting_measured(adapting *a, const char *path);

/* Dies unless the rows of a table, and of the tables before, belong to one program. Tables and rows that do
   not name it belong to any. */
void adapting_one_program(adapting *a, const char *path, const sooth_csv *csv);

/* Initialises `memory` as a program whose measured rows are known: those with this name in the column of
   groups, or all rows if name is NULL. */
sooth_adapt_program *adapting_program(adapting *a, const char *name, void *memory);

/* ---- settings.c ---- */

int next_settings(const arguments *args); /* sooth next SPACE.csv */

/* ---- recipe.c ---- */

/* Fills a recipe for the model of this name from --set, --transform, --seed; dies if they are invalid. */
#define QUANTILES_FLAG                                                                                      \
    {                                                                                                       \
        "quantiles", 0, "A,B,...",                                                                          \
            "several quantiles of the target from one boosted model, such as 0.5,0.9,0.99, which never "    \
            "cross. Its "                                                                                   \
            "targets are TARGET_p50, TARGET_p90, TARGET_p99. Scores are the pinball loss and the share of " \
            "rows at "                                                                                      \
            "or below the quantile",                                                                        \
            0                                                                                               \
    }

/* Makes each of several quantiles of a recipe a target of the table. Dies if the table has several
   targets. */
void recipe_quantiles(sooth_train_recipe *recipe, data *d);

void recipe_read(sooth_env *env, const arguments *args, const char *model, const data *d,
                 sooth_train_recipe *recipe);

/* Returns the roles whose columns may count from another number than 0 for all these models: a sum of
   CENTRE_. Logarithms, relative errors and laws need the numbers themselves. */
int recipe_centre(const arguments *args, char *const *models, size_t count);

/* For best: targets that are not near each other count from 0 again, although floats merge some of them. Its
   errors are relative then, and it tries logarithms. */
void recipe_keep_far(data *d);

/* Dies unless every --set names an option of one of these models. */
void recipe_check_sets(const arguments *args, char *const *models, size_t count);

/* Returns whether "OPTION=VALUE" of --set is an option of this kind. */
int recipe_is_set_of(const sooth_model_kind *kind, const char *set);

/* Returns the space that --tune searches: the options whose --set is a list or a range; without any, the
   model's default space minus the options that --set fixes. */
const char *recipe_space(const arguments *args, const char *model);

/* Prints "  warning     ..." */
void print_warning(const char *text);

/* Stores a sentence about a table that spoils this kind of model, fitted to it (NULL: it is fitted if that is
   needed); "" if there is nothing to warn of. */
void recipe_warning(sooth_env *env, const data *d, const sooth_model_kind *kind,
                    const sooth_train_recipe *recipe, const sooth_model *model,
                    char text[SOOTH_ENV_SENTENCE]);

/* Returns the kind of this name, or dies with a suggestion. */
const sooth_model_kind *model_named(const char *name);

#define RECIPE_FLAGS                                                                                    \
    {"set", 's', "OPTION=VALUE",                                                                        \
     "set an option of the model (sooth help tree). With several models, use MODEL.OPTION=VALUE", 1},   \
        {"transform", 'x', "LIST",                                                                      \
         "transforms that become part of the model. Of the features: log (log(1+x)); one of standard, " \
         "minmax, robust, none; and clip (to the training range). Of the target: log-target. Example: " \
         "log,standard,log-target. Default: see `sooth help MODEL`",                                    \
         1},                                                                                            \
        {"ratio-to", 0, "SUM",                                                                          \
         "learn the logarithm of the target over this sum of columns, and predict its multiple, also "  \
         "where the sum is larger than any in the table: such as \"tokens+2.5*length+500\", or "        \
         "\"learn:tokens+length\" for coefficients by non-negative least squares. With --group or "     \
         "--time the learner is shrunk to this law where it does not beat it on rows held out",         \
         0},                                                                                            \
        {"encode", 0, "HOW",                                                                            \
         "encoding of categories. native, the default of trees, forests, boosting and best: the model " \
         "splits sets of levels. target, of other models: mean target of earlier rows with this "       \
         "level, in a random order. target-in-time: the same in the order of the table, or of --time. " \
         "ordinal: a number",                                                                           \
         0},                                                                                            \
        {"seed", 0, "N", "seed of all random numbers; default 0", 0}, THREADS_FLAG

#define CALIBRATE_FLAGS                                                                                   \
    {"upper", 0, NULL, "intervals with only an upper end: how long to reserve if longer runs are killed", \
     0},                                                                                                  \
    {                                                                                                     \
        "calibrate", 0, "METHOD",                                                                         \
            "for a target of 0 and 1: predict the probability of a 1, calibrated by five-fold "           \
            "cross-validation over rows (programs with --group). sigmoid: Platt's two parameters. "       \
            "isotonic: any increasing steps; needs about a thousand rows",                                \
            0                                                                                             \
    }

/* Reads --calibrate and --upper; probability is 0 without --calibrate. */
void calibration_read(const arguments *args, const data *d, uint32_t seed, sooth_calibrate_options *options);

/* ---- score.c ---- */

enum { R2, RMSE, MAE, MAPE, FIGURES }; /* MAPE in per cent */

typedef struct figures {
    double value[FIGURES];
} figures;

enum rule { NO_RULE, MEAN, MEDIAN, KEY_MEDIAN, NEAREST, COLUMN, LAST_TWO };

/* A tested predictor: a recipe, or a rule of rules.c. Rules follow the models; the mean and the median of the
   training targets are the last. */
typedef struct contender {
    const char *name;
    int is_rule;    /* some rules are recipes */
    enum rule rule; /* NO_RULE: the recipe */
    int key;        /* KEY_MEDIAN: a feature; -1: the group */
    sooth_train_recipe recipe;
    const sooth_calibrate_options *calibrate; /* NULL: the recipe alone */
    const char *warning;                      /* of recipe_warning; NULL: none */
} contender;

typedef struct score {
    figures mean, sd;              /* over the repeats; sd is NaN for one repeat */
    size_t zeros;                  /* rows with the target 0, which have no percentage error */
    size_t unbounded;              /* invalid predictions; if any, there are no figures */
    double group_mape, worst_mape; /* leave one group out: median over the groups, and the worst group */
    uint32_t worst_group;
    /* of intervals calibrated on the tests of the other folds: share of a fold's targets inside (each group
       counts once), and mean width; with upper ends only, mean distance above the target, 0 if below; NaN:
       not tested */
    double held, width;
    double shuffled_held;     /* the same share of left-out groups, calibrated on left-out rows */
    sooth_conformal interval; /* calibrated on all tests; empty if not tested */
    /* mean over the repeats, if all targets are 0 or 1 and the predictions are probabilities; else its rows
       are 0 */
    sooth_metrics_binary binary;
    double pinball, below; /* of a quantile: mean loss, and share of the tests at or below it */
    double error_90;       /* 90 % quantile of the absolute errors of the first repeat; NaN: too few rows */
} score;

/* Target and prediction of every test of the first repeat. */
typedef struct held_out {
    size_t tests, targets;
    const float *y;   /* [test][target] */
    float *predicted; /* [contender][test][target] */
    uint32_t *row;    /* of each test in the table */
    uint32_t *group;  /* of each test: its row's group, or the group left out; NULL: none */
    float *weight;    /* of each test: its row's weight; NULL: each counts once */
} held_out;

/* Scores of contenders on left-out rows, and on left-out groups if the table has groups. */
typedef struct validation {
    size_t folds, repeats;
    uint32_t seed;
    double interval; /* share that intervals promise; 0: not tested */
    int upper;       /* only their upper ends */
    int by;        /* figure that decides: RMSE, MAE or MAPE; R2: MAPE if the target is above 0, else RMSE */
    size_t groups; /* left out one at a time; 0: none */
    score *by_row; /* per target and contender */
    score *by_group;   /* NULL without groups */
    double straddling; /* per repeat: rows tested while a row with the same features was in training */
    int keeps;         /* keep the tests themselves: */
    held_out rows_tested, groups_tested; /* no tests of groups if there are none */
} validation;

enum { BASELINES = 2 }; /* the last contenders of a comparison: the mean, then the median */

/* Prints the scores of several quantiles next to those of the training rows' own. */
void score_print_quantiles(const data *d, const contender *c, size_t count, const validation *v);

/* Makes the two baselines contenders. */
void score_baselines(contender baseline[BASELINES]);

/* Returns the share of the error of a constant that a contender removes: of the mean's RMSE or log loss, of
   the median's MAE or MAPE. score_skill_name returns "median's MAPE". */
double score_skill(const score *s, size_t contender, size_t count, int by);
const char *score_skill_name(int by);

/* How a comparison ends. */
typedef struct judgement {
    int by;      /* the figure that decides; FIGURES: the log loss */
    size_t best; /* the model with the least; count if none has one */
    size_t rule; /* the rule with the least */
    int wins;    /* the model has less than the rule */
} judgement;

/* Returns --by, or R2 without it. */
int score_by(const arguments *args);

/* Returns the figure that decides for target t. */
int score_measure(const data *d, const validation *v, size_t t);

/* Compares the best model with the best rule. For two classes the log loss decides if a model predicts
   probabilities. s: scores of one target and one kind of test. */
judgement score_judge(const contender *c, const score *s, size_t count, int by);

/* Returns the figure of a contender, NaN if it has none; with its name, "MAPE"; with its unit, "35 %". */
double score_figure(const score *s, int by);
const char *score_figure_name(int by);
const char *score_figure_title(int by); /* "Mean relative error (MAPE)" */
const char *score_figure_text(const data *d, size_t t, const score *s, int by);

/* Returns "the median", "the linear rule". */
const char *rule_text(const contender *c);

/* Returns how many contenders come before the first rule. */
size_t models_of_contenders(const contender *c, size_t count);

/* Returns true if another model that beats the rules has the same figure as the best, in three digits. */
int score_ties(const contender *c, const score *s, const judgement *j, size_t other);

/* Formats the figure to quote: "For an unseen program its MAPE is 24 %; the best rule here, the median, has
   23.4 %." for the first contender. */
void score_lead(const data *d, size_t t, const contender *c, size_t count, const validation *v, char *text,
                size_t size);

/* Returns "later rows of the same programs": what left-out rows stand for. */
const char *score_rows_text(const data *d, const validation *v);

/* Returns that many rows repeat the features of others, which random folds do not keep together; "" if few
   do. */
const char *score_repeats_text(const data *d);

/* Makes a best choose by this figure, unless its own option names one; R2: by its own default. Dies if both
   are given and differ. */
void score_choose_by(sooth_train_recipe *recipe, int by);

/* Formats a sentence about other measures by which the comparison ends otherwise, or about --by if it cannot
   decide; "" if there is none. */
void score_others(const data *d, size_t t, const contender *c, const validation *v, size_t count,
                  const judgement *j, char *text, size_t size);

#define BY_FLAG                                                                                              \
    {                                                                                                        \
        "by", 0, "MEASURE",                                                                                  \
            "error that decides which model is best, and whether it beats the rules: rmse, mae or mre, the " \
            "mean relative error (MAPE). Default mre if the target is above 0, else rmse",                   \
            0                                                                                                \
    }

/* Fits and tests every contender on every fold, in parallel if env can. The caller sets folds, repeats and
   seed. */
void validate_all(sooth_env *env, const data *d, const contender *contenders, size_t count, validation *v);

/* Computes the figures of probabilities. Returns 0 if a target is neither 0 nor 1, or a prediction lies
   outside of 0 to 1. */
int binary_of(const float *actual, const float *predicted, const float *weight, size_t rows,
              sooth_metrics_binary *out);

/* Returns "log loss 0.41 (always predicting 48 %: 0.69), Brier 0.13 (0.25), AUC 0.87, calibration error
   0.05". */
const char *binary_text(const sooth_metrics_binary *binary);
void json_binary(json *j, const sooth_metrics_binary *binary);

/* Returns the mean absolute percentage error of a target that counts from zero, as sooth_metrics_compute does
   for one that counts from 0. weight may be NULL. */
double mape_from(double zero, const float *actual, const float *predicted, const float *weight, size_t count,
                 size_t *zeros);

/* Formats "no better than the median of the training rows on unseen rows and on unseen groups: MAPE 39.1 %,
   the median 35.3 %" for the first contender; "" if it beats the rules on both. v: of target t. */
void score_verdict(const data *d, size_t t, const contender *c, size_t count, const validation *v, char *text,
                   size_t size);

/* Returns the part of v about target t. */
validation validation_of(const validation *v, size_t t, size_t contenders);

/* ---- plan.c: of a comparison ---- */

enum { MINUTE = 60 }; /* seconds that a command takes for what nobody asked for, at most */

/* Returns true if the largest target is three times the smallest or more, and all are above 0: best and
   --budget then try the logarithm, too. */
int is_wide(const sooth_table *table);

/* Returns true if a feature of a row is missing. */
int is_short(const sooth_table *table, size_t row);

/* Returns true if models of this kind take missing features: trees and what is made of them. */
int takes_missing(const sooth_model_kind *kind);

/* Returns the seconds of one core that a fit to this many rows of the table takes. */
double plan_fit(const sooth_train_recipe *recipe, const data *d, size_t rows);

/* Returns the same for a fold of a contender, with those of its calibration. */
double plan_fold(const contender *c, const data *d, size_t rows);

/* Returns the same for all folds of rows and groups that test a contender. */
double plan_tests(const contender *c, const data *d, size_t folds, size_t repeats);

/* What a comparison leaves out, and how much it repeats. */
typedef struct plan {
    char left_out[200], times[400]; /* "svr,gauss"; "svr (6 min), gauss (2 min)" */
    size_t fewer;                   /* repeats instead of those asked for; 0: none were spared */
    double spared; /* seconds of one core that those would have taken, of the slowest model */
} plan;

/* Leaves out models that are not wanted and take more than a minute; returns the number of those left. If one
   of these does, and `spare` is not 0, the repeats become fewer: as many as fit in a minute, at least 1. */
size_t plan_choose(const data *d, contender *c, size_t models, const unsigned char *wanted, int spare,
                   validation *v, plan *p);

/* ---- rules.c ---- */

enum { MOST_KEYS = 4, MOST_RULES = 9 + MOST_KEYS + BASELINES };

/* Makes the rules for this table contenders; returns their number. with_linear: no model is the same as a
   linear rule. `of`: a recipe of the models; with ratio_to its law alone is a rule, the only one beside the
   baselines for several quantiles. */
size_t rules_list(sooth_env *env, const data *d, int with_linear, const sooth_train_recipe *of,
                  contender all[MOST_RULES]);

/* Returns the number of contenders of a fit, whose model is c[0]. */
int is_two_classes(const data *d); /* all targets are 0 or 1 */
size_t contenders_of_fit(const contender *c);

/* How to predict from the last targets. */
#define LAST_TWO_ADVICE                                                                              \
    "No model of a row has them: add them as a column if they are known in time, or keep them in a " \
    "recorder (online.h)."

/* Predicts target t of the tests of a fold by a rule that is no recipe. forward: the fold is one of time. */
void rule_predict(const contender *c, const data *d, const sooth_split_fold *fold, int forward, size_t t,
                  float *out);

/* ---- tune.c ---- */

typedef struct tuning {
    int on;   /* --tune is given */
    int by;   /* --by, or R2 without; FIGURES: --metric */
    int pays; /* the chosen options are better than the given ones on folds never seen, or there are none */
    sooth_tune_options options;
    sooth_tune_report report;
    const sooth_model_kind *kind;
    sooth_train_options given, chosen;
} tuning;

/* Reads --tune and the flags that belong to it; dies if they are invalid. */
void tuning_read(sooth_env *env, const arguments *args, const char *model, tuning *t);

/* Searches, and stores the chosen options in the recipe, or leaves the given ones if the search does not pay;
   dies if the search fails. */
void tuning_run(sooth_env *env, const data *d, sooth_train_recipe *recipe, tuning *t);

void tuning_print(const data *d, const tuning *t);
void tuning_json(const tuning *t, json *j);

/* Adds the nested estimate to the scores on the model's card. */
void tuning_score(const data *d, const tuning *t, sooth_train_recipe *recipe);

/* ---- plan.c: of a fit ---- */

enum { FIT_STAGES = 4 };

/* Sets the stages of a fit and their seconds of one core: to test the recipe, to search options, to fit, to
   calibrate. */
void plan_of_fit(const data *d, const contender *c, const validation *v, const tuning *t,
                 const sooth_calibrate_options *calibrate, progress_stage stage[FIT_STAGES]);

/* Returns "40 s" or "3 min", valid for seven more calls. */
const char *plan_text(double seconds);

/* ---- budget.c ---- */

/* Runs sooth fit --budget. */
int budget_run(sooth_env *env, const arguments *args, const char *path);

/* Returns the options of sooth export for this form of the model: "--to c-if --integers 16". */
const char *export_words(const sooth_model *model, size_t form); /* a sooth_core_form */

/* Runs sooth describe --for: the cost of the model on a core. */
int describe_for(sooth_env *env, const arguments *args, const sooth_model *model);

/* ---- large.c ---- */

/* Runs sooth fit --memory. */
int large_run(sooth_env *env, const arguments *args, const char *path, const char *name);

/* ---- history.c ---- */

typedef struct history {
    const char *path; /* NULL: no file is written; */
    int keeps;        /* a page may still need the losses */
    int force;
    int held; /* a validation loss was reported */
    struct loss {
        size_t step;
        double loss, validation;
    } * at;
    size_t count, room;
} history;

/* Reads --history; dies if the file cannot be written. */
void history_read(const arguments *args, history *h);

/* Keeps the losses that the env reports from here on. */
void history_listen(history *h, sooth_env *env);

/* Dies if no loss was reported. */
void history_check(const history *h, const char *model);

/* Writes iteration,loss[,validation], or draws them if the name ends in .svg. The file must differ from the
   inputs. */
void history_write(const history *h, const char *const *inputs, size_t count);

#endif /* CLI_MODEL_CLI_H */
