/* serving.c - a stream of requests to made-up pods, as text: what examples/hosts/serving was given, and what
 * it returned, in bits. Go reads it and must return the same (examples/hosts/go/serving_test.go). `serving
 * FOLDER` writes the models to FOLDER.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "../../../examples/hosts/serving/serving.c"
#include <stdio.h>
#include <stdlib.h>

enum { REQUESTS = 2500, PODS = 6, KINDS = 2, LATE = 120 };

static uint32_t bits(float v) {
    uint32_t w;
    memcpy(&w, &v, sizeof w);
    return w;
}

/* Learns trees, writes them as files and says which. */
static int learn(sooth_env *env, serving *s, const char *folder, int number) {
    char path[512];
    if (serving_learn(env, s) != SOOTH_OK) return puts(env->sentence), 1;
    for (int t = 0; t < SERVING_TARGETS; ++t) {
        const sooth_boost *boost =
            (const sooth_boost *)(s->store +
                                  (s->learned % 2 * SERVING_TARGETS + (uint32_t)t) * SERVING_MODEL_SIZE);
        snprintf(path, sizeof path, "%s/%d_%d.sooth", folder, number, t);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(boost, 1, boost->head.size, file) != boost->head.size || fclose(file) != 0)
            return puts("cannot write"), 1;
    }
    printf("learned %d\n", number);
    return 0;
}

int main(int count, char **word) {
    const serving_options options = {.pods = PODS, .kinds = KINDS, .tickets = 200};
    const size_t size = serving_size(&options);
    static uint64_t ticket[REQUESTS];
    static float ttft[REQUESTS], tpot[REQUESTS];
    void *memory = malloc(size);
    serving *s;
    sooth_env env;
    sooth_rng rng;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 7, 0);
    if (count < 2 || serving_init(&env, &options, memory, size, &s) != SOOTH_OK) return puts(env.sentence), 1;
    for (uint32_t i = 0; i < REQUESTS + LATE; ++i) {
        const double now = 100.0 * i;
        if (i < REQUESTS) {
            serving_pod pods[PODS];
            float out[PODS * SERVING_TARGETS * 3];
            const float tokens = (float)(10 + sooth_rng_below(&rng, 4000));
            const uint32_t to = sooth_rng_below(&rng, PODS);
            printf("predict %g\n", (double)tokens);
            for (uint32_t p = 0; p < PODS; ++p) {
                serving_pod *at = &pods[p];
                *at = (serving_pod){p, p % KINDS, sooth_rng_float(&rng), (float)sooth_rng_below(&rng, 9), 0,
                                    0, 0};
                at->running = at->waiting + (float)sooth_rng_below(&rng, 20);
                at->prefill = at->waiting * (float)sooth_rng_below(&rng, 3000);
                if (at->prefill > 0 && i % 3) at->age = 900 * sooth_rng_float(&rng);
                printf("pod %08x %g %g %g %08x\n", bits(at->cache), (double)at->waiting, (double)at->running,
                       (double)at->prefill, bits(at->age));
            }
            serving_predict(s, 0, tokens, pods, PODS, out);
            for (int k = 0; k < PODS * SERVING_TARGETS * 3; ++k) printf("%08x\n", bits(out[k]));
            printf("load %08x\n", bits(serving_load(s, 0, tokens, &pods[to], i % 2, 1, i % 2 ? 40 : 3000)));
            if (serving_sent(&env, s, tokens, &pods[to], now, &ticket[i]) != SOOTH_OK) ticket[i] = 0;
            printf("sent %u %.17g %llu\n", to, now, (unsigned long long)ticket[i]);
            const float slow = (to % KINDS ? 0.2f : 0.1f) * (i > REQUESTS / 2 && to == 2 ? 3 : 1);
            ttft[i] = serving_ahead(s, tokens, &pods[to]) * slow * (0.8f + 0.6f * sooth_rng_float(&rng)) *
                      (1 + 0.5f * pods[to].cache);
            tpot[i] = sooth_rng_below(&rng, 10) ? 20 + pods[to].running * (0.5f + sooth_rng_float(&rng)) : 0;
        }
        if (i % 50 == 49) printf("waiting %.17g\n", now), serving_waiting(&env, s, now);
        const uint32_t late = sooth_rng_below(&rng, LATE); /* labels come in another order */
        for (uint32_t k = i > LATE ? i - LATE : 0; k < i && k < REQUESTS; ++k) {
            if (!ticket[k] || (k != i - LATE && k % LATE != late)) continue;
            if (ttft[k] < (float)(now - 100.0 * k))
                ttft[k] = (float)(now - 100.0 * k) + 1; /* it still waited */
            printf("ended %llu %08x %08x\n", (unsigned long long)ticket[k], bits(ttft[k]), bits(tpot[k]));
            if (serving_first_token(&env, s, ticket[k], ttft[k]) != SOOTH_OK) return puts(env.sentence), 1;
            if (serving_done(&env, s, ticket[k], tpot[k]) != SOOTH_OK) return puts(env.sentence), 1;
            ticket[k] = 0;
        }
        if (i == 400 || i == 1500) {
            if (learn(&env, s, word[1], (int)i)) return 1;
            printf("waiting %.17g\n", now);
            serving_waiting(&env, s, now);
        }
    }
    for (int t = 0; t < SERVING_TARGETS; ++t)
        for (uint32_t q = 0; q < 3; ++q) {
            const serving_errors e = serving_live(s, (uint32_t)t, q);
            printf("errors %08x %08x %08x %08x %08x\n", bits(e.coverage), bits(e.pinball), bits(e.weight[0]),
                   bits(e.weight[1]), bits(e.weight[2]));
        }
    free(memory);
    return 0;
}
