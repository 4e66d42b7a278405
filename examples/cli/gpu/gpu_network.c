/* gpu_network.c - sooth gpu network: the times of whole networks, given as lists of operators.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "sooth/adapt.h"
#include "sooth/gpu_time.h"
#include "sooth/base.h"

#include <math.h>

/* Classes of operators; a file may name its own in the column operator. */
static const char *const usual[] = {"BMM", "FC", "EW", "Softmax", "LN", "memory"};
enum { USUAL = sizeof usual / sizeof usual[0], MOST_CLASSES = 32, MEMORY = USUAL - 1 };

/* `count` runs of one operator. */
typedef struct item {
    sooth_operator op;
    double count;
    unsigned class;
    size_t line;
} item;

/* One network on one GPU of the file. */
typedef struct graph {
    const char *name, *gpu; /* "bert_large, inf, 8, 512"; of the column gpu, or "" */
    sooth_gpu board;        /* that gpu names; no name: none that is known */
    size_t line, rows;      /* its first row, and their number */
    item *item;
    size_t items, room;
    double measured[MOST_CLASSES]; /* ms, by the column label_ms; */
    int is_unmeasured;             /* 1: there is no such column, or a row without it */
} graph;

typedef struct nets {
    sooth_env *env;
    const char *path;
    sooth_csv csv;
    const char *class[MOST_CLASSES];
    unsigned classes;
    graph *graph;
    size_t graphs;
} nets;

/* ---- the file ---- */

static size_t column_for(const nets *n, const char *name) { return operator_column(n->path, &n->csv, name); }

/* Returns the index of a numeric column; the number of columns if there is none. *factor is that of its unit
   to ms; NULL: it has no unit. */
static size_t numbers_for(const nets *n, const char *name, double *factor) {
    const size_t j = column_for(n, name);
    if (factor) *factor = 1.0;
    if (j >= n->csv.cols) return j;
    if (n->csv.column[j].is_text) column_is_text(n->path, &n->csv, j);
    if (factor) *factor = column_factor(n->path, &n->csv, j, "ms");
    else column_has_no_unit(n->path, &n->csv, j);
    return j;
}

static double cell(const nets *n, size_t row, size_t column, double otherwise) {
    const float v = column < n->csv.cols ? n->csv.cell[row * n->csv.cols + column] : (float)NAN;
    return v == v ? (double)v : otherwise;
}

/* Returns a copy of the text of a cell; "" if it is empty. */
static const char *words(const nets *n, size_t row, size_t column) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *text = column < n->csv.cols ? text_of_cell(&n->csv, row, column, number) : NULL;
    return text ? strcpy((char *)allocate(strlen(text) + 1, 1), text) : "";
}

/* Returns the name of the network of a row: everything that separates it from others. batch is a size of the
   operators of a language model, which have data types. */
static const char *name_of_row(const nets *n, size_t row) {
    static const char *const part[] = {"network", "mode", "batch", "seqlen"};
    const int is_language = column_for(n, "dtype") < n->csv.cols;
    char name[300] = "";
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i) {
        if (is_language && strcmp(part[i], "batch") == 0) continue;
        const char *text = words(n, row, column_for(n, part[i]));
        if (*text)
            snprintf(name + strlen(name), sizeof name - strlen(name), *name ? " %.60s" : "%.60s", text);
    }
    return strcpy((char *)allocate(strlen(name) + 1, 1), name);
}

/* Returns the graph of a name and of the board that gpu names, in whatever words. */
static graph *graph_of(nets *n, const char *name, const char *gpu) {
    sooth_gpu board;
    memset(&board, 0, sizeof board);
    if (*gpu && !gpu_board_find(n->env, gpu, &board)) board.name[0] = 0;
    for (size_t i = n->graphs; i-- > 0;)
        if (strcmp(n->graph[i].name, name) == 0 &&
            (*board.name ? strcmp(n->graph[i].board.name, board.name) == 0
                         : strcmp(n->graph[i].gpu, gpu) == 0))
            return &n->graph[i];
    if (n->graphs % 16 == 0) {
        graph *more = (graph *)allocate(n->graphs + 16, sizeof *more);
        if (n->graphs) memcpy(more, n->graph, n->graphs * sizeof *more);
        free(n->graph);
        n->graph = more;
    }
    graph *made = &n->graph[n->graphs++];
    made->name = name;
    made->gpu = gpu;
    made->board = board;
    return made;
}

static unsigned class_named(nets *n, const char *name, const char *where) {
    unsigned c = 0;
    while (c < n->classes && strcmp(n->class[c], name) != 0) ++c;
    if (c == MOST_CLASSES) die(BAD_INPUT, "%smore than %d classes in column operator", where, MOST_CLASSES);
    if (c == n->classes) n->class[n->classes++] = name;
    return c;
}

/* Returns the default class of an operator: one of `usual`, or its kind in a language model. */
static unsigned class_of(nets *n, uint32_t kind, const char *where) {
    if (operator_is_language(kind)) return class_named(n, sooth_operator_name(kind), where);
    return sooth_operator_kind_form((sooth_operator_kind)kind) == SOOTH_OPERATOR_COPY
               ? (unsigned)MEMORY
               : (unsigned)sooth_gpu_law_for((sooth_operator_kind)kind);
}

/* True for a copy of one element or none: it has another way to look at the same data, and runs no kernel. */
static int is_view(const sooth_operator *op) {
    const int known = op->in_elements > 0.0 || op->out_elements > 0.0;
    return op->kind == SOOTH_OPERATOR_MEM && known && (op->in_elements <= 1.0 || op->out_elements <= 1.0);
}

static void add_item(graph *g, const item *it) {
    if (g->items == g->room) {
        item *more = (item *)allocate(g->room = 2 * g->room + 32, sizeof *more);
        if (g->items) memcpy(more, g->item, g->items * sizeof *more);
        free(g->item);
        g->item = more;
    }
    g->item[g->items++] = *it;
}

/* Reads "bmm:256:512:64:512+mem:1:::64": op:b:m:n:k, with empty sizes that the operator does not have. */
static void add_kernels(nets *n, graph *g, item it, int by_kind, const char *text, const char *where) {
    while (*text) {
        char name[24];
        double size[4] = {0, 0, 0, 0};
        const size_t length = strcspn(text, ":+");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, text);
        it.op.kind = operator_read(name, where);
        if (operator_is_language(it.op.kind))
            die(BAD_INPUT, "%skernels has %s, but its sizes and data type need columns of their own", where,
                name);
        text += length;
        for (unsigned i = 0; *text == ':'; ++i) {
            const size_t digits = strcspn(++text, ":+");
            if (i == 4 || (digits && sooth_text_to_double(text, digits, &size[i]) != digits))
                die(BAD_INPUT, "%skernels has %.40s, but an operator is op:b:m:n:k, joined by +", where,
                    printable(text));
            text += digits;
        }
        it.op.b = size[0], it.op.m = size[1], it.op.n = size[2], it.op.k = size[3];
        if (by_kind) it.class = class_of(n, it.op.kind, where);
        if (!is_view(&it.op)) add_item(g, &it);
        text += *text == '+';
    }
}

static void read_rows(nets *n) {
    const size_t kernels = column_for(n, "kernels"), gpu = column_for(n, "gpu");
    double factor;
    const size_t of_class = column_for(n, "operator"), label = numbers_for(n, "label_ms", &factor);
    operator_columns columns;
    const size_t in = numbers_for(n, "in_elements", NULL), out = numbers_for(n, "out_elements", NULL),
                 count = numbers_for(n, "count", NULL);
    operator_columns_find(n->path, &n->csv, &columns);
    if (kernels == SOOTH_NONE && columns.op == SOOTH_NONE)
        die(BAD_INPUT, "%s needs the columns op, b, k, and for products m and n, or a column kernels",
            n->path);
    for (size_t i = 0; i < n->csv.rows; ++i) {
        char where[400];
        item it;
        memset(&it, 0, sizeof it);
        snprintf(where, sizeof where, "%s: line %zu: ", n->path, (size_t)n->csv.line[i]);
        graph *g = graph_of(n, name_of_row(n, i), words(n, i, gpu));
        it.line = n->csv.line[i];
        if (!g->line) g->line = it.line;
        ++g->rows;
        it.count = cell(n, i, count, 1.0);
        if (!(it.count >= 0.0 && it.count < 1e15))
            die(BAD_INPUT, "%scount is %s, but must be from 0 to 1e15", where, human(it.count, 4));
        if (of_class != SOOTH_NONE) it.class = class_named(n, words(n, i, of_class), where);
        if (kernels != SOOTH_NONE) {
            it.op.in_elements = cell(n, i, in, 0.0);
            it.op.out_elements = cell(n, i, out, 0.0);
            add_kernels(n, g, it, of_class == SOOTH_NONE, words(n, i, kernels), where);
        } else {
            it.op = operator_of_row(&columns, &n->csv, i, SOOTH_NONE, where);
            it.op.in_elements = cell(n, i, in, 0.0);
            it.op.out_elements = cell(n, i, out, 0.0);
            if (of_class == SOOTH_NONE) it.class = class_of(n, it.op.kind, where);
            if (!is_view(&it.op)) add_item(g, &it);
        }
        const double ms = factor * cell(n, i, label, -1.0);
        if (!(ms >= 0.0) || !*g->gpu) g->is_unmeasured = 1;
        else g->measured[it.class] += it.count * ms;
    }
}

/* ---- one network on one GPU ---- */

typedef struct timed {
    sooth_gpu gpu;
    double ms[MOST_CLASSES], low[MOST_CLASSES], high[MOST_CLASSES];
    double all, least, most;
    double beyond; /* share of the time in operators unlike those of the training data */
    const graph *measured;
} timed;

/* Returns the square root; float precision is enough for the end of an interval. */
static double root(double x) { return x > 0.0 ? (double)sooth_exp(0.5f * sooth_log((float)x)) : 0.0; }

/* Errors of operators of one class are correlated, as is the level of the device: the ends of their intervals
   are added. Errors of classes are independent: the distances to the ends are added as squares. */
static void time_graph(const nets *n, const graph *g, timed *t) {
    sooth_gpu_timer timer;
    double below = 0.0, above = 0.0;
    if (sooth_gpu_timer_init(n->env, &timer, &t->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, n->env);
    for (size_t i = 0; i < g->items; ++i) {
        const item *it = &g->item[i];
        sooth_gpu_timing one;
        if (sooth_gpu_time(n->env, &timer, &it->op, &one) != SOOTH_OK)
            die(BAD_INPUT, "%s: line %zu: %s", n->path, it->line, n->env->sentence);
        t->ms[it->class] += it->count * one.ms;
        t->low[it->class] += it->count * one.low;
        t->high[it->class] += it->count * one.high;
        if (one.trust != SOOTH_MODEL_TRUST_INSIDE) t->beyond += it->count * one.ms;
    }
    for (unsigned c = 0; c < n->classes; ++c) {
        t->all += t->ms[c];
        below += (t->ms[c] - t->low[c]) * (t->ms[c] - t->low[c]);
        above += (t->high[c] - t->ms[c]) * (t->high[c] - t->ms[c]);
    }
    t->least = t->all - root(below);
    t->most = t->all + root(above);
    t->beyond /= t->all > 0.0 ? t->all : 1.0;
}

static double measured_all(const nets *n, const graph *g) {
    double sum = 0.0;
    for (unsigned c = 0; c < n->classes; ++c) sum += g->measured[c];
    return sum;
}

/* ---- printing ---- */

static void print_line(grid *g, const timed *t, double ms, double low, double high, double measured) {
    if (!(ms > 0.0)) grid_add(g, "-");
    else grid_add(g, "%s (%s to %s)", human(ms, 3), human_like(low, ms, 3), human_like(high, ms, 3));
    if (t->measured) grid_add(g, measured > 0.0 ? "%s" : "-", human(measured, 3));
}

static void print_network(const nets *n, const char *name, const timed *t, size_t gpus) {
    grid g;
    size_t cols = 1 + gpus;
    for (size_t i = 0; i < gpus; ++i) cols += t[i].measured != NULL;
    grid_init(&g, cols, 1);
    grid_add(&g, "ms (90 %%)");
    for (size_t i = 0; i < gpus; ++i) {
        grid_add(&g, "%s", t[i].gpu.name);
        if (t[i].measured) grid_add(&g, "measured");
    }
    for (unsigned c = 0; c < n->classes; ++c) {
        double any = 0.0;
        for (size_t i = 0; i < gpus; ++i) any += t[i].ms[c];
        if (!(any > 0.0)) continue;
        grid_add(&g, "%s", printable(n->class[c]));
        for (size_t i = 0; i < gpus; ++i)
            print_line(&g, &t[i], t[i].ms[c], t[i].low[c], t[i].high[c],
                       t[i].measured ? t[i].measured->measured[c] : 0.0);
    }
    grid_add(&g, "end to end");
    for (size_t i = 0; i < gpus; ++i)
        print_line(&g, &t[i], t[i].all, t[i].least, t[i].most,
                   t[i].measured ? measured_all(n, t[i].measured) : 0.0);
    grid_add(&g, "not as learned");
    for (size_t i = 0; i < gpus; ++i) {
        grid_add(&g, "%s %%", human(100.0 * t[i].beyond, 2));
        if (t[i].measured) grid_add(&g, " ");
    }
    if (*name) printf("%s\n", printable(name));
    grid_print(&g, stdout, "  ");
}

static void json_times(json *j, double ms, double low, double high) {
    json_number(j, "ms", ms);
    json_number(j, "low_ms", low);
    json_number(j, "high_ms", high);
}

static void json_network(json *j, const nets *n, const char *name, const timed *t, size_t gpus) {
    json_open(j, NULL, '{');
    json_text(j, "network", name);
    json_open(j, "gpus", '[');
    for (size_t i = 0; i < gpus; ++i) {
        json_open(j, NULL, '{');
        json_text(j, "gpu", t[i].gpu.name);
        json_times(j, t[i].all, t[i].least, t[i].most);
        json_number(j, "share_not_as_learned", t[i].beyond);
        if (t[i].measured) json_number(j, "measured_ms", measured_all(n, t[i].measured));
        json_open(j, "classes", '[');
        for (unsigned c = 0; c < n->classes; ++c) {
            if (!(t[i].ms[c] > 0.0)) continue;
            json_open(j, NULL, '{');
            json_text(j, "class", n->class[c]);
            json_times(j, t[i].ms[c], t[i].low[c], t[i].high[c]);
            if (t[i].measured) json_number(j, "measured_ms", t[i].measured->measured[c]);
            json_close(j, '}');
        }
        json_close(j, ']');
        json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
}

/* ---- all of them ---- */

/* Finds the GPU that the rows of a graph name. */
static void gpu_of_graph(const nets *n, const graph *g, sooth_gpu *gpu) {
    char at[400];
    snprintf(at, sizeof at, "%s: line %zu", n->path, g->line);
    if (*g->board.name) *gpu = g->board;
    else gpu_board_open(n->env, at, g->gpu, gpu);
}

/* True if the rows of a graph name this GPU, which was asked for by `name`. */
static int names_gpu(const graph *g, const sooth_gpu *gpu, const char *name) {
    return strcmp(g->board.name, gpu->name) == 0 || strcmp(g->gpu, name) == 0;
}

/* Returns the graph of a network whose rows name this GPU; if none does, the first one. *left_out gets the
   rows of its others. */
static const graph *graph_for(const nets *n, size_t first, const sooth_gpu *gpu, const char *name,
                              size_t *left_out) {
    const graph *of = &n->graph[first];
    size_t rows = 0;
    for (size_t k = first; k < n->graphs; ++k) {
        const graph *g = &n->graph[k];
        if (strcmp(g->name, n->graph[first].name) != 0) continue;
        rows += g->rows;
        if (names_gpu(g, gpu, name)) of = g;
    }
    *left_out += rows - of->rows;
    return of;
}

/* Computes the times on all GPUs of the network whose first graph is number `first`. left_out[i] gets the
   rows of other GPUs than number i. */
static size_t time_network(const nets *n, size_t first, char **gpus, size_t count, size_t *left_out,
                           timed *t) {
    size_t timed_gpus = 0;
    for (size_t i = 0; i < count; ++i) {
        sooth_gpu *gpu = &t[timed_gpus].gpu;
        gpu_board_open(n->env, NULL, gpus[i], gpu);
        const graph *g = graph_for(n, first, gpu, gpus[i], &left_out[i]);
        if (!g->is_unmeasured && names_gpu(g, gpu, gpus[i])) t[timed_gpus].measured = g;
        time_graph(n, g, &t[timed_gpus++]);
    }
    for (size_t k = first; !count && k < n->graphs; ++k) { /* each on the GPU of its rows */
        const graph *g = &n->graph[k];
        if (strcmp(g->name, n->graph[first].name) != 0) continue;
        if (!*g->gpu) die(BAD_USE, "choose the GPUs with --gpu, or in a column gpu of %s", n->path);
        gpu_of_graph(n, g, &t[timed_gpus].gpu);
        if (!g->is_unmeasured) t[timed_gpus].measured = g;
        time_graph(n, g, &t[timed_gpus++]);
    }
    return timed_gpus;
}

int gpu_network_run(const arguments *args) {
    nets n;
    size_t count;
    char **gpus = arguments_list(args, "gpu", &count);
    const int as_json = arguments_has(args, "json");
    json j;
    static const char *const names[] = {"network", "mode", "op", "operator", "gpu", "dtype"};
    if (arguments_has(args, "model")) return gpu_language_run(args);
    if (args->words != 2)
        die(BAD_USE,
            "sooth gpu network needs one file: a table of operators; or a language model, with --model");
    memset(&n, 0, sizeof n);
    n.env = env_open(args);
    n.path = args->word[1];
    for (unsigned c = 0; c < USUAL; ++c) n.class[n.classes++] = usual[c];
    const sooth_csv_options options = {.names = names, .name_count = sizeof names / sizeof names[0]};
    csv_open(n.env, n.path, &options, &n.csv);
    read_rows(&n);
    size_t *left_out = (size_t *)allocate(count + 1, sizeof *left_out);
    if (as_json) json_begin(&j, stdout);
    if (as_json) json_open(&j, "networks", '[');
    for (size_t i = 0; i < n.graphs; ++i) {
        int is_first = 1;
        for (size_t k = 0; k < i; ++k) is_first &= strcmp(n.graph[k].name, n.graph[i].name) != 0;
        if (!is_first) continue;
        timed *t = (timed *)allocate(count + n.graphs, sizeof *t);
        const size_t of = time_network(&n, i, gpus, count, left_out, t);
        if (as_json) json_network(&j, &n, n.graph[i].name, t, of);
        else print_network(&n, n.graph[i].name, t, of);
        free(t);
    }
    if (as_json) json_close(&j, ']');
    if (as_json) json_end(&j);
    for (size_t i = 0; i < count; ++i)
        if (left_out[i])
            fprintf(stderr, "%s: %s of other GPUs left out of the times on %s\n", n.path,
                    counted(left_out[i], "row", "rows"), printable(gpus[i]));
    gpu_remarks();
    return finish();
}
