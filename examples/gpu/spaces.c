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
 *     trees       settings.h: extra-trees on what was tried
 *     from A      the same, told what GPU A took for every setting
 *     from all    the same, told what all other GPUs took
 *     order of A  A's settings from its fastest on, nothing learned
 *
 * bench/peers/space_peers.py runs the optimisers of others on the same files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"

enum { SEEDS = 21, MOST = 400, MOST_GPUS = 8, MOST_KNOBS = 12 };

/* What one GPU took for every setting; NaN: it failed. */
typedef struct space {
    sooth_env env;
    size_t settings, knobs, gpus;
    float *x; /* settings x knobs */
    const char *gpu[MOST_GPUS];
    float *time; /* gpus x settings */
} space;

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
    s->x = (float *)room(s->settings * s->knobs, sizeof *s->x);
    s->time = (float *)room(csv.rows, sizeof *s->time);
    for (size_t g = 0; g < s->gpus; ++g) {
        char *name = (char *)room(strlen(csv.column[0].text[g]), 1);
        s->gpu[g] = strcpy(name, csv.column[0].text[g]);
    }
    for (size_t i = 0; i < csv.rows; ++i) {
        const float *row = csv.cell + i * csv.cols;
        const size_t which = i % s->settings;
        float *x = s->x + which * s->knobs;
        if (i < s->settings) memcpy(x, row + 1, s->knobs * sizeof(float));
        else if (memcmp(x, row + 1, s->knobs * sizeof(float)) != 0)
            die("GPUs have other settings, or in another order");
        s->time[(size_t)row[0] * s->settings + which] = row[time];
    }
    sooth_csv_free(&s->env, &csv);
}

/* ---- searches ---- */

/* Runs until a setting takes at most `good`, from what the other GPUs took (NULL: nothing is known). */
static uint32_t runs_of(space *s, const float *time, float good, const float *prior, size_t others,
                        uint32_t seed) {
    const sooth_table table = sooth_table_of(s->x, NULL, s->settings, s->knobs);
    uint32_t tried[MOST];
    float took[MOST];
    sooth_settings known = {&table, prior, others, tried, took, 0, seed};
    while (known.runs < MOST) {
        uint32_t next[10];
        size_t count = known.runs == 0 ? 10 : others ? 3 : 2; /* a round of turns for each fit */
        if (sooth_settings_next(&s->env, &known, next, &count) != SOOTH_OK) die(s->env.sentence);
        for (size_t i = 0; i < count && known.runs < MOST; ++i) {
            tried[known.runs] = next[i];
            took[known.runs++] = time[next[i]];
            if (time[next[i]] <= good) return (uint32_t)known.runs;
        }
    }
    return MOST + 1;
}

static int by_count(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void column(space *s, const float *time, float good, const float *prior, size_t others) {
    uint32_t runs[SEEDS];
    for (uint32_t seed = 0; seed < SEEDS; ++seed) runs[seed] = runs_of(s, time, good, prior, others, seed);
    qsort(runs, SEEDS, sizeof *runs, by_count);
    if (runs[SEEDS / 2] <= MOST) printf(" %9u", (unsigned)runs[SEEDS / 2]);
    else printf("      %d+", MOST);
}

/* How far down another GPU's own order the first good setting stands. */
static unsigned place_in_order(const space *s, const float *time, float good, const float *other) {
    unsigned least = UINT32_MAX;
    for (size_t i = 0; i < s->settings; ++i) {
        unsigned place = 1;
        if (!(time[i] <= good)) continue;
        for (size_t k = 0; k < s->settings; ++k) { /* where times are equal, in the order of the file */
            const int fails = !(other[k] <= other[k]), here = !(other[i] <= other[i]);
            place += fails != here ? here : other[k] < other[i] || (k < i && !(other[k] > other[i]));
        }
        if (place < least) least = place;
    }
    return least;
}

static void report(space *s, size_t gpu) {
    const float *time = s->time + gpu * s->settings;
    float *prior = (float *)room((s->gpus - 1) * s->settings, sizeof *prior);
    float best = INFINITY;
    size_t good = 0, others = 0;
    for (size_t i = 0; i < s->settings; ++i)
        if (time[i] < best) best = time[i];
    for (size_t i = 0; i < s->settings; ++i) good += time[i] <= 1.05f * best;
    printf("  %-10s %6zu %9.0f", s->gpu[gpu], good, (double)(s->settings + 1) / (double)(good + 1));
    column(s, time, 1.05f * best, NULL, 0);
    for (size_t g = 0; g < s->gpus; ++g) {
        const float *other = s->time + g * s->settings;
        if (g == gpu) {
            printf("  %17s", "-");
            continue;
        }
        memcpy(prior + others++ * s->settings, other, s->settings * sizeof *prior);
        column(s, time, 1.05f * best, other, 1);
        printf(" (%5u)", place_in_order(s, time, 1.05f * best, other));
    }
    column(s, time, 1.05f * best, prior, others);
    printf("\n");
    fflush(stdout);
    free(prior);
}

int main(int count, char **word) {
    if (count < 2) die("usage: gpu_spaces FILE.csv ... (github.com/AutoTuningAssociation/benchmark_hub)");
    for (int f = 1; f < count; ++f) {
        static space s;
        read_space(&s, word[f]);
        printf("%s: %zu settings of %zu knobs; runs until one is within 5 %% of the best\n", word[f],
               s.settings, s.knobs);
        printf("  %-10s %6s %9s %9s", "GPU", "good", "random", "trees");
        for (size_t g = 0; g < s.gpus; ++g) printf("  from %-6.6s order", s.gpu[g]);
        printf("  from all\n");
        for (size_t g = 0; g < s.gpus; ++g) report(&s, g);
    }
    return 0;
}
