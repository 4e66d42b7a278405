/* gpu/launch.h - whether a GPU can run one launch of a kernel: its instructions, grid, block and occupancy.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The driver refuses a launch for four kinds of reasons:
 *
 *   the code      the GPU lacks an instruction (ptx/needs.h), or is older than .target; sm_90a is for 9.0
 *                 alone, sm_100f for 10.0 to 10.9
 *   the kernel    .maxntid, .reqntid, .reqnctapercluster; more static shared memory than a block is given
 *   the limits    64 threads along z of a block, 2147483647 x 65535 x 65535 blocks along a grid
 *                 (CUDA C++ Programming Guide, technical specifications per compute capability)
 *   the SM        not even one block fits: threads, registers, shared memory (sooth_gpu_occupancy)
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/gpu.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] = ".version 9.0\n.target sm_80\n"
 *                                    ".entry k() {\nelect.sync r|p, m;\nret;\n}\n";
 *         const sooth_gpu_launch launch = {.blocks = 64, .threads = 256};
 *         sooth_ptx ptx;
 *         sooth_gpu gpu;
 *         sooth_gpu_fit fit;
 *         sooth_env env;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_gpu_named(&env, "t4", &gpu) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         if (sooth_gpu_launch_check(&env, &gpu, &ptx, 0, &launch, &fit) != SOOTH_OK)
 *             puts(env.sentence); //> elect.sync in line 4 of the PTX needs sm_90 or later, but t4 is sm_75
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Cost: no allocation; that of sooth_ptx_needs_find.
 */
#if !defined(SOOTH_PREDICT_ONLY) && \
    (!defined(SOOTH_GPU_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_IMPLEMENTED)))
#include "../gpu.h"
#endif
#if !defined(SOOTH_PTX_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_IMPLEMENTED))
#include "../ptx.h"
#endif

#if !defined(SOOTH_GPU_LAUNCH_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_LAUNCH_H
SOOTHI_C_BEGIN

/* Checks that a device can run this launch of a kernel, and computes its occupancy. launch->grid and
   launch->block, if they are given, are checked along each axis. launch->recompiled means that the kernel is
   compiled again for the device, so that .target sets no limit. Returns SOOTH_BAD_ARGUMENT and the reason in
   the sentence; *fit is then 0, or as sooth_gpu_occupancy leaves it. */
SOOTH_API sooth_status sooth_gpu_launch_check(sooth_env *env, const sooth_gpu *gpu, const sooth_ptx *ptx,
                                              size_t kernel, const sooth_gpu_launch *launch,
                                              sooth_gpu_fit *fit);

SOOTHI_C_END
#endif /* SOOTH_GPU_LAUNCH_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_GPU_LAUNCH_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_GPU_LAUNCH_IMPLEMENTED
SOOTHI_C_BEGIN

/* Checks that the device has the instructions of the kernel. */
SOOTHI_LOCAL sooth_status soothi_launch_code(sooth_env *env, const sooth_gpu *gpu, const sooth_ptx *ptx,
                                             size_t kernel, int recompiled) {
    sooth_ptx_needs needs;
    char brief[52], what[100], range[32];
    if (gpu->maker != SOOTH_GPU_MAKER_NVIDIA)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "PTX runs on NVIDIA's GPUs");
    sooth_ptx_needs_find(ptx, kernel, &needs);
    if (gpu->compute < needs.least || (needs.most && gpu->compute > needs.most)) {
        sooth_ptx_word word = ptx->function[kernel].name;
        if (needs.instruction != SOOTH_PTX_NONE) {
            const sooth_ptx_form *form = &ptx->form[ptx->instruction[needs.instruction].form];
            word = soothi_ptx_word(form->text, form->length);
        }
        soothi_ptx_brief(brief, word);
        sooth_text_format(what, sizeof what, "%s%s in line %u",
                          needs.instruction == SOOTH_PTX_NONE ? "the cluster of " : "", brief, needs.line);
        sooth_text_format(range, sizeof range,
                          !needs.most                 ? "sm_%u or later"
                          : needs.most == needs.least ? "sm_%u"
                                                      : "sm_%u to sm_%u",
                          needs.least, needs.most);
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "%s of the PTX needs %s, but %s is sm_%u", what, range,
                          gpu->name, gpu->compute);
    }
    const char last = ptx->target.length ? ptx->target.text[ptx->target.length - 1] : '0';
    const uint32_t newest = last == 'a' ? ptx->sm : last == 'f' ? ptx->sm / 10 * 10 + 9 : UINT32_MAX;
    if (!recompiled && (gpu->compute < ptx->sm || gpu->compute > newest))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "the PTX is for %s (.target), and %s is sm_%u: compile it again for that",
                          soothi_ptx_brief(brief, ptx->target), gpu->name, gpu->compute);
    return SOOTH_OK;
}

/* Checks the kernel's own bounds of the block, and its static shared memory. */
SOOTHI_LOCAL sooth_status soothi_launch_block(sooth_env *env, const sooth_ptx_function *f,
                                              const sooth_gpu_launch *launch) {
    uint64_t most = 1, exact = 1;
    for (unsigned i = 0; i < 3; ++i) {
        most *= f->maxntid[i] ? f->maxntid[i] : 1;
        exact *= f->reqntid[i] ? f->reqntid[i] : 1;
    }
    if (f->reqntid[0] && launch->threads != exact)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "threads is %u, but the kernel must be launched with %z (.reqntid)",
                          launch->threads, (size_t)exact);
    for (unsigned i = 0; i < 3 && f->reqntid[0] && launch->block[0]; ++i)
        if (launch->block[i] != f->reqntid[i])
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "block is %ux%ux%u, but the kernel must be launched with %ux%ux%u (.reqntid)",
                              launch->block[0], launch->block[1], launch->block[2], f->reqntid[0],
                              f->reqntid[1], f->reqntid[2]);
    if (f->maxntid[0] && launch->threads > most)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "threads is %u, but the kernel was compiled for at most %z (.maxntid)",
                          launch->threads, (size_t)most);
    if (launch->shared < f->shared_bytes)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "shared is %u bytes, but the kernel has %z static ones, and dynamic ones are added",
                          launch->shared, (size_t)f->shared_bytes);
    return SOOTH_OK;
}

/* Checks the sizes of the grid: those of the device, and whole clusters. */
SOOTHI_LOCAL sooth_status soothi_launch_grid(sooth_env *env, const sooth_ptx_function *f,
                                             const sooth_gpu_launch *launch) {
    static const uint32_t most[3] = {2147483647u, 65535, 65535};
    static const char axis[3][2] = {"x", "y", "z"};
    uint64_t cluster = 1;
    if (launch->blocks == 0)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "blocks is 0, but must be at least 1");
    if (launch->block[0] &&
        (uint64_t)launch->block[0] * launch->block[1] * launch->block[2] != launch->threads)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "block is %ux%ux%u, but threads is %u", launch->block[0],
                          launch->block[1], launch->block[2], launch->threads);
    if (launch->grid[0] && (!launch->grid[1] || !launch->grid[2]))
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "grid is %ux%ux%u, but each must be at least 1",
                          launch->grid[0], launch->grid[1], launch->grid[2]);
    if (launch->block[2] > 64) /* x and y: see sooth_gpu_occupancy */
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "block has %u threads along z, but must have at most 64",
                          launch->block[2]);
    for (unsigned i = 0; i < 3; ++i) {
        const uint32_t of = f->reqnctapercluster[i] ? f->reqnctapercluster[i] : 1;
        if (cluster <= 16) cluster *= of;
        if (launch->grid[i] > most[i])
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "grid has %u blocks along %s, but must have at most %u", launch->grid[i],
                              axis[i], most[i]);
        if (launch->grid[0] && launch->grid[i] % of)
            return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                              "grid has %u blocks along %s, but must have a multiple of %u, the blocks of a "
                              "cluster (.reqnctapercluster)",
                              launch->grid[i], axis[i], of);
    }
    if (launch->grid[0] && (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] != launch->blocks)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "grid is %ux%ux%u, but blocks is %u", launch->grid[0],
                          launch->grid[1], launch->grid[2], launch->blocks);
    if (cluster > 16)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "a cluster has %z blocks (.reqnctapercluster), but must have at most 16",
                          (size_t)cluster);
    if (launch->blocks % cluster)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "blocks is %u, but must be a multiple of %z, the blocks of a cluster "
                          "(.reqnctapercluster)",
                          launch->blocks, (size_t)cluster);
    return SOOTH_OK;
}

/* Checks the launch against the bounds of the kernel and of all devices. */
SOOTHI_LOCAL sooth_status soothi_launch_bounds(sooth_env *env, const sooth_ptx *ptx, size_t kernel,
                                               const sooth_gpu_launch *launch) {
    if (kernel >= ptx->functions)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT, "kernel is %z, but must be below %z", kernel,
                          ptx->functions);
    if (!ptx->function[kernel].is_entry)
        return sooth_fail(env, SOOTH_BAD_ARGUMENT,
                          "kernel is a function (.func), but only kernels (.entry) can be launched");
    const sooth_status status = soothi_launch_block(env, &ptx->function[kernel], launch);
    return status == SOOTH_OK ? soothi_launch_grid(env, &ptx->function[kernel], launch) : status;
}

SOOTH_API sooth_status sooth_gpu_launch_check(sooth_env *env, const sooth_gpu *gpu, const sooth_ptx *ptx,
                                              size_t kernel, const sooth_gpu_launch *launch,
                                              sooth_gpu_fit *fit) {
    memset(fit, 0, sizeof *fit);
    sooth_status status = soothi_launch_bounds(env, ptx, kernel, launch);
    if (status == SOOTH_OK) status = soothi_launch_code(env, gpu, ptx, kernel, launch->recompiled != 0);
    return status == SOOTH_OK ? sooth_gpu_occupancy(env, gpu->compute, launch, fit) : status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
