/* settings.h - which setting of a GPU kernel to try next, from earlier trials and from timings on other GPUs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A kernel has knobs (block sizes, tiles, what to keep in shared memory) with thousands of valid settings. A
 * trial costs a run, and many settings fail to compile or to start. The goal is a nearly optimal setting in
 * few runs. Timings of the same settings on another GPU help much. examples/README.md has measurements: runs
 * until a setting is within 5 % of the best, next to the optimisers of Kernel Tuner and Optuna.
 *
 * Method
 *
 * The first 10 settings are random, or the fastest of the other GPUs. Then 30 extra-trees (Geurts, Ernst and
 * Wehenkel, Extremely randomized trees, 2006) are fitted to y = log(time) of the trials. A failure counts as
 * three times the worst. The logarithm of each other GPU's time is one more column. The fastest quarter of y
 * counts in full, the excess above it a tenth: y' = c + (y - c) / 10 above the quartile c. So splits
 * distinguish good settings from better ones. Settings are then chosen in turn:
 *
 *     the untried setting with the smallest predicted time;
 *     the fastest predicted one among those that differ from one of the three best in a single knob;
 *     with other GPUs: the next one in their order, which helps if the trees are misled.
 *
 * Cost
 *
 * A call fits a forest of 30 trees to the runs and predicts every setting: some milliseconds for 10,000
 * settings and 100 runs, for any count. Memory is 4 (knobs + others + 4) + 1 bytes per setting, and
 * 4 (knobs + others + 1) bytes per run.
 */
#ifndef GPU_SETTINGS_H
#define GPU_SETTINGS_H
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "sooth/forest.h"

/* The known timings. Times are in any unit, above 0, the same unit for one GPU. NaN means that the setting
   failed. */
typedef struct settings_known {
    const sooth_table *space; /* one row per valid setting, one column per knob, all finite */
    const float *prior;       /* others x rows: times of each other GPU; NULL means none */
    size_t others;            /* up to 16 */
    const uint32_t *tried;    /* `runs` rows of the space */
    const float *time;        /* `runs` times */
    size_t runs;
    uint32_t seed; /* of the random order */
} settings_known;

enum {
    SETTINGS_FIRST = 10,
    SETTINGS_TREES = 30,
    SETTINGS_BEST = 3, /* whose neighbours are searched, in turn */
    SETTINGS_OTHERS = 16
};

/* A value with its position, for sorting. */
typedef struct settings_entry {
    float value;
    uint32_t at;
} settings_entry;

typedef struct settings_work {
    const settings_known *known;
    size_t rows, knobs, cols;     /* cols: the knobs, then the other GPUs */
    size_t entries;               /* the larger of rows and runs */
    float *x;                     /* rows x cols */
    float *predicted;             /* per row: y' */
    float *fit_x, *fit_y;         /* the runs */
    settings_entry *entry;        /* for sorting */
    uint32_t *order;              /* the settings, in the order of the other GPUs or at random */
    unsigned char *used;          /* per row: tried, or chosen */
    uint32_t best[SETTINGS_BEST]; /* the fastest rows tried */
    size_t bests, at;             /* at: the position in the order */
} settings_work;

/* True for a valid time or a failure. */
static int settings_is_time(float t) { return !(t <= t) || (t > 0.0f && t - t <= 0.0f); }

static sooth_status settings_check(sooth_env *env, const settings_known *k, size_t others) {
    const sooth_status status = sooth_table_check(env, k->space, 0);
    if (status != SOOTH_OK) return status;
    if (others > SETTINGS_OTHERS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "others is %z, but must be at most %u", others,
                          (unsigned)SETTINGS_OTHERS);
    if (!k->space->x || k->space->rows > UINT32_MAX)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "space has no matrix x of its knobs, or too many rows");
    for (size_t i = 0; i < k->runs; ++i) {
        if (k->tried[i] >= k->space->rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "tried[%z] is %u, but there are %z settings", i,
                              k->tried[i], k->space->rows);
        if (!settings_is_time(k->time[i]))
            return sooth_fail(env, SOOTH_BAD_DATA, "time[%z] must be above 0 and finite, or NaN", i);
    }
    for (size_t i = 0; i < others * k->space->rows; ++i)
        if (!settings_is_time(k->prior[i]))
            return sooth_fail(env, SOOTH_BAD_DATA, "prior[%z] must be above 0 and finite, or NaN", i);
    return SOOTH_OK;
}

/* The order of qsort: by value, NaN last, then by position, so that no two are equal. */
static int settings_compare(const void *a, const void *b) {
    const settings_entry *x = (const settings_entry *)a, *y = (const settings_entry *)b;
    const int x_failed = !(x->value <= x->value), y_failed = !(y->value <= y->value);
    if (x_failed != y_failed) return x_failed - y_failed;
    if (x->value < y->value || x->value > y->value) return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void settings_sort(settings_work *w, size_t n) {
    qsort(w->entry, n, sizeof *w->entry, settings_compare);
}

/* Computes logarithms of n times. A failure counts as three times the worst. */
static void settings_logs(const float *time, size_t n, float *out, size_t stride) {
    float worst = 0.0f;
    for (size_t i = 0; i < n; ++i)
        if (time[i] > worst) worst = time[i];
    const float failed = sooth_log(worst > 0.0f ? worst : 1.0f) + 1.0986123f; /* log 3 */
    for (size_t i = 0; i < n; ++i) out[i * stride] = time[i] > 0.0f ? sooth_log(time[i]) : failed;
}

/* Fills the rows of the trees' features, and marks the tried ones. */
static void settings_rows(settings_work *w) {
    const sooth_table *space = w->known->space;
    for (size_t i = 0; i < w->rows; ++i)
        memcpy(w->x + i * w->cols, space->x + i * space->stride, w->knobs * sizeof(float));
    for (size_t o = w->knobs; o < w->cols; ++o)
        settings_logs(w->known->prior + (o - w->knobs) * w->rows, w->rows, w->x + o, w->cols);
    memset(w->used, 0, w->rows);
    for (size_t i = 0; i < w->known->runs; ++i) w->used[w->known->tried[i]] = 1;
}

/* Scales the excess of y above the quartile to a tenth. */
static void settings_clip(settings_work *w) {
    const size_t runs = w->known->runs;
    for (size_t i = 0; i < runs; ++i) w->entry[i] = (settings_entry){w->fit_y[i], (uint32_t)i};
    settings_sort(w, runs);
    const float c = w->entry[(runs - 1) / 4].value;
    for (size_t i = 0; i < runs; ++i)
        if (w->fit_y[i] > c) w->fit_y[i] = c + 0.1f * (w->fit_y[i] - c);
}

/* Fits the trees to the runs and predicts all settings. */
static sooth_status settings_predict(sooth_env *env, settings_work *w, int clip) {
    const settings_known *k = w->known;
    sooth_forest_options options;
    sooth_forest *forest;
    for (size_t i = 0; i < k->runs; ++i)
        memcpy(w->fit_x + i * w->cols, w->x + (size_t)k->tried[i] * w->cols, w->cols * sizeof(float));
    settings_logs(k->time, k->runs, w->fit_y, 1);
    if (clip) settings_clip(w);
    const sooth_table table = sooth_table_of(w->fit_x, w->fit_y, k->runs, w->cols);
    memset(&options, 0, sizeof options);
    options.n_estimators = SETTINGS_TREES;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    options.no_cover = 1;
    options.seed = k->seed * 65537u + (uint32_t)k->runs;
    const sooth_status status = sooth_forest_fit(env, &table, &options, &forest);
    if (status != SOOTH_OK) return status;
    sooth_forest_predict_many(forest, w->x, w->rows, w->cols, w->predicted);
    sooth_forest_free(env, forest);
    return SOOTH_OK;
}

/* Lists the fastest tried rows, the fastest first, each once. */
static void settings_find_best(settings_work *w) {
    const settings_known *k = w->known;
    const size_t runs = k->runs;
    for (size_t i = 0; i < runs; ++i) w->entry[i] = (settings_entry){k->time[i], (uint32_t)i};
    settings_sort(w, runs);
    w->bests = 0;
    for (size_t i = 0; i < runs && w->bests < SETTINGS_BEST; ++i) {
        const uint32_t row = k->tried[w->entry[i].at];
        size_t j = 0;
        if (!(w->entry[i].value > 0.0f)) break; /* the failures */
        while (j < w->bests && w->best[j] != row) ++j;
        if (j == w->bests) w->best[w->bests++] = row;
    }
}

/* Orders the settings by the other GPUs, fastest first, one of each GPU in turn, or at random. A setting
   occurs once for each GPU; only its first place counts. */
static void settings_order(settings_work *w) {
    const settings_known *k = w->known;
    const size_t others = w->cols - w->knobs;
    if (!others) {
        sooth_rng rng;
        for (uint32_t i = 0; i < w->rows; ++i) w->order[i] = i;
        sooth_rng_init(&rng, k->seed, 0);
        sooth_rng_shuffle(&rng, w->order, w->rows);
        return;
    }
    /* place 0 of GPU 0, of GPU 1, ...: a setting's place is the minimum of place x others + GPU */
    for (uint32_t i = 0; i < w->rows; ++i) w->order[i] = UINT32_MAX;
    for (size_t o = 0; o < others; ++o) {
        for (uint32_t i = 0; i < w->rows; ++i) w->entry[i] = (settings_entry){k->prior[o * w->rows + i], i};
        settings_sort(w, w->rows);
        for (size_t i = 0; i < w->rows; ++i) {
            uint32_t *place = &w->order[w->entry[i].at];
            const uint32_t here = (uint32_t)(i * others + o);
            if (here < *place) *place = here;
        }
    }
    for (uint32_t i = 0; i < w->rows; ++i) w->entry[i] = (settings_entry){(float)w->order[i], i};
    settings_sort(w, w->rows);
    for (size_t i = 0; i < w->rows; ++i) w->order[i] = w->entry[i].at;
}

static size_t settings_in_order(settings_work *w) {
    while (w->at < w->rows && w->used[w->order[w->at]]) ++w->at;
    return w->at < w->rows ? w->order[w->at] : w->rows;
}

/* Returns the unused setting with the smallest prediction: among all (of = rows), or among settings that
   differ from row `of` in a single knob. Returns rows if there is none. */
static size_t settings_smallest(const settings_work *w, size_t of) {
    size_t best = w->rows;
    for (size_t i = 0; i < w->rows; ++i) {
        unsigned differ = 0;
        if (w->used[i] || (best < w->rows && !(w->predicted[i] < w->predicted[best]))) continue;
        for (size_t j = 0; of < w->rows && j < w->knobs; ++j)
            differ += w->x[i * w->cols + j] < w->x[of * w->cols + j] ||
                      w->x[i * w->cols + j] > w->x[of * w->cols + j];
        if (differ < 2) best = i;
    }
    return best;
}

/* Returns setting number n of the search. */
static size_t settings_turn(settings_work *w, size_t n) {
    const size_t turns = w->cols > w->knobs ? 3 : 2;
    size_t row = w->rows;
    if (n < SETTINGS_FIRST || !w->bests) return settings_in_order(w);
    n -= SETTINGS_FIRST;
    if (n % turns == 0) return settings_smallest(w, w->rows);
    if (n % turns == 1) row = settings_smallest(w, w->best[n / turns % w->bests]);
    return row < w->rows ? row : settings_in_order(w);
}

static void settings_end(sooth_env *env, settings_work *w) {
    const size_t runs = w->known->runs;
    sooth_free(env, w->entry, w->entries, sizeof *w->entry);
    sooth_free(env, w->x, w->rows * w->cols, sizeof *w->x);
    sooth_free(env, w->predicted, w->rows, sizeof *w->predicted);
    sooth_free(env, w->fit_x, runs * w->cols, sizeof *w->fit_x);
    sooth_free(env, w->fit_y, runs, sizeof *w->fit_y);
    sooth_free(env, w->order, w->rows, sizeof *w->order);
    sooth_free(env, w->used, w->rows, 1);
}

/* Checks the input, allocates the work memory and fills the rows. */
static sooth_status settings_begin(sooth_env *env, const settings_known *known, size_t others,
                                   settings_work *w) {
    const sooth_status status = settings_check(env, known, others);
    const size_t runs = known->runs;
    memset(w, 0, sizeof *w);
    if (status != SOOTH_OK) return status;
    w->known = known;
    w->rows = known->space->rows;
    w->knobs = known->space->cols;
    w->cols = w->knobs + others;
    w->entries = w->rows > runs ? w->rows : runs;
    w->entry = (settings_entry *)sooth_alloc(env, w->entries, sizeof *w->entry);
    w->x = (float *)sooth_alloc(env, w->rows * w->cols, sizeof *w->x);
    w->predicted = (float *)sooth_alloc(env, w->rows, sizeof *w->predicted);
    w->fit_x = (float *)sooth_alloc(env, runs * w->cols, sizeof *w->fit_x);
    w->fit_y = (float *)sooth_alloc(env, runs, sizeof *w->fit_y);
    w->order = (uint32_t *)sooth_alloc(env, w->rows, sizeof *w->order);
    w->used = (unsigned char *)sooth_alloc(env, w->rows, 1);
    if (!w->entry || !w->x || !w->predicted || !w->fit_x || !w->fit_y || !w->order || !w->used) {
        settings_end(env, w);
        return sooth_no_memory(env, "settings", w->rows * w->cols * sizeof *w->x);
    }
    settings_rows(w);
    return SOOTH_OK;
}

/* Chooses the settings to try next, as rows of the space: up to *count untried ones. *count is set to their
   number, 0 if all were tried. The turn is given by `runs`, so calls for one setting at a time continue the
   search. Several settings of one call are chosen without learning from each other. Returns
   SOOTH_BAD_ARGUMENT if a row or number is out of range. Returns SOOTH_BAD_DATA for a time that is infinite
   or not above 0, or a missing knob. */
static inline sooth_status settings_next(sooth_env *env, const settings_known *known, uint32_t *next,
                                         size_t *count) {
    settings_work w;
    const size_t wanted = *count;
    *count = 0;
    sooth_status status = settings_begin(env, known, known->prior ? known->others : 0, &w);
    if (status != SOOTH_OK) return status;
    settings_find_best(&w);
    settings_order(&w);
    if (w.bests && known->runs + wanted > SETTINGS_FIRST) status = settings_predict(env, &w, 1);
    for (size_t i = 0; i < wanted && status == SOOTH_OK; ++i) {
        const size_t row = settings_turn(&w, known->runs + i);
        if (row == w.rows) break;
        w.used[row] = 1;
        next[(*count)++] = (uint32_t)row;
    }
    settings_end(env, &w);
    return status;
}

/* Fills in the times of all settings on another GPU, if only some were measured there. known->tried and
   ->time are those of that GPU; known->prior is ignored. Measured times are kept (the last of several for one
   setting), and the same trees predict the others. time has one element for each row of the space. Returns
   SOOTH_BAD_DATA also if no setting ran. */
static inline sooth_status settings_fill(sooth_env *env, const settings_known *known, float *time) {
    settings_work w;
    sooth_status status = settings_begin(env, known, 0, &w);
    if (status != SOOTH_OK) return status;
    settings_find_best(&w);
    status = w.bests ? settings_predict(env, &w, 0)
                     : sooth_fail(env, SOOTH_BAD_DATA,
                                  "none of %z settings ran; a search needs at least one time", known->runs);
    for (size_t i = 0; i < w.rows && status == SOOTH_OK; ++i) {
        const float t = sooth_exp(w.predicted[i]); /* three times the worst may exceed a float */
        time[i] = t > FLT_MAX ? FLT_MAX : t > 0.0f ? t : FLT_MIN;
    }
    for (size_t i = 0; i < known->runs && status == SOOTH_OK; ++i) time[known->tried[i]] = known->time[i];
    settings_end(env, &w);
    return status;
}

#endif
