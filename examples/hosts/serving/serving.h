/* serving.h - inside a router of LLM servers: how long until the first token, and for each further one.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A router asks for every request and every pod (a server with a queue): how long until the first token
 * (TTFT), and how long for each further one (TPOT)? The answers are quantiles in milliseconds. They are
 * learned from what the router sees while it runs. Labels come as late as the tokens do. All is in one block
 * of memory, and nothing is allocated after serving_init. README.md has an example.
 *
 *   law       TTFT is the tokens ahead over a rate. Ahead are the request's own tokens, those in the pod's
 *             queue, and 500. What is done of the step that the pod works on (a chunk) is taken off: by its
 *             age, or half of it where the age is unknown. TPOT is a constant.
 *   memories  For each kind of pod, two objects of conformal/delayed.h hold the last 50 and the last 300
 *             ratios of label to law. Their ends are quantiles.
 *   trees     One boosted model of all quantiles of the logarithm of that ratio, from the newest rows.
 *   rates     Mean ratios of each pod, relative to the pods of its kind: one may slow down.
 *   mixture   A weighted geometric mean of the memories' and the trees' quantiles. The weight of each is
 *             exp(-8 (loss / least loss - 1)), by the pinball loss of the newest labels. Each is judged by
 *             what it said when the request was sent. Trees that do not win get almost no weight.
 *
 * Threads: serving_predict and serving_load in any, each with a reader's number; serving_learn in one thread
 * at a time. All other calls are events: one thread, or the host's lock. Events never wait for learning.
 */
#ifndef SERVING_H
#define SERVING_H
#include "sooth/boost.h"
#include "sooth/conformal.h"
#include "sooth/online.h"

enum { SERVING_TTFT, SERVING_TPOT, SERVING_TARGETS };
enum { SERVING_MEMORIES = 2, SERVING_MEMBERS, SERVING_COLUMNS = 7 }; /* members: memories, then trees */
enum { SERVING_MAX_KINDS = 16, SERVING_MAX_QUANTILES = 4, SERVING_MODEL_SIZE = 1 << 18 };

typedef struct serving_options {
    uint32_t pods;                         /* 0 means 16 */
    uint32_t kinds;                        /* of pods: 1 to 16; 0 means 1 */
    uint32_t readers;                      /* threads that predict; 0 means 1 */
    uint32_t rows;                         /* that trees are learned from, of each target; 0 means 10,000 */
    uint32_t tickets;                      /* requests out, of each kind of pod; 0 means 512 */
    uint32_t quantiles;                    /* 1 to 4; 0 means 0.5, 0.9, 0.99 */
    float quantile[SERVING_MAX_QUANTILES]; /* ascending */
    float chunk;                           /* tokens that a pod prefills in a step; 0 means 8,192 */
} serving_options;

/* A pod as the router sees it when a request arrives. */
typedef struct serving_pod {
    uint32_t pod, kind; /* numbers, from 0 */
    float cache;        /* share of the KV cache in use */
    float waiting;      /* requests */
    float running;      /* requests, those that wait included */
    float prefill;      /* tokens of requests whose first token has not come */
    float age;          /* ms since the last first token, or since the first of these was sent; 0: unknown */
} serving_pod;

/* Of the newest labels: a label counts half after 700 others. */
typedef struct serving_errors {
    uint32_t labels;               /* in all */
    float coverage;                /* share at or below what was predicted */
    float pinball;                 /* mean loss of what was predicted, ms */
    float weight[SERVING_MEMBERS]; /* in the mixture now */
} serving_errors;

typedef struct serving serving;

/* Returns the bytes of memory; 0 if the options are invalid. */
size_t serving_size(const serving_options *options);

/* Makes a predictor in memory[0..size), aligned like malloc's. */
sooth_status serving_init(sooth_env *env, const serving_options *options, void *memory, size_t size,
                          serving **made);

/* Writes out[(i SERVING_TARGETS + target) quantiles + q], in ms, for the pods pod[0..n) and a request of so
   many tokens to prefill. Infinite below 20 labels of a kind of pod: compare serving_ahead then. */
void serving_predict(serving *s, size_t reader, float tokens, const serving_pod *pod, size_t n, float *out);

/* Returns the tokens ahead of the request's first token. */
float serving_ahead(const serving *s, float tokens, const serving_pod *pod);

/* A request was sent to this pod, at `now` on a clock in ms. After a failure *ticket is 0. */
sooth_status serving_sent(sooth_env *env, serving *s, float tokens, const serving_pod *pod, double now,
                          uint64_t *ticket);

/* Its first token came ms after it was sent. */
sooth_status serving_first_token(sooth_env *env, serving *s, uint64_t ticket, float ms);

/* It ended. ms: of each token after the first; 0 if there was none, or it was cancelled. */
sooth_status serving_done(sooth_env *env, serving *s, uint64_t ticket, float ms);

/* Now and then: whatever has no first token still waits. */
sooth_status serving_waiting(sooth_env *env, serving *s, double now);

/* Returns 1 if there are labels enough for new trees. */
int serving_due(const serving *s);

/* Learns trees. The next event publishes them. Returns SOOTH_NO_MEMORY if they do not fit. */
sooth_status serving_learn(sooth_env *env, serving *s);

serving_errors serving_live(const serving *s, uint32_t target, uint32_t q);

/* Backwards: by which factor may the pod's load grow (requests, tokens and cache) until a quantile exceeds
   the bound? 0 if it exceeds it without load, at most 1024. By bisection, as what is asked here rises with
   load: TTFT by law and memories; TPOT also by trees, which may only rise with each column. */
float serving_load(serving *s, size_t reader, float tokens, const serving_pod *pod, uint32_t target,
                   uint32_t q, float bound);

#endif
