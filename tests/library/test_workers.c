/* test_workers.c - whatever shares its work out gives the same bytes with 1, 2, 3 and 7 workers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Every public function that uses the env's workers is called here, and every task that any of them shares
 * out is seen to be shared; tests/build/style.sh says which one is missing. The gate runs this under
 * ThreadSanitizer.
 */
#define SOOTH_API extern /* all of it here, not in an object: tasks are told apart by their addresses */
#define SOOTH_IMPLEMENTATION
#include "sooth/boost.h"
#include "sooth/stats/cluster.h"
#include "sooth/stats/correlate.h"
#include "sooth/csv.h"
#include "sooth/explain.h"
#include "sooth/train.h"
#include "sooth/forest.h"
#include "sooth/gaussian_process.h"
#include "../../examples/gpu/settings.h"
#include "sooth/mlp.h"
#include "sooth/slowdown.h"
#include "sooth/svr.h"
#include "sooth/threads.h"
#include "sooth/tree.h"
#include "sooth/train.h"

#include "check.h"
#include "recipes.h"

/* Just beyond the rows and numbers below which one worker does everything (65,536). */
enum { ROWS = 66000, COLS = 3, MIDDLE = 23000, FEW = 300 };
static float x[ROWS * COLS], y[ROWS], y2[ROWS * 2], weight[ROWS];
static sooth_env env;

/* A view of the first rows of one table of steps and slopes, with missing values. */
static sooth_table table_of(size_t rows) {
    sooth_table table = sooth_table_of(x, y, rows, COLS);
    return table;
}

static void make_numbers(void) {
    sooth_rng rng;
    sooth_rng_init(&rng, 11, 0);
    for (size_t i = 0; i < ROWS; ++i) {
        float *row = x + i * COLS;
        for (size_t j = 0; j < COLS; ++j) row[j] = sooth_rng_float(&rng);
        y[i] = 1.0f + 3.0f * row[0] + (row[1] > 0.3f ? 2.0f : 0.0f) * row[2] + 0.1f * sooth_rng_float(&rng);
        if (sooth_rng_below(&rng, 50) == 0) row[1] = NAN;
        y2[2 * i] = y[i];
        y2[2 * i + 1] = row[2] * row[2];
        weight[i] = 0.5f + sooth_rng_float(&rng);
    }
}

/* ---- the bytes that a call gives ---- */

enum { MOST = 1 << 26 };
static unsigned char *answer[2]; /* with one worker, and with several */
static size_t answered;
static int several; /* which of the two is being written */

static void keep(const void *bytes, size_t size) {
    CHECK(answered + size <= MOST);
    if (answered + size > MOST) return;
    memcpy(answer[several] + answered, bytes, size);
    answered += size;
}
static void keep_and_free(sooth_status status, sooth_block *block) {
    if (status != SOOTH_OK) printf("  %s\n", env.sentence);
    CHECK(status == SOOTH_OK && block);
    if (block) keep(block, block->size);
    soothi_block_free(&env, block);
}

/* ---- the loop: the pool's, which notes what it shares out ---- */

#define TASKS(X)                      \
    X(soothi_tiles_below)             \
    X(soothi_tiles_panel)             \
    X(soothi_tiles_update)            \
    X(soothi_boost_add_task)          \
    X(soothi_boost_derive_task)       \
    X(soothi_boost_leaf_task)         \
    X(soothi_boost_open_task)         \
    X(soothi_best_task)               \
    X(soothi_calibrate_task)          \
    X(soothi_cluster_silhouette_row)  \
    X(soothi_columns_enter_task)      \
    X(soothi_columns_finish_task)     \
    X(soothi_columns_look_task)       \
    X(soothi_columns_move_task)       \
    X(soothi_columns_prepare_task)    \
    X(soothi_columns_sort_task)       \
    X(soothi_columns_turn_task)       \
    X(soothi_correlate_line)          \
    X(soothi_correlate_prepare)       \
    X(soothi_correlate_target)        \
    X(soothi_explain_task)            \
    X(soothi_forest_task)             \
    X(soothi_gauss_add_chunk)         \
    X(soothi_gauss_columns)           \
    X(soothi_gauss_fill)              \
    X(soothi_gauss_slopes)            \
    X(soothi_grow_begin_task)         \
    X(soothi_symmetric_complete_task) \
    X(soothi_grow_count_task)         \
    X(soothi_grow_family_task)        \
    X(soothi_histogram_fill_task)     \
    X(soothi_symmetric_task)          \
    X(soothi_boost_word_task)         \
    X(soothi_grow_part_task)          \
    X(soothi_grow_partition_task)     \
    X(soothi_grow_place_task)         \
    X(soothi_grow_search_task)        \
    X(soothi_grow_small_task)         \
    X(soothi_leaves_task)             \
    X(soothi_model_many_task)         \
    X(soothi_mlp_rows_task)           \
    X(soothi_mlp_step_task)           \
    X(soothi_mlp_weights_task)        \
    X(soothi_shards_bin_task)         \
    X(soothi_shards_sort_task)        \
    X(soothi_svr_descend_task)        \
    X(soothi_svr_partner_task)        \
    X(soothi_svr_pursue_task)         \
    X(soothi_svr_slopes_task)         \
    X(soothi_blocks_bin_task)         \
    X(soothi_blocks_sketch_task)      \
    X(soothi_passes_clear_task)       \
    X(soothi_passes_join_task)        \
    X(soothi_passes_task)             \
    X(soothi_csv_piece_task)          \
    X(soothi_csv_scan_task)           \
    X(soothi_tune_task)

typedef struct known_task {
    sooth_task *task;
    const char *name;
    size_t shared; /* loops of at least two tasks */
} known_task;
#define ENTRY(task) {task, #task, 0},
static known_task known[] = {TASKS(ENTRY)};
enum { KNOWN = sizeof known / sizeof known[0] };

typedef void loop_function(void *user, size_t count, sooth_task *task, void *arg);
static loop_function *pool_loop;

static void noting_loop(void *pool, size_t count, sooth_task *task, void *arg) {
    size_t k = 0;
    while (k < KNOWN && known[k].task != task) ++k;
    CHECK(k < KNOWN && count > 1);
    if (k < KNOWN) ++known[k].shared;
    pool_loop(pool, count, task, arg);
}

static void call_with(size_t workers, void (*call)(void)) {
    static sooth_threads pool;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, workers), SOOTH_OK);
    pool_loop = env.parallel_fn;
    env.parallel_fn = noting_loop;
    several = workers > 1;
    answered = 0;
    call();
    sooth_threads_stop(&pool);
}

/* The call gives the same bytes with any number of workers, and some at all. */
static void compare(void (*call)(void)) {
    static const size_t counts[] = {2, 3, 7};
    call_with(1, call);
    const size_t alone = answered;
    CHECK(alone > 0);
    for (size_t k = 0; k < 3; ++k) {
        call_with(counts[k], call);
        CHECK(answered == alone && memcmp(answer[0], answer[1], alone) == 0);
    }
}

/* ---- trees ---- */

static void fit_tree(const sooth_table *table, const sooth_tree_options *o) {
    sooth_tree *tree = NULL;
    sooth_status status = sooth_tree_fit(&env, table, o, &tree);
    keep_and_free(status, tree ? &tree->head : NULL);
}

static void trees(void) {
    const sooth_table table = table_of(MIDDLE);
    sooth_tree_options o = {0};
    o.max_depth = 3;
    fit_tree(&table, &o);
    o.bins = 32;
    fit_tree(&table, &o);
    o.linear_leaves = 1;
    fit_tree(&table, &o);
}

static void more_trees(void) {
    for (uint32_t form = 0; form < 32; form += 3) {
        const uint32_t criterion = form % 5;
        sooth_table table = table_of(MIDDLE);
        sooth_tree_options o = {0};
        o.criterion = criterion;
        o.max_depth = 4;
        if (form & 1) o.bins = 64;
        if (form & 2) o.max_features = 2;
        if (form & 4) o.max_leaves = 9;
        if (form & 8) table.weight = weight;
        if (form & 16) {
            table.y = y2;
            table.targets = 2;
        }
        if (criterion == SOOTH_TREE_ABSOLUTE || criterion == SOOTH_TREE_RELATIVE) o.floor = 1.0;
        fit_tree(&table, &o);
    }
}

/* ---- forests ---- */

static void fit_forest(const sooth_table *table, const sooth_forest_options *o) {
    sooth_forest *forest = NULL, *larger = NULL;
    CHECK_STATUS(sooth_forest_fit(&env, table, o, &forest), SOOTH_OK);
    if (forest) {
        sooth_status status = sooth_forest_resume(&env, forest, table, o, &larger);
        keep_and_free(status, larger ? &larger->head : NULL);
        keep(forest, forest->head.size);
    }
    sooth_forest_free(&env, forest);
}

static void forests(void) {
    const sooth_table table = table_of(FEW);
    sooth_forest_options o = {0};
    o.n_estimators = 9;
    fit_forest(&table, &o);
}

/* The forest within settings.h, of runs whose other values are the knobs. */
static void settings(void) {
    const sooth_table table = table_of(FEW);
    static float time[FEW], told[FEW], x[FEW * 2];
    static uint32_t tried[FEW], next[4];
    settings_known known = {0};
    size_t count = 4;
    for (uint32_t i = 0; i < FEW; ++i) {
        x[2 * i] = (float)(i / 16);
        x[2 * i + 1] = (float)(i % 16);
        tried[i] = i * 7 % FEW;
        time[i] = 1.0f + 0.1f * table.y[i] * table.y[i];
    }
    const sooth_table space = sooth_table_of(x, NULL, FEW, 2);
    known.space = &space;
    known.tried = tried;
    known.time = time;
    known.runs = FEW / 4;
    CHECK_STATUS(settings_fill(&env, &known, told), SOOTH_OK);
    keep(told, sizeof told);
    known.prior = told;
    known.others = 1;
    CHECK_STATUS(settings_next(&env, &known, next, &count), SOOTH_OK);
    keep(next, count * sizeof *next);
}

static void more_forests(void) {
    for (uint32_t form = 0; form < 16; ++form) {
        sooth_table table = table_of(5 * FEW);
        sooth_forest_options o = {0};
        o.n_estimators = 9;
        o.max_features = form & 1 ? 2 : 0;
        o.bins = form & 2 && !(form & 4) ? 32 : 0; /* random thresholds take no bins */
        o.splitter = form & 4 ? SOOTH_FOREST_RANDOM : SOOTH_FOREST_BEST;
        if (form & 8) {
            table.weight = weight;
            table.y = y2;
            table.targets = 2;
        } else {
            o.keep_rows = 1;
        }
        fit_forest(&table, &o);
    }
}

/* ---- boosting ---- */

static void fit_boost(const sooth_table *table, const sooth_boost_options *o) {
    sooth_boost *boost = NULL, *larger = NULL;
    CHECK_STATUS(sooth_boost_fit(&env, table, o, &boost), SOOTH_OK);
    if (boost) {
        sooth_status status = sooth_boost_resume(&env, boost, table, o, &larger);
        keep_and_free(status, larger ? &larger->head : NULL);
        larger = NULL;
        if (!env.reduce_fn) {
            status = sooth_boost_refit(&env, boost, table, o, 0.5, &larger);
            keep_and_free(status, larger ? &larger->head : NULL);
        }
        keep(boost, boost->head.size);
    }
    sooth_boost_free(&env, boost);
}

static void boosting(void) {
    sooth_table table = table_of(ROWS);
    sooth_boost_options o = {0};
    o.n_estimators = 1;
    o.max_depth = 2;
    o.bins = 16;
    CHECK_STATUS(sooth_boost_check_options(&env, &table, &o), SOOTH_OK);
    fit_boost(&table, &o);
    o.grow_policy = SOOTH_BOOST_SYMMETRIC;
    fit_boost(&table, &o);
    table = sooth_table_of(x, y, FEW, 2 * FEW); /* wide */
    o.grow_policy = SOOTH_BOOST_DEPTHWISE;
    fit_boost(&table, &o);
    table = table_of(MIDDLE);
    o.method = SOOTH_BOOST_EXACT;
    fit_boost(&table, &o);
}

/* Of two processes the other one has no rows. */
static int nothing_elsewhere(void *user, sooth_reduction what, int64_t *value, size_t count) {
    (void)user, (void)what, (void)value, (void)count;
    return 0;
}

static void boosting_in_company(void) {
    sooth_table table = table_of(ROWS);
    sooth_boost_options o = {0};
    env.reduce_fn = nothing_elsewhere;
    env.ranks = 2;
    o.n_estimators = 1;
    o.max_depth = 2;
    o.bins = 16;
    fit_boost(&table, &o);
    env.reduce_fn = NULL;
}

static void boosting_with_a_report(void) {
    const sooth_table table = table_of(MIDDLE);
    sooth_boost_options o = {0};
    sooth_boost_report report;
    sooth_boost *boost = NULL;
    o.n_estimators = 3;
    o.max_depth = 2;
    o.patience = 1;
    memset(&report, 0, sizeof report); /* padding, too */
    sooth_status status = sooth_boost_fit_report(&env, &table, &o, &boost, &report);
    keep(&report, sizeof report);
    keep_and_free(status, boost ? &boost->head : NULL);
}

static void boosting_of_quantiles(void) {
    const sooth_table table = table_of(MIDDLE);
    sooth_boost_options o = {0};
    sooth_boost *boost = NULL;
    o.n_estimators = 2;
    o.max_depth = 2;
    o.quantiles[0] = 0.1, o.quantiles[1] = 0.5, o.quantiles[2] = 0.9;
    sooth_status status = sooth_boost_fit(&env, &table, &o, &boost);
    keep_and_free(status, boost ? &boost->head : NULL);
}

static void more_boosting(void) {
    static float classes[MIDDLE];
    for (size_t i = 0; i < MIDDLE; ++i) classes[i] = y[i] > 3.0f;
    for (uint32_t form = 0; form < 24; form += 3) {
        sooth_table table = table_of(MIDDLE);
        sooth_boost_options o = {0};
        o.n_estimators = 3;
        o.max_depth = 4;
        o.loss = form == 21 ? (uint32_t)SOOTH_BOOST_LOGISTIC : form % 7;
        if (o.loss == SOOTH_BOOST_LOGISTIC) table.y = classes;
        o.floor = o.loss == SOOTH_BOOST_RELATIVE ? 1.0 : 0.0;
        o.method = form % 2 ? SOOTH_BOOST_EXACT : SOOTH_BOOST_HISTOGRAM;
        o.grow_policy = o.method == SOOTH_BOOST_EXACT ? 0 : form / 2 % 3;
        o.subsample = form & 4 ? 0.7 : 1.0;
        if (form & 8) o.colsample_bynode = 0.7;
        if (form & 16) table.weight = weight;
        fit_boost(&table, &o);
    }
}

/* ---- whatever else ---- */

/* Columns of categories, with more levels than classes. */
static void categories(void) {
    static const uint8_t categorical[COLS] = {1, 1, 0};
    static float codes[MIDDLE * COLS];
    sooth_table table = table_of(MIDDLE);
    sooth_boost_options o = {0};
    sooth_forest_options f = {0};
    for (size_t i = 0; i < MIDDLE * COLS; i += COLS) {
        codes[i] = floorf(20.0f * x[i]);
        codes[i + 1] = floorf(900.0f * x[i + 1]);
        codes[i + 2] = x[i + 2];
    }
    table.x = codes;
    table.categorical = categorical;
    o.n_estimators = 2;
    o.max_depth = 4;
    fit_boost(&table, &o);
    o.method = SOOTH_BOOST_EXACT;
    fit_boost(&table, &o);
    table.rows = 5 * FEW;
    f.n_estimators = 5;
    for (uint32_t criterion = 0; criterion < 2; ++criterion) {
        f.criterion = criterion;
        f.bins = 64 * criterion;
        fit_forest(&table, &f);
    }
    table.rows = MIDDLE; /* so many that workers share the columns of a node */
    for (uint32_t bins = 0; bins <= 64; bins += 64) {
        const sooth_tree_options t = {.max_depth = 6, .bins = bins};
        fit_tree(&table, &t);
    }
}

static void silhouettes(void) {
    sooth_table table = table_of(FEW);
    static float full[FEW * COLS]; /* distances want every value */
    static uint32_t label[FEW];
    static double each[FEW];
    double mean = 0.0;
    for (size_t i = 0; i < FEW * COLS; ++i) full[i] = x[i] <= 1.0f ? x[i] : 0.5f;
    for (size_t i = 0; i < FEW; ++i) label[i] = (uint32_t)(i % 3);
    table.x = full;
    CHECK_STATUS(sooth_cluster_silhouette(&env, &table, label, 3, each, &mean), SOOTH_OK);
    keep(each, sizeof each);
    keep(&mean, sizeof mean);
}

static void correlations(void) {
    const sooth_table table = table_of(FEW);
    for (uint32_t kind = 0; kind < SOOTH_CORRELATE_KINDS; ++kind) {
        double r[COLS * COLS], p[COLS * COLS];
        sooth_correlation rank[COLS];
        memset(rank, 0, sizeof rank); /* padding, too */
        CHECK_STATUS(sooth_correlate_matrix(&env, &table, (sooth_correlate_kind)kind, r, p), SOOTH_OK);
        CHECK_STATUS(sooth_correlate_rank(&env, &table, 0, (sooth_correlate_kind)kind, rank), SOOTH_OK);
        keep(r, sizeof r);
        keep(p, sizeof p);
        for (size_t j = 0; j < COLS; ++j) keep(&rank[j].r, sizeof(double));
        for (size_t j = 0; j < COLS; ++j) keep(&rank[j].column, sizeof rank[j].column);
    }
}

static void explanations(void) {
    sooth_table table = table_of(FEW), background = table_of(20);
    static double phi[FEW * COLS * COLS];
    double expected = 0.0;
    sooth_forest *forest = NULL;
    sooth_forest_options o = {0};
    o.n_estimators = 4;
    o.max_depth = 3;
    CHECK_STATUS(sooth_forest_fit(NULL, &table, &o, &forest), SOOTH_OK);
    if (!forest) return;
    const sooth_explain_trees view = sooth_explain_ensemble(forest);
    CHECK_STATUS(sooth_explain_shap(&env, &view, &table, phi, &expected), SOOTH_OK);
    keep(phi, FEW * COLS * sizeof(double));
    table.rows = FEW / 5;
    CHECK_STATUS(sooth_explain_shap_against(&env, &view, &table, &background, phi, &expected), SOOTH_OK);
    keep(phi, table.rows * COLS * sizeof(double));
    CHECK_STATUS(sooth_explain_interactions(&env, &view, &table, phi, &expected), SOOTH_OK);
    keep(phi, table.rows * COLS * COLS * sizeof(double));
    keep(&expected, sizeof expected);
    sooth_forest_free(NULL, forest);
}

/* All rows, and inducing points; the targets of the table have no missing values, but its columns do. */
static void gaussians(void) {
    enum { N = 200 }; /* four blocks of 64 */
    static float whole[N * COLS];
    sooth_table table = sooth_table_of(whole, y, N, COLS);
    sooth_gauss_options o = {0};
    sooth_gauss_parameters law;
    for (size_t i = 0; i < N * COLS; ++i) whole[i] = isnan(x[i]) ? 0.5f : x[i];
    o.starts = 1;
    o.max_iter = 4;
    o.lengths = SOOTH_GAUSS_EACH;
    CHECK_STATUS(sooth_gauss_fit_parameters(&env, &table, &o, &law), SOOTH_OK);
    keep(&law, sizeof law);
    o.parameters = &law;
    for (uint32_t sparse = 0; sparse < 2; ++sparse) {
        sooth_gauss *model = NULL;
        if (sparse) o.max_points = o.inducing = N / 2;
        const sooth_status status = sooth_gauss_fit(&env, &table, &o, &model);
        keep_and_free(status, model ? &model->head : NULL);
    }
}

/* The numbers of the table, where none is missing. */
enum { SOME = 2400 };
static sooth_table whole_table(size_t rows) {
    static float whole[SOME * COLS];
    sooth_table table = sooth_table_of(whole, y, rows, COLS);
    for (size_t i = 0; i < SOME * COLS; ++i) whole[i] = x[i] <= 1.0f ? x[i] : 0.5f;
    return table;
}

static float product_of(void *user, const float *a, const float *b, size_t features) {
    float sum = 0.0f;
    (void)user;
    for (size_t j = 0; j < features; ++j) sum += a[j] * b[j];
    return sum;
}

/* Steps from a point that is far from the best, then some more: every kernel, one or two systems, weights,
   and a cache that forgets. */
static void support_vectors(void) {
    static double beta[SOME];
    for (unsigned form = 0; form < SOOTH_SVR_KERNELS; ++form) {
        sooth_table table = whole_table(SOME - form);
        sooth_svr_options o = {0};
        sooth_svr_report report;
        sooth_svr *model = NULL;
        if (form & 2u) table.weight = weight;
        o.kernel = form;
        o.kernel_fn = product_of;
        o.method = form & 1u ? SOOTH_SVR_NU : SOOTH_SVR_EPSILON;
        o.cache_size = form & 4u ? 1e-6 : 0.0; /* four rows */
        o.max_iter = 20;
        o.warm_start = beta;
        memset(beta, 0, sizeof beta);
        for (size_t i = 0; i < 2304; i += 16) beta[i] = i & 16u ? 0.25 : -0.25;
        for (unsigned time = 0; time < 2; ++time) {
            o.max_vectors = time && form == 0 ? 90 : 0;
            CHECK_STATUS(sooth_svr_fit_report(&env, &table, &o, &model, &report, beta), SOOTH_NOT_CONVERGED);
            keep_and_free(SOOTH_OK, model ? &model->head : NULL);
            keep(beta, table.rows * sizeof *beta);
            keep(&report.gap, sizeof report.gap);
        }
    }
}

/* To the end, with positions set aside and taken back. */
static void more_support_vectors(void) {
    const sooth_table table = whole_table(SOME);
    sooth_svr_options o = {0};
    sooth_svr *model = NULL;
    o.tolerance = 0.1;
    const sooth_status status = sooth_svr_fit(&env, &table, &o, &model);
    keep_and_free(status, model ? &model->head : NULL);
}

/* Every optimiser, with rows of several panels in a batch and a last one that is cut short; one output and
   several, dropout, roots, penalties, rows held out. */
static void networks(void) {
    for (unsigned form = 0; form < 8; ++form) {
        sooth_table table = whole_table(301);
        sooth_mlp_options o = {0};
        sooth_mlp *model = NULL;
        o.hidden_1 = o.hidden_2 = 36;
        o.epochs = 2;
        o.batch_size = form & 4u ? 256 : 130;
        o.optimiser = form % 4;
        o.activation = form % 6;
        o.root = form & 1u;
        o.dropout = form & 4u ? 0.2 : 0.0;
        o.lambda = form & 2u ? 0.1 : 0.0;
        o.clip = form & 2u ? 1.0 : 0.0;
        o.validation_fraction = form == 3 || form == 5 ? 0.3 : 0.0;
        if (form & 1u) table.weight = weight;
        if (form & 2u) table.y = y2, table.targets = 2;
        const sooth_status status = sooth_mlp_fit(&env, &table, &o, &model);
        keep_and_free(status, model ? &model->head : NULL);
    }
}

/* Batches of one panel, of which two workers take a half each; wide outputs. The step is taken with the
   gradient, after penalties, or behind it where it may be cut; activations that are functions, an odd number
   of neurons. */
static void wide_networks(void) {
    sooth_table table = whole_table(75);
    sooth_mlp_options o = {0};
    sooth_mlp *model = NULL;
    double loss = 0.0;
    static float targets[75 * 6];
    for (size_t i = 0; i < 75 * 6; ++i) targets[i] = x[i] <= 1.0f ? x[i] : 0.5f;
    table.y = targets;
    table.targets = 6;
    o.hidden_1 = 70;
    o.hidden_2 = 60;
    o.batch_size = 32; /* one panel */
    o.epochs = 2;
    for (unsigned form = 0; form < 4; ++form) {
        sooth_mlp_options other = o;
        other.hidden_2 = 61;
        other.activation = form ? SOOTH_MLP_TANH : SOOTH_MLP_LEAKY_RELU;
        other.optimiser = form & 1u ? SOOTH_MLP_SGD : SOOTH_MLP_ADAM;
        other.weight_decay = 0.1;
        other.lambda = form & 2u ? 0.01 : 0.0;
        other.lambda_norm = form & 2u ? 0.001 : 0.0;
        other.dropout = form == 3 ? 0.2 : 0.0;
        other.clip = form == 2 ? 0.01 : 0.0;
        const sooth_status done = sooth_mlp_fit(&env, &table, &other, &model);
        keep_and_free(done, model ? &model->head : NULL);
    }
    sooth_status status = sooth_mlp_fit(&env, &table, &o, &model);
    CHECK_STATUS(status, SOOTH_OK);
    if (model) {
        static float gradient[8192];
        CHECK(model->parameters <= 8192);
        CHECK_STATUS(sooth_mlp_gradient(&env, model, &table, &o, &loss, gradient), SOOTH_OK);
        keep(gradient, model->parameters * sizeof *gradient);
    }
    keep(&loss, sizeof loss);
    keep_and_free(status, model ? &model->head : NULL);
}

static void models(void) {
    const sooth_table table = table_of(FEW);
    sooth_train_recipe recipe = {0};
    sooth_forest_options o = {0};
    sooth_model *model = NULL;
    o.n_estimators = 5;
    recipe.model = "forest";
    recipe.options.forest = o;
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (model) keep(model, model->head.size);
    if (model) {
        static float said[ROWS];
        CHECK_STATUS(sooth_model_predict_table(&env, model, table.x, FEW, COLS, said), SOOTH_OK);
        keep(said, FEW * sizeof *said);
        CHECK_STATUS(sooth_model_predict_table(&env, model, x, ROWS, COLS, said), SOOTH_OK);
        keep(said, sizeof said);
    }
    sooth_model_free(&env, model);
    sooth_model *again = NULL;
    recipe.model = "boost";
    recipe.options.boost = (sooth_boost_options){.n_estimators = 3};
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    CHECK_STATUS(sooth_train_refit(&env, model, &table, &recipe, 0.5, &again), SOOTH_OK);
    if (again) keep(again, again->head.size);
    sooth_model_free(&env, again);
    sooth_model_free(&env, model);
}

/* Candidates on folds; the hash of a block of many models. */
static void chosen_models(void) {
    static uint32_t group[20];
    sooth_table table = table_of(20);
    const sooth_best_options low = {.effort = SOOTH_BEST_LOW};
    sooth_best *best = NULL;
    for (uint32_t i = 0; i < 20; ++i) group[i] = i % 5;
    table.group = group; /* five folds, once */
    CHECK_STATUS(sooth_best_fit(&env, &table, &low, &best), SOOTH_OK);
    const unsigned long long hash = best ? check_hash(best, best->head.size) : 0;
    keep(&hash, sizeof hash);
    sooth_best_free(&env, best);
}

static void tuned_options(void) {
    sooth_table table = table_of(FEW / 2);
    static uint32_t program[FEW];
    sooth_train_recipe recipe = {0};
    sooth_tune_options few = {0};
    sooth_tune_report report;
    for (uint32_t i = 0; i < FEW; ++i) program[i] = i % 7;
    table.group = program;
    recipe.model = "boost";
    few.space = "n_estimators=2:5 max_depth=1:4";
    few.trials = 3;
    few.folds = 2;
    few.outer = 2;
    CHECK_STATUS(sooth_train_tune(&env, &table, &recipe, &few, &recipe, &report), SOOTH_OK);
    keep(&recipe.options.boost, sizeof recipe.options.boost);
    keep(&report.inner, 5 * sizeof report.inner);
}

static void calibrated_models(void) {
    static float classes[FEW];
    static uint32_t program[FEW];
    sooth_table table = table_of(FEW / 2);
    sooth_train_recipe recipe = {0};
    sooth_forest_options o = {0};
    sooth_calibrate_options few = {0};
    sooth_model *model = NULL;
    o.n_estimators = 2;
    recipe.model = "forest";
    recipe.options.forest = o;
    few.folds = 4;
    for (uint32_t i = 0; i < FEW; ++i) program[i] = i % 9;
    for (int grouped = 0; grouped < 2; ++grouped) {
        table.group = grouped ? program : NULL;
        CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &few, &model), SOOTH_OK);
        if (model) keep(model, model->head.size);
        sooth_model_free(&env, model);
    }
    static const char words[] = "forest n_estimators=2 interval=0.8 folds=4";
    CHECK_STATUS(sooth_train_recipe_read(&env, words, sizeof words - 1, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(&env, &table, &recipe, &model), SOOTH_OK);
    if (model) keep(model, model->head.size);
    sooth_model_free(&env, model);
    for (size_t i = 0; i < FEW; ++i) classes[i] = y[i] > 3.0f;
    table.y = classes;
    few.probability = SOOTH_CALIBRATE_PROBABILITY_SIGMOID;
    CHECK_STATUS(fit_calibrated(&env, &table, &recipe, &few, &model), SOOTH_OK);
    if (model) keep(model, model->head.size);
    sooth_model_free(&env, model);
}

static void models_of_slowdowns(void) {
    static float runs[FEW * SOOTH_SLOWDOWN_INPUTS], slower[2 * FEW];
    sooth_table table = sooth_table_of(runs, slower, FEW, SOOTH_SLOWDOWN_INPUTS);
    sooth_train_recipe recipe = {0};
    sooth_forest_options o = {0};
    sooth_model *model = NULL;
    table.targets = 2;
    for (size_t i = 0; i < FEW * SOOTH_SLOWDOWN_INPUTS; ++i) runs[i] = (float)(1 + i * 7 % 31);
    for (size_t i = 0; i < 2 * FEW; ++i) slower[i] = 1.0f + (float)(i * 5 % 13);
    o.n_estimators = 4;
    recipe.model = "forest";
    recipe.options.forest = o;
    CHECK_STATUS(sooth_slowdown_fit(&env, &table, NULL, &recipe, &model), SOOTH_OK);
    if (model) keep(model, model->head.size);
    sooth_model_free(&env, model);
    sooth_slowdown_options of = {0};
    sooth_model *network = NULL;
    of.epochs = of.no_copies = 1;
    const sooth_status status = sooth_slowdown_fit(&env, &table, &of, NULL, &network);
    keep_and_free(status, network ? &network->head : NULL);
}

/* ---- files ---- */

static char text[1 << 20]; /* more than one piece */
static size_t text_size;

static int put(void *user, const char *more, size_t size) {
    (void)user;
    if (text_size + size > sizeof text) return 1;
    memcpy(text + text_size, more, size);
    text_size += size;
    return 0;
}

static void read_files(void) {
    sooth_csv csv;
    CHECK_STATUS(sooth_csv_read(&env, text, text_size, NULL, &csv), SOOTH_OK);
    keep(csv.cell, csv.rows * csv.cols * sizeof *csv.cell);
    keep(csv.line, csv.rows * sizeof *csv.line);
    sooth_csv_free(&env, &csv);
}

/* All rows in two blocks. */
static sooth_status next_rows(void *user, sooth_env *unused, sooth_table *block) {
    size_t *at = (size_t *)user;
    const size_t rows = ROWS - *at < 50000 ? ROWS - *at : 50000;
    (void)unused;
    *block = sooth_table_of(x + *at * COLS, y + *at, rows, COLS);
    *at += rows;
    return SOOTH_OK;
}

static sooth_status rewind_rows(void *user, sooth_env *unused) {
    (void)unused;
    *(size_t *)user = 0;
    return SOOTH_OK;
}

static void read_blocks(void) {
    size_t at = 0;
    const sooth_source source = {&at, COLS, 1, next_rows, rewind_rows, NULL, NULL};
    const sooth_blocks_options o = {0, 1000}; /* with an error */
    sooth_blocks blocks;
    CHECK_STATUS(sooth_blocks_read(&env, &source, &o, &blocks), SOOTH_OK);
    CHECK(blocks.error > 0.0);
    keep(blocks.bins.bin, ROWS * COLS);
    sooth_blocks_free(&env, &blocks);
}

/* The text as a file. */
static sooth_status next_bytes(void *user, sooth_env *unused, void *to, size_t size, size_t *got) {
    size_t *at = (size_t *)user;
    (void)unused;
    *got = text_size - *at < size ? text_size - *at : size;
    memcpy(to, text + *at, *got);
    *at += *got;
    return SOOTH_OK;
}

static void learn_from_a_file(void) {
    size_t at = 0;
    const sooth_csv_file file = {&at, next_bytes, rewind_rows, text_size};
    static const char *const names[] = {"column 1"};
    const sooth_csv_table_options choice = {.target = "target", .categorical = names, .categorical_count = 1};
    const sooth_boost_options few = {.n_estimators = 2};
    sooth_train_recipe recipe = {.model = "boost", .options.boost = few};
    sooth_csv_source csv;
    sooth_model *model;
    CHECK_STATUS(sooth_csv_source_open(&env, &file, NULL, &choice, &csv), SOOTH_OK);
    recipe.levels = csv.levels;
    CHECK_STATUS(sooth_train_fit_source(&env, &csv.source, &recipe, &model), SOOTH_OK);
    keep(model, model->head.size);
    sooth_model_free(&env, model);
    sooth_csv_source_free(&env, &csv);
}

/* ---- the tests ---- */

static void files_are_the_same(void) {
    const sooth_table table = table_of(12000);
    sooth_sink sink = {NULL, put, 0};
    CHECK_STATUS(sooth_csv_write(&env, &table, NULL, &sink), SOOTH_OK);
    CHECK(!sink.failed);
    compare(read_files);
    compare(learn_from_a_file);
    compare(read_blocks);
}

static void trees_are_the_same(void) { compare(trees); }
static void forests_are_the_same(void) { compare(forests); }
static void boosting_is_the_same(void) {
    compare(boosting);
    compare(boosting_in_company);
    compare(boosting_with_a_report);
    compare(boosting_of_quantiles);
    compare(categories);
}
static void clusters_and_correlations_are_the_same(void) {
    compare(silhouettes);
    compare(correlations);
}
static void explanations_are_the_same(void) { compare(explanations); }
static void gaussians_are_the_same(void) { compare(gaussians); }
static void settings_are_the_same(void) { compare(settings); }
static void support_vectors_are_the_same(void) { compare(support_vectors); }
static void networks_are_the_same(void) {
    compare(networks);
    compare(wide_networks);
}
static void models_are_the_same(void) {
    compare(models);
    compare(calibrated_models);
    compare(chosen_models);
    compare(models_of_slowdowns);
    compare(tuned_options);
}
static void other_options_change_nothing(void) {
    CHECK_SLOW();
    compare(more_trees);
    compare(more_forests);
    compare(more_boosting);
    compare(more_support_vectors);
}

static void every_task_was_shared(void) {
    for (size_t k = 0; k < KNOWN; ++k) {
        if (!known[k].shared) printf("  nothing shared out %s\n", known[k].name);
        CHECK(known[k].shared > 0);
    }
}

int main(void) {
    answer[0] = (unsigned char *)malloc(MOST);
    answer[1] = (unsigned char *)malloc(MOST);
    if (!answer[0] || !answer[1]) return 1;
    make_numbers();
    CHECK_RUN(files_are_the_same);
    CHECK_RUN(trees_are_the_same);
    CHECK_RUN(forests_are_the_same);
    CHECK_RUN(boosting_is_the_same);
    CHECK_RUN(clusters_and_correlations_are_the_same);
    CHECK_RUN(explanations_are_the_same);
    CHECK_RUN(gaussians_are_the_same);
    CHECK_RUN(settings_are_the_same);
    CHECK_RUN(support_vectors_are_the_same);
    CHECK_RUN(networks_are_the_same);
    CHECK_RUN(models_are_the_same);
    CHECK_RUN(every_task_was_shared);
    CHECK_RUN(other_options_change_nothing);
    free(answer[0]);
    free(answer[1]);
    return check_end("workers");
}
