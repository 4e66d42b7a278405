/* gpu_time.c - sooth gpu time: the time of an operator on a GPU, one or a table of them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../model/model_cli.h"
#include "sooth/adapt.h"
#include "sooth/gpu_time.h"

uint32_t operator_read(const char *name, const char *where) {
    const char *names[SOOTH_OPERATORS];
    const size_t kind = sooth_operator_find(name);
    for (size_t i = 0; i < SOOTH_OPERATORS; ++i) names[i] = sooth_operator_name(i);
    if (kind != SOOTH_NONE) return (uint32_t)kind;
    char list[400] = "";
    for (size_t i = 0; i < SOOTH_OPERATORS; ++i)
        snprintf(list + strlen(list), sizeof list - strlen(list), i ? ", %s" : "%s", names[i]);
    die(*where ? BAD_INPUT : BAD_USE, "%sunknown operator %s%s; the operators are %s", where, printable(name),
        did_you_mean(name, names, SOOTH_OPERATORS), list);
}

static int has_four(uint32_t kind) {
    return sooth_operator_kind_form((sooth_operator_kind)kind) <= SOOTH_OPERATOR_FUSED;
}

/* Reads "B,M,N,K", or "M,N,K" for a product; else "B,K", or "K". */
static void shape_read(const char *text, sooth_operator *op) {
    double size[4];
    size_t count, n = 0;
    char **piece = split_list(text, &count);
    for (; n < count && n < 4; ++n)
        if (!*piece[n] || sooth_text_to_double(piece[n], strlen(piece[n]), &size[n]) != strlen(piece[n]))
            break;
    const size_t most = has_four(op->kind) ? 4 : 2;
    if (n < count || count > most || count + 1 < most)
        die(BAD_USE, "--shape is %s, but %s has %s", printable(text), sooth_operator_name(op->kind),
            most == 4 ? "B,M,N,K: B products of M x N by N x K" : "B,K: B rows of K elements");
    op->b = count == most ? size[0] : 1.0;
    op->k = size[count - 1];
    if (most == 4) op->n = size[count - 2], op->m = size[count - 3];
}

/* A GPU, and measurements on it. */
typedef struct device {
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    sooth_adapt_program *known;
} device;

static sooth_gpu_timing time_of(sooth_env *env, const device *on, const sooth_operator *op,
                                const char *where) {
    sooth_gpu_timing t;
    if (sooth_gpu_time_adapted(env, &on->timer, on->known, op, &t) != SOOTH_OK)
        die(BAD_INPUT, "%s%s", where, env->sentence);
    return t;
}

/* ---- a table ---- */

typedef struct table {
    const char *path;
    table_file file;
    size_t op, gpu, size[4], in, out;
} table;

static double cell(const table *t, size_t row, size_t column) {
    const sooth_csv *csv = &t->file.csv;
    const float v = column < csv->cols ? csv->cell[row * csv->cols + column] : 0.0f;
    return v == v ? (double)v : 0.0;
}

static size_t column_if_there(const table *t, const char *name, int numbers, int needed) {
    const sooth_csv *csv = &t->file.csv;
    const size_t j = sooth_csv_find(csv, name);
    if (j == SOOTH_NONE && needed)
        die(BAD_INPUT, "%s has no column %s; it needs op, gpu (or --gpu), b, k, and for products m and n",
            t->path, name);
    if (j < csv->cols && numbers && csv->column[j].is_text) column_is_text(t->path, csv, j);
    return j;
}

static void table_open(sooth_env *env, const char *path, int gpu_needed, table *t) {
    static const char *const size_name[4] = {"b", "m", "n", "k"};
    static const char *const names[] = {"op", "gpu"};
    const sooth_csv_options none_will_do = {.no_rows = 1, .names = names, .name_count = 2};
    memset(t, 0, sizeof *t);
    t->path = path;
    t->file.text = read_file(path, NULL, &t->file.size);
    t->file.has_header = 1;
    csv_read(env, path, t->file.text, t->file.size, &none_will_do, &t->file.csv);
    const sooth_csv *csv = &t->file.csv;
    t->op = column_if_there(t, "op", 0, 1);
    t->gpu = column_if_there(t, "gpu", 0, gpu_needed);
    if (gpu_needed && csv->rows && !csv->column[t->gpu].is_text)
        die(BAD_INPUT, "column gpu of %s does not hold names of GPUs", path);
    for (unsigned i = 0; i < 4; ++i) t->size[i] = column_if_there(t, size_name[i], 1, i == 0 || i == 3);
    t->in = column_if_there(t, "in_elements", 1, 0);
    t->out = column_if_there(t, "out_elements", 1, 0);
}

/* Reads the operator of a row; `where` becomes "file: line 3: ". */
static sooth_operator operator_at(const table *t, size_t row, char where[400]) {
    const sooth_csv *csv = &t->file.csv;
    char number[SOOTH_TEXT_NUMBER_SIZE];
    sooth_operator op;
    memset(&op, 0, sizeof op);
    snprintf(where, 400, "%s: line %zu: ", t->path, (size_t)csv->line[row]);
    const char *name = text_of_cell(csv, row, t->op, number);
    op.kind = operator_read(name ? name : "", where);
    op.b = cell(t, row, t->size[0]);
    op.m = cell(t, row, t->size[1]);
    op.n = cell(t, row, t->size[2]);
    op.k = cell(t, row, t->size[3]);
    if (sooth_operator_kind_form((sooth_operator_kind)op.kind) == SOOTH_OPERATOR_VECTOR) {
        op.in_elements = cell(t, row, t->in);
        op.out_elements = cell(t, row, t->out);
    }
    return op;
}

/* ---- devices ---- */

/* Reads the rows of --measured that name a device, or all rows if there is no column gpu. */
static void device_observe(sooth_env *env, device *on, const char *path) {
    table t;
    char where[400];
    table_open(env, path, 0, &t);
    const sooth_csv *csv = &t.file.csv;
    size_t ms = column_if_there(&t, "measured_ms", 1, 0);
    if (ms == SOOTH_NONE) ms = column_if_there(&t, "latency_ms", 1, 0);
    if (ms == SOOTH_NONE) die(BAD_INPUT, "%s has no column measured_ms (or latency_ms)", path);
    for (size_t i = 0; i < csv->rows; ++i) {
        if (t.gpu < csv->cols) {
            char number[SOOTH_TEXT_NUMBER_SIZE];
            const char *name = text_of_cell(csv, i, t.gpu, number);
            sooth_gpu gpu;
            gpu_board_open(env, path, name ? name : "", &gpu);
            if (strcmp(gpu.name, on->gpu.name) != 0) continue;
        }
        const sooth_operator op = operator_at(&t, i, where);
        if (sooth_gpu_time_observe(env, &on->timer, on->known, &op, cell(&t, i, ms)) != SOOTH_OK)
            die(BAD_INPUT, "%s%s", where, env->sentence);
    }
}

static void device_open(sooth_env *env, const arguments *args, const char *table, const char *name,
                        device *on) {
    const sooth_adapt *adapt = sooth_gpu_time_adapt();
    const char *measured = arguments_text(args, "measured");
    gpu_board_open(env, table, name, &on->gpu);
    if (sooth_gpu_timer_init(env, &on->timer, &on->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, env);
    const size_t size = sooth_adapt_program_size(adapt);
    on->known = sooth_adapt_begin(adapt, allocate(1, size), size);
    if (measured) device_observe(env, on, measured);
}

static int table_run(const arguments *args, sooth_env *env, const device *given) {
    const char *path = arguments_text(args, "csv"), *output = arguments_text(args, "output");
    const char *const inputs[] = {path, arguments_text(args, "measured")};
    size_t of[3] = {0, 0, 0};
    table t;
    table_open(env, path, !given, &t);
    const sooth_csv *csv = &t.file.csv;
    const size_t names = given ? 0 : csv->column[t.gpu].texts;
    device *named = (device *)allocate(names + 1, sizeof *named);
    float *ms = (float *)allocate(3 * csv->rows + 1, sizeof *ms);
    const char **trust = (const char **)allocate(csv->rows + 1, sizeof *trust);
    for (size_t i = 0; i < names; ++i) device_open(env, args, path, csv->column[t.gpu].text[i], &named[i]);
    for (size_t i = 0; i < csv->rows; ++i) {
        char where[400];
        const sooth_operator op = operator_at(&t, i, where);
        const float v = given ? 0.0f : csv->cell[i * csv->cols + t.gpu];
        if (!(v == v)) die(BAD_INPUT, "%sgpu is missing", where);
        const sooth_gpu_timing at = time_of(env, given ? given : &named[(size_t)v], &op, where);
        ms[3 * i] = (float)at.ms;
        ms[3 * i + 1] = (float)at.low;
        ms[3 * i + 2] = (float)at.high;
        trust[i] = trust_word(at.trust);
        ++of[at.trust];
    }
    const addition add[] = {{.stem = "predicted_ms", .number = ms, .stride = 3},
                            {.stem = "low_ms", .number = ms + 1, .stride = 3},
                            {.stem = "high_ms", .number = ms + 2, .stride = 3},
                            {.stem = "trust", .text = trust, .stride = 1}};
    FILE *file = output_open(output ? output : "-", arguments_has(args, "force"), inputs, inputs[1] ? 2 : 1);
    table_append(&t.file, path, add, sizeof add / sizeof add[0], file);
    output_close();
    fprintf(stderr, "%s: %s inside the training range, %zu at the edge, %zu outside\n", path,
            counted(of[SOOTH_MODEL_TRUST_INSIDE], "row", "rows"), of[SOOTH_MODEL_TRUST_EDGE],
            of[SOOTH_MODEL_TRUST_OUTSIDE]);
    return finish();
}

/* ---- one operator ---- */

static void print_timing(grid *g, json *j, const sooth_gpu *gpu, const sooth_gpu_timing *t) {
    if (j) {
        json_open(j, NULL, '{');
        json_text(j, "gpu", gpu->name);
        json_number(j, "ms", t->ms);
        json_number(j, "low_ms", t->low);
        json_number(j, "high_ms", t->high);
        json_text(j, "bound", sooth_roofline_bound_name(t->bound));
        json_text(j, "trust", trust_word(t->trust));
        json_close(j, '}');
        return;
    }
    grid_add(g, "%s", gpu->name);
    grid_add(g, "%s", human(t->ms, 3));
    grid_add(g, "%s to %s", human(t->low, 3), human(t->high, 3));
    grid_add(g, "%s", sooth_roofline_bound_name(t->bound));
    grid_add(g, "%s", trust_word(t->trust));
}

int gpu_time_run(const arguments *args) {
    static const char *const head[] = {"GPU", "ms", "90 %", "bound by", "trust"};
    const char *name = arguments_text(args, "op"), *shape = arguments_text(args, "shape");
    sooth_env *env = env_open(args);
    size_t count;
    char **gpus = arguments_list(args, "gpu", &count);
    sooth_operator op;
    json j;
    grid g;
    device on;
    if (arguments_has(args, "csv")) {
        if (name || shape) die(BAD_USE, "--csv lists the operators; leave out --op and --shape");
        if (count > 1)
            die(BAD_USE, "--gpu names %zu GPUs, but a table takes one for all rows, or has a column gpu",
                count);
        if (count) device_open(env, args, NULL, gpus[0], &on);
        return table_run(args, env, count ? &on : NULL);
    }
    if (!name || !shape || !count)
        die(BAD_USE,
            "choose an operator with --op, --shape and --gpu, or give a table of operators with --csv");
    memset(&op, 0, sizeof op);
    op.kind = operator_read(name, "");
    shape_read(shape, &op);
    const int as_json = arguments_has(args, "json");
    if (as_json) {
        json_begin(&j, stdout);
        json_text(&j, "op", name);
        json_open(&j, "times", '[');
    } else {
        grid_init(&g, sizeof head / sizeof head[0], 1);
        for (size_t i = 0; i < sizeof head / sizeof head[0]; ++i) grid_add(&g, "%s", head[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        device_open(env, args, NULL, gpus[i], &on);
        const sooth_gpu_timing t = time_of(env, &on, &op, "");
        print_timing(&g, as_json ? &j : NULL, &on.gpu, &t);
    }
    if (as_json) {
        json_close(&j, ']');
        json_end(&j);
    } else {
        grid_print(&g, stdout, "  ");
    }
    return finish();
}
