/* gpu.c - sooth gpu: descriptions of devices, and one from measurements of bench/cuda/latency.cu.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "gpu_cli.h"
#include "../app/page.h"

#include <math.h>

static const flag flags[] = {
    {"latency", 'l', "FILE.csv",
     "measurements of bench/cuda/latency.cu; replace the measured facts of the device and "
     "keep the others",
     0},
    {"name", 0, "TEXT", "name of the device; default with --latency: the name in that file", 0},
    {"op", 0, "NAME", "time: operator: bmm, linear, add, softmax, ...; gemm, prefill, decode, moe, ...", 0},
    {"shape", 's', "B,M,N,K",
     "time: for a product, B times M x N by N x K. For others B,K: B rows of K elements. For an operator of "
     "a "
     "language model its columns in order, or name=value",
     0},
    {"dtype", 0, "TYPE",
     "time, network --model: data type of operators of language models: bf16, fp8, nvfp4, ...; with time "
     "--csv that of rows without one",
     0},
    {"model", 'm', "NAME,...",
     "network: language model by name, or by its numbers: layers=32,hidden=4096,...", 0},
    {"batch", 0, "NAME=N,...",
     "network: what a step of the model computes: decode=64,context=2048,tp=4,dtype=fp8", 0},
    {"gpu", 'g', "A,B,...",
     "time, network, compare: GPUs, known by name or described by files; with time --csv the one of rows "
     "without one",
     1},
    {"grid", 0, "N", "compare: blocks of the grid, such as 64 or 8x8", 0},
    {"block", 'b', "N", "compare: threads of a block, such as 256 or 16x16", 0},
    {"kernel", 'k', "NAME", "compare: kernel of the file", 0},
    {"loop", 0, "LABEL=N", "compare: trip count of a loop, as for `sooth ptx`", 1},
    {"trips", 0, "N", "compare: trip count of loops that nothing else determines; default 1", 0},
    {"branch", 0, "LABEL=P", "compare: probability that the branches to a label are taken", 1},
    {"value", 0, "NAME=N", "compare: value of a kernel parameter", 1},
    {"regs", 'r', "N", "compare: registers of a thread; default no limit by registers", 0},
    {"shared", 0, "BYTES", "compare: shared memory of a block, static and dynamic; default the static part",
     0},
    {"picture", 0, "OUT.svg", "compare: draw the rooflines with the kernel", 0},
    {"csv", 0, "IN.csv", "time: table of operators, with columns op, gpu, dtype and their sizes", 0},
    {"measured", 0, "FILE.csv", "time: a few measured operators, with the same columns and measured_ms or ms",
     0},
    {"next", 0, "N", "time: with --csv, write the N rows to measure next on one GPU", 0},
    PAGE_FLAG,
    {"output", 'o', "OUT", "output file; default standard output", 0},
    FORCE_FLAG,
    JSON_FLAG,
    LAST_FLAG};

/* The measured operations, and the latency that each belongs to; SOOTH_GPU_LATENCIES: none. The mean of
   several counts. */
static const struct {
    const char *name;
    unsigned latency;
} operations[] = {{"add_s32", SOOTH_GPU_LATENCY_ADD},         {"shl_b32", SOOTH_GPU_LATENCY_ADD},
                  {"and_b32", SOOTH_GPU_LATENCY_ADD},         {"min_s32", SOOTH_GPU_LATENCY_ADD},
                  {"mul_lo_s32", SOOTH_GPU_LATENCY_MULTIPLY}, {"mad_lo_s32", SOOTH_GPU_LATENCY_MULTIPLY},
                  {"mul_hi_u32", SOOTH_GPU_LATENCIES},        {"popc_b32", SOOTH_GPU_LATENCIES},
                  {"div_s32", SOOTH_GPU_LATENCY_DIVIDE},      {"rem_s32", SOOTH_GPU_LATENCY_DIVIDE},
                  {"add_f32", SOOTH_GPU_LATENCY_F32},         {"mul_f32", SOOTH_GPU_LATENCY_F32},
                  {"fma_f32", SOOTH_GPU_LATENCY_F32},         {"div_f32", SOOTH_GPU_LATENCY_F32_DIVIDE},
                  {"rcp_f32", SOOTH_GPU_LATENCY_F32_RCP},     {"sqrt_f32", SOOTH_GPU_LATENCY_F32_SQRT},
                  {"rsqrt_f32", SOOTH_GPU_LATENCY_RSQRT},     {"sin_f32", SOOTH_GPU_LATENCY_SINE},
                  {"ex2_f32", SOOTH_GPU_LATENCY_EXP2},        {"lg2_f32", SOOTH_GPU_LATENCY_LOG2},
                  {"add_f64", SOOTH_GPU_LATENCY_F64},         {"mul_f64", SOOTH_GPU_LATENCY_F64},
                  {"fma_f64", SOOTH_GPU_LATENCY_F64},         {"div_f64", SOOTH_GPU_LATENCY_F64_DIVIDE},
                  {"shared", SOOTH_GPU_LATENCY_SHARED_LOAD},  {"read from L2", SOOTH_GPU_LATENCIES}};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* For each latency that is not measured alone, the one that stands in for it (its own number: none). */
static const unsigned stand_in[SOOTH_GPU_LATENCIES] = {
#define ITEM(item, name, what, other) SOOTH_GPU_LATENCY_##other,
    SOOTH_GPU_LATENCY_LIST(ITEM)
#undef ITEM
};

static const char *const latency_name[SOOTH_GPU_LATENCIES] = {
#define ITEM(item, name, what, other) name,
    SOOTH_GPU_LATENCY_LIST(ITEM)
#undef ITEM
};

/* A ring of pointers: its size, and the cycles of a step. */
typedef struct ring {
    double bytes, cycles;
} ring;

/* A file of latencies, and the device derived from it. */
typedef struct measuring {
    sooth_env *env;
    const char *path;
    sooth_csv csv;
    size_t what, cycles, gigabytes, device; /* columns */
    sooth_gpu base, gpu;
    double sum[SOOTH_GPU_LATENCIES];
    size_t count[SOOTH_GPU_LATENCIES];
    ring *rings;
    size_t ring_count;
    const char *origin[SOOTH_GPU_LATENCIES]; /* a remark for the description */
    double memory_gbs;
} measuring;

/* Returns the value of a column in a row where it is required. */
static double value_of(const measuring *m, size_t row, size_t column, const char *what) {
    const double v = (double)m->csv.cell[row * m->csv.cols + column];
    if (!(v > 0.0 && v <= 1e9))
        die(BAD_INPUT, "%s: line %zu: %s of %s is %s, but must be a number above 0 and up to 1e9", m->path,
            (size_t)m->csv.line[row], m->csv.column[column].name, printable(what),
            v == v ? shortest((float)v) : "missing");
    return v;
}

static size_t column(const measuring *m, const char *name, int needed) {
    const size_t j = sooth_csv_find(&m->csv, name);
    if (j == SOOTH_NONE && needed)
        die(BAD_INPUT,
            "%s has no column %s; a file of latencies has the columns what, latency_cycles and others, as "
            "bench/cuda/latency.cu writes them",
            m->path, name);
    if (j < m->csv.cols && needed < 2 && m->csv.column[j].is_text) column_is_text(m->path, &m->csv, j);
    return j;
}

/* Reads a fact about the device from a row; `what` is its name in the description. */
static void take_fact(measuring *m, size_t row, const char *what) {
    char text[SOOTH_TEXT_NUMBER_SIZE], line[200];
    const sooth_option_list list = sooth_gpu_options_list();
    const size_t number = m->csv.line[row];
    const float v = m->csv.cell[row * m->csv.cols + m->device];
    sooth_text_from_float(text, v);
    if (v == 0.0f && strcmp(what, "l2_bytes") == 0) return; /* the driver does not know it */
    if (strcmp(what, "compute") == 0) {
        snprintf(line, sizeof line, "name = x\nsms = 1\ncompute = %s\n", text);
        sooth_gpu made;
        if (sooth_gpu_read(m->env, line, strlen(line), &made) != SOOTH_OK)
            die(BAD_INPUT, "%s: line %zu: %s", m->path, number, m->env->sentence);
        m->gpu.compute = made.compute;
    } else if (sooth_option_set(m->env, list, &m->gpu, what, text) != SOOTH_OK) {
        die(BAD_INPUT, "%s: line %zu: %s", m->path, number, m->env->sentence);
    }
}

/* Reads a row: a fact, a ring, a bandwidth or an operation. */
static void take_row(measuring *m, size_t row) {
    char number[SOOTH_TEXT_NUMBER_SIZE];
    const char *what = text_of_cell(&m->csv, row, m->what, number);
    const size_t line = m->csv.line[row];
    size_t i = 0;
    if (!what) die(BAD_INPUT, "%s: line %zu: column what is empty", m->path, line);
    if (m->device < m->csv.cols && !isnan(m->csv.cell[row * m->csv.cols + m->device])) {
        take_fact(m, row, what);
        return;
    }
    if (strncmp(what, "global ", 7) == 0) {
        const size_t n = strlen(what);
        double kib;
        if (n < 12 || strcmp(what + n - 4, " KiB") != 0 ||
            sooth_text_to_double(what + 7, n - 11, &kib) != n - 11 || !(kib > 0.0))
            die(BAD_INPUT, "%s: line %zu: %s is not a ring such as \"global 64 KiB\"", m->path, line,
                printable(what));
        m->rings[m->ring_count].bytes = 1024.0 * kib;
        m->rings[m->ring_count++].cycles = value_of(m, row, m->cycles, what);
        return;
    }
    if (strcmp(what, "copy") == 0 || strcmp(what, "read") == 0) {
        const double v = m->gigabytes < m->csv.cols ? value_of(m, row, m->gigabytes, what) : 0.0;
        m->memory_gbs = v > m->memory_gbs ? v : m->memory_gbs;
        return;
    }
    while (i < OPERATIONS && strcmp(operations[i].name, what) != 0) ++i;
    if (i == OPERATIONS)
        die(BAD_INPUT, "%s: line %zu: unknown measurement %s; bench/cuda/latency.cu does not write it",
            m->path, line, printable(what));
    if (operations[i].latency == SOOTH_GPU_LATENCIES) return;
    m->sum[operations[i].latency] += value_of(m, row, m->cycles, what);
    ++m->count[operations[i].latency];
}

static void measured(measuring *m, unsigned latency, double cycles, const char *origin) {
    m->gpu.latency[latency] = floor(cycles * 100.0 + 0.5) / 100.0;
    m->origin[latency] = origin;
}

/* Returns the median of the rings from `least` to `most` bytes; NaN if there is none. */
static double median_of_rings(const measuring *m, double least, double most) {
    double *v = (double *)allocate(m->ring_count + 1, sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < m->ring_count; ++i)
        if (m->rings[i].bytes >= least && m->rings[i].bytes <= most) v[n++] = m->rings[i].cycles;
    const double median = median_sorted(v, n);
    free(v);
    return median;
}

/* Derives the latencies of caches and memory from the sizes of rings. Rings up to 12 KiB lie in every
   first-level cache. Rings of 512 KiB and up to half of the second-level cache lie in that. The largest ring
   lies in memory if it is twice as large. */
static void take_rings(measuring *m) {
    const double l2 = (double)m->gpu.l2_bytes;
    double largest = 0.0, v;
    for (size_t i = 0; i < m->ring_count; ++i)
        if (m->rings[i].bytes > largest) largest = m->rings[i].bytes;
    if ((v = median_of_rings(m, 0.0, 12288.0)) > 0.0)
        measured(m, SOOTH_GPU_LATENCY_L1, v, "measured, rings up to 12 KiB");
    if ((v = median_of_rings(m, 524288.0, 0.5 * l2)) > 0.0)
        measured(m, SOOTH_GPU_LATENCY_L2, v, "measured, rings of 512 KiB to half of the cache");
    if (largest >= 2.0 * l2 && l2 > 0.0)
        measured(m, SOOTH_GPU_LATENCY_GLOBAL_LOAD, median_of_rings(m, largest, largest),
                 "measured, the largest ring");
}

/* Scales a latency that was not measured with its stand-in, if the base device has the same ratio; else keeps
   it. */
static void take_rest(measuring *m) {
    for (unsigned i = 0; i < SOOTH_GPU_LATENCIES; ++i) {
        const unsigned other = stand_in[i];
        const double was = m->base.latency[i];
        if (m->origin[i]) continue;
        m->origin[i] = "kept";
        if (other == i || !m->origin[other] || m->origin[other][0] != 'm' || !(was > 0.0) ||
            fabs(was - m->base.latency[other]) > 1e-9)
            continue;
        m->gpu.latency[i] = m->gpu.latency[other];
        m->origin[i] = latency_name[other];
    }
}

/* Names the device "A100" for "# latency on NVIDIA A100, compute ...", within the longest name. */
static void take_name(measuring *m, const char *remark) {
    const char *on = strstr(remark, " on "), *from = on ? on + 4 : "";
    if (strncmp(from, "NVIDIA ", 7) == 0) from += 7;
    const size_t n = strcspn(from, ",#;");
    if (!n) return;
    memset(m->gpu.name, 0, sizeof m->gpu.name);
    memcpy(m->gpu.name, from, n < sizeof m->gpu.name ? n : sizeof m->gpu.name - 1);
}

static void read_latencies(measuring *m) {
    char remark[400];
    measured_open(m->env, m->path, &m->csv, remark, sizeof remark);
    m->what = column(m, "what", 2);
    m->cycles = column(m, "latency_cycles", 1);
    m->gigabytes = column(m, "gigabytes_per_second", 0);
    m->device = column(m, "device", 0);
    m->rings = (ring *)allocate(m->csv.rows + 1, sizeof *m->rings);
    take_name(m, remark);
    for (size_t i = 0; i < m->csv.rows; ++i) take_row(m, i);
    if (m->memory_gbs > 0.0) m->gpu.memory_gbs = m->memory_gbs;
    for (unsigned i = 0; i < SOOTH_GPU_LATENCIES; ++i)
        if (m->count[i]) measured(m, i, m->sum[i] / (double)m->count[i], "measured");
    take_rings(m);
    take_rest(m);
}

/* Writes the description with a remark after each latency, and lists on stderr what the file did not
   measure. */
static void write_measured(const measuring *m, FILE *to) {
    const sooth_option_list list = sooth_gpu_options_list();
    char kept_names[500] = "", like_names[500] = "";
    size_t count = 0, kept_count = 0, like_count = 0;
    fprintf(to, "# measured facts from %s, all others from %s\n", printable(m->path), m->base.name);
    fprintf(to, "name = %s\ncompute = %u.%u\n", m->gpu.name, (unsigned)m->gpu.compute / 10,
            (unsigned)m->gpu.compute % 10);
    for (size_t i = 0; i < list.count; ++i) {
        const double v = sooth_option_value(&list.option[i], &m->gpu);
        const char *name = list.option[i].name;
        char text[SOOTH_TEXT_NUMBER_SIZE];
        unsigned l = 0;
        if (v > 0.0) sooth_text_rounded(text, v, 10);
        while (l < SOOTH_GPU_LATENCIES &&
               (strncmp(name, "latency_", 8) != 0 || strcmp(name + 8, latency_name[l]) != 0))
            ++l;
        if (v > 0.0) fprintf(to, "%s = %s", name, text);
        if (l < SOOTH_GPU_LATENCIES) {
            const int is_measured = m->origin[l][0] == 'm', is_kept = strcmp(m->origin[l], "kept") == 0;
            char *names = is_kept ? kept_names : like_names;
            const size_t n = strlen(names);
            count += (size_t)is_measured;
            if (!is_measured) {
                snprintf(names + n, 500 - n, n ? ", %s" : "%s", latency_name[l]);
                ++*(is_kept ? &kept_count : &like_count);
            }
            if (v > 0.0) fprintf(to, is_measured || is_kept ? "    # %s" : "    # as %s", m->origin[l]);
        }
        if (v > 0.0) fputc('\n', to);
    }
    fprintf(stderr, "sooth gpu: %s: %s measured", m->path, counted(count, "latency", "latencies"));
    if (like_count) fprintf(stderr, "; set to a measured one: %s", like_names);
    if (kept_count) fprintf(stderr, "; kept from %s: %s", m->base.name, kept_names);
    fputc('\n', stderr);
}

static void list_known(FILE *to) {
    grid g;
    grid_init(&g, 7, 1);
    grid_add(&g, "name");
    grid_add(&g, "compute");
    grid_add(&g, "SMs");
    grid_add(&g, "MHz");
    grid_add(&g, "GB/s");
    grid_add(&g, "GB");
    grid_add(&g, "W");
    for (size_t i = 0; sooth_gpu_at(i); ++i) {
        const sooth_gpu *k = sooth_gpu_at(i);
        grid_add(&g, "%s", k->name);
        if (k->compute) grid_add(&g, "%u.%u", (unsigned)k->compute / 10, (unsigned)k->compute % 10);
        else grid_add(&g, "-");
        grid_add(&g, "%u", (unsigned)k->sms);
        grid_add(&g, "%s", human(k->clock_mhz, 4));
        grid_add(&g, "%s", human(k->memory_gbs, 4));
        if (k->memory_gb > 0.0) grid_add(&g, "%g", k->memory_gb);
        else grid_add(&g, "-");
        grid_add(&g, "%s", human(k->tdp_watts, 4));
    }
    grid_print(&g, to, "  ");
}

/* Writes the known values of a device, by the names of its description. */
static void json_gpu(json *j, const sooth_gpu *gpu) {
    const sooth_option_list list = sooth_gpu_options_list();
    char compute[24];
    json_open(j, NULL, '{');
    json_text(j, "name", gpu->name);
    snprintf(compute, sizeof compute, "%u.%u", (unsigned)gpu->compute / 10, (unsigned)gpu->compute % 10);
    if (gpu->compute) json_text(j, "compute", compute);
    json_text(j, "maker", gpu->maker == SOOTH_GPU_MAKER_NVIDIA ? "nvidia" : "other");
    for (size_t i = 0; i < list.count; ++i) {
        const double value = sooth_option_value(&list.option[i], gpu);
        if (value > 0.0 && list.option[i].type != SOOTH_OPTION_CHOICE)
            json_number(j, list.option[i].name, value);
    }
    json_close(j, '}');
}

/* Writes one device, or all that are known. */
static void write_json(const sooth_gpu *gpu, FILE *to) {
    json j;
    json_begin(&j, to);
    json_open(&j, "gpus", '[');
    if (gpu) json_gpu(&j, gpu);
    for (size_t i = 0; !gpu && sooth_gpu_at(i); ++i) json_gpu(&j, sooth_gpu_at(i));
    json_close(&j, ']');
    json_end(&j);
}

/* A form of the command and the options that it takes, each between blanks. */
typedef struct form {
    const char *name, *takes;
} form;

/* Dies if an option is given that the form does not take. */
static void only(const arguments *args, form of) {
    for (size_t i = 0; i < args->givens; ++i) {
        char name[32];
        int known = 0;
        for (const flag *f = flags; f->name; ++f) known |= args->given[i] == f;
        snprintf(name, sizeof name, " %.29s ", args->given[i]->name);
        if (known && !strstr(of.takes, name))
            die(BAD_USE, "%s does not take --%s", of.name, args->given[i]->name);
    }
}

/* Returns the form that is used. What a form refuses with a sentence of its own is among what it takes. */
static form form_of(const arguments *args) {
    static const form time = {"time --op", " op shape dtype gpu measured next json "},
                      table = {"time --csv", " csv gpu dtype measured next output force op shape "},
                      network = {"network with a table", " gpu json "},
                      model = {"network --model", " model batch dtype gpu output force page json "},
                      compare = {"compare", " grid block kernel loop trips branch value regs shared picture "
                                            "force gpu json "},
                      describe = {"the description of GPUs", " latency name output force json "};
    const char *word = args->words ? args->word[0] : "";
    if (strcmp(word, "time") == 0) return arguments_has(args, "csv") ? table : time;
    if (strcmp(word, "network") == 0) return arguments_has(args, "model") ? model : network;
    return strcmp(word, "compare") == 0 ? compare : describe;
}

static int run(const arguments *args) {
    measuring m;
    only(args, form_of(args));
    if (args->words && strcmp(args->word[0], "time") == 0) {
        if (args->words > 1) die(BAD_USE, "time: unexpected argument %s", printable(args->word[1]));
        return gpu_time_run(args);
    }
    if (args->words && strcmp(args->word[0], "network") == 0) return gpu_network_run(args);
    if (args->words && strcmp(args->word[0], "compare") == 0) return gpu_compare_run(args);
    if (args->words > 1)
        die(BAD_USE, "one device at a time; unexpected argument %s", printable(args->word[1]));
    const char *name = arguments_text(args, "name"), *path = arguments_text(args, "output");
    const char *const inputs[] = {args->words ? args->word[0] : "", arguments_text(args, "latency")};
    memset(&m, 0, sizeof m);
    m.env = env_open(args);
    m.path = arguments_text(args, "latency");
    if (!args->words && (m.path || name))
        die(BAD_USE, "--latency and --name need a device to start from: its name or file");
    if (name && (!*name || strlen(name) >= sizeof m.gpu.name || strpbrk(name, "#\n\r")))
        die(BAD_USE, "--name is %s, but must have 1 to %zu characters without #", printable(name),
            sizeof m.gpu.name - 1);
    if (args->words) gpu_open(m.env, args->word[0], &m.base);
    m.gpu = m.base;
    FILE *file = output_open(path ? path : "-", arguments_has(args, "force"), inputs, m.path ? 2 : 1);
    sooth_sink sink = sooth_file_sink(file);
    if (m.path) read_latencies(&m);
    if (name) strcpy((char *)memset(m.gpu.name, 0, sizeof m.gpu.name), name);
    if (arguments_has(args, "json")) write_json(args->words ? &m.gpu : NULL, file);
    else if (!args->words) list_known(file);
    else if (m.path) write_measured(&m, file);
    else sooth_gpu_write(m.env, &m.gpu, &sink);
    output_close();
    return finish();
}

const command gpu_command = {
    .name = "gpu",
    .summary = "describe GPUs, and predict the time of operators, networks and kernels on them",
    .usage = "[NAME or FILE] [--latency FILE.csv] [-o OUT]\n       sooth gpu time --op NAME --shape "
             "B,M,N,K [--dtype TYPE] --gpu A,B,...\n"
             "       sooth gpu time --csv IN.csv [--measured FILE.csv] [--next N] [-o OUT.csv]\n"
             "       sooth gpu network NET.csv --gpu A,B,...\n"
             "       sooth gpu network --model NAME --batch NAME=N,... --gpu A,B,... [-o OUT.csv] [--page "
             "OUT.html]\n"
             "       sooth gpu compare KERNEL.ptx --grid N --block N --gpu A,B,... [--picture OUT.svg]",
    .most = 2,
    .text =
        "Lists the devices known by name, or writes the description of one, a line for each fact. "
        "`sooth ptx --gpu` reads that form.\n\n"
        "--latency replaces the cycles of the named device by those that bench/cuda/latency.cu "
        "measured on yours. It also replaces SMs, clock, second-level cache, compute capability and "
        "bandwidth. Begin with a device of the same generation, or with the board as the driver names it "
        "(\"NVIDIA H100 80GB HBM3\"). Facts that were not measured are kept, "
        "or follow a measured one that stands in for them. A comment after each line and a note on "
        "stderr name them.\n\n"
        "time predicts how long an operator of a network takes, on a measured GPU or on one never "
        "measured. It assumes PyTorch 2.1 in single precision, with the launch. The interval holds 90 "
        "% of such operators. The law is fitted to five GPUs and checked on each by leaving it out.\n\n"
        "trust reports whether device, operator and size resemble those of the training data. v100, "
        "p100 and a100-80gb are the PCIe boards, as measured. Of the other devices, the plain name is the "
        "board with the highest power. A note names the board if the name leaves it open. No time is below "
        "the roof of the specification. A few measured operators of a new GPU correct the predictions "
        "of all others.\n\n"
        "A table gets the columns predicted_ms, low_ms, high_ms and trust. --gpu and --dtype are those of "
        "rows "
        "whose cell is empty or absent; a cell that differs is an error. It may have in_elements and "
        "out_elements, which an element-wise operator reads and writes. All its other columns are kept.\n\n"
        "The operators of language models are gemm (columns m, n, k), prefill (batch, tokens, heads, "
        "kv_heads, head_dim, window), decode (the same, with context for tokens), moe (tokens, hidden, "
        "inter, topk, experts, tp, ep, skew), mla-prefill and mla-decode (heads, batch, tokens). They also "
        "need a "
        "column dtype (or --dtype): that of the product; of decode and mla that of the cache. Their times "
        "are those within a CUDA graph, without a launch by the host.\n\n"
        "--measured corrects the times of a GPU by a few rows with a column measured_ms or ms; times in "
        "us, ns or s become ms. A note names rows that are off by more than a factor of 5. --next N "
        "writes the N rows of IN.csv whose measurement would correct the others most.\n\n"
        "A GPU, type or operator that is not known is an error. A row whose operator a GPU cannot run, or "
        "that was not learned, is unknown: a column why_unknown has the reason. Else its trust is edge or "
        "outside and its interval wide.\n\n"
        "network adds the operators of a whole network, each count times, per class of operators and "
        "end to end. Columns: op, b, m, n, k and count; or kernels: op:b:m:n:k joined by +. The "
        "columns network, mode, batch and seqlen separate several networks. label_ms, measured on the "
        "GPU in column gpu, is shown next to the prediction. --gpu takes the rows of that GPU, or those "
        "of the first one. \"not as learned\" is the share of the "
        "time in operators whose trust is not inside.\n\n"
        "network --model adds one step of a language model: its name, or its numbers (layers, hidden, "
        "heads, kv_heads, head_dim, inter, vocabulary, tied, window, window_period, experts, topk, "
        "expert_inter, shared_experts, dense_layers, latent_rank, query_rank), or both, to change a known "
        "one. --batch has prefill prompts of tokens each, decode sequences with context cached tokens each, "
        "tp, ep, skew, dtype, expert_dtype and cache_dtype. -o writes the operators as a table.\n\n"
        "Models: llama-3.1-8b, llama-3.1-70b, llama-3.1-405b, llama-3.2-1b, llama-3.2-3b, qwen2.5-7b, "
        "qwen2.5-14b, qwen2.5-32b, qwen2.5-72b, qwen3-4b, qwen3-8b, qwen3-14b, qwen3-32b, qwen3-30b-a3b, "
        "qwen3-235b-a22b, deepseek-v2-lite, deepseek-v2, deepseek-v3, gpt-oss-20b, gpt-oss-120b, "
        "mixtral-8x7b, mixtral-8x22b; or as published: meta-llama/Llama-3.1-8B.\n\n"
        "The sum of the operators is the least that a step takes. Norms, exchange between GPUs, sampling "
        "and the gaps between operators are not in it. The tokens at most are those of the shortest time "
        "of the interval. Weights and cache are compared with the memory of the GPU in GiB. What driver "
        "and ECC reserve of it, up to 6 %, is not subtracted.\n\n"
        "compare predicts one launch of a kernel on each GPU. The expected time applies the law of "
        "those operators to what the PTX computes and moves. Its interval is wide, since the kernel "
        "resembles none of them. Matrix products on tensor cores have the peak of their data type; where "
        "that is not known, they bound nothing and the time is unknown.\n\n"
        "cached is the least time by the specification, if every byte is found in a cache. roof is the "
        "same if every requested byte comes from memory, which is a minimum of kernels that use no byte "
        "twice. Both also have the instructions issued, the accesses of "
        "shared memory and the chain of dependent instructions of a warp, on as much of the GPU as the "
        "launch "
        "fills. Only what runs for certain counts in them; instructions under a predicate do not. Both sides "
        "of an undecided branch count in the "
        "expected time; --value and --branch decide it. Threads and blocks decide branches too: the counts "
        "are "
        "means over the threads of some blocks. compare also prints the threads per SM. Watts and "
        "joules are a share of the power limit of the GPU, fitted to other kernels and GPUs.\n\n"
        "compare checks what the driver checks. A GPU that lacks an instruction of the kernel needs another "
        "capability, such as sm_90; the line below names the instruction. A GPU older than .target is "
        "compared as if the kernel was compiled again for it. Of a GPU that cannot run the launch nothing is "
        "known, and compare fails if that is true of all. v100 is the board with the highest power (SXM) "
        "here, and v100-pcie the other.",
    .example = "sooth gpu\n  sooth gpu time --op bmm --shape 128,512,64,512 --gpu h100,l4\n"
               "  sooth gpu network examples/gpu/data/bert.csv --gpu t4,l4,h100\n"
               "  sooth gpu network --model llama-3.1-70b --batch decode=64,context=2048,tp=4 --gpu "
               "h200,b200\n"
               "  sooth gpu compare matmul.ptx --grid 64x64 --block 16x16 --trips 64 --gpu t4,l4,h100\n"
               "  sooth gpu a100 --latency latency.csv -o mine.gpu\n"
               "  sooth ptx matmul.ptx --gpu mine.gpu --grid 64 --block 256",
    .flags = flags,
    .run = run};
