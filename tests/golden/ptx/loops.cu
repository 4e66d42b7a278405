/* loops.cu - loops that tell how often they run, tested in front or at the end, in steps of every kind.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_75 -G loops.cu     (-G keeps every test in front of its body and every variable in local memory)
 * nvcc -ptx -arch=sm_75 loops.cu -o loops_fast.ptx
 */
extern "C" __global__ void loops(float *a, int n) {
    float s = 0;
#pragma unroll 1
    for (int i = 5; i < 100; i += 7) s += a[i];
#pragma unroll 1
    for (unsigned i = 1000; i > 0; i /= 3) s *= a[i];
#pragma unroll 1
    for (int i = 64; i >= -64; i -= 16) s += a[i + 64];
#pragma unroll 1
    for (long i = 1; i <= 1000000; i <<= 1) s *= a[i & 31];
#pragma unroll 4
    for (int i = 0; i < n; ++i) s += a[i] * s;
    a[0] = s;
}
