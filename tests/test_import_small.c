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

/* The file with `from` replaced. */
static const char *with(const char *file, const char *from, const char *to) {
    static char text[4096];
    const char *at = strstr(file, from);
    CHECK(at != NULL);
    if (!at) return file;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, to, at + strlen(from));
    return text;
}

static sooth_status read_file(const char *file, sooth_import *import) {
    return sooth_import_read(&env, file, strlen(file), SOOTH_IMPORT_ANY, import);
}

static float answer(const sooth_import *import, float b) {
    const float row[2] = {0, b};
    return import->ensemble ? sooth_ensemble_predict(import->ensemble, row) : -1.0f;
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
        {sklearn, "identity", "probit", "link is neither identity, exp nor logistic"},
        {sklearn, "\"identity\"", "7", "link is neither identity, exp nor logistic"},
        {sklearn, "[0]", "[0,1]", "base must have a number for each of 1 targets"},
        {sklearn, "[0]", "[\"x\"]", "base must have a number for each of 1 targets"},
        {sklearn, "[0]", "[1e999]", "base must have a number for each of 1 targets"},
        {sklearn, "\"features\":2", "\"features\":0", "the model has 0 features and 1 targets"},
        {sklearn, "\"targets\":1", "\"targets\":0", "the model has 2 features and 0 targets"},
        {sklearn, "[0,10,20]", "[0,10]", "the list value of tree 0 has another length"},
        {sklearn, "[0,10,20]", "[0,\"x\",20]", "the list value of tree 0 has another length"},
        {sklearn, "[0,10,20]", "[0,10,20,30]", "the list value of tree 0 has another length"},
        {sklearn, "[0,10,20]", "7", "tree 0 has no list value"},
        {sklearn, "[1,-1,-1]", "[\"x\",-1,-1]", "the list left of tree 0 has another length"},
        {sklearn, "[1,-1,-1]", "[3,-1,-1]", "node 0 of tree 0 has no right children or feature"},
        {sklearn, "[2,-1,-1]", "[0,-1,-1]", "node 0 of tree 0 has no right children or feature"},
        {sklearn, "[2,-1,-1]", "[3,-1,-1]", "node 0 of tree 0 has no right children or feature"},
        {sklearn, "[2,-1,-1]", "[2,-1,-1,5]", "the list right of tree 0 has another length"},
        {sklearn, "[1,-2,-2]", "[-1,-2,-2]", "node 0 of tree 0 has no right children or feature"},
        {sklearn, "[0.5,-2,-2]", "[,-2,-2]", "a value is missing"},
        {sklearn, "\"right\":[2,-1,-1]", "\"right\":5", "tree 0 has no list right"},
        {sklearn, "\"right\":[2,-1,-1],", "", "tree 0 has no list right"},
        {sklearn, "sklearn", "sk\x01learn", "a text has no closing quote"},
        {sklearn, "[\"a\",\"b\"]", "[\"a\"]", "there are 1 feature names, but 2 features"},
        {sklearn, "\"trees\":[{", "\"trees\":[],\"x\":[{", "the model has no trees"},
        {sklearn, "\"trees\":", "\"x\":", "the model has no trees"},
        {sklearn, "\"features\":2", "\"features\":\"\"", "features is no whole number"},
        {xgboost, "\"0\",\"num_feature\"", "0,\"num_feature\"", "base_score is missing or no text"},
        {xgboost, "\"base_score\":\"0\",", "", "base_score is missing or no text"},
        {xgboost, "\"0\",\"num_feature\"", "\"\",\"num_feature\"", "base_score is no number"},
        {xgboost, "\"0\",\"num_feature\"", "\"5x\",\"num_feature\"", "base_score is no number"},
        {xgboost, "\"0\",\"num_feature\"", "\"[1,2,3]\",\"num_feature\"",
         "base_score has 3 numbers, but there are 1 targets"},
        {xgboost, "reg:linear", "count:poisson", "base_score is 0, which this objective cannot have"},
        {xgboost, "reg:linear", "reg:logistic", "base_score is 0, which this objective cannot have"},
        {xgboost, "reg:linear", "survival:cox", "the objective survival:cox cannot be imported"},
        {xgboost, "reg:linear", "a:name:of:more:than:63:characters:that:no:library:would:give:an:objective",
         "the objective of this name cannot be imported"},
        {xgboost, "gbtree", "gblinear", "the booster gblinear cannot be imported"},
        {xgboost, "[0],\"trees\"", "7,\"trees\"", "the model has no trees or no tree_info"},
        {xgboost, "[0],\"trees\"", "[\"x\"],\"trees\"", "tree_info has no target for tree 0"},
        {xgboost, "[0],\"trees\"", "[1],\"trees\"", "tree_info has no target for tree 0"},
        {xgboost, "[0,0,0]", "[1,0,0]", "tree 0 has a categorical split"},
        {xgboost, "\"num_deleted\"", "\"size_leaf_vector\":\"2\",\"x\"",
         "several targets (multi_output_tree)"},
        {lightgbm, "leaf_value=10 20", "leaf_value=", "the list leaf_value of tree 0 has another length"},
        {lightgbm, "leaf_value=10 20", "leaf_value=10 x", "the list leaf_value of tree 0 has another length"},
        {lightgbm, "leaf_count=4 6", "leaf_count=4", "the list leaf_count of tree 0 has another length"},
        {lightgbm, "leaf_count=4 6", "leaf_count=4 6 7", "the list leaf_count of tree 0 has another length"},
        {lightgbm, "left_child=-1", "left_child=0", "node 0 of tree 0 has no right children"},
        {lightgbm, "left_child=-1", "left_child=1", "node 0 of tree 0 has no right children"},
        {lightgbm, "left_child=-1", "left_child=-3", "node 0 of tree 0 has no right children"},
        {lightgbm, "left_child=-1", "left_child=-1.5", "node 0 of tree 0 has no right children"},
        {lightgbm, "split_feature=1", "split_feature=-1",
         "a split_feature or decision_type that is not known"},
        {lightgbm, "decision_type=2", "decision_type=300",
         "a split_feature or decision_type that is not known"},
        {lightgbm, "decision_type=2", "decision_type=1", "tree 0 has a categorical split"},
        {lightgbm, "is_linear=0", "is_linear=1", "tree 0 has no list leaf_const"},
        {lightgbm, "Tree=0", "Tree=x", "stands where Tree=0 must"},
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
        sooth_import import;
        snprintf(list, sizeof list, "[\"%s\",\"b\"]", names[k][0]);
        CHECK_STATUS(read_file(with(sklearn, "[\"a\",\"b\"]", list), &import), SOOTH_OK);
        CHECK(import.names == 2 && strcmp(import.feature_names[1], "b") == 0);
        if (strcmp(import.feature_names[0], names[k][1]) != 0) {
            printf("  %s became %s\n", names[k][0], import.feature_names[0]);
            ++check_failures;
        }
        sooth_import_free(&env, &import);
    }
}

static void names_of_lines_and_numbers(void) {
    sooth_import import;
    CHECK_STATUS(read_file(with(sklearn, "[\"a\",\"b\"]", "[1,\"b\"]"), &import), SOOTH_OK);
    CHECK(import.names == 2 && strcmp(import.feature_names[0], "") == 0);
    sooth_import_free(&env, &import);
    CHECK_STATUS(read_file(with(lightgbm, "=a b", "=a\x01\\n b"), &import), SOOTH_OK);
    CHECK(import.names == 2 && strcmp(import.feature_names[0], "a_\\n") == 0);
    sooth_import_free(&env, &import);
    CHECK_STATUS(read_file(with(xgboost, "reg:linear\"", "reg:linear\",\"x\":\"\""), &import), SOOTH_OK);
    CHECK(strcmp(import.objective, "reg:linear") == 0 && import.names == 0);
    sooth_import_free(&env, &import);
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
         6, "the file ends in the middle"},
        {"{i\x01"
         "aI\x01\x02}",
         8, "neither \"learner\""},
        {"{i\x01"
         "aD\0\0\0\0\0\0\0\0}",
         14, "neither \"learner\""},
        {"{i\x01"
         "aT}",
         6, "neither \"learner\""},
        {"{i\x01"
         "aF}",
         6, "neither \"learner\""},
        {"{i\x01"
         "aZ}",
         6, "neither \"learner\""},
        {"{i\x01"
         "a[]}",
         7, "neither \"learner\""},
        {"{i\x01"
         "a[TF]}",
         9, "neither \"learner\""},
        {"{i\x01"
         "a[$D#i\x01\0\0\0\0\0\0\0\0}",
         19, "neither \"learner\""},
        {"{i\x01"
         "a[$Tx",
         8, "a list has a type that is not known"},
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
        CHECK_FAILS(&env, sooth_import_read(&env, copy, bad[k].size, SOOTH_IMPORT_XGBOOST_UBJ, &import),
                    SOOTH_BAD_TEXT, bad[k].words);
        if (check_failures > before) printf("  number %u\n", (unsigned)k);
        free(copy);
    }
}

/* Who says which library it is from is taken at his word. */
static void formats_asked_for(void) {
    sooth_import import;
    CHECK_STATUS(sooth_import_read(&env, lightgbm, sizeof lightgbm - 1, SOOTH_IMPORT_LIGHTGBM, &import),
                 SOOTH_OK);
    CHECK_NEAR(answer(&import, 1), 20, 0);
    sooth_import_free(&env, &import);
    CHECK_FAILS(&env, sooth_import_read(&env, sklearn, sizeof sklearn - 1, SOOTH_IMPORT_LIGHTGBM, &import),
                SOOTH_BAD_TEXT, "there is no tree");
    CHECK_FAILS(&env,
                sooth_import_read(&env, sklearn, sizeof sklearn - 1, SOOTH_IMPORT_XGBOOST_JSON, &import),
                SOOTH_BAD_TEXT, "this is a model of another library");
    CHECK_FAILS(&env, sooth_import_read(&env, lightgbm, sizeof lightgbm - 1, SOOTH_IMPORT_SKLEARN, &import),
                SOOTH_BAD_TEXT, "this is neither JSON, UBJ nor the text of LightGBM");
}

/* Files that say they were pruned are read like others. Both children are node 1, which no tree can be. */
static void pruned_nodes(void) {
    char text[4096];
    sooth_import import;
    snprintf(text, sizeof text, "%s", with(xgboost, "\"num_deleted\":\"0\"", "\"num_deleted\":\"1\""));
    CHECK_STATUS(read_file(text, &import), SOOTH_OK);
    CHECK_NEAR(answer(&import, 1), 20, 0);
    sooth_import_free(&env, &import);
    CHECK_FAILS(&env, read_file(with(text, "[2,-1,-1]", "[1,-1,-1]"), &import), SOOTH_BAD_TEXT, "tree");
    CHECK(!import.ensemble);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(what_is_read);
    CHECK_RUN(what_is_refused);
    CHECK_RUN(names_are_plain_text);
    CHECK_RUN(names_of_lines_and_numbers);
    CHECK_RUN(binary_numbers);
    CHECK_RUN(formats_asked_for);
    CHECK_RUN(pruned_nodes);
    return check_end("import_small");
}
