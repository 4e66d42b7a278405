/* test_ranks.c - several processes, each with some rows, learn the model of one with all: the same bytes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The processes are threads (ranks.h); examples/hosts/mpi does the same with MPI.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/stats/cluster.h"
#include "sooth/stats/correlate.h"
#include "sooth/forest.h"
#include "sooth/linear.h"
#include "sooth/preprocess/scale.h"
#include "sooth/train.h"
#include "sooth/tree.h"
#include "check.h"
#include "ranks.h"

enum { ROWS = 900, COLS = 5, TARGETS = 2 };
static float x[ROWS * COLS], y[ROWS * TARGETS], positive[ROWS], binary[ROWS], weight[ROWS];
static float valid_x[ROWS * COLS], valid_y[ROWS];

static void make_rows(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS, *other = valid_x + i * COLS;
        for (size_t j = 0; j < COLS; ++j) {
            row[j] = j == 3 ? (float)sooth_rng_below(&rng, 5) : sooth_rng_float(&rng);
            other[j] = sooth_rng_float(&rng);
        }
        y[2 * i] = 4.0f * row[0] + (row[1] > 0.4f ? row[3] : -row[2]) + sooth_rng_float(&rng);
        y[2 * i + 1] = row[2] * row[1];
        valid_y[i] = 4.0f * other[0] + (other[1] > 0.4f ? other[3] : -other[2]);
        positive[i] = (float)sooth_rng_below(&rng, 9) * row[0];
        binary[i] = y[2 * i] > 2.0f;
        weight[i] = (float)sooth_rng_below(&rng, 4);
        if (sooth_rng_below(&rng, 9) == 0) row[1] = NAN;
    }
}

/* What all processes do, and what one of them got. */
typedef struct job {
    sooth_table table, valid;
    sooth_boost_options options;
    int again;     /* half of the rounds, then the other half */
    size_t budget; /* allocations that succeed; SIZE_MAX: all */
    sooth_status status;
    sooth_boost *boost;
    char sentence[SOOTH_ENV_SENTENCE];
} job;

static void *count_down(void *user, size_t size) {
    size_t *budget = user;
    if (*budget == 0) return NULL;
    --*budget;
    return malloc(size);
}
static void give_back(void *user, void *memory, size_t size) {
    (void)user;
    (void)size;
    free(memory);
}

static void fit(sooth_env *env, void *arg) {
    job *j = arg;
    sooth_boost *half = NULL;
    env->alloc_fn = count_down;
    env->free_fn = give_back;
    env->alloc_user = &j->budget;
    if (j->valid.rows) j->options.validation = &j->valid;
    if (j->again) {
        const uint32_t all = j->options.n_estimators;
        j->options.n_estimators = all / 2;
        j->status = sooth_boost_fit(env, &j->table, &j->options, &half);
        j->options.n_estimators = all - all / 2;
        if (j->status == SOOTH_OK)
            j->status = sooth_boost_resume(env, half, &j->table, &j->options, &j->boost);
        j->options.n_estimators = all;
        sooth_boost_free(env, half);
    } else {
        j->status = sooth_boost_fit(env, &j->table, &j->options, &j->boost);
    }
    memcpy(j->sentence, env->sentence, sizeof j->sentence);
}

/* The job of one process with these rows of the whole. */
static job part_of(const job *whole, size_t from, size_t end) {
    job part = *whole;
    part.table.x += from * COLS;
    part.table.y += from * part.table.targets;
    if (part.table.weight) part.table.weight += from;
    part.table.rows = end - from;
    if (!part.valid.rows) return part;
    part.valid.x += from * COLS;
    part.valid.y += from;
    part.valid.rows = end - from;
    return part;
}

static const size_t cuts[][RANKS_MOST + 1] = {
    {0, 450, ROWS}, {0, 1, 700, ROWS}, {0, 3, 300, 301, 302, 650, 651, 652, ROWS}};

static void same_bytes(const char *name, job whole) {
    static const size_t ranks[] = {2, 3, 8};
    sooth_env env;
    sooth_env_init(&env);
    whole.budget = SIZE_MAX;
    fit(&env, &whole);
    if (whole.status != SOOTH_OK) printf("  %s: %s\n", name, whole.sentence);
    CHECK(whole.status == SOOTH_OK);
    static size_t turn; /* another way of sharing out each time */
    const size_t c = turn++ % 3;
    job part[RANKS_MOST];
    for (size_t r = 0; r < ranks[c]; ++r) {
        part[r] = part_of(&whole, cuts[c][r], cuts[c][r + 1]);
        part[r].boost = NULL;
    }
    ranks_run(ranks[c], fit, part, sizeof *part, 0);
    for (size_t r = 0; r < ranks[c]; ++r) {
        const int same = part[r].boost && whole.boost && part[r].boost->head.size == whole.boost->head.size &&
                         !memcmp(part[r].boost, whole.boost, whole.boost->head.size);
        if (!same) printf("  %s: process %zu of %zu: %s\n", name, r, ranks[c], part[r].sentence);
        CHECK(same);
        free(part[r].boost);
    }
    free(whole.boost);
}

static job plain(void) {
    job j;
    memset(&j, 0, sizeof j);
    static float one[ROWS];
    for (size_t i = 0; i < ROWS; ++i) one[i] = y[2 * i];
    j.table = sooth_table_of(x, one, ROWS, COLS);
    j.options.n_estimators = 6;
    j.options.max_depth = 4;
    j.options.bins = 20; /* fewer meetings */
    return j;
}

static void every_way_of_growing_gives_the_bytes_of_one(void) {
    static const signed char monotone[COLS] = {1, 0, -1, 0, 0};
    job j;
    make_rows();
    same_bytes("plain", plain());
    j = plain(), j.options.bins = 0;
    same_bytes("as many bins as there are", j);
    j = plain(), j.options.bins = 16, j.options.gamma = 5.0, j.options.min_samples_leaf = 7;
    same_bytes("few bins, gamma", j);
    j = plain(), j.options.grow_policy = SOOTH_BOOST_LOSSGUIDE, j.options.max_leaves = 9;
    same_bytes("best first", j);
    j = plain(), j.options.grow_policy = SOOTH_BOOST_SYMMETRIC;
    same_bytes("symmetric", j);
    j = plain(), j.options.subsample = 0.6, j.options.colsample_bynode = 0.7, j.options.seed = 3;
    same_bytes("draws", j);
    j = plain(), j.options.monotone = monotone;
    same_bytes("monotone", j);
    j = plain(), j.table.weight = weight, j.options.lambda = 1.0, j.options.alpha = 0.5;
    same_bytes("weights", j);
    j = plain(), j.table.y = y, j.table.targets = 2;
    same_bytes("two targets", j);
    j = plain(), j.again = 1;
    same_bytes("going on", j);
}

static void every_loss_without_medians_gives_the_bytes_of_one(void) {
    job j;
    make_rows();
    j = plain(), j.table.y = positive, j.options.loss = SOOTH_BOOST_POISSON;
    same_bytes("poisson", j);
    j = plain(), j.table.y = binary, j.options.loss = SOOTH_BOOST_LOGISTIC;
    same_bytes("logistic", j);
    for (size_t i = 0; i < ROWS; ++i) positive[i] += 0.125f;
    j = plain(), j.table.y = positive, j.options.loss = SOOTH_BOOST_GAMMA;
    same_bytes("gamma", j);
    j = plain(), j.valid = sooth_table_of(valid_x, valid_y, ROWS, COLS), j.options.n_estimators = 40,
    j.options.patience = 2, j.options.learning_rate = 0.9;
    same_bytes("stopping early", j);
}

/* ---- what wants all rows in every process ---- */

enum { MOST = 1 << 18 };
typedef struct found {
    sooth_table table;
    void (*find)(sooth_env *env, struct found *f);
    sooth_status status;
    size_t size, shared; /* of the bytes, and how many of them all processes have: the rest is by row */
    unsigned char bytes[MOST];
} found;

static void keep(found *f, const void *bytes, size_t size) {
    CHECK(f->size + size <= MOST);
    if (f->size + size > MOST) return;
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}
static void keep_block(found *f, const sooth_block *block) {
    if (block) keep(f, block, block->size);
}

static void find_tree(sooth_env *env, found *f) {
    sooth_tree_options o = {0};
    sooth_tree *tree;
    o.criterion = SOOTH_TREE_ABSOLUTE;
    o.max_depth = 5;
    f->status = sooth_tree_fit(env, &f->table, &o, &tree);
    keep_block(f, tree ? &tree->head : NULL);
    sooth_tree_free(env, tree);
}
static void find_forest(sooth_env *env, found *f) {
    sooth_forest_options o = {0};
    sooth_forest *forest, *larger = NULL;
    o.n_estimators = 7;
    o.min_samples_leaf = 9;
    o.keep_rows = f->table.targets == 1;
    f->status = sooth_forest_fit(env, &f->table, &o, &forest);
    o.n_estimators = 4;
    if (f->status == SOOTH_OK) f->status = sooth_forest_resume(env, forest, &f->table, &o, &larger);
    keep_block(f, larger ? &larger->head : NULL);
    sooth_forest_free(env, forest);
    sooth_forest_free(env, larger);
}
static void find_scale(sooth_env *env, found *f) {
    sooth_scale_options o = {0};
    sooth_scale *scale;
    o.transform = SOOTH_SCALE_STANDARD;
    f->status = sooth_scale_fit(env, &f->table, &o, &scale);
    keep_block(f, scale ? &scale->head : NULL);
    sooth_scale_free(env, scale);
}
static void find_correlations(sooth_env *env, found *f) {
    double r[COLS * COLS] = {0}, p[COLS * COLS] = {0};
    sooth_correlation rank[COLS];
    memset(rank, 0, sizeof rank);
    f->status = sooth_correlate_matrix(env, &f->table, SOOTH_CORRELATE_SPEARMAN, r, p);
    if (f->status == SOOTH_OK)
        f->status = sooth_correlate_rank(env, &f->table, 0, SOOTH_CORRELATE_PEARSON, rank);
    keep(f, r, sizeof r);
    keep(f, p, sizeof p);
    for (size_t j = 0; j < COLS; ++j) keep(f, &rank[j].r, sizeof rank[j].r);
}
static void find_clusters(sooth_env *env, found *f) {
    sooth_cluster_options o = {0};
    double centre[4 * COLS] = {0}, inertia = 0.0;
    static uint32_t label[RANKS_MOST][ROWS];
    o.n_clusters = 4;
    o.n_init = 2;
    f->status = sooth_cluster_fit(env, &f->table, &o, centre, label[env->rank], &inertia);
    keep(f, centre, sizeof centre);
    keep(f, &inertia, sizeof inertia);
    f->shared = f->size;
    keep(f, label[env->rank], f->table.rows * sizeof **label);
}
static void find(sooth_env *env, void *arg) {
    found *f = arg;
    f->find(env, f);
}

static void compare(const char *name, void (*finder)(sooth_env *env, found *f), sooth_table table) {
    static found one, some[RANKS_MOST];
    static size_t turn;
    const size_t c = turn++ % 3, ranks = c == 2 ? 8 : 2 + c;
    sooth_env env;
    sooth_env_init(&env);
    memset(&one, 0, offsetof(found, bytes));
    one.table = table;
    one.find = finder;
    find(&env, &one);
    if (one.status != SOOTH_OK) printf("  %s: %s\n", name, env.sentence);
    CHECK(one.status == SOOTH_OK && one.size > 0);
    for (size_t r = 0; r < ranks; ++r) {
        const size_t from = cuts[c][r];
        memset(&some[r], 0, offsetof(found, bytes));
        some[r].table = table;
        some[r].table.x += from * table.stride;
        some[r].table.y += from * table.targets;
        if (table.weight) some[r].table.weight += from;
        some[r].table.rows = cuts[c][r + 1] - from;
        some[r].find = finder;
    }
    ranks_run(ranks, find, some, sizeof *some, 0);
    for (size_t r = 0; r < ranks; ++r) {
        const size_t shared = one.shared ? one.shared : one.size, by_row = one.size - shared;
        const size_t before = by_row / ROWS * cuts[c][r], own = by_row / ROWS * some[r].table.rows;
        const int same = some[r].status == SOOTH_OK && some[r].size == shared + own &&
                         !memcmp(some[r].bytes, one.bytes, shared) &&
                         !memcmp(some[r].bytes + shared, one.bytes + shared + before, own);
        if (!same) printf("  %s: process %zu of %zu\n", name, r, ranks);
        CHECK(same);
    }
}

/* ---- least squares ---- */

static sooth_linear_options linear_options;
static void find_line(sooth_env *env, found *f) {
    sooth_linear *linear;
    f->status = sooth_linear_fit(env, &f->table, &linear_options, &linear);
    keep_block(f, linear ? &linear->head : NULL);
    sooth_linear_free(env, linear);
}

/* With a column that nearly is another one, the solution is refined from the rows. */
static void every_method_without_medians_gives_the_coefficients_of_one(void) {
    make_rows();
    sooth_table table = plain().table;
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        row[1] = row[1] <= 9.0f ? row[1] : 0.5f; /* no missing values */
        row[4] = row[0] + 1e-5f * row[4];
    }
    memset(&linear_options, 0, sizeof linear_options);
    compare("least squares", find_line, table);
    table.weight = weight;
    compare("weighted least squares", find_line, table);
    table.y = y;
    table.targets = 2;
    linear_options.method = SOOTH_LINEAR_RIDGE;
    linear_options.lambda = 3.0;
    compare("ridge of two targets", find_line, table);
    linear_options.method = SOOTH_LINEAR_NON_NEGATIVE;
    linear_options.lambda = 0.0;
    table.y = plain().table.y;
    table.targets = 1;
    compare("non-negative", find_line, table);
}

enum { MANY = 150000 };
typedef struct line {
    sooth_table table;
    sooth_status status;
    sooth_linear *linear;
} line;
static void fit_line(sooth_env *env, void *arg) {
    line *l = arg;
    l->status = sooth_linear_fit(env, &l->table, NULL, &l->linear);
}

static void more_rows_than_a_block_have_the_coefficients_of_one(void) {
    static float many[MANY * 2], target[MANY];
    static const size_t cut[] = {0, 100, 66000, 131072, MANY};
    sooth_env env;
    sooth_rng rng;
    line whole = {sooth_table_of(many, target, MANY, 2), SOOTH_OK, NULL}, part[4];
    sooth_env_init(&env);
    sooth_rng_init(&rng, 8, 0);
    for (size_t i = 0; i < MANY; ++i) {
        many[2 * i] = sooth_rng_float(&rng);
        many[2 * i + 1] = sooth_rng_float(&rng);
        target[i] = 1.0f + 2.0f * many[2 * i] - 3.0f * many[2 * i + 1] + 0.1f * sooth_rng_float(&rng);
    }
    fit_line(&env, &whole);
    CHECK(whole.status == SOOTH_OK);
    CHECK_NEAR(sooth_linear_coefficient(whole.linear, 0, 0), 2.0, 1e-3);
    CHECK_NEAR(sooth_linear_coefficient(whole.linear, 0, 1), -3.0, 1e-3);
    for (size_t r = 0; r < 4; ++r) {
        part[r] = whole;
        part[r].table.x += 2 * cut[r];
        part[r].table.y += cut[r];
        part[r].table.rows = cut[r + 1] - cut[r];
    }
    ranks_run(4, fit_line, part, sizeof *part, 0);
    for (size_t r = 0; r < 4; ++r) {
        CHECK(part[r].status == SOOTH_OK && !memcmp(part[r].linear, whole.linear, whole.linear->head.size));
        free(part[r].linear);
    }
    free(whole.linear);
}

static void whatever_needs_all_rows_gets_them(void) {
    make_rows();
    sooth_table table = plain().table;
    compare("tree", find_tree, table);
    compare("forest", find_forest, table);
    compare("correlations", find_correlations, table);
    table.weight = weight;
    compare("scale", find_scale, table);
    compare("weighted forest", find_forest, table);
    table.y = y;
    table.targets = 2;
    compare("forest of two targets", find_forest, table);
    for (size_t i = 0; i < ROWS * COLS; ++i)
        x[i] = x[i] <= 9.0f ? x[i] : 0.5f; /* distances want every value */
    table.weight = NULL;
    compare("clusters", find_clusters, table);
    static const uint8_t categorical[COLS] = {1}; /* a tree of its own takes categories, too */
    for (size_t i = 0; i < ROWS; ++i) x[i * COLS] = (float)(i * i % 37);
    table.categorical = categorical;
    compare("tree of categories", find_tree, table);
}

/* ---- what is refused, and what goes wrong in one of them ---- */

static void refused(job whole, const char *words) {
    job part[2];
    for (size_t r = 0; r < 2; ++r)
        part[r] = part_of(&whole, 450 * r, 450 * (r + 1)), part[r].budget = SIZE_MAX;
    ranks_run(2, fit, part, sizeof *part, 0);
    for (size_t r = 0; r < 2; ++r) {
        if (!strstr(part[r].sentence, words)) printf("  %s\n", part[r].sentence);
        CHECK(part[r].status != SOOTH_OK && !part[r].boost && strstr(part[r].sentence, words));
    }
}

static void what_needs_all_rows_at_once_is_refused(void) {
    job j;
    make_rows();
    j = plain(), j.options.loss = SOOTH_BOOST_ABSOLUTE;
    refused(j, "losses that need medians");
    j = plain(), j.options.loss = SOOTH_BOOST_HUBER;
    refused(j, "losses that need medians");
    j = plain(), j.options.method = SOOTH_BOOST_EXACT;
    refused(j, "method=exact");
    j = plain(), j.options.linear_leaves = 1;
    refused(j, "linear_leaves");
    j = plain(), j.options.patience = 3;
    refused(j, "patience without a validation table");
}

/* A model with its card, of a recipe that all have. */
static sooth_train_recipe recipe;
static const char *const names[COLS] = {"threads", "clock", "size", "", "load"};

static void make_model(sooth_env *env, void *arg) {
    job *j = arg;
    sooth_model *model;
    sooth_train_recipe own = recipe;
    sooth_model_seen_rows seen;
    memset(&seen, 0, sizeof seen);
    sooth_model_seen_add(&seen, &j->table);
    own.seen = &seen;
    env->alloc_fn = count_down;
    env->free_fn = give_back;
    env->alloc_user = &j->budget;
    j->table.names = names;
    j->status = sooth_train_fit(env, &j->table, &own, &model);
    j->boost = (sooth_boost *)(void *)model;
    memcpy(j->sentence, env->sentence, sizeof j->sentence);
}

/* The same, but process 1 wants its targets scaled, or divided by a column. */
static int divides;
static void make_other_model(sooth_env *env, void *arg) {
    static const sooth_scale_options standard = {SOOTH_SCALE_STANDARD, 0, NULL};
    job *j = arg;
    sooth_model *model;
    sooth_train_recipe own = recipe;
    if (env->rank == 1 && divides) memcpy(own.ratio_to, "column 1", 9);
    else if (env->rank == 1) own.target = standard, own.has_target = 1;
    j->status = sooth_train_fit(env, &j->table, &own, &model);
    j->boost = (sooth_boost *)(void *)model;
    memcpy(j->sentence, env->sentence, sizeof j->sentence);
}

/* The sketch of training rows on the card, whatever rows a process has: with many rows it keeps only hashes
   with more zero bits than the sketch of few. */
static void sketches_are_those_of_one_process(void) {
    job whole, part[3];
    sooth_rng rng;
    sooth_env env;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 3, 0);
    make_rows();
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "tree";
    for (size_t k = 0; k < 40; ++k) {
        whole = plain();
        whole.budget = SIZE_MAX;
        whole.table.rows = 100 + sooth_rng_below(&rng, ROWS - 100);
        make_model(&env, &whole);
        CHECK(whole.status == SOOTH_OK);
        size_t at[4] = {0, 0, 0, whole.table.rows};
        at[1] = 1 + sooth_rng_below(&rng, (uint32_t)whole.table.rows - 2);
        at[2] = at[1] + 1 + sooth_rng_below(&rng, (uint32_t)(whole.table.rows - at[1] - 1));
        for (size_t r = 0; r < 3; ++r) part[r] = part_of(&whole, at[r], at[r + 1]);
        ranks_run(3, make_model, part, sizeof *part, 0);
        for (size_t r = 0; r < 3; ++r) {
            CHECK(part[r].boost && part[r].boost->head.size == whole.boost->head.size &&
                  !memcmp(part[r].boost, whole.boost, whole.boost->head.size));
            free(part[r].boost);
        }
        free(whole.boost);
    }
}

static void models_with_cards_are_those_of_one_process(void) {
    static const char *const kinds[] = {"tree", "linear", "extratrees", "boost"};
    static const sooth_scale_options standard = {SOOTH_SCALE_STANDARD, 1, NULL};
    job whole, part[3];
    sooth_env env;
    sooth_env_init(&env);
    make_rows();
    for (size_t i = 0; i < ROWS; ++i) {
        x[i * COLS + 3] = i < 500 ? -0.0f : 0.0f;
        for (size_t k = 0; k < COLS; ++k) x[i * COLS + k] = x[i * COLS + k] <= 9.0f ? x[i * COLS + k] : 0.5f;
    }
    for (size_t k = 0; k < 8; ++k) {
        memset(&recipe, 0, sizeof recipe);
        recipe.model = kinds[k / 2];
        if (k % 2) recipe.input = recipe.target = standard, recipe.has_input = recipe.has_target = 1;
        whole = plain();
        whole.budget = SIZE_MAX;
        recipe.groups = 7;
        make_model(&env, &whole);
        CHECK(whole.status == SOOTH_OK);
        for (size_t r = 0; r < 3; ++r) part[r] = part_of(&whole, cuts[1][r], cuts[1][r + 1]);
        ranks_run(3, make_model, part, sizeof *part, 0);
        for (size_t r = 0; r < 3; ++r) {
            if (part[r].status != SOOTH_OK) printf("  %s: %s\n", recipe.model, part[r].sentence);
            const int same = part[r].boost && part[r].boost->head.size == whole.boost->head.size &&
                             !memcmp(part[r].boost, whole.boost, whole.boost->head.size);
            CHECK(part[r].status == SOOTH_OK && same);
            free(part[r].boost);
        }
        free(whole.boost);
    }
}

static void models_of_all_rows_alone_are_refused(void) {
    job whole = plain(), part[2];
    for (int what = 0; what < 4; ++what) {
        static const char *words[] = {
            "neural network cannot be fitted to rows in several processes", "different recipes",
            "rank 1 of 2: ratio_to cannot be fitted to rows in several processes", "rank 1 of 2: row 4"};
        make_rows();
        memset(&recipe, 0, sizeof recipe);
        recipe.model = what == 0 ? "mlp" : "boost";
        for (size_t r = 0; r < 2; ++r)
            part[r] = part_of(&whole, 450 * r, 450 * (r + 1)), part[r].budget = SIZE_MAX;
        float *of_one = (float *)(uintptr_t)part[1].table.y;
        if (what == 3) of_one[3] = NAN;
        divides = what == 2;
        ranks_run(2, what % 3 ? make_other_model : make_model, part, sizeof *part, 0);
        for (size_t r = 0; r < 2; ++r) {
            if (!strstr(part[r].sentence, words[what])) printf("  %s\n", part[r].sentence);
            CHECK(part[r].status != SOOTH_OK && !part[r].boost && strstr(part[r].sentence, words[what]));
        }
    }
}

/* Each allocation of one process fails once, and then the network at each reduction. */
static void no_model_of_some_processes(void) {
    static const sooth_scale_options standard = {SOOTH_SCALE_STANDARD, 0, NULL};
    job whole = plain();
    size_t failed = 0;
    make_rows();
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = x[i] <= 9.0f ? x[i] : 0.5f;
    memset(&recipe, 0, sizeof recipe);
    recipe.model = "linear";
    recipe.input = recipe.target = standard, recipe.has_input = recipe.has_target = 1;
    for (int network = 0; network < 2; ++network)
        for (size_t budget = 0;; ++budget, ++failed) {
            job part[3];
            for (size_t r = 0; r < 3; ++r)
                part[r] = part_of(&whole, 300 * r, 300 * (r + 1)),
                part[r].budget = r == 1 && !network ? budget : SIZE_MAX;
            ranks_run(3, make_model, part, sizeof *part, network ? budget + 1 : 0);
            const int made = part[0].status == SOOTH_OK;
            for (size_t r = 0; r < 3; ++r) {
                CHECK((part[r].status == SOOTH_OK) == made && (part[r].boost != NULL) == made);
                CHECK(made || part[r].status == (network ? SOOTH_CANCELLED : SOOTH_NO_MEMORY));
                free(part[r].boost);
            }
            if (made) break;
        }
    CHECK(failed >= 20);
}

static void processes_that_differ_are_told(void) {
    job whole = plain(), part[2];
    for (int what = 0; what < 4; ++what) {
        static const char *words[] = {"numbers of columns", "options", "whether rows have weights",
                                      "rank 1 of 2: row 3 has no finite target"};
        make_rows();
        whole = plain();
        for (size_t r = 0; r < 2; ++r)
            part[r] = part_of(&whole, 450 * r, 450 * (r + 1)), part[r].budget = SIZE_MAX;
        if (what == 0) part[1].table.cols = 4;
        if (what == 1) part[1].options.lambda = 2.0;
        if (what == 2) part[1].table.weight = weight;
        float *of_one = (float *)(uintptr_t)part[1].table.y;
        if (what == 3) of_one[2] = NAN;
        ranks_run(2, fit, part, sizeof *part, 0);
        for (size_t r = 0; r < 2; ++r) {
            if (!strstr(part[r].sentence, words[what])) printf("  %s\n", part[r].sentence);
            CHECK(part[r].status != SOOTH_OK && !part[r].boost && strstr(part[r].sentence, words[what]));
        }
    }
}

/* Each allocation of one process fails once: nobody waits, nobody has a model, nothing is lost. */
static void one_without_memory_ends_all(void) {
    job whole = plain();
    size_t failed = 0;
    make_rows();
    whole = plain();
    whole.options.n_estimators = 3;
    for (size_t budget = 0;; ++budget) {
        job part[3];
        for (size_t r = 0; r < 3; ++r)
            part[r] = part_of(&whole, 300 * r, 300 * (r + 1)), part[r].budget = r == 1 ? budget : SIZE_MAX;
        ranks_run(3, fit, part, sizeof *part, 0);
        const int made = part[0].status == SOOTH_OK;
        for (size_t r = 0; r < 3; ++r) {
            CHECK((part[r].status == SOOTH_OK) == made && (part[r].boost != NULL) == made);
            if (!made) CHECK(part[r].status == SOOTH_NO_MEMORY && strstr(part[r].sentence, "rank 1 of 3: "));
            free(part[r].boost);
        }
        if (made) break;
        ++failed;
    }
    CHECK(failed >= 6);
}

/* The network breaks at each reduction once: nobody has a model, nothing is lost, all say so. */
static void fit_small(sooth_env *env, found *f) {
    static const signed char monotone[COLS] = {1, 0, 0, 0, 0};
    sooth_boost_options o = {0};
    sooth_boost *boost;
    o.n_estimators = 2;
    o.max_depth = 2;
    o.bins = 3;
    o.monotone = monotone;
    o.validation = &f->table;
    o.patience = 2;
    f->status = sooth_boost_fit(env, &f->table, &o, &boost);
    keep_block(f, boost ? &boost->head : NULL);
    sooth_boost_free(env, boost);
}

static void a_network_that_breaks_ends_all(void) {
    static void (*const finders[])(sooth_env *, found *) = {
        find_tree, find_forest, find_scale, find_correlations, find_clusters, find_line, fit_small};
    static found some[2];
    make_rows();
    for (size_t i = 0; i < ROWS * COLS; ++i) x[i] = x[i] <= 9.0f ? x[i] : 0.5f;
    memset(&linear_options, 0, sizeof linear_options);
    for (size_t k = 0; k < sizeof finders / sizeof *finders; ++k) {
        uint64_t limit = 1;
        for (int made = 0; !made && limit < 1000; ++limit) {
            for (size_t r = 0; r < 2; ++r) {
                memset(&some[r], 0, offsetof(found, bytes));
                some[r].table = sooth_table_of(x + 30 * r * COLS, y + 60 * r, 30, COLS);
                if (k < 2) some[r].table.weight = weight + 4;
                some[r].find = finders[k];
            }
            ranks_run(2, find, some, sizeof *some, limit);
            made = some[0].status == SOOTH_OK;
            for (size_t r = 0; r < 2; ++r)
                CHECK(some[r].status == (made ? SOOTH_OK : SOOTH_CANCELLED) &&
                      (made || k > 2 || !some[r].size));
        }
        CHECK(limit > 5 && limit < 1000);
    }
}

/* What cannot be gathered, and what has no memory for it. */
static void gather(sooth_env *env, void *arg) {
    found *f = arg;
    size_t budget = f->shared;
    sooth_table whole;
    sooth_env alone;
    env->alloc_fn = count_down;
    env->free_fn = give_back;
    env->alloc_user = &budget;
    f->status = soothi_gather(env, &f->table, &whole, &alone);
    memcpy(f->bytes, env->sentence, sizeof env->sentence);
    if (f->status != SOOTH_OK) return;
    f->size = whole.rows;
    CHECK(!memcmp(whole.x, x, 20 * sizeof *x));
    f->status = soothi_gather_end(env, &alone, &whole, SOOTH_OK);
}

static void rows_without_targets_are_gathered_and_bins_are_not(void) {
    static found some[2];
    static const sooth_bins bins;
    for (size_t what = 0; what < 6; ++what) {
        static const char *const words[] = {
            "", "", "tables of bins", "no memory for the rows", "no memory", "no memory"};
        for (size_t r = 0; r < 2; ++r) {
            memset(&some[r], 0, offsetof(found, bytes));
            some[r].table = sooth_table_of(x + 10 * r, y + 50 * r, 10, 1);
            some[r].shared = what < 3 || r == 0 ? SIZE_MAX : what - 3;
            if (what == 0) some[r].table.y = NULL;
            if (what == 1) some[r].table.targets = 5;
            if (what == 2) some[r].table.bins = &bins;
        }
        ranks_run(2, gather, some, sizeof *some, 0);
        for (size_t r = 0; r < 2; ++r) {
            if (what < 2) CHECK(some[r].status == SOOTH_OK && some[r].size == 20);
            else CHECK(some[r].status != SOOTH_OK && strstr((const char *)some[r].bytes, words[what]));
        }
    }
}

/* ---- clusters: no labels, no memory, nobody else ---- */

typedef struct grouping {
    sooth_table table;
    size_t budget; /* allocations that succeed */
    int absent, unlabelled;
    sooth_status status;
    double centre[4 * COLS], inertia;
    uint32_t label[ROWS];
    char sentence[SOOTH_ENV_SENTENCE];
} grouping;

static void group(sooth_env *env, void *arg) {
    grouping *g = arg;
    sooth_cluster_options o = {0};
    if (g->absent) return;
    env->alloc_fn = count_down;
    env->free_fn = give_back;
    env->alloc_user = &g->budget;
    o.n_clusters = 4;
    o.n_init = 1;
    g->status =
        sooth_cluster_fit(env, &g->table, &o, g->centre, g->unlabelled ? NULL : g->label, &g->inertia);
    memcpy(g->sentence, env->sentence, sizeof g->sentence);
}

/* Two processes with half of the first `rows` rows each. */
static void halves(grouping part[2], size_t rows) {
    memset(part, 0, 2 * sizeof *part);
    for (size_t r = 0; r < 2; ++r) {
        part[r].table = sooth_table_of(valid_x + r * (rows / 2) * COLS, NULL, rows / 2, COLS);
        part[r].budget = SIZE_MAX;
    }
}

static void clusters_without_labels_are_the_same(void) {
    static grouping whole, part[2];
    sooth_env env;
    make_rows();
    sooth_env_init(&env);
    whole.table = sooth_table_of(valid_x, NULL, ROWS, COLS);
    whole.budget = SIZE_MAX;
    group(&env, &whole);
    CHECK(whole.status == SOOTH_OK);
    halves(part, ROWS);
    part[1].unlabelled = 1; /* as each process likes */
    ranks_run(2, group, part, sizeof *part, 0);
    for (size_t r = 0; r < 2; ++r) {
        CHECK(part[r].status == SOOTH_OK);
        CHECK(!memcmp(part[r].centre, whole.centre, sizeof whole.centre) && part[r].inertia == whole.inertia);
    }
    CHECK(!memcmp(part[0].label, whole.label, ROWS / 2 * sizeof *whole.label));
}

static void clusters_end_for_all_when_they_end_for_one(void) {
    static grouping part[2];
    size_t failed = 0;
    make_rows();
    for (size_t budget = 0;; ++budget) {
        halves(part, 60);
        part[1].budget = budget;
        ranks_run(2, group, part, sizeof *part, 0);
        CHECK(part[0].status == part[1].status);
        if (part[0].status != SOOTH_NO_MEMORY) break;
        for (size_t r = 0; r < 2; ++r) CHECK(strstr(part[r].sentence, "rank 1 of 2: no memory for"));
        ++failed;
    }
    CHECK(part[0].status == SOOTH_OK && failed == 5); /* rows, words, own ones; labels; the run of k-means */
    halves(part, 60);
    part[1].table.cols = 4;
    ranks_run(2, group, part, sizeof *part, 0);
    for (size_t r = 0; r < 2; ++r)
        CHECK(part[r].status == SOOTH_BAD_ARGUMENT && strstr(part[r].sentence, "numbers of columns"));
    halves(part, 60);
    part[1].absent = 1;
    ranks_run(2, group, part, sizeof *part, 0);
    CHECK(part[0].status == SOOTH_CANCELLED && strstr(part[0].sentence, "rank 0 of 2 lost the others"));
}

/* ---- how often the others are asked, and for how much ---- */

typedef struct asked {
    job job;
    uint64_t calls, bytes;
    uint64_t fails_at; /* this reduction fails, the next one would not; 0: none does */
    void *next;        /* who reduces */
} asked;

static int ask(void *user, sooth_reduction what, int64_t *value, size_t count) {
    asked *a = user;
    a->bytes += count * sizeof *value;
    if (++a->calls != a->fails_at) return ranks_reduce(a->next, what, value, count);
    memset(value, 0x5A, count * sizeof *value); /* what a failure leaves may be anything */
    return 1;
}

static void ask_and_fit(sooth_env *env, void *arg) {
    asked *a = arg;
    a->next = env->reduce_user;
    env->reduce_user = a;
    env->reduce_fn = ask;
    fit(env, &a->job);
    free(a->job.boost);
}

/* What each process asks for one round, and before the first: of six rounds what two do not, by four. */
static asked of_a_round(job whole, size_t ranks, const size_t *cut, asked *before) {
    asked some[2][RANKS_MOST], round;
    whole.budget = SIZE_MAX;
    for (size_t k = 0; k < 2; ++k) {
        whole.options.n_estimators = k ? 6 : 2;
        for (size_t r = 0; r < ranks; ++r) {
            memset(&some[k][r], 0, sizeof some[k][r]);
            some[k][r].job = part_of(&whole, cut[r], cut[r + 1]);
        }
        ranks_run(ranks, ask_and_fit, some[k], sizeof **some, 0);
        CHECK(some[k][0].job.status == SOOTH_OK);
        for (size_t r = 1; r < ranks; ++r)
            CHECK(some[k][r].calls == some[k][0].calls && some[k][r].bytes == some[k][0].bytes);
    }
    memset(&round, 0, sizeof round);
    round.calls = (some[1][0].calls - some[0][0].calls) / 4;
    round.bytes = (some[1][0].bytes - some[0][0].bytes) / 4;
    *before = some[0][0];
    before->calls -= 2 * round.calls;
    before->bytes -= 2 * round.bytes;
    return round;
}

/* A reduction for the root and for each level but the last, which has leaves, and one of three words: does
   anyone fail, the greatest derivatives. A histogram of the root and of the smaller child of each split above
   the last level, of the cells that rows can be in: here columns of 20 bins and missing values, but for one
   of 5 values. (Once each histogram was sent by itself, and all columns were as large as the largest.) */
static void a_level_of_a_tree_asks_once(void) {
    const uint64_t cells = 4 * 21 + 6;
    asked before;
    make_rows();
    for (size_t c = 0; c < 3; ++c)
        for (uint32_t depth = 1; depth <= 5; ++depth) {
            job j = plain();
            j.options.max_depth = depth;
            const asked round = of_a_round(j, c == 2 ? 8 : 2 + c, cuts[c], &before);
            CHECK(round.calls == depth + 1);
            CHECK(round.bytes == 24 + (8 * cells << (depth - 1)));
        }
    job j = plain();
    j.table.y = binary;
    j.options.loss = SOOTH_BOOST_LOGISTIC; /* second derivatives go with the first ones */
    j.options.max_depth = 3;
    j.options.min_child_weight = 1e-9;
    CHECK(of_a_round(j, 3, cuts[1], &before).calls == 4);
    j = plain(), j.table.y = y, j.table.targets = 2;
    CHECK(of_a_round(j, 3, cuts[1], &before).calls == 2 * 5);
    j = plain(), j.options.grow_policy = SOOTH_BOOST_SYMMETRIC;
    CHECK(of_a_round(j, 3, cuts[1], &before).calls == 5);
    j = plain(), j.options.grow_policy = SOOTH_BOOST_LOSSGUIDE, j.options.max_leaves = 9;
    CHECK(of_a_round(j, 3, cuts[1], &before).calls <= 1 + 9);
    j = plain(), j.options.colsample_bytree = 0.4; /* columns that were not drawn stay at home */
    CHECK(of_a_round(j, 3, cuts[1], &before).bytes <= 24 + 8 * 8 * 2 * 21);
    /* a validation table: rows, does anyone fail, the sums of blocks; of one block, which is handed on */
    j = plain(), j.valid = sooth_table_of(valid_x, valid_y, ROWS, COLS), j.options.patience = 99;
    CHECK(of_a_round(j, 3, cuts[1], &before).calls == 5 + 3 + 2);
    j = plain(), j.options.bins = 256;
    of_a_round(j, 2, cuts[0], &before);
    CHECK(before.calls < 40 && before.bytes < COLS * 256 * 1024); /* once 1,301 and 2.1 MB a column */
}

/* Each reduction fails once, in all processes or in one alone: no model comes of the sums of some. */
static void a_reduction_that_fails_once_ends_all(void) {
    make_rows();
    for (uint32_t way = 0; way < 3; ++way)
        for (int alone = 0; alone < 2; ++alone)
            for (uint64_t at = 0, all = 0; at <= all; ++at) { /* 0: it does not fail */
                asked part[3];
                job whole = plain();
                whole.options.n_estimators = 2;
                whole.options.grow_policy = way;
                whole.options.max_leaves = way == SOOTH_BOOST_LOSSGUIDE ? 6 : 0;
                for (size_t r = 0; r < 3; ++r) {
                    memset(&part[r], 0, sizeof part[r]);
                    part[r].job = part_of(&whole, 300 * r, 300 * (r + 1));
                    part[r].job.budget = SIZE_MAX;
                    part[r].fails_at = !alone || r == 1 ? at : 0;
                }
                ranks_run(3, ask_and_fit, part, sizeof *part, 0);
                if (at == 0) all = part[0].calls;
                CHECK(all > 30);
                for (size_t r = 0; r < 3; ++r) {
                    const job *j = &part[r].job;
                    CHECK(j->status == (at ? SOOTH_CANCELLED : SOOTH_OK));
                    CHECK(!at || (!j->boost && strstr(j->sentence, " of 3 lost the others")));
                }
            }
}

/* The host of one process wishes to stop, in any round. */
static int stop_at(void *user, const char *stage, double done) {
    (void)stage;
    return done >= *(const double *)user;
}
typedef struct stopping {
    job job;
    double at;
} stopping;
static void fit_until(sooth_env *env, void *arg) {
    stopping *s = arg;
    env->progress_fn = stop_at;
    env->progress_user = &s->at;
    fit(env, &s->job);
}
static void one_that_stops_ends_all(void) {
    make_rows();
    for (size_t round = 0; round < 6; ++round) {
        stopping part[3];
        const job whole = plain();
        for (size_t r = 0; r < 3; ++r) {
            part[r].job = part_of(&whole, 300 * r, 300 * (r + 1));
            part[r].job.budget = SIZE_MAX;
            part[r].at = r == 2 ? (double)round / 6.0 : 2.0;
        }
        ranks_run(3, fit_until, part, sizeof *part, 0);
        for (size_t r = 0; r < 3; ++r)
            CHECK(part[r].job.status == SOOTH_CANCELLED && !part[r].job.boost &&
                  strstr(part[r].job.sentence, "rank 2 of 3: "));
    }
}

/* ---- the bins of columns, cut together ---- */

typedef struct binning {
    sooth_table table;
    uint32_t bins;
    soothi_columns columns;
    unsigned char *memory;
    uint64_t calls;
    void *next;
    sooth_status status;
} binning;

static int ask_for_bins(void *user, sooth_reduction what, int64_t *value, size_t count) {
    binning *b = user;
    ++b->calls;
    return ranks_reduce(b->next, what, value, count);
}

static void cut_columns(sooth_env *env, void *arg) {
    binning *b = arg;
    size_t entries = 0;
    for (size_t i = 0; i < b->table.rows; ++i) entries += !b->table.weight || b->table.weight[i] > 0.0f;
    soothi_columns *c = &b->columns;
    *c = soothi_columns_of(b->table.rows, entries, b->table.cols, b->bins);
    soothi_carver m = {NULL, 0};
    for (size_t pass = 0; pass < 2; ++pass) {
        m.used = 0;
        soothi_columns_layout(&m, c, 1);
        c->least = (float *)soothi_carve(&m, c->cols * c->bins, sizeof(float));
        if (pass == 0) b->memory = m.memory = calloc(m.used + 1, 1);
    }
    b->next = env->reduce_user;
    if (env->reduce_fn) env->reduce_user = b, env->reduce_fn = ask_for_bins;
    b->status = env->reduce_fn ? soothi_shards_prepare(env, env->workers, c, &b->table)
                               : soothi_columns_make(env, 1, c, &b->table);
}

/* Bins of three processes are those of one; returns the reductions that it took. */
static uint64_t same_bins(const sooth_table *table, uint32_t bins, size_t first, size_t second) {
    const size_t cut[] = {0, first, second, table->rows};
    static binning one, some[3];
    sooth_env env;
    sooth_env_init(&env);
    memset(&one, 0, sizeof one);
    one.table = *table;
    one.bins = bins;
    cut_columns(&env, &one);
    for (size_t r = 0; r < 3; ++r) {
        memset(&some[r], 0, sizeof some[r]);
        some[r].table = *table;
        some[r].table.rows = cut[r + 1] - cut[r];
        some[r].table.x += cut[r] * table->stride;
        if (table->weight) some[r].table.weight += cut[r];
        some[r].bins = bins;
    }
    ranks_run(3, cut_columns, some, sizeof *some, 0);
    for (size_t r = 0; r < 3; ++r) {
        const soothi_columns *a = &one.columns, *b = &some[r].columns;
        int same = some[r].status == SOOTH_OK && !memcmp(a->used, b->used, a->cols * sizeof *a->used);
        for (size_t j = 0; j < a->cols && same; ++j) {
            const size_t at = j * bins, size = a->used[j] * sizeof *a->edge;
            same = !memcmp(a->edge + at, b->edge + at, size) && !memcmp(a->least + at, b->least + at, size) &&
                   !memcmp(a->bin + j * a->rows + cut[r], b->bin + j * b->rows, b->rows);
        }
        CHECK(same);
        free(some[r].memory);
    }
    free(one.memory);
    return some[0].calls;
}

static void bins_of_any_values_are_those_of_one_process(void) {
    enum { N = 6000, D = 12 };
    static float values[N * D], heavy[N];
    static const uint32_t bins[] = {2, 3, 7, 20, 100, 255, 256};
    sooth_rng rng;
    sooth_rng_init(&rng, 17, 0);
    for (size_t i = 0; i < N; ++i) {
        float *row = values + i * D;
        const float u = sooth_rng_float(&rng);
        const double z = sooth_rng_normal(&rng);
        row[0] = u;
        row[1] = (float)z * 1e30f;
        row[2] = (float)(int)(u * 1000.0f);
        row[3] = (float)(int)(u * u * u * 3000.0f);
        row[4] = (float)(int)(u * 258.0f);
        row[5] = (float)(int)(10.0 * z) / 7.0f;
        row[6] = u < 0.7f ? 0.0f : u < 0.8f ? -0.0f : u;
        row[7] = i < 100 ? NAN : (float)(int)(300.0f * u);
        row[8] = i == 5000 ? 1.0f : NAN;
        row[9] = u < 0.1f ? -FLT_MAX : u > 0.9f ? FLT_MAX : (float)z;
        row[10] = NAN;
        row[11] = 3.0f;
        heavy[i] = (float)sooth_rng_below(&rng, 3);
    }
    for (size_t k = 0; k < sizeof bins / sizeof *bins; ++k) {
        sooth_table table = sooth_table_of(values, NULL, N, D);
        same_bins(&table, bins[k], 2000, 4000);
        same_bins(&table, bins[k], 1, 5999);
        table.weight = heavy;
        same_bins(&table, bins[k], 17, 3000);
        table = sooth_table_of(values, NULL, N, 1);
        table.stride = D;
        CHECK(same_bins(&table, bins[k], 2000, 4000) ==
              11); /* memory; how many; 8 digits; keys behind cuts */
    }
}

/* Columns for which there is no room at once. */
static void many_columns_are_cut_in_groups(void) {
    enum { N = 40, D = 500 };
    static float wide[N * D];
    sooth_rng rng;
    sooth_rng_init(&rng, 3, 0);
    for (size_t i = 0; i < N * D; ++i) wide[i] = sooth_rng_float(&rng);
    const sooth_table table = sooth_table_of(wide, NULL, N, D);
    CHECK(same_bins(&table, 256, 13, 14) == 1 + 2 * 10); /* memory; two groups */
}

int main(void) {
    CHECK_RUN(every_way_of_growing_gives_the_bytes_of_one);
    CHECK_RUN(every_loss_without_medians_gives_the_bytes_of_one);
    CHECK_RUN(every_method_without_medians_gives_the_coefficients_of_one);
    CHECK_RUN(more_rows_than_a_block_have_the_coefficients_of_one);
    CHECK_RUN(whatever_needs_all_rows_gets_them);
    CHECK_RUN(what_needs_all_rows_at_once_is_refused);
    CHECK_RUN(sketches_are_those_of_one_process);
    CHECK_RUN(models_with_cards_are_those_of_one_process);
    CHECK_RUN(models_of_all_rows_alone_are_refused);
    CHECK_RUN(no_model_of_some_processes);
    CHECK_RUN(processes_that_differ_are_told);
    CHECK_RUN(one_without_memory_ends_all);
    CHECK_RUN(a_network_that_breaks_ends_all);
    CHECK_RUN(a_level_of_a_tree_asks_once);
    CHECK_RUN(a_reduction_that_fails_once_ends_all);
    CHECK_RUN(one_that_stops_ends_all);
    CHECK_RUN(bins_of_any_values_are_those_of_one_process);
    CHECK_RUN(many_columns_are_cut_in_groups);
    CHECK_RUN(rows_without_targets_are_gathered_and_bins_are_not);
    CHECK_RUN(clusters_without_labels_are_the_same);
    CHECK_RUN(clusters_end_for_all_when_they_end_for_one);
    return check_end("ranks");
}
