/* ptx/needs.h - the GPUs that have the instructions of a kernel: capabilities by opcode and modifiers.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The PTX ISA states for each instruction, modifier and data type from which compute capability on a GPU
 * has it (target ISA notes, PTX ISA 9.0). Some are of one generation: wgmma exists on 9.0 only. The table
 * below has those that not every GPU of compute capability 3.5 has. The assemblers of CUDA 11.8, 12.9 and
 * 13.0 confirm it for 617 instructions (tests/golden/ptx/needs.py). They agree but for one: tcgen05.mma of
 * integers, which 10.3 lacks between 10.0 and 11.0.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/ptx.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 9.0\n.target sm_90\n"
 *             ".entry late() {\nelect.sync %r1|%p1, %r2;\nbarrier.cluster.arrive;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_needs needs;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         sooth_ptx_needs_find(&ptx, 0, &needs);
 *         printf("line %u needs sm_%u\n", needs.line, needs.least); //> line 4 needs sm_90
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Cost: the search in the table runs once for each form, when it is read: 80 rows, 0.3 microseconds.
 * sooth_ptx_needs_find takes one pass over the instructions, and one over the text up to the line.
 */
#if !defined(SOOTH_PTX_NEEDS_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_NEEDS_IMPLEMENTED))
#include "flow.h"
#endif

#if !defined(SOOTH_PTX_NEEDS_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_NEEDS_H
SOOTHI_C_BEGIN

/* The compute capabilities of the GPUs that can run a kernel if it is compiled for them: 90 for 9.0. */
typedef struct sooth_ptx_needs {
    uint32_t least, most; /* the first and the last; 0: no limit */
    uint32_t
        instruction; /* the first in ptx->instruction[] that needs them, or NONE: the kernel's head does */
    uint32_t line;   /* of it in the PTX; 0: nothing needs any */
} sooth_ptx_needs;

/* Finds the capabilities that a kernel needs by its instructions and its clusters. Instructions of functions
   (.func) in the module count for every kernel, because it may call them. .target does not count: see
   sooth_gpu_launch_check. */
SOOTH_API void sooth_ptx_needs_find(const sooth_ptx *ptx, size_t kernel, sooth_ptx_needs *needs);

SOOTHI_C_END
#endif /* SOOTH_PTX_NEEDS_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_NEEDS_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_NEEDS_IMPLEMENTED
SOOTHI_C_BEGIN

/* Counts newlines in p[0..n), eight bytes at a time. A byte of `hit` has its top bit set if the text has a
   newline there (exact: no carry leaves a byte). */
SOOTHI_LOCAL uint32_t soothi_ptx_lines(const char *p, size_t n) {
    const uint64_t ones = 0x0101010101010101u, low = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t piece, hit;
    uint32_t lines = 0;
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&piece, p, 8);
        piece ^= ones * '\n';
        hit = ~(((piece & low) + low) | piece | low) >> 7;
        lines += (uint32_t)(hit * ones >> 56);
    }
    for (; n > 0; --n, ++p) lines += *p == '\n';
    return lines;
}

/* What instructions with one of these opcodes need, if of each group of words one is among the modifiers. */
typedef struct soothi_ptx_need {
    uint8_t least, most; /* 0: no limit */
    uint8_t opcode[10];  /* sooth_ptx_opcode + 1; 0: no more */
    char words[62];      /* groups are separated by points, and the words of one by bars */
} soothi_ptx_need;

/* Returns row i of the table, or NULL after the last. */
SOOTHI_LOCAL const soothi_ptx_need *soothi_ptx_need_at(size_t i) {
    /* clang-format off */
#define SOOTHI_OP(name) SOOTH_PTX_OP_##name + 1
    static const soothi_ptx_need known[] = {
        {50, 0, {SOOTHI_OP(LOP3)}, ""},
        {52, 0, {SOOTHI_OP(ALLOCA), SOOTHI_OP(STACKSAVE), SOOTHI_OP(STACKRESTORE)}, ""},
        {53, 0, {SOOTHI_OP(ABS), SOOTHI_OP(NEG), SOOTHI_OP(ADD), SOOTHI_OP(SUB), SOOTHI_OP(MUL),
          SOOTHI_OP(FMA), SOOTHI_OP(SET), SOOTHI_OP(SETP), SOOTHI_OP(TEX), SOOTHI_OP(TLD4)},
         "f16|f16x2"},
        {60, 0, {SOOTHI_OP(MEMBAR)}, "proxy"},
        {60, 0, {SOOTHI_OP(ATOM), SOOTHI_OP(RED)}, "f64|f16x2|cta|gpu|sys"},
        {61, 0, {SOOTHI_OP(DP2A), SOOTHI_OP(DP4A)}, ""},
        {70, 0, {SOOTHI_OP(BMSK), SOOTHI_OP(FENCE), SOOTHI_OP(MATCH), SOOTHI_OP(MMA),
          SOOTHI_OP(NANOSLEEP), SOOTHI_OP(SZEXT), SOOTHI_OP(WMMA)},
         ""},
        {70, 0, {SOOTHI_OP(LOP3)}, "and|or|xor"},
        {70, 0, {SOOTHI_OP(CVTA), SOOTHI_OP(ISSPACEP)}, "param"},
        {70, 0, {SOOTHI_OP(CVT)}, "satfinite.f16"},
        {70, 0, {SOOTHI_OP(ATOM), SOOTHI_OP(RED)}, "b16|f16"},
        {70, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST), SOOTHI_OP(MOV)}, "b128"},
        {70, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST), SOOTHI_OP(ATOM), SOOTHI_OP(RED)},
         "relaxed|acquire|release|acq_rel|weak|mmio"},
        {70, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST)}, "L1::evict_first|L1::evict_last|L1::evict_normal"},
        {70, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST)}, "L1::evict_unchanged|L1::no_allocate"},
        {72, 0, {SOOTHI_OP(CVT)}, "pack"},
        {72, 0, {SOOTHI_OP(WMMA)}, "s8|u8|s32"},
        {75, 0, {SOOTHI_OP(CVT)}, "pack.u4|s4|u2|s2"},
        {75, 0, {SOOTHI_OP(EX2), SOOTHI_OP(TANH)}, "f16|f16x2"},
        {75, 0, {SOOTHI_OP(TANH), SOOTHI_OP(LDMATRIX), SOOTHI_OP(MOVMATRIX)}, ""},
        {75, 0, {SOOTHI_OP(LD)}, "L2::64B|L2::128B"},
        {75, 0, {SOOTHI_OP(MMA)}, "m8n8k16|m8n8k32|m8n8k128|m16n8k8"},
        {75, 0, {SOOTHI_OP(WMMA)}, "m8n8k32|m8n8k128"},
        {80, 0, {SOOTHI_OP(APPLYPRIORITY), SOOTHI_OP(CREATEPOLICY), SOOTHI_OP(DISCARD),
          SOOTHI_OP(MBARRIER), SOOTHI_OP(REDUX)},
         ""},
        {80, 0, {SOOTHI_OP(CP)}, "async"},
        {80, 0, {SOOTHI_OP(PREFETCH)}, "L2::evict_last|L2::evict_normal"},
        {80, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST), SOOTHI_OP(ATOM), SOOTHI_OP(RED)}, "L2::cache_hint|L2::256B"},
        {80, 0, {SOOTHI_OP(MIN), SOOTHI_OP(MAX)}, "NaN|f16|f16x2|bf16|bf16x2"},
        {80, 0, {SOOTHI_OP(ABS), SOOTHI_OP(NEG), SOOTHI_OP(FMA)}, "bf16|bf16x2"},
        {80, 0, {SOOTHI_OP(FMA)}, "relu"},
        {80, 0, {SOOTHI_OP(CVT)}, "f16x2|bf16|bf16x2|tf32|relu"},
        {80, 0, {SOOTHI_OP(MMA)}, "f64|tf32|bf16|and|sp|sp::ordered_metadata"},
        {80, 0, {SOOTHI_OP(MMA)}, "m16n8k4|m16n8k16|m16n8k32|m16n8k64|m16n8k128|m16n8k256"},
        {80, 0, {SOOTHI_OP(WMMA)}, "bf16|tf32|f64|and|m16n16k8"},
        {86, 0, {SOOTHI_OP(MIN), SOOTHI_OP(MAX)}, "xorsign"},
        {89, 0, {SOOTHI_OP(CVT)}, "e4m3x2|e5m2x2"},
        {89, 0, {SOOTHI_OP(MMA)}, "e4m3|e5m2"},
        {90, 90, {SOOTHI_OP(WGMMA)}, ""},
        {90, 0, {SOOTHI_OP(ELECT), SOOTHI_OP(GETCTARANK), SOOTHI_OP(GRIDDEPCONTROL),
          SOOTHI_OP(MAPA), SOOTHI_OP(MULTIMEM), SOOTHI_OP(SETMAXNREG), SOOTHI_OP(STMATRIX)},
         ""},
        {90, 0, {SOOTHI_OP(TENSORMAP)}, ""},
        {90, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST), SOOTHI_OP(ATOM), SOOTHI_OP(RED), SOOTHI_OP(CVTA),
          SOOTHI_OP(ISSPACEP), SOOTHI_OP(MBARRIER)},
         "shared::cluster"},
        {90, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST), SOOTHI_OP(ATOM), SOOTHI_OP(RED), SOOTHI_OP(FENCE),
          SOOTHI_OP(MBARRIER), SOOTHI_OP(BARRIER)},
         "cluster"},
        {90, 0, {SOOTHI_OP(ADD), SOOTHI_OP(MIN), SOOTHI_OP(MAX)}, "u16x2|s16x2"},
        {90, 0, {SOOTHI_OP(MIN), SOOTHI_OP(MAX)}, "relu"},
        {90, 0, {SOOTHI_OP(ADD), SOOTHI_OP(SUB), SOOTHI_OP(MUL), SOOTHI_OP(SET), SOOTHI_OP(SETP),
          SOOTHI_OP(EX2), SOOTHI_OP(TANH)},
         "bf16|bf16x2"},
        {90, 0, {SOOTHI_OP(FMA)}, "oob"},
        {90, 0, {SOOTHI_OP(CVT)}, "bf16.f16|f64|u8|s8|u16|s16|u32|s32|u64|s64"},
        {90, 0, {SOOTHI_OP(CVT)}, "tf32.rn|rz"},
        {90, 0, {SOOTHI_OP(ST), SOOTHI_OP(RED)}, "async"},
        {90, 0, {SOOTHI_OP(PREFETCH)}, "tensormap"},
        {90, 0, {SOOTHI_OP(CP)}, "bulk"},
        {90, 0, {SOOTHI_OP(FENCE)}, "async|mbarrier_init|tensormap::generic|sync_restrict"},
        {90, 0, {SOOTHI_OP(MBARRIER)}, "expect_tx|complete_tx|try_wait|relaxed"},
        {90, 0, {SOOTHI_OP(ATOM), SOOTHI_OP(RED)}, "bf16|bf16x2|v2|v4|v8|b128"},
        {90, 0, {SOOTHI_OP(MMA)}, "f64.m16n8k4|m16n8k8|m16n8k16"},
        {100, 0, {SOOTHI_OP(CLUSTERLAUNCHCONTROL)}, ""},
        {100, 0, {SOOTHI_OP(ADD), SOOTHI_OP(SUB), SOOTHI_OP(MUL), SOOTHI_OP(FMA)}, "f32x2"},
        {100, 0, {SOOTHI_OP(ADD), SOOTHI_OP(SUB), SOOTHI_OP(FMA)}, "f32.f16|bf16"},
        {100, 0, {SOOTHI_OP(CVT)}, "satfinite.tf32.rn|rz"},
        {100, 0, {SOOTHI_OP(CVT)}, "e2m1x2|e2m3x2|e3m2x2|ue8m0x2"},
        {100, 109, {SOOTHI_OP(CVT)}, "rs"},
        {100, 109, {SOOTHI_OP(REDUX)}, "f32"},
        {100, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST)}, "v8"},
        {100, 0, {SOOTHI_OP(LD), SOOTHI_OP(ST)}, "v4.b64|u64|s64|f64"},
        {100, 0, {SOOTHI_OP(ST)}, "bulk"},
        {100, 0, {SOOTHI_OP(ST)}, "async.mmio"},
        {100, 0, {SOOTHI_OP(MULTIMEM)}, "acc::f16|e4m3|e5m2|e4m3x2|e5m2x2|e4m3x4|e5m2x4"},
        {100, 0, {SOOTHI_OP(CP)}, "cp_mask"},
        {100, 119, {SOOTHI_OP(CP)}, "cta_group::1|cta_group::2|tile::gather4|tile::scatter4"},
        {100, 119, {SOOTHI_OP(CP)}, "im2col::w|im2col::w::128"},
        {100, 0, {SOOTHI_OP(LDMATRIX)}, "m8n16|m16n16"},
        {100, 0, {SOOTHI_OP(STMATRIX)}, "m16n8"},
        {100, 0, {SOOTHI_OP(MMA)}, "kind::f8f6f4"},
        {100, 119, {SOOTHI_OP(TCGEN05)}, ""},
        {103, 119, {SOOTHI_OP(TCGEN05)}, "red"},
        {120, 0, {SOOTHI_OP(MMA)}, "e2m1|e2m3|e3m2|kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4"},
    };
#undef SOOTHI_OP
    /* clang-format on */
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

/* True if one word of the group at *words is among the modifiers. Moves *words to the next group. */
SOOTHI_LOCAL int soothi_ptx_need_group(const char **words, const soothi_ptx_parts *parts) {
    const char *p = *words, *start = p;
    int found = 0;
    for (;; ++p) {
        if (*p && *p != '|' && *p != '.') continue;
        for (size_t i = 1; i < parts->words && !found; ++i)
            found = soothi_ptx_same(parts->word[i], soothi_ptx_word(start, (size_t)(p - start)));
        start = p + 1;
        if (*p != '|') break;
    }
    *words = *p ? p + 1 : p;
    return found;
}

/* Narrows the capabilities from *least to *most to those that also meet the need. */
SOOTHI_LOCAL int soothi_ptx_narrow(uint32_t *least, uint32_t *most, uint32_t need_least, uint32_t need_most) {
    int narrower = 0;
    if (need_least > *least) *least = need_least, narrower = 1;
    if (need_most && (need_most < *most || !*most)) *most = need_most, narrower = 1;
    return narrower;
}

/* Sets the capabilities that a form needs. */
SOOTHI_LOCAL void soothi_ptx_form_needs(sooth_ptx_form *form) {
    const soothi_ptx_need *need;
    soothi_ptx_parts parts;
    uint32_t least = 0, most = 0;
    parts.words = 0;
    for (size_t i = 0; (need = soothi_ptx_need_at(i)) != NULL; ++i) {
        const char *words = need->words;
        int met = 0;
        for (size_t k = 0; k < sizeof need->opcode && need->opcode[k] && !met; ++k)
            met = need->opcode[k] == form->opcode + 1;
        if (met && !parts.words) parts.words = soothi_ptx_split(form->text, form->length, parts.word);
        while (met && *words) met = soothi_ptx_need_group(&words, &parts);
        if (met) soothi_ptx_narrow(&least, &most, need->least, need->most);
    }
    form->least = (uint8_t)least;
    form->most = (uint8_t)most;
}

/* Returns the capability that the operands of an instruction need, 0 for most of them: special registers of
   clusters, a third source of min and max, a count of arrivals. */
SOOTHI_LOCAL uint32_t soothi_ptx_operand_needs(const sooth_ptx *ptx, const sooth_ptx_instruction *at) {
    static const char of_9[5][13] = {"%cluster", "%nclusterid", "%is_explicit", "%aggr_smem", ""};
    const sooth_ptx_form *form = &ptx->form[at->form];
    sooth_ptx_word operand[4];
    if (form->opcode == SOOTH_PTX_OP_MOV) {
        if (sooth_ptx_operands(ptx, at, operand, 2) < 2) return 0;
        for (size_t i = 0; of_9[i][0]; ++i) {
            const size_t n = soothi_text_length(of_9[i]);
            if (operand[1].length >= n && soothi_ptx_is(soothi_ptx_word(operand[1].text, n), of_9[i]))
                return 90;
        }
        if (operand[1].length > 13 && soothi_ptx_is(soothi_ptx_word(operand[1].text, 14), "%reserved_smem"))
            return 80;
    } else if (form->opcode == SOOTH_PTX_OP_MIN || form->opcode == SOOTH_PTX_OP_MAX) {
        if (sooth_ptx_operands(ptx, at, operand, 4) > 3) return 100;
    } else if (form->opcode == SOOTH_PTX_OP_MBARRIER) {
        soothi_ptx_parts parts;
        memset(&parts, 0, sizeof parts);
        parts.words = soothi_ptx_split(form->text, form->length, parts.word);
        if ((soothi_ptx_has(&parts, "arrive") || soothi_ptx_has(&parts, "arrive_drop")) &&
            !soothi_ptx_has(&parts, "noComplete") && sooth_ptx_operands(ptx, at, operand, 4) > 2)
            return 90;
    }
    return 0;
}

SOOTH_API void sooth_ptx_needs_find(const sooth_ptx *ptx, size_t kernel, sooth_ptx_needs *needs) {
    const sooth_ptx_function *of = &ptx->function[kernel];
    memset(needs, 0, sizeof *needs);
    needs->instruction = SOOTH_PTX_NONE;
    if ((of->reqnctapercluster[0] || of->maxclusterrank) &&
        soothi_ptx_narrow(&needs->least, &needs->most, 90, 0))
        needs->line = of->line;
    for (size_t f = 0; f < ptx->functions; ++f) {
        const sooth_ptx_function *g = &ptx->function[f];
        if (f != kernel && (g->is_entry || !g->has_body)) continue;
        for (uint32_t i = g->instruction; i < g->instruction + g->instructions; ++i) {
            const sooth_ptx_form *form = &ptx->form[ptx->instruction[i].form];
            uint32_t least = soothi_ptx_operand_needs(ptx, &ptx->instruction[i]);
            if (form->least > least) least = form->least;
            if (soothi_ptx_narrow(&needs->least, &needs->most, least, form->most)) needs->instruction = i;
        }
    }
    if (needs->instruction != SOOTH_PTX_NONE)
        needs->line = 1 + soothi_ptx_lines(ptx->text, ptx->instruction[needs->instruction].at);
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
