/* test_import_small.c - model files of three nodes, altered word by word: what is read, and what each refusal
 * says.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/import.h"
#include "check.h"

static sooth_env env;

/* One split of column 1 at 0.5: 10 below, 20 above. */
static const char sklearn[] =
    "{\"sklearn\":\"1.9\",\"features\":2,\"targets\":1,\"link\":\"identity\",\"base\":[0],"
    "\"feature_names\":[\"a\",\"b\"],\"trees\":[{\"left\":[1,-1,-1],\"right\":[2,-1,-1],\"feature\":[1,-2,-2]"
    ","
    "\"threshold\":[0.5,-2,-2],\"value\":[0,10,20]}]}";
static const char xgboost[] =
    "{\"learner\":{\"gradient_booster\":{\"name\":\"gbtree\",\"model\":{\"tree_info\":[0],\"trees\":[{"
    "\"left_children\":[1,-1,-1],\"right_children\":[2,-1,-1],\"split_indices\":[1,0,0],"
    "\"split_conditions\":[0.5,10,20],\"split_type\":[0,0,0],"
    "\"tree_param\":{\"num_deleted\":\"0\"}}]}},\"learner_model_param\":{\"base_score\":\"0\","
    "\"num_feature\":\"2\",\"num_target\":\"1\"},\"objective\":{\"name\":\"reg:linear\"}}}";
static const char lightgbm[] = "tree\nversion=v4\nnum_tree_per_iteration=1\nmax_feature_idx=1\n"
                               "objective=regression\nfeature_names=a b\n\nTree=0\nsplit_feature=1\n"
                               "split_gain=3\nthreshold=0.5\ndecision_type=2\nleft_child=-1\nright_child=-2\n"
                               "leaf_value=10 20\nleaf_weight=1 1\nleaf_count=4 6\ninternal_count=10\n"
                               "is_linear=0\n\nend of trees\n";

/* Category 1 is 10, in the words of each library, and all others are 20. */
static const char xgboost_set[] =
    "{\"learner\":{\"gradient_booster\":{\"name\":\"gbtree\",\"model\":{\"tree_info\":[0],\"trees\":[{"
    "\"left_children\":[1,-1,-1],\"right_children\":[2,-1,-1],\"split_indices\":[1,0,0],"
    "\"split_conditions\":[0.5,20,10],\"split_type\":[1,0,0],\"default_left\":[1,0,0],"
    "\"categories\":[1],\"categories_nodes\":[0],\"categories_segments\":[0],\"categories_sizes\":[1],"
    "\"tree_param\":{\"num_deleted\":\"0\"}}]}},\"learner_model_param\":{\"base_score\":\"0\","
    "\"num_feature\":\"2\",\"num_target\":\"1\"},\"objective\":{\"name\":\"reg:linear\"}}}";
static const char lightgbm_set[] =
    "tree\nversion=v4\nnum_tree_per_iteration=1\nmax_feature_idx=1\n"
    "objective=regression\nfeature_names=a b\n\nTree=0\nnum_cat=1\nsplit_feature=1\n"
    "split_gain=3\nthreshold=0\ndecision_type=1\nleft_child=-1\nright_child=-2\n"
    "leaf_value=10 20\nleaf_weight=1 1\nleaf_count=4 6\ninternal_count=10\n"
    "cat_boundaries=0 1\ncat_threshold=2\nis_linear=0\n\nend of trees\n";
static const char catboost_set[] =
    "{\"features_info\":{\"categorical_features\":[{\"feature_id\":\"b\",\"feature_index\":0,"
    "\"flat_feature_index\":1}],\"float_features\":[{\"borders\":[0.5],\"feature_id\":\"a\","
    "\"feature_index\":0,\"flat_feature_index\":0,\"nan_value_treatment\":\"AsIs\"}]},"
    "\"model_info\":{\"params\":{\"loss_function\":{\"type\":\"RMSE\"}}},"
    "\"oblivious_trees\":[{\"leaf_values\":[20,10],\"leaf_weights\":[6,4],\"splits\":[{"
    "\"cat_feature_index\":0,\"split_type\":\"OneHotFeature\",\"value\":1121341681}]}],"
    "\"scale_and_bias\":[1,[0]]}";
static const char catboost[] = "{\"features_info\":{\"float_features\":[{\"borders\":[0.5],"
                               "\"feature_index\":0,\"flat_feature_index\":1}]},"
                               "\"oblivious_trees\":[{\"leaf_values\":[10,20],\"splits\":[{\"border\":0.5,"
                               "\"float_feature_index\":0,\"split_type\":\"FloatFeature\"}]}]}";

/* 10 + 2 b below 0.5, and 20 above. */
static const char lightgbm_linear[] =
    "tree\nversion=v4\nnum_tree_per_iteration=1\nmax_feature_idx=1\nobjective=regression\n\nTree=0\n"
    "split_feature=1\nsplit_gain=3\nthreshold=0.5\ndecision_type=2\nleft_child=-1\nright_child=-2\n"
    "leaf_value=10 20\nis_linear=1\nleaf_const=10 20\nnum_features=1 0\nleaf_features=1\nleaf_coeff=2\n"
    "\nend of trees\n";
/* A list of categories, and the features that can have it: either. */
static const char lightgbm_pandas[] =
    "tree\nmax_feature_idx=1\nobjective=regression\nfeature_infos=[0:1] [0:1]\n\nTree=0\nleaf_value=7\n"
    "leaf_count=\n\nend of trees\n\nparameters:\n[categorical_feature: ]\nend of parameters\n\n"
    "pandas_categorical:[[\"x\", \"y\"]]\n";

/* The file with `from` replaced. The result may be replaced in once more. */
static const char *with(const char *file, const char *from, const char *to) {
    static char both[2][4096];
    static int which;
    char *text = both[which ^= 1];
    const char *at = strstr(file, from);
    CHECK(at != NULL);
    if (!at) return file;
    snprintf(text, sizeof *both, "%.*s%s%s", (int)(at - file), file, to, at + strlen(from));
    return text;
}

static sooth_status read_file(const char *file, sooth_import *import) {
    return sooth_import_read(&env, file, strlen(file), NULL, import);
}

static float answer(const sooth_import *import, float b) {
    const float row[2] = {0, b};
    return import->ensemble ? sooth_ensemble_predict(import->ensemble, row) : -1.0f;
}

/* The file says this where column 1 is b. */
static void says(const char *file, float b, double expected) {
    sooth_import import;
    CHECK_STATUS(read_file(file, &import), SOOTH_OK);
    CHECK_NEAR(answer(&import, b), expected, 0);
    sooth_import_free(&env, &import);
}

/* Its names are these, where it has two; an objective of "" is not looked at. */
static void named(const char *file, const char *first, const char *second, const char *objective) {
    sooth_import import;
    CHECK_STATUS(read_file(file, &import), SOOTH_OK);
    CHECK(import.names == (first ? 2u : 0u) && (import.feature_names != NULL) == (first != NULL));
    if (import.names == 2 && first) {
        if (strcmp(import.feature_names[0], first) != 0 || strcmp(import.feature_names[1], second) != 0) {
            printf("  %s became %s, %s\n", first, import.feature_names[0], import.feature_names[1]);
            ++check_failures;
        }
    }
    CHECK(!*objective || strcmp(import.objective, objective) == 0);
    sooth_import_free(&env, &import);
}

/* Each of these is read, and says `below` where column 1 is 0 and `above` where it is 1. */
static void what_is_read(void) {
    static const struct {
        const char *file, *from, *to;
        double below, above;
    } good[] = {
        {sklearn, "{", "{", 10, 20},
        {sklearn, ":2,", "\t:\r\n2 ,", 10, 20}, /* blanks of every kind */
        {sklearn, "\"link\":\"identity\",", "", 10, 20},
        {sklearn, "identity\",\"base\":[0]", "exp\",\"base\":[-10]", 1, 22026.465794806718},
        {sklearn, "identity\",\"base\":[0]", "logistic\",\"base\":[-10]", 0.5, 0.99995460213129761},
        {sklearn, "\"targets\":1,", "\"mean\":true,", 10, 20},
        {sklearn, "\"targets\":1,", "\"mean\":false,", 10, 20},
        {sklearn, "\"targets\":1,", "\"targets\":1,\"else\":{\"a\":[]},", 10, 20},
        {xgboost, "{", "{", 10, 20},
        {xgboost, "\"0\",\"num_feature\"", "\"[5E-1]\",\"num_feature\"", 10.5, 20.5},
        {xgboost, "\"num_target\":\"1\"", "\"num_class\":\"1\"", 10, 20},
        {lightgbm, "tree", "tree", 10, 20},
        {lightgbm, "end of trees", "feature importances:", 10, 20},
        {lightgbm, "objective=regression", "objective=", 10, 20},
        {lightgbm, "leaf_count=4 6\n", "", 10, 20},
        {xgboost_set, "{", "{", 20, 10},
        {xgboost_set, "[1],\"categories_nodes", "[0],\"categories_nodes", 10, 20},
        {xgboost_set, "[1],\"categories_nodes", "[33,0,1],\"categories_nodes", 20, 20}, /* a list of one */
        {lightgbm, "is_linear=0\n", "", 10, 20},
        {lightgbm_linear, "tree", "tree", 10, 20},
        {lightgbm_linear, "leaf_features=1", "leaf_features=0", 10, 20},
        {lightgbm_set, "tree", "tree", 20, 10},
        {lightgbm_set, "cat_threshold=2", "cat_threshold=1 2", 10, 20},
        {lightgbm_set, "cat_boundaries=0 1", "cat_boundaries=0 0", 20, 20}, /* an empty set */
        {catboost_set, "{", "{", 20, 10},
        {catboost_set, "1121341681", "-1438285038", 10, 20}, /* the hashes of 0, of 1 without a sign, of 2 */
        {catboost_set, "\"type\":\"RMSE\"", "\"type\":\"MAE\"", 20, 10},
        {catboost_set, "\"scale_and_bias\":[1,[0]]", "\"scale_and_bias\":[2,[1]]", 41, 21},
        {catboost_set, "\"scale_and_bias\":[1,[0]]", "\"scale_and_bias\":[2,1]", 41, 21},
        {catboost_set, ",\"leaf_weights\":[6,4]", "", 20, 10},
        {catboost_set, "\"RMSE\"}}}", "\"Poisson\"}}}", 485165195.4, 22026.465794806718},
        {catboost, "{", "{", 10, 20},
        {catboost, "[10,20],\"splits", "[10,20,30,40],\"splits", 10, 30}, /* two targets */
        {catboost, ",\"splits\":[{\"border\":0.5,", ",\"splits\":[],\"x\":[{\"border\":0.5,", 10, 10},
        {lightgbm, "objective=regression", "objective=poisson\naverage_output", 22026.465794806718,
         485165195.4},
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        const char *file = with(good[k].file, good[k].from, good[k].to);
        sooth_import import;
        CHECK_STATUS(read_file(file, &import), SOOTH_OK);
        if (!import.ensemble) printf("  %s: %s\n", good[k].to, env.sentence);
        CHECK_CLOSE(answer(&import, 0), good[k].below, 2e-7);
        CHECK_CLOSE(answer(&import, 1), good[k].above, 2e-7);
        sooth_import_free(&env, &import);
    }
}

static void what_is_refused(void) {
    static const char *const bad[][4] = {
        {sklearn, "identity", "probit", "link must be identity, exp or logistic"},
        {sklearn, "\"identity\"", "7", "link must be identity, exp or logistic"},
        {sklearn, "[0]", "[0,1]", "base must have a number for each of 1 targets"},
        {sklearn, "[0]", "[\"x\"]", "base must have a number for each of 1 targets"},
        {sklearn, "[0]", "[1e999]", "base must have a number for each of 1 targets"},
        {sklearn, "\"features\":2", "\"features\":0", "the model has 0 features and 1 targets"},
        {sklearn, "\"targets\":1", "\"targets\":0", "the model has 2 features and 0 targets"},
        {sklearn, "[0,10,20]", "[0,10]", "the list value of tree 0 has the wrong length"},
        {sklearn, "[0,10,20]", "[0,\"x\",20]", "the list value of tree 0 has the wrong length"},
        {sklearn, "[0,10,20]", "[0,10,20,30]", "the list value of tree 0 has the wrong length"},
        {sklearn, "[0,10,20]", "7", "tree 0 has no list value"},
        {sklearn, "[1,-1,-1]", "[\"x\",-1,-1]", "the list left of tree 0 has the wrong length"},
        {sklearn, "[1,-1,-1]", "[3,-1,-1]", "node 0 of tree 0 has invalid children or an invalid feature"},
        {sklearn, "[2,-1,-1]", "[0,-1,-1]", "node 0 of tree 0 has invalid children or an invalid feature"},
        {sklearn, "[2,-1,-1]", "[3,-1,-1]", "node 0 of tree 0 has invalid children or an invalid feature"},
        {sklearn, "[2,-1,-1]", "[2,-1,-1,5]", "the list right of tree 0 has the wrong length"},
        {sklearn, "[1,-2,-2]", "[-1,-2,-2]", "node 0 of tree 0 has invalid children or an invalid feature"},
        {sklearn, "[0.5,-2,-2]", "[,-2,-2]", "a value is missing"},
        {sklearn, "\"right\":[2,-1,-1]", "\"right\":5", "tree 0 has no list right"},
        {sklearn, "\"right\":[2,-1,-1],", "", "tree 0 has no list right"},
        {sklearn, "sklearn", "sk\x01learn", "a string has no closing quote"},
        {sklearn, "[\"a\",\"b\"]", "[\"a\"]", "there are 1 feature names, but 2 features"},
        {sklearn, "\"trees\":[{", "\"trees\":[],\"x\":[{", "the model has no trees"},
        {sklearn, "\"trees\":", "\"x\":", "the model has no trees"},
        {sklearn, "\"features\":2", "\"features\":\"\"", "features is not an integer from 0"},
        {xgboost, "\"0\",\"num_feature\"", "0,\"num_feature\"", "base_score is missing or not a string"},
        {xgboost, "\"base_score\":\"0\",", "", "base_score is missing or not a string"},
        {xgboost, "\"0\",\"num_feature\"", "\"\",\"num_feature\"", "base_score is not a number"},
        {xgboost, "\"0\",\"num_feature\"", "\"5x\",\"num_feature\"", "base_score is not a number"},
        {xgboost, "\"0\",\"num_feature\"", "\"[1,2,3]\",\"num_feature\"",
         "base_score has 3 numbers, but there are 1 targets"},
        {xgboost, "reg:linear", "count:poisson", "base_score is 0, which is invalid for this objective"},
        {xgboost, "reg:linear", "reg:logistic", "base_score is 0, which is invalid for this objective"},
        {xgboost, "\"trees\":[{", "\"trees\":[],\"x\":[{", "the model has no trees"},
        {xgboost, "reg:linear", "survival:cox", "the objective survival:cox cannot be imported"},
        {xgboost, "reg:linear", "a:name:of:more:than:63:characters:that:no:library:would:give:an:objective",
         "the objective of this name cannot be imported"},
        {xgboost, "gbtree", "gblinear", "the booster gblinear cannot be imported"},
        {xgboost, "[0],\"trees\"", "7,\"trees\"", "the model has no trees or no tree_info"},
        {xgboost, "[0],\"trees\"", "[\"x\"],\"trees\"", "tree_info has no target for tree 0"},
        {xgboost, "[0],\"trees\"", "[1],\"trees\"", "tree_info has no target for tree 0"},
        {xgboost, "[0,0,0]", "[1,0,0]", "node 0 of tree 0 has neither a threshold nor categories"},
        {xgboost_set, "\"categories_nodes\":[0]", "\"categories_nodes\":[1]",
         "for a split that is not categorical"},
        {xgboost_set, "\"categories_nodes\":[0]", "\"categories_nodes\":[3]",
         "for a split that is not categorical"},
        {xgboost_set, "\"categories_nodes\":[0]", "\"categories_nodes\":[\"x\"]",
         "for a split that is not categorical"},
        {xgboost_set, "\"categories_nodes\":[0]", "\"categories_nodes\":[0,0]", "has no list of categories"},
        {xgboost_set,
         "\"categories\":[1],\"categories_nodes\":[0],\"categories_segments\":[0],\"categories_sizes\":[1]",
         "\"categories\":[1,2],\"categories_nodes\":[0,0],\"categories_segments\":[0,1],"
         "\"categories_sizes\":[1,1]",
         "for a split that is not categorical"},
        {xgboost_set, "[1,0,0],\"default", "[0,0,0],\"default", "for a split that is not categorical"},
        {xgboost_set, "\"categories_sizes\":[1]", "\"categories_sizes\":[]", "has no list of categories"},
        {xgboost_set, "\"categories_sizes\":[1]", "\"categories_sizes\":[-1]", "has no list of categories"},
        {xgboost_set, "\"categories_sizes\":[1]", "\"categories_sizes\":[\"\"]", "has no list of categories"},
        {xgboost_set, "\"categories_sizes\":[1]", "\"categories_sizes\":[2]", "too few categories"},
        {xgboost_set, "\"categories_segments\":[0]", "\"categories_segments\":[1]",
         "has no list of categories"},
        {xgboost_set, "\"categories_segments\":[0]", "\"categories_segments\":[\"\"]",
         "has no list of categories"},
        {xgboost_set, "\"categories_segments\":[0]", "\"categories_segments\":[-1]",
         "has no list of categories"},
        {xgboost_set, "\"categories_segments\":[0]", "\"categories_segments\":[]",
         "has no list of categories"},
        {xgboost_set, "\"categories\":[1]", "\"categories\":[-1]", "not integers from 0 to 16777215"},
        {xgboost_set, "\"categories\":[1]", "\"categories\":[1.5]", "not integers from 0 to 16777215"},
        {xgboost_set, "\"categories\":[1]", "\"categories\":[\"x\"]", "not integers from 0 to 16777215"},
        {xgboost_set, "\"categories\":[1]", "\"categories\":[16777216]", "not integers from 0 to 16777215"},
        {xgboost_set, "\"categories\":[1]", "\"categories\":[16777215]", "524288 words, too many for a file"},
        {lightgbm_set, "threshold=0", "threshold=1", "is not the index of a set"},
        {lightgbm_set, "threshold=0", "threshold=-1", "is not the index of a set"},
        {lightgbm_set, "threshold=0", "threshold=0.5", "is not the index of a set"},
        {lightgbm_set, "cat_boundaries=0 1\n", "", "is not the index of a set"},
        {lightgbm_set, "cat_boundaries=0 1", "cat_boundaries=0", "is not the index of a set"},
        {lightgbm_set, "cat_boundaries=0 1", "cat_boundaries=1 0", "the list cat_boundaries of tree 0"},
        {lightgbm_set, "cat_boundaries=0 1", "cat_boundaries=0 2", "the list cat_boundaries of tree 0"},
        {lightgbm_set, "cat_boundaries=0 1", "cat_boundaries=0 x", "the list cat_boundaries of tree 0"},
        {lightgbm_set, "cat_threshold=2", "cat_threshold=-2", "the list cat_threshold of tree 0"},
        {lightgbm_set, "cat_threshold=2", "cat_threshold=x", "the list cat_threshold of tree 0"},
        {catboost, "oblivious_trees", "trees", "has no oblivious_trees"},
        {catboost, "oblivious_trees", "x", "has no oblivious_trees"},
        {catboost, "\"oblivious_trees\":[{", "\"oblivious_trees\":[],\"x\":[{", "the model has no trees"},
        {catboost, "\"float_features\":[{", "\"float_features\":[],\"x\":[{", "has 0 features"},
        {catboost, "\"features_info\"", "\"x\"", "has 0 features"},
        {catboost, "[10,20]", "[10,20,30]", "tree 0 has 1 splits but 3 leaf_values for 1 targets"},
        {catboost, "[10,20]", "[]", "and 0 targets"},
        {catboost, "[10,20]", "[10,\"x\"]", "a leaf value of tree 0 is not a number"},
        {catboost, "\"feature_index\":0", "\"feature_index\":1", "no feature_index or flat_feature_index"},
        {catboost, "\"feature_index\":0,", "", "no feature_index or flat_feature_index"},
        {catboost, "\"flat_feature_index\":1", "\"flat_feature_index\":-1",
         "no feature_index or flat_feature_index"},
        {catboost, "\"flat_feature_index\":1", "\"x\":1", "no feature_index or flat_feature_index"},
        {catboost, "\"float_feature_index\":0", "\"float_feature_index\":1", "has no feature, or no border"},
        {catboost, "\"float_feature_index\":0,", "", "has no feature, or no border"},
        {catboost, "\"border\":0.5,", "", "has no feature, or no border"},
        {catboost, "\"border\":0.5,", "\"border\":NaN,", "the threshold of node 0 of tree 0 is NaN"},
        {catboost, "[10,20],\"splits\":[{\"border\":0.5,", "[1,2,3,4],\"splits\":[{\"border\":NaN,",
         "the threshold of node 0 of tree 0 is NaN"}, /* of the first of two targets */
        {catboost, "\"splits\":[",
         "\"splits\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},",
         "the model has 2 features and 0 targets"},
        {catboost, "\"FloatFeature\"}]}",
         "\"FloatFeature\"}]},{\"leaf_values\":[1,2],\"splits\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}"
         ",{},{},{},{},{},{},{},{},{},{}]}",
         "tree 1 has 25 splits but 2 leaf_values for 1 targets"},
        {catboost, "\"FloatFeature\"}]}", "\"FloatFeature\"}]},{\"splits\":[]}",
         "tree 1 has 0 splits but 0 leaf_values for 1 targets"},
        {catboost, "\"FloatFeature\"", "\"OnlineCtr\"", "the split OnlineCtr cannot be imported"},
        {catboost, ",\"split_type\":\"FloatFeature\"", "", "the split of this name cannot be imported"},
        {catboost_set, "[6,4]", "[6]", "tree 0 has fewer leaf_weights than leaves"},
        {catboost_set, "[6,4]", "[6,\"x\"]", "tree 0 has fewer leaf_weights than leaves"},
        {catboost_set, "1121341681", "1121341682", "the hash 1121341682, but no integer from 0 to 9999"},
        {catboost_set, "1121341681", "1e30", "but no integer from 0 to 9999"},
        {catboost_set, "\"cat_feature_index\":0", "\"cat_feature_index\":1", "has no feature, or no value"},
        {catboost_set, "[1,[0]]", "[1,[0,0]", "a comma or closing bracket is missing"},
        {catboost_set, "[1,[0]]", "[1,[]]",
         "scale_and_bias must be a scale and a bias for each of 1 targets"},
        {catboost_set, "[1,[0]]", "[1,[\"x\"]]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[1]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[\"x\",[0]]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[1,[1e999]]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[1e999,[0]]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "[1,[0]]", "[1,1e999]", "scale_and_bias must be a scale and a bias"},
        {catboost_set, "\"type\":\"RMSE\"", "\"type\":\"MultiClass\"",
         "the loss_function MultiClass cannot be imported"},
        {xgboost, "\"num_deleted\"", "\"size_leaf_vector\":\"2\",\"x\"",
         "several targets (multi_output_tree)"},
        {lightgbm, "leaf_value=10 20", "leaf_value=", "the list leaf_value of tree 0 has the wrong length"},
        {lightgbm, "leaf_value=10 20", "leaf_value=10 x",
         "the list leaf_value of tree 0 has the wrong length"},
        {lightgbm, "leaf_count=4 6", "leaf_count=4", "the list leaf_count of tree 0 has the wrong length"},
        {lightgbm, "leaf_count=4 6", "leaf_count=4 6 7",
         "the list leaf_count of tree 0 has the wrong length"},
        {lightgbm, "left_child=-1", "left_child=0", "node 0 of tree 0 has invalid children"},
        {lightgbm, "left_child=-1", "left_child=1", "node 0 of tree 0 has invalid children"},
        {lightgbm, "left_child=-1", "left_child=-3", "node 0 of tree 0 has invalid children"},
        {lightgbm, "left_child=-1", "left_child=-1.5", "node 0 of tree 0 has invalid children"},
        {lightgbm, "split_feature=1", "split_feature=-1", "an unknown split_feature or decision_type"},
        {lightgbm, "decision_type=2", "decision_type=300", "an unknown split_feature or decision_type"},
        {lightgbm, "decision_type=2", "decision_type=1", "is not the index of a set"},
        {lightgbm, "is_linear=0", "is_linear=1", "tree 0 has no list leaf_const"},
        {lightgbm_linear, "num_features=1 0", "num_features=", "the list num_features of tree 0"},
        {lightgbm_linear, "num_features=1 0", "num_features=0.5 0", "the list num_features of tree 0"},
        {lightgbm_linear, "leaf_features=1", "leaf_features=", "the list leaf_features of tree 0"},
        {lightgbm_linear, "leaf_features=1", "leaf_features=2", "the list leaf_features of tree 0"},
        {lightgbm_linear, "left_child=-1", "left_child=0", "node 0 of tree 0 has invalid children"},
        {lightgbm, "Tree=0", "Tree=-1", "found Tree=-1, but expected Tree=0"},
        {lightgbm, "Tree=0", "Tree=0.5", "found Tree=0.5, but expected Tree=0"},
        {lightgbm, "Tree=0", "Tree=x", "but expected Tree=0"},
        {lightgbm, "objective=regression", "objective=binary", "the objective binary cannot be imported"},
        {lightgbm, "objective=regression", "objective=quantile sqrt", "cannot be imported"},
        {lightgbm, "objective=regression", "objective=gamma sqrt", "cannot be imported"},
        {lightgbm, "objective=regression", "objective=multiclass sigmoid:1", "cannot be imported"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const char *file = with(bad[k][0], bad[k][1], bad[k][2]);
        const int before = check_failures;
        sooth_import import;
        CHECK_FAILS(&env, read_file(file, &import), SOOTH_BAD_TEXT, bad[k][3]);
        CHECK(!import.ensemble && !import.feature_names);
        if (check_failures > before) printf("  %s -> %s\n", bad[k][1], bad[k][2]);
        sooth_import_free(&env, &import);
    }
}

/* JSON's escapes become UTF-8; what is no character, or none for a line, becomes a mark. */
static void names_are_plain_text(void) {
    static const char *const names[][2] = {
        {"x\\b\\f\\n\\r\\t\\\"\\\\y", "x_____\"\\y"},
        {"\\u00e9\\u20AC", "\xC3\xA9\xE2\x82\xAC"},
        {"\\u0041\\u001f\\u007f\x7F", "A___"},
        {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
        {"\\ud83d", "\xEF\xBF\xBD"},
        {"\\ud83dabcdef", "\xEF\xBF\xBD"
                          "abcdef"},
        {"\\ud83d\\nabcd", "\xEF\xBF\xBD_abcd"},
        {"\\ud83d\\u0041", "\xEF\xBF\xBD"
                           "A"},
        {"\\ude00", "\xEF\xBF\xBD"},
        {"\\u4", "_"},
        {"\\u/@gG", "_"},
        {"", ""},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        char list[80];
        snprintf(list, sizeof list, "[\"%s\",\"b\"]", names[k][0]);
        named(with(sklearn, "[\"a\",\"b\"]", list), names[k][1], "b", "");
    }
}

static void names_of_lines_and_numbers(void) {
    named(with(sklearn, "[\"a\",\"b\"]", "[1,\"b\"]"), "", "b", "");
    named(with(lightgbm, "=a b", "=a\x01\\n b"), "a_\\n", "b", "");
    named(with(xgboost, "reg:linear\"", "reg:linear\",\"x\":\"\""), NULL, NULL, "reg:linear");
}

/* Values of every type of UBJ are stepped over; what they leave is no model, or ends too early. */
static void binary_numbers(void) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } bad[] = {
        {"{i\x01"
         "aI\x01",
         6, "the file is incomplete"},
        {"{i\x01"
         "aI\x01\x02}",
         8, "it has no \"learner\""},
        {"{i\x01"
         "aD\0\0\0\0\0\0\0\0}",
         14, "it has no \"learner\""},
        {"{i\x01"
         "aT}",
         6, "it has no \"learner\""},
        {"{i\x01"
         "aF}",
         6, "it has no \"learner\""},
        {"{i\x01"
         "aZ}",
         6, "it has no \"learner\""},
        {"{i\x01"
         "a[]}",
         7, "it has no \"learner\""},
        {"{i\x01"
         "a[TF]}",
         9, "it has no \"learner\""},
        {"{i\x01"
         "a[$D#i\x01\0\0\0\0\0\0\0\0}",
         19, "it has no \"learner\""},
        {"{i\x01"
         "a[$Tx",
         8, "a list has an unknown type"},
        {"{i\x01"
         "a[$ix",
         8, "a list has a type but no length"},
        {"{d\x01"
         "a",
         4, "a length is missing"},
        {"{D\x01"
         "a",
         4, "a length is missing"},
        {"{i\x07learner{}}", 13, "the booster of this name"},
        {"{i\x07learnerT}", 12, "the booster of this name"},
        {"{i\x01"
         "aQ}",
         6, "a value is missing"},
    };
    sooth_import import;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const int before = check_failures;
        char *copy = (char *)malloc(bad[k].size);
        memcpy(copy, bad[k].bytes, bad[k].size);
        CHECK_FAILS(&env,
                    sooth_import_read(&env, copy, bad[k].size,
                                      &(const sooth_import_options){.format = SOOTH_IMPORT_XGBOOST_UBJ},
                                      &import),
                    SOOTH_BAD_TEXT, bad[k].words);
        if (check_failures > before) printf("  number %u\n", (unsigned)k);
        free(copy);
    }
}

/* Who says which library it is from is taken at his word. */
static void formats_asked_for(void) {
    sooth_import import;
    CHECK_STATUS(sooth_import_read(&env, lightgbm, sizeof lightgbm - 1,
                                   &(const sooth_import_options){.format = SOOTH_IMPORT_LIGHTGBM}, &import),
                 SOOTH_OK);
    CHECK_NEAR(answer(&import, 1), 20, 0);
    sooth_import_free(&env, &import);
    CHECK_FAILS(&env,
                sooth_import_read(&env, sklearn, sizeof sklearn - 1,
                                  &(const sooth_import_options){.format = SOOTH_IMPORT_LIGHTGBM}, &import),
                SOOTH_BAD_TEXT, "it has no tree");
    CHECK_STATUS(sooth_import_read(&env, catboost, sizeof catboost - 1,
                                   &(const sooth_import_options){.format = SOOTH_IMPORT_CATBOOST}, &import),
                 SOOTH_OK);
    CHECK(import.names == 0 && import.objective[0] == 0);
    sooth_import_free(&env, &import);
    CHECK_FAILS(&env,
                sooth_import_read(&env, sklearn, sizeof sklearn - 1,
                                  &(const sooth_import_options){.format = SOOTH_IMPORT_XGBOOST_JSON},
                                  &import),
                SOOTH_BAD_TEXT, "this model is from another library");
    CHECK_FAILS(&env,
                sooth_import_read(&env, lightgbm, sizeof lightgbm - 1,
                                  &(const sooth_import_options){.format = SOOTH_IMPORT_SKLEARN}, &import),
                SOOTH_BAD_TEXT, "this is not JSON, UBJ, ONNX or the text of LightGBM or LIBSVM");
}

/* Files that say they were pruned are read like others. Both children are node 1, which no tree can be. */
static void pruned_nodes(void) {
    char text[4096];
    sooth_import import;
    snprintf(text, sizeof text, "%s", with(xgboost, "\"num_deleted\":\"0\"", "\"num_deleted\":\"1\""));
    says(text, 1, 20);
    CHECK_FAILS(&env, read_file(with(text, "[2,-1,-1]", "[1,-1,-1]"), &import), SOOTH_BAD_TEXT, "tree");
    CHECK(!import.ensemble);
    /* node 2 is a child of both others */
    CHECK_FAILS(&env, read_file(with(with(text, "[1,-1,-1]", "[1,2,-1]"), "[2,-1,-1]", "[2,2,-1]"), &import),
                SOOTH_BAD_TEXT, "the 3 nodes of tree 0 are not a tree");
    CHECK(!import.ensemble);
}

/* Beside and beyond the categories of a set; what a float keeps of them. */
static void categories_go_as_in_their_library(void) {
    static const char *const of_one[] = {xgboost_set, lightgbm_set, catboost_set};
    const char *file;
    for (size_t k = 0; k < 3; ++k) {
        says(of_one[k], 0.99999994f, 20);
        says(of_one[k], -1, 20);
        says(of_one[k], -0.5f, 20);
        says(of_one[k], 1e9f, 20);
        says(of_one[k], NAN, 20);
        says(of_one[k], 1.5f, 10);
    }
    says(with(xgboost_set, "\"default_left\":[1,", "\"default_left\":[0,"), NAN, 10);
    file = with(lightgbm_set, "cat_threshold=2", "cat_threshold=1"); /* category 0 */
    says(file, -0.5f, 10);
    says(file, -1.0f, 20);
    file = with(xgboost_set, "\"categories\":[1]", "\"categories\":[0]");
    says(file, -0.5f, 20);
    says(file, -0.0f, 10);
    says(with(catboost, ",\"flat_feature_index\":1",
              ",\"flat_feature_index\":1,\"nan_value_treatment\":\"AsTrue\""),
         NAN, 20);
    says(catboost, NAN, 10);
}

static void names_of_two_lists(void) {
    sooth_import import;
    named(catboost_set, "a", "b", "RMSE");
    named(with(catboost_set, "\"feature_id\":\"a\",", ""), NULL, NULL, "");
    named(with(catboost_set, "\"feature_id\":\"a\"", "\"feature_id\":\"\""), NULL, NULL, "");
    /* both claim the second place: the first has no name */
    named(with(catboost_set, "\"flat_feature_index\":0", "\"flat_feature_index\":1"), "", "b", "");
    CHECK_STATUS(read_file(catboost_set, &import), SOOTH_OK);
    CHECK(import.ensemble && soothi_ensemble_cover(import.ensemble)[0] == 10.0f);
    sooth_import_free(&env, &import);
}

static int ascending(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* What CatBoost 1.2.10 writes for these categories. */
static void hashes_are_those_of_catboost(void) {
    static const int known[][2] = {
        {0, -1438285038},  {1, 1121341681},     {2, -1284790409}, {7, -17943309},    {10, -1337848602},
        {42, 1145636304},  {69, -1687362760},   {99, 262372691},  {100, -891304132}, {345, 1218123620},
        {999, 1357199910}, {1234, -1848678467}, {4095, 14337144}, {9999, -650541176}};
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        CHECK(soothi_import_hash((uint32_t)known[k][0]) == (uint32_t)known[k][1]);
    static uint32_t all[SOOTHI_IMPORT_HASHED]; /* a split stops at the first integer with its hash */
    for (uint32_t c = 0; c < SOOTHI_IMPORT_HASHED; ++c) all[c] = soothi_import_hash(c);
    qsort(all, SOOTHI_IMPORT_HASHED, sizeof *all, ascending);
    for (uint32_t c = 1; c < SOOTHI_IMPORT_HASHED; ++c) CHECK(all[c - 1] < all[c]);
}

/* Files in which two places differ. */
static void what_two_changes_refuse(void) {
    static const char *const bad[][6] = {
        {xgboost, "reg:linear", "reg:logistic", "\"base_score\":\"0\"", "\"base_score\":\"1\"",
         "base_score is 1, which is invalid for this objective"},
        {xgboost, "{\"learner\":{", "{\"learner\":{\"attributes\":{\"best_iteration\":\"0\"},",
         "\"tree_info\":[0]", "\"iteration_indptr\":[0,\"x\"],\"tree_info\":[0]",
         "the best iteration is 0, but the model has 1 trees"},
        {xgboost, "{\"learner\":{", "{\"learner\":{\"attributes\":{\"best_iteration\":\"0\"},",
         "\"tree_info\":[0]", "\"iteration_indptr\":[0,2],\"tree_info\":[0]",
         "the best iteration is 0, but the model has 1 trees"},
        {xgboost, "\"tree_info\":[0],\"trees\":[", "\"tree_info\":[0,0],\"trees\":[{\"left_children\":[-1]},",
         "\"num_deleted\":\"0\"", "\"size_leaf_vector\":\"2\"", "tree 1 predicts several targets"},
        {xgboost, "\"name\":\"gbtree\",\"model\":",
         "\"name\":\"dart\",\"weight_drop\":[\"x\"],\"gbtree\":{\"model\":", "\"}}]}}", "\"}}]}}}",
         "weight_drop has no number for tree 0"},
        {catboost, "\"float_features\":[{",
         "\"float_features\":[{\"feature_index\":0,\"flat_feature_index\":0},{", "\"float_feature_index\":0",
         "\"float_feature_index\":1", "a split of tree 0 has no feature, or no border"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        const char *file = with(with(bad[k][0], bad[k][1], bad[k][2]), bad[k][3], bad[k][4]);
        sooth_import import;
        CHECK_FAILS(&env, read_file(file, &import), SOOTH_BAD_TEXT, bad[k][5]);
        CHECK(!import.ensemble);
    }
}

/* ---- numbers that floats merge ---- */

/* A tree per threshold, whose sum is the number of thresholds that a row exceeds. `head`: more lines. */
static const char *counting(const char *head, const double *at, const unsigned *feature, unsigned trees) {
    static char text[1 << 17];
    size_t n =
        (size_t)snprintf(text, sizeof text, "tree\nmax_feature_idx=1\nobjective=regression\n%s\n\n", head);
    for (unsigned k = 0; k < trees; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "Tree=%u\nsplit_feature=%u\nthreshold=%.17g\ndecision_type=2\nleft_child=-1\n"
                              "right_child=-2\nleaf_value=0 1\n\n",
                              k, feature ? feature[k] : 1u, at[k]);
    snprintf(text + n, sizeof text - n, "end of trees\n");
    return text;
}

static sooth_status read_origins(const char *file, sooth_import *import) {
    return sooth_import_read(&env, file, strlen(file), &(const sooth_import_options){.origins = 1}, import);
}

/* A column far from 0 needs an origin, in the middle of its range, if a threshold lies between floats that
   are no neighbours. Floats at 1.7e9 are 128 apart, at 2^24 = 16777216 they are 2 apart. */
static void origins_are_where_floats_merge(void) {
    static const struct {
        const char *head;
        double at[2], zero;
    } cases[] = {
        {"", {1700000000.5, 1700000000.5}, 1700000000},
        {"", {-1700000000.5, -1700000000.5}, -1700000000},
        {"feature_infos=none [1699998976:1700001280]", {1700000000.5, 1700000001.5}, 1700000128},
        {"feature_infos=none [0:1800000000]", {1700000000.5, 1700000000.5}, 0}, /* not far for its range */
        {"feature_infos=none none", {1700000000.5, 1700000000.5}, 1700000000},
        {"feature_infos=none [", {1700000000.5, 1700000000.5}, 1700000000},
        {"feature_infos=none [0", {1700000000.5, 1700000000.5}, 1700000000},
        {"feature_infos=none [0:x]", {1700000000.5, 1700000000.5}, 1700000000},
        {"feature_infos=none [-inf:1]", {1700000000.5, 1700000000.5}, 1700000000},
        {"", {16777217, 16777219}, 0},                 /* the middles of neighbours */
        {"", {16777217, 16777219.000000004}, 0},       /* and the next double */
        {"", {16777217, 16777219.5}, 16777218},        /* the middle and a quarter, to even */
        {"", {1600000000.25, 1800000000}, 1700000000}, /* 1e8 from the origin, but no integers' middle */
        {"", {4194303.4, 4194303.4}, 0},               /* near 0 */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const int before = check_failures;
        sooth_import import;
        CHECK_STATUS(read_origins(counting(cases[k].head, cases[k].at, NULL, 2), &import), SOOTH_OK);
        CHECK(import.zeros == (cases[k].zero < 0 || cases[k].zero > 0 ? 2u : 0u));
        if (import.zeros == 2) CHECK(import.zero[1] == cases[k].zero && import.zero[0] == 0);
        if (check_failures > before) {
            printf("  case %u: %s %.17g\n", (unsigned)k, env.sentence, import.zeros ? import.zero[1] : 0.0);
        }
        sooth_import_free(&env, &import);
    }
}

static void origins_are_refused_without_the_option(void) {
    static const double at[2] = {1700000000.5, 1700000001.5};
    sooth_import import;
    CHECK_FAILS(&env, read_file(counting("", at, NULL, 2), &import), SOOTH_BAD_TEXT,
                "line 1, column 1: the trees separate numbers of feature 2 that are the same float; subtract "
                "1700000000 from this column");
    CHECK(!import.ensemble && !import.zero);
    CHECK_FAILS(
        &env,
        read_file(counting("feature_names=a b\nfeature_infos=none [1699998976:1700001280]", at, NULL, 2),
                  &import),
        SOOTH_BAD_TEXT,
        "line 5, column 15: the trees separate numbers of b that are the same float; subtract "
        "1700000128 from this column");
}

/* Three hundred seconds: as many were passed as lie before this one. */
static void many_thresholds_count_from_an_origin(void) {
    double at[300];
    sooth_import import;
    for (unsigned k = 0; k < 300; ++k) at[k] = 1700000000.5 + (k * 7) % 300;
    CHECK_STATUS(read_origins(counting("", at, NULL, 300), &import), SOOTH_OK);
    CHECK(import.zeros == 2);
    for (unsigned k = 0; import.zeros && k <= 300; k += 50)
        CHECK_NEAR(answer(&import, (float)(1700000000.0 + k - import.zero[1])), k, 0);
    sooth_import_free(&env, &import);
}

/* What an origin does not help. */
static void thresholds_that_no_float_separates(void) {
    static const struct {
        double at[3];
        unsigned feature[3];
        const char *words;
    } bad[] = {
        {{0.3, 0.30000000000000004, 5},
         {0, 0, 1},
         "numbers of feature 1 at 0.3 and at 0.30000000000000004, "
         "which are the same float; subtract"},
        {{-1799999999.75, -1799999999.5, -1600000000},
         {1, 1, 1},
         "which are the same float even from an origin"},
        {{1600000000, 1799999999.5, 1799999999.75},
         {1, 1, 1},
         "which are the same float even from an origin"},
        {{1600000000.5, 1700000000, 1800000000}, {1, 1, 1}, "the integers next to 1600000000.5 in feature 2"},
        {{1600000000.4999998, 1700000000, 1800000000}, {1, 1, 1}, "the integers next to 1600000000.49"},
        {{9999999000000006, 10000000000000000, 10000001000000000},
         {1, 1, 1},
         "the integers next to 9999999000000006 in feature 2"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        sooth_import import;
        CHECK_FAILS(&env, read_origins(counting("", bad[k].at, bad[k].feature, 3), &import), SOOTH_BAD_TEXT,
                    bad[k].words);
        CHECK(!import.ensemble && !import.zero);
        sooth_import_free(&env, &import);
    }
}

static void linear_leaves(void) {
    sooth_import import;
    const char *far = with(lightgbm_linear, "threshold=0.5", "threshold=1700000000.5");
    says(lightgbm_linear, -3, 4);
    CHECK_FAILS(&env, read_origins(far, &import), SOOTH_BAD_TEXT,
                "tree 0 has a linear leaf of feature 2, whose numbers need more digits than floats have; "
                "subtract 1700000000 from this column");
    CHECK_STATUS(read_origins(with(far, "leaf_features=1", "leaf_features=0"), &import), SOOTH_OK);
    CHECK(import.zeros == 2 && import.zero[1] == 1700000000);
    if (import.ensemble) {
        CHECK_NEAR(sooth_ensemble_predict(import.ensemble, (const float[2]){4, 0}), 18, 0);
        CHECK_NEAR(sooth_ensemble_predict(import.ensemble, (const float[2]){4, 1}), 20, 0);
    }
    sooth_import_free(&env, &import);
}

/* ---- names of categories ---- */

/* Reads `cats` of XGBoost, for one feature. */
static sooth_status read_cats(const char *text, size_t size, int syntax, sooth_levels **levels) {
    const soothi_import_doc doc = {.env = &env, .text = text, .size = size, .syntax = syntax};
    const soothi_import_value cats = {0, size, 0}, types = {0, 0, 0};
    soothi_import_categories out;
    memset(&out, 0, sizeof out);
    const sooth_status status = soothi_import_xgboost_levels(&doc, cats, types, 1, &out);
    *levels = out.levels;
    return status;
}

/* The dictionary's feature has these names, up to a NULL. */
static void has_names(const sooth_levels *levels, size_t column, uint32_t kind, const char *const *name) {
    uint32_t n = 0;
    CHECK(levels != NULL);
    if (!levels) return;
    for (; name[n]; ++n) {
        const char *got = sooth_levels_name(levels, column, (float)n);
        CHECK(got && strcmp(got, name[n]) == 0);
        if (got && strcmp(got, name[n]) != 0) printf("  %s became %s\n", name[n], got);
    }
    CHECK(sooth_levels_columns(levels)[column].count == n);
    CHECK(sooth_levels_columns(levels)[column].categorical == kind);
}

static void categories_in_binary(void) {
#define IN_UBJ(items) "{i\003enc[{i\006values[" items "]}]}"
    static const char values[] =
        IN_UBJ("i\373U\310I\376\324l\000\001\021\160L\000\040\000\000\000\000\000\001d\077\000\000\000"
               "D\104\025\257\035\170\265\214\100L\200\000\000\000\000\000\000\000");
    static const char *const numbers[] = {"-5",
                                          "200",
                                          "-300",
                                          "70000",
                                          "9007199254740993",
                                          "0.5",
                                          "100000000000000000000",
                                          "-9223372036854775808",
                                          NULL};
    static const char texts[] = IN_UBJ("Si\002abSi\000"), infinite[] = IN_UBJ("i\001d\177\200\000\000"),
                      null[] = IN_UBJ("Z");
#undef IN_UBJ
    sooth_levels *levels;
    CHECK_STATUS(read_cats(values, sizeof values - 1, SOOTHI_IMPORT_UBJ, &levels), SOOTH_OK);
    has_names(levels, 0, SOOTHI_LEVELS_VALUES, numbers);
    sooth_levels_free(&env, levels);
    CHECK_STATUS(read_cats(texts, sizeof texts - 1, SOOTHI_IMPORT_UBJ, &levels), SOOTH_OK);
    has_names(levels, 0, 1, (const char *const[]){"ab", "", NULL});
    sooth_levels_free(&env, levels);
    CHECK_FAILS(&env, read_cats(infinite, sizeof infinite - 1, SOOTHI_IMPORT_UBJ, &levels), SOOTH_BAD_TEXT,
                "byte 20: a category of feature 1 is not a text, a finite number");
    CHECK_FAILS(&env, read_cats(null, sizeof null - 1, SOOTHI_IMPORT_UBJ, &levels), SOOTH_BAD_TEXT,
                "a category of feature 1 is not a text, a finite number");
}

static void categories_by_their_bytes(void) {
    static const char *const bad[][2] = {
        {"\"offsets\":[0,\"x\"],\"values\":[97]", "offsets of the categories of feature 1 must ascend"},
        {"\"offsets\":[0,2,1],\"values\":[97,98]", "offsets of the categories of feature 1 must ascend"},
        {"\"offsets\":[0,1],\"values\":[\"x\"]", "of feature 1 have fewer bytes than their offsets"},
        {"\"offsets\":[0,1],\"values\":[256]", "of feature 1 have fewer bytes than their offsets"},
        {"\"offsets\":[0,1],\"values\":[-129]", "of feature 1 have fewer bytes than their offsets"},
        {"\"offsets\":[0,1],\"values\":[]", "of feature 1 have fewer bytes than their offsets"},
        {"\"offsets\":[0,1]", "column 20: the categories of feature 1 have fewer bytes"},
        {"\"offsets\":[0,1],\"values\":[128]", "of feature 1 have letters beyond ASCII"},
        {"\"offsets\":[0,1],\"values\":[-1]", "of feature 1 have letters beyond ASCII"},
        {"\"offsets\":[0,2],\"values\":[97,0]", "a category of feature 1 has a zero byte in its name"},
    };
    char text[128];
    sooth_levels *levels;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        snprintf(text, sizeof text, "{\"enc\":[{%s}]}", bad[k][0]);
        CHECK_FAILS(&env, read_cats(text, strlen(text), SOOTHI_IMPORT_JSON, &levels), SOOTH_BAD_TEXT,
                    bad[k][1]);
        CHECK(!levels);
    }
    snprintf(text, sizeof text, "{\"enc\":[{\"offsets\":[0,1,1,3],\"values\":[97,98,127]}]}");
    CHECK_STATUS(read_cats(text, strlen(text), SOOTHI_IMPORT_JSON, &levels), SOOTH_OK);
    has_names(levels, 0, 1, (const char *const[]){"a", "", "b\x7F", NULL});
    sooth_levels_free(&env, levels);
    snprintf(text, sizeof text, "{\"enc\":[{\"values\":[\"\",\"b\"]}]}");
    CHECK_STATUS(read_cats(text, strlen(text), SOOTHI_IMPORT_JSON, &levels), SOOTH_OK);
    has_names(levels, 0, 1, (const char *const[]){"", "b", NULL});
    sooth_levels_free(&env, levels);
}

/* A list without a name belongs to the one feature that can have it, or the file is refused. */
static void lists_find_their_feature(void) {
    static const char *const change[][3] = {
        /* with one feature that is categorical, by the parameters or by its codes */
        {"[categorical_feature: ]", "[categorical_feature: 1]", NULL},
        {"[categorical_feature: ]", "[categorical_feature: 1,x]", NULL},
        {"[categorical_feature: ]", "[categorical_feature: 1,2,0]", NULL},
        {"[0:1] [0:1]", "[0:1] 0:1", NULL},
        /* or one whose numbers are integers from 0 to 1 */
        {"[0:1] [0:1]", "[x:1] [0:1]", NULL},
        {"[0:1] [0:1]", "[0:1e10] [0:1]", NULL},
        {"[0:1] [0:1]", "[0:2] [0:1]", NULL},
        {"[0:1] [0:1]", "[-1:1] [0:1]", NULL},
        {"[0:1] [0:1]", "[0:0.5] [0:1]", NULL},
        {"\"y\"", "\"y\"", "1 lists of categories, but ordered ones can belong to several features"},
        {"[categorical_feature: ]", "[categorical_feature: x]", "can belong to several features"},
        {"[categorical_feature: ]", "[categorical_feature: 2]", "can belong to several features"},
        {"[categorical_feature: ]", "[categorical_feature: 0,1]", "can belong to several features"},
        {"[0:1] [0:1]", "[0:2] [-1:1]", "but no features have codes that they explain"},
    };
    for (size_t k = 0; k < sizeof change / sizeof *change; ++k) {
        const char *file = with(lightgbm_pandas, change[k][0], change[k][1]);
        const int before = check_failures;
        sooth_import import;
        if (change[k][2]) {
            CHECK_FAILS(&env, read_file(file, &import), SOOTH_BAD_TEXT, change[k][2]);
        } else {
            CHECK_STATUS(read_file(file, &import), SOOTH_OK);
            has_names(import.levels, 1, 1, (const char *const[]){"x", "y", NULL});
            CHECK(import.levels && !sooth_levels_columns(import.levels)[0].categorical && import.coded == 0);
            CHECK_NEAR(answer(&import, 1), 7, 0);
        }
        if (check_failures > before) printf("  %s: %s\n", change[k][1], env.sentence);
        sooth_import_free(&env, &import);
    }
}

/* Lists times features is memory: 41 x 65545 bytes are too many for this file. */
static void lists_are_bounded_by_the_file(void) {
    char lists[256] = "[[]";
    sooth_import import;
    for (unsigned k = 1; k < 40; ++k) strcat(lists, ",[]");
    CHECK_FAILS(&env,
                read_file(with(with(lightgbm_pandas, "max_feature_idx=1", "max_feature_idx=65535"),
                               "[[\"x\", \"y\"]", lists),
                          &import),
                SOOTH_BAD_TEXT,
                "lists of categories for 40 features, too many for 65536 features and a file");
}

static void memory_may_fail(void) {
    static const sooth_import_options origins = {.origins = 1};
    static const double at[2] = {1700000000.5, 1700000001.5};
    const char *const file[] = {xgboost_set,
                                lightgbm_set,
                                catboost_set,
                                lightgbm_linear,
                                with(lightgbm_pandas, "[0:1] [0:1]", "[0:1] 0:1"),
                                counting("", at, NULL, 2)};
    sooth_env own;
    sooth_env_init(&own);
    for (size_t k = 0; k < sizeof file / sizeof *file; ++k) {
        sooth_import import;
        CHECK_EVERY_ALLOCATION(&own, sooth_import_read(&own, file[k], strlen(file[k]), &origins, &import),
                               sooth_import_free(&own, &import));
    }
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(categories_go_as_in_their_library);
    CHECK_RUN(names_of_two_lists);
    CHECK_RUN(hashes_are_those_of_catboost);
    CHECK_RUN(memory_may_fail);
    CHECK_RUN(what_is_read);
    CHECK_RUN(what_is_refused);
    CHECK_RUN(names_are_plain_text);
    CHECK_RUN(names_of_lines_and_numbers);
    CHECK_RUN(binary_numbers);
    CHECK_RUN(formats_asked_for);
    CHECK_RUN(pruned_nodes);
    CHECK_RUN(what_two_changes_refuse);
    CHECK_RUN(origins_are_where_floats_merge);
    CHECK_RUN(origins_are_refused_without_the_option);
    CHECK_RUN(many_thresholds_count_from_an_origin);
    CHECK_RUN(thresholds_that_no_float_separates);
    CHECK_RUN(linear_leaves);
    CHECK_RUN(categories_in_binary);
    CHECK_RUN(categories_by_their_bytes);
    CHECK_RUN(lists_find_their_feature);
    CHECK_RUN(lists_are_bounded_by_the_file);
    return check_end("import_small");
}
