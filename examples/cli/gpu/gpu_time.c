/* gpu_time.c - sooth gpu time: the time of an operator on a GPU, one or a table of them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../model/model_cli.h"
#include "sooth/adapt.h"
#include "sooth/gpu_time.h"

/* A GPU, and measurements on it. */
typedef struct device {
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    sooth_adapt_program *known; /* NULL: not open */
    size_t measured;            /* rows of it */
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
    operator_columns columns;
    size_t in, out;
} table;

static double cell(const table *t, size_t row, size_t column) {
    const sooth_csv *csv = &t->file.csv;
    const float v = column < csv->cols ? csv->cell[row * csv->cols + column] : 0.0f;
    return v == v ? (double)v : 0.0;
}

/* Returns the index of a column of numbers; SOOTH_NONE if there is none. */
static size_t numbers_for(const table *t, const char *name) {
    const sooth_csv *csv = &t->file.csv;
    const size_t j = sooth_csv_find(csv, name);
    if (j < csv->cols && csv->column[j].is_text) column_is_text(t->path, csv, j);
    return j;
}

static void table_open(sooth_env *env, const char *path, int gpu_needed, table *t) {
    static const char *const names[] = {"op", "gpu", "dtype"};
    const sooth_csv_options none_will_do = {.no_rows = 1, .names = names, .name_count = 3};
    memset(t, 0, sizeof *t);
    t->path = path;
    t->file.text = read_file(path, NULL, &t->file.size);
    t->file.has_header = 1;
    csv_read(env, path, t->file.text, t->file.size, &none_will_do, &t->file.csv);
    const sooth_csv *csv = &t->file.csv;
    operator_columns_find(path, csv, &t->columns);
    if (t->columns.op == SOOTH_NONE || (gpu_needed && t->columns.gpu == SOOTH_NONE))
        die(BAD_INPUT, "%s has no column %s; it needs op, gpu (or --gpu) and the sizes of its operators",
            path, t->columns.op == SOOTH_NONE ? "op" : "gpu");
    if (gpu_needed && csv->rows && !csv->column[t->columns.gpu].is_text)
        die(BAD_INPUT, "column gpu of %s does not hold names of GPUs", path);
    t->in = numbers_for(t, "in_elements");
    t->out = numbers_for(t, "out_elements");
}

/* Reads the operator of a row; `where` becomes "file: line 3: ". */
static sooth_operator operator_at(const table *t, size_t row, size_t dtype, char where[400]) {
    sooth_operator op = operator_of_row(&t->columns, &t->file.csv, row, dtype, where);
    if (sooth_operator_kind_form((sooth_operator_kind)op.kind) == SOOTH_OPERATOR_VECTOR) {
        op.in_elements = cell(t, row, t->in);
        op.out_elements = cell(t, row, t->out);
    }
    return op;
}

/* Finds the GPU that a row names. */
static void gpu_of_row(sooth_env *env, const table *t, size_t row, sooth_gpu *gpu) {
    char number[SOOTH_TEXT_NUMBER_SIZE], at[400];
    const sooth_csv *csv = &t->file.csv;
    const char *name = text_of_cell(csv, row, t->columns.gpu, number);
    snprintf(at, sizeof at, "%s: line %zu", t->path, (size_t)csv->line[row]);
    if (!name) die(BAD_INPUT, "%s: gpu is missing", at);
    gpu_board_open(env, at, name, gpu);
}

/* ---- devices ---- */

/* Reads the rows of --measured that name a device, or all rows if there is no column gpu. */
static void device_observe(sooth_env *env, device *on, size_t dtype, const char *path) {
    static const char *const time[] = {"measured_ms", "latency_ms", "ms"};
    table t;
    char where[400];
    size_t ms = SOOTH_NONE;
    table_open(env, path, 0, &t);
    const sooth_csv *csv = &t.file.csv;
    for (size_t i = 0; i < 3 && ms == SOOTH_NONE; ++i) ms = numbers_for(&t, time[i]);
    if (ms == SOOTH_NONE) die(BAD_INPUT, "%s has no column measured_ms (or latency_ms, or ms)", path);
    for (size_t i = 0; i < csv->rows; ++i) {
        sooth_gpu gpu;
        if (t.columns.gpu < csv->cols) {
            gpu_of_row(env, &t, i, &gpu);
            if (strcmp(gpu.name, on->gpu.name) != 0) continue;
        }
        const sooth_operator op = operator_at(&t, i, dtype, where);
        if (sooth_gpu_time_observe(env, &on->timer, on->known, &op, cell(&t, i, ms)) != SOOTH_OK)
            die(BAD_INPUT, "%s%s", where, env->sentence);
        ++on->measured;
    }
}

static void device_open(sooth_env *env, const arguments *args, size_t dtype, device *on) {
    const sooth_adapt *adapt = sooth_gpu_time_adapt();
    const char *measured = arguments_text(args, "measured");
    if (sooth_gpu_timer_init(env, &on->timer, &on->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, env);
    const size_t size = sooth_adapt_program_size(adapt);
    on->known = sooth_adapt_begin(adapt, allocate(1, size), size);
    if (!measured) return;
    device_observe(env, on, dtype, measured);
    if (!on->measured)
        fprintf(stderr, "%s: no row was measured on %s, so its times are not corrected\n", measured,
                on->gpu.name);
}

static int table_run(const arguments *args, sooth_env *env, const device *given, size_t dtype) {
    const char *path = arguments_text(args, "csv"), *output = arguments_text(args, "output");
    const char *const inputs[] = {path, arguments_text(args, "measured")};
    size_t of[3] = {0, 0, 0};
    table t;
    table_open(env, path, !given, &t);
    const sooth_csv *csv = &t.file.csv;
    const size_t names = given ? 0 : csv->column[t.columns.gpu].texts;
    device *named = (device *)allocate(names + 1, sizeof *named);
    float *ms = (float *)allocate(3 * csv->rows + 1, sizeof *ms);
    const char **trust = (const char **)allocate(csv->rows + 1, sizeof *trust);
    for (size_t i = 0; i < csv->rows; ++i) {
        char where[400];
        const sooth_operator op = operator_at(&t, i, dtype, where);
        const device *on = given;
        if (!given) {
            const float v = csv->cell[i * csv->cols + t.columns.gpu];
            if (!(v == v)) die(BAD_INPUT, "%sgpu is missing", where);
            device *of_name = &named[(size_t)v];
            if (!of_name->known) {
                gpu_of_row(env, &t, i, &of_name->gpu);
                device_open(env, args, dtype, of_name);
            }
            on = of_name;
        }
        const sooth_gpu_timing at = time_of(env, on, &op, where);
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
    const char *type = arguments_text(args, "dtype");
    sooth_env *env = env_open(args);
    const size_t dtype = type ? data_type_read(type, "") : SOOTH_NONE;
    size_t count;
    char **gpus = arguments_list(args, "gpu", &count);
    sooth_operator op;
    json j;
    grid g;
    device on;
    memset(&on, 0, sizeof on);
    if (arguments_has(args, "csv")) {
        if (name || shape) die(BAD_USE, "--csv lists the operators; leave out --op and --shape");
        if (count > 1)
            die(BAD_USE, "--gpu names %zu GPUs, but a table takes one for all rows, or has a column gpu",
                count);
        if (count) {
            gpu_board_open(env, NULL, gpus[0], &on.gpu);
            device_open(env, args, dtype, &on);
        }
        return table_run(args, env, count ? &on : NULL, dtype);
    }
    if (!name || !shape || !count)
        die(BAD_USE,
            "choose an operator with --op, --shape and --gpu, or give a table of operators with --csv");
    memset(&op, 0, sizeof op);
    op.kind = operator_read(name, "");
    if (type) op.dtype = (uint32_t)dtype;
    else if (operator_is_language(op.kind))
        die(BAD_USE, "choose the data type of %s with --dtype: bf16, fp8, nvfp4, ...", name);
    operator_shape_read(shape, &op);
    const int as_json = arguments_has(args, "json");
    if (as_json) {
        json_begin(&j, stdout);
        json_text(&j, "op", name);
        if (type) json_text(&j, "dtype", type);
        json_open(&j, "times", '[');
    } else {
        grid_init(&g, sizeof head / sizeof head[0], 1);
        for (size_t i = 0; i < sizeof head / sizeof head[0]; ++i) grid_add(&g, "%s", head[i]);
    }
    for (size_t i = 0; i < count; ++i) {
        memset(&on, 0, sizeof on);
        gpu_board_open(env, NULL, gpus[i], &on.gpu);
        device_open(env, args, dtype, &on);
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
