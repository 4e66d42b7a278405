/* late.c - a router whose answers come late: upper ends of waiting times with tickets, beside ends without.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     cc -O2 -ffp-contract=off -Iinclude examples/hosts/late.c -o late && ./late
 *
 * 12,000 requests go to the pod whose 90 % end is the lowest. A pod serves one after the other, and the
 * prediction is the work ahead of a request. Load rises until hundreds of requests wait. In every other
 * thousand the pods are 1.3 times slower, and answers show it only minutes later. At the end one pod becomes
 * three times slower. One request in a hundred is cancelled. In your own program take the calls marked (1) to
 * (5).
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/conformal.h"
#include "sooth/online.h"
#include <stdio.h>

enum { REQUESTS = 12000, SLOW = 8000, PODS = 4, OUT = 1024, LEVELS = 2 };
enum {
    AT_ONCE,
    TICKETS,
    WAITING,
    WAYS
}; /* sooth_conformal_online; tickets; tickets and reports of waiting */

typedef struct request {
    float sent, done, predicted, end[LEVELS];
    uint64_t ticket;
    int cancelled;
} request;

typedef struct pod {
    request queue[OUT]; /* a ring, in the order of service */
    uint32_t first, last;
    float free_at;
    sooth_conformal_delayed *delayed;
    sooth_conformal_online *online[LEVELS];
} pod;

static const float level[LEVELS] = {0.9f, 0.99f};
static double memory[PODS][1 << 14];
static pod pods[PODS];

static int begin(sooth_env *env) {
    const sooth_conformal_delayed_options options = {.scale = SOOTH_CONFORMAL_LOG, .tickets = OUT};
    memset(pods, 0, sizeof pods);
    for (int p = 0; p < PODS; ++p) {
        char *at = (char *)memory[p];
        if (sooth_conformal_delayed_init(env, &options, level, LEVELS, at, sizeof memory[p],
                                         &pods[p].delayed) != SOOTH_OK)
            return puts(env->sentence), 1;
        at += sooth_conformal_delayed_size(&options, LEVELS);
        for (int l = 0; l < LEVELS; ++l) {
            const sooth_conformal_online_options plain = {
                .capacity = 300, .level = level[l], .scale = SOOTH_CONFORMAL_LOG, .upper = 1};
            pods[p].online[l] = sooth_conformal_online_begin(&plain, at, sooth_conformal_online_size(&plain));
            at += sooth_conformal_online_size(&plain);
        }
    }
    return 0;
}

/* Learns what has answered, and reports what still waits. Returns how often the share missed has changed. */
static uint32_t answers(sooth_env *env, pod *p, float now, int way, int report, sooth_cusum *misses) {
    uint32_t drifts = 0;
    for (; p->first != p->last && p->queue[p->first % OUT].done <= now; ++p->first) {
        const request *r = &p->queue[p->first % OUT];
        if (r->cancelled) {
            sooth_conformal_delayed_forget(env, p->delayed, r->ticket); /* (5) no answer will come */
            continue;
        }
        sooth_conformal_delayed_learn(env, p->delayed, r->ticket, r->done - r->sent); /* (4) the answer */
        for (int l = 0; l < LEVELS; ++l)
            sooth_conformal_online_update(p->online[l], r->predicted, r->done - r->sent);
        drifts += sooth_cusum_update(misses, r->done - r->sent > r->end[0]) == SOOTH_DRIFT_UP;
    }
    if (way != WAITING || !report) return drifts;
    for (uint32_t i = p->first; i != p->last; ++i) /* (3) now and then: these still wait */
        sooth_conformal_delayed_waiting(env, p->delayed, p->queue[i % OUT].ticket,
                                        now - p->queue[i % OUT].sent);
    return drifts;
}

static void predict(const pod *p, float predicted, int way, float end[LEVELS]) {
    float low;
    if (way == AT_ONCE)
        for (int l = 0; l < LEVELS; ++l)
            sooth_conformal_online_interval(p->online[l], predicted, &low, &end[l]);
    else sooth_conformal_delayed_predict(p->delayed, predicted, end); /* (1) of each candidate */
}

/* How much longer than usual a pod works on request i: its neighbours on the machine come and go. */
static float slower(int i, int p) { return i >= SLOW && p == 0 ? 3 : i / 1000 % 2 ? 1.3f : 1; }

static int route(sooth_env *env, int way) {
    double held[LEVELS] = {0}, waited = 0, last = 0;
    uint32_t counted = 0, slow = 0, drifts = 0;
    float now = 0;
    sooth_cusum misses;
    sooth_rng rng;
    const sooth_cusum_options share = {.share = 0.1}; /* 90 % ends miss a tenth */
    if (begin(env) || sooth_cusum_init(env, &misses, &share) != SOOTH_OK) return puts(env->sentence), 1;
    sooth_rng_init(&rng, 1, 0);
    for (int i = 0; i < REQUESTS; ++i) {
        const float load = i < SLOW ? 0.7f + 0.45f * (float)i / SLOW : 0.7f;
        const float work = 0.2f + 1.6f * sooth_rng_float(&rng), noise = 0.8f + 0.4f * sooth_rng_float(&rng);
        request r = {0};
        float least = 0;
        int best = 0;
        now += 2 * sooth_rng_float(&rng) / (load * PODS);
        for (int p = 0; p < PODS; ++p) {
            float end[LEVELS], ahead = pods[p].free_at > now ? pods[p].free_at - now : 0;
            drifts += answers(env, &pods[p], now, way, i % 10 == 0, &misses);
            if (i >= SLOW && p == 0) ahead /= 3; /* what the router knows: the work, not the pod's speed */
            predict(&pods[p], ahead + work, way, end);
            const float cost = end[0] < 1e30f ? end[0] : ahead + work; /* the ends are infinite at first */
            if (p > 0 && !(cost < least)) continue;
            best = p, least = cost, r.predicted = ahead + work, r.end[0] = end[0], r.end[1] = end[1];
        }
        pod *p = &pods[best];
        r.sent = now;
        r.cancelled = sooth_rng_below(&rng, 100) == 0;
        p->free_at = (p->free_at > now ? p->free_at : now) + work * noise * slower(i, best);
        r.done = p->free_at;
        if (p->last - p->first == OUT ||
            sooth_conformal_delayed_send(env, p->delayed, r.predicted, way == AT_ONCE ? NULL : r.end,
                                         &r.ticket) != SOOTH_OK) /* (2) a ticket for the chosen one */
            return puts(p->last - p->first == OUT ? "too many requests wait" : env->sentence), 1;
        p->queue[p->last++ % OUT] = r;
        if (r.cancelled || i < 500) continue;
        ++counted;
        waited += (double)(r.done - r.sent);
        for (int l = 0; l < LEVELS; ++l) held[l] += r.done - r.sent <= r.end[l];
        if (i < SLOW) continue;
        ++slow;
        last += r.done - r.sent <= r.end[0];
    }
    static const char *const names[WAYS] = {"as if at once", "tickets", "and waiting"};
    printf("%-16s%9.1f %%%7.1f %%%17.1f %%%10.2f s%9u\n", names[way], 100 * held[0] / counted,
           100 * held[1] / counted, 100 * last / slow, waited / counted, drifts);
    return 0;
}

int main(void) {
    sooth_env env;
    sooth_env_init(&env);
    printf("                90 %% holds   99 %%   with a slow pod   mean wait   drifts\n");
    for (int way = 0; way < WAYS; ++way)
        if (route(&env, way)) return 1;
    return 0;
}
