/* pfea_tool.h - the features as the program of Alavani et al. writes them, for tables made with it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * sooth/pfea.h has the features of the paper, corrected or as printed. The authors' program (for `sooth ptx
 * --compat`) differs from both: it searches the lines of the PTX for substrings, counts every loop once, and
 * has latencies of its own. The tables published with the paper (2023) differ from its output, too. All of
 * this is reproduced here, so that a model of their tables can predict.
 *
 *     const pfea_tool_gpu *gpu;
 *     pfea_tool_counts counts;
 *     if (pfea_tool_named(&env, "k20", &gpu) == SOOTH_OK &&
 *         pfea_tool_count(&env, text, size, name, &counts) == SOOTH_OK &&
 *         pfea_tool_features(&env, gpu, &counts, &launch, gpu->compute, &features) == SOOTH_OK) ...
 *
 * Cost: no allocation, one pass over the text.
 */
#ifndef GPU_PFEA_TOOL_H
#define GPU_PFEA_TOOL_H
#include <math.h>
#include <string.h>

#include "sooth/gpu.h"

/* The forms of the features. A model learned from one form is invalid for features of another form. */
typedef enum pfea_form {
    PFEA_CORRECTED = 0,
    PFEA_PRINTED,
    PFEA_TOOL,
    PFEA_TOOL_2023, /* the tables published with the paper */
    PFEA_FORMS
} pfea_form;

/* Returns "corrected", "printed", "tool" or "tool 2023"; NULL after the last. */
static inline const char *pfea_form_name(size_t form) {
    static const char name[PFEA_FORMS][12] = {"corrected", "printed", "tool", "tool 2023"};
    return form < PFEA_FORMS ? name[form] : NULL;
}

/* Returns 1 if the feature depends on the form; 0 if it belongs to the launch or the device. */
static inline int pfea_has_forms(size_t feature) {
    return feature != SOOTH_PFEA_TOTAL_THREADS &&
           (feature < SOOTH_PFEA_OCCUPANCY || feature > SOOTH_PFEA_GRID_SIZE);
}

/* ---- counting ---- */

/* The counters of their program, which searches each line for substrings. Instructions in none of its lists
   (shr, or, selp, st.shared, ...) are `unknown`. Lines with "sync" are `sync` and are not used. Lines with
   "bra" are branches. */
typedef struct pfea_tool_counts {
    uint32_t alu, mov, setp, cvt, div, sqrt; /* together: comp */
    uint32_t load, store, param, shared;     /* ld.global, st.global, ld.param and st.param, ld.shared */
    uint32_t branch, label, ret, sync, unknown;
    uint32_t last_is_store; /* of the global accesses in the order of the text */
} pfea_tool_counts;

/* A device of their tables, or of one of their published files (2023: the tables with the paper;
   otherwise: their program). */
typedef struct pfea_tool_gpu {
    char name[12];
    uint32_t compute; /* capability, for the occupancy */
    uint32_t is_2023;
    uint32_t sms, schedulers, dispatch_units, l2_lines;
    uint32_t wraps;                        /* products wrap as 32-bit integers */
    uint32_t issue_unit;                   /* 2023: T x instructions over this */
    double alu, mov, setp, cvt, div, sqrt; /* cycles; 0: not known */
    double load, store; /* load 0: rises with T, see pfea_tool_load; store 0: like a load */
    double memory_ghz;  /* 2023: an eighth of the memory clock; 0: no penalties published */
} pfea_tool_gpu;

/* ---- devices ---- */

/* Constants derived from their published numbers: the latencies are integers that satisfy all their rows. By
   the authors' mistake, the cache lines of Ampere and Ada are those of the first level caches, and Ampere's
   schedulers are those of the whole chip. tesla's division is that of M60, which has all other latencies in
   common. A global store of K20 takes 301 cycles in the program's output. In the tables of 2023 it takes a
   load's cycles in 764 of 951 and 1,383 of 1,754 rows, among them all of kernel clock. It takes 301 in 99 and
   184 rows; the remaining rows match neither. */
static const pfea_tool_gpu *pfea_tool_known(size_t i) {
    static const pfea_tool_gpu known[] = {
        {"k20", 35, 0, 13, 4, 8, 10240, 0, 0, 9, 2, 22, 33, 1199, 440, 0, 301, 0},
        {"k80", 37, 0, 13, 4, 8, 10240, 0, 0, 9, 2, 22, 33, 1199, 440, 0, 301, 0},
        {"tesla", 70, 0, 80, 2, 4, 49152, 1, 0, 15, 51, 30, 192, 3612, 550, 683, 301, 0},
        {"ampere", 86, 0, 84, 432, 864, 86016, 1, 0, 15, 53, 30, 245, 0, 463, 550, 346, 0},
        {"ada", 89, 0, 24, 4, 8, 24576, 0, 0, 15, 53, 30, 245, 0, 678, 569, 346, 0},
        {"k20-2023", 35, 1, 13, 4, 8, 10240, 0, 65536, 9, 2, 22, 33, 1199, 440, 0, 0, 0.65},
        {"m60-2023", 52, 1, 16, 4, 8, 16384, 0, 65536, 15, 51, 30, 192, 3612, 550, 488, 301, 0.62625},
        {"v100-2023", 70, 1, 80, 4, 4, 49152, 0, 16384, 15, 49, 30, 218, 2197, 0, 452, 270, 0}};
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

/* Finds the device with this name: k20 k80 tesla (a V100) ampere ada k20-2023 m60-2023 v100-2023. "m60" is
   m60-2023, "v100" is tesla. Returns SOOTH_BAD_ARGUMENT and lists the known names. */
static inline sooth_status pfea_tool_named(sooth_env *env, const char *name, const pfea_tool_gpu **gpu) {
    char names[SOOTH_ENV_SENTENCE - 96];
    size_t n = 0;
    const char *wanted = strcmp(name, "v100") == 0 ? "tesla" : name;
    if (strcmp(name, "m60") == 0) wanted = "m60-2023";
    *gpu = NULL;
    for (size_t i = 0; pfea_tool_known(i); ++i) {
        if (strcmp(pfea_tool_known(i)->name, wanted) == 0) {
            *gpu = pfea_tool_known(i);
            return SOOTH_OK;
        }
        n += sooth_text_format(names + n, sizeof names - n, i ? ", %s" : "%s", pfea_tool_known(i)->name);
    }
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the authors of the tool published nothing for a GPU called %s; there are %s", name,
                      names);
}

/* ---- ranges of the text ---- */

static sooth_ptx_word pfea_tool_range(const char *text, size_t length) {
    const sooth_ptx_word word = {text, length};
    return word;
}

static int pfea_tool_is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int pfea_tool_same(sooth_ptx_word a, sooth_ptx_word b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* Returns the position of `part` in word, or the word's length. */
static size_t pfea_tool_at(sooth_ptx_word word, const char *part) {
    size_t k;
    for (size_t i = 0; i < word.length; ++i) {
        for (k = 0; part[k] && i + k < word.length && word.text[i + k] == part[k]; ++k) {}
        if (part[k] == 0) return i;
    }
    return word.length;
}

static int pfea_tool_has(sooth_ptx_word word, const char *part) {
    return pfea_tool_at(word, part) < word.length;
}

static int pfea_tool_starts(sooth_ptx_word word, const char *part) {
    return word.length && pfea_tool_at(word, part) == 0;
}

/* Returns the first word of a line from character i on. It ends at a blank or at one of two other
   characters. */
static sooth_ptx_word pfea_tool_word(sooth_ptx_word line, size_t i, const char *ends) {
    while (i < line.length && pfea_tool_is_blank(line.text[i])) ++i;
    const size_t start = i;
    while (i < line.length && !pfea_tool_is_blank(line.text[i]) &&
           !(ends[0] && (line.text[i] == ends[0] || line.text[i] == ends[1])))
        ++i;
    return pfea_tool_range(line.text + start, i - start);
}

/* Returns the opcode of a trimmed line: its first word after a predicate. */
static sooth_ptx_word pfea_tool_opcode(sooth_ptx_word line) {
    const sooth_ptx_word first = pfea_tool_word(line, 0, "");
    return *first.text == '@' ? pfea_tool_word(line, first.length, "") : first;
}

/* Returns the counter of an opcode. The program tests these words in this order and uses the latency of the
   matched word. */
static uint32_t *pfea_tool_compute(sooth_ptx_word opcode, pfea_tool_counts *c) {
    static const char word[16][8] = {"fmadd", "fadd", "madd", "mad",  "add", "sub",  "fmul", "mul",
                                     "fdiv",  "div",  "and",  "sqrt", "mov", "setp", "fma",  "cvt"};
    uint32_t *const counter[16] = {&c->alu, &c->alu, &c->alu, &c->alu,  &c->alu, &c->alu,  &c->alu, &c->alu,
                                   &c->div, &c->div, &c->alu, &c->sqrt, &c->mov, &c->setp, &c->alu, &c->cvt};
    for (unsigned i = 0; i < 16; ++i)
        if (pfea_tool_has(opcode, word[i])) return counter[i];
    return &c->unknown;
}

/* Counts one trimmed line of a body that is not a directive, comment, brace or blank. */
static void pfea_tool_line(sooth_ptx_word line, pfea_tool_counts *c) {
    const sooth_ptx_word opcode = pfea_tool_opcode(line);
    if (line.text[line.length - 1] == ':') {
        ++c->label;
    } else if (pfea_tool_has(line, "sync")) {
        ++c->sync;
    } else if (pfea_tool_has(line, "bra")) {
        ++c->branch;
    } else if (line.length < 5 && pfea_tool_has(line, "ret")) {
        ++c->ret;
    } else if (pfea_tool_starts(opcode, "ld.global") || pfea_tool_starts(opcode, "ldu.global")) {
        ++c->load;
        c->last_is_store = 0;
    } else if (pfea_tool_starts(opcode, "st.global")) {
        ++c->store;
        c->last_is_store = 1;
    } else if (pfea_tool_starts(opcode, "ld.shared")) {
        ++c->shared;
    } else if (pfea_tool_starts(opcode, "ld.param") || pfea_tool_starts(opcode, "st.param")) {
        ++c->param;
    } else {
        ++*pfea_tool_compute(opcode, c);
    }
}

/* Returns a line without surrounding blanks and moves *at past it. */
static sooth_ptx_word pfea_tool_next_line(const char *text, size_t size, size_t *at) {
    size_t start = *at, end = start;
    while (end < size && text[end] != '\n') ++end;
    *at = end < size ? end + 1 : size;
    while (start < end && pfea_tool_is_blank(text[start])) ++start;
    while (end > start && pfea_tool_is_blank(text[end - 1])) --end;
    return pfea_tool_range(text + start, end - start);
}

/* Returns the name after ".entry" in a line. */
static sooth_ptx_word pfea_tool_entry(sooth_ptx_word line) {
    return pfea_tool_word(line, pfea_tool_at(line, ".entry") + 6, "({");
}

/* Returns opening minus closing braces of a line, without a comment at its end. */
static int pfea_tool_depth(sooth_ptx_word line) {
    int depth = 0;
    for (size_t i = 0;
         i < line.length && !(line.text[i] == '/' && i + 1 < line.length && line.text[i + 1] == '/'); ++i)
        depth += (line.text[i] == '{') - (line.text[i] == '}');
    return depth;
}

/* Counts a kernel like their program. A kernel name of length 0 means the first kernel. Returns
   SOOTH_BAD_ARGUMENT if it is not in the text, and SOOTH_BAD_TEXT if the text ends inside it. */
static inline sooth_status pfea_tool_count(sooth_env *env, const char *text, size_t size,
                                           sooth_ptx_word kernel, pfea_tool_counts *out) {
    size_t at = 0;
    int inside = 0, depth = 0, was;
    char name[52];
    memset(out, 0, sizeof *out);
    while (at < size) {
        sooth_ptx_word line = pfea_tool_next_line(text, size, &at);
        if (!line.length || pfea_tool_starts(line, "//")) continue;
        if (!inside && pfea_tool_has(line, ".entry") &&
            (!kernel.length || pfea_tool_same(pfea_tool_entry(line), kernel)))
            inside = 1;
        if (!inside) continue;
        was = depth;
        depth += pfea_tool_depth(line);
        if (was > 0 && line.text[0] != '.' && line.text[0] != '{' && line.text[0] != '}')
            pfea_tool_line(line, out);
        if (was > 0 && depth <= 0) return SOOTH_OK;
    }
    for (size_t i = 0; i < sizeof name && i <= kernel.length; ++i) /* cut, and printable */
        name[i] = i == kernel.length || i + 1 == sizeof name     ? 0
                  : kernel.text[i] >= 32 && kernel.text[i] < 127 ? kernel.text[i]
                                                                 : '?';
    if (inside)
        return sooth_fail(env, SOOTH_BAD_TEXT, "the text ends inside the kernel %s; is the file complete?",
                          name);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no kernel %s in the text", name);
}

/* ---- features ---- */

/* Returns the cycles of a global load on K20: the authors' regression over the number of threads. */
static double pfea_tool_load(const pfea_tool_gpu *gpu, double T) {
    if (gpu->load > 0.0) return gpu->load;
    return T < 2500.0      ? 220.0 + 0.02828 * T
           : T < 25000.0   ? 251.7 + 0.00478 * T
           : T < 992000.0  ? 307.8 + 0.0001679 * T
           : T < 2190000.0 ? 501.8 - 2.529e-5 * T
                           : 574.1;
}

/* Returns the 32-bit integer in the low bits of v. */
static double pfea_tool_wrapped(uint64_t v) {
    const uint32_t low = (uint32_t)(v & 0xFFFFFFFFu);
    return low < 0x80000000u ? (double)low : (double)low - 4294967296.0;
}

/* Rounds toward zero, like integer division in Java; |v| < 2^63. */
static double pfea_tool_whole(double v) { return (double)(int64_t)v; }

/* The penalties of the 2023 tables. Their throughputs TP(gm) and TP(sm) saturate over the instructions x of
   an SM: top - rise e^(-rate x). The constants reproduce all published values (290 and 103 different counts
   of global, 86 and 46 of shared instructions) to 1e-8, the shared ones of K20 to 2e-6. */
static void pfea_tool_2023(const pfea_tool_gpu *gpu, const sooth_gpu_launch *launch, double *v) {
    const uint64_t T = (uint64_t)launch->blocks * launch->threads;
    const double threads = (double)T, glob = v[SOOTH_PFEA_GLOB_INST_SM], shar = v[SOOTH_PFEA_SHAR_INST_SM];
    const double wtotal = pfea_tool_whole(0.0715025 * (threads / 2496.0) + 1.0546 + 0.5);
    const uint64_t group = (uint64_t)gpu->sms * 32;
    const int is_k20 = gpu->sms == 13;
    v[SOOTH_PFEA_INST_ISSUE_CYCLES] =
        pfea_tool_whole(threads * v[SOOTH_PFEA_TOTAL_INST] / (double)gpu->issue_unit + 0.5);
    v[SOOTH_PFEA_CACHE_PENALTY] =
        threads / 32.0 * v[SOOTH_PFEA_GLOB_LAT_SM] / (wtotal * (double)gpu->l2_lines);
    if (gpu->sms == 80) v[SOOTH_PFEA_CACHE_PENALTY] *= glob;
    v[SOOTH_PFEA_SM_ACTIVE] = (double)launch->threads;     /* the authors' mistake */
    v[SOOTH_PFEA_N_WARPS] = (double)launch->blocks / 32.0; /* the authors' mistake */
    v[SOOTH_PFEA_WAVES] = (double)(((uint64_t)launch->blocks + gpu->sms - 1) / gpu->sms);
    if (!(gpu->memory_ghz > 0.0)) return;
    const double tp_global =
        is_k20 ? 79418.352 - 76363.8 * exp(-2.1342e-4 * glob) : 87173.392 - 71453.6 * exp(-3.3469e-5 * glob);
    const double tp_shared =
        is_k20 ? -823761.709 * expm1(-1.3830e-5 * shar) : -1618990.0 * expm1(-5.5295e-5 * shar);
    const double whole = is_k20 ? threads * (T > 5000 ? 2.125 : 1.0) : (double)((T + 511) / 512) * 512.0;
    v[SOOTH_PFEA_GLB_PENALTY] =
        (double)((T + group - 1) / group) * glob * ((double)gpu->sms * 128.0 * gpu->memory_ghz) / tp_global;
    v[SOOTH_PFEA_SH_PENALTY] = shar > 0.0 ? whole * 4.0 * gpu->memory_ghz * shar / tp_shared : 0.0;
}

/* Computes the issue cycles and the cache penalty of the program. */
static void pfea_tool_program(const pfea_tool_gpu *gpu, const pfea_tool_counts *c,
                              const sooth_gpu_launch *launch, uint64_t glob, uint64_t total, double *v) {
    const uint64_t T = (uint64_t)launch->blocks * launch->threads;
    const uint64_t batches = T / (32u * (uint64_t)gpu->schedulers) * (total / 2);
    const double wtotal = pfea_tool_whole(0.0715025 * (double)(T / 2496) + 1.0546 + 0.5);
    const double latency = c->last_is_store ? gpu->store : pfea_tool_load(gpu, (double)T);
    double issue = gpu->wraps ? pfea_tool_wrapped(batches) : (double)batches;
    issue = pfea_tool_whole(issue / (32.0 * (double)gpu->dispatch_units));
    /* 1 or more; wrapped values stay below 0 */
    v[SOOTH_PFEA_INST_ISSUE_CYCLES] = issue < 0.0 || issue > 0.0 ? issue : 1.0;
    double access = gpu->wraps ? pfea_tool_wrapped(T * glob) : (double)T * (double)glob;
    v[SOOTH_PFEA_CACHE_PENALTY] = access * latency / (32.0 * (double)gpu->l2_lines * wtotal);
}

/* Sets the features that follow from instructions and cycles of a thread (in the order of the mean latencies:
   computing, global memory, miscellaneous, shared memory), waves and launch alone. */
static void pfea_tool_fill(const double count[4], const double cycles[4], const pfea_tool_counts *c,
                           double waves, const sooth_gpu_launch *launch, double *v) {
    static const uint8_t kernel[4] = {SOOTH_PFEA_COMP_INST_KERNEL, SOOTH_PFEA_GLOB_INST_KERNEL,
                                      SOOTH_PFEA_MISC_INST_KERNEL, SOOTH_PFEA_SHAR_INST_KERNEL};
    static const uint8_t inst_sm[4] = {SOOTH_PFEA_COMP_INST_SM, SOOTH_PFEA_GLOB_INST_SM,
                                       SOOTH_PFEA_MISC_INST_SM, SOOTH_PFEA_SHAR_INST_SM};
    for (unsigned t = 0; t < 4; ++t) {
        v[SOOTH_PFEA_AVG_COMP_LAT + t] = count[t] > 0.0 ? cycles[t] / count[t] : 0.0;
        v[kernel[t]] = count[t];
        v[inst_sm[t]] = count[t] * waves;
        v[inst_sm[t] + 1] = cycles[t] * waves; /* ..._LAT_SM follows ..._INST_SM */
        v[SOOTH_PFEA_TOTAL_INST] += count[t] * waves;
    }
    v[SOOTH_PFEA_BRANCH] = c->branch * waves;
    v[SOOTH_PFEA_GLOB_LOAD_SM] = c->load * waves;
    v[SOOTH_PFEA_GLOB_STORE_SM] = c->store * waves;
    v[SOOTH_PFEA_WAVES] = waves;
    v[SOOTH_PFEA_TOTAL_THREADS] = (double)launch->blocks * (double)launch->threads;
    v[SOOTH_PFEA_REG_THREAD] = launch->registers ? (double)launch->registers : (double)NAN;
    v[SOOTH_PFEA_SHMEM_BLOCK] = (double)launch->shared;
    v[SOOTH_PFEA_BLOCK_SIZE] = (double)launch->threads;
    v[SOOTH_PFEA_GRID_SIZE] = (double)launch->blocks;
}

/* Computes the features from the counts. Unpublished ones are NaN, and so is avg_shar_lat without ld.shared
   in the program's output. occupancy, reg_thread and shmem_block come from the launch (reg_thread NaN if 0),
   with the occupancy of `compute`; compute 0 gives NaN. Loops count once: the program requests their trips
   but does not use them. Returns SOOTH_BAD_ARGUMENT for no blocks, no threads, or a launch that `compute`
   does not allow. */
static inline sooth_status pfea_tool_features(sooth_env *env, const pfea_tool_gpu *gpu,
                                              const pfea_tool_counts *c, const sooth_gpu_launch *launch,
                                              uint32_t compute, sooth_pfea *out) {
    const double T = (double)launch->blocks * (double)launch->threads, none = (double)NAN;
    const double load = pfea_tool_load(gpu, T);
    const uint64_t waves = sooth_gpu_waves(launch->blocks, launch->threads, gpu->sms, 2048);
    const uint32_t comp = c->alu + c->mov + c->setp + c->cvt + c->div + c->sqrt;
    const uint32_t misc = 3 * comp + c->branch + 3 * c->label + 2 * c->ret + c->unknown;
    const uint32_t each = comp + c->load + c->store + c->shared + misc; /* of a wave */
    sooth_gpu_fit fit;
    double *v = out->value;
    sooth_status status;
    memset(out, 0, sizeof *out);
    if (launch->blocks == 0 || launch->threads == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is 0, but must be at least 1",
                          launch->blocks ? "threads" : "blocks");
    if (compute && (status = sooth_gpu_occupancy(env, compute, launch, &fit)) != SOOTH_OK) return status;
    const double count[4] = {comp, (double)c->load + (double)c->store, misc, c->shared};
    double cycles[4] = {c->alu * gpu->alu + c->mov * gpu->mov + c->setp * gpu->setp + c->cvt * gpu->cvt +
                            c->div * gpu->div + c->sqrt * gpu->sqrt,
                        c->load * load + c->store * (gpu->store > 0.0 ? gpu->store : load), misc * 10.0,
                        c->shared * 36.0};
    if ((c->div && !(gpu->div > 0.0)) || (c->sqrt && !(gpu->sqrt > 0.0))) cycles[0] = none;
    pfea_tool_fill(count, cycles, c, (double)waves, launch, v);
    v[SOOTH_PFEA_MISC_INST_KERNEL] = (double)c->unknown;
    if (gpu->is_2023 && gpu->sms == 13) v[SOOTH_PFEA_GLOB_INST_KERNEL] += (double)c->param;
    if (!gpu->is_2023 && !c->shared) v[SOOTH_PFEA_AVG_SHAR_LAT] = none;
    v[SOOTH_PFEA_SM_ACTIVE] = v[SOOTH_PFEA_N_WARPS] = none;
    v[SOOTH_PFEA_GLB_PENALTY] = v[SOOTH_PFEA_SH_PENALTY] = none;
    v[SOOTH_PFEA_OCCUPANCY] = compute ? fit.occupancy : none;
    if (gpu->is_2023) pfea_tool_2023(gpu, launch, v);
    else pfea_tool_program(gpu, c, launch, (c->load + (uint64_t)c->store) * waves, each * waves, v);
    return SOOTH_OK;
}

#endif
