/* revealed.h - unseen kernels, after a few of their launches were measured: which, and how many.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Each benchmark of LEAST launches or more is new in its turn. adapt.h is fitted to the errors of the model
 * of unseen.h on the others. Then up to five of its launches are revealed, chosen by sooth_adapt_next or at
 * random, and the others are predicted. The predicted launches are the same after 0, 1, 2, 3 and 5 and for
 * both ways: those that neither reveals. For comparison there is the mean of the revealed launches, as in a
 * scheduler's history.
 */
#ifndef GPU_REVEALED_H
#define GPU_REVEALED_H
#include "sooth/adapt.h"
#include "../common/picture.h"
#include "unseen.h"

enum { SHOWN = 5, MOST = 5, LEAST = 12, DRAWS = 20, CHOSEN = 0, RANDOM, WAYS };
static const size_t revealed_after[SHOWN] = {0, 1, 2, 3, MOST};

/* Of one benchmark, or sums over benchmarks. */
typedef struct revealed {
    double rows, benchmarks;                      /* launches and benchmarks counted */
    double error[WAYS][SHOWN], mean[WAYS][SHOWN]; /* relative errors, times launches; adapted, and the mean
                                                     of the revealed (after none: the median) */
    double held[WAYS][SHOWN], width[WAYS][SHOWN]; /* of intervals, times benchmarks */
} revealed;

typedef struct revealing {
    const launches *l;
    const sooth_table *table; /* features as they are */
    const float *predicted;   /* watts, by models fitted without the benchmark */
    revealed *result;         /* per benchmark */
} revealing;

/* One benchmark's launches while they are revealed. */
typedef struct revealed_case {
    const revealing *all;
    const sooth_adapt *adapt;
    sooth_adapt_program *program;
    double median;   /* of the others' launches */
    uint32_t *asked; /* launches */
    size_t count;
} revealed_case;

static const float *revealed_row(const revealing *r, uint32_t i) {
    return r->table->x + i * r->table->stride;
}

static void revealed_observe(const revealed_case *c, uint32_t i) {
    sooth_adapt_observe(c->adapt, c->program, revealed_row(c->all, i), c->all->predicted[i],
                        c->all->l->watts[i]);
}

/* The launches in the order in which to measure them goes to the front of row[0..count). */
static void revealed_choose(const revealed_case *c, uint32_t *row, size_t count) {
    const size_t d = c->all->table->cols;
    float *x = (float *)allocate(count * d, sizeof *x), *p = (float *)allocate(count, sizeof *p);
    void *scratch = allocate(sooth_adapt_next_scratch_size(c->adapt), 1);
    for (size_t k = 0; k < MOST; ++k) {
        for (size_t i = k; i < count; ++i) {
            memcpy(x + i * d, revealed_row(c->all, row[i]), d * sizeof *x);
            p[i] = c->all->predicted[row[i]];
        }
        size_t next = k + sooth_adapt_next(c->adapt, c->program, x + k * d, count - k, d, p + k, NULL,
                                           SOOTH_ADAPT_VARIANCE, scratch);
        if (next >= count) next = k;
        const uint32_t first = row[k];
        row[k] = row[next];
        row[next] = first;
        revealed_observe(c, row[k]);
    }
    sooth_adapt_forget(c->adapt, c->program);
    free(scratch);
    free(p);
    free(x);
}

/* Reveals row[0..MOST) one after the other and predicts c->asked. Adds to the result. */
static void revealed_ask(const revealed_case *c, const uint32_t *row, int way, revealed *result) {
    const launches *l = c->all->l;
    const double one = 1.0 / (DRAWS * (double)c->count), heavy = one * result->rows;
    double sum = 0.0;
    size_t k = 0;
    for (size_t at = 0; at < SHOWN; ++at) {
        for (; k < revealed_after[at]; ++k) {
            revealed_observe(c, row[k]);
            sum += (double)l->watts[row[k]];
        }
        const double mean = k ? sum / (double)k : c->median;
        for (size_t i = 0; i < c->count; ++i) {
            const uint32_t of = c->asked[i];
            const double y = (double)l->watts[of];
            sooth_adapted out;
            sooth_adapt_predict(c->adapt, c->program, revealed_row(c->all, of), c->all->predicted[of], &out);
            result->error[way][at] += heavy * fabs((double)out.value / y - 1.0);
            result->mean[way][at] += heavy * fabs(mean / y - 1.0);
            result->held[way][at] += l->watts[of] >= out.low && l->watts[of] <= out.high ? one : 0.0;
            result->width[way][at] += one * (double)(out.high - out.low);
        }
    }
    sooth_adapt_forget(c->adapt, c->program);
}

static int has_row(const uint32_t *row, size_t count, uint32_t which) {
    for (size_t i = 0; i < count; ++i) {
        if (row[i] == which) return 1;
    }
    return 0;
}

static double median_of_others(const launches *l, uint32_t g) {
    float *v = (float *)allocate(l->rows, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < l->rows; ++i) {
        if (l->group[i] != g) v[n++] = l->watts[i];
    }
    qsort(v, n, sizeof *v, by_float);
    const double median = 0.5 * ((double)v[(n - 1) / 2] + (double)v[n / 2]);
    free(v);
    return median;
}

static void reveal_benchmark(void *arg, size_t g, size_t worker) {
    const revealing *r = (const revealing *)arg;
    revealed *result = &r->result[g];
    const launches *l = r->l;
    float *weight = (float *)allocate(l->rows, sizeof *weight);
    uint32_t *row = (uint32_t *)allocate(l->rows, sizeof *row), chosen[MOST];
    sooth_table table = *r->table;
    revealed_case c = {r, NULL, NULL, median_of_others(l, (uint32_t)g), NULL, 0};
    sooth_adapt *adapt = NULL;
    sooth_env env;
    sooth_rng rng;
    size_t n = 0;
    (void)worker;
    for (size_t i = 0; i < l->rows; ++i) {
        weight[i] = l->group[i] == g ? 0.0f : 1.0f;
        if (l->group[i] == g) row[n++] = (uint32_t)i;
    }
    if (n >= LEAST) {
        sooth_env_init(&env);
        table.weight = weight;
        need(&env, sooth_adapt_fit(&env, &table, r->predicted, NULL, &adapt));
        c.adapt = adapt;
        const size_t size = sooth_adapt_program_size(adapt);
        c.program = sooth_adapt_begin(adapt, allocate(size, 1), size);
        c.asked = (uint32_t *)allocate(n, sizeof *c.asked);
        result->rows = (double)n;
        result->benchmarks = 1.0;
        revealed_choose(&c, row, n);
        memcpy(chosen, row, sizeof chosen);
        sooth_rng_init(&rng, 1, g);
        for (size_t draw = 0; draw < DRAWS; ++draw) {
            sooth_rng_shuffle(&rng, row, n);
            for (size_t i = MOST, k = c.count = 0; i < n; ++i, k = c.count) {
                c.asked[k] = row[i];
                c.count += !has_row(chosen, MOST, row[i]);
            }
            revealed_ask(&c, chosen, CHOSEN, result);
            revealed_ask(&c, row, RANDOM, result);
        }
        sooth_adapt_free(&env, adapt);
        free(c.asked);
        free(c.program);
    }
    free(row);
    free(weight);
}

/* All benchmarks, each new in its turn: means. rows is 0 without any of LEAST launches, or with too few
   benchmarks to learn from. */
static revealed reveal(const sooth_env *env, const launches *l, const sooth_table *table,
                       const float *predicted) {
    revealed all;
    revealing r = {l, table, predicted, NULL};
    double *sum = (double *)(void *)&all;
    memset(&all, 0, sizeof all);
    if (l->groups <= SOOTH_ADAPT_MIN_PROGRAMS) return all;
    r.result = (revealed *)allocate(l->groups, sizeof *r.result);
    in_parallel(env, l->groups, reveal_benchmark, &r);
    for (size_t g = 0; g < l->groups; ++g) {
        const double *of = (const double *)(const void *)&r.result[g];
        for (size_t k = 0; k < sizeof all / sizeof *sum; ++k) sum[k] += of[k];
    }
    free(r.result);
    for (size_t w = 0; w < WAYS; ++w) {
        for (size_t at = 0; at < SHOWN && all.rows > 0.0; ++at) {
            all.error[w][at] *= 100.0 / all.rows;
            all.mean[w][at] *= 100.0 / all.rows;
            all.held[w][at] *= 100.0 / all.benchmarks;
            all.width[w][at] /= all.benchmarks;
        }
    }
    return all;
}

static void revealed_line(const char *name, const double value[SHOWN]) {
    printf("   %-34s", name);
    for (size_t at = 0; at < SHOWN; ++at) printf(" %7.1f", value[at]);
    printf("\n");
}

/* The error by the number of launches, as FOLDER/STEM.svg. */
static void draw_revealed(const revealed *all, const char *folder, const char *stem) {
    static const char *const names[] = {"chosen", "at random", "their mean"};
    double x[SHOWN], y[3 * SHOWN];
    char file[512], title[160];
    svg_line_chart chart;
    picture p;
    snprintf(file, sizeof file, "%s.svg", stem);
    if (!picture_open(&p, folder, file)) return;
    memset(&chart, 0, sizeof chart);
    for (size_t at = 0; at < SHOWN; ++at) {
        x[at] = (double)revealed_after[at];
        y[at] = all->error[CHOSEN][at];
        y[SHOWN + at] = all->error[RANDOM][at];
        y[2 * SHOWN + at] = all->mean[RANDOM][at];
    }
    snprintf(title, sizeof title, "%s: unseen kernels, error by the number of launches measured", stem);
    chart.frame.title = title;
    chart.x = x;
    chart.y = y;
    chart.count = SHOWN;
    chart.series = 3;
    chart.series_names = names;
    chart.x_title = "launches measured";
    chart.y_title = "mean error of the others, %";
    svg_lines(&p.sink, &chart);
    picture_close(&p);
}

#endif
