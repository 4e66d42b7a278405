/* test_faults.c - every function that may allocate or write, with memory and sinks that fail.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A case calls one function. First nothing fails, with memory full of other bytes each time: the results must
 * be the same. Then allocation n fails, alone and with all that follow, for n = 1, 2, ... until the call gets
 * through: each time it must say SOOTH_NO_MEMORY with a sentence, hand out nothing, and leave nothing behind;
 * and a call without failures must then give the same bytes as before. Then arenas that are too short, three
 * workers, and sinks whose n-th write fails. tests/build/style.sh compares the calls in this file with the
 * headers, so that no function with an env or a sink is forgotten.
 */
#include <pthread.h>

#define SOOTH_IMPLEMENTATION
#include "../../examples/common/svg.c"
#include "check.h"
#include "recipes.h"
#include "sooth.h"
#include "sooth/files.h"
#include "sooth/threads.h"
#include "../../examples/gpu/pfea_tool.h"
#include "../../examples/gpu/settings.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- memory that fails, knows the size of every piece and never keeps its content ---- */

typedef struct faults {
    long fail_at; /* from 0; below 0: never */
    int for_good; /* all that follow fail, too */
    int fill;     /* what new memory is full of */
    long calls, live;
    pthread_mutex_t lock;
} faults;

enum { BEFORE = 16 }; /* bytes in front of a piece: its size */

static void *faults_alloc(void *user, size_t size) {
    faults *f = (faults *)user;
    unsigned char *piece = NULL;
    pthread_mutex_lock(&f->lock);
    const long call = f->calls++;
    if (f->fail_at < 0 || (call != f->fail_at && !(f->for_good && call > f->fail_at))) {
        piece = (unsigned char *)malloc(size + BEFORE);
        if (!piece) abort();
        memcpy(piece, &size, sizeof size);
        memset(piece + BEFORE, f->fill, size);
        ++f->live;
    }
    pthread_mutex_unlock(&f->lock);
    return piece ? piece + BEFORE : NULL;
}

static void faults_free(void *user, void *memory, size_t size) {
    faults *f = (faults *)user;
    unsigned char *piece = (unsigned char *)memory - BEFORE;
    size_t had;
    pthread_mutex_lock(&f->lock);
    memcpy(&had, piece, sizeof had);
    if (had != size) {
        printf("  %u bytes are freed as %u\n", (unsigned)had, (unsigned)size);
        ++check_failures;
    }
    memset(memory, 0x5A, had);
    free(piece);
    --f->live;
    pthread_mutex_unlock(&f->lock);
}

/* ---- a sink that fails, and what a call gave ---- */

static long sink_fails_at, sink_writes, sink_after; /* writes so far; writes behind the one that failed */
static unsigned long long given;                    /* hash of all results of a run */

static void keep(const void *bytes, size_t size) { given = given * 31 + check_hash(bytes, size); }
static void keep_text(const char *text) { keep(text, strlen(text)); }
static void keep_doubles(const double *v, size_t count) { keep(v, count * sizeof *v); }

static int sink_write(void *user, const char *text, size_t size) {
    (void)user;
    if (sink_fails_at >= 0 && sink_writes > sink_fails_at) ++sink_after;
    if (sink_writes++ == sink_fails_at) return 1;
    keep(text, size);
    return 0;
}

static sooth_sink sink;

/* ---- a case ---- */

typedef struct fault {
    const char *name;
    sooth_status (*run)(sooth_env *env);
    sooth_option_list (*list)(void); /* what `options` is of; NULL: nothing */
    const char *options;             /* "depth=3 seed=1", or what else tells cases of one function apart */
    const sooth_table *table;
    sooth_status sink; /* what the function says when its sink fails */
} fault;

static const fault *now;
static union {
    double align;
    unsigned char bytes[4096];
} options;
static void *const set = &options;

/* Fills `options` from a text; what it cannot read is a word for the case itself. */
static void options_set(sooth_option_list list, const char *text) {
    char name[64], value[64];
    int used;
    memset(&options, 0, sizeof options);
    for (; text && sscanf(text, " %63[^= ]=%63s%n", name, value, &used) == 2; text += used) {
        sooth_env env;
        sooth_env_init(&env);
        CHECK_STATUS(sooth_option_set(&env, list, set, name, value), SOOTH_OK);
        if (env.sentence[0]) printf("  %s: %s\n", now->name, env.sentence);
    }
}

static double nowhere_memory[4];
static void *const nowhere = nowhere_memory; /* what a result points to that nobody has set */

/* A call that makes a block: kept and freed when it was made, NULL when it was not. */
#define BLOCK(type, call, release)                     \
    {                                                  \
        type *made = (type *)nowhere;                  \
        const sooth_status status = call;              \
        if (status != SOOTH_OK) {                      \
            CHECK(made == NULL);                       \
            return status;                             \
        }                                              \
        keep(made, ((const sooth_block *)made)->size); \
        release;                                       \
        return SOOTH_OK;                               \
    }

/* ---- what the cases work on ---- */

enum { ROWS = 36, COLS = 3, GRID = 24 };
static const uint8_t categorical[COLS] = {0, 1};
static float codes[ROWS * COLS];
static float x[ROWS * COLS], with_gaps[ROWS * COLS], y[2 * ROWS], positive[ROWS], weight[ROWS];
static uint32_t group[ROWS], label[ROWS];
static const char *const names[] = {"a", "b c", "d,\"e\""};
static sooth_table table, two, gaps, grouped, counts, threads, programs, events, levels, halves, named;
static float thread[8] = {1, 2, 3, 4, 6, 8, 12, 16}, seconds[8] = {100, 55, 38, 30, 22, 18, 15, 14};
static float event[ROWS * SOOTH_SLOWDOWN_INPUTS], slowdown[2 * ROWS];
static float program_row[2 * 20], program_time[20];
static uint32_t program[20];
static double numbers[1 << 14], more_numbers[1 << 12], third[1 << 10];
static float floats[1 << 12];
static uint32_t words[1 << 10];
static const float box[2 * COLS] = {0, 20, 0, 20, 0, 20};
static const signed char rising[COLS] = {1, -1, 0};

static sooth_tree *tree;
static sooth_forest *forest;
static sooth_boost *boost;
static sooth_linear *linear;
static sooth_mlp *mlp;
static sooth_svr *svr;
static sooth_sofnn *sofnn;
static sooth_scale *scale;
static sooth_scaling *amdahl;
static sooth_model *models[SOOTH_KIND_BEST + 1]; /* by kind */
static sooth_split split;
static sooth_csv csv;
static sooth_ptx ptx;
static sooth_ptx_counts ptx_counts;
static char *svr_text, *rules_text;
static size_t svr_size, rules_size;

/* A file of tests/golden, kept until the next is asked for. */
static size_t file_size;
static const char *file_of(const char *name) {
    static char *bytes, last[128];
    char path[256];
    if (bytes && strcmp(name, last) == 0) return bytes;
    snprintf(path, sizeof path, "tests/golden/%s", name);
    FILE *file = fopen(path, "rb");
    free(bytes);
    bytes = (char *)calloc(1, 1 << 16);
    if (!bytes) abort();
    file_size = file ? fread(bytes, 1, (1 << 16) - 1, file) : 0;
    if (file) fclose(file);
    snprintf(last, sizeof last, "%s", name);
    return bytes;
}

static char *text_made;
static size_t text_size;
static int text_write(void *user, const char *text, size_t size) {
    (void)user;
    text_made = (char *)realloc(text_made, text_size + size + 1);
    if (!text_made) abort();
    memcpy(text_made + text_size, text, size);
    text_made[text_size += size] = 0;
    return 0;
}

/* ---- the cases: base, csv, num ---- */

static sooth_status table_take(sooth_env *env) {
    static const uint32_t rows[] = {0, 3, 3, 2, 1};
    sooth_table out;
    const sooth_status status = sooth_table_take(env, now->table, rows, COUNT(rows), &out);
    CHECK((status == SOOTH_OK) == (out.x != NULL));
    if (status != SOOTH_OK) return status;
    keep(out.x, sizeof(float) * COUNT(rows) * COLS);
    keep(out.y, sizeof(float) * COUNT(rows));
    sooth_table_free(env, &out);
    return status;
}

static sooth_status table_check(sooth_env *env) {
    const sooth_status status = sooth_table_check(env, &grouped, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    return sooth_option_check(env, sooth_tree_options_list(), set);
}

static sooth_status checks_of_options(sooth_env *env) {
    sooth_status status = sooth_tree_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_option_set(env, sooth_tree_options_list(), set, "max_depth", "3");
    if (status == SOOTH_OK)
        status = sooth_option_set_written(env, sooth_tree_options_list(), set, "max_depth", "3");
    if (status == SOOTH_OK) status = sooth_forest_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_boost_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_linear_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_mlp_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_svr_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_gauss_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_sofnn_check_options(env, &table, NULL);
    if (status == SOOTH_OK) status = sooth_scaling_check_options(env, &threads, NULL);
    if (status == SOOTH_OK) status = sooth_slowdown_check_options(env, &events, NULL);
    return status;
}

static const char csv_text[] = "a,a,g,y [W],t\n1,2,a,3,\"x, y\"\n4,5,\"b\"\"\",6,u\n7,8,a,9,v\n1,2,a,4,u\n";

static sooth_status csv_read(sooth_env *env) {
    static const char *const names[] = {"g", "y"};
    const sooth_csv_options options = {.names = names, .name_count = 2};
    sooth_csv out;
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_csv_read(env, csv_text, sizeof csv_text - 1, &options, &out);
    if (status != SOOTH_OK) {
        CHECK(!out.cell && !out.column && !out.line && !out.state.pool && out.rows == 0 && out.cols == 0);
        return status;
    }
    keep(out.cell, sizeof(float) * out.rows * out.cols);
    for (size_t j = 0; j < out.cols; ++j) keep_text(out.column[j].header);
    sooth_csv_free(env, &out);
    return status;
}

/* Quotes within quotes take memory. */
static sooth_status csv_exact(sooth_env *env) {
    static const char text[] = "a,b\n\"\"\"x\"\"\",1700000001\ny,1700000002\n";
    const size_t column = 1;
    const double zero = 1700000000;
    double from_zero[2];
    sooth_csv out;
    sooth_status status = sooth_csv_read(env, text, sizeof text - 1, NULL, &out);
    if (status != SOOTH_OK) return status;
    status = sooth_csv_exact(env, &out, text, sizeof text - 1, &column, 1, &zero, from_zero);
    if (status == SOOTH_OK) keep(from_zero, sizeof from_zero);
    sooth_csv_free(env, &out);
    return status;
}

/* The rows of a table, two at a time. */
static size_t blocks_at;

static sooth_status blocks_next(void *user, sooth_env *env, sooth_table *block) {
    const size_t left = now->table->rows - blocks_at, n = left < 2 ? left : 2;
    (void)user;
    (void)env;
    *block = *now->table;
    block->names = NULL;
    block->rows = n;
    block->x += blocks_at * block->stride;
    block->y += blocks_at * block->targets;
    if (block->group) block->group += blocks_at;
    blocks_at += n;
    return SOOTH_OK;
}

static sooth_status blocks_rewind(void *user, sooth_env *env) {
    (void)user;
    (void)env;
    blocks_at = 0;
    return SOOTH_OK;
}

static sooth_status blocks_read(sooth_env *env) {
    const sooth_source source = {
        NULL, now->table->cols, now->table->targets, blocks_next, blocks_rewind, NULL, NULL};
    const sooth_blocks_options few = {3, 4};
    sooth_blocks blocks;
    memset(&blocks, 0x77, sizeof blocks);
    blocks_at = 0;
    const sooth_status status = sooth_blocks_read(env, &source, &few, &blocks);
    if (status != SOOTH_OK) {
        CHECK(!blocks.memory && !blocks.table.bins && blocks.table.rows == 0);
        return status;
    }
    keep(blocks.bins.bin, blocks.table.rows * blocks.table.cols);
    keep(blocks.table.y, sizeof(float) * blocks.table.rows);
    sooth_blocks_free(env, &blocks);
    return status;
}

static sooth_status linear_fit_source(sooth_env *env) {
    const sooth_source source = {
        NULL, now->table->cols, now->table->targets, blocks_next, blocks_rewind, NULL, NULL};
    sooth_linear *made;
    blocks_at = 0;
    const sooth_status status = sooth_linear_fit_source(env, &source, NULL, &made);
    CHECK((status == SOOTH_OK) == (made != NULL));
    if (status == SOOTH_OK) keep(made, made->head.size);
    sooth_linear_free(env, made);
    return status;
}

/* A file of text, five bytes at a time. */
static size_t file_at;

static sooth_status file_next(void *user, sooth_env *env, void *to, size_t size, size_t *got) {
    static const char file[] = "a,g,y\n1,p,3\n2,q,5\n4,p,9\n7,q,15\n8,p,17\n";
    const size_t left = sizeof file - 1 - file_at, most = size < 5 ? size : 5;
    (void)user;
    (void)env;
    *got = left < most ? left : most;
    memcpy(to, file + file_at, *got);
    file_at += *got;
    return SOOTH_OK;
}

static sooth_status file_rewind(void *user, sooth_env *env) {
    (void)user;
    (void)env;
    file_at = 0;
    return SOOTH_OK;
}

static sooth_status csv_source(sooth_env *env) {
    const sooth_csv_file file = {NULL, file_next, file_rewind, 0};
    const sooth_train_recipe recipe = {.model = "linear"};
    sooth_csv_table_options choice;
    sooth_csv_source source;
    sooth_model *made = NULL;
    memset(&choice, 0, sizeof choice);
    choice.target = "y";
    choice.group = "g";
    sooth_status status = sooth_csv_source_open(env, &file, NULL, &choice, &source);
    if (status != SOOTH_OK) {
        CHECK(!source.state && !source.csv.column);
        return status;
    }
    status = sooth_train_fit_source(env, &source.source, &recipe, &made);
    CHECK((status == SOOTH_OK) == (made != NULL));
    if (status == SOOTH_OK) keep(made, made->head.size);
    sooth_model_free(env, made);
    sooth_csv_source_free(env, &source);
    return status;
}

static sooth_status csv_table(sooth_env *env) {
    sooth_csv_table_options choice;
    sooth_csv_data data;
    memset(&choice, 0, sizeof choice);
    memset(&data, 0x77, sizeof data);
    choice.target = "y";
    choice.group = "g";
    const sooth_status status = sooth_csv_table(env, &csv, &choice, &data);
    if (status != SOOTH_OK) {
        CHECK(!data.memory && !data.table.x && !data.group_name);
        return status;
    }
    keep(data.table.x, sizeof(float) * data.table.rows * data.table.cols);
    keep(data.table.group, sizeof(uint32_t) * data.table.rows);
    for (uint32_t g = 0; g < data.groups; ++g) keep_text(data.group_name[g]);
    sooth_csv_data_free(env, &data);
    return status;
}

static sooth_status csv_duplicates(sooth_env *env) {
    size_t count = 0;
    const sooth_status status = sooth_csv_duplicates(env, &table, words, &count);
    if (status == SOOTH_OK) keep(words, ROWS * sizeof *words);
    return status;
}

static sooth_status csv_write(sooth_env *env) { return sooth_csv_write(env, now->table, NULL, &sink); }

static sooth_status csv_cells(sooth_env *env) {
    (void)env;
    sooth_csv_put_text(&sink, "a \"b\", c", ',');
    sooth_csv_put_number(&sink, 1.5f, ',');
    sooth_text_put(&sink, "%s %u\n", "a", (uint32_t)7);
    sooth_text_write(&sink, "abc", 3);
    sooth_text_json(&sink, "abc");
    return SOOTH_OK;
}

static sooth_status split_make(sooth_env *env) {
    sooth_split out;
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_split_make(env, now->table, (sooth_split_options *)set, &out);
    CHECK((status == SOOTH_OK) == (out.fold != NULL));
    if (status != SOOTH_OK) return status;
    for (size_t f = 0; f < out.folds; ++f) keep(out.fold[f].test, out.fold[f].tests * sizeof(uint32_t));
    sooth_split_free(env, &out);
    return status;
}

static sooth_status split_inner(sooth_env *env) {
    sooth_split out;
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_split_inner(env, &grouped, NULL, &split.fold[0], &out);
    CHECK((status == SOOTH_OK) == (out.fold != NULL));
    if (status != SOOTH_OK) return status;
    for (size_t f = 0; f < out.folds; ++f) keep(out.fold[f].test, out.fold[f].tests * sizeof(uint32_t));
    sooth_split_free(env, &out);
    return status;
}

static sooth_status split_take(sooth_env *env) {
    sooth_table train, test;
    memset(&train, 0x77, sizeof train);
    memset(&test, 0x77, sizeof test);
    const sooth_status status = sooth_split_take(env, &grouped, &split.fold[0], &train, &test);
    if (status != SOOTH_OK) {
        CHECK(!train.x && !test.x);
        return status;
    }
    keep(train.x, sizeof(float) * train.rows * train.cols);
    keep(test.x, sizeof(float) * test.rows * test.cols);
    sooth_table_free(env, &train);
    sooth_table_free(env, &test);
    return status;
}

static sooth_status metrics_compute(sooth_env *env) {
    sooth_metrics out;
    const sooth_status status = sooth_metrics_compute(env, y, positive, weight, ROWS, NULL, &out);
    if (status == SOOTH_OK) keep(&out.weight, sizeof(double));
    if (status == SOOTH_OK) keep(&out.median_error, sizeof(double));
    return status;
}

static sooth_status metrics_compute_binary(sooth_env *env) {
    sooth_metrics_binary out;
    for (size_t i = 0; i < ROWS; ++i) {
        floats[i] = (float)(i % 3 == 0);
        floats[ROWS + i] = (float)(i % 5) / 4;
    }
    const sooth_status status = sooth_metrics_compute_binary(env, floats, floats + ROWS, weight, ROWS, &out);
    if (status == SOOTH_OK) keep(&out.auc, sizeof(double));
    return status;
}

static sooth_status cluster_fit(sooth_env *env) {
    double inertia = 0;
    const sooth_status status =
        sooth_cluster_fit(env, now->table, (sooth_cluster_options *)set, numbers, words, &inertia);
    if (status == SOOTH_OK) keep_doubles(numbers, 3 * now->table->cols);
    return status;
}

static sooth_status cluster_silhouette(sooth_env *env) {
    double mean = 0;
    const sooth_status status = sooth_cluster_silhouette(env, &table, label, 3, numbers, &mean);
    if (status == SOOTH_OK) keep_doubles(&mean, 1);
    return status;
}

/* The kind of correlation is the first letter of the case's word. */
static sooth_correlate_kind kind_of(void) {
    return now->options[0] == 'k'   ? SOOTH_CORRELATE_KENDALL
           : now->options[0] == 's' ? SOOTH_CORRELATE_SPEARMAN
                                    : SOOTH_CORRELATE_PEARSON;
}

static sooth_status correlate_pair(sooth_env *env) {
    sooth_correlation out;
    const sooth_status status = sooth_correlate_pair(env, x, COLS, y, 1, ROWS, kind_of(), &out);
    if (status == SOOTH_OK) keep(&out.r, sizeof out.r);
    return status;
}

static sooth_status correlate_matrix(sooth_env *env) {
    const sooth_status status = sooth_correlate_matrix(env, &gaps, kind_of(), numbers, more_numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, COLS * COLS);
    return status;
}

static sooth_status correlate_rank(sooth_env *env) {
    sooth_correlation out[COLS];
    unsigned char chosen[COLS] = {1, 1, 1};
    sooth_status status = sooth_correlate_rank(env, &table, 0, kind_of(), out);
    for (size_t j = 0; status == SOOTH_OK && j < COLS; ++j) keep(&out[j].r, sizeof out[j].r);
    if (status == SOOTH_OK) {
        memset(numbers, 0, sizeof(double) * COLS * COLS);
        status = sooth_correlate_filter(env, numbers, COLS, out, 0.85, chosen);
    }
    return status;
}

static sooth_status conformal_fit(sooth_env *env)
    BLOCK(sooth_conformal,
          sooth_conformal_fit(env, positive, positive + 1, now->table->group, weight, ROWS - 1,
                              (sooth_conformal_options *)set, &made),
          sooth_conformal_free(env, made))

        static sooth_status conformal_fit_quantiles(sooth_env *env)
            BLOCK(sooth_conformal,
                  sooth_conformal_fit_quantiles(env, positive, positive + 1, positive + 2, now->table->group,
                                                weight, ROWS - 2, (sooth_conformal_options *)set, &made),
                  sooth_conformal_free(env, made))

                static sooth_status probability_fit(sooth_env *env) {
    const sooth_probability_options how = {.method = (uint32_t)(now->options[0] == 'i')};
    sooth_probability *map = (sooth_probability *)nowhere;
    for (size_t i = 0; i < ROWS; ++i) floats[i] = (float)(i % 3 == 0);
    const sooth_status status = sooth_probability_fit(env, floats, positive, weight, ROWS, &how, &map);
    if (status != SOOTH_OK) {
        CHECK(map == NULL);
        return status;
    }
    keep(map, map->head.size);
    sooth_probability_free(env, map);
    return SOOTH_OK;
}

static sooth_status ratio_fit(sooth_env *env) {
    sooth_table of_ratio = *now->table;
    sooth_ratio *ratio = (sooth_ratio *)nowhere;
    of_ratio.y = positive;
    of_ratio.names = NULL;
    const sooth_status status = sooth_ratio_fit(env, &of_ratio, now->options, &ratio);
    if (status != SOOTH_OK) {
        CHECK(ratio == NULL);
        return status;
    }
    keep(ratio, ratio->head.size);
    sooth_ratio_free(env, ratio);
    return SOOTH_OK;
}

static sooth_status conformal_cross(sooth_env *env) {
    sooth_conformal_left_out rows = {positive, positive + 1, group,   now->table->group,
                                     weight,   ROWS - 1,     ROWS - 1};
    sooth_conformal_claim claim;
    memset(floats, 0, 64 * sizeof *floats);
    const sooth_status status = sooth_conformal_cross(env, &rows, positive, 1, (sooth_conformal_options *)set,
                                                      floats, floats + 1, &claim);
    CHECK((status == SOOTH_OK) == (claim.promise != SOOTH_CONFORMAL_NONE));
    if (status == SOOTH_OK) keep(floats, 2 * sizeof *floats);
    return status;
}

/* ---- fits ---- */

static sooth_status scale_fit(sooth_env *env)
    BLOCK(sooth_scale, sooth_scale_fit(env, now->table, (sooth_scale_options *)set, &made),
          sooth_scale_free(env, made))

        static sooth_status linear_fit(sooth_env *env)
            BLOCK(sooth_linear, sooth_linear_fit(env, now->table, (sooth_linear_options *)set, &made),
                  sooth_linear_free(env, made))

                static sooth_status
    adapt_fit(sooth_env *env)
        BLOCK(sooth_adapt, sooth_adapt_fit(env, now->table, positive, (sooth_adapt_options *)set, &made),
              sooth_adapt_free(env, made))

            static sooth_status tree_fit(sooth_env *env)
                BLOCK(sooth_tree, sooth_tree_fit(env, now->table, (sooth_tree_options *)set, &made),
                      sooth_tree_free(env, made))

                    static sooth_status tree_rising(sooth_env *env) {
    ((sooth_tree_options *)set)->monotone = rising;
    BLOCK(sooth_tree, sooth_tree_fit(env, now->table, (sooth_tree_options *)set, &made),
          sooth_tree_free(env, made))
}

static sooth_status tree_prune(sooth_env *env)
    BLOCK(sooth_tree, sooth_tree_prune(env, tree, 0.5, &made), sooth_tree_free(env, made))

        static sooth_status tree_path(sooth_env *env) {
    size_t count = 0;
    const sooth_status status =
        sooth_tree_pruning_path(env, tree, numbers, more_numbers, COUNT(more_numbers), &count);
    if (status == SOOTH_OK) keep_doubles(numbers, count);
    return status;
}

static sooth_status tree_importance(sooth_env *env) {
    const sooth_status status = soothi_tree_importance(env, tree, numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, COLS);
    return status;
}

static sooth_status tree_write(sooth_env *env) { return sooth_tree_write(env, tree, NULL, &sink); }
static sooth_status tree_named(sooth_env *env) { return sooth_tree_write(env, tree, names, &sink); }

static sooth_status forest_fit(sooth_env *env)
    BLOCK(sooth_forest, sooth_forest_fit(env, now->table, (sooth_forest_options *)set, &made),
          sooth_forest_free(env, made))

        static sooth_status forest_resume(sooth_env *env)
            BLOCK(sooth_forest, sooth_forest_resume(env, forest, &table, (sooth_forest_options *)set, &made),
                  sooth_forest_free(env, made))

                static sooth_status forest_out_of_bag(sooth_env *env) {
    sooth_metrics score;
    const sooth_status status =
        sooth_forest_out_of_bag(env, forest, &table, (sooth_forest_options *)set, floats, &score);
    if (status == SOOTH_OK) keep(floats, ROWS * sizeof *floats);
    return status;
}

static sooth_status boost_fit(sooth_env *env)
    BLOCK(sooth_boost, sooth_boost_fit(env, now->table, (sooth_boost_options *)set, &made),
          sooth_boost_free(env, made))

        static sooth_status boost_watched(sooth_env *env) {
    sooth_boost_report report;
    ((sooth_boost_options *)set)->monotone = rising;
    ((sooth_boost_options *)set)->validation = &table;
    BLOCK(sooth_boost, sooth_boost_fit_report(env, now->table, (sooth_boost_options *)set, &made, &report),
          sooth_boost_free(env, made))
}

static void own_loss(void *user, const float *actual, const float *margin, size_t rows, float *gradient,
                     float *hessian) {
    (void)user;
    for (size_t i = 0; i < rows; ++i) {
        gradient[i] = margin[i] - actual[i];
        hessian[i] = 1;
    }
}

static sooth_status boost_custom(sooth_env *env) {
    const sooth_boost_custom custom = {own_loss, NULL, NULL, 0};
    ((sooth_boost_options *)set)->custom = &custom;
    BLOCK(sooth_boost, sooth_boost_fit(env, now->table, (sooth_boost_options *)set, &made),
          sooth_boost_free(env, made))
}

static sooth_status boost_resume(sooth_env *env)
    BLOCK(sooth_boost, sooth_boost_resume(env, boost, &table, (sooth_boost_options *)set, &made),
          sooth_boost_free(env, made))

        static sooth_status boost_refit(sooth_env *env) {
    BLOCK(sooth_boost, sooth_boost_refit(env, boost, &table, (sooth_boost_options *)set, 0.5, &made),
          sooth_boost_free(env, made))
}

static sooth_status mlp_fit(sooth_env *env)
    BLOCK(sooth_mlp, sooth_mlp_fit(env, now->table, (sooth_mlp_options *)set, &made),
          sooth_mlp_free(env, made))

        static sooth_status mlp_rising(sooth_env *env) {
    ((sooth_mlp_options *)set)->monotone = rising;
    ((sooth_mlp_options *)set)->validation = &table;
    BLOCK(sooth_mlp, sooth_mlp_fit(env, now->table, (sooth_mlp_options *)set, &made),
          sooth_mlp_free(env, made))
}

static sooth_status mlp_make(sooth_env *env) {
    static const uint32_t outputs[] = {4, 1}, activation[] = {SOOTH_MLP_TANH, SOOTH_MLP_LINEAR};
    static const float weights[64] = {0.5f, -1, 2};
    BLOCK(sooth_mlp, sooth_mlp_make(env, COLS, 2, outputs, activation, 0, 0.1, weights, &made),
          sooth_mlp_free(env, made))
}

static sooth_status mlp_gradient(sooth_env *env) {
    double loss = 0;
    const sooth_status status = sooth_mlp_gradient(env, mlp, &table, NULL, &loss, floats);
    if (status == SOOTH_OK) keep(floats, mlp->parameters * sizeof *floats);
    return status;
}

static sooth_status mlp_bounds(sooth_env *env) {
    const sooth_status status = sooth_mlp_bounds(env, mlp, box, floats);
    if (status == SOOTH_OK) keep(floats, 2 * sizeof *floats);
    return status;
}

static sooth_status mlp_quantise(sooth_env *env)
    BLOCK(sooth_mlp, sooth_mlp_quantise(env, mlp, 8, box, floats, &made), sooth_mlp_free(env, made))

        static sooth_status svr_fit(sooth_env *env)
            BLOCK(sooth_svr, sooth_svr_fit(env, now->table, (sooth_svr_options *)set, &made),
                  sooth_svr_free(env, made))

                static sooth_status svr_report(sooth_env *env) {
    sooth_svr_report report;
    BLOCK(sooth_svr, sooth_svr_fit_report(env, now->table, (sooth_svr_options *)set, &made, &report, numbers),
          sooth_svr_free(env, made))
}

static sooth_status libsvm_read(sooth_env *env)
    BLOCK(sooth_svr, sooth_libsvm_read(env, svr_text, svr_size, 0, &made),
          sooth_svr_free(env, made)) static sooth_status libsvm_write(sooth_env *env) {
    return sooth_libsvm_write(env, svr, &sink);
}

static sooth_status gauss_fit(sooth_env *env) {
    BLOCK(sooth_gauss, sooth_gauss_fit(env, now->table, (sooth_gauss_options *)set, &made),
          sooth_gauss_free(env, made))
}

static sooth_status gauss_learn(sooth_env *env) {
    sooth_gauss_parameters law;
    const sooth_status status = sooth_gauss_fit_parameters(env, &grouped, (sooth_gauss_options *)set, &law);
    if (status == SOOTH_OK) keep(&law, sizeof law);
    return status;
}

static sooth_status sofnn_fit(sooth_env *env)
    BLOCK(sooth_sofnn, sooth_sofnn_fit(env, now->table, (sooth_sofnn_options *)set, &made),
          sooth_sofnn_free(env, made))

        static sooth_status rules_read(sooth_env *env)
            BLOCK(sooth_sofnn, sooth_rules_read(env, rules_text, rules_size, &made),
                  sooth_sofnn_free(env, made)) static sooth_status rules_write(sooth_env *env) {
    return sooth_rules_write(env, sofnn, names, NULL, &sink);
}

static sooth_status slowdown_fit(sooth_env *env)
    BLOCK(sooth_model, sooth_slowdown_fit(env, &events, (sooth_slowdown_options *)set, NULL, &made),
          sooth_model_free(env, made))

        static sooth_status slowdown_fit_recipe(sooth_env *env) {
    const sooth_forest_options trees = {.n_estimators = 3};
    const sooth_train_recipe recipe = {.model = "extratrees", .options.forest = trees};
    BLOCK(sooth_model, sooth_slowdown_fit(env, &events, (sooth_slowdown_options *)set, &recipe, &made),
          sooth_model_free(env, made))
}

static sooth_status slowdown_select(sooth_env *env) {
    const sooth_status status = sooth_slowdown_select(env, &events, numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, 2 * events.cols);
    return status;
}

/* Two groups: two folds. */
static sooth_status best_fit(sooth_env *env)
    BLOCK(sooth_best, sooth_best_fit(env, now->table, (sooth_best_options *)set, &made),
          sooth_best_free(env, made))

        static sooth_status scaling_fit(sooth_env *env)
            BLOCK(sooth_scaling, sooth_scaling_fit(env, &threads, (sooth_scaling_options *)set, &made),
                  sooth_scaling_free(env, made))

                static sooth_status scaling_into(sooth_env *env) {
    sooth_scaling model;
    sooth_scaling_summary summary;
    sooth_status status = sooth_scaling_fit_into(env, &threads, (sooth_scaling_options *)set, &model);
    if (status != SOOTH_OK) {
        CHECK(model.head.size == 0);
        return status;
    }
    keep(&model, sizeof model);
    return sooth_scaling_summarise(env, &model, &summary);
}

static sooth_status linear_summarise(sooth_env *env) {
    sooth_linear *model;
    sooth_linear_summary summary;
    CHECK_STATUS(sooth_linear_fit(NULL, &threads, NULL, &model), SOOTH_OK);
    sooth_status status = sooth_linear_summarise(env, model, 0, &summary);
    CHECK(sooth_linear_summarise(NULL, model, 1, &summary) == SOOTH_BAD_ARGUMENT);
    keep(&summary, sizeof summary);
    sooth_linear_free(NULL, model);
    return status;
}

static sooth_scaling_machine small_machine(void) {
    sooth_scaling_machine machine;
    memset(&machine, 0, sizeof machine);
    machine.cores = 8;
    machine.levels = 2;
    machine.frequency[0] = 1;
    machine.frequency[1] = 2;
    return machine;
}

static sooth_status scaling_learn(sooth_env *env) {
    sooth_scaling_prior prior;
    sooth_scaling_options o;
    memset(&o, 0, sizeof o);
    memset(&prior, 0, sizeof prior);
    o.law = SOOTH_SCALING_TIME_LOG;
    o.machine = small_machine();
    sooth_status status = sooth_scaling_fit_prior(env, &programs, &o, NULL, &prior);
    if (status != SOOTH_OK) return status;
    keep(&prior, sizeof prior);
    return sooth_scaling_prior_usual(env, SOOTH_SCALING_TIME_LOG, &prior);
}

static sooth_status curve(sooth_env *env) {
    sooth_scaling_curve c;
    const sooth_status status = sooth_scaling_curve_init(env, &c, 16, 0);
    return status != SOOTH_OK ? status : sooth_scaling_curve_add(env, &c, 4, 0.6f);
}

static const float two_levels[] = {1, 2};
static sooth_space small_space(void) {
    sooth_space space;
    memset(&space, 0, sizeof space);
    space.knobs = 2;
    for (uint32_t k = 0; k < 2; ++k) {
        space.axis[k].kind = k ? SOOTH_AXIS_FREQUENCY : SOOTH_AXIS_COUNT;
        space.axis[k].levels = 2;
        space.axis[k].value = two_levels;
    }
    return space;
}

static sooth_status space_fit(sooth_env *env) {
    static const float corners[] = {1, 1, 1, 2, 2, 1, 2, 2}, times[] = {10, 6, 7, 4};
    const sooth_space space = small_space();
    sooth_space_options o;
    sooth_space_law law;
    sooth_table four = sooth_table_of(corners, times, 4, 2);
    memset(&o, 0, sizeof o);
    o.space = &space;
    const sooth_status status = sooth_space_fit(env, &four, &o, &law);
    if (status != SOOTH_OK) return status;
    keep(&law, sizeof law);
    return sooth_space_check(env, &space);
}

/* ---- ensembles by hand, imports, models ---- */

/* After a failure every further call says the same, and the end frees everything. */
static sooth_status ensemble_build(sooth_env *env) {
    static const soothi_ensemble_node node[3] = {{1, 2, 0, 0, 3, 9, 0, 1, NULL, 0},
                                                 {0, 0, 0, 0, 0, 5, 1, 0, NULL, 0},
                                                 {0, 0, 0, 0, 0, 4, 2, 0, NULL, 0}};
    soothi_ensemble_shape shape;
    soothi_ensemble_builder b;
    sooth_ensemble *made = (sooth_ensemble *)nowhere;
    memset(&shape, 0, sizeof shape);
    shape.kind = SOOTH_KIND_BOOST;
    shape.features = COLS;
    shape.targets = 1;
    shape.flags = SOOTH_ENSEMBLE_COVER | SOOTH_ENSEMBLE_LOW;
    sooth_status first = now->options ? soothi_ensemble_resume(&b, env, boost) /* a word: go on */
                                      : soothi_ensemble_begin(&b, env, &shape);
    soothi_ensemble_set_base(&b, 0, 1.5);
    for (int k = 0; k < 9; ++k) {
        const sooth_status status = soothi_ensemble_add_plain_tree(&b, node, COUNT(node), NULL);
        CHECK(first == SOOTH_OK || status == first);
        first = status;
    }
    const sooth_status status = soothi_ensemble_end(&b, &made);
    CHECK(first == SOOTH_OK || status == first);
    CHECK((status == SOOTH_OK) == (made != NULL));
    if (made) keep(made, made->head.size);
    sooth_ensemble_free(env, made);
    return status;
}

static sooth_status import_read(sooth_env *env) {
    static const sooth_import_options options = {.origins = 1};
    sooth_import out;
    const char *bytes = file_of(now->options);
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_import_read(env, bytes, file_size, &options, &out);
    if (status != SOOTH_OK) {
        CHECK(!out.ensemble && !out.feature_names && !out.name_text && out.names == 0 && !out.levels &&
              !out.zero);
        return status;
    }
    keep(out.ensemble, out.ensemble->head.size);
    if (out.levels) keep(out.levels, out.levels->head.size);
    if (out.zero) keep(out.zero, out.zeros * sizeof *out.zero);
    for (uint32_t j = 0; j < out.names; ++j) keep_text(out.feature_names[j]);
    sooth_import_free(env, &out);
    return status;
}

/* The first word of the case is the model, the others are its options. */
static sooth_status model_fit(sooth_env *env) {
    char name[32];
    const sooth_model_kind *kind;
    sooth_train_recipe recipe;
    sooth_scale_options input, target;
    memset(&recipe, 0, sizeof recipe);
    memset(&input, 0, sizeof input);
    memset(&target, 0, sizeof target);
    sscanf(now->options, "%31s", name);
    CHECK_STATUS(sooth_train_kind_named(env, name, &kind), SOOTH_OK);
    options_set(sooth_model_kind_options(kind), now->options + strlen(name));
    recipe.model = name;
    memcpy(&recipe.options, set, kind->options_size);
    recipe.note = "a note";
    input.transform = SOOTH_SCALE_LOG1P_STANDARD;
    target.transform = SOOTH_SCALE_LOG_STANDARD;
    if (now->table != &threads && now->table != &halves) { /* neither takes transforms */
        recipe.input = input, recipe.has_input = 1;
        recipe.target = target, recipe.has_target = 1;
    }
    BLOCK(sooth_model, sooth_train_fit(env, now->table, &recipe, &made), sooth_model_free(env, made))
}

/* With transforms of the features and of the targets, and several quantiles. */
static sooth_status model_refit(sooth_env *env) {
    static const char plan[] = "boost n_estimators=2 quantiles=0.1,0.9 transform=standard,log-target";
    sooth_train_recipe recipe;
    sooth_model *model = NULL;
    CHECK_STATUS(sooth_train_recipe_read(NULL, plan, sizeof plan - 1, &recipe), SOOTH_OK);
    CHECK_STATUS(sooth_train_fit(NULL, &counts, &recipe, &model), SOOTH_OK);
    sooth_model *made = NULL;
    const sooth_status status = sooth_train_refit(env, model, &counts, &recipe, 0.5, &made);
    CHECK((status == SOOTH_OK) == (made != NULL));
    if (status == SOOTH_OK) keep(made, made->head.size);
    sooth_model_free(env, made);
    sooth_model_free(NULL, model);
    return status;
}

static sooth_status model_calibrate(sooth_env *env) {
    sooth_train_recipe recipe = {0};
    recipe.model = "linear";
    recipe.target_names = (const char *const[]){"y", "z"};
    BLOCK(sooth_model, fit_calibrated(env, now->table, &recipe, (sooth_calibrate_options *)set, &made),
          sooth_model_free(env, made))
}

/* A model that predicts a probability. */
static sooth_status model_says(sooth_env *env) {
    const sooth_train_recipe recipe = {.model = "linear"};
    sooth_table classes = *now->table;
    for (size_t i = 0; i < ROWS; ++i) floats[i] = (float)(i % 3 == 0);
    classes.y = floats;
    BLOCK(sooth_model, fit_calibrated(env, &classes, &recipe, (sooth_calibrate_options *)set, &made),
          sooth_model_free(env, made))
}

static sooth_status model_plan(sooth_env *env) {
    sooth_train_recipe recipe;
    CHECK_STATUS(sooth_train_recipe_init(env, &recipe, "linear"), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_set(env, &recipe, "folds", "3"), SOOTH_OK);
    CHECK_STATUS(sooth_train_recipe_read(env, now->options, strlen(now->options), &recipe), SOOTH_OK);
    BLOCK(sooth_model, sooth_train_fit(env, now->table, &recipe, &made), sooth_model_free(env, made))
}

static sooth_status model_tune(sooth_env *env) {
    sooth_tune_options *o = (sooth_tune_options *)set;
    sooth_train_recipe recipe = {0};
    sooth_tune_report report;
    recipe.model = "linear";
    o->space = "no_intercept=0,1";
    const sooth_status status = sooth_train_tune(env, now->table, &recipe, o, &recipe, &report);
    if (status != SOOTH_OK) return status;
    keep(&recipe.options.linear, sizeof recipe.options.linear);
    keep_doubles(&report.inner, 5);
    return SOOTH_OK;
}

/* The model that a case speaks of: by the first word. */
static const sooth_model *model_of(void) {
    char name[32];
    const sooth_model_kind *kind;
    sscanf(now->options, "%31s", name);
    CHECK_STATUS(sooth_train_kind_named(NULL, name, &kind), SOOTH_OK);
    return models[kind->kind];
}

static sooth_status model_map_check(sooth_env *env) {
    const sooth_train_recipe recipe = {.model = "tree"};
    sooth_table named = table;
    sooth_model *model;
    uint32_t column[COLS];
    named.names = names;
    CHECK_STATUS(sooth_train_fit(NULL, &named, &recipe, &model), SOOTH_OK);
    const sooth_status status = sooth_model_map_check(env, model, names, COLS, column);
    keep(column, sizeof column);
    sooth_model_free(NULL, model);
    return status;
}

static sooth_status model_load(sooth_env *env) {
    const size_t size = model_of()->head.size;
    CHECK(size <= sizeof numbers);
    sooth_model_save(model_of(), numbers);
    BLOCK(sooth_model, sooth_model_load(env, numbers, size, &made), sooth_model_free(env, made))
}

static sooth_status origin_make(sooth_env *env) {
    double zero[COLS + 1];
    for (size_t i = 0; i < COUNT(zero); ++i) zero[i] = 1e9 + (double)i;
    BLOCK(sooth_origin, sooth_origin_make(env, model_of(), zero, &made), sooth_origin_free(env, made))
}

static sooth_status origin_load(sooth_env *env) {
    const size_t size = model_of()->head.size;
    CHECK(size <= sizeof numbers);
    sooth_model_save(model_of(), numbers);
    BLOCK(sooth_origin, sooth_origin_load(env, numbers, size, &made), sooth_origin_free(env, made))
}

static sooth_status model_predict_table(sooth_env *env) {
    const sooth_status status = sooth_model_predict_table(env, model_of(), x, ROWS, COLS, floats);
    if (status == SOOTH_OK) keep(floats, ROWS * sizeof *floats);
    return status;
}

static sooth_status card_make(sooth_env *env) {
    sooth_model_card_content content;
    memset(&content, 0, sizeof content);
    content.features = COLS;
    content.targets = 1;
    content.feature_names = names;
    content.note = "x";
    BLOCK(sooth_model_card, sooth_model_card_make(env, &content, &made), sooth_model_card_free(env, made))
}

static sooth_status model_assemble(sooth_env *env) {
    sooth_model_parts parts;
    memset(&parts, 0, sizeof parts);
    parts.input = scale;
    parts.predictor = &linear->head;
    BLOCK(sooth_model, sooth_model_assemble(env, &parts, &made), sooth_model_free(env, made))
}

static sooth_status describe(sooth_env *env) { return sooth_model_describe(env, model_of(), &sink); }
static sooth_status describe_json(sooth_env *env) {
    return sooth_model_describe_json(env, model_of(), &sink);
}

static sooth_status export_c(sooth_env *env) {
    sooth_export_c_options o;
    memset(&o, 0, sizeof o);
    o.form = strstr(now->options, " if") ? 1 : 0;
    return sooth_export_c(env, model_of(), &o, &sink);
}

/* On a core that is found by its name, as whole numbers, with the range of its answers. */
static sooth_status core_cost(sooth_env *env) {
    sooth_core_cost cost;
    sooth_core core = SOOTH_CORE_CORTEX_M0;
    float least, most;
    sooth_status status = sooth_core_named(env, "avr", &core);
    if (status == SOOTH_OK) status = sooth_core_estimate(env, model_of(), core, SOOTH_CORE_FORM_C_16, &cost);
    return status == SOOTH_OK ? sooth_core_range(env, model_of(), 0, &least, &most) : status;
}

static sooth_status export_xgboost(sooth_env *env) {
    const sooth_export_xgboost_options o = {names, 1};
    return sooth_export_xgboost(env, sooth_model_from_block(&boost->head), &o, &sink);
}

static sooth_status export_onnx(sooth_env *env) { return sooth_export_onnx(env, model_of(), &sink); }

static sooth_status agree(sooth_env *env) {
    const sooth_status status = sooth_fail(env, SOOTH_BAD_DATA, "no rows");
    return sooth_agree(env, SOOTH_OK) == SOOTH_OK && sooth_agree(env, status) == status ? SOOTH_OK : status;
}

static sooth_status integers_convert(sooth_env *env) {
    const sooth_integers_options o = {.rule = strstr(now->options, " float") != NULL, .error = 1e6};
    BLOCK(sooth_integers, sooth_integers_convert(env, model_of(), &o, &made), sooth_integers_free(env, made))
}

static sooth_status integers_code(sooth_env *env) {
    sooth_integers_options o = {.rule = strstr(now->options, " float") != NULL};
    sooth_integers_code_options code;
    sooth_integers *whole;
    memset(&code, 0, sizeof code);
    code.form = strstr(now->options, " if")     ? SOOTH_INTEGERS_CODE_C_BRANCHES
                : strstr(now->options, " bpf")  ? SOOTH_INTEGERS_CODE_BPF
                : strstr(now->options, " rust") ? SOOTH_INTEGERS_CODE_RUST
                : strstr(now->options, " go")   ? SOOTH_INTEGERS_CODE_GO
                                                : SOOTH_INTEGERS_CODE_C;
    code.from = model_of();
    sooth_status status = sooth_integers_convert(env, model_of(), &o, &whole);
    if (status == SOOTH_OK) status = sooth_integers_code(env, whole, &code, &sink);
    sooth_integers_free(env, whole);
    return status;
}

static sooth_status export_quantise(sooth_env *env)
    BLOCK(sooth_model, sooth_export_quantise(env, model_of(), 8, floats, &made), sooth_model_free(env, made))

    /* ---- explaining ---- */

    static sooth_explain_trees view(void) {
    return strcmp(now->options, "tree") == 0     ? sooth_explain_tree(tree)
           : strcmp(now->options, "forest") == 0 ? sooth_explain_ensemble(forest)
                                                 : sooth_explain_ensemble(boost);
}

static sooth_status explain_importance(sooth_env *env) {
    const sooth_explain_trees trees = view();
    const sooth_status status = sooth_explain_importance(env, &trees, SOOTH_EXPLAIN_GAIN, numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, COLS);
    return status;
}

static sooth_status explain_paths(sooth_env *env) {
    const sooth_explain_trees trees = view();
    sooth_explain_use use[COLS];
    const sooth_status status = sooth_explain_paths(env, &trees, &table, use);
    for (size_t j = 0; status == SOOTH_OK && j < COLS; ++j) keep_doubles(&use[j].rows, 4);
    return status;
}

static sooth_status explain_shap(sooth_env *env) {
    const sooth_explain_trees trees = view();
    const sooth_status status = sooth_explain_shap(env, &trees, &table, numbers, more_numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, ROWS * COLS);
    return status;
}

static sooth_status explain_against(sooth_env *env) {
    const sooth_explain_trees trees = view();
    const sooth_status status =
        sooth_explain_shap_against(env, &trees, &table, &grouped, numbers, more_numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, ROWS * COLS);
    return status;
}

static sooth_status explain_interactions(sooth_env *env) {
    const sooth_explain_trees trees = view();
    const sooth_status status = sooth_explain_interactions(env, &trees, &table, numbers, more_numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, ROWS * COLS * COLS);
    return status;
}

static sooth_status explain_permutation(sooth_env *env) {
    sooth_explain_trees trees = view();
    const sooth_status status = sooth_explain_permutation(env, &table, sooth_explain_predict, &trees, NULL,
                                                          numbers, more_numbers, third);
    if (status == SOOTH_OK) keep_doubles(numbers, COLS);
    return status;
}

static sooth_status explain_grid(sooth_env *env) {
    size_t count = 0;
    const sooth_status status = sooth_explain_grid(env, &table, 1, 7, floats, &count);
    if (status == SOOTH_OK) keep(floats, count * sizeof *floats);
    return status;
}

static sooth_status explain_dependence(sooth_env *env) {
    static const float grid[] = {1, 5, 9};
    sooth_explain_trees trees = view();
    const sooth_status status = sooth_explain_dependence(env, &table, 1, grid, COUNT(grid),
                                                         sooth_explain_predict, &trees, 1, numbers, floats);
    if (status == SOOTH_OK) keep_doubles(numbers, COUNT(grid));
    return status;
}

/* ---- sampling; configurations, programs side by side ---- */

static size_t room_short; /* bytes that memory handed to an _init is less than it needs */
static double room[1 << 15];

static sooth_status halton_init(sooth_env *env) {
    sooth_halton *halton;
    sooth_halton_options *o = (sooth_halton_options *)set;
    const size_t size = sooth_halton_size(o);
    const sooth_status status = sooth_halton_init(env, o, room, size - room_short, &halton);
    if (status == SOOTH_OK) {
        sooth_halton_row(halton, 77, o->dims, numbers);
        keep_doubles(numbers, o->dims);
    }
    return status;
}

static sooth_status sobol_init(sooth_env *env) {
    sooth_sobol *sobol;
    sooth_sobol_options *o = (sooth_sobol_options *)set;
    const size_t size = sooth_sobol_size(o);
    const sooth_status status = sooth_sobol_init(env, o, room, size - room_short, &sobol);
    if (status == SOOTH_OK) {
        sooth_sobol_row(sobol, 77, o->dims, numbers);
        keep_doubles(numbers, o->dims);
    }
    return status;
}

static sooth_status drift_init(sooth_env *env) {
    sooth_page_hinkley hinkley;
    sooth_cusum cusum;
    sooth_status status = sooth_page_hinkley_init(env, &hinkley, NULL);
    if (status == SOOTH_OK) status = sooth_cusum_init(env, &cusum, NULL);
    for (int i = 0; status == SOOTH_OK && i < 300; ++i) {
        const double v = (double)sooth_page_hinkley_update(&hinkley, (float)(i / 100)) +
                         3 * (double)sooth_cusum_update(&cusum, (float)(i * i % 7 + i / 200 * 9));
        keep_doubles(&v, 1);
    }
    return status;
}

static sooth_status adwin_init(sooth_env *env) {
    sooth_adwin *adwin = (sooth_adwin *)nowhere;
    const size_t size = sooth_adwin_size((sooth_adwin_options *)set);
    const sooth_status status =
        sooth_adwin_init(env, (sooth_adwin_options *)set, room, size - room_short, &adwin);
    CHECK((status == SOOTH_OK) == (adwin != NULL));
    for (int i = 0; status == SOOTH_OK && i < 300; ++i) {
        const double v = (double)sooth_adwin_update(adwin, (float)(i / 100)) + adwin->width;
        keep_doubles(&v, 1);
    }
    return status;
}

static sooth_status recorder_init(sooth_env *env) {
    sooth_recorder *recorder = (sooth_recorder *)nowhere;
    const size_t size = sooth_recorder_size((sooth_recorder_options *)set);
    const sooth_status status =
        sooth_recorder_init(env, (sooth_recorder_options *)set, room, size - room_short, &recorder);
    CHECK((status == SOOTH_OK) == (recorder != NULL));
    for (int i = 0; status == SOOTH_OK && i < 99; ++i) {
        const float row[2] = {(float)i, 1.0f};
        const double v = sooth_recorder_observe(recorder, (uint64_t)(i % 5), row, (float)(i * i % 17));
        keep_doubles(&v, 1);
    }
    return status;
}

static sooth_status delayed_init(sooth_env *env) {
    static const float level[] = {0.5f, 0.9f};
    sooth_conformal_delayed *delayed = (sooth_conformal_delayed *)nowhere;
    const size_t size = sooth_conformal_delayed_size((sooth_conformal_delayed_options *)set, 2);
    sooth_status status = sooth_conformal_delayed_init(env, (sooth_conformal_delayed_options *)set, level, 2,
                                                       room, size - room_short, &delayed);
    CHECK((status == SOOTH_OK) == (delayed != NULL));
    for (int i = 0; status == SOOTH_OK && i < 60; ++i) {
        float end[2];
        uint64_t ticket;
        status = sooth_conformal_delayed_send(env, delayed, 10, NULL, &ticket);
        if (status == SOOTH_OK)
            status = sooth_conformal_delayed_waiting(env, delayed, ticket, (float)(i % 7));
        if (status == SOOTH_OK)
            status = i % 9 ? sooth_conformal_delayed_learn(env, delayed, ticket, (float)(7 + i % 11))
                           : sooth_conformal_delayed_forget(env, delayed, ticket);
        sooth_conformal_delayed_predict(delayed, 10, end);
        const double v = (double)end[0] < 1e30 ? (double)end[0] + (double)end[1] : -1;
        keep_doubles(&v, 1);
    }
    return status;
}

static sooth_status scorer_init(sooth_env *env) {
    enum { MANY = 70 };
    static double work[1 << 13];
    sooth_scorer *scorer = (sooth_scorer *)nowhere;
    float out[MANY];
    const size_t size = sooth_scorer_size(boost);
    const sooth_status status = sooth_scorer_init(env, boost, room, size - room_short, &scorer);
    CHECK((status == SOOTH_OK) == (scorer != NULL));
    if (status != SOOTH_OK) return status;
    CHECK(sooth_scorer_scratch_size(scorer) <= sizeof work);
    sooth_scorer_predict_many(scorer, table.x, MANY, 0, out, work);
    keep(out, sizeof out);
    return status;
}

static sooth_status location_init(sooth_env *env) {
    sooth_location *location = (sooth_location *)nowhere;
    const size_t size = sooth_location_size((sooth_location_options *)set);
    const sooth_status status =
        sooth_location_init(env, (sooth_location_options *)set, room, size - room_short, &location);
    CHECK((status == SOOTH_OK) == (location != NULL));
    for (int i = 0; status == SOOTH_OK && i < 99; ++i) {
        const double v = (double)sooth_location_update(location, (float)(i * i % 17)) + location->outside;
        keep_doubles(&v, 1);
    }
    return status;
}

static sooth_status encode_init(sooth_env *env) {
    sooth_encode *encode;
    const size_t size = sooth_encode_size((sooth_encode_options *)set);
    const sooth_status status =
        sooth_encode_init(env, (sooth_encode_options *)set, room, size - room_short, &encode);
    for (uint64_t i = 0; status == SOOTH_OK && i < 99; ++i) {
        const uint64_t level[2] = {i * i % 17, i * i % 5};
        sooth_encode_update(encode, level, (float)i, (uint32_t)i);
    }
    if (status == SOOTH_OK) keep(encode, encode->head.size);
    return status;
}

static sooth_status encode_fit(sooth_env *env) {
    static uint64_t level[ROWS];
    for (uint64_t i = 0; i < ROWS; ++i) level[i] = i * i % 17;
    BLOCK(sooth_encode,
          sooth_encode_fit(env, level, positive, NULL, ROWS, (sooth_encode_options *)set, NULL, &made),
          sooth_encode_free(env, made))
}

/* Rows of small whole numbers are their own levels. */
static sooth_status levels_fit(sooth_env *env) {
    static float values[2 * ROWS];
    static const uint8_t both[] = {1, 1};
    const sooth_table table = sooth_table_of(values, positive, ROWS, 2);
    for (size_t i = 0; i < 2 * ROWS; ++i) values[i] = (float)(i * i % 17);
    BLOCK(sooth_levels, sooth_levels_fit(env, &table, both, NULL, (sooth_levels_options *)set, NULL, &made),
          sooth_levels_free(env, made))
}

static sooth_status levels_learn(sooth_env *env) {
    static float values[2 * ROWS];
    static const uint8_t both[] = {1, 1};
    const sooth_table table = sooth_table_of(values, positive, ROWS, 2);
    sooth_levels *names = NULL;
    for (size_t i = 0; i < 2 * ROWS; ++i) values[i] = (float)(i * i % 17);
    if (sooth_levels_fit(NULL, &table, both, NULL, NULL, values, &names) != SOOTH_OK) return SOOTH_BAD_DATA;
    sooth_levels *made = (sooth_levels *)nowhere;
    const sooth_status status =
        sooth_levels_fit_statistics(env, names, &table, (sooth_levels_options *)set, NULL, &made);
    sooth_levels_free(NULL, names);
    if (status != SOOTH_OK) {
        CHECK(made == NULL);
        return status;
    }
    keep(made, made->head.size);
    sooth_levels_free(env, made);
    return SOOTH_OK;
}

static sooth_status grid_init(sooth_env *env) {
    static const uint32_t levels[] = {3, 4, 50};
    sooth_grid *grid;
    sooth_grid_options o;
    memset(&o, 0, sizeof o);
    o.knobs = COUNT(levels);
    o.levels = levels;
    return sooth_grid_init(env, &o, room, sooth_grid_size(&o) - room_short, &grid);
}

static sooth_status rls_init(sooth_env *env) {
    sooth_rls *rls;
    return sooth_rls_init(env, NULL, COLS, room, sooth_rls_size(COLS) - room_short, &rls);
}

static sooth_status learner_init(sooth_env *env) {
    sooth_sofnn_learner *learner;
    sooth_sofnn_learner_options o;
    memset(&o, 0, sizeof o);
    o.network.max_rules = 4;
    return sooth_sofnn_learner_init(env, &o, COLS, 1, room,
                                    sooth_sofnn_learner_size(&o, COLS, 1) - room_short, &learner);
}

static sooth_configure *configure;
static double configure_room[1 << 10];
static sooth_status configure_init(sooth_env *env) {
    sooth_configure_options o;
    sooth_configure *machine;
    memset(&o, 0, sizeof o);
    o.machine = small_machine();
    return sooth_configure_init(env, &o, NULL, 0, 2, room, sooth_configure_size(16, 2) - room_short,
                                &machine);
}

static const sooth_configure_run runs[] = {{0, 0, 8, 10}, {5, 0, 4, 14},  {12, 0, 2, 20}, {1, 1, 9, 10},
                                           {6, 1, 4, 15}, {15, 1, 2, 22}, {3, 2, 5, 11},  {9, 2, 3, 17}};

static sooth_status configure_learn(sooth_env *env) {
    sooth_scaling_prior a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    const sooth_status status = sooth_configure_fit_priors(env, configure, runs, COUNT(runs), NULL, &a, &b);
    if (status != SOOTH_OK) return status;
    keep(&a, sizeof a);
    keep(&b, sizeof b);
    return status;
}

static sooth_status configure_use(sooth_env *env) {
    sooth_configure_goal goal;
    sooth_configure_choice choice;
    sooth_configure_experiment next;
    sooth_configure_run run[8];
    sooth_configure_loop loop;
    memset(&goal, 0, sizeof goal);
    memset(&loop, 0, sizeof loop);
    loop.configure = configure;
    loop.run = run;
    loop.capacity = COUNT(run);
    sooth_status status = sooth_configure_step(env, &loop, 0, 0);
    if (status == SOOTH_OK) status = sooth_configure_fit(env, configure, runs, 3);
    if (status == SOOTH_OK) status = sooth_configure_choose(env, configure, &goal, &choice);
    if (status == SOOTH_OK) status = sooth_configure_next(env, configure, 0, &next);
    return status;
}

static sooth_status r2_init(sooth_env *env) {
    sooth_r2 *r2;
    return sooth_r2_init(env, 2, room, sooth_r2_size(2) - room_short, &r2);
}

static sooth_status latin_fill(sooth_env *env) {
    const sooth_status status = sooth_lhs_fill(env, 1, 0, 20, 3, numbers);
    if (status == SOOTH_OK) keep_doubles(numbers, 60);
    return status;
}

static sooth_status allocate(sooth_env *env) {
    sooth_allocate machine;
    sooth_allocate_result result;
    sooth_status status = sooth_allocate_init(env, &machine, 24, 2);
    if (status == SOOTH_OK) status = sooth_allocate_observe(env, &machine, 0, 2, 1.2f, 0);
    if (status == SOOTH_OK) status = sooth_allocate_even(env, &machine, &result);
    if (status == SOOTH_OK) status = sooth_allocate_decide(env, &machine, NULL, &result);
    if (status == SOOTH_OK) status = sooth_allocate_best(env, &machine, SOOTH_ALLOCATE_LEAST_WORST, &result);
    return status;
}

static sooth_status next_settings(sooth_env *env) {
    static const float time[] = {3, NAN, 2, 5, 4, 7, 6, 9, 8, 10, 1};
    static const uint32_t tried[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    float x[2 * 32], prior[2 * 32];
    uint32_t next[4];
    size_t count = 4;
    for (size_t i = 0; i < 64; ++i) prior[i] = (float)(1 + i * 7 % 16);
    for (size_t i = 0; i < 32; ++i) x[2 * i] = (float)(i / 4), x[2 * i + 1] = (float)(i % 4);
    const sooth_table space = sooth_table_of(x, NULL, 32, 2);
    settings_known known = {&space, prior, 2, tried, time, 11, 1};
    sooth_status status = settings_next(env, &known, next, &count);
    if (status == SOOTH_OK) keep(next, count * sizeof *next);
    known.runs = 5;
    if (status == SOOTH_OK) status = settings_fill(env, &known, prior);
    if (status == SOOTH_OK) keep(prior, 32 * sizeof *prior);
    return status;
}

static const char card_text[] = "name = a\nalone_time = 2\nalone_power = 30\npressure = 5\n";
static sooth_fairness_card card;

static sooth_status fairness(sooth_env *env) {
    static const double shared[] = {1, 2}, alone[] = {2, 3}, here[] = {1, 2, 4, 8}, there[] = {2, 5, 8, 17};
    static const uint32_t fields[] = {SOOTH_FAIRNESS_ALONE_TIME};
    const sooth_fairness_card *const cards[] = {&card, &card};
    const double threshold[2] = {1, 2};
    sooth_fairness_outcome outcome;
    sooth_fairness_translation translation;
    sooth_fairness_form form;
    double found = 0;
    sooth_status status = sooth_fairness_card_read(env, card_text, sizeof card_text - 1, NULL, &card);
    if (status == SOOTH_OK) status = sooth_fairness(env, shared, alone, 2, &found);
    if (status == SOOTH_OK) status = sooth_fairness_combination(env, 0, &form);
    memset(&form, 0, sizeof form);
    form.fields = 1;
    form.field[0] = SOOTH_FAIRNESS_ALONE_TIME;
    if (status == SOOTH_OK) status = sooth_fairness_vector(env, &form, cards, 2, threshold, NULL, floats);
    if (status == SOOTH_OK) status = sooth_fairness_any(env, fields, 1, cards, 2, 0, floats);
    if (status == SOOTH_OK) status = sooth_fairness_limit(env, cards, 2, 3, 40, 0, &outcome);
    if (status == SOOTH_OK) status = sooth_fairness_translate_fit(env, here, there, 4, 0, &translation);
    return status;
}

static sooth_status fairness_write(sooth_env *env) { return sooth_fairness_card_write(env, &card, &sink); }

static sooth_status fairness_thresholds(sooth_env *env) {
    double threshold[2];
    const sooth_fairness_method method =
        now->options[0] == 't' ? SOOTH_FAIRNESS_TERCILES : SOOTH_FAIRNESS_CLUSTERS;
    const sooth_status status = sooth_fairness_thresholds(env, positive, ROWS, method, threshold);
    if (status == SOOTH_OK) keep_doubles(threshold, 2);
    return status;
}

/* ---- GPUs and PTX ---- */

static sooth_gpu gpu;
static sooth_gpu_launch launch;

static sooth_status gpu_use(sooth_env *env) {
    static const char text[] = "name = mine\nlike = v100\nsms = 3\n";
    sooth_gpu read;
    sooth_gpu_fit fit;
    sooth_status status = sooth_gpu_named(env, "v100", &gpu);
    if (status == SOOTH_OK) status = sooth_gpu_read(env, text, sizeof text - 1, &read);
    if (status == SOOTH_OK) status = sooth_gpu_occupancy(env, 70, &launch, &fit);
    return status;
}

static sooth_status language_use(sooth_env *env) {
    const sooth_language_batch batch = {.decode = 4, .context = 100};
    sooth_language_operator op[SOOTH_LANGUAGE_MAX_OPERATORS];
    sooth_language_model language;
    sooth_language_counts of;
    size_t count;
    sooth_status status = sooth_language_named(env, "deepseek-v3", &language);
    if (status == SOOTH_OK)
        status = sooth_language_step(env, &language, &batch, op, SOOTH_LANGUAGE_MAX_OPERATORS, &count);
    if (status == SOOTH_OK) status = sooth_language_count(env, &language, &batch, &of);
    return status;
}

static sooth_status gpu_time_use(sooth_env *env) {
    const sooth_operator op = {.kind = SOOTH_OPERATOR_BMM, .b = 8, .m = 512, .n = 64, .k = 512};
    sooth_gpu h100;
    sooth_work work;
    sooth_roofline roof;
    sooth_gpu_timer timer;
    sooth_gpu_timing timing;
    float memory[4096];
    sooth_status status = sooth_gpu_board_named(env, "NVIDIA H100", &h100);
    if (status == SOOTH_OK) status = sooth_operator_work(env, &op, &work);
    if (status == SOOTH_OK) status = sooth_roofline_compute(env, &h100, &work, &roof);
    if (status == SOOTH_OK) status = sooth_gpu_timer_init(env, &timer, &h100, NULL);
    if (status == SOOTH_OK) status = sooth_gpu_time(env, &timer, &op, &timing);
    if (status == SOOTH_OK) status = sooth_gpu_time_work(env, &timer, &work, &timing);
    const sooth_operator gemm = {
        .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 64, .n = 512, .k = 512};
    sooth_gpu_language_time language;
    int16_t row[SOOTH_GPU_LANGUAGE_FEATURES];
    double law;
    if (status == SOOTH_OK)
        status = sooth_gpu_language_row(env, &timer.language, sooth_gpu_language_gemm(), &gemm, row, &law);
    if (status == SOOTH_OK)
        status =
            sooth_gpu_language_predict(env, &timer.language, sooth_gpu_language_gemm(), &gemm, &language);
    double size[SOOTH_GPU_LANGUAGE_SIZES];
    if (status == SOOTH_OK) status = sooth_gpu_language_sizes(env, &gemm, size);
    sooth_adapt_program *device = sooth_adapt_begin(sooth_gpu_time_adapt(), memory, sizeof memory);
    if (status == SOOTH_OK) status = sooth_gpu_time_observe(env, &timer, device, &op, 0.5);
    if (status == SOOTH_OK) status = sooth_gpu_time_adapted(env, &timer, device, &op, &timing);
    return status;
}

static sooth_status gpu_measured_use(sooth_env *env) {
    const sooth_operator op = {
        .kind = SOOTH_OPERATOR_GEMM, .dtype = SOOTH_TYPE_BF16, .m = 64, .n = 1024, .k = 2048};
    sooth_gpu h100;
    sooth_gpu_timer timer;
    sooth_gpu_timing timing;
    sooth_gpu_power power;
    size_t chosen;
    float memory[256];
    sooth_gpu_measured *measured = sooth_gpu_measured_begin(memory, sizeof memory);
    sooth_status status = sooth_gpu_named(env, "h100", &h100);
    if (status == SOOTH_OK) status = sooth_gpu_timer_init(env, &timer, &h100, NULL);
    if (status == SOOTH_OK) status = sooth_gpu_watts(env, &timer, &op, 0.5, &power);
    if (status == SOOTH_OK) status = sooth_gpu_measured_observe(env, &timer, measured, &op, 0.5);
    if (status == SOOTH_OK) status = sooth_gpu_measured_time(env, &timer, measured, &op, &timing);
    if (status == SOOTH_OK) status = sooth_gpu_measured_next(env, &timer, measured, &op, 1, &chosen);
    return status;
}

static sooth_status gpu_write(sooth_env *env) { return sooth_gpu_write(env, &gpu, &sink); }

static sooth_status ptx_read(sooth_env *env) {
    sooth_ptx out;
    const char *text = file_of(now->options);
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_ptx_read(env, text, file_size, NULL, &out);
    if (status != SOOTH_OK) {
        CHECK(!out.function && !out.instruction && !out.form && !out.block && !out.edge && !out.loop);
        CHECK(!out.label && !out.variable && !out.note && out.functions == 0);
        return status;
    }
    keep(out.instruction, out.instructions * sizeof *out.instruction);
    keep(out.block, out.blocks * sizeof *out.block);
    keep(out.edge, out.edges * sizeof *out.edge);
    sooth_ptx_free(env, &out);
    return status;
}

static sooth_status ptx_count(sooth_env *env) {
    static const sooth_ptx_value values[] = {{"%ntid.x", 256}};
    sooth_ptx_count_options trips;
    sooth_ptx_counts out;
    memset(&trips, 0, sizeof trips);
    trips.default_trip = 3;
    trips.value = values;
    trips.values = 1;
    memset(&out, 0x77, sizeof out);
    const sooth_status status = sooth_ptx_count(env, &ptx, 0, &trips, &out);
    if (status != SOOTH_OK) {
        CHECK(!out.form && !out.block && !out.trip && !out.origin);
        return status;
    }
    keep_doubles(out.form, ptx.forms);
    keep_doubles(out.block, ptx.blocks);
    sooth_ptx_counts_free(env, &ptx, &out);
    return status;
}

static sooth_status ptx_function(sooth_env *env) {
    return sooth_ptx_write_function(env, &ptx, 0, &ptx_counts, &sink);
}

static sooth_status pfea(sooth_env *env) {
    const pfea_tool_gpu *tool = NULL;
    pfea_tool_counts tool_counts;
    sooth_pfea out;
    size_t kernel = 0;
    sooth_gpu_fit fit;
    sooth_status status = sooth_ptx_kernel_named(env, &ptx, NULL, &kernel);
    if (status == SOOTH_OK) status = sooth_gpu_launch_check(env, &gpu, &ptx, kernel, &launch, &fit);
    if (status == SOOTH_OK)
        status = sooth_pfea_extract(env, &ptx, kernel, &ptx_counts, &gpu, &launch, NULL, &out);
    if (status == SOOTH_OK) keep_doubles(out.value, SOOTH_PFEA_FEATURES);
    if (status == SOOTH_OK) status = pfea_tool_named(env, "k20", &tool);
    if (status == SOOTH_OK)
        status = pfea_tool_count(env, ptx.text, ptx.size, ptx.function[kernel].name, &tool_counts);
    if (status == SOOTH_OK) status = pfea_tool_features(env, tool, &tool_counts, &launch, 35, &out);
    return status;
}

/* ---- jobs next to each other, and files ---- */

static sooth_status neighbours_use(sooth_env *env) {
    static double memory[8192];
    static const double seconds[] = {3, 5};
    const sooth_neighbours_options options = {4, 16, 0};
    const uint32_t job[] = {0, 1};
    uint32_t machine[2];
    sooth_neighbours *n;
    sooth_fairness_card card;
    sooth_status status = sooth_neighbours_init(env, &options, memory, sizeof memory, &n);
    for (size_t k = 0; k < 2 && status == SOOTH_OK; ++k)
        status = sooth_neighbours_observe(env, n, &job[k], &seconds[k], 1);
    if (status == SOOTH_OK) status = sooth_neighbours_observe(env, n, job, seconds, 2);
    sooth_fairness_card_init(&card, NULL);
    card.value[SOOTH_FAIRNESS_SLOWDOWN_LOW] = 1.5;
    if (status == SOOTH_OK) status = sooth_neighbours_card(env, n, 1, &card);
    return status == SOOTH_OK ? sooth_neighbours_place(env, n, job, 2, 2, machine) : status;
}

static sooth_status files_use(sooth_env *env) {
    char path[64];
    static const float rows[] = {1, 2, 3, 4}, target[] = {1, 1, 2, 2};
    sooth_table table = sooth_table_of(rows, target, 4, 1);
    sooth_buffer buffer = {NULL, 0, 0, NULL};
    sooth_sink memory = sooth_buffer_sink(&buffer);
    sooth_model *model = NULL;
    sooth_tree *tree;
    sooth_file file;
    /* two runs at a time have other addresses */
    snprintf(path, sizeof path, "/tmp/sooth_test_faults_%p", (void *)path);
    buffer.env = env;
    sooth_text_write(&memory, "text", 4);
    sooth_status status =
        memory.failed ? sooth_no_memory(env, "a text", 4) : sooth_file_write(env, path, "text", 4);
    sooth_buffer_free(&buffer);
    if (status == SOOTH_OK) status = sooth_file_read(env, path, &file);
    if (status == SOOTH_OK) sooth_file_free(env, &file);
    if (status == SOOTH_OK) status = sooth_tree_fit(env, &table, NULL, &tree);
    if (status != SOOTH_OK) return status;
    status = sooth_file_save_model(env, sooth_model_from_block(&tree->head), path);
    sooth_tree_free(env, tree);
    if (status == SOOTH_OK) status = sooth_file_load_model(env, path, &model);
    sooth_model_free(env, model);
    if (status == SOOTH_OK) status = sooth_file_map(env, path, &file);
    if (status == SOOTH_OK) sooth_file_free(env, &file);
    remove(path);
    return status;
}

/* ---- charts ---- */

static sooth_status svg(sooth_env *env) {
    static const double a[] = {1, 2, 3, 5}, b[] = {2, 3, 5, 8};
    static const uint32_t c[] = {0, 1, 0, 1};
    static const char *const four[] = {"p & q", "r", "s", "t"};
    (void)env;
    if (now->options[0] == 'p') {
        svg_points chart;
        memset(&chart, 0, sizeof chart);
        chart.x = a, chart.y = b, chart.count = 4, chart.labels = four;
        svg_scatter(&sink, &chart);
    } else if (now->options[0] == 'b') {
        svg_bar_chart chart;
        memset(&chart, 0, sizeof chart);
        chart.value = a, chart.names = four, chart.count = 4;
        svg_bars(&sink, &chart);
    } else if (now->options[0] == 's') {
        svg_strip_chart chart;
        memset(&chart, 0, sizeof chart);
        chart.value = a, chart.category = c, chart.count = 4, chart.names = four, chart.categories = 2;
        svg_strips(&sink, &chart);
    } else if (now->options[0] == 'v') {
        svg_violin_chart chart;
        memset(&chart, 0, sizeof chart);
        chart.value = a, chart.category = c, chart.count = 4, chart.names = four, chart.categories = 2;
        svg_violins(&sink, &chart);
    } else if (now->options[0] == 'h') {
        svg_heat_map chart;
        memset(&chart, 0, sizeof chart);
        chart.value = a, chart.rows = chart.cols = 2, chart.row_names = chart.col_names = four;
        svg_heat(&sink, &chart);
    } else if (now->options[0] == 'l') {
        svg_line_chart chart;
        memset(&chart, 0, sizeof chart);
        chart.x = a, chart.y = b, chart.count = 4, chart.series = 1;
        svg_lines(&sink, &chart);
    } else {
        svg_text(&sink, "a < b & c");
    }
    return SOOTH_OK;
}

/* ---- all cases ---- */

#define LIST(kind) sooth_##kind##_options_list
static const fault cases[] = {
    {"table_take", table_take, NULL, NULL, &grouped, SOOTH_OK},
    {"checks", table_check, NULL, NULL, NULL, SOOTH_OK},
    {"checks of options", checks_of_options, NULL, NULL, NULL, SOOTH_OK},
    {"blocks_read, _free", blocks_read, NULL, NULL, &grouped, SOOTH_OK},
    {"csv_read", csv_read, NULL, NULL, NULL, SOOTH_OK},
    {"csv_exact", csv_exact, NULL, NULL, NULL, SOOTH_OK},
    {"csv_source_open, train_fit_source", csv_source, NULL, NULL, NULL, SOOTH_OK},
    {"linear_fit_source", linear_fit_source, NULL, NULL, &grouped, SOOTH_OK},
    {"csv_table", csv_table, NULL, NULL, NULL, SOOTH_OK},
    {"csv_duplicates", csv_duplicates, NULL, NULL, NULL, SOOTH_OK},
    {"csv_write", csv_write, NULL, NULL, &grouped, SOOTH_OK},
    {"csv_put, text", csv_cells, NULL, NULL, NULL, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=kfold repeats=2", &grouped, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=holdout stratify=target", &grouped, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=kfold stratify=group", &grouped, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=group_kfold folds=2", &grouped, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=leave_one_group_out", &grouped, SOOTH_OK},
    {"split_make", split_make, LIST(split), "method=time", &grouped, SOOTH_OK},
    {"split_inner", split_inner, NULL, NULL, NULL, SOOTH_OK},
    {"split_take", split_take, NULL, NULL, NULL, SOOTH_OK},
    {"metrics_compute", metrics_compute, NULL, NULL, NULL, SOOTH_OK},
    {"probability_fit", probability_fit, NULL, "sigmoid", NULL, SOOTH_OK},
    {"probability_fit", probability_fit, NULL, "isotonic", NULL, SOOTH_OK},
    {"ratio_fit", ratio_fit, NULL, "column 1+0.5*column 2+1e6", &table, SOOTH_OK},
    {"ratio_fit", ratio_fit, NULL, "learn:column 1+column 2", &table, SOOTH_OK},
    {"metrics_compute_binary", metrics_compute_binary, NULL, NULL, NULL, SOOTH_OK},
    {"cluster_fit", cluster_fit, LIST(cluster), "", &table, SOOTH_OK},
    {"cluster_fit", cluster_fit, LIST(cluster), "", &threads, SOOTH_OK},
    {"cluster_silhouette", cluster_silhouette, NULL, NULL, NULL, SOOTH_OK},
    {"correlate_pair", correlate_pair, NULL, "pearson", NULL, SOOTH_OK},
    {"correlate_pair", correlate_pair, NULL, "spearman", NULL, SOOTH_OK},
    {"correlate_pair", correlate_pair, NULL, "kendall", NULL, SOOTH_OK},
    {"correlate_matrix", correlate_matrix, NULL, "pearson", NULL, SOOTH_OK},
    {"correlate_matrix", correlate_matrix, NULL, "spearman", NULL, SOOTH_OK},
    {"correlate_matrix", correlate_matrix, NULL, "kendall", NULL, SOOTH_OK},
    {"correlate_rank", correlate_rank, NULL, "spearman", NULL, SOOTH_OK},
    {"conformal_fit", conformal_fit, LIST(conformal), "tails=each", &table, SOOTH_OK},
    {"conformal_fit", conformal_fit, LIST(conformal), "scale=log groups=whole", &grouped, SOOTH_OK},
    {"conformal_fit_quantiles", conformal_fit_quantiles, LIST(conformal), "", &grouped, SOOTH_OK},
    {"conformal_cross", conformal_cross, LIST(conformal), "", &table, SOOTH_OK},
    {"conformal_cross", conformal_cross, LIST(conformal), "tails=each level=0.5", &grouped, SOOTH_OK},
    {"model_predict_table", model_predict_table, NULL, "linear", NULL, SOOTH_OK},
    {"train_fit", model_calibrate, LIST(calibrate), "folds=3", &two, SOOTH_OK},
    {"train_fit", model_calibrate, LIST(calibrate), "adapt=always level=0.8", &grouped, SOOTH_OK},
    {"train_fit", model_calibrate, LIST(calibrate), "tails=upper level=0.8", &grouped, SOOTH_OK},
    {"train_fit", model_says, LIST(calibrate), "probability=sigmoid folds=3", &grouped, SOOTH_OK},
    {"train_fit", model_says, LIST(calibrate), "probability=isotonic folds=3", &grouped, SOOTH_OK},
    {"train_fit", model_plan, NULL, "tree max_depth=2", &table, SOOTH_OK},
    {"train_fit", model_plan, NULL, "tree max_depth=2 ratio_to=a+1000", &named, SOOTH_OK},
    {"train_fit", model_plan, NULL, "tree max_depth=2 teacher=linear", &named, SOOTH_OK},
    {"train_fit", model_plan, NULL, "linear transform=standard interval=0.8 folds=3", &grouped, SOOTH_OK},
    {"train_refit", model_refit, NULL, NULL, NULL, SOOTH_OK},
    {"train_tune", model_tune, LIST(tune), "method=grid folds=2", &two, SOOTH_OK},
    {"train_tune", model_tune, LIST(tune), "method=grid folds=2 outer=2 metric=r2", &grouped, SOOTH_OK},
    {"adapt_fit", adapt_fit, LIST(adapt), "draws=2 capacity=3", &grouped, SOOTH_OK},
    {"adapt_fit", adapt_fit, LIST(adapt), "draws=1 capacity=2 scale=difference", &grouped, SOOTH_OK},
    {"scale_fit", scale_fit, LIST(scale), "transform=standard", &table, SOOTH_OK},
    {"scale_fit", scale_fit, LIST(scale), "transform=robust", &gaps, SOOTH_OK},
    {"linear_fit", linear_fit, LIST(linear), "method=least_squares", &table, SOOTH_OK},
    {"linear_fit", linear_fit, LIST(linear), "method=ridge lambda=1", &two, SOOTH_OK},
    {"linear_fit", linear_fit, LIST(linear), "method=non_negative", &table, SOOTH_OK},
    {"linear_fit", linear_fit, LIST(linear), "method=huber", &table, SOOTH_OK},
    {"linear_fit", linear_fit, LIST(linear), "products=1", &two, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "", &gaps, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "criterion=absolute max_leaves=7", &two, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "criterion=poisson bins=16 ccp_alpha=0.1", &counts, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "criterion=relative no_statistics=1 max_features=2", &counts,
     SOOTH_OK},
    {"tree_fit", tree_rising, LIST(tree), "criterion=friedman max_depth=3", &table, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "linear_leaves=1 min_samples_leaf=5", &gaps, SOOTH_OK},
    {"tree_fit", tree_rising, LIST(tree), "linear_leaves=1 min_samples_leaf=5 ccp_alpha=0.01", &table,
     SOOTH_OK},
    {"tree_prune", tree_prune, NULL, NULL, NULL, SOOTH_OK},
    {"tree_pruning_path", tree_path, NULL, NULL, NULL, SOOTH_OK},
    {"tree_importance", tree_importance, NULL, NULL, NULL, SOOTH_OK},
    {"tree_write", tree_write, NULL, NULL, NULL, SOOTH_OK},
    {"tree_write_named", tree_named, NULL, NULL, NULL, SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3", &gaps, SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3 keep_rows=1 splitter=random", &table, SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3 bins=16 max_leaves=5", &two, SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3 criterion=absolute no_bootstrap=1 no_cover=1",
     &grouped, SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3 linear_leaves=1 min_samples_leaf=5", &gaps,
     SOOTH_OK},
    {"forest_resume", forest_resume, LIST(forest), "n_estimators=3 keep_rows=1", NULL, SOOTH_OK},
    {"forest_out_of_bag", forest_out_of_bag, LIST(forest), "n_estimators=5 keep_rows=1", NULL, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=3 max_depth=3", &gaps, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=3 cat_smooth=1 max_cat_to_onehot=1", &levels,
     SOOTH_OK},
    {"forest_fit", forest_fit, LIST(forest), "n_estimators=3 criterion=absolute", &levels, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "ccp_alpha=0.01", &levels, SOOTH_OK},
    {"tree_fit", tree_fit, LIST(tree), "linear_leaves=1 min_samples_leaf=5 bins=16", &levels, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=3 method=exact", &two, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost),
     "n_estimators=3 grow_policy=lossguide subsample=0.5 colsample_bytree=0.5 gamma=1", &table, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=3 grow_policy=symmetric loss=absolute", &table,
     SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=9 patience=2 loss=poisson", &counts, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=9 patience=2 validation_fraction=0.3", &grouped,
     SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=5 patience=2 linear_leaves=1 min_samples_leaf=4",
     &gaps, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=3 linear_leaves=1 min_samples_leaf=4 method=exact",
     &two, SOOTH_OK},
    {"boost_fit", boost_custom, LIST(boost), "n_estimators=3", &table, SOOTH_OK},
    {"boost_fit_report", boost_watched, LIST(boost), "n_estimators=5 patience=1", &table, SOOTH_OK},
    {"boost_resume", boost_resume, LIST(boost), "n_estimators=3", NULL, SOOTH_OK},
    {"boost_refit", boost_refit, LIST(boost), "n_estimators=3", NULL, SOOTH_OK},
    {"boost_refit", boost_refit, LIST(boost), "loss=absolute", NULL, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=4 quantiles=0.1,0.5,0.9", &table, SOOTH_OK},
    {"boost_fit", boost_fit, LIST(boost), "n_estimators=4 quantiles=0.1,0.9 linear_leaves=1", &table,
     SOOTH_OK},
    {"mlp_fit", mlp_fit, LIST(mlp), "epochs=2 hidden_1=4", &table, SOOTH_OK},
    {"mlp_fit", mlp_fit, LIST(mlp), "epochs=2 hidden_1=4 optimiser=lbfgs validation_fraction=0.2", &two,
     SOOTH_OK},
    {"mlp_fit", mlp_fit, LIST(mlp), "epochs=2 hidden_1=5 hidden_2=3 optimiser=rprop dropout=0.2", &grouped,
     SOOTH_OK},
    {"mlp_fit", mlp_rising, LIST(mlp), "epochs=2 hidden_1=4 optimiser=sgd schedule=plateau", &table,
     SOOTH_OK},
    {"mlp_make", mlp_make, NULL, NULL, NULL, SOOTH_OK},
    {"mlp_gradient", mlp_gradient, NULL, NULL, NULL, SOOTH_OK},
    {"mlp_bounds", mlp_bounds, NULL, NULL, NULL, SOOTH_OK},
    {"mlp_quantise", mlp_quantise, NULL, NULL, NULL, SOOTH_OK},
    {"svr_fit", svr_fit, LIST(svr), "gamma=0.01", &table, SOOTH_OK},
    {"svr_fit", svr_fit, LIST(svr), "kernel=linear method=nu", &table, SOOTH_OK},
    {"svr_fit_report", svr_report, LIST(svr), "gamma=0.01 max_vectors=5", &grouped, SOOTH_OK},
    {"libsvm_read", libsvm_read, NULL, NULL, NULL, SOOTH_OK},
    {"libsvm_write", libsvm_write, NULL, NULL, NULL, SOOTH_OK},
    {"gauss_fit", gauss_fit, LIST(gauss), "starts=1", &table, SOOTH_OK},
    {"gauss_fit", gauss_fit, LIST(gauss), "lengths=each max_points=10 inducing=4 starts=1", &grouped,
     SOOTH_OK},
    {"gauss_learn", gauss_learn, LIST(gauss), "independent=1 starts=1 max_iter=5", NULL, SOOTH_OK},
    {"sofnn_fit", sofnn_fit, LIST(sofnn), "max_rules=4", &table, SOOTH_OK},
    {"sofnn_fit", sofnn_fit, LIST(sofnn), "max_rules=4 order=zero refine_iter=3 max_premises=2", &two,
     SOOTH_OK},
    {"sofnn_fit", sofnn_fit, LIST(sofnn), "max_rules=4 growth=one_pass", &table, SOOTH_OK},
    {"rules_read", rules_read, NULL, NULL, NULL, SOOTH_OK},
    {"rules_write", rules_write, NULL, NULL, NULL, SOOTH_OK},
    {"slowdown_fit", slowdown_fit, LIST(slowdown), "epochs=1", NULL, SOOTH_OK},
    {"slowdown_fit by a recipe", slowdown_fit_recipe, LIST(slowdown), "copies=1", NULL, SOOTH_OK},
    {"slowdown_select", slowdown_select, NULL, NULL, NULL, SOOTH_OK},
    {"linear_summarise", linear_summarise, NULL, NULL, NULL, SOOTH_OK},
    {"scaling_fit", scaling_fit, LIST(scaling), "law=amdahl", NULL, SOOTH_OK},
    {"scaling_fit_into", scaling_into, LIST(scaling), "law=usl", NULL, SOOTH_OK},
    {"scaling_learn", scaling_learn, NULL, NULL, NULL, SOOTH_OK},
    {"space_fit, _check", space_fit, NULL, NULL, NULL, SOOTH_OK},
    {"scaling_curve", curve, NULL, NULL, NULL, SOOTH_OK},
    {"ensemble_begin", ensemble_build, NULL, NULL, NULL, SOOTH_OK},
    {"ensemble_resume", ensemble_build, NULL, "resume", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_xgboost_1.7.4_pruned.json", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_xgboost_3.2.0_quantiles.ubj", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_lightgbm_4.7.0_binary.txt", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_sklearn_1.9.1_many.json", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_names_named.ubj", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_names_mixed.txt", NULL, SOOTH_OK},
    {"import_read", import_read, NULL, "import_names_seconds.txt", NULL, SOOTH_OK},
    {"train_fit", model_fit, NULL, "linear", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "tree", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "forest n_estimators=3", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "boost n_estimators=3", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "mlp epochs=2 hidden_1=4", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "svr", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "gauss starts=1 max_iter=5", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "sofnn max_rules=3", &counts, SOOTH_OK},
    {"train_fit", model_fit, NULL, "scaling", &threads, SOOTH_OK},
    {"train_fit", model_fit, NULL, "best effort=low members=2", &halves, SOOTH_OK},
    {"best_fit", best_fit, LIST(best), "effort=low", &halves, SOOTH_OK},
    {"model_load", model_load, NULL, "forest", NULL, SOOTH_OK},
    {"origin_load", origin_load, NULL, "forest", NULL, SOOTH_OK},
    {"origin_make", origin_make, NULL, "forest", NULL, SOOTH_OK},
    {"model_map_check", model_map_check, NULL, NULL, NULL, SOOTH_OK},
    {"card_make", card_make, NULL, NULL, NULL, SOOTH_OK},
    {"model_assemble", model_assemble, NULL, NULL, NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "linear", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "tree", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "forest", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "boost", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "mlp", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "svr", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "gauss", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "sofnn", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "scaling", NULL, SOOTH_OK},
    {"model_describe", describe, NULL, "best", NULL, SOOTH_OK},
    {"model_describe_json", describe_json, NULL, "boost", NULL, SOOTH_OK},
    {"export_c", export_c, NULL, "linear", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "tree if", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "tree", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "forest", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "boost", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "mlp", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "svr", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "gauss", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "sofnn", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "scaling", NULL, SOOTH_CANCELLED},
    {"export_c", export_c, NULL, "best", NULL, SOOTH_CANCELLED},
    {"core_cost", core_cost, NULL, "tree", NULL, SOOTH_OK},
    {"core_cost", core_cost, NULL, "mlp", NULL, SOOTH_OK},
    {"export_xgboost", export_xgboost, NULL, NULL, NULL, SOOTH_CANCELLED},
    {"export_onnx", export_onnx, NULL, "tree", NULL, SOOTH_CANCELLED},
    {"export_onnx", export_onnx, NULL, "linear", NULL, SOOTH_CANCELLED},
    {"export_onnx", export_onnx, NULL, "mlp", NULL, SOOTH_CANCELLED},
    {"agree", agree, NULL, NULL, NULL, SOOTH_OK},
    {"integers_convert", integers_convert, NULL, "tree", NULL, SOOTH_OK},
    {"integers_convert", integers_convert, NULL, "forest float", NULL, SOOTH_OK},
    {"integers_convert", integers_convert, NULL, "boost", NULL, SOOTH_OK},
    {"integers_code", integers_code, NULL, "tree", NULL, SOOTH_CANCELLED},
    {"integers_code", integers_code, NULL, "tree if", NULL, SOOTH_CANCELLED},
    {"integers_code", integers_code, NULL, "boost bpf", NULL, SOOTH_CANCELLED},
    {"integers_code", integers_code, NULL, "forest float rust", NULL, SOOTH_CANCELLED},
    {"integers_code", integers_code, NULL, "boost float go", NULL, SOOTH_CANCELLED},
    {"export_quantise", export_quantise, NULL, "mlp", NULL, SOOTH_OK},
    {"explain_importance", explain_importance, NULL, "tree", NULL, SOOTH_OK},
    {"explain_importance", explain_importance, NULL, "forest", NULL, SOOTH_OK},
    {"explain_paths", explain_paths, NULL, "boost", NULL, SOOTH_OK},
    {"explain_shap", explain_shap, NULL, "tree", NULL, SOOTH_OK},
    {"explain_shap", explain_shap, NULL, "boost", NULL, SOOTH_OK},
    {"explain_shap_against", explain_against, NULL, "forest", NULL, SOOTH_OK},
    {"explain_interactions", explain_interactions, NULL, "boost", NULL, SOOTH_OK},
    {"explain_permutation", explain_permutation, NULL, "tree", NULL, SOOTH_OK},
    {"explain_grid", explain_grid, NULL, NULL, NULL, SOOTH_OK},
    {"explain_dependence", explain_dependence, NULL, "forest", NULL, SOOTH_OK},
    {"halton_init", halton_init, LIST(halton), "dims=3 scramble=random", NULL, SOOTH_OK},
    {"sobol_init", sobol_init, LIST(sobol), "dims=3 scramble=matrix", NULL, SOOTH_OK},
    {"page_hinkley_init, cusum_init", drift_init, NULL, NULL, NULL, SOOTH_OK},
    {"adwin_init", adwin_init, LIST(adwin), "max_window=1000", NULL, SOOTH_OK},
    {"location_init", location_init, LIST(location), "window_size=20", NULL, SOOTH_OK},
    {"recorder_init", recorder_init, LIST(recorder), "features=2 keys=3", NULL, SOOTH_OK},
    {"delayed_init", delayed_init, LIST(conformal_delayed), "capacity=30 tickets=3", NULL, SOOTH_OK},
    {"scorer_init", scorer_init, NULL, NULL, NULL, SOOTH_OK},
    {"encode_init", encode_init, LIST(encode), "columns=2 max_bytes=400", NULL, SOOTH_OK},
    {"encode_fit", encode_fit, LIST(encode), "max_bytes=2000", NULL, SOOTH_OK},
    {"encode_fit", encode_fit, LIST(encode), "in_time=1", NULL, SOOTH_OK},
    {"levels_fit", levels_fit, LIST(levels), "max_bytes=300", NULL, SOOTH_OK},
    {"levels_learn", levels_learn, LIST(levels), "weight=3", NULL, SOOTH_OK},
    {"levels_learn", levels_learn, LIST(levels), "in_time=1", NULL, SOOTH_OK},
    {"grid_init", grid_init, NULL, NULL, NULL, SOOTH_OK},
    {"rls_init", rls_init, NULL, NULL, NULL, SOOTH_OK},
    {"sofnn_learner_init", learner_init, NULL, NULL, NULL, SOOTH_OK},
    {"configure_init", configure_init, NULL, NULL, NULL, SOOTH_OK},
    {"configure_learn", configure_learn, NULL, NULL, NULL, SOOTH_OK},
    {"configure_fit, _choose, _next, _step", configure_use, NULL, NULL, NULL, SOOTH_OK},
    {"r2_init", r2_init, NULL, NULL, NULL, SOOTH_OK},
    {"latin_fill", latin_fill, NULL, NULL, NULL, SOOTH_OK},
    {"allocate", allocate, NULL, NULL, NULL, SOOTH_OK},
    {"settings_next, _fill", next_settings, NULL, NULL, NULL, SOOTH_OK},
    {"fairness", fairness, NULL, NULL, NULL, SOOTH_OK},
    {"fairness_card_write", fairness_write, NULL, NULL, NULL, SOOTH_CANCELLED},
    {"fairness_thresholds", fairness_thresholds, NULL, "clusters", NULL, SOOTH_OK},
    {"fairness_thresholds", fairness_thresholds, NULL, "terciles", NULL, SOOTH_OK},
    {"gpu_named, _read, _occupancy", gpu_use, NULL, NULL, NULL, SOOTH_OK},
    {"language_named, _step, _count", language_use, NULL, NULL, NULL, SOOTH_OK},
    {"gpu_find_board, operator_work, roofline_of, gpu_timer_init, gpu_time, _work, _observe, _adapted, "
     "gpu_language_row, _predict",
     gpu_time_use, NULL, NULL, NULL, SOOTH_OK},
    {"gpu_watts, gpu_measured_observe, _time, _next", gpu_measured_use, NULL, NULL, NULL, SOOTH_OK},
    {"gpu_write", gpu_write, NULL, NULL, NULL, SOOTH_CANCELLED},
    {"ptx_read", ptx_read, NULL, "ptx/calls.ptx", NULL, SOOTH_OK},
    {"ptx_read", ptx_read, NULL, "ptx/switch.ptx", NULL, SOOTH_OK},
    {"ptx_read", ptx_read, NULL, "ptx/nested.ptx", NULL, SOOTH_OK},
    {"ptx_read", ptx_read, NULL, "ptx/syntax.ptx", NULL, SOOTH_OK},
    {"ptx_count", ptx_count, NULL, NULL, NULL, SOOTH_OK},
    {"ptx_write_function", ptx_function, NULL, NULL, NULL, SOOTH_CANCELLED},
    {"ptx_kernel, launch_check, pfea", pfea, NULL, NULL, NULL, SOOTH_OK},
    {"neighbours_init, _observe, _card, _place", neighbours_use, NULL, NULL, NULL, SOOTH_OK},
    {"file_read, _write, _map, _free, _save_model, _load_model, buffer_sink, _free", files_use, NULL, NULL,
     NULL, SOOTH_OK},
    {"svg_scatter", svg, NULL, "points", NULL, SOOTH_OK},
    {"svg_bars", svg, NULL, "bars", NULL, SOOTH_OK},
    {"svg_strips", svg, NULL, "strips", NULL, SOOTH_OK},
    {"svg_violins", svg, NULL, "violins", NULL, SOOTH_OK},
    {"svg_heat", svg, NULL, "heat", NULL, SOOTH_OK},
    {"svg_lines", svg, NULL, "lines", NULL, SOOTH_OK},
    {"svg_text", svg, NULL, "text", NULL, SOOTH_OK},
};

/* ---- the data ---- */

static void tables(void) {
    for (size_t i = 0; i < ROWS; ++i) {
        for (size_t j = 0; j < COLS; ++j) {
            x[i * COLS + j] = (float)((i * (3 + 4 * j) + 5 * j) % 19);
            with_gaps[i * COLS + j] = (i + j) % 7 == 3 ? NAN : x[i * COLS + j];
            codes[i * COLS + j] = (float)((i * (j + 3)) % 11);
        }
        y[i] = x[i * COLS] + 0.5f * x[i * COLS + 1] * x[i * COLS + 2] + (float)(i % 3);
        positive[i] = 1 + y[i];
        weight[i] = (float)(1 + i % 2);
        group[i] = (uint32_t)(i / 6);
        label[i] = (uint32_t)(i % 3);
        for (size_t j = 0; j < SOOTH_SLOWDOWN_INPUTS; ++j)
            event[i * SOOTH_SLOWDOWN_INPUTS + j] = (float)(1 + (i * (j + 2)) % 13);
        slowdown[2 * i] = 1 + (float)(i % 5) / 4;
        slowdown[2 * i + 1] = 1 + (float)(i % 3) / 4;
    }
    for (size_t i = 0; i < 20; ++i) {
        program_row[2 * i] = (float)(1 + i % 4);
        program_row[2 * i + 1] = (float)(1 + i % 2);
        program_time[i] =
            (float)(10 + i / 5) / (program_row[2 * i] * program_row[2 * i + 1]) + (float)(i % 3);
        program[i] = (uint32_t)(i / 5);
    }
    memcpy(y + ROWS, y, ROWS * sizeof *y);
    table = sooth_table_of(x, y, ROWS, COLS);
    two = table;
    two.targets = 2;
    gaps = table;
    gaps.x = with_gaps;
    levels = table;
    levels.x = codes;
    levels.categorical = categorical;
    grouped = table;
    grouped.weight = weight;
    grouped.group = group;
    grouped.names = names;
    counts = table;
    counts.y = positive;
    halves = counts;
    halves.rows = 8;
    halves.group = group; /* of 6 and 2 rows */
    named = counts;
    named.group = group;
    named.names = names;
    threads = sooth_table_of(thread, seconds, COUNT(thread), 1);
    programs = sooth_table_of(program_row, program_time, 20, 2);
    programs.group = program;
    events = sooth_table_of(event, slowdown, ROWS, SOOTH_SLOWDOWN_INPUTS);
    events.targets = 2;
}

/* What cases work on that must be made first; everything comes from calls that other cases test. */
static void prepare(void) {
    sooth_env env;
    sooth_configure_options machine;
    const sooth_sink to_text = {NULL, text_write, 0};
    sooth_sink out = to_text;
    sooth_env_init(&env);
    tables();
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    options_set(LIST(forest)(), "n_estimators=5 keep_rows=1");
    CHECK_STATUS(sooth_forest_fit(&env, &table, (sooth_forest_options *)set, &forest), SOOTH_OK);
    options_set(LIST(boost)(), "n_estimators=3 max_depth=3");
    CHECK_STATUS(sooth_boost_fit(&env, &table, (sooth_boost_options *)set, &boost), SOOTH_OK);
    options_set(LIST(mlp)(), "epochs=2 hidden_1=4");
    CHECK_STATUS(sooth_mlp_fit(&env, &table, (sooth_mlp_options *)set, &mlp), SOOTH_OK);
    options_set(LIST(sofnn)(), "max_rules=4");
    CHECK_STATUS(sooth_sofnn_fit(&env, &table, (sooth_sofnn_options *)set, &sofnn), SOOTH_OK);
    CHECK_STATUS(sooth_linear_fit(&env, &table, NULL, &linear), SOOTH_OK);
    CHECK_STATUS(sooth_svr_fit(&env, &table, NULL, &svr), SOOTH_OK);
    CHECK_STATUS(sooth_scale_fit(&env, &table, NULL, &scale), SOOTH_OK);
    CHECK_STATUS(sooth_scaling_fit(&env, &threads, NULL, &amdahl), SOOTH_OK);
    for (size_t i = 0; i < COUNT(cases); ++i) { /* a model of every kind, with its card */
        sooth_train_recipe recipe;
        const sooth_model_kind *kind;
        char name[32];
        if (cases[i].run != model_fit) continue;
        memset(&recipe, 0, sizeof recipe);
        sscanf(cases[i].options, "%31s", name);
        CHECK_STATUS(sooth_train_kind_named(&env, name, &kind), SOOTH_OK);
        options_set(sooth_model_kind_options(kind), cases[i].options + strlen(name));
        recipe.model = name;
        memcpy(&recipe.options, set, kind->options_size);
        CHECK_STATUS(sooth_train_fit(&env, cases[i].table, &recipe, &models[kind->kind]), SOOTH_OK);
    }
    CHECK_STATUS(sooth_split_make(&env, &grouped, NULL, &split), SOOTH_OK);
    CHECK_STATUS(sooth_csv_read(&env, csv_text, sizeof csv_text - 1, NULL, &csv), SOOTH_OK);
    CHECK_STATUS(sooth_libsvm_write(&env, svr, &out), SOOTH_OK);
    svr_text = text_made, svr_size = text_size, text_made = NULL, text_size = 0;
    CHECK_STATUS(sooth_rules_write(&env, sofnn, NULL, NULL, &out), SOOTH_OK);
    rules_text = text_made, rules_size = text_size, text_made = NULL;
    memset(&machine, 0, sizeof machine);
    machine.machine = small_machine();
    CHECK_STATUS(
        sooth_configure_init(&env, &machine, NULL, 0, 2, configure_room, sizeof configure_room, &configure),
        SOOTH_OK);
    const char *text = file_of("ptx/branchy.ptx");
    char *kept = (char *)malloc(file_size); /* the module speaks of its text */
    if (!kept) abort();
    memcpy(kept, text, file_size);
    CHECK_STATUS(sooth_ptx_read(&env, kept, file_size, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &ptx_counts), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_named(&env, "v100", &gpu), SOOTH_OK);
    launch.blocks = 64;
    launch.threads = 256;
    launch.recompiled = 1; /* of a newer .target */
    sooth_fairness_card_init(&card, NULL);
    CHECK_STATUS(sooth_fairness_card_read(&env, card_text, sizeof card_text - 1, NULL, &card), SOOTH_OK);
}

static void clean(void) {
    const char *kept = ptx.text;
    sooth_tree_free(NULL, tree);
    sooth_forest_free(NULL, forest);
    sooth_boost_free(NULL, boost);
    sooth_mlp_free(NULL, mlp);
    sooth_sofnn_free(NULL, sofnn);
    sooth_linear_free(NULL, linear);
    sooth_svr_free(NULL, svr);
    sooth_scale_free(NULL, scale);
    sooth_scaling_free(NULL, amdahl);
    for (size_t i = 0; i < COUNT(models); ++i) sooth_model_free(NULL, models[i]);
    sooth_split_free(NULL, &split);
    sooth_csv_free(NULL, &csv);
    sooth_ptx_counts_free(NULL, &ptx, &ptx_counts);
    sooth_ptx_free(NULL, &ptx);
    free((void *)(uintptr_t)kept);
    free(svr_text);
    free(rules_text);
}

/* ---- the runs ---- */

static faults memory = {-1, 0, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};

/* Runs the present case in an env whose allocator is there already; what it gave is in `given`. */
static sooth_status run_in(sooth_env *env) {
    const sooth_sink fresh = {NULL, sink_write, 0};
    sink = fresh;
    sink_writes = sink_after = 0;
    given = 0;
    memset(&options, 0, sizeof options);
    if (now->list) options_set(now->list(), now->options);
    env->sentence[0] = 0;
    return now->run(env);
}

/* The same with memory that fails from allocation `at` on, or only there; below 0: never. Nothing is left. */
static sooth_status run(sooth_env *env, long at, int for_good, int fill) {
    memory.fail_at = at;
    memory.for_good = for_good;
    memory.fill = fill;
    memory.calls = memory.live = 0;
    env->alloc_fn = faults_alloc;
    env->free_fn = faults_free;
    env->alloc_user = &memory;
    const sooth_status status = run_in(env);
    CHECK(memory.live == 0);
    return status;
}

/* A status that ends a call, with one sentence that has no full stop. */
static int says(const sooth_env *env, sooth_status status, sooth_status expected) {
    const size_t length = strlen(env->sentence);
    return status == expected && length > 0 && length < SOOTH_ENV_SENTENCE &&
           env->sentence[length - 1] != '.';
}

static int failed_here(const sooth_env *env, const char *what, long at) {
    if (!check_failures) return 0;
    printf("  sooth_%s %s: %s %ld, \"%s\"\n", now->name, now->options ? now->options : "", what, at,
           env->sentence);
    return 1;
}

static long runs_made;

/* Every allocation of the present case; returns how many there are. */
static long every_allocation(sooth_env *env) {
    long all = 0;
    CHECK_STATUS(run(env, -1, 0, 0xA5), SOOTH_OK);
    const unsigned long long expected = given;
    all = memory.calls;
    CHECK_STATUS(run(env, -1, 0, 0), SOOTH_OK);
    CHECK(given == expected);
    CHECK_STATUS(run(env, -1, 0, 0xFF), SOOTH_OK);
    CHECK(given == expected && memory.calls == all);
    if (failed_here(env, "without failures, allocations", all)) return all;
    for (int for_good = 0; for_good < 2; ++for_good)
        for (long at = 0; at < all; ++at, ++runs_made) {
            const sooth_status status = run(env, at, for_good, 0xA5);
            CHECK(says(env, status, SOOTH_NO_MEMORY));
            if (failed_here(env, for_good ? "all fail from allocation" : "failing allocation", at))
                return all;
        }
    CHECK_STATUS(run(env, -1, 0, 0xA5), SOOTH_OK);
    CHECK(given == expected);
    failed_here(env, "after failures, allocations", all);
    return all;
}

static void every_allocation_of_every_function(void) {
    sooth_env env;
    sooth_env_init(&env);
    for (size_t i = 0; i < COUNT(cases) && !check_failures; ++i) {
        now = &cases[i];
        if (now->run == best_fit && !check_is_slow()) continue; /* train_fit calls it, in this list */
        every_allocation(&env);
    }
}

/* The same where three threads work. */
static void every_allocation_with_workers(void) {
    sooth_threads pool;
    sooth_env env;
    CHECK_SLOW();
    sooth_env_init(&env);
    CHECK_STATUS(sooth_threads_start(&env, &pool, 3), SOOTH_OK);
    for (size_t i = 0; i < COUNT(cases) && !check_failures; ++i) {
        now = &cases[i];
        CHECK_STATUS(run(&env, -1, 0, 0xA5), SOOTH_OK);
        const unsigned long long expected = given;
        every_allocation(&env);
        CHECK(given == expected);
    }
    sooth_threads_stop(&pool);
}

/* Arenas from nothing to 16 bytes too few, at most `sizes` of them; then one that is just large enough. */
static void short_arenas_of(size_t sizes) {
    enum { MOST = 1 << 25, RIM = 64 };
    unsigned char *bytes = (unsigned char *)malloc(MOST);
    if (!bytes) abort();
    for (size_t i = 0; i < COUNT(cases) && !check_failures; ++i) {
        sooth_arena arena;
        sooth_env env;
        now = &cases[i];
        sooth_env_init(&env);
        sooth_arena_init(&env, &arena, bytes, MOST);
        CHECK_STATUS(run_in(&env), SOOTH_OK);
        const unsigned long long expected = given;
        const size_t needed = arena.peak, steps = needed / 16;
        for (size_t k = 1; k <= sizes && k <= steps && !check_failures; ++k, ++runs_made) {
            /* the last few steps one by one, the others evenly */
            const size_t less = steps <= sizes || k <= sizes / 2 ? k : steps * k / sizes;
            const size_t size = needed - 16 * less;
            memset(bytes + size, 0xEE, RIM);
            sooth_arena_init(&env, &arena, bytes, size);
            CHECK(says(&env, run_in(&env), SOOTH_NO_MEMORY));
            for (size_t b = 0; b < RIM; ++b) CHECK(bytes[size + b] == 0xEE);
            failed_here(&env, "arena too short by", (long)(16 * less));
        }
        sooth_arena_init(&env, &arena, bytes, needed);
        CHECK_STATUS(run_in(&env), SOOTH_OK);
        CHECK(given == expected && arena.peak == needed);
        failed_here(&env, "arena of", (long)needed);
    }
    free(bytes);
}

static void short_arenas(void) { short_arenas_of(6); }
static void many_short_arenas(void) {
    CHECK_SLOW();
    short_arenas_of(60);
}

/* Memory that is handed to an _init: too short by anything. */
static void short_rooms(void) {
    static const char *const inits[] = {
        "halton_init",        "r2_init",        "sobol_init",  "grid_init",     "rls_init",
        "sofnn_learner_init", "configure_init", "adwin_init",  "location_init", "recorder_init",
        "encode_init",        "scorer_init",    "delayed_init"};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        static const size_t less[] = {1, 8, 16, 17, 32};
        sooth_env env;
        int is_init = 0;
        now = &cases[i];
        for (size_t k = 0; k < COUNT(inits); ++k) is_init |= strcmp(now->name, inits[k]) == 0;
        sooth_env_init(&env);
        for (size_t k = 0; is_init && k < COUNT(less); ++k) {
            room_short = less[k];
            CHECK(says(&env, run_in(&env), SOOTH_NO_MEMORY));
            if (failed_here(&env, "memory too short by", (long)less[k])) break;
        }
        room_short = 0;
    }
}

/* Sinks whose write n fails: it is the last one, and the status is the one that the header tells. */
static void every_write(void) {
    for (size_t i = 0; i < COUNT(cases) && !check_failures; ++i) {
        sooth_env env;
        now = &cases[i];
        sooth_env_init(&env);
        sink_fails_at = -1;
        CHECK_STATUS(run(&env, -1, 0, 0xA5), SOOTH_OK);
        const unsigned long long expected = given;
        const long writes = sink_writes, step = writes > 200 && !check_is_slow() ? writes / 100 : 1;
        for (long at = 0; at < writes && !check_failures; at += at < 20 ? 1 : step, ++runs_made) {
            sink_fails_at = at;
            const sooth_status status = run(&env, -1, 0, 0xA5);
            CHECK(now->sink == SOOTH_OK ? status == SOOTH_OK : says(&env, status, now->sink));
            CHECK(sink.failed == 1 && sink_after == 0 && sink_writes == at + 1);
            failed_here(&env, "failing write", at);
        }
        sink_fails_at = -1;
        CHECK_STATUS(run(&env, -1, 0, 0xA5), SOOTH_OK);
        CHECK(given == expected);
    }
}

int main(void) {
    prepare();
    if (check_failures) return printf("faults: 0 passed, 1 failed\n"), 1;
    sink_fails_at = -1;
    CHECK_RUN(every_allocation_of_every_function);
    CHECK_RUN(every_allocation_with_workers);
    CHECK_RUN(short_arenas);
    CHECK_RUN(many_short_arenas);
    CHECK_RUN(short_rooms);
    CHECK_RUN(every_write);
    clean();
    return check_end("faults");
}
