/* test_nasty.c - every fit on tables that nobody would want: no fit answers NaN or infinity to a finite row.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The rule: a fit of a table returns SOOTH_OK, or SOOTH_NOT_CONVERGED, with a sound model that answers a
 * finite number to every finite row within the ranges of the rows that it learned from; or it returns no
 * model, and a sentence that says what was wrong. So it is for any numbers, any shape of table and any
 * options in their ranges.
 *
 * `test_nasty FIT TABLE` runs the fits whose text contains FIT on the tables whose name contains TABLE.
 * SOOTH_SEEDS=n in the environment runs everything n times, each with a seed of its own.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "check.h"

enum { ROWS = 40, MOST_TARGETS = 3, WITHIN = 12 };

static uint32_t seed;                     /* of all tables */
static const char *only_fit, *only_table; /* words that names must contain; NULL: any */
static size_t fits_run, models_made;

static int wanted(const char *name, const char *word) { return !word || strstr(name, word) != NULL; }

/* ---- tables ---- */

/* A table that owns its numbers. */
typedef struct data {
    const char *name;
    size_t rows, cols, targets;
    float *x, *y, *weight;
    sooth_rng rng;
} data;

/* Columns from 1 to 11; target t is 1 + t + 2 x the first column + noise. */
static void data_make(data *d, const char *name, size_t rows, size_t cols, size_t targets, uint32_t stream) {
    d->name = name;
    d->rows = rows;
    d->cols = cols;
    d->targets = targets;
    d->x = (float *)malloc((rows * cols + 1) * sizeof(float));
    d->y = (float *)malloc((rows * targets + 1) * sizeof(float));
    d->weight = NULL;
    sooth_rng_init(&d->rng, seed, stream);
    for (size_t i = 0; i < rows * cols; ++i) d->x[i] = 1.0f + 10.0f * sooth_rng_float(&d->rng);
    for (size_t i = 0; i < rows * targets; ++i)
        d->y[i] = 1.0f + (float)(i % targets) + (cols ? 2.0f * d->x[i / targets * cols] : 0.0f) +
                  sooth_rng_float(&d->rng);
}

static void data_free(data *d) {
    free(d->x);
    free(d->y);
    free(d->weight);
}

static sooth_table data_table(const data *d) {
    sooth_table table = sooth_table_of(d->x, d->y, d->rows, d->cols);
    table.targets = d->targets;
    table.weight = d->weight;
    return table;
}

/* What spoils a plain table; a and b as the list of tables has them. */
typedef void spoiler(data *d, float a, float b);

static void x_times(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->cols; ++i) d->x[i] = d->x[i] * a + b;
}
static void y_times(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->targets; ++i) d->y[i] = d->y[i] * a + b;
}
static void all_times(data *d, float a, float b) {
    x_times(d, a, 0.0f);
    y_times(d, b, 0.0f);
}
static void x_between(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->cols; ++i) d->x[i] = i % 2 ? a : b;
}
static void y_between(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->targets; ++i) d->y[i] = i % 2 ? a : b;
}
static void first_between(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) d->x[i * d->cols] = i % 2 ? a : b;
}
static void second_is(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) d->x[i * d->cols + 1] = a;
    if (b > 0.0f)
        for (size_t i = 0; i < d->rows; ++i) d->x[i * d->cols + 2] = 0.0f;
}
static void one_x(data *d, float a, float b) {
    (void)b;
    d->x[7] = a;
}
static void one_y(data *d, float a, float b) {
    (void)b;
    d->y[7] = a;
}
static void one_row(data *d, float a, float b) {
    for (size_t j = 0; j < d->cols; ++j) d->x[5 * d->cols + j] = a;
    d->y[5] = b;
}
static void columns_times(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        d->x[i * d->cols] *= a;
        d->x[i * d->cols + 1] *= b;
    }
}
/* Every second row misses the first value; with a > 0, only every a-th. */
static void some_missing(data *d, float a, float b) {
    const size_t every = a > 0.0f ? (size_t)a : 2;
    (void)b;
    for (size_t i = 0; i < d->rows; i += every) d->x[i * d->cols] = NAN;
}
static void weights(data *d, float a, float b) {
    d->weight = (float *)malloc(d->rows * sizeof(float));
    for (size_t i = 0; i < d->rows; ++i) d->weight[i] = i % 2 ? a : b;
}
static void one_weight(data *d, float a, float b) {
    weights(d, b, b);
    d->weight[3] = a;
}
static float wide_number(sooth_rng *rng, float a) { /* 10^-a to 10^a */
    return (float)exp((2.0 * sooth_rng_double(rng) - 1.0) * (double)a * 2.302585092994046);
}
static void wide_weights(data *d, float a, float b) {
    weights(d, b, b);
    for (size_t i = 0; i < d->rows; ++i) d->weight[i] = wide_number(&d->rng, a);
}
static void wide_numbers(data *d, float a, float b) {
    for (size_t i = 0; a > 0.0f && i < d->rows * d->cols; ++i) d->x[i] = wide_number(&d->rng, a);
    for (size_t i = 0; b > 0.0f && i < d->rows * d->targets; ++i) d->y[i] = wide_number(&d->rng, b);
}
static void signed_numbers(data *d, float a, float b) {
    wide_numbers(d, a, b);
    for (size_t i = 0; i < d->rows * d->cols; i += 3) d->x[i] = -d->x[i];
    for (size_t i = 0; i < d->rows * d->targets; i += 2) d->y[i] = -d->y[i];
}
/* The first column is a, and each value the b-th float above the one before. */
static void neighbours(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        d->x[i * d->cols] = a;
        for (int k = 0; k < (int)b; ++k) a = nextafterf(a, INFINITY);
    }
}
/* The same of the targets. */
static void target_neighbours(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->targets; ++i) {
        d->y[i] = a;
        for (int k = 0; k < (int)b; ++k) a = nextafterf(a, INFINITY);
    }
}
/* The second column is the first, or the next float of it where a is 1; the third is b x the first. */
static void duplicate_columns(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        float *row = d->x + i * d->cols;
        row[1] = a > 0.0f && i % 2 ? nextafterf(row[0], INFINITY) : row[0];
        row[2] = b * row[0];
    }
}
static void third_is_sum(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        float *row = d->x + i * d->cols;
        row[2] = a * row[0] + b * row[1];
    }
}
/* Only `a` different rows; with b > 0 their targets differ, else they are those of the first like it. */
static void duplicate_rows(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        const size_t from = i % (size_t)a;
        memmove(d->x + i * d->cols, d->x + from * d->cols, d->cols * sizeof(float));
        if (!(b > 0.0f)) d->y[i] = d->y[from];
    }
}
static void alike_but_one(data *d, float a, float b) {
    const float y = d->y[1];
    duplicate_rows(d, 1, 0);
    for (size_t j = 0; j < d->cols; ++j) d->x[(d->rows - 1) * d->cols + j] += a;
    d->y[d->rows - 1] = y + b;
}
static void whole_numbers(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows * d->cols; ++i) d->x[i] = a + (float)sooth_rng_below(&d->rng, (uint32_t)b);
}
static void signed_zeros(data *d, float a, float b) {
    (void)a, (void)b;
    for (size_t i = 0; i < d->rows; ++i) {
        d->x[i * d->cols] = i % 3 ? -0.0f : 0.0f;
        d->y[i] = i % 2 ? -0.0f : 0.0f;
    }
}
static void classes_of_huge(data *d, float a, float b) {
    x_times(d, a, b);
    y_between(d, 0, 1);
    d->y[0] = 1.0f;
}
/* Threads, hertz, speed: what scaling laws look at. */
static void machine(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        float *row = d->x + i * d->cols;
        row[0] = (float)(1 + i % 16);
        row[1] = a + b * (float)(i / 16);
        d->y[i] = 100.0f / row[0] + 3.0f + sooth_rng_float(&d->rng);
    }
}
static void times_falling(data *d, float a, float b) {
    for (size_t i = 0; i < d->rows; ++i) {
        d->x[i * d->cols] = (float)(1 + i);
        d->y[i] = (float)(1e38 * pow((double)a, (double)i)) + b;
    }
}

typedef struct nasty {
    const char *name;
    size_t rows, cols, targets;
    spoiler *spoil;
    float a, b;
} nasty;

#define MOST 3.4028235e38f

static const nasty tables[] = {{"plain", ROWS, 3, 1, NULL, 0, 0},
                               {"three targets", ROWS, 3, 3, NULL, 0, 0},
                               {"no rows", 0, 3, 1, NULL, 0, 0},
                               {"no columns", 10, 0, 1, NULL, 0, 0},
                               {"one row", 1, 3, 1, NULL, 0, 0},
                               {"one number", 1, 1, 1, NULL, 0, 0},
                               {"two rows", 2, 2, 1, NULL, 0, 0},
                               {"two equal rows", 2, 2, 1, duplicate_rows, 1, 0},
                               {"two equal rows, different targets", 2, 2, 1, duplicate_rows, 1, 1},
                               {"wide", 8, 60, 1, NULL, 0, 0},
                               {"constant columns", ROWS, 3, 1, second_is, 5, 1},
                               {"all columns constant", ROWS, 3, 1, x_between, 5, 5},
                               {"one column, constant", ROWS, 1, 1, x_between, 3, 3},
                               {"a column missing", ROWS, 3, 1, second_is, NAN, 0},
                               {"all missing", ROWS, 3, 1, x_between, NAN, NAN},
                               {"half a column missing", ROWS, 3, 1, some_missing, 2, 0},
                               {"three values missing", ROWS, 3, 1, some_missing, 15, 0},
                               {"infinite x", ROWS, 3, 1, one_x, INFINITY, 0},
                               {"minus infinite x", ROWS, 3, 1, one_x, -INFINITY, 0},
                               {"missing target", ROWS, 3, 1, one_y, NAN, 0},
                               {"infinite target", ROWS, 3, 1, one_y, INFINITY, 0},
                               {"huge targets", ROWS, 3, 1, y_times, 1e37f, 0},
                               {"targets of the greatest floats", ROWS, 3, 1, y_between, 3.3e38f, -3.3e38f},
                               {"targets all the greatest float", ROWS, 3, 1, y_between, MOST, MOST},
                               {"targets +-3e38, three of them", ROWS, 3, 3, y_between, 3e38f, -3e38f},
                               {"huge columns", ROWS, 3, 1, x_times, 3e37f, 0},
                               {"columns of the greatest floats", ROWS, 3, 1, x_between, 3.4e38f, -3.4e38f},
                               {"huge and tiny columns", ROWS, 3, 1, columns_times, 3e37f, 1e-42f},
                               {"denormal columns", ROWS, 3, 1, x_times, 1e-42f, 0},
                               {"denormal targets", ROWS, 3, 1, y_times, 1e-42f, 0},
                               {"all denormal", ROWS, 3, 1, all_times, 1e-44f, 1e-44f},
                               {"denormal columns, huge targets", ROWS, 3, 1, all_times, 1e-44f, 1e37f},
                               {"huge columns, denormal targets", ROWS, 3, 1, all_times, 3e37f, 1e-44f},
                               {"small columns, large targets", ROWS, 3, 1, all_times, 1e-20f, 1e20f},
                               {"large columns, small targets", ROWS, 3, 1, all_times, 1e20f, 1e-20f},
                               {"constant target", ROWS, 3, 1, y_between, 7, 7},
                               {"zero target", ROWS, 3, 1, y_between, 0, 0},
                               {"negative targets", ROWS, 3, 1, y_times, -1, 0},
                               {"signed zeros", ROWS, 3, 1, signed_zeros, 0, 0},
                               {"weights 1e30", ROWS, 3, 1, weights, 1e30f, 1e30f},
                               {"weights 3e38", ROWS, 3, 1, weights, 3e38f, 3e38f},
                               {"weights 1e-40", ROWS, 3, 1, weights, 1e-40f, 1e-40f},
                               {"weights 1e30 and 1e-30", ROWS, 3, 1, weights, 1e30f, 1e-30f},
                               {"weights 3e38 and 1e-45", ROWS, 3, 1, weights, 3e38f, 1e-45f},
                               {"weights of all sizes", ROWS, 3, 1, wide_weights, 37, 0},
                               {"weights 0", ROWS, 3, 1, weights, 0, 0},
                               {"half the weights 0", ROWS, 3, 1, weights, 0, 1},
                               {"one weight", ROWS, 3, 1, one_weight, 1, 0},
                               {"a negative weight", ROWS, 3, 1, one_weight, -1, 1},
                               {"a missing weight", ROWS, 3, 1, one_weight, NAN, 1},
                               {"an infinite weight", ROWS, 3, 1, one_weight, INFINITY, 1},
                               {"duplicate columns", ROWS, 3, 1, duplicate_columns, 0, 1},
                               {"columns an ulp apart", ROWS, 3, 1, duplicate_columns, 1, -1},
                               {"a column is 1e30 times another", ROWS, 3, 1, duplicate_columns, 0, 1e30f},
                               {"a column is the sum of two", ROWS, 3, 1, third_is_sum, 1, 1},
                               {"four different rows", ROWS, 3, 1, duplicate_rows, 4, 0},
                               {"contradicting targets", ROWS, 3, 1, duplicate_rows, 4, 1},
                               {"all rows but one alike", ROWS, 3, 1, alike_but_one, 1, 1},
                               {"all rows but one alike, by far", ROWS, 3, 1, alike_but_one, 1e30f, 1e30f},
                               {"0 or 1", ROWS, 1, 1, first_between, 0, 1},
                               {"a column of two neighbours", ROWS, 3, 1, first_between, 1, 1.00000012f},
                               {"columns of two neighbours", ROWS, 3, 1, x_between, 1e30f, 1.0000001e30f},
                               {"targets of two neighbours", ROWS, 3, 1, y_between, 1, 1.00000012f},
                               {"an outlier in the target", ROWS, 3, 1, one_y, 1e30f, 0},
                               {"an outlier in a column", ROWS, 3, 1, one_x, 1e30f, 0},
                               {"one huge row", ROWS, 3, 1, one_row, 3e38f, 3e38f},
                               {"one huge negative row", ROWS, 3, 1, one_row, -3e38f, 1},
                               {"adjacent floats", ROWS, 1, 1, neighbours, 1, 1},
                               {"adjacent denormals", ROWS, 1, 1, neighbours, 1e-45f, 1},
                               {"adjacent greatest floats", ROWS, 1, 1, neighbours, 3.4028229e38f, 1},
                               {"adjacent least floats", ROWS, 1, 1, neighbours, -MOST, 1},
                               {"adjacent floats in three columns", ROWS, 3, 1, neighbours, 1e10f, 1},
                               {"adjacent targets", ROWS, 3, 1, target_neighbours, 1e9f, 1},
                               {"the ends of the floats", ROWS, 1, 1, x_between, MOST, -MOST},
                               {"whole numbers beyond 2^24", ROWS, 3, 1, whole_numbers, 16777216, 64},
                               {"time stamps", ROWS, 3, 1, x_times, 1, 1e9f},
                               {"time stamps of a day", ROWS, 3, 1, whole_numbers, 1.7e9f, 86400},
                               {"columns of all sizes", ROWS, 3, 1, wide_numbers, 37, 0},
                               {"targets of all sizes", ROWS, 3, 1, wide_numbers, 0, 37},
                               {"all of all sizes", ROWS, 3, 1, wide_numbers, 38, 38},
                               {"all of all sizes and signs", ROWS, 3, 1, signed_numbers, 37, 37},
                               {"three targets of all sizes", ROWS, 2, 3, signed_numbers, 5, 38},
                               {"targets of exponents to 18", ROWS, 3, 1, wide_numbers, 2, 18},
                               {"a machine", ROWS, 3, 1, machine, 1e9f, 5e8f},
                               {"a machine of one frequency", ROWS, 3, 1, machine, 1e9f, 0},
                               {"a machine of denormal frequencies", ROWS, 3, 1, machine, 1e-40f, 1e-41f},
                               {"a machine of huge frequencies", ROWS, 3, 1, machine, 1e38f, 5e37f},
                               {"times from 1e38 to 0", ROWS, 3, 1, times_falling, 0.02f, 1e-45f},
                               {"times near 1e38", ROWS, 3, 1, times_falling, 1.02f, 0},
                               {"two classes", ROWS, 3, 1, y_between, 0, 1},
                               {"two classes of huge columns", ROWS, 3, 1, classes_of_huge, 3e37f, 0}};

enum { TABLES = (int)(sizeof tables / sizeof *tables) };

static void nasty_make(data *d, size_t i) {
    data_make(d, tables[i].name, tables[i].rows, tables[i].cols, tables[i].targets, (uint32_t)i);
    if (tables[i].spoil && d->rows) tables[i].spoil(d, tables[i].a, tables[i].b);
}

/* ---- memory with rubbish in it ---- */

static void *dirty_alloc(void *user, size_t size) {
    void *p = size > (size_t)1 << 28 ? NULL : check_alloc(user, size);
    if (p) memset(p, 0xA5, size);
    return p;
}

/* An env whose memory counts, is full of rubbish, and ends at 256 MiB a piece. */
static void env_make(sooth_env *env, check_memory *memory) {
    sooth_env_init(env);
    check_memory_init(memory, env, -1);
    env->alloc_fn = dirty_alloc;
}

/* ---- fits ---- */

/* Kind, options and, behind "input=" and "target=", transforms: a model with one of them is an envelope.
   "rising": every column is monotone. */
static const char *const fits[] = {
    "linear",
    "linear no_intercept=1",
    "linear method=ridge lambda=1",
    "linear method=ridge lambda=1e-300",
    "linear method=ridge lambda=1e300",
    "linear method=non_negative",
    "linear method=huber",
    "linear method=huber huber_delta=0.001",
    "linear products=1",
    "tree",
    "tree criterion=absolute",
    "tree criterion=friedman",
    "tree criterion=poisson",
    "tree criterion=relative",
    "tree criterion=relative floor=1",
    "tree bins=2",
    "tree bins=256",
    "tree bins=16 criterion=absolute",
    "tree bins=16 criterion=friedman",
    "tree bins=16 criterion=poisson",
    "tree bins=16 criterion=relative floor=1",
    "tree max_leaves=6 ties=random",
    "tree rising",
    "tree rising bins=16",
    "tree ccp_alpha=0.1",
    "tree ccp_alpha=1e-300",
    "tree min_weight_leaf=0.3",
    "tree max_features=0.5 min_samples_leaf=3",
    "tree no_statistics=1",
    "tree linear_leaves=1 min_samples_leaf=3",
    "tree linear_leaves=1 min_samples_leaf=4 extrapolate=1e6 criterion=friedman ccp_alpha=0.1",
    "tree rising linear_leaves=1 min_samples_leaf=3 linear_lambda=1e-300",
    "forest n_estimators=4",
    "forest n_estimators=4 keep_rows=1",
    "forest n_estimators=4 linear_leaves=1 min_samples_leaf=3",
    "forest n_estimators=4 splitter=random linear_leaves=1 min_samples_leaf=3 rising",
    "forest n_estimators=4 bins=16",
    "forest n_estimators=4 splitter=random no_bootstrap=1",
    "forest n_estimators=4 splitter=random criterion=absolute",
    "forest n_estimators=4 criterion=absolute max_features=0.3",
    "forest n_estimators=4 criterion=friedman max_samples=0.1",
    "forest n_estimators=4 criterion=poisson",
    "forest n_estimators=4 criterion=relative floor=1 rising",
    "forest n_estimators=4 splitter=random no_cover=1 criterion=poisson",
    "boost n_estimators=5",
    "boost n_estimators=5 learning_rate=1",
    "boost n_estimators=5 loss=absolute",
    "boost n_estimators=5 loss=huber",
    "boost n_estimators=5 loss=quantile quantile=0.9",
    "boost n_estimators=5 loss=poisson",
    "boost n_estimators=5 loss=poisson learning_rate=1 max_delta_step=100",
    "boost n_estimators=5 loss=gamma",
    "boost n_estimators=5 loss=gamma learning_rate=1",
    "boost n_estimators=5 loss=logistic",
    "boost n_estimators=9 loss=logistic learning_rate=1 max_delta_step=1e300",
    "boost n_estimators=5 loss=relative",
    "boost n_estimators=5 loss=relative floor=1",
    "boost n_estimators=5 method=exact",
    "boost n_estimators=5 linear_leaves=1",
    "boost n_estimators=5 linear_leaves=1 rising lambda=1 learning_rate=1",
    "boost n_estimators=5 linear_leaves=1 method=exact loss=poisson min_samples_leaf=3",
    "boost n_estimators=5 linear_leaves=1 grow_policy=symmetric loss=gamma linear_lambda=1e300",
    "boost n_estimators=8 linear_leaves=1 patience=2 loss=huber subsample=0.5",
    "boost n_estimators=5 method=exact loss=absolute",
    "boost n_estimators=5 method=exact loss=poisson",
    "boost n_estimators=5 method=exact loss=gamma",
    "boost n_estimators=5 method=exact loss=logistic learning_rate=1 linear_leaves=1",
    "boost n_estimators=5 grow_policy=lossguide",
    "boost n_estimators=5 grow_policy=symmetric",
    "boost n_estimators=3 max_depth=30 lambda=1 alpha=1 gamma=0.1 min_child_weight=1",
    "boost n_estimators=5 bins=2",
    "boost n_estimators=8 patience=2",
    "boost n_estimators=5 validation_fraction=0.5 subsample=0.3 colsample_bytree=0.5",
    "boost n_estimators=5 rising",
    "boost n_estimators=5 base_score=1e30",
    "boost n_estimators=6 quantiles=0.1,0.5,0.9",
    "boost n_estimators=6 quantiles=0.05,0.95 learning_rate=1 linear_leaves=1",
    "boost n_estimators=6 loss=quantile quantile=0.99 linear_leaves=1 method=exact",
    "boost n_estimators=6 loss=absolute linear_leaves=1",
    "mlp epochs=6 hidden_1=6 schedule=constant",
    "mlp epochs=6 hidden_1=6 hidden_2=4 optimiser=lbfgs",
    "mlp epochs=6 hidden_1=6 optimiser=sgd",
    "mlp epochs=6 hidden_1=6 optimiser=sgd learning_rate=1e12",
    "mlp epochs=6 hidden_1=6 optimiser=sgd momentum=0.9 nesterov=1 schedule=cosine",
    "mlp epochs=6 hidden_1=6 optimiser=rprop schedule=step",
    "mlp epochs=6 hidden_1=6 learning_rate=1e12 schedule=plateau",
    "mlp epochs=6 hidden_1=6 activation=leaky_relu loss=absolute output=leaky_relu",
    "mlp epochs=6 hidden_1=6 activation=sigmoid loss=huber output=at_least_one",
    "mlp epochs=6 hidden_1=6 activation=tanh loss=pinball output=zero_to_one",
    "mlp epochs=6 hidden_1=6 activation=softplus loss=relative output=positive",
    "mlp epochs=6 hidden_1=6 activation=linear loss=relative_absolute schedule=exponential",
    "mlp epochs=6 hidden_1=6 optimiser=lbfgs activation=linear",
    "mlp epochs=6 hidden_1=6 loss=logistic",
    "mlp epochs=6 hidden_1=6 optimiser=lbfgs loss=logistic activation=tanh",
    "mlp epochs=6 hidden_1=6 loss=themis output=at_least_one init=xavier",
    "mlp epochs=6 hidden_1=6 root=1 no_bias=1 init=he dropout=0.5 lambda=0.1 lambda_norm=0.1",
    "mlp epochs=6 hidden_1=6 rising validation_fraction=0.3 schedule=inverse_time weight_decay=0.1 clip=1",
    "svr max_iter=3000",
    "svr max_iter=3000 gamma_rule=auto",
    "svr max_iter=3000 kernel=linear",
    "svr max_iter=3000 kernel=polynomial",
    "svr max_iter=3000 kernel=polynomial degree=30 coef0=1",
    "svr max_iter=3000 kernel=sigmoid",
    "svr max_iter=3000 method=nu",
    "svr max_iter=3000 method=nu kernel=linear",
    "svr max_iter=3000 C=1e12",
    "svr max_iter=3000 C=1e30 kernel=linear",
    "svr max_iter=3000 C=100 epsilon=0 gamma=1e-30",
    "svr max_iter=3000 C=1e-30 gamma=1e30",
    "svr max_iter=3000 max_vectors=3",
    "gauss max_points=40 inducing=10 max_iter=8 starts=1",
    "gauss max_points=40 inducing=10 max_iter=8 starts=1 kernel=matern12 lengths=each",
    "gauss learn_rows=30 max_iter=8 starts=2 kernel=matern52 lengths=shared",
    "gauss max_points=60 inducing=20 max_iter=8 starts=1 kernel=squared zero_mean=1",
    "gauss max_points=40 inducing=5 max_iter=8 starts=1 noise=1e-9 signal=1e6 length=3",
    "sofnn max_rules=5",
    "sofnn max_rules=5 order=zero",
    "sofnn max_rules=5 growth=one_pass",
    "sofnn max_rules=5 growth=one_pass order=zero prune=none",
    "sofnn max_rules=5 extrapolate=1 prune=error_reduction",
    "sofnn max_rules=5 refine_iter=3 max_premises=2",
    "scaling",
    "scaling loss=absolute",
    "scaling loss=log",
    "scaling non_negative=1",
    "scaling law=gustafson",
    "scaling law=gustafson loss=absolute",
    "scaling law=usl",
    "scaling law=usl loss=log",
    "scaling law=usl_known",
    "scaling law=usl_known single=1e300",
    "scaling law=power_law",
    "scaling law=time",
    "scaling law=time_log",
    "scaling law=power",
    "scaling law=power_printed",
    "scaling law=power_speed",
    "best effort=low",
    "linear input=standard",
    "linear input=log1p target=log1p",
    "linear input=minmax target=log",
    "linear input=log target=log_standard",
    "linear target=robust",
    "linear target=standard",
    "linear products=1 input=log1p target=log",
    "tree target=log",
    "tree input=log1p_robust target=log1p_minmax",
    "tree target=standard",
    "forest n_estimators=4 target=log_robust",
    "boost n_estimators=5 input=minmax target=log",
    "boost n_estimators=5 target=log1p_standard",
    "boost n_estimators=5 target=standard",
    "mlp epochs=6 hidden_1=6 input=standard target=standard",
    "mlp epochs=6 hidden_1=6 input=log_standard target=log",
    "mlp epochs=6 hidden_1=6 optimiser=lbfgs input=minmax target=log1p_robust",
    "svr max_iter=3000 input=standard target=standard",
    "svr max_iter=3000 input=robust target=log_minmax",
    "svr max_iter=3000 kernel=linear input=log1p_standard target=log",
    "gauss max_points=40 inducing=10 max_iter=8 starts=1 input=standard target=standard",
    "gauss max_points=40 inducing=10 max_iter=8 starts=1 input=log1p_standard target=log",
    "sofnn max_rules=5 input=log_minmax target=log",
    "sofnn max_rules=5 input=none target=standard"};

enum { FITS = (int)(sizeof fits / sizeof *fits) };

typedef struct recipe {
    const char *text;
    const sooth_model_kind *kind;
    sooth_train_options options;
    int scaled, rising;
    sooth_scale_options input, target; /* where scaled; SOOTH_SCALE_NONE: not at all */
} recipe;

static signed char rising[512];

/* Sets what one word of a fit's text says. */
static sooth_status recipe_set(sooth_env *env, recipe *r, char *word) {
    char *value = strchr(word, '=');
    if (!strcmp(word, "rising")) {
        r->rising = 1;
        memset(rising, 1, sizeof rising);
        if (r->kind->kind == SOOTH_KIND_TREE) r->options.tree.monotone = rising;
        if (r->kind->kind == SOOTH_KIND_FOREST) r->options.forest.monotone = rising;
        if (r->kind->kind == SOOTH_KIND_BOOST) r->options.boost.monotone = rising;
        if (r->kind->kind == SOOTH_KIND_MLP) r->options.mlp.monotone = rising;
        return SOOTH_OK;
    }
    if (!value) return SOOTH_BAD_ARGUMENT;
    *value++ = 0;
    if (!strcmp(word, "input") || !strcmp(word, "target")) {
        r->scaled = 1;
        return sooth_option_set(env, sooth_scale_options_list(), word[0] == 'i' ? &r->input : &r->target,
                                "transform", value);
    }
    return sooth_option_set(env, sooth_model_kind_options(r->kind), &r->options, word, value);
}

static sooth_status recipe_read(sooth_env *env, const char *text, recipe *r) {
    char copy[256];
    sooth_status status = SOOTH_OK;
    memset(r, 0, sizeof *r);
    r->text = text;
    r->input.transform = r->target.transform = SOOTH_SCALE_NONE;
    sooth_text_format(copy, sizeof copy, "%s", text);
    for (char *at = copy, *next; at && status == SOOTH_OK; at = next) {
        if ((next = strchr(at, ' ')) != NULL) *next++ = 0;
        status = at == copy ? sooth_train_kind_named(env, at, &r->kind) : recipe_set(env, r, at);
    }
    return status;
}

/* Fits it; *model stays what the fit leaves there. */
static sooth_status recipe_fit(sooth_env *env, const sooth_table *table, const recipe *r,
                               sooth_block **model) {
    static sooth_block stale; /* what a fit must not leave */
    if (r->scaled) {
        const sooth_train_recipe made = {.model = r->kind->name,
                                         .options = r->options,
                                         .input = r->input,
                                         .has_input = 1,
                                         .target = r->target,
                                         .has_target = r->target.transform != SOOTH_SCALE_NONE};
        sooth_model *fitted = (sooth_model *)(void *)&stale;
        const sooth_status status = sooth_train_fit(env, table, &made, &fitted);
        *model = fitted ? &fitted->head : NULL;
        return status;
    }
    switch (r->kind->kind) {
#define ITEM(name, NAME, number, transform, title, columns, targets)                   \
    case SOOTH_KIND_##NAME: {                                                          \
        sooth_##name *made = (sooth_##name *)(void *)&stale;                           \
        sooth_status status = sooth_##name##_fit(env, table, &r->options.name, &made); \
        *model = made ? &made->head : NULL;                                            \
        return status;                                                                 \
    }
        SOOTH_KIND_LIST(ITEM)
#undef ITEM
    default: *model = NULL; return SOOTH_BAD_ARGUMENT;
    }
}

/* ---- what must hold ---- */

static int failed(const char *fit, const data *d, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("  %s, on %s (%d x %d, seed %u): %s\n", fit, d->name, (int)d->rows, (int)d->cols, (unsigned)seed,
           text);
    ++check_failures;
    return 0;
}

static int counts(const data *d, size_t i) { return !d->weight || d->weight[i] > 0.0f; }

static int all_finite(const float *v, size_t n) {
    for (size_t i = 0; i < n; ++i)
        if (!isfinite(v[i])) return 0;
    return 1;
}

/* Least and most of column j of x, over the rows that count; NaN where there is no value. */
static void range_of(const data *d, const float *x, size_t stride, size_t j, float range[2]) {
    range[0] = range[1] = NAN;
    for (size_t i = 0; i < d->rows; ++i) {
        const float v = x[i * stride + j];
        if (!counts(d, i) || isnan(v)) continue;
        if (!(v >= range[0])) range[0] = v;
        if (!(v <= range[1])) range[1] = v;
    }
}

/* The rows that count and WITHIN more between the least and the greatest value of each column: corners, the
   middle, and some drawn. Returns their number; the caller frees *rows. */
static size_t rows_within(const data *d, size_t cols, float **rows) {
    float *out = (float *)malloc((d->rows + WITHIN) * cols * sizeof(float)), range[2];
    sooth_rng rng;
    size_t n = 0;
    for (size_t i = 0; i < d->rows; ++i)
        if (counts(d, i)) memcpy(out + n++ * cols, d->x + i * d->cols, cols * sizeof(float));
    sooth_rng_init(&rng, seed, 999);
    for (size_t j = 0; j < cols; ++j) {
        range_of(d, d->x, d->cols, j, range);
        for (size_t k = 0; k < WITHIN; ++k) {
            const double u = k < 2 ? (double)k : k == 2 ? 0.5 : sooth_rng_double(&rng);
            const double part = k < 3 || k % 2 ? u : u < 0.5 ? 0.0 : 1.0;
            out[(n + k) * cols + j] =
                isnan(range[0]) ? NAN : (float)((1.0 - part) * (double)range[0] + part * (double)range[1]);
        }
    }
    *rows = out;
    return n + WITHIN;
}

/* Trees and forests answer with targets, or means of them. */
static int answers_with_means(const recipe *r) {
    return (r->kind->kind == SOOTH_KIND_TREE || r->kind->kind == SOOTH_KIND_FOREST) && !r->scaled &&
           !strstr(r->text, "linear_leaves"); /* planes go on */
}

static int takes_missing(const recipe *r) {
    return r->kind->kind == SOOTH_KIND_TREE || r->kind->kind == SOOTH_KIND_FOREST ||
           r->kind->kind == SOOTH_KIND_BOOST;
}

static int answers_are_finite(const recipe *r, const data *d, const sooth_block *model) {
    const size_t cols = model->features, targets = model->targets;
    float *rows, *out, *scratch, range[2];
    const size_t n = rows_within(d, cols, &rows);
    int good = 1;
    out = (float *)malloc((n + 1) * targets * sizeof(float));
    scratch = malloc(sooth_model_scratch_size(sooth_model_from_block(model), 16) + 1);
    sooth_model_predict_many(sooth_model_from_block(model), rows, n, cols, out, scratch, 16);
    for (size_t i = 0; i < n && good; ++i) {
        const float *row = rows + i * cols;
        float *alone = out + n * targets;
        const float first = sooth_model_predict(sooth_model_from_block(model), row, scratch);
        sooth_model_predict_many(sooth_model_from_block(model), row, 1, cols, alone, scratch, 1);
        if (memcmp(alone, out + i * targets, targets * sizeof(float)) || memcmp(alone, &first, sizeof first))
            good = failed(r->text, d, "row %d alone is %.9g, among others %.9g", (int)i, (double)alone[0],
                          (double)out[i * targets]);
        if (!all_finite(alone, targets) && (takes_missing(r) || all_finite(row, cols)))
            good = failed(r->text, d, "row %d of %d, %g %g %g ..., is answered with %g", (int)i, (int)n,
                          (double)row[0], (double)row[cols > 1], (double)row[cols > 2 ? 2 : 0],
                          (double)alone[0]);
        if (good && sooth_model_outside(sooth_model_from_block(model), row))
            good = failed(r->text, d, "row %d is said to lie outside", (int)i);
    }
    for (size_t t = 0; t < targets && good && answers_with_means(r); ++t) {
        range_of(d, d->y, d->targets, t, range);
        for (size_t i = 0; i < n && good; ++i)
            if (!(out[i * targets + t] >= range[0] && out[i * targets + t] <= range[1]))
                good = failed(r->text, d, "row %d is answered with %.9g, but targets lie in %.9g to %.9g",
                              (int)i, (double)out[i * targets + t], (double)range[0], (double)range[1]);
    }
    free(scratch);
    free(out);
    free(rows);
    return good;
}

static int count_bytes(void *user, const char *text, size_t size) {
    (void)text;
    *(size_t *)user += size;
    return 0;
}

/* The model goes to its file and back, and can be described and written as C. */
static void travels(sooth_env *env, const recipe *r, const data *d, const sooth_block *model) {
    void *bytes = malloc(model->size);
    sooth_model *copy = NULL;
    size_t written = 0;
    sooth_sink sink = {&written, count_bytes, 0};
    sooth_status status;
    sooth_model_save(sooth_model_from_block(model), bytes);
    status = sooth_model_load(env, bytes, model->size, &copy);
    if (status != SOOTH_OK) failed(r->text, d, "is not loaded: %s", env->sentence);
    if (copy && memcmp(copy, model, model->size)) failed(r->text, d, "changes in its file");
    sooth_model_free(env, copy);
    free(bytes);
    if (sooth_model_describe(env, sooth_model_from_block(model), &sink) != SOOTH_OK || written < 40)
        failed(r->text, d, "is not described: %s", env->sentence);
    written = 0;
    if (sooth_export_c(env, sooth_model_from_block(model), NULL, &sink) != SOOTH_OK || written < 400)
        failed(r->text, d, "is not written as C: %s", env->sentence);
}

/* A failure has a sentence, without a full stop; of data it names a number. */
static void sentence_is_one(const recipe *r, const data *d, sooth_status status, const char *sentence) {
    const size_t n = strlen(sentence);
    if (n < 12 || sentence[n - 1] == '.' || strstr(sentence, "%") || strstr(sentence, "(null)"))
        failed(r->text, d, "%s says \"%s\"", sooth_status_name(status), sentence);
    if (status == SOOTH_BAD_DATA && !strpbrk(sentence, "0123456789") && !strstr(sentence, "one row") &&
        !strstr(sentence, "no row") && strcmp(sentence, "all weights are zero"))
        failed(r->text, d, "%s names no number: \"%s\"", sooth_status_name(status), sentence);
}

/* One fit of one table, and everything that must hold of it. */
static void try_fit(const recipe *r, const data *d, int everything) {
    sooth_table table = data_table(d);
    sooth_block *model = NULL;
    check_memory memory;
    sooth_env env;
    sooth_status status;
    env_make(&env, &memory);
    if (r->kind->kind == SOOTH_KIND_SCALING &&
        table.cols > soothi_scaling_law_features(r->options.scaling.law))
        table.cols = soothi_scaling_law_features(r->options.scaling.law);
    status = recipe_fit(&env, &table, r, &model);
    ++fits_run;
    if (status != SOOTH_OK) sentence_is_one(r, d, status, env.sentence);
    if (status != SOOTH_OK && status != SOOTH_NOT_CONVERGED && model) {
        failed(r->text, d, "%s leaves a model", sooth_status_name(status));
        model = NULL;
    } else if (status == SOOTH_OK && !model) {
        failed(r->text, d, "no model");
    }
    if (model) {
        ++models_made;
        if (!sooth_model_check(model, model->size)) failed(r->text, d, "the model is not sound");
        else if (answers_are_finite(r, d, model) && everything) travels(&env, r, d, model);
        soothi_block_free(&env, model);
    }
    if (memory.live || memory.live_bytes) failed(r->text, d, "%ld pieces of memory are left", memory.live);
}

/* ---- the tests ---- */

static void every_fit_on_every_table(void) {
    static recipe all[FITS];
    sooth_env env;
    sooth_env_init(&env);
    for (size_t f = 0; f < FITS; ++f) {
        CHECK_STATUS(recipe_read(&env, fits[f], &all[f]), SOOTH_OK);
        if (check_failures) printf("  %s: %s\n", fits[f], env.sentence);
    }
    for (size_t i = 0; i < TABLES; ++i) {
        data d;
        if (!wanted(tables[i].name, only_table)) continue;
        nasty_make(&d, i);
        for (size_t f = 0; f < FITS; ++f)
            if (strncmp(fits[f], "best", 4) == 0 && !only_fit && !check_is_slow()) continue;
            else if (wanted(fits[f], only_fit)) try_fit(&all[f], &d, i == 0 || check_is_slow());
        data_free(&d);
    }
}

/* Every word that a choice may be stands in a fit above, so that a new loss, kernel or law is tried too. */
static void every_choice_is_tried(void) {
    const sooth_model_kind *kind;
    for (size_t k = 0; (kind = sooth_model_kind_at(k)) != NULL; ++k)
        for (size_t i = 0; i < sooth_model_kind_options(kind).count; ++i) {
            if (kind->kind == SOOTH_KIND_BEST)
                break; /* its members are tried above; tests/train/test_best.c */
            const sooth_option *o = &sooth_model_kind_options(kind).option[i];
            const char *at = strchr(o->choices, '|'); /* the first is the default */
            while (at) {
                const char *end = strchr(++at, '|');
                const size_t n = end ? (size_t)(end - at) : strlen(at);
                char word[64];
                int found = n == 8 && !strncmp(at, "callback", n); /* a function of the host's */
                snprintf(word, sizeof word, " %s=%.*s", o->name, (int)n, at);
                for (size_t f = 0; f < FITS && !found; ++f) {
                    const char *there = strstr(fits[f], word);
                    found = !strncmp(fits[f], kind->name, strlen(kind->name)) && there &&
                            (there[strlen(word)] == 0 || there[strlen(word)] == ' ');
                }
                if (!found) printf("  no fit is a %s%s\n", kind->name, word);
                CHECK(found);
                at = end;
            }
        }
}

/* ---- options at their ends ---- */

/* Fits that take little time, one of each kind: what options are set in. */
static const char *const small_fits[] = {"linear",
                                         "tree",
                                         "forest n_estimators=3",
                                         "boost n_estimators=4",
                                         "mlp epochs=4 hidden_1=5",
                                         "svr max_iter=3000",
                                         "gauss max_points=30 inducing=10 max_iter=5 starts=1",
                                         "sofnn max_rules=4",
                                         "scaling"};

enum { KINDS = (int)(sizeof small_fits / sizeof *small_fits) };

/* What an option may at most be here: those that say how long a fit works are kept small. */
static double most_of(const sooth_option *o) {
    static const char *const work[] = {"n_estimators", "epochs",   "hidden_1",    "hidden_2",
                                       "hidden_3",     "hidden_4", "refine_iter", "candidates",
                                       "max_rules",    "cores",    "sockets"};
    const char *at = o->choices;
    double most = o->most;
    if (o->type == SOOTH_OPTION_CHOICE)
        for (most = 0.0; (at = strchr(at, '|')) != NULL; ++at) most += 1.0;
    for (size_t i = 0; i < sizeof work / sizeof *work; ++i)
        if (!strcmp(o->name, work[i])) most = 8.0;
    return !strcmp(o->name, "max_iter") ? 300.0 : most;
}

/* Sets it, and says so behind the text. */
static void option_put(recipe *r, const sooth_option *o, double value, char *text, size_t size) {
    unsigned char *options = (unsigned char *)&r->options;
    const uint32_t whole = o->type == SOOTH_OPTION_NUMBER ? 0u : (uint32_t)value, one = 1;
    const size_t n = strlen(text);
    if (o->type == SOOTH_OPTION_NUMBER) memcpy(options + o->offset, &value, sizeof value);
    else memcpy(options + o->offset, &whole, sizeof whole);
    if (o->given) memcpy(options + o->given, &one, sizeof one);
    sooth_text_format(text + n, size - n, " %s=%g", o->name, o->type == SOOTH_OPTION_NUMBER ? value : whole);
}

static size_t table_named(const char *name) {
    size_t i = 0;
    while (i + 1 < TABLES && strcmp(tables[i].name, name)) ++i;
    return i;
}

static void options_at_their_ends(void) {
    static const char *const on[] = {"plain",
                                     "three values missing",
                                     "weights of all sizes",
                                     "targets of exponents to 18",
                                     "all of all sizes and signs",
                                     "a machine"};
    sooth_env env;
    sooth_env_init(&env);
    for (size_t t = 0; t < sizeof on / sizeof *on; ++t) {
        data d;
        if (!wanted(on[t], only_table)) continue;
        nasty_make(&d, table_named(on[t]));
        for (size_t k = 0; k < KINDS; ++k) {
            recipe base;
            if (!wanted(small_fits[k], only_fit)) continue;
            CHECK_STATUS(recipe_read(&env, small_fits[k], &base), SOOTH_OK);
            const sooth_option_list list = sooth_model_kind_options(base.kind);
            for (size_t i = 0; i < list.count; ++i) {
                const sooth_option *o = &list.option[i];
                const double least = o->least < 0.0 || o->least > 0.0 ? o->least : 1e-300;
                const double value[4] = {least, most_of(o), 0.5 * least + 0.5 * most_of(o),
                                         o->type == SOOTH_OPTION_NUMBER ? 1e-9 * most_of(o) : 2.0};
                for (size_t v = 0; v < 4; ++v) {
                    char text[512];
                    recipe r = base;
                    if (value[v] < o->least || value[v] > most_of(o)) continue;
                    sooth_text_format(text, sizeof text, "%s", small_fits[k]);
                    r.text = text;
                    option_put(&r, o, value[v], text, sizeof text);
                    try_fit(&r, &d, 0);
                }
            }
        }
        data_free(&d);
    }
}

/* Some options of a kind at once, at their ends or anywhere between, on any table. */
static void options_at_random(void) {
    const size_t draws = check_is_slow() ? 4000 : 150;
    sooth_env env;
    sooth_rng rng;
    sooth_env_init(&env);
    sooth_rng_init(&rng, seed, 4711);
    for (size_t n = 0; n < draws; ++n) {
        const size_t k = sooth_rng_below(&rng, KINDS), i = sooth_rng_below(&rng, TABLES);
        const uint32_t share = 1 + sooth_rng_below(&rng, 12);
        char text[1500];
        recipe r;
        data d;
        CHECK_STATUS(recipe_read(&env, small_fits[k], &r), SOOTH_OK);
        sooth_text_format(text, sizeof text, "%s", small_fits[k]);
        r.text = text;
        const sooth_option_list list = sooth_model_kind_options(r.kind);
        for (size_t j = 0; j < list.count; ++j) {
            const sooth_option *o = &list.option[j];
            const double most = most_of(o), least = o->least > 0.0 ? o->least : most < 1e-290 ? 0.0 : 1e-300;
            const uint32_t way = sooth_rng_below(&rng, 4);
            const double u = sooth_rng_double(&rng);
            double value = way == 0 ? o->least : way == 1 ? most : least * pow(most / least, u);
            if (way == 3 || !(value - value <= 0.0)) value = o->least + u * (most - o->least);
            if (sooth_rng_below(&rng, 12) >= share || !(value >= o->least && value <= most)) continue;
            option_put(&r, o, value, text, sizeof text);
        }
        if (!wanted(text, only_fit) || !wanted(tables[i].name, only_table)) continue;
        nasty_make(&d, i);
        try_fit(&r, &d, 0);
        data_free(&d);
    }
}

/* ---- shapes ---- */

/* As many columns as a fit is tried with, for its time; and the fit. */
typedef struct shaped {
    size_t most;
    const char *fit;
} shaped;

static const shaped shapes[] = {{100, "linear"},
                                {100, "linear method=ridge lambda=0.1"},
                                {100, "linear method=non_negative"},
                                {100, "linear method=huber"},
                                {100, "linear input=standard target=standard"},
                                {300, "tree"},
                                {300, "tree bins=16 max_features=0.4"},
                                {300, "forest n_estimators=2"},
                                {300, "forest n_estimators=2 splitter=random keep_rows=1"},
                                {300, "boost n_estimators=2"},
                                {300, "boost n_estimators=2 method=exact colsample_bynode=0.5"},
                                {300, "boost n_estimators=2 grow_policy=symmetric max_depth=3"},
                                {300, "boost n_estimators=2 grow_policy=lossguide patience=1"},
                                {300, "mlp epochs=2 hidden_1=3"},
                                {300, "mlp epochs=2 hidden_1=5 optimiser=lbfgs"},
                                {300, "svr max_iter=3000 input=standard"},
                                {300, "svr max_iter=3000 kernel=linear"},
                                {300, "gauss max_points=30 inducing=8 max_iter=4 starts=1"},
                                {60, "gauss lengths=each learn_rows=20 max_iter=4 starts=1"},
                                {26, "sofnn max_rules=2"},
                                {300, "sofnn max_rules=3 order=zero"},
                                {3, "scaling"},
                                {3, "scaling law=time_log"}};

/* Ordinary numbers; or, twice, columns that stand there twice and some that are constant. */
static void shape_try(const recipe *r, size_t rows, size_t cols, int twice) {
    data d;
    data_make(&d, twice ? "columns twice, and a constant one" : "plain", rows, cols, 1, 77);
    for (size_t i = 0; twice && i < rows; ++i)
        for (size_t j = cols; j-- > 0;) d.x[i * cols + j] = j % 7 == 3 ? 5.0f : d.x[i * cols + j / 2];
    if (wanted(d.name, only_table)) try_fit(r, &d, 0);
    data_free(&d);
}

static void shapes_sweep(const size_t *rows, size_t n, const size_t *cols, size_t m) {
    sooth_env env;
    sooth_env_init(&env);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        recipe r;
        if (!wanted(shapes[s].fit, only_fit)) continue;
        CHECK_STATUS(recipe_read(&env, shapes[s].fit, &r), SOOTH_OK);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < m && cols[j] <= shapes[s].most; ++j)
                for (int twice = 0; twice < 2; ++twice) shape_try(&r, rows[i], cols[j], twice);
    }
}

static void small_shapes(void) {
    static const size_t rows[] = {0, 1, 2, 3, 5, 20}, cols[] = {0, 1, 2, 3, 7, 21, 26};
    shapes_sweep(rows, sizeof rows / sizeof *rows, cols, sizeof cols / sizeof *cols);
}

static void all_shapes(void) {
    static const size_t rows[] = {0, 1, 2, 3, 4, 5, 8, 13, 16, 17, 20, 21, 40, 60},
                        cols[] = {0, 1, 2, 3, 7, 20, 21, 26, 64, 100, 259, 300};
    CHECK_SLOW();
    shapes_sweep(rows, sizeof rows / sizeof *rows, cols, sizeof cols / sizeof *cols);
}

/* Least squares, also with more columns than rows: 15 x 27 shapes. */
static void linear_shapes(void) {
    sooth_env env;
    recipe r[2];
    CHECK_SLOW();
    sooth_env_init(&env);
    for (size_t k = 0; k < 2; ++k) {
        CHECK_STATUS(recipe_read(&env, shapes[k].fit, &r[k]), SOOTH_OK);
        for (size_t rows = 1; rows < 60 && wanted(shapes[k].fit, only_fit); rows += 4)
            for (size_t cols = 1; cols < 270; cols += 10) shape_try(&r[k], rows, cols, (rows + cols) / 2 % 2);
    }
}

/* ---- what is no model ---- */

/* Says what fails of `what`: a status with a sentence is fine. 1: it was done. */
static int done(const char *what, const data *d, sooth_status status, const sooth_env *env) {
    const recipe r = {.text = what};
    if (status != SOOTH_OK) sentence_is_one(&r, d, status, env->sentence);
    ++fits_run;
    return status == SOOTH_OK;
}

/* Applied to rows within the training range a transform gives numbers, and undone nearly the same ones. */
static void try_scale(sooth_env *env, const data *d, uint32_t transform) {
    const sooth_scale_options options = {.transform = transform};
    const sooth_table table = data_table(d);
    sooth_scale *scale = NULL;
    float *rows, range[2];
    if (!done("scale", d, sooth_scale_fit(env, &table, &options, &scale), env)) {
        if (scale) failed("scale", d, "leaves a scale");
        return;
    }
    const size_t n = rows_within(d, d->cols, &rows);
    if (!sooth_scale_check(scale, scale->head.size)) failed("scale", d, "is not sound");
    for (size_t j = 0; j < d->cols; ++j) {
        range_of(d, d->x, d->cols, j, range);
        for (size_t i = 0; i < n; ++i) {
            const float x = rows[i * d->cols + j], z = sooth_scale_apply_one(scale, j, x);
            const float back = sooth_scale_invert_one(scale, j, z);
            const double room = 1e-4 * (fabs((double)x) + (double)range[1] - (double)range[0]) + 1e-44;
            if (isnan(x)) continue;
            if (isfinite(z) && fabs((double)back - (double)x) <= room) continue;
            failed("scale", d, "transform %d: %g becomes %g and then %g", (int)transform, (double)x,
                   (double)z, (double)back);
            break;
        }
    }
    free(rows);
    sooth_scale_free(env, scale);
}

static void try_cluster(sooth_env *env, const data *d) {
    const sooth_table table = data_table(d);
    double *centre = (double *)calloc(3 * d->cols + 1, sizeof *centre), inertia = NAN, mean = NAN;
    uint32_t *label = (uint32_t *)calloc(d->rows + 1, sizeof *label);
    if (done("cluster", d, sooth_cluster_fit(env, &table, NULL, centre, label, &inertia), env)) {
        int good = isfinite(inertia) && inertia >= 0.0;
        for (size_t i = 0; i < 3 * d->cols; ++i) good = good && isfinite(centre[i]);
        for (size_t i = 0; i < d->rows; ++i) good = good && label[i] < 3;
        if (!good) failed("cluster", d, "an inertia of %g", inertia);
        if (done("silhouette", d, sooth_cluster_silhouette(env, &table, label, 3, NULL, &mean), env) &&
            !(mean >= -1.0 && mean <= 1.0))
            failed("silhouette", d, "%g", mean);
    }
    free(label);
    free(centre);
}

static void try_correlate(sooth_env *env, const data *d) {
    const sooth_table table = data_table(d);
    const size_t n = d->cols * d->cols;
    double *r = (double *)calloc(2 * n + 1, sizeof *r);
    for (int kind = 0; kind < SOOTH_CORRELATE_KINDS; ++kind) {
        if (!done("correlate", d, sooth_correlate_matrix(env, &table, (sooth_correlate_kind)kind, r, r + n),
                  env))
            continue;
        for (size_t i = 0; i < n; ++i)
            if (r[i] < -1.0 || r[i] > 1.0 || r[n + i] < 0.0 || r[n + i] > 1.0 ||
                isnan(r[i]) != isnan(r[n + i])) {
                failed("correlate", d, "kind %d: r = %g, p = %g", kind, r[i], r[n + i]);
                break;
            }
    }
    free(r);
}

/* The worst predictions there can be: the targets upside down, and all 0. */
static void try_metrics(sooth_env *env, const data *d) {
    const size_t n = d->rows * d->targets;
    float *wrong = (float *)calloc(n + 1, sizeof *wrong);
    sooth_metrics m;
    for (int k = 0; k < 2 && d->targets == 1; ++k) {
        for (size_t i = 0; i < n; ++i) wrong[i] = k ? 0.0f : -d->y[i];
        if (!done("metrics", d, sooth_metrics_compute(env, d->y, wrong, d->weight, n, NULL, &m), env))
            continue;
        if (!(m.mse >= 0.0 && m.rmse >= 0.0 && m.mae >= 0.0 && m.max_error >= m.median_error) ||
            !isfinite(m.mse) || !isfinite(m.mae) || !isfinite(m.bias) || isinf(m.r2) || isinf(m.mape) ||
            !(m.mae <= m.max_error * 1.0001) || !(m.rmse <= m.max_error * 1.0001))
            failed("metrics", d, "mse %g, rmse %g, mae %g, max %g, r2 %g, mape %g", m.mse, m.rmse, m.mae,
                   m.max_error, m.r2, m.mape);
    }
    free(wrong);
}

/* Each row is tested once by the folds of a k-fold. */
static void try_split(sooth_env *env, const data *d) {
    const sooth_table table = data_table(d);
    sooth_split_options options = {.stratify = SOOTH_SPLIT_TARGET};
    sooth_split split;
    for (int k = 0; k < 2; ++k, options.stratify = SOOTH_SPLIT_NOTHING) {
        size_t tests = 0;
        if (!done("split", d, sooth_split_make(env, &table, &options, &split), env)) continue;
        for (size_t f = 0; f < split.folds; ++f) tests += split.fold[f].tests;
        if (tests != d->rows) failed("split", d, "%d rows are tested", (int)tests);
        sooth_split_free(env, &split);
    }
}

static void try_grid(sooth_env *env, const data *d) {
    const sooth_table table = data_table(d);
    float grid[7];
    size_t count = 0;
    for (uint32_t j = 0; j < d->cols && j < 3; ++j) {
        if (!done("grid", d, sooth_explain_grid(env, &table, j, 7, grid, &count), env)) continue;
        for (size_t i = 0; i < count; ++i)
            if (!isfinite(grid[i]) || (i && !(grid[i] > grid[i - 1])))
                failed("grid", d, "point %d of column %d is %g", (int)i, (int)j, (double)grid[i]);
    }
}

/* SHAP values add up to the margin; permuted losses are numbers. */
static void try_shap(sooth_env *env, const data *d) {
    const sooth_table table = data_table(d);
    const sooth_boost_options options = {.n_estimators = 3, .max_depth = 3, .learning_rate = 0.5};
    const size_t cols = d->cols, targets = d->targets;
    sooth_boost *boost = NULL;
    double *phi, *expected, base = 0.0;
    if (!done("boost", d, sooth_boost_fit(env, &table, &options, &boost), env)) return;
    sooth_explain_trees trees = sooth_explain_ensemble(boost);
    phi = (double *)calloc(d->rows * targets * cols + 1, sizeof *phi);
    expected = (double *)calloc(targets + 1, sizeof *expected);
    if (done("shap", d, sooth_explain_shap(env, &trees, &table, phi, expected), env))
        for (size_t i = 0; i < d->rows * targets; ++i) {
            const double margin =
                sooth_explain_margin(&trees, d->x + i / targets * cols, (uint32_t)(i % targets));
            double sum = expected[i % targets], size = fabs(sum);
            for (size_t j = 0; j < cols; ++j) {
                sum += phi[i * cols + j];
                size += fabs(phi[i * cols + j]);
            }
            if (!(fabs(sum - margin) <= 1e-9 * size)) {
                failed("shap", d, "row %d adds up to %g, but is %g", (int)(i / targets), sum, margin);
                break;
            }
        }
    if (done("permutation", d,
             sooth_explain_permutation(env, &table, sooth_explain_predict, &trees, NULL, phi, NULL, &base),
             env))
        for (size_t j = 0; j < cols; ++j)
            if (!isfinite(phi[j]) || !isfinite(base))
                failed("permutation", d, "column %d: %g", (int)j, phi[j]);
    free(expected);
    free(phi);
    sooth_boost_free(env, boost);
}

static void what_is_no_model(void) {
    for (size_t i = 0; i < TABLES; ++i) {
        check_memory memory;
        sooth_env env;
        data d;
        if (only_fit || !wanted(tables[i].name, only_table)) continue;
        env_make(&env, &memory);
        nasty_make(&d, i);
        for (uint32_t t = 0; t < SOOTH_SCALE_TRANSFORMS; ++t) try_scale(&env, &d, t);
        try_cluster(&env, &d);
        try_correlate(&env, &d);
        try_metrics(&env, &d);
        try_split(&env, &d);
        try_grid(&env, &d);
        try_shap(&env, &d);
        if (memory.live || memory.live_bytes) failed("", &d, "%ld pieces of memory are left", memory.live);
        data_free(&d);
    }
}

int main(int argc, char **argv) {
    const char *seeds = getenv("SOOTH_SEEDS");
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1) only_fit = argv[1];
    if (argc > 2) only_table = argv[2];
    for (int n = seeds ? atoi(seeds) : 1; n > 0; --n, ++seed) {
        CHECK_RUN(every_choice_is_tried);
        CHECK_RUN(every_fit_on_every_table);
        CHECK_RUN(what_is_no_model);
        CHECK_RUN(options_at_their_ends);
        CHECK_RUN(options_at_random);
        CHECK_RUN(small_shapes);
        CHECK_RUN(all_shapes);
        CHECK_RUN(linear_shapes);
    }
    printf("%lu fits, %lu models\n", (unsigned long)fits_run, (unsigned long)models_made);
    return check_end("nasty");
}
