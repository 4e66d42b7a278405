/* tree/histogram.h - histograms of a node: counting its rows, and the best split by its cells.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A histogram has a cell per column and bin. There are two forms (see tree/grow.h): cells of doubles for
 * trees and forests, packed cells of integers for boosting. An integer holds the gradient sum of a bin's rows
 * above their count (see soothi_grower_packed).
 *
 * Most of the time goes to splits worse than the best so far. In the plain case, where second derivatives are
 * 1 and lambda is the only penalty, a product without division rejects them (see soothi_histogram_plain).
 * Nodes of few rows use a table of terms that depend on the row count of a side only. With even fewer rows,
 * they mark the bins that have rows instead of filling a histogram.
 *
 * Cost for a node of n rows, d columns, B bins: O(d n) to count, O(d B) to scan, or O(d n) for small n; 24 KB
 * per worker. Nothing is allocated.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_HISTOGRAM_IMPLEMENTED)
#define SOOTH_TREE_HISTOGRAM_IMPLEMENTED
#include "criterion.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* ---- cells of doubles ---- */

typedef struct soothi_histogram_filling {
    const soothi_grower *g;
    const uint32_t *row;
    size_t rows, block;
    double *cell;
} soothi_histogram_filling;

/* Fills a block of columns of a histogram from row_y and row_weight. */
static void soothi_histogram_fill_task(void *arg, size_t i, size_t worker) {
    const soothi_histogram_filling *f = (const soothi_histogram_filling *)arg;
    const soothi_grower *g = f->g;
    const float *y = g->row_y, *weight = g->row_weight;
    const size_t targets = g->targets, width = g->cell_width, first_sum = g->weight ? 2 : 1;
    const size_t size = g->columns->cells * width, end = soothi_columns_block_end(i, f->block, g->cols);
    (void)worker;
    for (size_t j = i * f->block; j < end; ++j) {
        const unsigned char *bin = g->columns->bin + j * g->columns->rows;
        double *cell = f->cell + j * size;
        memset(cell, 0, size * sizeof *cell);
        if (targets == 1 && !g->weight) {
            for (size_t k = 0; k < f->rows; ++k) {
                double *here = cell + 2 * (size_t)bin[f->row[k]];
                here[0] += 1.0;
                here[1] += (double)y[k];
            }
        } else {
            for (size_t k = 0; k < f->rows; ++k) {
                double *here = cell + width * bin[f->row[k]], w = g->weight ? (double)weight[k] : 1.0;
                here[0] += 1.0;
                if (g->weight) here[1] += w;
                for (size_t t = 0; t < targets; ++t) here[first_sum + t] += w * (double)y[k * targets + t];
            }
        }
    }
}

/* Computes the histogram of a node from its rows, in a free slot, unless it has one. */
SOOTHI_LOCAL void soothi_histogram_fill(soothi_grower *g, uint32_t id) {
    soothi_grower_record *node = &g->record[id];
    soothi_histogram_filling f;
    if (node->histogram) return;
    node->histogram = g->free_slot[--g->free_slots];
    f.g = g;
    f.row = g->row[node->depth & 1] + node->start;
    f.rows = node->rows;
    for (size_t k = 0; k < f.rows; ++k) {
        for (size_t t = 0; t < g->targets; ++t)
            g->row_y[k * g->targets + t] = g->y[(size_t)f.row[k] * g->targets + t];
        if (g->weight) g->row_weight[k] = g->weight[f.row[k]];
    }
    f.cell = g->cell + soothi_grower_slot(g, node->histogram);
    soothi_columns_run(g->env, g->workers, 0, g->cols, f.rows, &f.block, soothi_histogram_fill_task, &f);
}

/* Subtracts the cells of one slot from those of another. */
SOOTHI_LOCAL void soothi_histogram_subtract(soothi_grower *g, uint32_t from, uint32_t part) {
    const size_t size = soothi_grower_slot(g, 2), a = soothi_grower_slot(g, from),
                 b = soothi_grower_slot(g, part);
    for (size_t k = 0; k < size; ++k) g->cell[a + k] -= g->cell[b + k];
}

/* Scores every split of one column by the node's histogram. */
SOOTHI_LOCAL void soothi_histogram_scan(const soothi_criterion_search *s, size_t column,
                                        soothi_grower_worker *worker) {
    const soothi_grower *g = s->g;
    const soothi_grower_rules *rules = g->rules;
    const int sign = rules->monotone ? rules->monotone[column] : 0;
    const size_t width = g->cell_width, first_sum = g->weight ? 2 : 1;
    const double *cell =
        g->cell + soothi_grower_slot(g, s->node->histogram) + column * g->columns->cells * width;
    const uint32_t used = g->columns->used[column], n = s->node->rows, least = rules->min_leaf;
    const double *none = cell + used * width; /* cell of the missing values */
    const uint32_t missing = used < g->columns->cells ? (uint32_t)none[0] : 0;
    soothi_grower_best side[2];
    double *sum = worker->sum;
    memset(side, 0, sizeof side);
    for (uint32_t go_left = 0; go_left <= (uint32_t)(missing > 0); ++go_left) {
        soothi_grower_best *c = &side[go_left];
        double weight_left = go_left ? none[first_sum - 1] : 0.0;
        const uint32_t first = go_left ? missing : 0;
        uint32_t present_left = 0;
        c->score = -1.0;
        for (size_t t = 0; t < g->targets; ++t) sum[t] = go_left ? none[first_sum + t] : 0.0;
        for (uint32_t bin = 0; bin < used; ++bin) {
            const double *here = cell + bin * width;
            const uint32_t count = (uint32_t)here[0];
            if (count == 0) continue;
            present_left += count;
            weight_left += here[first_sum - 1];
            for (size_t t = 0; t < g->targets; ++t) sum[t] += here[first_sum + t];
            if (first + present_left < least) continue;
            if (n - first - present_left < least) break;
            double score = soothi_criterion_score(s, sign, weight_left, sum);
            if (score > c->score) {
                c->score = score;
                c->present_left = present_left;
                c->cut = bin;
                c->next = present_left == n - missing ? SOOTHI_KEY_MISSING : bin + 1;
            }
        }
    }
    soothi_criterion_enter_sides(s, &worker->best, column, &side[0], &side[1], n - missing);
}

/* With cells: sets the side of the split's missing rows, and adds them to the left rows. */
SOOTHI_LOCAL void soothi_histogram_place_missing(const soothi_grower *g, soothi_grower_record *node) {
    const soothi_columns *c = g->columns;
    const uint32_t used = c->used[node->feature];
    const double *cell = g->cell + soothi_grower_slot(g, node->histogram);
    const uint32_t missing =
        used < c->cells ? (uint32_t)cell[(node->feature * (size_t)c->cells + used) * g->cell_width] : 0;
    if (missing == 0 && !soothi_categories_has(&c->categories, node->feature))
        node->missing_left = 2 * (size_t)node->rows_left >= node->rows;
    else if (node->missing_left) node->rows_left += missing;
}

/* ---- packed cells: counting rows ---- */

/* Returns the packed value of a row: its gradient above a count of 1. */
SOOTHI_LOCAL int64_t soothi_histogram_pack(int32_t whole, uint32_t count_bits) {
    return (int64_t)(((uint64_t)(int64_t)whole << count_bits) + 1u);
}

/* Returns the nearest integer, for |v| < 2^31: adding 1.5 x 2^52 moves it to the low bits. */
SOOTHI_LOCAL int32_t soothi_histogram_round(double v) {
    return (int32_t)(uint32_t)soothi_double_bits(v + 6755399441055744.0);
}

/* Converts the derivatives of some rows of the root to integers. */
SOOTHI_LOCAL void soothi_histogram_make_whole(const soothi_grower *g, const uint32_t *row, size_t n) {
    const soothi_grower_packed *p = &g->packed;
    const float *first = p->derivative[0], *second = p->derivative[1];
    const double a = p->scale[0], b = p->scale[1];
    for (size_t k = 0; k < n; ++k) {
        const size_t i = row[k];
        int32_t *whole = p->whole + i * p->step;
        whole[0] = soothi_histogram_round((double)first[i] * a);
        if (p->width == 2) whole[1] = soothi_histogram_round((double)second[i] * b);
    }
}

#define SOOTHI_HISTOGRAM_BLOCK 65536u /* bytes of the cells of a block of columns, as measured */

/* Rows to add to packed cells, in `cols` columns of the tree from `first` on; sign -1: to subtract. */
typedef struct soothi_histogram_adding {
    const unsigned char *record; /* of row 0 */
    size_t size, step, cols;     /* bytes between records; integers between columns of cells */
    const uint32_t *column;
    int64_t *cells;
    int64_t sign;
    uint32_t count_bits, first;
} soothi_histogram_adding;

/* Adds the rows row[0..rows). A row is a record: its integers, then its bins. Boosting spends most of its
   time here. rows, width and drawn (1: the tree drew its columns) are constants where it is called. */
SOOTHI_HOT void soothi_histogram_add_records(const soothi_histogram_adding *a, const uint32_t *row,
                                             size_t rows, size_t width, int drawn) {
    const unsigned char *bin[2];
    int64_t add[2], more[2], *at = a->cells;
    for (size_t i = 0; i < rows; ++i) {
        const unsigned char *record = a->record + row[i] * a->size;
        int32_t whole[2];
        memcpy(whole, record, width * sizeof *whole);
        bin[i] = record + width * sizeof *whole + (drawn ? 0 : a->first);
        add[i] = a->sign * soothi_histogram_pack(whole[0], a->count_bits);
        more[i] = a->sign * whole[width - 1];
    }
    for (size_t j = 0; j < a->cols; ++j, at += a->step)
        for (size_t i = 0; i < rows; ++i) {
            int64_t *cell = drawn ? a->cells + a->column[j] * a->step + bin[i][a->column[j]] * width
                                  : at + bin[i][j] * width;
            cell[0] += add[i];
            if (width == 2) cell[1] += more[i];
        }
}

/* Adds `count` rows. Two at a time take half as many turns of the inner loop. Later rows are prefetched. */
SOOTHI_HOT void soothi_histogram_add_all(const soothi_histogram_adding *adding, const uint32_t *row,
                                         size_t count, size_t width, int drawn) {
    const soothi_histogram_adding a = *adding; /* a local copy, which stays in registers */
    size_t k = 0;
    for (; k + 18 < count; k += 2) {
        SOOTHI_PREFETCH(a.record + row[k + 16] * a.size);
        SOOTHI_PREFETCH(a.record + row[k + 17] * a.size);
        soothi_histogram_add_records(&a, row + k, 2, width, drawn);
    }
    for (; k + 2 <= count; k += 2) soothi_histogram_add_records(&a, row + k, 2, width, drawn);
    if (k < count) soothi_histogram_add_records(&a, row + k, 1, width, drawn);
}

/* Adds `count` rows, in the columns first..end of the tree, or subtracts them if sign is -1. Many columns are
   added in blocks whose cells fit in the cache. */
SOOTHI_LOCAL void soothi_histogram_add_rows(const soothi_grower *g, const uint32_t *row, size_t count,
                                            size_t first, size_t end, int sign, int64_t *cells) {
    const size_t step = g->columns->cells * (size_t)g->packed.width, cols = end - first;
    const size_t blocks = (cols * step * sizeof *cells + SOOTHI_HISTOGRAM_BLOCK - 1) / SOOTHI_HISTOGRAM_BLOCK;
    for (size_t i = 0; i < blocks; ++i) {
        const size_t from = first + cols * i / blocks, to = first + cols * (i + 1) / blocks;
        const soothi_histogram_adding a = {(const unsigned char *)g->packed.whole,
                                           g->columns->record,
                                           step,
                                           to - from,
                                           g->column ? g->column + from : NULL,
                                           cells + (g->column ? 0 : from * step),
                                           sign,
                                           g->packed.count_bits,
                                           (uint32_t)from};
        if (g->packed.width == 1 && !g->column) soothi_histogram_add_all(&a, row, count, 1, 0);
        else if (g->packed.width == 1) soothi_histogram_add_all(&a, row, count, 1, 1);
        else if (!g->column) soothi_histogram_add_all(&a, row, count, 2, 0);
        else soothi_histogram_add_all(&a, row, count, 2, 1);
    }
}

/* Adds up the rows of a slot, from one column, as every column has them all. */
SOOTHI_LOCAL void soothi_histogram_sum_slot(const soothi_grower *g, size_t slot, int64_t sum[2]) {
    const size_t column = g->column ? g->column[0] : 0, width = g->packed.width;
    const int64_t *cell = g->packed.cell + soothi_grower_slot(g, slot) + column * g->columns->cells * width;
    for (size_t k = 0; k < g->columns->cells; ++k) {
        sum[0] += cell[k * width];
        if (width == 2) sum[1] += cell[2 * k + 1];
    }
}

/* Returns the cells of a column in a node's histogram. */
SOOTHI_LOCAL const int64_t *soothi_histogram_cells(const soothi_grower *g, const soothi_grower_record *node,
                                                   uint32_t column) {
    return g->packed.cell + soothi_grower_slot(g, node->histogram) +
           column * (size_t)g->columns->cells * g->packed.width;
}

/* Computes the sums of the rows without a value in a column. */
SOOTHI_LOCAL void soothi_histogram_missing(const soothi_grower *g, const int64_t *cell, uint32_t column,
                                           int64_t missing[2]) {
    const uint32_t used = g->columns->used[column], width = g->packed.width;
    const int some = used < g->columns->cells;
    missing[0] = some ? cell[used * (size_t)width] : 0;
    missing[1] = some && width == 2 ? cell[2 * (size_t)used + 1] : 0;
}

/* Sets the sums of a node: G, H and its value. */
SOOTHI_LOCAL void soothi_histogram_measure(soothi_grower *g, uint32_t id, const int64_t sum[2],
                                           const double *bound) {
    soothi_grower_record *node = &g->record[id];
    memcpy(g->packed.sum + 4 * (size_t)id, sum, 2 * sizeof *sum);
    node->impurity = soothi_grower_gradient(&g->packed, sum);
    node->weight = soothi_grower_hessian(&g->packed, sum);
    g->mean[id] = soothi_criterion_leaf_value(&g->rules->second, node->impurity, node->weight,
                                              bound ? bound[0] : -DBL_MAX, bound ? bound[1] : DBL_MAX);
}

/* ---- packed cells: the plain case ---- */

/* Returns the index of the lowest set bit; set is not 0. */
SOOTHI_HOT uint32_t soothi_histogram_lowest_bit(uint64_t set) {
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
typedef struct soothi_histogram_column {
    uint32_t column, count;
    const int64_t *cell;      /* count x width */
    const unsigned char *bin; /* count: bins of the cells; NULL: bins from 0 on */
    int64_t missing[2];
    const double *part; /* see soothi_histogram_fill_table; or NULL */
    int64_t *marked;    /* 256; or NULL */
    uint64_t there[4];
} soothi_histogram_column;

/* Sets the bins next to the split after cell `at`. */
SOOTHI_LOCAL void soothi_histogram_set_bins(soothi_grower_packed_search *s, const soothi_histogram_column *c,
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
SOOTHI_LOCAL int64_t soothi_histogram_min_rows(const soothi_grower_rules *rules) {
    const double weight = rules->min_weight < 4e9 ? rules->min_weight : 4e9; /* above any number of rows */
    const int64_t least = (int64_t)weight + ((double)(int64_t)weight < weight);
    return least > (int64_t)rules->min_leaf ? least : (int64_t)rules->min_leaf;
}

/* A node in the plain case: one integer per cell, no L1, no max step, no constraint. With g = G and h = H +
   lambda of both sides a split scores g_l^2 / h_l + g_r^2 / h_r. With h' = h_l + h_r = H + 2 lambda the score
   is

       G^2 / h' + t^2 / (h_l h_r h'),   t = g_l h' - G h_l = sum a - count b - d

   where the packed sum on the left has the count in its low bits. */
typedef struct soothi_histogram_plain {
    int64_t mask, rows;
    double back, lambda, first, both; /* first: G; both: h' */
    double a, b, d, share;            /* share: G^2 / h' */
} soothi_histogram_plain;

SOOTHI_LOCAL soothi_histogram_plain soothi_histogram_plain_of(const soothi_grower *g, uint32_t id) {
    const int64_t mask = ((int64_t)1 << g->packed.count_bits) - 1, all = g->packed.sum[4 * (size_t)id];
    const double back = g->packed.back[0], lambda = g->rules->second.lambda;
    const double first = (double)(all - (all & mask)) * back, both = (double)(all & mask) + 2.0 * lambda;
    const soothi_histogram_plain p = {
        mask,           all & mask,          back, lambda, first, both, back * both, back * both + first,
        first * lambda, first * first / both};
    return p;
}

/* Returns the score of a split with rows on both sides, with a single division. */
SOOTHI_HOT double soothi_histogram_plain_score(const soothi_histogram_plain *p, int64_t sum) {
    const int64_t count = sum & p->mask;
    const double gl = (double)(sum - count) * p->back, gr = p->first - gl;
    const double hl = (double)count + p->lambda, hr = (double)p->rows - (double)count + p->lambda;
    return (gl * gl * hr + gr * gr * hl) / (hl * hr);
}

/* Fills the table of a node of few rows, by the number of left rows: count b + d, then 1 / (h_l h_r h'). The
   latter is 0 if a side has less than `least` rows, or no h. */
SOOTHI_LOCAL void soothi_histogram_fill_table(const soothi_histogram_plain *p, int64_t least, double *part) {
    double *inverse = part + SOOTHI_GROWER_TABLE + 1;
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
SOOTHI_LOCAL int soothi_histogram_takes_table(const soothi_grower *g, uint32_t id, size_t columns) {
    const uint32_t rows = g->record[id].rows;
    return rows <= SOOTHI_GROWER_TABLE && rows <= 128 * columns;
}

/* The best split of a column so far. Most others are worse. A test without division, which takes as long as
   all the rest, rejects them: t^2 < `enough` h_l h_r h'. `enough` has a margin above rounding, so a rejected
   split cannot win. Both sides are exact to 2^-49 sqrt(h' / h_r) of the score, which is 3e-11 for 2^28 rows.
   If `enough` is at most 1e-200, products may underflow, so nothing is rejected. */
typedef struct soothi_histogram_plain_best {
    double most, enough;
    int64_t least, sum;
    uint32_t at;
} soothi_histogram_plain_best;

SOOTHI_HOT void soothi_histogram_plain_reach(const soothi_histogram_plain *p,
                                             soothi_histogram_plain_best *best, double most) {
    const double enough = most * (1.0 - 1e-10) - p->share;
    best->most = most;
    best->enough = enough > 1e-200 ? enough : -1.0;
}

/* Scores a split exactly; returns the new `enough`. */
SOOTHI_LOCAL double soothi_histogram_plain_try(const soothi_histogram_plain *p,
                                               soothi_histogram_plain_best *best, int64_t sum, uint32_t at) {
    const int64_t count = sum & p->mask;
    if (count < best->least || count > p->rows - best->least) return best->enough;
    const double score = soothi_histogram_plain_score(p, sum);
    if (!(score > best->most)) return best->enough;
    soothi_histogram_plain_reach(p, best, score);
    best->at = at;
    best->sum = sum;
    return best->enough;
}

/* Returns a lower bound, less some rounding, on the best score of a column: the best of every sixteenth
   split. A high bound early avoids many updates of the best split, which take longer than many rejections. */
SOOTHI_LOCAL double soothi_histogram_probe_plain(const soothi_histogram_plain *p,
                                                 const soothi_histogram_column *c, int64_t sum, int64_t least,
                                                 double most) {
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
        const double score = soothi_histogram_plain_score(p, sum) * (1.0 - 1e-14);
        if (score > most) most = score;
    }
    return most;
}

/* Scans every split of one column in the plain case. missing_left: the rows without a value, with the sum
   `missing`, are on the left. Empty cells repeat the split before them, which costs less than a branch. */
SOOTHI_LOCAL void soothi_histogram_scan_plain(soothi_grower_packed_search *s,
                                              const soothi_histogram_column *c, uint32_t missing_left,
                                              int64_t missing) {
    const soothi_histogram_plain p = soothi_histogram_plain_of(s->g, s->id);
    const int64_t mask = p.mask, most = p.rows - soothi_histogram_min_rows(s->g->rules);
    const double a = p.a, b = p.b, d = p.d, both = p.both, lambda = p.lambda; /* kept in registers */
    soothi_histogram_plain_best best = {0.0, 0.0, p.rows - most, 0, SOOTHI_GROWER_NONE};
    double reached = s->best.gain + s->second.parent;
    int64_t sum = missing_left ? missing : 0;
    uint32_t k = 0;
    if (s->reached > reached) reached = s->reached;
    else if (s->best.column == SOOTHI_GROWER_NONE && c->count >= 64)
        reached = soothi_histogram_probe_plain(&p, c, sum, best.least, reached);
    soothi_histogram_plain_reach(&p, &best, reached);
    double enough = best.enough;
    /* Left of the first value are the missing rows alone. That split has been tried: their side was the right
       one. Nodes of few rows do not try it again either, so rounding would decide which is taken. */
    while (missing_left && !c->marked && k < c->count && c->cell[k] == 0) ++k;
    if (c->marked) {
        const double *part = c->part, *inverse = part + SOOTHI_GROWER_TABLE + 1;
        for (uint32_t w = 0; w < 4; ++w)
            for (uint64_t set = c->there[w]; set; set &= set - 1) {
                k = 64 * w + soothi_histogram_lowest_bit(set);
                sum += c->marked[k];
                c->marked[k] = 0;
                const double t = (double)sum * a - part[sum & mask];
                if (t * t * inverse[sum & mask] < enough) continue;
                enough = soothi_histogram_plain_try(&p, &best, sum, k);
            }
        k = c->count;
    } else if (c->part) {
        const double *part = c->part, *inverse = part + SOOTHI_GROWER_TABLE + 1;
        for (; k < c->count; ++k) {
            sum += c->cell[k];
            const double t = (double)sum * a - part[sum & mask];
            if (t * t * inverse[sum & mask] < enough) continue;
            enough = soothi_histogram_plain_try(&p, &best, sum, k);
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
        enough = soothi_histogram_plain_try(&p, &best, sum, k) * both;
    }
    if (best.at == SOOTHI_GROWER_NONE) return;
    s->best.gain = best.most - s->second.parent;
    s->best.score = best.most;
    s->best.left_sum[0] = best.sum;
    s->best.left_sum[1] = 0;
    s->best.missing_left = missing_left;
    soothi_histogram_set_bins(s, c, best.at);
}

/* ---- packed cells: every case ---- */

/* Scans every split of one column in the general case. */
SOOTHI_LOCAL void soothi_histogram_scan_packed(soothi_grower_packed_search *s,
                                               const soothi_histogram_column *c, uint32_t missing_left,
                                               const int64_t missing[2]) {
    const soothi_grower *g = s->g;
    const soothi_grower_rules *rules = g->rules;
    const size_t width = g->packed.width;
    const uint32_t rows = soothi_grower_count(&g->packed, s->sum);
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
        uint32_t count = soothi_grower_count(&g->packed, sum);
        if (count < rules->min_leaf) continue;
        if (rows - count < rules->min_leaf) break;
        double hl = soothi_grower_hessian(&g->packed, sum);
        if (hl < rules->min_weight || h - hl < rules->min_weight || !(hl + lambda > 0.0) ||
            !(h - hl + lambda > 0.0))
            continue;
        /* no penalty, bound or step makes a leaf better than G^2 / (H + lambda) */
        const double gl = soothi_grower_gradient(&g->packed, sum), gr = s->second.g - gl;
        const double left = hl + lambda, right = h - hl + lambda, reach = s->best.gain + s->second.parent;
        if (gl * gl * right + gr * gr * left < (1.0 - 1e-9) * reach * left * right) continue;
        const double gain = soothi_criterion_score_second(&s->second, sign, gl, hl);
        if (gain > s->best.gain) {
            s->best.gain = s->best.score = gain;
            memcpy(s->best.left_sum, sum, sizeof sum);
            s->best.missing_left = missing_left;
            soothi_histogram_set_bins(s, c, k);
        }
    }
}

/* Returns the best split of one categorical column in the node of a search, which has a histogram. */
SOOTHI_LOCAL soothi_criterion_set_split soothi_histogram_find_set(const soothi_grower_packed_search *s,
                                                                  uint32_t column,
                                                                  soothi_grower_worker *worker) {
    soothi_criterion_search search;
    memset(&search, 0, sizeof search);
    search.g = s->g;
    search.node = &s->g->record[s->id];
    search.second = s->second;
    return soothi_criterion_find_set(&search, column, NULL, worker);
}

/* Enters that split if it gains more than the best so far. parent: the difference of scores and gains. The
   set is computed again when needed. */
SOOTHI_LOCAL void soothi_histogram_scan_categories(soothi_grower_packed_search *s, uint32_t column,
                                                   double parent, soothi_grower_worker *worker) {
    const soothi_grower *g = s->g;
    const size_t width = g->packed.width;
    const uint32_t classes = g->columns->categories.classes[column];
    const int64_t *cell = soothi_histogram_cells(g, &g->record[s->id], column);
    const soothi_criterion_set_split p = soothi_histogram_find_set(s, column, worker);
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

/* ---- packed cells: the best split of a node ---- */

/* Refines the threshold of a split. If bins above the cut are empty in this node, the cut moves to the edge
   nearest to the midpoint of the node's values on both sides. If no row of the node has a missing value,
   missing values will go to the larger side. */
SOOTHI_LOCAL void soothi_histogram_refine(const soothi_grower *g, soothi_grower_record *node, uint32_t next,
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

/* Returns 1 in the plain case of soothi_histogram_scan_plain. */
SOOTHI_LOCAL int soothi_histogram_is_plain(const soothi_grower *g) {
    const soothi_grower_second *second = &g->rules->second;
    return g->packed.width == 1 && !g->rules->monotone && !(second->alpha > 0.0) && !(second->max_step > 0.0);
}

/* Begins the search of a node. */
SOOTHI_LOCAL void soothi_histogram_open_search(const soothi_grower *g, uint32_t id,
                                               soothi_grower_packed_search *s) {
    const soothi_grower_packed_split none = {0.0, 0.0, {0, 0}, SOOTHI_GROWER_NONE, 0, 0, 0, 0};
    s->g = g;
    s->id = id;
    memcpy(s->sum, g->packed.sum + 4 * (size_t)id, sizeof s->sum);
    s->reached = 0.0;
    s->second = soothi_criterion_second_node(g, id, 0);
    s->best = none;
    s->best.gain = SOOTHI_CRITERION_ROUNDING * soothi_abs(s->second.parent);
}

/* Scans every split of one column. split: receives the best splits with missing rows right and left, if
   columns are searched separately; NULL: one search for all. */
SOOTHI_LOCAL void soothi_histogram_search_column(soothi_grower_packed_search *s,
                                                 const soothi_histogram_column *c, int plain,
                                                 soothi_grower_packed_split *split) {
    for (uint32_t left = 0; left < 2; ++left) {
        soothi_grower_packed_search alone, *search = s;
        if (split) {
            alone = *s;
            search = &alone;
        }
        if (plain && (!left || c->missing[0])) soothi_histogram_scan_plain(search, c, left, c->missing[0]);
        else if (!left || c->missing[0]) soothi_histogram_scan_packed(search, c, left, c->missing);
        if (!split) continue;
        split[left] = alone.best;
        if (plain && alone.best.score * (1.0 - 1e-14) > s->reached)
            s->reached = alone.best.score * (1.0 - 1e-14); /* a column below this score cannot win */
    }
}

/* The rows of a node with few rows: the packed value and the bins of each. */
typedef struct soothi_histogram_few {
    int64_t add[2 * SOOTHI_GROWER_FEW]; /* x width */
    const unsigned char *bin[SOOTHI_GROWER_FEW];
    uint32_t rows;
} soothi_histogram_few;

SOOTHI_LOCAL void soothi_histogram_open_few(const soothi_grower *g, uint32_t id, const uint32_t *row,
                                            soothi_histogram_few *few) {
    const size_t width = g->packed.width;
    few->rows = g->record[id].rows;
    for (uint32_t k = 0; k < few->rows; ++k) {
        const int32_t *whole = g->packed.whole + row[k] * g->packed.step;
        few->bin[k] = (const unsigned char *)(whole + width);
        few->add[k * width] = soothi_histogram_pack(whole[0], g->packed.count_bits);
        if (width == 2) few->add[2 * k + 1] = whole[1];
    }
}

/* Marks the cells of one column. work: 512 zeros. */
SOOTHI_HOT void soothi_histogram_mark_column(const soothi_histogram_few *few, uint32_t width,
                                             soothi_histogram_column *c, int64_t *work) {
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
SOOTHI_LOCAL void soothi_histogram_collect_column(uint32_t width, uint32_t used, soothi_histogram_column *c,
                                                  int64_t *work, unsigned char *bins) {
    int64_t *to = work + 512;
    c->count = 0;
    c->cell = to;
    c->bin = bins;
    for (uint32_t w = 0; w < 4; ++w)
        for (uint64_t set = c->there[w]; set; set &= set - 1) {
            const uint32_t b = 64 * w + soothi_histogram_lowest_bit(set);
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
SOOTHI_LOCAL void soothi_histogram_open_column(const soothi_grower *g, uint32_t id,
                                               const soothi_histogram_few *few, soothi_histogram_column *c,
                                               int64_t *work, unsigned char *bins) {
    const uint32_t used = g->columns->used[c->column], width = g->packed.width;
    c->missing[0] = c->missing[1] = 0;
    c->marked = NULL;
    if (few && width == 1) soothi_histogram_mark_column(few, 1, c, work);
    else if (few) soothi_histogram_mark_column(few, 2, c, work);
    if (few && c->part && (used == 256 || !(c->there[used / 64] >> (used % 64) & 1u))) {
        c->cell = c->marked = work;
        c->count = used;
        c->bin = NULL;
    } else if (few) {
        soothi_histogram_collect_column(width, used, c, work, bins);
    } else {
        c->cell = soothi_histogram_cells(g, &g->record[id], c->column);
        c->count = used;
        c->bin = NULL;
        soothi_histogram_missing(g, c->cell, c->column, c->missing);
    }
}

/* Searches the columns of a node that are among first..end of the tree's columns. row: its rows if they are
   few; NULL: it has a histogram. split: 2 per searched column, if other tasks search the others; NULL: one
   task searches all. Ties: the lowest column wins, then missing rows on the right, then the lowest bin. */
SOOTHI_LOCAL void soothi_histogram_search(soothi_grower_packed_search *s, const uint32_t *row, size_t first,
                                          size_t end, soothi_grower_worker *worker,
                                          soothi_grower_packed_split *split) {
    const soothi_grower *g = s->g;
    const uint32_t low = g->column ? g->column[first] : (uint32_t)first;
    const uint32_t high = g->column ? g->column[end - 1] : (uint32_t)(end - 1);
    const uint32_t picks = soothi_grower_pick(g, s->id, worker->pick);
    const int plain = soothi_histogram_is_plain(g);
    unsigned char bins[256];
    soothi_histogram_column c = {0, 0, NULL, NULL, {0, 0}, NULL, NULL, {0, 0, 0, 0}};
    soothi_grower_packed_search own;
    soothi_histogram_few few;
    if (row) soothi_histogram_open_few(g, s->id, row, &few);
    if (plain && soothi_histogram_takes_table(g, s->id, end - first)) {
        const soothi_histogram_plain p = soothi_histogram_plain_of(g, s->id);
        soothi_histogram_fill_table(&p, soothi_histogram_min_rows(g->rules), worker->part);
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
            soothi_grower_packed_search alone = *s;
            soothi_histogram_scan_categories(&alone, c.column, plain ? s->second.parent : 0.0, worker);
            if (!split) s->best = alone.best;
            else split[2 * k] = split[2 * k + 1] = alone.best; /* the second cannot win a tie */
            continue;
        }
        soothi_histogram_open_column(g, s->id, row ? &few : NULL, &c, worker->few, bins);
        soothi_histogram_search_column(s, &c, plain, split ? split + 2 * k : NULL);
    }
}

/* Selects the best of separately found splits, with the same bits as one search through all columns. */
SOOTHI_LOCAL void soothi_histogram_join_splits(soothi_grower_packed_search *s, uint32_t *pick,
                                               const soothi_grower_packed_split *split) {
    const double parent = soothi_histogram_is_plain(s->g) ? s->second.parent : 0.0;
    const uint32_t picks = soothi_grower_pick(s->g, s->id, pick);
    for (size_t k = 0; k < 2 * picks; ++k)
        if (split[k].column != SOOTHI_GROWER_NONE && split[k].score > s->best.gain + parent)
            s->best = split[k];
}

/* Enters the best split of a node with a packed histogram in its record. Returns 0 if there is none, or if it
   gains less than min_gain. */
SOOTHI_LOCAL int soothi_histogram_enter(soothi_grower *g, const soothi_grower_packed_search *s) {
    soothi_grower_record *node = &g->record[s->id];
    if (s->best.column == SOOTHI_GROWER_NONE || s->best.gain < g->rules->min_gain) return 0;
    node->gain = s->best.gain;
    node->feature = s->best.column;
    node->cut = s->best.cut;
    node->missing_left = s->best.missing_left;
    node->rows_left = soothi_grower_count(&g->packed, s->best.left_sum);
    memcpy(g->packed.sum + 4 * (size_t)s->id + 2, s->best.left_sum, sizeof s->best.left_sum);
    if (soothi_grower_set(g, s->id)) {
        const soothi_criterion_set_split p = soothi_histogram_find_set(s, s->best.column, &g->worker[0]);
        memcpy(soothi_grower_set(g, s->id), p.set, sizeof p.set);
    } else {
        soothi_histogram_refine(g, node, s->best.next, s->best.missing != 0);
    }
    return 1;
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
