/* 13_reading_ptx.c - what a GPU kernel will do, counted from its text without a GPU: a lesson.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     make teach      prints what follows, and draws build/teach/13_counts.svg
 *
 * NVIDIA's compiler writes kernels as PTX, an assembly language of typed instructions. 13_matmul.ptx next to
 * this file is the product of two matrices, in tiles of 16 x 16 in shared memory. From this text we count the
 * work of a thread: multiplications, and bytes from global memory. A loop is a branch back to a label above.
 * Everything between runs once per iteration, and trip counts of nested loops multiply. That is a static
 * count. It becomes features of a model (Alavani et al. 2023). Or divide it by the peak rates of a device.
 * This gives a first guess of the time: the roofline (Williams, Waterman, Patterson, CACM 52, 2009).
 *
 * Exercises, with answers in answers.md:
 *   1. Without tiles, each multiplication loads two numbers. How many bytes does a thread load then for n =
 *      1024, and how many times as many is that?
 *   2. Give no trip counts. Which loop's count does ptx_count.h derive itself, and what does it assume for
 *      the other?
 *   3. For which n does the lower ceiling of a K20 become computing instead of memory?
 */
#define SOOTH_IMPLEMENTATION
#include "lesson.h"
#include "sooth/gpu.h"
#include "sooth/ptx.h"

static char *text_of(const char *path, size_t *size) {
    char *text = (char *)room(1 << 16, 1);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    *size = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

/* ---- 1. By hand: counts how often the instruction at `line` runs. Each branch below it that jumps to a
   label above it closes a loop. The count is the product of the trips of these loops. ---- */

static double runs(const char *text, const char *line, const sooth_ptx_given *loop, size_t loops) {
    double times = 1;
    for (size_t k = 0; k < loops; ++k) {
        char label[32], branch[32];
        snprintf(label, sizeof label, "\n%s:", loop[k].label);
        snprintf(branch, sizeof branch, "bra \t%s;", loop[k].label);
        const char *first = strstr(text, label), *last = first ? strstr(first, branch) : NULL;
        if (last && line >= first && line <= last) times *= loop[k].value;
    }
    return times;
}

/* Counts all instructions whose text begins with `opcode`, for one thread. */
static double count_by_hand(const char *text, const char *opcode, const sooth_ptx_given *loop, size_t loops) {
    double sum = 0;
    for (const char *line = strchr(text, '{'); line; line = strchr(line + 1, '\n')) {
        const char *word = line + 1;
        while (*word == '\t' || *word == ' ') ++word;
        if (*word == '@') word = strchr(word, ' ') + 1; /* runs under a condition */
        if (strncmp(word, opcode, strlen(opcode)) == 0) sum += runs(text, line, loop, loops);
    }
    return sum;
}

/* ---- 2. The roofline of n x n matrices on a device. Each result has one thread. Each multiplication
   counts as two operations. The times are those at each ceiling alone, in seconds. ---- */

static void ceilings(const char *text, double n, const char *device, double seconds[2]) {
    const sooth_ptx_given loop[] = {{"$L__BB0_2", 0, n / 16}, {"$L__BB0_3", 0, 16}};
    sooth_gpu gpu;
    sooth_env env;
    sooth_env_init(&env);
    need(&env, sooth_gpu_named(&env, device, &gpu));
    seconds[0] = n * n * 2 * count_by_hand(text, "fma", loop, 2) / (1e9 * sooth_gpu_gflops(&gpu));
    seconds[1] = n * n * 4 * count_by_hand(text, "ld.global", loop, 2) / (1e9 * gpu.memory_gbs);
}

int main(void) {
    static const char *const names[SOOTH_PTX_CLASSES] = {
        "compute", "global", "shared", "local", "constant", "texture", "parameter", "control", "misc"};
    static const char *const device[] = {"k20", "v100", "h100"};
    const sooth_ptx_given loop[] = {{"$L__BB0_2", 0, 1024 / 16}, {"$L__BB0_3", 0, 16}};
    const sooth_ptx_count_options trips = {.loop = loop, .loops = 2};
    svg_bar_chart bars = {.frame.title = "The work of a thread of a matrix product, n = 1024"};
    sooth_ptx_counts counts;
    sooth_ptx ptx;
    sooth_env env;
    size_t size;
    const char *text = text_of(EXAMPLES "teach/13_matmul.ptx", &size);
    sooth_env_init(&env);
    need(&env, sooth_ptx_read(&env, text, size, NULL, &ptx));
    need(&env, sooth_ptx_count(&env, &ptx, 0, &trips, &counts));
    printf("n = 1024: a thread runs %.0f instructions, and loads %.0f bytes from global memory.\n",
           counts.total, counts.loaded[SOOTH_PTX_CLASS_GLOBAL]);
    printf("  multiplications: by hand %.0f, ptx_count.h %.0f\n", count_by_hand(text, "fma", loop, 2),
           counts.kind[SOOTH_PTX_KIND_FP32]);
    printf("  loads of shared memory: by hand %.0f, ptx_count.h %.0f\n",
           count_by_hand(text, "ld.shared", loop, 2), counts.kind[SOOTH_PTX_KIND_SHARED_LOAD]);
    puts("At the ceilings of a device this takes at least");
    for (int d = 0; d < 3; ++d) {
        double seconds[2];
        ceilings(text, 1024, device[d], seconds);
        printf("  %-5s %6.2f ms of computing, %6.2f ms of memory without caches\n", device[d],
               1000 * seconds[0], 1000 * seconds[1]);
    }
    bars.value = counts.group;
    bars.names = names;
    bars.count = SOOTH_PTX_CLASSES;
    picture_draw(".", "13_counts.svg", svg_bars, &bars);
    sooth_ptx_counts_free(&env, &ptx, &counts);
    sooth_ptx_free(&env, &ptx);
    return 0;
}
