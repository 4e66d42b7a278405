/* scale.c - runs workloads with 1 to all threads of this machine, and predicts the rest from a few of the
 * runs.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make run-scale                     on this machine, within a minute
 *     build/scale --parsec DIR           on the published measurements in DIR (see parsec.c)
 *     build/scale --clocks FILE [RISE]   on measurements of a GPU's clocks, or of other knobs (see clocks.c)
 *     build/scale --counts SMALL REAL    predictions from counts of PTX instructions (see counts.c)
 *     build/scale --kinds SMALL REAL     the same by other kinds of models; minutes
 *
 * A job is a fixed number of units of one workload of examples/colocate. Threads take them from a common heap
 * one by one. A configuration is a number of threads, and a frequency if the system allows setting it. Every
 * configuration is run three times, and the medians are the truth. Then the laws of scaling.h are fitted to a
 * few configurations, the same Halton points for all. The others are predicted:
 *
 *     usual       the usual prior, from no program
 *     learned     a prior from the other workloads on this machine, without the one predicted
 *     ideal       twice the threads or frequency, half the time, from the nearest run of the fit
 *     nearest     the time of the nearest run of the fit
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SOOTH_IMPLEMENTATION
#include "sooth/configure.h"
#include "sooth/halton.h"
#include "sooth/sobol.h"
#include "../colocate/workloads.h"

enum {
    MOST_THREADS = 256,
    THREAD_LEVELS = 8,
    FREQUENCIES = 4,
    CONFIGURATIONS = THREAD_LEVELS * FREQUENCIES,
    REPEATS = 3,
    METHODS = 4
};

int parsec_report(const char *folder, const char *pictures);                 /* parsec.c */
int clocks_report(const char *path, const char *rise);                       /* clocks.c */
int counts_report(const char *small_path, const char *real_path, int kinds); /* counts.c */

static const uint32_t kinds[] = {WORKLOAD_MATRIX, WORKLOAD_SORT, WORKLOAD_BLUR,    WORKLOAD_HASH,
                                 WORKLOAD_AXPY,   WORKLOAD_TREE, WORKLOAD_STENCIL, WORKLOAD_VECTORS};
enum { PROGRAMS = sizeof kinds / sizeof kinds[0] };

static double clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double now(void) { return clock_of(CLOCK_MONOTONIC); }

/* ---- the machine ---- */

static uint32_t cores(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t may;
    if (sched_getaffinity(0, sizeof may, &may) == 0) n = CPU_COUNT(&may);
#endif
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (uint32_t)n;
}

/* Frequencies are set as the max that cores may run at, in kHz. The old limit is restored at the end. */
static char limit_path[MOST_THREADS][96];
static long limit_before[MOST_THREADS];
static uint32_t limits;

static volatile sig_atomic_t stopped; /* Ctrl-C: end soon, so that limits are restored */
static void stop(int signal_number) { stopped = signal_number; }

static int limit_write(uint32_t core, long khz) {
    FILE *file = fopen(limit_path[core], "w");
    int done = file && fprintf(file, "%ld\n", khz) > 0;
    return file && fclose(file) == 0 && done;
}

static void limits_restore(void) {
    for (uint32_t i = 0; i < limits; ++i) limit_write(i, limit_before[i]);
}

/* Lists up to FREQUENCIES of those that can be set, ascending, in kHz. Returns 0 and a reason if there are
   none. */
static uint32_t frequencies(long *khz, const char **reason) {
    char path[96];
    long all[64], v;
    uint32_t n = 0, i;
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_available_frequencies", "r");
    *reason = "the system does not list them";
    if (!file) return 0;
    while (n < 64 && fscanf(file, "%ld", &v) == 1) {
        for (i = n++; i > 0 && all[i - 1] > v; --i) all[i] = all[i - 1];
        all[i] = v;
    }
    fclose(file);
    for (limits = 0; limits < MOST_THREADS; ++limits) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_max_freq",
                 (unsigned)limits);
        strcpy(limit_path[limits], path);
        file = fopen(path, "r");
        if (!file) break;
        i = fscanf(file, "%ld", &limit_before[limits]) == 1;
        fclose(file);
        if (!i) break;
    }
    *reason = "this user may not set them";
    for (i = 0; i < limits; ++i)
        if (!limit_write(i, limit_before[i])) {
            limits = 0;
            return 0;
        }
    if (!limits || n < 2) return 0;
    atexit(limits_restore);
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    signal(SIGHUP, stop);
    for (i = 0; i < FREQUENCIES && i < n; ++i)
        khz[i] = all[n <= FREQUENCIES ? i : i * (n - 1) / (FREQUENCIES - 1)];
    return i;
}

/* ---- a job ---- */

typedef struct job {
    uint32_t kind;
    void *state[MOST_THREADS];
    atomic_uint ready;
    atomic_int go;
    atomic_uint left; /* units that no thread has taken */
    atomic_uint sum;  /* of checksums, so that all the work is done */
} job;

typedef struct hand {
    job *of;
    uint32_t number;
} hand;

static void *work(void *arg) {
    const hand *h = (const hand *)arg;
    job *j = h->of;
    unsigned left, sum = workload_run(j->kind, j->state[h->number]);
    atomic_fetch_add(&j->ready, 1);
    while (!atomic_load(&j->go)) sched_yield();
    left = atomic_load(&j->left);
    while (left) {
        if (!atomic_compare_exchange_weak(&j->left, &left, left - 1)) continue;
        sum += workload_run(j->kind, j->state[h->number]);
        left = atomic_load(&j->left);
    }
    atomic_fetch_add(&j->sum, sum);
    return NULL;
}

/* Measures the seconds of this many threads for this many units. Below 0: a thread could not be started. */
static double run_job(job *j, uint32_t threads, unsigned units) {
    pthread_t thread[MOST_THREADS];
    hand hands[MOST_THREADS];
    uint32_t n;
    atomic_store(&j->ready, 0);
    atomic_store(&j->go, 0);
    atomic_store(&j->left, units);
    for (n = 0; n < threads; ++n) {
        hands[n].of = j;
        hands[n].number = n;
        if (pthread_create(&thread[n], NULL, work, &hands[n]) != 0) break;
    }
    while (atomic_load(&j->ready) < n) sched_yield();
    double start = now();
    atomic_store(&j->go, 1);
    for (uint32_t i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    return n == threads ? now() - start : -1.0;
}

/* ---- measuring ---- */

static uint32_t thread_level[THREAD_LEVELS], thread_levels, frequency_levels;
static long frequency[FREQUENCIES];
static float rows[CONFIGURATIONS][2];
static uint32_t configurations;
static float seconds[PROGRAMS][CONFIGURATIONS];
/* processor time of the runs on all threads, and the time of as many free cores */
static double given, wanted;
static double noise; /* mean of (largest - smallest) / median of the repeats */

static void levels_choose(uint32_t threads, uint32_t most) {
    long f;
    for (uint32_t i = 0; i < threads && i < THREAD_LEVELS; ++i)
        thread_level[thread_levels++] =
            threads <= THREAD_LEVELS ? i + 1 : 1 + i * (threads - 1) / (THREAD_LEVELS - 1);
    frequency_levels = most ? most : 1;
    for (uint32_t i = 0; i < thread_levels; ++i)
        for (uint32_t k = 0; k < frequency_levels; ++k) {
            f = most ? frequency[k] : 1000000;
            rows[configurations][0] = (float)thread_level[i];
            rows[configurations++][1] = (float)f / 1e6f;
        }
}

static double middle(double *v, uint32_t n) {
    for (uint32_t i = 1; i < n; ++i)
        for (uint32_t k = i; k > 0 && v[k - 1] > v[k]; --k) {
            double t = v[k];
            v[k] = v[k - 1];
            v[k - 1] = t;
        }
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Runs all configurations in turn, `REPEATS` times or until `until`. So other programs on the machine
   disturb all alike. */
static int measure(uint32_t program, double each, double until) {
    static job j;
    double time[CONFIGURATIONS][REPEATS], one;
    uint32_t repeat, threads = thread_level[thread_levels - 1];
    unsigned units = 1;
    int well = 1;
    memset(&j, 0, sizeof j);
    j.kind = kinds[program];
    for (uint32_t i = 0; i < threads; ++i) {
        j.state[i] = workload_create(j.kind, 1, 42 + i);
        well &= j.state[i] != NULL;
    }
    for (one = 0.0; well && one < 0.02 && units < 1u << 30; units *= 2) one = run_job(&j, 1, units);
    units = (unsigned)((double)units / 2 * each / (one > 1e-6 ? one : 1e-6)) + threads;
    for (repeat = 0; well && repeat < REPEATS && (repeat == 0 || now() < until); ++repeat)
        for (uint32_t i = 0; well && i < configurations; ++i) {
            for (uint32_t core = 0; core < limits; ++core) limit_write(core, frequency[i % frequency_levels]);
            one = clock_of(CLOCK_PROCESS_CPUTIME_ID);
            time[i][repeat] = run_job(&j, (uint32_t)rows[i][0], units);
            well &= time[i][repeat] > 0.0 && !stopped;
            if (rows[i][0] < (float)threads) continue;
            given += clock_of(CLOCK_PROCESS_CPUTIME_ID) - one;
            wanted += time[i][repeat] * threads;
        }
    for (uint32_t i = 0; well && i < configurations; ++i) {
        double m = middle(time[i], repeat);
        seconds[program][i] = (float)m;
        noise += (time[i][repeat - 1] - time[i][0]) / m / (double)(configurations * PROGRAMS);
    }
    for (uint32_t i = 0; i < threads; ++i) workload_destroy(j.state[i]);
    return well;
}

/* ---- predicting ---- */

static sooth_env env;
static sooth_scaling_options options;
static int shown[CONFIGURATIONS];

/* The Halton points of the grid from index 1 on, as in the paper. */
static uint32_t show(uint32_t count) {
    static double memory[2048];
    double touched[CONFIGURATIONS];
    uint32_t knob[2], level[2], i;
    sooth_halton *halton;
    sooth_halton_options sequence;
    sooth_grid *grid;
    sooth_grid_options knobs;
    memset(&sequence, 0, sizeof sequence);
    memset(&knobs, 0, sizeof knobs);
    sequence.dims = knobs.knobs = 2;
    knob[0] = thread_levels;
    knob[1] = frequency_levels;
    knobs.levels = knob;
    if (sooth_halton_init(&env, &sequence, memory, sizeof memory, &halton) != SOOTH_OK ||
        sooth_grid_init(&env, &knobs, touched, sizeof touched, &grid) != SOOTH_OK)
        return 0;
    grid->next = 1;
    for (i = 0; i < count && sooth_grid_next(grid, sooth_halton_row, halton, level); ++i)
        shown[level[0] * frequency_levels + level[1]] = 1;
    return i;
}

/* The time of the nearest run of the fit, by the logarithms of threads and frequency. `ideal` scales it. */
static double by_nearest(uint32_t program, uint32_t at, int ideal) {
    double best = 1e300, value = 0.0;
    for (uint32_t i = 0; i < configurations; ++i) {
        double t = log((double)rows[i][0] / (double)rows[at][0]),
               f = log((double)rows[i][1] / (double)rows[at][1]);
        if (!shown[i] || t * t + f * f >= best) continue;
        best = t * t + f * f;
        value = (double)seconds[program][i] * (ideal ? exp(t + f) : 1.0);
    }
    return value;
}

/* Mean of |predicted / measured - 1| in per cent over the configurations outside of the fit, for each
   method. */
static sooth_status errors_of(uint32_t program, double error[METHODS]) {
    static float x[PROGRAMS * CONFIGURATIONS][2], y[PROGRAMS * CONFIGURATIONS];
    static uint32_t group[PROGRAMS * CONFIGURATIONS];
    sooth_scaling_prior prior[2];
    sooth_scaling model;
    sooth_table table;
    uint32_t n = 0, held = 0;
    sooth_status status = sooth_scaling_prior_usual(&env, SOOTH_SCALING_TIME_LOG, &prior[0]);
    for (uint32_t p = 0; p < PROGRAMS; ++p)
        for (uint32_t i = 0; i < configurations; ++i) {
            if (p == program) continue;
            memcpy(x[n], rows[i], sizeof rows[i]);
            y[n] = seconds[p][i];
            group[n++] = p;
        }
    sooth_table_init(&table, x[0], n, 2);
    table.y = y;
    table.targets = 1;
    table.group = group;
    if (status == SOOTH_OK) status = sooth_scaling_fit_prior(&env, &table, &options, NULL, &prior[1]);
    for (uint32_t i = n = 0; i < configurations; ++i) {
        if (!shown[i]) continue;
        memcpy(x[n], rows[i], sizeof rows[i]);
        y[n++] = seconds[program][i];
    }
    sooth_table_init(&table, x[0], n, 2);
    table.y = y;
    table.targets = 1;
    for (uint32_t m = 0; m < METHODS; ++m) {
        error[m] = 0.0;
        options.prior = &prior[m == 1];
        if (m < 2 && status == SOOTH_OK) status = sooth_scaling_fit_into(&env, &table, &options, &model);
        if (status != SOOTH_OK) break;
        for (uint32_t i = held = 0; i < configurations; ++i) {
            if (shown[i]) continue;
            double said =
                m < 2 ? (double)sooth_scaling_predict(&model, rows[i]) : by_nearest(program, i, m == 2);
            error[m] += 100.0 * fabs(said / (double)seconds[program][i] - 1.0);
            ++held;
        }
        error[m] /= held ? held : 1;
    }
    options.prior = NULL;
    return status;
}

static int report(void) {
    double mean[METHODS] = {0, 0, 0, 0}, error[METHODS];
    if (given < 0.8 * wanted)
        printf("\n  The runs on all %u threads got the time of %.1f cores: the others are used by other "
               "programs, or by a limit on this\n"
               "  one. What follows measures that more than the workloads.\n",
               (unsigned)thread_level[thread_levels - 1], given / wanted * thread_level[thread_levels - 1]);
    printf("\n  shown:");
    for (uint32_t i = 0; i < configurations; ++i) {
        if (!shown[i]) continue;
        printf(" %g thread%s", (double)rows[i][0], rows[i][0] > 1 ? "s" : "");
        if (limits) printf(" at %g GHz", (double)rows[i][1]);
        printf(";");
    }
    printf(" all others predicted\n\n  error in %%       usual   learned     ideal   nearest   speed-up on "
           "all threads\n");
    for (uint32_t p = 0; p < PROGRAMS; ++p) {
        if (errors_of(p, error) != SOOTH_OK) {
            fprintf(stderr, "scale: %s\n", env.sentence);
            return 1;
        }
        printf("  %-12s", workloads[kinds[p]].name);
        for (uint32_t m = 0; m < METHODS; ++m) {
            printf(" %9.1f", error[m]);
            mean[m] += error[m] / PROGRAMS;
        }
        printf("   %23.2f\n", (double)(seconds[p][frequency_levels - 1] / seconds[p][configurations - 1]));
    }
    printf("  %-12s", "mean");
    for (uint32_t m = 0; m < METHODS; ++m) printf(" %9.1f", mean[m]);
    printf(
        "\n\n  The repeats of one configuration differ by %.1f %% on average, a bound that no prediction can "
        "beat by much.\n",
        100 * noise);
    return 0;
}

int main(int count, char **word) {
    const uint32_t threads = cores();
    const double start = now(), budget = 40.0;
    const char *reason;
    if ((count == 3 || count == 4) && strcmp(word[1], "--parsec") == 0)
        return parsec_report(word[2], count == 4 ? word[3] : NULL);
    if (count == 4 && strcmp(word[1], "--counts") == 0) return counts_report(word[2], word[3], 0);
    if (count == 4 && strcmp(word[1], "--kinds") == 0) return counts_report(word[2], word[3], 1);
    if ((count == 3 || count == 4) && strcmp(word[1], "--clocks") == 0)
        return clocks_report(word[2], count == 4 ? word[3] : NULL);
    if (count != 1) {
        fprintf(stderr, "usage: scale [--parsec DIR [OUT] | --clocks FILE [RISE] | --counts SMALL REAL | "
                        "--kinds SMALL REAL]\n");
        return 2;
    }
    sooth_env_init(&env);
    uint32_t most = frequencies(frequency, &reason);
    levels_choose(threads, most);
    printf("%u core%s", (unsigned)threads, threads > 1 ? "s" : "");
    if (most)
        printf(", %u frequencies from %g to %g GHz\n", (unsigned)most, (double)frequency[0] / 1e6,
               (double)frequency[most - 1] / 1e6);
    else printf("; frequencies are left as they are: %s\n", reason);
    if (configurations < 2) {
        printf("With one core and one frequency there is one configuration, and nothing to predict.\n");
        return 0;
    }
    uint32_t points = configurations / 2 < 4 ? configurations / 2 : 4;
    printf("%u workloads x %u configurations, %u shown to each fit\n", (unsigned)PROGRAMS,
           (unsigned)configurations, (unsigned)points);
    for (uint32_t p = 0; p < PROGRAMS; ++p) {
        double each = budget / (PROGRAMS * configurations * REPEATS);
        if (each > 0.25) each = 0.25;
        if (!measure(p, each, start + budget * (p + 1.0) / PROGRAMS)) {
            if (stopped) return 130;
            fprintf(stderr, "scale: no memory or no thread for %s\n", workloads[kinds[p]].name);
            return 1;
        }
    }
    memset(&options, 0, sizeof options);
    options.law = SOOTH_SCALING_TIME_LOG;
    options.machine.cores = threads;
    options.machine.sockets = 1;
    options.machine.levels = frequency_levels;
    for (uint32_t i = 0; i < frequency_levels; ++i) options.machine.frequency[i] = rows[i][1];
    show(points);
    return report();
}
