/* test_serving.c - the predictor in a router of LLM servers, and the simulated pods and routers beside it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "../../examples/hosts/serving/serving.h"
#include "../../examples/hosts/serving/pods.h"
#include "../../examples/hosts/serving/routers.h"
#include "../../examples/hosts/serving/routers.c"
#include "../../examples/hosts/serving/serving.c"
#include "check.h"
#include <pthread.h>

enum { ROWS = 3000 };

static float ms_of[ROWS];

/* A made-up trace: 0.1 ms a token, 0.16 where much waits, noise; labels come `late` requests late. held: the
   shares of the last two thirds of TTFT; loss: of the median, and of that of the last 300 ratios. */
static void stream(serving *s, uint32_t late, int trees, double *held, double *loss) {
    sooth_env env;
    sooth_rng rng;
    static uint64_t ticket[ROWS];
    static float end[ROWS][3], ratio[ROWS], base[ROWS];
    double judged = 0;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 3, 0);
    for (int q = 0; q < 3; ++q) held[q] = 0;
    loss[0] = loss[1] = 0;
    for (uint32_t i = 0; i < ROWS + late; ++i) {
        if (i < ROWS) {
            const float tokens = (float)(50 + sooth_rng_below(&rng, 4000));
            serving_pod pod = {0, 0, sooth_rng_float(&rng), (float)sooth_rng_below(&rng, 40), 0, 0, 0};
            pod.running = pod.waiting + 5;
            pod.prefill = 2000 * pod.waiting;
            float out[6];
            serving_predict(s, 0, tokens, &pod, 1, out);
            memcpy(end[i], out, sizeof end[i]);
            CHECK_STATUS(serving_sent(&env, s, tokens, &pod, 0, &ticket[i]), SOOTH_OK);
            base[i] = serving_ahead(s, tokens, &pod);
            ms_of[i] = base[i] * 0.1f * (pod.waiting > 20 ? 1.6f : 1) * (0.8f + 0.4f * sooth_rng_float(&rng));
            ratio[i] = ms_of[i] / base[i];
        }
        if (i < late) continue;
        const uint32_t k = i - late;
        CHECK_STATUS(serving_first_token(&env, s, ticket[k], ms_of[k]), SOOTH_OK);
        CHECK_STATUS(serving_done(&env, s, ticket[k], 0), SOOTH_OK);
        if (trees && serving_due(s)) CHECK_STATUS(serving_learn(&env, s), SOOTH_OK);
        if (k < ROWS / 3) continue;
        ++judged;
        for (int q = 0; q < 3; ++q) held[q] += ms_of[k] <= end[k][q];
        /* a naive median of the 300 ratios that were known when k was sent */
        float window[300];
        for (uint32_t j = 0; j < 300; ++j) {
            float v = ratio[k - late - 300 + j];
            uint32_t at = j;
            for (; at > 0 && window[at - 1] > v; --at) window[at] = window[at - 1];
            window[at] = v;
        }
        loss[0] += fabs((double)(ms_of[k] - end[k][0]));
        loss[1] += fabs((double)(ms_of[k] - base[k] * window[150]));
    }
    for (int q = 0; q < 3; ++q) held[q] /= judged;
}

static serving *make(const serving_options *options, void **memory) {
    serving *s = NULL;
    const size_t size = serving_size(options);
    *memory = malloc(size);
    CHECK_STATUS(serving_init(NULL, options, *memory, size, &s), SOOTH_OK);
    return s;
}

static void quantiles_hold(void) {
    for (int trees = 0; trees < 2; ++trees)
        for (uint32_t late = 0; late <= 200; late += 200) {
            double held[3], loss[2];
            void *memory;
            serving *s = make(NULL, &memory);
            stream(s, late, trees, held, loss);
            CHECK_NEAR(held[0], 0.5, 0.03);
            CHECK_NEAR(held[1], 0.9, 0.02);
            CHECK(held[2] >= 0.98 && held[2] <= 0.998);
            /* trees find what the law lacks; without them the mixture is no worse than one long memory */
            CHECK(loss[0] < (trees ? 0.75 : 1.02) * loss[1]);
            CHECK((serving_live(s, SERVING_TTFT, 0).weight[2] > 0.9f) == trees);
            CHECK(serving_live(s, SERVING_TTFT, 0).labels == ROWS);
            free(memory);
        }
}

/* The live errors are those counted by hand. */
static void live_errors_are_right(void) {
    void *memory;
    serving *s = make(NULL, &memory);
    double share = 0, held = 0, pinball_sum = 0;
    for (int i = 0; i < 400; ++i) {
        const serving_pod pod = {0, 0, 0, 0, 3, 0, 0};
        float out[6];
        uint64_t ticket;
        const float tpot = (float)(20 + i * 37 % 11);
        serving_predict(s, 0, 100, &pod, 1, out);
        CHECK((out[4] <= FLT_MAX) == (i >= 20)); /* nothing is said below 20 labels */
        CHECK_STATUS(serving_sent(NULL, s, 100, &pod, 0, &ticket), SOOTH_OK);
        CHECK_STATUS(serving_done(NULL, s, ticket, tpot), SOOTH_OK);
        if (i < 20) continue;
        share = 0.999 * share + 1;
        held = 0.999 * held + (tpot <= out[4]);
        pinball_sum = 0.999 * pinball_sum + (tpot > out[4] ? 0.9 * (tpot - out[4]) : 0.1 * (out[4] - tpot));
    }
    const serving_errors e = serving_live(s, SERVING_TPOT, 1);
    CHECK_NEAR(e.coverage, held / share, 1e-4);
    CHECK_NEAR(e.pinball, pinball_sum / share, 1e-3);
    CHECK(e.labels == 400);
    free(memory);
}

static size_t allocations;
static void *counted(void *user, size_t size) {
    (void)user;
    ++allocations;
    return malloc(size);
}

/* No call allocates: a predictor lives in its memory, learning included, and nothing behind it changes. */
static void memory_is_what_was_asked_for(void) {
    const serving_options options = {.pods = 64, .kinds = 16};
    const size_t size = serving_size(&options);
    serving *s;
    sooth_env env;
    sooth_env_init(&env);
    env.alloc_fn = counted;
    CHECK(size < 8000000); /* 16 kinds, 2 x 10,000 rows */
    unsigned char *memory = malloc(size + 64);
    memset(memory + size, 0x5A, 64);
    CHECK_STATUS(serving_init(&env, &options, memory, size - 1, &s), SOOTH_NO_MEMORY);
    CHECK_STATUS(serving_init(&env, &options, memory, size, &s), SOOTH_OK);
    for (uint32_t i = 0; i < 11000; ++i) {
        const serving_pod pod = {i % 64,           i % 16, 0, (float)(i * 7 % 13), (float)(i * 7 % 29),
                                 (float)(i % 977), 0};
        uint64_t ticket;
        CHECK_STATUS(serving_sent(&env, s, (float)(i % 997), &pod, 0, &ticket), SOOTH_OK);
        CHECK_STATUS(serving_first_token(&env, s, ticket, 100 + (float)(i * 31 % 307)), SOOTH_OK);
        CHECK_STATUS(serving_done(&env, s, ticket, 20 + (float)(i * 17 % 23)), SOOTH_OK);
    }
    CHECK(serving_due(s));
    CHECK_STATUS(serving_learn(&env, s), SOOTH_OK); /* in the memory, with all 2 x 10,000 rows */
    CHECK(!serving_due(s));                         /* until an event has published them */
    CHECK_STATUS(serving_waiting(&env, s, 0), SOOTH_OK);
    for (int i = 0; i < 64; ++i) CHECK(memory[size + (size_t)i] == 0x5A);
    CHECK(allocations == 0);
    free(memory);
}

/* Backwards: just below the factor the quantile holds the bound, just above it does not. */
static void load_crosses_its_bound(void) {
    void *memory;
    serving *s = make(NULL, &memory);
    sooth_rng rng;
    sooth_rng_init(&rng, 5, 0);
    for (int i = 0; i < 1500; ++i) {
        serving_pod pod = {0, 0, 0.3f, (float)sooth_rng_below(&rng, 30), 0, 0, 0};
        uint64_t ticket;
        pod.running = pod.waiting + 10;
        pod.prefill = 1000 * pod.waiting;
        CHECK_STATUS(serving_sent(NULL, s, 500, &pod, 0, &ticket), SOOTH_OK);
        CHECK_STATUS(
            serving_first_token(NULL, s, ticket,
                                serving_ahead(s, 500, &pod) * (0.09f + 0.02f * sooth_rng_float(&rng))),
            SOOTH_OK);
        CHECK_STATUS(serving_done(NULL, s, ticket, 20 + pod.running * (1 + 0.1f * sooth_rng_float(&rng))),
                     SOOTH_OK);
        if (serving_due(s)) CHECK_STATUS(serving_learn(NULL, s), SOOTH_OK);
    }
    const serving_pod pod = {0, 0, 0.3f, 10, 20, 10000, 0};
    const float ttft = serving_load(s, 0, 500, &pod, SERVING_TTFT, 1, 3000);
    /* (500 + 500 + 10,000 x - 4,096) x 0.108 ms is 3,000 ms */
    CHECK_NEAR(ttft, (3000 / 0.108 + 3096) / 10000, 0.15);
    const float tpot = serving_load(s, 0, 500, &pod, SERVING_TPOT, 1, 45);
    for (int t = 0; t < 2; ++t)
        for (int side = 0; side < 2; ++side) {
            const float x = (t ? tpot : ttft) * (side ? 1.01f : 0.999f);
            serving_pod then = pod;
            float out[6];
            then.cache *= x, then.waiting *= x, then.running *= x, then.prefill *= x;
            serving_predict(s, 0, 500, &then, 1, out);
            if (t == 1) CHECK((out[4] > 45) == side);
        }
    float before = 0;
    for (int i = 1; i <= 20; ++i) { /* a looser bound allows no less */
        const float x = serving_load(s, 0, 500, &pod, SERVING_TPOT, 2, (float)(20 + 3 * i));
        CHECK(x >= before);
        before = x;
    }
    CHECK(serving_load(s, 0, 500, &pod, SERVING_TTFT, 1, 1) <= 0.0f);
    CHECK(serving_load(s, 0, 500, &pod, SERVING_TTFT, 1, 1e9f) >= 1024.0f);
    free(memory);
}

static void mistakes_are_sentences(void) {
    void *memory;
    sooth_env env;
    serving *s = make(NULL, &memory), *other;
    const serving_options many = {.kinds = 17}, down = {.quantiles = 2, .quantile = {0.9f, 0.5f}};
    const serving_pod pod = {0, 0, 0, 0, 1, 0, 0}, none = {16, 0, 0, 0, 1, 0, 0};
    uint64_t ticket;
    sooth_env_init(&env);
    CHECK(serving_size(&many) == 0);
    CHECK_STATUS(serving_init(&env, &many, memory, 1, &other), SOOTH_BAD_ARGUMENT);
    void *larger = malloc(serving_size(&down));
    CHECK_STATUS(serving_init(&env, &down, larger, serving_size(&down), &other), SOOTH_BAD_ARGUMENT);
    CHECK(strstr(env.sentence, "ascend") != NULL && other == NULL);
    free(larger);
    CHECK_STATUS(serving_sent(&env, s, 10, &none, 0, &ticket), SOOTH_BAD_ARGUMENT);
    CHECK_STATUS(serving_sent(&env, s, NAN, &pod, 0, &ticket), SOOTH_BAD_DATA);
    CHECK(ticket == 0);
    CHECK_STATUS(serving_sent(&env, s, 10, &pod, 0, &ticket), SOOTH_OK);
    CHECK_STATUS(serving_first_token(&env, s, ticket, 0), SOOTH_BAD_DATA);
    CHECK_STATUS(serving_waiting(&env, s, 70), SOOTH_OK);
    CHECK_STATUS(serving_first_token(&env, s, ticket, 60), SOOTH_BAD_DATA); /* it waited longer */
    CHECK_STATUS(serving_first_token(&env, s, ticket, 80), SOOTH_OK);
    CHECK_STATUS(serving_first_token(&env, s, ticket, 80), SOOTH_BAD_ARGUMENT);
    CHECK_STATUS(serving_done(&env, s, ticket, 0), SOOTH_OK);
    CHECK_STATUS(serving_done(&env, s, ticket, 0), SOOTH_BAD_ARGUMENT);
    for (int i = 0; i < 512; ++i) CHECK_STATUS(serving_sent(&env, s, 10, &pod, 0, &ticket), SOOTH_OK);
    CHECK_STATUS(serving_sent(&env, s, 10, &pod, 0, &ticket), SOOTH_NO_MEMORY);
    free(memory);
}

/* Two threads predict and one learns while this one has the events: with ThreadSanitizer, no data race. */
static uintptr_t over;
static serving *shared;

static void *predicts(void *reader) {
    uintptr_t asked = 0;
    const serving_pod pods[2] = {{0, 0, 0.5f, 3, 9, 4000, 0}, {1, 0, 0.1f, 0, 2, 0, 0}};
    while (!SOOTH_SLOT_LOAD(&over)) {
        float out[12];
        serving_predict(shared, (size_t)(uintptr_t)reader, 700, pods, 2, out);
        for (int i = 0; i < 12; ++i) asked += !(out[i] >= (i % 3 ? out[i - 1] : 0)); /* never: they ascend */
    }
    return (void *)asked;
}

static void *learns(void *unused) {
    uintptr_t failed = 0;
    while (!SOOTH_SLOT_LOAD(&over)) failed += serving_learn(NULL, shared) != SOOTH_OK;
    (void)unused;
    return (void *)failed;
}

static void threads_share_it(void) {
    const serving_options options = {.readers = 2, .rows = 400};
    void *memory, *wrong;
    pthread_t thread[3];
    shared = make(&options, &memory);
    for (uintptr_t i = 0; i < 2; ++i) CHECK(pthread_create(&thread[i], NULL, predicts, (void *)i) == 0);
    CHECK(pthread_create(&thread[2], NULL, learns, NULL) == 0);
    for (uint32_t i = 0; i < 4000; ++i) {
        const serving_pod pod = {i % 2, 0, 0, (float)(i % 7), (float)(i % 11 + 7), (float)(i * 31 % 5000), 0};
        uint64_t ticket;
        CHECK_STATUS(serving_sent(NULL, shared, 300, &pod, 0, &ticket), SOOTH_OK);
        CHECK_STATUS(serving_first_token(NULL, shared, ticket, 90 + (float)(i % 41)), SOOTH_OK);
        CHECK_STATUS(serving_done(NULL, shared, ticket, 20 + (float)(i % 13)), SOOTH_OK);
    }
    SOOTH_SLOT_STORE(&over, (uintptr_t)1);
    for (int i = 0; i < 3; ++i) {
        CHECK(pthread_join(thread[i], &wrong) == 0);
        CHECK(wrong == NULL);
    }
    free(memory);
}

/* ---- pods and routers ---- */

static void count(void *user, uint32_t id, double ms, int ended) {
    double *at = (double *)user + 2 * id;
    CHECK(ended ? at[0] > 0 && at[1] <= 0 : at[0] <= 0); /* a first token once, then an end once */
    at[ended] = ms;
}

/* One request on an idle pod, by hand; and no token is lost. */
static void pods_keep_their_tokens(void) {
    static pod p;
    static double at[2 * 400];
    p.slower = 2;
    pod_add(&p, 0, 1000, 3, 100);
    pod_run(&p, 1e30, UINT32_MAX, count, at);
    const double prefill = 17 + 8e-6 * 1000 + 0.10145 * 1000 + 1.2e-6 * 1000 * 500 - 5.1;
    CHECK_NEAR(at[0], 100 + 2 * prefill, 1e-9);
    CHECK_NEAR(at[1], at[0] + 2 * 2 * (17 + 0.02 + 8e-6 * 1000), 1e-9);
    memset(at, 0, sizeof at);
    memset(&p, 0, sizeof p);
    p.slower = 1;
    double now = 0, tokens = 0;
    for (uint32_t i = 0; i < 400; ++i) {
        now += i * 7919 % 400;
        pod_run(&p, now, UINT32_MAX, count, at);
        CHECK(pod_add(&p, i, 1 + i * 104729 % 9000, 1 + i * 31 % 90, now));
        tokens += 1 + i * 104729 % 9000;
    }
    pod_run(&p, 1e30, UINT32_MAX, count, at);
    for (uint32_t i = 0; i < 400; ++i) CHECK(at[2 * i] > 0 && at[2 * i + 1] >= at[2 * i]);
    CHECK_NEAR(p.cache, 0, 1e-3);
    CHECK_NEAR(p.prefill, 0, 1e-3);
    CHECK(p.now > 0.10145 * tokens); /* no faster than its prefill */
}

static void routers_are_compared(void) {
    enum { REQUESTS = 1500 };
    static arrival in[REQUESTS];
    const routers_options alike = {4, 1, 0, 1, 300}, unlike = {4, 2, 0, 2, 300};
    for (int c = 0; c < 2; ++c) {
        const routers_options *o = c ? &unlike : &alike;
        routers_result r[ROUTERS], again;
        double work = 0;
        routers_make(in, REQUESTS, 1);
        for (int i = 0; i < REQUESTS; ++i) work += in[i].tokens * 0.10145 + in[i].answer * 17.0 / 24;
        for (int i = 0; i < REQUESTS; ++i) in[i].ms *= work / (c ? 3 : 4) / 0.8 / in[REQUESTS - 1].ms;
        for (int k = 0; k < ROUTERS; ++k) {
            CHECK(routers_run(o, k, in, REQUESTS, &r[k]) == 0);
            CHECK(r[k].ended == REQUESTS); /* all that were sent have a first token and an end */
        }
        CHECK(routers_run(o, LEAST_PREDICTED, in, REQUESTS, &again) == 0);
        CHECK(again.mean <= r[LEAST_PREDICTED].mean && again.mean >= r[LEAST_PREDICTED].mean);
        for (int k = 0; k < ROUTERS; ++k) CHECK(r[PERFECT].mean <= r[k].mean);
        CHECK(r[LEAST_PREDICTED].mean < r[FEWEST_TOKENS].mean);
        CHECK(r[LEAST_PREDICTED].early <= r[FEWEST_TOKENS].early); /* from the first labels on */
        if (c) CHECK(r[LEAST_PREDICTED].p99 < 0.9 * r[FEWEST_TOKENS].p99);
        CHECK_NEAR(r[LEAST_PREDICTED].live[1].coverage, 0.9, 0.03);
    }
}

int main(void) {
    CHECK_RUN(quantiles_hold);
    CHECK_RUN(live_errors_are_right);
    CHECK_RUN(memory_is_what_was_asked_for);
    CHECK_RUN(load_crosses_its_bound);
    CHECK_RUN(mistakes_are_sentences);
    CHECK_RUN(threads_share_it);
    CHECK_RUN(pods_keep_their_tokens);
    CHECK_RUN(routers_are_compared);
    return check_end("serving");
}
