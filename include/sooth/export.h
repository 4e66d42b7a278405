/* export.h - a model as a C source file that needs nothing, or as a model file of XGBoost.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_export_c writes a model, its transforms included, as one file of C99 that is also C++11: firmware and
 * schedulers compile it and link nothing. It answers with the very bits that sooth_model_predict answers
 * with, and carries rows to prove it with.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/export.h"
 *     #include <stdio.h>
 *
 *     static int to_file(void *user, const char *text, size_t size) {
 *         return fwrite(text, 1, size, (FILE *)user) != size;
 *     }
 *
 *     int main(void) {
 *         const float x[] = {1, 2, 3, 4}, y[] = {10, 10, 20, 20};
 *         sooth_export_c_options options;
 *         sooth_table table;
 *         sooth_tree *tree;
 *         sooth_sink sink;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         sooth_table_init(&table, x, 4, 1);
 *         table.y = y;
 *         table.targets = 1;
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence);
 *         memset(&options, 0, sizeof options);
 *         options.name = "watts";                                  float watts_predict(const float *row);
 *         options.form = SOOTH_EXPORT_BRANCHES;
 *         memset(&sink, 0, sizeof sink);
 *         sink.user = stdout;
 *         sink.write_fn = to_file;
 *         if (sooth_export_c(&env, &tree->head, &options, &sink) != SOOTH_OK) return puts(env.sentence);
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * What is exported:
 *   trees, forests, boosted trees   to C bit for bit, links included; to XGBoost: see sooth_export_xgboost
 *   linear models                   to C bit for bit (as their float predict path does it)
 *   networks                        to C bit for bit, of floats or of integers (sooth_mlp_quantise)
 *   support vectors                 to C bit for bit; not with a kernel of the host's
 *   fuzzy networks                  to C bit for bit
 *   transforms of scale.h           to C bit for bit, logarithms included
 *   cards                           names, units and training ranges stand in the first comment
 *   quantiles of a forest           not exported: the rows that leaves kept stay behind
 *
 * Costs: one pass over the model, a few tens of nanoseconds a node, nearly all of it for writing decimals.
 * Allocates the rows of the self-test and, for branches, 4 bytes per node of the largest tree. The file:
 * about 25 bytes a node as a table, 60 as branches, 15 a weight or a number of a vector or rule.
 */
#include "model.h"
#include "quantise.h"

#ifndef SOOTH_EXPORT_H
#define SOOTH_EXPORT_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SOOTH_PREDICT_ONLY

/* ---- C ---- */

typedef enum sooth_export_form {
    SOOTH_EXPORT_TABLE = 0, /* constant arrays and a loop: 6 or 8 bytes a node, one load per level */
    SOOTH_EXPORT_BRANCHES   /* a function of if and return for each tree: thresholds stand in the code. Blocks
                             nest at most as deep as the logarithm of a tree's leaves, since it is the smaller
                             side of a node that is nested */
} sooth_export_form;

/* Zero bytes are the defaults. */
typedef struct sooth_export_c_options {
    const char *name;        /* what names begin with: a letter, then letters, digits, '_'; NULL: "model" */
    uint32_t form;           /* a sooth_export_form, of trees; all other models have one */
    uint32_t no_selftest;    /* 1: leave NAME_selftest and its rows out */
    const sooth_table *test; /* rows for the self-test, 1 to 10,000; NULL: eight made from the ranges on the
                                card and the thresholds, and, for trees, one that lacks everything */
} sooth_export_c_options;

/* Writes the file to the sink. For the name "model" it defines

     MODEL_FEATURES, MODEL_TARGETS
     float model_predict(const float *row);              row: MODEL_FEATURES floats, NaN where missing;
                                                         with one target
     void model_predict(const float *row, float *out);   with several
     int model_selftest(void);                           0, or the number (from 1) of the first row
                                                         whose answer has other bits

   and nothing else that is not static. It includes <stdint.h> and, where bits are looked at, <string.h>. As
   everywhere, multiplication and addition must stay apart (-ffp-contract=off) where there is one of: a mean,
   a link, a transform of targets, any model but trees; the self-test finds out. options NULL: defaults. The
   model must be sound (sooth_model_check). SOOTH_BAD_ARGUMENT and a sentence: wrong options, a model that
   cannot be exported, test rows whose answer is NaN. SOOTH_CANCELLED: the sink refused. */
SOOTH_API sooth_status sooth_export_c(sooth_env *env, const sooth_model *model,
                                      const sooth_export_c_options *options, sooth_sink *sink);

/* The same model with a network of integers of 8 or 16 bits (sooth_mlp_quantise), made for the training
   ranges on its card: for every row within them answer t is off by at most error[t] from the model's, by
   interval arithmetic (the transforms' own rounding apart); where targets are learned as logarithms error[t]
   is a share, of the answer or, after log1p, of 1 + the answer. error: `targets` numbers, or NULL.
   SOOTH_BAD_ARGUMENT: no network of floats, or no ranges. The new model is the caller's. */
SOOTH_API sooth_status sooth_export_quantise(sooth_env *env, const sooth_model *model, uint32_t bits,
                                             float *error, sooth_model **small);

/* ---- XGBoost ---- */

typedef struct sooth_export_xgboost_options {
    const char *const *names; /* one per feature; NULL: those of the card, or none */
    uint32_t approximate;     /* 1: a mean may be exported as the sum of its leaves / trees */
} sooth_export_xgboost_options;

/* Writes a tree, a forest or boosted trees as XGBoost's JSON, which versions 1.7 to 3 load. A split x <= t
   becomes x < the next float above t, and the sums of XGBoost are ours: margins (predict with
   output_margin=True) are equal bit for bit, and so are answers without a link.
   Exceptions, all of them about rounding:
     - exact and low-part ensembles become plain sums of leaves rounded to float;
     - means are refused unless `approximate` is set: leaves are divided by the number of trees and rounded;
     - links go through XGBoost's own exp (objectives count:poisson and reg:logistic);
     - infinity in a row, which XGBoost refuses by default, goes the other way where a threshold is infinity.
   Leaves that answer for several targets become a tree for each. A base that base_score cannot say becomes a
   tree of one leaf in front. Refused with SOOTH_BAD_ARGUMENT: linear models, and transforms. SOOTH_CANCELLED:
   the sink refused. Allocates nothing. */
SOOTH_API sooth_status sooth_export_xgboost(sooth_env *env, const sooth_model *model,
                                            const sooth_export_xgboost_options *options, sooth_sink *sink);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_EXPORT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- what is common to all models made of trees ---- */

/* A sooth_tree or a sooth_ensemble. A tree alone answers with its leaf: it has no base, and nothing is
   summed. */
typedef struct soothi_export_trees {
    const sooth_tree_node *node; /* NULL: not made of trees */
    const uint32_t *start;       /* [trees + 1]; NULL: a tree alone */
    uint32_t nodes, trees, shift, features, targets;
    uint32_t width; /* targets that a leaf answers for */
    uint32_t flags, link;
    const float *value;                     /* of leaves that answer for several targets, by node.u.at */
    const float *low, *cover, *base, *hull; /* as in sooth_ensemble, NULL where there are none */
} soothi_export_trees;

SOOTHI_LOCAL void soothi_export_open(const sooth_block *predictor, soothi_export_trees *trees) {
    memset(trees, 0, sizeof *trees);
    trees->features = predictor->features;
    trees->targets = predictor->targets;
    if (soothi_model_kind(predictor) == SOOTH_KIND_TREE) {
        const sooth_tree *tree = (const sooth_tree *)(const void *)predictor;
        trees->node = soothi_tree_nodes(tree);
        trees->nodes = tree->nodes;
        trees->trees = 1;
        trees->shift = tree->shift;
        trees->width = predictor->targets;
        if (trees->width > 1) trees->value = soothi_tree_values(tree);
    } else if (soothi_model_kind(predictor) == SOOTH_KIND_FOREST ||
               soothi_model_kind(predictor) == SOOTH_KIND_BOOST) {
        const sooth_ensemble *e = (const sooth_ensemble *)(const void *)predictor;
        trees->node = soothi_ensemble_nodes(e);
        trees->start = sooth_ensemble_start(e);
        trees->nodes = e->nodes;
        trees->trees = e->trees;
        trees->shift = e->shift;
        trees->width = soothi_ensemble_width(e);
        trees->flags = e->flags;
        trees->link = e->link;
        if (trees->width > 1) trees->value = soothi_ensemble_values(e);
        trees->low = soothi_ensemble_low(e);
        trees->cover = sooth_ensemble_cover(e);
        trees->base = sooth_ensemble_base(e);
        trees->hull = soothi_ensemble_hull(e);
    }
}

SOOTHI_LOCAL uint32_t soothi_export_start(const soothi_export_trees *trees, uint32_t k) {
    return trees->start ? trees->start[k] : k ? trees->nodes : 0;
}

SOOTHI_LOCAL uint32_t soothi_export_feature(const soothi_export_trees *trees, const sooth_tree_node *node) {
    return (node->link & ((1u << trees->shift) - 1u)) >> 2;
}

/* Of tree k: comparisons on its longest path. In breadth-first order a level ends where the children of the
   last one do. */
SOOTHI_LOCAL uint32_t soothi_export_depth(const soothi_export_trees *trees, uint32_t k) {
    const uint32_t first = soothi_export_start(trees, k), count = soothi_export_start(trees, k + 1) - first;
    uint32_t i, next = 1, level = 1, depth = 0;
    for (i = 0; i < count; ++i) {
        if (i == level) {
            ++depth;
            level = next;
        }
        next += trees->node[first + i].link & 1u ? 2 : 0;
    }
    return depth;
}

/* The next float above t; the largest is followed by infinity, and that by itself. */
SOOTHI_LOCAL float soothi_export_above(float t) {
    const uint32_t bits = soothi_bits(t);
    if (bits << 1 == 0) return soothi_of_bits(1);
    if (bits == SOOTHI_FLOAT_INFINITE) return t;
    return soothi_of_bits(bits >> 31 ? bits - 1 : bits + 1);
}

SOOTHI_LOCAL sooth_status soothi_export_done(sooth_env *env, const sooth_sink *sink) {
    if (!sink->failed) return SOOTH_OK;
    return soothi_fail(env, SOOTH_CANCELLED, "the export was cut short: its sink took no more");
}

/* ---- writing C ---- */

typedef struct soothi_export_job {
    sooth_env *env;
    sooth_sink *sink;
    const char *name;
    sooth_model_parts parts;
    soothi_export_trees trees;
    const sooth_linear *linear; /* NULL: not a linear model, */
    const sooth_mlp *mlp;       /* not a network, */
    const sooth_svr *svr;       /* not support vectors, */
    const sooth_sofnn *sofnn;   /* not a fuzzy network */
    uint32_t features, targets, form;
    uint32_t column; /* characters in the present line of an array */
    size_t tests;    /* rows of the self-test; 0: none */
    const float *row, *answer;
} soothi_export_job;

/* Text with '@' for the name and '$' for the name in capitals. */
SOOTHI_LOCAL void soothi_export_say(const soothi_export_job *job, const char *text) {
    while (*text) {
        size_t n = 0;
        while (text[n] && text[n] != '@' && text[n] != '$') ++n;
        sooth_text_write(job->sink, text, n);
        text += n;
        if (*text == '@') sooth_text_put(job->sink, "%s", job->name);
        if (*text == '$') {
            const char *c = job->name;
            for (; *c; ++c) sooth_text_put(job->sink, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        }
        if (*text) ++text;
    }
}

/* The same with a number wherever '%' stands. */
SOOTHI_LOCAL void soothi_export_say_count(const soothi_export_job *job, const char *text, uint32_t count) {
    char room[256];
    size_t n = 0;
    for (; *text && n < sizeof room - 12; ++text) {
        if (*text == '%') n += sooth_text_format(room + n, 12, "%u", count);
        else room[n++] = *text;
    }
    room[n] = 0;
    soothi_export_say(job, room);
}

/* A float as JSON and C read it back: shortest digits, and a point or an exponent. */
SOOTHI_LOCAL size_t soothi_export_digits(char text[SOOTH_NUMBER_TEXT], float v) {
    size_t n = sooth_text_from_float(text, v), i;
    for (i = 0; i < n; ++i)
        if (text[i] == '.' || text[i] == 'e') return n;
    text[n++] = '.';
    text[n++] = '0';
    text[n] = 0;
    return n;
}

SOOTHI_LOCAL void soothi_export_float(const soothi_export_job *job, float v) {
    char text[SOOTH_NUMBER_TEXT];
    if (soothi_nan((double)v)) soothi_export_say(job, "$_MISSING");
    else if (!soothi_finite((double)v)) soothi_export_say(job, v > 0.0f ? "$_INFINITY" : "-$_INFINITY");
    else {
        soothi_export_digits(text, v);
        sooth_text_put(job->sink, "%sf", text);
    }
}

/* Between two elements of an array: lines of about a hundred characters. */
SOOTHI_LOCAL void soothi_export_next(soothi_export_job *job, size_t i, uint32_t width) {
    if (i == 0 || job->column + width > 100) {
        soothi_export_say(job, i ? ",\n    " : "\n    ");
        job->column = 4;
    } else {
        soothi_export_say(job, ", ");
    }
    job->column += width + 2;
}

/* One number of an array; texts are measured only roughly. */
SOOTHI_LOCAL void soothi_export_element(soothi_export_job *job, size_t i, float v) {
    soothi_export_next(job, i, 11);
    soothi_export_float(job, v);
}

SOOTHI_LOCAL void soothi_export_array(soothi_export_job *job, const char *name, const float *v,
                                      size_t count) {
    size_t i;
    soothi_export_say(job, "\nstatic const float @_");
    sooth_text_put(job->sink, "%s[%z] ", name, count);
    soothi_export_say(job, "$_FLASH = {");
    for (i = 0; i < count; ++i) soothi_export_element(job, i, v[i]);
    soothi_export_say(job, "};\n");
}

/* The type that holds numbers up to this one. */
SOOTHI_LOCAL const char *soothi_export_type(uint32_t most) {
    return most <= 0xFFFFu ? "uint16_t" : "uint32_t";
}

/* ---- the first comment ---- */

/* Can this character of n bytes stand in a comment as it is? It must be sound UTF-8 that neither ends the
   comment, begins another, ends a line, nor turns the direction of writing (which can make code look like
   something else: Boucher and Anderson, Trojan Source, 2021). */
SOOTHI_LOCAL int soothi_export_harmless(const unsigned char *c, size_t n, char before) {
    switch (n) {
    case 0: return 0;
    case 1:
        if (c[0] == '/') return before != '*' && before != '/';
        return c[0] >= 0x20 && c[0] != 0x7F && c[0] != '\\' && c[0] != '?' && !(c[0] == '*' && before == '/');
    case 2: return c[0] != 0xC2 || c[1] >= 0xA0; /* more controls */
    case 3:
        return !(c[0] == 0xE2 && (c[1] == 0x80 || c[1] == 0x81)) && /* marks of direction, ends of lines */
               !(c[0] == 0xEF && c[1] == 0xBB && c[2] == 0xBF);     /* the byte order mark */
    default: return 1;
    }
}

SOOTHI_LOCAL void soothi_export_comment(const soothi_export_job *job, const char *text) {
    char before = 0;
    while (*text) {
        const size_t n = soothi_model_utf8((const unsigned char *)text);
        const int fine = soothi_export_harmless((const unsigned char *)text, n, before);
        sooth_text_write(job->sink, fine ? text : "_", fine ? n : 1);
        before = fine && n == 1 ? *text : 0;
        text += n ? n : 1;
    }
}

/* "clock [MHz], 135 to 1530 in training" for a feature or, from `features` on, a target. */
SOOTHI_LOCAL void soothi_export_say_column(const soothi_export_job *job, uint32_t at) {
    const sooth_card *card = job->parts.card;
    const int target = at >= job->features;
    const uint32_t i = target ? at - job->features : at;
    const char *name = card ? sooth_card_text(card, target ? SOOTH_CARD_TARGET : SOOTH_CARD_FEATURE, i) : "";
    const char *unit =
        card ? sooth_card_text(card, target ? SOOTH_CARD_TARGET_UNIT : SOOTH_CARD_FEATURE_UNIT, i) : "";
    const float *range = card ? sooth_card_range(card) + 2 * (size_t)at : NULL;
    if (*name) soothi_export_comment(job, name);
    else sooth_text_put(job->sink, target ? "target %u" : "feature %u", i + 1);
    if (*unit) {
        soothi_export_say(job, " [");
        soothi_export_comment(job, unit);
        soothi_export_say(job, "]");
    }
    if (range && range[0] <= range[1])
        sooth_text_put(job->sink, ", %G to %G in training", (double)range[0], (double)range[1]);
}

/* Is the number of a leaf needed, and not its value alone? */
SOOTHI_LOCAL int soothi_export_by_leaf(const soothi_export_trees *trees) {
    return trees->width > 1 || trees->low;
}

/* What a table holds for a node. A leaf has a link, too, where its number is needed; bit 0 stays 0. */
SOOTHI_LOCAL uint32_t soothi_export_link(const soothi_export_trees *trees, uint32_t i, uint32_t *leaves) {
    if (trees->node[i].link & 1u) return trees->node[i].link;
    return soothi_export_by_leaf(trees) ? (*leaves)++ << 1 : 0;
}

SOOTHI_LOCAL uint32_t soothi_export_largest_link(const soothi_export_trees *trees, uint32_t *leaves) {
    uint32_t i, most = 0, link;
    *leaves = 0;
    for (i = 0; i < trees->nodes; ++i) {
        link = soothi_export_link(trees, i, leaves);
        if (link > most) most = link;
    }
    return most;
}

SOOTHI_LOCAL size_t soothi_export_mlp_bytes(const sooth_mlp *m) {
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    size_t bytes = 0, i;
    for (i = 0; i < m->layers; ++i) {
        bytes += (size_t)l[i].outputs * l[i].inputs * (m->bits ? m->bits / 8 : 4);
        if (l[i].biases_at) bytes += 4 * (size_t)l[i].outputs;
    }
    return bytes;
}

/* Vectors that are written. Lanes without one (see sooth_svr_predict) add 0 K(0, x), which is 0, but NaN
   where K overflows or, unless it is RBF, where the row has an infinity. One vector of zeros stands for
   them. */
SOOTHI_LOCAL uint32_t soothi_export_vectors(const sooth_svr *m) {
    return m->vectors + (m->kernel != SOOTH_SVR_RBF && m->vectors % SOOTH_SVR_LANES != 0);
}

/* Bytes of the arrays that predicting needs. */
SOOTHI_LOCAL size_t soothi_export_bytes(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_sofnn *fuzzy = job->sofnn;
    size_t bytes = 0;
    uint32_t leaves = 0, most;
    if (job->mlp) return soothi_export_mlp_bytes(job->mlp);
    if (job->svr) return 4 * (size_t)soothi_export_vectors(job->svr) * (job->features + 1u);
    if (fuzzy)
        return 4 * ((size_t)2 * job->features * (fuzzy->rules + fuzzy->order) +
                    job->targets * (fuzzy->rules * soothi_sofnn_width(fuzzy) + 2));
    if (job->linear) return 4 * ((size_t)job->features + (size_t)job->features * job->targets);
    most = soothi_export_largest_link(trees, &leaves);
    if (job->form == SOOTH_EXPORT_TABLE) {
        bytes = (size_t)trees->nodes * (most <= 0xFFFFu ? 6 : 8);
        if (trees->start) bytes += (size_t)trees->trees * (trees->nodes <= 0xFFFFu ? 2 : 4);
    }
    return bytes + 4 * (size_t)leaves * (trees->width + (trees->low ? 1 : 0));
}

SOOTHI_LOCAL void soothi_export_say_cost(const soothi_export_job *job) {
    sooth_cost cost = sooth_model_cost((const sooth_model *)(const void *)job->parts.predictor), more;
    uint32_t k, functions = cost.functions;
    if (job->trees.node) {
        const uint32_t scaled = cost.comparisons;
        cost.comparisons = 0;
        for (k = 0; k < job->trees.trees; ++k) cost.comparisons += soothi_export_depth(&job->trees, k);
        if (cost.comparisons > scaled) cost.comparisons = scaled;
    }
    if (job->parts.input) {
        more = sooth_scale_cost(job->parts.input);
        functions += more.functions;
        cost.comparisons += more.comparisons;
    }
    if (job->parts.target) {
        more = sooth_scale_cost(job->parts.target);
        functions += more.functions;
        cost.comparisons += more.comparisons;
    }
    sooth_text_put(job->sink, " * One answer takes at most %u comparisons", cost.comparisons);
    if (!job->trees.node) sooth_text_put(job->sink, " and %u multiplications", cost.multiply_adds);
    if (functions) sooth_text_put(job->sink, ", %u calls of exp or log", functions);
    sooth_text_put(job->sink, "; the arrays take %z bytes", soothi_export_bytes(job));
    if (job->trees.node) sooth_text_put(job->sink, " (%u nodes)", job->trees.nodes);
    soothi_export_say(job, ".\n");
}

/* "A neural network of 12-12-2 neurons" */
SOOTHI_LOCAL void soothi_export_say_layers(const soothi_export_job *job) {
    const sooth_mlp_layer *l = sooth_mlp_layers(job->mlp);
    uint32_t i;
    soothi_export_say(job, "A neural network of ");
    for (i = 0; i < job->mlp->layers; ++i) sooth_text_put(job->sink, i ? "-%u" : "%u", l[i].outputs);
    soothi_export_say(job, " neurons");
    if (!job->mlp->bits) return;
    sooth_text_put(job->sink, " with weights of %u bits, which move its outputs\n", job->mlp->bits);
    soothi_export_say(job, " * (before a transform of targets) ");
    sooth_text_put(job->sink, "by at most %G in the ranges it was made for\n * ", (double)job->mlp->error);
}

SOOTHI_LOCAL void soothi_export_say_head(const soothi_export_job *job) {
    const uint32_t trees = job->trees.trees;
    uint32_t i;
    soothi_export_say(job, "/* ");
    for (i = 0; i < job->targets && i < 16; ++i) {
        if (i) soothi_export_say(job, "; ");
        soothi_export_say_column(job, job->features + i);
    }
    if (i < job->targets) sooth_text_put(job->sink, "; and %u more", job->targets - i);
    soothi_export_say(job, "\n *\n * ");
    switch (soothi_model_kind(job->parts.predictor)) {
    case SOOTH_KIND_LINEAR: soothi_export_say(job, "A linear model"); break;
    case SOOTH_KIND_MLP: soothi_export_say_layers(job); break;
    case SOOTH_KIND_SVR:
        sooth_text_put(job->sink, "A support vector regression of %u vectors", job->svr->vectors);
        break;
    case SOOTH_KIND_SOFNN: sooth_text_put(job->sink, "A fuzzy network of %u rules", job->sofnn->rules); break;
    case SOOTH_KIND_TREE: soothi_export_say(job, "A regression tree"); break;
    case SOOTH_KIND_FOREST: sooth_text_put(job->sink, "A forest of %u trees", trees); break;
    default: sooth_text_put(job->sink, "%u boosted trees", trees); break;
    }
    soothi_export_say(
        job, ", written by sooth " SOOTH_VERSION_TEXT ". Generated code belongs to whoever generated it:\n"
             " * use this file under any terms you like; the licence of sooth does not extend to it.\n *\n");
    soothi_export_say_cost(job);
    soothi_export_say(job, " * No memory, no library, no state. ");
    soothi_export_say(job, job->trees.node ? "A missing value is NaN."
                                           : "With a missing value (NaN) the answer is NaN.");
    soothi_export_say(
        job, " Compile without -ffast-math and with\n * -ffp-contract=off, or the last digits may change");
    soothi_export_say(job, job->tests ? ": @_selftest() tells. */\n" : ". */\n");
    if (!job->parts.card) return;
    soothi_export_say(job, "\n/* The row:\n");
    for (i = 0; i < job->features; ++i) {
        sooth_text_put(job->sink, " *   [%u] ", i);
        soothi_export_say_column(job, i);
        soothi_export_say(job, "\n");
    }
    soothi_export_say(job, " */\n");
}

/* Where constants and variables live in different memories, the arrays stay in the former. */
SOOTHI_LOCAL void soothi_export_say_flash(const soothi_export_job *job) {
    const uint32_t bits = job->mlp ? job->mlp->bits : 0;
    soothi_export_say(job, "#if defined(__AVR__)\n"
                           "#  include <avr/pgmspace.h>\n"
                           "#  define $_FLASH PROGMEM\n"
                           "#  define $_FLOAT(p) pgm_read_float(p)\n");
    if (bits == 8) soothi_export_say(job, "#  define $_WEIGHT(p) ((int8_t)pgm_read_byte(p))\n");
    if (bits == 16) soothi_export_say(job, "#  define $_WEIGHT(p) ((int16_t)pgm_read_word(p))\n");
    soothi_export_say(job, "#else\n"
                           "#  define $_FLASH\n"
                           "#  define $_FLOAT(p) (*(p))\n");
    if (bits) soothi_export_say(job, "#  define $_WEIGHT(p) (*(p))\n");
    soothi_export_say(job, "#endif\n\n");
}

SOOTHI_LOCAL void soothi_export_say_declarations(const soothi_export_job *job) {
    soothi_export_say(job, "#include <stdint.h>\n#include <string.h>\n\n");
    soothi_export_say_count(job, "#define $_FEATURES %\n", job->features);
    soothi_export_say_count(job, "#define $_TARGETS %\n\n", job->targets);
    soothi_export_say(job, "#if defined(__GNUC__)\n"
                           "#  define $_INFINITY __builtin_inff()\n"
                           "#  define $_MISSING __builtin_nanf(\"\")\n"
                           "#else\n"
                           "#  define $_INFINITY ((float)(1e300 * 1e300))\n"
                           "#  define $_MISSING ($_INFINITY * 0.0f)\n"
                           "#endif\n\n");
    if (!job->trees.node) soothi_export_say_flash(job);
    soothi_export_say(job, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    soothi_export_say(job, job->targets == 1 ? "float @_predict(const float *row);\n"
                                             : "void @_predict(const float *row, float *out);\n");
    if (job->tests) soothi_export_say(job, "int @_selftest(void);\n");
    soothi_export_say(job, "#ifdef __cplusplus\n}\n#endif\n");
}

/* ---- the functions that a file may need: num.h, scale.h and ensemble.h over again ---- */

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
#define SOOTHI_EXPORT_LAST SOOTHI_EXPORT_PLANE

SOOTHI_LOCAL const char *soothi_export_function(unsigned which) {
    switch (which) {
    case SOOTHI_EXPORT_CLIP:
        return "static float @_clip(float v, float least, float most) {\n"
               "    if (v < least) return least;\n"
               "    return v > most ? most : v;\n"
               "}\n";
    case SOOTHI_EXPORT_BITS:
        return "static uint32_t @_bits(float v) {\n"
               "    uint32_t bits;\n"
               "    memcpy(&bits, &v, sizeof bits);\n"
               "    return bits;\n"
               "}\n\n"
               "static float @_float(uint32_t bits) {\n"
               "    float v;\n"
               "    memcpy(&v, &bits, sizeof v);\n"
               "    return v;\n"
               "}\n";
    case SOOTHI_EXPORT_PARTS:
        return "/* e^v = 2^n (1 + what this returns) */\n"
               "static float @_exp_parts(float v, uint32_t *n) {\n"
               "    const float whole = 12582912.0f;\n"
               "    float k, r, q;\n"
               "    *n = @_bits(v * 1.44269504f + whole) - @_bits(whole);\n"
               "    k = (float)(int32_t)*n;\n"
               "    r = (v - k * 0.693359375f) - k * -2.12194440e-4f;\n"
               "    q = 1.37874938e-3f;\n"
               "    q = q * r + 8.36938433e-3f;\n"
               "    q = q * r + 4.16689254e-2f;\n"
               "    q = q * r + 0.166665152f;\n"
               "    q = q * r + 0.499999911f;\n"
               "    return r + r * r * q;\n"
               "}\n\n"
               "static float @_power_of_two(uint32_t n) { return @_float((n + 127u) << 23); }\n";
    case SOOTHI_EXPORT_EXP:
        return "static float @_exp(float v) {\n"
               "    uint32_t n, half;\n"
               "    const float p = 1.0f + @_exp_parts(@_clip(v, -104.0f, 104.0f), &n);\n"
               "    half = (n + 256u) / 2u - 128u;\n"
               "    return p * @_power_of_two(half) * @_power_of_two(n - half);\n"
               "}\n";
    case SOOTHI_EXPORT_LOGISTIC:
        return "static float @_logistic(float v) {\n"
               "    uint32_t n;\n"
               "    const float p = @_exp_parts(-@_clip(v, -87.0f, 87.0f), &n), z = @_power_of_two(n);\n"
               "    return v < -87.0f ? 0.0f : 1.0f / ((1.0f + z) + z * p);\n"
               "}\n";
    case SOOTHI_EXPORT_EXPM1:
        return "/* e^v - 1 for v >= 0, mirrored below */\n"
               "static float @_expm1(float v) {\n"
               "    const float a = v < 0.0f ? -v : v;\n"
               "    uint32_t n;\n"
               "    const float p = @_exp_parts(@_clip(a, 0.0f, 89.0f), &n), half = @_power_of_two(n - 1u);\n"
               "    const float r = ((half - 0.5f) + half * p) * 2.0f;\n"
               "    if (a < 7.4505806e-9f) return v;\n"
               "    return v < 0.0f ? -r : r;\n"
               "}\n";
    case SOOTHI_EXPORT_LOG_PARTS:
        return "/* log(v) + extra log(2) + c, for the bits of v */\n"
               "static float @_log_parts(uint32_t bits, int32_t extra, float c) {\n"
               "    const uint32_t k = ((bits - 0x3F2AAAABu + 0x40000000u) >> 23) - 128u;\n"
               "    const float f = @_float(bits - (k << 23)) - 1.0f, s = f * f;\n"
               "    const float e = (float)((int32_t)k + extra);\n"
               "    float p = -0.128930315f;\n"
               "    p = p * f + 0.139868975f;\n"
               "    p = p * f - 0.121839724f;\n"
               "    p = p * f + 0.140053064f;\n"
               "    p = p * f - 0.166805059f;\n"
               "    p = p * f + 0.200104460f;\n"
               "    p = p * f - 0.249997973f;\n"
               "    p = p * f + 0.333332151f;\n"
               "    return e * 0.693359375f + (f - (0.5f * s - (f * s * p + (e * -2.12194440e-4f + c))));\n"
               "}\n";
    case SOOTHI_EXPORT_LOG:
        return "static float @_log(float v) {\n"
               "    if (v < 0.0f) return $_MISSING;\n"
               "    if (!(v > 0.0f)) return v >= 0.0f ? -$_INFINITY : v;\n"
               "    if (v > 3.4028235e38f) return v;\n"
               "    if (v < 1.17549435e-38f) return @_log_parts(@_bits(v * 8388608.0f), -23, 0.0f);\n"
               "    return @_log_parts(@_bits(v), 0, 0.0f);\n"
               "}\n";
    case SOOTHI_EXPORT_LOG1P:
        return "/* log(1 + v) for v >= 0, mirrored below */\n"
               "static float @_log1p(float v) {\n"
               "    const float a = v < 0.0f ? -v : v, u = 1.0f + a, w = u - 1.0f;\n"
               "    const float c = (1.0f - (u - w)) + (a - w);\n"
               "    float r;\n"
               "    if (!(a > 0.0f && a <= 3.4028235e38f)) return v;\n"
               "    r = @_log_parts(@_bits(u), 0, c / u);\n"
               "    return v < 0.0f ? -r : r;\n"
               "}\n";
    case SOOTHI_EXPORT_ADD:
        return "/* Adds v + rest to sum + lost, keeping what rounding takes away. */\n"
               "static void @_add(float v, float rest, float *sum, float *lost) {\n"
               "    const float s = *sum + v, back = s - *sum;\n"
               "    *lost += (*sum - (s - back)) + (v - back) + rest;\n"
               "    *sum = s;\n"
               "}\n";
    case SOOTHI_EXPORT_DIVIDE:
        return "/* (sum + lost) / n, rounded once */\n"
               "static float @_divide(float sum, float lost, float n) {\n"
               "    const float q = sum / n;\n"
               "    float qh = q * 4097.0f, nh = n * 4097.0f, ql, nl, p, e;\n"
               "    if (!(q > -1e30f && q < 1e30f)) return q;\n"
               "    qh -= qh - q;\n"
               "    ql = q - qh;\n"
               "    nh -= nh - n;\n"
               "    nl = n - nh;\n"
               "    p = q * n;\n"
               "    e = ((qh * nh - p) + qh * nl + ql * nh) + ql * nl;\n"
               "    return q + (((sum - p) - e) + lost) / n;\n"
               "}\n";
    case SOOTHI_EXPORT_TANH:
        return "static float @_tanh(float v) {\n"
               "    const float a = @_clip(v < 0.0f ? -v : v, 0.0f, 10.0f), s = a * a;\n"
               "    uint32_t n;\n"
               "    float p = @_exp_parts(a + a, &n), r;\n"
               "    const float z = @_power_of_two(n), large = 1.0f - 2.0f / ((z + 1.0f) + z * p);\n"
               "    p = -5.70009183e-3f;\n"
               "    p = p * s + 2.06341185e-2f;\n"
               "    p = p * s - 5.37379384e-2f;\n"
               "    p = p * s + 0.133314162f;\n"
               "    p = p * s - 0.333332807f;\n"
               "    r = a < 0.625f ? a + a * s * p : large;\n"
               "    return @_float(@_bits(r) | (@_bits(v) & 0x80000000u));\n"
               "}\n";
    case SOOTHI_EXPORT_SOFTPLUS:
        return "/* log(1 + e^v) */\n"
               "static float @_softplus(float v) {\n"
               "    const float e = @_exp(v > 0.0f ? -v : v), u = 1.0f + e, w = u - 1.0f;\n"
               "    const float c = (1.0f - (u - w)) + (e - w);\n"
               "    return (v > 0.0f ? v : 0.0f) + @_log_parts(@_bits(u), 0, c / u);\n"
               "}\n";
    case SOOTHI_EXPORT_EXP2:
        return "/* 2^v for v <= 0 */\n"
               "static float @_exp2(float v) {\n"
               "    const float whole = 12582912.0f;\n"
               "    float n, f, g, p;\n"
               "    if (!(v > -125.0f)) v = -125.0f;\n"
               "    n = v + whole;\n"
               "    f = v - (n - whole);\n"
               "    g = f * f;\n"
               "    p = f * 0.00132695213f + 0.00967129134f;\n"
               "    p = p * g + (f * 0.0555071086f + 0.240222469f);\n"
               "    p = (p * g + f * 0.693147004f) + 1.0f;\n"
               "    return @_float(@_bits(p) + (@_bits(n) << 23));\n"
               "}\n";
    case SOOTHI_EXPORT_POWER:
        return "static float @_power(float v, uint32_t n) {\n"
               "    float p = 1.0f;\n"
               "    for (; n; n >>= 1, v = v * v)\n"
               "        if (n & 1u) p = p * v;\n"
               "    return p;\n"
               "}\n";
    case SOOTHI_EXPORT_PLANE:
        return "/* sum slope[j] (x[j] - centre[j]) */\n"
               "static float @_plane(const float *slope, const float *centre, const float *x,\n"
               "    uint32_t count) {\n"
               "    float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f};\n"
               "    uint32_t j;\n"
               "    for (j = 0; j < count; ++j)\n"
               "        lane[j & 3u] += $_FLOAT(slope + j) * (x[j] - $_FLOAT(centre + j));\n"
               "    return (lane[0] + lane[2]) + (lane[1] + lane[3]);\n"
               "}\n";
    default: return "";
    }
}

SOOTHI_LOCAL unsigned soothi_export_kernel_needs(const sooth_svr *m) {
    switch (m && m->vectors ? m->kernel : (uint32_t)SOOTH_SVR_LINEAR) {
    case SOOTH_SVR_RBF: return SOOTHI_EXPORT_EXP2 | SOOTHI_EXPORT_BITS;
    case SOOTH_SVR_POLYNOMIAL: return SOOTHI_EXPORT_POWER;
    case SOOTH_SVR_SIGMOID: return SOOTHI_EXPORT_TANH;
    default: return 0;
    }
}

SOOTHI_LOCAL unsigned soothi_export_activation_needs(const sooth_mlp *m) {
    unsigned needs = m && m->bits ? SOOTHI_EXPORT_CLIP : 0u;
    uint32_t i;
    for (i = 0; m && i < m->layers; ++i) {
        const uint32_t f = sooth_mlp_layers(m)[i].activation;
        if (f == SOOTH_MLP_SIGMOID) needs |= SOOTHI_EXPORT_LOGISTIC;
        if (f == SOOTH_MLP_TANH) needs |= SOOTHI_EXPORT_TANH;
        if (f == SOOTH_MLP_SOFTPLUS || f == SOOTH_MLP_AT_LEAST_ONE)
            needs |= SOOTHI_EXPORT_SOFTPLUS | SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOG_PARTS;
    }
    return needs;
}

SOOTHI_LOCAL unsigned soothi_export_scale_needs(const sooth_scale *scale, int invert) {
    unsigned needs = scale && scale->clip ? SOOTHI_EXPORT_CLIP : 0u;
    uint32_t j;
    for (j = 0; scale && j < scale->head.features; ++j) {
        const uint32_t function = soothi_scale_function(sooth_scale_columns(scale)[j].transform);
        if (function == 1) needs |= invert ? SOOTHI_EXPORT_EXPM1 : SOOTHI_EXPORT_LOG1P;
        if (function == 2) needs |= invert ? SOOTHI_EXPORT_EXP : SOOTHI_EXPORT_LOG;
    }
    return needs;
}

SOOTHI_LOCAL void soothi_export_say_functions(const soothi_export_job *job) {
    unsigned needs = soothi_export_scale_needs(job->parts.input, 0) |
                     soothi_export_scale_needs(job->parts.target, 1),
             bit;
    const uint32_t flags = job->trees.flags;
    if (flags & SOOTH_ENSEMBLE_EXACT) needs |= SOOTHI_EXPORT_ADD;
    if (flags & SOOTH_ENSEMBLE_MEAN) needs |= SOOTHI_EXPORT_DIVIDE | SOOTHI_EXPORT_CLIP;
    if (job->trees.link == SOOTH_LINK_EXP) needs |= SOOTHI_EXPORT_EXP;
    if (job->trees.link == SOOTH_LINK_LOGISTIC) needs |= SOOTHI_EXPORT_LOGISTIC;
    needs |= soothi_export_activation_needs(job->mlp) | soothi_export_kernel_needs(job->svr);
    if (job->sofnn) needs |= SOOTHI_EXPORT_EXP;
    if (job->linear || (job->sofnn && job->sofnn->order)) needs |= SOOTHI_EXPORT_PLANE;
    if (needs & (SOOTHI_EXPORT_EXP | SOOTHI_EXPORT_LOGISTIC | SOOTHI_EXPORT_EXPM1 | SOOTHI_EXPORT_TANH))
        needs |= SOOTHI_EXPORT_PARTS | SOOTHI_EXPORT_BITS | SOOTHI_EXPORT_CLIP;
    if (needs & (SOOTHI_EXPORT_LOG | SOOTHI_EXPORT_LOG1P))
        needs |= SOOTHI_EXPORT_LOG_PARTS | SOOTHI_EXPORT_BITS;
    for (bit = 1; bit <= SOOTHI_EXPORT_LAST; bit <<= 1) {
        if (!(needs & bit)) continue;
        soothi_export_say(job, "\n");
        soothi_export_say(job, soothi_export_function(bit));
    }
}

/* ---- trees as tables ---- */

SOOTHI_LOCAL void soothi_export_say_links(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    uint32_t i, leaves = 0, most = soothi_export_largest_link(trees, &leaves);
    soothi_export_say(job, "\n/* By node. Of an inner one: bit 0 is 1; bit 1 is 1 where a missing value goes "
                           "right; then the feature;\n");
    soothi_export_say_count(
        job, "   from bit % on how many nodes further the left child stands, which the right one follows.",
        trees->shift);
    soothi_export_say(job, soothi_export_by_leaf(trees) ? " Of a leaf: 2 x its\n   number. */\n"
                                                        : " Of a leaf: 0. */\n");
    sooth_text_put(job->sink, "static const %s ", soothi_export_type(most));
    soothi_export_say_count(job, "@_link[%] = {", trees->nodes);
    leaves = 0;
    for (i = 0; i < trees->nodes; ++i) {
        soothi_export_next(job, i, most <= 0xFFFFu ? 6 : 11);
        sooth_text_put(job->sink, "%uu", soothi_export_link(trees, i, &leaves));
    }
    soothi_export_say(job, "};\n");
}

SOOTHI_LOCAL void soothi_export_say_table(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    uint32_t i;
    soothi_export_say_links(job);
    soothi_export_say(job,
                      soothi_export_by_leaf(trees)
                          ? "\n/* By node: the threshold; up to it, left. */"
                          : "\n/* By node: the threshold, up to which left; or of a leaf its answer. */");
    soothi_export_say_count(job, "\nstatic const float @_threshold[%] = {", trees->nodes);
    for (i = 0; i < trees->nodes; ++i)
        soothi_export_element(
            job, i,
            soothi_export_by_leaf(trees) && !(trees->node[i].link & 1u) ? 0.0f : trees->node[i].u.threshold);
    soothi_export_say(job, "};\n");
    if (trees->start) {
        sooth_text_put(job->sink, "\n/* Where each tree begins. */\nstatic const %s ",
                       soothi_export_type(trees->nodes));
        soothi_export_say_count(job, "@_start[%] = {", trees->trees);
        for (i = 0; i < trees->trees; ++i) {
            soothi_export_next(job, i, 6);
            sooth_text_put(job->sink, "%uu", trees->start[i]);
        }
        soothi_export_say(job, "};\n");
    }
    soothi_export_say(job, "\n/* The leaf that a row ends in, below node `at`. */\n"
                           "static uint32_t @_walk(uint32_t at, const float *x) {\n"
                           "    uint32_t link = @_link[at];\n"
                           "    while (link & 1u) {\n");
    soothi_export_say_count(job, "        const float v = x[(link & %u) >> 2];\n", (1u << trees->shift) - 1u);
    soothi_export_say_count(job,
                            "        at += (link >> %) + (uint32_t)(link & 2u ? !(v <= @_threshold[at]) : v "
                            "> @_threshold[at]);\n",
                            trees->shift);
    soothi_export_say(job, "        link = @_link[at];\n"
                           "    }\n"
                           "    return ");
    soothi_export_say(job, soothi_export_by_leaf(trees) ? "link >> 1;\n}\n" : "at;\n}\n");
}

/* ---- trees as branches ---- */

/* "x[3] > 2.5f", true for those who go to the side `right`. */
SOOTHI_LOCAL void soothi_export_say_condition(const soothi_export_job *job, const sooth_tree_node *node,
                                              int right) {
    const int missing_here = (int)(node->link >> 1 & 1u) == right;
    sooth_text_put(job->sink, missing_here ? "!(x[%u] %s " : "x[%u] %s ",
                   soothi_export_feature(&job->trees, node), right != missing_here ? ">" : "<=");
    soothi_export_float(job, node->u.threshold);
    if (missing_here) soothi_export_say(job, ")");
}

/* "return 2.5f;", or the number of the leaf. */
SOOTHI_LOCAL void soothi_export_say_return(const soothi_export_job *job, uint32_t i, const uint32_t *size) {
    soothi_export_say(job, "return ");
    if (soothi_export_by_leaf(&job->trees)) soothi_export_say_count(job, "%u", size[0]);
    else soothi_export_float(job, job->trees.node[i].u.value);
    soothi_export_say(job, ";\n");
}

/* size[i]: the leaves below node i of the tree; of a leaf, whose 1 goes without saying, 2^31 + its number, so
   that leaves can be told by it. Children stand behind their parents. */
SOOTHI_LOCAL void soothi_export_measure(const soothi_export_trees *trees, uint32_t k, uint32_t *leaves,
                                        uint32_t *size) {
    const uint32_t first = soothi_export_start(trees, k), count = soothi_export_start(trees, k + 1) - first;
    uint32_t i;
    for (i = 0; i < count; ++i)
        if (!(trees->node[first + i].link & 1u)) size[i] = 0x80000000u + (*leaves)++;
    for (i = count; i-- > 0;) {
        const uint32_t link = trees->node[first + i].link, left = i + (link >> trees->shift);
        if (!(link & 1u)) continue;
        size[i] = (size[left] >> 31 ? 1 : size[left]) + (size[left + 1] >> 31 ? 1 : size[left + 1]);
    }
}

SOOTHI_LOCAL void soothi_export_indent(const soothi_export_job *job, uint32_t level) {
    for (; level; --level) soothi_export_say(job, "    ");
}

/* One tree. Of every node the side with fewer leaves stands in the braces, and the other one follows: so
   braces nest at most log2(leaves) deep, and a stack of 32 nodes is enough. */
SOOTHI_LOCAL void soothi_export_say_tree(const soothi_export_job *job, uint32_t k, const uint32_t *size) {
    const soothi_export_trees *trees = &job->trees;
    const sooth_tree_node *node = trees->node + soothi_export_start(trees, k);
    uint32_t later[32], depth = 0, at = 0;
    soothi_export_say(job, soothi_export_by_leaf(trees) ? "\nstatic uint32_t " : "\nstatic float ");
    soothi_export_say_count(job, "@_tree%(const float *x) {\n", k);
    if (!(node[0].link & 1u)) soothi_export_say(job, "    (void)x;\n");
    for (;;) {
        if (node[at].link & 1u) {
            const uint32_t left = at + (node[at].link >> trees->shift);
            const uint32_t sizes[2] = {size[left] >> 31 ? 1 : size[left],
                                       size[left + 1] >> 31 ? 1 : size[left + 1]};
            const int right = sizes[1] < sizes[0];
            const uint32_t small = right ? left + 1 : left, large = right ? left : left + 1;
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "if (");
            soothi_export_say_condition(job, node + at, right);
            soothi_export_say(job, ") ");
            if (sizes[right] == 1) {
                uint32_t leaf = size[small] & 0x7FFFFFFFu;
                soothi_export_say_return(job, (uint32_t)(node - trees->node) + small, &leaf);
                at = large;
            } else {
                soothi_export_say(job, "{\n");
                later[depth++] = large;
                at = small;
            }
        } else {
            uint32_t leaf = size[at] & 0x7FFFFFFFu;
            soothi_export_indent(job, depth + 1);
            soothi_export_say_return(job, (uint32_t)(node - trees->node) + at, &leaf);
            if (depth == 0) break;
            at = later[--depth];
            soothi_export_indent(job, depth + 1);
            soothi_export_say(job, "}\n");
        }
    }
    soothi_export_say(job, "}\n");
}

SOOTHI_LOCAL sooth_status soothi_export_say_branches(soothi_export_job *job) {
    uint32_t k, most = 0, leaves = 0, *size;
    for (k = 0; k < job->trees.trees; ++k) {
        const uint32_t count = soothi_export_start(&job->trees, k + 1) - soothi_export_start(&job->trees, k);
        if (count > most) most = count;
    }
    size = (uint32_t *)soothi_alloc(job->env, most, sizeof *size);
    if (!size) return soothi_no_memory(job->env, "the export of a tree", soothi_product(most, sizeof *size));
    for (k = 0; k < job->trees.trees && !job->sink->failed; ++k) {
        soothi_export_measure(&job->trees, k, &leaves, size);
        soothi_export_say_tree(job, k, size);
    }
    soothi_free(job->env, size, most, sizeof *size);
    return SOOTH_OK;
}

/* ---- sums ---- */

/* The elements of an array with what leaves answer, or with its low parts. */
SOOTHI_LOCAL void soothi_export_say_values(soothi_export_job *job, int low) {
    const soothi_export_trees *trees = &job->trees;
    size_t done = 0;
    uint32_t i, t;
    for (i = 0; i < trees->nodes; ++i) {
        const sooth_tree_node *node = trees->node + i;
        for (t = 0; !(node->link & 1u) && t < trees->width; ++t)
            soothi_export_element(job, done++,
                                  low            ? trees->low[i]
                                  : trees->value ? trees->value[(size_t)node->u.at * trees->width + t]
                                                 : node->u.value);
    }
    soothi_export_say(job, "};\n");
}

/* What leaves say, where it does not stand in the nodes; and a function that adds it to the sums. */
SOOTHI_LOCAL void soothi_export_say_leaves(soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    uint32_t leaves;
    if (!soothi_export_by_leaf(trees)) return;
    soothi_export_largest_link(trees, &leaves);
    sooth_text_put(job->sink, "\n/* By leaf: what it answers. */\nstatic const float %s_value[%z] = {",
                   job->name, (size_t)leaves * trees->width);
    soothi_export_say_values(job, 0);
    if (trees->low) {
        soothi_export_say_count(
            job, "\n/* By leaf: the low part of its answer. */\nstatic const float @_rest[%] = {", leaves);
        soothi_export_say_values(job, 1);
    }
    soothi_export_say(job, exact ? "\nstatic void @_leaf(uint32_t leaf, float *out, float *lost) {\n"
                                 : "\nstatic void @_leaf(uint32_t leaf, float *out) {\n");
    if (trees->width == 1) {
        soothi_export_say(job, "    @_add(@_value[leaf], @_rest[leaf], out, lost);\n}\n");
        return;
    }
    soothi_export_say_count(job, "    const float *value = @_value + (size_t)leaf * %u;\n    uint32_t t;\n",
                            trees->width);
    soothi_export_say_count(job, "    for (t = 0; t < %u; ++t) ", trees->width);
    soothi_export_say(job, !trees->start ? "out[t] = value[t];\n}\n"
                           : exact       ? "@_add(value[t], 0.0f, &out[t], &lost[t]);\n}\n"
                                         : "out[t] += value[t];\n}\n");
}

/* "@_tree3(x)", or in a table what stands for tree number k, or for the loop's. */
SOOTHI_LOCAL void soothi_export_say_walk(const soothi_export_job *job, uint32_t k, const char *x) {
    const int table = job->form == SOOTH_EXPORT_TABLE, value = table && !soothi_export_by_leaf(&job->trees);
    if (value) soothi_export_say(job, "@_threshold[");
    if (!table) soothi_export_say_count(job, "@_tree%(", k);
    else soothi_export_say(job, job->trees.start ? "@_walk(@_start[k], " : "@_walk(0, ");
    sooth_text_put(job->sink, "%s)", x);
    if (value) soothi_export_say(job, "]");
}

/* The statement that adds the answer of tree k (branches) or of each tree (a table) to the sums. */
SOOTHI_LOCAL void soothi_export_say_sum(const soothi_export_job *job, uint32_t k, const char *x) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    char at[32];
    if (trees->width > 1 || trees->targets == 1) sooth_text_format(at, sizeof at, "[0]");
    else if (job->form == SOOTH_EXPORT_TABLE) sooth_text_format(at, sizeof at, "[k %% %uu]", trees->targets);
    else sooth_text_format(at, sizeof at, "[%u]", k % trees->targets);
    if (soothi_export_by_leaf(trees)) {
        soothi_export_say(job, "@_leaf(");
        soothi_export_say_walk(job, k, x);
        sooth_text_put(job->sink, exact ? ", &out%s, &lost%s);\n" : ", &out%s);\n", at, at);
    } else if (exact) {
        soothi_export_say(job, "@_add(");
        soothi_export_say_walk(job, k, x);
        sooth_text_put(job->sink, ", 0.0f, &out%s, &lost%s);\n", at, at);
    } else {
        sooth_text_put(job->sink, trees->start ? "out%s += " : "out%s = ", at);
        soothi_export_say_walk(job, k, x);
        soothi_export_say(job, ";\n");
    }
}

/* Numbers that a plain sum begins with lose the sign of zero: as if 0 had been added, which the library does
   in the end. */
SOOTHI_LOCAL float soothi_export_base(const soothi_export_trees *trees, uint32_t t) {
    const int plain = !(trees->flags & (SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_MEAN));
    return plain ? trees->base[t] + 0.0f : trees->base[t];
}

SOOTHI_LOCAL void soothi_export_say_sums(const soothi_export_job *job, const char *x) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    uint32_t t, k;
    for (t = 0; trees->start && t < job->targets; ++t) {
        soothi_export_say_count(job, "    out[%] = ", t);
        soothi_export_float(job, soothi_export_base(trees, t));
        soothi_export_say(job, ";\n");
        if (!exact) continue;
        soothi_export_say_count(job, "    lost[%] = ", t);
        soothi_export_float(job, trees->base[job->targets + t]);
        soothi_export_say(job, ";\n");
    }
    if (job->form == SOOTH_EXPORT_TABLE) {
        soothi_export_say(job, "    ");
        if (trees->start) soothi_export_say_count(job, "for (k = 0; k < %u; ++k) ", trees->trees);
        soothi_export_say_sum(job, 0, x);
    } else {
        for (k = 0; k < trees->trees; ++k) {
            soothi_export_say(job, "    ");
            soothi_export_say_sum(job, k, x);
        }
    }
}

/* soothi_ensemble_answer */
SOOTHI_LOCAL void soothi_export_say_answers(const soothi_export_job *job) {
    const soothi_export_trees *trees = &job->trees;
    const int exact = (trees->flags & SOOTH_ENSEMBLE_EXACT) != 0;
    const uint32_t count = trees->width < trees->targets ? trees->trees / trees->targets : trees->trees;
    uint32_t t;
    for (t = 0; t < job->targets; ++t) {
        if (trees->flags & SOOTH_ENSEMBLE_MEAN) {
            sooth_text_put(job->sink,
                           exact ? "    out[%u] = %s_divide(out[%u], lost[%u], %u.0f);\n"
                                 : "    out[%u] = %s_divide(out[%u], 0.0f, %u.0f);\n",
                           t, job->name, t, exact ? t : count, count);
            sooth_text_put(job->sink, "    out[%u] = %s_clip(out[%u], ", t, job->name, t);
            soothi_export_float(job, trees->hull[2 * t]);
            soothi_export_say(job, ", ");
            soothi_export_float(job, trees->hull[2 * t + 1]);
            soothi_export_say(job, ");\n");
        } else if (exact) {
            soothi_export_say_count(job, "    out[%] += lost[%];\n", t);
        }
        if (trees->link == SOOTH_LINK_EXP) soothi_export_say_count(job, "    out[%] = @_exp(out[%]);\n", t);
        if (trees->link == SOOTH_LINK_LOGISTIC)
            soothi_export_say_count(job, "    out[%] = @_logistic(out[%]);\n", t);
    }
}

/* ---- transforms and linear models ---- */

/* "    z[3] = (@_log1p(row[3]) - 0.5f) / 2.0f;" for every column */
SOOTHI_LOCAL void soothi_export_say_input(const soothi_export_job *job) {
    const sooth_scale *scale = job->parts.input;
    uint32_t j;
    for (j = 0; j < job->features; ++j) {
        const sooth_scale_column *c = sooth_scale_columns(scale) + j;
        const uint32_t function = soothi_scale_function(c->transform);
        const int plain = soothi_bits(c->shift) == 0 && c->width <= 1.0f && c->width >= 1.0f;
        soothi_export_say_count(job, plain ? "    z[%] = " : "    z[%] = (", j);
        soothi_export_say(job, function == 1 ? "@_log1p(" : function == 2 ? "@_log(" : "");
        soothi_export_say_count(job, scale->clip ? "@_clip(row[%], " : "row[%]", j);
        if (scale->clip) {
            soothi_export_float(job, c->least);
            soothi_export_say(job, ", ");
            soothi_export_float(job, c->most);
            soothi_export_say(job, ")");
        }
        if (function) soothi_export_say(job, ")");
        if (!plain) {
            soothi_export_say(job, " - ");
            soothi_export_float(job, c->shift);
            soothi_export_say(job, ") / ");
            soothi_export_float(job, c->width);
        }
        soothi_export_say(job, ";\n");
    }
}

/* "    out[0] = @_expm1(out[0] * 2.0f + 0.5f);" */
SOOTHI_LOCAL void soothi_export_say_target(const soothi_export_job *job) {
    const sooth_scale *scale = job->parts.target;
    uint32_t t;
    for (t = 0; scale && t < job->targets; ++t) {
        const sooth_scale_column *c = sooth_scale_columns(scale) + t;
        const uint32_t function = soothi_scale_function(c->transform);
        soothi_export_say_count(job, "    out[%] = ", t);
        if (scale->clip) soothi_export_say(job, "@_clip(");
        soothi_export_say(job, function == 1 ? "@_expm1(" : function == 2 ? "@_exp(" : "");
        soothi_export_say_count(job, "out[%] * ", t);
        soothi_export_float(job, c->width);
        soothi_export_say(job, " + ");
        soothi_export_float(job, c->shift);
        if (function) soothi_export_say(job, ")");
        if (scale->clip) {
            soothi_export_say(job, ", ");
            soothi_export_float(job, c->least);
            soothi_export_say(job, ", ");
            soothi_export_float(job, c->most);
            soothi_export_say(job, ")");
        }
        soothi_export_say(job, ";\n");
    }
}

SOOTHI_LOCAL void soothi_export_say_linear(soothi_export_job *job) {
    const sooth_linear *linear = job->linear;
    soothi_export_array(job, "mean", soothi_linear_mean(linear), job->features);
    soothi_export_array(job, "slope", soothi_linear_slope(linear), (size_t)job->features * job->targets);
}

SOOTHI_LOCAL void soothi_export_say_linear_sums(const soothi_export_job *job, const char *x) {
    const float *offset = soothi_linear_offset(job->linear);
    uint32_t t;
    for (t = 0; t < job->targets; ++t) {
        soothi_export_say_count(job, "    out[%] = ", t);
        soothi_export_float(job, offset[t]);
        soothi_export_say_count(job, " + @_plane(@_slope + %, @_mean, ", t * job->features);
        sooth_text_put(job->sink, "%s, %u);\n", x, job->features);
    }
}

/* ---- networks ---- */

SOOTHI_LOCAL void soothi_export_say_weights(soothi_export_job *job, uint32_t i) {
    const sooth_mlp *m = job->mlp;
    const sooth_mlp_layer *l = sooth_mlp_layers(m) + i;
    size_t o, j, at = 0;
    if (m->bits) sooth_text_put(job->sink, "\nstatic const int%u_t ", m->bits);
    else soothi_export_say(job, "\nstatic const float ");
    soothi_export_say_count(job, "@_weight%", i);
    soothi_export_say_count(job, "[%] $_FLASH = {", l->outputs * l->inputs);
    for (o = 0; o < l->outputs; ++o)
        for (j = 0; j < l->inputs; ++j, ++at) {
            if (!m->bits) {
                soothi_export_element(job, at, sooth_mlp_weight(m, i, o, j));
            } else {
                soothi_export_next(job, at, 4);
                sooth_text_put(job->sink, "%d", soothi_mlp_integer(m, l->weights_at + at));
            }
        }
    soothi_export_say(job, "};\n");
    if (!l->biases_at) return;
    soothi_export_say_count(job, "static const float @_bias%", i);
    soothi_export_say_count(job, "[%] $_FLASH = {", l->outputs);
    for (o = 0; o < l->outputs; ++o) soothi_export_element(job, o, sooth_mlp_bias(m, i, o) + 0.0f);
    soothi_export_say(job, "};\n");
}

#define SOOTHI_EXPORT_SUM(type, name, steps)                                                          \
    "\nstatic void @_" name "(const " type " *weight, const float *bias, " steps "uint32_t inputs,\n" \
    "    uint32_t outputs, const float *x, float *out) {\n"
#define SOOTHI_EXPORT_STEPS "float of_input, float of_sum, "

/* soothi_mlp_row_layer and soothi_mlp_row_integers: layers of 4 neurons and more, of fewer, of integers. */
SOOTHI_LOCAL void soothi_export_say_layer_functions(const soothi_export_job *job) {
    const sooth_mlp *m = job->mlp;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t i, narrow = 0;
    for (i = 0; i < m->layers; ++i) narrow += (uint32_t)soothi_mlp_narrow(l + i);
    if (!m->bits && narrow < m->layers)
        soothi_export_say(
            job,
            SOOTHI_EXPORT_SUM("float", "layer",
                              "") "    uint32_t o, i;\n"
                                  "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                                  "        float sum = bias ? $_FLOAT(bias + o) : 0.0f;\n"
                                  "        for (i = 0; i < inputs; ++i) sum += x[i] * $_FLOAT(weight + i);\n"
                                  "        out[o] = sum;\n"
                                  "    }\n"
                                  "}\n");
    if (!m->bits && narrow)
        soothi_export_say(
            job, SOOTHI_EXPORT_SUM("float", "few",
                                   "") "    uint32_t o, i, half;\n"
                                       "    for (o = 0; o < outputs; ++o, weight += inputs) {\n"
                                       "        float lane[16];\n"
                                       "        memset(lane, 0, sizeof lane);\n"
                                       "        for (i = 0; i < inputs; ++i)\n"
                                       "            lane[i & 15u] += x[i] * $_FLOAT(weight + i);\n"
                                       "        for (half = 8; half; half /= 2)\n"
                                       "            for (i = 0; i < half; ++i) lane[i] += lane[i + half];\n"
                                       "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + lane[0];\n"
                                       "    }\n"
                                       "}\n");
    if (!m->bits) return;
    soothi_export_say(job, m->bits == 8 ? SOOTHI_EXPORT_SUM("int8_t", "integers", SOOTHI_EXPORT_STEPS)
                                        : SOOTHI_EXPORT_SUM("int16_t", "integers", SOOTHI_EXPORT_STEPS));
    soothi_export_say_count(job, "    int16_t q[%];\n    uint32_t o, i;\n", m->widest);
    soothi_export_say(job, "    for (i = 0; i < inputs; ++i) {\n"
                           "        const float v = @_clip(x[i] / of_input, -32767.0f, 32767.0f);\n"
                           "        if (!(v >= -32767.0f)) { /* NaN is no integer */\n"
                           "            for (o = 0; o < outputs; ++o) out[o] = v;\n"
                           "            return;\n"
                           "        }\n"
                           "        q[i] = (int16_t)(int32_t)(v < 0.0f ? v - 0.5f : v + 0.5f);\n"
                           "    }\n"
                           "    for (o = 0; o < outputs; ++o, weight += inputs) {\n");
    soothi_export_say(job, m->bits == 8 ? "        int32_t sum = 0;\n" : "        int64_t sum = 0;\n");
    soothi_export_say(job, "        for (i = 0; i < inputs; ++i)\n"
                           "            sum += (int32_t)$_WEIGHT(weight + i) * q[i];\n"
                           "        out[o] = (bias ? $_FLOAT(bias + o) : 0.0f) + of_sum * (float)sum;\n"
                           "    }\n"
                           "}\n");
}

/* "    for (o = 0; o < 12; ++o) one[o] = @_tanh(one[o]);" */
SOOTHI_LOCAL void soothi_export_say_activation(const soothi_export_job *job, const sooth_mlp_layer *l,
                                               const char *y) {
    const char *before, *after = ");\n";
    if (l->activation == SOOTH_MLP_LINEAR) return;
    soothi_export_say_count(job, "    for (o = 0; o < %; ++o) ", l->outputs);
    if (l->activation == SOOTH_MLP_RELU || l->activation == SOOTH_MLP_LEAKY_RELU) {
        const int leaky = l->activation == SOOTH_MLP_LEAKY_RELU;
        sooth_text_put(job->sink, leaky ? "if (%s[o] < 0.0f) %s[o] " : "if (%s[o] <= 0.0f) %s[o] ", y, y);
        if (leaky) soothi_export_say(job, "*= ");
        else soothi_export_say(job, "= ");
        soothi_export_float(job, leaky ? job->mlp->leak : 0.0f);
        soothi_export_say(job, ";\n");
        return;
    }
    switch (l->activation) {
    case SOOTH_MLP_SIGMOID: before = "@_logistic("; break;
    case SOOTH_MLP_TANH: before = "@_tanh("; break;
    case SOOTH_MLP_AT_LEAST_ONE: after = ") + 1.0f;\n"; /* fall through */
    default: before = "@_softplus("; break;
    }
    sooth_text_put(job->sink, "%s[o] = ", y);
    soothi_export_say(job, before);
    sooth_text_put(job->sink, "%s[o]", y);
    soothi_export_say(job, after);
}

SOOTHI_LOCAL void soothi_export_say_network(soothi_export_job *job) {
    uint32_t i;
    for (i = 0; i < job->mlp->layers; ++i) soothi_export_say_weights(job, i);
    soothi_export_say_layer_functions(job);
}

/* The rooms that layers answer into in turn; the last one's is the caller's. */
SOOTHI_LOCAL void soothi_export_say_rooms(const soothi_export_job *job) {
    const sooth_mlp_layer *l = sooth_mlp_layers(job->mlp);
    uint32_t i, widest[2] = {0, 0}, activated = 0;
    for (i = 0; i + 1 < job->mlp->layers; ++i)
        if (l[i].outputs > widest[i % 2]) widest[i % 2] = l[i].outputs;
    for (i = 0; i < job->mlp->layers; ++i) activated |= l[i].activation != SOOTH_MLP_LINEAR;
    if (widest[0]) soothi_export_say_count(job, "    float one[%];\n", widest[0]);
    if (widest[1]) soothi_export_say_count(job, "    float other[%];\n", widest[1]);
    if (activated) soothi_export_say(job, "    uint32_t o;\n");
}

SOOTHI_LOCAL void soothi_export_say_network_sums(const soothi_export_job *job, const char *x) {
    const sooth_mlp *m = job->mlp;
    const sooth_mlp_layer *l = sooth_mlp_layers(m);
    uint32_t i;
    for (i = 0; i < m->layers; ++i, ++l) {
        const char *y = i + 1 == m->layers ? "out" : i % 2 ? "other" : "one";
        soothi_export_say(job, m->bits                ? "    @_integers("
                               : soothi_mlp_narrow(l) ? "    @_few("
                                                      : "    @_layer(");
        soothi_export_say_count(job, l->biases_at ? "@_weight%, @_bias" : "@_weight%, 0", i);
        if (l->biases_at) soothi_export_say_count(job, "%", i);
        if (m->bits) {
            soothi_export_say(job, ", ");
            soothi_export_float(job, l->input_step);
            soothi_export_say(job, ", ");
            soothi_export_float(job, l->weight_step * l->input_step);
        }
        sooth_text_put(job->sink, ", %u, %u, %s, %s);\n", l->inputs, l->outputs, x, y);
        soothi_export_say_activation(job, l, y);
        x = y;
    }
}

/* ---- support vectors ---- */

/* "@_tanh(0.5f * sum + 1.0f)": soothi_svr_curve */
SOOTHI_LOCAL void soothi_export_say_kernel(const soothi_export_job *job) {
    static const char before[SOOTH_SVR_CALLBACK][12] = {"@_exp2(", "(", "@_power(", "@_tanh("};
    const sooth_svr *m = job->svr;
    soothi_export_say(job, before[m->kernel]);
    if (m->kernel != SOOTH_SVR_LINEAR) {
        soothi_export_float(job, m->slope);
        soothi_export_say(job, " * ");
    }
    soothi_export_say(job, "sum");
    if (m->kernel == SOOTH_SVR_POLYNOMIAL || m->kernel == SOOTH_SVR_SIGMOID) {
        soothi_export_say(job, " + ");
        soothi_export_float(job, m->coef0);
    }
    if (m->kernel == SOOTH_SVR_POLYNOMIAL) sooth_text_put(job->sink, ", %u", m->degree);
    soothi_export_say(job, ")");
}

SOOTHI_LOCAL void soothi_export_say_vectors(soothi_export_job *job, uint32_t count) {
    size_t k, j, at = 0;
    soothi_export_array(job, "coef", soothi_svr_coef(job->svr), count);
    soothi_export_say(job, "\nstatic const float ");
    soothi_export_say_count(job, "@_vector[%] $_FLASH = {", count * job->features);
    for (k = 0; k < count; ++k)
        for (j = 0; j < job->features; ++j)
            soothi_export_element(job, at++, sooth_svr_vector(job->svr, k, j));
    soothi_export_say(job, "};\n");
}

/* sooth_svr_predict: sixteen lanes take turns, and each adds the columns of a vector in order. */
SOOTHI_LOCAL void soothi_export_say_svr(soothi_export_job *job) {
    const uint32_t count = soothi_export_vectors(job->svr);
    if (count) soothi_export_say_vectors(job, count);
    soothi_export_say(job, "\nstatic float @_kernels(const float *x) {\n"
                           "    float lane[16];\n"
                           "    uint32_t j, k;\n"
                           "    for (j = 0; j < $_FEATURES; ++j)\n"
                           "        if (!(x[j] >= -$_INFINITY)) return $_MISSING;\n"
                           "    memset(lane, 0, sizeof lane);\n");
    if (count) {
        soothi_export_say_count(job, "    for (k = 0; k < %; ++k) {\n", count);
        soothi_export_say(job, "        const float *v = @_vector + (size_t)k * $_FEATURES;\n"
                               "        float sum = 0.0f;\n"
                               "        for (j = 0; j < $_FEATURES; ++j) {\n"
                               "            const float e = $_FLOAT(v + j)");
        soothi_export_say(job, job->svr->kernel == SOOTH_SVR_RBF ? " - x[j];\n            sum += e * e;\n"
                                                                 : " * x[j];\n            sum += e;\n");
        soothi_export_say(job, "        }\n"
                               "        lane[k & 15u] += ");
        soothi_export_say_kernel(job);
        soothi_export_say(job, " * $_FLOAT(@_coef + k);\n"
                               "    }\n");
    }
    soothi_export_say(job, "    for (k = 8; k; k /= 2)\n"
                           "        for (j = 0; j < k; ++j) lane[j] += lane[j + k];\n"
                           "    return ");
    soothi_export_float(job, job->svr->offset);
    soothi_export_say(job, " + lane[0];\n"
                           "}\n");
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

/* soothi_sofnn_run */
SOOTHI_LOCAL void soothi_export_say_sofnn(soothi_export_job *job) {
    const sooth_sofnn *m = job->sofnn;
    const uint32_t width = (uint32_t)soothi_sofnn_width(m);
    const size_t numbers = (size_t)m->rules * job->features;
    soothi_export_say_count(job, "\n#define $_RULES %\n", m->rules);
    if (m->order) soothi_export_array(job, "low", soothi_sofnn_low(m), job->features);
    if (m->order) soothi_export_array(job, "high", soothi_sofnn_high(m), job->features);
    soothi_export_array(job, "centre", soothi_sofnn_centre(m), numbers);
    soothi_export_array(job, "steep", soothi_sofnn_steep(m), numbers);
    soothi_export_array(job, "rule", soothi_sofnn_consequent(m), (size_t)m->rules * job->targets * width);
    soothi_export_array(job, "least", soothi_sofnn_least(m), job->targets);
    soothi_export_array(job, "most", soothi_sofnn_most(m), job->targets);
    soothi_export_say_fire(job);
    soothi_export_say(job, "\n/* The mean of what rules answer, by how they fire beside the strongest. */\n"
                           "static void @_rules(const float *x, float *out) {\n"
                           "    float share[$_RULES], best = 0.0f, sum = 0.0f;\n");
    soothi_export_say(job, m->order ? "    float inside[$_FEATURES];\n    uint32_t i, j, t;\n"
                                    : "    uint32_t j, t;\n");
    soothi_export_say(job, "    for (j = 0; j < $_RULES; ++j) {\n"
                           "        const uint32_t from = j * $_FEATURES;\n"
                           "        share[j] = @_fire(@_centre + from, @_steep + from, x);\n"
                           "        if (j == 0 || share[j] > best) best = share[j];\n"
                           "    }\n"
                           "    for (t = 0; t < $_TARGETS; ++t) out[t] = 0.0f;\n"
                           "    for (j = 0; j < $_RULES; ++j) {\n"
                           "        share[j] = share[j] - best < -20.0f ? 0.0f : @_exp(share[j] - best);\n"
                           "        sum += share[j];\n"
                           "        for (t = 0; t < $_TARGETS; ++t)\n");
    soothi_export_say_count(
        job, "            out[t] += share[j] * $_FLOAT(@_rule + (j * $_TARGETS + t) * %);\n    }\n", width);
    if (m->order) {
        soothi_export_say(job, "    for (i = 0; i < $_FEATURES; ++i)\n"
                               "        inside[i] = @_clip(x[i], $_FLOAT(@_low + i), $_FLOAT(@_high + i));\n"
                               "    for (i = 0; i < $_FEATURES; i += 64)\n"
                               "        for (j = 0; j < $_RULES; ++j)\n"
                               "            for (t = 0; share[j] > 0.0f && t < $_TARGETS; ++t)\n");
        soothi_export_say(job, "                out[t] += share[j] * @_plane(\n");
        soothi_export_say_count(job, "                    @_rule + (j * $_TARGETS + t) * % + 1 + i, ", width);
        soothi_export_say(job, "@_centre + j * $_FEATURES + i, inside + i,\n"
                               "                    $_FEATURES - i < 64 ? $_FEATURES - i : 64);\n");
    }
    soothi_export_say(job, "    for (t = 0; t < $_TARGETS; ++t)\n"
                           "        out[t] = @_clip(out[t] / sum, $_FLOAT(@_least + t),\n"
                           "            $_FLOAT(@_most + t));\n"
                           "}\n");
}

/* ---- the functions that the file is for ---- */

SOOTHI_LOCAL void soothi_export_say_predict(const soothi_export_job *job) {
    const char *x = job->parts.input ? "z" : "row";
    const int exact = (job->trees.flags & SOOTH_ENSEMBLE_EXACT) != 0;
    soothi_export_say(job, job->targets == 1 ? "\nstatic void @_answer(const float *row, float *out) {\n"
                                             : "\nvoid @_predict(const float *row, float *out) {\n");
    if (job->parts.input) soothi_export_say(job, "    float z[$_FEATURES];\n");
    if (exact) soothi_export_say(job, "    float lost[$_TARGETS];\n");
    if (job->trees.start && job->form == SOOTH_EXPORT_TABLE) soothi_export_say(job, "    uint32_t k;\n");
    if (job->mlp) soothi_export_say_rooms(job);
    if (job->parts.input) soothi_export_say_input(job);
    if (job->trees.node) {
        soothi_export_say_sums(job, x);
        soothi_export_say_answers(job);
    } else if (job->mlp) {
        soothi_export_say_network_sums(job, x);
    } else if (job->svr) {
        sooth_text_put(job->sink, "    out[0] = %s_kernels(%s);\n", job->name, x);
    } else if (job->sofnn) {
        sooth_text_put(job->sink, "    %s_rules(%s, out);\n", job->name, x);
    } else {
        soothi_export_say_linear_sums(job, x);
    }
    soothi_export_say_target(job);
    soothi_export_say(job, "}\n");
    if (job->targets == 1)
        soothi_export_say(job, "\nfloat @_predict(const float *row) {\n"
                               "    float answer;\n"
                               "    @_answer(row, &answer);\n"
                               "    return answer;\n"
                               "}\n");
}

SOOTHI_LOCAL void soothi_export_say_selftest(soothi_export_job *job) {
    size_t i, j;
    soothi_export_say(job, "\nint @_selftest(void) {\n    static const float row[]");
    soothi_export_say(job, "[$_FEATURES] = {");
    for (i = 0; i < job->tests; ++i) {
        soothi_export_say(job, i ? ",\n    {" : "\n    {");
        for (j = 0; j < job->features; ++j) soothi_export_element(job, j, job->row[i * job->features + j]);
        soothi_export_say(job, "}");
    }
    soothi_export_say(job, "};\n    static const float answer[][$_TARGETS] = {");
    for (i = 0; i < job->tests; ++i) {
        soothi_export_next(job, i, job->targets > 7 ? 100 : 13 * job->targets);
        soothi_export_say(job, "{");
        for (j = 0; j < job->targets; ++j) {
            if (j) soothi_export_say(job, ", ");
            soothi_export_float(job, job->answer[i * job->targets + j]);
        }
        soothi_export_say(job, "}");
    }
    soothi_export_say(job, "};\n    float out[$_TARGETS];\n    int i;\n");
    soothi_export_say_count(job, "    for (i = 0; i < %; ++i) {\n", (uint32_t)job->tests);
    soothi_export_say(job, job->targets == 1 ? "        out[0] = @_predict(row[i]);\n"
                                             : "        @_predict(row[i], out);\n");
    soothi_export_say(job, "        if (memcmp(out, answer[i], sizeof out) != 0) return i + 1;\n"
                           "    }\n"
                           "    return 0;\n"
                           "}\n");
}

/* ---- rows for the self-test ---- */

enum { SOOTHI_EXPORT_TESTS = 8, SOOTHI_EXPORT_MOST_TESTS = 10000 };

/* A value of feature j as a model after the transform would want it, before the transform. */
SOOTHI_LOCAL float soothi_export_raw(const soothi_export_job *job, uint32_t j, float z) {
    return job->parts.input ? sooth_scale_invert_one(job->parts.input, j, z) : z;
}

/* Half below a value of feature j that a model without training ranges knows: of a mean, a vector, a rule. */
SOOTHI_LOCAL float soothi_export_about(const soothi_export_job *job, uint32_t j, uint32_t number) {
    if (job->linear) return soothi_linear_mean(job->linear)[j] - 0.5f;
    if (job->svr && job->svr->vectors)
        return sooth_svr_vector(job->svr, number % job->svr->vectors, j) - 0.5f;
    if (job->sofnn)
        return soothi_sofnn_centre(job->sofnn)[number % job->sofnn->rules * job->features + j] - 0.5f;
    return 0.0f;
}

/* Row `number`: somewhere in the training ranges, and at thresholds or right above them where there are
   some. */
SOOTHI_LOCAL void soothi_export_make_row(const soothi_export_job *job, sooth_rng *rng, uint32_t number,
                                         int lacking, float *row) {
    const soothi_export_trees *trees = &job->trees;
    const float *range = job->parts.card ? sooth_card_range(job->parts.card) : NULL;
    uint32_t j, n;
    for (j = 0; j < job->features; ++j) {
        const float u = sooth_rng_float(rng);
        if (range && range[2 * j] <= range[2 * j + 1] &&
            soothi_finite((double)(range[2 * j + 1] - range[2 * j])))
            row[j] = range[2 * j] + u * (range[2 * j + 1] - range[2 * j]);
        else row[j] = soothi_export_raw(job, j, soothi_export_about(job, j, number) + u);
    }
    for (n = 0; trees->node && n < 4 * (uint64_t)job->features && n < 4096; ++n) {
        const sooth_tree_node *node = trees->node + sooth_rng_below(rng, trees->nodes);
        const int above = (int)(sooth_rng_next(rng) & 1u);
        float v;
        if (!(node->link & 1u) || (range && n >= job->features)) continue;
        v = above ? soothi_export_above(node->u.threshold) : node->u.threshold;
        j = soothi_export_feature(trees, node);
        v = soothi_export_raw(job, j, v);
        if (soothi_finite((double)v)) row[j] = v;
    }
    for (j = 0; lacking && j < job->features; ++j)
        if (lacking > 1 || sooth_rng_below(rng, 4) == 0) row[j] = soothi_of_bits(SOOTHI_FLOAT_NAN);
}

/* Fills row with the caller's rows or made ones and answer with what the model says; a made row without an
   answer is dropped. */
SOOTHI_LOCAL sooth_status soothi_export_make_tests(soothi_export_job *job, const sooth_model *model,
                                                   const sooth_table *test, size_t rows, float *row,
                                                   float *answer, float *scratch) {
    sooth_rng rng;
    size_t i;
    uint32_t t;
    sooth_rng_init(&rng, 2026, 0);
    job->tests = 0;
    for (i = 0; i < rows; ++i) {
        float *to = row + job->tests * job->features, *says = answer + job->tests * job->targets;
        if (test) memcpy(to, test->x + i * test->stride, job->features * sizeof *to);
        else
            soothi_export_make_row(job, &rng, (uint32_t)i,
                                   !job->trees.node ? 0
                                   : i + 1 == rows  ? 2
                                                    : i + 3 >= rows,
                                   to);
        sooth_model_predict_many(model, to, 1, job->features, says, scratch, 1);
        for (t = 0; t < job->targets && !soothi_nan((double)says[t]); ++t) continue;
        if (t == job->targets) ++job->tests;
        else if (test)
            return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                               "row %z of the self-test has no answer: target %u is NaN", i + 1, t + 1);
    }
    job->row = row;
    job->answer = answer;
    return SOOTH_OK;
}

SOOTHI_LOCAL sooth_status soothi_export_say_all(soothi_export_job *job) {
    sooth_status status = SOOTH_OK;
    soothi_export_say_head(job);
    soothi_export_say_declarations(job);
    soothi_export_say_functions(job);
    if (job->mlp) soothi_export_say_network(job);
    else if (job->svr) soothi_export_say_svr(job);
    else if (job->sofnn) soothi_export_say_sofnn(job);
    else if (job->linear) soothi_export_say_linear(job);
    else if (job->form == SOOTH_EXPORT_TABLE) soothi_export_say_table(job);
    else status = soothi_export_say_branches(job);
    if (job->trees.node) soothi_export_say_leaves(job);
    soothi_export_say_predict(job);
    if (job->tests) soothi_export_say_selftest(job);
    return status == SOOTH_OK ? soothi_export_done(job->env, job->sink) : status;
}

SOOTHI_LOCAL int soothi_export_is_name(const char *name) {
    size_t n = 0;
    for (; name[n]; ++n) {
        const char c = name[n];
        const int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && (n == 0 || !((c >= '0' && c <= '9') || c == '_'))) return 0;
    }
    return n >= 1 && n <= 63;
}

SOOTHI_LOCAL sooth_status soothi_export_check(const soothi_export_job *job,
                                              const sooth_export_c_options *options) {
    if (!soothi_export_is_name(job->name))
        return soothi_fail(
            job->env, SOOTH_BAD_ARGUMENT,
            "name is \"%s\", but must be a letter and then at most 62 letters, digits or underscores",
            job->name);
    if (options->form > SOOTH_EXPORT_BRANCHES)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "form is %u, but must be 0 (table) or 1 (branches)",
                           options->form);
    if (options->no_selftest > 1)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT, "no_selftest is %u, but must be 0 or 1",
                           options->no_selftest);
    if (job->svr && job->svr->kernel == SOOTH_SVR_CALLBACK)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model's kernel is callback, a function of the host's, which cannot be "
                           "exported");
    if (!job->trees.node && !job->linear && !job->mlp && !job->svr && !job->sofnn)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the model is of kind %u, which cannot be exported as C",
                           soothi_model_kind(job->parts.predictor));
    if (!options->test) return SOOTH_OK;
    if (options->test->cols != job->features)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the self-test has %z columns, but the model takes %u", options->test->cols,
                           job->features);
    if (options->test->rows > SOOTHI_EXPORT_MOST_TESTS)
        return soothi_fail(job->env, SOOTH_BAD_ARGUMENT,
                           "the self-test has %z rows, but must have between 1 and 10000",
                           options->test->rows);
    return sooth_table_check(job->env, options->test, SOOTH_ALLOW_MISSING);
}

SOOTH_API sooth_status sooth_export_c(sooth_env *env, const sooth_model *model,
                                      const sooth_export_c_options *options, sooth_sink *sink) {
    sooth_export_c_options defaults;
    const void *predictor;
    soothi_export_job job;
    sooth_status status;
    size_t rows, numbers;
    float *memory;
    memset(&defaults, 0, sizeof defaults);
    if (!options) options = &defaults;
    memset(&job, 0, sizeof job);
    job.env = env;
    job.sink = sink;
    job.name = options->name ? options->name : "model";
    sooth_model_open(model, &job.parts);
    soothi_export_open(job.parts.predictor, &job.trees);
    predictor = job.parts.predictor;
    switch (soothi_model_kind(job.parts.predictor)) {
    case SOOTH_KIND_LINEAR: job.linear = (const sooth_linear *)predictor; break;
    case SOOTH_KIND_MLP: job.mlp = (const sooth_mlp *)predictor; break;
    case SOOTH_KIND_SVR: job.svr = (const sooth_svr *)predictor; break;
    case SOOTH_KIND_SOFNN: job.sofnn = (const sooth_sofnn *)predictor; break;
    default: break;
    }
    job.features = model->features;
    job.targets = model->targets;
    job.form = options->form;
    status = soothi_export_check(&job, options);
    if (status != SOOTH_OK) return status;
    if (options->no_selftest) return soothi_export_say_all(&job);
    rows = options->test ? options->test->rows : (size_t)SOOTHI_EXPORT_TESTS;
    numbers =
        soothi_product(rows + 1, (size_t)job.features + job.targets); /* rows, answers, a row of scratch */
    memory = (float *)soothi_alloc(env, numbers, sizeof *memory);
    if (!memory) return soothi_no_memory(env, "the self-test", soothi_product(numbers, sizeof *memory));
    status = soothi_export_make_tests(&job, model, options->test, rows, memory, memory + rows * job.features,
                                      memory + rows * ((size_t)job.features + job.targets));
    if (status == SOOTH_OK) status = soothi_export_say_all(&job);
    soothi_free(env, memory, numbers, sizeof *memory);
    return status;
}

/* ---- integers ---- */

/* The training ranges as the predictor sees them. Transforms rise, so ends stay ends. */
SOOTHI_LOCAL void soothi_export_box(const sooth_model_parts *parts, uint32_t features, float *box) {
    const float *range = sooth_card_range(parts->card);
    uint32_t j;
    for (j = 0; j < 2 * features; ++j)
        box[j] = parts->input ? sooth_scale_apply_one(parts->input, j / 2, range[j]) : range[j];
}

/* What an error of the predictor becomes: times a transform's width, and e^that - 1 behind a logarithm. */
SOOTHI_LOCAL float soothi_export_error(const sooth_scale *scale, uint32_t t, float error) {
    const sooth_scale_column *c = scale ? sooth_scale_columns(scale) + t : NULL;
    const float width = c ? (c->width < 0.0f ? -c->width : c->width) * 1.00001f : 1.0f;
    return c && soothi_scale_function(c->transform) ? sooth_expm1(width * error) * 1.00001f : width * error;
}

SOOTH_API sooth_status sooth_export_quantise(sooth_env *env, const sooth_model *model, uint32_t bits,
                                             float *error, sooth_model **small) {
    sooth_model_parts parts;
    sooth_mlp *network = NULL;
    sooth_status status;
    float *box;
    uint32_t j, t;
    *small = NULL;
    sooth_model_open(model, &parts);
    if (soothi_model_kind(parts.predictor) != SOOTH_KIND_MLP)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the model is of kind %u, but only networks become integers",
                           soothi_model_kind(parts.predictor));
    for (j = 0; parts.card && j < model->features; ++j)
        if (!(sooth_card_range(parts.card)[2 * j] <= sooth_card_range(parts.card)[2 * j + 1])) break;
    if (!parts.card || j < model->features)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the model has no training range of %s, and without one no error can be bounded",
                           parts.card ? "a feature" : "its features");
    box = (float *)soothi_alloc(env, 2 * (size_t)model->features + model->targets, sizeof *box);
    if (!box) return soothi_no_memory(env, "the ranges", 8 * (size_t)model->features);
    soothi_export_box(&parts, model->features, box);
    status = sooth_mlp_quantise(env, (const sooth_mlp *)(const void *)parts.predictor, bits, box,
                                box + 2 * (size_t)model->features, &network);
    for (t = 0; status == SOOTH_OK && error && t < model->targets; ++t)
        error[t] = soothi_export_error(parts.target, t, box[2 * (size_t)model->features + t]);
    if (status == SOOTH_OK) {
        parts.predictor = &network->head;
        status = sooth_model_assemble(env, &parts, small);
    }
    sooth_mlp_free(env, network);
    soothi_free(env, box, 2 * (size_t)model->features + model->targets, sizeof *box);
    return status;
}

/* ---- XGBoost ---- */

/* The file as XGBoost writes it (its doc/model.schema). Every tree is a set of arrays by node. */
typedef struct soothi_export_boost {
    sooth_sink *sink;
    const soothi_export_trees *trees;
    uint32_t first, count; /* the nodes of the present tree */
    uint32_t target;       /* that it answers for */
    uint32_t number;       /* trees written so far */
    float divisor;         /* of its leaves: 1, or the trees of a mean */
} soothi_export_boost;

/* Infinity is XGBoost's own word for a threshold that all numbers are below. */
SOOTHI_LOCAL void soothi_export_json_float(sooth_sink *sink, float v) {
    char text[SOOTH_NUMBER_TEXT];
    if (!soothi_finite((double)v)) sooth_text_put(sink, "Infinity");
    else sooth_text_write(sink, text, soothi_export_digits(text, v));
}

typedef enum soothi_export_field {
    SOOTHI_EXPORT_BASE_WEIGHTS = 0, /* in the order of the alphabet, as XGBoost writes them */
    SOOTHI_EXPORT_DEFAULT_LEFT,
    SOOTHI_EXPORT_LEFT,
    SOOTHI_EXPORT_LOSS_CHANGES,
    SOOTHI_EXPORT_PARENTS,
    SOOTHI_EXPORT_RIGHT,
    SOOTHI_EXPORT_CONDITIONS,
    SOOTHI_EXPORT_INDICES,
    SOOTHI_EXPORT_TYPES,
    SOOTHI_EXPORT_HESSIANS,
    SOOTHI_EXPORT_FIELDS
} soothi_export_field;

/* What the leaf says about the present target. */
SOOTHI_LOCAL float soothi_export_leaf(const soothi_export_boost *job, const sooth_tree_node *node) {
    const float v = job->trees->width > 1
                        ? job->trees->value[(size_t)node->u.at * job->trees->width + job->target]
                        : node->u.value;
    return v / job->divisor;
}

/* One array. `parent` is the inner node whose children come next, because in breadth-first order children
   come in the order of their parents. */
SOOTHI_LOCAL void soothi_export_say_field(const soothi_export_boost *job, const char *name,
                                          soothi_export_field field) {
    uint32_t i, parent = 0;
    sooth_text_put(job->sink, "\"%s\":[", name);
    for (i = 0; i < job->count; ++i) {
        const sooth_tree_node *node = job->trees->node + job->first + i;
        const uint32_t inner = node->link & 1u;
        const uint32_t left = i + (node->link >> job->trees->shift);
        if (i) sooth_text_write(job->sink, ",", 1);
        if (i > 1 && i % 2) ++parent;
        while (i && !(job->trees->node[job->first + parent].link & 1u)) ++parent;
        switch (field) {
        case SOOTHI_EXPORT_BASE_WEIGHTS:
        case SOOTHI_EXPORT_CONDITIONS:
            if (!inner) soothi_export_json_float(job->sink, soothi_export_leaf(job, node));
            else
                soothi_export_json_float(job->sink, field == SOOTHI_EXPORT_CONDITIONS
                                                        ? soothi_export_above(node->u.threshold)
                                                        : 0.0f);
            break;
        case SOOTHI_EXPORT_DEFAULT_LEFT: sooth_text_put(job->sink, "%u", inner & ~(node->link >> 1)); break;
        case SOOTHI_EXPORT_LEFT:
        case SOOTHI_EXPORT_RIGHT:
            if (inner) sooth_text_put(job->sink, "%u", field == SOOTHI_EXPORT_RIGHT ? left + 1 : left);
            else sooth_text_put(job->sink, "-1");
            break;
        case SOOTHI_EXPORT_PARENTS: sooth_text_put(job->sink, "%u", i ? parent : 2147483647u); break;
        case SOOTHI_EXPORT_INDICES:
            sooth_text_put(job->sink, "%u", inner ? soothi_export_feature(job->trees, node) : 0u);
            break;
        case SOOTHI_EXPORT_HESSIANS:
            soothi_export_json_float(job->sink, job->trees->cover ? job->trees->cover[job->first + i] : 0.0f);
            break;
        case SOOTHI_EXPORT_LOSS_CHANGES: sooth_text_put(job->sink, "0.0"); break;
        default: sooth_text_put(job->sink, "0"); break;
        }
    }
    sooth_text_put(job->sink, "],");
}

SOOTHI_LOCAL void soothi_export_say_boost_tree(soothi_export_boost *job) {
    static const char name[SOOTHI_EXPORT_FIELDS][20] = {
        "base_weights",   "default_left",     "left_children", "loss_changes", "parents",
        "right_children", "split_conditions", "split_indices", "split_type",   "sum_hessian"};
    unsigned field;
    if (job->number) sooth_text_put(job->sink, ",");
    sooth_text_put(job->sink,
                   "\n{\"categories\":[],\"categories_nodes\":[],\"categories_segments\":[],\"categories_"
                   "sizes\":[],\"id\":%u,",
                   job->number++);
    for (field = 0; field < SOOTHI_EXPORT_FIELDS; ++field)
        soothi_export_say_field(job, name[field], (soothi_export_field)field);
    sooth_text_put(job->sink,
                   "\"tree_param\":{\"num_deleted\":\"0\",\"num_feature\":\"%u\",\"num_nodes\":\"%u\",\"size_"
                   "leaf_vector\":\"1\"}}",
                   job->trees->features, job->count);
}

/* Is a base to be said by a tree in front, for each target? base_score says only one number, and not in
   margins. */
SOOTHI_LOCAL int soothi_export_base_trees(const soothi_export_trees *trees) {
    uint32_t t;
    if (!trees->base || (trees->link == SOOTH_LINK_IDENTITY && trees->targets == 1)) return 0;
    for (t = 0; t < trees->targets; ++t)
        if (soothi_bits(trees->base[t]) << 1 != 0) return 1;
    return 0;
}

/* The trees, with those that say the base in front. */
SOOTHI_LOCAL void soothi_export_say_boost_trees(sooth_sink *sink, const soothi_export_trees *trees,
                                                uint32_t divisor) {
    soothi_export_boost job;
    soothi_export_trees constant = *trees;
    sooth_tree_node node;
    uint32_t t, k;
    memset(&job, 0, sizeof job);
    job.sink = sink;
    job.divisor = (float)divisor;
    if (soothi_export_base_trees(trees)) {
        constant.node = &node;
        constant.width = 1;
        constant.cover = NULL;
        job.trees = &constant;
        job.count = 1;
        node.link = 0;
        for (t = 0; t < trees->targets; ++t) {
            node.u.value = trees->base[t];
            soothi_export_say_boost_tree(&job);
        }
    }
    job.trees = trees;
    for (k = 0; k < trees->trees && !sink->failed; ++k) {
        job.first = soothi_export_start(trees, k);
        job.count = soothi_export_start(trees, k + 1) - job.first;
        for (job.target = 0; job.target < trees->width; ++job.target) soothi_export_say_boost_tree(&job);
    }
}

/* Which target each tree answers for: they take turns, whichever way. */
SOOTHI_LOCAL void soothi_export_say_boost_turns(sooth_sink *sink, const soothi_export_trees *trees,
                                                uint32_t count) {
    uint32_t k;
    sooth_text_put(sink, "\"iteration_indptr\":[0");
    for (k = 1; k <= count / trees->targets; ++k) sooth_text_put(sink, ",%u", k * trees->targets);
    sooth_text_put(sink, "],\"tree_info\":[");
    for (k = 0; k < count; ++k) sooth_text_put(sink, k ? ",%u" : "%u", k % trees->targets);
    sooth_text_put(sink, "],\"trees\":[");
}

SOOTHI_LOCAL void soothi_export_say_boost_names(sooth_sink *sink, const sooth_card *card,
                                                const char *const *names, uint32_t features) {
    uint32_t j;
    sooth_text_put(sink, "\"feature_names\":[");
    for (j = 0; (names || card) && j < features; ++j) {
        char room[24];
        const char *name = names ? names[j] : sooth_card_text(card, SOOTH_CARD_FEATURE, j);
        if (!name || !*name) {
            sooth_text_format(room, sizeof room, "f%u", j);
            name = room;
        }
        if (j) sooth_text_put(sink, ",");
        soothi_model_json_text(sink, name);
    }
    sooth_text_put(sink, "],\"feature_types\":[");
    for (j = 0; (names || card) && j < features; ++j) sooth_text_put(sink, j ? ",\"float\"" : "\"float\"");
    sooth_text_put(sink, "],\n");
}

SOOTH_API sooth_status sooth_export_xgboost(sooth_env *env, const sooth_model *model,
                                            const sooth_export_xgboost_options *options, sooth_sink *sink) {
    static const char objective[3][96] = {
        "\"name\":\"reg:squarederror\",\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}",
        "\"name\":\"count:poisson\",\"poisson_regression_param\":{\"max_delta_step\":\"0.7\"}",
        "\"name\":\"reg:logistic\",\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}"};
    sooth_model_parts parts;
    soothi_export_trees trees;
    uint32_t count, divisor = 1;
    float base_score;
    sooth_model_open(model, &parts);
    soothi_export_open(parts.predictor, &trees);
    if (!trees.node)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the model is of kind %u, but only trees can be exported to XGBoost",
                           soothi_model_kind(parts.predictor));
    if (parts.input || parts.target)
        return soothi_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model transforms its %s, which a file of XGBoost cannot say; fit without a transform",
            parts.input ? "features" : "targets");
    if ((trees.flags & SOOTH_ENSEMBLE_MEAN) && !(options && options->approximate))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                           "the model is a mean of trees, and XGBoost only sums: set approximate to have "
                           "each leaf divided by %u and rounded",
                           trees.trees / (trees.width < trees.targets ? trees.targets : 1));
    if (trees.flags & SOOTH_ENSEMBLE_MEAN)
        divisor = trees.trees / (trees.width < trees.targets ? trees.targets : 1);
    count = trees.trees * trees.width + (soothi_export_base_trees(&trees) ? trees.targets : 0);
    base_score = trees.link == SOOTH_LINK_EXP        ? 1.0f
                 : trees.link == SOOTH_LINK_LOGISTIC ? 0.5f
                 : trees.base && trees.targets == 1  ? trees.base[0]
                                                     : 0.0f;
    sooth_text_put(sink, "{\"learner\":{\"attributes\":{},");
    soothi_export_say_boost_names(sink, parts.card, options ? options->names : NULL, trees.features);
    sooth_text_put(sink,
                   "\"gradient_booster\":{\"model\":{\"gbtree_model_param\":{\"num_parallel_tree\":\"1\","
                   "\"num_trees\":\"%u\",\"size_leaf_vector\":\"0\"},\n",
                   count);
    soothi_export_say_boost_turns(sink, &trees, count);
    soothi_export_say_boost_trees(sink, &trees, divisor);
    sooth_text_put(sink, "]},\"name\":\"gbtree\"},\n\"learner_model_param\":{\"base_score\":\"");
    soothi_export_json_float(sink, base_score);
    sooth_text_put(sink,
                   "\",\"boost_from_average\":\"0\",\"num_class\":\"0\",\"num_feature\":\"%u\",\"num_"
                   "target\":\"%u\"},\n\"objective\":{%s}},\n\"version\":[1,7,0]}\n",
                   trees.features, trees.targets,
                   objective[trees.link <= SOOTH_LINK_LOGISTIC ? trees.link : 0]);
    return soothi_export_done(env, sink);
}

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
