/* kernel.c - how long will each task run before it sleeps again? Fitted here, predicted inside the kernel.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/kernel/kernel [--gather SECONDS] [--predict SECONDS] [--out FOLDER] [--alone] [--policy]
 *
 * 1. tasks.bpf.c, attached to every switch of tasks, sends a row for every burst. Tasks of our own work in
 *    bursts of known patterns (workload.h) next to everything else, unless --alone.
 * 2. Boosted trees are fitted to log2 of the burst. They are tested on a later period and on unseen tasks,
 *    next to predictions without a model.
 * 3. The model is converted to integers and goes into the kernel by one map update.
 * 4. From then on the kernel predicts every burst when it begins. Every sum is computed again here.
 *
 * Needs root (CAP_BPF and CAP_PERFMON) and a kernel with BTF, 5.17 or later. Programs are attached by file
 * descriptors of this process, so they are detached whenever it ends. With --policy a scheduler of our own
 * does step 4, policy.bpf.c (sched_ext). Exit 77: this machine does not permit it; 130: interrupted.
 */
#define _GNU_SOURCE
#include "sooth.h"
#include "../common/picture.h"
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "tasks.h"
#include "workload.h"

enum { MOST_ROWS = 1 << 20, MOST_TRAINED = 20000, MOST_OF_ONE = 1500, MOST_DRAWN = 1500, REFUSED = 77 };

typedef struct bursts {
    struct tasks_row *row;
    size_t count, room, left_out;
} bursts;

typedef struct app {
    double gather, predict;
    const char *out;
    int alone, policy; /* without our own workload; a scheduler instead of a watcher */
    char folder[900];  /* of this program and the other files */
    struct bpf_object *object;
    struct bpf_link *link[2];
    struct ring_buffer *ring;
    bursts heard;
    sooth_env env;
} app;

static volatile sig_atomic_t stopped;
static void stop(int number) { stopped = number; }

static int failed(const char *what, int error) {
    printf("%s: %s\n", what, strerror(error < 0 ? -error : error));
    return 1;
}

/* ---- the kernel's side ---- */

static int quiet(enum libbpf_print_level level, const char *format, va_list list) {
    return level == LIBBPF_WARN && getenv("LIBBPF_LOUD") ? vfprintf(stderr, format, list) : 0;
}

static int hear(void *context, void *data, size_t size) {
    bursts *b = context;
    if (b->count == b->room && b->room < MOST_ROWS) {
        const size_t room = b->room ? 2 * b->room : 4096;
        void *grown = realloc(b->row, room * sizeof *b->row);
        if (grown) b->row = grown, b->room = room;
    }
    if (size < sizeof *b->row) return 0;
    if (b->count == b->room) ++b->left_out;
    else memcpy(&b->row[b->count++], data, sizeof *b->row);
    return 0;
}

static void detach(app *a) {
    for (int k = 0; k < 2; ++k) {
        bpf_link__destroy(a->link[k]);
        a->link[k] = NULL;
    }
    ring_buffer__free(a->ring);
    bpf_object__close(a->object);
    a->ring = NULL;
    a->object = NULL;
}

/* Is there all that we need? */
static int look_around(const app *a) {
    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        return puts("This kernel has no BTF (CONFIG_DEBUG_INFO_BTF): the offsets of a task's fields are "
                    "unknown."),
               REFUSED;
    if (a->policy && access("/sys/kernel/sched_ext", R_OK) != 0)
        return puts("This kernel has no sched_ext (CONFIG_SCHED_CLASS_EXT, Linux 6.13): no policy of ours."),
               REFUSED;
    return 0;
}

static int load(app *a, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", a->folder, name);
    a->object = bpf_object__open_file(path, NULL);
    if (!a->object) return failed(path, errno);
    const int error = bpf_object__load(a->object);
    if (error == -EPERM || error == -EACCES || error == -ENOSYS)
        return puts("This machine lets us load no program into its kernel: it takes root, or CAP_BPF and "
                    "CAP_PERFMON."),
               REFUSED;
    return error ? failed("The kernel refuses the program (LIBBPF_LOUD=1 shows why)", error) : 0;
}

/* Loads and attaches the watcher (tasks.bpf.c), or the scheduler (policy.bpf.c). */
static int attach(app *a, int policy) {
    const int error = load(a, policy ? "policy.bpf.o" : "tasks.bpf.o");
    if (error) return error;
    a->ring = ring_buffer__new(bpf_object__find_map_fd_by_name(a->object, "rows"), hear, &a->heard, NULL);
    if (!a->ring) return failed("No ring of rows", errno);
    const struct bpf_map *soonest = bpf_object__find_map_by_name(a->object, "soonest");
    if (policy && !soonest) return puts("The policy needs libbpf 1.2 or later."), 1;
    a->link[0] = policy ? bpf_map__attach_struct_ops(soonest)
                        : bpf_program__attach(bpf_object__find_program_by_name(a->object, "on_switch"));
    if (!a->link[0]) return failed("The program cannot be attached", errno);
    a->link[1] = bpf_program__attach(bpf_object__find_program_by_name(a->object, "on_exit"));
    return a->link[1] ? 0 : failed("The program cannot be attached to exits", errno);
}

/* Receives rows for this many seconds. Returns 0 when interrupted. */
static int listen(app *a, double seconds) {
    const struct timespec nap = {0, 20000000};
    struct timespec from, now;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        nanosleep(&nap, NULL);
        ring_buffer__consume(a->ring);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!stopped &&
             (double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) * 1e-9 < seconds);
    return !stopped;
}

/* Puts a new map with the model into the map that the program reads: one update, after which no program
   reads the old one. */
static int publish(const app *a, const sooth_integers *model) {
    const __u32 zero = 0;
    const int models = bpf_object__find_map_fd_by_name(a->object, "models");
    if (model->head.size > TASKS_MODEL_BYTES)
        return printf("The model takes %u bytes, more than the map's %d.\n", (unsigned)model->head.size,
                      TASKS_MODEL_BYTES),
               1;
    void *value = calloc(1, TASKS_MODEL_BYTES);
    const int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "model", 4, TASKS_MODEL_BYTES, 1, NULL);
    int error = !value ? -ENOMEM : map < 0 ? map : 0;
    if (!error) {
        memcpy(value, model, model->head.size);
        error = bpf_map_update_elem(map, &zero, value, 0);
    }
    if (!error) error = bpf_map_update_elem(models, &zero, &map, 0);
    if (map >= 0) close(map);
    free(value);
    return error ? failed("The model cannot be published", error) : 0;
}

/* ---- learning ---- */

static double log2_of(__u64 burst) { return log2(burst ? (double)burst : 1.0); }

/* The logarithm that tasks_log2 meant. */
static double log2_meant(double fixed) {
    const double whole = floor(fixed / 1024);
    return whole + log2(1 + fixed / 1024 - whole);
}

/* A row's task is identified by its name. At most MOST_OF_ONE rows of each are used, the latest. So a task
   that sleeps ten thousand times a second does not swamp the others. Returns the number of chosen rows. */
static size_t choose_rows(const bursts *b, uint32_t *chosen) {
    uint16_t *taken = calloc((size_t)1 << 24, sizeof *taken);
    size_t n = 0;
    for (size_t i = b->count; taken && i-- > 0 && n < MOST_TRAINED;) {
        uint16_t *of_one = &taken[b->row[i].x[TASKS_NAME] & 0xFFFFFF];
        if (*of_one < MOST_OF_ONE) ++*of_one, chosen[n++] = (uint32_t)i;
    }
    free(taken);
    return n;
}

/* The chosen rows as a table, in the order of time. Groups are names of tasks. */
static int tabulate(const bursts *b, sooth_table *table) {
    uint32_t *chosen = malloc((MOST_TRAINED + 1) * sizeof *chosen);
    const size_t rows = chosen ? choose_rows(b, chosen) : 0;
    float *x = malloc((rows + 1) * (TASKS_FEATURES + 1) * sizeof *x);
    uint32_t *group = malloc((rows + 1) * sizeof *group);
    if (!rows || !x || !group) return free(x), free(group), free(chosen), 0;
    for (size_t i = 0; i < rows; ++i) {
        const struct tasks_row *row = &b->row[chosen[rows - 1 - i]];
        for (int j = 0; j < TASKS_FEATURES; ++j) x[i * TASKS_FEATURES + (size_t)j] = (float)row->x[j];
        x[rows * TASKS_FEATURES + i] = (float)(log2_of(row->burst) - (double)row->x[TASKS_MIDDLE] / 1024);
        group[i] = (uint32_t)row->x[TASKS_NAME];
    }
    free(chosen);
    *table = sooth_table_of(x, x + rows * TASKS_FEATURES, rows, TASKS_FEATURES);
    table->group = group;
    return 1;
}

/* Predictions without a model, from a row's features: log2 of nanoseconds. */
enum { LAST, MEAN, MIDDLE, CONSTANT, BASELINES };
static const char *const baseline_name[] = {"the last burst", "the mean of the last (half the newest)",
                                            "the median of the last four", "the median of all"};

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *v, size_t n) {
    if (!n) return NAN;
    qsort(v, n, sizeof *v, by_size);
    return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

static double baseline(int which, const double *x, double constant) {
    switch (which) {
    case LAST: return log2_meant(x[TASKS_LAST] + x[TASKS_MIDDLE]);
    case MEAN: return log2_meant(x[TASKS_MEAN] + x[TASKS_MIDDLE]);
    case MIDDLE: return log2_meant(x[TASKS_MIDDLE]);
    default: return constant;
    }
}

/* Candidates: with all features, or only with those that do not identify the task. They have a fixed
   number of trees, or as many as help on held-out names, maybe hardly one. Absolute loss: the fitted value
   is the median of the logarithm, which the tables count. */
enum { CANDIDATES = 4 };
static const char *const candidate_name[] = {"trees, all features", "trees, features of any task",
                                             "the same while unseen tasks gain, all",
                                             "the same while they gain, any task"};
static const sooth_boost_options *candidate(int k, sooth_table *table) {
    static sooth_boost_options options;
    memset(&options, 0, sizeof options);
    options.n_estimators = 40;
    options.min_samples_leaf = 20;
    options.learning_rate = 0.2;
    options.subsample = 1.0; /* few trees, for the kernel, need every row */
    options.loss = SOOTH_BOOST_ABSOLUTE;
    options.has_base_score = 1; /* 0: the median of the last four */
    options.patience = k < 2 ? 0 : 5;
    if (k & 1) table->cols = TASKS_ANY;
    return &options;
}

/* log2 of row i's burst. */
static double target_of(const sooth_table *t, size_t i) {
    return (double)t->y[i] + (double)t->x[i * t->stride + TASKS_MIDDLE] / 1024;
}

/* Adds to off[] the sums of |log2 error| over a fold's test rows: the baselines, then the candidates. */
static sooth_status try_fold(app *a, const sooth_table *table, const sooth_split_fold *fold, double *off,
                             size_t *tested) {
    sooth_table train, test;
    sooth_status status = sooth_split_take(&a->env, table, fold, &train, &test);
    if (status != SOOTH_OK) return status;
    double *y = malloc(train.rows * sizeof *y);
    for (size_t i = 0; y && i < train.rows; ++i) y[i] = target_of(&train, i);
    const double constant = y ? median(y, train.rows) : 0;
    free(y);
    for (size_t i = 0; i < test.rows; ++i) {
        double x[TASKS_FEATURES];
        for (int j = 0; j < TASKS_FEATURES; ++j) x[j] = test.x[i * test.stride + (size_t)j];
        for (int k = 0; k < BASELINES; ++k) off[k] += fabs(baseline(k, x, constant) - target_of(&test, i));
    }
    for (int k = 0; k < CANDIDATES && status == SOOTH_OK && !stopped; ++k) {
        sooth_table view = train;
        sooth_boost *boost;
        status = sooth_boost_fit(&a->env, &view, candidate(k, &view), &boost);
        for (size_t i = 0; status == SOOTH_OK && i < test.rows; ++i)
            off[BASELINES + k] +=
                fabs((double)sooth_boost_predict(boost, test.x + i * test.stride) - test.y[i]);
        if (status == SOOTH_OK) sooth_boost_free(&a->env, boost);
    }
    *tested += test.rows;
    sooth_table_free(&a->env, &train);
    sooth_table_free(&a->env, &test);
    return status;
}

/* Tries all on the last third of the time (fitted to the time before), and on names left out. */
static sooth_status validate(app *a, const sooth_table *table, double off[2][BASELINES + CANDIDATES]) {
    memset(off, 0, 2 * sizeof *off);
    for (int way = 0; way < 2; ++way) {
        sooth_split_options options = {0};
        sooth_split split;
        size_t tested = 0;
        options.method = way ? SOOTH_SPLIT_GROUP_KFOLD : SOOTH_SPLIT_TIME;
        options.folds = way ? 3 : 2;
        sooth_status status = sooth_split_make(&a->env, table, &options, &split);
        for (size_t f = way ? 0 : 1; status == SOOTH_OK && f < split.folds; ++f)
            status = try_fold(a, table, &split.fold[f], off[way], &tested);
        for (int k = 0; k < BASELINES + CANDIDATES; ++k) off[way][k] /= (double)tested;
        sooth_split_free(&a->env, &split);
        if (status != SOOTH_OK) return status;
    }
    return SOOTH_OK;
}

/* Fits the gathered rows. NULL after an error message. */
static sooth_integers *learn(app *a) {
    double off[2][BASELINES + CANDIDATES];
    sooth_integers *whole = NULL;
    sooth_boost *boost = NULL;
    sooth_table table;
    int best = 0;
    if (a->heard.count < 300)
        return printf("Only %zu bursts: too few to learn from. --gather more seconds.\n", a->heard.count),
               NULL;
    if (!tabulate(&a->heard, &table)) return puts("Out of memory for the rows."), NULL;
    sooth_status status = validate(a, &table, off);
    if (status == SOOTH_OK && !stopped) {
        printf("  learned from %zu, at most %d of a name\n"
               "\n  off by a factor of (geometric mean)      a later period   tasks never seen\n",
               table.rows, MOST_OF_ONE);
        for (int k = 0; k < BASELINES + CANDIDATES; ++k)
            printf("  %-38s %16.2f %18.2f\n",
                   k < BASELINES ? baseline_name[k] : candidate_name[k - BASELINES], exp2(off[0][k]),
                   exp2(off[1][k]));
        for (int k = BASELINES + 1; k < BASELINES + CANDIDATES; ++k)
            if (off[0][k] + off[1][k] < off[0][BASELINES + best] + off[1][BASELINES + best])
                best = k - BASELINES;
        sooth_table view = table;
        status = sooth_boost_fit(&a->env, &view, candidate(best, &view), &boost);
    }
    if (status == SOOTH_OK && !stopped)
        status = sooth_integers_convert(&a->env, sooth_model_from_block(&boost->head), NULL, &whole);
    if (whole)
        printf("  chosen by both: %s\n"
               "  in integers: %u trees, %u nodes, %u bytes; off from the floats by at most %.2g\n",
               candidate_name[best], whole->trees, whole->nodes, (unsigned)whole->head.size,
               (double)sooth_integers_targets(whole)->error);
    else if (!stopped) printf("Nothing was learned: %s\n", a->env.sentence);
    sooth_boost_free(&a->env, boost);
    free((void *)(uintptr_t)table.x);
    free((void *)(uintptr_t)table.group);
    return whole;
}

/* ---- the kernel's predictions ---- */

typedef struct score {
    double log, near, micro, pairs, ordered;
    size_t rows;
} score;

static void count_row(score *s, double log_predicted, double log_measured) {
    const double error = fabs(log_predicted - log_measured);
    s->log += error;
    s->near += error <= 1;
    s->micro += fabs(exp2(log_predicted) - exp2(log_measured)) / 1000;
    ++s->rows;
}
static void count_pair(score *s, const double *predicted, const double *measured) {
    const double said = predicted[1] - predicted[0], was = measured[1] - measured[0];
    s->pairs += was > 0 || was < 0;
    if (was > 0 || was < 0) s->ordered += said * was > 0 ? 1 : said * was < 0 ? 0 : 0.5;
}

/* log2 of nanoseconds by which = 0: the kernel, 1 and up: baselines. */
static double told(const sooth_integers *model, const struct tasks_row *row, int which, double constant) {
    double x[TASKS_FEATURES];
    if (which == 0)
        return (double)sooth_integers_value(model, 0, row->sum) + (double)row->x[TASKS_MIDDLE] / 1024;
    for (int j = 0; j < TASKS_FEATURES; ++j) x[j] = (double)row->x[j];
    return baseline(which - 1, x, constant);
}

/* Whether the kernel's sum is that of the same row here. */
static int same_bits(const sooth_integers *model, const struct tasks_row *row) {
    int32_t key[TASKS_FEATURES];
    int64_t sum;
    for (uint32_t j = 0; j < model->head.features; ++j)
        key[j] = sooth_integers_key_from_integer(model, j, row->x[j]);
    sooth_integers_sum(model, key, &sum);
    return sum == row->sum;
}

/* The pattern of the workload that a row is of; WORKLOADS: none. */
static uint32_t pattern_of(const struct tasks_row *row) {
    uint32_t k = 0;
    while (k < WORKLOADS && strcmp(row->name, workloads[k].name) != 0) ++k;
    return k;
}

static void tell_tasks(const sooth_integers *model, const bursts *b) {
    static const int shown[] = {0, 1 + LAST, 1 + MIDDLE};
    puts("\n  off by a factor of, by task   bursts   median, us   the kernel   last burst   median of four");
    for (uint32_t pattern = 0; pattern <= WORKLOADS; ++pattern) {
        double *size = malloc((b->count + 1) * sizeof *size);
        score s[3] = {0};
        for (size_t i = 0; size && i < b->count; ++i) {
            if (pattern_of(&b->row[i]) != pattern) continue;
            size[s[0].rows] = (double)b->row[i].burst / 1000;
            for (int k = 0; k < 3; ++k)
                count_row(&s[k], told(model, &b->row[i], shown[k], 0), log2_of(b->row[i].burst));
        }
        const double rows = (double)s[0].rows;
        if (s[0].rows)
            printf("  %-26s %9zu %12.0f %12.2f %12.2f %16.2f\n",
                   pattern < WORKLOADS ? workloads[pattern].name : "all that is not ours", s[0].rows,
                   median(size, s[0].rows), exp2(s[0].log / rows), exp2(s[1].log / rows),
                   exp2(s[2].log / rows));
        free(size);
    }
}

static void draw(const app *a, const sooth_integers *model, const bursts *b) {
    const char *names[WORKLOADS + 1];
    double *xy = malloc(2 * MOST_DRAWN * sizeof *xy);
    uint32_t *series = malloc(MOST_DRAWN * sizeof *series);
    svg_points chart;
    picture p;
    memset(&chart, 0, sizeof chart);
    chart.count = b->count < MOST_DRAWN ? b->count : MOST_DRAWN;
    for (size_t i = 0; xy && series && i < chart.count; ++i) {
        const struct tasks_row *row = &b->row[i * b->count / chart.count];
        xy[i] = exp2(log2_of(row->burst)) / 1000;
        xy[MOST_DRAWN + i] = exp2(told(model, row, 0, 0)) / 1000;
        series[i] = pattern_of(row);
    }
    for (int k = 0; k <= WORKLOADS; ++k) names[k] = k < WORKLOADS ? workloads[k].name : "all others";
    chart.frame.title = "Bursts of tasks, predicted in the kernel as they began";
    chart.x = xy;
    chart.y = xy + MOST_DRAWN;
    chart.series = series;
    chart.series_names = names;
    chart.series_count = WORKLOADS + 1;
    chart.x_title = "measured, microseconds";
    chart.y_title = "predicted, microseconds";
    chart.logarithmic = 1;
    chart.diagonal = 1;
    if (xy && series && picture_open(&p, a->out, "bursts.svg")) {
        svg_scatter(&p.sink, &chart);
        picture_close(&p);
    }
    free(series);
    free(xy);
}

/* Prints the results of the kernel's predictions. Returns 1 if a sum is not ours. `constant`: the median
   of the training rows. */
static int tell(const app *a, const sooth_integers *model, double constant) {
    bursts b = a->heard;
    score s[1 + BASELINES] = {0};
    size_t kept = 0, same = 0;
    double farthest = 0;
    double *took = malloc((b.count + 1) * sizeof *took);
    for (size_t i = 0; i < b.count; ++i)
        if (b.row[i].predicted) b.row[kept++] = b.row[i];
    b.count = kept;
    if (!took || !kept) return free(took), puts("No burst was predicted."), 1;
    for (size_t i = 0; i < kept; ++i) {
        const double measured[2] = {log2_of(b.row[i ? i - 1 : 0].burst), log2_of(b.row[i].burst)};
        took[i] = b.row[i].took;
        same += (size_t)same_bits(model, &b.row[i]);
        farthest =
            fmax(farthest,
                 fabs((double)tasks_predicted(&b.row[i]) / exp2(told(model, &b.row[i], 0, constant)) - 1));
        for (int k = 0; k <= BASELINES; ++k) {
            const double said[2] = {told(model, &b.row[i ? i - 1 : 0], k, constant),
                                    told(model, &b.row[i], k, constant)};
            count_row(&s[k], said[1], measured[1]);
            if (i && b.row[i].pid != b.row[i - 1].pid) count_pair(&s[k], said, measured);
        }
    }
    printf("\n  of %zu bursts                         off by a factor   within 2 x   mean us   in order\n",
           kept);
    for (int k = 0; k <= BASELINES; ++k)
        printf("  %-38s %14.2f %10.1f %% %9.0f %8.1f %%\n",
               k ? baseline_name[k - 1] : "predicted in the kernel", exp2(s[k].log / (double)kept),
               100 * s[k].near / (double)kept, s[k].micro / (double)kept,
               100 * s[k].ordered / (s[k].pairs > 0 ? s[k].pairs : 1));
    tell_tasks(model, &b);
    const double half = median(took, kept);
    printf("\n  a prediction took %.0f ns (median; %.0f to %.0f for the middle 80 %%), keys and clock "
           "included\n",
           half, took[kept / 10], took[kept - 1 - kept / 10]);
    printf(
        "  in whole nanoseconds, as a scheduler has it without a float, off from that by at most %.1f %%\n",
        100 * farthest);
    draw(a, model, &b);
    printf("  %s bits: %zu of %zu sums of the kernel are the host's\n", same == kept ? "same" : "OTHER", same,
           kept);
    free(took);
    return same != kept || farthest > 0.07; /* 6.2 %, and a nanosecond */
}

/* ---- the whole ---- */

static double median_of_rows(const bursts *b) {
    double *y = malloc((b->count + 1) * sizeof *y);
    for (size_t i = 0; y && i < b->count; ++i) y[i] = log2_of(b->row[i].burst);
    const double m = y ? median(y, b->count) : 0;
    free(y);
    return m;
}

static void tell_lost(app *a) {
    const __u32 zero = 0;
    __u64 lost[2] = {0};
    struct bpf_map *map = bpf_object__find_map_by_name(a->object, ".bss");
    if (map && bpf_map__value_size(map) == sizeof lost) bpf_map_lookup_elem(bpf_map__fd(map), &zero, lost);
    if (lost[0] + lost[1] + a->heard.left_out)
        printf("  lost to full buffers: %llu rows and %llu tasks, %zu rows here\n",
               (unsigned long long)lost[0], (unsigned long long)lost[1], a->heard.left_out);
}

static int run(app *a) {
    sooth_integers *model = NULL;
    int error = look_around(a);
    if (!error) error = attach(a, 0);
    if (error) return error;
    if (!a->alone && workload_start() < WORKLOADS)
        printf("Some of the workload's tasks cannot be started: %s\n", strerror(errno));
    printf("gathering for %g s%s\n", a->gather, a->alone ? "" : ", with a workload of our own");
    fflush(stdout);
    if (listen(a, a->gather)) {
        printf("  %zu bursts\n", a->heard.count);
        model = learn(a);
    }
    if (!model) return !stopped;
    const double constant = median_of_rows(&a->heard);
    if (a->policy) {
        detach(a);
        error = attach(a, 1);
    }
    if (!error) error = publish(a, model);
    if (!error && !stopped) {
        ring_buffer__consume(a->ring); /* rows that arrived during the fit */
        a->heard.count = 0;
        printf("predicting for %g s inside the kernel%s\n", a->predict,
               a->policy ? ", and the shortest predicted burst runs first" : "");
        fflush(stdout);
        if (listen(a, a->predict)) error = tell(a, model, constant);
        tell_lost(a);
    }
    sooth_integers_free(&a->env, model);
    return error;
}

static int usage(void) {
    puts("usage: kernel [--gather SECONDS] [--predict SECONDS] [--out FOLDER] [--alone] [--policy]");
    return 2;
}

int main(int count, char **words) {
    app a;
    memset(&a, 0, sizeof a);
    a.gather = a.predict = 10;
    a.out = ".";
    sooth_env_init(&a.env);
    for (int k = 1; k < count; ++k) {
        char *end = NULL;
        const char *value = k + 1 < count ? words[k + 1] : "";
        double *seconds = strcmp(words[k], "--gather") == 0    ? &a.gather
                          : strcmp(words[k], "--predict") == 0 ? &a.predict
                                                               : NULL;
        if (strcmp(words[k], "--alone") == 0) a.alone = 1;
        else if (strcmp(words[k], "--policy") == 0) a.policy = 1;
        else if (strcmp(words[k], "--out") == 0 && *value) a.out = value, ++k;
        else if (seconds && (*seconds = strtod(value, &end)) > 0 && *seconds < 86400 && !*end) ++k;
        else return usage();
    }
    const ssize_t length = readlink("/proc/self/exe", a.folder, sizeof a.folder - 1);
    if (length > 0 && strrchr(a.folder, '/')) *strrchr(a.folder, '/') = 0;
    const struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    libbpf_set_print(quiet);
    const int error = run(&a);
    workload_end();
    detach(&a);
    free(a.heard.row);
    if (stopped) return puts("interrupted; all programs are detached"), 130;
    return error;
}
