/* async.cu - vector accesses, inline-asm scope, cp.async, warp shuffle and vote, constant memory.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * nvcc -ptx -arch=sm_80 async.cu
 */
__constant__ float coef[4];
extern "C" __global__ void asyncvec(float4 *out, const float4 *in, unsigned *flag)
{
    __shared__ __align__(16) float4 buf[128];
    int t = threadIdx.x;
    unsigned dst = (unsigned)__cvta_generic_to_shared(&buf[t]);
    asm volatile("{\n\t.reg .u64 g;\n\tcvta.to.global.u64 g, %1;\n\tcp.async.cg.shared.global [%0], [g], 16;\n\t}\n\t"
                 "cp.async.commit_group;\n\tcp.async.wait_group 0;" ::"r"(dst), "l"(in + blockIdx.x * 128 + t)
                 : "memory");
    __syncthreads();
    float4 v = buf[t ^ 1];
    v.x = v.x * coef[0] + coef[1];
    v.y += __shfl_xor_sync(0xffffffffu, v.x, 16);
    if (__any_sync(0xffffffffu, v.y > 4.0f))
        atomicOr(flag, 1u);
    out[blockIdx.x * 128 + t] = v;
}
