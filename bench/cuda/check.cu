/* check.cu - whether this device is what gpu.h says, and whether ptx.h reads what nvcc writes.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 -I../../include check.cu -o check -ldl && ./check [SECONDS
 *     [KERNELS.ptx]]
 *
 * Columns: what, name, ours, theirs, equal.
 *
 *   limit        registers, shared memory, threads and blocks of a multiprocessor: sooth_gpu_limits_for next
 *                to the properties that the driver reports
 *   board        multiprocessors, L2 and capability of the known board of this name
 *   occupancy    400 launches: sooth_gpu_occupancy next to the runtime's own answer
 *   ptx          instructions of each kernel of the file: sooth_ptx_read next to a count of its lines
 *   executed     instructions that a thread executes, from the same PTX, next to the hardware's counter
 *                (events.cuh) over the threads. These two differ, since the counter counts machine code:
 *                equal is empty.
 *   runs         each kernel once, with a block of 64; equal is 1 if it ended without an error
 *
 * Exit code 1: a row has equal = 0.
 */
#define SOOTH_IMPLEMENTATION
#pragma nv_diag_suppress 1675 /* the library's pragmas for GCC */
#include "sooth/gpu.h"

#include "events.cuh"
#include "kernels.cuh"

static int wrong = 0;

static void row(const char *what, const char *name, double ours, double theirs) {
    const int equal = !(ours < theirs) && !(ours > theirs);
    wrong += !equal;
    printf("%s,%s,%.12g,%.12g,%d", what, name, ours, theirs, equal);
    row_end();
}

static void check_limits() {
    const unsigned compute = (unsigned)(10 * device.major + device.minor);
    const sooth_gpu_limits *l = sooth_gpu_limits_for(compute);
    sooth_env env;
    sooth_gpu board;
    if (!l) {
        row("limit", "known", 0, 1);
        return;
    }
    row("limit", "warps", l->warps, device.maxThreadsPerMultiProcessor / 32);
    row("limit", "blocks", l->blocks, device.maxBlocksPerMultiProcessor);
    row("limit", "registers", l->registers, device.regsPerMultiprocessor);
    row("limit", "block_registers", l->block_registers, device.regsPerBlock);
    row("limit", "shared", l->shared, (double)device.sharedMemPerMultiprocessor);
    row("limit", "block_shared", l->block_shared, (double)device.sharedMemPerBlockOptin);
    row("limit", "reserved_shared", l->reserved_shared, (double)device.reservedSharedMemPerBlock);
    sooth_env_init(&env);
    if (sooth_gpu_board_named(&env, device.name, &board) != SOOTH_OK) {
        printf("# board: %s\n", env.sentence);
        return;
    }
    row("board", "compute", board.compute, compute);
    row("board", "sms", board.sms, device.multiProcessorCount);
    row("board", "l2_bytes", board.l2_bytes, device.l2CacheSize);
    row("board", "memory_bits", board.memory_bits, attribute(cudaDevAttrGlobalMemoryBusWidth));
    row("board", "clock_mhz", board.clock_mhz, 1e-3 * attribute(cudaDevAttrClockRate));
}

/* The kernels, each with these blocks and these bytes of dynamic shared memory: 23 x 6 x 3 = 414 launches. */
static void check_occupancy(const std::vector<job> &jobs) {
    sooth_env env;
    sooth_env_init(&env);
    for (const job &j : jobs)
        for (int block : {32, 96, 128, 256, 512, 1024})
            for (int shared : {0, 20000, 100000}) {
                cudaFuncAttributes a;
                sooth_gpu_launch launch;
                sooth_gpu_fit fit;
                char name[96];
                int theirs = 0;
                MUST(cudaFuncGetAttributes(&a, j.function));
                if ((int)a.sharedSizeBytes + shared > (int)device.sharedMemPerBlockOptin ||
                    block > a.maxThreadsPerBlock)
                    continue;
                MUST(cudaFuncSetAttribute(j.function, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
                MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&theirs, j.function, block,
                                                                   (size_t)shared));
                memset(&launch, 0, sizeof launch);
                launch.blocks = 1000;
                launch.threads = (uint32_t)block;
                launch.registers = (uint32_t)a.numRegs;
                launch.shared = (uint32_t)(a.sharedSizeBytes + (size_t)shared);
                sooth_gpu_occupancy(&env, (uint32_t)(10 * device.major + device.minor), &launch, &fit);
                snprintf(name, sizeof name, "%s %d threads %d bytes", j.kernel, block, shared);
                row("occupancy", name, fit.blocks, theirs);
            }
}

/* The lines of a kernel's body that are instructions: they end with a semicolon and begin with no dot. */
static int lines_of(const std::string &text, const std::string &kernel) {
    size_t at = text.find(".entry " + kernel + "("), end;
    int lines = 0;
    if (at == std::string::npos) return -1;
    at = text.find("\n{", at);
    end = text.find("\n}", at);
    while (at < end) {
        const size_t next = text.find('\n', at + 1);
        const size_t first = text.find_first_not_of(" \t", at + 1),
                     last = text.find_last_not_of(" \t\r", next - 1);
        if (first < next && text[last] == ';' && text[first] != '.' && text[first] != '/') ++lines;
        at = next;
    }
    return lines;
}

static void check_ptx(const char *path, const std::vector<job> &jobs, bool counted) {
    std::string text;
    sooth_env env;
    sooth_ptx ptx;
    char part[4096];
    size_t n;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        printf("# ptx: no file\n");
        return;
    }
    while ((n = fread(part, 1, sizeof part, file)) > 0) text.append(part, n);
    fclose(file);
    sooth_env_init(&env);
    if (sooth_ptx_read(&env, text.data(), text.size(), NULL, &ptx) != SOOTH_OK) {
        printf("# ptx: %s\n", env.sentence);
        row("ptx", "readable", 0, 1);
        return;
    }
    row("ptx", "errors", (double)ptx.errors, 0);
    row("ptx", "unknown opcodes", (double)ptx.unknown, 0);
    row("ptx", "kernels", (double)ptx.entries, (double)jobs.size());
    for (const job &j : jobs) {
        size_t kernel;
        const sooth_status found = sooth_ptx_kernel_named(&env, &ptx, j.kernel, &kernel);
        row("ptx", j.kernel, found == SOOTH_OK ? ptx.function[kernel].instructions : 0,
            lines_of(text, j.kernel));
        if (!counted || seconds_left() < 1.0) continue;
        const counts c = events_of(j.launch); /* instructions of warps */
        printf("executed,%s,,%.12g,", j.kernel,
               c.of[0] < 0 ? -1.0 : c.of[0] * 32.0 / ((double)j.grid * j.block));
        row_end();
    }
    sooth_ptx_free(&env, &ptx);
}

int main(int count, char **word) {
    begin_time(count, word);
    open_device("check");
    printf("what,name,ours,theirs,equal\n");
    const std::vector<job> jobs = all_jobs({1 << 16}, {256}), small = all_jobs({1 << 16}, {64});
    check_limits();
    check_occupancy(jobs);
    for (const job &j : small) {
        j.launch((cudaStream_t)0);
        const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
        row("runs", j.kernel, launched == cudaSuccess && ended == cudaSuccess, 1);
    }
    check_ptx(count > 2 ? word[2] : NULL, jobs, events_open());
    table_end(0, "");
    return wrong != 0;
}
