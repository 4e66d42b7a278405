/* routers.c - requests routed to simulated pods: counters, predictions, and what a router with perfect
 * knowledge would do.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "routers.h"
#include "pods.h"
#include <stdlib.h>

const char *const router_names[ROUTERS] = {"round robin",   "fewest requests",        "shortest queue",
                                           "fewest tokens", "tokens less those done", "least predicted",
                                           "perfect"};

/* A request of a run, and what became of it. */
typedef struct request {
    double sent, first, end; /* ms; -1: not yet */
    uint64_t ticket;
    uint32_t pod;
} request;

typedef struct run {
    sooth_env env;
    serving *s;
    const arrival *in;
    request *r;
    pod *pods;
    double began[ROUTERS_PODS];     /* last first token, or when a queue began */
    serving_pod seen[ROUTERS_PODS]; /* what the router knows: what it has sent, and what has come back */
    struct {
        double ms;
        uint32_t id;
        int ended;
    } * event; /* what the pods said, in any order of time */
    uint32_t events;
    int failed;
} run;

static double normal(sooth_rng *rng) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += sooth_rng_double(rng);
    return sum;
}

/* Lengths with the medians that Microsoft's study of its services in November 2023 reports (Patel et al.,
   Splitwise, ISCA 2024): half are chats of 1,020 tokens with answers of 129, half code of 1,500 with 13. */
void routers_make(arrival *in, uint32_t n, uint64_t seed) {
    sooth_rng rng;
    double now = 0, pace = 1;
    sooth_rng_init(&rng, seed, 1);
    for (uint32_t i = 0; i < n; ++i) {
        const int code = sooth_rng_below(&rng, 2) == 0;
        if (i % 100 == 0) pace = 0.6 + 0.8 * sooth_rng_double(&rng); /* load rises and falls */
        const double u = normal(&rng); /* the square: gaps with twice the variance of Poisson arrivals */
        now += u * u / pace;
        in[i].ms = now;
        const float deviates[] = {(float)normal(&rng), (float)normal(&rng)};
        in[i].tokens = (uint32_t)((code ? 1500 : 1020) * sooth_exp((code ? 0.9f : 1.0f) * deviates[0]));
        in[i].answer = (uint32_t)((code ? 13 : 129) * sooth_exp(deviates[1]));
        if (in[i].tokens < 1) in[i].tokens = 1;
        if (in[i].tokens > 14000) in[i].tokens = 14000;
        if (in[i].answer < 1) in[i].answer = 1;
        if (in[i].answer > 1500) in[i].answer = 1500;
    }
}

static void told(void *user, uint32_t id, double ms, int ended) {
    run *u = (run *)user;
    u->event[u->events].ms = ms;
    u->event[u->events].id = id;
    u->event[u->events++].ended = ended;
}

static void told_first(void *user, uint32_t id, double ms, int ended) {
    double *first = (double *)user;
    if (!ended && id == (uint32_t)first[0]) first[1] = ms;
}

/* Lets the router see, in order, what has happened until now. */
static void happens(run *u, double now) {
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < u->events; ++i)
            if (u->event[i].ms <= now && (next == UINT32_MAX || u->event[i].ms < u->event[next].ms ||
                                          (u->event[i].ms <= u->event[next].ms &&
                                           u->event[i].id * 2 + (uint32_t)u->event[i].ended <
                                               u->event[next].id * 2 + (uint32_t)u->event[next].ended)))
                next = i;
        if (next == UINT32_MAX) return;
        request *r = &u->r[u->event[next].id];
        serving_pod *seen = &u->seen[r->pod];
        sooth_status status = SOOTH_OK;
        if (!u->event[next].ended) {
            seen->prefill -= (float)u->in[u->event[next].id].tokens;
            seen->waiting -= 1;
            u->began[r->pod] = u->event[next].ms;
            r->first = u->event[next].ms;
            if (r->ticket)
                status = serving_first_token(&u->env, u->s, r->ticket, (float)(r->first - r->sent));
        } else {
            const uint32_t more = u->in[u->event[next].id].answer - 1;
            r->end = u->event[next].ms;
            seen->running -= 1;
            if (r->ticket)
                status = serving_done(&u->env, u->s, r->ticket,
                                      more > 0 ? (float)((r->end - r->first) / more) : 0.0f);
        }
        if (status != SOOTH_OK) u->failed = 1;
        u->event[next] = u->event[--u->events];
        if (u->s && serving_due(u->s) && serving_learn(&u->env, u->s) != SOOTH_OK) u->failed = 1;
    }
}

static double perfect(const pod *p, uint32_t id, const arrival *a) {
    pod *copy = malloc(sizeof *copy);
    double first[2] = {id, -1};
    if (!copy) return 0;
    *copy = *p;
    pod_add(copy, id, a->tokens, a->answer, a->ms);
    pod_run(copy, 1e30, id, told_first, first);
    free(copy);
    return first[1];
}

static uint32_t choose(run *u, const routers_options *o, int router, uint32_t id) {
    const serving_pod *seen = u->seen;
    const arrival *a = &u->in[id];
    float out[ROUTERS_PODS * SERVING_TARGETS * SERVING_MAX_QUANTILES];
    uint32_t best = 0;
    double least = 0;
    int known = 1;
    if (router == ROUND_ROBIN) return id % o->pods;
    if (router == LEAST_PREDICTED) {
        serving_predict(u->s, 0, (float)a->tokens, seen, o->pods, out);
        for (uint32_t p = 0; p < o->pods; ++p) known = known && out[p * SERVING_TARGETS * 3] <= FLT_MAX;
    }
    for (uint32_t i = 0; i < o->pods; ++i) { /* of equal ones the first after the last choice's place */
        const uint32_t p = (id + i) % o->pods;
        double cost = seen[p].prefill + 1e-3 * seen[p].running;
        if (router == FEWEST_REQUESTS) cost = seen[p].running;
        if (router == SHORTEST_QUEUE) cost = seen[p].waiting + seen[p].cache / 2;
        if (router == TOKENS_BY_AGE) { /* a counter that knows the pace of a fast pod */
            const double step = seen[p].prefill < POD_CHUNK ? seen[p].prefill : POD_CHUNK;
            cost -= seen[p].age / 0.10145 < step ? seen[p].age / 0.10145 : step;
        }
        if (router == LEAST_PREDICTED && known) cost = out[p * SERVING_TARGETS * 3];
        if (router == PERFECT) cost = perfect(&u->pods[p], id, a) + 1e-6 * seen[p].running;
        if (i == 0 || cost < least) best = p, least = cost;
    }
    return best;
}

static int ascending(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int routers_run(const routers_options *o, int router, const arrival *in, uint32_t n, routers_result *result) {
    const serving_options options = {.pods = o->pods, .kinds = o->kinds, .tickets = 4096};
    const size_t size = serving_size(&options);
    void *memory = malloc(size);
    double *sorted = malloc(n * sizeof *sorted), sum = 0, early = 0;
    uint32_t counted = 0;
    run u = {.in = in};
    sooth_env_init(&u.env);
    u.r = calloc(n, sizeof *u.r);
    u.pods = calloc(o->pods, sizeof *u.pods);
    u.event = malloc((size_t)o->pods * (2 * POD_RUNNING + 2 * POD_QUEUE) * sizeof *u.event);
    u.failed = !memory || !sorted || !u.r || !u.pods || !u.event;
    if (!u.failed && router == LEAST_PREDICTED)
        u.failed = serving_init(&u.env, &options, memory, size, &u.s) != SOOTH_OK;
    for (uint32_t p = 0; p < o->pods; ++p) u.seen[p].pod = p, u.seen[p].kind = p % o->kinds;
    for (uint32_t i = 0; !u.failed && i < n; ++i) {
        for (uint32_t p = 0; p < o->pods; ++p) {
            pod *at = &u.pods[p];
            at->slower = o->kinds > 1 && p % o->kinds ? o->slower : 1;
            if (o->breaks && p == 0 && i >= n / 2) at->slower = o->slower;
            pod_run(at, in[i].ms, UINT32_MAX, told, &u);
            u.seen[p].cache = (float)(at->cache / POD_CACHE);
        }
        happens(&u, in[i].ms);
        for (uint32_t p = 0; p < o->pods; ++p)
            u.seen[p].age = u.seen[p].waiting > 0 ? (float)(in[i].ms - u.began[p]) : 0.0f;
        const uint32_t to = choose(&u, o, router, i);
        u.r[i] = (request){in[i].ms, -1, -1, 0, to};
        if (u.s &&
            serving_sent(&u.env, u.s, (float)in[i].tokens, &u.seen[to], in[i].ms, &u.r[i].ticket) != SOOTH_OK)
            u.failed = 1;
        if (!(u.seen[to].waiting > 0)) u.began[to] = in[i].ms;
        u.seen[to].prefill += (float)in[i].tokens;
        u.seen[to].waiting += 1;
        u.seen[to].running += 1;
        if (!pod_add(&u.pods[to], i, in[i].tokens, in[i].answer, in[i].ms)) u.failed = 1;
    }
    for (uint32_t p = 0; !u.failed && p < o->pods; ++p) pod_run(&u.pods[p], 1e30, UINT32_MAX, told, &u);
    if (!u.failed) happens(&u, 1e30);
    result->ended = 0;
    for (uint32_t i = 0; !u.failed && i < n; ++i) {
        const double ms = u.r[i].first - u.r[i].sent;
        result->ended += u.r[i].end >= u.r[i].first && ms > 0;
        if (i < o->skip) {
            early += ms;
        } else {
            sum += ms;
            sorted[counted++] = ms;
        }
    }
    if (!u.failed) {
        qsort(sorted, counted, sizeof *sorted, ascending);
        result->mean = sum / counted;
        result->p50 = sorted[counted / 2];
        result->p99 = sorted[(uint32_t)(0.99 * counted)];
        result->early = o->skip ? early / o->skip : 0;
        if (u.s)
            for (uint32_t q = 0; q < 3; ++q) result->live[q] = serving_live(u.s, SERVING_TTFT, q);
    } else if (u.env.sentence[0]) {
        fprintf(stderr, "serving: %s\n", u.env.sentence);
    }
    free(memory), free(sorted), free(u.r), free(u.pods), free(u.event);
    return u.failed;
}
