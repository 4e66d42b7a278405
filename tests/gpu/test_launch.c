/* test_launch.c - whether a GPU can run a launch of a kernel: every limit at its edge.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth/gpu_time.h"
#include "check.h"

static sooth_env env;

static const char module[] =
    ".version 9.0\n.target sm_80\n.address_size 64\n.global .align 8 .b8 g[64];\n"
    ".entry plain() { ret; }\n"
    ".entry bounded()\n.maxntid 16, 8 { ret; }\n"
    ".entry exact()\n.reqntid 16, 4 { ret; }\n"
    ".entry grouped()\n.reqnctapercluster 4, 2 { ret; }\n"
    ".entry large() {\n.shared .align 4 .b8 s[49152];\nst.shared.b32 [s], 1;\nret;\n}\n"
    ".entry copies() {\ncp.async.wait_all;\nret;\n}\n"
    ".func helper() { ret; }\n"
    ".entry wide()\n.reqnctapercluster 32 { ret; }\n"
    ".entry late() {\nwgmma.fence.sync.aligned;\nret;\n}\n"
    ".entry cells() {\ntcgen05.fence::before_thread_sync;\nret;\n}\n";

/* A launch with sizes along the axes. */
static sooth_gpu_launch launch_of(const uint32_t grid[3], const uint32_t block[3]) {
    sooth_gpu_launch launch;
    memset(&launch, 0, sizeof launch);
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    launch.blocks = grid[0] * grid[1] * grid[2];
    launch.threads = block[0] * block[1] * block[2];
    return launch;
}

/* The limits of the CUDA C++ Programming Guide, and those of the kernels above: the last launch that is
   allowed, and the first that is not, with words of its sentence. */
static void limits_hold_at_their_edges(void) {
    static const struct {
        const char *gpu, *kernel;
        uint32_t grid[3], block[3], shared;
        const char *words; /* "": it can run */
    } row[] = {
        {"a100", "plain", {2147483647, 1, 1}, {1024, 1, 1}, 0, ""},
        {"a100", "plain", {2147483648u, 1, 1}, {1024, 1, 1}, 0, "grid has 2147483648 blocks along x"},
        {"a100", "plain", {1, 65535, 1}, {32, 1, 1}, 0, ""},
        {"a100", "plain", {1, 65536, 1}, {32, 1, 1}, 0, "along y, but must have at most 65535"},
        {"a100", "plain", {1, 1, 65535}, {32, 1, 1}, 0, ""},
        {"a100", "plain", {1, 1, 65536}, {32, 1, 1}, 0, "along z, but must have at most 65535"},
        {"a100", "plain", {1, 1, 1}, {1, 1024, 1}, 0, ""},
        {"a100", "plain", {1, 1, 1}, {1025, 1, 1}, 0, "threads is 1025, but must be from 1 to 1024"},
        {"a100", "plain", {1, 1, 1}, {1, 1, 64}, 0, ""},
        {"a100", "plain", {1, 1, 1}, {1, 1, 65}, 0, "65 threads along z, but must have at most 64"},
        {"a100", "plain", {1, 1, 1}, {32, 33, 1}, 0, "threads is 1056, but must be from 1 to 1024"},
        {"a100", "plain", {0, 1, 1}, {32, 1, 1}, 0, "blocks is 0, but must be at least 1"},
        {"a100", "bounded", {1, 1, 1}, {128, 1, 1}, 0, ""}, /* the product counts */
        {"a100", "bounded", {1, 1, 1}, {129, 1, 1}, 0, "compiled for at most 128 (.maxntid)"},
        {"a100", "exact", {1, 1, 1}, {16, 4, 1}, 0, ""},
        {"a100", "exact", {1, 1, 1}, {4, 16, 1}, 0, "block is 4x16x1, but"},
        {"a100", "exact", {1, 1, 1}, {16, 5, 1}, 0, "must be launched with 64 (.reqntid)"},
        {"h100", "grouped", {4, 2, 3}, {32, 1, 1}, 0, ""},
        {"h100", "grouped", {6, 2, 3}, {32, 1, 1}, 0, "6 blocks along x, but must have a multiple of 4"},
        {"h100", "grouped", {4, 3, 2}, {32, 1, 1}, 0, "3 blocks along y, but must have a multiple of 2"},
        {"a100", "grouped", {4, 2, 3}, {32, 1, 1}, 0, "the cluster of grouped in line 10 of the PTX needs"},
        {"a100", "large", {1, 1, 1}, {256, 1, 1}, 49152, ""},
        {"a100", "large", {1, 1, 1}, {256, 1, 1}, 49151, "shared is 49151 bytes, but the kernel has 49152"},
        {"a100", "large", {1, 1, 1}, {256, 1, 1}, 166913, "must be at most 166912"},
        {"a100", "copies", {1, 1, 1}, {32, 1, 1}, 0, ""},
        {"t4", "copies", {1, 1, 1}, {32, 1, 1}, 0, "in line 18 of the PTX needs sm_80 or later, but t4"},
        {"h100", "wide", {32, 1, 1}, {32, 1, 1}, 0, "a cluster has 32 blocks (.reqnctapercluster), but"},
        {"h100", "late", {1, 1, 1}, {32, 1, 1}, 0, ""},
        {"b200", "late", {1, 1, 1}, {32, 1, 1}, 0, "needs sm_90, but b200 is sm_100"},
        {"b200", "cells", {1, 1, 1}, {32, 1, 1}, 0, ""},
        {"rtx-pro-6000", "cells", {1, 1, 1}, {32, 1, 1}, 0, "needs sm_100 to sm_119, but"},
        {"mi300x", "plain", {1, 1, 1}, {32, 1, 1}, 0, "PTX runs on NVIDIA's GPUs"},
        {"a100", "helper", {1, 1, 1}, {32, 1, 1}, 0, "only kernels (.entry) can be launched"}};
    sooth_ptx ptx;
    sooth_gpu_fit fit;
    CHECK_STATUS(sooth_ptx_read(&env, module, sizeof module - 1, NULL, &ptx), SOOTH_OK);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        sooth_gpu_launch launch = launch_of(row[i].grid, row[i].block);
        sooth_gpu gpu;
        size_t kernel;
        if (sooth_gpu_named(&env, row[i].gpu, &gpu) != SOOTH_OK) {
            CHECK_STATUS(sooth_gpu_named(&env, "a100", &gpu), SOOTH_OK);
            gpu.maker = SOOTH_GPU_MAKER_OTHER;
        }
        CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, row[i].kernel, &kernel), SOOTH_OK);
        launch.shared = row[i].shared;
        launch.recompiled = 1;
        if (!row[i].words[0]) {
            CHECK_STATUS(sooth_gpu_launch_check(&env, &gpu, &ptx, kernel, &launch, &fit), SOOTH_OK);
            CHECK(fit.blocks > 0);
        } else {
            CHECK_FAILS(&env, sooth_gpu_launch_check(&env, &gpu, &ptx, kernel, &launch, &fit),
                        SOOTH_BAD_ARGUMENT, row[i].words);
            CHECK(fit.blocks == 0);
        }
        if (check_failures) printf("  row %zu: %s\n", i, env.sentence);
    }
    sooth_ptx_free(&env, &ptx);
}

/* Sizes along the axes that are given multiply to blocks and threads, and clusters are whole without them. */
static void sizes_along_the_axes_are_those_of_the_launch(void) {
    static const struct {
        const char *kernel;
        sooth_gpu_launch launch;
        const char *words;
    } row[] = {
        {"plain", {.blocks = 8, .threads = 32, .block = {32, 2, 1}}, "block is 32x2x1, but threads is 32"},
        {"plain", {.blocks = 8, .threads = 32, .grid = {8, 0, 0}}, "grid is 8x0x0, but each must be"},
        {"plain", {.blocks = 8, .threads = 32, .grid = {8, 1, 0}}, "grid is 8x1x0, but each must be"},
        {"plain", {.blocks = 8, .threads = 32, .grid = {4, 4, 1}}, "grid is 4x4x1, but blocks is 8"},
        {"grouped", {.blocks = 12, .threads = 32}, "blocks is 12, but must be a multiple of 8"}};
    sooth_ptx ptx;
    sooth_gpu gpu;
    sooth_gpu_fit fit;
    CHECK_STATUS(sooth_ptx_read(&env, module, sizeof module - 1, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_named(&env, "h100", &gpu), SOOTH_OK);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        size_t kernel;
        CHECK_STATUS(sooth_ptx_kernel_named(&env, &ptx, row[i].kernel, &kernel), SOOTH_OK);
        CHECK_FAILS(&env, sooth_gpu_launch_check(&env, &gpu, &ptx, kernel, &row[i].launch, &fit),
                    SOOTH_BAD_ARGUMENT, row[i].words);
    }
    sooth_ptx_free(&env, &ptx);
}

/* The driver does not load PTX on a GPU older than its .target, and code of sm_90a on 9.0 only. Compiled
   again it runs. Sizes along the axes need not be given. */
static void the_target_counts_unless_it_is_compiled_again(void) {
    static const struct {
        const char *target, *gpu;
        int as_it_is, again;
    } row[] = {{"sm_80", "a100", 1, 1},  {"sm_80", "h100", 1, 1},   {"sm_80", "t4", 0, 1},
               {"sm_90", "a100", 0, 1},  {"sm_90a", "h100", 1, 1},  {"sm_90a", "a100", 0, 1},
               {"sm_90a", "b200", 0, 1}, {"sm_100a", "b300", 0, 1}, {"sm_100f", "b300", 1, 1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        char text[120];
        const int size =
            snprintf(text, sizeof text, ".version 9.0\n.target %s\n.entry k() { ret; }\n", row[i].target);
        sooth_gpu_launch launch = {.blocks = 100, .threads = 256};
        sooth_ptx ptx;
        sooth_gpu gpu;
        sooth_gpu_fit fit;
        CHECK_STATUS(sooth_ptx_read(&env, text, (size_t)size, NULL, &ptx), SOOTH_OK);
        CHECK_STATUS(sooth_gpu_named(&env, row[i].gpu, &gpu), SOOTH_OK);
        CHECK((sooth_gpu_launch_check(&env, &gpu, &ptx, 0, &launch, &fit) == SOOTH_OK) == row[i].as_it_is);
        launch.recompiled = 1;
        CHECK((sooth_gpu_launch_check(&env, &gpu, &ptx, 0, &launch, &fit) == SOOTH_OK) == row[i].again);
        if (check_failures) printf("  %s on %s: %s\n", row[i].target, row[i].gpu, env.sentence);
        sooth_ptx_free(&env, &ptx);
    }
}

/* A kernel has no time on a GPU without its instructions: neither the roofline nor the fitted law has one. */
static void nothing_predicts_a_time_where_it_cannot_run(void) {
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.entry k(.param .u64 p) {\n.reg .b64 %a;\n"
        "ld.param.u64 %a, [p];\nst.global.u64 [%a], %a;\nwgmma.fence.sync.aligned;\nret;\n}\n";
    const sooth_gpu_launch launch = {.blocks = 1000, .threads = 128};
    static const char *const name[] = {"h100", "a100", "b200"};
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_work work;
    CHECK_STATUS(sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &counts), SOOTH_OK);
    sooth_work_from_ptx(&ptx, &counts, &launch, &work);
    CHECK(work.least == 90 && work.most == 90);
    for (size_t i = 0; i < 3; ++i) {
        sooth_gpu gpu;
        sooth_gpu_timer timer;
        sooth_gpu_timing timing;
        sooth_roofline roof;
        CHECK_STATUS(sooth_gpu_named(&env, name[i], &gpu), SOOTH_OK);
        CHECK_STATUS(sooth_gpu_timer_init(&env, &timer, &gpu, NULL), SOOTH_OK);
        CHECK_STATUS(sooth_roofline_compute(&env, &gpu, &work, &roof), i ? SOOTH_BAD_ARGUMENT : SOOTH_OK);
        CHECK_STATUS(sooth_gpu_time_work(&env, &timer, &work, &timing), i ? SOOTH_BAD_ARGUMENT : SOOTH_OK);
    }
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
}

/* Without a latency, features that need it are NaN, and all others are those of the complete device. */
static void features_need_only_what_they_use(void) {
    static const char text[] =
        ".version 9.0\n.target sm_80\n.entry k(.param .u64 p) {\n.reg .b64 %a;\n.reg .b32 %r;\n"
        "ld.param.u64 %a, [p];\nld.global.u32 %r, [%a];\nadd.s32 %r, %r, %r;\n"
        "st.global.u32 [%a], %r;\nret;\n}\n";
    const sooth_gpu_launch launch = {.blocks = 1000, .threads = 128, .registers = 16};
    sooth_pfea_options options;
    sooth_ptx ptx;
    sooth_ptx_counts counts;
    sooth_gpu gpu;
    sooth_pfea whole, part;
    size_t missing = 0;
    memset(&options, 0, sizeof options);
    CHECK_STATUS(sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx), SOOTH_OK);
    CHECK_STATUS(sooth_ptx_count(&env, &ptx, 0, NULL, &counts), SOOTH_OK);
    CHECK_STATUS(sooth_gpu_named(&env, "a100", &gpu), SOOTH_OK);
    CHECK_STATUS(sooth_pfea_extract(&env, &ptx, 0, &counts, &gpu, &launch, NULL, &whole), SOOTH_OK);
    memset(gpu.latency, 0, sizeof gpu.latency);
    gpu.l2_bytes = 0;
    CHECK_FAILS(&env, sooth_pfea_extract(&env, &ptx, 0, &counts, &gpu, &launch, &options, &part),
                SOOTH_BAD_ARGUMENT, "is not known");
    options.partial = 1;
    CHECK_STATUS(sooth_pfea_extract(&env, &ptx, 0, &counts, &gpu, &launch, &options, &part), SOOTH_OK);
    for (size_t i = 0; i < SOOTH_PFEA_FEATURES; ++i) {
        if (part.value[i] != part.value[i]) {
            ++missing;
            CHECK(strcmp(sooth_pfea_unit(i), "cycles") == 0);
        } else {
            CHECK_NEAR(part.value[i], whole.value[i], 0);
        }
    }
    CHECK(missing == 7); /* means and sums of the three types that it has, and equation 2 */
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
}

int main(void) {
    sooth_env_init(&env);
    CHECK_RUN(limits_hold_at_their_edges);
    CHECK_RUN(sizes_along_the_axes_are_those_of_the_launch);
    CHECK_RUN(the_target_counts_unless_it_is_compiled_again);
    CHECK_RUN(nothing_predicts_a_time_where_it_cannot_run);
    CHECK_RUN(features_need_only_what_they_use);
    return check_end("launch");
}
