/* test_tree.c - trees against scikit-learn's, against their own definition, and against bad input.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include <stdint.h>
static uint64_t compared; /* comparisons with thresholds so far */
#define SOOTHI_TREE_GREATER(x, t) (++compared, (x) > (t))
#define SOOTHI_TREE_ABOVE(x, t) (++compared, (x) > (t))
#include "sooth/tree.h"

#include "check.h"

/* ---- scikit-learn's trees ---- */

typedef struct golden_data {
    uint32_t number, rows, cols, levels, targets, weights, counts;
} golden_data;

typedef struct golden_case {
    const char *name;
    golden_data data;
    uint32_t criterion, max_depth, min_samples_split, min_samples_leaf, max_leaves;
    double min_weight_leaf, min_gain, ccp_alpha;
    uint32_t nodes, first_node, first_value, first_share, first_alpha, alphas;
} golden_case;

typedef struct golden_node {
    int feature; /* -1: a leaf */
    uint32_t rows;
    double threshold, impurity;
} golden_node;

#include "golden/tree.h"
#include "lies.h"

/* The generator of tests/golden/tree.py. */
static uint32_t golden_noise(uint32_t data, uint32_t row, uint32_t column) {
    uint32_t h = data * 0x9E3779B1u + row * 0x85EBCA6Bu + column * 0xC2B2AE35u + 0x27D4EB2Fu;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 16) * 0x846CA68Bu;
    return (h ^ h >> 16) & 0xFFFFu;
}

static float test_x[400 * 8], test_y[400 * 3], test_weight[400];

static void golden_table(const golden_data *d, sooth_table *table) {
    uint32_t i, j, t;
    for (i = 0; i < d->rows; ++i) {
        float *x = test_x + i * d->cols;
        for (j = 0; j < d->cols; ++j) {
            uint32_t v = golden_noise(d->number, i, j);
            x[j] = d->levels ? (float)(v * d->levels >> 16) / (float)d->levels : (float)v / 65536.0f;
        }
        for (t = 0; t < d->targets; ++t) {
            int64_t a = (int64_t)((double)x[t % d->cols] * 65536.0),
                    b = (int64_t)((double)x[(t + 1) % d->cols] * 65536.0);
            uint32_t e = golden_noise(d->number, i, 100 + t);
            int64_t v = (a * b >> 19) + ((a - 30000) * (a - 30000) >> 18) + (e >> 4);
            test_y[i * d->targets + t] = (float)((double)v * (d->counts ? e & 3 : 1) / 4096.0);
        }
        test_weight[i] = d->weights == 1 ? (float)(golden_noise(d->number, i, 200) & 7) / 4.0f
                                         : (float)(1 + (golden_noise(d->number, i, 200) & 3));
    }
    sooth_table_init(table, test_x, d->rows, d->cols);
    table->y = test_y;
    table->targets = d->targets;
    table->weight = d->weights ? test_weight : NULL;
}

static void golden_options(const golden_case *c, sooth_tree_options *o) {
    memset(o, 0, sizeof *o);
    o->criterion = c->criterion;
    o->max_depth = c->max_depth;
    o->min_samples_split = c->min_samples_split;
    o->min_samples_leaf = c->min_samples_leaf;
    o->max_leaves = c->max_leaves;
    o->min_weight_leaf = c->min_weight_leaf;
    o->min_gain = c->min_gain;
    o->ccp_alpha = c->ccp_alpha;
}

static float golden_value(const sooth_tree *tree, uint32_t node, uint32_t target) {
    return soothi_tree_values(tree)[node * tree->head.targets + target];
}

/* Node for node, both in preorder. */
static void golden_compare(const golden_case *c, const sooth_tree *tree) {
    uint32_t stack[64], n = 0, k = 0, t, bad = 0;
    double whole = golden_nodes[c->first_node].impurity;
    stack[n++] = 0;
    while (n > 0 && k < c->nodes) {
        const golden_node *g = &golden_nodes[c->first_node + k];
        sooth_tree_step s;
        sooth_tree_look(tree, stack[--n], &s);
        if ((s.left == 0) != (g->feature < 0)) ++bad;
        else if (s.left && (s.feature != (uint32_t)g->feature || s.threshold != (float)g->threshold)) ++bad;
        if (c->data.weights == 2 ? s.weight != (double)g->rows : s.rows != g->rows) ++bad;
        if (!(fabs(s.impurity - g->impurity) <= 1e-10 * whole)) ++bad;
        for (t = 0; t < c->data.targets; ++t) {
            double v = golden_values[c->first_value + k * c->data.targets + t];
            if (!(fabs((double)golden_value(tree, s.node, t) - v) <= 1e-7 * fabs(v))) ++bad;
        }
        if (s.left) {
            stack[n++] = s.left + 1;
            stack[n++] = s.left;
        }
        ++k;
    }
    if (bad || n > 0 || k != c->nodes || tree->nodes != c->nodes)
        printf("  %s: %u of %u nodes differ\n", c->name, (unsigned)bad, (unsigned)c->nodes);
    CHECK(bad == 0 && n == 0 && k == c->nodes && tree->nodes == c->nodes);
}

static void equals_scikit_learn(void) {
    size_t i, j;
    for (i = 0; i < sizeof golden_cases / sizeof golden_cases[0]; ++i) {
        const golden_case *c = &golden_cases[i];
        sooth_tree_options o;
        sooth_table table;
        sooth_tree *tree, *whole, *pruned;
        double share[8], alpha[128], impurity[128];
        size_t count;
        golden_table(&c->data, &table);
        golden_options(c, &o);
        CHECK_STATUS(sooth_tree_fit(NULL, &table, &o, &tree), SOOTH_OK);
        if (!tree) continue;
        CHECK(sooth_tree_check(tree, tree->head.size));
        golden_compare(c, tree);
        CHECK_STATUS(soothi_tree_importance(NULL, tree, share), SOOTH_OK);
        for (j = 0; j < c->data.cols; ++j) CHECK_NEAR(share[j], golden_shares[c->first_share + j], 1e-9);
        if (c->alphas) {
            o.ccp_alpha = 0.0;
            CHECK_STATUS(sooth_tree_fit(NULL, &table, &o, &whole), SOOTH_OK);
            CHECK_STATUS(sooth_tree_pruning_path(NULL, whole, alpha, impurity, 128, &count), SOOTH_OK);
            CHECK(count == c->alphas);
            for (j = 0; j < count; ++j) {
                CHECK_NEAR(alpha[j], golden_alphas[c->first_alpha + j], 1e-11);
                CHECK_NEAR(impurity[j], golden_impurities[c->first_alpha + j], 1e-11);
            }
            CHECK_STATUS(sooth_tree_prune(NULL, whole, c->ccp_alpha, &pruned), SOOTH_OK);
            CHECK(pruned->head.size == tree->head.size && memcmp(pruned, tree, tree->head.size) == 0);
            sooth_tree_free(NULL, pruned);
            sooth_tree_free(NULL, whole);
        }
        sooth_tree_free(NULL, tree);
    }
}

/* ---- every decision against its definition ---- */

#define AUDIT_ROWS 400

typedef struct audit {
    const sooth_table *table;
    const sooth_tree_options *o;
    double total;
    uint32_t min_split, min_leaf;
} audit;

typedef struct audit_measure {
    double weight, impurity, value[4];
} audit_measure;

static double audit_weight(const audit *a, uint32_t row) {
    return a->table->weight ? (double)a->table->weight[row] : 1.0;
}

static double audit_target(const audit *a, uint32_t row, size_t t) {
    return (double)a->table->y[row * a->table->targets + t];
}

/* What absolute errors around m cost. */
static double audit_deviation(const audit *a, const uint32_t *row, size_t n, size_t t, double m) {
    double sum = 0.0;
    size_t i;
    for (i = 0; i < n; ++i) {
        double y = audit_target(a, row[i], t), price = audit_weight(a, row[i]);
        if (a->o->criterion == SOOTH_TREE_RELATIVE) price /= fabs(y) > a->o->floor ? fabs(y) : a->o->floor;
        sum += price * fabs(y - m);
    }
    return sum;
}

static audit_measure audit_rows(const audit *a, const uint32_t *row, size_t n) {
    audit_measure m;
    size_t i, t;
    memset(&m, 0, sizeof m);
    for (i = 0; i < n; ++i) m.weight += audit_weight(a, row[i]);
    for (t = 0; t < a->table->targets; ++t) {
        double cost = 0.0;
        for (i = 0; i < n; ++i) m.value[t] += audit_weight(a, row[i]) * audit_target(a, row[i], t) / m.weight;
        if (a->o->criterion == SOOTH_TREE_ABSOLUTE || a->o->criterion == SOOTH_TREE_RELATIVE) {
            double low = DBL_MAX, high = -DBL_MAX; /* medians cost least: the middle of such targets */
            cost = DBL_MAX;
            for (i = 0; i < n; ++i) {
                double d = audit_deviation(a, row, n, t, audit_target(a, row[i], t));
                if (d < cost) cost = d;
            }
            for (i = 0; i < n; ++i) {
                double y = audit_target(a, row[i], t);
                if (audit_deviation(a, row, n, t, y) > cost * (1.0 + 1e-14)) continue;
                if (y < low) low = y;
                if (y > high) high = y;
            }
            m.value[t] = 0.5 * (low + high);
        } else {
            for (i = 0; i < n; ++i) {
                double y = audit_target(a, row[i], t), e = y - m.value[t];
                if (a->o->criterion == SOOTH_TREE_POISSON) e = y > 0.0 ? y * log(y / m.value[t]) : 0.0;
                else e = e * e;
                cost += audit_weight(a, row[i]) * e;
            }
        }
        m.impurity += cost / (m.weight * (double)a->table->targets);
    }
    return m;
}

static int audit_goes_left(const audit *a, uint32_t row, uint32_t feature, float threshold,
                           int missing_left) {
    float x = a->table->x[row * a->table->stride + feature];
    return x != x ? missing_left : x <= threshold;
}

/* The gain of a split, or below 0 when the options forbid it. */
static double audit_gain(const audit *a, const uint32_t *row, size_t n, uint32_t feature, float threshold,
                         int missing_left, const double bound[2], audit_measure part[2], uint32_t count[2]) {
    uint32_t side[2][AUDIT_ROWS];
    audit_measure own;
    double gain;
    size_t i, t;
    int sign = a->o->monotone ? a->o->monotone[feature] : 0;
    count[0] = count[1] = 0;
    for (i = 0; i < n; ++i) {
        int right = !audit_goes_left(a, row[i], feature, threshold, missing_left);
        side[right][count[right]++] = row[i];
    }
    if (count[0] < a->min_leaf || count[1] < a->min_leaf) return -1.0;
    part[0] = audit_rows(a, side[0], count[0]);
    part[1] = audit_rows(a, side[1], count[1]);
    if (part[0].weight < a->o->min_weight_leaf * a->total ||
        part[1].weight < a->o->min_weight_leaf * a->total)
        return -1.0;
    for (t = 0; t < a->table->targets && a->o->criterion == SOOTH_TREE_POISSON; ++t)
        if (part[0].value[t] <= 0.0 || part[1].value[t] <= 0.0) return -1.0;
    if (sign) {
        double l = part[0].value[0], r = part[1].value[0];
        if (sign * (r - l) < 0.0 || l < bound[0] || r < bound[0] || l > bound[1] || r > bound[1]) return -1.0;
    }
    own = audit_rows(a, row, n);
    if (a->o->criterion == SOOTH_TREE_FRIEDMAN) {
        double apart = 0.0;
        for (t = 0; t < a->table->targets; ++t) apart += part[0].value[t] - part[1].value[t];
        apart /= (double)a->table->targets;
        return part[0].weight * part[1].weight / own.weight * apart * apart;
    }
    gain = own.weight / a->total *
           (own.impurity - part[0].weight / own.weight * part[0].impurity -
            part[1].weight / own.weight * part[1].impurity);
    return gain > 0.0 ? gain : 0.0;
}

static int audit_order(const void *p, const void *q) {
    float a, b;
    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    return (a > b) - (a < b);
}

/* The best gain that any allowed split of these rows has. */
static double audit_best(const audit *a, const uint32_t *row, size_t n, const double bound[2]) {
    double best = -1.0;
    uint32_t j, count[2];
    for (j = 0; j < a->table->cols; ++j) {
        float value[AUDIT_ROWS];
        size_t values = 0, i;
        int side, missing;
        for (i = 0; i < n; ++i) {
            float x = a->table->x[row[i] * a->table->stride + j];
            if (x == x) value[values++] = x;
        }
        missing = values < n;
        qsort(value, values, sizeof value[0], audit_order);
        for (i = 0; i < values; ++i) {
            if (i + 1 < values ? value[i] == value[i + 1] : !missing) continue;
            for (side = 0; side <= missing; ++side) {
                audit_measure part[2];
                double gain = audit_gain(a, row, n, j, value[i], side, bound, part, count);
                if (gain > best) best = gain;
            }
        }
    }
    return best;
}

/* Follows the training rows down and checks at every node: its numbers, that no allowed split would have
   gained more, that its threshold is the midpoint, where missing values go, and that no leaf need be one. */
static void audit_tree(const sooth_table *table, const sooth_tree_options *o, const sooth_tree *tree) {
    static uint32_t list[2 * AUDIT_ROWS][AUDIT_ROWS];
    static uint32_t count[2 * AUDIT_ROWS], level[2 * AUDIT_ROWS];
    static double bound[2 * AUDIT_ROWS][2];
    audit a;
    audit_measure first;
    uint32_t i, node, depth = 0;
    double scale;
    a.table = table;
    a.o = o;
    a.total = 0.0;
    a.min_leaf = o->min_samples_leaf ? o->min_samples_leaf : 1;
    a.min_split = o->min_samples_split ? o->min_samples_split : 2;
    count[0] = level[0] = 0;
    for (i = 0; i < table->rows; ++i) {
        if (audit_weight(&a, i) > 0.0) list[0][count[0]++] = i;
        a.total += audit_weight(&a, i);
    }
    bound[0][0] = -DBL_MAX;
    bound[0][1] = DBL_MAX;
    first = audit_rows(&a, list[0], count[0]);
    scale = first.impurity * (o->criterion == SOOTH_TREE_FRIEDMAN ? a.total : 1.0);
    for (node = 0; node < tree->nodes; ++node) {
        sooth_tree_step s;
        audit_measure m = audit_rows(&a, list[node], count[node]), part[2];
        double gain, best, value = m.value[0], tolerance = 1e-9 * scale + 1e-300;
        uint32_t counts[2];
        if (value < bound[node][0]) value = bound[node][0];
        if (value > bound[node][1]) value = bound[node][1];
        sooth_tree_look(tree, node, &s);
        CHECK(s.rows == count[node]);
        CHECK_CLOSE(s.weight, m.weight, 1e-12);
        CHECK_NEAR(s.impurity, m.impurity, 1e-10 * first.impurity);
        /* whether two halves weigh the same is a matter of rounding */
        if (o->criterion == SOOTH_TREE_RELATIVE && !o->monotone)
            CHECK_NEAR(audit_deviation(&a, list[node], count[node], 0, (double)s.value),
                       audit_deviation(&a, list[node], count[node], 0, value), 1e-6 * m.weight);
        else CHECK_NEAR(s.value, value, 1.2e-7 * fabs(value));
        if (level[node] > depth) depth = level[node];
        best = audit_best(&a, list[node], count[node], bound[node]);
        if (s.left == 0) {
            int stopped = m.impurity <= 1e-12 * scale || level[node] == o->max_depth ||
                          count[node] < a.min_split || count[node] < 2 * a.min_leaf || best < 0.0 ||
                          best < o->min_gain + tolerance || o->max_leaves;
            CHECK(stopped);
            continue;
        }
        CHECK(count[node] >= a.min_split && (o->max_depth == 0 || level[node] < o->max_depth));
        gain = audit_gain(&a, list[node], count[node], s.feature, s.threshold, !s.missing_right, bound[node],
                          part, counts);
        CHECK(gain >= 0.0 && gain + tolerance >= o->min_gain);
        CHECK(gain >= best - tolerance);
        count[s.left] = count[s.left + 1] = 0;
        level[s.left] = level[s.left + 1] = level[node] + 1;
        {
            float below = -INFINITY, above = INFINITY;
            int missing = 0;
            for (i = 0; i < count[node]; ++i) {
                uint32_t row = list[node][i],
                         child = s.left + !audit_goes_left(&a, row, s.feature, s.threshold, !s.missing_right);
                float x = table->x[row * table->stride + s.feature];
                list[child][count[child]++] = row;
                missing |= x != x;
                if (x <= s.threshold && x > below) below = x;
                if (x > s.threshold && x < above) above = x;
            }
            if (!missing) CHECK(s.missing_right == (counts[1] > counts[0]));
            if (!o->bins && above < INFINITY) { /* the midpoint, rounded down */
                double middle = 0.5 * (double)below + 0.5 * (double)above;
                CHECK((double)s.threshold <= middle && (double)nextafterf(s.threshold, INFINITY) > middle);
            }
            if (above == INFINITY) CHECK(missing && s.missing_right && s.threshold == INFINITY);
        }
        memcpy(bound[s.left], bound[node], sizeof bound[0]);
        memcpy(bound[s.left + 1], bound[node], sizeof bound[0]);
        if (o->monotone && o->monotone[s.feature]) {
            double middle = 0.5 * (part[0].value[0] + part[1].value[0]);
            bound[s.left][o->monotone[s.feature] > 0] = middle;
            bound[s.left + 1][o->monotone[s.feature] < 0] = middle;
        }
    }
    CHECK(depth == tree->depth);
}

/* A table of what is asked for; y has a part that the columns explain. */
static void random_table(sooth_rng *rng, sooth_table *table, uint32_t rows, uint32_t cols, uint32_t targets,
                         uint32_t levels, uint32_t missing, int weights) {
    uint32_t i, j, t;
    for (i = 0; i < rows; ++i) {
        double signal = 0.0;
        for (j = 0; j < cols; ++j) {
            float x = levels ? (float)sooth_rng_below(rng, levels) : sooth_rng_float(rng) * 2.0f - 1.0f;
            signal += (double)x * (j == 0 ? 2.0 : j == 1 ? -1.0 : 0.5);
            if (sooth_rng_below(rng, 100) < missing) {
                x = NAN;
                signal += j == 1 ? 1.0 : 0.0;
            }
            test_x[i * cols + j] = x;
        }
        for (t = 0; t < targets; ++t)
            test_y[i * targets + t] = (float)(20.0 + signal * (1.0 + t) + 2.0 * sooth_rng_double(rng));
        test_weight[i] = (float)sooth_rng_below(rng, 5) + (weights == 2 ? sooth_rng_float(rng) : 0.0f);
    }
    sooth_table_init(table, test_x, rows, cols);
    table->y = test_y;
    table->targets = targets;
    table->weight = weights ? test_weight : NULL;
}

static void every_split_is_the_best(void) {
    sooth_rng rng;
    uint32_t trial;
    sooth_rng_init(&rng, 1, 0);
    for (trial = 0; trial < 300 && !check_failures; ++trial) {
        sooth_table table;
        sooth_tree_options o;
        sooth_tree *tree;
        signed char monotone[6];
        uint32_t j, targets = sooth_rng_below(&rng, 4) == 0 ? 3 : 1, cols = 1 + sooth_rng_below(&rng, 4);
        uint32_t levels = sooth_rng_below(&rng, 2) ? 0 : 2 + sooth_rng_below(&rng, 12);
        memset(&o, 0, sizeof o);
        o.criterion = sooth_rng_below(&rng, 5);
        if (levels && sooth_rng_below(&rng, 2))
            o.bins = levels + sooth_rng_below(&rng, 3); /* then a bin is a value */
        random_table(&rng, &table,
                     2 + sooth_rng_below(&rng, o.criterion % 4 == 1 || o.criterion == 4 ? 30 : 70), cols,
                     targets, levels, sooth_rng_below(&rng, 2) * 20, (int)sooth_rng_below(&rng, 3));
        for (j = 0; j < table.rows * targets && o.criterion == SOOTH_TREE_POISSON; ++j)
            test_y[j] = sooth_rng_below(&rng, 5) ? fabsf(test_y[j]) : 0.0f;
        if (sooth_rng_below(&rng, 3) == 0) o.max_depth = 1 + sooth_rng_below(&rng, 5);
        if (sooth_rng_below(&rng, 3) == 0) o.min_samples_split = 2 + sooth_rng_below(&rng, 10);
        if (sooth_rng_below(&rng, 3) == 0) o.min_samples_leaf = 1 + sooth_rng_below(&rng, 8);
        if (sooth_rng_below(&rng, 4) == 0) o.max_leaves = 2 + sooth_rng_below(&rng, 10);
        if (sooth_rng_below(&rng, 4) == 0) o.min_weight_leaf = 0.1 * sooth_rng_double(&rng);
        if (sooth_rng_below(&rng, 4) == 0) o.min_gain = 0.05 * sooth_rng_double(&rng);
        if (o.criterion == SOOTH_TREE_RELATIVE) o.floor = sooth_rng_below(&rng, 2) ? 20.0 : 0.0;
        if (targets == 1 && o.criterion != SOOTH_TREE_RELATIVE && sooth_rng_below(&rng, 3) == 0) {
            for (j = 0; j < cols; ++j) monotone[j] = (signed char)((int)sooth_rng_below(&rng, 3) - 1);
            o.monotone = monotone;
        }
        if (table.weight && sooth_table_check(NULL, &table, SOOTH_TABLE_ALLOW_MISSING) != SOOTH_OK) continue;
        CHECK_STATUS(sooth_tree_fit(NULL, &table, &o, &tree), SOOTH_OK);
        CHECK(sooth_tree_check(tree, tree->head.size));
        audit_tree(&table, &o, tree);
        if (check_failures)
            printf("  trial %u: criterion %u, %u rows\n", (unsigned)trial, (unsigned)o.criterion,
                   (unsigned)table.rows);
        sooth_tree_free(NULL, tree);
    }
}

/* ---- the rules, one by one ---- */

static void small_table(sooth_table *table, const float *x, const float *y, size_t rows, size_t cols) {
    sooth_table_init(table, x, rows, cols);
    table->y = y;
    table->targets = 1;
}

static sooth_tree *grown(const sooth_table *table, const sooth_tree_options *o) {
    sooth_tree *tree;
    sooth_env env;
    sooth_env_init(&env);
    if (sooth_tree_fit(&env, table, o, &tree) != SOOTH_OK) {
        printf("  %s\n", env.sentence);
        ++check_failures;
        exit(1);
    }
    CHECK(sooth_tree_check(tree, tree->head.size));
    return tree;
}

static sooth_tree_step root_of(sooth_tree *tree) {
    sooth_tree_step s;
    sooth_tree_look(tree, 0, &s);
    sooth_tree_free(NULL, tree);
    return s;
}

static void ties_take_the_lowest(void) {
    /* both columns and the thresholds 0.5 and 2.5 gain the same */
    const float x[] = {0, 0, 1, 1, 2, 2, 3, 3}, y[] = {5, 1, 1, 5};
    const float mirrored[] = {3, 0, 2, 1, 1, 2, 0, 3};
    sooth_table table;
    sooth_tree_step s;
    small_table(&table, x, y, 4, 2);
    s = root_of(grown(&table, NULL));
    CHECK(s.feature == 0 && s.threshold == 0.5f);
    small_table(&table, mirrored, y, 4, 2);
    s = root_of(grown(&table, NULL));
    CHECK(s.feature == 0 && s.threshold == 0.5f);
}

static void missing_values_go_where_they_gain(void) {
    const float x[] = {1, 2, 3, 4, 5, NAN, NAN}, like_right[] = {1, 1, 1, 9, 9, 9, 9},
                like_left[] = {1, 1, 1, 9, 9, 1, 1};
    const float alone[] = {1, 1, 1, 1, 1, 9, 9}, full[] = {1, 2, 3, 4, 5, 6, 7},
                even[] = {1, 2, 3, 4, NAN, NAN};
    const float cancel[] = {1, 1, 9, 9, 1, 9}, none = NAN;
    sooth_table table;
    sooth_tree_step s;
    sooth_tree *tree;
    small_table(&table, x, like_right, 7, 1);
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 3.5f && s.missing_right == 1);
    small_table(&table, x, like_left, 7, 1);
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 3.5f && s.missing_right == 0);
    small_table(&table, x, alone, 7, 1); /* having no value is the difference */
    tree = grown(&table, NULL);
    CHECK(sooth_tree_predict(tree, &none) == 9.0f && sooth_tree_predict(tree, full) == 1.0f &&
          tree->nodes == 3);
    s = root_of(tree);
    CHECK(s.threshold == INFINITY && s.missing_right == 1);
    small_table(&table, full, like_left, 5, 1); /* none in training: to the larger child */
    s = root_of(grown(&table, NULL));
    CHECK(s.rows == 5 && s.threshold == 3.5f && s.missing_right == 0);
    small_table(&table, full + 1, like_left + 1, 4, 1); /* as large: left */
    s = root_of(grown(&table, NULL));
    CHECK(s.rows == 4 && s.threshold == 3.5f && s.missing_right == 0);
    small_table(&table, full + 2, like_left + 2, 3, 1);
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 3.5f && s.missing_right == 1);
    small_table(&table, even, cancel, 6,
                1); /* they gain the same on both sides, the children are equal: left */
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 2.5f && s.missing_right == 0);
}

static void thresholds_part_neighbours(void) {
    float x[4], y[] = {1, 2, 3, 4};
    sooth_table table;
    sooth_tree_step s;
    x[0] = 1.0f;
    x[1] = nextafterf(1.0f, 2.0f); /* no float lies between: the lower one */
    small_table(&table, x, y, 2, 1);
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 1.0f);
    x[0] = nextafterf(1.0f, 0.0f);
    x[1] = 1.0f;
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == x[0]);
    x[0] = -FLT_MAX;
    x[1] = FLT_MAX;
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 0.0f);
    x[0] = 0.75f * FLT_MAX;
    x[1] = FLT_MAX;
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold >= x[0] && s.threshold < x[1]);
    x[0] = 0.0f;
    x[1] = 1e-45f; /* the least positive float */
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 0.0f);
    x[0] = -1e-45f;
    x[1] = 0.0f;
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == x[0]);
    x[0] = -0.0f; /* equal to 0 */
    s = root_of(grown(&table, NULL));
    CHECK(s.left == 0 && s.value == 1.5f);
    x[0] = -3.0f;
    x[1] = -1.0f;
    x[2] = 2.0f;
    x[3] = 4.0f;
    small_table(&table, x, y, 4, 1);
    s = root_of(grown(&table, NULL));
    CHECK(s.threshold == 0.5f);
}

static void plain_tables_have_plain_trees(void) {
    const float x[] = {1, 2, 3, 4, 5, 6}, constant[] = {7, 7, 7}, y[] = {1, 2, 3},
                gaps[] = {NAN, 1, NAN, 2, NAN, 3};
    sooth_table table;
    sooth_tree *tree;
    sooth_cost cost;
    small_table(&table, x, constant, 3, 2);
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 1 && tree->depth == 0 && sooth_tree_predict(tree, x) == 7.0f &&
          soothi_tree_leaf(tree, x) == 0);
    cost = sooth_tree_cost(tree);
    CHECK(cost.comparisons == 4 && cost.bytes == tree->head.size);
    sooth_tree_free(NULL, tree);
    small_table(&table, x, y, 1, 2); /* one row */
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 1 && sooth_tree_predict(tree, x) == 1.0f);
    sooth_tree_free(NULL, tree);
    small_table(&table, constant, y, 3, 1); /* constant columns */
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 1 && sooth_tree_predict(tree, x) == 2.0f);
    sooth_tree_free(NULL, tree);
    small_table(&table, gaps, y, 3, 2); /* a column without any value */
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 5 && sooth_tree_predict(tree, gaps + 2) == 2.0f);
    sooth_tree_free(NULL, tree);
    sooth_tree_free(NULL, NULL);
}

static void bad_input_gets_a_sentence(void) {
    float x[] = {1, 2, 3, 4}, y[] = {1, -2, 3, 0}, weight[] = {0, 0, 0, 0};
    signed char monotone[] = {2};
    sooth_table table;
    sooth_tree_options o;
    sooth_tree *tree;
    sooth_env env;
    size_t i;
    sooth_option_list list = sooth_tree_options_list();
    sooth_env_init(&env);
    memset(&o, 0, sizeof o);
    small_table(&table, x, y, 4, 1);
    o.criterion = SOOTH_TREE_POISSON;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_DATA, "row 2 has the target -2");
    o.criterion = SOOTH_TREE_RELATIVE;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_DATA, "row 4 has the target 0");
    o.criterion = 5;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_ARGUMENT, "criterion is 5");
    memset(&o, 0, sizeof o);
    o.monotone = monotone;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_ARGUMENT,
                "monotone is 2 for column 1");
    monotone[0] = 1;
    table.rows = 2;
    table.targets = 2;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_ARGUMENT,
                "monotone needs a single target");
    small_table(&table, x, y, 4, 1);
    table.weight = weight;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_BAD_DATA, "all weights are zero");
    table.weight = NULL;
    x[2] = INFINITY;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_BAD_DATA, "infinite");
    CHECK(tree == NULL);
    x[2] = 3;
    y[1] = NAN;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_BAD_DATA, "no finite target");
    y[1] = 2;
    table.rows = 0;
    CHECK_FAILS(&env, sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_BAD_DATA, "empty");
    small_table(&table, x, y, 4, 1);
    for (i = 0; i < list.count; ++i) { /* every option keeps its range, and takes its bounds */
        sooth_tree_options bad;
        memset(&bad, 0, sizeof bad);
        CHECK_STATUS(sooth_option_set(&env, list, &bad, list.option[i].name, "-1"), SOOTH_BAD_ARGUMENT);
        CHECK_STATUS(sooth_option_set(&env, list, &bad, list.option[i].name, "1e300"),
                     list.option[i].most < 1e300 ? SOOTH_BAD_ARGUMENT : SOOTH_OK);
        if (list.option[i].type == SOOTH_OPTION_COUNT) {
            char text[SOOTH_TEXT_NUMBER_SIZE];
            sooth_text_from_double(text, list.option[i].most);
            memset(&bad, 0, sizeof bad);
            CHECK_STATUS(sooth_option_set(&env, list, &bad, list.option[i].name, text), SOOTH_OK);
            CHECK_STATUS(sooth_tree_fit(&env, &table, &bad, &tree), SOOTH_OK);
            sooth_tree_free(&env, tree);
        }
    }
    memset(&o, 0, sizeof o);
    o.min_weight_leaf = NAN;
    CHECK_STATUS(sooth_tree_fit(&env, &table, &o, &tree), SOOTH_BAD_ARGUMENT);
    memset(&o, 0, sizeof o);
    o.no_statistics = 1;
    tree = grown(&table, &o);
    {
        double share[1];
        sooth_tree *pruned;
        size_t count;
        CHECK_FAILS(&env, soothi_tree_importance(&env, tree, share), SOOTH_BAD_ARGUMENT, "no_statistics");
        CHECK_FAILS(&env, sooth_tree_prune(&env, tree, 0.1, &pruned), SOOTH_BAD_ARGUMENT, "no_statistics");
        CHECK_FAILS(&env, sooth_tree_prune(&env, tree, -1.0, &pruned), SOOTH_BAD_ARGUMENT, "ccp_alpha is -1");
        CHECK_FAILS(&env, sooth_tree_pruning_path(&env, tree, NULL, NULL, 0, &count), SOOTH_BAD_ARGUMENT,
                    "no_statistics");
    }
    sooth_tree_free(NULL, tree);
    tree = NULL;
    {
        /* more nodes and columns than a link can tell apart; more sets than a threshold can number; more
           words of sets than a block holds */
        soothi_tree_shape shape = {1u << 21, 5000, 1, 0, 0, 0};
        CHECK_FAILS(&env, soothi_tree_new(&env, &shape, &tree), SOOTH_BAD_DATA,
                    "2097152 nodes on 5000 columns");
        shape.features = 1;
        shape.sets = (1u << 22) + 1;
        CHECK_FAILS(&env, soothi_tree_new(&env, &shape, &tree), SOOTH_BAD_DATA,
                    "the tree has 4194305 sets of categories, but at most 4194304 fit");
        shape.sets = 1;
        shape.set_words = 1u << 30;
        tree = (sooth_tree *)(void *)&shape;
        CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_NO_MEMORY);
        CHECK(tree == NULL);
    }
}

static void *nothing(void *user, size_t size) {
    (void)user, (void)size;
    return NULL;
}

/* The most that a link holds: 2 bits, 10 of 1,024 columns and 20 of half of 1,048,576 nodes make 32. */
static void the_largest_links_fit(void) {
    soothi_tree_shape shape = {1u << 20, 1024, 1, 0, 0, 0};
    sooth_tree *tree = NULL;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_OK);
    if (tree) CHECK(tree->shift == 12 && tree->nodes == 1u << 20 && tree->head.kind >> 16 == 1);
    sooth_tree_free(&env, tree);
    shape.features = 1025;
    CHECK_FAILS(&env, soothi_tree_new(&env, &shape, &tree), SOOTH_BAD_DATA, "1048576 nodes on 1025 columns");
    shape.features = 1024;
    shape.nodes = (1u << 21);
    CHECK_FAILS(&env, soothi_tree_new(&env, &shape, &tree), SOOTH_BAD_DATA, "2097152 nodes on 1024 columns");
    /* a leaf alone has no link, so its columns may be as many as can be counted */
    shape.nodes = 1;
    shape.features = 0xffffffffu;
    CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_OK);
    if (tree) CHECK(tree->shift == 31 && tree->head.features == 0xffffffffu && tree->head.targets == 1);
    sooth_tree_free(&env, tree);
    shape.features = 1u << 30;
    CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_OK);
    if (tree) CHECK(tree->shift == 31);
    sooth_tree_free(&env, tree);
    /* with statistics: doubles behind the words; with sets: their number behind the values, and format 3 */
    memset(&shape, 0, sizeof shape);
    shape.nodes = 3;
    shape.features = 5;
    shape.targets = 2;
    shape.statistics = 1;
    shape.sets = SOOTHI_TREE_SETS;
    shape.set_words = 7;
    CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_OK);
    if (tree) {
        CHECK(tree->shift == 5 && tree->statistics == 1 && tree->head.kind >> 16 == 3);
        CHECK(tree->head.doubles_at + 6 * sizeof(double) == tree->head.size);
        CHECK(*(const uint32_t *)(const void *)soothi_tree_after_values(tree) == SOOTHI_TREE_SETS);
    }
    sooth_tree_free(&env, tree);
    /* behind three nodes of 8 bytes: how many sets, where each begins and the last ends, words, no plane */
    memset(&shape, 0, sizeof shape);
    shape.nodes = 3;
    shape.features = shape.targets = shape.sets = 1;
    for (shape.set_words = 1; shape.set_words <= 4; ++shape.set_words) {
        CHECK_STATUS(soothi_tree_new(&env, &shape, &tree), SOOTH_OK);
        if (!tree) return;
        CHECK(tree->head.doubles_at == (sizeof *tree + 24 + 4 * (4 + shape.set_words) + 15) / 16 * 16);
        sooth_tree_free(&env, tree);
    }
    /* an allocator that has nothing; with statistics a node has 12 bytes and two doubles, and values */
    char sentence[60];
    env.alloc_fn = nothing;
    shape.statistics = 1;
    snprintf(sentence, sizeof sentence, "no memory for the tree (%u bytes)",
             (unsigned)(sizeof *tree + 36 + 12 + 4 * (4 + 5) + 48));
    CHECK_FAILS(&env, soothi_tree_new(&env, &shape, &tree), SOOTH_NO_MEMORY, sentence);
}

/* ---- shapes ---- */

static void wide_tables_fit(void) {
    const size_t cols = 1000000;
    float *x = (float *)malloc(3 * cols * sizeof *x), y[] = {1, 2, 4};
    sooth_table table;
    sooth_tree *tree;
    sooth_tree_step s;
    size_t j;
    if (!x) CHECK_SKIP("no memory");
    for (j = 0; j < cols; ++j) x[j] = x[cols + j] = x[2 * cols + j] = (float)(j % 7);
    x[2 * cols + 999998] = 100.0f;
    x[cols + 999999] = 50.0f;
    small_table(&table, x, y, 3, cols);
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 5 && tree->depth == 2);
    for (j = 0; j < 3; ++j) CHECK(sooth_tree_predict(tree, x + j * cols) == y[j]);
    s = root_of(tree);
    CHECK(s.feature == 999998);
    free(x);
}

static void chains_are_no_matter(void) {
    float x[120], y[120];
    sooth_table table;
    sooth_tree *tree;
    int i;
    for (i = 0; i < 120; ++i) {
        x[i] = (float)i;
        y[i] = ldexpf(1.0f, 2 * i - 120); /* the last row always outweighs all others */
    }
    small_table(&table, x, y, 120, 1);
    tree = grown(&table, NULL);
    CHECK(tree->nodes == 239 && tree->depth == 119);
    for (i = 0; i < 120; ++i) CHECK(sooth_tree_predict(tree, x + i) == y[i]);
    sooth_tree_free(NULL, tree);
}

static void rows_can_stand_apart(void) {
    sooth_table table, apart;
    sooth_tree *a, *b;
    sooth_rng rng;
    static float x[60 * 9];
    size_t i, j;
    sooth_rng_init(&rng, 2, 0);
    random_table(&rng, &table, 60, 3, 1, 0, 10, 0);
    for (i = 0; i < 60; ++i)
        for (j = 0; j < 9; ++j) x[i * 9 + j] = j < 3 ? test_x[i * 3 + j] : INFINITY;
    apart = table;
    apart.x = x;
    apart.stride = 9;
    a = grown(&table, NULL);
    b = grown(&apart, NULL);
    CHECK(a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0);
    sooth_tree_free(NULL, a);
    sooth_tree_free(NULL, b);
}

/* ---- properties ---- */

static void weights_are_repetitions(void) {
    sooth_rng rng;
    sooth_table table, repeated, some;
    sooth_tree_options o;
    static uint32_t row[400 * 5];
    static float out_a[400], out_b[400];
    uint32_t i, k, n = 0, kept = 0;
    sooth_tree *a, *b;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 3, 0);
    for (o.criterion = 0; o.criterion <= SOOTH_TREE_RELATIVE; ++o.criterion) {
        random_table(&rng, &table, 150, 3, 1, 0, 10, 1);
        for (i = 0; i < 150; ++i)
            test_y[i] = floorf(fabsf(test_y[i]) * 1024.0f) / 1024.0f + 1.0f; /* sums are exact */
        for (i = n = 0; i < 150; ++i)
            for (k = 0; k < (uint32_t)test_weight[i]; ++k) row[n++] = i;
        CHECK_STATUS(sooth_table_take(NULL, &table, row, n, &repeated), SOOTH_OK);
        {
            sooth_table counted = repeated;
            counted.weight = NULL;
            o.max_depth = 6;
            a = grown(&table, &o);
            b = grown(&counted, &o);
            sooth_tree_predict_many(a, table.x, 150, 3, out_a);
            sooth_tree_predict_many(b, table.x, 150, 3, out_b);
            if (o.criterion != SOOTH_TREE_RELATIVE) CHECK(memcmp(out_a, out_b, sizeof out_a) == 0);
            sooth_tree_free(NULL, a);
            sooth_tree_free(NULL, b);
        }
        sooth_table_free(NULL, &repeated);
        /* and weights of 0 and 1 leave rows out */
        for (i = kept = 0; i < 150; ++i) {
            test_weight[i] = test_weight[i] > 1.0f ? 1.0f : 0.0f;
            if (test_weight[i] > 0.0f) row[kept++] = i;
        }
        CHECK_STATUS(sooth_table_take(NULL, &table, row, kept, &some), SOOTH_OK);
        {
            sooth_table counted = some;
            counted.weight = NULL;
            a = grown(&table, &o);
            b = grown(&counted, &o);
            CHECK(a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0);
            sooth_tree_free(NULL, a);
            sooth_tree_free(NULL, b);
        }
        sooth_table_free(NULL, &some);
    }
}

static void large_offsets_do_no_harm(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree *a, *b;
    uint32_t i;
    sooth_rng_init(&rng, 4, 0);
    random_table(&rng, &table, 300, 4, 1, 0, 0, 0);
    for (i = 0; i < 300; ++i) test_y[i] = floorf(test_y[i] * 8.0f) / 8.0f;
    a = grown(&table, NULL);
    for (i = 0; i < 300; ++i) test_y[i] += 1048576.0f; /* an eighth is still exact */
    b = grown(&table, NULL);
    CHECK(a->nodes == b->nodes);
    for (i = 0; i < a->nodes && a->nodes == b->nodes; ++i)
        CHECK(soothi_tree_nodes(a)[i].link == soothi_tree_nodes(b)[i].link &&
              (soothi_tree_left(a, i) == 0 ||
               soothi_tree_nodes(a)[i].u.threshold == soothi_tree_nodes(b)[i].u.threshold));
    sooth_tree_free(NULL, a);
    sooth_tree_free(NULL, b);
}

static void predictions_stay_in_range(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    uint32_t i, j;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 5, 0);
    for (o.criterion = 0; o.criterion <= SOOTH_TREE_RELATIVE; ++o.criterion) {
        sooth_tree *tree;
        float least = FLT_MAX, most = -FLT_MAX;
        random_table(&rng, &table, 200, 4, 1, 0, 10, 0);
        for (i = 0; i < 200; ++i) {
            test_y[i] = fabsf(test_y[i]) + 0.1f;
            least = fminf(least, test_y[i]);
            most = fmaxf(most, test_y[i]);
        }
        o.max_depth = 1 + sooth_rng_below(&rng, 6);
        tree = grown(&table, &o);
        for (i = 0; i < 2000; ++i) {
            float row[4], p;
            for (j = 0; j < 4; ++j) {
                uint32_t bits = sooth_rng_next(&rng);
                memcpy(&row[j], &bits, sizeof bits);
            }
            p = sooth_tree_predict(tree, row);
            CHECK(p >= least && p <= most);
        }
        sooth_tree_free(NULL, tree);
    }
}

/* Moves one constrained column of random rows through all values that matter: the prediction never goes the
   wrong way. */
static void constrained_trees_are_monotone(void) {
    sooth_rng rng;
    uint32_t trial;
    sooth_rng_init(&rng, 6, 0);
    for (trial = 0; trial < 60; ++trial) {
        sooth_table table;
        sooth_tree_options o;
        sooth_tree *tree;
        signed char monotone[4];
        uint32_t i, j, k, broken = 0;
        memset(&o, 0, sizeof o);
        o.criterion = trial % 5;
        o.bins = trial % 3 == 0 ? 16 : 0;
        if (trial % 4 == 0) o.max_leaves = 20;
        random_table(&rng, &table, 300, 4, 1, trial % 2 ? 9 : 0, 0, (int)(trial % 3));
        for (i = 0; i < 300; ++i) test_y[i] = fabsf(test_y[i]) + 0.1f;
        for (j = 0; j < 4; ++j) monotone[j] = (signed char)((int)((trial >> j) + j) % 3 - 1);
        o.monotone = monotone;
        tree = grown(&table, &o);
        for (j = 0; j < 4; ++j) {
            float value[300];
            if (monotone[j] == 0) continue;
            for (k = 0; k < 300; ++k) value[k] = test_x[k * 4 + j];
            qsort(value, 300, sizeof value[0], audit_order);
            for (i = 0; i < 300; ++i) {
                float row[4], last;
                memcpy(row, test_x + i * 4, sizeof row);
                row[j] = -INFINITY;
                last = sooth_tree_predict(tree, row);
                for (k = 0; k < 300; ++k) {
                    float p;
                    row[j] = value[k];
                    p = sooth_tree_predict(tree, row);
                    broken += (float)monotone[j] * (p - last) < 0.0f;
                    last = p;
                }
            }
        }
        CHECK(broken == 0);
        CHECK(tree->nodes > 1);
        sooth_tree_free(NULL, tree);
    }
}

/* Every depth from 0 to 9: the walk takes as many comparisons as sooth_tree_cost says, or fewer. */
static void the_cost_is_what_runs(void) {
    enum { N = 400 };
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 41, 0);
    random_table(&rng, &table, N, 3, 1, 0, 0, 0);
    for (o.max_depth = 1; o.max_depth < 10; ++o.max_depth) {
        sooth_tree *tree = grown(&table, &o);
        uint64_t most = 0;
        uint32_t i;
        for (i = 0; i < N; ++i) {
            compared = 0;
            sooth_tree_predict(tree, table.x + i * table.stride);
            if (compared > most) most = compared;
        }
        CHECK(most == sooth_tree_cost(tree).comparisons);
        sooth_tree_free(NULL, tree);
    }
}

/* Numbers are compared by their bits, and any float that is a number may be a threshold: every pair of odd
   ones, and missing values, against the plain walk. */
static void any_numbers_are_compared(void) {
    enum { N = 200 };
    const float odd[] = {0.0f, -0.0f, 1e-45f,    -1e-45f,    1.17549435e-38f, -1.17549435e-38f, 1.0f, -1.0f,
                         1.5f, -1.5f, 3.402e38f, -3.402e38f, INFINITY,        -INFINITY,        NAN,  -NAN};
    sooth_rng rng;
    sooth_table table;
    sooth_rng_init(&rng, 47, 0);
    random_table(&rng, &table, N, 2, 1, 0, 0, 0);
    sooth_tree *tree = grown(&table, NULL);
    sooth_tree_node *node = (sooth_tree_node *)(void *)(tree + 1);
    uint32_t wrong = 0;
    for (uint32_t turn = 0; turn < 40; ++turn) {
        for (uint32_t i = 0; i < tree->nodes; ++i) {
            node[i].u.threshold = odd[sooth_rng_below(&rng, 14)];
            if (node[i].link & 1u) node[i].link = (node[i].link & ~2u) | (sooth_rng_below(&rng, 2) << 1);
        }
        soothi_block_seal(&tree->head);
        CHECK(sooth_tree_check(tree, tree->head.size));
        for (uint32_t i = 0; i < 256; ++i) {
            const float row[2] = {odd[i / 16], odd[i % 16]};
            uint32_t at = 0;
            while (node[at].link & 1u) {
                const float x = row[soothi_tree_feature(node + at, tree->shift)];
                const int right = isnan(x) ? (node[at].link & 2u) != 0 : x > node[at].u.threshold;
                at += (node[at].link >> tree->shift) + (uint32_t)right;
            }
            wrong += soothi_tree_leaf(tree, row) != at;
        }
    }
    CHECK(wrong == 0);
    CHECK(tree->nodes > 100);
    sooth_tree_free(NULL, tree);
}

/* The second column is the first again: with ties = first the seed changes nothing, with random it does. */
static void a_seed_draws_and_nothing_else(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    uint32_t i, seen[2] = {0, 0};
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 43, 0);
    random_table(&rng, &table, 50, 2, 1, 0, 0, 0);
    for (i = 0; i < 50; ++i) test_x[2 * i + 1] = test_x[2 * i];
    for (o.seed = 0; o.seed < 20; ++o.seed) {
        o.ties = SOOTH_TREE_TIES_FIRST;
        CHECK(root_of(grown(&table, &o)).feature == 0);
        o.ties = SOOTH_TREE_TIES_RANDOM;
        ++seen[root_of(grown(&table, &o)).feature];
    }
    CHECK(seen[0] > 2 && seen[1] > 2);
}

/* What fitting would refuse, checking refuses with the same sentence. */
static void options_are_checked_without_training(void) {
    const float x[] = {1, 2, 3}, y[] = {1, -2, 3};
    sooth_table table = sooth_table_of(x, y, 3, 1);
    sooth_tree_options o;
    sooth_env env;
    memset(&o, 0, sizeof o);
    sooth_env_init(&env);
    CHECK_STATUS(sooth_tree_check_options(&env, &table, NULL), SOOTH_OK);
    o.criterion = SOOTH_TREE_POISSON;
    CHECK_FAILS(&env, sooth_tree_check_options(&env, &table, &o), SOOTH_BAD_DATA, "row 2 has the target -2");
}

static void drawn_columns(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    sooth_tree *a, *b;
    uint32_t i, seen[4] = {0, 0, 0, 0};
    double chi = 0.0;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 7, 0);
    random_table(&rng, &table, 200, 4, 1, 0, 0, 0);
    a = grown(&table, NULL);
    o.max_features = 4; /* all of them is no draw */
    b = grown(&table, &o);
    CHECK(a->head.size == b->head.size && memcmp(a, b, a->head.size) == 0);
    sooth_tree_free(NULL, a);
    sooth_tree_free(NULL, b);
    o.max_features = 1;
    o.max_depth = 1;
    for (o.seed = 0; o.seed < 2000; ++o.seed) {
        sooth_tree_step s = root_of(grown(&table, &o));
        ++seen[s.feature];
    }
    for (i = 0; i < 4; ++i) chi += ((double)seen[i] - 500.0) * ((double)seen[i] - 500.0) / 500.0;
    CHECK(chi < 16.3); /* 3 degrees of freedom, p = 0.001 */
    for (i = 0; i < 200; ++i) test_x[4 * i] = test_x[4 * i + 1] = test_x[4 * i + 3] = 1.0f;
    for (o.seed = 0; o.seed < 20; ++o.seed) { /* constant columns: draws on until one can be split */
        sooth_tree_step s = root_of(grown(&table, &o));
        CHECK(s.left == 1 && s.feature == 2);
    }
}

/* Columns of n different values are cut into groups of n / bins: an exact tree on the numbers of the groups
   is the same tree. */
static void bins_are_quantiles(void) {
    enum { N = 6400, D = 4, BINS = 32 };
    float *x = (float *)malloc(N * D * sizeof *x), *group = (float *)malloc(N * D * sizeof *x);
    float *y = (float *)malloc(N * sizeof *y), *p = (float *)malloc(2 * N * sizeof *p);
    uint32_t *order = (uint32_t *)malloc(N * sizeof *order);
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    sooth_tree *binned, *exact;
    uint32_t i, j, different = 0;
    if (!x || !group || !y || !p || !order) CHECK_SKIP("no memory");
    sooth_rng_init(&rng, 8, 0);
    for (j = 0; j < D; ++j) {
        for (i = 0; i < N; ++i) order[i] = i;
        sooth_rng_shuffle(&rng, order, N);
        for (i = 0; i < N; ++i) {
            x[i * D + j] = (float)order[i] / 1000.0f;
            group[i * D + j] = (float)(order[i] / (N / BINS));
        }
    }
    for (i = 0; i < N; ++i) y[i] = x[i * D] * x[i * D + 1] + x[i * D + 2] + 9.0f * sooth_rng_float(&rng);
    memset(&o, 0, sizeof o);
    o.min_samples_leaf = 4;
    small_table(&table, group, y, N, D);
    exact = grown(&table, &o);
    sooth_tree_predict_many(exact, group, N, D, p);
    table.x = x;
    o.bins = BINS;
    binned = grown(&table, &o);
    sooth_tree_predict_many(binned, x, N, D, p + N);
    CHECK(exact->nodes == binned->nodes && exact->nodes > 500);
    for (i = 0; i < N; ++i) different += !(fabsf(p[i] - p[N + i]) <= 1e-6f * p[i]);
    CHECK(different == 0);
    sooth_tree_free(NULL, exact);
    sooth_tree_free(NULL, binned);
    free(x);
    free(group);
    free(y);
    free(p);
    free(order);
}

/* What forests and boosting do: make the columns ready once, then grow trees with other weights and
   targets. */
static void columns_serve_many_trees(void) {
    enum { N = 200, D = 3 };
    static unsigned char memory[1 << 20];
    sooth_rng rng;
    sooth_table table, plain;
    sooth_tree_options o;
    soothi_carver m;
    soothi_grower_rules rules;
    soothi_grower g;
    soothi_columns c;
    uint32_t i, again;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 15, 0);
    for (o.bins = 0; o.bins <= 20; o.bins += 20) {
        random_table(&rng, &table, N, D, 1, 0, 10, 2);
        plain = table;
        plain.weight = NULL;
        memset(&m, 0, sizeof m);
        for (i = 0; i < 2; ++i) { /* first the size, then the pointers */
            m.memory = i ? memory : NULL;
            m.used = 0;
            c = soothi_columns_of(N, N, D, o.bins);
            soothi_tree_rules(&o, D, 1, (double)N, &rules);
            soothi_grower_plan(&g, &rules, &c, 1, 1, 0, 1);
            soothi_columns_layout(&m, &c, 1);
            soothi_grower_layout(&m, &g);
            CHECK(m.used < sizeof memory);
        }
        CHECK_STATUS(soothi_columns_make(NULL, 1, &c, &plain), SOOTH_OK);
        for (again = 0; again < 5; ++again) {
            sooth_tree *alone, *grown_again;
            size_t rows = 0;
            for (i = 0; i < N; ++i) {
                test_y[i] += sooth_rng_float(&rng);
                test_weight[i] =
                    (float)(sooth_rng_below(&rng, 4) + (o.bins ? 1 : 0)); /* bins are cut among all rows */
                rows += test_weight[i] > 0.0f;
            }
            g.y = test_y;
            g.weight = test_weight;
            g.rows = rows;
            soothi_grow_begin(&g);
            CHECK_STATUS(soothi_grow_tree(&g), SOOTH_OK);
            CHECK_STATUS(soothi_tree_pack(&g, 1, &grown_again), SOOTH_OK);
            alone = grown(&table, &o);
            CHECK(alone->head.size == grown_again->head.size &&
                  memcmp(alone, grown_again, alone->head.size) == 0);
            sooth_tree_free(NULL, alone);
            sooth_tree_free(NULL, grown_again);
        }
    }
}

/* ---- the host: threads, memory, cancelling ---- */

/* A host that runs tasks in an order of its own, on workers of its own. */
static void backwards(void *user, size_t count, sooth_task *task, void *arg) {
    size_t i, workers = *(const size_t *)user;
    for (i = count; i-- > 0;) task(arg, i, (i * 7 + 3) % workers);
}

static void workers_change_nothing(void) {
    CHECK_SLOW();
    const size_t n = 3000, d = 30;
    float *x = (float *)malloc(n * d * sizeof *x), *y = (float *)malloc(2 * n * sizeof *y),
          *w = (float *)malloc(n * sizeof *w);
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    size_t i, workers;
    uint32_t trial;
    if (!x || !y || !w) CHECK_SKIP("no memory");
    sooth_rng_init(&rng, 9, 0);
    for (i = 0; i < n * d; ++i) x[i] = sooth_rng_below(&rng, 50) ? sooth_rng_float(&rng) : NAN;
    for (i = 0; i < 2 * n; ++i) y[i] = 1.0f + sooth_rng_float(&rng) + (x[i / 2 * d] > 0.3f ? 1.0f : 0.0f);
    for (i = 0; i < n; ++i) w[i] = sooth_rng_float(&rng);
    for (trial = 0; trial < 16; ++trial) {
        sooth_tree *alone, *together;
        memset(&o, 0, sizeof o);
        o.criterion = trial % 5;
        o.bins = trial & 1 ? 64 : 0;
        if (trial & 2) o.max_features = 6;
        if (trial >= 12) o.max_leaves = 50;
        small_table(&table, x, y, n, d);
        if (trial & 4) table.weight = w;
        if (trial & 8) {
            table.targets = 2;
            if (o.criterion == SOOTH_TREE_ABSOLUTE || o.criterion == SOOTH_TREE_RELATIVE) o.max_depth = 5;
        }
        alone = grown(&table, &o);
        for (workers = 2; workers < 6; workers += 3) {
            sooth_env env;
            sooth_env_init(&env);
            env.parallel_fn = backwards;
            env.parallel_user = &workers;
            env.workers = workers;
            CHECK_STATUS(sooth_tree_fit(&env, &table, &o, &together), SOOTH_OK);
            CHECK(alone->head.size == together->head.size && memcmp(alone, together, alone->head.size) == 0);
            sooth_tree_free(&env, together);
        }
        sooth_tree_free(NULL, alone);
    }
    free(x);
    free(y);
    free(w);
}

typedef struct cancelling {
    int calls, stop_at;
    double last;
} cancelling;

static int cancel(void *user, const char *stage, double done) {
    cancelling *c = (cancelling *)user;
    CHECK(done >= c->last && done <= 1.0 && strcmp(stage, "growing a tree") == 0);
    c->last = done;
    return c->calls++ == c->stop_at;
}

static void growing_can_be_cancelled(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    sooth_tree *tree;
    sooth_env env;
    check_memory memory;
    cancelling c;
    int leaves;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 10, 0);
    random_table(&rng, &table, 300, 4, 1, 0, 0, 0);
    sooth_env_init(&env);
    env.progress_fn = cancel;
    env.progress_user = &c;
    for (leaves = 0; leaves < 20; leaves += 10) {
        o.max_leaves = (uint32_t)leaves;
        o.bins = 8;
        for (c.stop_at = 0;; ++c.stop_at) {
            sooth_status status;
            c.calls = 0;
            c.last = 0.0;
            check_memory_init(&memory, &env, -1);
            status = sooth_tree_fit(&env, &table, &o, &tree);
            if (status == SOOTH_OK) break;
            CHECK(status == SOOTH_CANCELLED && tree == NULL && memory.live == 0 && c.calls == c.stop_at + 1);
        }
        CHECK(c.stop_at > 2 && c.calls == c.stop_at);
        sooth_tree_free(&env, tree);
        CHECK(memory.live == 0 && memory.live_bytes == 0);
    }
}

typedef struct text {
    char text[4096];
    size_t size;
} text;

static int keep_text(void *user, const char *piece, size_t size) {
    text *t = (text *)user;
    if (size > sizeof t->text - 1 - t->size) return 1;
    memcpy(t->text + t->size, piece, size);
    t->text[t->size += size] = 0;
    return 0;
}

static void a_known_buffer_is_enough(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    sooth_env env;
    sooth_arena arena;
    sooth_tree *tree;
    uint32_t trial;
    sooth_rng_init(&rng, 12, 0);
    for (trial = 0; trial < 12; ++trial) {
        unsigned char *memory;
        size_t work, size;
        memset(&o, 0, sizeof o);
        o.criterion = trial % 5;
        o.bins = trial % 2 ? 10 : 0;
        o.max_leaves = trial % 3 ? 0 : 9;
        random_table(&rng, &table, 120, 3, 1, 0, 0, (int)(trial % 3));
        work = sooth_tree_scratch_size(&o, 120, 3, 1, 1);
        size = work + sizeof(sooth_tree) + 240 * (8 + 4 + 4 + 16) +
               64; /* a tree of n rows has at most 2 n - 1 nodes */
        memory = (unsigned char *)malloc(size);
        if (!memory) CHECK_SKIP("no memory");
        sooth_env_init(&env);
        sooth_arena_init(&env, &arena, memory, size);
        CHECK_STATUS(sooth_tree_fit(&env, &table, &o, &tree), SOOTH_OK);
        sooth_arena_init(&env, &arena, memory, work / 2);
        CHECK_FAILS(&env, sooth_tree_fit(&env, &table, &o, &tree), SOOTH_NO_MEMORY, "growing a tree");
        free(memory);
    }
}

/* ---- the block ---- */

static void predictions_agree(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    uint32_t targets, statistics;
    sooth_rng_init(&rng, 13, 0);
    memset(&o, 0, sizeof o);
    for (targets = 1; targets <= 3; ++targets) {
        for (statistics = 0; statistics < 2; ++statistics) {
            float out[60 * 3], one[3];
            sooth_tree_step step[40], s;
            sooth_tree *tree;
            size_t rows, i;
            random_table(&rng, &table, 200, 4, targets, 0, 15, 0);
            o.no_statistics = !statistics;
            tree = grown(&table, &o);
            for (rows = 0; rows < 20; ++rows) {
                memset(out, 0, sizeof out);
                sooth_tree_predict_many(tree, test_x, rows, 12, out);
                for (i = 0; i < rows; ++i) {
                    const float *row = test_x + 12 * i;
                    uint32_t n = sooth_tree_path(tree, row, step, 40), k;
                    sooth_tree_predict_many(tree, row, 1, 12, one);
                    CHECK(memcmp(one, out + i * targets, targets * sizeof(float)) == 0);
                    CHECK(sooth_tree_predict(tree, row) == out[i * targets]);
                    CHECK(n <= tree->depth + 1 && step[n - 1].node == soothi_tree_leaf(tree, row) &&
                          step[n - 1].left == 0);
                    CHECK(step[n - 1].value == out[i * targets]);
                    CHECK(sooth_tree_path(tree, row, &s, 1) == n && s.node == 0);
                    for (k = 0; k + 1 < n; ++k) {
                        float x = row[step[k].feature];
                        int right = x != x ? step[k].missing_right : x > step[k].threshold;
                        CHECK(step[k].went_right == right &&
                              step[k + 1].node == step[k].left + (uint32_t)right);
                        CHECK(!statistics || step[k + 1].rows < step[k].rows);
                    }
                }
                CHECK(out[rows * targets] == 0.0f);
            }
            sooth_tree_free(NULL, tree);
        }
    }
}

/* Damages blocks in every place, mends the checksum, and uses whatever check lets pass: nothing may loop or
   read outside. */
static void damaged_blocks_do_no_harm(void) {
    sooth_rng rng;
    sooth_table table;
    sooth_tree_options o;
    uint32_t trial, passed = 0;
    memset(&o, 0, sizeof o);
    sooth_rng_init(&rng, 14, 0);
    for (trial = 0; trial < 6; ++trial) {
        sooth_tree *tree;
        uint32_t i, size;
        random_table(&rng, &table, 40, 3, trial % 3 + 1, 0, 5, 0);
        o.no_statistics = trial & 1;
        tree = grown(&table, &o);
        size = tree->head.size;
        CHECK(!sooth_tree_check(tree, size - 1) && !sooth_tree_check(tree, 0) && !sooth_tree_check(NULL, 0));
        for (i = 0; i < 4000; ++i) {
            unsigned char *bytes =
                (unsigned char *)malloc(size); /* of its very size, for the address sanitizer */
            sooth_block head;
            uint32_t changes = 1 + sooth_rng_below(&rng, 2);
            if (!bytes) break;
            memcpy(bytes, tree, size);
            for (; changes > 0; --changes) {
                uint32_t at = sooth_rng_below(&rng, sooth_rng_below(&rng, 2) ? size : 80);
                bytes[at] =
                    (unsigned char)(sooth_rng_below(&rng, 2) ? bytes[at] ^ (1u << sooth_rng_below(&rng, 8))
                                                             : sooth_rng_next(&rng));
            }
            memcpy(&head, bytes, sizeof head);
            if (head.size % 16 == 0 && head.size >= sizeof head && head.size <= size) {
                head.checksum = 0;
                head.checksum = soothi_checksum(bytes, head.size);
                memcpy(bytes, &head, sizeof head);
            }
            if (sooth_tree_check(bytes, size) &&
                ((const sooth_tree *)(const void *)bytes)->head.features < 4096) {
                const sooth_tree *damaged = (const sooth_tree *)(const void *)bytes;
                float *row = (float *)malloc(damaged->head.features * sizeof *row), *out;
                uint32_t k, worst = 0;
                ++passed;
                out = (float *)malloc(9 * (size_t)damaged->head.targets * sizeof *out);
                if (!row || !out) break;
                for (k = 0; k < 20; ++k) {
                    uint32_t j, steps;
                    for (j = 0; j < damaged->head.features; ++j) row[j] = sooth_rng_float(&rng) * 4.0f - 2.0f;
                    if (k < 3) row[0] = NAN;
                    (void)sooth_tree_predict(damaged, row);
                    sooth_tree_predict_many(damaged, row, 9, 0, out);
                    steps = sooth_tree_path(damaged, row, NULL, 0);
                    if (steps > worst) worst = steps;
                }
                CHECK(worst <= damaged->depth + 1);
                free(row);
                free(out);
            }
            free(bytes);
        }
        sooth_tree_free(NULL, tree);
    }
    CHECK(passed > 100); /* changed numbers that are no structure */
}

static void trees_print_as_rules(void) {
    const float x[] = {1, 0, 2, 0, 3, 1, 4, NAN}, y[] = {1, 1, 4, 6};
    const char *const names[] = {"threads", "turbo"};
    sooth_table table;
    sooth_tree_options o;
    sooth_tree *tree;
    text kept;
    sooth_sink sink;
    memset(&o, 0, sizeof o);
    memset(&kept, 0, sizeof kept);
    memset(&sink, 0, sizeof sink);
    sink.user = &kept;
    sink.write_fn = keep_text;
    small_table(&table, x, y, 4, 2);
    tree = grown(&table, &o);
    CHECK_STATUS(sooth_tree_write(NULL, tree, names, &sink), SOOTH_OK);
    CHECK(strcmp(kept.text, "threads <= 2.5, or missing\n"
                            "|   1 (2 rows)\n"
                            "threads > 2.5\n"
                            "|   threads <= 3.5, or missing\n"
                            "|   |   4 (1 row)\n"
                            "|   threads > 3.5\n"
                            "|   |   6 (1 row)\n") == 0);
    sooth_tree_free(NULL, tree);
    kept.size = 0;
    table.targets = 2;
    table.rows = 2;
    o.no_statistics = 1;
    tree = grown(&table, &o);
    CHECK_STATUS(sooth_tree_write(NULL, tree, NULL, &sink), SOOTH_OK);
    CHECK(strcmp(kept.text, "column 1 <= 1.5, or missing\n"
                            "|   1, 1\n"
                            "column 1 > 1.5\n"
                            "|   4, 6\n") == 0);
    sooth_tree_free(NULL, tree);
}

static void lies_of_trees(void) {
    static const float rows[12] = {1, 5, 2, 4, 3, 9, 4, 1, 5, 2, 6, 7},
                       values[12] = {1, 9, 4, 2, 7, 3, 8, 8, 2, 1, 5, 6};
    static const lies_word lies[] = {
        {offsetof(sooth_block, features), 0},  {offsetof(sooth_block, features), 1},
        {offsetof(sooth_block, targets), 0},   {offsetof(sooth_block, targets), 2},
        {offsetof(sooth_tree, nodes), 0},      {offsetof(sooth_tree, nodes), 10},
        {offsetof(sooth_tree, nodes), 9},      {offsetof(sooth_tree, nodes), UINT32_MAX},
        {offsetof(sooth_tree, depth), 0},      {offsetof(sooth_tree, depth), 77},
        {offsetof(sooth_tree, shift), 1},      {offsetof(sooth_tree, shift), 32},
        {offsetof(sooth_tree, statistics), 2}, {offsetof(sooth_tree, statistics), 0}};
    sooth_table table = sooth_table_of(rows, values, 6, 2);
    sooth_env env;
    sooth_tree *tree;
    sooth_env_init(&env);
    for (table.targets = 1; table.targets <= 2; ++table.targets) {
        CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
        if (!tree) return;
        CHECK(tree->nodes == 11); /* a leaf for each row */
        for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i)
            if (lies[i].at != offsetof(sooth_block, targets) || lies[i].value != table.targets)
                lies_are_refused(sooth_tree_check, &tree->head, lies + i, 1);
        lies_about_size_are_refused(sooth_tree_check, &tree->head);
        sooth_tree_free(&env, tree);
    }
}

int main(void) {
    CHECK_RUN(equals_scikit_learn);
    CHECK_RUN(every_split_is_the_best);
    CHECK_RUN(ties_take_the_lowest);
    CHECK_RUN(missing_values_go_where_they_gain);
    CHECK_RUN(thresholds_part_neighbours);
    CHECK_RUN(plain_tables_have_plain_trees);
    CHECK_RUN(bad_input_gets_a_sentence);
    CHECK_RUN(the_largest_links_fit);
    CHECK_RUN(wide_tables_fit);
    CHECK_RUN(chains_are_no_matter);
    CHECK_RUN(rows_can_stand_apart);
    CHECK_RUN(weights_are_repetitions);
    CHECK_RUN(large_offsets_do_no_harm);
    CHECK_RUN(predictions_stay_in_range);
    CHECK_RUN(constrained_trees_are_monotone);
    CHECK_RUN(drawn_columns);
    CHECK_RUN(the_cost_is_what_runs);
    CHECK_RUN(any_numbers_are_compared);
    CHECK_RUN(a_seed_draws_and_nothing_else);
    CHECK_RUN(options_are_checked_without_training);
    CHECK_RUN(bins_are_quantiles);
    CHECK_RUN(columns_serve_many_trees);
    CHECK_RUN(workers_change_nothing);
    CHECK_RUN(growing_can_be_cancelled);
    CHECK_RUN(a_known_buffer_is_enough);
    CHECK_RUN(predictions_agree);
    CHECK_RUN(damaged_blocks_do_no_harm);
    CHECK_RUN(trees_print_as_rules);
    CHECK_RUN(lies_of_trees);
    return check_end("tree");
}
