/* adapt.h - programs never seen: how wrong after 0 to 5 measured launches, how wide, how fast.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/bench task=adapt                        times alone, on made-up programs
 *     build/bench task=adapt power=FILE.csv         the study on a file of launches
 *
 * words: target=Power group=benchmark size=inst_issue_cycles (columns: measured, program, what makes a launch
 * large), drop=family,... (no features), predicted=COLUMN (of a model that has not seen the row's program;
 * without it extra-trees on log(1 + features) and log targets are fitted here, one program left out at a
 * time), least_rows=8 (of a program that is judged), draws=20, features=16, and level, capacity, doubt of
 * sooth_adapt_options.
 *
 * The study leaves each program out, learns how the others' residuals behave, reveals five of its launches
 * one after the other and asks for the rest, which is the same after 0, 1, 2, 3 and 5: errors are means over
 * programs, weighted with their launches; what intervals hold is the mean of programs. Launches are revealed
 * as sooth_adapt_next chooses, at random, or at random from the smallest third.
 *
 * Floor of a prediction with k = 5 points and 16 features: 16 logarithms of 8 multiply-adds, 80 + 15 for
 * distances and the triangle, 7 exponentials of 8: 280 in all, 25 ns at 4 a cycle and 3 GHz.
 */
#include "sooth/adapt.h"
#include "sooth/csv.h"
#include "sooth/forest.h"

enum { BENCH_ADAPT_SHOWN = 5, BENCH_ADAPT_WAYS = 3, BENCH_ADAPT_METHODS = 4, BENCH_ADAPT_ASKED = 300 };
static const int bench_adapt_after[] = {0, 1, 2, 3, 5};

typedef struct bench_adapt_sums {
    double error[BENCH_ADAPT_METHODS][BENCH_ADAPT_SHOWN];
    double held[BENCH_ADAPT_SHOWN], width[BENCH_ADAPT_SHOWN], known[BENCH_ADAPT_SHOWN];
    double rows, programs;
} bench_adapt_sums;

typedef struct bench_adapt_case {
    sooth_env env;
    sooth_csv_data data;
    sooth_table table;
    float *predicted, *size;
    uint32_t *order;
    sooth_adapt *adapt;
    sooth_adapt_options options;
    sooth_adapt_program *program;
    void *scratch;
    double sigma2, tau2; /* of the offset alone: within programs, between them */
    bench_adapt_sums sums[BENCH_ADAPT_WAYS];
} bench_adapt_case;

static void *bench_adapt_room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) bench_stop("no memory", NULL);
    return memory;
}

static void bench_adapt_need(bench_adapt_case *c, sooth_status status) {
    if (status != SOOTH_OK) bench_stop("task adapt", c->env.sentence);
}

/* ---- data ---- */

static void bench_adapt_read(bench_adapt_case *c, const char *path) {
    static const char *drop[16];
    static char words[256];
    sooth_csv_table_options choice;
    sooth_csv csv;
    FILE *file = fopen(path, "rb");
    char *bytes;
    memset(&choice, 0, sizeof choice);
    if (!file) bench_stop("cannot open", path);
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    bytes = (char *)bench_adapt_room(length, 1);
    if (fread(bytes, 1, length, file) != length) bench_stop("cannot read", path);
    fclose(file);
    snprintf(words, sizeof words, "%s", bench_text("drop", "family"));
    choice.target = bench_text("target", "Power");
    choice.group = bench_text("group", "benchmark");
    choice.drop = drop;
    bench_adapt_need(c, sooth_csv_read(&c->env, bytes, length, NULL, &csv));
    for (char *word = strtok(words, ","); word && choice.drop_count < 15; word = strtok(NULL, ","))
        if (sooth_csv_find(&csv, word) < csv.cols) drop[choice.drop_count++] = word;
    const char *given = bench_text("predicted", NULL);
    if (given) drop[choice.drop_count++] = given;
    bench_adapt_need(c, sooth_csv_table(&c->env, &csv, &choice, &c->data));
    c->table = c->data.table;
    c->predicted = (float *)bench_adapt_room(c->table.rows, sizeof(float));
    c->size = (float *)bench_adapt_room(c->table.rows, sizeof(float));
    const size_t p = given ? sooth_csv_find(&csv, given) : SOOTH_NONE;
    const size_t s = sooth_csv_find(&csv, bench_text("size", "inst_issue_cycles"));
    if (given && p == SOOTH_NONE) bench_stop("there is no column", given);
    for (size_t i = 0; i < c->table.rows; ++i) {
        if (given) c->predicted[i] = csv.cell[c->data.row[i] * csv.cols + p];
        c->size[i] = s < csv.cols ? csv.cell[c->data.row[i] * csv.cols + s] : 0.0f;
    }
    free(bytes);
}

/* Extra-trees on logarithms, each program predicted by trees that have not seen it. */
static void bench_adapt_zero_shot(bench_adapt_case *c) {
    const size_t rows = c->table.rows, cols = c->table.cols;
    float *x = (float *)bench_adapt_room(rows * cols, sizeof *x),
          *y = (float *)bench_adapt_room(rows, sizeof *y);
    float *weight = (float *)bench_adapt_room(rows, sizeof *weight);
    sooth_forest_options options;
    sooth_table table = sooth_table_of(x, y, rows, cols);
    memset(&options, 0, sizeof options);
    options.n_estimators = 60;
    options.max_depth = 16;
    options.max_features = 1.0 / 3.0;
    options.splitter = SOOTH_FOREST_RANDOM;
    options.no_bootstrap = 1;
    table.weight = weight;
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < cols; ++j) {
            const float v = c->table.x[i * c->table.stride + j];
            x[i * cols + j] = v > 0.0f ? sooth_log1p(v) : v;
        }
        y[i] = sooth_log(c->table.y[i]);
    }
    for (uint32_t g = 0; g < c->data.groups; ++g) {
        sooth_forest *forest;
        for (size_t i = 0; i < rows; ++i) weight[i] = c->table.group[i] == g ? 0.0f : 1.0f;
        bench_adapt_need(c, sooth_forest_fit(&c->env, &table, &options, &forest));
        for (size_t i = 0; i < rows; ++i)
            if (c->table.group[i] == g)
                c->predicted[i] = sooth_exp(sooth_forest_predict(forest, x + i * cols));
        sooth_forest_free(&c->env, forest);
    }
    free(weight);
    free(y);
    free(x);
}

/* ---- the study ---- */

static const float *bench_adapt_row(const bench_adapt_case *c, uint32_t row) {
    return c->table.x + row * c->table.stride;
}

/* Moments of the other programs' residuals: within, and of their means around 0. */
static void bench_adapt_moments(bench_adapt_case *c, uint32_t without) {
    double within = 0.0, freedom = 0.0, between = 0.0, programs = 0.0;
    double *sum = (double *)bench_adapt_room(3u * c->data.groups, sizeof *sum);
    for (size_t i = 0; i < c->table.rows; ++i) {
        const double r = log((double)c->table.y[i] / (double)c->predicted[i]);
        double *s = sum + 3u * c->table.group[i];
        s[0] += 1.0;
        s[1] += r;
        s[2] += r * r;
    }
    for (uint32_t g = 0; g < c->data.groups; ++g) {
        if (g == without || sum[3 * g] < 1.0) continue;
        within += sum[3 * g + 2] - sum[3 * g + 1] * sum[3 * g + 1] / sum[3 * g];
        freedom += sum[3 * g] - 1.0;
    }
    c->sigma2 = freedom > 0.0 ? within / freedom : 0.0;
    for (uint32_t g = 0; g < c->data.groups; ++g) {
        if (g == without || sum[3 * g] < 1.0) continue;
        const double mean = sum[3 * g + 1] / sum[3 * g];
        between += mean * mean - c->sigma2 / sum[3 * g];
        programs += 1.0;
    }
    c->tau2 = between / programs > 1e-6 ? between / programs : 1e-6;
    free(sum);
}

/* Five launches to the front of row[0..n), as sooth_adapt_next chooses or by the order that they have. */
static void bench_adapt_choose(bench_adapt_case *c, uint32_t *row, size_t n) {
    const size_t d = c->table.cols;
    float *x = (float *)bench_adapt_room(n * d, sizeof *x), *p = (float *)bench_adapt_room(n, sizeof *p);
    for (size_t k = 0; k < 5; ++k) {
        for (size_t i = k; i < n; ++i) {
            memcpy(x + i * d, bench_adapt_row(c, row[i]), d * sizeof *x);
            p[i] = c->predicted[row[i]];
        }
        size_t next = k + sooth_adapt_next(c->adapt, c->program, x + k * d, n - k, d, p + k, NULL,
                                           SOOTH_ADAPT_VARIANCE, c->scratch);
        if (next >= n) next = k;
        const uint32_t t = row[k];
        row[k] = row[next];
        row[next] = t;
        sooth_adapt_observe(c->adapt, c->program, bench_adapt_row(c, row[k]), c->predicted[row[k]],
                            c->table.y[row[k]]);
    }
    sooth_adapt_forget(c->adapt, c->program);
    free(p);
    free(x);
}

/* Reveals row[0..5) and asks for the rest; adds to the sums with the weight share. */
static void bench_adapt_ask(bench_adapt_case *c, const uint32_t *row, size_t n, double share, double median,
                            bench_adapt_sums *sums) {
    const size_t last = n < 5 + BENCH_ADAPT_ASKED ? n : 5 + BENCH_ADAPT_ASKED;
    const double one = share / (double)(last - 5), heavy = one * (double)(n - 5);
    double offset = 0.0, mean = 0.0;
    size_t k = 0;
    for (size_t at = 0; at < BENCH_ADAPT_SHOWN; ++at) {
        for (; k < (size_t)bench_adapt_after[at]; ++k) {
            const double y = (double)c->table.y[row[k]], p = (double)c->predicted[row[k]];
            sooth_adapt_observe(c->adapt, c->program, bench_adapt_row(c, row[k]), c->predicted[row[k]],
                                c->table.y[row[k]]);
            offset += log(y / p);
            mean += y;
        }
        const double moved = k ? exp(offset / ((double)k + c->sigma2 / c->tau2)) : 1.0;
        for (size_t i = 5; i < last; ++i) {
            const double y = (double)c->table.y[row[i]], p = (double)c->predicted[row[i]];
            sooth_adapted out;
            sooth_adapt_predict(c->adapt, c->program, bench_adapt_row(c, row[i]), c->predicted[row[i]], &out);
            sums->error[0][at] += heavy * fabs(p / y - 1.0);
            sums->error[1][at] += heavy * fabs((double)out.value / y - 1.0);
            sums->error[2][at] += heavy * fabs(p * moved / y - 1.0);
            sums->error[3][at] += heavy * fabs((k ? mean / (double)k : median) / y - 1.0);
            sums->held[at] += y >= (double)out.low && y <= (double)out.high ? one : 0.0;
            sums->width[at] += one * (double)(out.high - out.low);
            sums->known[at] += one * (double)out.known;
        }
    }
    sooth_adapt_forget(c->adapt, c->program);
    sums->rows += share * (double)(n - 5);
    sums->programs += share;
}

static int bench_adapt_smaller(const void *a, const void *b, const float *size) {
    uint32_t p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return (size[p] > size[q]) - (size[p] < size[q]);
}

/* The smallest third first, and five of it at random in front. */
static void bench_adapt_smallest(const bench_adapt_case *c, sooth_rng *rng, uint32_t *row, size_t n) {
    const size_t third = n / 3 > 5 ? n / 3 : 5;
    for (size_t i = 1; i < n; ++i) /* insertion: programs are small */
        for (size_t j = i; j > 0 && bench_adapt_smaller(&row[j - 1], &row[j], c->size) > 0; --j) {
            const uint32_t t = row[j];
            row[j] = row[j - 1];
            row[j - 1] = t;
        }
    sooth_rng_shuffle(rng, row, third);
    sooth_rng_shuffle(rng, row + 5, n - 5);
}

static double bench_adapt_median_of_others(const bench_adapt_case *c, uint32_t without) {
    double *v = (double *)bench_adapt_room(c->table.rows, sizeof *v), median;
    size_t n = 0;
    for (size_t i = 0; i < c->table.rows; ++i)
        if (c->table.group[i] != without) v[n++] = (double)c->table.y[i];
    median = bench_median(v, n);
    free(v);
    return median;
}

static void bench_adapt_program(bench_adapt_case *c, uint32_t g, float *weight) {
    const size_t draws = bench_count("draws", 20);
    size_t n = 0;
    for (size_t i = 0; i < c->table.rows; ++i) {
        weight[i] = c->table.group[i] == g ? 0.0f : 1.0f;
        if (c->table.group[i] == g) c->order[n++] = (uint32_t)i;
    }
    if (n < bench_count("least_rows", 8) || n < 7) return;
    sooth_table table = c->table;
    sooth_rng rng;
    table.weight = weight;
    bench_adapt_need(c, sooth_adapt_fit(&c->env, &table, c->predicted, &c->options, &c->adapt));
    bench_adapt_moments(c, g);
    const double median = bench_adapt_median_of_others(c, g);
    const size_t size = sooth_adapt_program_size(c->adapt);
    c->program = sooth_adapt_begin(c->adapt, bench_adapt_room(size, 1), size);
    c->scratch = bench_adapt_room(sooth_adapt_next_scratch_size(c->adapt), 1);
    sooth_rng_init(&rng, 1, g);
    for (size_t draw = 0; draw < 4; ++draw) {
        sooth_rng_shuffle(&rng, c->order, n);
        bench_adapt_choose(c, c->order, n);
        bench_adapt_ask(c, c->order, n, 0.25, median, &c->sums[0]);
    }
    for (size_t draw = 0; draw < draws; ++draw) {
        sooth_rng_shuffle(&rng, c->order, n);
        bench_adapt_ask(c, c->order, n, 1.0 / (double)draws, median, &c->sums[1]);
        bench_adapt_smallest(c, &rng, c->order, n);
        bench_adapt_ask(c, c->order, n, 1.0 / (double)draws, median, &c->sums[2]);
    }
    free(c->scratch);
    free(c->program);
    sooth_adapt_free(&c->env, c->adapt);
}

static void bench_adapt_line(const char *name, const double *value, double factor) {
    printf("  %-34s", name);
    for (size_t at = 0; at < BENCH_ADAPT_SHOWN; ++at) printf(" %7.1f", factor * value[at]);
    printf("\n");
}

static void bench_adapt_study(bench_adapt_case *c, const char *path) {
    static const char *const way[] = {"launches as sooth_adapt_next chooses", "launches at random",
                                      "launches from the smallest third"};
    static const char *const method[] = {"the model unchanged", "adapted", "an offset alone",
                                         "mean of the revealed"};
    bench_adapt_read(c, path);
    if (!bench_text("predicted", NULL)) bench_adapt_zero_shot(c);
    float *weight = (float *)bench_adapt_room(c->table.rows, sizeof *weight);
    c->order = (uint32_t *)bench_adapt_room(c->table.rows, sizeof *c->order);
    for (uint32_t g = 0; g < c->data.groups; ++g) bench_adapt_program(c, g, weight);
    printf("%s: %zu launches of %u programs, %.0f of them judged\n", path, c->table.rows, c->data.groups,
           c->sums[0].programs);
    for (size_t w = 0; w < BENCH_ADAPT_WAYS; ++w) {
        const bench_adapt_sums *s = &c->sums[w];
        printf("%-36s %7d %7d %7d %7d %7d\n", way[w], 0, 1, 2, 3, 5);
        for (size_t m = 0; m < BENCH_ADAPT_METHODS; ++m)
            bench_adapt_line(method[m], s->error[m], 100.0 / s->rows);
        bench_adapt_line("interval holds %", s->held, 100.0 / s->programs);
        bench_adapt_line("interval's width", s->width, 1.0 / s->programs);
        bench_adapt_line("known %", s->known, 100.0 / s->programs);
    }
    free(weight);
    free(c->order);
}

/* ---- times ---- */

enum { BENCH_ADAPT_PROGRAMS = 30, BENCH_ADAPT_ROWS = 20, BENCH_ADAPT_MOST = 64, BENCH_ADAPT_CALLS = 256 };

static double bench_adapt_predict(void *arg) {
    const bench_adapt_case *c = (const bench_adapt_case *)arg;
    double sum = 0.0;
    for (uint32_t i = 0; i < BENCH_ADAPT_CALLS; ++i) {
        sooth_adapted out;
        sooth_adapt_predict(c->adapt, c->program, bench_adapt_row(c, i), c->predicted[i], &out);
        sum += (double)out.high;
    }
    return sum;
}

static double bench_adapt_observe(void *arg) {
    const bench_adapt_case *c = (const bench_adapt_case *)arg;
    double sum = 0.0;
    for (uint32_t i = 0; i < BENCH_ADAPT_CALLS; ++i)
        sum += sooth_adapt_observe(c->adapt, c->program, bench_adapt_row(c, i % 5), c->predicted[i % 5],
                                   c->table.y[i % 5]);
    return sum;
}

static double bench_adapt_next(void *arg) {
    const bench_adapt_case *c = (const bench_adapt_case *)arg;
    return (double)sooth_adapt_next(c->adapt, c->program, c->table.x, 256, c->table.cols, c->predicted, NULL,
                                    SOOTH_ADAPT_VARIANCE, c->scratch);
}

static double bench_adapt_fit(void *arg) {
    bench_adapt_case *c = (bench_adapt_case *)arg;
    sooth_adapt *adapt;
    bench_adapt_need(c, sooth_adapt_fit(&c->env, &c->table, c->predicted, &c->options, &adapt));
    const double offset = (double)adapt->offset;
    sooth_adapt_free(&c->env, adapt);
    return offset;
}

static void bench_adapt_times(bench_adapt_case *c, bench_result *result) {
    static float x[BENCH_ADAPT_PROGRAMS * BENCH_ADAPT_ROWS * BENCH_ADAPT_MOST];
    static float y[BENCH_ADAPT_PROGRAMS * BENCH_ADAPT_ROWS],
        predicted[BENCH_ADAPT_PROGRAMS * BENCH_ADAPT_ROWS];
    static uint32_t group[BENCH_ADAPT_PROGRAMS * BENCH_ADAPT_ROWS];
    const size_t rows = BENCH_ADAPT_PROGRAMS * BENCH_ADAPT_ROWS, d = bench_count("features", 16);
    sooth_rng rng;
    sooth_rng_init(&rng, 1, 0);
    if (d > BENCH_ADAPT_MOST) bench_stop("features is more than 64", NULL);
    for (size_t i = 0; i < rows; ++i) {
        group[i] = (uint32_t)(i / BENCH_ADAPT_ROWS);
        for (size_t j = 0; j < d; ++j) x[i * d + j] = 100.0f * sooth_rng_float(&rng);
        predicted[i] = 50.0f + x[i * d];
        y[i] = predicted[i] *
               (0.8f + 0.02f * (float)group[i] + 0.001f * x[i * d + 1] + 0.02f * sooth_rng_float(&rng));
    }
    c->table = sooth_table_of(x, y, rows, d);
    c->table.group = group;
    c->predicted = predicted;
    bench_adapt_need(c, sooth_adapt_fit(&c->env, &c->table, predicted, &c->options, &c->adapt));
    const size_t size = sooth_adapt_program_size(c->adapt);
    c->program = sooth_adapt_begin(c->adapt, bench_adapt_room(size, 1), size);
    c->scratch = bench_adapt_room(sooth_adapt_next_scratch_size(c->adapt), 1);
    for (uint32_t i = 0; i < 5; ++i)
        sooth_adapt_observe(c->adapt, c->program, bench_adapt_row(c, i), predicted[i], y[i]);
    result->bytes = (double)c->adapt->head.size;
    result->single_ns = 1e9 * bench_time(bench_adapt_predict, c) / BENCH_ADAPT_CALLS;
    const double observe = bench_time(bench_adapt_observe, c) / BENCH_ADAPT_CALLS;
    const double next = bench_time(bench_adapt_next, c);
    const double fit = bench_time(bench_adapt_fit, c);
    snprintf(result->note, sizeof result->note,
             "%zu features, 5 points: observe %.2f us, next of 256 %.2f ms, program %zu bytes; fit of 30 x "
             "20 rows "
             "%.0f ms",
             d, 1e6 * observe, 1e3 * next, size, 1e3 * fit);
    free(c->scratch);
    free(c->program);
    sooth_adapt_free(&c->env, c->adapt);
}

static void bench_adapt(bench_result *result) {
    static bench_adapt_case c;
    const char *path = bench_text("power", NULL);
    bench_env(&c.env);
    c.options.level = bench_number("level", 0.0);
    c.options.doubt = bench_number("doubt", 0.0);
    c.options.capacity = (uint32_t)bench_count("capacity", 0);
    if (path) bench_adapt_study(&c, path);
    else bench_adapt_times(&c, result);
}
