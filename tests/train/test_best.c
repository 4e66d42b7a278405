/* test_best.c - the average of models: against its members in double precision, against hand arithmetic on
 * folds of groups, and against a naive greedy selection.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/train.h"
#include "check.h"
#include "friedman.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static sooth_env env;

static sooth_status fit(const sooth_table *table, const char *words, sooth_model **model) {
    sooth_train_recipe recipe;
    *model = NULL;
    const sooth_status status = sooth_train_recipe_read(&env, words, strlen(words), &recipe);
    return status == SOOTH_OK ? sooth_train_fit(&env, table, &recipe, model) : status;
}

static sooth_model *fitted(const sooth_table *table, const char *words) {
    sooth_model *model;
    CHECK_STATUS(fit(table, words, &model), SOOTH_OK);
    if (!model) printf("  %s\n", env.sentence), exit(1);
    CHECK(sooth_model_check(model, model->head.size));
    return model;
}

static const sooth_best *best_in(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    CHECK((parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_BEST);
    return (const sooth_best *)(const void *)parts.predictor;
}

/* The error that the candidate of this recipe has on held-out rows; NaN if there is none. */
static double error_of(const sooth_best *best, const char *recipe) {
    sooth_best_candidate one;
    for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i)
        if (strcmp(one.recipe, recipe) == 0) return (double)one.error;
    return (double)NAN;
}

static double relative(const float *y, const float *p, size_t rows) {
    double sum = 0.0;
    for (size_t i = 0; i < rows; ++i) sum += fabs((double)p[i] - (double)y[i]) / fabs((double)y[i]);
    return sum / (double)rows;
}

/* ---- the prediction ---- */

/* The mean of the members, each asked as a model of its own, in double precision. */
static double by_members(const sooth_best *best, const float *row, float *scratch) {
    sooth_best_candidate one;
    double sum = 0.0;
    for (size_t i = 0; i < best->members; ++i) {
        sooth_best_candidate_at(best, i, &one);
        const double p = (double)sooth_model_predict(sooth_model_from_block(one.model), row, scratch);
        const double v = fmin(fmax(p, (double)best->low), (double)best->high);
        sum += (double)one.weight * (best->geometric ? log(v) : v);
    }
    return best->geometric ? exp(sum) : sum;
}

static void predictions_are_means_of_the_members(void) {
    static const char *const words[] = {"best effort=low error=rmse members=4",
                                        "best effort=low error=mre members=3"};
    sooth_table table;
    float scratch[6], out[150], least = 1e9f, most = -1e9f;
    make_friedman(&table, 150, 6, 3, 0.0);
    for (size_t i = 0; i < table.rows; ++i) { /* lines and trees are better together; above 0 */
        const float *row = table.x + i * table.stride;
        ((float *)(uintptr_t)table.y)[i] =
            5.0f + 4.0f * row[0] + 4.0f * row[1] + (row[2] > 0.5f ? 3.0f : 0.0f) + 0.5f * row[5];
        least = fminf(least, table.y[i]);
        most = fmaxf(most, table.y[i]);
    }
    for (size_t k = 0; k < COUNT(words); ++k) {
        sooth_model *model = fitted(&table, words[k]);
        const sooth_best *best = best_in(model);
        CHECK(best->verdict == SOOTH_BEST_AVERAGE && best->members > 1 && best->members <= 4 - k);
        CHECK(best->geometric == k && best->error == (k ? SOOTH_BEST_MRE : SOOTH_BEST_RMSE));
        sooth_best_predict_many(best, table.x, table.rows, table.stride, out);
        for (size_t i = 0; i < table.rows; ++i) {
            const float *row = table.x + i * table.stride;
            CHECK_CLOSE(out[i], by_members(best, row, scratch), 1e-5);
            CHECK(out[i] == sooth_best_predict(best, row) && out[i] == sooth_model_predict(model, row, NULL));
        }
        for (size_t i = 0; i < 6;
             ++i) { /* far from the training rows members extrapolate, the mean does not */
            float row[6] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
            row[i / 3] = i % 3 == 0 ? -40.0f : i % 3 == 1 ? 2.0f : 1e6f;
            CHECK_CLOSE(sooth_best_predict(best, row), by_members(best, row, scratch), 1e-5);
        }
        const float distant[6] = {1e6f, 1e6f, 0.5f, 0.5f, 0.5f, 0.5f};
        CHECK(sooth_best_predict(best, distant) < 1.0001f * best->high && best->high < 40.0f);
        CHECK_CLOSE(best->high, k ? 2.0f * most : most + 0.5f * (most - least), 1e-6);
        CHECK_CLOSE(best->low, k ? 0.5f * least : least - 0.5f * (most - least), 1e-6);
        CHECK(sooth_model_cost(model).bytes == model->head.size);
        sooth_model_free(&env, model);
    }
    free_friedman(&table);
}

/* ---- held-out errors ---- */

enum { UNITS = 120 };

/* With four groups the folds are the groups, however they are shuffled. The error of the median and of the
   mean by hand: each group predicted from the other three. */
static void errors_are_those_of_rows_held_out(void) {
    static const float y[8] = {10, 12, 20, 26, 40, 44, 50, 80};
    static const uint32_t group[8] = {7, 7, 1, 1, 9, 9, 3, 3};
    float x[8];
    double median = 0.0, mean = 0.0;
    for (size_t i = 0; i < 8; ++i) x[i] = (float)(i * 5 % 8);
    sooth_table table = sooth_table_of(x, y, 8, 1);
    table.group = group;
    for (size_t g = 0; g < 4; ++g) {
        double sorted[6], sum = 0.0; /* y is in rising order */
        for (size_t i = 0, n = 0; i < 8; ++i)
            if (i / 2 != g) sum += sorted[n++] = (double)y[i];
        for (size_t i = 2 * g; i < 2 * g + 2; ++i) {
            median += fabs((sorted[2] + sorted[3]) / 2.0 - (double)y[i]) / (double)y[i] / 8.0;
            mean += fabs(sum / 6.0 - (double)y[i]) / (double)y[i] / 8.0;
        }
    }
    sooth_model *model = fitted(&table, "best effort=low");
    const sooth_best *best = best_in(model);
    CHECK(best->folds == 4 && best->repeats == 1 && best->held == 1 && best->error == SOOTH_BEST_MRE);
    CHECK_CLOSE(error_of(best, "median"), median, 1e-6);
    CHECK_CLOSE(error_of(best, "mean"), mean, 1e-6);
    sooth_model_free(&env, model);
}

/* Deletes each unit in turn: the jackknife's standard error of the error (Efron 1982). */
static double jackknife(const double *loss, const double *weight, size_t units, int root) {
    double mean = 0.0, squares = 0.0, all[UNITS];
    for (size_t u = 0; u < units; ++u) {
        double sum = 0.0, weights = 0.0;
        for (size_t v = 0; v < units; ++v)
            if (v != u) sum += loss[v], weights += weight[v];
        all[u] = root ? sqrt(sum / weights) : sum / weights;
        mean += all[u] / (double)units;
    }
    for (size_t u = 0; u < units; ++u) squares += (all[u] - mean) * (all[u] - mean);
    return sqrt(squares * ((double)units - 1.0) / (double)units);
}

/* Groups of several sizes and weights, by the linear approximation, next to the jackknife; equal groups
   exactly, as the deviation of their means. */
static void the_standard_error_is_that_of_units(void) {
    enum { MOST = 3 * UNITS };
    static float y[MOST], p[MOST], of_row[MOST];
    static uint32_t unit[MOST], item[MOST], fold[MOST];
    static double of_unit[UNITS];
    soothi_best_work w;
    sooth_rng rng;
    sooth_rng_init(&rng, 4, 1);
    for (int k = 0; k < 12; ++k) {
        const int equal = k & 1, time = k >= 8;
        const size_t units = time ? 5 : UNITS;
        double loss[UNITS] = {0}, weight[UNITS] = {0}, worth[UNITS], above = 0.0, of_all = 0.0;
        size_t rows = 0;
        sooth_table table;
        memset(&w, 0, sizeof w);
        w.error = k % 6 < 2 ? SOOTH_BEST_RMSE : k % 6 < 4 ? SOOTH_BEST_MAE : SOOTH_BEST_MRE;
        for (size_t u = 0; u < units; ++u) worth[u] = time && !equal ? ldexp(1.0, (int)u) : 1.0;
        for (size_t u = 0; u < units; ++u) {
            const double off = 0.5 + (double)sooth_rng_float(&rng);
            for (size_t i = 0; i < (equal ? 3 : 1 + sooth_rng_below(&rng, 3)); ++i, ++rows) {
                y[rows] = 1.0f + sooth_rng_float(&rng);
                p[rows] = y[rows] + (float)(off * ((double)sooth_rng_float(&rng) - 0.2));
                of_row[rows] = equal ? 1.0f : 1.0f + sooth_rng_float(&rng);
                unit[rows] = time ? (uint32_t)rows : (uint32_t)u;
                fold[rows] = time ? (uint32_t)u : 0;
                item[rows] = (uint32_t)rows;
                const double l = (double)p[rows] - (double)y[rows];
                loss[u] += worth[u] * (double)of_row[rows] *
                           (w.error == SOOTH_BEST_RMSE  ? l * l
                            : w.error == SOOTH_BEST_MAE ? fabs(l)
                                                        : fabs(l) / (double)y[rows]);
                weight[u] += worth[u] * (double)of_row[rows];
                of_all += worth[u] * (double)of_row[rows];
                if (y[rows] > p[rows]) above += worth[u] * (double)of_row[rows];
            }
        }
        table = sooth_table_of(p, y, rows, 1);
        table.weight = of_row;
        w.table = &table;
        w.held = time ? 2 : 1;
        w.folds = 5;
        w.repeats = 1;
        for (size_t f = 0; f < 5; ++f) w.worth[f] = time ? worth[f] : 1.0;
        w.units = time ? rows : units;
        w.unit = unit;
        w.fold = fold;
        w.item = item;
        w.of_unit = of_unit;
        const double is = soothi_best_doubt_of(&w, rows, p);
        CHECK_CLOSE(soothi_best_above_of(&w, rows, p), above / of_all, 1e-9);
        const double deleted = jackknife(loss, weight, units, w.error == SOOTH_BEST_RMSE);
        if (equal && w.error != SOOTH_BEST_RMSE) CHECK_CLOSE(is, deleted, 1e-9);
        else if (!time) CHECK_CLOSE(is, deleted, 0.02);
        else CHECK(is > 0.5 * deleted && is < 2.0 * deleted);
        w.units = w.folds = 1;
        CHECK(isnan(soothi_best_doubt_of(&w, rows, p)));
    }
}

/* A feature that is a number of the group predicts rows of known groups, and nothing of new ones. */
static void whole_groups_are_held_out(void) {
    enum { ROWS = 120 };
    static float x[ROWS * 2], y[ROWS];
    static uint32_t group[ROWS];
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 1);
    for (size_t i = 0; i < ROWS; ++i) {
        group[i] = (uint32_t)(i / 6);
        x[2 * i] = i % 6 ? x[2 * i - 2] : sooth_rng_float(&rng);
        x[2 * i + 1] = sooth_rng_float(&rng);
        y[i] = i % 6 ? y[i - 1] * (0.97f + 0.06f * sooth_rng_float(&rng))
                     : 50.0f + 20.0f * sooth_rng_float(&rng);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, 2);
    sooth_model *rows = fitted(&table, "best effort=low");
    table.group = group;
    sooth_model *groups = fitted(&table, "best effort=low");
    CHECK(best_in(rows)->verdict != SOOTH_BEST_RULE && !best_in(rows)->held);
    CHECK(best_in(rows)->expected < 0.5f * best_in(rows)->expected_rule);
    CHECK(best_in(groups)->verdict == SOOTH_BEST_RULE && best_in(groups)->held == 1);
    CHECK(best_in(groups)->members == 1 && best_in(groups)->rule == 0);
    CHECK(best_in(groups)->expected == best_in(groups)->expected_rule);
    CHECK(error_of(best_in(groups), "extratrees") > 1.5 * error_of(best_in(rows), "extratrees"));
    sooth_model_free(&env, groups);
    sooth_model_free(&env, rows);
}

/* Noise: whatever is chosen is hardly worse on new rows than the median of the training rows. A line without
   noise: least squares. */
static void a_rule_answers_if_nothing_beats_it(void) {
    enum { ROWS = 100, TABLES = 8, NEW = 1000 };
    static float x[(ROWS + NEW) * 3], y[ROWS + NEW], out[NEW], median[NEW];
    sooth_best_candidate first;
    sooth_table table = sooth_table_of(x, y, ROWS, 3);
    sooth_model *model;
    double chosen = 0.0, rule = 0.0;
    unsigned rules = 0;
    for (uint64_t seed = 1; seed <= TABLES; ++seed) {
        float sorted[ROWS];
        sooth_rng rng;
        sooth_rng_init(&rng, seed, 1);
        for (size_t i = 0; i < 3 * (ROWS + NEW); ++i) x[i] = sooth_rng_float(&rng);
        for (size_t i = 0; i < ROWS + NEW; ++i) y[i] = 10.0f + sooth_rng_float(&rng);
        memcpy(sorted, y, sizeof sorted);
        qsort(sorted, ROWS, sizeof *sorted, check_ascending);
        for (size_t i = 0; i < NEW; ++i) median[i] = (sorted[ROWS / 2 - 1] + sorted[ROWS / 2]) / 2.0f;
        model = fitted(&table, "best effort=low");
        sooth_best_predict_many(best_in(model), x + 3 * ROWS, NEW, 3, out);
        chosen += relative(y + ROWS, out, NEW);
        rule += relative(y + ROWS, median, NEW);
        rules += best_in(model)->verdict == SOOTH_BEST_RULE;
        sooth_model_free(&env, model);
    }
    CHECK(chosen < 1.02 * rule && rules >= TABLES / 2);
    for (size_t i = 0; i < ROWS; ++i) y[i] = 5.0f + 2.0f * x[3 * i] - x[3 * i + 2];
    model = fitted(&table, "best");
    sooth_best_candidate_at(best_in(model), 0, &first);
    CHECK(strcmp(first.recipe, "linear") == 0 && first.is_rule && first.weight == 1.0f);
    CHECK(best_in(model)->verdict == SOOTH_BEST_RULE && best_in(model)->members == 1);
    CHECK(best_in(model)->rule == 0 && best_in(model)->expected < 1e-5f);
    sooth_model_free(&env, model);
}

/* The stated error is that of new rows, and less than that of each candidate of the rules. */
static void the_stated_error_holds_on_new_rows(void) {
    enum { ROWS = 260, NEW = 2000 };
    sooth_table all, table;
    static float out[NEW];
    make_friedman(&all, ROWS + NEW, 6, 11, 0.0);
    for (size_t i = 0; i < all.rows; ++i) ((float *)(uintptr_t)all.y)[i] += 5.0f;
    table = all;
    table.rows = ROWS;
    sooth_model *model = fitted(&table, "best effort=low");
    const sooth_best *best = best_in(model);
    sooth_best_predict_many(best, all.x + ROWS * all.stride, NEW, all.stride, out);
    const double off = relative(all.y + ROWS, out, NEW);
    CHECK_CLOSE(best->expected, off, 0.2);
    CHECK(off < 0.75 * (double)best->expected_rule);
    const double doubt = sooth_best_standard_error(best);
    CHECK(doubt > 0.0 && fabs(off - (double)best->expected) < 3.0 * doubt);
    sooth_model_free(&env, model);
    free_friedman(&all);
}

/* ---- the selection ---- */

/* Caruana's selection from scratch in every step: all sums anew. Row i is of fold i % 5, whose predictions
   are bounded by -1 - fold / 10 and 1.5 + fold / 5, and count 1 + fold times. A candidate of NaN has
   failed. */
static double bounded(float p, size_t i) {
    return fmin(fmax((double)p, -1.0 - 0.1 * (double)(i % 5)), 1.5 + 0.2 * (double)(i % 5));
}

static void naive_greedy(const sooth_table *table, const float *p, size_t candidates, size_t most,
                         uint32_t *count) {
    uint32_t now[8] = {0};
    double least = 1e300;
    for (uint32_t step = 1; step <= 40; ++step) {
        size_t best = 0, members = 0;
        double best_loss = 1e300;
        for (size_t c = 0; c < candidates; ++c) members += now[c] > 0;
        for (size_t c = 0; c < candidates; ++c) {
            double loss = 0.0;
            if (isnan(p[c * table->rows]) || (members == most && now[c] == 0)) continue;
            for (size_t i = 0; i < table->rows; ++i) {
                double mean = bounded(p[c * table->rows + i], i);
                for (size_t k = 0; k < candidates; ++k)
                    if (now[k]) mean += now[k] * bounded(p[k * table->rows + i], i);
                loss += (1.0 + (double)(i % 5)) * fabs(mean / step - (double)table->y[i]);
            }
            if (loss < best_loss - 1e-9 * best_loss) best_loss = loss, best = c;
        }
        ++now[best];
        if (best_loss < least - 1e-9 * least) least = best_loss, memcpy(count, now, sizeof now);
    }
}

static void selection_is_the_naive_one(void) {
    enum { ROWS = 50, CANDIDATES = 6 };
    static float x[ROWS], y[ROWS], p[CANDIDATES * ROWS];
    static uint32_t item[ROWS], fold[ROWS];
    static double sum[ROWS];
    static soothi_best_work w;
    sooth_rng rng;
    for (uint32_t i = 0; i < ROWS; ++i) fold[i] = i % 5;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        uint32_t count[SOOTH_BEST_MAX_CANDIDATES];
        sooth_rng_init(&rng, seed, 1);
        for (size_t i = 0; i < ROWS; ++i) {
            item[i] = (uint32_t)i;
            y[i] = seed == 4 ? sooth_rng_float(&rng) : (float)sooth_rng_normal(&rng);
            for (size_t c = 0; c < CANDIDATES; ++c)
                p[c * ROWS + i] = y[i] + (float)(0.5 * (1.0 + 0.1 * (double)c) * sooth_rng_normal(&rng));
            if (seed % 3 == 0) p[(seed % CANDIDATES) * ROWS + i] = NAN;
            if (seed == 4) p[2 * ROWS + i] = y[i]; /* it alone is exact */
        }
        const sooth_table table = sooth_table_of(x, y, ROWS, 1);
        memset(&w, 0, sizeof w);
        w.table = &table;
        w.error = SOOTH_BEST_MAE;
        w.repeats = 1;
        w.candidates = CANDIDATES;
        w.item = item;
        w.sum = sum;
        w.predicted = p;
        w.fold = fold;
        for (size_t f = 0; f < 5; ++f) {
            w.from[f] = -1.0 - 0.1 * (double)f;
            w.to[f] = 1.5 + 0.2 * (double)f;
            w.worth[f] = 1.0 + (double)f;
        }
        if (seed % 3 == 0) w.tried[seed % CANDIDATES].failed = 1;
        for (uint32_t most = 1; most <= 8; ++most) { /* one place is left for the rule */
            uint32_t expected[8] = {0};
            w.o.members = most;
            naive_greedy(&table, p, CANDIDATES, most > 1 ? most - 1 : 1, expected);
            CHECK(soothi_best_greedy(&w, ROWS, count) > 0);
            CHECK(memcmp(count, expected, CANDIDATES * sizeof *count) == 0);
            CHECK(seed != 4 || (count[2] == 1 && count[0] + count[1] + count[3] + count[4] + count[5] == 0));
        }
    }
    for (size_t c = 0; c < CANDIDATES; ++c) w.tried[c].failed = 1;
    uint32_t none[SOOTH_BEST_MAX_CANDIDATES];
    CHECK(soothi_best_greedy(&w, ROWS, none) == 0);
}

/* The share of the learner from its definition: the loss of each mixture by group; of whole groups the least
   share whose loss is at most a standard error of the differences by group above the least, else only 0 if
   it is at most half a standard error above. In a mixture the rule is bounded by 1.75. */
static uint32_t naive_share(const float *rule, const float *learner, const float *y, const uint32_t *group,
                            size_t rows, size_t groups, int all) {
    double loss[9][12] = {{0}}, total[9] = {0};
    size_t best = 0, s;
    for (s = 0; s < 9; ++s)
        for (size_t i = 0; i < rows; ++i) {
            const double by_rule = s ? fmin((double)rule[i], 1.75) : (double)rule[i];
            const double mixed = (double)s / 8 * (double)learner[i] + (double)(8 - s) / 8 * by_rule;
            const double off = fabs(mixed - (double)y[i]) / fabs((double)y[i]);
            loss[s][group[i]] += off > 1.0 ? 1.0 + log(off) : off;
        }
    for (s = 0; s < 9; ++s) {
        for (size_t g = 0; g < groups; ++g) total[s] += loss[s][g];
        if (total[s] < total[best] - 1e-6 * total[best]) best = s;
    }
    for (s = 0; s < best; s = all ? s + 1 : best) {
        double mean = 0.0, squares = 0.0;
        for (size_t g = 0; g < groups; ++g) mean += (loss[s][g] - loss[best][g]) / (double)groups;
        for (size_t g = 0; g < groups; ++g) {
            const double from_mean = loss[s][g] - loss[best][g] - mean;
            squares += from_mean * from_mean;
        }
        /* mean^2 or (2 mean)^2 against the squared standard error */
        if (mean <= 0.0 || (all ? 1.0 : 4.0) * mean * mean <= squares / (double)(groups - 1) / (double)groups)
            break;
    }
    return (uint32_t)s;
}

/* Learners from useless to exact, with errors that the rows of a group share. */
static void the_share_of_a_learner_is_the_naive_one(void) {
    enum { ROWS = 96, TABLES = 400 };
    static float x[ROWS], y[ROWS], nested[3 * ROWS], mixed[2 * ROWS];
    static uint32_t item[ROWS], unit[ROWS], fold[ROWS]; /* one fold */
    static double of_unit[ROWS];
    static soothi_best_work w;
    unsigned found[9] = {0};
    sooth_rng rng;
    for (uint64_t seed = 1; seed <= TABLES; ++seed) {
        const size_t groups = 3 + seed % 10;
        const double noise = 0.05 * (double)(seed % 9), off = 0.2 * (double)(seed % 7);
        float *rule = nested, *learner = nested + 2 * ROWS, shared[12];
        sooth_rng_init(&rng, seed, 7);
        for (size_t g = 0; g < groups; ++g) shared[g] = (float)(off * sooth_rng_normal(&rng));
        for (size_t i = 0; i < ROWS; ++i) {
            item[i] = (uint32_t)i;
            unit[i] = (uint32_t)(i % groups);
            y[i] = 1.0f + sooth_rng_float(&rng);
            rule[i] = i % 8 ? 1.5f : 1.9f;
            learner[i] = y[i] + shared[unit[i]] + (float)(noise * sooth_rng_normal(&rng));
            if (i % 23 == 0 && seed % 5 == 0) learner[i] = 7.0f * y[i]; /* such an error is damped */
        }
        const sooth_table table = sooth_table_of(x, y, ROWS, 1);
        memset(&w, 0, sizeof w);
        w.table = &table;
        w.error = SOOTH_BEST_MRE;
        w.repeats = 1;
        w.units = groups;
        w.unit = unit;
        w.item = item;
        w.nested = nested;
        w.mixed = mixed;
        w.of_unit = of_unit;
        w.fold = fold;
        w.from[0] = -1.0;
        w.to[0] = 1.75;
        w.worth[0] = 1.0;
        w.held = (uint32_t)seed % 3;
        const uint32_t share = soothi_best_share(&w, ROWS, learner, 1);
        CHECK(share == naive_share(rule, learner, y, unit, ROWS, groups, w.held == 1));
        ++found[share];
        for (size_t i = 0; i < ROWS; ++i) { /* the mixture's predictions are left behind */
            const double by_rule = i % 8 ? 1.5 : share ? 1.75 : (double)1.9f;
            CHECK_CLOSE(mixed[i], (double)share / 8 * (double)learner[i] + (double)(8 - share) / 8 * by_rule,
                        1e-6);
        }
        const uint32_t one = soothi_best_share(&w, ROWS, learner, 8);
        CHECK(one == 0 || one == 8);
    }
    for (size_t k = 0; k < 9; ++k) CHECK(found[k] >= 5);
}

/* What the parts of a search do where a whole search does not come: nothing can be fitted, nothing is above
   0, a table is too large. */
static void the_ends_of_a_search(void) {
    enum { ROWS = 4 };
    static float x[ROWS], y[ROWS] = {-4.0f, 0.0f, 2.0f, -1.0f}, nested[3 * ROWS], mixed[2 * ROWS],
                          p[2 * ROWS];
    static uint32_t item[ROWS], unit[ROWS] = {0, 1, 2, 3}, fold[ROWS] = {0, 1, 0, 1};
    static double sum[ROWS], of_unit[ROWS];
    static soothi_best_work w;
    sooth_table table = sooth_table_of(x, y, ROWS, 1);
    sooth_train_recipe mine, recipe;
    sooth_levels levels;
    sooth_model *model;
    double weight[SOOTH_BEST_MAX_CANDIDATES] = {0};
    size_t count, rule = 7, large = 0;
    const soothi_best_source *s = soothi_best_sources(&count);
    memset(&w, 0, sizeof w);
    memset(&mine, 0, sizeof mine);
    w.table = &table;
    w.recipe = &mine;
    /* errors relative to -4, 0 and 2; a mean of nothing */
    w.error = SOOTH_BEST_MRE;
    CHECK_CLOSE(soothi_best_loss(&w, -5.0, 0), 0.25, 1e-12);
    CHECK_CLOSE(soothi_best_loss(&w, 3.0, 2), 0.5, 1e-12);
    CHECK(soothi_best_loss(&w, 3.0, 1) == 0.0 && soothi_best_of_mean(&w, 1.0, 0.0) == 0.0);
    CHECK(soothi_best_weight(&w, 1) == 0.0); /* whose target is 0 */
    /* the bounds */
    soothi_best_look(&w);
    CHECK(w.error == SOOTH_BEST_RMSE && w.low == -7.0f && w.high == 5.0f && w.least == -4.0f);
    w.o.error = SOOTH_BEST_MRE;
    soothi_best_look(&w);
    CHECK(w.error == SOOTH_BEST_MRE && !w.geometric);
    w.geometric = 1;
    w.least = FLT_MIN;
    w.most = FLT_MAX;
    soothi_best_widen(&w, w.least, w.most, &w.low, &w.high);
    CHECK(w.low == FLT_MIN && w.high == FLT_MAX);
    w.geometric = 0;
    w.least = -FLT_MAX;
    soothi_best_widen(&w, w.least, w.most, &w.low, &w.high);
    CHECK(w.low == -FLT_MAX && w.high == FLT_MAX);
    /* those of later rows: of the rows before them in time; the first of six parts is in no fold */
    const uint32_t time[7] = {60, 50, 40, 30, 20, 10, 0};
    const float later[7] = {128, 64, 4, 16, 8, 2, 1};
    uint32_t of_row[7];
    uint64_t entry[14];
    sooth_table seven = sooth_table_of(later, later, 7, 1);
    seven.time = time;
    w.table = &seven;
    w.entry = entry;
    w.fold = of_row;
    w.folds = 5;
    soothi_best_deal_later(&w);
    for (uint32_t i = 0; i < 7; ++i) CHECK(of_row[i] == (i == 6 ? SOOTHI_BEST_NEVER : i ? 5 - i : 4));
    soothi_best_follow(&w);
    for (size_t f = 0; f < 5; ++f) CHECK(w.worth[f] == ldexp(1.0, (int)f));
    CHECK(soothi_best_weight(&w, 0) == 16.0 && soothi_best_weight(&w, 5) == 1.0 &&
          soothi_best_weight(&w, 6) == 1.0); /* the first rows count like the next part */
    /* the range of 1; of 1, 2; of 1, 2, 8; ...; widened by half of it */
    CHECK(w.from[0] == 1.0 && w.to[0] == 1.0 && w.from[1] == 0.5 && w.to[1] == 2.5);
    CHECK(w.from[2] == -2.5 && w.to[2] == 11.5 && w.from[3] == -6.5 && w.to[3] == 23.5);
    CHECK(w.from[4] == -6.5 && w.to[4] == 23.5);
    w.geometric = 1;
    soothi_best_follow(&w);
    CHECK_CLOSE(w.from[2], log(0.5), 1e-6);
    CHECK_CLOSE(w.to[3], log(32.0), 1e-6);
    w.geometric = 0;
    w.table = &table;
    /* limits of rows, and of candidates */
    table.rows = 6000;
    for (size_t i = 0; i < count; ++i) {
        w.o.effort = SOOTH_BEST_MEDIUM;
        const int medium = soothi_best_wanted(&w, &s[i]);
        w.o.effort = SOOTH_BEST_HIGH;
        CHECK(!medium || soothi_best_wanted(&w, &s[i]));
        if (s[i].most_rows != 5000) continue;
        CHECK(!medium && soothi_best_wanted(&w, &s[i]));
        ++large;
    }
    CHECK(large == 1);
    table.rows = ROWS;
    w.candidates = SOOTH_BEST_MAX_CANDIDATES;
    soothi_best_add(&w, s, 0);
    CHECK(w.candidates == SOOTH_BEST_MAX_CANDIDATES);
    w.candidates = 0;
    w.least = -1.0f;
    soothi_best_list(&w);
    for (size_t c = 0; c < w.candidates; ++c) CHECK(!strstr(w.tried[c].text, " transform=log-target"));
    CHECK(!soothi_best_ends_in_clip("linear transform=log,none,log-target"));
    CHECK(soothi_best_ends_in_clip("linear products=1 transform=clip") && !soothi_best_ends_in_clip("tree"));
    /* levels in native sets, for kinds that have them */
    mine.levels = &levels;
    mine.encode = SOOTH_TRAIN_ENCODE_NATIVE;
    CHECK_STATUS(soothi_best_recipe(&w, "svr", &recipe), SOOTH_OK);
    CHECK(recipe.encode == SOOTH_TRAIN_ENCODE_TARGET);
    CHECK_STATUS(soothi_best_recipe(&w, "linear", &recipe), SOOTH_OK);
    CHECK(recipe.encode == SOOTH_TRAIN_ENCODE_TARGET);
    CHECK_STATUS(soothi_best_recipe(&w, "boost", &recipe), SOOTH_OK);
    CHECK(recipe.encode == SOOTH_TRAIN_ENCODE_NATIVE);
    /* words that are none */
    mine.levels = NULL;
    CHECK(soothi_best_recipe(&w, "nonsense", &recipe) != SOOTH_OK);
    strcpy(w.tried[0].text, "nonsense");
    CHECK(soothi_best_learn(&env, &w, 0, &table, &model) != SOOTH_OK && !model);
    /* two learners and no rule; then none at all */
    memset(&w, 0, sizeof w);
    w.table = &table;
    w.error = SOOTH_BEST_RMSE;
    for (size_t f = 0; f < SOOTHI_BEST_FOLDS; ++f) w.from[f] = -9.0, w.to[f] = 9.0, w.worth[f] = 1.0;
    w.o.members = 8;
    w.repeats = 1;
    w.folds = w.candidates = 2;
    w.units = ROWS;
    w.item = item;
    w.unit = unit;
    w.fold = fold;
    w.sum = sum;
    w.of_unit = of_unit;
    w.nested = nested;
    w.mixed = mixed;
    w.predicted = p;
    for (size_t i = 0; i < ROWS; ++i) p[i] = y[i] + 1.0f, p[ROWS + i] = y[i] - 1.0f;
    soothi_best_choice choice = soothi_best_judge(&w);
    CHECK(choice.share == SOOTHI_BEST_SHARES && choice.learner == SOOTH_BEST_AVERAGE);
    CHECK(choice.expected < 1e-6 && isnan(choice.expected_rule)); /* the two errors cancel */
    soothi_best_weigh(&w, &choice, weight, &rule);
    CHECK(rule == 0 && weight[0] == 0.5 && weight[1] == 0.5);
    w.o.members = 1;
    choice = soothi_best_judge(&w);
    CHECK(choice.learner == SOOTH_BEST_SINGLE && fabs(choice.expected - 1.0) < 1e-6);
    w.tried[0].failed = w.tried[1].failed = 1;
    for (w.o.members = 1; w.o.members <= 8; w.o.members += 7) {
        choice = soothi_best_judge(&w);
        CHECK(choice.share == 0 && isnan(choice.expected) && isnan(choice.expected_rule));
    }
}

/* All efforts, one member, and targets below 0. */
static void small_searches(void) {
    static const char *const words[] = {"best effort=high", "best effort=low members=1", "best effort=low"};
    static float x[12], y[12];
    sooth_table table = sooth_table_of(x, y, 12, 1);
    for (size_t i = 0; i < 12; ++i)
        y[i] = -1.0f - 0.5f * (x[i] = (float)(i * 5 % 12)) - (i % 3 ? 0.0f : 1.0f);
    for (size_t k = 0; k < COUNT(words); ++k) {
        sooth_model *model = fitted(&table, words[k]);
        const sooth_best *best = best_in(model);
        CHECK(best->error == SOOTH_BEST_RMSE && !best->geometric);
        CHECK((isnan(error_of(best, "sofnn")) != 0) == (k > 0 || best->candidates < 20));
        CHECK((isnan(error_of(best, "forest")) != 0) == (k > 0) && (k != 1 || best->members == 1));
        for (size_t i = 0; i < 12; ++i) CHECK(fabsf(sooth_best_predict(best, x + i) - y[i]) < 2.0f);
        sooth_model_free(&env, model);
    }
}

static void every_candidate_is_a_recipe(void) {
    size_t count;
    const soothi_best_source *s = soothi_best_sources(&count);
    sooth_train_recipe recipe;
    for (; count; --count, ++s) {
        if (strncmp(s->words, "median", 6) == 0 || strcmp(s->words, "mean") == 0) continue;
        CHECK_STATUS(sooth_train_recipe_read(&env, s->words, strlen(s->words), &recipe), SOOTH_OK);
        CHECK(strcmp(recipe.model, "best") != 0);
        CHECK(strlen(s->words) + strlen(" transform=log-target") < sizeof((soothi_best_tried *)0)->text);
    }
}

static void options_choose_what_is_compared(void) {
    sooth_table table;
    make_friedman(&table, 30, 5, 4, 0.0);
    sooth_model *low = fitted(&table, "best effort=low error=mae seed=3");
    sooth_model *single = fitted(&table, "best effort=low single=1 error=rmse");
    sooth_model *again = fitted(&table, "best effort=low single=1 error=rmse seed=9");
    CHECK(best_in(low)->error == SOOTH_BEST_MAE && best_in(low)->repeats == 4 && !best_in(low)->geometric);
    CHECK(best_in(single)->members == 1);
    CHECK(isnan(error_of(best_in(low), "tree"))); /* medium */
    CHECK(error_of(best_in(low), "extratrees") > 0.0);
    CHECK(error_of(best_in(single), "median") != error_of(best_in(again), "median")); /* other folds */
    sooth_model_free(&env, again);
    sooth_model_free(&env, single);
    sooth_model_free(&env, low);
    free_friedman(&table);
}

/* ---- what tables may hold ---- */

/* Learners of numbers cannot be fitted to missing values; trees can. */
static void missing_values_leave_the_trees(void) {
    sooth_table table;
    make_friedman(&table, 120, 5, 6, 0.1);
    sooth_model *model = fitted(&table, "best effort=low");
    float row[5] = {0.5f, NAN, 0.5f, 0.5f, 0.5f};
    CHECK(isnan(error_of(best_in(model), "linear")) && error_of(best_in(model), "extratrees") > 0.0);
    CHECK(isfinite(sooth_model_predict(model, row, NULL)));
    sooth_model_free(&env, model);
    free_friedman(&table);
}

/* The training rows have all values. A new row that lacks one is answered by the members that can take it,
   with their weights over the sum of these. */
static void members_without_the_value_are_left_out(void) {
    static const char *const words[] = {"best effort=low error=rmse", "best effort=low error=mre"};
    sooth_table table;
    make_friedman(&table, 150, 6, 3, 0.0);
    for (size_t i = 0; i < table.rows; ++i) { /* lines and trees are better together; above 0 */
        const float *row = table.x + i * table.stride;
        ((float *)(uintptr_t)table.y)[i] =
            5.0f + 4.0f * row[0] + 4.0f * row[1] + (row[2] > 0.5f ? 3.0f : 0.0f) + 0.5f * row[5];
    }
    for (size_t k = 0; k < COUNT(words); ++k) {
        sooth_model *model = fitted(&table, words[k]);
        const sooth_best *best = best_in(model);
        float row[6] = {0.5f, 0.5f, 0.5f, NAN, 0.5f, 0.5f}, scratch[6];
        double sum = 0.0, weights = 0.0;
        sooth_best_candidate one;
        size_t others = 0;
        for (size_t i = 0; i < best->members; ++i) {
            sooth_best_candidate_at(best, i, &one);
            const double p = (double)sooth_model_predict(sooth_model_from_block(one.model), row, scratch);
            const int tree = !strncmp(one.recipe, "boost", 5) || !strncmp(one.recipe, "extratrees", 10);
            CHECK(tree == !isnan(p));
            others += !tree;
            if (isnan(p)) continue;
            const double v = fmin(fmax(p, (double)best->low), (double)best->high);
            sum += (double)one.weight * (best->geometric ? log(v) : v);
            weights += (double)one.weight;
        }
        CHECK(others > 0 && others < best->members);
        CHECK_CLOSE(sooth_best_predict(best, row), best->geometric ? exp(sum / weights) : sum / weights,
                    1e-5);
        sooth_model_free(&env, model);
    }
    for (size_t i = 0; i < table.rows; ++i)
        ((float *)(uintptr_t)table.y)[i] = 5.0f + 4.0f * table.x[i * table.stride];
    sooth_model *line = fitted(&table, "best effort=low");
    const float row[6] = {0.5f, 0.5f, 0.5f, NAN, 0.5f, 0.5f};
    CHECK(best_in(line)->members == 1 && isnan(sooth_model_predict(line, row, NULL)));
    sooth_model_free(&env, line);
    free_friedman(&table);
}

/* Times of users: the median of each user is the rule, whose error is counted by hand on the fold, and no
   learner beats it. An unknown user gets a number. */
static void the_median_of_each_category_is_a_rule(void) {
    enum { USERS = 5, ROWS = 25 };
    static const float y[ROWS] = {10, 10, 11, 10, 90, 20, 21, 20, 20, 1,  35, 35, 35,
                                  35, 99, 50, 50, 50, 51, 7,  70, 70, 70, 71, 700};
    static float x[2 * ROWS];
    static const uint8_t categorical[2] = {1, 0};
    sooth_best_candidate first;
    sooth_best *best;
    const sooth_best_options low = {.effort = SOOTH_BEST_LOW, .error = SOOTH_BEST_MAE};
    for (size_t i = 0; i < ROWS; ++i) {
        x[2 * i] = (float)(i / USERS);
        x[2 * i + 1] = (float)(i * 7 % 25);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, 2);
    table.categorical = categorical;
    CHECK_STATUS(sooth_best_fit(&env, &table, &low, &best), SOOTH_OK);
    sooth_best_candidate_at(best, best->rule, &first);
    CHECK(strcmp(first.recipe, "median of each category") == 0 && first.is_rule);
    CHECK(best->verdict == SOOTH_BEST_RULE && best->members == 1);
    for (size_t u = 0; u < USERS; ++u) {
        const float row[2] = {(float)u, 3.0f};
        CHECK(sooth_best_predict(best, row) == (u == 0 ? 10.0f : y[5 * u]));
    }
    const float unknown[2] = {NAN, 3.0f};
    CHECK(isfinite(sooth_best_predict(best, unknown)));
    sooth_best_free(&env, best);
    table.categorical = NULL; /* without categories there is no such rule */
    CHECK_STATUS(sooth_best_fit(&env, &table, &low, &best), SOOTH_OK);
    for (size_t i = 0; sooth_best_candidate_at(best, i, &first); ++i)
        CHECK(strcmp(first.recipe, "median of each category") != 0);
    sooth_best_free(&env, best);
}

/* Names of levels are in the model once for the host, and once in each member that encodes them. Statistics
   of a fold know no row outside of it. */
static void members_encode_levels(void) {
    enum { ROWS = 160 };
    static float x[ROWS * 2], y[ROWS];
    const uint8_t categorical[2] = {0, 1};
    sooth_levels *levels;
    sooth_model_parts parts;
    sooth_train_recipe recipe = {.model = "best", .options.best = {.effort = SOOTH_BEST_LOW}};
    sooth_model *model;
    sooth_rng rng;
    sooth_rng_init(&rng, 21, 1);
    for (size_t i = 0; i < ROWS; ++i) {
        const uint32_t code = sooth_rng_below(&rng, 8);
        x[2 * i] = sooth_rng_float(&rng);
        x[2 * i + 1] = (float)code;
        y[i] = 10.0f + (float)(code * 5 % 8) * 4.0f + x[2 * i];
    }
    sooth_table table = sooth_table_of(x, y, ROWS, 2);
    table.categorical = categorical;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, NULL, NULL, x, &levels), SOOTH_OK);
    recipe.levels = levels;
    for (uint32_t encode = 0; encode < 3; ++encode) {
        recipe.encode = encode;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) break;
        CHECK(sooth_model_check(model, model->head.size));
        sooth_model_open(model, &parts);
        CHECK(parts.levels && parts.levels->statistics == 0);
        const sooth_best *best = best_in(model);
        CHECK(best->verdict != SOOTH_BEST_RULE || encode != 1);
        CHECK(best->expected < 0.1f);
        const float row[2] = {0.5f, sooth_levels_code(levels, 1, "3", 1)};
        CHECK_CLOSE(sooth_model_predict(model, row, NULL), 10.0 + 7 * 4 + 0.5, 0.15);
        sooth_model_free(&env, model);
    }
    sooth_levels_free(&env, levels);
}

/* With statistics in the order of time the folds are later rows: the median by hand, from the rows before. A
   number that rises with time says nothing of what comes next, though it does of rows between. */
static void later_rows_are_held_out(void) {
    enum { ROWS = 60, PART = ROWS / 6 };
    static float x[2 * ROWS], y[ROWS];
    static const uint8_t categorical[2] = {1, 0};
    sooth_train_recipe recipe = {.model = "best"};
    sooth_levels *levels;
    sooth_model *model = NULL;
    double off = 0.0;
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 1);
    for (size_t i = 0; i < ROWS; ++i) {
        x[2 * i] = (float)(i % 3);
        x[2 * i + 1] = (float)i;
        y[i] = (i % 5 ? y[i - 1] : 20.0f + 60.0f * sooth_rng_float(&rng)) + sooth_rng_float(&rng);
    }
    for (size_t i = PART; i < ROWS; ++i) {
        float before[ROWS];
        const size_t n = i / PART * PART;
        memcpy(before, y, sizeof before);
        qsort(before, n, sizeof *before, check_ascending);
        const double median = ((double)before[n / 2 - 1] + (double)before[n / 2]) / 2.0;
        off += ldexp(fabs(median - (double)y[i]), (int)(i / PART) - 1) / (31.0 * PART);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, 2);
    table.categorical = categorical;
    CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, NULL, NULL, x, &levels), SOOTH_OK);
    recipe.levels = levels;
    recipe.options.best.effort = SOOTH_BEST_LOW;
    recipe.options.best.error = SOOTH_BEST_MAE;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(best_in(model)->held == 0 && best_in(model)->repeats == 4);
    const double between = error_of(best_in(model), "boost");
    sooth_model_free(&env, model);
    recipe.encoding.in_time = 1;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(best_in(model)->held == 2 && best_in(model)->folds == 5 && best_in(model)->repeats == 1);
    CHECK_CLOSE(error_of(best_in(model), "median"), off, 1e-6);
    CHECK(error_of(best_in(model), "boost") > 2.0 * between);
    sooth_model_free(&env, model);
    sooth_levels_free(&env, levels);
}

/* The order is that of table.time, wherever the rows stand and whatever their group; rows of one time are in
   one fold, so three times are two folds, and two are too few to choose. */
static void the_times_of_the_rows_make_folds(void) {
    enum { ROWS = 66, PART = ROWS / 6 };
    static float x[ROWS], y[ROWS], sorted[ROWS];
    static uint32_t time[ROWS], group[ROWS];
    sooth_table table = sooth_table_of(x, y, ROWS, 1);
    sooth_train_recipe recipe = {.model = "best",
                                 .options.best = {.effort = SOOTH_BEST_LOW, .error = SOOTH_BEST_MAE}};
    sooth_model *model;
    double off = 0.0;
    for (uint32_t i = 0; i < ROWS; ++i) {
        time[i] = i * 25 % ROWS;
        group[i] = i % 7;
        x[i] = (float)(i * 13 % 10);
        y[i] = sorted[time[i]] = (float)(20 + time[i] * 31 % 64);
    }
    for (size_t i = PART; i < ROWS; ++i) {
        float before[ROWS];
        const size_t n = i / PART * PART;
        memcpy(before, sorted, sizeof before);
        qsort(before, n, sizeof *before, check_ascending);
        const double median = ((double)before[(n - 1) / 2] + (double)before[n / 2]) / 2.0;
        off += ldexp(fabs(median - (double)sorted[i]), (int)(i / PART) - 1) / (31.0 * PART);
    }
    table.time = time;
    table.group = group;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(best_in(model)->held == 2 && best_in(model)->folds == 5 && best_in(model)->repeats == 1);
    CHECK_CLOSE(error_of(best_in(model), "median"), off, 1e-6);
    sooth_model_free(&env, model);
    for (uint32_t times = 1; times <= 3; ++times) {
        for (uint32_t i = 0; i < ROWS; ++i) time[i] = i * times / ROWS;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        CHECK(best_in(model)->folds == (times == 3 ? 2u : 0u));
        sooth_model_free(&env, model);
    }
}

/* The mean absolute or relative error of the last two targets by the definition, row by row. Parts are a
   sixth of the rows in the order of time, rows of one time in the part of their first. Each part counts
   twice the one before. */
static double last_two_by_hand(const uint32_t *time, const uint32_t *group, const float *y, uint32_t rows,
                               int relative_errors) {
    double sum = 0.0, weights = 0.0;
    for (uint32_t i = 0; i < rows; ++i) {
        uint32_t earlier = 0, found[2][2] = {{0, 0}, {0, 0}}, count[2] = {0, 0}; /* of the group, of all */
        for (uint32_t j = 0; j < rows; ++j) earlier += time[j] < time[i];
        if (earlier < rows / 6) continue; /* of the first part */
        for (int all = 0; all < 2; ++all)
            for (uint32_t t = time[i]; t-- > 0 && count[all] < 2;)
                for (uint32_t j = rows; j-- > 0 && count[all] < 2;)
                    if (time[j] == t && (all || (group && group[j] == group[i])))
                        found[all][count[all]++] = j;
        const int all = count[0] == 0;
        const double newest = (double)y[found[all][0]];
        const double p = count[all] == 2 ? (newest + (double)y[found[all][1]]) / 2.0 : newest;
        const double w = ldexp(1.0, (int)(earlier / (rows / 6) < 6 ? earlier / (rows / 6) : 5) - 1);
        sum += w * fabs(p - (double)y[i]) / (relative_errors ? (double)y[i] : 1.0);
        weights += w;
    }
    return sum / weights;
}

/* Of later rows the last two targets are a candidate that can win, but never answers. */
static void the_last_two_targets_are_compared(void) {
    enum { ROWS = 90 };
    static float x[ROWS], y[ROWS];
    static uint32_t time[ROWS], group[ROWS];
    sooth_table table = sooth_table_of(x, y, ROWS, 1);
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 1);
    for (uint32_t i = 0; i < ROWS; ++i) {
        time[i] = i * 37 % ROWS / 2;                       /* pairs of one time */
        group[i] = time[i] > 40 && i % 3 ? 99 : i * 7 % 4; /* one comes late */
        x[i] = sooth_rng_float(&rng);
    }
    for (uint32_t t = 0; t < ROWS / 2; ++t) /* each group keeps to its level, which drifts */
        for (uint32_t i = 0; i < ROWS; ++i)
            if (time[i] == t) y[i] = 10.0f + 20.0f * (float)group[i] + (float)t + sooth_rng_float(&rng);
    for (int k = 0; k < 4; ++k) {
        sooth_best_candidate one;
        sooth_model *model;
        size_t found = 0;
        table.time = time;
        table.group = k & 1 ? group : NULL;
        model = fitted(&table, k & 2 ? "best effort=low error=mre" : "best effort=low error=mae");
        const sooth_best *best = best_in(model);
        CHECK(best->held == 2);
        CHECK_CLOSE(error_of(best, SOOTH_BEST_LAST_TWO), last_two_by_hand(time, table.group, y, ROWS, k & 2),
                    1e-5);
        for (size_t i = 0; sooth_best_candidate_at(best, i, &one); ++i) {
            if (strcmp(one.recipe, SOOTH_BEST_LAST_TWO) != 0) continue;
            CHECK(one.is_rule && one.weight == 0.0f && one.model == NULL && i != best->rule);
            ++found;
        }
        CHECK(found == 1);
        if (k & 1) CHECK(error_of(best, SOOTH_BEST_LAST_TWO) < (double)best->expected);
        sooth_model_free(&env, model);
    }
    table.time = NULL;
    sooth_model *model = fitted(&table, "best effort=low");
    CHECK(isnan(error_of(best_in(model), SOOTH_BEST_LAST_TWO)));
    sooth_model_free(&env, model);
}

/* A law that answers alone holds below half of the least target, too. A line that crosses 0 does not: its
   logarithm would be none. */
static void a_law_extrapolates_below_the_targets(void) {
    static const char *const recipe[3] = {"linear transform=log,none,log-target", "scaling law=amdahl",
                                          "linear"};
    static const float from[3] = {199.0f, 64.0f, 60.0f};
    for (int k = 0; k < 3; ++k) {
        static float x[40], y[40];
        sooth_best_candidate first;
        sooth_rng rng;
        float least = FLT_MAX;
        sooth_rng_init(&rng, 5, 1);
        for (size_t i = 0; i < 40; ++i) {
            const float noise = 1.0f + 0.02f * (sooth_rng_float(&rng) - 0.5f);
            x[i] = (float)(1 + i * 7 % 16);
            y[i] = noise * (k == 0   ? 200.0f / (1.0f + x[i])
                            : k == 1 ? 1.0f + 63.0f / x[i]
                                     : 50.0f - 2.0f * x[i]);
            least = fminf(least, y[i]);
        }
        sooth_table table = sooth_table_of(x, y, 40, 1);
        sooth_model *model = fitted(&table, "best effort=low error=mre");
        const sooth_best *best = best_in(model);
        sooth_best_candidate_at(best, 0, &first);
        CHECK(best->verdict == SOOTH_BEST_RULE && strcmp(first.recipe, recipe[k]) == 0);
        const double there = (double)sooth_best_predict(best, from + k);
        const double law = k == 0 ? 1.0 : k == 1 ? 1.0 + 63.0 / 64.0 : 0.5 * (double)least;
        CHECK_CLOSE(there, law, k == 2 ? 1e-6 : 0.05);
        CHECK(k == 2 || there < 0.5 * (double)least);
        sooth_model_free(&env, model);
    }
}

static void few_rows_have_an_answer(void) {
    static const float x[] = {1, 2, 3}, y[] = {4, 8, 5};
    sooth_table table = sooth_table_of(x, y, 1, 1);
    sooth_model *model = fitted(&table, "best");
    CHECK(best_in(model)->folds == 0 && isnan(best_in(model)->expected));
    CHECK(isnan(sooth_best_standard_error(best_in(model))) && isnan(sooth_best_share_above(best_in(model))));
    CHECK(sooth_model_predict(model, x + 2, NULL) == 4.0f);
    sooth_model_free(&env, model);
    table.rows = 3;
    model = fitted(&table, "best");
    CHECK(best_in(model)->folds == 3 && best_in(model)->repeats == 1);
    CHECK(isfinite(sooth_model_predict(model, x + 2, NULL)));
    sooth_model_free(&env, model);
}

/* ---- calibration ---- */

/* The folds of an interval fit the members that were chosen. Twenty searches would allocate twenty times as
   much. */
static void intervals_repeat_the_choice(void) {
    sooth_table table;
    check_memory memory;
    float low, high;
    make_friedman(&table, 100, 5, 30, 0.0);
    check_memory_init(&memory, &env, -1);
    sooth_model *plain = fitted(&table, "best effort=low error=rmse");
    const long before = memory.calls;
    sooth_model *model = fitted(&table, "best effort=low error=rmse interval=0.8");
    CHECK(memory.calls < 4 * before);
    const sooth_best *a = best_in(plain), *b = best_in(model);
    CHECK(a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0);
    CHECK(sooth_model_conformal(model, 0)->claim.promise != SOOTH_CONFORMAL_NONE);
    const float p = sooth_model_predict(model, table.x, NULL);
    sooth_model_interval_from(model, 0, p, &low, &high);
    CHECK(low < p && p < high && high - p < 5.0f); /* noise of deviation 1 */
    sooth_model_free(&env, model);
    sooth_model_free(&env, plain);
    CHECK(memory.live == 0 && memory.live_bytes == 0);
    sooth_env_init(&env);
    free_friedman(&table);
}

/* ---- files ---- */

static void files_swap_and_lies_are_refused(void) {
    sooth_table table;
    make_friedman(&table, 150, 5, 12, 0.0);
    sooth_model *model = fitted(&table, "best effort=low error=rmse");
    const size_t size = model->head.size;
    unsigned char *bytes = (unsigned char *)malloc(size), *wrong = (unsigned char *)malloc(size);
    const sooth_best *best = best_in(model);
    const size_t at = (size_t)((const unsigned char *)best - (const unsigned char *)model);
    memcpy(bytes, model, size);
    CHECK_STATUS(sooth_model_swap_bytes(bytes, size), SOOTH_OK);
    CHECK(memcmp(bytes, model, size) != 0 && !sooth_model_check(bytes, size));
    CHECK_STATUS(sooth_model_swap_bytes(bytes, size), SOOTH_OK);
    CHECK(memcmp(bytes, model, size) == 0);
    CHECK(best->members >= 2);
    const struct lie {
        size_t word;
        uint32_t value;
    } lies[] = {{offsetof(sooth_best, members), 0},
                {offsetof(sooth_best, members), 9},
                {offsetof(sooth_best, members), best->members + 1},
                {offsetof(sooth_best, candidates), 0},
                {offsetof(sooth_best, candidates), best->candidates + 1},
                {offsetof(sooth_best, candidates), 65},
                {offsetof(sooth_best, rule), best->candidates},
                {offsetof(sooth_best, error), 0},
                {offsetof(sooth_best, error), 4},
                {offsetof(sooth_best, verdict), 3},
                {offsetof(sooth_best, geometric), 1}, /* without a bound above 0 */
                {offsetof(sooth_best, low), soothi_bits(INFINITY)},
                {offsetof(sooth_best, low), soothi_bits(FLT_MAX)}, /* above the other */
                {offsetof(sooth_best, high), soothi_bits(INFINITY)},
                {offsetof(sooth_best, high), 0x7FC00000u}, /* NaN */
                {offsetof(sooth_best, geometric), 2},
                {offsetof(sooth_best, held), 3},
                {offsetof(sooth_best, head.targets), 2},
                {offsetof(sooth_best, head.features), 4},
                {offsetof(sooth_best, head.features), 0},
                {offsetof(sooth_best, head.doubles_at), 64}, /* inside of the struct */
                {offsetof(sooth_best, head.bytes_at), best->head.bytes_at + 16},
                {offsetof(sooth_best, head.bytes_at), best->head.bytes_at - 16},
                {offsetof(sooth_best, head.kind), SOOTH_KIND_BEST | 1u << 16}, /* version 1 has no doubles */
                {offsetof(sooth_best, head.kind), SOOTH_KIND_BEST | 3u << 16},
                {offsetof(sooth_best, low), soothi_bits(-INFINITY)},
                {sizeof(sooth_best) + 4, soothi_bits(0.999f)}, /* the first weight */
                {sizeof(sooth_best) + 4, soothi_bits(0.0f)},   /* their sum is not 1 */
                {sizeof(sooth_best) + 4, soothi_bits(-1.0f)},
                {sizeof(sooth_best) + 4, 0x7FC00000u},                    /* NaN */
                {sizeof(sooth_best) + 8, 2},                              /* is it a rule */
                {sizeof(sooth_best) + 12, (uint32_t)best->head.bytes_at}, /* its text */
                {sizeof(sooth_best) + 12, best->head.size},
                {sizeof(sooth_best) + 16 * best->members + 4, soothi_bits(0.1f)}};
    for (size_t k = 0; k < COUNT(lies); ++k) {
        memcpy(wrong, best, best->head.size);
        CHECK(sooth_best_check(wrong, best->head.size));
        memcpy(wrong + lies[k].word, &lies[k].value, 4);
        soothi_block_seal((sooth_block *)(void *)wrong);
        if (sooth_best_check(wrong, best->head.size)) printf("  lie %u is taken\n", (unsigned)k);
        CHECK(!sooth_best_check(wrong, best->head.size));
    }
    memcpy(wrong, best, best->head.size); /* a file that is turned around before it is checked */
    ((sooth_best *)(void *)wrong)->head.doubles_at = 64;
    soothi_block_seal((sooth_block *)(void *)wrong);
    CHECK_STATUS(sooth_model_swap_bytes(wrong, best->head.size), SOOTH_BAD_MODEL);
    for (size_t i = 0, inside = best->head.bytes_at, found = 0; i < best->members; ++i) {
        const sooth_block *member = (const sooth_block *)(const void *)((const unsigned char *)best + inside);
        if ((member->kind & 0xFFFFu) == SOOTH_KIND_MODEL && !found++) { /* a part without a size */
            memcpy(wrong, best, best->head.size);
            ((sooth_block *)(void *)(wrong + inside + member->bytes_at))->size = 0;
            soothi_block_seal((sooth_block *)(void *)(wrong + inside));
            soothi_block_seal((sooth_block *)(void *)wrong);
            CHECK_STATUS(sooth_model_swap_bytes(wrong, best->head.size), SOOTH_BAD_MODEL);
        }
        inside += member->size;
        CHECK(i + 1 < best->members || found > 0);
    }
    for (int sign = -1; sign <= 1;
         sign += 2) { /* weights that sum to 1 but for rounding, at the ends of a float */
        sooth_best *edge = (sooth_best *)(void *)wrong;
        memcpy(wrong, best, best->head.size);
        ((soothi_best_entry *)(void *)(edge + 1))->weight += 0.00005f;
        edge->low = edge->high = (float)sign * FLT_MAX;
        soothi_block_seal(&edge->head);
        CHECK(sooth_best_check(edge, edge->head.size));
        CHECK(sooth_best_predict(edge, table.x) == (float)sign * FLT_MAX);
    }
    CHECK(at > 0); /* the best is a part of an envelope with a card */
    memcpy(wrong, best, best->head.size);
    wrong[best->head.size - 1] = 1; /* the last text does not end */
    soothi_block_seal((sooth_block *)(void *)wrong);
    CHECK(!sooth_best_check(wrong, best->head.size));
    memcpy(wrong, best, best->head.size); /* without an envelope */
    CHECK_STATUS(sooth_model_swap_bytes(wrong, best->head.size), SOOTH_OK);
    CHECK(!sooth_best_check(wrong, best->head.size));
    CHECK_STATUS(sooth_model_swap_bytes(wrong, best->head.size), SOOTH_OK);
    CHECK(memcmp(wrong, best, best->head.size) == 0);
    static const float lows[] = {0.5f, FLT_MIN, INFINITY, 0.0f, NAN};
    for (size_t k = 0; k < 7; ++k) { /* at the ends of what is allowed */
        sooth_best *edge = (sooth_best *)(void *)wrong;
        memcpy(wrong, best, best->head.size);
        if (k < 5) edge->geometric = 1, edge->low = lows[k];
        else edge->held = k == 5 ? 2 : 1;
        soothi_block_seal(&edge->head);
        CHECK(sooth_best_check(wrong, best->head.size) == (k < 2 || k > 4));
    }
    free(wrong);
    free(bytes);
    sooth_model_free(&env, model);
    free_friedman(&table);
}

/* A best inside of a best, and an envelope inside of an envelope, would nest without end. */
static void members_are_of_other_kinds(void) {
    static const float x[] = {1, 2, 3, 4}, y[] = {4, 8, 5, 6};
    const sooth_table table = sooth_table_of(x, y, 4, 1);
    sooth_model *inner = fitted(&table, "best effort=low");
    const sooth_best *from = best_in(inner);
    const size_t words = sizeof(sooth_best) + sizeof(soothi_best_entry);
    sooth_best *outer = (sooth_best *)soothi_block_new(&env, SOOTH_KIND_BEST, SOOTH_BEST_VERSION, words, 16,
                                                       from->head.size + 16);
    soothi_best_entry *entry = (soothi_best_entry *)(void *)(outer + 1);
    outer->head.features = outer->head.targets = outer->members = outer->candidates = outer->error = 1;
    entry->weight = 1.0f;
    entry->text_at = outer->head.size - 1;
    memcpy((unsigned char *)outer + outer->head.bytes_at, from, from->head.size);
    soothi_block_seal(&outer->head);
    CHECK(!sooth_best_check(outer, outer->head.size));
    CHECK_STATUS(sooth_model_swap_bytes(outer, outer->head.size), SOOTH_BAD_MODEL);
    soothi_block_free(&env, &outer->head);
    sooth_model_free(&env, inner);
}

/* Members have one target, no part but transforms and levels, and room for a row that is transformed. */
static void members_have_few_parts(void) {
    enum { ROWS = 40, WIDE = 1025 };
    static float x[ROWS * WIDE], y[2 * ROWS];
    static uint32_t group[ROWS];
    static const char *const words[] = {"linear", "linear interval=0.8", "tree", "linear transform=standard"};
    sooth_train_recipe recipe;
    sooth_model *model, *part;
    sooth_model_parts parts, one;
    float out[ROWS];
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 2);
    for (size_t i = 0; i < ROWS * WIDE; ++i) x[i] = sooth_rng_float(&rng);
    for (size_t i = 0; i < ROWS; ++i) group[i] = (uint32_t)i / 4;
    for (size_t i = 0; i < ROWS; ++i) y[i] = y[ROWS + i] = 1.0f + x[i * 30] + 2.0f * x[i * 30 + 1];
    sooth_table table = sooth_table_of(x, y, ROWS, 30);
    CHECK(!soothi_model_plain_check(x, sizeof(sooth_block) - 1));
    for (size_t k = 0; k < 2; ++k) { /* a card, or an interval */
        CHECK_STATUS(sooth_train_recipe_read(&env, words[k], strlen(words[k]), &recipe), SOOTH_OK);
        recipe.no_card = k == 1;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        CHECK(sooth_model_check(model, model->head.size));
        CHECK(!soothi_model_member_check(model, model->head.size, 30));
        CHECK(sooth_model_predictor_kind(model)->kind == SOOTH_KIND_LINEAR);
        sooth_model_free(&env, model);
    }
    table.group = group; /* adaptation to a group alone */
    CHECK_STATUS(sooth_train_recipe_read(&env, words[1], strlen(words[1]), &recipe), SOOTH_OK);
    recipe.calibrate.adapt = SOOTH_CALIBRATE_ADAPT_ALWAYS;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    memset(&one, 0, sizeof one);
    one.predictor = parts.predictor;
    one.adapt = parts.adapt;
    CHECK(parts.adapt != NULL);
    CHECK_STATUS(sooth_model_assemble(&env, &one, &part), SOOTH_OK);
    CHECK(!soothi_model_member_check(part, part->head.size, 30));
    sooth_model_free(&env, part);
    sooth_model_free(&env, model);
    for (size_t i = 0; i < ROWS; ++i) y[i] = (float)(x[i * 30] > 0.5f); /* a probability alone */
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "tree";
    recipe.no_card = recipe.calibrated = 1;
    recipe.calibrate.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    sooth_model_open(model, &parts);
    CHECK(parts.probability && !parts.card && !parts.interval && !parts.adapt);
    CHECK(!soothi_model_member_check(model, model->head.size, 30));
    sooth_model_free(&env, model);
    table.group = NULL;
    table.targets = 2;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "tree";
    recipe.no_card = 1;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK(!soothi_model_member_check(model, model->head.size, 30));
    sooth_model_free(&env, model);
    table.targets = 1;
    for (size_t k = 2; k < 4; ++k) /* 30 columns in batches of 34 rows; more than there is room for */
        for (size_t cols = 30; cols <= WIDE; cols += WIDE - 30) {
            table = sooth_table_of(x, y, ROWS, cols);
            CHECK_STATUS(sooth_train_recipe_read(&env, words[k], strlen(words[k]), &recipe), SOOTH_OK);
            recipe.no_card = 1;
            CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
            const uint32_t size = soothi_model_member_check(model, model->head.size, (uint32_t)cols);
            CHECK(size == (k == 3 && cols == WIDE ? 0 : model->head.size));
            if (size) soothi_model_member_many(&model->head, x, ROWS, cols, out);
            for (size_t i = 0; size && i < ROWS; ++i) {
                float row[WIDE];
                CHECK(out[i] == sooth_model_predict(model, x + i * cols, row));
            }
            sooth_model_free(&env, model);
        }
    static soothi_best_work w; /* such a candidate is none */
    static sooth_train_recipe mine;
    w.recipe = &mine;
    strcpy(w.tried[0].text, words[3]);
    CHECK_STATUS(soothi_best_learn(&env, &w, 0, &table, &model), SOOTH_BAD_DATA);
    CHECK(!model);
    sooth_best_free(&env, NULL);
}

/* A block of members that are all this one. */
static int is_valid_of(const sooth_block *member, uint32_t members, const float *weight) {
    const size_t words = sizeof(sooth_best) + members * sizeof(soothi_best_entry);
    sooth_best *best = (sooth_best *)soothi_block_new(&env, SOOTH_KIND_BEST, SOOTH_BEST_VERSION, words, 16,
                                                      members * member->size + 16);
    soothi_best_entry *entry = (soothi_best_entry *)(void *)(best + 1);
    best->head.features = best->head.targets = best->error = 1;
    best->members = best->candidates = members;
    for (uint32_t k = 0; k < members; ++k) {
        entry[k].weight = weight ? weight[k] : 1.0f / (float)members;
        entry[k].text_at = best->head.size - 1;
        memcpy((unsigned char *)best + best->head.bytes_at + k * member->size, member, member->size);
    }
    CHECK(!sooth_best_check(best, best->head.size)); /* without a checksum */
    soothi_block_seal(&best->head);
    const int valid = sooth_best_check(best, best->head.size);
    soothi_block_free(&env, &best->head);
    return valid;
}

static void members_have_weights_that_sum_to_one(void) {
    static const float x[] = {1, 2, 3, 4}, y[] = {4, 8, 5, 6};
    static const float wrong[][2] = {{1.0f, 0.0f},
                                     {1.0f, -0.00005f},
                                     {0.5f, 0.4999f},
                                     {1.0f, 0.0001f},
                                     {NAN, 1.0f}},
                       right[][2] = {{0.5f, 0.5f}, {0.99995f, 0.00001f}};
    const sooth_table table = sooth_table_of(x, y, 4, 1);
    sooth_model *member = fitted(&table, "linear");
    sooth_model_parts parts;
    sooth_model_open(member, &parts);
    CHECK(is_valid_of(parts.predictor, 8, NULL) && !is_valid_of(parts.predictor, 9, NULL));
    for (size_t k = 0; k < COUNT(wrong); ++k) CHECK(!is_valid_of(parts.predictor, 2, wrong[k]));
    for (size_t k = 0; k < COUNT(right); ++k) CHECK(is_valid_of(parts.predictor, 2, right[k]));
    sooth_model_free(&env, member);
}

/* ---- failures ---- */

static void mistakes_are_sentences(void) {
    static const float x[] = {1, 2, 3, 4}, y[] = {4, 8, 5, 6}, two[] = {1, 2, 3, 4, 5, 6, 7, 8};
    sooth_table table = sooth_table_of(x, y, 4, 1);
    sooth_best *best;
    sooth_model *model;
    const sooth_best_options wrong = {.members = 9};
    CHECK_FAILS(&env, fit(&table, "best transform=log-target", &model), SOOTH_BAD_ARGUMENT, "transform");
    CHECK_FAILS(&env, fit(&table, "best transform=standard", &model), SOOTH_BAD_ARGUMENT, "transform");
    CHECK_FAILS(&env, fit(&table, "best effort=huge", &model), SOOTH_BAD_ARGUMENT, "medium|low|high");
    CHECK_FAILS(&env, sooth_best_fit(&env, &table, &wrong, &best), SOOTH_BAD_ARGUMENT, "members");
    table.y = two;
    table.targets = 2;
    CHECK_FAILS(&env, fit(&table, "best", &model), SOOTH_BAD_ARGUMENT, "one target");
    CHECK(!model);
}

static int stop_when_it_is_time(void *left, const char *stage, double done) {
    (void)stage;
    (void)done;
    return --*(int *)left == 0;
}

/* Two groups: two folds, and a fit that has few allocations. */
static void memory_and_cancelling_leave_nothing(void) {
    enum { ROWS = 8 };
    static float x[ROWS], y[ROWS];
    static uint32_t group[ROWS];
    const sooth_best_options low = {.effort = SOOTH_BEST_LOW};
    sooth_best *best = NULL;
    check_memory memory;
    sooth_env own;
    for (size_t i = 0; i < ROWS; ++i) {
        group[i] = (uint32_t)(i % 2);
        x[i] = (float)i;
        y[i] = 3.0f + (float)(i * i);
    }
    sooth_table table = sooth_table_of(x, y, ROWS, 1);
    table.group = group;
    sooth_env_init(&own);
    CHECK_EVERY_ALLOCATION(&own, sooth_best_fit(&own, &table, &low, &best), sooth_best_free(&own, best));
    sooth_env_init(&own);
    check_memory_init(&memory, &own, -1);
    own.progress_fn = check_stop_at_half;
    CHECK_STATUS(sooth_best_fit(&own, &table, &low, &best), SOOTH_CANCELLED);
    CHECK(!best && memory.live == 0 && memory.live_bytes == 0);
    own.progress_fn = stop_when_it_is_time;
    for (int calls = 1; calls <= 12; ++calls) { /* in a candidate, and between two */
        int left = calls;
        own.progress_user = &left;
        CHECK_STATUS(sooth_best_fit(&own, &table, &low, &best), SOOTH_CANCELLED);
        CHECK(!best && left == 0 && memory.live == 0 && memory.live_bytes == 0);
    }
}

/* The choice of a law of threads does not fit a table without threads. */
static void members_that_cannot_be_fitted_again(void) {
    static const float threads[] = {1, 2, 3, 4, 6, 8, 12, 16}, none[] = {0, -1, -2, -3, -4, -5, -6, -7};
    float y[8];
    for (size_t i = 0; i < 8; ++i) y[i] = 2.0f + 30.0f / threads[i];
    sooth_table table = sooth_table_of(threads, y, 8, 1);
    sooth_best *law, *again = NULL;
    sooth_best_candidate first;
    const sooth_best_options low = {.effort = SOOTH_BEST_LOW};
    sooth_best_options same = low;
    CHECK_STATUS(sooth_best_fit(&env, &table, &low, &law), SOOTH_OK);
    sooth_best_candidate_at(law, 0, &first);
    CHECK(law->members == 1 && strncmp(first.recipe, "scaling law=", 12) == 0);
    same.choice = law;
    table.x = none;
    CHECK_FAILS(&env, sooth_best_fit(&env, &table, &same, &again), SOOTH_BAD_DATA,
                "none of the members can be fitted to this table");
    CHECK(!again);
    sooth_best_free(&env, law);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(predictions_are_means_of_the_members);
    CHECK_RUN(errors_are_those_of_rows_held_out);
    CHECK_RUN(the_standard_error_is_that_of_units);
    CHECK_RUN(whole_groups_are_held_out);
    CHECK_RUN(a_rule_answers_if_nothing_beats_it);
    CHECK_RUN(the_stated_error_holds_on_new_rows);
    CHECK_RUN(selection_is_the_naive_one);
    CHECK_RUN(the_share_of_a_learner_is_the_naive_one);
    CHECK_RUN(the_ends_of_a_search);
    CHECK_RUN(small_searches);
    CHECK_RUN(every_candidate_is_a_recipe);
    CHECK_RUN(options_choose_what_is_compared);
    CHECK_RUN(missing_values_leave_the_trees);
    CHECK_RUN(members_without_the_value_are_left_out);
    CHECK_RUN(the_median_of_each_category_is_a_rule);
    CHECK_RUN(members_encode_levels);
    CHECK_RUN(later_rows_are_held_out);
    CHECK_RUN(the_times_of_the_rows_make_folds);
    CHECK_RUN(the_last_two_targets_are_compared);
    CHECK_RUN(a_law_extrapolates_below_the_targets);
    CHECK_RUN(few_rows_have_an_answer);
    CHECK_RUN(intervals_repeat_the_choice);
    CHECK_RUN(files_swap_and_lies_are_refused);
    CHECK_RUN(members_are_of_other_kinds);
    CHECK_RUN(members_have_few_parts);
    CHECK_RUN(members_have_weights_that_sum_to_one);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(memory_and_cancelling_leave_nothing);
    CHECK_RUN(members_that_cannot_be_fitted_again);
    return check_end("best");
}
