/* main.c - build/serving: a recorded trace predicted row by row, or routers compared on simulated pods.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/serving --trace TRACE.csv --order seen|late -o PREDICTIONS.csv
 *     build/serving [--requests FILE.csv] [--seeds 3] [--draw FOLDER]
 *     build/serving --cost
 *
 * A trace has the columns kv_cache_percentage, input_token_length, num_request_waiting, num_request_running,
 * prefill_tokens_in_flight, actual_ttft_ms and actual_tpot_ms (0: not this row's). Order seen: a row is
 * predicted when the labels of all rows before are known; late: without the newest 2 x num_request_waiting.
 * Requests have the columns arrived_at, num_prefill_tokens and num_decode_tokens. Without a file they are
 * made up (routers.c).
 */
#include "../../common/picture.h"
#include "routers.h"
#include "sooth/csv.h"
#include <stdlib.h>
#include <time.h>

enum { CACHE, TOKENS, WAITING, RUNNING, PREFILL, LABEL, READ = LABEL + SERVING_TARGETS };

static int fail(const char *what, const char *which) {
    fprintf(stderr, "serving: %s%s\n", what, which);
    return 1;
}

static sooth_status read_csv(sooth_env *env, const char *path, sooth_csv *csv) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = 0;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) ||
        !(bytes = malloc((size_t)size + 1)) || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        if (file) fclose(file);
        free(bytes);
        return sooth_fail(env, SOOTH_BAD_DATA, "cannot read %s", path);
    }
    fclose(file);
    const sooth_status status = sooth_csv_read(env, bytes, (size_t)size, NULL, csv);
    free(bytes);
    return status;
}

/* Predicts the rows of one target in the order of their labels; late: a row is sent 2 x waiting labels before
   its own comes. said[row x quantiles + q]. */
static sooth_status replay(sooth_env *env, const float *x, size_t rows, uint32_t target, int late,
                           float *said) {
    const serving_options options = {.pods = 1, .tickets = 4096};
    const size_t size = serving_size(&options);
    uint32_t *label = malloc((rows + 1) * sizeof *label), *next = malloc((rows + 1) * sizeof *next);
    uint32_t *first = malloc((rows + 1) * sizeof *first), labels = 0;
    uint64_t *ticket = malloc((rows + 1) * sizeof *ticket);
    void *memory = malloc(size);
    serving *s;
    sooth_status status = label && next && first && ticket && memory
                              ? serving_init(env, &options, memory, size, &s)
                              : sooth_no_memory(env, "the replay", size);
    for (size_t i = 0; status == SOOTH_OK && i < rows; ++i)
        if (x[i * READ + LABEL + target] > 0) label[labels++] = (uint32_t)i;
    for (uint32_t k = 0; status == SOOTH_OK && k <= labels; ++k) first[k] = UINT32_MAX;
    for (uint32_t k = labels; status == SOOTH_OK && k-- > 0;) { /* lists of what is sent before label `at` */
        const uint32_t back = late ? 2 * (uint32_t)x[label[k] * READ + WAITING] : 0,
                       at = back < k ? k - back : 0;
        next[k] = first[at];
        first[at] = k;
    }
    for (uint32_t at = 0; status == SOOTH_OK && at < labels; ++at) {
        for (uint32_t k = first[at]; status == SOOTH_OK && k != UINT32_MAX; k = next[k]) {
            const float *row = x + label[k] * READ;
            const serving_pod pod = {0, 0, row[CACHE], row[WAITING], row[RUNNING], row[PREFILL], 0};
            float out[SERVING_TARGETS * SERVING_MAX_QUANTILES];
            serving_predict(s, 0, row[TOKENS], &pod, 1, out);
            memcpy(said + label[k] * 3, out + target * 3, 3 * sizeof *said);
            status = serving_sent(env, s, row[TOKENS], &pod, 0, &ticket[k]);
        }
        const float ms = x[label[at] * READ + LABEL + target];
        if (status == SOOTH_OK && target == SERVING_TTFT)
            status = serving_first_token(env, s, ticket[at], ms);
        if (status == SOOTH_OK) status = serving_done(env, s, ticket[at], target == SERVING_TPOT ? ms : 0);
        if (status == SOOTH_OK && serving_due(s)) status = serving_learn(env, s);
    }
    free(memory);
    free(ticket);
    free(first);
    free(next);
    free(label);
    return status;
}

/* Reads columns of a file as rows of floats. */
static float *read_columns(const char *path, const char *const *names, size_t columns, size_t *rows) {
    sooth_env env;
    sooth_csv csv;
    sooth_env_init(&env);
    if (read_csv(&env, path, &csv) != SOOTH_OK) return fail(env.sentence, ""), NULL;
    float *x = malloc((csv.rows + 1) * columns * sizeof *x);
    *rows = csv.rows;
    for (size_t c = 0; x && c < columns; ++c) {
        const size_t column = sooth_csv_find(&csv, names[c]);
        if (column == SIZE_MAX) {
            fail("the file has no column ", names[c]);
            free(x);
            x = NULL;
        }
        for (size_t i = 0; x && i < csv.rows; ++i) x[i * columns + c] = csv.cell[i * csv.cols + column];
    }
    sooth_csv_free(&env, &csv);
    return x;
}

static int trace(const char *path, int late, const char *out) {
    static const char *const names[READ] = {
        "kv_cache_percentage",      "input_token_length", "num_request_waiting", "num_request_running",
        "prefill_tokens_in_flight", "actual_ttft_ms",     "actual_tpot_ms"};
    sooth_env env;
    size_t rows = 0;
    float *x = read_columns(path, names, READ, &rows), *said[SERVING_TARGETS];
    if (!x) return 1;
    for (uint32_t t = 0; t < SERVING_TARGETS; ++t) said[t] = calloc((rows + 1) * 3, sizeof(float));
    int failed = said[0] && said[1] ? 0 : fail("no memory", "");
    sooth_env_init(&env);
    for (uint32_t t = 0; !failed && t < SERVING_TARGETS; ++t)
        if (replay(&env, x, rows, t, late, said[t]) != SOOTH_OK) failed = fail(env.sentence, "");
    FILE *file = failed ? NULL : out ? fopen(out, "w") : stdout;
    if (!failed && !file) failed = fail("cannot write ", out);
    if (file) fprintf(file, "ttft_p50,ttft_p90,ttft_p99,tpot_p50,tpot_p90,tpot_p99\n");
    for (size_t i = 0; file && i < rows; ++i)
        for (int c = 0; c < 6; ++c) {
            const float v = said[c / 3][i * 3 + (size_t)c % 3];
            if (v > 0 && v <= FLT_MAX) fprintf(file, "%.9g", (double)v);
            fputc(c < 5 ? ',' : '\n', file);
        }
    if (file && file != stdout && fclose(file) != 0) failed = fail("cannot write ", out);
    for (int t = 0; t < SERVING_TARGETS; ++t) free(said[t]);
    free(x);
    return failed;
}

/* Arrivals of a file, in its own time; n at most. */
static uint32_t read_requests(const char *path, arrival *in, uint32_t n) {
    static const char *const names[] = {"arrived_at", "num_prefill_tokens", "num_decode_tokens"};
    size_t rows = 0;
    float *x = read_columns(path, names, 3, &rows);
    if (!x) return 0;
    for (uint32_t i = 0; i < n && i < rows; ++i)
        in[i] = (arrival){(double)x[3 * i] - (double)x[0], x[3 * i + 1] > 1 ? (double)x[3 * i + 1] : 1,
                          x[3 * i + 2] > 1 ? (uint32_t)x[3 * i + 2] : 1};
    free(x);
    return rows < n ? (uint32_t)rows : n;
}

/* Stretches time, so that pods are busy for this share of it: with prefill, and answers in batches of 24. */
static void set_load(arrival *in, uint32_t n, double pods, double load) {
    double work = 0;
    for (uint32_t i = 0; i < n; ++i) work += in[i].tokens * 0.10145 + in[i].answer * 17.0 / 24;
    const double stretch = work / pods / load / in[n - 1].ms;
    for (uint32_t i = 0; i < n; ++i) in[i].ms *= stretch;
}

static int simulate(const char *requests, uint32_t seeds, const char *folder) {
    enum { REQUESTS = 4000, CASES = 3 };
    static const struct {
        const char *name;
        routers_options o;
        double pods;
    } cases[CASES] = {{"eight pods alike", {8, 1, 0, 1, 500}, 8},
                      {"every other at half speed", {8, 2, 0, 2, 500}, 6},
                      {"one slows to a third", {8, 1, 1, 3, 500}, 8}};
    arrival *in = malloc(REQUESTS * sizeof *in);
    int failed = in ? 0 : fail("no memory", "");
    double bar[CASES][ROUTERS] = {{0}}, tail[CASES][ROUTERS] = {{0}};
    for (int c = 0; !failed && c < CASES; ++c) {
        double sum[ROUTERS][4] = {{0}}, held[3] = {0};
        for (uint32_t seed = 1; !failed && seed <= seeds; ++seed) {
            uint32_t n = REQUESTS;
            if (requests) n = read_requests(requests, in, n);
            else routers_make(in, n, seed);
            if (n < 1000) failed = n > 0 ? fail("fewer than 1,000 requests", "") : 1;
            else set_load(in, n, cases[c].pods, 0.8);
            for (int r = 0; !failed && r < ROUTERS; ++r) {
                routers_result result;
                failed = routers_run(&cases[c].o, r, in, n, &result);
                if (failed) break;
                const double v[4] = {result.mean, result.p50, result.p99, result.early};
                for (int k = 0; k < 4; ++k) sum[r][k] += v[k] / seeds;
                for (int q = 0; r == LEAST_PREDICTED && q < 3; ++q)
                    held[q] += 100 * (double)result.live[q].coverage / seeds;
            }
        }
        if (failed) break;
        printf(
            "%-28s TTFT, ms: mean     p50     p99   first 500    of fewest tokens: mean    p99  first 500\n",
            cases[c].name);
        for (int r = 0; r < ROUTERS; ++r) {
            const double *base = sum[FEWEST_TOKENS];
            bar[c][r] = sum[r][0] / base[0], tail[c][r] = sum[r][2] / base[2];
            printf("  %-26s %14.0f %7.0f %7.0f %11.0f %24.3f %6.3f %10.3f\n", router_names[r], sum[r][0],
                   sum[r][1], sum[r][2], sum[r][3], bar[c][r], tail[c][r], sum[r][3] / base[3]);
        }
        printf("  predicted 50, 90, 99 %% hold %.1f, %.1f, %.1f %%\n\n", held[0], held[1], held[2]);
    }
    static const char *const files[] = {"alike.svg", "unlike.svg", "slows.svg"};
    for (int c = 0; !failed && folder && c < CASES; ++c) {
        char title[128];
        snprintf(title, sizeof title, "Mean TTFT relative to fewest tokens, %s; ticks: the 99 %% quantile",
                 cases[c].name);
        /* round robin is far off the scale */
        picture_draw(folder, files[c], svg_bars,
                     &(svg_bar_chart){.frame.title = title,
                                      .value = bar[c] + 1,
                                      .names = router_names + 1,
                                      .count = ROUTERS - 1,
                                      .mark = tail[c] + 1,
                                      .mark_title = "99 % quantile"});
    }
    free(in);
    return failed;
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* What it costs on this machine: a made-up stream of 10,500 requests to 64 pods of 16 kinds. */
static int cost(void) {
    enum { REQUESTS = 10500, ASKED = 2000 };
    const serving_options options = {.pods = 64, .kinds = 16};
    const size_t size = serving_size(&options);
    void *memory = malloc(size);
    serving *s = NULL;
    sooth_env env;
    sooth_rng rng;
    serving_pod pods[64];
    double events = 0, fit = 0, best = 1e9;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 1, 0);
    sooth_status status = serving_init(&env, &options, memory, size, &s);
    for (uint32_t i = 0; status == SOOTH_OK && i < REQUESTS; ++i) {
        const uint32_t p = sooth_rng_below(&rng, 64);
        serving_pod *pod = &pods[p];
        uint64_t ticket;
        *pod = (serving_pod){p, p % 16, sooth_rng_float(&rng), (float)sooth_rng_below(&rng, 50), 0, 0, 0};
        pod->running = pod->waiting + (float)sooth_rng_below(&rng, 30);
        pod->prefill = pod->waiting * 3000 * sooth_rng_float(&rng);
        const float tokens = 100 + 8000 * sooth_rng_float(&rng), noise = sooth_rng_float(&rng);
        const float ttft = serving_ahead(s, tokens, pod) * 0.1f * (1 + 0.3f * noise) *
                           (1 + 0.1f * (float)pod->kind) * (1 + 0.3f * pod->cache);
        const double from = seconds();
        status = serving_sent(&env, s, tokens, pod, 0, &ticket);
        if (status == SOOTH_OK) status = serving_first_token(&env, s, ticket, ttft);
        if (status == SOOTH_OK)
            status = serving_done(&env, s, ticket, 20 + pod->running * (0.3f + 0.2f * noise));
        events += seconds() - from;
        if (status == SOOTH_OK && (i == 500 || i == REQUESTS - 1)) {
            const double start = seconds();
            status = serving_learn(&env, s);
            fit = seconds() - start;
        }
    }
    if (status != SOOTH_OK) return free(memory), fail(env.sentence, "");
    for (int k = 0; k < 20; ++k) { /* the least of 20 means: other programs only add */
        float out[16 * SERVING_TARGETS * SERVING_MAX_QUANTILES];
        const double from = seconds();
        for (int i = 0; i < ASKED; ++i) serving_predict(s, 0, 1000, pods + i % 48, 16, out);
        if ((seconds() - from) / ASKED < best) best = (seconds() - from) / ASKED;
    }
    printf("16 kinds of pod, 2 x 10,000 rows          %.2f MB\n", (double)size / 1e6);
    printf("16 pods x 2 targets x 3 quantiles         %.0f us\n", best * 1e6);
    printf("learn 10,000 rows x 2 targets x 3         %.2f s\n", fit);
    printf("a request sent, first token, end          %.1f us\n", events / REQUESTS * 1e6);
    free(memory);
    return 0;
}

int main(int count, char **word) {
    const char *path = NULL, *out = NULL, *order = "seen", *requests = NULL, *folder = NULL, *seeds = "3";
    for (int i = 1; i < count; ++i) {
        if (!strcmp(word[i], "--cost")) return cost();
        const char **value = !strcmp(word[i], "--trace")      ? &path
                             : !strcmp(word[i], "--order")    ? &order
                             : !strcmp(word[i], "-o")         ? &out
                             : !strcmp(word[i], "--requests") ? &requests
                             : !strcmp(word[i], "--seeds")    ? &seeds
                             : !strcmp(word[i], "--draw")     ? &folder
                                                              : NULL;
        if (!value) return fail("no option ", word[i]), 2;
        if (i + 1 == count) return fail(word[i], " needs a value"), 2;
        *value = word[++i];
    }
    if (strcmp(order, "seen") != 0 && strcmp(order, "late") != 0)
        return fail("--order is seen or late, not ", order), 2;
    if (atoi(seeds) < 1) return fail("--seeds is at least 1, not ", seeds), 2;
    if (path) return trace(path, !strcmp(order, "late"), out);
    return simulate(requests, (uint32_t)atoi(seeds), folder);
}
