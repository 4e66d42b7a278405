/* 14_occupancy.c - how many threads of a kernel a GPU's multiprocessor holds at once, and its limits: a
 * lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/14_registers.svg
 *
 * A multiprocessor hides the waiting of some threads with the work of others, so it wants many of them. It
 * has fixed numbers of registers, bytes of shared memory, and slots for blocks and for warps of 32 threads.
 * Each resource is allocated in portions of its own size. A block is placed whole or not at all. The scarcest
 * resource decides. The occupancy is the share of the warp slots that are used. A higher occupancy is not
 * always faster (Volkov, GTC 2010), but a low one hides nothing.
 *
 * Exercises, with answers in answers.md:
 *   1. A kernel takes 65 registers, and blocks have 256 threads. What does it gain from one register less?
 *   2. Blocks of 96 or of 128 threads with 32 registers: which fills a V100 better, and why?
 *   3. How much shared memory may a block of 256 threads take until it, and nothing else, limits a V100?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/gpu.h"

/* The resources of a multiprocessor of a V100 (compute capability 7.0). Source: CUDA C++ Programming
   Guide, tables of compute capabilities. The portions are from the occupancy calculator. */
enum {
    WARPS = 64,
    BLOCKS = 32,
    REGISTERS = 65536,
    SHARED = 98304,
    PORTION = 256,
    SHARED_PORTION = 256,
    PARTS = 4
};

/* ---- 1. By hand: how many blocks each of the four resources allows. Registers are allocated to warps,
   256 at a time. Each quarter of the multiprocessor has a quarter of the registers. ---- */

typedef struct allowed {
    unsigned warps, blocks, registers, shared;
} allowed;

static unsigned up_to(unsigned value, unsigned portion) { return (value + portion - 1) / portion * portion; }

static allowed allow(unsigned threads, unsigned registers, unsigned shared) {
    const unsigned warps = (threads + 31) / 32;
    allowed a = {WARPS / warps, BLOCKS, BLOCKS, BLOCKS};
    if (registers) {
        const unsigned of_a_warp = up_to(32 * registers, PORTION);
        a.registers = REGISTERS / PARTS / of_a_warp * PARTS / warps;
    }
    if (shared) a.shared = SHARED / up_to(shared, SHARED_PORTION);
    return a;
}

static unsigned least_of(const allowed *a) {
    unsigned least = a->warps < a->blocks ? a->warps : a->blocks;
    if (a->registers < least) least = a->registers;
    return a->shared < least ? a->shared : least;
}

static double occupancy_by_hand(unsigned threads, unsigned registers, unsigned shared) {
    const allowed a = allow(threads, registers, shared);
    return (double)(least_of(&a) * ((threads + 31) / 32)) / WARPS;
}

static double occupancy_of(const char *device, unsigned threads, unsigned registers, unsigned shared) {
    const sooth_gpu_launch launch = {
        .blocks = 1000, .threads = threads, .registers = registers, .shared = shared};
    sooth_gpu gpu;
    sooth_gpu_fit fit;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_gpu_named(&env, device, &gpu));
    need(&env, sooth_gpu_occupancy(&env, gpu.compute, &launch, &fit));
    return fit.occupancy;
}

int main(void) {
    enum { FIRST = 16, LAST = 255, ALL = LAST - FIRST + 1 };
    static const char *const names[] = {"64 threads", "256 threads", "1024 threads"};
    static const unsigned threads[] = {64, 256, 1024};
    static double axis[ALL], lines[3 * ALL];
    unsigned differ = 0, asked = 0;
    puts("Blocks of 256 threads on a V100, no shared memory:");
    for (unsigned registers = 32; registers <= 128; registers += 16) {
        const allowed a = allow(256, registers, 0);
        printf("  %3u registers: %2u blocks by warps, %2u by registers: %3.0f %% of the warps\n", registers,
               a.warps, a.registers, 100 * occupancy_by_hand(256, registers, 0));
    }
    for (unsigned t = 32; t <= 1024; t += 32)
        for (unsigned r = FIRST; r <= 64; r += 3)
            for (unsigned s = 0; s <= 49152; s += 1000, ++asked)
                differ += occupancy_by_hand(t, r, s) != occupancy_of("v100", t, r, s);
    printf("By hand and by gpu.h, %u of %u launches differ.\n", differ, asked);
    for (unsigned r = FIRST; r <= LAST; ++r) {
        axis[r - FIRST] = r;
        for (unsigned k = 0; k < 3; ++k) /* 1024 threads of more than 64 registers cannot be launched */
            lines[k * ALL + r - FIRST] =
                r * threads[k] <= REGISTERS ? 100 * occupancy_of("v100", threads[k], r, 0) : 0;
    }
    draw_lines("14_registers.svg", "Occupancy of a V100 by registers of a thread", "registers",
               "warps at once, %", axis, lines, ALL, names, 3);
    return 0;
}
