/* power.cu - time and power of every kernel of kernels.cuh over its sweep of sizes and blocks.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     nvcc -O2 -arch=native -std=c++17 power.cu -o power -ldl && ./power [seconds per row, 0.6] > power.csv
 *
 * Each row: the median time of a launch by events, then the same launch again and again while the
 * board's energy is counted. A short kernel is thus seen at its own power and not at that of an idle
 * board between launches. `sooth ptx kernels.ptx --launches power.csv --gpu G` sets the features of the
 * kernel beside every row, for a model to learn from.
 */
#include "kernels.cuh"

int main(int count, char **word) {
    const double seconds = count > 1 ? atof(word[1]) : 0.6;
    double idle;
    open_device("power");
    idle = mean_watts(
        [](cudaStream_t) {
            struct timespec t = {0, 5000000};
            nanosleep(&t, NULL);
        },
        5.0, 3.0);
    printf("kernel,character,size,grid,block,values,registers,shared_bytes,blocks_per_sm,time [ms],power "
           "[W],idle [W],sm_clock [MHz]\n");
    for (const job &j : all_jobs({1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24}, {64, 128, 256, 512, 1024})) {
        cudaFuncAttributes a;
        int resident = 0;
        double ms, watts;
        MUST(cudaFuncGetAttributes(&a, j.function));
        if (j.block > a.maxThreadsPerBlock) continue;
        MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, j.function, j.block, (size_t)j.shared));
        ms = milliseconds(j.launch, 11);
        watts = mean_watts(j.launch, ms, seconds);
        printf("%s,%s,%d,%d,%d,%s,%d,%zu,%d,%.6f", j.kernel, j.character, j.size, j.grid, j.block,
               j.values.c_str(), a.numRegs, a.sharedSizeBytes + (size_t)j.shared, resident, ms);
        cell(watts, "%.2f");
        cell(idle, "%.2f");
        cell(megahertz(1) ? megahertz(1) : -1.0, "%.0f");
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
