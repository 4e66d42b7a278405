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
 * Cost: the search in the table runs once for each form, when it is read: 110 comparisons of a few words.
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
    uint32_t instruction; /* the first in ptx->instruction[] that needs them, or NONE: the kernel's head or */
    uint32_t line;        /* .target needs them; its line in the PTX; 0: .target */
} sooth_ptx_needs;

/* Finds the capabilities that a kernel needs by its instructions, its clusters and a .target with a suffix,
   such as sm_90a: code for one generation. Instructions of functions (.func) in the module count for every
   kernel, because it may call them. .target without a suffix does not count: see sooth_gpu_launch_check. */
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

/* What instructions with these words need: a word of the first group is the opcode, and of each other group
   one is among the modifiers. */
typedef struct soothi_ptx_need {
    uint8_t least, most; /* 0: no limit */
    char words[70];
} soothi_ptx_need;

/* Returns row i of the table, or NULL after the last. */
SOOTHI_LOCAL const soothi_ptx_need *soothi_ptx_need_at(size_t i) {
    static const soothi_ptx_need known[] = {
        {50, 0, "lop3"},
        {52, 0, "alloca|stacksave|stackrestore"},
        {53, 0, "abs|neg|add|sub|mul|fma|set|setp|tex|tld4.f16|f16x2"},
        {60, 0, "membar.proxy"},
        {60, 0, "atom|red.f64|f16x2|cta|gpu|sys"},
        {61, 0, "dp2a|dp4a"},
        {70, 0, "bmsk|fence|match|mma|nanosleep|szext|wmma"},
        {70, 0, "lop3.and|or|xor"},
        {70, 0, "cvta|isspacep.param"},
        {70, 0, "cvt.satfinite.f16"},
        {70, 0, "atom|red.b16|f16"},
        {70, 0, "ld|st|mov.b128"},
        {70, 0, "ld|st|atom|red.relaxed|acquire|release|acq_rel|weak|mmio"},
        {70, 0, "ld|st.L1::evict_first|L1::evict_last|L1::evict_normal"},
        {70, 0, "ld|st.L1::evict_unchanged|L1::no_allocate"},
        {72, 0, "cvt.pack"},
        {72, 0, "wmma.s8|u8|s32"},
        {75, 0, "cvt.pack.u4|s4|u2|s2"},
        {75, 0, "ex2|tanh.f16|f16x2"},
        {75, 0, "tanh|ldmatrix|movmatrix"},
        {75, 0, "ld.L2::64B|L2::128B"},
        {75, 0, "mma.m8n8k16|m8n8k32|m8n8k128|m16n8k8"},
        {75, 0, "wmma.m8n8k32|m8n8k128"},
        {80, 0, "applypriority|createpolicy|discard|mbarrier|redux"},
        {80, 0, "cp.async"},
        {80, 0, "prefetch.L2::evict_last|L2::evict_normal"},
        {80, 0, "ld|st|atom|red.L2::cache_hint|L2::256B"},
        {80, 0, "min|max.NaN|f16|f16x2|bf16|bf16x2"},
        {80, 0, "abs|neg|fma.bf16|bf16x2"},
        {80, 0, "fma.relu"},
        {80, 0, "cvt.f16x2|bf16|bf16x2|tf32|relu"},
        {80, 0, "mma.f64|tf32|bf16|and|sp|sp::ordered_metadata"},
        {80, 0, "mma.m16n8k4|m16n8k16|m16n8k32|m16n8k64|m16n8k128|m16n8k256"},
        {80, 0, "wmma.bf16|tf32|f64|and|m16n16k8"},
        {86, 0, "min|max.xorsign"},
        {89, 0, "cvt.e4m3x2|e5m2x2"},
        {89, 0, "mma.e4m3|e5m2"},
        {90, 90, "wgmma"},
        {90, 0, "elect|getctarank|griddepcontrol|mapa|multimem|setmaxnreg|stmatrix"},
        {90, 0, "tensormap"},
        {90, 0, "ld|st|atom|red|cvta|isspacep|mbarrier.shared::cluster"},
        {90, 0, "ld|st|atom|red|fence|mbarrier|barrier.cluster"},
        {90, 0, "add|min|max.u16x2|s16x2"},
        {90, 0, "min|max.relu"},
        {90, 0, "add|sub|mul|set|setp|ex2|tanh.bf16|bf16x2"},
        {90, 0, "fma.oob"},
        {90, 0, "cvt.bf16.f16|f64|u8|s8|u16|s16|u32|s32|u64|s64"},
        {90, 0, "cvt.tf32.rn|rz"},
        {90, 0, "st|red.async"},
        {90, 0, "prefetch.tensormap"},
        {90, 0, "cp.bulk"},
        {90, 0, "fence.async|mbarrier_init|tensormap::generic|sync_restrict"},
        {90, 0, "mbarrier.expect_tx|complete_tx|try_wait|relaxed"},
        {90, 0, "atom|red.bf16|bf16x2|v2|v4|v8|b128"},
        {90, 0, "mma.f64.m16n8k4|m16n8k8|m16n8k16"},
        {100, 0, "clusterlaunchcontrol"},
        {100, 0, "add|sub|mul|fma.f32x2"},
        {100, 0, "add|sub|fma.f32.f16|bf16"},
        {100, 0, "cvt.satfinite.tf32.rn|rz"},
        {100, 0, "cvt.e2m1x2|e2m3x2|e3m2x2|ue8m0x2"},
        {100, 109, "cvt.rs"},
        {100, 109, "redux.f32"},
        {100, 0, "ld|st.v8"},
        {100, 0, "ld|st.v4.b64|u64|s64|f64"},
        {100, 0, "st.bulk"},
        {100, 0, "st.async.mmio"},
        {100, 0, "multimem.acc::f16|e4m3|e5m2|e4m3x2|e5m2x2|e4m3x4|e5m2x4"},
        {100, 0, "cp.cp_mask"},
        {100, 119, "cp.cta_group::1|cta_group::2|tile::gather4|tile::scatter4"},
        {100, 119, "cp.im2col::w|im2col::w::128"},
        {100, 0, "ldmatrix.m8n16|m16n16"},
        {100, 0, "stmatrix.m16n8"},
        {100, 0, "mma.kind::f8f6f4"},
        {100, 119, "tcgen05"},
        {103, 119, "tcgen05.red"},
        {120, 0, "mma.e2m1|e2m3|e3m2|kind::mxf8f6f4|kind::mxf4|kind::mxf4nvf4"},
    };
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

/* True if one word of the group at *words is among words from..to of the opcode. Moves *words to the next
   group. */
SOOTHI_LOCAL int soothi_ptx_need_group(const char **words, const soothi_ptx_parts *parts, size_t from,
                                       size_t to) {
    const char *p = *words, *start = p;
    int found = 0;
    for (;; ++p) {
        if (*p && *p != '|' && *p != '.') continue;
        for (size_t i = from; i < to && !found; ++i)
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
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    for (size_t i = 0; (need = soothi_ptx_need_at(i)) != NULL; ++i) {
        const char *words = need->words;
        int met = soothi_ptx_need_group(&words, &parts, 0, 1);
        while (met && *words) met = soothi_ptx_need_group(&words, &parts, 1, parts.words);
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
    if (ptx->target.length &&
        soothi_ptx_char(ptx->target.text[ptx->target.length - 1]) == SOOTHI_PTX_LETTER && ptx->sm)
        soothi_ptx_narrow(&needs->least, &needs->most, ptx->sm, ptx->sm / 10 * 10 + 9);
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
