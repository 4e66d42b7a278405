/* tree/histogram.h - the best split of a node with a histogram of integers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Boosting grows its trees from packed cells (see soothi_grow_packed): an integer holds the gradient sum of a
 * bin's rows above their count. This header draws the columns of a node, scans the cells of each and finds
 * the split with the largest gain. This header has no public functions; tree/grow.h and tree/symmetric.h use
 * it.
 *
 * Most of the time goes to splits worse than the best so far. In the plain case, where second derivatives are
 * 1 and lambda is the only penalty, a product without division rejects them (see soothi_grow_plain). Nodes of
 * few rows use a table of terms that depend on the row count of a side only. With even fewer rows, they mark
 * the bins that have rows instead of filling a histogram.
 *
 * Cost for a node of n rows, d columns, B bins: O(d B), or O(d n) for small n; 24 KB per worker. Nothing is
 * allocated.
 */
#if !defined(SOOTH_TREE_HISTOGRAM_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_HISTOGRAM_IMPLEMENTED))
#include "criterion.h"
#endif

#ifndef SOOTH_TREE_HISTOGRAM_H
#define SOOTH_TREE_HISTOGRAM_H
#endif /* SOOTH_TREE_HISTOGRAM_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_HISTOGRAM_IMPLEMENTED)
#define SOOTH_TREE_HISTOGRAM_IMPLEMENTED
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* ---- packed cells: drawn columns, the best split ---- */

/* Returns the packed value of a row: its gradient above a count of 1. */
SOOTHI_LOCAL int64_t soothi_grow_pack(int32_t whole, uint32_t count_bits) {
    return (int64_t)(((uint64_t)(int64_t)whole << count_bits) + 1u);
}

/* Returns the cells of a column in a node's histogram. */
SOOTHI_LOCAL const int64_t *soothi_grow_packed_cells(const soothi_grower *g, const soothi_grow_record *node,
                                                     uint32_t column) {
    return g->packed.cell + soothi_grow_slot(g, node->histogram) +
           column * (size_t)g->columns->cells * g->packed.width;
}

/* Computes the sums of the rows without a value in a column. */
SOOTHI_LOCAL void soothi_grow_packed_missing(const soothi_grower *g, const int64_t *cell, uint32_t column,
                                             int64_t missing[2]) {
    const uint32_t used = g->columns->used[column], width = g->packed.width;
    const int some = used < g->columns->cells;
    missing[0] = some ? cell[used * (size_t)width] : 0;
    missing[1] = some && width == 2 ? cell[2 * (size_t)used + 1] : 0;
}

/* Draws a share of `count` items, one or more, and returns their number. This process has value[0..own),
   which are the items from `before` on. Its drawn items, *drawn, move to the front in ascending order. */
SOOTHI_LOCAL uint32_t soothi_grow_draw_part(sooth_rng *rng, uint32_t *value, uint32_t count, double share,
                                            uint32_t before, uint32_t own, uint32_t *drawn) {
    uint32_t keep = (uint32_t)(share * (double)count + 1e-9), k = 0, here = 0;
    if (keep == 0) keep = 1;
    for (uint32_t i = 0; i < count && k < keep; ++i) {
        /* selection sampling: item i is drawn with probability (keep - k) / (count - i) */
        if (sooth_rng_below(rng, count - i) >= keep - k) continue;
        ++k;
        if (i >= before && i - before < own) value[here++] = value[i - before];
    }
    *drawn = here;
    return keep;
}

/* Draws a share of value[0..count), one or more, to its front, in ascending order; returns their number. */
SOOTHI_LOCAL uint32_t soothi_grow_draw(sooth_rng *rng, uint32_t *value, uint32_t count, double share) {
    uint32_t drawn;
    return soothi_grow_draw_part(rng, value, count, share, 0, count, &drawn);
}

/* Fills pick with the columns that a node searches and returns their number. A level draws from the columns
   of the tree, a node from those of its level. */
SOOTHI_LOCAL uint32_t soothi_grow_pick(const soothi_grower *g, uint32_t id, uint32_t *pick) {
    const soothi_grow_rules *rules = g->rules;
    uint32_t n = (uint32_t)(g->column ? g->columns_used : g->cols);
    sooth_rng rng;
    for (uint32_t j = 0; j < n; ++j) pick[j] = g->column ? g->column[j] : j;
    if (rules->level_share < 1.0) {
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | 0x80000000u | g->record[id].depth);
        n = soothi_grow_draw(&rng, pick, n, rules->level_share);
    }
    if (rules->node_share < 1.0) {
        sooth_rng_init(&rng, rules->seed, (uint64_t)rules->stream << 32 | id);
        n = soothi_grow_draw(&rng, pick, n, rules->node_share);
    }
    return n;
}

/* Returns the index of the lowest set bit; set is not 0. */
SOOTHI_HOT uint32_t soothi_grow_lowest_bit(uint64_t set) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(set);
#else
    uint32_t at = 0;
    for (; !(set & 1); set >>= 1) ++at;
    return at;
#endif
}

/* The cells of one column of a node: of all bins, or of those with rows. With few rows in the plain case they
   may be marked: cell = marked has one per bin, and `there` has a bit for each that is not 0. The scan sets
   them to 0 again. */
typedef struct soothi_grow_packed_column {
    uint32_t column, count;
    const int64_t *cell;      /* count x width */
    const unsigned char *bin; /* count: bins of the cells; NULL: bins from 0 on */
    int64_t missing[2];
    const double *part; /* see soothi_grow_table_parts; or NULL */
    int64_t *marked;    /* 256; or NULL */
    uint64_t there[4];
} soothi_grow_packed_column;

/* Sets the bins next to the split after cell `at`. */
SOOTHI_LOCAL void soothi_grow_name_bins(soothi_grow_packed_search *s, const soothi_grow_packed_column *c,
                                        uint32_t at) {
    const uint32_t used = s->g->columns->used[c->column];
    uint32_t next = at + 1;
    s->best.column = c->column;
    s->best.cut = c->bin ? c->bin[at] : at;
    s->best.missing = c->missing[0] != 0;
    if (c->marked) {
        while (next < used && !(c->there[next / 64] >> (next % 64) & 1u)) ++next;
        s->best.next = next;
        return;
    }
    while (next < c->count && c->cell[next * (size_t)s->g->packed.width] == 0) ++next;
    s->best.next = next == c->count ? used : c->bin ? c->bin[next] : next;
}

/* Returns the minimum number of rows of a leaf if every second derivative is 1. */
SOOTHI_LOCAL int64_t soothi_grow_least_rows(const soothi_grow_rules *rules) {
    const double weight = rules->min_weight < 4e9 ? rules->min_weight : 4e9; /* above any number of rows */
    const int64_t least = (int64_t)weight + ((double)(int64_t)weight < weight);
    return least > (int64_t)rules->min_leaf ? least : (int64_t)rules->min_leaf;
}

/* A node in the plain case: one integer per cell, no L1, no max step, no constraint. With g = G and h = H +
   lambda of both sides a split scores g_l^2 / h_l + g_r^2 / h_r. With h' = h_l + h_r = H + 2 lambda the score
   is

       G^2 / h' + t^2 / (h_l h_r h'),   t = g_l h' - G h_l = sum a - count b - d

   where the packed sum on the left has the count in its low bits. */
typedef struct soothi_grow_plain {
    int64_t mask, rows;
    double back, lambda, first, both; /* first: G; both: h' */
    double a, b, d, share;            /* share: G^2 / h' */
} soothi_grow_plain;

SOOTHI_LOCAL soothi_grow_plain soothi_grow_plain_of(const soothi_grower *g, uint32_t id) {
    const int64_t mask = ((int64_t)1 << g->packed.count_bits) - 1, all = g->packed.sum[4 * (size_t)id];
    const double back = g->packed.back[0], lambda = g->rules->second.lambda;
    const double first = (double)(all - (all & mask)) * back, both = (double)(all & mask) + 2.0 * lambda;
    const soothi_grow_plain p = {
        mask,           all & mask,          back, lambda, first, both, back * both, back * both + first,
        first * lambda, first * first / both};
    return p;
}

/* Returns the score of a split with rows on both sides, with a single division. */
SOOTHI_HOT double soothi_grow_plain_score(const soothi_grow_plain *p, int64_t sum) {
    const int64_t count = sum & p->mask;
    const double gl = (double)(sum - count) * p->back, gr = p->first - gl;
    const double hl = (double)count + p->lambda, hr = (double)p->rows - (double)count + p->lambda;
    return (gl * gl * hr + gr * gr * hl) / (hl * hr);
}

/* Fills the table of a node of few rows, by the number of left rows: count b + d, then 1 / (h_l h_r h'). The
   latter is 0 if a side has less than `least` rows, or no h. */
SOOTHI_LOCAL void soothi_grow_table_parts(const soothi_grow_plain *p, int64_t least, double *part) {
    double *inverse = part + SOOTHI_GROW_TABLE + 1;
    const double lambda = p->lambda, both = p->both, step = p->b, d = p->d; /* kept in registers */
    const int32_t rows = (int32_t)p->rows;
    for (int32_t n = 0; n <= rows; ++n) {
        const double hl = (double)n + lambda;
        part[n] = (double)n * step + d;
        inverse[n] = hl * (both - hl) * both;
    }
    for (int32_t n = 1; n < rows; ++n) inverse[n] = 1.0 / inverse[n];
    inverse[0] = inverse[0] > 0.0 ? 1.0 / inverse[0] : 0.0;
    inverse[rows] = inverse[rows] > 0.0 ? 1.0 / inverse[rows] : 0.0;
    for (int32_t n = 0; n < least && n <= rows; ++n) inverse[n] = inverse[rows - n] = 0.0;
}

/* Returns 1 if such a table pays off for this many columns. */
SOOTHI_LOCAL int soothi_grow_takes_table(const soothi_grower *g, uint32_t id, size_t columns) {
    const uint32_t rows = g->record[id].rows;
    return rows <= SOOTHI_GROW_TABLE && rows <= 128 * columns;
}

/* The best split of a column so far. Most others are worse. A test without division, which takes as long as
   all the rest, rejects them: t^2 < `enough` h_l h_r h'. `enough` has a margin above rounding, so a rejected
   split cannot win. Both sides are exact to 2^-49 sqrt(h' / h_r) of the score, which is 3e-11 for 2^28 rows.
   If `enough` is at most 1e-200, products may underflow, so nothing is rejected. */
typedef struct soothi_grow_plain_best {
    double most, enough;
    int64_t least, sum;
    uint32_t at;
} soothi_grow_plain_best;

SOOTHI_HOT void soothi_grow_plain_reach(const soothi_grow_plain *p, soothi_grow_plain_best *best,
                                        double most) {
    const double enough = most * (1.0 - 1e-10) - p->share;
    best->most = most;
    best->enough = enough > 1e-200 ? enough : -1.0;
}

/* Scores a split exactly; returns the new `enough`. */
SOOTHI_LOCAL double soothi_grow_plain_try(const soothi_grow_plain *p, soothi_grow_plain_best *best,
                                          int64_t sum, uint32_t at) {
    const int64_t count = sum & p->mask;
    if (count < best->least || count > p->rows - best->least) return best->enough;
    const double score = soothi_grow_plain_score(p, sum);
    if (!(score > best->most)) return best->enough;
    soothi_grow_plain_reach(p, best, score);
    best->at = at;
    best->sum = sum;
    return best->enough;
}

/* Returns a lower bound, less some rounding, on the best score of a column: the best of every sixteenth
   split. A high bound early avoids many updates of the best split, which take longer than many rejections. */
SOOTHI_LOCAL double soothi_grow_probe_plain(const soothi_grow_plain *p, const soothi_grow_packed_column *c,
                                            int64_t sum, int64_t least, double most) {
    const int64_t *cell = c->cell;
    for (uint32_t k = 16; k < c->count; k += 16, cell += 16) {
        int64_t part[2] = {0, 0};
        for (uint32_t i = 0; i < 16; i += 2) {
            part[0] += cell[i];
            part[1] += cell[i + 1];
        }
        sum += part[0] + part[1];
        const int64_t count = sum & p->mask;
        if (count < least || count > p->rows - least) continue;
        const double score = soothi_grow_plain_score(p, sum) * (1.0 - 1e-14);
        if (score > most) most = score;
    }
    return most;
}

/* Scans every split of one column in the plain case. missing_left: the rows without a value, with the sum
   `missing`, are on the left. Empty cells repeat the split before them, which costs less than a branch. */
SOOTHI_LOCAL void soothi_grow_scan_packed_plain(soothi_grow_packed_search *s,
                                                const soothi_grow_packed_column *c, uint32_t missing_left,
                                                int64_t missing) {
    const soothi_grow_plain p = soothi_grow_plain_of(s->g, s->id);
    const int64_t mask = p.mask, most = p.rows - soothi_grow_least_rows(s->g->rules);
    const double a = p.a, b = p.b, d = p.d, both = p.both, lambda = p.lambda; /* kept in registers */
    soothi_grow_plain_best best = {0.0, 0.0, p.rows - most, 0, SOOTHI_GROW_NONE};
    double reached = s->best.gain + s->second.parent;
    int64_t sum = missing_left ? missing : 0;
    uint32_t k = 0;
    if (s->reached > reached) reached = s->reached;
    else if (s->best.column == SOOTHI_GROW_NONE && c->count >= 64)
        reached = soothi_grow_probe_plain(&p, c, sum, best.least, reached);
    soothi_grow_plain_reach(&p, &best, reached);
    double enough = best.enough;
    if (c->marked) {
        const double *part = c->part, *inverse = part + SOOTHI_GROW_TABLE + 1;
        for (uint32_t w = 0; w < 4; ++w)
            for (uint64_t set = c->there[w]; set; set &= set - 1) {
                k = 64 * w + soothi_grow_lowest_bit(set);
                sum += c->marked[k];
                c->marked[k] = 0;
                const double t = (double)sum * a - part[sum & mask];
                if (t * t * inverse[sum & mask] < enough) continue;
                enough = soothi_grow_plain_try(&p, &best, sum, k);
            }
        k = c->count;
    } else if (c->part) {
        const double *part = c->part, *inverse = part + SOOTHI_GROW_TABLE + 1;
        for (; k < c->count; ++k) {
            sum += c->cell[k];
            const double t = (double)sum * a - part[sum & mask];
            if (t * t * inverse[sum & mask] < enough) continue;
            enough = soothi_grow_plain_try(&p, &best, sum, k);
        }
    }
    enough *= both;
    for (; k < c->count && ((sum + c->cell[k]) & p.mask) < best.least; ++k) sum += c->cell[k];
    for (; k < c->count; ++k) {
        sum += c->cell[k];
        const int64_t count = sum & mask;
        if (count > most) break;
        const double n = (double)count, hl = n + lambda, t = (double)sum * a - n * b - d;
        if (t * t < enough * (hl * (both - hl))) continue;
        enough = soothi_grow_plain_try(&p, &best, sum, k) * both;
    }
    if (best.at == SOOTHI_GROW_NONE) return;
    s->best.gain = best.most - s->second.parent;
    s->best.score = best.most;
    s->best.left_sum[0] = best.sum;
    s->best.left_sum[1] = 0;
    s->best.missing_left = missing_left;
    soothi_grow_name_bins(s, c, best.at);
}

/* Scans every split of one column in the general case. */
SOOTHI_LOCAL void soothi_grow_scan_packed(soothi_grow_packed_search *s, const soothi_grow_packed_column *c,
                                          uint32_t missing_left, const int64_t missing[2]) {
    const soothi_grower *g = s->g;
    const soothi_grow_rules *rules = g->rules;
    const size_t width = g->packed.width;
    const uint32_t rows = soothi_grow_count(&g->packed, s->sum);
    const double lambda = rules->second.lambda, h = s->second.h;
    const int sign = rules->monotone ? rules->monotone[c->column] : 0;
    int64_t sum[2];
    sum[0] = missing_left ? missing[0] : 0;
    sum[1] = missing_left ? missing[1] : 0;
    for (uint32_t k = 0; k < c->count; ++k) {
        const int64_t here = c->cell[k * width];
        if (here == 0) continue;
        sum[0] += here;
        if (width == 2) sum[1] += c->cell[2 * (size_t)k + 1];
        uint32_t count = soothi_grow_count(&g->packed, sum);
        if (count < rules->min_leaf) continue;
        if (rows - count < rules->min_leaf) break;
        double hl = soothi_grow_hessian(&g->packed, sum);
        if (hl < rules->min_weight || h - hl < rules->min_weight || !(hl + lambda > 0.0) ||
            !(h - hl + lambda > 0.0))
            continue;
        double gain = soothi_grow_judge_second(&s->second, sign, soothi_grow_first(&g->packed, sum), hl);
        if (gain > s->best.gain) {
            s->best.gain = s->best.score = gain;
            memcpy(s->best.left_sum, sum, sizeof sum);
            s->best.missing_left = missing_left;
            soothi_grow_name_bins(s, c, k);
        }
    }
}

/* Returns the best split of one categorical column in the node of a search, which has a histogram. */
SOOTHI_LOCAL soothi_grow_parting soothi_grow_part_packed(const soothi_grow_packed_search *s, uint32_t column,
                                                         soothi_grow_worker *worker) {
    soothi_grow_search search;
    memset(&search, 0, sizeof search);
    search.g = s->g;
    search.node = &s->g->record[s->id];
    search.second = s->second;
    return soothi_grow_part_classes(&search, column, NULL, worker);
}

/* Enters that split if it gains more than the best so far. parent: the difference of scores and gains. The
   set is computed again when needed. */
SOOTHI_LOCAL void soothi_grow_scan_packed_categories(soothi_grow_packed_search *s, uint32_t column,
                                                     double parent, soothi_grow_worker *worker) {
    const soothi_grower *g = s->g;
    const size_t width = g->packed.width;
    const uint32_t classes = g->columns->categories.classes[column];
    const int64_t *cell = soothi_grow_packed_cells(g, &g->record[s->id], column);
    const soothi_grow_parting p = soothi_grow_part_packed(s, column, worker);
    if (!p.best.present_left || !(p.best.score + parent > s->best.gain + parent)) return;
    s->best.gain = p.best.score;
    s->best.score = p.best.score + parent;
    s->best.column = column;
    s->best.cut = s->best.next = s->best.missing = 0;
    s->best.missing_left = p.best.missing_left;
    s->best.left_sum[0] = s->best.left_sum[1] = 0;
    for (uint32_t b = 0; b < classes + p.best.missing_left; ++b)
        for (size_t t = 0; t < width && (b == classes || soothi_categories_in(p.set, b)); ++t)
            s->best.left_sum[t] += cell[b * width + t];
}

/* Refines the threshold of a split. If bins above the cut are empty in this node, the cut moves to the edge
   nearest to the midpoint of the node's values on both sides. If no row of the node has a missing value,
   missing values will go to the larger side. */
SOOTHI_LOCAL void soothi_grow_refine(const soothi_grower *g, soothi_grow_record *node, uint32_t next,
                                     int missing) {
    const soothi_columns *c = g->columns;
    const float *edge = c->edge + node->feature * (size_t)c->bins;
    const float *least = c->least + node->feature * (size_t)c->bins;
    uint32_t cut = node->cut;
    /* an edge is the midpoint of the values around it: value below the cut = 2 edge - value above */
    if (next < c->used[node->feature]) {
        const double middle = (double)edge[cut] + 0.5 * ((double)least[next] - (double)least[cut + 1]);
        while (cut + 1 < next && (double)edge[cut + 1] <= middle) ++cut;
        if (cut + 1 < next && (double)edge[cut + 1] - middle < middle - (double)edge[cut]) ++cut;
    }
    if (!missing) node->missing_left = 2 * (uint64_t)node->rows_left >= node->rows;
    node->cut = cut;
    node->threshold = edge[cut];
}

/* Returns 1 in the plain case of soothi_grow_scan_packed_plain. */
SOOTHI_LOCAL int soothi_grow_packed_plain(const soothi_grower *g) {
    const soothi_grow_second *second = &g->rules->second;
    return g->packed.width == 1 && !g->rules->monotone && !(second->alpha > 0.0) && !(second->max_step > 0.0);
}

/* Begins the search of a node. */
SOOTHI_LOCAL void soothi_grow_open_search(const soothi_grower *g, uint32_t id, soothi_grow_packed_search *s) {
    const soothi_grow_packed_split none = {0.0, 0.0, {0, 0}, SOOTHI_GROW_NONE, 0, 0, 0, 0};
    s->g = g;
    s->id = id;
    memcpy(s->sum, g->packed.sum + 4 * (size_t)id, sizeof s->sum);
    s->reached = 0.0;
    s->second = soothi_grow_second_of(g, id, 0);
    s->best = none;
    s->best.gain = SOOTHI_GROW_ROUNDING * soothi_abs(s->second.parent);
}

/* Scans every split of one column. split: receives the best splits with missing rows right and left, if
   columns are searched separately; NULL: one search for all. */
SOOTHI_LOCAL void soothi_grow_search_column(soothi_grow_packed_search *s, const soothi_grow_packed_column *c,
                                            int plain, soothi_grow_packed_split *split) {
    for (uint32_t left = 0; left < 2; ++left) {
        soothi_grow_packed_search alone, *search = s;
        if (split) {
            alone = *s;
            search = &alone;
        }
        if (plain && (!left || c->missing[0])) soothi_grow_scan_packed_plain(search, c, left, c->missing[0]);
        else if (!left || c->missing[0]) soothi_grow_scan_packed(search, c, left, c->missing);
        if (!split) continue;
        split[left] = alone.best;
        if (plain && alone.best.score * (1.0 - 1e-14) > s->reached)
            s->reached = alone.best.score * (1.0 - 1e-14); /* a column below this score cannot win */
    }
}

/* The rows of a node with few rows: the packed value and the bins of each. */
typedef struct soothi_grow_few {
    int64_t add[2 * SOOTHI_GROW_FEW]; /* x width */
    const unsigned char *bin[SOOTHI_GROW_FEW];
    uint32_t rows;
} soothi_grow_few;

SOOTHI_LOCAL void soothi_grow_open_few(const soothi_grower *g, uint32_t id, const uint32_t *row,
                                       soothi_grow_few *few) {
    const size_t width = g->packed.width;
    few->rows = g->record[id].rows;
    for (uint32_t k = 0; k < few->rows; ++k) {
        const int32_t *whole = g->packed.whole + row[k] * width;
        few->bin[k] = g->columns->by_row + row[k] * g->cols;
        few->add[k * width] = soothi_grow_pack(whole[0], g->packed.count_bits);
        if (width == 2) few->add[2 * k + 1] = whole[1];
    }
}

/* Marks the cells of one column. work: 512 zeros. */
SOOTHI_HOT void soothi_grow_mark_column(const soothi_grow_few *few, uint32_t width,
                                        soothi_grow_packed_column *c, int64_t *work) {
    const uint32_t column = c->column;
    uint64_t there[4] = {0, 0, 0, 0};
    for (uint32_t k = 0; k < few->rows; ++k) {
        const uint32_t b = few->bin[k][column];
        work[b * width] += few->add[k * width];
        if (width == 2) work[2 * b + 1] += few->add[2 * k + 1];
        there[b / 64] |= (uint64_t)1 << (b % 64);
    }
    memcpy(c->there, there, sizeof there);
}

/* Collects marked cells contiguously. work: the marked cells, then space for the result. */
SOOTHI_LOCAL void soothi_grow_collect_column(uint32_t width, uint32_t used, soothi_grow_packed_column *c,
                                             int64_t *work, unsigned char *bins) {
    int64_t *to = work + 512;
    c->count = 0;
    c->cell = to;
    c->bin = bins;
    for (uint32_t w = 0; w < 4; ++w)
        for (uint64_t set = c->there[w]; set; set &= set - 1) {
            const uint32_t b = 64 * w + soothi_grow_lowest_bit(set);
            int64_t *out = b < used ? to + c->count * width : c->missing;
            for (size_t t = 0; t < width; ++t) {
                out[t] = work[b * width + t];
                work[b * width + t] = 0;
            }
            if (b < used) bins[c->count++] = (unsigned char)b;
        }
}

/* Opens a column of a node. few: its rows; NULL: it has a histogram. work: 2 x 512 integers, whose first half
   is zero before and after; bins: 256 bytes. */
SOOTHI_LOCAL void soothi_grow_open_column(const soothi_grower *g, uint32_t id, const soothi_grow_few *few,
                                          soothi_grow_packed_column *c, int64_t *work, unsigned char *bins) {
    const uint32_t used = g->columns->used[c->column], width = g->packed.width;
    c->missing[0] = c->missing[1] = 0;
    c->marked = NULL;
    if (few && width == 1) soothi_grow_mark_column(few, 1, c, work);
    else if (few) soothi_grow_mark_column(few, 2, c, work);
    if (few && c->part && (used == 256 || !(c->there[used / 64] >> (used % 64) & 1u))) {
        c->cell = c->marked = work;
        c->count = used;
        c->bin = NULL;
    } else if (few) {
        soothi_grow_collect_column(width, used, c, work, bins);
    } else {
        c->cell = soothi_grow_packed_cells(g, &g->record[id], c->column);
        c->count = used;
        c->bin = NULL;
        soothi_grow_packed_missing(g, c->cell, c->column, c->missing);
    }
}

/* Searches the columns of a node that are among first..end of the tree's columns. row: its rows if they are
   few; NULL: it has a histogram. split: 2 per searched column, if other tasks search the others; NULL: one
   task searches all. Ties: the lowest column wins, then missing rows on the right, then the lowest bin. */
SOOTHI_LOCAL void soothi_grow_search_packed(soothi_grow_packed_search *s, const uint32_t *row, size_t first,
                                            size_t end, soothi_grow_worker *worker,
                                            soothi_grow_packed_split *split) {
    const soothi_grower *g = s->g;
    const uint32_t low = g->column ? g->column[first] : (uint32_t)first;
    const uint32_t high = g->column ? g->column[end - 1] : (uint32_t)(end - 1);
    const uint32_t picks = soothi_grow_pick(g, s->id, worker->pick);
    const int plain = soothi_grow_packed_plain(g);
    unsigned char bins[256];
    soothi_grow_packed_column c = {0, 0, NULL, NULL, {0, 0}, NULL, NULL, {0, 0, 0, 0}};
    soothi_grow_packed_search own;
    soothi_grow_few few;
    if (row) soothi_grow_open_few(g, s->id, row, &few);
    if (plain && soothi_grow_takes_table(g, s->id, end - first)) {
        const soothi_grow_plain p = soothi_grow_plain_of(g, s->id);
        soothi_grow_table_parts(&p, soothi_grow_least_rows(g->rules), worker->part);
        c.part = worker->part;
    }
    if (split) { /* all tasks share *s */
        own = *s;
        s = &own;
    }
    for (uint32_t k = 0; k < picks; ++k) {
        c.column = worker->pick[k];
        if (c.column < low || c.column > high) continue;
        if (soothi_categories_has(&g->columns->categories, c.column)) {
            soothi_grow_packed_search alone = *s;
            soothi_grow_scan_packed_categories(&alone, c.column, plain ? s->second.parent : 0.0, worker);
            if (!split) s->best = alone.best;
            else split[2 * k] = split[2 * k + 1] = alone.best; /* the second cannot win a tie */
            continue;
        }
        soothi_grow_open_column(g, s->id, row ? &few : NULL, &c, worker->few, bins);
        soothi_grow_search_column(s, &c, plain, split ? split + 2 * k : NULL);
    }
}

/* Selects the best of separately found splits, with the same bits as one search through all columns. */
SOOTHI_LOCAL void soothi_grow_join_splits(soothi_grow_packed_search *s, uint32_t *pick,
                                          const soothi_grow_packed_split *split) {
    const double parent = soothi_grow_packed_plain(s->g) ? s->second.parent : 0.0;
    const uint32_t picks = soothi_grow_pick(s->g, s->id, pick);
    for (size_t k = 0; k < 2 * picks; ++k)
        if (split[k].column != SOOTHI_GROW_NONE && split[k].score > s->best.gain + parent) s->best = split[k];
}

/* Enters the best split of a node with a packed histogram in its record. Returns 0 if there is none. */
SOOTHI_LOCAL int soothi_grow_enter_packed(soothi_grower *g, const soothi_grow_packed_search *s) {
    soothi_grow_record *node = &g->record[s->id];
    if (s->best.column == SOOTHI_GROW_NONE) return 0;
    node->gain = s->best.gain;
    node->feature = s->best.column;
    node->cut = s->best.cut;
    node->missing_left = s->best.missing_left;
    node->rows_left = soothi_grow_count(&g->packed, s->best.left_sum);
    memcpy(g->packed.sum + 4 * (size_t)s->id + 2, s->best.left_sum, sizeof s->best.left_sum);
    if (soothi_grow_set(g, s->id)) {
        const soothi_grow_parting p = soothi_grow_part_packed(s, s->best.column, &g->worker[0]);
        memcpy(soothi_grow_set(g, s->id), p.set, sizeof p.set);
    } else {
        soothi_grow_refine(g, node, s->best.next, s->best.missing != 0);
    }
    return 1;
}

/* Sets the sums of a node: G, H and its value. */
SOOTHI_LOCAL void soothi_grow_measure_packed(soothi_grower *g, uint32_t id, const int64_t sum[2],
                                             const double *bound) {
    soothi_grow_record *node = &g->record[id];
    memcpy(g->packed.sum + 4 * (size_t)id, sum, 2 * sizeof *sum);
    node->impurity = soothi_grow_first(&g->packed, sum);
    node->weight = soothi_grow_hessian(&g->packed, sum);
    g->mean[id] = soothi_grow_second_value(&g->rules->second, node->impurity, node->weight,
                                           bound ? bound[0] : -DBL_MAX, bound ? bound[1] : DBL_MAX);
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
