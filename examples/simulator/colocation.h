/* colocation.h - a graphics processor that several kernels share, in one page of equations.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * For teaching, and for tests that need the truth. device.h simulates these equations event by event. Kernel
 * k runs on n_k streaming multiprocessors (SMs) of N. All rates are per core cycle:
 *
 *     t_c = 1 / ipc                       cycles per warp instruction of an SM that never waits
 *     t_m = a L / q                       Little's law: q requests in flight per SM, a per instruction,
 *                                         latency L
 *     r   = (t_c^3 + t_m^3)^(-1/3)        instructions per cycle and SM: a roofline with a round corner
 *     X   = m r,  x = a X                 its IPC and its requests to the L2; m = (n^-6 + p^-6)^(-1/6):
 *                                         a grid fills p SMs at most
 *     L   = L0 + S2 g(u2) + miss (LD + SD g(uD)),   g(u) = u / (1 - u): queues at the L2 and the
 *                                         memory saturate
 *     u2  = sum x line / B2,              uD = sum x miss line (1 + wb) / (BD eff)
 *     miss = 1 - h min(1, c / w)^(1/2),   w = w0 + w1 n; c: its part of the L2, in proportion to what
 *                                         it brings in, at most w
 *     eff = sum s_k row_k - kmix (1 - sum s_k^2),   s: shares of the traffic: streams that mix lose open rows
 *
 * The load on the memory falls as uD rises, so uD is found by bisection. Parts of the L2 and u2 are found by
 * damped iteration. 22 kernels have the names and classes of Themis' Table III (Zhao et al., IPDPS 2019). 15
 * are for fitting and 7 for tests. Their numbers are made up to resemble those classes. Two producers of
 * pressure (Listing 1 there) have 12 levels each.
 */
#ifndef SIMULATOR_COLOCATION_H
#define SIMULATOR_COLOCATION_H

#include <math.h>
#include <string.h>

#define SIMULATOR_SMS 60
#define SIMULATOR_MOST 8   /* kernels at a time */
#define SIMULATOR_TRAIN 15 /* kernels for fitting; those for tests follow */
#define SIMULATOR_KERNELS 22
#define SIMULATOR_LEVELS 12

typedef struct simulator_kernel {
    const char *name;
    char kind;           /* c: compute, b: balanced, m: memory, p: pressure producer */
    double instructions; /* millions per launch */
    double ipc, loads, l1_miss, constants, constant_miss;
    double hit;        /* hit rate of the L2 when everything fits */
    double w0, w1;     /* working set in KiB: w0 + w1 n */
    double flight;     /* requests in flight per SM */
    double row;        /* efficiency of its memory accesses, alone */
    double parallel;   /* SMs that its grid can fill */
    double write_back; /* per miss */
} simulator_kernel;

static const simulator_kernel simulator_kernels[SIMULATOR_KERNELS] = {
    {"mriq", 'c', 400, 1.75, .020, .20, .30, .002, .90, 200, 1, 40, .80, 90, .05},
    {"ctcp", 'c', 350, 1.60, .050, .15, .10, .004, .95, 150, 1, 32, .80, 52, .05},
    {"wall", 'c', 260, 1.05, .110, .18, .06, .010, .75, 300, 6, 30, .70, 40, .10},
    {"bfs", 'b', 120, 0.70, .230, .42, .01, .020, .55, 1600, 10, 34, .55, 70, .15},
    {"spot", 'b', 220, 1.45, .100, .50, .03, .004, .70, 500, 8, 36, .75, 75, .25},
    {"srd1", 'b', 240, 1.25, .120, .46, .02, .006, .60, 900, 8, 40, .75, 60, .30},
    {"path", 'b', 230, 1.55, .085, .62, .02, .004, .35, 700, 4, 42, .80, 48, .20},
    {"leuk", 'b', 300, 1.20, .090, .40, .08, .030, .80, 800, 8, 28, .65, 46, .05},
    {"eul", 'm', 200, 1.10, .260, .52, .02, .010, .45, 2600, 14, 44, .65, 70, .20},
    {"nn", 'm', 90, 0.90, .210, .95, .01, .010, .10, 800, 2, 40, .85, 45, .20},
    {"pff", 'm', 140, 1.00, .280, .60, .04, .020, .70, 2200, 6, 36, .60, 55, .10},
    {"lava", 'm', 260, 1.30, .240, .42, .01, .010, .80, 2400, 12, 30, .60, 80, .10},
    {"lbm", 'm', 180, 0.95, .270, .90, .00, .010, .08, 3000, 20, 64, .70, 200, .80},
    {"hist", 'm', 150, 1.10, .230, .70, .02, .010, .50, 1500, 8, 48, .55, 70, .60},
    {"gau", 'm', 100, 0.80, .250, .55, .01, .010, .40, 1800, 8, 30, .70, 50, .30},
    {"pfn", 'c', 280, 1.35, .070, .20, .12, .006, .85, 250, 3, 32, .70, 62, .05},
    {"tpac", 'c', 380, 1.65, .030, .25, .02, .004, .90, 300, 2, 30, .75, 44, .02},
    {"bp", 'b', 180, 1.20, .130, .50, .03, .006, .40, 900, 6, 40, .80, 55, .40},
    {"srd2", 'b', 210, 1.10, .140, .50, .02, .006, .55, 1100, 8, 38, .75, 70, .30},
    {"mrig", 'm', 170, 1.00, .250, .75, .01, .010, .35, 2200, 12, 52, .60, 90, .50},
    {"kmns", 'm', 130, 0.95, .240, .85, .05, .020, .60, 1900, 6, 44, .60, 50, .10},
    {"sten", 'm', 160, 1.15, .200, .80, .01, .004, .45, 1400, 10, 50, .80, 48, .40}};

/* A producer of pressure on the cache (0) or the bandwidth (1). Level 0 presses most. */
static inline simulator_kernel simulator_producer(int bandwidth, int level) {
    static const double pure[SIMULATOR_LEVELS] = {0, 2, 4, 7, 11, 16, 24, 36, 54, 80, 120, 200};
    simulator_kernel k;
    memset(&k, 0, sizeof k);
    k.name = bandwidth ? "bandwidth" : "cache";
    k.kind = 'p';
    k.instructions = 100;
    k.ipc = 1.6;
    k.loads = (bandwidth ? 2 / 1.5 : 1) / (2 + pure[level]);
    k.l1_miss = 1;
    k.hit = bandwidth ? 0 : .99;
    k.w0 = bandwidth ? 4096 : 1500;
    k.flight = bandwidth ? 56 : 24;
    k.row = bandwidth ? .85 : .6;
    k.parallel = 1e6;
    k.write_back = bandwidth ? .5 : 0;
    return k;
}

/* Results of one kernel. The events are those of Themis' Table I, per cycle. */
typedef struct simulator_result {
    double time;     /* of one launch, in millions of cycles */
    double event[8]; /* IPC, L1dAcc, L1dMiss, L1cAcc, L1cMiss, L2Acc, L2Miss, MemBW (share of the peak) */
    double miss;     /* share of its L2 requests */
    double latency;  /* of an L2 request, in cycles */
    double cache;    /* KiB of the L2 that are its */
} simulator_result;

enum { SIMULATOR_CACHE = 2048, SIMULATOR_LINE = 128 };
static const double simulator_b2 = 1024, simulator_bd = 750, simulator_l0 = 180, simulator_ld = 220,
                    simulator_s2 = 14, simulator_sd = 36, simulator_kmix = .12;

typedef struct simulator_state {
    int count;
    double m[SIMULATOR_MOST], a[SIMULATOR_MOST], w[SIMULATOR_MOST], miss[SIMULATOR_MOST], x[SIMULATOR_MOST],
        latency[SIMULATOR_MOST], cache[SIMULATOR_MOST], share[SIMULATOR_MOST];
    double l2_wait; /* S2 g(u2) */
} simulator_state;

/* Request rates when the memory is busy for the part uD of the time. Returns the resulting load. */
static inline double simulator_load(simulator_state *s, const simulator_kernel *const *k, double busy,
                                    double eff) {
    double sum = 0;
    int i;
    for (i = 0; i < s->count; ++i) {
        double t_c = 1 / k[i]->ipc, t_m;
        s->latency[i] =
            simulator_l0 + s->l2_wait + s->miss[i] * (simulator_ld + simulator_sd * busy / (1 - busy));
        t_m = s->a[i] * s->latency[i] / k[i]->flight;
        s->x[i] = s->m[i] * s->a[i] / cbrt(t_c * t_c * t_c + t_m * t_m * t_m);
        sum += s->x[i] * s->miss[i] * (1 + k[i]->write_back);
    }
    return sum * SIMULATOR_LINE / (simulator_bd * eff);
}

/* Shares the L2 in proportion to `brings`. No kernel gets more than its working set. The rest goes to the
   others. */
static inline void simulator_pour(const simulator_state *s, const double *brings, double *cache) {
    int full[SIMULATOR_MOST] = {0}, i, again = 1;
    double left = SIMULATOR_CACHE;
    while (again) {
        double sum = 0, taken = 0;
        again = 0;
        for (i = 0; i < s->count; ++i)
            if (!full[i]) sum += brings[i];
        for (i = 0; i < s->count; ++i)
            if (!full[i]) cache[i] = left * brings[i] / sum;
        for (i = 0; i < s->count; ++i)
            if (!full[i] && cache[i] >= s->w[i]) {
                taken += cache[i] = s->w[i];
                full[i] = again = 1;
            }
        left -= taken;
        for (i = 0; again && i < s->count && full[i];) ++i;
        if (i == s->count) again = 0;
    }
}

/* The steady state of `count` kernels on sms[i] SMs each. */
static inline void simulator_run(const simulator_kernel *const *k, const int *sms, int count,
                                 simulator_result *out) {
    simulator_state s;
    double busy = 0;
    int i, round, half;
    s.count = count;
    s.l2_wait = 0;
    for (i = 0; i < count; ++i) {
        s.m[i] = pow(pow(sms[i], -6) + pow(k[i]->parallel, -6), -1. / 6);
        s.a[i] = fmax(k[i]->loads * k[i]->l1_miss + k[i]->constants * k[i]->constant_miss, 1e-9);
        s.w[i] = k[i]->w0 + k[i]->w1 * sms[i];
        s.cache[i] = fmin(s.w[i], (double)SIMULATOR_CACHE / count);
        s.share[i] = 1. / count;
    }
    for (round = 0; round < 40; ++round) {
        double eff = -simulator_kmix, low = 0, high = 1 - 1e-9, sum = 0, requests = 0, moved, wait, u2;
        double brings[SIMULATOR_MOST], cache[SIMULATOR_MOST];
        for (i = 0; i < count; ++i) {
            s.miss[i] = 1 - k[i]->hit * sqrt(fmin(1, s.cache[i] / s.w[i]));
            eff += s.share[i] * k[i]->row + simulator_kmix * s.share[i] * s.share[i];
        }
        for (half = 0; half < 45; ++half) {
            busy = .5 * (low + high);
            if (simulator_load(&s, k, busy, eff) > busy) low = busy;
            else high = busy;
        }
        simulator_load(&s, k, busy = .5 * (low + high), eff);
        for (i = 0; i < count; ++i) {
            brings[i] = s.x[i] * s.miss[i] * (1 + k[i]->write_back) + 1e-15;
            sum += brings[i];
            requests += s.x[i];
        }
        u2 = fmin(requests * SIMULATOR_LINE / simulator_b2, .995);
        wait = simulator_s2 * u2 / (1 - u2);
        simulator_pour(&s, brings, cache);
        moved = fabs(wait - s.l2_wait) / (1 + s.l2_wait);
        s.l2_wait = .5 * (s.l2_wait + wait);
        for (i = 0; i < count; ++i) {
            moved = fmax(moved, fmax(fabs(cache[i] - s.cache[i]) / SIMULATOR_CACHE,
                                     fabs(brings[i] / sum - s.share[i])));
            s.cache[i] = .5 * (s.cache[i] + cache[i]);
            s.share[i] = .5 * (s.share[i] + brings[i] / sum);
        }
        if (moved < 1e-7) break;
    }
    for (i = 0; i < count; ++i) {
        double rate = s.x[i] / s.a[i];
        double *e = out[i].event;
        out[i].time = k[i]->instructions / rate;
        e[0] = rate;
        e[1] = rate * k[i]->loads;
        e[2] = e[1] * k[i]->l1_miss;
        e[3] = rate * k[i]->constants;
        e[4] = e[3] * k[i]->constant_miss;
        e[5] = s.x[i];
        e[6] = s.x[i] * s.miss[i];
        e[7] = e[6] * (1 + k[i]->write_back) * SIMULATOR_LINE / simulator_bd;
        out[i].miss = s.miss[i];
        out[i].latency = s.latency[i];
        out[i].cache = s.cache[i];
    }
}

/* The time of one launch alone on this many SMs. */
static inline double simulator_alone(const simulator_kernel *k, int sms) {
    simulator_result r;
    simulator_run(&k, &sms, 1, &r);
    return r.time;
}

#endif /* SIMULATOR_COLOCATION_H */
