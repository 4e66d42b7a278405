/* tree/criterion.h - split criteria: the gain of a split, and the exact scan of a column.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A node is measured (weight, mean, impurity). Then every split of a column is scored:
 *
 *   squared, friedman, poisson    from the sums on the left and the sums of the node
 *   absolute, relative            from medians of both sides, updated row by row
 *   second derivatives            from their sums; boost.h has the formula
 *
 * The exact scan goes through the sorted entries of a column. The classes of a categorical column
 * (tree/columns.h) are summed, sorted by their statistic and scanned as if ordered. With medians, the entries
 * themselves are put in that order. tree/histogram.h has the scans of cells, with the same criteria. Its
 * soothi_histogram_plain_score is a faster form of soothi_criterion_score_second for second derivatives of 1.
 *
 * Cost for a node of n rows: O(n) per column, also with medians. Nothing is allocated.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_CRITERION_IMPLEMENTED)
#define SOOTH_TREE_CRITERION_IMPLEMENTED
#include "grower.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

#define SOOTHI_CRITERION_ROUNDING 1e-12 /* smaller relative gains are rounding errors */

/* ---- second derivatives ---- */

/* Returns a leaf value: -T(G) / (H + lambda), T(G) = sign(G) max(|G| - alpha, 0), clipped to step and
   bounds. */
SOOTHI_HOT double soothi_criterion_leaf_value(const soothi_grower_second *s, double g, double h, double low,
                                              double high) {
    double w = g > s->alpha ? g - s->alpha : g < -s->alpha ? g + s->alpha : 0.0;
    w = h + s->lambda > 0.0 ? -w / (h + s->lambda) : 0.0;
    if (s->max_step > 0.0 && w > s->max_step) w = s->max_step;
    if (s->max_step > 0.0 && w < -s->max_step) w = -s->max_step;
    return w < low ? low : w > high ? high : w;
}

/* Returns the decrease of twice the loss by a leaf of value w: -(2 G w + (H + lambda) w^2 + 2 alpha |w|). The
   maximum is T(G)^2 / (H + lambda). */
SOOTHI_HOT double soothi_criterion_leaf_gain(const soothi_grower_second *s, double g, double h, double w) {
    return -(2.0 * g * w + (h + s->lambda) * w * w + 2.0 * s->alpha * (w < 0.0 ? -w : w));
}

/* Returns the gain of a split with these sums on the left; below 0 if it is not allowed. */
SOOTHI_HOT double soothi_criterion_score_second(const soothi_grower_second_node *n, int sign, double gl,
                                                double hl) {
    const double gr = n->g - gl, hr = n->h - hl;
    const double wl = soothi_criterion_leaf_value(&n->rule, gl, hl, n->low, n->high);
    const double wr = soothi_criterion_leaf_value(&n->rule, gr, hr, n->low, n->high);
    if ((sign > 0 && wl > wr) || (sign < 0 && wl < wr)) return -1.0;
    return soothi_criterion_leaf_gain(&n->rule, gl, hl, wl) +
           soothi_criterion_leaf_gain(&n->rule, gr, hr, wr) - n->parent;
}

/* Returns the node that splits are compared with. clip: clips its value as a leaf to its bounds. */
SOOTHI_LOCAL soothi_grower_second_node soothi_criterion_second_node(const soothi_grower *g, uint32_t id,
                                                                    int clip) {
    const double low = g->bound ? g->bound[2 * (size_t)id] : -DBL_MAX;
    const double high = g->bound ? g->bound[2 * (size_t)id + 1] : DBL_MAX;
    const double leaf = clip ? soothi_grower_clip(g, id, g->mean[id]) : g->mean[id];
    const double first = g->record[id].impurity, second = g->record[id].weight;
    const soothi_grower_second_node n = {g->rules->second,
                                         first,
                                         second,
                                         low,
                                         high,
                                         soothi_criterion_leaf_gain(&g->rules->second, first, second, leaf)};
    return n;
}

/* ---- measuring a node ---- */

/* Computes G and H of a node and its value, before bounds. */
SOOTHI_LOCAL int soothi_criterion_measure_second(const soothi_grower *g, const uint64_t *entry,
                                                 soothi_grower_record *node, double *mean) {
    double first = 0.0, second = 0.0;
    for (size_t k = 0; k < node->rows; ++k) {
        const size_t row = soothi_entry_row(entry[k]);
        first += (double)g->y[row];
        second += (double)g->weight[row];
    }
    node->impurity = first;
    node->weight = second;
    mean[0] = soothi_criterion_leaf_value(&g->rules->second, first, second, -DBL_MAX, DBL_MAX);
    return 1;
}

/* Computes weight, means and impurity of a node's rows, given by entries or indices. Returns 1 if some target
   differs. Two passes keep the impurity accurate for nearly equal, large targets. */
SOOTHI_LOCAL int soothi_criterion_measure(const soothi_grower *g, const uint64_t *entry,
                                          const uint32_t *number, soothi_grower_record *node, double *mean) {
    const float *y = g->y, *weight = g->weight;
    const size_t n = node->rows, targets = g->targets;
    int mixed = 0;
    if (g->rules->criterion == SOOTHI_CRITERION_SECOND)
        return soothi_criterion_measure_second(g, entry, node, mean);
    node->impurity = 0.0;
    node->weight = weight ? 0.0 : (double)n;
    for (size_t k = 0; weight && k < n; ++k)
        node->weight += (double)weight[soothi_columns_row(entry, number, k)];
    const float *first = y + soothi_columns_row(entry, number, 0) * targets;
    for (size_t t = 0; t < targets; ++t) {
        double sum = 0.0, spread = 0.0, m;
        int differs = 0;
        for (size_t k = 0; k < n; ++k) {
            const size_t row = soothi_columns_row(entry, number, k);
            const float v = y[row * targets + t];
            differs |= (v < first[t]) | (v > first[t]);
            sum += weight ? (double)weight[row] * (double)v : (double)v;
        }
        mean[t] = m = differs ? sum / node->weight : (double)first[t];
        if (!differs) continue;
        mixed = 1;
        for (size_t k = 0; k < n; ++k) {
            const size_t row = soothi_columns_row(entry, number, k);
            const double v = (double)y[row * targets + t];
            double e = (v - m) * (v - m);
            if (g->rules->criterion == SOOTHI_CRITERION_POISSON) e = v > 0.0 ? v * soothi_log(v / m) : 0.0;
            spread += weight ? (double)weight[row] * e : e;
        }
        node->impurity += spread / (node->weight * (double)targets);
    }
    return mixed;
}

/* Returns the denominator of relative errors. */
SOOTHI_LOCAL double soothi_criterion_denominator(double y, double floor) {
    const double size = soothi_abs(y);
    return size > floor ? size : floor;
}

/* Returns the factor of a row's absolute error. */
SOOTHI_LOCAL double soothi_criterion_penalty(const soothi_grower *g, size_t row, size_t t) {
    const double weight = soothi_row_weight(g->weight, row);
    if (g->rules->criterion != SOOTHI_CRITERION_RELATIVE) return weight;
    return weight / soothi_criterion_denominator((double)g->y[row * g->targets + t], g->rules->floor);
}

/* Like soothi_criterion_measure, with medians. The targets' own sorted lists give the middle. */
SOOTHI_LOCAL int soothi_criterion_measure_medians(const soothi_grower *g, const soothi_grower_lists *lists,
                                                  soothi_grower_record *node, double *mean) {
    size_t k, n = node->rows;
    double weight = (double)n, impurity = 0.0;
    int mixed = 0;
    for (size_t t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_grower_list(lists, node, g->cols + t);
        double all = 0.0, below = 0.0, spread = 0.0;
        mixed |= soothi_entry_key(list[0]) != soothi_entry_key(list[n - 1]);
        for (k = 0; k < n; ++k) all += soothi_criterion_penalty(g, soothi_entry_row(list[k]), t);
        for (k = 0; k + 1 < n; ++k) {
            below += soothi_criterion_penalty(g, soothi_entry_row(list[k]), t);
            if (below + below >= all) break;
        }
        double m = (double)g->y[soothi_entry_row(list[k]) * g->targets + t];
        if (k + 1 < n && !(below + below > all))
            m = 0.5 * m + 0.5 * (double)g->y[soothi_entry_row(list[k + 1]) * g->targets + t];
        mean[t] = m;
        for (k = 0; k < n; ++k) {
            size_t row = soothi_entry_row(list[k]);
            double e = (double)g->y[row * g->targets + t] - m;
            spread += soothi_criterion_penalty(g, row, t) * soothi_abs(e);
        }
        impurity += spread;
        if (t == 0 && g->weight) {
            weight = 0.0;
            for (k = 0; k < n; ++k) weight += (double)g->weight[soothi_entry_row(list[k])];
        }
    }
    node->weight = weight;
    node->impurity = impurity / (weight * (double)g->targets);
    return mixed;
}

/* ---- the splits of a column ---- */

typedef struct soothi_criterion_search {
    const soothi_grower *g;
    const soothi_grower_lists *lists; /* NULL means histograms */
    const soothi_grower_record *node;
    const double *mean;                /* of the node */
    const double *bound;               /* of the node, or NULL */
    const soothi_grower_worker *owner; /* its rank, target and penalty hold the node's targets (medians) */
    const uint32_t *pick;              /* columns to search; NULL means all */
    size_t picks, block;               /* number of columns, columns per task */
    size_t turn;                       /* first column in the order of ties, which wraps around */
    uint64_t draw;                     /* seed of this node's random thresholds */
    int plain;                         /* one target, means, no deviance */
    int first;                         /* 1: take the first split found */
    soothi_grower_second_node second;  /* with second derivatives */
} soothi_criterion_search;

/* Returns 1 if these means violate the constraint or the node's bounds. */
SOOTHI_LOCAL int soothi_criterion_violates(const soothi_criterion_search *s, int sign, double left,
                                           double right) {
    if (sign == 0) return 0;
    return (sign > 0 ? left > right : left < right) || left < s->bound[0] || right < s->bound[0] ||
           left > s->bound[1] || right > s->bound[1];
}

/* Returns the score of a split, from the weight and the sums on its left; below 0 if it is not allowed. W, m:
   weight and mean of the node, c = S_L - W_L m.
     squared    sum over targets of c^2 / (W_L W_R): decrease of the sum of squares / W
     friedman   (sum over targets of c)^2 / (W_L W_R)
     poisson    sum over targets of S_L log(m_L / m) + S_R log(m_R / m): decrease of the deviance */
SOOTHI_LOCAL double soothi_criterion_score(const soothi_criterion_search *s, int sign, double weight_left,
                                           const double *sum) {
    const soothi_grower_rules *rules = s->g->rules;
    double weight = s->node->weight, weight_right = weight - weight_left, value = 0.0;
    if (weight_left < rules->min_weight || weight_right < rules->min_weight || !(weight_right > 0.0))
        return -1.0;
    if (rules->criterion == SOOTHI_CRITERION_SECOND) {
        const double lambda = rules->second.lambda;
        if (!(weight_left + lambda > 0.0) || !(weight_right + lambda > 0.0)) return -1.0;
        value = soothi_criterion_score_second(&s->second, sign, sum[0], weight_left);
        return value > SOOTHI_CRITERION_ROUNDING * soothi_abs(s->second.parent) ? value : -1.0;
    }
    if (sign && soothi_criterion_violates(s, sign, sum[0] / weight_left,
                                          (s->mean[0] * weight - sum[0]) / weight_right))
        return -1.0;
    for (size_t t = 0; t < s->g->targets; ++t) {
        const double m = s->mean[t], c = sum[t] - weight_left * m;
        if (rules->criterion == SOOTHI_CRITERION_SQUARED) {
            value += c * c;
        } else if (rules->criterion == SOOTHI_CRITERION_FRIEDMAN) {
            value += c;
        } else {
            const double left = sum[t], right = m * weight - left;
            if (!(left > 0.0) || !(right > SOOTHI_CRITERION_ROUNDING * left))
                return -1.0; /* a side with mean 0, up to rounding */
            value +=
                left * soothi_log(left / (weight_left * m)) + right * soothi_log(right / (weight_right * m));
        }
    }
    if (rules->criterion == SOOTHI_CRITERION_POISSON) return value > 0.0 ? value : 0.0;
    if (rules->criterion == SOOTHI_CRITERION_FRIEDMAN) value *= value;
    return value / (weight_left * weight_right);
}

/* Converts the score of a split to the units of min_gain (see sooth_tree_options). */
SOOTHI_LOCAL double soothi_criterion_gain(const soothi_grower *g, const soothi_grower_record *node,
                                          double score) {
    double targets = (double)g->targets;
    if (g->rules->criterion == SOOTHI_CRITERION_SQUARED) return score * node->weight / (targets * g->total);
    if (g->rules->criterion == SOOTHI_CRITERION_FRIEDMAN) return score * node->weight / (targets * targets);
    if (g->rules->criterion == SOOTHI_CRITERION_SECOND) return score;
    return score / (targets * g->total);
}

/* Scans every split of a list with `from` to `to` values on the left, in the plain case. Fitting spends most
   of its time here, so the loop has no unpredictable branches. Scores are not negative, so their bits compare
   like the scores. A split between equal values gets -1. */
SOOTHI_HOT void soothi_criterion_scan_plain(const soothi_criterion_search *s, const uint64_t *list,
                                            uint32_t from, uint32_t to, double sum, double weight_left,
                                            const float *w, soothi_grower_best *best) {
    const float *y = s->g->y;
    const double mean = s->mean[0], weight = s->node->weight, least = s->g->rules->min_weight;
    int64_t most = -1;
    uint32_t k, at = 0;
    for (k = 0; k + 1 < from; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
    }
    for (; k < to; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        int64_t bits;
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        weight_left += w ? (double)w[row] : 1.0;
        double weight_right = weight - weight_left;
        if (w && (weight_left < least || weight_right < least || !(weight_right > 0.0))) continue;
        double c = sum - weight_left * mean;
        double score = c * c / (weight_left * weight_right);
        memcpy(&bits, &score, sizeof bits);
        bits |= -(int64_t)((list[k] ^ list[k + 1]) >> 32 == 0);
        at = bits > most ? k + 1 : at;
        most = bits > most ? bits : most;
    }
    best->present_left = at;
    memcpy(&best->score, &most, sizeof most);
}

/* Scores one given split in the plain case, from its smaller side. */
SOOTHI_HOT void soothi_criterion_score_plain(const soothi_criterion_search *s, const uint64_t *list,
                                             const float *w, soothi_grower_best *c) {
    const float *y = s->g->y;
    const double least = s->g->rules->min_weight;
    const uint32_t n = s->node->rows;
    const uint32_t from = 2 * c->present_left > n ? c->present_left : 0, to = from ? n : c->present_left;
    double sum = 0.0, here = 0.0;
    for (uint32_t k = from; k < to; ++k) {
        const uint32_t row = soothi_entry_row(list[k]);
        sum += w ? (double)w[row] * (double)y[row] : (double)y[row];
        if (w) here += (double)w[row];
    }
    if (!w) here = (double)(to - from);
    double there = s->node->weight - here;
    double off = sum - here * s->mean[0];
    c->score = off * off / (here * there);
    if (here < least || there < least || !(there > 0.0)) c->present_left = 0;
}

/* Adds a row to the sums of one side; returns its weight. */
SOOTHI_HOT double soothi_criterion_add(const soothi_grower *g, size_t row, double *sum) {
    const double w = soothi_row_weight(g->weight, row);
    const double factor = g->rules->criterion == SOOTHI_CRITERION_SECOND ? 1.0 : w;
    for (size_t t = 0; t < g->targets; ++t) sum[t] += factor * (double)g->y[row * g->targets + t];
    return w;
}

/* Like soothi_criterion_scan_plain, for all criteria with means, several targets and constraints. */
SOOTHI_LOCAL void soothi_criterion_scan_sums(const soothi_criterion_search *s, const uint64_t *list,
                                             uint32_t from, uint32_t to, int sign, double weight_left,
                                             double *sum, soothi_grower_best *best) {
    best->score = -1.0;
    best->present_left = 0;
    for (uint32_t k = 0; k < to; ++k) {
        weight_left += soothi_criterion_add(s->g, soothi_entry_row(list[k]), sum);
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        double score = soothi_criterion_score(s, sign, weight_left, sum);
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Medians: computes the rank of every row among the node's targets. */
SOOTHI_LOCAL void soothi_criterion_rank(const soothi_criterion_search *s, soothi_grower_worker *worker) {
    const soothi_grower *g = s->g;
    for (size_t t = 0; t < g->targets; ++t) {
        const uint64_t *list = soothi_grower_list(s->lists, s->node, g->cols + t);
        double *target = worker->target + t * (g->rows + 2), *penalty = worker->penalty + t * (g->rows + 2);
        for (size_t k = 0; k < s->node->rows; ++k) {
            size_t row = soothi_entry_row(list[k]);
            worker->rank[row * g->targets + t] = (uint32_t)k + 1;
            target[k + 1] = (double)g->y[row * g->targets + t] - s->mean[t];
            penalty[k + 1] = soothi_criterion_penalty(g, row, t);
        }
    }
}

/* Removes the rows of a sequence one by one, from its end (or its beginning). Adds the cost of the remaining
   rows around their weighted median to cost[k]: sum of penalty |target - median|. k is then the number of
   rows left of the split. The places form a linked list with a pointer to the median, p. A deletion moves p
   by one step (with weights: by few). A column thus costs O(rows), where heaps or trees need O(rows log
   rows). B, SB: penalty and penalty x target below p; V, SV: of all remaining rows. The cost is target[p] (2
   B - V) + SV - 2 SB. */
SOOTHI_LOCAL void soothi_criterion_unwind(const soothi_criterion_search *s, soothi_grower_worker *worker,
                                          const uint64_t *list, size_t turn, size_t t, int from_end,
                                          double *cost, double *middle) {
    const soothi_grower *g = s->g;
    const double *target = s->owner->target + t * (g->rows + 2),
                 *penalty = s->owner->penalty + t * (g->rows + 2);
    const uint32_t *rank = s->owner->rank;
    uint32_t *before = worker->before, *after = worker->after;
    uint32_t n = s->node->rows, p = 1;
    double b = 0.0, sb = 0.0, v = 0.0, sv = 0.0;
    for (uint32_t i = 1; i <= n; ++i) {
        before[i] = i - 1;
        after[i] = i + 1;
        v += penalty[i];
        sv += penalty[i] * target[i];
    }
    for (uint32_t left = n; left > 0; --left) {
        size_t k = from_end ? left : n - left, taken = from_end ? left - 1 : n - left;
        while (after[p] <= n && 2.0 * (b + penalty[p]) < v) {
            b += penalty[p];
            sb += penalty[p] * target[p];
            p = after[p];
        }
        while (before[p] > 0 && 2.0 * b >= v) {
            p = before[p];
            b -= penalty[p];
            sb -= penalty[p] * target[p];
        }
        cost[k] += target[p] * (2.0 * b - v) + sv - 2.0 * sb;
        if (middle) {
            const int even = after[p] <= n && !(2.0 * (b + penalty[p]) > v);
            middle[k] = 0.5 * (target[p] + target[even ? after[p] : p]) + s->mean[t];
        }
        /* the sequence is the list rotated right by `turn`: missing rows come first if they go left */
        size_t at = taken < turn ? n - turn + taken : taken - turn;
        uint32_t place = rank[soothi_entry_row(list[at]) * g->targets + t];
        v -= penalty[place];
        sv -= penalty[place] * target[place];
        if (before[place]) after[before[place]] = after[place];
        if (after[place] <= n) before[after[place]] = before[place];
        if (place < p) {
            b -= penalty[place];
            sb -= penalty[place] * target[place];
        } else if (place == p) {
            if (after[p] <= n) {
                p = after[p];
            } else if (before[p]) {
                p = before[p];
                b -= penalty[p];
                sb -= penalty[p] * target[p];
            }
        }
    }
}

/* Scores every split of a list by medians. The first `turn` rows, 0 or all missing ones, start left. */
SOOTHI_LOCAL void soothi_criterion_scan_medians(const soothi_criterion_search *s,
                                                soothi_grower_worker *worker, const uint64_t *list,
                                                uint32_t from, uint32_t to, int sign, size_t turn,
                                                soothi_grower_best *best) {
    const soothi_grower *g = s->g;
    size_t n = s->node->rows;
    double weight_left = 0.0, parent = s->node->impurity * s->node->weight * (double)g->targets,
           *cost = worker->cost;
    memset(cost, 0, (n + 1) * sizeof *cost);
    for (size_t t = 0; t < g->targets; ++t) {
        soothi_criterion_unwind(s, worker, list, turn, t, 1, cost, sign ? worker->low : NULL);
        soothi_criterion_unwind(s, worker, list, turn, t, 0, cost, sign ? worker->high : NULL);
    }
    best->score = -1.0;
    best->present_left = 0;
    for (uint32_t k = 0; k < turn; ++k)
        weight_left += soothi_row_weight(g->weight, soothi_entry_row(list[n - turn + k]));
    for (uint32_t k = 0; k < to; ++k) {
        weight_left += soothi_row_weight(g->weight, soothi_entry_row(list[k]));
        if ((list[k] ^ list[k + 1]) >> 32 == 0 || k + 1 < from) continue;
        if (weight_left < g->rules->min_weight || s->node->weight - weight_left < g->rules->min_weight)
            continue;
        if (sign && soothi_criterion_violates(s, sign, worker->low[k + 1 + turn], worker->high[k + 1 + turn]))
            continue;
        double score = parent - cost[k + 1 + turn];
        if (score < 0.0) score = 0.0; /* rounding error */
        if (score > best->score) {
            best->score = score;
            best->present_left = k + 1;
        }
    }
}

/* Returns 1 if column a wins a tie against b: the lower one does, counted cyclically from `turn`. */
SOOTHI_LOCAL int soothi_criterion_wins(const soothi_criterion_search *s, size_t a, size_t b) {
    return (a >= s->turn) == (b >= s->turn) ? a < b : a > b;
}

/* Replaces best if a split scores more, or the same in a column that wins ties. */
SOOTHI_LOCAL void soothi_criterion_enter(const soothi_criterion_search *s, soothi_grower_best *best,
                                         size_t column, const soothi_grower_best *c, uint32_t missing_left) {
    if (!c->present_left) return;
    if (best->column != SIZE_MAX &&
        (c->score < best->score ||
         (!(c->score > best->score) && soothi_criterion_wins(s, best->column, column))))
        return;
    *best = *c;
    best->column = column;
    best->missing_left = missing_left;
}

/* Enters the better of a column's best splits with missing rows on the right and on the left. On a tie, takes
   the lower threshold, then the split that sends them to the larger child. present: rows with a value. */
SOOTHI_LOCAL void soothi_criterion_enter_sides(const soothi_criterion_search *s, soothi_grower_best *best,
                                               size_t column, const soothi_grower_best *right,
                                               const soothi_grower_best *left, uint32_t present) {
    int go_left = left->present_left && (!right->present_left || left->score > right->score);
    if (left->present_left && right->present_left && !(left->score < right->score) && !go_left)
        go_left =
            left->cut < right->cut || (left->cut == right->cut && 2 * (size_t)left->present_left >= present);
    soothi_criterion_enter(s, best, column, go_left ? left : right, (uint32_t)go_left);
}

/* Sets the keys next to the split. */
SOOTHI_LOCAL void soothi_criterion_set_keys(const uint64_t *list, uint32_t n, soothi_grower_best *c) {
    if (!c->present_left) return;
    c->cut = soothi_entry_key(list[c->present_left - 1]);
    c->next = c->present_left < n ? soothi_entry_key(list[c->present_left]) : SOOTHI_KEY_MISSING;
}

/* Returns the key of a random threshold between the minimum and maximum of a list (Geurts, Ernst, Wehenkel:
   Extremely randomized trees, Machine Learning 63, 2006). *below is the number of entries up to it. Every
   column mixes the node's draw with its own index (finalizer of Stafford's variant 13 of splitmix64). If all
   values are equal, the key is theirs and *below is `present`. */
SOOTHI_HOT uint32_t soothi_criterion_random_key(const soothi_criterion_search *s, size_t column,
                                                const uint64_t *list, uint32_t present, uint32_t *below) {
    const uint32_t least = soothi_entry_key(list[0]), most = soothi_entry_key(list[present - 1]);
    const double from = (double)soothi_key_value(least), to = (double)soothi_key_value(most);
    uint64_t bits = s->draw + (column + 1) * 0x9E3779B97F4A7C15u;
    uint32_t low = 0, high = present;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    uint32_t key =
        soothi_key((float)(from + (to - from) * ((double)(bits >> 11) * (1.0 / 9007199254740992.0))));
    if (key < least || (key >= most && most > least)) key = least; /* rounded beyond an end */
    while (low < high) {                                           /* the first entry above the key */
        const uint32_t middle = low + (high - low) / 2;
        if (soothi_entry_key(list[middle]) <= key) low = middle + 1;
        else high = middle;
    }
    *below = low;
    return key;
}

/* Scores every split of one column by its list, in the general case. With random thresholds, scores only one.
   arranged: the list holds places of classes (see below), which take no random threshold. */
SOOTHI_LOCAL void soothi_criterion_scan_general(const soothi_criterion_search *s, size_t column,
                                                const uint64_t *list, int sign, int arranged,
                                                soothi_grower_worker *worker) {
    const soothi_grower *g = s->g;
    const uint32_t n = s->node->rows, least = g->rules->min_leaf;
    soothi_grower_best side[2]; /* missing rows go right; left */
    uint32_t present = n, only = 0, key = 0;
    while (present > 0 && soothi_entry_key(list[present - 1]) == SOOTHI_KEY_MISSING) --present;
    uint32_t missing = n - present;
    if (g->rules->random && present > 0 && !arranged)
        key = soothi_criterion_random_key(s, column, list, present, &only);
    memset(side, 0, sizeof side);
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        const uint32_t first = go_left ? missing : 0; /* left rows before the list begins */
        uint32_t from = least > first + 1 ? least - first : 1;
        uint32_t to = missing && !go_left ? present : present - 1;
        if (n < least + first || present == 0) continue;
        if (to > n - least - first) to = n - least - first;
        if (only && from < only) from = only;
        if (only && to > only) to = only;
        if (from > to) continue;
        if (g->width > g->cols) {
            soothi_criterion_scan_medians(s, worker, list, from, to, sign, first, &side[go_left]);
        } else {
            double weight_left = 0.0, *sum = worker->sum;
            memset(sum, 0, g->targets * sizeof *sum);
            for (uint32_t k = 0; k < first; ++k)
                weight_left += soothi_criterion_add(g, soothi_entry_row(list[present + k]), sum);
            if (!s->plain || sign)
                soothi_criterion_scan_sums(s, list, from, to, sign, weight_left, sum, &side[go_left]);
            else
                soothi_criterion_scan_plain(s, list, from, to, sum[0], weight_left, g->weight,
                                            &side[go_left]);
        }
        soothi_criterion_set_keys(list, n, &side[go_left]);
        if (only && only < present) side[go_left].cut = side[go_left].next = key;
    }
    soothi_criterion_enter_sides(s, &worker->best, column, &side[0], &side[1], present);
}

/* Scores every split of one column by its list. */
SOOTHI_LOCAL void soothi_criterion_scan_list(const soothi_criterion_search *s, size_t column,
                                             soothi_grower_worker *worker) {
    const soothi_grower_rules *rules = s->g->rules;
    const uint64_t *list = soothi_grower_list(s->lists, s->node, column);
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const uint32_t n = s->node->rows;
    const uint32_t from = rules->min_leaf, to = n - rules->min_leaf;
    soothi_grower_best c;
    if ((list[0] ^ list[n - 1]) >> 32 == 0) return; /* one value, or all missing */
    if (!s->plain || sign || soothi_entry_key(list[n - 1]) == SOOTHI_KEY_MISSING) {
        soothi_criterion_scan_general(s, column, list, sign, 0, worker);
        return;
    }
    if (rules->random) {
        c.cut = c.next = soothi_criterion_random_key(s, column, list, n, &c.present_left);
        if (c.present_left < from || c.present_left > to) return;
        if (s->g->weight) soothi_criterion_score_plain(s, list, s->g->weight, &c);
        else soothi_criterion_score_plain(s, list, NULL, &c);
    } else {
        if (s->g->weight) soothi_criterion_scan_plain(s, list, from, to, 0.0, 0.0, s->g->weight, &c);
        else soothi_criterion_scan_plain(s, list, from, to, 0.0, 0.0, NULL, &c);
        soothi_criterion_set_keys(list, n, &c);
    }
    soothi_criterion_enter(s, &worker->best, column, &c, 0);
}

/* ---- the splits of a categorical column ---- */

/* Returns the sums of a class; index `classes` holds the missing values. */
SOOTHI_LOCAL double *soothi_criterion_level(const soothi_criterion_search *s,
                                            const soothi_grower_worker *worker, size_t number) {
    return worker->level + number * (2 + s->g->targets);
}

/* Computes the sums of every class from a list or the node's histogram. With medians, sums the ranks among
   the node's targets instead, which is robust to outliers. */
SOOTHI_LOCAL void soothi_criterion_sum_levels(const soothi_criterion_search *s, size_t column,
                                              const uint64_t *list, soothi_grower_worker *worker) {
    const soothi_grower *g = s->g;
    const size_t classes = g->columns->categories.classes[column], targets = g->targets;
    memset(worker->level, 0, (classes + 1) * (2 + targets) * sizeof(double));
    for (size_t k = 0; list && k < s->node->rows; ++k) {
        const size_t row = soothi_entry_row(list[k]), key = soothi_entry_key(list[k]);
        double *to = soothi_criterion_level(s, worker, key < classes ? key : classes);
        to[0] += 1.0;
        if (g->width == g->cols) {
            to[1] += soothi_criterion_add(g, row, to + 2);
            continue;
        }
        const double weight = soothi_row_weight(g->weight, row);
        to[1] += weight;
        for (size_t t = 0; t < targets; ++t) to[2 + t] += weight * (double)s->owner->rank[row * targets + t];
    }
    for (size_t b = 0; !list && b < g->columns->cells && b <= classes; ++b) {
        const size_t at =
            soothi_grower_slot(g, s->node->histogram) + (column * g->columns->cells + b) * g->cell_width;
        double *to = soothi_criterion_level(s, worker, b);
        if (g->packed.width) {
            const int64_t *cell = g->packed.cell + at;
            to[0] = (double)soothi_grower_count(&g->packed, cell);
            to[1] = soothi_grower_hessian(&g->packed, cell);
            to[2] = soothi_grower_gradient(&g->packed, cell);
        } else {
            to[0] = g->cell[at];
            memcpy(to + 1, g->cell + at + (g->weight ? 1 : 0), (1 + targets) * sizeof *to);
            if (!g->weight) to[1] = to[0];
        }
    }
}

/* A split of a categorical column. */
typedef struct soothi_criterion_set_split {
    soothi_grower_best best;
    uint32_t set[SOOTHI_CATEGORIES_WORDS];
} soothi_criterion_set_split;

/* Returns 1 if the first `left` of k ordered classes may be separated from the rest. */
SOOTHI_LOCAL int soothi_criterion_may_cut(const soothi_grower_rules *rules, uint32_t left, uint32_t k) {
    return !rules->cat_threshold || left <= rules->cat_threshold || k - left <= rules->cat_threshold;
}

/* Scores the splits of the k classes in order[]: the first ones against the others, or, with `single`, each
   against the others. With `only` > 0, scores only the first `only` classes against the others. */
SOOTHI_LOCAL void soothi_criterion_scan_levels(const soothi_criterion_search *s,
                                               const soothi_grower_worker *worker, uint32_t k, int single,
                                               uint32_t only, const double *missing,
                                               soothi_criterion_set_split *p) {
    const size_t targets = s->g->targets;
    const uint32_t n = s->node->rows, least = s->g->rules->min_leaf;
    uint32_t set[SOOTHI_CATEGORIES_WORDS];
    double *sum = worker->sum;
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing[0] > 0.0); ++go_left) {
        double weight = 0.0;
        uint32_t rows = 0, first = go_left ? (uint32_t)missing[0] : 0;
        for (uint32_t i = 0; i < k; ++i) {
            const double *here = soothi_criterion_level(s, worker, worker->order[i]);
            if (i == 0 || single) {
                memset(set, 0, sizeof set);
                rows = 0;
                weight = go_left ? missing[1] : 0.0;
                for (size_t t = 0; t < targets; ++t) sum[t] = go_left ? missing[2 + t] : 0.0;
            }
            soothi_categories_put(set, worker->order[i]);
            rows += (uint32_t)here[0];
            weight += here[1];
            for (size_t t = 0; t < targets; ++t) sum[t] += here[2 + t];
            if (rows + first < least || n - rows - first < least || (only && i + 1 != only) ||
                (!single && !only && !soothi_criterion_may_cut(s->g->rules, i + 1, k)))
                continue;
            const double score = soothi_criterion_score(s, 0, weight, sum);
            if (score < 0.0 || (p->best.present_left && !(score > p->best.score))) continue;
            p->best.score = score;
            p->best.present_left = rows;
            p->best.missing_left = go_left;
            memcpy(p->set, set, sizeof set);
        }
    }
}

/* Like soothi_criterion_scan_levels, by medians: sorts the column's list by places of classes and scans
   it. */
SOOTHI_LOCAL void soothi_criterion_scan_level_medians(const soothi_criterion_search *s, size_t column,
                                                      const uint64_t *list, soothi_grower_worker *worker,
                                                      uint32_t k, uint32_t only,
                                                      soothi_criterion_set_split *p) {
    const uint32_t classes = s->g->columns->categories.classes[column];
    const soothi_grower_best before = worker->best;
    double *start = worker->statistic, rows = 0.0; /* offset of each class, in place of the statistic */
    size_t at = 0;
    for (uint32_t b = 0; b < classes; ++b) {
        start[b] = rows;
        rows += *soothi_criterion_level(s, worker, b);
    }
    for (uint32_t i = 0; i < k; ++i) {
        const uint64_t place = only ? i >= only : i;
        const size_t from = (size_t)start[worker->order[i]];
        const size_t end = from + (size_t)*soothi_criterion_level(s, worker, worker->order[i]);
        for (size_t e = from; e < end; ++e) worker->arranged[at++] = place << 32 | soothi_entry_row(list[e]);
    }
    memcpy(worker->arranged + at, list + at,
           (size_t)*soothi_criterion_level(s, worker, classes) * sizeof *list); /* the missing rows */
    worker->best.column = SIZE_MAX;
    soothi_criterion_scan_general(s, column, worker->arranged, 0, 1, worker);
    if (worker->best.column != SIZE_MAX && (!p->best.present_left || worker->best.score > p->best.score)) {
        p->best = worker->best;
        memset(p->set, 0, sizeof p->set);
        for (uint32_t i = 0; i < k; ++i)
            if ((only ? (uint32_t)(i >= only) : i) <= p->best.cut)
                soothi_categories_put(p->set, worker->order[i]);
    }
    worker->best = before;
}

/* Draws which classes go left, each with probability 1/2, and moves them to the front of order[] (Geurts,
   Ernst, Wehenkel 2006, appendix A). Never draws all or none of several. Returns their number. */
SOOTHI_LOCAL uint32_t soothi_criterion_draw_levels(const soothi_criterion_search *s, size_t column,
                                                   uint32_t *order, uint32_t k) {
    sooth_rng rng;
    uint32_t left = 0, apart;
    sooth_rng_init(&rng, s->draw, column);
    apart = sooth_rng_below(&rng, k);
    for (uint32_t i = 0; i < k; ++i) {
        if (!(sooth_rng_next(&rng) & 1u)) continue;
        const uint32_t moved = order[i];
        order[i] = order[left];
        order[left++] = moved;
    }
    if (left > 0 && left < k) return left;
    const uint32_t moved = order[apart];
    order[apart] = order[0];
    order[0] = moved;
    return 1;
}

/* Makes the smaller side the set, so that levels not seen here follow the larger one. p->set is a set of the
   k classes in order[]. */
SOOTHI_LOCAL void soothi_criterion_keep_smaller(const soothi_criterion_search *s,
                                                const soothi_grower_worker *worker, uint32_t k,
                                                uint32_t missing, soothi_criterion_set_split *p) {
    const uint32_t rows = s->node->rows, present = rows - missing;
    const uint32_t left = p->best.present_left + (p->best.missing_left ? missing : 0);
    if (left <= rows - left || p->best.present_left == present) return;
    for (uint32_t i = 0; i < k; ++i) p->set[worker->order[i] / 32] ^= 1u << (worker->order[i] & 31u);
    p->best.present_left = present - p->best.present_left;
    p->best.missing_left = missing > 0 && !p->best.missing_left;
}

/* Returns the best split of a categorical column; best.present_left is 0 if there is none. With several
   targets, tries the order of each and scores with all. */
SOOTHI_LOCAL soothi_criterion_set_split soothi_criterion_find_set(const soothi_criterion_search *search,
                                                                  size_t column, const uint64_t *list,
                                                                  soothi_grower_worker *worker) {
    const soothi_grower_rules *rules = search->g->rules;
    const uint32_t classes = search->g->columns->categories.classes[column];
    const int single = classes <= rules->cat_onehot;
    soothi_criterion_search s = *search;
    soothi_criterion_set_split p;
    uint32_t k = 0;
    memset(&p, 0, sizeof p);
    p.best.column = column;
    soothi_criterion_sum_levels(&s, column, list, worker);
    for (uint32_t b = 0; b < classes; ++b)
        if (*soothi_criterion_level(&s, worker, b) > 0.0) worker->order[k++] = b;
    const double *missing = soothi_criterion_level(&s, worker, classes);
    if (k + (missing[0] > 0.0) < 2 || k == 0) return p;
    if (!single && rules->criterion == SOOTHI_CRITERION_SECOND) s.second.rule.lambda += rules->cat_l2;
    for (size_t t = 0; t < (rules->random ? 1 : s.g->targets); ++t) {
        uint32_t only = 0;
        for (uint32_t i = 0; i < k && !single; ++i) {
            const double *here = soothi_criterion_level(&s, worker, worker->order[i]);
            const double weight = here[1] + rules->cat_smooth;
            worker->statistic[worker->order[i]] = weight > 0.0 ? here[2 + t] / weight : 0.0;
        }
        if (rules->random) only = soothi_criterion_draw_levels(&s, column, worker->order, k);
        else if (!single) soothi_categories_sort(worker->order, k, worker->statistic);
        if (s.g->width > s.g->cols)
            soothi_criterion_scan_level_medians(&s, column, list, worker, k, only, &p);
        else soothi_criterion_scan_levels(&s, worker, k, single, only, missing, &p);
    }
    if (p.best.present_left) soothi_criterion_keep_smaller(&s, worker, k, (uint32_t)missing[0], &p);
    p.best.cut = 0; /* a set has no keys */
    p.best.next = SOOTHI_KEY_MISSING;
    return p;
}

/* Scores the splits of one categorical column by its list; NULL means by the node's histogram. */
SOOTHI_LOCAL void soothi_criterion_scan_categories(const soothi_criterion_search *s, size_t column,
                                                   const uint64_t *list, soothi_grower_worker *worker) {
    const soothi_criterion_set_split p = soothi_criterion_find_set(s, column, list, worker);
    soothi_criterion_enter(s, &worker->best, column, &p.best, p.best.missing_left);
    if (worker->best.column == column) memcpy(worker->set, p.set, sizeof p.set);
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
