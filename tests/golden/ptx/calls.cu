/* calls.cu - calls: one within a loop, recursion, through a pointer, to printf; shared memory of the module; launch bounds.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 calls.cu
 */
#include <cstdio>

extern "C" __device__ __noinline__ int tenfold(int n) {
    int s = 0;
#pragma unroll 1
    for (int i = 0; i < 10; ++i) s = s * n + i;
    return s;
}

extern "C" __device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

typedef int (*function)(int);
__device__ function table[2] = {tenfold, fib};

extern __shared__ int dynamic[];
__shared__ int scratch[100];

extern "C" __global__ void __launch_bounds__(256, 2) follow(int *a) {
#pragma unroll 1
    for (int i = 0; i < 7; ++i) a[i] = tenfold(a[i]);
}

extern "C" __global__ void recurse(int *a) { a[0] = fib(a[1]); }

extern "C" __global__ void pointer(int *a) {
    a[0] = table[a[1] & 1](a[2]);
    printf("%d\n", a[0]);
}

extern "C" __global__ void memory(int *a) {
    dynamic[threadIdx.x] = a[0];
    scratch[threadIdx.x % 100] = 1;
    __syncthreads();
    a[1] = dynamic[0] + scratch[3];
}
