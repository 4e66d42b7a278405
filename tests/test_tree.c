/* test_tree.c - trees against scikit-learn's, against their own definition, and against bad input.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
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
            int64_t a = (int64_t)((double)x[t % d->cols] * 65536.0), b = (int64_t)((double)x[(t + 1) % d->cols] * 65536.0);
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
        CHECK_STATUS(sooth_tree_importance(NULL, tree, share), SOOTH_OK);
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
    const sooth_tree *tree;
    double total;
    uint32_t min_split, min_leaf;
    int exact;
} audit;

typedef struct audit_measure {
    double weight, impurity, value[4];
} audit_measure;

static double audit_weight(const audit *a, uint32_t row) { return a->table->weight ? (double)a->table->weight[row] : 1.0; }

static double audit_target(const audit *a, uint32_t row, size_t t) { return (double)a->table->y[row * a->table->targets + t]; }

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
            double low = DBL_MAX, high = -DBL_MAX; /* medians are what costs least: the middle of those among the targets */
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

static int audit_goes_left(const audit *a, uint32_t row, uint32_t feature, float threshold, int missing_left) {
    float x = a->table->x[row * a->table->stride + feature];
    return x != x ? missing_left : x <= threshold;
}

/* The gain of a split, or below 0 when the options forbid it. */
static double audit_gain(const audit *a, const uint32_t *row, size_t n, uint32_t feature, float threshold, int missing_left,
                         const double bound[2], audit_measure part[2], uint32_t count[2]) {
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
    if (part[0].weight < a->o->min_weight_leaf * a->total || part[1].weight < a->o->min_weight_leaf * a->total) return -1.0;
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
           (own.impurity - part[0].weight / own.weight * part[0].impurity - part[1].weight / own.weight * part[1].impurity);
    return gain > 0.0 ? gain : 0.0;
}

static int audit_order(const void *p, const void *q) {
    float a, b;
    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    return (a > b) - (a < b);
}

/* The best gain that any allowed split of these rows has; the column in *column. */
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

/* Follows the training rows down and checks at every node: its numbers, that no allowed split would have gained more, where its threshold lies,
   where missing values go, and that leaves had to be leaves. */
static void audit_tree(const sooth_table *table, const sooth_tree_options *o, const sooth_tree *tree, int exact) {
    static uint32_t list[2 * AUDIT_ROWS][AUDIT_ROWS];
    static uint32_t count[2 * AUDIT_ROWS], level[2 * AUDIT_ROWS];
    static double bound[2 * AUDIT_ROWS][2];
    audit a;
    audit_measure first;
    uint32_t i, node, depth = 0;
    double scale;
    a.table = table;
    a.o = o;
    a.tree = tree;
    a.exact = exact;
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
        if (o->criterion == SOOTH_TREE_RELATIVE && !o->monotone) /* whether two halves weigh the same is a matter of rounding */
            CHECK_NEAR(audit_deviation(&a, list[node], count[node], 0, (double)s.value),
                       audit_deviation(&a, list[node], count[node], 0, value), 1e-6 * m.weight);
        else
            CHECK_NEAR(s.value, value, 1.2e-7 * fabs(value));
        if (level[node] > depth) depth = level[node];
        best = audit_best(&a, list[node], count[node], bound[node]);
        if (s.left == 0) {
            int stopped = m.impurity <= 1e-12 * scale || level[node] == o->max_depth || count[node] < a.min_split ||
                          count[node] < 2 * a.min_leaf || best < 0.0 || best < o->min_gain + tolerance || o->max_leaves;
            CHECK(!exact || (stopped && (level[node] < o->max_depth || o->max_depth == 0 || level[node] == o->max_depth)));
            continue;
        }
        CHECK(count[node] >= a.min_split && (o->max_depth == 0 || level[node] < o->max_depth));
        gain = audit_gain(&a, list[node], count[node], s.feature, s.threshold, !s.missing_right, bound[node], part, counts);
        CHECK(gain >= 0.0 && gain + tolerance >= o->min_gain);
        if (exact) CHECK(gain >= best - tolerance);
        count[s.left] = count[s.left + 1] = 0;
        level[s.left] = level[s.left + 1] = level[node] + 1;
        {
            float below = -INFINITY, above = INFINITY;
            int missing = 0;
            for (i = 0; i < count[node]; ++i) {
                uint32_t row = list[node][i], child = s.left + !audit_goes_left(&a, row, s.feature, s.threshold, !s.missing_right);
                float x = table->x[row * table->stride + s.feature];
                list[child][count[child]++] = row;
                missing |= x != x;
                if (x <= s.threshold && x > below) below = x;
                if (x > s.threshold && x < above) above = x;
            }
            if (!missing) CHECK(s.missing_right == (counts[1] > counts[0]));
            if (exact && above < INFINITY) { /* the midpoint, rounded down */
                double middle = 0.5 * (double)below + 0.5 * (double)above;
                CHECK((double)s.threshold <= middle && (double)nextafterf(s.threshold, INFINITY) > middle);
            }
            if (above == INFINITY) CHECK(missing && s.missing_right && (!exact || s.threshold == INFINITY));
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
static void random_table(sooth_rng *rng, sooth_table *table, uint32_t rows, uint32_t cols, uint32_t targets, uint32_t levels,
                         uint32_t missing, int weights) {
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
        memset(&o, 0, sizeof o);
        o.criterion = sooth_rng_below(&rng, 5);
        random_table(&rng, &table, 2 + sooth_rng_below(&rng, o.criterion % 4 == 1 || o.criterion == 4 ? 30 : 70), cols, targets,
                     sooth_rng_below(&rng, 2) ? 0 : 2 + sooth_rng_below(&rng, 12), sooth_rng_below(&rng, 2) * 20,
                     (int)sooth_rng_below(&rng, 3));
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
        if (table.weight && sooth_table_check(NULL, &table, SOOTH_ALLOW_MISSING) != SOOTH_OK) continue;
        CHECK_STATUS(sooth_tree_fit(NULL, &table, &o, &tree), SOOTH_OK);
        CHECK(sooth_tree_check(tree, tree->head.size));
        audit_tree(&table, &o, tree, 1);
        if (check_failures) printf("  trial %u: criterion %u, %u rows\n", (unsigned)trial, (unsigned)o.criterion, (unsigned)table.rows);
        sooth_tree_free(NULL, tree);
    }
}

int main(void) {
    CHECK_RUN(equals_scikit_learn);
    CHECK_RUN(every_split_is_the_best);
    return check_end("tree");
}
