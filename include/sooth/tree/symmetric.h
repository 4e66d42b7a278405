/* tree/symmetric.h - symmetric trees: all nodes of a level share one split.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A symmetric (oblivious) tree makes the same test in all nodes of a level (Kohavi, Oblivious read-once
 * decision graphs, ECML 1994; CatBoost). For every column and bin, the gains of the nodes are added up, and
 * the largest sum wins.
 *
 * In the plain case, with constant second derivatives and lambda as the only penalty, the gain of a node is a
 * step function of the bins. Its steps are added up first, with one division for each bin with rows, which is
 * exact up to rounding. Only bins that may win, by a bound on that rounding, are then scored as in every
 * other tree. Nodes of few rows need no histogram.
 *
 * Cost for a level of m nodes, d columns, B bins, n rows: O(d (min(n, m B) + B)). Workers share the columns.
 * No memory is added.
 */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_SYMMETRIC_IMPLEMENTED)
#define SOOTH_TREE_SYMMETRIC_IMPLEMENTED
#include "grow.h"
#ifndef SOOTH_PREDICT_ONLY
SOOTHI_C_BEGIN

/* Adds the gains of the splits of a column after the bins first..last in one node to gain[2 bin + missing
   left]. After a bin without rows, the gain is that of the split before it. */
SOOTHI_LOCAL void soothi_symmetric_add_gains(const soothi_grower *g, uint32_t id,
                                             const soothi_histogram_column *c, uint32_t first, uint32_t last,
                                             double *gain) {
    const size_t width = g->packed.width;
    const soothi_grower_second_node node = soothi_criterion_second_node(g, id, 0);
    const soothi_grower_packed p = g->packed; /* a local copy, which stays in registers */
    const int missing = c->missing[0] != 0;
    int64_t all[512];
    const int64_t *from = c->cell;
    if (c->bin) {
        memset(all, 0, sizeof all);
        for (uint32_t i = 0; i < c->count; ++i)
            memcpy(all + c->bin[i] * width, c->cell + i * width, width * sizeof *all);
        from = all;
    }
    for (uint32_t left = 0; left < (missing ? 2u : 1u); ++left) {
        const int64_t *cell = from;
        double *to = gain + 2 * (size_t)first, gained;
        int64_t sum[2] = {left ? c->missing[0] : 0, left ? c->missing[1] : 0};
        for (uint32_t b = 0; b < first; ++b, cell += width) {
            sum[0] += cell[0];
            if (width == 2) sum[1] += cell[1];
        }
        gained = soothi_criterion_score_second(&node, 0, soothi_grower_gradient(&p, sum),
                                               soothi_grower_hessian(&p, sum));
        for (uint32_t b = first; b <= last; ++b, cell += width, to += 2) {
            if (cell[0] != 0) {
                sum[0] += cell[0];
                if (width == 2) sum[1] += cell[1];
                gained = soothi_criterion_score_second(&node, 0, soothi_grower_gradient(&p, sum),
                                                       soothi_grower_hessian(&p, sum));
            }
            to[left] += gained;
            if (!missing) to[1] += gained; /* no row has a missing value: both sides are equal */
        }
    }
}

/* Returns the score of a split with this sum on the left in the plain case, less the node's constant G^2 / h'
   (see soothi_histogram_plain). */
SOOTHI_HOT double soothi_symmetric_score(const soothi_histogram_plain *p, int64_t sum) {
    const double n = (double)(sum & p->mask), hl = n + p->lambda, under = hl * (p->both - hl) * p->both;
    const double t = (double)sum * p->a - n * p->b - p->d;
    return under > 0.0 ? t * t / under : 0.0;
}

/* Like soothi_symmetric_add_gains, in the plain case and up to rounding, as steps from bin to bin. step[2
   bin] has the missing rows on the right; step[2 bin + 1] is the difference with them on the left. Few
   rows make few steps, with one division each or from a table. */
SOOTHI_LOCAL void soothi_symmetric_add_steps(const soothi_histogram_plain *plain,
                                             const soothi_histogram_column *c, double *step) {
    const soothi_histogram_plain p = *plain; /* a local copy, which stays in registers */
    const double *part = c->part, *inverse = part ? part + SOOTHI_GROWER_TABLE + 1 : NULL;
    const double begin = soothi_symmetric_score(&p, 0);
    const int missing = c->missing[0] != 0;
    for (uint32_t left = 0; left < (missing ? 2u : 1u); ++left) {
        int64_t sum = left ? c->missing[0] : 0;
        double before = left ? soothi_symmetric_score(&p, sum) : begin;
        if (left) step[1] += before - begin;
        for (uint32_t w = 0; w < 4 && c->marked; ++w)
            for (uint64_t set = c->there[w]; set; set &= set - 1) {
                const uint32_t b = 64 * w + soothi_histogram_lowest_bit(set);
                sum += c->marked[b];
                c->marked[b] = 0;
                const double t = (double)sum * p.a - part[sum & p.mask];
                const double score = t * t * inverse[sum & p.mask];
                step[2 * b] += score - before;
                before = score;
            }
        if (c->marked) return;
        for (uint32_t i = 0; i < c->count; ++i) {
            double *to = step + 2 * (size_t)(c->bin ? c->bin[i] : i), score;
            sum += c->cell[i];
            if (part) {
                const double t = (double)sum * p.a - part[sum & p.mask];
                score = t * t * inverse[sum & p.mask];
            } else {
                score = soothi_symmetric_score(&p, sum);
            }
            to[left] += score - before;
            if (missing && !left) to[1] -= score - before;
            before = score;
        }
    }
}

/* The nodes of a level: from..to. */
typedef struct soothi_symmetric {
    const soothi_grower *g;
    double *gain; /* columns x cells x 2 (missing right, left): sums over the nodes */
    uint32_t from, to;
    const uint32_t *pick; /* picks: columns to search */
    uint32_t picks;
    double least;                     /* the sum of gains must exceed this */
    soothi_grower_packed_split *best; /* picks: best split of each */
    size_t block;                     /* picks per task */
} soothi_symmetric;

/* Completes the histograms of a level in one of the tree's columns. */
static void soothi_symmetric_complete_task(void *arg, size_t i, size_t worker) {
    const soothi_symmetric *level = (const soothi_symmetric *)arg;
    const soothi_grower *g = level->g;
    (void)worker;
    for (size_t k = 0; k < g->batch.families; ++k)
        soothi_grow_complete(g, &g->batch.family[k], g->column ? g->column[i] : i);
}

/* Opens a column of a node that has rows. */
SOOTHI_LOCAL soothi_histogram_column soothi_symmetric_open_column(const soothi_grower *g, uint32_t id,
                                                                  uint32_t column, size_t worker,
                                                                  unsigned char *bins) {
    const soothi_grower_record *node = &g->record[id];
    soothi_histogram_column c = {column, 0, NULL, NULL, {0, 0}, NULL, NULL, {0, 0, 0, 0}};
    soothi_histogram_few few;
    if (!node->histogram) soothi_histogram_open_few(g, id, soothi_grower_rows(g, node), &few);
    soothi_histogram_open_column(g, id, node->histogram ? NULL : &few, &c, g->worker[worker].few, bins);
    return c;
}

/* Finds the split of a column, after one of the bins first..last, with the largest sum of gains over the
   nodes of a level. */
SOOTHI_LOCAL void soothi_symmetric_search_exactly(const soothi_symmetric *level, size_t i, uint32_t first,
                                                  uint32_t last, size_t worker) {
    const soothi_grower *g = level->g;
    const soothi_grower_packed_split none = {level->least, 0.0, {0, 0}, SOOTHI_GROWER_NONE, 0, 0, 0, 0};
    const uint32_t column = level->pick[i];
    double *gain = level->gain + column * (size_t)g->columns->cells * 2;
    soothi_grower_packed_split *best = &level->best[i];
    unsigned char bins[256];
    *best = none;
    for (uint32_t b = 2 * first; b < 2 * last + 2; ++b) gain[b] = 0.0;
    for (uint32_t id = level->from; id < level->to; ++id) {
        if (g->record[id].rows == 0) continue;
        const soothi_histogram_column c = soothi_symmetric_open_column(g, id, column, worker, bins);
        soothi_symmetric_add_gains(g, id, &c, first, last, gain);
    }
    for (uint32_t b = first; b <= last; ++b)
        for (uint32_t left = 0; left < 2; ++left) {
            if (!(gain[2 * b + left] > best->gain)) continue;
            best->gain = gain[2 * b + left];
            best->column = column;
            best->cut = b;
            best->missing_left = left;
        }
}

/* Adds the steps of some picks over all nodes of a level, in the plain case. */
SOOTHI_LOCAL void soothi_symmetric_add_nodes(const soothi_symmetric *level, size_t first, size_t end,
                                             size_t worker) {
    const soothi_grower *g = level->g;
    const size_t size = g->columns->cells * (size_t)2;
    unsigned char bins[256];
    soothi_histogram_few rows;
    for (size_t k = first; k < end; ++k) {
        memset(level->gain + level->pick[k] * size, 0, size * sizeof(double));
        level->best[k].missing = 0;
    }
    for (uint32_t id = level->from; id < level->to; ++id) {
        const soothi_histogram_plain p = soothi_histogram_plain_of(g, id);
        const soothi_histogram_few *few = g->record[id].histogram ? NULL : &rows;
        const double *part = NULL;
        if (g->record[id].rows == 0) continue;
        if (few) soothi_histogram_open_few(g, id, soothi_grower_rows(g, &g->record[id]), &rows);
        if (soothi_histogram_takes_table(g, id, end - first)) {
            soothi_histogram_fill_table(&p, 0, g->worker[worker].part);
            part = g->worker[worker].part;
        }
        for (size_t k = first; k < end; ++k) {
            soothi_histogram_column c = {level->pick[k], 0, NULL, NULL, {0, 0}, part, NULL, {0, 0, 0, 0}};
            soothi_histogram_open_column(g, id, few, &c, g->worker[worker].few, bins);
            soothi_symmetric_add_steps(&p, &c, level->gain + level->pick[k] * size);
            level->best[k].missing |= c.missing[0] != 0;
        }
    }
}

/* Like soothi_symmetric_search_exactly, after any bin, for a block of the picks. In the plain case, first
   finds the sums of gains up to rounding and enters the largest one as the score. */
static void soothi_symmetric_task(void *arg, size_t i, size_t worker) {
    const soothi_symmetric *level = (const soothi_symmetric *)arg;
    const soothi_grower *g = level->g;
    const size_t first = i * level->block, end = soothi_columns_block_end(i, level->block, level->picks);
    const int plain = soothi_histogram_is_plain(g);
    if (plain) soothi_symmetric_add_nodes(level, first, end, worker);
    for (size_t k = first; k < end; ++k) {
        const uint32_t column = level->pick[k], used = g->columns->used[column];
        double *gain = level->gain + column * (size_t)g->columns->cells * 2, sum[2] = {0.0, 0.0};
        level->best[k].column = SOOTHI_GROWER_NONE;
        level->best[k].score = -DBL_MAX;
        if (used >= 2 && !plain) soothi_symmetric_search_exactly(level, k, 0, used - 2, worker);
        for (uint32_t b = 0; b + 1 < used && plain && !level->best[k].missing; ++b) {
            gain[2 * b] = gain[2 * b + 1] = sum[0] += gain[2 * b];
            if (sum[0] > level->best[k].score) level->best[k].score = sum[0];
        }
        for (uint32_t b = 0; b + 1 < used && plain && level->best[k].missing; ++b) {
            sum[0] += gain[2 * b];
            sum[1] += gain[2 * b + 1];
            gain[2 * b] = sum[0];
            gain[2 * b + 1] = sum[0] + sum[1];
            for (uint32_t left = 0; left < 2; ++left)
                if (gain[2 * b + left] > level->best[k].score) level->best[k].score = gain[2 * b + left];
        }
    }
}

/* Searches exactly, in the plain case, where the sum of gains may be the largest. The score of n rows is at
   most n g^2, with g the maximum gradient. Sums of up to 512 steps per node err by up to 2^-53 of that per
   step. */
SOOTHI_LOCAL void soothi_symmetric_search_candidates(const soothi_symmetric *level) {
    const soothi_grower *g = level->g;
    const uint32_t bits = g->packed.count_bits, nodes = level->to - level->from;
    const double most = soothi_power_of_two((int32_t)(bits > 16 ? 63 - bits : bits + 30)) * g->packed.back[0];
    double top = -DBL_MAX;
    for (uint32_t k = 0; k < level->picks; ++k)
        if (level->best[k].score > top) top = level->best[k].score;
    top -= 4e-13 * (double)(nodes + 16) * g->record[0].weight * most * most;
    for (uint32_t k = 0; k < level->picks; ++k) {
        const double *gain = level->gain + level->pick[k] * (size_t)g->columns->cells * 2;
        uint32_t first = 0, last = g->columns->used[level->pick[k]] - 2;
        if (level->best[k].score < top || level->best[k].score <= -DBL_MAX) continue;
        while (gain[2 * first] < top && gain[2 * first + 1] < top) ++first;
        while (gain[2 * last] < top && gain[2 * last + 1] < top) --last;
        soothi_symmetric_search_exactly(level, k, first, last, 0);
    }
}

/* Enters the best split of a level in `best`, or returns 0; the lowest column wins a tie. */
SOOTHI_LOCAL int soothi_symmetric_find(soothi_symmetric *level, soothi_grower_record *best) {
    const soothi_grower *g = level->g;
    const soothi_columns *c = g->columns;
    soothi_parallel(g->env, soothi_grower_columns(g), soothi_symmetric_complete_task, level);
    level->block = g->workers == 1 ? level->picks : level->picks / (SOOTHI_GROWER_SEARCHES * g->workers);
    if (level->block == 0) level->block = 1;
    soothi_parallel(g->env, (level->picks + level->block - 1) / level->block, soothi_symmetric_task, level);
    if (soothi_histogram_is_plain(g)) soothi_symmetric_search_candidates(level);
    best->gain = level->least;
    best->feature = SOOTHI_GROWER_NONE;
    best->cut = best->missing_left = 0;
    for (uint32_t k = 0; k < level->picks; ++k) {
        const soothi_grower_packed_split *s = &level->best[k];
        if (s->column == SOOTHI_GROWER_NONE || !(s->gain > best->gain)) continue;
        best->gain = s->gain;
        best->feature = s->column;
        best->cut = s->cut;
        best->missing_left = s->missing_left;
    }
    if (best->feature == SOOTHI_GROWER_NONE) return 0;
    best->threshold = c->edge[best->feature * (size_t)c->bins + best->cut];
    return 1;
}

/* ---- growing a tree ---- */

/* Applies the split of a level to one node and computes its left sums. */
SOOTHI_LOCAL void soothi_symmetric_split(soothi_grower *g, uint32_t id, const soothi_grower_record *split) {
    soothi_grower_record *node = &g->record[id];
    int64_t *left = g->packed.sum + 4 * (size_t)id + 2;
    unsigned char bins[256];
    node->feature = split->feature;
    node->cut = split->cut;
    node->missing_left = split->missing_left;
    node->threshold = split->threshold;
    left[0] = left[1] = 0;
    if (node->rows > 0) {
        const soothi_histogram_column c = soothi_symmetric_open_column(g, id, node->feature, 0, bins);
        for (uint32_t t = 0; t < g->packed.width; ++t) {
            left[t] = node->missing_left ? c.missing[t] : 0;
            for (uint32_t i = 0; i < c.count && (c.bin ? c.bin[i] : i) <= node->cut; ++i)
                left[t] += c.cell[i * (size_t)g->packed.width + t];
        }
    }
    node->rows_left = soothi_grower_count(&g->packed, left);
}

/* Creates the children of a level; if `more` levels follow, partitions rows and computes histograms. */
SOOTHI_LOCAL void soothi_symmetric_add_children(soothi_grower *g, uint32_t from, uint32_t to, int more) {
    soothi_grower_batch *batch = &g->batch;
    batch->families = 0;
    for (uint32_t id = from; id < to; ++id) {
        const soothi_grower_record *node = &g->record[id];
        soothi_grow_add_children(g, id);
        const int left = g->record[node->left].rows > 0, right = g->record[node->right].rows > 0;
        /* an empty child gets its parent's value */
        if (!left) g->mean[node->left] = g->mean[id];
        if (!right) g->mean[node->right] = g->mean[id];
        soothi_grow_add_family(g, id, more ? (unsigned)left | (unsigned)right << 1 : 0u);
    }
    if (!more) return;
    soothi_grow_partition_families(g);
    soothi_parallel(g->env, batch->parts, soothi_grow_place_task, g);
}

/* Grows a tree with one split per level: the one with the largest sum of gains (Prokhorenkova et al.:
   CatBoost, NeurIPS 2018). gain: scratch, cols x cells x 2. min_gain: of a level. */
SOOTHI_LOCAL void soothi_symmetric_grow(soothi_grower *g, double *gain, double min_gain, uint32_t max_depth) {
    soothi_symmetric level = {g, gain, 0, 1, g->worker[0].pick, 0, 0.0, g->batch.split, 1};
    soothi_grower_record best;
    if (!soothi_grow_root(g)) return;
    for (uint32_t depth = 0; depth < max_depth; ++depth) {
        level.picks =
            soothi_grower_pick(g, level.from, g->worker[0].pick); /* one node represents the level */
        level.least = min_gain;
        for (uint32_t id = level.from; id < level.to; ++id)
            level.least += SOOTHI_CRITERION_ROUNDING * soothi_abs(g->mean[id]);
        const int found = soothi_symmetric_find(&level, &best);
        for (uint32_t id = level.from; id < level.to; ++id) {
            if (!found) soothi_grower_release(g, id);
            else soothi_symmetric_split(g, id, &best);
            g->record[id].gain = found && id == level.from ? best.gain : 0.0;
        }
        if (!found) return;
        soothi_symmetric_add_children(g, level.from, level.to, depth + 1 < max_depth);
        if (g->lost != SOOTH_OK) return;
        level.from = level.to;
        level.to = g->records;
    }
}

SOOTHI_C_END
#endif /* SOOTH_PREDICT_ONLY */
#endif /* SOOTH_IMPLEMENTATION */
