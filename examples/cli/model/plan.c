/* plan.c - how long fits take: for the plan of a command, for its bar, and for what it leaves out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The seconds are those of one core of a server of 2023, measured with 40 to 100,000 rows of 3, 8 and 20
 * columns: half to twice those that a fit takes, or a third to three times for support vectors and fuzzy
 * rules, whose steps depend on the numbers. No clock is read: the same table gets the same plan, and so the
 * same results, on every machine. The bar corrects the seconds by what has passed. Fuzzy rules are planned as
 * if a table needed all of them; many need few.
 */
#include "model_cli.h"

static double or_default(double value, double fallback) { return value > 0.0 ? value : fallback; }

/* Returns log2(n), at least 1. */
static double log2_of(double n) {
    double bits = 1.0;
    for (; n >= 4.0; n /= 2.0) bits += 1.0;
    return bits + (n > 2.0 ? n / 2.0 - 1.0 : 0.0);
}

/* The formulas are those under "Cost" in the headers of the kinds, for n rows of d columns. */

static double of_linear(const sooth_linear_options *o, double n, double d) {
    const double columns = o->products ? d + d * (d + 1.0) / 2.0 : d;
    const double dependent = o->products ? 1e-6 * (n < 1000.0 ? n : 1000.0) * columns : 0.0;
    return 5e-10 * n * (columns + 1.0) * (columns + 1.0) + dependent;
}

static double of_tree(double n, double d) { return 8e-9 * n * d * log2_of(n); }

static double of_forest(const sooth_forest_options *o, double n, double d) {
    const double trees = or_default((double)o->n_estimators, 100.0);
    return trees * ((o->splitter ? 2.4e-8 : 1.6e-8) + 3.6e-9 * d) * n * log2_of(n);
}

/* A round costs time for each node and each of its columns, and for each row. Small tables end in fewer
   nodes, about one of 8 rows; but a symmetric tree has all of its nodes. */
static double of_boost(const sooth_boost_options *o, double n, double d) {
    const int is_symmetric = o->grow_policy == SOOTH_BOOST_SYMMETRIC;
    const double most = or_default((double)o->max_leaves, 31.0);
    const double usual = o->loss == SOOTH_BOOST_LOGISTIC ? 200.0 : 500.0;
    double rounds = or_default((double)o->n_estimators, usual), depth = or_default((double)o->max_depth, 6.0);
    double quantiles = 1.0, all = 1.0;
    for (size_t k = 1; k < SOOTH_OPTION_MAX_NUMBERS && o->quantiles[k] > 0.0; ++k) quantiles += 1.0;
    for (double k = 0.0; k < depth; k += 1.0) all *= 2.0;
    if (o->grow_policy == SOOTH_BOOST_LOSSGUIDE && (!o->max_depth || all > most)) {
        all = most;
        depth = log2_of(most);
    }
    const double grown = n / 8.0 + (is_symmetric ? all / 5.0 : 0.0), nodes = grown < all ? grown : all;
    rounds *= quantiles;
    return rounds * (5e-6 + 4e-7 * (is_symmetric ? all : nodes) + 1.6e-7 * nodes * d +
                     (1.9e-8 + 1e-9 * d) * n * depth / 6.0);
}

static double of_mlp(const sooth_mlp_options *o, double n, double d) {
    const uint32_t hidden[4] = {o->hidden_1, o->hidden_2, o->hidden_3, o->hidden_4};
    const double usual = n <= 5000.0 ? 200.0 : n >= 50000.0 ? 20.0 : 1e6 / n;
    double weights = 0.0, from = d;
    for (int k = 0; k < 4; ++k) {
        if (!hidden[k]) continue;
        weights += (from + 1.0) * (double)hidden[k];
        from = (double)hidden[k];
    }
    if (!(weights > 0.0)) weights = (d + 1.0) * 64.0 + 65.0 * 64.0;
    return 1.8e-10 * or_default((double)o->epochs, usual) * n * weights;
}

static double of_svr(double n, double d) { return (3e-8 + 1e-9 * d) * n * n; }

static double of_gauss(const sooth_gauss_options *o, double n, double d) {
    const double most = or_default((double)o->learn_rows, 500.0), rows = n < most ? n : most;
    const double steps = or_default((double)o->max_iter, 100.0) * or_default((double)o->starts, 3.0) / 300.0;
    const double points = or_default((double)o->max_points, 2000.0), exact = n < points ? n : points;
    return steps * 1.3e-5 * rows * rows * (0.5 + d / 16.0) + 1e-9 * exact * rows * rows + 4e-5 * (n - exact);
}

/* As many rules as there may be, one more each time: many tables need fewer. */
static double of_sofnn(const sooth_sofnn_options *o, double n, double d) {
    const double most = or_default((double)o->max_rules, 32.0),
                 b = o->order == SOOTH_SOFNN_ZERO_ORDER ? 1.0 : 1.0 + d;
    double steps = 0.0;
    for (double u = 1.0; u <= most && u * b <= n; u += 1.0)
        steps += n * (u * b) * (u * b) / 2.0 + 40.0 * n * u * b + u * b * (u * b) * (u * b) / 6.0;
    return 3.6e-9 * steps;
}

/* Returns whether best tries a candidate: the limits of SOOTH_BEST_CANDIDATES. */
static int is_tried(const sooth_best_options *o, uint32_t effort, double least_rows, double most_rows,
                    double most_columns, double n, double d) {
    static const int rank[] = {1, 0, 2}; /* medium, low, high */
    const double times = o->effort == SOOTH_BEST_HIGH ? 2.0 : 1.0;
    return rank[effort] <= rank[o->effort] && n >= least_rows &&
           (!(most_rows > 0.0) || n <= times * most_rows) && (!(most_columns > 0.0) || d <= most_columns);
}

int is_wide(const sooth_table *table) {
    double least = DBL_MAX, most = 0.0;
    for (size_t i = 0; i < table->rows * table->targets; ++i) {
        if ((double)table->y[i] < least) least = (double)table->y[i];
        if ((double)table->y[i] > most) most = (double)table->y[i];
    }
    return least > 0.0 && most >= 3.0 * least;
}

int is_short(const sooth_table *table, size_t row) {
    const float *x = table->x + row * table->stride;
    for (size_t j = 0; j < table->cols; ++j)
        if (x[j] != x[j]) return 1;
    return 0;
}

int takes_missing(const sooth_model_kind *kind) {
    return kind->kind == SOOTH_KIND_TREE || kind->kind == SOOTH_KIND_FOREST ||
           kind->kind == SOOTH_KIND_BOOST || kind->kind == SOOTH_KIND_BEST;
}

static int has_missing(const sooth_table *table) {
    size_t i = 0;
    while (i < table->rows && !is_short(table, i)) ++i;
    return i < table->rows;
}

/* Best fits each candidate to five folds, four times below 100 rows, and then about a third of them to all
   rows. Up to five groups, and folds in time, have no other folds to repeat with. */
static double of_best(const sooth_best_options *o, const data *t, double n) {
    static const struct candidate {
        char words[96];
        uint32_t effort;
        double log, least_rows, most_rows, most_columns;
    } candidate[] = {
#define ITEM(words, rule, effort, log, least_rows, most_rows, most_columns, reason) \
    {words, SOOTH_BEST_##effort, log, least_rows, most_rows, most_columns},
        SOOTH_BEST_CANDIDATES(ITEM)
#undef ITEM
    };
    const double parts = t->table.group && t->groups < 5 ? (double)t->groups : 5.0;
    const double part = t->time ? n / 2.0 : n - n / parts, d = (double)t->table.cols;
    const int repeats = n < 100.0 && !t->time && !(t->table.group && t->groups <= 5) ? 4 : 1;
    const int wide = is_wide(&t->table), lacks = has_missing(&t->table);
    double folds = 0.0, all = 0.0;
    for (size_t i = 0; i < sizeof candidate / sizeof *candidate; ++i) {
        const struct candidate *c = &candidate[i];
        sooth_train_recipe recipe;
        if (!is_tried(o, c->effort, c->least_rows, c->most_rows, c->most_columns, n, d)) continue;
        /* "median" and "mean" are no kinds, and cost nothing */
        if (sooth_train_recipe_read(NULL, c->words, strlen(c->words), &recipe) != SOOTH_OK) continue;
        if (lacks && !takes_missing(model_named(recipe.model))) continue; /* refused at once */
        folds += (wide ? 1.0 + c->log : 1.0) * plan_fit(&recipe, t, (size_t)part);
        all += (wide ? 1.0 + c->log : 1.0) * plan_fit(&recipe, t, (size_t)n);
    }
    return repeats * parts * folds + all / 3.0;
}

double plan_fit(const sooth_train_recipe *recipe, const data *t, size_t rows) {
    const sooth_train_options *o = &recipe->options;
    const double n = (double)rows, d = (double)t->table.cols;
    sooth_train_recipe of;
    if (*recipe->teacher &&
        sooth_train_recipe_read(NULL, recipe->teacher, strlen(recipe->teacher), &of) == SOOTH_OK) {
        sooth_train_recipe taught = *recipe;
        taught.teacher[0] = 0; /* 2,000 rows more, or twice as many */
        return plan_fit(&of, t, rows) + plan_fit(&taught, t, rows + (rows > 2000 ? rows : 2000));
    }
    switch (model_named(recipe->model)->kind) {
    case SOOTH_KIND_LINEAR: return of_linear(&o->linear, n, d);
    case SOOTH_KIND_TREE: return of_tree(n, d);
    case SOOTH_KIND_FOREST: return of_forest(&o->forest, n, d);
    case SOOTH_KIND_BOOST: return of_boost(&o->boost, n, d);
    case SOOTH_KIND_MLP: return of_mlp(&o->mlp, n, d);
    case SOOTH_KIND_SVR: return of_svr(n, d);
    case SOOTH_KIND_GAUSS: return of_gauss(&o->gauss, n, d);
    case SOOTH_KIND_SOFNN: return of_sofnn(&o->sofnn, n, d);
    case SOOTH_KIND_BEST: return of_best(&o->best, t, n);
    default: return 0.0;
    }
}

/* A calibrated contender is fitted once more for each of its own folds. */
double plan_fold(const contender *c, const data *d, size_t rows) {
    const double fits = c->calibrate ? 1.0 + or_default((double)c->calibrate->folds, 20.0) : 1.0;
    return c->rule == NO_RULE ? fits * plan_fit(&c->recipe, d, rows) : 0.0;
}

double plan_tests(const contender *c, const data *d, size_t folds, size_t repeats) {
    const size_t n = d->table.rows, groups = d->table.group ? d->groups : 0;
    double seconds = 0.0;
    for (size_t f = 1; d->time && f <= folds; ++f) seconds += plan_fold(c, d, n * f / (folds + 1));
    if (!d->time) seconds = (double)(folds * repeats) * plan_fold(c, d, n - n / folds);
    return seconds + (groups ? (double)groups * plan_fold(c, d, n - n / groups) : 0.0);
}

/* The combinations of "a=1,2,3 b=4,5": 6. */
static double combinations(const char *space) {
    double all = 1.0, values = 1.0;
    for (; *space; ++space) {
        values += *space == ',';
        if (*space != ' ' && space[1]) continue;
        all *= values;
        values = 1.0;
    }
    return all;
}

/* A search fits each trial to each fold, again without each outer fold, and there two models to all rest. */
static double of_search(const sooth_tune_options *o, const sooth_train_recipe *recipe, const data *d) {
    const double trials = 1.0 + (o->method == SOOTH_TUNE_GRID ? combinations(o->space) : (double)o->trials);
    const size_t n = d->table.rows, rest = o->outer ? n - n / o->outer : n;
    return trials * (double)o->folds *
               (plan_fit(recipe, d, n - n / o->folds) +
                (double)o->outer * plan_fit(recipe, d, rest - rest / o->folds)) +
           2.0 * (double)o->outer * plan_fit(recipe, d, rest);
}

void plan_of_fit(const data *d, const contender *c, const validation *v, const tuning *t,
                 const sooth_calibrate_options *calibrate, progress_stage stage[FIT_STAGES]) {
    const size_t n = d->table.rows, groups = d->table.group ? d->groups : n;
    size_t parts = calibrate->folds ? calibrate->folds : 20;
    /* a best fits only its members again */
    const double again = model_named(c->recipe.model)->kind == SOOTH_KIND_BEST ? 0.1 : 1.0;
    if (parts > groups) parts = groups;
    stage[0] = (progress_stage){"validating", v->folds ? plan_tests(c, d, v->folds, v->repeats) : 0.0};
    stage[1] = (progress_stage){"tuning", t->on ? of_search(&t->options, &c->recipe, d) : 0.0};
    stage[2] = (progress_stage){NULL, plan_fit(&c->recipe, d, n)};
    stage[3] = (progress_stage){"calibrating", 0.0};
    if (v->interval > 0.0 || calibrate->probability)
        stage[3].seconds = again * (double)parts * plan_fit(&c->recipe, d, n - n / parts);
}

size_t plan_choose(const data *d, contender *c, size_t models, const unsigned char *wanted, int spare,
                   validation *v, plan *p) {
    size_t n = 0, at = 0;
    double most = 0.0;
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < models; ++i) {
        const double seconds = plan_tests(&c[i], d, v->folds, v->repeats);
        if (!wanted[i] && seconds > MINUTE) {
            strcat(strcat(p->left_out, *p->left_out ? "," : ""), c[i].name);
            at += (size_t)snprintf(p->times + at, sizeof p->times - at, "%s%s (%s)", at ? ", " : "",
                                   c[i].name, plan_text(seconds));
            continue;
        }
        if (seconds > most) most = seconds;
        c[n++] = c[i];
    }
    p->spared = most;
    while (spare && most > MINUTE && v->repeats > 1) {
        p->fewer = --v->repeats;
        most = 0.0;
        for (size_t i = 0; i < n; ++i) {
            const double seconds = plan_tests(&c[i], d, v->folds, v->repeats);
            if (seconds > most) most = seconds;
        }
    }
    return n;
}

const char *plan_text(double seconds) {
    static char ring[8][24];
    static unsigned next;
    char *text = ring[next++ % 8];
    if (seconds < 1.0) snprintf(text, sizeof ring[0], "under 1 s");
    else if (seconds < 99.5) snprintf(text, sizeof ring[0], "%.0f s", seconds);
    else if (seconds < 5970.0) snprintf(text, sizeof ring[0], "%.0f min", seconds / 60.0);
    else snprintf(text, sizeof ring[0], "%.1f h", seconds / 3600.0);
    return text;
}
