/* spaces.c - which settings of a GPU kernel to try: runs until one is within 5 % of the best of all.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_spaces [--seeds N] [--out FOLDER [--peers PEERS.csv]] FILE.csv ...
 *
 * FILE is a tuning space measured in full on several GPUs (FAIR Benchmark Hub for Auto-Tuning, MIT). Its
 * columns are gpu, the knobs, time_ms (blank if a setting fails) and others. Every GPU has the same settings
 * in the same order. A setting that fails costs a run and gives no time. Median of SEEDS searches:
 *
 *     random      settings at random; the mean, (N + 1) / (good ones + 1), is exact
 *     trees       settings.h: extra-trees on the trials
 *     from A      the same, with the times of all settings on GPU A
 *     from all    the same, with the times on all other GPUs
 *     order of A  A's settings, the fastest first, without learning
 *
 * bench/peers/space_peers.py runs the optimisers of others on the same files. With --out the best so far
 * against runs is drawn for each GPU, SPACE_GPU.svg, with five of theirs from PEERS.csv (its output is
 * data/space_peers.csv). SPACE_curves.csv has the numbers of all: the ratio of the best time of all to the
 * best so far, by number of runs, as the mean over the searches. It is 0 if none has run. Our searches and
 * curves stop at the first setting within 5 %.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"
#include "../common/picture.h"
#include "settings.h"

enum { SEEDS = 21, MOST = 400, MOST_GPUS = 8, MOST_KNOBS = 12, POINTS = 13, DRAWN = 8 };

/* The numbers of runs of the curves: the columns after_1, ... of PEERS.csv. */
static const double point[POINTS] = {1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 400};

/* The rivals whose curves are drawn next to ours, with their names there. */
static const char *const peer_drawn[][2] = {{"random_sample", "random"},
                                            {"genetic_algorithm", "genetic"},
                                            {"basinhopping", "basin hopping"},
                                            {"pso", "particle swarm"},
                                            {"dual_annealing", "dual annealing"}};
enum { PEERS_DRAWN = sizeof peer_drawn / sizeof *peer_drawn };

/* The command's options. */
typedef struct wish {
    uint32_t seeds;
    const char *folder;
    sooth_csv peers; /* no rows: none */
} wish;

/* The curves of one GPU. */
typedef struct curves {
    double y[DRAWN * POINTS];
    char name[DRAWN][40];
    size_t count;
    FILE *numbers; /* NULL: not requested */
    const char *space, *gpu;
} curves;

/* The times of one GPU for every setting; NaN: it failed. */
typedef struct space {
    sooth_env env;
    size_t settings, knobs, gpus;
    float *x; /* settings x knobs */
    const char *gpu[MOST_GPUS];
    float *time;   /* gpus x settings */
    char name[64]; /* of the file, without folder and ending */
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
    const char *slash = strrchr(path, '/');
    snprintf(s->name, sizeof s->name, "%s", slash ? slash + 1 : path);
    if (strrchr(s->name, '.')) *strrchr(s->name, '.') = 0;
    const size_t gpu = sooth_csv_find(&csv, "gpu"), time = sooth_csv_find(&csv, "time_ms");
    if (gpu != 0 || time == SOOTH_NONE || time < 2 || time > MOST_KNOBS || !csv.column[0].is_text ||
        csv.column[0].texts > MOST_GPUS || csv.rows % csv.column[0].texts)
        die("a file must have gpu, up to 11 knobs, time_ms, and equally many settings of each GPU");
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

/* Runs until a setting takes at most `good`, from the times on the other GPUs (NULL: none). least[n - 1]
   is the min time of the first n of them; infinite: none of them ran. */
static uint32_t runs_of(space *s, const float *time, float good, const float *prior, size_t others,
                        uint32_t seed, float least[MOST]) {
    const sooth_table table = sooth_table_of(s->x, NULL, s->settings, s->knobs);
    uint32_t tried[MOST];
    float took[MOST];
    settings_known known = {&table, prior, others, tried, took, 0, seed};
    while (known.runs < MOST) {
        uint32_t next[10];
        size_t count = known.runs == 0 ? 10 : others ? 3 : 2; /* a round of turns for each fit */
        if (settings_next(&s->env, &known, next, &count) != SOOTH_OK) die(s->env.sentence);
        for (size_t i = 0; i < count && known.runs < MOST; ++i) {
            tried[known.runs] = next[i];
            took[known.runs] = time[next[i]];
            least[known.runs] = known.runs ? least[known.runs - 1] : INFINITY;
            if (took[known.runs] < least[known.runs]) least[known.runs] = took[known.runs];
            if (took[known.runs++] <= good) return (uint32_t)known.runs;
        }
    }
    return MOST + 1;
}

static int by_count(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The median of the searches, printed. Their mean curve becomes one of *c. */
static void column(space *s, const wish *w, const float *time, float best, const float *prior, size_t others,
                   const char *name, curves *c) {
    uint32_t *runs = (uint32_t *)room(w->seeds, sizeof *runs), found = 0;
    double mean[POINTS] = {0};
    float least[MOST];
    for (uint32_t seed = 0; seed < w->seeds; ++seed) {
        runs[seed] = runs_of(s, time, 1.05f * best, prior, others, seed, least);
        found += runs[seed] <= MOST;
        for (size_t k = 0; k < POINTS; ++k) {
            const size_t made = runs[seed] <= MOST ? runs[seed] : MOST;
            const size_t n = point[k] < (double)made ? (size_t)point[k] : made;
            mean[k] += (double)(best / least[n - 1]) / w->seeds;
        }
    }
    qsort(runs, w->seeds, sizeof *runs, by_count);
    if (runs[w->seeds / 2] <= MOST) printf(" %9u", (unsigned)runs[w->seeds / 2]);
    else printf("      %d+", MOST);
    if (c->count < DRAWN) {
        memcpy(c->y + c->count * POINTS, mean, sizeof mean);
        snprintf(c->name[c->count++], sizeof c->name[0], "%s", name);
    }
    if (c->numbers) {
        fprintf(c->numbers, "%s,sooth,%s,%s,%u,", name, c->space, c->gpu, (unsigned)w->seeds);
        if (runs[w->seeds / 2] <= MOST) fprintf(c->numbers, "%u", (unsigned)runs[w->seeds / 2]);
        fprintf(c->numbers, ",%u", (unsigned)found);
        for (size_t k = 0; k < POINTS; ++k) fprintf(c->numbers, ",%.4f", mean[k]);
        fputc('\n', c->numbers);
    }
    free(runs);
}

/* ---- curves ---- */

/* The cell of a column by its name, as a number; NaN: missing. */
static double number_in(const sooth_csv *csv, size_t row, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    return j < csv->cols && !csv->column[j].is_text ? (double)csv->cell[row * csv->cols + j] : (double)NAN;
}

static const char *word_in(const sooth_csv *csv, size_t row, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE || !csv->column[j].is_text)
        die("PEERS.csv has optimiser, space, gpu and after_1, ...");
    const float v = csv->cell[row * csv->cols + j];
    return v == v ? csv->column[j].text[(size_t)v] : "";
}

/* The results of others on this space and GPU: five are drawn, all are written. */
static void add_peers(const wish *w, curves *c) {
    for (size_t i = 0; i < w->peers.rows; ++i) {
        const char *optimiser = word_in(&w->peers, i, "optimiser");
        const double runs = number_in(&w->peers, i, "runs");
        double y[POINTS];
        size_t k = 0;
        if (strcmp(word_in(&w->peers, i, "space"), c->space) != 0) continue;
        if (strcmp(word_in(&w->peers, i, "gpu"), c->gpu) != 0) continue;
        for (size_t n = 0; n < POINTS; ++n) {
            char name[16];
            snprintf(name, sizeof name, "after_%.0f", point[n]);
            y[n] = number_in(&w->peers, i, name);
        }
        fprintf(c->numbers, "%s,%s,%s,%s,%.0f,", optimiser, word_in(&w->peers, i, "package"), c->space,
                c->gpu, number_in(&w->peers, i, "searches"));
        if (runs == runs) fprintf(c->numbers, "%.0f", runs);
        fprintf(c->numbers, ",%.0f", number_in(&w->peers, i, "found"));
        for (size_t n = 0; n < POINTS; ++n) fprintf(c->numbers, ",%.4f", y[n]);
        fputc('\n', c->numbers);
        while (k < PEERS_DRAWN && strcmp(peer_drawn[k][0], optimiser) != 0) ++k;
        if (k == PEERS_DRAWN || c->count == DRAWN) continue;
        memcpy(c->y + c->count * POINTS, y, sizeof y);
        snprintf(c->name[c->count++], sizeof c->name[0], "%s", peer_drawn[k][1]);
    }
}

static void draw_curves(const wish *w, const curves *c) {
    const char *names[DRAWN];
    char title[160], file[128];
    for (size_t i = 0; i < c->count; ++i) names[i] = c->name[i];
    snprintf(title, sizeof title, "Settings of a kernel: the best so far against runs, %s on %s", c->space,
             c->gpu);
    snprintf(file, sizeof file, "%s_%s.svg", c->space, c->gpu);
    const svg_line_chart chart = {.frame.title = title,
                                  .x = point,
                                  .y = c->y,
                                  .count = POINTS,
                                  .series = c->count,
                                  .series_names = names,
                                  .x_title = "runs, failing settings counted",
                                  .y_title = "best time of all / best so far",
                                  .logarithmic_x = 1};
    picture_draw(w->folder, file, svg_lines, &chart);
}

/* The place of the first good setting in another GPU's order. */
static unsigned place_in_order(const space *s, const float *time, float good, const float *other) {
    unsigned least = UINT32_MAX;
    for (size_t i = 0; i < s->settings; ++i) {
        unsigned place = 1;
        if (!(time[i] <= good)) continue;
        for (size_t k = 0; k < s->settings; ++k) { /* equal times are in the order of the file */
            const int fails = !(other[k] <= other[k]), here = !(other[i] <= other[i]);
            const int before = other[k] < other[i] || (k < i && !(other[k] > other[i]));
            place += (unsigned)(fails != here ? here : before);
        }
        if (place < least) least = place;
    }
    return least;
}

static void report(space *s, const wish *w, size_t gpu, FILE *numbers) {
    static curves c;
    char name[40];
    const float *time = s->time + gpu * s->settings;
    float *prior = (float *)room((s->gpus - 1) * s->settings, sizeof *prior);
    float best = INFINITY;
    size_t good = 0, others = 0;
    for (size_t i = 0; i < s->settings; ++i)
        if (time[i] < best) best = time[i];
    for (size_t i = 0; i < s->settings; ++i) good += time[i] <= 1.05f * best;
    printf("  %-10s %6zu %9.0f", s->gpu[gpu], good, (double)(s->settings + 1) / (double)(good + 1));
    memset(&c, 0, sizeof c);
    c.numbers = numbers, c.space = s->name, c.gpu = s->gpu[gpu];
    column(s, w, time, best, NULL, 0, "settings.h", &c);
    for (size_t g = 0; g < s->gpus; ++g) {
        const float *other = s->time + g * s->settings;
        if (g == gpu) {
            printf("  %17s", "-");
            continue;
        }
        memcpy(prior + others++ * s->settings, other, s->settings * sizeof *prior);
        snprintf(name, sizeof name, "settings.h from %s", s->gpu[g]);
        column(s, w, time, best, other, 1, name, &c);
        printf(" (%5u)", place_in_order(s, time, 1.05f * best, other));
    }
    c.count -= c.count == DRAWN; /* all others at once: written, and drawn if there is space for theirs too */
    const size_t drawn = c.count;
    column(s, w, time, best, prior, others, "settings.h from all", &c);
    c.count = drawn;
    printf("\n");
    fflush(stdout);
    if (numbers) {
        add_peers(w, &c);
        fflush(numbers);
        draw_curves(w, &c);
    }
    free(prior);
}

/* The file of numbers of a space; NULL: not requested. */
static FILE *open_numbers(const wish *w, const char *space, picture *p) {
    char file[128];
    snprintf(file, sizeof file, "%s_curves.csv", space);
    if (!picture_open(p, w->folder, file)) return NULL;
    fprintf(p->file, "optimiser,package,space,gpu,searches,runs,found");
    for (size_t k = 0; k < POINTS; ++k) fprintf(p->file, ",after_%.0f", point[k]);
    fputc('\n', p->file);
    return p->file;
}

static void read_peers(wish *w, const char *path) {
    static char bytes[1 << 18];
    sooth_env env;
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    sooth_env_init(&env);
    if (sooth_csv_read(&env, bytes, size, NULL, &w->peers) != SOOTH_OK) die(env.sentence);
}

int main(int count, char **word) {
    static wish w = {SEEDS, NULL, {0}};
    static space s;
    int f = 1;
    for (; f + 1 < count && word[f][0] == '-'; f += 2) {
        if (strcmp(word[f], "--seeds") == 0) w.seeds = (uint32_t)strtoul(word[f + 1], NULL, 10);
        else if (strcmp(word[f], "--out") == 0) w.folder = word[f + 1];
        else if (strcmp(word[f], "--peers") == 0) read_peers(&w, word[f + 1]);
        else die("there are --seeds N, --out FOLDER and --peers PEERS.csv");
    }
    if (f >= count || w.seeds < 1 || w.seeds > 1000)
        die("usage: gpu_spaces [--seeds N] [--out FOLDER [--peers PEERS.csv]] FILE.csv ... "
            "(github.com/AutoTuningAssociation/benchmark_hub)");
    for (; f < count; ++f) {
        picture p;
        read_space(&s, word[f]);
        FILE *numbers = open_numbers(&w, s.name, &p);
        printf("%s: %zu settings of %zu knobs; runs until one is within 5 %% of the best\n", word[f],
               s.settings, s.knobs);
        printf("  %-10s %6s %9s %9s", "GPU", "good", "random", "trees");
        for (size_t g = 0; g < s.gpus; ++g) printf("  from %-6.6s order", s.gpu[g]);
        printf("  from all\n");
        for (size_t g = 0; g < s.gpus; ++g) report(&s, &w, g, numbers);
        if (numbers) picture_close(&p);
    }
    return 0;
}
