/* logs.c - logs for `sooth replay`: copies of the halves of a log, and logs of a published model.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/logs copy LOG.swf HALF COPY [STRETCH]    a copy of a half (1 or 2) of a log
 *     build/logs model SEED JOBS LOAD [REPEATS]      a log of the model
 *
 * Copy 0 is the half itself. Copies 1 to 4 leave out a random sixth of the users, copies 5 to 8 a random
 * quarter of the weeks. Submissions are moved closer together in proportion, which keeps the load. All
 * distances between submissions are multiplied by STRETCH, so that above 1 the queue is shorter.
 *
 * The model is that of Lublin and Feitelson (J. Parallel and Distributed Computing 63(11), 2003) with the
 * published parameters for all jobs, of one type, on 128 processors:
 *
 *     processors   1 with probability 0.244; else 2^u, of which 0.576 of all jobs round u. u is uniform
 *                  between 0.8 and 4.5 with probability 0.86, else between 4.5 and 7
 *     run time     e^g, g from gamma(4.2, 0.94) with probability 0.78 - 0.0054 processors, else from
 *                  gamma(312, 0.03); drawn again if g > 12
 *     arrivals     e^a seconds apart at the average hour, a from gamma(10.2303 x 1.0225, 0.4871), drawn again
 *                  if a > 13; the rate of a half hour is proportional to the increase of the distribution
 *                  function of gamma(8.1737, 3.9631) over it, in half hours from 5:30
 *
 * Then all distances between submissions are multiplied so that the processors are busy for the share LOAD of
 * the time. The model has no users and no requested times. With REPEATS each of 60 users repeats a draw with
 * other noise: r times with a probability proportional to r^-2.5 (Feitelson, JSSPP 1996), with users of
 * Zipf's weights. Without, every job is a draw of its own by one of the same users. Requested times are those
 * of menus, as users choose them (Tsafrir, Etsion, Feitelson, JSSPP 2005): the least of 15 that is a random
 * factor up to 10 above the run time of the first of the repeats.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sooth/base.h"

enum { WEEK = 604800, FIELDS = 18, USERS = 60, BUCKETS = 48, MOST_REPEATS = 100 };

typedef struct job {
    double field[FIELDS]; /* as in the file */
} job;

enum { SUBMIT = 1, RUN = 3, PROCESSORS = 7, REQUESTED = 8, USER = 11 };

static void print_job(const job *j, size_t number, double submit) {
    printf("%zu %.0f", number, submit);
    for (int k = 2; k < FIELDS; ++k) printf(" %.15g", j->field[k]);
    putchar('\n');
}

/* ---- copies ---- */

static size_t read_log(const char *path, job **all) {
    char line[1000];
    size_t count = 0, room = 0;
    FILE *file = fopen(path, "r");
    *all = NULL;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        char *at = line, *next;
        if (line[0] == ';') {
            fputs(line, stdout);
            continue;
        }
        if (count == room) *all = (job *)realloc(*all, (room = 2 * room + 4096) * sizeof **all);
        if (!*all) abort();
        for (int k = 0; k < FIELDS; ++k, at = next) (*all)[count].field[k] = strtod(at, &next);
        ++count;
    }
    fclose(file);
    return count;
}

/* Returns whether one of `share` blocks of numbers is left out: a permutation of them decides. */
static int is_out(uint32_t seed, uint64_t stream, uint32_t number, uint32_t count, uint32_t share) {
    uint32_t *order = (uint32_t *)malloc((count + 1) * sizeof *order);
    sooth_rng rng;
    int out = 0;
    if (!order) abort();
    for (uint32_t i = 0; i < count; ++i) order[i] = i;
    sooth_rng_init(&rng, seed, stream);
    sooth_rng_shuffle(&rng, order, count);
    for (uint32_t i = 0; i < (count + share / 2) / share; ++i) out |= order[i] == number;
    free(order);
    return out;
}

static int copy_log(const char *path, int half, uint32_t copy, double stretch) {
    job *all;
    const size_t jobs = read_log(path, &all), from = half == 2 ? jobs / 2 : 0;
    const size_t to = half == 2 ? jobs : jobs / 2;
    double begin = 0.0, submit = 0.0, last = 0.0;
    uint32_t users = 0, weeks;
    size_t kept = 0;
    if (!jobs) return fprintf(stderr, "%s cannot be read\n", path), 1;
    begin = last = all[from].field[SUBMIT];
    weeks = (uint32_t)((all[to - 1].field[SUBMIT] - begin) / WEEK) + 1;
    for (size_t i = from; i < to; ++i)
        if (all[i].field[USER] >= users) users = (uint32_t)all[i].field[USER] + 1;
    for (size_t i = from; i < to; ++i) {
        const uint32_t user = (uint32_t)all[i].field[USER];
        const uint32_t week = (uint32_t)((all[i].field[SUBMIT] - begin) / WEEK);
        const int by_week = copy > 4;
        if (copy && (by_week ? is_out(copy, 1, week, weeks, 4) : is_out(copy, 0, user, users, 6))) {
            if (by_week) last = begin + (week + 1.0) * WEEK;
            continue;
        }
        if (copy && !by_week) submit += (all[i].field[SUBMIT] - last) * 5.0 / 6.0 * stretch;
        else submit += (all[i].field[SUBMIT] - last > 0.0 ? all[i].field[SUBMIT] - last : 0.0) * stretch;
        last = all[i].field[SUBMIT];
        print_job(&all[i], ++kept, submit);
    }
    free(all);
    return 0;
}

/* ---- the model ---- */

/* A gamma variate of this shape (at least 1) and scale (Marsaglia and Tsang, ACM TOMS 26(3), 2000). */
static double gamma_draw(sooth_rng *rng, double shape, double scale) {
    const double d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        const double x = sooth_rng_normal(rng), v = pow(1.0 + c * x, 3.0);
        if (v > 0.0 && log(1.0 - sooth_rng_double(rng)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v * scale;
    }
}

static double between(sooth_rng *rng, double low, double high) {
    return low + (high - low) * sooth_rng_double(rng);
}

static double draw_processors(sooth_rng *rng) {
    const double kind = sooth_rng_double(rng);
    if (kind < 0.244) return 1.0;
    const double u = sooth_rng_double(rng) < 0.86 ? between(rng, 0.8, 4.5) : between(rng, 4.5, 7.0);
    return floor(pow(2.0, kind < 0.244 + 0.576 ? floor(u + 0.5) : u) + 0.5);
}

static double draw_run(sooth_rng *rng, double processors) {
    for (;;) {
        const double g = sooth_rng_double(rng) < 0.78 - 0.0054 * processors ? gamma_draw(rng, 4.2, 0.94)
                                                                            : gamma_draw(rng, 312.0, 0.03);
        if (g <= 12.0) return floor(exp(g)) + 1.0;
    }
}

/* Sets the rate of each half hour of the day, by the midpoint rule; the mean is 1. */
static void set_rates(double rate[BUCKETS]) {
    double sum = 0.0;
    for (int b = 0; b < BUCKETS; ++b) {
        double mass = 0.0;
        for (int i = 0; i < 100; ++i) {
            const double x = b + (i + 0.5) / 100.0 + 0.5;
            mass += exp((8.1737 - 1.0) * log(x) - x / 3.9631);
        }
        rate[(b + 11) % BUCKETS] = mass;
        sum += mass;
    }
    for (int b = 0; b < BUCKETS; ++b) rate[b] *= BUCKETS / sum;
}

/* Advances the time until `seconds` at the mean rate have passed. */
static double next_arrival(double time, double seconds, const double rate[BUCKETS]) {
    for (;;) {
        const double bucket = floor(time / 1800.0), r = rate[(int)fmod(bucket, BUCKETS)];
        const double left = ((bucket + 1.0) * 1800.0 - time) * r;
        if (seconds < left) return time + seconds / r;
        seconds -= left;
        time = (bucket + 1.0) * 1800.0;
    }
}

static double menu(double seconds) {
    static const double minutes[] = {1, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1080, 1440, 2160, 2880, 4320};
    for (size_t i = 0; i < sizeof minutes / sizeof minutes[0]; ++i)
        if (seconds <= 60.0 * minutes[i]) return 60.0 * minutes[i];
    return 60.0 * 4320.0;
}

static uint32_t draw_rank(sooth_rng *rng, uint32_t count, double power) {
    double sum = 0.0;
    for (uint32_t r = 1; r <= count; ++r) sum += pow(r, -power);
    sum *= sooth_rng_double(rng);
    for (uint32_t r = 1; r < count; ++r)
        if ((sum -= pow(r, -power)) < 0.0) return r;
    return count;
}

static int model_log(uint32_t seed, size_t jobs, double load, int repeats) {
    job *all = (job *)malloc(jobs * sizeof *all), what[USERS];
    uint32_t left[USERS] = {0};
    double rate[BUCKETS], time = 0.0, work = 0.0, apart;
    sooth_rng rng;
    if (!all) abort();
    sooth_rng_init(&rng, seed, 0);
    set_rates(rate);
    for (size_t i = 0; i < jobs; ++i) {
        const uint32_t user = draw_rank(&rng, USERS, 1.0) - 1;
        job *j = &what[user];
        if (!left[user]) {
            for (int k = 0; k < FIELDS; ++k) j->field[k] = -1.0;
            j->field[4] = j->field[PROCESSORS] = draw_processors(&rng);
            j->field[RUN] = draw_run(&rng, j->field[PROCESSORS]);
            j->field[REQUESTED] = menu(j->field[RUN] * between(&rng, 1.0, 10.0));
            j->field[10] = 1.0;
            j->field[USER] = user;
            left[user] = repeats ? draw_rank(&rng, MOST_REPEATS, 2.5) : 1;
        }
        --left[user];
        all[i] = *j;
        all[i].field[RUN] = floor(j->field[RUN] * (repeats ? exp(0.2 * sooth_rng_normal(&rng)) : 1.0)) + 1.0;
        do apart = gamma_draw(&rng, 10.2303 * 1.0225, 0.4871);
        while (apart > 13.0);
        all[i].field[SUBMIT] = time = next_arrival(time, exp(apart), rate);
        work += all[i].field[RUN] * all[i].field[PROCESSORS];
    }
    printf("; MaxProcs: 128\n");
    for (size_t i = 0; i < jobs; ++i)
        print_job(&all[i], i + 1, floor(all[i].field[SUBMIT] * work / (128.0 * load * time)));
    free(all);
    return 0;
}

int main(int words, char **word) {
    if (words >= 5 && strcmp(word[1], "copy") == 0)
        return copy_log(word[2], atoi(word[3]), (uint32_t)atoi(word[4]), words > 5 ? atof(word[5]) : 1.0);
    if (words >= 5 && strcmp(word[1], "model") == 0)
        return model_log((uint32_t)atoi(word[2]), (size_t)atol(word[3]), atof(word[4]),
                         words > 5 && atoi(word[5]));
    fprintf(stderr, "usage: logs copy LOG.swf HALF COPY [STRETCH] | logs model SEED JOBS LOAD [REPEATS]\n");
    return 2;
}
