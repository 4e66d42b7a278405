/* export/kinds.h - how each kind of model is written as C, for export/c.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. Every line X(tree, TREE, ...) of SOOTH_KIND_LIST has four functions, which
 * export/c.h calls (for the arguments see soothi_export_kind):
 *
 *   soothi_export_open_tree   refuses a model that cannot be exported, with a message; sets job->needs, the
 *                             helpers that its code calls, and job->bytes, the size of its arrays
 *   soothi_export_text_tree   "A regression tree", for the first comment
 *   soothi_export_code_tree   writes the arrays and static void NAME_run(const float *x, float *out): from a
 *                             row after the input transform to all targets before theirs
 *   soothi_export_near_tree   a value of a feature that matters to the model, minus 0.5: for rows of the
 *                             self-test
 *
 * soothi_export_say writes code. Every written function repeats a function of the library operation by
 * operation, so it predicts the same bits. The comment above the writer names that function.
 */
#if !defined(SOOTH_EXPORT_KINDS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_KINDS_IMPLEMENTED))
#include "../model.h"
#include "../mlp.h"
#endif

#if !defined(SOOTH_EXPORT_KINDS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_KINDS_H
SOOTHI_C_BEGIN

typedef enum sooth_export_form {
    SOOTH_EXPORT_TABLE = 0, /* constant arrays and a loop: 6 or 8 bytes a node, one load per level */
    SOOTH_EXPORT_BRANCHES   /* a function of if and return per tree, with thresholds in the code. Blocks nest
                               at most log2(leaves) deep, because the smaller side of a node is nested */
} sooth_export_form;

SOOTHI_C_END
#endif /* SOOTH_EXPORT_KINDS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_KINDS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_KINDS_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- what is common to all models made of trees ---- */

/* A sooth_tree or a sooth_ensemble. A single tree predicts the value of its leaf: no base and no sum. */
typedef struct soothi_export_trees {
    const sooth_tree_node *node; /* NULL: not made of trees */
    const uint32_t *start;       /* [trees + 1]; NULL: a single tree */
    uint32_t nodes, trees, shift, features, targets;
    uint32_t width; /* targets that a leaf has values for */
    uint32_t each;  /* trees per target */
    uint32_t flags, link;
    const float *value;                     /* of leaves with several targets, by node.u.at */
    const float *low, *cover, *base, *hull; /* as in sooth_ensemble; NULL if there are none */
    const uint32_t *at;                     /* linear leaves: see tree/linear_leaves.h; NULL: none */
    uint32_t planes;                        /* number of their records */
    soothi_sets sets;                       /* first NULL: none */
    uint32_t set_count;
    float share; /* factor of a plain sum that predicts a mean; else 0 */
} soothi_export_trees;

SOOTHI_LOCAL void soothi_export_open(const sooth_block *predictor, soothi_export_trees *trees) {
    memset(trees, 0, sizeof *trees);
    trees->features = predictor->features;
    trees->targets = predictor->targets;
    if (soothi_model_kind(predictor) == SOOTH_KIND_TREE) {
        const sooth_tree *tree = (const sooth_tree *)(const void *)predictor;
        trees->node = soothi_tree_nodes(tree);
        trees->nodes = tree->nodes;
        trees->trees = trees->each = 1;
        trees->shift = tree->shift;
        trees->width = predictor->targets;
        if (trees->width > 1) trees->value = soothi_tree_values(tree);
        trees->sets = soothi_tree_sets(tree);
        if (trees->sets.first) trees->set_count = trees->sets.first[-1];
        if (!soothi_tree_is_linear(tree)) return;
        trees->at = soothi_tree_planes(tree) + 1;
        trees->planes = trees->at[-1];
    } else if (soothi_model_kind(predictor) == SOOTH_KIND_FOREST ||
               soothi_model_kind(predictor) == SOOTH_KIND_BOOST) {
        const sooth_ensemble *e = (const sooth_ensemble *)(const void *)predictor;
        trees->node = soothi_ensemble_nodes(e);
        trees->start = soothi_ensemble_start(e);
        trees->nodes = e->nodes;
        trees->trees = e->trees;
        trees->shift = e->shift;
        trees->width = soothi_ensemble_width(e);
        trees->each = trees->width < trees->targets ? trees->trees / trees->targets : trees->trees;
        trees->flags = e->flags;
        trees->link = e->link;
        if (trees->width > 1) trees->value = soothi_ensemble_values(e);
        trees->low = soothi_ensemble_low(e);
        trees->cover = soothi_ensemble_cover(e);
        trees->base = soothi_ensemble_base(e);
        trees->hull = soothi_ensemble_hull(e);
        if (e->flags & SOOTH_ENSEMBLE_LINEAR) trees->at = soothi_ensemble_planes(e);
        trees->planes = e->linear_leaves;
        if (!(e->flags & SOOTH_ENSEMBLE_SETS)) return;
        trees->sets = soothi_ensemble_open_sets(e);
        trees->set_count = e->sets;
    }
}

SOOTHI_LOCAL uint32_t soothi_export_start(const soothi_export_trees *trees, uint32_t k) {
    return trees->start ? trees->start[k] : k ? trees->nodes : 0;
}

SOOTHI_LOCAL uint32_t soothi_export_feature(const soothi_export_trees *trees, const sooth_tree_node *node) {
    return (node->link & ((1u << trees->shift) - 1u)) >> 2;
}

/* Returns 1 if this inner node tests for a set. *number is the set's index. */
SOOTHI_LOCAL int soothi_export_asks(const soothi_export_trees *trees, const sooth_tree_node *node,
                                    uint32_t *number) {
    *number = node->u.at - SOOTHI_TREE_SET;
    return trees->sets.first && !(node->u.threshold <= node->u.threshold);
}

/* Returns the maximum number of comparisons in tree k. In breadth-first order, a level ends where the
   children of the previous one end. */
SOOTHI_LOCAL uint32_t soothi_export_depth(const soothi_export_trees *trees, uint32_t k) {
    const uint32_t first = soothi_export_start(trees, k), count = soothi_export_start(trees, k + 1) - first;
    uint32_t next = 1, level = 1, depth = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == level) {
            ++depth;
            level = next;
        }
        next += trees->node[first + i].link & 1u ? 2 : 0;
    }
    return depth;
}

/* Returns the next float above t: infinity after the largest float and after infinity. */
SOOTHI_LOCAL float soothi_export_above(float t) {
    const uint32_t bits = soothi_bits(t);
    if (bits << 1 == 0) return soothi_of_bits(1);
    if (bits == SOOTHI_INFINITE_BITS) return t;
    return soothi_of_bits(bits >> 31 ? bits - 1 : bits + 1);
}

SOOTHI_LOCAL sooth_status soothi_export_done(sooth_env *env, const sooth_sink *sink) {
    if (!sink->failed) return SOOTH_OK;
    return sooth_fail(env, SOOTH_CANCELLED, "the export was cut short: its sink took no more");
}

/* ---- the functions of a kind ---- */

/* The functions of a kind: see the top of this file. near_fn: feature j, for a row. */
typedef struct soothi_export_job soothi_export_job;
typedef struct soothi_export_kind {
    sooth_status (*open)(soothi_export_job *job);
    void (*text)(const soothi_export_job *job);
    sooth_status (*code)(soothi_export_job *job);
    float (*near_fn)(const soothi_export_job *job, uint32_t j, uint32_t row);
} soothi_export_kind;

/* An export in progress. The kind's open function sets the fields below `form`. */
struct soothi_export_job {
    sooth_env *env;
    sooth_sink *sink;
    const char *name;
    sooth_model_parts parts;
    const void *model; /* the predictor: a sooth_tree, a sooth_linear, ... */
    soothi_export_kind kind;
    uint32_t features, targets, form;
    uint32_t plain;            /* 1: sums are plain float sums */
    unsigned needs;            /* helpers that the code calls: SOOTHI_EXPORT_CLIP and others */
    size_t bytes;              /* of its arrays */
    uint32_t bits;             /* of integer weights; 0: there are none */
    soothi_export_trees trees; /* node is NULL if the model is not made of trees */
    const char *whole;         /* integer type of trees (export/integers_make.h); NULL: floats */
    uint32_t column;           /* characters in the current line of an array */
    size_t tests;              /* rows of the self-test; 0: none */
    const float *row, *says;   /* the rows and their predictions */
};

/* One tree and many differ in the text only. Networks have no value that matters more than others. For trees
   the self-test itself finds thresholds. */
#define soothi_export_open_forest soothi_export_open_tree
#define soothi_export_open_boost soothi_export_open_tree
#define soothi_export_code_forest soothi_export_code_tree
#define soothi_export_code_boost soothi_export_code_tree
#define soothi_export_near_forest soothi_export_near_tree
#define soothi_export_near_boost soothi_export_near_tree
#define soothi_export_near_mlp soothi_export_near_tree

#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets)   \
    SOOTHI_LOCAL sooth_status soothi_export_open_##name(soothi_export_job *); \
    SOOTHI_LOCAL void soothi_export_text_##name(const soothi_export_job *);   \
    SOOTHI_LOCAL sooth_status soothi_export_code_##name(soothi_export_job *); \
    SOOTHI_LOCAL float soothi_export_near_##name(const soothi_export_job *, uint32_t, uint32_t);
SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM

/* Finds the functions of the predictor's kind. Returns 0 if it is unknown. */
SOOTHI_LOCAL int soothi_export_kind_of(const sooth_block *predictor, soothi_export_kind *kind) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME:                                                 \
        kind->open = soothi_export_open_##name;                             \
        kind->text = soothi_export_text_##name;                             \
        kind->code = soothi_export_code_##name;                             \
        kind->near_fn = soothi_export_near_##name;                          \
        return 1;
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return 0;
    }
}

/* Helpers that code may call in addition to memcpy and memset. export/c.h writes them. */
#define SOOTHI_EXPORT_CLIP 1u
#define SOOTHI_EXPORT_BITS 2u
#define SOOTHI_EXPORT_PARTS 4u
#define SOOTHI_EXPORT_EXP 8u
#define SOOTHI_EXPORT_LOGISTIC 16u
#define SOOTHI_EXPORT_EXPM1 32u
#define SOOTHI_EXPORT_LOG_PARTS 64u
#define SOOTHI_EXPORT_LOG 128u
#define SOOTHI_EXPORT_LOG1P 256u
#define SOOTHI_EXPORT_ADD 512u
#define SOOTHI_EXPORT_DIVIDE 1024u
#define SOOTHI_EXPORT_TANH 2048u
#define SOOTHI_EXPORT_SOFTPLUS 4096u
#define SOOTHI_EXPORT_EXP2 8192u
#define SOOTHI_EXPORT_POWER 16384u
#define SOOTHI_EXPORT_PLANE 32768u
#define SOOTHI_EXPORT_ROOT 65536u
#define SOOTHI_EXPORT_FLOAT 131072u

/* ---- writing C ---- */

/* Formats a float so that JSON and C read the same value: shortest digits, with a point or an exponent. */
SOOTHI_LOCAL void soothi_export_digits(char text[SOOTH_TEXT_NUMBER_SIZE], float v) {
    const size_t n = sooth_text_from_float(text, v);
    for (size_t i = 0; i < n; ++i)
        if (text[i] == '.' || text[i] == 'e') return;
    memcpy(text + n, ".0", 3);
}

/* Writes text with these marks: '@' for the name, '$' for the name in capitals, %u for a uint32_t, %z for a
   size_t, %f for a float in C, %s for another such text (without arguments), %% for a percent sign. */
SOOTHI_LOCAL void soothi_export_say(const soothi_export_job *job, const char *text, ...) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *c;
    double v;
    va_list list;
    va_start(list, text);
    for (; *text; ++text) {
        const char mark = *text == '%' ? *++text : *text == '@' || *text == '$' ? *text : '\0';
        switch (mark) {
        case '@': sooth_text_put(job->sink, "%s", job->name); break;
        case '$':
            for (c = job->name; *c; ++c)
                sooth_text_put(job->sink, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
            break;
        case 'u': sooth_text_put(job->sink, "%u", va_arg(list, uint32_t)); break;
        case 's': soothi_export_say(job, va_arg(list, const char *)); break;
        case 'z': sooth_text_put(job->sink, "%z", va_arg(list, size_t)); break;
        case 'f':
            v = va_arg(list, double);
            if (soothi_finite(v)) soothi_export_digits(number, (float)v);
            if (soothi_finite(v)) sooth_text_put(job->sink, "%sf", number);
            else soothi_export_say(job, v > 0.0 ? "$_INFINITY" : v < 0.0 ? "-$_INFINITY" : "$_MISSING");
            break;
        default:
            for (c = text; text[1] && text[1] != '@' && text[1] != '$' && text[1] != '%';) ++text;
            sooth_text_write(job->sink, c, (size_t)(text + 1 - c));
        }
    }
    va_end(list);
}

/* Writes an integer of at most 64 bits. C has no literal for INT32_MIN. */
SOOTHI_LOCAL void soothi_export_say_number(const soothi_export_job *job, int64_t v) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    soothi_text_whole(number, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
    if (v == INT32_MIN) soothi_export_say(job, "-2147483647 - 1");
    else sooth_text_put(job->sink, "%s", number);
}

/* Separates two elements of an array: lines have about a hundred characters. */
SOOTHI_LOCAL void soothi_export_next(soothi_export_job *job, size_t i, uint32_t width) {
    if (i == 0 || job->column + width > 100) {
        soothi_export_say(job, i ? ",\n    " : "\n    ");
        job->column = 4;
    } else {
        soothi_export_say(job, ", ");
    }
    job->column += width + 2;
}

/* Writes one number of an array. Its width is an estimate. */
SOOTHI_LOCAL void soothi_export_element(soothi_export_job *job, size_t i, float v) {
    soothi_export_next(job, i, 11);
    soothi_export_say(job, "%f", (double)v);
}

SOOTHI_LOCAL void soothi_export_array(soothi_export_job *job, const char *name, const float *v,
                                      size_t count) {
    soothi_export_say(job, "\nstatic const float @_%s[%z] $_FLASH = {", name, count);
    for (size_t i = 0; i < count; ++i) soothi_export_element(job, i, v[i]);
    soothi_export_say(job, "};\n");
}

/* Returns the bits of the type that holds numbers up to this one. */
SOOTHI_LOCAL uint32_t soothi_export_bits(uint32_t most) { return most <= 0xFFFFu ? 16 : 32; }

/* Returns 1 if the code needs the index of a leaf, not only its value. */
SOOTHI_LOCAL int soothi_export_by_leaf(const soothi_export_trees *trees) {
    return trees->width > 1 || trees->low || trees->at;
}

/* Returns the link that a table stores for a node. A leaf has a link if its index is needed; bit 0 stays
   0. */
SOOTHI_LOCAL uint32_t soothi_export_link(const soothi_export_trees *trees, uint32_t i, uint32_t *leaves) {
    if (trees->node[i].link & 1u) return trees->node[i].link;
    return soothi_export_by_leaf(trees) ? (*leaves)++ << 1 : 0;
}

SOOTHI_LOCAL uint32_t soothi_export_largest_link(const soothi_export_trees *trees, uint32_t *leaves) {
    uint32_t most = 0;
    *leaves = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const uint32_t link = soothi_export_link(trees, i, leaves);
        if (link > most) most = link;
    }
    return most;
}

/* ---- sets of categories ---- */

/* Writes the words of all sets, and the function that tests for membership: soothi_sets_contain. */
SOOTHI_LOCAL void soothi_export_say_sets(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const uint32_t words = trees->sets.first[trees->set_count];
    soothi_export_say(job,
                      "\n/* Sets: bit c %% 32 of word c / 32 is 1 when category c is in. */\n"
                      "static const uint32_t @_set[%u] = {",
                      words ? words : 1);
    for (uint32_t k = 0; k < (words ? words : 1); ++k) {
        soothi_export_next(job, k, 11);
        soothi_export_say(job, "%uu", words ? trees->sets.word[k] : 0);
    }
    soothi_export_say(job,
                      "};\n\n/* 1: v is in the set that has so many words from number `first` on. */\n"
                      "static uint32_t @_in(float v, uint32_t first, uint32_t words) {\n"
                      "    uint32_t c;\n"
                      "    if (!(v >= %f && v < 4294967296.0f)) return 0;\n"
                      "    c = (uint32_t)v;\n"
                      "    return c / 32u < words ? @_set[first + c / 32u] >> (c & 31u) & 1u : 0;\n}\n",
                      (double)trees->sets.from);
}

/* Returns, for a table, kind[j]: 1 if nodes compare feature j, 2 if they test for sets, 3 for both. NULL
   without memory. */
SOOTHI_LOCAL unsigned char *soothi_export_kinds_of(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    unsigned char *kind = (unsigned char *)sooth_alloc(job->env, trees->features, 1);
    if (!kind) return NULL;
    memset(kind, 0, trees->features);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        uint32_t set;
        if (!(trees->node[i].link & 1u)) continue;
        unsigned char *of = kind + soothi_export_feature(trees, trees->node + i);
        *of = (unsigned char)(*of | (soothi_export_asks(trees, trees->node + i, &set) ? 2u : 1u));
    }
    return kind;
}

/* Fails if nodes use both thresholds and sets for one feature: a table stores one kind per feature. */
SOOTHI_LOCAL sooth_status soothi_export_check_kinds(const soothi_export_job *job) {
    const uint32_t features = job->trees.features;
    uint32_t j = 0;
    unsigned char *kind = soothi_export_kinds_of(job);
    if (!kind) return sooth_no_memory(job->env, "the export of a tree", features);
    while (j < features && kind[j] < 3) ++j;
    sooth_free(job->env, kind, features, 1);
    if (j == features) return SOOTH_OK;
    return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                      "feature %u is a number in one node and a category in another, which a table cannot "
                      "say; export branches",
                      j + 1);
}

SOOTHI_LOCAL sooth_status soothi_export_say_categories(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    unsigned char *kind = soothi_export_kinds_of(job);
    if (!kind) return sooth_no_memory(job->env, "the export of a tree", trees->features);
    soothi_export_say(
        job,
        "\n/* By feature: 1 when it is a category; then the threshold is the number of a set. */\n"
        "static const uint8_t @_category[%u] = {",
        trees->features);
    for (uint32_t j = 0; j < trees->features; ++j) {
        soothi_export_next(job, j, 1);
        soothi_export_say(job, "%u", (uint32_t)kind[j] >> 1);
    }
    sooth_free(job->env, kind, trees->features, 1);
    soothi_export_say(job,
                      "};\n\n/* By set: where its words begin. */\nstatic const uint32_t @_first[%u] = {",
                      trees->set_count + 1);
    for (uint32_t k = 0; k <= trees->set_count; ++k) {
        soothi_export_next(job, k, 6);
        soothi_export_say(job, "%uu", trees->sets.first[k]);
    }
    soothi_export_say(job, "};\n");
    return SOOTH_OK;
}

/* ---- trees as tables ---- */

SOOTHI_LOCAL void soothi_export_say_links(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    uint32_t leaves = 0, most = soothi_export_largest_link(trees, &leaves);
    soothi_export_say(
        job,
        "\n/* By node. Of an inner one: bit 0 is 1; bit 1 is 1 where a missing value goes right; "
        "then the feature;\n"
        "   from bit %u on how many nodes further the left child stands, which the right one follows. Of a "
        "leaf: %s */\n"
        "static const uint%u_t @_link[%u] $_FLASH = {",
        trees->shift, soothi_export_by_leaf(trees) ? "2 x its\n   number." : "0.", soothi_export_bits(most),
        trees->nodes);
    leaves = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        soothi_export_next(job, i, most <= 0xFFFFu ? 6 : 11);
        soothi_export_say(job, "%uu", soothi_export_link(trees, i, &leaves));
    }
    soothi_export_say(job, "};\n");
}

SOOTHI_LOCAL void soothi_export_say_table(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int by_leaf = soothi_export_by_leaf(trees);
    uint32_t leaves, bits = soothi_export_bits(soothi_export_largest_link(trees, &leaves));
    soothi_export_say_links(job);
    soothi_export_say(job, "\n/* By node: the threshold%s */\nstatic const float @_threshold[%u] $_FLASH = {",
                      by_leaf ? "; up to it, left." : ", up to which left; or of a leaf its answer.",
                      trees->nodes);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const uint32_t inner = trees->node[i].link & 1u;
        uint32_t set;
        soothi_export_element(job, i,
                              by_leaf && !inner ? 0.0f
                              : inner && soothi_export_asks(trees, trees->node + i, &set)
                                  ? (float)set
                                  : trees->node[i].u.threshold);
    }
    soothi_export_say(job, "};\n");
    if (trees->start) {
        soothi_export_say(job,
                          "\n/* Where each tree begins. */\nstatic const uint%u_t @_start[%u] $_FLASH = {",
                          soothi_export_bits(trees->nodes), trees->trees);
        for (uint32_t i = 0; i < trees->trees; ++i) {
            soothi_export_next(job, i, 6);
            soothi_export_say(job, "%uu", trees->start[i]);
        }
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job,
                      "\n/* The leaf that a row ends in, below node `at`. */\n"
                      "static uint32_t @_walk(uint32_t at, const float *x) {\n"
                      "    uint32_t link = $_WORD%u(&@_link[at]);\n"
                      "    while (link & 1u) {\n"
                      "        const float v = x[(link & %uu) >> 2];\n",
                      bits, (1u << trees->shift) - 1u);
    if (trees->sets.first)
        soothi_export_say(job,
                          "        if (v <= v && @_category[(link & %uu) >> 2]) {\n"
                          "            const uint32_t *set = @_first + (uint32_t)$_FLOAT(&@_threshold[at]);\n"
                          "            at += (link >> %u) + 1u - @_in(v, set[0], set[1] - set[0]);\n"
                          "        } else\n    ",
                          (1u << trees->shift) - 1u, trees->shift);
    soothi_export_say(job,
                      "        at += (link >> %u) + "
                      "(uint32_t)(link & 2u ? !(v <= $_FLOAT(&@_threshold[at]))\n"
                      "            : v > $_FLOAT(&@_threshold[at]));\n"
                      "        link = $_WORD%u(&@_link[at]);\n"
                      "    }\n"
                      "    return %s;\n}\n",
                      trees->shift, bits, by_leaf ? "link >> 1" : "at");
}

/* ---- trees as branches ---- */

/* Writes "model_in(x[3], 4u, 1u)", true for values that go to the side `right`. Missing values are in no set
   and go right anyway. */
SOOTHI_LOCAL void soothi_export_say_membership(const soothi_export_job *job, const sooth_tree_node *node,
                                               uint32_t set, int right) {
    const uint32_t *first = job->trees.sets.first + set, j = soothi_export_feature(&job->trees, node);
    if (!(node->link & 2u))
        soothi_export_say(job, right ? "x[%u] <= x[%u] && " : "!(x[%u] <= x[%u]) || ", j, j);
    soothi_export_say(job, right ? "!@_in(x[%u], %uu, %uu)" : "@_in(x[%u], %uu, %uu)", j, first[0],
                      first[1] - first[0]);
}

/* Writes "x[3] > 2.5f", true for values that go to the side `right`. */
SOOTHI_LOCAL void soothi_export_say_condition(const soothi_export_job *job, const sooth_tree_node *node,
                                              int right) {
    const int missing_here = (int)(node->link >> 1 & 1u) == right;
    uint32_t set;
    if (soothi_export_asks(&job->trees, node, &set)) {
        soothi_export_say_membership(job, node, set, right);
        return;
    }
    if (job->whole) {
        sooth_text_put(job->sink,
                       right ? "x[%u] > " : "x[%u] <= ", (node->link & ((1u << job->trees.shift) - 1u)) >> 1);
        soothi_export_say_number(job, (int32_t)node->u.at);
        return;
    }
    soothi_export_say(job, missing_here ? "!(x[%u] %s %f)" : "x[%u] %s %f",
                      soothi_export_feature(&job->trees, node),
                      right != missing_here ? ">" : "<=", (double)node->u.threshold);
}

/* Writes "return 2.5f;", or the index of the leaf. */
SOOTHI_LOCAL void soothi_export_say_return(const soothi_export_job *job, const sooth_tree_node *node,
                                           uint32_t size) {
    if (soothi_export_by_leaf(&job->trees)) {
        soothi_export_say(job, "return %uu;\n", size & 0x7FFFFFFFu);
    } else if (job->whole) {
        soothi_export_say(job, "return ");
        soothi_export_say_number(job, (int32_t)node->u.at);
        soothi_export_say(job, ";\n");
    } else {
        soothi_export_say(job, "return %f;\n", (double)node->u.value);
    }
}

/* Returns the number of leaves, from a size of soothi_export_measure. */
SOOTHI_LOCAL uint32_t soothi_export_leaves(uint32_t size) { return size >> 31 ? 1 : size; }

/* size[i]: the leaves below node i of the tree. For a leaf, whose count is always 1, it is 2^31 + its index.
   Children come after their parents. */
SOOTHI_LOCAL void soothi_export_measure(const soothi_export_trees *trees, uint32_t k, uint32_t *leaves,
                                        uint32_t *size) {
    const uint32_t first = soothi_export_start(trees, k), count = soothi_export_start(trees, k + 1) - first;
    for (uint32_t i = 0; i < count; ++i)
        if (!(trees->node[first + i].link & 1u)) size[i] = 0x80000000u + (*leaves)++;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t link = trees->node[first + i].link, left = i + (link >> trees->shift);
        if (!(link & 1u)) continue;
        size[i] = soothi_export_leaves(size[left]) + soothi_export_leaves(size[left + 1]);
    }
}

SOOTHI_LOCAL void soothi_export_indent(const soothi_export_job *job, uint32_t level) {
    for (; level; --level) soothi_export_say(job, "    ");
}

/* Writes one tree. The side of a node with fewer leaves goes into the braces, and the other one follows. Thus
   braces nest at most log2(leaves) deep, and a stack of 32 nodes is enough. */
SOOTHI_LOCAL void soothi_export_say_tree(const soothi_export_job *job, uint32_t k, const uint32_t *size) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_tree_node *node = trees->node + soothi_export_start(trees, k);
    uint32_t later[32], depth = 0, at = 0;
    soothi_export_say(job, "\nstatic %s @_tree%u(const %s *x) {\n",
                      soothi_export_by_leaf(trees) ? "uint32_t"
                      : job->whole                 ? job->whole
                                                   : "float",
                      k, job->whole ? job->whole : "float");
    if (!(node[0].link & 1u)) soothi_export_say(job, "    (void)x;\n");
    for (;;) {
        if (node[at].link & 1u) {
            const uint32_t left = at + (node[at].link >> trees->shift);
            const int right = soothi_export_leaves(size[left + 1]) < soothi_export_leaves(size[left]);
            const uint32_t fewer = right ? left + 1 : left, more = right ? left : left + 1;
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "if (");
            soothi_export_say_condition(job, node + at, right);
            soothi_export_say(job, ") ");
            if (!(node[fewer].link & 1u)) {
                soothi_export_say_return(job, node + fewer, size[fewer]);
                at = more;
            } else {
                soothi_export_say(job, "{\n");
                later[depth++] = more;
                at = fewer;
            }
        } else {
            soothi_export_indent(job, depth + 1);
            soothi_export_say_return(job, node + at, size[at]);
            if (depth == 0) break;
            at = later[--depth];
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "}\n");
        }
    }
    soothi_export_say(job, "}\n");
}

SOOTHI_LOCAL sooth_status soothi_export_say_branches(soothi_export_job *job) {
    uint32_t most = 0, leaves = 0;
    for (uint32_t k = 0; k < job->trees.trees; ++k) {
        const uint32_t count = soothi_export_start(&job->trees, k + 1) - soothi_export_start(&job->trees, k);
        if (count > most) most = count;
    }
    uint32_t *size = (uint32_t *)sooth_alloc(job->env, most, sizeof *size);
    if (!size) return sooth_no_memory(job->env, "the export of a tree", soothi_product(most, sizeof *size));
    for (uint32_t k = 0; k < job->trees.trees && !job->sink->failed; ++k) {
        soothi_export_measure(&job->trees, k, &leaves, size);
        soothi_export_say_tree(job, k, size);
    }
    sooth_free(job->env, size, most, sizeof *size);
    return SOOTH_OK;
}

/* ---- sums ---- */

/* Writes the elements of an array: the values of leaves, or their low parts. */
SOOTHI_LOCAL void soothi_export_say_values(soothi_export_job *job, int low) {
    const soothi_export_trees *trees = &job->trees;
    size_t done = 0;
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        const sooth_tree_node *node = trees->node + i;
        for (uint32_t t = 0; !(node->link & 1u) && t < trees->width; ++t)
            soothi_export_element(job, done++,
                                  low            ? trees->low[i]
                                  : trees->value ? trees->value[(size_t)node->u.at * trees->width + t]
                                                 : node->u.value);
    }
    soothi_export_say(job, "};\n");
}

/* Writes the arrays of linear leaves: the offset of each leaf's record, then per record and per term one
   integer and four floats. */
SOOTHI_LOCAL void soothi_export_say_planes(soothi_export_job *job, uint32_t leaves) {
    const soothi_export_trees *trees = &job->trees;
    const uint32_t *record = trees->at + trees->nodes;
    uint32_t done = 0;
    soothi_export_say(job,
                      "\n/* By leaf: 0, or the number of its plane + 1. */\n"
                      "static const uint32_t @_plane_of[%u] $_FLASH = {",
                      leaves);
    for (uint32_t i = 0; i < trees->nodes; ++i) {
        if (trees->node[i].link & 1u) continue;
        soothi_export_next(job, done++, 6);
        soothi_export_say(job, "%uu", trees->at[i]);
    }
    soothi_export_say(job,
                      "};\n\n/* Planes, each with its terms behind it: how many they are, or a feature. */\n"
                      "static const uint32_t @_whole[%u] $_FLASH = {",
                      trees->planes);
    for (uint32_t i = 0; i < trees->planes; ++i) {
        soothi_export_next(job, i, 4);
        soothi_export_say(job, "%uu", record[SOOTHI_LINEAR_LEAF_WORDS * (size_t)i]);
    }
    soothi_export_say(job,
                      "};\n\n/* Of a plane: the constant, its low part, the least and the most it says. Of a "
                      "term: the slope, %s,\n   the least and the most that the feature counts as. */\n"
                      "static const float @_number[%z] $_FLASH = {",
                      trees->low ? "its low part" : "the feature's middle", 4 * (size_t)trees->planes);
    for (size_t i = 0; i < 4 * (size_t)trees->planes; ++i)
        soothi_export_element(job, i, soothi_of_bits(record[SOOTHI_LINEAR_LEAF_WORDS * (i / 4) + 1 + i % 4]));
    soothi_export_say(job, "};\n");
}

/* Writes soothi_linear_leaf_predict or soothi_linear_leaf_predict_exact, and adds its result. */
SOOTHI_LOCAL void soothi_export_say_linear_leaf(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0, low = trees->low != NULL;
    soothi_export_say(job, "\nstatic float @_within(float v, float least, float most) {\n"
                           "    return v < least ? least : v > most ? most : v;\n}\n");
    if (low)
        soothi_export_say(job, "\nstatic float @_half(float v) {\n    const float big = v * 4097.0f;\n"
                               "    return big - (big - v);\n}\n");
    soothi_export_say(job, "\nstatic void @_leaf(uint32_t leaf, const float *x, float *out%s) {\n",
                      exact ? ", float *lost" : "");
    soothi_export_say(job,
                      "    const uint32_t at = $_WORD32(&@_plane_of[leaf]);\n"
                      "    float v = $_FLOAT(&@_value[leaf])%s;\n"
                      "    if (at) {\n"
                      "        const float *n = @_number + (at - 1u) * 4u;\n"
                      "        const uint32_t *feature = @_whole + (at - 1u);\n"
                      "        float high = $_FLOAT(n)%s;\n"
                      "        const float least = $_FLOAT(n + 2), most = $_FLOAT(n + 3);\n"
                      "        uint32_t k = $_WORD32(feature);\n"
                      "        for (n += 4, ++feature; k; --k, n += 4, ++feature) {\n"
                      "            const float of = x[$_WORD32(feature)], slope = $_FLOAT(n);\n"
                      "            const float u = @_within(of, $_FLOAT(n + 2), $_FLOAT(n + 3));\n"
                      "%s            if (!(of <= of)) break;\n",
                      low ? ", rest = $_FLOAT(&@_rest[leaf])" : "", low ? ", low = $_FLOAT(n + 1)" : "",
                      low ? "            const float uh = @_half(u), sh = @_half(slope), ul = u - uh, "
                            "sl = slope - sh;\n"
                            "            const float p = slope * u, "
                            "e = ((sh * uh - p) + sh * ul + sl * uh) + sl * ul;\n"
                            "            const float sum = high + p, back = sum - high;\n"
                          : "");
    if (low)
        soothi_export_say(job, "            low += ((high - (sum - back)) + (p - back)) + "
                               "(e + $_FLOAT(n + 1) * u);\n"
                               "            high = sum;\n"
                               "        }\n"
                               "        if (!k) {\n"
                               "            v = high + low;\n"
                               "            rest = low - (v - high);\n"
                               "            if (!(v >= least && v <= most)) {\n"
                               "                v = @_within(v, least, most);\n"
                               "                rest = 0.0f;\n"
                               "            }\n"
                               "        }\n");
    else
        soothi_export_say(job, "            high += slope * (u - $_FLOAT(n + 1));\n        }\n"
                               "        if (!k) v = @_within(high, least, most);\n");
    soothi_export_say(job, "    }\n    %s;\n}\n",
                      exact          ? low ? "@_add(v, rest, out, lost)" : "@_add(v, 0.0f, out, lost)"
                      : trees->start ? "*out += v"
                                     : "*out = v");
}

/* Writes the values of leaves that are not in the nodes, and a function that adds one to the sums. */
SOOTHI_LOCAL void soothi_export_say_leaves(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    uint32_t leaves;
    if (!soothi_export_by_leaf(trees)) return;
    soothi_export_largest_link(trees, &leaves);
    soothi_export_say(job, "\n/* By leaf: what it answers. */\nstatic const float @_value[%u] $_FLASH = {",
                      leaves * trees->width);
    soothi_export_say_values(job, 0);
    if (trees->low) {
        soothi_export_say(
            job, "\n/* By leaf: the low part of its answer. */\nstatic const float @_rest[%u] $_FLASH = {",
            leaves);
        soothi_export_say_values(job, 1);
    }
    if (trees->at) {
        soothi_export_say_planes(job, leaves);
        soothi_export_say_linear_leaf(job);
        return;
    }
    soothi_export_say(job, "\nstatic void @_leaf(uint32_t leaf, float *out%s) {\n",
                      exact ? ", float *lost" : "");
    if (trees->width == 1)
        soothi_export_say(job, "    @_add($_FLOAT(&@_value[leaf]), $_FLOAT(&@_rest[leaf]), out, lost);\n}\n");
    else
        soothi_export_say(job,
                          "    const float *value = @_value + leaf * %uu;\n    uint32_t t;\n"
                          "    for (t = 0; t < %uu; ++t) %s;\n}\n",
                          trees->width, trees->width,
                          !trees->start ? "out[t] = $_FLOAT(&value[t])"
                          : exact       ? "@_add($_FLOAT(&value[t]), 0.0f, &out[t], &lost[t])"
                                        : "out[t] += $_FLOAT(&value[t])");
}

/* Writes the statement that adds the value of tree k (branches) or of each tree (a table) to the sums. */
SOOTHI_LOCAL void soothi_export_say_sum(const soothi_export_job *job, uint32_t k) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0, by_leaf = soothi_export_by_leaf(trees);
    const int table = job->form == SOOTH_EXPORT_TABLE;
    char at[32], walk[96];
    if (trees->width > 1 || trees->targets == 1) sooth_text_format(at, sizeof at, "[0]");
    else if (table) sooth_text_format(at, sizeof at, "[k %%%% %uu]", trees->targets);
    else sooth_text_format(at, sizeof at, "[%u]", k % trees->targets);
    if (!table) sooth_text_format(walk, sizeof walk, "@_tree%u(x)", k);
    else
        sooth_text_format(walk, sizeof walk,
                          by_leaf ? "@_walk(%s, x)" : "$_FLOAT(&@_threshold[@_walk(%s, x)])",
                          !trees->start                            ? "0"
                          : soothi_export_bits(trees->nodes) == 16 ? "$_WORD16(&@_start[k])"
                                                                   : "$_WORD32(&@_start[k])");
    if (by_leaf)
        soothi_export_say(job, exact ? "@_leaf(%s%s, &out%s, &lost%s);\n" : "@_leaf(%s%s, &out%s);\n", walk,
                          trees->at ? ", x" : "", at, at);
    else if (exact) soothi_export_say(job, "@_add(%s, 0.0f, &out%s, &lost%s);\n", walk, at, at);
    else soothi_export_say(job, trees->start ? "out%s += %s;\n" : "out%s = %s;\n", at, walk);
}

SOOTHI_LOCAL void soothi_export_say_sums(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    /* bases of a plain sum lose the sign of zero, as if 0 had been added: the library does so at the end */
    const int plain = !(trees->flags & (SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_MEAN));
    const int loop = trees->start && job->form == SOOTH_EXPORT_TABLE;
    for (uint32_t t = 0; trees->start && t < job->targets; ++t) {
        soothi_export_say(job, "    out[%u] = %f;\n", t,
                          (double)(plain ? trees->base[t] + 0.0f : trees->base[t]));
        if (exact) soothi_export_say(job, "    lost[%u] = %f;\n", t, (double)trees->base[job->targets + t]);
    }
    for (uint32_t k = 0; k < (loop ? 1 : trees->trees); ++k) {
        soothi_export_say(job, loop ? "    for (k = 0; k < %uu; ++k) " : "    ", trees->trees);
        soothi_export_say_sum(job, k);
    }
}

/* soothi_ensemble_linked */
SOOTHI_LOCAL void soothi_export_say_ends(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    for (uint32_t t = 0; t < job->targets; ++t) {
        if (trees->flags & SOOTH_ENSEMBLE_MEAN) {
            soothi_export_say(job,
                              exact ? "    out[%u] = @_divide(out[%u], lost[%u], %u.0f);\n"
                                    : "    out[%u] = @_divide(out[%u], 0.0f, %u.0f);\n",
                              t, t, exact ? t : trees->each, trees->each);
            soothi_export_say(job, "    out[%u] = @_clip(out[%u], %f, %f);\n", t, t,
                              (double)trees->hull[2 * t], (double)trees->hull[2 * t + 1]);
        } else if (exact) {
            soothi_export_say(job, "    out[%u] += lost[%u];\n", t, t);
        } else if (trees->share > 0.0f) {
            soothi_export_say(job, "    out[%u] = @_clip(out[%u] * %f, %f, %f);\n", t, t,
                              (double)trees->share, (double)trees->hull[2 * t],
                              (double)trees->hull[2 * t + 1]);
        }
        if (trees->link == SOOTH_ENSEMBLE_LINK_EXP)
            soothi_export_say(job, "    out[%u] = @_exp(@_clip(out[%u], -104.0f, 88.7f));\n", t, t);
        if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC)
            soothi_export_say(job, "    out[%u] = @_logistic(out[%u]);\n", t, t);
    }
}

/* ---- plain sums ---- */

/* Switches to sums of floats: low parts of leaves are dropped, and the mean is a product. */
SOOTHI_LOCAL void soothi_export_make_plain(soothi_export_trees *trees) {
    if (trees->flags & SOOTH_ENSEMBLE_MEAN) trees->share = 1.0f / (float)trees->each;
    trees->flags &= ~(uint32_t)(SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_MEAN);
    trees->low = NULL;
}

/* Returns the value of leaf `node` for target t, as a float. */
SOOTHI_LOCAL float soothi_export_plain_leaf(const soothi_export_trees *trees, uint32_t node, uint32_t t) {
    return trees->value ? trees->value[(size_t)trees->node[node].u.at * trees->width + t]
                        : trees->node[node].u.value;
}

/* Predicts target t by plain sums, in the order of the written code. */
SOOTHI_LOCAL float soothi_export_plain(const soothi_export_trees *trees, const sooth_block *predictor,
                                       uint32_t t, const float *x) {
    const uint32_t step = trees->width > 1 ? 1 : trees->targets;
    float sum = trees->start ? trees->share > 0.0f ? trees->base[t] : trees->base[t] + 0.0f : 0.0f;
    for (uint32_t k = trees->width > 1 ? 0 : t; k < trees->trees; k += step) {
        uint32_t at = soothi_export_start(trees, k);
        while (trees->node[at].link & 1u) {
            const sooth_tree_node *node = trees->node + at;
            const float v = x[soothi_export_feature(trees, node)], limit = node->u.threshold;
            uint32_t set;
            at += node->link >> trees->shift;
            if (v <= v && soothi_export_asks(trees, node, &set))
                at += (uint32_t)!soothi_sets_contain(&trees->sets, set, v);
            else at += (uint32_t)(node->link & 2u ? !(v <= limit) : v > limit);
        }
        if (!trees->start) return soothi_export_plain_leaf(trees, at, t);
        sum += soothi_export_plain_leaf(trees, at, t);
    }
    if (trees->share > 0.0f) {
        const float *hull = trees->hull + 2 * (size_t)t;
        sum = sum * trees->share;
        sum = sum < hull[0] ? hull[0] : sum > hull[1] ? hull[1] : sum;
    }
    return trees->start ? soothi_ensemble_linked((const sooth_ensemble *)(const void *)predictor, sum) : sum;
}

/* Returns a bound of the difference between plain sums of target t and the model's, before a link or a
   transform. Let u = 2^-24, b the base of the sum, and m_k the largest absolute leaf value of tree k. Every
   partial sum is at most S = |b| + sum of m_k. Every addition has an error of at most u S (1 + n u) (Higham,
   Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2), so n additions have at most n u S.
   To this add the dropped low parts; for a mean the rounded 1 / n and the product, 2 u; and the model's own
   rounding, 2 u. */
SOOTHI_LOCAL double soothi_export_plain_error(const soothi_export_trees *trees, const float *low,
                                              uint32_t t) {
    const double u = 1.0 / 16777216.0, n = trees->width > 1 ? trees->trees : trees->each;
    const uint32_t step = trees->width > 1 ? 1 : trees->targets;
    const float *base = trees->base;
    double size = base ? soothi_abs((double)base[t]) : 0.0, dropped = 0.0;
    for (uint32_t k = trees->width > 1 ? 0 : t; k < trees->trees; k += step) {
        double most = 0.0, rest = 0.0;
        for (uint32_t i = soothi_export_start(trees, k); i < soothi_export_start(trees, k + 1); ++i) {
            if (trees->node[i].link & 1u) continue;
            const double v = soothi_abs((double)soothi_export_plain_leaf(trees, i, t));
            const double r = low ? soothi_abs((double)low[i]) : 0.0;
            most = v > most ? v : most;
            rest = r > rest ? r : rest;
        }
        size += most;
        dropped += rest;
    }
    const double share = trees->share > 0.0f ? 1.0 / n : 1.0;
    return ((n + 4.0) * u * (size + dropped) * (1.0 + (n + 4.0) * 4.0 * u) + dropped) * share + 1e-44;
}

/* ---- the kinds that are made of trees ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_tree(soothi_export_job *job) {
    soothi_export_trees *trees = &job->trees;
    uint32_t leaves = 0;
    soothi_export_open(job->parts.predictor, trees);
    if (trees->sets.first && job->form == SOOTH_EXPORT_TABLE) {
        const sooth_status status = soothi_export_check_kinds(job);
        if (status != SOOTH_OK) return status;
    }
    if (job->plain) soothi_export_make_plain(trees);
    if (trees->share > 0.0f) job->needs |= SOOTHI_EXPORT_CLIP;
    if (trees->flags & SOOTH_ENSEMBLE_EXACT) job->needs |= SOOTHI_EXPORT_ADD;
    if (trees->flags & SOOTH_ENSEMBLE_MEAN) job->needs |= SOOTHI_EXPORT_DIVIDE | SOOTHI_EXPORT_CLIP;
    if (trees->link == SOOTH_ENSEMBLE_LINK_EXP) job->needs |= SOOTHI_EXPORT_EXP;
    if (trees->link == SOOTH_ENSEMBLE_LINK_LOGISTIC) job->needs |= SOOTHI_EXPORT_LOGISTIC;
    uint32_t most = soothi_export_largest_link(trees, &leaves);
    job->bytes = 4 * (size_t)leaves * (trees->width + (trees->low ? 1 : 0));
    if (trees->at) job->bytes += 4 * (size_t)leaves + sizeof(soothi_linear_leaf) * (size_t)trees->planes;
    if (job->form == SOOTH_EXPORT_TABLE) {
        job->bytes += (size_t)trees->nodes * (4 + soothi_export_bits(most) / 8);
        if (trees->start) job->bytes += (size_t)trees->trees * (soothi_export_bits(trees->nodes) / 8);
        if (trees->sets.first) job->bytes += 4 * ((size_t)trees->set_count + 1) + trees->features;
    }
    if (trees->sets.first) job->bytes += 4 * (size_t)trees->sets.first[trees->set_count];
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_tree(const soothi_export_job *job) {
    soothi_export_say(job, "A regression tree");
}

SOOTHI_LOCAL void soothi_export_text_forest(const soothi_export_job *job) {
    if (job->trees.trees == 1) soothi_export_text_tree(job);
    else sooth_text_put(job->sink, "A forest of %u trees", job->trees.trees);
}

SOOTHI_LOCAL void soothi_export_text_boost(const soothi_export_job *job) {
    if (job->trees.trees == 1) soothi_export_text_tree(job);
    else sooth_text_put(job->sink, "%u boosted trees", job->trees.trees);
}

SOOTHI_LOCAL sooth_status soothi_export_code_tree(soothi_export_job *job) {
    const int table = job->form == SOOTH_EXPORT_TABLE;
    sooth_status status = SOOTH_OK;
    if (job->trees.sets.first) soothi_export_say_sets(job);
    if (table && job->trees.sets.first) status = soothi_export_say_categories(job);
    if (!table) status = soothi_export_say_branches(job);
    if (status != SOOTH_OK) return status;
    if (table) soothi_export_say_table(job);
    soothi_export_say_leaves(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    if (job->trees.flags & SOOTH_ENSEMBLE_EXACT) soothi_export_say(job, "    float lost[$_TARGETS];\n");
    if (job->trees.start && job->form == SOOTH_EXPORT_TABLE) soothi_export_say(job, "    uint32_t k;\n");
    soothi_export_say_sums(job);
    soothi_export_say_ends(job);
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

SOOTHI_LOCAL float soothi_export_near_tree(const soothi_export_job *job, uint32_t j, uint32_t number) {
    (void)job, (void)j, (void)number;
    return 0.0f;
}

/* ---- linear models ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_linear(soothi_export_job *job) {
    job->needs |= SOOTHI_EXPORT_PLANE;
    job->bytes = 4 * ((size_t)job->features + (size_t)job->features * job->targets);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_linear(const soothi_export_job *job) {
    soothi_export_say(job, "A linear model");
}

/* sooth_linear_predict_many */
SOOTHI_LOCAL sooth_status soothi_export_code_linear(soothi_export_job *job) {
    const sooth_linear *m = (const sooth_linear *)job->model;
    soothi_export_array(job, "mean", soothi_linear_mean(m), job->features);
    soothi_export_array(job, "slope", soothi_linear_slope(m), (size_t)job->features * job->targets);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    for (uint32_t t = 0; t < job->targets; ++t)
        soothi_export_say(job, "    out[%u] = %f + @_plane(@_slope + %u, @_mean, x, $_FEATURES);\n", t,
                          (double)soothi_linear_offset(m)[t], t * job->features);
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

SOOTHI_LOCAL float soothi_export_near_linear(const soothi_export_job *job, uint32_t j, uint32_t number) {
    (void)number;
    return soothi_linear_mean((const sooth_linear *)job->model)[j] - 0.5f;
}

/* ---- networks ---- */

SOOTHI_LOCAL void soothi_export_say_weights(soothi_export_job *job, uint32_t i) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
    size_t at = 0;
    char type[16] = "float";
    if (m->bits) sooth_text_format(type, sizeof type, "int%u_t", m->bits);
    soothi_export_say(job, "\nstatic const %s @_weight%u[%u] $_FLASH = {", type, i, l->outputs * l->inputs);
    for (size_t o = 0; o < l->outputs; ++o)
        for (size_t j = 0; j < l->inputs; ++j, ++at) {
            if (!m->bits) {
                soothi_export_element(job, at, sooth_mlp_weight(m, i, o, j));
            } else {
                soothi_export_next(job, at, 4);
                sooth_text_put(job->sink, "%d", soothi_mlp_integer(m, l->weights_at + at));
            }
        }
    soothi_export_say(job, "};\n");
    if (!l->biases_at) return;
    soothi_export_say(job, "static const float @_bias%u[%u] $_FLASH = {", i, l->outputs);
    for (size_t o = 0; o < l->outputs; ++o) soothi_export_element(job, o, sooth_mlp_bias(m, i, o) + 0.0f);
    soothi_export_say(job, "};\n");
}

/* Writes soothi_mlp_row_layer and soothi_mlp_row_integers, for layers of 4 neurons and more, of fewer, of
   integers. */
SOOTHI_LOCAL void soothi_export_say_layer_functions(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t narrow = 0;
    for (uint32_t i = 0; i < m->layers; ++i) narrow += (uint32_t)soothi_mlp_narrow(l + i);
    if (!m->bits && narrow < m->layers)
        soothi_export_say(job,
                          "\nstatic void @_layer(const float *weight, const float *bias, uint32_t inputs,\n"
                          "    uint32_t outputs, const float *x, float *out) {\n"
                          "    uint32_t o, i;\n"
                          "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                          "        float sum = bias ? $_FLOAT(bias + o) : 0.0f;\n"
                          "        for (i = 0; i < inputs; ++i) sum += x[i] * $_FLOAT(weight + i);\n"
                          "        out[o] = sum;\n"
                          "    }\n"
                          "}\n");
    if (!m->bits && narrow)
        soothi_export_say(job,
                          "\nstatic void @_few(const float *weight, const float *bias, uint32_t inputs,\n"
                          "    uint32_t outputs, const float *x, float *out) {\n"
                          "    uint32_t o, i, half;\n"
                          "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                          "        float lane[16] = {0.0f};\n"
                          "        for (i = 0; i < inputs; ++i)\n"
                          "            lane[i & 15u] += x[i] * $_FLOAT(weight + i);\n"
                          "        for (half = 8; half; half /= 2)\n"
                          "            for (i = 0; i < half; ++i) lane[i] += lane[i + half];\n"
                          "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + lane[0];\n"
                          "    }\n"
                          "}\n");
    if (!m->bits) return;
    soothi_export_say(job,
                      "\nstatic void @_integers(const int%u_t *weight, const float *bias, float of_input, "
                      "float of_sum, uint32_t inputs,\n"
                      "    uint32_t outputs, const float *x, float *out) {\n"
                      "    int16_t q[%u];\n    uint32_t o, i;\n"
                      "    for (i = 0; i < inputs; ++i) {\n"
                      "        const float v = @_clip(x[i] / of_input, -32767.0f, 32767.0f);\n"
                      "        if (!(v >= -32767.0f)) { /* NaN is no integer */\n"
                      "            for (o = 0; o < outputs; ++o) out[o] = v;\n"
                      "            return;\n"
                      "        }\n"
                      "        q[i] = (int16_t)(int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);\n"
                      "    }\n"
                      "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                      "        int%u_t sum = 0;\n"
                      "        for (i = 0; i < inputs; ++i)\n"
                      "            sum += (int32_t)$_WEIGHT(weight + i) * q[i];\n"
                      "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + of_sum * %s;\n"
                      "    }\n"
                      "}\n",
                      m->bits, m->widest, m->bits == 8 ? 32u : 64u,
                      m->bits == 8 ? "(float)sum"
                                   : "((float)(int32_t)((sum - (sum & 0xFFFFFF)) / 0x1000000) *\n"
                                     "            16777216.0f + (float)(int32_t)(sum & 0xFFFFFF))");
}

/* "    for (o = 0; o < 12; ++o) one[o] = @_tanh(one[o]);" */
SOOTHI_LOCAL void soothi_export_say_activation(const soothi_export_job *job, const sooth_mlp_layer *l,
                                               const char *y) {
    const uint32_t f = l->activation;
    if (f == SOOTH_MLP_LINEAR) return;
    soothi_export_say(job, "    for (o = 0; o < %u; ++o) ", l->outputs);
    if (f == SOOTH_MLP_RELU) soothi_export_say(job, "if (%s[o] <= 0.0f) %s[o] = 0.0f;\n", y, y);
    else if (f == SOOTH_MLP_LEAKY_RELU)
        soothi_export_say(job, "if (%s[o] < 0.0f) %s[o] *= %f;\n", y, y,
                          (double)((const sooth_mlp *)job->model)->leak);
    else
        soothi_export_say(job, "%s[o] = @_%s(%s[o])%s;\n", y,
                          f == SOOTH_MLP_SIGMOID ? "logistic"
                          : f == SOOTH_MLP_TANH  ? "tanh"
                                                 : "softplus",
                          y, f == SOOTH_MLP_AT_LEAST_ONE ? " + 1.0f" : "");
}

SOOTHI_LOCAL void soothi_export_say_network_sums(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    const char *x = "x";
    for (uint32_t i = 0; i < m->layers; ++i, ++l) {
        const char *y = i + 1 == m->layers ? "out" : i % 2 ? "other" : "one";
        soothi_export_say(job, l->biases_at ? "    @_%s(@_weight%u, @_bias%u" : "    @_%s(@_weight%u, 0",
                          m->bits                ? "integers"
                          : soothi_mlp_narrow(l) ? "few"
                                                 : "layer",
                          i, i);
        if (m->bits)
            soothi_export_say(job, ", %f, %f", (double)l->input_step,
                              (double)(l->weight_step * l->input_step));
        soothi_export_say(job, ", %u, %u, %s, %s);\n", l->inputs, l->outputs, x, y);
        soothi_export_say_activation(job, l, y);
        x = y;
    }
}

SOOTHI_LOCAL sooth_status soothi_export_open_mlp(soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    job->bits = m->bits;
    if (m->bits) job->needs |= SOOTHI_EXPORT_CLIP;
    for (size_t i = 0; i < m->layers; ++i) {
        const uint32_t f = l[i].activation;
        if (f == SOOTH_MLP_SIGMOID) job->needs |= SOOTHI_EXPORT_LOGISTIC;
        if (f == SOOTH_MLP_TANH) job->needs |= SOOTHI_EXPORT_TANH;
        if (f == SOOTH_MLP_SOFTPLUS || f == SOOTH_MLP_AT_LEAST_ONE) job->needs |= SOOTHI_EXPORT_SOFTPLUS;
        job->bytes += (size_t)l[i].outputs * l[i].inputs * (m->bits ? m->bits / 8 : 4);
        if (l[i].biases_at) job->bytes += 4 * (size_t)l[i].outputs;
    }
    return SOOTH_OK;
}

/* "A neural network of 12-12-2 neurons" */
SOOTHI_LOCAL void soothi_export_text_mlp(const soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    soothi_export_say(job, "A neural network of ");
    for (uint32_t i = 0; i < m->layers; ++i)
        soothi_export_say(job, i ? "-%u" : "%u", sooth_mlp_layers(m)[i].outputs);
    soothi_export_say(job, " neurons");
    if (m->bits)
        sooth_text_put(job->sink,
                       " with weights of %u bits, which move its outputs\n"
                       " * (before a transform of targets) by at most %G in the ranges it was made for\n * ",
                       m->bits, (double)m->error);
}

SOOTHI_LOCAL sooth_status soothi_export_code_mlp(soothi_export_job *job) {
    const sooth_mlp *m = (const sooth_mlp *)job->model;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t widest[2] = {0, 0}, activated = 0;
    for (uint32_t i = 0; i < m->layers; ++i) soothi_export_say_weights(job, i);
    soothi_export_say_layer_functions(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n");
    for (uint32_t i = 0; i < m->layers; ++i) {
        if (i + 1 < m->layers && l[i].outputs > widest[i % 2]) widest[i % 2] = l[i].outputs;
        activated |= l[i].activation != SOOTH_MLP_LINEAR;
    }
    /* the buffers that layers write to in turn; the last layer writes to the caller's */
    if (widest[0]) soothi_export_say(job, "    float one[%u];\n", widest[0]);
    if (widest[1]) soothi_export_say(job, "    float other[%u];\n", widest[1]);
    if (activated) soothi_export_say(job, "    uint32_t o;\n");
    soothi_export_say_network_sums(job);
    soothi_export_say(job, "}\n");
    return SOOTH_OK;
}

/* ---- support vectors ---- */

/* Returns the number of vectors written. Lanes without one (see sooth_svr_predict) add 0 K(0, x). This is 0,
   but NaN if K overflows or, except for RBF, if the row has an infinity. One vector of zeros represents
   them. */
SOOTHI_LOCAL uint32_t soothi_export_vectors(const sooth_svr *m) {
    return m->vectors + (m->kernel != SOOTH_SVR_RBF && m->vectors % SOOTH_SVR_LANES != 0);
}

SOOTHI_LOCAL sooth_status soothi_export_open_svr(soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    if (m->kernel == SOOTH_SVR_CALLBACK)
        return sooth_fail(job->env, SOOTH_BAD_ARGUMENT,
                          "the model's kernel is callback, a function of the host's, which cannot be "
                          "exported");
    if (m->vectors && m->kernel == SOOTH_SVR_RBF) job->needs |= SOOTHI_EXPORT_EXP2;
    if (m->vectors && m->kernel == SOOTH_SVR_POLYNOMIAL) job->needs |= SOOTHI_EXPORT_POWER;
    if (m->vectors && m->kernel == SOOTH_SVR_SIGMOID) job->needs |= SOOTHI_EXPORT_TANH;
    job->bytes = 4 * (size_t)soothi_export_vectors(m) * (job->features + 1u);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_svr(const soothi_export_job *job) {
    soothi_export_say(job, "A support vector regression of %u vectors",
                      ((const sooth_svr *)job->model)->vectors);
}

SOOTHI_LOCAL float soothi_export_near_svr(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    return m->vectors ? sooth_svr_vector(m, number % m->vectors, j) - 0.5f : 0.0f;
}

/* "@_tanh(0.5f * sum + 1.0f)": soothi_svr_curve */
SOOTHI_LOCAL void soothi_export_say_kernel(const soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    const double slope = (double)m->slope, coef0 = (double)m->coef0;
    switch (m->kernel) {
    case SOOTH_SVR_RBF: soothi_export_say(job, "@_exp2(%f * sum)", slope); break;
    case SOOTH_SVR_LINEAR: soothi_export_say(job, "(sum)"); break;
    case SOOTH_SVR_SIGMOID: soothi_export_say(job, "@_tanh(%f * sum + %f)", slope, coef0); break;
    default: soothi_export_say(job, "@_power(%f * sum + %f, %u)", slope, coef0, m->degree); break;
    }
}

/* sooth_svr_predict: sixteen lanes in turn, and each adds the columns of a vector in order. */
SOOTHI_LOCAL sooth_status soothi_export_code_svr(soothi_export_job *job) {
    const sooth_svr *m = (const sooth_svr *)job->model;
    const uint32_t count = soothi_export_vectors(m);
    size_t at = 0;
    if (count) {
        soothi_export_array(job, "coef", soothi_svr_coef(m), count);
        soothi_export_say(job, "\nstatic const float @_vector[%u] $_FLASH = {", count * job->features);
        for (size_t k = 0; k < count; ++k)
            for (size_t j = 0; j < job->features; ++j)
                soothi_export_element(job, at++, sooth_svr_vector(m, k, j));
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n"
                           "    float lane[16] = {0.0f};\n"
                           "    uint32_t j, k;\n"
                           "    for (j = 0; j < $_FEATURES; ++j)\n"
                           "        if (!(x[j] >= -$_INFINITY)) {\n"
                           "            out[0] = $_MISSING;\n"
                           "            return;\n"
                           "        }\n");
    if (count) {
        soothi_export_say(job,
                          "    for (k = 0; k < %u; ++k) {\n"
                          "        const float *v = @_vector + k * $_FEATURES;\n"
                          "        float sum = 0.0f;\n"
                          "        for (j = 0; j < $_FEATURES; ++j) {\n"
                          "            const float e = $_FLOAT(v + j)%s        }\n"
                          "        lane[k & 15u] += ",
                          count,
                          m->kernel == SOOTH_SVR_RBF ? " - x[j];\n            sum += e * e;\n"
                                                     : " * x[j];\n            sum += e;\n");
        soothi_export_say_kernel(job);
        soothi_export_say(job, " * $_FLOAT(@_coef + k);\n"
                               "    }\n");
    }
    soothi_export_say(job,
                      "    for (k = 8; k; k /= 2)\n"
                      "        for (j = 0; j < k; ++j) lane[j] += lane[j + k];\n"
                      "    out[0] = %f + lane[0];\n"
                      "}\n",
                      (double)m->offset);
    return SOOTH_OK;
}

/* ---- Gaussian processes ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_gauss(soothi_export_job *job) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    job->needs |= SOOTHI_EXPORT_EXP | (m->kernel == SOOTH_GAUSS_SQUARED ? 0u : SOOTHI_EXPORT_ROOT);
    job->bytes = 4 * ((size_t)m->points * (job->features + 1u) + job->features);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_gauss(const soothi_export_job *job) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    soothi_export_say(job, "The mean of a Gaussian process of %u %spoints", m->points,
                      m->inducing ? "inducing " : "");
}

SOOTHI_LOCAL float soothi_export_near_gauss(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    return sooth_gauss_point(m, number % m->points, j) - 0.5f;
}

/* sooth_gauss_predict and soothi_gauss_correlation: sixteen lanes in turn. */
SOOTHI_LOCAL sooth_status soothi_export_code_gauss(soothi_export_job *job) {
    static const char curve[SOOTH_GAUSS_KERNELS][96] = {
        "        u = @_root(3.0f * u);\n        u = (1.0f + u) * @_exp(-u);\n",
        "        u = @_exp(-@_root(u));\n",
        "        u = @_root(5.0f * u);\n        u = (1.0f + u + u * u * 0.333333343f) * @_exp(-u);\n",
        "        u = @_exp(-0.5f * u);\n"};
    const sooth_gauss *m = (const sooth_gauss *)job->model;
    size_t at = 0;
    soothi_export_array(job, "steep", soothi_gauss_steep(m), job->features);
    soothi_export_array(job, "alpha", soothi_gauss_alpha(m), m->points);
    soothi_export_say(job, "\nstatic const float @_point[%z] $_FLASH = {", (size_t)m->points * job->features);
    for (size_t k = 0; k < m->points; ++k)
        for (size_t j = 0; j < job->features; ++j)
            soothi_export_element(job, at++, sooth_gauss_point(m, k, j));
    soothi_export_say(job,
                      "};\n\nstatic void @_run(const float *x, float *out) {\n"
                      "    float lane[16] = {0.0f};\n"
                      "    uint32_t j, k;\n"
                      "    for (j = 0; j < $_FEATURES; ++j)\n"
                      "        if (!(x[j] >= -$_INFINITY)) {\n"
                      "            out[0] = $_MISSING;\n"
                      "            return;\n"
                      "        }\n"
                      "    for (k = 0; k < %u; ++k) {\n"
                      "        const float *v = @_point + k * $_FEATURES;\n"
                      "        float u = 0.0f;\n"
                      "        for (j = 0; j < $_FEATURES; ++j) {\n"
                      "            const float d = ($_FLOAT(v + j) - x[j]) * $_FLOAT(@_steep + j);\n"
                      "            u += d * d;\n"
                      "        }\n"
                      "        if (!(u < 1e9f)) u = 1e9f;\n",
                      m->points);
    soothi_export_say(job, curve[m->kernel]);
    soothi_export_say(job,
                      "        lane[k & 15u] += $_FLOAT(@_alpha + k) * u;\n"
                      "    }\n"
                      "    for (k = 8; k; k /= 2)\n"
                      "        for (j = 0; j < k; ++j) lane[j] += lane[j + k];\n"
                      "    out[0] = %f + lane[0];\n"
                      "}\n",
                      (double)m->mean);
    return SOOTH_OK;
}

/* ---- fuzzy networks ---- */

/* soothi_sofnn_fire */
SOOTHI_LOCAL void soothi_export_say_fire(const soothi_export_job *job) {
    soothi_export_say(job, "\n/* The logarithm of how much a rule fires; distances end at 1e15 widths. */\n"
                           "static float @_fire(const float *centre, const float *steep, const float *x) {\n"
                           "    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f}, sum, z;\n"
                           "    uint32_t i;\n"
                           "    for (i = 0; i < $_FEATURES; ++i) {\n"
                           "        z = (x[i] - $_FLOAT(centre + i)) * $_FLOAT(steep + i);\n"
                           "        lane[i & 3u] += z * z;\n"
                           "    }\n"
                           "    sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);\n"
                           "    if (!(sum < 1e30f))\n"
                           "        for (i = 0, sum = 0.0f; i < $_FEATURES; ++i) {\n"
                           "            z = @_clip(x[i] - $_FLOAT(centre + i), -3e38f, 3e38f);\n"
                           "            z = @_clip(z * $_FLOAT(steep + i), -1e15f, 1e15f);\n"
                           "            sum += z * z;\n"
                           "        }\n"
                           "    return -0.5f * sum;\n"
                           "}\n");
}

SOOTHI_LOCAL sooth_status soothi_export_open_sofnn(soothi_export_job *job) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    job->needs |= m->order ? SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_PLANE : SOOTHI_EXPORT_EXP;
    job->bytes = 4 * ((size_t)2 * job->features * (m->rules + m->order) +
                      job->targets * (m->rules * soothi_sofnn_width(m) + 2));
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_sofnn(const soothi_export_job *job) {
    soothi_export_say(job, "A fuzzy network of %u rules", ((const sooth_sofnn *)job->model)->rules);
}

SOOTHI_LOCAL float soothi_export_near_sofnn(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    return soothi_sofnn_centre(m)[number % m->rules * job->features + j] - 0.5f;
}

/* soothi_sofnn_run */
SOOTHI_LOCAL sooth_status soothi_export_code_sofnn(soothi_export_job *job) {
    const sooth_sofnn *m = (const sooth_sofnn *)job->model;
    const uint32_t width = (uint32_t)soothi_sofnn_width(m);
    const size_t numbers = (size_t)m->rules * job->features;
    soothi_export_say(job, "\n#define $_RULES %u\n", m->rules);
    if (m->order) soothi_export_array(job, "low", soothi_sofnn_low(m), job->features);
    if (m->order) soothi_export_array(job, "high", soothi_sofnn_high(m), job->features);
    soothi_export_array(job, "centre", soothi_sofnn_centre(m), numbers);
    soothi_export_array(job, "steep", soothi_sofnn_steep(m), numbers);
    soothi_export_array(job, "rule", soothi_sofnn_consequent(m), (size_t)m->rules * job->targets * width);
    soothi_export_array(job, "least", soothi_sofnn_least(m), job->targets);
    soothi_export_array(job, "most", soothi_sofnn_most(m), job->targets);
    soothi_export_say_fire(job);
    soothi_export_say(job,
                      "\n/* The mean of what rules answer, by how they fire beside the strongest. */\n"
                      "static void @_run(const float *x, float *out) {\n"
                      "    float share[$_RULES], best = 0.0f, sum = 0.0f;\n"
                      "%s    for (j = 0; j < $_RULES; ++j) {\n"
                      "        const uint32_t from = j * $_FEATURES;\n"
                      "        share[j] = @_fire(@_centre + from, @_steep + from, x);\n"
                      "        if (j == 0 || share[j] > best) best = share[j];\n"
                      "    }\n"
                      "    for (t = 0; t < $_TARGETS; ++t) out[t] = 0.0f;\n"
                      "    for (j = 0; j < $_RULES; ++j) {\n"
                      "        share[j] = share[j] - best < -20.0f ? 0.0f : @_exp(share[j] - best);\n"
                      "        sum += share[j];\n"
                      "        for (t = 0; t < $_TARGETS; ++t)\n",
                      m->order ? "    float inside[$_FEATURES];\n    uint32_t i, j, t;\n"
                               : "    uint32_t j, t;\n");
    soothi_export_say(
        job, "            out[t] += share[j] * $_FLOAT(@_rule + (j * $_TARGETS + t) * %u);\n    }\n", width);
    if (m->order)
        soothi_export_say(job,
                          "    for (i = 0; i < $_FEATURES; ++i)\n"
                          "        inside[i] = @_clip(x[i], $_FLOAT(@_low + i), $_FLOAT(@_high + i));\n"
                          "    for (i = 0; i < $_FEATURES; i += 64)\n"
                          "        for (j = 0; j < $_RULES; ++j)\n"
                          "            for (t = 0; share[j] > 0.0f && t < $_TARGETS; ++t)\n"
                          "                out[t] += share[j] * @_plane(\n"
                          "                    @_rule + (j * $_TARGETS + t) * %u + 1 + i, "
                          "@_centre + j * $_FEATURES + i, inside + i,\n"
                          "                    $_FEATURES - i < 64 ? $_FEATURES - i : 64);\n",
                          width);
    soothi_export_say(job, "    for (t = 0; t < $_TARGETS; ++t)\n"
                           "        out[t] = @_clip(out[t] / sum, $_FLOAT(@_least + t),\n"
                           "            $_FLOAT(@_most + t));\n"
                           "}\n");
    return SOOTH_OK;
}

/* ---- laws of scaling ---- */

SOOTHI_LOCAL sooth_status soothi_export_open_scaling(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const int power = m->law >= SOOTH_SCALING_POWER, known = m->machine.voltage[0] > 0.0f;
    if (soothi_scaling_in_ln(m->law) || (power && !known))
        job->needs |= SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOG;
    job->bytes =
        4 * (size_t)m->terms * (power ? 2 : 1) + (power && known ? 8 * (size_t)m->machine.levels : 0);
    return SOOTH_OK;
}

SOOTHI_LOCAL void soothi_export_text_scaling(const soothi_export_job *job) {
    soothi_export_say(job, "The law %s", sooth_scaling_law_name(((const sooth_scaling *)job->model)->law));
}

/* Returns threads, a frequency or a speed. */
SOOTHI_LOCAL float soothi_export_near_scaling(const soothi_export_job *job, uint32_t j, uint32_t number) {
    const sooth_scaling_machine *machine = &((const sooth_scaling *)job->model)->machine;
    return j == 0 ? (float)(number + 1) : j == 1 ? machine->frequency[number % machine->levels] : 0.5f;
}

/* soothi_scaling_sockets, soothi_scaling_level and soothi_scaling_voltage_f */
SOOTHI_LOCAL void soothi_export_say_machine(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const sooth_scaling_machine *machine = &m->machine;
    const int known = machine->voltage[0] > 0.0f;
    if (m->law >= SOOTH_SCALING_TIME_LOG)
        soothi_export_say(job,
                          "\n/* How many sockets of %u cores t threads keep at work. */\n"
                          "static float @_sockets(float t) {\n"
                          "    uint32_t k;\n"
                          "    if (!(t > 1.0f) || !(t < 1e9f)) return 1.0f;\n"
                          "    k = (uint32_t)(t / %u.0f);\n"
                          "    return (float)((float)k * %u.0f < t ? k + 1u : k);\n}\n",
                          machine->cores, machine->cores, machine->cores);
    if (m->law < SOOTH_SCALING_POWER) return;
    soothi_export_array(job, "unit", m->unit, m->terms);
    if (machine->levels > 1 && known) {
        soothi_export_array(job, "level", machine->frequency, machine->levels);
        soothi_export_array(job, "volts", machine->voltage, machine->levels);
    }
    soothi_export_say(job, "\nstatic float @_voltage(float f) {\n");
    if (machine->levels < 2 || !known) {
        soothi_export_say(
            job, "%s%f%s", known ? "    (void)f;\n    return " : "    return @_exp(0.2f * @_log(f / ",
            (double)(known ? machine->voltage[0] : machine->frequency[0]), known ? ";\n}\n" : "));\n}\n");
        return;
    }
    soothi_export_say(job, "    const float *at = @_level, *v = @_volts;\n"
                           "    float part = 0.0f;\n");
    if (machine->levels > 2)
        soothi_export_say(
            job, "    uint32_t i;\n    for (i = 0; i < %u && f >= $_FLOAT(at + 1); ++i, ++v) ++at;\n",
            machine->levels - 2);
    soothi_export_say(job, "    if (f > $_FLOAT(at)) part = 1.0f;\n"
                           "    if (f > $_FLOAT(at) && f < $_FLOAT(at + 1))\n"
                           "        part = (f - $_FLOAT(at)) / ($_FLOAT(at + 1) - $_FLOAT(at));\n"
                           "    return $_FLOAT(v) + part * ($_FLOAT(v + 1) - $_FLOAT(v));\n"
                           "}\n");
}

/* Returns the terms of soothi_scaling_terms_f; %u is the cores of a socket. */
SOOTHI_LOCAL const char *soothi_export_law(uint32_t law) {
    switch (law) {
    case SOOTH_SCALING_AMDAHL: return "    term[1] = 1.0f / t;\n";
    case SOOTH_SCALING_GUSTAFSON: return "    term[1] = t;\n";
    case SOOTH_SCALING_POWER_LAW: return "    term[1] = @_log(t);\n";
    case SOOTH_SCALING_TIME:
        return "    term[0] = 1.0f / g;\n"
               "    term[1] = 1.0f / (g * t);\n";
    case SOOTH_SCALING_TIME_LOG:
        return "    term[1] = @_log(t);\n"
               "    term[2] = @_log(g);\n"
               "    term[3] = term[1] * term[1];\n"
               "    term[4] = k - 1.0f;\n";
    case SOOTH_SCALING_POWER:
        return "    term[0] = k * v;\n"
               "    term[1] = (%u.0f - k) * v;\n"
               "    term[2] = v * v * f * t;\n";
    case SOOTH_SCALING_POWER_PRINTED:
        return "    term[0] = k * v;\n"
               "    term[1] = (%u.0f - k) * v;\n"
               "    term[2] = k * v * v * f * t;\n";
    case SOOTH_SCALING_POWER_SPEED:
        return "    term[1] = k;\n"
               "    term[2] = g;\n"
               "    term[3] = k * g;\n"
               "    term[4] = v * v * f * t;\n"
               "    term[5] = v * v * x[2];\n";
    default:
        return "    term[0] = 1.0f / t;\n"
               "    term[1] = (t - 1.0f) / t;\n"
               "    term[2] = t - 1.0f;\n";
    }
}

/* sooth_scaling_predict */
SOOTHI_LOCAL sooth_status soothi_export_code_scaling(soothi_export_job *job) {
    const sooth_scaling *m = (const sooth_scaling *)job->model;
    const uint32_t law = m->law, cores = m->machine.cores, link = soothi_scaling_of(law).link;
    const int power = law >= SOOTH_SCALING_POWER;
    soothi_export_array(job, "coefficient", m->b, m->terms);
    soothi_export_say_machine(job);
    soothi_export_say(job, "\nstatic void @_run(const float *x, float *out) {\n"
                           "    const float t = x[0];\n");
    if (power) soothi_export_say(job, "    const float f = x[1], v = @_voltage(f);\n");
    if (law == SOOTH_SCALING_TIME || law == SOOTH_SCALING_TIME_LOG || law == SOOTH_SCALING_POWER_SPEED)
        soothi_export_say(job, "    const float g = x[1] / %f;\n", (double)m->machine.frequency[0]);
    if (law >= SOOTH_SCALING_TIME_LOG) soothi_export_say(job, "    const float k = @_sockets(t);\n");
    soothi_export_say(job, "    float term[%u], sum = 0.0f;\n    uint32_t j;\n    term[0] = 1.0f;\n",
                      m->terms);
    soothi_export_say(job, soothi_export_law(law), m->machine.sockets);
    if (law == SOOTH_SCALING_TIME_LOG && cores < 2) soothi_export_say(job, "    term[5] = 0.0f;\n");
    if (law == SOOTH_SCALING_TIME_LOG && cores > 1)
        soothi_export_say(job, "    term[5] = (k - 1.0f) * (%u.0f * k - t) / %u.0f;\n", cores, cores - 1);
    soothi_export_say(job, "    for (j = 0; j < %u; ++j)\n", m->terms);
    soothi_export_say(job,
                      power ? "        sum += $_FLOAT(@_coefficient + j) * (term[j] / $_FLOAT(@_unit + j));\n"
                            : "        sum += $_FLOAT(@_coefficient + j) * term[j];\n");
    soothi_export_say(job, link == SOOTHI_SCALING_LN        ? "    out[0] = @_exp(sum);\n}\n"
                           : link == SOOTHI_SCALING_INVERSE ? "    out[0] = 1.0f / sum;\n}\n"
                                                            : "    out[0] = sum;\n}\n");
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
