/* fuzz_ptx.c - any bytes are PTX or a sentence, and what was read holds together and can be counted.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu_time.h"
#include "sooth/gpu.h"
#include "../../examples/gpu/pfea_tool.h"

#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
        check(i == f->block ||
              (b->idom != SOOTH_PTX_NONE && soothi_ptx_dominates(ptx, b->idom, (uint32_t)i)));
        if (b->loop != SOOTH_PTX_NONE)
            check(soothi_ptx_dominates(ptx, ptx->loop[b->loop].header, (uint32_t)i));
    }
}

/* Kernels and parameters are found by the names that they have. */
static void check_names(sooth_env *env, const sooth_ptx *ptx) {
    char name[64];
    size_t i, at;
    for (i = 0; i < ptx->functions; ++i) {
        const sooth_ptx_word *word = &ptx->function[i].name;
        if (word->length >= sizeof name) continue;
        memcpy(name, word->text, word->length);
        name[word->length] = 0;
        check(soothi_ptx_function_index(ptx, name) <= i);
        if (sooth_ptx_kernel_named(env, ptx, name, &at) == SOOTH_OK) check(at < ptx->functions);
        else check(env->sentence[0] != 0);
        (void)sooth_ptx_param_find(ptx, i, "k_param_1");
        for (at = 1; at < sizeof name; at += 9) check(strlen(sooth_ptx_kernel_name(ptx, i, name, at)) < at);
        sooth_ptx_needs needs;
        sooth_ptx_needs_find(ptx, i, &needs);
        check(needs.least < 200 && needs.most < 200 &&
              (needs.instruction == SOOTH_PTX_NONE || needs.instruction < ptx->instructions));
    }
    if (sooth_ptx_kernel_named(env, ptx, NULL, &at) == SOOTH_OK) check(at < ptx->functions);
}

/* The first bytes as an operator, timed on a device that is told of it. */
static void check_operator(sooth_env *env, const sooth_gpu *gpu, const uint8_t *data, size_t size) {
    static float memory[4096];
    sooth_adapt_program *device = sooth_adapt_begin(sooth_gpu_time_adapt(), memory, sizeof memory);
    sooth_operator op;
    sooth_gpu_timer timer;
    sooth_gpu_timing t;
    check(sooth_adapt_program_size(sooth_gpu_time_adapt()) <= sizeof memory);
    memset(&op, 0, sizeof op);
    memcpy(&op, data, size < sizeof op ? size : sizeof op);
    op.kind %= SOOTH_OPERATORS + 1;
    check(sooth_gpu_timer_init(env, &timer, gpu, NULL) == SOOTH_OK);
    env->sentence[0] = 0;
    if (sooth_gpu_time_observe(env, &timer, device, &op, (double)size + 1.0) != SOOTH_OK) {
        check(env->sentence[0] != 0);
        return;
    }
    check(sooth_gpu_time_adapted(env, &timer, device, &op, &t) == SOOTH_OK);
    check(t.ms >= 0.0 && t.bound < SOOTH_BOUNDS && t.trust <= SOOTH_MODEL_TRUST_OUTSIDE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sooth_env env;
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_ptx_count_options trips;
    sooth_gpu gpu;
    sooth_gpu_launch launch;
    sooth_pfea features;
    sooth_work work;
    sooth_gpu_fit fit;
    sooth_roofline roof;
    sooth_gpu_timer timer;
    sooth_gpu_timing timing;
    pfea_tool_counts tool;
    const sooth_ptx_word first = {NULL, 0};
    const sooth_ptx_value value[2] = {{"%ntid.x", 256}, {"k_param_1", (int64_t)size}};
    const char *text = (const char *)(const void *)data;
    size_t i, sum = 0;
    sooth_sink sink = {NULL, ignore, 0};
    sink.user = &sum;
    sooth_env_init(&env);
    check(pfea_tool_count(&env, text, size, first, &tool) == SOOTH_OK || env.sentence[0] != 0);
    check(sooth_gpu_named(&env, "k20", &gpu) == SOOTH_OK);
    check_operator(&env, &gpu, data, size);
    env.sentence[0] = 0;
    if (sooth_ptx_read(&env, text, size, NULL, &ptx) != SOOTH_OK) {
        check(env.sentence[0] != 0);
        return 0;
    }
    check_module(&ptx);
    check_names(&env, &ptx);
    memset(&launch, 0, sizeof launch);
    launch.threads = 256;
    launch.blocks = 1000;
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
        check(counts.total >= 0.0 && counts.unsized >= 0.0 && counts.block_unsized >= 0.0);
        check(counts.unshaped >= 0.0 && counts.block_unshaped >= 0.0);
        for (size_t t = 0; t < SOOTH_PTX_TENSORS; ++t)
            check(counts.tensor[t] >= 0.0 && counts.block_tensor[t] >= 0.0);
        env.sentence[0] = 0;
        check(sooth_pfea_extract(&env, &ptx, i, &counts, &gpu, &launch, NULL, &features) == SOOTH_OK ||
              env.sentence[0] != 0);
        sooth_work_from_ptx(&ptx, &counts, &launch, &work);
        check(work.operations[SOOTH_COMPUTE_SINGLE] >= 0.0 && work.memory_bytes >= 0.0);
        if (sooth_gpu_launch_check(&env, &gpu, &ptx, i, &launch, &fit) == SOOTH_OK) check(fit.blocks > 0);
        else check(env.sentence[0] != 0);
        if (sooth_roofline_compute(&env, &gpu, &work, &roof) == SOOTH_OK) check(roof.seconds > 0.0);
        else check(work.least > 0 || work.most > 0);
        check(sooth_gpu_timer_init(&env, &timer, &gpu, NULL) == SOOTH_OK);
        if (sooth_gpu_time_work(&env, &timer, &work, &timing) == SOOTH_OK)
            check(timing.low > 0.0 && timing.low <= timing.ms &&
                  (timing.ms <= timing.high || !(timing.high > 0.0)));
        sooth_ptx_write_function(&env, &ptx, i, &counts, &sink);
        const double total = counts.total;
        sooth_ptx_counts_free(&env, &ptx, &counts);
        trips.certain = 1; /* never more than with both sides of branches */
        if (sooth_ptx_count(&env, &ptx, i, &trips, &counts) == SOOTH_OK) {
            check(counts.total <= total * (1.0 + 1e-9));
            sooth_work_from_ptx(&ptx, &counts, &launch, &work);
            for (size_t k = 0; k < SOOTH_PTX_LINKS; ++k) check(work.chain[k] >= 0.0);
            check(work.shared >= 0.0 && work.instructions >= 0.0 && work.memory_bytes >= 0.0);
            sooth_ptx_counts_free(&env, &ptx, &counts);
        }
        trips.certain = 0;
        trips.values = 2;
        if (sooth_ptx_count(&env, &ptx, i, &trips, &counts) == SOOTH_OK)
            sooth_ptx_counts_free(&env, &ptx, &counts);
    }
    sooth_ptx_free(&env, &ptx);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
