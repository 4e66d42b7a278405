/* fuzz_ptx.c - any bytes are PTX or a sentence, and what was read holds together and can be counted.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * With libFuzzer: clang -fsanitize=fuzzer,address,undefined -Iinclude fuzz_ptx.c. Without: define
 * SOOTH_FUZZ_MAIN; the program then runs on mutations of its own seeds.
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/ptx_count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds) {
    if (!holds) abort();
}

static int ignore(void *user, const char *text, size_t size) {
    size_t *sum = (size_t *)user;
    size_t i;
    for (i = 0; i < size; ++i) *sum += (unsigned char)text[i];
    return 0;
}

/* Everything points to where it should, and nothing is lost. */
static void check_module(const sooth_ptx *ptx) {
    size_t i, k, instructions = 0, blocks = 0, loops = 0, forms = 0;
    for (i = 0; i < ptx->forms; ++i) forms += ptx->form[i].count;
    check(forms == ptx->instructions);
    for (i = 0; i < ptx->functions; ++i) {
        const sooth_ptx_function *f = &ptx->function[i];
        instructions += f->instructions;
        blocks += f->blocks;
        loops += f->loops;
        check(f->name.text >= ptx->text && f->name.text + f->name.length <= ptx->text + ptx->size);
        check(f->instruction + f->instructions <= ptx->instructions && f->block + f->blocks <= ptx->blocks &&
              f->loop + f->loops <= ptx->loops);
        check(f->param + f->params <= ptx->variables && f->label + f->labels <= ptx->labels);
    }
    check(instructions == ptx->instructions && blocks == ptx->blocks && loops == ptx->loops);
    for (i = 0; i < ptx->instructions; ++i) {
        const sooth_ptx_instruction *ins = &ptx->instruction[i];
        sooth_ptx_word operand[4];
        check(ins->form < ptx->forms && ins->kind < SOOTH_PTX_KINDS);
        check(ptx->text + ins->at + ins->skip + ptx->form[ins->form].length <= ptx->text + ptx->size);
        k = sooth_ptx_operands(ptx, ins, operand, 4);
        while (k-- > 0)
            if (k < 4)
                check(operand[k].text >= ptx->text &&
                      operand[k].text + operand[k].length < ptx->text + ptx->size);
    }
    for (i = 0; i < ptx->blocks; ++i) {
        const sooth_ptx_block *b = &ptx->block[i];
        const sooth_ptx_function *f = &ptx->function[b->function];
        check(i >= f->block && i < f->block + f->blocks && b->first + b->count <= ptx->instructions);
        if (f->is_broken) continue;
        check(b->edge + b->edges <= ptx->edges);
        for (k = 0; k < b->edges; ++k)
            check(ptx->edge[b->edge + k] >= f->block && ptx->edge[b->edge + k] < f->block + f->blocks);
        if (b->order == SOOTH_PTX_NONE) continue;
        check(i == f->block || (b->idom != SOOTH_PTX_NONE && sooth_ptx_dominates(ptx, b->idom, (uint32_t)i)));
        if (b->loop != SOOTH_PTX_NONE)
            check(sooth_ptx_dominates(ptx, ptx->loop[b->loop].header, (uint32_t)i));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_ptx_trips trips;
    const sooth_ptx_value value[2] = {{"%ntid.x", 256}, {"k_param_1", (int64_t)size}};
    const char *text = (const char *)(const void *)data;
    size_t i, sum = 0;
    sooth_sink sink = {NULL, ignore, 0};
    sink.user = &sum;
    sooth_env_init(&env);
    if (sooth_ptx_read(&env, text, size, NULL, &ptx) != SOOTH_OK) {
        check(env.sentence[0] != 0);
        return 0;
    }
    check_module(&ptx);
    sooth_ptx_write_notes(&env, &ptx, &sink);
    memset(&trips, 0, sizeof trips);
    trips.value = value;
    for (i = 0; i < ptx.functions; ++i) {
        trips.values = 1;
        trips.default_trip = (double)(size % 5);
        trips.default_probability = (double)(size % 3) / 2.0;
        env.sentence[0] = 0;
        if (sooth_ptx_count(&env, &ptx, i, &trips, &counts) != SOOTH_OK) {
            check(env.sentence[0] != 0);
            continue;
        }
        check(counts.total >= 0.0);
        sooth_ptx_write_function(&env, &ptx, i, &counts, &sink);
        sooth_ptx_write_doubts(&env, &ptx, &counts, &sink);
        sooth_ptx_counts_free(&env, &ptx, &counts);
        trips.values = 2;
        if (sooth_ptx_count(&env, &ptx, i, &trips, &counts) == SOOTH_OK)
            sooth_ptx_counts_free(&env, &ptx, &counts);
    }
    sooth_ptx_free(&env, &ptx);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"

/* fuzz_ptx [ROUNDS]: mutations of each seed. */
int main(int count, char **word) {
    static const char *const seeds[] = {
        ".version 8.0\n.target sm_80\n.entry k(.param .u64 a, .param .u32 k_param_1)\n{\n"
        ".reg .b32 %r<9>;\nld.param.u32 %r1, [k_param_1];\n"
        "mov.u32 %r2, 0;\n$L1:\nadd.s32 %r2, %r2, 2;\nld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+16];\n"
        "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L1;\nret;\n}\n",
        ".version 8.5\n.func (.param .b32 r) f(.param .b32 x);\n.shared .align 8 .b8 s[64];\n"
        ".entry k() .maxntid 128, 1, 1 {\n{ W: @!P bra D;\nbra W; D: }\n"
        "{\n.param .b32 a0;\ncall.uni (r), f, (a0);\n}\nT: .branchtargets A, B;\nbrx.idx r, T;\n"
        "A: mov.u32 x, s; atom.shared::cta.add.u32 r, [x], 1;\nB: @p exit; bra A;\n}\n"
        ".func (.param .b32 r) f(.param .b32 x) { call (r), f, (x); cvta.local.u64 q, w; "
        "ld.b32 x, [q+4]; ret; }\n",
        ".version 7.0\n.target sm_70\n.file 1 \"a.cu\"\n.section .debug_str { .b8 1 }\n"
        ".visible .entry k()\n{\n.loc 1 2 3\nmov.s64 i, 64;\nO: mov.u32 j, %ntid.x;\n"
        "I: shr.u32 j, j, 1;\nsetp.ne.u32 p, j, 0;\n@p bra I;\nsub.s64 i, i, 3;\nsetp.gt.s64 q, i, -10;\n"
        "not.pred n, q;\n@!n bra O;\ncp.async.ca.shared.global [s], [g], 16;\nret;\n}\n"};
    size_t i;
    for (i = 0; i < sizeof seeds / sizeof seeds[0]; ++i)
        mutate((const uint8_t *)seeds[i], strlen(seeds[i]), count > 1 ? atol(word[1]) : 100000, i);
    return 0;
}
#endif
