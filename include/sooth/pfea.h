/* pfea.h - the features of a CUDA kernel for predicting its power and time without running it.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The Program Feature Extraction Algorithm (algorithms 1 and 2, table 1) of Alavani et al. in three forms
 * (sooth_pfea_form):
 *
 *   corrected  the features as intended, with corrected equations
 *   printed    the equations of the paper
 *   tool       the output of the authors' program, for models and tables made with it
 *
 * Example
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/pfea.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n.address_size 64\n.entry copy(.param .u64 p) {\n"
 *             ".reg .f32 %f; .reg .b64 %a;\nld.param.u64 %a, [p];\nld.global.f32 %f, [%a];\n"
 *             "add.f32 %f, %f, %f;\nst.global.f32 [%a], %f;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_counts counts;
 *         sooth_gpu gpu;
 *         const sooth_gpu_launch launch = {.blocks = 78, .threads = 1024, .registers = 12};
 *         sooth_pfea features;
 *         size_t i;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_ptx_count(&env, &ptx, 0, NULL, &counts) != SOOTH_OK ||
 *             sooth_gpu_find(&env, "k20", &gpu) != SOOTH_OK ||
 *             sooth_pfea_extract(&env, &ptx, 0, &counts, &gpu, &launch, NULL, &features) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         for (i = 0; i < SOOTH_PFEA_FEATURES; ++i)
 *             printf("%s %g\n", sooth_pfea_name(i), features.value[i]);   //> glob_inst_kernel 2
 *         sooth_ptx_counts_free(&env, &ptx, &counts);
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Notes
 *
 * A model learned from one form is invalid for features of another form.
 *
 * Method and references
 *
 * Alavani et al., Program Analysis and Machine Learning-based Approach to Predict Power Consumption of CUDA
 * Kernel (TOMPECS 2023).
 *
 * Instruction types: compute C, global memory GM (with local and texture: all go to the second level cache),
 * shared memory SM, miscellaneous M (control, waiting, and unknown ones). Parameters and constants are
 * excluded, as in the paper.
 *
 * Differences between the corrected and the printed form (for equations 1 to 4, see sooth_penalty_issue):
 *
 *   waves    printed    floor(nB/nSM nT) threads, nTh_m at a time, counted while threads are left (with the
 *                       printed >= 0 the loop would not end); 1 or more
 *            corrected  an SM holds at once the blocks that its occupancy allows; the SM with the most blocks
 *                       decides
 *   n_warps  printed    ceil(nT/32) max(1, floor(nB/nSM)), more than an SM can hold
 *            corrected  warps on the SM at once
 *   loops    printed    blocks with a back edge count nLoop times: count with trips.paper_loops
 *            corrected  every natural loop by its own trips, nested ones multiplied, with all blocks of its
 *                       body: count without
 *
 * Cost
 *
 * No allocation. One pass over the blocks of the functions that the kernel uses; the tool's form takes one
 * pass over the text.
 */
#if !defined(SOOTH_PFEA_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PFEA_IMPLEMENTED))
#include "base.h"
#include "gpu.h"
#include "pfea/penalty.h"
#include "ptx.h"
#endif

#if !defined(SOOTH_PFEA_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PFEA_H
SOOTHI_C_BEGIN

/* Table 1 in its order, then total_inst and shar_inst_kernel, which the equations and section 4 use: name,
   unit, meaning. Values of one thread end in _kernel; those in _sm are summed over the waves. */
#define SOOTH_PFEA_LIST(X)                                                                                 \
    X(AVG_COMP_LAT, "avg_comp_lat", "cycles", "mean latency of a computing instruction; 0: there is none") \
    X(AVG_GLOB_LAT, "avg_glob_lat", "cycles", "mean latency of a global memory instruction; 0: none")      \
    X(AVG_MISC_LAT, "avg_misc_lat", "cycles", "mean latency of a miscellaneous instruction; 0: none")      \
    X(AVG_SHAR_LAT, "avg_shar_lat", "cycles", "mean latency of a shared memory instruction; 0: none")      \
    X(BRANCH, "branch", "instructions", "branches, x waves")                                               \
    X(COMP_INST_KERNEL, "comp_inst_kernel", "instructions", "computing, of a thread")                      \
    X(COMP_INST_SM, "comp_inst_sm", "instructions", "computing, x waves")                                  \
    X(COMP_LAT_SM, "comp_lat_sm", "cycles", "computing, x waves")                                          \
    X(GLOB_INST_KERNEL, "glob_inst_kernel", "instructions", "global memory, of a thread")                  \
    X(GLOB_INST_SM, "glob_inst_sm", "instructions", "global memory, x waves")                              \
    X(GLOB_LAT_SM, "glob_lat_sm", "cycles", "global memory, x waves")                                      \
    X(GLOB_LOAD_SM, "glob_load_sm", "instructions", "global loads, x waves")                               \
    X(GLOB_STORE_SM, "glob_store_sm", "instructions", "global stores and atomics, x waves")                \
    X(MISC_INST_KERNEL, "misc_inst_kernel", "instructions", "miscellaneous, of a thread")                  \
    X(MISC_INST_SM, "misc_inst_sm", "instructions", "miscellaneous, x waves")                              \
    X(MISC_LAT_SM, "misc_lat_sm", "cycles", "miscellaneous, x waves")                                      \
    X(SHAR_INST_SM, "shar_inst_sm", "instructions", "shared memory, x waves")                              \
    X(SHAR_LAT_SM, "shar_lat_sm", "cycles", "shared memory, x waves")                                      \
    X(SM_ACTIVE, "sm_active", "SMs", "that get a block")                                                   \
    X(N_WARPS, "n_warps", "warps", "of an SM")                                                             \
    X(WAVES, "waves", "waves", "one after the other")                                                      \
    X(TOTAL_THREADS, "total_threads", "threads", "grid_size x block_size")                                 \
    X(INST_ISSUE_CYCLES, "inst_issue_cycles", "cycles", "equation 1")                                      \
    X(CACHE_PENALTY, "cache_penalty", "cycles", "equation 2")                                              \
    X(GLB_PENALTY, "glb_penalty", "cycles", "equation 3")                                                  \
    X(SH_PENALTY, "sh_penalty", "cycles", "equation 4")                                                    \
    X(OCCUPANCY, "occupancy", "", "warps on an SM at once over the most it can hold")                      \
    X(REG_THREAD, "reg_thread", "registers", "of a thread; NaN: not given")                                \
    X(SHMEM_BLOCK, "shmem_block", "bytes", "shared memory of a block")                                     \
    X(BLOCK_SIZE, "block_size", "threads", "of a block")                                                   \
    X(GRID_SIZE, "grid_size", "blocks", "of the grid")                                                     \
    X(SHAR_INST_KERNEL, "shar_inst_kernel", "instructions", "shared memory, of a thread")                  \
    X(TOTAL_INST, "total_inst", "instructions", "all types, x waves (algorithm 2, line 22)")

typedef enum sooth_pfea_feature {
#define SOOTHI_ITEM(id, name, unit, what) SOOTH_PFEA_##id,
    SOOTH_PFEA_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PFEA_FEATURES
} sooth_pfea_feature;

/* Return the name "avg_comp_lat", the unit "cycles" or the meaning "mean latency ..."; NULL after the
   last. */
SOOTH_API const char *sooth_pfea_name(size_t feature);
SOOTH_API const char *sooth_pfea_unit(size_t feature);
SOOTH_API const char *sooth_pfea_help(size_t feature);

/* The forms. The tables published with the paper (2023) and the output of the authors' program differ too. */
typedef enum sooth_pfea_form {
    SOOTH_PFEA_FORM_CORRECTED = 0,
    SOOTH_PFEA_FORM_PRINTED,
    SOOTH_PFEA_FORM_TOOL,
    SOOTH_PFEA_FORM_TOOL_2023,
    SOOTH_PFEA_FORMS
} sooth_pfea_form;

/* Returns "corrected", "printed", "tool" or "tool 2023"; NULL after the last. */
SOOTH_API const char *sooth_pfea_form_name(size_t form);

/* Returns 1 if the feature depends on the form; 0 if it belongs to the launch or the device. */
SOOTH_API int sooth_pfea_has_forms(size_t feature);

/* The features by sooth_pfea_feature; NaN means not known. */
typedef struct sooth_pfea {
    double value[SOOTH_PFEA_FEATURES];
} sooth_pfea;

/* Options of the extraction. */
typedef struct sooth_pfea_options {
    uint32_t as_printed; /* 1: the paper's form; 0: corrected */
    double global_bytes; /* TP(gm) and TP(sm), bytes per cycle; 0 means the device's, see
                            sooth_penalty_work */
    double shared_bytes;
} sooth_pfea_options;

/* Extracts the features of a kernel that sooth_ptx_count has counted. launch->shared is the whole shared
   memory of a block, including the static counts->shared_bytes. If launch->registers is 0 (not known),
   occupancy is an upper bound. If options is NULL, they are zero bytes. Returns SOOTH_BAD_ARGUMENT for two
   errors: the device or the kernel's own bounds (.maxntid, .reqntid) do not allow the launch, or the device
   lacks a required value. */
SOOTH_API sooth_status sooth_pfea_extract(sooth_env *env, const sooth_ptx *ptx, size_t kernel,
                                          const sooth_ptx_counts *counts, const sooth_gpu *gpu,
                                          const sooth_gpu_launch *launch, const sooth_pfea_options *options,
                                          sooth_pfea *out);

/* Returns the latency of an instruction of this kind (or of its form) in cycles; 0 means not known. */
SOOTH_API double sooth_pfea_latency(const sooth_gpu *gpu, const sooth_ptx_form *form, sooth_ptx_kind kind);

/* ---- the authors' tool ---- */

/* The counters of their program, which searches each line for substrings. Instructions in none of its lists
   (shr, or, selp, st.shared, ...) are `unknown`. Lines with "sync" are `sync` and are not used. Lines with
   "bra" are branches. */
typedef struct sooth_pfea_tool_counts {
    uint32_t alu, mov, setp, cvt, div, sqrt; /* together: comp */
    uint32_t load, store, param, shared;     /* ld.global, st.global, ld.param and st.param, ld.shared */
    uint32_t branch, label, ret, sync, unknown;
    uint32_t last_is_store; /* of the global accesses in the order of the text */
} sooth_pfea_tool_counts;

/* A device of their tables, or of one of their published files (2023: the tables with the paper; else: their
   program). */
typedef struct sooth_pfea_tool_gpu {
    char name[12];
    uint32_t compute; /* capability, for the occupancy */
    uint32_t is_2023;
    uint32_t sms, schedulers, dispatch_units, l2_lines;
    uint32_t wraps;                        /* products wrap as 32-bit integers */
    uint32_t issue_unit;                   /* 2023: T x instructions over this */
    double alu, mov, setp, cvt, div, sqrt; /* cycles; 0: not known */
    double load, store; /* load 0: rises with T, see soothi_pfea_tool_load; store 0: like a load */
    double memory_ghz;  /* 2023: an eighth of the memory clock; 0: no penalties published */
} sooth_pfea_tool_gpu;

/* Finds the device with this name: k20 k80 tesla (a V100) ampere ada k20-2023 m60-2023 v100-2023. "m60" is
   m60-2023, "v100" is tesla. Returns SOOTH_BAD_ARGUMENT and lists the known names. */
SOOTH_API sooth_status sooth_pfea_tool_find(sooth_env *env, const char *name,
                                            const sooth_pfea_tool_gpu **gpu);

/* Counts a kernel like their program. A kernel name of length 0 means the first kernel. Returns
   SOOTH_BAD_ARGUMENT if it is not in the text, and SOOTH_BAD_TEXT if the text ends inside it. */
SOOTH_API sooth_status sooth_pfea_tool_count(sooth_env *env, const char *text, size_t size,
                                             sooth_ptx_word kernel, sooth_pfea_tool_counts *out);

/* Computes the features from the counts. Unpublished ones are NaN, and so is avg_shar_lat without ld.shared
   in the program's output. occupancy, reg_thread and shmem_block come from the launch (reg_thread NaN if 0),
   with the occupancy of `compute`; compute 0 gives NaN. Loops count once: the program requests their trips
   but does not use them. Returns SOOTH_BAD_ARGUMENT for no blocks, no threads, or a launch that `compute`
   does not allow. */
SOOTH_API sooth_status sooth_pfea_tool(sooth_env *env, const sooth_pfea_tool_gpu *gpu,
                                       const sooth_pfea_tool_counts *counts, const sooth_gpu_launch *launch,
                                       uint32_t compute, sooth_pfea *out);

SOOTHI_C_END
#endif /* SOOTH_PFEA_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PFEA_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PFEA_IMPLEMENTED
SOOTHI_C_BEGIN

SOOTHI_LOCAL const char *soothi_pfea_text(size_t feature, unsigned column) {
    static const char text[SOOTH_PFEA_FEATURES][3][72] = {
#define SOOTHI_ITEM(id, name, unit, what) {name, unit, what},
        SOOTH_PFEA_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return feature < SOOTH_PFEA_FEATURES ? text[feature][column] : NULL;
}

SOOTH_API const char *sooth_pfea_name(size_t feature) { return soothi_pfea_text(feature, 0); }
SOOTH_API const char *sooth_pfea_unit(size_t feature) { return soothi_pfea_text(feature, 1); }
SOOTH_API const char *sooth_pfea_help(size_t feature) { return soothi_pfea_text(feature, 2); }

SOOTH_API const char *sooth_pfea_form_name(size_t form) {
    static const char name[SOOTH_PFEA_FORMS][12] = {"corrected", "printed", "tool", "tool 2023"};
    return form < SOOTH_PFEA_FORMS ? name[form] : NULL;
}

SOOTH_API int sooth_pfea_has_forms(size_t feature) {
    return feature != SOOTH_PFEA_TOTAL_THREADS &&
           (feature < SOOTH_PFEA_OCCUPANCY || feature > SOOTH_PFEA_GRID_SIZE);
}

/* ---- latencies ---- */

/* Returns the latency of a device that applies to an instruction: by its kind, for some by its opcode. */
SOOTHI_LOCAL unsigned soothi_pfea_latency_of(const sooth_ptx_form *form, unsigned kind) {
    static const uint8_t of_kind[SOOTH_PTX_KINDS] = {
        SOOTH_GPU_LATENCY_ADD,          SOOTH_GPU_LATENCY_ADD,
        SOOTH_GPU_LATENCY_F16,          SOOTH_GPU_LATENCY_F32,
        SOOTH_GPU_LATENCY_F64,          SOOTH_GPU_LATENCY_RSQRT,
        SOOTH_GPU_LATENCY_CONVERT,      SOOTH_GPU_LATENCY_MOVE,
        SOOTH_GPU_LATENCY_COMPARE,      SOOTH_GPU_LATENCY_MOVE,
        SOOTH_GPU_LATENCY_F32, /* to tensor */
        SOOTH_GPU_LATENCY_GLOBAL_LOAD,  SOOTH_GPU_LATENCY_GLOBAL_STORE,
        SOOTH_GPU_LATENCY_GLOBAL_LOAD,  SOOTH_GPU_LATENCY_SHARED_LOAD,
        SOOTH_GPU_LATENCY_SHARED_STORE, SOOTH_GPU_LATENCY_SHARED_LOAD,
        SOOTH_GPU_LATENCY_L1,           SOOTH_GPU_LATENCY_L1,
        SOOTH_GPU_LATENCY_CONSTANT,     SOOTH_GPU_LATENCY_TEXTURE,
        SOOTH_GPU_LATENCY_TEXTURE,      SOOTH_GPU_LATENCY_CONSTANT,
        SOOTH_GPU_LATENCY_CONSTANT,     SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER, /* branch ... */
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER,
        SOOTH_GPU_LATENCY_OTHER,        SOOTH_GPU_LATENCY_OTHER};
    const unsigned own = kind < SOOTH_PTX_KINDS ? of_kind[kind] : (unsigned)SOOTH_GPU_LATENCY_OTHER;
    const int is_approx = (form->flags & SOOTH_PTX_FORM_APPROX) != 0;
    switch (form->opcode) {
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
    case SOOTH_PTX_OP_MADC:
    case SOOTH_PTX_OP_MUL24:
    case SOOTH_PTX_OP_MAD24: return kind == SOOTH_PTX_KIND_INT ? (unsigned)SOOTH_GPU_LATENCY_MULTIPLY : own;
    case SOOTH_PTX_OP_DIV:
    case SOOTH_PTX_OP_REM:
        return kind == SOOTH_PTX_KIND_INT    ? SOOTH_GPU_LATENCY_DIVIDE
               : kind == SOOTH_PTX_KIND_FP64 ? SOOTH_GPU_LATENCY_F64_DIVIDE
               : is_approx                   ? SOOTH_GPU_LATENCY_RSQRT
                                             : SOOTH_GPU_LATENCY_F32_DIVIDE;
    case SOOTH_PTX_OP_SQRT: return is_approx ? SOOTH_GPU_LATENCY_RSQRT : SOOTH_GPU_LATENCY_F32_SQRT;
    case SOOTH_PTX_OP_RCP: return is_approx ? SOOTH_GPU_LATENCY_RSQRT : SOOTH_GPU_LATENCY_F32_RCP;
    case SOOTH_PTX_OP_SIN:
    case SOOTH_PTX_OP_COS: return SOOTH_GPU_LATENCY_SINE;
    case SOOTH_PTX_OP_LG2: return SOOTH_GPU_LATENCY_LOG2;
    case SOOTH_PTX_OP_EX2:
    case SOOTH_PTX_OP_TANH: return SOOTH_GPU_LATENCY_EXP2;
    case SOOTH_PTX_OP_SELP: return SOOTH_GPU_LATENCY_MOVE;
    default: return own;
    }
}

SOOTH_API double sooth_pfea_latency(const sooth_gpu *gpu, const sooth_ptx_form *form, sooth_ptx_kind kind) {
    /* the substitute for a latency that the device lacks; itself: none */
    static const uint8_t instead[SOOTH_GPU_LATENCIES] = {
#define SOOTHI_ITEM(item, name, what, other) SOOTH_GPU_LATENCY_##other,
        SOOTH_GPU_LATENCY_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    unsigned latency = soothi_pfea_latency_of(form, (unsigned)kind);
    while (!(gpu->latency[latency] > 0.0) && instead[latency] != latency) latency = instead[latency];
    return gpu->latency[latency];
}

/* ---- algorithms 1 and 2 ---- */

/* The instruction types of the paper, in the order of their mean latencies. */
enum { SOOTHI_PFEA_C, SOOTHI_PFEA_GM, SOOTHI_PFEA_M, SOOTHI_PFEA_SM, SOOTHI_PFEA_TYPES };

/* Returns the type of instructions of a kind; SOOTHI_PFEA_TYPES for parameters and constants. */
SOOTHI_LOCAL unsigned soothi_pfea_type(unsigned kind) {
    static const uint8_t of_class[SOOTH_PTX_CLASSES] = {SOOTHI_PFEA_C,     SOOTHI_PFEA_GM,    SOOTHI_PFEA_SM,
                                                        SOOTHI_PFEA_GM,    SOOTHI_PFEA_TYPES, SOOTHI_PFEA_GM,
                                                        SOOTHI_PFEA_TYPES, SOOTHI_PFEA_M,     SOOTHI_PFEA_M};
    return of_class[sooth_ptx_kind_class((sooth_ptx_kind)kind)];
}

/* c_bb of the paper: the sums of a block, or with weights those of a thread in the kernel. */
typedef struct soothi_pfea_sums {
    double count[SOOTHI_PFEA_TYPES], cycles[SOOTHI_PFEA_TYPES]; /* I(T) and L(T) */
    double branch, load, store;
} soothi_pfea_sums;

/* Returns the instructions of all types. */
SOOTHI_LOCAL double soothi_pfea_all(const soothi_pfea_sums *s) {
    const double *I = s->count;
    return I[SOOTHI_PFEA_C] + I[SOOTHI_PFEA_GM] + I[SOOTHI_PFEA_SM] + I[SOOTHI_PFEA_M];
}

/* Algorithm 1: adds the instructions of a block, each this many times. */
SOOTHI_LOCAL sooth_status soothi_pfea_block(sooth_env *env, const sooth_ptx *ptx,
                                            const sooth_ptx_block *block, double times, const sooth_gpu *gpu,
                                            soothi_pfea_sums *sums) {
    for (uint32_t i = block->first; i < block->first + block->count; ++i) {
        const sooth_ptx_instruction *ins = &ptx->instruction[i];
        const unsigned type = soothi_pfea_type(ins->kind);
        if (type == SOOTHI_PFEA_TYPES) continue;
        double cycles = sooth_pfea_latency(gpu, &ptx->form[ins->form], (sooth_ptx_kind)ins->kind);
        if (!(cycles > 0.0))
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "the GPU %s does not tell the latency of a %s instruction, which the kernel "
                              "has; add the latency lines to its description",
                              gpu->name, sooth_ptx_kind_name((sooth_ptx_kind)ins->kind));
        sums->count[type] += times;
        sums->cycles[type] += times * cycles;
        if (ins->kind == SOOTH_PTX_KIND_BRANCH) sums->branch += times;
        if (ins->kind == SOOTH_PTX_KIND_GLOBAL_LOAD) sums->load += times;
        if (ins->kind == SOOTH_PTX_KIND_GLOBAL_STORE || ins->kind == SOOTH_PTX_KIND_GLOBAL_ATOMIC)
            sums->store += times;
    }
    return SOOTH_OK;
}

/* Checks that the kernel's own bounds allow this block. */
SOOTHI_LOCAL sooth_status soothi_pfea_bounds(sooth_env *env, const sooth_ptx_function *f,
                                             const sooth_gpu_launch *launch) {
    uint64_t most = 1, exact = 1;
    for (unsigned i = 0; i < 3; ++i) {
        most *= f->maxntid[i] ? f->maxntid[i] : 1;
        exact *= f->reqntid[i] ? f->reqntid[i] : 1;
    }
    if (!f->is_entry)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "kernel is a function (.func), but only kernels (.entry) can be launched");
    if (launch->blocks == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "blocks is 0, but a grid has at least 1");
    if (f->reqntid[0] && launch->threads != exact)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "threads is %u, but the kernel must be launched with %z (.reqntid)",
                          launch->threads, (size_t)exact);
    if (f->maxntid[0] && launch->threads > most)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "threads is %u, but the kernel was compiled for at most %z (.maxntid)",
                          launch->threads, (size_t)most);
    return SOOTH_OK;
}

/* Sets the features that follow from sums, waves and launch alone. */
SOOTHI_LOCAL void soothi_pfea_fill(const soothi_pfea_sums *s, double waves, const sooth_gpu_launch *launch,
                                   double *v) {
    static const uint8_t kernel[SOOTHI_PFEA_TYPES] = {
        SOOTH_PFEA_COMP_INST_KERNEL, SOOTH_PFEA_GLOB_INST_KERNEL, SOOTH_PFEA_MISC_INST_KERNEL,
        SOOTH_PFEA_SHAR_INST_KERNEL};
    static const uint8_t inst_sm[SOOTHI_PFEA_TYPES] = {SOOTH_PFEA_COMP_INST_SM, SOOTH_PFEA_GLOB_INST_SM,
                                                       SOOTH_PFEA_MISC_INST_SM, SOOTH_PFEA_SHAR_INST_SM};
    for (unsigned t = 0; t < SOOTHI_PFEA_TYPES; ++t) {
        v[SOOTH_PFEA_AVG_COMP_LAT + t] = s->count[t] > 0.0 ? s->cycles[t] / s->count[t] : 0.0;
        v[kernel[t]] = s->count[t];
        v[inst_sm[t]] = s->count[t] * waves;
        v[inst_sm[t] + 1] = s->cycles[t] * waves; /* ..._LAT_SM follows ..._INST_SM */
    }
    v[SOOTH_PFEA_BRANCH] = s->branch * waves;
    v[SOOTH_PFEA_GLOB_LOAD_SM] = s->load * waves;
    v[SOOTH_PFEA_GLOB_STORE_SM] = s->store * waves;
    v[SOOTH_PFEA_TOTAL_INST] = soothi_pfea_all(s) * waves;
    v[SOOTH_PFEA_WAVES] = waves;
    v[SOOTH_PFEA_TOTAL_THREADS] = (double)launch->blocks * (double)launch->threads;
    v[SOOTH_PFEA_REG_THREAD] = launch->registers ? (double)launch->registers : (double)soothi_missing();
    v[SOOTH_PFEA_SHMEM_BLOCK] = (double)launch->shared;
    v[SOOTH_PFEA_BLOCK_SIZE] = (double)launch->threads;
    v[SOOTH_PFEA_GRID_SIZE] = (double)launch->blocks;
}

SOOTH_API sooth_status sooth_pfea_extract(sooth_env *env, const sooth_ptx *ptx, size_t kernel,
                                          const sooth_ptx_counts *counts, const sooth_gpu *gpu,
                                          const sooth_gpu_launch *launch, const sooth_pfea_options *options,
                                          sooth_pfea *out) {
    soothi_pfea_sums sums;
    sooth_penalty_work work;
    sooth_gpu_fit fit;
    memset(out, 0, sizeof *out);
    memset(&sums, 0, sizeof sums);
    memset(&work, 0, sizeof work);
    if (kernel >= ptx->functions)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kernel is %z, but the PTX has %z", kernel,
                          ptx->functions);
    sooth_status status = soothi_pfea_bounds(env, &ptx->function[kernel], launch);
    if (status == SOOTH_OK) status = sooth_gpu_occupancy(env, gpu->compute, launch, &fit);
    if (options) {
        work.as_printed = options->as_printed;
        work.global_bytes = options->global_bytes;
        work.shared_bytes = options->shared_bytes;
    }
    if (status == SOOTH_OK) status = sooth_penalty_check(env, gpu, &work);
    for (size_t b = 0; b < ptx->blocks && status == SOOTH_OK; ++b)
        if (counts->block[b] > 0.0)
            status = soothi_pfea_block(env, ptx, &ptx->block[b], counts->block[b], gpu, &sums);
    if (status != SOOTH_OK) return status;

    const uint64_t busiest = ((uint64_t)launch->blocks + gpu->sms - 1) / gpu->sms; /* blocks of an SM */
    uint64_t at_once = busiest < fit.blocks ? busiest : fit.blocks;
    work.blocks = launch->blocks;
    work.threads = launch->threads;
    work.waves = (busiest + fit.blocks - 1) / fit.blocks;
    if (work.as_printed) { /* lines 3 to 6 and 19 of algorithm 2; the loop ends when no thread remains */
        const uint64_t most = SOOTH_GPU_WARP * sooth_gpu_limits_for(gpu->compute)->warps;
        const uint64_t left = (uint64_t)launch->blocks * launch->threads / gpu->sms; /* nTh_schd */
        work.waves = left > most ? (left - 1) / most + 1 : 1;
        at_once = launch->blocks / gpu->sms ? launch->blocks / gpu->sms : 1;
    }
    soothi_pfea_fill(&sums, (double)work.waves, launch, out->value);
    work.inst = soothi_pfea_all(&sums);
    work.glob_inst = sums.count[SOOTHI_PFEA_GM];
    work.shar_inst = sums.count[SOOTHI_PFEA_SM];
    work.glob_latency = out->value[SOOTH_PFEA_AVG_GLOB_LAT];
    out->value[SOOTH_PFEA_INST_ISSUE_CYCLES] = sooth_penalty_issue(gpu, &work);
    out->value[SOOTH_PFEA_CACHE_PENALTY] = sooth_penalty_cache(gpu, &work);
    out->value[SOOTH_PFEA_GLB_PENALTY] = sooth_penalty_global(gpu, &work);
    out->value[SOOTH_PFEA_SH_PENALTY] = sooth_penalty_shared(gpu, &work);
    out->value[SOOTH_PFEA_OCCUPANCY] = fit.occupancy;
    out->value[SOOTH_PFEA_SM_ACTIVE] = (double)(launch->blocks < gpu->sms ? launch->blocks : gpu->sms);
    out->value[SOOTH_PFEA_N_WARPS] = (double)(soothi_gpu_warps(launch->threads) * at_once);
    return SOOTH_OK;
}

/* ---- the authors' tool ---- */

/* Constants derived from their published numbers: the latencies are integers that satisfy all their rows. By
   the authors' mistake, the cache lines of Ampere and Ada are those of the first level caches, and Ampere's
   schedulers are those of the whole chip. tesla's division is that of M60, which has all other latencies in
   common. A global store of K20 takes 301 cycles in the program's output. In the tables of 2023 it takes a
   load's cycles in 764 of 951 and 1,383 of 1,754 rows, among them all of kernel clock. It takes 301 in 99 and
   184 rows; the remaining rows match neither. */
SOOTHI_LOCAL const sooth_pfea_tool_gpu *soothi_pfea_tool_known(size_t i) {
    static const sooth_pfea_tool_gpu known[] = {
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

SOOTH_API sooth_status sooth_pfea_tool_find(sooth_env *env, const char *name,
                                            const sooth_pfea_tool_gpu **gpu) {
    char names[SOOTH_ENV_SENTENCE - 96];
    size_t n = 0;
    const char *wanted = soothi_same_text(name, "v100") ? "tesla" : name;
    if (soothi_same_text(name, "m60")) wanted = "m60-2023";
    *gpu = NULL;
    for (size_t i = 0; soothi_pfea_tool_known(i); ++i) {
        if (soothi_same_text(soothi_pfea_tool_known(i)->name, wanted)) {
            *gpu = soothi_pfea_tool_known(i);
            return SOOTH_OK;
        }
        n += sooth_text_format(names + n, sizeof names - n, i ? ", %s" : "%s",
                               soothi_pfea_tool_known(i)->name);
    }
    return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                      "the authors of the tool published nothing for a GPU called %s; there are %s", name,
                      names);
}

/* Returns the position of `part` in word, or the word's length. */
SOOTHI_LOCAL size_t soothi_pfea_at(sooth_ptx_word word, const char *part) {
    size_t k;
    for (size_t i = 0; i < word.length; ++i) {
        for (k = 0; part[k] && i + k < word.length && word.text[i + k] == part[k]; ++k) {}
        if (part[k] == 0) return i;
    }
    return word.length;
}

SOOTHI_LOCAL int soothi_pfea_has(sooth_ptx_word word, const char *part) {
    return soothi_pfea_at(word, part) < word.length;
}

SOOTHI_LOCAL int soothi_pfea_starts(sooth_ptx_word word, const char *part) {
    return word.length && soothi_pfea_at(word, part) == 0;
}

/* Returns the first word of a line from character i on. It ends at a blank or at one of two other
   characters. */
SOOTHI_LOCAL sooth_ptx_word soothi_pfea_word(sooth_ptx_word line, size_t i, const char *ends) {
    while (i < line.length && soothi_ptx_is_blank(line.text[i])) ++i;
    const size_t start = i;
    while (i < line.length && !soothi_ptx_is_blank(line.text[i]) &&
           !(ends[0] && (line.text[i] == ends[0] || line.text[i] == ends[1])))
        ++i;
    return soothi_ptx_word(line.text + start, i - start);
}

/* Returns the opcode of a trimmed line: its first word after a predicate. */
SOOTHI_LOCAL sooth_ptx_word soothi_pfea_opcode(sooth_ptx_word line) {
    const sooth_ptx_word first = soothi_pfea_word(line, 0, "");
    return *first.text == '@' ? soothi_pfea_word(line, first.length, "") : first;
}

/* Returns the counter of an opcode. The program tests these words in this order and uses the latency of the
   matched word. */
SOOTHI_LOCAL uint32_t *soothi_pfea_compute(sooth_ptx_word opcode, sooth_pfea_tool_counts *c) {
    static const char word[16][8] = {"fmadd", "fadd", "madd", "mad",  "add", "sub",  "fmul", "mul",
                                     "fdiv",  "div",  "and",  "sqrt", "mov", "setp", "fma",  "cvt"};
    uint32_t *const counter[16] = {&c->alu, &c->alu, &c->alu, &c->alu,  &c->alu, &c->alu,  &c->alu, &c->alu,
                                   &c->div, &c->div, &c->alu, &c->sqrt, &c->mov, &c->setp, &c->alu, &c->cvt};
    for (unsigned i = 0; i < 16; ++i)
        if (soothi_pfea_has(opcode, word[i])) return counter[i];
    return &c->unknown;
}

/* Counts one trimmed line of a body that is not a directive, comment, brace or blank. */
SOOTHI_LOCAL void soothi_pfea_tool_line(sooth_ptx_word line, sooth_pfea_tool_counts *c) {
    const sooth_ptx_word opcode = soothi_pfea_opcode(line);
    if (line.text[line.length - 1] == ':') {
        ++c->label;
    } else if (soothi_pfea_has(line, "sync")) {
        ++c->sync;
    } else if (soothi_pfea_has(line, "bra")) {
        ++c->branch;
    } else if (line.length < 5 && soothi_pfea_has(line, "ret")) {
        ++c->ret;
    } else if (soothi_pfea_starts(opcode, "ld.global") || soothi_pfea_starts(opcode, "ldu.global")) {
        ++c->load;
        c->last_is_store = 0;
    } else if (soothi_pfea_starts(opcode, "st.global")) {
        ++c->store;
        c->last_is_store = 1;
    } else if (soothi_pfea_starts(opcode, "ld.shared")) {
        ++c->shared;
    } else if (soothi_pfea_starts(opcode, "ld.param") || soothi_pfea_starts(opcode, "st.param")) {
        ++c->param;
    } else {
        ++*soothi_pfea_compute(opcode, c);
    }
}

/* Returns a line without surrounding blanks and moves *at past it. */
SOOTHI_LOCAL sooth_ptx_word soothi_pfea_line(const char *text, size_t size, size_t *at) {
    size_t start = *at, end = start;
    while (end < size && text[end] != '\n') ++end;
    *at = end < size ? end + 1 : size;
    while (start < end && soothi_ptx_is_blank(text[start])) ++start;
    while (end > start && soothi_ptx_is_blank(text[end - 1])) --end;
    return soothi_ptx_word(text + start, end - start);
}

/* Returns the name after ".entry" in a line. */
SOOTHI_LOCAL sooth_ptx_word soothi_pfea_entry(sooth_ptx_word line) {
    return soothi_pfea_word(line, soothi_pfea_at(line, ".entry") + 6, "({");
}

/* Returns opening minus closing braces of a line, without a comment at its end. */
SOOTHI_LOCAL int soothi_pfea_depth(sooth_ptx_word line) {
    int depth = 0;
    for (size_t i = 0;
         i < line.length && !(line.text[i] == '/' && i + 1 < line.length && line.text[i + 1] == '/'); ++i)
        depth += (line.text[i] == '{') - (line.text[i] == '}');
    return depth;
}

SOOTH_API sooth_status sooth_pfea_tool_count(sooth_env *env, const char *text, size_t size,
                                             sooth_ptx_word kernel, sooth_pfea_tool_counts *out) {
    size_t at = 0;
    int inside = 0, depth = 0, was;
    char name[52];
    memset(out, 0, sizeof *out);
    while (at < size) {
        sooth_ptx_word line = soothi_pfea_line(text, size, &at);
        if (!line.length || soothi_pfea_starts(line, "//")) continue;
        if (!inside && soothi_pfea_has(line, ".entry") &&
            (!kernel.length || soothi_ptx_same(soothi_pfea_entry(line), kernel)))
            inside = 1;
        if (!inside) continue;
        was = depth;
        depth += soothi_pfea_depth(line);
        if (was > 0 && line.text[0] != '.' && line.text[0] != '{' && line.text[0] != '}')
            soothi_pfea_tool_line(line, out);
        if (was > 0 && depth <= 0) return SOOTH_OK;
    }
    soothi_ptx_brief(name, kernel);
    if (inside)
        return sooth_fail(env, SOOTH_BAD_TEXT, "the text ends inside the kernel %s; is the file complete?",
                          name);
    return sooth_fail(env, SOOTH_BAD_ARGUMENT, "there is no kernel %s in the text", name);
}

/* Returns the cycles of a global load on K20: the authors' regression over the number of threads. */
SOOTHI_LOCAL double soothi_pfea_tool_load(const sooth_pfea_tool_gpu *gpu, double T) {
    if (gpu->load > 0.0) return gpu->load;
    return T < 2500.0      ? 220.0 + 0.02828 * T
           : T < 25000.0   ? 251.7 + 0.00478 * T
           : T < 992000.0  ? 307.8 + 0.0001679 * T
           : T < 2190000.0 ? 501.8 - 2.529e-5 * T
                           : 574.1;
}

/* Returns the 32-bit integer in the low bits of v. */
SOOTHI_LOCAL double soothi_pfea_wrapped(uint64_t v) {
    const uint32_t low = (uint32_t)(v & 0xFFFFFFFFu);
    return low < 0x80000000u ? (double)low : (double)low - 4294967296.0;
}

/* Rounds toward zero, like integer division in Java; |v| < 2^63. */
SOOTHI_LOCAL double soothi_pfea_whole(double v) { return (double)(int64_t)v; }

/* The penalties of the 2023 tables. Their throughputs TP(gm) and TP(sm) saturate over the instructions x of
   an SM: top - rise e^(-rate x). The constants reproduce all published values (290 and 103 different counts
   of global, 86 and 46 of shared instructions) to 1e-8, the shared ones of K20 to 2e-6. */
SOOTHI_LOCAL void soothi_pfea_tool_2023(const sooth_pfea_tool_gpu *gpu, const sooth_gpu_launch *launch,
                                        double *v) {
    const uint64_t T = (uint64_t)launch->blocks * launch->threads;
    const double threads = (double)T, glob = v[SOOTH_PFEA_GLOB_INST_SM], shar = v[SOOTH_PFEA_SHAR_INST_SM];
    const double wtotal = soothi_pfea_whole(0.0715025 * (threads / 2496.0) + 1.0546 + 0.5);
    const uint64_t group = (uint64_t)gpu->sms * 32;
    const int is_k20 = gpu->sms == 13;
    v[SOOTH_PFEA_INST_ISSUE_CYCLES] =
        soothi_pfea_whole(threads * v[SOOTH_PFEA_TOTAL_INST] / (double)gpu->issue_unit + 0.5);
    v[SOOTH_PFEA_CACHE_PENALTY] =
        threads / 32.0 * v[SOOTH_PFEA_GLOB_LAT_SM] / (wtotal * (double)gpu->l2_lines);
    if (gpu->sms == 80) v[SOOTH_PFEA_CACHE_PENALTY] *= glob;
    v[SOOTH_PFEA_SM_ACTIVE] = (double)launch->threads;     /* the authors' mistake */
    v[SOOTH_PFEA_N_WARPS] = (double)launch->blocks / 32.0; /* the authors' mistake */
    v[SOOTH_PFEA_WAVES] = (double)(((uint64_t)launch->blocks + gpu->sms - 1) / gpu->sms);
    if (!(gpu->memory_ghz > 0.0)) return;
    const double tp_global = is_k20 ? 79418.352 - 76363.8 * soothi_exp(-2.1342e-4 * glob)
                                    : 87173.392 - 71453.6 * soothi_exp(-3.3469e-5 * glob);
    const double tp_shared =
        is_k20 ? -823761.709 * soothi_expm1(-1.3830e-5 * shar) : -1618990.0 * soothi_expm1(-5.5295e-5 * shar);
    const double whole = is_k20 ? threads * (T > 5000 ? 2.125 : 1.0) : (double)((T + 511) / 512) * 512.0;
    v[SOOTH_PFEA_GLB_PENALTY] =
        (double)((T + group - 1) / group) * glob * ((double)gpu->sms * 128.0 * gpu->memory_ghz) / tp_global;
    v[SOOTH_PFEA_SH_PENALTY] = shar > 0.0 ? whole * 4.0 * gpu->memory_ghz * shar / tp_shared : 0.0;
}

/* Computes the issue cycles and the cache penalty of the program. */
SOOTHI_LOCAL void soothi_pfea_tool_program(const sooth_pfea_tool_gpu *gpu, const sooth_pfea_tool_counts *c,
                                           const sooth_gpu_launch *launch, uint64_t glob, uint64_t total,
                                           double *v) {
    const uint64_t T = (uint64_t)launch->blocks * launch->threads;
    const uint64_t batches = T / (32u * (uint64_t)gpu->schedulers) * (total / 2);
    const double wtotal = soothi_pfea_whole(0.0715025 * (double)(T / 2496) + 1.0546 + 0.5);
    const double latency = c->last_is_store ? gpu->store : soothi_pfea_tool_load(gpu, (double)T);
    double issue = gpu->wraps ? soothi_pfea_wrapped(batches) : (double)batches;
    issue = soothi_pfea_whole(issue / (32.0 * (double)gpu->dispatch_units));
    /* 1 or more; wrapped values stay below 0 */
    v[SOOTH_PFEA_INST_ISSUE_CYCLES] = issue < 0.0 || issue > 0.0 ? issue : 1.0;
    double access = gpu->wraps ? soothi_pfea_wrapped(T * glob) : (double)T * (double)glob;
    v[SOOTH_PFEA_CACHE_PENALTY] = access * latency / (32.0 * (double)gpu->l2_lines * wtotal);
}

SOOTH_API sooth_status sooth_pfea_tool(sooth_env *env, const sooth_pfea_tool_gpu *gpu,
                                       const sooth_pfea_tool_counts *c, const sooth_gpu_launch *launch,
                                       uint32_t compute, sooth_pfea *out) {
    const double T = (double)launch->blocks * (double)launch->threads, none = (double)soothi_missing();
    const double load = soothi_pfea_tool_load(gpu, T);
    const uint64_t waves = sooth_gpu_waves(launch->blocks, launch->threads, gpu->sms, 2048);
    const uint32_t comp = c->alu + c->mov + c->setp + c->cvt + c->div + c->sqrt;
    const uint32_t misc = 3 * comp + c->branch + 3 * c->label + 2 * c->ret + c->unknown;
    const uint32_t each = comp + c->load + c->store + c->shared + misc; /* of a wave */
    soothi_pfea_sums s;
    sooth_gpu_fit fit;
    double *v = out->value;
    sooth_status status;
    memset(out, 0, sizeof *out);
    memset(&s, 0, sizeof s);
    if (launch->blocks == 0 || launch->threads == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s is 0, but must be at least 1",
                          launch->blocks ? "threads" : "blocks");
    if (compute && (status = sooth_gpu_occupancy(env, compute, launch, &fit)) != SOOTH_OK) return status;
    s.count[SOOTHI_PFEA_C] = (double)comp;
    s.count[SOOTHI_PFEA_GM] = (double)c->load + (double)c->store;
    s.count[SOOTHI_PFEA_SM] = (double)c->shared;
    s.count[SOOTHI_PFEA_M] = (double)misc;
    s.cycles[SOOTHI_PFEA_C] = c->alu * gpu->alu + c->mov * gpu->mov + c->setp * gpu->setp +
                              c->cvt * gpu->cvt + c->div * gpu->div + c->sqrt * gpu->sqrt;
    if ((c->div && !(gpu->div > 0.0)) || (c->sqrt && !(gpu->sqrt > 0.0))) s.cycles[SOOTHI_PFEA_C] = none;
    s.cycles[SOOTHI_PFEA_GM] = c->load * load + c->store * (gpu->store > 0.0 ? gpu->store : load);
    s.cycles[SOOTHI_PFEA_SM] = c->shared * 36.0;
    s.cycles[SOOTHI_PFEA_M] = misc * 10.0;
    s.branch = (double)c->branch;
    s.load = (double)c->load;
    s.store = (double)c->store;
    soothi_pfea_fill(&s, (double)waves, launch, v);
    v[SOOTH_PFEA_MISC_INST_KERNEL] = (double)c->unknown;
    if (gpu->is_2023 && gpu->sms == 13) v[SOOTH_PFEA_GLOB_INST_KERNEL] += (double)c->param;
    if (!gpu->is_2023 && !c->shared) v[SOOTH_PFEA_AVG_SHAR_LAT] = none;
    v[SOOTH_PFEA_SM_ACTIVE] = v[SOOTH_PFEA_N_WARPS] = none;
    v[SOOTH_PFEA_GLB_PENALTY] = v[SOOTH_PFEA_SH_PENALTY] = none;
    v[SOOTH_PFEA_OCCUPANCY] = compute ? fit.occupancy : none;
    if (gpu->is_2023) soothi_pfea_tool_2023(gpu, launch, v);
    else soothi_pfea_tool_program(gpu, c, launch, (c->load + (uint64_t)c->store) * waves, each * waves, v);
    return SOOTH_OK;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
