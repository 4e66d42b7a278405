/* export/writer.h - the state of an export, and the writing of C text.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every line X(tree, TREE, ...) of SOOTH_KIND_LIST has four functions, in export/trees.h or export/models.h
 * (those of best are in export/c.h, since its members are whole models), that export/c.h calls:
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
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_WRITER_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_WRITER_IMPLEMENTED
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
    return sooth_fail(env, SOOTH_CANCELLED, "the export was cut short: writing failed");
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
    const char *whole;         /* integer type of trees (export/integers_convert.h); NULL: floats */
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

/* Returns the word of the predictor's kind, for messages: "svr". */
SOOTHI_LOCAL const char *soothi_export_kind_word(const sooth_block *predictor) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: return #name;
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: return "unknown";
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
#define SOOTHI_EXPORT_PRODUCTS 262144u

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

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
