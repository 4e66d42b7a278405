/* test_kept.c - files of every version before are read, and answer as they did.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * tests/kept/VERSION holds a model of every kind and form as that version saved it, and answers.txt: for each
 * the hash of its answers for fixed rows (with intervals, and adapted to a few launches, where it carries
 * them), of rows that lack a feature, of its card, and its name. Such a folder never changes. A version's own
 * is made once, before it is published, in an empty folder:
 *
 *     SOOTH_KEEP=tests/kept/VERSION build/tests/test_kept
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "check.h"
#include "recipes.h"

#define KEPT "tests/kept/"
static const char *const versions[] = {"0.0.100", "0.1.0"};

enum { ROWS = 150, MOST_FEATURES = 16, MOST_TARGETS = 4 };

static sooth_env env;

/* ---- what a file answers ---- */

/* Rows of numbers that suit every kind, threads and frequencies too; with `lack` one number of each is
   missing. */
static void fill(float *x, size_t features, int lack) {
    sooth_rng rng;
    sooth_rng_init(&rng, 100, features);
    for (size_t i = 0; i < ROWS * features; ++i) x[i] = 1.0f + 3.0f * sooth_rng_float(&rng);
    for (size_t i = 0; i < ROWS && lack; ++i) x[i * features + i % features] = NAN;
}

/* One NaN for all. */
static void one_missing(float *v, size_t count) {
    static const uint32_t missing = 0x7FC00000u;
    for (size_t i = 0; i < count; ++i)
        if (isnan(v[i])) memcpy(&v[i], &missing, sizeof missing);
}

/* The intervals of all rows; then half of the rows are measured, and the other half adapts to them. */
static unsigned long long interval_answers(const sooth_model *model, const float *x, unsigned long long h) {
    static double memory[4096];
    float scratch[MOST_FEATURES];
    sooth_model_parts parts;
    sooth_adapted a;
    sooth_model_open(model, &parts);
    if (!parts.interval && !parts.adapt) return h;
    CHECK(!parts.adapt || sooth_adapt_program_size(parts.adapt) <= sizeof memory);
    for (int adapted = 0; adapted < 2; ++adapted) {
        sooth_adapt_program *program =
            adapted && parts.adapt ? sooth_adapt_begin(parts.adapt, memory, sizeof memory) : NULL;
        for (size_t i = 0; i < ROWS; ++i) {
            const float *row = x + i * model->head.features;
            float numbers[4];
            if (program && i < 9)
                sooth_model_observe(model, program, row, 7.0f + 3.0f * (float)(i % 4), scratch);
            if (i < ROWS / 2) continue;
            sooth_model_adapted(model, program, row, scratch, &a);
            numbers[0] = a.value, numbers[1] = a.low, numbers[2] = a.high, numbers[3] = a.known;
            one_missing(numbers, 4);
            h = check_hash_words(h, numbers, 4);
            h = h * 31 + a.trust + 4u * a.feature;
        }
    }
    return h;
}

static unsigned long long answers(const sooth_model *model, int lack) {
    static float x[ROWS * MOST_FEATURES], out[ROWS * MOST_TARGETS];
    void *scratch = malloc(sooth_model_scratch_size(model, 16) + 1);
    const size_t features = model->head.features;
    fill(x, features, lack);
    sooth_model_predict_many(model, x, ROWS, features, out, scratch, 16);
    one_missing(out, ROWS * model->head.targets);
    free(scratch);
    return interval_answers(model, x,
                            check_hash_words(14695981039346656037ull, out, ROWS * model->head.targets));
}

static unsigned long long card_of(const sooth_model *model) {
    unsigned long long h = 14695981039346656037ull;
    sooth_model_parts parts;
    sooth_model_open(model, &parts);
    if ((parts.predictor->kind & 0xFFFFu) == SOOTH_KIND_BEST) /* 0.1.0 kept version 1 */
        CHECK(isnan(sooth_best_standard_error((const sooth_best *)(const void *)parts.predictor)));
    if (!parts.card) return h;
    h = check_hash_words(h, sooth_model_card_range(parts.card),
                         2 * (model->head.features + model->head.targets));
    for (int field = SOOTH_CARD_FEATURE; field < SOOTH_CARD_FIELDS; ++field)
        for (size_t i = 0; i < model->head.features; ++i) {
            const char *text = sooth_model_card_text(parts.card, (sooth_model_card_field)field, i);
            h = h * 31 + check_hash((const unsigned char *)text, strlen(text));
        }
    return h;
}

/* ---- trees in whole numbers ---- */

/* The bytes of a file as this machine has them. */
static void *copy_of(const unsigned char *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    if (!soothi_model_little_endian()) sooth_model_swap_bytes(copy, size); /* files are little-endian */
    return copy;
}

static unsigned long long integers_answer(const sooth_integers *m, int lack) {
    static float x[ROWS * MOST_FEATURES], out[ROWS * MOST_TARGETS];
    unsigned long long h = 14695981039346656037ull;
    fill(x, m->head.features, lack);
    sooth_integers_predict_many(m, x, ROWS, m->head.features, out);
    for (size_t i = 0; i < ROWS; ++i) {
        int32_t key[2 * MOST_FEATURES];
        int64_t sum[MOST_TARGETS];
        sooth_integers_keys(m, x + i * m->head.features, key);
        sooth_integers_sum(m, key, sum);
        h = check_hash_words(h, key, sooth_integers_key_count(m));
        for (uint32_t t = 0; t < m->head.targets; ++t) h = h * 31 + (unsigned long long)sum[t];
    }
    return check_hash_words(h, out, ROWS * m->head.targets);
}

/* Whether the bytes are such a block; then it answers as it did. */
static int integers_as_they_were(const unsigned char *bytes, size_t size, unsigned long long full,
                                 unsigned long long lacking) {
    void *copy = copy_of(bytes, size);
    const sooth_integers *m = (const sooth_integers *)copy;
    const int sound = sooth_integers_check(copy, size);
    CHECK(sound && integers_answer(m, 0) == full && integers_answer(m, 1) == lacking);
    free(copy);
    return sound;
}

/* ---- probabilities of scores ---- */

static unsigned long long probability_answer(const sooth_probability *map) {
    float p[80];
    for (int i = 0; i < 80; ++i) p[i] = sooth_probability_apply(map, -0.5f + 0.025f * (float)i);
    return check_hash_words(14695981039346656037ull, p, 80);
}

/* Whether the bytes are such a block; then it answers as it did. */
static int probability_as_it_was(const unsigned char *bytes, size_t size, unsigned long long full) {
    void *copy = copy_of(bytes, size);
    const int sound = sooth_probability_check(copy, size);
    CHECK(sound && probability_answer((const sooth_probability *)copy) == full);
    free(copy);
    return sound;
}

/* ---- levels of categories ---- */

static const uint64_t levels[] = {0, 1, 2, 3, 5, 8, 13, 21, 34, 55};

/* What levels that it knows, or does not know, are encoded to. */
static unsigned long long encode_answer(const sooth_encode *e, uint64_t strange) {
    unsigned long long h = 14695981039346656037ull;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
        for (uint32_t j = 0; j < e->head.features; ++j) {
            float out[3 + SOOTH_ENCODE_MAX_LAST];
            soothi_encode_one(e, j, levels[i] + strange, 1000, out);
            one_missing(out, soothi_encode_width(e));
            h = check_hash_words(h, out, soothi_encode_width(e));
        }
    return h;
}

/* Whether the bytes are such a block; then it answers as it did. */
static int encode_as_it_was(const unsigned char *bytes, size_t size, unsigned long long full,
                            unsigned long long lacking) {
    void *copy = copy_of(bytes, size);
    const sooth_encode *e = (const sooth_encode *)copy;
    const int sound = sooth_encode_check(copy, size);
    CHECK(sound && encode_answer(e, 0) == full && encode_answer(e, 1000) == lacking);
    free(copy);
    return sound;
}

static void as_it_was(const char *version) {
    char path[256], line[256], name[128];
    unsigned long long full, lacking, card;
    unsigned read = 0;
    FILE *list;
    snprintf(path, sizeof path, KEPT "%s/answers.txt", version);
    list = fopen(path, "r");
    if (!list) CHECK_SKIP("the kept models are not here: run it from the repository's root");
    while (fgets(line, sizeof line, list)) {
        static unsigned char bytes[1 << 20];
        size_t size = 0;
        sooth_model *model = NULL;
        FILE *file;
        CHECK(sscanf(line, "%llx %llx %llx %127s", &full, &lacking, &card, name) == 4);
        snprintf(path, sizeof path, KEPT "%s/%s", version, name);
        file = fopen(path, "rb");
        CHECK(file != NULL);
        if (file) size = fread(bytes, 1, sizeof bytes, file), fclose(file);
        ++read;
        if (strncmp(name, "integers_", 9) == 0) {
            CHECK(integers_as_they_were(bytes, size, full, lacking));
            if (check_failures) printf("  %s answers otherwise\n", path);
            continue;
        }
        if (strncmp(name, "probability_", 12) == 0) {
            CHECK(probability_as_it_was(bytes, size, full));
            if (check_failures) printf("  %s answers otherwise\n", path);
            continue;
        }
        if (strncmp(name, "encode", 6) == 0) {
            CHECK(encode_as_it_was(bytes, size, full, lacking));
            if (check_failures) printf("  %s answers otherwise\n", path);
            continue;
        }
        CHECK_STATUS(sooth_model_load(&env, bytes, size, &model), SOOTH_OK);
        if (check_failures) printf("  %s: %s\n", path, env.sentence);
        if (!model) break;
        CHECK(answers(model, 0) == full);
        CHECK(answers(model, 1) == lacking);
        CHECK(card_of(model) == card);
        if (check_failures) printf("  %s answers otherwise\n", path);
        sooth_model_free(&env, model);
    }
    CHECK(feof(list) && read > 0);
    fclose(list);
}

static void earlier_files_are_read(void) {
    sooth_env_init(&env);
    if (!SOOTH_SAME_BITS) CHECK_SKIP("float is not evaluated as float here");
    for (size_t v = 0; v < sizeof versions / sizeof *versions; ++v) as_it_was(versions[v]);
}

/* ---- making a version's folder ---- */

static const struct kept {
    const char *file, *model, *options;
    uint32_t input, log_target, targets; /* as in test_golden.c */
    uint32_t programs;                   /* 0: no interval; else calibrated on so many programs */
} all[] = {
    {"linear", "linear", "", 0, 0, 2, 0},
    {"linear_bare", "linear", "no_statistics=1 no_intercept=1", 1, 1, 1, 0},
    {"linear_products", "linear", "products=1", 0, 0, 2, 0},
    {"tree", "tree", "max_depth=6", 0, 0, 1, 0},
    {"tree_bare_3", "tree", "max_depth=5 no_statistics=1", 0, 0, 3, 0},
    {"tree_planes", "tree", "linear_leaves=1 min_samples_leaf=9 no_statistics=1", 0, 0, 1, 0},
    {"forest_planes", "forest", "n_estimators=5 linear_leaves=1 min_samples_leaf=9 extrapolate=1", 0, 0, 1,
     0},
    {"boost_planes", "boost", "n_estimators=9 linear_leaves=1 min_samples_leaf=9 linear_lambda=0.1", 0, 0, 2,
     0},
    {"forest", "forest", "n_estimators=9 max_depth=5", 0, 1, 1, 0},
    {"forest_rows", "forest", "n_estimators=5 keep_rows=1 min_samples_leaf=9", 0, 0, 1, 0},
    {"forest_2", "forest", "n_estimators=5 max_depth=5 no_cover=1", 0, 0, 2, 0},
    {"extra_trees", "forest", "n_estimators=9 splitter=random max_depth=5", 2, 0, 1, 0},
    {"boost", "boost", "n_estimators=20 max_depth=4", 0, 0, 1, 0},
    {"boost_symmetric", "boost", "n_estimators=17 max_depth=4 grow_policy=symmetric", 0, 0, 1, 0},
    {"boost_leaves_3", "boost", "n_estimators=6 grow_policy=lossguide max_leaves=9 no_table=1", 0, 0, 3, 0},
    {"boost_poisson", "boost", "n_estimators=20 max_depth=3 loss=poisson no_cover=1", 0, 0, 1, 0},
    {"boost_logistic", "boost", "n_estimators=12 max_depth=3 loss=logistic lambda=1", 0, 0, 1, 0},
    {"network", "mlp", "hidden_1=9 hidden_2=6 epochs=5", 1, 0, 2, 0},
    {"network_wide", "mlp", "hidden_1=24 activation=leaky_relu output=positive epochs=3", 3, 1, 1, 0},
    {"network_logistic", "mlp", "hidden_1=9 loss=logistic epochs=5", 1, 0, 1, 0},
    {"vectors", "svr", "C=10 max_vectors=40", 1, 0, 1, 0},
    {"vectors_polynomial", "svr", "method=nu kernel=polynomial degree=2 coef0=1 max_vectors=20", 1, 0, 1, 0},
    {"vectors_linear", "svr", "kernel=linear", 1, 0, 1, 0},
    {"gauss", "gauss", "starts=1", 1, 0, 1, 0},
    {"gauss_inducing", "gauss", "kernel=squared lengths=each max_points=60 inducing=20 starts=1", 1, 1, 1, 0},
    {"rules", "sofnn", "max_rules=5", 1, 0, 1, 0},
    {"rules_zero", "sofnn", "order=zero growth=one_pass max_rules=9 error_threshold=0.5", 1, 0, 1, 0},
    {"law_usl", "scaling", "law=usl", 0, 0, 1, 0},
    {"law_power", "scaling", "law=power_speed cores=2 sockets=2", 0, 0, 1, 0},
    {"law_time", "scaling", "law=time_log cores=2 sockets=2", 0, 0, 1, 0},
    {"best_geometric", "best", "effort=low members=3", 0, 0, 1, 0},
    {"best_adapts", "best", "effort=low single=1", 0, 0, 1, 12},
    {"tree_interval", "tree", "max_depth=5", 0, 0, 2, 1},
    {"linear_adapts", "linear", "", 0, 0, 1, 12},
    {"forest_adapts", "forest", "n_estimators=5 max_depth=5", 1, 1, 1, 12},
};

static FILE *list;

static void keep_as(const char *folder, const char *name, const sooth_block *block, unsigned long long full,
                    unsigned long long lacking, unsigned long long card) {
    unsigned char *bytes = (unsigned char *)malloc(block->size);
    char path[512];
    FILE *file;
    if (!bytes) abort();
    snprintf(path, sizeof path, "%s/%s.sooth", folder, name);
    file = fopen(path, "wb");
    sooth_model_save(sooth_model_from_block(block), bytes);
    CHECK(file && fwrite(bytes, 1, block->size, file) == block->size && fclose(file) == 0);
    fprintf(list, "%016llx %016llx %016llx %s.sooth\n", full, lacking, card, name);
    free(bytes);
}

static void keep(const char *folder, const char *name, const sooth_model *model) {
    keep_as(folder, name, &model->head, answers(model, 0), answers(model, 1), card_of(model));
}

/* A model of trees in whole numbers, by both kinds of keys. */
static void keep_integers(const char *folder, const char *name, const sooth_model *model) {
    for (uint32_t rule = 0; rule < SOOTH_INTEGERS_KEYS_RULES; ++rule) {
        const sooth_integers_options o = {.bits = rule ? 32 : 16, .rule = rule};
        sooth_integers *m = NULL;
        char whole[64];
        CHECK_STATUS(sooth_integers_convert(&env, model, &o, &m), SOOTH_OK);
        if (!m) return;
        snprintf(whole, sizeof whole, "integers_%s_%s", name, rule ? "float" : "whole");
        keep_as(folder, whole, &m->head, integers_answer(m, 0), integers_answer(m, 1), 0);
        sooth_integers_free(&env, m);
    }
}

/* Trees that ask for sets of categories. */
static void keep_sets(const char *folder) {
    static const char file[] =
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=3\nobjective=poisson\n"
        "feature_names=a b c d\n\nTree=0\nnum_leaves=4\nnum_cat=2\nsplit_feature=0 1 2\nsplit_gain=9 5 3\n"
        "threshold=0 2.5 1\ndecision_type=1 10 1\nleft_child=1 -1 -2\nright_child=2 -3 -4\n"
        "leaf_value=0.125 0.37 1.0078125 0.7000000001\nleaf_count=5 6 7 8\ninternal_count=26 12 14\n"
        "cat_boundaries=0 1 3\ncat_threshold=10 12 4026531841\nis_linear=0\nshrinkage=1\n\n\n"
        "Tree=1\nnum_leaves=2\nnum_cat=1\nsplit_feature=2\nsplit_gain=1\nthreshold=0\ndecision_type=1\n"
        "left_child=-1\nright_child=-2\nleaf_value=-0.05 0.3\nleaf_count=13 13\ninternal_count=26\n"
        "cat_boundaries=0 1\ncat_threshold=6\nis_linear=0\nshrinkage=1\n\n\nend of trees\n";
    sooth_import import;
    CHECK_STATUS(sooth_import_read(&env, file, sizeof file - 1, NULL, &import), SOOTH_OK);
    if (import.ensemble) keep(folder, "boost_sets", sooth_model_from_block(&import.ensemble->head));
    sooth_import_free(&env, &import);
}

/* The same, learnt: one tree with statistics, one for three targets, one with planes. */
static void keep_learnt_sets(const char *folder) {
    static const char *const name[] = {"tree_sets", "tree_sets_3", "tree_sets_planes"};
    static const uint8_t categorical[] = {1, 0, 1};
    float x[3 * 120], y[3 * 120];
    for (size_t i = 0; i < 120; ++i) { /* what is asked later are numbers from 1 to 4 */
        x[3 * i] = (float)(i * i % 11 % 5);
        x[3 * i + 1] = 1.0f + (float)(i * 37 % 113) / 36.0f;
        x[3 * i + 2] = (float)(i % 50);
        for (size_t t = 0; t < 3; ++t)
            y[3 * i + t] = (float)((i * i % 11 % 5 + t) % 3) * x[3 * i + 1] + (float)(i % 50 % (3 + t));
    }
    for (uint32_t k = 0; k < 3; ++k) {
        const sooth_tree_options options = {
            .min_samples_leaf = k == 2 ? 8 : 2, .no_statistics = k == 1, .linear_leaves = k == 2};
        sooth_table table = sooth_table_of(x, y, 120, 3);
        sooth_tree *tree = NULL;
        float first[120];
        for (size_t i = 0; i < 120; ++i) first[i] = y[3 * i];
        if (k == 1) table.targets = 3;
        else table.y = first;
        table.categorical = categorical;
        CHECK_STATUS(sooth_tree_fit(&env, &table, &options, &tree), SOOTH_OK);
        if (tree) keep(folder, name[k], sooth_model_from_block(&tree->head));
        sooth_tree_free(&env, tree);
    }
}

static void keep_probabilities(const char *folder) {
    for (uint32_t method = 0; method < SOOTH_PROBABILITY_METHODS; ++method) {
        const sooth_probability_options how = {method, method ? 0u : (uint32_t)SOOTH_PROBABILITY_ODDS};
        const char *name = method ? "probability_isotonic" : "probability_sigmoid";
        sooth_probability *map = NULL;
        float score[60], late[60];
        for (uint32_t i = 0; i < 60; ++i) {
            score[i] = (float)i / 60.0f;
            late[i] = (float)(i * 17 % 60 < i);
        }
        CHECK_STATUS(sooth_probability_fit(&env, late, score, NULL, 60, &how, &map), SOOTH_OK);
        if (!map) return;
        keep_as(folder, name, &map->head, probability_answer(map), 0, 0);
        sooth_probability_free(&env, map);
    }
}

/* Two columns of levels, of which some had to make room. */
static void keep_encode(const char *folder) {
    const sooth_encode_options options = {.columns = 2, .last = 3, .max_bytes = 1200, .weight = 2};
    uint64_t level[2 * 90];
    float target[90];
    sooth_encode *e = NULL;
    for (uint32_t i = 0; i < 90; ++i) {
        level[2 * i] = levels[i * i % 7];
        level[2 * i + 1] = levels[i % 10];
        target[i] = (float)(i * 37 % 11) / 4.0f;
    }
    CHECK_STATUS(sooth_encode_fit(&env, level, target, NULL, 90, &options, NULL, &e), SOOTH_OK);
    if (!e) return;
    keep_as(folder, "encode", &e->head, encode_answer(e, 0), encode_answer(e, 1000), 0);
    sooth_encode_free(&env, e);
}

/* Models that say probabilities, by either map, and upper ends alone. */
static void keep_calibrated(const char *folder, const sooth_table *table) {
    static const struct {
        const char *name, *model;
        uint32_t probability;
    } those[] = {{"linear_sigmoid", "linear", SOOTH_CALIBRATE_PROBABILITY_SIGMOID},
                 {"tree_isotonic", "tree", SOOTH_CALIBRATE_PROBABILITY_ISOTONIC},
                 {"linear_upper", "linear", SOOTH_CALIBRATE_PROBABILITY_NONE}};
    for (size_t k = 0; k < sizeof those / sizeof *those; ++k) {
        sooth_train_recipe recipe = {.model = those[k].model,
                                     .input = {.transform = SOOTH_SCALE_STANDARD, .clip = 1},
                                     .has_input = 1,
                                     .note = "kept"};
        if (strcmp(those[k].model, "tree") == 0) {
            recipe.options.tree.max_depth = 4;
            recipe.options.tree.min_samples_leaf = 7;
        }
        const sooth_calibrate_options how = {.probability = those[k].probability,
                                             .tails = SOOTH_CONFORMAL_UPPER};
        sooth_model *model = NULL;
        CHECK_STATUS(fit_calibrated(&env, table, &recipe, &how, &model), SOOTH_OK);
        if (model) keep(folder, those[k].name, model);
        sooth_model_free(&env, model);
    }
}

/* Levels by their statistics behind transforms, and by their codes. */
static void keep_levels(const char *folder) {
    static const char *const users[] = {"ann", "bob", "cy", "dan", "eve"}, *const *
                                                                               text[] = {users, NULL, NULL};
    static const uint8_t categorical[] = {1, 0, 1};
    const sooth_scale_options logarithm = {.transform = SOOTH_SCALE_LOG};
    for (uint32_t how = SOOTH_TRAIN_ENCODE_TARGET; how <= SOOTH_TRAIN_ENCODE_ORDINAL; ++how) {
        sooth_levels_options few = {.max_bytes = 200};
        sooth_train_recipe recipe;
        sooth_levels *made = NULL;
        sooth_model *model = NULL;
        float x[3 * 90], y[90];
        sooth_table table;
        for (uint32_t i = 0; i < 90; ++i) {
            x[3 * i] = (float)(i * i % 7 % 5);
            x[3 * i + 1] = (float)(i * 37 % 11) / 4.0f;
            x[3 * i + 2] = 0.5f * (float)(i % 9);
            y[i] = 1.0f + x[3 * i] * x[3 * i + 1] + (float)(i % 3);
        }
        table = sooth_table_of(x, y, 90, 3);
        CHECK_STATUS(sooth_levels_fit(&env, &table, categorical, text, &few, x, &made), SOOTH_OK);
        memset(&recipe, 0, sizeof recipe);
        recipe.model = how == SOOTH_TRAIN_ENCODE_TARGET ? "mlp" : "tree";
        recipe.target = logarithm, recipe.has_target = 1;
        recipe.levels = made;
        recipe.encode = how;
        table.categorical = categorical;
        CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (model)
            keep(folder, how == SOOTH_TRAIN_ENCODE_TARGET ? "levels_statistics" : "levels_codes", model);
        sooth_model_free(&env, model);
        sooth_levels_free(&env, made);
    }
}

/* What is left of a sum of columns. */
static void keep_ratio(const char *folder, const sooth_table *table) {
    static const char words[] = "boost n_estimators=6 max_depth=3 ratio_to=GHz+2*speed+1";
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_train_recipe_read(&env, words, sizeof words - 1, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, table, &recipe, &model), SOOTH_OK);
    if (model) keep(folder, "boost_ratio", model);
    sooth_model_free(&env, model);
}

static void keep_all(const char *folder) {
    static const char *const features[] = {"threads", "GHz", "speed", "misses"};
    static const char *const units[] = {"", "GHz", "", "1/s"}, *const seconds[] = {"time", "power", "energy"};
    static float x[200 * 4], y[200 * 3];
    char path[512];
    sooth_rng rng;
    snprintf(path, sizeof path, "%s/answers.txt", folder);
    list = fopen(path, "wx");
    CHECK(list != NULL);
    if (!list) return;
    sooth_rng_init(&rng, 1, 2);
    for (size_t i = 0; i < 200; ++i) {
        float *row = x + 4 * i;
        for (size_t j = 0; j < 4; ++j) row[j] = 1.0f + 3.0f * sooth_rng_float(&rng);
        row[1] = 1.0f + 0.25f * (float)sooth_rng_below(&rng, 13); /* a law asks for a few frequencies */
        for (size_t t = 0; t < 3; ++t)
            y[3 * i + t] = 5.0f + (float)t * row[3] + 8.0f / (row[0] * row[1]) + sooth_rng_float(&rng);
    }
    sooth_table one_target = sooth_table_of(x, y, 200, 4);
    one_target.names = features;
    static float first[200];
    for (size_t i = 0; i < 200; ++i) first[i] = y[3 * i];
    one_target.y = first;
    keep_ratio(folder, &one_target);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const struct kept *one = &all[k];
        static float own[200 * 3];
        unsigned char options[512] = {0};
        char option[64], value[64];
        const char *text = one->options;
        int length;
        sooth_table table;
        const sooth_model_kind *kind;
        sooth_scale_options input, target;
        sooth_train_recipe recipe;
        sooth_model *model = NULL;
        memset(&recipe, 0, sizeof recipe);
        memset(&input, 0, sizeof input);
        memset(&target, 0, sizeof target);
        for (size_t i = 0; i < 200; ++i)
            for (size_t t = 0; t < one->targets; ++t) own[i * one->targets + t] = y[3 * i + t];
        for (size_t i = 0; strstr(one->options, "logistic") && i < 200 * one->targets; ++i)
            own[i] = own[i] > 8.0f; /* two classes */
        sooth_table_init(&table, x, 200, 4);
        table.y = own;
        table.targets = one->targets;
        table.names = features;
        CHECK_STATUS(sooth_train_kind_named(&env, one->model, &kind), SOOTH_OK);
        for (; sscanf(text, " %63[^=]=%63[^ ]%n", option, value, &length) == 2; text += length)
            CHECK_STATUS(sooth_option_set(&env, sooth_model_kind_options(kind), options, option, value),
                         SOOTH_OK);
        if (kind->kind == SOOTH_KIND_SCALING)
            table.cols = soothi_scaling_law_features(((sooth_scaling_options *)(void *)options)->law);
        input.transform = one->input - 1;
        input.clip = 1;
        target.transform = SOOTH_SCALE_LOG;
        recipe.model = one->model;
        memcpy(&recipe.options, options, kind->options_size);
        recipe.input = input, recipe.has_input = one->input > 0;
        recipe.target = target, recipe.has_target = one->log_target;
        recipe.feature_units = units;
        recipe.target_names = seconds;
        recipe.note = "kept";
        if (one->programs) {
            static uint32_t program[200];
            sooth_calibrate_options calibrated;
            memset(&calibrated, 0, sizeof calibrated);
            for (uint32_t i = 0; i < 200; ++i) program[i] = i % one->programs;
            table.group = one->programs > 1 ? program : NULL;
            calibrated.adapt = one->programs > 1 ? SOOTH_CALIBRATE_ADAPT_ALWAYS : SOOTH_CALIBRATE_ADAPT_AUTO;
            CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &calibrated, &model), SOOTH_OK);
        } else CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
        if (!model) {
            printf("  %s: %s\n", one->file, env.sentence);
            return;
        }
        keep(folder, one->file, model);
        if (strcmp(one->file, "tree_bare_3") == 0 || strcmp(one->file, "forest") == 0 ||
            strcmp(one->file, "boost_poisson") == 0 || strcmp(one->file, "boost_leaves_3") == 0)
            keep_integers(folder, one->file, model);
        if (kind->kind == SOOTH_KIND_MLP)
            for (uint32_t bits = 8; bits <= 16; bits += 8) {
                sooth_model *small = NULL;
                snprintf(path, sizeof path, "%s_%u_bits", one->file, (unsigned)bits);
                CHECK_STATUS(sooth_export_quantise(&env, model, bits, NULL, &small), SOOTH_OK);
                if (small) keep(folder, path, small);
                sooth_model_free(&env, small);
            }
        sooth_model_free(&env, model);
    }
    {
        static float late[200];
        sooth_table table = sooth_table_of(x, late, 200, 4);
        table.names = features;
        for (size_t i = 0; i < 200; ++i) late[i] = y[3 * i] > 8.0f;
        keep_calibrated(folder, &table);
    }
    {
        sooth_boost_options options = {.n_estimators = 12, .max_depth = 3};
        sooth_table table;
        sooth_boost *boost = NULL;
        for (size_t i = 0; i < 200; ++i) y[i] = y[3 * i];
        table = sooth_table_of(x, y, 200, 4);
        options.quantiles[0] = 0.1, options.quantiles[1] = 0.5, options.quantiles[2] = 0.9;
        CHECK_STATUS(sooth_boost_fit(&env, &table, &options, &boost), SOOTH_OK);
        if (boost) keep(folder, "boost_quantiles_4", sooth_model_from_block(&boost->head));
        sooth_boost_free(&env, boost);
    }
    keep_sets(folder);
    keep_learnt_sets(folder);
    keep_probabilities(folder);
    keep_encode(folder);
    keep_levels(folder);
    CHECK(fclose(list) == 0);
}

int main(void) {
    const char *folder = getenv("SOOTH_KEEP");
    sooth_env_init(&env);
    if (folder) keep_all(folder);
    CHECK_RUN(earlier_files_are_read);
    return check_end("kept");
}
