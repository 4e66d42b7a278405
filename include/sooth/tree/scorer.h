/* tree/scorer.h - fast predictions of an ensemble for many rows: four times as fast, with the same bits.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A scorer takes extra memory to speed up repeated predictions of thousands of rows. It stores the tests of
 * the trees in an order that suits many rows. The ensemble does not change and is still needed.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     int main(void) {
 *         static float x[1000], y[1000], out[1000];
 *         for (int i = 0; i < 1000; ++i) x[i] = (float)(i % 5), y[i] = x[i] <= 2 ? 10.0f : 20.0f;
 *         sooth_table table = sooth_table_of(x, y, 1000, 1);
 *         sooth_boost *boost;
 *         sooth_scorer *scorer;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_boost_fit(&env, &table, NULL, &boost) != SOOTH_OK) return puts(env.sentence), 1;
 *         size_t size = sooth_scorer_size(boost);
 *         void *memory = malloc(size);
 *         if (sooth_scorer_init(&env, boost, memory, size, &scorer) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         void *scratch = malloc(sooth_scorer_scratch_size(scorer));
 *         sooth_scorer_predict_many(scorer, x, 1000, 1, out, scratch);
 *         printf("%g %g\n", out[2], out[3]);   //> 10 20
 *         free(scratch);
 *         free(memory);
 *         sooth_boost_free(&env, boost);
 *         return 0;
 *     }
 *
 * Method. A walk waits at every node for the result of the node before. A scorer evaluates all nodes, for 256
 * rows at once, with one bit per row, as Biham did with ciphers (A fast new DES implementation in software,
 * FSE 1997). QuickScorer showed that the order of the tests is free (Lucchese et al., SIGIR 2015),
 * RapidScorer that trees can share them (Ye et al., KDD 2018).
 *
 *   conditions  The distinct thresholds of a column, ascending. A row greater than c of them satisfies the
 *               first c: one search per row and column evaluates all trees. The rows greater than threshold j
 *               are those greater than threshold j + 1 and those between the two.
 *   trees       From the rows that reach a node and those that satisfy its condition, two bit operations give
 *               the rows that go right and left. The rows that go right on level l are one bit of the index
 *               of the leaf. In symmetric trees a level has one condition, which is that bit.
 *   leaves      Eight bit slices, transposed, are 256 leaf indices. The leaf values are added to the sums of
 *               the rows, tree after tree, in the order of the ensemble.
 *
 * Cost for n rows, T trees of depth D that test d columns with c thresholds each:
 *   predict  n (d log c + T (2^D / 32 + 8)) steps, and n d c / 32 for the slices. 100 trees of depth 6, 10
 *            columns: 0.14 us a row, where sooth_ensemble_predict_many takes 0.6. No allocation.
 *   memory   12 bytes for each of 2^D places of a tree, 12 per threshold; scratch: 32 bytes per threshold
 *   init     O(places D + thresholds^1.3): 100 trees 0.8 ms, so it pays off from some 2,000 rows on
 */
#if !defined(SOOTH_TREE_SCORER_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_SCORER_IMPLEMENTED))
#include "ensemble.h"
#endif

#if !defined(SOOTH_TREE_SCORER_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TREE_SCORER_H
SOOTHI_C_BEGIN

/* A scorer. It must not be moved. */
typedef struct sooth_scorer sooth_scorer;

/* Returns the bytes of a scorer of this ensemble, or 0 if there cannot be one:
   - a tree has more than 8 levels;
   - leaves predict several targets or are linear;
   - nodes test sets of categories;
   - the scorer would exceed 4 GB.
   A checked model may come from anyone: its trees take at most 256 places, 3 KB, each. */
SOOTH_API size_t sooth_scorer_size(const sooth_ensemble *e);

/* Creates a scorer in memory[0..size), aligned as for double. Memory and ensemble must outlive the scorer.
   Fails with SOOTH_BAD_ARGUMENT if sooth_scorer_size is 0. SOOTH_NO_MEMORY states the size. */
SOOTH_API sooth_status sooth_scorer_init(sooth_env *env, const sooth_ensemble *e, void *memory, size_t size,
                                         sooth_scorer **scorer);

/* Returns the bytes of scratch that sooth_scorer_predict_many needs. */
SOOTH_API size_t sooth_scorer_scratch_size(const sooth_scorer *scorer);

/* Computes the same bits as sooth_ensemble_predict_many: out[i * targets + t] for `rows` rows, which are
   `stride` floats apart. scratch: sooth_scorer_scratch_size bytes, aligned as for double. Any number of
   threads may call it at once, each with its own scratch. */
SOOTH_API void sooth_scorer_predict_many(const sooth_scorer *scorer, const float *x, size_t rows,
                                         size_t stride, float *out, void *scratch);

SOOTHI_C_END
#endif /* SOOTH_TREE_SCORER_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_SCORER_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_TREE_SCORER_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_SCORER_DEPTH 8         /* bits of a leaf index */
#define SOOTHI_SCORER_SYMMETRIC 0x80u /* each level of the tree has one condition */
#define SOOTHI_SCORER_WORDS 4
#define SOOTHI_SCORER_ROWS (64u * SOOTHI_SCORER_WORDS)

/* The thresholds of a column that trees test. */
typedef struct soothi_scorer_column {
    uint32_t feature;
    uint32_t first, count; /* its thresholds: ascending, distinct */
    uint32_t slice;        /* its slices: rows with a missing value, then those greater than each threshold */
    uint32_t start, last;  /* of its buckets: see soothi_scorer_bucket */
    uint32_t most;         /* max thresholds to search in a bucket */
    float low, scale;
} soothi_scorer_column;

struct sooth_scorer {
    const sooth_ensemble *ensemble;
    soothi_scorer_column *column;
    uint32_t columns; /* number of columns */
    uint32_t slices;  /* number of bit slices; the first is empty */
    float *threshold;
    uint32_t *start; /* of the buckets */
    uint32_t *tree;  /* offset of the places of each tree, then the number of places */
    uint32_t *ask;   /* by place, heap order: slice of the rows that go right */
    uint32_t *miss;  /* slice of the rows that go right because of a missing value */
    float *leaf;     /* by tree, 2^depth each */
    float *low;      /* low parts of leaf; NULL: none */
    uint8_t *depth;  /* of each tree; may include SOOTHI_SCORER_SYMMETRIC */
    int avx2;        /* the processor has vectors of a whole slice */
};

/* ---- sets of rows ---- */

/* One bit for each row of a block. Row r has bit 8 (r % 8) + r / 8 % 8 of word r / 64, so transposed slices
   have the rows in order. */
typedef struct soothi_slice {
    uint64_t word[SOOTHI_SCORER_WORDS];
} soothi_slice;

/* What a processor handles at once: SOOTHI_SLICE_PARTS of them are a slice. */
#if SOOTHI_VECTORS
#if defined(__AVX2__)
#define SOOTHI_SLICE_PARTS 1
#else
#define SOOTHI_SLICE_PARTS 2
#endif
typedef uint64_t soothi_slice_part
    __attribute__((vector_size(32 / SOOTHI_SLICE_PARTS), aligned(8), may_alias));
#if SOOTHI_AVX2
typedef uint64_t soothi_slice_whole __attribute__((vector_size(32), aligned(8), may_alias));
#endif
#else
#define SOOTHI_SLICE_PARTS 4
typedef uint64_t soothi_slice_part;
#endif

/* Part k of a slice, of a type that a slice has `parts` of: its value, and where it is. */
#define SOOTHI_SLICE_PART(type, parts, slice, k) \
    (*(const type *)(const void *)((slice)->word + (k) * (SOOTHI_SCORER_WORDS / (parts))))
#define SOOTHI_SLICE_AT(type, parts, slice, k) \
    (*(type *)(void *)((slice)->word + (k) * (SOOTHI_SCORER_WORDS / (parts))))

SOOTHI_HOT void soothi_slice_put(soothi_slice *a, size_t row) {
    a->word[row / 64] |= (uint64_t)1 << ((row & 7u) * 8 + (row / 8 & 7u));
}

SOOTHI_HOT soothi_slice soothi_slice_or(soothi_slice a, const soothi_slice *b) {
    SOOTHI_UNROLL
    for (size_t w = 0; w < SOOTHI_SCORER_WORDS; ++w) a.word[w] |= b->word[w];
    return a;
}

/* Exchanges the bits of a under the shifted-up mask with those of b under the mask. */
SOOTHI_HOT void soothi_slice_exchange(soothi_slice *a, soothi_slice *b, unsigned shift, uint64_t mask) {
    SOOTHI_UNROLL
    for (size_t w = 0; w < SOOTHI_SCORER_WORDS; ++w) {
        const uint64_t t = (a->word[w] >> shift ^ b->word[w]) & mask;
        b->word[w] ^= t;
        a->word[w] ^= t << shift;
    }
}

/* Transposes eight slices as matrices of 8 x 8 bits, by exchanging halves, then quarters, then single bits
   (Warren, Hacker's Delight, 7-3). Bit l of byte p of word w of slice j becomes bit j of that byte of slice
   l. */
SOOTHI_LOCAL void soothi_slice_transpose(soothi_slice bit[SOOTHI_SCORER_DEPTH]) {
    for (size_t i = 0; i < 4; ++i) soothi_slice_exchange(bit + i, bit + i + 4, 4, 0x0F0F0F0F0F0F0F0Fu);
    for (size_t i = 0; i < 8; i += i & 1u ? 3 : 1)
        soothi_slice_exchange(bit + i, bit + i + 2, 2, 0x3333333333333333u);
    for (size_t i = 0; i < 8; i += 2) soothi_slice_exchange(bit + i, bit + i + 1, 1, 0x5555555555555555u);
}

/* ---- the rank of a value among the thresholds of its column ---- */

/* Returns the bucket of x, from 0 to last: the range is divided equally, in ascending order. A threshold in a
   lower bucket than x's is less than x, one in a higher bucket is greater. Those in x's bucket must be
   searched. NaN has bucket 0. */
SOOTHI_HOT int32_t soothi_scorer_bucket(float x, float low, float scale, float last) {
    float v = (x - low) * scale;
    v = v > 0.0f ? v : 0.0f;
    return (int32_t)(v < last ? v : last);
}

/* Returns at + the number of values in ascending t[at..at+n) that are less than x; n > 0. */
SOOTHI_HOT uint32_t soothi_scorer_rank(const float *t, uint32_t at, uint32_t n, float x) {
    while (n > 1) {
        const uint32_t half = n / 2;
        at += half & (0u - (uint32_t)SOOTHI_TREE_GREATER(x, t[at + half - 1]));
        n -= half;
    }
    return at + (uint32_t)SOOTHI_TREE_GREATER(x, t[at]);
}

/* Like soothi_scorer_rank, for eight values at once; at: in and out. */
SOOTHI_LOCAL void soothi_scorer_ranks(const float *t, uint32_t n, const float x[8], uint32_t at[8]) {
    uint32_t a = at[0], b = at[1], c = at[2], d = at[3], e = at[4], f = at[5], g = at[6], h = at[7];
    for (; n > 1; n -= n / 2) {
        const uint32_t half = n / 2;
        const float *middle = t + half - 1;
#define SOOTHI_SCORER_STEP(at, i) at += half & (0u - (uint32_t)SOOTHI_TREE_GREATER(x[i], middle[at]))
        SOOTHI_SCORER_STEP(a, 0);
        SOOTHI_SCORER_STEP(b, 1);
        SOOTHI_SCORER_STEP(c, 2);
        SOOTHI_SCORER_STEP(d, 3);
        SOOTHI_SCORER_STEP(e, 4);
        SOOTHI_SCORER_STEP(f, 5);
        SOOTHI_SCORER_STEP(g, 6);
        SOOTHI_SCORER_STEP(h, 7);
#undef SOOTHI_SCORER_STEP
    }
    at[0] = a, at[1] = b, at[2] = c, at[3] = d, at[4] = e, at[5] = f, at[6] = g, at[7] = h;
    for (size_t i = 0; i < 8; ++i) at[i] += (uint32_t)SOOTHI_TREE_GREATER(x[i], t[at[i]]);
}

/* ---- creating a scorer ---- */

/* Returns the depth of a tree. */
SOOTHI_LOCAL uint32_t soothi_scorer_depth(const sooth_ensemble *e, uint32_t tree) {
    const uint32_t *start = soothi_ensemble_start(e);
    uint32_t leaves = 0, depth = 0;
    soothi_tree_is_valid(soothi_ensemble_nodes(e) + start[tree], start[tree + 1] - start[tree], e->shift,
                         e->head.features, 0, &leaves, &depth, NULL);
    return depth;
}

SOOTHI_LOCAL sooth_scorer soothi_scorer_lay_out(soothi_carver *c, const sooth_ensemble *e) {
    const uint32_t inner = e->nodes - e->leaves,
                   columns = inner < e->head.features ? inner : e->head.features;
    size_t places = 0;
    sooth_scorer s;
    memset(&s, 0, sizeof s);
    for (uint32_t k = 0; k < e->trees; ++k) places += (size_t)1 << soothi_scorer_depth(e, k);
    s.ensemble = e;
    s.column = (soothi_scorer_column *)soothi_carve(c, columns, sizeof *s.column);
    s.threshold = (float *)soothi_carve(c, inner, sizeof *s.threshold);
    s.start = (uint32_t *)soothi_carve(c, 2 * (size_t)inner, sizeof *s.start);
    s.tree = (uint32_t *)soothi_carve(c, (size_t)e->trees + 1, sizeof *s.tree);
    s.ask = (uint32_t *)soothi_carve(c, places, sizeof *s.ask);
    s.miss = (uint32_t *)soothi_carve(c, places, sizeof *s.miss);
    s.leaf = (float *)soothi_carve(c, places, sizeof *s.leaf);
    if (e->flags & SOOTH_ENSEMBLE_LOW) s.low = (float *)soothi_carve(c, places, sizeof *s.low);
    s.depth = (uint8_t *)soothi_carve(c, e->trees, sizeof *s.depth);
    return s;
}

SOOTH_API size_t sooth_scorer_size(const sooth_ensemble *e) {
    soothi_carver c = {NULL, soothi_round16(sizeof(sooth_scorer))};
    if (e->depth > SOOTHI_SCORER_DEPTH || soothi_ensemble_width(e) > 1 ||
        (e->flags & (SOOTH_ENSEMBLE_LINEAR | SOOTH_ENSEMBLE_SETS)))
        return 0;
    soothi_scorer_lay_out(&c, e);
    return c.used <= UINT32_MAX ? c.used : 0;
}

/* Shell's sort: the gaps are (3^k - 1) / 2 (Knuth, The Art of Computer Programming 3, 5.2.1). */
SOOTHI_LOCAL void soothi_scorer_sort(uint64_t *v, size_t n) {
    size_t gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < n; ++i) {
            const uint64_t t = v[i];
            size_t j = i;
            for (; j >= gap && v[j - gap] > t; j -= gap) v[j] = v[j - gap];
            v[j] = t;
        }
}

/* Computes the buckets of a column with known thresholds, two per threshold up to the integers that a float
   can count. start[b] is the offset from which searching `most` thresholds is enough. If the range overflows
   a float, there is one bucket. */
SOOTHI_LOCAL void soothi_scorer_cut(const sooth_scorer *s, soothi_scorer_column *c) {
    const float *t = s->threshold + c->first, range = t[c->count - 1] - t[0];
    uint32_t *start = s->start + c->start;
    c->last = (c->count < 0x800000u ? 2 * c->count : 0x1000000u) - 1;
    c->low = t[0];
    c->scale = (float)c->last / range;
    if (!(c->scale < 3e38f && range < 3e38f)) c->low = c->scale = 0.0f;
    c->most = 1;
    for (uint32_t b = 0, at = 0; b <= c->last; ++b) {
        start[b] = at;
        while (at < c->count && (uint32_t)soothi_scorer_bucket(t[at], c->low, c->scale, (float)c->last) == b)
            ++at;
        if (at - start[b] > c->most) c->most = at - start[b];
    }
    for (uint32_t b = 0; b <= c->last; ++b)
        if (start[b] > c->count - c->most) start[b] = c->count - c->most;
}

/* Collects the thresholds of all columns, from a sorted list of column and threshold, 64 bits each. The
   buckets overwrite the list: a column has at most two per entry already read. */
SOOTHI_LOCAL void soothi_scorer_collect(sooth_scorer *s) {
    const sooth_ensemble *e = s->ensemble;
    const sooth_tree_node *node = soothi_ensemble_nodes(e);
    uint64_t *list = (uint64_t *)(void *)s->start;
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < e->nodes; ++i)
        if (node[i].link & 1u)
            list[n++] =
                (uint64_t)soothi_tree_feature(&node[i], e->shift) << 32 | soothi_key(node[i].u.threshold);
    soothi_scorer_sort(list, n);
    s->slices = 1;
    for (uint32_t i = 0; i < n;) {
        const uint32_t feature = (uint32_t)(list[i] >> 32);
        soothi_scorer_column *c = &s->column[s->columns++];
        c->feature = feature;
        c->first = used;
        c->start = 2 * used;
        c->slice = s->slices;
        for (; i < n && list[i] >> 32 == feature; ++i)
            if (used == c->first || list[i] != list[i - 1])
                s->threshold[used++] = soothi_key_value((uint32_t)list[i]);
        c->count = used - c->first;
        s->slices += c->count + 1;
        soothi_scorer_cut(s, c);
    }
}

/* Returns the column of a feature that trees test. */
SOOTHI_LOCAL const soothi_scorer_column *soothi_scorer_find(const sooth_scorer *s, uint32_t feature) {
    uint32_t at = 0, n = s->columns;
    while (n > 1) {
        const uint32_t half = n / 2;
        if (s->column[at + half].feature <= feature) at += half;
        n -= half;
    }
    return &s->column[at];
}

/* Fills place p of a tree whose places begin at `place` (see soothi_ensemble_place_words). */
SOOTHI_LOCAL void soothi_scorer_fill(sooth_scorer *s, uint32_t tree, uint32_t place, uint32_t p) {
    const sooth_ensemble *e = s->ensemble;
    const sooth_tree_node *node = soothi_ensemble_nodes(e) + soothi_ensemble_start(e)[tree];
    uint32_t at = 0, level = 0;
    while (p >> level > 1) ++level;
    for (uint32_t bit = level; bit > 0 && node[at].link & 1u; --bit)
        at += (node[at].link >> e->shift) + (p >> (bit - 1) & 1u);
    if (level == s->depth[tree]) {
        const uint32_t leaf = place + p - (1u << level);
        s->leaf[leaf] = node[at].u.value;
        if (s->low) s->low[leaf] = soothi_ensemble_low(e)[soothi_ensemble_start(e)[tree] + at];
    } else if (node[at].link & 1u) {
        const soothi_scorer_column *c = soothi_scorer_find(s, soothi_tree_feature(&node[at], e->shift));
        s->ask[place + p] =
            c->slice + 1 + soothi_scorer_rank(s->threshold + c->first, 0, c->count, node[at].u.threshold);
        if (node[at].link & 2u) s->miss[place + p] = c->slice;
    }
}

/* Returns 1 if each level of a tree has one condition. Places below a leaf have none and match any. */
SOOTHI_LOCAL int soothi_scorer_symmetric(sooth_scorer *s, uint32_t place, uint32_t depth) {
    for (uint32_t level = 0; level < depth; ++level) {
        const uint32_t first = place + (1u << level);
        for (uint32_t p = first; p < first + (1u << level); ++p) {
            if (!s->ask[first]) s->ask[first] = s->ask[p], s->miss[first] = s->miss[p];
            if (s->ask[p] && (s->ask[p] != s->ask[first] || s->miss[p] != s->miss[first])) return 0;
        }
    }
    return 1;
}

SOOTH_API sooth_status sooth_scorer_init(sooth_env *env, const sooth_ensemble *e, void *memory, size_t size,
                                         sooth_scorer **scorer) {
    soothi_carver c = {(unsigned char *)memory, soothi_round16(sizeof(sooth_scorer))};
    sooth_scorer *s = (sooth_scorer *)memory;
    const size_t needed = sooth_scorer_size(e);
    uint32_t place = 0;
    *scorer = NULL;
    if (!needed)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a scorer supports trees of at most 8 levels with one constant per leaf and "
                          "without sets of categories: "
                          "see sooth_scorer_size");
    if (!memory || size < needed)
        return sooth_fail(env, SOOTH_NO_MEMORY, "the scorer needs %z bytes of memory, but was given %z",
                          needed, memory ? size : 0);
    if ((uintptr_t)memory % offsetof(soothi_align, d) != 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "the scorer's memory is not aligned as for double");
    *s = soothi_scorer_lay_out(&c, e);
    memset(s + 1, 0, needed - sizeof *s);
    s->avx2 = soothi_has_avx2();
    soothi_scorer_collect(s);
    for (uint32_t k = 0; k < e->trees; ++k) {
        const uint32_t depth = soothi_scorer_depth(e, k);
        s->tree[k] = place;
        s->depth[k] = (uint8_t)depth;
        for (uint32_t p = 1; p < 2u << depth; ++p) soothi_scorer_fill(s, k, place, p);
        if (soothi_scorer_symmetric(s, place, depth))
            s->depth[k] = (uint8_t)(depth | SOOTHI_SCORER_SYMMETRIC);
        place += 1u << depth;
    }
    s->tree[e->trees] = place;
    *scorer = s;
    return SOOTH_OK;
}

/* ---- predicting ---- */

/* The scratch of a call. */
typedef struct soothi_scorer_scratch {
    soothi_slice *slice; /* in the order of the scorer's slices */
    soothi_slice *reach; /* rows that reach each place */
    soothi_slice *path;  /* bits of the leaf indices of the rows */
    float *high, *low;   /* sums: SOOTHI_SCORER_ROWS per target */
    float *x;            /* a column of the rows; then the leaf values of a tree, and their low parts */
    int32_t *bucket;
} soothi_scorer_scratch;

SOOTHI_LOCAL soothi_scorer_scratch soothi_scorer_open(soothi_carver *c, const sooth_scorer *s) {
    const size_t rows = SOOTHI_SCORER_ROWS, targets = s->ensemble->head.targets;
    soothi_scorer_scratch w;
    w.slice = (soothi_slice *)soothi_carve(c, s->slices, sizeof *w.slice);
    w.reach = (soothi_slice *)soothi_carve(c, (size_t)1 << SOOTHI_SCORER_DEPTH, sizeof *w.reach);
    w.path = (soothi_slice *)soothi_carve(c, SOOTHI_SCORER_DEPTH, sizeof *w.path);
    w.high = (float *)soothi_carve(c, targets, rows * sizeof *w.high);
    w.low = (float *)soothi_carve(c, targets, rows * sizeof *w.low);
    w.x = (float *)soothi_carve(c, 2 * rows, sizeof *w.x);
    w.bucket = (int32_t *)soothi_carve(c, rows, sizeof *w.bucket);
    return w;
}

SOOTH_API size_t sooth_scorer_scratch_size(const sooth_scorer *s) {
    soothi_carver c = {NULL, 0};
    soothi_scorer_open(&c, s);
    return c.used;
}

/* Computes the slices of one column. Returns 1 if a row has a missing value. First each row enters the slice
   of its rank; then each slice adds the slices of higher thresholds. */
SOOTHI_LOCAL int soothi_scorer_slice_column(const sooth_scorer *s, const soothi_scorer_column *column,
                                            const soothi_scorer_scratch *w) {
    const soothi_scorer_column c = *column;
    const float *x = w->x, *threshold = s->threshold + c.first;
    const uint32_t *start = s->start + c.start;
    const soothi_slice_part none = {0};
    soothi_slice_part greater[SOOTHI_SLICE_PARTS];
    soothi_slice *slice = w->slice + c.slice;
    int missing = 0;
    for (size_t r = 0; r < SOOTHI_SCORER_ROWS; ++r)
        w->bucket[r] = soothi_scorer_bucket(x[r], c.low, c.scale, (float)c.last);
    for (size_t r = 0; r < SOOTHI_SCORER_ROWS; ++r) missing |= !(x[r] <= x[r]);
    memset(slice, 0, (c.count + (size_t)1) * sizeof *slice);
    for (size_t r = 0; r < SOOTHI_SCORER_ROWS; r += 8) {
        uint32_t rank[8];
        for (size_t i = 0; i < 8; ++i) rank[i] = start[w->bucket[r + i]];
        soothi_scorer_ranks(threshold, c.most, x + r, rank);
        for (size_t i = 0; i < 8; ++i) soothi_slice_put(slice + rank[i], r + i);
    }
    SOOTHI_UNROLL
    for (unsigned k = 0; k < SOOTHI_SLICE_PARTS; ++k) greater[k] = none;
    for (uint32_t j = c.count; j > 0; --j) {
        SOOTHI_UNROLL
        for (unsigned k = 0; k < SOOTHI_SLICE_PARTS; ++k) {
            soothi_slice_part *const part =
                &SOOTHI_SLICE_AT(soothi_slice_part, SOOTHI_SLICE_PARTS, &slice[j], k);
            *part = greater[k] |= *part;
        }
    }
    memset(slice, 0, sizeof *slice);
    for (size_t r = 0; missing && r < SOOTHI_SCORER_ROWS; ++r)
        if (!(x[r] <= x[r])) soothi_slice_put(slice, r);
    return missing;
}

/* Computes all slices of a block of rows. Returns 1 if a row has a missing value. */
SOOTHI_LOCAL int soothi_scorer_slice_all(const sooth_scorer *s, const float *x, size_t rows, size_t stride,
                                         const soothi_scorer_scratch *w) {
    int missing = 0;
    memset(w->slice, 0, sizeof *w->slice);
    memset(w->x, 0, SOOTHI_SCORER_ROWS * sizeof *w->x);
    for (uint32_t k = 0; k < s->columns; ++k) {
        const float *from = x + s->column[k].feature;
        for (size_t r = 0; r < rows; ++r) w->x[r] = from[r * stride];
        missing |= soothi_scorer_slice_column(s, &s->column[k], w);
    }
    return missing;
}

/* Computes, level by level, the rows that go right; places from 2^level on, in heap order. YES: part k of the
   rows that satisfy the condition of place p. The sums `all` stay in registers. */
#define SOOTHI_SCORER_WALK(type, parts, YES)                                            \
    do {                                                                                \
        const uint32_t depth = s->depth[tree], *ask = s->ask + s->tree[tree],           \
                       *miss = s->miss + s->tree[tree];                                 \
        memset(reach + 1, 255, sizeof *reach);                                          \
        (void)miss;                                                                     \
        for (uint32_t level = 0, first = 1; level < depth; ++level, first *= 2) {       \
            const type none = {0};                                                      \
            type all[parts];                                                            \
            SOOTHI_UNROLL                                                               \
            for (unsigned k = 0; k < parts; ++k) all[k] = none;                         \
            if (level + 1 < depth)                                                      \
                for (uint32_t p = first; p < 2 * first; ++p) {                          \
                    SOOTHI_UNROLL                                                       \
                    for (unsigned k = 0; k < parts; ++k) {                              \
                        const type from = SOOTHI_SLICE_PART(type, parts, &reach[p], k), \
                                   right = from & (YES);                                \
                        all[k] |= right;                                                \
                        SOOTHI_SLICE_AT(type, parts, &reach[2 * p], k) = from ^ right;  \
                        SOOTHI_SLICE_AT(type, parts, &reach[2 * p + 1], k) = right;     \
                    }                                                                   \
                }                                                                       \
            else                                                                        \
                for (uint32_t p = first; p < 2 * first; ++p) {                          \
                    SOOTHI_UNROLL                                                       \
                    for (unsigned k = 0; k < parts; ++k)                                \
                        all[k] |= SOOTHI_SLICE_PART(type, parts, &reach[p], k) & (YES); \
                }                                                                       \
            SOOTHI_UNROLL                                                               \
            for (unsigned k = 0; k < parts; ++k)                                        \
                SOOTHI_SLICE_AT(type, parts, &path[depth - 1 - level], k) = all[k];     \
        }                                                                               \
    } while (0)

#define SOOTHI_SCORER_ASKED(type, parts) SOOTHI_SLICE_PART(type, parts, &slice[ask[p]], k)
#define SOOTHI_SCORER_MISSED(type, parts) SOOTHI_SLICE_PART(type, parts, &slice[miss[p]], k)

SOOTHI_LOCAL void soothi_scorer_walk(const sooth_scorer *s, uint32_t tree, const soothi_slice *slice,
                                     soothi_slice *SOOTH_RESTRICT reach, soothi_slice *SOOTH_RESTRICT path) {
    SOOTHI_SCORER_WALK(soothi_slice_part, SOOTHI_SLICE_PARTS,
                       SOOTHI_SCORER_ASKED(soothi_slice_part, SOOTHI_SLICE_PARTS));
}

/* Like soothi_scorer_walk, with missing values. */
SOOTHI_LOCAL void soothi_scorer_walk_missing(const sooth_scorer *s, uint32_t tree, const soothi_slice *slice,
                                             soothi_slice *SOOTH_RESTRICT reach,
                                             soothi_slice *SOOTH_RESTRICT path) {
    SOOTHI_SCORER_WALK(soothi_slice_part, SOOTHI_SLICE_PARTS,
                       SOOTHI_SCORER_ASKED(soothi_slice_part, SOOTHI_SLICE_PARTS) |
                           SOOTHI_SCORER_MISSED(soothi_slice_part, SOOTHI_SLICE_PARTS));
}

#if SOOTHI_AVX2
/* Like soothi_scorer_walk, on processors with AVX2. */
__attribute__((target("avx2"))) SOOTHI_LOCAL void
soothi_scorer_walk_avx2(const sooth_scorer *s, uint32_t tree, const soothi_slice *slice,
                        soothi_slice *SOOTH_RESTRICT reach, soothi_slice *SOOTH_RESTRICT path) {
    SOOTHI_SCORER_WALK(soothi_slice_whole, 1, SOOTHI_SCORER_ASKED(soothi_slice_whole, 1));
}
#endif

/* Looks up the leaf value of each row, from the transposed bits of the leaf indices. */
SOOTHI_LOCAL void soothi_scorer_look_up(const soothi_slice path[8], const float *leaf, float *v) {
    for (size_t w = 0; w < SOOTHI_SCORER_WORDS; ++w)
        for (size_t j = 0; j < 8; ++j, v += 8) {
            const uint64_t at = path[j].word[w];
            v[0] = leaf[at & 255u], v[1] = leaf[at >> 8 & 255u];
            v[2] = leaf[at >> 16 & 255u], v[3] = leaf[at >> 24 & 255u];
            v[4] = leaf[at >> 32 & 255u], v[5] = leaf[at >> 40 & 255u];
            v[6] = leaf[at >> 48 & 255u], v[7] = leaf[at >> 56];
        }
}

/* Adds the leaf values of a tree to the sums. */
SOOTHI_LOCAL void soothi_scorer_add(const sooth_scorer *s, uint32_t tree, const soothi_scorer_scratch *w,
                                    int missing) {
    const uint32_t depth = s->depth[tree] & ~SOOTHI_SCORER_SYMMETRIC, place = s->tree[tree];
    const size_t first = tree % s->ensemble->head.targets * SOOTHI_SCORER_ROWS;
    float *SOOTH_RESTRICT high = w->high + first, *SOOTH_RESTRICT low = w->low + first;
    const float *SOOTH_RESTRICT v = w->x, *SOOTH_RESTRICT tail = v + SOOTHI_SCORER_ROWS;
    memset(w->path + depth, 0, (SOOTHI_SCORER_DEPTH - depth) * sizeof *w->path);
    if (s->depth[tree] != depth)
        for (uint32_t bit = 0; bit < depth; ++bit) {
            const uint32_t p = place + (1u << (depth - 1 - bit));
            w->path[bit] = soothi_slice_or(w->slice[s->ask[p]], &w->slice[s->miss[p]]);
        }
    else if (missing) soothi_scorer_walk_missing(s, tree, w->slice, w->reach, w->path);
#if SOOTHI_AVX2
    else if (s->avx2) soothi_scorer_walk_avx2(s, tree, w->slice, w->reach, w->path);
#endif
    else soothi_scorer_walk(s, tree, w->slice, w->reach, w->path);
    soothi_slice_transpose(w->path);
    soothi_scorer_look_up(w->path, s->leaf + place, w->x);
    if (s->low) soothi_scorer_look_up(w->path, s->low + place, w->x + SOOTHI_SCORER_ROWS);
    if (s->ensemble->flags & SOOTH_ENSEMBLE_EXACT)
        for (size_t r = 0; r < SOOTHI_SCORER_ROWS; ++r) {
            soothi_ensemble_sum sum = {high[r], low[r]};
            soothi_ensemble_add_exact(&sum, v[r], tail[r]);
            high[r] = sum.high;
            low[r] = sum.low;
        }
    else
        for (size_t r = 0; r < SOOTHI_SCORER_ROWS; r += 4)
            soothi_4f_store(high + r, soothi_4f_add(soothi_4f_load(high + r), soothi_4f_load(v + r)));
}

/* Predicts up to SOOTHI_SCORER_ROWS rows. */
SOOTHI_LOCAL void soothi_scorer_block(const sooth_scorer *s, const float *x, size_t rows, size_t stride,
                                      float *out, const soothi_scorer_scratch *w) {
    const sooth_ensemble *e = s->ensemble;
    const uint32_t targets = e->head.targets;
    const int missing = soothi_scorer_slice_all(s, x, rows, stride, w);
    for (uint32_t t = 0; t < targets; ++t) {
        const soothi_ensemble_sum sum = soothi_ensemble_begin_sum(e, t);
        for (size_t r = t * (size_t)SOOTHI_SCORER_ROWS; r < (t + (size_t)1) * SOOTHI_SCORER_ROWS; ++r)
            w->high[r] = sum.high, w->low[r] = sum.low;
    }
    memset(w->x + SOOTHI_SCORER_ROWS, 0, SOOTHI_SCORER_ROWS * sizeof *w->x);
    for (uint32_t k = 0; k < e->trees; ++k) soothi_scorer_add(s, k, w, missing);
    for (size_t r = 0; r < rows; ++r) {
        for (uint32_t t = 0; t < targets; ++t) {
            const size_t at = t * (size_t)SOOTHI_SCORER_ROWS + r;
            const soothi_ensemble_sum sum = {w->high[at], w->low[at]};
            out[r * targets + t] =
                soothi_ensemble_linked(e, soothi_ensemble_margin(e, t, sum, e->trees / targets));
        }
        if (e->flags & SOOTH_ENSEMBLE_QUANTILES) soothi_ensemble_sort(out + r * targets, targets);
    }
}

/* A block costs the same for any number of rows, so fewer rows than this go through the ensemble. */
#define SOOTHI_SCORER_FEW 64

SOOTH_API void sooth_scorer_predict_many(const sooth_scorer *s, const float *x, size_t rows, size_t stride,
                                         float *out, void *scratch) {
    soothi_carver c = {(unsigned char *)scratch, 0};
    const soothi_scorer_scratch w = soothi_scorer_open(&c, s);
    for (size_t i = 0; i < rows; i += SOOTHI_SCORER_ROWS) {
        const size_t n = rows - i < SOOTHI_SCORER_ROWS ? rows - i : SOOTHI_SCORER_ROWS;
        float *to = out + i * s->ensemble->head.targets;
        if (n < SOOTHI_SCORER_FEW) sooth_ensemble_predict_many(s->ensemble, x + i * stride, n, stride, to);
        else soothi_scorer_block(s, x + i * stride, n, stride, to, &w);
    }
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
