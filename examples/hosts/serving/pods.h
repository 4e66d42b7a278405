/* pods.h - simulated servers of a language model: batches that change with each step, prefill in chunks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A pod works in steps. In each step every running request gets a token, and up to 8,192 tokens of waiting
 * requests are prefilled, first come first served. A request has its first token at the end of the step that
 * prefills its last one. A step takes 17 ms, 0.02 ms for each running request, 8 ns for each token in the
 * cache, and for each prefilled token 0.101 ms and 1.2 ns for each token before it; the first 50 tokens of a
 * prefill are free. At most 256 requests run, and the cache holds 400,000 tokens. The constants are those of
 * a model of 32 billion parameters on one H200, read off the two traces that README.md names.
 */
#ifndef SERVING_PODS_H
#define SERVING_PODS_H
#include <stdint.h>

enum { POD_QUEUE = 2048, POD_RUNNING = 256, POD_CHUNK = 8192, POD_CACHE = 400000 };

typedef struct pod_request {
    uint32_t id, left;            /* left: tokens still to give */
    double tokens, done, context; /* to prefill, of these prefilled; in the cache */
} pod_request;

typedef struct pod {
    pod_request waiting[POD_QUEUE], running[POD_RUNNING];
    uint32_t waits, runs;
    double now, cache, prefill, slower; /* ms; tokens in the cache; whose first token has not come */
} pod;

/* Is told of each first token, and of each end. */
typedef void pod_told(void *user, uint32_t id, double ms, int ended);

static int pod_add(pod *p, uint32_t id, double tokens, uint32_t answer, double now) {
    if (p->waits == POD_QUEUE) return 0;
    if (p->waits + p->runs == 0 && p->now < now) p->now = now;
    p->waiting[p->waits++] = (pod_request){id, answer, tokens, 0, 0};
    p->prefill += tokens;
    return 1;
}

/* Runs the steps that begin before `until`, or until `stop` (UINT32_MAX: none) has its first token. */
static void pod_run(pod *p, double until, uint32_t stop, pod_told *told, void *user) {
    while (p->now < until && p->waits + p->runs > 0) {
        double budget = POD_CHUNK, tokens = 0, before = 0, steps = 1;
        uint32_t ready = 0, kept = 0;
        while (ready < p->waits && budget > 0 && p->runs + ready < POD_RUNNING) {
            pod_request *r = &p->waiting[ready];
            if (r->done <= 0 && p->cache + r->tokens > POD_CACHE && p->runs > 0) break;
            const double take = r->tokens - r->done < budget ? r->tokens - r->done : budget;
            if (r->done <= 0) p->cache += r->tokens;
            before += take * (r->done + take / 2);
            r->done += take;
            budget -= take;
            tokens += take;
            if (r->done < r->tokens) break;
            ++ready;
        }
        double step = 17 + 0.02 * p->runs + 8e-6 * p->cache;
        if (tokens > 0) {
            const double extra = 0.10145 * tokens + 1.2e-6 * before - 5.1;
            step += extra > 0 ? extra : 0;
        } else { /* only answers: as many steps at once as change nothing */
            steps = (until - p->now) / (step * p->slower) + 1;
            for (uint32_t i = 0; i < p->runs; ++i)
                if (p->running[i].left < steps) steps = p->running[i].left;
            steps = (uint32_t)steps;
        }
        p->now += step * p->slower * steps;
        for (uint32_t i = 0; i < p->runs; ++i) {
            pod_request *r = &p->running[i];
            r->left -= (uint32_t)steps;
            r->context += steps;
            p->cache += steps;
            if (r->left > 0) {
                p->running[kept++] = *r;
            } else {
                p->cache -= r->context;
                told(user, r->id, p->now, 1);
            }
        }
        p->runs = kept;
        for (uint32_t i = 0; i < ready; ++i) {
            pod_request r = p->waiting[i];
            p->prefill -= r.tokens;
            r.context = r.tokens;
            told(user, r.id, p->now, 0);
            if (--r.left > 0) {
                p->running[p->runs++] = r;
            } else {
                p->cache -= r.context;
                told(user, r.id, p->now, 1);
            }
            if (r.id == stop) return;
        }
        p->waits -= ready;
        for (uint32_t i = 0; i < p->waits; ++i) p->waiting[i] = p->waiting[i + ready];
    }
}
#endif
