/* gpu_time.c - sooth gpu time: the time of an operator on a GPU, one or a table of them.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../model/model_cli.h"
#include "sooth/adapt.h"
#include "sooth/gpu_time.h"

#include <math.h>

/* A GPU, and measurements on it: of operators of language models, and of others. */
typedef struct device {
    sooth_gpu gpu;
    sooth_gpu_timer timer;
    sooth_gpu_measured *language;
    sooth_adapt_program *known; /* NULL: not open */
    size_t measured;            /* rows of it */
} device;

static sooth_status time_try(sooth_env *env, const device *on, const sooth_operator *op,
                             sooth_gpu_timing *t) {
    if (operator_is_language(op->kind)) return sooth_gpu_measured_time(env, &on->timer, on->language, op, t);
    return sooth_gpu_time_adapted(env, &on->timer, on->known, op, t);
}

static sooth_gpu_timing time_of(sooth_env *env, const device *on, const sooth_operator *op,
                                const char *where) {
    sooth_gpu_timing t;
    if (time_try(env, on, op, &t) != SOOTH_OK) die(BAD_INPUT, "%s%s", where, env->sentence);
    return t;
}

static void device_learn(sooth_env *env, device *on, const sooth_operator *op, double ms, const char *where) {
    const sooth_status status = operator_is_language(op->kind)
                                    ? sooth_gpu_measured_observe(env, &on->timer, on->language, op, ms)
                                    : sooth_gpu_time_observe(env, &on->timer, on->known, op, ms);
    if (status != SOOTH_OK) die(BAD_INPUT, "%s%s", where, env->sentence);
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
    const size_t j = operator_column(t->path, csv, name);
    if (j < csv->cols && csv->column[j].is_text) column_is_text(t->path, csv, j);
    return j;
}

/* Like numbers_for, for numbers without a unit. */
static size_t elements_for(const table *t, const char *name) {
    const size_t j = numbers_for(t, name);
    if (j < t->file.csv.cols) column_has_no_unit(t->path, &t->file.csv, j);
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
    t->in = elements_for(t, "in_elements");
    t->out = elements_for(t, "out_elements");
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

/* Like operator_at, for a row that must agree with --dtype and with the GPU of --gpu (NULL: none). */
static sooth_operator operator_asked(sooth_env *env, const table *t, size_t row, size_t dtype,
                                     const sooth_gpu *gpu, char where[400]) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const sooth_csv *csv = &t->file.csv;
    const sooth_operator op = operator_at(t, row, dtype, where);
    const size_t j = t->columns.gpu;
    const char *cell_gpu = gpu && j < csv->cols ? text_of_cell(csv, row, j, number) : NULL;
    sooth_gpu named;
    if (dtype != SOOTH_NONE && op.dtype != dtype)
        die(BAD_INPUT, "%sdtype is %s, but --dtype is %s; leave out --dtype, or empty the cell", where,
            sooth_data_type_name(op.dtype), sooth_data_type_name(dtype));
    if (!cell_gpu) return op;
    gpu_of_row(env, t, row, &named);
    if (strcmp(named.name, gpu->name) != 0)
        die(BAD_INPUT, "%sgpu is %s, but --gpu is %s; leave out --gpu, or empty the cell", where,
            printable(cell_gpu), gpu->name);
    return op;
}

/* ---- devices ---- */

/* The measurements of --measured; none without it. */
typedef struct measurements {
    table of;
    size_t rows, ms; /* ms: column */
    double factor;   /* from its unit to ms */
} measurements;

static measurements measurements_open(const arguments *args, sooth_env *env) {
    static const char *const time[] = {"measured_ms", "latency_ms", "ms"};
    const char *path = arguments_text(args, "measured");
    measurements m;
    memset(&m, 0, sizeof m);
    if (!path) return m;
    table_open(env, path, 0, &m.of);
    m.rows = m.of.file.csv.rows;
    m.ms = SOOTH_NONE;
    for (size_t i = 0; i < 3 && m.ms == SOOTH_NONE; ++i) m.ms = numbers_for(&m.of, time[i]);
    if (m.ms == SOOTH_NONE) die(BAD_INPUT, "%s has no column measured_ms (or latency_ms, or ms)", path);
    m.factor = column_factor(path, &m.of.file.csv, m.ms, "ms");
    if (!m.rows) fprintf(stderr, "%s has no rows, so no time is corrected\n", path);
    return m;
}

enum { ODD = 5 }; /* times the prediction, or a part of it, that a correct measurement rarely differs by */

/* Names the measurements that are more than ODD times the prediction, or less than its ODDth part. */
static void warn_of_odd(const measurements *m, const device *on, size_t odd, const char *first) {
    if (odd)
        fprintf(stderr,
                "%s: %zu of %s on %s differ from the prediction by more than a factor of %d (%s); check the "
                "unit\n",
                m->of.path, odd, counted(on->measured, "row", "rows"), on->gpu.name, ODD, first);
}

/* Opens a device with the rows that name it, or all rows if there is no column gpu; with room for more. A row
   without a data type has `dtype`. */
static void device_open(sooth_env *env, const measurements *m, size_t dtype, size_t more, device *on) {
    const size_t size = sooth_adapt_program_size(sooth_gpu_time_adapt());
    const size_t language = sooth_gpu_measured_size(m->rows + more + 1);
    char where[400], first[120] = "";
    size_t odd = 0;
    if (sooth_gpu_timer_init(env, &on->timer, &on->gpu, NULL) != SOOTH_OK) die_of(SOOTH_BAD_ARGUMENT, env);
    on->known = sooth_adapt_begin(sooth_gpu_time_adapt(), allocate(1, size), size);
    on->language = sooth_gpu_measured_begin(allocate(1, language), language);
    for (size_t i = 0; i < m->rows; ++i) {
        sooth_gpu gpu;
        if (m->of.columns.gpu < m->of.file.csv.cols) {
            gpu_of_row(env, &m->of, i, &gpu);
            if (strcmp(gpu.name, on->gpu.name) != 0) continue;
        }
        const sooth_operator op = operator_at(&m->of, i, dtype, where);
        const sooth_csv *csv = &m->of.file.csv;
        if (isnan(csv->cell[i * csv->cols + m->ms]) != 0)
            die(BAD_INPUT, "%s%s is missing", where, csv->column[m->ms].name);
        const double ms = m->factor * cell(&m->of, i, m->ms);
        sooth_gpu_timing t;
        device_learn(env, on, &op, ms, where);
        ++on->measured;
        if (sooth_gpu_time(env, &on->timer, &op, &t) == SOOTH_OK && (ms > ODD * t.ms || t.ms > ODD * ms) &&
            !odd++)
            snprintf(first, sizeof first, "line %zu: %s ms, predicted %s", (size_t)csv->line[i], human(ms, 3),
                     human(t.ms, 3));
    }
    warn_of_odd(m, on, odd, first);
    if (m->rows && !on->measured)
        fprintf(stderr, "%s: no row was measured on %s, so its times are not corrected\n", m->of.path,
                on->gpu.name);
}

/* True if the table has a number with a decimal comma: a comma between two digits. */
static int has_decimal_comma(const table *t) {
    const char *text = t->file.text;
    for (size_t i = 1; i + 1 < t->file.size; ++i)
        if (text[i] == ',' && text[i - 1] >= '0' && text[i - 1] <= '9' && text[i + 1] >= '0' &&
            text[i + 1] <= '9')
            return 1;
    return 0;
}

static int table_run(const arguments *args, sooth_env *env, const measurements *m, const device *given,
                     size_t dtype) {
    const char *path = arguments_text(args, "csv"), *output = arguments_text(args, "output");
    const char *const inputs[] = {path, arguments_text(args, "measured")};
    size_t of[3] = {0, 0, 0}, unknown = 0;
    table t;
    table_open(env, path, !given, &t);
    const sooth_csv *csv = &t.file.csv;
    const size_t names = given ? 0 : csv->column[t.columns.gpu].texts;
    device *named = (device *)allocate(names + 1, sizeof *named);
    float *ms = (float *)allocate(3 * csv->rows + 1, sizeof *ms);
    const char **trust = (const char **)allocate(2 * csv->rows + 1, sizeof *trust), **why = trust + csv->rows;
    for (size_t i = 0; i < csv->rows; ++i) {
        sooth_gpu_timing at;
        sooth_work work;
        char where[400];
        why[i] = "";
        const sooth_operator op = operator_asked(env, &t, i, dtype, given ? &given->gpu : NULL, where);
        const device *on = given;
        if (!given) {
            const float v = csv->cell[i * csv->cols + t.columns.gpu];
            if (!(v == v)) die(BAD_INPUT, "%sgpu is missing", where);
            device *of_name = &named[(size_t)v];
            if (!of_name->known) {
                gpu_of_row(env, &t, i, &of_name->gpu);
                device_open(env, m, dtype, 0, of_name);
            }
            on = of_name;
        }
        if (sooth_operator_work(env, &op, &work) != SOOTH_OK) die(BAD_INPUT, "%s%s", where, env->sentence);
        if (time_try(env, on, &op, &at) != SOOTH_OK) {
            if (++unknown == csv->rows) die(BAD_INPUT, "%s%s", where, env->sentence);
            ms[3 * i] = ms[3 * i + 1] = ms[3 * i + 2] = NAN;
            trust[i] = "unknown";
            why[i] = strcpy((char *)allocate(strlen(env->sentence) + 1, 1), env->sentence);
            continue;
        }
        ms[3 * i] = (float)at.ms;
        ms[3 * i + 1] = (float)at.low;
        ms[3 * i + 2] = (float)at.high;
        trust[i] = trust_word(at.trust);
        ++of[at.trust];
    }
    const addition add[] = {{.stem = "predicted_ms", .number = ms, .stride = 3},
                            {.stem = "low_ms", .number = ms + 1, .stride = 3},
                            {.stem = "high_ms", .number = ms + 2, .stride = 3},
                            {.stem = "trust", .text = trust, .stride = 1},
                            {.stem = "why_unknown", .text = why, .stride = 1}};
    FILE *file = output_open(output ? output : "-", arguments_has(args, "force"), inputs, inputs[1] ? 2 : 1);
    if (t.file.csv.separator == ';' && !has_decimal_comma(&t)) t.file.csv.decimal = '.';
    table_append(env, &t.file, path, add, sizeof add / sizeof add[0] - !unknown, file);
    output_close();
    fprintf(stderr, "%s: %s inside the training range, %zu at the edge, %zu outside", path,
            counted(of[SOOTH_MODEL_TRUST_INSIDE], "row", "rows"), of[SOOTH_MODEL_TRUST_EDGE],
            of[SOOTH_MODEL_TRUST_OUTSIDE]);
    if (unknown) fprintf(stderr, ", %zu unknown: see the column why_unknown", unknown);
    fputc('\n', stderr);
    gpu_remarks();
    return finish();
}

/* ---- what to measure next ---- */

/* Chooses the next of `count` operators of language models; `count` if all were measured. */
static size_t next_of_language(sooth_env *env, const device *on, const sooth_operator *op, size_t count) {
    size_t chosen;
    const sooth_status status = sooth_gpu_measured_next(env, &on->timer, on->language, op, count, &chosen);
    if (status != SOOTH_OK) die_of(status, env);
    return chosen;
}

/* Chooses the next of `count` other operators; `count` if all were measured. */
static size_t next_of_others(sooth_env *env, const device *on, const sooth_operator *op, size_t count) {
    const sooth_adapt *adapt = sooth_gpu_time_adapt();
    float *x = (float *)allocate(count * SOOTH_GPU_TIME_FEATURES, sizeof *x);
    float *unit = (float *)allocate(count, sizeof *unit); /* what observations correct: 1 */
    void *scratch = allocate(1, sooth_adapt_next_scratch_size(adapt));
    for (size_t i = 0; i < count; ++i) {
        time_of(env, on, &op[i], "");
        sooth_gpu_time_row(&op[i], x + i * SOOTH_GPU_TIME_FEATURES);
        unit[i] = 1.0f;
    }
    const size_t chosen = sooth_adapt_next(adapt, on->known, x, count, SOOTH_GPU_TIME_FEATURES, unit, NULL,
                                           SOOTH_ADAPT_VARIANCE, scratch);
    free(x);
    free(unit);
    free(scratch);
    return chosen;
}

/* Writes the N rows of the table to measure next. A chosen row counts as measured for the one after it. */
static int next_run(const arguments *args, sooth_env *env, const measurements *m, device *on, size_t dtype) {
    const char *path = arguments_text(args, "csv"), *output = arguments_text(args, "output");
    const char *const inputs[] = {path, arguments_text(args, "measured")};
    const size_t wanted = arguments_count(args, "next", 1, 1, 1000);
    char where[400];
    size_t languages = 0, n = 0;
    table t;
    table_open(env, path, !on, &t);
    const sooth_csv *csv = &t.file.csv;
    sooth_operator *op = (sooth_operator *)allocate(csv->rows + 1, sizeof *op);
    size_t *row = (size_t *)allocate(wanted, sizeof *row);
    device of_column;
    memset(&of_column, 0, sizeof of_column);
    if (!csv->rows) die(BAD_INPUT, "%s has no rows to choose from", path);
    if (!on && csv->column[t.columns.gpu].texts != 1)
        die(BAD_USE, "--next chooses for one GPU, but %s names %zu; choose one with --gpu", path,
            (size_t)csv->column[t.columns.gpu].texts);
    if (!on) gpu_of_row(env, &t, 0, &of_column.gpu);
    if (!on) device_open(env, m, dtype, wanted, on = &of_column);
    for (size_t i = 0; i < csv->rows; ++i) {
        op[i] = operator_asked(env, &t, i, dtype, &on->gpu, where);
        languages += (size_t)operator_is_language(op[i].kind);
    }
    if (languages && languages < csv->rows)
        die(BAD_INPUT, "%s has operators of language models and others; choose from one of these at a time",
            path);
    for (; n < wanted; ++n) {
        row[n] =
            languages ? next_of_language(env, on, op, csv->rows) : next_of_others(env, on, op, csv->rows);
        if (row[n] == csv->rows) break;
        device_learn(env, on, &op[row[n]], time_of(env, on, &op[row[n]], "").ms, "");
    }
    FILE *file = output_open(output ? output : "-", arguments_has(args, "force"), inputs, inputs[1] ? 2 : 1);
    table_pick(&t.file, path, row, n, file);
    output_close();
    fprintf(stderr,
            "%s: %s to measure on %s; add a column ms with the times and give the file to --measured\n", path,
            counted(n, "operator", "operators"), on->gpu.name);
    if (n < wanted) fprintf(stderr, "%s: all others were measured\n", path);
    gpu_remarks();
    return finish();
}

/* ---- one operator ---- */

/* The time on one GPU, or why there is none. */
typedef struct answer {
    device on;
    sooth_gpu_timing time;
    char why[SOOTH_ENV_SENTENCE]; /* "": there is a time */
} answer;

/* Prints how --op and --shape were understood: "gemm, bf16: m 128, n 4096, k 4096". */
static void print_operator(const sooth_operator *op) {
    const sooth_operator_form form = sooth_operator_kind_form((sooth_operator_kind)op->kind);
    const char *comma = ":";
    printf("%s, %s", sooth_operator_name(op->kind), sooth_data_type_name(op->dtype));
    for (size_t i = 0; i < OPERATOR_SIZES; ++i) {
        if (!operator_has(op->kind, i) || (form == SOOTH_OPERATOR_LANGUAGE && !(operator_size(op, i) > 0.0)))
            continue;
        printf("%s %s %.15g", comma, operator_size_name(i), operator_size(op, i));
        comma = ",";
    }
    if (op->kind == SOOTH_OPERATOR_CONVOLUTION)
        fputs(" (b groups of channels; m images x pixels of the result; n channels x window; k results)",
              stdout);
    else if (form == SOOTH_OPERATOR_MATRIX) fputs(" (b products of m x n by n x k)", stdout);
    else if (form > SOOTH_OPERATOR_FUSED && form < SOOTH_OPERATOR_LANGUAGE)
        fputs(" (b rows of k elements)", stdout);
    fputc('\n', stdout);
}

static void json_operator(json *j, const sooth_operator *op) {
    json_open(j, "shape", '{');
    for (size_t i = 0; i < OPERATOR_SIZES; ++i)
        if (operator_has(op->kind, i)) json_number(j, operator_size_name(i), operator_size(op, i));
    json_close(j, '}');
}

static void json_answer(json *j, const answer *a) {
    json_open(j, NULL, '{');
    json_text(j, "gpu", a->on.gpu.name);
    if (*a->why) {
        json_text(j, "unknown", a->why);
    } else {
        json_number(j, "ms", a->time.ms);
        json_number(j, "low_ms", a->time.low);
        json_number(j, "high_ms", a->time.high);
        json_text(j, "bound", sooth_roofline_bound_name(a->time.bound));
        json_text(j, "trust", trust_word(a->time.trust));
    }
    json_close(j, '}');
}

static void print_answers(const answer *a, size_t count) {
    static const char *const head[] = {"GPU", "ms", "90 %", "bound by", "trust"};
    enum { HEAD = sizeof head / sizeof head[0] };
    grid g;
    grid_init(&g, HEAD, 1);
    for (size_t i = 0; i < HEAD; ++i) grid_add(&g, "%s", head[i]);
    for (size_t i = 0; i < count; ++i) {
        const sooth_gpu_timing *t = &a[i].time;
        grid_add(&g, "%s", a[i].on.gpu.name);
        for (size_t k = 1; k < HEAD && *a[i].why; ++k) grid_add(&g, "unknown");
        if (*a[i].why) continue;
        grid_add(&g, "%s", human(t->ms, 3));
        grid_add(&g, "%s to %s", human(t->low, 3), human(t->high, 3));
        grid_add(&g, "%s", sooth_roofline_bound_name(t->bound));
        grid_add(&g, "%s", trust_word(t->trust));
    }
    grid_print(&g, stdout, "  ");
    for (size_t i = 0; i < count; ++i)
        if (*a[i].why) printf("%s: unknown: %s\n", a[i].on.gpu.name, a[i].why);
}

/* Prints the time of one operator on each GPU. One that has none is an error only if no other has one. */
static int operator_run(const arguments *args, sooth_env *env, const measurements *m, size_t dtype,
                        char **gpus, size_t count) {
    const char *name = arguments_text(args, "op"), *shape = arguments_text(args, "shape");
    sooth_operator op;
    size_t known = 0;
    json j;
    if (arguments_has(args, "next")) die(BAD_USE, "--next chooses rows of a table; name it with --csv");
    if (!name || !shape || !count)
        die(BAD_USE,
            "choose an operator with --op, --shape and --gpu, or give a table of operators with --csv");
    memset(&op, 0, sizeof op);
    op.kind = operator_read(name, "");
    if (dtype != SOOTH_NONE) op.dtype = (uint32_t)dtype;
    else if (operator_is_language(op.kind))
        die(BAD_USE, "choose the data type of %s with --dtype: bf16, fp8, nvfp4, ...", name);
    operator_shape_read(shape, &op);
    answer *a = (answer *)allocate(count, sizeof *a);
    for (size_t i = 0; i < count; ++i) {
        gpu_board_open(env, NULL, gpus[i], &a[i].on.gpu);
        device_open(env, m, dtype, 0, &a[i].on);
        if (time_try(env, &a[i].on, &op, &a[i].time) == SOOTH_OK) ++known;
        else snprintf(a[i].why, sizeof a[i].why, "%s", env->sentence);
    }
    if (!known) die(BAD_INPUT, "%s", a[0].why);
    if (arguments_has(args, "json")) {
        json_begin(&j, stdout);
        json_text(&j, "op", sooth_operator_name(op.kind));
        json_text(&j, "dtype", sooth_data_type_name(op.dtype));
        json_operator(&j, &op);
        json_open(&j, "times", '[');
        for (size_t i = 0; i < count; ++i) json_answer(&j, &a[i]);
        json_close(&j, ']');
        json_end(&j);
    } else {
        print_operator(&op);
        print_answers(a, count);
    }
    gpu_remarks();
    return finish();
}

int gpu_time_run(const arguments *args) {
    const char *type = arguments_text(args, "dtype");
    sooth_env *env = env_open(args);
    const size_t dtype = type ? data_type_read(type, "") : SOOTH_NONE;
    const int next = arguments_has(args, "next");
    size_t count;
    char **gpus = arguments_list(args, "gpu", &count);
    device on;
    memset(&on, 0, sizeof on);
    const measurements m = measurements_open(args, env);
    if (!arguments_has(args, "csv")) return operator_run(args, env, &m, dtype, gpus, count);
    if (arguments_has(args, "op") || arguments_has(args, "shape"))
        die(BAD_USE, "--csv lists the operators; leave out --op and --shape");
    if (count > 1)
        die(BAD_USE, "--gpu names %zu GPUs, but a table takes one for all rows, or has a column gpu", count);
    if (count) {
        gpu_board_open(env, NULL, gpus[0], &on.gpu);
        device_open(env, &m, dtype, next ? 1000 : 0, &on);
    }
    return next ? next_run(args, env, &m, count ? &on : NULL, dtype)
                : table_run(args, env, &m, count ? &on : NULL, dtype);
}
