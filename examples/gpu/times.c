/* times.c - fits the tables of gpu_time.h to measured operators, and prints their errors on a GPU left out.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     build/gpu_times FOLDER [-o include/sooth/gpu_time/table.h]
 *
 * FOLDER holds the operators of Lee et al. (NeuSight, ASPLOS 2025): train_bmm.csv, train_linear.csv,
 * train_vector.csv and test_known_gpus.csv with columns op, gpu, b, m, n, k, latency_ms, and the networks in
 * networks_known_gpus. A law's parameters and the levels of its GPUs minimise
 *
 *     sum over rows of weight (sqrt(s^2 + r^2) - s)          r = log(predicted / measured), s = 0.1
 *
 * by Levenberg and Marquardt's method on numeric derivatives. Rows of one GPU and one file have the same
 * total weight as those of another. Errors are those of the published tables. For each network the times of
 * all kernels of a class are added up, measured and predicted. The error is the mean over networks of |sum -
 * sum| / sum.
 */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sooth.h"

enum {
    GPUS = 5,
    CLASSES = 5,
    RIVALS = 4,
    SETS = 3,
    MOST_ROWS = 300000,
    SOME = 400,
    UNKNOWNS = SOOTH_GPU_PARAMETERS + GPUS
};

/* As the data call them, and as sooth does. */
static const char *const their[GPUS] = {"P4", "P100", "V100", "T4", "A100-PCIE-40GB"};
static const char *const ours[GPUS] = {"p4", "p100-pcie", "v100-pcie", "t4", "a100-pcie"};
/* The power of long products, above the law of roofline.h. A100 with 250 W reaches 0.98 of its peak in
   products of 10 ms, 0.85 from 30 ms on. */
static const double picojoules[GPUS] = {0, 0, 0, 0, 15};
static const char *const class_name[CLASSES] = {"BMM", "FC", "EW", "Softmax", "LN"};
static const char *const rival[RIVALS] = {"roofline_ms", "habitat_ms", "li_ms", "neusight_ms"};

/* A measured operator. Sets: 0 training shapes, 1 shapes of real networks, 2 nodes of networks. */
typedef struct row {
    sooth_operator op;
    double ms, weight;
    unsigned gpu, set, law;
    int contradicted; /* its network takes much less than its nodes: nothing is learned from it */
} row;

/* A phase of a node of a network. */
typedef struct node {
    unsigned network, class; /* CLASSES: another */
    double count;
    sooth_operator kernel[8];
    unsigned kernels;
} node;

typedef struct network {
    char name[64];
    unsigned gpu;
    int ood;
    double label, sum[CLASSES + 1], theirs[CLASSES + 1][RIVALS]; /* the last: end to end */
} network;

typedef struct study {
    sooth_env env;
    sooth_gpu gpu[GPUS];
    row *row;
    size_t rows;
    node node[4000];
    size_t nodes;
    network network[64];
    size_t networks;
} study;

static void die(const char *what) {
    fprintf(stderr, "gpu_times: %s\n", what);
    exit(1);
}

/* ---- the files ---- */

static void read_csv(study *s, const char *folder, const char *name, sooth_csv *csv) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1u << 24;
    char *bytes = (char *)malloc(room);
    if (!file) die(path);
    if (!bytes) die("no memory");
    size = fread(bytes, 1, room, file);
    fclose(file);
    if (sooth_csv_read(&s->env, bytes, size, NULL, csv) != SOOTH_OK) die(s->env.sentence);
    free(bytes);
}

static double number_at(const sooth_csv *csv, size_t i, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    const double v = j < csv->cols && !csv->column[j].is_text ? (double)csv->cell[i * csv->cols + j] : 0.0;
    return v == v ? v : 0.0;
}

static const char *text_at(const sooth_csv *csv, size_t i, const char *name) {
    const size_t j = sooth_csv_find(csv, name);
    const float v = csv->cell[i * csv->cols + j];
    return v == v && csv->column[j].is_text ? csv->column[j].text[(size_t)v] : "";
}

static unsigned gpu_of(const char *name) {
    unsigned g = 0;
    while (g < GPUS && strcmp(their[g], name) != 0) ++g;
    return g;
}

static sooth_operator operator_of(const char *name, double b, double m, double n, double k) {
    sooth_operator op;
    memset(&op, 0, sizeof op);
    op.kind = (uint32_t)sooth_operator_find(name);
    op.b = b;
    op.m = m;
    op.n = n;
    op.k = k;
    return op;
}

static void add_row(study *s, const sooth_operator *op, unsigned gpu, unsigned set, double ms) {
    if (s->rows == MOST_ROWS) die("more rows than expected");
    row *r = &s->row[s->rows++];
    r->op = *op;
    r->gpu = gpu;
    r->set = set;
    r->ms = ms;
    r->law = sooth_gpu_law_for(op->kind);
}

static void read_operators(study *s, const char *folder, const char *name, unsigned set) {
    sooth_csv csv;
    read_csv(s, folder, name, &csv);
    for (size_t i = 0; i < csv.rows; ++i) {
        const sooth_operator op =
            operator_of(text_at(&csv, i, "op"), number_at(&csv, i, "b"), number_at(&csv, i, "m"),
                        number_at(&csv, i, "n"), number_at(&csv, i, "k"));
        add_row(s, &op, gpu_of(text_at(&csv, i, "gpu")), set, number_at(&csv, i, "latency_ms"));
    }
    sooth_csv_free(&s->env, &csv);
}

/* The network of a row in one of the three files. */
static unsigned network_of(study *s, const sooth_csv *csv, size_t i) {
    char name[64];
    unsigned n = 0;
    snprintf(name, sizeof name, "%s %s %g %g %s", text_at(csv, i, "network"), text_at(csv, i, "mode"),
             number_at(csv, i, "batch"), number_at(csv, i, "seqlen"), text_at(csv, i, "gpu"));
    while (n < s->networks && strcmp(s->network[n].name, name) != 0) ++n;
    if (n == s->networks) {
        ++s->networks;
        strcpy(s->network[n].name, name);
        s->network[n].gpu = gpu_of(text_at(csv, i, "gpu"));
    }
    return n;
}

static unsigned class_of(const char *name) {
    unsigned c = 0;
    while (c < CLASSES && strcmp(class_name[c], name) != 0) ++c;
    return c;
}

/* Whether the classes of a network add up to a quarter more than it takes as a whole. */
static int is_contradicted(const network *n) {
    double sum = 0.0;
    for (unsigned c = 0; c < CLASSES; ++c) sum += n->sum[c];
    return sum > 1.25 * n->sum[CLASSES];
}

/* "bmm:256:512:64:512+mem:1:::64" */
static void read_kernels(const char *text, double in, double out, node *to) {
    while (*text) {
        char name[16];
        double size[4] = {0, 0, 0, 0};
        size_t n = strcspn(text, ":");
        snprintf(name, sizeof name, "%.*s", (int)n, text);
        text += n;
        for (unsigned i = 0; i < 4 && *text == ':'; ++i) {
            ++text;
            size[i] = strtod(text, NULL);
            text += strcspn(text, ":+");
        }
        sooth_operator op = operator_of(name, size[0], size[1], size[2], size[3]);
        op.in_elements = in;
        op.out_elements = out;
        const int is_view = op.kind == SOOTH_OPERATOR_MEM && (in <= 1.0 || out <= 1.0); /* moves nothing */
        if (op.kind < SOOTH_OPERATORS && to->kernels < 8 && !is_view) to->kernel[to->kernels++] = op;
        if (*text == '+') ++text;
    }
}

static void read_networks(study *s, const char *folder) {
    sooth_csv csv;
    read_csv(s, folder, "networks_known_gpus/networks.csv", &csv);
    for (size_t i = 0; i < csv.rows; ++i) {
        network *n = &s->network[network_of(s, &csv, i)];
        n->ood = number_at(&csv, i, "out_of_distribution") > 0.0;
        n->sum[CLASSES] = number_at(&csv, i, "label_ms");
        for (unsigned r = 0; r < RIVALS; ++r) n->theirs[CLASSES][r] = number_at(&csv, i, rival[r]);
    }
    sooth_csv_free(&s->env, &csv);
    read_csv(s, folder, "networks_known_gpus/network_sums.csv", &csv);
    for (size_t i = 0; i < csv.rows; ++i) {
        network *n = &s->network[network_of(s, &csv, i)];
        const unsigned c = class_of(text_at(&csv, i, "operator"));
        if (c == CLASSES) continue;
        n->sum[c] = number_at(&csv, i, "label_ms");
        for (unsigned r = 0; r < RIVALS; ++r) n->theirs[c][r] = number_at(&csv, i, rival[r]);
    }
    sooth_csv_free(&s->env, &csv);
    read_csv(s, folder, "networks_known_gpus/network_operators.csv", &csv);
    for (size_t i = 0; i < csv.rows; ++i) {
        node *to = &s->node[s->nodes++];
        const double ms = number_at(&csv, i, "label_ms");
        to->network = network_of(s, &csv, i);
        to->class = class_of(text_at(&csv, i, "operator"));
        to->count = number_at(&csv, i, "count");
        read_kernels(text_at(&csv, i, "kernels"), number_at(&csv, i, "in_elements"),
                     number_at(&csv, i, "out_elements"), to);
        const network *n = &s->network[to->network];
        if (to->kernels != 1 || !(ms > 0.0) || n->ood || strcmp(text_at(&csv, i, "phase"), "fw") != 0)
            continue;
        add_row(s, &to->kernel[0], n->gpu, 2, ms);
        row *r = &s->row[s->rows - 1];
        r->contradicted = r->law < SOOTH_GPU_LAW_VECTOR && is_contradicted(n);
    }
    sooth_csv_free(&s->env, &csv);
}

/* ---- laws ---- */

/* The start of a search for parameters, and its bounds. */
typedef struct span {
    double from, least, most;
} span;

static const span matrix_span[SOOTH_GPU_PARAMETERS] = {{0.035, 0.02, 0.08}, {0.7, 0.3, 1}, {10, 0, 100},
                                                       {0.4, 0, 1},         {0.5, 0, 1},   {0.7, 0.3, 1},
                                                       {0.4, 0.1, 1},       {1, 0, 4}};
static const span stream_span[SOOTH_GPU_PARAMETERS] = {
    {0.03, 0.005, 0.06}, {0.8, 0.4, 1}, {0.02, 0, 0.06}, {0.8, 0.02, 4}};

static const span kernel_span[SOOTH_GPU_PARAMETERS] = {{0.035, 0.01, 0.08}, {0.7, 0.3, 1}, {0, 0, 0},
                                                       {0, 0, 0},           {0.5, 0, 1},   {0.7, 0.1, 1},
                                                       {0, 0, 0},           {0, 0, 0}};

static const span *span_of(unsigned law) {
    if (law == SOOTH_GPU_LAW_KERNEL) return kernel_span;
    return law < SOOTH_GPU_LAW_VECTOR ? matrix_span : stream_span;
}

/* Parameters that a law does not use are not changed. */
static int is_free(unsigned law, unsigned p) {
    if (law < SOOTH_GPU_LAW_VECTOR) return p != SOOTH_GPU_LONG || law == SOOTH_GPU_LAW_LINEAR;
    if (law == SOOTH_GPU_LAW_KERNEL)
        return p == SOOTH_GPU_LAUNCH || p == SOOTH_GPU_USE || p == SOOTH_GPU_SPLIT || p == SOOTH_GPU_SMALL;
    return p <= (law == SOOTH_GPU_LAW_COPY ? (unsigned)SOOTH_GPU_QUEUE : (unsigned)SOOTH_GPU_RESIDENT);
}

static void times_init(const study *s, sooth_gpu_times *t) {
    memset(t, 0, sizeof *t);
    t->gpus = GPUS;
    for (unsigned g = 0; g < GPUS; ++g) {
        strcpy(t->gpu[g], ours[g]);
        t->compute[g] = s->gpu[g].compute;
        t->memory_bits[g] = s->gpu[g].memory_bits;
        t->picojoules[g] = picojoules[g];
    }
    for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law) {
        t->most[law] = 1e30;
        for (unsigned p = 0; p < SOOTH_GPU_PARAMETERS; ++p)
            t->parameter[law][p] = is_free(law, p) ? span_of(law)[p].from : 0.0;
    }
}

/* The kernel law describes an operator as sooth_work_from_ptx would: every requested byte is one of
   memory. */
static double ask_kernel(study *s, const sooth_gpu_timer *timer, const sooth_operator *op) {
    sooth_work work;
    sooth_gpu_timing t;
    if (sooth_operator_work(&s->env, op, &work) != SOOTH_OK) die(s->env.sentence);
    work.memory_bytes = work.l2_bytes;
    if (sooth_gpu_time_work(&s->env, timer, &work, &t) != SOOTH_OK) die(s->env.sentence);
    return t.ms;
}

/* Opens a timer of the law alone: without the roof, which is not fitted. */
static void open_timer(study *s, sooth_gpu_timer *timer, unsigned g, const sooth_gpu_times *t) {
    if (sooth_gpu_timer_init(&s->env, timer, &s->gpu[g], t) != SOOTH_OK) die(s->env.sentence);
    timer->language.bandwidth = HUGE_VAL;
    for (unsigned i = 0; i < SOOTH_COMPUTES; ++i) timer->language.peak[i] = HUGE_VAL;
}

static double ask(study *s, const sooth_gpu_timer *timer, unsigned law, const sooth_operator *op) {
    sooth_gpu_timing t;
    if (law == SOOTH_GPU_LAW_KERNEL) return ask_kernel(s, timer, op);
    if (sooth_gpu_time(&s->env, timer, op, &t) != SOOTH_OK) die(s->env.sentence);
    return t.ms;
}

/* log(predicted / measured) of rows. */
static void residuals(study *s, const sooth_gpu_times *t, unsigned law, const row *r, size_t rows,
                      double *out) {
    sooth_gpu_timer timer[GPUS];
    for (unsigned g = 0; g < GPUS; ++g) open_timer(s, &timer[g], g, t);
    for (size_t i = 0; i < rows; ++i) out[i] = log(ask(s, &timer[r[i].gpu], law, &r[i].op) / r[i].ms);
}

/* The total weight of the rows of a set. Nodes of networks weigh less for products. Most of A100's add up
   to 1.5 times the whole networks, as if each had been timed alone on a sleeping device, and are left out
   (is_contradicted). P4's training rows of linear layers are four times slower than its other rows. Long
   sums explain a part of this (SOOTH_GPU_LONG), and no column explains the rest. */
static double weight_of(unsigned set, unsigned gpu, unsigned law) {
    static const double stream[SETS] = {0.5, 1.0, 2.0}, matrix[SETS] = {0.5, 1.0, 0.5};
    const double *of = law < SOOTH_GPU_LAW_VECTOR ? matrix : stream;
    return set == 0 && gpu == 0 && law == SOOTH_GPU_LAW_LINEAR ? 0.1 : of[set];
}

/* Up to `some` rows of every GPU and set, drawn in a fixed order. */
static size_t choose(const study *s, unsigned law, unsigned left_out, size_t some, row *out) {
    size_t n = 0;
    for (unsigned g = 0; g < GPUS; ++g)
        for (unsigned set = 0; set < SETS && g != left_out; ++set) {
            size_t all = 0, taken = 0, seen = 0;
            const size_t first = n;
            for (size_t i = 0; i < s->rows; ++i)
                all += s->row[i].law == law && s->row[i].gpu == g && s->row[i].set == set &&
                       !s->row[i].contradicted;
            for (size_t i = 0; i < s->rows; ++i) {
                const row *r = &s->row[i];
                if (r->law != law || r->gpu != g || r->set != set || r->contradicted) continue;
                ++seen;
                if (all > some && seen * some / all == taken) continue;
                ++taken;
                out[n++] = *r;
            }
            for (size_t i = first; i < n; ++i) out[i].weight = weight_of(set, g, law) / (double)(n - first);
        }
    return n;
}

/* The kernel law is fitted to operators of every law but one (SOOTH_GPU_LAWS: of every law). Copies are
   left out, which in networks often are not kernels. */
static size_t choose_kernels(const study *s, unsigned without, unsigned left_out, row *out) {
    size_t n = 0;
    for (unsigned law = 0; law < SOOTH_GPU_LAW_COPY; ++law)
        if (law != without) n += choose(s, law, left_out, SOME / SOOTH_GPU_LAW_COPY, out + n);
    return n;
}

/* An unknown of the search: a parameter on its span, or a level. */
static double *unknown(sooth_gpu_times *t, unsigned law, unsigned u) {
    return u < SOOTH_GPU_PARAMETERS ? &t->parameter[law][u] : &t->level[law][u - SOOTH_GPU_PARAMETERS];
}

static double loss_of(study *s, const sooth_gpu_times *t, unsigned law, const row *r, size_t rows,
                      double *e) {
    double sum = 0.0;
    residuals(s, t, law, r, rows, e);
    for (size_t i = 0; i < rows; ++i) sum += r[i].weight * (sqrt(0.01 + e[i] * e[i]) - 0.1);
    for (unsigned g = 0; g < GPUS; ++g) sum += 0.005 * t->level[law][g] * t->level[law][g];
    return sum;
}

/* Solves A x = b for a positive definite A, which it destroys. Returns 0 if A is not positive definite. */
static int solve(double a[UNKNOWNS][UNKNOWNS], double *b, unsigned n) {
    for (unsigned i = 0; i < n; ++i) {
        for (unsigned j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (unsigned k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
            if (i == j && !(sum > 0.0)) return 0;
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
    }
    for (unsigned i = 0; i < n; b[i] /= a[i][i], ++i)
        for (unsigned k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    for (unsigned i = n; i-- > 0; b[i] /= a[i][i])
        for (unsigned k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    return 1;
}

/* Fits one law without one GPU (GPUS: with all). The kernel law is also fitted without the operators of a
   law. */
static void fit(study *s, sooth_gpu_times *t, unsigned law, unsigned without, unsigned left_out) {
    row *r = (row *)calloc(GPUS * SETS * (SOME + 1), sizeof *r);
    if (!r) die("no memory");
    const size_t rows = law == SOOTH_GPU_LAW_KERNEL ? choose_kernels(s, without, left_out, r)
                                                    : choose(s, law, left_out, SOME, r);
    double *e = (double *)calloc((UNKNOWNS + 1) * rows, sizeof *e), damping = 1e-2;
    unsigned use[UNKNOWNS], uses = 0;
    if (!e) die("no memory");
    double *jacobian = e + rows;
    for (unsigned u = 0; u < UNKNOWNS; ++u)
        if (u < SOOTH_GPU_PARAMETERS ? is_free(law, u) : u - SOOTH_GPU_PARAMETERS != left_out)
            use[uses++] = u;
    double loss = loss_of(s, t, law, r, rows, e);
    for (unsigned round = 0; round < 60 && damping < 1e6; ++round) {
        double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], gradient[UNKNOWNS] = {0},
                                                   normal[UNKNOWNS][UNKNOWNS] = {{0}};
        double scale[UNKNOWNS];
        for (unsigned j = 0; j < uses; ++j) {
            double *x = unknown(t, law, use[j]), was = *x;
            const span *p = use[j] < SOOTH_GPU_PARAMETERS ? &span_of(law)[use[j]] : NULL;
            scale[j] = p ? p->most - p->least : 1.0;
            const double step = p && was + 1e-4 * scale[j] > p->most ? -1e-4 : 1e-4;
            *x = was + step * scale[j];
            residuals(s, t, law, r, rows, jacobian + j * rows);
            *x = was;
            for (size_t i = 0; i < rows; ++i) jacobian[j * rows + i] = (jacobian[j * rows + i] - e[i]) / step;
        }
        for (unsigned j = 0; j < uses; ++j) {
            for (size_t i = 0; i < rows; ++i) {
                const double w = r[i].weight / sqrt(0.01 + e[i] * e[i]);
                gradient[j] += w * jacobian[j * rows + i] * e[i];
                for (unsigned k = 0; k <= j; ++k)
                    normal[j][k] += w * jacobian[j * rows + i] * jacobian[k * rows + i];
            }
            if (use[j] >= SOOTH_GPU_PARAMETERS) {
                gradient[j] += 0.01 * *unknown(t, law, use[j]);
                normal[j][j] += 0.01;
            }
        }
        for (;; damping *= 4.0) {
            sooth_gpu_times tried = *t;
            for (unsigned j = 0; j < uses; ++j) {
                for (unsigned k = 0; k <= j; ++k) a[j][k] = normal[j][k];
                a[j][j] += damping * (normal[j][j] + 1e-3);
                b[j] = -gradient[j];
                const span *p = use[j] < SOOTH_GPU_PARAMETERS ? &span_of(law)[use[j]] : NULL;
                const double x = *unknown(t, law, use[j]);
                if (p && ((x <= p->least && b[j] < 0.0) || (x >= p->most && b[j] > 0.0))) {
                    for (unsigned k = 0; k < j; ++k) a[j][k] = 0.0; /* stays at its end */
                    a[j][j] = 1e12;
                }
            }
            if (damping > 1e6 || !solve(a, b, uses)) break;
            for (unsigned j = 0; j < uses; ++j) {
                const span *p = use[j] < SOOTH_GPU_PARAMETERS ? &span_of(law)[use[j]] : NULL;
                double *x = unknown(&tried, law, use[j]);
                *x += b[j] * scale[j];
                if (p) *x = *x < p->least ? p->least : *x > p->most ? p->most : *x;
            }
            const double now = loss_of(s, &tried, law, r, rows, jacobian);
            if (now < loss) {
                const int done = loss - now < 1e-7 * loss;
                *t = tried;
                loss = now;
                memcpy(e, jacobian, rows * sizeof *e);
                damping = done ? 1e7 : 0.3 * damping;
                break;
            }
        }
    }
    free(e);
    free(r);
}

/* Removes a GPU from the fitted values. */
static void forget(sooth_gpu_times *t, unsigned g) {
    for (unsigned i = g; i + 1 < GPUS; ++i) {
        memcpy(t->gpu[i], t->gpu[i + 1], sizeof t->gpu[i]);
        t->compute[i] = t->compute[i + 1];
        t->memory_bits[i] = t->memory_bits[i + 1];
        t->picojoules[i] = t->picojoules[i + 1];
        for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law) t->level[law][i] = t->level[law][i + 1];
    }
    --t->gpus;
}

static void fit_all(study *s, sooth_gpu_times *t, unsigned left_out) {
    times_init(s, t);
    for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law)
        if (law != SOOTH_GPU_LAW_COPY) fit(s, t, law, SOOTH_GPU_LAWS, left_out);
    /* most copies are no kernels, so nothing is learned from their times */
    memcpy(t->level[SOOTH_GPU_LAW_COPY], t->level[SOOTH_GPU_LAW_VECTOR], sizeof t->level[0]);
    t->parameter[SOOTH_GPU_LAW_COPY][SOOTH_GPU_USE] = t->parameter[SOOTH_GPU_LAW_VECTOR][SOOTH_GPU_USE];
    t->parameter[SOOTH_GPU_LAW_COPY][SOOTH_GPU_LAUNCH] = 1e3 * SOOTH_ROOFLINE_LAUNCH_SECONDS;
    t->parameter[SOOTH_GPU_LAW_COPY][SOOTH_GPU_QUEUE] = 1e3 * SOOTH_ROOFLINE_LAUNCH_SECONDS;
    if (left_out < GPUS) forget(t, left_out);
}

/* ---- a few measured kernels ---- */

enum { EACH = 40 }; /* rows of a law on a GPU that residuals are learned from, and devices adapt to */

static int is_sampled(const row *r, unsigned law, unsigned gpu) {
    return r->law == law && r->gpu == gpu && r->set > 0 && !r->contradicted;
}

/* Rows of real networks, EACH of every law on a GPU. */
static size_t sample(const study *s, unsigned gpu, row *out) {
    size_t n = 0;
    for (unsigned law = 0; law < SOOTH_GPU_LAWS; ++law) {
        size_t all = 0, seen = 0, taken = 0;
        for (size_t i = 0; i < s->rows; ++i) all += is_sampled(&s->row[i], law, gpu);
        for (size_t i = 0; i < s->rows; ++i) {
            if (!is_sampled(&s->row[i], law, gpu)) continue;
            if (all > EACH && ++seen * EACH / all == taken) continue;
            ++taken;
            out[n++] = s->row[i];
        }
    }
    return n;
}

/* The statistics of errors on a GPU left out, for adapt.h. */
static sooth_adapt *learn_errors(study *s, const sooth_gpu_times *out) {
    enum { MOST = GPUS * SOOTH_GPU_LAWS * (EACH + 1) };
    static float x[MOST * SOOTH_GPU_TIME_FEATURES], y[MOST], predicted[MOST];
    static uint32_t group[MOST];
    static row r[MOST];
    const sooth_adapt_options options = {.max_rows = 64, .capacity = 16};
    sooth_adapt *adapt;
    size_t n = 0;
    for (unsigned g = 0; g < GPUS; ++g) {
        sooth_gpu_timer timer;
        open_timer(s, &timer, g, &out[g]);
        const size_t rows = sample(s, g, r);
        for (size_t i = 0; i < rows; ++i, ++n) {
            sooth_gpu_time_row(&r[i].op, x + n * SOOTH_GPU_TIME_FEATURES);
            y[n] = (float)exp(log(r[i].ms / ask(s, &timer, r[i].law, &r[i].op)) / out[g].unit[r[i].law]);
            predicted[n] = 1.0f;
            group[n] = g;
        }
    }
    sooth_table table = sooth_table_of(x, y, n, SOOTH_GPU_TIME_FEATURES);
    table.group = group;
    if (sooth_adapt_fit(&s->env, &table, predicted, &options, &adapt) != SOOTH_OK) die(s->env.sentence);
    return adapt;
}

/* Adapts a device to `count` operators of real networks, chosen by adapt.h. */
static void measure_few(study *s, const sooth_gpu_timer *timer, unsigned gpu, unsigned count,
                        sooth_adapt_program *device) {
    static row r[SOOTH_GPU_LAWS * (EACH + 1)];
    static float x[sizeof r / sizeof r[0] * SOOTH_GPU_TIME_FEATURES], one[sizeof r / sizeof r[0]];
    const sooth_adapt *adapt = sooth_gpu_time_adapt();
    const size_t rows = sample(s, gpu, r);
    void *scratch = malloc(sooth_adapt_next_scratch_size(adapt));
    if (!scratch) die("no memory");
    for (size_t i = 0; i < rows; ++i) {
        sooth_gpu_time_row(&r[i].op, x + i * SOOTH_GPU_TIME_FEATURES);
        one[i] = 1.0f;
    }
    while (count-- > 0) {
        const size_t i = sooth_adapt_next(adapt, device, x, rows, SOOTH_GPU_TIME_FEATURES, one, NULL,
                                          SOOTH_ADAPT_VARIANCE, scratch);
        if (i < rows && sooth_gpu_time_observe(&s->env, timer, device, &r[i].op, r[i].ms) != SOOTH_OK)
            die(s->env.sentence);
    }
    free(scratch);
}

/* ---- networks ---- */

/* Predicted over measured, of each class and end to end, of the networks on one GPU (GPUS: any). 0:
   unknown. After `few` measured operators of each GPU. */
static void judge(study *s, const sooth_gpu_times *t, unsigned gpu, unsigned few,
                  double ratio[64][CLASSES + 1]) {
    static float memory[GPUS][4096];
    double sum[64][CLASSES + 1] = {{0}};
    sooth_gpu_timer timer[GPUS];
    sooth_adapt_program *device[GPUS];
    for (unsigned g = 0; g < GPUS; ++g) {
        open_timer(s, &timer[g], g, t);
        device[g] = sooth_adapt_begin(sooth_gpu_time_adapt(), memory[g], sizeof memory[g]);
        if (few) measure_few(s, &timer[g], g, few, device[g]);
    }
    for (size_t i = 0; i < s->nodes; ++i) {
        const node *n = &s->node[i];
        const unsigned g = s->network[n->network].gpu;
        for (unsigned k = 0; k < n->kernels; ++k) {
            sooth_gpu_timing at;
            if (sooth_gpu_time_adapted(&s->env, &timer[g], device[g], &n->kernel[k], &at) != SOOTH_OK)
                die(s->env.sentence);
            if (n->class < CLASSES) sum[n->network][n->class] += n->count * at.ms;
            sum[n->network][CLASSES] += n->count * at.ms;
        }
    }
    for (size_t i = 0; i < s->networks; ++i)
        for (unsigned c = 0; c <= CLASSES; ++c)
            if ((gpu == GPUS || s->network[i].gpu == gpu) && s->network[i].sum[c] > 0.0)
                ratio[i][c] = sum[i][c] / s->network[i].sum[c];
}

/* Mean |ratio - 1| in per cent, and the mean log ratio; of one GPU or all. */
static void print_errors(const study *s, const char *title, unsigned gpu, int ood,
                         double ratio[64][CLASSES + 1]) {
    printf("  %-16s", title);
    for (unsigned c = 0; c <= CLASSES; ++c) {
        double sum = 0.0, bias = 0.0;
        unsigned n = 0;
        for (size_t i = 0; i < s->networks; ++i)
            if (ratio[i][c] > 0.0 && s->network[i].ood == ood && (gpu == GPUS || s->network[i].gpu == gpu)) {
                sum += fabs(ratio[i][c] - 1.0);
                bias += log(ratio[i][c]);
                ++n;
            }
        if (!n) printf("     -        ");
        else if (gpu == GPUS) printf(" %6.1f       ", 100.0 * sum / n);
        else printf(" %6.1f (%+.2f)", 100.0 * sum / n, bias / n);
    }
    printf("\n");
}

static void print_rivals(const study *s, int ood) {
    for (unsigned r = 0; r < RIVALS; ++r) {
        double ratio[64][CLASSES + 1] = {{0}};
        for (size_t i = 0; i < s->networks; ++i)
            for (unsigned c = 0; c <= CLASSES; ++c)
                if (s->network[i].sum[c] > 0.0)
                    ratio[i][c] = s->network[i].theirs[c][r] / s->network[i].sum[c];
        print_errors(s, rival[r], GPUS, ood, ratio);
    }
}

/* ---- intervals ---- */

typedef struct weighed {
    double value, weight;
} weighed;

static int by_value(const void *a, const void *b) {
    const double x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;
    return (x > y) - (x < y);
}

/* The 90 % quantile of the |residuals| of rows of real networks. GPUs weigh the same. */
static double quantile(weighed *w, size_t n) {
    double all = 0.0, sum = 0.0;
    qsort(w, n, sizeof *w, by_value);
    for (size_t i = 0; i < n; ++i) all += w[i].weight;
    for (size_t i = 0; i < n; ++i)
        if ((sum += w[i].weight) >= 0.9 * all) return w[i].value;
    return n ? w[n - 1].value : 0.0;
}

/* Writes to w[0..n) onwards the |residuals| of the rows of a law of one GPU in one of the sets first to
   last, timed by that law or by the kernel law. */
static size_t gather(study *s, const sooth_gpu_times *t, unsigned law, unsigned by, unsigned gpu,
                     unsigned first, unsigned last, weighed *w, size_t n) {
    const size_t begin = n;
    sooth_gpu_timer timer;
    open_timer(s, &timer, gpu, t);
    for (size_t i = 0; i < s->rows; ++i) {
        const row *r = &s->row[i];
        if (r->law == law && r->gpu == gpu && r->set >= first && r->set <= last)
            w[n++].value = fabs(log(ask(s, &timer, by, &r->op) / r->ms));
    }
    for (size_t i = begin; i < n; ++i) w[i].weight = 1.0 / (double)(n - begin);
    return n;
}

/* The 90 % quantile for operators of real networks, with t[g] predicting GPU g, on all GPUs but one (GPUS:
   on all). Streaming operators err by a few per cent if timed alone, and by much more as a node of a
   network, of which there are fewer. They get the wider of the two. Products err alike in both, except
   A100's nodes (see weight_of). */
static double spread_of(study *s, const sooth_gpu_times *const t[GPUS], unsigned law, unsigned but,
                        weighed *w) {
    double most = 0.0;
    for (unsigned set = 1; set < SETS; ++set) {
        const int together = law < SOOTH_GPU_LAW_VECTOR;
        size_t n = 0;
        for (unsigned g = 0; g < GPUS; ++g)
            if (g != but)
                n = gather(s, t[g], law, law, g, together ? 1 : set, together ? SETS - 1 : set, w, n);
        const double q = quantile(w, n);
        if (q > most) most = q;
    }
    return most;
}

/* The same for GPUs left out, with t[g] fitted without GPU g. Operators of one GPU err together, like its
   level. So a bound for 90 % of all operators holds too few on some GPU. This one holds 90 % on each of n.
   A further GPU differs from these as they do from each other: sqrt(1 + 1/n) as far. */
static double unseen_spread(study *s, const sooth_gpu_times *const t[GPUS], unsigned law, unsigned but,
                            weighed *w) {
    double most = spread_of(s, t, law, but, w), gpus = 0.0;
    for (unsigned g = 0; g < GPUS; ++g) {
        if (g == but) continue;
        const size_t n = gather(s, t[g], law, law, g, 1, SETS - 1, w, 0);
        const double q = quantile(w, n);
        if (q > most) most = q;
        gpus += 1.0;
    }
    return sqrt(1.0 + 1.0 / gpus) * most;
}

/* The coverage of intervals on a GPU left out, with widths from the other four: per cent of its operators
   of real networks, and sums of classes of its networks. */
static void print_held(study *s, const sooth_gpu_times *const t[GPUS], double left[64][CLASSES + 1],
                       weighed *w) {
    unsigned sums[CLASSES] = {0}, held[CLASSES] = {0};
    printf("held by 90 %% intervals, the GPU left out: %% of operators; sums of networks\n");
    for (unsigned g = 0; g < GPUS; ++g) {
        printf("  %-16s", their[g]);
        for (unsigned c = 0; c < CLASSES; ++c) { /* laws in the order of classes */
            const double spread = unseen_spread(s, t, c, g, w);
            const size_t n = gather(s, t[g], c, c, g, 1, SETS - 1, w, 0);
            size_t within = 0;
            for (size_t i = 0; i < n; ++i) within += w[i].value <= spread;
            for (size_t i = 0; i < s->networks; ++i) {
                if (s->network[i].gpu != g || !(left[i][c] > 0.0)) continue;
                ++sums[c];
                held[c] += fabs(log(left[i][c])) <= spread;
            }
            printf(" %3.0f          ", n ? 100.0 * (double)within / (double)n : 0.0);
        }
        printf("\n");
    }
    printf("  %-16s", "sums");
    for (unsigned c = 0; c < CLASSES; ++c) printf(" %2u of %2u     ", held[c], sums[c]);
    printf("\n");
}

/* The 90 % quantile for operators of real networks, with a kernel law fitted without their kind and
   (left_out) without their GPU: of the kind that errs most. GPUs weigh the same. */
static double kernel_spread(study *s, int left_out, weighed *w) {
    static const char kind[SOOTH_GPU_LAW_COPY][8] = {"bmm", "linear", "vector", "softmax", "ln"};
    double most = 0.0;
    printf("operators of a kind%s left out, by the kernel law: 90 %% within a factor of",
           left_out ? " and a GPU" : "");
    for (unsigned law = 0; law < SOOTH_GPU_LAW_COPY; ++law) {
        size_t n = 0;
        for (unsigned g = 0; g < GPUS; ++g) {
            sooth_gpu_times t;
            times_init(s, &t);
            fit(s, &t, SOOTH_GPU_LAW_KERNEL, law, left_out ? g : GPUS);
            if (left_out) forget(&t, g);
            n = gather(s, &t, law, SOOTH_GPU_LAW_KERNEL, g, 1, SETS - 1, w, n);
        }
        const double spread = quantile(w, n);
        printf("%s %s %.2f", law ? "," : "", kind[law], exp(spread));
        if (spread > most) most = spread;
    }
    printf("\n");
    return most;
}

/* ---- the table ---- */

static void write_table(const sooth_gpu_times *t, const sooth_adapt *adapt, FILE *to) {
    fputs("/* gpu_time/table.h - the learned parameters of gpu_time.h, written by `make gpu-tables`.\n"
          " * SPDX-FileCopyrightText: 2026 the sooth authors\n"
          " * SPDX-License-Identifier: MIT\n"
          " *\n"
          " * Learned from the measurements of NeuSight (Lee, Phanishayee and Mahajan, ASPLOS 2025,\n"
          " * github.com/sitar-lab/NeuSight, commit 6945927), MIT License, Copyright (c) 2025 Georgia "
          "Institute of\n"
          " * Technology and Microsoft Corporation. The members of sooth_gpu_times in their order. "
          "Parameters and\n"
          " * levels have one line for each law.\n"
          " */\n"
          "#ifndef SOOTH_GPU_TIME_TABLE_H\n"
          "#define SOOTH_GPU_TIME_TABLE_H\n"
          "#include \"../base.h\"\n\n"
          "/* clang-format off */\n",
          to);
    fprintf(to, "#define SOOTHI_GPU_TIME_TABLE \\\n    {%u, {", (unsigned)t->gpus);
    for (unsigned g = 0; g < t->gpus; ++g) fprintf(to, "%s\"%s\"", g ? ", " : "", t->gpu[g]);
    fprintf(to, "}, \\\n     {");
    for (unsigned g = 0; g < t->gpus; ++g) fprintf(to, "%s%u", g ? ", " : "", (unsigned)t->compute[g]);
    fprintf(to, "}, {");
    for (unsigned g = 0; g < t->gpus; ++g) fprintf(to, "%s%u", g ? ", " : "", (unsigned)t->memory_bits[g]);
    fprintf(to, "}, {");
    for (unsigned g = 0; g < t->gpus; ++g) fprintf(to, "%s%g", g ? ", " : "", t->picojoules[g]);
    fprintf(to, "}, \\\n     {");
    for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law) {
        fprintf(to, "%s{", law ? ", \\\n      " : "");
        for (unsigned p = 0; p < SOOTH_GPU_PARAMETERS; ++p)
            fprintf(to, "%s%.5g", p ? ", " : "", t->parameter[law][p]);
        fprintf(to, "}");
    }
    fprintf(to, "}, \\\n     {");
    for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law) {
        fprintf(to, "%s{", law ? ", \\\n      " : "");
        for (unsigned g = 0; g < t->gpus; ++g) fprintf(to, "%s%.4f", g ? ", " : "", t->level[law][g]);
        fprintf(to, "}");
    }
    for (unsigned what = 0; what < 4; ++what) {
        fprintf(to, "}, \\\n     {");
        for (unsigned law = 0; law < SOOTH_GPU_ALL_LAWS; ++law)
            fprintf(to, "%s%.4g", law ? ", " : "",
                    what == 0   ? t->known[law]
                    : what == 1 ? t->unseen[law]
                    : what == 2 ? t->unit[law]
                                : t->most[law]);
    }
    fprintf(to, "}}\n\n/* A block of adapt.h, as words. */\n#define SOOTHI_GPU_TIME_ADAPT_WORDS %u\n",
            (unsigned)(adapt->head.size / 4));
    fprintf(to, "#define SOOTHI_GPU_TIME_ADAPT \\\n    {");
    for (unsigned i = 0; i < adapt->head.size / 4; ++i) {
        uint32_t word;
        memcpy(&word, (const unsigned char *)adapt + 4 * i, 4);
        fprintf(to, "%s0x%08Xu", !i ? "" : i % 8 ? ", " : ", \\\n     ", (unsigned)word);
    }
    fprintf(to, "}\n/* clang-format on */\n\n#endif /* SOOTH_GPU_TIME_TABLE_H */\n");
}

int main(int count, char **word) {
    static study s;
    static const unsigned few[] = {1, 2, 4, 8, 16};
    sooth_gpu_times all, out[GPUS];
    double left[64][CLASSES + 1] = {{0}}, in[64][CLASSES + 1] = {{0}};
    if (count != 2 && !(count == 4 && strcmp(word[2], "-o") == 0))
        die("usage: gpu_times FOLDER [-o TABLE.h]");
    sooth_env_init(&s.env);
    s.row = (row *)calloc(MOST_ROWS, sizeof *s.row);
    weighed *w = (weighed *)calloc(MOST_ROWS, sizeof *w);
    if (!s.row || !w) die("no memory");
    for (unsigned g = 0; g < GPUS; ++g)
        if (sooth_gpu_named(&s.env, ours[g], &s.gpu[g]) != SOOTH_OK) die(s.env.sentence);
    read_operators(&s, word[1], "train_bmm.csv", 0);
    read_operators(&s, word[1], "train_linear.csv", 0);
    read_operators(&s, word[1], "train_vector.csv", 0);
    read_operators(&s, word[1], "test_known_gpus.csv", 1);
    read_networks(&s, word[1]);
    fit_all(&s, &all, GPUS);
    judge(&s, &all, GPUS, 0, in);
    for (unsigned g = 0; g < GPUS; ++g) {
        fit_all(&s, &out[g], g);
        judge(&s, &out[g], g, 0, left);
    }
    for (unsigned law = 0; law < SOOTH_GPU_LAWS; ++law) {
        const sooth_gpu_times *known[GPUS], *unseen[GPUS];
        for (unsigned g = 0; g < GPUS; ++g) known[g] = &all, unseen[g] = &out[g];
        all.known[law] = spread_of(&s, known, law, GPUS, w);
        all.unit[law] = fmax(all.known[law], spread_of(&s, unseen, law, GPUS, w));
        all.unseen[law] = law == SOOTH_GPU_LAW_COPY /* few, and often no kernel */
                              ? all.unit[law]
                              : fmax(all.unit[law], unseen_spread(&s, unseen, law, GPUS, w));
        for (unsigned g = 0; g < GPUS; ++g) out[g].unit[law] = all.unit[law];
        for (unsigned g = 0; g < GPUS; ++g) out[g].unseen[law] = all.unseen[law];
        all.most[law] = 0.0;
        for (size_t i = 0; i < s.rows; ++i) {
            sooth_work work;
            if (s.row[i].law != law || sooth_operator_work(&s.env, &s.row[i].op, &work) != SOOTH_OK) continue;
            if (0.25 * work.memory_bytes > all.most[law]) all.most[law] = 0.25 * work.memory_bytes;
        }
    }
    all.known[SOOTH_GPU_LAW_KERNEL] = kernel_spread(&s, 0, w);
    all.unseen[SOOTH_GPU_LAW_KERNEL] = fmax(all.known[SOOTH_GPU_LAW_KERNEL], kernel_spread(&s, 1, w));
    all.unit[SOOTH_GPU_LAW_KERNEL] = all.unseen[SOOTH_GPU_LAW_KERNEL];
    all.most[SOOTH_GPU_LAW_KERNEL] = 0.0;
    for (unsigned law = 0; law < SOOTH_GPU_LAW_COPY; ++law)
        all.most[SOOTH_GPU_LAW_KERNEL] = fmax(all.most[SOOTH_GPU_LAW_KERNEL], all.most[law]);
    sooth_adapt *adapt = learn_errors(&s, out);
    const sooth_gpu_times *const each[GPUS] = {&out[0], &out[1], &out[2], &out[3], &out[4]};
    print_held(&s, each, left, w);
    printf("error in %% (mean log ratio): BMM, FC, EW, softmax, LN, end to end\n");
    for (int ood = 0; ood < 2; ++ood) {
        printf("%s\n", ood ? "12 networks marked out of distribution" : "26 networks in distribution");
        print_errors(&s, "GPU known", GPUS, ood, in);
        for (unsigned g = 0; g < GPUS; ++g) print_errors(&s, their[g], g, ood, in);
        print_errors(&s, "GPU left out", GPUS, ood, left);
        for (unsigned g = 0; g < GPUS; ++g) print_errors(&s, their[g], g, ood, left);
        for (unsigned k = 0; k < sizeof few / sizeof few[0]; ++k) {
            double ratio[64][CLASSES + 1] = {{0}};
            char title[20];
            for (unsigned g = 0; g < GPUS; ++g) judge(&s, &out[g], g, few[k], ratio);
            snprintf(title, sizeof title, "%u measured", few[k]);
            print_errors(&s, title, GPUS, ood, ratio);
        }
        print_rivals(&s, ood);
    }
    if (count == 4) {
        FILE *file = fopen(word[3], "wb");
        if (!file) die(word[3]);
        write_table(&all, adapt, file);
        if (fclose(file)) die(word[3]);
    } else write_table(&all, adapt, stdout);
    return 0;
}
