/* explaining.c - the importance of features in the models of study.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int more_important(const void *a, const void *b) {
    const double d = ((const study_importance *)b)->shap - ((const study_importance *)a)->shap;
    return (d > 0) - (d < 0);
}

static sooth_explain_trees trees_of(const sooth_model *model) {
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_TREE)
        return sooth_explain_tree((const sooth_tree *)(const void *)parts.predictor);
    return sooth_explain_ensemble((const sooth_ensemble *)(const void *)parts.predictor);
}

/* The input features of these bags. x: count x STUDY_FEATURES. */
static sooth_status look_at(sooth_env *env, const study_model *model, const study_data *data,
                            const uint32_t *row, size_t count, float *x, sooth_table *table) {
    sooth_status status = SOOTH_OK;
    for (size_t i = 0; i < count && status == SOOTH_OK; ++i)
        status = study_features(env, model, data, &data->bag[row[i]], x + i * STUDY_FEATURES);
    sooth_table_init(table, x, count, STUDY_FEATURES);
    return status;
}

/* gain and shap of a model on its training bags. phi: a buffer for count x STUDY_FEATURES. */
static sooth_status explain_predictions(sooth_env *env, const study_model *model, const sooth_table *table,
                                        double *phi, study_importance *out) {
    const sooth_explain_trees trees = trees_of(study_kept(model));
    double gain[STUDY_FEATURES];
    sooth_status status = sooth_explain_importance(env, &trees, SOOTH_EXPLAIN_SHARE, gain);
    if (status == SOOTH_OK) status = sooth_explain_shap(env, &trees, table, phi, NULL);
    for (size_t j = 0; j < STUDY_FEATURES && status == SOOTH_OK; ++j) {
        out[j].gain = gain[j];
        for (size_t i = 0; i < table->rows; ++i)
            out[j].shap += fabs(phi[i * STUDY_FEATURES + j]) / (double)table->rows;
    }
    return status;
}

/* The decision paths of bags outside the training of the single tree. Every workload is left out in turn,
   as in the paper. part: a buffer for one number per bag. x: a buffer for their features. */
static sooth_status explain_paths(sooth_env *env, const study_data *data, const uint32_t *row, size_t bags,
                                  uint32_t *part, float *x, study_importance *out) {
    sooth_explain_use use[STUDY_FEATURES];
    sooth_status status = SOOTH_OK;
    double seen_bags = 0.0;
    for (uint32_t w = 0; w < data->workloads && status == SOOTH_OK; ++w) {
        const size_t trains = study_leave_out(data, row, bags, w, part), tests = bags - trains;
        study_model tree;
        sooth_table table;
        if (trains == 0 || tests == 0) continue;
        status = study_train(env, data, STUDY_TREE_RATIO, part, trains, &tree);
        if (status != SOOTH_OK) break;
        status = look_at(env, &tree, data, part + trains, tests, x, &table);
        if (status == SOOTH_OK) {
            const sooth_explain_trees trees = trees_of(study_kept(&tree));
            status = sooth_explain_paths(env, &trees, &table, use);
        }
        for (size_t j = 0; j < STUDY_FEATURES && status == SOOTH_OK; ++j) {
            out[j].rows += use[j].rows * (double)tests;
            out[j].asked += use[j].per_path * (double)tests;
        }
        seen_bags += (double)tests;
        study_free(env, &tree);
    }
    for (size_t j = 0; j < STUDY_FEATURES && seen_bags > 0.0; ++j) {
        out[j].rows /= seen_bags;
        out[j].asked /= seen_bags;
    }
    return status;
}

sooth_status study_explain(sooth_env *env, const study_data *data, size_t bags, study_scheme *scheme,
                           study_importance out[STUDY_FEATURES]) {
    double *phi = (double *)malloc((bags + 1) * STUDY_FEATURES * (sizeof(double) + sizeof(float)) +
                                   2 * bags * sizeof(uint32_t));
    float *x = (float *)(void *)(phi + (bags + 1) * STUDY_FEATURES);
    uint32_t *row = (uint32_t *)(void *)(x + (bags + 1) * STUDY_FEATURES), *part = row + bags;
    study_model model;
    sooth_table table;
    if (!phi) {
        sooth_text_format(env->sentence, sizeof env->sentence, "no memory to explain %z bags", bags);
        return SOOTH_NO_MEMORY;
    }
    memset(&model, 0, sizeof model);
    memset(out, 0, STUDY_FEATURES * sizeof *out);
    for (size_t i = 0; i < STUDY_FEATURES; ++i) out[i].name = study_feature_name[i];
    for (size_t i = 0; i < bags; ++i) row[i] = (uint32_t)i;
    sooth_status status = study_choose(env, data, 1, row, bags, scheme, NULL);
    if (status == SOOTH_OK) status = study_train(env, data, *scheme, row, bags, &model);
    if (status == SOOTH_OK) status = look_at(env, &model, data, row, bags, x, &table);
    if (status == SOOTH_OK) status = explain_predictions(env, &model, &table, phi, out);
    if (status == SOOTH_OK) status = explain_paths(env, data, row, bags, part, x, out);
    if (status == SOOTH_OK) qsort(out, STUDY_FEATURES, sizeof *out, more_important);
    study_free(env, &model);
    free(phi);
    return status;
}
