/* bulk.cu - matrix products of warpgroups, wgmma, and bulk copies that one thread issues: sm_90a.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_90a bulk.cu
 */
#include <stdint.h>

__device__ static unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ static unsigned elected(void)
{
    unsigned is;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(is));
    return is;
}

#define EIGHT(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define NAMES "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31}"

/* A block of 128 threads for each 64 x 64 results, in steps of 64: thread 0 copies 64 x 64 of a, and 64 x 64 of b by its tensor map; four products of k = 16. */
extern "C" __global__ void __launch_bounds__(128) wgmma_product(const uint16_t *a, const __grid_constant__ uint4 map, float *c, int steps)
{
    extern __shared__ __align__(128) uint16_t tile[];
    __shared__ __align__(8) uint64_t barrier;
    float d[32] = {};
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&barrier)));
    __syncthreads();
#pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(shared_of(&barrier)));
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 8192, [%2];" ::"r"(shared_of(tile)),
                         "l"(a + ((size_t)blockIdx.y * steps + s) * 4096), "r"(shared_of(&barrier)) : "memory");
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                             shared_of(tile + 4096)), "l"(&map), "r"(s * 64), "r"(blockIdx.x * 64), "r"(shared_of(&barrier)) : "memory");
        }
        asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra WAIT;\n\t}" ::"r"(shared_of(&barrier)),
                     "r"(s & 1) : "memory");
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int i = 0; i < 4; ++i)
            asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " NAMES ", %32, %33, 1, 1, 1, 0, 0;"
                         : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24) : "l"((uint64_t)shared_of(tile) / 16 + 2 * i), "l"((uint64_t)shared_of(tile + 4096) / 16 + 2 * i));
        asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i) c[((size_t)blockIdx.y * gridDim.x + blockIdx.x) * 4096 + i * 128 + threadIdx.x] = d[i];
}

/* One product of each other kind; copies whose size is in a register, back to global memory, and for a cluster. */
extern "C" __global__ void __launch_bounds__(128) other_kinds(uint8_t *out, const uint8_t *in, float *c, int bytes)
{
    extern __shared__ __align__(128) uint16_t tile[];
    float d[32] = {};
    int w[4] = {};
    const uint64_t at = shared_of(tile) / 16;
    if (threadIdx.x < 32 && elected()) {
        const int n = 3 * 512 + 16;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_of(tile)),
                     "l"(in), "r"(n), "r"(shared_of(tile)), "h"((uint16_t)3) : "memory");
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(n) : "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_of(tile)), "r"(bytes) : "memory");
    }
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 64;" ::"l"(out + 64 * threadIdx.x), "r"(shared_of(tile)) : "memory");
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 " NAMES ", %32, %33, %34, 0, 1, 1, 1, 0, 0;"
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24) : "l"(at), "l"(at), "r"(threadIdx.x));
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e5m2 " NAMES ", %32, %33, 1, 1, 1;"
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24) : "l"(at), "l"(at));
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 " NAMES ", %32, %33, 1, 1, 1;"
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24) : "l"(at), "l"(at));
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%0, %1, %2, %3}, %4, %5, 1;"
                 : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3]) : "l"(at), "l"(at));
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_of(tile)), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]) : "memory");
    for (int i = 0; i < 32; ++i) c[i * 128 + threadIdx.x] = d[i];
}
