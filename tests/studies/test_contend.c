/* test_contend.c - what programs fight over: noise alone says nothing, a slowdown above it is found.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The times are made up, so that the truth is known: nothing here depends on how long anything takes.
 */
#define _GNU_SOURCE
#include "../../examples/common/svg.c"
#include "sooth/base.h"

#include "../../examples/colocate/contend.c"
#include "../../examples/colocate/pressure.c"
#include "../../examples/colocate/workloads.c"
#include "check.h"

enum { ROUNDS = 7, MACHINES = 100 };

/* About standard normal: twelve uniforms. */
static double bell(sooth_rng *rng) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += ((double)sooth_rng_next(rng) + 0.5) / 4294967296.0;
    return sum;
}

/* A machine on which kernels take 3 ms, times truth[slowed][by], each time off by `noise` (one standard
   deviation), measured row by row as measure_contention does. */
static void make_up(sooth_rng *rng, double noise, double truth[PRESSURES][PRESSURES], contend *c) {
    memset(c, 0, sizeof *c);
    c->cores = 2;
    for (uint32_t k = 0; k < PRESSURES; ++k) {
        double before[PRESSURES][ROUNDS], beside[PRESSURES][ROUNDS], after[PRESSURES][ROUNDS];
        for (uint32_t r = 0; r < ROUNDS; ++r) {
            double alone = 3.0 * exp(noise * bell(rng));
            for (uint32_t j = 0; j < PRESSURES; ++j) {
                before[j][r] = alone;
                beside[j][r] = 3.0 * truth[k][j] * exp(noise * bell(rng));
                after[j][r] = alone = 3.0 * exp(noise * bell(rng));
            }
        }
        for (uint32_t j = 0; j < PRESSURES; ++j)
            c->cell[k][j] = contend_cell_of(before[j], beside[j], after[j], ROUNDS);
    }
}

static void nothing_contends(double truth[PRESSURES][PRESSURES]) {
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) truth[k][j] = 1.0;
}

static void a_cell_is_medians(void) {
    const double before[4] = {2, 4, 1, 1}, beside[4] = {5, 8, 3, 1}, after[4] = {2, 1, 4, 1};
    /* slowdowns 2.5, 4, 1.5, 1; noises 1, 0.25, 4, 1 */
    contend_cell cell = contend_cell_of(before, beside, after, 4);
    CHECK_NEAR(cell.slowdown, 2.0, 1e-15);
    CHECK_NEAR(cell.low, 1.375, 1e-15); /* numpy.quantile(..., 0.25) */
    CHECK_NEAR(cell.noise, 1.0, 1e-15);
    CHECK(cell.repetitions == 4);
    cell = contend_cell_of(before, beside, after, 1);
    CHECK_NEAR(cell.slowdown, 2.5, 1e-15);
    CHECK_NEAR(cell.low, 2.5, 1e-15);
}

/* Of 100 machines with nothing but noise, 3 % or 0.3 %, hardly any is said to contend: 100 cells each could
   be. */
static void noise_says_nothing(void) {
    double truth[PRESSURES][PRESSURES];
    const double noise[2] = {0.03, 0.003};
    nothing_contends(truth);
    for (int which = 0; which < 2; ++which) {
        sooth_rng rng;
        int wrong = 0;
        sooth_rng_init(&rng, 5, (uint64_t)which);
        for (int i = 0; i < MACHINES; ++i) {
            contend c;
            contend_found found;
            make_up(&rng, noise[which], truth, &c);
            contend_judge(&c, &found);
            wrong += found.any;
            CHECK(found.tried == PRESSURES);
            CHECK(found.any == (found.axis < PRESSURES));
            CHECK(found.noise > 0.5 * noise[which] && found.noise < fmax(0.0151, 3.0 * noise[which]));
            if (!found.any)
                CHECK(strstr(found.sentence, "No contention above the noise (") == found.sentence);
        }
        printf("  noise %.1f %%: %d of %d machines said to contend\n", 100.0 * noise[which], wrong, MACHINES);
        CHECK(wrong <= 4);
    }
}

/* Bandwidth 1.42 beside itself, faults 1.1, latency beside bandwidth 1.6: found on nearly all of 100
   machines with a noise of 3 %, in this order, and what presses most is bandwidth. */
static void a_slowdown_is_found(void) {
    double truth[PRESSURES][PRESSURES];
    sooth_rng rng;
    int own = 0, order = 0, axis = 0, other = 0, missed = 0;
    nothing_contends(truth);
    truth[PRESSURE_BANDWIDTH][PRESSURE_BANDWIDTH] = 1.42;
    truth[PRESSURE_FAULTS][PRESSURE_FAULTS] = 1.10;
    truth[PRESSURE_LATENCY][PRESSURE_BANDWIDTH] = 1.60;
    sooth_rng_init(&rng, 6, 0);
    for (int i = 0; i < MACHINES; ++i) {
        contend c;
        contend_found found;
        make_up(&rng, 0.03, truth, &c);
        contend_judge(&c, &found);
        own += found.slows[PRESSURE_BANDWIDTH][PRESSURE_BANDWIDTH];
        missed += !found.slows[PRESSURE_FAULTS][PRESSURE_FAULTS];
        order += found.order[0] == PRESSURE_BANDWIDTH && found.order[1] == PRESSURE_FAULTS;
        axis += found.axis == PRESSURE_BANDWIDTH;
        other += contend_fight(&found, PRESSURE_BANDWIDTH, PRESSURE_LATENCY) &&
                 contend_fight(&found, PRESSURE_LATENCY, PRESSURE_BANDWIDTH) &&
                 !found.slows[PRESSURE_BANDWIDTH][PRESSURE_LATENCY];
        CHECK(strstr(found.sentence, "On this machine programs fight over memory bandwidth (1.") ==
              found.sentence);
        CHECK(strstr(found.sentence, "memory latency next to memory bandwidth (1.") != NULL);
        CHECK(strstr(found.sentence, "; not over ") != NULL);
    }
    printf("  10 %% over a noise of 3 %%: missed on %d of %d machines\n", missed, MACHINES);
    CHECK(own == MACHINES && axis == MACHINES && other == MACHINES);
    CHECK(order >= MACHINES - 1 && missed <= 6);
}

/* The words, on a machine without noise of which some things could not be measured. */
static void sentences_are_whole(void) {
    contend c;
    contend_found found;
    memset(&c, 0, sizeof c);
    c.cores = 1;
    contend_judge(&c, &found);
    CHECK(found.tried == 0 && !found.any && found.axis == PRESSURES);
    CHECK(strcmp(found.sentence, "What programs fight over on this machine could not be measured.") == 0);
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) {
            const contend_cell same = {1.0, 1.0, 1.0, 1.0, 3};
            if (k != PRESSURE_FILES && j != PRESSURE_FILES) c.cell[k][j] = same;
        }
    contend_judge(&c, &found);
    CHECK(found.tried == PRESSURES - 1);
    CHECK(strcmp(found.sentence,
                 "No contention above the noise (1.5 %) was found on this machine, whose programs take turns "
                 "on one core: what follows measures times, not interference.") == 0);
    c.cores = 2;
    c.cell[PRESSURE_CALLS][PRESSURE_PIPES].slowdown = c.cell[PRESSURE_CALLS][PRESSURE_PIPES].low = 1.25;
    contend_judge(&c, &found);
    CHECK(strcmp(found.sentence, "On this machine programs of one kind do not fight with each other. Of two "
                                 "kinds the worst is system calls next to pipes (1.25).") == 0);
    CHECK(found.axis == PRESSURE_PIPES);
    for (uint32_t k = 0; k < PRESSURES; ++k)
        if (k != PRESSURE_FILES) c.cell[k][k].slowdown = c.cell[k][k].low = 1.1 + 0.1 * (double)k;
    c.cell[PRESSURE_CALLS][PRESSURE_PIPES].slowdown = 1.0;
    contend_judge(&c, &found);
    CHECK(strcmp(found.sentence,
                 "On this machine programs fight over pipes (2.00), system calls (1.80), page faults (1.70), "
                 "memory latency (1.60), memory bandwidth (1.50), the last cache (1.40), the middle cache "
                 "(1.30), floating point (1.20) and integer arithmetic (1.10).") == 0);
    /* a median above the noise whose repetitions disagree is not enough */
    c.cell[PRESSURE_PIPES][PRESSURE_PIPES].low = 1.0;
    contend_judge(&c, &found);
    CHECK(!found.slows[PRESSURE_PIPES][PRESSURE_PIPES]);
    CHECK(strstr(found.sentence, "; not over pipes.") != NULL);
    /* that the others were hardly there is said */
    for (uint32_t k = 0; k < PRESSURES; ++k)
        for (uint32_t j = 0; j < PRESSURES; ++j) c.cell[k][j].present = 0.25;
    contend_judge(&c, &found);
    CHECK(strstr(found.sentence, "had its core only 25 % of the time: there may be more.") != NULL);
}

/* ---- the kernels ---- */

/* Each cycle leads through as many lines as it should and back to where it began. */
static void cycles_are_whole(void) {
    const size_t cache[3] = {32 << 10, 256 << 10, 1 << 20};
    pressure *p = pressure_create(cache);
    uint32_t expected[CYCLES] = {(256 << 10) / 64 * 6 / 10, (1 << 20) / 64 * 6 / 10, (16 << 20) / 64};
    CHECK(p != NULL);
    if (!p) return;
    CHECK(sizeof(cache_line) == 64 && p->count == expected[CYCLES - 1]);
    for (uint32_t which = 0; which < CYCLES; ++which) {
        uint32_t at = 0, n = 0, k;
        do {
            at = p->lines[at].next[which];
            ++n;
        } while (at != 0 && n <= expected[which]);
        CHECK(n == p->length[which]);
        CHECK(which == 1 ? n <= expected[which] : n == expected[which]); /* the last is what is to be had */
        for (k = 1; k < WALKS && which + 1 < CYCLES; ++k) CHECK(p->at[which][k] != p->at[which][k - 1]);
    }
    for (uint32_t kind = 0; kind < PRESSURES; ++kind) {
        CHECK(pressure_able(p, kind) || kind >= PRESSURE_FAULTS);
        CHECK(pressure_name(kind)[0] && pressure_word(kind)[0]);
    }
    for (int k = 0; k < LANES; ++k) CHECK(p->number[k] > 1.0f && p->number[k] < 2.0f);
    CHECK(p->lines[SWEEP_LINES - 1].word == 1 && p->lines[SWEEP_LINES].word == 0);
    CHECK(!pressure_able(p, PRESSURES) && pressure_name(PRESSURES)[0] == 0);
    pressure_destroy(p);
    pressure_destroy(NULL);
}

static void every_program_presses_on_something(void) {
    uint32_t seen[PRESSURES];
    memset(seen, 0, sizeof seen);
    for (uint32_t w = 0; w < WORKLOADS; ++w)
        for (uint32_t s = 0; s < WORKLOAD_SIZES; ++s) ++seen[pressure_of(w, s)];
    for (uint32_t k = 0; k < PRESSURES; ++k) CHECK(seen[k] >= 2);
    CHECK(pressure_of(WORKLOADS, 0) == PRESSURES && pressure_of(0, WORKLOAD_SIZES) == PRESSURES);
    CHECK(pressure_of(WORKLOAD_AXPY, 2) == PRESSURE_BANDWIDTH);
    CHECK(pressure_of(WORKLOAD_TREE, 2) == PRESSURE_LATENCY);
}

int main(void) {
    CHECK_RUN(a_cell_is_medians);
    CHECK_RUN(noise_says_nothing);
    CHECK_RUN(a_slowdown_is_found);
    CHECK_RUN(sentences_are_whole);
    CHECK_RUN(cycles_are_whole);
    CHECK_RUN(every_program_presses_on_something);
    return check_end("contend");
}
