/* watts.c - the watts of `sooth gpu compare`: the data they were fitted to, and their errors.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_watts GPU=FILE.csv GPU=FILE.csv ...
 *     build/gpu_watts k20=k20_smaller_raw.csv m60=m60_raw.csv
 *
 * GPU is one that `sooth gpu` lists. FILE.csv has the launches measured on it, as Alavani et al. 2023 publish
 * them (launches.h: repository santonus/energymodel, without a licence). A launch draws a share of the GPU's
 * power limit (../cli/gpu/watts.h). There are two shares, in hundredths. They minimise the sum of
 * |log(measured / predicted)|, with equal weights of GPUs, and of the benchmarks of a GPU. Then each GPU is
 * predicted from the others alone, next to one share for all launches, fitted in the same way. If
 * examples/scale/data/titanx.csv exists, there is also a GPU outside of the fit: 13 long programs on a GTX
 * Titan X of 250 W at its default clocks (Guerreiro et al. 2019). Their launches are unknown, and are assumed
 * to fill it ten times.
 */
#include "sooth/files.h"
#include "launches.h"
#include "../cli/gpu/watts.h"

enum { MOST_GPUS = 8, TITAN_X = MOST_GPUS };
static const double titan_watts = 250.0;

typedef struct drawn {
    char name[24];
    double limit; /* watts */
    size_t rows, programs;
    double *share, *fills, *weight; /* per row; the weights of a GPU add up to 1 */
} drawn;

typedef struct study {
    sooth_env env;
    drawn gpu[MOST_GPUS + 1];
    size_t gpus;
} study;

static void make_rows(drawn *d, size_t rows) {
    d->rows = rows;
    d->share = (double *)allocate(3 * rows, sizeof *d->share);
    d->fills = d->share + rows;
    d->weight = d->fills + rows;
}

/* Reads all bytes of a file, and its size. NULL: it does not exist. */
static char *bytes_of(const char *path, size_t *size) {
    sooth_file file;
    if (sooth_file_read(NULL, path, &file) != SOOTH_OK) return NULL;
    *size = file.size;
    return file.bytes;
}

static void read_gpu(study *s, const char *word) {
    drawn *d = &s->gpu[s->gpus];
    const size_t n = strcspn(word, "=");
    sooth_gpu gpu;
    launches l;
    size_t size, kept = 0;
    if (!word[n] || n >= sizeof d->name || s->gpus == MOST_GPUS)
        give_up("usage: gpu_watts GPU=FILE.csv GPU=FILE.csv ..., at most 8");
    memcpy(d->name, word, n);
    need(&s->env, sooth_gpu_named(&s->env, d->name, &gpu));
    if (!(gpu.tdp_watts > 0.0)) give_up("the power limit of a GPU is not known");
    char *bytes = bytes_of(word + n + 1, &size);
    if (!bytes) give_up("a file of launches cannot be read");
    launches_read(&s->env, bytes, size, &l);
    free(bytes);
    make_rows(d, l.rows);
    uint32_t *group = (uint32_t *)allocate(l.rows, sizeof *group);
    size_t *count = (size_t *)allocate(l.groups, sizeof *count);
    for (size_t i = 0; i < l.rows; ++i) {
        const double threads = (double)value_of(&l, i, "grid_size") * (double)value_of(&l, i, "block_size");
        if (!(threads > 0.0)) continue;
        d->fills[kept] = power_fills(&gpu, threads);
        d->share[kept] = (double)l.watts[i] / gpu.tdp_watts;
        d->programs += count[l.group[i]]++ == 0;
        group[kept++] = l.group[i];
    }
    if (!kept) give_up("a file of launches has no column grid_size");
    d->rows = kept;
    d->limit = gpu.tdp_watts;
    for (size_t i = 0; i < kept; ++i) d->weight[i] = 1.0 / ((double)d->programs * (double)count[group[i]]);
    free(group);
    free(count);
    launches_free(&l);
    ++s->gpus;
}

/* The GPU outside of the fit; 0 rows if its file does not exist. */
static void read_titan_x(study *s, const char *path) {
    drawn *d = &s->gpu[TITAN_X];
    sooth_csv csv;
    size_t size;
    char *bytes = bytes_of(path, &size);
    strcpy(d->name, "titan x");
    d->limit = titan_watts;
    if (!bytes) return;
    need(&s->env, sooth_csv_read(&s->env, bytes, size, NULL, &csv));
    const size_t memory = sooth_csv_find(&csv, "mem_mhz"), core = sooth_csv_find(&csv, "core_mhz"),
                 power = sooth_csv_find(&csv, "power_w");
    if (memory == SOOTH_NONE || core == SOOTH_NONE || power == SOOTH_NONE)
        give_up("titanx.csv lacks a column");
    make_rows(d, csv.rows);
    d->rows = 0;
    for (size_t i = 0; i < csv.rows; ++i) {
        const float *row = csv.cell + i * csv.cols;
        if (lrintf(row[memory]) != 3505 || lrintf(row[core]) != 975) continue; /* its default clocks */
        d->fills[d->rows] = 10.0;
        d->share[d->rows++] = (double)row[power] / d->limit;
    }
    d->programs = d->rows;
    for (size_t i = 0; i < d->rows; ++i) d->weight[i] = 1.0 / (double)d->rows;
    sooth_csv_free(&s->env, &csv);
    free(bytes);
}

/* ---- learning ---- */

/* The sum over a GPU's rows of weight x |log(measured / predicted)|. */
static double cost(const drawn *d, const power_law *law) {
    double sum = 0.0;
    for (size_t i = 0; i < d->rows; ++i)
        sum += d->weight[i] * fabs(log(d->share[i] / power_share(law, d->fills[i])));
    return sum;
}

/* The shares fitted to all GPUs but one (gpus: to all). flat: one share for all launches. */
static power_law learn(const study *s, size_t but, int flat) {
    power_law best = {0.0, 0.0, 1.0, 1.0};
    double least = INFINITY;
    for (int a = 1; a <= 100; ++a)
        for (int b = a; b <= (flat ? a : 100); ++b) {
            const power_law law = {0.01 * a, 0.01 * b, 1.0, 1.0};
            double sum = 0.0;
            for (size_t g = 0; g < s->gpus; ++g)
                if (g != but) sum += cost(&s->gpu[g], &law);
            if (sum < least) least = sum, best = law;
        }
    return best;
}

/* ---- errors ---- */

/* Mean |predicted / measured - 1| in per cent, with equal weights of benchmarks. */
static double error_of(const drawn *d, const power_law *law) {
    double sum = 0.0;
    for (size_t i = 0; i < d->rows; ++i)
        sum += d->weight[i] * fabs(power_share(law, d->fills[i]) / d->share[i] - 1.0);
    return 100.0 * sum;
}

/* The weight of the rows between the factors, in per cent. */
static double held(const drawn *d, const power_law *law) {
    double sum = 0.0;
    for (size_t i = 0; i < d->rows; ++i) {
        const double factor = d->share[i] / power_share(law, d->fills[i]);
        if (factor >= law->low && factor <= law->high) sum += d->weight[i];
    }
    return 100.0 * sum;
}

static int by_first(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile `part` of the factors of a GPU's rows, by weight. */
static double quantile(const drawn *d, const power_law *law, double part) {
    double *pair = (double *)allocate(2 * d->rows, sizeof *pair), sum = 0.0, at = 0.0;
    for (size_t i = 0; i < d->rows; ++i) {
        pair[2 * i] = d->share[i] / power_share(law, d->fills[i]);
        pair[2 * i + 1] = d->weight[i];
    }
    qsort(pair, d->rows, 2 * sizeof *pair, by_first);
    for (size_t i = 0; i < d->rows && sum < part; ++i) {
        at = pair[2 * i];
        sum += pair[2 * i + 1];
    }
    free(pair);
    return at;
}

/* Factors that hold nine of ten on each GPU predicted from the others: the widest of the GPUs' own,
   rounded outwards to hundredths. */
static void set_factors(const study *s, const power_law *told, power_law *law) {
    law->low = INFINITY;
    law->high = 0.0;
    for (size_t g = 0; g < s->gpus; ++g) {
        law->low = fmin(law->low, floor(100.0 * quantile(&s->gpu[g], &told[g], 0.05)) / 100.0);
        law->high = fmax(law->high, ceil(100.0 * quantile(&s->gpu[g], &told[g], 0.95)) / 100.0);
    }
}

static void print_errors(const study *s, const char *words, const power_law law[MOST_GPUS + 1]) {
    printf("  %-46s", words);
    for (size_t k = 0; k <= s->gpus; ++k) {
        const size_t g = k < s->gpus ? k : TITAN_X;
        if (s->gpu[g].rows && law[g].least > 0.0) printf(" %8.1f", error_of(&s->gpu[g], &law[g]));
        else printf(" %8s", "-");
    }
    printf("\n");
}

static void report(study *s) {
    power_law all = learn(s, s->gpus, 0), flat = learn(s, s->gpus, 1);
    power_law law[MOST_GPUS + 1], one[MOST_GPUS + 1], both[MOST_GPUS + 1], mean[MOST_GPUS + 1];
    printf("Watts as a share of the power limit, by how often the threads of a launch fill the GPU\n");
    for (size_t g = 0; g < s->gpus; ++g)
        printf("  %-8s %4.0f W, %zu launches of %zu benchmarks\n", s->gpu[g].name, s->gpu[g].limit,
               s->gpu[g].rows, s->gpu[g].programs);
    printf("\n  learned from all: %.2f up to once, %.2f from ten times on; one share: %.2f\n", all.least,
           all.most, flat.least);
    printf("  sooth gpu compare has %.2f and %.2f, factors %.2f to %.2f\n\n  %-46s", known_power_law.least,
           known_power_law.most, known_power_law.low, known_power_law.high,
           "mean error in %, each benchmark counting as one");
    for (size_t k = 0; k <= s->gpus; ++k) printf(" %8s", s->gpu[k < s->gpus ? k : TITAN_X].name);
    printf("\n");
    memset(law, 0, sizeof law);
    memset(one, 0, sizeof one);
    for (size_t g = 0; g < s->gpus && s->gpus > 1; ++g) {
        law[g] = learn(s, g, 0);
        one[g] = learn(s, g, 1);
    }
    law[TITAN_X] = all;
    one[TITAN_X] = flat;
    for (size_t g = 0; g <= MOST_GPUS; ++g) both[g] = all, mean[g] = flat;
    set_factors(s, s->gpus > 1 ? law : both, &all);
    print_errors(s, "learned from the other GPUs alone", law);
    print_errors(s, "one share for all, learned from them", one);
    print_errors(s, "learned from all of them", both);
    print_errors(s, "one share for all, learned from all of them", mean);
    printf("\n  factors of %.2f to %.2f hold nine of ten on each:", all.low, all.high);
    for (size_t k = 0; k <= s->gpus; ++k) {
        const drawn *d = &s->gpu[k < s->gpus ? k : TITAN_X];
        if (d->rows) printf(" %.0f %% on %s%s", held(d, &all), d->name, k < s->gpus ? "," : "");
    }
    printf("\n");
}

int main(int count, char **word) {
    static study s;
    sooth_env_init(&s.env);
    if (count < 2)
        give_up("usage: gpu_watts GPU=FILE.csv ... (github.com/santonus/energymodel has the files)");
    for (int i = 1; i < count; ++i) read_gpu(&s, word[i]);
    read_titan_x(&s, "examples/scale/data/titanx.csv");
    report(&s);
    for (size_t g = 0; g <= MOST_GPUS; ++g) free(s.gpu[g].share);
    return 0;
}
