/* drift.h - times detectors of drift: task=drift detector=adwin; page_hinkley, cusum, location.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * words: detector (adwin), n (values, 1000000), window (location's, 64)
 *
 * single_ns is one update, over all values: normal ones whose level rises by a deviation every 100,000.
 *
 * Floor at 3 GHz: Page-Hinkley a division and five sums of two floats, each of ten dependent additions: 30 ns
 * where two sums overlap; CUSUM a division and two additions, 5 ns; ADWIN a bucket written and one merged, 3
 * ns, and a 32nd of a check of 5 log2(n / 5) = 88 cuts of 30 operations and four divisions, 40 ns; location
 * three bisections of 6 steps, half of them guessed wrong, and a quarter of the window moved: 60 ns.
 */
#include "sooth/online.h"

typedef struct bench_drift_state {
    sooth_page_hinkley page_hinkley;
    sooth_adwin *adwin;
    sooth_cusum cusum;
    sooth_location *location;
    const char *detector;
    float *value;
    size_t count;
    unsigned drifts;
} bench_drift_state;

static double bench_drift_pass(void *arg) {
    bench_drift_state *b = (bench_drift_state *)arg;
    b->drifts = 0;
    if (strcmp(b->detector, "page_hinkley") == 0) {
        for (size_t i = 0; i < b->count; ++i)
            b->drifts += sooth_page_hinkley_update(&b->page_hinkley, b->value[i]) != SOOTH_DRIFT_NONE;
    } else if (strcmp(b->detector, "cusum") == 0) {
        for (size_t i = 0; i < b->count; ++i)
            b->drifts += sooth_cusum_update(&b->cusum, b->value[i]) != SOOTH_DRIFT_NONE;
    } else if (strcmp(b->detector, "location") == 0) {
        for (size_t i = 0; i < b->count; ++i)
            b->drifts += sooth_location_update(b->location, b->value[i]) != SOOTH_DRIFT_NONE;
    } else {
        for (size_t i = 0; i < b->count; ++i)
            b->drifts += sooth_adwin_update(b->adwin, b->value[i]) != SOOTH_DRIFT_NONE;
    }
    return b->drifts;
}

static void bench_drift(bench_result *result) {
    static float memory[2][4096];
    static bench_drift_state b;
    sooth_location_options window;
    sooth_env env;
    sooth_rng rng;
    sooth_env_init(&env);
    sooth_rng_init(&rng, 1, 0);
    memset(&window, 0, sizeof window);
    window.window_size = (uint32_t)bench_count("window", 64);
    b.detector = bench_text("detector", "adwin");
    b.count = bench_count("n", 1000000);
    b.value = (float *)malloc(b.count * sizeof *b.value);
    if (!b.value) bench_stop("no memory", NULL);
    if (sooth_page_hinkley_init(&env, &b.page_hinkley, NULL) != SOOTH_OK ||
        sooth_adwin_init(&env, NULL, memory[0], sizeof memory[0], &b.adwin) != SOOTH_OK ||
        sooth_cusum_init(&env, &b.cusum, NULL) != SOOTH_OK ||
        sooth_location_init(&env, &window, memory[1], sizeof memory[1], &b.location) != SOOTH_OK)
        bench_stop("task drift", env.sentence);
    for (size_t i = 0; i < b.count; ++i) b.value[i] = (float)sooth_rng_normal(&rng) + (float)(i / 100000);
    result->single_ns = 1e9 * bench_time(bench_drift_pass, &b) / (double)b.count;
    snprintf(result->note, sizeof result->note, "%s, %u drifts", b.detector, b.drifts);
    free(b.value);
}
