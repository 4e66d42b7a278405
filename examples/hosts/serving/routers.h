/* routers.h - routers compared on simulated pods.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVING_ROUTERS_H
#define SERVING_ROUTERS_H
#include "serving.h"
#include <stdio.h>

enum {
    ROUND_ROBIN,
    FEWEST_REQUESTS,
    SHORTEST_QUEUE,
    FEWEST_TOKENS,
    TOKENS_BY_AGE,
    LEAST_PREDICTED,
    PERFECT,
    ROUTERS
};
enum { ROUTERS_PODS = 64 };
extern const char *const router_names[ROUTERS];

typedef struct arrival {
    double ms, tokens;
    uint32_t answer; /* tokens */
} arrival;

typedef struct routers_options {
    uint32_t pods;
    uint32_t kinds; /* pods of kind 1 are slower */
    int breaks;     /* 1: pod 0 is slower from the middle on, and the router is not told */
    double slower;  /* by this factor */
    uint32_t skip;  /* requests at the beginning that count as early */
} routers_options;

typedef struct routers_result {
    double mean, p50, p99, early; /* TTFT in ms; mean of the early ones */
    uint32_t ended;               /* requests with a first token and an end */
    serving_errors live[3];
} routers_result;

/* Makes n arrivals, in an arbitrary unit of time. */
void routers_make(arrival *in, uint32_t n, uint64_t seed);

/* Runs them. Returns 1 after a failure. */
int routers_run(const routers_options *options, int router, const arrival *in, uint32_t n,
                routers_result *result);

#endif
