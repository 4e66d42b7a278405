/* rules.c - simple rules: each model of a comparison has to beat the best of them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A rule is a recipe without options, such as a linear model, or a few lines below. It is tested on the same
 * folds as the models, and learns from the same training rows.
 */
#include "model_cli.h"

#include <math.h>

typedef struct keyed {
    double key;
    size_t row;
} keyed;

static int by_key(const void *a, const void *b) {
    const keyed *x = (const keyed *)a, *y = (const keyed *)b;
    return x->key < y->key ? -1 : x->key > y->key ? 1 : x->row < y->row ? -1 : x->row > y->row;
}

/* Returns the level of a row in a feature, or its group; missing is a level, too. */
static double key_of(const data *d, int key, size_t row) {
    const sooth_table *table = &d->table;
    if (key < 0) return (double)table->group[row];
    const float v = table->x[row * table->stride + (size_t)key];
    return v == v ? (double)v : -1.0;
}

static float target_of(const data *d, size_t row, size_t t) { return d->table.y[row * d->table.targets + t]; }

static double weight_of(const data *d, size_t row) {
    return d->table.weight ? (double)d->table.weight[row] : 1.0;
}

static float median_of_rows(const data *d, const keyed *row, size_t rows, size_t t) {
    weighed *all = (weighed *)allocate(rows, sizeof *all);
    for (size_t i = 0; i < rows; ++i)
        all[i] = (weighed){(double)target_of(d, row[i].row, t), weight_of(d, row[i].row)};
    const float median = (float)median_weighed(all, rows);
    free(all);
    return median;
}

static int by_value(const void *a, const void *b) {
    const weighed *x = (const weighed *)a, *y = (const weighed *)b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The target's quantile over training rows: the first value up to which their weight reaches its share. */
static float quantile_of_rows(const data *d, const keyed *row, size_t rows, size_t t) {
    weighed *all = (weighed *)allocate(rows, sizeof *all);
    double weights = 0.0, below = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < rows; ++i) {
        all[i] = (weighed){(double)target_of(d, row[i].row, t), weight_of(d, row[i].row)};
        weights += all[i].weight;
    }
    qsort(all, rows, sizeof *all, by_value);
    while (k + 1 < rows && (below += all[k].weight) < d->quantile[t] * weights) ++k;
    const float v = rows ? (float)all[k].value : (float)NAN;
    free(all);
    return v;
}

static float mean_of_rows(const data *d, const sooth_split_fold *fold, size_t t) {
    double sum = 0.0, weights = 0.0;
    for (size_t i = 0; i < fold->trains; ++i) {
        const double w = weight_of(d, fold->train[i]);
        sum += w * (double)target_of(d, fold->train[i], t);
        weights += w;
    }
    return (float)(sum / weights);
}

/* The median of the training rows of the same level; of all for a level that is new, or without weight. */
static void predict_key(const data *d, int key, const keyed *train, const sooth_split_fold *fold, size_t t,
                        float *out) {
    const float all = median_of_rows(d, train, fold->trains, t);
    keyed *test = (keyed *)allocate(fold->tests, sizeof *test);
    for (size_t i = 0; i < fold->tests; ++i) test[i] = (keyed){key_of(d, key, fold->test[i]), i};
    qsort(test, fold->tests, sizeof *test, by_key);
    for (size_t i = 0, begin = 0, end; i < fold->tests; begin = end) {
        const double level = test[i].key;
        while (begin < fold->trains && train[begin].key < level) ++begin;
        for (end = begin; end < fold->trains && !(train[end].key > level);) ++end;
        float median = end > begin ? median_of_rows(d, train + begin, end - begin, t) : all;
        if (median != median) median = all;
        for (; i < fold->tests && !(test[i].key > level); ++i) out[test[i].row] = median;
    }
    free(test);
}

/* The target of the training row at the least distance: standardised features, 0 or 1 for categories, a
   missing value is the mean. The first of equals. */
static void predict_nearest(const data *d, const sooth_split_fold *fold, size_t t, float *out) {
    const sooth_table *table = &d->table;
    const size_t cols = table->cols, n = fold->trains, all = n + fold->tests;
    double *z = (double *)allocate(all * cols, sizeof *z);
    for (size_t j = 0; j < cols; ++j) {
        double sum = 0.0, squares = 0.0, weights = 0.0;
        for (size_t i = 0; i < all; ++i) {
            const size_t row = i < n ? fold->train[i] : fold->test[i - n];
            const double v = z[i * cols + j] = (double)table->x[row * table->stride + j];
            if (i >= n || v != v) continue;
            sum += weight_of(d, row) * v;
            weights += weight_of(d, row);
        }
        const double mean = weights > 0.0 ? sum / weights : 0.0;
        for (size_t i = 0; i < n; ++i) {
            const double apart = z[i * cols + j] - mean;
            if (apart == apart) squares += weight_of(d, fold->train[i]) * apart * apart;
        }
        const double unit = squares > 0.0 ? squares / weights : 0.0;
        for (size_t i = 0; i < all; ++i) {
            double *v = &z[i * cols + j];
            if (is_category(d->levels, j)) continue;
            *v = *v == *v && unit > 0.0 ? (*v - mean) / sqrt(unit) : 0.0;
        }
    }
    for (size_t i = 0; i < fold->tests; ++i) {
        const double *at = z + (n + i) * cols;
        double least = HUGE_VAL;
        out[i] = (float)NAN; /* no row has weight */
        for (size_t k = 0; k < n; ++k) {
            double sum = 0.0;
            for (size_t j = 0; j < cols && sum < least; ++j) {
                const double apart = at[j] - z[k * cols + j];
                if (!is_category(d->levels, j)) sum += apart * apart;
                else
                    sum += at[j] == z[k * cols + j] || (at[j] != at[j] && z[k * cols + j] != z[k * cols + j])
                               ? 0.0
                               : 1.0;
            }
            if (!(sum < least) || !(weight_of(d, fold->train[k]) > 0.0)) continue;
            least = sum;
            out[i] = target_of(d, fold->train[k], t);
        }
    }
    free(z);
}

static float row_of(const data *d, size_t row, size_t j) { return d->table.x[row * d->table.stride + j]; }

/* A line a + b x of one feature, such as a start-up time and a time for each byte: by least squares of the
   relative errors, of the feature whose mean relative error is the least on the training rows. */
static void predict_column(const data *d, const sooth_split_fold *fold, size_t t, float *out) {
    double least = HUGE_VAL;
    for (size_t j = 0; j < d->table.cols; ++j) {
        double s = 0.0, sx = 0.0, sxx = 0.0, sy = 0.0, sxy = 0.0, error = 0.0;
        if (is_category(d->levels, j)) continue;
        for (size_t i = 0; i < fold->trains; ++i) {
            const size_t row = fold->train[i];
            const double y = (double)target_of(d, row, t), x = (double)row_of(d, row, j);
            const double w = weight_of(d, row) / (y * y);
            s += w;
            sx += w * x;
            sxx += w * x * x;
            sy += w * y;
            sxy += w * x * y;
        }
        const double apart = s * sxx - sx * sx;
        const double b = apart > 1e-9 * s * sxx ? (s * sxy - sx * sy) / apart : 0.0, a = (sy - b * sx) / s;
        for (size_t i = 0; i < fold->trains; ++i) {
            const size_t row = fold->train[i];
            const double y = (double)target_of(d, row, t);
            error += weight_of(d, row) * fabs(a + b * (double)row_of(d, row, j) - y) / y;
        }
        if (!(error < least)) continue; /* as for a missing value */
        least = error;
        for (size_t i = 0; i < fold->tests; ++i)
            out[i] = (float)(a + b * (double)row_of(d, fold->test[i], j));
    }
}

/* The mean of the last two targets that were measured earlier: of the same group, else of all. Earlier rows
   of the test block are known, too, since the rule never has to be fitted again. Rows of one time do not know
   each other. */
static void predict_last(const data *d, const keyed *train, const sooth_split_fold *fold, size_t t,
                         float *out) {
    const size_t all = fold->trains + fold->tests;
    const int one_of_many = d->table.group && !d->bags.offset;
    keyed *row = (keyed *)allocate(all, sizeof *row);
    struct last {
        float of[2];
        size_t count;
    } *seen = (struct last *)allocate((size_t)d->chosen.groups + 1, sizeof *seen),
      *whole = &seen[d->chosen.groups];
    const float fallback = median_of_rows(d, train, fold->trains, t);
    const int forward = fold->group == UINT32_MAX;
    for (size_t i = 0; i < fold->trains; ++i) row[i] = (keyed){(double)d->time[fold->train[i]], i};
    for (size_t i = 0; i < fold->tests; ++i)
        row[fold->trains + i] = (keyed){(double)d->time[fold->test[i]], fold->trains + i};
    qsort(row, all, sizeof *row, by_key);
    for (size_t begin = 0, end; begin < all; begin = end) {
        for (end = begin; end < all && !(row[end].key > row[begin].key);) ++end;
        for (size_t i = begin; i < end; ++i) {
            if (row[i].row < fold->trains) continue;
            const size_t k = row[i].row - fold->trains;
            const struct last *of = one_of_many ? &seen[d->table.group[fold->test[k]]] : whole;
            if (!of->count) of = whole;
            out[k] = !of->count ? fallback : of->count == 1 ? of->of[0] : of->of[0] / 2.0f + of->of[1] / 2.0f;
        }
        for (size_t i = begin; i < end; ++i) {
            const int is_test = row[i].row >= fold->trains;
            const size_t r = is_test ? fold->test[row[i].row - fold->trains] : fold->train[row[i].row];
            struct last *const to[2] = {whole, one_of_many ? &seen[d->table.group[r]] : whole};
            if (is_test && !forward) continue; /* of a group that is left out */
            for (int k = 0; k < (one_of_many ? 2 : 1); ++k) {
                to[k]->of[1] = to[k]->of[0];
                to[k]->of[0] = target_of(d, r, t);
                to[k]->count += to[k]->count < 2;
            }
        }
    }
    free(seen);
    free(row);
}

void rule_predict(const contender *c, const data *d, const sooth_split_fold *fold, int forward, size_t t,
                  float *out) {
    keyed *train = (keyed *)allocate(fold->trains, sizeof *train);
    sooth_split_fold own = *fold;
    own.group = forward ? UINT32_MAX : 0;
    for (size_t i = 0; i < fold->trains; ++i)
        train[i] = (keyed){c->rule == KEY_MEDIAN ? key_of(d, c->key, fold->train[i]) : 0.0, fold->train[i]};
    if (c->rule == KEY_MEDIAN) qsort(train, fold->trains, sizeof *train, by_key);
    if (c->rule == MEAN || c->rule == MEDIAN) {
        const float v = d->quantile       ? quantile_of_rows(d, train, fold->trains, t)
                        : c->rule == MEAN ? mean_of_rows(d, fold, t)
                                          : median_of_rows(d, train, fold->trains, t);
        for (size_t i = 0; i < fold->tests; ++i) out[i] = v;
    } else if (c->rule == KEY_MEDIAN) predict_key(d, c->key, train, fold, t, out);
    else if (c->rule == NEAREST) predict_nearest(d, fold, t, out);
    else if (c->rule == COLUMN) {
        for (size_t i = 0; i < fold->tests; ++i) out[i] = (float)NAN;
        predict_column(d, fold, t, out);
    } else predict_last(d, train, &own, t, out);
    free(train);
}

/* ---- the list ---- */

static contender *add(contender *all, size_t *count, const char *name, enum rule rule, int key) {
    contender *c = &all[(*count)++];
    memset(c, 0, sizeof *c);
    c->name = name;
    c->is_rule = 1;
    c->rule = rule;
    c->key = key;
    return c;
}

/* Returns whether two recipes fit the same model to numbers. */
static int is_same(const sooth_train_recipe *a, const sooth_train_recipe *b) {
    return strcmp(a->model, b->model) == 0 && memcmp(&a->options, &b->options, sizeof a->options) == 0 &&
           a->has_input == b->has_input && memcmp(&a->input, &b->input, sizeof a->input) == 0 &&
           a->has_target == b->has_target && memcmp(&a->target, &b->target, sizeof a->target) == 0;
}

/* Adds a recipe, unless it is that of the model, `of`, or the table is none for it: it is fitted once. */
static void add_recipe(sooth_env *env, const data *d, const sooth_train_recipe *of, const char *name,
                       const char *model, const char *option, const char *value, contender *all,
                       size_t *count) {
    contender *c = add(all, count, name, NO_RULE, 0);
    sooth_model *made = NULL;
    sooth_train_recipe *r = &c->recipe;
    if (sooth_train_recipe_init(env, r, model) != SOOTH_OK ||
        (option && sooth_train_recipe_set(env, r, option, value) != SOOTH_OK))
        die(BAD_USE, "%s", env->sentence);
    if (is_same(r, of)) {
        --*count;
        return;
    }
    r->levels = d->levels;
    r->no_card = 1;
    const sooth_status status = sooth_train_fit(env, &d->table, r, &made);
    progress_clear();
    if (status == SOOTH_NO_MEMORY) die_of(status, env);
    if (status != SOOTH_OK) --*count;
    sooth_model_free(env, made);
}

static const char *median_name(const char *of) {
    char *name = (char *)allocate(strlen(of) + 20, 1);
    return strcat(strcpy(name, "median of the "), of);
}

/* Returns true if all targets are above 0. */
static int is_positive(const data *d) {
    for (size_t i = 0; i < d->table.rows * d->table.targets; ++i)
        if (!(d->table.y[i] > 0.0f)) return 0;
    return 1;
}

int is_two_classes(const data *d) {
    for (size_t i = 0; i < d->table.rows * d->table.targets; ++i)
        if (d->table.y[i] < 0.0f || d->table.y[i] > 1.0f || (d->table.y[i] > 0.0f && d->table.y[i] < 1.0f))
            return 0;
    return 1;
}

static void add_last_two(const data *d, contender *all, size_t *count) {
    add(all, count, d->group && !d->bags.offset ? "last two of the group" : "last two", LAST_TWO, 0);
}

/* Adds the law of --ratio-to alone: the sum times what is best for the loss of the model. */
static void add_law(const data *d, const sooth_train_recipe *of, contender *all, size_t *count) {
    if (!*of->ratio_to) return;
    sooth_train_recipe *r = &add(all, count, "law alone", NO_RULE, 0)->recipe;
    r->model = "boost";
    memcpy(r->ratio_to, of->ratio_to, sizeof r->ratio_to);
    r->options.boost.n_estimators = 1;
    r->options.boost.subsample = 1.0;
    r->options.boost.min_samples_leaf = 0x7fffffff;
    r->levels = d->levels;
    r->no_card = 1;
    if (model_named(of->model)->kind != SOOTH_KIND_BOOST) return;
    const sooth_boost_options *o = &of->options.boost;
    if (o->loss == SOOTH_BOOST_ABSOLUTE || o->loss == SOOTH_BOOST_QUANTILE) r->options.boost.loss = o->loss;
    if (o->loss == SOOTH_BOOST_QUANTILE) r->options.boost.quantile = o->quantile;
    memcpy(r->options.boost.quantiles, o->quantiles, sizeof o->quantiles);
}

size_t contenders_of_fit(const contender *c) {
    size_t n = 1;
    while (n <= MOST_RULES - BASELINES && c[n].rule != MEAN) ++n;
    return n + BASELINES;
}

size_t rules_list(sooth_env *env, const data *d, int with_linear, const sooth_train_recipe *of,
                  contender all[MOST_RULES]) {
    size_t n = 0, keys = 0;
    add_law(d, of, all, &n);
    for (int others = !d->quantile && !is_two_classes(d); others; others = 0) {
        if (with_linear) add_recipe(env, d, of, "linear", "linear", NULL, NULL, all, &n);
        if (!d->zero && !d->levels)
            add_recipe(env, d, of, "power law", "linear", "transform", "log,none,log-target", all, &n);
        if (!d->zero && d->table.targets == 1 && d->table.cols == 1) {
            add_recipe(env, d, of, "Amdahl law", "scaling", "law", "amdahl", all, &n);
            add_recipe(env, d, of, "Gunther law", "scaling", "law", "usl", all, &n);
        }
        if (!d->zero && d->table.targets == 1 && d->table.cols == 2)
            add_recipe(env, d, of, "law of threads", "scaling", "law", "time", all, &n);
        if (!d->zero && is_positive(d)) add(all, &n, "line of one column", COLUMN, 0);
        if (d->table.rows <= 5000) add(all, &n, "nearest row", NEAREST, 0);
        if (d->table.group && !d->bags.offset) add(all, &n, median_name(d->group), KEY_MEDIAN, -1);
        for (size_t j = 0; j < d->table.cols && keys < MOST_KEYS; ++j)
            if (is_category(d->levels, j)) {
                add(all, &n, median_name(d->table.names[j]), KEY_MEDIAN, (int)j);
                ++keys;
            }
        if (d->time) add_last_two(d, all, &n);
    }
    score_baselines(all + n);
    return n + BASELINES;
}
