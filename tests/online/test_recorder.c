/* test_recorder.c - beside a twin that keeps every measurement in a list and sorts; spikes, shifts, keys.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "sooth/online/recorder.h"
#include "sooth/tree.h"
#include "check.h"

static union {
    double align;
    unsigned char bytes[1 << 20];
} room, other_room;

static sooth_recorder *make(sooth_recorder_options options) {
    sooth_recorder *r;
    sooth_env env;
    sooth_env_init(&env);
    CHECK_STATUS(sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_OK);
    if (!r) {
        printf("  %s\n", env.sentence);
        exit(1);
    }
    return r;
}

static int ascending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of a copy. */
static float median_of(const float *v, size_t n) {
    float sorted[4096];
    memcpy(sorted, v, n * sizeof *v);
    qsort(sorted, n, sizeof *sorted, ascending);
    return n % 2 ? sorted[n / 2] : 0.5f * (sorted[n / 2 - 1] + sorted[n / 2]);
}

static float mad_of(const float *v, size_t n) {
    const float median = median_of(v, n);
    float away[4096];
    for (size_t i = 0; i < n; ++i) away[i] = v[i] < median ? median - v[i] : v[i] - median;
    return median_of(away, n);
}

/* ---- a stream of times: one in 200 is a hundred times too long, and halfway the machine is another ---- */

enum { STREAM = 4000, CHANGE = 2000, WINDOW = 32, RUN = 5 };

/* time[i], and whether it was made a spike; in microseconds, about 190 and then about 260. */
static void make_stream(float *time, int *spike) {
    sooth_rng rng;
    sooth_rng_init(&rng, 20, 0);
    for (int i = 0; i < STREAM; ++i) {
        const float level = i < CHANGE ? 190.0f : 260.0f;
        spike[i] = sooth_rng_below(&rng, 200) == 0;
        time[i] = level * (1.0f + 0.1f * (sooth_rng_float(&rng) - 0.5f)) * (spike[i] ? 100.0f : 1.0f);
    }
}

/* At every moment the median is that of the last WINDOW times that were made without a spike, on this side of
   the change once that was noticed; the mean of the last WINDOW of all is not. */
static void spikes_move_a_mean_but_no_median(void) {
    static float time[STREAM];
    static int spike[STREAM];
    const sooth_recorder_options options = {
        .features = 1, .keys = 2, .window_size = WINDOW, .run_length = RUN};
    sooth_recorder *r = make(options);
    sooth_recorder_entry entry;
    float clean[STREAM];
    double worst_mean = 0.0, worst_median = 0.0, off_mean = 0.0, off_median = 0.0;
    int n = 0, spikes = 0, noticed = -1;
    make_stream(time, spike);
    for (int i = 0; i < STREAM; ++i) {
        const float row = 1.0f;
        const sooth_recorded what = sooth_recorder_observe(r, 7, &row, time[i]);
        CHECK(sooth_recorder_find(r, 7, &entry) != SOOTH_NONE);
        if (what == SOOTH_RECORDER_SHIFT) {
            CHECK(noticed < 0 && i >= CHANGE && i <= CHANGE + 2 * RUN);
            noticed = i;
            n = 0; /* the last RUN, which no spike is among here */
            for (int k = i - RUN + 1; k <= i; ++k) {
                CHECK(!spike[k]);
                clean[n++] = time[k];
            }
        } else if (i < CHANGE || noticed >= 0) {
            CHECK((what == SOOTH_RECORDER_SPIKE) == spike[i]);
            spikes += spike[i];
            if (!spike[i]) clean[n++] = time[i];
        }
        const int m = n < WINDOW ? n : WINDOW;
        CHECK(entry.count == (uint32_t)m && entry.median == median_of(clean + n - m, (size_t)m));
        CHECK(entry.mad == mad_of(clean + n - m, (size_t)m));
        if (i + 1 < WINDOW || (i >= CHANGE && i < CHANGE + WINDOW)) continue;
        double mean = 0.0;
        for (int k = i - WINDOW + 1; k <= i; ++k) mean += (double)time[k] / WINDOW;
        const double level = i < CHANGE ? 190.0 : 260.0;
        const double a = fabs(mean / level - 1.0), b = fabs((double)entry.median / level - 1.0);
        off_mean += a / STREAM;
        off_median += b / STREAM;
        if (a > worst_mean) worst_mean = a;
        if (b > worst_median) worst_median = b;
        if (check_failures) break;
    }
    if (check_is_slow())
        printf("  %d times, %d spikes; off by: mean of %d %.1f %% (worst %.0f %%), median %.1f %% (worst "
               "%.1f %%); "
               "the change was noticed after %d\n",
               STREAM, spikes, WINDOW, 100 * off_mean, 100 * worst_mean, 100 * off_median, 100 * worst_median,
               noticed - CHANGE + 1);
    CHECK(noticed >= 0 && spikes > 10 && entry.shifts == 1 && r->shifts == 1);
    CHECK(worst_median < 0.05 && worst_mean > 3.0);
    CHECK(off_mean > 10 * off_median);
    CHECK(entry.spikes == (uint32_t)spikes + RUN && r->spikes == entry.spikes);
}

/* ---- the twin ---- */

typedef struct run {
    uint64_t key, order;
    float x[3], y;
    int is_spike, dropped; /* dropped: 1 by a shift, 2 with its key */
    int shift;             /* it made its key's spikes the rule */
} run;

enum { RUNS = 3000, KEYS = 5, TWIN_WINDOW = 9, TWIN_RUN = 3, TWIN_LEAST = 4 };
static run runs[RUNS];
static int ran, twin_moments; /* spikes enough for a shift, which do not agree */
static int twin_keep;         /* the options keep_spikes and equal_weight */

/* The places in runs[] of a key's last TWIN_WINDOW measurements that were learned, the oldest first. */
static int twin_window(uint64_t key, int *at) {
    int n = 0, back[TWIN_WINDOW];
    for (int i = ran; i-- > 0 && n < TWIN_WINDOW;)
        if (runs[i].key == key && (twin_keep || !runs[i].is_spike) && !runs[i].dropped) back[n++] = i;
    for (int i = 0; i < n; ++i) at[i] = back[n - 1 - i];
    return n;
}

/* The keys that a recorder of KEYS has, the one measured last first. */
static int twin_keys(uint64_t *key) {
    int n = 0;
    for (int i = ran; i-- > 0 && n < KEYS;) {
        int had = 0;
        for (int k = 0; k < n; ++k) had |= key[k] == runs[i].key;
        if (!had) key[n++] = runs[i].key;
    }
    return n;
}

static int twin_outside(const float *window, int n, float y) {
    const float median = median_of(window, (size_t)n);
    const float spread = 1.4826f * mad_of(window, (size_t)n), floor = 0.05f * fabsf(median);
    return fabsf(y - median) > 5.0f * (spread > floor ? spread : floor);
}

/* More than half lie within a quarter of their median. */
static int twin_agree(const float *v, int n) {
    const float median = median_of(v, (size_t)n);
    int agree = 0;
    for (int i = 0; i < n; ++i) agree += fabsf(v[i] - median) <= 5.0f * 0.05f * fabsf(median);
    return 2 * agree > n;
}

static sooth_recorded twin_observe(uint64_t key, const float *x, float y) {
    uint64_t keys[KEYS + 1];
    float window[TWIN_WINDOW];
    int at[TWIN_WINDOW], known = 0, n = twin_keys(keys), last[TWIN_RUN], spikes = 0, seen = 0, all = 0;
    run *now = &runs[ran];
    for (int k = 0; k < n; ++k) known |= keys[k] == key;
    if (!known && n == KEYS) /* the last of them goes, with all it had */
        for (int i = 0; i < ran; ++i)
            if (runs[i].key == keys[KEYS - 1]) runs[i].dropped = 2;
    n = twin_window(key, at);
    for (int i = 0; i < n; ++i) window[i] = runs[at[i]].y;
    now->key = key;
    now->y = y;
    now->order = (uint64_t)ran + 1;
    now->dropped = now->is_spike = now->shift = 0;
    memcpy(now->x, x, sizeof now->x);
    if (n >= TWIN_LEAST) now->is_spike = twin_outside(window, n, y);
    ++ran;
    if (!now->is_spike) return SOOTH_RECORDER_LEARNED;
    for (int i = ran; i-- > 0 && seen < 2 * TWIN_RUN - 1;) {
        if (runs[i].key != key || runs[i].dropped == 2) continue;
        if (runs[i].shift) break;
        ++seen;
        all += runs[i].is_spike;
        if (runs[i].is_spike && spikes < TWIN_RUN) last[spikes++] = i;
    }
    if (spikes < TWIN_RUN) return SOOTH_RECORDER_SPIKE;
    for (int k = 0; k < TWIN_RUN; ++k) window[k] = runs[last[k]].y;
    if (!twin_agree(window, TWIN_RUN) && !(seen == 2 * TWIN_RUN - 1 && all == seen)) {
        ++twin_moments;
        return SOOTH_RECORDER_SPIKE;
    }
    for (int i = 0; i < ran; ++i)
        if (runs[i].key == key && (twin_keep || !runs[i].is_spike) && !runs[i].dropped) runs[i].dropped = 1;
    for (int k = 0; k < TWIN_RUN; ++k) {
        runs[last[k]].is_spike = twin_outside(window, TWIN_RUN, runs[last[k]].y);
        runs[last[k]].dropped = 0;
    }
    now->shift = 1;
    return SOOTH_RECORDER_SHIFT;
}

/* The recorder's rows are those of all windows; each with the group of its key. */
static void same_as_twin(const sooth_recorder *r) {
    const sooth_table table = sooth_recorder_table(r);
    static unsigned char taken[RUNS];
    uint64_t keys[KEYS];
    const int n = twin_keys(keys);
    size_t rows = 0;
    memset(taken, 0, sizeof taken);
    CHECK(r->known == (uint32_t)n);
    for (int k = 0; k < n; ++k) {
        int at[TWIN_WINDOW];
        float window[TWIN_WINDOW];
        sooth_recorder_entry entry;
        const int count = twin_window(keys[k], at);
        uint32_t group = UINT32_MAX;
        for (int i = 0; i < count; ++i) {
            size_t row = 0;
            while (row < table.rows &&
                   (taken[row] || table.y[row] != runs[at[i]].y || (i && table.group[row] != group) ||
                    memcmp(table.x + row * table.stride, runs[at[i]].x, sizeof runs[0].x) != 0))
                ++row;
            CHECK(row < table.rows);
            if (row == table.rows) return;
            taken[row] = 1;
            if (i == 0) group = table.group[row];
            CHECK(table.group[row] == group);
            CHECK(!twin_keep || table.weight[row] == (float)TWIN_WINDOW / (float)count);
            window[i] = runs[at[i]].y;
        }
        rows += (size_t)count;
        CHECK(sooth_recorder_find(r, keys[k], &entry) != SOOTH_NONE && entry.count == (uint32_t)count);
        CHECK(count == 0 || (entry.median == median_of(window, (size_t)count) &&
                             entry.mad == mad_of(window, (size_t)count)));
    }
    CHECK(rows == table.rows && table.cols == 3 && table.targets == 1 && !table.names);
    CHECK(!table.weight == !twin_keep);
}

/* Streams of few and many keys, with spikes, levels that change, and equal times; in the last one every
   third time is up to 256 times as long, whatever the level. */
static void streams_equal_the_twin(void) {
    const sooth_recorder_options options = {.features = 3,
                                            .keys = KEYS,
                                            .window_size = TWIN_WINDOW,
                                            .run_length = TWIN_RUN,
                                            .min_instances = TWIN_LEAST,
                                            .keep_spikes = (uint32_t)twin_keep,
                                            .equal_weight = (uint32_t)twin_keep};
    const uint32_t of[] = {2, 5, 6, 9, 3};
    for (uint32_t stream = 0; stream < 5; ++stream) {
        sooth_recorder *r = make(options);
        uint32_t counts[4] = {0};
        sooth_rng rng;
        sooth_rng_init(&rng, 7, stream);
        twin_moments = 0;
        for (ran = 0; ran < RUNS / (stream % 4 ? 3 : 1);) {
            const uint64_t key = (uint64_t)sooth_rng_below(&rng, of[stream]) << 40;
            const float level = (float)(1u << (key >> 40)) * (ran / 300 % 2 ? 3.0f : 1.0f);
            const uint32_t odd = sooth_rng_below(&rng, 20);
            const float y = level *
                            (stream == 4 && odd < 7 ? powf(256.0f, sooth_rng_float(&rng))
                             : odd == 0             ? 100.0f
                             : odd == 1             ? -1.0f
                                                    : 1.0f) *
                            (stream == 2 ? 1.0f : 1.0f + 0.2f * sooth_rng_float(&rng));
            const float x[3] = {(float)ran, level, sooth_rng_float(&rng)};
            const sooth_recorded what = sooth_recorder_observe(r, key, x, y), twin = twin_observe(key, x, y);
            CHECK(what == twin);
            ++counts[what];
            if (ran % 7 == 0 || what == SOOTH_RECORDER_SHIFT) same_as_twin(r);
            if (check_failures) {
                printf("  stream %u, measurement %d\n", stream, ran);
                return;
            }
        }
        CHECK(counts[0] == 0 && counts[1] > 800 && counts[2] > 15);
        CHECK(of[stream] > KEYS + 1 || counts[3] > 8); /* many keys are forgotten before they shift */
        CHECK(r->observed == (uint64_t)ran && r->shifts == counts[3]);
        CHECK((of[stream] > KEYS) == (r->evicted > 0));
        CHECK(stream != 4 || twin_moments > 100);
    }
}

static void as_a_twin_that_keeps_everything(void) {
    twin_keep = 0;
    streams_equal_the_twin();
}

static void as_a_twin_with_spikes_and_weights(void) {
    twin_keep = 1;
    streams_equal_the_twin();
}

/* One in 50 tasks takes ten times as long: without the spikes the 0.99 quantile of the table is that of the
   others. */
static void upper_quantiles_need_the_spikes(void) {
    for (uint32_t keep = 0; keep < 2; ++keep) {
        const sooth_recorder_options options = {
            .features = 1, .keys = 1, .window_size = 1000, .keep_spikes = keep};
        sooth_recorder *r = make(options);
        sooth_rng rng;
        float sorted[1000];
        sooth_rng_init(&rng, 12, 0);
        for (int i = 0; i < 1000; ++i) {
            const float row = 1, y = (100 + 10 * sooth_rng_float(&rng)) * (i % 50 == 49 ? 10 : 1);
            CHECK((sooth_recorder_observe(r, 1, &row, y) == SOOTH_RECORDER_SPIKE) == (i % 50 == 49));
        }
        const sooth_table table = sooth_recorder_table(r);
        CHECK(table.rows == (keep ? 1000 : 980) && r->spikes == 20 && !table.weight);
        memcpy(sorted, table.y, table.rows * sizeof *sorted);
        qsort(sorted, table.rows, sizeof *sorted, ascending);
        const float high = sorted[table.rows * 99 / 100];
        CHECK(keep ? high > 1000 : high < 110);
    }
}

/* ---- keys ---- */

static void the_key_that_was_not_seen_for_longest_goes(void) {
    const sooth_recorder_options options = {.features = 1, .keys = 3, .window_size = 4};
    sooth_recorder *r = make(options);
    sooth_recorder_entry entry;
    const uint64_t seen[] = {10, 20, 30, 10, 40, 20};
    const float row = 0.0f;
    for (int i = 0; i < 6; ++i) sooth_recorder_observe(r, seen[i], &row, (float)i);
    CHECK(r->known == 3 && r->evicted == 2 && r->rows == 4); /* 20 went, then 30 */
    CHECK(sooth_recorder_find(r, 10, &entry) != SOOTH_NONE && entry.count == 2 && entry.last == 4);
    CHECK(sooth_recorder_find(r, 40, &entry) != SOOTH_NONE && entry.count == 1);
    CHECK(sooth_recorder_find(r, 20, &entry) != SOOTH_NONE && entry.count == 1 && entry.last == 6);
    CHECK(isnan(entry.spike) && entry.spikes == 0);
    CHECK(sooth_recorder_find(r, 30, &entry) == SOOTH_NONE &&
          sooth_recorder_find(r, 0, &entry) == SOOTH_NONE);
}

/* More keys than fit, again and again, with numbers that fall into few buckets. */
static void many_keys_pass_through(void) {
    const sooth_recorder_options options = {.features = 2, .keys = 100, .window_size = 3};
    sooth_recorder *r = make(options);
    for (uint64_t i = 0; i < 20000; ++i) {
        const float row[2] = {(float)i, 1.0f};
        const uint64_t key = i * i % 1009 << 32;
        sooth_recorder_entry entry;
        CHECK(sooth_recorder_observe(r, key, row, 1.0f) == SOOTH_RECORDER_LEARNED);
        CHECK(sooth_recorder_find(r, key, &entry) != SOOTH_NONE && entry.last == i + 1);
        if (check_failures) return;
    }
    CHECK(r->known == 100 && r->rows <= 300 && r->observed == 20000);
}

/* ---- refits ---- */

static void a_refit_is_due_every_n_and_after_a_shift(void) {
    const sooth_recorder_options options = {.features = 1, .refit_every = 30};
    sooth_recorder *r = make(options);
    const float row = 0.0f;
    int due = 0;
    for (int i = 1; i <= 100; ++i) {
        sooth_recorder_observe(r, 1, &row, 10.0f);
        due += sooth_recorder_due(r);
        CHECK(due == i / 30);
    }
    for (int i = 1; i <= 5; ++i) {
        CHECK(sooth_recorder_observe(r, 1, &row, 20.0f) ==
              (i < 5 ? SOOTH_RECORDER_SPIKE : SOOTH_RECORDER_SHIFT));
        CHECK(sooth_recorder_due(r) == (i == 5));
    }
    CHECK(!sooth_recorder_due(r));
}

/* A spike in the midst of a shift is not learned with it. */
static void what_does_not_agree_stays_apart(void) {
    const sooth_recorder_options options = {.features = 1};
    const float after[] = {7000.0f, 21.0f, 20.0f, 22.0f, 20.0f}, row = 0.0f;
    sooth_recorder *r = make(options);
    sooth_recorder_entry entry;
    for (int i = 0; i < 40; ++i) sooth_recorder_observe(r, 1, &row, 10.0f);
    for (int i = 0; i < 5; ++i) sooth_recorder_observe(r, 1, &row, after[i]);
    CHECK(r->shifts == 1 && r->rows == 4 && sooth_recorder_table(r).y[0] == 21.0f);
    CHECK(sooth_recorder_find(r, 1, &entry) != SOOTH_NONE && entry.count == 4 && entry.median == 20.5f);
    CHECK(entry.spikes == 5 && entry.spike == 20.0f);
}

/* Long times that do not agree are a bad moment: five of nine are no other level, nine of nine are, and what
   agrees is one at once. */
static void a_bad_moment_is_no_shift(void) {
    const sooth_recorder_options options = {.features = 1};
    const float moment[] = {420, 190, 23000, 3000, 190, 190, 1100, 190, 9000}, row = 0.0f;
    const float wild[] = {420, 900, 23000, 3000, 70000, 6000, 1100, 500, 9000};
    sooth_recorder_entry entry;
    for (int kind = 0; kind < 3; ++kind) {
        sooth_recorder *r = make(options);
        for (int i = 0; i < 40; ++i) sooth_recorder_observe(r, 1, &row, 190.0f + (float)(i % 7));
        for (int i = 0; i < 9; ++i) {
            const float y = kind == 0 ? moment[i] : kind == 1 ? wild[i] : 420.0f + (float)(i * 37 % 200);
            const sooth_recorded what = sooth_recorder_observe(r, 1, &row, y);
            if (kind == 0) CHECK(what == (y > 190.0f ? SOOTH_RECORDER_SPIKE : SOOTH_RECORDER_LEARNED));
            if (kind == 1) CHECK(what == (i < 8 ? SOOTH_RECORDER_SPIKE : SOOTH_RECORDER_SHIFT));
            if (kind == 2 && i < 5) CHECK(what == (i < 4 ? SOOTH_RECORDER_SPIKE : SOOTH_RECORDER_SHIFT));
        }
        CHECK(sooth_recorder_find(r, 1, &entry) != SOOTH_NONE && entry.shifts == (kind > 0));
        CHECK(kind > 0 || (entry.median > 189.0f && entry.median < 197.0f));
        CHECK(kind == 0 || entry.median > 420.0f);
    }
}

/* A tree that learns from the table knows nothing of spikes; one that learns from all does. */
static void a_model_of_the_table(void) {
    const sooth_recorder_options options = {.features = 2, .keys = 4};
    sooth_recorder *r = make(options);
    static float x[400], y[200];
    sooth_tree *tree, *plain;
    sooth_env env;
    sooth_env_init(&env);
    for (int i = 0; i < 200; ++i) {
        x[2 * i] = (float)(i % 4);
        x[2 * i + 1] = i % 5 == 0 ? NAN : 1.0f; /* a missing value is none to refuse */
        y[i] = 100.0f * (1.0f + (float)(i % 4)) + (float)(i % 3);
        if (i % 41 == 40) y[i] *= 100.0f;
        sooth_recorder_observe(r, (uint64_t)(i % 4), x + 2 * i, y[i]);
    }
    const sooth_table table = sooth_recorder_table(r), all = sooth_table_of(x, y, 200, 2);
    CHECK(table.rows == 128 && r->spikes == 4);
    CHECK_STATUS(sooth_tree_fit(&env, &table, NULL, &tree), SOOTH_OK);
    CHECK_STATUS(sooth_tree_fit(&env, &all, NULL, &plain), SOOTH_OK);
    double worst = 0.0, worst_plain = 0.0;
    for (int k = 0; k < 4; ++k) {
        const float row[2] = {(float)k, 1.0f};
        worst = fmax(worst, fabs((double)sooth_tree_predict(tree, row) - 100.0 * (1 + k)));
        worst_plain = fmax(worst_plain, fabs((double)sooth_tree_predict(plain, row) - 100.0 * (1 + k)));
    }
    CHECK(worst < 3.0 && worst_plain > 100.0);
    sooth_tree_free(&env, tree);
    sooth_tree_free(&env, plain);
}

/* A copy is a recorder of its own, wherever it stands, and goes on as the first does. */
static void a_copy_goes_on_by_itself(void) {
    const sooth_recorder_options options = {.features = 1, .keys = 6, .window_size = 8};
    sooth_recorder *r = make(options), *copy = (sooth_recorder *)(void *)(other_room.bytes + 16);
    const float row = 3.0f;
    for (int i = 0; i < 500; ++i) {
        if (i == 250) memcpy(copy, r, r->size);
        const uint64_t key = (uint64_t)(i * 31 % 9);
        const float y = (float)(i % 50 == 0 ? 900 : 10 + i % 7 + i / 400 * 20);
        const sooth_recorded what = sooth_recorder_observe(r, key, &row, y);
        if (i >= 250) CHECK(sooth_recorder_observe(copy, key, &row, y) == what);
    }
    const sooth_table a = sooth_recorder_table(r), b = sooth_recorder_table(copy);
    CHECK(a.rows == b.rows && a.x != b.x && memcmp(a.y, b.y, a.rows * sizeof *a.y) == 0);
    CHECK(memcmp(a.group, b.group, a.rows * sizeof *a.group) == 0 && r->spikes == copy->spikes);
    CHECK((const unsigned char *)a.group > room.bytes && (const unsigned char *)b.group > other_room.bytes);
}

/* ---- what cannot be used ---- */

static void what_is_refused_changes_nothing(void) {
    const sooth_recorder_options options = {.features = 2, .keys = 2, .window_size = 3};
    sooth_recorder *r = make(options);
    const float good[2] = {1.0f, NAN}, bad[2] = {1.0f, INFINITY}, odd[] = {NAN, INFINITY, -INFINITY, 2e18f};
    sooth_recorder_entry entry;
    CHECK(sooth_recorder_observe(r, 1, bad, 5.0f) == SOOTH_RECORDER_REFUSED);
    for (int i = 0; i < 4; ++i) CHECK(sooth_recorder_observe(r, 1, good, odd[i]) == SOOTH_RECORDER_REFUSED);
    CHECK(r->known == 0 && r->rows == 0 && r->observed == 0 && r->refused == 5);
    CHECK(sooth_recorder_find(r, 1, &entry) == SOOTH_NONE && sooth_recorder_table(r).rows == 0);
    CHECK(sooth_recorder_observe(r, 1, good, -0.0f) == SOOTH_RECORDER_LEARNED);
    CHECK(sooth_recorder_observe(r, 1, good, 0.0f) == SOOTH_RECORDER_LEARNED);
    CHECK(sooth_recorder_find(r, 1, &entry) != SOOTH_NONE && entry.count == 2 && entry.median == 0.0f &&
          !signbit(entry.median));
    r->refused = r->spikes = r->fresh = UINT32_MAX; /* counts stop */
    CHECK(sooth_recorder_observe(r, 1, bad, 5.0f) == SOOTH_RECORDER_REFUSED && r->refused == UINT32_MAX);
    CHECK(sooth_recorder_observe(r, 1, good, 0.0f) == SOOTH_RECORDER_LEARNED && r->fresh == UINT32_MAX);
    CHECK(sooth_recorder_observe(r, 1, good, 9.0f) == SOOTH_RECORDER_SPIKE && r->spikes == UINT32_MAX);
    CHECK(sooth_recorder_find(r, 1, &entry) != SOOTH_NONE && entry.spike == 9.0f && entry.spikes == 1);
}

static void options_and_sizes(void) {
    sooth_recorder_options options = {.features = 3, .keys = 10, .window_size = 4};
    sooth_recorder *r = (sooth_recorder *)&room;
    sooth_env env;
    sooth_env_init(&env);
    const size_t size = sooth_recorder_size(&options);
    /* 10 keys of 4 measurements and 4 spikes, with 3 features: the header's formula */
    CHECK(size % 16 == 0 && size <= 10 * (56 + 20 * 4 + 8 * (4 + 4 * 3)) + 240 && size > 10 * (8 * 16 + 80));
    CHECK_STATUS(sooth_recorder_init(&env, &options, &room, size, &r), SOOTH_OK);
    CHECK(r->size == size && r->min_instances == 4 && r->run_length == 4 && r->refit_every == 100);
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, size - 1, &r), SOOTH_NO_MEMORY, "needs");
    CHECK(r == NULL);
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, NULL, size, &r), SOOTH_NO_MEMORY, "but has 0");
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, room.bytes + 1, size, &r), SOOTH_BAD_ARGUMENT,
                "must be aligned like a double");
    options.run_length = 5;
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_BAD_ARGUMENT,
                "run_length is 5, but must be at most window_size, 4");
    CHECK(sooth_recorder_size(&options) == 0);
    options.run_length = 2;
    options.min_instances = 5;
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_BAD_ARGUMENT,
                "min_instances is 5");
    options.min_instances = 0;
    options.keys = 1u << 20;
    options.window_size = 65536;
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_BAD_ARGUMENT,
                "must be below 2^31");
    options.window_size = 2000;
    options.features = 65536;
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_NO_MEMORY, "needs");
    options.features = 65537;
    CHECK_FAILS(&env, sooth_recorder_init(&env, &options, &room, sizeof room, &r), SOOTH_BAD_ARGUMENT,
                "features is 65537");
    CHECK(sooth_recorder_size(NULL) > 64 * 32 * 8);
    CHECK_STATUS(sooth_recorder_init(NULL, NULL, &room, sizeof room, &r), SOOTH_OK);
    CHECK(r->features == 1 && r->keys == 64 && r->window_size == 32 && r->min_instances == 10);
    CHECK_EVERY_ALLOCATION(&env, sooth_recorder_init(&env, NULL, &room, sizeof room, &r), (void)0);
}

int main(void) {
    CHECK_RUN(spikes_move_a_mean_but_no_median);
    CHECK_RUN(as_a_twin_that_keeps_everything);
    CHECK_RUN(as_a_twin_with_spikes_and_weights);
    CHECK_RUN(upper_quantiles_need_the_spikes);
    CHECK_RUN(the_key_that_was_not_seen_for_longest_goes);
    CHECK_RUN(many_keys_pass_through);
    CHECK_RUN(a_refit_is_due_every_n_and_after_a_shift);
    CHECK_RUN(what_does_not_agree_stays_apart);
    CHECK_RUN(a_bad_moment_is_no_shift);
    CHECK_RUN(a_model_of_the_table);
    CHECK_RUN(a_copy_goes_on_by_itself);
    CHECK_RUN(what_is_refused_changes_nothing);
    CHECK_RUN(options_and_sizes);
    return check_end("recorder");
}
