/* branchy.cu - if / else-if / else with stores on every side, no loop.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 branchy.cu
 */
extern "C" __global__ void branchy(int *p, const int *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = q[i];
    if (v > 100) {
        p[i] = v / 3;
        p[i + n] = v;
    } else if (v < -100) {
        p[i + 2 * n] = v % 7;
    } else {
        int t = q[i + n];
        if (t & 1)
            p[i] = t ^ v;
        else
            p[i + n] = t | v;
    }
}
