/* slowdown.h - how much slower a program runs on a part of a GPU alongside others, from its hardware events.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A slowdown is the product of a part by scale and a part by interference. A small network predicts both from
 * values that can be counted while the program runs: its number of SMs, eight of its events, and three events
 * summed over its neighbours. It learns from one program alongside one source of pressure, and predicts for
 * any number of neighbours, including unseen ones. Any other kind of model can take the place of the network.
 * slowdown/allocate.h decides who gets how many SMs. slowdown/neighbours.h is for jobs of any kind, which are
 * only known by how long they took: it learns their slowdowns and places them.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/slowdown.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         float x[64 * SOOTH_SLOWDOWN_INPUTS], y[64 * 2], sd[2];
 *         sooth_env env;
 *         sooth_table table;
 *         sooth_model *model;
 *         sooth_rng rng;
 *         int i, j;
 *         sooth_env_init(&env);
 *         sooth_rng_init(&rng, 1, 0);
 *         for (i = 0; i < 64; ++i) {  // measured runs would stand here
 *             for (j = 0; j < SOOTH_SLOWDOWN_INPUTS; ++j)
 *                 x[i * SOOTH_SLOWDOWN_INPUTS + j] = sooth_rng_float(&rng);
 *             x[i * SOOTH_SLOWDOWN_INPUTS] = (float)(10 + i % 5 * 10);  // SMs
 *             y[2 * i] = 60 / x[i * SOOTH_SLOWDOWN_INPUTS];             // SD_scal
 *             y[2 * i + 1] = 1 + x[i * SOOTH_SLOWDOWN_INPUTS + 11];     // SD_inter: neighbours' bandwidth
 *         }
 *         table = sooth_table_of(x, y, 64, SOOTH_SLOWDOWN_INPUTS);
 *         table.targets = 2;
 *         if (sooth_slowdown_fit(&env, &table, NULL, NULL, &model) != SOOTH_OK) return puts(env.sentence), 1;
 *         printf("%.1f times slower\n", sooth_slowdown_predict(model, x, sd));  //> 9.3 times slower
 *         sooth_model_free(&env, model);
 *         return 0;
 *     }
 *
 * Notes
 *
 * Every training row is repeated with its events (not its SMs) multiplied by random factors. Without this,
 * 338 weights memorise 15 programs and fail on unseen ones. The copies help trees too.
 *
 * The best kind of model depends on the kernels: compare them on programs left out. In examples/simulator it
 * is the network. A kind that learns one target has the part as a 13th input, 0 for SD_scal and 1 for
 * SD_inter, and two rows for each. On the simulator's pairs that is as good as a model for each part
 * (support vectors 10.2 and 9.7 % off, best 9.2 and 9.2 %), and the file holds one model.
 *
 * Method and references
 *
 * Zhao et al., Themis, IPDPS 2019, eq. 4:
 *
 *     SD = T_colo / T_solo = SD_scal x SD_inter      SD_scal:  it has n of N streaming multiprocessors (SMs)
 *                                                    SD_inter: others use the L2 and the memory too
 *
 * The network is the kernel slowdown model (KSM) of section V (mlp.h: 12 inputs, 12 and 12 neurons, 2
 * outputs; loss eq. 8). Its inputs are n, eight events of the program, and three of the neighbours', summed
 * (eq. 7).
 *
 * The paper leaves these details open. Events are rates (per cycle, of all SMs of the program; bandwidth a
 * share of the peak), because counts grow with the length of the run. Inputs are replaced by their
 * logarithms. The scale of each input is part of the first layer's weights, so that the model is a plain
 * network.
 *
 * Cost
 *
 * The network: fitting takes about half a second for 1,800 rows, the model takes 1.5 KB. A prediction takes
 * 12 logarithms and 312 multiply-adds, 0.3 microseconds (bench task=decide), without allocation or doubles.
 * Another kind: fitting takes a copy of the rows plus the cost of the kind. A prediction takes the 12
 * logarithms plus the model's work (sooth_model_cost).
 */
#if !defined(SOOTH_SLOWDOWN_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_IMPLEMENTED))
#include "mlp.h"
#include "train.h"
#include "base/order.h"
#include "stats/correlate.h"
#endif

#ifndef SOOTH_SLOWDOWN_H
#define SOOTH_SLOWDOWN_H

SOOTHI_C_BEGIN

/* The events of Table I, in its order. The last three are also the pressure of a program on others. */
typedef enum sooth_slowdown_event {
    SOOTH_SLOWDOWN_IPC = 0,
    SOOTH_SLOWDOWN_L1D_ACCESS,
    SOOTH_SLOWDOWN_L1D_MISS,
    SOOTH_SLOWDOWN_L1C_ACCESS,
    SOOTH_SLOWDOWN_L1C_MISS,
    SOOTH_SLOWDOWN_L2_ACCESS,
    SOOTH_SLOWDOWN_L2_MISS,
    SOOTH_SLOWDOWN_BANDWIDTH,
    SOOTH_SLOWDOWN_EVENTS
} sooth_slowdown_event;

#define SOOTH_SLOWDOWN_INPUTS 12 /* n, 8 events, 3 sums over the neighbours */

/* Fills the row of program `which` of `count`. events is count x SOOTH_SLOWDOWN_EVENTS, row has
   SOOTH_SLOWDOWN_INPUTS floats. The neighbours' pressures are summed in ascending order, so their order in
   the list does not matter. count <= 64; further programs are ignored. */
SOOTH_API void sooth_slowdown_row(const float *events, size_t count, size_t which, float sms, float *row);

/* Predicts SD_scal and SD_inter for a row, both >= 1, in part[0] and part[1]. Returns their product. model is
   from sooth_slowdown_fit. A checked one may come from anyone. One that has neither two targets and
   SOOTH_SLOWDOWN_INPUTS features, nor one target and one feature more, gives NaN. */
SOOTH_API float sooth_slowdown_predict(const sooth_model *model, const float *row, float part[2]);

/* Returns eq. 3: the sum of the progress 1 / SD of all programs. Above 1, sharing pays. */
SOOTH_API float sooth_slowdown_throughput(const float *sd, size_t count);

/* ---- fitting ---- */

#ifndef SOOTH_PREDICT_ONLY

typedef struct sooth_slowdown_options {
    uint32_t epochs;       /* 0 means 150 */
    uint32_t copies;       /* copies of each row with other events, in addition to itself; 0 means 2 */
    uint32_t no_copies;    /* 1: the original rows only */
    uint32_t as_published; /* 1: as in the paper: no biases, leaky outputs, no copies */
    uint32_t seed;
    uint32_t has_lambda_norm; /* 1: lambda_norm 0 means no penalty */
    double jitter;            /* standard deviation of the logarithm of the random factors; 0 means 0.45. A
                                 row's own L2 and memory traffic gets 0.45 of it */
    double lambda_norm;       /* the paper's lambda (eq. 8), of the norm of all weights; 0 means 0.01 */
} sooth_slowdown_options;

/* Fits a model of slowdowns. table has rows from sooth_slowdown_row and targets SD_scal and SD_inter (>= 1;
   measurements a little below count as 1). recipe NULL means the network. Otherwise sooth_train_fit uses the
   recipe on the logarithms of the inputs, for the rows and their copies. With recipe->has_target 0 it learns
   the logarithms of the slowdowns. The options used are then copies, no_copies, jitter and seed (as_published
   means no copies); table->group is used, so that copies of a row are held out with it. Returns
   SOOTH_BAD_DATA for another shape, no SMs, an event below 0, or a slowdown of 0 or less. Free the model with
   sooth_model_free. */
SOOTH_API sooth_status sooth_slowdown_fit(sooth_env *env, const sooth_table *table,
                                          const sooth_slowdown_options *options,
                                          const sooth_train_recipe *recipe, sooth_model **model);
SOOTH_API sooth_option_list sooth_slowdown_options_list(void);

/* Returns the status that sooth_slowdown_fit would return for options (NULL means defaults) and table before
   fitting. */
SOOTH_API sooth_status sooth_slowdown_check_options(sooth_env *env, const sooth_table *table,
                                                    const sooth_slowdown_options *options);

/* Measures which events correlate with a slowdown (section V-A). For every column of x and every target,
   computes the median over the groups (the allocations of SMs) of |Spearman's rho| within the group. out:
   cols x targets; NaN if a column is constant in every group. There are up to 64 groups of numbers below
   2^32. Without groups, all rows are one group. */
SOOTH_API sooth_status sooth_slowdown_select(sooth_env *env, const sooth_table *table, double *out);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SLOWDOWN_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_IMPLEMENTED)
#define SOOTH_SLOWDOWN_IMPLEMENTED
SOOTHI_C_BEGIN

#define SOOTHI_SLOWDOWN_MAX 64u
/* Added to an event before its logarithm: a thousandth per cycle is negligible. */
#define SOOTHI_SLOWDOWN_OFFSET 1e-3f
/* The share of the jitter for a program's own traffic beyond the L1. This traffic predicts the slowdown best,
   so it is disturbed less. 0.45 is the best of 0.22, 0.45, 0.67 and 1 when the training programs are left out
   in turn. */
#define SOOTHI_SLOWDOWN_TRAFFIC 0.45

SOOTH_API void sooth_slowdown_row(const float *events, size_t count, size_t which, float sms, float *row) {
    size_t i, n;
    row[0] = sms;
    for (uint32_t k = 0; k < SOOTH_SLOWDOWN_EVENTS; ++k)
        row[1 + k] = events[which * SOOTH_SLOWDOWN_EVENTS + k];
    for (uint32_t k = 0; k < 3; ++k) {
        float sorted[SOOTHI_SLOWDOWN_MAX], sum = 0.0f;
        for (n = 0, i = 0; i < count && i < SOOTHI_SLOWDOWN_MAX; ++i) {
            float v = events[i * SOOTH_SLOWDOWN_EVENTS + SOOTH_SLOWDOWN_L2_ACCESS + k];
            size_t at = n;
            if (i == which) continue;
            for (; at > 0 && sorted[at - 1] > v; --at) sorted[at] = sorted[at - 1];
            sorted[at] = v;
            ++n;
        }
        for (i = 0; i < n; ++i) sum += sorted[i];
        row[9 + k] = sum;
    }
}

/* Computes the network's inputs: logarithms. */
SOOTHI_LOCAL void soothi_slowdown_inputs(const float *row, float *in) {
    in[0] = sooth_log(row[0] > 1e-3f ? row[0] : 1e-3f);
    for (uint32_t k = 1; k < SOOTH_SLOWDOWN_INPUTS; ++k)
        in[k] = sooth_log((row[k] > 0.0f ? row[k] : 0.0f) + SOOTHI_SLOWDOWN_OFFSET);
}

/* Limits both parts to 1 or more and returns their product. */
SOOTHI_LOCAL float soothi_slowdown_product(float part[2]) {
    if (!(part[0] > 1.0f)) part[0] = 1.0f;
    if (!(part[1] > 1.0f)) part[1] = 1.0f;
    return part[0] * part[1];
}

SOOTH_API float sooth_slowdown_predict(const sooth_model *model, const float *row, float part[2]) {
    float in[SOOTH_SLOWDOWN_INPUTS + 1], scratch[SOOTH_SLOWDOWN_INPUTS + 1];
    const uint32_t features = model->head.features, targets = model->head.targets;
    if (targets > 2 || features != SOOTH_SLOWDOWN_INPUTS + 2 - targets)
        return part[0] = part[1] = soothi_missing();
    soothi_slowdown_inputs(row, in);
    if (targets == 1) {
        for (uint32_t k = 0; k < 2; ++k) {
            in[SOOTH_SLOWDOWN_INPUTS] = (float)k;
            part[k] = sooth_model_predict(model, in, scratch);
        }
    } else if (soothi_model_kind(&model->head) == SOOTH_KIND_MLP) /* the usual one */
        sooth_mlp_predict_many((const sooth_mlp *)(const void *)model, in, 1, SOOTH_SLOWDOWN_INPUTS, part);
    else sooth_model_predict_many(model, in, 1, SOOTH_SLOWDOWN_INPUTS, part, scratch, 1);
    return soothi_slowdown_product(part);
}

SOOTH_API float sooth_slowdown_throughput(const float *sd, size_t count) {
    float sum = 0.0f;
    for (size_t i = 0; i < count; ++i) sum += 1.0f / sd[i];
    return sum;
}

#ifndef SOOTH_PREDICT_ONLY

SOOTH_API sooth_option_list sooth_slowdown_options_list(void) {
    static const sooth_option option[] = {
        SOOTHI_COUNT(sooth_slowdown_options, epochs, 1, 100000, 150, "passes over the rows"),
        SOOTHI_COUNT(sooth_slowdown_options, copies, 1, 64, 2, "jittered copies of each row"),
        SOOTHI_FLAG(sooth_slowdown_options, no_copies, "1: no jittered copies"),
        SOOTHI_FLAG(sooth_slowdown_options, as_published,
                    "1: as in the paper: no biases, leaky outputs, no copies"),
        SOOTHI_COUNT(sooth_slowdown_options, seed, 1, 4294967295.0, 0, "of the random numbers"),
        SOOTHI_NUMBER(sooth_slowdown_options, jitter, 1e-6, 4, 0.45,
                      "standard deviation of the logarithm of the copies' factors"),
        SOOTHI_GIVEN(sooth_slowdown_options, lambda_norm, 1e-12, 1e3, 0.01,
                     "lambda of eq. 8, penalty on the norm of all weights")};
    return SOOTHI_OPTIONS(option);
}

SOOTH_API sooth_status sooth_slowdown_check_options(sooth_env *env, const sooth_table *table,
                                                    const sooth_slowdown_options *options) {
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status == SOOTH_OK && options)
        status = sooth_option_check(env, sooth_slowdown_options_list(), options);
    if (status != SOOTH_OK) return status;
    if (table->cols != SOOTH_SLOWDOWN_INPUTS || table->targets != 2)
        return sooth_fail(env, SOOTH_BAD_DATA,
                          "the table has %z columns and %z targets, but must have %d and 2", table->cols,
                          table->targets, SOOTH_SLOWDOWN_INPUTS);
    for (size_t i = 0; i < table->rows; ++i) {
        const float *x = table->x + i * table->stride;
        if (!(x[0] > 0.0f))
            return sooth_fail(env, SOOTH_BAD_DATA, "the SMs of row %z are %g, but must be above 0", i + 1,
                              (double)x[0]);
        for (size_t k = 1; k < SOOTH_SLOWDOWN_INPUTS; ++k)
            if (!(x[k] >= 0.0f))
                return sooth_fail(env, SOOTH_BAD_DATA, "event %z of row %z is %g, but must be at least 0", k,
                                  i + 1, (double)x[k]);
        if (!(table->y[2 * i] > 0.0f && table->y[2 * i + 1] > 0.0f))
            return sooth_fail(env, SOOTH_BAD_DATA,
                              "the slowdowns of row %z are %g and %g, but must be above 0", i + 1,
                              (double)table->y[2 * i], (double)table->y[2 * i + 1]);
    }
    return SOOTH_OK;
}

/* The rows to learn from: those of a table and their copies, as network inputs before scaling. */
typedef struct soothi_slowdown_room {
    float *x, *y;
    uint32_t *group;       /* NULL without groups */
    size_t rows, features; /* one target: two rows for each, and the part as the last feature */
    float *memory;
    size_t words;
} soothi_slowdown_room;

/* Writes what is learned from row i: the inputs, with its events as in `row`, and both slowdowns. */
SOOTHI_LOCAL void soothi_slowdown_put(soothi_slowdown_room *r, const sooth_table *table, size_t i,
                                      const float *row) {
    const size_t targets = SOOTH_SLOWDOWN_INPUTS + 2 - r->features;
    float y[2];
    for (size_t k = 0; k < 2; ++k) y[k] = table->y[2 * i + k] > 1.0f ? table->y[2 * i + k] : 1.0f;
    for (size_t k = 0; k < 2; k += targets) {
        float *x = r->x + r->rows * r->features;
        soothi_slowdown_inputs(row, x);
        if (targets == 1) x[SOOTH_SLOWDOWN_INPUTS] = (float)k;
        memcpy(r->y + r->rows * targets, y + k, targets * sizeof *y);
        if (r->group) r->group[r->rows] = table->group[i];
        ++r->rows;
    }
}

SOOTHI_LOCAL void soothi_slowdown_copies(const sooth_table *table, size_t copies, double jitter,
                                         uint64_t seed, soothi_slowdown_room *r) {
    sooth_rng rng;
    sooth_rng_init(&rng, seed, 1);
    for (size_t c = 0; c <= copies; ++c)
        for (size_t i = 0; i < table->rows; ++i) {
            float row[SOOTH_SLOWDOWN_INPUTS];
            memcpy(row, table->x + i * table->stride, sizeof row);
            for (size_t k = 1; c > 0 && k < SOOTH_SLOWDOWN_INPUTS; ++k) {
                const int traffic = k > SOOTH_SLOWDOWN_L2_ACCESS && k <= SOOTH_SLOWDOWN_EVENTS;
                row[k] *= (float)soothi_exp((traffic ? SOOTHI_SLOWDOWN_TRAFFIC : 1.0) * jitter *
                                            sooth_rng_normal(&rng));
            }
            soothi_slowdown_put(r, table, i, row);
        }
}

/* Fills the rows for a model that learns both parts as targets, or in two rows for each. Free r->memory. The
   options' defaults are filled in. */
SOOTHI_LOCAL sooth_status soothi_slowdown_rows(sooth_env *env, const sooth_table *table,
                                               const sooth_slowdown_options *o, int two_rows,
                                               soothi_slowdown_room *r) {
    const size_t copies = o->as_published || o->no_copies ? 0 : o->copies, targets = two_rows ? 1 : 2,
                 count = soothi_product(table->rows, (copies + 1) * (3 - targets));
    memset(r, 0, sizeof *r);
    r->features = SOOTH_SLOWDOWN_INPUTS + 2 - targets;
    r->words = soothi_product(count, r->features + targets + 1);
    r->memory = (float *)sooth_alloc(env, r->words, sizeof(float));
    if (!r->memory)
        return sooth_no_memory(env, "the rows of a slowdown", soothi_product(r->words, sizeof(float)));
    r->x = r->memory;
    r->y = r->x + count * r->features;
    if (table->group) r->group = (uint32_t *)(void *)(r->y + count * targets);
    soothi_slowdown_copies(table, copies, o->jitter, o->seed, r);
    return SOOTH_OK;
}

/* Scales every column to mean 0 and deviation 1. */
SOOTHI_LOCAL void soothi_slowdown_scale(float *x, size_t rows, double *mean, double *width) {
    for (size_t k = 0; k < SOOTH_SLOWDOWN_INPUTS; ++k) {
        double sum = 0.0, squares = 0.0;
        for (size_t i = 0; i < rows; ++i) sum += (double)x[i * SOOTH_SLOWDOWN_INPUTS + k];
        mean[k] = sum / (double)rows;
        for (size_t i = 0; i < rows; ++i) {
            double t = (double)x[i * SOOTH_SLOWDOWN_INPUTS + k] - mean[k];
            squares += t * t;
        }
        width[k] = soothi_sqrt(squares / (double)rows);
        if (!(width[k] > 1e-6)) width[k] = 1.0;
        for (size_t i = 0; i < rows; ++i) {
            float *v = &x[i * SOOTH_SLOWDOWN_INPUTS + k];
            *v = (float)(((double)*v - mean[k]) / width[k]);
        }
    }
}

/* Rewrites the network for unscaled inputs: w (z - mean) / width + b = (w / width) z + (b - w mean /
   width). */
SOOTHI_LOCAL sooth_status soothi_slowdown_fold(sooth_env *env, const sooth_mlp *scaled, const double *mean,
                                               const double *width, sooth_mlp **model) {
    float weight[SOOTH_SLOWDOWN_INPUTS * 12 + 12 + 12 * 12 + 12 + 12 * 2 + 2];
    uint32_t outputs[3], activation[3];
    size_t i, n = 0;
    for (size_t l = 0; l < 3; ++l) {
        const sooth_mlp_layer *layer = sooth_mlp_layers(scaled) + l;
        double shift[12];
        outputs[l] = layer->outputs;
        activation[l] = layer->activation;
        for (size_t o = 0; o < layer->outputs; ++o)
            for (shift[o] = 0.0, i = 0; i < layer->inputs; ++i) {
                double w = (double)sooth_mlp_weight(scaled, l, o, i);
                if (l == 0) {
                    w /= width[i];
                    shift[o] -= w * mean[i];
                }
                weight[n++] = (float)w;
            }
        for (size_t o = 0; o < layer->outputs; ++o)
            weight[n++] = (float)((double)sooth_mlp_bias(scaled, l, o) + shift[o]);
    }
    return sooth_mlp_make(env, SOOTH_SLOWDOWN_INPUTS, 3, outputs, activation, 0, (double)scaled->leak, weight,
                          model);
}

/* Sets the options of the paper's network and its training. The defaults of `options` are filled in. */
SOOTHI_LOCAL void soothi_slowdown_network(const sooth_slowdown_options *options, sooth_mlp_options *out) {
    memset(out, 0, sizeof *out);
    out->hidden_1 = out->hidden_2 = 12;
    out->activation = SOOTH_MLP_LEAKY_RELU;
    out->output = options->as_published ? SOOTH_MLP_LEAKY_OUTPUT : SOOTH_MLP_FROM_ONE;
    out->no_bias = options->as_published;
    out->no_target_scale = 1; /* slowdowns have no unit */
    out->loss = SOOTH_MLP_THEMIS;
    out->schedule = SOOTH_MLP_COSINE;
    out->learning_rate = 0.003;
    out->batch_size = 64;
    out->epochs = out->patience = options->epochs;
    out->seed = options->seed;
    out->lambda_norm = options->lambda_norm;
    out->has_lambda_norm = 1;
}

/* Fits the network to the rows. */
SOOTHI_LOCAL sooth_status soothi_slowdown_fit_network(sooth_env *env, const soothi_slowdown_room *r,
                                                      const sooth_slowdown_options *options,
                                                      sooth_model **model) {
    sooth_table rows = sooth_table_of(r->x, r->y, r->rows, SOOTH_SLOWDOWN_INPUTS);
    sooth_mlp_options network;
    sooth_mlp *scaled = NULL, *made = NULL;
    double mean[SOOTH_SLOWDOWN_INPUTS], width[SOOTH_SLOWDOWN_INPUTS];
    soothi_slowdown_network(options, &network);
    rows.targets = 2;
    soothi_slowdown_scale(r->x, r->rows, mean, width);
    sooth_status status = sooth_mlp_fit(env, &rows, &network, &scaled);
    if (scaled) { /* SOOTH_OK or SOOTH_NOT_CONVERGED */
        const sooth_status folded = soothi_slowdown_fold(env, scaled, mean, width, &made);
        if (folded != SOOTH_OK) status = folded;
    }
    sooth_mlp_free(env, scaled);
    if (made) *model = (sooth_model *)(void *)made;
    return status;
}

/* Fits a model of the recipe's kind to the rows. names: of the table's columns, or NULL. */
SOOTHI_LOCAL sooth_status soothi_slowdown_fit_recipe(sooth_env *env, const soothi_slowdown_room *r,
                                                     const char *const *names,
                                                     const sooth_train_recipe *recipe,
                                                     const sooth_model_kind *kind, sooth_model **model) {
    sooth_table rows = sooth_table_of(r->x, r->y, r->rows, r->features);
    sooth_train_recipe filled = *recipe;
    const char *all[SOOTH_SLOWDOWN_INPUTS + 1];
    rows.targets = SOOTH_SLOWDOWN_INPUTS + 2 - r->features;
    rows.group = r->group;
    if (names) {
        memcpy(all, names, SOOTH_SLOWDOWN_INPUTS * sizeof *names);
        all[SOOTH_SLOWDOWN_INPUTS] = "part";
        rows.names = all;
    }
    if (!filled.has_target && kind->kind != SOOTH_KIND_BEST) { /* which transforms targets itself */
        memset(&filled.target, 0, sizeof filled.target);
        filled.target.transform = SOOTH_SCALE_LOG;
        filled.has_target = 1;
    }
    return sooth_train_fit(env, &rows, &filled, model);
}

SOOTH_API sooth_status sooth_slowdown_fit(sooth_env *env, const sooth_table *table,
                                          const sooth_slowdown_options *options,
                                          const sooth_train_recipe *recipe, sooth_model **model) {
    const sooth_model_kind *kind = NULL;
    sooth_slowdown_options o;
    soothi_slowdown_room room;
    sooth_status status = sooth_slowdown_check_options(env, table, options);
    *model = NULL;
    if (status == SOOTH_OK && recipe) status = sooth_train_kind_named(env, recipe->model, &kind);
    if (status != SOOTH_OK) return status;
    memset(&o, 0, sizeof o);
    if (options) o = *options;
    soothi_option_fill(sooth_slowdown_options_list(), &o);
    status = soothi_slowdown_rows(env, table, &o, kind && kind->max_targets == 1, &room);
    if (status != SOOTH_OK) return status;
    status = kind ? soothi_slowdown_fit_recipe(env, &room, table->names, recipe, kind, model)
                  : soothi_slowdown_fit_network(env, &room, &o, model);
    sooth_free(env, room.memory, room.words, sizeof(float));
    return status;
}

/* ---- selecting events ---- */

/* Lists the distinct groups of a table in the order of their first row. Returns 0 if there are too many. */
SOOTHI_LOCAL size_t soothi_slowdown_groups(const sooth_table *table, uint32_t *group) {
    size_t g, n = 0;
    for (size_t i = 0; i < table->rows; ++i) {
        uint32_t v = table->group ? table->group[i] : 0;
        for (g = 0; g < n && group[g] != v;) ++g;
        if (g < n) continue;
        if (n == SOOTHI_SLOWDOWN_MAX) return 0;
        group[n++] = v;
    }
    return n;
}

SOOTH_API sooth_status sooth_slowdown_select(sooth_env *env, const sooth_table *table, double *out) {
    uint32_t group[SOOTHI_SLOWDOWN_MAX];
    sooth_status status = sooth_table_check(env, table, SOOTH_TABLE_NEED_TARGETS);
    if (status != SOOTH_OK) return status;
    size_t groups = soothi_slowdown_groups(table, group);
    if (groups == 0)
        return sooth_fail(env, SOOTH_BAD_DATA, "the table has groups with more than %u different numbers",
                          SOOTHI_SLOWDOWN_MAX);
    const size_t floats = soothi_product(table->rows, 2);
    float *memory = (float *)sooth_alloc(env, floats, sizeof(float));
    if (!memory) return sooth_no_memory(env, "rows of a group", soothi_product(floats, sizeof(float)));
    for (size_t j = 0; j < table->cols && status == SOOTH_OK; ++j)
        for (size_t t = 0; t < table->targets && status == SOOTH_OK; ++t) {
            double rho[SOOTHI_SLOWDOWN_MAX];
            size_t known = 0;
            for (size_t g = 0; g < groups && status == SOOTH_OK; ++g) {
                sooth_correlation c;
                size_t n = 0;
                for (size_t i = 0; i < table->rows; ++i) {
                    if (table->group && table->group[i] != group[g]) continue;
                    memory[2 * n] = table->x[i * table->stride + j];
                    memory[2 * n++ + 1] = table->y[i * table->targets + t];
                }
                status = sooth_correlate_pair(env, memory, 2, memory + 1, 2, n, SOOTH_CORRELATE_SPEARMAN, &c);
                if (status == SOOTH_OK && !soothi_nan(c.r)) rho[known++] = soothi_abs(c.r);
            }
            out[j * table->targets + t] = soothi_median(rho, known);
        }
    sooth_free(env, memory, floats, sizeof(float));
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */

/* What else belongs to this header. */
#if !defined(SOOTH_SLOWDOWN_ALLOCATE_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_ALLOCATE_IMPLEMENTED))
#include "slowdown/allocate.h"
#endif
#if !defined(SOOTH_SLOWDOWN_NEIGHBOURS_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SLOWDOWN_NEIGHBOURS_IMPLEMENTED))
#include "slowdown/neighbours.h"
#endif
