/* language.c - learns the tables of gpu_time/language.h, and prints their errors on each GPU left out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_language FOLDER [CLASS] [-o include/sooth/gpu_time]
 *
 * FOLDER holds measured operators of language models (AIConfigurator, Apache License 2.0): gemm.csv,
 * prefill.csv, decode.csv, moe.csv, mla-prefill.csv, mla-decode.csv with the columns gpu, dtype, ms and the
 * sizes that examples/gpu/data/llm_operators/README.md describes.
 *
 * For each class: the law's numbers for each data type by Nelder and Mead's method, on the mean of
 * |log(law / measured)|, every GPU with the same weight. Then sets of symmetric boosted trees (boost.h,
 * absolute error) on log(measured / law): one of all GPUs, one of each kind. A GPU is judged by tables that
 * were learned without it, laws included. A learned GPU is judged by sets learned from every other row. The
 * widths of intervals are the 90th percentiles of those errors. For trust a table has the ranges of the sizes
 * of each set's rows, and their pairs of head_dim and window. The last line of a GPU is the shipped table's
 * error on these rows.
 */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"
#include "language_rows.h"

enum { GPUS = 5, SETS = SOOTH_GPU_LANGUAGE_SETS, DEPTH = 5, ROOM = 1200, CLASSES = 6, LAW_ROWS = 100 };

#define FEATURES SOOTH_GPU_LANGUAGE_FEATURES

static const char *const gpu_name[GPUS] = {"a100-80gb-sxm", "h100", "h200", "l40s", "b200"};
static const uint32_t set_of[GPUS] = {1, 2, 2, 3, 4};

/* A class of operators: how it is learned. rounds: of the pooled set, and of the others. share: how much of
   the pooled trees counts; on a GPU that was left out, the law alone is better than all of them in half of
   the classes. device: which features of a device they see, a bit for each: five GPUs tell apart few. */
typedef struct class_of_operators {
    const char *name, *accessor;
    const sooth_gpu_language *(*shipped_fn)(void);
    uint32_t kind;
    unsigned rounds[2];
    double share;
    unsigned device;
    double floor, start, second, extra;
} class_of_operators;

static const class_of_operators classes[CLASSES] = {{"gemm",
                                                     "gemm",
                                                     sooth_gpu_language_gemm,
                                                     SOOTH_OPERATOR_GEMM,
                                                     {200, 120},
                                                     0.7,
                                                     17,
                                                     0.0025,
                                                     1.0,
                                                     0.95,
                                                     100},
                                                    {"prefill",
                                                     "prefill",
                                                     sooth_gpu_language_prefill,
                                                     SOOTH_OPERATOR_PREFILL,
                                                     {140, 90},
                                                     0.5,
                                                     63,
                                                     0.008,
                                                     5e-4,
                                                     0.3,
                                                     1},
                                                    {"decode",
                                                     "decode",
                                                     sooth_gpu_language_decode,
                                                     SOOTH_OPERATOR_DECODE,
                                                     {140, 90},
                                                     0.5,
                                                     63,
                                                     0.006,
                                                     5e-4,
                                                     0.3,
                                                     1},
                                                    {"moe",
                                                     "moe",
                                                     sooth_gpu_language_moe,
                                                     SOOTH_OPERATOR_EXPERTS,
                                                     {180, 180},
                                                     1.0,
                                                     17,
                                                     0.025,
                                                     1.0,
                                                     0.95,
                                                     1e-4},
                                                    {"mla-prefill",
                                                     "mla_prefill",
                                                     sooth_gpu_language_mla_prefill,
                                                     SOOTH_OPERATOR_MLA_PREFILL,
                                                     {60, 40},
                                                     0.5,
                                                     63,
                                                     0.01,
                                                     5e-4,
                                                     0.3,
                                                     1},
                                                    {"mla-decode",
                                                     "mla_decode",
                                                     sooth_gpu_language_mla_decode,
                                                     SOOTH_OPERATOR_MLA_DECODE,
                                                     {80, 60},
                                                     1.0,
                                                     63,
                                                     0.01,
                                                     5e-4,
                                                     0.3,
                                                     1}};

/* A measured operator. */
typedef struct row {
    sooth_operator op;
    double ms;
    unsigned gpu;
} row;

/* A table with room for its trees, as gpu_time/language.h lays it out. */
typedef struct table {
    sooth_gpu_language learned;
    int16_t leaf[ROOM << DEPTH], threshold[ROOM * DEPTH];
    uint8_t feature[ROOM * DEPTH];
} table;

typedef struct study {
    sooth_env env;
    sooth_gpu gpu[GPUS];
    sooth_gpu_language_device device[GPUS];
    const class_of_operators *of;
    row *row;
    size_t rows;
    FILE *report;                       /* NULL: silent */
    double median[GPUS], covered[GPUS]; /* per cent, of each GPU left out */
} study;

static void die(const char *what) {
    fprintf(stderr, "gpu_language: %s\n", what);
    exit(1);
}

static void *room_for(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) die("no memory");
    return p;
}

/* ---- the files ---- */

/* Reads the rows of a class; returns 0 if the file is not there. */
static int read_class(study *s, const char *folder) {
    char path[600];
    sooth_csv csv;
    snprintf(path, sizeof path, "%s/%s.csv", folder, s->of->name);
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    const size_t room = 1u << 22;
    char *bytes = (char *)room_for(room, 1);
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    if (sooth_csv_read(&s->env, bytes, size, NULL, &csv) != SOOTH_OK) die(s->env.sentence);
    free(bytes);
    s->row = (row *)room_for(csv.rows, sizeof *s->row);
    s->rows = 0;
    for (size_t i = 0; i < csv.rows; ++i) {
        row *r = &s->row[s->rows];
        unsigned g = 0;
        while (g < GPUS && strcmp(gpu_name[g], text_at(&csv, i, "gpu")) != 0) ++g;
        if (!operator_at(&csv, i, s->of->kind, &r->op)) die("a dtype is not known");
        r->ms = number_at(&csv, i, "ms");
        r->gpu = g;
        if (g < GPUS && r->op.dtype < SOOTH_TYPES && r->ms > 0.0) ++s->rows;
    }
    sooth_csv_free(&s->env, &csv);
    return 1;
}

/* ---- the law ---- */

typedef struct law_fit {
    const study *s;
    table *t;
    uint32_t type;
    const row *row[LAW_ROWS * GPUS];
    double weight[LAW_ROWS * GPUS];
    size_t rows;
    double least[SOOTH_GPU_LANGUAGE_PARAMETERS], most[SOOTH_GPU_LANGUAGE_PARAMETERS];
} law_fit;

enum { P = SOOTH_GPU_LANGUAGE_PARAMETERS };

/* The loss at logarithms of the parameters. Those outside their range cost, and count as its end. */
static double law_loss(law_fit *f, const double *x) {
    float *p = f->t->learned.law[f->type];
    double sum = 0.0;
    for (unsigned i = 0; i < P; ++i) {
        const double v = fmin(fmax(x[i], log(f->least[i])), log(f->most[i]));
        sum += fabs(v - x[i]);
        p[i] = (float)exp(v);
    }
    for (size_t i = 0; i < f->rows; ++i) {
        int16_t unused[FEATURES];
        double law;
        const row *r = f->row[i];
        if (sooth_gpu_language_row(NULL, &f->s->device[r->gpu], &f->t->learned, &r->op, unused, &law) !=
            SOOTH_OK)
            continue;
        sum += f->weight[i] * fabs(log(law / r->ms));
    }
    return sum;
}

/* Nelder and Mead (Computer Journal 7, 1965): reflection, expansion, contraction, shrinking. x is improved.
   */
static void minimise(law_fit *f, double *x, unsigned steps) {
    double point[P + 1][P], loss[P + 1];
    for (unsigned i = 0; i <= P; ++i) {
        memcpy(point[i], x, sizeof point[i]);
        if (i < P) point[i][i] += x[i] > log(0.7 * f->most[i]) ? -0.4 : 0.4;
        loss[i] = law_loss(f, point[i]);
    }
    for (unsigned step = 0; step < steps; ++step) {
        unsigned best = 0, worst = 0;
        double centre[P] = {0}, tried[P];
        for (unsigned i = 1; i <= P; ++i) {
            if (loss[i] < loss[best]) best = i;
            if (loss[i] >= loss[worst]) worst = i;
        }
        double second = loss[best];
        for (unsigned i = 0; i <= P; ++i) {
            if (i == worst) continue;
            if (loss[i] > second) second = loss[i];
            for (unsigned j = 0; j < P; ++j) centre[j] += point[i][j] / P;
        }
        static const double factor[3] = {-1.0, -2.0, 0.5};
        double at = 0.0;
        unsigned move = 0;
        for (; move < 3; ++move) {
            for (unsigned j = 0; j < P; ++j)
                tried[j] = centre[j] + factor[move] * (point[worst][j] - centre[j]);
            at = law_loss(f, tried);
            if (move == 0 && at >= second) ++move; /* straight to the contraction */
            else if (move == 0 && at >= loss[best]) break;
            else if (at < loss[worst]) {
                memcpy(point[worst], tried, sizeof tried);
                loss[worst] = at;
                if (move) break;
            } else if (move == 1) break;
        }
        if (move == 0) {
            memcpy(point[worst], tried, sizeof tried);
            loss[worst] = at;
        }
        if (move < 3) continue;
        for (unsigned i = 0; i <= P; ++i) {
            if (i == best) continue;
            for (unsigned j = 0; j < P; ++j) point[i][j] = 0.5 * (point[i][j] + point[best][j]);
            loss[i] = law_loss(f, point[i]);
        }
    }
    unsigned best = 0;
    for (unsigned i = 1; i <= P; ++i)
        if (loss[i] < loss[best]) best = i;
    memcpy(x, point[best], sizeof point[best]);
    law_loss(f, x);
}

/* Fits the law of a data type without a GPU (GPUS: with all). */
static void fit_law(const study *s, table *t, uint32_t type, unsigned left_out) {
    static law_fit f;
    const class_of_operators *c = s->of;
    const int products = c->kind == SOOTH_OPERATOR_GEMM || c->kind == SOOTH_OPERATOR_EXPERTS;
    const double from[P] = {c->floor, c->start, 0.8, 0.85, c->second, 0.8, 0.4, 0.6, c->extra};
    const double least[P] = {0.1 * c->floor, 0.02 * c->start, 0.05, 0.05, 0.02, 0.2, 0.01,
                             0.05,           0.01 * c->extra};
    const double most[P] = {5 * c->floor, 20 * c->start, 1, 1, products ? 1 : 4, 1, 1, 1, 20 * c->extra};
    double x[P];
    memset(&f, 0, sizeof f);
    f.s = s;
    f.t = t;
    f.type = type;
    memcpy(f.least, least, sizeof least);
    memcpy(f.most, most, sizeof most);
    for (unsigned g = 0; g < GPUS; ++g) {
        size_t all = 0, seen = 0, first = f.rows;
        for (size_t i = 0; i < s->rows; ++i) all += s->row[i].gpu == g && s->row[i].op.dtype == type;
        for (size_t i = 0; i < s->rows && g != left_out; ++i) {
            if (s->row[i].gpu != g || s->row[i].op.dtype != type) continue;
            if (all <= LAW_ROWS || seen * LAW_ROWS / all != (seen + 1) * LAW_ROWS / all)
                f.row[f.rows++] = &s->row[i];
            ++seen;
        }
        for (size_t i = first; i < f.rows; ++i) f.weight[i] = 1.0 / (double)(f.rows - first);
    }
    if (!f.rows) return;
    for (unsigned i = 0; i < P; ++i) x[i] = log(from[i]);
    for (unsigned again = 0; again < 3; ++again) minimise(&f, x, 150);
    for (unsigned i = 0; i < P; ++i) { /* as it is printed */
        char text[32];
        snprintf(text, sizeof text, "%.4g", (double)t->learned.law[type][i]);
        t->learned.law[type][i] = strtof(text, NULL);
    }
}

/* ---- trees ---- */

/* Sets the tests of the levels below a node. */
static void collect(const sooth_tree_node *node, uint32_t shift, uint32_t level, uint8_t *feature,
                    int16_t *threshold) {
    if (!(node->link & 1u)) return;
    const sooth_tree_node *left = node + (node->link >> shift);
    feature[level] = (uint8_t)((node->link & ((1u << shift) - 1u)) >> 2);
    threshold[level] = (int16_t)floor((double)node->u.threshold);
    collect(left, shift, level + 1, feature, threshold);
    collect(left + 1, shift, level + 1, feature, threshold);
}

/* Appends a share of the trees of a model (see tree/ensemble.h for its block) to a table, as the next set. */
static void append(table *t, uint32_t set, const sooth_boost *model, double share) {
    const sooth_tree_node *node = (const sooth_tree_node *)(const void *)(model + 1);
    const uint32_t *start = (const uint32_t *)(const void *)(node + model->nodes);
    float base;
    memcpy(&base, start + model->trees + 1, sizeof base);
    t->learned.base[set] = (float)(share * base);
    t->learned.first[set + 1] = t->learned.first[set];
    for (uint32_t k = 0; k < model->trees; ++k) {
        const uint32_t i = t->learned.first[set + 1]++;
        if (i >= ROOM) die("more trees than expected");
        for (uint32_t d = 0; d < DEPTH; ++d) {
            t->feature[i * DEPTH + d] = 0;
            t->threshold[i * DEPTH + d] = 32767; /* never above */
        }
        collect(node + start[k], model->shift, 0, t->feature + i * DEPTH, t->threshold + i * DEPTH);
        for (uint32_t leaf = 0; leaf < 1u << DEPTH; ++leaf) {
            const sooth_tree_node *at = node + start[k];
            for (uint32_t d = 0; at->link & 1u; ++d) at += (at->link >> model->shift) + (leaf >> d & 1u);
            const double v = floor(8192.0 * share * (double)at->u.value + 0.5);
            t->leaf[(size_t)i << DEPTH | leaf] = (int16_t)fmin(fmax(v, -32767), 32767);
        }
    }
}

/* Learns a set of trees from the rows for which of() holds. */
typedef int (*row_filter)(const study *s, size_t i, uint32_t set, unsigned left_out);

static int is_of_set(const study *s, size_t i, uint32_t set, unsigned left_out) {
    const unsigned g = s->row[i].gpu;
    return g != left_out && (set == 0 || set_of[g] == set);
}

static int is_every_other(const study *s, size_t i, uint32_t set, unsigned left_out) {
    return is_of_set(s, i, set, left_out) && i % 2 == 0;
}

static void fit_set(study *s, table *t, uint32_t set, unsigned left_out, row_filter of) {
    size_t count[GPUS] = {0}, n = 0;
    const size_t cols = set ? FEATURES - SOOTH_GPU_LANGUAGE_DEVICE : FEATURES;
    for (size_t i = 0; i < s->rows; ++i)
        if (of(s, i, set, left_out)) ++count[s->row[i].gpu], ++n;
    t->learned.first[set + 1] = t->learned.first[set];
    if (!n) return;
    float *x = (float *)room_for(n * cols, sizeof *x), *y = (float *)room_for(n, sizeof *y),
          *weight = (float *)room_for(n, sizeof *weight);
    size_t k = 0;
    for (size_t i = 0; i < s->rows; ++i) {
        const row *r = &s->row[i];
        int16_t features[FEATURES];
        double law;
        if (!of(s, i, set, left_out)) continue;
        if (sooth_gpu_language_row(&s->env, &s->device[r->gpu], &t->learned, &r->op, features, &law) !=
            SOOTH_OK)
            die(s->env.sentence);
        for (size_t j = 0; j < cols; ++j) x[k * cols + j] = (float)features[j];
        for (size_t j = FEATURES - SOOTH_GPU_LANGUAGE_DEVICE; j < cols; ++j)
            if (!(s->of->device >> (j + SOOTH_GPU_LANGUAGE_DEVICE - FEATURES) & 1u)) x[k * cols + j] = 0.0f;
        y[k] = (float)log(r->ms / law);
        weight[k++] = (float)((double)n / (double)count[r->gpu] / GPUS);
    }
    sooth_table rows = sooth_table_of(x, y, n, cols);
    rows.weight = weight;
    sooth_boost_options o;
    sooth_boost *model;
    memset(&o, 0, sizeof o);
    o.n_estimators = s->of->rounds[set != 0];
    o.loss = SOOTH_BOOST_ABSOLUTE;
    o.grow_policy = SOOTH_BOOST_SYMMETRIC;
    o.max_depth = DEPTH;
    o.min_samples_leaf = 5;
    o.learning_rate = 0.12;
    o.subsample = 1.0;
    o.no_cover = o.no_table = 1;
    if (sooth_boost_fit(&s->env, &rows, &o, &model) != SOOTH_OK) die(s->env.sentence);
    append(t, set, model, set ? 1.0 : s->of->share);
    sooth_boost_free(&s->env, model);
    free(x);
    free(y);
    free(weight);
}

/* ---- tables ---- */

/* Widens the ranges of a set by an operator, and lists its width of heads and its window. */
static void widen(study *s, sooth_gpu_language *l, uint32_t set, const sooth_operator *op) {
    double size[SOOTH_GPU_LANGUAGE_SIZES];
    if (sooth_gpu_language_sizes(&s->env, op, size) != SOOTH_OK) die(s->env.sentence);
    const int first = !(l->most[set][SOOTH_GPU_LANGUAGE_SIZES - 1] > 0.0f);
    for (unsigned i = 0; i < SOOTH_GPU_LANGUAGE_SIZES; ++i) {
        const float v = (float)size[i];
        if (first || v < l->least[set][i]) l->least[set][i] = v;
        if (first || v > l->most[set][i]) l->most[set][i] = v;
        if (i + 2 >= SOOTH_GPU_LANGUAGE_SIZES || l->step[i] == 1) continue;
        unsigned step = l->step[i] ? l->step[i] : 16;
        while (fmod(size[i], step) > 0) step /= 2;
        l->step[i] = step;
    }
    for (unsigned i = 0; op->head_dim > 0; ++i) {
        uint32_t *form = l->form[set][i];
        if (i == SOOTH_GPU_LANGUAGE_FORMS) die("more widths of heads and windows than a table has room for");
        if (form[0] && (form[0] != op->head_dim || form[1] != op->window)) continue;
        form[0] = (uint32_t)op->head_dim;
        form[1] = (uint32_t)op->window;
        break;
    }
}

static void table_init(study *s, table *t, unsigned left_out) {
    memset(t, 0, sizeof *t);
    t->learned.room = ROOM;
    t->learned.kind = s->of->kind;
    t->learned.depth = DEPTH;
    for (unsigned g = 0; g < GPUS; ++g) {
        sooth_gpu_language_gpu *to = &t->learned.gpu[t->learned.gpus];
        uint32_t types = 0;
        for (size_t i = 0; i < s->rows; ++i)
            if (s->row[i].gpu == g) types |= 1u << s->row[i].op.dtype;
        if (g == left_out || !types) continue;
        strcpy(to->name, gpu_name[g]);
        to->compute = s->gpu[g].compute;
        to->stacked = s->gpu[g].memory_bits >= 1024;
        to->types = types;
        to->set = set_of[g];
        to->peak = s->gpu[g].tensor_gflops;
        to->bandwidth = s->gpu[g].memory_gbs;
        ++t->learned.gpus;
    }
    for (size_t i = 0; i < s->rows; ++i) {
        if (s->row[i].gpu == left_out) continue;
        widen(s, &t->learned, 0, &s->row[i].op);
        widen(s, &t->learned, set_of[s->row[i].gpu], &s->row[i].op);
    }
}

static void fit_laws(study *s, table *t, unsigned left_out) {
    for (uint32_t type = 0; type < SOOTH_TYPES; ++type) fit_law(s, t, type, left_out);
}

static void fit_trees(study *s, table *t, unsigned left_out, row_filter of, uint32_t first_set) {
    for (uint32_t set = 0; set < SETS; ++set) {
        t->learned.first[set + 1] = t->learned.first[set];
        if (set >= first_set) fit_set(s, t, set, left_out, of);
    }
}

/* ---- errors ---- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *v, size_t n, double q) {
    if (!n) return 0.0;
    qsort(v, n, sizeof *v, ascending);
    const double at = q * (double)(n - 1);
    const size_t i = (size_t)at;
    return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[i];
}

/* A judged row: log(predicted / measured), its bin, and the law alone. */
typedef struct judged {
    double off, law;
    uint32_t bin, is_asked, is_answered;
} judged;

static void judge(study *s, const sooth_gpu_language *t, unsigned gpu, int odd_only, judged *to) {
    for (size_t i = 0; i < s->rows; ++i) {
        const row *r = &s->row[i];
        sooth_gpu_language_time p;
        if (r->gpu != gpu) continue;
        to[i].is_asked = !odd_only || i % 2;
        if (!to[i].is_asked) continue;
        to[i].is_answered = sooth_gpu_language_predict(&s->env, &s->device[gpu], t, &r->op, &p) == SOOTH_OK;
        if (!to[i].is_answered) continue;
        to[i].off = log(p.ms / r->ms);
        to[i].law = log(p.law / r->ms);
        to[i].bin = p.bin;
    }
}

/* The 90th percentile of |log error| of a GPU's rows in a bin. */
static double width_of(const study *s, const judged *j, unsigned gpu, uint32_t bin) {
    double *v = (double *)room_for(s->rows, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < s->rows; ++i)
        if (s->row[i].gpu == gpu && j[i].is_answered && j[i].bin == bin) v[n++] = fabs(j[i].off);
    const double width = n >= 20 ? quantile(v, n, 0.9) : 0.0;
    free(v);
    return width;
}

/* Learns the widths: of every other row, of twins, of the other GPUs. Nothing from a second kind of memory or
   another maker is among these: twice the logarithm, and a factor of e^2 at least (the p90 of 85 % that a
   study of five GPUs found on another maker's is a factor of 6.7). */
static void set_spreads(const study *s, table *t, const judged *known, const judged *unseen) {
    double *spread = t->learned.spread;
    for (unsigned g = 0; g < GPUS; ++g) {
        spread[SOOTH_GPU_LANGUAGE_KNOWN] =
            fmax(spread[SOOTH_GPU_LANGUAGE_KNOWN], width_of(s, known, g, SOOTH_GPU_LANGUAGE_KNOWN));
        spread[SOOTH_GPU_LANGUAGE_TWIN] =
            fmax(spread[SOOTH_GPU_LANGUAGE_TWIN], width_of(s, unseen, g, SOOTH_GPU_LANGUAGE_TWIN));
        for (uint32_t bin = SOOTH_GPU_LANGUAGE_STRANGER; bin <= SOOTH_GPU_LANGUAGE_OUTSIDE; ++bin)
            spread[SOOTH_GPU_LANGUAGE_STRANGER] =
                fmax(spread[SOOTH_GPU_LANGUAGE_STRANGER], width_of(s, unseen, g, bin));
    }
    spread[SOOTH_GPU_LANGUAGE_TWIN] =
        fmax(1.1 * spread[SOOTH_GPU_LANGUAGE_TWIN], spread[SOOTH_GPU_LANGUAGE_KNOWN]);
    spread[SOOTH_GPU_LANGUAGE_OUTSIDE] = fmax(2.0 * spread[SOOTH_GPU_LANGUAGE_STRANGER], 2.0);
}

static void print_line(study *s, const sooth_gpu_language *t, const judged *j, unsigned gpu, uint32_t type,
                       const char *how) {
    static const char bin_name[SOOTH_GPU_LANGUAGE_BINS][10] = {"known", "twin", "stranger", "outside"};
    double *v = (double *)room_for(s->rows, sizeof *v), *law = (double *)room_for(s->rows, sizeof *law);
    size_t n = 0, covered = 0, all = 0, of_bin[SOOTH_GPU_LANGUAGE_BINS] = {0};
    double sum = 0.0;
    for (size_t i = 0; i < s->rows; ++i) {
        if (s->row[i].gpu != gpu || (type < SOOTH_TYPES && s->row[i].op.dtype != type)) continue;
        all += j[i].is_asked;
        if (!j[i].is_answered) continue;
        v[n] = 100 * fabs(exp(j[i].off) - 1);
        law[n] = 100 * fabs(exp(j[i].law) - 1);
        sum += v[n++];
        covered += fabs(j[i].off) <= t->spread[j[i].bin];
        ++of_bin[j[i].bin];
    }
    if (type == SOOTH_TYPES && strcmp(how, "left-out") == 0 && n) {
        s->median[gpu] = quantile(v, n, 0.5);
        s->covered[gpu] = 100.0 * (double)covered / (double)n;
    }
    if (n && s->report) {
        unsigned most = 0;
        for (unsigned b = 1; b < SOOTH_GPU_LANGUAGE_BINS; ++b)
            if (of_bin[b] > of_bin[most]) most = b;
        fprintf(s->report, "%-12s%-14s%-13s%-9s%6zu%8.1f%8.1f%8.1f%9.1f%10.1f%8.1f  %s\n", s->of->name,
                gpu_name[gpu], type < SOOTH_TYPES ? sooth_data_type_name(type) : "all", how, n,
                quantile(v, n, 0.5), sum / (double)n, quantile(v, n, 0.9),
                100.0 * (double)covered / (double)n, quantile(law, n, 0.5), quantile(law, n, 0.9),
                bin_name[most]);
    }
    if (n < all && s->report)
        fprintf(s->report, "%-12s%-14s%-13s%zu rows refused\n", s->of->name, gpu_name[gpu],
                type < SOOTH_TYPES ? sooth_data_type_name(type) : "all", all - n);
    free(v);
    free(law);
}

/* ---- the files written ---- */

/* Writes a list of numbers, as many to a line as fit. */
static void print_numbers(FILE *to, const int16_t *small, const uint8_t *tiny, size_t count) {
    size_t column = 200;
    fputs(",\n        {", to);
    for (size_t i = 0; i < count; ++i) {
        char text[16];
        const int n =
            snprintf(text, sizeof text, "%d%s", small ? small[i] : tiny[i], i + 1 < count ? "," : "");
        if (column + (size_t)n > 108) {
            fputs("\n    ", to);
            column = 4;
        }
        fputs(text, to);
        column += (size_t)n;
    }
    fputs("}", to);
}

/* Prints {1.5f, 0.0f}. */
static void print_floats(FILE *to, const float *v, unsigned count, int digits) {
    for (unsigned i = 0; i < count; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, (double)v[i] + 0.0);
        fprintf(to, "%s%s%sf", i ? ", " : "{", text, strpbrk(text, ".e") ? "" : ".0");
    }
    fputs("}", to);
}

static void print_ranges(FILE *to, const float v[SETS][SOOTH_GPU_LANGUAGE_SIZES]) {
    for (unsigned set = 0; set < SETS; ++set) {
        fputs(set ? ",\n         " : "{", to);
        print_floats(to, v[set], SOOTH_GPU_LANGUAGE_SIZES, 9);
    }
    fputs("},\n        ", to);
}

static void print_head(FILE *to, const sooth_gpu_language *l) {
    fprintf(to, "        {%u, %u, %u, {", l->kind, l->depth, l->gpus);
    for (unsigned i = 0; i <= SETS; ++i) fprintf(to, "%s%u", i ? ", " : "", l->first[i]);
    fputs("},\n        ", to);
    print_floats(to, l->base, SETS, 9);
    fputs(",\n        {", to);
    for (unsigned i = 0; i < l->gpus; ++i)
        fprintf(to, "%s{\"%s\", %u, %u, 0x%x, %u, %g, %g}", i ? ",\n         " : "", l->gpu[i].name,
                l->gpu[i].compute, l->gpu[i].stacked, l->gpu[i].types, l->gpu[i].set, l->gpu[i].peak,
                l->gpu[i].bandwidth);
    fputs("},\n        {", to);
    for (unsigned type = 0; type < SOOTH_TYPES; ++type) {
        if (type) fputs(",\n         ", to);
        print_floats(to, l->law[type], P, 4);
    }
    fprintf(to, "},\n        {%.4g, %.4g, %.4g, %.4g},\n        ", l->spread[0], l->spread[1], l->spread[2],
            l->spread[3]);
    print_ranges(to, l->least);
    print_ranges(to, l->most);
    for (unsigned i = 0; i < SOOTH_GPU_LANGUAGE_SIZES; ++i) fprintf(to, "%s%u", i ? ", " : "{", l->step[i]);
    fputs("},\n        {", to);
    for (unsigned set = 0; set < SETS; ++set) {
        fputs(set ? ",\n         {" : "{", to);
        for (unsigned i = 0; i < SOOTH_GPU_LANGUAGE_FORMS && (i == 0 || l->form[set][i][0]); ++i)
            fprintf(to, "%s{%u, %u}", i ? ", " : "", l->form[set][i][0], l->form[set][i][1]);
        fputs("}", to);
    }
    fprintf(to, "},\n        %u}", l->first[SETS]);
}

static void print_table(FILE *to, const study *s, const table *t) {
    const char *name = s->of->accessor;
    const uint32_t trees = t->learned.first[SETS];
    char guard[32];
    size_t n = 0;
    for (; name[n]; ++n) guard[n] = (char)(name[n] >= 'a' && name[n] <= 'z' ? name[n] - 32 : name[n]);
    guard[n] = 0;
    fprintf(to,
            "/* gpu_time/%s.h - the table of %s, written by `make gpu-tables`: see gpu_time/language.h.\n"
            " * SPDX-FileCopyrightText: 2026 the sooth authors\n"
            " * SPDX-License-Identifier: MIT\n"
            " *\n"
            " * Learned from measurements of AIConfigurator (github.com/ai-dynamo/aiconfigurator, commit "
            "095f58a,\n"
            " * Apache License 2.0, Copyright (c) 2025-2026 NVIDIA CORPORATION & AFFILIATES).\n"
            " */\n"
            "/* clang-format off */\n"
            "#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_TIME_%s_IMPLEMENTED) && \\\n"
            "    !defined(SOOTH_PREDICT_ONLY)\n"
            "#define SOOTH_GPU_TIME_%s_IMPLEMENTED\n"
            "#include \"language.h\"\n\n"
            "SOOTH_API const sooth_gpu_language *sooth_gpu_language_%s(void) {\n"
            "    static const struct {\n"
            "        sooth_gpu_language head;\n"
            "        int16_t leaf[%u], threshold[%u];\n"
            "        uint8_t feature[%u];\n"
            "    } learned = {\n",
            name, s->of->name, guard, guard, name, trees << DEPTH, trees * DEPTH, trees * DEPTH);
    print_head(to, &t->learned);
    print_numbers(to, t->leaf, NULL, (size_t)trees << DEPTH);
    print_numbers(to, t->threshold, NULL, (size_t)trees * DEPTH);
    print_numbers(to, NULL, t->feature, (size_t)trees * DEPTH);
    fputs("};\n    return &learned.head;\n}\n/* clang-format on */\n#endif\n", to);
}

static void learn(study *s, const char *out) {
    static table shipped, half, without;
    judged *now = (judged *)room_for(s->rows, sizeof *now);
    judged *known = (judged *)room_for(s->rows, sizeof *known),
           *unseen = (judged *)room_for(s->rows, sizeof *unseen);
    table_init(s, &shipped, GPUS);
    fit_laws(s, &shipped, GPUS);
    table_init(s, &half, GPUS);
    memcpy(half.learned.law, shipped.learned.law, sizeof half.learned.law);
    fit_trees(s, &half, GPUS, is_every_other, 1);
    for (unsigned g = 0; g < GPUS; ++g) {
        judge(s, &half.learned, g, 1, known);
        judge(s, s->of->shipped_fn(), g, 0, now);
    }
    for (unsigned g = 0; g < GPUS; ++g) {
        table_init(s, &without, g);
        fit_laws(s, &without, g);
        fit_set(s, &without, 0, g, is_of_set);
        for (uint32_t set = 1; set < SETS; ++set) {
            without.learned.first[set + 1] = without.learned.first[set];
            if (set_of[g] == set) fit_set(s, &without, set, g, is_of_set);
        }
        judge(s, &without.learned, g, 0, unseen);
    }
    set_spreads(s, &shipped, known, unseen);
    for (unsigned g = 0; g < GPUS; ++g) {
        for (uint32_t type = 0; type <= SOOTH_TYPES; ++type)
            print_line(s, &shipped.learned, unseen, g, type, "left-out");
        print_line(s, &shipped.learned, known, g, SOOTH_TYPES, "half");
        print_line(s, s->of->shipped_fn(), now, g, SOOTH_TYPES, "shipped");
    }
    if (s->report) fflush(s->report);
    if (out) {
        char path[600];
        fit_trees(s, &shipped, GPUS, is_of_set, 0);
        snprintf(path, sizeof path, "%s/%s.h", out, s->of->accessor);
        FILE *file = fopen(path, "wb");
        if (!file) die(path);
        print_table(file, s, &shipped);
        if (fclose(file) != 0) die(path);
    }
    free(now);
    free(known);
    free(unseen);
}

static void study_init(study *s) {
    memset(s, 0, sizeof *s);
    sooth_env_init(&s->env);
    for (unsigned g = 0; g < GPUS; ++g) {
        if (sooth_gpu_named(&s->env, gpu_name[g], &s->gpu[g]) != SOOTH_OK) die(s->env.sentence);
        sooth_gpu_language_device_init(&s->device[g], &s->gpu[g]);
    }
}

int main(int count, char **word) {
    static study s;
    const char *folder = NULL, *only = NULL, *out = NULL;
    for (int i = 1; i < count; ++i) {
        if (strcmp(word[i], "-o") == 0 && i + 1 < count) out = word[++i];
        else if (!folder) folder = word[i];
        else only = word[i];
    }
    if (!folder) die("usage: gpu_language FOLDER [CLASS] [-o FOLDER_OF_TABLES]");
    study_init(&s);
    s.report = stdout;
    printf("%-12s%-14s%-13s%-9s%6s%8s%8s%8s%9s%10s%8s\n", "class", "gpu", "dtype", "how", "rows", "median",
           "mean", "p90", "covered", "law alone", "p90");
    for (unsigned c = 0; c < CLASSES; ++c) {
        s.of = &classes[c];
        if (only && strcmp(only, s.of->name) != 0) continue;
        if (!read_class(&s, folder)) die("a class's file is missing");
        learn(&s, out);
        free(s.row);
    }
    return 0;
}
