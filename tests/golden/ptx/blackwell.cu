/* blackwell.cu - matrix products of a block, tcgen05.mma, of every kind: sm_100a.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_100a blackwell.cu
 */
#include <stdint.h>

/* The instruction descriptor of m x n, by the ISA. */
__device__ static constexpr unsigned descriptor(unsigned m, unsigned n, unsigned sparse = 0, unsigned formats = 0)
{
    return m / 16 << 24 | n / 8 << 17 | formats << 7 | 1u << 4 | sparse << 2;
}

#define MMA(kind, group, d, a, b, i) asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\ttcgen05.mma.cta_group::" group ".kind::" kind \
    " [%0], %1, %2, %3, p;\n\t}" ::"r"(d), "l"(a), "l"(b), "r"(i), "r"(1) : "memory")

/* 128 x 256 results for each block: four products of k = 16 in each step, which one thread of warp 0 issues. */
extern "C" __global__ void __launch_bounds__(128) tcgen05_product(uint64_t a, uint64_t b, int steps)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned place;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x < 32)
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 256;" ::"r"((unsigned)__cvta_generic_to_shared(&place)) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll 1
        for (int s = 0; s < steps; ++s)
            for (int i = 0; i < 4; ++i) MMA("f16", "1", place, a + 2 * i, b + 2 * i, descriptor(128, 256));
        asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(at) : "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 256;" ::"r"(place));
}

/* One product of each other kind; the last has its descriptor from the host. */
extern "C" __global__ void other_products(uint64_t a, uint64_t b, unsigned d, unsigned scales, unsigned given)
{
    if (threadIdx.x != 0) return;
    MMA("tf32", "1", d, a, b, descriptor(64, 64));
    MMA("f8f6f4", "1", d, a, b, descriptor(128, 64));
    MMA("i8", "1", d, a, b, descriptor(128, 32));
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\ttcgen05.mma.sp.cta_group::1.kind::f16 [%0], %1, %2, [%5], %3, p;\n\t}" ::"r"(d), "l"(a),
                 "l"(b), "r"(descriptor(128, 64, 1)), "r"(1), "r"(scales) : "memory");
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%0], %1, %2, %3, [%5], "
                 "[%5], p;\n\t}" ::"r"(d), "l"(a), "l"(b), "r"(descriptor(128, 128)), "r"(1), "r"(scales) : "memory");
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%0], %1, %2, %3, [%5], "
                 "[%5], p;\n\t}" ::"r"(d), "l"(a), "l"(b), "r"(descriptor(128, 128, 0, 1)), "r"(1), "r"(scales) : "memory");
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\ttcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%0], %1, %2, %3, [%5], "
                 "[%5], p;\n\t}" ::"r"(d), "l"(a), "l"(b), "r"(descriptor(128, 256, 0, 1)), "r"(1), "r"(scales) : "memory");
    MMA("f16", "1", d, a, b, given);
}

/* A product of two blocks of a cluster. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) pair_product(uint64_t a, uint64_t b, unsigned d)
{
    if (threadIdx.x == 0 && blockIdx.x % 2 == 0) MMA("f8f6f4", "2", d, a, b, descriptor(256, 256));
}
