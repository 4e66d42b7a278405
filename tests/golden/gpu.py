#!/usr/bin/python3
"""Writes gpu.h, the occupancy that tests/test_gpu.c expects, with NVIDIA's calculator (made with CUDA 13.5).

SPDX-FileCopyrightText: 2026 the sooth authors
SPDX-License-Identifier: MIT

The calculator is the header cuda_occupancy.h of the CUDA toolkit, which is not part of this project: give the
folder it is in. Launches are drawn at random, many of them of round numbers. The limits of the
devices are those of the CUDA C++ Programming Guide. Run it in its folder:
./gpu.py /usr/local/cuda/include > gpu.h
"""
import random
import subprocess
import sys
import tempfile

# compute capability: warps, registers, registers of a block, shared, opt-in, reserved (KiB)
LIMITS = {
    35: (64, 65536, 65536, 48, 48, 0),
    37: (64, 131072, 65536, 112, 48, 0),
    50: (64, 65536, 65536, 64, 48, 0),
    52: (64, 65536, 65536, 96, 48, 0),
    53: (64, 65536, 32768, 64, 48, 0),
    60: (64, 65536, 65536, 64, 48, 0),
    61: (64, 65536, 65536, 96, 48, 0),
    62: (64, 65536, 32768, 64, 48, 0),
    70: (64, 65536, 65536, 96, 96, 0),
    72: (64, 65536, 65536, 96, 96, 0),
    75: (32, 65536, 65536, 64, 64, 0),
    80: (64, 65536, 65536, 164, 163, 1),
    86: (48, 65536, 65536, 100, 99, 1),
    87: (48, 65536, 65536, 164, 163, 1),
    89: (48, 65536, 65536, 100, 99, 1),
    90: (64, 65536, 65536, 228, 227, 1),
    100: (64, 65536, 65536, 228, 227, 1),
    101: (48, 65536, 65536, 228, 227, 1),
    103: (64, 65536, 65536, 228, 227, 1),
    110: (48, 65536, 65536, 228, 227, 1),
    120: (48, 65536, 65536, 100, 99, 1),
    121: (48, 65536, 65536, 100, 99, 1),
}
ROWS = 24  # of each

PROGRAM = r"""
#include <climits>
#include <cstdio>
#include <cstring>
#include "cuda_occupancy.h"
int main() {
    int cc, warps, regs, block_regs, shared, optin, reserved, threads, each, bytes, carveout, barriers;
    while (scanf("%d %d %d %d %d %d %d %d %d %d %d %d", &cc, &warps, &regs, &block_regs, &shared, &optin,
                 &reserved, &threads, &each, &bytes, &carveout, &barriers) == 12) {
        cudaOccDeviceProp device;
        cudaOccFuncAttributes kernel;
        cudaOccDeviceState state;
        cudaOccResult r;
        memset(&device, 0, sizeof device);
        memset(&r, 0, sizeof r);
        device.computeMajor = cc / 10;
        device.computeMinor = cc % 10;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = 32 * warps;
        device.regsPerBlock = block_regs;
        device.regsPerMultiprocessor = regs;
        device.warpSize = 32;
        device.sharedMemPerBlock = 49152;
        device.sharedMemPerMultiprocessor = 1024 * shared;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = 1024 * optin;
        device.reservedSharedMemPerBlock = 1024 * reserved;
        kernel.maxThreadsPerBlock = INT_MAX;
        kernel.numRegs = each;
        kernel.sharedSizeBytes = 0;
        kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = bytes;
        kernel.numBlockBarriers = barriers;
        state.cacheConfig = CACHE_PREFER_NONE;
        state.carveoutConfig = carveout ? carveout : SHAREDMEM_CARVEOUT_DEFAULT;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &kernel, &state, threads, bytes)) return 1;
        int blocks = r.activeBlocksPerMultiprocessor;
        if (r.blockLimitBarriers < blocks) blocks = r.blockLimitBarriers;
        printf("    {%d, %d, %d, %d, %d, %d, ", cc, threads, each, bytes, carveout, barriers);
        printf("%d, %d, %d, %d, ", blocks, r.blockLimitWarps, r.blockLimitRegs, r.blockLimitSharedMem);
        printf("%d, %d, %d, %d},\n", r.blockLimitBlocks, r.blockLimitBarriers, r.allocatedRegistersPerBlock,
               (int)r.allocatedSharedMemPerBlock);
    }
    return 0;
}
"""

random.seed(13)
lines = []
for cc, limits in LIMITS.items():
    optin = 1024 * limits[4]
    for row in range(ROWS):
        threads = random.choice([random.randint(1, 1024), 32 * random.randint(1, 32),
                                 random.choice([1, 64, 256, 1024])])
        each = random.choice([random.randint(1, 255), 8 * random.randint(1, 31), random.randint(16, 64)])
        shared = random.choice([0, random.randint(0, optin), 1024 * random.randint(0, optin // 1024),
                                random.randint(0, 9999)])
        carveout = random.choice([0, 0, random.randint(1, 100)]) if cc >= 70 else 0
        barriers = random.choice([0, 0, random.randint(1, 16)]) if cc >= 90 else 0
        lines.append(" ".join(map(str, (cc, *limits, threads, each, shared, carveout, barriers))))
with tempfile.TemporaryDirectory() as folder:
    open(folder + "/a.cpp", "w").write(PROGRAM)
    subprocess.run(["g++", "-w", "-I", sys.argv[1], folder + "/a.cpp", "-o", folder + "/a"], check=True)
    run = subprocess.run([folder + "/a"], input="\n".join(lines), capture_output=True, text=True, check=True)
rows = run.stdout
assert rows.count("\n") == ROWS * len(LIMITS)

print("/* gpu.h - occupancy by NVIDIA's calculator; written by gpu.py.")
print(" * SPDX-FileCopyrightText: 2026 the sooth authors")
print(" * SPDX-License-Identifier: MIT")
print(" */")
print("""/* compute, threads, registers, shared, carveout, barriers; blocks; by warps, registers, shared,
   blocks, barriers; registers and shared memory that a block takes */""")
print("static const uint32_t golden_occupancy[][14] = {")
print(rows.replace("2147483647", "SOOTH_GPU_UNLIMITED"), end="")
print("};")
