/* test_device.c - the simulated graphics processor against arithmetic, a naive twin and its records.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/slowdown.h"
#include "sooth/stats/correlate.h"

#include "check.h"

/* So many allocations of the device succeed; -1: all. */
static int allocations = -1;

static void *short_calloc(size_t count, size_t size) {
    if (allocations == 0) return NULL;
    allocations -= allocations > 0;
    return calloc(count, size);
}

static void *short_realloc(void *old, size_t size) {
    if (allocations == 0) return NULL;
    allocations -= allocations > 0;
    return realloc(old, size);
}

#define calloc short_calloc
#define realloc short_realloc
#include "../../examples/simulator/validate.h"
#undef calloc
#undef realloc

static simulator_result result[SIMULATOR_MOST];
static device_stats stats;

/* One warp that waits for each of its lines: every leg of the way is known. */
static void unloaded_latencies(void) {
    CHECK(validate_try(validate_trial(1, DEVICE_RANDOM, 64, 0), 1, 0, 4e5, result, &stats) == 0);
    CHECK_NEAR(result[0].latency, 60 + 120 + 30 + 4, 1e-9);
    CHECK_NEAR(result[0].miss, 0, 1e-12);
    CHECK(validate_try(validate_trial(1, DEVICE_RANDOM, 1 << 19, 0), 1, 0, 4e5, result, &stats) == 0);
    /* another row of the bank is open, or, for the first 128 accesses, none */
    CHECK(result[0].latency < 214 + 100 + (23 + 23 + 23 + 8) * 9 / 14. + 1e-9);
    CHECK(result[0].latency > 214 + 100 + (23 + 23 + 8) * 9 / 14.);
    CHECK_NEAR(result[0].latency, 363.5, 2);
    CHECK(result[0].miss > .99);
}

static void peak_bandwidths(void) {
    double random;
    CHECK(validate_try(validate_trial(32, DEVICE_RANDOM, 1024, 0), 60, 0, 0, result, &stats) == 0);
    CHECK_NEAR(result[0].event[5], 8 * 64 / 128., .04); /* lines a cycle */
    CHECK(validate_try(validate_trial(32, DEVICE_STREAM, 0, 0), 60, 0, 0, result, &stats) == 0);
    CHECK(result[0].event[7] > .97 && result[0].event[7] < 1.001); /* of 224 GB/s */
    CHECK_CLOSE(result[0].event[6] * 128 * 1.125, 224 * result[0].event[7], .01);
    CHECK_NEAR(stats.row_hits, 15. / 16, .005); /* each of the 16 lines of a row after the first */
    CHECK_CLOSE(stats.throughput * stats.latency, stats.outstanding, .01); /* Little's law */
    CHECK(validate_try(validate_trial(32, DEVICE_RANDOM, 1 << 19, 0), 60, 0, 0, result, &stats) == 0);
    random = stats.bus;
    CHECK(random > .63 && random < 8 / 12. + .005); /* a row is opened every 12 clocks, a line takes 8 */
    CHECK(stats.row_hits < .01);
    CHECK_CLOSE(stats.throughput * stats.latency, stats.outstanding, .02);
    CHECK(validate_try(validate_trial(32, DEVICE_RANDOM, 1 << 19, 0), 60, 1, 0, result, &stats) == 0);
    CHECK(stats.bus < random / 3); /* in order of arrival banks wait for each other */
}

/* A line hits when fewer than 8 others of its set were used since it was: Mattson's stack distance. */
static void lru_is_stack_distance(void) {
    enum { USES = 6000 };
    static uint32_t line[USES];
    static int set[USES];
    device *d = (device *)calloc(1, sizeof *d);
    sooth_rng rng;
    int i, j, k, found, wrong = 0, hits = 0;
    CHECK(d != NULL);
    if (!d) return;
    sooth_rng_init(&rng, 3, 0);
    for (i = 0; i < USES; ++i) {
        device_place p;
        int distinct = 0;
        /* pieces of memory whose lines share sets, so that some stay and some do not */
        line[i] = (1u << 26) + 2048 * sooth_rng_below(&rng, i % 3 ? 150 : 600) + sooth_rng_below(&rng, 16);
        p = device_find(line[i]);
        set[i] = p.slice * DEVICE_SETS + p.set;
        for (j = i - 1; j >= 0 && line[j] != line[i] && distinct < DEVICE_WAYS; --j) {
            if (set[j] != set[i]) continue;
            for (k = j + 1; k < i && line[k] != line[j];) ++k;
            distinct += k == i;
        }
        device_l2(d, line[i], 0, 0, &found);
        wrong += found != (j >= 0 && distinct < DEVICE_WAYS);
        hits += found;
    }
    CHECK(wrong == 0);
    CHECK(hits > USES / 10 && hits < USES * 9 / 10);
    free(d);
}

/* Addresses meet no two places, and fill all alike. */
static void places(void) {
    static unsigned char seen[8][256];
    int count[8] = {0}, bank[16] = {0}, i, s;
    for (i = 0; i < 16384; ++i) {
        device_place p = device_find((1u << 26) + (uint32_t)i);
        ++count[p.slice];
        ++bank[p.bank];
        ++seen[p.slice][p.set];
    }
    for (s = 0; s < 8; ++s) CHECK(count[s] == 2048);
    for (s = 0; s < 16; ++s) CHECK(bank[s] == 1024);
    for (s = i = 0; s < 8 * 256; ++s) i += seen[s / 256][s % 256] != 8;
    CHECK(i == 0); /* 2 MiB in a row fit exactly */
}

static void producers_press(void) {
    static const int level[3] = {0, 6, 11};
    double last[2] = {1e9, 1e9};
    const int sms = 30;
    int i, kind;
    for (i = 0; i < 3; ++i)
        for (kind = 0; kind < 2; ++kind) {
            const int k = SIMULATOR_KERNELS + SIMULATOR_LEVELS * kind + level[i];
            CHECK(device_run(&k, &sms, 1, 6000, result) == 0);
            if (i == 0 && kind) CHECK(result[0].event[7] > .85);
            if (i == 0 && !kind) CHECK(result[0].event[7] < .01 && result[0].cache > .95 * 1536);
            CHECK(result[0].event[5] < last[kind]);
            last[kind] = result[0].event[5];
        }
}

static void same_in_same_out(void) {
    const int pair[2] = {16, 20}, twice[2] = {18, 18}, half[2] = {30, 30};
    simulator_result again[2];
    CHECK(device_run(pair, half, 2, 5000, result) == 0);
    CHECK(device_run(pair, half, 2, 5000, again) == 0);
    CHECK(memcmp(result, again, sizeof again) == 0);
    CHECK(device_run(twice, half, 2, 12000, result) == 0); /* neither of two equals is favoured */
    CHECK_CLOSE(result[0].time, result[1].time, .03);
}

static void memory_may_be_short(void) {
    const int lbm = 12, sms = 60;
    int n;
    for (n = 0;; ++n) {
        int rc;
        allocations = n;
        rc = device_run(&lbm, &sms, 1, 1, result);
        allocations = -1;
        if (rc == 0) break;
        CHECK(rc == -1);
    }
    CHECK(n >= 7); /* four at first, and requests outgrow their first room while it runs */
}

/* ---- data/device.csv: the runs that build/runs record made ---- */

typedef struct row {
    int kernel[3], sms[3], count, of;
    double time, event[8];
    char text[200];
} row;

static row *rows;
static int row_count;

static void read_rows(void) {
    FILE *file = fopen("examples/simulator/data/device.csv", "r");
    char line[200];
    if (!file) return;
    rows = (row *)calloc(6000, sizeof *rows);
    for (row_count = 0; rows && fgets(line, sizeof line, file) && row_count < 6000;) {
        row *r = &rows[row_count];
        char *at = line;
        int i;
        if (line[0] == 'k') continue;
        line[strcspn(line, "\r\n")] = 0;
        memcpy(r->text, line, sizeof line);
        for (i = 0; i < 3; ++i) {
            r->kernel[i] = (int)strtol(at, &at, 10);
            r->count = i + 1;
            if (*at++ == ',') break;
        }
        for (i = 0; i < r->count; ++i) r->sms[i] = (int)strtol(at, &at, 10), ++at;
        r->of = (int)strtol(at, &at, 10);
        r->time = strtod(at + 1, &at);
        for (i = 0; i < 8; ++i) r->event[i] = strtod(at + 1, &at);
        ++row_count;
    }
    fclose(file);
}

static double recorded_alone(int kernel, int sms) {
    int i;
    for (i = 0; i < row_count; ++i)
        if (rows[i].count == 1 && rows[i].kernel[0] == kernel && rows[i].sms[0] == sms) return rows[i].time;
    return 0;
}

static void records_come_again(void) {
    int i, e, runs = 0;
    if (row_count == 0) CHECK_SKIP("examples/simulator/data/device.csv is not here");
    CHECK(row_count == 22 * 8 + 2 * 1800 + 2 * 147 + 3 * 49);
    for (i = 37; i < row_count; i += 613) {
        const row *r = &rows[i];
        char text[200];
        int n = 0, k;
        CHECK(device_run(r->kernel, r->sms, r->count, 0, result) == 0);
        for (k = 0; k < r->count; ++k) n += sprintf(text + n, "%s%d", k ? "+" : "", r->kernel[k]);
        for (k = 0; k < r->count; ++k) n += sprintf(text + n, "%s%d", k ? "+" : ",", r->sms[k]);
        n += sprintf(text + n, ",%d,%.4g", r->of, result[r->of].time);
        for (e = 0; e < 8; ++e) n += sprintf(text + n, ",%.4g", result[r->of].event[e]);
        CHECK(strcmp(text, r->text) == 0);
        ++runs;
    }
    CHECK(runs == 7);
}

/* More SMs help, or at least hardly harm; compute kernels gain most, those bound by the memory least; nothing
 * exceeds the bus. */
static void classes_scale_as_they_should(void) {
    static const int count[8] = {10, 15, 20, 30, 40, 45, 50, 60};
    double half[3] = {0, 0, 0}, least = 9, most = 0;
    int members[3] = {0, 0, 0}, k, i;
    if (row_count == 0) CHECK_SKIP("examples/simulator/data/device.csv is not here");
    for (k = 0; k < SIMULATOR_KERNELS; ++k) {
        const int class_of = device_kernels[k].kind == 'c' ? 0 : device_kernels[k].kind == 'b' ? 1 : 2;
        double best = 1e300;
        CHECK(device_kernels[k].kind == simulator_kernels[k].kind);
        CHECK(strcmp(device_kernels[k].name, simulator_kernels[k].name) == 0);
        for (i = 0; i < 8; ++i) {
            const double t = recorded_alone(k, count[i]);
            /* at most a little harm; a small grid may need a wave more */
            CHECK(t > 0 && t < best * (device_kernels[k].grid ? 1.15 : 1.05));
            if (i && !device_kernels[k].grid) CHECK(t > best * count[i - 1] / count[i] * .98);
            if (t < best) best = t;
        }
        half[class_of] += recorded_alone(k, 30) / recorded_alone(k, 60);
        ++members[class_of];
    }
    for (i = 0; i < 3; ++i) half[i] /= members[i];
    CHECK(half[0] > 1.75 && half[0] < 2.05);
    CHECK(half[1] > 1.2 && half[1] < 1.7);
    CHECK(half[2] > 1 && half[2] < 1.3);
    for (i = 0; i < row_count; ++i) {
        const double bus =
            rows[i].event[7] + (rows[i].count > 1 && rows[i].of == 0 ? rows[i + 1].event[7] : 0);
        if (bus > most) most = bus;
        if (rows[i].time < least) least = rows[i].time;
    }
    CHECK(most > .9 && most < 1.08); /* of programs counted over periods of their own */
    CHECK(least > 0);
}

/* The page of equations orders the slowdowns of pairs alike; and the events tell what Table I says they tell:
 * those of the memory how a kernel presses on its bandwidth, |rho| .78 and .73 there. */
static void pairs_agree(void) {
    static double mine[294], page[294], bandwidth[300], misses[300], pressure[300];
    int i, n = 0, m = 0;
    if (row_count == 0) CHECK_SKIP("examples/simulator/data/device.csv is not here");
    for (i = 0; i < row_count; ++i) {
        const row *r = &rows[i];
        if (r->count != 2) continue;
        if (r->kernel[0] >= SIMULATOR_TRAIN) {
            const simulator_kernel *const k[2] = {&simulator_kernels[r->kernel[0]],
                                                  &simulator_kernels[r->kernel[1]]};
            const double scale = recorded_alone(r->kernel[r->of], 60);
            simulator_run(k, r->sms, 2, result);
            mine[n] = r->time / scale;
            page[n++] = result[r->of].time / simulator_alone(k[r->of], 60);
        } else if (r->kernel[1] == SIMULATOR_KERNELS + SIMULATOR_LEVELS && r->sms[0] == 30 && r->of == 0) {
            bandwidth[m] = r->event[7];
            misses[m] = r->event[6];
            pressure[m++] = rows[i + 1].time; /* of the meter */
        }
    }
    CHECK(n == 294 && m == SIMULATOR_TRAIN);
    CHECK(validate_rank(mine, page, n) > .8);
    CHECK(validate_rank(bandwidth, pressure, m) > .75);
    CHECK(validate_rank(misses, pressure, m) > .75);
}

int main(void) {
    CHECK_RUN(unloaded_latencies);
    CHECK_RUN(peak_bandwidths);
    CHECK_RUN(lru_is_stack_distance);
    CHECK_RUN(places);
    CHECK_RUN(producers_press);
    CHECK_RUN(same_in_same_out);
    CHECK_RUN(memory_may_be_short);
    read_rows();
    CHECK_RUN(records_come_again);
    CHECK_RUN(classes_scale_as_they_should);
    CHECK_RUN(pairs_agree);
    free(rows);
    return check_end("device");
}
