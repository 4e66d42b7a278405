/* export/xgboost.h - writes a tree, a forest or boosted trees as a model file of XGBoost.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth_export_xgboost writes JSON that XGBoost 1.7 to 3 can load. Programs that predict with XGBoost can
 * thus use a model of sooth.
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
 *         sooth_table table = sooth_table_of(x, y, 4, 1);
 *         sooth_sink sink = {.write_fn = to_file, .user = stdout};
 *         sooth_tree *tree;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_tree_fit(&env, &table, NULL, &tree) != SOOTH_OK) return puts(env.sentence), 1;
 *         const sooth_model *model = sooth_model_from_block(&tree->head);
 *         if (sooth_export_xgboost(&env, model, NULL, &sink) != SOOTH_OK)  //> {"learner":
 *             return puts(env.sentence), 1;
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * Cost: ten passes over each tree, nearly all for writing decimals; about 100 bytes a node. Allocates
 * nothing.
 */
#if !defined(SOOTH_EXPORT_XGBOOST_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_XGBOOST_IMPLEMENTED))
#include "c.h"
#endif

#if !defined(SOOTH_EXPORT_XGBOOST_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_XGBOOST_H
SOOTHI_C_BEGIN

/* Zero bytes are the defaults. */
typedef struct sooth_export_xgboost_options {
    const char *const *names; /* one per feature; NULL means those of the card, or none */
    uint32_t approximate;     /* 1: a mean may be exported as the sum of leaves / trees */
} sooth_export_xgboost_options;

/* Writes the file to the sink. A split x <= t becomes x < the next float above t. XGBoost sums in our order:
   margins (predict with output_margin=True) are equal bit for bit, and so are predictions without a link.
   There are exceptions, all about rounding:
   - exact and low-part ensembles become plain sums of leaves rounded to float
   - means are refused unless `approximate` is set: leaves are divided by the number of trees and rounded
   - links use XGBoost's own exp (objectives count:poisson and reg:logistic)
   - infinity in a row, which XGBoost refuses by default, goes to the other side if a threshold is infinity
   Leaves with several targets become one tree for each. A base that base_score cannot represent becomes a
   tree of one leaf before the others. Returns SOOTH_BAD_ARGUMENT for models not made of trees, and for
   transforms. Returns SOOTH_CANCELLED if the sink failed. A checked model may come from anyone. Allocates
   nothing. */
SOOTH_API sooth_status sooth_export_xgboost(sooth_env *env, const sooth_model *model,
                                            const sooth_export_xgboost_options *options, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_EXPORT_XGBOOST_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_EXPORT_XGBOOST_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_EXPORT_XGBOOST_IMPLEMENTED
SOOTHI_C_BEGIN

/* The file as XGBoost writes it (its doc/model.schema). Every tree is a set of arrays by node. */
typedef struct soothi_export_boost {
    sooth_sink *sink;
    const soothi_export_trees *trees;
    uint32_t first, count; /* the nodes of the current tree */
    uint32_t target;       /* target of the tree */
    uint32_t number;       /* trees written up to now */
    float divisor;         /* divisor of leaves: 1, or the number of trees of a mean */
} soothi_export_boost;

/* Writes a float; XGBoost reads Infinity as a threshold above all numbers. */
SOOTHI_LOCAL void soothi_export_json_float(sooth_sink *sink, float v) {
    char text[SOOTH_TEXT_NUMBER_SIZE] = "Infinity";
    if (soothi_finite((double)v)) soothi_export_digits(text, v);
    sooth_text_put(sink, "%s", text);
}

typedef enum soothi_export_field {
    SOOTHI_EXPORT_BASE_WEIGHTS = 0, /* in alphabetical order, like XGBoost */
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

SOOTHI_LOCAL float soothi_export_leaf(const soothi_export_boost *job, const sooth_tree_node *node) {
    const float v = job->trees->width > 1
                        ? job->trees->value[(size_t)node->u.at * job->trees->width + job->target]
                        : node->u.value;
    return v / job->divisor;
}

/* Writes one array. `parent` is the inner node whose children come next: in breadth-first order, children
   follow the order of their parents. */
SOOTHI_LOCAL void soothi_export_say_field(const soothi_export_boost *job, const char *name,
                                          soothi_export_field field) {
    uint32_t parent = 0;
    sooth_text_put(job->sink, "\"%s\":[", name);
    for (uint32_t i = 0; i < job->count; ++i) {
        const sooth_tree_node *node = job->trees->node + job->first + i;
        const uint32_t inner = node->link & 1u;
        const uint32_t left = i + (node->link >> job->trees->shift);
        if (i) sooth_text_write(job->sink, ",", 1);
        if (i > 1 && i % 2) ++parent;
        while (i && !(job->trees->node[job->first + parent].link & 1u)) ++parent;
        switch (field) {
        case SOOTHI_EXPORT_BASE_WEIGHTS:
        case SOOTHI_EXPORT_CONDITIONS:
            soothi_export_json_float(job->sink, !inner ? soothi_export_leaf(job, node)
                                                : field == SOOTHI_EXPORT_CONDITIONS
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
    if (job->number) sooth_text_put(job->sink, ",");
    sooth_text_put(job->sink,
                   "\n{\"categories\":[],\"categories_nodes\":[],\"categories_segments\":[],"
                   "\"categories_sizes\":[],\"id\":%u,",
                   job->number++);
    for (unsigned field = 0; field < SOOTHI_EXPORT_FIELDS; ++field)
        soothi_export_say_field(job, name[field], (soothi_export_field)field);
    sooth_text_put(job->sink,
                   "\"tree_param\":{\"num_deleted\":\"0\",\"num_feature\":\"%u\",\"num_nodes\":\"%u\","
                   "\"size_leaf_vector\":\"1\"}}",
                   job->trees->features, job->count);
}

/* Returns 1 if the base needs a tree per target. base_score is a single number, and not a margin. */
SOOTHI_LOCAL int soothi_export_base_trees(const soothi_export_trees *trees) {
    if (!trees->base || (trees->link == SOOTH_ENSEMBLE_LINK_IDENTITY && trees->targets == 1)) return 0;
    for (uint32_t t = 0; t < trees->targets; ++t)
        if (soothi_bits(trees->base[t]) << 1 != 0) return 1;
    return 0;
}

/* Writes the trees, after those of the base. */
SOOTHI_LOCAL void soothi_export_say_boost_trees(sooth_sink *sink, const soothi_export_trees *trees) {
    soothi_export_boost job;
    soothi_export_trees constant = *trees;
    sooth_tree_node node;
    memset(&job, 0, sizeof job);
    job.sink = sink;
    job.divisor = trees->flags & SOOTH_ENSEMBLE_MEAN ? (float)trees->each : 1.0f;
    if (soothi_export_base_trees(trees)) {
        constant.node = &node;
        constant.width = 1;
        constant.cover = NULL;
        job.trees = &constant;
        job.count = 1;
        node.link = 0;
        for (uint32_t t = 0; t < trees->targets; ++t) {
            node.u.value = trees->base[t];
            soothi_export_say_boost_tree(&job);
        }
    }
    job.trees = trees;
    for (uint32_t k = 0; k < trees->trees && !sink->failed; ++k) {
        job.first = soothi_export_start(trees, k);
        job.count = soothi_export_start(trees, k + 1) - job.first;
        for (job.target = 0; job.target < trees->width; ++job.target) soothi_export_say_boost_tree(&job);
    }
}

/* Writes the target of each tree: the targets take turns. */
SOOTHI_LOCAL void soothi_export_say_boost_turns(sooth_sink *sink, const soothi_export_trees *trees,
                                                uint32_t count) {
    sooth_text_put(sink, "\"iteration_indptr\":[0");
    for (uint32_t k = 1; k <= count / trees->targets; ++k) sooth_text_put(sink, ",%u", k * trees->targets);
    sooth_text_put(sink, "],\"tree_info\":[");
    for (uint32_t k = 0; k < count; ++k) sooth_text_put(sink, k ? ",%u" : "%u", k % trees->targets);
    sooth_text_put(sink, "],\"trees\":[");
}

SOOTHI_LOCAL void soothi_export_say_boost_names(sooth_sink *sink, const sooth_model_card *card,
                                                const char *const *names, uint32_t features) {
    sooth_text_put(sink, "\"feature_names\":[");
    for (uint32_t j = 0; (names || card) && j < features; ++j) {
        char room[24];
        const char *name = names ? names[j] : sooth_model_card_text(card, SOOTH_CARD_FEATURE, j);
        if (!name || !*name) {
            sooth_text_format(room, sizeof room, "f%u", j);
            name = room;
        }
        if (j) sooth_text_put(sink, ",");
        sooth_text_json(sink, name);
    }
    sooth_text_put(sink, "],\"feature_types\":[");
    for (uint32_t j = 0; (names || card) && j < features; ++j)
        sooth_text_put(sink, j ? ",\"float\"" : "\"float\"");
    sooth_text_put(sink, "],\n");
}

SOOTH_API sooth_status sooth_export_xgboost(sooth_env *env, const sooth_model *model,
                                            const sooth_export_xgboost_options *options, sooth_sink *sink) {
    static const char objective[3][96] = {
        /* for each sooth_ensemble_link */
        "\"name\":\"reg:squarederror\",\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}",
        "\"name\":\"count:poisson\",\"poisson_regression_param\":{\"max_delta_step\":\"0.7\"}",
        "\"name\":\"reg:logistic\",\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}"};
    sooth_model_parts parts;
    soothi_export_trees trees;
    sooth_model_open(model, &parts);
    soothi_export_open(parts.predictor, &trees);
    if (!trees.node)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "models of kind %s cannot be exported to XGBoost, only trees, forests and boosting",
                          soothi_export_kind_word(parts.predictor));
    if (trees.at)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model has linear leaves, which XGBoost files cannot represent; fit it without "
                          "linear_leaves");
    if (trees.flags & SOOTH_ENSEMBLE_QUANTILES)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model sorts several quantiles, which XGBoost files cannot represent; fit a "
                          "model for each");
    if (trees.sets.first)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model tests sets of categories, which are not exported to XGBoost");
    if (soothi_model_statistics(&parts))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model encodes categories by statistics, which XGBoost files cannot represent");
    if (parts.ratio)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model multiplies by a sum of columns (ratio_to), which XGBoost's format cannot "
            "represent");
    if (parts.input || parts.target)
        return sooth_fail(
            env, SOOTH_BAD_ARGUMENT,
            "the model transforms its %s, which XGBoost files cannot represent; fit it without a transform",
            parts.input ? "features" : "targets");
    if (parts.probability)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model maps its sum to a probability, which XGBoost files cannot represent; "
                          "fit it without a probability");
    if ((trees.flags & SOOTH_ENSEMBLE_MEAN) && !(options && options->approximate))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the model is a mean of trees, but XGBoost only sums them; set approximate to "
                          "divide each leaf by %u and round it",
                          trees.each);
    uint32_t count = trees.trees * trees.width + (soothi_export_base_trees(&trees) ? trees.targets : 0);
    float base_score = trees.link == SOOTH_ENSEMBLE_LINK_EXP        ? 1.0f
                       : trees.link == SOOTH_ENSEMBLE_LINK_LOGISTIC ? 0.5f
                       : trees.base && trees.targets == 1           ? trees.base[0]
                                                                    : 0.0f;
    sooth_text_put(sink, "{\"learner\":{\"attributes\":{},");
    soothi_export_say_boost_names(sink, parts.card, options ? options->names : NULL, trees.features);
    sooth_text_put(sink,
                   "\"gradient_booster\":{\"model\":{\"gbtree_model_param\":{\"num_parallel_tree\":\"1\","
                   "\"num_trees\":\"%u\",\"size_leaf_vector\":\"0\"},\n",
                   count);
    soothi_export_say_boost_turns(sink, &trees, count);
    soothi_export_say_boost_trees(sink, &trees);
    sooth_text_put(sink, "]},\"name\":\"gbtree\"},\n\"learner_model_param\":{\"base_score\":\"");
    soothi_export_json_float(sink, base_score);
    sooth_text_put(sink,
                   "\",\"boost_from_average\":\"0\",\"num_class\":\"0\",\"num_feature\":\"%u\","
                   "\"num_target\":\"%u\"},\n\"objective\":{%s}},\n\"version\":[1,7,0]}\n",
                   trees.features, trees.targets, objective[trees.link]);
    return soothi_export_done(env, sink);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
