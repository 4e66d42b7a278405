/* tellers.h - predictors of slowdowns: the kernel slowdown model in several forms, and its rivals, as
 * sections III, VI and VII of Themis (Zhao et al., IPDPS 2019) describe them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PAPERS_TELLERS_H
#define PAPERS_TELLERS_H

#include "truth.h"

/* ---- learning (section V-C) ---- */

enum { SPLITS = 5, ROWS = TRAIN * 2 * LEVELS * SPLITS };

static float learn_x[ROWS * INPUTS], learn_y[ROWS * 2];

/* Each training kernel next to both producers, on the splits and levels given. */
static inline sooth_table learned_from(const int *split, int splits, const int *level, int levels) {
    size_t n = 0;
    for (int a = 0; a < TRAIN; ++a)
        for (int kind = 0; kind < 2; ++kind)
            for (int l = 0; l < levels; ++l)
                for (int s = 0; s < splits; ++s, ++n) {
                    const bag b = two(a, KERNELS + LEVELS * kind + level[l], split[s]);
                    sight seen;
                    look(&b, 0, &seen);
                    memcpy(learn_x + n * INPUTS, seen.row, INPUTS * sizeof(float));
                    memcpy(learn_y + n * 2, seen.part, 2 * sizeof(float));
                }
    sooth_table table = sooth_table_of(learn_x, learn_y, n, INPUTS);
    table.targets = 2;
    return table;
}

static const int all_splits[SPLITS] = {10, 20, 30, 40, 50},
                 all_levels[LEVELS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* One model, or the mean of several. */
typedef struct ksm {
    sooth_model *model[3];
    int count;
} ksm;

static inline float ksm_tell(const ksm *k, const float *row, float part[2]) {
    part[0] = part[1] = 0;
    for (int m = 0; m < k->count; ++m) {
        float one[2];
        sooth_slowdown_predict(k->model[m], row, one);
        for (int t = 0; t < 2; ++t) part[t] += one[t] / (float)k->count;
    }
    return part[0] * part[1];
}

static inline void ksm_free(ksm *k) {
    for (; k->count > 0; --k->count) sooth_model_free(&env, k->model[k->count - 1]);
}

/* Adds a model of kind (NULL: the network). */
static inline void ksm_fit(ksm *k, const sooth_table *table, const char *kind,
                           const sooth_slowdown_options *options) {
    const sooth_train_recipe recipe = {.model = kind};
    must(sooth_slowdown_fit(&env, table, options, kind ? &recipe : NULL, &k->model[k->count++]));
}

/* As in Table IV and eq. 8: 312 weights, no biases, a leaky output, lambda 0.001. The paper does not
   specify the scaling of inputs. Here it is their logarithms, normalised to mean 0 and deviation 1, as in
   ours. */
static const sooth_slowdown_options literally = {
    .as_published = 1, .has_lambda_norm = 1, .lambda_norm = 0.001};

/* ---- ASM ---- */

/* The Application Slowdown Model (Subramanian et al., MICRO 2015), section VI: without sampling of the cache.
 *
 * A program's rate of requests to the shared cache replaces its performance: slowdown = CAR_alone /
 * CAR_shared. CAR_alone is estimated in epochs in which the program's requests go first at the memory. The
 * estimate still lacks the cache space of the others. A private directory (the auxiliary tags) counts the
 * misses that the program would not have had alone. For each of them, these cycles are taken off the epoch:
 *     avg_miss_time - avg_hit_time
 * avg_miss_time is the cycles with at least one miss outstanding over the misses, so that simultaneous misses
 * count once. avg_hit_time is defined alike.
 *
 * In the equations, an epoch has the memory's queue of the program alone. Its share of the cache and the
 * queue at the cache are as next to the others. By Little's law (rate x latency) requests are outstanding, at
 * least one of them 1 - exp(-that) of the time. The auxiliary tags have the misses alone on the same
 * multiprocessors. ASM compares with that, since its programs keep their cores ("ignores the slowdown due to
 * the reduction of SMs"). Under another simulator ASM is given the true slowdown by the others, which is its
 * best possible result. */
static inline double asm_inter(const bag *b, int i) {
    simulator_kernel producer;
    const simulator_kernel *k = kernel_of(b->kernel[i], &producer);
    simulator_result r[BAG];
    const double alone_miss = truth_alone(b->kernel[i], b->sms[i]).miss;
    double low = 0, high = 1 - 1e-9, requests = 0;
    simulator_state s;
    truth_of(b, r);
    if (!here->equations) return r[i].time / truth_alone(b->kernel[i], b->sms[i]).time;
    for (int j = 0; j < b->count; ++j) requests += r[j].event[SOOTH_SLOWDOWN_L2_ACCESS];
    memset(&s, 0, sizeof s);
    s.count = 1;
    s.m[0] = pow(pow(b->sms[i], -6) + pow(k->parallel, -6), -1. / 6);
    s.a[0] = r[i].event[SOOTH_SLOWDOWN_L2_ACCESS] / r[i].event[SOOTH_SLOWDOWN_IPC];
    s.miss[0] = r[i].miss;
    const double u2 = fmin(requests * SIMULATOR_LINE / simulator_b2, .995);
    s.l2_wait = simulator_s2 * u2 / (1 - u2);
    for (int half = 0; half < 45; ++half) {
        const double busy = .5 * (low + high);
        if (simulator_load(&s, &k, busy, k->row) > busy) low = busy;
        else high = busy;
    }
    simulator_load(&s, &k, .5 * (low + high), k->row);
    const double misses = s.x[0] * s.miss[0] + 1e-12, hits = s.x[0] * (1 - s.miss[0]) + 1e-12,
                 contention = s.x[0] * fmax(s.miss[0] - alone_miss, 0),
                 miss_time = (1 - exp(-misses * s.latency[0])) / misses,
                 hit_time = (1 - exp(-hits * (simulator_l0 + s.l2_wait))) / hits,
                 excess = contention * fmax(miss_time - hit_time, 0);
    return fmax(1, s.x[0] / fmax(1 - excess, .05) / r[i].event[SOOTH_SLOWDOWN_L2_ACCESS]);
}

/* ---- GPM ---- */

/* Wu et al., HPCA 2015, as section VI uses it. The training kernels are clustered into 8 groups by their
 * progress on 5, 10 ... 55 multiprocessors. A network (an output for each group) learns from the events of
 * Table I to which group a kernel belongs. The centre of the group is then its curve. The paper leaves one
 * point open, and we choose in its favour: the training events are of solo runs on each of the five
 * allocations, with their number of multiprocessors. For a prediction, the events are those next to others:
 * "polluted", as in the paper. */
enum { GROUPS = 8, STEP = 5, CURVE = SMS / STEP - 1 };

typedef struct gpm {
    double centre[GROUPS * CURVE];
    sooth_model *model;
} gpm;

/* SMs and events, in logarithms. */
static inline void gpm_inputs(const float *row, float *in) {
    for (int k = 0; k <= EVENTS; ++k) in[k] = logf(row[k] + 1e-3f);
}

static inline void gpm_fit(gpm *g) {
    static float curve[TRAIN * CURVE], x[TRAIN * SPLITS * (EVENTS + 1)], y[TRAIN * SPLITS * GROUPS];
    const sooth_cluster_options eight = {.n_clusters = GROUPS};
    const sooth_train_recipe network = {.model = "mlp"};
    uint32_t label[TRAIN];
    for (int a = 0; a < TRAIN; ++a)
        for (int n = 0; n < CURVE; ++n) curve[a * CURVE + n] = (float)(1 / true_scal(a, STEP * (n + 1)));
    const sooth_table curves = sooth_table_of(curve, NULL, TRAIN, CURVE);
    must(sooth_cluster_fit(&env, &curves, &eight, g->centre, label, NULL));
    for (int a = 0, row = 0; a < TRAIN; ++a)
        for (int s = 0; s < SPLITS; ++s, ++row) {
            const bag b = alone(a, all_splits[s]);
            sight seen;
            look(&b, 0, &seen);
            gpm_inputs(seen.row, x + row * (EVENTS + 1));
            for (uint32_t t = 0; t < GROUPS; ++t) y[row * GROUPS + (int)t] = t == label[a];
        }
    sooth_table table = sooth_table_of(x, y, TRAIN * SPLITS, EVENTS + 1);
    table.targets = GROUPS;
    must(sooth_train_fit(&env, &table, &network, &g->model));
}

static inline double gpm_scal(const gpm *g, const float *row) {
    float in[EVENTS + 1], scratch[EVENTS + 1], out[GROUPS];
    int best = 0;
    gpm_inputs(row, in);
    sooth_model_predict_many(g->model, in, 1, EVENTS + 1, out, scratch, 1);
    for (int t = 1; t < GROUPS; ++t)
        if (out[t] > out[best]) best = t;
    /* straight lines from (0, 0) over the centre to (SMS, 1) */
    const int left = (int)row[0] / STEP;
    const double low = left == 0      ? 0
                       : left > CURVE ? 1
                                      : g->centre[best * CURVE + left - 1],
                 high = left >= CURVE ? 1 : g->centre[best * CURVE + left];
    return 1 / fmin(1, fmax(1e-3, low + (high - low) * ((double)row[0] / STEP - left)));
}

/* ---- Bubble-Flux ---- */

/* Yang et al., ISCA 2013, as section VI uses it. Every 300,000 cycles the programs change between two modes:
 * all of them, and each of them in turn, alone on the whole processor. The slowdown is the rate of
 * instructions alone over the rate next to the others. So it is measured, not predicted. But half of the time
 * goes to it, and each change costs a preemption (Tanasic et al., ISCA 2014). The registers and the shared
 * memory (Table II: 64 K registers and 96 KiB) of every multiprocessor that changes are written out and
 * others read in, at the bandwidth of the memory. Nothing advances meanwhile. The paper leaves one point
 * open, and we choose in its favour: counting begins after the change, with warm caches. */
static inline double flux_slowdown(const bag *b, const sight *seen, int i, uint64_t when) {
    const bag whole = alone(b->kernel[i], SMS);
    sight solo;
    look(&whole, 1000 + when, &solo);
    return (double)solo.row[1] / (double)seen->row[INPUTS * i + 1];
}

/* The progress of each program if its slowdown next to the others is sd. */
static inline void flux_progress(const bag *b, const double *sd, double *progress) {
    const double stage = 300e3, state = 4 * 65536 + 96 * 1024, turn = 2 * state / simulator_bd;
    double cycles = stage * (1 + b->count);
    cycles += turn * ((SMS - b->sms[0]) + SMS * (b->count - 1) + (SMS - b->sms[b->count - 1]));
    for (int i = 0; i < b->count; ++i) progress[i] = stage * (1 / sd[i] + 1) / cycles;
}

/* ---- all of them ---- */

typedef enum teller {
    THEMIS, /* our network: the mean of three */
    LITERAL,
    FLUX,
    ASM_GPM,
    ASM,
    ASM_BEST, /* with the true slowdown by the others */
    TREES,    /* extra-trees on the same logarithms and copies */
    TELLERS
} teller;

static const char *const teller_names[TELLERS] = {"Themis, ours", "Themis, literal", "Bubble-Flux", "ASM-GPM",
                                                  "ASM",          "ASM at best",     "extra-trees"};

static ksm ours, literal, trees;
static gpm curves;

static inline void tellers_fit(void) {
    const sooth_table table = learned_from(all_splits, SPLITS, all_levels, LEVELS);
    sooth_slowdown_options options;
    memset(&options, 0, sizeof options);
    for (options.seed = 0; options.seed < 3; ++options.seed) ksm_fit(&ours, &table, NULL, &options);
    ksm_fit(&literal, &table, NULL, &literally);
    ksm_fit(&trees, &table, "extratrees", NULL);
    gpm_fit(&curves);
}

static inline void tellers_free(void) {
    ksm_free(&ours);
    ksm_free(&literal);
    ksm_free(&trees);
    sooth_model_free(&env, curves.model);
}

/* The slowdown of kernel i of a bag by its multiprocessors and by the others. A method that measures only
   the total writes it to `observed`, otherwise 0. */
static inline double told(teller t, const bag *b, const sight *seen, int i, uint64_t when, float part[2],
                          double *observed) {
    const float *row = seen->row + INPUTS * i;
    *observed = 0;
    part[0] = part[1] = 1;
    if (t == THEMIS || t == LITERAL || t == TREES)
        return (double)ksm_tell(t == THEMIS ? &ours : t == LITERAL ? &literal : &trees, row, part);
    if (t == FLUX) return *observed = flux_slowdown(b, seen, i, when);
    if (t == ASM_BEST) part[1] = (float)(seen->sd[i] / true_scal(b->kernel[i], b->sms[i]));
    else part[1] = (float)asm_inter(b, i);
    if (t == ASM_GPM) part[0] = (float)gpm_scal(&curves, row);
    return (double)(part[0] * part[1]);
}

#endif
