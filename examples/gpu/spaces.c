/* spaces.c - which settings of a GPU kernel to try: runs until one is within 5 % of the best of all.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_spaces FILE.csv ...
 *
 * FILE is a tuning space measured in full on several GPUs (FAIR Benchmark Hub for Auto-Tuning, MIT): columns
 * gpu, the knobs, time_ms (blank where a setting fails) and what follows it, every GPU with the same settings
 * in the same order. A setting that fails costs a run and tells only that it fails. Median of SEEDS searches:
 *
 *     random      settings at random; the mean, (N + 1) / (good ones + 1), is exact
 *     genetic     20 settings; two good ones are crossed, a knob changes with probability 1/10, children that
 *                 are no setting are drawn again; the better half of old and new lives on
 *     trees       extra-trees on the logarithm of time, failures at three times the worst; by turns the
 *                 setting that they say is fastest, and that among those beside the best so far (one knob
 *                 changed), after 10 at random
 *     from A      the same, with the logarithm of the times on GPU A as one more knob; its 10 fastest
 *                 settings first, and by turns the next of them
 *     order of A  A's settings from its fastest on, nothing learned
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"

enum { SEEDS = 5, MOST = 400, MOST_GPUS = 8, MOST_KNOBS = 12, FIRST = 10, POPULATION = 20 };

/* What one GPU took for every setting; NaN: it failed. */
typedef struct space {
    sooth_env env;
    size_t settings, knobs, gpus;
    size_t cols; /* the knobs, the products of those called so_x and so_y, what another GPU tells (or 0) */
    float *x;    /* settings x cols */
    const char *gpu[MOST_GPUS];
    float *time[MOST_GPUS];
} space;

/* One search: what was tried, until a setting is good. */
typedef struct search {
    const float *time;
    float good; /* 1.05 times the best */
    uint32_t tried[MOST];
    unsigned char *seen;
    uint32_t runs;
    int done;
} search;

static void die(const char *what) {
    fprintf(stderr, "gpu_spaces: %s\n", what);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) die("no memory");
    return memory;
}

/* ---- the file ---- */

/* Whether this column and the next are something_x and something_y: their product is a size of its own. */
static int is_pair(const sooth_csv *csv, size_t j) {
    const char *a = csv->column[j].name, *b = j + 1 < csv->cols ? csv->column[j + 1].name : "";
    const size_t n = strlen(a);
    return n > 2 && n == strlen(b) && strncmp(a, b, n - 1) == 0 && a[n - 1] == 'x' && b[n - 1] == 'y';
}

static void read_space(space *s, const char *path) {
    static char bytes[1 << 22];
    sooth_csv csv;
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size == sizeof bytes) die("a file has 4 MiB or more");
    memset(s, 0, sizeof *s);
    sooth_env_init(&s->env);
    if (sooth_csv_read(&s->env, bytes, size, NULL, &csv) != SOOTH_OK) die(s->env.sentence);
    const size_t gpu = sooth_csv_find(&csv, "gpu"), time = sooth_csv_find(&csv, "time_ms");
    if (gpu != 0 || time == csv.cols || time < 2 || time > MOST_KNOBS || !csv.column[0].is_text ||
        csv.column[0].texts > MOST_GPUS || csv.rows % csv.column[0].texts)
        die("a file must have gpu, up to 11 knobs, time_ms, and as many settings of each GPU");
    s->gpus = csv.column[0].texts;
    s->knobs = time - 1;
    s->settings = csv.rows / s->gpus;
    if (s->settings <= MOST) die("a space this small is tried in full");
    s->cols = s->knobs + 1;
    for (size_t k = 0; k < s->knobs; ++k) s->cols += is_pair(&csv, 1 + k);
    s->x = (float *)room(s->settings * s->cols, sizeof *s->x);
    for (size_t g = 0; g < s->gpus; ++g) {
        char *name = (char *)room(strlen(csv.column[0].text[g]), 1);
        s->gpu[g] = strcpy(name, csv.column[0].text[g]);
        s->time[g] = (float *)room(s->settings, sizeof(float));
    }
    for (size_t i = 0; i < csv.rows; ++i) {
        const float *row = csv.cell + i * csv.cols;
        const size_t which = i % s->settings;
        float *x = s->x + which * s->cols;
        if (i < s->settings) memcpy(x, row + 1, s->knobs * sizeof(float));
        else if (memcmp(x, row + 1, s->knobs * sizeof(float)) != 0)
            die("GPUs have other settings, or in another order");
        for (size_t k = 0, to = s->knobs; k < s->knobs; ++k)
            if (is_pair(&csv, 1 + k)) x[to++] = x[k] * x[k + 1];
        s->time[(size_t)row[0]][which] = row[time];
    }
    sooth_csv_free(&s->env, &csv);
}

/* ---- a search ---- */

static void try_one(search *r, uint32_t which) {
    if (r->done || r->seen[which]) return;
    r->seen[which] = 1;
    r->tried[r->runs++] = which;
    r->done = r->time[which] <= r->good || r->runs == MOST;
}

static float worst_of(const search *r) {
    float worst = 0.0f;
    for (uint32_t i = 0; i < r->runs; ++i)
        if (r->time[r->tried[i]] > worst) worst = r->time[r->tried[i]];
    return worst > 0.0f ? worst : 1.0f;
}

/* Which settings come first on a GPU; those that fail last. */
static const float *order_key;
static int by_key(const void *a, const void *b) {
    const float x = order_key[*(const uint32_t *)a], y = order_key[*(const uint32_t *)b];
    const int fails = (x != x) - (y != y);
    return fails ? fails : (x > y) - (x < y);
}

static uint32_t *order_of(const space *s, const float *time) {
    uint32_t *order = (uint32_t *)room(s->settings, sizeof *order);
    for (uint32_t i = 0; i < s->settings; ++i) order[i] = i;
    order_key = time;
    qsort(order, s->settings, sizeof *order, by_key);
    return order;
}

/* The fastest that was tried. */
static uint32_t best_of(const search *r) {
    uint32_t best = r->tried[0];
    for (uint32_t i = 1; i < r->runs; ++i) {
        const float t = r->time[r->tried[i]], of = r->time[best];
        if (t == t && !(of <= t)) best = r->tried[i];
    }
    return best;
}

/* The setting not tried that is said to be the fastest of all (of: settings), or of those that differ from
   this one in a single knob; settings: there is none. */
static uint32_t least(const space *s, const search *r, const float *said, uint32_t of) {
    uint32_t best = (uint32_t)s->settings;
    for (uint32_t i = 0; i < s->settings; ++i) {
        unsigned other = 0;
        if (r->seen[i] || (best < s->settings && !(said[i] < said[best]))) continue;
        for (size_t k = 0; of < s->settings && k < s->knobs; ++k)
            other += s->x[i * s->cols + k] < s->x[of * s->cols + k] ||
                     s->x[i * s->cols + k] > s->x[of * s->cols + k];
        if (other < 2) best = i;
    }
    return best;
}

/* Every fit gives one setting of all, and one beside the best so far; with a prior, where `first` is the
   order of another GPU, also the next in it. */
static void by_trees(space *s, search *r, const uint32_t *first, int prior, uint32_t seed) {
    const size_t cols = s->cols;
    sooth_forest_options options;
    float *x = (float *)room(MOST * cols, sizeof *x), *y = (float *)room(MOST, sizeof *y);
    float *said = (float *)room(s->settings, sizeof *said);
    memset(&options, 0, sizeof options);
    options.n_estimators = 30;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    uint32_t next = FIRST;
    for (uint32_t i = 0; i < FIRST; ++i) try_one(r, first[i]);
    while (!r->done) {
        const float worst = worst_of(r);
        sooth_forest *forest;
        for (uint32_t i = 0; i < r->runs; ++i) {
            const float t = r->time[r->tried[i]];
            memcpy(x + i * cols, s->x + r->tried[i] * cols, cols * sizeof(float));
            y[i] = sooth_log(t == t ? t : 3.0f * worst);
        }
        sooth_table table = sooth_table_of(x, y, r->runs, cols);
        options.seed = seed * MOST + r->runs;
        if (sooth_forest_fit(&s->env, &table, &options, &forest) != SOOTH_OK) die(s->env.sentence);
        sooth_forest_predict_many(forest, s->x, s->settings, cols, said);
        sooth_forest_free(&s->env, forest);
        for (unsigned more = r->runs < 50 ? 1 : 2; more--;) { /* later, two of each for a fit */
            try_one(r, least(s, r, said, (uint32_t)s->settings));
            const uint32_t beside = least(s, r, said, best_of(r));
            if (beside < s->settings) try_one(r, beside);
            while (next < s->settings && r->seen[first[next]]) ++next;
            if (prior || beside == s->settings) try_one(r, first[next]);
        }
    }
    free(x);
    free(y);
    free(said);
}

/* The setting with these knobs; settings: there is none. */
static uint32_t setting_of(const space *s, const float *knob) {
    uint32_t i = 0;
    while (i < s->settings && memcmp(s->x + i * s->cols, knob, s->knobs * sizeof *knob) != 0) ++i;
    return i;
}

static void by_genes(const space *s, search *r, const uint32_t *first, sooth_rng *rng) {
    uint32_t alive[2 * POPULATION];
    const size_t cols = s->cols;
    for (uint32_t i = 0; i < POPULATION; ++i) try_one(r, alive[i] = first[i]);
    for (uint32_t stale = 0; !r->done && stale < 100; ++stale) {
        for (uint32_t i = POPULATION; i < 2 * POPULATION; ++i) {
            float knob[MOST_KNOBS];
            uint32_t child = (uint32_t)s->settings;
            for (unsigned attempt = 0; attempt < 100 && child == s->settings; ++attempt) {
                const uint32_t a = alive[sooth_rng_below(rng, POPULATION / 2)];
                const uint32_t b = alive[sooth_rng_below(rng, POPULATION)];
                for (size_t k = 0; k < s->knobs; ++k) {
                    uint32_t from = sooth_rng_below(rng, 2) ? a : b;
                    if (sooth_rng_below(rng, 10) == 0) from = sooth_rng_below(rng, (uint32_t)s->settings);
                    knob[k] = s->x[from * cols + k];
                }
                child = setting_of(s, knob);
            }
            if (child == s->settings) child = sooth_rng_below(rng, (uint32_t)s->settings);
            if (!r->seen[child]) stale = 0;
            try_one(r, alive[i] = child);
        }
        order_key = r->time;
        qsort(alive, sizeof alive / sizeof *alive, sizeof *alive, by_key);
    }
    if (!r->done) r->runs = MOST; /* it stands still */
}

/* ---- what came out ---- */

static int by_count(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void print_runs(uint32_t *runs) {
    qsort(runs, SEEDS, sizeof *runs, by_count);
    if (runs[SEEDS / 2] < MOST) printf(" %9u", (unsigned)runs[SEEDS / 2]);
    else printf("      %d+", MOST);
}

/* How: GPUs number of a prior, or one of these. */
enum { GENETIC = MOST_GPUS, TREES };

static void column(space *s, size_t gpu, float good, size_t how) {
    const size_t cols = s->cols;
    uint32_t runs[SEEDS];
    for (uint32_t seed = 0; seed < SEEDS; ++seed) {
        search r;
        sooth_rng rng;
        memset(&r, 0, sizeof r);
        r.time = s->time[gpu];
        r.good = good;
        r.seen = (unsigned char *)room(s->settings, 1);
        sooth_rng_init(&rng, seed, how);
        uint32_t *first = order_of(s, how < s->gpus ? s->time[how] : s->time[gpu]);
        if (how >= s->gpus) sooth_rng_shuffle(&rng, first, s->settings);
        for (size_t i = 0; i < s->settings; ++i) {
            const float t = how < s->gpus ? s->time[how][i] : 1.0f;
            s->x[i * cols + cols - 1] = t == t ? sooth_log(t) : 20.0f;
        }
        if (how == GENETIC) by_genes(s, &r, first, &rng);
        else by_trees(s, &r, first, how < s->gpus, seed);
        runs[seed] = r.runs;
        free(r.seen);
        free(first);
    }
    print_runs(runs);
}

static void report(space *s, size_t gpu) {
    const float *time = s->time[gpu];
    float best = INFINITY;
    size_t good = 0;
    for (size_t i = 0; i < s->settings; ++i)
        if (time[i] < best) best = time[i];
    for (size_t i = 0; i < s->settings; ++i) good += time[i] <= 1.05f * best;
    printf("  %-10s %6zu %9.0f", s->gpu[gpu], good, (double)(s->settings + 1) / (double)(good + 1));
    column(s, gpu, 1.05f * best, GENETIC);
    column(s, gpu, 1.05f * best, TREES);
    for (size_t g = 0; g < s->gpus; ++g) {
        uint32_t *order, n = 0;
        if (g == gpu) {
            printf("  %17s", "-");
            continue;
        }
        column(s, gpu, 1.05f * best, g);
        order = order_of(s, s->time[g]);
        while (!(time[order[n]] <= 1.05f * best)) ++n;
        printf(" (%5u)", (unsigned)n + 1);
        free(order);
    }
    printf("\n");
    fflush(stdout);
}

int main(int count, char **word) {
    if (count < 2) die("usage: gpu_spaces FILE.csv ... (github.com/AutoTuningAssociation/benchmark_hub)");
    for (int f = 1; f < count; ++f) {
        static space s;
        read_space(&s, word[f]);
        printf("%s: %zu settings of %zu knobs; runs until one is within 5 %% of the best\n", word[f],
               s.settings, s.knobs);
        printf("  %-10s %6s %9s %9s %9s", "GPU", "good", "random", "genetic", "trees");
        for (size_t g = 0; g < s.gpus; ++g) printf("  from %-6.6s order", s.gpu[g]);
        printf("\n");
        for (size_t g = 0; g < s.gpus; ++g) report(&s, g);
    }
    return 0;
}
