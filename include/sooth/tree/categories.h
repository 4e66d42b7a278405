/* tree/categories.h - categorical columns: levels as classes, which a growing tree splits into two sets.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The values of a categorical column are codes 0, 1, 2, ... without an order: users, queues, devices. A tree
 * tests if a code is in a set. This header assigns every level of a column a class, the integer that a
 * growing tree uses for it, and sorts classes. This header has no public functions. tree/columns.h reads
 * tables with it, and tree/criterion.h searches the best sets. tree.h and tree/ensemble.h store sets.
 *
 *   level    a code that some training row of weight above 0 has
 *   class    an integer below 256; every level has its own, in the order of the codes. If there are more
 *            levels than classes, the most frequent ones (of equal ones the lower codes) have their own, and
 *            all others share the last class
 *   set      one bit per class: those that go left; in a model one bit per code
 *
 * The best of the 2^(k-1) - 1 ways to split k classes is found as follows. Sort them by the mean of their
 * targets and try only the k - 1 cuts between neighbours. For one target and squared error no other set is
 * better (Fisher: On grouping for maximum homogeneity, JASA 53, 1958). The same holds for any impurity that
 * is a concave function of the mean (Breiman, Friedman, Olshen, Stone: Classification and Regression Trees,
 * 1984, theorem 9.6), such as the Poisson deviance. With second derivatives, G / H is the mean of the targets
 * -g / h with weights h, so the cuts are optimal without penalties. LightGBM and XGBoost do the same with
 * penalties.
 *
 * Cost for n rows, k levels and a largest code c of a column: sorting the rows, O(n) for the classes, and
 * O(256 k) if levels share a class. Memory: 2 c bytes. A search takes O(k log k) in addition to its sums. A
 * growing tree takes 32 bytes per node.
 */
#if !defined(SOOTH_TREE_CATEGORIES_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_CATEGORIES_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_TREE_CATEGORIES_H
#define SOOTH_TREE_CATEGORIES_H
#endif /* SOOTH_TREE_CATEGORIES_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_TREE_CATEGORIES_IMPLEMENTED)
#define SOOTH_TREE_CATEGORIES_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the sets of a model ---- */

/* The sets of a model and their words. v is in a set if bit c % 32 of its word c / 32 is 1; c is v
   truncated. */
typedef struct soothi_sets {
    const uint32_t *first; /* offset of each set in the words, then the end; NULL: no sets */
    const uint32_t *word;
    float from; /* values below it are in no set */
} soothi_sets;

/* Returns 1 if the value v is in this set. Categories beyond its words are not. */
SOOTHI_LOCAL int soothi_sets_have(const soothi_sets *sets, uint32_t set, float v) {
    const uint32_t first = sets->first[set], words = sets->first[set + 1] - first;
    if (!(v >= sets->from && v < 4294967296.0f)) return 0;
    const uint32_t category = (uint32_t)v;
    return category / 32 < words && (sets->word[first + category / 32] >> (category & 31u) & 1u);
}

/* Returns 1 if the sets are contiguous and fill the words. */
SOOTHI_LOCAL int soothi_sets_sound(const uint32_t *first, uint32_t sets, uint32_t words) {
    for (uint32_t k = 1; k < sets; ++k)
        if (first[k] > first[k + 1]) return 0;
    return first[0] == 0 && first[sets] == words;
}

#ifndef SOOTH_PREDICT_ONLY

#define SOOTHI_CATEGORIES_CLASSES 256u
#define SOOTHI_CATEGORIES_WORDS (SOOTHI_CATEGORIES_CLASSES / 32u) /* words of a set of classes */
#define SOOTHI_CATEGORIES_UNSEEN 0xFFFFu                          /* class of a code that is not a level */

/* The classes of all categorical columns of a table. */
typedef struct soothi_categories {
    const uint8_t *categorical; /* cols: the table's array; NULL: no categorical columns and no memory */
    size_t cols, codes;         /* codes: number of codes of all columns, each up to its largest */
    uint32_t *first;            /* cols + 1: offset of each column's codes; other columns have none */
    uint32_t *classes;          /* cols: number of classes */
    uint16_t *of;               /* codes: the class of each */
} soothi_categories;

/* Returns 1 if this column is categorical. */
SOOTHI_LOCAL int soothi_categories_has(const soothi_categories *c, size_t column) {
    return c->categorical && c->categorical[column];
}

/* Returns the largest code of a column + 1. */
SOOTHI_LOCAL uint32_t soothi_categories_end(const sooth_table *table, size_t column) {
    uint32_t end = 1;
    for (size_t i = 0; i < table->rows; ++i) {
        const float v = table->x[i * table->stride + column];
        if (v >= (float)end) end = (uint32_t)v + 1;
    }
    return end;
}

/* Returns the sizes for the columns of a checked table. */
SOOTHI_LOCAL soothi_categories soothi_categories_of(const sooth_table *table) {
    soothi_categories c;
    memset(&c, 0, sizeof c);
    for (size_t j = 0; j < table->cols; ++j)
        if (table->categorical && table->categorical[j]) {
            c.categorical = table->categorical;
            c.codes += soothi_categories_end(table, j);
        }
    c.cols = table->cols;
    return c;
}

/* Sets sizes and, if m has memory, pointers. */
SOOTHI_LOCAL void soothi_categories_layout(soothi_carver *m, soothi_categories *c) {
    if (!c->categorical) return;
    c->first = (uint32_t *)soothi_carve(m, c->cols + 1, sizeof(uint32_t));
    c->classes = (uint32_t *)soothi_carve(m, c->cols, sizeof(uint32_t));
    c->of = (uint16_t *)soothi_carve(m, c->codes, sizeof(uint16_t));
}

/* Sets the offset of every column's codes, once memory is allocated. */
SOOTHI_LOCAL void soothi_categories_begin(soothi_categories *c, const sooth_table *table) {
    uint32_t at = 0;
    if (!c->categorical) return;
    for (size_t j = 0; j < c->cols; ++j) {
        c->first[j] = at;
        c->classes[j] = 0;
        if (c->categorical[j]) at += soothi_categories_end(table, j);
    }
    c->first[c->cols] = at;
    memset(c->of, 255, c->codes * sizeof *c->of);
}

/* Returns the class of a value that is not missing. */
SOOTHI_LOCAL uint32_t soothi_categories_class(const soothi_categories *c, size_t column, float value) {
    const uint32_t first = c->first[column];
    if (!(value < (float)(c->first[column + 1] - first))) return SOOTHI_CATEGORIES_UNSEEN;
    return c->of[first + (uint32_t)value];
}

/* Chooses the classes of a column, at most `limit`. Its entries are sorted and have codes as keys; those of
   missing values come after the first `present`. spare: scratch of the same size. Replaces the keys by
   classes and sorts the entries again. */
SOOTHI_LOCAL void soothi_categories_choose(soothi_categories *c, size_t column, uint64_t *list,
                                           size_t present, size_t limit, uint64_t *spare) {
    uint16_t *of = c->of + c->first[column];
    size_t levels = 0, own;
    for (size_t k = 0; k < present; ++k) { /* spare: rows << 32 | code */
        if (k == 0 || (list[k] ^ list[k - 1]) >> 32 != 0) spare[levels++] = soothi_entry_key(list[k]);
        spare[levels - 1] += (uint64_t)1 << 32;
    }
    own = levels > limit ? limit - 1 : levels;
    for (size_t b = 0; b < own; ++b) { /* 0 marks a class of its own */
        size_t most = b;
        for (size_t k = b + 1; k < levels && own < levels; ++k) {
            const uint64_t rows = spare[k] >> 32, best = spare[most] >> 32;
            if (rows > best || (rows == best && (uint32_t)spare[k] < (uint32_t)spare[most])) most = k;
        }
        of[(uint32_t)spare[most]] = 0;
        const uint64_t other = spare[b];
        spare[b] = spare[most];
        spare[most] = other;
    }
    uint16_t next = 0;
    for (size_t k = 0; k < c->first[column + 1] - c->first[column]; ++k)
        if (of[k] == 0) of[k] = next++;
    for (size_t b = own; b < levels; ++b) of[(uint32_t)spare[b]] = next;
    c->classes[column] = (uint32_t)own + (own < levels);
    for (size_t k = 0; k < present; ++k)
        list[k] = (uint64_t)of[soothi_entry_key(list[k])] << 32 | soothi_entry_row(list[k]);
    if (own < levels) soothi_entry_sort(list, spare, present);
}

/* ---- sets ---- */

SOOTHI_LOCAL int soothi_categories_in(const uint32_t *set, uint32_t number) {
    return (int)(set[number / 32] >> (number & 31u) & 1u);
}

SOOTHI_LOCAL void soothi_categories_put(uint32_t *set, uint32_t number) {
    set[number / 32] |= 1u << (number & 31u);
}

/* Returns 1 if the level of this value, which is not missing, is in a set of classes. Levels not seen in
   training are not. */
SOOTHI_LOCAL int soothi_categories_goes_left(const soothi_categories *c, size_t column, const uint32_t *set,
                                             float value) {
    const uint32_t own = soothi_categories_class(c, column, value);
    return own != SOOTHI_CATEGORIES_UNSEEN && soothi_categories_in(set, own);
}

/* Writes a set of classes as a set of codes to word[], which must be 0, and returns its number of words. word
   NULL: only counts the words. */
SOOTHI_LOCAL uint32_t soothi_categories_codes(const soothi_categories *c, size_t column, const uint32_t *set,
                                              uint32_t *word) {
    const uint32_t codes = c->first[column + 1] - c->first[column];
    uint32_t words = 0;
    for (uint32_t code = 0; code < codes; ++code) {
        const uint32_t own = c->of[c->first[column] + code];
        if (own == SOOTHI_CATEGORIES_UNSEEN || !soothi_categories_in(set, own)) continue;
        words = code / 32 + 1;
        if (word) soothi_categories_put(word, code);
    }
    return words;
}

/* Sorts integers by their statistic, then by value (Shell: A high-speed sorting procedure, CACM 2, 1959). */
SOOTHI_LOCAL void soothi_categories_sort(uint32_t *number, size_t count, const double *statistic) {
    for (size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < count; ++i) {
            const uint32_t moved = number[i];
            size_t k = i;
            for (; k >= gap; k -= gap) {
                const uint32_t other = number[k - gap];
                if (statistic[other] < statistic[moved] ||
                    (!(statistic[other] > statistic[moved]) && other < moved))
                    break;
                number[k] = other;
            }
            number[k] = moved;
        }
}

#endif /* SOOTH_PREDICT_ONLY */
SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
