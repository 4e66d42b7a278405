/* power.cu - time and power of every kernel of kernels.cuh over a sweep of sizes and blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 power.cu -o power -ldl && ./power [SECONDS] > power.csv
 *
 * Each row: the same launch again and again, in graphs, while the board's energy is counted, then the median
 * time of a launch by events. A short kernel is thus seen at its own power and not at that of an idle board
 * between launches; every [ms] is the time from launch to launch meanwhile, so power times every is the
 * energy of a launch. `sooth ptx kernels.ptx --launches power.csv --gpu G` sets the features of the kernel
 * next to every row, for a model to learn from.
 *
 * Two lines of remarks say how often the energy counter changes, and what it and the driver's own reading of
 * the power give for the same kernel: where these differ much, the watts are not to be trusted.
 *
 * The sweep has 268 launches, 12 for most kernels, the most common sizes and blocks of all kernels first.
 * Then 20 of them are measured again (again = 1): their differences are the noise. The idle board is measured
 * before, and after on a line of its own. SECONDS are divided over the launches, at most 0.6 for each. A
 * launch takes at least 0.2 s, and at least three intervals of the energy counter, so with few SECONDS some
 * launches are skipped.
 */
#include "kernels.cuh"

static const int sweep[][2] = {{1 << 22, 256}, {1 << 24, 256},  {1 << 20, 256},  {1 << 18, 256},
                               {1 << 22, 64},  {1 << 22, 1024}, {1 << 24, 512},  {1 << 20, 128},
                               {1 << 18, 512}, {1 << 24, 128},  {1 << 20, 1024}, {1 << 18, 64}};
enum { AGAIN = 20 };

static void row(const job &j, double idle, double seconds, int again) {
    cudaFuncAttributes a;
    int resident = 0;
    MUST(cudaFuncGetAttributes(&a, j.function));
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, j.function, j.block, (size_t)j.shared));
    const load board = loaded(j.launch, milliseconds(j.launch, 3), seconds);
    const double ms = milliseconds(j.launch, 11); /* at the clocks of a busy device */
    printf("%s,%s,%d,%d,%d,%s,%d,%zu,%d,%.6f", j.kernel, j.character, j.size, j.grid, j.block,
           j.values.c_str(), a.numRegs, a.sharedSizeBytes + (size_t)j.shared, resident, ms);
    cell(board.watts, "%.2f");
    cell(idle, "%.2f");
    cell(board.mhz, "%.0f");
    cell(board.ms, "%.6f");
    cell(celsius(), "%.0f");
    printf(",%d", again);
    row_end();
}

int main(int count, char **word) {
    std::vector<job> jobs;
    begin_time(count, word);
    open_device("power");
    const double interval = energy_interval(),
                 idle_seconds = std::min(3.0, std::max(1.0, seconds_left() / 40));
    const double idle = idle_watts(idle_seconds);
    printf("kernel,character,size,grid,block,values,registers,shared_bytes,blocks_per_sm,time [ms],power "
           "[W],idle [W],sm_clock [MHz],every [ms],temperature [C],again\n");
    for (const int *s : sweep) {
        for (const job &j : all_jobs({s[0]}, {s[1]})) {
            cudaFuncAttributes a;
            MUST(cudaFuncGetAttributes(&a, j.function));
            if (j.block <= a.maxThreadsPerBlock) jobs.push_back(j);
        }
    }
    const load known = loaded(jobs[0].launch, milliseconds(jobs[0].launch, 3), 1.5);
    printf("# %s: %.2f W by the counter, %.2f W by the driver's reading\n", jobs[0].kernel, known.watts,
           watts_now());
    const size_t rows = jobs.size() + AGAIN;
    const double least = std::max(0.2, 3.0 * interval);
    const double seconds = seconds_for_row(seconds_left() - idle_seconds - 1.0, rows, least, 0.6);
    /* the time by events, and the host's part of a row */
    const double measured = std::max(least, seconds - 0.02),
                 reserved = idle_seconds + AGAIN * (seconds + 0.02);
    size_t done = 0, again = 0;
    for (; done < jobs.size() && seconds_left() > reserved + seconds; ++done)
        row(jobs[done], idle, measured, 0);
    for (; again < AGAIN && done && seconds_left() > idle_seconds + seconds; ++again)
        row(jobs[again * done / AGAIN], idle, measured, 1);
    printf("# idle: %.2f W before, %.2f W after, each over %.1f s\n", idle, idle_watts(idle_seconds),
           idle_seconds);
    table_end(rows - done - again, "launches");
    return 0;
}
