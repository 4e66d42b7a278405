/* switch.cu - dense switch with side effects, compiled to brx.idx and a .branchtargets table.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 --jump-table-density 20 switch.cu
 */
extern "C" __global__ void dispatch(int *p, const int *op, int a, int b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int r;
    switch (op[i]) {
    case 0: r = a + b; p[i + 1] = r; break;
    case 1: r = a - b; p[i + 2] = r * r; break;
    case 2: r = a * b; p[i + 3] = r + 1; break;
    case 3: r = a / b; p[i + 4] = r; break;
    case 4: r = a << (b & 31); p[i + 5] = r - 3; break;
    case 5: r = a ^ b; p[i + 6] = r; break;
    case 6: r = __popc(a) + __clz(b); p[i + 7] = r; break;
    case 7: r = min(a, b); p[i + 8] = r; break;
    default: return;
    }
    p[i] = r;
}
