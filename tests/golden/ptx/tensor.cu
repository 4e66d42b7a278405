/* tensor.cu - matrix products of warps: wmma, and mma.sync of every data type of sm_80; ldmatrix; cp.async.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 tensor.cu
 */
#include <mma.h>
#include <stdint.h>

/* c = a b with m x 64 by 64 x n halves; a block of 32 threads for each 16 x 16 results. */
extern "C" __global__ void wmma_product(const half *a, const half *b, float *c, int n)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    for (int k = 0; k < 64; k += 16) {
        load_matrix_sync(fa, a + blockIdx.y * 16 * 64 + k, 64);
        load_matrix_sync(fb, b + k * n + blockIdx.x * 16, n);
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, mem_row_major);
}

__device__ static void copy_16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

__device__ static void copy_8(void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

/* c = a b with m x k by k x n of bfloat16; a block of 128 threads for each 64 x 32 results, in steps of 16. The tiles of a and b
   lie one after the other in memory. */
extern "C" __global__ void __launch_bounds__(128) mma_product(const uint16_t *a, const uint16_t *b, float *c, int steps, int n)
{
    __shared__ __align__(16) uint16_t ta[64 * 16], tb[16 * 32];
    const int t = threadIdx.x, warp = t / 32;
    const unsigned from = (unsigned)__cvta_generic_to_shared(&ta[warp * 16 * 16 + t % 32 * 8]);
    const unsigned with = (unsigned)__cvta_generic_to_shared(&tb[t % 32 * 16]);
    float sum[4][4] = {};
    const uint16_t *pa = a + (size_t)blockIdx.y * steps * 64 * 16 + t * 8, *pb = b + (size_t)blockIdx.x * steps * 16 * 32 + t * 4;
#pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        unsigned ra[4], rb[8];
        copy_16(&ta[t * 8], pa + s * 64 * 16);
        copy_8(&tb[t * 4], pb + s * 16 * 32);
        asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(from) : "memory");
        for (int i = 0; i < 2; ++i)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(rb[4 * i]), "=r"(rb[4 * i + 1]), "=r"(rb[4 * i + 2]), "=r"(rb[4 * i + 3]) : "r"(with + 16 * i) : "memory");
        for (int i = 0; i < 4; ++i)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                         "{%0, %1, %2, %3};"
                         : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
                         : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[2 * i]), "r"(rb[2 * i + 1]));
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            c[(size_t)(blockIdx.y * 64 + warp * 16 + t % 32 / 4 + k / 2 * 8) * n + blockIdx.x * 32 + i * 8 + t % 4 * 2 + k % 2] = sum[i][k];
}

#define MMA(shape, types, c, a0, b0) \
    asm volatile("mma.sync.aligned." shape ".row.col." types " {%0, %1, %2, %3}, " a0 ", " b0 ", {%0, %1, %2, %3};" \
                 : "+" c(d[0]), "+" c(d[1]), "+" c(d[2]), "+" c(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]))
#define A4 "{%4, %5, %6, %7}"
#define A2 "{%4, %5}"
#define B2 "{%8, %9}"
#define B1 "{%8}"

/* One product of each data type. */
extern "C" __global__ void every_type(float *out, int *whole, double *twice, const unsigned *in)
{
    unsigned x[6];
    for (int i = 0; i < 6; ++i) x[i] = in[i * 32 + threadIdx.x];
    {
        float d[4] = {};
        MMA("m16n8k16", "f32.f16.f16.f32", "f", A4, B2);
        MMA("m16n8k8", "f32.bf16.bf16.f32", "f", A2, B1);
        MMA("m16n8k8", "f32.tf32.tf32.f32", "f", A4, B2);
        asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %8, %9}, "
                     "{%0, %1, %2, %3}, %4, 0x0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]));
        for (int i = 0; i < 4; ++i) out[i * 32 + threadIdx.x] = d[i];
    }
    {
        int d[4] = {};
        MMA("m16n8k32", "s32.s8.u8.s32", "r", A4, B2);
        MMA("m16n8k64", "s32.s4.s4.s32", "r", A4, B2);
        asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                     "{%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]));
        for (int i = 0; i < 4; ++i) whole[i * 32 + threadIdx.x] = d[i];
    }
    double d0 = 0, d1 = 0, a = twice[threadIdx.x], b = twice[threadIdx.x + 32];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b));
    twice[threadIdx.x] = d0;
    twice[threadIdx.x + 32] = d1;
}
