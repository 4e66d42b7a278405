/* model/describe.h - describes a model and its cost, as text or as JSON.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Shows the content of a model file: the kind and its options, the number of training rows, scores, the
 * worst-case cost of one prediction, and the headers that firmware needs to predict. For each column it shows
 * the name, unit, training range and, for kinds that have one, a number of importance.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/model.h"
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
 *         sooth_model_describe(&env, sooth_model_from_block(&tree->head), &sink);
 *         //> predicts target 1 from 1 feature
 *         sooth_tree_free(&env, tree);
 *         return 0;
 *     }
 *
 * O(features + size of the text); allocates 8 bytes a feature. Any number of threads at once.
 */
#if !defined(SOOTH_MODEL_DESCRIBE_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_MODEL_DESCRIBE_H
SOOTHI_C_BEGIN

/* Describes the model, its training and its cost, as text or as one JSON object. A checked model may come
   from anyone: control characters in texts are replaced. Allocates 8 bytes per feature. sink->failed is set
   if the sink failed. */
SOOTH_API sooth_status sooth_model_describe(sooth_env *env, const sooth_model *model, sooth_sink *sink);
SOOTH_API sooth_status sooth_model_describe_json(sooth_env *env, const sooth_model *model, sooth_sink *sink);

SOOTHI_C_END
#endif /* SOOTH_MODEL_DESCRIBE_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_MODEL_DESCRIBE_IMPLEMENTED) && \
    !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_MODEL_DESCRIBE_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- output ---- */

/* A description has facts, texts or numbers with a name, and one number per feature (its importance, its
   coefficient). The output is text or JSON. */
typedef struct soothi_facts {
    sooth_env *env;
    sooth_sink *sink;
    sooth_status status;
    int json;
    int cells;          /* of the current entry of a table */
    int transformed;    /* whether there is an input transform */
    const char *column; /* name of the number of each feature; NULL if there is none */
    double *of_feature; /* NULL if not needed */
} soothi_facts;

/* Width of a UTF-8 text on a terminal, in characters. */
SOOTHI_LOCAL size_t soothi_describe_width(const char *text) {
    size_t n = 0;
    for (; *text; ++text) n += ((unsigned char)*text & 0xC0u) != 0x80u;
    return n;
}

/* Writes blanks from character `used` of a column to its width. */
SOOTHI_LOCAL void soothi_describe_say_blanks(sooth_sink *sink, size_t used, size_t width) {
    for (; used < width; ++used) sooth_text_write(sink, " ", 1);
}

/* Writes a text from a file without control characters, padded to a width. */
SOOTHI_LOCAL void soothi_describe_say_clean(sooth_sink *sink, const char *text, size_t width) {
    const size_t used = soothi_describe_width(text);
    for (; *text; ++text) {
        char c = (unsigned char)*text < 0x20 || (unsigned char)*text == 0x7F ? '?' : *text;
        sooth_text_write(sink, &c, 1);
    }
    soothi_describe_say_blanks(sink, used, width);
}

/* Writes a number with 5 digits into a column of that width. */
SOOTHI_LOCAL void soothi_describe_say_number(sooth_sink *sink, double value, size_t width) {
    char text[SOOTH_TEXT_NUMBER_SIZE];
    size_t n = sooth_text_format(text, sizeof text, soothi_nan(value) ? "-" : "%G", value);
    soothi_describe_say_blanks(sink, n, width);
    sooth_text_write(sink, text, n);
}

SOOTHI_LOCAL void soothi_describe_json_number(sooth_sink *sink, double value) {
    if (soothi_finite(value)) sooth_text_put(sink, "%g", value);
    else sooth_text_put(sink, "null");
}

/* In JSON, other characters than small letters become underscores. */
SOOTHI_LOCAL void soothi_describe_fact_name(const soothi_facts *facts, const char *name) {
    if (facts->json) {
        sooth_text_put(facts->sink, ",\n  \"");
        for (; *name; ++name) sooth_text_put(facts->sink, "%c", *name >= 'a' && *name <= 'z' ? *name : '_');
        sooth_text_put(facts->sink, "\": ");
    } else {
        sooth_text_put(facts->sink, "  ");
        soothi_describe_say_clean(facts->sink, name, 14);
        if (soothi_describe_width(name) >= 14) sooth_text_put(facts->sink, " ");
    }
}

SOOTHI_LOCAL void soothi_describe_fact_number(const soothi_facts *facts, const char *name, double value) {
    soothi_describe_fact_name(facts, name);
    if (facts->json) soothi_describe_json_number(facts->sink, value);
    else if (value >= 0.0 && value < 9e15 &&
             value - (double)(uint64_t)value <= 0.0) { /* counts: all digits */
        char text[SOOTH_TEXT_NUMBER_SIZE];
        sooth_text_write(facts->sink, text, sooth_text_from_double(text, value));
        sooth_text_put(facts->sink, "\n");
    } else {
        soothi_describe_say_number(facts->sink, value, 0);
        sooth_text_put(facts->sink, "\n");
    }
}

/* As text it is broken at blanks into lines of 80 characters. */
SOOTHI_LOCAL void soothi_describe_fact_text(const soothi_facts *facts, const char *name, const char *text) {
    size_t column = 0;
    if (!*text) return;
    soothi_describe_fact_name(facts, name);
    if (facts->json) {
        sooth_text_json(facts->sink, text);
        return;
    }
    for (; *text; ++text) {
        const char c[2] = {*text, 0};
        size_t word = 1;
        while (*text == ' ' && text[word] && text[word] != ' ') ++word;
        if (column + word > 78 && word > 1) {
            sooth_text_put(facts->sink, "\n                ");
            column = 0;
        } else {
            soothi_describe_say_clean(facts->sink, c, 0);
            ++column;
        }
    }
    sooth_text_put(facts->sink, "\n");
}

/* Writes choice `which` of the option with this name. */
SOOTHI_LOCAL void soothi_describe_fact_choice(const soothi_facts *facts, const char *name,
                                              sooth_option_list list, const char *option, uint32_t which) {
    const sooth_option *o = soothi_option_named(list, option);
    char room[32];
    if (o) soothi_describe_fact_text(facts, name, soothi_choice(o->choices, which, room));
}

/* ---- facts of each kind: one function for each line of SOOTH_KIND_LIST ---- */

/* Writes the facts, and the numbers of the features if the kind has any. */
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    SOOTHI_LOCAL void soothi_facts_##name(const sooth_##name *, soothi_facts *);
SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM

/* Coefficients of the first target. */
SOOTHI_LOCAL void soothi_facts_linear(const sooth_linear *linear, soothi_facts *facts) {
    sooth_linear_summary summary;
    uint32_t aliased = 0;
    sooth_linear_summarise(NULL, linear, 0, &summary);
    facts->column = "coefficient";
    for (uint32_t j = 0; j < linear->head.features; ++j) {
        if (facts->of_feature) facts->of_feature[j] = sooth_linear_coefficient(linear, 0, j);
        aliased += (uint32_t)sooth_linear_aliased(linear, j);
    }
    soothi_describe_fact_number(facts, "intercept",
                                sooth_linear_coefficient(linear, 0, linear->head.features));
    soothi_describe_fact_number(facts, "sigma", summary.sigma);
    soothi_describe_fact_number(facts, "condition", summary.condition);
    soothi_describe_fact_number(facts, "aliased", aliased);
    if (linear->products) {
        soothi_describe_fact_number(facts, "products", (double)linear->products);
        soothi_describe_fact_text(facts, "slopes", "where all columns are at their mean");
    }
    if (facts->transformed)
        soothi_describe_fact_text(facts, "coefficients", "of the features after the input transform");
}

/* Number of linear leaves, if there are any. */
SOOTHI_LOCAL void soothi_facts_planes(const uint32_t *at, uint32_t nodes, soothi_facts *facts) {
    uint32_t planes = 0;
    for (uint32_t k = 0; k < nodes; ++k) planes += at[k] != 0;
    soothi_describe_fact_number(facts, "leaves with planes", (double)planes);
}

SOOTHI_LOCAL void soothi_facts_tree(const sooth_tree *tree, soothi_facts *facts) {
    soothi_describe_fact_number(facts, "nodes", (double)tree->nodes);
    soothi_describe_fact_number(facts, "leaves", (double)(tree->nodes / 2 + 1));
    soothi_describe_fact_number(facts, "depth", (double)tree->depth);
    if (soothi_tree_is_linear(tree)) soothi_facts_planes(soothi_tree_planes(tree) + 1, tree->nodes, facts);
    const soothi_sets sets = soothi_tree_sets(tree);
    if (sets.first) soothi_describe_fact_number(facts, "category sets", (double)sets.first[-1]);
    if (!tree->statistics || !facts->of_feature) return;
    facts->column = "importance";
    facts->status = soothi_tree_importance(facts->env, tree, facts->of_feature);
}

/* Also for forests. */
SOOTHI_LOCAL void soothi_facts_boost(const sooth_boost *e, soothi_facts *facts) {
    double sum = 0.0;
    soothi_describe_fact_number(facts, "trees", (double)e->trees);
    soothi_describe_fact_number(facts, "nodes", (double)e->nodes);
    soothi_describe_fact_number(facts, "depth", (double)e->depth);
    if (e->link == SOOTH_ENSEMBLE_LINK_LOGISTIC)
        soothi_describe_fact_text(facts, "predicts", "the probability of a 1");
    if (e->flags & SOOTH_ENSEMBLE_QUANTILES) {
        char room[SOOTH_ENSEMBLE_MAX_QUANTILES * SOOTH_TEXT_NUMBER_SIZE], word[SOOTH_TEXT_NUMBER_SIZE];
        size_t n = 0;
        for (uint32_t t = 0; t < e->head.targets; ++t) {
            sooth_text_from_float(word, soothi_ensemble_levels(e)[t]);
            n += sooth_text_format(room + n, sizeof room - n, t ? ", %s" : "%s", word);
        }
        soothi_describe_fact_text(facts, "quantiles", room);
    }
    if (e->flags & SOOTH_ENSEMBLE_LINEAR) soothi_facts_planes(soothi_ensemble_planes(e), e->nodes, facts);
    if (e->flags & SOOTH_ENSEMBLE_SETS) soothi_describe_fact_number(facts, "category sets", (double)e->sets);
    if (!facts->of_feature) return;
    soothi_ensemble_gain(e, facts->of_feature);
    for (uint32_t j = 0; j < e->head.features; ++j) sum += facts->of_feature[j];
    for (uint32_t j = 0; j < e->head.features && sum > 0.0; ++j) facts->of_feature[j] /= sum;
    facts->column = "importance";
}

SOOTHI_LOCAL void soothi_facts_forest(const sooth_forest *forest, soothi_facts *facts) {
    soothi_facts_boost(forest, facts);
    if (sooth_forest_has_quantiles(forest))
        soothi_describe_fact_text(facts, "quantiles", "its leaves remember their rows");
}

/* A network uses all inputs together, so there is no number per feature. */
SOOTHI_LOCAL void soothi_facts_mlp(const sooth_mlp *mlp, soothi_facts *facts) {
    char room[160];
    size_t i, n = 0;
    room[0] = 0;
    for (i = 0; i < mlp->layers && n < 120; ++i)
        n += sooth_text_format(room + n, sizeof room - n, i ? "-%u" : "%u", sooth_mlp_layers(mlp)[i].outputs);
    soothi_describe_fact_text(facts, "layers", i < mlp->layers ? "many" : room);
    soothi_describe_fact_number(facts, "weights", (double)sooth_mlp_weights(mlp));
    soothi_describe_fact_number(facts, "epochs", (double)mlp->epochs);
    if (mlp->bits) soothi_describe_fact_number(facts, "bits", (double)mlp->bits);
    if (mlp->bits) soothi_describe_fact_number(facts, "off at most", (double)mlp->error);
}

/* Weights of a linear kernel, else the number of support vectors and the kernel. */
SOOTHI_LOCAL void soothi_facts_svr(const sooth_svr *svr, soothi_facts *facts) {
    soothi_describe_fact_choice(facts, "kernel", sooth_svr_options_list(), "kernel", svr->kernel);
    if (svr->kernel != SOOTH_SVR_LINEAR) {
        soothi_describe_fact_number(facts, "vectors", (double)svr->vectors);
        soothi_describe_fact_number(facts, "gamma", soothi_svr_gamma(svr));
    }
    soothi_describe_fact_number(facts, "epsilon", soothi_svr_epsilon(svr));
    if (svr->kernel != SOOTH_SVR_LINEAR || !facts->of_feature) return;
    facts->column = "coefficient";
    for (uint32_t j = 0; j < svr->head.features; ++j)
        facts->of_feature[j] = (double)sooth_svr_vector(svr, 0, j);
    if (facts->transformed)
        soothi_describe_fact_text(facts, "coefficients", "of the features after the input transform");
}

/* Deviations, not variances. The lengths of the columns are in units after the input transform. */
SOOTHI_LOCAL void soothi_facts_gauss(const sooth_gauss *gauss, soothi_facts *facts) {
    const sooth_gauss_parameters law = sooth_gauss_kernel_parameters(gauss);
    soothi_describe_fact_choice(facts, "kernel", sooth_gauss_options_list(), "kernel", gauss->kernel);
    soothi_describe_fact_number(facts, gauss->inducing ? "inducing" : "points", (double)gauss->points);
    soothi_describe_fact_number(facts, "signal", soothi_sqrt(law.signal));
    if (law.level > 0.0) soothi_describe_fact_number(facts, "level", soothi_sqrt(law.level));
    if (law.trend > 0.0) soothi_describe_fact_number(facts, "trend", soothi_sqrt(law.trend));
    soothi_describe_fact_number(facts, "noise", soothi_sqrt(law.noise));
    soothi_describe_fact_number(facts, "likelihood", law.likelihood);
    if (law.lengths == 1) soothi_describe_fact_number(facts, "length", law.length[0]);
    if (law.lengths == 1 || !facts->of_feature) return;
    facts->column = "length";
    for (uint32_t j = 0; j < law.lengths; ++j) facts->of_feature[j] = law.length[j];
    if (facts->transformed)
        soothi_describe_fact_text(facts, "lengths", "of the features after the input transform");
}

SOOTHI_LOCAL void soothi_facts_sofnn(const sooth_sofnn *sofnn, soothi_facts *facts) {
    soothi_describe_fact_number(facts, "rules", (double)sofnn->rules);
    soothi_describe_fact_text(facts, "consequents", sofnn->order ? "first order" : "zero order");
}

/* The coefficients as in the papers, and the best number of threads if the model has one. */
SOOTHI_LOCAL void soothi_facts_scaling(const sooth_scaling *law, soothi_facts *facts) {
    sooth_scaling_summary summary;
    char text[SOOTH_SCALING_MAX_TERMS * (SOOTH_TEXT_NUMBER_SIZE + 8)];
    size_t n = 0;
    soothi_describe_fact_text(facts, "law", sooth_scaling_law_name((sooth_scaling_law)law->law));
    for (uint32_t j = 0; j < law->terms; ++j)
        n += sooth_text_format(text + n, sizeof text - n, j ? ", b%u = %G" : "b%u = %G", j,
                               sooth_scaling_coefficient(law, j));
    soothi_describe_fact_text(facts, "coefficients", text);
    soothi_describe_fact_number(facts, "sigma", law->sigma);
    if (law->relative) soothi_describe_fact_text(facts, "sigma is", "a share of the value");
    if (law->machine.cores) {
        soothi_describe_fact_number(facts, "cores", (double)law->machine.cores);
        soothi_describe_fact_number(facts, "sockets", (double)law->machine.sockets);
    }
    if (sooth_scaling_summarise(NULL, law, &summary) != SOOTH_OK) return;
    soothi_describe_fact_number(facts, "contention", summary.sigma);
    soothi_describe_fact_number(facts, "coherency", summary.kappa);
    if (soothi_finite(summary.peak)) soothi_describe_fact_number(facts, "best threads", summary.peak);
}

/* "3.2 %" of a relative error. */
SOOTHI_LOCAL void soothi_facts_best_error(const sooth_best *best, const soothi_facts *facts, const char *name,
                                          double error) {
    char text[SOOTH_TEXT_NUMBER_SIZE + 4];
    if (facts->json || best->error != SOOTH_BEST_MRE) {
        soothi_describe_fact_number(facts, name, error);
        return;
    }
    sooth_text_format(text, sizeof text, "%G %%", 100.0 * error);
    soothi_describe_fact_text(facts, name, text);
}

/* The members with their weights and held-out errors, and the best rule. */
SOOTHI_LOCAL void soothi_facts_best(const sooth_best *best, soothi_facts *facts) {
    static const char verdict[3][64] = {"a rule, since no model beats it", "one model", "an average"};
    char text[SOOTH_BEST_MAX_MEMBERS * (128 + 2 * SOOTH_TEXT_NUMBER_SIZE)], recipe[128];
    sooth_best_candidate one;
    size_t n = 0;
    soothi_describe_fact_text(facts, "answer", verdict[best->verdict]);
    for (uint32_t i = 0; i < best->members; ++i) {
        sooth_best_candidate_at(best, i, &one);
        sooth_text_format(recipe, sizeof recipe, "%s", one.recipe);
        n += sooth_text_format(text + n, sizeof text - n, i ? "; %G of %s" : "%G of %s", (double)one.weight,
                               recipe);
    }
    soothi_describe_fact_text(facts, "members", text);
    soothi_describe_fact_number(facts, "compared", (double)best->candidates);
    if (best->geometric) soothi_describe_fact_text(facts, "mean", "geometric");
    if (best->folds == 0) return;
    soothi_describe_fact_choice(facts, "errors are", sooth_best_options_list(), "error", best->error);
    soothi_facts_best_error(best, facts, "error", (double)best->expected);
    const double doubt = sooth_best_standard_error(best);
    if (!soothi_nan(doubt)) soothi_facts_best_error(best, facts, "standard error", doubt);
    if (!soothi_nan(doubt)) soothi_describe_fact_number(facts, "share above", sooth_best_share_above(best));
    sooth_best_candidate_at(best, best->rule, &one);
    soothi_describe_fact_text(facts, "best rule", one.recipe);
    soothi_facts_best_error(best, facts, "its error", (double)best->expected_rule);
}

SOOTHI_LOCAL void soothi_facts_of(const sooth_block *predictor, soothi_facts *facts) {
    switch (soothi_model_kind(predictor)) {
#define SOOTHI_ITEM(name, NAME, number, transform, title, columns, targets) \
    case SOOTH_KIND_##NAME: soothi_facts_##name((const sooth_##name *)(const void *)predictor, facts); break;
        SOOTH_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    default: break;
    }
}

SOOTHI_LOCAL void soothi_describe_fact_cost(const soothi_facts *facts, const sooth_cost *cost) {
    static const char name[3][16] = {"comparisons", "multiply-adds", "exp/log/tanh"};
    const uint32_t count[3] = {cost->comparisons, cost->multiply_adds, cost->functions};
    soothi_describe_fact_number(facts, "bytes", (double)cost->bytes);
    for (unsigned k = 0; k < 3; ++k)
        if (count[k] || facts->json) soothi_describe_fact_number(facts, name[k], count[k]);
}

/* The headers that firmware includes to predict: those of the kind and of the other parts. model.h, which
   includes all kinds, only for a probability or a ratio. */
SOOTHI_LOCAL void soothi_describe_fact_headers(const soothi_facts *facts, const sooth_model_kind *kind,
                                               const sooth_model_parts *parts) {
    char text[128];
    sooth_text_format(text, sizeof text, "sooth/%s.h%s%s%s",
                      kind->kind == SOOTH_KIND_GAUSS  ? "gaussian_process"
                      : kind->kind == SOOTH_KIND_BEST ? "model"
                                                      : kind->name,
                      parts->input || parts->target || parts->levels ? ", sooth/preprocess.h" : "",
                      (parts->probability || parts->ratio) && kind->kind != SOOTH_KIND_BEST
                          ? ", sooth/model.h"
                      : parts->interval ? ", sooth/conformal.h"
                                        : "",
                      parts->adapt ? ", sooth/adapt.h" : "");
    soothi_describe_fact_text(facts, "headers", text);
}

/* "log1p_standard", or "several" if the columns differ. */
SOOTHI_LOCAL void soothi_describe_fact_scale(const soothi_facts *facts, const char *name,
                                             const sooth_scale *scale) {
    const sooth_scale_column *column = sooth_scale_columns(scale);
    uint32_t j;
    for (j = 1; j < scale->head.features && column[j].transform == column[0].transform; ++j) continue;
    if (j < scale->head.features) soothi_describe_fact_text(facts, name, "several");
    else
        soothi_describe_fact_choice(facts, name, sooth_scale_options_list(), "transform",
                                    column[0].transform);
}

/* Begins one entry of a table: a line of padded cells, or a JSON object. */
SOOTHI_LOCAL void soothi_describe_entry_begin(soothi_facts *facts, size_t i) {
    sooth_text_put(facts->sink, !facts->json ? "  " : i ? ",\n    {" : "\n    {");
    facts->cells = 0;
}

SOOTHI_LOCAL void soothi_describe_entry_key(soothi_facts *facts, const char *key) {
    if (facts->json) sooth_text_put(facts->sink, facts->cells++ ? ", \"%s\": " : "\"%s\": ", key);
}

SOOTHI_LOCAL void soothi_describe_entry_text(soothi_facts *facts, const char *key, const char *text,
                                             size_t width) {
    soothi_describe_entry_key(facts, key);
    if (facts->json) sooth_text_json(facts->sink, text);
    else if (width) soothi_describe_say_clean(facts->sink, text, width + 2);
}

SOOTHI_LOCAL void soothi_describe_entry_number(soothi_facts *facts, const char *key, double value,
                                               size_t width) {
    soothi_describe_entry_key(facts, key);
    if (facts->json) soothi_describe_json_number(facts->sink, value);
    else soothi_describe_say_number(facts->sink, value, width);
}

SOOTHI_LOCAL void soothi_describe_entry_end(soothi_facts *facts) {
    sooth_text_put(facts->sink, facts->json ? "}" : "\n");
}

/* The name or unit of a column; at counts features and then targets. */
SOOTHI_LOCAL const char *soothi_describe_column_text(const sooth_model_card *card, size_t at, size_t features,
                                                     int unit) {
    if (!card) return "";
    if (at < features)
        return sooth_model_card_text(card, unit ? SOOTH_CARD_FEATURE_UNIT : SOOTH_CARD_FEATURE, at);
    return sooth_model_card_text(card, unit ? SOOTH_CARD_TARGET_UNIT : SOOTH_CARD_TARGET, at - features);
}

SOOTHI_LOCAL void soothi_describe_column(soothi_facts *facts, const sooth_model_card *card, size_t at,
                                         size_t features, const size_t width[2]) {
    const size_t i = at < features ? at : at - features;
    const char *name = soothi_describe_column_text(card, at, features, 0);
    const float *range = card ? sooth_model_card_range(card) + 2 * at : NULL;
    char room[32];
    if (!*name && !facts->json) {
        sooth_text_format(room, sizeof room, at < features ? "feature %z" : "target %z", i + 1);
        name = room;
    }
    soothi_describe_entry_begin(facts, i);
    soothi_describe_entry_text(facts, "name", name, width[0]);
    soothi_describe_entry_text(facts, "unit", soothi_describe_column_text(card, at, features, 1), width[1]);
    soothi_describe_entry_number(facts, "least", (double)(range ? range[0] : soothi_missing()), 10);
    soothi_describe_entry_number(facts, "most", (double)(range ? range[1] : soothi_missing()), 12);
    if (at < features && facts->column)
        soothi_describe_entry_number(facts, facts->column, facts->of_feature[i], 14);
    if (at >= features && range && range[0] >= range[1] && !facts->json)
        sooth_text_put(facts->sink, "  constant: the same in all training rows");
    soothi_describe_entry_end(facts);
}

SOOTHI_LOCAL void soothi_describe_columns(soothi_facts *facts, const sooth_model_card *card, size_t features,
                                          size_t targets) {
    size_t width[2] = {12, 0}, i, k, n; /* width of the longest name and unit */
    for (i = 0; card && i < features + targets; ++i)
        for (k = 0; k < 2; ++k) {
            n = soothi_describe_width(soothi_describe_column_text(card, i, features, (int)k));
            if (n > width[k]) width[k] = n;
        }
    if (width[1] && width[1] < 4) width[1] = 4;
    if (facts->json) {
        sooth_text_put(facts->sink, ",\n  \"features\": [");
    } else {
        sooth_text_put(facts->sink, "\n  ");
        soothi_describe_say_clean(facts->sink, "column", width[0] + 2);
        if (width[1]) soothi_describe_say_clean(facts->sink, "unit", width[1] + 2);
        sooth_text_put(facts->sink, "     least        most");
        if (facts->column) {
            soothi_describe_say_blanks(facts->sink, soothi_describe_width(facts->column), 14);
            sooth_text_put(facts->sink, "%s", facts->column);
        }
        sooth_text_put(facts->sink, "\n");
    }
    for (i = 0; i < features + targets; ++i) {
        if (facts->json && i == features) sooth_text_put(facts->sink, "\n  ],\n  \"targets\": [");
        soothi_describe_column(facts, card, i, features, width);
    }
    if (facts->json) sooth_text_put(facts->sink, "\n  ]");
}

SOOTHI_LOCAL void soothi_describe_scores(soothi_facts *facts, const sooth_model_card *card) {
    size_t width = 12;
    if (card->scores == 0 && !facts->json) return;
    for (size_t i = 0; i < card->scores; ++i) {
        size_t n = soothi_describe_width(sooth_model_card_text(card, SOOTH_CARD_SCORE, i));
        if (n > width) width = n;
    }
    sooth_text_put(facts->sink, facts->json ? ",\n  \"scores\": [" : "\n");
    for (size_t i = 0; i < card->scores; ++i) {
        soothi_describe_entry_begin(facts, i);
        soothi_describe_entry_text(facts, "name", sooth_model_card_text(card, SOOTH_CARD_SCORE, i), width);
        soothi_describe_entry_number(facts, "value", sooth_model_card_score(card, i), 10);
        soothi_describe_entry_end(facts);
    }
    if (facts->json) sooth_text_put(facts->sink, card->scores ? "\n  ]" : "]");
}

/* Rounds a float to n significant digits, for digits = 10^n, which drops the error of its last bits. */
SOOTHI_LOCAL double soothi_describe_short(float value, double digits) {
    const double v = (double)value, size = soothi_abs(v);
    double scale = 1.0;
    if (!soothi_finite(v) || !(size > 0.0)) return v;
    while (size * scale < digits / 10.0) scale *= 10.0;
    while (size * scale >= digits) scale /= 10.0;
    return (double)(int64_t)(v * scale + (v < 0.0 ? -0.5 : 0.5)) / scale;
}

/* What an interval covers. */
SOOTHI_LOCAL const char *soothi_describe_promise(const sooth_conformal *c, int is_short) {
    static const char promise[SOOTH_CONFORMAL_PROMISES + 1][2][24] = {
        {"nothing", "nothing"},
        {"more rows", "rows"},
        {"rows of a new group", "groups"},
        {"new groups as a whole", "whole groups"},
        {"later rows", "later rows"}};
    const int later = c->claim.promise == SOOTH_CONFORMAL_OF_ROWS && c->method == SOOTH_CONFORMAL_FORWARD;
    return promise[later ? (uint32_t)SOOTH_CONFORMAL_PROMISES : c->claim.promise][is_short];
}

/* The coverage of an interval and its width: "90 % of rows of a new group (43 groups, 979 rows): / 1.79 to x
   1.79". */
SOOTHI_LOCAL void soothi_describe_say_interval(const soothi_facts *facts, const sooth_conformal *c) {
    const int logarithms = c->scale == SOOTH_CONFORMAL_LOG;
    const double level = soothi_describe_short(100.0f * c->claim.level, 1e6);
    char text[200];
    size_t n = 0;
    if (c->claim.promise == SOOTH_CONFORMAL_NONE) {
        n = sooth_text_format(text, sizeof text, "unbounded: too few to promise %g %% (", level);
    } else n = sooth_text_format(text, sizeof text, "%g %% of %s (", level, soothi_describe_promise(c, 0));
    if (c->claim.groups) n += sooth_text_format(text + n, sizeof text - n, "%u groups, ", c->claim.groups);
    n += sooth_text_format(text + n, sizeof text - n, "%u rows)", c->claim.rows);
    const double above = soothi_describe_short(logarithms ? sooth_exp(c->above) : c->above, 1e3);
    if (c->claim.promise != SOOTH_CONFORMAL_NONE && c->below > FLT_MAX) /* upper ends only */
        sooth_text_format(text + n, sizeof text - n, logarithms ? ": up to x %g" : ": up to + %g", above);
    else if (c->claim.promise != SOOTH_CONFORMAL_NONE)
        sooth_text_format(text + n, sizeof text - n, logarithms ? ": / %g to x %g" : ": - %g to + %g",
                          soothi_describe_short(logarithms ? sooth_exp(c->below) : c->below, 1e3), above);
    soothi_describe_fact_text(facts, "interval", text);
}

SOOTHI_LOCAL void soothi_describe_interval_json(soothi_facts *facts, const sooth_conformal *c, uint32_t t) {
    soothi_describe_entry_begin(facts, t);
    soothi_describe_entry_text(facts, "promise", soothi_describe_promise(c, 1), 0);
    soothi_describe_entry_number(facts, "level", soothi_describe_short(c->claim.level, 1e6), 0);
    soothi_describe_entry_number(facts, "proven", soothi_describe_short(c->claim.proven, 1e6), 0);
    soothi_describe_entry_number(facts, "groups", c->claim.groups, 0);
    soothi_describe_entry_number(facts, "rows", c->claim.rows, 0);
    soothi_describe_entry_text(facts, "scale", c->scale == SOOTH_CONFORMAL_LOG ? "log" : "plain", 0);
    soothi_describe_entry_number(facts, "below", (double)c->below, 0);
    soothi_describe_entry_number(facts, "above", (double)c->above, 0);
    soothi_describe_entry_end(facts);
}

/* "sigmoid of its log odds: slope 0.85, intercept -0.1", or "isotonic: 23 points from 0.02 to 0.97". */
SOOTHI_LOCAL void soothi_describe_probability(const soothi_facts *facts, const sooth_probability *map) {
    const float *p = soothi_probability_points(map) + map->points;
    char text[120];
    if (map->method == SOOTH_PROBABILITY_ISOTONIC)
        sooth_text_format(text, sizeof text, "isotonic: %u points from %g to %g", map->points,
                          soothi_describe_short(p[0], 1e3), soothi_describe_short(p[map->points - 1], 1e3));
    else
        sooth_text_format(text, sizeof text, "sigmoid of %s: slope %g, intercept %g",
                          map->scores == SOOTH_PROBABILITY_ODDS ? "the log odds" : "the prediction",
                          soothi_describe_short(map->slope, 1e3),
                          soothi_describe_short(map->intercept - map->slope * map->centre, 1e3));
    soothi_describe_fact_text(facts, "probability", text);
}

/* "tokens + 2.5 length + 500": what predictions are multiplied by; and the share of the learner. */
SOOTHI_LOCAL void soothi_describe_ratio(const soothi_facts *facts, const sooth_model_card *card,
                                        const sooth_ratio *ratio) {
    char text[512], name[48];
    size_t n = 0;
    for (uint32_t k = 0; k < ratio->terms && n + 128 < sizeof text; ++k) {
        const sooth_ratio_term term = sooth_ratio_terms(ratio)[k];
        const char *of_card = card ? sooth_model_card_text(card, SOOTH_CARD_FEATURE, term.column) : "";
        if (*of_card) soothi_brief(name, of_card);
        else sooth_text_format(name, sizeof name, "feature %u", term.column + 1);
        n += sooth_text_format(text + n, sizeof text - n, k ? " + " : "");
        if (soothi_bits(term.coefficient) != soothi_bits(1.0f))
            n += sooth_text_format(text + n, sizeof text - n, "%g ",
                                   soothi_describe_short(term.coefficient, 1e3));
        n += sooth_text_format(text + n, sizeof text - n, "%s", name);
        if (k + 1 < ratio->terms && n + 128 >= sizeof text)
            n += sooth_text_format(text + n, sizeof text - n, " + ...");
    }
    if (ratio->constant > 0.0f)
        sooth_text_format(text + n, sizeof text - n, " + %g", soothi_describe_short(ratio->constant, 1e3));
    soothi_describe_fact_text(facts, "ratio to", text);
    if (ratio->share <= 0.0f && !facts->json)
        soothi_describe_fact_text(facts, "its share", "0: the law answers alone, this sum times a constant");
    else soothi_describe_fact_number(facts, "its share", (double)ratio->share);
}

/* The intervals of all targets, and the adaptation to new programs. */
SOOTHI_LOCAL void soothi_describe_intervals(soothi_facts *facts, const sooth_model *model,
                                            const sooth_adapt *adapt) {
    const sooth_conformal *first = sooth_model_conformal(model, 0);
    if (first) {
        const sooth_block *at = &first->head;
        if (facts->json) sooth_text_put(facts->sink, ",\n  \"intervals\": [");
        for (uint32_t t = 0; t < model->head.targets; ++t) {
            const sooth_conformal *c = (const sooth_conformal *)(const void *)at;
            if (facts->json) soothi_describe_interval_json(facts, c, t);
            else soothi_describe_say_interval(facts, c);
            at = (const sooth_block *)soothi_model_part(at, at->size);
        }
        if (facts->json) sooth_text_put(facts->sink, "\n  ]");
    }
    if (!adapt) return;
    soothi_describe_fact_number(facts, "adapts by", adapt->programs);
    soothi_describe_fact_number(facts, "remembers", adapt->capacity);
}

/* The dictionary: the number of levels of each column, their encoding, and levels beyond the capacity. */
SOOTHI_LOCAL void soothi_describe_levels(soothi_facts *facts, const sooth_model_card *card,
                                         const sooth_levels *levels) {
    const sooth_levels_column *column = sooth_levels_columns(levels);
    char name[32];
    size_t n = 0;
    soothi_describe_fact_text(facts, "encoding", levels->statistics ? "statistics of the target" : "codes");
    soothi_describe_fact_number(facts, "level bytes", levels->head.size);
    if (facts->json) sooth_text_put(facts->sink, ",\n  \"categories\": [");
    for (uint32_t j = 0; j < levels->head.features; ++j) {
        const char *text = card ? sooth_model_card_text(card, SOOTH_CARD_FEATURE, j) : "";
        if (!column[j].categorical) continue;
        if (!*text && !facts->json) {
            sooth_text_format(name, sizeof name, "feature %u", j + 1);
            text = name;
        }
        if (facts->json) {
            soothi_describe_entry_begin(facts, n++);
            soothi_describe_entry_number(facts, "feature", j + 1, 0);
            soothi_describe_entry_text(facts, "name", text, 0);
            soothi_describe_entry_number(facts, "levels", column[j].count, 0);
            soothi_describe_entry_number(facts, "without_room", column[j].lost, 0);
            soothi_describe_entry_number(facts, "their_rows", column[j].lost_rows, 0);
            soothi_describe_entry_end(facts);
            continue;
        }
        sooth_text_put(facts->sink, "  levels        %u of ", column[j].count);
        soothi_describe_say_clean(facts->sink, text, 0);
        if (column[j].lost)
            sooth_text_put(facts->sink, "; no room for %u, in %u rows", column[j].lost, column[j].lost_rows);
        sooth_text_put(facts->sink, "\n");
    }
    if (facts->json) sooth_text_put(facts->sink, "\n  ]");
}

/* "regression tree: predicts Power [W] from 15 features" */
SOOTHI_LOCAL void soothi_describe_title(const soothi_facts *facts, const sooth_model *model,
                                        const sooth_model_card *card, const sooth_model_kind *kind) {
    if (facts->json) {
        sooth_text_put(facts->sink, "{\n  \"model\": \"%s\",\n  \"title\": \"%s\"", kind->name, kind->title);
        return;
    }
    sooth_text_put(facts->sink, "%s: predicts ", kind->title);
    for (uint32_t t = 0; t < model->head.targets; ++t) { /* "Power [W]", or "target 2" */
        const char *name = card ? sooth_model_card_text(card, SOOTH_CARD_TARGET, t) : "";
        const char *unit = card ? sooth_model_card_text(card, SOOTH_CARD_TARGET_UNIT, t) : "";
        if (t) sooth_text_put(facts->sink, ", ");
        if (*name) soothi_describe_say_clean(facts->sink, name, 0);
        else sooth_text_put(facts->sink, "target %u", t + 1);
        if (!*unit) continue;
        sooth_text_put(facts->sink, " [");
        soothi_describe_say_clean(facts->sink, unit, 0);
        sooth_text_put(facts->sink, "]");
    }
    sooth_text_put(facts->sink, model->head.features == 1 ? " from %u feature\n" : " from %u features\n",
                   model->head.features);
}

/* Columns without names are only listed up to this number: a block of 64 bytes can claim 2^32 - 1. */
enum { SOOTHI_DESCRIBE_MOST_UNNAMED = 1000 };

SOOTHI_LOCAL sooth_status soothi_describe(sooth_env *env, const sooth_model *model, sooth_sink *sink,
                                          int json) {
    sooth_model_parts parts;
    sooth_cost cost = sooth_model_cost(model);
    soothi_facts facts;
    sooth_model_open(model, &parts);
    memset(&facts, 0, sizeof facts);
    facts.env = env;
    facts.sink = sink;
    facts.json = json;
    facts.transformed = soothi_model_changes(&parts);
    const int listed = parts.card || model->head.features <= SOOTHI_DESCRIBE_MOST_UNNAMED;
    facts.of_feature = listed ? (double *)sooth_alloc(env, model->head.features, sizeof(double)) : NULL;
    if (listed && !facts.of_feature)
        return sooth_no_memory(env, "a description", soothi_product(model->head.features, sizeof(double)));
    const sooth_model_kind *kind = soothi_model_kind_of(parts.predictor);
    soothi_describe_title(&facts, model, parts.card, kind);
    if (parts.card) {
        if (parts.card->rows) soothi_describe_fact_number(&facts, "rows", parts.card->rows);
        if (parts.card->groups) soothi_describe_fact_number(&facts, "groups", parts.card->groups);
        soothi_describe_fact_text(&facts, "options",
                                  sooth_model_card_text(parts.card, SOOTH_CARD_OPTIONS, 0));
        soothi_describe_fact_text(&facts, "note", sooth_model_card_text(parts.card, SOOTH_CARD_NOTE, 0));
    }
    if (parts.input) soothi_describe_fact_scale(&facts, "input scale", parts.input);
    if (parts.target) soothi_describe_fact_scale(&facts, "target scale", parts.target);
    if (parts.ratio) soothi_describe_ratio(&facts, parts.card, parts.ratio);
    if (parts.levels) soothi_describe_levels(&facts, parts.card, parts.levels);
    soothi_facts_of(parts.predictor, &facts);
    soothi_describe_fact_cost(&facts, &cost);
    soothi_describe_fact_headers(&facts, kind, &parts);
    soothi_describe_intervals(&facts, model, parts.adapt);
    if (parts.probability) soothi_describe_probability(&facts, parts.probability);
    if (parts.card) soothi_describe_scores(&facts, parts.card);
    if (listed) soothi_describe_columns(&facts, parts.card, model->head.features, model->head.targets);
    else soothi_describe_fact_number(&facts, "features", model->head.features);
    if (json) sooth_text_put(sink, "\n}\n");
    sooth_free(env, facts.of_feature, model->head.features, sizeof(double));
    return facts.status;
}

SOOTH_API sooth_status sooth_model_describe(sooth_env *env, const sooth_model *model, sooth_sink *sink) {
    return soothi_describe(env, model, sink, 0);
}

SOOTH_API sooth_status sooth_model_describe_json(sooth_env *env, const sooth_model *model, sooth_sink *sink) {
    return soothi_describe(env, model, sink, 1);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
