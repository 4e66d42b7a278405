/* settings.h - which setting of a GPU kernel to try next, from earlier trials and from timings on other GPUs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A kernel has knobs (block sizes, tiles, what to keep in shared memory) with thousands of valid settings. A
 * trial costs a run, and many settings fail to compile or to start. The goal is a nearly optimal setting in
 * few runs. Timings of the same settings on another GPU help much.
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/settings.h"
 *     #include <stdio.h>
 *
 *     int main(void) {  // 256 settings of two knobs; the fastest has 12 and 9
 *         static float x[512], y[60];
 *         static uint32_t tried[60];
 *         const sooth_table space = sooth_table_of(x, NULL, 256, 2);
 *         sooth_settings known = {.space = &space, .tried = tried, .time = y};
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         for (int i = 0; i < 256; ++i) {
 *             x[2 * i] = (float)(i / 16);
 *             x[2 * i + 1] = (float)(i % 16);
 *         }
 *         while (known.runs < 60) {
 *             uint32_t next;
 *             size_t count = 1;
 *             if (sooth_settings_next(&env, &known, &next, &count) != SOOTH_OK) return puts(env.sentence);
 *             const float a = x[2 * next] - 12, b = x[2 * next + 1] - 9;
 *             tried[known.runs] = next;
 *             y[known.runs++] = 1 + a * a + b * b;  // a run; NAN where it failed
 *             if (a * a + b * b < 0.5f) return puts("found"), 0;  //> found
 *         }
 *         return 1;
 *     }
 *
 * Notes
 *
 * examples/README.md has measurements: runs until a setting is within 5 % of the best, on two spaces and
 * three GPUs. It compares them with the optimisers of Kernel Tuner and Optuna.
 *
 * Method and references
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
 * settings and 100 runs, for any count. Memory is 4 (knobs + others + 6) + 1 bytes per setting.
 */
#if !defined(SOOTH_SETTINGS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SETTINGS_IMPLEMENTED))
#include "forest.h"
#endif

#ifndef SOOTH_SETTINGS_H
#define SOOTH_SETTINGS_H

SOOTHI_C_BEGIN

#ifndef SOOTH_PREDICT_ONLY

/* The known timings. Times are in any unit, above 0, the same unit for one GPU. NaN means that the setting
   failed. */
typedef struct sooth_settings {
    const sooth_table *space; /* one row per valid setting, one column per knob, all finite */
    const float *prior;       /* others x rows: times of each other GPU; NULL means none */
    size_t others;            /* up to 16 */
    const uint32_t *tried;    /* `runs` rows of the space */
    const float *time;        /* `runs` times */
    size_t runs;
    uint32_t seed; /* of the random order */
} sooth_settings;

/* Chooses the settings to try next, as rows of the space: up to *count untried ones. *count is set to their
   number, 0 if all were tried. The turn is given by `runs`, so calls for one setting at a time continue the
   search. Several settings of one call are chosen without learning from each other. Returns
   SOOTH_BAD_ARGUMENT if a row or number is out of range. Returns SOOTH_BAD_DATA for a time that is infinite
   or not above 0, or a missing knob. */
SOOTH_API sooth_status sooth_settings_next(sooth_env *env, const sooth_settings *known, uint32_t *next,
                                           size_t *count);

/* Fills in the times of all settings on another GPU, if only some were measured there. known->tried and
   ->time are those of that GPU; known->prior is ignored. Measured times are kept (the last of several for one
   setting), and the same trees predict the others. time has one element for each row of the space. Returns
   SOOTH_BAD_DATA also if no setting ran. */
SOOTH_API sooth_status sooth_settings_fill(sooth_env *env, const sooth_settings *known, float *time);

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SETTINGS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_SETTINGS_IMPLEMENTED)
#define SOOTH_SETTINGS_IMPLEMENTED
SOOTHI_C_BEGIN

#ifndef SOOTH_PREDICT_ONLY

enum {
    SOOTHI_SETTINGS_FIRST = 10,
    SOOTHI_SETTINGS_TREES = 30,
    SOOTHI_SETTINGS_BEST = 3, /* whose neighbours are searched, in turn */
    SOOTHI_SETTINGS_OTHERS = 16
};

typedef struct soothi_settings_work {
    const sooth_settings *known;
    size_t rows, knobs, cols;            /* cols: the knobs, then the other GPUs */
    float *x;                            /* rows x cols */
    float *said;                         /* per row: predicted y' */
    float *fit_x, *fit_y;                /* the runs */
    uint64_t *entry, *scratch;           /* for sorting: the larger of rows and runs */
    uint32_t *order;                     /* the settings, in the order of the other GPUs or at random */
    unsigned char *seen;                 /* per row: tried, or chosen */
    uint32_t best[SOOTHI_SETTINGS_BEST]; /* the fastest rows tried */
    size_t bests, at;                    /* at: the position in the order */
} soothi_settings_work;

SOOTHI_LOCAL void soothi_settings_carve(soothi_carver *c, soothi_settings_work *w) {
    const size_t runs = w->known->runs, most = w->rows > runs ? w->rows : runs;
    w->entry = (uint64_t *)soothi_carve(c, most, sizeof *w->entry);
    w->scratch = (uint64_t *)soothi_carve(c, most, sizeof *w->scratch);
    w->x = (float *)soothi_carve(c, w->rows * w->cols, sizeof *w->x);
    w->said = (float *)soothi_carve(c, w->rows, sizeof *w->said);
    w->fit_x = (float *)soothi_carve(c, runs * w->cols, sizeof *w->fit_x);
    w->fit_y = (float *)soothi_carve(c, runs, sizeof *w->fit_y);
    w->order = (uint32_t *)soothi_carve(c, w->rows, sizeof *w->order);
    w->seen = (unsigned char *)soothi_carve(c, w->rows, 1);
}

/* True for a valid time or a failure. */
SOOTHI_LOCAL int soothi_settings_time(float t) { return !(t <= t) || (t > 0.0f && t - t <= 0.0f); }

SOOTHI_LOCAL sooth_status soothi_settings_check(sooth_env *env, const sooth_settings *k, size_t others) {
    const sooth_status status = sooth_table_check(env, k->space, 0);
    if (status != SOOTH_OK) return status;
    if (others > SOOTHI_SETTINGS_OTHERS)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "others is %z, but must be at most %u", others,
                          (unsigned)SOOTHI_SETTINGS_OTHERS);
    if (!k->space->x || k->space->rows > UINT32_MAX)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "a space of settings needs its knobs as numbers, in x");
    for (size_t i = 0; i < k->runs; ++i) {
        if (k->tried[i] >= k->space->rows)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT, "tried[%z] is %u, but there are %z settings", i,
                              k->tried[i], k->space->rows);
        if (!soothi_settings_time(k->time[i]))
            return sooth_fail(env, SOOTH_BAD_DATA, "time[%z] must be above 0 and finite, or NaN", i);
    }
    for (size_t i = 0; i < others * k->space->rows; ++i)
        if (!soothi_settings_time(k->prior[i]))
            return sooth_fail(env, SOOTH_BAD_DATA, "prior[%z] must be above 0 and finite, or NaN", i);
    return SOOTH_OK;
}

/* Computes logarithms of n times. A failure counts as three times the worst. */
SOOTHI_LOCAL void soothi_settings_logs(const float *time, size_t n, float *out, size_t stride) {
    float worst = 0.0f;
    for (size_t i = 0; i < n; ++i)
        if (time[i] > worst) worst = time[i];
    const float failed = sooth_log(worst > 0.0f ? worst : 1.0f) + 1.0986123f; /* log 3 */
    for (size_t i = 0; i < n; ++i) out[i * stride] = time[i] > 0.0f ? sooth_log(time[i]) : failed;
}

/* Fills the rows of the trees' features, and marks the tried ones. */
SOOTHI_LOCAL void soothi_settings_rows(soothi_settings_work *w) {
    const sooth_table *space = w->known->space;
    for (size_t i = 0; i < w->rows; ++i)
        memcpy(w->x + i * w->cols, space->x + i * space->stride, w->knobs * sizeof(float));
    for (size_t o = w->knobs; o < w->cols; ++o)
        soothi_settings_logs(w->known->prior + (o - w->knobs) * w->rows, w->rows, w->x + o, w->cols);
    memset(w->seen, 0, w->rows);
    for (size_t i = 0; i < w->known->runs; ++i) w->seen[w->known->tried[i]] = 1;
}

/* Scales the excess of y above the quartile to a tenth. */
SOOTHI_LOCAL void soothi_settings_clip(soothi_settings_work *w) {
    const size_t runs = w->known->runs;
    for (size_t i = 0; i < runs; ++i) w->entry[i] = soothi_entry(w->fit_y[i], i);
    soothi_entry_sort(w->entry, w->scratch, runs);
    const float c = soothi_key_value(soothi_entry_key(w->entry[(runs - 1) / 4]));
    for (size_t i = 0; i < runs; ++i)
        if (w->fit_y[i] > c) w->fit_y[i] = c + 0.1f * (w->fit_y[i] - c);
}

/* Fits the trees to the runs and predicts all settings. */
SOOTHI_LOCAL sooth_status soothi_settings_ask(sooth_env *env, soothi_settings_work *w, int clip) {
    const sooth_settings *k = w->known;
    sooth_forest_options options;
    sooth_forest *forest;
    for (size_t i = 0; i < k->runs; ++i)
        memcpy(w->fit_x + i * w->cols, w->x + (size_t)k->tried[i] * w->cols, w->cols * sizeof(float));
    soothi_settings_logs(k->time, k->runs, w->fit_y, 1);
    if (clip) soothi_settings_clip(w);
    const sooth_table table = sooth_table_of(w->fit_x, w->fit_y, k->runs, w->cols);
    memset(&options, 0, sizeof options);
    options.n_estimators = SOOTHI_SETTINGS_TREES;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    options.no_cover = 1;
    options.seed = k->seed * 65537u + (uint32_t)k->runs;
    const sooth_status status = sooth_forest_fit(env, &table, &options, &forest);
    if (status != SOOTH_OK) return status;
    sooth_forest_predict_many(forest, w->x, w->rows, w->cols, w->said);
    sooth_forest_free(env, forest);
    return SOOTH_OK;
}

/* Lists the fastest tried rows, the fastest first, each once. */
SOOTHI_LOCAL void soothi_settings_best(soothi_settings_work *w) {
    const sooth_settings *k = w->known;
    const size_t runs = k->runs;
    for (size_t i = 0; i < runs; ++i) w->entry[i] = soothi_entry(k->time[i], k->tried[i]);
    soothi_entry_sort(w->entry, w->scratch, runs);
    w->bests = 0;
    for (size_t i = 0; i < runs && w->bests < SOOTHI_SETTINGS_BEST; ++i) {
        const uint32_t row = soothi_entry_row(w->entry[i]);
        size_t j = 0;
        if (soothi_entry_key(w->entry[i]) == SOOTHI_KEY_MISSING) break;
        while (j < w->bests && w->best[j] != row) ++j;
        if (j == w->bests) w->best[w->bests++] = row;
    }
}

/* Orders the settings by the other GPUs, fastest first, one of each GPU in turn, or at random. A setting
   occurs once for each GPU; only its first place counts. */
SOOTHI_LOCAL void soothi_settings_order(soothi_settings_work *w) {
    const sooth_settings *k = w->known;
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
        for (size_t i = 0; i < w->rows; ++i) w->entry[i] = soothi_entry(k->prior[o * w->rows + i], i);
        soothi_entry_sort(w->entry, w->scratch, w->rows);
        for (size_t i = 0; i < w->rows; ++i) {
            uint32_t *place = &w->order[soothi_entry_row(w->entry[i])];
            const uint32_t here = (uint32_t)(i * others + o);
            if (here < *place) *place = here;
        }
    }
    for (size_t i = 0; i < w->rows; ++i) w->entry[i] = soothi_entry((float)w->order[i], i);
    soothi_entry_sort(w->entry, w->scratch, w->rows);
    for (size_t i = 0; i < w->rows; ++i) w->order[i] = soothi_entry_row(w->entry[i]);
}

SOOTHI_LOCAL size_t soothi_settings_in_order(soothi_settings_work *w) {
    while (w->at < w->rows && w->seen[w->order[w->at]]) ++w->at;
    return w->at < w->rows ? w->order[w->at] : w->rows;
}

/* Returns the unused setting with the smallest prediction: among all (of = rows), or among settings that
   differ from row `of` in a single knob. Returns rows if there is none. */
SOOTHI_LOCAL size_t soothi_settings_least(const soothi_settings_work *w, size_t of) {
    size_t best = w->rows;
    for (size_t i = 0; i < w->rows; ++i) {
        unsigned other = 0;
        if (w->seen[i] || (best < w->rows && !(w->said[i] < w->said[best]))) continue;
        for (size_t j = 0; of < w->rows && j < w->knobs; ++j)
            other += w->x[i * w->cols + j] < w->x[of * w->cols + j] ||
                     w->x[i * w->cols + j] > w->x[of * w->cols + j];
        if (other < 2) best = i;
    }
    return best;
}

/* Returns setting number n of the search. */
SOOTHI_LOCAL size_t soothi_settings_turn(soothi_settings_work *w, size_t n) {
    const size_t turns = w->cols > w->knobs ? 3 : 2;
    size_t row = w->rows;
    if (n < SOOTHI_SETTINGS_FIRST || !w->bests) return soothi_settings_in_order(w);
    n -= SOOTHI_SETTINGS_FIRST;
    if (n % turns == 0) return soothi_settings_least(w, w->rows);
    if (n % turns == 1) row = soothi_settings_least(w, w->best[n / turns % w->bests]);
    return row < w->rows ? row : soothi_settings_in_order(w);
}

/* Checks the input, allocates the work memory and fills the rows. */
SOOTHI_LOCAL sooth_status soothi_settings_begin(sooth_env *env, const sooth_settings *known, size_t others,
                                                soothi_settings_work *w, soothi_carver *c) {
    const sooth_status status = soothi_settings_check(env, known, others);
    if (status != SOOTH_OK) return status;
    memset(w, 0, sizeof *w);
    w->known = known;
    w->rows = known->space->rows;
    w->knobs = known->space->cols;
    w->cols = w->knobs + others;
    c->memory = NULL;
    c->used = 0;
    soothi_settings_carve(c, w);
    const size_t bytes = c->used;
    c->memory = (unsigned char *)sooth_alloc(env, bytes, 1);
    if (!c->memory) return sooth_no_memory(env, "settings", bytes);
    c->used = 0;
    soothi_settings_carve(c, w);
    soothi_settings_rows(w);
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_settings_next(sooth_env *env, const sooth_settings *known, uint32_t *next,
                                           size_t *count) {
    soothi_settings_work w;
    soothi_carver c;
    const size_t wanted = *count;
    *count = 0;
    sooth_status status = soothi_settings_begin(env, known, known->prior ? known->others : 0, &w, &c);
    if (status != SOOTH_OK) return status;
    soothi_settings_best(&w);
    soothi_settings_order(&w);
    if (w.bests && known->runs + wanted > SOOTHI_SETTINGS_FIRST) status = soothi_settings_ask(env, &w, 1);
    for (size_t i = 0; i < wanted && status == SOOTH_OK; ++i) {
        const size_t row = soothi_settings_turn(&w, known->runs + i);
        if (row == w.rows) break;
        w.seen[row] = 1;
        next[(*count)++] = (uint32_t)row;
    }
    sooth_free(env, c.memory, c.used, 1);
    return status;
}

SOOTH_API sooth_status sooth_settings_fill(sooth_env *env, const sooth_settings *known, float *time) {
    soothi_settings_work w;
    soothi_carver c;
    sooth_status status = soothi_settings_begin(env, known, 0, &w, &c);
    if (status != SOOTH_OK) return status;
    soothi_settings_best(&w);
    status = w.bests ? soothi_settings_ask(env, &w, 0)
                     : sooth_fail(env, SOOTH_BAD_DATA,
                                  "none of %z settings ran: there is no time to learn from", known->runs);
    for (size_t i = 0; i < w.rows && status == SOOTH_OK; ++i) {
        const float t = sooth_exp(w.said[i]); /* three times the worst may exceed a float */
        time[i] = t > FLT_MAX ? FLT_MAX : t > 0.0f ? t : FLT_MIN;
    }
    for (size_t i = 0; i < known->runs && status == SOOTH_OK; ++i) time[known->tried[i]] = known->time[i];
    sooth_free(env, c.memory, c.used, 1);
    return status;
}

#endif /* SOOTH_PREDICT_ONLY */

SOOTHI_C_END
#endif /* SOOTH_SETTINGS_IMPLEMENTED */
